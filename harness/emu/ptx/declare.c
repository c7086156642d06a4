/* Declarations: registers, variables, parameters. */
#include <string.h>

#include "harness/emu/ptx/parser.h"

enum { REGISTERS = 1 << 18, DIMENSIONS = 16 };

/* The types that registers and variables may have; the others are those of instructions alone. PTX ISA, "Fundamental
 * Types". */
static bool is_fundamental(uint16_t w)
{
    static const uint16_t all[] = {
        PTX_b8, PTX_b16, PTX_b32, PTX_b64, PTX_b128, PTX_u8,    PTX_u16, PTX_u32, PTX_u64,
        PTX_s8, PTX_s16, PTX_s32, PTX_s64, PTX_f16,  PTX_f16x2, PTX_f32, PTX_f64, PTX_pred
    };

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] == w)
            return true;
    return false;
}

static bool is_opaque(uint16_t w)
{
    return w == PTX_texref || w == PTX_samplerref || w == PTX_surfref;
}

/* Whether there are vectors of this type. */
static bool vector_fits(struct parser *p, uint16_t type, uint8_t vector)
{
    enum { MOST = 16 }; /* bytes */

    if (vector > 1 && type == PTX_pred)
        return fail(p, "a predicate cannot be part of a vector");
    return ptx_type_size(type) * vector <= MOST || fail(p, "a vector has at most %d bytes", MOST);
}

static const char *stored_name(struct parser *p, const struct token *t)
{
    const uint32_t n = name_intern(p, t->start, t->length);
    return n == PTX_NO ? NULL : name_at(p, n)->text;
}

uint32_t add_register(struct parser *p, const char *name, uint32_t number, uint16_t type, uint8_t vector)
{
    struct ptx_register *r = vec_add(p->arena, &p->registers, 1);
    if (!r) {
        fail_memory(p);
        return PTX_NO;
    }
    *r = (struct ptx_register){ name, number, type, vector };
    return p->registers.count - 1 - function_at(p, p->function)->registers;
}

static bool one_register(struct parser *p, uint16_t type, uint8_t vector)
{
    const struct token at = p->tok;
    if (at.kind != TK_name)
        return fail(p, "expected the name of a register");
    const char *name = stored_name(p, &at);
    if (!name || !next_token(p))
        return false;
    const uint32_t first = p->registers.count - function_at(p, p->function)->registers;
    if (!is_punct(p, '<')) {
        if (special_find(at.start, at.length))
            return fail_at(p, &at, "'%.*s' is a special register", TOK_S(&at));
        return add_register(p, name, PTX_NO, type, vector) != PTX_NO &&
               name_bind(p, &at, at.start, at.length, SY_register, first, 1);
    }
    if (!next_token(p))
        return false;
    if (p->tok.kind != TK_number || p->tok.flags & PF_FLOAT)
        return fail(p, "expected a count of registers");
    const uint64_t count = p->tok.value;
    if (count > REGISTERS + (uint64_t)(p->end - p->text) - p->declared)
        return fail(p, "too many registers for a text of this size");
    if (!next_token(p) || !expect(p, '>'))
        return false;
    p->declared += (uint32_t)count;
    struct ptx_register *r = count ? vec_add(p->arena, &p->registers, (uint32_t)count) : NULL;
    if (count && !r)
        return fail_memory(p);
    for (uint32_t i = 0; i < count; i++)
        r[i] = (struct ptx_register){ name, i, type, vector };
    return name_bind(p, &at, at.start, at.length, SY_range, first, (uint32_t)count);
}

bool parse_registers(struct parser *p)
{
    uint8_t vector = 1;
    uint16_t type = PTX_none;
    if (p->function == PTX_NO)
        return fail(p, "registers are declared within functions only");
    while (p->tok.kind == TK_word) {
        const uint16_t w = token_word(p);
        if ((w == PTX_v2 || w == PTX_v4) && !type)
            vector = w == PTX_v2 ? 2 : 4;
        else if (is_fundamental(w) && !type)
            type = w;
        else
            return fail(p, "'.%.*s' is not a type of a register", TOK_S(&p->tok));
        if (!next_token(p))
            return false;
    }
    if (!type)
        return fail(p, "expected the type of a register");
    if (type == PTX_b128 && p->m->version < 83)
        return fail(p, "registers of type .b128 need PTX ISA 8.3 or later");
    if (!vector_fits(p, type, vector))
        return false;
    do
        if (!one_register(p, type, vector))
            return false;
    while (accept(p, ','));
    return expect(p, ';');
}

