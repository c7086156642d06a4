/* "Can I rely on it?", and what happens when a rule is broken: what records say of a rule. */
#include <string.h>

#include "harness/book/parts.h"

const char *book_rely_word(enum book_rely rely)
{
    static const char *const words[] = { "yes", "as recorded", "no", "not checked" };

    return words[rely];
}

static void join_machines(FILE *to, const struct book *book, size_t rule)
{
    const struct book_evidence *e = &book->evidence;
    bool any = false;

    for (size_t c = 0; c < e->column_count; c++) {
        bool known = !ck_tally_total(&e->of[rule][c]) || !*e->columns[c].machine;

        for (size_t i = 0; i < c && !known; i++)
            known = ck_tally_total(&e->of[rule][i]) && !strcmp(e->columns[i].machine, e->columns[c].machine);
        if (known)
            continue;
        fputs(any ? " and " : "", to);
        book_text(to, e->columns[c].machine);
        any = true;
    }
    if (!any)
        fputs("the compilers, assemblers and the emulator named below", to);
}

static void answer(FILE *to, const struct book *book, size_t rule)
{
    const struct ck_rule *r = ck_rules[rule];

    switch (book_rely(&book->evidence, rule)) {
    case BOOK_YES:
        fputs("<p><span class=yes>Yes.</span> It is documented, and everything that was asked keeps it.", to);
        break;
    case BOOK_AS_RECORDED:
        fputs(
            "<p><span class=as>As recorded.</span> No document says it, or documents disagree. It is what was seen on ",
            to);
        join_machines(to, book, rule);
        fputs("; another machine or toolkit may differ.", to);
        break;
    case BOOK_NO:
        if (r->evidence == CK_FOLKLORE)
            fputs("<p><span class=no>No.</span> It is often said, but no document has it, and a case shows otherwise.",
                  to);
        else
            fputs("<p><span class=no>Not everywhere.</span> It is documented; the table says where it is not kept.",
                  to);
        break;
    case BOOK_UNCHECKED:
        fputs(r->evidence == CK_DOCUMENTED ? "<p><b>By the document.</b> No recorded run has checked it"
                                           : "<p><b>Not recorded.</b> No run has looked at it",
              to);
        if (r->no_case) {
            fputs(": ", to);
            book_text(to, r->no_case);
        }
        putc('.', to);
    }
    fputs("</p>\n", to);
}

static void tally(FILE *to, const struct ck_tally *t)
{
    bool any = false;

    for (int v = 0; v < CK_V_COUNT; v++)
        if (t->of[v]) {
            fprintf(to, "%s%s %s", any ? ", " : "", ck_thousands(t->of[v]),
                    v == CK_V_SEEN ? "recorded" : ck_verdict_names[v]);
            any = true;
        }
}

/* Devices first, then the emulator, then what compiles, by version. */
static int rank(const struct book_column *c)
{
    return *c->machine ? 0 : !strcmp(c->engine, "emu") ? 1 : 2;
}

static bool comes_before(const struct book_column *a, const struct book_column *b)
{
    return rank(a) != rank(b) ? rank(a) < rank(b) : rank(a) == 2 && strcmp(a->engine, b->engine) < 0;
}

/* The columns that have points of the rule, in this order. */
static size_t columns_of(const struct book_evidence *e, size_t rule, size_t order[BOOK_COLUMNS])
{
    size_t count = 0;

    for (size_t c = 0; c < e->column_count; c++) {
        size_t at = count;

        if (!ck_tally_total(&e->of[rule][c]))
            continue;
        for (; at && comes_before(&e->columns[c], &e->columns[order[at - 1]]); at--)
            order[at] = order[at - 1];
        order[at] = c;
        count++;
    }
    return count;
}

/* Whether two engines did the same and can share a row: toolkits of one kind, "ptxas-12.0" and "ptxas-12.3". */
static bool alike(const struct book_evidence *e, size_t rule, size_t a, size_t b)
{
    const size_t n = strcspn(e->columns[a].engine, "-");

    return e->columns[a].engine[n] && !strncmp(e->columns[a].engine, e->columns[b].engine, n + 1) &&
           !memcmp(&e->of[rule][a], &e->of[rule][b], sizeof e->of[rule][a]);
}

