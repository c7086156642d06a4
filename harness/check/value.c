/* Kernel arguments from text. */
#include "harness/check/value.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct type {
    const char *name;
    char class; /* 'u', 's', 'b' or 'f' */
    unsigned char bytes;
    unsigned char significand, exponent; /* bits of a floating type, the hidden one counted in */
} types[] = {
    { "u8", 'u', 1 },         { "u16", 'u', 2 },        { "u32", 'u', 4 },        { "u64", 'u', 8 },
    { "s8", 's', 1 },         { "s16", 's', 2 },        { "s32", 's', 4 },        { "s64", 's', 8 },
    { "b8", 'b', 1 },         { "b16", 'b', 2 },        { "b32", 'b', 4 },        { "b64", 'b', 8 },
    { "f16", 'f', 2, 11, 5 }, { "bf16", 'f', 2, 8, 8 }, { "f32", 'f', 4, 24, 8 }, { "f64", 'f', 8, 53, 11 },
};

static const struct type *find_type(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strlen(types[i].name) == length && !strncmp(types[i].name, name, length))
            return &types[i];
    return NULL;
}

bool check_value_type(const char *type, size_t length)
{
    return find_type(type, length) != NULL;
}

static bool read_integer(const struct type *t, const char *text, uint64_t *out)
{
    const unsigned bits = t->bytes * 8u;
    const bool negative = *text == '-';
    const uint64_t most = bits == 64 ? UINT64_MAX : (1ull << bits) - 1;
    char *end;

    if (!isdigit((unsigned char)text[negative]))
        return false;
    errno = 0;
    *out = strtoull(text + negative, &end, 0);
    if (*end || errno)
        return false;
    if (negative) {
        const bool fits = *out <= most / 2 + 1;
        *out = (0 - *out) & most;
        return t->class != 'u' && fits;
    }
    return *out <= (t->class == 's' ? most / 2 : most);
}

/* The bits of a narrower binary format, round to nearest even, with subnormals and overflow to infinity. */
static uint64_t narrow(double value, unsigned significand, unsigned exponent)
{
    const int bias = (1 << (exponent - 1)) - 1, fraction = (int)significand - 1;
    const uint64_t infinity = ((1ull << exponent) - 1) << fraction;
    uint64_t sign = signbit(value) ? 1ull << (exponent + (unsigned)fraction) : 0;
    int e;

    if (isnan(value))
        return infinity | 1ull << (fraction - 1);
    if (isinf(value))
        return sign | infinity;
    if (value == 0)
        return sign;
    frexp(value, &e); /* |value| = 0.5..1 * 2^e */
    if (e < 2 - bias)
        e = 2 - bias; /* subnormal */
    /* in units of the last place; a carry out of the fraction raises the exponent by itself */
    const uint64_t units = (uint64_t)nearbyint(ldexp(fabs(value), fraction + 1 - e));
    const uint64_t bits = units >> fraction ? units + ((uint64_t)(e - 2 + bias) << fraction) : units;
    return sign | (bits > infinity ? infinity : bits);
}

static bool read_float(const struct type *t, const char *text, uint64_t *out)
{
    char *end;
    double d;

    if (!*text || isspace((unsigned char)*text))
        return false;
    if (t->bytes == 4) { /* rounded once, from what was written */
        const float f = strtof(text, &end);
        uint32_t bits;
        memcpy(&bits, &f, sizeof bits);
        *out = bits;
        return !*end;
    }
    d = strtod(text, &end);
    if (t->bytes == 8)
        memcpy(out, &d, sizeof *out);
    else
        *out = narrow(d, t->significand, t->exponent);
    return !*end;
}

size_t check_value_read(const char *type, size_t length, const char *text, unsigned char out[8], char *error,
                        size_t size)
{
    const struct type *t = find_type(type, length);
    uint64_t bits = 0;

    if (!t) {
        snprintf(error, size, "no type '%.*s'", (int)length, type);
        return 0;
    }
    if (t->class == 'f' ? !read_float(t, text, &bits) : !read_integer(t, text, &bits)) {
        snprintf(error, size, "no value of type %s", t->name);
        return 0;
    }
    for (unsigned i = 0; i < t->bytes; i++)
        out[i] = (unsigned char)(bits >> 8 * i);
    return t->bytes;
}

unsigned char *check_bytes_read(const char *text, size_t *bytes)
{
    const size_t digits = strlen(text);
    unsigned char *data = digits && digits % 2 == 0 ? malloc(digits / 2) : NULL;

    *bytes = 0;
    for (const char *p = text; data && *p; p += 2) {
        unsigned byte = 0;
        for (int k = 0; k < 2; k++) {
            const int c = tolower((unsigned char)p[k]);
            if (!isxdigit(c)) {
                free(data);
                return NULL;
            }
            byte = byte * 16 + (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
        }
        data[(*bytes)++] = (unsigned char)byte;
    }
    return data;
}

bool check_size_read(const char *text, size_t length, uint64_t *out)
{
    char digits[32];
    unsigned shift = 0;
    char *end;

    if (!length || length >= sizeof digits || !isdigit((unsigned char)*text))
        return false;
    memcpy(digits, text, length);
    digits[length] = 0;
    switch (digits[length - 1]) {
    case 'K': shift = 10; break;
    case 'M': shift = 20; break;
    case 'G': shift = 30; break;
    default: break;
    }
    if (shift)
        digits[length - 1] = 0;
    errno = 0;
    *out = strtoull(digits, &end, 0);
    if (*end || errno || *out > UINT64_MAX >> shift)
        return false;
    *out <<= shift;
    return true;
}
// SPDX-License-Identifier: Apache-2.0
