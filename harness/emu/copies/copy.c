/* cp.async, bulk copies, bulk reductions and prefetches, fences. */
#include <stdlib.h>
#include <string.h>

#include "harness/emu/copies/decoders.h"
#include "harness/emu/copies/deliver.h"
#include "harness/emu/copies/operand.h"
#include "harness/emu/instructions/alu/reduce.h"
#include "harness/emu/machine/address.h"
#include "harness/emu/machine/bytes.h"
#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/watch.h"

enum { POISON = 0xB7 };

/* A thread that reads a destination in shared memory before the copy has landed sees poison. */
static void poison(const struct emu_flight *f)
{
    struct emu_cluster *c = f->thread->cta->cluster;

    for (uint32_t rank = 0; rank < c->cta_count; rank++)
        if (emu_flight_reaches(f, &c->ctas[rank]))
            emu_fill(c->ctas[rank].shared + f->to, POISON, f->size);
}

/* ---- cp.async ---------------------------------------------------------------------------------------------------- */

/* op->size: cp-size; op->b: src-size (register or constant) or EMU_NO; op->c: ignore-src or EMU_NO. */
static void cp_async(struct emu_thread *t, const struct emu_op *op)
{
    const unsigned size = op->size;
    uint64_t copied = op->b == EMU_NO ? size : (uint32_t)t->r[op->b];
    struct emu_cta *from_cta, *to_cta;
    uint64_t from, to;
    struct emu_flight *f;

    if (op->c != EMU_NO && (t->r[op->c] != 0) != op->cp_async.ignore_not)
        copied = 0;
    if (copied > size) {
        emu_complain(t, &rule_cpasync_srcsize_reg_over, NULL, t->r[op->a], size, "a src-size of %llu in a copy of %u",
                     (unsigned long long)copied, size);
        copied = size;
    }
    emu_operand_place(t,
                      &(struct emu_operand){ .what = "destination",
                                             .space = PTX_shared,
                                             .address = t->r[op->d] + (uint64_t)op->offset,
                                             .bytes = size,
                                             .align = size,
                                             .access = EMU_WRITE,
                                             .aligned = &rule_cpasync_align_dst,
                                             .inside = &rule_cpasync_oob_dst },
                      &to_cta, &to);
    emu_operand_place(t,
                      &(struct emu_operand){ .what = "source",
                                             .space = PTX_global,
                                             .address = t->r[op->a] + (uint64_t)op->cp_async.from_offset,
                                             .bytes = copied,
                                             .align = size,
                                             .access = EMU_READ,
                                             .aligned = &rule_cpasync_align_src,
                                             .inside = &rule_cpasync_oob_src,
                                             .also = op->c != EMU_NO   ? &rule_cpasync_ignsrc_no_fetch
                                                     : op->b != EMU_NO ? &rule_cpasync_srcsize_zero_no_fetch
                                                                       : NULL },
                      &from_cta, &from);
    f = emu_fly(t, op, EMU_COPY);
    f->group = EMU_CP_ASYNC_GROUP;
    f->group_number = emu_groups_open(t, EMU_CP_ASYNC_GROUP);
    f->size = size;
    f->copied = copied;
    f->from = from;
    f->to_cta = to_cta;
    f->to = to;
    emu_flight_issued(f);
    poison(f);
    emu_flight_off(f);
}

static emu_handler *decode_cp_async(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const bool hint = ptx_has(m, i, PTX_L2_cache_hint);
    const unsigned extra = i->n_operands - (hint ? 1u : 0u);

    op->space = PTX_shared;
    emu_address(ptx_operand(m, i, 0), op, &op->d, &op->offset);
    op->space = PTX_global;
    emu_address(ptx_operand(m, i, 1), op, &op->a, &op->cp_async.from_offset);
    op->size = (uint8_t)ptx_operand(m, i, 2)->value;
    op->b = op->c = EMU_NO;
    if (extra > 3) {
        const struct ptx_operand *o = ptx_operand(m, i, 3);
        const uint32_t slot = emu_slot(o, PTX_u32);
        if (o->kind == PO_register && emu_register_bytes(o) == 1) {
            op->c = slot;
            op->cp_async.ignore_not = (o->flags & PF_NOT) != 0;
        } else {
            op->b = slot;
        }
    }
    return cp_async;
}

