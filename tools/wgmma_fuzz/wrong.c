/* Wrong forms on the emulator: each must be named by a rule of its kind, in some delivery of the copies. */
#include "tools/wgmma_fuzz/wrong.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/emu/emu.h"
#include "harness/emu/forms/form.h"

/* What a form breaks, as beginnings of rules' ids between blanks. */
static const struct {
    const char *name, *rules;
} kinds[WRONG_KINDS] = {
    [NO_FULL_WAIT] = { "no wait for a tile", "wgmma.smem.written bulk.dst.no-early-read mbarrier. tensor. order." },
    [NO_EMPTY_WAIT] = { "no wait before a load over a tile", "wgmma.smem. bulk. mbarrier. tensor. order." },
    [NO_EMPTY_ARRIVE] = { "nobody says that a tile is free", "mbarrier.phase.all-arrive deadlock." },
    [NO_EXPECT] = { "no expect_tx", "mbarrier. wgmma.smem. bulk. deadlock." },
    [NO_FENCE] = { "no wgmma.fence", "wgmma.fence." },
    [NO_COMMIT] = { "no commit_group", "wgmma.regs." },
    [NO_WAIT] = { "no wait_group", "wgmma.regs." },
    [NO_PROXY_IN] = { "no proxy fence before a product", "wgmma.proxy" },
    [NO_PROXY_OUT] = { "no proxy fence before a store", "bulk. tensor. fence." },
    [NO_BARRIER_OUT] = { "no barrier before a store", "bulk. tensor. fence. order." },
    [NO_BARRIER_IN] = { "no barrier before st.shared over a tile",
                        "wgmma.smem.overwritten order. mbarrier.arrive.after-unordered" },
    [NO_READ_WAIT] = { "no wait for a store's source", "bulkgrp. bulk. tensor." },
    [NO_REFILL] = { "no barrier before a load over a tile", "wgmma.smem. bulk. tensor. order." },
    [OTHER_SWIZZLE] = { "another swizzle in a descriptor", "swz.reader-as-writer" },
    [TOUCHED] = { "a register read in flight", "wgmma.regs." },
    [NO_RELEASE] = { "no setmaxnreg.dec", "setmaxnreg.pool" },
    [SOME_WARPS] = { "setmaxnreg by three warps", "setmaxnreg.warpgroup setmaxnreg.pool" },
};

struct tally {
    atomic_ulong made[WRONG_KINDS], named[WRONG_KINDS], otherwise[WRONG_KINDS], lines;
    atomic_size_t next;
    atomic_bool failed;
};

static bool is_of(enum wrong kind, const struct ck_rule *rule)
{
    const char *at = kinds[kind].rules;

    while (rule && *at) {
        const size_t n = strcspn(at, " ");
        if (!strncmp(rule->id, at, n))
            return true;
        at += n + (at[n] == ' ');
    }
    return false;
}

/* Runs it once. 2: named by a rule of its kind; 1: by another; 0: by none; -1: could not run. */
static int run_once(const struct ptx_module *ptx, const struct program *p, enum wrong kind, unsigned schedule,
                    char *other, size_t size)
{
    const struct emu_options options = { .delivery = schedule == 0   ? EMU_LATE
                                                     : schedule == 1 ? EMU_EAGER
                                                                     : EMU_RANDOM,
                                         .turns = schedule > 1 ? EMU_TURNS_RANDOM : EMU_TURNS_IN_ORDER,
                                         .seed = schedule,
                                         .check_order = true,
                                         .check_init = true };
    const uint32_t grid[3] = { p->clusters, 1, 1 }, block[3] = { p->threads, 1, 1 };
    const size_t bytes = program_bytes(p);
    _Alignas(128) unsigned char params[PARAM_BYTES] = { 0 };
    struct emu *machine = emu_new(&options);
    unsigned char *memory = malloc(bytes);
    struct emu_report r;
    int result = -1;
    uint64_t at;

    if (machine && memory && emu_load(machine, ptx, other, size) &&
        (at = emu_alloc(machine, bytes, 1024, true, "memory")) != 0) {
        program_input(p, memory);
        emu_write(machine, at, memory, bytes);
        memcpy(params, &at, sizeof at);
        for (unsigned c = 0; c < p->clusters; c++)
            for (unsigned m = 0; m < MAPS; m++) {
                const struct tensor_map map = program_map(p, c, m, at);
                emu_map_encode(&map, params + 64 + (c * MAPS + m) * TENSOR_MAP_BYTES);
            }
        emu_launch(machine, p->entry, grid, block, NULL, 0, params, sizeof params, &r);
        result = r.count > 0;
        for (size_t i = 0; i < r.count; i++) {
            const struct emu_finding *f = &r.findings[i];
            bool of = is_of(kind, f->rule);
            for (size_t k = 0; k < sizeof f->also / sizeof *f->also; k++)
                of |= is_of(kind, f->also[k]);
            if (of)
                result = 2;
            else if (i == 0)
                snprintf(other, size, "%s", f->rule ? f->rule->id : f->message);
        }
    }
    emu_free(machine);
    free(memory);
    return result;
}

