/* The program of a report: its data, then each call that the case made, with what was to come of it. */
#include "harness/repro/program.h"

#include <inttypes.h>
#include <string.h>

#include "harness/base/text.h"

/* The part that all programs share, and a NUL behind it. */
__asm__(".section .rodata\n"
        ".global repro_frame\n"
        ".hidden repro_frame\n"
        "repro_frame:\n"
        ".incbin \"harness/repro/frame.cu\"\n"
        ".byte 0\n"
        ".previous\n");
extern const char repro_frame[];

enum { LINE = 96, NAME = 64 }; /* characters of a line of data, at most; of a file's name */

bool program_file(const struct program *p, const struct trace_event *launch, char *file, size_t size)
{
    return ck_text_kernel(p->index, launch->launch.kernel, file, size);
}

/* ---- which buffer, which map ----------------------------------------------------------------------------------- */

/* The allocation with this address, among the events before `before`; -1 where there is none. */
static long buffer_at(const struct trace *t, size_t before, uint64_t at)
{
    for (size_t i = 0; i < before; i++) {
        const struct trace_event *e = &t->events[i];
        if (e->kind == TRACE_ALLOC && at >= e->at && at < e->at + (e->size ? e->size : 1))
            return (long)i;
    }
    return -1;
}

/* The number of an event among those of its kind. */
static unsigned number(const struct trace *t, size_t event)
{
    unsigned n = 0;

    for (size_t i = 0; i < event; i++)
        n += t->events[i].kind == t->events[event].kind;
    return n;
}

/* The last event before `before` that made these bytes of a map; -1 where none did. */
static long map_of(const struct trace *t, size_t before, const unsigned char *bytes)
{
    for (size_t i = before; i-- > 0;) {
        const struct trace_event *e = &t->events[i];
        if ((e->kind == TRACE_ENCODE || e->kind == TRACE_REPLACE) && e->bytes && !e->code &&
            !memcmp(e->bytes, bytes, TENSOR_MAP_BYTES))
            return (long)i;
    }
    return -1;
}

/* "b2.at + 1024", or the plain number of an address that is in no buffer. */
static void print_address(FILE *to, const struct trace *t, size_t before, uint64_t at)
{
    const long i = buffer_at(t, before, at);

    if (i < 0)
        fprintf(to, "0x%" PRIx64 "ull", at);
    else if (at == t->events[i].at)
        fprintf(to, "b%u.at", number(t, (size_t)i));
    else
        fprintf(to, "b%u.at + %" PRIu64, number(t, (size_t)i), at - t->events[i].at);
}

/* Lines that put into `name` the addresses and maps that the case had there. */
static void print_places(FILE *to, const struct trace *t, size_t before, const char *name, const void *bytes,
                         size_t size)
{
    const unsigned char *p = bytes;
    uint64_t word;

    for (size_t at = 0; at + sizeof word <= size; at += sizeof word) {
        const long map = at + TENSOR_MAP_BYTES <= size && at % 16 == 0 ? map_of(t, before, p + at) : -1;
        if (map >= 0) {
            fprintf(to, "    put_map(%s, %zu, map%ld);\n", name, at, map);
            at += TENSOR_MAP_BYTES - sizeof word;
            continue;
        }
        memcpy(&word, p + at, sizeof word);
        if (buffer_at(t, before, word) < 0)
            continue;
        fprintf(to, "    put_address(%s, %zu, ", name, at);
        print_address(to, t, before, word);
        fputs(");\n", to);
    }
}

/* ---- data ------------------------------------------------------------------------------------------------------ */

/* An array of lines that bytes_of reads. */
static void print_bytes(FILE *to, const char *kind, size_t event, const void *bytes, size_t size)
{
    const unsigned char *p = bytes;
    size_t column = 0;
    bool spaced = true; /* a run has a space before it, unless it begins its line or follows another one */

    fprintf(to, "static const char *const %s_%zu[] = {", kind, event);
    for (size_t i = 0, n; i < size; i += n) {
        for (n = 1; i + n < size && p[i + n] == p[i];)
            n++;
        if (n < 4) /* a short run is as short in digits */
            n = 1;
        if (!column) {
            column = (size_t)fprintf(to, "\n    \"");
            spaced = true;
        }
        if (n > 1)
            column += (size_t)fprintf(to, "%s%02x*%zu%s", spaced ? "" : " ", p[i], n, i + n < size ? " " : "");
        else
            column += (size_t)fprintf(to, "%02x", p[i]);
        spaced = n > 1;
        if (column > LINE) {
            fputs("\",", to);
            column = 0;
        }
    }
    fputs(column ? "\",\n    NULL };\n" : "\n    NULL };\n", to);
}

