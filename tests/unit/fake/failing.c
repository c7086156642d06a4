/* Calls that fail: put before a program's libraries by LD_PRELOAD, it lets one call for memory or of the system fail.
 *
 * COPYCHECK_FAIL=N      the Nth such call of a process fails, as it does where there is no memory, no room on the disk
 * or no free number for a file; those before and behind it are done COPYCHECK_FAIL_LIST=FILE nothing fails, and FILE
 * gets a line "N NAME ADDRESS..." for the first call from each place of the program, with the addresses of this place
 * for addr2line COPYCHECK_FAIL_IN=NAME only in programs of this name: what the program starts is let alone
 *
 * Two calls are from one place if the innermost functions of the program that led to them are the same. */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <dirent.h>
#include <unistd.h>

enum { FRAMES = 40, PLACES = 1 << 14, DEPTH = 3 };

static atomic_ulong calls;
static unsigned long failing;
static int list = -1;
static bool active;
static uintptr_t from, to; /* the program's own code */
static uint64_t places[PLACES];
static _Thread_local bool within;

static int find_program(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    (void)data;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X)) {
            from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            to = from + info->dlpi_phdr[i].p_memsz;
        }
    return 1; /* the first is the program */
}

/* The counters of a coverage build are not the program's own: tools/coverage_exit.c says when they are written. */
void failing_pause(bool pause);
void failing_pause(bool pause)
{
    within = pause;
}

/* Those of a program that ends are written last. */
static void ends(void)
{
    within = true;
}

__attribute__((constructor)) static void begin(void)
{
    const char *const number = getenv("COPYCHECK_FAIL"), *const file = getenv("COPYCHECK_FAIL_LIST"),
                      *const name = getenv("COPYCHECK_FAIL_IN");
    void *frames[1];

    if (name && strcmp(name, program_invocation_short_name) != 0)
        return;
    dl_iterate_phdr(find_program, NULL);
    backtrace(frames, 1); /* which loads a library the first time */
    failing = number ? strtoul(number, NULL, 10) : 0;
    if (file)
        list = fcntl(open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600), F_DUPFD_CLOEXEC, 900);
    active = true;
}

/* Whether no call came from this place before; the innermost of the program's functions are in inner[]. */
static bool is_new(uintptr_t inner[DEPTH])
{
    void *frames[FRAMES];
    const int n = backtrace(frames, FRAMES);
    uint64_t place = 14695981039346656037u;
    int own = 0;

    for (int i = 0; i < n && own < DEPTH; i++) {
        const uintptr_t at = (uintptr_t)frames[i];
        if (at < from || at >= to)
            continue;
        place = (place ^ at) * 1099511628211u;
        inner[own++] = at;
    }
    if (!own)
        return false;
    for (uint64_t i = place % PLACES;; i = (i + 1) % PLACES) {
        if (places[i] == place)
            return false;
        if (!places[i]) {
            places[i] = place;
            return true;
        }
    }
}

/* Whether this call of `name` is to fail; `why` is its errno then. */
static bool fails(const char *name, int why)
{
    uintptr_t inner[DEPTH] = { 0 };
    bool result = false;

    if (!active || within)
        return false;
    within = true;
    const unsigned long n = atomic_fetch_add(&calls, 1) + 1;
    if (n == 1)
        atexit(ends); /* in main: the sooner one is asked for, the later it is called */
    if (n == failing) {
        errno = why;
        result = true;
    } else if (list >= 0 && is_new(inner)) {
        char line[200];
        const int size = snprintf(line, sizeof line, "%lu %s 0x%jx 0x%jx 0x%jx\n", n, name, (uintmax_t)inner[0],
                                  (uintmax_t)inner[1], (uintmax_t)inner[2]);
        if (write(list, line, (size_t)size) != size)
            abort();
    }
    within = false;
    return result;
}

/* A function in front of libc's: its type, its name, its arguments as declared and as handed on, what it returns where
 * it fails, and errno. */
