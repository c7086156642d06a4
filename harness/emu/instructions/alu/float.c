/* Floating-point arithmetic. PTX ISA, "Floating Point Instructions", "Half Precision Floating Point Instructions".
 *
 * Single and double precision, to nearest and without modifiers, are the host's own arithmetic, and so are other forms
 * of them where operands and result are ordinary numbers; all else goes through exact values (real.h). Approximate
 * functions are computed in double precision and rounded to the type, so they are within every documented error, but do
 * not always have the bits of a GPU. A product and a sum are never fused here, which the ISA leaves to the
 * implementation where the instruction has no rounding. */
#include <float.h>
#include <math.h>
#include <string.h>
#ifndef __x86_64__
#include <fenv.h>
#endif

#include "harness/emu/instructions/alu/alu.h"
#include "harness/emu/instructions/alu/half.h"
#include "harness/emu/instructions/alu/halves.h"
#include "harness/emu/instructions/alu/lanes.h"
#include "harness/emu/instructions/alu/real.h"
#include "harness/emu/instructions/alu/signs.h"

/* ---- the common forms ------------------------------------------------------------------------------------------- */

static inline uint64_t of_f32(float f)
{
    uint32_t bits;

    memcpy(&bits, &f, sizeof bits);
    return f != f ? 0x7fffffff : bits;
}

/* Handlers for single and double precision. e32 and e64 are the result of operands a and b (and of op->c). A NaN of
 * double precision is that of the first operand that is one, in the order of slots op->n1, op->n2 and value n3. */
