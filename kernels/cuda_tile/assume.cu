/* One copy of an array with all that one may assume and hint: what comes out is the same each time. */
#include "kernels/cuda_tile/ct.cuh"

/* Arrays of rows of 64 elements, `pitch` elements apart; their first `skip` elements are passed over. */
#define COPY CT_HEAD, const unsigned *from, unsigned *to, int rows, int pitch, int skip

#if __CUDACC_VER_MAJOR__ > 13 || __CUDACC_VER_MINOR__ >= 4
#define STRIDES ct::strides /* in toolkit 13.3 strides are extents */
#else
#define STRIDES ct::extents
#endif

/* An array as tiles of 8 x 32. */
template <class T, class Rows, class Pitch> __tile__ auto tiles(T *p, Rows rows, Pitch pitch)
{
    const ct::layout_strided_mapping layout{ ct::extents{ rows, 64_ic }, STRIDES{ pitch, 1_ic } };

    return ct::partition_view{ ct::tensor_span{ p, layout }, ct::shape{ 8_ic, 32_ic } };
}

__tile__ void copy(const unsigned *from, unsigned *to, int rows, int pitch)
{
    for (int i = 0; i < rows / 8; i++)
        for (int j = 0; j < 2; j++)
            tiles(to, rows, pitch).store(tiles(from, rows, pitch).load(i, j), i, j);
}

/* Nothing is assumed. */
extern "C" __tile_global__ void assume_nothing(COPY)
{
    copy(from + skip, to + skip, rows, pitch);
}

