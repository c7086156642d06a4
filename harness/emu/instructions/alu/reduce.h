/* What atomics and reductions do to a value in memory: of threads (atomic.c) and of copies. PTX ISA, "atom", "red",
 * "cp.reduce.async.bulk". */
#ifndef COPYCHECK_EMU_INSTRUCTIONS_ALU_REDUCE_H
#define COPYCHECK_EMU_INSTRUCTIONS_ALU_REDUCE_H

#include "harness/emu/ptx/ptx.h"

/* The operation of an atomic or a reduction: PTX_add ... PTX_cas; PTX_none for none of them. */
uint16_t alu_atom_word(const struct ptx_module *m, const struct ptx_instruction *i);

/* Whether the operation is defined for values of the type: for one value, and for runs of a reduction. */
bool alu_combines(uint16_t word, uint16_t type);
bool alu_reduces(uint16_t word, uint16_t type);

/* The new value of an element (of a packed type, of all its values) of `size` bytes that holds `old`, where
 * alu_combines says that there is one. `c` is what cas stores. `global`: it lies in global memory, where floating-point
 * sums differ from those in shared memory. */
uint64_t alu_combine(uint16_t word, uint16_t type, unsigned size, uint64_t old, uint64_t b, uint64_t c, bool global);

/* Combines the elements of a run of `bytes` bytes with those of another, one by one, where alu_reduces says that it
 * can. `ftz`: single precision flushes subnormals, as in global memory. */
void alu_reduce(uint16_t word, uint16_t type, bool ftz, unsigned char *to, const unsigned char *from, uint64_t bytes);

#endif
// SPDX-License-Identifier: Apache-2.0
