/* The parts of points' names. */
#ifndef COPYCHECK_NAMES_H
#define COPYCHECK_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* RULE[/CASE][:axis=value,...][~BREACH][!MUTANT] */
bool ck_point_is_mutant(const char *point);
bool ck_point_is_breach(const char *point);
/* The value of an axis of the point; false (and "") where it has none. A longer value is cut at size - 1. */
bool ck_point_axis(const char *point, const char *axis, char *value, size_t size);
/* The axis of this number, from 0, and its value, cut likewise; false where the point has fewer. */
bool ck_point_axis_number(const char *point, size_t number, char *axis, char *value, size_t size);

#endif
// SPDX-License-Identifier: Apache-2.0
