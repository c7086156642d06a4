/* Spans whose layout is a type, row-major or layout_left, and views of them: one tile at an index, loaded or stored. */
#include "kernels/cuda_tile/view.cuh"

/* Loads the tile at the index and stores it densely; loads the dense tile and stores it at the index. */
#define LAID(rank, name, T, side, ...)                                                                                 \
    extern "C" __tile_global__ void span_##side##_load##rank##_##name(CT_VIEW)                                         \
    {                                                                                                                  \
        const auto from =                                                                                              \
            ct::partition_view{ ct::tensor_span{ (const T *)array, ct::extents{ LIST_##rank(e) } __VA_ARGS__ },        \
                                SHAPE_##rank };                                                                        \
        dense<T>(tile, SHAPE_##rank).store(from.load(LIST_##rank(i)), ZEROS_##rank);                                   \
    }                                                                                                                  \
    extern "C" __tile_global__ void span_##side##_store##rank##_##name(CT_VIEW)                                        \
    {                                                                                                                  \
        const auto to = ct::partition_view{ ct::tensor_span{ (T *)array, ct::extents{ LIST_##rank(e) } __VA_ARGS__ },  \
                                            SHAPE_##rank };                                                            \
        to.store(dense<T>(tile, SHAPE_##rank).load(ZEROS_##rank), LIST_##rank(i));                                     \
    }
#define COMMA       ,
#define RIGHT(rank) LAID(rank, u8, unsigned char, right) LAID(rank, u32, unsigned, right)
#define LEFT(rank)                                                                                                     \
    LAID(rank, u8, unsigned char, left, COMMA ct::layout_left{})                                                       \
    LAID(rank, u32, unsigned, left, COMMA ct::layout_left{})

RIGHT(1)
RIGHT(2)
RIGHT(3)
RIGHT(4)
RIGHT(5)
LEFT(2)
LEFT(3)
LEFT(4)

/* Loads the tile at the index, adds to each element its number in row-major order, and stores the sum densely.
 * TRANSPOSED: the number in column-major order. */
extern "C" __tile_global__ void span_numbered(CT_VIEW)
{
    const auto from = partition((const unsigned *)array, ct::extents{ e0, e1 }, ct::extents{ s0, s1 }, SHAPE_2);
    const auto number = ct::reshape(ct::iota<ct::tile<unsigned, ct::shape<64>>>(), SHAPE_2);

    dense<unsigned>(tile, SHAPE_2).store(from.load(i0, i1) + number, 0, 0);
}
extern "C" __tile_global__ void span_numbered__transposed(CT_VIEW)
{
    const auto from = partition((const unsigned *)array, ct::extents{ e0, e1 }, ct::extents{ s0, s1 }, SHAPE_2);
    const auto number =
        ct::transpose(ct::reshape(ct::iota<ct::tile<unsigned, ct::shape<64>>>(), ct::shape{ 16_ic, 4_ic }));

    dense<unsigned>(tile, SHAPE_2).store(from.load(i0, i1) + number, 0, 0);
}

/* Loads the tile at the index as `bool` and stores it densely. */
extern "C" __tile_global__ void span_bool(CT_VIEW)
{
    const auto from = partition((const bool *)array, ct::extents{ e0, e1 }, ct::extents{ s0, s1 }, SHAPE_2);

    dense<bool>(tile, SHAPE_2).store(from.load(i0, i1), 0, 0);
}

/* Stores the truth values of a comparison with e0. */
extern "C" __tile_global__ void span_bool_made(CT_VIEW)
{
    dense<bool>(tile, SHAPE_1).store(ct::iota<ct::tile<int, ct::shape<16>>>() < e0, 0);
}

/* Loads one tile of 4 x 16 and one of 8 x 8 through two views of one span, at the same index. */
extern "C" __tile_global__ void span_two_views(CT_VIEW)
{
    const ct::tensor_span span{ (const unsigned *)array,
                                ct::layout_strided_mapping{ ct::extents{ e0, e1 }, ct::extents{ s0, s1 } } };
    const auto wide = ct::partition_view{ span, ct::shape{ 4_ic, 16_ic } };
    const auto square = ct::partition_view{ span, ct::shape{ 8_ic, 8_ic } };

    dense<unsigned>(tile, ct::shape{ 4_ic, 16_ic }).store(wide.load(i0, i1), 0, 0);
    dense<unsigned>(tile + 256, ct::shape{ 8_ic, 8_ic }).store(square.load(i0, i1), 0, 0);
}

/* Copies the first e0 tiles of 16 of an array through one view, in a loop. */
extern "C" __tile_global__ void span_reuse(CT_VIEW)
{
    const auto from = ct::partition_view{ ct::tensor_span{ (const unsigned *)array, ct::extents{ e1 } }, SHAPE_1 };
    const auto to = ct::partition_view{ ct::tensor_span{ (unsigned *)tile, ct::extents{ e1 } }, SHAPE_1 };

    for (int k : ct::irange(0, e0))
        to.store(from.load(k), k);
}

/* Stores the dense tile at the index, and loads it again through the same view or through a second one; what comes goes
 * to the second half of the dense memory. */
#define STORE_THEN_LOAD(name, ...)                                                                                     \
    extern "C" __tile_global__ void span_then_load_##name(CT_VIEW)                                                     \
    {                                                                                                                  \
        const auto to = partition((unsigned *)array, ct::extents{ e0, e1 }, ct::extents{ s0, s1 }, SHAPE_2);           \
        const auto other = partition((unsigned *)array, ct::extents{ e0, e1 }, ct::extents{ s0, s1 }, SHAPE_2);        \
        const auto again = dense<unsigned>(tile + 256, SHAPE_2);                                                       \
        const auto value = dense<unsigned>(tile, SHAPE_2).load(0, 0);                                                  \
        __VA_ARGS__(void) other;                                                                                       \
    }
STORE_THEN_LOAD(same, to.store(value, i0, i1); again.store(to.load(i0, i1), 0, 0);)
STORE_THEN_LOAD(same__before, again.store(to.load(i0, i1), 0, 0); to.store(value, i0, i1);)
STORE_THEN_LOAD(other, to.store(value, i0, i1); again.store(other.load(i0, i1), 0, 0);)
STORE_THEN_LOAD(other__before, again.store(other.load(i0, i1), 0, 0); to.store(value, i0, i1);)

/* Stores the dense tile at the index through const-free memory, then loads it and stores it back with one added. */
extern "C" __tile_global__ void view_load2_u32_unmasked__back(CT_VIEW)
{
    const auto from = partition((unsigned *)array, ct::extents{ e0, e1 }, ct::extents{ s0, s1 }, SHAPE_2);
    const auto value = from.load(i0, i1);

    dense<unsigned>(tile, SHAPE_2).store(value, 0, 0);
    from.store(value + 1u, i0, i1);
}

/* Each block copies its tile of an array to the same place of another; an array of rank r takes r axes of the grid, the
 * last dimension the first of them. */
#define EACH(rank, name, T, ...)                                                                                       \
    extern "C" __tile_global__ void span_each##rank##_##name(CT_VIEW)                                                  \
    {                                                                                                                  \
        const int x = (int)ct::bid().x, y = (int)ct::bid().y, z = (int)ct::bid().z;                                    \
        const auto from =                                                                                              \
            partition((const T *)array, ct::extents{ LIST_##rank(e) }, ct::extents{ LIST_##rank(s) }, SHAPE_##rank);   \
        const auto to =                                                                                                \
            partition((T *)tile, ct::extents{ LIST_##rank(e) }, ct::extents{ LIST_##rank(s) }, SHAPE_##rank);          \
        (void)y, (void)z;                                                                                              \
        to.store_masked(from.load_masked(__VA_ARGS__), __VA_ARGS__);                                                   \
    }                                                                                                                  \
    extern "C" __tile_global__ void span_number##rank##_##name(CT_VIEW)                                                \
    {                                                                                                                  \
        const int x = (int)ct::bid().x, y = (int)ct::bid().y, z = (int)ct::bid().z;                                    \
        const auto to =                                                                                                \
            partition((T *)tile, ct::extents{ LIST_##rank(e) }, ct::extents{ LIST_##rank(s) }, SHAPE_##rank);          \
        const T number = (T)(1 + x + 16 * y + 64 * z);                                                                 \
        to.store_masked(ct::full<ct::tile<T, decltype(SHAPE_##rank)>>(number), __VA_ARGS__);                           \
    }
EACH(1, u8, unsigned char, x)
EACH(1, u32, unsigned, x)
EACH(2, u8, unsigned char, y, x)
EACH(2, u32, unsigned, y, x)
EACH(3, u8, unsigned char, z, y, x)
EACH(3, u32, unsigned, z, y, x)

/* Loads tile (i0, i1) of 2 x 2 of an array of ints and stores it densely. */
extern "C" __tile_global__ void span_2x2(CT_VIEW)
{
    const auto from =
        ct::partition_view{ ct::tensor_span{ (const int *)array, ct::extents{ e0, e1 } }, ct::shape{ 2_ic, 2_ic } };

    dense<int>(tile, ct::shape{ 2_ic, 2_ic }).store(from.load(i0, i1), 0, 0);
}
// SPDX-License-Identifier: Apache-2.0
