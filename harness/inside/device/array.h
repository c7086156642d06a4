/* Arrays: texels of up to three dimensions, layers or faces, and mipmaps of them. Their texels are global memory of the
 * machine, row after row without gaps, as harness/emu/texture/object.h lays them out. */
#ifndef COPYCHECK_INSIDE_ARRAY_H
#define COPYCHECK_INSIDE_ARRAY_H

#include "harness/inside/device/stream.h"

struct array {
    struct emu_texture texels;                /* shape and format; what a texture or surface object of it begins with */
    unsigned flags;                           /* those of the call that made it */
    bool mipmapped;                           /* a mipmapped array: its levels are arrays of their own */
    struct array *whole;                      /* of a level: the mipmapped array */
    struct array *levels[EMU_TEXTURE_LEVELS]; /* of a mipmapped array: those that were asked for */
    struct array *next;
};

/* An array of this shape, whose `at` does not count. CUDA_ERROR_INVALID_VALUE where no array has such a shape. */
CUresult array_new(const struct emu_texture *shape, unsigned flags, bool mipmapped, struct array **out);
/* Whether a handle is that of an array, or of a mipmapped one. */
bool array_known(const struct array *a, bool mipmapped);
/* CUDA_ERROR_INVALID_VALUE for a level, which goes with its mipmapped array. */
CUresult array_free(struct array *a);
void array_forget(void); /* all of them; their memory has been freed */
CUresult array_level(struct array *whole, unsigned level, struct array **out);
/* Rows: of texels in a plane; planes: along z, or layers, or faces. */
size_t array_row_bytes(const struct array *a);
size_t array_height(const struct array *a);
size_t array_planes(const struct array *a);
/* Where copies begin at byte `x` of row `y` of plane `z`; *at is NULL where a box of this size does not lie in it. */
struct rows array_rows(const struct array *a, size_t x, size_t y, size_t z, size_t width, size_t height, size_t depth);
/* Makes a texture or surface object; 0 where memory is short. */
uint64_t array_object(const struct emu_texture *x);

#endif
// SPDX-License-Identifier: Apache-2.0
