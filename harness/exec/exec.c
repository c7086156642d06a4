/* copycheck exec: the program's process, and what comes from it. */
#include "harness/exec/exec.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/bad.h"
#include "harness/base/program.h"
#include "harness/check/said.h"
#include "harness/exec/caches.h"
#include "harness/exec/channel.h"
#include "harness/exec/start.h"

#define LIBRARY "libcopycheck-inside.so"

enum { MISSING = 64, NAME = 64, RULES = 300 };

struct run {
    FILE *to;
    enum exec_format format;
    struct exec_result *result;
    char missing[MISSING][NAME]; /* functions of the API that are not there, each once */
    size_t results;              /* of SARIF that were written, and the rules that they name */
    const struct ck_rule *rules[RULES];
    size_t rule_count;
};

/* Where the library is that the program is started with: beside copycheck. */
static bool find_library(char *folder, size_t size)
{
    char path[PATH_MAX + 40];

    snprintf(folder, size, "%s/inside", ck_program_folder());
    snprintf(path, sizeof path, "%s/" LIBRARY, folder);
    if (access(path, R_OK))
        return ck_wrong("exec: %s is not there; `make` builds it where a toolkit's headers are", path);
    return exec_folder_fits("exec", folder);
}

/* In the child: becomes the program. */
static void become(const struct exec_args *args, const struct exec_caches *caches, const char *folder, int channel,
                   int counts, int failed)
{
    char library[PATH_MAX + 40], settings[700];

    if (strchr(folder, ' ')) /* which ends a name in LD_PRELOAD */
        snprintf(library, sizeof library, "%s", LIBRARY);
    else
        snprintf(library, sizeof library, "%s/" LIBRARY, folder);
    snprintf(settings, sizeof settings, "fd=%d counts=%d %s", channel, counts, args->settings);
    if (!exec_caches_name(caches, folder) || !exec_put_before("LD_PRELOAD", library) ||
        !exec_put_before("LD_LIBRARY_PATH", folder) || setenv(CHANNEL_VARIABLE, settings, 1))
        _exit(2);
    exec_become(args->program, failed);
}

/* ---- what the program's kernels have found ------------------------------------------------------------------------
 */

static void note_missing(struct run *r, const char *name)
{
    const size_t n = r->result->missing;

    for (size_t i = 0; i < n; i++)
        if (!strcmp(r->missing[i], name))
            return;
    if (n < MISSING)
        snprintf(r->missing[r->result->missing++], NAME, "%.63s", name);
}

/* The rule of a result of SARIF, which begins with its name. */
static void note_rule(struct run *r, const char *text)
{
    const size_t n = strlen(CHECK_SARIF_RULE);
    const struct ck_rule *rule;
    char id[NAME] = "";

    if (strncmp(text, CHECK_SARIF_RULE, n) || sscanf(text + n, "\"%63[^\"]", id) != 1 || !(rule = ck_rule_find(id)))
        return;
    for (size_t i = 0; i < r->rule_count; i++)
        if (r->rules[i] == rule)
            return;
    if (r->rule_count < RULES)
        r->rules[r->rule_count++] = rule;
}

static void receive(struct run *r, char *message, size_t bytes)
{
    const char *text = message + 1;
    struct exec_result *x = r->result;

    message[bytes] = 0;
    switch (message[0]) {
    case CHANNEL_FINDING:
    case CHANNEL_REMARK:
        x->findings += message[0] == CHANNEL_FINDING;
        x->remarks += message[0] == CHANNEL_REMARK;
        if (r->format == EXEC_SARIF)
            note_rule(r, text);
        if (r->format == EXEC_SARIF && r->results++)
            fputs(",\n", r->to);
        fputs(text, r->to);
        break;
    case CHANNEL_NOT_RUN:
        x->not_run++;
        fprintf(stderr, "copycheck: exec: not run to its end: %s\n", text);
        break;
    case CHANNEL_LINE: fprintf(stderr, "copycheck: exec: %s\n", text); break;
    case CHANNEL_MISSING: note_missing(r, text); break;
    default: break;
    }
    fflush(r->to);
}

/* Takes what is there; false where the channel has ended. */
static bool drain(struct run *r, int channel)
{
    static char message[CHANNEL_MOST + 2];

    for (;;) {
        const ssize_t n = recv(channel, message, sizeof message - 1, MSG_DONTWAIT);
        if (n <= 0)
            return n < 0 && (errno == EAGAIN || errno == EINTR);
        receive(r, message, (size_t)n);
    }
}

static volatile sig_atomic_t child_now, interrupts;

/* The program gets the signal too: from the terminal, or from here. */
static void pass_on(int signal)
{
    interrupts++;
    if (child_now && (signal == SIGTERM || interrupts > 1))
        kill((pid_t)child_now, interrupts > 2 ? SIGKILL : signal);
}

