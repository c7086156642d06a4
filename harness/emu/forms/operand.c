/* Operands compared with what a form asks for. */
#include "harness/emu/forms/operand.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/emu/forms/fits.h"
#include "harness/emu/forms/lax.h"
#include "harness/emu/forms/texture.h"

static uint16_t type_of(const struct form_candidate *c, const struct spec *s)
{
    return s->type >= TYPE_OF ? c->i->type[s->type - TYPE_OF] : s->type;
}

/* "operand 3 of 'cp.async'" */
static const char *place(const struct form_candidate *c, unsigned k, char *out, size_t size)
{
    snprintf(out, size, "operand %u of '%s'", k + 1, ptx_op_text[c->i->op]);
    return out;
}

static bool wrong(struct form_candidate *c, const struct ptx_operand *o, unsigned k, const char *what)
{
    char where[100];
    return form_fail(c, o, "%s must be %s", place(c, k, where, sizeof where), what);
}

/* %tid, %ctaid and similar registers once had 16 bits: mov and cvt still read them so. */
static bool is_half_special(const struct ptx_operand *o, uint16_t type)
{
    return o->kind == PO_special && ptx_specials[o->reg].vector && o->component && strchr("xyzw", o->component) &&
           !(o->flags & (PF_NOT | PF_NEGATE)) && ptx_type_size(type) == 2;
}

static bool value(struct form_candidate *c, const struct ptx_operand *o, unsigned k, uint16_t type, bool wider,
                  bool immediate, bool sink)
{
    char what[100];
    if (sink && o->kind == PO_sink)
        return true;
    if (form_is_register(c, o, type, wider))
        return true;
    if (immediate && o->kind == PO_immediate && form_immediate_fits(o, type))
        return true;
    if (c->i->op == OP_cvt && is_half_special(o, type))
        return true;
    snprintf(what, sizeof what, "a register%s for .%s%s", immediate ? " or constant" : "", ptx_word_text[type],
             sink ? ", or _" : "");
    return wrong(c, o, k, what);
}

static bool predicate(struct form_candidate *c, const struct ptx_operand *o, unsigned k, bool negated)
{
    if (o->kind == PO_register && !o->component && form_register(c, o->reg)->type == PTX_pred &&
        !(o->flags & PF_NEGATE) && (negated || !(o->flags & PF_NOT)))
        return true;
    if (negated && o->kind == PO_immediate && !(o->flags & PF_FLOAT)) /* 0 or not 0 */
        return true;
    return wrong(c, o, k, "a predicate");
}

static bool is_predicate(const struct form_candidate *c, uint32_t index)
{
    return index == PTX_NO || form_register(c, index)->type == PTX_pred;
}

/* destination|predicate */
static bool pair(struct form_candidate *c, const struct spec *s, const struct ptx_operand *o, unsigned k)
{
    const uint16_t type = type_of(c, s);
    if (o->kind == PO_pair) {
        if (s->kind == 'X' ? o->second == PTX_NO : o->reg == PTX_NO)
            return wrong(c, o, k, "a register and a predicate, as r|p");
        if (!is_predicate(c, o->second) ||
            (o->reg != PTX_NO && !form_register_fits(form_register(c, o->reg), type, s->wider)))
            return wrong(c, o, k, "a register and a predicate, as r|p");
        return true;
    }
    if (s->kind == 'X')
        return wrong(c, o, k, "a register and a predicate, as r|p");
    return value(c, o, k, type, s->wider, false, false);
}

static bool predicates(struct form_candidate *c, const struct ptx_operand *o, unsigned k)
{
    if (o->kind == PO_pair) {
        if (is_predicate(c, o->reg) && is_predicate(c, o->second) && (o->reg != PTX_NO || o->second != PTX_NO))
            return true;
        return wrong(c, o, k, "a predicate or two, as p|q");
    }
    return o->kind == PO_sink || predicate(c, o, k, false);
}

/* Whether v is in the LIST of an i: alternatives separated by '/': N, LO..HI, LO..HI*STEP. */
static bool in_list(const char *list, size_t length, int64_t v)
{
    const char *c = list, *const end = list + length;
    if (!length)
        return true;
    while (c < end) {
        char *next;
        const int64_t low = strtoll(c, &next, 10);
        int64_t high = low, step = 1;
        if (next + 1 < end && next[0] == '.')
            high = strtoll(next + 2, &next, 10);
        if (next + 1 < end && next[0] == '*')
            step = strtoll(next + 1, &next, 10);
        if (v >= low && v <= high && v % step == 0)
            return true;
        c = next + 1;
    }
    return false;
}

