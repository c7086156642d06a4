/* Integer arithmetic of the emulator: each instruction over the edge values. */
#include "tests/unit/emu_alu.h"

/* ---- sums, products, quotients ----------------------------------------------------------------------------------- */

static int64_t clip(int64_t x)
{
    return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : x;
}

static uint64_t high(uint64_t a, uint64_t b, bool is_signed)
{
    /* by 32-bit digits */
    const uint64_t al = U32(a), ah = a >> 32, bl = U32(b), bh = b >> 32;
    const uint64_t m = al * bh + (al * bl >> 32), n = ah * bl + U32(m);
    uint64_t h = ah * bh + (m >> 32) + (n >> 32);

    if (is_signed)
        h -= (S64(a) < 0 ? b : 0) + (S64(b) < 0 ? a : 0);
    return h;
}

static int64_t low24(uint64_t x, bool is_signed)
{
    const int64_t low = (int64_t)(x & 0xffffff);

    return is_signed && low & 0x800000 ? low - 0x1000000 : low;
}

IS(sum, a + b)
IS(difference, a - b)
IS(product, a *b)
IS(sum3, a *b + c)
IS(add_sat, clip(S32(a) + S32(b)))
IS(sub_sat, clip(S32(a) - S32(b)))
IS(add_pair, U16(a + b) | (U16((a >> 16) + (b >> 16)) << 16))
IS(mul_hi_u16, U16(a) * U16(b) >> 16)
IS(mul_hi_s16, S16(a) * S16(b) >> 16)
IS(mul_hi_u32, U32(a) * U32(b) >> 32)
IS(mul_hi_s32, S32(a) * S32(b) >> 32)
IS(mul_hi_u64, high(a, b, false))
IS(mul_hi_s64, high(a, b, true))
IS(mad_hi_u16, mul_hi_u16(a, b, c) + c)
IS(mad_hi_s32, mul_hi_s32(a, b, c) + c)
IS(mad_hi_u64, high(a, b, false) + c)
IS(mad_hi_s64, high(a, b, true) + c)
IS(mad_hi_sat, clip((S32(a) * S32(b) >> 32) + S32(c)))
IS(wide_u16, U16(a) * U16(b))
IS(wide_s16, S16(a) * S16(b))
IS(wide_u32, U32(a) * U32(b))
IS(wide_s32, S32(a) * S32(b))
IS(mad_wide_u16, U16(a) * U16(b) + c)
IS(mad_wide_s16, wide_s16(a, b, c) + c)
IS(mad_wide_u32, U32(a) * U32(b) + c)
IS(mad_wide_s32, wide_s32(a, b, c) + c)
IS(mad_wide_constant, wide_s32(a, b, c) + 0x123456789abull)
IS(mul24_lo_u, low24(a, false) * low24(b, false))
IS(mul24_hi_u, low24(a, false) * low24(b, false) >> 16)
IS(mul24_lo_s, low24(a, true) * low24(b, true))
IS(mul24_hi_s, low24(a, true) * low24(b, true) >> 16)
IS(mad24_lo_u, mul24_lo_u(a, b, c) + c)
IS(mad24_hi_u, mul24_hi_u(a, b, c) + c)
IS(mad24_lo_s, mul24_lo_s(a, b, c) + c)
IS(mad24_hi_s, mul24_hi_s(a, b, c) + c)
IS(mad24_sat, clip((low24(a, true) * low24(b, true) >> 16) + S32(c)))
IS(sad_u16, c + (U16(a) > U16(b) ? a - b : b - a))
IS(sad_s16, c + (S16(a) > S16(b) ? a - b : b - a))
IS(sad_u32, c + (U32(a) > U32(b) ? a - b : b - a))
IS(sad_s32, c + (S32(a) > S32(b) ? a - b : b - a))
IS(sad_u64, c + (a > b ? a - b : b - a))
IS(sad_s64, c + (S64(a) > S64(b) ? a - b : b - a))
IS(div_u16, U16(b) ? U16(a) / U16(b) : ~0ull)
IS(div_s16, S16(b) ? S16(a) / S16(b) : -1)
IS(div_u32, U32(b) ? U32(a) / U32(b) : ~0ull)
IS(div_s32, S32(b) ? S32(a) / S32(b) : -1)
IS(div_u64, b ? a / b : ~0ull)
IS(div_s64, !b ? -1 : S64(b) == -1 ? S64(0 - a) : S64(a) / S64(b))
IS(rem_u16, U16(b) ? U16(a) % U16(b) : ~0ull)
IS(rem_s16, S16(b) ? S16(a) % S16(b) : -1)
IS(rem_u32, U32(b) ? U32(a) % U32(b) : ~0ull)
IS(rem_s32, S32(b) ? S32(a) % S32(b) : -1)
IS(rem_u64, b ? a % b : ~0ull)
IS(rem_s64, !b ? -1 : S64(b) == -1 ? 0 : S64(a) % S64(b))
IS(abs_s16, S16(a) < 0 ? 0 - a : a)
IS(abs_s32, S32(a) < 0 ? 0 - a : a)
IS(abs_s64, S64(a) < 0 ? 0 - a : a)
IS(negative, 0 - a)

