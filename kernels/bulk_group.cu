/* Bulk groups: what a commit gathers, what a wait waits for, and who may read afterwards; the bulk prefetch. */
#include "kernels/bulk.cuh"
#include "kernels/bulk_group.h"

enum { NONE, NO_WAIT, READ_WAIT, OTHER_WAITS, NO_COMMIT, MERGE, WRONG_WAIT, WRONG_BULK_WAIT, ONE_GROUP, STUCK, LATE };

/* wait_group with each constant that a case asks for. */
__device__ static void wait_pending(uint32_t n)
{
    switch (n) {
    case 0: wait_group<0>(); break;
    case 1: wait_group<1>(); break;
    case 2: wait_group<2>(); break;
    case 3: wait_group<3>(); break;
    case 4: wait_group<4>(); break;
    case 5: wait_group<5>(); break;
    case 6: wait_group<6>(); break;
    case 7: wait_group<7>(); break;
    case 8: wait_group<8>(); break;
    case 9: wait_group<9>(); break;
    }
}

/* ---- stores in groups, and a look at what is there behind the wait ----------------------------------------------- */

/* Store `i` of the CTA. */
__device__ static void store(const bulk_groups_args &a, uint32_t i)
{
    store_to_global(a.out + (uint64_t)blockIdx.x * a.bytes + i * a.size, ck_shared(ck_smem + i * a.size), a.size);
}

/* What the executing thread finds in the destination now. */
__device__ static void look(const bulk_groups_args &a)
{
    copy_backwards(a.seen + (uint64_t)blockIdx.x * a.look, a.out + (uint64_t)blockIdx.x * a.bytes, a.look);
}

/* Groups with one store each; the wait lets some of the newest be unfinished. NO_WAIT: no wait. */
template <int M> __device__ static void bulk_groups_body(const bulk_groups_args &a)
{
    fill_for_store(a.in + (uint64_t)blockIdx.x * a.bytes, a.bytes);
    if (threadIdx.x == 0) {
        for (uint32_t g = 0; g < a.groups; g++) {
            store(a, g);
            commit_group();
        }
        if (M != NO_WAIT)
            wait_pending(a.pending);
        look(a);
        wait_group<0>();
    }
}
CK_KERNEL(bulk_groups, bulk_groups_args)
CK_MUTANT(bulk_groups, no_wait, NO_WAIT, bulk_groups_args)

/* A group of several stores and one of a single store; the wait lets the newer one be unfinished. MERGE: one commit
 * gathers them all. */
template <int M> __device__ static void bulk_batch_body(const bulk_groups_args &a)
{
    fill_for_store(a.in + (uint64_t)blockIdx.x * a.bytes, a.bytes);
    if (threadIdx.x == 0) {
        for (uint32_t i = 0; i < a.batch; i++)
            store(a, i);
        if (M != MERGE)
            commit_group();
        store(a, a.batch);
        commit_group();
        wait_group<1>();
        look(a);
        wait_group<0>();
    }
}
CK_KERNEL(bulk_batch, bulk_groups_args)
CK_MUTANT(bulk_batch, merge, MERGE, bulk_groups_args)

/* A group with one store, then empty groups; the wait lets as many be unfinished as there are empty ones. */
template <int M> __device__ static void bulk_empty_groups_body(const bulk_groups_args &a)
{
    fill_for_store(a.in + (uint64_t)blockIdx.x * a.bytes, a.bytes);
    if (threadIdx.x == 0) {
        store(a, 0);
        commit_group();
        for (uint32_t i = 0; i < a.empty; i++)
            commit_group();
        wait_pending(a.pending);
        look(a);
        wait_group<0>();
    }
}
CK_KERNEL(bulk_empty_groups, bulk_groups_args)

/* Two groups with one store each, and a wait for both; the thread that waited looks. NO_WAIT: no wait. READ_WAIT: a
 * wait for the reading of the sources alone. OTHER_WAITS: a thread that committed nothing waits and looks. NO_COMMIT:
 * the stores belong to no group. */
