/* Conversions. PTX ISA, "cvt" and "cvt.pack". */
#include <float.h>
#include <math.h>
#include <string.h>

#include "harness/emu/instructions/alu/alu.h"
#include "harness/emu/instructions/alu/lanes.h"

/* ---- integers to integers -------------------------------------------------------------------------------------- */

static bool is_signed(uint16_t type)
{
    return type == PTX_s8 || type == PTX_s16 || type == PTX_s32 || type == PTX_s64;
}

static uint64_t sign_extended(uint64_t value, unsigned bytes)
{
    const unsigned unused = 64 - 8 * bytes;

    return (uint64_t)((int64_t)(value << unused) >> unused);
}

static inline uint64_t cut_value(const struct emu_lane *t, const struct emu_op *op)
{
    return emu_low(t->r[op->a], op->size);
}
EMU_LANES(cut)

static inline uint64_t signed_source_value(const struct emu_lane *t, const struct emu_op *op)
{
    return emu_low(sign_extended(t->r[op->a], op->integers.from), op->integers.to);
}
EMU_LANES(signed_source)

/* A register wider than the type is filled by sign or by zeros, as the type says. */
static void integers(struct emu_thread *t, const struct emu_op *op)
{
    const unsigned from = op->integers.from, to = op->integers.to, bits = to * 8;
    const bool from_signed = op->integers.from_signed, to_signed = op->integers.to_signed;
    const uint64_t most = to_signed ? UINT64_MAX >> (65 - bits) : UINT64_MAX >> (64 - bits);
    uint64_t value = emu_low(t->r[op->a], from);

    if (from_signed)
        value = sign_extended(value, from);
    if (op->integers.saturates) {
        if (!from_signed || (int64_t)value >= 0)
            value = value > most ? most : value;
        else if (!to_signed)
            value = 0;
        else if ((int64_t)value < -(int64_t)most - 1)
            value = ~most;
    }
    value = emu_low(value, to);
    if (to_signed)
        value = sign_extended(value, to);
    t->r[op->d] = emu_low(value, op->integers.reg);
}

static emu_handler *decode_integers(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const unsigned to = ptx_type_size(i->type[0]), from = ptx_type_size(i->type[1]);
    const unsigned reg = emu_register_bytes(ptx_operand(m, i, 0));
    const bool sat = ptx_has(m, i, PTX_sat);

    op->integers.from_signed = is_signed(i->type[1]);
    op->integers.to_signed = is_signed(i->type[0]);
    op->integers.saturates = sat;
    op->integers.from = (uint8_t)from;
    op->integers.to = (uint8_t)to;
    op->integers.reg = (uint8_t)reg;
    op->size = (uint8_t)(from < to ? from : to);
    if (sat || reg != to)
        return integers;
    return from < to && is_signed(i->type[1]) ? signed_source : cut;
}

/* ---- floating types --------------------------------------------------------------------------------------------- */

enum real_type alu_real(uint16_t type)
{
    switch (type) {
    case PTX_f16:
    case PTX_f16x2: return REAL_F16;
    case PTX_bf16:
    case PTX_bf16x2: return REAL_BF16;
    case PTX_f32: return REAL_F32;
    case PTX_f64: return REAL_F64;
    case PTX_tf32: return REAL_TF32;
    case PTX_e4m3x2: return REAL_E4M3;
    case PTX_e5m2x2: return REAL_E5M2;
    default: return REAL_TYPES;
    }
}

static bool is_integer(uint16_t type)
{
    return is_signed(type) || type == PTX_u8 || type == PTX_u16 || type == PTX_u32 || type == PTX_u64;
}

/* A conversion from or to a floating type. */
struct alu_conversion {
    enum real_type from, to; /* REAL_TYPES: an integer */
    enum real_round round;
    unsigned from_bytes, to_bytes, reg_bytes;
    bool from_signed, to_signed;
    bool integral; /* .rni and so on between floating types */
    bool ftz, sat, relu, satfinite;
};

