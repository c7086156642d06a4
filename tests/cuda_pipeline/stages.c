/* cuda::pipeline of block scope and wider: unified and partitioned pipelines, and their end. */
#include <string.h>

#include "harness/ck.h"
#include "kernels/libcu_pipeline.h"

struct ring {
    struct ck_buf in, out;
    struct pipe_ring_args a;
    uint32_t threads;
};

static uint32_t ring_smem(const struct ring *r)
{
    return PIPE_STATE * (r->a.warps ? r->threads / 32 : 1) + r->a.stages * r->threads * PIPE_CHUNK;
}

static struct ring ring_of(struct ck *t, uint32_t threads, uint32_t stages, uint32_t batches)
{
    const size_t bytes = (size_t)PIPE_CHUNK * threads * batches;
    struct ring r = { .in = ck_slow_input(t, bytes), .out = ck_output(t, bytes), .threads = threads };

    r.a = (struct pipe_ring_args){
        .in = r.in.device, .out = r.out.device, .batches = batches, .stages = stages, .late = 50000
    };
    return r;
}

static void ring_run(struct ck *t, const struct ring *r, const char *kernel)
{
    ck_launch(
        t, &(struct ck_launch){
               .kernel = kernel, .block = { r->threads }, .smem = ring_smem(r), .args = &r->a, .size = sizeof r->a });
    ck_equal(t, r->out, r->in.host);
}

/* Batches from far away go through the stages; each thread reads what the next one copied, and all comes out in order.
 */
static void fifo(struct ck *t)
{
    static const char *const kernels[] = { "libcu_pipe_block", "libcu_pipe_device", "libcu_pipe_system" };
    const int scope = ck_is(t, "scope", "device") ? 1 : ck_is(t, "scope", "system") ? 2 : 0;
    struct ring r =
        ring_of(t, (uint32_t)ck_int(t, "threads"), (uint32_t)ck_int(t, "stages"), (uint32_t)ck_int(t, "batches"));

    r.a.together = ck_is(t, "copy", "group");
    ring_run(t, &r, kernels[scope]);
}

/* The same with pipelines of a block and of each of its warps. */
static void unified(struct ck *t)
{
    struct ring r = ring_of(t, (uint32_t)ck_int(t, "threads"), (uint32_t)ck_int(t, "stages"), 5);

    r.a.warps = ck_is(t, "of", "warps");
    ring_run(t, &r, "libcu_pipe_block");
}

static bool whole_warps(struct ck *t)
{
    return !ck_is(t, "of", "warps") || ck_int(t, "threads") % 32 == 0;
}

/* There are more batches than stages, so that each stage is written again, and what was in it has come out before. */
static void again(struct ck *t)
{
    const uint32_t stages = (uint32_t)ck_int(t, "stages");
    const struct ring r = ring_of(t, (uint32_t)ck_int(t, "threads"), stages, 2 * stages + 1);

    ring_run(t, &r, "libcu_pipe_block");
}

struct roles {
    struct ck_buf in, out;
    struct pipe_roles_args a;
};

static struct roles roles_of(struct ck *t, uint32_t threads, uint32_t producers, uint32_t batches)
{
    const size_t bytes = (size_t)PIPE_CHUNK * threads * batches;
    struct roles r = { .in = ck_slow_input(t, bytes), .out = ck_output(t, bytes) };

    r.a = (struct pipe_roles_args){ .in = r.in.device,
                                    .out = r.out.device,
                                    .batches = batches,
                                    .stages = (uint32_t)ck_int(t, "stages"),
                                    .producers = producers,
                                    .count = producers };
    return r;
}

static void roles_run(struct ck *t, const struct roles *r, uint32_t threads)
{
    ck_launch(t, &(struct ck_launch){ .kernel = "libcu_pipe_roles",
                                      .block = { threads },
                                      .smem = PIPE_STATE + r->a.stages * threads * PIPE_CHUNK,
                                      .args = &r->a,
                                      .size = sizeof r->a });
    if (r->a.producers < threads)
        ck_equal(t, r->out, r->in.host);
    else
        ck_filled(t, r->out, 0, r->out.size, CK_POISON);
}

/* The first threads produce, as many as make_pipeline was told, and the others consume: all batches come out. The
 * breach makes all of them producers, of as many batches as there are stages. */
static void by_count(struct ck *t)
{
    const uint32_t threads = (uint32_t)ck_int(t, "threads");
    const bool all = ck_variant(t, "all");
    const uint32_t producers = ck_is(t, "producers", "one")    ? 1
                               : ck_is(t, "producers", "half") ? threads / 2
                                                               : threads - 1;
    struct roles r = roles_of(t, threads, all ? threads : producers, all ? (uint32_t)ck_int(t, "stages") : 7);

    r.a.count += ck_variant(t, "one-more");
    roles_run(t, &r, threads);
}