template <int M> __device__ static void bulk_two_groups_body(const bulk_groups_args &a)
{
    fill_for_store(a.in + (uint64_t)blockIdx.x * a.bytes, a.bytes);
    if (threadIdx.x == 0)
        for (uint32_t g = 0; g < 2; g++) {
            store(a, g);
            if (M != NO_COMMIT)
                commit_group();
        }
    if (threadIdx.x == (M == OTHER_WAITS ? 32 : 0)) {
        if (M == READ_WAIT)
            wait_group_read<0>();
        else if (M != NO_WAIT)
            wait_group<0>();
        look(a);
    }
    if (threadIdx.x == 0) { /* so that nothing stays in flight */
        commit_group();
        wait_group<0>();
    }
}
CK_KERNEL(bulk_two_groups, bulk_groups_args)
CK_MUTANT(bulk_two_groups, no_wait, NO_WAIT, bulk_groups_args)
CK_MUTANT(bulk_two_groups, read_wait, READ_WAIT, bulk_groups_args)
CK_MUTANT(bulk_two_groups, other_waits, OTHER_WAITS, bulk_groups_args)
CK_MUTANT(bulk_two_groups, no_commit, NO_COMMIT, bulk_groups_args)

/* The same, with a barrier of the CTA behind the wait, and another thread that looks. NO_WAIT: no wait. */
template <int M> __device__ static void bulk_read_elsewhere_body(const bulk_groups_args &a)
{
    fill_for_store(a.in + (uint64_t)blockIdx.x * a.bytes, a.bytes);
    if (threadIdx.x == 0) {
        for (uint32_t g = 0; g < 2; g++) {
            store(a, g);
            commit_group();
        }
        if (M != NO_WAIT)
            wait_group<0>();
    }
    __syncthreads();
    if (threadIdx.x == a.reader)
        look(a);
    if (threadIdx.x == 0)
        wait_group<0>();
}
CK_KERNEL(bulk_read_elsewhere, bulk_groups_args)
CK_MUTANT(bulk_read_elsewhere, no_wait, NO_WAIT, bulk_groups_args)

/* ---- waits ------------------------------------------------------------------------------------------------------ */

/* Waits for a barrier that nobody arrives at: a launch that goes through it hangs. */
__device__ static void wait_for_nobody(const ck_head &h)
{
    const uint32_t bar = ck_shared(ck_smem);

    mbarrier_init(bar, 1);
    mbarrier_wait_parity(h, bar, 0, 0);
}

/* Waits that have nothing to wait for; then the word `other` goes to `out`. */
template <int M> __device__ static void bulk_wait_none_body(const bulk_group_args &a)
{
    if (threadIdx.x == 0) {
        wait_group<0>();
        wait_group<7>();
        wait_group_read<0>();
        wait_group_read<7>();
        if (M == STUCK)
            wait_for_nobody(a.head);
        *(uint32_t *)a.out = a.other;
    }
}
CK_KERNEL(bulk_wait_none, bulk_group_args)
CK_MUTANT(bulk_wait_none, stuck, STUCK, bulk_group_args)

/* A long store of `in` to `out` in one group, a wait with an N that no document rules out (choice `other`), and a look
 * at the last 16 bytes. */
template <int M> __device__ static void bulk_wait_range_body(const bulk_group_args &a)
{
    fill_for_store(a.in, a.size);
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

/* Waits until the flag is raised, and acquires what its raising released; false if it takes too long. */
__device__ static bool await_flag(const ck_head &h, const uint32_t *flag)
{
    const uint64_t start = ck_now();
    uint32_t up = 0;

    while (!up) {
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(up) : "l"(flag) : "memory");
        if (!up && h.limit && ck_now() - start > h.limit) {
            ck_timeout(h, 0);
            return false;
        }
    }
    return true;
}

/* CTA 0 stores `in` to `out`, waits, and then raises a flag; CTA 1 waits for the flag and copies `out` to `seen`.
 * NO_WAIT: the flag is raised before the wait. */
template <int M> __device__ static void bulk_publish_body(const bulk_group_args &a)
{
    if (blockIdx.x == 0) {
        fill_for_store(a.in, a.size);
        if (threadIdx.x == 0) {
            store_to_global(a.out, ck_shared(ck_smem), a.size);
            commit_group();
            if (M != NO_WAIT)
                wait_group<0>();
            asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(a.flag) : "memory");
            wait_group<0>();
        }
    } else if (threadIdx.x == 0 && await_flag(a.head, a.flag)) {
        copy_backwards(a.seen, a.out, a.size);
    }
}
CK_KERNEL(bulk_publish, bulk_group_args)
CK_MUTANT(bulk_publish, no_wait, NO_WAIT, bulk_group_args)