static bool immediate(struct form_candidate *c, const struct spec *s, const struct ptx_operand *o, unsigned k)
{
    char what[120], where[100];
    if (o->kind != PO_immediate || o->flags & PF_FLOAT)
        return wrong(c, o, k, "an integer constant");
    /* Of a constant for a 32-bit operand only the low half counts. */
    if (s->kind == 'I' && o->value >> 32 && (int64_t)o->value > 0) {
        struct ptx_operand low = *o;
        low.value &= UINT32_MAX;
        low.flags &= (uint16_t)~PF_UNSIGNED;
        return immediate(c, s, &low, k);
    }
    if ((!(o->flags & PF_UNSIGNED) || o->value <= INT64_MAX) && in_list(s->detail, s->length, (int64_t)o->value))
        return true;
    if (!s->length)
        return true;
    c->now.fault = FAULT_VALUE;
    int n = snprintf(what, sizeof what, "%.*s", (int)s->length, s->detail);
    for (int j = 0; j < n; j++)
        if (what[j] == '/')
            what[j] = ' ';
    return form_fail(c, o, "%s is %lld, it must be one of %s", place(c, k, where, sizeof where), (long long)o->value,
                     what);
}

static char space_letter(uint16_t space)
{
    switch (space) {
    case PTX_global: return 'g';
    case PTX_shared:
    case PTX_shared_cta:
    case PTX_shared_cluster: return 's';
    case PTX_const: return 'c';
    case PTX_local: return 'l';
    case PTX_param:
    case PTX_param_entry:
    case PTX_param_func: return 'p';
    default: return 0;
    }
}

/* Where an address of a specification may point to. */
struct pointed {
    char letters[8]; /* the spaces that a variable may be in */
    uint16_t space;  /* the instruction's, or PTX_none */
    bool whole;      /* a generic or global address, which takes the module's full address size */
};

static struct pointed pointed_to(const struct form_candidate *c, const struct spec *s)
{
    /* what a generic address may point to; an atomic operation, to what threads share */
    struct pointed to = { .letters = "gsl" };
    const bool named = c->i->space[0] != PTX_none;

    if (c->i->op == OP_atom)
        to.letters[2] = 0;
    if (s->length == 2 && s->detail[0] == 'S') {
        to.space = c->i->space[s->detail[1] - '0'];
        const char letter = space_letter(to.space);
        to.whole = to.space == PTX_none || letter == 'g';
        if (letter)
            snprintf(to.letters, sizeof to.letters, "%c", letter);
    } else if (s->length) {
        const bool generic = *s->detail == 'G';
        snprintf(to.letters, sizeof to.letters, "%.*s", (int)s->length - generic, s->detail + generic);
        to.whole = *to.letters == 'g' || (generic && !named);
    }
    return to;
}

/* A register that holds an address: an integer or untyped one, as wide as an address. Within shared, constant, local
 * and parameter space 32 bits are enough. PTX ISA, "Addresses as Operands". */
static bool holds_address(struct form_candidate *c, const struct pointed *to, const struct ptx_operand *o, unsigned k)
{
    const struct ptx_register *r = form_register(c, o->reg);
    const enum form_kind kind = form_kind_of(r->type);
    const unsigned bytes = ptx_type_size(r->type);

    if (o->component || (kind != FIT_INTEGER && kind != FIT_BITS) || r->vector != 1 || bytes > 8)
        return wrong(c, o, k, "an address in an integer or untyped register");
    if (tolower(*to->letters) == 't' && (bytes != 4 || (*to->letters == 'T' && kind != FIT_BITS)))
        return wrong(c, o, k,
                     *to->letters == 'T' ? "an address in tensor memory, in a register of type .b32"
                                         : "an address in tensor memory, in a register of 32 bits");
    if (bytes < 4)
        return form_lax(c, LAX_NARROW_ADDRESS, k) || wrong(c, o, k, "an address in a register of 32 or 64 bits");
    if (to->whole && bytes * 8 < c->m->address_size)
        return form_lax(c, LAX_SHORT_ADDRESS, k) ||
               wrong(c, o, k, "a generic or global address in a register of 64 bits");
    return true;
}

