/* The instruction table: what PTX instructions look like, and what they need.
 *
 * A form is one row: an instruction name, the grammar of its words, the grammar of its operands, and the PTX ISA
 * version and target that it needs. An instruction is well formed if it matches a row of its name.
 *
 * Words: groups separated by blanks. A group is alternatives separated by '|', one of which must be there; with '?' in
 * front the group may be missing. An alternative may need a version and a target: word@78/90. `$name` stands for a list
 * of alternatives (macros.def in check_grammar.c). Words stand in any order, as ptxas takes them, but for types,
 * state spaces and layouts, whose groups match in order, and for groups with '^' in front, which stand first. A '*' at
 * the end takes any further words.
 *
 * Operands: separated by blanks. `?` in front: may be missing. `<word>` in front: there if and only if the instruction
 * has that word, `<!word>` if it has not. Then a letter and what belongs to it:
 *
 *   d TYPE   destination register              D TYPE   the same, or _
 *   s TYPE   source register or immediate      r TYPE   source register
 *   x TYPE   destination, or destination|predicate     X TYPE  destination|predicate, the first may be _
 *   p        predicate source, ! allowed       n        predicate source without !
 *   q        predicate destination             Q        predicate destination, or p|q, either may be _
 *   i LIST   immediate integer: 4/8/16, 0..15, 0..64*16 for its multiples of 16; `i` alone for any
 *   I LIST   the same, or a 32-bit register
 *   o        _                                  P        predicate source, no constant
 *   a SPACES address in brackets; letters of the spaces a named variable may be in (g s c l p), or S0, S1: the
 *            instruction's first or second state space
 *   A SPACES an address as a value: register, variable, variable + constant
 *   v N TYPE vector of N elements, sources     V N TYPE destinations, _ allowed
 *   w TYPE   source, a vector by .v2 .v4 .v8   W TYPE   destination, the same
 *   t        [tensor map, {coordinates}], as many as .1d to .5d say
 *   m        what mov takes                    l        label
 *   z        anything
 *
 * TYPE is a type's name, or T0 to T5 for the instruction's own; a '+' behind it lets registers be wider.
 */
#ifndef COPYCHECK_EMU_CHECK_H
#define COPYCHECK_EMU_CHECK_H

#include "harness/emu/ptx/ptx.h"

struct check; /* one instruction under examination */

struct ptx_form {
    uint16_t op;
    const char *words;
    const char *operands;
    int version;                    /* PTX ISA version times ten; 0 for any */
    const char *target;             /* "90", "90a", "100x": see check_target; NULL for any */
    bool (*extra)(struct check *c); /* what grammar cannot say; reports by check_fail */
};

/* Tables end with a form whose op is 0. */
extern const struct ptx_form ptx_forms_copy[], ptx_forms_tensor[], ptx_forms_barrier[], ptx_forms_order[],
    ptx_forms_memory[], ptx_forms_integer[], ptx_forms_float[], ptx_forms_control[], ptx_forms_matrix[],
    ptx_forms_other[];

/* All forms in one row of indices: form `i` of an instruction (ptx_instruction.form), NULL for 0. */
const struct ptx_form *ptx_form(uint16_t i);

/* What was wrong, for the table in check_rule.c. */
enum check_fault {
    FAULT_NONE,
    FAULT_WORD,    /* a word that has no place: word */
    FAULT_MISSING, /* a word that must be there: word is the first that would do */
    FAULT_COUNT,   /* the number of operands */
    FAULT_OPERAND, /* an operand: operand counts from 0 */
    FAULT_VALUE,   /* a constant operand out of its range */
    FAULT_VERSION, /* the PTX ISA version: word, or 0 for the instruction itself */
    FAULT_TARGET,  /* the target: the same */
    FAULT_ORDER,   /* a memory order without a scope, or the reverse */
};

struct check {
    const struct ptx_module *m;
    const struct ptx_function *f;
    const struct ptx_instruction *i;
    const struct ptx_form *form;
    int score;         /* how far the best form so far came */
    char message[300]; /* why the best form failed */
    uint32_t column;   /* where, 0 for the instruction's own */
    int stage;         /* how far this form came */
    uint8_t fault;     /* enum check_fault, of the best form */
    uint8_t operand;
    uint16_t word;
    uint8_t now; /* of this form: what check_fail is about to record */
    uint8_t now_operand;
    uint16_t now_word;
};

/* Records why the form does not fit; returns false. `operand` may be NULL. */
bool check_fail(struct check *c, const struct ptx_operand *operand, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* An `extra`: a memory order and a scope come together. */
bool check_ordered(struct check *c);

static inline bool check_has(const struct check *c, uint16_t word)
{
    return ptx_has(c->m, c->i, word);
}

/* ---- check_grammar.c: rows made ready for matching ----------------------------------------------------------------
 */

struct alternative {
    uint16_t word;
    uint8_t version;
    uint8_t target; /* index into the targets' names, 0 for any */
};

struct group {
    uint16_t first, count; /* alternatives */
    uint8_t optional;
    uint8_t leading; /* the words before it are those of earlier leading groups only */
    uint8_t class;   /* PC_type, PC_space, or 0: matched in order or anywhere */
};

struct spec {
    char kind;
    bool optional, unless, wider;
    uint16_t condition; /* a word, or 0 */
    uint16_t type;      /* a type's word, or TYPE_OF + n */
    uint8_t count;      /* elements of v and V */
    const char *detail; /* of i, a, A: the text behind the letter */
    uint8_t length;     /* of detail */
};
enum { TYPE_OF = 0x8000 };

struct grammar {
    const struct ptx_form *form;
    uint16_t groups, n_groups, specs, n_specs;
    uint8_t target;
    bool open; /* any further words */
};

/* Everything, made once. Forms of op are grammars[first_of[op]] up to first_of[op + 1]. */
struct grammars {
    struct grammar *grammars;
    struct group *groups;
    struct alternative *alternatives;
    struct spec *specs;
    uint16_t first_of[OP_COUNT + 1];
    uint16_t count;
};
const struct grammars *grammars(void);

bool check_target(const struct ptx_module *m, uint8_t target);
const char *check_target_name(uint8_t target);

/* ---- check_rule.c: the catalogue's rule that an instruction breaks, or NULL ---- */
const struct ck_rule *check_rule(const struct check *c);

/* ---- check_limits.c: constant, shared and parameter space; all but the source line of *error is filled in ---- */
bool check_limits(const struct ptx_module *m, struct ptx_error *error);

/* ---- check_call.c: the `extra` of call and brx ---- */
bool check_call(struct check *c);
bool check_branch_targets(struct check *c);

/* ---- check_operand.c ----------------------------------------------------------------------------------------------
 */
bool check_operands(struct check *c, const struct grammar *g);
/* Whether the operand is a register for a value of this type, or (if allowed) a constant of it. */
bool check_fits(const struct check *c, const struct ptx_operand *o, uint16_t type, bool constant);

#endif