/* What a NaN becomes differs from conversion to conversion; here as on an H200. False where it becomes the one NaN of
 * the format, or is converted as a value. */
static bool convert_nan(const struct alu_conversion *c, uint64_t bits, uint64_t *out)
{
    const struct real_format *to = &real_formats[c->to];

    if (c->to == REAL_TF32) /* rounding away from zero works on the bits */
        *out = c->round == REAL_RNA ? (bits & ~0x1fffull) - (c->satfinite ? 0x2000 : 0) : 0x7fffe000;
    else if (c->from == REAL_F32 && c->to == REAL_F64 && c->ftz && !c->sat)
        *out = 0x7fffffffe0000000; /* it becomes the NaN of f32 first */
    else if (c->from == c->to && c->to >= REAL_F32 && !c->integral && !c->ftz && !c->sat && !c->relu)
        *out = bits; /* a move */
    else if (c->from == REAL_BF16 && c->to == REAL_F32 && !c->sat && !c->relu)
        *out = (bits & 0xffff) << 16; /* widening a bf16 is a shift of its bits, whatever they are */
    else if (c->from == REAL_F64 && c->to != REAL_F64 && !c->sat) /* sign and leading digits stay; it becomes quiet */
        *out = bits >> 63 << (to->bits - 1) | (to->largest + 1) | 1ull << (to->fraction - 1) |
               (bits & 0xfffffffffffff) >> (52 - to->fraction);
    else
        return false;
    return true;
}

static uint64_t convert(const struct alu_conversion *c, uint64_t bits)
{
    /* .ftz flushes nothing on the way to f16 */
    const struct real x = real_unpack(c->from, bits, c->ftz && c->from == REAL_F32 && c->to != REAL_F16);
    uint64_t out;

    if (x.kind == REAL_NAN && convert_nan(c, bits, &out))
        return out;
    out = real_pack(c->to, c->integral ? real_integer(x, c->round) : x, c->round,
                    (c->ftz && c->to == REAL_F32 ? REAL_FTZ : 0u) | (c->satfinite ? REAL_SATFINITE : 0u));
    if (c->sat) { /* to [0, 1]; a NaN to 0 */
        const uint64_t one = real_pack(c->to, real_of_integer(1, false), REAL_RN, 0);
        if (real_is_nan(c->to, out) || real_order(c->to, out) < 0)
            return 0;
        return out > one ? one : out;
    }
    if (c->relu && !real_is_nan(c->to, out) && real_order(c->to, out) < 0)
        return 0;
    return out;
}

/* The host's conversion of an ordinary number, between single and double precision: false: it is none. */
static bool quickly(const struct alu_conversion *c, uint64_t bits, uint64_t *out)
{
    if (c->sat || c->relu || c->integral || c->satfinite)
        return false;
    if (c->from == REAL_F32 && c->to == REAL_F64) {
        const float x = alu_f32(bits);
        *out = real_bits((double)x);
        return x == 0 || (fabsf(x) >= FLT_MIN && fabsf(x) <= FLT_MAX);
    }
    if (c->from == REAL_F64 && c->to == REAL_F32 && c->round == REAL_RN) {
        const double x = real_double(bits);
        const float r = (float)x;
        uint32_t word;
        memcpy(&word, &r, sizeof word);
        *out = word;
        return x == 0 || (fabsf(r) > FLT_MIN && fabsf(r) <= FLT_MAX);
    }
    return false;
}

static void floats(struct emu_thread *t, const struct emu_op *op)
{
    uint64_t out;

    if (!quickly(op->conversion, t->r[op->a], &out))
        out = convert(op->conversion, t->r[op->a]);
    t->r[op->d] = out;
}

/* The first operand becomes the upper half. */
static void two_to_pair(struct emu_thread *t, const struct emu_op *op)
{
    const struct alu_conversion *c = op->conversion;

    t->r[op->d] = convert(c, t->r[op->a]) << real_formats[c->to].bits | convert(c, t->r[op->b]);
}

