/* What happens before a point of a run, as numbers: how much of each agent. Agents are threads (the number is how many
 * operations) and copies (1: it is complete). */
#ifndef COPYCHECK_SYNC_FUZZ_CLOCK_H
#define COPYCHECK_SYNC_FUZZ_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum view {
    KNOWN,  /* to the generic proxy */
    FENCED, /* of that, what a proxy fence has shown to the async proxy */
    SC,     /* what was known at a fence.sc that this point has seen something of: the next fence.sc makes it known */
    SC_FENCED, /* of that, what a proxy fence had shown */
    VIEWS
};

/* VIEWS rows of `agents` numbers; NULL stands for nothing known. */
typedef uint16_t *clock_numbers;

static inline void clock_join(clock_numbers to, const uint16_t *from, size_t agents)
{
    for (size_t i = 0; i < agents * VIEWS; i++)
        to[i] = to[i] > from[i] ? to[i] : from[i];
}

/* `to` of a clock gets `from` of another one, or of the same. */
static inline void clock_join_view(clock_numbers to, enum view view, const uint16_t *from, enum view of, size_t agents)
{
    to += view * agents;
    from += of * agents;
    for (size_t i = 0; i < agents; i++)
        to[i] = to[i] > from[i] ? to[i] : from[i];
}

#endif
// SPDX-License-Identifier: Apache-2.0
