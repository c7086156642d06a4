/* What a case measures: two ways to do the same, timed in turn. */
#include "harness/run/bench.h"

#include <stdlib.h>

unsigned ck_rounds(struct ck *t, unsigned rounds)
{
    enum { BOTH_ORDERS = 2 };

    return t->bench->engine->keeps_time || rounds < BOTH_ORDERS ? rounds : BOTH_ORDERS;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The value below which this part of the sorted ones lies, between two of them where it must. */
static double quantile(const double *sorted, size_t count, double part)
{
    const double at = part * (double)(count - 1);
    const size_t i = (size_t)at;

    return i + 1 < count ? sorted[i] + (at - (double)i) * (sorted[i + 1] - sorted[i]) : sorted[i];
}

static double median_of(const uint64_t (*ticks)[2], int way, size_t count, double *room)
{
    for (size_t i = 0; i < count; i++)
        room[i] = (double)ticks[i][way];
    qsort(room, count, sizeof *room, by_size);
    return quantile(room, count, 0.5);
}

void ck_ratio(struct ck *t, const char *what, const uint64_t (*ticks)[2], unsigned rounds, unsigned warm)
{
    struct ck_slot *r = t->bench->result;
    const size_t count = rounds > warm ? rounds - warm : 0;
    double *ratios = ck_alloc(t, (count + 1) * sizeof *ratios), first, second;

    ck_no_digest(t);
    if (!t->bench->engine->keeps_time) {
        if (!t->bench->failures && !r->seen[0])
            ck_needs_device(t);
        return;
    }
    ck_see(t, "%s", what);
    if (!count)
        ck_broken(t, "no round is left to measure");
    ticks += warm;
    first = median_of(ticks, 0, count, ratios);
    second = median_of(ticks, 1, count, ratios);
    for (size_t i = 0; i < count; i++) {
        if (!ticks[i][0] || !ticks[i][1])
            ck_broken(t, "round %zu took %llu and %llu ticks", i, (unsigned long long)ticks[i][0],
                      (unsigned long long)ticks[i][1]);
        ratios[i] = (double)ticks[i][0] / (double)ticks[i][1];
    }
    qsort(ratios, count, sizeof *ratios, by_size);
    r->ratio = quantile(ratios, count, 0.5);
    r->low = quantile(ratios, count, 0.25);
    r->high = quantile(ratios, count, 0.75);
    r->rounds = (unsigned)count;
    ck_note(t, "took      %.0f and %.0f ticks, medians of %zu rounds", first, second, count);
}
// SPDX-License-Identifier: Apache-2.0
