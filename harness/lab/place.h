/* A folder of one's own for the files of one submission. */
#ifndef COPYCHECK_LAB_PLACE_H
#define COPYCHECK_LAB_PLACE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct lab_place {
    char path[PATH_MAX];
};

/* Makes it, below TMPDIR or /tmp. False with errno; `path` then says where it was tried. */
bool lab_place_begin(struct lab_place *p);
/* Writes a file there. False with errno. */
bool lab_place_write(const struct lab_place *p, const char *name, const char *text, size_t size);
/* Removes the folder with its files; it has no folders. */
void lab_place_end(const struct lab_place *p);

#endif
// SPDX-License-Identifier: Apache-2.0
