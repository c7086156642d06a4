/* Launches that may begin before the one before them has ended: which of their accesses are compared with that one's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "expected/oracle.h"
#include "harness/emu/emu.h"
#include "harness/emu/forms/form.h"

#define HEAD ".version 8.6\n.target sm_90a\n.address_size 64\n"
/* %a: the thread's word of p; %b: that of q; %o: the word of p of a thread of another CTA; %p0: in thread 0 of a CTA.
 */
#define ENTRY(name, body)                                                                                              \
    ".visible .entry " name "(.param .u64 p, .param .u64 q)\n{\n"                                                      \
    ".reg .b64 %p, %q, %a, %b, %d, %o; .reg .b32 %i, %n, %c, %x, %s; .reg .pred %p0; .shared .align 16 .b8 s[4096];\n" \
    "ld.param.u64 %p, [p]; ld.param.u64 %q, [q]; mov.u32 %i, %tid.x; mov.u32 %c, %ctaid.x; mov.u32 %n, %ntid.x;\n"     \
    "setp.eq.u32 %p0, %i, 0; shl.b32 %s, %i, 2; mov.u32 %x, s; add.u32 %s, %s, %x;\n"                                  \
    "mad.lo.u32 %i, %c, %n, %i; mul.wide.u32 %d, %i, 4; add.u64 %a, %p, %d; add.u64 %b, %q, %d;\n"                     \
    "xor.b32 %i, %i, 32; mul.wide.u32 %d, %i, 4; add.u64 %o, %p, %d;\n" body "ret;\n}\n"
#define RELEASE "griddepcontrol.launch_dependents;\n"
#define WAIT    "griddepcontrol.wait;\n"
/* Lanes to words that follow no pattern. */
#define APART                                                                                                          \
    "mov.u32 %i, %tid.x; mul.lo.u32 %i, %i, %i; shr.u32 %x, %i, 1; xor.b32 %i, %i, %x; and.b32 %i, %i, 31;\n"          \
    "mul.wide.u32 %d, %i, 4; add.u64 %o, %p, %d;\n"

static const char text[] = HEAD ENTRY("writes", RELEASE "st.global.u32 [%a], 1;\n") ENTRY(
    "keeps", "st.global.u32 [%a], 1;\n") ENTRY("counts", RELEASE "red.relaxed.gpu.global.add.u32 [%p], 1;\n")
    ENTRY("copied", RELEASE "st.shared.u32 [%s], 1; bar.sync 0; fence.proxy.async; mov.u32 %x, s; @!%p0 bra E;\n"
                            "cp.async.bulk.global.shared::cta.bulk_group [%a], [%x], 128; cp.async.bulk.commit_group;\n"
                            "cp.async.bulk.wait_group 0; E:\n") ENTRY("reads", "ld.global.u32 %x, [%o];\n")
        ENTRY("nc", WAIT "ld.global.nc.u32 %x, [%o];\n") ENTRY("waits", WAIT "ld.global.u32 %x, [%o];\n")
            ENTRY("passes", "@%p0 griddepcontrol.wait; bar.sync 0; ld.global.u32 %x, [%o];\n")
                ENTRY("alone", "@%p0 griddepcontrol.wait; ld.global.u32 %x, [%o];\n")
                    ENTRY("stores", "st.global.u32 [%a], 2;\n") ENTRY("stores_late", WAIT "st.global.u32 [%a], 2;\n")
                        ENTRY("reads_apart", APART "ld.global.u32 %x, [%o];\n")
                            ENTRY("stores_one", "@%p0 st.global.u32 [%a], 2;\n") ENTRY("stores_apart",
                                                                                       APART "st.global.u32 [%o], 2;\n")
                                ENTRY("counts_apart", APART "red.relaxed.gpu.global.add.u32 [%o], 1;\n")
                                    ENTRY("waits_apart", WAIT APART "red.relaxed.gpu.global.add.u32 [%o], 1;\n")
                                        ENTRY("copies", "cp.async.ca.shared.global [%s], [%a], 4; cp.async.wait_all;\n")
                                            ENTRY("other", "st.global.u32 [%b], 2; ld.global.u32 %x, [%b];\n");
