/* Races of the host with kernels. */
#include "harness/inside/device/races.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/inside/device/early.h"

enum { READ = 1, WRITTEN = 2, TOLD = 4 };

/* Memory that both may access, and what kernels have done to its pages since the last call that waited. */
struct watched {
    uint64_t at;
    size_t pages;
    unsigned char *done; /* of each page */
    struct watched *next;
};

static struct watched *all;
static bool wanted, in_kernel, pending;
static uint64_t page;
static char last[100]; /* the kernel that was launched last */

void races_look_for(bool is_wanted)
{
    wanted = is_wanted;
    page = (uint64_t)sysconf(_SC_PAGESIZE);
}

static void protect(const struct watched *w, size_t first, size_t count, int access)
{
    mprotect((void *)(uintptr_t)(w->at + first * page), count * page, access);
}

/* Memory of the program's own, which cudaHostRegister names, shares pages with other things. */
static void watch(const struct memory *m, void *state)
{
    struct watched *w = all;

    (void)state;
    if ((m->kind != MEMORY_MANAGED && m->kind != MEMORY_HOST) || m->at % page)
        return;
    while (w && w->at != m->at)
        w = w->next;
    if (w || !(w = calloc(1, sizeof *w)))
        return;
    *w = (struct watched){ .at = m->at, .pages = (m->bytes + page - 1) / page, .next = all };
    w->done = calloc(w->pages, 1);
    if (!w->done) {
        free(w);
        return;
    }
    all = w;
}

void races_begin(void)
{
    if (!wanted)
        return;
    memory_each(watch, NULL);
    in_kernel = true;
    for (const struct watched *w = all; w; w = w->next)
        protect(w, 0, w->pages, PROT_NONE);
}

void races_end(const char *kernel)
{
    if (!wanted)
        return;
    in_kernel = false;
    pending = true;
    strncpy(last, kernel, sizeof last - 1);
    for (const struct watched *w = all; w; w = w->next)
        for (size_t i = 0; i < w->pages; i++)
            protect(w, i, 1,
                    w->done[i] & TOLD      ? PROT_READ | PROT_WRITE
                    : w->done[i] & WRITTEN ? PROT_NONE
                    : w->done[i] & READ    ? PROT_READ
                                           : PROT_READ | PROT_WRITE);
}

void races_off(void)
{
    for (const struct watched *w = all; w; w = w->next)
        protect(w, 0, w->pages, PROT_READ | PROT_WRITE);
}

void races_synchronised(void)
{
    early_waited();
    if (!pending)
        return;
    pending = false;
    for (struct watched *w = all; w; w = w->next) {
        memset(w->done, 0, w->pages);
    }
    races_off();
}

void races_forget(uint64_t at)
{
    for (struct watched **p = &all; *p; p = &(*p)->next)
        if ((*p)->at == at) {
            struct watched *w = *p;
            *p = w->next;
            protect(w, 0, w->pages, PROT_READ | PROT_WRITE);
            free(w->done);
            free(w);
            return;
        }
}

bool races_fault(uint64_t at, bool writes)
{
    struct watched *w = all;
    size_t i;

    while (w && at - w->at >= w->pages * page)
        w = w->next;
    if (!w)
        return false;
    i = (size_t)((at - w->at) / page);
    if (in_kernel) {
        w->done[i] |= writes ? WRITTEN : READ;
        protect(w, i, 1, writes || w->done[i] & WRITTEN ? PROT_READ | PROT_WRITE : PROT_READ);
        return true;
    }
    if (!device_held())
        say_host_race(memory_of(at), at, writes, w->done[i] & WRITTEN, last);
    w->done[i] |= TOLD;
    protect(w, i, 1, PROT_READ | PROT_WRITE);
    return true;
}
// SPDX-License-Identifier: Apache-2.0