/* ---- bulk copies ------------------------------------------------------------------------------------------------- */

struct emu_bulk {
    uint16_t from_space, to_space;
    uint32_t to, from, size, bar, mask; /* slots */
    int64_t to_offset, from_offset, bar_offset;
    uint16_t op, type; /* of a reduction */
    bool reduces, groups;
};

/* From one CTA's shared memory to another's. */
static void check_between(struct emu_thread *t, const struct emu_cta *from, const struct emu_cta *to,
                          const struct emu_cta *bar, uint64_t size)
{
    if (from == to)
        emu_complain(t, &rule_bulk_s2cluster_other_cta, NULL, to->rank, size,
                     "source and destination of the copy are both in CTA rank %u", to->rank);
    if (bar && bar != to)
        emu_complain(t, &rule_bulk_mbar_remote_s2cluster, NULL, bar->rank, 8,
                     "the copy goes to CTA rank %u and signals an mbarrier of CTA rank %u", to->rank, bar->rank);
}

static const struct ck_rule *aligned_rule(const struct emu_bulk *b, uint16_t space)
{
    return b->reduces            ? &rule_bulkred_align16
           : space == PTX_global ? &rule_bulk_align_global16
                                 : &rule_bulk_align_shared16;
}

static void bulk(struct emu_thread *t, const struct emu_op *op)
{
    const struct emu_bulk *b = op->bulk;
    const uint64_t size = (uint32_t)t->r[b->size];
    struct emu_cta *from_cta, *to_cta, *bar_cta = NULL;
    uint64_t from, to, bar = 0;
    struct emu_flight *f;

    /* One of no bytes goes anywhere: an H200 asks for no alignment of its destination. */
    if (size % 16)
        emu_bad_access(t, b->reduces ? &rule_bulkred_size : &rule_bulk_size_mult16_reg, size, size,
                       "a size of %llu, not a multiple of 16", (unsigned long long)size);
    emu_operand_place(t,
                      &(struct emu_operand){ .what = "destination",
                                             .space = b->to_space,
                                             .address = t->r[b->to] + (uint64_t)b->to_offset,
                                             .bytes = size,
                                             .align = size ? 16 : 1,
                                             .access = EMU_WRITE,
                                             .aligned = aligned_rule(b, b->to_space),
                                             .inside = &rule_bulk_range_dst,
                                             .own = &rule_bulk_cta_dst_own },
                      &to_cta, &to);
    emu_operand_place(t,
                      &(struct emu_operand){ .what = "source",
                                             .space = b->from_space,
                                             .address = t->r[b->from] + (uint64_t)b->from_offset,
                                             .bytes = size,
                                             .align = 16,
                                             .access = EMU_READ,
                                             .aligned = aligned_rule(b, b->from_space),
                                             .inside = &rule_bulk_range_src },
                      &from_cta, &from);
    if (b->bar != EMU_NO)
        emu_operand_place(t,
                          &(struct emu_operand){ .what = "mbarrier",
                                                 .space = PTX_shared_cluster,
                                                 .address = t->r[b->bar] + (uint64_t)b->bar_offset,
                                                 .bytes = 8,
                                                 .align = 8,
                                                 .access = EMU_ATOMIC,
                                                 .aligned = &rule_bulk_mbar_align8,
                                                 .inside = &rule_mbarrier_init_generic_window },
                          &bar_cta, &bar);
    if (to_cta && from_cta && !b->reduces)
        check_between(t, from_cta, to_cta, bar_cta, size);
    if (b->mask != EMU_NO)
        emu_operand_mask(t, (uint16_t)t->r[b->mask]);
    f = emu_fly(t, op, b->reduces ? EMU_REDUCE : EMU_COPY);
    f->size = f->copied = size;
    f->from_cta = from_cta;
    f->from = from;
    f->to_cta = to_cta;
    f->to = to;
    f->bar_cta = bar_cta;
    f->bar = bar;
    f->op = b->op;
    f->type = b->type;
    if (b->mask != EMU_NO)
        f->multicast = (uint16_t)t->r[b->mask];
    if (b->groups) {
        f->group = EMU_BULK_GROUP;
        f->group_number = emu_groups_open(t, EMU_BULK_GROUP);
    }
    emu_flight_issued(f);
    if (!b->reduces)
        poison(f);
    emu_flight_off(f);
}

