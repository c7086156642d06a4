/* The options of copycheck run, and those that an interrupted run began with. */
#ifndef COPYCHECK_RUN_OPTIONS_H
#define COPYCHECK_RUN_OPTIONS_H

#include "harness/commands/run_report.h"

enum {
    CMD_TOOLKITS = 32,
    CMD_DEADLINE_MS = 10000, /* where none is given */
};

struct cmd_run_options {
    const char *engines, *kernels, *out, *resume, *delivery;
    const char *toolkits[CMD_TOOLKITS];
    size_t toolkit_count;
    char **selects;
    size_t select_count;
    char *selection; /* the selects as a head line has them */
    bool mutants, shuffle, schedules, seeded;
    bool all;      /* --all */
    bool selected; /* points are named, or resumed as such: each runs on each engine */
    bool no_faults;
    bool smoke; /* --smoke */
    bool alone; /* --alone */
    bool brief; /* a device shows one fault of each rule */
    bool kinds; /* its first engine shows each, the others one of each kind */
    unsigned long shard, shards, repeat, jobs, deadline, gpus; /* 0: not given */
    uint64_t seed;
    struct cmd_report report;
    char *line; /* what a head line gave for selects, and its list of them */
    char **of_line;
};

/* Reads the arguments. 0; 2 after a line; -1 where they ask for help, which is printed. */
int cmd_run_options(int argc, char **argv, struct cmd_run_options *o);
/* Fills in what was not given from the head of the run that goes on. */
void cmd_run_options_of(struct cmd_run_options *o, const struct ck_run_head *head);
/* Fills in what is still open, and tells the emulator its delivery. False after a line. */
bool cmd_run_options_settle(struct cmd_run_options *o);
void cmd_run_options_free(struct cmd_run_options *o);

#endif
// SPDX-License-Identifier: Apache-2.0