#define BEFORE(type, name, declared, handed, failed, why)                                                              \
    type name declared                                                                                                 \
    {                                                                                                                  \
        static type(*next) declared;                                                                                   \
        if (fails(#name, why))                                                                                         \
            return failed;                                                                                             \
        if (!next)                                                                                                     \
            *(void **)&next = dlsym(RTLD_NEXT, #name);                                                                 \
        return next handed;                                                                                            \
    }

BEFORE(void *, malloc, (size_t size), (size), NULL, ENOMEM)
BEFORE(void *, calloc, (size_t n, size_t size), (n, size), NULL, ENOMEM)
BEFORE(void *, realloc, (void *p, size_t size), (p, size), NULL, ENOMEM)
BEFORE(void *, aligned_alloc, (size_t alignment, size_t size), (alignment, size), NULL, ENOMEM)
BEFORE(void *, mmap, (void *p, size_t n, int prot, int flags, int fd, off_t at), (p, n, prot, flags, fd, at),
       MAP_FAILED, ENOMEM)
BEFORE(FILE *, fdopen, (int fd, const char *mode), (fd, mode), NULL, ENOMEM)
BEFORE(FILE *, tmpfile, (void), (), NULL, ENOSPC)
BEFORE(DIR *, opendir, (const char *path), (path), NULL, EMFILE)
BEFORE(int, memfd_create, (const char *name, unsigned flags), (name, flags), -1, EMFILE)
BEFORE(pid_t, fork, (void), (), -1, EAGAIN)
BEFORE(int, pipe2, (int fds[2], int flags), (fds, flags), -1, EMFILE)
BEFORE(int, socketpair, (int domain, int type, int protocol, int fds[2]), (domain, type, protocol, fds), -1, EMFILE)
BEFORE(int, mkdir, (const char *path, mode_t mode), (path, mode), -1, ENOSPC)
BEFORE(char *, mkdtemp, (char *path), (path), NULL, ENOSPC)
BEFORE(int, rename, (const char *a, const char *b), (a, b), -1, EROFS)
BEFORE(ssize_t, read, (int fd, void *p, size_t n), (fd, p, n), -1, EIO)
BEFORE(ssize_t, pread, (int fd, void *p, size_t n, off_t at), (fd, p, n, at), -1, EIO)
BEFORE(int, ftruncate, (int fd, off_t n), (fd, n), -1, EIO)
BEFORE(int, pthread_create,
       (pthread_t * thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument),
       (thread, attributes, start, argument), EAGAIN, EAGAIN)

/* Files of counters are not the program's own. */
static bool is_counters(const char *path)
{
    const size_t n = strlen(path);

    return n > 5 && !strcmp(path + n - 5, ".gcda");
}

FILE *fopen(const char *path, const char *mode)
{
    static FILE *(*next)(const char *path, const char *mode);

    if (!is_counters(path) && fails("fopen", EMFILE))
        return NULL;
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "fopen");
    return next(path, mode);
}

int open(const char *path, int flags, ...)
{
    static int (*next)(const char *path, int flags, ...);
    va_list more;
    mode_t mode;

    va_start(more, flags);
    mode = va_arg(more, mode_t);
    va_end(more);
    if (!is_counters(path) && fails("open", EMFILE))
        return -1;
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "open");
    return next(path, flags, mode);
}

/* A disk may be full, a pipe not. */
ssize_t write(int fd, const void *p, size_t n)
{
    static ssize_t (*next)(int fd, const void *p, size_t n);
    struct stat s;

    if (active && !within && !fstat(fd, &s) && S_ISREG(s.st_mode) && fails("write", ENOSPC))
        return -1;
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "write");
    return next(fd, p, n);
}

/* It is closed, but what was in its buffer may be lost. */
int fclose(FILE *f)
{
    static int (*next)(FILE * f);
    const bool fail = fails("fclose", ENOSPC);

    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "fclose");
    if (!fail)
        return next(f);
    next(f);
    errno = ENOSPC;
    return EOF;
}
// SPDX-License-Identifier: Apache-2.0