static void test_arithmetic(void **state)
{
    static const struct row rows[] = {
        { "add.u16 %d16, %a16, %b16;", 2, sum },
        { "add.s32 %d32, %a32, %b32;", 4, sum },
        { "add.s64 %d64, %a64, %b64;", 8, sum },
        { "sub.s16 %d16, %a16, %b16;", 2, difference },
        { "sub.u32 %d32, %a32, %b32;", 4, difference },
        { "sub.s64 %d64, %a64, %b64;", 8, difference },
        { "add.sat.s32 %d32, %a32, %b32;", 4, add_sat },
        { "sub.sat.s32 %d32, %a32, %b32;", 4, sub_sat },
        { "add.u16x2 %d32, %a32, %b32;", 4, add_pair },
        { "add.s16x2 %d32, %a32, %b32;", 4, add_pair },
        { "mul.lo.u16 %d16, %a16, %b16;", 2, product },
        { "mul.lo.s32 %d32, %a32, %b32;", 4, product },
        { "mul.lo.s64 %d64, %a64, %b64;", 8, product },
        { "mul.hi.u16 %d16, %a16, %b16;", 2, mul_hi_u16 },
        { "mul.hi.s16 %d16, %a16, %b16;", 2, mul_hi_s16 },
        { "mul.hi.u32 %d32, %a32, %b32;", 4, mul_hi_u32 },
        { "mul.hi.s32 %d32, %a32, %b32;", 4, mul_hi_s32 },
        { "mul.hi.u64 %d64, %a64, %b64;", 8, mul_hi_u64 },
        { "mul.hi.s64 %d64, %a64, %b64;", 8, mul_hi_s64 },
        { "mul.wide.u16 %d32, %a16, %b16;", 4, wide_u16 },
        { "mul.wide.s16 %d32, %a16, %b16;", 4, wide_s16 },
        { "mul.wide.u32 %d64, %a32, %b32;", 8, wide_u32 },
        { "mul.wide.s32 %d64, %a32, %b32;", 8, wide_s32 },
        { "mad.lo.s16 %d16, %a16, %b16, %c16;", 2, sum3 },
        { "mad.lo.u32 %d32, %a32, %b32, %c32;", 4, sum3 },
        { "mad.lo.s64 %d64, %a64, %b64, %c64;", 8, sum3 },
        { "mad.hi.u16 %d16, %a16, %b16, %c16;", 2, mad_hi_u16 },
        { "mad.hi.s32 %d32, %a32, %b32, %c32;", 4, mad_hi_s32 },
        { "mad.hi.u64 %d64, %a64, %b64, %c64;", 8, mad_hi_u64 },
        { "mad.hi.s64 %d64, %a64, %b64, %c64;", 8, mad_hi_s64 },
        { "mad.hi.sat.s32 %d32, %a32, %b32, %c32;", 4, mad_hi_sat },
        { "mad.wide.u16 %d32, %a16, %b16, %c32;", 4, mad_wide_u16 },
        { "mad.wide.s16 %d32, %a16, %b16, %c32;", 4, mad_wide_s16 },
        { "mad.wide.u32 %d64, %a32, %b32, %c64;", 8, mad_wide_u32 },
        { "mad.wide.s32 %d64, %a32, %b32, %c64;", 8, mad_wide_s32 },
        { "mad.wide.s32 %d64, %a32, %b32, 0x123456789ab;", 8, mad_wide_constant },
        { "mul24.lo.u32 %d32, %a32, %b32;", 4, mul24_lo_u },
        { "mul24.hi.u32 %d32, %a32, %b32;", 4, mul24_hi_u },
        { "mul24.lo.s32 %d32, %a32, %b32;", 4, mul24_lo_s },
        { "mul24.hi.s32 %d32, %a32, %b32;", 4, mul24_hi_s },
        { "mad24.lo.u32 %d32, %a32, %b32, %c32;", 4, mad24_lo_u },
        { "mad24.hi.u32 %d32, %a32, %b32, %c32;", 4, mad24_hi_u },
        { "mad24.lo.s32 %d32, %a32, %b32, %c32;", 4, mad24_lo_s },
        { "mad24.hi.s32 %d32, %a32, %b32, %c32;", 4, mad24_hi_s },
        { "mad24.hi.sat.s32 %d32, %a32, %b32, %c32;", 4, mad24_sat },
        { "sad.u16 %d16, %a16, %b16, %c16;", 2, sad_u16 },
        { "sad.s16 %d16, %a16, %b16, %c16;", 2, sad_s16 },
        { "sad.u32 %d32, %a32, %b32, %c32;", 4, sad_u32 },
        { "sad.s32 %d32, %a32, %b32, %c32;", 4, sad_s32 },
        { "sad.u64 %d64, %a64, %b64, %c64;", 8, sad_u64 },
        { "sad.s64 %d64, %a64, %b64, %c64;", 8, sad_s64 },
        { "div.u16 %d16, %a16, %b16;", 2, div_u16 },
        { "div.s16 %d16, %a16, %b16;", 2, div_s16 },
        { "div.u32 %d32, %a32, %b32;", 4, div_u32 },
        { "div.s32 %d32, %a32, %b32;", 4, div_s32 },
        { "div.u64 %d64, %a64, %b64;", 8, div_u64 },
        { "div.s64 %d64, %a64, %b64;", 8, div_s64 },
        { "rem.u16 %d16, %a16, %b16;", 2, rem_u16 },
        { "rem.s16 %d16, %a16, %b16;", 2, rem_s16 },
        { "rem.u32 %d32, %a32, %b32;", 4, rem_u32 },
        { "rem.s32 %d32, %a32, %b32;", 4, rem_s32 },
        { "rem.u64 %d64, %a64, %b64;", 8, rem_u64 },
        { "rem.s64 %d64, %a64, %b64;", 8, rem_s64 },
        { "abs.s16 %d16, %a16;", 2, abs_s16 },
        { "abs.s32 %d32, %a32;", 4, abs_s32 },
        { "abs.s64 %d64, %a64;", 8, abs_s64 },
        { "neg.s16 %d16, %a16;", 2, negative },
        { "neg.s32 %d32, %a32;", 4, negative },
        { "neg.s64 %d64, %a64;", 8, negative },
    };

    (void)state;
    HOLD(rows);
}

