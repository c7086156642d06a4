/* The report of a run for a reader at a terminal. */
#include "harness/reports/parts.h"

#include <string.h>

#include "expected/rule.h"

static void print_line(void *user, const char *label, const char *text)
{
    enum { WIDTH = 108, INDENT = 12 };
    FILE *to = user;

    fprintf(to, "  %-10s", label);
    /* Sentences are broken between words; bytes beside each other and commands stay in one line. */
    if (!strcmp(label, "rule") || !strcmp(label, "source") || !strcmp(label, "note")) {
        for (size_t column = INDENT; *text;) {
            const size_t n = strcspn(text, " ");
            if (column > INDENT && column + n > WIDTH) {
                fprintf(to, "\n%*s", INDENT, "");
                column = INDENT;
            }
            fprintf(to, "%s%.*s", column > INDENT ? " " : "", (int)n, text);
            column += n + 1;
            text += n + strspn(text + n, " ");
        }
    } else {
        fputs(text, to);
    }
    putc('\n', to);
}

/* Failures of one rule on one engine mostly have one cause: the first is shown in full, the others by name. False where
 * the failure was named before. */
static bool print_failure(FILE *to, const struct ck_entries *run, size_t index, bool color)
{
    enum { NAMED = 6 };
    const struct ck_record *r = run->all[index].record;
    char word[16];
    unsigned long further = 0;
    size_t i;

    for (i = 0; i < index; i++) {
        const struct ck_record *o = run->all[i].record;
        if (ck_verdict_is_bad(o->verdict) && o->verdict == r->verdict && !run->all[i].mutant &&
            !strcmp(o->rule, r->rule) && !strcmp(o->engine, r->engine))
            return false;
    }
    snprintf(word, sizeof word, "%s", ck_verdict_names[r->verdict]);
    for (char *p = word; *p; p++)
        *p = (char)(*p >= 'a' && *p <= 'z' ? *p - 'a' + 'A' : *p);
    fprintf(to, "%s  %s%s%s on %s\n", r->rule, color ? "\033[1;31m" : "", word, color ? "\033[0m" : "", r->engine);
    ck_failure_lines(run, &run->all[index], print_line, to);
    for (i = index + 1; i < run->count; i++) {
        const struct ck_record *o = run->all[i].record;
        if (o->verdict != r->verdict || run->all[i].mutant || strcmp(o->rule, r->rule) != 0 ||
            strcmp(o->engine, r->engine) != 0)
            continue;
        if (further < NAMED)
            print_line(to, further ? "" : "also", o->point);
        further++;
    }
    if (further > NAMED)
        fprintf(to, "%12sand %s more\n", "", ck_thousands(further - NAMED));
    putc('\n', to);
    return true;
}

/* If an assembler fails most rules, a reader wants the matrix, not thousands of pages: at most UNFOLDED are printed. */
static void print_failures(FILE *to, const struct ck_entries *run, bool color)
{
    enum { UNFOLDED = 60 };
    unsigned long left = 0;
    int unfolded = 0;

    for (size_t i = 0; i < run->count; i++) {
        if (!ck_verdict_is_bad(run->all[i].record->verdict) || run->all[i].mutant)
            continue;
        if (unfolded == UNFOLDED)
            left++;
        else
            unfolded += print_failure(to, run, i, color);
    }
    if (left)
        fprintf(to, "%s further results failed, some of them named above; --format html shows each\n\n",
                ck_thousands(left));
}

/* ---- the last lines ---- */

/* "3 need two GPUs", "1 needs sm_100a". */
static void print_reason(FILE *to, const char *before, int width, const struct ck_skip_reason *reason)
{
    const bool needs = !strncmp(reason->text, "needs ", 6) && reason->count != 1;

    fprintf(to, "%s%*s%s%s%s", before, width, ck_thousands(reason->count), width > 1 ? "  " : " ", needs ? "need " : "",
            reason->text + (needs ? 6 : 0));
}

