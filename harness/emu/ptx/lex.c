/* PTX text into tokens. PTX ISA, "Syntax": comments as in C, identifiers with $ and %, words after a dot, numbers. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/emu/ptx/parser.h"

/* What a character may be part of. */
enum {
    START = 1,   /* the beginning of an identifier */
    PART = 2,    /* the rest of one */
    DECIMAL = 4, /* a decimal number */
    HEX = 8,     /* a hexadecimal number */
    BLANK = 16,
};
static const uint8_t class_of[256] = {
    ['a' ... 'f'] = START | PART | HEX,
    ['g' ... 'z'] = START | PART,
    ['A' ... 'F'] = START | PART | HEX,
    ['G' ... 'Z'] = START | PART,
    ['0' ... '9'] = PART | DECIMAL | HEX,
    ['_'] = START | PART,
    ['$'] = START | PART,
    ['%'] = START,
    [' '] = BLANK,
    ['\t'] = BLANK,
    ['\r'] = BLANK,
    ['\f'] = BLANK,
};

static bool is(char c, unsigned classes)
{
    return (class_of[(unsigned char)c] & classes) != 0;
}

/* The first character from c on that is in none of these classes; `end` if there is none. */
static const char *skip(const char *c, const char *end, unsigned classes)
{
    while (c < end && is(*c, classes))
        c++;
    return c;
}

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

