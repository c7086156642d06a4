/* A class set: which files are submissions; and the labs' own solutions, held against their keys. */
#ifndef COPYCHECK_LAB_CLASS_H
#define COPYCHECK_LAB_CLASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "harness/engines/gpu_probe.h"
#include "harness/lab/compile.h"

struct lab_files {
    char **all; /* malloc'd, and each of them */
    size_t count, room;
};

/* Adds what `path` holds: a file itself; of a folder its .cu and .ptx files, and the lab's file in folders below, in
 * the order of their names. False after a line. */
bool lab_files_add(struct lab_files *files, const struct lab *lab, const char *path);
/* How many characters in front of each name are left out of a table: the folder that all have in common, where all are
 * named from the root; else none. */
size_t lab_files_common(const struct lab_files *files);
void lab_files_free(struct lab_files *files);

/* How the labs' own files are judged. */
struct lab_check {
    const char *labs; /* the folder */
    enum lab_compiler compiler;
    unsigned jobs;
    const struct ck_gpu_facts *gpu; /* they are launched on it too; or NULL */
    bool annotate;                  /* each file whose verdict is another gets an annotation on GitHub too */
    const char *record;             /* a file that what it shows is written to; or NULL */
};

/* Judges all that these labs' keys name, and prints a table of it. Returns the exit status: 0 all is as the keys say.
 */
int lab_check_keys(FILE *to, const struct lab *const *which, size_t count, const struct lab_check *how);

#endif
// SPDX-License-Identifier: Apache-2.0
