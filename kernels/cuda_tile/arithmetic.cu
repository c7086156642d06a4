/* Tiles that are made, converted and combined in registers. Each kernel stores what comes out densely, in row-major
 * order. */
#include <cuda_fp16.h>

#include "kernels/cuda_tile/ct.cuh"

template <class T, size_t... D> using tile = ct::tile<T, ct::shape<D...>>;

/* The view of an array that is one tile of that shape. */
template <class T, class Extents> __tile__ auto whole(T *p, Extents e)
{
    return ct::partition_view{ ct::tensor_span{ p, e }, e };
}

/* A copy of a tile and the changed original. ALIAS: the copy is a reference. */
extern "C" __tile_global__ void value_copy(CT_HEAD, const int *in, int *out)
{
    auto a = whole(in, ct::shape{ 8_ic }).load(0);
    auto b = a;

    a = a + 1;
    whole(out, ct::shape{ 8_ic }).store(b, 0);
    whole(out + 8, ct::shape{ 8_ic }).store(a, 0);
}
extern "C" __tile_global__ void value_copy__alias(CT_HEAD, const int *in, int *out)
{
    auto a = whole(in, ct::shape{ 8_ic }).load(0);
    auto &b = a;

    a = a + 1;
    whole(out, ct::shape{ 8_ic }).store(b, 0);
    whole(out + 8, ct::shape{ 8_ic }).store(a, 0);
}

/* Tile (1, 1) of 2 x 4 elements of a 10 x 16 array, of which extents say none, one or both lengths at run time. */
template <class Extents> __tile__ void load_1_1(const int *in, int *out, Extents e)
{
    auto from = ct::partition_view{ ct::tensor_span{ in, e }, ct::shape{ 2_ic, 4_ic } };

    whole(out, ct::shape{ 2_ic, 4_ic }).store(from.load(1, 1), 0, 0);
}
extern "C" __tile_global__ void extents_static_static(CT_HEAD, const int *in, int *out, int, int)
{
    load_1_1(in, out, ct::extents{ 10_ic, 16_ic });
}
extern "C" __tile_global__ void extents_static_run(CT_HEAD, const int *in, int *out, int, int columns)
{
    load_1_1(in, out, ct::extents{ 10_ic, columns });
}
extern "C" __tile_global__ void extents_run_static(CT_HEAD, const int *in, int *out, int rows, int)
{
    load_1_1(in, out, ct::extents{ rows, 16_ic });
}
extern "C" __tile_global__ void extents_run_run(CT_HEAD, const int *in, int *out, int rows, int columns)
{
    load_1_1(in, out, ct::extents{ rows, columns });
}

/* A tile of 16 of an array of n elements, zeros behind its end: the length is known at run time, or static. */
template <class Extents> __tile__ void load_16(const int *in, int *out, Extents e)
{
    auto from = ct::partition_view{ ct::tensor_span{ in, e }, ct::shape{ 16_ic } };

    whole(out, ct::shape{ 16_ic }).store(from.load_masked(0), 0);
}
extern "C" __tile_global__ void extents_run(CT_HEAD, const int *in, int *out, int n)
{
    load_16(in, out, ct::extents{ n });
}
extern "C" __tile_global__ void extents_1(CT_HEAD, const int *in, int *out, int)
{
    load_16(in, out, ct::extents{ 1_ic });
}
extern "C" __tile_global__ void extents_5(CT_HEAD, const int *in, int *out, int)
{
    load_16(in, out, ct::extents{ 5_ic });
}
extern "C" __tile_global__ void extents_13(CT_HEAD, const int *in, int *out, int)
{
    load_16(in, out, ct::extents{ 13_ic });
}
extern "C" __tile_global__ void extents_16(CT_HEAD, const int *in, int *out, int)
{
    load_16(in, out, ct::extents{ 16_ic });
}

