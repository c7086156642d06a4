/* Sums of products as tensor cores make them: one element of D = A * B + C. */
#ifndef COPYCHECK_EMU_INSTRUCTIONS_ALU_DOT_H
#define COPYCHECK_EMU_INSTRUCTIONS_ALU_DOT_H

#include "harness/emu/instructions/alu/real.h"

enum { ALU_DOT_COUNT = 256, ALU_DOT_DIGITS = 25 }; /* the most products of a sum; digits of one by mma.sync */
enum { ALU_DOT_LOWEST = -133 };                    /* a sum's largest exponent counts as this one where it is smaller */

struct alu_dot {
    unsigned count;      /* of products */
    unsigned bits;       /* of a factor */
    enum real_type a, b; /* of the factors; REAL_TYPES: integers */
    enum real_type addend, result;
    enum real_round round;   /* of f64 */
    bool a_signed, b_signed; /* integers */
    bool satfinite;          /* integers: the sum stops at the ends of s32 */
    bool exclusive;          /* bits are combined by xor, else by and */
    unsigned digits;         /* of a sum of floats, behind the point; 0: those of mma.sync */
    unsigned kept;           /* of them, what an f32 result keeps; 0: all that it has room for */
};

/* A factor in the form that sums of floating types below f64 take. */
uint64_t alu_dot_ready(enum real_type type, uint64_t bits);

/* The sum of a[k] * b[k] and c; integers and f64 are bits, other factors are alu_dot_ready, c and the result bits. */
uint64_t alu_dot(const struct alu_dot *p, const uint64_t *a, const uint64_t *b, uint64_t c);

/* The same of floats below f64, of 8 bits too, as one sum: wgmma. */
uint64_t alu_dot_sum(const struct alu_dot *p, const uint64_t *a, const uint64_t *b, uint64_t c);

/* The sum of two numbers of a floating type, rounded to nearest: bits. */
uint64_t alu_dot_added(enum real_type type, uint64_t a, uint64_t b);

/* The same of m8n8k4 in halves, with factors that are bits. It is not a matrix instruction of an H200: assemblers write
 * fused products in single precision. */
uint64_t alu_dot_quads(const struct alu_dot *p, const uint64_t *a, const uint64_t *b, uint64_t c);

#endif
// SPDX-License-Identifier: Apache-2.0
