/* Which bytes of memory have a value from launch to launch: what kernels, copies and the host have written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/emu/emu.h"
#include "harness/emu/forms/form.h"

/* add adds 1 to a word for each thread, and reads the word of a thread of another CTA. put stores byte `from` + n and
 * every `step` bytes on from each thread n; get reads the word at p + at. */
static const char text[] =
    ".version 8.6\n.target sm_90a\n.address_size 64\n"
    ".visible .entry put(.param .u64 p, .param .u32 step)\n{\n"
    ".reg .b64 %p, %d; .reg .b32 %i, %n, %c, %s;\n"
    "ld.param.u64 %p, [p]; ld.param.u32 %s, [step]; mov.u32 %i, %tid.x; mov.u32 %c, %ctaid.x; mov.u32 %n, %ntid.x;\n"
    "mad.lo.u32 %i, %c, %n, %i; mul.wide.u32 %d, %i, %s; add.u64 %p, %p, %d; st.global.u8 [%p], 1;\nret;\n}\n"
    ".visible .entry add(.param .u64 p, .param .u32 all)\n{\n"
    ".reg .b64 %p, %a, %d; .reg .b32 %i, %n, %c, %s, %x;\n"
    "ld.param.u64 %p, [p]; ld.param.u32 %s, [all]; mov.u32 %i, %tid.x; mov.u32 %c, %ctaid.x; mov.u32 %n, %ntid.x;\n"
    "mad.lo.u32 %i, %c, %n, %i; mul.wide.u32 %d, %i, 4; add.u64 %a, %p, %d;\n"
    "ld.global.u32 %x, [%a]; add.u32 %x, %x, 1; st.global.u32 [%a], %x;\n"
    "shr.u32 %n, %s, 1; xor.b32 %i, %i, %n; mul.wide.u32 %d, %i, 4; add.u64 %a, %p, %d; ld.global.u32 %x, [%a];\n"
    "ret;\n}\n"
    ".visible .entry get(.param .u64 p, .param .u32 bytes)\n{\n"
    ".reg .b64 %p; .reg .b32 %x, %b; .reg .b64 %y, %z; .reg .pred %q;\n"
    "ld.param.u64 %p, [p]; ld.param.u32 %b, [bytes];\n"
    "setp.eq.u32 %q, %b, 1; @%q ld.global.u8 %x, [%p];\n"
    "setp.eq.u32 %q, %b, 4; @%q ld.global.u32 %x, [%p];\n"
    "setp.eq.u32 %q, %b, 16; @%q ld.global.v2.u64 {%y, %z}, [%p];\nret;\n}\n"
    /* the first word of each of 16 pages, and a copy to all of page n, of which a strong load reads a word
     * if n is even, and a copy four of them if n is odd */
    ".visible .entry page(.param .u64 p, .param .u32 n)\n{\n"
    ".reg .b64 %p, %d; .reg .b32 %s, %n, %i; .reg .pred %q; .shared .align 128 .b8 s[4096];\n"
    "ld.param.u64 %p, [p]; ld.param.u32 %n, [n]; mov.u32 %i, 0;\n"
    "L: mul.wide.u32 %d, %i, 4096; add.u64 %d, %d, %p; setp.ne.u32 %q, %i, %n; @%q st.global.u32 [%d], 1;\n"
    "add.u32 %i, %i, 1; setp.lt.u32 %q, %i, 16; @%q bra L; mul.wide.u32 %d, %n, 4096; add.u64 %d, %d, %p;\n"
    "mov.u32 %s, s; cp.async.bulk.global.shared::cta.bulk_group [%d], [%s], 4096; cp.async.bulk.commit_group;\n"
    "cp.async.bulk.wait_group 0; and.b32 %i, %n, 1; setp.eq.u32 %q, %i, 0;\n"
    "@%q ld.relaxed.gpu.global.u32 %i, [%d+256]; @!%q cp.async.cg.shared.global [%s], [%d+256], 16;\n"
    "cp.async.wait_all;\nret;\n}\n"
    /* n stores to the second page and those behind it, twelve to each, far apart and of so many bytes that lines are
     * taken apart, and then one to the first if `last` */
    ".visible .entry fill(.param .u64 p, .param .u32 n, .param .u32 last)\n{\n"
    ".reg .b64 %p, %d; .reg .b32 %n, %i, %k, %l; .reg .pred %q;\n"
    "ld.param.u64 %p, [p]; ld.param.u32 %n, [n]; ld.param.u32 %l, [last]; mov.u32 %i, 0; st.global.u32 [%p], 1;\n"
    "L: setp.ge.u32 %q, %i, %n; @%q bra E; div.u32 %k, %i, 12; mad.lo.u32 %k, %k, 3904, 4096; mad.lo.u32 %k, %i, 16, %k;\n"
    "cvt.u64.u32 %d, %k; add.u64 %d, %d, %p; st.global.u64 [%d], %d; add.u32 %i, %i, 1; bra L;\n"
    "E: setp.ne.u32 %q, %l, 0; @%q st.global.u32 [%p], 2;\nret;\n}\n";

