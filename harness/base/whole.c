/* Files that are whole or as they were. */
#include "harness/base/whole.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is no ordinary file is written to as it is. A FIFO that nobody reads is an error (ENXIO), not a wait. */
static FILE *open_direct(const char *path)
{
    const int fd = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    const int flags = fd < 0 ? -1 : fcntl(fd, F_GETFL);
    FILE *to = NULL;
    int why;

    if (flags >= 0 && fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) >= 0)
        to = fdopen(fd, "wb");
    why = errno;
    if (!to && fd >= 0)
        close(fd);
    errno = why;
    return to;
}

/* The place of the file: behind a symbolic link, what it leads to. */
static bool find_place(struct whole_file *file, const char *path)
{
    char target[PATH_MAX];
    const char *place = realpath(path, target) ? target : path;

    if (strlen(place) >= sizeof file->place) {
        errno = ENAMETOOLONG;
        return false;
    }
    strcpy(file->place, place);
    return true;
}

bool whole_open(struct whole_file *file, const char *path)
{
    struct stat st;

    *file = (struct whole_file){ .direct = !stat(path, &st) && !S_ISREG(st.st_mode) };
    if (file->direct) {
        file->to = open_direct(path);
        return file->to != NULL;
    }
    if (!find_place(file, path))
        return false;
    /* Two programs that write one file have each a part of their own. */
    if (snprintf(file->part, sizeof file->part, "%s.%ld.part", file->place, (long)getpid()) >= (int)sizeof file->part) {
        errno = ENAMETOOLONG;
        return false;
    }
    file->to = fopen(file->part, "wbe");
    return file->to != NULL;
}

bool whole_close(struct whole_file *file, bool keep)
{
    bool fine = !fflush(file->to) && !ferror(file->to);
    int why = errno;

    if (fclose(file->to) && fine) {
        fine = false;
        why = errno;
    }
    file->to = NULL;
    if (file->direct) {
        errno = why;
        return fine;
    }
    if (fine && keep && rename(file->part, file->place)) {
        fine = false;
        why = errno;
    }
    if (!fine || !keep)
        remove(file->part);
    errno = why;
    return fine;
}
// SPDX-License-Identifier: Apache-2.0
