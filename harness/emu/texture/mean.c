/* The linear filter by lanes of a warp. All sums are exact in double precision: a plane's texels have 28 digits at most
 * when they are aligned, and weights add up to 256. */
#include "harness/emu/texture/mean.h"

#include <string.h>

#include "harness/emu/machine/lanes.h"

/* The exponent, as .f32 has it, of the largest texel: four of them do not overflow. What is kept of a texel, in binary
 * digits, which are all of a subnormal one; the weight of all. */
enum { MOST = 249, BIAS = 126, DIGITS = 28, ONE_DIGITS = 8, DOUBLE_BIAS = 1023, DOUBLE_DIGITS = 52 };

/* Half is rounded away from zero: a sum, which is an integer below 2^36, grows by less than a quarter, so that nothing
 * else is rounded otherwise. */
static const double half_away = 1 + 0x1p-38;

#define EACH_PLANE_LANE static inline __attribute__((always_inline))

EACH_PLANE_LANE void weigh(const int32_t x[EMU_WARP], const int32_t y[EMU_WARP], struct emu_plane_weights *out)
{
    EMU_EACH_LANE
    {
        const int32_t right = x[lane], left = 256 - right;
        const int32_t below = (right * y[lane] + 128) / 256;
        const int32_t other = (left * y[lane] + 127) / 256;
        out->of[0][lane] = left - other;
        out->of[1][lane] = right - below;
        out->of[2][lane] = other;
        out->of[3][lane] = below;
    }
}

/* A texel that counts; of others, 0. Its exponent. */
EACH_PLANE_LANE uint32_t counting(uint32_t texel, int32_t weight)
{
    return weight ? texel : 0;
}

EACH_PLANE_LANE int32_t larger(int32_t a, uint32_t texel)
{
    const int32_t b = (int32_t)(texel >> 23 & 0xff);

    return a > b ? a : b;
}

EACH_PLANE_LANE double power(int64_t exponent)
{
    const uint64_t bits = (uint64_t)(exponent + DOUBLE_BIAS) << DOUBLE_DIGITS;
    double d;

    memcpy(&d, &bits, sizeof d);
    return d;
}

/* A texel in units of the last digit that is kept, cut off. */
EACH_PLANE_LANE double aligned(uint32_t texel, double scale)
{
    float f;

    memcpy(&f, &texel, sizeof f);
    return __builtin_trunc((double)f * scale);
}

EACH_PLANE_LANE uint32_t floats(const struct emu_plane *p, const struct emu_plane_weights *w, uint32_t out[EMU_WARP])
{
    uint32_t texel[EMU_GROUP][EMU_WARP];
    int32_t top[EMU_WARP], apart[EMU_WARP];
    uint32_t set = 0;

    EMU_EACH_LANE
    {
        for (unsigned k = 0; k < EMU_GROUP; k++)
            texel[k][lane] = counting(p->of[k][lane], w->of[k][lane]);
        top[lane] = larger(larger(larger(larger(0, texel[0][lane]), texel[1][lane]), texel[2][lane]), texel[3][lane]);
        apart[lane] = top[lane] > MOST;
        top[lane] = apart[lane] ? 0 : top[lane];
    }
    EMU_EACH_LANE
    {
        const double scale = power(DIGITS + BIAS - top[lane]), back = power(top[lane] - BIAS - DIGITS - ONE_DIGITS);
        const double sum =
            aligned(texel[0][lane], scale) * w->of[0][lane] + aligned(texel[1][lane], scale) * w->of[1][lane] +
            aligned(texel[2][lane], scale) * w->of[2][lane] + aligned(texel[3][lane], scale) * w->of[3][lane];
        const float f = (float)(sum * half_away * back + 0.0); /* no zero has a sign */
        memcpy(&out[lane], &f, sizeof f);
    }
    for (unsigned lane = 0; lane < EMU_WARP; lane++)
        set |= (uint32_t)apart[lane] << lane;
    return set;
}

EACH_PLANE_LANE void fractions(const struct emu_plane *p, const struct emu_plane_weights *w, int32_t largest,
                               int32_t wide, uint32_t out[EMU_WARP])
{
    EMU_EACH_LANE
    {
        const int32_t sum = (int32_t)p->of[0][lane] * w->of[0][lane] + (int32_t)p->of[1][lane] * w->of[1][lane] +
                            (int32_t)p->of[2][lane] * w->of[2][lane] + (int32_t)p->of[3][lane] * w->of[3][lane];
        const double mean = (double)sum * wide / 256.0 / (double)largest;
        const float f = (float)(__builtin_floor(mean + 0.5) / wide);
        memcpy(&out[lane], &f, sizeof f);
    }
}

EMU_IF_AVX2(
    EMU_AVX2 static void weigh_avx2(const int32_t x[EMU_WARP], const int32_t y[EMU_WARP],
                                    struct emu_plane_weights *out) {
        weigh(x, y, out);
    } EMU_AVX2 static uint32_t floats_avx2(const struct emu_plane *p, const struct emu_plane_weights *w,
                                           uint32_t out[EMU_WARP]) {
        return floats(p, w, out);
    } EMU_AVX2 static void fractions_avx2(const struct emu_plane *p, const struct emu_plane_weights *w, int32_t largest,
                                          int32_t wide,
                                          uint32_t out[EMU_WARP]) { fractions(p, w, largest, wide, out); })

void emu_plane_weigh(const int32_t x[EMU_WARP], const int32_t y[EMU_WARP], struct emu_plane_weights *out)
{
    EMU_IF_AVX2(if (emu_has_avx2()) {
        weigh_avx2(x, y, out);
        return;
    })
    weigh(x, y, out);
}

uint32_t emu_plane_floats(const struct emu_plane *p, const struct emu_plane_weights *w, uint32_t out[EMU_WARP])
{
    EMU_IF_AVX2(if (emu_has_avx2()) return floats_avx2(p, w, out);)
    return floats(p, w, out);
}

void emu_plane_fractions(const struct emu_plane *p, const struct emu_plane_weights *w, int32_t largest, int32_t wide,
                         uint32_t out[EMU_WARP])
{
    EMU_IF_AVX2(if (emu_has_avx2()) {
        fractions_avx2(p, w, largest, wide, out);
        return;
    })
    fractions(p, w, largest, wide, out);
}
// SPDX-License-Identifier: Apache-2.0
