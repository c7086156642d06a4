/* Lines that GitHub shows beside the code of a pull request: "workflow commands", ::error file=F,line=1::TEXT. */
#ifndef COPYCHECK_BASE_ANNOTATION_H
#define COPYCHECK_BASE_ANNOTATION_H

#include <stdio.h>

struct ck_annotation {
    const char *kind;      /* "error", "warning" or "notice" */
    const char *file;      /* NULL: none; the process runs in the repository's folder */
    unsigned line, column; /* from 1; 0: not known */
    const char *title;     /* NULL: none */
    const char *message;   /* may have several lines */
};

/* Writes one line. What a runner would take for the end of a field or of the line is escaped. */
void ck_annotation_write(FILE *to, const struct ck_annotation *a);

#endif
// SPDX-License-Identifier: Apache-2.0