/* Whether an address may be based on this operand's variable or register. */
static bool based(struct form_candidate *c, const struct spec *s, const struct ptx_operand *o, unsigned k)
{
    const struct pointed to = pointed_to(c, s);

    if (o->flags & PF_BASE_REGISTER)
        return holds_address(c, &to, o, k);
    if (o->flags & PF_BASE_VARIABLE) {
        const struct ptx_variable *v = &c->m->variables[o->symbol];
        const bool opaque = form_is_opaque(v->type), there = strchr(to.letters, space_letter(v->space));
        const enum ptx_laxity laxity = opaque                                  ? LAX_OPAQUE
                                       : strchr("gsl", space_letter(v->space)) ? LAX_SPACE
                                                                               : LAX_PARAM;
        if ((opaque || !there) && form_lax(c, laxity, k))
            return true;
        if (!there)
            return form_fail(c, o, "'%s' is in .%s, and '%s' takes no address there", v->name, ptx_word_text[v->space],
                             ptx_op_text[c->i->op]);
        if (opaque)
            return form_fail(c, o, "'%s' is a .%s, which has no address in memory", v->name, ptx_word_text[v->type]);
        return true;
    }
    if (to.space != PTX_local)
        return wrong(c, o, k, "based on a register or a variable: only .local addresses may be constants");
    return true;
}

static bool address(struct form_candidate *c, const struct spec *s, const struct ptx_operand *o, unsigned k)
{
    if (o->kind != PO_address)
        return wrong(c, o, k, "an address in brackets");
    return based(c, s, o, k);
}

/* The address of a variable, taken. */
static bool taken(struct form_candidate *c, const struct ptx_operand *o)
{
    return !form_is_argument(c, o->symbol) ||
           form_fail(c, o, "'%s' is an argument of calls, which has no address", c->m->variables[o->symbol].name);
}

/* An address as a value: as in cvta, mapa. A register has the width of the instruction's type, if that has one. */
static bool address_value(struct form_candidate *c, const struct spec *s, const struct ptx_operand *o, unsigned k)
{
    struct ptx_operand as = *o;

    if (o->kind == PO_register && c->i->type[0])
        return value(c, o, k, c->i->type[0], false, false, false);
    if (o->kind == PO_register && !(o->flags & (PF_NOT | PF_NEGATE)))
        as.flags |= PF_BASE_REGISTER;
    else if (o->kind == PO_variable)
        as.flags |= PF_BASE_VARIABLE;
    else if (o->kind == PO_immediate && !(o->flags & PF_FLOAT))
        return true;
    else
        return wrong(c, o, k, "an address in a register, or a variable");
    return (o->kind != PO_variable || taken(c, o)) && based(c, s, &as, k);
}

/* A vector of `count` elements, of a kind of the letters of form.h: v, V, y. */
static bool vector(struct form_candidate *c, const struct ptx_operand *o, unsigned k, unsigned count, uint16_t type,
                   bool wider, char kind)
{
    char what[100];
    const bool tensor_memory = strncmp(ptx_op_text[c->i->op], "tcgen05", 7) == 0; /* it takes no vector register */
    if (o->kind == PO_register && count == form_register(c, o->reg)->vector && count > 1 && !o->component &&
        !tensor_memory) {
        struct ptx_register part = *form_register(c, o->reg);
        part.vector = 1;
        if (form_register_fits(&part, type, wider))
            return true;
    }
    if (o->kind != PO_vector || o->count != count) {
        snprintf(what, sizeof what, "a vector of %u elements", count);
        return wrong(c, o, k, what);
    }
    if (o->flags & PF_RESIDENT && !is_predicate(c, (uint32_t)o->value))
        return wrong(c, o, k, "a vector and a predicate, as {a, b}|p");
    for (uint32_t j = 0; j < o->count; j++) {
        const struct ptx_operand *e = &c->m->operands[o->first + j];
        if (!value(c, e, k, type, wider, kind == 'v', kind == 'V') &&
            ((kind == 'y' && !k) || !form_lax_element(c, o, e, k, type, kind != 'V')))
            return false;
    }
    return form_alike(c, o, k);
}

