/* What the files of the lint share. */
#ifndef COPYCHECK_LINT_SAY_H
#define COPYCHECK_LINT_SAY_H

#include "harness/lint/lint.h"

/* One complaint, one line. */
void ck_lint_say(struct ck_lint *l, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
