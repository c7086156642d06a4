/* What can be read off a PTX file without understanding it. */
#ifndef COPYCHECK_TEXT_H
#define COPYCHECK_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* A file's text in memory, NUL-terminated behind `size` bytes; free it with ck_text_free. */
struct ck_text {
    char *data;
    size_t size;
};

/* Reads a file ("-": standard input). False with one line, which names the file, in `error`. */
bool ck_text_read(const char *path, struct ck_text *out, char *error, size_t size);
void ck_text_free(struct ck_text *text);

/* The first two directives, .version and .target; of the target its first name. Nothing is assumed of what follows.
 * `version` is 90 for 9.0. False with "FILE:LINE: what was wrong" in `error`. */
bool ck_text_head(const char *path, const struct ck_text *text, int *version, char target[32], char *error,
                  size_t size);

/* The statement on a line (1-based), with its comments, its guard predicate and its label removed and each run of
 * white space made one space; "" where there is none. The statement may begin on an earlier line. */
void ck_text_statement(const char *text, int line, char *out, size_t size);

#endif