static emu_handler *decode_bulk(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    struct emu_bulk *b = emu_kept(sizeof *b);
    const bool reduces = i->op == OP_cp_reduce_async_bulk || i->op == OP_multimem_cp_reduce_async_bulk;
    unsigned next = 3;

    if (!b || ptx_has(m, i, PTX_cp_mask))
        return NULL;
    *b = (struct emu_bulk){ .to_space = i->space[0], .from_space = i->space[1], .bar = EMU_NO, .mask = EMU_NO };
    b->reduces = reduces;
    b->groups = ptx_has(m, i, PTX_bulk_group);
    emu_address(ptx_operand(m, i, 0), op, &b->to, &b->to_offset);
    emu_address(ptx_operand(m, i, 1), op, &b->from, &b->from_offset);
    b->size = emu_slot(ptx_operand(m, i, 2), PTX_u32);
    if (!b->groups)
        emu_address(ptx_operand(m, i, next++), op, &b->bar, &b->bar_offset);
    if (ptx_has(m, i, PTX_multicast_cluster))
        b->mask = emu_slot(ptx_operand(m, i, next++), PTX_b16);
    b->op = alu_atom_word(m, i);
    b->type = i->type[0];
    if (reduces && !alu_reduces(b->op, b->type))
        return NULL;
    emu_settle_later(&b->to);
    emu_settle_later(&b->from);
    emu_settle_later(&b->size);
    emu_settle_later(&b->bar);
    emu_settle_later(&b->mask);
    op->d = op->a = op->b = op->c = EMU_NO;
    op->bulk = b;
    return bulk;
}

static void prefetch(struct emu_thread *t, const struct emu_op *op)
{
    const uint64_t at = t->r[op->a] + (uint64_t)op->offset, size = (uint32_t)t->r[op->b];

    if (at % 16) {
        char where[140];
        emu_spot_words(t, PTX_global, at, where, sizeof where);
        emu_bad_access(t, &rule_bulkpf_align16, at, size, "a prefetch from %s, not a multiple of 16", where);
    }
    if (size % 16)
        emu_complain(t, &rule_bulkpf_size, NULL, at, size, "a prefetch of %llu bytes, not a multiple of 16",
                     (unsigned long long)size);
}

static emu_handler *decode_prefetch(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    op->space = PTX_global;
    emu_address(ptx_operand(m, i, 0), op, &op->a, &op->offset);
    op->b = emu_slot(ptx_operand(m, i, 1), PTX_u32);
    return prefetch;
}

/* ---- st.async, red.async ----------------------------------------------------------------------------------------- */

/* A register's value, or a vector's, on its way into a CTA's shared memory, with the mbarrier that it signals. PTX ISA,
 * st.async and red.async. */
struct emu_async_store {
    uint32_t bar;
    int64_t bar_offset;
    uint32_t element[4];
    uint16_t op, type;
    bool reduces;
};

