/* Verdicts, printed. */
#ifndef COPYCHECK_LAB_TELL_H
#define COPYCHECK_LAB_TELL_H

#include <stdio.h>

#include "harness/lab/verdict.h"

enum lab_format {
    LAB_TABLE,
    LAB_CSV,
    LAB_GRADESCOPE,
    LAB_GITHUB,
    LAB_JUNIT,
    LAB_TAP,
    LAB_JSONL,
    LAB_FORMATS,
};

/* A submission that was judged. */
struct lab_graded {
    const struct lab *lab;
    const char *name; /* as it was given */
    const struct lab_verdict *verdict;
};

/* "pass", "remark", "fail", "none": a key's words. */
const char *lab_outcome_word(enum lab_outcome outcome);

/* One verdict in full, for its author. */
void lab_tell(FILE *to, const struct lab_graded *g);

/* Of a whole set. False: there is no such format. */
bool lab_format_named(const char *word, enum lab_format *out);
void lab_tell_all(FILE *to, enum lab_format format, const struct lab_graded *all, size_t count);

/* The exit status: 0 all pass, 1 one fails, 2 one has no verdict. */
int lab_status(const struct lab_graded *all, size_t count);

/* What a tile kernel's compiler and, where there is one, a GPU say of it. */
void lab_tell_tile(FILE *to, const struct lab_graded *g);

#endif
// SPDX-License-Identifier: Apache-2.0
