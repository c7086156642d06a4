/* The lines of source that a picture shows. Not for other folders. */
#ifndef COPYCHECK_PICTURE_SOURCE_H
#define COPYCHECK_PICTURE_SOURCE_H

#include "harness/picture/picture.h"

/* The CUDA line that the kernel's author wrote: of an inlined instruction, where it was inlined at in the end. NULL
 * where none is known. */
const struct ptx_loc *picture_loc(const struct ptx_module *m, const struct ptx_instruction *i);

/* Writes the lines around those that these instructions (indices in the module) come from, as the JSON array of
 * { "name", "lines": [[number, text], ...] }: the PTX file first, then each file of the module that was asked for and
 * can be read; [] in "lines" where not. False where memory runs out. */
bool picture_sources(FILE *to, const struct picture *p, const uint32_t *used, size_t count);

#endif
// SPDX-License-Identifier: Apache-2.0
