/* What a random program of wgmma does, drawn from its seed, before a line of it is written. */
#ifndef COPYCHECK_WGMMA_FUZZ_PLAN_H
#define COPYCHECK_WGMMA_FUZZ_PLAN_H

#include <stdbool.h>
#include <stdint.h>

enum {
    GROUP = 128,        /* threads of a warpgroup */
    MOST_STAGES = 3,    /* of the ring of tiles */
    MOST_TILES = 6,     /* that go through it */
    TILE_ALIGN = 1024,  /* of a tile in shared memory: the period of the widest swizzle */
    SHARED = 47 * 1024, /* bytes of shared memory */
    BARRIERS = 1024,    /* bytes at its beginning that mbarriers have */
};

enum load { LOAD_TENSOR, LOAD_BULK, LOAD_STORES }; /* by a tensor map; raw bytes by a bulk copy; by st.shared */

/* Type of A and B, and of D, as an instruction names them. */
struct kind {
    const char *d, *a, *b;
    unsigned bytes;  /* of an element of A */
    unsigned k;      /* elements of a row that one instruction takes: 32 bytes of them */
    bool halves;     /* D has two elements in a register */
    bool integer;    /* no imm-scale */
    bool transposes; /* has imm-trans */
};

/* A or B as tiles. A step is what one instruction takes: 32 bytes of each line. */
struct operand {
    enum load load;
    bool across;              /* M- or N-major */
    unsigned swizzle;         /* 0: none, then 32, 64 or 128 bytes: 1, 2, 3 */
    unsigned lines;           /* rows of A for a warpgroup, columns of B */
    unsigned groups;          /* warpgroups that have a tile of their own: of A; 1 of B */
    unsigned bytes;           /* of a tile */
    unsigned leading, stride; /* of its descriptors, bytes */
    unsigned box[2], boxes;   /* a tensor load: elements and rows of a box; boxes of a tile, one behind the other */
    unsigned at;              /* where its tiles begin in a cluster's slice of global memory */
    unsigned shared;          /* and in shared memory: stage 0, of the first warpgroup */
};

enum arrive { ARRIVE_ALL, ARRIVE_LANES, ARRIVE_ONE }; /* who says that a stage is free: threads, warps, a warpgroup */
enum store { STORE_PLAIN, STORE_BULK, STORE_TENSOR };

struct plan {
    const struct kind *kind;
    unsigned consumers;   /* warpgroups that multiply */
    bool split;           /* others load: else thread 0 does */
    unsigned loaders;     /* threads that do nothing but load; 0: not split */
    unsigned registers;   /* .maxnreg; 0: none, and no setmaxnreg */
    unsigned fewer, more; /* of setmaxnreg */
    unsigned n, steps;    /* columns of D; steps of a tile */
    unsigned stages, tiles;
    struct operand a, b;
    bool a_registers; /* A goes through registers */
    bool by_ldmatrix; /* by ldmatrix, else by ld.shared */
    bool defers;      /* the wait for a product comes behind the next one's commit */
    bool satfinite, minus_a, minus_b, adds;
    enum arrive arrive;
    enum store store;
    unsigned rounds; /* of storing D through shared memory */
    unsigned chain;  /* columns of a second product, of D as A with a matrix V; 0: none */
    unsigned v_at, v_shared, v_bytes;
    unsigned d_registers;
    unsigned out_at, slice; /* D in the slice; its bytes */
    unsigned clusters;
    bool wild; /* inputs are any bits */
};

void plan_draw(struct plan *p, uint64_t seed);
/* Bytes of a tile's room; where stage `s` of the operand has that of warpgroup `group`. */
unsigned plan_room(unsigned bytes);
unsigned plan_place(const struct plan *p, const struct operand *o, unsigned stage, unsigned group);
/* How far behind the tile's begin the matrix of this step begins. */
unsigned plan_step(const struct plan *p, const struct operand *o, unsigned step);
/* The bytes of a stage. */
unsigned plan_stage(const struct plan *p);
unsigned plan_threads(const struct plan *p);

#endif
// SPDX-License-Identifier: Apache-2.0
