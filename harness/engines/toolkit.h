/* Where this machine's toolkits are. */
#ifndef COPYCHECK_TOOLKIT_H
#define COPYCHECK_TOOLKIT_H

#include <glob.h>
#include <stdbool.h>
#include <stddef.h>

/* The path of a toolkit's ptxas: `toolkit` is a folder with bin/ptxas or ptxas, or the file itself. NULL means
 * this machine's own: PATH, CUDA_HOME, /usr/local/cuda, /usr/local/cuda-* (newest), build/toolkits (newest). False if
 * there is no such file; the path is filled in as far as it is known. */
bool ck_toolkit_ptxas(const char *toolkit, char *path, size_t size);

/* The folder of a fetched toolkit, "12.4" for build/toolkits/12.4: beside the program, or under the current folder. */
bool ck_toolkit_fetched(const char *version, char *path, size_t size);
/* The folders of all fetched toolkits, in the order of their versions: the first paths of *found, which must be zero
 * before and is the caller's to free with globfree. Returns how many they are. */
size_t ck_toolkits_fetched(glob_t *found);
/* The folder of fetched packages of cuTile Python, "1.7" for build/toolkits/cutile-1.7; NULL: of the newest. */
bool ck_toolkit_cutile(const char *version, char *path, size_t size);
/* The folder of an installed toolkit: /usr/local/cuda-VERSION. */
bool ck_toolkit_installed(const char *version, char *path, size_t size);

#endif
// SPDX-License-Identifier: Apache-2.0
