/* The catalogue beside the cases: which case checks which rule. */
#ifndef COPYCHECK_CATALOGUE_H
#define COPYCHECK_CATALOGUE_H

#include <stddef.h>
#include <stdio.h>

#include "harness/ck.h"

const char *ck_kind_name(enum ck_kind kind);             /* "promise", "obligation" */
const char *ck_evidence_name(enum ck_evidence evidence); /* "documented", "observed", "folklore" */

/* The case of a rule after `previous` (NULL: the first one), in the order of the suites; NULL at the end. */
const struct ck_case *ck_case_of(const struct ck_suite *const *suites, const struct ck_rule *rule,
                                 const struct ck_case *previous);
size_t ck_case_count(const struct ck_suite *const *suites, const struct ck_rule *rule);

/* At most `max` rules whose ids are nearest to a mistyped one, nearest first; how many. */
size_t ck_rules_near(const char *id, const struct ck_rule **rules, size_t max);

/* Prints text broken between words: `label` in front of the first line, `indent` columns before the others. */
void ck_print_wrapped(FILE *to, const char *label, size_t indent, const char *text);

#endif
