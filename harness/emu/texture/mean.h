/* Texels of the lanes of a warp weighed and added, as filter.h has it for one: four of a plane each. */
#ifndef COPYCHECK_EMU_TEXTURE_MEAN_H
#define COPYCHECK_EMU_TEXTURE_MEAN_H

#include "harness/emu/machine/op.h"
#include "harness/emu/texture/filter.h"

struct emu_plane {
    uint32_t of[EMU_GROUP][EMU_WARP]; /* of one channel, as .f32 or integers */
};
struct emu_plane_weights {
    int32_t of[EMU_GROUP][EMU_WARP]; /* 256ths */
};

/* From the fractions along x and y, in 256ths. */
void emu_plane_weigh(const int32_t x[EMU_WARP], const int32_t y[EMU_WARP], struct emu_plane_weights *out);
/* The .f32 that emu_filter_floats gives. Returns the lanes of which that has to be asked: their texels are too large,
 * or no numbers. */
uint32_t emu_plane_floats(const struct emu_plane *p, const struct emu_plane_weights *w, uint32_t out[EMU_WARP]);
/* The .f32 that emu_texel_fraction gives of emu_filter_integers. `largest`: of the channel's integers; `wide`: of those
 * that a device keeps. */
void emu_plane_fractions(const struct emu_plane *p, const struct emu_plane_weights *w, int32_t largest, int32_t wide,
                         uint32_t out[EMU_WARP]);

#endif
// SPDX-License-Identifier: Apache-2.0
