/* setmaxnreg: all warps of a warpgroup execute it, and meet before the next one. A warpgroup is four warps of a CTA in
 * a row, the first of which has a number that is a multiple of four. */
#include "harness/emu/judge/registers.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness/base/room.h"
#include "harness/emu/judge/known.h"
#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/thread.h"

enum { WARPGROUP = 4 };

/* Of one warp of the cluster: those that it has executed, in their order. */
struct order_registers {
    struct done {
        uint32_t thread, epoch, at; /* by which lane first, at which epoch and instruction */
    } * done;
    size_t count, room;
    size_t lanes[EMU_WARP]; /* how many of them each lane has executed */
};

static uint32_t warps_of(const struct order *o)
{
    return emu_warps_of(o->per_cta);
}

/* Two warps of a warpgroup, of which the one has executed an instruction that the other has not. */
static void report(struct order *o, const struct done *d, const struct done *other, uint32_t warp)
{
    struct emu_finding f = { .rule = &rule_setmaxnreg_warpgroup };
    char what[80];

    order_place_of(o, d->thread, d->at, 1ull << 62, 0, &f.here);
    if (other)
        order_place_of(o, other->thread, other->at, 1ull << 62, 0, &f.there);
    if (other)
        snprintf(what, sizeof what, "executes the one on line %u", f.there.at->line);
    else
        snprintf(what, sizeof what, "ends without it");
    snprintf(f.message, sizeof f.message,
             "warp %u of CTA %u,%u,%u executes the setmaxnreg on line %u, and warp %u of its warpgroup %s",
             d->thread % o->per_cta / EMU_WARP, // NOLINT(clang-analyzer-core.DivideZero): a CTA has threads
             f.here.ctaid[0], f.here.ctaid[1], f.here.ctaid[2], f.here.at->line, warp, what);
    emu_file(o->cluster->grid, &f);
}

/* Lanes of a warp that do not execute the instruction that the first of them has executed. */
static void apart(struct order *o, const struct done *d, uint32_t lanes, const char *instead)
{
    struct emu_finding f = { .rule = &rule_warp_aligned };

    order_place_of(o, d->thread, d->at, 1ull << 62, 0, &f.here);
    snprintf(f.message, sizeof f.message,
             "the setmaxnreg on line %u is .aligned, and lanes 0x%08x of warp %u of CTA %u,%u,%u execute %s",
             f.here.at->line, lanes, d->thread % o->per_cta / EMU_WARP, f.here.ctaid[0], f.here.ctaid[1],
             f.here.ctaid[2], instead);
    emu_file(o->cluster->grid, &f);
}

/* Compares the warp's last setmaxnreg with that of another warp of its warpgroup. */
static void compare(struct order *o, struct emu_thread *t, const struct order_registers *mine,
                    const struct order_registers *other, uint32_t warp)
{
    const size_t n = mine->count - 1;
    const struct done *last = &mine->done[n];

    if (other->count > n && other->done[n].at != last->at)
        report(o, last, &other->done[n], warp);
    if (n && (other->count < n ||
              order_known(o, last->thread, VIEW_GENERIC, order_component(other->done[n - 1].thread, OWN_NOW)) <
                  other->done[n - 1].epoch))
        emu_complain(t, &rule_setmaxnreg_sync, NULL, 0, 0,
                     "a further setmaxnreg, and nothing orders that after the one before in warp %u of the warpgroup",
                     warp);
}