/* Moves the cursor past blanks, comments and line markers. */
static bool skip_blanks(struct parser *p)
{
    const char *c = p->cursor, *const end = p->end;
    for (;;) {
        while (c < end && (is(*c, BLANK) || *c == '\n')) {
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
            /* Line markers of a preprocessor are skipped; other directives should have been processed. */
            const struct token at = { .at = c, .line = p->line };
            const char *d = c + 1;
            while (d < end && *d == ' ')
                d++;
            if (!(d < end && is(*d, DECIMAL)) && !(end - d > 4 && !memcmp(d, "line", 4)))
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

/* A decimal floating-point literal; `to` is its end. The copy is for strtod, which needs a zero at the end. */
static bool decimal_float(struct parser *p, struct token *t, const char *to)
{
    char copy[400];
    const size_t n = (size_t)(to - t->at);
    if (n >= sizeof copy)
        return fail_at(p, t, "this number is too long");
    memcpy(copy, t->at, n);
    copy[n] = 0;
    errno = 0;
    const double d = strtod(copy, NULL);
    if (errno == ERANGE)
        return fail_at(p, t, "this number is too large or too small for 64 bits");
    memcpy(&t->value, &d, 8);
    t->flags = PF_FLOAT;
    return true;
}

/* 0f and 8 hexadecimal digits, the bits of an f32, or 0d and 16, those of an f64; `second` is the letter. */
static bool float_bits(struct parser *p, struct token *t, char second)
{
    const char *c = p->cursor + 2, *const end = p->end;
    const int digits = second == 'f' ? 8 : 16;
    int n = 0;

    for (; n < digits && c < end && is(*c, HEX); n++, c++)
        t->value = t->value << 4 | digit(*c);
    if (n < digits || (c < end && is(*c, PART)))
        return fail_at(p, t, "a floating-point literal 0%c needs exactly %d hexadecimal digits", second, digits);
    t->flags = (uint16_t)(PF_FLOAT | (second == 'f' ? PF_SINGLE : 0));
    p->cursor = c;
    return true;
}

/* A decimal number with a point or an exponent; `c` is the end of the digits that it starts with. */
static bool decimal_number(struct parser *p, struct token *t, const char *c)
{
    const char *const end = p->end;

    if (*c == '.')
        c = skip(c + 1, end, DECIMAL);
    if (c < end && (*c | 32) == 'e') {
        c++;
        if (c < end && (*c == '+' || *c == '-'))
            c++;
        if (c >= end || !is(*c, DECIMAL))
            return fail_at(p, t, "this number's exponent has no digits");
        c = skip(c, end, DECIMAL);
    }
    if (c < end && is(*c, START))
        return fail_at(p, t, "'%c' cannot follow this number", *c);
    p->cursor = c;
    return decimal_float(p, t, c);
}

static bool integer(struct parser *p, struct token *t, const char *digits, unsigned base)
{
    const char *c = digits, *const end = p->end;
    bool huge = false, over = false;

    /* Of more than 64 bits ptxas keeps the low ones, unless the highest of them is set and a digit follows. */
    for (; c < end && is(*c, HEX) && digit(*c) < base; c++) {
        huge |= t->value > (UINT64_MAX - digit(*c)) / base;
        over |= t->value > INT64_MAX;
        t->value = t->value * base + digit(*c);
    }
    if (c == digits || (c < end && is(*c, DECIMAL)))
        return fail_at(p, t, "this is not a number of base %u", base);
    if (c < end && *c == 'U') {
        t->flags |= PF_UNSIGNED;
        c++;
    }
    if (c < end && is(*c, PART))
        return fail_at(p, t, "'%c' cannot follow this number", *c);
    if (over || (huge && !p->huge_allowed))
        return fail_at(p, t, "this integer does not fit in 64 bits");
    p->huge |= huge;
    if (t->value > INT64_MAX)
        t->flags |= PF_UNSIGNED;
    p->cursor = c;
    return true;
}

static bool number(struct parser *p, struct token *t)
{
    const char *const c = p->cursor, *const end = p->end;
    const char second = c + 1 < end ? (char)(c[1] | 32) : 0;

    t->kind = TK_number;
    if (*c == '0' && (second == 'f' || second == 'd'))
        return float_bits(p, t, second);
    if (*c == '0' && second == 'x')
        return integer(p, t, c + 2, 16);
    if (*c == '0' && second == 'b')
        return integer(p, t, c + 2, 2);
    const char *const d = skip(c, end, DECIMAL);
    if (d < end && (*d == '.' || (*d | 32) == 'e'))
        return decimal_number(p, t, d);
    return integer(p, t, c, *c == '0' && d > c + 1 ? 8 : 10);
}

/* Reads the token again, as a number that starts with its point. */
bool lex_fraction(struct parser *p)
{
    p->cursor = p->tok.at;
    p->tok = (struct token){ .start = p->cursor, .at = p->cursor, .line = p->line };
    return number(p, &p->tok);
}

static bool name(struct parser *p, struct token *t)
{
    const char *d = skip(t->at + 1, p->end, PART);

    p->cursor = d;
    if (d == t->at + 1 && *t->at == '%') { /* the operator */
        t->kind = TK_punctuation;
        t->c = '%';
        return true;
    }
    t->kind = TK_name;
    t->length = (uint32_t)(d - t->at);
    return true;
}

/* What follows a dot; "::" within it belongs to it. */
static bool word(struct parser *p, struct token *t)
{
    const char *const start = t->at + 1, *const end = p->end;
    const char *d = start;

    while (d < end && (is(*d, PART) || (*d == ':' && d + 2 < end && d[1] == ':' && is(d[2], PART))))
        d += *d == ':' ? 2 : 1;
    if (d == start)
        return fail_at(p, t, "expected a name after the dot");
    t->kind = TK_word;
    t->start = start;
    t->length = (uint32_t)(d - start);
    p->cursor = d;
    return true;
}

static bool string(struct parser *p, struct token *t)
{
    const char *const start = t->at + 1, *const end = p->end;
    const char *d = start;

    while (d < end && *d != '"' && *d != '\n')
        d += *d == '\\' && d + 1 < end && d[1] != '\n' ? 2 : 1;
    if (d >= end || *d != '"')
        return fail_at(p, t, "this string does not end on its line");
    t->kind = TK_string;
    t->start = start;
    t->length = (uint32_t)(d - start);
    p->cursor = d + 1;
    return true;
}

static bool punctuation(struct parser *p, struct token *t)
{
    static const char pairs[][3] = { "<<", ">>", "<=", ">=", "==", "!=", "&&", "||" };
    const char *const c = t->at;

    t->kind = TK_punctuation;
    t->c = (unsigned char)*c;
    t->length = 1;
    for (size_t i = 0; c + 1 < p->end && i < sizeof pairs / sizeof *pairs; i++)
        if (c[0] == pairs[i][0] && c[1] == pairs[i][1]) {
            t->c = TWO(c[0], c[1]);
            t->length = 2;
        }
    if (!*c || !strchr("@!-+*/~()[]{},;:|=<>&^?", *c))
        return (unsigned char)*c >= 32 && (unsigned char)*c < 127
                   ? fail_at(p, t, "'%c' has no meaning in PTX", *c)
                   : fail_at(p, t, "the byte 0x%02x has no meaning in PTX", (unsigned char)*c);
    p->cursor = c + t->length;
    return true;
}

bool next_token(struct parser *p)
{
    struct token *t = &p->tok;

    if (p->failed || !skip_blanks(p))
        return false;
    const char *const c = p->cursor;
    *t = (struct token){ .start = c, .at = c, .line = p->line };
    if (c == p->end) {
        t->kind = TK_end;
        return true;
    }
    if (is(*c, START))
        return name(p, t);
    if (is(*c, DECIMAL))
        return number(p, t);
    if (*c == '.')
        return word(p, t);
    if (*c == '"')
        return string(p, t);
    return punctuation(p, t);
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
// SPDX-License-Identifier: Apache-2.0
