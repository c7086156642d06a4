/* How the emulator names what breaks a rule: by that rule, as one of those that the same fault breaks, by others, or
 * not at all. */
#ifndef COPYCHECK_BREACHES_H
#define COPYCHECK_BREACHES_H

#include "expected/known.h"
#include "harness/records/tally.h"

enum ck_naming { CK_NAMED, CK_NAMED_ALSO, CK_NAMED_OTHERWISE, CK_NOT_NAMED, CK_NAMINGS };

struct ck_breaches {
    unsigned long of[CK_NAMINGS];
    unsigned long listed; /* of those not named: held by a row of ck_known_breaches */
    unsigned long idle;   /* rows whose breaches are all named now: remove them from the list */
};

/* What the record of a breach on the emulator says: `seen` begins with "diagnosed RULE[, also RULE...]". */
enum ck_naming ck_breach_naming(const struct ck_record *record);
bool ck_breach_named(const struct ck_record *record); /* by its rule, first or also */

/* Counts the breaches of a run that `emu` has run. */
struct ck_breaches ck_breaches_count(const struct ck_entries *run);
unsigned long ck_breaches_total(const struct ck_breaches *b);
unsigned long ck_breaches_unlisted(const struct ck_breaches *b); /* neither named by their rule nor listed */

/* "emu names 693 of 749 breaches by their rule; 56 exceptions are listed". */
void ck_breaches_line(const struct ck_breaches *b, char *text, size_t size);

/* A table by family; with `all`, then each breach that is not named by its rule, with what was said of it and the
 * reason that the list gives. Breaches that are not listed, and idle rows, are printed in any case. */
void ck_breaches_print(FILE *to, const struct ck_entries *run, bool all);

#endif
// SPDX-License-Identifier: Apache-2.0
