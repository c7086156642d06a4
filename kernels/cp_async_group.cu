/* Groups of cp.async: commits, waits, and what is there after them. */
#include "kernels/cp_async.cuh"

enum { NONE, CLOBBER, NO_COMMIT };

__device__ static uint32_t start(uint32_t bytes)
{
    const uint32_t bar = ck_shared(ck_smem) + bytes;

    if (threadIdx.x == 0)
        mbarrier_init(bar, blockDim.x);
    poison_shared(bytes);
    return bar;
}

__device__ static void copy_one(const cp_async_group_args &a, uint64_t far_off, uint32_t group, uint32_t copy)
{
    const uint32_t slot = (group * a.copies + copy) * blockDim.x + threadIdx.x;
    const uint64_t from =
        group == a.slow && copy >= a.far ? far_off + 128 * (copy * blockDim.x + threadIdx.x) : a.near_by + 16 * slot;

    cp_async(a.form, ck_shared(ck_smem) + slot * cp_async_size(a.form), from);
}

/* The thread's copies of group `read`, the one issued last first: it is the one that may be late. */
__device__ static void give_group(const cp_async_group_args &a)
{
    const uint32_t size = cp_async_size(a.form);

    for (uint32_t c = a.copies; c-- > 0;)
        give_out(a.out + 16 * (c * blockDim.x + threadIdx.x),
                 ck_shared(ck_smem) + ((a.read * a.copies + c) * blockDim.x + threadIdx.x) * size, size);
}

/* Empty groups, groups with copies, empty groups, one wait. Done twice, the second time with far sources that were not
 * read before: by then the code itself is near, and the reads follow the wait within some hundred clock ticks. */
template <int M> __device__ static void cp_async_groups_body(const cp_async_group_args &a)
{
    const uint32_t bytes = cp_async_size(a.form) * a.groups * a.copies * blockDim.x;
    const uint32_t bar = start(bytes);
    uint64_t far_off = a.far_off;

    for (uint32_t s = threadIdx.x; s < a.groups * a.copies * blockDim.x; s += blockDim.x) {
        uint32_t word; /* brings the near sources near */
        asm volatile("ld.global.u32 %0, [%1];" : "=r"(word) : "l"(a.near_by + 16 * s) : "memory");
    }
    for (uint32_t round = 0; round < 2; round++) {
        poison_shared(bytes);
        for (uint32_t e = 0; e < a.before; e++)
            cp_async_commit();
        for (uint32_t g = 0; g < a.groups; g++) {
            const uint32_t loose = g == a.groups - 1 ? a.loose : 0;

            for (uint32_t c = 0; c < a.copies - loose; c++)
                copy_one(a, far_off, g, c);
            if (loose < a.copies)
                cp_async_commit();
            for (uint32_t c = a.copies - loose; c < a.copies; c++)
                copy_one(a, far_off, g, c);
        }
        for (uint32_t e = 0; e < a.after; e++)
            cp_async_commit();
        cp_async_wait(a.head, a.wait, bar);
        cp_async_wait(a.head, a.then, bar);
        give_group(a);
        cp_async_wait_all();
        __syncthreads();
        far_off += 128 * a.copies * blockDim.x;
    }
}
CK_KERNEL(cp_async_groups, cp_async_group_args)

/* One group, waited for `what` times over. CLOBBER writes the destination between the waits. */
template <int M> __device__ static void cp_async_group_again_body(const cp_async_group_args &a)
{
    const uint32_t bar = start(cp_async_size(a.form) * a.copies * blockDim.x);

    for (uint32_t c = 0; c < a.copies; c++)
        copy_one(a, a.far_off, 0, c);
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
    const uint32_t bar = start(cp_async_size(a.form) * a.copies * blockDim.x);

    for (uint32_t c = 0; c < a.copies; c++)
        copy_one(a, a.far_off, 0, c);
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
    const uint32_t bar = start(cp_async_size(a.form) * a.groups * a.copies * blockDim.x);

    for (uint32_t g = 0; g < a.groups; g++)
        for (uint32_t party = 0; party < a.what; party++) {
            if (threadIdx.x % a.what == party) {
                for (uint32_t c = 0; c < a.copies; c++)
                    copy_one(a, a.far_off, g, c);
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
    const uint32_t bar = start(cp_async_size(a.form) * a.copies * blockDim.x);

    for (uint32_t c = 0; c < a.copies; c++)
        copy_one(a, a.far_off, 0, c);
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
