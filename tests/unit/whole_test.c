/* Files that are whole or as they were, whatever becomes of the program that writes them. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/base/whole.h"

static char folder[64], place[128];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/copycheck-whole-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(place, sizeof place, "%s/page", folder);
    return 0;
}

/* How many files are in the folder. */
static int files(void)
{
    DIR *d = opendir(folder);
    int count = 0;

    assert_non_null(d);
    for (const struct dirent *e; (e = readdir(d));)
        count += e->d_name[0] != '.';
    closedir(d);
    return count;
}

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void is(const char *path, const char *text)
{
    char got[64] = "";
    FILE *f = fopen(path, "r");

    assert_non_null(f);
    assert_true(fread(got, 1, sizeof got - 1, f) < sizeof got);
    fclose(f);
    assert_string_equal(got, text);
}

static int remove_folder(void **state)
{
    char name[160];
    DIR *d = opendir(folder);

    (void)state;
    if (!d)
        return -1;
    for (const struct dirent *e; (e = readdir(d));) {
        snprintf(name, sizeof name, "%s/%.80s", folder, e->d_name);
        remove(name);
    }
    closedir(d);
    return rmdir(folder);
}

static void test_kept_and_dropped(void **state)
{
    struct whole_file f;

    (void)state;
    put(place, "before");
    assert_true(whole_open(&f, place));
    fputs("after", f.to);
    is(place, "before");
    assert_true(whole_close(&f, false));
    is(place, "before");
    assert_true(whole_open(&f, place));
    fputs("after", f.to);
    assert_true(whole_close(&f, true));
    is(place, "after");
    assert_int_equal(files(), 1);
}

static void test_new_file_has_the_usual_rights(void **state)
{
    struct whole_file f;
    struct stat st;
    const mode_t old = umask(027);

    (void)state;
    assert_true(whole_open(&f, place));
    assert_true(whole_close(&f, true));
    umask(old);
    assert_int_equal(stat(place, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0640);
}

/* Nothing is left of a program that is killed, where the file system has files without a name. */
static void test_killed(void **state)
{
    struct whole_file f;
    int status;

    (void)state;
    put(place, "before");
    const pid_t pid = fork();
    if (!pid) {
        if (whole_open(&f, place) && fputs("half", f.to) >= 0 && !fflush(f.to))
            raise(SIGKILL);
        _exit(1);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
    is(place, "before");
    assert_true(whole_open(&f, place));
    if (f.nameless)
        assert_int_equal(files(), 1);
    assert_true(whole_close(&f, false));
}

/* A part that is left of an earlier program with the same number is in nobody's way. */
static void test_old_part(void **state)
{
    struct whole_file f;

    (void)state;
    assert_true(whole_open(&f, place));
    put(f.part, "old");
    fputs("new", f.to);
    fflush(f.to);
    if (!f.nameless) /* the file is the part itself */
        put(f.part, "new");
    assert_true(whole_close(&f, true));
    is(place, "new");
    assert_int_equal(files(), 1);
}

static void test_link_stays_one(void **state)
{
    char target[160];
    struct whole_file f;
    struct stat st;

    (void)state;
    snprintf(target, sizeof target, "%s/target", folder);
    put(target, "before");
    assert_int_equal(symlink("target", place), 0);
    assert_true(whole_open(&f, place));
    fputs("after", f.to);
    assert_true(whole_close(&f, true));
    assert_int_equal(lstat(place, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    is(target, "after");
}

/* A disk that is full keeps what was there; so does a folder that is gone. */
static void test_no_room(void **state)
{
    struct whole_file f;
    struct rlimit old;

    (void)state;
    put(place, "before");
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old);
    assert_true(whole_open(&f, place));
    for (int i = 0; i < 100000; i++)
        fputc('x', f.to);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){ 8192, old.rlim_max });
    for (int i = 0; i < 100000; i++)
        fputc('x', f.to);
    assert_false(whole_close(&f, true));
    setrlimit(RLIMIT_FSIZE, &old);
    is(place, "before");
    assert_int_equal(files(), 1);
    assert_false(whole_open(&f, "/nosuch/page"));
    assert_int_equal(errno, ENOENT);
}

static void test_no_ordinary_file(void **state)
{
    struct whole_file f;

    (void)state;
    assert_true(whole_open(&f, "/dev/full"));
    assert_true(f.direct);
    fputs("lost", f.to);
    assert_false(whole_close(&f, true));
    assert_int_equal(errno, ENOSPC);
    assert_int_equal(mkfifo(place, 0600), 0);
    assert_false(whole_open(&f, place)); /* nobody reads it */
    assert_int_equal(errno, ENXIO);
}

/* A path in the current folder has none before its name. */
static void test_here(void **state)
{
    struct whole_file f;

    (void)state;
    const int back = open(".", O_RDONLY | O_DIRECTORY);
    assert_int_equal(chdir(folder), 0);
    assert_true(whole_open(&f, "page"));
    fputs("here", f.to);
    assert_true(whole_close(&f, true));
    assert_int_equal(fchdir(back), 0);
    close(back);
    is(place, "here");
    assert_int_equal(files(), 1);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_kept_and_dropped), IN_FOLDER(test_new_file_has_the_usual_rights),
        IN_FOLDER(test_killed),           IN_FOLDER(test_old_part),
        IN_FOLDER(test_link_stays_one),   IN_FOLDER(test_no_room),
        IN_FOLDER(test_no_ordinary_file), IN_FOLDER(test_here),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
