/* Bulk groups: what a commit gathers, what a wait waits for, and who may read afterwards; the bulk prefetch. */
#include "kernels/bulk.cuh"
#include "kernels/bulk_group.h"

enum { NONE, NO_WAIT, READ_WAIT, OTHER_WAITS, NO_COMMIT, WRONG_WAIT, WRONG_BULK_WAIT, ONE_GROUP, STUCK, LATE };

template <bool READ> __device__ static void wait_pending(uint32_t n)
{
    switch (n) {
#define WAIT(N)                                                                                                        \
    case N:                                                                                                            \
        if (READ)                                                                                                      \
            wait_group_read<N>();                                                                                      \
        else                                                                                                           \
            wait_group<N>();                                                                                           \
        break;
        WAIT(0)
        WAIT(1)
        WAIT(2)
        WAIT(3)
        WAIT(4)
        WAIT(5)
        WAIT(6)
        WAIT(7)
        WAIT(8)
        WAIT(9)
#undef WAIT
    }
}

template <int M> __device__ static void bulk_groups_body(const bulk_groups_args &a)
{
    const uint32_t all = ((a.groups - 1) * a.batch + a.last_batch) * a.size;
    const uint64_t out = a.out + (uint64_t)blockIdx.x * all;
    const uint64_t seen = a.seen + (uint64_t)blockIdx.x * a.look;
    const uint32_t waiter = M == OTHER_WAITS ? 32 : 0;

    fill_shared(0, a.in + (uint64_t)blockIdx.x * all, all);
    fence_proxy_async_shared();
    __syncthreads();
    if (threadIdx.x == 0) {
        uint32_t at = 0;
        for (uint32_t g = 0; g < a.groups; g++) {
            const uint32_t batch = g == a.groups - 1 ? a.last_batch : a.batch;
            for (uint32_t i = 0; i < batch; i++, at += a.size)
                store_to_global(out + at, ck_shared(ck_smem + at), a.size);
            if (M != NO_COMMIT && (!a.merge || g == a.groups - 1))
                commit_group();
        }
        for (uint32_t i = 0; i < a.empty; i++)
            commit_group();
    }
    if (threadIdx.x == waiter) {
        if (M == READ_WAIT)
            wait_pending<true>(a.pending);
        else if (M != NO_WAIT)
            wait_pending<false>(a.pending);
    }
    if (a.reader)
        __syncthreads();
    if (threadIdx.x == (M == OTHER_WAITS ? waiter : a.reader))
        for (uint32_t i = a.look; i; i -= 16)
            *(uint4 *)(seen + i - 16) = *(const uint4 *)(out + i - 16);
    if (threadIdx.x == 0) {
        if (M == NO_COMMIT)
            commit_group();
        wait_group<0>();
    }
}
CK_KERNEL(bulk_groups, bulk_groups_args)
CK_MUTANT(bulk_groups, no_wait, NO_WAIT, bulk_groups_args)
CK_MUTANT(bulk_groups, read_wait, READ_WAIT, bulk_groups_args)
CK_MUTANT(bulk_groups, other_waits, OTHER_WAITS, bulk_groups_args)
CK_MUTANT(bulk_groups, no_commit, NO_COMMIT, bulk_groups_args)

/* Waits that have nothing to wait for. */
template <int M> __device__ static void bulk_wait_none_body(const bulk_group_args &a)
{
    const uint32_t bar = ck_shared(ck_smem);

    if (threadIdx.x == 0) {
        wait_group<0>();
        wait_group<7>();
        wait_group_read<0>();
        wait_group_read<7>();
        if (M == STUCK) {
            mbarrier_init(bar, 1);
            mbarrier_wait_parity(a.head, bar, 0, 0);
        }
        *(uint32_t *)a.out = a.other;
    }
}
CK_KERNEL(bulk_wait_none, bulk_group_args)
CK_MUTANT(bulk_wait_none, stuck, STUCK, bulk_group_args)

