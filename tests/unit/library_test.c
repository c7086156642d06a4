/* libcopycheck as another program sees it: verdicts, buffers that come back, errors as texts, several threads at once.
 */
#include <pthread.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "harness/library/copycheck.h"

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"

static const char add_ptx[] = HEAD ".visible .entry add(.param .u64 p, .param .u32 n)\n"
                                   "{ .reg .b32 %r<4>; .reg .b64 %d<4>; .reg .pred %p;\n"
                                   "mov.u32 %r0, %tid.x; ld.param.u32 %r1, [n]; setp.ge.u32 %p, %r0, %r1; @%p ret;\n"
                                   "ld.param.u64 %d0, [p]; mul.wide.u32 %d1, %r0, 4; add.u64 %d0, %d0, %d1;\n"
                                   "ld.global.u32 %r2, [%d0]; add.u32 %r2, %r2, 1; st.global.u32 [%d0], %r2; ret; }\n";

static const char early_ptx[] =
    HEAD ".visible .entry early(.param .u64 in, .param .u64 out)\n"
         "{ .reg .b32 %r<3>; .reg .b64 %rd<3>; .shared .align 16 .b8 tile[16];\n"
         "mov.u32 %r1, tile; ld.param.u64 %rd1, [in]; cp.async.ca.shared.global [%r1], [%rd1], 16;\n"
         "cp.async.commit_group; cp.async.wait_group 1; ld.shared.u32 %r2, [%r1];\n"
         "ld.param.u64 %rd2, [out]; st.global.u32 [%rd2], %r2; ret; }\n";

static const char map_ptx[] = HEAD ".visible .entry takes(.param .align 64 .b8 map[128], .param .u64 x) { ret; }\n";

static struct copycheck_launch launch_of(const char *ptx, const struct copycheck_argument *arguments, size_t n)
{
    return (struct copycheck_launch){
        .ptx = ptx, .ptx_bytes = strlen(ptx), .block = { 32 }, .arguments = arguments, .argument_count = n
    };
}

static void clean(void **state)
{
    uint32_t x[32], n = 20;
    const struct copycheck_argument arguments[] = { { COPYCHECK_BUFFER, x, sizeof x, 0 },
                                                    { COPYCHECK_VALUE, &n, sizeof n, 0 } };
    const struct copycheck_launch launch = launch_of(add_ptx, arguments, 2);
    struct copycheck_result *r;

    (void)state;
    for (uint32_t i = 0; i < 32; i++)
        x[i] = 100 + i;
    r = copycheck_check(&launch);
    assert_non_null(r);
    assert_int_equal(copycheck_status(r), COPYCHECK_CLEAN);
    assert_string_equal(copycheck_message(r), "");
    assert_int_equal(copycheck_count(r), 0);
    assert_non_null(strstr(copycheck_text(r), "clean: add"));
    assert_non_null(strstr(copycheck_json(r), "\"end\":\"done\""));
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(x[i], 100 + i + (i < n));
    copycheck_free(r);
}

static void diagnosed(void **state)
{
    unsigned char in[4096] = { 1 }, out[4096];
    const struct copycheck_argument arguments[] = { { COPYCHECK_BUFFER, in, sizeof in, 0 },
                                                    { COPYCHECK_UNWRITTEN, out, sizeof out, 0 } };
    struct copycheck_launch launch = launch_of(early_ptx, arguments, 2);
    const struct copycheck_finding *f;
    struct copycheck_result *r;

    (void)state;
    launch.block[0] = 1;
    r = copycheck_check(&launch);
    assert_int_equal(copycheck_status(r), COPYCHECK_DIAGNOSED);
    f = copycheck_finding(r, 0);
    assert_non_null(f);
    assert_string_equal(f->rule, "group.wait.n");
    assert_false(f->remark);
    assert_string_equal(f->here.ptx, "ld.shared.u32 %r2, [%r1];");
    assert_non_null(strstr(f->other.ptx, "cp.async"));
    assert_true(*f->message && *f->sentence && *f->remedy && *f->here.where);
    assert_null(copycheck_finding(r, copycheck_count(r)));
    copycheck_free(r);
}

/* Whether a launch has no verdict, for a reason with this text in it. */
static void refused(const struct copycheck_launch *launch, const char *text)
{
    struct copycheck_result *r = copycheck_check(launch);

    assert_int_equal(copycheck_status(r), COPYCHECK_NO_VERDICT);
    if (!strstr(copycheck_message(r), text))
        fail_msg("'%s' is not in '%s'", text, copycheck_message(r));
    copycheck_free(r);
}

