/* A PTX module in memory: ptx_parse makes it from PTX text, and the emulator executes it.
 *
 * Everything lives in one arena that ptx_free releases. Lists are dense arrays of the module; functions, instructions
 * and operands name their parts by first index and count. Names are resolved: a register operand is an index into its
 * function's registers, a symbol is a variable or a function, a branch target is an instruction index.
 *
 * Words: a `word` is what follows a dot in an instruction or declaration (".u32", ".shared::cta", ".L2::128B"), an
 * enum constant from words.def. Types and state spaces are words too. Lines and columns are 1-based.
 */
#ifndef COPYCHECK_EMU_PTX_PTX_H
#define COPYCHECK_EMU_PTX_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "expected/rule.h"

/* PTX_none is 0. A word is PTX_ followed by its text with "::" made "_" and a leading digit prefixed by "n". */
enum ptx_word {
    PTX_none,
#define WORD(symbol, text, class) PTX_##symbol,
#include "harness/emu/ptx/words.def"
#undef WORD
    PTX_WORDS
};

/* Instruction names: the longest dotted name of ops.def that the instruction starts with; the rest are its words. */
enum ptx_op {
    OP_none,
#define OP(symbol, text) OP_##symbol,
#include "harness/emu/ptx/ops.def"
#undef OP
    OP_COUNT
};

/* Special registers: SR_tid and so on; a component is in the operand. */
enum ptx_special {
    SR_none,
#define SPECIAL(symbol, text, type, vector, version, target) SR_##symbol,
#include "harness/emu/ptx/specials.def"
#undef SPECIAL
    SR_COUNT
};

struct ptx_special_info {
    const char *text;    /* "%tid" */
    uint16_t type;       /* PTX_u32 ... */
    bool vector;         /* has .x .y .z (.w) */
    int version, target; /* first PTX ISA version (times 10) and target that have it */
};
extern const struct ptx_special_info ptx_specials[SR_COUNT];
extern const char *const ptx_word_text[PTX_WORDS]; /* without the dot */
extern const char *const ptx_op_text[OP_COUNT];
extern const uint8_t ptx_word_class[PTX_WORDS]; /* enum ptx_class */

/* What a word is. An instruction has at most one word of most classes; types and spaces are in order. */
enum ptx_class {
    PC_none,
    PC_type,
    PC_space,
    PC_vector, /* .v2 .v4 .v8 */
    PC_directive,
    PC_round,
    PC_compare,
    PC_bool,
    PC_scope,
    PC_sem,
    PC_cache, /* .ca .cg .cs .lu .cv .wb .wt, .nc apart */
    PC_evict, /* .L1::evict_last and its like */
    PC_prefetch_size,
    PC_atom_op,
    PC_geometry, /* .1d .2d .a1d .cube ... */
    PC_mode,     /* .tile .im2col ... */
    PC_shape,
    PC_layout,
    PC_completion,
    PC_flag, /* all others */
};

/* Bytes of a value of this type as it is stored; 1 for .pred, 0 for words that are not types and for types without a
 * size. */
unsigned ptx_type_size(uint16_t type);

/* Which CUDA line an instruction came from. */
struct ptx_loc {   /* one .loc directive */
    uint32_t file; /* into module.files, by position */
    uint32_t line, column;
    const char *function; /* of an inlined instruction, the function's label; NULL otherwise */
    uint32_t inlined_at;  /* index of the loc it was inlined at, PTX_NO for none */
};

struct ptx_file { /* one .file directive */
    uint32_t number;
    const char *name;
};

#define PTX_NO UINT32_MAX /* no index */

/* ---- operands ------------------------------------------------------------------------------------------------- */

enum ptx_operand_kind {
    PO_none,
    PO_register,  /* reg; component when it is a part; flags NOT, NEGATE */
    PO_pair,      /* p|q: reg, second; either may be PTX_NO for _ */
    PO_immediate, /* value, and how it was written in flags */
    PO_special,   /* reg holds an enum ptx_special; component */
    PO_variable,  /* the address of variable `symbol` (an index into module.variables) plus value */
    PO_function,  /* the address of, or call to, function `symbol` */
    PO_address,   /* [base + value]: base by flags BASE_REGISTER (reg) or BASE_VARIABLE (symbol), or an absolute address
                   */
    PO_vector,    /* {a, b, ..}: first, count */
    PO_tensor,    /* [a, {..}] and similar, as in tensor and texture instructions: first, count of the parts */
    PO_list,      /* ( .. ) of a call: first, count */
    PO_label,     /* reg holds the index of the instruction that follows the label, in module.instructions */
    PO_targets,   /* a .branchtargets or .calltargets: first, count of PO_label or PO_function operands */
    PO_prototype, /* symbol: index into module.prototypes */
    PO_sink,      /* _ */
};