/* A long store in one group, a wait with an N that no document rules out, and a look at the last bytes. */
template <int M> __device__ static void bulk_wait_range_body(const bulk_group_args &a)
{
    fill_shared(0, a.in, a.size);
    fence_proxy_async_shared();
    __syncthreads();
    if (threadIdx.x == 0) {
        store_to_global(a.out, ck_shared(ck_smem), a.size);
        commit_group();
        switch (a.other) {
        case 0: asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); break;
        case 1: asm volatile("cp.async.bulk.wait_group 1;" ::: "memory"); break;
        case 2: asm volatile("cp.async.bulk.wait_group 63;" ::: "memory"); break;
        case 3: asm volatile("cp.async.bulk.wait_group 64;" ::: "memory"); break;
        case 4: asm volatile("cp.async.bulk.wait_group 127;" ::: "memory"); break;
        case 5: asm volatile("cp.async.bulk.wait_group 128;" ::: "memory"); break;
        case 6: asm volatile("cp.async.bulk.wait_group 255;" ::: "memory"); break;
        case 7: asm volatile("cp.async.bulk.wait_group 256;" ::: "memory"); break;
        case 8: asm volatile("cp.async.bulk.wait_group 257;" ::: "memory"); break;
        case 9: asm volatile("cp.async.bulk.wait_group 65536;" ::: "memory"); break;
        case 10: asm volatile("cp.async.bulk.wait_group 4294967295;" ::: "memory"); break;
        case 11: asm volatile("cp.async.bulk.wait_group 4294967296;" ::: "memory"); break;
        case 12: asm volatile("cp.async.bulk.wait_group -1;" ::: "memory"); break;
        }
        *(uint4 *)a.seen = *(const uint4 *)(a.out + a.size - 16);
        wait_group<0>();
    }
}
CK_KERNEL(bulk_wait_range, bulk_group_args)

/* CTA 0 stores and then raises a flag; CTA 1 waits for the flag and reads. */
template <int M> __device__ static void bulk_publish_body(const bulk_group_args &a)
{
    if (blockIdx.x == 0) {
        fill_shared(0, a.in, a.size);
        fence_proxy_async_shared();
        __syncthreads();
        if (threadIdx.x == 0) {
            store_to_global(a.out, ck_shared(ck_smem), a.size);
            commit_group();
            if (M != NO_WAIT)
                wait_group<0>();
            asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(a.flag) : "memory");
            wait_group<0>();
        }
    } else if (threadIdx.x == 0) {
        uint32_t up = 0;
        for (const uint64_t start = ck_now(); !up;) {
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(up) : "l"(a.flag) : "memory");
            if (!up && a.head.limit && ck_now() - start > a.head.limit) {
                ck_timeout(a.head, 0);
                return;
            }
        }
        for (uint32_t i = a.size; i; i -= 16)
            *(uint4 *)(a.seen + i - 16) = *(const uint4 *)(a.out + i - 16);
    }
}
CK_KERNEL(bulk_publish, bulk_group_args)
CK_MUTANT(bulk_publish, no_wait, NO_WAIT, bulk_group_args)

/* A cp.async and a bulk store side by side, each waited for by its own kind of wait. */
template <int M> __device__ static void bulk_and_cp_async_body(const bulk_group_args &a)
{
    poison_shared(a.size, a.size);
    fill_shared(0, a.in, a.size);
    fence_proxy_async_shared();
    __syncthreads();
    if (threadIdx.x == 0) {
        for (uint32_t i = 0; i < a.size; i += 16)
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(ck_shared(ck_smem + a.size + i)),
                         "l"(a.in2 + i)
                         : "memory");
        asm volatile("cp.async.commit_group;" ::: "memory");
        store_to_global(a.out, ck_shared(ck_smem), a.size);
        commit_group();
        if (M != WRONG_BULK_WAIT)
            asm volatile("cp.async.wait_group 0;" ::: "memory");
        if (M != WRONG_WAIT)
            wait_group<0>();
        if (M != WRONG_BULK_WAIT)
            for (uint32_t i = a.size; i; i -= 16)
                *(uint4 *)(a.seen + i - 16) = *(const uint4 *)(a.out + i - 16);
        for (uint32_t i = a.size; i; i -= 16)
            *(uint4 *)(a.out2 + i - 16) = *(const uint4 *)(ck_smem + a.size + i - 16);
        if (M == WRONG_BULK_WAIT)
            for (uint32_t i = a.size; i; i -= 16)
                *(uint4 *)(a.seen + i - 16) = *(const uint4 *)(a.out + i - 16);
        asm volatile("cp.async.wait_all;" ::: "memory");
        wait_group<0>();
    }
}
CK_KERNEL(bulk_and_cp_async, bulk_group_args)
CK_MUTANT(bulk_and_cp_async, wrong_wait, WRONG_WAIT, bulk_group_args)
CK_MUTANT(bulk_and_cp_async, wrong_bulk_wait, WRONG_BULK_WAIT, bulk_group_args)

