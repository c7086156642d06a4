/* A program under way: its text, and which of its steps is left out or changed in a wrong form. */
#ifndef COPYCHECK_WGMMA_FUZZ_GEN_H
#define COPYCHECK_WGMMA_FUZZ_GEN_H

#include "tools/async_fuzz/fuzz.h"
#include "tools/wgmma_fuzz/plan.h"

/* What a wrong form leaves out or changes; WRONG_KINDS: the table in wrong.c. */
enum wrong {
    NO_FULL_WAIT,    /* for the bytes of a tile */
    NO_EMPTY_WAIT,   /* before a tile is loaded over another */
    NO_EMPTY_ARRIVE, /* a tile is free, and nobody is told */
    NO_EXPECT,       /* the bytes of a tile are not announced */
    NO_FENCE,        /* wgmma.fence before the first product, or behind a change of A's registers */
    NO_COMMIT,       /* of the last group */
    NO_WAIT,         /* for the last group */
    NO_PROXY_IN,     /* between st.shared and the product */
    NO_PROXY_OUT,    /* between st.shared and a store by the async proxy */
    NO_BARRIER_OUT,  /* of the warpgroup, between st.shared and that store */
    NO_BARRIER_IN,   /* of the warpgroup, between its products and st.shared over their tile */
    NO_READ_WAIT,    /* for a store, before st.shared over its source */
    NO_REFILL,       /* the CTA's barrier between products and the next load over their tile */
    OTHER_SWIZZLE,   /* of a descriptor */
    TOUCHED,         /* a register of D is read in flight */
    NO_RELEASE,      /* setmaxnreg.inc without the setmaxnreg.dec that frees what it takes */
    SOME_WARPS,      /* setmaxnreg by warps 0 to 2 of the warpgroup */
    WRONG_KINDS
};

struct site {
    enum wrong kind;
};

enum { MOST_SITES = 512 };

struct gen {
    struct plan p;
    struct ck_growing *out;
    const char *entry;
    unsigned labels;
    unsigned count; /* of the steps that can be wrong, in the order of the text */
    unsigned wrong; /* the number of the one that is, from 1; 0: none */
    uint8_t kinds[MOST_SITES];
};

/* Whether this step, which can be wrong in this way, is. */
bool wrong_here(struct gen *g, enum wrong kind);
/* Writes the entry. */
void generate(struct gen *g);

/* roles.c */
void emit_load(struct gen *g, unsigned tile);
void emit_loader(struct gen *g);
void emit_consumer(struct gen *g);
/* products.c */
void emit_a_registers(struct gen *g, unsigned stage);
void emit_products(struct gen *g, unsigned tile, unsigned stage);
void emit_chain(struct gen *g);
/* end.c */
void emit_end(struct gen *g);

/* Texts that several need. */
unsigned bar_full(unsigned stage);
unsigned bar_empty(unsigned stage);
unsigned bar_v(void);
void emit_await(struct gen *g, unsigned bar, unsigned parity);
void emit_meet(struct gen *g);

#endif
// SPDX-License-Identifier: Apache-2.0
