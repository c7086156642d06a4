/* Tile loads within a cluster: into another CTA, into several, slice by slice. */
#include "kernels/box.cuh"
#include "kernels/tensor.h"

__device__ static uint32_t cta_rank()
{
    uint32_t rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

__device__ static uint32_t at_cta(uint32_t shared, uint32_t rank)
{
    uint32_t mapped;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(mapped) : "r"(shared), "r"(rank));
    return mapped;
}

/* Every thread of the cluster; also orders what they did to shared memory before. */
__device__ static void cluster_barrier()
{
    asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

/* A CTA whose bytes do not come leaves its wait by the limit, so that all meet at the last barrier. */
template <int M> __device__ static void tensor_cluster_body(const tensor_cluster_args &a)
{
    const uint32_t me = cta_rank(), bar = ck_shared(ck_smem + a.bytes), tile = ck_shared(ck_smem + a.offset);
    box_operands b = { .corner = a.corner, .rank = a.rank, .map = (uint64_t)&a.map, .mask = (uint16_t)a.mask };
    int32_t corner[5];

    poison_image(ck_smem, a.bytes);
    if (threadIdx.x == 0) {
        mbarrier_init(bar, 1);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        mbarrier_arrive_expect_tx(bar, a.expect[me]);
    }
    __syncthreads();
    cluster_barrier();
    if (threadIdx.x == 0) {
        if (a.kind == TENSOR_REMOTE && me == a.issuer) {
            b.shared = at_cta(tile, a.to);
            b.bar = at_cta(bar, a.signal);
            load_box(b);
        }
        if (a.kind == TENSOR_MULTICAST && me == a.issuer) {
            b.shared = tile;
            b.bar = bar;
            load_box_multicast(b);
        }
        if (a.kind == TENSOR_SLICES) {
            for (uint32_t i = 0; i < 5; i++)
                corner[i] = a.corner[i] + (i + 1 == a.rank ? (int32_t)me * a.slice_step : 0);
            b.corner = corner;
            b.shared = tile + me * a.slice_bytes;
            b.bar = bar;
            load_box_multicast(b);
        }
        mbarrier_wait_parity(a.head, bar, 0, me);
    }
    __syncthreads();
    cluster_barrier();
    if (threadIdx.x == 0) {
        linger(20000);
        if (mbarrier_test_parity(bar, 0)) {
            mbarrier_arrive(bar);
            mbarrier_wait_parity(a.head, bar, 1, 16 + me);
        }
    }
    __syncthreads();
    cluster_barrier(); /* no CTA leaves while another may still write to it */
    write_out(a.out + (uint64_t)me * a.bytes, ck_smem, a.bytes);
}
CK_KERNEL(tensor_cluster, tensor_cluster_args)