/* ---- carries: a value of twice the size, by its halves ----------------------------------------------------------- */

IS(add_128, a + c + (a + b < a))
IS(sub_128, a - c - (a < b))
IS(carry_out, U32(a) + U32(b) > UINT32_MAX)
IS(borrow_out, U32(a) < U32(b) ? ~0ull : 0)
IS(mad_64, (U32(a) | a << 32) * U32(b) + c)
IS(mad_hi_cc_u32, (U32(a) * U32(b) >> 32) + U32(c) > UINT32_MAX)
IS(mad_hi_cc_s32, U32(S32(a) * S32(b) >> 32) + U32(c) > UINT32_MAX)
IS(mad_hi_cc_u64, high(a, b, false) + c < c)
IS(mad_hi_cc_s64, high(a, b, true) + c < c)
IS(mad_lo_cc_u64, a *b + c < c)
IS(addc_sets, U32(b) + U32(c) + (U32(a) + U32(b) > UINT32_MAX) > UINT32_MAX)
IS(subc_64, a - b - 1)

static void test_carries(void **state)
{
    static const struct row rows[] = {
        { "add.cc.u64 %t64, %a64, %b64;\naddc.u64 %d64, %a64, %c64;", 8, add_128 },
        { "sub.cc.u64 %t64, %a64, %b64;\nsubc.u64 %d64, %a64, %c64;", 8, sub_128 },
        { "mov.b64 {%t32, %u32}, %a64; mov.b64 {%v32, %w32}, %b64;\n"
          "add.cc.u32 %t32, %t32, %v32; addc.u32 %u32, %u32, %w32; mov.b64 %d64, {%t32, %u32};",
          8, sum },
        { "mov.b64 {%t32, %u32}, %a64; mov.b64 {%v32, %w32}, %b64;\n"
          "sub.cc.s32 %t32, %t32, %v32; subc.s32 %u32, %u32, %w32; mov.b64 %d64, {%t32, %u32};",
          8, difference },
        { "add.cc.s32 %t32, %a32, %b32; addc.s32 %d32, 0, 0;", 4, carry_out },
        { "sub.cc.u32 %t32, %a32, %b32; subc.u32 %d32, 0, 0;", 4, borrow_out },
        { "add.cc.u32 %t32, %a32, %b32; addc.cc.u32 %t32, %b32, %c32; addc.u32 %d32, 0, 0;", 4, addc_sets },
        /* the flag stays until an instruction sets it */
        { "sub.cc.u64 %t64, 0, 1; add.u64 %t64, 0, 0; subc.cc.u64 %d64, %a64, %b64;", 8, subc_64 },
        { "mov.b64 {%u32, %v32}, %c64; mad.lo.cc.u32 %t32, %a32, %b32, %u32;\n"
          "madc.hi.u32 %w32, %a32, %b32, %v32; mad.lo.u32 %w32, %a32, %b32, %w32; mov.b64 %d64, {%t32, %w32};",
          8, mad_64 },
        { "mad.hi.cc.u32 %t32, %a32, %b32, %c32; addc.u32 %d32, 0, 0;", 4, mad_hi_cc_u32 },
        { "mad.hi.cc.s32 %t32, %a32, %b32, %c32; addc.u32 %d32, 0, 0;", 4, mad_hi_cc_s32 },
        { "mad.hi.cc.u64 %t64, %a64, %b64, %c64; addc.u32 %d32, 0, 0;", 4, mad_hi_cc_u64 },
        { "mad.hi.cc.s64 %t64, %a64, %b64, %c64; addc.u32 %d32, 0, 0;", 4, mad_hi_cc_s64 },
        { "mad.lo.cc.u64 %t64, %a64, %b64, %c64; addc.u32 %d32, 0, 0;", 4, mad_lo_cc_u64 },
    };

    (void)state;
    HOLD(rows);
}

