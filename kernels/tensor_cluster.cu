/* Tile loads within a cluster: into another CTA, into several, slice by slice. */
#include "kernels/box.cuh"
#include "kernels/tensor.h"

/* Each CTA poisons its image, and its barrier expects its bytes; then all CTAs know that all are ready. */
__device__ static void make_ready(const tensor_cluster_args &a, uint32_t bar, uint32_t me)
{
    poison_and_init(a.bytes, bar);
    if (threadIdx.x == 0)
        mbarrier_arrive_expect_tx(bar, a.expect[me]);
    __syncthreads(); /* the threads of a warp come to the cluster's barrier together */
    cluster_sync();
}

/* Each CTA waits for its bytes, looks for bytes that nobody expects, and writes its image out. A CTA whose bytes do not
 * come leaves its wait by the limit, so that all meet at the last barrier. */
__device__ static void finish(const tensor_cluster_args &a, uint32_t bar, uint32_t me)
{
    if (threadIdx.x == 0)
        mbarrier_wait_parity(a.head, bar, 0, me);
    __syncthreads();
    cluster_sync();
    if (threadIdx.x == 0) {
        linger(20000); /* bytes beyond those expected would come late */
        if (mbarrier_test_parity(bar, 0)) {
            mbarrier_arrive(bar);
            mbarrier_wait_parity(a.head, bar, 1, 16 + me);
        }
    }
    __syncthreads();
    cluster_sync(); /* no CTA leaves while another may still write to it */
    dump_shared(a.out + (uint64_t)me * a.bytes, 0, a.bytes);
}

/* One CTA loads a box into the shared memory of another, whose barrier it signals. */
template <int M> __device__ static void tensor_remote_body(const tensor_cluster_args &a)
{
    const uint32_t tile = ck_shared(ck_smem + a.offset), bar = ck_shared(ck_smem + a.bytes), me = cluster_rank();

    make_ready(a, bar, me);
    if (threadIdx.x == 0 && me == a.issuer)
        load_box(a.rank, in_cta(tile, a.to), &a.map, a.corner, in_cta(bar, a.signal));
    finish(a, bar, me);
}
CK_KERNEL(tensor_remote, tensor_cluster_args)

/* One CTA loads a box into all CTAs of the mask, and signals a barrier in each. */
template <int M> __device__ static void tensor_multicast_body(const tensor_cluster_args &a)
{
    const uint32_t tile = ck_shared(ck_smem + a.offset), bar = ck_shared(ck_smem + a.bytes), me = cluster_rank();

    make_ready(a, bar, me);
    if (threadIdx.x == 0 && me == a.issuer)
        load_box_multicast(a.rank, tile, &a.map, a.corner, bar, (uint16_t)a.mask);
    finish(a, bar, me);
}
CK_KERNEL(tensor_multicast, tensor_cluster_args)

/* Each CTA loads its slice of a tile into all CTAs of the mask, so that each has the whole tile. */
template <int M> __device__ static void tensor_slices_body(const tensor_cluster_args &a)
{
    const uint32_t tile = ck_shared(ck_smem + a.offset), bar = ck_shared(ck_smem + a.bytes), me = cluster_rank();
    int32_t corner[5];

    for (uint32_t i = 0; i < 5; i++)
        corner[i] = a.corner[i] + (i + 1 == a.rank ? (int32_t)me * a.slice_step : 0);
    make_ready(a, bar, me);
    if (threadIdx.x == 0)
        load_box_multicast(a.rank, tile + me * a.slice_bytes, &a.map, corner, bar, (uint16_t)a.mask);
    finish(a, bar, me);
}
CK_KERNEL(tensor_slices, tensor_cluster_args)
// SPDX-License-Identifier: Apache-2.0
