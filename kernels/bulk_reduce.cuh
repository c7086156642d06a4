/* cp.reduce.async.bulk in all its forms. Operation and type are parts of the instruction's name, so each pair is an
 * instruction of its own. */
#ifndef COPYCHECK_BULK_REDUCE_CUH
#define COPYCHECK_BULK_REDUCE_CUH

#include "kernels/bulk.cuh"
#include "kernels/bulk_reduce.h"

/* Shared to global memory; the thread's next commit puts it into a bulk group. */
#define REDUCE_TO_GLOBAL(op, type, text)                                                                               \
    case BULK_##op##_##type:                                                                                           \
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." text " [%0], [%1], %2;" ::"l"(dst),         \
                     "r"(src), "r"(size)                                                                               \
                     : "memory");                                                                                      \
        break;
__device__ static inline void reduce_to_global(uint32_t reduction, unsigned char *dst, uint32_t src, uint32_t size)
{
    switch (reduction) {
        REDUCTIONS_TO_GLOBAL(REDUCE_TO_GLOBAL)
    }
}

#define REDUCE_TO_GLOBAL_HINT(op, type, text)                                                                          \
    case BULK_##op##_##type:                                                                                           \
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint." text                         \
                     " [%0], [%1], %2, %3;" ::"l"(dst),                                                                \
                     "r"(src), "r"(size), "l"(policy)                                                                  \
                     : "memory");                                                                                      \
        break;
__device__ static inline void reduce_to_global_hint(uint32_t reduction, unsigned char *dst, uint32_t src, uint32_t size,
                                                    uint64_t policy)
{
    switch (reduction) {
        REDUCTIONS_TO_GLOBAL(REDUCE_TO_GLOBAL_HINT)
    }
}

/* Shared memory of this CTA to that of another CTA of the cluster, whose barrier counts the bytes. */
#define REDUCE_TO_CLUSTER(op, type, text)                                                                              \
    case BULK_##op##_##type:                                                                                           \
        asm volatile("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes." text             \
                     " [%0], [%1], %2, [%3];" ::"r"(dst),                                                              \
                     "r"(src), "r"(size), "r"(bar)                                                                     \
                     : "memory");                                                                                      \
        break;
__device__ static inline void reduce_to_cluster(uint32_t reduction, uint32_t dst, uint32_t src, uint32_t size,
                                                uint32_t bar)
{
    switch (reduction) {
        REDUCTIONS_TO_CLUSTER(REDUCE_TO_CLUSTER)
    }
}

#endif
// SPDX-License-Identifier: Apache-2.0