/* What single threads do to words and pages from p on: of each, thread 0 of CTA 0, unless said otherwise. */
static const char words[] = HEAD
    /* word 0 written, word 1 read, word 2 counted up, word 3 written, each by the thread of this number */
    ENTRY("four", RELEASE "setp.gt.u32 %p0, %c, 0; @%p0 bra E; mov.u32 %i, %tid.x; setp.eq.u32 %p0, %i, 0;\n"
                          "@%p0 st.global.u32 [%p], 1; setp.eq.u32 %p0, %i, 1; @%p0 ld.global.u32 %x, [%p+4];\n"
                          "setp.eq.u32 %p0, %i, 2; @%p0 red.relaxed.gpu.global.add.u32 [%p+8], 1;\n"
                          "setp.eq.u32 %p0, %i, 3; @%p0 st.global.u32 [%p+12], 1; E:\n")
    /* each CTA a page's first word */
    ENTRY("far", RELEASE "mul.wide.u32 %d, %c, 4096; add.u64 %a, %p, %d; @%p0 st.global.u32 [%a], 1;\n")
    /* a whole page */
    ENTRY("page", RELEASE "or.b32 %i, %c, %i; fence.proxy.async; mov.u32 %x, s; setp.eq.u32 %p0, %c, 0; @!%p0 bra E;\n"
                          "mov.u32 %i, %tid.x; setp.eq.u32 %p0, %i, 0; @!%p0 bra E;\n"
                          "cp.async.bulk.global.shared::cta.bulk_group [%p], [%x], 4096; cp.async.bulk.commit_group;\n"
                          "cp.async.bulk.wait_group 0; E:\n")
        ENTRY("first", "setp.eq.u32 %p0, %c, 0; @%p0 griddepcontrol.launch_dependents; st.global.u32 [%a], 1;\n")
            ENTRY("looks", RELEASE "ld.global.u32 %x, [%a];\n") ENTRY("get", "ld.global.u32 %x, [%p];\n")
                ENTRY("put", "@%p0 st.global.u32 [%p], 1;\n")
                    ENTRY("beside", RELEASE "@%p0 st.global.u32 [%p+512], 1;\n")
                        ENTRY("race", "st.global.u32 [%p+512], %i;\n")
    /* strong reads of two words; a race of two threads about the second of two words */
    ENTRY("sees", RELEASE "@%p0 ld.relaxed.gpu.global.u32 %x, [%p]; @%p0 ld.relaxed.gpu.global.u32 %x, [%p+4];\n")
        ENTRY("half", "setp.gt.u32 %p0, %c, 0; @%p0 bra E; mov.u32 %i, %tid.x; setp.eq.u32 %p0, %i, 1;\n"
                      "@%p0 red.relaxed.gpu.global.add.u32 [%p+4], 1; setp.eq.u32 %p0, %i, 0;\n"
                      "@%p0 ld.global.v2.u32 {%x, %n}, [%p]; E:\n")
            ENTRY("lets_go", RELEASE "ld.global.u32 %x, [%p];\n")
    /* CTA 0 raises a flag, late; thread 0 of CTA 1 writes if it does not see it, which by turns it does. The first runs
     * more instructions in all, but fewer of each thread. */
    ENTRY("luck", RELEASE "setp.gt.u32 %p0, %c, 1; @%p0 bra E; mov.u32 %i, %tid.x; mov.u32 %n, 20000;\n"
                          "setp.eq.u32 %p0, %c, 0; @%p0 bra L; mov.u32 %n, 50000; setp.ne.u32 %p0, %i, 0; @%p0 bra E;\n"
                          "L: sub.u32 %n, %n, 1; setp.ne.u32 %p0, %n, 0; @%p0 bra L;\n"
                          "setp.ne.u32 %p0, %i, 0; @%p0 bra E; setp.eq.u32 %p0, %c, 0;\n"
                          "@%p0 st.relaxed.gpu.global.u32 [%p], 1; @%p0 bra E; ld.relaxed.gpu.global.u32 %x, [%p];\n"
                          "setp.eq.u32 %p0, %x, 1; @%p0 bra E; st.global.u32 [%p+128], 1; E:\n")
    /* a tensor map, from q; and a copy by it */
    ENTRY("maps", RELEASE "or.b32 %i, %c, %i; mov.u32 %i, %tid.x; or.b32 %i, %c, %i; setp.ne.u32 %p0, %i, 0;\n"
                          "@%p0 bra E; mov.u32 %n, 16; L: ld.global.u64 %d, [%q]; st.global.u64 [%p], %d;\n"
                          "add.u64 %p, %p, 8; add.u64 %q, %q, 8; sub.u32 %n, %n, 1; setp.ne.u32 %p0, %n, 0;\n"
                          "@%p0 bra L; E:\n")
        ENTRY("tile", ".shared .align 128 .b8 t[1024]; .shared .align 8 .b64 bar; .reg .pred %t;\n" WAIT
                      "mov.u32 %x, bar; mov.u32 %s, t; @!%p0 bra E; mbarrier.init.shared.b64 [%x], 1;\n"
                      "mbarrier.arrive.expect_tx.shared.b64 _, [%x], 1024;\n"
                      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                      " [%s], [%p, {0, 0}], [%x];\n"
                      "W: mbarrier.try_wait.parity.shared.b64 %t, [%x], 0; @!%t bra W; E:\n");
