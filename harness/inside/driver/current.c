/* Contexts, and the stack that each thread has of them. */
#include "harness/inside/driver/current.h"

#include <stdlib.h>

enum { DEPTH = 64 };

static struct context primary = { .number = 1 };
static struct context *all;
static unsigned long long numbers = 1;
static _Thread_local struct context *stack[DEPTH]; /* the last one is current */
static _Thread_local unsigned depth;

/* A thread that has used the runtime, or may, has the primary context without asking for it. */
CUcontext driver_context(void)
{
    if (depth)
        return (CUcontext)stack[depth - 1];
    return device.runtime ? (CUcontext)&primary : NULL;
}

struct context *context_primary(void)
{
    return &primary;
}

bool context_known(CUcontext handle)
{
    const struct context *c = all;

    while (c && c != (struct context *)handle)
        c = c->next;
    return c || handle == (CUcontext)&primary;
}

CUcontext context_new(unsigned flags)
{
    struct context *c = calloc(1, sizeof *c);

    if (!c)
        return NULL;
    *c = (struct context){ .flags = flags, .number = ++numbers, .next = all };
    all = c;
    return (CUcontext)c;
}

bool context_free(CUcontext handle)
{
    for (struct context **at = &all; *at; at = &(*at)->next)
        if (*at == (struct context *)handle) {
            *at = (*at)->next;
            if (depth && stack[depth - 1] == (struct context *)handle)
                depth--;
            free(handle);
            return true;
        }
    return false;
}

CUresult context_push(CUcontext handle)
{
    if (!context_known(handle) || depth == DEPTH)
        return CUDA_ERROR_INVALID_CONTEXT;
    stack[depth++] = (struct context *)handle;
    return CUDA_SUCCESS;
}

void context_pop(void)
{
    depth -= depth > 0;
}
// SPDX-License-Identifier: Apache-2.0
