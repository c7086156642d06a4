/* Labs: what a student's kernel is launched with, what it must leave behind, and by which means.
 *
 * A lab is a folder docs/labs/ID-NAME (the start, a solution, wrong solutions, texts) and a struct lab in tests/labs/,
 * whose functions prepare launches. Each launch is prepared anew for each size, and run on the emulator under many
 * schedules; the bytes are compared after every one. All sizes and all bytes of buffers are drawn from a seed, so that
 * nothing about a launch can be known beforehand. Each step of a size draws the same numbers in the same order. */
#ifndef COPYCHECK_LAB_H
#define COPYCHECK_LAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "expected/tensor_map.h"

struct lab_launch; /* one launch, while it is being prepared */

/* What is counted while the kernel runs in schedule 0. */
enum lab_means {
    LAB_CP_ASYNC_BYTES,    /* that cp.async has copied from global to shared memory */
    LAB_BULK_LOAD_BYTES,   /* that bulk copies have copied from global to shared memory */
    LAB_BULK_STORE_BYTES,  /* and from shared to global memory */
    LAB_TENSOR_LOAD_BYTES, /* bytes of the boxes that tensor copies have loaded, filled ones included */
    LAB_TENSOR_STORE_BYTES,
    LAB_MULTICASTS,   /* copies to more than one CTA */
    LAB_LOADS_BYTES,  /* that threads have loaded from the buffers of lab_in themselves */
    LAB_STORES_BYTES, /* that threads have stored into global memory themselves */
    LAB_REMOTE_BYTES, /* that threads have read or written in another CTA's shared memory */
    LAB_BARRIERS,     /* completed barriers of a CTA (__syncthreads) */
    LAB_CLUSTER_BARRIERS,
    LAB_GROUP_WAITS,  /* waits for groups, each thread's own */
    LAB_FULL_WAITS,   /* those among them that leave no group in flight */
    LAB_PROXY_FENCES, /* fence.proxy.*, each thread's own */
    LAB_FENCES,       /* all other fences, each thread's own */
    LAB_PHASES,       /* completed phases of mbarriers */
    LAB_IN_FLIGHT,    /* the most copies that were in flight at a time */
    LAB_MEANS
};

/* ---- the launch: called by a lab's functions --------------------------------------------------------------------- */

/* A number from `low` to `high`, a multiple of `step`. The first size is small and the same for everybody, so that a
 * finding can be followed by hand: `low`. All others are drawn from the seed. */
uint32_t lab_draw(struct lab_launch *l, uint32_t low, uint32_t high, uint32_t step);

void lab_entry(struct lab_launch *l, const char *kernel); /* default: the lab's own */
void lab_grid(struct lab_launch *l, uint32_t x, uint32_t y, uint32_t z);
void lab_block(struct lab_launch *l, uint32_t x, uint32_t y, uint32_t z);
void lab_cluster(struct lab_launch *l, uint32_t x);
void lab_smem(struct lab_launch *l, uint32_t bytes); /* dynamic shared memory */

/* Arguments, in the order of the kernel's parameters; each returns the number of its buffer.
 * lab_in: `size` bytes of it in `bytes`, copied. lab_out: a buffer that is not written before, which must hold these
 * bytes after the launch (NULL: a later step reads what the kernel writes there); where `tolerance` is not 0 they are
 * floats that may differ by so much, relatively. lab_inout: both. */
unsigned lab_in(struct lab_launch *l, const void *bytes, size_t size);
unsigned lab_out(struct lab_launch *l, const void *expected, size_t size, float tolerance);
unsigned lab_inout(struct lab_launch *l, const void *before, const void *expected, size_t size);
/* The same of a buffer that is no parameter of the kernel: only tensor maps reach it. */
unsigned lab_behind_in(struct lab_launch *l, const void *bytes, size_t size);
/* The buffer is a matrix with rows of so many words: wrong words are told by row and column. */
void lab_columns(struct lab_launch *l, unsigned buffer, uint32_t columns);
/* What to look at where the bytes are wrong though no rule is broken: a sentence or two. */
void lab_look(struct lab_launch *l, const char *say);
void lab_u32(struct lab_launch *l, uint32_t value);
void lab_f32(struct lab_launch *l, float value);
/* A tensor map by value (`const __grid_constant__ CUtensorMap`), or in global memory by its address; its tensor begins
 * at byte map->address of this buffer. */
void lab_map(struct lab_launch *l, const struct tensor_map *map, unsigned buffer);
void lab_map_at(struct lab_launch *l, const struct tensor_map *map, unsigned buffer);

/* Seeded contents: random words, and floats that are small whole numbers, so that sums of them are exact. Freed with
 * the launch. */
uint32_t *lab_words(struct lab_launch *l, size_t count);
float *lab_floats(struct lab_launch *l, size_t count);
/* Zeroed memory for what is expected; freed with the launch. */
void *lab_room(struct lab_launch *l, size_t bytes);

/* What the task asks for: at least, or at most, so much of it. `say` is what the student reads where it is not so: "the
 * tile must be loaded by a bulk copy". lab_remark: more than `most` passes, with this remark. */
void lab_at_least(struct lab_launch *l, enum lab_means means, uint64_t least, const char *say);
void lab_at_most(struct lab_launch *l, enum lab_means means, uint64_t most, const char *say);
void lab_remark(struct lab_launch *l, enum lab_means means, uint64_t most, const char *say);
/* Reads of swizzled tiles are compared with natural order too: `check --ask swizzle`. */
void lab_ask_swizzle(struct lab_launch *l);

/* ---- a lab ------------------------------------------------------------------------------------------------------- */

enum { LAB_STEPS = 4, LAB_BESIDE = 3 };

struct lab {
    const char *id;     /* "L05" */
    const char *folder; /* below docs/labs/: "L05-bulk-bytes" */
    const char *file;   /* what the student gets and hands in: "bulk.cu" */
    const char *title;  /* "What a bulk copy counts" */
    const char *kernel; /* the entry, extern "C" */
    const char *needs;  /* NULL: any compiler; "cuda": the toolkit's headers (libcu++), so nvcc or PTX; "tile": nvcc
                         * 13.3 or newer, and a GPU to run on */
    const char *beside[LAB_BESIDE]; /* files that the student gets too, to read and compare; or NULL */
    const struct lab *tile;         /* the same task as a tile kernel, of one of these files: needs "tile"; or NULL */
    /* The launches of one size, in their order; each is told by the words of `steps`, where there are several. */
    void (*prepare[LAB_STEPS])(struct lab_launch *l);
    /* Reads what the launch before has left (lab_left), where the next one depends on it; or NULL. */
    const char *steps[LAB_STEPS];
};

/* Of an earlier step of this size: the bytes that it left in a buffer. */
const void *lab_left(const struct lab_launch *l, unsigned step, unsigned buffer);
/* The step is not run, and none after it: a line for the student, with the rule, or NULL. A few lines are kept. */
void lab_wrong(struct lab_launch *l, const char *rule, const char *format, ...) __attribute__((format(printf, 3, 4)));

extern const struct lab *const lab_all[]; /* in the order of their ids; ends with a NULL */

#endif
// SPDX-License-Identifier: Apache-2.0
