/* The rows of the instruction table, compiled for matching. */
#ifndef COPYCHECK_EMU_FORMS_COMPILE_H
#define COPYCHECK_EMU_FORMS_COMPILE_H

#include "harness/emu/forms/form.h"

struct alternative {
    uint16_t word;
    uint8_t version; /* PTX ISA version times ten that it needs, 0 for any */
    uint8_t target;  /* for form_target_fits, 0 for any */
};

struct group {
    uint16_t first, count; /* alternatives */
    uint8_t optional;
    uint8_t leading; /* the words before it are those of earlier leading groups only */
    uint8_t class;   /* PC_type, PC_space, PC_layout: matched in order; 0: matched anywhere */
};

/* An operand that a form asks for. */
struct spec {
    char kind;          /* the letter of form.h */
    bool optional;      /* ? */
    bool unless;        /* <!word> */
    bool wider;         /* + after the type */
    uint16_t condition; /* the word of <word> and <!word>, or 0 */
    uint16_t type;      /* a type's word, or TYPE_OF + n: the instruction's type n */
    uint8_t count;      /* elements of v and V */
    const char *detail; /* of i, a, A: the text after the letter */
    uint8_t length;     /* of detail, in characters */
};
enum { TYPE_OF = 0x8000 };

struct grammar {
    const struct ptx_form *form;
    uint16_t groups, n_groups, specs, n_specs; /* first index and count, in struct grammars */
    uint8_t target;                            /* for form_target_fits */
    bool open;                                 /* any further words */
};

/* The table. The forms of op are grammars[first_of[op]] up to, and without,
 * grammars[first_of[op + 1]]. Form number k (ptx_form) is grammars[k - 1]. */
struct grammars {
    struct grammar *grammars;
    struct group *groups;
    struct alternative *alternatives;
    struct spec *specs;
    uint16_t first_of[OP_COUNT + 1];
    uint16_t count;
};
/* With the forms of this instruction compiled, or of all. */
const struct grammars *form_grammars_of(uint16_t op);
const struct grammars *form_grammars(void);

/* Whether the module's target is one that `target` (of a grammar or an alternative) stands for; its name in messages.
 */
bool form_target_fits(const struct ptx_module *m, uint8_t target);
const char *form_target_name(uint8_t target);

#endif
// SPDX-License-Identifier: Apache-2.0
