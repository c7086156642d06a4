/* The part of a PTX text that some of its entries need. */
#ifndef COPYCHECK_REPRO_ENTRY_H
#define COPYCHECK_REPRO_ENTRY_H

#include <stdbool.h>
#include <stdio.h>

/* Writes the module of `text` with these entries, and of its other functions and variables those that they name,
 * directly or through others. What debuggers read is left out. False where an entry is not in the text, the text is no
 * PTX, memory runs out, or the stream took not all. */
bool entry_write(FILE *to, const char *text, const char *const *entries, size_t count);

#endif
// SPDX-License-Identifier: Apache-2.0
