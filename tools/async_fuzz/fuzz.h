/* Random legal programs of asynchronous operations, as PTX: what the generator and its users share. */
#ifndef COPYCHECK_ASYNC_FUZZ_H
#define COPYCHECK_ASYNC_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "expected/random.h"
#include "expected/tensor_map.h"
#include "tools/fuzz/text.h"

enum {
    REGION = 1024,       /* bytes of a region: the grain at which the generator keeps accesses apart */
    SMEM_REGIONS = 12,   /* of each CTA's shared memory */
    GLOBAL_REGIONS = 16, /* of each cluster's slice of global memory */
    BARS = 6,            /* mbarriers of each CTA that rounds use */
    SOLO_BAR = BARS,     /* one more, for one thread's own play */
    MAPS = 2,            /* tensor maps of each cluster */
    MAX_THREADS = 64,    /* of a CTA */
    MAX_CTAS = 4,        /* of a grid */
    MAX_STEPS = 32,
    SMEM_BYTES = (SMEM_REGIONS + 1) * REGION,
    PARAM_BYTES = 64 + MAX_CTAS * MAPS * TENSOR_MAP_BYTES,
};

/* A generated program: its entry's name, its shape, and what its launch needs. */
struct program {
    uint64_t seed;
    char entry[32];
    unsigned threads, ctas, clusters; /* of a CTA, of a cluster, of the grid */
    unsigned steps;
    struct tensor_map maps[MAPS]; /* address: offset in the cluster's slice */
    bool full;                    /* it had room for all of its accesses; else it ends earlier than drawn */
};

/* What precedes the entries of a module. */
void program_header(struct ck_growing *out);
/* Appends the entry of this seed. Steps whose entry in `skip` (MAX_STEPS of them, or NULL) is set are left out; what
 * is left is legal again. */
void program_generate(struct program *p, uint64_t seed, const bool *skip, struct ck_growing *out);

/* The memory of a program, in bytes: the clusters' slices, then for each CTA its shared memory and what its threads
 * saw. */
size_t program_bytes(const struct program *p);
size_t program_slice(void);
/* Fills it as it is before the launch. */
void program_input(const struct program *p, unsigned char *memory);
/* The map of a cluster, with its memory at `base`. */
struct tensor_map program_map(const struct program *p, unsigned cluster, unsigned map, uint64_t base);
/* Where a byte of the memory lies, in words. */
void program_place(const struct program *p, size_t offset, char *out, size_t size);

#endif
// SPDX-License-Identifier: Apache-2.0
