/* Two ways to do the same, timed in turn: tensor copies and the maps that they go by. */
#include "kernels/box.cuh"
#include "kernels/speed.cuh"

__device__ static inline void load_counted_2d(uint32_t tile, const void *map, uint32_t bytes, uint32_t bar)
{
    const int32_t corner[5] = { 0 };

    mbarrier_arrive_expect_tx(bar, bytes);
    load_box(2, tile, map, corner, bar);
}

/* Where the 16 bytes at this offset of a tile lie, whose rows are `row` bytes long and swizzled over so many. */
__device__ static inline uint32_t swizzled(uint32_t offset, uint32_t row)
{
    return offset ^ (offset >> 7 & (row / 16 - 1)) << 4;
}

/* Each warp reads a tile of 32 rows, of `choice` bytes each, by columns of 16 bytes: each lane from a row of its own.
 * First way: the tile came as it is; second way: swizzled over a row's bytes. */
template <int M> __device__ static void speed_swizzle_body(const speed_map_args &a)
{
    const uint32_t tile = ck_shared(ck_smem), row = a.s.choice, size = 32 * row;
    const uint32_t bar = make_barriers(tile + 2 * 4096, 1, 1);
    const auto read = [&](uint32_t from, bool swizzle) {
        uint32_t sum = 0;
#pragma unroll 1
        for (uint32_t i = 0; i < a.s.times; i++)
            for (uint32_t column = 0; column < row; column += 16) {
                const uint32_t at = threadIdx.x % 32 * row + column;
                sum += words_at(from + (swizzle ? swizzled(at, row) : at));
            }
        return sum;
    };

    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(bar, 2 * size);
        const int32_t corner[5] = { 0 };
        load_box(2, tile, &a.first, corner, bar);
        load_box(2, tile + 4096, &a.second, corner, bar);
    }
    wait_phase(a.s.head, bar, 0);
    measure(
        a.s, [&](uint32_t) { return read(tile, false); }, [&](uint32_t) { return read(tile + 4096, true); });
}
CK_KERNEL(speed_swizzle, speed_map_args)

/* Loads of the same number of bytes by two maps of three dimensions. */
template <int M> __device__ static void speed_maps_body(const speed_map_args &a)
{
    const uint32_t tile = ck_shared(ck_smem), bar = make_barriers(tile + 2 * a.s.bytes, 1, 1);
    const int32_t corner[5] = { 0 };
    uint32_t phase = 0;
    const auto load = [&](uint32_t to, const ck_tmap *map) {
        if (threadIdx.x == 0) {
            mbarrier_arrive_expect_tx(bar, a.s.bytes);
            load_box(3, to, map, corner, bar);
        }
        wait_phase(a.s.head, bar, phase);
        phase ^= 1;
        return word_at(to + threadIdx.x * 4);
    };

    measure(
        a.s, [&](uint32_t) { return load(tile, &a.first); },
        [&](uint32_t) { return load(tile + a.s.bytes, &a.second); });
}
CK_KERNEL(speed_maps, speed_map_args)

/* Times the first load by a map: run i goes by map i of `map_of`. */
template <class Map> __device__ static inline void measure_first_loads(const speed_args &a, Map map_of)
{
    const uint32_t tile = ck_shared(ck_smem), bar = make_barriers(tile + 2 * a.bytes, 1, 1);
    uint32_t phase = 0;
    const auto load = [&](uint32_t run) {
        const uint32_t to = tile + (run & 1) * a.bytes;
        if (threadIdx.x == 0)
            load_counted_2d(to, map_of(run), a.bytes, bar);
        wait_phase(a.head, bar, phase);
        phase ^= 1;
        return word_at(to + threadIdx.x * 4);
    };

    measure(a, load, load);
}

/* Receives maps before the launch. */
__constant__ __align__(128) ck_tmap speed_constant[SPEED_MAPS];

/* The map of this number in parameter, constant or global memory. */
__device__ static inline const ck_tmap *map_in(const speed_maps_args &a, uint32_t space, uint32_t number)
{
    return space == SPEED_PARAMETER ? &a.parameter[number]
           : space == SPEED_GLOBAL  ? a.global + number
                                    : &speed_constant[number];
}

/* A map that the host wrote to global memory is acquired before it is used, and before anything is timed. */
__device__ static inline void acquire_maps(const speed_maps_args &a)
{
    if (a.s.choice == SPEED_GLOBAL && threadIdx.x < 2 * a.s.rounds)
        asm volatile("fence.proxy.tensormap::generic.acquire.sys [%0], 128;" ::"l"(a.global + threadIdx.x) : "memory");
    __syncthreads();
    ck_pause(20000);
}

/* Each map is used once, and is where `choice` says. Second way: it was prefetched some time before. */
template <int M> __device__ static void speed_prefetch_body(const speed_maps_args &a)
{
    acquire_maps(a);
    if (threadIdx.x < a.s.rounds)
        asm volatile("prefetch.tensormap [%0];" ::"l"(map_in(a, a.s.choice, 2 * threadIdx.x + 1)) : "memory");
    ck_pause(20000);
    measure_first_loads(a.s, [&](uint32_t run) { return map_in(a, a.s.choice, run); });
}
CK_KERNEL(speed_prefetch, speed_maps_args)

/* Each map is used once. First way: it is where `choice` says; second way: a parameter. */
template <int M> __device__ static void speed_space_body(const speed_maps_args &a)
{
    acquire_maps(a);
    measure_first_loads(a.s, [&](uint32_t run) { return map_in(a, run & 1 ? SPEED_PARAMETER : a.s.choice, run); });
}
CK_KERNEL(speed_space, speed_maps_args)
// SPDX-License-Identifier: Apache-2.0