#define FAST(name, e32, e64, n1, n2, n3)                                                                               \
    static inline uint64_t name##_f32_value(const struct emu_lane *t, const struct emu_op *op)                         \
    {                                                                                                                  \
        const float a = alu_f32(t->r[op->a]), b = alu_f32(t->r[op->b]);                                                \
        return of_f32(e32);                                                                                            \
    }                                                                                                                  \
    static inline uint64_t name##_f64_value(const struct emu_lane *t, const struct emu_op *op)                         \
    {                                                                                                                  \
        const double a = real_double(t->r[op->a]), b = real_double(t->r[op->b]);                                       \
        const double d = e64;                                                                                          \
        return d == d ? real_bits(d) : real_nan_f64(t->r[op->n1], t->r[op->n2], n3);                                   \
    }                                                                                                                  \
    EMU_LANES(name##_f32)                                                                                              \
    EMU_LANES(name##_f64)
FAST(add, a + b, a + b, a, b, 0)
FAST(sub, a - b, a - b, a, b, 0)
FAST(mul, a *b, a *b, a, b, 0)
FAST(divide, a / b, a / b, b, a, 0) /* the dividend's NaN comes first */
FAST(fused, fmaf(a, b, alu_f32(t->r[op->c])), fma(a, b, real_double(t->r[op->c])), a, b, t->r[op->c])

/* ---- all forms ----------------------------------------------------------------------------------------------------
 */

/* One element's operation, and its modifiers. */
struct alu_arithmetic {
    uint64_t (*one)(const struct alu_arithmetic *f, uint64_t a, uint64_t b, uint64_t c);
    double (*function)(double);  /* of approximations */
    enum real_type type, narrow; /* of the result; of the factors, or of the first addend */
    enum real_round round;
    unsigned lanes;
    bool ftz, sat, relu, oob, nan, xorsign, abs, three;
    enum {
        QUICK_NOT,
        QUICK_ADD,
        QUICK_SUB,
        QUICK_MUL,
        QUICK_FMA,
        QUICK_DIV,
        QUICK_RCP,
        QUICK_SQRT,
        QUICK_FUNCTION
    } quick;
    bool half;  /* of f16 or bf16, and half.h does the same for ordinary numbers */
    bool rough; /* a divisor above 2^126 is another matter */
};

/* ---- ordinary numbers --------------------------------------------------------------------------------------------
 *
 * The host's arithmetic rounds as the emulated one does, in all modes. Subnormal operands with .ftz, subnormal results,
 * infinities and NaNs are left to exact values, and so is a zero whose sign the mode decides. */

#ifdef __x86_64__
typedef unsigned host_mode;
static inline host_mode set_mode(enum real_round round)
{
    static const unsigned bits[] = { [REAL_RM] = 0x2000, [REAL_RP] = 0x4000, [REAL_RZ] = 0x6000 };
    const unsigned was = __builtin_ia32_stmxcsr();

    __builtin_ia32_ldmxcsr((was & ~0x6000u) | bits[round]);
    return was;
}
static inline void put_mode_back(host_mode was)
{
    __builtin_ia32_ldmxcsr(was);
}
#else
typedef int host_mode;
static inline host_mode set_mode(enum real_round round)
{
    const int was = fegetround();

    fesetround(round == REAL_RM ? FE_DOWNWARD : round == REAL_RP ? FE_UPWARD : FE_TOWARDZERO);
    return was;
}
static inline void put_mode_back(host_mode was)
{
    fesetround(was);
}
#endif

/* The operands are volatile so that the operation stays where the mode is set. */
#define QUICKLY(type, fused, root)                                                                                     \
    static type quickly_##type(const struct alu_arithmetic *f, const volatile type *x)                                 \
    {                                                                                                                  \
        switch (f->quick) {                                                                                            \
        case QUICK_ADD: return x[0] + x[1];                                                                            \
        case QUICK_SUB: return x[0] - x[1];                                                                            \
        case QUICK_MUL: return x[0] * x[1];                                                                            \
        case QUICK_FMA: return fused(x[0], x[1], x[2]);                                                                \
        case QUICK_DIV: return x[0] / x[1];                                                                            \
        case QUICK_RCP: return 1 / x[0];                                                                               \
        case QUICK_SQRT: return root(x[0]);                                                                            \
        default: return (type)f->function(x[0]);                                                                       \
        }                                                                                                              \
    }                                                                                                                  \
    static type in_mode_##type(const struct alu_arithmetic *f, const volatile type *x)                                 \
    {                                                                                                                  \
        const host_mode was = set_mode(f->round);                                                                      \
        const volatile type out = quickly_##type(f, x);                                                                \
        put_mode_back(was);                                                                                            \
        return out;                                                                                                    \
    }
QUICKLY(float, fmaf, sqrtf)
QUICKLY(double, fma, sqrt)

static inline bool is_subnormal(float x)
{
    return x != 0 && fabsf(x) < FLT_MIN;
}

static bool quick_f32(const struct alu_arithmetic *f, uint64_t a, uint64_t b, uint64_t c, uint64_t *out)
{
    const float x[3] = { alu_f32(a), alu_f32(b), alu_f32(c) };
    float r;

    if ((f->ftz && (is_subnormal(x[0]) || is_subnormal(x[1]) || is_subnormal(x[2]))) ||
        (f->rough && !(fabsf(x[1]) <= 0x1p126f)))
        return false;
    r = f->round == REAL_RN ? quickly_float(f, x) : in_mode_float(f, x);
    *out = of_f32(r);
    return (fabsf(r) > FLT_MIN && fabsf(r) <= FLT_MAX) || (r == 0 && f->round == REAL_RN && f->quick <= QUICK_FMA);
}

static bool quick_f64(const struct alu_arithmetic *f, uint64_t a, uint64_t b, uint64_t c, uint64_t *out)
{
    const double x[3] = { real_double(a), real_double(b), real_double(c) };
    const double r = f->round == REAL_RN ? quickly_double(f, x) : in_mode_double(f, x);

    *out = real_bits(r);
    return (fabs(r) > DBL_MIN && fabs(r) <= DBL_MAX) || (r == 0 && f->round == REAL_RN && f->quick <= QUICK_FMA);
}

static void elements(struct emu_thread *t, const struct emu_op *op)
{
    const struct alu_arithmetic *f = op->arithmetic;
    const unsigned bits = real_formats[f->type].bits;
    const uint64_t mask = UINT64_MAX >> (64 - bits);
    const uint64_t a = t->r[op->a], b = t->r[op->b], c = t->r[op->c];
    uint64_t d = 0;

    if (f->quick && (f->type == REAL_F32 ? quick_f32 : quick_f64)(f, a & mask, b & mask, c & mask, &d)) {
        t->r[op->d] = d;
        return;
    }
    d = 0;
    for (unsigned k = 0; k < f->lanes; k++)
        d |= f->one(f, a >> k * bits & mask, b >> k * bits & mask, c >> k * bits & mask) << k * bits;
    t->r[op->d] = d;
}

static uint64_t one_of(enum real_type type)
{
    return real_pack(type, real_of_integer(1, false), REAL_RN, 0);
}

/* The result in its format. .sat brings it to [0, 1] and makes a NaN 0; .relu makes negative values and -0 0. */
static uint64_t finish(const struct alu_arithmetic *f, struct real x)
{
    const uint64_t out = real_pack(f->type, x, f->round, f->ftz ? REAL_FTZ : 0);

    if (f->sat) {
        const uint64_t one = one_of(f->type);
        return x.kind == REAL_NAN || real_order(f->type, out) < 0 ? 0 : out > one ? one : out;
    }
    return f->relu && x.kind != REAL_NAN && real_order(f->type, out) < 0 ? 0 : out;
}

static struct real take(const struct alu_arithmetic *f, uint64_t bits)
{
    return real_unpack(f->type, bits, f->ftz);
}

static struct real take_narrow(const struct alu_arithmetic *f, uint64_t bits)
{
    return real_unpack(f->narrow, bits, f->ftz);
}

static bool any_nan_f64(const struct alu_arithmetic *f, uint64_t a, uint64_t b, uint64_t c)
{
    return f->type == REAL_F64 && (real_is_nan(REAL_F64, a) || real_is_nan(REAL_F64, b) || real_is_nan(REAL_F64, c));
}

/* Two factors or addends of a half, as doubles. */
static bool halves(const struct alu_arithmetic *f, uint64_t a, uint64_t b, double *x, double *y)
{
    return f->half && half_double(f->type, a, x) && half_double(f->type, b, y);
}

static uint64_t sum(const struct alu_arithmetic *f, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t out;
    double x, y;

    (void)c;
    if (halves(f, a, b, &x, &y) && half_sum(f->type, x, y, &out))
        return out;
    if (any_nan_f64(f, a, b, 0))
        return real_nan_f64(a, b, 0);
    return finish(f, real_add(take_narrow(f, a), take(f, b), f->round));
}

static uint64_t difference(const struct alu_arithmetic *f, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t out;
    double x, y;

    (void)c;
    if (halves(f, a, b, &x, &y) && half_sum(f->type, x, -y, &out))
        return out;
    if (any_nan_f64(f, a, b, 0))
        return real_nan_f64(a, b, 0);
    return finish(f, real_add(take_narrow(f, a), real_negate(take(f, b)), f->round));
}

static uint64_t product(const struct alu_arithmetic *f, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t out;
    double x, y;

    (void)c;
    if (halves(f, a, b, &x, &y) && half_sum(f->type, x * y, 0, &out))
        return out;
    if (any_nan_f64(f, a, b, 0))
        return real_nan_f64(a, b, 0);
    return finish(f, real_mul(take(f, a), take(f, b)));
}

/* The NaN that tensor copies fill with, if a map asks for it: with .oob a product with it is zero. */
static bool is_oob(uint64_t bits)
{
    return bits == 0x7ff7;
}

static uint64_t fused_product(const struct alu_arithmetic *f, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t out;
    double x, y, z;

    if (halves(f, a, b, &x, &y) && half_double(f->type, c, &z) && half_sum(f->type, x * y, z, &out))
        return out;
    if (f->oob && (is_oob(a) || is_oob(b)))
        return 0;
    if (any_nan_f64(f, a, b, c))
        return real_nan_f64(a, b, c);
    return finish(f, real_add(real_mul(take_narrow(f, a), take_narrow(f, b)), take(f, c), f->round));
}

static uint64_t quotient(const struct alu_arithmetic *f, uint64_t a, uint64_t b, uint64_t c)
{
    (void)c;
    return finish(f, real_div(take(f, a), take(f, b)));
}

/* PTX ISA, div.approx: a divisor above 2^126 gives 0, and a NaN if an infinity is divided. */
static uint64_t rough_quotient(const struct alu_arithmetic *f, uint64_t a, uint64_t b, uint64_t c)
{
    const uint64_t magnitude = b & 0x7fffffff;

    if (magnitude > 0x7e800000 && magnitude < 0x7f800000) {
        if ((a & 0x7fffffff) >= 0x7f800000)
            return real_formats[REAL_F32].nan;
        return (a ^ b) & 0x80000000;
    }
    return quotient(f, a, b, c);
}

static uint64_t reciprocal(const struct alu_arithmetic *f, uint64_t a, uint64_t b, uint64_t c)
{
    (void)b;
    (void)c;
    return finish(f, real_div(real_of_integer(1, false), take(f, a)));
}

static uint64_t root(const struct alu_arithmetic *f, uint64_t a, uint64_t b, uint64_t c)
{
    (void)b;
    (void)c;
    return finish(f, real_sqrt(take(f, a)));
}

static uint64_t approximate(const struct alu_arithmetic *f, uint64_t a, uint64_t b, uint64_t c)
{
    const uint64_t x = real_pack(REAL_F64, take(f, a), REAL_RN, 0);

    (void)b;
    (void)c;
    if (real_is_nan(f->type, a))
        return finish(f, take(f, a));
    return finish(f, real_of_double(f->function(real_double(x))));
}

static double inverse_root(double x)
{
    return 1 / sqrt(x);
}

static double inverse(double x)
{
    return 1 / x;
}

/* rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 work on upper words alone, and give a NaN that only they have. */
static uint64_t upper_word(const struct alu_arithmetic *f, uint64_t a, uint64_t b, uint64_t c)
{
    const uint64_t word = ~0xffffffffull;
    const uint64_t out = approximate(f, a & word, b, c);

    return real_is_nan(REAL_F64, out) ? 0x7fffffff00000000 : out & word;
}

/* ex2 of 16 bits: the value in single precision, rounded towards zero; a value that is too large is an infinity. */
static uint64_t exponential_16(const struct alu_arithmetic *f, uint64_t a, uint64_t b, uint64_t c)
{
    struct alu_arithmetic single = *f;
    uint64_t bits;

    (void)b;
    (void)c;
    if (real_is_nan(f->type, a))
        return real_formats[f->type].nan;
    single.type = REAL_F32;
    single.one = approximate;
    bits = approximate(&single, real_pack(REAL_F32, take(f, a), REAL_RN, 0), 0, 0);
    if (f->type == REAL_F16 && bits >= 0x47800000) /* 2^16 */
        return 0x7c00;
    return real_pack(f->type, real_unpack(REAL_F32, bits, f->ftz), REAL_RZ, f->ftz ? REAL_FTZ : 0);
}

/* Sine and cosine: the hardware multiplies by 1 / 2 pi in single precision, rounds towards zero, and takes the function
 * of the fraction of a turn. Doing the same, large angles lose the same digits. */
static uint64_t of_angle(const struct alu_arithmetic *f, uint64_t a, uint64_t b, uint64_t c)
{
    static const uint64_t inverse_of_turn = 0x3e22f983;
    const double two_pi = 6.283185307179586;
    const struct real turns = real_mul(take(f, a), take(f, inverse_of_turn));
    const uint64_t rounded = real_pack(REAL_F32, turns, REAL_RZ, f->ftz ? REAL_FTZ : 0);
    const double x = (double)alu_f32(rounded);

    (void)b;
    (void)c;
    if (x - x != 0) /* infinite or NaN */
        return real_formats[REAL_F32].nan;
    return finish(f, real_of_double(f->function(fmod(x, 1) * two_pi)));
}

/* The hardware adds -0: a NaN becomes the canonical one, or quiet, and keeps its sign. */
static uint64_t absolute(const struct alu_arithmetic *f, uint64_t a, uint64_t b, uint64_t c)
{
    struct real x = take(f, a);

    (void)b;
    (void)c;
    x.negative &= x.kind == REAL_NAN;
    return finish(f, x);
}

static uint64_t negated(const struct alu_arithmetic *f, uint64_t a, uint64_t b, uint64_t c)
{
    (void)b;
    (void)c;
    return finish(f, real_negate(take(f, a)));
}

static uint64_t with_sign(const struct alu_arithmetic *f, uint64_t a, uint64_t b, uint64_t c)
{
    const uint64_t sign = 1ull << (real_formats[f->type].bits - 1);

    (void)c;
    return (a & sign) | (b & (sign - 1));
}

/* ---- min and max: a number wins over a NaN, except with .NaN; -0 is below +0
 * ---------------------------------------------------- */

static uint64_t flushed(const struct alu_arithmetic *f, uint64_t bits)
{
    const uint64_t sign = 1ull << (real_formats[f->type].bits - 1);

    if (f->abs)
        bits &= sign - 1;
    return f->ftz && take(f, bits).kind == REAL_ZERO ? bits & sign : bits;
}

static uint64_t extreme_of(const struct alu_arithmetic *f, uint64_t a, uint64_t b, bool greatest)
{
    const bool a_nan = real_is_nan(f->type, a), b_nan = real_is_nan(f->type, b);

    if ((a_nan && b_nan) || (f->nan && (a_nan || b_nan)))
        return f->type == REAL_F64 ? real_nan_f64(a, b, 0) : real_formats[f->type].nan;
    if (a_nan || b_nan)
        return a_nan ? b : a;
    return (real_order(f->type, a) < real_order(f->type, b)) == greatest ? b : a;
}

static uint64_t extreme(const struct alu_arithmetic *f, uint64_t a, uint64_t b, uint64_t c, bool greatest)
{
    const uint64_t sign = 1ull << (real_formats[f->type].bits - 1);
    const uint64_t signs = (a ^ b) & sign;
    uint64_t out = extreme_of(f, flushed(f, a), flushed(f, b), greatest);

    if (f->three)
        out = extreme_of(f, out, flushed(f, c), greatest);
    return f->xorsign && !real_is_nan(f->type, out) ? (out & (sign - 1)) | signs : out;
}

static uint64_t least(const struct alu_arithmetic *f, uint64_t a, uint64_t b, uint64_t c)
{
    return extreme(f, a, b, c, false);
}

static uint64_t greatest(const struct alu_arithmetic *f, uint64_t a, uint64_t b, uint64_t c)
{
    return extreme(f, a, b, c, true);
}

/* ---- decoding ------------------------------------------------------------------------------------------------------
 */

static bool type_of(uint16_t type, struct alu_arithmetic *f)
{
    f->lanes = type == PTX_f16x2 || type == PTX_bf16x2 || type == PTX_f32x2 ? 2 : 1;
    switch (type) {
    case PTX_f16:
    case PTX_f16x2: f->type = REAL_F16; return true;
    case PTX_bf16:
    case PTX_bf16x2: f->type = REAL_BF16; return true;
    case PTX_f32:
    case PTX_f32x2: f->type = REAL_F32; return true;
    case PTX_f64: f->type = REAL_F64; return true;
    default: return false;
    }
}

/* Sets the operation of one element, and f->function where it is an approximation. False where it is not modelled. */
static bool operation_of(const struct ptx_instruction *i, struct alu_arithmetic *f, bool approx)
{
    switch (i->op) {
    case OP_add: f->one = sum; return true;
    case OP_sub: f->one = difference; return true;
    case OP_mul: f->one = product; return true;
    case OP_fma:
    case OP_mad: f->one = fused_product; return true;
    case OP_div: f->one = approx ? rough_quotient : quotient; return true;
    case OP_abs: f->one = absolute; return true;
    case OP_neg: f->one = negated; return true;
    case OP_copysign: f->one = with_sign; return true;
    case OP_min: f->one = least; return true;
    case OP_max: f->one = greatest; return true;
    case OP_sqrt: f->one = root; return true;
    case OP_rcp:
        f->one = approx && f->type == REAL_F64 ? upper_word : reciprocal;
        f->function = inverse;
        return true;
    case OP_rsqrt:
        f->one = f->ftz && f->type == REAL_F64 ? upper_word : approximate;
        f->function = inverse_root;
        return true;
    case OP_sin:
        f->one = of_angle;
        f->function = sin;
        return true;
    case OP_cos:
        f->one = of_angle;
        f->function = cos;
        return true;
    case OP_lg2: f->function = log2; break;
    case OP_ex2:
        f->function = exp2;
        f->one = f->type == REAL_F32 ? approximate : exponential_16;
        return true;
    case OP_tanh: f->function = tanh; break;
    default: return false;
    }
    f->one = approximate;
    return true;
}

/* Which of the host's operations does the same for ordinary numbers. */
static void quicken(uint16_t op, struct alu_arithmetic *f)
{
    f->half = (f->type == REAL_F16 || f->type == REAL_BF16) && f->narrow == f->type && f->round == REAL_RN && !f->sat &&
              !f->relu && !f->oob;
    if (f->lanes > 1 || (f->type != REAL_F32 && f->type != REAL_F64) || f->narrow != f->type || f->sat || f->relu ||
        f->oob || (f->type == REAL_F64 && f->ftz))
        return;
    switch (op) {
    case OP_add: f->quick = QUICK_ADD; break;
    case OP_sub: f->quick = QUICK_SUB; break;
    case OP_mul: f->quick = QUICK_MUL; break;
    case OP_fma:
    case OP_mad: f->quick = QUICK_FMA; break;
    case OP_div: f->quick = QUICK_DIV; break;
    case OP_sqrt: f->quick = QUICK_SQRT; break;
    case OP_rcp: f->quick = f->one == reciprocal ? QUICK_RCP : QUICK_NOT; break;
    default: f->quick = f->one == approximate && f->type == REAL_F32 ? QUICK_FUNCTION : QUICK_NOT; break;
    }
    f->rough = f->one == rough_quotient;
}

/* The handler of the forms that nearly all programs have, for many lanes at a time; NULL: it is none of them. */
static emu_handler *fast(uint16_t op, bool is_double)
{
    switch (op) {
    case OP_add: return is_double ? add_f64 : add_f32;
    case OP_sub: return is_double ? sub_f64 : sub_f32;
    case OP_mul: return is_double ? mul_f64 : mul_f32;
    case OP_div: return is_double ? divide_f64 : divide_f32;
    case OP_fma:
    case OP_mad: return is_double ? fused_f64 : fused_f32;
    default: return NULL;
    }
}

emu_handler *emu_decode_float(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const uint16_t round = ptx_word_of(m, i, PC_round);
    struct alu_arithmetic f = { 0 }, narrow = { 0 }, *kept;
    bool approx;

    if (!type_of(i->type[0], &f))
        return NULL;
    f.narrow = f.type;
    if (i->type[1] && type_of(i->type[1], &narrow))
        f.narrow = narrow.type;
    f.ftz = ptx_has(m, i, PTX_ftz);
    f.sat = ptx_has(m, i, PTX_sat);
    f.relu = ptx_has(m, i, PTX_relu);
    f.oob = ptx_has(m, i, PTX_oob);
    f.nan = ptx_has(m, i, PTX_NaN);
    f.xorsign = ptx_has(m, i, PTX_xorsign);
    f.abs = ptx_has(m, i, PTX_abs);
    f.three = i->n_operands == 4;
    f.round = round == PTX_rz ? REAL_RZ : round == PTX_rm ? REAL_RM : round == PTX_rp ? REAL_RP : REAL_RN;
    approx = ptx_has(m, i, PTX_approx);
    if (!operation_of(i, &f, approx))
        return NULL;
    if (f.lanes == 1 && f.type >= REAL_F32 && f.narrow == f.type && f.round == REAL_RN && !f.ftz && !f.sat && !approx &&
        fast(i->op, f.type == REAL_F64))
        return fast(i->op, f.type == REAL_F64);
    if (f.lanes == 1 && f.type >= REAL_F32 && !f.ftz && !f.nan && !f.xorsign && !f.abs && !f.three &&
        alu_signs(i->op, f.type == REAL_F64))
        return alu_signs(i->op, f.type == REAL_F64);
    quicken(i->op, &f);
    if (f.half && !f.ftz && alu_halves(i->op, f.type == REAL_BF16, f.lanes > 1))
        return alu_halves(i->op, f.type == REAL_BF16, f.lanes > 1);
    kept = emu_kept(sizeof *kept);
    if (!kept)
        return NULL;
    *kept = f;
    op->arithmetic = kept;
    op->b = op->b == EMU_NO ? op->a : op->b;
    op->c = op->c == EMU_NO ? op->a : op->c;
    return elements;
}
// SPDX-License-Identifier: Apache-2.0