static void pair_to_pair(struct emu_thread *t, const struct emu_op *op)
{
    const struct alu_conversion *c = op->conversion;
    const unsigned from = real_formats[c->from].bits, to = real_formats[c->to].bits;

    t->r[op->d] = convert(c, t->r[op->a] >> from) << to | convert(c, t->r[op->a]);
}

/* The same of a number that has a place among the integers of 32 bits, or 64. */
static bool quickly_integer(const struct alu_conversion *c, uint64_t bits, uint64_t *out)
{
    const double x = c->from == REAL_F32   ? (double)alu_f32(bits)
                     : c->from == REAL_F64 ? real_double(bits)
                                           : (double)NAN;
    double whole;

    if (!(fabs(x) < INT32_MAX) || c->to_bytes < 4 || (x < 0 && !c->to_signed) || (c->ftz && x != 0 && fabs(x) < 1))
        return false;
    switch (c->round) {
    case REAL_RZ: whole = trunc(x); break;
    case REAL_RM: whole = floor(x); break;
    case REAL_RP: whole = ceil(x); break;
    case REAL_RN: whole = rint(x); break;
    default: return false;
    }
    *out = (uint64_t)(int64_t)whole;
    return true;
}

/* A value out of range becomes the nearest value of the type. A NaN becomes 0; where a 64-bit type is involved, only
 * the highest bit of the result is set. PTX ISA, cvt, "Notes". */
static void float_to_integer(struct emu_thread *t, const struct emu_op *op)
{
    const struct alu_conversion *c = op->conversion;
    const unsigned bits = c->to_bytes * 8;
    const uint64_t lowest = 1ull << (bits - 1);
    const uint64_t most = c->to_signed ? lowest - 1 : UINT64_MAX >> (64 - bits);
    const uint64_t least = c->to_signed ? lowest : 0; /* its magnitude */
    struct real x = { .kind = REAL_ZERO };
    uint64_t value;
    const bool quick = quickly_integer(c, t->r[op->a], &value);

    if (!quick)
        x = real_integer(real_unpack(c->from, t->r[op->a], c->ftz), c->round);
    if (quick) {
        value = emu_low(value, c->to_bytes);
    } else if (x.kind == REAL_NAN) {
        value = c->from == REAL_F64 || c->to_bytes == 8 ? lowest : 0;
    } else if (x.kind == REAL_ZERO) {
        value = 0;
    } else {
        const uint64_t limit = x.negative ? least : most;
        /* 53 digits at most, so the shift loses none */
        const bool huge = x.kind == REAL_INFINITE || x.exponent > 64;
        value = huge || x.digits << x.exponent > limit ? limit : (uint64_t)(x.digits << x.exponent);
        value = x.negative ? 0 - value : value;
    }
    value = emu_low(value, c->to_bytes);
    if (c->to_signed)
        value = sign_extended(value, c->to_bytes);
    t->r[op->d] = emu_low(value, c->reg_bytes);
}

static void integer_to_float(struct emu_thread *t, const struct emu_op *op)
{
    const struct alu_conversion *c = op->conversion;
    uint64_t value = emu_low(t->r[op->a], c->from_bytes), out;
    bool negative = false;

    if (c->from_signed) {
        value = sign_extended(value, c->from_bytes);
        negative = (int64_t)value < 0;
        value = negative ? 0 - value : value;
    }
    if (!c->sat && c->round == REAL_RN && (c->to == REAL_F32 || c->to == REAL_F64)) {
        const float single = (float)value;
        uint32_t word;
        memcpy(&word, &single, sizeof word);
        out = c->to == REAL_F32 ? word : real_bits((double)value);
        t->r[op->d] = out | (uint64_t)(negative && value) << (c->to == REAL_F32 ? 31 : 63);
        return;
    }
    out = real_pack(c->to, real_of_integer(value, negative), c->round, 0);
    if (c->sat) {
        const uint64_t one = real_pack(c->to, real_of_integer(1, false), REAL_RN, 0);
        out = negative ? 0 : out > one ? one : out;
    }
    t->r[op->d] = out;
}

