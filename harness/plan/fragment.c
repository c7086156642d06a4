/* The module around an assemble row's statements.
 *
 * It declares, under short names, one of everything that the instructions of the families take, so that a row is a
 * single statement and its two sides differ in the one thing that the rule is about. Registers hold nothing: such a
 * module is assembled, never run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/append.h"
#include "harness/plan/plan.h"

static const char module_head[] = ".version %d.%d\n"
                                  ".target %s\n"
                                  ".address_size 64\n"
                                  ".global .align 128 .b8 gbuf[1024];\n"
                                  ".const .align 128 .b8 cbuf[1024];\n"
                                  ".global .align 64 .b8 gmap[128];\n"
                                  ".const .align 64 .b8 cmap[128];\n"
                                  ".shared .align 64 .b8 smap[128];\n"
                                  ".shared .align 128 .b8 sbuf[1024];\n"
                                  ".shared .align 8 .b64 mb;\n"
                                  "%s\n";

static const char entry[] = ".visible .entry k%s(.param .align 64 .b8 pmap[128])\n"
                            "{\n"
                            ".reg .pred p, q;\n"
                            ".reg .b16 h;\n"
                            ".reg .b32 sa, ma, ra, n, m, r<8>;\n"
                            ".reg .b64 g, pol, st, d<4>, gm;\n"
                            ".reg .f32 f0, f1;\n"
                            ".reg .f64 fd0;\n"
                            "%s\n"
                            "ret;\n"
                            "}\n";

/* The target and the version that the row names, or else its rule. */
static bool find_target(const struct ck_point *p, struct ck_fragment *f)
{
    struct ck_needs needs;
    char *word;
    int major = 0, minor = 0;

    ck_needs_parse(p->c->rule->needs, &needs);
    if (p->c->target) {
        word = ck_point_text(p, p->c->target);
        if (!word)
            return false;
        snprintf(f->target, sizeof f->target, "%s", word);
        free(word);
    } else {
        snprintf(f->target, sizeof f->target, "sm_%d%.1s", needs.sm ? needs.sm : 90, &needs.arch);
    }
    f->version = needs.ptx ? needs.ptx : 80;
    if (!p->c->version)
        return true;
    word = ck_point_text(p, p->c->version);
    const bool read = word && sscanf(word, "%d.%d", &major, &minor) == 2;
    f->version = major * 10 + minor;
    free(word);
    return read;
}

bool ck_fragment(const struct ck_point *p, struct ck_fragment *f)
{
    *f = (struct ck_fragment){ 0 };
    if (find_target(p, f)) {
        f->body = ck_point_text(p, p->c->assemble);
        f->declare = ck_point_text(p, p->c->declare ? p->c->declare : "");
    }
    if (f->body && f->declare)
        return true;
    ck_fragment_free(f);
    return false;
}

void ck_fragment_free(struct ck_fragment *f)
{
    free(f->body);
    free(f->declare);
    *f = (struct ck_fragment){ 0 };
}

bool ck_fragment_joins(const struct ck_fragment *f)
{
    static const char *const others[] = { "//", "/*", "\"", ".entry", ".func", ".version", ".target", NULL };
    int open = 0;

    for (const char *c = f->body; *c; c++) {
        open += (*c == '{') - (*c == '}');
        if (open < 0)
            return false;
    }
    for (int i = 0; others[i]; i++)
        if (strstr(f->body, others[i]))
            return false;
    return !open && !*f->declare;
}

static int lines_of(const char *text)
{
    int n = 0;

    for (; (text = strchr(text, '\n')); text++)
        n++;
    return n;
}

char *ck_fragment_module(const struct ck_fragment *const *rows, size_t count, int *lines)
{
    struct ck_growing text = { 0 };
    char number[24] = "";
    size_t counted = 0;
    int line = 1;
    bool held =
        ck_grow(&text, module_head, rows[0]->version / 10, rows[0]->version % 10, rows[0]->target, rows[0]->declare);

    for (size_t i = 0; i < count && held; i++) {
        line += lines_of(text.data + counted);
        counted = text.size;
        if (lines)
            lines[i] = line;
        if (count > 1)
            snprintf(number, sizeof number, "%zu", i);
        held = ck_grow(&text, entry, number, rows[i]->body);
    }
    if (lines && held)
        lines[count] = line + lines_of(text.data + counted);
    if (!held)
        ck_growing_free(&text);
    return text.data;
}
// SPDX-License-Identifier: Apache-2.0