static void tallies(FILE *to, const struct book *book, size_t rule)
{
    const struct book_evidence *e = &book->evidence;
    size_t order[BOOK_COLUMNS];
    const size_t count = columns_of(e, rule, order);

    if (!count)
        return;
    fputs(
        "<div class=wide><table><thead><tr><th><a href=\"../words.html#w-engine\">engine</a></th><th class=t>machine</th>"
        "<th class=t><a href=\"../words.html#w-point\">points</a></th></tr></thead>"
        "<tbody>\n",
        to);
    for (size_t i = 0; i < count;) {
        const struct book_column *c = &e->columns[order[i]];
        const struct ck_tally *t = &e->of[rule][order[i]];
        bool bad = false;

        for (int v = 0; v < CK_V_COUNT; v++)
            bad |= t->of[v] && ck_verdict_is_bad((enum ck_verdict)v);
        fputs("<tr><td class=t>", to);
        book_text(to, c->engine);
        for (i++; i < count && alike(e, rule, order[i - 1], order[i]); i++) {
            fputs(", ", to);
            book_text(to, strchr(e->columns[order[i]].engine, '-') + 1);
        }
        fputs("</td><td class=t>", to);
        book_text(to, c->machine);
        fputs(bad ? "</td><td class=\"t bad n\">" : "</td><td class=\"t n\">", to);
        tally(to, t);
        fputs("</td></tr>\n", to);
    }
    fputs("</tbody></table></div>\n", to);
}

struct links {
    FILE *to;
    unsigned count;
};

static void finding(void *user, unsigned number, const char *title)
{
    struct links *l = user;

    fprintf(l->to, "%s<a href=\"../findings.html#f%u\">",
            l->count++ ? "; "
                       : "<p>Documents and machine differ here, "
                         "or are silent: ",
            number);
    for (; *title; title++) {
        const char one[2] = { *title, '\0' };

        book_text(l->to, *title == '`' ? "" : one);
    }
    fputs("</a>", l->to);
}

/* What was seen where the documents leave it open. */
static void seen(FILE *to, const struct book *book, size_t rule)
{
    const struct book_sayings *said = &book->evidence.said[rule];
    bool any = false;

    for (size_t i = 0; i < said->count; i++) {
        const struct book_saying *s = &said->all[i];

        if (s->breach)
            continue;
        if (!any)
            fputs(
                "<details><summary>What was seen where it is left open</summary><div class=wide><table><thead><tr>"
                "<th>engine</th><th class=t>first point</th><th>points</th><th class=t>seen</th></tr></thead><tbody>\n",
                to);
        any = true;
        fputs("<tr><td class=t>", to);
        book_text(to, book->evidence.columns[s->column].engine);
        fputs("</td><td class=t><code>", to);
        book_text(to, s->point);
        fprintf(to, "</code></td><td>%u</td><td class=t>", s->count);
        book_text(to, s->seen);
        fputs("</td></tr>\n", to);
    }
    if (any)
        fputs("</tbody></table></div></details>\n", to);
}

void book_rely_part(FILE *to, const struct book *book, size_t rule)
{
    struct links links = { to, 0 };

    fputs("<h2>Can I rely on it?</h2>\n", to);
    answer(to, book, rule);
    if (book->findings)
        book_findings_of(book->findings, ck_rules[rule]->id, finding, &links);
    fputs(links.count ? ".</p>\n" : "", to);
    tallies(to, book, rule);
    seen(to, book, rule);
}

void book_broken_part(FILE *to, const struct book *book, size_t rule)
{
    const struct book_sayings *said = &book->evidence.said[rule];
    bool any = false;

    for (size_t i = 0; i < said->count; i++) {
        const struct book_saying *s = &said->all[i];
        const char *mark = strrchr(s->point, '~');

        if (!s->breach)
            continue;
        if (!any)
            fputs(
                "<h2>When it is broken</h2>\n<div class=wide><table><thead><tr><th>mistake</th><th class=t>engine</th>"
                "<th>points</th><th class=t>what was seen</th></tr></thead><tbody>\n",
                to);
        any = true;
        fputs("<tr><td class=t>", to);
        book_text(to, mark ? mark + 1 : "");
        fputs("</td><td class=t>", to);
        book_text(to, book->evidence.columns[s->column].engine);
        fprintf(to, "</td><td>%u</td><td class=t>", s->count);
        book_text(to, s->seen);
        fputs("</td></tr>\n", to);
    }
    if (any)
        fputs(
            "</tbody></table></div>\n<p class=mute>"
            "differs: it left other bytes than the program without the mistake. emu, the emulator, names the rules that a launch breaks; a GPU may "
            "well leave the right bytes all the same.</p>\n",
            to);
}
// SPDX-License-Identifier: Apache-2.0
