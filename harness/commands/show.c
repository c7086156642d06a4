/* copycheck show: one rule or listing, all that is known about it. */
#include "harness/base/folder.h"
#include "harness/plan/plan.h"

#include <dirent.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "expected/layer.h"
#include "harness/base/append.h"
#include "harness/commands/cmd.h"
#include "harness/maps/maps.h"
#include "harness/plan/page.h"
#include "harness/records/records.h"

static const char help[] =
    "usage: copycheck show RULE|LISTING... [--recorded FOLDER]\n"
    "\n"
    "Explains a rule: what it says, its source, what it needs, the cases that check it, what was recorded on which\n"
    "machine, and a picture where one helps. Of a listing (listing.000.rmw-1d) it shows the code, the rules that it\n"
    "shows, what is checked, and what its mistakes break.\n"
    "\n"
    "  --recorded FOLDER   folder of record files (default: expected/recorded)\n";

enum { INDENT = 12, CASE_INDENT = 14 };

static void field(const char *label, const char *text)
{
    char padded[64];

    snprintf(padded, sizeof padded, "  %-10s", label);
    ck_print_wrapped(stdout, padded, INDENT, text);
}

static void print_variants(const char *what, const struct ck_variant *variants)
{
    for (size_t i = 0; i < CK_VARIANTS && variants[i].name; i++) {
        const struct ck_variant *v = &variants[i];
        char label[160];

        snprintf(label, sizeof label, "%14s%s %s: ", "", what, v->name);
        ck_print_wrapped(stdout, label, 16, v->change ? v->change : v->set ? v->set : "");
        if (v->survives)
            ck_print_wrapped(stdout, "                may survive: ", 18, v->survives);
    }
}

static void print_alternatives(const char *what, const char *text)
{
    if (text)
        printf("%14s%s %s\n", "", what, *text ? text : "(nothing in its place)");
}

/* Each line of a text; of none, if it is NULL. */
static void print_text(const char *text, int indent)
{
    for (; text && *text; text += strcspn(text, "\n"), text += *text == '\n')
        printf("%*s%.*s\n", *text == '\n' ? 0 : indent, "", (int)strcspn(text, "\n"), text);
}

static void print_case(const struct ck_case *c, bool first)
{
    printf("  %-10s%s %s%s%s%s\n", first ? "cases" : "", c->at ? c->at : "", ck_case_phase(c), c->name ? "  " : "",
           c->name ? c->name : "", c->seen_only ? "  (observed, does not gate)" : "");
    print_text(ck_case_row(c), CASE_INDENT);
    print_alternatives("accept", c->accept);
    print_alternatives("refuse", c->refuse);
    print_alternatives("seen  ", c->seen);
    for (size_t i = 0; i < CK_AXES && c->axes[i].name; i++)
        printf("%14s%s: %s\n", "", c->axes[i].name, c->axes[i].values);
    print_variants("mutant", c->mutants);
    print_variants("breach", c->breaches);
    if (c->no_mutant)
        ck_print_wrapped(stdout, "              no mutant: ", 16, c->no_mutant);
    else if (c->accept && c->refuse)
        printf("%14smutant other-side: an alternative of one side is put on the other\n", "");
}

static void cases(const struct ck_rule *rule)
{
    const struct ck_case *c = NULL;
    bool first = true;

    while ((c = ck_case_of(ck_suites, rule, c)) != NULL) {
        print_case(c, first);
        first = false;
    }
    if (first)
        field("cases", rule->no_case ? rule->no_case : "none yet");
}

/* What was measured of the rule: a line for each point. */
static void print_ratios(const struct ck_entries *entries, const struct ck_rule *rule)
{
    char ratio[96];

    for (size_t i = 0; i < entries->count; i++) {
        const struct ck_record *r = entries->all[i].record;

        if (strcmp(r->rule, rule->id) != 0 || r->ratio <= 0)
            continue;
        ck_record_ratio(r, ratio, sizeof ratio);
        printf("%14s%s on %s: %s\n", "", r->point + strlen(rule->id), r->engine, ratio);
    }
}

