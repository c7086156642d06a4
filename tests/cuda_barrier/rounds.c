/* Threads that meet at a cuda::barrier: each writes, arrives and waits, and reads what another wrote. */
#include <string.h>

#include "harness/ck.h"
#include "kernels/libcu_barrier.h"

enum { LATE_NS = 1000, SMEM = 16 + 2 * 4 * LIBCU_THREADS + 256 };

static uint32_t form_of(struct ck *t)
{
    static const char *const names[] = { "token", "wait", "arrive_and_wait", "try-parity", "wait-parity" };

    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
        if (ck_is(t, "form", names[i]))
            return i;
    ck_skip(t, "no form %s", ck_word(t, "form"));
}

/* Launches `kernel`, and compares what each of the threads read in each round: what its neighbour wrote. From the
 * second round on only the first `stay` threads are there. */
static void meet(struct ck *t, const char *kernel, struct libcu_rounds_args a, uint32_t threads)
{
    const size_t bytes = (size_t)a.rounds * threads * 4;
    struct ck_buf out = ck_output(t, bytes), room = ck_zeroed(t, 256);
    uint32_t *want = ck_alloc(t, bytes);

    a.out = out.device;
    a.room = room.device;
    memset(want, CK_POISON, bytes);
    for (uint32_t r = 0; r < a.rounds; r++)
        for (uint32_t i = 0; i < a.stay; i++)
            want[r * threads + i] = r * LIBCU_THREADS + (i + 1) % (r ? a.stay : threads);
    ck_launch(
        t, &(struct ck_launch){ .kernel = kernel, .block = { threads }, .smem = SMEM, .args = &a, .size = sizeof a });
    ck_equal(t, out, want);
}

static struct libcu_rounds_args all_stay(uint32_t threads, uint32_t rounds)
{
    return (struct libcu_rounds_args){ .rounds = rounds, .expected = threads, .stay = threads, .late = LATE_NS };
}

/* In each round the threads write, arrive and wait with the token, and read what their neighbours wrote; in each,
 * another of them comes late. */
static void arrive(struct ck *t)
{
    const uint32_t threads = (uint32_t)ck_int(t, "threads");
    struct libcu_rounds_args a = all_stay(threads, (uint32_t)ck_int(t, "rounds"));

    a.expected += (uint32_t)ck_int(t, "more");
    meet(t, "libcu_block", a, threads);
}

/* The same by arrive_and_wait, and by wait(arrive()): the results are the same. */
static void arrive_wait(struct ck *t)
{
    const uint32_t threads = (uint32_t)ck_int(t, "threads");
    struct libcu_rounds_args a = all_stay(threads, 4);

    a.form = form_of(t);
    meet(t, "libcu_block", a, threads);
}

/* The same by parity, which turns with each round. */
static void parity(struct ck *t)
{
    const uint32_t threads = (uint32_t)ck_int(t, "threads");
    struct libcu_rounds_args a = all_stay(threads, 8);

    a.form = form_of(t);
    meet(t, "libcu_block", a, threads);
}

/* The same with each scope, the barrier in shared and in global memory. */
static void places(struct ck *t)
{
    const uint32_t threads = (uint32_t)ck_int(t, "threads");
    struct libcu_rounds_args a = all_stay(threads, 2);

    a.global = ck_is(t, "place", "global");
    a.form = form_of(t);
    meet(t,
         ck_is(t, "scope", "block")    ? "libcu_block"
         : ck_is(t, "scope", "device") ? "libcu_device"
                                       : "libcu_system",
         a, threads);
}

/* Threads leave by arrive_and_drop in the first round: it is over with their arrivals, and the next ones without them.
 */
static void leave(struct ck *t)
{
    const uint32_t threads = (uint32_t)ck_int(t, "threads");
    struct libcu_rounds_args a = all_stay(threads, 4);

    a.stay = (uint32_t)ck_int(t, "stay");
    a.global = ck_is(t, "place", "global");
    meet(t, "libcu_block", a, threads);
}

/* A barrier that is no mbarrier is asked about in a loop, which takes the emulator long with many threads. */
static bool few_ask(struct ck *t)
{
    return (ck_is(t, "place", "shared") && ck_is(t, "scope", "block")) || ck_int(t, "threads") <= 33;
}

