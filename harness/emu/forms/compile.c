/* The rows of the instruction table, compiled for matching, once in a process: those of an instruction when it is first
 * looked for. Most programs use a tenth of them. */
#include "harness/emu/forms/compile.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/emu/forms/tables.h"

/* What a form may need of the target: sm_NN with NN from `from` to `to`, and one of `letters` after it (NULL: any, or
 * none). PTX ISA, ".target". */
static const struct need {
    const char *name; /* in rows of the table */
    int from, to;
    const char *letters;
    const char *says; /* in messages */
} needs[] = {
    { "", 0, 9999, NULL, "any" },
    { "20", 20, 9999, NULL, "sm_20 or higher" },
    { "30", 30, 9999, NULL, "sm_30 or higher" },
    { "32", 32, 9999, NULL, "sm_32 or higher" },
    { "50", 50, 9999, NULL, "sm_50 or higher" },
    { "52", 52, 9999, NULL, "sm_52 or higher" },
    { "53", 53, 9999, NULL, "sm_53 or higher" },
    { "60", 60, 9999, NULL, "sm_60 or higher" },
    { "61", 61, 9999, NULL, "sm_61 or higher" },
    { "70", 70, 9999, NULL, "sm_70 or higher" },
    { "72", 72, 9999, NULL, "sm_72 or higher" },
    { "75", 75, 9999, NULL, "sm_75 or higher" },
    { "80", 80, 9999, NULL, "sm_80 or higher" },
    { "86", 86, 9999, NULL, "sm_86 or higher" },
    { "89", 89, 9999, NULL, "sm_89 or higher" },
    { "90", 90, 9999, NULL, "sm_90 or higher" },
    { "100", 100, 9999, NULL, "sm_100 or higher" },
    { "90a", 90, 90, "af", "sm_90a" },
    { "9xa", 90, 9999, "af", "sm_90a, or a later target with a or f" },
    { "100x", 100, 119, "af", "sm_100a, sm_100f, sm_103a or sm_110a" },
    { "1xxa", 100, 119, "a", "sm_100a, sm_103a or sm_110a" },
    { "100a", 100, 102, "a", "sm_100a" },
    { "10a", 100, 109, "a", "sm_100a or sm_103a" },
    { "10x", 100, 109, "af", "sm_100a, sm_100f or sm_103a" },
    { "103x", 101, 119, "af", "sm_103a or sm_110a" },
    { "1xx", 100, 9999, "af", "sm_100a, sm_120a or a later target with a or f" },
    { "120x", 120, 129, "af", "sm_120a or sm_120f" },
    { "103a", 103, 103, "a", "sm_103a" },
};
enum { NEEDS = sizeof needs / sizeof *needs };

/* Lists of alternatives that many rows share. */
static const struct macro {
    const char *name, *text;
} macros[] = {
    { "$int", "u16|u32|u64|s16|s32|s64" },
    { "$bits", "b8|b16|b32|b64" },
    { "$memory", "b8|b16|b32|b64|b128@83/70|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64" },
    { "$int32", "u32|s32" },
    { "$logic", "pred|b16|b32|b64" },
    { "$scope", "cta|cluster@78/90|gpu|sys" },
    { "$hint", "L2::cache_hint@74/80" },
    { "$prefetch", "L2::64B@74/75|L2::128B@74/75|L2::256B@74/80" },
    { "$dim", "1d|2d|3d|4d|5d" },
    { "$rnd", "rn|rz|rm|rp" },
};

enum { GROUPS = 8192, ALTERNATIVES = 32768, SPECS = 8192, FORMS = 2048 };

static struct grammars all;
static uint32_t n_groups, n_alternatives, n_specs;

/* A mistake in a table ends the program at once, so that every test finds it. */
static void bad_row(const struct ptx_form *f, const char *what, const char *at)
{
    fprintf(stderr, "instruction table: %s: %s at '%s' of '%s' '%s'\n", ptx_op_text[f->op], what, at, f->words,
            f->operands);
    abort();
}

