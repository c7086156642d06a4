/* Functions that device code calls and that have no body in PTX: vprintf, malloc, free, __assertfail, those of
 * launch.c. CUDA C++ Programming Guide, "Formatted Output", "Dynamic Global Memory Allocation", "Assertion". */
#include "harness/emu/instructions/system.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "harness/emu/instructions/launch.h"
#include "harness/emu/machine/address.h"
#include "harness/emu/machine/claims.h"
#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/frame.h"
#include "harness/emu/machine/heap.h"
#include "harness/emu/machine/regions.h"
#include "harness/emu/machine/thread.h"

enum { TEXT = 4096 };                    /* bytes of a line that vprintf writes, and of a string that it reads */
enum { COST_PRINT = 64, COST_BYTE = 4 }; /* what it takes, in additions, and for each of these: schedule/idle.c */

static unsigned char byte_at(struct emu_thread *t, uint64_t address)
{
    return *emu_bytes(t, PTX_none, address, 1, 1, EMU_READ, NULL, NULL);
}

/* A string in the device's memory, cut if it does not fit. */
static void text_at(struct emu_thread *t, uint64_t address, char *out, size_t size)
{
    size_t n = 0;

    for (; n + 1 < size; n++) {
        out[n] = (char)byte_at(t, address + n);
        if (!out[n])
            return;
    }
    out[n] = 0;
}

/* ---- vprintf ----------------------------------------------------------------------------------------------------- */

struct print {
    struct emu_thread *t;
    uint64_t args, at; /* the buffer; bytes taken of it */
    int count;
    size_t used;
    char text[TEXT];
};

/* The next argument. Each has its type after C's default promotions, and the natural alignment of that type. */
static uint64_t next_argument(struct print *p, unsigned size)
{
    uint64_t value = 0;

    p->at = (p->at + size - 1) / size * size;
    memcpy(&value, emu_bytes(p->t, PTX_none, p->args + p->at, size, 1, EMU_READ, NULL, NULL), size);
    p->at += size;
    p->count++;
    return value;
}

static bool is_long(const char *length, char conversion)
{
    return strchr("pneEfFgGaA", conversion) || (*length && strchr("ljztL", *length));
}

static void print_one(struct print *p, const char *flags, const char *length, char conversion)
{
    char format[64], string[TEXT];
    char *const out = p->text + p->used;
    const size_t room = sizeof p->text - p->used;
    const unsigned size = conversion == 's' || is_long(length, conversion) ? 8 : 4;
    const uint64_t value = next_argument(p, size);
    double real;
    int n;

    if (strchr("di", conversion)) {
        snprintf(format, sizeof format, "%%%s%s", flags, PRId64);
        n = snprintf(out, room, format, size == 8 ? (int64_t)value : (int64_t)(int32_t)value);
    } else if (strchr("ouxX", conversion)) {
        snprintf(format, sizeof format, "%%%sl%c", flags, conversion);
        n = snprintf(out, room, format, (unsigned long)value);
    } else if (conversion == 'c') {
        snprintf(format, sizeof format, "%%%sc", flags);
        n = snprintf(out, room, format, (int)value);
    } else if (conversion == 's') {
        text_at(p->t, value, string, sizeof string);
        snprintf(format, sizeof format, "%%%ss", flags);
        n = snprintf(out, room, format, string);
    } else if (conversion == 'p') {
        snprintf(format, sizeof format, "%%%sp", flags);
        n = snprintf(out, room, format, (void *)(uintptr_t)value);
    } else {
        memcpy(&real, &value, sizeof real);
        snprintf(format, sizeof format, "%%%s%c", flags, conversion);
        n = snprintf(out, room, format, real);
    }
    if (n > 0)
        p->used += (size_t)n < room ? (size_t)n : room - 1;
}

/* A width or a precision: digits, or a '*' for an argument. Numbers beyond the length of a line become that length. */
static const char *take_number(struct print *p, const char *f, int *number)
{
    int n = 0;

    if (*f == '*') {
        const int32_t given = (int32_t)next_argument(p, 4);
        *number = given > TEXT ? TEXT : given < -TEXT ? -TEXT : given;
        return f + 1;
    }
    for (; *f >= '0' && *f <= '9'; f++)
        n = n < TEXT ? n * 10 + (*f - '0') : TEXT;
    *number = n < TEXT ? n : TEXT;
    return f;
}

/* Flags, width and precision after a '%', with each '*' replaced by its number. */
static const char *take_flags(struct print *p, const char *f, char *flags, size_t size)
{
    size_t n = 0;

    while (*f && strchr("-+ #0123456789.*", *f)) {
        const bool number = *f == '*' || (*f >= '1' && *f <= '9');
        const bool fits = n + 16 < size;
        int value = 0;
        if (number) {
            f = take_number(p, f, &value);
            if (fits)
                n += (size_t)snprintf(flags + n, size - n, "%d", value);
            continue;
        }
        if (fits) {
            flags[n] = *f;
            n++;
        }
        f++;
    }
    flags[n] = 0;
    return f;
}

static void put(struct print *p, char c)
{
    if (p->used + 1 >= sizeof p->text)
        return;
    p->text[p->used] = c;
    p->used++;
}

/* Integers of 8 or 16 bits were promoted to 32, as in C, and are printed as they are: where the length modifier would
 * cut them, the compiler has done so. */
