/* JSON after RFC 8259: strings out, objects in. */
#include "harness/base/json.h"

#include <stdint.h>
#include <string.h>

#include "harness/base/clean.h"
#include "harness/base/plain.h"

enum { DEPTH_MAX = 64 };

static bool wrong(struct json *j, const char *what)
{
    if (!j->error)
        j->error = what;
    return false;
}

static void skip_space(struct json *j)
{
    while (j->at < j->end && (*j->at == ' ' || *j->at == '\t' || *j->at == '\r' || *j->at == '\n'))
        j->at++;
}

static bool take(struct json *j, char c)
{
    if (j->at < j->end && *j->at != c) /* mostly there is no space */
        skip_space(j);
    if (j->at >= j->end || *j->at != c)
        return false;
    j->at++;
    return true;
}

static bool hex4(struct json *j, uint32_t *out)
{
    *out = 0;
    for (int i = 0; i < 4; i++, j->at++) {
        const char c = j->at < j->end ? *j->at : 0;
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;
        if (digit < 0)
            return wrong(j, "\\u wants four hexadecimal digits");
        *out = *out << 4 | (uint32_t)digit;
    }
    return true;
}

static char *put_utf8(char *to, uint32_t c)
{
    if (c < 0x80) {
        *to++ = (char)c;
    } else if (c < 0x800) {
        *to++ = (char)(0xC0 | c >> 6);
        *to++ = (char)(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        *to++ = (char)(0xE0 | c >> 12);
        *to++ = (char)(0x80 | (c >> 6 & 0x3F));
        *to++ = (char)(0x80 | (c & 0x3F));
    } else {
        *to++ = (char)(0xF0 | c >> 18);
        *to++ = (char)(0x80 | (c >> 12 & 0x3F));
        *to++ = (char)(0x80 | (c >> 6 & 0x3F));
        *to++ = (char)(0x80 | (c & 0x3F));
    }
    return to;
}

/* What follows `\u`: a unit of UTF-16, or the first of a surrogate pair. */
static bool unicode_escape(struct json *j, char **to)
{
    uint32_t c, low;

    if (!hex4(j, &c))
        return false;
    if (c >= 0xDC00 && c <= 0xDFFF)
        return wrong(j, "low surrogate without its high one");
    if (c >= 0xD800 && c <= 0xDBFF) {
        if (j->end - j->at < 2 || j->at[0] != '\\' || j->at[1] != 'u')
            return wrong(j, "high surrogate without its low one");
        j->at += 2;
        if (!hex4(j, &low))
            return false;
        if (low < 0xDC00 || low > 0xDFFF)
            return wrong(j, "high surrogate without its low one");
        c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
    }
    *to = put_utf8(*to, c);
    return true;
}

static bool escape(struct json *j, char **to)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    const char c = j->at < j->end ? *j->at : 0;
    const char *known = c ? strchr(names, c) : NULL;

    if (c == 'u') {
        j->at++;
        return unicode_escape(j, to);
    }
    if (!known)
        return wrong(j, "unknown escape in a string");
    j->at++;
    *(*to)++ = values[known - names];
    return true;
}

/* A string whose opening quote is taken already. No decoded form is longer than what it was decoded from. */
static bool string(struct json *j, struct json_value *out)
{
    const size_t first = ck_plain(j->at, (size_t)(j->end - j->at));
    char *to = j->at + first;

    out->type = JSON_STRING;
    out->text = j->at;
    out->plain = j->at + first < j->end && j->at[first] == '"';
    if (out->plain) { /* most */
        out->size = first;
        j->at += first + 1;
        out->text[first] = 0;
        return true;
    }
    j->at += first;
    while (j->at < j->end) {
        const size_t plain = ck_plain(j->at, (size_t)(j->end - j->at));
        if (plain && to != j->at)
            memmove(to, j->at, plain);
        to += plain;
        j->at += plain;
        if (j->at == j->end)
            break;
        const unsigned char c = (unsigned char)*j->at;

        if (c == '"') {
            j->at++;
            *to = 0;
            out->size = (size_t)(to - out->text);
            return true;
        }
        if (c == '\\') {
            j->at++;
            if (!escape(j, &to))
                return false;
        } else if (c < 0x20) {
            return wrong(j, "control character in a string");
        } else if (c < 0x80) {
            *to++ = *j->at++;
        } else {
            const size_t n = ck_utf8_length((const unsigned char *)j->at, (size_t)(j->end - j->at));
            if (!n)
                return wrong(j, "a string is not UTF-8");
            memmove(to, j->at, n);
            to += n;
            j->at += n;
        }
    }
    return wrong(j, "a string has no end");
}

static bool digits(struct json *j)
{
    const char *start = j->at;

    while (j->at < j->end && *j->at >= '0' && *j->at <= '9')
        j->at++;
    return j->at > start || wrong(j, "a number lacks a digit");
}

