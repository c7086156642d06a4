/* Which registers and constants go with which type. */
#ifndef COPYCHECK_EMU_FORMS_FITS_H
#define COPYCHECK_EMU_FORMS_FITS_H

#include "harness/emu/forms/candidate.h"

/* What a type holds. PTX_f16x2 and other packed types are FIT_OTHER. */
enum form_kind { FIT_BITS, FIT_INTEGER, FIT_FLOAT, FIT_OTHER };
enum form_kind form_kind_of(uint16_t type);

/* Whether a register may hold a value of this type; `wider`: also a register of more bits. */
bool form_register_fits(const struct ptx_register *r, uint16_t type, bool wider);
/* Whether an immediate operand may be a value of this type. */
bool form_immediate_fits(const struct ptx_operand *o, uint16_t type);
/* Whether the operand is a register for this type, without ! or -. */
bool form_is_register(const struct form_candidate *c, const struct ptx_operand *o, uint16_t type, bool wider);
/* Whether the operand is a register for this type or, if allowed, a constant of it. */
bool form_fits(const struct form_candidate *c, const struct ptx_operand *o, uint16_t type, bool constant);
/* Whether a type is that of a texture, sampler or surface: it has no address in memory. */
bool form_is_opaque(uint16_t type);
/* Whether the registers of a vector, { .. }, operand k, may be together in one. PTX ISA, "Vectors as Operands". Returns
 * false through form_fail. */
bool form_alike(struct form_candidate *c, const struct ptx_operand *vector, unsigned k);

#endif
// SPDX-License-Identifier: Apache-2.0