/* "6 skipped: 3 need sm_100a; 3 need two GPUs", over several lines where there are many reasons. */
static void print_skips(FILE *to, const struct ck_entries *run, bool *column)
{
    enum { REASONS = 256, SHORT = 3, SHORT_BYTES = 90 };
    static struct ck_skip_reason reasons[REASONS];
    unsigned long skips, named = 0;
    const size_t count = ck_skip_reasons(run, reasons, REASONS, &skips);
    size_t bytes = 0;

    if (!skips)
        return;
    for (size_t i = 0; i < count; i++)
        bytes += strlen(reasons[i].text);
    fprintf(to, "%s skipped:", ck_thousands(skips));
    if (count <= SHORT && bytes <= SHORT_BYTES) {
        for (size_t i = 0; i < count; i++)
            print_reason(to, i ? "; " : " ", 1, &reasons[i]);
        *column = true;
        return;
    }
    putc('\n', to);
    for (size_t i = 0; i < count && i < 20; i++) {
        print_reason(to, "", 7, &reasons[i]);
        putc('\n', to);
        named += reasons[i].count;
    }
    if (named < skips)
        fprintf(to, "%7s  for other reasons\n", ck_thousands(skips - named));
}

static void print_mutants(FILE *to, const struct ck_entries *run)
{
    for (size_t i = 0; i < run->count; i++) {
        const struct ck_record *r = run->all[i].record;
        if (run->all[i].mutant && ck_verdict_is_bad(r->verdict))
            fprintf(to, "mutant %s: %s on %s%s%s\n", ck_verdict_names[r->verdict], r->point, r->engine,
                    r->at ? "  " : "", r->at ? r->at : "");
    }
}

/* What only a run with the emulator has: how it agrees with the machine, and how it names breaches. */
static void print_emulator(FILE *to, const struct ck_entries *run, const struct ck_report_options *options)
{
    enum { NAMED = 10 };
    const struct ck_breaches breaches = ck_breaches_count(run);
    char line[320];

    if (options->agreement && options->agreement->count) {
        ck_agreement_line(options->agreement, line, sizeof line);
        fprintf(to, "%s\n", line);
        ck_agreement_print(to, options->agreement, NAMED);
    }
    if (ck_breaches_total(&breaches)) {
        ck_breaches_line(&breaches, line, sizeof line);
        fprintf(to, "%s\n", line);
        ck_breaches_print(to, run, false);
    }
}

static void print_measured(FILE *to, const struct ck_entries *run)
{
    unsigned long measured = 0;

    for (size_t i = 0; i < run->count; i++)
        measured += run->all[i].record->ratio > 0;
    if (measured)
        fprintf(to,
                "%s times compared with another way's: copycheck plot RECORD draws them, matrix --ratios lists them\n",
                ck_thousands(measured));
}

static void print_summary(FILE *to, const struct ck_entries *run, const struct ck_report_options *options)
{
    const struct ck_mutants m = ck_mutants_count(run);
    const struct ck_record_file *file = run->file;
    bool column = false;
    char line[256];

    if (file->count < file->head.planned)
        fprintf(to, "BROKEN: %s of %s planned results are missing\n", ck_thousands(file->head.planned - file->count),
                ck_thousands(file->head.planned));
    print_skips(to, run, &column);
    if (options->comparison && options->recorded) {
        ck_comparison_line(options->comparison, options->recorded, line, sizeof line);
        fprintf(to, "%s%s", column ? "        " : "", line);
        column = true;
    }
    if (m.all) {
        fprintf(to, "%s%s of %s mutants killed", column ? "        " : "", ck_thousands(m.killed),
                ck_thousands(m.all - m.excused));
        if (m.excused)
            fprintf(to, ", %s excused", ck_thousands(m.excused));
        column = true;
    }
    if (column)
        putc('\n', to);
    print_mutants(to, run);
    if (options->comparison && ck_comparison_changed(options->comparison)) {
        putc('\n', to);
        ck_comparison_print(to, options->comparison, 10, false);
    }
    print_emulator(to, run, options);
    print_measured(to, run);
    if (options->note)
        fprintf(to, "%s\n", options->note);
}

void ck_report_human(FILE *to, const struct ck_entries *run, const struct ck_report_options *options)
{
    struct ck_table table;
    char header[512];

    ck_report_header(run, options->part == CK_PART_GATES, header, sizeof header);
    fprintf(to, "%s\n\n", header);
    ck_report_table(run, "family", options, &table);
    ck_table_print(to, &table, NULL, 1);
    ck_table_free(&table);
    putc('\n', to);
    print_failures(to, run, options->color);
    if (options->part != CK_PART_GATES)
        print_summary(to, run, options);
}
// SPDX-License-Identifier: Apache-2.0
