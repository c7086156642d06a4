/* Line tables (.file, .loc) and debug sections. Sections are skipped, except for the names in .debug_str, which the
 * .loc directives of inlined instructions refer to. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/emu/ptx/parser.h"

static const char *keep(struct parser *p, const char *text, size_t length)
{
    char *copy = arena_alloc(p->arena, length + 1, 1);
    if (!copy) {
        fail_memory(p);
        return NULL;
    }
    memcpy(copy, text, length);
    return copy;
}

static bool number(struct parser *p, uint32_t *out, const char *what)
{
    if (p->tok.kind != TK_number || p->tok.flags & PF_FLOAT)
        return fail(p, "expected %s", what);
    *out = p->tok.value > UINT32_MAX ? UINT32_MAX : (uint32_t)p->tok.value;
    return next_token(p);
}

/* .file N "name" [, time, size] [;] */
bool parse_file(struct parser *p)
{
    const struct token at = p->tok;
    uint32_t n = 0, ignored;
    char text[12];
    if (!number(p, &n, "the number of a file"))
        return false;
    /* no other name is a number, so one that is known is that of a file */
    const uint32_t known = p->names.count;
    const int length = snprintf(text, sizeof text, "%u", n);
    if (name_intern(p, text, (size_t)length) == PTX_NO)
        return false;
    if (p->names.count == known)
        return fail_at(p, &at, "there are two files with the number %u", n);
    if (p->tok.kind != TK_string)
        return fail(p, "expected the name of a file");
    const char *name = keep(p, p->tok.start, p->tok.length);
    struct ptx_file *f = name ? vec_add(p->arena, &p->files, 1) : NULL;
    if (!f)
        return fail_memory(p);
    *f = (struct ptx_file){ n, name };
    if (!next_token(p))
        return false;
    while (accept(p, ','))
        if (!number(p, &ignored, "a number"))
            return false;
    accept(p, ';');
    return !p->failed;
}

/* The loc entry of the place an instruction was inlined at: a recent one, or a new one. */
static uint32_t place(struct parser *p, uint32_t file, uint32_t line, uint32_t column)
{
    for (uint32_t k = 0, i = p->locs.count; k < 64 && i > 0; k++) {
        const struct ptx_loc *l = loc_at(p, --i);
        if (l->file == file && l->line == line && l->column == column)
            return i;
    }
    struct ptx_loc *l = vec_add(p->arena, &p->locs, 1);
    if (!l) {
        fail_memory(p);
        return PTX_NO;
    }
    *l = (struct ptx_loc){ file, line, column, NULL, PTX_NO };
    return p->locs.count - 1;
}

/* .loc file line column [, function_name label [+ n]] [, inlined_at file line column] [;] */
bool parse_loc(struct parser *p)
{
    struct ptx_loc l = { .inlined_at = PTX_NO };
    if (!number(p, &l.file, "the number of a file") || !number(p, &l.line, "a line") ||
        !number(p, &l.column, "a column"))
        return false;
    while (accept(p, ',')) {
        if (token_is(p, "function_name")) {
            uint32_t ignored;
            if (!next_token(p))
                return false;
            if (p->tok.kind != TK_name)
                return fail(p, "expected a label");
            const uint32_t n = name_intern(p, p->tok.start, p->tok.length);
            if (n == PTX_NO)
                return false;
            l.function = name_at(p, n)->text;
            if (!next_token(p) || (accept(p, '+') && !number(p, &ignored, "a number")))
                return false;
        } else if (token_is(p, "inlined_at")) {
            uint32_t file = 0, line = 0, column = 0;
            if (!next_token(p) || !number(p, &file, "the number of a file") || !number(p, &line, "a line") ||
                !number(p, &column, "a column"))
                return false;
            l.inlined_at = place(p, file, line, column);
            if (l.inlined_at == PTX_NO)
                return false;
        } else {
            return fail(p, "expected function_name or inlined_at");
        }
    }
    struct ptx_loc *out = p->failed ? NULL : vec_add(p->arena, &p->locs, 1);
    if (!out)
        return fail_memory(p);
    *out = l;
    p->loc = p->locs.count - 1;
    accept(p, ';');
    return !p->failed;
}

