/* The oracle of reductions: what an element becomes when a copy combines another with it. PTX ISA 9.0,
 * cp.reduce.async.bulk and cp.reduce.async.bulk.tensor, say which operations and types there are; atom says what inc
 * and dec do; sums round to the nearest value, ties to even. */
#ifndef COPYCHECK_REDUCE_H
#define COPYCHECK_REDUCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum reduce_op { REDUCE_ADD, REDUCE_MIN, REDUCE_MAX, REDUCE_INC, REDUCE_DEC, REDUCE_AND, REDUCE_OR, REDUCE_XOR };

enum reduce_type {
    REDUCE_U32,
    REDUCE_S32,
    REDUCE_U64,
    REDUCE_S64,
    REDUCE_B32,
    REDUCE_B64,
    REDUCE_F16,
    REDUCE_BF16,
    REDUCE_F32,
    REDUCE_F64,
    REDUCE_TYPES
};

struct reduction {
    enum reduce_op op;
    enum reduce_type type;
};

size_t reduce_size(enum reduce_type type); /* bytes of an element */
bool reduce_is_float(enum reduce_type type);

/* What kind of number the bits of a floating type are. */
enum reduce_class { REDUCE_ZERO, REDUCE_SUBNORMAL, REDUCE_NORMAL, REDUCE_INFINITE, REDUCE_NAN };
enum reduce_class reduce_class_of(enum reduce_type type, uint64_t bits);
unsigned reduce_fraction_bits(enum reduce_type type);

/* The new value of an element that holds `old` and meets `by`, subnormals kept. Documents leave open which NaN comes
 * out where one goes in, and which of two zeros is the lesser: then some one of the possible answers is given. */
uint64_t reduce_element(struct reduction r, uint64_t old, uint64_t by);

/* The same for each element of `bytes` bytes. */
void oracle_reduce(struct reduction r, unsigned char *to, const unsigned char *from, size_t bytes);

#endif
// SPDX-License-Identifier: Apache-2.0
