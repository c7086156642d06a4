/* Programs that synchronise: what the generator, the model, the mutations and the writer of PTX share.
 *
 * A program is one list of operations. Each names the threads that execute it, and each thread executes its operations
 * in the order of the list. In a right program every wait stands behind what it waits for, so the list is also one
 * possible order of the whole run. */
#ifndef COPYCHECK_SYNC_FUZZ_PROGRAM_H
#define COPYCHECK_SYNC_FUZZ_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/base/append.h"

enum {
    MAX_OPS = 400,
    MAX_CTAS = 8,      /* of a grid */
    MAX_THREADS = 384, /* of a grid */
    MAX_COPIES = 512,  /* asynchronous copies that a run may issue; each counts twice: source and destination */
    SHARED_BYTES = 8192,
    GLOBAL_BYTES = 32768,
    INPUT_BYTES = 4096, /* the first bytes of global memory hold random words */
    BARRIERS = 16,      /* of a CTA */
    SLOTS = 4,          /* of a ring */
};

enum space { GLOBAL, SHARED };
enum scope { SCOPE_CTA, SCOPE_CLUSTER, SCOPE_GPU, SCOPES };
enum sem { WEAK, RELAXED, VOLATILE, RELEASE, ACQUIRE, ACQ_REL };

/* How an operation on a flag is written. */
enum style { BY_LOAD_STORE, BY_EXCH, BY_ADD, BY_RED, BY_CAS, STYLES };
enum fence_style { FENCE_ACQ_REL, FENCE_SC, FENCE_MEMBAR };

/* Which of `items` the thread number `i` of its group takes as number j. */
enum order { STRAIGHT, REVERSED, ROTATED, ORDERS };

/* The threads lo to hi - 1 of each CTA whose bit is set in `ctas`. */
struct who {
    uint32_t ctas;
    unsigned lo, hi;
};

/* An address: `offset` bytes into global memory or into the shared memory of the own CTA (rank -1) or of the CTA with
 * this rank in the own cluster. In global memory the number of the CTA and of the cluster times these bytes is added.
 */
struct place {
    enum space space;
    int rank;
    unsigned offset, by_cta, by_cluster;
};

enum op_kind {
    OP_NONE, /* left out by a mutation */
    /* data */
    OP_STORE,  /* items, shared out among the threads */
    OP_LOAD,   /* items into the thread's number: shared out, or all by each thread */
    OP_ADD,    /* load, add, store of one word: what a lock protects */
    OP_ATOMIC, /* relaxed atomic addition to one word of data */
    OP_SUM,    /* adds up `items` words and stores the sum; not into the thread's number */
    /* flags, locks, semaphores, tickets: words that hold numbers */
    OP_SET,    /* stores `value`, or adds `delta` */
    OP_WAIT,   /* until the word is at least `value` */
    OP_LOCK,   /* waits for 0 and sets 1 */
    OP_UNLOCK, /* sets 0 */
    OP_DOWN,   /* waits until the word is above 0 and subtracts 1 */
    OP_TAKE,   /* the thread's ticket = the word, which goes up by 1 */
    OP_TURN,   /* until the word is the thread's ticket */
    OP_PUT,    /* stores the thread's ticket */
    OP_GET,    /* loads it */
    /* fences and barriers */
    OP_FENCE,
    OP_PROXY_FENCE, /* fence.proxy.async */
    OP_INIT_FENCE,  /* fence.mbarrier_init */
    OP_BAR_SYNC,
    OP_BAR_ARRIVE,
    OP_WARP_SYNC,
    OP_CLUSTER_ARRIVE,
    OP_CLUSTER_WAIT,
    /* mbarriers */
    OP_MBAR_INIT,   /* `value` arrivals */
    OP_MBAR_ARRIVE, /* `delta` arrivals */
    OP_MBAR_EXPECT, /* arrive.expect_tx of `bytes` */
    OP_MBAR_WAIT,   /* for the phase `value` */
    /* copies */
    OP_CP_ASYNC, /* items of 16 bytes, shared out */
    OP_COMMIT,
    OP_WAIT_GROUP,  /* all but `value` groups */
    OP_CP_ARRIVE,   /* cp.async.mbarrier.arrive */
    OP_BULK_LOAD,   /* `bytes` from global to shared memory, to the mbarrier `bar` */
    OP_BULK_STORE,  /* back */
    OP_BULK_COMMIT, /* of the thread's bulk stores */
    OP_BULK_WAIT,   /* all but `value` groups; `read`: only their sources */
    OP_ST_ASYNC,    /* one word to another CTA, to its mbarrier `bar` */
    OP_KINDS
};

