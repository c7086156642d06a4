/* Initial values of variables. PTX ISA, "Initializers": nested lists, addresses, generic(), masks of addresses. */
#include <string.h>

#include "harness/emu/ptx/parser.h"

enum { NESTED = 20 };

struct target { /* the variable that is being filled */
    uint32_t variable;
    uint16_t type;
    unsigned size;        /* of a scalar, bytes */
    uint64_t next, limit; /* the scalar to fill next, and how many there are (0: as many as are given) */
};

uint64_t variable_bytes(const struct ptx_variable *v)
{
    return (uint64_t)ptx_type_size(v->type) * v->vector;
}

static bool put(struct parser *p, struct target *t, const void *value)
{
    const uint64_t at = t->next * t->size;
    if (t->limit && t->next >= t->limit)
        return fail(p, "there are more initial values than elements");
    if (at + t->size > UINT32_MAX / 2)
        return fail_memory(p);
    if (at + t->size > p->bytes.count && !vec_add(p->scratch, &p->bytes, (uint32_t)(at + t->size - p->bytes.count)))
        return fail_memory(p);
    memcpy((unsigned char *)p->bytes.data + at, value, t->size);
    t->next++;
    return true;
}

static bool put_constant(struct parser *p, struct target *t, const struct token *at, const struct constant *c)
{
    const bool want = t->type == PTX_f32 || t->type == PTX_f64 || t->type == PTX_f16 || t->type == PTX_bf16;
    uint64_t bits = c->bits;
    if (want != ((c->flags & PF_FLOAT) != 0))
        return fail_at(p, at, "the initial value of a .%s cannot be %s", ptx_word_text[t->type],
                       want ? "an integer" : "a floating-point constant");
    if (want && t->type == PTX_f32 && !(c->flags & PF_SINGLE)) {
        const float f = (float)constant_double(c);
        uint32_t b;
        memcpy(&b, &f, 4);
        bits = b;
    } else if (want && t->type == PTX_f64 && (c->flags & PF_SINGLE)) {
        const double d = constant_double(c);
        memcpy(&bits, &d, 8);
    } else if (want && t->size == 2) {
        return fail_at(p, at, "variables of type .%s cannot have an initial value in PTX", ptx_word_text[t->type]);
    }
    const uint64_t both[2] = { bits, !want && !(c->flags & PF_UNSIGNED) && (int64_t)bits < 0 ? UINT64_MAX : 0 };
    return put(p, t, both);
}

/* symbol [+ constant]; `mask` selects a byte of the address, 0 means the whole. */
static bool address(struct parser *p, struct target *t, uint64_t mask, bool generic)
{
    const struct token at = p->tok;
    uint32_t number;
    const struct binding *b = at.kind == TK_name ? name_find(p, at.start, at.length, &number) : NULL;
    struct ptx_reloc r = { .offset = t->next * t->size, .size = (uint8_t)t->size, .generic = generic };

    if (!b || (b->kind != SY_variable && b->kind != SY_function))
        return at.kind == TK_name ? fail(p, "'%.*s' is not a variable or function", TOK_S(&at))
                                  : fail(p, "expected an initial value, not '%.*s'", TOK_S(&at));
    r.symbol = b->index;
    r.is_function = b->kind == SY_function;
    if (!r.is_function) {
        const uint16_t space = variable_at(p, b->index)->space;
        if (space != PTX_global && space != PTX_const)
            return fail(p, "only addresses of .global and .const variables can be initial values");
    }
    if (!next_token(p) || (generic && !expect(p, ')')))
        return false;
    if (accept(p, '+')) {
        struct constant c = { 0 };
        if (r.is_function)
            return fail_at(p, &at, "an address within a function cannot be an initial value");
        if (!parse_product(p, &c))
            return false;
        if (c.flags & PF_FLOAT)
            return fail_at(p, &at, "an offset must be an integer");
        r.addend = (int64_t)c.bits;
    }
    if (mask) {
        for (; !(mask & 1); mask >>= 1)
            r.shift++;
        if (r.shift % 8 || mask != 0xFF)
            return fail_at(p, &at, "a mask selects one byte: 0xFF, 0xFF00, ...");
        if (t->type != PTX_u8)
            return fail_at(p, &at, "a mask is allowed for variables of type .u8 only");
    } else if (t->type != PTX_u32 && t->type != PTX_u64) {
        return fail_at(p, &at, "an address does not fit a .%s: it is a .u32 or .u64", ptx_word_text[t->type]);
    }
    struct ptx_reloc *out = vec_add(p->arena, &p->relocs, 1);
    if (!out)
        return fail_memory(p);
    *out = r;
    variable_at(p, t->variable)->n_relocs++;
    const uint64_t zero[2] = { 0, 0 };
    return put(p, t, zero);
}

