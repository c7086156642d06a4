/* Arguments of the kernels in cluster_memory.cu: addresses in the shared memory of a cluster, and stores that go there
 * by themselves. */
#ifndef COPYCHECK_CLUSTER_MEMORY_H
#define COPYCHECK_CLUSTER_MEMORY_H

#include "kernels/args.h"

enum { MEMORY_BYTES = 64 }; /* of the place in each CTA that others access */

enum cluster_map { MAP_U32, MAP_U64, MAP_GENERIC }; /* mapa.shared::cluster.u32 and .u64, mapa.u64 */
enum cluster_access {
    ACCESS_ST,      /* a store of `size` bytes at `offset` */
    ACCESS_LD,      /* a load of as many */
    ACCESS_ATOM,    /* atom.add, on 4 or 8 bytes */
    ACCESS_RED,     /* red.add, on 4 or 8 bytes */
    ACCESS_GENERIC, /* a store by the generic address */
};

/* What isspacep says of an address, bits of a word: */
enum cluster_window { IN_SHARED = 1, IN_SHARED_CTA = 2, IN_SHARED_CLUSTER = 4, IN_GLOBAL = 8, IN_LOCAL = 16 };

/* st.async and red.async. */
enum cluster_store {
    STORE_B32,
    STORE_U32,
    STORE_S32,
    STORE_F32,
    STORE_B64,
    STORE_U64,
    STORE_S64,
    STORE_F64,
    STORE_V2_B32,
    STORE_V2_U32,
    STORE_V2_S32,
    STORE_V2_F32,
    STORE_V4_B32,
    STORE_V4_U32,
    STORE_V4_S32,
    STORE_V4_F32,
    STORE_V2_B64,
    STORE_V2_U64,
    STORE_V2_S64,
    STORE_V2_F64,
};
enum cluster_reduction {
    REDUCE_INC,
    REDUCE_DEC,
    REDUCE_MIN_U32,
    REDUCE_MIN_S32,
    REDUCE_MAX_U32,
    REDUCE_MAX_S32,
    REDUCE_AND,
    REDUCE_OR,
    REDUCE_XOR,
    REDUCE_ADD_U32,
    REDUCE_ADD_S32,
    REDUCE_ADD_U64,
};

struct cluster_memory_args {
    struct ck_head head;
    CK_PTR(unsigned char) in;  /* MEMORY_BYTES: what is stored */
    CK_PTR(unsigned char) out; /* see each kernel */
    uint32_t how;              /* an enum above */
    uint32_t to;               /* the rank that CTA 0 accesses */
    uint32_t bar_to;           /* the rank whose mbarrier is signalled */
    uint32_t offset;           /* in the place, bytes */
    uint32_t size;             /* bytes of one access */
    uint32_t stores;           /* of each thread */
    uint32_t expect;           /* bytes that the owner announces */
    uint32_t map;              /* enum cluster_map */
};

#endif
// SPDX-License-Identifier: Apache-2.0
