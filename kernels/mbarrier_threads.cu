/* Many threads of a CTA and their objects: data handed over, rings, threads that leave, phases without end. */
#include "kernels/ck.cuh"
#include "kernels/mbarrier.h"
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

__device__ static void pause(uint32_t ns)
{
    const uint64_t start = ck_now();

    while (ck_now() - start < ns)
        ;
}

#define ARRIVE(q) asm volatile("{\n\t.reg .b64 s;\n\tmbarrier.arrive" q ".b64 s, [%0];\n\t}" ::"r"(bar) : "memory")

__device__ static void arrive(uint32_t bar, uint32_t form)
{
    if (form & MB_CTA)
        ARRIVE(".release.cta.shared::cta");
    else if (form & MB_CLUSTER)
        ARRIVE(".release.cluster.shared::cta");
    else if (form & MB_RELAXED)
        ARRIVE(".relaxed.cta.shared::cta");
    else if (form & MB_RELAXED_CLUSTER)
        ARRIVE(".relaxed.cluster.shared::cta");
    else
        ARRIVE(".shared");
}

#define DROP(q) asm volatile("{\n\t.reg .b64 s;\n\tmbarrier.arrive_drop" q ".b64 s, [%0];\n\t}" ::"r"(bar) : "memory")

__device__ static void drop(uint32_t bar, uint32_t form)
{
    if (form & MB_CTA)
        DROP(".release.cta.shared::cta");
    else if (form & MB_CLUSTER)
        DROP(".release.cluster.shared::cta");
    else if (form & MB_RELAXED)
        DROP(".relaxed.cta.shared::cta");
    else if (form & MB_RELAXED_CLUSTER)
        DROP(".relaxed.cluster.shared::cta");
    else
        DROP(".shared");
}

#define TEST(q)                                                                                                        \
    asm volatile("{\n\t.reg .pred p;\n\tmbarrier." q ".b64 p, [%1], %2;\n\tselp.b32 %0, 1, 0, p;\n\t}"                 \
                 : "=r"(done)                                                                                          \
                 : "r"(bar), "r"(parity)                                                                               \
                 : "memory")

__device__ static bool test(uint32_t bar, uint32_t parity, uint32_t form, bool try_wait)
{
    uint32_t done;

    if (try_wait) {
        if (form & MB_CTA)
            TEST("try_wait.parity.acquire.cta.shared::cta");
        else if (form & MB_CLUSTER)
            TEST("try_wait.parity.acquire.cluster.shared::cta");
        else if (form & MB_RELAXED)
            TEST("try_wait.parity.relaxed.cta.shared::cta");
        else if (form & MB_RELAXED_CLUSTER)
            TEST("try_wait.parity.relaxed.cluster.shared::cta");
        else
            TEST("try_wait.parity.shared");
    } else {
        if (form & MB_CTA)
            TEST("test_wait.parity.acquire.cta.shared::cta");
        else if (form & MB_CLUSTER)
            TEST("test_wait.parity.acquire.cluster.shared::cta");
        else if (form & MB_RELAXED)
            TEST("test_wait.parity.relaxed.cta.shared::cta");
        else if (form & MB_RELAXED_CLUSTER)
            TEST("test_wait.parity.relaxed.cluster.shared::cta");
        else
            TEST("test_wait.parity.shared");
    }
    return done;
}

__device__ static bool wait(const mbarrier_threads_args &a, uint32_t bar, uint32_t parity)
{
    const uint64_t start = ck_now();

    while (!test(bar, parity, a.wait, a.try_wait))
        if (a.head.limit && ck_now() - start > a.head.limit) {
            ck_timeout(a.head, 0);
            return false;
        }
    return true;
}

__device__ static uint32_t value(uint32_t phase, uint32_t thread)
{
    return phase * 4096 + thread + 1;
}

/* Every thread writes a word, arrives, waits, and reads the word of the thread `shift` further on. Odd warps are slow.
 * out[phase * threads + thread] is what was read. Two buffers in turn: one wait a phase is enough. */
