/* From the coordinates of a fetch to the texels that it takes. */
#ifndef COPYCHECK_EMU_TEXTURE_SAMPLE_H
#define COPYCHECK_EMU_TEXTURE_SAMPLE_H

#include "harness/emu/texture/object.h"

enum { EMU_AXES = 3, EMU_CORNERS = 8 };

/* Where a fetch reads. */
struct emu_coordinates {
    bool integers;         /* whole texels: `at` has .s32, else .f32 */
    uint8_t dimensions;    /* of `at`; of a cube the direction's 3 */
    uint32_t at[EMU_AXES]; /* bits */
    uint32_t layer;
    float level;
    int32_t offset[EMU_AXES]; /* in texels */
    bool of_level;            /* a level is named */
    bool gathers;             /* tld4: the texels of a linear filter, whatever the object's is */
};

/* Texels of a level. */
struct emu_taps {
    uint8_t axes;                /* along which there are two of them: 2 ^ axes in all */
    uint16_t fraction[EMU_AXES]; /* 256ths: the weight of the second one */
    uint64_t at[EMU_CORNERS]; /* addresses, 0: outside, where the border is; bit k of the index: the second of axis k */
};

struct emu_sample {
    struct emu_taps levels[2];
    unsigned count;    /* of levels: 1 or 2 */
    uint16_t fraction; /* 256ths: the weight of the second level */
};

/* What lies outside: wrap and mirror are for normalised coordinates, others clamp. */
enum emu_address_mode emu_sample_mode(const struct emu_texture *x);
/* In one dimension whole coordinates read linear memory and others arrays, where no level is named: else there is
 * nothing but zeros. */
bool emu_sample_is_none(const struct emu_texture *x, const struct emu_coordinates *c);
void emu_sample_of(const struct emu_texture *x, const struct emu_coordinates *c, struct emu_sample *out);

/* The level of detail of gradients along x and y, each of as many floats as the texture has dimensions. */
float emu_level_of(const struct emu_texture *x, unsigned dimensions, const float dx[EMU_AXES],
                   const float dy[EMU_AXES]);

#endif
// SPDX-License-Identifier: Apache-2.0
