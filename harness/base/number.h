/* Numbers in arguments. */
#ifndef COPYCHECK_NUMBER_H
#define COPYCHECK_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* Reads a number as C writes it (decimal, 0x hexadecimal, 0 octal) with nothing before or behind it. False where the
 * text is none, or the number is not from `least` to `most`. */
bool ck_number(const char *text, uint64_t least, uint64_t most, uint64_t *out);

#endif
// SPDX-License-Identifier: Apache-2.0
