/* Several PTX texts as one.
 *
 * Each text is split into the statements of its module scope. All go into the result in their order, but the heads of
 * the texts, of which one is written; definitions that another text has already (.weak, .common); and declarations
 * (.extern) of a variable, which are given the type that its definition has. */
#include "harness/inside/device/link.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/hash.h"
#include "harness/base/index.h"
#include "harness/base/room.h"

enum linkage { LOCAL, EXTERN, VISIBLE, WEAK, COMMON };
enum kind { OTHER, HEAD, FILE_NAME, VARIABLE, FUNCTION, ENTRY };

struct piece {
    const char *at;
    size_t length;
};

struct statement {
    size_t text;
    const char *start, *end;
    const char *head; /* where the body or the initialiser begins, or the end mark */
    enum kind kind;
    enum linkage linkage;
    bool defines;
    struct piece name;
};

/* A name as one text alone knows it, or as all do. */
struct symbol {
    struct piece name;
    size_t text; /* EVERYWHERE: it is known to all */
    size_t definition;
    bool clashes; /* of one that is local: another text has the name too */
    bool declared;
};

enum { FEW = 64 };
static const size_t EVERYWHERE = SIZE_MAX, NONE = SIZE_MAX;

struct linker {
    const struct fatbin *from;
    struct statement *statements;
    size_t count, room;
    struct symbol *symbols;
    size_t symbol_count, symbol_room;
    struct ck_index index;
    uint64_t files[FATBIN_TEXTS]; /* what is added to the numbers of a text's files */
    bool renames[FATBIN_TEXTS];
    char *out;
    size_t size, out_room;
    char *error;
    size_t error_size;
};

/* ---- tokens -------------------------------------------------------------------------------------------------------
 */

