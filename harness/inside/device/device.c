/* The device's state, and its lock. */
#include "harness/inside/device/device.h"

struct device device;

/* It is held for microseconds: who finds it taken first looks again for a while. */
static pthread_mutex_t lock = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
static _Thread_local unsigned held; /* how often this thread has it: a callback may call the API from within a call */

void device_lock(void)
{
    if (!held)
        pthread_mutex_lock(&lock);
    held++;
}

void device_unlock(void)
{
    held--;
    if (!held)
        pthread_mutex_unlock(&lock);
}

unsigned device_held(void)
{
    return held;
}
// SPDX-License-Identifier: Apache-2.0
