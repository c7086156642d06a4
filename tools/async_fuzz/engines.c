/* The emulator, the GPU through the driver, and ptxas, each with a module of generated programs. */
#include "tools/async_fuzz/engines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expected/oracle.h"
#include "harness/emu/emu.h"
#include "harness/emu/forms/form.h"
#include "harness/engines/ptxas.h"
#include "tools/fuzz/gpu.h"

uint64_t emu_instructions;

struct batch {
    struct way way;
    struct ptx_module *ptx;
    struct emu *machine;
    cu_module module;
};

enum { ARENA = 1 << 20 };

static void say(char *message, size_t size, const char *what, const char *why)
{
    snprintf(message, size, "%s: %s", what, why);
}

/* ---- the emulator ------------------------------------------------------------------------------------------------ */

static bool emu_take(struct batch *b, const struct ck_growing *text, char *message, size_t size)
{
    const struct emu_options options = { .delivery = b->way.delivery,
                                         .turns = b->way.delivery == EMU_RANDOM ? EMU_TURNS_RANDOM : EMU_TURNS_IN_ORDER,
                                         .seed = b->way.seed,
                                         .check_order = true,
                                         .check_init = true };
    struct ptx_error error;

    b->ptx = ptx_read(text->data, text->size, NULL, &error);
    if (!b->ptx) {
        snprintf(message, size, "refused at line %d: %s", error.line, error.message);
        return false;
    }
    b->machine = emu_new(&options);
    if (!b->machine) {
        say(message, size, "emu", "out of memory");
        return false;
    }
    return emu_load(b->machine, b->ptx, message, size);
}

static void say_finding(const struct emu_report *r, char *message, size_t size)
{
    const struct emu_finding *f = r->findings;
    const unsigned here = f->here.at ? f->here.at->line : 0, there = f->there.at ? f->there.at->line : 0;

    snprintf(message, size,
             "%zu finding%s, first %s at line %u (CTA %u thread %u), other line %u (CTA %u thread %u): %s", r->count,
             r->count == 1 ? "" : "s", f->rule ? f->rule->id : "no rule", here, f->here.ctaid[0], f->here.tid[0], there,
             f->there.ctaid[0], f->there.tid[0], f->message);
}

static enum verdict emu_run(struct batch *b, const struct program *p, unsigned char *memory, char *message, size_t size)
{
    static const char *const ends[] = { [EMU_DONE] = "done",          [EMU_FAULTED] = "fault",
                                        [EMU_DEADLOCK] = "deadlock",  [EMU_UNSUPPORTED] = "unsupported",
                                        [EMU_TOO_LONG] = "too long",  [EMU_BAD_LAUNCH] = "bad launch",
                                        [EMU_NO_MEMORY] = "no memory" };
    const uint32_t grid[3] = { p->ctas * p->clusters, 1, 1 }, block[3] = { p->threads, 1, 1 };
    const uint32_t cluster[3] = { p->ctas, 1, 1 };
    const size_t bytes = program_bytes(p);
    _Alignas(128) unsigned char params[PARAM_BYTES] = { 0 };
    struct emu_report report;
    const uint64_t at = emu_alloc(b->machine, bytes, 1024, true, "memory");

    if (!at || !emu_write(b->machine, at, memory, bytes)) {
        say(message, size, "emu", "out of memory");
        return BROKE;
    }
    memcpy(params, &at, sizeof at);
    for (unsigned c = 0; c < p->clusters; c++)
        for (unsigned m = 0; m < MAPS; m++) {
            const struct tensor_map map = program_map(p, c, m, at);
            emu_map_encode(&map, params + 64 + (c * MAPS + m) * TENSOR_MAP_BYTES);
        }
    emu_launch(b->machine, p->entry, grid, block, p->ctas > 1 ? cluster : NULL, 0, params, sizeof params, &report);
    emu_instructions += report.instructions;
    emu_read(b->machine, memory, at, bytes);
    if (report.count)
        say_finding(&report, message, size);
    else if (report.end != EMU_DONE)
        say(message, size, ends[report.end], report.message);
    emu_release_all(b->machine);
    return report.count || report.end != EMU_DONE ? BROKE : RAN;
}

/* ---- the GPU ------------------------------------------------------------------------------------------------------
 */

