/* st.async and red.async: single values, written with a signal to an mbarrier. */
#include <string.h>

#include "harness/ck.h"
#include "kernels/st_async.h"

#define OPS "st-b32 st-b64 st-v4 red-add red-inc red-or"

enum { BEFORE = 0x41, VALUE = 0x1000 };

static const struct {
    const char *name;
    uint32_t bytes;                 /* that it signals */
    uint32_t words[ST_ASYNC_WORDS]; /* what it leaves */
} ops[] = {
    [ST_ASYNC_B32] = { "st-b32", 4, { VALUE, BEFORE, BEFORE, BEFORE } },
    [ST_ASYNC_B64] = { "st-b64", 8, { VALUE, 0, BEFORE, BEFORE } },
    [ST_ASYNC_V4] = { "st-v4", 16, { VALUE, VALUE + 1, VALUE + 2, VALUE + 3 } },
    [RED_ASYNC_ADD] = { "red-add", 4, { BEFORE + VALUE, BEFORE, BEFORE, BEFORE } },
    [RED_ASYNC_INC] = { "red-inc", 4, { BEFORE + 1, BEFORE, BEFORE, BEFORE } }, /* VALUE is where it wraps */
    [RED_ASYNC_OR] = { "red-or", 4, { BEFORE | VALUE, BEFORE, BEFORE, BEFORE } },
};

/* The enum st_async_op that the axis "op" names. */
static uint32_t op_of(struct ck *t)
{
    for (uint32_t op = 0; op < sizeof ops / sizeof *ops; op++)
        if (ck_is(t, "op", ops[op].name))
            return op;
    ck_skip(t, "no operation %s", ck_word(t, "op"));
}

/* Each CTA writes a value into a CTA of its cluster with st.async or red.async, which signals its bytes on an
 * mbarrier there: after the wait the place holds the value. `ctas` 0 launches without cluster dimensions; there what
 * came is recorded. */
static void write_each(struct ck *t)
{
    const uint32_t cluster = (uint32_t)ck_int(t, "ctas"), ctas = cluster ? cluster : 1;
    const struct ck_buf out = ck_output(t, (size_t)ctas * ST_ASYNC_WORDS * 4);
    struct st_async_args a = { .out = out.device, .before = BEFORE, .value = VALUE };
    unsigned char *expected = ck_alloc(t, out.size);
    struct ck_launch l = { .kernel = "st_async", .grid = { ctas }, .cluster = { cluster } };

    a.op = op_of(t);
    a.expect = ops[a.op].bytes;
    a.to = ck_is(t, "to", "next") ? 1 : 0;
    for (uint32_t i = 0; i < ctas; i++)
        memcpy(expected + i * sizeof ops->words, ops[a.op].words, sizeof ops->words);
    if (ck_variant(t, "value")) {
        a.before ^= 2;
        a.value += 4;
    }
    l.args = &a;
    l.size = sizeof a;
    if (ck_launch(t, &l) != CK_DONE)
        return;
    if (ck_int(t, "ctas"))
        ck_equal(t, out, expected);
    else
        ck_see(t, ck_equal(t, out, expected) ? "written" : "differs");
}

static const struct ck_case cases[] = {
    { CK_RULE(mbarrier_tx_st_async), .run = write_each,
      .axes = { { "op", OPS }, { "ctas", "2 4" }, { "to", "own next" } },
      .mutants = { { "value", "change the value and what was there" } } },
    { CK_RULE(mbarrier_tx_st_async), .name = "one-cta", .run = write_each,
      .axes = { { "op", OPS }, { "ctas", "1" }, { "to", "own" } }, .seen_only = true, .faults = true,
      .no_mutant = "what happens is recorded, whatever it is" },
    { CK_RULE(mbarrier_tx_st_async_implicit), .run = write_each,
      .axes = { { "op", OPS }, { "ctas", "0" }, { "to", "own" } }, .seen_only = true, .faults = true,
      .no_mutant = "what happens is recorded, whatever it is" },
    { 0 },
};

const struct ck_suite mbarrier_st_async = { "mbarrier/st_async", cases };
// SPDX-License-Identifier: Apache-2.0
