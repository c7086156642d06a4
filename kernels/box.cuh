/* Copies of one box of a tensor, and what kernels do before and after them.
 *
 * Each function has the operands of its instruction, in the instruction's order, and the rank before them: 1 to 5.
 * `tile` and `bar` are shared addresses, `map` is a generic one. `corner` is where the box starts in the tensor: five
 * coordinates in elements, dimension 0 (the fastest) first; an instruction of a lower rank takes the first of them. */
#ifndef COPYCHECK_KERNELS_BOX_CUH
#define COPYCHECK_KERNELS_BOX_CUH

#include "kernels/ck.cuh"
#include "kernels/cluster.cuh"
#include "kernels/shared.cuh"

/* The rank is a part of the instruction's name, so each rank needs an instruction of its own. COPY is one of the macros
 * below, which spell the instruction; its operands 0 to 4 are the coordinates. */
#define AT_RANK(rank, COPY, ...)                                                                                       \
    switch (rank) {                                                                                                    \
    case 1: COPY("1d", "{%0}", __VA_ARGS__); break;                                                                    \
    case 2: COPY("2d", "{%0, %1}", __VA_ARGS__); break;                                                                \
    case 3: COPY("3d", "{%0, %1, %2}", __VA_ARGS__); break;                                                            \
    case 4: COPY("4d", "{%0, %1, %2, %3}", __VA_ARGS__); break;                                                        \
    default: COPY("5d", "{%0, %1, %2, %3, %4}", __VA_ARGS__); break;                                                   \
    }
#define COORDINATES(corner) "r"((corner)[0]), "r"((corner)[1]), "r"((corner)[2]), "r"((corner)[3]), "r"((corner)[4])

/* ---- loads: from global memory into a tile; their bytes count on `bar` ---- */
#define LOAD_BOX(RANK, AT, tile, map, corner, bar)                                                                     \
    asm volatile("cp.async.bulk.tensor." RANK ".shared::cluster.global.tile.mbarrier::complete_tx::bytes"              \
                 " [%5], [%6, " AT "], [%7];" ::COORDINATES(corner),                                                   \
                 "r"(tile), "l"(map), "r"(bar)                                                                         \
                 : "memory")
__device__ static inline void load_box(uint32_t rank, uint32_t tile, const void *map, const int32_t *corner,
                                       uint32_t bar)
{
    AT_RANK(rank, LOAD_BOX, tile, map, corner, bar);
}

/* Names no mode: then the mode is .tile. */
#define LOAD_BOX_MODELESS(RANK, AT, tile, map, corner, bar)                                                            \
    asm volatile("cp.async.bulk.tensor." RANK ".shared::cluster.global.mbarrier::complete_tx::bytes"                   \
                 " [%5], [%6, " AT "], [%7];" ::COORDINATES(corner),                                                   \
                 "r"(tile), "l"(map), "r"(bar)                                                                         \
                 : "memory")
__device__ static inline void load_box_modeless(uint32_t rank, uint32_t tile, const void *map, const int32_t *corner,
                                                uint32_t bar)
{
    AT_RANK(rank, LOAD_BOX_MODELESS, tile, map, corner, bar);
}

#define LOAD_BOX_HINT(RANK, AT, tile, map, corner, bar, policy)                                                        \
    asm volatile("cp.async.bulk.tensor." RANK ".shared::cluster.global.tile.mbarrier::complete_tx::bytes"              \
                 ".L2::cache_hint [%5], [%6, " AT "], [%7], %8;" ::COORDINATES(corner),                                \
                 "r"(tile), "l"(map), "r"(bar), "l"(policy)                                                            \
                 : "memory")
__device__ static inline void load_box_hint(uint32_t rank, uint32_t tile, const void *map, const int32_t *corner,
                                            uint32_t bar, uint64_t policy)
{
    AT_RANK(rank, LOAD_BOX_HINT, tile, map, corner, bar, policy);
}

/* Into the same place of every CTA of the cluster whose rank has its bit set in `ctas`; each CTA's bytes count on its
 * own barrier, at the place of `bar`. */
#define LOAD_BOX_MULTICAST(RANK, AT, tile, map, corner, bar, ctas)                                                     \
    asm volatile("cp.async.bulk.tensor." RANK ".shared::cluster.global.tile.mbarrier::complete_tx::bytes"              \
                 ".multicast::cluster [%5], [%6, " AT "], [%7], %8;" ::COORDINATES(corner),                            \
                 "r"(tile), "l"(map), "r"(bar), "h"(ctas)                                                              \
                 : "memory")
__device__ static inline void load_box_multicast(uint32_t rank, uint32_t tile, const void *map, const int32_t *corner,
                                                 uint32_t bar, uint16_t ctas)
{
    AT_RANK(rank, LOAD_BOX_MULTICAST, tile, map, corner, bar, ctas);
}

/* ---- stores and reductions: from a tile to global memory, in the bulk group that this thread commits next ---- */
#define STORE_BOX(RANK, AT, map, corner, tile)                                                                         \
    asm volatile("cp.async.bulk.tensor." RANK ".global.shared::cta.tile.bulk_group [%5, " AT                           \
                 "], [%6];" ::COORDINATES(corner),                                                                     \
                 "l"(map), "r"(tile)                                                                                   \
                 : "memory")
