/* Which functions an instruction comes from, and their names: "_ZN4cuda3__44initEPNS0_7barrierI...EEl" is cuda::init.
 * Of a name only what names the function is read; parameters and template arguments are skipped. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/append.h"
#include "harness/emu/ptx/ptx.h"

struct name {
    const char *p;            /* what is left of the mangled text */
    char *out;                /* what is read so far */
    size_t size, last, parts; /* the last part begins there; how many there are */
};

static size_t number(struct name *n)
{
    size_t value = 0;

    for (; isdigit((unsigned char)*n->p); n->p++)
        value = value < 100000 ? value * 10 + (size_t)(*n->p - '0') : value;
    return value;
}

/* Steps over so many characters, at most to the end. */
static void step(struct name *n, size_t length)
{
    n->p += strnlen(n->p, length);
}

/* A namespace that says a version ("__4", "__v1"), or the file that a static function is in. */
static bool is_silent(const char *text, size_t length)
{
    size_t i = 2;

    if (length > 10 && !strncmp(text, "_INTERNAL_", 10))
        return true;
    if (length < 3 || strncmp(text, "__", 2) != 0)
        return false;
    i += isalpha((unsigned char)text[2]) && length > 3;
    while (i < length && isdigit((unsigned char)text[i]))
        i++;
    return i == length;
}

static void add_part(struct name *n, const char *before, const char *text, size_t length)
{
    ck_append(n->out, n->size, "%s", n->parts++ ? "::" : "");
    n->last = strlen(n->out);
    ck_append(n->out, n->size, "%s%.*s", before, (int)length, text);
}

/* <length> <text> */
static void source_name(struct name *n)
{
    const size_t length = number(n);
    const char *text = n->p;

    step(n, length);
    if (!is_silent(text, length))
        add_part(n, "", text, (size_t)(n->p - text));
}

/* S_, S0_, St and their like, of which only St is a name. */
static void substitution(struct name *n)
{
    step(n, 1);
    if (*n->p == 't')
        add_part(n, "", "std", 3);
    if (islower((unsigned char)*n->p)) {
        step(n, 1);
        return;
    }
    step(n, strcspn(n->p, "_") + 1);
}

/* What has an end of its own in a list of template arguments: steps behind its last E. */
static void skip_to_end(struct name *n)
{
    for (int depth = 1; *n->p && depth;) {
        const char c = *n->p;
        if (isdigit((unsigned char)c)) {
            const size_t length = number(n);
            step(n, length);
        } else if (c == 'S' || c == 'T' || c == 'A') {
            step(n, islower((unsigned char)n->p[1]) ? 2 : strcspn(n->p, "_") + 1);
        } else if (c == 'L' && strchr("NS0123456789_", n->p[1]) == NULL) { /* a literal of a type of one letter */
            step(n, strcspn(n->p, "E") + 1);
        } else if (c == 'L') { /* of an enumeration: its type, then its value */
            step(n, 1);
            if (*n->p == 'N') {
                step(n, 1);
                skip_to_end(n);
            } else if (*n->p == 'S') {
                step(n, strcspn(n->p, "_") + 1);
            } else {
                const size_t length = number(n);
                step(n, length);
            }
            step(n, strcspn(n->p, "E") + 1);
        } else {
            const bool decltype_ = c == 'D' && (n->p[1] == 't' || n->p[1] == 'T');
            depth += decltype_ || strchr("INXJFZ", c) ? 1 : c == 'E' ? -1 : 0;
            step(n, 1 + decltype_);
        }
    }
}

/* The parts between N and E. */
static void nested_name(struct name *n)
{
    char last[80];

    step(n, strspn(n->p, "rVKRO"));
    while (*n->p && *n->p != 'E') {
        if (*n->p == 'L')
            step(n, 1);
        if (isdigit((unsigned char)*n->p)) {
            source_name(n);
        } else if (*n->p == 'I') {
            step(n, 1);
            skip_to_end(n);
        } else if (*n->p == 'S') {
            substitution(n);
        } else if ((*n->p == 'C' || *n->p == 'D') && isdigit((unsigned char)n->p[1])) {
            snprintf(last, sizeof last, "%s", n->out + n->last);
            add_part(n, *n->p == 'D' ? "~" : "", last, strlen(last));
            step(n, 2);
        } else {
            return; /* an operator: the class says enough */
        }
    }
}

void ptx_plain_name(const char *mangled, char *out, size_t size)
{
    struct name n = { .p = mangled + 2, .out = out, .size = size };

    *out = 0;
    if (strncmp(mangled, "_Z", 2) != 0) {
        snprintf(out, size, "%s", mangled);
        return;
    }
    if (*n.p == 'L')
        step(&n, 1);
    if (*n.p == 'N') {
        step(&n, 1);
        nested_name(&n);
    } else if (isdigit((unsigned char)*n.p)) {
        source_name(&n);
    }
}

/* The nearest place before this one, else the first behind it, that is on the same line and tells its function: where
 * nvcc merges two places it leaves the function out. PTX_NO: there is none. */
static uint32_t told_nearby(const struct ptx_module *m, uint32_t at)
{
    const struct ptx_loc *l = &m->locs[at];
    uint32_t found = PTX_NO;

    for (uint32_t i = 0; i < m->n_locs && (i < at || found == PTX_NO); i++)
        if (m->locs[i].function && m->locs[i].file == l->file && m->locs[i].line == l->line &&
            m->locs[i].column == l->column)
            found = i;
    return found;
}

size_t ptx_functions_of(const struct ptx_module *m, const struct ptx_instruction *i, const char **names, size_t most)
{
    const struct ptx_function *f = ptx_function_of(m, i);
    uint32_t at = i->loc;
    size_t n = 0;

    for (unsigned steps = 0; at != PTX_NO && n + 1 < most && steps < 256; steps++) {
        if (!m->locs[at].function)
            at = told_nearby(m, at);
        if (at == PTX_NO)
            break;
        names[n++] = m->locs[at].function;
        at = m->locs[at].inlined_at;
    }
    if (f && n < most)
        names[n++] = f->name;
    return n;
}
// SPDX-License-Identifier: Apache-2.0