/* Each thread tells its role: the first, the last or every other thread produces. */
static void by_role(struct ck *t)
{
    const uint32_t threads = (uint32_t)ck_int(t, "threads");
    struct roles r = roles_of(t, threads, threads / 2, 7);

    r.a.split = ck_is(t, "split", "even") ? PIPE_EVEN : ck_is(t, "split", "last") ? PIPE_LAST : PIPE_FIRST;
    r.a.by_role = ck_variant(t, "swapped") ? PIPE_SWAPPED : PIPE_ROLE;
    roles_run(t, &r, threads);
}

/* Producers and consumers call what is theirs, and all threads make the pipeline alike: all batches come out. The
 * breaches each let one thread do otherwise. */
static void calls(struct ck *t)
{
    static const char *const names[] = { [PIPE_CONSUMER_ACQUIRES] = "consumer-acquires",
                                         [PIPE_CONSUMER_COMMITS] = "consumer-commits",
                                         [PIPE_PRODUCER_WAITS] = "producer-waits",
                                         [PIPE_PRODUCER_RELEASES] = "producer-releases",
                                         [PIPE_NOT_MADE] = "one-missing",
                                         [PIPE_OTHER_COUNT] = "other-count" };
    const uint32_t threads = (uint32_t)ck_int(t, "threads");
    struct roles r = roles_of(t, threads, threads / 2, 4);

    for (uint32_t i = PIPE_CONSUMER_ACQUIRES; i <= PIPE_OTHER_COUNT; i++)
        r.a.wrong = ck_is(t, "wrong", names[i]) ? i : r.a.wrong;
    r.a.count += ck_variant(t, "one-more");
    roles_run(t, &r, threads);
}

static void end_run(struct ck *t, const char *kernel, const struct pipe_end_args *a)
{
    ck_launch(t, &(struct ck_launch){ .kernel = kernel,
                                      .block = { (uint32_t)ck_int(t, "threads") },
                                      .smem = PIPE_STATE + 16,
                                      .args = a,
                                      .size = sizeof *a });
}

/* Each thread acquires and commits as many stages as there are, with no release: none of the acquires waits. */
static void fresh(struct ck *t)
{
    const uint32_t threads = (uint32_t)ck_int(t, "threads"), stages = (uint32_t)ck_int(t, "stages");
    const struct ck_buf out = ck_zeroed(t, sizeof(uint32_t) * threads);

    end_run(
        t, "libcu_pipe_acquires",
        &(struct pipe_end_args){ .out = out.device, .stages = stages, .acquires = stages + ck_variant(t, "one-more") });
    for (uint32_t i = 0; i < threads; i++)
        if (!ck_expect(t, "the stages that a thread acquired", ((uint32_t *)out.host)[i], stages))
            break;
}

/* All threads leave, in parties one after the other: one of them is told that it was the last. */
static void quit(struct ck *t)
{
    const uint32_t threads = (uint32_t)ck_int(t, "threads");
    const struct ck_buf out = ck_zeroed(t, sizeof(uint32_t) * threads);
    uint32_t last = 0;

    end_run(t, "libcu_pipe_quit",
            &(struct pipe_end_args){ .out = out.device,
                                     .stages = (uint32_t)ck_int(t, "stages"),
                                     .parties = (uint32_t)ck_int(t, "parties"),
                                     .after = ck_variant(t, "commit") ? 1
                                              : ck_variant(t, "copy") ? 2
                                                                      : 0 });
    ck_no_digest(t);
    for (uint32_t i = 0; i < threads; i++)
        last += ((uint32_t *)out.host)[i];
    ck_expect(t, "the threads that were told that they are the last", last, 1);
}

/* A pipeline whose threads left by its destructor has no owner any more, and another one in its place works. */
static void destructor(struct ck *t)
{
    const uint32_t threads = (uint32_t)ck_int(t, "threads");
    const struct ck_buf out = ck_zeroed(t, sizeof(uint32_t) * (threads + 1));
    const uint32_t *words = (const uint32_t *)out.host;

    end_run(t, "libcu_pipe_destructor",
            &(struct pipe_end_args){ .out = out.device, .stages = (uint32_t)ck_int(t, "stages") });
    for (uint32_t i = 0; i < threads; i++)
        if (!ck_expect(t, "whether the second pipeline's stage is over", words[i], 1))
            break;
    ck_expect(t, "the threads that had not left", words[threads], 0);
}

static struct ck_buf timed_run(struct ck *t, struct pipe_timed_args *a, struct ck_buf in)
{
    const struct ck_buf out = ck_zeroed(t, 64);

