/* Memory of ended clusters: it is given out again for as many bytes, and no more is kept than may be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/emu/machine/spare.h"

static void given_again(void **state)
{
    struct emu_spare spare = { 0 };
    unsigned char *a = emu_spare_take(&spare, 100), *b = emu_spare_take(&spare, 200), *c;

    (void)state;
    assert_true(a && b && !((uintptr_t)a % 1024) && !((uintptr_t)b % 1024));
    memset(a, 1, 100);
    memset(b, 2, 200);
    emu_spare_give(&spare, a, 100);
    emu_spare_give(&spare, b, 200);
    emu_spare_give(&spare, NULL, 300);
    assert_int_equal(spare.n, 2);
    c = emu_spare_take(&spare, 101); /* as many bytes, not about as many */
    assert_true(c && c != a && c != b);
    assert_ptr_equal(emu_spare_zeros(&spare, 100), a);
    for (int i = 0; i < 100; i++)
        assert_int_equal(a[i], 0);
    assert_ptr_equal(emu_spare_take(&spare, 200), b);
    assert_int_equal(spare.n + spare.bytes, 0);
    emu_spare_give(&spare, a, 100);
    emu_spare_give(&spare, b, 200);
    emu_spare_give(&spare, c, 101);
    emu_spare_free(&spare);
    assert_int_equal(spare.n + spare.bytes, 0);
}

/* Those that were given back first go. */
static void trimmed(void **state)
{
    struct emu_spare spare = { 0 };
    void *a = emu_spare_take(&spare, 100), *b = emu_spare_take(&spare, 200), *c = emu_spare_take(&spare, 300);

    (void)state;
    emu_spare_give(&spare, a, 100);
    emu_spare_give(&spare, b, 200);
    emu_spare_give(&spare, c, 300);
    emu_spare_trim(&spare, 600);
    assert_int_equal(spare.n, 3);
    emu_spare_trim(&spare, 599);
    assert_int_equal(spare.n, 2);
    assert_int_equal(spare.bytes, 500);
    assert_ptr_equal(emu_spare_take(&spare, 200), b);
    emu_spare_trim(&spare, 0);
    assert_int_equal(spare.n + spare.bytes, 0);
    emu_spare_give(&spare, b, 200);
    emu_spare_free(&spare);
}

static void so_much_is_kept(void **state)
{
    struct emu_spare spare = { 0 };
    void *all[EMU_SPARE_PIECES + 1], *large = emu_spare_take(&spare, EMU_SPARE_BYTES - 100);

    (void)state;
    for (int i = 0; i <= EMU_SPARE_PIECES; i++) {
        all[i] = emu_spare_take(&spare, 1);
        assert_non_null(all[i]);
    }
    for (int i = 0; i <= EMU_SPARE_PIECES; i++)
        emu_spare_give(&spare, all[i], 1);
    assert_int_equal(spare.n, EMU_SPARE_PIECES);
    emu_spare_free(&spare);

    all[0] = emu_spare_take(&spare, 101);
    assert_non_null(large);
    emu_spare_give(&spare, large, EMU_SPARE_BYTES - 100);
    emu_spare_give(&spare, all[0], 101);
    assert_int_equal(spare.n, 1);
    assert_int_equal(spare.bytes, EMU_SPARE_BYTES - 100);
    emu_spare_free(&spare);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(given_again), cmocka_unit_test(trimmed),
                                        cmocka_unit_test(so_much_is_kept) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
