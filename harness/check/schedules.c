/* copycheck check: which schedules there are, and what those that were run have covered. docs/check.md, "Schedules". */
#include "harness/check/schedules.h"

#include <stdio.h>

#include "harness/base/append.h"

enum { IN_ORDER, BACKWARDS, FURTHER, ALONE, RANDOM = 5, ALONE_AGAIN = 7, AHEAD = 11 };

/* What is run where the user does not say how many: as long as all that were run have cost no more than the first
 * alone, or than this; and how many at most, the first among them. A cost is in instructions: those that were executed,
 * and what it takes to make a machine and end it. So `check` takes about twice the time of the first schedule. Where no
 * two operations can be swapped, few of them differ in more than when copies land. Where the first is settled, all
 * others are the same to the program: they are run while they take less, in case the emulator is wrong. Of a kernel
 * whose first takes few instructions, all kinds of schedule are to be run: a thread that goes ahead as far as it can
 * has one of the last. */
enum { FEW = 30000, LITTLE_OF_FEW = 330000 };
enum { LITTLE = 130000, LITTLE_SETTLED = 80000, TO_BEGIN = 7000, MOST = 12, MOST_WITHOUT_SWAPS = 4 };

/* Of a small kernel in which order matters, further ones up to so many, as long as all take so little: those in which
 * threads stop cost next to nothing there, and what they find depends on luck. */
enum { MOST_SMALL = 28, SMALL = 40000, TO_BEGIN_SMALL = 500 };

/* The swap of a schedule's number; NULL: it is no schedule of a swap. */
static const struct emu_swap *swap_of(const struct emu_swaps *swaps, unsigned number)
{
    static const unsigned first[] = { 2, 4, 8 };
    enum { FIRST = sizeof first / sizeof *first, NEXT = 14, EACH = 4 };
    size_t k = swaps->count;

    for (unsigned i = 0; i < FIRST; i++)
        if (number == first[i])
            k = i;
    if (number >= NEXT && (number - NEXT) % EACH == 0)
        k = FIRST + (number - NEXT) / EACH;
    return k < swaps->count ? &swaps->all[k] : NULL;
}

/* The kind of a schedule that is no other one; where a number of random ones is asked for, all of them are. */
static enum emu_turns_kind further(const struct check_args *args, const struct emu_swaps *swaps, unsigned number)
{
    const bool random = args->randoms || number % 4 == 3 || number == RANDOM;

    return swaps->operation_count && !random ? EMU_TURNS_STOPS : EMU_TURNS_RANDOM;
}

void check_schedule(const struct check_args *args, const struct emu_swaps *swaps, unsigned number,
                    struct emu_options *out)
{
    out->seed = args->options.seed + number;
    out->swap = swap_of(swaps, number);
    switch (number) {
    case IN_ORDER: out->turns = EMU_TURNS_IN_ORDER; break;
    case BACKWARDS: out->turns = EMU_TURNS_REVERSED; break;
    default: out->turns = out->swap ? EMU_TURNS_SWAPPED : further(args, swaps, number); break;
    }
    if ((number == ALONE || number == ALONE_AGAIN || number == AHEAD) && swaps->changer_count) {
        out->turns = EMU_TURNS_ALONE;
        out->again = number == ALONE_AGAIN;
        out->ahead = number == AHEAD;
    }
    /* The first random one. */
    out->hasty = number == (swaps->changer_count ? RANDOM : ALONE) && out->turns == EMU_TURNS_RANDOM;
    out->found = swaps;
    if (args->delivery_given)
        return;
    out->delivery = (out->turns == EMU_TURNS_REVERSED) != args->at_once ? EMU_EAGER : EMU_LATE;
    if (emu_turns_random(out->turns))
        out->delivery = EMU_RANDOM;
}

bool check_schedule_needs_swaps(unsigned number)
{
    return number >= FURTHER;
}

/* Whether no other order of warps can differ from the first one: no race, and nothing else by which warps could tell
 * who came first. docs/check.md, "Schedules", says why. */
static bool is_settled(const struct check_result *r)
{
    return r->settled && !r->count && r->end == EMU_DONE && !r->forgot;
}

bool check_one_more(const struct check_args *args, const struct emu_swaps *swaps, const struct check_result *r,
                    unsigned number, uint64_t first)
{
    const bool any = swaps->count || swaps->more || swaps->changer_count;
    const uint64_t begun = (uint64_t)number * TO_BEGIN;
    const uint64_t little = is_settled(r) ? LITTLE_SETTLED : first <= FEW ? LITTLE_OF_FEW : LITTLE;
    const uint64_t most = first + TO_BEGIN > little && !is_settled(r) ? first + TO_BEGIN : little;

    if (emu_stopped(r->end))
        return false;
    if (args->randoms)
        return r->covered[EMU_TURNS_RANDOM] < args->randoms;
    if (args->schedules)
        return number < args->schedules;
    if (r->count != r->remarks || r->end != EMU_DONE)
        return false;
    if (number >= MOST)
        return any && number < MOST_SMALL && r->instructions + (uint64_t)number * TO_BEGIN_SMALL <= SMALL;
    return number < (any ? MOST : MOST_WITHOUT_SWAPS) && r->instructions + begun <= most;
}

void check_covers(struct check_result *r, const struct emu_options *schedule)
{
    r->covered[schedule->turns]++;
    r->schedules++;
}

/* Swaps that were run, of how many. */
static void append_swaps(const struct check_result *r, char *out, size_t size)
{
    const unsigned n = r->covered[EMU_TURNS_SWAPPED];
    const bool all = n == r->swaps && !r->more_swaps;

    if (all && n == 1)
        ck_append(out, size, "the only swap of two operations");
    else if (all)
        ck_append(out, size, "all %u swaps of two operations", n);
    else
        ck_append(out, size, "%u of %s%zu swaps of two operations", n, r->more_swaps ? "more than " : "", r->swaps);
    if (r->swap_clusters)
        ck_append(out, size, " of the first %llu clusters", (unsigned long long)r->swap_clusters);
}

void check_covered(const struct check_result *r, char *out, size_t size)
{
    const unsigned random = r->covered[EMU_TURNS_RANDOM], alone = r->covered[EMU_TURNS_ALONE];
    const unsigned stops = r->covered[EMU_TURNS_STOPS];

    snprintf(out, size, "%s", r->covered[EMU_TURNS_IN_ORDER] ? "threads in order" : "");
    if (r->covered[EMU_TURNS_REVERSED])
        ck_append(out, size, "%sbackwards", *out ? ", " : "");
    if (r->covered[EMU_TURNS_SWAPPED]) {
        ck_append(out, size, "%s", *out ? ", " : "");
        append_swaps(r, out, size);
    }
    if (alone)
        ck_append(out, size, "%schanges alone", *out ? ", " : "");
    if (alone > 1)
        ck_append(out, size, " (%u)", alone);
    if (stops)
        ck_append(out, size, "%s%u with threads that stop", *out ? ", " : "", stops);
    if (random)
        ck_append(out, size, "%s%u in random order", *out ? ", " : "", random);
    if (r->one_for_all)
        ck_append(out, size, ": any other order does the same, as there is no race");
    if (r->schedules > 1 && !r->swaps && !r->more_swaps)
        ck_append(out, size, "; no two operations to swap");
}
// SPDX-License-Identifier: Apache-2.0