static void print(struct print *p, const char *f)
{
    char flags[48], length[4];

    while (*f) {
        size_t n = 0;
        if (*f != '%' || f[1] == '%') {
            put(p, *f);
            f += *f == '%' ? 2 : 1;
            continue;
        }
        f = take_flags(p, f + 1, flags, sizeof flags);
        for (; *f && strchr("hlLjzt", *f) && n + 1 < sizeof length; f++) {
            length[n] = *f;
            n++;
        }
        length[n] = 0;
        if (!*f || !strchr("diouxXcspeEfFgGaA", *f))
            break; /* no conversion that the device knows */
        print_one(p, flags, length, *f);
        f++;
    }
}

static void call_vprintf(struct emu_thread *t, const struct emu_call *c)
{
    struct emu *e = emu_machine_of(t);
    struct print p = { .t = t, .args = emu_call_argument(t, c, 1) };
    char format[TEXT];

    text_at(t, emu_call_argument(t, c, 0), format, sizeof format);
    print(&p, format);
    emu_run_of(t)->heavy += COST_PRINT + COST_BYTE * (strlen(format) + p.used);
    if (e->options.print) {
        pthread_mutex_lock(&e->lock);
        fwrite(p.text, 1, p.used, e->options.print);
        pthread_mutex_unlock(&e->lock);
    }
    emu_call_return(t, c, (uint32_t)p.count);
}

/* ---- malloc and free --------------------------------------------------------------------------------------------- */

static void call_malloc(struct emu_thread *t, const struct emu_call *c)
{
    emu_call_return(t, c, emu_heap_take(emu_machine_of(t), emu_call_argument(t, c, 0)));
}

static void call_free(struct emu_thread *t, const struct emu_call *c)
{
    const uint64_t address = emu_call_argument(t, c, 0);
    const enum emu_heap_give how = address ? emu_heap_give(emu_machine_of(t), address) : EMU_HEAP_FREED;

    char where[140];

    if (how == EMU_HEAP_FREED)
        return;
    emu_spot_words(t, PTX_none, address, where, sizeof where);
    emu_bad_access(t, &rule_access_heap, address, 0, "free of %s, %s", where,
                   how == EMU_HEAP_AGAIN ? "which was freed before" : "which malloc did not return");
}

static void call_cuda_free(struct emu_thread *t, const struct emu_call *c)
{
    call_free(t, c);
    emu_launch_success(t, c);
}

/* ---- __assertfail ------------------------------------------------------------------------------------------------ */

static void call_assertfail(struct emu_thread *t, const struct emu_call *c)
{
    char message[120], file[100], function[60];

    text_at(t, emu_call_argument(t, c, 0), message, sizeof message);
    text_at(t, emu_call_argument(t, c, 1), file, sizeof file);
    text_at(t, emu_call_argument(t, c, 3), function, sizeof function);
    emu_bad_access(t, NULL, 0, 0, "%s:%u: %s: assertion `%s' failed", file, (unsigned)emu_call_argument(t, c, 2),
                   function, message);
}

/* ---- cudaGraphSetConditional ------------------------------------------------------------------------------------- */

/* A handle is the address of a word that the graph reads between its nodes. No thread reads it, so the judge need not
 * know; of a launch that belongs to no graph, there is none. */
static void call_condition(struct emu_thread *t, const struct emu_call *c)
{
    const uint32_t value = (uint32_t)emu_call_argument(t, c, 1);

    emu_region_write(emu_machine_of(t), emu_call_argument(t, c, 0), &value, sizeof value);
}

static const struct {
    const char *name;
    void (*call)(struct emu_thread *t, const struct emu_call *c);
} calls[] = {
    { "vprintf", call_vprintf },
    { "malloc", call_malloc },
    { "free", call_free },
    { "__assertfail", call_assertfail },
    { "cudaGraphSetConditional", call_condition },
    { "__cudaCDP2GetParameterBufferV2", emu_launch_buffer },
    { "__cudaCDP2LaunchDeviceV2", emu_launch_device },
    { "__cudaCDP2StreamCreateWithFlags", emu_launch_handle },
    { "__cudaCDP2EventCreateWithFlags", emu_launch_handle },
    { "__cudaCDP2Malloc", emu_launch_malloc },
    { "__cudaCDP2Free", call_cuda_free },
    { "__cudaCDP2MemcpyAsync", emu_launch_copy },
    { "__cudaCDP2MemsetAsync", emu_launch_fill },
    { "__cudaCDP2GetErrorString", emu_launch_error_text },
    { "__cudaCDP2StreamDestroy", emu_launch_success },
    { "__cudaCDP2StreamWaitEvent", emu_launch_success },
    { "__cudaCDP2EventRecord", emu_launch_success },
    { "__cudaCDP2EventRecordWithFlags", emu_launch_success },
    { "__cudaCDP2EventDestroy", emu_launch_success },
    { "__cudaCDP2GetLastError", emu_launch_success },
    { "__cudaCDP2PeekAtLastError", emu_launch_success },
};

/* The number of the function in `calls`, or how many there are. */
static size_t call_of(const struct ptx_function *f)
{
    size_t i = 0;

    while (i < sizeof calls / sizeof *calls && strcmp(f->name, calls[i].name) != 0)
        i++;
    return i;
}

bool emu_system_knows(const struct ptx_function *f)
{
    return call_of(f) < sizeof calls / sizeof *calls;
}

void emu_system_call(struct emu_thread *t, const struct emu_op *op, const struct ptx_function *f)
{
    emu_claim_machine(t); /* output and the heap are the machine's */
    emu_act(t, NULL);
    if (!emu_system_knows(f))
        emu_unsupported(t, op->source);
    calls[call_of(f)].call(t, op->call);
}
// SPDX-License-Identifier: Apache-2.0