/* Two stores to the same bytes, the second after a wait for the first. */
template <int M> __device__ static void bulk_twice_body(const bulk_group_args &a)
{
    fill_shared(0, a.in, a.size);
    fill_shared(a.size, a.in2, a.size);
    fence_proxy_async_shared();
    __syncthreads();
    if (threadIdx.x == 0) {
        store_to_global(a.out, ck_shared(ck_smem), a.size);
        if (M != ONE_GROUP) {
            commit_group();
            wait_group<0>();
        }
        store_to_global(a.out, ck_shared(ck_smem + a.size), a.size);
        commit_group();
        wait_group<0>();
    }
}
CK_KERNEL(bulk_twice, bulk_group_args)
CK_MUTANT(bulk_twice, one_group, ONE_GROUP, bulk_group_args)

__device__ static void prefetch(uint64_t from, uint32_t size, uint32_t hint)
{
    if (hint)
        asm volatile("cp.async.bulk.prefetch.L2.global.L2::cache_hint [%0], %1, %2;" ::"l"(from), "r"(size),
                     "l"(cache_policy(hint))
                     : "memory");
    else
        asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from), "r"(size) : "memory");
}

/* `out` is prefetched, then written by ordinary stores, then loaded: the load delivers what was written. */
template <int M> __device__ static void bulk_prefetch_body(const bulk_group_args &a)
{
    const uint32_t bar = ck_shared(ck_smem + a.size);

    poison_shared(0, a.size);
    fence_proxy_async_shared();
    if (threadIdx.x == 0) {
        mbarrier_init(bar, 1);
        prefetch(a.in2, a.size, a.hint);
        prefetch(a.out, a.size, a.hint);
        pause(2000);
    }
    __syncthreads();
    if (M != LATE) {
        for (uint32_t i = threadIdx.x * 16; i < a.size; i += blockDim.x * 16)
            *(uint4 *)(a.out + i) = *(const uint4 *)(a.in + i);
        asm volatile("fence.proxy.async;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(bar, a.size);
        load_to_cluster(ck_shared(ck_smem), a.out, a.size, bar);
    }
    mbarrier_wait_parity(a.head, bar, 0, 0);
    if (M == LATE)
        for (uint32_t i = threadIdx.x * 16; i < a.size; i += blockDim.x * 16)
            *(uint4 *)(a.out + i) = *(const uint4 *)(a.in + i);
    dump_shared(a.seen, 0, a.size);
}
CK_KERNEL(bulk_prefetch, bulk_group_args)
CK_MUTANT(bulk_prefetch, late, LATE, bulk_group_args)

/* A prefetch of any address, and a wait for groups after it. */
template <int M> __device__ static void bulk_prefetch_only_body(const bulk_group_args &a)
{
    if (threadIdx.x == 0) {
        prefetch(a.in, a.size, a.hint);
        commit_group();
        wait_group<0>();
        if (M == STUCK) {
            const uint32_t bar = ck_shared(ck_smem);
            mbarrier_init(bar, 1);
            mbarrier_wait_parity(a.head, bar, 0, 0);
        }
        *(uint32_t *)a.out = a.other;
    }
}
CK_KERNEL(bulk_prefetch_only, bulk_group_args)
CK_MUTANT(bulk_prefetch_only, stuck, STUCK, bulk_group_args)
