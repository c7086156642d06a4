/* Functions that the toolkit's header no longer declares: programs that older toolkits built, or that ask by name, call
 * them. */
#ifndef COPYCHECK_INSIDE_DRIVER_OLDER_H
#define COPYCHECK_INSIDE_DRIVER_OLDER_H

#include "harness/inside/driver/driver.h"

/* In the header, these names stand for newer ones. */
#undef cuGetProcAddress
#undef cuMemAdvise
#undef cuMemPrefetchAsync
#undef cuMemcpyBatchAsync

#pragma GCC visibility push(default)
CUresult cuCtxCreate_v2(CUcontext *out, unsigned flags, CUdevice dev);
CUresult cuCtxCreate_v3(CUcontext *out, CUexecAffinityParam *affinity, int count, unsigned flags, CUdevice dev);
CUresult cuGetProcAddress(const char *name, void **out, int version, cuuint64_t flags);
CUresult cuMemAdvise(CUdeviceptr at, size_t bytes, CUmem_advise advice, CUdevice dev);
CUresult cuMemPrefetchAsync(CUdeviceptr at, size_t bytes, CUdevice dev, CUstream stream);
CUresult cuMemcpyBatchAsync(CUdeviceptr *to, CUdeviceptr *from, size_t *bytes, size_t count,
                            CUmemcpyAttributes *attributes, size_t *numbers, size_t n, size_t *failed, CUstream stream);
#pragma GCC visibility pop

#endif
// SPDX-License-Identifier: Apache-2.0
