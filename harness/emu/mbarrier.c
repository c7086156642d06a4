/* mbarrier objects in the eight bytes of emulated shared memory, by the model in expected/mbarrier.h.
 *
 * Layout of the object and of the state that an arrival returns: bits 0-19 the expected count, 20-39 the pending count,
 * 40 the phase's parity, 41-61 the tx-count plus 2^20, 62-63 a mark that an object is alive. */
#include <stdio.h>
#include <string.h>

#include "expected/mbarrier.h"
#include "harness/emu/async.h"

enum { LIVE = 2 };

static const int64_t tx_bias = 1 << 20;

static struct mbarrier unpack(uint64_t bits)
{
    return (struct mbarrier){
        .live = bits >> 62 == LIVE,
        .expected = (int64_t)(bits & 0xfffff),
        .pending = (int64_t)(bits >> 20 & 0xfffff),
        .phase = bits >> 40 & 1,
        .tx = (int64_t)(bits >> 41 & 0x1fffff) - tx_bias,
    };
}

static uint64_t pack(const struct mbarrier *b)
{
    return ((uint64_t)b->expected & 0xfffff) | ((uint64_t)b->pending & 0xfffff) << 20 | (b->phase & 1) << 40 |
           ((uint64_t)(b->tx + tx_bias) & 0x1fffff) << 41 | (uint64_t)(b->live ? LIVE : 0) << 62;
}

static uint64_t read_object(const struct emu_cta *cta, uint64_t offset)
{
    uint64_t bits;

    memcpy(&bits, cta->shared + offset, sizeof bits);
    return bits;
}

static void write_object(struct emu_cta *cta, uint64_t offset, const struct mbarrier *b)
{
    const uint64_t bits = pack(b);

    memcpy(cta->shared + offset, &bits, sizeof bits);
}

static void broken(struct emu_thread *t, const struct ck_rule *rule, const struct emu_cta *cta, uint64_t offset,
                   const struct mbarrier *b)
{
    struct emu_finding f = { .rule = rule };

    emu_place_of(t, offset, 8, &f.here);
    snprintf(f.message, sizeof f.message,
             "%s The mbarrier at offset %llu of CTA rank %u has %lld of %lld arrivals "
             "pending and %lld bytes to come.",
             rule->sentence, (unsigned long long)offset, cta->rank, (long long)b->pending, (long long)b->expected,
             (long long)b->tx);
    emu_find(t->cta->cluster->grid, &f);
}

/* Applies a change to an object; a change that the documents forbid is reported and leaves it as it is. */
static void settle(struct emu_thread *t, struct emu_cta *cta, uint64_t offset, const struct mbarrier *before,
                   const struct mbarrier *after, const struct ck_rule *rule)
{
    if (rule) {
        broken(t, rule, cta, offset, before);
        return;
    }
    write_object(cta, offset, after);
    if (before->live && after->live && (before->phase ^ after->phase) & 1)
        emu_order_phase(t, cta, offset);
    else if (before->live && after->live)
        return; /* nobody waits for less than a phase */
    emu_wake(t->cta->cluster);
}

void emu_mbarrier_complete(struct emu_thread *t, struct emu_cta *cta, uint64_t offset, uint64_t bytes)
{
    const struct mbarrier before = unpack(read_object(cta, offset));
    struct mbarrier b = before;

    settle(t, cta, offset, &before, &b, mbarrier_complete(&b, bytes));
}

void emu_mbarrier_arrive(struct emu_thread *t, struct emu_cta *cta, uint64_t offset, bool noinc, bool pending_up)
{
    const struct mbarrier before = unpack(read_object(cta, offset));
    struct mbarrier b = before;

    if (pending_up) { /* at the issue of the form without .noinc */
        b.pending++;
        settle(t, cta, offset, &before, &b, b.live ? NULL : &rule_mbarrier_init_required);
        return;
    }
    (void)noinc;
    settle(t, cta, offset, &before, &b, mbarrier_arrive(&b, (struct mbarrier_arrival){ .count = 1 }, NULL));
}

/* ---- instructions ---------------------------------------------------------------------------------------------- */

static unsigned char *object(struct emu_thread *t, const struct emu_op *op, uint32_t slot, struct emu_cta **cta,
                             uint64_t *offset)
{
    unsigned char *bytes = emu_bytes(t, op->space, t->r[slot] + (uint64_t)op->imm, 8, 1, EMU_ATOMIC, offset, cta);

    if (!*cta)
        emu_bad_access(t, &rule_mbarrier_init_generic_window, t->r[slot], 8, "an mbarrier outside shared memory");
    if (*offset % 8)
        emu_bad_access(t, &rule_mbarrier_object_align, t->r[slot], 8, "an mbarrier at offset %llu, no multiple of 8",
                       (unsigned long long)*offset);
    return bytes;
}

static void init(struct emu_thread *t, const struct emu_op *op)
{
    struct emu_cta *cta;
    uint64_t offset;
    struct mbarrier before, b;

    object(t, op, op->d, &cta, &offset);
    before = unpack(read_object(cta, offset));
    b = before;
    b.live = false; /* what was there before does not matter: garbage may look alive */
    emu_order_mbarrier_init(t, cta, offset);
    before.live = false;
    settle(t, cta, offset, &before, &b, mbarrier_init(&b, (uint32_t)t->r[op->a]));
}

static void inval(struct emu_thread *t, const struct emu_op *op)
{
    struct emu_cta *cta;
    uint64_t offset;
    struct mbarrier before, b;

    object(t, op, op->d, &cta, &offset);
    b = before = unpack(read_object(cta, offset));
    settle(t, cta, offset, &before, &b, mbarrier_inval(&b));
}

