/* PTX text into tokens. PTX ISA, "Syntax": comments as in C, identifiers with $ and %, words after a dot, numbers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/emu/ptx/front.h"

/* Character classes: 1 starts an identifier, 2 goes on in one, 4 a decimal digit, 8 a hexadecimal one, 16 a blank. */
static const uint8_t class_of[256] = {
    ['a' ... 'f'] = 1 | 2 | 8,
    ['g' ... 'z'] = 1 | 2,
    ['A' ... 'F'] = 1 | 2 | 8,
    ['G' ... 'Z'] = 1 | 2,
    ['0' ... '9'] = 2 | 4 | 8,
    ['_'] = 1 | 2,
    ['$'] = 1 | 2,
    ['%'] = 1,
    [' '] = 16,
    ['\t'] = 16,
    ['\r'] = 16,
    ['\f'] = 16,
    ['\v'] = 16,
};
#define IS(c, mask) ((class_of[(unsigned char)(c)] & (mask)) != 0)

bool fail_at(struct parser *p, const struct token *at, const char *format, ...)
{
    if (p->failed)
        return false;
    p->failed = true;
    struct ptx_error *e = p->error;
    const char *line = at->at;
    while (line > p->text && line[-1] != '\n')
        line--;
    e->line = (int)at->line;
    e->column = (int)(at->at - line) + 1;
    va_list list;
    va_start(list, format);
    vsnprintf(e->message, sizeof e->message, format, list);
    va_end(list);
    for (char *c = e->message; *c; c++)
        if ((unsigned char)*c < 32 || (unsigned char)*c > 126)
            *c = '?';
    ptx_error_source(e, p->text, (size_t)(p->end - p->text));
    return false;
}

bool fail_memory(struct parser *p)
{
    return fail(p, "the module takes more memory than the limit");
}

/* Past blanks, comments and line directives. */
static bool skip_blanks(struct parser *p)
{
    const char *c = p->cursor, *const end = p->end;
    for (;;) {
        while (c < end && (IS(*c, 16) || *c == '\n')) {
            if (*c == '\n') {
                p->line++;
                p->line_start = c + 1;
            }
            c++;
        }
        if (c + 1 < end && c[0] == '/' && c[1] == '/') {
            const char *newline = memchr(c, '\n', (size_t)(end - c));
            c = newline ? newline : end;
        } else if (c + 1 < end && c[0] == '/' && c[1] == '*') {
            const struct token at = { .at = c, .line = p->line };
            for (c += 2; c + 1 < end && !(c[0] == '*' && c[1] == '/'); c++)
                if (*c == '\n') {
                    p->line++;
                    p->line_start = c + 1;
                }
            if (c + 1 >= end)
                return fail_at(p, &at, "this comment does not end");
            c += 2;
        } else if (c < end && *c == '#' && c == p->line_start) {
            /* Line markers of a preprocessor say nothing about PTX; other directives are not for this stage. */
            const struct token at = { .at = c, .line = p->line };
            const char *d = c + 1;
            while (d < end && *d == ' ')
                d++;
            if (!(d < end && IS(*d, 4)) && !(end - d > 4 && !memcmp(d, "line", 4)))
                return fail_at(p, &at, "preprocessor directives are not PTX: preprocess the file first");
            const char *newline = memchr(c, '\n', (size_t)(end - c));
            c = newline ? newline : end;
        } else {
            p->cursor = c;
            return true;
        }
    }
}

static unsigned digit(char c)
{
    return c <= '9' ? (unsigned)(c - '0') : (unsigned)((c | 32) - 'a' + 10);
}

/* A decimal floating-point literal; `to` is behind it. strtod needs an end, and digits beyond 400 change nothing. */
static bool decimal_float(struct parser *p, struct token *t, const char *to)
{
    char copy[400];
    const size_t n = (size_t)(to - t->at);
    if (n >= sizeof copy)
        return fail_at(p, t, "this number is too long");
    memcpy(copy, t->at, n);
    copy[n] = 0;
    const double d = strtod(copy, NULL);
    memcpy(&t->value, &d, 8);
    t->flags = PF_FLOAT;
    return true;
}

