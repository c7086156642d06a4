/* Instruction table: floating-point arithmetic and conversions. */
#include "harness/emu/forms/extra.h"
#include "harness/emu/forms/tables.h"

#define D2     "dT0 sT0"
#define D3     "dT0 sT0 sT0"
#define D4     "dT0 sT0 sT0 sT0"
#define HALVES "f16|f16x2"
#define BRAIN  "bf16|bf16x2"

static bool is_float(uint16_t t)
{
    return t == PTX_f16 || t == PTX_bf16 || t == PTX_f32 || t == PTX_f64;
}

static bool is_signed(uint16_t t)
{
    return t == PTX_s8 || t == PTX_s16 || t == PTX_s32 || t == PTX_s64;
}

/* Whether the first integer type has every value of the second. */
static bool holds_all(uint16_t to, uint16_t from)
{
    const unsigned wide = ptx_type_size(to), narrow = ptx_type_size(from);

    return is_signed(from) ? is_signed(to) && wide >= narrow : wide > narrow || (wide == narrow && !is_signed(to));
}

/* On targets before sm_20 it has no rounding. Compiled for a later machine it is fma.rn. PTX ISA, "mad". */
static bool first_targets(struct form_candidate *c)
{
    return c->m->sm < 20 || form_fail(c, NULL, "'mad.f32' needs .rn, .rz, .rm or .rp");
}

/* cvt between these types: whether a rounding modifier must, may or must not be there, and which. PTX ISA, "cvt". */
static bool convert(struct form_candidate *c)
{
    const uint16_t to = c->i->type[0], from = c->i->type[1];
    const uint16_t round = ptx_word_of(c->m, c->i, PC_round);
    const bool integral = round == PTX_rni || round == PTX_rzi || round == PTX_rmi || round == PTX_rpi;
    const unsigned wide = ptx_type_size(to), narrow = ptx_type_size(from);
    const bool ftz = form_has(c, PTX_ftz);

    if (ftz && to != PTX_f32 && from != PTX_f32)
        return form_fail(c, NULL, "'.ftz' on 'cvt' needs a .f32");
    if (form_has(c, PTX_sat) && (to == PTX_bf16 || from == PTX_bf16))
        return form_fail(c, NULL, "'.sat' is not allowed on .bf16");
    if (form_has(c, PTX_sat) && !is_float(to) && !is_float(from) && holds_all(to, from))
        return form_fail(c, NULL, "'.sat' from .%s to .%s has nothing to saturate", ptx_word_text[from],
                         ptx_word_text[to]);
    if (!is_float(to) && !is_float(from))
        return !round || form_fail(c, NULL, "a conversion between integers takes no rounding");
    if (!is_float(to)) /* float to integer */
        return integral || form_fail(c, NULL, "a conversion to an integer needs .rni, .rzi, .rmi or .rpi");
    if (!is_float(from))
        return (round && !integral) || form_fail(c, NULL, "a conversion from an integer needs .rn, .rz, .rm or .rp");
    if (to == from)
        return !round || integral || to == PTX_bf16 ||
               form_fail(c, NULL, "a conversion of .%s to itself takes an integer rounding", ptx_word_text[to]);
    if (wide == narrow) /* f16 and bf16 */
        return !integral || form_fail(c, NULL, "a conversion between .f16 and .bf16 takes no integer rounding");
    if (wide < narrow)
        return (round && !integral) || form_fail(c, NULL, "a conversion to a narrower type needs a rounding");
    if (from == PTX_bf16 || to == PTX_bf16)
        return true;
    return !round || form_fail(c, NULL, "a conversion to a wider type takes no rounding");
}

/* With PTX ISA 8.1 came the older of the two targets. */
#define FP8(version, target)                                                                                           \
    { OP_cvt, "rn satfinite ?relu e4m3x2|e5m2x2 f32", "dT0 sf32 sf32", version, target },                              \
        { OP_cvt, "rn satfinite ?relu e4m3x2|e5m2x2 f16x2", "dT0 sT1", version, target },                              \
    {                                                                                                                  \
        OP_cvt, "rn ?relu f16x2 e4m3x2|e5m2x2", "dT0 rT1", version, target                                             \
    }

