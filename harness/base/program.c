/* Where this program is, and how it was called. */
#include "harness/base/program.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *ck_program_folder(void)
{
    static char folder[PATH_MAX];
    ssize_t n;
    char *slash;

    if (folder[0])
        return folder;
    n = readlink("/proc/self/exe", folder, sizeof folder - 1);
    folder[n > 0 ? n : 0] = 0;
    slash = strrchr(folder, '/');
    if (!slash)
        strcpy(folder, ".");
    else
        slash[slash == folder] = 0; /* of "/copycheck" the slash stays */
    return folder;
}

static const char *typed = "copycheck";

void ck_program_typed(const char *argv0)
{
    if (argv0 && *argv0)
        typed = argv0;
}

const char *ck_program(void)
{
    return typed;
}

void ck_program_from(const char *into, char *out, size_t size)
{
    const bool path = *typed != '/' && strchr(typed, '/');
    const char *name = strrchr(typed, '/');
    size_t n = 0;

    if (path && (*into == '/' || strstr(into, ".."))) {
        snprintf(out, size, "%s%s", ck_program_folder(), name);
        return;
    }
    for (*out = 0; path && *into && n + sizeof "../" < size; into += strspn(into, "/")) {
        const size_t length = strcspn(into, "/");
        if (length != 1 || *into != '.')
            n += (size_t)snprintf(out + n, size - n, "../");
        into += length;
    }
    snprintf(out + n, size - n, "%s", typed + (path && !strncmp(typed, "./", 2) ? 2 : 0));
}
// SPDX-License-Identifier: Apache-2.0
