/* Coordinates of the lanes of a warp into texels: the steps of sample.c, each for all lanes. */
#include "harness/emu/texture/places.h"

#include <string.h>

#include "harness/emu/machine/lanes.h"
#include "harness/emu/texture/sample.h"

enum { FRACTION = 256 };

static const double large = 1 << 20, below_one = 1 - 0x1p-21, digits = 1 << 21;

#define EACH_PLACE static inline __attribute__((always_inline))

EACH_PLACE double limited(double at, double low, double high)
{
    at = at > low ? at : low;
    return at < high ? at : high;
}

/* Normalised coordinates as those of texels. */
EACH_PLACE void scale(double at[EMU_WARP], uint32_t n, enum emu_address_mode mode)
{
    if (mode == EMU_ADDRESS_WRAP)
        EMU_EACH_LANE
        {
            const double within = at[lane] - __builtin_floor(at[lane]); /* of infinities there is none */
            at[lane] = within >= 0 ? within == 1 ? below_one : within : 0;
        }
    if (mode == EMU_ADDRESS_MIRROR)
        EMU_EACH_LANE
        {
            const double within = at[lane] - 2 * __builtin_floor(at[lane] / 2);
            at[lane] = within >= 0 ? within : 0;
        }
    EMU_EACH_LANE
    {
        at[lane] = __builtin_floor(limited(at[lane], -large, large) * digits) / digits * n;
    }
}

/* The texel of a number that lies outside by less than the extent. */
EACH_PLACE void address(int32_t i[EMU_WARP], int32_t n, enum emu_address_mode mode)
{
    switch (mode) {
    case EMU_ADDRESS_WRAP:
        EMU_EACH_LANE
        {
            i[lane] += i[lane] < 0 ? n : i[lane] >= n ? -n : 0;
        }
        break;
    case EMU_ADDRESS_MIRROR:
        EMU_EACH_LANE
        {
            const int32_t k = i[lane] + (i[lane] < 0 ? 2 * n : i[lane] >= 2 * n ? -2 * n : 0);
            i[lane] = k < n ? k : 2 * n - 1 - k;
        }
        break;
    case EMU_ADDRESS_BORDER:
        EMU_EACH_LANE
        {
            i[lane] = i[lane] < 0 || i[lane] >= n ? -1 : i[lane];
        }
        break;
    default:
        EMU_EACH_LANE
        {
            i[lane] = i[lane] < 0 ? 0 : i[lane] >= n ? n - 1 : i[lane];
        }
    }
}

EACH_PLACE void places(const struct emu_texture *x, const uint64_t bits[EMU_WARP], uint32_t n, bool linear,
                       struct emu_places *out)
{
    const enum emu_address_mode mode = emu_sample_mode(x);
    const double low = -(double)n - 64, high = 3.0 * n + 64;
    double at[EMU_WARP];

    EMU_EACH_LANE
    {
        const uint32_t word = (uint32_t)bits[lane];
        float f;
        memcpy(&f, &word, sizeof f);
        at[lane] = f == f ? (double)f : 0; /* a NaN is 0 */
    }
    if (x->normalized)
        scale(at, n, mode);
    EMU_EACH_LANE
    {
        at[lane] = limited(at[lane], low, high);
    }
    if (!linear) {
        EMU_EACH_LANE
        {
            out->texel[0][lane] = (int32_t)__builtin_floor(at[lane]);
            out->fraction[lane] = 0;
        }
        address(out->texel[0], (int32_t)n, mode);
        return;
    }
    EMU_EACH_LANE
    {
        const int32_t fixed = (int32_t)__builtin_floor(at[lane] * FRACTION + 0.5) - FRACTION / 2;
        const bool same = mode == EMU_ADDRESS_CLAMP && (fixed < 0 || fixed > (int32_t)(n - 1) * FRACTION);
        out->texel[0][lane] = fixed >> 8;
        out->texel[1][lane] = (fixed >> 8) + 1;
        out->fraction[lane] = same ? 0 : fixed & (FRACTION - 1);
    }
    address(out->texel[0], (int32_t)n, mode);
    address(out->texel[1], (int32_t)n, mode);
}

EMU_IF_AVX2(EMU_AVX2 static void places_avx2(const struct emu_texture *x, const uint64_t at[EMU_WARP], uint32_t n,
                                             bool linear, struct emu_places *out) { places(x, at, n, linear, out); })

void emu_places_of(const struct emu_texture *x, const uint64_t at[EMU_WARP], uint32_t n, bool linear,
                   struct emu_places *out)
{
    EMU_IF_AVX2(if (emu_has_avx2()) {
        places_avx2(x, at, n, linear, out);
        return;
    })
    places(x, at, n, linear, out);
}

void emu_places_whole(const uint64_t at[EMU_WARP], uint32_t n, struct emu_places *out)
{
    EMU_EACH_LANE
    {
        const uint32_t i = (uint32_t)at[lane];
        out->texel[0][lane] = i < n ? (int32_t)i : -1;
        out->fraction[lane] = 0;
    }
}
// SPDX-License-Identifier: Apache-2.0
