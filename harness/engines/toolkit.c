/* Where toolkits are. */
#include "harness/engines/toolkit.h"

#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/engines/ptxas.h"

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

static bool on_search_path(char *path, size_t size)
{
    for (const char *p = getenv("PATH"); p && *p;) {
        const size_t n = strcspn(p, ":");
        snprintf(path, size, "%.*s/ptxas", (int)n, p);
        if (n && is_file(path) && !access(path, X_OK))
            return true;
        p += n + (p[n] == ':');
    }
    return false;
}

/* The folder build/toolkits: beside the running program, else under the current folder. False if there is none. */
static bool fetched_folder(char *path, size_t size)
{
    char self[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

    if (n > 0) {
        self[n] = 0;
        char *slash = strrchr(self, '/');
        if (slash)
            *slash = 0;
        if (snprintf(path, size, "%s/toolkits", self) < (int)size && is_folder(path))
            return true;
    }
    snprintf(path, size, "build/toolkits");
    return is_folder(path);
}

/* Matches all fetched toolkits. */
static bool fetched_pattern(char *pattern, size_t size)
{
    char folder[PATH_MAX];

    return fetched_folder(folder, sizeof folder) && snprintf(pattern, size, "%s/*", folder) < (int)size;
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

    if (on_search_path(path, size) || (home && *home && in_folder(home, path, size)) ||
        in_folder("/usr/local/cuda", path, size) || newest("/usr/local/cuda-*", path, size))
        return true;
    return fetched_pattern(pattern, sizeof pattern) && newest(pattern, path, size);
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

/* Adds the engine of a toolkit, unless that release is there already. Returns the new count, or -1. */
static int add(struct ck_engine out[CK_TOOLKITS_MAX], int count, const char *toolkit, char *error, size_t size)
{
    struct ck_engine e;

    if (!ck_ptxas_engine(toolkit, &e, error, size))
        return -1;
    for (int i = 0; i < count; i++)
        if (!strcmp(out[i].facts, e.facts))
            return count;
    if (count == CK_TOOLKITS_MAX) {
        snprintf(error, size, "more than %d toolkits", CK_TOOLKITS_MAX);
        return -1;
    }
    for (int i = 0; i < count; i++)
        if (!strcmp(out[i].name, e.name)) {
            snprintf(e.name, sizeof e.name, "ptxas-%.32s", ck_ptxas_version(&e));
            break;
        }
    out[count] = e;
    return count + 1;
}

static int add_named(struct ck_engine out[CK_TOOLKITS_MAX], int count, const char *named, char *error, size_t size)
{
    char path[PATH_MAX];

    if (named[strspn(named, "0123456789.")])
        return add(out, count, named, error, size);
    if (ck_toolkit_fetched(named, path, sizeof path))
        return add(out, count, path, error, size);
    snprintf(error, size, "no toolkit %s in build/toolkits: tools/toolkit %s fetches it", named, named);
    return -1;
}

int ck_toolkits(const char *const *named, size_t count, unsigned which, struct ck_engine out[CK_TOOLKITS_MAX],
                char *error, size_t size)
{
    char path[PATH_MAX];
    glob_t found = { 0 };
    int n = 0;

    if ((which & CK_TOOLKITS_OWN) && own_ptxas(path, sizeof path))
        n = add(out, n, path, error, size);
    for (size_t i = 0; i < count && n >= 0; i++)
        n = add_named(out, n, named[i], error, size);
    if (n < 0 || !(which & CK_TOOLKITS_FETCHED) || !fetched_pattern(path, sizeof path))
        return n;
    const size_t there = folders(path, &found);
    for (size_t i = 0; i < there && n >= 0; i++)
        n = add(out, n, found.gl_pathv[i], error, size);
    globfree(&found);
    return n;
}

bool ck_toolkit_engine(const char *name, struct ck_engine *out, char *error, size_t size)
{
    static const char prefix[] = "ptxas-";
    struct ck_engine own;
    char path[PATH_MAX];

    if (!strcmp(name, "ptxas"))
        return ck_ptxas_engine(NULL, out, error, size);
    if (strncmp(name, prefix, sizeof prefix - 1) != 0) {
        snprintf(error, size, "'%s' is no ptxas engine: ptxas, or ptxas-VERSION", name);
        return false;
    }
    const char *version = name + sizeof prefix - 1;
    if (ck_toolkit_fetched(version, path, sizeof path))
        return ck_ptxas_engine(path, out, error, size);
    if (ck_ptxas_engine(NULL, &own, error, size) &&
        (!strcmp(own.name, name) || !strcmp(ck_ptxas_version(&own), version))) {
        *out = own;
        return true;
    }
    snprintf(path, sizeof path, "/usr/local/cuda-%s", version);
    if (is_folder(path))
        return ck_ptxas_engine(path, out, error, size);
    snprintf(error, size, "no ptxas %s on this machine: tools/toolkit %s fetches it", version, version);
    return false;
}
