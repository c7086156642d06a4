/* Many threads of a CTA and their mbarriers: data handed over, rings, threads that leave, phases without end. */
#include "kernels/mbarrier_form.cuh"
#include "kernels/mbarrier_threads.h"

enum {
    NONE,
    STORE_LATE,
    READ_EARLY,
    WRITE_EARLY,
    NO_SYNC,
    BY_EXPECT,
    NO_EMPTY_WAIT,
    ARRIVE_ONLY,
    SKIP_ONE,
    TWICE,
    NO_ARRIVE,
    COMPLETE
};

/* What a thread writes in a phase: another word for each. */
__device__ static uint32_t word_of(uint32_t phase, uint32_t thread)
{
    return phase * 4096 + thread + 1;
}

/* Makes the threads of odd warps slow. */
__device__ static void lag(uint32_t ns)
{
    if (threadIdx.x / 32 & 1)
        ck_pause(ns);
}

/* Every thread writes a word, arrives, waits, and reads the word of the thread `shift` further on. Phases take turns
 * with two rows of words, so that one wait a phase is enough. out[phase * threads + thread] is what was read. */
template <int M> __device__ static void mbarrier_exchange_body(const mbarrier_exchange_args &a)
{
    const uint32_t bar = ck_shared(ck_smem), n = blockDim.x, i = threadIdx.x, other = (i + a.shift) % n;
    uint32_t *rows = (uint32_t *)(ck_smem + 16);

    rows[i] = 0;
    rows[n + i] = 0;
    if (i == 0)
        mbarrier_init(bar, n);
    __syncthreads();
    for (uint32_t phase = 0; phase < a.phases; phase++) {
        uint32_t *words = rows + (phase & 1) * n, read = 0;

        lag(a.delay);
        if (M != STORE_LATE)
            words[i] = word_of(phase, i);
        if (M == READ_EARLY)
            read = words[other];
        if (a.drop)
            drop_as(a.form, bar);
        else
            arrive_as(a.form, bar);
        if (M == STORE_LATE) {
            lag(a.delay);
            words[i] = word_of(phase, i);
        }
        if (!wait_as(a.head, a.wait, a.try_wait, bar, phase & 1))
            return;
        if (M != READ_EARLY)
            read = words[other];
        a.out[phase * n + i] = read;
    }
}

/* The same in one phase, where each thread signals with expect_tx in place of arriving: nothing is pending and n bytes
 * too many have come, so the phase completes when all n threads have announced one byte. */
template <> __device__ void mbarrier_exchange_body<BY_EXPECT>(const mbarrier_exchange_args &a)
{
    const uint32_t bar = ck_shared(ck_smem), n = blockDim.x, i = threadIdx.x;
    uint32_t *words = (uint32_t *)(ck_smem + 16);

    words[i] = 0;
    if (i == 0) {
        mbarrier_init(bar, 1);
        asm volatile("mbarrier.complete_tx.shared.b64 [%0], %1;" ::"r"(bar), "r"(n) : "memory");
        mbarrier_arrive(bar);
    }
    __syncthreads();
    lag(a.delay);
    words[i] = word_of(0, i);
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared.b64 [%0], 1;" ::"r"(bar) : "memory");
    if (wait_as(a.head, a.wait, a.try_wait, bar, 0))
        a.out[i] = words[(i + a.shift) % n];
}
CK_KERNEL(mbarrier_exchange, mbarrier_exchange_args)
CK_MUTANT(mbarrier_exchange, store_late, STORE_LATE, mbarrier_exchange_args)
CK_MUTANT(mbarrier_exchange, read_early, READ_EARLY, mbarrier_exchange_args)
CK_MUTANT(mbarrier_exchange, by_expect, BY_EXPECT, mbarrier_exchange_args)

/* Threads read a word and arrive; the thread to which the word belongs waits and writes it anew. out[thread] is what
 * was read, out[threads + thread] what is there at the end. */
