/* What the files of the runtime without a GPU share: its memory and its tensor maps (host.c), its launches
 * (host_launch.c). */
#ifndef COPYCHECK_OTHERS_HOST_H
#define COPYCHECK_OTHERS_HOST_H

#include <stddef.h>

/* The version of the driver: libraries change bytes of the maps that drivers up to 13.1 have encoded. */
enum { HOST_DRIVER = 13020 };
enum { HOST_ROOM = 4096, HOST_MAPS = 512, HOST_MAP = 128 };

/* An allocation of device memory. */
struct host_memory {
    unsigned char *data; /* NULL: freed */
    size_t bytes;
    int number;  /* of the buffer in the launch that is being written */
    int written; /* the program, or a launch, has written to it */
};

/* A tensor map, by what cuTensorMapEncodeTiled was called with. */
struct host_map {
    char words[512]; /* those of copycheck encode */
    const unsigned char *tensor;
};

extern struct host_memory host_memory[HOST_ROOM];
extern size_t host_memories;
extern struct host_map host_maps[HOST_MAPS];
extern size_t host_map_count;

/* Ends the program with a line and status 2. */
void host_fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
/* The allocation that an address lies in, and the map whose object lies at p; -1: none. */
long host_find(const void *address);
long host_map_at(const unsigned char *p);

#endif
// SPDX-License-Identifier: Apache-2.0
