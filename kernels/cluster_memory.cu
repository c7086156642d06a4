/* Addresses in the shared memory of a cluster, and stores that go there by themselves. */
#include "kernels/cluster.cuh"
#include "kernels/cluster_memory.h"
#include "kernels/shared.cuh"

enum { NONE, OWN };

/* A 64-bit address that mapa makes of `shared`, in the form of enum cluster_map: for MAP_GENERIC a generic one, else
 * one of the window of .shared::cluster. */
__device__ static uint64_t mapped(uint32_t form, uint32_t shared, uint32_t rank)
{
    uint64_t to;

    if (form == MAP_U32)
        return in_cta(shared, rank);
    if (form == MAP_U64)
        asm volatile("mapa.shared::cluster.u64 %0, %1, %2;" : "=l"(to) : "l"((uint64_t)shared), "r"(rank));
    else
        asm volatile("mapa.u64 %0, %1, %2;" : "=l"(to) : "l"(generic_of(shared)), "r"(rank));
    return to;
}

__device__ static uint32_t rank_of(uint32_t form, uint64_t address)
{
    uint32_t rank;

    if (form == MAP_U32)
        asm volatile("getctarank.shared::cluster.u32 %0, %1;" : "=r"(rank) : "r"((uint32_t)address));
    else if (form == MAP_U64)
        asm volatile("getctarank.shared::cluster.u64 %0, %1;" : "=r"(rank) : "l"(address));
    else
        asm volatile("getctarank.u64 %0, %1;" : "=r"(rank) : "l"(address));
    return rank;
}

/* Thread i of each CTA maps an address to rank i and asks for the rank of the result: word 2 * (rank * ranks + i) of
 * the result. The next word says whether the offset in the own shared memory is kept: mapping back to the own rank and
 * mapping at once give the same. OWN: it maps to the own rank. */
template <int M> __device__ static void cluster_map_body(const cluster_memory_args &a)
{
    const uint32_t i = threadIdx.x, ranks = cluster_size(), rank = cluster_rank();
    const uint32_t at = ck_shared(ck_smem) + a.offset;
    const uint64_t there = mapped(a.map, at, M == OWN ? rank : i), back = mapped(a.map, at, rank);
    uint32_t *out = (uint32_t *)a.out + 2 * (rank * ranks + i);

    out[0] = rank_of(a.map, there);
    out[1] = (uint32_t)((there - back) - (mapped(a.map, at - a.offset, i) - mapped(a.map, at - a.offset, rank)));
}
CK_KERNEL(cluster_map, cluster_memory_args)
CK_MUTANT(cluster_map, own, OWN, cluster_memory_args)

__device__ static uint32_t windows_of(uint64_t generic)
{
    uint32_t in = 0, yes;

#define IN_SPACE(bit, space)                                                                                           \
    asm volatile("{ .reg .pred p; isspacep." space " p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(yes) : "l"(generic));      \
    in |= yes ? bit : 0
    IN_SPACE(IN_SHARED, "shared");
    IN_SPACE(IN_SHARED_CTA, "shared::cta");
    IN_SPACE(IN_SHARED_CLUSTER, "shared::cluster");
    IN_SPACE(IN_GLOBAL, "global");
    IN_SPACE(IN_LOCAL, "local");
    return in;
}

/* Thread i of each CTA asks in which windows the generic address of rank i's shared memory lies, the own one as it is
 * without mapa: word rank * ranks + i of the result. A word behind these is for the address of the result itself. OWN:
 * it asks about the own one always. */
template <int M> __device__ static void cluster_windows_body(const cluster_memory_args &a)
{
    const uint32_t i = threadIdx.x, ranks = cluster_size(), rank = cluster_rank();
    uint32_t *out = (uint32_t *)a.out;

    if (M == OWN || i == rank)
        out[rank * ranks + i] = windows_of(generic_of(ck_shared(ck_smem) + a.offset));
    else
        out[rank * ranks + i] = windows_of(mapped(MAP_GENERIC, ck_shared(ck_smem) + a.offset, i));
    if (i == 0 && rank == 0)
        out[ranks * ranks] = windows_of((uint64_t)out);
}
CK_KERNEL(cluster_windows, cluster_memory_args)
CK_MUTANT(cluster_windows, own, OWN, cluster_memory_args)

/* `value` are the bytes that go or come: the low ones of up to two words of 64 bits. */
__device__ static void store_at(uint32_t to, uint32_t size, const uint64_t *value)
{
    if (size == 1)
        asm volatile("st.shared::cluster.u8 [%0], %1;" ::"r"(to), "r"((uint32_t)value[0]) : "memory");
    if (size == 2)
        asm volatile("st.shared::cluster.u16 [%0], %1;" ::"r"(to), "h"((uint16_t)value[0]) : "memory");
    if (size == 4)
        asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(to), "r"((uint32_t)value[0]) : "memory");
    if (size == 8)
        asm volatile("st.shared::cluster.u64 [%0], %1;" ::"r"(to), "l"(value[0]) : "memory");
    if (size == 16)
        asm volatile("st.shared::cluster.v2.u64 [%0], {%1, %2};" ::"r"(to), "l"(value[0]), "l"(value[1]) : "memory");
}

