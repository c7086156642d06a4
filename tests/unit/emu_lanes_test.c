/* Instructions that the lanes of a warp execute together: they leave the words that they leave one lane after another.
 * With turns in order, lanes begin their turns together (schedule/window.c); with random turns none do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/emu/forms/form.h"
#include "harness/emu/emu.h"

enum { THREADS = 80, WORDS = 8 * THREADS }; /* two warps and a half */

/* Each is executed by all lanes, then by those with %p, in a loop that lanes leave at different times. %x, %y, %z, %w
 * are of 32 bits, %h0 to %h3 of 16, %a to %d of 64, %f and %g floats, %p and %q predicates. */
static const char *const instructions[] = {
    "add.u32 %x, %y, %z;",
    "add.u16 %h0, %h1, %h2;",
    "sub.u64 %a, %b, %c;",
    "sub.s32 %x, 5, %x;",
    "neg.s32 %x, %y;",
    "neg.s16 %h0, %h0;",
    "abs.s64 %a, %b;",
    "mul.lo.u32 %x, %y, %z;",
    "mul.lo.u32 %x, %x, %x;",
    "mul.lo.u16 %h0, %h1, %h2;",
    "mul.lo.u64 %a, %b, %c;",
    "mul.hi.s32 %x, %y, %z;",
    "mul.hi.u64 %a, %b, %c;",
    "mul.wide.s32 %a, %y, %z;",
    "mul.wide.u16 %x, %h1, %h2;",
    "mad.lo.u32 %x, %y, %z, %w;",
    "mad.lo.u32 %x, %x, %x, %x;",
    "mad.lo.s16 %h0, %h1, %h2, %h3;",
    "mad.lo.u64 %a, %b, %c, %d;",
    "mad.hi.u32 %x, %y, %z, %w;",
    "mad.wide.u32 %a, %y, %z, %d;",
    "add.cc.u32 %x, %y, %z; addc.u32 %w, %w, 0;",
    "div.s32 %x, %y, %z;",
    "div.u64 %a, %b, 0;",
    "rem.u32 %x, %y, %z;",
    "min.s32 %x, %y, %z;",
    "max.u16 %h0, %h1, %h2;",
    "sad.u32 %x, %y, %z, %w;",
    "dp4a.s32.s32 %x, %y, %z, %w;",
    "and.b32 %x, %y, %z;",
    "not.b16 %h0, %h1;",
    "lop3.b32 %x, %y, %z, %w, 0x6a;",
    "shl.b32 %x, %y, %z;",
    "shr.s32 %x, %y, 3;",
    "shf.l.wrap.b32 %x, %y, %z, %w;",
    "bfe.s32 %x, %y, 3, 7;",
    "bfi.b32 %x, %y, %z, 5, 9;",
    "prmt.b32 %x, %y, %z, 0x3715;",
    "popc.b32 %x, %y;",
    "clz.b64 %x, %b;",
    "brev.b32 %x, %y;",
    "setp.lt.u32 %q, %y, %z;",
    "setp.ge.s32 %q, %y, %z;",
    "setp.ne.u16 %q, %h1, %h2;",
    "setp.gt.s16 %q, %h1, %h2;",
    "setp.le.u64 %q, %b, %c;",
    "setp.lt.s64 %q, %b, %c;",
    "setp.gt.f32 %q, %f, %g;",
    "setp.lt.and.u32 %q, %y, %z, %p;",
    "selp.b32 %x, %y, %z, %p;",
    "slct.s32.s32 %x, %y, %z, %w;",
    "xor.pred %q, %q, %p;",
    "mov.b64 %a, {%y, %z};",
    "mov.b64 {%x, %w}, %b;",
    "mov.u32 %x, %laneid;",
    "cvt.u16.u32 %h0, %y;",
    "cvt.s64.s32 %a, %y;",
    "cvt.rn.f32.u32 %f, %y;",
    "cvt.rzi.s32.f32 %x, %g;",
    "add.f32 %f, %f, %g;",
    "mul.f32 %f, %f, %g;",
    "fma.rn.f32 %f, %f, %g, %f;",
    "neg.f32 %f, %g;",
    "abs.f32 %f, %f;",
    "min.f32 %f, %f, %g;",
    "max.f32 %f, %g, %f;",
    "neg.f64 %a, %b;",
    "abs.f64 %a, %b;",
    "fma.rn.f16x2 %x, %y, %z, %x;",
    "add.f16x2 %x, %y, %z;",
    "sub.rn.bf16x2 %x, %y, %z;",
    "mul.f16 %h0, %h1, %h2;",
    "fma.rn.bf16 %h0, %h1, %h2, %h0;",
    "div.rn.f32 %f, %f, %g;",
    "sqrt.rn.f32 %f, %g;",
    "cvta.shared.u64 %a, %b;",
    "mov.b64 %a, {%x, %w}; mov.b64 {%w, %x}, %a;",
    "setp.lt.xor.u32 %q|%p, %y, %z, %p;",
    "{ .param .b32 v; st.param.b32 [v], %y; call (%x), half, (v); }",
};

