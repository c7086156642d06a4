/* The folders of the labs: where they are, and what is read from them. */
#ifndef COPYCHECK_LAB_FOLDER_H
#define COPYCHECK_LAB_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "harness/lab/lab.h"

/* The folder docs/labs: `given`, where it is not NULL; else beside this program, or where the program was built. False
 * after a line that says where it was looked for. */
bool lab_folder(const char *given, char *path, size_t size);

/* Whether a word is the id of a lab ("L05", "l5", "5") or the name of its folder. */
bool lab_is_id(const char *word);

/* The lab of this id ("L05", "l5") or folder; NULL after a line that names the nearest one. */
const struct lab *lab_named(const char *id);

/* The lab whose file the current folder, or the file's name, is of; NULL after a line that says what is missing. */
const struct lab *lab_here(const char *file);

/* The lab whose file lies in this folder, and that file's path; NULL after a line. */
const struct lab *lab_in_folder(const char *folder, char *path, size_t size);

/* Copies what a student gets into a folder, which is made; files that are there stay, and are named in a line: false.
 */
bool lab_start(const char *labs, const struct lab *lab, const char *to);

/* Prints hint 1, 2 or 3. False after a line. */
bool lab_hint(const char *labs, const struct lab *lab, unsigned number, FILE *to);

/* One line of a key: a file, its verdict, what must be named, and words that must be said of it, or none. */
struct lab_key {
    char file[100], verdict[16], name[80], words[120];
};
/* Reads the key of a lab; *out is malloc'd. Returns how many lines, -1 after a line that says what is wrong. */
int lab_key_read(const char *labs, const struct lab *lab, struct lab_key **out);

#endif
// SPDX-License-Identifier: Apache-2.0
