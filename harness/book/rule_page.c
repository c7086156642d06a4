/* The page of a rule. */
#include <stdlib.h>
#include <string.h>

#include "expected/layer.h"
#include "harness/base/bad.h"
#include "harness/base/text.h"
#include "harness/book/parts.h"
#include "harness/maps/maps.h"

static void field(FILE *to, const char *label, const char *text)
{
    fprintf(to, "<dt>%s</dt><dd>", label);
    book_text(to, text);
    fputs("</dd>\n", to);
}

/* A rule's sources are one string, separated by "; ". */
static void sources(FILE *to, const char *text)
{
    const char *label = "source";

    while (*text) {
        const char *end = strstr(text, "; ");
        char *one = strndup(text, end ? (size_t)(end - text) : strlen(text));

        field(to, label, one ? one : "");
        free(one);
        label = "";
        text = end ? end + 2 : text + strlen(text);
    }
}

static void facts(FILE *to, const struct ck_rule *rule)
{
    fputs("<dl class=text>", to);
    fputs("<dt>family</dt><dd>", to);
    fprintf(to, "<a href=\"../family-%s.html\">%s</a></dd>\n", rule->family, rule->family);
    field(to, "kind",
          rule->kind == CK_PROMISE ? "promise: what the system does; cases run conforming code and look"
                                   : "obligation: what a program must do; cases break it and look");
    field(to, "evidence",
          rule->evidence == CK_DOCUMENTED ? "documented"
          : rule->evidence == CK_OBSERVED ? "observed: documents are silent or disagree"
                                          : "folklore: believed, in no document");
    field(to, "needs", rule->needs);
    sources(to, rule->source);
    fputs("</dl>\n", to);
}

static void picture(FILE *to, const char *id)
{
    char *text = NULL;
    size_t size = 0;
    FILE *lines = open_memstream(&text, &size);

    const bool drawn = lines && ck_picture_svg(lines, id), lettered = lines && !drawn && ck_picture(lines, id);

    if (!lines || !ck_text_close(lines, &text))
        ck_no_memory();
    if (drawn)
        fprintf(to, "<h2>Picture</h2>\n%s", text);
    if (lettered) {
        fputs("<h2>Picture</h2>\n<pre>", to);
        book_text(to, text + strspn(text, "\n"));
        fputs("</pre>\n", to);
    }
    free(text);
}

/* ---- related rules ------------------------------------------------------------------------------------------------
 */

static void link_to(FILE *to, const struct ck_rule *rule, const char *why)
{
    fprintf(to, "<li><a href=\"%s.html\"><code>%s</code></a>", rule->id, rule->id);
    book_text(to, rule->sentence);
    if (why)
        fprintf(to, " <span class=mute>(%s)</span>", why);
    fputs("</li>\n", to);
}

/* How far the names are alike: up to the dot before their last parts. */
static bool akin(const char *a, const char *b)
{
    const char *dot = strrchr(a, '.');

    return dot && !strncmp(a, b, (size_t)(dot - a) + 1) && strcmp(a, b) != 0;
}

static void related(FILE *to, const struct ck_rule *rule)
{
    enum { MOST = 12 };
    size_t count = 0;

    fputs("<h2>Related rules</h2>\n<ul class=rules>\n", to);
    for (const struct ck_layer *l = ck_layers; l->rule; l++) {
        if (l->rule != rule && ck_layer_is_above(l, rule) && count++ < MOST)
            link_to(to, l->rule, "the same in a library above");
        for (size_t i = 0; l->rule == rule && ck_rules[i]; i++)
            if (ck_layer_is_above(l, ck_rules[i]) && count++ < MOST)
                link_to(to, ck_rules[i], "the rule of PTX behind it");
    }
    for (size_t i = 0; ck_rules[i]; i++)
        if (!strcmp(ck_rules[i]->family, rule->family) && akin(rule->id, ck_rules[i]->id) && count++ < MOST)
            link_to(to, ck_rules[i], NULL);
    if (count > MOST)
        fprintf(to, "<li><a href=\"../family-%s.html\">%zu more in the family %s</a></li>\n", rule->family,
                count - MOST, rule->family);
    if (!count)
        fprintf(to, "<li><a href=\"../family-%s.html\">all rules of the family %s</a></li>\n", rule->family,
                rule->family);
    fputs("</ul>\n", to);
}

/* The listings that show the rule, by name. */
static void listings(FILE *to, const struct ck_rule *rule)
{
    char word[256];
    bool any = false;

    for (size_t i = 0; ck_listings[i]; i++) {
        const char *words = ck_listings[i]->rules;

        while (ck_listing_word(&words, word, sizeof word)) {
            if (strcmp(word, rule->id) != 0)
                continue;
            fprintf(to, "%s<code>copycheck show %s</code>",
                    any ? ", " : "<p>Complete listings that show it: ", ck_listings[i]->rule.id);
            any = true;
            break;
        }
    }
    fputs(any ? "</p>\n" : "", to);
}

void book_rule_page(FILE *to, struct book *book, size_t number)
{
    const struct ck_rule *rule = ck_rules[number];

    book_page_begin(to, rule->id, "../");
    fprintf(to, "<main><h1><code>%s</code></h1>\n<p class=says>", rule->id);
    book_text(to, rule->sentence);
    fputs("</p>\n", to);
    facts(to, rule);
    book_rely_part(to, book, number);
    picture(to, rule->id);
    fputs("<h2>Right and wrong</h2>\n", to);
    book_programs(to, book, rule->id);
    book_examples(to, book, rule);
    listings(to, rule);
    book_broken_part(to, book, number);
    book_labs_part(to, book, rule->id);
    related(to, rule);
    fputs("</main>\n", to);
    if (book->play)
        fputs("<script src=\"../play.js\"></script>\n", to);
    book_page_end(to);
}
// SPDX-License-Identifier: Apache-2.0
