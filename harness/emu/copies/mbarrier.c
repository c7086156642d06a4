/* mbarrier objects in the eight bytes of emulated shared memory, by the model in expected/mbarrier.h.
 *
 * Layout of the object: bits 0-19 the expected count, 20-39 the pending count, 40 the phase's parity, 41-61 the
 * tx-count plus 2^20, 62-63 a mark. Whether an object is alive is kept apart from it (mbarrier_objects.h): any bytes
 * may look like one.
 *
 * Layout of a state that an arrival returns: bits 0-15 which object, 16 whether a .noComplete arrival gave it, 20-39
 * the pending count before the arrival, 40-61 the number of the phase, 62-63 a mark. So each state tells where it is
 * from. */
#include "harness/emu/copies/mbarrier.h"

#include <stdio.h>
#include <string.h>

#include "expected/mbarrier.h"
#include "harness/emu/copies/decoders.h"
#include "harness/emu/copies/mbarrier_objects.h"
#include "harness/emu/machine/address.h"
#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/remedy.h"
#include "harness/emu/machine/thread.h"
#include "harness/emu/machine/watch.h"

enum { OBJECT = 2, STATE = 3, PARITY = 40, PHASE_BITS = 22 };

static const int64_t tx_bias = 1 << 20;
static const uint64_t counted = 1 << 16;

/* An object, open for an operation: as it was and as it will be. */
struct open {
    struct emu_thread *t;
    struct emu_mbarrier *object;
    const struct emu_watch *watch;
    struct mbarrier was, is;
};

static struct mbarrier unpack(const struct emu_mbarrier *m)
{
    uint64_t bits;

    memcpy(&bits, m->cta->shared + m->offset, sizeof bits);
    return (struct mbarrier){
        .live = m->state == EMU_MBARRIER_ALIVE,
        .expected = (int64_t)(bits & 0xfffff),
        .pending = (int64_t)(bits >> 20 & 0xfffff),
        .phase = bits >> PARITY & 1,
        .tx = (int64_t)(bits >> 41 & 0x1fffff) - tx_bias,
    };
}

static void write_object(const struct emu_thread *t, struct emu_mbarrier *m, const struct mbarrier *b)
{
    const uint64_t before = m->bits;

    m->bits = ((uint64_t)b->expected & 0xfffff) | ((uint64_t)b->pending & 0xfffff) << 20 | (b->phase & 1) << PARITY |
              ((uint64_t)(b->tx + tx_bias) & 0x1fffff) << 41 | (uint64_t)(b->live ? OBJECT : 0) << 62;
    memcpy(m->cta->shared + m->offset, &m->bits, sizeof m->bits);
    if (m->bits != before)
        emu_act(t, m->cta);
}

static uint64_t state_of(const struct emu_mbarrier *m, bool stays)
{
    const uint64_t phase = m->phase & ((1u << PHASE_BITS) - 1);

    return (uint64_t)STATE << 62 | phase << PARITY | (m->bits & 0xfffffull << 20) | (stays ? counted : 0) | m->serial;
}

static void broken(const struct open *x, const struct ck_rule *rule)
{
    struct emu_place here;

    if (rule != &rule_mbarrier_phase_over_arrive) {
        emu_mbarrier_complain(x->t, rule, x->object, NULL, emu_remedy(rule), "%s", rule->sentence);
        return;
    }
    emu_place_of(x->t, x->object->offset, EMU_MBARRIER_BYTES, &here); /* what its copies do wrong follows from that */
    emu_mbarrier_report_cause(x->t->cta->cluster->grid, rule, x->object, &here, NULL, emu_remedy(rule), rule->sentence);
}

static void open_at(struct open *x, struct emu_thread *t, struct emu_cta *cta, uint64_t offset)
{
    x->t = t;
    x->watch = emu_watch_of(t);
    x->object = emu_mbarrier_at(cta, offset);
    if (!x->object)
        emu_starve(t, "an mbarrier");
}

/* Reads the object. False where there is none to work on; the watcher knows. */
static bool reopen(struct open *x)
{
    if (x->watch)
        x->watch->mbarrier_use(x->t, x->object);
    x->is = x->was = unpack(x->object);
    return x->object->state == EMU_MBARRIER_ALIVE;
}

/* So many arrivals or bytes are about to be counted. */
static void count(const struct open *x, enum emu_mbarrier_count what, uint64_t amount)
{
    if (!amount)
        return;
    if (x->watch)
        x->watch->mbarrier_count(x->t, x->object, what, amount);
    if (what == EMU_EXPECTED)
        x->object->expected += amount;
    if (what == EMU_DELIVERED)
        x->object->delivered += amount;
}

