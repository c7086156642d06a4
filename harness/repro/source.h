/* The source of a kernel file in one piece. */
#ifndef COPYCHECK_REPRO_SOURCE_H
#define COPYCHECK_REPRO_SOURCE_H

#include <stdbool.h>

/* Writes FOLDER/FILE.kernel.cu: kernels/FILE.cu with our own headers in the place of their first #include. Where the
 * sources are not at hand nothing is written, which is no fault. False where it cannot be written. */
bool source_write(const char *folder, const char *file);

#endif
// SPDX-License-Identifier: Apache-2.0
