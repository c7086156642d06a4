/* Phases that never end because an arrival or bytes are missing, or a thread waits wrongly, and bytes that are
 * announced too late for their phase. A wait that cannot come true runs out on a machine; the emulator reports a
 * deadlock. */
#include "harness/ck.h"
#include "kernels/mbarrier_stuck.h"

enum {
    THREADS = 64,
    MOST_BYTES = 4096, /* of a piece */
    SLOW = 20000,      /* nanoseconds */
};

static enum ck_end launch(struct ck *t, const char *kernel, const void *args, size_t size)
{
    return ck_launch(t, &(struct ck_launch){ .kernel = kernel,
                                             .block = { THREADS },
                                             .smem = STUCK_DATA + STUCK_PHASES * MOST_BYTES,
                                             .args = args,
                                             .size = size });
}

/* Two threads share two phases: thread 0 announces the bytes of a copy and starts it, both arrive and wait, and
 * thread 32 then reads the source's bytes. The breaches leave an arrival out, announce a wrong number of bytes or
 * announce them too late, or wait before arriving. */
static void handover(struct ck *t)
{
    const uint32_t bytes = (uint32_t)ck_int(t, "bytes");
    const struct ck_buf in = ck_slow_input(t, STUCK_PHASES * bytes), out = ck_output(t, STUCK_PHASES * bytes);
    const struct mbarrier_handover_args a = { .in = in.device, .out = out.device, .bytes = bytes };

    if (launch(t, "mbarrier_handover", &a, sizeof a) == CK_DONE)
        ck_equal(t, out, in.host);
}

/* A thread that comes after two phases waits for the second one, which is just over: true at once. The breach waits
 * for the first, whose parity is the one of the current phase. */
static void late_wait(struct ck *t)
{
    const struct ck_buf out = ck_zeroed(t, 8);
    const struct mbarrier_ask_args a = { .out = out.device };
    const uint32_t *got = (const uint32_t *)(const void *)out.host;

    if (launch(t, "mbarrier_late_wait", &a, sizeof a) == CK_DONE)
        ck_expect(t, "the wait came true", got[1], 1);
}

/* A wait that was false says nothing: thread 0 asks until it is true, then reads the word that thread 32 wrote late.
 * The breach asks once and goes on. */
static void ask(struct ck *t)
{
    const struct ck_buf out = ck_zeroed(t, 8);
    const struct mbarrier_ask_args a = { .out = out.device, .delay = SLOW };
    const uint32_t *got = (const uint32_t *)(const void *)out.host;

    if (launch(t, "mbarrier_ask", &a, sizeof a) == CK_DONE)
        ck_expect(t, "the word", got[1], STUCK_WORD);
}

#define BYTES "64 4096"
#define LATE  "late", "announce the bytes one phase late", .kernel = "late_expect"

static const struct ck_case cases[] = {
    { CK_RULE(mbarrier_phase_all_arrive), .run = handover, .axes = { { "bytes", BYTES } }, .mutants = { { LATE } },
      .breaches = { { "skip", "leave an arrival of the second phase out", .kernel = "skip_arrival" } } },
    { CK_RULE(mbarrier_tx_balance), .run = handover, .axes = { { "bytes", BYTES } }, .mutants = { { LATE } },
      .breaches = { { "more", "expect 16 bytes more than come", .kernel = "more_bytes" },
                    { "fewer", "expect 16 bytes less than come", .kernel = "fewer_bytes" } } },
    { CK_RULE(mbarrier_tx_wrong_phase), .name = "copy", .run = handover, .axes = { { "bytes", BYTES } },
      .mutants = { { "skip", "leave an arrival of the second phase out", .kernel = "skip_arrival" } },
      .breaches = { { LATE, .varies = true } } },
    { CK_RULE(mbarrier_wait_own_arrive_order), .name = "copy", .run = handover, .axes = { { "bytes", BYTES } },
      .mutants = { { LATE } },
      .breaches = { { "wait", "wait before arriving", .kernel = "wait_first", .varies = true } } },
    { CK_RULE(mbarrier_phase_older_parity), .name = "late", .run = late_wait,
      .mutants = { { "lag", "wait for the phase before", .kernel = "lag_two" } },
      .breaches = { { "lag", "wait for the phase before", .kernel = "lag_two" } } },
    { CK_RULE(mbarrier_try_wait_may_be_false), .name = "data", .run = ask,
      .mutants = { { "once", "ask once and go on", .kernel = "ask_once" } },
      .breaches = { { "once", "ask once and go on", .kernel = "ask_once", .varies = true } } },
    { 0 },
};

const struct ck_suite mbarrier_stuck_cases = { "mbarrier/stuck", cases };
// SPDX-License-Identifier: Apache-2.0
