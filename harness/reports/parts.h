/* What the formats of a report share, and the formats themselves. */
#ifndef COPYCHECK_REPORT_PARTS_H
#define COPYCHECK_REPORT_PARTS_H

#include "harness/reports/report.h"

/* A failing result as labelled lines: rule, source, point, expected, got, so, again. `line` is called for each; a text
 * of several lines comes as several calls, further ones with an empty label. */
typedef void ck_failure_line(void *user, const char *label, const char *text);
void ck_failure_lines(const struct ck_entries *run, const struct ck_entry *result, ck_failure_line *line, void *user);

/* Skips by what they needed, most frequent first. */
struct ck_skip_reason {
    char text[160];
    unsigned long count;
};
size_t ck_skip_reasons(const struct ck_entries *run, struct ck_skip_reason *reasons, size_t max, unsigned long *skips);

struct ck_mutants {
    unsigned long all, killed, survived, excused; /* what is left over was skipped or broke */
};
struct ck_mutants ck_mutants_count(const struct ck_entries *run);

/* The table of families and engines, with the column of the agreement where there is one. */
void ck_report_table(const struct ck_entries *run, const char *rows, const struct ck_report_options *options,
                     struct ck_table *out);

/* "copycheck 0.1  H200 sm_90 ...". That a run did not finish is not said of one that goes on. */
void ck_report_header(const struct ck_entries *run, bool goes_on, char *text, size_t size);

/* ---- the formats: each writes a whole report ---- */

void ck_report_human(FILE *to, const struct ck_entries *run, const struct ck_report_options *options);
void ck_report_ktap(FILE *to, const struct ck_entries *run);
void ck_report_junit(FILE *to, const struct ck_entries *run);
void ck_report_jsonl(FILE *to, const struct ck_entries *run, const struct ck_report_options *options);
void ck_report_markdown(FILE *to, const struct ck_entries *run, const struct ck_report_options *options);
void ck_report_html(FILE *to, const struct ck_entries *run, const struct ck_report_options *options);

#endif
// SPDX-License-Identifier: Apache-2.0
