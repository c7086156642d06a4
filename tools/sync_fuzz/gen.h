/* The generator's own: what it has given away so far, and the edges of which stages are made. */
#ifndef COPYCHECK_SYNC_FUZZ_GEN_H
#define COPYCHECK_SYNC_FUZZ_GEN_H

#include "tools/sync_fuzz/program.h"

struct gen {
    struct program *p;
    uint64_t random;
    unsigned shared, global; /* bytes given away */
    unsigned barriers;       /* numbers given away, from 1 on */
    unsigned stage;
    struct op start[64]; /* of one thread of each CTA before all else: words and mbarriers get their first value */
    size_t starts;
    bool remote; /* a CTA touches another one's shared memory */
};

/* ---- draws ---- */
uint64_t draw(struct gen *g);
unsigned below(struct gen *g, unsigned n);
bool chance(struct gen *g, unsigned percent);

/* ---- groups of threads ---- */
struct who everyone(const struct gen *g);
struct who threads_of(uint32_t ctas, unsigned lo, unsigned hi);
struct who one_of(struct gen *g, struct who w); /* its first or its last thread, in each CTA */
uint32_t ctas_of_rank(const struct gen *g, unsigned rank);
bool whole_warps(struct who w);
bool in_one_warp(struct who w);
bool apart(struct who a, struct who b); /* no warp of a CTA has threads of both */

/* ---- operations ---- */
/* Appends an operation of these threads; never NULL. Where there is no room the program is not full. */
struct op *add(struct gen *g, enum op_kind kind, struct who who);
/* Memory that nobody else has; `each` bytes for each CTA of the grid, or each cluster. */
struct place shared_place(struct gen *g, unsigned bytes, int rank);
struct place global_place(struct gen *g, unsigned bytes, bool by_cta, bool by_cluster);
/* The word gets this value, or the mbarrier this count, before all else. Words of global memory begin as 0. */
void begin_with(struct gen *g, struct place at, uint32_t value, unsigned bytes);
void begin_mbarrier(struct gen *g, struct place at, unsigned count);

/* ---- edges: everything that `from` has done comes before everything that `to` does next ---- */
enum level { IN_WARP, IN_CTA, IN_CLUSTER, IN_GRID }; /* how far apart the two groups may be */

enum edge_kind {
    EDGE_BARRIER,
    EDGE_WARP,
    EDGE_COUNT,
    EDGE_LEADER,
    EDGE_SEMAPHORE,
    EDGE_MBARRIER,
    EDGE_CLUSTER,
    EDGE_KINDS
};

struct edge {
    enum edge_kind kind;
    enum level level;
    struct who from, to;
    struct place at;
    unsigned barrier, collect, distribute; /* numbers of barriers */
    unsigned fired, arrivals;              /* how often it was signalled; flags, arrivals at each time */
    int home;                              /* rank of the CTA in which the mbarrier or flag lies, or -1 */
    bool fence_first;                      /* each thread fences, then all meet, then one sets the flag */
    unsigned word;                         /* bytes of the flag */
    unsigned slot;
    bool ring; /* other edges come between its signal and its wait */
};

/* An edge that can be signalled many times, each time after the wait before it. `ring`: there may be others between
 * its signal and its wait. */
struct edge edge_open(struct gen *g, enum level level, struct who from, struct who to, bool ring);
void edge_signal(struct gen *g, struct edge *e);
void edge_wait(struct gen *g, struct edge *e);
/* Both at once, with an edge of its own. */
void edge_once(struct gen *g, enum level level, struct who from, struct who to);

/* ---- stages: each appends one, and returns its name; NULL where this shape has no room for it ---- */
typedef const char *stage_fn(struct gen *g);
stage_fn stage_pass, stage_chain, stage_ring, stage_stream_k, stage_last;   /* stages.c */
stage_fn stage_lock, stage_atomic;                                          /* locks.c */
stage_fn stage_cp_async, stage_bulk_load, stage_bulk_store, stage_st_async; /* copies.c */

/* Two groups of threads that may pass data to one another, and how far apart they are. */
struct pair {
    enum level level;
    struct who from, to;
};
struct pair draw_pair(struct gen *g);
struct pair draw_pair_at(struct gen *g, enum level level);
/* Data of `from`'s making, where `to` can read it too; -1 items where there is no room. */
struct data {
    struct place at;
    unsigned items, width;
};
struct data draw_data(struct gen *g, struct pair pair);
void store_data(struct gen *g, struct data d, struct who who, unsigned slot);
void load_data(struct gen *g, struct data d, struct who who, unsigned slot);

#endif
// SPDX-License-Identifier: Apache-2.0
