/* A grid that may begin while the one before it is at work: programmatic dependent launch. */
#include <string.h>

#include "harness/ck.h"
#include "kernels/bar.h"

enum { THREADS = 64, SLOW = 200000 }; /* nanoseconds that the first grid takes, so that the second is there before */

/* The first grid lets dependent grids begin and then, late, writes a word for each thread. The second one, `kernel`,
 * waits for it and reads them all; each of its threads ran once. */
static void depend(struct ck *t, const char *kernel, uint32_t smem)
{
    const uint32_t ctas = (uint32_t)ck_int(t, "ctas"), threads = ctas * THREADS;
    const struct ck_buf words = ck_zeroed(t, (size_t)4 * threads), out = ck_output(t, (size_t)4 * threads);
    const struct ck_buf count = ck_zeroed(t, 4);
    const struct pdl_args a = { .words = words.device,
                                .out = out.device,
                                .count = count.device,
                                .signals = (uint32_t)ck_int(t, "signals"),
                                .delay = SLOW };
    const struct ck_launch first = {
        .kernel = "pdl_first", .grid = { ctas }, .block = { THREADS }, .args = &a, .size = sizeof a
    };
    uint32_t *expected = ck_alloc(t, out.size);

    for (uint32_t i = 0; i < threads; i++)
        expected[i] = i + 1;
    if (ck_launch(t, &(struct ck_launch){ .kernel = kernel,
                                          .smem = smem,
                                          .before = &first,
                                          .grid = { ctas },
                                          .block = { THREADS },
                                          .args = &a,
                                          .size = sizeof a }) != CK_DONE)
        return;
    ck_equal(t, out, expected);
    ck_expect(t, "threads of the second grid", ((const uint32_t *)count.host)[0], threads);
}

/* The second grid waits for the first and reads what that one wrote by ordinary loads. */
static void second(struct ck *t)
{
    depend(t, "pdl_second", 0);
}

/* The second grid reads by bulk copies. */
static void copies(struct ck *t)
{
    depend(t, "pdl_copy", 4 * THREADS + 128);
}

/* A launch without a grid before it waits for nothing: it reads what is there. */
static void none_before(struct ck *t)
{
    const uint32_t ctas = (uint32_t)ck_int(t, "ctas"), threads = ctas * THREADS;
    const struct ck_buf words = ck_input(t, (size_t)4 * threads), out = ck_output(t, (size_t)4 * threads);
    const struct ck_buf count = ck_zeroed(t, 4);
    const struct pdl_args a = { .words = words.device, .out = out.device, .count = count.device };

    if (ck_launch(t,
                  &(struct ck_launch){
                      .kernel = "pdl_second", .grid = { ctas }, .block = { THREADS }, .args = &a, .size = sizeof a }) !=
        CK_DONE)
        return;
    ck_equal(t, out, words.host);
    ck_expect(t, "threads of the grid", ((const uint32_t *)count.host)[0], threads);
}

#define NO_WAIT "no-wait", "leave griddepcontrol.wait out", .kernel = "no_wait"
#define EARLY   "early", "copy before griddepcontrol.wait", .kernel = "early"
#define TWICE   "twice", "let each thread count itself twice", .kernel = "twice"

static const struct ck_case cases[] = {
    { CK_RULE(pdl_wait_visible), .timed = true, .run = second, .axes = { { "ctas", "1 2 8 32" }, { "signals", "1" } },
      .mutants = { { NO_WAIT } } },
    { CK_RULE(pdl_wait_required), .timed = true, .run = second, .axes = { { "ctas", "1 8" }, { "signals", "1" } },
      .mutants = { { TWICE } }, .breaches = { { NO_WAIT, .varies = true } } },
    { CK_RULE(pdl_wait_required), .name = "copies", .timed = true, .run = copies,
      .axes = { { "ctas", "1 8" }, { "signals", "1" } }, .mutants = { { EARLY } },
      .breaches = { { EARLY, .varies = true } } },
    { CK_RULE(pdl_launch_idempotent), .timed = true, .run = second,
      .axes = { { "ctas", "1 4" }, { "signals", "1 2 3 100" } }, .mutants = { { TWICE } } },
    { CK_RULE(pdl_wait_noop), .timed = true, .run = none_before, .axes = { { "ctas", "1 2 8 132" } },
      .mutants = { { TWICE } } },
    { 0 },
};

const struct ck_suite sync_pdl_cases = { "sync/pdl", cases };
// SPDX-License-Identifier: Apache-2.0
