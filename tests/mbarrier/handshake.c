/* What an mbarrier does: one rule and one plain kernel for each case (kernels/mbarrier_handshake.cu). Start here; the
 * other files of this folder check these rules and many more in all forms, counts and phases. */
#include "harness/ck.h"
#include "kernels/mbarrier_handshake.h"

enum { SLOW = 20000 }; /* nanoseconds */

/* Launches a kernel, and compares its answers with `expected`, `size` bytes. */
static void ask(struct ck *t, const char *kernel, uint32_t ctas, uint32_t threads, const uint32_t *expected,
                size_t size)
{
    const struct ck_buf out = ck_output(t, size);
    const struct mbarrier_handshake_args a = { .out = out.device, .delay = SLOW };

    if (ck_launch(t, &(struct ck_launch){ .kernel = kernel,
                                          .grid = { ctas },
                                          .cluster = { ctas > 1 ? ctas : 0 },
                                          .block = { threads },
                                          .args = &a,
                                          .size = sizeof a }) == CK_DONE)
        ck_equal(t, out, expected);
}

/* A thread writes a word and arrives; another one waits, and then reads that word. */
static void handshake(struct ck *t)
{
    const uint32_t expected[] = { HANDSHAKE_WORD };

    ask(t, "mbarrier_handshake", 1, 64, expected, sizeof expected);
}

/* An mbarrier made for two arrivals completes its phase at the second one: no, no, yes. */
static void count(struct ck *t)
{
    const uint32_t expected[] = { false, false, true };

    ask(t, "mbarrier_count", 1, 1, expected, sizeof expected);
}

/* Phases have parity 0, 1, 0, 1: a test of the phase's parity is false before its arrival and true after it. */
static void parity(struct ck *t)
{
    const uint32_t expected[2 * HANDSHAKE_PHASES] = { false, true, false, true, false, true, false, true };

    ask(t, "mbarrier_parity", 1, 1, expected, sizeof expected);
}

/* The state that the first arrival returned names its phase: a wait on it is false, then true after the last arrival.
 */
static void state(struct ck *t)
{
    const uint32_t expected[] = { false, true };

    ask(t, "mbarrier_state", 1, 1, expected, sizeof expected);
}

/* expect_tx holds the phase open after the only arrival; complete_tx of as many bytes completes it. */
static void bytes(struct ck *t)
{
    const uint32_t expected[] = { false, true };

    ask(t, "mbarrier_bytes", 1, 1, expected, sizeof expected);
}

/* One of two arrivals drops out: it counts in this phase, and the next one completes without it. */
static void drop(struct ck *t)
{
    const uint32_t expected[] = { true, true };

    ask(t, "mbarrier_drop", 1, 1, expected, sizeof expected);
}

/* The state of a .noComplete arrival says how many arrivals were pending before it. */
static void pending(struct ck *t)
{
    const uint32_t expected[] = { HANDSHAKE_PENDING };

    ask(t, "mbarrier_pending", 1, 1, expected, sizeof expected);
}

/* After inval the eight bytes are ordinary memory: the word that is stored there is read back. */
static void inval(struct ck *t)
{
    const uint32_t expected[] = { HANDSHAKE_WORD };

    ask(t, "mbarrier_inval", 1, 1, expected, sizeof expected);
}

/* try_wait with a time limit is false while the phase is open, and true when it is complete. */
static void try(struct ck *t)
{
    const uint32_t expected[] = { false, true };

    ask(t, "mbarrier_try", 1, 1, expected, sizeof expected);
}

/* A CTA arrives on the mbarrier of another CTA of its cluster, and completes the phase there. */
static void remote(struct ck *t)
{
    const uint32_t expected[] = { true };

    ask(t, "mbarrier_remote", 2, 1, expected, sizeof expected);
}

static const struct ck_case cases[] = {
    { CK_RULE(mbarrier_arrive_release_publishes), .name = "plain", .run = handshake,
      .mutants = { { "early", "read without waiting", .kernel = "no_wait" } } },
    { CK_RULE(mbarrier_init_count_range), .name = "plain", .run = count,
      .mutants = { { "fewer", "leave the last arrival out", .kernel = "no_arrival" } } },
    { CK_RULE(mbarrier_phase_parity_alternates), .name = "plain", .run = parity,
      .mutants = { { "fewer", "leave the last arrival out", .kernel = "no_arrival" } } },
    { CK_RULE(mbarrier_arrive_state), .name = "plain", .run = state,
      .mutants = { { "state", "wait on a state of the next phase", .kernel = "last_state" } } },
    { CK_RULE(mbarrier_expect_tx_adds), .name = "plain", .run = bytes,
      .mutants = { { "bytes", "complete one byte less", .kernel = "fewer_bytes" } } },
    { CK_RULE(mbarrier_arrive_drop_next_phases), .name = "plain", .run = drop,
      .mutants = { { "arrive", "arrive in place of the drop", .kernel = "arrive_only" } } },
    { CK_RULE(mbarrier_pending_count_value), .name = "plain", .run = pending,
      .mutants = { { "count", "init with one more", .kernel = "one_more" } } },
    { CK_RULE(mbarrier_inval_repurpose), .name = "plain", .run = inval,
      .mutants = { { "word", "store another word", .kernel = "other_word" } } },
    { CK_RULE(mbarrier_try_wait_hint), .name = "plain", .run = try,
      .mutants = { { "none", "leave the arrival out", .kernel = "no_arrival" } } },
    { CK_RULE(mbarrier_arrive_remote), .name = "plain", .run = remote,
      .mutants = { { "own", "arrive on the own one", .kernel = "own" } } },
    { 0 },
};

const struct ck_suite mbarrier_handshake_cases = { "mbarrier/handshake", cases };
// SPDX-License-Identifier: Apache-2.0
