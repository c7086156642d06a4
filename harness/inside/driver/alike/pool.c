/* Memory of pools, in the order of a stream, which has a context where the thread has none. */
#include "harness/inside/driver/driver.h"
#include "harness/inside/runtime/runtime.h"

CUresult cuMemAllocAsync(CUdeviceptr *out, size_t bytes, CUstream stream)
{
    const CUresult result = driver_before_runtime_in_context(stream, NULL);

    return result == CUDA_SUCCESS ? (CUresult)cudaMallocAsync((void **)out, bytes, (cudaStream_t)stream) : result;
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *out, size_t bytes, CUmemoryPool pool, CUstream stream)
{
    const CUresult result = driver_before_runtime_in_context(stream, NULL);

    return result == CUDA_SUCCESS
               ? (CUresult)cudaMallocFromPoolAsync((void **)out, bytes, (cudaMemPool_t)pool, (cudaStream_t)stream)
               : result;
}

CUresult cuMemFreeAsync(CUdeviceptr at, CUstream stream)
{
    const CUresult result = driver_before_runtime_in_context(stream, NULL);

    return result == CUDA_SUCCESS ? (CUresult)cudaFreeAsync((void *)(uintptr_t)at, (cudaStream_t)stream) : result;
}
// SPDX-License-Identifier: Apache-2.0
