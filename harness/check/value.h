/* One kernel argument as text: u32:5, f16:-0.5, bytes:00ff. */
#ifndef COPYCHECK_CHECK_VALUE_H
#define COPYCHECK_CHECK_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether `type` (`length` characters) names a type of values: u8 to u64, s8 to s64, b8 to b64, f16, bf16, f32, f64. */
bool check_value_type(const char *type, size_t length);

/* The value `text` of a type, little endian, into out; returns its bytes, 0 with what is wrong in `error`. Integers
 * are C's (0x too), floating numbers strtod's (nan, inf and hexadecimal ones too), rounded to nearest even. */
size_t check_value_read(const char *type, size_t length, const char *text, unsigned char out[8], char *error,
                        size_t size);

/* Bytes as pairs of hexadecimal digits; the caller frees them. NULL where the text is something else. */
unsigned char *check_bytes_read(const char *text, size_t *bytes);

/* A number of bytes: as C writes it, with K, M or G after it for powers of 1024. */
bool check_size_read(const char *text, size_t length, uint64_t *out);

#endif
// SPDX-License-Identifier: Apache-2.0
