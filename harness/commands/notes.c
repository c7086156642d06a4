/* copycheck notes: what the study notes say, and what became of it, as a page of Markdown. */
#include "expected/notes.h"

#include <dirent.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/append.h"
#include "harness/base/folder.h"
#include "harness/commands/cmd.h"
#include "harness/plan/plan.h"
#include "harness/records/records.h"

static const char help[] =
    "usage: copycheck notes [--recorded FOLDER]\n"
    "\n"
    "Prints docs/notes.md: each statement of the study notes, the rules that check it, and what was recorded of them.\n"
    "\n"
    "  --recorded FOLDER   folder of record files (default: expected/recorded)\n";

/* ---- what was recorded ---- */

/* Engines that are alike. */
enum group { GPU, EMU, PTXAS, COMPILERS, GROUPS };
static const char *const group_names[GROUPS] = { "gpu", "emu", "ptxas", "compilers" };

enum { SEEN = 3, SEEN_TEXT = 100, WORD = 256, TEXT = 1024 };

struct found {
    unsigned good[GROUPS], bad[GROUPS], seen[GROUPS];
    char words[SEEN][SEEN_TEXT]; /* of an observed rule: what was seen, on the GPU if there was one */
    int count;
    bool on_gpu;
};

static struct found *all_found; /* as many as rules */

static enum group group_of(const char *engine)
{
    return !strncmp(engine, "gpu", 3) || !strcmp(engine, "jit") || !strcmp(engine, "host") ? GPU
           : !strcmp(engine, "emu")                                                        ? EMU
           : !strncmp(engine, "ptxas", 5)                                                  ? PTXAS
                                                                                           : COMPILERS;
}

static void note_words(struct found *f, enum group group, const char *seen)
{
    char text[SEEN_TEXT];

    if (group == GPU && !f->on_gpu) {
        f->on_gpu = true;
        f->count = 0;
    }
    if ((f->on_gpu && group != GPU) || f->count == SEEN)
        return;
    snprintf(text, sizeof text, "%s", seen);
    for (char *p = text; *p; p++)
        if (strchr("|`\n", *p))
            *p = ' ';
    for (int i = 0; i < f->count; i++)
        if (!strcmp(f->words[i], text))
            return;
    memcpy(f->words[f->count++], text, sizeof text);
}

static void note_record(struct found *f, const struct ck_record *r)
{
    const enum group group = group_of(r->engine);

    switch (r->verdict) {
    case CK_V_PASS: f->good[group]++; break;
    case CK_V_SEEN: f->seen[group]++; break;
    case CK_V_SKIP: return;
    default: f->bad[group]++; return;
    }
    if (r->seen)
        note_words(f, group, r->seen);
}

static size_t index_of(const char *id)
{
    static size_t last; /* records of one rule follow each other */

    if (ck_rules[last] && !strcmp(ck_rules[last]->id, id))
        return last;
    for (last = 0; ck_rules[last]; last++)
        if (!strcmp(ck_rules[last]->id, id))
            break;
    return last;
}

static void read_file(const char *path)
{
    struct ck_record_file file;
    struct ck_entries entries;
    char error[512];

    if (!ck_load_records(path, &file, &entries, error, sizeof error)) {
        ck_wrong("%s (skipped)", error);
        return;
    }
    for (size_t i = 0; i < entries.count; i++) {
        const struct ck_record *r = entries.all[i].record;
        const size_t rule = index_of(r->rule);

        if (ck_rules[rule] && !entries.all[i].mutant && !ck_point_is_breach(r->point))
            note_record(&all_found[rule], r);
    }
    ck_unload_records(&file, &entries);
}

static void read_folder(const char *folder)
{
    struct dirent **names = NULL;
    const int count = ck_folder_list(folder, ck_is_jsonl, &names);

    for (int i = 0; i < count; i++) {
        char path[4096];

        snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
        read_file(path);
        free(names[i]);
    }
    free(names);
}