/* The same kernel in another module. */
static const char other_text[] = HEAD ENTRY("reads", "ld.global.u32 %x, [%o];\n");

enum { CTAS = 64, THREADS = 32, BYTES = CTAS * THREADS * 4, PAGE = 4096 };

struct machine {
    struct emu *e;
    struct ptx_module *m, *other, *words;
    uint64_t p, q;
    unsigned jobs;
    bool light; /* the light judge watches dependent launches */
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
    x.words = load(x.e, words);
    x.p = emu_alloc(x.e, CTAS * PAGE, PAGE, true, "p");
    x.q = emu_alloc(x.e, BYTES, 256, true, "q");
    return x;
}

static void end(struct machine *x)
{
    emu_free(x->e);
    ptx_free(x->m);
    ptx_free(x->other);
    ptx_free(x->words);
}

enum how { PLAIN, DEPENDENT, AGAIN, LAST }; /* AGAIN: the dependent launch once more; LAST: none depends on it */

/* p begins so many bytes further. More than CTAS run by turns: not all of them begin at once. */
static struct emu_report launch_at(struct machine *x, const struct ptx_module *m, const char *entry, enum how how,
                                   uint32_t ctas, uint64_t further)
{
    const uint64_t params[] = { x->p + further, x->q };
    const struct emu_options options = { .jobs = x->jobs,
                                         .check_order = true,
                                         .check_init = true,
                                         .by_turns = ctas > CTAS,
                                         .dependents = how != LAST,
                                         .dependent = how == DEPENDENT || how == AGAIN,
                                         .repeated = how == AGAIN,
                                         .light = x->light && (how == DEPENDENT || how == AGAIN) };
    struct emu_report report;

    assert_int_equal(emu_launch_of(x->e, m, ptx_find_function(m, entry), &options, (uint32_t[]){ ctas, 1, 1 },
                                   (uint32_t[]){ THREADS, 1, 1 }, NULL, 0, params, sizeof params, &report),
                     EMU_DONE);
    return report;
}

static struct emu_report launch(struct machine *x, const struct ptx_module *m, const char *entry, enum how how)
{
    return launch_at(x, m, entry, how, CTAS, 0);
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
    { "writes", "reads_apart", "pdl.wait.required", "of writes, the grid before; read by thread" },
    { "writes", "stores_apart", "order.data-race", "of writes, the grid before; written by thread" },
    { "writes", "stores_one", "order.data-race", "of writes, the grid before; written by thread" },
    { "writes", "counts_apart", "order.data-race", "of writes, the grid before; written by thread" },
    { "writes", "waits_apart", "", "" },
    { "copied", "waits", "", "" },
    { "writes", "other", "", "" },
    { "keeps", "reads", "", "" }, /* it lets nobody begin early */
};

static void test_pairs(void **state)
{
    (void)state;
    for (unsigned jobs = 1; jobs <= 6; jobs++)
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
            struct machine x = make((jobs + 1) / 2);
            x.light = jobs % 2;
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

/* Launches of the words: which byte from p on the second one takes, and what is found. */
static const struct {
    const char *first, *second;
    uint32_t at, ctas; /* ctas: of the first one; 0: CTAS */
    const char *rule, *words;
} places[] = {
    { "four", "get", 0, 0, "pdl.wait.required", "written by thread 0,0,0 of CTA 0,0,0 (line 13) of four" },
    { "four", "get", 0, 1, "pdl.wait.required", "written by thread 0,0,0 of CTA 0,0,0 (line 13) of four" },
    { "four", "get", 4, 0, "", "" },
    { "four", "put", 4, 0, "order.data-race", "read by thread 1,0,0 of CTA 0,0,0 (line 13) of four" },
    { "four", "get", 8, 0, "pdl.wait.required", "written by thread 2,0,0 of CTA 0,0,0 (line 14) of four" },
    { "four", "get", 12, 0, "pdl.wait.required", "written by thread 3,0,0 of CTA 0,0,0 (line 15) of four" },
    { "four", "get", 16, 0, "", "" },
    { "four", "race", 0, 0, "order.data-race", "written by thread" }, /* of one launch */
    { "four", "lets_go", 0, 0, "pdl.wait.required", "of four, the grid before" },
    { "page", "get", 0, 0, "pdl.wait.required", "written by thread 0,0,0 of CTA 0,0,0 (line 39) of page" },
    { "page", "get", 1300, 0, "pdl.wait.required", "written by thread 0,0,0 of CTA 0,0,0 (line 39) of page" },
    { "page", "get", 4096, 0, "", "" },
    { "looks", "get", 0, 0, "", "" },
    { "looks", "put", 128, 0, "order.data-race", "read by thread 0,0,0 of CTA 1,0,0 (line 61) of looks" },
    { "sees", "half", 0, 1, "order.data-race", "changed by thread 1,0,0" },
    { "four", "half", 16, 1, "order.data-race", "changed by thread 1,0,0" },
    { "first", "get", 132, 0, "pdl.wait.required", "written by thread 1,0,0 of CTA 1,0,0 (line 50) of first" },
    { "first", "get", 132, 2000, "pdl.wait.required", "written by thread 1,0,0 of CTA 1,0,0 (line 50) of first" },
};

static void test_places(void **state)
{
    unsigned wrong = 0;

    (void)state;
    for (unsigned jobs = 1; jobs <= 3; jobs++)
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            struct machine x = make(jobs);
            struct emu_report r =
                launch_at(&x, x.words, places[i].first, PLAIN, places[i].ctas ? places[i].ctas : CTAS, 0);
            assert_int_equal(r.count, 0);
            r = launch_at(&x, x.words, places[i].second, DEPENDENT, 2, places[i].at);
            if (r.count != (*places[i].rule ? 1u : 0u) || (r.count && strcmp(r.findings[0].rule->id, places[i].rule)))
                wrong++, print_error("%s, %s: %zu findings\n", places[i].first, places[i].second, r.count);
            else if (r.count && !strstr(r.findings[0].message, places[i].words))
                wrong++, print_error("%s, %s: %s\n", places[i].first, places[i].second, r.findings[0].message);
            end(&x);
        }
    assert_int_equal(wrong, 0);
}

