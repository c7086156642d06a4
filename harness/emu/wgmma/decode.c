/* wgmma made ready to run. PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions". */
#include <string.h>

#include "harness/emu/instructions/matrix.h"
#include "harness/emu/machine/code.h"
#include "harness/emu/wgmma/wgmma.h"

enum { D_MOST = 128, FLOAT_DIGITS = 25, BYTE_DIGITS = 13 };

static const struct type {
    uint16_t word;
    enum real_type real;
    unsigned bits;
    bool is_signed;
} types[] = {
    { PTX_f16, REAL_F16, 16, false },  { PTX_bf16, REAL_BF16, 16, false }, { PTX_tf32, REAL_TF32, 32, false },
    { PTX_e4m3, REAL_E4M3, 8, false }, { PTX_e5m2, REAL_E5M2, 8, false },  { PTX_s8, REAL_TYPES, 8, true },
    { PTX_u8, REAL_TYPES, 8, false },  { PTX_b1, REAL_TYPES, 1, false },
};

static const struct type *type_of(uint16_t word)
{
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (types[k].word == word)
            return &types[k];
    return NULL;
}

/* A number behind a letter of the shape: m64n128k16. */
static unsigned number_behind(const char *shape, char letter)
{
    const char *at = strchr(shape, letter);
    unsigned n = 0;

    for (at += at != NULL; at && *at >= '0' && *at <= '9'; at++)
        n = n * 10 + (unsigned)(*at - '0');
    return n;
}

static bool kind_of(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_wgmma *w)
{
    const char *shape = ptx_word_text[ptx_word_of(m, i, PC_shape)];
    const struct type *a = type_of(i->type[1]), *b = type_of(i->type[2]);
    struct emu_product_kind *p = &w->kind;
    struct alu_dot *dot = &p->dot;

    w->shape = ptx_word_of(m, i, PC_shape);
    if (!a || !b || a->bits != b->bits)
        return false;
    dot->a = a->real;
    dot->b = b->real;
    dot->bits = a->bits;
    dot->a_signed = a->is_signed;
    dot->b_signed = b->is_signed;
    dot->result = dot->addend = i->type[0] == PTX_f16 ? REAL_F16 : REAL_F32;
    dot->satfinite = ptx_has(m, i, PTX_satfinite);
    dot->digits = a->bits == 8 ? BYTE_DIGITS : FLOAT_DIGITS;
    dot->kept = a->bits == 8 && dot->result == REAL_F32 ? BYTE_DIGITS : 0;
    p->columns = number_behind(shape, 'n');
    p->depth = number_behind(shape, 'k') / (a->bits == 1 ? 32 : 1);
    dot->count = w->sparse ? p->depth / 2 : p->depth;
    return p->columns && p->columns <= PRODUCT_COLUMNS && p->depth && p->depth <= PRODUCT_DEPTH;
}

/* The operands behind scale-d: signs of A and B; then which of the two in shared memory lie across K. */
static void constants_of(const struct ptx_module *m, const struct ptx_instruction *i, unsigned k, struct emu_wgmma *w)
{
    const unsigned across = k + 2;

    if (k + 1 < i->n_operands) {
        w->kind.minus_a = (int64_t)ptx_operand(m, i, k)->value < 0;
        w->kind.minus_b = (int64_t)ptx_operand(m, i, k + 1)->value < 0;
    }
    if (across >= i->n_operands)
        return;
    if (w->a_shared)
        w->a_across = ptx_operand(m, i, across)->value != 0;
    w->kind.b_across = ptx_operand(m, i, i->n_operands - 1u)->value != 0;
}

static void settle(struct emu_wgmma *w)
{
    uint32_t *const slots[] = { &w->scale_d, &w->a_matrix, &w->matrix, &w->metadata };

    for (size_t k = 0; k < sizeof slots / sizeof *slots; k++)
        emu_settle_later(slots[k]);
    for (unsigned k = 0; k < WGMMA_A; k++)
        emu_settle_later(&w->a[k]);
}

static emu_handler *decode_product(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const bool sparse = i->op == OP_wgmma_mma_async_sp;
    const struct ptx_operand *a = ptx_operand(m, i, 1), *scale = ptx_operand(m, i, sparse ? 5 : 3);
    struct emu_wgmma w = { .sparse = sparse, .a_shared = a->kind != PO_vector }, *kept;
    uint32_t d[D_MOST];

    if (!kind_of(m, i, &w))
        return NULL;
    w.d_count = emu_matrix_slots(m, ptx_operand(m, i, 0), i->type[0] == PTX_f16 ? PTX_b32 : i->type[0], d, D_MOST);
    w.d = emu_slots_kept(d, w.d_count);
    w.matrix = emu_slot(ptx_operand(m, i, 2), PTX_b64);
    w.a_matrix = w.metadata = w.matrix;
    for (unsigned k = 0; k < WGMMA_A; k++)
        w.a[k] = w.matrix;
    if (w.a_shared)
        w.a_matrix = emu_slot(a, PTX_b64);
    else if (emu_matrix_slots(m, a, PTX_b32, w.a, WGMMA_A) != WGMMA_A)
        return NULL;
    if (sparse) {
        w.metadata = emu_slot(ptx_operand(m, i, 3), PTX_b32);
        w.selector = (unsigned)ptx_operand(m, i, 4)->value;
    }
    w.scale_d = emu_slot(scale, PTX_pred);
    w.scale_not = scale->flags & PF_NOT;
    constants_of(m, i, sparse ? 6 : 4, &w);
    kept = emu_kept(sizeof *kept);
    if (!kept || !w.d)
        return NULL;
    *kept = w;
    settle(kept);
    op->wgmma = kept;
    op->a = op->b = op->c = op->d = EMU_NO;
    emu_matrix_together(op);
    return emu_wgmma_issue;
}

emu_handler *emu_decode_wgmma(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    if (i->op == OP_wgmma_mma_async || i->op == OP_wgmma_mma_async_sp)
        return decode_product(m, i, op);
    if (i->op != OP_wgmma_fence && i->op != OP_wgmma_commit_group && i->op != OP_wgmma_wait_group)
        return NULL;
    emu_matrix_together(op);
    if (i->op != OP_wgmma_wait_group)
        return i->op == OP_wgmma_fence ? emu_wgmma_fence : emu_wgmma_commit;
    op->whole = emu_wgmma_wait_whole;
    op->wgmma_keep = ptx_operand(m, i, 0)->value;
    return emu_wgmma_wait;
}
// SPDX-License-Identifier: Apache-2.0
