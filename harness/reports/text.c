/* Reports for programs: KTAP, JUnit XML, JSON Lines; and Markdown for a merge request. */
#include "harness/reports/parts.h"

#include <string.h>

#include "harness/base/json.h"
#include "harness/base/markup.h"

/* Calls `each` for the engines of the run's head. */
static size_t engine_name(const struct ck_entries *run, size_t index, char *name, size_t size)
{
    const char *p = run->file->head.engines;

    name[0] = 0;
    while (p && *p) {
        const size_t n = strcspn(p, ",");
        if (!index--) {
            snprintf(name, size, "%.*s", (int)n, p);
            return n;
        }
        p += n + (p[n] == ',');
    }
    return 0;
}

static struct ck_tally tally_engine(const struct ck_entries *run, const char *engine)
{
    struct ck_tally t = { 0 };

    for (size_t i = 0; i < run->count; i++)
        if (!strcmp(run->all[i].record->engine, engine))
            t.of[run->all[i].record->verdict]++;
    return t;
}

static unsigned long bad_of(const struct ck_tally *t)
{
    unsigned long bad = 0;

    for (int v = 0; v < CK_V_COUNT; v++)
        bad += ck_verdict_is_bad((enum ck_verdict)v) ? t->of[v] : 0;
    return bad;
}

/* ---- KTAP ---- */

static void ktap_line(void *user, const char *label, const char *text)
{
    fprintf(user, "  # %-10s%s\n", label, text);
}

/* A '#' in a test's name would begin a directive. */
static void ktap_name(FILE *to, const char *name)
{
    for (; *name; name++) {
        if (*name == '#' || *name == '\\')
            putc('\\', to);
        putc(*name == '\n' ? ' ' : *name, to);
    }
}

static void ktap_test(FILE *to, const struct ck_entries *run, const struct ck_entry *e, unsigned long number)
{
    const struct ck_record *r = e->record;
    const bool bad = ck_verdict_is_bad(r->verdict);
    char ratio[96];

    ck_record_ratio(r, ratio, sizeof ratio);
    fprintf(to, "  %s %lu ", bad ? "not ok" : "ok", number);
    ktap_name(to, r->point);
    if (r->verdict == CK_V_SKIP || r->verdict == CK_V_EXCUSED) {
        fputs(" # SKIP ", to);
        ktap_name(to, r->detail ? r->detail : "");
    }
    putc('\n', to);
    if (r->verdict == CK_V_SEEN)
        fprintf(to, "  # observed: %s%s%s\n",
                r->seen      ? r->seen
                : r->outcome ? r->outcome
                             : "nothing",
                r->ratio > 0 ? ": " : "", ratio);
    if (bad) {
        fprintf(to, "  # %s\n", ck_verdict_names[r->verdict]);
        ck_failure_lines(run, e, ktap_line, to);
    }
}

void ck_report_ktap(FILE *to, const struct ck_entries *run)
{
    size_t engines = 0;
    char name[64];

    while (engine_name(run, engines, name, sizeof name))
        engines++;
    fprintf(to, "KTAP version 1\n1..%zu\n", engines);
    for (size_t e = 0; e < engines; e++) {
        struct ck_tally t;
        unsigned long number = 0;

        engine_name(run, e, name, sizeof name);
        t = tally_engine(run, name);
        fprintf(to, "  KTAP version 1\n  # Subtest: %s\n  1..%lu\n", name, ck_tally_total(&t));
        for (size_t i = 0; i < run->count; i++)
            if (!strcmp(run->all[i].record->engine, name))
                ktap_test(to, run, &run->all[i], ++number);
        fprintf(to, "%s %zu %s\n", bad_of(&t) ? "not ok" : "ok", e + 1, name);
    }
}

/* ---- JUnit XML ---- */

static void xml_text(FILE *to, const char *text)
{
    ck_markup_text(to, text, false);
}

