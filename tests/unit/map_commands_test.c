/* copycheck encode, tile and swizzle: what they answer, and that bad input gets its line. */
#include <dlfcn.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "expected/oracle.h"
#include "harness/commands/cmd.h"
#include "harness/maps/maps.h"
#include "tests/unit/capture.h"
#include "tests/unit/one_file.h"

static int clear(void **state)
{
    capture_free();
    return drop_path(state);
}

/* Runs a command over the file; `%s` in the line is its path. */
static int over(int (*command)(int, char **), const char *line, const char *text)
{
    char whole[512];

    put(text, strlen(text));
    snprintf(whole, sizeof whole, line, path); /* NOLINT(clang-diagnostic-format-nonliteral) */
    return capture(command, whole);
}

static void one_call_is_explained(void **state)
{
    (void)state;
    assert_int_equal(capture(cmd_encode, "encode --dims 64,32 --box 64,8 --type f16"), 0);
    assert_has(captured_out, "  tensorDataType  6 (f16)\n  tensorRank      2\n");
    assert_has(captured_out, "  globalStrides   {128} bytes\n");
    assert_has(captured_out, "accepted: the call breaks no limit. A tile load with this map writes 1024 bytes");
    assert_int_equal(capture(cmd_encode, "encode --dims=64,32 box=300,8 --strides 2^40,16 --rank 2"), 1);
    assert_int_equal(capture(cmd_encode, "encode --dims 64,32 --box 300,8 --address 8"), 1);
    assert_has(captured_out, "illegal: the call breaks 2 limits.");
    assert_has(captured_out,
               "boxDim[0] is 300; it must be at most 256. The nearest legal value is 256.\n   rule    tmap.");
    assert_has(captured_out, "globalAddress is 8; it must be ");
    assert_int_equal(capture(cmd_encode, "encode --dims 64,32 --rank 7 --documents --type -1 --swizzle 99"), 1);
    assert_has(captured_out, "tensorRank      7");
    assert_has(captured_out, "no such enumerator");
    assert_int_equal(capture(cmd_encode, "encode dims[1]=7 strides[0]=512"), 0);
    assert_has(captured_out, "globalStrides   {512} bytes");
    assert_int_equal(capture(cmd_encode, "encode --type 16u4-align16b --dims 256,8 --documents"), 0);
    assert_int_equal(capture(cmd_encode, "encode --help"), 0);
    assert_has(captured_out, "usage: copycheck encode");
}