/* What one file says about the rule: a line for each engine. */
static bool recorded_file(const char *name, const struct ck_rule *rule, bool first)
{
    enum { TALLIES = 32 };
    struct {
        const char *engine;
        struct ck_tally tally;
    } engines[TALLIES] = { 0 };
    struct ck_record_file file;
    struct ck_entries entries;
    size_t count = 0;
    char error[512];

    if (!ck_load_records(name, &file, &entries, error, sizeof error)) {
        ck_wrong("%s (skipped)", error);
        return false;
    }
    for (size_t i = 0; i < entries.count; i++) {
        const struct ck_record *r = entries.all[i].record;
        size_t k = 0;

        if (strcmp(r->rule, rule->id) != 0)
            continue;
        while (k < count && strcmp(engines[k].engine, r->engine) != 0)
            k++;
        if (k == TALLIES)
            continue;
        if (k == count)
            engines[count++].engine = r->engine;
        engines[k].tally.of[r->verdict]++;
    }
    if (count)
        printf("  %-10s%s%s%s%s%s\n", first ? "recorded" : "", file.head.device ? file.head.device : "no GPU",
               file.head.driver ? ", driver " : "", file.head.driver ? file.head.driver : "",
               file.head.toolkit ? ", toolkit " : "", file.head.toolkit ? file.head.toolkit : "");
    for (size_t k = 0; k < count; k++) {
        printf("%14s%-12s", "", engines[k].engine);
        for (int v = CK_V_PASS; v < CK_V_COUNT; v++)
            if (engines[k].tally.of[v])
                printf("  %s %s", ck_thousands(engines[k].tally.of[v]), ck_verdict_names[v]);
        putchar('\n');
    }
    print_ratios(&entries, rule);
    ck_unload_records(&file, &entries);
    return count > 0;
}

static void recorded(const char *folder, const struct ck_rule *rule)
{
    struct dirent **names = NULL;
    const int count = ck_folder_list(folder, ck_is_jsonl, &names);
    bool first = true;

    for (int i = 0; i < count; i++) {
        char path[4096];

        snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
        first &= !recorded_file(path, rule, first);
        free(names[i]);
    }
    free(names);
    if (first)
        field("recorded", "nothing yet");
}

/* The rules of PTX on which a library's rule stands, and the functions in which the emulator tells them so. */
static void behind(const struct ck_rule *rule)
{
    const char *label = "behind";
    char text[600];

    for (const struct ck_layer *l = ck_layers; l->rule; l++) {
        if (l->rule != rule)
            continue;
        snprintf(text, sizeof text, "%s (in %s)", l->below, l->functions);
        field(label, text);
        label = "";
    }
}

static void show(const struct ck_rule *rule, const char *folder)
{
    printf("%s  (%s)\n\n", rule->id, rule->family);
    ck_print_wrapped(stdout, "  ", 2, rule->sentence);
    putchar('\n');
    field("kind", rule->kind == CK_PROMISE ? "promise: what the system does; cases run conforming code and look"
                                           : "obligation: what a program must do; cases break it and look");
    field("evidence", rule->evidence == CK_DOCUMENTED ? "documented: a failure fails the run"
                      : rule->evidence == CK_OBSERVED
                          ? "observed: documents are silent or disagree; recorded"
                          : "folklore: believed, in no document; a case shows it is no rule");
    field("needs", rule->needs);
    cmd_sources(rule->source, field);
    behind(rule);
    cases(rule);
    recorded(folder, rule);
    ck_picture(stdout, rule->id);
}

