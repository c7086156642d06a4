/* setmaxnreg: a warp that asks for registers waits until others have given them. */
#include "harness/ck.h"
#include "kernels/setmaxnreg.h"

enum { LATE = 100000 }; /* nanoseconds */

/* One warpgroup gives registers late; the warps of two others take them: none has them before they are given. */
static void pool(struct ck *t)
{
    const struct ck_buf out = ck_output(t, SETMAXNREG_TAKERS * sizeof(uint32_t));
    struct setmaxnreg_args a = { .out = out.device, .delay = LATE };
    uint32_t expected[SETMAXNREG_TAKERS];

    ck_needs_unlinked(t);
    for (unsigned i = 0; i < SETMAXNREG_TAKERS; i++)
        expected[i] = 1;
    if (ck_launch(t,
                  &(struct ck_launch){
                      .kernel = "setmaxnreg_pool", .block = { SETMAXNREG_THREADS }, .args = &a, .size = sizeof a }) ==
        CK_DONE)
        ck_equal(t, out, expected);
}

static const struct ck_case cases[] = {
    { CK_RULE(setmaxnreg_inc_waits), .timed = true, .run = pool,
      .mutants = { { "no-wait", "leave setmaxnreg.inc out", .kernel = "no_wait" } } },
    { 0 }
};

const struct ck_suite wgmma_registers = { "wgmma/registers", cases };
// SPDX-License-Identifier: Apache-2.0
