/* A line on a terminal that says how far a long launch has come. */
#include "harness/check/progress.h"

#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/bad.h"

/* The first line comes after a second: most launches have ended by then. */
static void *show(void *context)
{
    struct check_progress *p = context;
    struct timespec next;

    clock_gettime(CLOCK_MONOTONIC, &next); /* which nobody sets */
    pthread_mutex_lock(&p->lock);
    while (!p->over) {
        next.tv_sec++;
        while (!p->over && !pthread_cond_timedwait(&p->ends, &p->lock, &next))
            ;
        if (p->over)
            break;
        fprintf(stderr, "\rschedule %u: %.1f million instructions, %llu of %llu clusters have ended\033[K", p->schedule,
                (double)atomic_load(&p->now.instructions) / 1e6, (unsigned long long)atomic_load(&p->now.clusters),
                (unsigned long long)p->clusters);
        fflush(stderr);
        p->shown = true;
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

bool check_progress_begin(struct check_progress *p, uint64_t clusters, unsigned schedule)
{
    if (ck_bad_is_kept() || !isatty(STDERR_FILENO))
        return false;
    pthread_condattr_t clock;

    *p = (struct check_progress){ .clusters = clusters, .schedule = schedule };
    pthread_mutex_init(&p->lock, NULL);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&p->ends, &clock);
    pthread_condattr_destroy(&clock);
    return pthread_create(&p->thread, NULL, show, p) == 0;
}

void check_progress_end(struct check_progress *p)
{
    pthread_mutex_lock(&p->lock);
    p->over = true;
    pthread_cond_signal(&p->ends);
    pthread_mutex_unlock(&p->lock);
    pthread_join(p->thread, NULL);
    if (p->shown)
        fputs("\r\033[K", stderr);
}
// SPDX-License-Identifier: Apache-2.0
