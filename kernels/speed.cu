/* Two ways to do the same, timed in turn: shared memory, cp.async and bulk copies in one CTA. */
#include "kernels/speed.cuh"

/* Each warp loads 64 words a lane, all warps the same. First way: lanes are `choice` words apart; second way: one word.
 */
template <int M> __device__ static void speed_banks_body(const speed_args &a)
{
    const auto load = [&](uint32_t stride) {
        const uint32_t at = ck_shared(ck_smem) + threadIdx.x % 32 * stride * 4;
        uint32_t sum = 0;

#pragma unroll
        for (uint32_t i = 0; i < 64; i++)
            sum += word_at(at + i * 128);
        return sum;
    };

    fill_shared(0, a.in, a.bytes);
    measure(
        a, [&](uint32_t) { return load(a.choice); }, [&](uint32_t) { return load(1); });
}
CK_KERNEL(speed_banks, speed_args)

/* All threads copy the same bytes `times` times by cp.async and wait. First way: .ca; second way: .cg. Each run has a
 * source of its own, which is in the L2 cache. */
template <int M> __device__ static void speed_cache_body(const speed_args &a)
{
    const uint32_t dst = ck_shared(ck_smem), at = threadIdx.x * 16;
    const auto source = [&](uint32_t run) { return a.in + (uint64_t)run * a.bytes + at; };

    for (uint32_t i = 0; i < 2 * a.rounds; i++)
        asm volatile("prefetch.global.L2 [%0];" ::"l"(source(i)));
    ck_pause(20000);
    measure(
        a,
        [&](uint32_t run) {
            for (uint32_t i = 0; i < a.times; i++) {
                cp_async_16_ca(dst + at, source(run));
                cp_async_commit();
                cp_async_wait<0>();
            }
            return word_at(dst + at);
        },
        [&](uint32_t run) {
            for (uint32_t i = 0; i < a.times; i++) {
                cp_async_16(dst + at, source(run));
                cp_async_commit();
                cp_async_wait<0>();
            }
            return word_at(dst + at);
        });
}
CK_KERNEL(speed_cache, speed_args)

/* All threads copy `bytes` bytes by cp.async and wait. First way: the source is `choice` bytes past a multiple of 128;
 * second way: at one. */
template <int M> __device__ static void speed_align_body(const speed_args &a)
{
    const uint32_t dst = ck_shared(ck_smem);
    const auto copy = [&](uint32_t offset) {
        copy_tile(dst, a.in + offset, a.bytes);
        cp_async_commit();
        cp_async_wait<0>();
        return word_at(dst + threadIdx.x * 16);
    };

    measure(
        a, [&](uint32_t) { return copy(a.choice); }, [&](uint32_t) { return copy(0); });
}
CK_KERNEL(speed_align, speed_args)

/* `bytes` bytes come into shared memory and all threads may read them. First way: all threads copy by cp.async and
 * wait; second way: thread 0 makes a bulk copy, for which all wait. */
template <int M> __device__ static void speed_size_body(const speed_args &a)
{
    const uint32_t dst = ck_shared(ck_smem), bar = make_barriers(dst + 2 * a.bytes, 1, 1);
    const uint32_t at = threadIdx.x * 4 % a.bytes;
    uint32_t phase = 0;

    measure(
        a,
        [&](uint32_t) {
            copy_tile(dst, a.in, a.bytes);
            cp_async_commit();
            cp_async_wait<0>();
            __syncthreads();
            return word_at(dst + at);
        },
        [&](uint32_t) {
            if (threadIdx.x == 0)
                load_counted(dst + a.bytes, a.in, a.bytes, bar);
            wait_phase(a.head, bar, phase);
            phase ^= 1;
            return word_at(dst + a.bytes + at);
        });
}
CK_KERNEL(speed_size, speed_args)

/* Thread 0 issues a bulk copy and waits for it. The two times are not of two ways: the first is that to issue, the
 * second that to issue and wait. */
