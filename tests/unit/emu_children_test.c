/* Grids that a kernel launches: what is found is the same whether their clusters take turns or run ahead of them, on
 * however many host threads; and they are not compared with the launch before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/emu/emu.h"
#include "harness/emu/forms/form.h"

/* %a: the thread's word of p; %o: the words of p are in the order of CTAs in it, but those of the first one are last.
 */
#define ENTRY(name, body)                                                                                              \
    ".visible .entry " name "(.param .u64 p)\n{\n"                                                                     \
    ".reg .b64 %p, %a, %o, %d; .reg .b32 %i, %c, %n, %x; .reg .pred %t;\n"                                             \
    ".param .b64 to; .param .b64 entry; .param .b32 width;\n"                                                          \
    "ld.param.u64 %p, [p]; mov.u32 %i, %tid.x; mov.u32 %c, %ctaid.x; mov.u32 %n, %ntid.x;\n"                           \
    "mad.lo.u32 %x, %c, %n, %i; mul.wide.u32 %d, %x, 4; add.u64 %a, %p, %d;\n"                                         \
    "setp.eq.u32 %t, %c, 0; add.u64 %o, %a, 8192; @!%t mov.u64 %o, %a;\n" body "\nret;\n}\n"
/* Thread 0 of CTA 0 launches so many CTAs of 64 threads. */
#define LAUNCH(child, ctas)                                                                                            \
    "or.b32 %x, %i, %c; setp.eq.u32 %t, %x, 0; @!%t bra N; st.param.b64 [to], %p; mov.u64 %d, " child ";\n"            \
    "st.param.b64 [entry], %d; st.param.b32 [width], " ctas "; call launch, (to, entry, width); N:\n"
#define STORE "st.global.u32 [%a], 1;\n"

static const char text[] =
    ".version 9.0\n.target sm_90\n.address_size 64\n"
    ".extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2 (.param .b64 f, .param .align 4 .b8 g[12], "
    ".param .align 4 .b8 b[12], .param .b32 s);\n"
    ".extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2 (.param .b64 p, .param .b64 s);\n"
    ".func launch (.param .b64 p, .param .b64 entry, .param .b32 width)\n{\n"
    ".reg .b64 %d<4>; .reg .b32 %r; .param .b64 f; .param .align 4 .b8 g[12]; .param .align 4 .b8 b[12];\n"
    ".param .b32 s; .param .b64 r; .param .b64 to; .param .b64 st; .param .b32 e;\n"
    "ld.param.b64 %d0, [entry]; st.param.b64 [f], %d0; ld.param.b32 %r, [width]; st.param.b32 [g], %r;\n"
    "st.param.b32 [g+4], 1; st.param.b32 [g+8], 1; st.param.b32 [b], 64; st.param.b32 [b+4], 1;\n"
    "st.param.b32 [b+8], 1; st.param.b32 [s], 0; call (r), __cudaCDP2GetParameterBufferV2, (f, g, b, s);\n"
    "ld.param.b64 %d1, [r]; ld.param.b64 %d2, [p]; st.u64 [%d1], %d2; st.param.b64 [to], %d1; st.param.b64 [st], 0;\n"
    "call (e), __cudaCDP2LaunchDeviceV2, (to, st); ret;\n}\n"
    /* the children */
    ENTRY("reads", "ld.global.u32 %x, [%a];") ENTRY("reads_last", "@%t nanosleep.u32 5000; ld.global.u32 %x, [%o];")
        ENTRY("nothing", "")
    /* a thread alone, whose words lie apart */
    ENTRY("writes_apart", "setp.eq.u32 %t, %x, 3; @!%t ret; nanosleep.u32 500; st.global.u32 [%p+256], 2;\n"
                          "st.global.u32 [%p+288], 2; st.global.u32 [%p+320], 2;")
    /* and the grids that launch them: 32 CTAs of 64 threads */
    ENTRY("orders", "ld.global.u32 %x, [%a];\n" LAUNCH("reads", "4")) ENTRY("races", STORE LAUNCH("reads", "4"))
        ENTRY("races_apart", STORE LAUNCH("writes_apart", "4")) ENTRY("races_wide", STORE LAUNCH("reads", "20")) ENTRY(
            "races_last", "setp.gt.u32 %t, %c, 0; @%t " STORE "st.global.u32 [%p+8192], 1;\n" LAUNCH("reads_last", "4"))
    /* with the launch before */
    ENTRY("lets_go", "griddepcontrol.launch_dependents;\n" STORE)
        ENTRY("waits", "griddepcontrol.wait;\n" LAUNCH("reads", "4"));