enum ptx_operand_flag {
    PF_NOT = 1,    /* !p */
    PF_NEGATE = 2, /* -a, of a register or special register */
    PF_BASE_REGISTER = 4,
    PF_BASE_VARIABLE = 8,
    PF_GENERIC = 16,    /* generic(symbol) */
    PF_UNSIGNED = 32,   /* an integer literal with U, or too large for s64 */
    PF_FLOAT = 64,      /* a literal of a floating type: value has the bits of an f64 ... */
    PF_SINGLE = 128,    /* ... or, with this too (0f........), of an f32 */
    PF_OFFSET = 256,    /* an address with an offset after its base; a variable or register with one */
    PF_WARP_SIZE = 512, /* WARP_SZ */
    PF_RESIDENT = 1024, /* {..}|p of a texture instruction: value has the register p */
};

struct ptx_operand {
    uint8_t kind; /* enum ptx_operand_kind */
    /* 0 none; 'x' 'y' 'z' 'w' (r g b a too are made these); 'B' + n for .b0..3, 'H' + n for .h0..1; 'b' or 'h' for a
     * selector of several bytes or halves: `second` digits in `value`, 4 bits each, the last one in the lowest bits */
    uint8_t component;
    uint16_t flags;
    union {
        uint32_t reg;
        uint32_t first; /* into module.operands */
    };
    union {
        uint32_t second;
        uint32_t count;
        uint32_t symbol;
    };
    uint32_t column;
    uint64_t value; /* immediate bits, or a signed offset in bytes */
};

/* ---- instructions --------------------------------------------------------------------------------------------- */

enum { PTX_TYPES_OF = 6, PTX_SPACES_OF = 2 };

/* What ptxas takes and the PTX ISA does not have. */
enum ptx_laxity {
    LAX_NONE,
    LAX_HUGE,           /* an integer of more than 64 bits */
    LAX_SUM,            /* a register and a constant, r+1, as an operand */
    LAX_FIELD,          /* a field of a tensor map on another instruction */
    LAX_TWICE,          /* a modifier twice */
    LAX_IDLE,           /* a modifier that means nothing there */
    LAX_MISSING,        /* a modifier that is missing */
    LAX_NARROW_ADDRESS, /* an address in a register of 8 or 16 bits */
    LAX_SHORT_ADDRESS,  /* a global or generic address in a register of 32 bits */
    LAX_SPACE,          /* a variable of another state space */
    LAX_PARAM,          /* a parameter or constant as a generic address */
    LAX_OPAQUE,         /* a texture, sampler or surface as memory */
    LAX_SAMPLER,        /* a sampler in the unified texture mode */
    LAX_SYMBOL,         /* the address of a variable or function as a constant */
    LAX_CONSTANT,       /* a constant where a register is due */
    LAX_KIND,           /* a register of another kind, of the same width */
    LAX_WIDE,           /* a register of more bits */
    LAX_SPECIAL,        /* a special register in a vector */
    LAX_PART,           /* a part of a vector register in a vector */
    LAX_VECTOR,         /* a vector in place of one register */
    LAX_SCALAR,         /* one register or constant in place of a vector */
    LAX_LARGER,         /* a vector of more elements */
    LAXITIES
};

struct ptx_instruction {
    uint16_t op;                   /* enum ptx_op */
    uint16_t form;                 /* number of the form that it matched (ptx_form); 0 until ptx_read matches it */
    uint16_t type[PTX_TYPES_OF];   /* its types in order: dst, src of cvt; d, a, b, c of mma */
    uint16_t space[PTX_SPACES_OF]; /* its state spaces in order: dst, src of a copy */
    uint8_t vector;                /* 2, 4, 8 for .v2 .v4 .v8; otherwise 1 */
    uint8_t n_words, n_operands;
    uint8_t laxity;    /* what the PTX ISA does not have about it and ptxas takes: enum ptx_laxity; 0 for nothing */
    bool inert;        /* it is taken for such a reason alone, and what it does is not known */
    bool guard_not;    /* @!p */
    bool drops;        /* an atom or red that gives nothing back: nvcc writes atom even where nothing else in the
                          function names the register of its result */
    uint32_t guard;    /* register of @p, PTX_NO for none */
    uint32_t words;    /* all its words in order, types and spaces too: module.words[words + i] */
    uint32_t operands; /* module.operands[operands + i]; a call always has 4: returns (PO_list), callee, arguments
                          (PO_list), prototype or targets (PO_none where there are none) */
    uint32_t line, column;
    uint32_t loc; /* into module.locs, PTX_NO before the first .loc */
};

