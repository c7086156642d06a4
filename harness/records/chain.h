/* The sums of a record file of schema 2: each line ends in one over all that the file held up to there, so that the
 * first line that was edited, or that follows a missing one, is known. They are no signature: docs/records.md. */
#ifndef COPYCHECK_RECORD_CHAIN_H
#define COPYCHECK_RECORD_CHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "harness/base/hash.h"

/* The chain before a file's first line; it is the FNV-1a of what the file's lines say. */
#define CK_CHAIN_BASIS FNV1A_BASIS

/* What was read at the end of a line. */
struct ck_sum {
    uint64_t chain; /* behind this line, if the chain before it was the one given */
    bool there;     /* it ends in a sum ... */
    bool right;     /* ... which is that of the chain */
};

/* Writes a line, `text` of `size` bytes up to its closing brace, which is left out here, with its sum, brace and
 * newline; goes on with *chain. False (with errno) if the stream refused it. */
bool ck_chain_write(FILE *to, const char *text, size_t size, uint64_t *chain);

/* Looks at a line as it was read, without its newline. */
struct ck_sum ck_chain_read(const char *line, size_t size, uint64_t chain);

#endif
// SPDX-License-Identifier: Apache-2.0
