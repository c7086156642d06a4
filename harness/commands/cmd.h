/* The commands of copycheck. Each takes its own arguments (argv[0] is the command's name) and returns the exit status:
 * 0 all as expected, 1 a rule failed, 2 no verdict could be reached, 3 only observed behaviour changed. */
#ifndef COPYCHECK_CMD_H
#define COPYCHECK_CMD_H

#include "harness/base/bad.h"

int cmd_run(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_rules(int argc, char **argv);
int cmd_show(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_book(int argc, char **argv);
int cmd_notes(int argc, char **argv);
int cmd_matrix(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_merge(int argc, char **argv);
int cmd_records(int argc, char **argv);
int cmd_keep(int argc, char **argv);
int cmd_upgrade(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_plot(int argc, char **argv);
int cmd_encode(int argc, char **argv);
int cmd_tile(int argc, char **argv);
int cmd_swizzle(int argc, char **argv);
int cmd_view(int argc, char **argv);
int cmd_assemble(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_capture(int argc, char **argv);
int cmd_exec(int argc, char **argv);
int cmd_lab(int argc, char **argv);
int cmd_lint(int argc, char **argv);
/* --version; `revision`: the commit, or "". */
int cmd_version(const char *revision);

/* ---- what commands share: common.c ---- */
/* Prepares the process, before anything is opened: standard streams that are closed, signals. */
void cmd_begin(void);
/* Prints a command's help on standard output; returns the exit status. */
int cmd_help(const char *text);
/* A rule's sources are one string, separated by "; ": prints each by `field`, the first with the label "source", the
 * others with none. */
void cmd_sources(const char *text, void (*field)(const char *label, const char *text));
/* Writes out standard output's buffer: `status`, or 2 where standard output takes no more, after one line (none for a
 * pipe that nobody reads). Commands call it before they say that all went well; main calls it last. */
int cmd_end(int status);

#endif
// SPDX-License-Identifier: Apache-2.0
