/* Operands made ready: slots of registers, special registers and constants, and memory that lives as long as a
 * function's code. Decoders of instructions include it, and decode.c, which drives them.
 *
 * A function is decoded between emu_code_begin and emu_code_end on one host thread; all other functions belong to the
 * function that this host thread decodes. */
#ifndef COPYCHECK_EMU_MACHINE_CODE_H
#define COPYCHECK_EMU_MACHINE_CODE_H

#include "harness/emu/machine/state.h"

/* The decoder of a family of instructions: the handler of an instruction, or NULL where it is not one of the family or
 * not modelled. It finds operands 0 to 3 as slots in op->d, a, b and c, and may change everything in *op. */
typedef emu_handler *emu_decode(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op);

/* Code for a function, with one empty op for each instruction and one behind the last; NULL where memory is short. */
struct emu_code *emu_code_begin(const struct emu_image *image, const struct ptx_function *f);
/* Gives all slots their final numbers; false where memory was short for some of the code. */
bool emu_code_end(struct emu_code *c);
void emu_code_free(struct emu_code *c);

/* The slot of an operand, EMU_NO where it has none; of a constant. The type says how an immediate is held. */
uint32_t emu_slot(const struct ptx_operand *o, uint16_t type);
uint32_t emu_constant(uint64_t value);
/* The slot of a register of this function, by its number. */
uint32_t emu_register_slot(uint32_t reg);
/* Splits an address operand into a slot and an offset in bytes. Where it names a variable, a generic op->space becomes
 * the variable's. */
void emu_address(const struct ptx_operand *o, struct emu_op *op, uint32_t *slot, int64_t *offset);
/* Bytes of a register operand as it is declared; of a vector, of its first register. */
unsigned emu_register_bytes(const struct ptx_operand *o);
/* Which op of its function an instruction of the module becomes. */
uint32_t emu_target(uint32_t instruction);

/* A list of slots; zeroed memory; both live as long as the code. NULL where memory is short. */
const uint32_t *emu_slots_kept(const uint32_t *slots, unsigned count);
void *emu_kept(size_t bytes);
/* A slot in memory of emu_kept, which gets its final number at the end too. */
void emu_settle_later(uint32_t *slot);

/* The slot behind those of a register of its function. */
uint32_t emu_code_register_end(const struct emu_code *c, uint32_t reg);

/* Whether threads only compute, load and store, and jump forwards in it: no operation by which they synchronise, and
 * no loop. */
bool emu_code_is_straight(const struct emu_code *code);
/* Whether nothing in it depends on which warp comes first, unless by a race: all that threads do is to compute, to load
 * and store in the ordinary way, to jump, and to meet at barriers of all threads of a CTA. */
bool emu_code_is_orderly(const struct emu_code *code);

#endif
// SPDX-License-Identifier: Apache-2.0
