/* A small model of PTX's memory consistency, of barriers and of copies: it runs a program in one order of its threads
 * and says whether that run breaks a rule. It shares no code with the emulator. */
#ifndef COPYCHECK_SYNC_FUZZ_MODEL_H
#define COPYCHECK_SYNC_FUZZ_MODEL_H

#include "tools/sync_fuzz/program.h"

enum flaw { FLAW_NONE, FLAW_RACE, FLAW_DEADLOCK, FLAW_BARRIER, FLAW_MBARRIER, FLAWS };
extern const char *const flaw_names[FLAWS];

struct model_result {
    enum flaw flaw;
    unsigned op, other; /* where: numbers of operations; `other` of a race */
};

/* Runs the program; the order of its threads is drawn from `seed`, 0: round after round. `global` is global memory,
 * before the run and after it; GLOBAL_BYTES. The run ends at the first flaw. */
struct model_result model_run(const struct program *p, uint64_t seed, unsigned char *global);

#endif
// SPDX-License-Identifier: Apache-2.0
