/* A line on a terminal that says how far a long launch has come. */
#ifndef COPYCHECK_CHECK_PROGRESS_H
#define COPYCHECK_CHECK_PROGRESS_H

#include <pthread.h>
#include <stdint.h>

#include "harness/emu/emu.h"

struct check_progress {
    struct emu_progress now; /* for the options of the launch */
    uint64_t clusters;       /* of the grid */
    unsigned schedule;
    bool shown, over;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t ends;
};

/* Shows from now on, once a second, what `now` says, where standard error is a terminal. False where it is none, or a
 * thread cannot be had: then nothing is shown, and nobody needs to count. */
bool check_progress_begin(struct check_progress *p, uint64_t clusters, unsigned schedule);
/* Takes the line away. */
void check_progress_end(struct check_progress *p);

#endif
// SPDX-License-Identifier: Apache-2.0
