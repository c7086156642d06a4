/* The forms of the sweep: a table of patterns, and what they expand to.
 *
 * In a pattern <one|two> means each of its alternatives, <t=one|two> too, and $t elsewhere for the one chosen. The
 * types of results and inputs follow the same way: "results:inputs", a type with *3 after it three times. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/alu_sweep.h"

static const struct sweep_type types[] = {
    { "p", 0, SWEEP_PREDICATE, 1, 1, 0, 0, 0 },       { "u8", 4, SWEEP_INTEGER, 1, 32, 0, 0, 0 },
    { "s8", 4, SWEEP_INTEGER, 1, 32, 0, 0, 0 },       { "b16", 2, SWEEP_INTEGER, 1, 16, 0, 0, 0 },
    { "u16", 2, SWEEP_INTEGER, 1, 16, 0, 0, 0 },      { "s16", 2, SWEEP_INTEGER, 1, 16, 0, 0, 0 },
    { "b32", 4, SWEEP_INTEGER, 1, 32, 0, 0, 0 },      { "u32", 4, SWEEP_INTEGER, 1, 32, 0, 0, 0 },
    { "s32", 4, SWEEP_INTEGER, 1, 32, 0, 0, 0 },      { "b64", 8, SWEEP_INTEGER, 1, 64, 0, 0, 0 },
    { "u64", 8, SWEEP_INTEGER, 1, 64, 0, 0, 0 },      { "s64", 8, SWEEP_INTEGER, 1, 64, 0, 0, 0 },
    { "u16x2", 4, SWEEP_INTEGER, 2, 16, 0, 0, 0 },    { "s16x2", 4, SWEEP_INTEGER, 2, 16, 0, 0, 0 },
    { "u8x4", 4, SWEEP_INTEGER, 4, 8, 0, 0, 0 },      { "small", 4, SWEEP_SMALL, 1, 32, 0, 0, 0 },
    { "bits16", 2, SWEEP_BITS, 1, 16, 0, 0, 0 },      { "bits32", 4, SWEEP_BITS, 1, 32, 0, 0, 0 },
    { "f16", 2, SWEEP_FLOAT, 1, 16, 5, 10, 0 },       { "bf16", 2, SWEEP_FLOAT, 1, 16, 8, 7, 0 },
    { "f16x2", 4, SWEEP_FLOAT, 2, 16, 5, 10, 0 },     { "bf16x2", 4, SWEEP_FLOAT, 2, 16, 8, 7, 0 },
    { "f32", 4, SWEEP_FLOAT, 1, 32, 8, 23, 0 },       { "f64", 8, SWEEP_FLOAT, 1, 64, 11, 52, 0 },
    { "mf16x2", 4, SWEEP_FRAGMENT, 2, 16, 5, 10, 0 }, { "mbf16x2", 4, SWEEP_FRAGMENT, 2, 16, 8, 7, 0 },
    { "mtf32", 4, SWEEP_FRAGMENT, 1, 32, 8, 23, 0 },  { "mf32", 4, SWEEP_FRAGMENT, 1, 32, 8, 23, 0 },
    { "mf64", 8, SWEEP_FRAGMENT, 1, 64, 11, 52, 0 },  { "me4m3x4", 4, SWEEP_FRAGMENT, 4, 8, 4, 3, 0 },
    { "me5m2x4", 4, SWEEP_FRAGMENT, 4, 8, 5, 2, 0 },  { "meta", 4, SWEEP_METADATA, 8, 4, 0, 0, 0 },
    { "meta2", 4, SWEEP_METADATA, 4, 4, 0, 0, 0 },
};

const struct sweep_type *sweep_type(const char *name, size_t length)
{
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (strlen(types[k].name) == length && !strncmp(types[k].name, name, length))
            return &types[k];
    return NULL;
}

struct pattern {
    const char *text, *types, *contract;
};

#define INTS     "u16|u32|u64|s16|s32|s64"
#define WIDE     "u32|s32|u64|s64"
#define RND      "|.rn|.rz|.rm|.rp"
#define MUST_RND ".rn|.rz|.rm|.rp"
#define INTEGRAL ".rni|.rzi|.rmi|.rpi"
#define CMP_S    "eq|ne|lt|le|gt|ge"
#define CMP_U    "lo|ls|hi|hs"
#define CMP_F    "eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan"

static const struct pattern patterns[] = {
#include "tools/alu_sweep_forms.def"
#include "tools/alu_sweep_wgmma.def"
};

/* ---- expansion -------------------------------------------------------------------------------------------------- */

enum { LONGEST = 1024 };

struct chosen {
    const char *of[26]; /* of each letter */
    size_t length[26];
};