template <int M> __device__ static void speed_issue_body(const speed_args &a)
{
    const uint32_t dst = ck_shared(ck_smem), bar = make_barriers(dst + a.bytes, 1, 1);

    for (uint32_t i = 0; i < a.rounds && threadIdx.x == 0; i++) {
        mbarrier_arrive_expect_tx(bar, a.bytes);
        const uint64_t start = clock_ticks();
        load_to_cluster(dst, a.in, a.bytes, bar);
        const uint64_t issued = clock_ticks();
        wait_phase(a.head, bar, i & 1);
        const uint64_t there = clock_ticks();
        a.ticks[2 * i] = issued - start;
        a.ticks[2 * i + 1] = there - start;
        a.sums[0] = a.sums[1] = word_at(dst);
    }
}
CK_KERNEL(speed_issue, speed_args)

/* TILES tiles are loaded and worked on. First way: each is loaded through registers, and worked on when it is there;
 * second way: while threads work on one, the next one comes by cp.async. */
template <int M> __device__ static void speed_overlap_body(const speed_args &a)
{
    const uint32_t tiles = ck_shared(ck_smem);

    measure(
        a,
        [&](uint32_t) {
            uint32_t sum = 0;
            for (uint32_t i = 0; i < TILES; i++) {
                for (uint32_t at = threadIdx.x * 16; at < a.bytes; at += blockDim.x * 16)
                    store_16(at, load_16(a.in + (uint64_t)i * a.bytes + at));
                __syncthreads();
                sum += work_on(tiles, a.bytes, a.times);
                __syncthreads();
            }
            return sum;
        },
        [&](uint32_t) {
            uint32_t sum = 0;
            copy_tile(tiles, a.in, a.bytes);
            cp_async_commit();
            for (uint32_t i = 0; i < TILES; i++) {
                if (i + 1 < TILES)
                    copy_tile(tiles + (i + 1 & 1) * a.bytes, a.in + (uint64_t)(i + 1) * a.bytes, a.bytes);
                cp_async_commit();
                cp_async_wait<1>();
                __syncthreads();
                sum += work_on(tiles + (i & 1) * a.bytes, a.bytes, a.times);
                __syncthreads();
            }
            return sum;
        });
}
CK_KERNEL(speed_overlap, speed_args)

/* TILES tiles come by bulk copies through `stages` places in shared memory, each with an mbarrier, and are worked on in
 * order. `stages` is a power of two below TILES, so a run leaves each mbarrier in the phase in which it found it. */
__device__ static inline uint32_t run_stages(const speed_args &a, uint32_t bars, uint32_t stages)
{
    const uint32_t tiles = ck_shared(ck_smem);
    const auto load = [&](uint32_t tile) {
        const uint32_t place = tile & (stages - 1);
        load_counted(tiles + place * a.bytes, a.in + (uint64_t)tile * a.bytes, a.bytes, bars + place * 8);
    };
    uint32_t sum = 0;

    for (uint32_t i = 0; threadIdx.x == 0 && i < stages; i++)
        load(i);
    for (uint32_t i = 0; i < TILES; i++) {
        wait_phase(a.head, bars + (i & (stages - 1)) * 8, (i & stages) != 0);
        sum += work_on(tiles + (i & (stages - 1)) * a.bytes, a.bytes, a.times);
        __syncthreads();
        if (threadIdx.x == 0 && i + stages < TILES)
            load(i + stages);
    }
    return sum;
}

/* First way: one place, so that each load waits for the work on the tile before; second way: `choice` places. Each way
 * has barriers of its own. */
template <int M> __device__ static void speed_stages_body(const speed_args &a)
{
    const uint32_t bars = ck_shared(ck_smem) + a.choice * a.bytes;

    make_barriers(bars, 1 + a.choice, 1);
    measure(
        a, [&](uint32_t) { return run_stages(a, bars, 1); },
        [&](uint32_t) { return run_stages(a, bars + 8, a.choice); });
}
CK_KERNEL(speed_stages, speed_args)
// SPDX-License-Identifier: Apache-2.0
