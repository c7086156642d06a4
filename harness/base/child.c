/* Child processes under limits. No file is left behind, however this ends: input is a memfd, output a pipe. */
#include "harness/base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int64_t now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* A nameless file that holds the input, or -1. */
static int input_file(const void *input, size_t size)
{
    const int fd = memfd_create("input", MFD_CLOEXEC);
    const char *p = input;

    if (fd < 0)
        return -1;
    while (size) {
        const ssize_t n = write(fd, p, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            close(fd);
            return -1;
        }
        p += n;
        size -= (size_t)n;
    }
    lseek(fd, 0, SEEK_SET);
    return fd;
}

static void limit(int what, rlim_t soft, rlim_t hard)
{
    const struct rlimit l = { soft, hard };

    setrlimit(what, &l);
}

/* What the child does between fork and exec: only calls that are safe there. Never returns. */
static _Noreturn void become(const struct ck_child *c, char *const envp[], int in, int out, int failure, pid_t parent)
{
    static const int usual[] = { SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGALRM, SIGTERM, SIGCHLD, SIGXCPU, SIGXFSZ };
    const rlim_t seconds = (c->deadline_ms + 999) / 1000 + 1;
    sigset_t none;

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it died before the line above */
        _exit(127);
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        signal(usual[i], SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    limit(RLIMIT_CORE, 0, 0);
    limit(RLIMIT_CPU, seconds, seconds + 1);
    if (c->memory)
        limit(RLIMIT_AS, c->memory, c->memory);
    if (c->file)
        limit(RLIMIT_FSIZE, c->file, c->file);
    if ((!c->folder || !chdir(c->folder)) && dup2(in, 0) >= 0 && dup2(out, 1) >= 0 && dup2(out, 2) >= 0)
        execve(c->argv[0], (char *const *)c->argv, envp);
    const int code = errno;
    if (write(failure, &code, sizeof code) < 0)
        _exit(126);
    _exit(127);
}

/* Reads all that the child prints; returns when it has closed its end, or at the deadline. */
static void collect(int from, int64_t until, char *output, size_t size)
{
    char rest[4096];
    size_t have = 0;

    for (int64_t left; (left = until - now_ms()) > 0;) {
        struct pollfd p = { .fd = from, .events = POLLIN };
        if (poll(&p, 1, (int)left) <= 0)
            continue; /* a signal, or the deadline */
        const bool room = have + 1 < size;
        const ssize_t n = room ? read(from, output + have, size - 1 - have) : read(from, rest, sizeof rest);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        if (room)
            have += (size_t)n;
    }
    if (size)
        output[have] = 0;
}

/* Waits for the child's end until the deadline; false if it still runs. */
static bool reap(pid_t pid, int64_t until, int *status, struct rusage *used)
{
    const struct timespec nap = { .tv_nsec = 500000 };

    for (;;) {
        const pid_t got = wait4(pid, status, WNOHANG, used);
        if (got == pid)
            return true;
        if (got < 0 && errno != EINTR) { /* someone else took its status: SIGCHLD is ignored in this process */
            *status = 0;
            return true;
        }
        if (now_ms() >= until)
            return false;
        nanosleep(&nap, NULL);
    }
}

static struct ck_child_result run(const struct ck_child *c, char *const envp[], int in, const int out[2],
                                  const int failure[2], char *output, size_t size)
{
    const int64_t until = now_ms() + c->deadline_ms;
    const pid_t parent = getpid(), pid = fork();
    struct rusage used = { 0 };
    int status = 0, error;

    if (pid < 0) {
        error = errno;
        close(out[1]);
        close(failure[1]);
        return (struct ck_child_result){ CK_CHILD_NOT_RUN, error, 0 };
    }
    if (!pid)
        become(c, envp, in, out[1], failure[1], parent);
    setpgid(pid, pid); /* here too: it must hold before a kill, whoever comes first */
    close(out[1]);
    close(failure[1]);
    collect(out[0], until, output, size);
    const bool ended = reap(pid, until, &status, &used);
    kill(-pid, SIGKILL); /* also what an ended child left running */
    if (!ended)
        while (wait4(pid, &status, 0, &used) < 0 && errno == EINTR)
            ;
    const size_t peak = (size_t)used.ru_maxrss * 1024;
    if (read(failure[0], &error, sizeof error) == (ssize_t)sizeof error)
        return (struct ck_child_result){ CK_CHILD_NOT_RUN, error, 0 };
    if (!ended || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU))
        return (struct ck_child_result){ CK_CHILD_LATE, 0, peak };
    if (WIFSIGNALED(status))
        return (struct ck_child_result){ CK_CHILD_SIGNALED, WTERMSIG(status), peak };
    return (struct ck_child_result){ CK_CHILD_EXITED, WEXITSTATUS(status), peak };
}

struct ck_child_result ck_child_run(const struct ck_child *c, char *output, size_t size)
{
    static char locale[] = "LC_ALL=C";
    struct ck_child_result result = { .end = CK_CHILD_NOT_RUN };
    const char *search = getenv("PATH");
    char path[4096], place[4096 + 16];
    char *const envp[] = { locale, path, c->folder ? place : NULL, NULL };
    int out[2], failure[2];

    if (size)
        output[0] = 0;
    snprintf(path, sizeof path, "PATH=%s", search ? search : "/usr/bin:/bin");
    snprintf(place, sizeof place, "TMPDIR=%s", c->folder ? c->folder : "");
    const int in = input_file(c->input, c->size);
    if (in >= 0 && !pipe2(out, O_CLOEXEC)) {
        if (!pipe2(failure, O_CLOEXEC)) {
            result = run(c, envp, in, out, failure, output, size);
            close(failure[0]);
        } else {
            result.code = errno;
            close(out[1]);
        }
        close(out[0]);
    } else {
        result.code = errno;
    }
    if (in >= 0)
        close(in);
    return result;
}

bool ck_child_can_have(size_t memory)
{
    struct rlimit own;

    if (getrlimit(RLIMIT_AS, &own) || own.rlim_max == RLIM_INFINITY || own.rlim_max >= memory)
        return true;
    own.rlim_max = memory;
    return !setrlimit(RLIMIT_AS, &own);
}

bool ck_child_can_write(size_t bytes)
{
    struct rlimit own;

    return getrlimit(RLIMIT_FSIZE, &own) || own.rlim_cur == RLIM_INFINITY || own.rlim_cur >= bytes;
}
// SPDX-License-Identifier: Apache-2.0
