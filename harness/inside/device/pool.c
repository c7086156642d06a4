/* Memory pools. */
#include "harness/inside/device/pool.h"

#include <stdlib.h>

enum { GRAIN = 32 << 20 }; /* bytes by which a pool's reserve grows, as an H200's does */

static struct pool standard = { .reuse = { 1, 1, 1 }, .location = CU_MEM_LOCATION_TYPE_DEVICE };
static struct pool *all, *current = &standard;

struct pool *pool_default(void)
{
    return &standard;
}

struct pool **pool_current(void)
{
    return &current;
}

struct pool *pool_new(CUmemLocationType location)
{
    struct pool *p = calloc(1, sizeof *p);

    if (!p)
        return NULL;
    *p = (struct pool){ .reuse = { 1, 1, 1 }, .location = location, .next = all };
    all = p;
    return p;
}

bool pool_known(const struct pool *p)
{
    const struct pool *k = all;

    while (k && k != p)
        k = k->next;
    return k || p == &standard;
}

static void orphan(const struct memory *m, void *gone)
{
    if (m->pool == gone)
        memory_leave_pool(m->at);
}

CUresult pool_free(struct pool *p)
{
    for (struct pool **at = &all; *at; at = &(*at)->next)
        if (*at == p) {
            *at = p->next;
            if (current == p)
                current = &standard;
            memory_each(orphan, p);
            free(p);
            return CUDA_SUCCESS;
        }
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult pool_get(const struct pool *p, CUmemPool_attribute which, void *value)
{
    switch (which) {
    case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES: *(int *)value = p->reuse[which - 1]; return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD: *(uint64_t *)value = p->threshold; return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT: *(uint64_t *)value = p->reserved; return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH: *(uint64_t *)value = p->reserved_high; return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_USED_MEM_CURRENT: *(uint64_t *)value = p->used; return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH: *(uint64_t *)value = p->used_high; return CUDA_SUCCESS;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
}

/* The two high marks can only be set to 0, which makes them what is there now. */
CUresult pool_set(struct pool *p, CUmemPool_attribute which, const void *value)
{
    switch (which) {
    case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
        p->reuse[which - 1] = *(const int *)value;
        return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD: p->threshold = *(const uint64_t *)value; return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
        if (*(const uint64_t *)value)
            return CUDA_ERROR_INVALID_VALUE;
        if (which == CU_MEMPOOL_ATTR_USED_MEM_HIGH)
            p->used_high = p->used;
        else
            p->reserved_high = p->reserved;
        return CUDA_SUCCESS;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
}

void pool_trim(struct pool *p, uint64_t keep)
{
    const uint64_t least = keep > p->used ? keep : p->used, whole = (least + GRAIN - 1) / GRAIN * GRAIN;

    if (p->reserved > whole)
        p->reserved = whole;
}

void pools_trim(void)
{
    pool_trim(&standard, standard.threshold);
    for (struct pool *p = all; p; p = p->next)
        pool_trim(p, p->threshold);
}

void pool_count(struct pool *p, uint64_t bytes, bool freed)
{
    p->used = freed ? p->used - bytes : p->used + bytes;
    if (p->used > p->used_high)
        p->used_high = p->used;
    if (p->used > p->reserved)
        p->reserved = (p->used + GRAIN - 1) / GRAIN * GRAIN;
    if (p->reserved > p->reserved_high)
        p->reserved_high = p->reserved;
}
// SPDX-License-Identifier: Apache-2.0
