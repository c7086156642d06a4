/* What can be read off a PTX file without understanding it. */
#ifndef COPYCHECK_TEXT_H
#define COPYCHECK_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { CK_TEXT_MAX = 1 << 30 };

/* A file's text in memory, NUL-terminated behind `size` bytes; free it with ck_text_free. */
struct ck_text {
    char *data;
    size_t size;
};

/* Reads a file ("-": standard input) of at most CK_TEXT_MAX bytes. False with one line, which names the file, in
 * `error`. */
bool ck_text_read(const char *path, struct ck_text *out, char *error, size_t size);
void ck_text_free(struct ck_text *text);
/* The same where no reason is asked for: malloc'd, NULL where the file cannot be read. `size` may be NULL. */
char *ck_text_load(const char *path, size_t *size);

/* Closes a stream of open_memstream, whose text is *text. False where memory was short at any time: fclose alone may
 * say that all is well and leave NULL. *text is freed and NULL then, and errno ENOMEM. */
bool ck_text_close(FILE *to, char **text);

/* The file that the index of a kernels' folder names for an entry (lines "ENTRY FILE"); false where it names none. */
bool ck_text_kernel(const char *index, const char *entry, char *file, size_t size);

/* The first two directives, .version and .target; of the target its first name. Nothing is assumed of what follows.
 * `version` is 90 for 9.0. False with "FILE:LINE: what was wrong" in `error`. */
bool ck_text_head(const char *path, const struct ck_text *text, int *version, char target[32], char *error,
                  size_t size);

/* The statement on a line (1-based), with its comments, its guard predicate and its label removed and each run of
 * white space made one space; "" where there is none. The statement may begin on an earlier line. */
void ck_text_statement(const char *text, int line, char *out, size_t size);

#endif
// SPDX-License-Identifier: Apache-2.0
