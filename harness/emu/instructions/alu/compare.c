/* Comparisons of all types: setp, set, testp. PTX ISA, "Comparison and Selection Instructions".
 *
 * Each comparison of each type is a function of two slots; setp with one predicate has a handler for each of them. */
#include <math.h>
#include <string.h>

#include "harness/emu/instructions/alu/handler.h"

struct alu_comparison {
    emu_handler *setp;
    bool (*holds)(uint64_t a, uint64_t b);
};

/* ---- values that C compares as PTX does -------------------------------------------------------------------------- */

/* Integers of fewer than 64 bits: values of 64 bits in the same order, which need not be packed in a vector. */
static inline int64_t value_u16(uint64_t slot)
{
    return (int64_t)(slot & UINT16_MAX);
}

static inline int64_t value_u32(uint64_t slot)
{
    return (int64_t)(slot & UINT32_MAX);
}

static inline int64_t value_s16(uint64_t slot)
{
    return (int64_t)(slot << 48);
}

static inline int64_t value_s32(uint64_t slot)
{
    return (int64_t)(slot << 32);
}

/* .ftz: a subnormal counts as zero. */
static float value_f32_ftz(uint64_t slot)
{
    return alu_f32(slot & 0x7f800000u ? slot : 0);
}

static double value_f64(uint64_t slot)
{
    double d;

    memcpy(&d, &slot, sizeof d);
    return d;
}

/* Floats of 16 bits have the order of their bits, so the value returned here is just the magnitude with its sign. */
static float value_16(uint64_t slot, uint32_t infinity, uint32_t smallest)
{
    const uint32_t magnitude = slot & 0x7fffu;

    if (magnitude > infinity)
        return NAN;
    if (magnitude < smallest)
        return 0;
    return slot & 0x8000u ? -(float)magnitude : (float)magnitude;
}

static float value_f16(uint64_t slot)
{
    return value_16(slot, 0x7c00, 0);
}

static float value_f16_ftz(uint64_t slot)
{
    return value_16(slot, 0x7c00, 0x400);
}

static float value_bf16(uint64_t slot)
{
    return value_16(slot, 0x7f80, 0);
}

/* ---- comparisons ------------------------------------------------------------------------------------------------- */

#define COMPARE(name, type, value, e)                                                                                  \
    static inline bool name##_holds(uint64_t a, uint64_t b)                                                            \
    {                                                                                                                  \
        const type x = value(a), y = value(b);                                                                         \
        return e;                                                                                                      \
    }                                                                                                                  \
    static inline uint64_t name##_value(const struct emu_lane *t, const struct emu_op *op)                             \
    {                                                                                                                  \
        return name##_holds(t->r[op->a], t->r[op->b]);                                                                 \
    }                                                                                                                  \
    EMU_LANES(name)