enum { BYTES = 1 << 16 };

struct machine {
    struct emu *e;
    struct ptx_module *m;
    uint64_t a, b; /* two allocations */
};

static struct machine make(unsigned jobs)
{
    struct machine x = { .e = emu_new(&(struct emu_options){ .jobs = jobs, .check_order = true, .check_init = true }) };
    struct ptx_error error;
    char why[200];

    x.m = ptx_read(text, strlen(text), NULL, &error);
    assert_non_null(x.m);
    assert_true(emu_load(x.e, x.m, why, sizeof why));
    x.a = emu_alloc(x.e, BYTES, 256, false, "a");
    x.b = emu_alloc(x.e, BYTES, 256, false, "b");
    assert_true(x.a && x.b);
    return x;
}

static void end(struct machine *x)
{
    emu_free(x->e);
    ptx_free(x->m);
}

static struct emu_report report; /* of the last launch */

/* How many findings a launch has; all of them are of order.unwritten. */
static size_t launch(struct machine *x, const char *entry, uint32_t ctas, uint32_t threads, uint64_t at, uint32_t n,
                     const struct emu_options *options)
{
    struct {
        uint64_t at;
        uint32_t n;
    } params = { at, n };

    assert_int_equal(emu_launch_of(x->e, x->m, ptx_find_function(x->m, entry), options, (uint32_t[]){ ctas, 1, 1 },
                                   (uint32_t[]){ threads, 1, 1 }, NULL, 0, &params, sizeof params, &report),
                     EMU_DONE);
    for (size_t i = 0; i < report.count; i++)
        assert_string_equal(report.findings[i].rule->id, "order.unwritten");
    return report.count;
}

static void put(struct machine *x, uint32_t ctas, uint32_t threads, uint64_t at, uint32_t step)
{
    assert_int_equal(launch(x, "put", ctas, threads, at, step, NULL), 0);
}

static bool has(struct machine *x, uint64_t at, uint32_t bytes)
{
    return !launch(x, "get", 1, 1, at, bytes, NULL);
}

/* Byte by byte, at places in and between words of the bits, lines and pages. */
static void test_bytes(void **state)
{
    static const uint64_t places[] = { 0, 1, 63, 64, 127, 128, 4095, 4096, 8191, BYTES - 2, BYTES - 1 };
    struct machine x = make(1);

    (void)state;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const uint64_t at = x.a + places[i];
        const bool before = places[i] && i && places[i - 1] == places[i] - 1;
        assert_false(has(&x, at, 1));
        put(&x, 1, 1, at, 1);
        assert_true(has(&x, at, 1));
        assert_true(!places[i] || has(&x, at - 1, 1) == before);
        assert_true(places[i] + 1 == BYTES || !has(&x, at + 1, 1));
    }
    end(&x);
}

/* A word must have all of its bytes, a vector one. */
static void test_parts(void **state)
{
    struct machine x = make(1);

    (void)state;
    put(&x, 1, 3, x.a, 1);
    assert_false(has(&x, x.a, 4));
    assert_true(has(&x, x.a, 16));
    assert_false(has(&x, x.a + 16, 16));
    put(&x, 1, 1, x.a + 3, 1);
    assert_true(has(&x, x.a, 4));
    end(&x);
}