static emu_handler *decode_floats(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const uint16_t to = i->type[0], from = i->type[1], round = ptx_word_of(m, i, PC_round);
    struct alu_conversion *c;

    if (alu_real(to) == REAL_TYPES && !is_integer(to))
        return NULL;
    if ((alu_real(from) == REAL_TYPES && !is_integer(from)) || round == PTX_rs)
        return NULL;
    c = emu_kept(sizeof *c);
    if (!c)
        return NULL;
    *c = (struct alu_conversion){ .from = alu_real(from),
                                  .to = alu_real(to),
                                  .from_bytes = ptx_type_size(from),
                                  .to_bytes = ptx_type_size(to),
                                  .reg_bytes = emu_register_bytes(ptx_operand(m, i, 0)),
                                  .from_signed = is_signed(from),
                                  .to_signed = is_signed(to),
                                  .integral =
                                      round == PTX_rni || round == PTX_rzi || round == PTX_rmi || round == PTX_rpi,
                                  .ftz = ptx_has(m, i, PTX_ftz),
                                  .sat = ptx_has(m, i, PTX_sat),
                                  .relu = ptx_has(m, i, PTX_relu),
                                  .satfinite = ptx_has(m, i, PTX_satfinite) };
    switch (round) {
    case PTX_rz:
    case PTX_rzi: c->round = REAL_RZ; break;
    case PTX_rm:
    case PTX_rmi: c->round = REAL_RM; break;
    case PTX_rp:
    case PTX_rpi: c->round = REAL_RP; break;
    case PTX_rna: c->round = REAL_RNA; break;
    default: c->round = REAL_RN; break;
    }
    op->conversion = c;
    if (c->to == REAL_TYPES)
        return float_to_integer;
    if (c->from == REAL_TYPES)
        return integer_to_float;
    if (i->n_operands == 3)
        return two_to_pair;
    return from == PTX_f16x2 || from == PTX_e4m3x2 || from == PTX_e5m2x2 ? pair_to_pair : floats;
}

/* ---- cvt.pack: two saturated integers, below them what c holds -------------------------------------------------- */

static void pack(struct emu_thread *t, const struct emu_op *op)
{
    const unsigned bits = op->cvt_pack.bits;
    const int64_t most = op->cvt_pack.is_signed ? (1ll << (bits - 1)) - 1 : (1ll << bits) - 1;
    const int64_t least = op->cvt_pack.is_signed ? -(1ll << (bits - 1)) : 0;
    const uint64_t mask = (1ull << bits) - 1;
    const uint64_t c = op->c == EMU_NO ? 0 : t->r[op->c] << 2 * bits;
    int64_t a = (int32_t)t->r[op->a], b = (int32_t)t->r[op->b];

    a = a > most ? most : a < least ? least : a;
    b = b > most ? most : b < least ? least : b;
    t->r[op->d] = (c | ((uint64_t)a & mask) << bits | ((uint64_t)b & mask)) & 0xffffffffu;
}

static emu_handler *decode_pack(const struct ptx_instruction *i, struct emu_op *op)
{
    op->cvt_pack.is_signed =
        i->type[0] == PTX_s16 || i->type[0] == PTX_s8 || i->type[0] == PTX_s4 || i->type[0] == PTX_s2;
    switch (i->type[0]) {
    case PTX_u16:
    case PTX_s16: op->cvt_pack.bits = 16; break;
    case PTX_u8:
    case PTX_s8: op->cvt_pack.bits = 8; break;
    case PTX_u4:
    case PTX_s4: op->cvt_pack.bits = 4; break;
    case PTX_u2:
    case PTX_s2: op->cvt_pack.bits = 2; break;
    default: return NULL;
    }
    return pack;
}

emu_handler *emu_decode_convert(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    if (i->op == OP_cvt_pack)
        return decode_pack(i, op);
    if (i->op != OP_cvt)
        return NULL;
    if (is_integer(i->type[0]) && is_integer(i->type[1]))
        return decode_integers(m, i, op);
    return decode_floats(m, i, op);
}
// SPDX-License-Identifier: Apache-2.0