/* Applies a change to an object; a change that the documents forbid is reported and leaves it as it is. */
static void settle(const struct open *x, const struct ck_rule *rule)
{
    struct emu_mbarrier *m = x->object;

    if (rule) {
        broken(x, rule);
        return;
    }
    write_object(x->t, m, &x->is);
    if ((x->was.phase ^ x->is.phase) & 1) {
        if (x->watch)
            x->watch->mbarrier_phase(x->t, m);
        m->phase++;
        m->expected = m->delivered = 0;
    } else if (x->was.live && x->is.live) {
        return; /* nobody waits for less than a phase */
    }
    emu_wake(x->t->cta->cluster);
}

void emu_mbarrier_complete(struct emu_thread *t, struct emu_cta *cta, uint64_t offset, uint64_t bytes)
{
    struct open x;

    open_at(&x, t, cta, offset);
    if (!reopen(&x))
        return;
    count(&x, EMU_DELIVERED, bytes);
    settle(&x, mbarrier_complete(&x.is, bytes));
}

void emu_mbarrier_arrive(struct emu_thread *t, struct emu_cta *cta, uint64_t offset, bool pending_up)
{
    struct open x;

    open_at(&x, t, cta, offset);
    if (!reopen(&x))
        return;
    if (pending_up) { /* at the issue of the form without .noinc */
        x.is.pending++;
        settle(&x, x.is.pending > MBARRIER_MAX ? &rule_cpmb_inc_limit : NULL);
        return;
    }
    count(&x, EMU_ARRIVED, 1);
    settle(&x, mbarrier_arrive(&x.is, (struct mbarrier_arrival){ .count = 1 }, NULL));
}

/* ---- instructions ---------------------------------------------------------------------------------------------- */

void emu_mbarrier_place(struct emu_thread *t, uint16_t space, uint64_t address, const struct ck_rule *window,
                        struct emu_cta **cta, uint64_t *offset)
{
    const uint64_t shared = space == PTX_none ? address - EMU_SHARED_WINDOW : (uint32_t)address;
    const uint64_t rank = (shared >> EMU_RANK_SHIFT) - 1;
    const struct emu_cluster *c = t->cta->cluster;

    if (shared < 1ull << 32 && rank < c->cta_count && !c->ctas[rank].live && &c->ctas[rank] != t->cta)
        emu_bad_access(t, &rule_mbarrier_cluster_owner_alive, shared, 8,
                       "an mbarrier of CTA rank %llu, which has exited", (unsigned long long)rank);
    if (shared >> EMU_RANK_SHIFT == EMU_NOT_SHARED)
        emu_bad_access(
            t, window, shared, 0,
            "an mbarrier at address 0x%llx, which was converted from a generic address that is not in shared "
            "memory",
            (unsigned long long)shared);
    if ((space == PTX_shared || space == PTX_shared_cta) && shared >> EMU_RANK_SHIFT && rank != t->cta->rank)
        emu_bad_access(t, &rule_mbarrier_cluster_local_form, shared, 8,
                       "an mbarrier of CTA rank %llu by a form for the executing CTA alone", (unsigned long long)rank);
    if (space == PTX_none && shared >= 1ull << 32) {
        char where[140];
        emu_spot_words(t, space, address, where, sizeof where);
        emu_bad_access(t, window, address, 8, "an mbarrier by a generic address, at %s, which is not shared memory",
                       where);
    }
    emu_bytes(t, space, address, 8, 1, EMU_ATOMIC, offset, cta);
    if (*offset % 8)
        emu_bad_access(t, &rule_mbarrier_object_align, address, 8, "an mbarrier at offset %llu, not a multiple of 8",
                       (unsigned long long)*offset);
}

/* Opens the object of an operand; `local`: the rule that one of another CTA breaks, NULL where it may be. */
static void open_operand(struct open *x, struct emu_thread *t, const struct emu_op *op, uint32_t slot,
                         const struct ck_rule *window, const struct ck_rule *local)
{
    struct emu_cta *cta;
    uint64_t offset;

    emu_mbarrier_place(t, op->space, t->r[slot] + (uint64_t)op->offset, window, &cta, &offset);
    open_at(x, t, cta, offset);
    if (local && cta != t->cta)
        emu_mbarrier_complain(t, local, x->object, NULL, "let a thread of the CTA that owns it do so", "%s",
                              local->sentence);
}