static bool fewer_stay(struct ck *t)
{
    return ck_int(t, "stay") < ck_int(t, "threads") && few_ask(t);
}

/* One thread makes the barrier, and all synchronise before they use it. A breach lets the others arrive at once. */
static void made_first(struct ck *t)
{
    const uint32_t threads = (uint32_t)ck_int(t, "threads");
    struct libcu_rounds_args a = all_stay(threads, 2);

    meet(t, "libcu_block", a, threads);
}

/* A completion function adds up what all threads wrote before they arrived. Each thread then reads the sum, and how
 * often the function has run: once for each phase. */
static void completion(struct ck *t)
{
    const uint32_t threads = (uint32_t)ck_int(t, "threads"), rounds = 10;
    const size_t bytes = (size_t)rounds * threads * 8;
    struct ck_buf out = ck_output(t, bytes);
    struct libcu_rounds_args a = all_stay(threads, rounds);
    uint32_t *want = ck_alloc(t, bytes);

    a.out = out.device;
    a.form = form_of(t);
    for (uint32_t r = 0; r < rounds; r++)
        for (uint32_t i = 0; i < threads; i++) {
            want[(r * threads + i) * 2] = threads * r * LIBCU_THREADS + threads * (threads - 1) / 2;
            want[(r * threads + i) * 2 + 1] = r + 1;
        }
    ck_launch(t, &(struct ck_launch){
                     .kernel = "libcu_completion", .block = { threads }, .smem = SMEM, .args = &a, .size = sizeof a });
    ck_equal(t, out, want);
}

/* All threads wait, then synchronise, then one of them destroys the barrier and writes over it. A breach leaves the
 * synchronisation out, so that others may still ask about the phase. */
static void quiet_end(struct ck *t)
{
    const uint32_t threads = (uint32_t)ck_int(t, "threads");
    struct ck_buf out = ck_output(t, 4 + 4 * (size_t)threads);
    const struct libcu_rounds_args a = { .out = out.device, .expected = threads + (uint32_t)ck_int(t, "more") };
    uint32_t *want = ck_alloc(t, out.size);

    want[0] = 0x01020304;
    for (uint32_t i = 0; i < threads; i++)
        want[1 + i] = 1;
    ck_launch(t, &(struct ck_launch){
                     .kernel = "libcu_end", .block = { threads }, .smem = SMEM, .args = &a, .size = sizeof a });
    ck_equal(t, out, want);
}

/* The lanes of a warp arrive together or one by one, at a barrier that expects one arrival more: the phase is open
 * until that one comes too, so that each lane counted once. */
static void lanes(struct ck *t)
{
    struct ck_buf out = ck_output(t, 8);
    struct libcu_lanes_args a = { .out = out.device, .diverged = ck_is(t, "lanes", "diverged") };
    const uint32_t want[2] = { 0, 1 };

    a.twice = ck_variant(t, "twice");
    ck_launch(t, &(struct ck_launch){ .kernel = "libcu_lanes",
                                      .block = { (uint32_t)ck_int(t, "threads") },
                                      .smem = SMEM,
                                      .args = &a,
                                      .size = sizeof a });
    ck_equal(t, out, want);
}

/* A thread does something to the barrier of another CTA of its cluster through a generic address; recorded is whether
 * the kernel ends. */
static void remote(struct ck *t)
{
    struct ck_buf out = ck_zeroed(t, 8);
    struct libcu_lanes_args a = { .out = out.device, .twice = ck_is(t, "cta", "own") };

    a.op = ck_is(t, "op", "init")     ? LIBCU_INIT
           : ck_is(t, "op", "arrive") ? LIBCU_ARRIVE
           : ck_is(t, "op", "wait")   ? LIBCU_ASK_PARITY
                                      : LIBCU_DESTROY;
    const enum ck_end end = ck_launch(
        t, &(struct ck_launch){
               .kernel = "libcu_remote", .grid = { 2 }, .cluster = { 2 }, .smem = SMEM, .args = &a, .size = sizeof a });
    if (end == CK_DONE)
        ck_see(t, "%s", ((uint32_t *)out.host)[0] == 1 ? "went on" : "did not get there");
}

