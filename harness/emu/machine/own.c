/* Large memory of each host thread. */
#include "harness/emu/machine/own.h"

#include <pthread.h>
#include <stdlib.h>

#include "harness/base/bad.h"

_Thread_local void *emu_owned[EMU_OWNS];

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* At the end of a thread. */
static void give_back(void *owned)
{
    void **all = owned;

    for (int i = 0; i < EMU_OWNS; i++) {
        free(all[i]);
        all[i] = NULL;
    }
}

static void make_key(void)
{
    pthread_key_create(&key, give_back);
}

void *emu_own_make(enum emu_own which, size_t bytes)
{
    pthread_once(&once, make_key);
    emu_owned[which] = calloc(1, bytes);
    if (!emu_owned[which])
        ck_no_memory();
    pthread_setspecific(key, emu_owned);
    return emu_owned[which];
}
// SPDX-License-Identifier: Apache-2.0