/* Whether the launch of the group that ends before event `end` was compared with what documents promise. */
static bool is_compared(const struct trace *t, size_t launch)
{
    for (size_t i = launch + 1; i < t->count && t->events[i].kind != TRACE_LAUNCH; i++)
        if (t->events[i].kind == TRACE_COMPARE)
            return true;
    return false;
}

/* What these bytes held before the launch, as far as an event says so. */
static const unsigned char *held_before(const struct trace *t, size_t launch, const struct trace_event *read)
{
    for (size_t i = launch; i-- > 0;) {
        const struct trace_event *e = &t->events[i];
        if ((e->kind == TRACE_WRITE || e->kind == TRACE_READ) && e->at == read->at && e->size == read->size)
            return e->bytes;
    }
    return NULL;
}

/* Whether one of our addresses or maps is among the bytes: they are others on another device. */
static bool holds_places(const struct trace *t, size_t before, const unsigned char *bytes, size_t size)
{
    uint64_t word;

    for (size_t at = 0; at + sizeof word <= size; at += sizeof word) {
        memcpy(&word, bytes + at, sizeof word);
        if (buffer_at(t, before, word) >= 0 ||
            (at % 16 == 0 && at + TENSOR_MAP_BYTES <= size && map_of(t, before, bytes + at) >= 0))
            return true;
    }
    return false;
}

/* Whether the program compares what it reads at this event: what a case compares; of a launch about which it compares
 * no bytes, what the model of the documents changed, unless a machine leaves its own; and which waits ran out. */
static bool is_checked(const struct program *p, size_t event)
{
    const struct trace *t = p->trace;
    const struct trace_event *e = &t->events[event];
    size_t launch = event;

    if (e->kind != TRACE_READ)
        return e->kind == TRACE_COMPARE && e->size && buffer_at(t, event, e->at) >= 0;
    while (launch && t->events[launch].kind != TRACE_LAUNCH)
        launch--;
    if (t->events[launch].kind != TRACE_LAUNCH)
        return false;
    const unsigned char *before = held_before(t, launch, e);
    return e->size == sizeof(uint32_t) ||
           (!p->own && !is_compared(t, launch) && before && memcmp(before, e->bytes, e->size) != 0 &&
            !holds_places(t, launch, before, e->size));
}

static void print_data(FILE *to, const struct program *p)
{
    const struct trace *t = p->trace;

    for (size_t i = 0; i < t->count; i++) {
        const struct trace_event *e = &t->events[i];
        if (e->kind == TRACE_WRITE || is_checked(p, i))
            print_bytes(to, "bytes", i, e->bytes, e->size);
        if (e->kind != TRACE_LAUNCH)
            continue;
        print_bytes(to, "args", i, e->launch.args, e->launch.size);
        if (e->launch.constant)
            print_bytes(to, "constant", i, e->launch.constant_bytes, e->launch.constant_size);
    }
}

/* ---- calls ----------------------------------------------------------------------------------------------------- */

static void print_list(FILE *to, const char *before, const void *numbers, size_t count, size_t width, bool is_signed)
{
    fputs(before, to);
    for (size_t i = 0; i < count; i++) {
        uint64_t wide;
        uint32_t narrow;
        memcpy(&narrow, (const char *)numbers + i * width, sizeof narrow);
        memcpy(&wide, (const char *)numbers + i * (width == sizeof wide ? width : 0), sizeof wide);
        if (is_signed)
            fprintf(to, "%s%" PRId32, i ? ", " : "", (int32_t)narrow);
        else if (width == sizeof wide)
            fprintf(to, "%s%" PRIu64 "ull", i ? ", " : "", wide);
        else
            fprintf(to, "%s%" PRIu32 "u", i ? ", " : "", narrow);
    }
    fputs(" }", to);
}

