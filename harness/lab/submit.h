/* Submissions from files to verdicts, each in a process of its own. */
#ifndef COPYCHECK_LAB_SUBMIT_H
#define COPYCHECK_LAB_SUBMIT_H

#include "harness/engines/gpu_probe.h"
#include "harness/lab/task.h"
#include "harness/lab/verdict.h"

/* Judges the tasks, so many at a time, under limits of time and memory, and launches them on the GPU too, where `gpu`
 * is not NULL. verdicts[i] is of tasks[i]; released with lab_verdicts_free. NULL after a line where no process can be
 * made. */
struct lab_verdict *lab_submit(const char *labs, const struct lab_task *tasks, size_t count, unsigned jobs,
                               const struct ck_gpu_facts *gpu);
void lab_verdicts_free(struct lab_verdict *verdicts, size_t count);

/* Writes the PTX that a submission is compiled into. False after what is wrong, on standard error. */
bool lab_print_ptx(const char *labs, const struct lab_task *task, FILE *to);

#endif
// SPDX-License-Identifier: Apache-2.0
