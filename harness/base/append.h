/* Text that is put together piece by piece. */
#ifndef COPYCHECK_APPEND_H
#define COPYCHECK_APPEND_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* Appends to the text in `to`, which has room for `size` bytes with its NUL. What does not fit is cut off. */
void ck_append(char *to, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
void ck_append_list(char *to, size_t size, const char *format, va_list args) __attribute__((format(printf, 3, 0)));

/* A text that grows: `data` is malloc'd, and ends in a NUL behind its `size` bytes. Starts as { 0 }. */
struct ck_growing {
    char *data;
    size_t size, room;
};

/* False where memory runs out or the format is bad: the text is then as it was. */
bool ck_grow_list(struct ck_growing *text, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
bool ck_grow(struct ck_growing *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void ck_growing_free(struct ck_growing *text);

#endif
// SPDX-License-Identifier: Apache-2.0