struct op {
    enum op_kind kind;
    struct who who;
    struct place at, from, bar;
    unsigned items, width; /* of data: how many, bytes of each */
    enum order order;
    unsigned turn; /* ROTATED: by so many items */
    bool all;      /* each thread takes all items */
    bool across;   /* the group whose items are shared out spans the CTAs of `who`, not one CTA */
    bool carry;    /* stores depend on the thread's number */
    bool looped;   /* written as a loop */
    bool wide;     /* a wide item in elements of 8 bytes */
    bool generic;  /* a generic address */
    uint32_t value, delta, factor;
    unsigned bytes;   /* of copies; of the word of a flag: 4 or 8 */
    unsigned barrier; /* number */
    unsigned threads; /* of a barrier; 0: all of the CTA */
    bool in_register; /* number and count of the barrier are in registers */
    bool aligned;
    enum sem sem;
    enum scope scope;
    enum style style;
    enum fence_style fence;
    unsigned backoff; /* nanoseconds that a waiting loop sleeps; 0: none */
    bool read;        /* .read */
    bool noinc;       /* .noinc: init counts the arrivals */
    bool last;        /* only threads whose ticket is `value` */
    bool fixed;       /* no mutation: what leaving it out would show is not of interest */
    unsigned stage;   /* the part of the program that it belongs to, from 1; 0: what every program has */
    unsigned slot;    /* of a ring, from 1; 0: none */
};

/* What a shape of a launch is: `threads` = block[0] * block[1] * block[2] of a CTA, `cluster` CTAs of each of
 * `clusters`. */
struct shape {
    unsigned threads, block[3], cluster, clusters;
    bool dynamic;     /* shared memory is asked for at the launch */
    unsigned padding; /* bytes of shared memory in front of the program's own */
};

struct program {
    uint64_t seed;
    struct shape shape;
    unsigned stages;
    const char *names[MAX_OPS / 4]; /* of the stages, by number - 1 */
    size_t count;
    struct op ops[MAX_OPS];
    unsigned shared_used, global_used; /* bytes */
    bool full;                         /* it did not fit: nothing to be run */
};

static inline unsigned program_ctas(const struct program *p)
{
    return p->shape.cluster * p->shape.clusters;
}

static inline bool who_has(struct who w, unsigned cta, unsigned thread)
{
    return w.ctas >> cta & 1 && thread >= w.lo && thread < w.hi;
}

/* How many threads: of one CTA, of all. */
static inline unsigned who_width(struct who w)
{
    return w.hi - w.lo;
}

static inline unsigned who_count(struct who w)
{
    return who_width(w) * (unsigned)__builtin_popcount(w.ctas);
}

extern const char *const op_names[OP_KINDS];

/* Makes the right program of a seed. With `only` not 0, the stages whose bit (number - 1) is clear are left out. */
void program_generate(struct program *p, uint64_t seed, uint32_t only);
/* Global memory before the launch. */
void program_input(const struct program *p, unsigned char *global);

/* Appends the program's entry to a module. program_header comes first, once. */
void program_header(struct ck_growing *out);
void program_emit(const struct program *p, const char *entry, struct ck_growing *out);

#endif
// SPDX-License-Identifier: Apache-2.0
