/* What a submission may not do, so that it is the same for its author and for the grader: read files by name, or look
 * at what differs between two runs. */
#ifndef COPYCHECK_LAB_SCAN_H
#define COPYCHECK_LAB_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/emu/ptx/ptx.h"

/* Reads CUDA source as the first phases of translation do. False, with "line N: ..." in `why`, where it names a file
 * that is none of the labs', or is written so that two compilers may read it differently (trigraphs, raw strings). */
bool lab_scan_source(const char *text, size_t size, char *why, size_t room);

/* The same for PTX text, and for the module that was made from it: clocks, and where the kernel runs. */
bool lab_scan_ptx(const char *text, char *why, size_t room);
bool lab_scan_module(const struct ptx_module *m, char *why, size_t room);

#endif
// SPDX-License-Identifier: Apache-2.0
