/* Accesses of a window, on trial.
 *
 * What turns one behind the other would do is the same as what lanes do together as long as no lane accesses what
 * another one writes, in whatever order. That is known of patterns whose bytes lie apart. Where a watcher keeps
 * accesses by lines, patterns have lines apart, so that for each line the order is the same too. */
#include "harness/emu/schedule/tried.h"

#include <stdlib.h>
#include <string.h>

#include "harness/emu/machine/code.h"
#include "harness/emu/machine/spare.h"
#include "harness/emu/machine/watch.h"
#include "harness/emu/schedule/tried_bytes.h"

struct emu_tried *emu_tried_of(struct emu_cluster *c)
{
    if (!c->tried)
        c->tried = emu_spare_take(c->grid->spare, sizeof *c->tried);
    else
        return c->tried;
    if (c->tried) {
        c->tried->registers = NULL;
        c->tried->room = 0;
        c->tried->own = (struct emu_overwritten){ NULL, 0, 0 };
        memset(c->tried->fetched.lines, 0, sizeof c->tried->fetched.lines);
        memset(c->tried->shy, 0, sizeof c->tried->shy);
        memset(c->tried->cuts, 0, sizeof c->tried->cuts);
        memset(c->tried->recent, 0, sizeof c->tried->recent);
        for (unsigned lane = 0; lane < EMU_WARP; lane++) {
            c->tried->lanes[lane].around_registers = NULL;
            c->tried->lanes[lane].around_room = 0;
        }
    }
    return c->tried;
}

void emu_tried_free(struct emu_cluster *c)
{
    for (unsigned lane = 0; c->tried && lane < EMU_WARP; lane++)
        free(c->tried->lanes[lane].around_registers);
    if (c->tried) {
        free(c->tried->registers);
        free(c->tried->own.of);
    }
    emu_spare_give(c->grid->spare, c->tried, sizeof *c->tried);
}

/* ---- where it is worth while ------------------------------------------------------------------------------------- */

static unsigned place_of(const struct emu_op *at)
{
    return (unsigned)((uint64_t)(uintptr_t)at * 0x9E3779B97F4A7C15u >> 59) % EMU_SHY;
}

bool emu_tried_dares(struct emu_tried *tried, const struct emu_op *at)
{
    const unsigned k = place_of(at);

    if (tried->shy[k].at != at || !tried->shy[k].skip)
        return true;
    tried->shy[k].skip--;
    return false;
}

void emu_tried_learn(struct emu_tried *tried, const struct emu_op *at, bool well)
{
    enum { MOST = 5 };
    const unsigned k = place_of(at);

    if (well && tried->shy[k].at != at)
        return;
    if (tried->shy[k].at != at || well)
        tried->shy[k].times = tried->shy[k].skip = 0;
    tried->shy[k].at = at;
    if (well)
        return;
    tried->shy[k].times += tried->shy[k].times < MOST;
    tried->shy[k].skip = (1u << tried->shy[k].times) - 2;
}

static unsigned cut_of(const struct emu_op *at)
{
    return (unsigned)((uint64_t)(uintptr_t)at * 0x9E3779B97F4A7C15u >> 58) % EMU_CUTS;
}

bool emu_tried_cuts(const struct emu_tried *tried, const struct emu_op *at)
{
    return tried->cuts[cut_of(at)] == at && (tried->n || tried->scatter);
}

void emu_tried_cut(struct emu_tried *tried, const struct emu_op *at)
{
    tried->cuts[cut_of(at)] = at;
}

/* ---- what can be put back ---------------------------------------------------------------------------------------- */

/* Whether `kept`, which has room for *room words, has room for so many now. */
static bool make_room(uint64_t **kept, size_t *room, size_t words)
{
    uint64_t *more;

    if (words <= *room)
        return true;
    more = realloc(*kept, words * sizeof *more);
    if (!more)
        return false;
    *kept = more;
    *room = words;
    return true;
}

/* The slots of all that an operand names are kept. */
static void keep_operand(struct emu_tried *tried, const struct ptx_module *m, const uint64_t *r,
                         const struct ptx_operand *o)
{
    const struct emu_code *c = tried->code;
    const uint32_t both[] = { o->reg, o->second };

    for (unsigned k = 0; o->kind == PO_register ? k < 1 : o->kind == PO_pair && k < 2; k++)
        if (both[k] < c->function->n_registers)
            for (uint32_t slot = c->slot_of[both[k]]; slot < emu_code_register_end(c, both[k]); slot += EMU_WARP)
                emu_tried_keep_slot(tried, r, slot);
    for (uint32_t i = 0; o->kind == PO_vector && i < o->count; i++)
        keep_operand(tried, m, r, &m->operands[o->first + i]);
}

void emu_tried_writes_several(struct emu_tried *tried, const struct ptx_module *m, const uint64_t *r,
                              const struct emu_op *op)
{
    keep_operand(tried, m, r, ptx_operand(m, op->source, 0));
}