/* ---- in words ---- */

static void add_groups(char *text, size_t size, const unsigned *of)
{
    const char *between = "";

    for (int g = 0; g < GROUPS; g++)
        if (of[g]) {
            ck_append(text, size, "%s%s", between, group_names[g]);
            between = ", ";
        }
}

static bool any(const unsigned *of)
{
    for (int g = 0; g < GROUPS; g++)
        if (of[g])
            return true;
    return false;
}

/* What is known of a rule, after its id. */
static void say_rule(char *text, size_t size, const char *id)
{
    const size_t number = index_of(id);
    const struct ck_rule *const rule = ck_rules[number];
    const struct found *f = rule ? &all_found[number] : NULL;

    ck_append(text, size, "`%s`", id);
    if (!rule) {
        ck_append(text, size, ": not in the catalogue");
    } else if (any(f->bad)) {
        ck_append(text, size, " **fails** (");
        add_groups(text, size, f->bad);
        ck_append(text, size, ")");
    } else if (any(f->good)) {
        ck_append(text, size, " holds (");
        add_groups(text, size, f->good);
        ck_append(text, size, ")");
    } else if (any(f->seen)) {
        ck_append(text, size, " observed (");
        add_groups(text, size, f->seen);
        ck_append(text, size, ")");
    } else {
        ck_append(text, size, rule->no_case ? ": no case (%s)" : ": not recorded", rule->no_case);
    }
    for (int i = 0; f && i < f->count && rule->evidence == CK_OBSERVED; i++)
        ck_append(text, size, "%s%s", i ? " / " : ": ", f->words[i]);
}

static void say_rules(const char *rules, const char *none)
{
    const char *words = rules, *between = "";
    char word[WORD], text[TEXT];

    while (ck_listing_word(&words, word, sizeof word)) {
        text[0] = 0;
        say_rule(text, sizeof text, word);
        printf("%s%s", between, text);
        between = "<br>";
    }
    if (!*between)
        fputs(none, stdout);
}

/* Text of a cell: a bar would end it, and an asterisk or a less-than sign would mean something. */
static void cell(const char *text)
{
    for (; *text; text++)
        printf(strchr("|*<_", *text) ? "\\%c" : "%c", *text);
}

/* ---- the page ---- */

static void head(void)
{
    size_t statements = 0, doubtful = 0, background = 0, listings = 0, with_cases = 0;

    for (const struct ck_note *n = ck_notes; n->notes || n->number; n++) {
        statements += n->number > 0;
        doubtful += n->number && *n->doubt;
        background += n->number && !*n->rules;
    }
    for (const struct ck_listing *const *l = ck_listings; *l; l++) {
        listings++;
        with_cases += !(*l)->rule.no_case;
    }
    printf(
        "# The notes\n\n"
        "What five study notes on asynchronous copies say, statement by statement in our words, and what became of it\n"
        "here. `make notes` writes this page from expected/notes, the catalogue and the recorded matrices.\n\n"
        "- %zu statements; %zu of them are doubtful (wrong, incomplete, or overtaken by a later release) and gathered\n"
        "  at the end, with what the machine says; %zu are background that no rule could check.\n"
        "- %zu listings, %zu of them written anew as cases: `copycheck show listing.000.transpose-swizzle` prints code,\n"
        "  picture and what is checked.\n"
        "- Behind each rule stands what was recorded: on the H200 (gpu), the emulator (emu), the assemblers (ptxas), the\n"
        "  compilers. A rule that is observed has the words of what was seen. `copycheck show RULE` tells more.\n",
        statements, doubtful, background, listings, with_cases);
}

