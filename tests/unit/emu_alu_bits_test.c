/* Logic, shifts, fields and prmt of the emulator: each instruction over the edge values, compared with C bit by bit. */
#include "tests/unit/emu_alu.h"

static bool bit(uint64_t x, uint64_t k)
{
    return k < 64 && x >> k & 1;
}

static uint64_t table(uint64_t a, uint64_t b, uint64_t c, unsigned lut)
{
    uint64_t d = 0;

    for (unsigned k = 0; k < 32; k++)
        d |= (uint64_t)(lut >> (4 * bit(a, k) + 2 * bit(b, k) + bit(c, k)) & 1) << k;
    return d;
}

static uint64_t shift(uint64_t x, int64_t by, unsigned bits, bool fill)
{
    uint64_t d = 0; /* to the right by `by` */

    for (int64_t k = 0; k < (int64_t)bits; k++)
        d |= (uint64_t)(k + by >= (int64_t)bits ? fill : k + by >= 0 && bit(x, (uint64_t)(k + by))) << k;
    return d;
}

static uint64_t fields(uint64_t a, uint64_t at, uint64_t n, unsigned bits, bool is_signed)
{
    const uint64_t last = at + n - 1 < bits - 1 ? at + n - 1 : bits - 1;
    const bool fill = is_signed && n && bit(a, last);
    uint64_t d = 0;

    for (unsigned k = 0; k < bits; k++)
        d |= (uint64_t)(k < n && at + k < bits ? bit(a, at + k) : fill) << k;
    return d;
}

static uint64_t inserted(uint64_t a, uint64_t b, uint64_t at, uint64_t n, unsigned bits)
{
    for (unsigned k = 0; k < n && at + k < bits; k++)
        b = (b & ~(1ull << (at + k))) | (uint64_t)bit(a, k) << (at + k);
    return b;
}

static uint64_t reversed(uint64_t a, unsigned bits)
{
    uint64_t d = 0;

    for (unsigned k = 0; k < bits; k++)
        d |= (uint64_t)bit(a, k) << (bits - 1 - k);
    return d;
}

static uint64_t leading(uint64_t a, unsigned bits)
{
    unsigned n = 0;

    while (n < bits && !bit(a, bits - 1 - n))
        n++;
    return n;
}

static uint64_t count(uint64_t a)
{
    unsigned n = 0;

    for (; a; a &= a - 1)
        n++;
    return n;
}

static uint64_t found(uint64_t a, unsigned bits, bool is_signed, bool amount)
{
    if (is_signed && bit(a, bits - 1))
        a = ~a;
    for (unsigned k = bits; k-- > 0;)
        if (bit(a, k))
            return amount ? bits - 1 - k : k;
    return UINT32_MAX;
}

static uint64_t nth(uint32_t mask, uint32_t base, int64_t n)
{
    int64_t seen = 0;

    if (base > 31)
        return UINT32_MAX;
    if (!n)
        return bit(mask, base) ? base : UINT32_MAX;
    for (int64_t k = base; k >= 0 && k < 32; k += n < 0 ? -1 : 1)
        if (bit(mask, (uint64_t)k) && ++seen == (n < 0 ? -n : n))
            return (uint64_t)k;
    return UINT32_MAX;
}

static uint64_t ones(uint64_t at, uint64_t n)
{
    uint64_t d = 0;

    for (uint64_t k = at; k < at + n && k < 32; k++)
        d |= 1ull << k;
    return d;
}