const struct ptx_form ptx_forms_float[] = {
#define ARITHMETIC(op)                                                                                                 \
    { op, "?$rnd ?ftz ?sat f32", D3 }, { op, "?$rnd f64", D3 }, { op, "?$rnd ?ftz f32x2", "dT0 rT0 rT0", 86, "100" },  \
        { op, "?rn ?ftz ?sat " HALVES, D3, 42, "53" }, { op, "?rn " BRAIN, D3, 78, "90" },                             \
    {                                                                                                                  \
        op, "?$rnd ?sat f32 f16|bf16", "df32 sT1 sf32", 86, "100"                                                      \
    }
    ARITHMETIC(OP_add),
    ARITHMETIC(OP_sub),
    { OP_mul, "?$rnd ?ftz ?sat f32", D3 },
    { OP_mul, "?$rnd f64", D3 },
    { OP_mul, "?$rnd ?ftz f32x2", "dT0 rT0 rT0", 86, "100" },
    { OP_mul, "?rn ?ftz ?sat " HALVES, D3, 42, "53" },
    { OP_mul, "?rn " BRAIN, D3, 78, "90" },
    { OP_fma, "$rnd ?ftz ?sat f32", D4, 20, "20" },
    { OP_fma, "$rnd f64", D4, 14 },
    { OP_fma, "$rnd ?ftz f32x2", "dT0 rT0 rT0 rT0", 86, "100" },
    { OP_fma, "rn ?ftz ?sat|relu@70/80 " HALVES, D4, 42, "53" },
    { OP_fma, "rn ?relu " BRAIN, D4, 70, "80" },
    { OP_fma, "rn oob ?relu " HALVES "|" BRAIN, D4, 81, "90" },
    { OP_fma, "$rnd ?sat f32 f16|bf16", "df32 sT1 sT1 sf32", 86, "100" },
    { OP_mad, "$rnd ?ftz ?sat f32", D4 },
    { OP_mad, "?sat f32", D4, 0, NULL, first_targets },
    { OP_mad, "$rnd f64", D4 },
    { OP_div, "approx ?ftz f32", D3 },
    { OP_div, "^full ?ftz f32", D3 },
    { OP_div, "$rnd ?ftz f32", D3, 14, "20", form_whole },
    { OP_div, "$rnd f64", D3, 14 },
    { OP_abs, "?ftz f32", D2 },
    { OP_abs, "f64", D2 },
    { OP_abs, "?ftz " HALVES, D2, 65, "53" },
    { OP_abs, BRAIN, D2, 70, "80" },
    { OP_neg, "?ftz f32", D2 },
    { OP_neg, "f64", D2 },
    { OP_neg, "?ftz " HALVES, D2, 60, "53" },
    { OP_neg, BRAIN, D2, 70, "80" },
#define EXTREME(op)                                                                                                    \
    { op, "?ftz ?NaN@70/80 f32", D3 }, { op, "f64", D3 }, { op, "?ftz ?NaN xorsign abs f32", D3, 72, "86" },           \
        { op, "?ftz ?NaN ?abs f32", "dT0 sT0 sT0 sT0", 88, "100" }, { op, "?ftz ?NaN " HALVES, D3, 70, "80" },         \
        { op, "?NaN " BRAIN, D3, 70, "80" }, { op, "?ftz ?NaN xorsign abs " HALVES, D3, 72, "86" },                    \
    {                                                                                                                  \
        op, "?NaN xorsign abs " BRAIN, D3, 72, "86"                                                                    \
    }
    EXTREME(OP_min),
    EXTREME(OP_max),
    { OP_rcp, "approx ?ftz f32", D2 },
    { OP_rcp, "$rnd ?ftz f32", D2, 14, "20" },
    { OP_rcp, "$rnd f64", D2, 14 },
    { OP_rcp, "approx ftz f64", D2, 21, "20" },
    { OP_sqrt, "approx ?ftz f32", D2 },
    { OP_sqrt, "$rnd ?ftz f32", D2, 14, "20" },
    { OP_sqrt, "$rnd f64", D2, 14 },
    { OP_rsqrt, "approx ?ftz f32", D2 },
    { OP_rsqrt, "approx ?ftz@40/20 f64", D2 },
    { OP_sin, "approx ?ftz f32", D2, 14 },
    { OP_cos, "approx ?ftz f32", D2, 14 },
    { OP_lg2, "approx ?ftz f32", D2, 14 },
    { OP_ex2, "approx ?ftz f32", D2, 14 },
    { OP_ex2, "approx " HALVES, D2, 70, "75" },
    { OP_ex2, "approx ftz " BRAIN, D2, 78, "90" },
    { OP_tanh, "approx f32|" HALVES, D2, 70, "75" },
    { OP_tanh, "approx " BRAIN, D2, 78, "90" },
    { OP_copysign, "f32|f64", D3, 20, "20" },

#define CVT     "?rn|rz|rm|rp|rni|rzi|rmi|rpi ?ftz ?sat "
#define NUMBERS "u8|u16|u32|u64|s8|s16|s32|s64|f16|f32|f64"
    { OP_cvt, CVT NUMBERS " " NUMBERS, "dT0+ sT1+", 0, NULL, convert },
    /* Beside a bf16, registers have the size of their type. */
    { OP_cvt, CVT "bf16@78/90 " NUMBERS "|bf16@71/80", "dT0 sT1", 0, NULL, convert },
    { OP_cvt, CVT NUMBERS " bf16@71/80", "dT0 sT1", 0, NULL, convert },
    { OP_cvt, "rn|rz ?relu ?satfinite@81 f16|bf16 f32", "dT0 sT1", 70, "80" },
    { OP_cvt, "rna ?satfinite@81/89 tf32 f32", "dT0 sf32", 70, "80" },
    { OP_cvt, "rn|rz ?relu ?satfinite@86/100 tf32 f32", "dT0 sf32", 78, "90" },
    { OP_cvt, "rn|rz ?relu ?satfinite@81 f16x2|bf16x2 f32", "dT0 sf32 sf32", 70, "80" },
    { OP_cvt, "rs ?relu ?satfinite f16x2|bf16x2 f32", "dT0 sf32 sf32 rbf16x2", 87, "10a" },
    FP8(78, "90"),
    FP8(81, "89"),
    { OP_cvt, "rn satfinite ?relu e2m1x2 f32", "dT0 sf32 sf32", 86, "1xx" },
    { OP_cvt, "rn ?relu f16x2 e2m1x2", "dT0 rT1", 86, "1xx" },
    { OP_cvt, "rn satfinite ?relu e2m3x2|e3m2x2 f32", "dT0 sf32 sf32", 86, "1xx" },
    { OP_cvt, "rn ?relu f16x2 e2m3x2|e3m2x2", "dT0 rT1", 86, "1xx" },
    { OP_cvt, "rz|rp ?satfinite ue8m0x2 f32", "dT0 sf32 sf32", 86, "1xx" },
    { OP_cvt, "rz|rp ?satfinite ue8m0x2 bf16x2", "dT0 rbf16x2", 86, "1xx" },
    { OP_cvt, "rn bf16x2 ue8m0x2", "dT0 rT1", 86, "1xx" },
    { OP_cvt, "rs satfinite ?relu e4m3x4|e5m2x4|e2m3x4|e3m2x4 f32", "dT0 v4f32 rbf16x2", 87, "10a" },
    { OP_cvt, "rs satfinite ?relu e2m1x4 f32", "dT0 v4f32 rbf16x2", 87, "10a" },
    { OP_cvt_pack, "sat u16|s16 s32", "du32 ss32 ss32", 65, "70" },
    { OP_cvt_pack, "sat u2|s2|u4|s4|u8|s8 s32 b32", "du32 ss32 ss32 sb32", 65, "70" },
    { 0 },
};
// SPDX-License-Identifier: Apache-2.0
