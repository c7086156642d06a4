/* multimem as on one device, where each answer is that of the plain instruction beside it; istypep. */
#include "tests/unit/emu_one_buffer.h"

enum { BYTES = 1024 };

static const char frame[] =
    ".version 9.1\n.target sm_90a\n.address_size 64\n"
    ".global .texref picture;\n.global .surfref canvas;\n.global .u64 other;\n"
    ".visible .entry k(.param .u64 at)\n{\n"
    ".reg .b16 %%h<20>; .reg .b32 %%r<20>; .reg .f32 %%f<20>; .reg .f64 %%d<4>; .reg .u64 %%p, %%q<8>; .reg .pred %%a<8>;\n"
    ".reg .u32 %%x; .shared .align 16 .b8 tile[64];\n"
    "ld.param.u64 %%p, [at];\n%s\nret;\n}\n";

/* One thread runs it over BYTES bytes. */
static void run(const char *body, unsigned char *bytes)
{
    char text[8192];

    snprintf(text, sizeof text, frame, body);
    launch_one(text, body, 1, bytes, BYTES, EMU_DONE);
}

static const struct pair {
    const char *multimem, *plain; /* the same without multimem */
} pairs[] = {
    { "multimem.ld_reduce.global.add.u32 %r0, [%p];\nst.global.u32 [%p+512], %r0;",
      "ld.global.u32 %r0, [%p];\nst.global.u32 [%p+512], %r0;" },
    { "multimem.ld_reduce.relaxed.sys.global.min.s64 %q0, [%p];\nst.global.u64 [%p+512], %q0;",
      "ld.relaxed.sys.global.s64 %q0, [%p];\nst.global.u64 [%p+512], %q0;" },
    { "multimem.ld_reduce.acquire.gpu.global.and.b64 %q0, [%p];\nst.global.u64 [%p+512], %q0;",
      "ld.acquire.gpu.global.b64 %q0, [%p];\nst.global.u64 [%p+512], %q0;" },
    { "multimem.ld_reduce.global.add.v4.f32 {%f0, %f1, %f2, %f3}, [%p];\nst.global.v4.f32 [%p+512], {%f3, %f2, %f1, %f0};",
      "ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%p];\nst.global.v4.f32 [%p+512], {%f3, %f2, %f1, %f0};" },
    { "multimem.ld_reduce.global.add.acc::f32.v4.bf16x2 {%r0, %r1, %r2, %r3}, [%p];\n"
      "st.global.v4.u32 [%p+512], {%r3, %r2, %r1, %r0};",
      "ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%p];\nst.global.v4.u32 [%p+512], {%r3, %r2, %r1, %r0};" },
    { "multimem.ld_reduce.global.max.v8.f16 {%h0, %h1, %h2, %h3, %h4, %h5, %h6, %h7}, [%p];\n"
      "st.global.b16 [%p+512], %h1;\nst.global.b16 [%p+514], %h7;",
      "ld.global.b16 %h1, [%p+2];\nld.global.b16 %h7, [%p+14];\nst.global.b16 [%p+512], %h1;\nst.global.b16 [%p+514], %h7;" },
    { "ld.global.u32 %r0, [%p];\nmultimem.st.global.u32 [%p+16], %r0;",
      "ld.global.u32 %r0, [%p];\nst.global.u32 [%p+16], %r0;" },
    { "ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%p];\nmultimem.st.release.sys.global.v4.f32 [%p+32], {%f3, %f2, %f1, %f0};",
      "ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%p];\nst.release.sys.global.f32 [%p+32], %f3;\nst.global.f32 [%p+36], %f2;\n"
      "st.global.f32 [%p+40], %f1;\nst.global.f32 [%p+44], %f0;" },
    { "ld.global.u32 %r0, [%p+4];\nmultimem.red.relaxed.gpu.global.add.u32 [%p], %r0;",
      "ld.global.u32 %r0, [%p+4];\nred.relaxed.gpu.global.add.u32 [%p], %r0;" },
    { "ld.global.u64 %q0, [%p+8];\nmultimem.red.release.sys.global.max.s64 [%p], %q0;",
      "ld.global.u64 %q0, [%p+8];\nred.release.sys.global.max.s64 [%p], %q0;" },
    { "ld.global.u64 %q0, [%p+8];\nmultimem.red.global.xor.b64 [%p], %q0;",
      "ld.global.u64 %q0, [%p+8];\nred.global.xor.b64 [%p], %q0;" },
    { "ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%p];\nmultimem.red.global.add.v4.f32 [%p+16], {%f0, %f1, %f2, %f3};",
      "ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%p];\nred.global.add.v4.f32 [%p+16], {%f0, %f1, %f2, %f3};" },
    { "ld.global.v2.b32 {%r0, %r1}, [%p];\nmultimem.red.global.add.v2.f16x2 [%p+16], {%r0, %r1};",
      "ld.global.v2.b32 {%r0, %r1}, [%p];\nred.global.add.noftz.v2.f16x2 [%p+16], {%r0, %r1};" },
#define BULK(instruction)                                                                                              \
    "mov.u32 %x, tile;\nld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%p];\nst.shared.v4.b32 [%x], {%r0, %r1, %r2, %r3};\n"  \
    "fence.proxy.async;\n" instruction " [%p+32], [%x], 16;\ncp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;"
    { BULK("multimem.cp.async.bulk.global.shared::cta.bulk_group"),
      BULK("cp.async.bulk.global.shared::cta.bulk_group") },
    { BULK("multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32"),
      BULK("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32") },
};

static void as_on_one_device(void **unused)
{
    unsigned char start[BYTES], got[BYTES], expected[BYTES];

    (void)unused;
    for (unsigned i = 0; i < BYTES; i++)
        start[i] = i >= BYTES / 2 ? 0 : (unsigned char)(0x30 + (i * 7 + i / 16) % 16);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        memcpy(got, start, BYTES);
        memcpy(expected, start, BYTES);
        run(pairs[i].multimem, got);
        run(pairs[i].plain, expected);
        assert_memory_not_equal(got, start, BYTES);
        for (unsigned k = 0; k < BYTES; k++)
            if (got[k] != expected[k])
                fail_msg("%s: byte %u is 0x%02x, not 0x%02x", pairs[i].multimem, k, got[k], expected[k]);
    }
}

static void types_of_addresses(void **unused)
{
    unsigned char bytes[BYTES] = { 0 };
    uint32_t answers;

    (void)unused;
    run("mov.u64 %q0, picture;\nmov.u64 %q1, canvas;\nmov.u64 %q2, other;\n"
        "istypep.texref %a0, %q0;\nistypep.texref %a1, %q1;\nistypep.surfref %a2, %q1;\nistypep.surfref %a3, %q0;\n"
        "istypep.texref %a4, %q2;\nistypep.samplerref %a5, %q0;\n"
        "selp.b32 %r0, 1, 0, %a0;\n@%a1 or.b32 %r0, %r0, 2;\n@%a2 or.b32 %r0, %r0, 4;\n@%a3 or.b32 %r0, %r0, 8;\n"
        "@%a4 or.b32 %r0, %r0, 16;\n@%a5 or.b32 %r0, %r0, 32;\nst.global.u32 [%p], %r0;",
        bytes);
    memcpy(&answers, bytes, sizeof answers);
    assert_int_equal(answers, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_on_one_device),
        cmocka_unit_test(types_of_addresses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