static void async_store(struct emu_thread *t, const struct emu_op *op)
{
    const struct emu_async_store *a = op->async_store;
    const unsigned n = op->size * op->vector;
    struct emu_cta *to_cta, *bar_cta;
    uint64_t to, bar;
    struct emu_flight *f;

    emu_operand_place(t,
                      &(struct emu_operand){ .what = "destination",
                                             .space = op->space,
                                             .address = t->r[op->d] + (uint64_t)op->offset,
                                             .bytes = n,
                                             .align = n,
                                             .access = EMU_WRITE,
                                             .aligned = &rule_stasync_align },
                      &to_cta, &to);
    emu_operand_place(t,
                      &(struct emu_operand){ .what = "mbarrier",
                                             .space = op->space,
                                             .address = t->r[a->bar] + (uint64_t)a->bar_offset,
                                             .bytes = 8,
                                             .align = 8,
                                             .access = EMU_ATOMIC,
                                             .inside = &rule_mbarrier_init_generic_window },
                      &bar_cta, &bar);
    if (!to_cta || !bar_cta)
        emu_bad_access(t, NULL, t->r[op->d], n, "a destination or an mbarrier outside shared memory");
    if (to_cta != bar_cta)
        emu_complain(t, &rule_stasync_same_cta, NULL, t->r[op->d], n,
                     "the value goes to CTA rank %u and signals an mbarrier of CTA rank %u", to_cta->rank,
                     bar_cta->rank);
    f = emu_fly(t, op, a->reduces ? EMU_REDUCE : EMU_COPY);
    f->size = n;
    f->to_cta = to_cta;
    f->to = to;
    f->bar_cta = bar_cta;
    f->bar = bar;
    f->op = a->op;
    f->type = a->type;
    f->value = true;
    f->read = true; /* the registers are */
    emu_flight_hold(f, n);
    for (unsigned i = 0; i < op->vector; i++)
        memcpy(f->bytes + i * op->size, &t->r[a->element[i]], op->size);
    emu_flight_issued(f);
    if (!a->reduces)
        poison(f);
    emu_flight_off(f);
}

static emu_handler *decode_async_store(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const struct ptx_operand *value = ptx_operand(m, i, 1);
    struct emu_async_store *a = emu_kept(sizeof *a);

    if (!a || i->space[0] == PTX_global || i->n_operands < 3)
        return NULL;
    *a = (struct emu_async_store){ .reduces = i->op == OP_red_async, .op = alu_atom_word(m, i), .type = i->type[0] };
    op->size = (uint8_t)ptx_type_size(i->type[0]);
    op->vector = (uint8_t)(value->kind == PO_vector ? value->count : 1);
    op->space = i->space[0];
    if (op->vector > 4 || (a->reduces && !alu_reduces(a->op, a->type)))
        return NULL;
    emu_address(ptx_operand(m, i, 0), op, &op->d, &op->offset);
    for (unsigned k = 0; k < op->vector; k++) {
        a->element[k] = emu_slot(value->kind == PO_vector ? &m->operands[value->first + k] : value, i->type[0]);
        emu_settle_later(&a->element[k]);
    }
    emu_address(ptx_operand(m, i, 2), op, &a->bar, &a->bar_offset);
    emu_settle_later(&a->bar);
    op->a = op->b = op->c = EMU_NO;
    op->async_store = a;
    return async_store;
}

/* ---- fences and hints -------------------------------------------------------------------------------------------- */

static void proxy_fence(struct emu_thread *t, const struct emu_op *op)
{
    const struct emu_watch *watch = emu_watch_all(t);

    if (watch)
        watch->proxy_fence(t, op->source, op->a == EMU_NO ? 0 : t->r[op->a] + (uint64_t)op->offset);
}

static void fence(struct emu_thread *t, const struct emu_op *op)
{
    const struct emu_watch *watch = emu_watch_all(t);

    if (watch)
        watch->fence(t, op->source);
}

static void fence_init(struct emu_thread *t, const struct emu_op *op)
{
    const struct emu_watch *watch = emu_watch_all(t);

    (void)op;
    if (watch)
        watch->fence_init(t);
}

emu_handler *emu_decode_copy(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    switch (i->op) {
    case OP_cp_async: return decode_cp_async(m, i, op);
    case OP_cp_async_bulk:
    case OP_cp_reduce_async_bulk:
    case OP_multimem_cp_async_bulk: /* of one device: the same */
    case OP_multimem_cp_reduce_async_bulk: return decode_bulk(m, i, op);
    case OP_st_async:
    case OP_red_async: return decode_async_store(m, i, op);
    case OP_fence_proxy:
    case OP_membar_proxy:
        op->a = EMU_NO;
        if (i->n_operands)
            emu_address(ptx_operand(m, i, 0), op, &op->a, &op->offset);
        return proxy_fence;
    case OP_fence:
    case OP_membar: return fence;
    case OP_fence_mbarrier_init: return fence_init;
    case OP_cp_async_bulk_prefetch: return decode_prefetch(m, i, op);
    default: return NULL;
    }
}
// SPDX-License-Identifier: Apache-2.0