/* What a listing's mistake breaks: "VARIANT=RULE". */
static void print_mistakes(const struct ck_listing *listing)
{
    const char *words = listing->breaks, *label = "mistakes";
    char word[256], text[512];

    for (; ck_listing_word(&words, word, sizeof word); label = "") {
        const size_t n = strcspn(word, "=");
        const struct ck_rule *const rule = word[n] ? ck_rule_find(word + n + 1) : NULL;

        snprintf(text, sizeof text, "%.*s breaks %s: %s", (int)n, word, word[n] ? word + n + 1 : "",
                 rule ? rule->sentence : "");
        field(label, text);
    }
}

/* The rules that it shows, each with its sentence, and the picture of the first one that has one. */
static void print_shown(const struct ck_listing *listing)
{
    const char *words = listing->rules, *label = "rules";
    char word[256], text[1024];

    for (; ck_listing_word(&words, word, sizeof word); label = "") {
        const struct ck_rule *const rule = ck_rule_find(word);

        snprintf(text, sizeof text, "%s: %s", word, rule ? rule->sentence : "not in the catalogue");
        field(label, text);
    }
}

static void print_picture(const struct ck_listing *listing)
{
    const char *words = listing->rules;
    char word[256];

    while (ck_listing_word(&words, word, sizeof word))
        if (ck_picture(stdout, word))
            return;
}

/* The text of rows, for a listing that is a form; what stands for `$` comes with the case. */
static void print_rows(const struct ck_rule *page)
{
    const struct ck_case *c = NULL;

    while ((c = ck_case_of(ck_suites, page, c)) != NULL)
        if (ck_case_row(c)) {
            printf("\n%s\n\n", c->at);
            if (c->options)
                printf("    nvcc %s\n\n", c->options);
            print_text(c->head, 4);
            print_text(c->declare, 4);
            print_text(ck_case_row(c), 4);
        }
}

static void show_listing(const struct ck_listing *listing, const char *folder)
{
    const struct ck_rule *const page = &listing->rule;

    printf("%s  (%s)\n\n", page->id, page->source);
    ck_print_wrapped(stdout, "  ", 2, page->sentence);
    if (!ck_page_print(stdout, page->id))
        print_rows(page);
    print_picture(listing);
    putchar('\n');
    print_shown(listing);
    field("checked", *listing->checked ? listing->checked : "nothing yet");
    print_mistakes(listing);
    if (*listing->mended)
        field("mended", listing->mended);
    field("needs", page->needs);
    cases(page);
    recorded(folder, page);
}

static int unknown(const char *id)
{
    const struct ck_rule *near[3];
    const size_t count = ck_rules_near(id, near, 3);
    char names[400] = "";

    for (size_t i = 0; i < count; i++)
        ck_append(names, sizeof names, "%s%s", i ? ", " : "", near[i]->id);
    return ck_bad("no rule or listing has the id '%s'; near are: %s", id, names);
}

int cmd_show(int argc, char **argv)
{
    static const struct option options[] = {
        { "recorded", required_argument, NULL, 'r' },
        { "help", no_argument, NULL, 'h' },
        { 0 },
    };
    const char *folder = ck_recorded_folder();

    optind = 0; /* starts over, also where another command has parsed before */
    opterr = 0;
    for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (o == 'h')
            return cmd_help(help);
        if (o != 'r')
            return ck_bad("show: bad option '%s'; copycheck show --help explains", argv[optind - 1]);
        folder = optarg;
    }
    if (optind == argc)
        return ck_bad("show: which rule? copycheck rules lists them");
    for (int i = optind; i < argc; i++)
        if (!ck_cited_find(argv[i]))
            return unknown(argv[i]);
    for (int i = optind; i < argc; i++) {
        if (i > optind)
            putchar('\n');
        if (ck_listing_find(argv[i]))
            show_listing(ck_listing_find(argv[i]), folder);
        else
            show(ck_rule_find(argv[i]), folder);
    }
    return cmd_end(0);
}
// SPDX-License-Identifier: Apache-2.0
