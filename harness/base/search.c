/* Where other programs are. */
#include "harness/base/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_program(const char *path)
{
    struct stat s;

    return !stat(path, &s) && S_ISREG(s.st_mode) && !access(path, X_OK);
}

bool ck_on_search_path(const char *name, bool absolute, char *path, size_t size)
{
    const char *p = getenv("PATH");

    for (size_t n; p && *p; p += n + (p[n] == ':')) {
        n = strcspn(p, ":");
        if (n && (*p == '/' || !absolute) && snprintf(path, size, "%.*s/%s", (int)n, p, name) < (int)size &&
            is_program(path))
            return true;
    }
    return false;
}
// SPDX-License-Identifier: Apache-2.0
