/* Text that the fuzzing tools put together. */
#ifndef COPYCHECK_FUZZ_TEXT_H
#define COPYCHECK_FUZZ_TEXT_H

#include <stdarg.h>

#include "harness/base/append.h"

/* As ck_grow and ck_grow_list, but they end the program with status 2 where memory runs out. */
void text_add(struct ck_growing *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_add_list(struct ck_growing *text, const char *format, va_list args) __attribute__((format(printf, 2, 0)));

#endif
// SPDX-License-Identifier: Apache-2.0
