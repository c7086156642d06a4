/* Events. */
#include <stdlib.h>

#include "harness/inside/device/later.h"

static struct event *events;

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
            later_forget_event(e);
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

    if (!event_known(from) || !event_known(to) || ((from->flags | to->flags) & WITHOUT_TIME))
        return CUDA_ERROR_INVALID_HANDLE;
    if (later_is_event_left(from) || later_is_event_left(to))
        return CUDA_ERROR_NOT_READY;
    if (!from->recorded || !to->recorded)
        return CUDA_ERROR_INVALID_HANDLE;
    between = (to->at - from->at) * 1e3;
    *ms = (float)(between >= 0 && between < 0.0005 ? 0.0005 : between); /* programs divide by it */
    return CUDA_SUCCESS;
}
// SPDX-License-Identifier: Apache-2.0