enum { CTAS = 32, THREADS = 64, BYTES = 16384 };

struct machine {
    struct emu *e;
    struct ptx_module *m;
    uint64_t p;
    unsigned jobs;
};

static struct machine make(unsigned jobs)
{
    struct machine x = { .e = emu_new(&(struct emu_options){ .jobs = jobs }), .jobs = jobs };
    struct ptx_error error;
    char why[200];

    x.m = ptx_read(text, strlen(text), NULL, &error);
    if (!x.m)
        fail_msg("%s: %s", error.message, error.source);
    assert_true(emu_load(x.e, x.m, why, sizeof why));
    x.p = emu_alloc(x.e, BYTES, 4096, true, "p");
    return x;
}

static struct emu_report launch(struct machine *x, const char *entry, bool dependent, bool by_turns)
{
    const struct emu_options options = {
        .jobs = x->jobs, .check_order = true, .by_turns = by_turns, .dependents = true, .dependent = dependent
    };
    struct emu_report report;

    if (emu_launch_of(x->e, x->m, ptx_find_function(x->m, entry), &options, (uint32_t[]){ CTAS, 1, 1 },
                      (uint32_t[]){ THREADS, 1, 1 }, NULL, 0, &x->p, sizeof x->p, &report) != EMU_DONE)
        fail_msg("%s: %s", entry, report.message);
    return report;
}

static void end(struct machine *x)
{
    emu_free(x->e);
    ptx_free(x->m);
}

static const struct {
    const char *entry;
    const char *found[3]; /* words of the findings, in their order */
} rows[] = {
    { "orders", { NULL } },
    { "races", { "bytes 4 to 7 of p: written by thread 1,0,0 of CTA 0,0,0" } },
    { "races_apart",
      { "bytes 256 to 259 of p: written by thread 0,0,0 of CTA 1,0,0",
        "bytes 288 to 291 of p: written by thread 8,0,0 of CTA 1,0,0",
        "bytes 320 to 323 of p: written by thread 16,0,0 of CTA 1,0,0" } },
    { "races_wide", { "bytes 4 to 7 of p: written by thread 1,0,0 of CTA 0,0,0" } },
    { "races_last",
      { "bytes 8192 to 8195 of p: written by thread 1,0,0 of CTA 0,0,0",
        "bytes 256 to 259 of p: written by thread 0,0,0 of CTA 1,0,0" } },
};

/* A child's races, by turns and ahead of them on 1 to 3 host threads. */
static void test_races(void **state)
{
    unsigned wrong = 0;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned jobs = 0; jobs <= 3; jobs++) {
            struct machine x = make(jobs ? jobs : 1);
            const struct emu_report r = launch(&x, rows[i].entry, false, !jobs);
            size_t count = 0;
            while (count < sizeof rows->found / sizeof *rows->found && rows[i].found[count])
                count++;
            if (r.count != count)
                wrong++, print_error("%s, %u jobs: %zu findings\n", rows[i].entry, jobs, r.count);
            for (size_t k = 0; k < r.count && k < count; k++)
                if (!strstr(r.findings[k].message, rows[i].found[k]))
                    wrong++, print_error("%s, %u jobs: %s\n", rows[i].entry, jobs, r.findings[k].message);
            end(&x);
        }
    assert_int_equal(wrong, 0);
}

/* A child comes behind what its parent has waited for. */
static void test_behind_the_launch_before(void **state)
{
    (void)state;
    for (unsigned jobs = 1; jobs <= 3; jobs++) {
        struct machine x = make(jobs);
        assert_int_equal(launch(&x, "lets_go", false, false).count, 0);
        assert_int_equal(launch(&x, "waits", true, false).count, 0);
        end(&x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_races), cmocka_unit_test(test_behind_the_launch_before) };

    return cmocka_run_group_tests_name("emu_children", tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
