/* The engine cutile-VERSION: the compiler of cuTile Python, with a toolkit's tileiras behind it; one process for each
 * source. It needs no GPU. */
#ifndef COPYCHECK_CUTILE_H
#define COPYCHECK_CUTILE_H

#include "harness/engines/engine.h"

/* Fills in *out, not yet open, for "cutile" (the newest one that was fetched) or "cutile-1.7". False, with one line in
 * `error`, where this machine has none, or no toolkit with a tileiras for it. */
bool ck_cutile_engine(const char *name, struct ck_engine *out, char *error, size_t size);

/* Reads the last line of what the driver script printed, "KIND: LINE: MESSAGE": done, refused, or failed for an error
 * of the compiler's own. False if it is none of these. */
bool ck_cutile_answer(const char *output, struct ck_outcome *out);

#endif
// SPDX-License-Identifier: Apache-2.0
