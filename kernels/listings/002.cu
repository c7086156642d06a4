/* Pages of the notes 002: bulk copies from C++. */
#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda/std/utility>

namespace ptx = cuda::ptx;
using barrier = cuda::barrier<cuda::thread_scope_block>;
using cuda::std::move;
#pragma nv_diag_suppress static_var_with_dynamic_init

/* listing.002.test_tma_copy_to_shared: 32 bytes go into shared memory in bulk, and thread 0 writes them out. All
 * threads arrive at the barrier, so all of them may read; no block barrier is needed behind the wait, and no fence
 * behind init. */
extern "C" __global__ void test_tma_copy_to_shared(const uint32_t *a, uint32_t *b)
{
    __shared__ alignas(16) uint32_t tile[8];
    __shared__ barrier bar;

    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    if (threadIdx.x == 0)
        cuda::memcpy_async(tile, a, cuda::aligned_size_t<16>(sizeof tile), bar);
    barrier::arrival_token token = bar.arrive();
    bar.wait(move(token)); //! early: __syncthreads();

    if (threadIdx.x == 0)
        for (int i = 0; i < 8; i++)
            b[i] = tile[i];
    //! early: bar.wait(move(token));
}

/* listing.002.fence_proxy_async_shared: the proxy fence as inline PTX. It orders stores that come before it in the
 * program, so the compiler must not move them behind it: that is what "memory" says. */
__device__ static void fence_proxy_async_shared()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

extern "C" __global__ void store_behind_fence(uint32_t *out)
{
    __shared__ alignas(16) uint32_t tile[256];

    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        tile[i] = 3 * i + 1;
    fence_proxy_async_shared(); //! no_fence
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, sizeof tile);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
}

/* listing.002.tma_load_gmem_to_smem: a load of elements of any type. aligned_size_t<16> is the caller's promise that
 * both addresses and the size are multiples of 16; nothing checks it. The array in dynamic shared memory has one type
 * for all instances, or they would declare it differently. */
extern __shared__ __align__(16) unsigned char memory[];

template <class T> __device__ static void load_gmem_to_smem(const T *source, size_t count, T *out)
{
    __shared__ barrier bar;
    T *const tile = reinterpret_cast<T *>(memory);

    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    if (threadIdx.x == 0)
        cuda::memcpy_async(tile, source, cuda::aligned_size_t<16>(count * sizeof(T)), bar);
    bar.wait(bar.arrive());

    for (size_t i = threadIdx.x; i < count; i += blockDim.x)
        out[count - 1 - i] = tile[i];
}

extern "C" __global__ void tma_load_u8(const unsigned char *source, size_t count, unsigned char *out)
{
    load_gmem_to_smem(source, count, out);
}

extern "C" __global__ void tma_load_f32(const float *source, size_t count, float *out)
{
    load_gmem_to_smem(source, count, out);
}

extern "C" __global__ void tma_load_f64(const double *source, size_t count, double *out)
{
    load_gmem_to_smem(source, count, out);
}

/* listing.002.tma_store_smem_to_gmem: two ways back to global memory. The first one is a bulk copy: each thread fences
 * its own writes, all meet, one stores. The second one looks like it and is none: cuda::memcpy_async has no bulk copy
 * in this direction, and copies synchronously through registers, here by one thread. It needs no fence. */
extern "C" __global__ void tma_store_in_bulk(uint32_t *out, int count)
{
    uint32_t *const tile = reinterpret_cast<uint32_t *>(memory);

    for (int i = threadIdx.x; i < count; i += blockDim.x)
        tile[i] = 5 * i + 2;
    ptx::fence_proxy_async(ptx::space_shared); //! no_fence
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, count * sizeof(uint32_t));
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
}

extern "C" __global__ void tma_store_by_memcpy(uint32_t *out, int count)
{
    __shared__ barrier bar;
    uint32_t *const tile = reinterpret_cast<uint32_t *>(memory);

    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        tile[i] = 5 * i + 2;
    __syncthreads();
    if (threadIdx.x == 0)
        cuda::memcpy_async(out, tile, cuda::aligned_size_t<16>(count * sizeof(uint32_t)), bar);
    bar.wait(bar.arrive());
}
