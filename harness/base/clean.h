/* Text from outside (PTX, record files, arguments, what a kernel prints), made harmless before it is shown. */
#ifndef COPYCHECK_BASE_CLEAN_H
#define COPYCHECK_BASE_CLEAN_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the UTF-8 sequence at `p`, 0 if there is none (overlong, surrogate and too large ones are none). */
size_t ck_utf8_length(const unsigned char *p, size_t left);

/* The character of this sequence of UTF-8 if a terminal obeys it instead of showing it, else 0: control characters (C0,
 * DEL, C1), line and paragraph separators, marks that change the direction of writing. */
unsigned ck_obeyed(const char *p, size_t length);

/* Puts '?' in place of what a terminal obeys and of bytes that are no UTF-8, so that no text can paint over a verdict
 * or forge a line of one. With `lines`, newline and tab stay. Never makes the text longer. */
void ck_clean(char *text, bool lines);
/* The same for a part of text, which may end in the middle of a character; returns its new size. */
size_t ck_clean_bytes(char *text, size_t size, bool lines);
/* Copies one line's text cleaned, cut at size - 1; returns `out`. */
char *ck_clean_copy(char *out, size_t size, const char *text);

#endif
// SPDX-License-Identifier: Apache-2.0
