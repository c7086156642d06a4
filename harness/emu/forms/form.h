/* The instruction table: what PTX instructions look like, and what they need.
 *
 * A form is one row: an instruction name, the grammar of its words, the grammar of its operands, and the PTX ISA
 * version and target that it needs. An instruction is well formed if it matches a row of its name.
 *
 * Words: groups separated by blanks. A group is alternatives separated by '|', one of which must be present; a group
 * with '?' in front is optional. An alternative may need a version and a target: word@78/90. `$name` stands for a list
 * of alternatives (`macros` in compile.c). Words may come in any order, as in ptxas, with two exceptions: the groups of
 * types, state spaces and layouts match in order, and groups with '^' in front come first. A '*' at the end accepts any
 * further words.
 *
 * Operands: separated by blanks. `?` in front: optional. `<word>` in front: present if and only if the instruction has
 * that word, `<!word>` if it does not have it. Then a letter and its argument:
 *
 *   d TYPE   destination register              D TYPE   the same, or _
 *   s TYPE   source register or immediate      r TYPE   source register
 *   x TYPE   destination, or destination|predicate     X TYPE  destination|predicate, the first may be _
 *   p        predicate source, ! allowed       n        predicate source without !
 *   q        predicate destination             Q        predicate destination, or p|q, either may be _
 *   i LIST   immediate integer: 4/8/16, 0..15, 0..64*16 for the multiples of 16 in it; `i` alone for any
 *   I LIST   the same, or a 32-bit register; of a constant of more bits the low 32 count
 *   J LIST   the same, and constants of more bits are out of range
 *   o        _                                  P        predicate source, no constant
 *   a SPACES address in brackets; letters of the spaces a named variable may be in (g s c l p, t for
 *            tensor memory, which has none, T for it in an untyped register), with G in front: a
 *            generic address if the instruction names no state space; or S0, S1: the instruction's first or second
 *            state space
 *   A SPACES an address as a value: register, variable, variable + constant
 *   v N TYPE vector of N elements, sources     V N TYPE destinations, _ allowed
 *   y N TYPE vector of N source registers
 *   w TYPE   source, a vector by .v2 .v4 .v8   W TYPE   destination, the same
 *   t        [tensor map, {coordinates}], as many as .1d to .5d ask for
 *   c TYPE   [texture, {coordinates of this type}], as many as the geometry asks for; a sampler may be between them
 *   u        [surface, {coordinates}]          C TYPE   [texture], [sampler] or [surface], by its opaque type
 *   e TYPE   vector with an element for each dimension of the geometry: an offset or gradient
 *   m        what mov accepts                  l        label
 *   z        anything
 *
 * TYPE is a type's name, or T0 to T5 for the instruction's own; with '+' after it, registers may be wider.
 */
#ifndef COPYCHECK_EMU_FORMS_FORM_H
#define COPYCHECK_EMU_FORMS_FORM_H

#include "harness/emu/ptx/ptx.h"

struct form_candidate; /* an instruction that is compared with a form: candidate.h */

struct ptx_form {
    uint16_t op;
    const char *words;
    const char *operands;
    int version;        /* PTX ISA version times ten; 0 for any */
    const char *target; /* "90", "90a", "100x": the table `needs` in compile.c; NULL for any */
    /* What the grammar cannot express. Returns false through form_fail. NULL for nothing. */
    bool (*extra)(struct form_candidate *c);
};

/* Form number `i`, as in ptx_instruction.form; NULL for 0 and for numbers beyond the last. */
const struct ptx_form *ptx_form(uint16_t i);

/* Parses `size` bytes of PTX, as ptx_parse does, and matches every instruction with the instruction table, which sets
 * ptx_instruction.form. NULL with *error filled in at the first error; error->rule is the rule that the text breaks,
 * where the catalogue has one. Free the module with ptx_free. */
struct ptx_module *ptx_read(const char *text, size_t size, const struct ptx_limits *limits, struct ptx_error *error);

#endif
// SPDX-License-Identifier: Apache-2.0
