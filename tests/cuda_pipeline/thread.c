/* cuda::pipeline of thread scope: which stages are there after a wait. */
#include "harness/ck.h"
#include "kernels/libcu_pipeline.h"
#include "tests/pipeline_primitives/late.h"

/* Stages, and consumer_wait for the oldest of them, one by one: the last one that was waited for is the late one, and
 * its bytes are there. */
static void wait_order(struct ck *t)
{
    const uint32_t stages = (uint32_t)ck_int(t, "stages"), n = (uint32_t)ck_int(t, "n");
    struct late l = late_groups(t, (uint32_t)ck_int(t, "size"), stages, stages - n - 1);

    l.a.wait = n + ck_variant(t, "late");
    late_check(&l, "libcu_pipe_stages");
}

static bool fewer_than_stages(struct ck *t)
{
    return ck_int(t, "n") < ck_int(t, "stages");
}

/* Stages, and one wait for all but the n newest: the youngest that it covers is the late one, and it is there. */
static void wait_prior(struct ck *t)
{
    const uint32_t stages = (uint32_t)ck_int(t, "stages"), n = (uint32_t)ck_int(t, "n");
    struct late l = late_groups(t, (uint32_t)ck_int(t, "size"), stages, stages - n - 1);

    l.a.wait = n + ck_variant(t, "late");
    late_check(&l, "libcu_pipe_prior");
}

/* Recorded is whether a wait for all but n of 20 stages has also waited for the ninth stage from the end. */
static void cap(struct ck *t)
{
    struct late l = late_groups(t, 16, 20, 11);

    l.a.wait = (uint32_t)ck_int(t, "n");
    late_launch(&l, "libcu_pipe_prior");
    ck_see(t, late_there(&l) ? "the ninth stage from the end is there" : "the ninth stage from the end is missing");
}

/* Recorded is whether as many waits as there are stages outstanding have waited for the newest one. */
static void index_wrap(struct ck *t)
{
    const uint32_t stages = (uint32_t)ck_int(t, "stages");
    const struct late l = late_groups(t, 16, stages, stages - 1);

    late_launch(&l, "libcu_pipe_stages");
    ck_no_digest(t);
    ck_see(t, late_there(&l) ? "the newest stage is there" : "the newest stage is missing");
}

/* The lanes of a warp copy and commit in parties, one after the other: each lane's wait covers its own stages. */
static void entangled(struct ck *t)
{
    const uint32_t stages = (uint32_t)ck_int(t, "stages"), n = (uint32_t)ck_int(t, "n");
    struct late l = late_groups(t, 16, stages, stages - n - 1);

    l.a.wait = n;
    l.a.what = (uint32_t)ck_int(t, "parties");
    late_check(&l, "libcu_pipe_parties");
}

/* All stages but the newest are waited for, and the youngest of these is read. The breaches wait for one stage less, or
 * leave a commit out. */
static void read_after_wait(struct ck *t)
{
    const uint32_t stages = (uint32_t)ck_int(t, "stages"), n = (uint32_t)ck_int(t, "n");
    struct late l = late_groups(t, 16, stages, stages - n - 1);

    l.a.wait = n + (ck_variant(t, "late") || ck_variant(t, "too-weak"));
    l.a.what = 1;
    late_check(&l, ck_is(t, "by", "prior") ? "libcu_pipe_prior" : "libcu_pipe_parties");
}

/* Each thread binds each of its copies to the barrier, and arrives once: the phase ends with these arrivals alone, and
 * not before all copies are there for all threads. */
static void commit_to_barrier(struct ck *t)
{
    const uint32_t threads = (uint32_t)ck_int(t, "threads"), copies = (uint32_t)ck_int(t, "copies");
    const size_t bytes = (size_t)PIPE_CHUNK * threads * copies;
    const struct ck_buf in = ck_slow_input(t, bytes), out = ck_output(t, bytes);
    const struct pipe_commit_args a = {
        .in = in.device, .out = out.device, .expected = threads + ck_variant(t, "one-more"), .copies = copies
    };

    ck_launch(t, &(struct ck_launch){ .kernel = "libcu_pipe_commit",
                                      .block = { threads },
                                      .smem = 16 + (uint32_t)bytes,
                                      .args = &a,
                                      .size = sizeof a });
    ck_equal(t, out, in.host);
}

#define SIZES                                                                                                          \
    {                                                                                                                  \
        "size", "4 8 16"                                                                                               \
    }

static const struct ck_case cases[] = {
    { CK_RULE(cxx_pipeline_thread_wait_order), .run = wait_order, .valid = fewer_than_stages,
      .axes = { SIZES, { "stages", "1..12 20" }, { "n", "0..7" } },
      .mutants = { { "late", "wait for one stage less", .only = "n=0/1/2/3",
                     .survives = "of twenty stages the one that is read may have come by itself" } } },
    { CK_RULE(cxx_pipeline_wait_prior), .run = wait_prior, .valid = fewer_than_stages,
      .axes = { SIZES, { "stages", "1..12" }, { "n", "0..7" } },
      .mutants = { { "late", "wait for one stage less", .only = "n=0/1/2/3/4" } } },
    { CK_RULE(cxx_pipeline_wait_prior_cap), .run = cap, .axes = { { "n", "8 9 12 255" } }, .seen_only = true },
    { CK_RULE(cxx_pipeline_thread_index_wrap), .run = index_wrap, .axes = { { "stages", "8 9 254 255 256 257" } },
      .seen_only = true },
    { CK_RULE(cxx_pipeline_entanglement), .run = entangled, .valid = fewer_than_stages,
      .axes = { { "parties", "1 2 4 32" }, { "stages", "1 2 3 5" }, { "n", "0 1 2" } },
      .mutants = { { "no-commit", "lane 0 does not commit its last stage", .kernel = "no_commit", .only = "n=0",
                     .survives =
                         "sm_90a counts the groups of a warp, so that the other lanes' commits are lane 0's too" } } },
    { CK_RULE(cxx_pipeline_read_after_wait), .name = "thread", .run = read_after_wait, .valid = fewer_than_stages,
      .axes = { { "by", "stages prior" }, { "stages", "1 2 3 4" }, { "n", "0 1 2" } },
      .mutants = { { "late", "wait for one stage less" } },
      .breaches = { { "too-weak", "wait for one stage less", .varies = true },
                    { "no-commit", "lane 0 does not commit its last stage", .kernel = "no_commit",
                      .only = "by=stages n=0", .varies = true } } },
    { CK_RULE(cxx_pipeline_producer_commit_barrier), .run = commit_to_barrier,
      .axes = { { "threads", "1 2 32 33 64" }, { "copies", "1..8" } },
      .mutants = { { "one-more", "the barrier expects one arrival more" },
                   { "early", "read before the wait", .kernel = "early" } } },
    { 0 },
};

const struct ck_suite cuda_pipeline_thread = { "cuda-pipeline-thread", cases };
// SPDX-License-Identifier: Apache-2.0
