/* A point as a folder that shows its result without copycheck: for a report to those who make the driver, the
 * assembler or the compiler. */
#ifndef COPYCHECK_REPRO_REPRO_H
#define COPYCHECK_REPRO_REPRO_H

#include "harness/engines/engine.h"
#include "harness/plan/plan.h"

struct repro {
    const struct ck_point *point;
    const char *folder;       /* made where it is not there */
    const char *kernels;      /* the folder of built kernels */
    const char *const *files; /* record files in which it looks for the point */
    size_t file_count;
    struct ck_engine
        *assemblers; /* not open: those that make a cubin of the PTX, or judge it; the first one's is FILE.cubin */
    size_t assembler_count;
    struct ck_engine *model; /* not open: the emulator */
    const char *versions;    /* lines about this machine and this program */
    uint64_t seed;
};

/* Writes
 *   README.md            what the document says, what came where, and how to see it again
 *   repro.cu             of a launch or an encode call: a program of the driver API alone, C and C++ at once
 *   FILE.ptx             its kernels, reduced to what they need; FILE.cubin and FILE.VERSION.cubin where there is an
 *                        assembler; FILE.kernel.cu, their source in one piece, where the sources are at hand
 *   row.ptx, row.cu, row.py   of a text for an assembler or a compiler
 *   records-*.jsonl      the record files, reduced to this point
 * False with one line in `error`. */
bool repro_write(const struct repro *r, char *error, size_t size);

#endif
// SPDX-License-Identifier: Apache-2.0