static bool number(struct parser *p, struct token *t)
{
    const char *c = p->cursor, *const end = p->end;
    const char second = c + 1 < end ? (char)(c[1] | 32) : 0;

    t->kind = TK_number;
    if (*c == '0' && (second == 'f' || second == 'd')) {
        const int digits = second == 'f' ? 8 : 16;
        c += 2;
        int n = 0;
        for (; n < digits && c < end && IS(*c, 8); n++, c++)
            t->value = t->value << 4 | digit(*c);
        if (n < digits || (c < end && IS(*c, 2)))
            return fail_at(p, t, "a floating-point literal 0%c needs exactly %d hexadecimal digits", second, digits);
        t->flags = (uint16_t)(PF_FLOAT | (second == 'f' ? PF_SINGLE : 0));
        p->cursor = c;
        return true;
    }
    unsigned base = 10;
    if (*c == '0' && second == 'x')
        base = 16, c += 2;
    else if (*c == '0' && second == 'b')
        base = 2, c += 2;
    const char *const digits = c;
    if (base == 10) {
        const char *d = c;
        while (d < end && IS(*d, 4))
            d++;
        const bool exponent = d < end && (*d | 32) == 'e';
        if (d < end && (*d == '.' || exponent)) {
            if (*d == '.')
                for (d++; d < end && IS(*d, 4);)
                    d++;
            if (d < end && (*d | 32) == 'e') {
                const char *e = d + 1;
                if (e < end && (*e == '+' || *e == '-'))
                    e++;
                if (e >= end || !IS(*e, 4))
                    return fail_at(p, t, "this number's exponent has no digits");
                while (e < end && IS(*e, 4))
                    e++;
                d = e;
            }
            if (d < end && IS(*d, 1))
                return fail_at(p, t, "'%c' cannot follow this number", *d);
            p->cursor = d;
            return decimal_float(p, t, d);
        }
        if (*c == '0' && d > c + 1)
            base = 8;
    }
    bool over = false;
    for (; c < end && IS(*c, 8) && digit(*c) < base; c++) {
        if (t->value > (UINT64_MAX - digit(*c)) / base)
            over = true;
        t->value = t->value * base + digit(*c);
    }
    if (c == digits || (c < end && IS(*c, 4)))
        return fail_at(p, t, "this is not a number of base %u", base);
    if (c < end && *c == 'U') {
        t->flags |= PF_UNSIGNED;
        c++;
    }
    if (c < end && IS(*c, 2))
        return fail_at(p, t, "'%c' cannot follow this number", *c);
    if (over)
        return fail_at(p, t, "this integer does not fit in 64 bits");
    if (t->value > INT64_MAX)
        t->flags |= PF_UNSIGNED;
    p->cursor = c;
    return true;
}

/* Reads the token again, as a number that starts with its point. */
bool lex_fraction(struct parser *p)
{
    p->cursor = p->tok.at;
    p->tok = (struct token){ .start = p->cursor, .at = p->cursor, .line = p->line };
    return number(p, &p->tok);
}

bool next_token(struct parser *p)
{
    if (p->failed || !skip_blanks(p))
        return false;
    struct token *t = &p->tok;
    const char *c = p->cursor, *const end = p->end;

    *t = (struct token){ .start = c, .at = c, .line = p->line };
    if (c == end) {
        t->kind = TK_end;
        return true;
    }
    if (IS(*c, 1)) {
        const char *d = c + 1;
        while (d < end && IS(*d, 2))
            d++;
        if (d == c + 1 && *c == '%') { /* the operator */
            t->kind = TK_punctuation;
            t->c = '%';
            p->cursor = d;
            return true;
        }
        t->kind = TK_name;
        t->length = (uint32_t)(d - c);
        p->cursor = d;
        return true;
    }
    if (IS(*c, 4))
        return number(p, t);
    if (*c == '.') {
        const char *d = ++c;
        while (d < end && (IS(*d, 2) || (*d == ':' && d + 2 < end && d[1] == ':' && IS(d[2], 2))))
            d += *d == ':' ? 2 : 1;
        if (d == c)
            return fail_at(p, t, "expected a name after the dot");
        t->kind = TK_word;
        t->start = c;
        t->length = (uint32_t)(d - c);
        p->cursor = d;
        return true;
    }
    if (*c == '"') {
        const char *d = ++c;
        while (d < end && *d != '"' && *d != '\n')
            d += *d == '\\' && d + 1 < end && d[1] != '\n' ? 2 : 1;
        if (d >= end || *d != '"')
            return fail_at(p, t, "this string does not end on its line");
        t->kind = TK_string;
        t->start = c;
        t->length = (uint32_t)(d - c);
        p->cursor = d + 1;
        return true;
    }
    t->kind = TK_punctuation;
    t->c = (unsigned char)*c;
    t->length = 1;
    if (c + 1 < end) {
        static const char pairs[][3] = { "<<", ">>", "<=", ">=", "==", "!=", "&&", "||" };
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
            if (c[0] == pairs[i][0] && c[1] == pairs[i][1]) {
                t->c = TWO(c[0], c[1]);
                t->length = 2;
            }
    }
    if (!strchr("@!-+*/~()[]{},;:|=<>&^?", *c) || !*c)
        return (unsigned char)*c >= 32 && (unsigned char)*c < 127
                   ? fail_at(p, t, "'%c' has no meaning in PTX", *c)
                   : fail_at(p, t, "the byte 0x%02x has no meaning in PTX", (unsigned char)*c);
    p->cursor = c + t->length;
    return true;
}

bool accept(struct parser *p, int c)
{
    return is_punct(p, c) && next_token(p);
}

bool expect(struct parser *p, int c)
{
    if (p->failed)
        return false;
    if (!is_punct(p, c)) {
        if (p->tok.kind == TK_end)
            return fail(p, "the text ends where '%c' is expected", c);
        return fail(p, "expected '%c', not '%.*s'", c, TOK_S(&p->tok));
    }
    return next_token(p);
}

uint16_t token_word(const struct parser *p)
{
    return p->tok.kind == TK_word ? ptx_find_word(p->tok.start, p->tok.length) : (uint16_t)PTX_none;
}

bool token_is(const struct parser *p, const char *name)
{
    return p->tok.kind == TK_name && strlen(name) == p->tok.length && !memcmp(name, p->tok.start, p->tok.length);
}

bool take_word(struct parser *p, uint16_t word)
{
    return p->tok.kind == TK_word && token_word(p) == word && next_token(p);
}
