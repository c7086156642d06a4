/* What the emulator's assembler takes as ptxas does beside what the PTX ISA has: each reason by examples, the remark,
 * what is refused although it is near, and what runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "harness/emu/forms/form.h"
#include "harness/emu/forms/lax.h"
#include "harness/engines/emulator.h"

static struct ptx_error error;

/* The module around one statement; NULL if it is refused. */
static struct ptx_module *module_of(const char *target, const char *statement)
{
    char text[2400];

    snprintf(
        text, sizeof text,
        ".version 9.3\n.target %s\n.address_size 64\n.shared .align 128 .b8 sa[64];\n.global .align 16 .b8 ga[64];\n"
        ".global .texref tx;\n.global .surfref sf;\n.func fn() { ret; }\n.entry k(.param .b64 p) {\n"
        ".local .align 8 .b8 la[8];\n.reg .pred %%p<4>; .reg .b8 %%b<4>; .reg .b16 %%h<5>; .reg .b32 %%r<9>;"
        ".reg .b64 %%rd<5>; .reg .f32 %%f<9>; .reg .u32 %%u<9>; .reg .s32 %%s<9>; .reg .f16x2 %%hx<5>;"
        ".reg .v2 .b32 %%v<2>;\n%s\nL: ret;\n}\n",
        target, statement);
    return ptx_read(text, strlen(text), NULL, &error);
}

