/* Groups of cp.async: commits, waits, and what is there after them. */
#include "kernels/cp_async.cuh"

enum { NONE, CLOBBER, NO_COMMIT, LOOSE, WAIT_GROUP };

/* Bytes of the slots of all groups. */
__device__ static uint32_t slot_bytes(const cp_async_group_args &a)
{
    return cp_async_size(a.form) * a.groups * a.copies * blockDim.x;
}

/* The number of the executing thread's slot for this copy. */
__device__ static uint32_t slot_of(const cp_async_group_args &a, uint32_t group, uint32_t copy)
{
    return (group * a.copies + copy) * blockDim.x + threadIdx.x;
}

/* Poisons the slots, and makes the mbarrier behind them for one arrival of each thread. */
__device__ static uint32_t start(const cp_async_group_args &a)
{
    const uint32_t bar = ck_shared(ck_smem) + slot_bytes(a);

    if (threadIdx.x == 0)
        mbarrier_init(bar, blockDim.x);
    poison_and_meet(slot_bytes(a));
    return bar;
}

__device__ static const unsigned char *near_source(const cp_async_group_args &a, uint32_t group, uint32_t copy)
{
    return a.near_by + 16 * slot_of(a, group, copy);
}

/* `round` counts from 0; each has far sources of its own. */
__device__ static const unsigned char *far_source(const cp_async_group_args &a, uint32_t round, uint32_t copy)
{
    return a.far_off + 128 * ((round * a.copies + copy) * blockDim.x + threadIdx.x);
}

/* The executing thread's copy into its slot. */
__device__ static void copy_to_slot(const cp_async_group_args &a, uint32_t group, uint32_t copy,
                                    const unsigned char *from)
{
    cp_async(a.form, ck_shared(ck_smem) + slot_of(a, group, copy) * cp_async_size(a.form), from);
}

/* The thread's copies of a group: those of group `slow` come from far away. */
__device__ static void copy_group(const cp_async_group_args &a, uint32_t round, uint32_t group)
{
    for (uint32_t c = 0; c < a.copies; c++)
        copy_to_slot(a, group, c, group == a.slow ? far_source(a, round, c) : near_source(a, group, c));
}

/* The thread's copies of group `read`, the one issued last first: it is the one that may be late. */
__device__ static void give_group(const cp_async_group_args &a)
{
    const uint32_t size = cp_async_size(a.form);

    for (uint32_t c = a.copies; c-- > 0;)
        give_out(a.out + 16 * (c * blockDim.x + threadIdx.x), ck_shared(ck_smem) + slot_of(a, a.read, c) * size, size);
}

/* Some kernels do their copies twice, the second time with far sources that were not read before: by then the code
 * itself is near, and the reads follow the wait within some hundred clock ticks. */
enum { ROUNDS = 2 };

/* Before the first round: brings the near sources near. */
__device__ static void warm_up(const cp_async_group_args &a)
{
    for (uint32_t s = threadIdx.x; s < a.groups * a.copies * blockDim.x; s += blockDim.x)
        asm volatile("{ .reg .u32 word; ld.global.u32 word, [%0]; }" ::"l"(a.near_by + 16 * s) : "memory");
}

/* Ends a round: what is in the slots now comes out, and nothing stays in flight. */
__device__ static void end_round(const cp_async_group_args &a)
{
    give_group(a);
    cp_async_wait_all();
    __syncthreads();
}

/* Empty groups, groups with copies, empty groups, and a wait that lets some of them be unfinished. */
template <int M> __device__ static void cp_async_groups_body(const cp_async_group_args &a)
{
    const uint32_t bar = start(a);

    warm_up(a);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        poison_and_meet(slot_bytes(a));
        for (uint32_t e = 0; e < a.before; e++)
            cp_async_commit();
        for (uint32_t g = 0; g < a.groups; g++) {
            copy_group(a, round, g);
            cp_async_commit();
        }
        for (uint32_t e = 0; e < a.after; e++)
            cp_async_commit();
        cp_async_wait(a.head, a.wait, bar);
        cp_async_wait(a.head, a.then, bar);
        end_round(a);
    }
}
CK_KERNEL(cp_async_groups, cp_async_group_args)

/* One group whose last copy alone is late: the commit gathers all copies before it. LOOSE: the last copy is issued
 * behind the commit, so the group does not have it. */
