/* Many programs, by several processes, and what came of them. */
#ifndef COPYCHECK_SYNC_FUZZ_FLEET_H
#define COPYCHECK_SYNC_FUZZ_FLEET_H

#include "tools/sync_fuzz/judge.h"

struct fleet {
    struct settings settings;
    uint64_t seed, programs;
    unsigned jobs, deadline, most; /* processes; seconds of one program; lines about what is not as it should be */
    unsigned stop;                 /* seconds after which no program is begun; 0: none */
    bool gpu;
};

/* Returns the exit status: 0 all as they should be, 1 some are not, 2 it could not run. */
int fleet_run(const struct fleet *f);

#endif
// SPDX-License-Identifier: Apache-2.0
