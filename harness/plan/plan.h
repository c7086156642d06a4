/* The plan: cases expanded into points, each with a stable name.
 *
 *   RULE[/CASE][:axis=value,...][~BREACH][!MUTANT]
 *
 * A row's alternative is one more axis, `accept`, `refuse` or `seen`. Characters special to
 * a shell or a glob become '_' in the name; where that makes two names equal, #2 follows the second. */
#ifndef COPYCHECK_PLAN_H
#define COPYCHECK_PLAN_H

#include <stdio.h>

#include "harness/ck.h"

extern const struct ck_suite *const ck_suites[]; /* made by the build; ends with a NULL */

enum ck_side { CK_NO_SIDE, CK_ACCEPT, CK_REFUSE, CK_SEEN };

struct ck_point {
    const struct ck_case *c;
    const struct ck_variant *variant; /* of a breach or mutant, else NULL */
    bool mutant;
    enum ck_side side;
    const char *alternative;     /* what `$` is replaced with */
    const char *values[CK_AXES]; /* of the case's axes, in their order */
    const char *name;
    const char *base; /* the name without the variant: seeds the point's random numbers */
    bool faults;      /* runs last, alone */
};

struct ck_plan {
    struct ck_point *points;
    size_t count;
    void *storage;
};

/* All points of these suites; with `mutants`, each mutant too, at the first, middle and last of the points it matches.
 * Returns false with one line where a case is malformed. */
bool ck_plan_make(const struct ck_suite *const *suites, bool mutants, struct ck_plan *plan, char *error, size_t size);
void ck_plan_free(struct ck_plan *plan);

/* Whether a point is selected by SELECT: a glob over point names, "rule:ID", "family:NAME" or a point's own name. */
bool ck_selected(const struct ck_point *point, const char *select);

/* The value of an axis with the variant's changes applied, or NULL. The text lives as long as the plan's strings; a
 * variant's value only until this thread has asked for CK_VALUES_ALIVE more of them. */
enum { CK_VALUES_ALIVE = 4 };
const char *ck_point_value(const struct ck_point *point, const char *axis);

/* "launch", or of a row "assemble", "encode" or "compile". */
const char *ck_case_phase(const struct ck_case *c);
/* A row's text, or NULL of a launch case. */
const char *ck_case_row(const struct ck_case *c);
/* Whether a compiler or an assembler answers, in a process of its own that may die of what it is asked. */
bool ck_case_compiles(const struct ck_case *c);

/* A row's text with `$` and `${axis}` replaced; malloc'd. NULL with errno: EINVAL where an axis is missing,
 * ENOMEM. */
char *ck_point_text(const struct ck_point *point, const char *text);

/* Asks the case's `valid` about a choice of axes; the case must have one. */
bool ck_point_valid(const struct ck_point *point);

/* What an assemble row is made of: its statements and declarations, its target ("sm_90a") and PTX version (90 for 9.0).
 * False where an axis is missing or the row's version is none. */
struct ck_fragment {
    char target[16];
    int version;
    char *declare, *body; /* malloc'd */
};

bool ck_fragment(const struct ck_point *point, struct ck_fragment *fragment);
void ck_fragment_free(struct ck_fragment *fragment);
/* Whether others may stand in a module with the row: it declares nothing outside its entry and ends where it began. */
bool ck_fragment_joins(const struct ck_fragment *fragment);

/* The module around rows of one target, version and declarations, an entry for each: malloc'd text. Unless `lines` is
 * NULL, the entry of row i is from line lines[i] on, and lines[count] comes behind the last. NULL: out of memory. */
char *ck_fragment_module(const struct ck_fragment *const *rows, size_t count, int *lines);

/* The source that a compile, cuda or python row is put into (malloc'd), and the words of the options (malloc'd); what
 * an accepted object must hold is ck_point_text of the case's `holds`. NULL where an axis is missing. */
char *ck_source_text(const struct ck_point *point);
char *ck_source_options(const struct ck_point *point);

/* A point of this plan by name, or NULL. */
const struct ck_point *ck_plan_find(const struct ck_plan *plan, const char *name);

/* ---- SELECT arguments: select.c -------------------------------------------------------------------------------- */

/* A select that stands alone: the points that gate of expected/known/smoke.def, in the order of its rows. */
#define CK_SMOKE "smoke:"

/* The points that any of the selects names, in the order of the plan; all without one. A select is a glob over point
 * names, "rule:GLOB", "family:GLOB", or "failed:FILE", the points that failed in a record file. One that names nothing
 * is an error: NULL with one line. The array is the caller's to free; a mutant is selected with its point. */
const struct ck_point **ck_select(const struct ck_plan *plan, char **selects, size_t select_count, size_t *count,
                                  char *error, size_t size);

/* Marks the points that may fault and of whose kind (rule and breach; `by_rule`: the rule alone) an earlier one of the
 * list is: each fault costs a GPU a context. The array, of `count`, is the caller's to free; NULL: out of memory. */
bool *ck_spare(const struct ck_point *const *points, size_t count, bool by_rule);

/* ---- which case checks which rule of the catalogue: catalogue.c --------------------------------- */

const char *ck_kind_name(enum ck_kind kind);             /* "promise", "obligation" */
const char *ck_evidence_name(enum ck_evidence evidence); /* "documented", "observed", "folklore" */

/* The case of a rule after `previous` (NULL: the first one), in the order of the suites; NULL at the end. */
const struct ck_case *ck_case_of(const struct ck_suite *const *suites, const struct ck_rule *rule,
                                 const struct ck_case *previous);
size_t ck_case_count(const struct ck_suite *const *suites, const struct ck_rule *rule);

/* Levenshtein's distance of two ids; what is missing at the end of the first costs 1, however long it is. */
unsigned ck_id_distance(const char *a, const char *b);

/* At most `max` rules and listings whose ids are nearest to a mistyped one, nearest first; how many. */
size_t ck_rules_near(const char *id, const struct ck_rule **rules, size_t max);

/* The rule or listing of this plan whose id is nearest to what a select begins with. */
const struct ck_rule *ck_plan_near(const struct ck_plan *plan, const char *select);

/* Whether a text of a row has a place for its alternatives: `$`, not ${AXIS}. NULL has none. */
bool ck_has_place(const char *text);

/* A text of a row into `out`, with the first value of each axis in place of ${AXIS}; `$` stays. */
void ck_with_first_values(const struct ck_case *c, const char *text, char *out, size_t size);

/* Prints text broken between words: `label` in front of the first line, `indent` columns before the others. */
void ck_print_wrapped(FILE *to, const char *label, size_t indent, const char *text);

#endif
// SPDX-License-Identifier: Apache-2.0
