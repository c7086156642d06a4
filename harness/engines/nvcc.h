/* The engine nvcc-VERSION: a toolkit's compiler of CUDA C++, one process for each source; and what the engine of CUDA
 * Tile has in common with it. */
#ifndef COPYCHECK_NVCC_H
#define COPYCHECK_NVCC_H

#include "harness/engines/engine.h"

enum { CK_NVCC_DEADLINE_MS = 60000 }; /* a compilation takes a second or two; on a busy machine much longer */

/* Fills in *out, not yet open, for the nvcc of the toolkit in `folder`. False, with one line in `error`, where it has
 * none, or only a part of one. */
bool ck_nvcc_engine(const char *folder, struct ck_engine *out, char *error, size_t size);

/* The same without a name and functions, of a toolkit that also has the program `beside` ("bin/tileiras"). */
bool ck_nvcc_with(const char *folder, const char *beside, struct ck_engine *out, char *error, size_t size);

bool ck_nvcc_open(struct ck_engine *e, struct ck_outcome *out);
void ck_nvcc_close(struct ck_engine *e);
void ck_nvcc_compile(struct ck_engine *e, const struct ck_source *source, struct ck_outcome *out);

/* Reads what nvcc printed of a refused source: the first error, without file name and position; *line is 0 where it
 * names none. False where there is no such line. */
bool ck_nvcc_message(const char *output, int *line, char *message, size_t size);

/* Which of these words, separated by spaces, an object holds, in their order. */
void ck_nvcc_held(const void *object, size_t bytes, const char *look_for, char *held, size_t size);

#endif
// SPDX-License-Identifier: Apache-2.0
