/* Phases that never end because an arrival or bytes are missing, or somebody waits wrongly; and bytes that come too
 * late for their phase. A wait that cannot come true runs out on a machine, and is a deadlock to the emulator. */
#include "harness/ck.h"
#include "kernels/mbarrier_copies.h"

enum { THREADS = 64, PHASES = 2, WAITED = 256, SLOW = 20000 };

static enum ck_end launch(struct ck *t, const char *kernel, struct ck_buf in, struct ck_buf out, uint32_t bytes)
{
    const struct mbarrier_copies_args a = { .in = in.device, .out = out.device, .bytes = bytes };

    return ck_launch(
        t, &(struct ck_launch){
               .kernel = kernel, .block = { THREADS }, .smem = 128 + PHASES * 4096, .args = &a, .size = sizeof a });
}

/* Two threads share two phases: thread 0 announces the bytes of a copy and starts it, both arrive and wait, and
 * thread 32 then reads the source's bytes. The breaches leave an arrival out, announce a wrong number of bytes or
 * announce them too late, or wait before arriving. */
static void handover(struct ck *t)
{
    const uint32_t bytes = (uint32_t)ck_int(t, "bytes");
    const struct ck_buf in = ck_slow_input(t, PHASES * bytes), out = ck_output(t, PHASES * bytes);

    if (launch(t, "mbarrier_handover", in, out, bytes) == CK_DONE)
        ck_equal(t, out, in.host);
}

/* A thread that comes after two phases waits for the second one, which is just over: true at once. The breach waits
 * for the first, whose parity is the one of the current phase. */
static void late_wait(struct ck *t)
{
    const struct ck_buf in = ck_zeroed(t, 4), out = ck_zeroed(t, 4);

    if (launch(t, "mbarrier_late_wait", in, out, 4) == CK_DONE)
        ck_expect(t, "the wait came true", *(const uint32_t *)(const void *)out.host, 1);
}

/* A wait that was false says nothing: thread 0 asks until it is true, then reads the word that thread 32 wrote late.
 * The breach asks once and goes on. */
static void ask(struct ck *t)
{
    const struct ck_buf in = ck_zeroed(t, 4), out = ck_zeroed(t, 4);

    if (launch(t, "mbarrier_ask", in, out, SLOW) == CK_DONE)
        ck_expect(t, "the word", *(const uint32_t *)(const void *)out.host, WAITED);
}

#define BYTES "64 4096"
#define LATE  "late", "announce the bytes in the phase behind", .kernel = "late_expect"

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
      .mutants = { { LATE } }, .breaches = { { "wait", "wait before arriving", .kernel = "wait_first" } } },
    { CK_RULE(mbarrier_phase_older_parity), .name = "late", .run = late_wait,
      .mutants = { { "lag", "wait for the phase before", .kernel = "lag_two" } },
      .breaches = { { "lag", "wait for the phase before", .kernel = "lag_two" } } },
    { CK_RULE(mbarrier_try_wait_may_be_false), .name = "data", .run = ask,
      .mutants = { { "once", "ask once and go on", .kernel = "ask_once" } },
      .breaches = { { "once", "ask once and go on", .kernel = "ask_once", .varies = true } } },
    { 0 },
};

const struct ck_suite mbarrier_stuck_cases = { "mbarrier/stuck", cases };
