/* What every page of the book begins and ends with, and where a rule's page is. */
#ifndef COPYCHECK_BOOK_PAGE_H
#define COPYCHECK_BOOK_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The page of a rule in the folder of a book, "rules/ID.html". */
void book_page_name(char *out, size_t size, const char *id);

/* The head of a page up to <body>, with links; `up` leads to the book's folder: "" or "../". */
void book_page_begin(FILE *to, const char *title, const char *up);
void book_page_end(FILE *to);
void book_text(FILE *to, const char *text); /* escaped */

/* A line of code in <pre>, with its newline. Where it is too long it goes on in the next one, but its first word stays
 * behind its indentation. */
void book_line(FILE *to, const char *line, bool marked);

#endif
// SPDX-License-Identifier: Apache-2.0
