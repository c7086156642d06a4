/* Operands of reductions, and what the axis `reduction` of the cases names. */
#ifndef COPYCHECK_TESTS_REDUCE_VALUES_H
#define COPYCHECK_TESTS_REDUCE_VALUES_H

#include "expected/reduce.h"
#include "harness/ck.h"
#include "kernels/bulk_reduce.h"

/* All values of the axis: what the instruction says, "add.noftz.f16". */
#define REDUCTION_WORD(op, type, text) text " "
#define TO_GLOBAL                      REDUCTIONS_TO_GLOBAL(REDUCTION_WORD)
#define TO_CLUSTER                     REDUCTIONS_TO_CLUSTER(REDUCTION_WORD)

uint32_t bulk_reduction_of(struct ck *t); /* enum bulk_reduction */
struct reduction reduction_of(uint32_t reduction);
/* Another operation on elements as large, which gives other results for random operands. */
uint32_t other_reduction(uint32_t reduction);

/* Fills `bytes` bytes of two operands: "random" bits; "near": each operand close to the other, or to its negative;
 * "edges": the least, the largest and other special values, each with each. The results are fixed by the documents: no
 * NaN, no two zeros that minimum or maximum tell apart, no subnormal number in single precision. */
void reduce_operands(struct ck *t, struct reduction r, const char *how, unsigned char *old, unsigned char *by,
                     size_t bytes);

/* The first `bytes` bytes hold this element again and again. */
void reduce_repeat(enum reduce_type type, unsigned char *to, uint64_t element, size_t bytes);

#endif
// SPDX-License-Identifier: Apache-2.0
