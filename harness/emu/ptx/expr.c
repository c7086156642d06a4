/* Constant expressions. PTX ISA, "Constant Expressions": C's operators over 64-bit integers and f64. */
#include <string.h>

#include "harness/emu/ptx/parser.h"

/* Nested operators; precedences, as precedence() has them, that parsing starts from. */
enum { DEPTH = 200, ANY_OPERATOR = 1, PRODUCT = 10, UNARY = 99 };

double constant_double(const struct constant *c)
{
    if (c->flags & PF_SINGLE) {
        float f;
        const uint32_t bits = (uint32_t)c->bits;
        memcpy(&f, &bits, 4);
        return f;
    }
    if (c->flags & PF_FLOAT) {
        double d;
        memcpy(&d, &c->bits, 8);
        return d;
    }
    return c->flags & PF_UNSIGNED ? (double)c->bits : (double)(int64_t)c->bits;
}

static struct constant of_double(double d)
{
    struct constant c = { .flags = PF_FLOAT };
    memcpy(&c.bits, &d, 8);
    return c;
}

static bool is_float(const struct constant *c)
{
    return (c->flags & PF_FLOAT) != 0;
}

static bool level(struct parser *p, struct constant *out, int lowest);
static bool conditional(struct parser *p, struct constant *out);

static bool primary(struct parser *p, struct constant *out)
{
    if (p->tok.kind == TK_number) {
        if (p->tok.flags & PF_SINGLE)
            return fail(p, "a literal 0f is no part of an expression, unless it is in parentheses of its own");
        *out = (struct constant){ p->tok.value, p->tok.flags };
        return next_token(p);
    }
    if (token_is(p, "WARP_SZ")) {
        *out = (struct constant){ 32, PF_WARP_SIZE };
        return next_token(p);
    }
    if (accept(p, '(')) {
        if (p->tok.kind == TK_word) { /* a cast */
            const uint16_t w = token_word(p);
            if (w != PTX_s64 && w != PTX_u64)
                return fail(p, "a constant may be cast to .s64 or .u64 only");
            if (!next_token(p) || !expect(p, ')') || !level(p, out, UNARY))
                return false;
            if (is_float(out))
                return fail(p, "a floating-point constant cannot be cast to an integer");
            out->flags = w == PTX_u64 ? PF_UNSIGNED : 0;
            return true;
        }
        return conditional(p, out) && expect(p, ')');
    }
    if (p->failed)
        return false;
    if (p->tok.kind == TK_end)
        return fail(p, "the text ends where a constant is expected");
    return fail(p, "expected a constant, not '%.*s'", TOK_S(&p->tok));
}

static bool unary(struct parser *p, struct constant *out)
{
    const struct token at = p->tok;
    if (at.kind != TK_punctuation || (at.c != '-' && at.c != '+' && at.c != '~' && at.c != '!'))
        return primary(p, out);
    if (!next_token(p))
        return false;
    p->depth++;
    if (p->depth > DEPTH)
        return fail_at(p, &at, "this expression is nested too deep");
    if (!unary(p, out))
        return false;
    p->depth--;
    if (is_float(out)) {
        if (at.c != '-' && at.c != '+')
            return fail_at(p, &at, "'%c' does not apply to a floating-point constant", at.c);
        *out = of_double(constant_double(out));
        if (at.c == '-') /* on the bits: a NaN keeps its payload */
            out->bits ^= 1ull << 63;
        return true;
    }
    if (at.c == '-')
        out->bits = 0 - out->bits;
    else if (at.c == '~')
        out->bits = ~out->bits;
    else if (at.c == '!')
        *out = (struct constant){ out->bits == 0, 0 };
    out->flags &= (uint16_t)~PF_WARP_SIZE;
    return true;
}

static int precedence(int c)
{
    switch (c) {
    case '*':
    case '/':
    case '%': return 10;
    case '+':
    case '-': return 9;
    case TWO('<', '<'):
    case TWO('>', '>'): return 8;
    case '<':
    case '>':
    case TWO('<', '='):
    case TWO('>', '='): return 7;
    case TWO('=', '='):
    case TWO('!', '='): return 6;
    case '&': return 5;
    case '^': return 4;
    case '|': return 3;
    case TWO('&', '&'): return 2;
    case TWO('|', '|'): return 1;
    default: return 0;
    }
}

static bool combine_float(struct parser *p, const struct token *at, struct constant *a, const struct constant *b)
{
    const double x = constant_double(a), y = constant_double(b);
    switch (at->c) {
    case '*': *a = of_double(x * y); return true;
    case '/':
        if (y == 0)
            return fail_at(p, at, "division by zero");
        *a = of_double(x / y);
        return true;
    case '+': *a = of_double(x + y); return true;
    case '-': *a = of_double(x - y); return true;
    case '<': *a = (struct constant){ x < y, 0 }; return true;
    case '>': *a = (struct constant){ x > y, 0 }; return true;
    case TWO('<', '='): *a = (struct constant){ x <= y, 0 }; return true;
    case TWO('>', '='): *a = (struct constant){ x >= y, 0 }; return true;
    case TWO('=', '='): *a = (struct constant){ x == y, 0 }; return true;
    case TWO('!', '='): *a = (struct constant){ x != y, 0 }; return true;
    default: return fail_at(p, at, "this operator does not apply to floating-point constants");
    }
}

