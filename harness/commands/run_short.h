/* What a program reads of copycheck run in place of its report: a line, a file for Prometheus. */
#ifndef COPYCHECK_RUN_SHORT_H
#define COPYCHECK_RUN_SHORT_H

#include <stdbool.h>

#include "harness/records/tally.h"

enum cmd_short {
    CMD_REPORT, /* the report, nothing shorter */
    CMD_NHC,    /* nothing if no documented rule fails, else a line */
    CMD_NAGIOS, /* a line with the state of a plugin of Nagios */
};

/* Prints the line, if there is one, of a run with this exit status. */
void cmd_short_print(enum cmd_short how, const struct ck_entries *run, int status);
/* The exit status that the reader of the line expects for this one of copycheck. Without a run (status 2), whose reason
 * went to standard error, Nagios still wants its line. */
int cmd_short_status(enum cmd_short how, int status);

/* Writes the run as metrics in Prometheus' text format; the file is renamed when it is whole. False after a line. */
bool cmd_short_prometheus(const char *path, const struct ck_entries *run, int status);

#endif
// SPDX-License-Identifier: Apache-2.0