__device__ static void load_at(uint32_t from, uint32_t size, uint64_t *value)
{
    uint32_t small = 0;

    if (size == 1)
        asm volatile("ld.shared::cluster.u8 %0, [%1];" : "=r"(small) : "r"(from) : "memory");
    if (size == 2)
        asm volatile("{ .reg .u16 h; ld.shared::cluster.u16 h, [%1]; cvt.u32.u16 %0, h; }"
                     : "=r"(small)
                     : "r"(from)
                     : "memory");
    if (size == 4)
        asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(small) : "r"(from) : "memory");
    value[0] = small;
    if (size == 8)
        asm volatile("ld.shared::cluster.u64 %0, [%1];" : "=l"(value[0]) : "r"(from) : "memory");
    if (size == 16)
        asm volatile("ld.shared::cluster.v2.u64 {%0, %1}, [%2];"
                     : "=l"(value[0]), "=l"(value[1])
                     : "r"(from)
                     : "memory");
}

/* CTA 0 makes one access to the place of the CTA of rank `to`, which holds the input there and poison elsewhere. Then
 * each CTA writes out its place, and behind these places lie 16 bytes that CTA 0 loaded. OWN: CTA 0 accesses its own
 * place. */
template <int M> __device__ static void cluster_access_body(const cluster_memory_args &a)
{
    const uint32_t at = ck_shared(ck_smem) + a.offset, rank = cluster_rank(), to = in_cta(at, M == OWN ? 0 : a.to);
    uint64_t value[2] = { ((const uint64_t *)a.in)[0], ((const uint64_t *)a.in)[1] };

    for (uint32_t i = 0; i < MEMORY_BYTES; i++)
        ck_smem[i] = rank == a.to ? a.in[i] : POISON;
    cluster_sync();
    if (rank == 0) {
        switch (a.how) {
        case ACCESS_ST: store_at(to, a.size, value); break;
        case ACCESS_LD: load_at(to, a.size, value); break;
        case ACCESS_GENERIC: *(volatile unsigned char *)generic_of(to) = (unsigned char)value[0]; break;
        case ACCESS_ATOM:
            if (a.size == 4) {
                asm volatile("{ .reg .u32 old; atom.relaxed.cluster.shared::cluster.add.u32 old, [%1], %2; "
                             "cvt.u64.u32 %0, old; }"
                             : "=l"(value[0])
                             : "r"(to), "r"((uint32_t)value[0])
                             : "memory");
            } else {
                asm volatile("atom.relaxed.cluster.shared::cluster.add.u64 %0, [%1], %0;"
                             : "+l"(value[0])
                             : "r"(to)
                             : "memory");
            }
            break;
        case ACCESS_RED:
            if (a.size == 4)
                asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], %1;" ::"r"(to), "r"((uint32_t)value[0])
                             : "memory");
            else
                asm volatile("red.relaxed.cluster.shared::cluster.add.u64 [%0], %1;" ::"r"(to), "l"(value[0])
                             : "memory");
        }
    }
    cluster_sync();
    for (uint32_t i = 0; i < MEMORY_BYTES; i++)
        a.out[rank * MEMORY_BYTES + i] = ck_smem[i];
    if (rank == 0) {
        ((uint64_t *)(a.out + cluster_size() * MEMORY_BYTES))[0] = value[0];
        ((uint64_t *)(a.out + cluster_size() * MEMORY_BYTES))[1] = value[1];
    }
}
CK_KERNEL(cluster_access, cluster_memory_args)
CK_MUTANT(cluster_access, own, OWN, cluster_memory_args)

