/* What lies in a folder. */
#include "harness/base/folder.h"

#include <errno.h>
#include <string.h>

#include "harness/base/bad.h"

int ck_folder_list(const char *folder, int (*which)(const struct dirent *), struct dirent ***names)
{
    const int count = scandir(folder, names, which, alphasort);

    if (count >= 0)
        return count;
    *names = NULL;
    if (errno != ENOENT)
        ck_bad("%.400s: %s (skipped)", folder, strerror(errno));
    return 0;
}

int ck_is_jsonl(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');

    return dot && !strcmp(dot, ".jsonl");
}
// SPDX-License-Identifier: Apache-2.0