/* What the host writes and copies: at all distances of source and destination from a word of the bits. */
static void test_host(void **state)
{
    static const unsigned char zeros[300];
    struct machine x = make(1);

    (void)state;
    emu_write(x.e, x.a + 5, zeros, 200);
    assert_false(has(&x, x.a + 4, 1));
    assert_true(has(&x, x.a + 5, 1) && has(&x, x.a + 204, 1));
    assert_false(has(&x, x.a + 205, 1));
    assert_true(emu_has_value(x.e, x.a, 6) && !emu_has_value(x.e, x.a, 5) && !emu_has_value(x.e, x.a + 205, 1000));
    for (unsigned from = 0; from < 66; from += 5)
        for (unsigned to = 1024; to < 1024 + 130; to += 13) {
            emu_wrote(x.e, x.b + 1000, 400);
            emu_copied(x.e, x.b + to, x.a + from, 230);
            assert_true(emu_has_value(x.e, x.b + to - 1, 1) && emu_has_value(x.e, x.b + to + 230, 1));
            for (unsigned i = 0; i < 230; i++)
                assert_int_equal(emu_has_value(x.e, x.b + to + i, 1), from + i >= 5 && from + i < 205);
        }
    emu_wrote(x.e, x.b, BYTES);
    emu_copied(x.e, x.b, x.a + 1000, 100); /* of which none has a value */
    assert_false(emu_has_value(x.e, x.b, 100));
    assert_true(emu_has_value(x.e, x.b + 100, 1));
    emu_copied(x.e, x.b, (uint64_t)(uintptr_t)zeros, 100); /* the host's own has one */
    assert_true(emu_has_value(x.e, x.b + 99, 1));
    emu_lost(x.e, x.b + 64, 64);
    assert_true(has(&x, x.b + 63, 1) && has(&x, x.b + 128, 1));
    assert_false(has(&x, x.b + 64, 1) || has(&x, x.b + 127, 1));
    end(&x);
}

/* Many CTAs, on one host thread and on several: each byte that they write, and no other. Where CTAs write the same
 * bytes, what ran ahead is put back and runs again. */
static void test_clusters(void **state)
{
    (void)state;
    for (unsigned jobs = 1; jobs <= 3; jobs++) {
        struct machine x = make(jobs);
        put(&x, 64, 128, x.a, 5);
        for (uint32_t i = 0; i < 64 * 128; i += 97) {
            assert_true(has(&x, x.a + i * 5, 1));
            assert_false(has(&x, x.a + i * 5 + 1, 1) || has(&x, x.a + i * 5 + 4, 1));
        }
        put(&x, 64, 128, x.b + 9, 0);
        assert_true(has(&x, x.b + 9, 1));
        assert_false(has(&x, x.b + 8, 1) || has(&x, x.b + 10, 1));
        end(&x);
    }
}

/* CTAs that depend on one another have run ahead in vain: what they wrote is put back, zeros and others, in memory that
 * lies together and that does not, before they run in turns. */
static void test_put_back(void **state)
{
    enum { CTAS = 64, THREADS = 128, ALL = CTAS * THREADS };
    static uint32_t words[ALL], after[ALL];

    (void)state;
    for (unsigned jobs = 1; jobs <= 3; jobs++)
        for (uint32_t zeros = 1; zeros < 40; zeros += 6) {
            struct machine x = make(jobs);
            for (uint32_t i = 0; i < ALL; i++)
                words[i] = i / zeros % 2 ? i * 2654435761u : 0;
            emu_write(x.e, x.a, words, sizeof words);
            launch(&x, "add", CTAS, THREADS, x.a, ALL, &(struct emu_options){ .jobs = jobs });
            assert_true(report.in_vain);
            assert_true(emu_read(x.e, after, x.a, sizeof after));
            for (uint32_t i = 0; i < ALL; i++)
                assert_int_equal(after[i], words[i] + 1);
            end(&x);
        }
}

/* After a launch that nobody looks at, all memory counts as written. */
static void test_unwatched(void **state)
{
    struct machine x = make(1);

    (void)state;
    assert_false(has(&x, x.b, 1));
    launch(&x, "put", 1, 1, x.a, 1, &(struct emu_options){ .jobs = 1, .unwatched = true });
    assert_int_equal(launch(&x, "get", 1, 1, x.b, 1, &(struct emu_options){ .check_order = true, .check_init = true }),
                     0);
    end(&x);
}

/* Nor is anything known after one of which only the lives of mbarriers are judged. */
static void test_unordered(void **state)
{
    struct machine x = make(1);

    (void)state;
    assert_false(has(&x, x.b, 1));
    launch(&x, "put", 1, 1, x.a, 1, &(struct emu_options){ .jobs = 1 });
    assert_int_equal(launch(&x, "get", 1, 1, x.b, 1, &(struct emu_options){ .check_order = true, .check_init = true }),
                     0);
    end(&x);
}

