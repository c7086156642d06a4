/* copycheck rules: the catalogue as a list. */
#include "harness/plan/plan.h"

#include <errno.h>
#include <fnmatch.h>
#include <getopt.h>
#include <string.h>

#include "harness/commands/cmd.h"
#include "harness/records/records.h"

static const char help[] =
    "usage: copycheck rules [SELECT...] [--family F] [--evidence E] [--kind K] [--no-case]\n"
    "                       [--format tsv|markdown]\n"
    "       copycheck rules --lcov FILE [--lcov FILE...]\n"
    "\n"
    "Lists rules. SELECT is an id or a glob over ids: 'tensor.tile.oob.*'.\n"
    "\n"
    "  --family F      only this family\n"
    "  --evidence E    only documented, observed or folklore\n"
    "  --kind K        only promise or obligation\n"
    "  --no-case       only rules that no case checks, with the reason\n"
    "  --format tsv    one line for each rule, tab-separated: id family kind evidence needs cases sentence source no-case\n"
    "  --format markdown\n"
    "                  one page, with a section for each family and an entry for each rule; `make docs` writes it\n"
    "  --lcov FILE     an lcov tracefile of expected/rules: a rule's line is hit as often as the record FILE proves it\n";

enum { FILES = 32 };

enum format { HUMAN, TSV, MARKDOWN };

static const char *const format_names[] = { [HUMAN] = "human", [TSV] = "tsv", [MARKDOWN] = "markdown" };

struct filter {
    const char *family, *evidence, *kind;
    enum format format;
    bool no_case;
    char **select;
    int selects;
    const char *records[FILES]; /* of --lcov */
    size_t record_count;
};

struct counts {
    unsigned long rules, promises, evidence[3], cases, checked, excused;
};

static bool matches(const struct filter *f, const struct ck_rule *rule)
{
    bool selected = !f->selects;

    for (int i = 0; i < f->selects && !selected; i++)
        selected = !fnmatch(f->select[i], rule->id, 0);
    return selected && (!f->family || !strcmp(f->family, rule->family)) &&
           (!f->evidence || !strcmp(f->evidence, ck_evidence_name(rule->evidence))) &&
           (!f->kind || !strcmp(f->kind, ck_kind_name(rule->kind))) && (!f->no_case || !ck_case_count(ck_suites, rule));
}

static void print_tsv(const struct ck_rule *rule, size_t cases)
{
    printf("%s\t%s\t%s\t%s\t%s\t%zu\t%s\t%s\t%s\n", rule->id, rule->family, ck_kind_name(rule->kind),
           ck_evidence_name(rule->evidence), rule->needs, cases, rule->sentence, rule->source,
           rule->no_case ? rule->no_case : "");
}

static void print_human(const struct ck_rule *rule, size_t cases)
{
    char label[256];

    snprintf(label, sizeof label, "  %-36s  ", rule->id);
    ck_print_wrapped(stdout, label, 40, rule->sentence);
    if (rule->evidence != CK_DOCUMENTED)
        printf("%40s(%s)\n", "", ck_evidence_name(rule->evidence));
    if (!cases)
        ck_print_wrapped(stdout, "", 40, rule->no_case ? rule->no_case : "no case yet");
}

/* Text of the catalogue as Markdown prose: the characters that would start an emphasis, a link or a tag are escaped.
 * An underscore inside a word does nothing in Markdown and stays as it is. */
static void print_prose(const char *text)
{
    for (; *text; text++) {
        if (strchr("\\`*<[", *text))
            putchar('\\');
        putchar(*text);
    }
}

static void print_field(const char *label, const char *text)
{
    printf("- %s: ", label);
    print_prose(text);
    putchar('\n');
}

static void print_markdown(const struct ck_rule *rule, size_t cases)
{
    printf("### `%s`\n\n", rule->id);
    print_prose(rule->sentence);
    printf("\n\n- kind: %s, %s\n", ck_kind_name(rule->kind), ck_evidence_name(rule->evidence));
    print_field("source", rule->source);
    print_field("needs", rule->needs);
    if (!cases)
        print_field("no case", rule->no_case ? rule->no_case : "none yet");
    for (const struct ck_case *c = ck_case_of(ck_suites, rule, NULL); c; c = ck_case_of(ck_suites, rule, c)) {
        printf("- case: `%s`", c->at ? c->at : "");
        if (c->name)
            printf(" %s", c->name);
        putchar('\n');
    }
    putchar('\n');
}

static void count(struct counts *n, const struct ck_rule *rule, size_t cases)
{
    n->rules++;
    n->promises += rule->kind == CK_PROMISE;
    n->evidence[rule->evidence]++;
    n->cases += cases;
    n->checked += cases > 0;
    n->excused += !cases && rule->no_case;
}

static void print_head(enum format format)
{
    if (format == TSV)
        puts("id\tfamily\tkind\tevidence\tneeds\tcases\tsentence\tsource\tno-case");
    if (format == MARKDOWN)
        puts(
            "# Rules\n\n"
            "The catalogue of copycheck, written by `make docs` from `expected/rules`. A *promise* is a rule about what\n"
            "the system does, an *obligation* one about what the program must do. The evidence is *documented*,\n"
            "*observed* or *folklore*. `copycheck show RULE` says more about one rule.\n");
}

