/* cooperative_groups::invoke_one and invoke_one_broadcast. */
#include <string.h>

#include "harness/ck.h"
#include "kernels/libcu_groups.h"

enum { WARP = 32 };

/* Whether this thread is in the group: all are, but for those that stay behind before a coalesced one. */
static bool takes_part(uint32_t group, uint32_t thread)
{
    return group || thread % WARP % 3;
}

static uint32_t word(struct ck_buf b, uint32_t i)
{
    uint32_t value;

    memcpy(&value, b.host + i * sizeof value, sizeof value);
    return value;
}

/* Each tile, or the lanes of each warp that come together, picks one thread: a group's word counts one, and all of its
 * threads are told the number of the same thread, which is one of theirs. */
static void invoke_one(struct ck *t)
{
    const uint32_t threads = (uint32_t)ck_int(t, "threads"), group = (uint32_t)ck_int(t, "tile");
    const uint32_t size = group ? group : WARP;
    const struct ck_buf called = ck_zeroed(t, threads / size * 4), told = ck_output(t, threads * 4);
    const struct cg_invoke_args a = { .called = called.device, .told = told.device, .group = group };
    uint32_t picked = 0;

    ck_launch(t, &(struct ck_launch){ .kernel = "cg_invoke", .block = { threads }, .args = &a, .size = sizeof a });
    for (uint32_t i = 0; i < threads; i++) {
        const bool first = i % size == (group ? 0 : 1);
        if (!takes_part(group, i))
            continue;
        if (first)
            picked = word(told, i);
        ck_expect(t, "group of the thread that was picked", picked / size, i / size);
        ck_expect(t, "whether that one takes part", takes_part(group, picked), true);
        ck_expect(t, "thread that was picked", word(told, i), picked);
        ck_expect(t, "calls of the group", word(called, i / size), 1);
    }
}

static const struct ck_case cases[] = {
    { CK_RULE(cg_invoke_one), .run = invoke_one,
      .axes = { { "tile", "1 2 4 8 16 32 0" }, { "threads", "32 96 256 1024" } },
      .mutants = { { "each", "let every thread count itself", .kernel = "each", .only = "tile=2/32/0" } } },
    { 0 }
};

const struct ck_suite cooperative_groups_invoke = { "cooperative-groups-invoke", cases };
// SPDX-License-Identifier: Apache-2.0
