/* Coordinates into texels. CUDA Programming Guide, "Texture Fetching"; where it is silent, as an H200 does:
 * docs/textures.md. */
#include "harness/emu/texture/sample.h"

#include <math.h>
#include <string.h>

enum {
    FRACTION = 256,    /* parts of a texel in a filter */
    FRACTION_BITS = 21 /* of a normalised coordinate that count */
};

static const double LARGE = 1 << 20, below_one = 1 - 0x1p-21;

/* Two neighbouring texels along a dimension, -1 where the border is, and the weight of the second in 256ths. */
struct pair {
    int64_t texel[2];
    uint16_t fraction;
};

/* The texel of a number that may lie outside. */
static int64_t addressed(int64_t i, uint32_t n, enum emu_address_mode mode)
{
    const int64_t period = 2 * (int64_t)n;

    switch (mode) {
    case EMU_ADDRESS_WRAP: return (i % n + n) % n;
    case EMU_ADDRESS_MIRROR: i = (i % period + period) % period; return i < n ? i : period - 1 - i;
    case EMU_ADDRESS_BORDER: return i < 0 || i >= n ? -1 : i;
    default: return i < 0 ? 0 : i >= n ? n - 1 : i;
    }
}

enum emu_address_mode emu_sample_mode(const struct emu_texture *x)
{
    const bool periodic = x->mode == EMU_ADDRESS_WRAP || x->mode == EMU_ADDRESS_MIRROR;

    return periodic && !x->normalized ? EMU_ADDRESS_CLAMP : (enum emu_address_mode)x->mode;
}

static double number(uint32_t bits)
{
    float f;

    memcpy(&f, &bits, sizeof f);
    return isnan(f) ? 0 : f;
}

/* Along a dimension of n texels. Coordinates far outside are brought near first, so that integers hold them. */
static struct pair pair_at(double at, uint32_t n, bool normalized, bool linear, enum emu_address_mode mode,
                           int32_t offset)
{
    struct pair p = { .fraction = 0 };
    int64_t fixed;

    if (normalized && mode == EMU_ADDRESS_WRAP)
        at = isfinite(at) ? at - floor(at) : 0;
    if (normalized && mode == EMU_ADDRESS_MIRROR)
        at = isfinite(at) ? at - 2 * floor(at / 2) : 0;
    if (at == 1 && mode == EMU_ADDRESS_WRAP && normalized)
        at = below_one;
    if (normalized)
        at = floor(ldexp(fmin(fmax(at, -LARGE), LARGE), FRACTION_BITS)) / (1 << FRACTION_BITS) * n;
    at = fmin(fmax(at, -(double)n - 64), 3.0 * n + 64);
    if (!linear) {
        p.texel[0] = addressed((int64_t)floor(at) + offset, n, mode);
        return p;
    }
    fixed = (int64_t)floor(at * FRACTION + 0.5) - FRACTION / 2;
    p.fraction = (uint16_t)(fixed & (FRACTION - 1));
    if (mode == EMU_ADDRESS_CLAMP && (fixed < 0 || fixed > (int64_t)(n - 1) * FRACTION))
        p.fraction = 0; /* both are the same texel */
    for (int k = 0; k < 2; k++)
        p.texel[k] = addressed((fixed >> 8) + k + offset, n, mode);
    return p;
}

/* The face of a direction, and where it meets it: 0 to 1. */
static uint32_t face_of(const uint32_t at[EMU_AXES], double *s, double *t)
{
    const double x = number(at[0]), y = number(at[1]), z = number(at[2]);
    const double ax = fabs(x), ay = fabs(y), az = fabs(z);
    double m;
    uint32_t face;

    if (az >= ax && az >= ay) {
        face = z < 0 ? 5 : 4;
        m = az, *s = z < 0 ? -x : x, *t = -y;
    } else if (ay >= ax) {
        face = y < 0 ? 3 : 2;
        m = ay, *s = x, *t = y < 0 ? -z : z;
    } else {
        face = x < 0 ? 1 : 0;
        m = ax, *s = x < 0 ? z : -z, *t = -y;
    }
    *s = m > 0 ? (*s / m + 1) / 2 : 0.5;
    *t = m > 0 ? (*t / m + 1) / 2 : 0.5;
    return face;
}

