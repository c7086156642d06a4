/* What the generator knows of a program's state while it writes it: which accesses are under way, and which CTAs know
 * of their end. An operation is only written where every access that it conflicts with is known to be over, so that
 * what comes out is legal by construction.
 *
 * Knowledge is kept by CTA. An access that has ended is `known` where one thread knows it, `clean` where all threads
 * of the CTA do; a barrier turns the first into the second. The async proxy knows of a generic write only after a proxy
 * fence: `fenced`. */
#ifndef COPYCHECK_ASYNC_FUZZ_STATE_H
#define COPYCHECK_ASYNC_FUZZ_STATE_H

#include "tools/async_fuzz/fuzz.h"

enum { RECORDS = 600, ROUNDS = 256, QUEUES = 2, GROUPS = 64, ALL = -1 };

enum mode { READ, WRITE, COMBINE };
enum proxy { GENERIC, ASYNC, EITHER };                /* the documents do not say: fenced before and after */
enum link { ENDED, BY_ROUND, BY_QUEUE, BY_CP_ASYNC }; /* what ends an access that is under way */

struct access {
    uint64_t regions; /* bit of each: see global_region, smem_region */
    enum mode mode;
    enum proxy proxy;
    uint32_t key; /* COMBINE: accesses of one key commute */
};

struct record {
    struct access a;
    enum link link;
    unsigned of, group; /* round; queue of a CTA and its group; CTA and its group */
    bool source;        /* .read ends it */
    unsigned waits;     /* CTAs whose wait for the round is still to come */
    unsigned signals;   /* CTAs that the round's operation signals */
    unsigned known, clean, fenced;
    bool armed;            /* ended before barrier.cluster.arrive */
    unsigned armed_spaces; /* that were fenced there */
    bool sliced, seen;     /* by cp.async: each thread wrote its own 16 bytes, at `rotate` */
    unsigned rotate;
};

struct bar {
    unsigned count;        /* expected arrivals */
    unsigned parity;       /* of the current phase */
    bool open;             /* arrivals or bytes of its round are written */
    unsigned round;        /* while it is open */
    unsigned next;         /* count of the phase after the open one */
    bool all_arrive;       /* in the open round each thread arrives once */
    bool has_state;        /* of it, each thread has the state in %st<bar> */
    bool all_waited;       /* and each thread waited for the round before, with no barrier since */
    unsigned known, clean; /* CTAs that know that it is idle */
    bool armed;
};

/* A thread that issues bulk stores, and its groups. */
struct queue {
    unsigned thread, committed, waited; /* groups */
    bool open;                          /* operations after the last commit */
};

struct gen {
    struct program *p;
    struct ck_growing *out;
    uint64_t random;
    unsigned labels;
    struct record records[RECORDS];
    size_t count;
    struct bar bars[MAX_CTAS][BARS];
    unsigned rounds;
    struct queue queues[MAX_CTAS][QUEUES];
    struct {
        unsigned committed, waited;
        bool open;
    } cp_async[MAX_CTAS];
    bool cluster_arrived;    /* between barrier.cluster.arrive and wait */
    unsigned solo[MAX_CTAS]; /* thread + 1 that plays with the solo bar; 0: it is free for all */
    bool solo_clean[MAX_CTAS];
    bool diverged; /* lanes may be apart: aligned instructions need a bar.warp.sync first */
};

/* ---- random.c: draws ---- */
uint64_t draw(struct gen *g);
unsigned below(struct gen *g, unsigned n);
bool chance(struct gen *g, unsigned percent);
#define PICK(g, array) ((array)[below(g, (unsigned)(sizeof(array) / sizeof *(array)))])

/* ---- state.c ---- */
static inline uint64_t global_regions(unsigned first, unsigned n)
{
    return ((UINT64_C(1) << n) - 1) << first;
}

