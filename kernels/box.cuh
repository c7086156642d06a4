/* The tensor copies of one box, for each rank: loads, stores, reductions, prefetches.
 *
 * Every form takes the same operands, whether its rank uses all of them or not: %0 shared address, %1 generic address
 * of the map, %2 shared address of the barrier, %3 to %7 coordinates, %8 cache policy, %9 mask of CTAs. */
#ifndef COPYCHECK_BOX_CUH
#define COPYCHECK_BOX_CUH

#include "kernels/ck.cuh"

#define BOX_OPERANDS                                                                                                   \
    ::"r"(shared), "l"(map), "r"(bar), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]), "l"(policy),             \
        "h"(mask) : "memory"

/* Calls FORM(".Nd", "the coordinates of rank N") for the rank at hand. */
#define BOX_EACH_RANK(FORM, rank)                                                                                      \
    switch (rank) {                                                                                                    \
    case 1:                                                                                                            \
        FORM(".1d", "%3");                                                                                             \
        break;                                                                                                         \
    case 2:                                                                                                            \
        FORM(".2d", "%3, %4");                                                                                         \
        break;                                                                                                         \
    case 3:                                                                                                            \
        FORM(".3d", "%3, %4, %5");                                                                                     \
        break;                                                                                                         \
    case 4:                                                                                                            \
        FORM(".4d", "%3, %4, %5, %6");                                                                                 \
        break;                                                                                                         \
    default:                                                                                                           \
        FORM(".5d", "%3, %4, %5, %6, %7");                                                                             \
        break;                                                                                                         \
    }

struct box_operands {
    const int32_t *corner; /* five entries, whatever the rank */
    uint32_t rank, shared, bar;
    uint64_t map, policy;
    uint16_t mask;
};

#define BOX_FUNCTION(name, FORM)                                                                                       \
    __device__ static inline void name(const box_operands &b)                                                          \
    {                                                                                                                  \
        const int32_t *const c = b.corner;                                                                             \
        const uint32_t shared = b.shared, bar = b.bar;                                                                 \
        const uint64_t map = b.map, policy = b.policy;                                                                 \
        const uint16_t mask = b.mask;                                                                                  \
                                                                                                                       \
        BOX_EACH_RANK(FORM, b.rank)                                                                                    \
    }

/* ---- loads ---- */
#define FORM_LOAD(dim, coords)                                                                                         \
    asm volatile("cp.async.bulk.tensor" dim                                                                            \
                 ".shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {" coords                       \
                 "}], [%2];" BOX_OPERANDS)
BOX_FUNCTION(load_box, FORM_LOAD)

/* The same without naming a mode. */
#define FORM_LOAD_MODELESS(dim, coords)                                                                                \
    asm volatile("cp.async.bulk.tensor" dim ".shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {" coords \
                 "}], [%2];" BOX_OPERANDS)
BOX_FUNCTION(load_box_modeless, FORM_LOAD_MODELESS)

#define FORM_LOAD_HINT(dim, coords)                                                                                    \
    asm volatile("cp.async.bulk.tensor" dim                                                                            \
                 ".shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1, {" coords        \
                 "}], [%2], %8;" BOX_OPERANDS)
BOX_FUNCTION(load_box_hint, FORM_LOAD_HINT)

#define FORM_LOAD_MULTICAST(dim, coords)                                                                               \
    asm volatile("cp.async.bulk.tensor" dim                                                                            \
                 ".shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {" coords    \
                 "}], [%2], %9;" BOX_OPERANDS)
BOX_FUNCTION(load_box_multicast, FORM_LOAD_MULTICAST)

/* ---- stores, reductions, prefetches ---- */
#define FORM_STORE(dim, coords)                                                                                        \
    asm volatile("cp.async.bulk.tensor" dim ".global.shared::cta.tile.bulk_group [%1, {" coords                        \
                 "}], [%0];" BOX_OPERANDS)
BOX_FUNCTION(store_box, FORM_STORE)

#define FORM_STORE_MODELESS(dim, coords)                                                                               \
    asm volatile("cp.async.bulk.tensor" dim ".global.shared::cta.bulk_group [%1, {" coords "}], [%0];" BOX_OPERANDS)
BOX_FUNCTION(store_box_modeless, FORM_STORE_MODELESS)

#define FORM_STORE_HINT(dim, coords)                                                                                   \
    asm volatile("cp.async.bulk.tensor" dim ".global.shared::cta.tile.bulk_group.L2::cache_hint [%1, {" coords         \
                 "}], [%0], %8;" BOX_OPERANDS)
BOX_FUNCTION(store_box_hint, FORM_STORE_HINT)

#define FORM_ADD(dim, coords)                                                                                          \
    asm volatile("cp.reduce.async.bulk.tensor" dim ".global.shared::cta.add.tile.bulk_group [%1, {" coords             \
                 "}], [%0];" BOX_OPERANDS)
BOX_FUNCTION(add_box, FORM_ADD)

#define FORM_ADD_HINT(dim, coords)                                                                                     \
    asm volatile("cp.reduce.async.bulk.tensor" dim                                                                     \
                 ".global.shared::cta.add.tile.bulk_group.L2::cache_hint [%1, {" coords "}], [%0], %8;" BOX_OPERANDS)
BOX_FUNCTION(add_box_hint, FORM_ADD_HINT)

#define FORM_PREFETCH(dim, coords)                                                                                     \
    asm volatile("cp.async.bulk.prefetch.tensor" dim ".L2.global.tile [%1, {" coords "}];" BOX_OPERANDS)
BOX_FUNCTION(prefetch_box, FORM_PREFETCH)

#define FORM_PREFETCH_HINT(dim, coords)                                                                                \
    asm volatile("cp.async.bulk.prefetch.tensor" dim ".L2.global.tile.L2::cache_hint [%1, {" coords                    \
                 "}], %8;" BOX_OPERANDS)
BOX_FUNCTION(prefetch_box_hint, FORM_PREFETCH_HINT)

__device__ static inline uint64_t evict_first_policy()
{
    uint64_t policy;
    asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    return policy;
}

/* Commits this thread's stores and waits until they have been written. */
__device__ static inline void commit_and_wait()
{
    asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::: "memory");
}

/* ---- what tile kernels do with shared memory ---- */
enum { POISON = 0xA5 };

/* Poisons the shared image, each thread its part, and orders that before a later copy. */
__device__ static inline void poison_image(unsigned char *image, uint32_t bytes)
{
    for (uint32_t i = threadIdx.x; i < bytes; i += blockDim.x)
        image[i] = POISON;
    fence_proxy_async_shared();
}

__device__ static inline void write_out(uint64_t to, const unsigned char *image, uint32_t bytes)
{
    for (uint32_t i = threadIdx.x; i < bytes; i += blockDim.x)
        ((unsigned char *)to)[i] = image[i];
}

/* Fills the shared image from global memory, each thread its part, without any fence. */
__device__ static inline void read_in(unsigned char *image, uint64_t from, uint32_t bytes)
{
    for (uint32_t i = threadIdx.x; i < bytes; i += blockDim.x)
        image[i] = ((const unsigned char *)from)[i];
}

/* Lets late signals arrive: copies take a few microseconds. */
__device__ static inline void linger(uint64_t ns)
{
    for (const uint64_t start = ck_now(); ck_now() - start < ns;)
        ;
}

#endif
