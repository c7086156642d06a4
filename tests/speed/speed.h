/* What the cases that measure time share: buffers, the launch, what each thread must have got. */
#ifndef COPYCHECK_TESTS_SPEED_H
#define COPYCHECK_TESTS_SPEED_H

#include <string.h>

#include "harness/ck.h"
#include "kernels/speed.h"

enum { ROUNDS = 48, WARM = 8 }; /* rounds of a launch, and how many of them go first and do not count */

struct speed {
    struct speed_args a;
    struct ck_buf in, ticks, sums;
    uint32_t threads;   /* of the grid */
    uint32_t *expected; /* what they must get: of the first way, then of the second */
    unsigned warm;
};

static inline struct speed speed_of(struct ck *t, struct ck_buf in, uint32_t threads, unsigned rounds)
{
    struct speed s = { .in = in, .threads = threads, .warm = WARM };

    s.a.rounds = ck_rounds(t, rounds);
    s.ticks = ck_zeroed(t, s.a.rounds * 2 * sizeof(uint64_t));
    s.sums = ck_output(t, threads * 2 * sizeof(uint32_t));
    s.expected = ck_alloc(t, s.sums.size);
    s.a.in = in.device;
    s.a.ticks = s.ticks.device;
    s.a.sums = s.sums.device;
    s.a.times = 1;
    return s;
}

static inline uint32_t word_of(const unsigned char *from)
{
    uint32_t word;

    memcpy(&word, from, sizeof word);
    return word;
}

/* Both ways get the same. */
static inline void expect_word(struct speed *s, uint32_t thread, uint32_t word)
{
    s->expected[thread] = s->expected[s->threads + thread] = word;
}

/* Both ways did what they are to do; then their times are compared. */
static inline void judge_speed(struct ck *t, const struct speed *s, const char *what)
{
    ck_equal(t, s->sums, s->expected);
    ck_ratio(t, what, (const uint64_t(*)[2])(const void *)s->ticks.host, s->a.rounds, s->warm);
}

/* One CTA, or clusters of `cluster` CTAs. */
static inline enum ck_end launch_speed(struct ck *t, const char *kernel, const void *args, size_t size, uint32_t grid,
                                       uint32_t block, uint32_t cluster, uint32_t smem)
{
    ck_no_digest(t);
    return ck_launch(t, &(struct ck_launch){ .kernel = kernel,
                                             .grid = { grid },
                                             .block = { block },
                                             .cluster = { cluster },
                                             .smem = smem,
                                             .args = args,
                                             .size = size });
}

/* One CTA of all threads; the second way's time is the measure of the first's. */
static inline void run_speed(struct ck *t, struct speed *s, const char *kernel, uint32_t smem, const char *what)
{
    if (launch_speed(t, kernel, &s->a, sizeof s->a, 1, s->threads, 0, smem) == CK_DONE)
        judge_speed(t, s, what);
}

#endif
// SPDX-License-Identifier: Apache-2.0
