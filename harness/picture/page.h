/* The frame of the page, from page.html, page.css and the scripts beside it. Not for other folders. */
#ifndef COPYCHECK_PICTURE_PAGE_H
#define COPYCHECK_PICTURE_PAGE_H

#include <stdio.h>

/* What comes before and behind the launch's JSON. */
void picture_page_begin(FILE *to);
void picture_page_end(FILE *to);

#endif
// SPDX-License-Identifier: Apache-2.0