static uint8_t need_of(const struct ptx_form *f, const char *text, size_t length)
{
    for (size_t i = 0; i < NEEDS; i++)
        if (strlen(needs[i].name) == length && !memcmp(needs[i].name, text, length))
            return (uint8_t)i;
    bad_row(f, "no such target", text);
    return 0;
}

static const struct macro *macro_of(const struct ptx_form *f, const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof macros / sizeof *macros; i++)
        if (strlen(macros[i].name) == length && !memcmp(macros[i].name, text, length))
            return &macros[i];
    bad_row(f, "no such macro", text);
    return NULL;
}

/* word, word@version, word/target, word@version/target */
static void add_alternative(const struct ptx_form *f, struct group *g, const char *text, size_t length)
{
    const char *const slash = memchr(text, '/', length);
    struct alternative a = { 0 };
    size_t word = 0;

    while (word < length && text[word] != '@' && text[word] != '/')
        word++;
    a.word = ptx_find_word(text, word);
    if (!a.word)
        bad_row(f, "no such word", text);
    if (word < length && text[word] == '@')
        a.version = (uint8_t)atoi(text + word + 1);
    if (slash)
        a.target = need_of(f, slash + 1, (size_t)(text + length - slash - 1));
    if (n_alternatives == ALTERNATIVES)
        bad_row(f, "too many alternatives", text);
    all.alternatives[n_alternatives] = a;
    n_alternatives++;
    g->count++;
    const uint8_t kind = ptx_word_class[a.word];
    if (kind == PC_type || kind == PC_space || kind == PC_layout)
        g->class = kind;
}

static void add_alternatives(const struct ptx_form *f, struct group *g, const char *text, size_t length)
{
    const char *const end = text + length;
    size_t n;

    for (const char *c = text; c < end; c += n + 1) {
        n = strcspn(c, "|");
        if (n > (size_t)(end - c))
            n = (size_t)(end - c);
        if (*c == '$') {
            const struct macro *m = macro_of(f, c, n);
            add_alternatives(f, g, m->text, strlen(m->text));
        } else {
            add_alternative(f, g, c, n);
        }
    }
}

static void make_groups(struct grammar *g)
{
    g->groups = (uint16_t)n_groups;
    for (const char *c = g->form->words; *c;) {
        const size_t n = strcspn(c, " ");
        if (*c == '*') {
            g->open = true;
            break;
        }
        if (n_groups == GROUPS)
            bad_row(g->form, "too many groups", c);
        struct group *group = &all.groups[n_groups];
        n_groups++;
        *group = (struct group){ .first = (uint16_t)n_alternatives, .optional = *c == '?' };
        size_t mark = group->optional;
        if (c[mark] == '^') {
            group->leading = true;
            mark++;
        }
        add_alternatives(g->form, group, c + mark, n - mark);
        g->n_groups++;
        c += n;
        c += strspn(c, " ");
    }
}

static void type_of(const struct ptx_form *f, struct spec *s, const char *c, size_t n)
{
    if (n && c[n - 1] == '+') {
        s->wider = true;
        n--;
    }
    if (n == 2 && *c == 'T')
        s->type = (uint16_t)(TYPE_OF + c[1] - '0');
    else
        s->type = ptx_find_word(c, n);
    if (!s->type)
        bad_row(f, "no such type", c);
}

static void make_spec(const struct ptx_form *f, struct spec *s, const char *c, size_t n)
{
    const char *const end = c + n;
    if (*c == '?') {
        s->optional = true;
        c++;
    }
    if (*c == '<') {
        c++;
        if (*c == '!') {
            s->unless = true;
            c++;
        }
        const size_t w = strcspn(c, ">");
        s->condition = ptx_find_word(c, w);
        if (!s->condition)
            bad_row(f, "no such word", c);
        c += w + 1;
    }
    s->kind = *c++;
    s->detail = c;
    s->length = (uint8_t)(end - c);
    if (strchr("vVy", s->kind)) {
        while (c < end && *c >= '0' && *c <= '9')
            s->count = (uint8_t)(s->count * 10 + *c++ - '0');
        type_of(f, s, c, (size_t)(end - c));
    } else if (strchr("dDsrxXwWceC", s->kind)) {
        type_of(f, s, c, (size_t)(end - c));
    } else if (!strchr("pPnqQiIJaAotmlzu", s->kind)) {
        bad_row(f, "no such operand", c - 1);
    }
}