#define EQUALITY(t, type, value)                                                                                       \
    COMPARE(eq_##t, type, value, x == y)                                                                               \
    COMPARE(ne_##t, type, value, x != y)
#define ORDER(t, type, value)                                                                                          \
    COMPARE(lt_##t, type, value, x < y)                                                                                \
    COMPARE(le_##t, type, value, x <= y)                                                                               \
    COMPARE(gt_##t, type, value, x > y)                                                                                \
    COMPARE(ge_##t, type, value, x >= y)
EQUALITY(u16, int64_t, value_u16)
EQUALITY(u32, int64_t, value_u32)
EQUALITY(u64, uint64_t, (uint64_t))
ORDER(u16, int64_t, value_u16)
ORDER(u32, int64_t, value_u32)
ORDER(u64, uint64_t, (uint64_t))
ORDER(s16, int64_t, value_s16)
ORDER(s32, int64_t, value_s32)
ORDER(s64, int64_t, (int64_t))

/* Compared with a NaN, eq to ge are false and equ to geu true. */
#define FLOATING(t, type, value)                                                                                       \
    ORDER(t, type, value)                                                                                              \
    COMPARE(eq_##t, type, value, x == y)                                                                               \
    COMPARE(ne_##t, type, value, x<y || x> y)                                                                          \
    COMPARE(equ_##t, type, value, !(x < y || x > y))                                                                   \
    COMPARE(neu_##t, type, value, x != y)                                                                              \
    COMPARE(ltu_##t, type, value, !(x >= y))                                                                           \
    COMPARE(leu_##t, type, value, !(x > y))                                                                            \
    COMPARE(gtu_##t, type, value, !(x <= y))                                                                           \
    COMPARE(geu_##t, type, value, !(x < y))                                                                            \
    COMPARE(num_##t, type, value, x == x && y == y)                                                                    \
    COMPARE(nan_##t, type, value, x != x || y != y)
FLOATING(f32, float, alu_f32)
FLOATING(f32_ftz, float, value_f32_ftz)
FLOATING(f64, double, value_f64)
FLOATING(f16, float, value_f16)
FLOATING(f16_ftz, float, value_f16_ftz)
FLOATING(bf16, float, value_bf16)

/* How the operands of a comparison are read. */
enum reading { U16, U32, U64, S16, S32, S64, F32, F32_FTZ, F64, F16, F16_FTZ, BF16, READINGS };

#define AN(name)                                                                                                       \
    {                                                                                                                  \
        name, name##_holds                                                                                             \
    }
#define UNSIGNED(op)  [U16] = AN(op##_u16), [U32] = AN(op##_u32), [U64] = AN(op##_u64)
#define SIGNED_OF(op) [S16] = AN(op##_s16), [S32] = AN(op##_s32), [S64] = AN(op##_s64)
#define FLOATS(op)                                                                                                     \
    [F32] = AN(op##_f32), [F32_FTZ] = AN(op##_f32_ftz), [F64] = AN(op##_f64), [F16] = AN(op##_f16),                    \
    [F16_FTZ] = AN(op##_f16_ftz), [BF16] = AN(op##_bf16)
#define SAME(op) UNSIGNED(op), [S16] = AN(op##_u16), [S32] = AN(op##_u32), [S64] = AN(op##_u64)

static const struct {
    uint16_t word;
    struct alu_comparison of[READINGS];
} comparisons[] = {
    { PTX_eq, { SAME(eq), FLOATS(eq) } },
    { PTX_ne, { SAME(ne), FLOATS(ne) } },
    { PTX_lt, { UNSIGNED(lt), SIGNED_OF(lt), FLOATS(lt) } },
    { PTX_le, { UNSIGNED(le), SIGNED_OF(le), FLOATS(le) } },
    { PTX_gt, { UNSIGNED(gt), SIGNED_OF(gt), FLOATS(gt) } },
    { PTX_ge, { UNSIGNED(ge), SIGNED_OF(ge), FLOATS(ge) } },
    { PTX_lo, { UNSIGNED(lt) } },
    { PTX_ls, { UNSIGNED(le) } },
    { PTX_hi, { UNSIGNED(gt) } },
    { PTX_hs, { UNSIGNED(ge) } },
    { PTX_equ, { FLOATS(equ) } },
    { PTX_neu, { FLOATS(neu) } },
    { PTX_ltu, { FLOATS(ltu) } },
    { PTX_leu, { FLOATS(leu) } },
    { PTX_gtu, { FLOATS(gtu) } },
    { PTX_geu, { FLOATS(geu) } },
    { PTX_num, { FLOATS(num) } },
    { PTX_nan, { FLOATS(nan) } },
};

static enum reading reading_of(uint16_t type, bool ftz)
{
    switch (type) {
    case PTX_b16:
    case PTX_u16: return U16;
    case PTX_b32:
    case PTX_u32: return U32;
    case PTX_b64:
    case PTX_u64: return U64;
    case PTX_s16: return S16;
    case PTX_s32: return S32;
    case PTX_s64: return S64;
    case PTX_f32: return ftz ? F32_FTZ : F32;
    case PTX_f64: return F64;
    case PTX_f16:
    case PTX_f16x2: return ftz ? F16_FTZ : F16;
    case PTX_bf16:
    case PTX_bf16x2: return BF16;
    default: return READINGS;
    }
}

static bool is_pair(uint16_t type)
{
    return type == PTX_f16x2 || type == PTX_bf16x2;
}

/* The comparison that the instruction names, for its source type; NULL where it is not modelled. */
static const struct alu_comparison *comparison_of(const struct ptx_module *m, const struct ptx_instruction *i,
                                                  uint16_t type)
{
    const enum reading reading = reading_of(type, ptx_has(m, i, PTX_ftz));

    for (size_t k = 0; reading != READINGS && k < sizeof comparisons / sizeof *comparisons; k++)
        if (ptx_has(m, i, comparisons[k].word))
            return comparisons[k].of[reading].setp ? &comparisons[k].of[reading] : NULL;
    return NULL;
}

/* ---- setp with more than one destination or a third predicate, c (EMU_NO: none); d may be EMU_NO too ---------------
 */

/* What a comparison and the third predicate give together. */
static uint64_t combine(const struct emu_thread *t, uint32_t predicate, uint16_t with, bool negated, bool holds)
{
    if (predicate == EMU_NO)
        return holds;
    const uint64_t c = t->r[predicate] ^ negated;
    return with == PTX_and ? holds & c : with == PTX_or ? holds | c : holds ^ c;
}

static void write(struct emu_thread *t, const struct emu_op *op, bool first, bool second)
{
    const uint64_t p = combine(t, op->c, op->compare.with, op->compare.negated, first);
    const uint64_t q = combine(t, op->c, op->compare.with, op->compare.negated, second);

    if (op->d != EMU_NO)
        t->r[op->d] = p;
    if (op->compare.second != EMU_NO)
        t->r[op->compare.second] = q;
}

static void setp_full(struct emu_thread *t, const struct emu_op *op)
{
    const bool holds = op->compare.of->holds(t->r[op->a], t->r[op->b]);

    write(t, op, holds, !holds);
}

/* The low halves decide p, the high halves q. */
static void setp_pair(struct emu_thread *t, const struct emu_op *op)
{
    const struct alu_comparison *c = op->compare.of;
    const uint64_t a = t->r[op->a], b = t->r[op->b];

    write(t, op, c->holds(a & 0xffff, b & 0xffff), c->holds(a >> 16, b >> 16));
}

/* The third predicate of setp and set, with how it is combined; its slot, or EMU_NO. */
static uint32_t third_predicate(const struct ptx_module *m, const struct ptx_instruction *i, uint16_t *with,
                                bool *negated)
{
    if (i->n_operands <= 3)
        return EMU_NO;
    *with = ptx_word_of(m, i, PC_bool);
    *negated = emu_negated(m, i, 3);
    return emu_predicate(m, i, 3);
}

static emu_handler *decode_setp(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const struct ptx_operand *to = ptx_operand(m, i, 0);
    const struct alu_comparison *c = comparison_of(m, i, i->type[0]);
    const bool two = to->kind == PO_pair;

    if (!c)
        return NULL;
    op->compare.of = c;
    op->c = third_predicate(m, i, &op->compare.with, &op->compare.negated);
    if (!two && op->c == EMU_NO && op->d != EMU_NO && !is_pair(i->type[0]))
        return c->setp;
    op->compare.second = two ? emu_slot_of_register(to->second) : EMU_NO;
    emu_settle_later(&op->compare.second);
    return is_pair(i->type[0]) ? setp_pair : setp_full;
}

/* ---- set --------------------------------------------------------------------------------------------------------- */

static uint64_t set_one(const struct emu_thread *t, const struct emu_op *op, uint64_t a, uint64_t b)
{
    const bool holds = op->set.of->holds(a, b);

    return combine(t, op->c, op->set.with, op->set.negated, holds) ? op->set.yes : 0;
}

static void set(struct emu_thread *t, const struct emu_op *op)
{
    t->r[op->d] = set_one(t, op, t->r[op->a], t->r[op->b]);
}

static void set_pair(struct emu_thread *t, const struct emu_op *op)
{
    const uint64_t a = t->r[op->a], b = t->r[op->b];

    t->r[op->d] = set_one(t, op, a & 0xffff, b & 0xffff) | set_one(t, op, a >> 16, b >> 16) << 16;
}

/* The bits that say yes in a result of this type; 0 for other types. `pair`: in each half of it. */
static uint32_t yes_of(uint16_t type, bool pair)
{
    switch (type) {
    case PTX_f32: return 0x3f800000; /* 1.0 */
    case PTX_f16:
    case PTX_f16x2: return 0x3c00;
    case PTX_bf16:
    case PTX_bf16x2: return 0x3f80;
    case PTX_u16:
    case PTX_s16: return 0xffff;
    case PTX_u32:
    case PTX_s32: return pair ? 0xffff : 0xffffffff;
    default: return 0;
    }
}

static emu_handler *decode_set(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const bool pair = is_pair(i->type[1]);

    op->set.of = comparison_of(m, i, i->type[1]);
    op->set.yes = yes_of(i->type[0], pair);
    op->c = third_predicate(m, i, &op->set.with, &op->set.negated);
    if (!op->set.of || !op->set.yes)
        return NULL;
    return pair ? set_pair : set;
}

/* ---- testp ------------------------------------------------------------------------------------------------------- */

/* Zeros count as normal numbers. largest: all bits of the exponent are 1; least: all are 0; fraction: it is not 0. */
static bool has_property(uint16_t property, bool largest, bool least, bool fraction)
{
    switch (property) {
    case PTX_finite: return !largest;
    case PTX_infinite: return largest && !fraction;
    case PTX_number: return !(largest && fraction);
    case PTX_notanumber: return largest && fraction;
    case PTX_normal: return !largest && !(least && fraction);
    default: return least && fraction; /* subnormal */
    }
}

static void testp_f32(struct emu_thread *t, const struct emu_op *op)
{
    const uint32_t bits = (uint32_t)t->r[op->a], exponent = bits >> 23 & 0xff;

    t->r[op->d] = has_property(op->property, exponent == 0xff, exponent == 0, bits & 0x7fffffu);
}

static void testp_f64(struct emu_thread *t, const struct emu_op *op)
{
    const uint64_t bits = t->r[op->a], exponent = bits >> 52 & 0x7ff;

    t->r[op->d] = has_property(op->property, exponent == 0x7ff, exponent == 0, bits << 12);
}

static emu_handler *decode_testp(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    static const uint16_t properties[] = { PTX_finite,     PTX_infinite, PTX_number,
                                           PTX_notanumber, PTX_normal,   PTX_subnormal };

    for (size_t k = 0; k < sizeof properties / sizeof *properties; k++)
        if (ptx_has(m, i, properties[k]))
            op->property = properties[k];
    return i->type[0] == PTX_f64 ? testp_f64 : testp_f32;
}

emu_handler *emu_decode_compare(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    switch (i->op) {
    case OP_setp: return decode_setp(m, i, op);
    case OP_set: return decode_set(m, i, op);
    case OP_testp: return decode_testp(m, i, op);
    default: return NULL;
    }
}
// SPDX-License-Identifier: Apache-2.0
