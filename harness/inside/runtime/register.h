/* The functions that nvcc's own code calls; no header of the toolkit declares them for C. */
#ifndef COPYCHECK_INSIDE_REGISTER_H
#define COPYCHECK_INSIDE_REGISTER_H

#pragma GCC visibility push(default)
#include <cuda_runtime_api.h>

void **__cudaRegisterFatBinary(void *image);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaUnregisterBinaryUtil(void *data);
void __cudaRegisterFunction(void **handle, const char *host, char *device_name, const char *name, int threads,
                            void *tid, void *bid, void *block, void *grid, int *warp);
void __cudaRegisterVar(void **handle, char *host, char *address, const char *name, int external, size_t size,
                       int constant, int global);
void __cudaRegisterManagedVar(void **handle, void **host, char *address, const char *name, int external, size_t size,
                              int constant, int global);
char __cudaInitModule(void **handle);
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *host);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t smem, void *stream);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *smem, void *stream);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args, size_t smem,
                               cudaStream_t stream);
#pragma GCC visibility pop

#endif
// SPDX-License-Identifier: Apache-2.0