static void xml_attribute(FILE *to, const char *name, const char *value)
{
    ck_markup_attribute(to, name, value, false);
}

static void junit_line(void *user, const char *label, const char *text)
{
    fprintf(user, "%-10s", label);
    xml_text(user, text);
    putc('\n', user);
}

static void junit_case(FILE *to, const struct ck_entries *run, const struct ck_entry *e)
{
    const struct ck_record *r = e->record;
    char ratio[96];
    const char *element = r->verdict == CK_V_FAIL || r->verdict == CK_V_SURVIVED ? "failure" : "error";

    fputs("    <testcase", to);
    xml_attribute(to, "classname", r->rule);
    xml_attribute(to, "name", r->point);
    if (r->at) {
        char file[512];
        const char *colon = strrchr(r->at, ':');
        snprintf(file, sizeof file, "%.*s", colon ? (int)(colon - r->at) : 511, r->at);
        xml_attribute(to, "file", file);
    }
    fprintf(to, " time=\"%.6f\"", r->ms / 1000);
    if (ck_verdict_is_bad(r->verdict)) {
        fprintf(to, ">\n      <%s", element);
        xml_attribute(to, "type", ck_verdict_names[r->verdict]);
        xml_attribute(to, "message", r->detail ? r->detail : ck_verdict_names[r->verdict]);
        fputs(">\n", to);
        ck_failure_lines(run, e, junit_line, to);
        fprintf(to, "</%s>\n    </testcase>\n", element);
    } else if (r->verdict == CK_V_SKIP || r->verdict == CK_V_EXCUSED) {
        fputs(">\n      <skipped", to);
        xml_attribute(to, "message", r->detail ? r->detail : "");
        fputs("/>\n    </testcase>\n", to);
    } else if (r->verdict == CK_V_SEEN && r->seen) {
        fputs(">\n      <system-out>observed: ", to);
        xml_text(to, r->seen);
        ck_record_ratio(r, ratio, sizeof ratio);
        fprintf(to, "%s%s", *ratio ? ": " : "", ratio);
        fputs("</system-out>\n    </testcase>\n", to);
    } else {
        fputs("/>\n", to);
    }
}

static void junit_counts(FILE *to, const struct ck_tally *t)
{
    const unsigned long failures = t->of[CK_V_FAIL] + t->of[CK_V_SURVIVED];

    fprintf(to, " tests=\"%lu\" failures=\"%lu\" errors=\"%lu\" skipped=\"%lu\"", ck_tally_total(t), failures,
            bad_of(t) - failures, t->of[CK_V_SKIP] + t->of[CK_V_EXCUSED]);
}

void ck_report_junit(FILE *to, const struct ck_entries *run)
{
    const struct ck_run_head *h = &run->file->head;
    struct ck_tally all = { 0 };
    char name[64], seed[24];

    for (size_t i = 0; i < run->count; i++)
        all.of[run->all[i].record->verdict]++;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"copycheck\"", to);
    junit_counts(to, &all);
    fputs(">\n", to);
    snprintf(seed, sizeof seed, "0x%llx", (unsigned long long)h->seed);
    for (size_t e = 0; engine_name(run, e, name, sizeof name); e++) {
        const struct {
            const char *name, *value;
        } properties[] = { { "device", h->device },
                           { "driver", h->driver },
                           { "toolkit", h->toolkit },
                           { "selection", h->selection },
                           { "seed", seed } };
        const struct ck_tally t = tally_engine(run, name);

        fputs("  <testsuite", to);
        xml_attribute(to, "name", name);
        junit_counts(to, &t);
        fputs(">\n    <properties>\n", to);
        for (size_t i = 0; i < sizeof properties / sizeof *properties; i++) {
            if (!properties[i].value)
                continue;
            fputs("      <property", to);
            xml_attribute(to, "name", properties[i].name);
            xml_attribute(to, "value", properties[i].value);
            fputs("/>\n", to);
        }
        fputs("    </properties>\n", to);
        for (size_t i = 0; i < run->count; i++)
            if (!strcmp(run->all[i].record->engine, name))
                junit_case(to, run, &run->all[i]);
        fputs("  </testsuite>\n", to);
    }
    fputs("</testsuites>\n", to);
}

