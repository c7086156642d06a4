/* Fat binaries: which PTX is taken of one, and what is said where there is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <fatbinary_section.h>

#include "harness/inside/device/fatbin.h"

enum { HEADER = 16, ENTRY = 64, PTX = 1, ELF = 2, SPECIFIC = 0x100000, LZ4 = 0x2000, ZSTD = 0x8000 };

static unsigned char image[4096];
static size_t size;
static struct fatbin taken;
static char error[300];

static void put(size_t at, uint64_t number, size_t bytes)
{
    memcpy(image + at, &number, bytes);
}

/* An image without entries. */
static void begin(void)
{
    memset(image, 0, sizeof image);
    put(0, 0xba55ed50u, 4);
    put(6, HEADER, 2);
    size = HEADER;
}

static void end_image(void)
{
    put(8, size - HEADER, 8);
}

/* Puts an entry, and returns where it begins. */
static size_t entry(unsigned kind, unsigned target, uint64_t flags, const char *bytes, size_t n)
{
    const size_t at = size;

    put(at, kind, 2);
    put(at + 4, ENTRY, 4);
    put(at + 8, n, 8);
    put(at + 28, target, 4);
    put(at + 40, flags, 8);
    memcpy(image + at + ENTRY, bytes, n);
    size += ENTRY + n;
    end_image();
    return at;
}

static size_t text(unsigned target, uint64_t flags, const char *ptx)
{
    return entry(PTX, target, flags, ptx, strlen(ptx));
}

/* Takes what is in the image, and compares the first text, or what is said. */
static void gives(const char *ptx)
{
    if (!fatbin_read(image, 0, &taken, error, sizeof error))
        fail_msg("%s", error);
    assert_int_equal(taken.count, 1);
    assert_string_equal(taken.texts[0].text, ptx);
    assert_int_equal(taken.texts[0].size, strlen(ptx));
    fatbin_free(&taken);
}

static void refuses(const void *from, const char *says)
{
    assert_false(fatbin_read(from, 0, &taken, error, sizeof error));
    if (!strstr(error, says))
        fail_msg("says '%s', not '%s'", error, says);
    fatbin_free(&taken);
}

/* The highest target that the device runs, its own before one that others have too. */
static void test_best_target(void **state)
{
    (void)state;
    begin();
    text(80, 0, "eighty");
    gives("eighty");
    text(90, 0, "ninety");
    gives("ninety");
    text(90, SPECIFIC, "ninety a");
    gives("ninety a");
    text(100, 0, "newer");
    text(89, SPECIFIC, "another's");
    entry(ELF, 90, 0, "code", 4);
    gives("ninety a");
}

/* As libraries are built: machine code for each device, and PTX for the newest. */
static void test_newer(void **state)
{
    (void)state;
    begin();
    entry(ELF, 90, 0, "code", 4);
    refuses(image, "it holds machine code and no PTX");
    text(120, 0, "newest");
    gives("newest");
    text(100, SPECIFIC, "of one architecture");
    text(100, 0, "newer");
    gives("newer");
    text(80, 0, "eighty");
    gives("eighty");
}

static void test_none(void **state)
{
    (void)state;
    begin();
    end_image();
    refuses(image, "it holds machine code of an unknown kind and no PTX; build it with -arch=sm_90a");
    entry(ELF, 80, 0, "code", 4);
    refuses(image, "it holds machine code and no PTX");
    text(100, 0, "newer");
    refuses(image, "its PTX is for sm_100 only");
    text(0xbabababa, 0, "no target"); /* was a negative one, and the best */
    refuses(image, "its PTX is for sm_");
    refuses("\177ELF", "it is machine code (a cubin)");
}