/* A store of `w`, words of 32 or 64 bits, that signals its bytes on the mbarrier at `bar`. */
#define STASYNC             "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes"
#define ONE(type, c, value) asm volatile(STASYNC "." type " [%0], %1, [%2];" ::"r"(to), c(value), "r"(bar) : "memory")
#define TWO(type, c, v0, v1)                                                                                           \
    asm volatile(STASYNC ".v2." type " [%0], {%1, %2}, [%3];" ::"r"(to), c(v0), c(v1), "r"(bar) : "memory")
#define FOUR(type, c, v0, v1, v2, v3)                                                                                  \
    asm volatile(STASYNC ".v4." type " [%0], {%1, %2, %3, %4}, [%5];" ::"r"(to), c(v0), c(v1), c(v2), c(v3), "r"(bar)  \
                 : "memory")
__device__ static void store_async(uint32_t how, uint32_t to, const unsigned char *from, uint32_t bar)
{
    const uint32_t *w = (const uint32_t *)from;
    const uint64_t *d = (const uint64_t *)from;
    const float *f = (const float *)from;
    const double *e = (const double *)from;

    switch (how) {
    case STORE_B32: ONE("b32", "r", w[0]); break;
    case STORE_U32: ONE("u32", "r", w[0]); break;
    case STORE_S32: ONE("s32", "r", w[0]); break;
    case STORE_F32: ONE("f32", "f", f[0]); break;
    case STORE_B64: ONE("b64", "l", d[0]); break;
    case STORE_U64: ONE("u64", "l", d[0]); break;
    case STORE_S64: ONE("s64", "l", d[0]); break;
    case STORE_F64: ONE("f64", "d", e[0]); break;
    case STORE_V2_B32: TWO("b32", "r", w[0], w[1]); break;
    case STORE_V2_U32: TWO("u32", "r", w[0], w[1]); break;
    case STORE_V2_S32: TWO("s32", "r", w[0], w[1]); break;
    case STORE_V2_F32: TWO("f32", "f", f[0], f[1]); break;
    case STORE_V4_B32: FOUR("b32", "r", w[0], w[1], w[2], w[3]); break;
    case STORE_V4_U32: FOUR("u32", "r", w[0], w[1], w[2], w[3]); break;
    case STORE_V4_S32: FOUR("s32", "r", w[0], w[1], w[2], w[3]); break;
    case STORE_V4_F32: FOUR("f32", "f", f[0], f[1], f[2], f[3]); break;
    case STORE_V2_B64: TWO("b64", "l", d[0], d[1]); break;
    case STORE_V2_U64: TWO("u64", "l", d[0], d[1]); break;
    case STORE_V2_S64: TWO("s64", "l", d[0], d[1]); break;
    case STORE_V2_F64: TWO("f64", "d", e[0], e[1]); break;
    }
}

/* Each thread of CTA 0 stores a piece of the input `stores` times, side by side from `offset` on, into the shared
 * memory of the CTA of rank `to`, and signals the mbarrier of `bar_to`. The owner of that one waits; then the owner of
 * the bytes writes out all of them. The mbarrier lies behind them. */