/* Comparisons, and && and ||: 1 or 0. */
static bool compare(int operator, bool is_unsigned, uint64_t x, uint64_t y)
{
    const int64_t sx = (int64_t)x, sy = (int64_t)y;

    switch (operator) {
    case '<': return is_unsigned ? x < y : sx < sy;
    case '>': return is_unsigned ? x > y : sx > sy;
    case TWO('<', '='): return is_unsigned ? x <= y : sx <= sy;
    case TWO('>', '='): return is_unsigned ? x >= y : sx >= sy;
    case TWO('=', '='): return x == y;
    case TWO('!', '='): return x != y;
    case TWO('&', '&'): return x && y;
    default: return x || y;
    }
}

static bool combine(struct parser *p, const struct token *at, struct constant *a, const struct constant *b)
{
    if (is_float(a) != is_float(b))
        return fail_at(p, at, "an integer and a floating-point constant are operands of one operator");
    if (is_float(a))
        return combine_float(p, at, a, b);
    const bool u = ((a->flags | b->flags) & PF_UNSIGNED) != 0;
    const uint64_t x = a->bits, y = b->bits;
    const int64_t sx = (int64_t)x, sy = (int64_t)y;
    uint64_t r = 0;
    uint16_t flags = u ? PF_UNSIGNED : 0;

    switch (at->c) {
    case '*': r = x * y; break;
    case '/':
    case '%':
        if (!y)
            return fail_at(p, at, "division by zero");
        if (u)
            r = at->c == '/' ? x / y : x % y;
        else if (sy == -1) /* the quotient of INT64_MIN does not fit */
            r = at->c == '/' ? 0 - x : 0;
        else
            r = (uint64_t)(at->c == '/' ? sx / sy : sx % sy);
        break;
    case '+': r = x + y; break;
    case '-': r = x - y; break;
    case TWO('<', '<'):
        r = y < 64 ? x << y : 0;
        flags = a->flags & PF_UNSIGNED;
        break;
    case TWO('>', '>'):
        flags = a->flags & PF_UNSIGNED;
        if (flags)
            r = y < 64 ? x >> y : 0;
        else
            r = y < 64 ? (uint64_t)(sx >> y) : sx < 0 ? UINT64_MAX : 0;
        break;
    case '&': r = x & y; break;
    case '^': r = x ^ y; break;
    case '|': r = x | y; break;
    default:
        flags = 0;
        r = compare(at->c, u, x, y);
        break;
    }
    *a = (struct constant){ r, flags };
    return true;
}

/* Operators of precedence `lowest` and above. */
static bool level(struct parser *p, struct constant *out, int lowest)
{
    p->depth++;
    if (p->depth > DEPTH)
        return fail(p, "this expression is nested too deep");
    if (!unary(p, out))
        return false;
    while (p->tok.kind == TK_punctuation) {
        const struct token at = p->tok;
        const int is = precedence(at.c);
        struct constant right = { 0 };
        if (!is || is < lowest)
            break;
        if (!next_token(p) || !level(p, &right, is + 1) || !combine(p, &at, out, &right))
            return false;
    }
    p->depth--;
    return !p->failed;
}

/* A literal 0f stands alone: it is an operand of an operator only in parentheses. */
static bool conditional(struct parser *p, struct constant *out)
{
    struct constant yes = { 0 }, no = { 0 };
    if (p->tok.kind == TK_number && p->tok.flags & PF_SINGLE) {
        *out = (struct constant){ p->tok.value, p->tok.flags };
        return next_token(p);
    }
    if (!level(p, out, ANY_OPERATOR))
        return false;
    if (!is_punct(p, '?'))
        return true;
    p->depth++;
    if (p->depth > DEPTH)
        return fail(p, "this expression is nested too deep");
    const struct token at = p->tok;
    if (!next_token(p) || !conditional(p, &yes) || !expect(p, ':') || !conditional(p, &no))
        return false;
    p->depth--;
    if (is_float(out) || is_float(&yes) || is_float(&no))
        return fail_at(p, &at, "the operands of ?: must be integers");
    *out = out->bits ? yes : no;
    return true;
}

bool parse_constant(struct parser *p, struct constant *out)
{
    p->depth = 0;
    return conditional(p, out);
}

bool parse_product(struct parser *p, struct constant *out)
{
    p->depth = 0;
    return level(p, out, PRODUCT);
}

bool parse_integer(struct parser *p, uint64_t *out, const char *what)
{
    const bool warp = token_is(p, "WARP_SZ");

    if (p->tok.kind == TK_number && p->tok.flags & PF_FLOAT)
        return fail(p, "%s must be an integer", what);
    if (p->tok.kind != TK_number && !warp)
        return fail(p, "%s must be a number without a sign", what);
    *out = warp ? 32 : p->tok.value;
    return next_token(p);
}
// SPDX-License-Identifier: Apache-2.0