static bool scalar(struct parser *p, struct target *t)
{
    const struct token at = p->tok;
    if (token_is(p, "generic"))
        return next_token(p) && expect(p, '(') && address(p, t, 0, true);
    if (p->tok.kind == TK_name && !token_is(p, "WARP_SZ"))
        return address(p, t, 0, false);
    struct constant c = { 0 };
    if (!parse_constant(p, &c))
        return false;
    if (!is_punct(p, '('))
        return put_constant(p, t, &at, &c);
    if (c.flags & PF_FLOAT || !c.bits)
        return fail_at(p, &at, "a mask selects one byte: 0xFF, 0xFF00, ...");
    if (!next_token(p))
        return false;
    bool generic = token_is(p, "generic");
    if (generic && (!next_token(p) || !expect(p, '(')))
        return false;
    return address(p, t, c.bits, generic) && expect(p, ')');
}

/* A braced list. strides[0] is how many scalars it has room for (0: any number), strides[1] those of each list in it,
 * and so on for `levels` levels. Missing elements stay zero. */
static bool list(struct parser *p, struct target *t, const uint64_t *strides, uint32_t levels, bool vector,
                 unsigned depth)
{
    if (depth > NESTED)
        return fail(p, "this initial value is nested too deep");
    const uint64_t start = t->next;
    const uint64_t whole = strides[0], part = levels > 1 ? strides[1] : 1;
    uint64_t n = 0;
    if (!expect(p, '{'))
        return false;
    if (is_punct(p, '}'))
        return next_token(p);
    do {
        if (is_punct(p, '}'))
            break;
        if (whole && n >= whole)
            return fail(p, "there are more initial values than elements");
        if (is_punct(p, '{')) {
            if (levels < 2)
                return fail(p, "this initial value is nested too deep for its variable");
            if (!list(p, t, strides + 1, levels - 1, vector, depth + 1))
                return false;
            n += part;
            t->next = start + n;
        } else {
            if (levels > 1 && vector && levels == 2)
                return fail(p, "an element of vector type needs a list of its own");
            if (!scalar(p, t))
                return false;
            n++;
        }
    } while (accept(p, ','));
    if (levels == 1 && vector && n != whole)
        return fail(p, "a vector needs as many initial values as it has elements");
    return expect(p, '}');
}

/* The fields that an initial value may give, by type. PTX ISA, "Texture Sampler and Surface Types"; the last three of a
 * texture and those of a sampler that a texture has are what ptxas takes besides. */
static const struct {
    const char *name;
    bool texture, sampler, surface;
} field_names[] = {
    { "width", true, false, true },
    { "height", true, false, true },
    { "depth", true, false, true },
    { "channel_data_type", true, false, true },
    { "channel_order", true, false, true },
    { "normalized_coords", true, false, false },
    { "force_unnormalized_coords", false, true, false },
    { "filter_mode", true, true, false },
    { "addr_mode_0", true, true, false },
    { "addr_mode_1", true, true, false },
    { "addr_mode_2", true, true, false },
    { "array_size", true, false, true },
    { "memory_layout", false, false, true },
    { "num_mipmap_levels", true, false, false },
    { "num_samples", true, false, false },
};