static bool tensor(struct form_candidate *c, const struct ptx_operand *o, unsigned k)
{
    static const struct spec map = { .kind = 'a', .detail = "g", .length = 1 };
    unsigned n = 0;
    if (o->kind != PO_tensor || o->count != 2)
        return wrong(c, o, k, "[tensor map, {coordinates}]");
    const struct ptx_operand *in = &c->m->operands[o->first];
    if (!based(c, &map, &in[0], k))
        return false;
    for (unsigned d = 1; d <= 5; d++)
        if (form_has(c, (uint16_t)(PTX_n1d + d - 1)))
            n = d;
    if (form_has(c, PTX_tile_gather4) || form_has(c, PTX_tile_scatter4))
        n = 5;
    return vector(c, &in[1], k, n, PTX_s32, false, 'v');
}

/* mov: registers, constants, addresses, special registers; vectors have a form of their own. */
static bool mov_source(struct form_candidate *c, const struct ptx_operand *o, unsigned k)
{
    const uint16_t type = c->i->type[0];
    if (o->kind == PO_special) {
        const struct ptx_special_info *s = &ptx_specials[o->reg];
        if (o->flags & (PF_NOT | PF_NEGATE))
            return wrong(c, o, k, "a special register");
        if (s->vector != (o->component != 0) || (o->component && !strchr("xyzw", o->component)))
            return form_fail(c, o, "'%s' %s", s->text, s->vector ? "needs .x, .y or .z" : "has no components");
        if (s->version > c->m->version)
            return form_fail(c, o, "'%s' needs PTX ISA %d.%d or later", s->text, s->version / 10, s->version % 10);
        if (s->target > c->m->sm)
            return form_fail(c, o, "'%s' needs the target sm_%d or higher", s->text, s->target);
        struct ptx_register r = { .type = s->type, .vector = 1 };
        if (form_register_fits(&r, type, false))
            return true;
        if (is_half_special(o, type))
            return true;
        return form_fail(c, o, "'%s' is a .%s, not a .%s", s->text, ptx_word_text[s->type], ptx_word_text[type]);
    }
    if (o->kind == PO_variable || o->kind == PO_function) {
        if (form_kind_of(type) == FIT_FLOAT || type == PTX_pred)
            return wrong(c, o, k, "a value, not an address: the type is not an integer");
        if (o->kind == PO_variable && form_is_opaque(c->m->variables[o->symbol].type) && ptx_type_size(type) != 8)
            return wrong(c, o, k, "of 64 bits: the handle of a texture or surface");
        return o->kind == PO_function || taken(c, o);
    }
    return value(c, o, k, type, false, true, false);
}

/* A constant of a row's own 16-bit type, a mask of CTAs or bytes, is held to its range. Those of an instruction's type
 * may have more bits. */
static bool in_width(struct form_candidate *c, const struct spec *s, const struct ptx_operand *o, unsigned k)
{
    char where[100];

    if (s->type != PTX_u16 || o->kind != PO_immediate || o->value <= UINT16_MAX)
        return true;
    c->now.fault = FAULT_VALUE;
    return form_fail(c, o, "%s is %lld, it must be 0..65535", place(c, k, where, sizeof where), (long long)o->value);
}

/* A register of more bits, which ptxas takes with some instructions. */
static bool wider(struct form_candidate *c, const struct ptx_operand *o, unsigned k, uint16_t type)
{
    return c->lenient && form_is_register(c, o, type, true) && form_lax(c, LAX_WIDE, k);
}

/* One value, or a vector of them by .v2, .v4 and .v8. */
static bool wide(struct form_candidate *c, const struct spec *s, const struct ptx_operand *o, unsigned k)
{
    const uint16_t type = type_of(c, s);
    const bool source = s->kind == 'w';

    const bool one = o->kind != PO_vector && !(o->kind == PO_register && form_register(c, o->reg)->vector > 1);
    if (c->i->vector > 1)
        return vector(c, o, k, c->i->vector, type, s->wider, source ? 'v' : 'V') ||
               (source && c->lenient && one &&
                (value(c, o, k, type, true, true, false) || form_lax_source(c, o, k, type, true, true)) &&
                form_lax(c, LAX_SCALAR, k));
    if (value(c, o, k, type, s->wider, source, false))
        return true;
    return source ? form_lax_source(c, o, k, type, true, true) || wider(c, o, k, type)
                  : form_lax_vector(c, o, k, type, false);
}

