/* A function: its header, its parameters, the directives before its body. */
#include <stdlib.h>

#include "harness/emu/ptx/parser.h"

/* One to three numbers. */
static bool extents(struct parser *p, uint32_t out[3])
{
    out[0] = out[1] = out[2] = 1;
    for (int i = 0; i < 3; i++) {
        uint64_t n;
        const struct token at = p->tok;
        if (!parse_integer(p, &n, "an extent"))
            return false;
        if (!n || n > INT32_MAX)
            return fail_at(p, &at, "an extent must be at least 1");
        out[i] = (uint32_t)n;
        if (!accept(p, ','))
            return !p->failed;
    }
    return fail(p, "there are at most three extents");
}

static bool count(struct parser *p, uint32_t *out)
{
    uint64_t n;
    const struct token at = p->tok;
    if (!parse_integer(p, &n, "a count"))
        return false;
    if (n > INT32_MAX)
        return fail_at(p, &at, "this count is too large");
    *out = (uint32_t)n;
    return true;
}

static bool skip_parentheses(struct parser *p)
{
    unsigned open = 0;
    if (!is_punct(p, '('))
        return fail(p, "expected '('");
    do {
        if (p->tok.kind == TK_end)
            return fail(p, "')' is missing");
        open += is_punct(p, '(');
        open -= is_punct(p, ')');
        if (!next_token(p))
            return false;
    } while (open);
    return true;
}

/* The directives between a function's parameters and its body. */
static bool function_directives(struct parser *p, struct ptx_function *f)
{
    const struct token start = p->tok;
    bool entry_only = false;
    while (p->tok.kind == TK_word) {
        const struct token at = p->tok;
        const uint16_t w = token_word(p);
        uint32_t ignored;
        if (!next_token(p))
            return false;
        bool ok = true;
        entry_only |= w != PTX_noreturn && w != PTX_pragma && w != PTX_attribute && w != PTX_abi_preserve &&
                      w != PTX_abi_preserve_control;
        switch (w) {
        case PTX_maxntid: ok = extents(p, f->maxntid); break;
        case PTX_reqntid: ok = extents(p, f->reqntid); break;
        case PTX_reqnctapercluster: ok = extents(p, f->cluster); break;
        case PTX_minnctapersm: ok = count(p, &f->minnctapersm); break;
        case PTX_abi_preserve:
        case PTX_abi_preserve_control:
            if (f->is_entry)
                return fail_at(p, &at, "'.%.*s' is allowed on a .func only", TOK_S(&at));
            ok = count(p, &ignored);
            break;
        case PTX_maxnctapersm:
            if (p->m->version >= 21)
                return fail_at(p, &at, "PTX ISA 2.1 took .maxnctapersm away: say .minnctapersm");
            ok = count(p, &ignored);
            break;
        case PTX_maxnreg:
            ok = count(p, &f->maxnreg);
            if (ok && !f->maxnreg)
                return fail_at(p, &at, ".maxnreg is 1 or more");
            break;
        case PTX_maxclusterrank: ok = count(p, &f->maxclusterrank); break;
        case PTX_explicitcluster: f->explicitcluster = true; break;
        case PTX_blocksareclusters: f->blocksareclusters = true; break;
        case PTX_noreturn:
            if (f->is_entry || f->n_returns)
                return fail_at(p, &at, ".noreturn is allowed on a .func without a return value only");
            f->noreturn = true;
            break;
        case PTX_pragma: ok = parse_pragma(p); break;
        case PTX_attribute: ok = skip_parentheses(p); break;
        default: return fail_at(p, &at, "'.%.*s' is not allowed before a function's body", TOK_S(&at));
        }
        if (!ok)
            return false;
    }
    if (!f->is_entry && entry_only)
        return fail_at(p, &start, "launch bounds are allowed on an .entry only");
    if (f->cluster[0] && f->maxclusterrank)
        return fail_at(p, &start, ".reqnctapercluster and .maxclusterrank exclude each other");
    if (f->blocksareclusters && !(f->cluster[0] && f->reqntid[0]))
        return fail_at(p, &start, ".blocksareclusters needs .reqntid and .reqnctapercluster");
    if (f->maxntid[0] && f->reqntid[0])
        return fail_at(p, &start, ".maxntid and .reqntid exclude each other");
    if ((f->explicitcluster || f->cluster[0] || f->maxclusterrank) && p->m->sm < 90)
        return fail_at(p, &start, "clusters need the target sm_90");
    return true;
}

