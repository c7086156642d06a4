/* Where toolkits are. */
#include "harness/engines/toolkit.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/program.h"
#include "harness/base/search.h"

static bool is_file(const char *path)
{
    struct stat s;

    return !stat(path, &s) && S_ISREG(s.st_mode);
}

static bool is_folder(const char *path)
{
    struct stat s;

    return !stat(path, &s) && S_ISDIR(s.st_mode);
}

static bool in_folder(const char *folder, char *path, size_t size)
{
    snprintf(path, size, "%s/ptxas", folder);
    if (is_file(path))
        return true;
    snprintf(path, size, "%s/bin/ptxas", folder);
    return is_file(path);
}

/* The folder build/toolkits: beside the running program, else under the current folder. False if there is none. */
static bool fetched_folder(char *path, size_t size)
{
    if (snprintf(path, size, "%s/toolkits", ck_program_folder()) < (int)size && is_folder(path))
        return true;
    snprintf(path, size, "build/toolkits");
    return is_folder(path);
}

/* Matches all fetched toolkits. */
static bool fetched_pattern(char *pattern, size_t size)
{
    char folder[PATH_MAX];

    return fetched_folder(folder, sizeof folder) && snprintf(pattern, size, "%s/[0-9]*", folder) < (int)size;
}

bool ck_toolkit_fetched(const char *version, char *path, size_t size)
{
    char folder[PATH_MAX];

    if (!*version || version[strspn(version, "0123456789.")] || !fetched_folder(folder, sizeof folder))
        return false;
    snprintf(path, size, "%s/%s", folder, version);
    return is_folder(path);
}

static int by_version(const void *a, const void *b)
{
    return strverscmp(*(const char *const *)a, *(const char *const *)b);
}

/* Folders that match a pattern and whose name ends in a digit, by version. The caller frees them with globfree. */
static size_t folders(const char *pattern, glob_t *found)
{
    size_t n = 0;

    if (glob(pattern, GLOB_NOSORT, NULL, found))
        return 0;
    for (size_t i = 0; i < found->gl_pathc; i++) {
        char *path = found->gl_pathv[i], *kept = found->gl_pathv[n];
        if (!strchr("0123456789", path[strlen(path) - 1]) || !is_folder(path))
            continue;
        found->gl_pathv[n++] = path; /* swapped, so that globfree still frees each once */
        found->gl_pathv[i] = kept;
    }
    qsort(found->gl_pathv, n, sizeof *found->gl_pathv, by_version);
    return n;
}

static bool newest(const char *pattern, char *path, size_t size)
{
    glob_t found = { 0 };
    bool got = false;

    for (size_t n = folders(pattern, &found); n && !got; n--)
        got = in_folder(found.gl_pathv[n - 1], path, size);
    globfree(&found);
    return got;
}

static bool own_ptxas(char *path, size_t size)
{
    char pattern[PATH_MAX];
    const char *home = getenv("CUDA_HOME");

    if (ck_on_search_path("ptxas", false, path, size) || (home && *home && in_folder(home, path, size)) ||
        in_folder("/usr/local/cuda", path, size) || newest("/usr/local/cuda-*", path, size))
        return true;
    return fetched_pattern(pattern, sizeof pattern) && newest(pattern, path, size);
}

bool ck_toolkit_installed(const char *version, char *path, size_t size)
{
    snprintf(path, size, "/usr/local/cuda-%s", version);
    return is_folder(path);
}

size_t ck_toolkits_fetched(glob_t *found)
{
    char pattern[PATH_MAX];

    return fetched_pattern(pattern, sizeof pattern) ? folders(pattern, found) : 0;
}

bool ck_toolkit_ptxas(const char *toolkit, char *path, size_t size)
{
    if (!toolkit)
        return own_ptxas(path, size);
    if (in_folder(toolkit, path, size))
        return true;
    snprintf(path, size, "%s", toolkit);
    return is_file(path);
}

bool ck_toolkit_cutile(const char *version, char *path, size_t size)
{
    char folder[PATH_MAX], pattern[PATH_MAX + 32];
    glob_t found = { 0 };
    bool got = false;

    if (!fetched_folder(folder, sizeof folder))
        return false;
    snprintf(pattern, sizeof pattern, "%s/cutile-%s", folder, version ? version : "[0-9]*");
    const size_t n = folders(pattern, &found);
    if (n)
        got = snprintf(path, size, "%s", found.gl_pathv[n - 1]) < (int)size;
    globfree(&found);
    return got;
}
// SPDX-License-Identifier: Apache-2.0