static void make_specs(struct grammar *g)
{
    g->specs = (uint16_t)n_specs;
    for (const char *c = g->form->operands; *c;) {
        const size_t n = strcspn(c, " ");
        if (n_specs == SPECS)
            bad_row(g->form, "too many operands", c);
        make_spec(g->form, &all.specs[n_specs], c, n);
        n_specs++;
        g->n_specs++;
        c += n;
        c += strspn(c, " ");
    }
}

/* Puts the forms in the order of their instructions; those of one instruction stay in the order of the tables. */
static void place_forms(const struct ptx_form *const tables[], size_t count)
{
    uint16_t at[OP_COUNT] = { 0 };

    for (size_t t = 0; t < count; t++)
        for (const struct ptx_form *f = tables[t]; f->op; f++) {
            if (all.count == FORMS)
                bad_row(f, "too many forms", "");
            all.count++;
            at[f->op]++;
        }
    uint16_t next = 0;
    for (unsigned op = 0; op < OP_COUNT; op++) {
        const uint16_t forms = at[op];
        all.first_of[op] = next;
        at[op] = next;
        next = (uint16_t)(next + forms);
    }
    all.first_of[OP_COUNT] = next;
    for (size_t t = 0; t < count; t++)
        for (const struct ptx_form *f = tables[t]; f->op; f++) {
            all.grammars[at[f->op]].form = f;
            at[f->op]++;
        }
}

static void begin(void)
{
    static struct grammar grammar_rows[FORMS];
    static struct group group_rows[GROUPS];
    static struct alternative alternative_rows[ALTERNATIVES];
    static struct spec spec_rows[SPECS];
    const struct ptx_form *const tables[] = { ptx_forms_barrier, ptx_forms_control, ptx_forms_copy,    ptx_forms_float,
                                              ptx_forms_integer, ptx_forms_matrix,  ptx_forms_memory,  ptx_forms_order,
                                              ptx_forms_tcgen05, ptx_forms_tensor,  ptx_forms_texture, ptx_forms_video,
                                              ptx_forms_wmma };
    all = (struct grammars){
        .grammars = grammar_rows, .groups = group_rows, .alternatives = alternative_rows, .specs = spec_rows
    };
    place_forms(tables, sizeof tables / sizeof *tables);
}

static void make(struct grammar *g)
{
    const char *target = g->form->target;

    g->target = target ? need_of(g->form, target, strlen(target)) : 0;
    make_groups(g);
    make_specs(g);
}

static void begin_once(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, begin);
}

const struct grammars *form_grammars_of(uint16_t op)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static bool made[OP_COUNT];

    begin_once();
    pthread_mutex_lock(&lock);
    for (uint16_t k = all.first_of[op]; k < all.first_of[op + 1] && !made[op]; k++)
        make(&all.grammars[k]);
    made[op] = true;
    pthread_mutex_unlock(&lock);
    return &all;
}

const struct grammars *form_grammars(void)
{
    for (unsigned op = 0; op < OP_COUNT; op++)
        form_grammars_of((uint16_t)op);
    return &all;
}

const struct ptx_form *ptx_form(uint16_t i)
{
    begin_once();
    return i && i <= all.count ? all.grammars[i - 1].form : NULL;
}

bool form_target_fits(const struct ptx_module *m, uint8_t target)
{
    const struct need *n = &needs[target];

    if (m->sm < n->from || m->sm > n->to)
        return false;
    return !n->letters || (m->arch && strchr(n->letters, m->arch));
}

const char *form_target_name(uint8_t target)
{
    return needs[target].says;
}
// SPDX-License-Identifier: Apache-2.0