/* The shadow has begun again for lack of memory: what was written before that has a value too. */
static void test_forgot(void **state)
{
    enum { CTAS = 4096, ALL = CTAS * 128 * 16 };
    const struct emu_options options = {
        .jobs = 1, .check_order = true, .check_init = true, .max_memory = ALL + (4 << 20), .by_turns = true
    };
    struct machine x = { .e = emu_new(&options) };
    struct ptx_error error;
    char why[200];

    (void)state;
    x.m = ptx_read(text, strlen(text), NULL, &error);
    assert_non_null(x.m);
    assert_true(emu_load(x.e, x.m, why, sizeof why));
    x.a = emu_alloc(x.e, ALL, 256, false, "a");
    assert_true(x.a);
    assert_false(has(&x, x.a, 1));
    put(&x, CTAS, 128, x.a, 16);
    assert_true(report.forgot);
    for (uint32_t i = 0; i < ALL; i += 4096)
        assert_true(has(&x, x.a + i, 1));
    end(&x);
}

/* Memory of the host's own in the page of an allocation: only the former has been written. */
static void test_neighbours(void **state)
{
    struct machine x = make(1);
    const uint64_t a = emu_alloc(x.e, 256, 256, false, "a");

    (void)state;
    assert_true(emu_adopt(x.e, (char *)(uintptr_t)a + 1024, 64, "host"));
    assert_true(has(&x, a + 1024, 4));
    assert_false(has(&x, a, 4));
    end(&x);
}

/* A page that a copy has written as a whole, among others of which a word is: as soon as it has, and later. */
static void test_pages(void **state)
{
    struct machine x = make(1);
    uint64_t p = emu_alloc(x.e, 16 << 12, 4096, false, "p");

    (void)state;
    for (uint32_t n = 0; n < 16; n += 5, p = emu_alloc(x.e, 16 << 12, 4096, false, "p")) {
        assert_int_equal(launch(&x, "page", 1, 1, p, n, NULL), 0);
        for (uint32_t i = 0; i < 16; i++)
            assert_true(has(&x, p + i * 4096, 4) && has(&x, p + i * 4096 + 4, 4) == (i == n));
        assert_true(has(&x, p + n * 4096 + 4088, 4));
    }
    end(&x);
}

/* Whether the shadow of a machine with little memory begins again in the course of so many stores and maybe one more.
 */
static bool forgets(uint32_t stores, bool last)
{
    enum { MEMORY = 1 << 20, PAGES = 240 };
    struct machine x = { .e = emu_new(&(struct emu_options){ .jobs = 1, .check_order = true, .max_memory = MEMORY }) };
    struct emu_report r;
    struct ptx_error error;
    struct {
        uint64_t at;
        uint32_t n, last;
    } params = { .n = stores, .last = last };
    char why[200];

    x.m = ptx_read(text, strlen(text), NULL, &error);
    assert_true(emu_load(x.e, x.m, why, sizeof why));
    params.at = emu_alloc(x.e, PAGES << 12, 4096, true, "p");
    assert_true(params.at);
    assert_int_equal(
        emu_launch(x.e, "fill", (uint32_t[]){ 1, 1, 1 }, (uint32_t[]){ 1, 1, 1 }, NULL, 0, &params, sizeof params, &r),
        EMU_DONE);
    end(&x);
    return r.forgot;
}

/* No access after the one for which there was no more room is compared with those before it, not even one to a page
 * that has been touched lately. */
static void test_room(void **state)
{
    uint32_t few = 0, many = 2800;

    (void)state;
    assert_true(!forgets(few, true) && forgets(many, true));
    while (many - few > 1) {
        const uint32_t middle = (few + many) / 2;
        *(forgets(middle, true) ? &many : &few) = middle;
    }
    assert_false(forgets(many, false));
    assert_true(forgets(many + 1, false));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_bytes),      cmocka_unit_test(test_parts),
                                        cmocka_unit_test(test_host),       cmocka_unit_test(test_clusters),
                                        cmocka_unit_test(test_put_back),   cmocka_unit_test(test_unwatched),
                                        cmocka_unit_test(test_unordered),  cmocka_unit_test(test_forgot),
                                        cmocka_unit_test(test_neighbours), cmocka_unit_test(test_pages),
                                        cmocka_unit_test(test_room) };

    return cmocka_run_group_tests_name("emu_written", tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
