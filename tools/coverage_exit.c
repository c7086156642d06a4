/* In a coverage build a process that leaves with _exit, or becomes another program, keeps its counters too: linked with
 * --wrap=_exit,--wrap=execvp,--wrap=execve. */
#include <dlfcn.h>
#include <stdbool.h>
#include <unistd.h>

void __gcov_dump(void);
void __gcov_reset(void);
void __real__exit(int status) __attribute__((noreturn));
void __wrap__exit(int status) __attribute__((noreturn));
int __real_execvp(const char *file, char *const argv[]);
int __wrap_execvp(const char *file, char *const argv[]);
int __real_execve(const char *path, char *const argv[], char *const envp[]);
int __wrap_execve(const char *path, char *const argv[], char *const envp[]);

/* A library that lets calls fail (tests/unit/fake/failing.c) lets these be. */
static void dump(void)
{
    void (*pause)(bool) = NULL;

    *(void **)&pause = dlsym(RTLD_DEFAULT, "failing_pause");
    if (pause)
        pause(true);
    __gcov_dump();
    if (pause)
        pause(false);
}

void __wrap__exit(int status)
{
    dump();
    __real__exit(status);
}

/* What follows where the program is not there is counted anew. */
static void keep(void)
{
    dump();
    __gcov_reset();
}

int __wrap_execvp(const char *file, char *const argv[])
{
    keep();
    return __real_execvp(file, argv);
}

int __wrap_execve(const char *path, char *const argv[], char *const envp[])
{
    keep();
    return __real_execve(path, argv, envp);
}
// SPDX-License-Identifier: Apache-2.0