static void section(const struct ck_note *n)
{
    const char *words = n->listings;
    char word[WORD], id[WORD + 16];

    printf("\n### ");
    cell(n->section);
    fputs("\n\n", stdout);
    while (ck_listing_word(&words, word, sizeof word)) {
        const struct ck_listing *listing;

        snprintf(id, sizeof id, "listing.%s", word);
        listing = ck_listing_find(id);
        printf("- `%s`: ", id);
        cell(listing ? listing->rule.sentence : "no such listing");
        if (listing && listing->rule.no_case)
            printf(" (no case: %s)", listing->rule.no_case);
        putchar('\n');
    }
    if (*n->listings)
        putchar('\n');
    puts("| # | statement | rules |\n|---:|---|---|");
}

static void statement(const struct ck_note *n)
{
    printf("| %d | ", n->number);
    cell(n->text);
    if (*n->doubt) {
        fputs(" **Doubtful:** ", stdout);
        cell(n->doubt);
    }
    if (*n->remark) {
        fputs(" (", stdout);
        cell(n->remark);
        putchar(')');
    }
    fputs(" | ", stdout);
    say_rules(n->rules, "no rule (background)");
    puts(" |");
}

static void doubtful(const struct ck_note *n)
{
    const char *words = n->rules;
    char word[WORD], text[TEXT];

    printf("\n%d. ", n->number);
    cell(n->text);
    fputs("\n\n   Doubtful: ", stdout);
    cell(n->doubt);
    fputs("\n\n", stdout);
    while (ck_listing_word(&words, word, sizeof word)) {
        const struct ck_rule *const rule = ck_rule_find(word);

        text[0] = 0;
        say_rule(text, sizeof text, word);
        printf("   - %s. ", text);
        if (rule)
            cell(rule->sentence);
        putchar('\n');
    }
}

static void question(const struct ck_question *q)
{
    fputs("| ", stdout);
    cell(q->text);
    fputs(" | ", stdout);
    cell(q->documents);
    fputs(" | ", stdout);
    say_rules(q->rules, "");
    puts(" |");
}

static void questions(void)
{
    puts(
        "\n## Open questions\n\n"
        "Where the documents contradict each other or say nothing, and what machines and tools do. Where that differs\n"
        "from a document, [findings.md](findings.md) tells more.");
    for (const struct ck_question *q = ck_questions; q->about || q->text; q++)
        if (q->about)
            printf("\n### %s\n\n| question | the documents | rules |\n|---|---|---|\n", q->about);
        else
            question(q);
}

static void page(void)
{
    head();
    for (const struct ck_note *n = ck_notes; n->notes || n->number; n++) {
        if (n->title)
            printf("\n## %s: %s\n", n->notes, n->title);
        else if (n->section)
            section(n);
        else
            statement(n);
    }
    puts("\n## The doubtful statements\n\n"
         "Each with what is doubtful about it, and with the rules that decide: what they say, and what was recorded.");
    for (const struct ck_note *n = ck_notes; n->notes || n->number; n++)
        if (n->number && *n->doubt)
            doubtful(n);
    questions();
}

int cmd_notes(int argc, char **argv)
{
    static const struct option options[] = {
        { "recorded", required_argument, NULL, 'r' },
        { "help", no_argument, NULL, 'h' },
        { 0 },
    };
    const char *folder = ck_recorded_folder();
    size_t rules = 0;

    optind = 0;
    opterr = 0;
    for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (o == 'h')
            return cmd_help(help);
        if (o != 'r')
            return ck_bad("notes: bad option '%s'; copycheck notes --help explains", argv[optind - 1]);
        folder = optarg;
    }
    if (optind < argc)
        return ck_bad("notes: '%s' is no option of it; copycheck notes --help lists them", argv[optind]);
    while (ck_rules[rules])
        rules++;
    all_found = calloc(rules + 1, sizeof *all_found);
    if (!all_found)
        return ck_bad("notes: out of memory");
    read_folder(folder);
    page();
    free(all_found);
    all_found = NULL;
    return cmd_end(0);
}
// SPDX-License-Identifier: Apache-2.0
