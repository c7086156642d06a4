/* What `copycheck capture` puts between a program and its GPU: a libcuda.so.1 that hands every call on to the driver's
 * own, and looks at modules, tensor maps and launches as they pass. */
#ifndef COPYCHECK_INJECT_H
#define COPYCHECK_INJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(default)
#include <cuda.h>
#pragma GCC visibility pop

#include "harness/capture/capture.h"

/* The environment variable that has what `copycheck capture` chose, a word on each line: driver=PATH of the real
 * library, out=PATH of the capture, skip=N launches of this name, max=BYTES of memory, name=TEXT in the kernel's name.
 */
#define INJECT_VARIABLE "COPYCHECK_CAPTURE"

/* The driver's own function of this name; NULL where it has none. names.c fills a table of all from it. */
void *inject_real(const char *name);
/* The same; where it has none, a function that answers CUDA_ERROR_NOT_FOUND. */
void *inject_own(const char *name);

/* ---- what has passed: record.c ------------------------------------------------------------------------------------
 */

struct inject_module;

/* An image that was loaded under this handle (CUmodule or CUlibrary). */
void inject_loaded(const void *handle, const void *image);
/* PTX that the linker was given, and the machine code that it made of it: a module of that code has this PTX. */
void inject_link_added(const void *state, const void *ptx, size_t bytes);
void inject_linked(const void *state, const void *image);
/* A function or kernel that was taken out of what this handle stands for; `name` NULL: the same as another handle. */
void inject_took(const void *function, const void *from, const char *name);
/* The kernel of a handle: its name, and its module; false where nobody saw it. */
bool inject_kernel(const void *function, const char **name, struct inject_module **module);
/* The module's PTX, malloc'd; NULL with a line that says why there is none. */
char *inject_ptx(struct inject_module *m, size_t *size, char *error, size_t error_size);

/* A tensor map that was made: its arguments, and its object. */
void inject_mapped(const struct tensor_map *map, const void *object);
/* Calls with each of them. */
size_t inject_map_count(void);
const struct capture_map *inject_map(size_t i);

/* ---- a launch: launch.c -------------------------------------------------------------------------------------------
 */

/* Before and behind a launch: whether it is the one that is wanted, and what it found and left. */
struct inject_launch {
    const void *function;
    unsigned grid[3], block[3], cluster[3], smem;
    bool cooperative;
    void **params, **extra;
};
bool inject_before(const struct inject_launch *l);
void inject_behind(void);

#endif
// SPDX-License-Identifier: Apache-2.0