/* .attribute(.managed), .attribute(.unified(a, b)): only .managed is kept. */
static bool attribute(struct parser *p, struct ptx_variable *v)
{
    if (!expect(p, '('))
        return false;
    do {
        const uint16_t w = token_word(p);
        if (w != PTX_managed && w != PTX_unified)
            return fail(p, "expected the attribute .managed or .unified");
        v->managed |= w == PTX_managed;
        if (!next_token(p))
            return false;
        if (w == PTX_unified) {
            uint64_t id;
            if (!expect(p, '(') || !parse_integer(p, &id, "an identifier") || !expect(p, ',') ||
                !parse_integer(p, &id, "an identifier") || !expect(p, ')'))
                return false;
        }
    } while (accept(p, ','));
    return expect(p, ')');
}

static bool alignment(struct parser *p, uint32_t *out)
{
    const struct token at = p->tok;
    if (at.kind != TK_number || at.flags & PF_FLOAT)
        return fail(p, "expected an alignment");
    if (!at.value || at.value & (at.value - 1) || at.value > 1u << 20)
        return fail(p, "an alignment must be a power of two");
    *out = (uint32_t)at.value;
    return next_token(p);
}

/* The [] of a declaration; v->unsized is set by an empty first one. */
static bool dimensions(struct parser *p, struct ptx_variable *v)
{
    v->count = 1;
    while (is_punct(p, '[')) {
        const struct token at = p->tok;
        uint64_t n = 0;
        if (!next_token(p))
            return false;
        if (is_punct(p, ']') && !v->dims)
            v->unsized = true;
        else if (!parse_integer(p, &n, "the size of an array"))
            return false;
        else if (!n && v->dims)
            return fail_at(p, &at, "the parts of an array cannot be empty");
        else if (v->count && n > (1ull << 40) / v->count)
            return fail_at(p, &at, "this array is too large");
        else
            v->count *= n;
        if (v->dims < DIMENSIONS)
            p->extents[v->dims] = n;
        if (!expect(p, ']'))
            return false;
        v->dims++;
        if (v->dims > DIMENSIONS)
            return fail_at(p, &at, "an array has at most %d dimensions", DIMENSIONS);
    }
    return true;
}

static bool name_and_size(struct parser *p, struct ptx_variable *v, struct token *at)
{
    *at = p->tok;
    if (at->kind != TK_name)
        return fail(p, "expected a name");
    v->name = stored_name(p, at);
    v->line = at->line;
    v->column = (uint32_t)(at->at - p->line_start) + 1;
    v->reg = PTX_NO;
    v->definition = PTX_NO;
    if (!v->name || !next_token(p) || !dimensions(p, v))
        return false;
    if (!v->align)
        v->align = (uint32_t)variable_bytes(v) ? (uint32_t)variable_bytes(v) : 1;
    v->size = v->unsized ? 0 : v->count * variable_bytes(v);
    return true;
}

/* The words in front of a variable's name. */
static bool variable_words(struct parser *p, struct ptx_variable *v)
{
    v->vector = 1;
    while (p->tok.kind == TK_word && !v->type) {
        const uint16_t w = token_word(p);
        const struct token at = p->tok;
        if (!next_token(p))
            return false;
        if (w == PTX_align && v->vector == 1) {
            if (!alignment(p, &v->align))
                return false;
        } else if (w == PTX_attribute) {
            if (!attribute(p, v))
                return false;
        } else if (w == PTX_v2 || w == PTX_v4) {
            v->vector = w == PTX_v2 ? 2 : 4;
        } else if (is_fundamental(w) || is_opaque(w)) {
            v->type = w;
        } else if (!v->space && ptx_word_class[w] == PC_space) {
            v->space = w;
        } else {
            return fail_at(p, &at, "'.%.*s' is not allowed in a declaration", TOK_S(&at));
        }
    }
    if (!v->type)
        return fail(p, "expected the type of a variable");
    if (v->type == PTX_pred)
        return fail(p, "a variable in memory cannot be .pred");
    return vector_fits(p, v->type, v->vector);
}

/* Textures, samplers and surfaces are .global variables of the module, or parameters of an .entry; samplers are for the
 * independent texture mode. PTX ISA, "Texture Sampler and Surface Types". */