/* ---- extremes, dot products -------------------------------------------------------------------------------------- */

#define HALVES(e)    (U16(e(a, b)) | U16(e(a >> 16, b >> 16)) << 16)
#define MIN16(x, y)  PICK(S16(x), S16(y), <)
#define MAX16(x, y)  PICK(S16(x), S16(y), >)
#define MINU16(x, y) PICK(U16(x), U16(y), <)
#define MAXU16(x, y) PICK(U16(x), U16(y), >)
#define RELU(x)      ((x) < 0 ? 0 : (x))
#define MINR16(x, y) RELU(MIN16(x, y))
#define MAXR16(x, y) RELU(MAX16(x, y))

IS(min_u16, MINU16(a, b))
IS(min_s16, MIN16(a, b))
IS(min_u32, PICK(U32(a), U32(b), <))
IS(min_s32, PICK(S32(a), S32(b), <))
IS(min_u64, PICK(a, b, <))
IS(min_s64, PICK(S64(a), S64(b), <))
IS(max_u16, MAXU16(a, b))
IS(max_s16, MAX16(a, b))
IS(max_u32, PICK(U32(a), U32(b), >))
IS(max_s32, PICK(S32(a), S32(b), >))
IS(max_u64, PICK(a, b, >))
IS(max_s64, PICK(S64(a), S64(b), >))
IS(min_u16x2, HALVES(MINU16))
IS(max_u16x2, HALVES(MAXU16))
IS(min_s16x2, HALVES(MIN16))
IS(max_s16x2, HALVES(MAX16))
IS(min_relu16x2, HALVES(MINR16))
IS(max_relu16x2, HALVES(MAXR16))
IS(min_relu32, RELU(PICK(S32(a), S32(b), <)))
IS(max_relu32, RELU(PICK(S32(a), S32(b), >)))