template <int M> __device__ static void mbarrier_overwrite_body(const mbarrier_exchange_args &a)
{
    const uint32_t bar = ck_shared(ck_smem), n = blockDim.x, i = threadIdx.x;
    uint32_t *words = (uint32_t *)(ck_smem + 16);

    words[i] = word_of(0, i);
    if (i == 0)
        mbarrier_init(bar, n);
    __syncthreads();
    if (M == WRITE_EARLY)
        words[i] = word_of(1, i);
    lag(a.delay);
    a.out[i] = words[(i + a.shift) % n];
    arrive_as(a.form, bar);
    if (!wait_as(a.head, a.wait, a.try_wait, bar, 0))
        return;
    words[i] = word_of(1, i);
    __syncthreads();
    a.out[n + i] = words[i];
}
CK_KERNEL(mbarrier_overwrite, mbarrier_exchange_args)
CK_MUTANT(mbarrier_overwrite, write_early, WRITE_EARLY, mbarrier_exchange_args)

/* Thread 0 makes the mbarrier, late; all threads synchronise with it, then use the mbarrier. out[thread] is 1 where the
 * wait came true. */
template <int M> __device__ static void mbarrier_publish_body(const mbarrier_publish_args &a)
{
    const uint32_t bar = ck_shared(ck_smem), n = blockDim.x, i = threadIdx.x;

    if (i == 0)
        *(volatile uint64_t *)ck_smem = 0;
    __syncthreads();
    if (i == 0) {
        ck_pause(a.delay);
        mbarrier_init(bar, a.count);
    }
    if (M != NO_SYNC) {
        if (n <= 32)
            __syncwarp();
        else
            __syncthreads();
    }
    mbarrier_arrive(bar);
    if (mbarrier_wait_parity(a.head, bar, 0, 0))
        a.out[i] = 1;
}
CK_KERNEL(mbarrier_publish, mbarrier_publish_args)
CK_MUTANT(mbarrier_publish, no_sync, NO_SYNC, mbarrier_publish_args)

/* The first half of the threads puts `items` items into a ring of slots, the second half takes them out, slowly. Slot s
 * has two mbarriers: full[s] completes a phase when the producers filled it, empty[s] when the consumers emptied it.
 * out[item * half + consumer] is what was taken. */
template <int M> __device__ static void mbarrier_ring_body(const mbarrier_ring_args &a)
{
    const uint32_t half = blockDim.x / 2, i = threadIdx.x % half;
    const uint32_t full = ck_shared(ck_smem), empty = full + 8 * a.stages;
    uint32_t *slots = (uint32_t *)(ck_smem + 16 * a.stages);

    if (threadIdx.x == 0)
        for (uint32_t s = 0; s < 2 * a.stages; s++)
            mbarrier_init(full + 8 * s, half);
    __syncthreads();
    for (uint32_t item = 0; item < a.items; item++) {
        const uint32_t s = item % a.stages, parity = item / a.stages & 1;

        if (threadIdx.x < half) {
            const bool used = item >= a.stages; /* the slot holds an older item */
            if (M != NO_EMPTY_WAIT && used && !mbarrier_wait_parity(a.head, empty + 8 * s, parity ^ 1, 0))
                return;
            slots[s * half + i] = word_of(item, i);
            mbarrier_arrive(full + 8 * s);
        } else {
            if (!mbarrier_wait_parity(a.head, full + 8 * s, parity, 0))
                return;
            ck_pause(a.delay);
            a.out[item * half + i] = slots[s * half + (i + a.shift) % half];
            mbarrier_arrive(empty + 8 * s);
        }
    }
}
CK_KERNEL(mbarrier_ring, mbarrier_ring_args)
CK_MUTANT(mbarrier_ring, no_empty_wait, NO_EMPTY_WAIT, mbarrier_ring_args)

/* The second half of the threads drops out in phase 0 and exits; the first half goes on. out[thread] counts the phases
 * that the thread's waits saw complete. */
template <int M> __device__ static void mbarrier_leave_body(const mbarrier_leave_args &a)
{
    const uint32_t bar = ck_shared(ck_smem), n = blockDim.x, i = threadIdx.x;

    if (i == 0)
        mbarrier_init(bar, n);
    __syncthreads();
    if (i >= n / 2) {
        if (M == ARRIVE_ONLY)
            arrive_as(a.form, bar);
        else
            drop_as(a.form, bar);
        return;
    }
    for (uint32_t phase = 0; phase < a.phases; phase++) {
        arrive_as(a.form, bar);
        if (!mbarrier_wait_parity(a.head, bar, phase & 1, 0))
            return;
        a.out[i] = phase + 1;
    }
}
CK_KERNEL(mbarrier_leave, mbarrier_leave_args)
CK_MUTANT(mbarrier_leave, arrive_only, ARRIVE_ONLY, mbarrier_leave_args)

