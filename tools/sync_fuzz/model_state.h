/* The state of the model during a run. */
#ifndef COPYCHECK_SYNC_FUZZ_MODEL_STATE_H
#define COPYCHECK_SYNC_FUZZ_MODEL_STATE_H

#include "tools/sync_fuzz/clock.h"
#include "tools/sync_fuzz/model.h"

enum { BLOCK_NUMBERS = 1 << 16, NOTES = 4096, WORDS = 256, MEETINGS = 512 };

/* An access of a byte. */
struct touch {
    unsigned agent, epoch, op, cta;
    bool write, strong, async; /* async: by the async proxy */
    enum scope scope;
};

struct note {
    struct touch touch;
    struct note *next;
};

struct cell {
    struct note *notes; /* accesses that no later write of the byte has followed */
};

/* What was released at a place, by the CTA of the thread that did it and the scope. */
struct released {
    clock_numbers by[MAX_CTAS][SCOPES];
    clock_numbers seen; /* what SC view the writers had */
};

/* A word that synchronises, or an mbarrier. */
struct word {
    size_t cell;
    struct released released;
    bool mbarrier, live;
    unsigned maker, made; /* agent and epoch of its init */
    unsigned count, pending, phases;
    int64_t bytes;       /* expected and not yet delivered */
    struct released now; /* of the current phase */
    clock_numbers copies_now, copies;
};

enum meeting_kind { MEET_BARRIER, MEET_WARP, MEET_CLUSTER };

/* A barrier of a CTA, a bar.warp.sync of a warp, the barrier of a cluster. */
struct meeting {
    enum meeting_kind kind;
    bool whole;           /* all threads of the CTA */
    unsigned cta, number; /* cluster; number of the barrier, or of the operation */
    unsigned needed, arrived, phase;
    clock_numbers now, over; /* of those who have arrived; of the phase before */
    /* Of a cluster's barrier, by the number of the CTA, for its threads alone: what fences of .cta scope knew. */
    clock_numbers now_in[MAX_CTAS], over_in[MAX_CTAS];
};

struct copy {
    unsigned agent; /* of its destination; its source is read by the next one */
    unsigned group;
    bool bulk;
};

struct actor { /* a thread */
    unsigned number, cta, thread;
    unsigned pc; /* number of its operation */
    bool ended;
    bool arrived; /* at the meeting at which it waits; at the cluster's */
    bool cluster_arrived;
    unsigned phase, cluster_phase;
    uint32_t acc, ticket;
    clock_numbers now, fenced[SCOPES], pending[SCOPES];
    struct copy *copies; /* that it issued */
    unsigned copy_count, copy_room, groups, bulk_groups;
};

struct model {
    const struct program *p;
    struct model_result result;
    size_t agents;
    unsigned threads, copies; /* the next copy's agent */
    size_t global_bytes, shared_bytes;
    unsigned char *memory; /* global, then each CTA's shared */
    struct cell *cells;
    struct actor *actors;
    struct word *words;
    struct meeting *meetings;
    size_t word_count, meeting_count;
    struct block {
        struct block *next;
        size_t used;
        uint16_t numbers[];
    } * blocks;
    struct notes {
        struct notes *next;
        struct note all[NOTES];
    } * notes;
    size_t notes_used, notes_room;
    bool arrived; /* a thread that waits now has arrived first */
};

/* ---- model.c ---- */
clock_numbers model_clock(struct model *m); /* nothing known */
void model_add(struct model *m, clock_numbers *to, const uint16_t *from);
size_t model_cell(const struct model *m, const struct actor *t, struct place at);
void model_flaw(struct model *m, enum flaw flaw, unsigned op, unsigned other);
bool model_includes(const struct model *m, enum scope a, unsigned cta, enum scope b, unsigned other);
void model_touch(struct model *m, const uint16_t *clock, size_t at, size_t bytes, const struct touch *x);
struct touch model_access(const struct actor *t, const struct op *o, bool write);
unsigned model_number(const struct actor *t, const struct op *o);
unsigned model_item(const struct op *o, unsigned j);
uint32_t model_value(const struct actor *t, const struct op *o, unsigned item);
uint32_t model_word(const struct model *m, size_t at);
void model_put(struct model *m, size_t at, uint32_t word);

/* ---- model_sync.c: false where the thread has to wait ---- */
bool model_sync(struct model *m, struct actor *t, const struct op *o);
void model_ended(struct model *m, const struct actor *t);

/* ---- model_copy.c ---- */
bool model_copy(struct model *m, struct actor *t, const struct op *o);

/* ---- model_words.c ---- */
struct word *model_find(struct model *m, size_t cell);
void model_release(struct model *m, const struct actor *t, struct released *r, enum sem sem, enum scope scope);
void model_acquire(struct model *m, struct actor *t, const struct released *r, enum sem sem, enum scope scope);
void model_arrive(struct model *m, const struct actor *t, struct word *w, unsigned arrivals, const struct op *o);
void model_complete(struct model *m, struct word *w);
bool model_words(struct model *m, struct actor *t, const struct op *o);
bool model_mbarrier(struct model *m, struct actor *t, const struct op *o);

#endif
// SPDX-License-Identifier: Apache-2.0