/* Each of many words of one page or of as many pages is kept, whichever cluster wrote it. */
static void test_all(void **state)
{
    (void)state;
    for (unsigned jobs = 1; jobs <= 3; jobs++) {
        struct machine x = make(jobs);
        launch(&x, x.m, "writes", PLAIN);
        for (uint32_t i = 0; i < CTAS; i++)
            assert_int_equal(launch_at(&x, x.words, "get", i ? AGAIN : DEPENDENT, 1, i * THREADS * 4).count, 1);
        launch(&x, x.words, "far", PLAIN);
        for (uint32_t i = 0; i < CTAS; i++)
            assert_int_equal(launch_at(&x, x.words, "get", i ? AGAIN : DEPENDENT, 1, i * PAGE).count, 1);
        end(&x);
    }
}

/* Three launches: what the first one did is not the second one's, beside whose own it lies. */
static void test_three(void **state)
{
    struct machine x = make(1);

    (void)state;
    launch(&x, x.words, "four", PLAIN);
    assert_int_equal(launch(&x, x.words, "beside", DEPENDENT).count, 0);
    assert_int_equal(launch_at(&x, x.words, "get", DEPENDENT, 1, 0).count, 0);
    /* nor is one that no other depends on compared with the next */
    launch(&x, x.words, "four", LAST);
    assert_int_equal(launch_at(&x, x.words, "get", DEPENDENT, 1, 0).count, 0);
    end(&x);
}

/* What clusters did that ran ahead in vain is no part of the launch. */
static void test_in_vain(void **state)
{
    (void)state;
    for (unsigned jobs = 1; jobs <= 3; jobs++) {
        struct machine x = make(jobs);
        assert_int_equal(launch(&x, x.words, "luck", PLAIN).count, 0);
        assert_int_equal(launch_at(&x, x.words, "get", DEPENDENT, 1, 0).count, 1);
        assert_int_equal(launch_at(&x, x.words, "get", AGAIN, 1, 128).count, 0);
        end(&x);
    }
}

/* A map that the launch before wrote is one that the host wrote, to a launch that has waited for it. */
static void test_map(void **state)
{
    struct machine x = make(1);
    struct tensor_map map = tensor_map_default(TENSOR_U32, 2);
    _Alignas(64) unsigned char object[TENSOR_MAP_BYTES];
    struct emu_report r;
    char why[200];

    (void)state;
    assert_true(tensor_map_set(&map, "dims=32x8 strides=128 box=32x8", why, sizeof why));
    map.address = x.q + 1024;
    emu_map_encode(&map, object);
    assert_true(emu_write(x.e, x.q, object, sizeof object));
    assert_int_equal(launch(&x, x.words, "maps", PLAIN).count, 0);
    r = launch_at(&x, x.words, "tile", DEPENDENT, 1, 0);
    assert_int_equal(r.count, 1);
    assert_string_equal(r.findings[0].rule->id, "tmap.host.acquire-sys");
    end(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_pairs),   cmocka_unit_test(test_behind),
                                        cmocka_unit_test(test_modules), cmocka_unit_test(test_places),
                                        cmocka_unit_test(test_all),     cmocka_unit_test(test_three),
                                        cmocka_unit_test(test_in_vain), cmocka_unit_test(test_map) };

    return cmocka_run_group_tests_name("emu_dependent", tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
