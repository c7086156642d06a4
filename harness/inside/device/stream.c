/* Streams. */
#include "harness/inside/device/stream.h"

#include <stdlib.h>
#include <time.h>

static struct stream normal = { .number = 1 };     /* the default stream */
static struct stream per_thread = { .number = 2 }; /* that of each thread: one for all of them */
static struct stream *all;
static uint64_t numbers = 2;

double device_clock(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- streams ------------------------------------------------------------------------------------------------------
 */

struct stream *stream_of(CUstream handle)
{
    if (!handle || handle == CU_STREAM_LEGACY)
        return &normal;
    if (handle == CU_STREAM_PER_THREAD)
        return &per_thread;
    for (struct stream *s = all; s; s = s->next)
        if (s == (struct stream *)handle)
            return s;
    return NULL;
}

struct stream *stream_new(unsigned flags, int priority)
{
    struct stream *s = calloc(1, sizeof *s);

    if (!s)
        return NULL;
    *s = (struct stream){ .flags = flags, .priority = priority, .number = ++numbers, .next = all };
    all = s;
    return s;
}

bool stream_free(CUstream handle)
{
    for (struct stream **at = &all; *at; at = &(*at)->next)
        if (*at == (struct stream *)handle) {
            struct stream *s = *at;
            *at = s->next;
            free(s->last);
            free(s);
            return true;
        }
    return false;
}

bool stream_is_default(const struct stream *s)
{
    return s == &normal;
}

void stream_each(void (*each)(struct stream *s, void *state), void *state)
{
    each(&per_thread, state);
    for (struct stream *s = all; s; s = s->next)
        each(s, state);
}
// SPDX-License-Identifier: Apache-2.0
