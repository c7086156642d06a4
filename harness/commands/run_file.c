/* The record file of a run. */
#include "harness/commands/run_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/bad.h"
#include "harness/base/program.h"
#include "harness/records/chain.h"

enum {
    NAMES = 99, /* of runs that write at the same time and named no file */
    TRIES = 40, /* for the lock of a named file: the workers of a run that was killed hold it until they end */
    TRY_NS = 25000000,
};

/* Makes the folder of a path. */
static void make_folder(const char *path)
{
    char folder[PATH_MAX];
    char *slash;

    snprintf(folder, sizeof folder, "%s", path);
    slash = strrchr(folder, '/');
    if (slash && slash != folder) {
        *slash = 0;
        mkdir(folder, 0777);
    }
}

enum opened { OPENED, LOCKED, NOT_OPENED };

/* Opens f->path and locks it; where that fails, errno says why. A file system without locks gives none. */
static enum opened open_locked(struct cmd_run_file *f, int flags)
{
    const int fd = open(f->path, flags | O_RDWR | O_CLOEXEC | O_NONBLOCK, 0666);
    enum opened end = NOT_OPENED;
    struct stat st;
    int why;

    if (fd < 0)
        return NOT_OPENED;
    if (!fstat(fd, &st) && S_ISFIFO(st.st_mode)) {
        errno = ESPIPE; /* records are read back from it */
    } else if (S_ISREG(st.st_mode) && flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        end = LOCKED;
    } else {
        f->lock = fcntl(fd, F_DUPFD_CLOEXEC, 3);
        f->to = f->lock < 0 ? NULL : fdopen(fd, "r+");
        end = f->to ? OPENED : NOT_OPENED;
    }
    why = errno;
    if (end != OPENED)
        close(fd);
    errno = why;
    return end;
}

/* Opens last.jsonl in a folder, or one of its further names. */
static enum opened open_in(struct cmd_run_file *f, const char *folder)
{
    enum opened end = LOCKED;

    for (int i = 1; i <= NAMES && end == LOCKED; i++) {
        char number[16] = "";
        if (i > 1)
            snprintf(number, sizeof number, "-%d", i);
        if (snprintf(f->path, sizeof f->path, "%s/last%s.jsonl", folder, number) >= (int)sizeof f->path) {
            errno = ENAMETOOLONG;
            return NOT_OPENED;
        }
        end = open_locked(f, O_CREAT);
        if (end == OPENED && i > 1)
            ck_wrong("another run writes %s/last.jsonl; the records of this one go into %s", folder, f->path);
    }
    return end;
}

static bool open_default(struct cmd_run_file *f)
{
    enum opened end = open_in(f, ck_program_folder());
    int why;

    if (end == NOT_OPENED && (errno == EACCES || errno == EPERM || errno == EROFS)) {
        end = open_in(f, ".");
        why = errno;
        if (end == OPENED)
            ck_wrong("the records go into %s: %s cannot be written", f->path, ck_program_folder());
        errno = why;
    }
    if (end == LOCKED)
        return ck_wrong("run: %d runs write records of their own already; name a file with --out", NAMES);
    return end == OPENED || ck_wrong("run: cannot write %s: %s; name a file with --out", f->path, strerror(errno));
}

/* Opens a file that was named; a lock is waited for for a second. */
static enum opened open_named(struct cmd_run_file *f, int flags)
{
    const struct timespec nap = { .tv_nsec = TRY_NS };
    enum opened end = open_locked(f, flags);

    for (int i = 0; i < TRIES && end == LOCKED; i++) {
        nanosleep(&nap, NULL);
        end = open_locked(f, flags);
    }
    return end;
}

bool cmd_run_file_new(struct cmd_run_file *f, const char *path)
{
    enum opened end;

    *f = (struct cmd_run_file){ .lock = -1 };
    if (!path)
        return open_default(f);
    if (snprintf(f->path, sizeof f->path, "%s", path) >= (int)sizeof f->path)
        return ck_wrong("run: --out %.200s...: %s", path, strerror(ENAMETOOLONG));
    make_folder(path);
    end = open_named(f, O_CREAT);
    if (end == LOCKED)
        return ck_wrong("run: another run writes %s", path);
    return end == OPENED || ck_wrong("run: cannot write %s: %s", path, strerror(errno));
}

bool cmd_run_file_resume(struct cmd_run_file *f, const char *path)
{
    char error[512];
    enum opened end;

    *f = (struct cmd_run_file){ .lock = -1, .resumed = true };
    if (snprintf(f->path, sizeof f->path, "%s", path) >= (int)sizeof f->path)
        return ck_wrong("run: --resume %.200s...: %s", path, strerror(ENAMETOOLONG));
    end = open_named(f, 0);
    if (end == LOCKED)
        return ck_wrong("run: --resume %s: another run writes it", path);
    if (end != OPENED)
        return ck_wrong("run: --resume %s: %s", path, strerror(errno));
    if (ck_load_records(path, &f->before, &f->entries, error, sizeof error))
        return true;
    cmd_run_file_close(f);
    return ck_wrong("run: --resume %s", error);
}

/* Leaves what a resumed run keeps, nothing of a new one, and goes to the end. A last record may lack its newline. */
static bool cut(struct cmd_run_file *f)
{
    const off_t size = (off_t)f->before.record_bytes;
    char last = '\n';
    struct stat st;

    if (fstat(f->lock, &st) != 0)
        return false;
    if (!S_ISREG(st.st_mode))
        return true;
    if (ftruncate(f->lock, size) != 0 || fseeko(f->to, size, SEEK_SET) != 0)
        return false;
    if (size && pread(f->lock, &last, 1, size - 1) != 1)
        return false;
    return last == '\n' || putc('\n', f->to) != EOF;
}

bool cmd_run_file_begin(struct cmd_run_file *f, const struct ck_run_head *head)
{
    const char *difference = f->resumed ? ck_head_difference(&f->before.head, head) : NULL;

    if (difference)
        return ck_wrong(
            "run: --resume %s: it is a run with another \"%s\"; --resume alone goes on with what its head says",
            f->path, difference);
    f->chain = f->resumed ? f->before.chain : CK_CHAIN_BASIS;
    return (cut(f) && ck_write_head(f->to, head, &f->chain) && fflush(f->to) == 0) ||
           ck_wrong("run: cannot write %s: %s", f->path, strerror(errno));
}

size_t cmd_run_file_count(const struct cmd_run_file *f)
{
    struct ck_record_file file;
    struct stat st;
    char error[512];
    size_t count;

    if (stat(f->path, &st) != 0 || !S_ISREG(st.st_mode) || !ck_read_records(f->path, &file, error, sizeof error))
        return 0;
    count = file.count;
    ck_free_records(&file);
    return count;
}

void cmd_run_file_close(struct cmd_run_file *f)
{
    ck_unload_records(&f->before, &f->entries);
    if (f->to)
        fclose(f->to);
    if (f->lock >= 0)
        close(f->lock);
    f->to = NULL;
    f->lock = -1;
}
// SPDX-License-Identifier: Apache-2.0
