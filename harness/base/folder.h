/* What lies in a folder. */
#ifndef COPYCHECK_FOLDER_H
#define COPYCHECK_FOLDER_H

#include <dirent.h>

/* The entries that `which` is true of, by name; returns how many. The caller frees each of them and *names. A folder
 * that is not there has none; of one that cannot be read a line on standard error says why, and it has none. */
int ck_folder_list(const char *folder, int (*which)(const struct dirent *), struct dirent ***names);

/* Whether an entry is a record file by its name. */
int ck_is_jsonl(const struct dirent *entry);

#endif
// SPDX-License-Identifier: Apache-2.0
