/* Boxes that copies move, and the formats of texels, for copies, graphs and textures of the driver API. */
#ifndef COPYCHECK_INSIDE_DRIVER_ARRAY_H
#define COPYCHECK_INSIDE_DRIVER_ARRAY_H

/* First, for what it makes visible. */
#include "harness/inside/driver/driver.h"

#include "harness/inside/device/array.h"

/* The copy of a box: between rows of memory, or of arrays. CUDA_ERROR_INVALID_VALUE where a side is not there. */
CUresult box_copy(const CUDA_MEMCPY3D *p, struct operation *out);
/* Kind, bits and channels of a texel; CUDA_ERROR_INVALID_VALUE for formats that arrays have not. */
CUresult texel_format(CUarray_format format, unsigned channels, struct emu_texture *out);

#endif
// SPDX-License-Identifier: Apache-2.0