static const char text[] =
    ".version 8.6\n.target sm_90a\n.address_size 64\n"
    ".func (.reg .b32 r) half(.param .b32 v)\n{ .reg .b32 %%x; ld.param.b32 %%x, [v]; shr.u32 r, %%x, 1; ret; }\n"
    ".visible .entry k(.param .u64 out)\n{\n"
    ".reg .b32 %%x, %%y, %%z, %%w, %%i, %%n; .reg .b16 %%h<4>; .reg .b64 %%a, %%b, %%c, %%d, %%o; .reg .f32 %%f, %%g;\n"
    ".reg .pred %%p, %%q, %%u;\n"
    "ld.param.u64 %%o, [out]; mov.u32 %%i, %%tid.x; mul.wide.u32 %%a, %%i, 32; add.u64 %%o, %%o, %%a;\n"
    "mad.lo.u32 %%x, %%i, 0x9e3779b9, 12345; mul.lo.u32 %%y, %%x, 0x85ebca6b; xor.b32 %%z, %%y, %%i; shr.u32 %%w, %%x, 7;\n"
    "mov.b64 %%a, {%%x, %%y}; mov.b64 %%b, {%%y, %%z}; mov.b64 %%c, {%%z, %%w}; mov.b64 %%d, {%%w, %%x};\n"
    "mov.b32 {%%h0, %%h1}, %%x; mov.b32 {%%h2, %%h3}, %%y; mov.b32 %%f, %%z; cvt.rn.f32.s32 %%g, %%y;\n"
    "setp.gt.u32 %%p, %%x, %%y; setp.eq.u32 %%q, %%i, 3; rem.u32 %%n, %%i, 5; add.u32 %%n, %%n, 2;\n"
    "LOOP:\n{\n%s\n}\n@!%%p bra NOT;\n{\n%s\n}\nNOT:\n"
    "xor.b32 %%y, %%y, %%x; add.u64 %%b, %%b, %%a; add.u16 %%h1, %%h1, %%h0; xor.pred %%p, %%p, %%q;\n"
    "add.u32 %%n, %%n, -1; setp.ne.u32 %%u, %%n, 0; @%%u bra LOOP;\n"
    "selp.b32 %%n, 1, 0, %%q; mov.b32 %%i, {%%h0, %%h1};\n"
    "st.global.v2.b32 [%%o], {%%x, %%y}; st.global.v2.b32 [%%o+8], {%%w, %%n};\n"
    "st.global.b64 [%%o+16], %%a; st.global.f32 [%%o+24], %%f; st.global.b32 [%%o+28], %%i;\nret;\n}\n";

/* What the threads leave, and how many instructions they have executed. */
static uint64_t run(const struct ptx_module *m, enum emu_turns_kind turns, uint32_t words[WORDS])
{
    const struct emu_options options = { .check_order = true, .check_init = true, .turns = turns, .seed = 7 };
    const uint32_t grid[3] = { 1, 1, 1 }, block[3] = { THREADS, 1, 1 };
    struct emu *e = emu_new(&options);
    struct emu_report report;
    uint64_t out;
    char why[200];

    assert_non_null(e);
    assert_true(emu_load(e, m, why, sizeof why));
    out = emu_alloc(e, WORDS * sizeof *words, 256, false, "out");
    assert_int_equal(emu_launch(e, "k", grid, block, NULL, 0, &out, sizeof out, &report), EMU_DONE);
    assert_int_equal(report.count, 0);
    assert_true(emu_read(e, words, out, WORDS * sizeof *words));
    emu_free(e);
    return report.instructions;
}

static void compare(const char *instruction)
{
    static uint32_t together[WORDS], apart[WORDS];
    struct ptx_error error = { 0 };
    char ptx[sizeof text + 512];
    const int n = snprintf(ptx, sizeof ptx, text, instruction, instruction);
    struct ptx_module *m = ptx_read(ptx, (size_t)n, NULL, &error);

    if (!m)
        fail_msg("%s: line %d: %s", instruction, error.line, error.message);
    assert_int_equal(run(m, EMU_TURNS_IN_ORDER, together), run(m, EMU_TURNS_RANDOM, apart));
    if (memcmp(together, apart, sizeof apart) != 0)
        fail_msg("%s: lanes together leave other words than apart", instruction);
    ptx_free(m);
}