/* op->u16: bit 0 drop, 1 noComplete, 2 a register count (op->c, else 1), 3 expect_tx, 4 relaxed, 5 a scope beyond the
 * CTA; op->b is the byte count. */
enum { DROP = 1, STAY = 2, EXPECT = 8, RELAXED = 16, WIDE = 32 };

static void arrive(struct emu_thread *t, const struct emu_op *op)
{
    struct mbarrier_arrival a = { .count = op->c == EMU_NO ? 1 : (uint32_t)t->r[op->c],
                                  .bytes = op->u16 & EXPECT ? (uint32_t)t->r[op->b] : 0,
                                  .drop = op->u16 & DROP,
                                  .stay = (op->u16 & STAY) != 0 };
    struct emu_cta *cta;
    uint64_t offset;
    struct mbarrier before, b;

    object(t, op, op->a, &cta, &offset);
    b = before = unpack(read_object(cta, offset));
    emu_order_arrive(t, cta, offset, op->u16 & RELAXED, op->u16 & WIDE);
    settle(t, cta, offset, &before, &b, mbarrier_arrive(&b, a, NULL));
    if (op->d != EMU_NO)
        t->r[op->d] = pack(&before);
}

static void expect(struct emu_thread *t, const struct emu_op *op)
{
    struct emu_cta *cta;
    uint64_t offset;
    struct mbarrier before, b;

    object(t, op, op->d, &cta, &offset);
    b = before = unpack(read_object(cta, offset));
    emu_order_expect(t, cta, offset);
    settle(t, cta, offset, &before, &b, mbarrier_expect(&b, (uint32_t)t->r[op->a]));
}

static void complete(struct emu_thread *t, const struct emu_op *op)
{
    struct emu_cta *cta;
    uint64_t offset;

    object(t, op, op->d, &cta, &offset);
    emu_mbarrier_complete(t, cta, offset, (uint32_t)t->r[op->a]);
}

/* op->u16: bit 0 by parity, 4 relaxed, 5 a scope beyond the CTA; op->u32: try_wait, which may wait. */
static void test(struct emu_thread *t, const struct emu_op *op)
{
    struct emu_cta *cta;
    uint64_t offset;
    const struct ck_rule *rule;
    struct mbarrier b;
    bool done = false;

    object(t, op, op->a, &cta, &offset);
    b = unpack(read_object(cta, offset));
    if (op->u16 & 1) {
        rule = mbarrier_test_parity(&b, (uint32_t)t->r[op->b], &done);
    } else {
        const struct mbarrier_state s = { .of = &b, .phase = t->r[op->b] >> 40 & 1 };
        rule = mbarrier_test(&b, &s, &done);
    }
    if (rule)
        broken(t, rule, cta, offset, &b);
    t->r[op->d] = done;
    emu_order_wait(t, cta, offset, done, op->u16 & RELAXED, op->u16 & WIDE);
    if (!done)
        emu_poll(t);
}

static void pending_count(struct emu_thread *t, const struct emu_op *op)
{
    t->r[op->d] = t->r[op->a] >> 20 & 0xfffff;
}

static uint16_t order_of_words(const struct ptx_module *m, const struct ptx_instruction *i)
{
    return (uint16_t)((ptx_has(m, i, PTX_relaxed) ? RELAXED : 0) | (ptx_has(m, i, PTX_cluster) ? WIDE : 0));
}

emu_handler *emu_decode_mbarrier(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const struct ptx_operand *first = i->n_operands ? ptx_operand(m, i, 0) : NULL;

    if (!first)
        return NULL;
    switch (i->op) {
    case OP_mbarrier_init: emu_address(first, op, &op->d, &op->imm); return init;
    case OP_mbarrier_inval: emu_address(first, op, &op->d, &op->imm); return inval;
    case OP_mbarrier_expect_tx: emu_address(first, op, &op->d, &op->imm); return expect;
    case OP_mbarrier_complete_tx: emu_address(first, op, &op->d, &op->imm); return complete;
    case OP_mbarrier_arrive:
    case OP_mbarrier_arrive_drop: {
        /* Without a result the address comes first (forms on .shared::cluster of older texts). */
        const unsigned base = first->kind == PO_address ? 0 : 1;
        const bool expects = ptx_has(m, i, PTX_expect_tx);
        const uint32_t count = i->n_operands > base + 1 ? emu_slot(ptx_operand(m, i, base + 1), PTX_u32) : EMU_NO;
        op->u16 = (uint16_t)((i->op == OP_mbarrier_arrive_drop ? DROP : 0) |
                             (ptx_has(m, i, PTX_noComplete) ? STAY : 0) | (expects ? EXPECT : 0));
        op->u16 |= order_of_words(m, i);
        op->d = base && first->kind == PO_register ? emu_slot(first, PTX_b64) : EMU_NO;
        emu_address(ptx_operand(m, i, base), op, &op->a, &op->imm);
        op->b = expects ? count : EMU_NO;
        op->c = expects ? EMU_NO : count;
        return arrive;
    }
    case OP_mbarrier_test_wait:
    case OP_mbarrier_try_wait:
        op->u16 = (uint16_t)(ptx_has(m, i, PTX_parity) | order_of_words(m, i));
        op->u32 = i->op == OP_mbarrier_try_wait;
        op->d = emu_slot(first, PTX_pred);
        emu_address(ptx_operand(m, i, 1), op, &op->a, &op->imm);
        op->b = emu_slot(ptx_operand(m, i, 2), op->u16 & 1 ? PTX_u32 : PTX_b64);
        return test;
    case OP_mbarrier_pending_count: return pending_count;
    default: return NULL;
    }
}
