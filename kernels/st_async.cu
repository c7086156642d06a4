/* One thread of each CTA writes to a CTA of its cluster, asynchronously. */
#include "kernels/bulk.cuh"
#include "kernels/st_async.h"

enum { NONE };

__device__ static uint32_t rank_of(uint32_t shared, uint32_t rank)
{
    uint32_t at;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(at) : "r"(shared), "r"(rank));
    return at;
}

__device__ static void write_async(uint32_t op, uint32_t to, uint32_t value, uint32_t bar)
{
#define SIGNALS ".mbarrier::complete_tx::bytes"
    switch (op) {
    case ST_ASYNC_B32:
        asm volatile("st.async.weak.shared::cluster" SIGNALS ".b32 [%0], %1, [%2];" ::"r"(to), "r"(value), "r"(bar)
                     : "memory");
        break;
    case ST_ASYNC_B64:
        asm volatile("st.async.weak.shared::cluster" SIGNALS ".b64 [%0], %1, [%2];" ::"r"(to), "l"((uint64_t)value),
                     "r"(bar)
                     : "memory");
        break;
    case ST_ASYNC_V4:
        asm volatile("st.async.weak.shared::cluster" SIGNALS ".v4.b32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(to),
                     "r"(value), "r"(value + 1), "r"(value + 2), "r"(value + 3), "r"(bar)
                     : "memory");
        break;
#define RED(name)                                                                                                      \
    asm volatile("red.async.relaxed.cluster.shared::cluster" SIGNALS name " [%0], %1, [%2];" ::"r"(to), "r"(value),    \
                 "r"(bar)                                                                                              \
                 : "memory")
    case RED_ASYNC_ADD: RED(".add.u32"); break;
    case RED_ASYNC_INC: RED(".inc.u32"); break;
    default: RED(".or.b32");
    }
}

template <int M> __device__ static void st_async_body(const st_async_args &a)
{
    __shared__ __align__(16) uint32_t place[ST_ASYNC_BYTES / 4];
    __shared__ __align__(8) uint64_t bar;
    uint32_t rank, ranks;

    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(ranks));
    for (int i = 0; i < ST_ASYNC_BYTES / 4; i++)
        place[i] = a.before;
    mbarrier_init(ck_shared(&bar), 1);
    fence_mbarrier_init();
    mbarrier_arrive_expect_tx(ck_shared(&bar), a.expect);
    cluster_sync();
    rank = (rank + a.to) % ranks;
    write_async(a.op, rank_of(ck_shared(place), rank), a.value, rank_of(ck_shared(&bar), rank));
    mbarrier_wait_parity(a.head, ck_shared(&bar), 0, 0);
    for (int i = 0; i < ST_ASYNC_BYTES / 4; i++)
        ((uint32_t *)(a.out + blockIdx.x * ST_ASYNC_BYTES))[i] = place[i];
    cluster_sync();
}

CK_KERNEL(st_async, st_async_args)
