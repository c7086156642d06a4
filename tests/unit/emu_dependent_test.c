/* Launches that may begin before the one before them has ended: which of their accesses are compared with that one's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/emu/emu.h"
#include "harness/emu/forms/form.h"

#define HEAD ".version 8.6\n.target sm_90a\n.address_size 64\n"
/* %a: the thread's word of p; %b: that of q; %o: the word of p of a thread of another CTA; %p0: in thread 0 of a CTA.
 */
#define ENTRY(name, body)                                                                                              \
    ".visible .entry " name "(.param .u64 p, .param .u64 q)\n{\n"                                                      \
    ".reg .b64 %p, %q, %a, %b, %d, %o; .reg .b32 %i, %n, %c, %x, %s; .reg .pred %p0; .shared .align 16 .b8 s[1024];\n" \
    "ld.param.u64 %p, [p]; ld.param.u64 %q, [q]; mov.u32 %i, %tid.x; mov.u32 %c, %ctaid.x; mov.u32 %n, %ntid.x;\n"     \
    "setp.eq.u32 %p0, %i, 0; shl.b32 %s, %i, 2; mov.u32 %x, s; add.u32 %s, %s, %x;\n"                                  \
    "mad.lo.u32 %i, %c, %n, %i; mul.wide.u32 %d, %i, 4; add.u64 %a, %p, %d; add.u64 %b, %q, %d;\n"                     \
    "xor.b32 %i, %i, 32; mul.wide.u32 %d, %i, 4; add.u64 %o, %p, %d;\n" body "ret;\n}\n"
#define RELEASE "griddepcontrol.launch_dependents;\n"
#define WAIT    "griddepcontrol.wait;\n"

static const char text[] = HEAD ENTRY("writes", RELEASE "st.global.u32 [%a], 1;\n") ENTRY(
    "keeps", "st.global.u32 [%a], 1;\n") ENTRY("counts", RELEASE "red.relaxed.gpu.global.add.u32 [%p], 1;\n")
    ENTRY("copied", RELEASE "st.shared.u32 [%s], 1; bar.sync 0; fence.proxy.async; mov.u32 %x, s; @!%p0 bra E;\n"
                            "cp.async.bulk.global.shared::cta.bulk_group [%a], [%x], 128; cp.async.bulk.commit_group;\n"
                            "cp.async.bulk.wait_group 0; E:\n") ENTRY("reads", "ld.global.u32 %x, [%o];\n")
        ENTRY("nc", WAIT "ld.global.nc.u32 %x, [%o];\n") ENTRY("waits", WAIT "ld.global.u32 %x, [%o];\n")
            ENTRY("passes", "@%p0 griddepcontrol.wait; bar.sync 0; ld.global.u32 %x, [%o];\n")
                ENTRY("alone", "@%p0 griddepcontrol.wait; ld.global.u32 %x, [%o];\n")
                    ENTRY("stores", "st.global.u32 [%a], 2;\n") ENTRY("stores_late", WAIT "st.global.u32 [%a], 2;\n")
                        ENTRY("copies", "cp.async.ca.shared.global [%s], [%a], 4; cp.async.wait_all;\n")
                            ENTRY("other", "st.global.u32 [%b], 2; ld.global.u32 %x, [%b];\n");
/* The same kernel in another module. */
static const char other_text[] = HEAD ENTRY("reads", "ld.global.u32 %x, [%o];\n");

enum { CTAS = 64, THREADS = 32, BYTES = CTAS * THREADS * 4 };

struct machine {
    struct emu *e;
    struct ptx_module *m, *other;
    uint64_t p, q;
    unsigned jobs;
};

static struct ptx_module *load(struct emu *e, const char *ptx)
{
    struct ptx_error error;
    struct ptx_module *m = ptx_read(ptx, strlen(ptx), NULL, &error);
    char why[200];

    if (!m)
        fail_msg("%s: %s", error.message, error.source);
    assert_true(emu_load(e, m, why, sizeof why));
    return m;
}

static struct machine make(unsigned jobs)
{
    struct machine x = { .e = emu_new(&(struct emu_options){ .jobs = jobs }), .jobs = jobs };

    x.m = load(x.e, text);
    x.other = load(x.e, other_text);
    x.p = emu_alloc(x.e, BYTES, 256, true, "p");
    x.q = emu_alloc(x.e, BYTES, 256, true, "q");
    return x;
}

static void end(struct machine *x)
{
    emu_free(x->e);
    ptx_free(x->m);
    ptx_free(x->other);
}

