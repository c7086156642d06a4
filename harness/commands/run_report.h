/* The report at the end of copycheck run. */
#ifndef COPYCHECK_RUN_REPORT_H
#define COPYCHECK_RUN_REPORT_H

#include "harness/commands/run_short.h"
#include "harness/reports/report.h"
#include "harness/run/run.h"

/* Options of copycheck run that are about its report. */
struct cmd_report {
    const char *recorded;   /* a record file to compare with; NULL: that of this machine in expected/recorded */
    bool no_recorded;       /* compare with none */
    bool profile;           /* say what the run took */
    enum cmd_short how;     /* a line in place of the report */
    const char *prometheus; /* a file of metrics too; NULL: none */
    enum ck_format format;
};

/* Reads the record file back and reports on it on standard output: reports know records only. Returns the exit status.
 */
int cmd_run_report(const struct cmd_report *options, const char *path, const struct ck_profile *profile);

/* The early report: the matrix and the failures of what gates among the records that a run has written, and those that
 * its file had before it, without the engine whose points come behind; and a line that says what is still to come. To
 * read the file back would take half a second more. Out of memory: it says nothing, as the report at the end will. */
void cmd_run_gates(const struct ck_run_head *head, const struct ck_record_file *before, const struct ck_record *records,
                   size_t count, const struct ck_to_come *left);

#endif
// SPDX-License-Identifier: Apache-2.0
