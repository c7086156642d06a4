/* Texels weighed and added. */
#ifndef COPYCHECK_EMU_TEXTURE_FILTER_H
#define COPYCHECK_EMU_TEXTURE_FILTER_H

#include "harness/emu/texture/sample.h"

/* One channel: the values (.f32) of the texels of each level, corner by corner. */
float emu_filtered(const struct emu_sample *s, const float values[2][EMU_CORNERS]);

#endif
