/* Many programs, by several processes: each takes a batch, compiles it once for each way and runs its programs. A
 * process that dies or does not end is reported with the program that it was at, and another goes on after it. */
#include "tools/async_fuzz/fleet.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BATCH_MAX = 256, JOBS_MAX = 256, FIGURES = 16 };

/* What a process is at; its successor begins there. */
struct slot {
    pid_t pid;
    bool busy;
    size_t batch, way, program;
    uint64_t since; /* when that began, ns */
    bool left_out[BATCH_MAX], reported[BATCH_MAX];
};

struct shared {
    atomic_size_t next; /* batch */
    atomic_ulong bad, lines;
    atomic_bool stop; /* enough is wrong, or the time is over */
    struct figure {
        atomic_ullong load_ns, run_ns, programs;
    } figures[FIGURES];
    struct slot slots[JOBS_MAX];
};

struct worker {
    const struct fleet *f;
    struct shared *s;
    struct slot *slot;
    size_t first, count; /* programs of its batch */
};

/* One line in one write, so that processes do not mix theirs. */
static void say(const struct fleet *f, struct shared *s, uint64_t seed, const char *way, const char *message)
{
    char line[1100];
    const int n = snprintf(line, sizeof line, "0x%llx %s: %s\n", (unsigned long long)seed, way, message);

    if (atomic_fetch_add(&s->lines, 1) < f->most && write(STDOUT_FILENO, line, (size_t)n) < 0)
        _exit(2);
}

static bool start(void *context, size_t way, size_t program)
{
    struct worker *w = context;

    if (atomic_load(&w->s->stop) || (program < w->count && w->slot->left_out[program]))
        return false;
    w->slot->way = way;
    w->slot->program = program;
    w->slot->since = now_ns();
    return true;
}

static bool report(void *context, size_t way, size_t program, const char *message)
{
    struct worker *w = context;
    const bool module = program == w->count;

    if (module || !w->slot->reported[program]) {
        atomic_fetch_add(&w->s->bad, module ? w->count : 1);
        say(w->f, w->s, w->f->programs[w->first + (module ? 0 : program)].seed, w->f->ways[way].name, message);
    }
    if (!module)
        w->slot->reported[program] = true;
    if (w->f->ways[way].kind != ENGINE_GPU || module)
        return true;
    w->slot->left_out[program] = true; /* the context may be lost: another process goes on */
    _exit(3);
}

static void digest(void *context, size_t program, uint64_t value)
{
    struct worker *w = context;
    struct wanted *p = &w->f->programs[w->first + program];

    if (p->known && p->bytes != value) {
        atomic_fetch_add(&w->s->bad, 1);
        say(w->f, w->s, p->seed, w->f->ways[0].name, "the bytes are not those that were recorded");
    }
    if (!p->known)
        p->bytes = value;
    p->done = true;
}

static void spent(void *context, size_t way, uint64_t load_ns, uint64_t run_ns, size_t programs)
{
    struct worker *w = context;
    struct figure *figure = &w->s->figures[way < FIGURES ? way : FIGURES - 1];

    atomic_fetch_add(&figure->load_ns, load_ns);
    atomic_fetch_add(&figure->run_ns, run_ns);
    atomic_fetch_add(&figure->programs, programs);
}

static void do_batch(struct worker *w)
{
    const struct fuzz_judge j = { .ways = w->f->ways,
                                  .way_count = w->f->way_count,
                                  .level = w->f->level != MIXED ? w->f->level
                                           : w->slot->batch % 3 ? 0
                                                                : 4,
                                  .context = w,
                                  .start = start,
                                  .report = report,
                                  .digest = digest,
                                  .spent = spent };
    struct program *p;
    struct ck_growing text = { 0 };

    w->first = w->slot->batch * w->f->batch;
    w->count = w->f->count - w->first < w->f->batch ? w->f->count - w->first : w->f->batch;
    p = calloc(w->count, sizeof *p);
    if (!p)
        _exit(2);
    program_header(&text);
    for (size_t i = 0; i < w->count; i++) {
        struct wanted *wanted = &w->f->programs[w->first + i];
        const size_t begin = text.size;
        program_generate(&p[i], wanted->seed, NULL, &text);
        const uint64_t value = digest_of(text.data + begin, text.size - begin);
        if (wanted->known && wanted->text != value) {
            if (!w->slot->reported[i])
                say(w->f, w->s, wanted->seed, "text", "the generator makes another program now: record again");
            atomic_fetch_add(&w->s->bad, !w->slot->reported[i]);
            w->slot->reported[i] = w->slot->left_out[i] = true;
        }
        wanted->text = value;
    }
    judge_batch(&j, p, w->count, &text);
    for (size_t i = 0; i < w->count && !w->f->launches; i++)
        w->f->programs[w->first + i].done = true;
    ck_growing_free(&text);
    free(p);
}

static void work(const struct fleet *f, struct shared *s, struct slot *slot)
{
    struct worker w = { .f = f, .s = s, .slot = slot };
    const size_t batches = (f->count + f->batch - 1) / f->batch;

    if (slot->busy)
        do_batch(&w); /* what the process before it was at */
    while (!atomic_load(&s->stop) && (slot->batch = atomic_fetch_add(&s->next, 1)) < batches) {
        memset(slot->left_out, 0, sizeof slot->left_out);
        memset(slot->reported, 0, sizeof slot->reported);
        slot->since = now_ns();
        slot->busy = true;
        do_batch(&w);
        slot->busy = false;
    }
    _exit(0);
}

