/* A report in the format that is asked for, and the exit status that it means. */
#include "harness/reports/parts.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const ck_format_names[CK_FORMATS] = {
    [CK_FORMAT_HUMAN] = "human", [CK_FORMAT_KTAP] = "ktap",         [CK_FORMAT_JUNIT] = "junit",
    [CK_FORMAT_JSONL] = "jsonl", [CK_FORMAT_MARKDOWN] = "markdown", [CK_FORMAT_HTML] = "html",
};
const char ck_format_list[] = "human, ktap, junit, jsonl, markdown, html";

bool ck_format_parse(const char *name, enum ck_format *out)
{
    for (int i = 0; i < CK_FORMATS; i++) {
        if (!strcmp(ck_format_names[i], name)) {
            *out = (enum ck_format)i;
            return true;
        }
    }
    return false;
}

bool ck_report_color(FILE *to)
{
    const char *no = getenv("NO_COLOR");

    return isatty(fileno(to)) && (!no || !*no);
}

bool ck_report(FILE *to, const struct ck_entries *run, enum ck_format format, const struct ck_report_options *options)
{
    switch (format) {
    case CK_FORMAT_HUMAN: ck_report_human(to, run, options); break;
    case CK_FORMAT_KTAP: ck_report_ktap(to, run); break;
    case CK_FORMAT_JUNIT: ck_report_junit(to, run); break;
    case CK_FORMAT_JSONL: ck_report_jsonl(to, run, options); break;
    case CK_FORMAT_MARKDOWN: ck_report_markdown(to, run, options); break;
    case CK_FORMAT_HTML: ck_report_html(to, run, options); break;
    case CK_FORMATS: break;
    }
    return !fflush(to) && !ferror(to);
}

int ck_report_status(const struct ck_entries *run, const struct ck_report_options *options)
{
    bool verdict = false;

    for (size_t i = 0; i < run->count; i++) {
        if (ck_verdict_is_bad(run->all[i].record->verdict))
            return 1;
        verdict |= run->all[i].record->verdict != CK_V_SKIP;
    }
    if (!verdict || !run->file->head.complete || run->file->count < run->file->head.planned)
        return 2;
    if (options->comparison && ck_comparison_changed(options->comparison))
        return 3;
    return options->agreement && ck_agreement_unknown(options->agreement) ? 3 : 0;
}
// SPDX-License-Identifier: Apache-2.0