static void no_verdict(void **state)
{
    static const char *const unknown[] = { "--nonsense=1", NULL };
    static const char *many[2000] = { NULL };
    uint32_t x[32] = { 0 };
    const struct copycheck_argument one[] = { { COPYCHECK_BUFFER, x, sizeof x, 0 } };
    struct copycheck_launch launch = launch_of(add_ptx, one, 1);

    (void)state;
    refused(&launch, "there is no --arg for n");
    launch.entry = "subtract";
    refused(&launch, "no kernel 'subtract'");
    launch = launch_of("nonsense", one, 1);
    refused(&launch, "error:");
    launch = launch_of(add_ptx, one, 1);
    launch.options = unknown;
    refused(&launch, "--nonsense");
    for (size_t i = 0; i + 1 < sizeof many / sizeof *many; i++)
        many[i] = "--schedules=1";
    launch.options = many;
    refused(&launch, "too many");
    const struct copycheck_argument none[] = { one[0], { COPYCHECK_VALUE, x, 0, 0 } };
    launch = launch_of(add_ptx, none, 2);
    refused(&launch, "a value of no bytes");
}

/* A launch with everything a caller may say: its kernel of two, extents of several dimensions, dynamic shared memory,
 * bytes that nobody has written. */
static void extents(void **state)
{
    static const char ptx[] = HEAD ".extern .shared .align 16 .b8 room[];\n"
                                   ".visible .entry other() { ret; }\n"
                                   ".visible .entry counts(.param .u64 p)\n"
                                   "{ .reg .b32 %r<8>; .reg .b64 %d<3>;\n"
                                   "mov.u32 %r0, %ctaid.y; mov.u32 %r1, %ntid.z; mov.u32 %r2, %dynamic_smem_size;\n"
                                   "ld.param.u64 %d0, [p]; mul.wide.u32 %d1, %r0, 8; add.u64 %d0, %d0, %d1;\n"
                                   "st.global.u32 [%d0], %r1; st.global.u32 [%d0+4], %r2; ret; }\n";
    uint32_t x[8] = { 0 };
    const struct copycheck_argument unwritten = { COPYCHECK_UNWRITTEN, x, sizeof x, 0 };
    struct copycheck_launch launch = { .ptx = ptx,
                                       .ptx_bytes = strlen(ptx),
                                       .name = "some.ptx",
                                       .entry = "counts",
                                       .grid = { 1, 4 },
                                       .block = { 1, 1, 3 },
                                       .dynamic_bytes = 4096,
                                       .arguments = &unwritten,
                                       .argument_count = 1 };
    struct copycheck_result *r;

    (void)state;
    launch.block[2] = 1;
    r = copycheck_check(&launch);
    assert_int_equal(copycheck_status(r), COPYCHECK_CLEAN);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(x[2 * i], 1);
        assert_int_equal(x[2 * i + 1], 4096);
    }
    copycheck_free(r);
    launch.block[2] = 3; /* three threads write the same place */
    r = copycheck_check(&launch);
    assert_int_equal(copycheck_status(r), COPYCHECK_CLEAN);
    assert_int_equal(x[6], 3);
    copycheck_free(r);
    launch.dynamic_bytes = 1 << 20;
    refused(&launch, "--smem");
}

/* A launch that does not end has no verdict, and says why; what it would have printed is at hand. */
static void stopped(void **state)
{
    static const char ptx[] =
        HEAD ".visible .entry never() { .reg .b32 %r; mov.u32 %r, 0; L: add.u32 %r, %r, 1; bra L; }\n",
                      early_never[] = HEAD ".visible .entry early(.param .u64 in)\n"
                                           "{ .reg .b32 %r<3>; .reg .b64 %rd<3>; .shared .align 16 .b8 tile[16];\n"
                                           "mov.u32 %r1, tile; ld.param.u64 %rd1, [in];\n"
                                           "cp.async.ca.shared.global [%r1], [%rd1], 16;\n"
                                           "ld.shared.u32 %r2, [%r1]; L: add.u32 %r1, %r1, 1; bra L; }\n";
    static const char *const options[] = { "--max-instructions=1000", NULL };
    struct copycheck_launch launch = launch_of(ptx, NULL, 0);
    struct copycheck_result *r;

    (void)state;
    launch.options = options;
    r = copycheck_check(&launch);
    assert_int_equal(copycheck_status(r), COPYCHECK_NO_VERDICT);
    assert_non_null(strstr(copycheck_message(r), "instructions"));
    assert_non_null(strstr(copycheck_json(r), "\"end\":"));
    copycheck_free(r);
    /* a finding before the end counts all the same */
    uint32_t x[32] = { 0 };
    const struct copycheck_argument in = { COPYCHECK_BUFFER, x, sizeof x, 0 };
    launch = launch_of(early_never, &in, 1);
    launch.block[0] = 1;
    launch.options = options;
    r = copycheck_check(&launch);
    assert_int_equal(copycheck_status(r), COPYCHECK_DIAGNOSED);
    assert_int_equal(copycheck_count(r), 1);
    assert_string_equal(copycheck_finding(r, 0)->rule, "cpasync.order.read-early");
    assert_null(copycheck_finding(r, 1));
    copycheck_free(r);
}

