/* A launch as a file: what `copycheck capture` writes on a GPU, and `copycheck check` judges anywhere.
 *
 * The file is a sequence of sections, each a line "NAME NUMBER... BYTES", so many bytes, and a newline:
 *
 *   copycheck capture 1          the first line; the format's version
 *   machine 0 B                  the GPU, its driver, the program: text
 *   ptx 0 B                      the module's PTX
 *   entry 0 B                    the kernel's name
 *   launch GX GY GZ BX BY BZ CX CY CZ SMEM COOPERATIVE 0
 *                                grid in CTAs, block in threads, cluster in CTAs (0: none), dynamic shared memory in
 * bytes params 0 B                   the parameters, as the kernel's declarations lay them out memory ADDRESS B device
 * memory at this address before the launch, which parameters lead to after ADDRESS B              the same behind it,
 * where that differs variable 0 B, then bytes 0 B, then after 0 B   a variable of the module: its name; its bytes;
 * those behind the launch map ADDRESS DIMS ... 128     the object of a tensor map that stands in parameters or memory;
 * the numbers are the arguments of the call that made it (capture_map_numbers) end DIGEST 0                 FNV-1a of
 * all before this line: without it the file stops half-way
 */
#ifndef COPYCHECK_CAPTURE_H
#define COPYCHECK_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "expected/tensor_map.h"

#define CAPTURE_MAGIC "copycheck capture 1\n"

enum { CAPTURE_NAME = 1024, CAPTURE_MAP_NUMBERS = 48 };

/* Bytes before the launch, and behind it. */
struct capture_bytes {
    uint64_t at, bytes;
    unsigned char *before, *after; /* malloc'd; `after` NULL: they are the same */
    char *variable;                /* the name, of a variable; NULL: memory */
};

struct capture_map {
    struct tensor_map map; /* its address is the GPU's */
    unsigned char object[TENSOR_MAP_BYTES];
};

struct capture {
    char *machine, *ptx, *entry; /* malloc'd */
    size_t ptx_bytes;
    uint32_t grid[3], block[3], cluster[3], smem, cooperative;
    unsigned char *params;
    size_t param_bytes;
    struct capture_bytes *memory;
    size_t memory_count, memory_room;
    struct capture_map *maps;
    size_t map_count, map_room;
};

/* Whether a file that begins with these bytes is a capture. */
bool capture_is(const char *data, size_t size);
/* Reads one. False with what is wrong, and at which byte of the file, in `error`; capture_free in either case. */
bool capture_read(const char *data, size_t size, struct capture *out, char *error, size_t error_size);
/* False where something could not be written. */
bool capture_write(FILE *to, const struct capture *c);
void capture_free(struct capture *c);

/* A further piece of memory or variable; NULL: no memory. */
struct capture_bytes *capture_add(struct capture *c);
struct capture_map *capture_add_map(struct capture *c);

#endif
// SPDX-License-Identifier: Apache-2.0
