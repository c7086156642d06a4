/* cuda::memcpy_async with an alignment of 16 and more: a copy in bulk, if nvcc knows that the barrier is in shared
 * memory. Where it does not, as in libcu_memcpy.cu, nvcc 13.0 may leave the copy in bulk out and make cp.async in its
 * place. */
#include "kernels/libcu_memcpy.cuh"

/* The block's groups copy, each its piece, into shared memory; all meet at the barrier and write the image out. */
template <int M> __device__ static void libcu_copy_bulk_body(const libcu_copy_args &a)
{
    const part g = { a.group, threadIdx.x % a.group };
    const uint32_t number = threadIdx.x / a.group, offset = number * a.step;
    const bool last = g.rank == a.group - 1;
    const uint32_t size = last ? a.last_size : a.size;
    block_barrier &bar = *(block_barrier *)(ck_smem + a.image);

    prepare(&bar, blockDim.x + a.more, a.in, a.image);
    const char *from = (const char *)a.in + a.src + offset;
    char *to = (char *)ck_smem + a.dst + offset;
    if ((!number || number != a.skip) && (!last || a.last_calls)) {
        switch (a.form) {
        case LIBCU_INT4: cuda::memcpy_async(g, (int4 *)to, (const int4 *)from, size, bar); break;
        case LIBCU_A16: cuda::memcpy_async(g, to, from, cuda::aligned_size_t<16>(size), bar); break;
        case LIBCU_A32: cuda::memcpy_async(g, to, from, cuda::aligned_size_t<32>(size), bar); break;
        }
    }
    if (a.no_wait)
        (void)bar.arrive();
    else if (!meet(a.head, bar))
        return;
    __syncthreads();
    dump_shared_bytes(a.out, 0, a.image);
}
CK_KERNEL(libcu_copy_bulk, libcu_copy_args)
// SPDX-License-Identifier: Apache-2.0