static bool number(struct json *j, struct json_value *out)
{
    out->type = JSON_NUMBER;
    out->text = j->at;
    if (*j->at == '-')
        j->at++;
    if (j->at < j->end && *j->at == '0')
        j->at++;
    else if (!digits(j))
        return false;
    if (j->at < j->end && *j->at == '.') {
        j->at++;
        if (!digits(j))
            return false;
    }
    if (j->at < j->end && (*j->at == 'e' || *j->at == 'E')) {
        j->at++;
        if (j->at < j->end && (*j->at == '+' || *j->at == '-'))
            j->at++;
        if (!digits(j))
            return false;
    }
    out->size = (size_t)(j->at - out->text);
    return true;
}

static bool value(struct json *j, struct json_value *out, int depth);

static bool pair(struct json *j, struct json_value *name, struct json_value *out, int depth)
{
    if (!take(j, '"'))
        return wrong(j, "a member's name in quotes is missing");
    if (!string(j, name))
        return false;
    if (!take(j, ':'))
        return wrong(j, "':' is missing after a member's name");
    return value(j, out, depth);
}

/* An object or array whose opening bracket is taken already. */
static bool nested(struct json *j, char close, struct json_value *out, int depth)
{
    struct json_value name, inner;

    out->type = JSON_NESTED;
    if (depth >= DEPTH_MAX)
        return wrong(j, "values are nested too deeply");
    if (take(j, close))
        return true;
    do {
        if (!(close == '}' ? pair(j, &name, &inner, depth + 1) : value(j, &inner, depth + 1)))
            return false;
    } while (take(j, ','));
    return take(j, close) || wrong(j, close == '}' ? "an object has no end" : "an array has no end");
}

static bool value(struct json *j, struct json_value *out, int depth)
{
    static const struct {
        const char *word;
        enum json_type type;
        bool truth;
    } words[] = { { "true", JSON_BOOL, true }, { "false", JSON_BOOL, false }, { "null", JSON_NULL, false } };

    *out = (struct json_value){ 0 };
    skip_space(j);
    switch (j->at < j->end ? *j->at : 0) {
    case '"': j->at++; return string(j, out);
    case '{': j->at++; return nested(j, '}', out, depth);
    case '[': j->at++; return nested(j, ']', out, depth);
    default: break;
    }
    if (j->at < j->end && (*j->at == '-' || (*j->at >= '0' && *j->at <= '9')))
        return number(j, out);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t n = strlen(words[i].word);
        if ((size_t)(j->end - j->at) >= n && !memcmp(j->at, words[i].word, n)) {
            out->type = words[i].type;
            out->truth = words[i].truth;
            j->at += n;
            return true;
        }
    }
    return wrong(j, "a value is missing");
}

bool json_open(struct json *j)
{
    j->first = true;
    return take(j, '{') || wrong(j, "it is no JSON object");
}

bool json_member(struct json *j, struct json_value *name, struct json_value *out)
{
    const bool first = j->first;

    j->first = false;
    if (j->error)
        return false;
    if (!first && take(j, ','))
        return pair(j, name, out, 0);
    if (take(j, '}'))
        return false;
    return first ? pair(j, name, out, 0) : wrong(j, "an object has no end");
}

bool json_ends(struct json *j)
{
    skip_space(j);
    return j->at == j->end || wrong(j, "something follows the object");
}

/* How many characters from here on are written as they are: most of a text. */
static size_t plain(const char *text)
{
    size_t n = 0;

    while (text[n] >= ' ' && text[n] <= '~' && text[n] != '"' && text[n] != '\\')
        n++;
    return n;
}

void json_write_string(FILE *to, const char *text)
{
    putc('"', to);
    for (size_t left = strlen(text), n; left; left -= n, text += n) {
        const unsigned char c = (unsigned char)*text;

        n = plain(text);
        if (n) {
            fwrite(text, 1, n, to);
            continue;
        }
        n = ck_utf8_length((const unsigned char *)text, left);
        if (!n) {
            fputs("\\ufffd", to);
            n = 1;
        } else if (c == '"' || c == '\\') {
            fprintf(to, "\\%c", c);
        } else if (c == '\n') {
            fputs("\\n", to);
        } else if (ck_obeyed(text, n)) { /* escaped, so that the line itself can be shown */
            fprintf(to, "\\u%04x", ck_obeyed(text, n));
        } else {
            fwrite(text, 1, n, to);
        }
    }
    putc('"', to);
}

void json_write_member(FILE *to, const char *name, const char *text)
{
    fprintf(to, ",\"%s\":", name);
    if (text && *text)
        json_write_string(to, text);
    else
        fputs("null", to);
}
// SPDX-License-Identifier: Apache-2.0