template <int M> __device__ static void cluster_store_body(const cluster_memory_args &a)
{
    const uint32_t i = threadIdx.x, n = blockDim.x, bytes = (n * a.stores * a.size + MEMORY_BYTES + 15) & ~15u;
    const uint32_t bar = ck_shared(ck_smem) + bytes, rank = cluster_rank();

    poison_shared_bytes(0, bytes);
    if (i == 0) {
        mbarrier_init(bar, 1);
        fence_mbarrier_init();
        mbarrier_arrive_expect_tx(bar, a.expect);
    }
    cluster_sync_unaligned();
    for (uint32_t k = 0; rank == 0 && k < a.stores; k++)
        store_async(a.how, in_cta(ck_shared(ck_smem) + a.offset + (k * n + i) * a.size, a.to),
                    a.in + (k * n + i) * a.size, in_cta(bar, a.bar_to));
    if (rank == a.bar_to)
        mbarrier_wait_parity(a.head, bar, 0, 0);
    if (a.to != a.bar_to)
        cluster_sync_unaligned();
    if (rank == a.to)
        dump_shared_bytes(a.out, 0, bytes);
    cluster_sync_unaligned();
}
CK_KERNEL(cluster_store, cluster_memory_args)

#define REDASYNC             "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes"
#define REDUCE(op, c, value) asm volatile(REDASYNC "." op " [%0], %1, [%2];" ::"r"(to), c(value), "r"(bar) : "memory")
__device__ static void reduce_async(uint32_t how, uint32_t to, const unsigned char *from, uint32_t bar)
{
    const uint32_t w = *(const uint32_t *)from;

    switch (how) {
    case REDUCE_INC: REDUCE("inc.u32", "r", w); break;
    case REDUCE_DEC: REDUCE("dec.u32", "r", w); break;
    case REDUCE_MIN_U32: REDUCE("min.u32", "r", w); break;
    case REDUCE_MIN_S32: REDUCE("min.s32", "r", w); break;
    case REDUCE_MAX_U32: REDUCE("max.u32", "r", w); break;
    case REDUCE_MAX_S32: REDUCE("max.s32", "r", w); break;
    case REDUCE_AND: REDUCE("and.b32", "r", w); break;
    case REDUCE_OR: REDUCE("or.b32", "r", w); break;
    case REDUCE_XOR: REDUCE("xor.b32", "r", w); break;
    case REDUCE_ADD_U32: REDUCE("add.u32", "r", w); break;
    case REDUCE_ADD_S32: REDUCE("add.s32", "r", w); break;
    case REDUCE_ADD_U64: REDUCE("add.u64", "l", *(const uint64_t *)from); break;
    }
}

/* Each thread of CTA 0 reduces `stores` values of the input, 8 bytes apart, into one place of the CTA of rank `to`,
 * which begins with the 8 bytes behind all values. That CTA waits for the bytes of all, and writes the place out. */
template <int M> __device__ static void cluster_reduce_body(const cluster_memory_args &a)
{
    const uint32_t i = threadIdx.x, n = blockDim.x, place = ck_shared(ck_smem), bar = place + 8;
    const uint32_t rank = cluster_rank();

    if (i == 0) {
        *(uint64_t *)ck_smem = *(const uint64_t *)(a.in + 8 * n * a.stores);
        mbarrier_init(bar, 1);
        fence_mbarrier_init();
        mbarrier_arrive_expect_tx(bar, a.expect);
    }
    cluster_sync_unaligned();
    for (uint32_t k = 0; rank == 0 && k < a.stores; k++)
        reduce_async(a.how, in_cta(place, a.to), a.in + 8 * (k * n + i), in_cta(bar, a.to));
    if (rank == a.to && mbarrier_wait_parity(a.head, bar, 0, 0) && i == 0)
        *(uint64_t *)a.out = *(const uint64_t *)ck_smem;
    cluster_sync_unaligned();
}
CK_KERNEL(cluster_reduce, cluster_memory_args)
// SPDX-License-Identifier: Apache-2.0
