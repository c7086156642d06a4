/* The smallest program of a seed that still shows what the whole one shows. */
#include "tools/async_fuzz/reduce.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct seen {
    bool bad;
    size_t way;
    char message[900];
};

static bool go_on(void *context, size_t way, size_t program)
{
    (void)way;
    (void)program;
    return !((struct seen *)context)->bad;
}

static bool note_it(void *context, size_t way, size_t program, const char *message)
{
    struct seen *s = context;

    (void)program;
    s->bad = true;
    s->way = way;
    snprintf(s->message, sizeof s->message, "%s", message);
    return false;
}

static void no_digest(void *context, size_t program, uint64_t digest)
{
    (void)context;
    (void)program;
    (void)digest;
}

static void no_time(void *context, size_t way, uint64_t load_ns, uint64_t run_ns, size_t programs)
{
    (void)context;
    (void)way;
    (void)load_ns;
    (void)run_ns;
    (void)programs;
}

/* Runs it in a process of its own, as it may hang or lose the device. */
static void try_it(const struct way *ways, size_t count, uint64_t seed, const bool *skip, unsigned deadline,
                   unsigned level, struct seen *seen)
{
    int status = 0;
    pid_t child;

    *seen = (struct seen){ 0 };
    fflush(NULL);
    child = fork();
    if (child == 0) {
        const struct fuzz_judge j = { .ways = ways,
                                      .way_count = count,
                                      .level = level,
                                      .context = seen,
                                      .start = go_on,
                                      .report = note_it,
                                      .digest = no_digest,
                                      .spent = no_time };
        struct ck_growing text = { 0 };
        struct program p;
        alarm(deadline);
        program_header(&text);
        program_generate(&p, seed, skip, &text);
        judge_batch(&j, &p, 1, &text);
        _exit(0);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (!seen->bad && (child < 0 || !WIFEXITED(status))) {
        seen->bad = true;
        snprintf(seen->message, sizeof seen->message, "%s",
                 WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? "does not end" : "the process died");
    }
}

int fuzz_reduce(const struct way *ways, size_t count, uint64_t seed, unsigned deadline, unsigned level)
{
    struct seen *now = mmap(NULL, sizeof *now, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), last;
    bool skip[MAX_STEPS] = { false };
    struct ck_growing text = { 0 };
    unsigned left = 0, tries = 1;
    struct program p;

    if (now == MAP_FAILED)
        return 2;
    try_it(ways, count, seed, skip, deadline, level, now);
    if (!now->bad) {
        printf("0x%llx: nothing to reduce: all ways agree\n", (unsigned long long)seed);
        return 0;
    }
    last = *now;
    for (unsigned size = MAX_STEPS / 2; size; size /= 2)
        for (unsigned at = 0; at < MAX_STEPS; at += size) {
            bool before[MAX_STEPS];
            bool any = false;
            memcpy(before, skip, sizeof before);
            for (unsigned i = at; i < at + size && i < MAX_STEPS; i++) {
                any |= !skip[i];
                skip[i] = true;
            }
            if (!any)
                continue;
            try_it(ways, count, seed, skip, deadline, level, now);
            tries++;
            if (now->bad && now->way == last.way)
                last = *now;
            else
                memcpy(skip, before, sizeof skip);
        }
    program_header(&text);
    program_generate(&p, seed, skip, &text);
    for (unsigned i = 0; i < p.steps; i++)
        left += !skip[i];
    printf("// 0x%llx, %u of %u steps left after %u tries; %u threads, %u clusters of %u CTAs\n// %s: %s\n",
           (unsigned long long)seed, left, p.steps, tries, p.threads, p.clusters, p.ctas, ways[last.way].name,
           last.message);
    fwrite(text.data, 1, text.size, stdout);
    ck_growing_free(&text);
    munmap(now, sizeof *now);
    return 1;
}
// SPDX-License-Identifier: Apache-2.0