/* Two tiles put together along an axis that is a template argument, or a constant object. */
extern "C" __tile_global__ void literal_cat(CT_HEAD, const int *in, int *out)
{
    auto a = whole(in, ct::shape{ 4_ic, 8_ic }).load(0, 0), b = whole(in + 32, ct::shape{ 4_ic, 8_ic }).load(0, 0);

    whole(out, ct::shape{ 8_ic, 8_ic }).store(ct::cat<0>(a, b), 0, 0);
    whole(out + 64, ct::shape{ 8_ic, 8_ic }).store(ct::cat(a, b, 0_ic), 0, 0);
}
extern "C" __tile_global__ void literal_cat__other_axis(CT_HEAD, const int *in, int *out)
{
    auto a = whole(in, ct::shape{ 4_ic, 8_ic }).load(0, 0), b = whole(in + 32, ct::shape{ 4_ic, 8_ic }).load(0, 0);

    whole(out, ct::shape{ 8_ic, 8_ic }).store(ct::cat<0>(a, b), 0, 0);
    whole(out + 64, ct::shape{ 4_ic, 16_ic }).store(ct::cat(a, b, 1_ic), 0, 0);
}

/* iota of a shape and a type, plus `plus`. */
extern "C" __tile_global__ void iota_s32_64(CT_HEAD, int *out, int plus)
{
    whole(out, ct::shape{ 64_ic }).store(ct::iota<tile<int, 64>>() + plus, 0);
}
extern "C" __tile_global__ void iota_s32_8x8(CT_HEAD, int *out, int plus)
{
    whole(out, ct::shape{ 8_ic, 8_ic }).store(ct::iota<tile<int, 8, 8>>() + plus, 0, 0);
}
extern "C" __tile_global__ void iota_s32_4x2x8(CT_HEAD, int *out, int plus)
{
    whole(out, ct::shape{ 4_ic, 2_ic, 8_ic }).store(ct::iota<tile<int, 4, 2, 8>>() + plus, 0, 0, 0);
}
extern "C" __tile_global__ void iota_s8_2x32(CT_HEAD, int *out, int plus)
{
    const auto small = ct::iota<tile<signed char, 2, 32>>();

    whole(out, ct::shape{ 2_ic, 32_ic }).store(ct::element_cast<int>(small) + plus, 0, 0);
}
extern "C" __tile_global__ void iota_u16_64(CT_HEAD, int *out, int plus)
{
    whole(out, ct::shape{ 64_ic }).store(ct::element_cast<int>(ct::iota<tile<unsigned short, 64>>()) + plus, 0);
}
extern "C" __tile_global__ void iota_s64_32x2(CT_HEAD, int *out, int plus)
{
    const auto large = ct::iota<tile<long long, 32, 2>>();

    whole(out, ct::shape{ 32_ic, 2_ic }).store(ct::element_cast<int>(large) + plus, 0, 0);
}

/* Tiles of one value: full with `value`, zeros and ones, of 8 elements each. */
extern "C" __tile_global__ void full_s32(CT_HEAD, int *out, int value)
{
    whole(out, ct::shape{ 8_ic }).store(ct::full<tile<int, 8>>(value), 0);
    whole(out + 8, ct::shape{ 8_ic }).store(ct::zeros<tile<int, 8>>(), 0);
    whole(out + 16, ct::shape{ 8_ic }).store(ct::ones<tile<int, 8>>(), 0);
}
extern "C" __tile_global__ void full_f32(CT_HEAD, float *out, int value)
{
    whole(out, ct::shape{ 2_ic, 4_ic }).store(ct::full<tile<float, 2, 4>>((float)value), 0, 0);
    whole(out + 8, ct::shape{ 8_ic }).store(ct::zeros<tile<float, 8>>(), 0);
    whole(out + 16, ct::shape{ 8_ic }).store(ct::ones<tile<float, 8>>(), 0);
}
extern "C" __tile_global__ void full_f16(CT_HEAD, __half *out, int value)
{
    whole(out, ct::shape{ 8_ic }).store(ct::full<tile<__half, 8>>(value), 0);
    whole(out + 8, ct::shape{ 8_ic }).store(ct::zeros<tile<__half, 8>>(), 0);
    whole(out + 16, ct::shape{ 8_ic }).store(ct::ones<tile<__half, 8>>(), 0);
}
extern "C" __tile_global__ void full_u8(CT_HEAD, unsigned char *out, int value)
{
    whole(out, ct::shape{ 8_ic }).store(ct::full<tile<unsigned char, 8>>(value), 0);
    whole(out + 8, ct::shape{ 8_ic }).store(ct::zeros<tile<unsigned char, 8>>(), 0);
    whole(out + 16, ct::shape{ 8_ic }).store(ct::ones<tile<unsigned char, 8>>(), 0);
}