/* ---- variables, registers, functions -------------------------------------------------------------------------- */

enum ptx_linkage { PL_local, PL_extern, PL_visible, PL_weak, PL_common };

/* Part of an initialiser that is an address: `size` bytes at `offset` are the address of the symbol plus addend,
 * shifted right by `shift` bits (from a mask(): 0xFF00(sym)). */
struct ptx_reloc {
    uint64_t offset;
    int64_t addend;
    uint32_t symbol; /* variable or function */
    uint8_t size, shift;
    bool is_function, generic; /* generic(): the generic address, otherwise that within the symbol's space */
};

struct ptx_variable {
    const char *name;
    uint16_t space; /* PTX_global, PTX_shared, PTX_const, PTX_local, PTX_param, PTX_tex */
    uint16_t type;  /* of an element; PTX_texref, PTX_samplerref, PTX_surfref too */
    uint8_t vector; /* 1, 2, 4, 8 */
    uint8_t linkage;
    bool unsized; /* an extern array without a size: dynamic shared memory */
    bool managed;
    bool has_init;
    uint32_t align;  /* bytes, a power of two; as declared, else natural */
    uint64_t size;   /* bytes; 0 when unsized */
    uint64_t count;  /* elements (vectors count once), all dimensions multiplied */
    uint32_t dims;   /* number of [] */
    uint64_t offset; /* of a parameter within its list, of a .local or .param variable within its function's frame */
    const unsigned char *init; /* the first init_bytes bytes; the rest are zeros */
    uint64_t init_bytes;
    uint32_t relocs, n_relocs; /* module.relocs */
    uint32_t reg;              /* of a parameter in .reg space, its register in the function; else PTX_NO */
    uint32_t function;         /* the function it is declared in or a parameter of, PTX_NO at module scope */
    uint16_t pointer_space; /* of a kernel parameter's .ptr: its space (PTX_generic where none is named), or PTX_none */
    uint32_t pointer_align;
    uint32_t line, column;
    uint32_t definition; /* of an extern declaration, the variable that defines it, else itself */
};

struct ptx_register {
    const char *name; /* without the number of a range */
    uint32_t number;  /* in its range, PTX_NO for one that is not of a range */
    uint16_t type;    /* PTX_u32, PTX_pred ... */
    uint8_t vector;
};

struct ptx_signature {
    const char *name;
    uint32_t returns, n_returns; /* module.variables; a parameter in .reg space has space PTX_reg */
    uint32_t params, n_params;
    uint32_t line;
    bool noreturn;
};

struct ptx_function {
    const char *name;
    bool is_entry, has_body, noreturn;
    uint8_t linkage;
    uint32_t returns, n_returns; /* module.variables */
    uint32_t params, n_params;
    uint64_t param_bytes, return_bytes;    /* with padding, of the parameters in .param space */
    uint32_t instructions, n_instructions; /* module.instructions; may be empty */
    uint32_t registers, n_registers;       /* module.registers; an operand's reg counts from 0 here. Parameters in
                                              .reg space come first: returns, then params */
    uint32_t labels, n_labels;             /* module.labels */
    uint32_t variables, n_variables;   /* module.variables declared in the body: those whose `function` is this one */
    uint64_t local_bytes, frame_bytes; /* of .local and .param variables of the body, by their offsets */
    uint32_t maxntid[3], reqntid[3], cluster[3]; /* 0 where absent */
    uint32_t minnctapersm, maxnreg, maxclusterrank;
    bool explicitcluster, blocksareclusters;
    uint32_t pragmas, n_pragmas; /* module.pragmas */
    uint32_t line, column, end_line;
    uint32_t definition; /* of a declaration, the function with the body where there is one; else itself */
};

struct ptx_label {
    const char *name;
    uint32_t instruction; /* module.instructions */
};

struct ptx_module {
    int version; /* 90 for 9.0 */
    int sm;      /* 90 */
    char arch;   /* 'a', 'f' or 0 */
    bool debug, texmode_independent, map_f64_to_f32;
    unsigned address_size; /* 32 or 64 */
    const char *target;    /* "sm_90a" */
    struct ptx_variable *variables;
    uint32_t n_variables;
    struct ptx_function *functions;
    uint32_t n_functions;
    struct ptx_signature *prototypes;
    uint32_t n_prototypes;
    struct ptx_instruction *instructions;
    uint32_t n_instructions;
    struct ptx_operand *operands;
    uint32_t n_operands;
    uint16_t *words;
    uint32_t n_words;
    struct ptx_register *registers;
    uint32_t n_registers;
    struct ptx_label *labels;
    uint32_t n_labels;
    struct ptx_reloc *relocs;
    uint32_t n_relocs;
    struct ptx_loc *locs;
    uint32_t n_locs;
    struct ptx_file *files;
    uint32_t n_files;
    const char **pragmas;
    uint32_t n_pragmas;
    struct ptx_arena *arena; /* owns all of the above */
    size_t bytes;            /* of memory that the module uses */
};

