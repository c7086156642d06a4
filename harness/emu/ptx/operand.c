/* Operands of instructions. */
#include <string.h>

#include "harness/emu/ptx/parser.h"

enum { NESTED = 6, UNSETTLED = 0xFF };

/* Pushes an operand that is part of a list. */
static bool push(struct parser *p, const struct ptx_operand *o)
{
    struct ptx_operand *at = vec_add(p->scratch, &p->stack, 1);
    if (!at)
        return fail_memory(p);
    *at = *o;
    return true;
}

static const struct ptx_operand *stacked(struct parser *p, uint32_t i)
{
    return stack_at(p, i);
}

/* Moves the operands above `base` of the stack into the module, at `*first`. Fixups of labels name operands by their
 * place in the module, so they are completed here. */
static bool move(struct parser *p, uint32_t base, uint32_t *first, uint32_t *count)
{
    const uint32_t n = p->stack.count - base;
    struct ptx_operand *out = n ? vec_add(p->arena, &p->operands, n) : NULL;
    if (n && !out)
        return fail_memory(p);
    *count = n;
    *first = p->operands.count - n;
    for (uint32_t i = 0; i < n; i++) {
        out[i] = *stack_at(p, base + i);
        if (out[i].kind == PO_label && out[i].component == UNSETTLED) {
            fixup_at(p, out[i].reg)->operand = *first + i;
            out[i].component = 0;
        }
    }
    p->stack.count = base;
    return true;
}

/* A selector of a SIMD video instruction: .h and 2 digits to 3, .b and 2 to 4 digits to 7. */
static bool selector(const struct token *t, struct ptx_operand *o)
{
    const char kind = *t->start, most = kind == 'h' ? '3' : '7';

    if ((kind != 'b' && kind != 'h') || t->length < 3 || t->length > (kind == 'h' ? 3 : 5))
        return false;
    o->component = (uint8_t)kind;
    o->second = t->length - 1;
    o->value = 0;
    for (uint32_t k = 1; k < t->length; k++) {
        if (t->start[k] < '0' || t->start[k] > most)
            return false;
        o->value = o->value << 4 | (uint64_t)(t->start[k] - '0');
    }
    return true;
}

static bool component(struct parser *p, struct ptx_operand *o)
{
    if (p->tok.kind != TK_word)
        return true;
    static const char components[] = "xyzw", colours[] = "rgba";
    const char *s = p->tok.start;
    const char *colour = p->tok.length == 1 && *s ? strchr(colours, *s) : NULL;
    if (p->tok.length == 1 && *s && strchr(components, *s))
        o->component = (uint8_t)*s;
    else if (colour)
        o->component = (uint8_t)components[colour - colours];
    else if (p->tok.length == 2 && *s == 'b' && s[1] >= '0' && s[1] <= '3')
        o->component = (uint8_t)('B' + s[1] - '0');
    else if (p->tok.length == 2 && *s == 'h' && s[1] >= '0' && s[1] <= '1')
        o->component = (uint8_t)('H' + s[1] - '0');
    else if (!selector(&p->tok, o))
        return fail(p, "'.%.*s' is not a part of a register", TOK_S(&p->tok));
    return next_token(p);
}

/* The register that the token names; PTX_NO for _ (and after an error). */
static bool second_of_pair(struct parser *p, uint32_t *reg)
{
    uint32_t number;
    const struct token at = p->tok;
    *reg = PTX_NO;
    if (at.kind != TK_name)
        return fail(p, "expected a register");
    if (!(at.length == 1 && *at.start == '_')) {
        const struct binding *b = name_find(p, at.start, at.length, &number);
        if (!b || (b->kind != SY_register && b->kind != SY_range))
            return fail(p, "'%.*s' is not a register", TOK_S(&at));
        *reg = b->index + number;
    }
    return next_token(p);
}

static bool later_label(struct parser *p, struct ptx_operand *out)
{
    const uint32_t name = name_intern(p, p->tok.start, p->tok.length);
    struct fixup *f = name == PTX_NO ? NULL : vec_add(p->scratch, &p->fixups, 1);
    if (!f)
        return fail_memory(p);
    *f = (struct fixup){ .operand = PTX_NO, .name = name, .at = p->tok };
    out->kind = PO_label;
    out->component = UNSETTLED;
    out->reg = p->fixups.count - 1;
    return next_token(p);
}

