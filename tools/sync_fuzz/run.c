/* The emulator in this process, and the first GPU through its driver. */
#include "tools/sync_fuzz/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/check/schedules.h"
#include "harness/emu/emu.h"
#include "harness/emu/forms/form.h"
#include "harness/emu/machine/state.h"
#include "tools/fuzz/gpu.h"

struct emu_text {
    struct ptx_module *module;
    struct emu_swaps swaps; /* of schedule 0 */
    bool by_turns;          /* in a schedule before, clusters were run ahead of their turns in vain */
};

struct emu_text *emu_text_read(const struct ck_growing *text, char *message, size_t size)
{
    struct emu_text *t = calloc(1, sizeof *t);
    struct ptx_error error;

    if (!t) {
        snprintf(message, size, "out of memory");
        return NULL;
    }
    t->module = ptx_read(text->data, text->size, NULL, &error);
    if (t->module)
        return t;
    snprintf(message, size, "refused at line %d: %s", error.line, error.message);
    free(t);
    return NULL;
}

void emu_text_free(struct emu_text *t)
{
    emu_swaps_free(&t->swaps);
    ptx_free(t->module);
    free(t);
}

static unsigned dynamic_bytes(const struct program *p)
{
    return p->shape.dynamic ? p->shape.padding + SHARED_BYTES : 0;
}

static struct outcome outcome_of(const struct emu_report *r)
{
    struct outcome out = { .named = r->count || r->end != EMU_DONE, .ended = r->end == EMU_DONE };

    if (r->count) {
        const struct emu_finding *f = r->findings;
        out.rule = f->rule;
        snprintf(out.message, sizeof out.message, "%s: line %u, line %u: %.300s", f->rule ? f->rule->id : "no rule",
                 f->here.at ? f->here.at->line : 0, f->there.at ? f->there.at->line : 0, f->message);
    } else if (r->end != EMU_DONE) {
        snprintf(out.message, sizeof out.message, "%s", r->message);
    }
    if (emu_stopped(r->end))
        out.named = r->count > 0; /* no verdict */
    return out;
}

/* Launches the program with memory as it is in `global`, and leaves it there as it is then. False with a message. */
static bool launch(struct emu *machine, struct emu_text *t, const struct program *p, const char *entry,
                   unsigned char *global, struct emu_report *report, char *message, size_t size)
{
    const uint32_t grid[3] = { program_ctas(p), 1, 1 };
    const uint32_t block[3] = { p->shape.block[0], p->shape.block[1], p->shape.block[2] };
    const uint32_t cluster[3] = { p->shape.cluster, 1, 1 };
    uint64_t at;

    if (!emu_load(machine, t->module, message, size) ||
        !(at = emu_alloc(machine, GLOBAL_BYTES, 1024, true, "memory")) || !emu_write(machine, at, global, GLOBAL_BYTES))
        return false;
    emu_launch(machine, entry, grid, block, p->shape.cluster > 1 ? cluster : NULL, dynamic_bytes(p), &at, sizeof at,
               report);
    emu_read(machine, global, at, GLOBAL_BYTES);
    return true;
}

struct outcome emu_text_run(struct emu_text *t, const struct program *p, const char *entry, unsigned schedule,
                            uint64_t most, unsigned char *global)
{
    struct check_args args = {
        .options = { .max_instructions = most, .max_quiet = most, .check_order = true, .check_init = true }
    };
    struct emu_options options = args.options;
    struct outcome out = { .message = "emu: out of memory" };
    struct emu_report report;
    struct emu *machine;

    check_schedule(&args, &t->swaps, schedule, &options);
    if (!schedule)
        options.swaps = &t->swaps;
    options.by_turns = t->by_turns;
    machine = emu_new(&options);
    if (!machine)
        return out;
    if (launch(machine, t, p, entry, global, &report, out.message, sizeof out.message)) {
        t->by_turns |= report.in_vain;
        out = outcome_of(&report);
    }
    emu_free(machine);
    return out;
}

/* ---- as exec runs it ----------------------------------------------------------------------------------------------
 */

/* All that a launch finds, as rules and lines. */
static void tell_findings(const struct emu_report *r, char *out, size_t size)
{
    size_t at = (size_t)snprintf(out, size, "%s", r->end == EMU_DONE ? "" : "ends early");

    for (size_t i = 0; i < r->count && at < size; i++) {
        const struct emu_finding *f = &r->findings[i];
        at += (size_t)snprintf(out + at, size - at, " %s:%u", f->rule ? f->rule->id : "no rule",
                               f->here.at ? f->here.at->line : 0);
    }
}

bool emu_text_as_exec(struct emu_text *t, const struct program *p, const char *entry, uint64_t most, unsigned *watched,
                      char *message, size_t size)
{
    static unsigned char global[GLOBAL_BYTES];
    char found[2][1000];
    struct emu_report report;

    *watched = 0;
    for (unsigned i = 0; i < 8; i++) {
        const bool light = i & 1;
        struct emu *machine = emu_new(&(struct emu_options){ .max_instructions = most,
                                                             .max_quiet = most,
                                                             .check_order = true,
                                                             .check_init = true,
                                                             .light = light,
                                                             .in_step = i & 2,
                                                             .delivery = i & 4 ? EMU_LATE : EMU_EAGER,
                                                             .jobs = 1 });
        snprintf(message, size, "emu: out of memory");
        program_input(p, global);
        if (!machine || !launch(machine, t, p, entry, global, &report, message, size)) {
            if (machine)
                emu_free(machine);
            return false;
        }
        tell_findings(&report, found[light], sizeof found[light]);
        *watched += light && !machine->images->code[0]->doubts;
        emu_free(machine);
        if (light && strcmp(found[0], found[1])) {
            snprintf(message, size, "the judge finds%.150s, and behind the light judge%.150s",
                     *found[0] ? found[0] : " nothing", *found[1] ? found[1] : " nothing");
            return false;
        }
    }
    return true;
}

/* ---- the GPU ------------------------------------------------------------------------------------------------------
 */

static cu_module taken;

bool gpu_take(const struct ck_growing *text, char *message, size_t size)
{
    if (!fuzz_gpu_open(GLOBAL_BYTES, message, size))
        return false;
    if (taken)
        fuzz_gpu.d.cuModuleUnload(taken);
    taken = NULL;
    return !fuzz_gpu_fails(fuzz_gpu.d.cuModuleLoadData(&taken, text->data), "the driver's compiler", message, size);
}

bool gpu_run(const struct program *p, const char *entry, unsigned char *global, char *message, size_t size)
{
    void *parameters[] = { &fuzz_gpu.memory };
    const struct fuzz_launch launch = {
        .module = taken,
        .entry = entry,
        .config = { .grid = { program_ctas(p), 1, 1 },
                    .block = { p->shape.block[0], p->shape.block[1], p->shape.block[2] },
                    .smem = dynamic_bytes(p) },
        .parameters = parameters,
        .memory = global,
        .bytes = GLOBAL_BYTES,
    };

    return fuzz_gpu_run(&launch, message, size);
}
// SPDX-License-Identifier: Apache-2.0