template <int M> __device__ static void mbarrier_exchange_body(const mbarrier_threads_args &a)
{
    const uint32_t bar = ck_shared(ck_smem), n = blockDim.x, i = threadIdx.x;
    uint32_t *words = (uint32_t *)(ck_smem + 16);

    words[i] = words[n + i] = 0;
    if (i == 0) {
        mbarrier_init(bar, M == BY_EXPECT ? 1 : n);
        if (M == BY_EXPECT) /* pending 0 and n bytes too many have come: n announcements of one byte even it out */
            asm volatile("{\n\t.reg .b64 s;\n\tmbarrier.complete_tx.shared.b64 [%0], %1;\n\t"
                         "mbarrier.arrive.shared.b64 s, [%0];\n\t}" ::"r"(bar),
                         "r"(n)
                         : "memory");
    }
    __syncthreads();
    for (uint32_t phase = 0; phase < a.phases; phase++) {
        uint32_t *w = words + (phase & 1) * n;
        uint32_t early = 0;

        if (i / 32 & 1)
            pause(a.delay);
        if (M != STORE_LATE)
            w[i] = value(phase, i);
        if (M == READ_EARLY)
            early = w[(i + a.shift) % n];
        if (M == BY_EXPECT)
            asm volatile("mbarrier.expect_tx.relaxed.cta.shared.b64 [%0], 1;" ::"r"(bar) : "memory");
        else if (a.drop)
            drop(bar, a.form);
        else
            arrive(bar, a.form);
        if (M == STORE_LATE) {
            if (i / 32 & 1)
                pause(a.delay);
            w[i] = value(phase, i);
        }
        if (!wait(a, bar, phase & 1))
            return;
        ((uint32_t *)a.out)[phase * n + i] = M == READ_EARLY ? early : w[(i + a.shift) % n];
    }
}
CK_KERNEL(mbarrier_exchange, mbarrier_threads_args)
CK_MUTANT(mbarrier_exchange, store_late, STORE_LATE, mbarrier_threads_args)
CK_MUTANT(mbarrier_exchange, read_early, READ_EARLY, mbarrier_threads_args)
CK_MUTANT(mbarrier_exchange, by_expect, BY_EXPECT, mbarrier_threads_args)

/* Threads read a word and arrive; the thread that the word belongs to waits and writes it anew. out[thread] is what was
 * read, out[threads + thread] what is there at the end. */
template <int M> __device__ static void mbarrier_overwrite_body(const mbarrier_threads_args &a)
{
    const uint32_t bar = ck_shared(ck_smem), n = blockDim.x, i = threadIdx.x;
    uint32_t *words = (uint32_t *)(ck_smem + 16);
    uint32_t *out = (uint32_t *)a.out;

    words[i] = value(0, i);
    if (i == 0)
        mbarrier_init(bar, n);
    __syncthreads();
    if (M == WRITE_EARLY)
        words[i] = value(1, i);
    if (i / 32 & 1)
        pause(a.delay);
    out[i] = words[(i + a.shift) % n];
    arrive(bar, a.form);
    if (!wait(a, bar, 0))
        return;
    words[i] = value(1, i);
    __syncthreads();
    out[n + i] = words[i];
}
CK_KERNEL(mbarrier_overwrite, mbarrier_threads_args)
CK_MUTANT(mbarrier_overwrite, write_early, WRITE_EARLY, mbarrier_threads_args)

/* Thread 0 makes the object, late; all threads use it. out[thread] is 1 where the wait came true. */
template <int M> __device__ static void mbarrier_publish_body(const mbarrier_threads_args &a)
{
    const uint32_t bar = ck_shared(ck_smem), n = blockDim.x, i = threadIdx.x;

    if (i == 0)
        *(volatile uint64_t *)ck_smem = 0;
    __syncthreads();
    if (i == 0) {
        pause(a.delay);
        mbarrier_init(bar, a.stages);
    }
    if (M != NO_SYNC) {
        if (n <= 32)
            __syncwarp();
        else
            __syncthreads();
    }
    arrive(bar, a.form);
    if (wait(a, bar, 0))
        ((uint32_t *)a.out)[i] = 1;
}
CK_KERNEL(mbarrier_publish, mbarrier_threads_args)
CK_MUTANT(mbarrier_publish, no_sync, NO_SYNC, mbarrier_threads_args)

/* The first half of the threads fills a ring of `stages` slots `phases` times, the second half empties it, slowly.
 * out[item * half + consumer] is what was taken. */
template <int M> __device__ static void mbarrier_ring_body(const mbarrier_threads_args &a)
{
    const uint32_t half = blockDim.x / 2, i = threadIdx.x % half, full = ck_shared(ck_smem),
                   empty = full + 8 * a.stages;
    uint32_t *slots = (uint32_t *)(ck_smem + 16 * a.stages);

    if (threadIdx.x == 0)
        for (uint32_t s = 0; s < 2 * a.stages; s++)
            mbarrier_init(full + 8 * s, half);
    __syncthreads();
    for (uint32_t item = 0; item < a.phases; item++) {
        const uint32_t s = item % a.stages, parity = item / a.stages & 1;
        if (threadIdx.x < half) {
            if (M != NO_EMPTY_WAIT && item >= a.stages && !wait(a, empty + 8 * s, parity ^ 1))
                return;
            slots[s * half + i] = value(item, i);
            arrive(full + 8 * s, a.form);
        } else {
            if (!wait(a, full + 8 * s, parity))
                return;
            pause(a.delay);
            ((uint32_t *)a.out)[item * half + i] = slots[s * half + (i + a.shift) % half];
            arrive(empty + 8 * s, a.form);
        }
    }
}
CK_KERNEL(mbarrier_ring, mbarrier_threads_args)
CK_MUTANT(mbarrier_ring, no_empty_wait, NO_EMPTY_WAIT, mbarrier_threads_args)

/* The second half of the threads drops out in phase 0 and exits; the first half goes on. out[thread] counts the phases
 * that its waits saw complete. */
