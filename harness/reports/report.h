/* Reports of a run, made from its records alone. */
#ifndef COPYCHECK_REPORT_H
#define COPYCHECK_REPORT_H

#include "harness/records/records.h"

enum ck_format {
    CK_FORMAT_HUMAN,
    CK_FORMAT_KTAP,     /* the kernel's test protocol: engines are subtests */
    CK_FORMAT_JUNIT,    /* XML: an engine is a test suite */
    CK_FORMAT_JSONL,    /* the records themselves */
    CK_FORMAT_MARKDOWN, /* for an issue or a merge request */
    CK_FORMAT_HTML,     /* one page that needs nothing else */
    CK_FORMATS
};

extern const char *const ck_format_names[CK_FORMATS];
extern const char ck_format_list[]; /* "human, ktap, ..." */
bool ck_format_parse(const char *name, enum ck_format *out);

/* Which part of the report for a reader is printed. */
enum ck_part {
    CK_PART_ALL,
    CK_PART_GATES, /* matrix and failures, of a run that goes on */
};

struct ck_report_options {
    enum ck_part part;                      /* of the human format */
    const struct ck_comparison *comparison; /* with a recorded file, NULL where there is none */
    const struct ck_run_head *recorded;     /* that file's head */
    const struct ck_agreement *agreement;   /* of the emulator with the GPU, NULL where nothing can be compared */
    const char *note;                       /* a further line at the end: the profile */
    bool color;                             /* escape sequences of a terminal */
};

/* Writes the report; false if the stream refused it (errno). */
bool ck_report(FILE *to, const struct ck_entries *run, enum ck_format format, const struct ck_report_options *options);

/* Draws what `engine` measured as SVG, a panel for each rule. False if the stream refused it (errno). */
bool ck_plot(FILE *to, const struct ck_entries *run, const char *engine);

/* Whether to use colour: `to` is a terminal and NO_COLOR is not set. */
bool ck_report_color(FILE *to);

/* The exit status of a run: 1 where something failed, 2 where no verdict was reached (nothing but skips, or fewer
 * results than planned), 3 where only observed behaviour differs from the recorded, or the emulator from the GPU for no
 * known reason, else 0. */
int ck_report_status(const struct ck_entries *run, const struct ck_report_options *options);

#endif
// SPDX-License-Identifier: Apache-2.0
