/* The catalogue's own lint: what a compiler cannot see of rules, cases and kernels. */
#ifndef COPYCHECK_LINT_H
#define COPYCHECK_LINT_H

#include <stdio.h>

#include "harness/plan/plan.h"

struct ck_lint {
    FILE *to; /* a line for each complaint */
    size_t complaints;
    size_t kernels;     /* entries that were looked up */
    bool kernels_known; /* the folder held PTX */
};

/* Ids are unique, match their C names and have a sentence and a source; every rule has a case or says why not. */
void ck_lint_rules(struct ck_lint *l, const struct ck_suite *const *suites);
/* Listings name rules that there are, their mistakes are breaches of a case, and their pages begin with their names. */
void ck_lint_listings(struct ck_lint *l, const struct ck_suite *const *suites);
/* Cases are of one kind, have a mutant or say why not, and have names of their own; so do points. */
void ck_lint_cases(struct ck_lint *l, const struct ck_suite *const *suites);
/* Each run function has a sentence above it. Variants that the run functions ask for exist, and each variant changes
 * something: an axis, the kernel, or what the run function does. Reads tests/ below the current folder. */
void ck_lint_sources(struct ck_lint *l, const struct ck_suite *const *suites);
/* Every kernel that a point launches is an entry of the folder's PTX, and a mutant's differs from the original's. The
 * launches are found by running all points on an engine that notes the names and does nothing. */
void ck_lint_kernels(struct ck_lint *l, const struct ck_suite *const *suites, const char *folder);
/* Rules that a document names in backquotes exist; a list names the instructions that look like ids. */
void ck_lint_document(struct ck_lint *l, const char *path);

/* The text of an entry in PTX, made comparable: without its name, debug lines, numbers of labels and template
 * arguments. malloc'd; NULL where the text has no such entry. */
char *ck_ptx_entry(const char *ptx, const char *name);

/* One complaint, one line. */
void ck_lint_say(struct ck_lint *l, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
// SPDX-License-Identifier: Apache-2.0
