/* The plan: cases taken apart into points, each with a stable name.
 *
 *   RULE[/CASE][:axis=value,...][~BREACH][!MUTANT]
 *
 * A row's alternative is one more axis, `accept`, `refuse` or `seen`. Characters that a shell or a glob would take
 * amiss are made '_' in the name; where that makes two names equal, the second is followed by #2. */
#ifndef COPYCHECK_PLAN_H
#define COPYCHECK_PLAN_H

#include "harness/ck.h"

extern const struct ck_suite *const ck_suites[]; /* made by the build; ends with a NULL */

enum ck_side { CK_NO_SIDE, CK_ACCEPT, CK_REFUSE, CK_SEEN };

struct ck_point {
    const struct ck_case *c;
    const struct ck_variant *variant; /* of a breach or mutant, else NULL */
    bool mutant;
    enum ck_side side;
    const char *alternative;     /* what `$` stands for */
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

/* The value of an axis with the variant's changes applied, or NULL. The text lives as long as the plan's strings, but
 * a variant's value only until the next call. */
const char *ck_point_value(const struct ck_point *point, const char *axis);

/* A row's text with `$` and `${axis}` replaced; malloc'd. NULL where an axis is missing. */
char *ck_point_text(const struct ck_point *point, const char *text);

/* Asks the case's `valid` about a choice of axes; the case must have one. */
bool ck_point_valid(const struct ck_point *point);

/* A point of this plan by name, or NULL. */
const struct ck_point *ck_plan_find(const struct ck_plan *plan, const char *name);

#endif
