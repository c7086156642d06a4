/* What is known not to be as it should, point by point and each with its reason. */
#ifndef COPYCHECK_KNOWN_H
#define COPYCHECK_KNOWN_H

struct ck_known {
    const char *points; /* a glob over names of points */
    const char *reason; /* one line; of a difference, with the words that docs/findings.md has it under */
};

/* Points whose bytes or answer the emulator and the H200 give differently. Both end with a row of NULLs. */
extern const struct ck_known ck_known_differences[];
/* Breaches that the emulator does not name by exactly the rule that they break. */
extern const struct ck_known ck_known_breaches[];

/* The first row that holds the point, or NULL. */
const struct ck_known *ck_known_find(const struct ck_known *rows, const char *point);

#endif
