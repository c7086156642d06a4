/* The rule book: a folder of pages that explain each rule, made from the catalogue, the cases, the record files and,
 * where they are there, the sources. The pages need nothing else: no server, no network. */
#ifndef COPYCHECK_BOOK_H
#define COPYCHECK_BOOK_H

#include <stdbool.h>
#include <stddef.h>

struct book_options {
    const char *folder;   /* is made if it is not there */
    const char *recorded; /* folder of record files */
    const char *sources;  /* the folder that has kernels/, tests/ and docs/findings.md */
    bool play;            /* the folder has emulator.js, or will have: pages with PTX get a playground */
};

/* Writes the book; *pages is how many pages were written. False with one line in `error`. */
bool book_write(const struct book_options *options, unsigned *pages, char *error, size_t size);

#endif
// SPDX-License-Identifier: Apache-2.0
