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

/* A file without a name in the folder of the place; NULL where there is none to be had. */
static FILE *open_nameless(const struct whole_file *file)
{
    char folder[sizeof file->place];
    char *slash;

    if (access("/proc/self/fd", X_OK)) /* where it gets its name from */
        return NULL;
    strcpy(folder, file->place);
    slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = 0;
    const int fd = open(slash ? folder : ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    FILE *to = fd < 0 ? NULL : fdopen(fd, "wb");

    if (!to && fd >= 0)
        close(fd);
    return to;
}

/* Gives the file its name beside the place. What has this name is left of a program that had the same number. */
static bool name(const struct whole_file *file)
{
    char nameless[64];

    snprintf(nameless, sizeof nameless, "/proc/self/fd/%d", fileno(file->to));
    if (!linkat(AT_FDCWD, nameless, AT_FDCWD, file->part, AT_SYMLINK_FOLLOW))
        return true;
    return errno == EEXIST && !remove(file->part) &&
           !linkat(AT_FDCWD, nameless, AT_FDCWD, file->part, AT_SYMLINK_FOLLOW);
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
    file->to = open_nameless(file);
    file->nameless = file->to != NULL;
    if (!file->to)
        file->to = fopen(file->part, "wbe");
    return file->to != NULL;
}

bool whole_close(struct whole_file *file, bool keep)
{
    bool fine = !fflush(file->to) && !ferror(file->to), named = !file->nameless;
    int why = errno;

    if (fine && keep && file->nameless) {
        fine = named = name(file);
        why = errno;
    }
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
    if (named && (!fine || !keep))
        remove(file->part);
    errno = why;
    return fine;
}
// SPDX-License-Identifier: Apache-2.0