static void begin(const struct fleet *f, struct shared *s, struct slot *slot)
{
    pid_t child;

    slot->since = now_ns();
    fflush(NULL);
    child = fork();
    if (child == 0)
        work(f, s, slot);
    slot->pid = child; /* the parent's to write: the child sees the same page */
}

/* A process has gone: the program that it was at is at fault, unless it said so itself. */
static void after(const struct fleet *f, struct shared *s, struct slot *slot, int status, bool late)
{
    const bool said = WIFEXITED(status) && WEXITSTATUS(status) == 3;
    const size_t first = slot->batch * f->batch;
    char message[100];

    slot->pid = 0;
    if (!slot->busy || atomic_load(&s->stop))
        return;
    if (!said) {
        const bool module = first + slot->program >= f->count || slot->program >= f->batch;
        snprintf(message, sizeof message, late ? "does not end within %u s" : "the process died, status 0x%x",
                 late ? f->deadline : (unsigned)status);
        atomic_fetch_add(&s->bad, 1);
        say(f, s, f->programs[first + (module ? 0 : slot->program)].seed, f->ways[slot->way].name, message);
        if (module) { /* of compiling it */
            slot->busy = false;
            return;
        }
        slot->reported[slot->program] = slot->left_out[slot->program] = true;
    }
    begin(f, s, slot);
}

static void watch(const struct fleet *f, struct shared *s)
{
    const uint64_t begun = now_ns();
    const struct timespec pause = { .tv_nsec = 20 * 1000 * 1000 };
    bool any = true;

    while (any) {
        any = false;
        if (atomic_load(&s->bad) >= f->most || now_ns() - begun > (uint64_t)f->seconds * 1000000000u)
            atomic_store(&s->stop, true);
        for (unsigned i = 0; i < f->jobs; i++) {
            struct slot *slot = &s->slots[i];
            int status = 0;
            bool late = false;
            if (slot->pid <= 0)
                continue;
            any = true;
            if (now_ns() - slot->since > (uint64_t)f->deadline * 1000000000u) {
                late = true;
                kill(slot->pid, SIGKILL);
                while (waitpid(slot->pid, &status, 0) < 0 && errno == EINTR)
                    ;
            } else if (waitpid(slot->pid, &status, WNOHANG) != slot->pid) {
                continue;
            }
            after(f, s, slot, status, late);
            if (!slot->pid && !atomic_load(&s->stop) && atomic_load(&s->next) * f->batch < f->count)
                begin(f, s, slot);
        }
        nanosleep(&pause, NULL);
    }
}

static void figures(const struct fleet *f, struct shared *s, size_t ended, double seconds)
{
    printf("%zu of %zu programs in %.1f s by %u processes, %.0f a second; %lu not as they should be\n", ended, f->count,
           seconds, f->jobs, (double)ended / seconds, atomic_load(&s->bad));
    for (size_t w = 0; w < f->way_count && w < FIGURES; w++) {
        const double load = (double)atomic_load(&s->figures[w].load_ns) / 1e9,
                     run = (double)atomic_load(&s->figures[w].run_ns) / 1e9;
        const double n = (double)atomic_load(&s->figures[w].programs);
        const bool rest = w == FIGURES - 1 && f->way_count > FIGURES;
        if (n > 0)
            printf("  %-12s %8.0f programs a second of one process (%.1f s to load, %.1f s to run)\n",
                   rest ? "others" : f->ways[w].name, n / (load + run), load, run);
        else
            printf("  %-12s %.1f s to assemble\n", f->ways[w].name, load);
    }
}

long fleet_run(struct fleet *f)
{
    const size_t table = f->count * sizeof *f->programs;
    struct shared *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct wanted *programs = mmap(NULL, table, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct wanted *own = f->programs;
    const uint64_t start_ns = now_ns();
    size_t unjudged = 0;
    long bad;

    if (s == MAP_FAILED || programs == MAP_FAILED)
        return -1;
    if (f->jobs > JOBS_MAX)
        f->jobs = JOBS_MAX;
    if (f->batch > BATCH_MAX)
        f->batch = BATCH_MAX;
    memcpy(programs, own, table);
    f->programs = programs;
    for (unsigned i = 0; i < f->jobs; i++)
        begin(f, s, &s->slots[i]);
    watch(f, s);
    bad = (long)atomic_load(&s->bad);
    for (size_t i = 0; i < f->count; i++)
        unjudged += !programs[i].done;
    figures(f, s, f->count - unjudged, (double)(now_ns() - start_ns) / 1e9);
    /* each program that has not run was reported; else the run is not whole */
    if (atomic_load(&s->stop) || unjudged > atomic_load(&s->bad)) {
        fprintf(stderr, "async_fuzz: stopped: %zu programs have not run to their end\n", unjudged);
        bad = bad ? bad : -1;
    }
    memcpy(own, programs, table);
    f->programs = own;
    munmap(programs, table);
    munmap(s, sizeof *s);
    return bad;
}
// SPDX-License-Identifier: Apache-2.0
