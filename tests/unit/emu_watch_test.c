/* Who watches a launch: nobody, the judge, the judge and a second watcher. The machine does the same for all of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/emu/emu.h"
#include "harness/emu/forms/form.h"
#include "harness/emu/machine/watch.h"

/* Copies, an mbarrier, barriers, a cp.async group, fences, an atomic and ordinary accesses; two CTAs. */
static const char text[] =
    ".version 8.6\n.target sm_90a\n.address_size 64\n"
    ".visible .entry k(.param .u64 pin, .param .u64 pout)\n{\n"
    ".reg .pred %first, %done; .reg .b32 %t, %s, %m, %x, %y; .reg .b64 %in, %out, %d;\n"
    ".shared .align 128 .b8 s[1024]; .shared .align 8 .b64 bar;\n"
    "ld.param.u64 %in, [pin]; ld.param.u64 %out, [pout]; mov.u32 %t, %tid.x; mov.u32 %s, s; mov.u32 %m, bar;\n"
    "setp.eq.u32 %first, %t, 0;\n"
    "@%first mbarrier.init.shared.b64 [%m], 1;\n@%first fence.mbarrier_init.release.cluster;\nbar.sync 0;\n"
    "@!%first bra WAIT;\n"
    "mbarrier.arrive.expect_tx.shared.b64 _, [%m], 256;\n"
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%in], 256, [%m];\n"
    "WAIT: mbarrier.try_wait.parity.shared.b64 %done, [%m], 0;\n@!%done bra WAIT;\n"
    "shl.b32 %x, %t, 2; add.u32 %y, %s, %x; ld.shared.u32 %y, [%y];\n"
    "red.global.add.u32 [%out], %y;\n"
    "add.u32 %x, %x, %s; cp.async.ca.shared.global [%x+512], [%in+64], 4; cp.async.commit_group;\n"
    "cp.async.wait_group 0; ld.shared.u32 %y, [%x+512]; fence.acq_rel.gpu; bar.warp.sync -1;\n"
    "atom.global.xor.b32 %x, [%out+4], %y;\nret;\n}\n";

enum { BYTES = 512 };

/* A launch, and what it left. */
struct run {
    unsigned char out[BYTES];
    struct emu_report report;
};

static struct run launch(struct emu_options options, const char *ptx)
{
    const uint32_t grid[3] = { 2, 1, 1 }, block[3] = { 64, 1, 1 }, cluster[3] = { 1, 1, 1 };
    unsigned char in[BYTES];
    struct ptx_error error;
    struct ptx_module *m = ptx_read(ptx, strlen(ptx), NULL, &error);
    struct emu *e = emu_new(&options);
    uint64_t params[2];
    struct run r;
    char why[200];

    for (size_t i = 0; i < sizeof in; i++)
        in[i] = (unsigned char)(i * 7 + 1);
    if (!m)
        fail_msg("%s", error.message);
    assert_true(emu_load(e, m, why, sizeof why));
    params[0] = emu_alloc(e, BYTES, 128, true, "in");
    params[1] = emu_alloc(e, BYTES, 128, true, "out");
    assert_true(emu_write(e, params[0], in, sizeof in));
    emu_launch(e, "k", grid, block, cluster, 0, params, sizeof params, &r.report);
    assert_true(emu_read(e, r.out, params[1], sizeof r.out));
    emu_free(e);
    ptx_free(m);
    r.report.findings = NULL; /* they went with the machine */
    return r;
}

static unsigned issued, landed, completed, loads;

static bool asks_for_all(struct emu_cluster *c)
{
    (void)c;
    return true;
}

static void count_issue(struct emu_thread *t, struct emu_flight *f)
{
    (void)t;
    (void)f;
    issued++;
}

static void count_landing(struct emu_thread *t, struct emu_flight *f)
{
    (void)t;
    (void)f;
    landed++;
}

static void count_phase(struct emu_thread *t, struct emu_mbarrier *m)
{
    (void)t;
    (void)m;
    completed++;
}

static void count_load(struct emu_thread *t, uint32_t at, struct emu_cta *cta, uint64_t address, unsigned n)
{
    (void)t;
    (void)at;
    (void)cta;
    (void)address;
    loads += n == 4;
}

/* It leaves out most functions: it asks for four events. */
static const struct emu_watch counter = {
    .cluster_begin = asks_for_all,
    .load = count_load,
    .mbarrier_phase = count_phase,
    .copy_issued = count_issue,
    .copy_landed = count_landing,
};

static void all_leave_the_same(void **state)
{
    const struct run nobody = launch((struct emu_options){ .jobs = 1, .unwatched = true }, text);
    const struct run judge = launch((struct emu_options){ .jobs = 1 }, text);
    const struct run order = launch((struct emu_options){ .jobs = 1, .check_order = true, .check_init = true }, text);
    const struct run both = launch((struct emu_options){ .jobs = 1, .check_order = true, .watch = &counter }, text);

    (void)state;
    assert_int_equal(nobody.report.end, EMU_DONE);
    assert_int_equal(order.report.count, 0);
    assert_memory_equal(nobody.out, judge.out, BYTES);
    assert_memory_equal(nobody.out, order.out, BYTES);
    assert_memory_equal(nobody.out, both.out, BYTES);
    assert_true(nobody.report.instructions == judge.report.instructions);
    assert_true(nobody.report.instructions == order.report.instructions);
    assert_true(nobody.report.instructions == both.report.instructions);
    assert_int_equal(issued, 2 * (1 + 64)); /* of each CTA one bulk copy, and a cp.async of each thread */
    assert_int_equal(landed, issued);
    assert_int_equal(completed, 2);
    assert_int_equal(loads, 2 * 64 * 2);
}