/* Loads through eight pointers that are one. IOTA: to eight elements. */
extern "C" __tile_global__ void full_pointer(CT_HEAD, const int *in, int *out)
{
    whole(out, ct::shape{ 8_ic }).store(ct::load(ct::full<tile<const int *, 8>>(in)), 0);
}
extern "C" __tile_global__ void full_pointer__iota(CT_HEAD, const int *in, int *out)
{
    whole(out, ct::shape{ 8_ic }).store(ct::load(in + ct::iota<tile<int, 8>>()), 0);
}

/* Sum, difference and product of two tiles of 16. SWAPPED: the difference the other way round. */
template <class T> __tile__ void operators(const T *in, T *out, bool swapped)
{
    auto a = whole(in, ct::shape{ 16_ic }).load(0), b = whole(in + 16, ct::shape{ 16_ic }).load(0);

    whole(out, ct::shape{ 16_ic }).store(a + b, 0);
    whole(out + 16, ct::shape{ 16_ic }).store(swapped ? b - a : a - b, 0);
    whole(out + 32, ct::shape{ 16_ic }).store(a * b, 0);
}
extern "C" __tile_global__ void operators_s32(CT_HEAD, const int *in, int *out)
{
    operators(in, out, false);
}
extern "C" __tile_global__ void operators_s32__swapped(CT_HEAD, const int *in, int *out)
{
    operators(in, out, true);
}
extern "C" __tile_global__ void operators_f32(CT_HEAD, const float *in, float *out)
{
    operators(in, out, false);
}
extern "C" __tile_global__ void operators_f32__swapped(CT_HEAD, const float *in, float *out)
{
    operators(in, out, true);
}

/* 8 x 2 elements and 4 x 1 x 2 elements become 4 x 8 x 2. */
extern "C" __tile_global__ void broadcast_sum(CT_HEAD, const int *a, const int *b, int *out)
{
    auto x = whole(a, ct::shape{ 8_ic, 2_ic }).load(0, 0);
    auto y = whole(b, ct::shape{ 4_ic, 1_ic, 2_ic }).load(0, 0, 0);

    whole(out, ct::shape{ 4_ic, 8_ic, 2_ic }).store(x + y, 0, 0, 0);
}

/* Which elements of iota, plus `plus`, equal 2.0, are below 3.5, and are 4: one where it holds. */
extern "C" __tile_global__ void compare_common(CT_HEAD, int *out, int plus)
{
    const auto t = ct::iota<tile<int, 8>>() + plus;
    const auto one = ct::ones<tile<int, 8>>(), none = ct::zeros<tile<int, 8>>();

    whole(out, ct::shape{ 8_ic }).store(ct::select(t == 2.0, one, none), 0);
    whole(out + 8, ct::shape{ 8_ic }).store(ct::select(t < 3.5, one, none), 0);
    whole(out + 16, ct::shape{ 8_ic }).store(ct::select(t == 4, one, none), 0);
}

