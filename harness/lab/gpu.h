/* A submission's kernel on this machine's GPU, beside the emulator's verdict. */
#ifndef COPYCHECK_LAB_GPU_H
#define COPYCHECK_LAB_GPU_H

#include "harness/engines/gpu_probe.h"
#include "harness/lab/place.h"
#include "harness/lab/task.h"
#include "harness/lab/verdict.h"

/* What a submission's folder holds for its launches. */
#define LAB_GPU_PTX    "kernel.ptx"
#define LAB_GPU_SOURCE "source"
#define LAB_GPU_TILE   "kernel.cubin" /* of a tile kernel, in place of PTX */

/* Launches those submissions whose folders hold PTX, one after the other, each in a process of its own and under a
 * limit of time, with the sizes and data that the emulator had, and adds to their verdicts what is seen. `verdicts` is
 * shared with child processes. False after a line where no process can be made. */
bool lab_gpu_launch_all(const struct ck_gpu_facts *facts, const struct lab_task *tasks, const struct lab_place *places,
                        struct lab_verdict *verdicts, size_t count);

#endif
// SPDX-License-Identifier: Apache-2.0