template <int M> __device__ static void mbarrier_leave_body(const mbarrier_threads_args &a)
{
    const uint32_t bar = ck_shared(ck_smem), n = blockDim.x, i = threadIdx.x;
    if (i == 0)
        mbarrier_init(bar, n);
    __syncthreads();
    if (i >= n / 2) {
        if (M == ARRIVE_ONLY)
            arrive(bar, a.form);
        else
            drop(bar, a.form);
        return;
    }
    for (uint32_t phase = 0; phase < a.phases; phase++) {
        arrive(bar, a.form);
        if (!wait(a, bar, phase & 1))
            return;
        ((uint32_t *)a.out)[i] = phase + 1;
    }
}
CK_KERNEL(mbarrier_leave, mbarrier_threads_args)
CK_MUTANT(mbarrier_leave, arrive_only, ARRIVE_ONLY, mbarrier_threads_args)

/* One thread, many phases. out[0] counts wrong answers, out[1] phases. */
template <int M> __device__ static void mbarrier_phases_body(const mbarrier_threads_args &a)
{
    const uint32_t bar = ck_shared(ck_smem);
    uint32_t wrong = 0, phase;

    mbarrier_init(bar, 1);
    for (phase = 0; phase < a.phases; phase++) {
        wrong += mbarrier_test_parity(bar, phase & 1);
        wrong += !mbarrier_test_parity(bar, phase & 1 ^ 1);
        if (M != SKIP_ONE || phase != a.phases / 2)
            mbarrier_arrive(bar);
        wrong += !mbarrier_test_parity(bar, phase & 1);
    }
    ((uint32_t *)a.out)[0] = wrong;
    ((uint32_t *)a.out)[1] = phase;
}
CK_KERNEL(mbarrier_phases, mbarrier_threads_args)
CK_MUTANT(mbarrier_phases, skip_one, SKIP_ONE, mbarrier_threads_args)

/* `stages` objects of count 1: arrivals on every second one, then on the others, over `phases` phases. out[0] counts
 * objects that were not as they should be. */
template <int M> __device__ static void mbarrier_many_body(const mbarrier_threads_args &a)
{
    const uint32_t first = ck_shared(ck_smem);
    uint32_t wrong = 0;

    for (uint32_t o = threadIdx.x; o < a.stages; o += blockDim.x)
        mbarrier_init(first + 8 * o, 1);
    __syncthreads();
    for (uint32_t phase = 0; phase < a.phases; phase++)
        for (uint32_t half = 0; half < 2; half++) {
            for (uint32_t o = threadIdx.x; o < a.stages; o += blockDim.x) {
                const uint32_t to = M == TWICE && phase == 0 && half == 1 && o == a.stages - 1 ? 0 : o;
                if ((o & 1) == half)
                    mbarrier_arrive(first + 8 * to);
            }
            __syncthreads();
            for (uint32_t o = threadIdx.x; o < a.stages; o += blockDim.x)
                wrong += mbarrier_test_parity(first + 8 * o, phase & 1) != ((o & 1) <= half);
            __syncthreads();
        }
    atomicAdd((unsigned *)a.out, wrong);
}
CK_KERNEL(mbarrier_many, mbarrier_threads_args)
CK_MUTANT(mbarrier_many, twice, TWICE, mbarrier_threads_args)

/* Thread 0 writes a word and arrives `delay` after the others began to wait. out[thread - 1] is the word. */
template <int M> __device__ static void mbarrier_wake_body(const mbarrier_threads_args &a)
{
    const uint32_t bar = ck_shared(ck_smem), i = threadIdx.x;
    uint32_t *word = (uint32_t *)(ck_smem + 16);

    if (i == 0) {
        *word = 0;
        mbarrier_init(bar, 1);
    }
    __syncthreads();
    if (i / 32 == 0) { /* a warp of its own: the others sleep meanwhile */
        if (i == 0) {
            pause(a.delay);
            *word = value(7, 7);
            if (M != NO_ARRIVE)
                arrive(bar, a.form);
        }
        return;
    }
    if (wait(a, bar, 0))
        ((uint32_t *)a.out)[i - 32] = *word;
}
CK_KERNEL(mbarrier_wake, mbarrier_threads_args)
CK_MUTANT(mbarrier_wake, no_arrive, NO_ARRIVE, mbarrier_threads_args)

/* One wait on a phase that does not complete. out[0] is what it returned, out[1] the clocks it took. */
template <int M> __device__ static void mbarrier_time_body(const mbarrier_threads_args &a)
{
    const uint32_t bar = ck_shared(ck_smem);
    uint32_t *out = (uint32_t *)a.out;
    uint64_t from, to;
    bool done;

    mbarrier_init(bar, 1);
    if (M == COMPLETE)
        mbarrier_arrive(bar);
    from = clock64();
    done = test(bar, 0, a.wait, a.try_wait);
    to = clock64();
    out[0] = done;
    out[1] = (uint32_t)(to - from);
}
CK_KERNEL(mbarrier_time, mbarrier_threads_args)
CK_MUTANT(mbarrier_time, complete, COMPLETE, mbarrier_threads_args)
