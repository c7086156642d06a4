/* Pages of the notes 000: tensor maps that are made on the device. Replacing fields needs -arch=sm_90a. */
#include <cuda.h>
#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda/std/utility>

namespace ptx = cuda::ptx;
using barrier = cuda::barrier<cuda::thread_scope_block>;
using cuda::std::move;
#pragma nv_diag_suppress static_var_with_dynamic_init

/* listing.000.encode-device: thread 0 copies a template into shared memory and replaces its fields; the warp copies the
 * map to global memory and releases it.
 *
 *     template ---> shared memory ---> replace ... replace ---> cp_fenceproxy ---> global memory
 *                   thread 0           thread 0     __syncwarp  the whole warp
 *
 * The rank is given as one less. What is not replaced stays as it was in the template. */
struct params {
    int *address;
    uint32_t width, height; /* elements */
    uint64_t pitch;         /* bytes from row to row */
};

extern "C" __global__ __launch_bounds__(32) void encode_device(const __grid_constant__ CUtensorMap map_template,
                                                               const __grid_constant__ params p, CUtensorMap *out)
{
    __shared__ alignas(128) CUtensorMap map;

    if (threadIdx.x == 0) {
        map = map_template;
        ptx::tensormap_replace_global_address(ptx::space_shared, &map, p.address);
        ptx::tensormap_replace_rank(ptx::space_shared, &map, 2 - 1);
        ptx::tensormap_replace_box_dim(ptx::space_shared, &map, ptx::n32_t<0>(), 16);
        ptx::tensormap_replace_box_dim(ptx::space_shared, &map, ptx::n32_t<1>(), 8);
        ptx::tensormap_replace_global_dim(ptx::space_shared, &map, ptx::n32_t<0>(), p.width);
        ptx::tensormap_replace_global_dim(ptx::space_shared, &map, ptx::n32_t<1>(), p.height);
        ptx::tensormap_replace_global_stride(ptx::space_shared, &map, ptx::n32_t<0>(), p.pitch);
        ptx::tensormap_replace_element_stride(ptx::space_shared, &map, ptx::n32_t<0>(), 1);
        ptx::tensormap_replace_element_stride(ptx::space_shared, &map, ptx::n32_t<1>(), 1);
        ptx::tensormap_replace_elemtype(ptx::space_shared, &map, ptx::n32_t<3>()); /* .s32 */
        ptx::tensormap_replace_interleave_layout(ptx::space_shared, &map, ptx::n32_t<0>());
        ptx::tensormap_replace_swizzle_mode(ptx::space_shared, &map, ptx::n32_t<0>());
        ptx::tensormap_replace_fill_mode(ptx::space_shared, &map, ptx::n32_t<0>());
    }
    __syncwarp();
    ptx::tensormap_cp_fenceproxy(ptx::sem_release, ptx::scope_gpu, out, &map, ptx::n32_t<128>());
}

/* listing.000.consume-device: another kernel, behind the first one in the stream, copies by that map. The order of the
 * stream is not enough: each block acquires the map, by one thread, and the other threads go on behind a block barrier.
 * The scope is gpu, since a kernel of the same device wrote it. */
extern "C" __global__ void consume_device(const CUtensorMap *map, int x, int y, int *out)
{
    __shared__ alignas(128) int tile[8][16];
    __shared__ barrier bar;
    const int32_t corner[] = { x, y };
    barrier::arrival_token token;

    if (threadIdx.x == 0) {
        init(&bar, blockDim.x);
        ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_gpu, map, ptx::n32_t<128>()); //! no_acquire
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, map, corner,
                                  cuda::device::barrier_native_handle(bar));
        token = cuda::device::barrier_arrive_tx(bar, 1, sizeof tile);
    } else {
        token = bar.arrive();
    }
    bar.wait(move(token));

    for (int i = threadIdx.x; i < 8 * 16; i += blockDim.x)
        out[i] = tile[i / 16][i % 16];
}
