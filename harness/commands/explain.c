/* copycheck explain: a rule in short. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/append.h"
#include "harness/base/program.h"
#include "harness/base/wrap.h"
#include "harness/book/page.h"
#include "harness/commands/cmd.h"
#include "harness/plan/plan.h"

static const char help[] =
    "usage: copycheck explain RULE...\n"
    "\n"
    "Says in short what a rule means: its sentence and source, how a program breaks it, and where\n"
    "its page of the rule book is. copycheck show RULE tells everything.\n";

enum { WIDTH = 80, INDENT = 12 };

static void field(const char *label, const char *text)
{
    printf("  %-10s", label);
    ck_wrap(stdout, WIDTH, INDENT, INDENT, text);
}

/* The changes that break the rule, each once. */
static void mistakes(const struct ck_rule *rule)
{
    const char *label = "mistakes";
    char said[2048] = "\n";

    for (const struct ck_case *c = NULL; (c = ck_case_of(ck_suites, rule, c)) != NULL;)
        for (size_t i = 0; i < CK_VARIANTS && c->breaches[i].name; i++) {
            char line[512];

            snprintf(line, sizeof line, "\n%s\n", c->breaches[i].change ? c->breaches[i].change : c->breaches[i].name);
            if (strstr(said, line))
                continue;
            ck_append(said, sizeof said, "%s", line + 1);
            line[strlen(line) - 1] = '\0';
            field(label, line + 1);
            label = "";
        }
}

/* The alternatives "a|b|", with words for one that is empty; `place` says of what they are. */
static void alternatives(const struct ck_case *c, const char *label, const char *place, const char *text)
{
    char out[1024] = "", line[1024];

    if (!text)
        return;
    ck_append(out, sizeof out, "%s", place);
    for (const char *at = text;; at++) {
        const int n = (int)strcspn(at, "|");

        ck_append(out, sizeof out, "%s%.*s", at > text ? " | " : "", n ? n : (int)strlen("(nothing)"),
                  n ? at : "(nothing)");
        at += n;
        if (!*at)
            break;
    }
    ck_with_first_values(c, out, line, sizeof line);
    field(label, line);
}

/* The first row that an assembler takes or refuses. */
static void row(const struct ck_rule *rule)
{
    for (const struct ck_case *c = NULL; (c = ck_case_of(ck_suites, rule, c)) != NULL;)
        if (c->assemble && (c->accept || c->refuse)) {
            const char *place = ck_has_place(c->assemble)  ? "for $: "
                                : ck_has_place(c->version) ? ".version "
                                : ck_has_place(c->target)  ? ".target "
                                : ck_has_place(c->declare) ? c->declare
                                                           : "";
            char line[1024];

            ck_with_first_values(c, c->assemble, line, sizeof line);
            field("form", line);
            if (place == c->declare) {
                ck_with_first_values(c, c->declare, line, sizeof line);
                field("  with", line);
                place = "for $: ";
            }
            alternatives(c, "  takes", place, c->accept);
            alternatives(c, "  not", place, c->refuse);
            return;
        }
}

static void page(const struct ck_rule *rule)
{
    char name[300], path[4500];

    book_page_name(name, sizeof name, rule->id);
    snprintf(path, sizeof path, "%s/book/%s", ck_program_folder(), name);
    field("page", access(path, R_OK) == 0 ? path : "make book writes the rule book");
    snprintf(path, sizeof path, "copycheck show %s", rule->id);
    field("more", path);
}

static int explain(const char *id)
{
    const struct ck_rule *rule = ck_cited_find(id), *near[3];

    if (!rule) {
        const size_t count = ck_rules_near(id, near, 3);
        char names[400] = "";

        for (size_t i = 0; i < count; i++)
            ck_append(names, sizeof names, "%s%s", i ? ", " : "", near[i]->id);
        return ck_bad("no rule has the id '%s'; near are: %s", id, names);
    }
    printf("%s\n\n", rule->id);
    fputs("  ", stdout);
    ck_wrap(stdout, WIDTH, 2, 2, rule->sentence);
    putchar('\n');
    cmd_sources(rule->source, field);
    field("evidence", rule->evidence == CK_DOCUMENTED ? "documented"
                      : rule->evidence == CK_OBSERVED ? "observed: no document says it, or they disagree"
                                                      : "folklore: in no document; do not count on it");
    row(rule);
    mistakes(rule);
    page(rule);
    return 0;
}

int cmd_explain(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "--help"))
        return cmd_help(help);
    if (argc < 2)
        return ck_bad("explain: which rule? copycheck rules lists them");
    for (int i = 1; i < argc; i++) {
        if (i > 1)
            putchar('\n');
        if (explain(argv[i]))
            return 2;
    }
    return cmd_end(0);
}
// SPDX-License-Identifier: Apache-2.0