static void print_encode(FILE *to, const struct program *p, size_t i)
{
    const struct trace_event *e = &p->trace->events[i];
    const struct tensor_map *m = &e->map;

    fprintf(to, "    unsigned char *map%zu = new_map(%u);\n", i, e->offset);
    fprintf(to, "    struct encode_call call%zu = { map%zu, %d /* type */, %uu /* rank */, ", i, i, (int)m->type,
            (unsigned)m->rank);
    print_address(to, p->trace, i, m->address);
    print_list(to, ",\n        { ", m->dims, TENSOR_RANK_MAX, 8, false);
    print_list(to, " /* globalDim */, { ", m->strides, TENSOR_RANK_MAX - 1, 8, false);
    print_list(to, " /* globalStrides */,\n        { ", m->box, TENSOR_RANK_MAX, 4, false);
    print_list(to, " /* boxDim */, { ", m->element_strides, TENSOR_RANK_MAX, 4, false);
    print_list(to, " /* elementStrides */,\n        { ", m->lower, TENSOR_SPACE_MAX, 4, true);
    print_list(to, " /* lower corner */, { ", m->upper, TENSOR_SPACE_MAX, 4, true);
    fprintf(to,
            " /* upper corner */, %uu /* channels */, %uu /* pixels */,\n        %d /* interleave */, %d /* mode: 0 "
            "tiled, 1 im2col, 2 and 3 im2col W */, %d /* swizzle */, %d /* L2 */, %d /* fill */ };\n",
            m->channels, m->pixels, (int)m->interleave, (int)m->mode, (int)m->swizzle, (int)m->l2, (int)m->fill);
    fprintf(to, "    answered(\"encode call %u\", encode(&call%zu, 0x%x), %d);\n", number(p->trace, i) + 1, i, e->null,
            p->side ? p->side > 0 : !e->code);
}

static void print_replace(FILE *to, const struct trace *t, size_t i)
{
    const struct trace_event *e = &t->events[i];
    const long from = map_of(t, i, e->before);

    fprintf(to, "    unsigned char *map%zu = new_map(%u);\n", i, e->offset);
    if (from >= 0)
        fprintf(to, "    memcpy(map%zu, map%ld, 128);\n", i, from);
    fprintf(to, "    answered(\"new address %u\", cuTensorMapReplaceAddress((CUtensorMap *)(void *)map%zu, (void *)(",
            number(t, i) + 1, i);
    print_address(to, t, i, e->at);
    fprintf(to, ")), %d);\n", !e->code);
}

static void print_write(FILE *to, const struct trace *t, size_t i)
{
    const struct trace_event *e = &t->events[i];
    char name[NAME];

    snprintf(name, sizeof name, "w%zu", i);
    fprintf(to, "    unsigned char *%s = bytes_of(bytes_%zu, %zu);\n", name, i, e->size);
    print_places(to, t, i, name, e->bytes, e->size);
    fputs("    MUST(cuMemcpyHtoD(", to);
    print_address(to, t, i, e->at);
    fprintf(to, ", %s, %zu));\n", name, e->size);
}

static void print_launch(FILE *to, const struct program *p, size_t i)
{
    const struct trace *t = p->trace;
    const struct ck_device_launch *l = &t->events[i].launch;
    char file[NAME] = "", name[NAME];

    program_file(p, &t->events[i], file, sizeof file);
    if (l->constant) {
        fprintf(to, "    unsigned char *c%zu = bytes_of(constant_%zu, %zu);\n", i, i, l->constant_size);
        snprintf(name, sizeof name, "c%zu", i);
        print_places(to, t, i, name, l->constant_bytes, l->constant_size);
        fprintf(to, "    write_constant(m_%s, \"%s\", %s, %zu);\n", file, l->constant, name, l->constant_size);
    }
    snprintf(name, sizeof name, "a%zu", i);
    fprintf(to, "    unsigned char *%s = bytes_of(args_%zu, %zu);\n", name, i, l->size);
    print_places(to, t, i, name, l->args, l->size);
    fprintf(to,
            "    const unsigned shape%zu[9] = { %u, %u, %u, %u, %u, %u, %u, %u, %u }; /* grid, block, cluster */\n"
            "    launch(m_%s, \"%s\", shape%zu, %u, %s, %zu, %d, %d, %d);\n",
            i, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2], l->cluster[0], l->cluster[1],
            l->cluster[2], file, l->kernel, i, l->smem, name, l->size, l->members,
            i && t->events[i - 1].kind == TRACE_LAUNCH && t->events[i - 1].joined, t->events[i].refused);
    if (!t->events[i].joined && !t->events[i].refused)
        fprintf(to, "    finish(\"%s\");\n", l->kernel);
}

