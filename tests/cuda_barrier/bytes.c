/* The device extensions of cuda::barrier: announced bytes, and the native handle. */
#include "tests/cuda_barrier/steps.h"

/* barrier_arrive_tx takes `arrivals` off the pending count and announces `bytes`: the phase is over only when the bytes
 * have come and the last arrival too, in either order. */
static void arrive_tx(struct ck *t)
{
    struct steps *s = steps(t);
    const int32_t n = (int32_t)ck_int(t, "arrivals"), bytes = (int32_t)ck_int(t, "bytes");
    struct libcu_step *announce;

    step_init(s, n + 1);
    announce = step_arrive_tx(s, n, bytes, 0);
    step_ask(s, 0, 0);
    if (ck_is(t, "last", "arrival")) {
        if (bytes)
            step_complete_tx(s, bytes);
        step_ask(s, 0, 0);
        step_arrive(s, 1, 1);
    } else {
        step_arrive(s, 1, 1);
        step_ask(s, 0, 0);
        if (bytes)
            step_complete_tx(s, bytes);
    }
    step_ask(s, 0, 0);
    if (ck_variant(t, "other-bytes"))
        announce->bytes += bytes ? -1 : 1;
    steps_run(s);
}

/* barrier_expect_tx announces `bytes` and arrives nowhere: with the arrival alone the phase stays open, until the bytes
 * have come. */
static void expect_tx(struct ck *t)
{
    struct steps *s = steps(t);
    const int32_t bytes = (int32_t)ck_int(t, "bytes");
    struct libcu_step *announce;

    step_init(s, 2);
    step_arrive(s, 1, 0);
    announce = step_expect_tx(s, bytes);
    step_ask(s, 0, 0);
    step_arrive(s, 1, 1);
    step_ask(s, 0, 0);
    if (bytes) {
        step_complete_tx(s, bytes);
        step_ask(s, 0, 0);
    }
    if (ck_variant(t, "other-bytes"))
        announce->bytes += bytes ? -1 : 1;
    steps_run(s);
}

/* The native handle is the address of the barrier's mbarrier: an mbarrier instruction on it arrives at the barrier. */
static void native_handle(struct ck *t)
{
    struct steps *s = steps(t);
    const int32_t n = (int32_t)ck_int(t, "raw");
    struct libcu_step *last = NULL;

    step_init(s, n);
    for (int32_t i = 0; i < n; i++) {
        step_ask_parity(s, 0, 0);
        last = step_raw_arrive(s);
    }
    step_ask_parity(s, 0, 0);
    if (ck_variant(t, "skip") && last)
        last->op = LIBCU_NOTHING;
    steps_run(s);
}

/* Legal numbers, in shared memory: the phase is over when it must be. The breaches leave the documented ranges, or have
 * their barrier in global memory. */
static void arrive_tx_legal(struct ck *t)
{
    struct steps *s = steps(t);
    const int32_t n = (int32_t)ck_int(t, "arrivals"), bytes = (int32_t)ck_int(t, "bytes");
    struct libcu_step *announce;

    s->global = ck_is(t, "place", "global");
    step_init(s, n + 1);
    announce = step_arrive_tx(s, n, bytes, 0);
    if (bytes > 0)
        step_complete_tx(s, bytes);
    step_arrive(s, 1, 1);
    step_ask(s, 0, 0);
    if (ck_variant(t, "more"))
        announce->bytes++;
    steps_run(s);
}

/* The same of barrier_expect_tx, which does not arrive. */
static void expect_tx_legal(struct ck *t)
{
    struct steps *s = steps(t);
    const int32_t bytes = (int32_t)ck_int(t, "bytes");
    struct libcu_step *announce;

    s->global = ck_is(t, "place", "global");
    step_init(s, 1);
    announce = step_expect_tx(s, bytes);
    if (bytes > 0)
        step_complete_tx(s, bytes);
    step_arrive(s, 1, 0);
    step_ask(s, 0, 0);
    if (ck_variant(t, "more"))
        announce->bytes++;
    steps_run(s);
}

#define BYTES "0 1 15 16 17 4096 65536 1048574 1048575"

static const struct ck_case cases[] = {
    { CK_RULE(cxx_barrier_arrive_tx), .run = arrive_tx,
      .axes = { { "arrivals", "1 2 3 32 1000 1048574" }, { "bytes", BYTES }, { "last", "arrival bytes" } },
      .mutants = { { "other-bytes", "announce one byte fewer, or one in place of none" } } },
    { CK_RULE(cxx_barrier_expect_tx), .run = expect_tx, .axes = { { "bytes", BYTES } },
      .mutants = { { "other-bytes", "announce one byte fewer, or one in place of none" } } },
    { CK_RULE(cxx_barrier_native_handle), .run = native_handle, .axes = { { "raw", "1 2 3 16 25" } },
      .mutants = { { "skip", "leave the last mbarrier.arrive out" } } },
    { CK_RULE(cxx_barrier_arrive_tx_pre), .run = arrive_tx_legal,
      .axes = { { "arrivals", "1 2 1048574" }, { "bytes", "0 1048575" }, { "place", "=shared" } },
      .mutants = { { "more", "announce one byte more" } },
      .breaches = { { "no-arrival", "arrive 0 times", .set = "arrivals=0", .only = "arrivals=1 bytes=0" },
                    { "negative", "announce -1 bytes", .set = "bytes=-1", .only = "arrivals=1 bytes=0",
                      .faults = true },
                    { "above", "announce 2^20 bytes", .set = "bytes=1048576", .only = "arrivals=1 bytes=1048575",
                      .faults = true },
                    { "global", "the barrier is in global memory", .set = "place=global", .only = "arrivals=1 bytes=0",
                      .faults = true } } },
    { CK_RULE(cxx_barrier_expect_tx_pre), .run = expect_tx_legal,
      .axes = { { "bytes", "0 1048575" }, { "place", "=shared" } }, .mutants = { { "more", "announce one byte more" } },
      .breaches = { { "negative", "announce -1 bytes", .set = "bytes=-1", .only = "bytes=0", .faults = true },
                    { "above", "announce 2^20 bytes", .set = "bytes=1048576", .only = "bytes=1048575", .faults = true },
                    { "global", "the barrier is in global memory", .set = "place=global", .only = "bytes=0",
                      .faults = true } } },
    { 0 },
};

const struct ck_suite cuda_barrier_bytes = { "cuda-barrier-bytes", cases };
// SPDX-License-Identifier: Apache-2.0
