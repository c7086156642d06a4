/* The pages of the listings: their code as students read it, kept in the program. A page of kernels/ begins where a
 * comment at the start of a line begins with the listing's name and a colon, and ends where the next one begins. In a
 * file of cases a page is a function below such a comment. */
#ifndef COPYCHECK_PAGE_H
#define COPYCHECK_PAGE_H

#include <stdbool.h>
#include <stdio.h>

struct ck_page_file {
    const char *file, *text;
};

extern const struct ck_page_file ck_pages[]; /* made by the build; ends with a NULL */

/* Prints the pages of this listing, each behind what stands in front of the first page of its file (its includes).
 * Returns how many there are; `to` may be NULL. */
int ck_page_print(FILE *to, const char *id);

#endif
// SPDX-License-Identifier: Apache-2.0
