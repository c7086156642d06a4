/* SELECT arguments: which points of a plan are meant. */
#ifndef COPYCHECK_SELECT_H
#define COPYCHECK_SELECT_H

#include "harness/plan/plan.h"

/* The points that any of the selects names, in the order of the plan; all without one. A select is a glob over point
 * names, "rule:GLOB", "family:GLOB", or "failed:FILE", the points that failed in a record file. One that names nothing
 * is an error: NULL with one line. The array is the caller's to free; a mutant is selected with its point. */
const struct ck_point **ck_select(const struct ck_plan *plan, char **selects, size_t select_count, size_t *count,
                                  char *error, size_t size);

#endif