static void together_and_apart(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof instructions / sizeof *instructions; k++)
        compare(instructions[k]);
}

/* Behind a store, and before a load of a part of it, which lanes do not do together: what the instruction has done is
 * put back, and each lane does it again. */
static void put_back(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof instructions / sizeof *instructions; k++) {
        char all[256];
        snprintf(all, sizeof all, ".reg .b32 %%t; st.global.b64 [%%o], %%a;\n%s\nld.global.b32 %%t, [%%o+4];",
                 instructions[k]);
        compare(all);
    }
}

/* What a warp does without a barrier, as programs do that count on lanes that go on step by step: a scan by volatile
 * accesses, and words that lanes take from their neighbours before these put others there. */
static const char steps[] =
    ".version 8.6\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
    ".reg .b32 %i, %l, %a, %v, %w, %x; .reg .b64 %o, %d; .reg .pred %p; .shared .b32 s[256];\n"
    "ld.param.u64 %o, [out]; mov.u32 %i, %tid.x; and.b32 %l, %i, 31; mul.wide.u32 %d, %i, 8; add.u64 %o, %o, %d;\n"
    "shl.b32 %a, %i, 3; mov.u32 %w, s; sub.u32 %a, %a, %l; sub.u32 %a, %a, %l; sub.u32 %a, %a, %l; sub.u32 %a, %a, %l;\n"
    "add.u32 %a, %a, %w; mov.u32 %v, 0; st.volatile.shared.u32 [%a], %v; st.volatile.shared.u32 [%a+128], %i;\n"
    "ld.volatile.shared.u32 %v, [%a+128]; ld.volatile.shared.u32 %w, [%a+124]; add.u32 %v, %v, %w;\n"
    "st.volatile.shared.u32 [%a+128], %v;\n"
    "ld.volatile.shared.u32 %v, [%a+128]; ld.volatile.shared.u32 %w, [%a+120]; add.u32 %v, %v, %w;\n"
    "st.volatile.shared.u32 [%a+128], %v;\n"
    "ld.volatile.shared.u32 %v, [%a+128]; ld.volatile.shared.u32 %w, [%a+112]; add.u32 %v, %v, %w;\n"
    "st.volatile.shared.u32 [%a+128], %v;\n"
    "ld.volatile.shared.u32 %v, [%a+128]; ld.volatile.shared.u32 %w, [%a+96]; add.u32 %v, %v, %w;\n"
    "st.volatile.shared.u32 [%a+128], %v;\n"
    "ld.volatile.shared.u32 %v, [%a+128]; ld.volatile.shared.u32 %w, [%a+64]; add.u32 %v, %v, %w;\n"
    "st.volatile.shared.u32 [%a+128], %v;\n"
    "st.shared.u32 [%a+128], %v; setp.eq.u32 %p, %l, 31; @%p bra LAST;\n"
    "ld.shared.u32 %x, [%a+132]; st.shared.u32 [%a+128], %x; bra DONE;\nLAST:\n mov.u32 %x, 7;\nDONE:\n"
    "ld.shared.u32 %w, [%a+128]; st.global.v2.u32 [%o], {%v, %w};\nret;\n}\n";

static void in_step(void **state)
{
    struct ptx_error error = { 0 };
    struct ptx_module *m = ptx_read(steps, sizeof steps - 1, NULL, &error);
    const uint32_t grid[3] = { 1, 1, 1 }, block[3] = { 64, 1, 1 };
    size_t found = 0;

    (void)state;
    if (!m)
        fail_msg("line %d: %s", error.line, error.message);
    for (unsigned light = 0; light < 2; light++) {
        const struct emu_options options = {
            .check_order = true, .check_init = true, .in_step = true, .light = light, .jobs = 1
        };
        struct emu *e = emu_new(&options);
        struct emu_report report;
        uint32_t words[128], sum = 0;
        char why[200];
        assert_non_null(e);
        assert_true(emu_load(e, m, why, sizeof why));
        const uint64_t out = emu_alloc(e, sizeof words, 256, false, "out");
        assert_int_equal(emu_launch(e, "k", grid, block, NULL, 0, &out, sizeof out, &report), EMU_DONE);
        found = light ? found : report.count;
        assert_true(found > 0); /* the neighbours' words */
        assert_int_equal(report.count, found);
        assert_true(emu_read(e, words, out, sizeof words));
        emu_free(e);
        for (uint32_t i = 0; i < 64; i++) {
            sum = i % 32 ? sum + i : i;
            assert_int_equal(words[2 * i], sum);
            assert_int_equal(words[2 * i + 1], i % 32 == 31 ? sum : sum + i + 1);
        }
    }
    ptx_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(together_and_apart), cmocka_unit_test(put_back),
                                        cmocka_unit_test(in_step) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