IS(and_, a &b)
IS(or_, a | b)
IS(xor_, a ^ b)
IS(not_, ~a)
IS(cnot16, !U16(a))
IS(cnot32, !U32(a))
IS(cnot64, !a)
IS(lop3_96, table(a, b, c, 0x96))
IS(lop3_e8, table(a, b, c, 0xe8))
IS(lop3_1d, table(a, b, c, 0x1d))
IS(lop3_and, (table(a, b, c, 0xca) & UINT32_MAX) != 0 && !(c & 1))
IS(lop3_or, (uint64_t)((table(a, b, c, 0x80) & UINT32_MAX) != 0 || c & 1) + (table(a, b, c, 0x80) & 2))
IS(shl16, shift(a, -(int64_t)U32(b), 16, false))
IS(shl32, shift(a, -(int64_t)U32(b), 32, false))
IS(shl64, shift(a, -(int64_t)U32(b), 64, false))
IS(shr_u16, shift(a, (int64_t)U32(b), 16, false))
IS(shr_u32, shift(a, (int64_t)U32(b), 32, false))
IS(shr_u64, shift(a, (int64_t)U32(b), 64, false))
IS(shr_s16, shift(a, (int64_t)U32(b), 16, bit(a, 15)))
IS(shr_s32, shift(a, (int64_t)U32(b), 32, bit(a, 31)))
IS(shr_s64, shift(a, (int64_t)U32(b), 64, bit(a, 63)))
IS(shl_most, 0)
#define FUNNEL (U32(b) << 32 | U32(a))
IS(shf_l_wrap, shift(FUNNEL, 32 - (int64_t)(c & 31), 64, false))
IS(shf_l_clamp, shift(FUNNEL, 32 - (int64_t)PICK(U32(c), 32, <), 64, false))
IS(shf_r_wrap, shift(FUNNEL, (int64_t)(c & 31), 64, false))
IS(shf_r_clamp, shift(FUNNEL, (int64_t)PICK(U32(c), 32, <), 64, false))
IS(popc32, count(U32(a)))
IS(popc64, count(a))
IS(clz32, leading(a, 32))
IS(clz64, leading(a, 64))
IS(bfind_u32, found(a, 32, false, false))
IS(bfind_s32, found(a, 32, true, false))
IS(bfind_u64, found(a, 64, false, false))
IS(bfind_s64, found(a, 64, true, false))
IS(shiftamt_u32, found(a, 32, false, true))
IS(shiftamt_s32, found(a, 32, true, true))
IS(shiftamt_u64, found(a, 64, false, true))
IS(shiftamt_s64, found(a, 64, true, true))
IS(brev32, reversed(a, 32))
IS(brev64, reversed(a, 64))
IS(fns, S32(c) == INT32_MIN ? 0 : nth((uint32_t)a, (uint32_t)b, S32(c)))
IS(bfe_u32, fields(U32(a), b & 255, c & 255, 32, false))
IS(bfe_s32, fields(U32(a), b & 255, c & 255, 32, true))
IS(bfe_u64, fields(a, U32(b), U32(c), 64, false))
IS(bfe_s64, fields(a, U32(b), U32(c), 64, true))
IS(bfi32, inserted(a, b, c & 255, 9, 32))
IS(bfi64, inserted(a, b, U32(c), UINT32_MAX, 64))
IS(bfi_length, inserted(a, ~0ull, U32(b), U32(c), 64))
IS(bmsk_clamp, U32(a) > 31 ? 0 : ones(U32(a), U32(b)))
IS(bmsk_wrap, ones(a & 31, b & 31))
IS(szext_cu, fields(U32(a), 0, U32(b), 32, false))
IS(szext_cs, fields(U32(a), 0, U32(b), 32, true))
IS(szext_wu, fields(U32(a), 0, b & 31, 32, false))
IS(szext_ws, fields(U32(a), 0, b & 31, 32, true))
IS(lop3_80, table(a, b, c, 0x80))
IS(lop3_fe, table(a, b, c, 0xfe))
IS(lop3_ea, table(a, b, c, 0xea))
IS(lop3_6a, table(a, b, c, 0x6a))
IS(lop3_f8, table(a, b, c, 0xf8))
IS(lop3_78, table(a, b, c, 0x78))
IS(lop3_ca, table(a, b, c, 0xca))
IS(lop3_2b, table(a, b, c, 0x2b))
IS(bfe_u32_3, fields(U32(a), 3, 5, 32, false))
IS(bfe_s32_3, fields(U32(a), 3, 5, 32, true))
IS(bfe_s32_0, fields(U32(a), 0, 32, 32, true))
IS(bfe_u32_0, fields(U32(a), 0, 32, 32, false))
IS(bfe_s32_9, fields(U32(a), 30, 9, 32, true))
IS(bfe_u32_n, fields(U32(a), 5, 0, 32, false))
IS(bfe_u64_40, fields(a, 40, 24, 64, false))
IS(bfe_s64_33, fields(a, 33, 7, 64, true))
IS(bfe_s64_0, fields(a, 0, 64, 64, true))
IS(bfe_u32_m, fields(U32(a), 255, 255, 32, false))
IS(bfi_8, inserted(a, b, 8, 8, 32))
IS(bfi_0, inserted(a, b, 0, 32, 32))
IS(bfi_w, inserted(a, b, 28, 9, 32))
IS(bfi_n, inserted(a, b, 3, 0, 32))
IS(bfi_40, inserted(a, b, 40, 24, 64))
IS(bfi_all, inserted(a, b, 0, 64, 64))
IS(pred_and, bit(c, 0) && !bit(a, 0))
IS(pred_or, bit(c, 0) || !bit(a, 0))
IS(pred_xor, bit(c, 0) != bit(a, 0))
IS(pred_not, !bit(c, 0))
IS(pred_is, bit(c, 0))