/* r, _ or p|q, of which the first part has been read. */
static bool pair_or_one(struct parser *p, struct ptx_operand *out)
{
    if (!is_punct(p, '|'))
        return !p->failed;
    out->kind = PO_pair;
    return next_token(p) && second_of_pair(p, &out->second);
}

/* A name that has no meaning yet: a special register, or a label that follows. */
static bool unknown(struct parser *p, struct ptx_operand *out)
{
    const struct token at = p->tok;

    if (*at.start != '%')
        return later_label(p, out);
    out->kind = PO_special;
    out->reg = special_find(at.start, at.length);
    if (!out->reg)
        return fail(p, "'%.*s' is not declared", TOK_S(&at));
    return next_token(p) && component(p, out);
}

/* variable [+ constant] */
static bool variable(struct parser *p, struct ptx_operand *out, uint32_t symbol)
{
    const struct token at = p->tok;
    struct constant c = { 0 };

    out->kind = PO_variable;
    out->symbol = symbol;
    if (!next_token(p))
        return false;
    if (!accept(p, '+'))
        return !p->failed;
    if (!parse_constant(p, &c))
        return false;
    out->flags |= PF_OFFSET;
    out->value = c.bits;
    return !(c.flags & PF_FLOAT) || fail_at(p, &at, "an offset must be an integer");
}

/* register + constant, which no instruction has; ptxas takes it as an operand */
static bool sum(struct parser *p, struct ptx_operand *out)
{
    const struct token at = p->tok;
    struct constant c = { 0 };

    if (out->kind != PO_register || out->component || out->flags || !accept(p, '+'))
        return !p->failed;
    if (!parse_constant(p, &c))
        return false;
    out->flags |= PF_OFFSET;
    out->value = c.bits;
    return !(c.flags & PF_FLOAT) || fail_at(p, &at, "an offset must be an integer");
}

/* An operand that begins with a name. */
static bool named(struct parser *p, struct ptx_operand *out)
{
    const struct token at = p->tok;
    uint32_t number;

    if (at.length == 1 && *at.start == '_') {
        out->kind = PO_sink;
        out->reg = PTX_NO;
        return next_token(p) && pair_or_one(p, out);
    }
    const struct binding *b = name_find(p, at.start, at.length, &number);
    if (!b)
        return unknown(p, out);
    switch (b->kind) {
    case SY_register:
    case SY_range:
        out->kind = PO_register;
        out->reg = b->index + number;
        return next_token(p) && component(p, out) && pair_or_one(p, out);
    case SY_variable: return variable(p, out, b->index);
    case SY_function:
        out->kind = PO_function;
        out->symbol = b->index;
        break;
    case SY_label:
        out->kind = PO_label;
        out->reg = b->index;
        break;
    case SY_prototype:
        out->kind = PO_prototype;
        out->symbol = b->index;
        break;
    default:
        out->kind = PO_targets;
        out->first = b->index;
        out->count = b->count;
        break;
    }
    return next_token(p);
}

/* base [+ constant], within brackets */
static bool base(struct parser *p, struct ptx_operand *out)
{
    const struct token at = p->tok;
    struct constant c = { 0 };
    out->kind = PO_address;
    if (at.kind == TK_name && !token_is(p, "WARP_SZ")) {
        uint32_t number;
        const struct binding *b = name_find(p, at.start, at.length, &number);
        if (!b)
            return fail(p, "'%.*s' is not declared", TOK_S(&at));
        if (b->kind == SY_register || b->kind == SY_range) {
            out->flags |= PF_BASE_REGISTER;
            out->reg = b->index + number;
        } else if (b->kind == SY_variable) {
            out->flags |= PF_BASE_VARIABLE;
            out->symbol = b->index;
        } else {
            return fail(p, "'%.*s' has no address", TOK_S(&at));
        }
        if (!next_token(p) || ((out->flags & PF_BASE_REGISTER) && !component(p, out)))
            return false;
        if (!accept(p, '+'))
            return !p->failed;
        out->flags |= PF_OFFSET;
    }
    const struct token offset = p->tok;
    if (!parse_constant(p, &c))
        return false;
    if (c.flags & PF_FLOAT)
        return fail_at(p, &offset, "an address must be an integer");
    out->value = c.bits;
    return true;
}