bool emu_sample_is_none(const struct emu_texture *x, const struct emu_coordinates *c)
{
    return c->dimensions == 1 && !c->of_level && c->integers == !x->memory;
}

/* The texels of a level. */
static void taps_of(const struct emu_texture *x, const struct emu_coordinates *c, uint32_t level, struct emu_taps *out)
{
    const struct emu_extents n = emu_texture_extents(x, level);
    const uint32_t extent[EMU_AXES] = { n.width, n.height, n.depth };
    const bool linear = c->gathers || (x->linear && !c->integers);
    const enum emu_address_mode mode = x->cube ? EMU_ADDRESS_CLAMP : emu_sample_mode(x);
    const unsigned dimensions = x->cube ? 2 : c->dimensions < EMU_AXES ? c->dimensions : EMU_AXES;
    const bool no_layer = x->layers && c->layer >= x->layers, no_level = c->level < 0 || c->level >= (float)x->levels;
    const bool none = emu_sample_is_none(x, c) || (c->integers && (no_layer || no_level));
    uint32_t slice = !x->layers ? 0 : c->layer < x->layers ? c->layer : x->layers - 1;
    struct pair pairs[EMU_AXES] = { { .fraction = 0 } };
    double at[EMU_AXES] = { 0 };

    if (x->cube)
        slice = slice * EMU_CUBE_FACES + face_of(c->at, &at[0], &at[1]);
    *out = (struct emu_taps){ .axes = linear ? (uint8_t)dimensions : 0 };
    for (unsigned k = 0; k < dimensions; k++) {
        if (c->integers) {
            const int64_t i = (int64_t)(int32_t)c->at[k] + c->offset[k];
            pairs[k].texel[0] = addressed(i, extent[k], c->of_level ? EMU_ADDRESS_CLAMP : EMU_ADDRESS_BORDER);
            continue;
        }
        if (!x->cube)
            at[k] = number(c->at[k]);
        pairs[k] = pair_at(at[k], extent[k], x->normalized || x->cube, linear, mode, c->offset[k]);
        out->fraction[k] = pairs[k].fraction;
    }
    for (unsigned corner = 0; corner < 1u << out->axes; corner++) {
        const int64_t column = pairs[0].texel[corner & 1], row = pairs[1].texel[corner >> 1 & 1],
                      plane = pairs[2].texel[corner >> 2 & 1];
        out->at[corner] = none || column < 0 || row < 0 || plane < 0
                              ? 0
                              : emu_texel_at(x, level, slice, (uint32_t)column, (uint32_t)row, (uint32_t)plane);
    }
}

void emu_sample_of(const struct emu_texture *x, const struct emu_coordinates *c, struct emu_sample *out)
{
    const float most = (float)(x->levels - 1), level = c->level > 0 ? fminf(c->level, most) : 0;
    const uint32_t fixed = (uint32_t)(level * FRACTION);
    uint32_t first = (fixed + FRACTION / 2) / FRACTION;

    *out = (struct emu_sample){ .count = 1 };
    if (x->linear_levels && !c->integers) {
        first = fixed / FRACTION;
        out->fraction = fixed % FRACTION;
        out->count = out->fraction ? 2 : 1;
    }
    for (uint32_t k = 0; k < out->count; k++)
        taps_of(x, c, first + k, &out->levels[k]);
}

float emu_level_of(const struct emu_texture *x, unsigned dimensions, const float dx[EMU_AXES], const float dy[EMU_AXES])
{
    const float scale[EMU_AXES] = { x->normalized ? (float)x->width : 1, x->normalized ? (float)x->height : 1,
                                    x->normalized ? (float)x->depth : 1 };
    float a = 0, b = 0;

    for (unsigned k = 0; k < dimensions && k < EMU_AXES; k++) {
        a += dx[k] * scale[k] * dx[k] * scale[k];
        b += dy[k] * scale[k] * dy[k] * scale[k];
    }
    return fmaxf(a, b) > 0 ? 0.5f * log2f(fmaxf(a, b)) : 0;
}
// SPDX-License-Identifier: Apache-2.0