static void bad_options(void **state)
{
    static const struct {
        int (*command)(int, char **);
        const char *line, *error;
    } rows[] = {
        { cmd_encode, "encode --colour", "encode: '--colour' is no option of it" },
        { cmd_encode, "encode --dims", "--dims needs a value" },
        { cmd_encode, "encode --dims big", "number" },
        { cmd_encode, "encode --engine emux --dims 1,1", "encode: no engine 'emux'" },
        { cmd_encode, "encode --engine", "--engine needs oracle or gpu" },
        { cmd_encode, "encode --seed", "--seed needs a number" },
        { cmd_encode, "encode --random many", "--random needs a number of calls" },
        { cmd_encode, "encode --bench 0", "--bench needs at least one check" },
        { cmd_encode, "encode --batch --dims 4,4", "options of a single call do not go with --batch" },
        { cmd_encode, "encode --batch /nowhere", "/nowhere: No such file or directory" },
        { cmd_encode, "encode --batch a b", "encode: 'b' is no option of it" },
        { cmd_tile, "tile --colour", "tile: '--colour' is no option of it" },
        { cmd_tile, "tile --at x --dims 4,4", "tile: --at 'x': not coordinates" },
        { cmd_tile, "tile --at 1,2,3,4,5,6 --dims 4,4", "not coordinates" },
        { cmd_tile, "tile --at 1;2 --dims 4,4", "not coordinates" },
        { cmd_tile, "tile --at 1 --dims 64,32", "tile: --at has 1 coordinates, the tensor has rank 2" },
        { cmd_tile, "tile --offset 8 --dims 64,32", "tile: " },
        { cmd_tile, "tile --offset x", "tile: --offset 'x'" },
        { cmd_tile, "tile --lines x", "tile: --lines 'x'" },
        { cmd_tile, "tile --box 300,1 --dims 64,32", "tile: boxDim[0] must be at most 256" },
        { cmd_tile, "tile --batch --dims 4,4", "tile: options of a single load do not go with --batch" },
        { cmd_tile, "tile --batch /nowhere", "/nowhere: No such file or directory" },
        { cmd_tile, "tile --dims", "--dims needs a value" },
        { cmd_tile, "tile --type f99", "no such name" },
        { cmd_swizzle, "swizzle --colour", "swizzle: '--colour' is no option of it" },
        { cmd_swizzle, "swizzle --mode 256B", "swizzle: no mode '256B'" },
        { cmd_swizzle, "swizzle --mode", "swizzle: no mode ''" },
        { cmd_swizzle, "swizzle --mode 32B --base 0x10", "swizzle: --base 16 is no multiple of 128" },
        { cmd_swizzle, "swizzle --mode 32B --base red", "swizzle: --base 'red'" },
        { cmd_swizzle, "swizzle --mode 32B --lines 0", "swizzle: --lines '0'" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(capture(rows[i].command, rows[i].line), 2);
        assert_has(captured_err, rows[i].error);
    }
    assert_int_equal(capture(cmd_encode, "encode"), 2);
    assert_int_equal(capture(cmd_tile, "tile"), 2);
    assert_int_equal(capture(cmd_swizzle, "swizzle"), 2);
    assert_int_equal(capture(cmd_tile, "tile --help"), 0);
    assert_int_equal(capture(cmd_swizzle, "swizzle --help"), 0);
}

#define LEGAL "7\t2\t0\t64,32\t256\t32,8\t1,1\t0\t0\t0\t0"
#define WIDE  "7\t2\t0\t64,32\t256\t300,8\t1,1\t0\t0\t0\t0"

static void batches_of_calls(void **state)
{
    static const struct {
        const char *line, *error;
    } bad[] = {
        { "", "type: a number is missing" },
        { "x\t2", "type: not a number: 'x'" },
        { "7", "type: the line ends after it" },
        { "7\t2\t0\t64\t256\t32,8\t1,1\t0\t0\t0\t0", "dims: " },
        { "7\t2\t0\t64,32,1\t256\t32,8\t1,1\t0\t0\t0\t0", "dims: " },
        { "7\t2\t0\t64,32\t256\t4294967296,8\t1,1\t0\t0\t0\t0", "box: " },
        { "7\t2\t18446744073709551616\t64,32\t256\t32,8\t1,1\t0\t0\t0\t0", "address: " },
        { LEGAL "\t9", "fill: " },
        { "7\t2\t0\t64,32\t256\t32,8\t1,1\t0\t0\t0", "l2: the line ends after it" },
        { "7\t-99999999999999999999\t0", "rank: " },
    };
    char expected[128];

    (void)state;
    assert_int_equal(
        over(cmd_encode, "encode --batch %s", LEGAL "\n" WIDE "\n0x7\t2\t0\t64,32\t256\t32,8\t1,1\t0\t0\t0\t0"), 0);
    assert_string_equal(captured_out, "accept\nrefuse\ttmap.tiled.box.max\naccept\n");
    assert_int_equal(over(cmd_encode, "encode --documents --batch %s", "7\t9\t0\t1,2,3\t16\t1\t1\t0\t0\t0\t0\n"), 0);
    assert_has(captured_out, "refuse\ttmap.tiled.");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[256];
        snprintf(text, sizeof text, LEGAL "\n%s\n", bad[i].line);
        assert_int_equal(over(cmd_encode, "encode --batch %s", text), 2);
        snprintf(expected, sizeof expected, "copycheck: %s:2: %s", path, bad[i].error);
        assert_has(captured_err, expected);
        assert_string_equal(captured_out, "accept\n");
    }
    put(LEGAL "\0\n", sizeof LEGAL "\0\n" - 1);
    snprintf(expected, sizeof expected, "encode --batch %s", path);
    assert_int_equal(capture(cmd_encode, expected), 2);
    assert_has(captured_err, ":1: a null byte");
    assert_int_equal(capture(cmd_encode, "encode --batch /tmp"), 2);
    assert_has(captured_err, "/tmp: Is a directory");
}