enum how { PLAIN, DEPENDENT, AGAIN }; /* AGAIN: the dependent launch once more */

static struct emu_report launch(struct machine *x, const struct ptx_module *m, const char *entry, enum how how)
{
    const uint64_t params[] = { x->p, x->q };
    const struct emu_options options = { .jobs = x->jobs,
                                         .check_order = true,
                                         .check_init = true,
                                         .dependents = true,
                                         .dependent = how != PLAIN,
                                         .repeated = how == AGAIN };
    struct emu_report report;

    assert_int_equal(emu_launch_of(x->e, m, ptx_find_function(m, entry), &options, (uint32_t[]){ CTAS, 1, 1 },
                                   (uint32_t[]){ THREADS, 1, 1 }, NULL, 0, params, sizeof params, &report),
                     EMU_DONE);
    return report;
}

/* What the second launch is found to do; "": nothing. */
static const struct {
    const char *first, *second, *rule, *words;
} pairs[] = {
    { "writes", "reads", "pdl.wait.required", "of writes, the grid before; read by thread" },
    { "writes", "alone", "pdl.wait.required", "of writes, the grid before; read by thread" },
    { "writes", "copies", "pdl.wait.required", "of writes, the grid before; read by a copy of thread" },
    { "writes", "stores", "order.data-race", "of writes, the grid before; written by thread" },
    { "copied", "reads", "pdl.wait.required", "of copied, the grid before; read by thread" },
    { "counts", "reads", "pdl.wait.required", "of counts, the grid before; read by thread" },
    { "counts", "counts", "", "" },
    { "writes", "waits", "", "" },
    { "writes", "nc", "", "" },
    { "writes", "passes", "", "" },
    { "writes", "stores_late", "", "" },
    { "copied", "waits", "", "" },
    { "writes", "other", "", "" },
    { "keeps", "reads", "", "" }, /* it lets nobody begin early */
};

static void test_pairs(void **state)
{
    (void)state;
    for (unsigned jobs = 1; jobs <= 3; jobs++)
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
            struct machine x = make(jobs);
            assert_int_equal(launch(&x, x.m, pairs[i].first, PLAIN).count, 0);
            for (enum how how = DEPENDENT; how <= AGAIN; how++) {
                const struct emu_report r = launch(&x, x.m, pairs[i].second, how);
                if (r.count != (*pairs[i].rule ? 1u : 0u))
                    fail_msg("%s, %s: %zu findings", pairs[i].first, pairs[i].second, r.count);
                if (!r.count)
                    continue;
                assert_string_equal(r.findings[0].rule->id, pairs[i].rule);
                assert_non_null(strstr(r.findings[0].message, pairs[i].words));
                assert_true(r.findings[0].here.known && r.findings[0].there.known);
            }
            end(&x);
        }
}

/* A launch that comes behind the one before, and one behind a launch that comes in between. */
static void test_behind(void **state)
{
    struct machine x = make(1);

    (void)state;
    launch(&x, x.m, "writes", PLAIN);
    assert_int_equal(launch(&x, x.m, "reads", PLAIN).count, 0);
    assert_int_equal(launch(&x, x.m, "reads", DEPENDENT).count, 0);
    launch(&x, x.m, "writes", PLAIN);
    assert_int_equal(launch(&x, x.m, "waits", DEPENDENT).count, 0);
    assert_int_equal(launch(&x, x.m, "reads", DEPENDENT).count, 0);
    end(&x);
}

/* Kernels of two modules: the first one's line is in the message alone. A module that is gone is compared with none. */
static void test_modules(void **state)
{
    struct machine x = make(1);
    struct emu_report r;

    (void)state;
    launch(&x, x.m, "writes", PLAIN);
    r = launch(&x, x.other, "reads", DEPENDENT);
    assert_int_equal(r.count, 1);
    assert_string_equal(r.findings[0].rule->id, "pdl.wait.required");
    assert_non_null(strstr(r.findings[0].message, "(line 12) of writes, the grid before"));
    assert_false(r.findings[0].there.known);
    launch(&x, x.m, "writes", PLAIN);
    emu_unload(x.e, x.m);
    assert_int_equal(launch(&x, x.other, "reads", DEPENDENT).count, 0);
    end(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_pairs), cmocka_unit_test(test_behind),
                                        cmocka_unit_test(test_modules) };

    return cmocka_run_group_tests_name("emu_dependent", tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