/* The bytes that follow a label of .debug_str, up to a zero: kept under the label's name. */
static bool debug_string(struct parser *p)
{
    const uint32_t n = name_intern(p, p->tok.start, p->tok.length);
    char text[400];
    size_t length = 0;
    if (n == PTX_NO || !next_token(p) || !expect(p, ':'))
        return false;
    bool ended = false;
    while (!ended && take_word(p, PTX_b8))
        do {
            if (p->tok.kind != TK_number)
                return !p->failed; /* not a string: the caller skips it */
            ended = !p->tok.value;
            if (!ended && length < sizeof text) {
                text[length] = (char)p->tok.value;
                length++;
            }
            if (!next_token(p))
                return false;
        } while (accept(p, ','));
    const char *kept = keep(p, text, length);
    struct debug_name *d = kept ? vec_add(p->scratch, &p->debug_names, 1) : NULL;
    if (!d)
        return fail_memory(p);
    *d = (struct debug_name){ name_at(p, n)->text, kept };
    return !p->failed;
}

bool parse_section(struct parser *p)
{
    const struct token at = p->tok;
    const bool strings = at.kind == TK_word && at.length == 9 && !memcmp(at.start, "debug_str", 9);
    if (at.kind != TK_word && at.kind != TK_name && at.kind != TK_string)
        return fail(p, "expected the name of a section");
    if (!next_token(p) || !is_punct(p, '{'))
        return expect(p, '{');
    if (strings) {
        if (!next_token(p))
            return false;
        while (!is_punct(p, '}')) {
            if (p->tok.kind == TK_end)
                return fail_at(p, &at, "this section does not end");
            if (p->tok.kind == TK_name ? !debug_string(p) : !next_token(p))
                return false;
        }
        return next_token(p);
    }
    /* Contents are data for a debugger; none of it holds a brace. */
    const char *close = memchr(p->cursor, '}', (size_t)(p->end - p->cursor));
    if (!close)
        return fail_at(p, &at, "this section does not end");
    for (const char *c = p->cursor; (c = memchr(c, '\n', (size_t)(close - c))); c++) {
        p->line++;
        p->line_start = c + 1;
    }
    p->cursor = close + 1;
    return next_token(p);
}

static int by_label(const void *a, const void *b)
{
    const struct debug_name *x = a, *y = b;
    return x->label < y->label ? -1 : x->label > y->label;
}

static int by_number(const void *a, const void *b)
{
    const struct ptx_file *x = a, *y = b;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* After the whole text is read: makes locs name files by position in module.files, and functions by their names in
 * .debug_str. Interned names compare by address. */
bool finish_debug(struct parser *p)
{
    struct ptx_file *files = p->files.data;
    struct debug_name *names = p->debug_names.data;
    if (p->files.count)
        qsort(files, p->files.count, sizeof *files, by_number);
    if (p->debug_names.count)
        qsort(names, p->debug_names.count, sizeof *names, by_label);
    for (uint32_t i = 0; i < p->locs.count; i++) {
        struct ptx_loc *l = loc_at(p, i);
        const struct ptx_file key = { l->file, NULL };
        const struct ptx_file *f =
            p->files.count ? bsearch(&key, files, p->files.count, sizeof *files, by_number) : NULL;
        l->file = f ? (uint32_t)(f - files) : PTX_NO;
        if (!l->function || !p->debug_names.count)
            continue;
        const struct debug_name of = { l->function, NULL };
        const struct debug_name *d = bsearch(&of, names, p->debug_names.count, sizeof *names, by_label);
        if (d)
            l->function = d->text;
    }
    return true;
}
// SPDX-License-Identifier: Apache-2.0
