/* The record file of a run: where it is, that no other run writes it, and how an interrupted one goes on. */
#ifndef COPYCHECK_RUN_FILE_H
#define COPYCHECK_RUN_FILE_H

#include <limits.h>

#include "harness/records/tally.h"

struct cmd_run_file {
    FILE *to; /* where records go; the caller may close it and set it to NULL */
    int lock; /* holds other runs off until cmd_run_file_close */
    char path[PATH_MAX];
    bool resumed;
    struct ck_record_file before; /* of a run that goes on: what there is already */
    struct ck_entries entries;
    uint64_t chain; /* of the lines in the file: ck_write_record */
};

/* Opens a new file and locks it. NULL: last.jsonl beside the program, or in the current folder where that one cannot be
 * written; where another run writes it, last-2.jsonl and so on. What was there before is gone only with
 * cmd_run_file_begin. False after a line. */
bool cmd_run_file_new(struct cmd_run_file *f, const char *path);

/* Opens and locks the file of an interrupted run and reads it. False after a line. */
bool cmd_run_file_resume(struct cmd_run_file *f, const char *path);

/* Empties a new file, or cuts off what a resumed one has too much (a line without its end, an end line), and writes the
 * head. The head of a resumed file must be this one. False after a line. */
bool cmd_run_file_begin(struct cmd_run_file *f, const struct ck_run_head *head);

/* How many records the file holds by now, read back: 0 where none can be read. */
size_t cmd_run_file_count(const struct cmd_run_file *f);

/* Closes what is open and lets other runs at the file. */
void cmd_run_file_close(struct cmd_run_file *f);

#endif
// SPDX-License-Identifier: Apache-2.0