    a->in = in.device;
    a->out = out.device;
    a->ns = (uint32_t)ck_int(t, "ns");
    a->until = ck_is(t, "by", "until");
    ck_launch(
        t, &(struct ck_launch){ .kernel = "libcu_pipe_timed", .smem = PIPE_STATE + 16, .args = a, .size = sizeof *a });
    return out;
}

/* Before the commit the wait comes back with false, after it, when the copy is there, with true. */
static void timed(struct ck *t)
{
    const struct ck_buf in = ck_input(t, 16);
    struct pipe_timed_args a = { .early = ck_variant(t, "early") };
    const struct ck_buf out = timed_run(t, &a, in);

    ck_expect(t, "the answer before the commit", ((uint32_t *)out.host)[0], 0);
    ck_expect(t, "the answer after it", ((uint32_t *)out.host)[1], 1);
    ck_equal_at(t, out, 16, in.host, 16);
}

/* Recorded is what a pipeline of thread scope answers before the commit and after it. */
static void timed_thread(struct ck *t)
{
    struct pipe_timed_args a = { .thread = 1 };
    const struct ck_buf out = timed_run(t, &a, ck_input(t, 16));

    ck_see(t, "%u, then %u", ((uint32_t *)out.host)[0], ((uint32_t *)out.host)[1]);
}

/* Recorded is whether a wait with a time of 0 comes back before the stage is over. */
static void zero(struct ck *t)
{
    const struct ck_buf out = ck_output(t, 16);
    const struct pipe_timed_args a = { .out = out.device, .ns = (uint32_t)ck_int(t, "ns") };

    ck_launch(t, &(struct ck_launch){
                     .kernel = "libcu_pipe_zero", .block = { 2 }, .smem = PIPE_STATE, .args = &a, .size = sizeof a });
    ck_see(t, *(uint32_t *)out.host ? "waits until the stage is over" : "comes back at once");
}