static bool is_part(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The next token from *c on: a word (also one that begins with a dot or %), a number, a string, or one character.
 * Empty at the end. */
static struct piece next(const char **c, const char *end)
{
    const char *at = *c;

    for (;;) {
        while (at < end && (*at == ' ' || (*at >= '\t' && *at <= '\r')))
            at++;
        if (end - at >= 2 && at[0] == '/' && at[1] == '/') {
            const char *newline = memchr(at, '\n', (size_t)(end - at));
            at = newline ? newline : end;
        } else if (end - at >= 2 && at[0] == '/' && at[1] == '*') {
            at += 2;
            while (at < end && !(end - at >= 2 && at[0] == '*' && at[1] == '/'))
                at++;
            at = end - at >= 2 ? at + 2 : end;
        } else {
            break;
        }
    }
    const char *const start = at;
    if (at == end) {
        *c = at;
        return (struct piece){ at, 0 };
    }
    if (*at == '"') {
        at++;
        while (at < end && *at != '"' && *at != '\n')
            at += *at == '\\' && end - at > 1 ? 2 : 1;
        at += at < end;
    } else {
        at++;
        if (is_part(*start) || ((*start == '.' || *start == '%') && at < end && is_part(*at)))
            while (at < end && is_part(*at))
                at++;
    }
    *c = at;
    return (struct piece){ start, (size_t)(at - start) };
}

static bool is(struct piece p, const char *text)
{
    return p.length == strlen(text) && !memcmp(p.at, text, p.length);
}

/* ---- statements ---------------------------------------------------------------------------------------------------
 */

static bool out_of_memory(struct linker *l)
{
    snprintf(l->error, l->error_size, "no memory to link its %zu texts", l->from->count);
    return false;
}

static const struct {
    const char *word;
    enum kind kind;
} kinds[] = {
    { ".version", HEAD },    { ".target", HEAD },    { ".address_size", HEAD }, { ".file", FILE_NAME },
    { ".global", VARIABLE }, { ".const", VARIABLE }, { ".shared", VARIABLE },   { ".tex", VARIABLE },
    { ".func", FUNCTION },   { ".entry", ENTRY },
};

static const struct {
    const char *word;
    enum linkage linkage;
} linkages[] = { { ".extern", EXTERN }, { ".visible", VISIBLE }, { ".weak", WEAK }, { ".common", COMMON } };

/* What a word in front of the name says of the statement. */
static void take_word(struct statement *s, struct piece word)
{
    for (size_t i = 0; s->kind == OTHER && i < sizeof kinds / sizeof *kinds; i++)
        if (is(word, kinds[i].word))
            s->kind = kinds[i].kind;
    for (size_t i = 0; i < sizeof linkages / sizeof *linkages; i++)
        if (is(word, linkages[i].word))
            s->linkage = linkages[i].linkage;
}

/* Whether a statement that has no end mark is complete: .version 9.0, .target a, b, .file 1 "name", 2, 3. */
static bool is_line(const struct statement *s)
{
    return s->kind == HEAD || s->kind == FILE_NAME;
}

/* One statement from *c on. */
static struct statement statement_at(const char **c, const char *end, size_t text)
{
    struct statement s = { .text = text, .start = *c };
    unsigned round = 0, curly = 0;
    bool initial = false; /* behind the = of a variable */

    for (;;) {
        const struct piece t = next(c, end);
        if (!t.length)
            break;
        if (!s.end)
            s.start = t.at;
        s.end = *c;
        if (*t.at == '(')
            round++;
        else if (*t.at == ')')
            round -= round > 0;
        else if (*t.at == '{') {
            if (!curly++ && !s.head && !initial)
                s.head = t.at;
        } else if (*t.at == '}') {
            curly -= curly > 0;
            if (!curly && !initial)
                break;
        } else if (*t.at == '=' && !curly && !initial) {
            initial = true;
            s.head = t.at;
        } else if (*t.at == ';' && !curly) {
            s.head = s.head ? s.head : t.at;
            break;
        } else if (!round && !curly && !initial && *t.at == '.')
            take_word(&s, t);
        else if (!round && !curly && !initial && !s.name.at && !is_digit(*t.at) && is_part(*t.at))
            s.name = t;
        if (is_line(&s)) { /* up to the end of its line */
            const char *newline = memchr(*c, '\n', (size_t)(end - *c));
            *c = s.end = newline ? newline : end;
            break;
        }
    }
    if (!s.head)
        s.head = s.end;
    s.defines = s.kind == VARIABLE ? s.linkage != EXTERN : s.head && s.head < s.end && *s.head == '{';
    if (s.kind != VARIABLE && s.kind != FUNCTION && s.kind != ENTRY)
        s.name = (struct piece){ 0 };
    return s;
}

static bool split(struct linker *l, size_t text)
{
    const char *c = l->from->texts[text].text, *const end = c + l->from->texts[text].size;

    for (;;) {
        const struct statement s = statement_at(&c, end, text);
        struct statement *grown;
        if (!s.end)
            return true;
        grown = ck_room(l->statements, l->count, &l->room, FEW, sizeof *grown);
        if (!grown)
            return out_of_memory(l);
        l->statements = grown;
        l->statements[l->count++] = s;
    }
}

/* ---- symbols ------------------------------------------------------------------------------------------------------
 */

struct key {
    const struct linker *l;
    struct piece name;
    size_t text;
};

static bool is_symbol(const void *key, size_t element)
{
    const struct key *k = key;
    const struct symbol *s = &k->l->symbols[element];

    return s->text == k->text && s->name.length == k->name.length && !memcmp(s->name.at, k->name.at, s->name.length);
}

static size_t *place_of(const struct linker *l, struct piece name, size_t text)
{
    const struct key key = { l, name, text };

    return ck_index_find(&l->index, fnv1a(fnv1a(FNV1A_BASIS, name.at, name.length), &text, sizeof text), is_symbol,
                         &key);
}

static struct symbol *symbol_of(const struct linker *l, struct piece name, size_t text)
{
    const size_t *place = place_of(l, name, text);

    return place && *place ? &l->symbols[*place - 1] : NULL;
}

static struct symbol *add_symbol(struct linker *l, struct piece name, size_t text)
{
    size_t *place = place_of(l, name, text);
    struct symbol *s;

    if (*place)
        return &l->symbols[*place - 1];
    s = &l->symbols[l->symbol_count];
    *s = (struct symbol){ .name = name, .text = text, .definition = NONE };
    *place = ++l->symbol_count;
    return s;
}

/* Which definition of a name that all know is kept: one that is neither .weak nor .common, else the first. */
static bool define(struct linker *l, struct symbol *s, size_t number)
{
    const struct statement *now = &l->statements[number];
    const struct statement *old = s->definition == NONE ? NULL : &l->statements[s->definition];

    if (!old || (old->linkage != VISIBLE && now->linkage == VISIBLE))
        s->definition = number;
    else if (old->linkage == VISIBLE && now->linkage == VISIBLE) {
        snprintf(l->error, l->error_size, "'%.*s' is defined in two of its object files", (int)now->name.length,
                 now->name.at);
        return false;
    }
    return true;
}

/* All names, and which local ones of a text are known elsewhere too. `first`: the text that keeps a local name. */
static bool find_symbols(struct linker *l)
{
    l->symbols = calloc(2 * l->count + 1, sizeof *l->symbols);
    if (!l->symbols || !ck_index_make(&l->index, 2 * l->count + 1))
        return out_of_memory(l);
    for (size_t i = 0; i < l->count; i++) {
        const struct statement *s = &l->statements[i];
        if (s->name.at && s->linkage != LOCAL && s->defines && !define(l, add_symbol(l, s->name, EVERYWHERE), i))
            return false;
        if (s->name.at && s->linkage != LOCAL)
            add_symbol(l, s->name, EVERYWHERE);
    }
    for (size_t i = 0; i < l->count; i++) {
        const struct statement *s = &l->statements[i];
        struct symbol *all, *own;
        if (!s->name.at || s->linkage != LOCAL)
            continue;
        all = symbol_of(l, s->name, EVERYWHERE);
        if (all && all->definition != NONE && l->statements[all->definition].text == s->text)
            continue; /* declared before without its linkage */
        own = symbol_of(l, s->name, s->text);
        if (own)
            continue;
        own = add_symbol(l, s->name, s->text);
        own->clashes = all != NULL;
        if (own->clashes)
            l->renames[s->text] = true;
        else
            add_symbol(l, s->name, EVERYWHERE);
    }
    return true;
}

/* ---- the result ---------------------------------------------------------------------------------------------------
 */

static bool put(struct linker *l, const char *at, size_t length)
{
    while (l->size + length + 1 > l->out_room) {
        const size_t room = l->out_room ? 2 * l->out_room : 1 << 16;
        char *grown = realloc(l->out, room);
        if (!grown)
            return out_of_memory(l);
        l->out = grown;
        l->out_room = room;
    }
    memcpy(l->out + l->size, at, length);
    l->size += length;
    l->out[l->size] = 0;
    return true;
}

/* A part of a text: its own names that others have too get a suffix, and so do the labels of its debug section; the
 * numbers of its files become those of the result. */
static bool put_part(struct linker *l, size_t text, const char *at, const char *end)
{
    const char *done = at, *c = at;
    bool number = false; /* the next number is that of a file */
    char suffix[32];

    if (!l->renames[text] && !l->files[text] && !text)
        return put(l, at, (size_t)(end - at));
    snprintf(suffix, sizeof suffix, "$%zu", text);
    for (;;) {
        const struct piece t = next(&c, end);
        if (!t.length)
            return put(l, done, (size_t)(end - done));
        if (number && is_digit(*t.at)) {
            char moved[32];
            const int n =
                snprintf(moved, sizeof moved, "%llu", strtoull(t.at, NULL, 10) + (unsigned long long)l->files[text]);
            if (!put(l, done, (size_t)(t.at - done)) || !put(l, moved, (size_t)n))
                return false;
            done = c;
        } else if (is_part(*t.at) && !is_digit(*t.at)) {
            const struct symbol *s = l->renames[text] ? symbol_of(l, t, text) : NULL;
            const bool label = t.length > 7 && !memcmp(t.at, "$L__inf", 7);
            if (((s && s->clashes) || label) && (!put(l, done, (size_t)(c - done)) || !put(l, suffix, strlen(suffix))))
                return false;
            if ((s && s->clashes) || label)
                done = c;
        }
        number = is(t, ".loc") || is(t, ".file") || is(t, "inlined_at");
    }
}

/* The declaration that an .extern statement becomes, or a .weak definition that is not kept: that of the definition,
 * without its body or initialiser. */
static bool put_declaration(struct linker *l, const struct statement *definition)
{
    const char *c = definition->start;

    next(&c, definition->head); /* its own linkage */
    return put(l, ".extern ", 8) && put_part(l, definition->text, c, definition->head) && put(l, ";\n", 2);
}

static bool put_statement(struct linker *l, size_t number)
{
    const struct statement *s = &l->statements[number];
    struct symbol *symbol = s->name.at && s->linkage != LOCAL ? symbol_of(l, s->name, EVERYWHERE) : NULL;

    if (s->kind == HEAD)
        return true;
    if (symbol && (symbol->definition == number || symbol->definition == NONE)) {
        const bool again = symbol->definition == NONE && s->kind == VARIABLE && symbol->declared;
        symbol->declared = true;
        return again || (put_part(l, s->text, s->start, s->end) && put(l, "\n", 1));
    }
    if (symbol) { /* defined elsewhere */
        if (symbol->declared)
            return true;
        symbol->declared = true;
        return put_declaration(l, &l->statements[symbol->definition]);
    }
    return put_part(l, s->text, s->start, s->end) && put(l, "\n", 1);
}

/* Numbers of a statement at the head: .version 9.0 as 900, .target sm_90a as 9001. */
static unsigned rank_of(struct piece p)
{
    unsigned n = 0;

    for (size_t i = 0; i < p.length; i++)
        if (is_digit(p.at[i]))
            n = 10 * n + (unsigned)(p.at[i] - '0');
    return 10 * n + (p.length && (p.at[p.length - 1] == 'a' || p.at[p.length - 1] == 'f'));
}

/* One head for all: the highest version and target. */
static bool put_heads(struct linker *l)
{
    static const char *const words[] = { ".version", ".target", ".address_size" };

    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        const struct statement *best = NULL;
        unsigned best_rank = 0;
        for (size_t i = 0; i < l->count; i++) {
            const struct statement *s = &l->statements[i];
            const char *c = s->start;
            if (s->kind != HEAD || !is(next(&c, s->end), words[w]))
                continue;
            struct piece value = next(&c, s->end);
            if (!w) /* 9.0 is three tokens */
                value.length = strcspn(value.at, " \t\r\n/");
            if (!best || rank_of(value) > best_rank) {
                best = s;
                best_rank = rank_of(value);
            }
        }
        if (best && (!put(l, best->start, (size_t)(best->end - best->start)) || !put(l, "\n", 1)))
            return false;
    }
    return true;
}

