/* The CUDA driver API over the device: what all its files share. Functions are declared by the toolkit's own header,
 * which also gives each its newest name (cuMemAlloc is cuMemAlloc_v2), and are visible to the program.
 *
 * Handles are those of the runtime too: a CUfunction, a CUkernel and a cudaKernel_t are a struct function, a CUmodule
 * and a CUlibrary a struct module; streams, events, graphs, pools and arrays are the device's. Functions that have the
 * same arguments as one of the runtime are that one: the file `same` names them. */
#ifndef COPYCHECK_INSIDE_DRIVER_H
#define COPYCHECK_INSIDE_DRIVER_H

#pragma GCC visibility push(default)
#include <cuda.h>
#pragma GCC visibility pop

#include "harness/inside/device/device.h"
#include "harness/inside/device/graph.h"
#include "harness/inside/device/stream.h"

/* Around each call: takes the device, and gives the error that a call has to return already: no cuInit, no context, a
 * fault of a kernel before; releases it and returns the error. */
CUresult driver_begin(void);
/* The same for a call that names a stream: it has the context of that, unless it is a default stream. */
CUresult driver_begin_in(CUstream stream);
CUresult driver_end(CUresult result);
/* The same for calls that need no context, which a fault does not stop either. */
CUresult driver_begin_bare(void);
/* Whether this is the device's number. */
CUresult driver_device(CUdevice number);
/* The context that is current in this thread; NULL: none. */
CUcontext driver_context(void);
/* Whether a call has a context: the current one, or that of the stream or the event whose handle this is. */
bool driver_has_context(const void *handle);
/* The function of the API that this name stands for in this version of CUDA, as cuGetProcAddress finds it; NULL: none.
 */
void *driver_symbol(const char *name, int version);

/* Puts an operation into a stream; CUDA_ERROR_INVALID_HANDLE where there is none such. */
CUresult driver_put(CUstream stream, struct operation *op);
/* The same for the default stream, with the call waiting for it. */
CUresult driver_put_and_wait(struct operation *op);
/* The function of a handle, its module loaded; else CUDA_ERROR_INVALID_HANDLE. */
CUresult driver_function(const void *handle, struct function **out);
/* The same of a call that has begun so, and asks something about the kernel; where that goes: not NULL. */
CUresult driver_kernel(CUresult begun, const void *handle, const void *out, struct function **f);
/* The parameters of a launch whose function is set, as the calls take them: an address for each, or in `extra`. */
CUresult driver_params(struct launch *l, void **args, void **extra);

#endif
// SPDX-License-Identifier: Apache-2.0
