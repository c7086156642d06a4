/* Two ways to do the same, timed in turn: loads through registers, mbarriers, roles of warps, clusters. */
#include "kernels/speed.cuh"

/* ---- loads through registers ---- */

/* Each thread brings `times` times N pieces of 16 bytes into shared memory: it loads N, then stores N. */
template <uint32_t N> __device__ static inline uint32_t bring(const speed_args &a, uint32_t times)
{
    const uint32_t at = threadIdx.x * 16, step = blockDim.x * 16;

#pragma unroll 1
    for (uint32_t i = 0; i < times; i++) {
        uint4 v[N];
#pragma unroll
        for (uint32_t k = 0; k < N; k++)
            v[k] = load_16(a.in + at + (i * N + k) * step);
#pragma unroll
        for (uint32_t k = 0; k < N; k++)
            store_16(at + (i * N + k) * step, v[k]);
    }
    return word_at(ck_shared(ck_smem) + at);
}

/* 16 pieces for each thread. First way: one load, one store, in turn; second way: `choice` loads, then their stores. */
template <int M> __device__ static void speed_batch_body(const speed_args &a)
{
    const auto one = [&](uint32_t) { return bring<1>(a, 16); };

    switch (a.choice) {
    case 2: measure(a, one, [&](uint32_t) { return bring<2>(a, 8); }); break;
    case 4: measure(a, one, [&](uint32_t) { return bring<4>(a, 4); }); break;
    case 8: measure(a, one, [&](uint32_t) { return bring<8>(a, 2); }); break;
    }
}
CK_KERNEL(speed_batch, speed_args)

/* 8 pieces of 16 bytes for each thread, by loads before their stores; nothing is timed. */
template <int M> __device__ static void stage_registers_body(const speed_args &a)
{
    a.sums[threadIdx.x] = bring<8>(a, 1);
}
CK_KERNEL(stage_registers, speed_args)

/* The same by cp.async. */
template <int M> __device__ static void stage_cp_async_body(const speed_args &a)
{
    const uint32_t dst = ck_shared(ck_smem) + threadIdx.x * 16;

#pragma unroll
    for (uint32_t k = 0; k < 8; k++)
        cp_async_16(dst + k * blockDim.x * 16, a.in + threadIdx.x * 16 + k * blockDim.x * 16);
    cp_async_commit();
    cp_async_wait<0>();
    a.sums[threadIdx.x] = word_at(dst);
}
CK_KERNEL(stage_cp_async, speed_args)

/* A thread follows a ring of offsets for `times` steps. First way: through global memory, with .ca or .cg as `choice`
 * says; second way: through a copy of it in shared memory. */
template <int M> __device__ static void speed_latency_body(const speed_args &a)
{
    const auto follow = [&](uint32_t (*step)(const speed_args &, uint32_t)) {
        uint32_t at = 0;
#pragma unroll 8
        for (uint32_t i = 0; i < a.times; i++)
            at = step(a, at);
        return at;
    };
    const auto cached = [](const speed_args &b, uint32_t at) {
        uint32_t next;
        asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(next) : "l"(b.in + at) : "memory");
        return next;
    };
    const auto at_l2 = [](const speed_args &b, uint32_t at) {
        uint32_t next;
        asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(next) : "l"(b.in + at) : "memory");
        return next;
    };
    const auto shared = [](const speed_args &, uint32_t at) { return word_at(ck_shared(ck_smem) + at); };

    fill_shared(0, a.in, a.bytes);
    measure(
        a, [&](uint32_t) { return a.choice ? follow(at_l2) : follow(cached); },
        [&](uint32_t) { return follow(shared); });
}
CK_KERNEL(speed_latency, speed_args)

/* ---- waits of an mbarrier ---- */

/* All threads arrive and wait, `times` times, which is even. First way: by the token of the arrival; second way: by the
 * phase's parity. Each way has a barrier of its own. */
template <int M> __device__ static void speed_parity_body(const speed_args &a)
{
    const uint32_t bars = make_barriers(ck_shared(ck_smem), 2, blockDim.x);

    measure(
        a,
        [&](uint32_t) {
            for (uint32_t i = 0; i < a.times; i++) {
                uint64_t token;
                uint32_t done = 0;
                asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(bars) : "memory");
                for (uint32_t k = 0; k < 1 << 14 && !done; k++)
                    asm volatile("{ .reg .pred p; mbarrier.try_wait.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
                                 : "=r"(done)
                                 : "r"(bars), "l"(token)
                                 : "memory");
                if (!done)
                    ck_timeout(a.head, 0);
            }
            return a.times;
        },
        [&](uint32_t) {
            for (uint32_t i = 0; i < a.times; i++) {
                mbarrier_arrive(bars + 8);
                wait_phase(a.head, bars + 8, i & 1);
            }
            return a.times;
        });
}
CK_KERNEL(speed_parity, speed_args)

