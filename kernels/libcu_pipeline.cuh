/* What the kernels of cuda::pipeline share. */
#ifndef COPYCHECK_LIBCU_PIPELINE_CUH
#define COPYCHECK_LIBCU_PIPELINE_CUH

#include <cuda/pipeline>
#include <cuda/std/utility>

#include "kernels/libcu_pipeline.h"
#include "kernels/shared.cuh"

using cuda::std::chrono::nanoseconds;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;
using block_pipeline = cuda::pipeline<cuda::thread_scope_block>;
using thread_pipeline = cuda::pipeline<cuda::thread_scope_thread>;

/* A copy of 4, 8 or 16 bytes by the executing thread. */
template <class P>
__device__ static inline void copy_alone(unsigned char *to, const unsigned char *from, uint32_t size, P &pipe)
{
    switch (size) {
    case 4: cuda::memcpy_async(to, from, cuda::aligned_size_t<4>(4), pipe); break;
    case 8: cuda::memcpy_async(to, from, cuda::aligned_size_t<8>(8), pipe); break;
    default: cuda::memcpy_async(to, from, cuda::aligned_size_t<16>(16), pipe); break;
    }
}

#endif
// SPDX-License-Identifier: Apache-2.0