/* Until the program has ended: it may leave children that hold the channel. */
static void watch(struct run *r, pid_t child, int channel)
{
    enum { STEP = 20 }; /* ms */
    bool open = true;
    int status = 0;

    for (;;) {
        struct pollfd p = { .fd = channel, .events = POLLIN };
        const pid_t ended = waitpid(child, &status, WNOHANG);
        if (open)
            poll(&p, 1, ended ? 0 : STEP);
        else if (!ended)
            usleep(STEP * 1000);
        open = open && drain(r, channel);
        if (ended == child || (ended < 0 && errno != EINTR))
            break;
    }
    r->result->signalled = WIFSIGNALED(status);
    r->result->status = r->result->signalled ? WTERMSIG(status) : WEXITSTATUS(status);
}

/* ---- a run --------------------------------------------------------------------------------------------------------
 */

static void sum_up(const struct run *r)
{
    const struct exec_result *x = r->result;

    if (x->signalled)
        fprintf(r->to, "copycheck: the program was ended by signal %d (%s)\n", x->status, strsignal(x->status));
    fprintf(r->to, "copycheck: %llu launch%s, %llu judged, %llu instructions: %llu finding%s",
            (unsigned long long)x->launches, x->launches == 1 ? "" : "es", (unsigned long long)x->judged,
            (unsigned long long)x->instructions, (unsigned long long)x->findings, x->findings == 1 ? "" : "s");
    if (x->again)
        fprintf(r->to, " (seen %llu times again)", (unsigned long long)x->again);
    if (x->remarks)
        fprintf(r->to, ", %llu remark%s", (unsigned long long)x->remarks, x->remarks == 1 ? "" : "s");
    if (x->not_run)
        fprintf(r->to, ", %llu launch%s not run to the end", (unsigned long long)x->not_run,
                x->not_run == 1 ? "" : "es");
    fputc('\n', r->to);
    if (x->missing)
        fputs("copycheck: the program called functions that this device does not have:", r->to);
    for (size_t i = 0; i < x->missing; i++)
        fprintf(r->to, " %s", r->missing[i]);
    if (x->missing)
        fputc('\n', r->to);
}

/* The memory with the counts: its descriptor, which the program gets, or -1. */
static int share_counts(struct channel_counts **counts)
{
    const int fd = memfd_create("copycheck", 0);

    if (fd < 0 || ftruncate(fd, sizeof **counts) != 0)
        return -1;
    *counts = mmap(NULL, sizeof **counts, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return *counts == MAP_FAILED ? -1 : fd;
}

static void take_counts(struct exec_result *to, const struct channel_counts *from)
{
    to->launches = from->launches;
    to->judged = from->judged;
    to->instructions = from->instructions;
    to->again = from->again;
}

static bool start(const struct exec_args *args, const struct exec_caches *caches, const char *folder, pid_t *child,
                  int *channel, struct channel_counts **counts)
{
    int ends[2], failed[2], shared = share_counts(counts);

    if (shared < 0 || socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) || pipe2(failed, O_CLOEXEC))
        return ck_wrong("exec: %s", strerror(errno));
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    *child = fork();
    if (!*child)
        become(args, caches, folder, ends[1], shared, failed[1]);
    close(shared);
    close(ends[1]);
    close(failed[1]);
    if (*child < 0)
        return ck_wrong("exec: %s", strerror(errno));
    *channel = ends[0];
    return exec_started("exec", args->program[0], failed[0]);
}

bool exec_run(const struct exec_args *args, FILE *to, struct exec_result *out)
{
    struct run r = { .to = to, .format = args->format, .result = out };
    struct sigaction action = { .sa_handler = pass_on }, before[2];
    struct channel_counts *counts = NULL;
    struct exec_caches caches;
    char folder[PATH_MAX];
    pid_t child = -1;
    int channel = -1;

    *out = (struct exec_result){ 0 };
    if (!find_library(folder, sizeof folder))
        return false;
    exec_caches_begin(&caches);
    if (!start(args, &caches, folder, &child, &channel, &counts)) {
        exec_caches_end(&caches);
        return false;
    }
    child_now = child;
    if (args->format == EXEC_SARIF)
        check_sarif_begin(to);
    sigaction(SIGINT, &action, &before[0]);
    sigaction(SIGTERM, &action, &before[1]);
    watch(&r, child, channel);
    sigaction(SIGINT, &before[0], NULL);
    sigaction(SIGTERM, &before[1], NULL);
    close(channel);
    exec_caches_end(&caches);
    take_counts(out, counts);
    munmap(counts, sizeof *counts);
    if (args->format == EXEC_SARIF)
        check_sarif_end(to, r.rules, r.rule_count, !out->not_run && !out->signalled);
    if (args->format != EXEC_JSONL && args->format != EXEC_SARIF)
        sum_up(&r);
    return true;
}
// SPDX-License-Identifier: Apache-2.0
