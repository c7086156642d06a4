/* Streams and events. */
#include "harness/inside/device/stream.h"

#include <stdlib.h>
#include <time.h>

static struct stream normal;     /* the default stream */
static struct stream per_thread; /* that of each thread: one for all of them */
static struct stream *all;
static struct event *events;
static uint64_t numbers;

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

/* ---- events ------------------------------------------------------------------------------------------------------ */

struct event *event_new(unsigned flags)
{
    struct event *e = calloc(1, sizeof *e);

    if (!e)
        return NULL;
    e->flags = flags;
    e->next = events;
    events = e;
    return e;
}

bool event_known(const struct event *e)
{
    const struct event *k = events;

    while (k && k != e)
        k = k->next;
    return k != NULL;
}

void event_free(struct event *e)
{
    for (struct event **at = &events; *at; at = &(*at)->next)
        if (*at == e) {
            *at = e->next;
            free(e->after);
            free(e);
            return;
        }
}

void event_leave(const struct graph *g)
{
    for (struct event *e = events; e; e = e->next)
        if (e->capture == g) {
            e->capture = NULL;
            e->after_count = 0;
        }
}

CUresult event_between(const struct event *from, const struct event *to, float *ms)
{
    enum { WITHOUT_TIME = CU_EVENT_DISABLE_TIMING };
    double between;

    if (!event_known(from) || !event_known(to) || ((from->flags | to->flags) & WITHOUT_TIME) || !from->recorded ||
        !to->recorded)
        return CUDA_ERROR_INVALID_HANDLE;
    between = (to->at - from->at) * 1e3;
    *ms = (float)(between >= 0 && between < 0.0005 ? 0.0005 : between); /* programs divide by it */
    return CUDA_SUCCESS;
}
// SPDX-License-Identifier: Apache-2.0
