/* Text from outside, made harmless before it is shown. */
#include "harness/base/clean.h"

#include "harness/base/plain.h"

#include <stdio.h>
#include <string.h>

size_t ck_utf8_length(const unsigned char *p, size_t left)
{
    static const struct {
        unsigned char from, to, second_from, second_to;
        size_t length;
    } forms[] = {
        { 0x00, 0x7F, 0, 0, 1 },       { 0xC2, 0xDF, 0x80, 0xBF, 2 }, { 0xE0, 0xE0, 0xA0, 0xBF, 3 },
        { 0xE1, 0xEC, 0x80, 0xBF, 3 }, { 0xED, 0xED, 0x80, 0x9F, 3 }, { 0xEE, 0xEF, 0x80, 0xBF, 3 },
        { 0xF0, 0xF0, 0x90, 0xBF, 4 }, { 0xF1, 0xF3, 0x80, 0xBF, 4 }, { 0xF4, 0xF4, 0x80, 0x8F, 4 },
    };

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (*p < forms[i].from || *p > forms[i].to)
            continue;
        if (forms[i].length > left)
            return 0;
        for (size_t k = 1; k < forms[i].length; k++) {
            const unsigned char low = k == 1 ? forms[i].second_from : 0x80;
            const unsigned char high = k == 1 ? forms[i].second_to : 0xBF;
            if (p[k] < low || p[k] > high)
                return 0;
        }
        return forms[i].length;
    }
    return 0;
}

unsigned ck_obeyed(const char *text, size_t length)
{
    const unsigned char *p = (const unsigned char *)text;
    unsigned c = length == 1 ? p[0] : p[0] & (0xFFu >> (length + 1));

    for (size_t k = 1; k < length; k++)
        c = c << 6 | (p[k] & 0x3F);
    return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x061C || c == 0x200E || c == 0x200F ||
                   (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069)
               ? c
               : 0;
}

size_t ck_clean_bytes(char *text, size_t size, bool lines)
{
    char *to = text;

    for (size_t at = 0, n; at < size; at += n) {
        const char *p = text + at;
        n = ck_plain(p, size - at);
        if (!n && (*p == '"' || *p == '\\'))
            n = 1;
        if (n) { /* most */
            if (to != p)
                memmove(to, p, n);
            to += n;
            continue;
        }
        n = ck_utf8_length((const unsigned char *)p, size - at);
        if (lines && (*p == '\n' || *p == '\t')) {
            *to++ = *p;
        } else if (!n || !*p || ck_obeyed(p, n)) {
            *to++ = '?';
            n = n ? n : 1;
        } else {
            memmove(to, p, n);
            to += n;
        }
    }
    return (size_t)(to - text);
}

void ck_clean(char *text, bool lines)
{
    text[ck_clean_bytes(text, strlen(text), lines)] = 0;
}

char *ck_clean_copy(char *out, size_t size, const char *text)
{
    snprintf(out, size, "%s", text);
    ck_clean(out, false);
    return out;
}
// SPDX-License-Identifier: Apache-2.0
