/* Where this program is, and how it was called. */
#ifndef COPYCHECK_BASE_PROGRAM_H
#define COPYCHECK_BASE_PROGRAM_H

#include <stddef.h>

/* The folder of the program's file, behind symbolic links: what belongs to the program is looked for beside it. "."
 * where the system does not say. */
const char *ck_program_folder(void);

/* What was typed to call the program, as "copycheck" or "build/copycheck": commands that are suggested begin with it.
 * The text given must stay. */
void ck_program_typed(const char *argv0);
const char *ck_program(void);
/* The same for somebody who has gone into the folder `into`: "../build/copycheck". */
void ck_program_from(const char *into, char *out, size_t size);

#endif
// SPDX-License-Identifier: Apache-2.0
