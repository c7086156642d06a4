/* A texel's bytes into values and back. */
#ifndef COPYCHECK_EMU_TEXTURE_TEXEL_H
#define COPYCHECK_EMU_TEXTURE_TEXEL_H

#include "harness/emu/texture/object.h"

enum { EMU_CHANNELS = 4 };

/* Whether a fetch gives floats, and not the integers themselves. */
static inline bool emu_texel_is_float(const struct emu_texture *x)
{
    return x->kind == EMU_TEXEL_FLOAT || (x->as_float && x->bits < 32);
}

/* The channels of a texel, 0 for those that it lacks: bits of .f32, or integers of 32 bits. NULL: the border. */
void emu_texel_read(const struct emu_texture *x, const unsigned char *bytes, uint32_t out[EMU_CHANNELS]);
/* The channels of a texel of integers of 8 or 16 bits; of signed ones the smallest counts as the next. */
void emu_texel_integers(const struct emu_texture *x, const unsigned char *bytes, int32_t out[EMU_CHANNELS]);
/* 256 times the mean of such integers as a fraction of the largest one, .f32. A device keeps 16 bits of it. */
uint32_t emu_texel_fraction(const struct emu_texture *x, int64_t sum);
/* The largest integer of a channel; of those 16 bits. */
int64_t emu_texel_largest(const struct emu_texture *x);
int32_t emu_texel_wide(const struct emu_texture *x);
/* The bytes of a texel from values of 32 bits, of sust.p. */
void emu_texel_write(const struct emu_texture *x, const uint32_t values[EMU_CHANNELS], unsigned char *bytes);

#endif
// SPDX-License-Identifier: Apache-2.0