/* There is room for all of a block's registers, none of which is kept yet. */
static bool begin_registers(struct emu_tried *tried, const struct emu_block *block)
{
    const size_t slots = block->code->first_special, words = slots * EMU_WARP, bits = (slots + 63) / 64;

    if (!make_room(&tried->registers, &tried->room, words + bits))
        return false;
    tried->code = block->code;
    tried->kept = tried->registers + words;
    memset(tried->kept, 0, bits * sizeof *tried->kept);
    return true;
}

static void registers_back(const struct emu_tried *tried, uint64_t *r)
{
    const size_t bits = (tried->code->first_special + 63) / 64;

    for (size_t k = 0; k < bits; k++)
        for (uint64_t left = tried->kept[k]; left; left &= left - 1) {
            const size_t at = (k * 64 + (unsigned)__builtin_ctzll(left)) * EMU_WARP;
            memcpy(r + at, tried->registers + at, EMU_WARP * sizeof *r);
        }
}

bool emu_tried_in_any_order(const struct emu_cta *cta)
{
    return !(cta->watched || cta->cluster->watched) || cta->cluster->watch->any_order;
}

bool emu_tried_begin(struct emu_tried *tried, const struct emu_thread *lanes, uint32_t set,
                     const struct emu_block *block)
{
    if (!begin_registers(tried, block))
        return false;
    for (; set; set &= set - 1) {
        const struct emu_thread *t = &lanes[__builtin_ctz(set)];
        struct emu_lane_before *b = &tried->lanes[t->lane];
        b->pc = t->pc;
        b->steps = t->steps;
        b->still = t->still;
        b->carry = t->carry;
    }
    tried->n = 0;
    tried->own.count = 0;
    tried->alone = tried->mixed = false;
    tried->acted = tried->wrote = 0;
    tried->whole = false;
    tried->stretches = 0;
    tried->row = 0;
    tried->scatter = 0;
    for (unsigned memory = 0; memory < 2; memory++) {
        tried->stores[memory] = false;
        tried->scattered[memory] = (struct emu_scattered){ UINT64_MAX, 0 };
    }
    tried->any_order = emu_tried_in_any_order(lanes->cta);
    return true;
}

static bool keep_around(struct emu_lane_before *b, const struct emu_thread *t)
{
    const struct emu_around *a = t->around;

    b->had_around = a != NULL;
    if (!a)
        return true;
    b->around = *a;
    if (!make_room(&b->around_registers, &b->around_room, a->room))
        return false;
    if (a->at)
        memcpy(b->around_registers, a->registers, a->room * sizeof *a->registers);
    return true;
}

bool emu_tried_keep(struct emu_tried *tried, const struct emu_thread *lanes, uint32_t set)
{
    bool fine = true;

    if (tried->whole)
        return true;
    for (; set; set &= set - 1) {
        const struct emu_thread *t = &lanes[__builtin_ctz(set)];
        struct emu_lane_before *b = &tried->lanes[t->lane];
        b->quiet_since = t->quiet_since;
        b->polled = t->polled;
        b->went_on = t->went_on;
        b->hashed = t->hashed;
        b->wait = t->wait;
        b->since_poll = t->since_poll;
        b->since_kept = t->since_kept;
        fine &= keep_around(b, t);
    }
    tried->whole = true;
    return fine;
}

/* What it looks at is kept in the place that it has now, which may be a larger one. */
static void around_back(struct emu_thread *t, const struct emu_lane_before *b)
{
    struct emu_around *a = t->around;
    uint64_t *registers = a ? a->registers : NULL;
    const uint32_t room = a ? a->room : 0;

    if (!a)
        return;
    if (!b->had_around) { /* it was never quiet for long */
        *a = (struct emu_around){ .registers = registers, .room = room };
        return;
    }
    *a = b->around;
    a->registers = registers;
    a->room = room;
    if (a->at)
        memcpy(registers, b->around_registers, b->around.room * sizeof *registers);
}

static void lane_back(struct emu_thread *t, const struct emu_lane_before *b, bool whole)
{
    t->pc = b->pc;
    t->steps = b->steps;
    t->still = b->still;
    t->carry = b->carry;
    if (!whole)
        return;
    t->quiet_since = b->quiet_since;
    t->polled = b->polled;
    t->went_on = b->went_on;
    t->hashed = b->hashed;
    t->wait = b->wait;
    t->since_poll = b->since_poll;
    t->since_kept = b->since_kept;
    around_back(t, b);
}

void emu_tried_put_back(struct emu_tried *tried, struct emu_thread *lanes, uint32_t set, struct emu_block *block)
{
    for (uint32_t i = tried->n; i-- > 0;) {
        if (tried->of[i].writes)
            emu_pattern_back(&tried->of[i], tried->host[i], tried->old[i]);
    }
    emu_overwritten_back(&tried->own);
    registers_back(tried, block->r);
    for (; set; set &= set - 1) {
        struct emu_thread *t = &lanes[__builtin_ctz(set)];
        lane_back(t, &tried->lanes[t->lane], tried->whole);
    }
    tried->n = 0;
}
// SPDX-License-Identifier: Apache-2.0
