/* After a wait, the copies that the object tracks have arrived; copies that it does not track may still be on the way.
 */
#include "harness/ck.h"
#include "kernels/mbarrier_copies.h"

/* All threads wait on an object that tracks a copy, then read the copied bytes, each thread those that another one
 * asked for: they are the source's bytes. In the breaches the object does not track the copy, and what is read may
 * be old. */
static void copy(struct ck *t)
{
    const char *kernel = ck_is(t, "copy", "bulk") ? "mbarrier_bulk" : "mbarrier_cp_async";
    const uint32_t bytes = (uint32_t)ck_int(t, "bytes"), threads = (uint32_t)ck_int(t, "threads");
    const struct ck_buf in = ck_slow_input(t, bytes), out = ck_output(t, bytes);
    const struct mbarrier_copies_args a = {
        .in = in.device, .out = out.device, .bytes = bytes, .shift = (uint32_t)ck_int(t, "shift")
    };

    if (ck_launch(t,
                  &(struct ck_launch){
                      .kernel = kernel, .block = { threads }, .smem = bytes + 16, .args = &a, .size = sizeof a }) ==
        CK_DONE)
        ck_equal(t, out, in.host);
}

#define AXES(copies)                                                                                                   \
    {                                                                                                                  \
        { "copy", copies }, { "bytes", "16 512 4096 65536" }, { "threads", "32 128 1024" },                            \
        {                                                                                                              \
            "shift", "0 1 32"                                                                                          \
        }                                                                                                              \
    }

static const struct ck_case cases[] = {
    { CK_RULE(mbarrier_wait_covers_cpasync), .run = copy, .axes = AXES("cp.async"),
      .mutants = { { "untracked", "arrive without waiting for the copies", .kernel = "not_tracked",
                     .only = "bytes=4096 threads=128" } } },
    { CK_RULE(mbarrier_wait_covers_bulk), .run = copy, .axes = AXES("bulk"),
      .mutants = { { "other", "let another object track the copy", .kernel = "other_object",
                     .only = "bytes=4096 threads=128" } } },
    { CK_RULE(mbarrier_wait_async_not_covered), .name = "cp-async", .run = copy,
      .axes = { { "copy", "cp.async" }, { "bytes", "4096 65536" }, { "threads", "128" }, { "shift", "0 32" } },
      .mutants = { { "untracked", "arrive without waiting for the copies", .kernel = "not_tracked",
                     .only = "bytes=4096 threads=128" } },
      .breaches = { { "untracked", "arrive without waiting for the copies", .kernel = "not_tracked",
                      .varies = true } } },
    { CK_RULE(mbarrier_wait_async_not_covered), .name = "bulk", .run = copy,
      .axes = { { "copy", "bulk" }, { "bytes", "4096 65536" }, { "threads", "128" }, { "shift", "0 32" } },
      .mutants = { { "other", "let another object track the copy", .kernel = "other_object",
                     .only = "bytes=4096 threads=128" } },
      .breaches = { { "other", "let another object track the copy", .kernel = "other_object", .varies = true } } },
    { 0 },
};

const struct ck_suite mbarrier_copies_cases = { "mbarrier/copies", cases };
// SPDX-License-Identifier: Apache-2.0
