/* The oracle of reductions against the host's own arithmetic: random operands, and such that are close to each other.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "expected/random.h"
#include "expected/reduce.h"

enum { PAIRS = 200000 };

static uint64_t sequence = 1;

/* Operands of `bits` bits: every other one is the negative of the first but for the last bits and the exponent. */
static void draw(unsigned bits, unsigned fraction, uint64_t *a, uint64_t *b)
{
    const uint64_t mask = UINT64_MAX >> (64 - bits);

    *a = splitmix64_next(&sequence) & mask;
    *b = splitmix64_next(&sequence) & mask;
    if (splitmix64_next(&sequence) & 1)
        *b = (*a ^ UINT64_C(1) << (bits - 1) ^ (*b & 7) ^ (*b >> 8 & 3) << fraction) & mask;
    if (splitmix64_next(&sequence) % 8 == 0) /* subnormal, or nearly so */
        *a &= ~(UINT64_MAX << (fraction + 1)) | UINT64_C(1) << (bits - 1);
}

static void check(enum reduce_type type, uint64_t a, uint64_t b, uint64_t want)
{
    const uint64_t got = reduce_element((struct reduction){ REDUCE_ADD, type }, a, b);

    if (reduce_class_of(type, want) == REDUCE_NAN)
        assert_int_equal(reduce_class_of(type, got), REDUCE_NAN);
    else
        assert_int_equal(got, want);
}

static void sums_of_f32(void **unused)
{
    (void)unused;
    for (int i = 0; i < PAIRS; i++) {
        uint64_t a, b;
        uint32_t bits[2], sum;
        float x, y;
        draw(32, 23, &a, &b);
        bits[0] = (uint32_t)a;
        bits[1] = (uint32_t)b;
        memcpy(&x, &bits[0], sizeof x);
        memcpy(&y, &bits[1], sizeof y);
        x += y;
        memcpy(&sum, &x, sizeof sum);
        check(REDUCE_F32, a, b, sum);
    }
}

static void sums_of_f64(void **unused)
{
    (void)unused;
    for (int i = 0; i < PAIRS; i++) {
        uint64_t a, b, sum;
        double x, y;
        draw(64, 52, &a, &b);
        memcpy(&x, &a, sizeof x);
        memcpy(&y, &b, sizeof y);
        x += y;
        memcpy(&sum, &x, sizeof sum);
        check(REDUCE_F64, a, b, sum);
    }
}

/* A bf16 is the upper half of an f32, and single precision holds enough more bits that rounding twice is rounding once:
 * the f32 sum, rounded to its upper half, is the bf16 sum. */
static void sums_of_bf16(void **unused)
{
    (void)unused;
    for (int i = 0; i < PAIRS; i++) {
        uint64_t a, b;
        uint32_t bits[2], sum;
        float x, y;
        draw(16, 7, &a, &b);
        bits[0] = (uint32_t)a << 16;
        bits[1] = (uint32_t)b << 16;
        memcpy(&x, &bits[0], sizeof x);
        memcpy(&y, &bits[1], sizeof y);
        x += y;
        memcpy(&sum, &x, sizeof sum);
        if ((sum & 0x7F800000) != 0x7F800000)
            sum += 0x7FFF + (sum >> 16 & 1);
        check(REDUCE_BF16, a, b, sum >> 16);
    }
}

static void orders(void **unused)
{
    static const struct {
        enum reduce_op op;
        enum reduce_type type;
        uint64_t old, by, want;
    } rows[] = {
        { REDUCE_MIN, REDUCE_U32, 0xFFFFFFFF, 1, 1 },
        { REDUCE_MIN, REDUCE_S32, 0xFFFFFFFF, 1, 0xFFFFFFFF },
        { REDUCE_MAX, REDUCE_U64, UINT64_MAX, 1, UINT64_MAX },
        { REDUCE_MAX, REDUCE_S64, UINT64_MAX, 1, 1 },
        { REDUCE_MIN, REDUCE_F16, 0x8001, 0x0001, 0x8001 },
        { REDUCE_MAX, REDUCE_BF16, 0xBF80, 0xC000, 0xBF80 },
        { REDUCE_INC, REDUCE_U32, 7, 7, 0 },
        { REDUCE_INC, REDUCE_U32, 6, 7, 7 },
        { REDUCE_DEC, REDUCE_U32, 0, 7, 7 },
        { REDUCE_DEC, REDUCE_U32, 8, 7, 7 },
        { REDUCE_DEC, REDUCE_U32, 7, 7, 6 },
        { REDUCE_XOR, REDUCE_B64, UINT64_MAX, 1, UINT64_MAX - 1 },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(reduce_element((struct reduction){ rows[i].op, rows[i].type }, rows[i].old, rows[i].by),
                         rows[i].want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_of_f32),
        cmocka_unit_test(sums_of_f64),
        cmocka_unit_test(sums_of_bf16),
        cmocka_unit_test(orders),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
