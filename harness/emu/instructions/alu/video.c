/* Video instructions: arithmetic on bytes, halves and words, followed by a second operation, and on two halves or four
 * bytes at a time. PTX ISA, "Scalar Video Instructions" and "SIMD Video Instructions".
 *
 * Operands are extended by their types; the operation is exact; its result is saturated if the instruction asks for it,
 * and cut. Then c comes in: through the second operation, or as the bits that a partial result leaves. Compilers do not
 * emit them; programs that use them have inline PTX. */
#include "harness/emu/instructions/alu/handler.h"

enum action { ADD, SUB, DIFFERENCE, LEAST, GREATEST, AVERAGE, LEFT, RIGHT, PRODUCT, COMPARE };
enum comparison { EQ, NE, LT, LE, GT, GE };

struct alu_video {
    enum action action;
    enum comparison comparison;
    unsigned lanes; /* 1: scalar */
    uint8_t d_part, a_part, b_part;
    bool d_signed, a_signed, b_signed;
    bool sat, wrap, plus_one, negative, negative_c;
    unsigned shift;  /* of a product */
    uint16_t second; /* PTX_add, PTX_min, PTX_max, PTX_none */
    bool has_c;
};

static int64_t extended(uint64_t value, unsigned bits, bool is_signed)
{
    const unsigned unused = 64 - bits;

    return is_signed ? (int64_t)(value << unused) >> unused : (int64_t)(value << unused >> unused);
}

/* A part is 'B' + n or 'H' + n; 0 is the whole word. */
static unsigned bits_of(uint8_t part)
{
    return !part ? 32 : part < 'H' ? 8 : 16;
}

static unsigned place_of(uint8_t part)
{
    return !part ? 0 : part < 'H' ? 8u * (part - 'B') : 16u * (part - 'H');
}

static int64_t clamped(int64_t x, unsigned bits, bool is_signed)
{
    const int64_t most = is_signed ? (1ll << (bits - 1)) - 1 : (1ll << bits) - 1, least = is_signed ? -most - 1 : 0;

    return x > most ? most : x < least ? least : x;
}

static bool holds(enum comparison c, int64_t a, int64_t b)
{
    switch (c) {
    case EQ: return a == b;
    case NE: return a != b;
    case LT: return a < b;
    case LE: return a <= b;
    case GT: return a > b;
    default: return a >= b;
    }
}

static int64_t result_of(const struct alu_video *v, int64_t a, int64_t b)
{
    const uint32_t amount = v->wrap ? (uint32_t)b & 31 : (uint64_t)b > 32 ? 32 : (uint32_t)b;

    switch (v->action) {
    case ADD: return a + b;
    case SUB: return a - b;
    case DIFFERENCE: return a > b ? a - b : b - a;
    case LEAST: return a < b ? a : b;
    case GREATEST: return a > b ? a : b;
    case AVERAGE: return (a + b + (a + b >= 0)) >> 1;
    case LEFT: return (int64_t)((uint64_t)a << amount);
    case RIGHT: return a >> amount;
    case COMPARE: return holds(v->comparison, a, b);
    default: return a * b;
    }
}

static void scalar(struct emu_thread *t, const struct emu_op *op)
{
    const struct alu_video *v = op->video;
    const int64_t a = extended(t->r[op->a] >> place_of(v->a_part), bits_of(v->a_part), v->a_signed);
    const int64_t b = extended(t->r[op->b] >> place_of(v->b_part), bits_of(v->b_part), v->b_signed);
    const uint32_t c = v->has_c ? (uint32_t)t->r[op->c] : 0;
    const unsigned bits = bits_of(v->d_part), place = place_of(v->d_part);
    int64_t x = result_of(v, a, b);
    uint32_t low;

    if (v->sat)
        x = clamped(x, bits, v->d_signed);
    low = (uint32_t)x;
    if (v->second == PTX_add)
        low += c;
    else if (v->second == PTX_min || v->second == PTX_max)
        low = (x < extended(c, 32, v->a_signed)) == (v->second == PTX_min) ? low : c;
    else if (v->d_part) {
        const uint32_t mask = (uint32_t)((1ull << bits) - 1) << place;
        low = (low << place & mask) | (c & ~mask);
    }
    t->r[op->d] = low;
}

