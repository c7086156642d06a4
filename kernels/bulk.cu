/* Bulk copies of one CTA: loads, stores, and the bytes that the barrier counts. */
#include "kernels/bulk_load.cuh"

struct to_cluster {
    uint32_t hint;
    uint64_t policy;

    __device__ void operator()(uint32_t dst, uint64_t src, uint32_t size, uint32_t bar) const
    {
        if (hint)
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint"
                         " [%0], [%1], %2, [%3], %4;" ::"r"(dst),
                         "l"(src), "r"(size), "r"(bar), "l"(policy)
                         : "memory");
        else
            load_to_cluster(dst, src, size, bar);
    }
};

template <int M> __device__ static void bulk_load_body(const bulk_load_args &a)
{
    load_pieces<M>(a, to_cluster{ a.hint, cache_policy(a.hint) });
}
CK_KERNEL(bulk_load, bulk_load_args)
CK_MUTANT(bulk_load, no_wait, NO_WAIT, bulk_load_args)
CK_MUTANT(bulk_load, no_sync, NO_SYNC, bulk_load_args)
CK_MUTANT(bulk_load, bar_aside, BAR_ASIDE, bulk_load_args)
CK_MUTANT(bulk_load, leave, LEAVE, bulk_load_args)

enum { NO_FENCE = 10, STORE_FIRST, NO_COMMIT };

__device__ static void store_pieces(const bulk_store_args &a, uint64_t policy)
{
    for (uint32_t i = 0; i < a.copies; i++) {
        const uint32_t src = ck_shared(ck_smem + a.offset + i * a.step);
        if (a.hint)
            asm volatile("cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%0], [%1], %2, %3;" ::"l"(
                             a.out + i * a.step),
                         "r"(src), "r"(a.size), "l"(policy)
                         : "memory");
        else
            store_to_global(a.out + i * a.step, src, a.size);
    }
    commit_group();
}

template <int M> __device__ static void bulk_store_body(const bulk_store_args &a)
{
    const uint64_t policy = cache_policy(a.hint);

    poison_shared(0, a.bytes);
    fence_proxy_async_shared();
    __syncthreads();
    if (M == STORE_FIRST && threadIdx.x == 0)
        store_pieces(a, policy);
    if (M == STORE_FIRST)
        __syncthreads();
    if (threadIdx.x >= a.first && threadIdx.x < a.last) {
        for (uint32_t i = (threadIdx.x - a.first) * 16; i < a.bytes; i += (a.last - a.first) * 16)
            *(uint4 *)(ck_smem + i) = *(const uint4 *)(a.in + i);
        if (M != NO_FENCE)
            fence_proxy_async_shared(); /* each writer orders its own writes before the store reads them */
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        if (M != STORE_FIRST)
            store_pieces(a, policy);
        wait_group<0>();
    }
}
CK_KERNEL(bulk_store, bulk_store_args)
CK_MUTANT(bulk_store, no_fence, NO_FENCE, bulk_store_args)
CK_MUTANT(bulk_store, store_first, STORE_FIRST, bulk_store_args)

__device__ static void expect_tx(uint32_t bar, uint32_t bytes)
{
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(bytes) : "memory");
}

template <int M> __device__ static void bulk_tx_body(const bulk_tx_args &a)
{
    const uint32_t bar = ck_shared(ck_smem + a.bytes);
    uint32_t *const flags = (uint32_t *)a.flags;
    uint32_t piece = 0;

    poison_shared(0, a.bytes);
    fence_proxy_async_shared();
    __syncthreads();
    if (threadIdx.x == 0) {
        mbarrier_init(bar, a.arrivals);
        if (a.early_expect)
            expect_tx(bar, a.early_expect);
        for (uint32_t i = 0; i < a.early_arrive; i++)
            mbarrier_arrive(bar);
        for (uint32_t i = 0; i < a.early_copies; i++, piece += a.size)
            load_to_cluster(ck_shared(ck_smem + piece), a.in + piece, a.size, bar);
        if (a.complete)
            asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(a.complete)
                         : "memory");

        const uint64_t start = ck_now();
        bool flipped = false;
        do
            flipped = mbarrier_test_parity(bar, 0);
        while (!flipped && ck_now() - start < a.probe);
        flags[0] = flipped;

        if (a.late_expect)
            expect_tx(bar, a.late_expect);
        for (uint32_t i = 0; i < a.late_copies; i++, piece += a.late_size)
            load_to_cluster(ck_shared(ck_smem + piece), a.in + piece, a.late_size, bar);
        for (uint32_t i = 0; i < a.late_arrive; i++)
            mbarrier_arrive(bar);
        flags[1] = mbarrier_wait_parity(a.head, bar, 0, 0);
        flags[2] = mbarrier_test_parity(bar, 1);
    }
    __syncthreads();
    if (threadIdx.x)
        mbarrier_wait_parity(a.head, bar, 0, 1);
    dump_shared(a.out, 0, a.bytes);
}
CK_KERNEL(bulk_tx, bulk_tx_args)

enum { ONE_LANE = 20, INVERTED };

template <int M> __device__ static void bulk_lanes_body(const bulk_lanes_args &a)
{
    const uint32_t lane = threadIdx.x;
    const uint32_t bar = ck_shared(ck_smem + 512);
    const uint32_t dst = ck_shared(ck_smem + lane * 16);
    const uint64_t src = a.in + lane * 16;
    const uint32_t mask = M == INVERTED ? ~a.mask : M == ONE_LANE ? a.mask & 0u - a.mask : a.mask;
    const uint32_t on = mask >> lane & 1;

    poison_shared(0, 512);
    fence_proxy_async_shared();
    if (lane == 0) {
        mbarrier_init(bar, 1);
        mbarrier_arrive_expect_tx(bar, a.expect);
    }
    __syncwarp();
    if (!a.branch)
        asm volatile(
            "{ .reg .pred p; setp.ne.u32 p, %3, 0;\n\t"
            "@p cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 16, [%2]; }" ::"r"(dst),
            "l"(src), "r"(bar), "r"(on)
            : "memory");
    else if (on)
        load_to_cluster(dst, src, 16, bar);
    __syncwarp();
    mbarrier_wait_parity(a.head, bar, 0, 0);
    dump_shared(a.out, 0, 512);
}
CK_KERNEL(bulk_lanes, bulk_lanes_args)
CK_MUTANT(bulk_lanes, one_lane, ONE_LANE, bulk_lanes_args)
CK_MUTANT(bulk_lanes, inverted, INVERTED, bulk_lanes_args)