/* A random call that is written reads as itself, and each argument is wrong now and then. */
static void random_calls_are_read_again(void **state)
{
    size_t accepted = 0, lines = 0;
    char *calls, *line, *rest;

    (void)state;
    assert_int_equal(capture(cmd_encode, "encode --random 3000 --seed 7"), 0);
    calls = rest = strdup(captured_out);
    while ((line = strsep(&rest, "\n")) && *line) {
        struct tensor_map map;
        char error[200], *text = NULL;
        size_t size = 0;
        FILE *to;

        lines++;
        if (!map_line_read(line, &map, NULL, error, sizeof error))
            fail_msg("%s: %s", line, error);
        to = open_memstream(&text, &size);
        map_line_write(to, &map);
        fclose(to);
        assert_string_equal(text, line);
        free(text);
        accepted += tensor_map_check(&map, NULL, 0) == 0;
    }
    free(calls);
    assert_int_equal(lines, 3000);
    assert_in_range(accepted, 300, 2700);
    assert_int_equal(capture(cmd_encode, "encode --random 2"), 0);
    assert_int_equal(capture(cmd_encode, "encode --bench 5000"), 0);
    assert_has(captured_out, "5000 checks in ");
}

static void tiles_are_drawn(void **state)
{
    (void)state;
    assert_int_equal(capture(cmd_tile, "tile --type u32 --dims 6,5 --strides 32 --box 4,4 --at 4,3"), 0);
    assert_has(captured_out, "A load of 64 bytes to shared address 0, swizzle none.");
    assert_has(captured_out, "       0  4,3 2z  4,4 2z    zero    zero       .       .       .       .\n");
    assert_int_equal(
        capture(cmd_tile, "tile --type f32 --fill nan --dims 6,5 --strides 32 --box 8,4 --at -4,0 --offset 128"), 0);
    assert_has(captured_out, "   nan   0,0   nan   0,1");
    assert_int_equal(capture(cmd_tile, "tile --type f16 --dims 64,32 --box 64,32 --swizzle 128B --lines 2"), 0);
    assert_has(captured_out, "30 more lines: --lines 32");
    assert_has(captured_out, "    0x80   8,1   0,1  24,1  16,1  40,1  32,1  56,1  48,1\n");
}

static void batches_of_tiles(void **state)
{
    static unsigned char image[49152];
    char expected[64];
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    (void)state;
    /* One row of 8 words from offset 0 of the region, to 1024. */
    memset(image, 0xEE, sizeof image);
    for (uint64_t g = 0; g < 32; g++)
        image[1024 + g] = (unsigned char)((g * UINT64_C(0x9E3779B97F4A7C15)) >> 56);
    for (size_t i = 0; i < sizeof image; i++)
        hash = (hash ^ image[i]) * UINT64_C(0x100000001b3);
    snprintf(expected, sizeof expected, "%016" PRIx64 "\nrefuse\n", hash);
    assert_int_equal(over(cmd_tile, "tile --batch %s", "7\t1\t0\t64\t\t8\t1\t0\t0\t0\t0\t0\t1024\n" WIDE "\t0,0\t0\n"),
                     0);
    assert_string_equal(captured_out, expected);
    assert_int_equal(over(cmd_tile, "tile --batch %s", LEGAL "\t0,0\t48640\n"), 2);
    assert_has(captured_err, ":1: shared offset: the tile of ");
    assert_int_equal(over(cmd_tile, "tile --batch %s", "7\t1\t1048560\t64\t\t8\t1\t0\t0\t0\t0\t0\t0\n"), 2);
    assert_has(captured_err, ":1: address: the tile reads up to byte ");
    assert_int_equal(over(cmd_tile, "tile --batch %s", LEGAL "\n"), 2);
    assert_has(captured_err, ":1: fill: the line ends after it");
    assert_int_equal(over(cmd_tile, "tile --batch %s", LEGAL "\t0\t0\n"), 2);
    assert_int_equal(over(cmd_tile, "tile --batch %s", LEGAL "\t0,4294967296\t0\n"), 2);
    assert_int_equal(over(cmd_tile, "tile --batch %s", LEGAL "\t0,0\t-1\n"), 2);
    assert_int_equal(capture(cmd_tile, "tile --batch /tmp"), 2);
    put("\0\n", 2);
    snprintf(expected, sizeof expected, "tile --batch %s", path);
    assert_int_equal(capture(cmd_tile, expected), 2);
    assert_has(captured_err, ":1: a null byte");
}

