/* The CUDA runtime API over the device: what all its files share. Functions are declared by the toolkit's own header,
 * and visible to the program. */
#ifndef COPYCHECK_INSIDE_RUNTIME_H
#define COPYCHECK_INSIDE_RUNTIME_H

#pragma GCC visibility push(default)
#include <cuda_runtime_api.h>
#pragma GCC visibility pop

#include "harness/inside/device/device.h"

/* Around each call: takes the device, and gives the error that a call has to return already; releases it, remembers the
 * error for cudaGetLastError, and returns it as the runtime's. */
CUresult runtime_begin(void);
cudaError_t runtime_end(CUresult result);
/* Begins a call that a kernel's fault before does not stop: it asks for or changes only what the host keeps. */
CUresult runtime_begin_anyway(void);
/* Of a call whose result does not depend on the device: both at once. */
cudaError_t runtime_end_of(CUresult result);

/* Before a function of the driver API that is one of the runtime: CUDA_SUCCESS, or what it is to return in its place.
 * Called by the code that tools/inside-names writes. */
CUresult driver_before_runtime(void);
/* The same of a function that needs a context; its first two arguments, which may be a stream or an event. */
CUresult driver_before_runtime_in_context(const void *first, const void *second);

/* Whether the program was built with toolkit 12: some names have other arguments there. */
bool runtime_is_12(void);
/* Copies a struct between the program and here. Toolkit 13 made it longer: a program of toolkit 12 has only the first
 * bytes_of_12 bytes. */
void runtime_copy(void *to, const void *from, size_t bytes, size_t bytes_of_12);
/* The bytes in toolkit 12 of structs that are longer in toolkit 13. */
enum { POINTER_ATTRIBUTES_OF_12 = 24, RESOURCE_OF_12 = 64, RESOURCE_VIEW_OF_12 = 48 };

/* The kernel or variable of a host address that the program registered, or a handle of cudaGetKernel. */
CUresult runtime_function(const void *host, struct function **out);
CUresult runtime_variable(const void *host, uint64_t *at, size_t *bytes);
/* The managed variable that an address lies in: where it begins; NULL: none. `bytes`: its size, unless NULL. */
const void *runtime_managed(const void *address, size_t *bytes);
/* The host address of a kernel; its handle where it has none. */
const void *runtime_host_of(const struct function *f);

#endif
// SPDX-License-Identifier: Apache-2.0
