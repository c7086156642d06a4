/* cp.async.mbarrier.arrive: what it counts, and which copies it waits for. */
#include <string.h>

#include "harness/ck.h"
#include "kernels/cp_async.h"
#include "kernels/cp_async_mbarrier.h"

#define FORMS "ca4 ca8 ca16 cg16"

enum { WORD = 4, SLOT = 16, LATE = 20000, LARGEST = (1 << 20) - 1 };

struct bench {
    struct ck_buf in, out, phases;
    struct cpmb_args a;
    uint32_t threads, size; /* size: of a copy, bytes */
};

static uint32_t form_of(struct ck *t)
{
    static const char *const forms[] = { [CP_CA4] = "ca4", [CP_CA8] = "ca8", [CP_CA16] = "ca16" };

    for (uint32_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (ck_is(t, "form", forms[i]))
            return i;
    return CP_CG16;
}

/* `copies` copies of each thread in each round, from far away; each thread has its copies arrive by .noinc, and these
 * arrivals are all. */
static struct bench bench_of(struct ck *t, uint32_t threads, uint32_t copies, uint32_t rounds)
{
    const size_t bytes = (size_t)SLOT * threads * (copies ? copies * rounds : 1);
    struct bench b = { .threads = threads };

    b.in = ck_slow_input(t, bytes);
    b.out = ck_output(t, bytes);
    b.phases = ck_zeroed(t, (size_t)WORD * threads + SLOT); /* one copy reads the first of it */
    b.a = (struct cpmb_args){ .in = b.in.device,
                              .out = b.out.device,
                              .phases = b.phases.device,
                              .form = form_of(t),
                              .copies = copies,
                              .rounds = rounds,
                              .lanes = threads,
                              .counted = true,
                              .count = threads * rounds,
                              .waits = true,
                              .delay = LATE };
    b.size = b.a.form == CP_CA4 ? 4 : b.a.form == CP_CA8 ? 8 : 16;
    return b;
}

static enum ck_end launch(struct ck *t, const struct bench *b, const char *kernel)
{
    return ck_launch(t, &(struct ck_launch){ .kernel = kernel,
                                             .block = { b->threads },
                                             .smem = (uint32_t)b->out.size + 64,
                                             .args = &b->a,
                                             .size = sizeof b->a });
}

/* Each copy of the first `lanes` threads brought its bytes. */
static void judge_bytes(struct ck *t, const struct bench *b, uint32_t lanes)
{
    unsigned char *expected = ck_alloc(t, b->out.size);

    memset(expected, CK_POISON, b->out.size);
    for (uint32_t c = 0; c < b->a.copies * b->a.rounds; c++)
        for (uint32_t i = 0; i < lanes; i++) {
            const size_t at = (size_t)SLOT * (c * b->threads + i);
            memcpy(expected + at, b->in.host + at, b->size);
        }
    ck_equal(t, b->out, expected);
}

/* All threads found these phases complete. */
static void judge_phases(struct ck *t, const struct bench *b, uint32_t phases)
{
    uint32_t *expected = ck_alloc(t, b->phases.size);

    for (uint32_t i = 0; i < b->threads; i++)
        expected[i] = phases;
    ck_equal(t, b->phases, expected);
}

/* Threads copy, have their copies arrive, and wait: each finds the bytes of all copies of the next thread, and one
 * phase complete. The variants make a copy after the instruction, or read before the wait. */
static void tracked(struct ck *t)
{
    struct bench b = bench_of(t, (uint32_t)ck_int(t, "threads"), (uint32_t)ck_int(t, "copies"), 1);

    if (launch(t, &b, "cpmb_arrive") != CK_DONE)
        return;
    judge_bytes(t, &b, b.threads);
    judge_phases(t, &b, CPMB_DONE_0);
}

/* Without .noinc, init asks for the ordinary arrivals of the threads alone; one phase completes, and the copies are
 * there. */
static void net_zero(struct ck *t)
{
    struct bench b = bench_of(t, (uint32_t)ck_int(t, "threads"), (uint32_t)ck_int(t, "copies"), 1);

    b.a.counted = false;
    b.a.plain = 1;
    b.a.count = b.threads;
    if (ck_variant(t, "twice"))
        b.a.count *= 2;
    if (launch(t, &b, "cpmb_arrive") != CK_DONE)
        return;
    judge_bytes(t, &b, b.threads);
    judge_phases(t, &b, CPMB_DONE_0);
}

/* With .noinc, init asks for an arrival more for each execution of the instruction, beside one of the thread itself. */
static void counted(struct ck *t)
{
    struct bench b = bench_of(t, (uint32_t)ck_int(t, "threads"), 1, (uint32_t)ck_int(t, "times"));

    b.a.plain = (uint32_t)ck_int(t, "plain");
    b.a.count += b.a.plain * b.threads;
    if (ck_variant(t, "more"))
        b.a.count++;
    if (launch(t, &b, "cpmb_arrive") != CK_DONE)
        return;
    judge_bytes(t, &b, b.threads);
    judge_phases(t, &b, CPMB_DONE_0);
}

/* Some lanes of a warp execute the instruction with .noinc, with copies or without; no thread arrives itself, and the
 * phase completes. */
static void alone(struct ck *t)
{
    struct bench b = bench_of(t, 32, (uint32_t)ck_int(t, "copies"), 1);

    b.a.lanes = b.a.count = (uint32_t)ck_int(t, "lanes");
    if (ck_variant(t, "inc"))
        b.a.counted = false;
    if (ck_variant(t, "more"))
        b.a.count++;
    if (launch(t, &b, "cpmb_arrive") != CK_DONE)
        return;
    judge_bytes(t, &b, b.a.lanes);
    judge_phases(t, &b, CPMB_DONE_0);
}

/* Without .noinc, and without an arrival of any thread, the phase stays open: parity 0 is not complete, and parity 1,
 * which names the phase before the first, is. */
static void stays_open(struct ck *t)
{
    struct bench b = bench_of(t, 32, (uint32_t)ck_int(t, "copies"), 1);

    b.a.lanes = (uint32_t)ck_int(t, "lanes");
    b.a.count = (uint32_t)ck_int(t, "count");
    b.a.waits = b.a.counted = false;
    if (ck_variant(t, "noinc"))
        b.a.counted = true;
    if (launch(t, &b, "cpmb_arrive") == CK_DONE)
        judge_phases(t, &b, CPMB_DONE_1);
}

/* Each thread arrives for a first copy on one mbarrier and for a second copy on another. After a wait on the other one
 * the first copies are there too. */
static void both(struct ck *t)
{
    struct bench b = bench_of(t, (uint32_t)ck_int(t, "threads"), 2, 1);

    if (launch(t, &b, "cpmb_second") != CK_DONE)
        return;
    b.a.copies = 1;
    judge_bytes(t, &b, b.threads);
}

/* A thread executes the instruction without .noinc on an mbarrier that expects `count` arrivals, and makes them: the
 * phase completes. The breach begins with the largest count, which the instruction raises above it. */
static void limit(struct ck *t)
{
    struct bench b = bench_of(t, 1, 1, 1);

    b.a.count = b.a.plain = (uint32_t)ck_int(t, "count");
    if (ck_variant(t, "less"))
        b.a.plain--;
    if (launch(t, &b, "cpmb_limit") == CK_DONE)
        judge_phases(t, &b, CPMB_DONE_0);
}

/* The instruction completes a phase of the own mbarrier by its generic address. The breaches give it another address:
 * then an ordinary arrival completes the phase. */
static void window(struct ck *t)
{
    struct bench b = bench_of(t, 1, 1, 1);

    b.a.where = ck_is(t, "at", "global")   ? CPMB_GLOBAL
                : ck_is(t, "at", "local")  ? CPMB_LOCAL
                : ck_is(t, "at", "remote") ? CPMB_REMOTE
                                           : CPMB_OWN;
    if (ck_launch(t, &(struct ck_launch){ .kernel = "cpmb_window",
                                          .grid = { 2 },
                                          .cluster = { 2 },
                                          .block = { 1 },
                                          .smem = 64,
                                          .args = &b.a,
                                          .size = sizeof b.a }) == CK_DONE)
        judge_phases(t, &b, CPMB_DONE_0);
}

/* One warp stores words and arrives, both for its copies and as threads; the other warp waits and reads the words. */
static void stores(struct ck *t)
{
    struct bench b = bench_of(t, 32, 2, 1);
    uint32_t expected[32 + SLOT / WORD] = { 0 };

    for (uint32_t i = 0; i < 32; i++)
        expected[i] = i + 1;
    b.threads = 64;
    if (launch(t, &b, "cpmb_stores") == CK_DONE)
        ck_equal(t, b.phases, expected);
}

/* A bulk copy signals one mbarrier, and cp.async.mbarrier.arrive another. After a wait on the first the bytes are
 * there. */
static void bulk(struct ck *t)
{
    struct bench b = bench_of(t, 1, (uint32_t)ck_int(t, "pieces"), 1);

    if (launch(t, &b, "cpmb_bulk") == CK_DONE)
        ck_equal(t, b.out, b.in.host);
}

#define ONE_FORM                                                                                                       \
    {                                                                                                                  \
        "form", "=cg16"                                                                                                \
    }
#define AFTER "late", "issue the last copy after the instruction", .kernel = "late"

static const struct ck_case cases[] = {
    { CK_RULE(cpmb_trigger), .run = tracked,
      .axes = { { "form", FORMS }, { "copies", "1..8" }, { "threads", "1 32 128" } },
      .mutants = { { AFTER, .only = "copies=1 threads=32" } } },
    { CK_RULE(cpmb_not_later), .run = tracked,
      .axes = { { "form", FORMS }, { "copies", "1" }, { "threads", "32 128" } }, .mutants = { { AFTER } },
      .breaches = { { AFTER, .varies = true } } },
    { CK_RULE(cpmb_async), .run = tracked, .axes = { { "form", FORMS }, { "copies", "1 4" }, { "threads", "1" } },
      .mutants = { { "no-wait", "read at once", .kernel = "no_wait" } },
      .breaches = { { "no-wait", "read at once", .kernel = "no_wait", .varies = true } } },
    { CK_RULE(cpmb_inc_net_zero), .run = net_zero,
      .axes = { { "form", FORMS }, { "copies", "0..3" }, { "threads", "1 32 128" } },
      .mutants = { { "twice", "let init count the copies' arrivals too", .only = "form=cg16 copies=1" } } },
    { CK_RULE(cpmb_inc_net_zero), .name = "many", .run = net_zero,
      .axes = { ONE_FORM, { "copies", "1" }, { "threads", "256" } },
      .mutants = { { "twice", "let init count the copies' arrivals too" } } },
    { CK_RULE(cpmb_inc_before_arrive), .run = net_zero,
      .axes = { { "form", FORMS }, { "copies", "1 2" }, { "threads", "1" } },
      .mutants = { { "first", "arrive before the copies", .kernel = "arrive_first" } },
      .breaches = { { "first", "arrive before the copies", .kernel = "arrive_first", .varies = true } } },
    { CK_RULE(cpmb_noinc_counted), .run = counted,
      .axes = { { "form", FORMS }, { "threads", "1 32 128" }, { "times", "1..4" }, { "plain", "1" } },
      .mutants = { { "more", "let init count one more", .only = "form=cg16 threads=32" } } },
    { CK_RULE(cpmb_repeat), .run = counted,
      .axes = { ONE_FORM, { "threads", "1 32 64" }, { "times", "1..8" }, { "plain", "0" } },
      .mutants = { { "more", "let init count one more", .only = "threads=1" } } },
    { CK_RULE(cpmb_noinc_alone), .run = alone, .axes = { ONE_FORM, { "lanes", "1..32" }, { "copies", "1 2" } },
      .mutants = { { "inc", "leave .noinc out", .only = "copies=1" } } },
    { CK_RULE(cpmb_no_prior), .run = alone, .axes = { ONE_FORM, { "lanes", "1..32" }, { "copies", "0" } },
      .mutants = { { "more", "let init count one more" } } },
    { CK_RULE(cpmb_inc_alone), .run = stays_open,
      .axes = { ONE_FORM, { "lanes", "1..32" }, { "copies", "0 1" }, { "count", "1 2" } },
      .mutants = { { "noinc", "add .noinc", .only = "lanes=1 count=1" } } },
    { CK_RULE(cpmb_inc_limit), .run = limit, .axes = { ONE_FORM, { "count", "1 2 1000 1048573 1048574" } },
      .mutants = { { "less", "make one arrival less" } },
      .breaches = { { "largest", "begin with the largest count", .set = "count=1048575", .only = "count=1048574" } } },
    { CK_RULE(cpmb_cumulative), .run = both, .axes = { { "form", FORMS }, { "threads", "1 32 64 128" } },
      .mutants = { { "late", "issue the first copy last", .kernel = "late_first" } } },
    { CK_RULE(cpmb_generic_window), .run = window, .axes = { ONE_FORM, { "at", "own" } }, .needs = "sm_90, PTX 8.0",
      .no_mutant = "an address that is not the own mbarrier's is a breach",
      .breaches = { { "global", "an address in global memory", .set = "at=global", .faults = true },
                    { "local", "an address in local memory", .set = "at=local", .faults = true },
                    { "remote", "an address in another CTA's shared memory", .set = "at=remote", .faults = true } } },
    { CK_RULE(cpmb_order_only_copies), .run = stores, .axes = { { "form", FORMS } },
      .mutants = { { "no-wait", "read before the wait", .kernel = "no_wait" } },
      .breaches = { { "async", "let the copies' arrival be the only one", .kernel = "only_async", .varies = true } } },
    { CK_RULE(cpmb_only_nonbulk), .run = bulk, .axes = { ONE_FORM, { "pieces", "1 64 1024" } },
      .mutants = { { "other", "wait for the arrival of the cp.async", .kernel = "other" } },
      .breaches = { { "other", "wait for the arrival of the cp.async", .kernel = "other", .varies = true } } },
    { 0 },
};

const struct ck_suite cp_async_mbarrier_arrive = { "cp_async_mbarrier/arrive", cases };
// SPDX-License-Identifier: Apache-2.0
