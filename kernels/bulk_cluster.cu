/* Bulk copies between CTAs of a cluster, and multicast. */
#include "kernels/bulk_multicast.cuh"

template <int M> __device__ static void bulk_between_body(const bulk_between_args &a)
{
    const uint32_t rank = cluster_rank(), n = cluster_size();
    const uint32_t from = (rank + n - a.shift) % n;
    const uint32_t bar = ck_shared(ck_smem + a.bytes);
    const uint32_t source = a.bytes + 128; /* room for the barrier; a.bytes is a multiple of 128 */
    const bool expects = a.senders >> from & 1;

    poison_shared(0, a.bytes);
    fill_shared(source, a.in + rank * a.in_step, a.fill);
    fence_proxy_async_shared(); /* each writer, before the copy reads the one and writes the other */
    if (threadIdx.x == 0) {
        mbarrier_init(bar, 1);
        mbarrier_init(bar + 16, 1); /* for a copy that names the wrong one */
        fence_mbarrier_init();
    }
    cluster_sync();
    if (M == EARLY_EXIT && expects)
        return;
    if (M == EARLY_EXIT)
        pause(20000);
    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(bar, a.expect);
        if (a.senders >> rank & 1)
            copy_to_cluster(in_cta(ck_shared(ck_smem + a.offset), (rank + a.shift) % n),
                            ck_shared(ck_smem + source + a.src_offset), a.size,
                            in_cta(bar + a.bar_offset, (rank + a.bar_shift) % n));
    }
    if (expects)
        mbarrier_wait_parity(a.head, bar, 0, 0);
    if (M != EARLY_EXIT)
        cluster_sync(); /* all copies have landed; nobody leaves before */
    dump_shared(a.out + rank * a.bytes, 0, a.bytes);
    if (threadIdx.x == 0)
        ((uint32_t *)a.flags)[rank] = mbarrier_test_parity(bar, 0);
}
CK_KERNEL(bulk_between, bulk_between_args)
CK_MUTANT(bulk_between, early_exit, EARLY_EXIT, bulk_between_args)

CK_KERNEL(bulk_multicast, bulk_multicast_args)
CK_MUTANT(bulk_multicast, early_exit, EARLY_EXIT, bulk_multicast_args)
CK_MUTANT(bulk_multicast, shifted, SHIFTED, bulk_multicast_args)
