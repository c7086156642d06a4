/* An instruction that is compared with the forms of its name, one after the other, and the best reason why none fits.
 */
#ifndef COPYCHECK_EMU_FORMS_CANDIDATE_H
#define COPYCHECK_EMU_FORMS_CANDIDATE_H

#include "harness/emu/forms/form.h"

/* What is wrong with an instruction, for the table in rule.c. */
enum form_fault {
    FAULT_NONE,
    FAULT_WORD,    /* a word that is not allowed: word */
    FAULT_MISSING, /* a word that is missing: word is the first that would do */
    FAULT_COUNT,   /* the number of operands */
    FAULT_OPERAND, /* an operand: operand counts from 0 */
    FAULT_VALUE,   /* a constant operand out of its range: operand counts from 0 */
    FAULT_VERSION, /* the PTX ISA version: word, or 0 for the instruction itself */
    FAULT_TARGET,  /* the target: the same */
    FAULT_ORDER,   /* a memory order without a scope, or the reverse */
};

/* How far a form matched before it failed. The form that came farthest gives the message. STAGE_MISSING grows by one
 * with each word that matched, STAGE_OPERANDS with each operand. */
enum { STAGE_WORDS = 0, STAGE_MISSING = 100, STAGE_OPERANDS = 200, STAGE_EXTRA = 299, STAGE_NEEDS = 300 };

struct form_failure {
    int stage;
    enum form_fault fault;
    uint16_t word;
    uint8_t operand;
};

struct form_candidate {
    const struct ptx_module *m;
    const struct ptx_function *f;
    const struct ptx_instruction *i;
    struct form_failure now;  /* of the form at hand: what form_fail would record */
    struct form_failure best; /* of the form that came farthest */
    char message[300];        /* of the same: why it does not fit */
    uint32_t column;          /* of the same: where, 0 for the instruction's own */
    bool lenient;             /* forms may be stretched by what ptxas takes besides: form_lax */
    uint8_t laxity;           /* how the form at hand was stretched first; 0 for not at all */
};

/* From here on form_fail is about this fault, at this stage. */
void form_about(struct form_candidate *c, int stage, enum form_fault fault, uint16_t word);

/* Records why the form does not fit, if no form came farther; returns false. `operand` may be NULL. */
bool form_fail(struct form_candidate *c, const struct ptx_operand *operand, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Whether the text is the pattern, `length` characters in which one '*' may stand for any text. */
bool form_pattern(const char *pattern, size_t length, const char *text);

static inline bool form_has(const struct form_candidate *c, uint16_t word)
{
    return ptx_has(c->m, c->i, word);
}

/* Register number `index` of the candidate's function. */
static inline const struct ptx_register *form_register(const struct form_candidate *c, uint32_t index)
{
    return &c->m->registers[c->f->registers + index];
}

/* Whether this variable is an argument or result of calls: a .param variable that the function's body declares. */
static inline bool form_is_argument(const struct form_candidate *c, uint32_t symbol)
{
    return symbol >= c->f->variables && symbol < c->f->variables + c->f->n_variables &&
           c->m->variables[symbol].space == PTX_param;
}

#endif
// SPDX-License-Identifier: Apache-2.0