static bool opaque_allowed(struct parser *p, uint16_t type, bool there)
{
    if (!is_opaque(type))
        return true;
    if (!there)
        return fail(p, "a .%s must be a .global variable of the module or a parameter of an .entry",
                    ptx_word_text[type]);
    return type != PTX_samplerref || p->m->texmode_independent ||
           fail(p, "a .samplerref needs the target's option texmode_independent");
}

static bool space_allows(struct parser *p, const struct ptx_variable *v)
{
    const bool inside = p->function != PTX_NO;

    if (inside && v->linkage != PL_local)
        return fail(p, "linkage is for variables of the module");
    if (!opaque_allowed(p, v->type, !inside && v->space == PTX_global))
        return false;
    if (v->linkage == PL_common && v->space != PTX_global)
        return fail(p, "a .common variable must be .global");
    switch (v->space) {
    case PTX_global:
    case PTX_const:
    case PTX_shared: return true;
    case PTX_local: return inside || fail(p, "a .local variable is allowed within a function only");
    case PTX_param:
        if (inside && (v->vector > 1 || v->type == PTX_f16x2))
            return fail(p, "a .param variable cannot be a vector or .f16x2");
        return inside || fail(p, "a .param variable is allowed within a function only");
    case PTX_tex: return p->m->version < 15 || fail(p, "the space .tex is not supported since PTX ISA 1.5");
    default: return fail(p, "expected the space of a variable before its type");
    }
}

/* An earlier declaration of a module-scope name that this one repeats or defines. */
static bool redeclare(struct parser *p, const struct token *at, uint32_t index, bool *known)
{
    uint32_t number;
    const struct binding *b = name_find(p, at->start, at->length, &number);
    *known = false;
    if (!b || b->scope != p->scope || p->scope || b->kind != SY_variable)
        return true;
    struct ptx_variable *old = variable_at(p, b->index);
    const struct ptx_variable *v = variable_at(p, index);
    if (old->linkage != PL_extern && v->linkage != PL_extern)
        return true; /* name_bind reports it */
    if (old->space != v->space || old->type != v->type || old->vector != v->vector ||
        (!old->unsized && !v->unsized && old->size != v->size))
        return fail_at(p, at, "'%.*s' was declared differently on line %u", TOK_S(at), old->line);
    if (v->linkage != PL_extern)
        old->definition = index;
    else
        variable_at(p, index)->definition = b->index;
    *known = true;
    return true;
}

bool parse_variable(struct parser *p, uint8_t linkage)
{
    struct ptx_variable common = { .linkage = linkage, .function = p->function };
    if (!variable_words(p, &common) || !space_allows(p, &common))
        return false;
    do {
        struct ptx_variable v = common;
        struct token at;
        bool known;
        if (!name_and_size(p, &v, &at))
            return false;
        if (v.space == PTX_param && v.align > 128)
            return fail_at(p, &at, "a .param variable is aligned to 128 bytes at most");
        if (v.dims && !v.unsized && !v.size && linkage != PL_extern)
            return fail_at(p, &at, "an array without elements must be .extern");
        if (p->function == PTX_NO && special_find(at.start, at.length))
            return fail_at(p, &at, "'%.*s' is a special register", TOK_S(&at));
        struct ptx_variable *out = vec_add(p->arena, &p->variables, 1);
        if (!out)
            return fail_memory(p);
        *out = v;
        const uint32_t index = p->variables.count - 1;
        if (!redeclare(p, &at, index, &known) ||
            (!known && !name_bind(p, &at, at.start, at.length, SY_variable, index, 1)))
            return false;
        if (is_punct(p, '=')) {
            if (v.space != PTX_global && v.space != PTX_const)
                return fail(p, "only .global and .const variables can have initial values");
            if (linkage == PL_extern || linkage == PL_common)
                return fail(p, "an .extern or .common variable cannot have an initial value");
            if (!next_token(p) || !parse_initialiser(p, index))
                return false;
        } else if (v.unsized && linkage != PL_extern) {
            return fail_at(p, &at, "an array without a size must be .extern or have an initial value");
        }
        if (p->function != PTX_NO && (v.space == PTX_local || v.space == PTX_param)) {
            struct ptx_function *f = function_at(p, p->function);
            uint64_t *bytes = v.space == PTX_local ? &f->local_bytes : &p->frame;
            struct ptx_variable *w = variable_at(p, index);
            w->offset = (*bytes + v.align - 1) / v.align * v.align;
            *bytes = w->offset + w->size;
            if (p->frame > f->frame_bytes)
                f->frame_bytes = p->frame;
        }
    } while (accept(p, ','));
    return expect(p, ';');
}