static bool nested(struct parser *p, struct ptx_operand *out, unsigned depth);

/* Elements up to `close`, after the opening bracket. */
static bool elements(struct parser *p, int close, uint32_t *first, uint32_t *count, unsigned depth)
{
    const uint32_t start = p->stack.count;
    if (!is_punct(p, close))
        do {
            struct ptx_operand o;
            if (p->stack.count - start >= OPERANDS)
                return fail(p, "too many elements");
            if (!nested(p, &o, depth) || !push(p, &o))
                return false;
        } while (accept(p, ','));
    return expect(p, close) && move(p, start, first, count);
}

static bool brackets(struct parser *p, struct ptx_operand *out, unsigned depth)
{
    struct ptx_operand o = { .column = out->column };
    if (!next_token(p) || !base(p, &o))
        return false;
    if (is_punct(p, ']')) {
        *out = o;
        return next_token(p);
    }
    if (is_punct(p, ',') && (o.flags & PF_OFFSET))
        return fail(p, "an address with coordinates cannot have an offset");
    const uint32_t start = p->stack.count;
    if (!push(p, &o))
        return false;
    while (accept(p, ',')) {
        if (p->stack.count - start >= OPERANDS)
            return fail(p, "too many elements");
        if (!nested(p, &o, depth) || !push(p, &o))
            return false;
    }
    out->kind = PO_tensor;
    return expect(p, ']') && move(p, start, &out->first, &out->count);
}

static bool nested(struct parser *p, struct ptx_operand *out, unsigned depth)
{
    const struct token at = p->tok;
    struct constant c = { 0 };

    *out = (struct ptx_operand){ .column = (uint32_t)(at.at - p->line_start) + 1 };
    if (depth > NESTED)
        return fail(p, "operands are nested too deep");
    if (at.kind == TK_name && !token_is(p, "WARP_SZ"))
        return named(p, out);
    if (is_punct(p, '[')) {
        if (!brackets(p, out, depth + 1))
            return false;
        if (!is_punct(p, '|'))
            return true;
        return fail(p, "an address cannot be part of a pair");
    }
    if (is_punct(p, '{')) {
        out->kind = PO_vector;
        return next_token(p) && elements(p, '}', &out->first, &out->count, depth + 1);
    }
    if (is_punct(p, '!') || is_punct(p, '-')) {
        /* of a register; otherwise the operator of a constant */
        const char *c2 = p->cursor;
        while (c2 < p->end && (*c2 == ' ' || *c2 == '\t'))
            c2++;
        const bool name = c2 < p->end && (*c2 == '%' || *c2 == '_' || *c2 == '$' || (*c2 | 32) >= 'a') && *c2 > 0;
        if (name && !(p->end - c2 >= 7 && !memcmp(c2, "WARP_SZ", 7))) {
            if (!next_token(p))
                return false;
            const struct token reg = p->tok;
            if (reg.kind != TK_name || !named(p, out))
                return fail_at(p, &reg, "expected a register");
            if (out->kind != PO_register && out->kind != PO_special)
                return fail_at(p, &reg, "'%c' applies to registers only", at.c);
            out->flags |= at.c == '!' ? PF_NOT : PF_NEGATE;
            return true;
        }
    }
    if (at.kind == TK_word && at.length && *at.start >= '0' && *at.start <= '9') {
        if (!lex_fraction(p))
            return false;
    }
    if (!parse_constant(p, &c))
        return false;
    out->kind = PO_immediate;
    out->flags = c.flags;
    out->value = c.bits;
    return true;
}

static bool parse_operand(struct parser *p, struct ptx_operand *out, bool call)
{
    if (call && is_punct(p, '(')) {
        *out = (struct ptx_operand){ .kind = PO_list, .column = (uint32_t)(p->tok.at - p->line_start) + 1 };
        return next_token(p) && elements(p, ')', &out->first, &out->count, 1);
    }
    return nested(p, out, 0) && sum(p, out);
}

