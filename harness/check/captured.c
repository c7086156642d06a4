/* Captures, judged. Memory lies at the addresses that it had on the GPU, so that all pointers in it hold as they are.
 */
#include "harness/check/captured.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/base/append.h"
#include "harness/base/bad.h"
#include "harness/capture/capture.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

/* Pages of the host at the GPU's addresses: allocations may share one. */
struct span {
    unsigned char *at;
    size_t bytes;
};

struct check_captured {
    struct capture capture;
    struct span *spans;
    size_t span_count;
};

static int by_address(const void *a, const void *b)
{
    const struct capture_bytes *x = a, *y = b;

    return (x->at > y->at) - (x->at < y->at);
}

/* Takes the pages of all memory. */
static bool map_spans(struct check_captured *k, const char *file)
{
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    struct capture *c = &k->capture;

    qsort(c->memory, c->memory_count, sizeof *c->memory, by_address); /* variables, at 0, come first */
    k->spans = calloc(c->memory_count + 1, sizeof *k->spans);
    if (!k->spans)
        return ck_wrong("no memory");
    for (size_t i = 0; i < c->memory_count; i++) {
        const struct capture_bytes *m = &c->memory[i];
        struct span *last = k->span_count ? &k->spans[k->span_count - 1] : NULL;
        const uint64_t end = (m->at + m->bytes + page) / page * page;
        uint64_t begin = m->at / page * page;
        if (m->variable)
            continue;
        if (m->at + m->bytes < m->at || (i && !m[-1].variable && m[-1].at + m[-1].bytes > m->at))
            return ck_wrong("check: %s: its memory at 0x%llx overlaps other memory", file, (unsigned long long)m->at);
        if (last && (uint64_t)(uintptr_t)last->at + last->bytes > begin)
            begin = (uint64_t)(uintptr_t)last->at + last->bytes;
        if (begin >= end)
            continue;
        void *at = mmap((void *)(uintptr_t)begin, end - begin, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        if (at != (void *)(uintptr_t)begin) {
            if (at != MAP_FAILED)
                munmap(at, end - begin);
            return ck_wrong("check: %s: this process has other memory at 0x%llx, where the capture's was; run it again",
                            file, (unsigned long long)m->at);
        }
        k->spans[k->span_count++] = (struct span){ at, end - begin };
    }
    return true;
}

void check_captured_end(struct check_args *args)
{
    struct check_captured *k = args->captured;

    if (!k)
        return;
    for (size_t i = 0; i < k->span_count; i++)
        munmap(k->spans[i].at, k->spans[i].bytes);
    free(k->spans);
    capture_free(&k->capture);
    free(k);
    args->captured = NULL;
}

bool check_captured_take(struct check_args *args, struct ck_text *text)
{
    struct check_captured *k;
    char error[300];

    if (!capture_is(text->data, text->size))
        return true;
    if (args->entry || args->arg_count || args->map_count || args->grid[0] || args->block[0] || args->cluster[0] ||
        args->smem)
        return ck_wrong(
            "check: %s is a capture: the kernel, its launch and its arguments are in it, and no option gives "
            "them",
            args->file);
    k = args->captured = calloc(1, sizeof *k);
    if (!k)
        return ck_wrong("no memory");
    if (!capture_read(text->data, text->size, &k->capture, error, sizeof error))
        return ck_wrong("check: %s: %s", args->file, error);
    ck_text_free(text);
    text->data = k->capture.ptx;
    text->size = k->capture.ptx_bytes;
    k->capture.ptx = NULL;
    args->entry = k->capture.entry;
    memcpy(args->grid, k->capture.grid, sizeof args->grid);
    memcpy(args->block, k->capture.block, sizeof args->block);
    memcpy(args->cluster, k->capture.cluster, sizeof args->cluster);
    args->smem = k->capture.smem;
    if (args->options.cooperative == EMU_COOPERATIVE_AS_NEEDED && k->capture.cooperative)
        args->options.cooperative = EMU_COOPERATIVE_YES;
    return map_spans(k, args->file);
}

/* The objects of tensor maps become the emulator's, wherever they stand. */
static void replace_maps(const struct capture *c, unsigned char *bytes, size_t n, uint64_t at)
{
    enum { ALIGN = 64 };

    for (size_t i = (size_t)((ALIGN - at % ALIGN) % ALIGN); i + TENSOR_MAP_BYTES <= n; i += ALIGN)
        for (size_t k = 0; k < c->map_count; k++)
            if (!memcmp(bytes + i, c->maps[k].object, TENSOR_MAP_BYTES)) {
                _Alignas(64) unsigned char object[TENSOR_MAP_BYTES];
                emu_map_encode(&c->maps[k].map, object);
                memcpy(bytes + i, object, sizeof object);
            }
}

bool check_captured_make(const struct check_args *args, struct emu *e, const struct ptx_module *m,
                         const struct ptx_function *entry, unsigned char *params)
{
    const struct capture *c = &args->captured->capture;

    if (c->param_bytes != entry->param_bytes)
        return ck_wrong("check: %s: it has %zu bytes of parameters, the kernel takes %llu", args->file, c->param_bytes,
                        (unsigned long long)entry->param_bytes);
    for (size_t i = 0; i < c->memory_count; i++) {
        const struct capture_bytes *b = &c->memory[i];
        char name[32];
        if (b->variable) {
            if (!emu_set_variable(e, m, b->variable, b->before, b->bytes))
                return ck_wrong("check: %s: the module has no variable %.100s of %llu bytes", args->file, b->variable,
                                (unsigned long long)b->bytes);
            continue;
        }
        memcpy((void *)(uintptr_t)b->at, b->before, b->bytes);
        replace_maps(c, (unsigned char *)(uintptr_t)b->at, b->bytes, b->at);
        snprintf(name, sizeof name, "buffer %zu", i);
        if (!emu_adopt(e, (void *)(uintptr_t)b->at, b->bytes, name))
            return ck_wrong("check: %s: no memory", args->file);
    }
    memcpy(params, c->params, c->param_bytes);
    replace_maps(c, params, c->param_bytes, 0);
    return true;
}

/* How many bytes differ, and the first of them. */
static uint64_t differ(const unsigned char *a, const unsigned char *b, uint64_t n, uint64_t *first)
{
    uint64_t count = 0;

    for (uint64_t i = 0; i < n; i++)
        if (a[i] != b[i]) {
            if (!count)
                *first = i;
            count++;
        }
    return count;
}

void check_captured_compare(const struct check_args *args, struct emu *e, const struct ptx_module *m,
                            struct check_result *result)
{
    const struct capture *c = &args->captured->capture;
    uint64_t bytes = 0, first = 0;
    char *said = result->bytes_said, name[64];
    size_t buffers = 0;

    *said = 0;
    for (size_t i = 0; i < c->memory_count; i++) {
        const struct capture_bytes *b = &c->memory[i];
        uint64_t at = b->at, size = b->bytes, count;
        if (b->variable && (!emu_variable(e, m, b->variable, &at, &size) || size < b->bytes))
            continue;
        bytes += b->bytes;
        /* Where it did not change, a tensor map in it may have become the emulator's. */
        if (!b->after && c->map_count)
            continue;
        count = differ((const unsigned char *)(uintptr_t)at, b->after ? b->after : b->before, b->bytes, &first);
        if (!count)
            continue;
        result->bytes_differ = true;
        if (b->variable)
            snprintf(name, sizeof name, "variable %.40s", b->variable);
        else
            snprintf(name, sizeof name, "buffer %zu", i);
        if (buffers++ < 3)
            ck_append(said, sizeof result->bytes_said, "%s%llu of %llu bytes of %s, from byte %llu on",
                      buffers > 1 ? "; " : "other than on the GPU: ", (unsigned long long)count,
                      (unsigned long long)b->bytes, name, (unsigned long long)first);
    }
    if (!buffers)
        snprintf(said, sizeof result->bytes_said, "as on the GPU, %llu in all", (unsigned long long)bytes);
}
// SPDX-License-Identifier: Apache-2.0
