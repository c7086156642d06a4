/* Text in HTML and XML. */
#ifndef COPYCHECK_BASE_MARKUP_H
#define COPYCHECK_BASE_MARKUP_H

#include <stdbool.h>
#include <stdio.h>

/* Text in HTML or XML: markup is escaped, and control characters, which XML 1.0 does not have even escaped, become
 * U+FFFD. An end of a line stays where `lines` are kept, else it is escaped. NULL is an empty text. */
void ck_markup_text(FILE *to, const char *text, bool lines);
/* A blank, then NAME="VALUE". */
void ck_markup_attribute(FILE *to, const char *name, const char *value, bool lines);

#endif
// SPDX-License-Identifier: Apache-2.0