static bool same_parameters(struct parser *p, uint32_t a, uint32_t na, uint32_t b, uint32_t nb)
{
    if (na != nb)
        return false;
    for (uint32_t i = 0; i < na; i++) {
        const struct ptx_variable *x = variable_at(p, a + i);
        const struct ptx_variable *y = variable_at(p, b + i);
        if (x->space != y->space || ptx_type_size(x->type) != ptx_type_size(y->type) || x->size != y->size ||
            x->align != y->align)
            return false;
    }
    return true;
}

/* Binds the function's name, or compares the function with an earlier declaration. */
static bool bind_function(struct parser *p, const struct token *at, uint32_t index)
{
    uint32_t number;
    const struct binding *b = name_find(p, at->start, at->length, &number);
    struct ptx_function *f = function_at(p, index);
    f->definition = index;
    if (special_find(at->start, at->length))
        return fail_at(p, at, "'%.*s' is a special register", TOK_S(at));
    if (!b)
        return name_bind(p, at, at->start, at->length, SY_function, index, 1);
    struct ptx_function *first = b->kind == SY_function ? function_at(p, b->index) : NULL;
    if (!first || first->is_entry != f->is_entry)
        return fail_at(p, at, "'%.*s' is declared twice", TOK_S(at));
    if (!same_parameters(p, first->returns, first->n_returns, f->returns, f->n_returns) ||
        !same_parameters(p, first->params, first->n_params, f->params, f->n_params))
        return fail_at(p, at, "'%.*s' was declared differently on line %u", TOK_S(at), first->line);
    f->definition = b->index;
    return true;
}

/* Whether parameters of a .func with a body have alignments that it may have. */
static bool aligned(struct parser *p, const struct token *at, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count; i++)
        if (variable_at(p, i)->space == PTX_param && variable_at(p, i)->align > 128)
            return fail_at(p, at, "a .param variable is aligned to 128 bytes at most");
    return true;
}

/* Sets the body of a function that may have been declared before. */
static bool define(struct parser *p, const struct token *at, uint32_t index)
{
    struct ptx_function *f = function_at(p, index);
    struct ptx_function *first = function_at(p, f->definition);
    if (function_at(p, first->definition)->has_body)
        return fail_at(p, at, "'%.*s' already has a body", TOK_S(at));
    if (!f->is_entry && !(aligned(p, at, f->returns, f->n_returns) && aligned(p, at, f->params, f->n_params)))
        return false;
    first->definition = index;
    f->definition = index;
    f->has_body = true;
    return true;
}

/* The results, name and parameters of a function; *at is its name. */
static bool signature(struct parser *p, struct ptx_function *f, struct token *at)
{
    if (take_word(p, PTX_attribute) && !skip_parentheses(p))
        return false;
    if (!f->is_entry && is_punct(p, '(')) {
        if (!parse_parameters(p, false, true, &f->returns, &f->n_returns))
            return false;
        f->return_bytes = lay_out(p, f->returns, f->n_returns);
    }
    *at = p->tok;
    if (at->kind != TK_name)
        return fail(p, "expected the name of a function");
    const uint32_t name = name_intern(p, at->start, at->length);
    if (name == PTX_NO || !next_token(p))
        return false;
    f->name = name_at(p, name)->text;
    if (is_punct(p, '(')) {
        if (!parse_parameters(p, f->is_entry, true, &f->params, &f->n_params))
            return false;
        f->param_bytes = lay_out(p, f->params, f->n_params);
    }
    return true;
}

/* Up to how often a register of a function is named is counted. */
enum { TWICE = 2 };