static void judge_form(struct tally *tally, uint64_t seed, unsigned wrong, enum wrong kind, unsigned schedules)
{
    struct ck_growing text = { 0 };
    struct ptx_error error;
    struct ptx_module *ptx;
    struct program p;
    struct gen g;
    char other[450] = "";
    int best = 0;

    program_header(&text);
    program_form(&p, seed, wrong, &text, &g);
    ptx = ptx_read(text.data, text.size, NULL, &error);
    for (unsigned k = 0; ptx && k < schedules && best >= 0 && best < 2; k++) {
        const int now = run_once(ptx, &p, kind, k, other, sizeof other);
        best = now < 0 || now > best ? now : best;
    }
    if (!ptx)
        snprintf(other, sizeof other, "refused at line %d: %s", error.line, error.message);
    if (!ptx || best < 0)
        atomic_store(&tally->failed, true);
    atomic_fetch_add(&tally->made[kind], 1);
    atomic_fetch_add(&tally->named[kind], best == 2);
    atomic_fetch_add(&tally->otherwise[kind], best == 1);
    if (best < 2 && atomic_fetch_add(&tally->lines, 1) < 40)
        printf("0x%llx:%u %s: %s\n", (unsigned long long)seed, wrong, kinds[kind].name,
               best == 1 || !ptx ? other : "not named");
    fflush(stdout);
    ptx_free(ptx);
    ck_growing_free(&text);
}

static void work(struct tally *tally, uint64_t seed, uint64_t programs, unsigned count, unsigned schedules)
{
    uint64_t i;

    while ((i = atomic_fetch_add(&tally->next, 1)) < programs) {
        struct ck_growing text = { 0 };
        uint64_t r = splitmix64(seed + i);
        struct program p;
        struct gen g;
        program_form(&p, seed + i, 0, &text, &g);
        ck_growing_free(&text);
        for (unsigned k = 0; k < count && g.count; k++) {
            const unsigned site = splitmix64_below(&r, g.count);
            judge_form(tally, seed + i, site + 1, g.kinds[site], schedules);
        }
    }
}

long wrong_run(uint64_t seed, uint64_t programs, unsigned count, unsigned schedules, unsigned jobs)
{
    struct tally *tally = mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    long missed = 0;
    int status;

    if (tally == MAP_FAILED)
        return -1;
    fflush(NULL);
    for (unsigned i = 0; i < jobs; i++)
        if (fork() == 0) {
            work(tally, seed, programs, count, schedules);
            _exit(0);
        }
    while (wait(&status) > 0)
        if (status)
            atomic_store(&tally->failed, true);
    printf("%-42s %8s %8s %8s\n", "wrong form", "made", "named", "by others");
    for (unsigned k = 0; k < WRONG_KINDS; k++) {
        const unsigned long made = atomic_load(&tally->made[k]), named = atomic_load(&tally->named[k]);
        printf("%-42s %8lu %8lu %8lu\n", kinds[k].name, made, named, atomic_load(&tally->otherwise[k]));
        missed += (long)(made - named);
    }
    return atomic_load(&tally->failed) ? -1 : missed;
}
// SPDX-License-Identifier: Apache-2.0
