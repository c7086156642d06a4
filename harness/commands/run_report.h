/* The report at the end of copycheck run. */
#ifndef COPYCHECK_RUN_REPORT_H
#define COPYCHECK_RUN_REPORT_H

#include "harness/reports/report.h"
#include "harness/run/run.h"

/* Options of copycheck run that are about its report. */
struct cmd_report {
    const char *recorded; /* a record file to compare with; NULL: that of this machine in expected/recorded */
    bool no_recorded;     /* compare with none */
    bool profile;         /* say what the run took */
    enum ck_format format;
};

/* Reads the record file back and reports on it on standard output: reports know records only. Returns the exit status.
 */
int cmd_run_report(const struct cmd_report *options, const char *path, const struct ck_profile *profile);

/* The early report, of a file that is still being written: the matrix and the failures of what gates, without the
 * engine whose points come behind; and a line that says what is still to come. */
void cmd_run_gates(const char *path, const struct ck_to_come *left);

#endif
