/* cuda::memcpy_async on a barrier, and cuda::device::memcpy_async_tx. Which instructions a call becomes depends on the
 * static alignment, on the direction and on the barrier. */
#include "kernels/libcu_memcpy.cuh"

using device_barrier = cuda::barrier<cuda::thread_scope_device>;
using cuda::std::chrono::nanoseconds;

enum { NONE, NO_EXPECT };

/* Three of the forms, for a barrier that is no mbarrier. */
template <class B>
__device__ static void copy_few(uint32_t form, const part &g, unsigned char *to, const unsigned char *from, uint32_t n,
                                B &bar)
{
    char *const d = (char *)to;
    const char *const s = (const char *)from;

    if (form == LIBCU_CHARS)
        cuda::memcpy_async(g, d, s, n, bar);
    if (form == LIBCU_A4)
        cuda::memcpy_async(g, d, s, cuda::aligned_size_t<4>(n), bar);
    if (form == LIBCU_A16)
        cuda::memcpy_async(g, d, s, cuda::aligned_size_t<16>(n), bar);
}

/* The copy, in the form that the case asks for. Those with an alignment of 16 and more are in libcu_bulk.cu. */
__device__ static void copy(uint32_t form, const part &g, unsigned char *to, const unsigned char *from, uint32_t n,
                            block_barrier &bar)
{
    char *const d = (char *)to;
    const char *const s = (const char *)from;

    switch (form) {
    case LIBCU_CHARS: cuda::memcpy_async(g, d, s, n, bar); break;
    case LIBCU_VOID: cuda::memcpy_async(g, (void *)to, (const void *)from, n, bar); break;
    case LIBCU_INT: cuda::memcpy_async(g, (int *)to, (const int *)from, n, bar); break;
    case LIBCU_INT2: cuda::memcpy_async(g, (int2 *)to, (const int2 *)from, n, bar); break;
    case LIBCU_A2: cuda::memcpy_async(g, d, s, cuda::aligned_size_t<2>(n), bar); break;
    case LIBCU_A4: cuda::memcpy_async(g, d, s, cuda::aligned_size_t<4>(n), bar); break;
    case LIBCU_A8: cuda::memcpy_async(g, d, s, cuda::aligned_size_t<8>(n), bar); break;
    case LIBCU_ALONE: cuda::memcpy_async(d, s, n, bar); break;
    case LIBCU_ALONE_A4: cuda::memcpy_async(d, s, cuda::aligned_size_t<4>(n), bar); break;
    }
}

/* A barrier of device scope has no timed wait. */
__device__ static bool meet(const ck_head &, device_barrier &bar)
{
    bar.wait(bar.arrive());
    return true;
}

/* The generic address of the image, whose origin nvcc does not see. Where it sees that a pointer is either to shared or
 * to global memory, nvcc 13.0 takes the generic address of dynamic shared memory for 0 in such a kernel, and copies to
 * address 0. */
__device__ static unsigned char *image_of_block()
{
    uint64_t generic;
    asm volatile("cvta.shared.u64 %0, %1;" : "=l"(generic) : "l"((uint64_t)ck_shared(ck_smem)));
    return (unsigned char *)generic;
}

/* The block's groups copy, each its piece; all meet at the barrier and write the image out. The copies of all forms are
 * long, so that what mutants change is in the arguments. Each place of the barrier has a kernel of its own: nvcc
 * decides by what it knows of the place. */
template <class B, bool MBARRIER> __device__ static void copies(const libcu_copy_args &a, unsigned char *image, B &bar)
{
    const part g = { a.group, threadIdx.x % a.group };
    const uint32_t number = threadIdx.x / a.group, offset = number * a.step;
    const bool last = g.rank == a.group - 1;

    prepare(&bar, blockDim.x + a.more, a.in, a.image);
    const unsigned char *from = (a.from_shared ? image : a.in) + a.src + offset;
    unsigned char *to = (a.to_shared ? image : a.far) + a.dst + offset;
    if ((!number || number != a.skip) && (!last || a.last_calls)) {
        const uint32_t size = last ? a.last_size : a.size;
        if constexpr (MBARRIER)
            copy(a.form, g, to, from, size, bar);
        else
            copy_few(a.form, g, to, from, size, bar);
    }
    if (a.no_wait)
        (void)bar.arrive();
    else if (!meet(a.head, bar))
        return;
    __syncthreads();
    dump_shared_bytes(a.out, 0, a.image);
}

template <int M> __device__ static void libcu_copy_body(const libcu_copy_args &a)
{
    unsigned char *const image = image_of_block();

    copies<block_barrier, true>(a, image, *(block_barrier *)(image + a.image));
}
CK_KERNEL(libcu_copy, libcu_copy_args)

template <int M> __device__ static void libcu_copy_global_body(const libcu_copy_args &a)
{
    copies<block_barrier, false>(a, image_of_block(), *(block_barrier *)a.room);
}
CK_KERNEL(libcu_copy_global, libcu_copy_args)

template <int M> __device__ static void libcu_copy_device_body(const libcu_copy_args &a)
{
    unsigned char *const image = image_of_block();

    copies<device_barrier, false>(a, image, *(device_barrier *)(image + a.image));
}
CK_KERNEL(libcu_copy_device, libcu_copy_args)

/* One thread copies by memcpy_async_tx and announces the bytes, before or after; all wait and write the image out.
 * NO_EXPECT: nobody announces them. */
template <int M> __device__ static void libcu_tx_body(const libcu_tx_args &a)
{
    unsigned char *const image = image_of_block();
    block_barrier &bar = *(block_barrier *)(a.global_barrier ? a.room : image + a.image);
    const uint64_t start = ck_now();
    const unsigned char *from = a.from_shared ? image + a.image / 2 : a.in;
    unsigned char *to = a.to_global ? a.far : image + a.dst;
    const bool announces = M != NO_EXPECT;

    prepare(&bar, blockDim.x, a.in, a.image);
    block_barrier::arrival_token token = 0;
    if (threadIdx.x == 0) {
        if (announces && a.order == LIBCU_TX_EXPECT_BEFORE)
            cuda::device::barrier_expect_tx(bar, a.announced);
        cuda::device::memcpy_async_tx((int4 *)to, (const int4 *)from, cuda::aligned_size_t<16>(a.size), bar);
        if (announces && a.order == LIBCU_TX_EXPECT_AFTER)
            cuda::device::barrier_expect_tx(bar, a.announced);
    }
    if (threadIdx.x == 0 && announces && a.order == LIBCU_TX_ARRIVE_AFTER)
        token = cuda::device::barrier_arrive_tx(bar, 1, a.announced);
    else
        token = bar.arrive();
    for (;;) {
        block_barrier::arrival_token again = token;
        if (bar.try_wait_for(cuda::std::move(again), nanoseconds(1000)))
            break;
        if (a.head.limit && ck_now() - start > a.head.limit) {
            ck_timeout(a.head, 0);
            return;
        }
    }
    __syncthreads();
    dump_shared_bytes(a.out, 0, a.image);
}
CK_KERNEL(libcu_tx, libcu_tx_args)
CK_MUTANT(libcu_tx, no_expect, NO_EXPECT, libcu_tx_args)
// SPDX-License-Identifier: Apache-2.0
