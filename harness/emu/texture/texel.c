/* Formats of texels. PTX ISA, "Texture Sampler and Surface Types"; CUDA Programming Guide, "Texture Memory". */
#include "harness/emu/texture/texel.h"

#include <math.h>
#include <string.h>

#include "harness/emu/instructions/alu/real.h"

static uint32_t bits_of(float f)
{
    uint32_t bits;

    memcpy(&bits, &f, sizeof bits);
    return bits;
}

int64_t emu_texel_largest(const struct emu_texture *x)
{
    return (1ll << (x->kind == EMU_TEXEL_SIGNED ? x->bits - 1 : x->bits)) - 1;
}

/* An integer as a fraction of the largest one of its type; of signed ones, the smallest two are -1. */
static float fraction_of(const struct emu_texture *x, uint32_t value)
{
    const int64_t most = emu_texel_largest(x);
    const int32_t v = (int32_t)value;

    return v < -most ? -1 : (float)((double)v / (double)most);
}

static uint32_t channel(const struct emu_texture *x, const unsigned char *bytes)
{
    uint32_t v = 0;

    memcpy(&v, bytes, x->bits / 8u);
    if (x->kind == EMU_TEXEL_FLOAT)
        return x->bits == 32 ? v : (uint32_t)real_pack(REAL_F32, real_unpack(REAL_F16, v, false), REAL_RN, 0);
    if (x->kind == EMU_TEXEL_SIGNED && x->bits < 32 && v >> (x->bits - 1))
        v |= ~0u << x->bits;
    return emu_texel_is_float(x) ? bits_of(fraction_of(x, v)) : v;
}

void emu_texel_read(const struct emu_texture *x, const unsigned char *bytes, uint32_t out[EMU_CHANNELS])
{
    for (unsigned k = 0; k < EMU_CHANNELS; k++)
        out[k] = bytes && k < x->channels ? channel(x, bytes + k * (x->bits / 8u)) : 0;
}

void emu_texel_integers(const struct emu_texture *x, const unsigned char *bytes, int32_t out[EMU_CHANNELS])
{
    const int32_t least = -((1 << (x->bits - 1)) - 1);
    uint32_t values[EMU_CHANNELS];
    struct emu_texture plain = *x;

    plain.as_float = false;
    emu_texel_read(&plain, bytes, values);
    for (unsigned k = 0; k < EMU_CHANNELS; k++) {
        out[k] = (int32_t)values[k];
        if (x->kind == EMU_TEXEL_SIGNED && out[k] < least)
            out[k] = least;
    }
}

int32_t emu_texel_wide(const struct emu_texture *x)
{
    return x->kind == EMU_TEXEL_SIGNED ? 32767 : 65535;
}

uint32_t emu_texel_fraction(const struct emu_texture *x, int64_t sum)
{
    const int32_t wide = emu_texel_wide(x);
    const double mean = (double)(sum * wide) / 256.0 / (double)emu_texel_largest(x);

    return bits_of((float)(floor(mean + 0.5) / wide)); /* half goes up */
}

/* A single as a half, cut off; of a NaN the upper digits stay. */
static uint32_t cut_to_half(uint32_t single)
{
    if ((single & 0x7fffffff) > 0x7f800000)
        return (single >> 16 & 0x8000) | 0x7c00 | (single >> 13 & 0x3ff);
    return (uint32_t)real_pack(REAL_F16, real_unpack(REAL_F32, single, false), REAL_RZ, 0);
}

/* An integer that fits the channel: the nearest one. */
static uint32_t limited(const struct emu_texture *x, uint32_t value)
{
    const int64_t most = emu_texel_largest(x);

    if (x->bits == 32)
        return value;
    if (x->kind == EMU_TEXEL_UNSIGNED)
        return value > most ? (uint32_t)most : value;
    return (uint32_t)((int32_t)value > most ? most : (int32_t)value < -most - 1 ? -most - 1 : (int32_t)value);
}

void emu_texel_write(const struct emu_texture *x, const uint32_t values[EMU_CHANNELS], unsigned char *bytes)
{
    const unsigned n = x->bits / 8u;

    for (unsigned k = 0; k < x->channels; k++) {
        const bool half = x->kind == EMU_TEXEL_FLOAT && x->bits == 16;
        const uint32_t v = half                         ? cut_to_half(values[k])
                           : x->kind == EMU_TEXEL_FLOAT ? values[k]
                                                        : limited(x, values[k]);
        memcpy(bytes + k * n, &v, n);
    }
}
// SPDX-License-Identifier: Apache-2.0
