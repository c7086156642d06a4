/* The smallest program of a seed that still shows what the whole one shows. */
#ifndef COPYCHECK_ASYNC_FUZZ_REDUCE_H
#define COPYCHECK_ASYNC_FUZZ_REDUCE_H

#include "tools/async_fuzz/judge.h"

/* Leaves out steps while a difference or finding stays, in the same way; prints what is left as PTX. Each try has
 * `deadline` seconds. Returns the exit status: 0 nothing to reduce, 1 reduced. */
int fuzz_reduce(const struct way *ways, size_t count, uint64_t seed, unsigned deadline, unsigned level);

#endif
// SPDX-License-Identifier: Apache-2.0
