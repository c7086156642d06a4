/* Pictures as SVG, for pages; they look as the style sheet of harness/reports/web says. Not for other folders. */
#ifndef COPYCHECK_MAPS_SVG_H
#define COPYCHECK_MAPS_SVG_H

#include <stdint.h>
#include <stdio.h>

/* A box of a tensor of 32-bit elements, `tensor[y * wide + x]`: its corner and size in elements; of its rows each
 * step-th one is taken. `tile` is what is in shared memory, row by row. */
struct svg_box {
    int wide, high;               /* the tensor */
    int x, y, across, down, step; /* the box */
    const uint32_t *tensor, *tile;
};

void svg_draw_box(FILE *to, const struct svg_box *box);

#endif
// SPDX-License-Identifier: Apache-2.0