static inline uint64_t smem_regions(unsigned cta, unsigned first, unsigned n)
{
    return ((UINT64_C(1) << n) - 1) << (GLOBAL_REGIONS + cta * SMEM_REGIONS + first);
}

static inline unsigned all_ctas(const struct gen *g)
{
    return (1u << g->p->ctas) - 1;
}

/* Whether a thread of this CTA may make this access now. */
bool may(const struct gen *g, unsigned cta, struct access a);
/* Notes an access that is over, as one thread of the CTA knows; one that something ends later. NULL: no room. */
void note(struct gen *g, unsigned cta, struct access a);
struct record *note_later(struct gen *g, struct access a, enum link link, unsigned of, unsigned group);
bool has_room(const struct gen *g);

/* A region of a CTA's shared memory, or of global memory, n in a row, where this access is legal for `cta`; false where
 * there is none. The access's regions are filled in. */
bool find_smem(struct gen *g, unsigned cta, unsigned owner, unsigned n, struct access *a, unsigned *first);
bool find_global(struct gen *g, unsigned cta, unsigned n, struct access *a, unsigned *first);
/* The same region in each CTA of `owners`. */
bool find_smem_in_all(struct gen *g, unsigned cta, unsigned owners, unsigned n, struct access a, unsigned *first);

/* What a barrier of these CTAs, or of the cluster, makes known; what a fence of a space makes known to the async
 * proxy (of spaces: bit 0 shared, bit 1 global). */
void sync_ctas(struct gen *g, unsigned ctas, unsigned fenced_spaces);
void arm_cluster(struct gen *g);
void sync_cluster(struct gen *g, unsigned fenced_spaces);
/* A CTA has waited for its bar's round: all threads or one. Ends the records that are complete now. */
void end_round(struct gen *g, unsigned cta, unsigned bar, bool all);
void end_groups(struct gen *g, unsigned cta, enum link link, unsigned of, unsigned below_group, bool sources_only);
void prune(struct gen *g);

/* ---- text of guards: emit.c ---- */
unsigned new_label(struct gen *g);
/* What follows is for one CTA (ALL: every one) and one thread of it; the label comes after it. */
unsigned guard(struct gen *g, int cta, int thread);
void end_guard(struct gen *g, unsigned label);
void converge(struct gen *g);

/* ---- steps: each returns whether it wrote anything ---- */
typedef bool step_fn(struct gen *g);
step_fn step_cp_async, step_cp_async_wait;              /* cp_async.c */
step_fn step_bulk_store, step_bulk_wait;                /* stores.c */
step_fn step_round, step_wait;                          /* rounds.c, waits.c */
step_fn step_solo;                                      /* solo.c */
step_fn step_sync, step_cluster;                        /* sync.c */
step_fn step_store, step_load, step_atomics, step_play; /* generic.c */
bool cp_async_into(struct gen *g, unsigned cta, int thread, unsigned round);
void wait_bar(struct gen *g, unsigned cta, unsigned bar, int thread);
void draw_maps(struct gen *g);

/* Writes a tensor copy's coordinates; the tile's bytes and span. */
struct tile {
    unsigned map, regions;
    size_t bytes, span;
    int32_t corner[TENSOR_RANK_MAX];
};
/* False where the map of that number cannot be used so. */
bool draw_tile(struct gen *g, bool store, struct tile *t);
uint64_t map_regions(const struct tensor_map *m);
void add_coordinates(struct gen *g, const struct tile *t);
unsigned map_start(const struct tensor_map *m);
/* A reduction that the map's type allows: "add"; NULL for none. */
const char *draw_tensor_operation(struct gen *g, const struct tensor_map *m);

/* Every thread of the CTA reads a region (its own CTA's shared memory, or global memory) into what it has seen. */
void observe(struct gen *g, bool shared, unsigned region);
void observe_slice(struct gen *g, unsigned region, unsigned rotate);

#endif
// SPDX-License-Identifier: Apache-2.0
