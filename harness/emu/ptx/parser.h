/* What the files of ptx/ share: the arena, the lexer, names, the parser. Not for other folders. */
#ifndef COPYCHECK_EMU_PTX_PARSER_H
#define COPYCHECK_EMU_PTX_PARSER_H

#include <stdarg.h>

#include "harness/emu/ptx/ptx.h"

/* ---- arena.c ---------------------------------------------------------------------------------------------------- */

struct ptx_arena;

struct ptx_arena *arena_new(size_t limit); /* NULL without memory */
void arena_free(struct ptx_arena *a);
void *arena_alloc(struct ptx_arena *a, size_t bytes,
                  size_t align); /* zeroed; NULL beyond the limit or without memory */
size_t arena_bytes(const struct ptx_arena *a);

/* A growing array. It is owned by the arena but may move while it grows. */
struct vec {
    void *data;
    uint32_t count, capacity;
    uint32_t size; /* of an element, bytes */
    uint32_t slot; /* in the arena's table of arrays, plus 1 */
};
/* `n` further elements, zeroed; NULL beyond the limit. */
void *vec_add(struct ptx_arena *a, struct vec *v, uint32_t n);

/* ---- words.c: the words, instruction names and special registers of PTX ------------------------------------------ */

uint16_t op_find(const char *text, size_t length);      /* a whole dotted name */
bool op_is_prefix(const char *text, size_t length);     /* of a longer name, at a dot */
uint16_t special_find(const char *text, size_t length); /* with the % */

/* ---- lex.c ------------------------------------------------------------------------------------------------------ */

enum token_kind {
    TK_end,
    TK_name,        /* an identifier */
    TK_word,        /* .word: start and length are without the dot */
    TK_number,      /* value, flags */
    TK_string,      /* start and length are without the quotes */
    TK_punctuation, /* c; two-character operators: see TWO */
};

/* Punctuation of two characters. */
#define TWO(a, b) ((a)*256 + (b))

struct token {
    const char *start;
    uint32_t length;
    uint16_t kind;
    uint16_t flags; /* PF_FLOAT, PF_SINGLE, PF_UNSIGNED of a number */
    int c;
    uint32_t line;
    const char *at; /* its first character, the dot or quote too */
    uint64_t value;
};

struct parser;
bool next_token(struct parser *p);   /* into p->tok; false after an error */
bool lex_fraction(struct parser *p); /* reads the word .5 again, as a number */

/* ---- names.c ---------------------------------------------------------------------------------------------------- */

enum symbol_kind {
    SY_none,
    SY_register,
    SY_range, /* name<count>: index is that of number 0 */
    SY_variable,
    SY_function,
    SY_label,
    SY_prototype,
    SY_targets,
};

struct binding { /* the meaning of a name in a scope */
    uint8_t kind;
    uint32_t scope; /* depth: 0 the module, 1 a function's parameters, 2 its body, ... */
    uint32_t index, count;
    uint32_t next; /* the binding it hides, PTX_NO for none */
    uint32_t name; /* into p->names */
};

struct name {
    const char *text;
    uint32_t length, hash;
    uint32_t binding; /* the innermost, PTX_NO for none */
};

/* Index of the name, which is added if it is new; PTX_NO without memory (after an error). */
uint32_t name_intern(struct parser *p, const char *text, size_t length);
/* What the name means here; NULL if nothing. For a register of a range, *number receives its number, else 0. */
const struct binding *name_find(struct parser *p, const char *text, size_t length, uint32_t *number);
/* Gives the name a meaning in the current scope; an error if it has one there. */
bool name_bind(struct parser *p, const struct token *at, const char *text, size_t length, enum symbol_kind kind,
               uint32_t index, uint32_t count);
bool scope_open(struct parser *p);
bool scope_close(struct parser *p); /* also resolves labels that were used in it before they were defined */

struct fixup { /* an operand that names a label which is not defined yet */
    uint32_t operand;
    uint32_t name;
    struct token at;
    bool branch; /* a target of a .branchtargets */
};

struct debug_name { /* a string of .debug_str by its label */
    const char *label, *text;
};

/* ---- the parser ------------------------------------------------------------------------------------------------- */

enum { SCOPES = 250, OPERANDS = 4096 }; /* most nested scopes, most operands of a list */

struct parser {
    const char *text, *end;
    const char *cursor;     /* after the token */
    const char *line_start; /* of the line that the cursor is in */
    uint32_t line;          /* its number, from 1 */
    struct token tok;       /* the next token, not consumed yet */
    struct ptx_error *error;
    bool failed;
    struct ptx_arena *arena;   /* of the module */
    struct ptx_arena *scratch; /* freed after parsing */
    struct ptx_module *m;

    /* the module's lists */
    struct vec variables, functions, prototypes, instructions, operands, words, registers, labels, relocs, locs, files,
        pragmas;
    /* of the parser alone: names, their meanings, operands whose labels are not known yet, operands of lists that are
     * being read, bytes of the initial value that is being read, strings of .debug_str */
    struct vec names, bindings, fixups, stack, bytes, debug_names;
    uint32_t *name_table; /* open-addressed: index into names, plus 1; 0 for a free slot */
    uint32_t name_slots;  /* of the table, a power of two */

