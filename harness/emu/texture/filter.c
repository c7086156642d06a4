/* The linear filter. CUDA Programming Guide, "Linear Filtering"; its rounding is that of an H200: docs/textures.md. */
#include "harness/emu/texture/filter.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "harness/emu/instructions/alu/real.h"

/* ---- weights ---------------------------------------------------------------------------------------------------- */

enum { ONE = 256 };

static unsigned part(unsigned of, unsigned fraction)
{
    return (of * fraction + ONE / 2) / ONE;
}

/* A total is divided along x, then each half along y: each part is rounded, and of a tie of the two halves one is. */
static void divide(unsigned total, const uint16_t fraction[EMU_AXES], uint16_t out[EMU_GROUP])
{
    const unsigned right = part(total, fraction[0]), left = total - right;

    out[3] = (uint16_t)part(right, fraction[1]);
    out[2] = (uint16_t)((left * fraction[1] + ONE / 2 - 1) / ONE);
    out[1] = (uint16_t)(right - out[3]);
    out[0] = (uint16_t)(left - out[2]);
}

void emu_filter_weights(const struct emu_sample *s, uint16_t out[EMU_WEIGHTS])
{
    memset(out, 0, EMU_WEIGHTS * sizeof *out);
    for (unsigned l = 0; l < s->count; l++) { /* between levels first, then along z */
        const struct emu_taps *taps = &s->levels[l];
        const unsigned total = s->count == 1 ? ONE : l ? s->fraction : ONE - s->fraction;
        const unsigned far = part(total, taps->fraction[2]);
        divide(total - far, taps->fraction, out + l * EMU_CORNERS);
        divide(far, taps->fraction, out + l * EMU_CORNERS + EMU_GROUP);
    }
}

/* ---- sums ------------------------------------------------------------------------------------------------------- */

/* What is kept of a texel below the last digit of the largest one of its group. */
enum { GUARD = 4, DIGITS = 24, HALF_DIGITS = 11 };

static float single_of(uint32_t bits)
{
    float f;

    memcpy(&f, &bits, sizeof f);
    return f;
}

/* Of an exponent that a double has. */
static double power_of_two(int exponent)
{
    const uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double d;

    memcpy(&d, &bits, sizeof d);
    return d;
}

/* The sum of a group: its texels are aligned with the largest of them and cut off, then all is exact. */
static struct real sum_of(const uint16_t weights[EMU_GROUP], const uint32_t texels[EMU_GROUP], int digits)
{
    int top = INT_MIN, exponent;
    int64_t sum = 0;

    for (unsigned k = 0; k < EMU_GROUP; k++) {
        const float f = single_of(texels[k]);
        exponent = (int)(texels[k] >> 23 & 0xff) - 126;
        if (exponent == -126)
            frexpf(f, &exponent); /* it is subnormal */
        if (weights[k] && f != 0 && exponent > top)
            top = exponent;
    }
    if (top == INT_MIN)
        return (struct real){ .kind = REAL_ZERO };
    const double scale = power_of_two(digits + GUARD - top);
    for (unsigned k = 0; k < EMU_GROUP; k++)
        if (weights[k])
            sum += (int64_t)((double)single_of(texels[k]) * scale) * weights[k];
    return (struct real){ .kind = sum ? REAL_FINITE : REAL_ZERO,
                          .negative = sum < 0,
                          .exponent = top - digits - GUARD - 8,
                          .digits = (real_digits)(sum < 0 ? -sum : sum) };
}

uint32_t emu_filter_floats(const uint16_t weights[EMU_WEIGHTS], const uint32_t texels[EMU_WEIGHTS], bool half)
{
    struct real sum = { .kind = REAL_ZERO };
    uint32_t bits;
    float odd = 0;

    for (unsigned k = 0; k < EMU_WEIGHTS; k++)
        odd += weights[k] ? single_of(texels[k]) : 0;
    if (!isfinite(odd)) { /* an infinity, or none is left to say of what */
        memcpy(&bits, &odd, sizeof bits);
        return bits;
    }
    for (unsigned k = 0; k < EMU_WEIGHTS; k += EMU_GROUP) {
        if (k && !(weights[k] | weights[k + 1] | weights[k + 2] | weights[k + 3]))
            continue; /* most have no second level, nor depth */
        sum = real_add(sum, sum_of(weights + k, texels + k, half ? HALF_DIGITS : DIGITS), REAL_RN);
    }
    if (half)
        return (uint32_t)real_pack(REAL_F32, real_unpack(REAL_F16, real_pack(REAL_F16, sum, REAL_RNA, 0), false),
                                   REAL_RN, 0);
    return (uint32_t)real_pack(REAL_F32, sum, REAL_RNA, 0);
}

int64_t emu_filter_integers(const uint16_t weights[EMU_WEIGHTS], const int32_t texels[EMU_WEIGHTS])
{
    int64_t sum = 0;

    for (unsigned k = 0; k < EMU_WEIGHTS; k++)
        sum += (int64_t)texels[k] * weights[k];
    return sum;
}
// SPDX-License-Identifier: Apache-2.0
