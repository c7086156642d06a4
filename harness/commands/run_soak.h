/* copycheck run --soak. */
#ifndef COPYCHECK_RUN_SOAK_H
#define COPYCHECK_RUN_SOAK_H

#include <stdbool.h>

/* Whether --soak is among the arguments of run. */
bool cmd_run_is_soak(int argc, char **argv);

/* Runs the points of the other arguments round after round, --for MINUTES (10 where nothing bounds it) or --rounds N,
 * into --out FILE.1, FILE.2 ... Returns the exit status: 1 where a documented rule failed or a verdict varies, 3 where
 * only what documents leave open varies. `run` runs one round: copycheck run without --soak. */
int cmd_run_soak(int argc, char **argv, int (*run)(int argc, char **argv));

#endif
// SPDX-License-Identifier: Apache-2.0
