/* The device's state, and its lock. */
#include "harness/inside/device/device.h"

struct device device;

static pthread_mutex_t lock;
static pthread_once_t lock_made = PTHREAD_ONCE_INIT;
static _Thread_local unsigned held; /* how often this thread has it */

/* A callback may call the API from within a call. */
static void make_lock(void)
{
    pthread_mutexattr_t recursive;

    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &recursive);
    pthread_mutexattr_destroy(&recursive);
}

void device_lock(void)
{
    pthread_once(&lock_made, make_lock);
    pthread_mutex_lock(&lock);
    held++;
}

void device_unlock(void)
{
    held--;
    pthread_mutex_unlock(&lock);
}

unsigned device_held(void)
{
    return held;
}
// SPDX-License-Identifier: Apache-2.0
