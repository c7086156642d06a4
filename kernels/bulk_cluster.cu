/* Bulk copies between CTAs of a cluster, and multicast. */
#include "kernels/bulk_multicast.cuh"

/* What a CTA has for copies between CTAs: addresses in its own shared memory. */
struct places {
    uint32_t image, source;
    uint32_t bar, other_bar; /* the second one for a copy that names the wrong barrier */
};

/* Poisons the image, fills the source behind it and the barriers, and waits until the whole cluster has done so. */
__device__ static places begin(const bulk_between_args &a)
{
    const places p = { ck_shared(ck_smem), ck_shared(ck_smem + a.bytes + 128), ck_shared(ck_smem + a.bytes),
                       ck_shared(ck_smem + a.bytes + 16) };

    poison_shared(0, a.bytes);
    fill_shared(a.bytes + 128, a.in + cluster_rank() * a.in_step, a.fill);
    fence_proxy_async_shared(); /* each writer, before the copy reads the one and writes the other */
    if (threadIdx.x == 0) {
        mbarrier_init(p.bar, 1);
        mbarrier_init(p.other_bar, 1);
        fence_mbarrier_init();
    }
    cluster_sync();
    return p;
}

/* Copies out the CTA's image, and says whether its barrier flipped. */
__device__ static void end(const bulk_between_args &a, const places &p)
{
    dump_shared(a.out + cluster_rank() * a.bytes, 0, a.bytes);
    if (threadIdx.x == 0)
        a.flags[cluster_rank()] = mbarrier_test_parity(p.bar, 0);
}

/* Every CTA sends a piece to the CTA `to` ranks on, and waits for what it is sent. */
template <int M> __device__ static void bulk_between_body(const bulk_between_args &a)
{
    const places p = begin(a);
    const uint32_t to = (cluster_rank() + a.to) % cluster_size();

    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(p.bar, a.size);
        copy_to_cluster(in_cta(p.image + a.offset, to), p.source + a.src_offset, a.size, in_cta(p.bar, to));
    }
    mbarrier_wait_parity(a.head, p.bar, 0, 0);
    cluster_sync(); /* all copies have landed; nobody leaves before */
    end(a, p);
}
CK_KERNEL(bulk_between, bulk_between_args)

/* CTA 0 sends a piece to CTA `to`; only that CTA's barrier flips. ELSEWHERE: the copy names the barrier 16 bytes on.
 * OWN_BARRIER: it names the sender's own. EARLY_EXIT: the receiver ends before the copy. */
template <int M> __device__ static void bulk_send_one_body(const bulk_between_args &a)
{
    const places p = begin(a);
    const bool receives = cluster_rank() == a.to;
    const uint32_t bar = in_cta(M == ELSEWHERE ? p.other_bar : p.bar, M == OWN_BARRIER ? 0 : a.to);

    if (M == EARLY_EXIT && receives)
        return;
    if (M == EARLY_EXIT)
        ck_pause(20000);
    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(p.bar, a.size);
        if (cluster_rank() == 0)
            copy_to_cluster(in_cta(p.image + a.offset, a.to), p.source + a.src_offset, a.size, bar);
    }
    if (receives)
        mbarrier_wait_parity(a.head, p.bar, 0, 0);
    if (M != EARLY_EXIT)
        cluster_sync();
    end(a, p);
}
CK_KERNEL(bulk_send_one, bulk_between_args)
CK_MUTANT(bulk_send_one, elsewhere, ELSEWHERE, bulk_between_args)
CK_MUTANT(bulk_send_one, own_barrier, OWN_BARRIER, bulk_between_args)
CK_MUTANT(bulk_send_one, early_exit, EARLY_EXIT, bulk_between_args)

CK_KERNEL(bulk_multicast, bulk_multicast_args)
CK_MUTANT(bulk_multicast, early_exit, EARLY_EXIT, bulk_multicast_args)
CK_MUTANT(bulk_multicast, shifted, SHIFTED, bulk_multicast_args)
CK_MUTANT(bulk_multicast, ctaid, CTAID, bulk_multicast_args)
// SPDX-License-Identifier: Apache-2.0