#define FORMS(list)                                                                                                    \
    {                                                                                                                  \
        "form", list                                                                                                   \
    }

static const struct ck_case cases[] = {
    { CK_RULE(cxx_barrier_arrive), .run = arrive,
      .axes = { { "threads", "1 2 3 31 32 33 64 65 127 256 512 1024" }, { "rounds", "1 2 5" }, { "more", "=0" } },
      .mutants = { { "no-wait", "arrive and do not wait", .kernel = "no_wait", .only = "threads=64" },
                   { "one-more", "the barrier expects one arrival more", .set = "more=1" } } },
    { CK_RULE(cxx_barrier_arrive_wait), .run = arrive_wait,
      .axes = { { "threads", "1 2 32 33 128 1024" }, FORMS("wait arrive_and_wait") },
      .mutants = { { "no-wait", "arrive and do not wait", .kernel = "no_wait", .only = "threads=128" } } },
    { CK_RULE(cxx_barrier_parity), .name = "threads", .run = parity,
      .axes = { { "threads", "1 2 32 33 128 1024" }, FORMS("try-parity wait-parity") },
      .mutants = { { "wrong", "wait for the other parity", .kernel = "wrong_parity",
                     .only = "threads=128 form=try-parity" } } },
    { CK_RULE(cxx_barrier_lowering), .name = "results", .run = places,
      .axes = { { "scope", "block device system" },
                { "place", "shared global" },
                { "threads", "1 2 31 32 33 256 1024" },
                FORMS("wait arrive_and_wait") },
      .mutants = { { "no-wait", "arrive and do not wait", .kernel = "no_wait", .only = "threads=33" } },
      .valid = few_ask },
    { CK_RULE(cxx_barrier_drop), .name = "threads", .run = leave,
      .axes = { { "threads", "2 3 32 33 64 128 1024" },
                { "stay", "1 2 31 32 96" },
                { "place", "shared global" },
                { "scope", "=block" },
                FORMS("=token") },
      .valid = fewer_stay,
      .mutants = { { "arrive", "arrive in place of arrive_and_drop", .kernel = "arrive",
                     .only = "threads=33 place=shared" } } },
    { CK_RULE(cxx_barrier_init_sync), .run = made_first, .axes = { { "threads", "2 32 64 256 1024" } },
      .mutants = { { "no-wait", "arrive and do not wait", .kernel = "no_wait", .only = "threads=64" } },
      .breaches = { { "no-sync", "arrive without waiting for the barrier to be made", .kernel = "no_sync",
                      .only = "threads=64", .varies = true } } },
    { CK_RULE(cxx_barrier_completion), .run = completion,
      .axes = { { "threads", "2 3 31 32 33 64" }, FORMS("wait arrive_and_wait") },
      .mutants = { { "early", "read the sum before the meeting", .kernel = "early" } } },
    { CK_RULE(cxx_barrier_destroy_quiesce), .run = quiet_end,
      .axes = { { "threads", "1 2 32 64 256 1024" }, { "more", "=0" } },
      .mutants = { { "one-more", "the barrier expects one arrival more", .set = "more=1" } },
      .breaches = { { "no-sync", "destroy the barrier while others may still wait", .kernel = "no_sync",
                      .only = "threads=256", .varies = true } } },
    { CK_RULE(cxx_barrier_coalesced_arrive), .run = lanes,
      .axes = { { "threads", "1 2 7 16 31 32" }, { "lanes", "together diverged" } },
      .mutants = { { "twice", "lane 0 arrives twice" } } },
    { CK_RULE(cxx_barrier_remote_trap), .name = "own", .run = remote,
      .axes = { { "op", "arrive wait destroy" }, { "cta", "=own" } }, .faults = true, .seen_only = true },
    { CK_RULE(cxx_barrier_remote_trap), .run = remote,
      .axes = { { "op", "init arrive wait destroy" }, { "cta", "=other" } }, .seen_only = true, .faults = true },
    { 0 },
};

const struct ck_suite cuda_barrier_rounds = { "cuda-barrier-rounds", cases };
// SPDX-License-Identifier: Apache-2.0