static const struct ck_case cases[] = {
    { CK_RULE(cxx_pipeline_stage_fifo), .run = fifo,
      .axes = { { "scope", "block device system" },
                { "stages", "1 2 3 4 8" },
                { "batches", "1 2 5 9" },
                { "threads", "1 32 64" },
                { "copy", "thread group" } },
      .mutants = { { "early", "read before the wait", .kernel = "early", .only = "scope=block stages=1/2 batches=5/9" },
                   { "next", "read the stage behind the one that was waited for", .kernel = "next",
                     .only = "stages=2/3/4/8" } } },
    { CK_RULE(cxx_pipeline_unified), .run = unified, .valid = whole_warps,
      .axes = { { "of", "block warps" }, { "threads", "1 2 31 32 64 128" }, { "stages", "1 2 3 4" } },
      .mutants = { { "no-commit", "the last thread does not commit the last batch", .kernel = "no_commit" } } },
    { CK_RULE(cxx_pipeline_acquire_blocks), .run = again, .axes = { { "stages", "1 2 3 4 8" }, { "threads", "33 64" } },
      .mutants = { { "release-early", "the first warp releases the first batch before it reads it",
                     .kernel = "release_early" } } },
    { CK_RULE(cxx_pipeline_read_after_wait), .run = again,
      .axes = { { "stages", "1 2 3 4 8" }, { "threads", "2 32 64" } },
      .mutants = { { "next", "read the stage behind the one that was waited for", .kernel = "next",
                     .only = "stages=2/3/4/8" } },
      .breaches = { { "early", "read before the wait", .kernel = "early", .varies = true },
                    { "next", "read the stage behind the one that was waited for", .kernel = "next",
                      .only = "stages=2/3/4/8", .varies = true } } },
    { CK_RULE(cxx_pipeline_release_before_reuse), .run = again,
      .axes = { { "stages", "1 2 3 4 8" }, { "threads", "33 64" } },
      .mutants = { { "release-early", "the first warp releases the first batch before it reads it",
                     .kernel = "release_early" } },
      .breaches = { { "release-early", "the first warp releases the first batch before it reads it",
                      .kernel = "release_early", .varies = true } } },
    { CK_RULE(cxx_pipeline_release_frees), .run = again,
      .axes = { { "stages", "1 2 3 4 8" }, { "threads", "1 2 32 33 64" } },
      .mutants = { { "no-release", "the last thread releases nothing", .kernel = "no_release" } } },
    { CK_RULE(cxx_pipeline_release_frees), .name = "large", .run = again,
      .axes = { { "stages", "=1" }, { "threads", "128 256" } },
      .mutants = { { "no-release", "the last thread releases nothing", .kernel = "no_release" } } },
    { CK_RULE(cxx_pipeline_pattern), .run = again, .axes = { { "stages", "1 2 3 4 8" }, { "threads", "1 31 64" } },
      .mutants = { { "no-release", "the last thread releases nothing", .kernel = "no_release" } },
      .breaches = { { "no-commit", "the last thread does not commit the last batch", .kernel = "no_commit",
                      .only = "threads=31 stages=1/4" },
                    { "no-release", "the last thread releases nothing", .kernel = "no_release",
                      .only = "threads=31 stages=1/4" } } },
    { CK_RULE(cxx_pipeline_fresh_acquire), .run = fresh,
      .axes = { { "stages", "1 2 3 4 8" }, { "threads", "1 2 32 64" } },
      .mutants = { { "one-more", "acquire one stage more" } } },
    { CK_RULE(cxx_pipeline_partitioned_count), .run = by_count,
      .axes = { { "threads", "2 4 32 64" }, { "producers", "one half all-but-one" }, { "stages", "1 2 3 4 8" } },
      .mutants = { { "one-more", "tell make_pipeline of one producer more" } },
      .breaches = { { "all", "all threads produce", .only = "threads=4/32 producers=half stages=1/4" } } },
    { CK_RULE(cxx_pipeline_partitioned_role), .run = by_role,
      .axes = { { "threads", "2 4 32 64" }, { "split", "first last even" }, { "stages", "1 2 3 4 8" } },
      .mutants = { { "swapped", "the last thread tells the other role" } } },
    { CK_RULE(cxx_pipeline_role_calls), .run = calls,
      .axes = { { "threads", "4 64" }, { "stages", "1 2" }, { "wrong", "=nothing" } },
      .mutants = { { "one-more", "tell make_pipeline of one producer more" } },
      .breaches = { { "consumer-acquires", "a consumer acquires", .set = "wrong=consumer-acquires",
                      .only = "threads=64 stages=1", .varies = true },
                    { "consumer-commits", "a consumer commits", .set = "wrong=consumer-commits",
                      .only = "threads=64 stages=1", .faults = true, .varies = true },
                    { "producer-waits", "a producer waits for a stage", .set = "wrong=producer-waits",
                      .only = "threads=64 stages=1", .varies = true },
                    { "producer-releases", "a producer releases", .set = "wrong=producer-releases",
                      .only = "threads=64 stages=1", .faults = true, .varies = true } } },
    { CK_RULE(cxx_pipeline_collective_make), .run = calls,
      .axes = { { "threads", "4 64" }, { "stages", "1 2" }, { "wrong", "=nothing" } },
      .mutants = { { "one-more", "tell make_pipeline of one producer more" } },
      .breaches = { { "one-missing", "the last thread does not call", .set = "wrong=one-missing",
                      .only = "threads=64 stages=2", .varies = true },
                    { "other-count", "the last thread names one producer more", .set = "wrong=other-count",
                      .only = "threads=64 stages=2", .varies = true } } },
    { CK_RULE(cxx_pipeline_quit), .run = quit,
      .axes = { { "threads", "1 2 31 32 33 256" }, { "stages", "1 2 3 4 8" }, { "parties", "1 2 3 32" } },
      .mutants = { { "stays", "the last thread does not quit", .kernel = "stays" } } },
    { CK_RULE(cxx_pipeline_after_quit), .run = quit,
      .axes = { { "threads", "2 32" }, { "stages", "1 2" }, { "parties", "=1" } },
      .mutants = { { "stays", "the last thread does not quit", .kernel = "stays" } },
      .breaches = { { "commit", "commit after quit", .only = "threads=32 stages=2", .faults = true } } },
    { CK_RULE(cxx_pipeline_memcpy_after_quit), .run = quit,
      .axes = { { "threads", "2 32" }, { "stages", "1 2" }, { "parties", "=1" } },
      .mutants = { { "stays", "the last thread does not quit", .kernel = "stays" } },
      .breaches = { { "copy", "copy after quit", .only = "threads=32 stages=1" } } },
    { CK_RULE(cxx_pipeline_destructor_quits), .run = destructor,
      .axes = { { "threads", "1 2 31 32 33 64" }, { "stages", "1 2 3 4 8" } },
      .mutants = { { "no-end", "the first pipeline is not destroyed", .kernel = "no_end" } } },
    { CK_RULE(cxx_pipeline_timed), .run = timed,
      .axes = { { "ns", "1 2 1000 10000 100000 1000000" }, { "by", "for until" } },
      .mutants = { { "early", "commit before the first wait" } } },
    { CK_RULE(cxx_pipeline_timed_thread), .run = timed_thread, .axes = { { "ns", "0 1000000" }, { "by", "for until" } },
      .seen_only = true },
    { CK_RULE(cxx_pipeline_timed_zero), .run = zero, .axes = { { "ns", "20000 100000" } }, .seen_only = true },
    { 0 },
};

const struct ck_suite cuda_pipeline_stages = { "cuda-pipeline-stages", cases };
// SPDX-License-Identifier: Apache-2.0
