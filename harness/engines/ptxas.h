/* The engine ptxas-VERSION: a toolkit's assembler, one process for each text. */
#ifndef COPYCHECK_PTXAS_H
#define COPYCHECK_PTXAS_H

#include "harness/engines/engine.h"

enum {
    CK_PTXAS_DEADLINE_MS = 10000,
    CK_PTXAS_MEMORY_MB = 2048,
    CK_PTXAS_MEMORY_MIN_MB = 64,
    CK_PTXAS_ROW_MEMORY_MB = 256, /* enough for an assemble row, of which many run at a time */
};

/* Fills in *out, not yet open, for the ptxas of a toolkit: `toolkit` is its folder, or the ptxas file itself. NULL
 * means the first of: PATH, CUDA_HOME, /usr/local/cuda, /usr/local/cuda-*, build/toolkits (the newest there).
 * False, with one line in `error`, where there is none or it does not say its version. */
bool ck_ptxas_engine(const char *toolkit, struct ck_engine *out, char *error, size_t size);

/* The limits of each assembler process: wall clock, and address space in MiB. They hold for engines opened later. */
void ck_ptxas_limits(unsigned deadline_ms, unsigned memory_mb);

/* The full version of a ptxas engine, "13.0.88". */
const char *ck_ptxas_version(const struct ck_engine *e);

/* A message that an assembler printed, without the program's own prefix. */
struct ck_ptxas_message {
    bool refuses; /* an error or a fatal one, else a warning */
    int line;     /* 0 where it names none */
    char text[2048];
};

/* The next message of what was printed; *at is behind it then. False where there is none. */
bool ck_ptxas_next(const char **at, struct ck_ptxas_message *out);

/* Reads what ptxas printed: the first error or fatal line if `refused`, else the first warning, without the program's
 * own prefix. Returns false where there is no such line; *line is 0 where the message names none. */
bool ck_ptxas_message(const char *output, bool refused, int *line, char *message, size_t size);

#endif
// SPDX-License-Identifier: Apache-2.0
