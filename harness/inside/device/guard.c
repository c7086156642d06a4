/* Device memory that the host cannot reach. */
#include "harness/inside/device/guard.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "harness/inside/device/races.h"

static struct {
    bool always;
    int key;    /* of the processor; -1: none */
    bool races; /* --host-races, whose faults come here too */
    bool pages; /* mprotect takes its place */
    bool open;
    size_t page; /* bytes */
    struct sigaction before;
} guard = { .key = -1 };

void guard_always(bool always)
{
    guard.always = always;
}

void guard_races(bool wanted)
{
    guard.races = wanted;
    races_look_for(wanted);
}

static bool is_device(const struct memory *m)
{
    return m->kind == MEMORY_DEVICE || m->kind == MEMORY_POOL || m->kind == MEMORY_ARRAY;
}

/* Whether the instruction that has faulted writes; yes where the processor does not say so. */
static bool is_write(const void *context)
{
#if defined __x86_64__
    return ((const ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & 2;
#else
    (void)context;
    return true;
#endif
}

/* The program's access is what its own handler, or the system, makes of it, after the line. */
static void on_fault(int number, siginfo_t *about, void *context)
{
    const uint64_t at = (uint64_t)(uintptr_t)about->si_addr;
    const struct memory *m = memory_of(at);

    (void)number;
    if (races_fault(at, is_write(context)))
        return;
    if (m && is_device(m))
        say_line("the host accesses device memory: byte %llu of %s %llu, at 0x%llx", (unsigned long long)(at - m->at),
                 m->kind == MEMORY_DEVICE ? "cudaMalloc" : "allocation", (unsigned long long)m->number,
                 (unsigned long long)at);
    sigaction(SIGSEGV, &guard.before, NULL); /* the instruction runs again, and faults again */
}

void guard_begin(void)
{
    struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK };

    guard.page = (size_t)sysconf(_SC_PAGESIZE);
    guard.key = pkey_alloc(0, 0);
    guard.pages = guard.key < 0 && guard.always;
    guard.open = true;
    if (guard.key >= 0 || guard.pages || guard.races)
        sigaction(SIGSEGV, &action, &guard.before);
}

static size_t whole_pages(const struct memory *m)
{
    return (m->bytes + guard.page - 1) / guard.page * guard.page;
}

/* Memory that does not begin a page shares it with the host's own. */
static bool is_guarded(const struct memory *m)
{
    return is_device(m) && m->at % guard.page == 0;
}

void guard_watch(const struct memory *m)
{
    if (guard.key >= 0 && is_guarded(m))
        pkey_mprotect((void *)(uintptr_t)m->at, whole_pages(m), PROT_READ | PROT_WRITE, guard.key);
}

void guard_forget(const struct memory *m)
{
    races_forget(m->at);
    if (guard.key >= 0 && is_guarded(m))
        pkey_mprotect((void *)(uintptr_t)m->at, whole_pages(m), PROT_READ | PROT_WRITE, 0);
}

static void protect(const struct memory *m, void *access)
{
    if (is_guarded(m))
        mprotect((void *)(uintptr_t)m->at, whole_pages(m), *(const int *)access);
}

void guard_open(void)
{
    int access = PROT_READ | PROT_WRITE;

    if (guard.key >= 0)
        pkey_set(guard.key, 0);
    else if (guard.pages && !guard.open)
        memory_each(protect, &access);
    guard.open = true;
}

void guard_close(void)
{
    int access = PROT_NONE;

    if (guard.key >= 0)
        pkey_set(guard.key, PKEY_DISABLE_ACCESS);
    else if (guard.pages)
        memory_each(protect, &access);
    guard.open = false;
}
// SPDX-License-Identifier: Apache-2.0
