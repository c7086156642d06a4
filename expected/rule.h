/* A rule: one documented statement about asynchronous copies, with a stable dotted id.
 *
 * The rules are in expected/rules/FAMILY.def, one row each:
 *
 *   RULE(cpasync_size_set, "cpasync.size.set", PROMISE, DOCUMENTED, "sm_80, PTX 7.0",
 *        "A copy moves 4, 8 or 16 bytes; no other copy size assembles.",
 *        "PTX ISA 9.0, cp.async", CASES)
 *
 * The C name is the id with dots and dashes made underscores; a case cites &rule_cpasync_size_set, so a case of a
 * rule that does not exist does not compile.  A row that no case cites ends in NO_CASE("why") in place of CASES.
 */
#ifndef COPYCHECK_RULE_H
#define COPYCHECK_RULE_H

#include <stdbool.h>
#include <stddef.h>

enum ck_kind {
    CK_PROMISE,    /* what the system does: conforming code is run and its result looked at */
    CK_OBLIGATION, /* what the program must do: breaking it is undefined unless a document says otherwise */
};

enum ck_evidence {
    CK_DOCUMENTED, /* a document says it: gates */
    CK_OBSERVED,   /* documents are silent or disagree: recorded, a change is reported, never gates */
    CK_FOLKLORE,   /* widely believed, in no document: a positive case shows that it is not a rule */
};

struct ck_rule {
    const char *id;
    const char *family; /* the name of its .def file, with dashes */
    enum ck_kind kind;
    enum ck_evidence evidence;
    const char
        *needs; /* "sm_90, PTX 8.0": lowest target and PTX ISA; further "driver 12.8", "toolkit 13.3", "two GPUs" */
    const char *sentence; /* our wording of the statement */
    const char *source;   /* document and section; two sources are separated by "; " */
    const char *no_case;  /* why no case checks it, or NULL */
};

/* What a rule needs, taken apart: 0 where the text names none. `arch` is 'a' or 'f' for sm_90a, sm_100f. */
struct ck_needs {
    int sm;      /* 90 for sm_90 */
    char arch;   /* 0, 'a' or 'f' */
    int ptx;     /* 86 for PTX 8.6 */
    int driver;  /* 1280 for driver 12.8 */
    int toolkit; /* 133 for toolkit 13.3: the oldest whose compiler takes the kernel */
    bool other;  /* the text names something else too ("two GPUs") */
};

/* All families in the order of the matrix, and all rules in that order. The array ends with a NULL. */
extern const char *const ck_families[];
extern const struct ck_rule *const ck_rules[];

/* The rule with this id, or NULL. */
const struct ck_rule *ck_rule_find(const char *id);

/* Takes `needs` apart; false if a part is not understood (`other` is then set too). */
bool ck_needs_parse(const char *needs, struct ck_needs *out);

#define RULE(symbol, ...) extern const struct ck_rule rule_##symbol;
#include "expected/rules/all.def"
#undef RULE

#endif
// SPDX-License-Identifier: Apache-2.0
