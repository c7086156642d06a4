/* Texels weighed and added. */
#ifndef COPYCHECK_EMU_TEXTURE_FILTER_H
#define COPYCHECK_EMU_TEXTURE_FILTER_H

#include "harness/emu/texture/sample.h"

enum { EMU_WEIGHTS = 2 * EMU_CORNERS, EMU_GROUP = 4 };

/* The weights of a sample's texels in 256ths, which add up to 256: of its first level by corner, then of its second.
 * What lies in one plane of one level is a group. */
void emu_filter_weights(const struct emu_sample *s, uint16_t out[EMU_WEIGHTS]);

/* One channel: texels of floating type, as .f32, weighed and rounded to f32, or to f16 where `half`. */
uint32_t emu_filter_floats(const uint16_t weights[EMU_WEIGHTS], const uint32_t texels[EMU_WEIGHTS], bool half);
/* Integers weighed and added: 256 times the mean. */
int64_t emu_filter_integers(const uint16_t weights[EMU_WEIGHTS], const int32_t texels[EMU_WEIGHTS]);

#endif
// SPDX-License-Identifier: Apache-2.0
