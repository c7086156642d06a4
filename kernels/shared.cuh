/* The image in shared memory that a case looks at: made, filled and written out by all threads of the CTA, each its
 * part. Offsets count bytes from the start of dynamic shared memory. */
#ifndef COPYCHECK_SHARED_CUH
#define COPYCHECK_SHARED_CUH

#include "kernels/ck.cuh"

enum { POISON = 0xA5 }; /* in no source byte: see ck_input */

/* Poisons `bytes` bytes; 4 divides the offset and the size. */
__device__ static inline void poison_shared(uint32_t offset, uint32_t bytes)
{
    for (uint32_t i = threadIdx.x * 4; i < bytes; i += blockDim.x * 4)
        *(uint32_t *)(ck_smem + offset + i) = POISON * 0x01010101u;
}

/* Copies `bytes` bytes from global memory; 16 divides the addresses and the size. */
__device__ static inline void fill_shared(uint32_t offset, const unsigned char *from, uint32_t bytes)
{
    for (uint32_t i = threadIdx.x * 16; i < bytes; i += blockDim.x * 16)
        *(uint4 *)(ck_smem + offset + i) = *(const uint4 *)(from + i);
}

/* Copies `bytes` bytes to global memory; 16 divides the addresses and the size. */
__device__ static inline void dump_shared(unsigned char *to, uint32_t offset, uint32_t bytes)
{
    for (uint32_t i = threadIdx.x * 16; i < bytes; i += blockDim.x * 16)
        *(uint4 *)(to + i) = *(const uint4 *)(ck_smem + offset + i);
}

/* The same of single bytes, for images of any size. */
__device__ static inline void poison_shared_bytes(uint32_t offset, uint32_t bytes)
{
    for (uint32_t i = threadIdx.x; i < bytes; i += blockDim.x)
        ck_smem[offset + i] = POISON;
}

__device__ static inline void fill_shared_bytes(uint32_t offset, const unsigned char *from, uint32_t bytes)
{
    for (uint32_t i = threadIdx.x; i < bytes; i += blockDim.x)
        ck_smem[offset + i] = from[i];
}

__device__ static inline void dump_shared_bytes(unsigned char *to, uint32_t offset, uint32_t bytes)
{
    for (uint32_t i = threadIdx.x; i < bytes; i += blockDim.x)
        to[i] = ck_smem[offset + i];
}

#endif
// SPDX-License-Identifier: Apache-2.0
