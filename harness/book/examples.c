/* Right and wrong: what a rule's cases have, as text. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "harness/book/parts.h"

enum { SHOWN = 3 }; /* cases that are unfolded */

static int by_case(const void *a, const void *b)
{
    const struct book_firsts *const x = a, *const y = b;

    return (x->c > y->c) - (x->c < y->c);
}

bool book_examples_open(struct book *book)
{
    struct book_firsts *at = NULL;

    book->firsts = calloc(book->plan.count + 1, sizeof *book->firsts);
    if (!book->firsts)
        return false;
    for (size_t i = 0; i < book->plan.count; i++) {
        const struct ck_point *p = &book->plan.points[i];

        if (!at || at->c != p->c) {
            at = &book->firsts[book->first_count++];
            at->c = p->c;
        }
        if (!p->variant && !at->of[p->side])
            at->of[p->side] = p;
    }
    qsort(book->firsts, book->first_count, sizeof *book->firsts, by_case);
    return true;
}

/* The first point of this case on this side, or NULL. */
static const struct ck_point *point_of(const struct book *book, const struct ck_case *c, enum ck_side side)
{
    const struct book_firsts key = { .c = c };
    const struct book_firsts *found = bsearch(&key, book->firsts, book->first_count, sizeof *book->firsts, by_case);

    return found ? found->of[side] : NULL;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static void alternatives(FILE *to, const char *what, const char *text)
{
    if (!text)
        return;
    fprintf(to, "<dt>%s</dt><dd>", what);
    for (const char *at = text;; at++) {
        const int n = (int)strcspn(at, "|");

        if (at > text)
            fputs(" &nbsp;|&nbsp; ", to);
        if (n) {
            char *one = strndup(at, (size_t)n);

            book_text(to, one ? one : "");
            free(one);
        } else {
            fputs("<i>nothing</i>", to);
        }
        at += n;
        if (!*at)
            break;
    }
    fputs("</dd>", to);
}

static void lines(FILE *to, char *text)
{
    char *rest = text;

    for (char *line; (line = strsep(&rest, "\n")) != NULL && (*line || rest);)
        book_line(to, line, false);
}

static void side(FILE *to, const struct ck_point *p, const char *head)
{
    char *text = p ? ck_point_text(p, ck_case_row(p->c)) : NULL;
    char *declare = p && p->c->declare ? ck_point_text(p, p->c->declare) : NULL;

    if (text) {
        fprintf(to, "<div><h3>%s</h3><pre>", head);
        if (declare && *declare)
            lines(to, declare);
        lines(to, text);
        fputs("</pre></div>\n", to);
    }
    free(text);
    free(declare);
}

/* The module that an assembler gets, for the playground. */
static void playground(FILE *to, const struct ck_point *p)
{
    struct ck_fragment f;
    const struct ck_fragment *one = &f;
    char *module;

    if (!p || !p->c->assemble || !ck_fragment(p, &f))
        return;
    module = ck_fragment_module(&one, 1, NULL);
    if (module)
        book_play_module(to, module);
    free(module);
    ck_fragment_free(&f);
}

static void row(FILE *to, struct book *book, const struct ck_case *c)
{
    static const char *const names[][3] = {
        { "assemble", "An assembler takes it", "and refuses this" },
        { "encode", "The driver takes it", "and refuses this" },
        { "compile", "The compiler takes it", "and refuses this" },
    };
    const char *phase = ck_case_phase(c);
    const size_t n = !strcmp(phase, "assemble") ? 0 : !strcmp(phase, "encode") ? 1 : 2;
    const struct ck_point *right = point_of(book, c, CK_ACCEPT);
    const bool place = ck_has_place(ck_case_row(c)) && !strchr(ck_case_row(c), '\n');

    fputs("<div class=sides>", to);
    side(to, right, names[n][1]);
    side(to, point_of(book, c, CK_REFUSE), names[n][2]);
    if (!c->accept && !c->refuse)
        side(to, point_of(book, c, CK_SEEN), "Left open: what is seen is recorded");
    fputs("</div><dl>", to);
    if (place) {
        char form[1024];

        ck_with_first_values(c, ck_case_row(c), form, sizeof form);
        fputs("<dt>form</dt><dd>", to);
        book_text(to, form);
        fputs("</dd>", to);
    }
    alternatives(to, place ? "accepted for $" : "accepted", c->accept);
    alternatives(to, place ? "refused for $" : "refused", c->refuse);
    alternatives(to, place ? "recorded for $" : "recorded", c->seen);
    fputs("</dl>", to);
    if (book->play)
        playground(to, right ? right : point_of(book, c, CK_REFUSE));
}

/* ---- launches ---------------------------------------------------------------------------------------------------- */

/* The words that turn a kernel into the form of one of the case's variants: CK_MUTANT(kernel, name, WORD, ...). */
static size_t changing_words(const struct ck_case *c, const char *text, const char *kernel, char (*words)[48],
                             size_t max)
{
    const struct ck_variant *const lists[] = { c->breaches, c->mutants };
    size_t count = 0;

    for (size_t l = 0; l < 2; l++)
        for (size_t i = 0; i < CK_VARIANTS && lists[l][i].name; i++) {
            char begin[256];
            const char *at;

            if (!lists[l][i].kernel || count == max)
                continue;
            snprintf(begin, sizeof begin, "CK_MUTANT(%s, %s, ", kernel, lists[l][i].kernel);
            at = strstr(text, begin);
            if (at)
                snprintf(words[count++], sizeof *words, "%.*s", (int)strcspn(at + strlen(begin), ",)"),
                         at + strlen(begin));
        }
    return count;
}

static bool has_word(const char *line, size_t size, const char *word)
{
    const size_t n = strlen(word);

    for (size_t i = 0; i + n <= size; i++)
        if (!strncmp(line + i, word, n) && !(i && (isalnum((unsigned char)line[i - 1]) || line[i - 1] == '_')) &&
            !(isalnum((unsigned char)line[i + n]) || line[i + n] == '_'))
            return true;
    return false;
}

/* Lines of code; those with one of the words are marked. */
static void code(FILE *to, const char *at, const char *end, char (*words)[48], size_t count)
{
    fputs("<pre>", to);
    while (at < end) {
        const size_t size = strcspn(at, "\n") < (size_t)(end - at) ? strcspn(at, "\n") : (size_t)(end - at);
        char *line = strndup(at, size);
        bool marked = false;

        for (size_t i = 0; i < count; i++)
            marked |= has_word(at, size, words[i]) && strncmp(at, "/*", 2) != 0 && strncmp(at, " *", 2) != 0;
        book_line(to, line ? line : "", marked);
        free(line);
        at += size + 1;
    }
    fputs("</pre>\n", to);
}

static void variants(FILE *to, const char *what, const char *word, const struct ck_variant *v)
{
    for (size_t i = 0; i < CK_VARIANTS && v[i].name; i++) {
        if (i)
            fputs("<dt></dt><dd><b>", to);
        else
            fprintf(to, "<dt><a href=\"../words.html#w-%s\">%s</a></dt><dd><b>", word, what);
        book_text(to, v[i].name);
        fputs("</b>: ", to);
        book_text(to, v[i].change ? v[i].change : v[i].set ? v[i].set : "");
        if (v[i].change && v[i].set) {
            fputs(" <span class=mute>(", to);
            book_text(to, v[i].set);
            fputs(")</span>", to);
        }
        fputs("</dd>", to);
    }
}

/* The name behind `.run = ` of the case that begins on the line of `at` ("FILE:LINE"). */
static bool run_name(const char *text, unsigned long line, char *name, size_t size)
{
    const char *at = text;

    while (--line && at)
        if ((at = strchr(at, '\n')) != NULL)
            at++;
    at = at ? strstr(at, ".run = ") : NULL;
    if (!at)
        return false;
    snprintf(name, size, "%.*s", (int)strspn(at + 7, "abcdefghijklmnopqrstuvwxyz_0123456789"), at + 7);
    return true;
}

/* The kernels whose names stand in quotes in a run function, each once. */
static size_t kernels_of(const struct book *book, const char *at, const char *end, const struct book_kernel **kernels,
                         size_t max)
{
    size_t count = 0;

    while (at < end && count < max && (at = memchr(at, '"', (size_t)(end - at))) != NULL) {
        const char *stop = memchr(at + 1, '"', (size_t)(end - at - 1));
        const struct book_kernel *kernel;
        char name[96];
        bool twice = false;

        if (!stop)
            break;
        snprintf(name, sizeof name, "%.*s", (int)(stop - at - 1), at + 1);
        kernel = book_kernel_find(&book->sources, name);
        for (size_t i = 0; i < count; i++)
            twice |= kernels[i] == kernel;
        if (kernel && !twice)
            kernels[count++] = kernel;
        at = stop + 1;
    }
    return count;
}

/* The body of a kernel: in its own file, or in a header of kernels/. */
static const struct book_source *body_of(const struct book *book, const struct book_kernel *k, const char **begin,
                                         const char **end)
{
    const struct book_source *own = &book->sources.all[k->source];
    char name[128];

    snprintf(name, sizeof name, "%s_body", k->name);
    if (book_function(own->text, name, begin, end) || book_function(own->text, k->name, begin, end))
        return own;
    for (size_t i = 0; i < book->sources.count; i++) {
        const struct book_source *s = &book->sources.all[i];

        if (s->text && !strncmp(s->path, "kernels/", 8) && book_function(s->text, name, begin, end))
            return s;
    }
    return NULL;
}

/* The functions that have one of the words, each once. */
static void behind_body(FILE *to, const char *text, char (*words)[48], size_t count)
{
    enum { MOST = 3 };
    const char *shown[MOST];
    size_t functions = 0;

    for (size_t i = 0; i < count; i++)
        for (const char *at = text; (at = strstr(at, words[i])) != NULL; at++) {
            const char *begin, *end;
            bool twice = functions == MOST;

            if (!has_word(at, strlen(words[i]), words[i]) || !book_around(text, at, &begin, &end))
                continue;
            for (size_t k = 0; k < functions; k++)
                twice |= shown[k] == begin;
            if (twice)
                continue;
            shown[functions++] = begin;
            code(to, begin, end, words, count);
        }
}

static void kernel(FILE *to, struct book *book, const struct ck_case *c, const struct book_kernel *k, bool open)
{
    const char *begin, *end;
    char words[2 * CK_VARIANTS][48];
    const struct book_source *s = body_of(book, k, &begin, &end);
    const size_t count = changing_words(c, book->sources.all[k->source].text, k->name, words, 2 * CK_VARIANTS);

    if (!s)
        return;
    fprintf(to, "<details%s><summary>The kernel <code>", open ? " open" : "");
    book_text(to, k->name);
    fputs("</code> in ", to);
    book_text(to, s->path);
    fputs(count ? "; marked lines are those in which a mistake or a mutant differs" : "", to);
    fputs("</summary>", to);
    code(to, begin, end, words, count);
    for (size_t i = 0; i < count; i++) /* what the body calls, where the mistakes are there */
        if (!has_word(begin, (size_t)(end - begin), words[i])) {
            behind_body(to, s->text, words, count);
            break;
        }
    fputs("</details>\n", to);
}

/* The texts in which a case's functions may be: its file, and the headers of tests/ that this includes. */
struct texts {
    const char *of[8];
    size_t count;
};

static struct texts texts_of(struct book *book, const char *file)
{
    struct texts t = { .of = { file }, .count = 1 };

    for (size_t i = 0; i < t.count; i++)
        for (const char *at = t.of[i]; (at = strstr(at, "#include \"tests/")) != NULL && t.count < 8; at += 16) {
            char path[256];
            const char *text;

            snprintf(path, sizeof path, "%.*s", (int)strcspn(at + 10, "\"\n"), at + 10);
            text = book_source(&book->sources, path);
            if (text)
                t.of[t.count++] = text;
        }
    return t;
}

/* The kernels that a function names, or those that it calls do. */
static size_t kernels_behind(const struct book *book, const struct texts *t, const char *at, const char *end, int depth,
                             const struct book_kernel **kernels, size_t max)
{
    size_t count = kernels_of(book, at, end, kernels, max);

    for (; at < end && !count && depth; at++) {
        const size_t n = strspn(at, "abcdefghijklmnopqrstuvwxyz_0123456789");
        const char *begin, *stop;
        char name[96];

        if (n && n < sizeof name && at[n] == '(' && strncmp(at, "ck_", 3) != 0) {
            snprintf(name, sizeof name, "%.*s", (int)n, at);
            for (size_t i = 0; i < t->count && !count; i++)
                if (book_function(t->of[i], name, &begin, &stop) && !(at > begin && at < stop))
                    count = kernels_behind(book, t, begin, stop, depth - 1, kernels, max);
        }
        at += n;
    }
    return count;
}

static void launch(FILE *to, struct book *book, const struct ck_case *c, bool open)
{
    const struct book_kernel *kernels[4];
    const char *begin, *end, *text;
    char path[256], name[96];
    size_t count;

    fputs("<dl class=text>", to);
    variants(to, "mistakes", "breach", c->breaches);
    variants(to, "mutants", "mutant", c->mutants);
    fputs("</dl>\n", to);
    if (!c->at)
        return;
    snprintf(path, sizeof path, "%.*s", (int)strcspn(c->at, ":"), c->at);
    text = book_source(&book->sources, path);
    if (!text || !run_name(text, strtoul(c->at + strlen(path) + 1, NULL, 10), name, sizeof name) ||
        !book_function(text, name, &begin, &end))
        return;
    const struct texts texts = texts_of(book, text);
    count = kernels_behind(book, &texts, begin, end, 3, kernels, 4);
    for (size_t i = 0; i < count; i++)
        kernel(to, book, c, kernels[i], open);
    fprintf(to, "<details%s><summary>The case: what is launched, and what must come of it</summary>",
            count || !open ? "" : " open");
    code(to, begin, end, NULL, 0);
    fputs("</details>\n", to);
}

void book_examples(FILE *to, struct book *book, const struct ck_rule *rule)
{
    const struct ck_case *c = NULL;
    size_t number = 0;

    while ((c = ck_case_of(ck_suites, rule, c)) != NULL) {
        const bool open = number++ < SHOWN;

        if (!open)
            fputs("<details><summary>", to);
        else
            fputs("<h3>", to);
        fputs(ck_case_row(c) ? ck_case_phase(c) : "launch", to);
        if (c->name) {
            fputs(": ", to);
            book_text(to, c->name);
        }
        fputs(" <span class=mute>", to);
        book_text(to, c->at ? c->at : "");
        fputs(open ? "</span></h3>\n" : "</span></summary>\n", to);
        if (ck_case_row(c))
            row(to, book, c);
        else
            launch(to, book, c, number == 1);
        fputs(open ? "" : "</details>\n", to);
    }
    if (!number) {
        fputs("<p>No case checks this rule: ", to);
        book_text(to, rule->no_case ? rule->no_case : "none is there yet");
        fputs(".</p>\n", to);
    }
}
// SPDX-License-Identifier: Apache-2.0