static void maps(void **state)
{
    static unsigned char x[4096];
    const struct copycheck_argument arguments[] = { { .kind = COPYCHECK_MAP, .map = 0 },
                                                    { COPYCHECK_BUFFER, x, sizeof x, 0 } };
    const struct copycheck_map right = { "type=u8 dims=64x64 strides=64 box=64x8", 1, 0 },
                               wrong = { "type=u8 dims=64x64 strides=65 box=64x8", 1, 0 };
    struct copycheck_launch launch = launch_of(map_ptx, arguments, 2);
    struct copycheck_result *r;
    char text[2000];

    (void)state;
    launch.maps = &right;
    launch.map_count = 1;
    r = copycheck_check(&launch);
    assert_int_equal(copycheck_status(r), COPYCHECK_CLEAN);
    copycheck_free(r);
    launch.maps = &wrong;
    refused(&launch, "globalStrides[0]");
    assert_int_equal(copycheck_encode("type=f32 dims=64x64 strides=256 box=32x8", text, sizeof text), 0);
    assert_string_equal(text, "");
    assert_int_equal(copycheck_encode("type=f32 dims=64x64 strides=257 box=32x8", text, sizeof text), 1);
    assert_non_null(strstr(text, "tmap.tiled.gstride16"));
    assert_int_equal(copycheck_encode("kind=f32", text, sizeof text), 2);
    assert_true(*text);
}

static void questions(void **state)
{
    char type[16], error[500];
    size_t bytes;

    (void)state;
    assert_int_equal(copycheck_interface(), COPYCHECK_INTERFACE);
    assert_true(*copycheck_version());
    assert_int_equal(copycheck_parameter(add_ptx, strlen(add_ptx), "add", 1, &bytes, type, error, sizeof error), 0);
    assert_int_equal(bytes, 4);
    assert_string_equal(type, "u32");
    assert_int_equal(copycheck_parameter(add_ptx, strlen(add_ptx), NULL, 2, &bytes, type, error, sizeof error), 1);
    assert_int_equal(copycheck_parameter(add_ptx, strlen(add_ptx), "none", 0, &bytes, type, error, sizeof error), 2);
    assert_true(*error);
    assert_int_equal(copycheck_assemble(add_ptx, strlen(add_ptx), error, sizeof error), 0);
    assert_int_equal(copycheck_assemble("x", 1, error, sizeof error), 2);
    assert_true(*error);
}

static void *many(void *failures)
{
    for (int i = 0; i < 20; i++) {
        uint32_t x[32] = { 0 }, n = 32;
        const struct copycheck_argument arguments[] = { { COPYCHECK_BUFFER, x, sizeof x, 0 },
                                                        { COPYCHECK_VALUE, &n, sizeof n, 0 } };
        struct copycheck_launch launch = launch_of(i % 2 ? add_ptx : "nonsense", arguments, 2);
        struct copycheck_result *r = copycheck_check(&launch);
        *(int *)failures += copycheck_status(r) != (i % 2 ? COPYCHECK_CLEAN : COPYCHECK_NO_VERDICT) ||
                            x[31] != (unsigned)(i % 2) || (!*copycheck_message(r)) != i % 2;
        copycheck_free(r);
    }
    return NULL;
}

static void threads(void **state)
{
    pthread_t all[4];
    int failures[4] = { 0 };

    (void)state;
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&all[i], NULL, many, &failures[i]), 0);
    for (int i = 0; i < 4; i++) {
        pthread_join(all[i], NULL);
        assert_int_equal(failures[i], 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clean),   cmocka_unit_test(diagnosed), cmocka_unit_test(no_verdict),
        cmocka_unit_test(maps),    cmocka_unit_test(questions), cmocka_unit_test(threads),
        cmocka_unit_test(extents), cmocka_unit_test(stopped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