/* ---- who loads ---- */

enum { CONSUMERS = 128, PLACES = 4 };

/* The warps from `first` on work on TILES tiles, which come through PLACES places. Each place has an mbarrier for "it
 * is full" and, PLACES further on, one for "all have read it". `loader` loads: a thread of a warp of its own, or the
 * first of the workers, who goes on to load when he is through with a tile. A run leaves each mbarrier in the phase in
 * which it found it. */
__device__ static inline uint32_t run_roles(const speed_args &a, uint32_t loader, uint32_t first, uint32_t full)
{
    const uint32_t tiles = ck_shared(ck_smem), empty = full + PLACES * 8;
    const auto load = [&](uint32_t tile) {
        const uint32_t place = tile % PLACES;
        if (tile >= PLACES)
            wait_phase(a.head, empty + place * 8, (tile / PLACES - 1) & 1);
        load_counted(tiles + place * a.bytes, a.in + (uint64_t)tile * a.bytes, a.bytes, full + place * 8);
    };
    const bool works = threadIdx.x >= first, loads = threadIdx.x == loader;
    uint32_t sum = 0;

    for (uint32_t i = 0; loads && i < (works ? PLACES : TILES); i++)
        load(i);
    for (uint32_t i = 0; works && i < TILES; i++) {
        const uint32_t place = i % PLACES;
        wait_phase(a.head, full + place * 8, i / PLACES & 1);
        for (uint32_t w = (threadIdx.x - first) * 4; w < a.bytes; w += CONSUMERS * 4) {
            uint32_t x = word_at(tiles + place * a.bytes + w);
            for (uint32_t k = 0; k < a.times; k++)
                x = x * 1664525u + 1013904223u;
            sum += x;
        }
        mbarrier_arrive(empty + place * 8);
        if (loads && i + PLACES < TILES)
            load(i + PLACES);
    }
    for (uint32_t place = 0; loads && place < PLACES; place++)
        wait_phase(a.head, empty + place * 8, (TILES / PLACES - 1) & 1);
    return sum;
}

/* The last CONSUMERS threads work. First way: a lane of their first warp loads too; second way: a lane of warp 0, which
 * does nothing else. Each way has barriers of its own. */
template <int M> __device__ static void speed_roles_body(const speed_args &a)
{
    const uint32_t first = blockDim.x - CONSUMERS, bars = ck_shared(ck_smem) + PLACES * a.bytes;

    for (uint32_t way = 0; way < 2; way++) {
        make_barriers(bars + way * PLACES * 16, PLACES, 1);
        make_barriers(bars + way * PLACES * 16 + PLACES * 8, PLACES, CONSUMERS);
    }
    measure(
        a, [&](uint32_t) { return run_roles(a, first, first, bars); },
        [&](uint32_t) { return run_roles(a, 0, first, bars + PLACES * 16); });
}
CK_KERNEL(speed_roles, speed_args)

/* ---- clusters ---- */

/* Every CTA of a cluster gets the same `bytes` bytes. First way: each CTA loads them; second way: rank 0 loads them for
 * all. Before a run the CTAs of the cluster meet, and each barrier is told of the bytes. */
template <int M> __device__ static void speed_multicast_body(const speed_args &a)
{
    const unsigned char *const src = a.in + (uint64_t)cluster_number() * a.bytes;
    const uint32_t dst = ck_shared(ck_smem), bar = make_barriers(dst + a.bytes, 1, 1), rank = cluster_rank();
    const uint16_t all = (uint16_t)((1u << cluster_size()) - 1);
    uint32_t phase = 0;
    const auto meet = [&] {
        if (threadIdx.x == 0)
            mbarrier_arrive_expect_tx(bar, a.bytes);
        cluster_sync();
    };
    const auto get = [&] {
        wait_phase(a.head, bar, phase);
        phase ^= 1;
        return word_at(dst + threadIdx.x * 4);
    };

    measure(
        a, meet,
        [&](uint32_t) {
            if (threadIdx.x == 0)
                load_to_cluster(dst, src, a.bytes, bar);
            return get();
        },
        [&](uint32_t) {
            if (threadIdx.x == 0 && rank == 0)
                load_multicast(dst, src, a.bytes, bar, all);
            return get();
        });
    cluster_sync(); /* nobody leaves while bytes may come */
}
CK_KERNEL(speed_multicast, speed_args)
// SPDX-License-Identifier: Apache-2.0