static void init(struct emu_thread *t, const struct emu_op *op)
{
    struct open x = { 0 }; /* what was there before does not matter */
    const struct ck_rule *rule = mbarrier_init(&x.is, (uint32_t)t->r[op->a]);
    struct emu_mbarrier *m;

    open_operand(&x, t, op, op->d, &rule_mbarrier_init_generic_window, &rule_mbarrier_init_generic_window);
    m = x.object;
    if (x.watch)
        x.watch->mbarrier_init(t, m, (uint32_t)t->r[op->a], rule);
    m->state = rule ? EMU_MBARRIER_LOST : EMU_MBARRIER_ALIVE;
    m->serial_before = m->serial;
    m->phase_before = m->phase;
    m->serial = (uint16_t)++m->cta->mbarriers->inits; /* states of the object before are not of this one */
    m->phase = 0;
    m->expected = m->delivered = 0;
    settle(&x, rule);
}

static void inval(struct emu_thread *t, const struct emu_op *op)
{
    struct open x;
    const struct ck_rule *rule;

    open_operand(&x, t, op, op->d, &rule_mbarrier_init_generic_window, &rule_mbarrier_init_generic_window);
    if (!reopen(&x))
        return;
    rule = mbarrier_inval(&x.is);
    x.is.live = false;
    if (rule)
        broken(&x, rule);
    if (x.watch)
        x.watch->mbarrier_inval(t, x.object);
    if (x.object->state == EMU_MBARRIER_ALIVE)
        x.object->state = EMU_MBARRIER_ENDED;
    settle(&x, NULL);
}

static struct emu_strength strength_of(const struct emu_op *op)
{
    return (
        struct emu_strength){ .relaxed = op->mbarrier.relaxed, .wide = op->mbarrier.wide, .bare = op->mbarrier.bare };
}

/* op->b: how many bytes .expect_tx adds; op->c: how many arrivals, EMU_NO: 1. */
static void arrive(struct emu_thread *t, const struct emu_op *op)
{
    struct mbarrier_arrival a = { .count = op->c == EMU_NO ? 1 : (uint32_t)t->r[op->c],
                                  .bytes = op->b == EMU_NO ? 0 : (uint32_t)t->r[op->b],
                                  .drop = op->mbarrier.drop,
                                  .stay = op->mbarrier.no_complete };
    struct open x;
    bool alive;

    open_operand(&x, t, op, op->a, &rule_mbarrier_arrive_generic_window,
                 op->d == EMU_NO ? NULL : &rule_mbarrier_arrive_remote_generic_state);
    alive = reopen(&x);
    if (op->d != EMU_NO)
        t->r[op->d] = state_of(x.object, a.stay);
    if (!alive)
        return;
    if (x.watch)
        x.watch->mbarrier_arrive(t, x.object, strength_of(op));
    count(&x, EMU_EXPECTED, a.bytes);
    count(&x, EMU_ARRIVED, a.count);
    settle(&x, mbarrier_arrive(&x.is, a, NULL));
}

static void expect(struct emu_thread *t, const struct emu_op *op)
{
    struct open x;

    open_operand(&x, t, op, op->d, &rule_mbarrier_arrive_generic_window, NULL);
    if (!reopen(&x))
        return;
    if (x.watch)
        x.watch->mbarrier_expect(t, x.object);
    count(&x, EMU_EXPECTED, (uint32_t)t->r[op->a]);
    settle(&x, mbarrier_expect(&x.is, (uint32_t)t->r[op->a]));
}

static void complete(struct emu_thread *t, const struct emu_op *op)
{
    struct open x;

    open_operand(&x, t, op, op->d, &rule_mbarrier_arrive_generic_window, NULL);
    emu_mbarrier_complete(t, x.object->cta, x.object->offset, (uint32_t)t->r[op->a]);
}

/* Whether a state is of the object that was here before, and its phase was over by then: what waits for it goes on when
 * the phase ends, even where another thread makes the next object before it does. */
static bool was_over(const struct emu_mbarrier *m, uint64_t state)
{
    const uint64_t age = (m->phase_before - (state >> PARITY)) & ((1u << PHASE_BITS) - 1);

    return state >> 62 == STATE && m->serial_before && (uint16_t)state == m->serial_before && age &&
           age <= m->phase_before;
}

/* A wait on a state: whether its phase is over. A state that does not fit is found fault with, and its parity taken. */
static bool test_state(const struct open *x, uint64_t state)
{
    const uint64_t age = (x->object->phase - (state >> PARITY)) & ((1u << PHASE_BITS) - 1);

    if (state >> 62 != STATE || (uint16_t)state != x->object->serial) {
        emu_mbarrier_complain(x->t, &rule_mbarrier_arrive_state_other_object, x->object, NULL,
                              "wait on the state of an arrival on this object",
                              "a wait on 0x%016llx, which is not a state of this mbarrier", (unsigned long long)state);
        return was_over(x->object, state) || (state >> PARITY ^ x->is.phase) & 1;
    }
    if (age > 1)
        emu_mbarrier_complain(x->t, &rule_mbarrier_phase_older_state, x->object, NULL,
                              "wait on each state before its next phase is over",
                              "a wait on a state of %llu phases ago", (unsigned long long)age);
    return age & 1;
}