/* One thread goes through many phases, and tests both parities in each. out[0] counts wrong answers, out[1] phases. */
template <int M> __device__ static void mbarrier_phases_body(const mbarrier_count_args &a)
{
    const uint32_t bar = ck_shared(ck_smem);
    uint32_t wrong = 0, phase;

    mbarrier_init(bar, 1);
    for (phase = 0; phase < a.phases; phase++) {
        wrong += mbarrier_test_parity(bar, phase & 1);
        wrong += !mbarrier_test_parity(bar, (phase & 1) ^ 1);
        if (M != SKIP_ONE || phase != a.phases / 2)
            mbarrier_arrive(bar);
        wrong += !mbarrier_test_parity(bar, phase & 1);
    }
    a.out[0] = wrong;
    a.out[1] = phase;
}
CK_KERNEL(mbarrier_phases, mbarrier_count_args)
CK_MUTANT(mbarrier_phases, skip_one, SKIP_ONE, mbarrier_count_args)

/* Mbarriers of count 1: arrivals on every second one, then on the others, in each phase. *out counts the mbarriers that
 * a test found in a wrong phase. */
template <int M> __device__ static void mbarrier_many_body(const mbarrier_count_args &a)
{
    const uint32_t first = ck_shared(ck_smem);
    uint32_t wrong = 0;

    for (uint32_t o = threadIdx.x; o < a.objects; o += blockDim.x)
        mbarrier_init(first + 8 * o, 1);
    __syncthreads();
    for (uint32_t phase = 0; phase < a.phases; phase++)
        for (uint32_t half = 0; half < 2; half++) {
            for (uint32_t o = threadIdx.x; o < a.objects; o += blockDim.x) {
                const bool last = phase == 0 && half == 1 && o == a.objects - 1;
                const uint32_t to = M == TWICE && last ? 0 : o;
                if ((o & 1) == half)
                    mbarrier_arrive(first + 8 * to);
            }
            __syncthreads();
            for (uint32_t o = threadIdx.x; o < a.objects; o += blockDim.x)
                wrong += mbarrier_test_parity(first + 8 * o, phase & 1) != ((o & 1) <= half);
            __syncthreads();
        }
    atomicAdd(a.out, wrong);
}
CK_KERNEL(mbarrier_many, mbarrier_count_args)
CK_MUTANT(mbarrier_many, twice, TWICE, mbarrier_count_args)

/* Thread 0, in a warp of its own, writes a word and arrives `delay` after the others began to wait for it.
 * out[thread - 32] is the word that a thread of the other warps read. */
template <int M> __device__ static void mbarrier_wake_body(const mbarrier_wake_args &a)
{
    const uint32_t bar = ck_shared(ck_smem), i = threadIdx.x;
    uint32_t *word = (uint32_t *)(ck_smem + 16);

    if (i == 0) {
        *word = 0;
        mbarrier_init(bar, 1);
    }
    __syncthreads();
    if (i == 0) {
        ck_pause(a.delay);
        *word = word_of(7, 7);
        if (M != NO_ARRIVE)
            mbarrier_arrive(bar);
    }
    if (i >= 32 && wait_as(a.head, a.wait, true, bar, 0))
        a.out[i - 32] = *word;
}
CK_KERNEL(mbarrier_wake, mbarrier_wake_args)
CK_MUTANT(mbarrier_wake, no_arrive, NO_ARRIVE, mbarrier_wake_args)

/* One wait on a phase that does not complete. out[0] is what it returned, out[1] the clocks that it took. */
template <int M> __device__ static void mbarrier_time_body(const mbarrier_time_args &a)
{
    const uint32_t bar = ck_shared(ck_smem);
    uint64_t from, to;
    bool done;

    mbarrier_init(bar, 1);
    if (M == COMPLETE)
        mbarrier_arrive(bar);
    from = clock64();
    done = a.try_wait ? try_wait_as(a.wait, bar, 0) : test_wait_as(a.wait, bar, 0);
    to = clock64();
    a.out[0] = done;
    a.out[1] = (uint32_t)(to - from);
}
CK_KERNEL(mbarrier_time, mbarrier_time_args)
CK_MUTANT(mbarrier_time, complete, COMPLETE, mbarrier_time_args)
// SPDX-License-Identifier: Apache-2.0