/* ---- JSON Lines ---- */

/* What reports say about the records is written in lines of their own, which readers of records ignore. */
static void jsonl_emulator(FILE *to, const struct ck_entries *run, const struct ck_agreement *a)
{
    const struct ck_breaches b = ck_breaches_count(run);
    char with[128];

    if (a && a->count) {
        ck_machine_name(a->with, with, sizeof with);
        fputs("{\"agree\":\"emu\",\"with\":", to);
        json_write_string(to, with);
        fprintf(to, ",\"points\":%zu,\"equal\":%lu,\"known\":%lu}\n", a->count, a->equal, a->known);
    }
    for (size_t i = 0; a && i < a->count; i++) {
        if (a->pairs[i].equal)
            continue;
        fputs("{\"differs\":", to);
        json_write_string(to, a->pairs[i].emu->point);
        fputs(",\"reason\":", to);
        if (a->pairs[i].known)
            json_write_string(to, a->pairs[i].known->reason);
        else
            fputs("null", to);
        fputs("}\n", to);
    }
    if (ck_breaches_total(&b))
        fprintf(to, "{\"breaches\":%lu,\"named\":%lu,\"also\":%lu,\"otherwise\":%lu,\"not\":%lu,\"listed\":%lu}\n",
                ck_breaches_total(&b), b.of[CK_NAMED], b.of[CK_NAMED_ALSO], b.of[CK_NAMED_OTHERWISE],
                b.of[CK_NOT_NAMED], b.listed);
}

void ck_report_jsonl(FILE *to, const struct ck_entries *run, const struct ck_report_options *options)
{
    const struct ck_record_file *file = run->file;

    const struct ck_run_head head = ck_head_kept(&file->head);

    ck_write_head(to, &head, NULL);
    for (size_t i = 0; i < file->count; i++)
        ck_write_record(to, &file->records[i], NULL);
    jsonl_emulator(to, run, options->agreement);
    if (file->head.complete)
        ck_write_end(to, file->count, file->digest, NULL);
}

/* ---- Markdown ---- */

/* Text in a table or a paragraph: what would be markup is escaped. */
static void markdown_text(FILE *to, const char *text)
{
    for (; *text; text++) {
        if (strchr("\\`*_[]<>|#~", *text))
            putc('\\', to);
        putc(*text == '\n' ? ' ' : *text, to);
    }
}

static void markdown_line(void *user, const char *label, const char *text)
{
    fprintf(user, "    %-10s%s\n", label, text);
}

static void markdown_table(FILE *to, const struct ck_table *t)
{
    char flags[96];

    fputs("| family | rules |", to);
    for (size_t c = 0; c < t->col_count; c++) {
        putc(' ', to);
        markdown_text(to, t->cols[c].label);
        fputs(" |", to);
    }
    fputs(t->agree ? " agree |\n|---|--:|--:|" : "\n|---|--:|", to);
    for (size_t c = 0; c < t->col_count; c++)
        fputs("--:|", to);
    putc('\n', to);
    for (size_t r = 0; r <= t->row_count; r++) {
        const bool total = r == t->row_count;
        fputs("| ", to);
        if (total)
            fputs("**total**", to);
        else
            markdown_text(to, t->rows[r]);
        fprintf(to, " | %lu |", total ? t->rules_total : t->rules[r]);
        for (size_t c = 0; c < t->col_count; c++) {
            const struct ck_tally *cell = total ? &t->totals[c] : &t->cells[r * t->col_count + c];
            ck_tally_flags(cell, flags, sizeof flags);
            if (ck_tally_total(cell))
                fprintf(to, " %s%s |", ck_thousands(cell->of[CK_V_PASS]), flags);
            else
                fputs(" - |", to);
        }
        if (t->agree)
            fprintf(to, " %s |", t->agree[r]);
        putc('\n', to);
    }
}