struct names {
    uint8_t *of; /* by register */
    uint32_t n;
};

static void count_name(const struct names *names, uint32_t reg)
{
    if (reg < names->n && names->of[reg] < TWICE)
        names->of[reg]++;
}

/* Of an operand, with all its parts. */
static void count_names(const struct parser *p, const struct ptx_operand *o, const struct names *names)
{
    const struct ptx_operand *all = p->operands.data;

    if (o->kind == PO_register || o->kind == PO_pair || (o->kind == PO_address && o->flags & PF_BASE_REGISTER))
        count_name(names, o->reg);
    if (o->kind == PO_pair)
        count_name(names, o->second);
    if (o->kind == PO_vector || o->kind == PO_tensor || o->kind == PO_list)
        for (uint32_t k = 0; k < o->count; k++)
            count_names(p, &all[o->first + k], names);
}

static void count_all_names(const struct parser *p, const struct ptx_function *f, const struct names *names)
{
    const struct ptx_operand *operands = p->operands.data;
    const struct ptx_instruction *all = p->instructions.data;

    for (uint32_t i = f->instructions; i < f->instructions + f->n_instructions; i++) {
        count_name(names, all[i].guard);
        for (uint32_t k = 0; k < all[i].n_operands; k++)
            count_names(p, &operands[all[i].operands + k], names);
    }
}

/* Notes which atom and red of a function give nothing back. */
static bool note_drops(struct parser *p, const struct ptx_function *f)
{
    const struct ptx_operand *operands = p->operands.data;
    struct ptx_instruction *all = p->instructions.data;
    struct names names = { .n = f->n_registers };

    for (uint32_t i = f->instructions; i < f->instructions + f->n_instructions; i++) {
        const struct ptx_operand *d = all[i].n_operands ? &operands[all[i].operands] : NULL;
        all[i].drops =
            all[i].op == OP_red || all[i].op == OP_multimem_red || (all[i].op == OP_atom && d && d->kind == PO_sink);
        if (all[i].op != OP_atom || !d || d->kind != PO_register || d->reg >= names.n)
            continue;
        if (!names.of) {
            names.of = calloc(names.n, 1);
            if (!names.of)
                return fail_memory(p);
            count_all_names(p, f, &names);
        }
        all[i].drops = names.of[d->reg] == 1;
    }
    free(names.of);
    return true;
}

bool parse_function(struct parser *p, uint8_t linkage, bool entry)
{
    const uint32_t index = p->functions.count;
    struct ptx_function *f = vec_add(p->arena, &p->functions, 1); /* stays in place: functions do not nest */
    struct token at;

    if (!f)
        return fail_memory(p);
    p->function = index;
    p->loc = PTX_NO;
    p->frame = 0;
    *f = (struct ptx_function){ .linkage = linkage,
                                .is_entry = entry,
                                .registers = p->registers.count,
                                .line = p->tok.line,
                                .column = (uint32_t)(p->tok.at - p->line_start) + 1,
                                .instructions = p->instructions.count,
                                .labels = p->labels.count,
                                .pragmas = p->pragmas.count };
    if (!signature(p, f, &at) || !function_directives(p, f) || !bind_function(p, &at, index) || !scope_open(p))
        return false;
    if (!bind_parameters(p, &at, f->returns, f->n_returns) || !bind_parameters(p, &at, f->params, f->n_params))
        return false;
    f->variables = p->variables.count;
    if (is_punct(p, '{')) {
        if (!define(p, &at, index) || !parse_body(p))
            return false;
    } else if (!expect(p, ';')) {
        return false;
    }
    f->n_variables = p->variables.count - f->variables;
    f->n_registers = p->registers.count - f->registers;
    f->n_instructions = p->instructions.count - f->instructions;
    f->n_labels = p->labels.count - f->labels;
    f->n_pragmas = p->pragmas.count - f->pragmas;
    p->function = PTX_NO;
    return note_drops(p, f) && scope_close(p);
}
// SPDX-License-Identifier: Apache-2.0
