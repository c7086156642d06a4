/* The one line that bad input gets. */
#ifndef COPYCHECK_BAD_H
#define COPYCHECK_BAD_H

#include <stdbool.h>
#include <stddef.h>

/* Prints "copycheck: MESSAGE" on standard error and returns 2, the exit status of a run without a verdict. What is
 * still in standard output's buffer is written first, so that the lines keep their order. */
int ck_bad(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same for functions that say by false that something was wrong: always false. */
bool ck_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* From now on this thread's lines go into `line`, the first of them, and nothing is printed; NULL: they are printed
 * again. */
void ck_bad_keep(char *line, size_t size);
/* Whether they do. */
bool ck_bad_is_kept(void);

/* Says that there is no memory, and ends the program with status 2: for small needs, without which nothing goes on. */
__attribute__((noreturn)) void ck_no_memory(void); /* in the words that cppcheck knows */

#endif
// SPDX-License-Identifier: Apache-2.0
