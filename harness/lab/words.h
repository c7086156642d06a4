/* A finding's words as the student's source has them: lines of the source in place of lines of PTX, one number for a
 * thread where there is one dimension, parameters by their names. */
#ifndef COPYCHECK_LAB_WORDS_H
#define COPYCHECK_LAB_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/emu/ptx/ptx.h"

/* The line of CUDA source that an instruction comes from, or was inlined at; 0 where it comes from none. */
unsigned lab_source_line(const struct ptx_module *m, const struct ptx_instruction *i);

/* Writes `text` to `out` with "line 88" of PTX as the line of the source, where the module says which that is (else
 * "PTX line 88"), and, if `flat`, with "5,0,0" as "5". */
void lab_own_words(const struct ptx_module *m, bool source, bool flat, const char *text, char *out, size_t size);

/* The names of the kernel's parameters in CUDA source. Returns false, and writes none, where they cannot be told; each
 * name has room for `room` bytes. */
bool lab_parameter_names(const char *source, const char *kernel, size_t count, size_t room, char names[][room]);

#endif
// SPDX-License-Identifier: Apache-2.0
