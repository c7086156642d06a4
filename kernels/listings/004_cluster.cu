/* Pages of the notes 004: loads that go to several blocks of a cluster. */
#include <cooperative_groups.h>
#include <cuda.h>
#include <cuda/ptx>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

__device__ static uint32_t address(const void *shared)
{
    return (uint32_t)__cvta_generic_to_shared(shared);
}

/* listing.004.multicast-ptx: block 0 of a cluster loads a tile, and a mask of 16 bits says which
 * blocks get it: bit r is for the block of rank r in the cluster.
 *
 *     ctaMask = 0b0101
 *
 *     block 0   issues the load         tile  and signal to its barrier
 *     block 1                           nothing
 *     block 2                           tile  and signal to its barrier
 *     block 3                           nothing
 *
 * Data and signal arrive in each of these blocks at the same offset: that of block 0's tile and
 * barrier. Each of them announces the bytes to its own barrier and waits there. All blocks meet
 * before, when the barriers are made, and at the end, so that none is gone too early. */
extern "C" __global__ void multicast_ptx(const __grid_constant__ CUtensorMap map, int x, int y, int ctaMask, int *out)
{
    const cg::cluster_group cluster = cg::this_cluster();
    __shared__ alignas(128) int tile[8][16];
    __shared__ uint64_t mbar;
    const unsigned rank = cluster.block_rank();
    const bool selected = ctaMask >> rank & 1;

    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&mbar, 1);
        if (selected)
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &mbar, sizeof tile);
    }
    cluster.sync();

    if (rank == 0 && threadIdx.x == 0) {
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
                     "[%0], [%1, {%2, %3}], [%4], %5;" ::"r"(address(tile)),
                     "l"(&map), "r"(x), "r"(y), "r"(address(&mbar)), "h"((uint16_t)ctaMask)
                     : "memory");
    }
    if (selected) {
        while (!ptx::mbarrier_try_wait_parity(&mbar, 0)) //! early
            ;                                            //! early
        for (int i = threadIdx.x; i < 128; i += blockDim.x) {
            const int c = 15 - i % 16; //! straight: const int c = i % 16;
            out[rank * 128 + i] = tile[i / 16][c];
        }
        //! early: while (!ptx::mbarrier_try_wait_parity(&mbar, 0)) {}
    }
    cluster.sync();
}

/* listing.004.ptx-3d-multicast: all blocks of a cluster need all planes of a box. Each one loads
 * a plane and sends it to all: every plane is read from memory once.
 *
 *     block 0   loads plane 0 ---> block 0, 1, ...
 *     block 1   loads plane 1 ---> block 0, 1, ...
 *     ...
 *
 * So each barrier expects the bytes of all planes, and of its own block's arrival. */
extern "C" __global__ void ptx_3d_multicast(const __grid_constant__ CUtensorMap map, int z, int *out)
{
    const cg::cluster_group cluster = cg::this_cluster();
    __shared__ alignas(128) int planes[8][8][16];
    __shared__ uint64_t mbar;
    const unsigned rank = cluster.block_rank(), blocks = cluster.num_blocks();
    const uint16_t all = (1u << blocks) - 1;

    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&mbar, 1);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &mbar, blocks * 512);
    }
    cluster.sync();

    if (threadIdx.x == 0) {
        const int plane = z + rank; //! same: const int plane = z;
        asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
                     "[%0], [%1, {%2, %3, %4}], [%5], %6;" ::"r"(address(planes[rank])),
                     "l"(&map), "r"(0), "r"(0), "r"(plane), "r"(address(&mbar)), "h"(all)
                     : "memory");
    }
    while (!ptx::mbarrier_try_wait_parity(&mbar, 0)) //! early
        ;                                            //! early
    for (int i = threadIdx.x; i < blocks * 128; i += blockDim.x)
        out[rank * blocks * 128 + i] = planes[i / 128][i / 16 % 8][i % 16];
    //! early: while (!ptx::mbarrier_try_wait_parity(&mbar, 0)) {}
    cluster.sync();
}
