/* Contexts, and the stack that each thread has of them. */
#ifndef COPYCHECK_INSIDE_CURRENT_H
#define COPYCHECK_INSIDE_CURRENT_H

/* First, for what it makes visible. */
#include "harness/inside/driver/driver.h"

struct context {
    unsigned flags;
    unsigned long long number;
    struct context *next;
};

struct context *context_primary(void);
bool context_known(CUcontext handle);
/* NULL: out of memory. */
CUcontext context_new(unsigned flags);
/* It is no longer current either. False: there is none such, or it is the primary one. */
bool context_free(CUcontext handle);
/* On top of this thread's stack: it is current then. CUDA_ERROR_INVALID_CONTEXT where there is none such. */
CUresult context_push(CUcontext handle);
void context_pop(void);

#endif
// SPDX-License-Identifier: Apache-2.0