/* The product is exact; the addend is extended as a signed value if any operand is signed or negated. */
static void product(struct emu_thread *t, const struct emu_op *op)
{
    const struct alu_video *v = op->video;
    const int64_t a = extended(t->r[op->a] >> place_of(v->a_part), bits_of(v->a_part), v->a_signed);
    const int64_t b = extended(t->r[op->b] >> place_of(v->b_part), bits_of(v->b_part), v->b_signed);
    const bool is_signed = v->a_signed || v->b_signed || v->negative || v->negative_c;
    emu_s128 c = extended(t->r[op->c], 32, is_signed), x = (emu_s128)a * b;

    x = v->negative ? -x : x;
    c = v->negative_c ? -c : c;
    x = (x + c + v->plus_one) >> v->shift;
    if (v->sat) {
        const emu_s128 most = is_signed ? INT32_MAX : UINT32_MAX, least = is_signed ? INT32_MIN : 0;
        x = x > most ? most : x < least ? least : x;
    }
    t->r[op->d] = (uint32_t)x;
}

static void lanes(struct emu_thread *t, const struct emu_op *op)
{
    const struct alu_video *v = op->video;
    const unsigned bits = 32 / v->lanes;
    uint32_t sum = (uint32_t)t->r[op->c], d = 0;

    for (unsigned k = 0; k < v->lanes; k++) {
        int64_t x = result_of(v, extended(t->r[op->a] >> k * bits, bits, v->a_signed),
                              extended(t->r[op->b] >> k * bits, bits, v->b_signed));
        if (v->sat)
            x = clamped(x, bits, v->d_signed);
        sum += (uint32_t)x;
        d |= (uint32_t)((uint64_t)x & ((1ull << bits) - 1)) << k * bits;
    }
    t->r[op->d] = v->second == PTX_add ? sum : d;
}

/* ---- decoding ------------------------------------------------------------------------------------------------------
 */

static const struct {
    uint16_t op;
    uint8_t lanes, action;
} actions[] = {
    { OP_vadd, 1, ADD },
    { OP_vsub, 1, SUB },
    { OP_vabsdiff, 1, DIFFERENCE },
    { OP_vmin, 1, LEAST },
    { OP_vmax, 1, GREATEST },
    { OP_vshl, 1, LEFT },
    { OP_vshr, 1, RIGHT },
    { OP_vmad, 1, PRODUCT },
    { OP_vset, 1, COMPARE },
    { OP_vadd2, 2, ADD },
    { OP_vsub2, 2, SUB },
    { OP_vabsdiff2, 2, DIFFERENCE },
    { OP_vmin2, 2, LEAST },
    { OP_vmax2, 2, GREATEST },
    { OP_vavrg2, 2, AVERAGE },
    { OP_vset2, 2, COMPARE },
    { OP_vadd4, 4, ADD },
    { OP_vsub4, 4, SUB },
    { OP_vabsdiff4, 4, DIFFERENCE },
    { OP_vmin4, 4, LEAST },
    { OP_vmax4, 4, GREATEST },
    { OP_vavrg4, 4, AVERAGE },
    { OP_vset4, 4, COMPARE },
};

/* The part of operand k, a byte or a half. False for SIMD selectors and masks, which are not modelled. */
static bool part_of(const struct ptx_module *m, const struct ptx_instruction *i, unsigned k, unsigned lanes_of,
                    uint8_t *part)
{
    const struct ptx_operand *o = ptx_operand(m, i, k);

    *part = o->component;
    if (o->kind == PO_immediate)
        return k > 0;
    return o->kind == PO_register && (!o->component || (lanes_of == 1 && k < 3 && o->component < 'w'));
}