static void print_check(FILE *to, const struct trace *t, size_t i)
{
    const struct trace_event *e = &t->events[i];
    const long b = buffer_at(t, i, e->at);
    unsigned launches = 0;

    if (b < 0)
        return;
    for (size_t k = 0; k < i; k++)
        launches += t->events[k].kind == TRACE_LAUNCH;
    const uint64_t from = e->at - t->events[b].at;
    if (e->kind == TRACE_READ && e->size == sizeof(uint32_t))
        fprintf(to, "    check(\"launch %u: waits that ran out\"", launches);
    else
        fprintf(to, "    check(\"launch %u: buffer %u from byte %" PRIu64 "\"", launches, number(t, (size_t)b), from);
    fprintf(to, ", b%u, %" PRIu64 ", bytes_of(bytes_%zu, %zu), %zu);\n", number(t, (size_t)b), from, i, e->size,
            e->size);
}

static void print_modules(FILE *to, const struct program *p)
{
    const struct trace *t = p->trace;
    char file[NAME], other[NAME];

    for (size_t i = 0; i < t->count; i++) {
        bool again = false;
        if (t->events[i].kind != TRACE_LAUNCH || !program_file(p, &t->events[i], file, sizeof file))
            continue;
        for (size_t k = 0; k < i && !again; k++)
            again = t->events[k].kind == TRACE_LAUNCH && program_file(p, &t->events[k], other, sizeof other) &&
                    !strcmp(file, other);
        if (!again)
            fprintf(to, "    CUmodule m_%s = load(folder, \"%s\");\n", file, file);
    }
}

static void print_calls(FILE *to, const struct program *p)
{
    static const char *const memories[] = { "DEVICE_MEMORY", "HOST_MEMORY", "EDGE_MEMORY" };
    const struct trace *t = p->trace;

    for (size_t i = 0; i < t->count; i++) {
        const struct trace_event *e = &t->events[i];
        switch (e->kind) {
        case TRACE_ALLOC:
            fprintf(to, "    struct buffer b%u = make(%s, %zu);\n", number(t, i), memories[e->memory], e->size);
            break;
        case TRACE_ENCODE: print_encode(to, p, i); break;
        case TRACE_REPLACE: print_replace(to, t, i); break;
        case TRACE_WRITE: print_write(to, t, i); break;
        case TRACE_LAUNCH: print_launch(to, p, i); break;
        default:
            if (is_checked(p, i))
                print_check(to, t, i);
        }
    }
}

bool program_write(FILE *to, const struct program *p)
{
    const struct trace *t = p->trace;
    char file[NAME];

    for (size_t i = 0; i < t->count; i++)
        if (t->events[i].kind == TRACE_LAUNCH && !program_file(p, &t->events[i], file, sizeof file))
            return false;
    fputs(p->comment, to);
    fputs(repro_frame, to);
    fputs("\n/* ---- this point: \"5c\" in a buffer are guard bands, \"a5\" what no copy has written ---- */\n\n", to);
    print_data(to, p);
    fputs("\nint main(int argc, char **argv)\n{\n"
          "    const char *folder = begin(argv[0]);\n\n    (void)argc, (void)folder;\n",
          to);
    print_modules(to, p);
    print_calls(to, p);
    fputs("    return end();\n}\n", to);
    return !ferror(to);
}
// SPDX-License-Identifier: Apache-2.0