/* The sum of two tiles of a small type, as int. WIDE: both are made int before they are added. */
template <class T> __tile__ void small_sum(const T *in, int *out, bool wide)
{
    auto a = whole(in, ct::shape{ 16_ic }).load(0), b = whole(in + 16, ct::shape{ 16_ic }).load(0);
    auto sum = wide ? ct::element_cast<int>(a) + ct::element_cast<int>(b) : ct::element_cast<int>(a + b);

    whole(out, ct::shape{ 16_ic }).store(sum, 0);
}
extern "C" __tile_global__ void small_sum_s8(CT_HEAD, const signed char *in, int *out)
{
    small_sum(in, out, false);
}
extern "C" __tile_global__ void small_sum_s8__wide(CT_HEAD, const signed char *in, int *out)
{
    small_sum(in, out, true);
}
extern "C" __tile_global__ void small_sum_u8(CT_HEAD, const unsigned char *in, int *out)
{
    small_sum(in, out, false);
}
extern "C" __tile_global__ void small_sum_u8__wide(CT_HEAD, const unsigned char *in, int *out)
{
    small_sum(in, out, true);
}
extern "C" __tile_global__ void small_sum_s16(CT_HEAD, const short *in, int *out)
{
    small_sum(in, out, false);
}
extern "C" __tile_global__ void small_sum_s16__wide(CT_HEAD, const short *in, int *out)
{
    small_sum(in, out, true);
}

/* a where iota is below n, b elsewhere: as eight elements, and for each row of 4 x 8. SWAPPED: a and b change places. */
extern "C" __tile_global__ void select_below(CT_HEAD, const int *a, const int *b, int *out, int n)
{
    const auto below = ct::iota<tile<int, 8>>() < n;
    auto x = whole(a, ct::shape{ 4_ic, 8_ic }).load(0, 0), y = whole(b, ct::shape{ 4_ic, 8_ic }).load(0, 0);

    whole(out, ct::shape{ 4_ic, 8_ic }).store(ct::select(below, x, y), 0, 0);
}
extern "C" __tile_global__ void select_below__swapped(CT_HEAD, const int *a, const int *b, int *out, int n)
{
    const auto below = ct::iota<tile<int, 8>>() < n;
    auto x = whole(a, ct::shape{ 4_ic, 8_ic }).load(0, 0), y = whole(b, ct::shape{ 4_ic, 8_ic }).load(0, 0);

    whole(out, ct::shape{ 4_ic, 8_ic }).store(ct::select(below, y, x), 0, 0);
}

/* Transposes 8 x 8 and 2 x 4 x 8 elements, and permutes 2 x 4 x 8 to 8 x 2 x 4. SAME: stores them as they are. */
extern "C" __tile_global__ void transpose_2(CT_HEAD, const int *in, int *out)
{
    auto t = whole(in, ct::shape{ 8_ic, 8_ic }).load(0, 0);

    whole(out, ct::shape{ 8_ic, 8_ic }).store(ct::transpose(t), 0, 0);
}
extern "C" __tile_global__ void transpose_2__same(CT_HEAD, const int *in, int *out)
{
    whole(out, ct::shape{ 8_ic, 8_ic }).store(whole(in, ct::shape{ 8_ic, 8_ic }).load(0, 0), 0, 0);
}
extern "C" __tile_global__ void transpose_3(CT_HEAD, const int *in, int *out)
{
    auto t = whole(in, ct::shape{ 2_ic, 4_ic, 8_ic }).load(0, 0, 0);

    whole(out, ct::shape{ 4_ic, 2_ic, 8_ic }).store(ct::transpose(t), 0, 0, 0);
}
extern "C" __tile_global__ void transpose_3__same(CT_HEAD, const int *in, int *out)
{
    whole(out, ct::shape{ 2_ic, 4_ic, 8_ic }).store(whole(in, ct::shape{ 2_ic, 4_ic, 8_ic }).load(0, 0, 0), 0, 0, 0);
}
extern "C" __tile_global__ void permute_3(CT_HEAD, const int *in, int *out)
{
    auto t = whole(in, ct::shape{ 2_ic, 4_ic, 8_ic }).load(0, 0, 0);

    whole(out, ct::shape{ 8_ic, 2_ic, 4_ic }).store(ct::permute(t, ct::dimension_map{ 2_ic, 0_ic, 1_ic }), 0, 0, 0);
}
extern "C" __tile_global__ void permute_3__same(CT_HEAD, const int *in, int *out)
{
    whole(out, ct::shape{ 2_ic, 4_ic, 8_ic }).store(whole(in, ct::shape{ 2_ic, 4_ic, 8_ic }).load(0, 0, 0), 0, 0, 0);
}
// SPDX-License-Identifier: Apache-2.0
