/* Many programs, by several processes. */
#ifndef COPYCHECK_ASYNC_FUZZ_FLEET_H
#define COPYCHECK_ASYNC_FUZZ_FLEET_H

#include "tools/async_fuzz/judge.h"

struct wanted { /* a program: its digests are known (replay) or found out */
    uint64_t seed, text, bytes;
    bool known, done;
};

enum { MIXED = 9 }; /* every fourth module is optimised: compiling costs the most */

struct fleet {
    const struct way *ways;
    size_t way_count;
    struct wanted *programs; /* seeds filled in; digests too where known */
    size_t count;
    unsigned batch, jobs, deadline; /* programs of a module; processes; seconds of one run */
    unsigned level;                 /* of optimisation by the driver's compiler, or MIXED */
    bool launches;                  /* a way that runs programs is among them */
    unsigned most, seconds;         /* where it stops: so many wrong, so long */
};

/* Runs all; prints what is wrong, then the figures. Returns how many programs are not as they should be, -1 where it
 * could not run them all. `programs` has the digests then. */
long fleet_run(struct fleet *f);

/* Files of digests, a line "SEED TEXT BYTES" for each program. The first `most` of one, to be freed; NULL, said on
 * stderr: it cannot be read. Those of the programs that have run; false, said on stderr: it cannot be written. */
struct wanted *fleet_read_digests(const char *file, uint64_t most, size_t *count);
bool fleet_write_digests(const char *file, const struct wanted *programs, size_t count);

#endif
// SPDX-License-Identifier: Apache-2.0
