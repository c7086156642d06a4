/* The emulator as an engine. */
#ifndef COPYCHECK_EMU_ENGINE_H
#define COPYCHECK_EMU_ENGINE_H

#include "harness/engines/engine.h"

/* Fills in *out, not yet open, for the emulator. `kernels` is the folder with *.ptx and the file `index`; it must
 * outlive the engine. Always true: it needs nothing of the machine. */
bool ck_emu_engine(struct ck_engine *out, const char *kernels);

/* When copies arrive in engines that are opened from now on: "late" (the default), "eager", or "random", in an order
 * that follows from the seed and the launches before. False for another word. */
bool ck_emu_delivery(const char *word, uint64_t seed);
/* Threads take turns in a random order in engines that are opened from now on, another one in each launch. */
void ck_emu_random_turns(void);

#endif
// SPDX-License-Identifier: Apache-2.0