/* ---- making --------------------------------------------------------------------------------------------------- */

struct ptx_error {
    int line, column;           /* from 1 */
    char message[400];          /* one line */
    char source[160];           /* the line at fault, or the part of it around the column; tabs become blanks */
    int caret;                  /* column of the caret within `source`, from 1; 0 for none */
    uint16_t op;                /* of an instruction with an unknown modifier: the instruction ... */
    char word[32];              /* ... and the beginning of the modifier, without its dot; "" for all other errors */
    const struct ck_rule *rule; /* the rule that the text breaks, if ptx_read knows one */
};

/* 0 means the default. */
struct ptx_limits {
    size_t text_bytes;   /* of the input, default 256 MiB */
    size_t memory_bytes; /* of the module, default 4 GiB or 64 times the text plus 64 MiB, whichever is less */
};

/* Parses and resolves `size` bytes of PTX; does not ask whether instructions are well formed: ptx_read of forms/form.h
 * does both. NULL with *error filled in where the text is not PTX; the first error only. `limits` may be NULL. Takes
 * time and memory in proportion to the text, for any input. Free with ptx_free. */
struct ptx_module *ptx_parse(const char *text, size_t size, const struct ptx_limits *limits, struct ptx_error *error);

void ptx_free(struct ptx_module *m);

/* Fills in source and caret of an error in this text from its line and column. */
void ptx_error_source(struct ptx_error *error, const char *text, size_t size);

/* "FILE:LINE:COLUMN: error: MESSAGE", the source line and the caret, each on a line of its own, into `out`. */
void ptx_error_print(const struct ptx_error *error, const char *file, char *out, size_t size);

/* ---- reading -------------------------------------------------------------------------------------------------- */

/* Whether the instruction has the word. */
static inline bool ptx_has(const struct ptx_module *m, const struct ptx_instruction *i, uint16_t word)
{
    for (unsigned k = 0; k < i->n_words; k++)
        if (m->words[i->words + k] == word)
            return true;
    return false;
}

/* Sets types, state spaces and the size of vectors of an instruction from its n_words words. */
void ptx_classify(struct ptx_instruction *i, const uint16_t *words);

/* The first word of a class that it has, PTX_none if it has none. */
uint16_t ptx_word_of(const struct ptx_module *m, const struct ptx_instruction *i, enum ptx_class class);

static inline const struct ptx_operand *ptx_operand(const struct ptx_module *m, const struct ptx_instruction *i,
                                                    unsigned k)
{
    return &m->operands[i->operands + k];
}

/* The word with this text (without the dot), PTX_none if there is none. */
uint16_t ptx_find_word(const char *text, size_t length);

/* Index of the function (a definition where there is one) or variable of this name at module scope, or PTX_NO. */
uint32_t ptx_find_function(const struct ptx_module *m, const char *name);
uint32_t ptx_find_variable(const struct ptx_module *m, const char *name);

/* The function that an instruction of the module belongs to, or NULL. */
const struct ptx_function *ptx_function_of(const struct ptx_module *m, const struct ptx_instruction *i);

/* The register's name ("%r7") of function f into out. */
const char *ptx_register_name(const struct ptx_module *m, const struct ptx_function *f, uint32_t reg, char *out,
                              size_t size);

/* The instruction as PTX text, for messages: "cp.async.ca.shared.global [%r1], [%rd4+16], 16;". */
void ptx_print(const struct ptx_module *m, const struct ptx_function *f, const struct ptx_instruction *i, char *out,
               size_t size);

/* The CUDA line of an instruction: "file.cu:12", or "" where unknown. */
void ptx_source(const struct ptx_module *m, const struct ptx_instruction *i, char *out, size_t size);
/* The same, and of an inlined instruction the line that it was inlined at in the end: what the kernel's author wrote.
 */
void ptx_source_called(const struct ptx_module *m, const struct ptx_instruction *i, char *out, size_t size);

/* The functions that an instruction was inlined from, as they are mangled, from the innermost one to the function of
 * the module that it is in; returns how many. Without -lineinfo that one is all that is known. */
size_t ptx_functions_of(const struct ptx_module *m, const struct ptx_instruction *i, const char **names, size_t most);
/* The C++ name without parameters, template arguments and namespaces that say a version: "cuda::barrier::arrive". A
 * name that is not mangled stays as it is. */
void ptx_plain_name(const char *mangled, char *out, size_t size);

#endif
// SPDX-License-Identifier: Apache-2.0