static int64_t byte(uint64_t x, unsigned k, bool is_signed)
{
    return is_signed ? (int8_t)(x >> 8 * k) : (int64_t)(x >> 8 * k & 0xff);
}

static uint64_t dot4(uint64_t a, uint64_t b, bool sa, bool sb)
{
    int64_t s = 0;

    for (unsigned k = 0; k < 4; k++)
        s += byte(a, k, sa) * byte(b, k, sb);
    return (uint64_t)s;
}

static uint64_t dot2(uint64_t a, uint64_t b, unsigned from, bool sa, bool sb)
{
    const int64_t lo = sa ? S16(a) : (int64_t)U16(a), hi = sa ? S16(a >> 16) : (int64_t)U16(a >> 16);

    return (uint64_t)(lo * byte(b, from, sb) + hi * byte(b, from + 1, sb));
}

IS(dp4a_uu, dot4(a, b, false, false) + c)
IS(dp4a_us, dot4(a, b, false, true) + c)
IS(dp4a_su, dot4(a, b, true, false) + c)
IS(dp4a_ss, dot4(a, b, true, true) + c)
IS(dp2a_lo_uu, dot2(a, b, 0, false, false) + c)
IS(dp2a_hi_us, dot2(a, b, 2, false, true) + c)
IS(dp2a_lo_su, dot2(a, b, 0, true, false) + c)
IS(dp2a_hi_ss, dot2(a, b, 2, true, true) + c)

static void test_extremes(void **state)
{
    static const struct row rows[] = {
        { "min.u16 %d16, %a16, %b16;", 2, min_u16 },
        { "min.s16 %d16, %a16, %b16;", 2, min_s16 },
        { "min.u32 %d32, %a32, %b32;", 4, min_u32 },
        { "min.s32 %d32, %a32, %b32;", 4, min_s32 },
        { "min.u64 %d64, %a64, %b64;", 8, min_u64 },
        { "min.s64 %d64, %a64, %b64;", 8, min_s64 },
        { "max.u16 %d16, %a16, %b16;", 2, max_u16 },
        { "max.s16 %d16, %a16, %b16;", 2, max_s16 },
        { "max.u32 %d32, %a32, %b32;", 4, max_u32 },
        { "max.s32 %d32, %a32, %b32;", 4, max_s32 },
        { "max.u64 %d64, %a64, %b64;", 8, max_u64 },
        { "max.s64 %d64, %a64, %b64;", 8, max_s64 },
        { "min.u16x2 %d32, %a32, %b32;", 4, min_u16x2 },
        { "max.u16x2 %d32, %a32, %b32;", 4, max_u16x2 },
        { "min.s16x2 %d32, %a32, %b32;", 4, min_s16x2 },
        { "max.s16x2 %d32, %a32, %b32;", 4, max_s16x2 },
        { "min.relu.s16x2 %d32, %a32, %b32;", 4, min_relu16x2 },
        { "max.relu.s16x2 %d32, %a32, %b32;", 4, max_relu16x2 },
        { "min.relu.s32 %d32, %a32, %b32;", 4, min_relu32 },
        { "max.relu.s32 %d32, %a32, %b32;", 4, max_relu32 },
        { "dp4a.u32.u32 %d32, %a32, %b32, %c32;", 4, dp4a_uu },
        { "dp4a.u32.s32 %d32, %a32, %b32, %c32;", 4, dp4a_us },
        { "dp4a.s32.u32 %d32, %a32, %b32, %c32;", 4, dp4a_su },
        { "dp4a.s32.s32 %d32, %a32, %b32, %c32;", 4, dp4a_ss },
        { "dp2a.lo.u32.u32 %d32, %a32, %b32, %c32;", 4, dp2a_lo_uu },
        { "dp2a.hi.u32.s32 %d32, %a32, %b32, %c32;", 4, dp2a_hi_us },
        { "dp2a.lo.s32.u32 %d32, %a32, %b32, %c32;", 4, dp2a_lo_su },
        { "dp2a.hi.s32.s32 %d32, %a32, %b32, %c32;", 4, dp2a_hi_ss },
    };

    (void)state;
    HOLD(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_carries),
        cmocka_unit_test(test_extremes),
    };

    return cmocka_run_group_tests_name("emu_alu_int", tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