/* Operand k against its specification. */
static bool operand_fits(struct form_candidate *c, const struct spec *s, const struct ptx_operand *o, unsigned k)
{
    switch (s->kind) {
    case 'd': return value(c, o, k, type_of(c, s), s->wider, false, false);
    case 'D': return value(c, o, k, type_of(c, s), s->wider, false, true);
    case 's':
        return (value(c, o, k, type_of(c, s), s->wider, true, false) ||
                form_lax_source(c, o, k, type_of(c, s), true, s->type >= TYPE_OF) || wider(c, o, k, type_of(c, s))) &&
               in_width(c, s, o, k);
    case 'r':
        return value(c, o, k, type_of(c, s), s->wider, false, false) ||
               form_lax_source(c, o, k, type_of(c, s), false, s->type >= TYPE_OF);
    case 'x':
    case 'X': return pair(c, s, o, k);
    case 'p': return predicate(c, o, k, true);
    case 'P': return o->kind == PO_immediate ? wrong(c, o, k, "a predicate") : predicate(c, o, k, true);
    case 'n':
    case 'q': return predicate(c, o, k, false);
    case 'Q': return predicates(c, o, k);
    case 'i': return immediate(c, s, o, k);
    case 'I':
    case 'J': /* or a register */
        return o->kind == PO_immediate && !(o->flags & PF_FLOAT)
                   ? immediate(c, s, o, k)
                   : value(c, o, k, PTX_u32, false, true, false) || form_lax_source(c, o, k, PTX_u32, true, false);
    case 'o': return o->kind == PO_sink || wrong(c, o, k, "_");
    case 'a': return address(c, s, o, k);
    case 'A': return address_value(c, s, o, k);
    case 'v':
    case 'V':
    case 'y': return vector(c, o, k, s->count, type_of(c, s), s->wider, s->kind);
    case 'w':
    case 'W': return wide(c, s, o, k);
    case 't': return tensor(c, o, k);
    case 'c': return form_texel(c, o, k, PTX_texref, type_of(c, s));
    case 'u': return form_texel(c, o, k, PTX_surfref, PTX_s32);
    case 'C': return form_opaque(c, o, k, type_of(c, s));
    case 'e': return form_steps(c, o, k, type_of(c, s));
    case 'm': return mov_source(c, o, k);
    case 'l': return o->kind == PO_label || wrong(c, o, k, "a label");
    default: return true;
    }
}

/* Whether the instruction has this operand, by the words that it has. */
static bool asked_for(const struct form_candidate *c, const struct spec *s)
{
    return !s->condition || form_has(c, s->condition) != s->unless;
}

bool form_operands(struct form_candidate *c, const struct grammars *all, const struct grammar *g)
{
    const struct spec *specs = all->specs + g->specs;
    const unsigned has = c->i->n_operands;
    unsigned needs = 0, may = 0;

    for (uint16_t k = 0; k < g->n_specs; k++)
        if (asked_for(c, &specs[k])) {
            needs += !specs[k].optional;
            may++;
        }
    if (has < needs || has > may) {
        if (needs == may)
            return form_fail(c, NULL, "'%s' takes %u operand%s here, not %u", ptx_op_text[c->i->op], needs,
                             needs == 1 ? "" : "s", has);
        return form_fail(c, NULL, "'%s' takes %u to %u operands here, not %u", ptx_op_text[c->i->op], needs, may, has);
    }
    unsigned spare = has - needs, k = 0;
    for (uint16_t j = 0; j < g->n_specs; j++) {
        if (!asked_for(c, &specs[j]))
            continue;
        if (specs[j].optional && !spare)
            continue;
        spare -= specs[j].optional;
        c->now.stage++;
        c->now.fault = FAULT_OPERAND;
        c->now.operand = (uint8_t)k;
        if (!operand_fits(c, &specs[j], ptx_operand(c->m, c->i, k), k))
            return false;
        k++;
    }
    return true;
}
// SPDX-License-Identifier: Apache-2.0