static const struct {
    enum ptx_laxity laxity; /* LAX_NONE: refused */
    const char *statement;
} rows[] = {
    { LAX_HUGE, "and.b64 %rd1, %rd2, 18446744073709551617;" },
    { LAX_HUGE, "ld.global.u32 %r1, [%rd1+0x10000000000000004];" },
    { LAX_NONE, "and.b64 %rd1, %rd2, 99999999999999999999;" },
    { LAX_NONE, "and.b64 %rd1, %rd2, 0x80000000000000000;" },
    { LAX_NONE, ".reg .b32 x<18446744073709551617>;" },
    { LAX_SUM, "add.u32 %r1, %r2, %r3+1;" },
    { LAX_NONE, "add.u32 %r1+1, %r2, %r3;" },
    { LAX_NONE, "st.global.v2.u32 [%rd1], {%r1+1, %r2};" },
    { LAX_NONE, "add.f32 %f1, %f2, %f3+1.0;" },
    { LAX_NONE, "vadd.u32.u32.u32 %r1, %r2, %r3+1;" },
    { LAX_FIELD, "add.rank.u32 %r1, %r2, %r3;" },
    { LAX_FIELD, "bar.sync.box_dim 0;" },
    { LAX_NONE, "mul.rank.wide.u32 %rd1, %r2, %r3;" },
    { LAX_NONE, "mbarrier.arrive.rank.expect_tx.shared.b64 _, [%r1], 4;" },
    { LAX_NONE, "add.tile.u32 %r1, %r2, %r3;" },
    { LAX_TWICE, "elect.sync.sync %r1|%p1, -1;" },
    { LAX_TWICE, "wgmma.fence.sync.aligned.sync;" },
    { LAX_TWICE, "cvt.sat.sat.u16.s16 %h1, %h2;" },
    { LAX_NONE, "add.ftz.ftz.f32 %f1, %f2, %f3;" },
    { LAX_NONE, "wgmma.fence.sync.aligned.aligned;" },
    { LAX_IDLE, "multimem.red.relaxed.gpu.global.add.pred.u32 [%rd1], %r1;" },
    { LAX_IDLE, "multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32.pred [%rd1], [sa], 16;" },
    { LAX_NONE, "multimem.cp.async.bulk.global.shared::cta.bulk_group.pred [%rd1], [sa], 16;" },
    { LAX_IDLE, "ldmatrix.sync.aligned.m8n8.row.x1.shared.b16 {%r1}, [%r1];" },
    { LAX_NONE, "ldmatrix.sync.aligned.m8n8.x1.shared.b16.bf16 {%r1}, [%r1];" },
    { LAX_MISSING, "wgmma.fence.sync;" },
    { LAX_NONE, "wgmma.fence.aligned;" },
    { LAX_NONE, "ldmatrix.sync.m8n8.x1.shared.b16 {%r1}, [%r1];" },
    { LAX_NARROW_ADDRESS, "ld.shared.u32 %r1, [%h1];" },
    { LAX_NARROW_ADDRESS, "mbarrier.inval.shared.b64 [%b1];" },
    { LAX_NONE, "wmma.load.a.sync.aligned.row.m8n8k4.f64 {%rd1}, [%h1];" },
    { LAX_NONE, "ld.shared.u32 %r1, [%f1];" },
    { LAX_SHORT_ADDRESS, "cp.async.ca.shared.global [sa], [%r1], 4;" },
    { LAX_NONE, "ld.global.u32 %r1, [%r2];" },
    { LAX_SPACE, "ldmatrix.sync.aligned.m8n8.x1.b16 {%r1}, [ga];" },
    { LAX_NONE, "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [ga];" },
    { LAX_NONE, "mbarrier.inval.b64 [ga];" },
    { LAX_PARAM, "fence.proxy.tensormap::generic.acquire.gpu [p], 128;" },
    { LAX_OPAQUE, "cp.async.ca.shared.global [sa], [sf], 4;" },
    { LAX_NONE, "st.global.u32 [tx], %r1;" },
    { LAX_SAMPLER, "tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, %rd2, {%f1}];" },
    { LAX_NONE, "tex.a1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, %rd2, {%r1, %f1}];" },
    { LAX_SYMBOL, "and.b32 %r1, sa+4, 511;" },
    { LAX_SYMBOL, "add.f32 %f1, %f2, fn;" },
    { LAX_NONE, "and.b32 %r1, sa, 511;" },
    { LAX_NONE, "add.f32 %f1, %f2, sa+4;" },
    { LAX_NONE, "shl.b32 %r1, %r2, fn;" },
    { LAX_CONSTANT, "istypep.texref %p1, 5;" },
    { LAX_CONSTANT, "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1,%f2,%f3,%f4}, 64, %rd2, %p1, 1, 1, 0, 0;" },
    { LAX_NONE, "movmatrix.sync.aligned.m8n8.trans.b16 %r1, 5;" },
    { LAX_KIND, "st.global.v2.u32 [%rd1], {%r1, %f1};" },
    { LAX_NONE, "st.global.v2.u32 [%rd1], {%f1, %f2};" },
    { LAX_NONE, "st.global.v2.u32 [%rd1], {%r1, %h1};" },
    { LAX_WIDE, "sured.b.add.u32.1d.trap [%rd1, {%r1}], %rd2;" },
    { LAX_SPECIAL, "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%tid.x}];" },
    { LAX_NONE, "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%clock64}];" },
    { LAX_PART, "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1, %v1.x}, [%r1];" },
    { LAX_VECTOR, "sust.b.1d.b32.trap [%rd1, {%r1}], {%r1, %r2};" },
    { LAX_NONE, "sust.b.1d.b32.trap [%rd1, {%r1}], {%r1, %r2, %r3};" },
    { LAX_SCALAR, "sust.b.1d.v4.b32.trap [%rd1, {%r1}], %r1;" },
    { LAX_LARGER, "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2, %f1, %f2}];" },
    { LAX_NONE, "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2, %f3}];" },
};

