/* Pages whose kernels take numbers and give out numbers, 32 bits each. */
#ifndef COPYCHECK_TESTS_NUMBERS_H
#define COPYCHECK_TESTS_NUMBERS_H

#include "harness/ck.h"

/* Launches a kernel whose parameters are (const int *in, int *out), and one that has (..., int n) too. */
void page_numbers(struct ck *t, const char *kernel, int64_t blocks, int64_t threads, struct ck_buf in,
                  struct ck_buf out);
void page_numbers_n(struct ck *t, const char *kernel, int64_t blocks, int64_t threads, struct ck_buf in,
                    struct ck_buf out, int64_t n);

uint32_t number_at(struct ck_buf b, size_t i);
void set_number(unsigned char *image, size_t i, uint32_t number);

/* The numbers of each piece of so many, from the last one to the first one. */
unsigned char *numbers_turned(struct ck *t, struct ck_buf in, size_t length);

#endif
// SPDX-License-Identifier: Apache-2.0
