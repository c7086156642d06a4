/* Barriers of a CTA and of a cluster, when a thread exits. control.c includes it. */
#ifndef COPYCHECK_EMU_INSTRUCTIONS_BARRIER_H
#define COPYCHECK_EMU_INSTRUCTIONS_BARRIER_H

#include "harness/emu/machine/state.h"

/* A thread has exited: barriers that wait for all threads wait for it no longer. */
void emu_barriers_exit(struct emu_thread *t);
void emu_cluster_exit(struct emu_thread *t);

#endif
// SPDX-License-Identifier: Apache-2.0
