/* Known exceptions, point by point, each with its reason. */
#ifndef COPYCHECK_KNOWN_H
#define COPYCHECK_KNOWN_H

struct ck_known {
    const char *points; /* a glob over names of points */
    const char *reason; /* one line; for a difference, with the title of its entry in docs/findings.md */
};

/* Points at which the emulator and the H200 leave other bytes or answer otherwise. Both lists end with NULLs. */
extern const struct ck_known ck_known_differences[];
/* Breaches that the emulator does not name by exactly the rule that they break. */
extern const struct ck_known ck_known_breaches[];

/* The first row that holds the point, or NULL. */
const struct ck_known *ck_known_find(const struct ck_known *rows, const char *point);

#endif
// SPDX-License-Identifier: Apache-2.0