/* A cp.async of `in2` to shared memory and a bulk store of `in` to `out` side by side, each waited for by its own kind
 * of wait; then the stored bytes go to `seen` and the copied ones to `out2`. WRONG_WAIT: no wait of the bulk kind.
 * WRONG_BULK_WAIT: no wait of the other kind, and the copied bytes are read first. */
template <int M> __device__ static void bulk_and_cp_async_body(const bulk_group_args &a)
{
    unsigned char *const copied = ck_smem + a.size;

    poison_shared(a.size, a.size);
    fill_for_store(a.in, a.size);
    if (threadIdx.x == 0) {
        for (uint32_t i = 0; i < a.size; i += 16)
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(ck_shared(copied + i)), "l"(a.in2 + i)
                         : "memory");
        asm volatile("cp.async.commit_group;" ::: "memory");
        store_to_global(a.out, ck_shared(ck_smem), a.size);
        commit_group();
        if (M != WRONG_BULK_WAIT)
            asm volatile("cp.async.wait_group 0;" ::: "memory");
        if (M != WRONG_WAIT)
            wait_group<0>();
        if (M != WRONG_BULK_WAIT)
            copy_backwards(a.seen, a.out, a.size);
        copy_backwards(a.out2, copied, a.size);
        if (M == WRONG_BULK_WAIT)
            copy_backwards(a.seen, a.out, a.size);
        asm volatile("cp.async.wait_all;" ::: "memory");
        wait_group<0>();
    }
}
CK_KERNEL(bulk_and_cp_async, bulk_group_args)
CK_MUTANT(bulk_and_cp_async, wrong_wait, WRONG_WAIT, bulk_group_args)
CK_MUTANT(bulk_and_cp_async, wrong_bulk_wait, WRONG_BULK_WAIT, bulk_group_args)

/* Two stores to the same bytes of `out`, of `in` and then of `in2`, the second after a wait for the first. ONE_GROUP:
 * both in one group, without a wait between them. */
template <int M> __device__ static void bulk_twice_body(const bulk_group_args &a)
{
    fill_shared(a.size, a.in2, a.size);
    fill_for_store(a.in, a.size);
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

/* ---- prefetch --------------------------------------------------------------------------------------------------- */

__device__ static void prefetch(const unsigned char *from, uint32_t size, uint32_t hint)
{
    if (hint)
        asm volatile("cp.async.bulk.prefetch.L2.global.L2::cache_hint [%0], %1, %2;" ::"l"(from), "r"(size),
                     "l"(cache_policy(hint))
                     : "memory");
    else
        asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from), "r"(size) : "memory");
}

/* `out` is prefetched, then ordinary stores write `in` there, then a load brings it to `seen`: it delivers what was
 * written. `in2` is prefetched and stays as it is. LATE: the stores come after the load. */
template <int M> __device__ static void bulk_prefetch_body(const bulk_group_args &a)
{
    const uint32_t bar = image_and_barrier(a.size);

    if (threadIdx.x == 0) {
        prefetch(a.in2, a.size, a.hint);
        prefetch(a.out, a.size, a.hint);
        ck_pause(2000);
    }
    __syncthreads();
    if (M != LATE)
        copy_global(a.out, a.in, a.size);
    asm volatile("fence.proxy.async;" ::: "memory"); /* each writer, before the load reads what it wrote */
    __syncthreads();
    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(bar, a.size);
        load_to_cluster(ck_shared(ck_smem), a.out, a.size, bar);
    }
    mbarrier_wait_parity(a.head, bar, 0, 0);
    if (M == LATE)
        copy_global(a.out, a.in, a.size);
    dump_shared(a.seen, 0, a.size);
}
CK_KERNEL(bulk_prefetch, bulk_group_args)
CK_MUTANT(bulk_prefetch, late, LATE, bulk_group_args)

/* A prefetch from any address, and a wait for groups after it; then the word `other` goes to `out`. */
template <int M> __device__ static void bulk_prefetch_only_body(const bulk_group_args &a)
{
    if (threadIdx.x == 0) {
        prefetch(a.in, a.size, a.hint);
        commit_group();
        wait_group<0>();
        if (M == STUCK)
            wait_for_nobody(a.head);
        *(uint32_t *)a.out = a.other;
    }
}
CK_KERNEL(bulk_prefetch_only, bulk_group_args)
CK_MUTANT(bulk_prefetch_only, stuck, STUCK, bulk_group_args)
// SPDX-License-Identifier: Apache-2.0