static bool field_name(struct parser *p, uint16_t type)
{
    for (size_t i = 0; i < sizeof field_names / sizeof *field_names; i++)
        if (token_is(p, field_names[i].name) && (type == PTX_texref       ? field_names[i].texture
                                                 : type == PTX_samplerref ? field_names[i].sampler
                                                                          : field_names[i].surface))
            return next_token(p);
    return fail(p, p->tok.kind == TK_name ? "a .%s has no field '%.*s'" : "expected a field of a .%s, not '%.*s'",
                ptx_word_text[type], TOK_S(&p->tok));
}

static bool field_value(struct parser *p)
{
    static const char *const modes[] = { "wrap",    "mirror", "clamp_ogl", "clamp_to_edge", "clamp_to_border",
                                         "nearest", "linear" };
    struct constant ignored;

    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (token_is(p, modes[i]))
            return next_token(p);
    if (p->tok.kind == TK_name)
        return fail(p, "'%.*s' is no value of a field", TOK_S(&p->tok));
    return parse_constant(p, &ignored);
}

/* { field = value, ... } of a texture, sampler or surface, or a list of such for an array. Nobody asks for the values:
 * the host sets what a kernel sees. */
static bool fields(struct parser *p, uint16_t type, uint32_t levels)
{
    if (!expect(p, '{'))
        return false;
    if (accept(p, '}'))
        return true;
    do {
        if (levels && is_punct(p, '{')) {
            if (!fields(p, type, levels - 1))
                return false;
        } else if (!field_name(p, type) || !expect(p, '=') || !field_value(p)) {
            return false;
        }
    } while (accept(p, ','));
    return expect(p, '}');
}

bool parse_initialiser(struct parser *p, uint32_t variable)
{
    struct ptx_variable *v = variable_at(p, variable);
    struct target t = { .variable = variable, .type = v->type, .size = ptx_type_size(v->type) };
    const bool vector = v->vector > 1, brackets = v->dims || vector;

    p->bytes.count = 0;
    v->has_init = true;
    v->relocs = p->relocs.count;
    if (v->type == PTX_texref || v->type == PTX_samplerref || v->type == PTX_surfref)
        return fields(p, v->type, v->dims);
    t.limit = v->unsized ? 0 : v->count * v->vector;
    if (brackets != is_punct(p, '{'))
        return fail(p, brackets ? "an array or vector needs a list of initial values"
                                : "a scalar cannot have a list of initial values");
    if (brackets) {
        uint64_t all[NESTED] = { 0 }; /* scalars in a list of each level */
        uint32_t n = 0;
        for (uint32_t d = 0; d < v->dims && n < NESTED - 1; d++) {
            uint64_t scalars = v->vector;
            for (uint32_t e = d; e < v->dims; e++)
                scalars *= v->unsized && e == 0 ? 1 : p->extents[e];
            all[n] = v->unsized && d == 0 ? 0 : scalars;
            n++;
        }
        if (vector) {
            all[n] = v->vector;
            n++;
        }
        if (!list(p, &t, all, n, vector, 0))
            return false;
    } else if (!scalar(p, &t)) {
        return false;
    }
    v = variable_at(p, variable);
    if (v->unsized) {
        v->count = (p->bytes.count / t.size + v->vector - 1) / v->vector;
        uint64_t inner = 1;
        for (uint32_t e = 1; e < v->dims; e++)
            inner *= p->extents[e];
        if (inner)
            v->count = (v->count + inner - 1) / inner * inner;
        v->size = v->count * variable_bytes(v);
        v->unsized = false;
        if (!v->size)
            return fail(p, "an array without a size needs an initial value for an element");
    }
    unsigned char *bytes = arena_alloc(p->arena, p->bytes.count ? p->bytes.count : 1, 16);
    if (!bytes)
        return fail_memory(p);
    if (p->bytes.count)
        memcpy(bytes, p->bytes.data, p->bytes.count);
    v->init = bytes;
    v->init_bytes = p->bytes.count;
    return true;
}
// SPDX-License-Identifier: Apache-2.0
