/* Runs a program that may crash, never end, or take all memory, and says how it ended. */
#ifndef COPYCHECK_CHILD_H
#define COPYCHECK_CHILD_H

#include <stdbool.h>
#include <stddef.h>

struct ck_child {
    const char *const *argv; /* argv[0] is the file that is run, without a search of PATH; ends with NULL */
    const void *input;       /* its standard input, a seekable nameless file: it may open /proc/self/fd/0 */
    size_t size;
    unsigned deadline_ms; /* wall clock, also its limit of processor time, rounded up to seconds */
    size_t memory;        /* limit of its address space, bytes; 0: none */
    size_t file;          /* limit of each file that it writes, bytes; 0: none */
    const char *folder;   /* where it runs, and TMPDIR for it; NULL: here, and none */
};

enum ck_child_end {
    CK_CHILD_EXITED,   /* code: exit status */
    CK_CHILD_SIGNALED, /* code: signal */
    CK_CHILD_LATE,     /* the deadline passed, and it was killed with all that it had started */
    CK_CHILD_NOT_RUN,  /* code: errno */
};

struct ck_child_result {
    enum ck_child_end end;
    int code;
    size_t peak; /* bytes that it held at most */
};

/* Runs the child and waits for it. What it prints on standard output and standard error comes together in `output`,
 * terminated by a NUL; what does not fit is dropped. The child has an environment of its own (PATH and LC_ALL=C, and
 * TMPDIR where a folder is named), its own process group, leaves no core file, and dies with the thread that calls
 * this. */
struct ck_child_result ck_child_run(const struct ck_child *child, char *output, size_t size);

/* Whether a child can be given so many bytes of address space. False where this process has a limit of its own that is
 * lower (ulimit -v), and may not raise it. */
bool ck_child_can_have(size_t memory);
/* Whether a child may write a file of so many bytes (ulimit -f). */
bool ck_child_can_write(size_t bytes);

#endif
// SPDX-License-Identifier: Apache-2.0