void order_setmaxnreg(struct emu_thread *t)
{
    struct order *o = order_of(t);
    const uint32_t warps = o ? warps_of(o) : 0, first = t->warp / WARPGROUP * WARPGROUP;
    struct order_registers *all, *mine;
    struct done *done;

    if (!o)
        return;
    if (!o->registers)
        o->registers = calloc((size_t)o->cluster->cta_count * warps, sizeof *o->registers);
    if (!o->registers) {
        o->failed = true;
        return;
    }
    all = &o->registers[t->cta->rank * warps];
    mine = &all[t->warp];
    if (mine->lanes[t->lane] < mine->count) { /* another lane was first */
        const struct done *first_lane = &mine->done[mine->lanes[t->lane]++];
        if (first_lane->at != order_instruction_now(o, t))
            apart(o, first_lane, 1u << t->lane, "another one");
        return;
    }
    mine->lanes[t->lane]++;
    done = ck_room(mine->done, mine->count, &mine->room, 4, sizeof *done);
    if (!done) {
        o->failed = true;
        return;
    }
    mine->done = done;
    done[mine->count++] =
        (struct done){ .thread = order_number(o, t), .epoch = order_epoch(t), .at = order_instruction_now(o, t) };
    for (uint32_t i = first; i < first + WARPGROUP && i < warps; i++)
        if (i != t->warp)
            compare(o, t, mine, &all[i], i);
}

/* The CTA, whose warps these are, is over: each setmaxnreg of the warp that another one of its warpgroup lacks. */
static void compare_ended(struct order *o, const struct order_registers *all, uint32_t warp)
{
    const uint32_t first = warp / WARPGROUP * WARPGROUP;

    for (uint32_t k = first; k < first + WARPGROUP && k < warps_of(o); k++)
        if (all[k].count < all[warp].count)
            report(o, &all[warp].done[all[k].count], NULL, k);
}

/* The same: each setmaxnreg of the warp that not all of its lanes have executed. */
static void compare_lanes(struct order *o, const struct order_registers *all, uint32_t warp)
{
    const uint32_t left = o->per_cta - warp * EMU_WARP;

    for (size_t n = 0; n < all[warp].count; n++) {
        uint32_t without = 0;
        for (uint32_t lane = 0; lane < EMU_WARP && lane < left; lane++)
            without |= (uint32_t)(all[warp].lanes[lane] <= n) << lane;
        if (without)
            apart(o, &all[warp].done[n], without, "none");
    }
}

void order_check_registers(struct order *o)
{
    const uint32_t warps = warps_of(o);

    for (uint32_t rank = 0; o->registers && rank < o->cluster->cta_count; rank++)
        for (uint32_t i = 0; i < warps; i++) {
            compare_lanes(o, &o->registers[rank * warps], i);
            compare_ended(o, &o->registers[rank * warps], i);
        }
}

/* A warp that has ended with fewer setmaxnreg than another one of its warpgroup; NULL: none has. */
static const struct emu_thread *lacks_one(const struct emu_cta *cta)
{
    const uint32_t warps = emu_warps_of(cta->thread_count);

    for (uint32_t i = 0; i < warps; i++)
        for (uint32_t k = i / WARPGROUP * WARPGROUP; k < i / WARPGROUP * WARPGROUP + WARPGROUP && k < warps; k++)
            if (cta->threads[i * EMU_WARP].state == EMU_EXITED &&
                cta->warps[i].registers_set < cta->warps[k].registers_set)
                return &cta->threads[i * EMU_WARP];
    return NULL;
}

void order_registers_words(const struct emu_thread *t, char *out, size_t size)
{
    snprintf(out, size, "%llu registers for each thread of its warp; the CTA's pool has %u",
             (unsigned long long)t->wait_a, t->cta->pool);
}

const struct ck_rule *order_registers_short(const struct emu_thread *t, unsigned line, char *why, size_t size)
{
    const struct emu_thread *lacks = lacks_one(t->cta);
    char words[100];

    order_registers_words(t, words, sizeof words);
    if (lacks)
        snprintf(why, size,
                 "the setmaxnreg.inc on line %u needs %s, and warp %u ended without a setmaxnreg that others "
                 "of its warpgroup executed",
                 line, words, lacks->warp);
    else
        snprintf(why, size, "the setmaxnreg.inc on line %u needs %s", line, words);
    return lacks ? &rule_setmaxnreg_warpgroup : &rule_setmaxnreg_pool;
}

void order_registers_free(struct order *o)
{
    for (uint32_t i = 0; o->registers && i < o->cluster->cta_count * warps_of(o); i++)
        free(o->registers[i].done);
    free(o->registers);
}
// SPDX-License-Identifier: Apache-2.0