/* The files of a text get numbers behind those of the texts before it. */
static void number_files(struct linker *l)
{
    uint64_t highest = 0;
    size_t i = 0;

    for (size_t text = 0; text < l->from->count; text++) {
        l->files[text] = highest;
        for (; i < l->count && l->statements[i].text == text; i++) {
            const char *c = l->statements[i].start;
            if (l->statements[i].kind != FILE_NAME)
                continue;
            next(&c, l->statements[i].end);
            const uint64_t n = strtoull(next(&c, l->statements[i].end).at, NULL, 10) + l->files[text];
            highest = n > highest ? n : highest;
        }
    }
}

bool link_texts(const struct fatbin *from, char **out, size_t *size, char *error, size_t error_size)
{
    struct linker l = { .from = from, .error = error, .error_size = error_size };
    bool fine = true;

    *out = NULL;
    for (size_t i = 0; i < from->count && fine; i++)
        fine = split(&l, i);
    number_files(&l);
    fine = fine && find_symbols(&l) && put_heads(&l);
    for (size_t i = 0; i < l.count && fine; i++)
        fine = put_statement(&l, i);
    free(l.statements);
    free(l.symbols);
    ck_index_free(&l.index);
    if (!fine) {
        free(l.out);
        return false;
    }
    *out = l.out;
    *size = l.size;
    return true;
}
// SPDX-License-Identifier: Apache-2.0