#define WITH_Q "and.b32 %t32, %a32, 1;\nsetp.ne.b32 %q, %t32, 0;\n"

static const struct row bit_rows[] = {
    { "and.b16 %d16, %a16, %b16;", 2, and_ },
    { "and.b32 %d32, %a32, %b32;", 4, and_ },
    { "and.b64 %d64, %a64, %b64;", 8, and_ },
    { "or.b32 %d32, %a32, %b32;", 4, or_ },
    { "or.b64 %d64, %a64, %b64;", 8, or_ },
    { "xor.b16 %d16, %a16, %b16;", 2, xor_ },
    { "xor.b64 %d64, %a64, %b64;", 8, xor_ },
    { "not.b16 %d16, %a16; xor.b16 %d16, %d16, 0;", 2, not_ },
    { "not.b32 %d32, %a32;", 4, not_ },
    { "not.b64 %d64, %a64;", 8, not_ },
    { "cnot.b16 %d16, %a16;", 2, cnot16 },
    { "cnot.b32 %d32, %a32;", 4, cnot32 },
    { "cnot.b64 %d64, %a64;", 8, cnot64 },
    { "lop3.b32 %d32, %a32, %b32, %c32, 0x96;", 4, lop3_96 },
    { "lop3.b32 %d32, %a32, %b32, %c32, 0xe8;", 4, lop3_e8 },
    { "lop3.b32 %d32, %a32, %b32, %c32, 0x1d;", 4, lop3_1d },
    { "lop3.b32 %d32, %a32, %b32, %c32, 0x80;", 4, lop3_80 },
    { "lop3.b32 %d32, %a32, %b32, %c32, 0xfe;", 4, lop3_fe },
    { "lop3.b32 %d32, %a32, %b32, %c32, 0xea;", 4, lop3_ea },
    { "lop3.b32 %d32, %a32, %b32, %c32, 0x6a;", 4, lop3_6a },
    { "lop3.b32 %d32, %a32, %b32, %c32, 0xf8;", 4, lop3_f8 },
    { "lop3.b32 %d32, %a32, %b32, %c32, 0x78;", 4, lop3_78 },
    { "lop3.b32 %d32, %a32, %b32, %c32, 0xca;", 4, lop3_ca },
    { "lop3.b32 %d32, %a32, %b32, %c32, 0x2b;", 4, lop3_2b },
    { "bfe.u32 %d32, %a32, 3, 5;", 4, bfe_u32_3 },
    { "bfe.s32 %d32, %a32, 3, 5;", 4, bfe_s32_3 },
    { "bfe.s32 %d32, %a32, 0, 32;", 4, bfe_s32_0 },
    { "bfe.u32 %d32, %a32, 0, 32;", 4, bfe_u32_0 },
    { "bfe.s32 %d32, %a32, 30, 9;", 4, bfe_s32_9 },
    { "bfe.u32 %d32, %a32, 5, 0;", 4, bfe_u32_n },
    { "bfe.u64 %d64, %a64, 40, 24;", 8, bfe_u64_40 },
    { "bfe.s64 %d64, %a64, 33, 7;", 8, bfe_s64_33 },
    { "bfe.s64 %d64, %a64, 0, 64;", 8, bfe_s64_0 },
    { "bfe.u32 %d32, %a32, 255, 255;", 4, bfe_u32_m },
    { "bfi.b32 %d32, %a32, %b32, 8, 8;", 4, bfi_8 },
    { "bfi.b32 %d32, %a32, %b32, 0, 32;", 4, bfi_0 },
    { "bfi.b32 %d32, %a32, %b32, 28, 9;", 4, bfi_w },
    { "bfi.b32 %d32, %a32, %b32, 3, 0;", 4, bfi_n },
    { "bfi.b64 %d64, %a64, %b64, 40, 24;", 8, bfi_40 },
    { "bfi.b64 %d64, %a64, %b64, 0, 64;", 8, bfi_all },
    { "lop3.and.b32 _|%d, %a32, %b32, %c32, 0xca, !%k;", 1, lop3_and },
    { "lop3.or.b32 %t32|%d, %a32, %b32, %c32, 0x80, %k;\nand.b32 %t32, %t32, 2;\nsetp.ne.b32 %e, %t32, 0;", 1,
      lop3_or },
    { "shl.b16 %d16, %a16, %b32;", 2, shl16 },
    { "shl.b32 %d32, %a32, %b32;", 4, shl32 },
    { "shl.b64 %d64, %a64, %b32;", 8, shl64 },
    { "shl.b64 %d64, %a64, -1;", 8, shl_most },
    { "shr.u16 %d16, %a16, %b32;", 2, shr_u16 },
    { "shr.b32 %d32, %a32, %b32;", 4, shr_u32 },
    { "shr.u64 %d64, %a64, %b32;", 8, shr_u64 },
    { "shr.s16 %d16, %a16, %b32;", 2, shr_s16 },
    { "shr.s32 %d32, %a32, %b32;", 4, shr_s32 },
    { "shr.s64 %d64, %a64, %b32;", 8, shr_s64 },
    { "shf.l.wrap.b32 %d32, %a32, %b32, %c32;", 4, shf_l_wrap },
    { "shf.l.clamp.b32 %d32, %a32, %b32, %c32;", 4, shf_l_clamp },
    { "shf.r.wrap.b32 %d32, %a32, %b32, %c32;", 4, shf_r_wrap },
    { "shf.r.clamp.b32 %d32, %a32, %b32, %c32;", 4, shf_r_clamp },
    { "popc.b32 %d32, %a32;", 4, popc32 },
    { "popc.b64 %d32, %a64;", 4, popc64 },
    { "clz.b32 %d32, %a32;", 4, clz32 },
    { "clz.b64 %d32, %a64;", 4, clz64 },
    { "bfind.u32 %d32, %a32;", 4, bfind_u32 },
    { "bfind.s32 %d32, %a32;", 4, bfind_s32 },
    { "bfind.u64 %d32, %a64;", 4, bfind_u64 },
    { "bfind.s64 %d32, %a64;", 4, bfind_s64 },
    { "bfind.shiftamt.u32 %d32, %a32;", 4, shiftamt_u32 },
    { "bfind.shiftamt.s32 %d32, %a32;", 4, shiftamt_s32 },
    { "bfind.shiftamt.u64 %d32, %a64;", 4, shiftamt_u64 },
    { "bfind.shiftamt.s64 %d32, %a64;", 4, shiftamt_s64 },
    { "brev.b32 %d32, %a32;", 4, brev32 },
    { "brev.b64 %d64, %a64;", 8, brev64 },
    { "fns.b32 %d32, %a32, %b32, %c32;", 4, fns },
    { "bfe.u32 %d32, %a32, %b32, %c32;", 4, bfe_u32 },
    { "bfe.s32 %d32, %a32, %b32, %c32;", 4, bfe_s32 },
    { "bfe.u64 %d64, %a64, %b32, %c32;", 8, bfe_u64 },
    { "bfe.s64 %d64, %a64, %b32, %c32;", 8, bfe_s64 },
    { "bfi.b32 %d32, %a32, %b32, %c32, 9;", 4, bfi32 },
    { "bfi.b64 %d64, %a64, %b64, %c32, 255;", 8, bfi64 },
    { "bfi.b64 %d64, %a64, -1, %b32, %c32;", 8, bfi_length },
    { "bmsk.clamp.b32 %d32, %a32, %b32;", 4, bmsk_clamp },
    { "bmsk.wrap.b32 %d32, %a32, %b32;", 4, bmsk_wrap },
    { "szext.clamp.u32 %d32, %a32, %b32;", 4, szext_cu },
    { "szext.clamp.s32 %d32, %a32, %b32;", 4, szext_cs },
    { "szext.wrap.u32 %d32, %a32, %b32;", 4, szext_wu },
    { "szext.wrap.s32 %d32, %a32, %b32;", 4, szext_ws },
    { WITH_Q "and.pred %d, %k, !%q;", 1, pred_and },
    { WITH_Q "or.pred %d, %k, !%q;", 1, pred_or },
    { WITH_Q "xor.pred %d, %k, %q;", 1, pred_xor },
    { "not.pred %d, %k;", 1, pred_not },
    { "mov.pred %d, %k;", 1, pred_is },
    { "mov.pred %d, %k;\n@!%k mov.pred %d, 0;\n@%k mov.pred %d, 1;", 1, pred_is },
};