template <int M> __device__ static void cp_async_group_last_body(const cp_async_group_args &a)
{
    const uint32_t last = a.copies - 1;

    start(a);
    warm_up(a);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        poison_and_meet(slot_bytes(a));
        for (uint32_t c = 0; c < last; c++)
            copy_to_slot(a, 0, c, near_source(a, 0, c));
        if (M == LOOSE)
            cp_async_commit();
        copy_to_slot(a, 0, last, far_source(a, round, last));
        if (M != LOOSE)
            cp_async_commit();
        cp_async_wait_group(0);
        end_round(a);
    }
}
CK_KERNEL(cp_async_group_last, cp_async_group_args)
CK_MUTANT(cp_async_group_last, loose, LOOSE, cp_async_group_args)

/* One group: copies, a commit, and a wait for all groups. NO_COMMIT: the copies belong to no group. */
template <int M> __device__ static void cp_async_group_one_body(const cp_async_group_args &a)
{
    start(a);
    warm_up(a);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        poison_and_meet(slot_bytes(a));
        copy_group(a, round, 0);
        if (M != NO_COMMIT)
            cp_async_commit();
        cp_async_wait_group(0);
        end_round(a);
    }
}
CK_KERNEL(cp_async_group_one, cp_async_group_args)
CK_MUTANT(cp_async_group_one, no_commit, NO_COMMIT, cp_async_group_args)

/* Copies without a commit, and cp.async.wait_all, which waits for them all the same. WAIT_GROUP: wait_group 0, which
 * does not. */
template <int M> __device__ static void cp_async_group_none_body(const cp_async_group_args &a)
{
    start(a);
    warm_up(a);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        poison_and_meet(slot_bytes(a));
        copy_group(a, round, 0);
        if (M == WAIT_GROUP)
            cp_async_wait_group(0);
        else
            cp_async_wait_all();
        end_round(a);
    }
}
CK_KERNEL(cp_async_group_none, cp_async_group_args)
CK_MUTANT(cp_async_group_none, wait_group, WAIT_GROUP, cp_async_group_args)

/* One group, which the thread waits for `what` times and once more. CLOBBER: it writes the destination between the
 * waits. */
template <int M> __device__ static void cp_async_group_again_body(const cp_async_group_args &a)
{
    const uint32_t bar = start(a);

    copy_group(a, 0, 0);
    cp_async_commit();
    for (uint32_t i = 0; i <= a.what; i++) {
        cp_async_wait(a.head, a.wait, bar);
        if (M == CLOBBER && i == 0)
            store_shared(ck_shared(ck_smem) + threadIdx.x * cp_async_size(a.form), 0);
    }
    give_group(a);
}
CK_KERNEL(cp_async_group_again, cp_async_group_args)
CK_MUTANT(cp_async_group_again, clobber, CLOBBER, cp_async_group_args)

/* A group of copies, then a commit under the guard `what`, then the wait. */
template <int M> __device__ static void cp_async_group_guard_body(const cp_async_group_args &a)
{
    const uint32_t bar = start(a);

    copy_group(a, 0, 0);
    cp_async_commit();
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0; @p cp.async.commit_group; }" ::"r"(a.what) : "memory");
    cp_async_wait(a.head, a.wait, bar);
    give_group(a);
    cp_async_wait_all();
}
CK_KERNEL(cp_async_group_guard, cp_async_group_args)

/* The lanes of a warp issue and commit in `what` parties, one after the other. */
template <int M> __device__ static void cp_async_group_parties_body(const cp_async_group_args &a)
{
    const uint32_t bar = start(a);

    for (uint32_t g = 0; g < a.groups; g++)
        for (uint32_t party = 0; party < a.what; party++) {
            if (threadIdx.x % a.what == party) {
                copy_group(a, 0, g);
                cp_async_commit();
            }
            __syncwarp();
        }
    cp_async_wait(a.head, a.wait, bar);
    give_group(a);
    cp_async_wait_all();
}
CK_KERNEL(cp_async_group_parties, cp_async_group_args)

/* One group that an mbarrier tracks too. NO_COMMIT leaves it to the mbarrier alone. */
template <int M> __device__ static void cp_async_group_both_body(const cp_async_group_args &a)
{
    const uint32_t bar = start(a);

    copy_group(a, 0, 0);
    cp_async_arrive_noinc(bar);
    if (M != NO_COMMIT)
        cp_async_commit();
    switch (a.wait) {
    case CP_WAIT_TEST: mbarrier_wait_parity(a.head, bar, 0, 0); break;
    case CP_WAIT_TRY: mbarrier_try_wait(a.head, bar, 0); break;
    default: cp_async_wait(a.head, a.wait, bar);
    }
    give_group(a);
    cp_async_wait_all();
    mbarrier_wait_parity(a.head, bar, 0, 1);
}
CK_KERNEL(cp_async_group_both, cp_async_group_args)
CK_MUTANT(cp_async_group_both, no_commit, NO_COMMIT, cp_async_group_args)
// SPDX-License-Identifier: Apache-2.0
