/* Which texels the lanes of a warp take along a dimension, as sample.c has it for one lane. */
#ifndef COPYCHECK_EMU_TEXTURE_PLACES_H
#define COPYCHECK_EMU_TEXTURE_PLACES_H

#include "harness/emu/machine/op.h"
#include "harness/emu/texture/object.h"

/* Texels along a dimension at most, so that all of it is exact in 32 bits. */
enum { EMU_PLACES_MOST = 1 << 20 };

struct emu_places {
    int32_t texel[2][EMU_WARP]; /* -1: outside, where the border is */
    int32_t fraction[EMU_WARP]; /* 256ths: the weight of the second one */
};

/* Of a dimension of n texels, from the lanes' coordinates: bits of .f32. */
void emu_places_of(const struct emu_texture *x, const uint64_t at[EMU_WARP], uint32_t n, bool linear,
                   struct emu_places *out);
/* From whole coordinates; what lies outside is 0. */
void emu_places_whole(const uint64_t at[EMU_WARP], uint32_t n, struct emu_places *out);

#endif
// SPDX-License-Identifier: Apache-2.0