static void permutations(void **state)
{
    (void)state;
    assert_int_equal(capture(cmd_swizzle, "swizzle --mode 128B --base 0x80 --lines 2"), 0);
    assert_has(captured_out, "repeats every 1024 bytes");
    assert_has(captured_out, "      0x80   1    0    3    2    5    4    7    6 \n");
    assert_int_equal(capture(cmd_swizzle, "swizzle --mode 128B-atom-32B-flip-8B"), 0);
    assert_has(captured_out, "~");
    assert_int_equal(capture(cmd_swizzle, "swizzle --mode none"), 0);
    assert_has(captured_out, "every byte stays where it is");
}

/* The driver's answers, from one without a device: it takes every rank from 1 to 5. */
static void asks_the_driver(void)
{
    if (over(cmd_encode, "encode --engine gpu --batch %s",
             LEGAL "\n" WIDE "\n7\t0\t0\t\t\t\t\t0\t0\t0\t0\n"
                   "7\t99999\t0\t1\t1\t1\t1\t0\t0\t0\t0\n") != 0 ||
        strcmp(captured_out, "accept\naccept\nrefuse\tCUDA_ERROR_INVALID_VALUE\n"
                             "refuse\tnot asked: the driver dies of such a rank\n") != 0)
        goto bad;
    if (over(cmd_encode, "encode --compare --batch %s", LEGAL "\n" WIDE "\n") != 1 ||
        strcmp(captured_out, WIDE "\toracle refuse\ttmap.tiled.box.max\tgpu accept\n2 calls, 1 differ\n") != 0)
        goto bad;
    if (capture(cmd_encode, "encode --engine gpu --dims 64,32") != 0 ||
        !strstr(captured_out, "driver: accepts this call."))
        goto bad;
    if (capture(cmd_encode, "encode --compare --dims 64,32 --box 300,8") != 1 ||
        !strstr(captured_out, "driver: accepts this call."))
        goto bad;
    if (capture(cmd_encode, "encode --engine=gpu --dims 64,32 --rank 0") != 1 ||
        !strstr(captured_out, "driver: refuses this call (CUDA_ERROR_INVALID_VALUE)."))
        goto bad;
    if (capture(cmd_encode, "encode --engine gpu --dims 64,32 --rank 70000") != 1 ||
        !strstr(captured_out, "driver: not asked, because such a rank crashes it."))
        goto bad;
    capture_free();
    _exit(0);
bad:
    fprintf(stderr, "%s%s", captured_out, captured_err);
    _exit(1);
}

static void with_a_driver(void **state)
{
    const char *build = getenv("BUILD");
    char library[256];
    int status;
    pid_t child;

    (void)state;
    snprintf(library, sizeof library, "%s/fake/libcuda.so.1", build ? build : "build");
    fflush(NULL);
    child = fork();
    if (child == 0) {
        setenv("FAKE_CUDA", "", 1);
        if (!dlopen(library, RTLD_NOW | RTLD_GLOBAL))
            _exit(9);
        asks_the_driver();
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_call_is_explained), cmocka_unit_test(bad_options),
        cmocka_unit_test(batches_of_calls),      cmocka_unit_test(random_calls_are_read_again),
        cmocka_unit_test(tiles_are_drawn),       cmocka_unit_test(batches_of_tiles),
        cmocka_unit_test(permutations),          cmocka_unit_test(with_a_driver),
    };

    return cmocka_run_group_tests_name("map commands", tests, make_path, clear);
}
// SPDX-License-Identifier: Apache-2.0
