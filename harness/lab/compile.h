/* A submission's source, made into PTX by the compiler of this machine, in a folder of its own and under limits. */
#ifndef COPYCHECK_LAB_COMPILE_H
#define COPYCHECK_LAB_COMPILE_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/text.h"
#include "harness/lab/lab.h"

enum lab_compiler { LAB_ANY_COMPILER, LAB_NVCC, LAB_CLANG };

enum lab_compiled {
    LAB_COMPILED,
    LAB_REFUSED,     /* the compiler has something against the source */
    LAB_NO_COMPILER, /* there is none, or it does not run: nothing can be said */
};

/* Compiles a tile kernel, the lab's file, with the newest toolkit of this machine that can (13.3 or newer), into the
 * file `object` where it is not NULL. `by` names the toolkit's compiler, "tile-13.5"; `why` as above. */
enum lab_compiled lab_compile_tile(const struct lab *lab, const char *source, const char *object, char *by,
                                   size_t by_size, char *why, size_t room);

/* The path of nvcc or clang; false where this machine has none. */
bool lab_find_compiler(enum lab_compiler which, char *path, size_t size);

/* Compiles the source as the lab's file, beside the headers in `labs` (the folder docs/labs). `out` is the PTX, to be
 * released with ck_text_free; else `why` holds lines that say why there is none. Where nvcc is here but does not run,
 * clang is taken, and the last line of `why` says so. */
enum lab_compiled lab_compile(const struct lab *lab, const char *labs, const char *source, enum lab_compiler which,
                              struct ck_text *out, char *why, size_t room);

#endif
// SPDX-License-Identifier: Apache-2.0