__device__ static inline void store_box(uint32_t rank, const void *map, const int32_t *corner, uint32_t tile)
{
    AT_RANK(rank, STORE_BOX, map, corner, tile);
}

#define STORE_BOX_MODELESS(RANK, AT, map, corner, tile)                                                                \
    asm volatile("cp.async.bulk.tensor." RANK ".global.shared::cta.bulk_group [%5, " AT                                \
                 "], [%6];" ::COORDINATES(corner),                                                                     \
                 "l"(map), "r"(tile)                                                                                   \
                 : "memory")
__device__ static inline void store_box_modeless(uint32_t rank, const void *map, const int32_t *corner, uint32_t tile)
{
    AT_RANK(rank, STORE_BOX_MODELESS, map, corner, tile);
}

#define STORE_BOX_HINT(RANK, AT, map, corner, tile, policy)                                                            \
    asm volatile("cp.async.bulk.tensor." RANK ".global.shared::cta.tile.bulk_group.L2::cache_hint"                     \
                 " [%5, " AT "], [%6], %7;" ::COORDINATES(corner),                                                     \
                 "l"(map), "r"(tile), "l"(policy)                                                                      \
                 : "memory")
__device__ static inline void store_box_hint(uint32_t rank, const void *map, const int32_t *corner, uint32_t tile,
                                             uint64_t policy)
{
    AT_RANK(rank, STORE_BOX_HINT, map, corner, tile, policy);
}

/* Adds the tile to what the tensor holds. */
#define ADD_BOX(RANK, AT, map, corner, tile)                                                                           \
    asm volatile("cp.reduce.async.bulk.tensor." RANK ".global.shared::cta.add.tile.bulk_group"                         \
                 " [%5, " AT "], [%6];" ::COORDINATES(corner),                                                         \
                 "l"(map), "r"(tile)                                                                                   \
                 : "memory")
__device__ static inline void add_box(uint32_t rank, const void *map, const int32_t *corner, uint32_t tile)
{
    AT_RANK(rank, ADD_BOX, map, corner, tile);
}

#define ADD_BOX_HINT(RANK, AT, map, corner, tile, policy)                                                              \
    asm volatile("cp.reduce.async.bulk.tensor." RANK ".global.shared::cta.add.tile.bulk_group.L2::cache_hint"          \
                 " [%5, " AT "], [%6], %7;" ::COORDINATES(corner),                                                     \
                 "l"(map), "r"(tile), "l"(policy)                                                                      \
                 : "memory")
__device__ static inline void add_box_hint(uint32_t rank, const void *map, const int32_t *corner, uint32_t tile,
                                           uint64_t policy)
{
    AT_RANK(rank, ADD_BOX_HINT, map, corner, tile, policy);
}

/* ---- prefetches: from global memory into the L2 cache ---- */
#define PREFETCH_BOX(RANK, AT, map, corner)                                                                            \
    asm volatile("cp.async.bulk.prefetch.tensor." RANK ".L2.global.tile [%5, " AT "];" ::COORDINATES(corner), "l"(map) \
                 : "memory")
__device__ static inline void prefetch_box(uint32_t rank, const void *map, const int32_t *corner)
{
    AT_RANK(rank, PREFETCH_BOX, map, corner);
}

#define PREFETCH_BOX_HINT(RANK, AT, map, corner, policy)                                                               \
    asm volatile("cp.async.bulk.prefetch.tensor." RANK ".L2.global.tile.L2::cache_hint"                                \
                 " [%5, " AT "], %6;" ::COORDINATES(corner),                                                           \
                 "l"(map), "l"(policy)                                                                                 \
                 : "memory")
__device__ static inline void prefetch_box_hint(uint32_t rank, const void *map, const int32_t *corner, uint64_t policy)
{
    AT_RANK(rank, PREFETCH_BOX_HINT, map, corner, policy);
}

/* A cache policy under which lines are the first to leave the L2 cache. */
__device__ static inline uint64_t evict_first_policy()
{
    uint64_t policy;
    asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    return policy;
}

/* ---- before and after copies ---- */

/* All threads: poisons the first `bytes` bytes of shared memory and makes a barrier that one arrival, and the bytes
 * which it expects, complete. */
__device__ static inline void poison_and_init(uint32_t bytes, uint32_t bar)
{
    poison_shared(0, bytes);
    fence_proxy_async_shared(); /* each thread orders its poison before the copy that writes over it */
    if (threadIdx.x == 0) {
        mbarrier_init(bar, 1);
        fence_mbarrier_init();
    }
    __syncthreads();
}

/* All threads: waits for the first phase of the barrier, then copies the first `bytes` bytes of shared memory to `out`.
 */
__device__ static inline void wait_and_dump(const ck_head &head, uint32_t bar, unsigned char *out, uint32_t bytes)
{
    mbarrier_wait_parity(head, bar, 0, 0);
    __syncthreads();
    dump_shared(out, 0, bytes);
}

/* Commits this thread's stores and waits until they have been written. */
__device__ static inline void commit_and_wait()
{
    asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::: "memory");
}

/* Lets late signals arrive: copies take a few thousand nanoseconds. */
__device__ static inline void linger(uint64_t ns)
{
    const uint64_t start = ck_now();

    while (ck_now() - start < ns)
        ;
}

#endif
// SPDX-License-Identifier: Apache-2.0