static void reasons(void **state)
{
    bool seen[LAXITIES] = { [LAX_NONE] = true };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ptx_module *m = module_of("sm_90a", rows[i].statement);
        int line = 0;
        if (!rows[i].laxity) {
            if (m)
                fail_msg("accepted: %s", rows[i].statement);
            continue;
        }
        if (!m)
            fail_msg("%s: %s", rows[i].statement, error.message);
        const char *remark = form_remark(m, &line);
        if (!remark || m->instructions[1].laxity != rows[i].laxity)
            fail_msg("%s: laxity %d, not %d", rows[i].statement, m->instructions[1].laxity, rows[i].laxity);
        assert_int_equal(line, 12);
        assert_true(strncmp(remark, "ptxas ", 6) == 0);
        assert_int_equal(m->instructions[1].inert, !form_lax_runs(rows[i].laxity));
        seen[rows[i].laxity] = true;
        ptx_free(m);
    }
    for (size_t k = 0; k < LAXITIES; k++)
        if (!seen[k])
            fail_msg("laxity %zu has no example", k);
}

/* Modifiers that ptxas ignores are gone, and the rest is the instruction as the PTX ISA has it. */
static void ignored_words(void **state)
{
    struct ptx_module *m = module_of("sm_90a", "ld.rank.global.box_dim.v2.u32 {%r1, %r2}, [%rd1];");

    (void)state;
    assert_non_null(m);
    const struct ptx_instruction *i = &m->instructions[1];
    assert_int_equal(i->n_words, 3);
    assert_int_equal(i->vector, 2);
    assert_int_equal(i->type[0], PTX_u32);
    assert_int_equal(i->space[0], PTX_global);
    assert_false(ptx_has(m, i, PTX_rank));
    ptx_free(m);
}

/* What is not run is told as it was written. */
static void printed(void **state)
{
    struct ptx_module *m = module_of("sm_90a", "add.u32 %r1, %r2, %r3+1;");
    char text[80];

    (void)state;
    assert_non_null(m);
    ptx_print(m, ptx_function_of(m, &m->instructions[1]), &m->instructions[1], text, sizeof text);
    assert_string_equal(text, "add.u32 %r1, %r2, %r3+1;");
    ptx_free(m);
}

/* Offsets are constant expressions, without parentheses too. */
static void offsets(void **state)
{
    static const struct {
        const char *statement;
        uint64_t value;
    } all[] = {
        { "ld.global.u32 %r1, [%rd1+1?4:8];", 4 },  { "ld.global.u32 %r1, [ga+2<<3];", 16 },
        { "ld.global.u32 %r1, [%rd1+4|3];", 7 },    { "mov.u64 %rd1, ga+4+4;", 8 },
        { "ld.local.u32 %r1, [1<<2];", 4 },         { "mov.u64 %rd1, ga+4*2-4;", 4 },
        { "ld.global.u32 %r1, [%rd1+16-4-4];", 8 },
    };

    (void)state;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        struct ptx_module *m = module_of("sm_90a", all[k].statement);
        int line;
        if (!m)
            fail_msg("%s: %s", all[k].statement, error.message);
        assert_null(form_remark(m, &line));
        assert_int_equal(ptx_operand(m, &m->instructions[1], 1)->value, all[k].value);
        ptx_free(m);
    }
    assert_null(module_of("sm_90a", "ld.global.u32 %r1, [%rd1-4];"));
    assert_null(module_of("sm_90a", "mov.u64 %rd1, ga-4;"));
}

/* The engine accepts, and its message is the remark. */
static void engine(void **state)
{
    static const char text[] =
        ".version 9.0\n.target sm_90a\n.address_size 64\n.entry k() {\nwgmma.fence.sync;\nret; }\n";
    struct ck_engine e;
    struct ck_outcome out;

    (void)state;
    assert_true(ck_emu_engine(&e, "build/kernels"));
    assert_true(e.ops->open(&e, &out));
    e.ops->assemble(&e, &(struct ck_ptx){ text, sizeof text - 1, "sm_90a", 90 }, &out);
    assert_int_equal(out.kind, CK_O_DONE);
    assert_int_equal(out.line, 5);
    assert_non_null(strstr(out.message, "without a modifier"));
    e.ops->close(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reasons), cmocka_unit_test(ignored_words), cmocka_unit_test(printed),
        cmocka_unit_test(offsets), cmocka_unit_test(engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
