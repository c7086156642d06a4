/* The swizzle patterns: against the tables of the PTX ISA, and as permutations. */
#include "expected/oracle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* The first lines of each pattern: which 16-byte cell of the unswizzled line is found at each cell. */
static void tables(void **state)
{
    (void)state;
    static const struct {
        int64_t mode;
        int lines;
        unsigned char cell[8][8];
    } table[] = {
        { TENSOR_SWIZZLE_32B, 2, { { 0, 1, 2, 3, 4, 5, 6, 7 }, { 1, 0, 3, 2, 5, 4, 7, 6 } } },
        { TENSOR_SWIZZLE_64B,
          4,
          { { 0, 1, 2, 3, 4, 5, 6, 7 },
            { 1, 0, 3, 2, 5, 4, 7, 6 },
            { 2, 3, 0, 1, 6, 7, 4, 5 },
            { 3, 2, 1, 0, 7, 6, 5, 4 } } },
        { TENSOR_SWIZZLE_128B,
          8,
          { { 0, 1, 2, 3, 4, 5, 6, 7 },
            { 1, 0, 3, 2, 5, 4, 7, 6 },
            { 2, 3, 0, 1, 6, 7, 4, 5 },
            { 3, 2, 1, 0, 7, 6, 5, 4 },
            { 4, 5, 6, 7, 0, 1, 2, 3 },
            { 5, 4, 7, 6, 1, 0, 3, 2 },
            { 6, 7, 4, 5, 2, 3, 0, 1 },
            { 7, 6, 5, 4, 3, 2, 1, 0 } } },
        { TENSOR_SWIZZLE_128B_ATOM_32B,
          4,
          { { 0, 1, 2, 3, 4, 5, 6, 7 },
            { 2, 3, 0, 1, 6, 7, 4, 5 },
            { 4, 5, 6, 7, 0, 1, 2, 3 },
            { 6, 7, 4, 5, 2, 3, 0, 1 } } },
        { TENSOR_SWIZZLE_128B_ATOM_64B, 2, { { 0, 1, 2, 3, 4, 5, 6, 7 }, { 4, 5, 6, 7, 0, 1, 2, 3 } } },
    };

    for (size_t m = 0; m < sizeof table / sizeof *table; m++)
        for (uint64_t line = 0; line < 32; line++)
            for (uint64_t cell = 0; cell < 8; cell++) {
                const uint64_t from = table[m].cell[line % (uint64_t)table[m].lines][cell];

                assert_int_equal(tensor_swizzle(table[m].mode, line * 128 + from * 16), line * 128 + cell * 16);
            }
}

static void flip_swaps_halves_of_odd_lines(void **state)
{
    (void)state;
    for (uint64_t a = 0; a < 4096; a++) {
        const uint64_t plain = tensor_swizzle(TENSOR_SWIZZLE_128B_ATOM_32B, a);

        assert_int_equal(tensor_swizzle(TENSOR_SWIZZLE_128B_ATOM_32B_FLIP_8B, a), a / 128 % 2 ? plain ^ 8 : plain);
    }
}

static void each_mode_is_its_own_inverse_and_repeats(void **state)
{
    (void)state;
    for (int64_t mode = 0; mode < TENSOR_SWIZZLE_COUNT; mode++)
        for (uint64_t a = 0; a < 4096; a++) {
            const uint64_t to = tensor_swizzle(mode, a);

            assert_int_equal(tensor_swizzle(mode, to), a);
            assert_int_equal(to / 128, a / 128); /* inside its line */
            assert_int_equal(tensor_swizzle(mode, a + tensor_swizzle_period(mode)), to + tensor_swizzle_period(mode));
        }
}

static void unknown_modes_change_nothing(void **state)
{
    (void)state;
    assert_int_equal(tensor_swizzle(-1, 0x3F0), 0x3F0);
    assert_int_equal(tensor_swizzle(TENSOR_SWIZZLE_COUNT, 0x3F0), 0x3F0);
    assert_int_equal(tensor_swizzle_span(-1), 0);
    assert_int_equal(tensor_swizzle_span(TENSOR_SWIZZLE_NONE), 0);
    assert_int_equal(tensor_swizzle_span(TENSOR_SWIZZLE_32B), 32);
    assert_int_equal(tensor_swizzle_span(TENSOR_SWIZZLE_64B), 64);
    assert_int_equal(tensor_swizzle_span(TENSOR_SWIZZLE_128B_ATOM_64B), 128);
    assert_int_equal(tensor_swizzle_period(99), 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables),
        cmocka_unit_test(flip_swaps_halves_of_odd_lines),
        cmocka_unit_test(each_mode_is_its_own_inverse_and_repeats),
        cmocka_unit_test(unknown_modes_change_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
