/* Files that are whole or as they were. */
#include "harness/base/whole.h"

#include <errno.h>
#include <sys/stat.h>

bool whole_open(struct whole_file *file, const char *path)
{
    struct stat st;

    *file = (struct whole_file){ .path = path, .direct = !stat(path, &st) && !S_ISREG(st.st_mode) };
    if (snprintf(file->part, sizeof file->part, file->direct ? "%s" : "%s.part", path) >= (int)sizeof file->part) {
        errno = ENAMETOOLONG;
        return false;
    }
    file->to = fopen(file->part, "wb");
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
    if (fine && keep && rename(file->part, file->path)) {
        fine = false;
        why = errno;
    }
    if (!fine || !keep)
        remove(file->part);
    errno = why;
    return fine;
}
