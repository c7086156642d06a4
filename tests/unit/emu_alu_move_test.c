/* Moves of the emulator: mov with its packing and unpacking, selp, slct; and what it says of what it does not model. */
#include "tests/unit/emu_alu.h"

static int64_t byte(uint64_t x, unsigned k)
{
    return (int64_t)(x >> 8 * k & 0xff);
}

/* What .ftz makes of it. */
static float flushed(uint64_t x)
{
    return x & 0x7f800000 ? f32(x) : f32(x & 0x80000000);
}

IS(first, a)
IS(second, b)
IS(swapped, a << 32 | a >> 32)
IS(quarter, a >> 32 & 0xffff)
IS(fourth, a >> 48 | (a & 0xffff) << 16)
IS(bytes, byte(a, 3) | byte(a, 2) << 8)
IS(chosen, (c & 1) ? a : b)
IS(not_chosen, (c & 1) ? b : 5)
IS(slct_s, S32(c) >= 0 ? a : b)
IS(slct_f, f32(c) >= 0 ? a : b)
IS(slct_ftz, flushed(b) >= 0 ? a : c)
IS(warp_size, 32)
IS(float_bits, 0x3fc00000)
IS(double_bits, 0x3ff8000000000000)
IS(negative_one, ~0ull)

static void test_moves(void **state)
{
    static const struct row rows[] = {
        { "mov.b16 %d16, %a16;", 2, first },
        { "mov.u32 %d32, %a32;", 4, first },
        { "mov.b64 %d64, %a64;", 8, first },
        { "mov.s16 %d16, -1;", 2, negative_one },
        { "mov.s32 %d32, -1;", 4, negative_one },
        { "mov.u64 %d64, -1;", 8, negative_one },
        { "mov.u32 %d32, WARP_SZ;", 4, warp_size },
        { ".reg .f32 %f; mov.f32 %f, 1.5; mov.b32 %d32, %f;", 4, float_bits },
        { ".reg .f32 %f; mov.f32 %f, 0f3FC00000; mov.b32 %d32, %f;", 4, float_bits },
        { ".reg .f64 %f; mov.f64 %f, 1.5; mov.b64 %d64, %f;", 8, double_bits },
        { "mov.b64 {%t32, %u32}, %a64; mov.b64 %d64, {%u32, %t32};", 8, swapped },
        { "mov.b64 {_, %d32}, %b64; mov.b64 %d64, {%a32, %d32};\nmov.b64 {%d32, _}, %d64;", 4, first },
        { "mov.b64 {%t16, %u16, %d16, _}, %a64;", 2, quarter },
        { "mov.b64 {%t16, %u16, _, %d16}, %a64; mov.b32 %d32, {%d16, %t16};", 4, fourth },
        { ".reg .b8 %m, %n, %o; mov.b32 {_, _, %m, %n}, %a32; mov.b16 %d16, {%n, %m};", 2, bytes },
        { "mov.b128 %w, {%a64, %b64}; mov.b128 %z, %w; mov.b128 {%t64, %d64}, %z;", 8, second },
        { "mov.b128 %w, {%a32, %a32, %b32, %c32}; mov.b128 {%t32, %u32, %d32, _}, %w;", 4, second },
        { ".reg .v2 .b32 %v; mov.v2.b32 %v, {%a32, %b32}; mov.v2.b32 {%t32, %d32}, %v;", 4, second },
        { ".reg .v2 .b32 %v; mov.b64 %v, %a64; mov.b64 %d64, %v;", 8, first },
        { ".reg .v2 .b32 %v; mov.b64 %v, %a64; mov.b64 %d64, {%v.y, %v.x};", 8, swapped },
        { "selp.b16 %d16, %a16, %b16, %k;", 2, chosen },
        { "selp.s32 %d32, %a32, %b32, %k;", 4, chosen },
        { "selp.u64 %d64, %a64, %b64, %k;", 8, chosen },
        { "selp.u64 %d64, 5, %b64, !%k;", 8, not_chosen },
        { "slct.u32.s32 %d32, %a32, %b32, %c32;", 4, slct_s },
        { "slct.b64.s32 %d64, %a64, %b64, %c32;", 8, slct_s },
        { ".reg .f32 %f; mov.b32 %f, %c32; slct.u32.f32 %d32, %a32, %b32, %f;", 4, slct_f },
        { ".reg .f32 %f; mov.b32 %f, %c32; slct.s64.f32 %d64, %a64, %b64, %f;", 8, slct_f },
        { ".reg .f32 %f; mov.b32 %f, %b32; slct.ftz.u32.f32 %d32, %a32, %c32, %f;", 4, slct_ftz },
    };

    (void)state;
    HOLD(rows);
}
static void test_unsupported(void **state)
{
    static const char *const ptx[] = {
        "vadd.u32.u32.u32.sat %d32, %a32, %b32;",
        "vmad.u32.u32.u32.shr7 %d32, %a32, %b32, %c32;",
    };
    struct tuple one[1] = { { 1, 2, 3, 0 } };
    char message[400];

    (void)state;
    for (size_t k = 0; k < sizeof ptx / sizeof *ptx; k++) {
        assert_int_equal(run(ptx[k], 4, one, 1, message, sizeof message), EMU_UNSUPPORTED);
        assert_non_null(strstr(message, "unsupported: "));
        assert_non_null(strstr(message, "u32.u32.u32"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_moves), cmocka_unit_test(test_unsupported) };

    return cmocka_run_group_tests_name("emu_alu_move", tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