static void print_family(enum format format, const char *family, bool first)
{
    if (format == HUMAN)
        printf("%s%s\n", first ? "" : "\n", family);
    if (format == MARKDOWN)
        printf("## %s\n\n", family);
}

static void print_rule(enum format format, const struct ck_rule *rule, size_t cases)
{
    switch (format) {
    case HUMAN: print_human(rule, cases); break;
    case TSV: print_tsv(rule, cases); break;
    case MARKDOWN: print_markdown(rule, cases); break;
    }
}

static void print_counts(enum format format, const struct counts *n)
{
    if (format == TSV)
        return;
    printf("%s%lu rules: %lu promises, %lu obligations; %lu documented, %lu observed, %lu folklore;\n"
           "%lu have cases (%lu), %lu say why they have none, %lu are owed one\n",
           format == HUMAN ? "\n" : "", n->rules, n->promises, n->rules - n->promises, n->evidence[CK_DOCUMENTED],
           n->evidence[CK_OBSERVED], n->evidence[CK_FOLKLORE], n->checked, n->cases, n->excused,
           n->rules - n->checked - n->excused);
}

static int list(const struct filter *f)
{
    struct counts n = { 0 };
    const char *family = "";

    print_head(f->format);
    for (const struct ck_rule *const *r = ck_rules; *r; r++) {
        const size_t cases = ck_case_count(ck_suites, *r);

        if (!matches(f, *r))
            continue;
        count(&n, *r, cases);
        if (strcmp(family, (*r)->family) != 0)
            print_family(f->format, (*r)->family, !*family);
        family = (*r)->family;
        print_rule(f->format, *r, cases);
    }
    if (!n.rules)
        return ck_bad("no rule is selected");
    print_counts(f->format, &n);
    return cmd_end(0);
}

static bool read_format(const char *name, enum format *format)
{
    for (size_t i = 0; i < sizeof format_names / sizeof *format_names; i++) {
        if (!strcmp(name, format_names[i])) {
            *format = (enum format)i;
            return true;
        }
    }
    return false;
}

static int check(const struct filter *f)
{
    bool found = !f->family;

    for (const char *const *name = ck_families; *name && !found; name++)
        found = !strcmp(f->family, *name);
    if (!found)
        return ck_bad("no family is called '%s'; copycheck rules names them", f->family);
    if (f->evidence && strcmp(f->evidence, "documented") != 0 && strcmp(f->evidence, "observed") != 0 &&
        strcmp(f->evidence, "folklore") != 0)
        return ck_bad("no evidence is called '%s': take documented, observed or folklore", f->evidence);
    if (f->kind && strcmp(f->kind, "promise") != 0 && strcmp(f->kind, "obligation") != 0)
        return ck_bad("no kind is called '%s': take promise or obligation", f->kind);
    return 0;
}

static int trace(const struct filter *f)
{
    struct ck_record_file files[FILES];
    struct ck_entries runs[FILES];
    char error[512];
    size_t count = 0;
    int status = 0;

    for (; count < f->record_count; count++)
        if (!ck_load_records(f->records[count], &files[count], &runs[count], error, sizeof error)) {
            status = ck_bad("%s", error);
            break;
        }
    if (!status && !ck_rule_lines(stdout, "expected/rules", runs, count, error, sizeof error))
        status = ck_bad("%s", error);
    if (!status)
        status = cmd_end(0);
    while (count) {
        count--;
        ck_unload_records(&files[count], &runs[count]);
    }
    return status;
}

int cmd_rules(int argc, char **argv)
{
    static const struct option options[] = {
        { "family", required_argument, NULL, 'f' }, { "evidence", required_argument, NULL, 'e' },
        { "kind", required_argument, NULL, 'k' },   { "no-case", no_argument, NULL, 'n' },
        { "format", required_argument, NULL, 'F' }, { "lcov", required_argument, NULL, 'l' },
        { "help", no_argument, NULL, 'h' },         { 0 },
    };
    struct filter f = { 0 };
    int status;

    optind = 0; /* starts over, also where another command has parsed before */
    opterr = 0;
    for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (o) {
        case 'h': return cmd_help(help);
        case 'f': f.family = optarg; break;
        case 'e': f.evidence = optarg; break;
        case 'k': f.kind = optarg; break;
        case 'n': f.no_case = true; break;
        case 'l':
            if (f.record_count == FILES)
                return ck_bad("rules: more than %d record files", FILES);
            f.records[f.record_count++] = optarg;
            break;
        case 'F':
            if (!read_format(optarg, &f.format))
                return ck_bad("no format is called '%s': take human, tsv or markdown", optarg);
            break;
        default: return ck_bad("rules: bad option '%s'; copycheck rules --help explains them", argv[optind - 1]);
        }
    }
    f.select = argv + optind;
    f.selects = argc - optind;
    if (f.record_count)
        return f.selects ? ck_bad("rules: --lcov takes no selection") : trace(&f);
    status = check(&f);
    return status ? status : list(&f);
}
// SPDX-License-Identifier: Apache-2.0
