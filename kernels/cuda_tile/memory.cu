/* The memory model of tile code: calls that follow each other, blocks that wait for each other, atomics. */
#include <cuda_fp16.h>

#include "kernels/cuda_tile/ct.cuh"

template <class T, size_t N> using line = ct::tile<T, ct::shape<N>>;
using ct::memory_order;
using ct::thread_scope;

/* An array of n elements as tiles of 8. */
template <class T> __tile__ auto tiles(T *p, int n)
{
    return ct::partition_view{ ct::tensor_span{ p, ct::extents{ n } }, ct::shape{ 8_ic } };
}

/* Block 0 waits until the others have counted themselves, for `rounds` rounds at most: stores 1 if they all have, else
 * 2. */
extern "C" __tile_global__ void memory_wait(CT_HEAD, int *count, int *out, int rounds, int blocks)
{
    if (ct::bid().x != 0) {
        ct::atomic_add<memory_order::relaxed, thread_scope::device>(count, 1);
        return;
    }
    int came = 0;
    for (int i = 0; i < rounds && came < blocks - 1; i++)
        came = ct::atomic_load<memory_order::acquire, thread_scope::device>(count);
    *out = came == blocks - 1 ? 1 : 2;
}

enum way { BY_VIEW, BY_POINTERS, BY_TURNS };

__tile__ auto load_by(way w, int i, int *p)
{
    if (w == BY_VIEW || (w == BY_TURNS && i % 2))
        return tiles(p, 8).load(0);
    else
        return ct::load(p + ct::iota<line<int, 8>>());
}
__tile__ void store_by(way w, int i, int *p, line<int, 8> tile)
{
    if (w == BY_VIEW || (w == BY_TURNS && i % 2))
        tiles(p, 8).store(tile, 0);
    else
        ct::store(p + ct::iota<line<int, 8>>(), tile);
}

/* In each round a tile is stored, one more than it was, and loaded again: through a view, through pointers, and by
 * turns. EARLY: it is loaded before it is stored. */
__tile__ void chain(const int *in, int *out, int rounds, way w, bool early)
{
    auto tile = tiles(in, 8).load(0);

    tiles(out, 8).store(tile, 0);
    for (int i = 0; i < rounds; i++) {
        const auto before = load_by(w, i, out);

        store_by(w, i + 1, out, tile + 1);
        tile = early ? before : load_by(w, i, out);
    }
}
#define CHAIN(name, way)                                                                                               \
    extern "C" __tile_global__ void memory_chain_##name(CT_HEAD, const int *in, int *out, int rounds)                  \
    {                                                                                                                  \
        chain(in, out, rounds, way, false);                                                                            \
    }                                                                                                                  \
    extern "C" __tile_global__ void memory_chain_##name##__early(CT_HEAD, const int *in, int *out, int rounds)         \
    {                                                                                                                  \
        chain(in, out, rounds, way, true);                                                                             \
    }
CHAIN(view, BY_VIEW)
CHAIN(pointers, BY_POINTERS)
CHAIN(turns, BY_TURNS)