static void test_bits(void **state)
{
    (void)state;
    HOLD(bit_rows);
}

/* ---- prmt -------------------------------------------------------------------------------------------------------- */

static uint64_t bytes_of(uint64_t a, uint64_t b, int d3, int d2, int d1, int d0)
{
    const int from[4] = { d0, d1, d2, d3 };
    uint64_t d = 0;

    for (int k = 0; k < 4; k++)
        d |= (from[k] < 4 ? a >> 8 * from[k] & 255 : b >> 8 * (from[k] - 4) & 255) << 8 * k;
    return d;
}

static uint64_t generic(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t d = 0;

    for (unsigned k = 0; k < 4; k++) {
        const unsigned n = c >> 4 * k & 15;
        const uint64_t one = bytes_of(a, b, 0, 0, 0, n & 7) & 255;
        d |= (n & 8 ? one >> 7 ? 255 : 0 : one) << 8 * k;
    }
    return d;
}

#define MODE(name, s0, s1, s2, s3)                                                                                     \
    IS(name, (c & 3) == 0 ? bytes_of s0 : (c & 3) == 1 ? bytes_of s1 : (c & 3) == 2 ? bytes_of s2 : bytes_of s3)
#define BYTES(d3, d2, d1, d0) (a, b, d3, d2, d1, d0)
MODE(f4e, BYTES(3, 2, 1, 0), BYTES(4, 3, 2, 1), BYTES(5, 4, 3, 2), BYTES(6, 5, 4, 3))
MODE(b4e, BYTES(5, 6, 7, 0), BYTES(6, 7, 0, 1), BYTES(7, 0, 1, 2), BYTES(0, 1, 2, 3))
MODE(rc8, BYTES(0, 0, 0, 0), BYTES(1, 1, 1, 1), BYTES(2, 2, 2, 2), BYTES(3, 3, 3, 3))
MODE(ecl, BYTES(3, 2, 1, 0), BYTES(3, 2, 1, 1), BYTES(3, 2, 2, 2), BYTES(3, 3, 3, 3))
MODE(ecr, BYTES(0, 0, 0, 0), BYTES(1, 1, 1, 0), BYTES(2, 2, 1, 0), BYTES(3, 2, 1, 0))
MODE(rc16, BYTES(1, 0, 1, 0), BYTES(3, 2, 3, 2), BYTES(1, 0, 1, 0), BYTES(3, 2, 3, 2))

