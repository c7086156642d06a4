/* The text of a report's README, and what was recorded of a point. */
#ifndef COPYCHECK_REPRO_README_H
#define COPYCHECK_REPRO_README_H

#include "harness/base/append.h"
#include "harness/repro/repro.h"
#include "harness/run/slot.h"

/* What the folder holds besides its README. */
struct readme {
    const struct repro *repro;
    const struct ck_slot *model; /* what the emulator said of the point; NULL: it was not asked */
    const char *how;             /* Markdown: how to see the result */
    const char *answers;         /* lines of what the assemblers here say, or "" */
    const char *told;            /* lines of a table of what was recorded, or "" */
};

/* The text; false where memory runs out. */
bool readme_make(const struct readme *readme, struct ck_growing *text);

/* Adds to `told` a line of a table for each record of the point in `path`, and writes these records, as a record file
 * of their own, into the report's folder. False, with one line in `error`, where a file cannot be read or written. */
bool readme_records(const struct repro *r, const char *path, struct ck_growing *told, char *error, size_t size);

#endif
// SPDX-License-Identifier: Apache-2.0
