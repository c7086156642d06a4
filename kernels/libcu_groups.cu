/* cooperative_groups::memcpy_async, wait and wait_prior. */
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>

#include "kernels/late.cuh"
#include "kernels/libcu_groups.h"

namespace cg = cooperative_groups;

enum { NONE, NO_COMMIT, EACH };

/* ---- copies ---- */

/* The forms that tiles and coalesced groups are asked for. */
template <class G>
__device__ static void copy_few(const cg_copy_args &a, const G &g, unsigned char *to, const unsigned char *from,
                                uint32_t n)
{
    switch (a.form) {
    case CG_VOID: cg::memcpy_async(g, (void *)to, (const void *)from, n); break;
    case CG_INT: cg::memcpy_async(g, (int *)to, (const int *)from, n); break;
    case CG_A16: cg::memcpy_async(g, to, from, cuda::aligned_size_t<16>(n)); break;
    }
}

__device__ static void copy(const cg_copy_args &a, unsigned char *to, const unsigned char *from, uint32_t n)
{
    const cg::thread_block g = cg::this_thread_block();

    switch (a.form) {
    case CG_CHARS: cg::memcpy_async(g, to, from, n); break;
    case CG_SHORT: cg::memcpy_async(g, (short *)to, (const short *)from, n); break;
    case CG_INT2: cg::memcpy_async(g, (int2 *)to, (const int2 *)from, n); break;
    case CG_INT4: cg::memcpy_async(g, (int4 *)to, (const int4 *)from, n); break;
    case CG_A4: cg::memcpy_async(g, to, from, cuda::aligned_size_t<4>(n)); break;
    case CG_A8: cg::memcpy_async(g, to, from, cuda::aligned_size_t<8>(n)); break;
    case CG_A32: cg::memcpy_async(g, to, from, cuda::aligned_size_t<32>(n)); break;
    case CG_CHAR_ELEMENTS: cg::memcpy_async(g, to, n, from, a.from); break;
    case CG_INT_ELEMENTS: cg::memcpy_async(g, (int *)to, n, (const int *)from, a.from); break;
    case CG_INT4_ELEMENTS: cg::memcpy_async(g, (int4 *)to, n, (const int4 *)from, a.from); break;
    default: copy_few(a, g, to, from, n);
    }
}

/* The generic address of the image, whose origin nvcc does not see: libcu_memcpy.cu says why. */
__device__ static unsigned char *image_of_block()
{
    uint64_t generic;
    asm volatile("cvta.shared.u64 %0, %1;" : "=l"(generic) : "l"((uint64_t)ck_shared(ck_smem)));
    return (unsigned char *)generic;
}

/* The image before the copies, and the addresses of the copy of group `number`. */
struct place {
    unsigned char *to;
    const unsigned char *from;
    uint32_t size;
    bool calls;
};

__device__ static place prepare(const cg_copy_args &a, uint32_t number)
{
    unsigned char *const image = image_of_block();
    const uint32_t half = a.image / 2;
    const bool last = threadIdx.x == blockDim.x - 1;

    poison_shared_bytes(0, half);
    fill_shared_bytes(half, a.in + half, half);
    __syncthreads();
    return { (a.to_shared ? image : a.far) + a.dst + number * a.step,
             (a.from_shared ? image : a.in) + a.src + number * a.step, last && a.skip == 2 ? a.size / 2 : a.size,
             !(last && a.skip == 1) };
}

/* The block copies and waits; the image comes out. */
template <int M> __device__ static void cg_copy_body(const cg_copy_args &a)
{
    const place p = prepare(a, 0);

    if (p.calls)
        copy(a, p.to, p.from, p.size);
    if (!a.no_wait)
        cg::wait(cg::this_thread_block());
    dump_shared_bytes(a.out, 0, a.image);
    __pipeline_wait_prior(0);
}
CK_KERNEL(cg_copy, cg_copy_args)

template <int N> __device__ static void copy_by_tile(const cg_copy_args &a)
{
    const cg::thread_block_tile<N> tile = cg::tiled_partition<N>(cg::this_thread_block());

    if (a.group != N)
        return;
    const place p = prepare(a, tile.meta_group_rank());
    if (p.calls)
        copy_few(a, tile, p.to, p.from, p.size);
    cg::wait(tile);
    __syncthreads();
    dump_shared_bytes(a.out, 0, a.image);
}

/* Each tile of the block copies its own piece, and waits. */
template <int M> __device__ static void cg_tiles_body(const cg_copy_args &a)
{
    copy_by_tile<1>(a);
    copy_by_tile<2>(a);
    copy_by_tile<4>(a);
    copy_by_tile<8>(a);
    copy_by_tile<16>(a);
    copy_by_tile<32>(a);
}
CK_KERNEL(cg_tiles, cg_copy_args)

/* Some lanes of a warp copy as a coalesced group, and wait. */
template <int M> __device__ static void cg_coalesced_body(const cg_copy_args &a)
{
    const place p = prepare(a, 0);

    if (threadIdx.x % a.group == 0) {
        const cg::coalesced_group g = cg::coalesced_threads();
        if (p.calls)
            copy_few(a, g, p.to, p.from, p.size);
        cg::wait(g);
    }
    __syncthreads();
    dump_shared_bytes(a.out, 0, a.image);
}
CK_KERNEL(cg_coalesced, cg_copy_args)