/* Of the pointers. */
#define ALIGNED(bytes)                                                                                                 \
    extern "C" __tile_global__ void assume_aligned_##bytes(COPY)                                                       \
    {                                                                                                                  \
        copy(ct::assume_aligned(from + skip, bytes##_ic), ct::assume_aligned(to + skip, bytes##_ic), rows, pitch);     \
    }
ALIGNED(4)
ALIGNED(8)
ALIGNED(16)
ALIGNED(32)
ALIGNED(128)
ALIGNED(256)

/* What is returned is not used, so nothing is assumed of what is. */
extern "C" __tile_global__ void assume_unused(COPY)
{
    (void)ct::assume_aligned(from + skip, 256_ic);
    (void)ct::assume_aligned(to + skip, 256_ic);
    (void)ct::assume_divisible(pitch, 64_ic);
    (void)ct::assume_bounded(rows, 0_ic, 1_ic);
    copy(from + skip, to + skip, rows, pitch);
}

/* Of the pitch, with pointers that are aligned to 16. */
#define DIVISIBLE(n)                                                                                                   \
    extern "C" __tile_global__ void assume_divisible_##n(COPY)                                                         \
    {                                                                                                                  \
        copy(ct::assume_aligned(from + skip, 16_ic), ct::assume_aligned(to + skip, 16_ic), rows,                       \
             ct::assume_divisible(pitch, n##_ic));                                                                     \
    }
DIVISIBLE(1)
DIVISIBLE(2)
DIVISIBLE(4)
DIVISIBLE(8)
DIVISIBLE(64)

/* Of the rows. */
extern "C" __tile_global__ void assume_bounded_both(COPY)
{
    copy(from + skip, to + skip, ct::assume_bounded(rows, 0_ic, 64_ic), pitch);
}
extern "C" __tile_global__ void assume_bounded_tight(COPY)
{
    copy(from + skip, to + skip, ct::assume_bounded(rows, 8_ic, 32_ic), pitch);
}
extern "C" __tile_global__ void assume_bounded_above(COPY)
{
    copy(from + skip, to + skip, ct::assume_bounded_above(rows, 32_ic), pitch);
}
extern "C" __tile_global__ void assume_bounded_below(COPY)
{
    copy(from + skip, to + skip, ct::assume_bounded_below(rows, 8_ic), pitch);
}

/* Of tiles of numbers and of pointers: 64 elements of each row, as they follow each other. */
#define POINTERS(name, ...)                                                                                            \
    extern "C" __tile_global__ void assume_##name(COPY)                                                                \
    {                                                                                                                  \
        using numbers = ct::tile<int, ct::shape<64>>;                                                                  \
                                                                                                                       \
        for (int i = 0; i < rows; i++) {                                                                               \
            const auto at = ct::iota<numbers>() + (i * pitch + skip);                                                  \
            __VA_ARGS__;                                                                                               \
        }                                                                                                              \
    }
POINTERS(tiles, ct::store(to + at, ct::load(from + at)))
POINTERS(divisible_strided, const auto sure = ct::assume_divisible_strided(at, 4_ic, 4_ic, 0_ic);
         ct::store(to + sure, ct::load(from + sure)))
POINTERS(aligned_strided, ct::store(ct::assume_aligned_strided(to + at, 16_ic, 4_ic, 0_ic),
                                    ct::load(ct::assume_aligned_strided(from + at, 16_ic, 4_ic, 0_ic))))
/* The numbers of four elements that follow each other begin with the same multiple of 4. */
POINTERS(blocked, const auto four = ct::assume_blocked(at / 4 * 4, ct::shape{ 4_ic });
         ct::store(to + (four + at % 4), ct::load(from + (four + at % 4))))

/* The arrays do not overlap. */
extern "C" __tile_global__ void assume_restrict(CT_HEAD, const unsigned *__restrict__ from, unsigned *__restrict__ to,
                                                int rows, int pitch, int skip)
{
    copy(from + skip, to + skip, rows, pitch);
}

/* Hints before a kernel. */
#define KERNEL_HINT(name, ...)                                                                                         \
    extern "C" [[cutile::hint(0, __VA_ARGS__)]] __tile_global__ void hint_##name(COPY)                                 \
    {                                                                                                                  \
        copy(ct::assume_aligned(from, 16_ic), ct::assume_aligned(to, 16_ic), rows, ct::assume_divisible(pitch, 4_ic)); \
    }
KERNEL_HINT(occupancy_1, occupancy = 1)
KERNEL_HINT(occupancy_2, occupancy = 2)
KERNEL_HINT(occupancy_32, occupancy = 32)
KERNEL_HINT(ctas_1, num_cta_in_cga = 1)
KERNEL_HINT(ctas_2, num_cta_in_cga = 2)
KERNEL_HINT(ctas_4, num_cta_in_cga = 4)
KERNEL_HINT(both, num_cta_in_cga = 2, occupancy = 4)

/* Hints before a load, before a store, and before both. */
#define COPY_HINT(name, load_hint, store_hint)                                                                         \
    extern "C" __tile_global__ void hint_##name(COPY)                                                                  \
    {                                                                                                                  \
        const auto in = tiles(ct::assume_aligned(from, 16_ic), rows, ct::assume_divisible(pitch, 4_ic));               \
        const auto out = tiles(ct::assume_aligned(to, 16_ic), rows, ct::assume_divisible(pitch, 4_ic));                \
        ct::tile<unsigned, ct::shape<8, 32>> tile;                                                                     \
                                                                                                                       \
        for (int i = 0; i < rows / 8; i++)                                                                             \
            for (int j = 0; j < 2; j++) {                                                                              \
                load_hint tile = in.load(i, j);                                                                        \
                store_hint out.store(tile, i, j);                                                                      \
            }                                                                                                          \
    }
COPY_HINT(latency_1, [[cutile::hint(0, latency = 1)]], [[cutile::hint(0, latency = 1)]])
COPY_HINT(latency_5, [[cutile::hint(900, latency = 5)]], [[cutile::hint(900, latency = 5)]])
COPY_HINT(latency_10, [[cutile::hint(0, latency = 10)]], [[cutile::hint(0, latency = 10)]])
COPY_HINT(latency_load, [[cutile::hint(900, latency = 8)]], )
COPY_HINT(latency_store, , [[cutile::hint(900, latency = 8)]])
COPY_HINT(latency_two, [[cutile::hint(0, latency = 2)]] [[cutile::hint(900, latency = 9)]],
          [[cutile::hint(1000, latency = 3)]])
COPY_HINT(tma, [[cutile::hint(0, allow_tma = true)]], [[cutile::hint(0, allow_tma = true)]])
COPY_HINT(no_tma, [[cutile::hint(0, allow_tma = false)]], [[cutile::hint(0, allow_tma = false)]])
COPY_HINT(no_tma_load, [[cutile::hint(900, allow_tma = false)]], )
COPY_HINT(no_tma_store, , [[cutile::hint(900, allow_tma = false)]])
// SPDX-License-Identifier: Apache-2.0