/* test_wait, and try_wait, which here waits no longer. op->b: the state or the parity. */
static void test(struct emu_thread *t, const struct emu_op *op)
{
    struct open x;
    const bool by_parity = op->mbarrier.by_parity;
    bool done = false;

    open_operand(&x, t, op, op->a, &rule_mbarrier_wait_remote_generic, &rule_mbarrier_wait_remote_generic);
    if (reopen(&x)) {
        const struct ck_rule *rule = NULL;
        if (by_parity)
            rule = mbarrier_test_parity(&x.is, (uint32_t)t->r[op->b], &done);
        else
            done = test_state(&x, t->r[op->b]);
        if (rule)
            broken(&x, rule);
    } else if (x.object->state == EMU_MBARRIER_LOST) { /* a finding says so; a wait for a phase that was over goes on */
        done = ((by_parity ? t->r[op->b] : t->r[op->b] >> PARITY) ^ x.object->bits >> PARITY) & 1;
    }
    if (x.watch && (x.object->state == EMU_MBARRIER_ALIVE || x.object->state == EMU_MBARRIER_LOST))
        x.watch->mbarrier_wait(t, x.object, done, strength_of(op));
    t->r[op->d] = done;
    if (!done)
        emu_poll(t, x.object->offset, x.object->phase);
}

static void pending_count(struct emu_thread *t, const struct emu_op *op)
{
    const uint64_t state = t->r[op->a];

    if (state >> 62 != STATE || !(state & counted)) {
        struct emu_finding f = { .rule = &rule_mbarrier_pending_count_source,
                                 .remedy = "take the state that mbarrier.arrive.noComplete returned" };
        emu_place_of(t, 0, 0, &f.here);
        snprintf(f.message, sizeof f.message, "pending_count of 0x%016llx, %s", (unsigned long long)state,
                 state >> 62 == STATE ? "a state that no .noComplete arrival returned" : "which is not a state");
        emu_file(t->cta->cluster->grid, &f);
    }
    t->r[op->d] = state >> 20 & 0xfffff;
}

static void keep_strength(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    op->mbarrier.relaxed = ptx_has(m, i, PTX_relaxed);
    op->mbarrier.wide = ptx_has(m, i, PTX_cluster);
    op->mbarrier.bare = !op->mbarrier.wide && !ptx_has(m, i, PTX_cta);
}

emu_handler *emu_decode_mbarrier(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const struct ptx_operand *first = i->n_operands ? ptx_operand(m, i, 0) : NULL;

    if (!first)
        return NULL;
    switch (i->op) {
    case OP_mbarrier_init: emu_address(first, op, &op->d, &op->offset); return init;
    case OP_mbarrier_inval: emu_address(first, op, &op->d, &op->offset); return inval;
    case OP_mbarrier_expect_tx: emu_address(first, op, &op->d, &op->offset); return expect;
    case OP_mbarrier_complete_tx: emu_address(first, op, &op->d, &op->offset); return complete;
    case OP_mbarrier_arrive:
    case OP_mbarrier_arrive_drop: {
        /* Without a result the address comes first (forms on .shared::cluster of older texts). */
        const unsigned base = first->kind == PO_address ? 0 : 1;
        const bool expects = ptx_has(m, i, PTX_expect_tx);
        const uint32_t count = i->n_operands > base + 1 ? emu_slot(ptx_operand(m, i, base + 1), PTX_u32) : EMU_NO;
        op->mbarrier.drop = i->op == OP_mbarrier_arrive_drop;
        op->mbarrier.no_complete = ptx_has(m, i, PTX_noComplete);
        keep_strength(m, i, op);
        op->d = base && first->kind == PO_register ? emu_slot(first, PTX_b64) : EMU_NO;
        emu_address(ptx_operand(m, i, base), op, &op->a, &op->offset);
        op->b = expects ? count : EMU_NO;
        op->c = expects ? EMU_NO : count;
        return arrive;
    }
    case OP_mbarrier_test_wait:
    case OP_mbarrier_try_wait:
        op->mbarrier.by_parity = ptx_has(m, i, PTX_parity);
        keep_strength(m, i, op);
        op->d = emu_slot(first, PTX_pred);
        emu_address(ptx_operand(m, i, 1), op, &op->a, &op->offset);
        op->b = emu_slot(ptx_operand(m, i, 2), op->mbarrier.by_parity ? PTX_u32 : PTX_b64);
        return test;
    case OP_mbarrier_pending_count: return pending_count;
    default: return NULL;
    }
}
// SPDX-License-Identifier: Apache-2.0
