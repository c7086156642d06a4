/* What the kernels that measure time share: two ways in turn, and the clock. */
#ifndef COPYCHECK_SPEED_CUH
#define COPYCHECK_SPEED_CUH

#include "kernels/bulk.cuh"
#include "kernels/speed.h"

/* The clock of this SM. No access to memory moves across it. */
__device__ static inline uint64_t clock_ticks()
{
    uint64_t now;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(now)::"memory");
    return now;
}

/* Ends when the thread has got this: what is behind it is not begun while a load is on its way. */
__device__ static inline void have(uint32_t got)
{
    if (got == 0xFFFFFFFF)
        asm volatile("nanosleep.u32 0;");
}

/* Runs both ways in turn; every other round begins with the second one. A way is called by all threads of the CTA with
 * the number of its run, which tells it apart from all others, and returns what the thread got. `prepare` goes before
 * it. A run lasts until the last thread of CTA 0 has got its words. A thread may run past a barrier up to its next
 * instruction that needs it, so there are two before the clock is read, and none between the end of a thread's part and
 * its reading. */
template <class Prepare, class First, class Second>
__device__ static inline void measure(const speed_args &a, Prepare prepare, First first, Second second)
{
    for (uint32_t i = 0; i < 2 * a.rounds; i++) {
        const uint32_t round = i / 2, way = (i + round) & 1;

        prepare();
        __syncthreads();
        __syncthreads();
        const uint64_t start = clock_ticks();
        const uint32_t got = way ? second(2 * round + 1) : first(2 * round);
        have(got);
        const uint64_t end = clock_ticks();
        if (blockIdx.x == 0)
            atomicMax((unsigned long long *)&a.ticks[2 * round + way], (unsigned long long)(end - start));
        a.sums[(way * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x] = got;
    }
}

template <class First, class Second>
__device__ static inline void measure(const speed_args &a, First first, Second second)
{
    measure(
        a, [] {}, first, second);
}

/* A word of shared memory, read where the program says. */
__device__ static inline uint32_t word_at(uint32_t shared)
{
    uint32_t word;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(word) : "r"(shared) : "memory");
    return word;
}

/* 16 bytes, as the sum of their words. */
__device__ static inline uint32_t words_at(uint32_t shared)
{
    uint32_t w[4];
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3])
                 : "r"(shared)
                 : "memory");
    return w[0] + w[1] + w[2] + w[3];
}

/* Loads of 16 bytes that the L1 cache does not keep, and stores to shared memory. */
__device__ static inline uint4 load_16(const unsigned char *from)
{
    uint4 v;
    asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(from)
                 : "memory");
    return v;
}

__device__ static inline void store_16(uint32_t offset, uint4 v)
{
    asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(ck_shared(ck_smem) + offset), "r"(v.x), "r"(v.y),
                 "r"(v.z), "r"(v.w)
                 : "memory");
}

__device__ static inline void cp_async_16(uint32_t dst, const unsigned char *src)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(dst), "l"(src) : "memory");
}

__device__ static inline void cp_async_16_ca(uint32_t dst, const unsigned char *src)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(dst), "l"(src) : "memory");
}

__device__ static inline void cp_async_commit()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

template <int N> __device__ static inline void cp_async_wait()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}

/* All threads copy, each its part in steps of 16 bytes. */
__device__ static inline void copy_tile(uint32_t dst, const unsigned char *src, uint32_t bytes)
{
    for (uint32_t i = threadIdx.x * 16; i < bytes; i += blockDim.x * 16)
        cp_async_16(dst + i, src + i);
}

/* Makes mbarriers, 8 bytes apart, that expect so many arrivals in a phase, and returns the first. */
__device__ static inline uint32_t make_barriers(uint32_t first, uint32_t count, uint32_t arrivals)
{
    for (uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
        mbarrier_init(first + i * 8, arrivals);
        fence_mbarrier_init();
    }
    __syncthreads();
    return first;
}

/* Waits for the phase of this parity, as the guide does, with no clock in the loop: that would be a part of what is
 * measured. The number of attempts is bounded. */
__device__ static inline void wait_phase(const ck_head &h, uint32_t bar, uint32_t parity)
{
    enum { ATTEMPTS = 1 << 14 };
    uint32_t done = 0;

    for (uint32_t i = 0; i < ATTEMPTS && !done; i++)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(bar), "r"(parity)
                     : "memory");
    if (!done)
        ck_timeout(h, 0);
}

/* A bulk load whose bytes the barrier is told of. */
__device__ static inline void load_counted(uint32_t dst, const unsigned char *src, uint32_t bytes, uint32_t bar)
{
    mbarrier_arrive_expect_tx(bar, bytes);
    load_to_cluster(dst, src, bytes, bar);
}

enum { TILES = 16 }; /* that a run of the kernels with stages works on */

/* What threads do with a tile between two copies: `times` steps on each of their words. */
__device__ static inline uint32_t work_on(uint32_t tile, uint32_t bytes, uint32_t times)
{
    uint32_t sum = 0;

    for (uint32_t i = threadIdx.x * 4; i < bytes; i += blockDim.x * 4) {
        uint32_t x = word_at(tile + i);
        for (uint32_t k = 0; k < times; k++)
            x = x * 1664525u + 1013904223u;
        sum += x;
    }
    return sum;
}

#endif
// SPDX-License-Identifier: Apache-2.0