/* Loads n elements and stores them `shift` elements further on, as one tile. SINGLE: one after the other. */
#define SHIFT(n)                                                                                                       \
    extern "C" __tile_global__ void memory_shift_##n(CT_HEAD, int *array, int shift)                                   \
    {                                                                                                                  \
        const auto at = array + ct::iota<line<int, n>>();                                                              \
                                                                                                                       \
        ct::store(at + shift, ct::load(at));                                                                           \
    }                                                                                                                  \
    extern "C" __tile_global__ void memory_shift_##n##__single(CT_HEAD, int *array, int shift)                         \
    {                                                                                                                  \
        for (int i = 0; i < n; i++)                                                                                    \
            array[i + shift] = array[i];                                                                               \
    }                                                                                                                  \
    extern "C" __tile_global__ void memory_shift_view_##n(CT_HEAD, int *array, int shift)                              \
    {                                                                                                                  \
        const auto from = ct::partition_view{ ct::tensor_span{ array, ct::extents{ n##_ic } }, ct::shape{ n##_ic } };  \
        const auto to =                                                                                                \
            ct::partition_view{ ct::tensor_span{ array + shift, ct::extents{ n##_ic } }, ct::shape{ n##_ic } };        \
                                                                                                                       \
        to.store(from.load(0), 0);                                                                                     \
    }                                                                                                                  \
    extern "C" __tile_global__ void memory_shift_view_##n##__single(CT_HEAD, int *array, int shift)                    \
    {                                                                                                                  \
        for (int i = 0; i < n; i++)                                                                                    \
            array[i + shift] = array[i];                                                                               \
    }
SHIFT(16)
SHIFT(128)
SHIFT(1024)

/* One block stores a tile and then says so, with a release; another one waits for that, with an acquire, and copies the
 * tile. It stores 1 in `done` if it did not wait in vain. EARLY: it is said long before the tile is stored. */
template <thread_scope Scope, class Say>
__tile__ void publish(const int *in, int *array, int *flag, int *out, int *done, int rounds, int producer, bool early,
                      Say say)
{
    if ((int)ct::bid().x == producer) {
        if (early) {
            say();
            for (int i = 0; i < rounds / 16; i++)
                ct::atomic_load<memory_order::acquire, Scope>(flag);
        }
        tiles(array, 8).store(tiles(in, 8).load(0), 0);
        if (!early)
            say();
    } else {
        int said = 0;

        for (int i = 0; i < rounds && said != 1; i++)
            said = ct::atomic_load<memory_order::acquire, Scope>(flag);
        tiles(out, 8).store(tiles(array, 8).load(0), 0);
        *done = said;
    }
}
#define PUBLISH(name, scope, early, ...)                                                                               \
    extern "C" __tile_global__ void memory_publish_##name(CT_HEAD, const int *in, int *array, int *flag, int *out,     \
                                                          int *done, int rounds, int producer)                         \
    {                                                                                                                  \
        publish<scope>(in, array, flag, out, done, rounds, producer, early, [&] { __VA_ARGS__; });                     \
    }
#define PUBLISHED(name, scope, ...)                                                                                    \
    PUBLISH(name, scope, false, __VA_ARGS__)                                                                           \
    PUBLISH(name##__early, scope, true, __VA_ARGS__)

PUBLISHED(store_device, thread_scope::device, ct::atomic_store<memory_order::release, thread_scope::device>(flag, 1))
PUBLISHED(store_system, thread_scope::system, ct::atomic_store<memory_order::release>(flag, 1))
PUBLISHED(add_release, thread_scope::device, ct::atomic_add<memory_order::release, thread_scope::device>(flag, 1))
PUBLISHED(add_acq_rel, thread_scope::device, ct::atomic_add<memory_order::acq_rel, thread_scope::device>(flag, 1))
PUBLISHED(exchange, thread_scope::device, ct::atomic_xchg<memory_order::release, thread_scope::device>(flag, 1))

/* Each block combines its number, counted from 1, with 8 elements, or eight times with one. */
#define ATOMIC(op, name, T)                                                                                            \
    extern "C" __tile_global__ void memory_##op##_##name(CT_HEAD, T *array, int same)                                  \
    {                                                                                                                  \
        const auto at = array + ct::iota<line<int, 8>>() * (same ? 0 : 1);                                             \
        const auto number = ct::full<line<T, 8>>((T)(ct::bid().x + 1));                                                \
                                                                                                                       \
        ct::atomic_##op<memory_order::relaxed, thread_scope::device>(at, number);                                      \
    }
/* The same for all elements of a view whose last tile hangs over. NEXT: each tile goes to the next one's place. */
#define VIEW_ATOMIC(op, name, T)                                                                                       \
    extern "C" __tile_global__ void memory_view_##op##_##name(CT_HEAD, T *array, int n, int count)                     \
    {                                                                                                                  \
        const auto number = ct::full<line<T, 8>>((T)(ct::bid().x + 1));                                                \
                                                                                                                       \
        for (int i = 0; i < count; i++)                                                                                \
            tiles(array, n).atomic_##op##_masked(number, ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{},    \
                                                 i);                                                                   \
    }
#define INTEGER_OPS(ATOMIC, name, T)                                                                                   \
    ATOMIC(add, name, T)                                                                                               \
    ATOMIC(sub, name, T)                                                                                               \
    ATOMIC(and, name, T)                                                                                               \
    ATOMIC(or, name, T)                                                                                                \
    ATOMIC(xor, name, T)                                                                                               \
    ATOMIC(max, name, T)                                                                                               \
    ATOMIC(min, name, T)
#define ALL_OPS(ATOMIC)                                                                                                \
    INTEGER_OPS(ATOMIC, s32, int)                                                                                      \
    INTEGER_OPS(ATOMIC, u32, unsigned)                                                                                 \
    INTEGER_OPS(ATOMIC, s64, long long)                                                                                \
    INTEGER_OPS(ATOMIC, u64, unsigned long long)                                                                       \
    ATOMIC(add, f32, float)                                                                                            \
    ATOMIC(add, f64, double)                                                                                           \
    ATOMIC(sub, f32, float)                                                                                            \
    ATOMIC(sub, f64, double)

ALL_OPS(ATOMIC)

/* Eight additions to one element by a load, a sum and a store. */
extern "C" __tile_global__ void memory_add_s32__plain(CT_HEAD, int *array, int)
{
    const auto at = ct::full<line<int *, 8>>(array);

    ct::store(at, ct::load(at) + (int)(ct::bid().x + 1));
}

/* Copies a tile by atomic accesses of views, the last one masked. */
extern "C" __tile_global__ void memory_view_copy(CT_HEAD, const int *in, int *out, int n)
{
    const int i = (int)ct::bid().x;

    const ct::memory_order_relaxed_t relaxed;
    const ct::view_padding_constant<ct::view_padding::zero> padding;

    tiles(out, n).atomic_store_masked(tiles(in, n).atomic_load_masked(padding, relaxed, i), relaxed, i);
}

/* Adds 1 to a tile. */
extern "C" __tile_global__ void memory_increase(CT_HEAD, int *array)
{
    tiles(array, 8).store(tiles(array, 8).load(0) + 1, 0);
}

#if __CUDACC_VER_MAJOR__ > 13 || __CUDACC_VER_MINOR__ >= 5 /* 13.3 has no such operations, 13.4 none with a mask */
ALL_OPS(VIEW_ATOMIC)
#endif
// SPDX-License-Identifier: Apache-2.0
