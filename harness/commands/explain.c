/* copycheck explain: a rule in short. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/append.h"
#include "harness/base/program.h"
#include "harness/book/page.h"
#include "harness/commands/cmd.h"
#include "harness/plan/plan.h"

static const char help[] =
    "usage: copycheck explain RULE...\n"
    "\n"
    "Says in short what a rule means: its sentence and source, how a program breaks it, and where\n"
    "its page of the rule book is. copycheck show RULE tells everything.\n";

static void field(const char *label, const char *text)
{
    char padded[64];

    snprintf(padded, sizeof padded, "  %-10s", label);
    ck_print_wrapped(stdout, padded, 12, text);
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

/* The first row of a side, as it is in the table. */
static void row(const struct ck_rule *rule)
{
    for (const struct ck_case *c = NULL; (c = ck_case_of(ck_suites, rule, c)) != NULL;)
        if (c->assemble && (c->accept || c->refuse)) {
            field("form", c->assemble);
            if (c->accept)
                field("  takes", *c->accept ? c->accept : "(nothing in its place)");
            if (c->refuse)
                field("  not", *c->refuse ? c->refuse : "(nothing in its place)");
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
    ck_print_wrapped(stdout, "  ", 2, rule->sentence);
    putchar('\n');
    field("source", rule->source);
    field("rely", rule->evidence == CK_DOCUMENTED ? "documented"
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
