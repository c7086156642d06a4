/* NVRTC's functions that this library replaces. */
#ifndef COPYCHECK_INSIDE_NVRTC_H
#define COPYCHECK_INSIDE_NVRTC_H

#include <stdint.h>

/* The function that is to run in place of one of an NVRTC that the program has opened; NULL where that one stays. Notes
 * which of that NVRTC's functions the others need. */
const void *nvrtc_instead(const char *name, void *function);

#endif
// SPDX-License-Identifier: Apache-2.0
