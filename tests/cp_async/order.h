/* What the cases over kernels/cp_async_order.cu share: threads with 16 bytes of shared memory each. */
#ifndef COPYCHECK_TESTS_CP_ASYNC_ORDER_H
#define COPYCHECK_TESTS_CP_ASYNC_ORDER_H

#include "tests/cp_async/lanes.h"

enum {
    BLOCKS = 4,
    BLOCK = 64,
    THREADS = BLOCKS * BLOCK,
    FROM = 128,
    TO = 16,
    IN_BYTES = THREADS * FROM,
    OUT_BYTES = THREADS * TO
};

struct order {
    struct ck_buf in, other, out;
    struct cp_async_order_args a;
    uint32_t size; /* of a copy, bytes */
    unsigned char *expected;
};

/* A word of the axes `wait` and `first`. */
static inline uint32_t wait_of(const char *word)
{
    static const struct {
        const char *word;
        uint32_t wait;
    } waits[] = {
        { "all", CP_WAIT_ALL },
        { "group", 0 },
        { "test", CP_WAIT_TEST },
        { "try", CP_WAIT_TRY },
        { "barrier", CP_WAIT_BARRIER },
        { "fence-cta", CP_WAIT_FENCE_CTA },
        { "fence-sys", CP_WAIT_FENCE_SYS },
        { "membar", CP_WAIT_MEMBAR },
        { "cluster", CP_WAIT_CLUSTER },
        { "sleep", CP_WAIT_SLEEP },
    };

    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++)
        if (!strcmp(word, waits[i].word))
            return waits[i].wait;
    return CP_WAIT_NONE;
}

/* Sources of 128 bytes a thread, results of 16; the wait is cp.async.wait_all. */
static inline struct order order_of(struct ck *t, struct ck_buf in, struct ck_buf out)
{
    struct order o = { .in = in, .other = ck_input(t, IN_BYTES), .out = out };

    o.a.form = form_of(t);
    o.size = form_size(o.a.form);
    o.a.in = in.device;
    o.a.other = o.other.device;
    o.a.out = out.device;
    o.a.wait = CP_WAIT_ALL;
    o.a.first = CP_WAIT_NONE;
    o.expected = ck_alloc(t, OUT_BYTES);
    memcpy(o.expected, out.host, OUT_BYTES);
    return o;
}

/* The same with a source that is far away, so that copies are late. */
static inline struct order slow_order(struct ck *t)
{
    return order_of(t, ck_slow_input(t, IN_BYTES), ck_output(t, OUT_BYTES));
}

static inline struct order near_order(struct ck *t)
{
    return order_of(t, ck_input(t, IN_BYTES), ck_output(t, OUT_BYTES));
}

/* Every result is the copy's size of bytes of `from`. */
static inline void expect_results(struct order *o, struct ck_buf from)
{
    for (size_t i = 0; i < THREADS; i++)
        memcpy(o->expected + TO * i, from.host + FROM * i, o->size);
}

static inline enum ck_end launch_order(struct ck *t, const struct order *o, const char *kernel)
{
    return ck_launch(t, &(struct ck_launch){ .kernel = kernel,
                                             .grid = { BLOCKS },
                                             .block = { BLOCK },
                                             .smem = 4096,
                                             .args = &o->a,
                                             .size = sizeof o->a });
}

/* Judges the results; of a breach says how many of those that are not poison are what the conforming form gives. */
static inline void judge_results(struct ck *t, const struct order *o)
{
    size_t right = 0, count = 0;

    if (ck_conforming(t)) {
        ck_equal(t, o->out, o->expected);
        return;
    }
    for (size_t i = 0; i < THREADS; i++) {
        const unsigned char *expected = o->expected + TO * i;
        if (expected[0] == CK_POISON)
            continue;
        count++;
        right += !memcmp(o->out.host + TO * i, expected, TO);
    }
    ck_see(t, right == count ? "as conforming" : right ? "some results differ" : "all results differ");
    ck_note(t, "%zu of %zu results are as in the conforming form", right, count);
}

#endif
// SPDX-License-Identifier: Apache-2.0
