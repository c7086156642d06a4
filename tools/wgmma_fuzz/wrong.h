/* Wrong forms of a program, and the rules that the emulator must name. */
#ifndef COPYCHECK_WGMMA_FUZZ_WRONG_H
#define COPYCHECK_WGMMA_FUZZ_WRONG_H

#include "tools/wgmma_fuzz/gen.h"

/* The program of this seed with its step number `wrong`, from 1, left out or changed; 0: as it should be. */
void program_form(struct program *p, uint64_t seed, unsigned wrong, struct ck_growing *out, struct gen *g);

/* Runs `count` wrong forms of each program, and prints how many were named. Returns how many were not, -1 where
 * something could not run. */
long wrong_run(uint64_t seed, uint64_t programs, unsigned count, unsigned schedules, unsigned jobs);

#endif
// SPDX-License-Identifier: Apache-2.0