/* What follows .ptr of a kernel's parameter: [.space] [.align N] */
static bool pointer(struct parser *p, struct ptx_variable *v)
{
    v->pointer_space = PTX_generic;
    if (p->tok.kind == TK_word && ptx_word_class[token_word(p)] == PC_space) {
        v->pointer_space = token_word(p);
        if (!next_token(p))
            return false;
    }
    return !take_word(p, PTX_align) || alignment(p, &v->pointer_align);
}

static bool one_parameter(struct parser *p, bool entry, bool bind)
{
    struct ptx_variable v = { .function = bind ? p->function : PTX_NO, .vector = 1 };
    const struct token first = p->tok;
    while (p->tok.kind == TK_word) {
        const uint16_t w = token_word(p);
        const struct token at = p->tok;
        if (!next_token(p))
            return false;
        if (w == PTX_align) {
            if (!alignment(p, &v.align))
                return false;
        } else if (w == PTX_ptr) {
            if (!entry)
                return fail_at(p, &at, ".ptr is allowed on parameters of an .entry only");
            if (!pointer(p, &v))
                return false;
        } else if ((w == PTX_v2 || w == PTX_v4) && v.space == PTX_reg && !v.type) {
            v.vector = w == PTX_v2 ? 2 : 4;
        } else if ((is_fundamental(w) || is_opaque(w)) && !v.type) {
            v.type = w;
        } else if ((w == PTX_param || (w == PTX_reg && !entry)) && !v.space) {
            v.space = w;
        } else {
            return fail_at(p, &at, "'.%.*s' is not allowed in a parameter", TOK_S(&at));
        }
    }
    if (!v.space || !v.type)
        return fail_at(p, &first, "expected a parameter: .param, its type and its name");
    if (!vector_fits(p, v.type, v.vector) || !opaque_allowed(p, v.type, entry))
        return false;
    if (v.space == PTX_param && (v.type == PTX_f16x2 || v.type == PTX_pred))
        return fail_at(p, &first, "a .param variable cannot be %s", v.type == PTX_pred ? ".pred" : ".f16x2");
    struct token at = p->tok;
    if (!name_and_size(p, &v, &at))
        return false;
    if (bind && !entry && !strcmp(v.name, "_"))
        return fail_at(p, &at, "'_' is not a name");
    if (v.dims && !v.size && entry)
        return fail_at(p, &at, "a parameter of an .entry cannot be an array without a size");
    if (v.space == PTX_reg && bind) {
        if (v.dims)
            return fail_at(p, &at, "a parameter in .reg space cannot be an array");
        v.reg = add_register(p, v.name, PTX_NO, v.type, v.vector);
        if (v.reg == PTX_NO)
            return false;
    }
    struct ptx_variable *out = vec_add(p->arena, &p->variables, 1);
    if (!out)
        return fail_memory(p);
    *out = v;
    return true;
}

bool bind_parameters(struct parser *p, const struct token *at, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count; i++) {
        const struct ptx_variable v = *variable_at(p, i);
        const bool reg = v.space == PTX_reg;
        if (strcmp(v.name, "_") &&
            !name_bind(p, at, v.name, strlen(v.name), reg ? SY_register : SY_variable, reg ? v.reg : i, 1))
            return false;
    }
    return true;
}

bool parse_parameters(struct parser *p, bool entry, bool bind, uint32_t *first, uint32_t *count)
{
    *first = p->variables.count;
    if (!expect(p, '('))
        return false;
    if (!is_punct(p, ')'))
        do
            if (!one_parameter(p, entry, bind))
                return false;
        while (accept(p, ','));
    *count = p->variables.count - *first;
    return expect(p, ')');
}

/* Gives the parameters their offsets: each at the next multiple of its alignment. Returns the bytes of all. */
uint64_t lay_out(struct parser *p, uint32_t first, uint32_t count)
{
    uint64_t bytes = 0;
    for (uint32_t i = first; i < first + count; i++) {
        struct ptx_variable *v = variable_at(p, i);
        if (v->space != PTX_param)
            continue;
        v->offset = (bytes + v->align - 1) / v->align * v->align;
        bytes = v->offset + v->size;
    }
    return bytes;
}
// SPDX-License-Identifier: Apache-2.0