    uint32_t scope;                  /* depth */
    uint32_t scope_bindings[SCOPES]; /* bindings.count when it opened */
    uint32_t scope_fixups[SCOPES];

    uint32_t function;    /* the one whose header or body is being read, PTX_NO at module scope */
    uint32_t loc;         /* the last .loc of this function */
    uint64_t frame;       /* bytes of .param variables in the open blocks of this function */
    uint32_t declared;    /* registers of all ranges so far, against runaway ranges */
    uint64_t extents[16]; /* of the array being declared */
    unsigned depth;       /* of nested operands or expressions */
    bool have_version, have_target, have_section;
    bool huge_allowed, huge; /* whether integers of more than 64 bits may be there, and whether there was one */
};

/* Records an error at the token and returns false. */
bool fail_at(struct parser *p, const struct token *at, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The same at the next token. */
#define fail(p, ...) fail_at((p), &(p)->tok, __VA_ARGS__)
bool fail_memory(struct parser *p); /* the memory limit is reached */

static inline bool is_punct(const struct parser *p, int c)
{
    return p->tok.kind == TK_punctuation && p->tok.c == c;
}
bool accept(struct parser *p, int c);                    /* whether the punctuation is next; consumes it then */
bool expect(struct parser *p, int c);                    /* consumes it, or records an error */
uint16_t token_word(const struct parser *p);             /* of a TK_word, PTX_none for an unknown one */
bool token_is(const struct parser *p, const char *name); /* a TK_name with this text */
bool take_word(struct parser *p, uint16_t word);         /* whether the word is next; consumes it then */
/* A token as the two arguments of "%.*s", cut at 100 characters. */
#define TOK_S(t) (int)((t)->length > 100 ? 100 : (t)->length), (t)->start

/* Element i of an array. It is valid until the array grows. */
static inline struct binding *binding_at(const struct parser *p, uint32_t i)
{
    return (struct binding *)p->bindings.data + i;
}
static inline struct fixup *fixup_at(const struct parser *p, uint32_t i)
{
    return (struct fixup *)p->fixups.data + i;
}
static inline struct ptx_function *function_at(const struct parser *p, uint32_t i)
{
    return (struct ptx_function *)p->functions.data + i;
}
static inline struct ptx_loc *loc_at(const struct parser *p, uint32_t i)
{
    return (struct ptx_loc *)p->locs.data + i;
}
static inline struct name *name_at(const struct parser *p, uint32_t i)
{
    return (struct name *)p->names.data + i;
}
static inline struct ptx_operand *operand_at(const struct parser *p, uint32_t i)
{
    return (struct ptx_operand *)p->operands.data + i;
}
static inline struct ptx_register *register_at(const struct parser *p, uint32_t i)
{
    return (struct ptx_register *)p->registers.data + i;
}
static inline struct ptx_operand *stack_at(const struct parser *p, uint32_t i)
{
    return (struct ptx_operand *)p->stack.data + i;
}
static inline struct ptx_variable *variable_at(const struct parser *p, uint32_t i)
{
    return (struct ptx_variable *)p->variables.data + i;
}

/* expr.c: constants */
struct constant {
    uint64_t bits;
    uint16_t flags; /* PF_FLOAT, PF_SINGLE, PF_UNSIGNED, PF_WARP_SIZE */
};
bool parse_constant(struct parser *p, struct constant *out);
/* A product of constants: a term of an address, between '+' and '-'. */
bool parse_product(struct parser *p, struct constant *out);
/* One number, no expression: a size, count or extent. ptxas 13.5 takes no other. `what` is its name in messages. */
bool parse_integer(struct parser *p, uint64_t *out, const char *what);
double constant_double(const struct constant *c);

/* declare.c: variables and registers */
bool parse_variable(struct parser *p, uint8_t linkage); /* from its space on, up to ';' */
bool parse_registers(struct parser *p);                 /* after .reg, up to ';' */
bool parse_parameters(struct parser *p, bool entry, bool bind, uint32_t *first, uint32_t *count); /* '(' ... ')' */
/* Gives the parameters' names their meaning in the current scope. */
bool bind_parameters(struct parser *p, const struct token *at, uint32_t first, uint32_t count);
/* Gives parameters of .param space their offsets; returns the bytes of all. */
uint64_t lay_out(struct parser *p, uint32_t first, uint32_t count);
/* A register of the current function; its index there, PTX_NO without memory (after an error). */
uint32_t add_register(struct parser *p, const char *name, uint32_t number, uint16_t type, uint8_t vector);

/* init.c: initialisers */
bool parse_initialiser(struct parser *p, uint32_t variable);
uint64_t variable_bytes(const struct ptx_variable *v); /* bytes of one element */

/* function.c */
bool parse_function(struct parser *p, uint8_t linkage, bool entry); /* after .entry or .func */

/* body.c: statements of a function; operand.c: operands of an instruction */
bool parse_body(struct parser *p);
bool parse_pragma(struct parser *p); /* after .pragma */
bool parse_operands(struct parser *p, struct ptx_instruction *i);
bool parse_target_list(struct parser *p, bool branch, uint32_t *first, uint32_t *count);

/* debug.c: .file, .loc, .section */
bool parse_file(struct parser *p);
bool parse_loc(struct parser *p);
bool parse_section(struct parser *p);
bool finish_debug(struct parser *p);

#endif
// SPDX-License-Identifier: Apache-2.0