static bool fail(char *error, size_t size, const char *what, const char *where)
{
    snprintf(error, size, "the table of forms: %s in \"%.150s\"", what, where);
    return false;
}

static bool take_types(const struct sweep_type **to, unsigned *count, unsigned most, const char *list, size_t length)
{
    while (length) {
        const char *comma = memchr(list, ',', length);
        const size_t item = comma ? (size_t)(comma - list) : length;
        const char *star = memchr(list, '*', item);
        const struct sweep_type *type = sweep_type(list, star ? (size_t)(star - list) : item);
        const unsigned times = star ? (unsigned)strtoul(star + 1, NULL, 10) : 1;

        for (unsigned k = 0; k < times; k++) {
            if (!type || *count == most)
                return false;
            to[(*count)++] = type;
        }
        list += item + (comma != NULL);
        length -= item + (comma != NULL);
    }
    return true;
}

static bool add_form(struct sweep *s, const char *text, const char *signature, const char *contract, char *error,
                     size_t size)
{
    struct sweep_form *f;
    const char *colon = strchr(signature, ':');

    if (s->count == s->room) {
        struct sweep_form *more = realloc(s->forms, (s->room + 512) * sizeof *more);
        if (!more)
            return fail(error, size, "out of memory", text);
        s->forms = more;
        s->room += 512;
    }
    f = &s->forms[s->count];
    *f = (struct sweep_form){ .text = strdup(text), .contract = strdup(contract) };
    s->count++;
    if (!f->text || !f->contract)
        return fail(error, size, "out of memory", text);
    if (!colon || !take_types(f->out, &f->outs, SWEEP_MAX_OUT, signature, (size_t)(colon - signature)) ||
        !take_types(f->in, &f->ins, SWEEP_MAX_IN, colon + 1, strlen(colon + 1)) || !f->outs)
        return fail(error, size, "a type that is unknown, or too many,", signature);
    return true;
}

/* $t to what was chosen for t. */
static bool substitute(const char *from, const struct chosen *c, char *to)
{
    size_t n = 0;

    for (; *from; from++) {
        if (*from == '$') {
            const int letter = *++from - 'a';
            if (letter < 0 || letter > 25 || !c->of[letter] || n + c->length[letter] >= LONGEST)
                return false;
            memcpy(to + n, c->of[letter], c->length[letter]);
            n += c->length[letter];
        } else if (n + 1 < LONGEST) {
            to[n++] = *from;
        }
    }
    to[n] = 0;
    return true;
}

/* The first <...> of `text`, which follows `done`, by each of its alternatives. */
static bool expand(struct sweep *s, const char *done, const char *text, const struct pattern *p, struct chosen *c,
                   char *error, size_t size)
{
    const char *open = strchr(text, '<'), *close = open ? strchr(open, '>') : NULL, *at;
    char whole[LONGEST], signature[LONGEST];
    int letter = -1;

    if (!open) {
        char joined[2 * LONGEST];
        snprintf(joined, sizeof joined, "%s%s", done, text);
        if (strlen(joined) >= LONGEST || !substitute(joined, c, whole) || !substitute(p->types, c, signature))
            return fail(error, size, "a letter without a choice", text);
        return add_form(s, whole, signature, p->contract ? p->contract : "=", error, size);
    }
    if (!close)
        return fail(error, size, "no end of <", text);
    at = open + 1;
    if (at[0] >= 'a' && at[0] <= 'z' && at[1] == '=') {
        letter = at[0] - 'a';
        at += 2;
    }
    for (;;) {
        const char *end = at;
        while (end < close && *end != '|')
            end++;
        if (letter >= 0) {
            c->of[letter] = at;
            c->length[letter] = (size_t)(end - at);
        }
        snprintf(whole, sizeof whole, "%s%.*s%.*s", done, (int)(open - text), text, (int)(end - at), at);
        if (!expand(s, whole, close + 1, p, c, error, size))
            return false;
        if (end == close)
            return true;
        at = end + 1;
    }
}

bool sweep_forms(struct sweep *s, char *error, size_t size)
{
    *s = (struct sweep){ 0 };
    for (size_t k = 0; k < sizeof patterns / sizeof *patterns; k++) {
        struct chosen c = { 0 };
        if (!expand(s, "", patterns[k].text, &patterns[k], &c, error, size))
            return false;
    }
    return true;
}

void sweep_free(struct sweep *s)
{
    for (size_t k = 0; k < s->count; k++) {
        free(s->forms[k].text);
        free(s->forms[k].contract);
    }
    free(s->forms);
}
// SPDX-License-Identifier: Apache-2.0