/* How the emulator agrees with the machine, and how it names breaches. */
static void markdown_emulator(FILE *to, const struct ck_entries *run, const struct ck_agreement *a)
{
    const struct ck_breaches b = ck_breaches_count(run);
    char line[320];

    if (a && a->count) {
        ck_agreement_line(a, line, sizeof line);
        fprintf(to, "\n%s\n", line);
        if (a->equal < a->count) {
            fputs("\n```text\n", to);
            ck_agreement_print(to, a, 40);
            fputs("```\n", to);
        }
    }
    if (ck_breaches_total(&b)) {
        ck_breaches_line(&b, line, sizeof line);
        fprintf(to, "\n%s\n", line);
    }
}

void ck_report_markdown(FILE *to, const struct ck_entries *run, const struct ck_report_options *options)
{
    static struct ck_skip_reason reasons[256];
    const struct ck_mutants m = ck_mutants_count(run);
    struct ck_tally all = { 0 };
    struct ck_table table;
    unsigned long skips;
    size_t count;
    char text[512];

    ck_report_table(run, "family", options, &table);
    ck_report_header(run, false, text, sizeof text);
    fputs("## ", to);
    markdown_text(to, text);
    fputs("\n\n", to);
    markdown_table(to, &table);
    for (size_t c = 0; c < table.col_count; c++)
        for (int v = 0; v < CK_V_COUNT; v++)
            all.of[v] += table.totals[c].of[v];
    ck_table_free(&table);
    ck_legend(&all, text, sizeof text);
    fprintf(to, "\n%s\n", text);
    if (bad_of(&all))
        fputs("\n### Failures\n", to);
    for (size_t i = 0; i < run->count; i++) {
        const struct ck_record *r = run->all[i].record;
        if (!ck_verdict_is_bad(r->verdict) || run->all[i].mutant)
            continue;
        fputs("\n**", to);
        markdown_text(to, r->rule);
        fprintf(to, "** %s on ", ck_verdict_names[r->verdict]);
        markdown_text(to, r->engine);
        fputs("\n\n", to);
        ck_failure_lines(run, &run->all[i], markdown_line, to);
    }
    count = ck_skip_reasons(run, reasons, 256, &skips);
    if (skips) {
        fputs("\n### Skipped\n\n", to);
        for (size_t i = 0; i < count; i++) {
            fprintf(to, "- %s: ", ck_thousands(reasons[i].count));
            markdown_text(to, reasons[i].text);
            putc('\n', to);
        }
    }
    if (m.all)
        fprintf(to, "\n%lu of %lu mutants killed, %lu excused\n", m.killed, m.all - m.excused, m.excused);
    for (size_t i = 0; i < run->count; i++) {
        if (!run->all[i].mutant || !ck_verdict_is_bad(run->all[i].record->verdict))
            continue;
        fprintf(to, "- mutant %s: ", ck_verdict_names[run->all[i].record->verdict]);
        markdown_text(to, run->all[i].record->point);
        fputs(" on ", to);
        markdown_text(to, run->all[i].record->engine);
        putc('\n', to);
    }
    markdown_emulator(to, run, options->agreement);
    if (options->comparison && options->recorded) {
        ck_comparison_line(options->comparison, options->recorded, text, sizeof text);
        fprintf(to, "\n%s\n", text);
        if (ck_comparison_changed(options->comparison)) {
            fputs("\n```text\n", to);
            ck_comparison_print(to, options->comparison, 40, false);
            fputs("```\n", to);
        }
    }
}
// SPDX-License-Identifier: Apache-2.0