static bool gpu_take(struct batch *b, const struct ck_growing *text, char *message, size_t size)
{
    int option = CU_JIT_OPTIMIZATION;
    void *value = (void *)(uintptr_t)b->way.level, *image;
    size_t image_size;
    cu_link link;
    bool good;

    if (!fuzz_gpu_open(ARENA, message, size) ||
        fuzz_gpu_fails(fuzz_gpu.d.cuLinkCreate_v2(1, &option, &value, &link), "cuLinkCreate", message, size))
        return false;
    good =
        !fuzz_gpu_fails(
            fuzz_gpu.d.cuLinkAddData_v2(link, CU_INPUT_PTX, text->data, text->size + 1, "fuzz", 0, NULL, NULL),
            "the driver's compiler", message, size) &&
        !fuzz_gpu_fails(fuzz_gpu.d.cuLinkComplete(link, &image, &image_size), "the driver's compiler", message, size) &&
        !fuzz_gpu_fails(fuzz_gpu.d.cuModuleLoadData(&b->module, image), "cuModuleLoadData", message, size);
    fuzz_gpu.d.cuLinkDestroy(link);
    return good;
}

static enum verdict gpu_run(const struct batch *b, const struct program *p, unsigned char *memory, char *message,
                            size_t size)
{
    _Alignas(128) unsigned char maps[MAX_CTAS * MAPS * TENSOR_MAP_BYTES] = { 0 };
    void *parameters[] = { &fuzz_gpu.memory, maps };
    const struct fuzz_launch launch = {
        .module = b->module,
        .entry = p->entry,
        .config = { .grid = { p->ctas * p->clusters, 1, 1 }, .block = { p->threads, 1, 1 } },
        .parameters = parameters,
        .memory = memory,
        .bytes = program_bytes(p),
    };

    for (unsigned c = 0; c < p->clusters; c++)
        for (unsigned m = 0; m < MAPS; m++) {
            const struct tensor_map map = program_map(p, c, m, fuzz_gpu.memory);
            unsigned char *object = maps + (c * MAPS + m) * TENSOR_MAP_BYTES;
            if (fuzz_gpu_fails(cu_encode(&fuzz_gpu.d, &map, object, 0), "a map", message, size))
                return BROKE;
        }
    return fuzz_gpu_run(&launch, message, size) ? RAN : BROKE;
}

/* ---- ptxas --------------------------------------------------------------------------------------------------------
 */

static bool ptxas_take(const struct ck_growing *text, char *message, size_t size)
{
    static struct ck_engine ptxas;
    const struct ck_ptx ptx = { .text = text->data, .size = text->size, .target = "sm_90a", .version = 88 };
    struct ck_outcome out = { 0 };

    if (!ptxas.ops) {
        ck_ptxas_limits(60000, 4096);
        if (!ck_ptxas_engine(NULL, &ptxas, message, size))
            return false;
        if (ptxas.ops->open && !ptxas.ops->open(&ptxas, &out)) {
            snprintf(message, size, "%s", out.message);
            return false;
        }
    }
    ptxas.ops->assemble(&ptxas, &ptx, &out);
    if (out.kind == CK_O_DONE)
        return true;
    snprintf(message, size, "line %d: %s %s", out.line, ck_outcome_names[out.kind], out.message);
    return false;
}

/* ---- a batch ------------------------------------------------------------------------------------------------------
 */

struct batch *batch_load(const struct way *way, const struct ck_growing *text, char *message, size_t size)
{
    struct batch *b = calloc(1, sizeof *b);
    bool taken = false;

    if (!b) {
        say(message, size, way->name, "out of memory");
        return NULL;
    }
    b->way = *way;
    switch (way->kind) {
    case ENGINE_GPU: taken = gpu_take(b, text, message, size); break;
    case ENGINE_EMU: taken = emu_take(b, text, message, size); break;
    case ENGINE_PTXAS: taken = ptxas_take(text, message, size); break;
    }
    if (taken)
        return b;
    batch_free(b);
    return NULL;
}

enum verdict batch_run(struct batch *b, const struct program *p, unsigned char *memory, char *message, size_t size)
{
    switch (b->way.kind) {
    case ENGINE_GPU: return gpu_run(b, p, memory, message, size);
    case ENGINE_EMU: return emu_run(b, p, memory, message, size);
    default: return RAN;
    }
}

void batch_free(struct batch *b)
{
    if (!b)
        return;
    if (b->way.kind == ENGINE_EMU) {
        emu_free(b->machine);
        ptx_free(b->ptx);
    }
    if (b->way.kind == ENGINE_GPU && b->module)
        fuzz_gpu.d.cuModuleUnload(b->module);
    free(b);
}
// SPDX-License-Identifier: Apache-2.0