static enum comparison comparison_of(const struct ptx_module *m, const struct ptx_instruction *i)
{
    static const uint16_t words[] = { PTX_eq, PTX_ne, PTX_lt, PTX_le, PTX_gt, PTX_ge };
    enum comparison c = EQ;

    while (c < GE && !ptx_has(m, i, words[c]))
        c++;
    return c;
}

static bool negated(const struct ptx_module *m, const struct ptx_instruction *i, unsigned k)
{
    return ptx_operand(m, i, k)->flags & PF_NEGATE;
}

/* Whether an assembler for an H200 expands this scalar form to something other than the document says: saturation to
 * unsigned words and to parts, results in halves, products that are shifted or saturated, and a second operation min or
 * max (docs/findings.md). Such forms are not hardware instructions any more, and are not modelled. */
static bool is_odd(const struct alu_video *v)
{
    const bool chooses = v->second == PTX_min || v->second == PTX_max, cuts = v->sat || v->shift;

    if (v->lanes > 1)
        return false;
    if (v->action == PRODUCT)
        return cuts && !(v->a_signed && v->b_signed);
    return (v->sat && (!v->d_signed || v->d_part)) || v->d_part >= 'H' || (chooses && v->action != COMPARE);
}

static bool fill(const struct ptx_module *m, const struct ptx_instruction *i, struct alu_video *v)
{
    const unsigned sources = v->action == COMPARE ? 0 : 1; /* a comparison has no type of its result */
    uint8_t none;

    if (i->n_operands < 3 || i->n_operands > 4 || (v->lanes > 1 && i->n_operands != 4))
        return false;
    v->d_signed = sources && i->type[0] == PTX_s32;
    v->a_signed = i->type[sources] == PTX_s32;
    v->b_signed = i->type[sources + 1] == PTX_s32;
    v->sat = ptx_has(m, i, PTX_sat);
    v->wrap = ptx_has(m, i, PTX_wrap);
    v->plus_one = ptx_has(m, i, PTX_po);
    v->shift = ptx_has(m, i, PTX_shr7) ? 7 : ptx_has(m, i, PTX_shr15) ? 15 : 0;
    v->second = ptx_has(m, i, PTX_add)   ? PTX_add
                : ptx_has(m, i, PTX_min) ? PTX_min
                : ptx_has(m, i, PTX_max) ? PTX_max
                                         : PTX_none;
    v->comparison = comparison_of(m, i);
    v->has_c = i->n_operands == 4;
    v->negative = negated(m, i, 1) != negated(m, i, 2);
    v->negative_c = v->has_c && negated(m, i, 3);
    if ((v->negative || v->negative_c) && v->action != PRODUCT)
        return false;
    return part_of(m, i, 0, v->lanes, &v->d_part) && part_of(m, i, 1, v->lanes, &v->a_part) &&
           part_of(m, i, 2, v->lanes, &v->b_part) && (!v->has_c || part_of(m, i, 3, v->lanes, &none)) && !is_odd(v);
}

emu_handler *emu_decode_video(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    size_t k = 0;

    while (k < sizeof actions / sizeof *actions && actions[k].op != i->op)
        k++;
    if (k == sizeof actions / sizeof *actions)
        return NULL;
    struct alu_video *v = emu_kept(sizeof *v);
    if (!v)
        return NULL;
    *v = (struct alu_video){ .action = (enum action)actions[k].action, .lanes = actions[k].lanes };
    if (!fill(m, i, v))
        return NULL;
    op->a = emu_slot_as(m, i, 1, PTX_b32);
    op->b = emu_slot_as(m, i, 2, PTX_b32);
    op->c = v->has_c ? emu_slot_as(m, i, 3, PTX_b32) : EMU_NO;
    op->video = v;
    return v->lanes > 1 ? lanes : v->action == PRODUCT ? product : scalar;
}
// SPDX-License-Identifier: Apache-2.0