/* ---- one thread of a group ---- */

/* One thread of the group counts itself, and one says to all of it who it is. EACH: every thread counts itself. */
template <int M, class G> __device__ static void invoke(const cg_invoke_args &a, const G &g, uint32_t number)
{
    uint32_t *const called = a.called + number;
    const auto count = [called] { atomicAdd(called, 1u); };

    if (M == EACH)
        count();
    else
        cg::invoke_one(g, count);
    a.told[threadIdx.x] = cg::invoke_one_broadcast(g, [] { return (uint32_t)threadIdx.x; });
}

template <int M, int N> __device__ static void invoke_in_tile(const cg_invoke_args &a)
{
    const cg::thread_block_tile<N> tile = cg::tiled_partition<N>(cg::this_thread_block());

    if (a.group == N)
        invoke<M>(a, tile, tile.meta_group_rank());
}

/* Tiles of one size, or the lanes of a warp that come here together. */
template <int M> __device__ static void cg_invoke_body(const cg_invoke_args &a)
{
    invoke_in_tile<M, 1>(a);
    invoke_in_tile<M, 2>(a);
    invoke_in_tile<M, 4>(a);
    invoke_in_tile<M, 8>(a);
    invoke_in_tile<M, 16>(a);
    invoke_in_tile<M, 32>(a);
    if (a.group == 0 && threadIdx.x % 32 % 3)
        invoke<M>(a, cg::coalesced_threads(), threadIdx.x / 32);
}
CK_KERNEL(cg_invoke, cg_invoke_args)
CK_MUTANT(cg_invoke, each, EACH, cg_invoke_args)

/* ---- waits ---- */

/* Each call makes a group; wait_prior synchronises the block, so that each thread reads what the next one copied. The
 * last of `calls` calls is special in a mutant. */
template <int M> struct block_calls {
    static const uint32_t turn = 1;
    uint32_t calls, made = 0;
    cg::thread_block g = cg::this_thread_block();

    __device__ explicit block_calls(uint32_t all) : calls(all) {}
    __device__ void copy(unsigned char *to, const unsigned char *from, uint32_t size)
    {
        if (M == NO_COMMIT && ++made % calls == 0)
            __pipeline_memcpy_async(to + late_piece(size), from + late_piece(size), size);
        else
            cg::memcpy_async(g, to, from, cuda::aligned_size_t<16>(size * blockDim.x));
    }
    __device__ void commit() {}
    __device__ void finish()
    {
        __pipeline_commit();
        cg::wait(g);
    }
    __device__ void wait(uint32_t n)
    {
        switch (n) {
        case 0: cg::wait_prior<0>(g); break;
        case 1: cg::wait_prior<1>(g); break;
        case 2: cg::wait_prior<2>(g); break;
        case 3: cg::wait_prior<3>(g); break;
        case 4: cg::wait_prior<4>(g); break;
        case 5: cg::wait_prior<5>(g); break;
        case 6: cg::wait_prior<6>(g); break;
        case 7: cg::wait_prior<7>(g); break;
        case 8: cg::wait_prior<8>(g); break;
        case 9: cg::wait_prior<9>(g); break;
        case 12: cg::wait_prior<12>(g); break;
        case 100: cg::wait_prior<100>(g); break;
        }
    }
};

/* Calls of memcpy_async and a wait_prior. NO_COMMIT: the last copy is made without a commit. */
template <int M> __device__ static void cg_calls_body(const late_args &a)
{
    block_calls<M> api(a.groups);

    late_groups(a, api);
}
CK_KERNEL(cg_calls, late_args)
CK_MUTANT(cg_calls, no_commit, NO_COMMIT, late_args)

/* The same with wait, of a block or of tiles. */
template <class G> struct all_calls {
    static const uint32_t turn = 1;
    G g;

    __device__ void copy(unsigned char *to, const unsigned char *from, uint32_t size)
    {
        const uint32_t mine = g.size() * size, at = late_piece(size) / mine * mine;

        cg::memcpy_async(g, to + at, from + at, cuda::aligned_size_t<16>(mine));
    }
    __device__ void commit() {}
    __device__ void wait(uint32_t n)
    {
        if (n == 0)
            cg::wait(g);
        else
            g.sync();
    }
    __device__ void finish()
    {
        cg::wait(g);
    }
};

template <int M> __device__ static void cg_wait_block_body(const late_args &a)
{
    all_calls<cg::thread_block> api = { cg::this_thread_block() };

    late_groups(a, api);
}
CK_KERNEL(cg_wait_block, late_args)

template <int M> __device__ static void cg_wait_tile_body(const late_args &a)
{
    all_calls<cg::thread_block_tile<32>> api = { cg::tiled_partition<32>(cg::this_thread_block()) };

    late_groups(a, api);
}
CK_KERNEL(cg_wait_tile, late_args)
// SPDX-License-Identifier: Apache-2.0
