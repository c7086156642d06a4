/* --host-races: accesses of the host to managed or page-locked memory while a kernel that uses the same page may still
 * run, because nothing has waited for it since its launch.
 *
 * Operations take place when they are issued, so the kernel is over by then; a GPU's may not be. While a kernel runs,
 * the pages of such memory are out of bounds, and each that it touches is noted by the fault. From its end to the next
 * call that waits, the host's accesses to these pages fault: each is told of, and let through. */
#ifndef COPYCHECK_INSIDE_RACES_H
#define COPYCHECK_INSIDE_RACES_H

#include "harness/inside/device/device.h"

void races_look_for(bool wanted);
/* Around a kernel. */
void races_begin(void);
void races_end(const char *kernel);
/* Between the two calls of races_end around further runs of the kernel: what these touch is not noted. */
void races_off(void);
/* A call has waited: the host may access everything again. */
void races_synchronised(void);
/* Memory goes. */
void races_forget(uint64_t at);
/* A fault at this address. False: it is none of these pages. */
bool races_fault(uint64_t at, bool writes);

#endif
// SPDX-License-Identifier: Apache-2.0