/* Sizes that lead outside, also such as add up to little in 64 bits. */
static void test_damaged(void **state)
{
    static const struct {
        uint64_t header, bytes;
    } sizes[] = { { 0, 0 },
                  { ENTRY - 1, 4 },
                  { ENTRY, 5 },
                  { ENTRY + 1, 4 },
                  { UINT32_MAX, 4 },
                  { ENTRY, UINT64_MAX },
                  { ENTRY, UINT64_MAX - ENTRY + 1 },
                  { UINT32_MAX, UINT64_MAX - UINT32_MAX + 1 + ENTRY } };

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        begin();
        const size_t at = text(90, 0, "text");
        put(at + 4, sizes[i].header, 4);
        put(at + 8, sizes[i].bytes, 8);
        refuses(image, "its fat binary is damaged");
    }
    begin();
    put(text(90, LZ4, "text") + 16, 5, 4); /* more compressed bytes than there are */
    refuses(image, "its fat binary is damaged");
    begin();
    const size_t at = text(90, LZ4, "text");
    put(at + 16, 4, 4);
    put(at + 56, 1ull << 40, 8); /* of so much text */
    refuses(image, "its fat binary is damaged");
    begin();
    for (int packed = LZ4; packed <= ZSTD; packed += ZSTD - LZ4) {
        begin();
        const size_t one = text(90, (uint64_t)packed, "not compressed");
        put(one + 16, 14, 4);
        put(one + 56, 100, 8);
        assert_false(fatbin_read(image, 0, &taken, error, sizeof error));
        assert_true(strstr(error, "its PTX is damaged") || strstr(error, "this machine has no lib"));
        fatbin_free(&taken);
    }
}

static void test_compressed(void **state)
{
    static const char lz4[] = "\xf0\x05"
                              "twenty bytes of text"; /* literals, and no match behind them */

    (void)state;
    begin();
    const size_t at = entry(PTX, 90, LZ4, lz4, sizeof lz4 - 1);
    put(at + 16, sizeof lz4 - 1, 4);
    put(at + 56, 20, 8);
    if (fatbin_read(image, 0, &taken, error, sizeof error)) {
        assert_string_equal(taken.texts[0].text, "twenty bytes of text");
        fatbin_free(&taken);
    } else {
        assert_non_null(strstr(error, "liblz4.so.1"));
    }
}

static void test_in_a_struct(void **state)
{
    static void *many[FATBIN_TEXTS + 2];
    void *none[] = { NULL }, *two[] = { image, image, NULL };
    const __fatBinC_Wrapper_t one = { .magic = FATBINC_MAGIC, .version = 1, .data = (void *)image };
    __fatBinC_Wrapper_t linked = { .magic = FATBINC_MAGIC,
                                   .version = FATBINC_LINK_VERSION,
                                   .filename_or_fatbins = (void *)two };

    (void)state;
    begin();
    text(90, 0, "text");
    assert_true(fatbin_read(&one, 0, &taken, error, sizeof error));
    assert_string_equal(taken.texts[0].text, "text");
    fatbin_free(&taken);
    assert_true(fatbin_read(&linked, 0, &taken, error, sizeof error));
    assert_int_equal(taken.count, 2);
    fatbin_free(&taken);
    linked.filename_or_fatbins = (void *)none;
    refuses(&linked, "it holds no PTX for sm_90a or lower");
    for (size_t i = 0; i <= FATBIN_TEXTS; i++)
        many[i] = image;
    linked.filename_or_fatbins = (void *)many;
    refuses(&linked, "it was linked from more than 256 object files");
    /* a library of the toolkit among them is for the newest target only */
    begin();
    text(100, 0, "newer");
    linked.filename_or_fatbins = (void *)two;
    refuses(&linked, "it holds no PTX for sm_90a or lower");
    put(0, 7, 4);
    refuses(&one, "its image is no fat binary");
}

static void test_text(void **state)
{
    (void)state;
    strcpy((char *)image, ".version 8.0");
    gives(".version 8.0");
    assert_true(fatbin_read(image, 8, &taken, error, sizeof error));
    assert_string_equal(taken.texts[0].text, ".version");
    fatbin_free(&taken);
    assert_true(fatbin_read("ab", 2, &taken, error, sizeof error)); /* shorter than a magic number */
    assert_string_equal(taken.texts[0].text, "ab");
    fatbin_free(&taken);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_best_target), cmocka_unit_test(test_newer),      cmocka_unit_test(test_none),
        cmocka_unit_test(test_damaged),     cmocka_unit_test(test_compressed), cmocka_unit_test(test_in_a_struct),
        cmocka_unit_test(test_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
