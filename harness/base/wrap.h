/* Text broken into lines. */
#ifndef COPYCHECK_BASE_WRAP_H
#define COPYCHECK_BASE_WRAP_H

#include <stddef.h>
#include <stdio.h>

/* Writes the text and an end of line, broken between words so that no line has more than `width` bytes, unless a word
 * alone has. The first line has `column` bytes already; `indent` blanks begin each other line. Any number of blanks and
 * ends of lines between two words becomes one blank. */
void ck_wrap(FILE *to, size_t width, size_t column, size_t indent, const char *text);

#endif
// SPDX-License-Identifier: Apache-2.0
