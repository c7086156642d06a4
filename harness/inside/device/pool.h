/* Memory pools, and allocations that are operations of a stream. */
#ifndef COPYCHECK_INSIDE_POOL_H
#define COPYCHECK_INSIDE_POOL_H

#include "harness/inside/device/stream.h"

struct pool {
    int reuse[3];       /* attributes 1 to 3: kept, without effect */
    uint64_t threshold; /* bytes that it keeps when the device is waited for */
    uint64_t used, used_high, reserved, reserved_high;
    CUmemLocationType location;
    struct pool *next;
};

struct pool *pool_default(void);  /* that of the device */
struct pool **pool_current(void); /* that cudaMallocAsync takes from */
struct pool *pool_new(CUmemLocationType location);
bool pool_known(const struct pool *p);
/* CUDA_ERROR_INVALID_VALUE for the default pool. What was allocated from it stays. */
CUresult pool_free(struct pool *p);
/* By the numbers of CUmemPool_attribute; flags are ints, bytes 64 bits. */
CUresult pool_get(const struct pool *p, CUmemPool_attribute which, void *value);
CUresult pool_set(struct pool *p, CUmemPool_attribute which, const void *value);
/* Gives back what it holds in reserve, down to `keep` bytes. */
void pool_trim(struct pool *p, uint64_t keep);
void pools_trim(void); /* all, to their thresholds: the device was waited for */
/* Memory came, or was freed. */
void pool_count(struct pool *p, uint64_t bytes, bool freed);

/* Memory that a stream allocates (a node of the graph where it captures), and frees. */
CUresult pool_alloc(struct pool *p, struct stream *s, uint64_t bytes, uint64_t *at);
CUresult pool_release(struct stream *s, uint64_t at);

#endif
// SPDX-License-Identifier: Apache-2.0
