/* The linear filter. CUDA Programming Guide, "Linear Filtering"; its rounding is that of an H200: docs/textures.md. */
#include "harness/emu/texture/filter.h"

#include <math.h>
#include <string.h>

/* ---- weights ---------------------------------------------------------------------------------------------------- */

enum { ONE = 256 };

static uint16_t part(unsigned a, unsigned b)
{
    return (uint16_t)((a * b + ONE / 2) / ONE);
}

/* Of two dimensions, 8 bits are kept of the product, and of the others what is left of the two fractions. */
static void plane(unsigned x, unsigned y, uint16_t out[4])
{
    out[3] = part(x, y);
    out[2] = (uint16_t)(y - out[3]);
    out[1] = (uint16_t)(x - out[3]);
    out[0] = (uint16_t)(ONE - x - y + out[3]);
}

/* The same of three: each product of two fractions has 8 bits, and that of all three. */
static void space(unsigned x, unsigned y, unsigned z, uint16_t out[8])
{
    const unsigned xy = part(x, y), xz = part(x, z), yz = part(y, z), xyz = part(xy, z);

    out[7] = (uint16_t)xyz;
    out[6] = (uint16_t)(yz > xyz ? yz - xyz : 0);
    out[5] = (uint16_t)(xz > xyz ? xz - xyz : 0);
    out[4] = (uint16_t)(z + xyz > xz + yz ? z + xyz - xz - yz : 0);
    out[3] = (uint16_t)(xy - xyz);
    out[2] = (uint16_t)(y + xyz > xy + yz ? y + xyz - xy - yz : 0);
    out[1] = (uint16_t)(x + xyz > xy + xz ? x + xyz - xy - xz : 0);
    out[0] = ONE;
    for (int k = 1; k < 8; k++)
        out[0] = (uint16_t)(out[0] - out[k]);
}

void emu_filter_weights(const struct emu_sample *s, uint16_t out[EMU_WEIGHTS])
{
    const unsigned corners = 1u << s->levels[0].axes;
    uint16_t weights[2][EMU_CORNERS] = { { ONE }, { ONE } };

    memset(out, 0, EMU_WEIGHTS * sizeof *out);
    for (unsigned l = 0; l < s->count; l++) {
        const uint16_t *f = s->levels[l].fraction;
        if (s->levels[l].axes == 1)
            weights[l][1] = f[0], weights[l][0] = (uint16_t)(ONE - f[0]);
        else if (s->levels[l].axes == 2)
            plane(f[0], f[1], weights[l]);
        else if (s->levels[l].axes == 3)
            space(f[0], f[1], f[2], weights[l]);
    }
    for (unsigned k = 0; k < corners; k++) {
        out[k] = s->count == 1 ? weights[0][k] : part(weights[0][k], ONE - s->fraction);
        if (s->count == 2)
            out[corners + k] = part(weights[1][k], s->fraction);
    }
}

/* ---- sums ------------------------------------------------------------------------------------------------------- */

/* What is kept of a texel below the last digit of the largest one. */
enum { GUARD = 4, DIGITS = 24 };

/* digits * 2^exponent rounded to so many digits, half away from zero. */
static double rounded(int64_t digits, int exponent, int keep)
{
    const uint64_t magnitude = (uint64_t)(digits < 0 ? -digits : digits);
    int length = 0, drop;
    uint64_t n = magnitude;

    while (length < 64 && magnitude >> length)
        length++;
    drop = length - keep;
    if (drop > 0)
        n = ((magnitude >> (drop - 1)) + 1) >> 1 << drop;
    return ldexp(digits < 0 ? -(double)n : (double)n, exponent);
}

static float single_of(uint32_t bits)
{
    float f;

    memcpy(&f, &bits, sizeof f);
    return f;
}

static uint32_t bits_of(float f)
{
    uint32_t bits;

    memcpy(&bits, &f, sizeof bits);
    return bits;
}

uint32_t emu_filter_floats(const uint16_t weights[EMU_WEIGHTS], const uint32_t texels[EMU_WEIGHTS], bool half)
{
    int top = -200, exponent;
    int64_t sum = 0;
    float odd = 0;
    bool finite = true;

    for (unsigned k = 0; k < EMU_WEIGHTS; k++) {
        const float f = single_of(texels[k]);
        if (!weights[k])
            continue;
        odd += f;
        finite &= isfinite(f) != 0;
        frexpf(f, &exponent);
        if (f != 0 && finite && exponent > top)
            top = exponent;
    }
    if (!finite)
        return bits_of(isnan(odd) ? NAN : odd);
    for (unsigned k = 0; k < EMU_WEIGHTS; k++)
        if (weights[k]) /* digits below the last are cut off */
            sum += (int64_t)ldexp((double)single_of(texels[k]), DIGITS + GUARD - top) * weights[k];
    return bits_of((float)rounded(sum, top - DIGITS - GUARD - 8, half ? 11 : DIGITS));
}

int32_t emu_filter_integers(const uint16_t weights[EMU_WEIGHTS], const int32_t texels[EMU_WEIGHTS])
{
    int64_t sum = 0;

    for (unsigned k = 0; k < EMU_WEIGHTS; k++)
        sum += (int64_t)texels[k] * weights[k];
    return (int32_t)((sum < 0 ? sum - ONE / 2 : sum + ONE / 2) / ONE);
}
