/* What kernels and cases share: the first member of every argument struct, and a tensor map's bytes. Plain C, so that
 * a case includes the very struct that its kernel takes. */
#ifndef COPYCHECK_ARGS_H
#define COPYCHECK_ARGS_H

#include <stdint.h>

/* A member that is a pointer to T in a kernel, and its 64-bit device address in a case. */
#ifdef __CUDACC__
#define CK_PTR(T) T *
#else
#define CK_PTR(T) uint64_t
#endif

/* ck_launch fills it in. A kernel gives up each of its waits after `limit` nanoseconds (0: never) and then sets a bit
 * of the 32-bit word at `timeouts`. */
struct ck_head {
    CK_PTR(uint32_t) timeouts;
    uint64_t limit;
};

/* A CUtensorMap: opaque, 128 bytes. Aligned to 64 as the manual asks; the CUDA 13 header asks for 128. */
struct ck_tmap {
#ifdef __cplusplus
    alignas(64) unsigned char bytes[128];
#else
    _Alignas(64) unsigned char bytes[128];
#endif
};

#endif
// SPDX-License-Identifier: Apache-2.0