/* Brings the operands of a call, on the stack from `start` on, to four: returns, callee, arguments, prototype. */
static bool call_operands(struct parser *p, uint32_t start)
{
    enum { RETURNS, CALLEE, ARGUMENTS, PROTOTYPE, PARTS };
    struct ptx_operand four[PARTS] = { [RETURNS] = { .kind = PO_list }, [ARGUMENTS] = { .kind = PO_list } };
    const uint32_t n = p->stack.count - start;
    uint32_t part = RETURNS;

    for (uint32_t j = 0; j < n; j++) {
        const struct ptx_operand *o = stacked(p, start + j);
        const bool list = o->kind == PO_list;
        /* the next part that this operand can be: the lists may be missing */
        if ((part == RETURNS && !list) || (part == ARGUMENTS && !list))
            part++;
        if (part == PARTS || (part == CALLEE && list))
            return fail(p, "a call has the parts (returns), callee, (arguments), prototype");
        four[part] = *o;
        part++;
    }
    if (!four[CALLEE].kind)
        return fail(p, "a call has the parts (returns), callee, (arguments), prototype");
    p->stack.count = start;
    for (unsigned k = 0; k < PARTS; k++)
        if (!push(p, &four[k]))
            return false;
    return true;
}

/* Whether a scalar in braces counts as the scalar: LLVM writes ld.global.b32 {%r1}, [%rd1]. */
static bool takes_braced_scalar(const struct ptx_instruction *i)
{
    switch (i->op) {
    case OP_ld:
    case OP_st:
    case OP_ldu:
    case OP_suld:
    case OP_sust: return i->vector == 1;
    default: return false;
    }
}

/* {..}|p, the result of a texture instruction, of which the braces have been read: p says whether the texels were in
 * memory. */
static bool resident(struct parser *p, const struct ptx_instruction *i, struct ptx_operand *o)
{
    const struct token at = p->tok;
    uint32_t predicate;

    if (o->kind != PO_vector || (i->op != OP_tex && i->op != OP_tld4) || !accept(p, '|'))
        return !p->failed;
    if (p->m->version < 71)
        return fail_at(p, &at, "a predicate of '%s' needs PTX ISA 7.1 or later", ptx_op_text[i->op]);
    if (!second_of_pair(p, &predicate))
        return false;
    if (predicate == PTX_NO)
        return fail_at(p, &at, "expected a predicate after '|'");
    o->flags |= PF_RESIDENT;
    o->value = predicate;
    return true;
}

/* Operands up to the ';'. */
bool parse_operands(struct parser *p, struct ptx_instruction *i)
{
    const bool call = i->op == OP_call;
    const uint32_t start = p->stack.count;
    uint32_t count;

    if (!is_punct(p, ';')) {
        do {
            struct ptx_operand o;
            if (p->stack.count - start >= OPERANDS)
                return fail(p, "too many operands");
            if (!parse_operand(p, &o, call) || (p->stack.count == start && !resident(p, i, &o)) || !push(p, &o))
                return false;
        } while (accept(p, ','));
        if (p->failed)
            return false;
    }
    if (call && !call_operands(p, start))
        return false;
    if (!move(p, start, &i->operands, &count))
        return false;
    if (count > 255)
        return fail(p, "too many operands");
    i->n_operands = (uint8_t)count;
    if (takes_braced_scalar(i))
        for (uint32_t k = 0; k < count; k++) {
            struct ptx_operand *o = operand_at(p, i->operands + k);
            if (o->kind == PO_vector && o->count == 1)
                *o = *operand_at(p, o->first);
        }
    return true;
}

/* L1, L2, ...; of a .branchtargets, which takes labels, or a .calltargets, which takes functions */
bool parse_target_list(struct parser *p, bool branch, uint32_t *first, uint32_t *count)
{
    const uint32_t start = p->stack.count;
    do {
        struct ptx_operand o = { .column = (uint32_t)(p->tok.at - p->line_start) + 1 };
        const struct token at = p->tok;
        if (at.kind != TK_name)
            return fail(p, branch ? "expected a label" : "expected a function");
        if (!named(p, &o))
            return false;
        if (o.kind != (branch ? PO_label : PO_function))
            return fail_at(p, &at, branch ? "expected a label" : "expected a function");
        if (o.component == UNSETTLED)
            fixup_at(p, o.reg)->branch = true;
        if (!push(p, &o))
            return false;
    } while (accept(p, ','));
    return !p->failed && move(p, start, first, count);
}
// SPDX-License-Identifier: Apache-2.0