static void nobody_asks_nothing(void **state)
{
    char broken[sizeof text];
    char *wait;

    (void)state;
    strcpy(broken, text);
    wait = strstr(broken, "@!%done bra WAIT;");
    assert_non_null(wait);
    memcpy(wait, "                 ", strlen("@!%done bra WAIT;"));
    assert_true(launch((struct emu_options){ .jobs = 1, .check_order = true }, broken).report.count > 0);
    assert_int_equal(
        launch((struct emu_options){ .jobs = 1, .check_order = true, .unwatched = true }, broken).report.count, 0);
}

/* A thread that waits for ever is a deadlock also where nobody describes it; many host threads need no watcher. */
static void nobody_is_enough(void **state)
{
    char stuck[sizeof text];
    char *copy;
    struct run r;

    (void)state;
    strcpy(stuck, text);
    copy = strstr(stuck, "256, [%m]");
    assert_non_null(copy);
    memcpy(copy, "128", 3);
    r = launch((struct emu_options){ .jobs = 1, .unwatched = true }, stuck);
    assert_int_equal(r.report.end, EMU_DEADLOCK);
    assert_string_equal(r.report.message, "deadlock: no thread can go on");
    r = launch((struct emu_options){ .jobs = 2, .unwatched = true }, text);
    assert_int_equal(r.report.end, EMU_DONE);
}

/* One thread uses what its copies bring and waits for none of them: a cp.async, an arrival behind it, a bulk load, a
 * bulk store. */
static const char hasty[] =
    ".version 8.6\n.target sm_90a\n.address_size 64\n"
    ".visible .entry k(.param .u64 pin, .param .u64 pout)\n{\n"
    ".reg .pred %other, %done; .reg .b32 %s, %m, %n, %x, %y; .reg .b64 %in, %out;\n"
    ".shared .align 128 .b8 s[1024]; .shared .align 8 .b64 bar[2];\n"
    "ld.param.u64 %in, [pin]; ld.param.u64 %out, [pout]; mov.u32 %s, s; mov.u32 %m, bar; add.u32 %n, %m, 8;\n"
    "mov.u32 %x, %tid.x; mov.u32 %y, %ctaid.x; or.b32 %x, %x, %y; setp.ne.u32 %other, %x, 0;\n@%other bra END;\n"
    "mbarrier.init.shared.b64 [%m], 1; mbarrier.init.shared.b64 [%n], 1;\n"
    "cp.async.ca.shared.global [%s], [%in], 4;\nld.shared.u32 %x, [%s]; st.global.u32 [%out], %x;\n"
    "cp.async.mbarrier.arrive.noinc.shared.b64 [%m];\nmbarrier.test_wait.parity.shared.b64 %done, [%m], 0;\n"
    "selp.u32 %x, 1, 0, %done; st.global.u32 [%out+4], %x;\n"
    "mbarrier.arrive.expect_tx.shared.b64 _, [%n], 16;\n"
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s+16], [%in+16], 16, [%n];\n"
    "ld.shared.u32 %x, [%s+16]; st.global.u32 [%out+8], %x;\n"
    "cp.async.bulk.global.shared::cta.bulk_group [%out+16], [%s+16], 16;\n"
    "ld.global.u32 %x, [%out+16]; st.global.u32 [%out+12], %x;\nEND: ret;\n}\n";

/* Eager copies are there behind the instruction that issues them, late ones are not. */
static void eager_is_at_once(void **state)
{
    static const uint32_t first = 0x160f0801, fourth = 0x867f7871; /* words 0 and 4 of `in` */
    const struct run eager = launch((struct emu_options){ .jobs = 1, .unwatched = true, .delivery = EMU_EAGER }, hasty);
    const struct run late = launch((struct emu_options){ .jobs = 1, .unwatched = true }, hasty);
    uint32_t at_once[4], not_yet[4];

    (void)state;
    assert_int_equal(eager.report.end, EMU_DONE);
    assert_int_equal(late.report.end, EMU_DONE);
    memcpy(at_once, eager.out, sizeof at_once);
    memcpy(not_yet, late.out, sizeof not_yet);
    assert_int_equal(at_once[0], first);
    assert_int_equal(at_once[1], 1);
    assert_int_equal(at_once[2], fourth);
    assert_int_equal(at_once[3], fourth);
    assert_int_not_equal(not_yet[0], first);
    assert_int_equal(not_yet[1], 0);
    assert_int_not_equal(not_yet[2], fourth);
    assert_int_not_equal(not_yet[3], fourth);
}

/* An access behind an allocation does not reach the next one. */
static void allocations_lie_apart(void **state)
{
    const struct emu_options options = { .jobs = 1 };
    struct emu *e = emu_new(&options);
    uint64_t at[64];

    (void)state;
    for (size_t i = 0; i < 64; i++)
        assert_true((at[i] = emu_alloc(e, 4096, 256, true, "buffer")) != 0);
    for (size_t i = 0; i < 64; i++)
        for (size_t k = 0; k < 64; k++)
            assert_true(at[k] <= at[i] || at[k] - at[i] >= 2 * 4096);
    emu_free(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_leave_the_same),    cmocka_unit_test(nobody_asks_nothing),
        cmocka_unit_test(nobody_is_enough),      cmocka_unit_test(eager_is_at_once),
        cmocka_unit_test(allocations_lie_apart),
    };

    return cmocka_run_group_tests_name("emu_watch", tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
