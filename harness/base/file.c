/* Files opened for reading, without waiting for ever. */
#include "harness/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WRITER_MS = 10000 }; /* for the writer of a FIFO to come */

/* Waits until the FIFO has a writer. Without one a read that does not block finds the end; with one that has written
 * nothing yet it would block. The byte that such a read may get by then is left in *first; else *first is EOF. */
static bool await_writer(int fd, int *first)
{
    struct pollfd wait = { .fd = fd, .events = POLLIN };
    unsigned char byte;
    ssize_t n;

    *first = EOF;
    if (poll(&wait, 1, WRITER_MS) > 0)
        return true;
    n = read(fd, &byte, 1);
    if (n > 0)
        *first = byte;
    return n > 0 || (n < 0 && errno == EAGAIN);
}

static FILE *open_blocking(int fd, int first)
{
    const int flags = fcntl(fd, F_GETFL);
    FILE *file;

    if (flags < 0 || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) < 0)
        return NULL;
    file = fdopen(fd, "rb");
    if (file && first != EOF)
        ungetc(first, file);
    return file;
}

FILE *ck_file_open(const char *path, const char **why)
{
    int fd, first = EOF;
    struct stat st;
    FILE *file;

    if (!strcmp(path, "-"))
        return stdin;
    fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        *why = strerror(errno);
        return NULL;
    }
    if (!fstat(fd, &st) && S_ISFIFO(st.st_mode) && !await_writer(fd, &first)) {
        *why = "a FIFO that nobody has written to in 10 s";
        close(fd);
        return NULL;
    }
    file = open_blocking(fd, first);
    if (!file) {
        *why = strerror(errno);
        close(fd);
    }
    return file;
}

void ck_file_close(FILE *file)
{
    if (file != stdin)
        fclose(file);
}
// SPDX-License-Identifier: Apache-2.0