IS(prmt_5410, generic(a, b, 0x5410))
IS(prmt_7632, generic(a, b, 0x7632))
IS(prmt_3340, generic(a, b, 0x3340))
IS(prmt_0123, generic(a, b, 0x0123))
IS(prmt_1032, generic(a, b, 0x1032))
IS(prmt_fb40, generic(a, b, 0xfb40))
IS(prmt_6543, generic(a, b, 0x6543))
IS(prmt_7654, generic(a, b, 0x7654))
IS(prmt_0007, generic(a, b, 0x0007))

static void test_prmt(void **state)
{
    static const struct row rows[] = {
        { "prmt.b32 %d32, %a32, %b32, 0x5410;", 4, prmt_5410 }, { "prmt.b32 %d32, %a32, %b32, 0x7632;", 4, prmt_7632 },
        { "prmt.b32 %d32, %a32, %b32, 0x3340;", 4, prmt_3340 }, { "prmt.b32 %d32, %a32, %b32, 0x0123;", 4, prmt_0123 },
        { "prmt.b32 %d32, %a32, %b32, 0x1032;", 4, prmt_1032 }, { "prmt.b32 %d32, %a32, %b32, 0xfb40;", 4, prmt_fb40 },
        { "prmt.b32 %d32, %a32, %b32, 0x6543;", 4, prmt_6543 }, { "prmt.b32 %d32, %a32, %b32, 0x7654;", 4, prmt_7654 },
        { "prmt.b32 %d32, %a32, %b32, 0x0007;", 4, prmt_0007 }, { "prmt.b32 %d32, %a32, %b32, %c32;", 4, generic },
        { "prmt.b32.f4e %d32, %a32, %b32, %c32;", 4, f4e },     { "prmt.b32.b4e %d32, %a32, %b32, %c32;", 4, b4e },
        { "prmt.b32.rc8 %d32, %a32, %b32, %c32;", 4, rc8 },     { "prmt.b32.ecl %d32, %a32, %b32, %c32;", 4, ecl },
        { "prmt.b32.ecr %d32, %a32, %b32, %c32;", 4, ecr },     { "prmt.b32.rc16 %d32, %a32, %b32, %c32;", 4, rc16 },
    };

    (void)state;
    HOLD(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bits),
        cmocka_unit_test(test_prmt),
    };

    return cmocka_run_group_tests_name("emu_alu_bits", tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
