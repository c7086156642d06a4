/* Fat binaries: what nvcc puts into a program, PTX and machine code for several targets. */
#ifndef COPYCHECK_INSIDE_FATBIN_H
#define COPYCHECK_INSIDE_FATBIN_H

#include <stdbool.h>
#include <stddef.h>

enum { FATBIN_TEXTS = 256 };

/* The PTX of an image: one text for each object file that was linked into it. */
struct fatbin {
    struct fatbin_text {
        char *text; /* malloc'd, `size` bytes and a NUL */
        size_t size;
    } texts[FATBIN_TEXTS];
    size_t count;
};

/* Takes the PTX out of a fat binary, of the struct around one, or of PTX text. Of several PTX images that for the
 * highest target of compute capability 9.0 or lower is taken, sm_90a before sm_90; that for a newer one where machine
 * code for 9.0 is beside it and no other PTX. False with a line that says why there is none; free with fatbin_free in
 * either case. `size`: of PTX text that does not end in a NUL, else 0. */
bool fatbin_read(const void *image, size_t size, struct fatbin *out, char *error, size_t error_size);
void fatbin_free(struct fatbin *f);

#endif
// SPDX-License-Identifier: Apache-2.0
