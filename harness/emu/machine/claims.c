/* Claims on global memory, by clusters that run ahead of their turns.
 *
 * Each four bytes of global memory belong to the cluster that writes them first, or to those that only read them, or to
 * those that only change them by atomics of one kind. A cluster that finds bytes taken gives the whole run up, before
 * it accesses them. So no two host threads ever access the same bytes unless all read, or all hold the machine's lock,
 * and marks need no order among them.
 *
 * Integer sums and their like whose result nobody uses come to the same bytes in any order: they are done at once. All
 * other atomics wait for their cluster's turn, so that they happen in the order of turns. */
#include "harness/emu/machine/claims.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/room.h"
#include "harness/emu/machine/thread.h"

/* A mark: 0 untouched; else READ, ATOMIC or WRITTEN, the kind of the atomics, and the number of the cluster plus 1 or
 * MANY. */
#define READ     0x00000000u
#define ATOMIC   0x40000000u
#define WRITTEN  0x80000000u
#define WAYS     0xc0000000u
#define MANY     EMU_CLAIM_MANY
#define CLUSTERS 0x03ffffffu
enum { KIND_SHIFT = 26 };
_Static_assert(CLUSTERS == MANY && EMU_CLAIM_KINDS <= 1 << (30 - KIND_SHIFT), "the parts of a mark");

/* Bytes before they were first written. */
struct emu_undo {
    unsigned char *at;
    uint32_t bytes;
};

bool emu_claims_make(struct emu *e)
{
    bool fine = true;

    for (size_t i = 0; i < e->region_count && fine; i++)
        if (!e->regions[i].heap) {
            e->regions[i].claims = calloc(e->regions[i].size / 4 + 1, sizeof(emu_claim));
            fine = e->regions[i].claims != NULL;
        }
    return fine;
}

void emu_claims_free(struct emu *e)
{
    for (size_t i = 0; i < e->region_count; i++) {
        free((void *)e->regions[i].claims);
        e->regions[i].claims = NULL;
    }
}

void emu_claims_begin(struct emu_run *run, struct emu_claimer *claimer, uint64_t number)
{
    run->claimer = claimer;
    run->claim_read = (uint32_t)number + 1;
    run->claim_written = run->claim_read | WRITTEN;
}

void emu_claimer_put_back(const struct emu_claimer *claimer)
{
    for (size_t i = claimer->count; i-- > 0;)
        memcpy(claimer->undo[i].at, &claimer->undo[i].bytes, sizeof claimer->undo[i].bytes);
}

void emu_claimer_free(struct emu_claimer *claimer)
{
    free(claimer->undo);
    *claimer = (struct emu_claimer){ 0 };
}

static bool keep_bytes(struct emu_claimer *c, unsigned char *at)
{
    struct emu_undo *undo = ck_room(c->undo, c->count, &c->room, 1024, sizeof *undo);

    if (!undo)
        return false;
    c->undo = undo;
    undo[c->count].at = at;
    memcpy(&undo[c->count].bytes, at, sizeof undo->bytes);
    c->count++;
    return true;
}

/* What the mark becomes when this cluster reads or writes, or does atomics of this kind (EMU_CLAIM_PLAIN: none); 0
 * where it may not. */
static uint32_t next_mark(const struct emu_run *run, uint32_t now, bool writes, enum emu_claim_kind kind)
{
    const uint32_t own = run->claim_read, way = now & WAYS;
    const bool mine = (now & CLUSTERS) == own, free = now == 0;

    if (kind != EMU_CLAIM_PLAIN) {
        const uint32_t atomic = ATOMIC | (uint32_t)kind << KIND_SHIFT;
        if (free)
            return atomic | own;
        if ((now & ~CLUSTERS) == atomic)
            return mine ? now : atomic | MANY;
        return mine ? run->claim_written
                    : 0; /* other accesses, or atomics of two kinds: they are this cluster's alone */
    }
    if (mine)
        return writes || way != READ ? run->claim_written : now;
    if (writes)
        return free ? run->claim_written : 0;
    if (free)
        return own;
    return way == READ ? READ | MANY : 0;
}

/* True if the bytes of a mark may be accessed. */
static bool claim(struct emu_run *run, emu_claim *mark, unsigned char *bytes, bool writes, enum emu_claim_kind kind)
{
    uint32_t now = atomic_load_explicit(mark, memory_order_relaxed);

    for (;;) {
        const uint32_t then = next_mark(run, now, writes, kind);
        if (!then)
            return false;
        if (then == now)
            return true;
        if (atomic_compare_exchange_weak_explicit(mark, &now, then, memory_order_relaxed, memory_order_relaxed)) {
            if ((then & (WAYS | CLUSTERS)) == (ATOMIC | MANY))
                atomic_store_explicit(run->claimer->atomics, true, memory_order_relaxed);
            return (then & WAYS) == READ || (now & WAYS) != READ || keep_bytes(run->claimer, bytes);
        }
    }
}

/* The cluster's round ends before this instruction, and goes on with it when its turn has come. */
static void park(struct emu_thread *t) __attribute__((noreturn));
static void park(struct emu_thread *t)
{
    t->pc--;
    t->steps--;
    longjmp(t->cta->cluster->fault, 1);
}

void emu_claim_bytes(struct emu_thread *t, struct emu_region *r, uint64_t address, uint64_t n, bool writes)
{
    struct emu_run *run = emu_run_of(t);
    struct emu *e = emu_machine_of(t);
    const enum emu_claim_kind kind = run->atomic;
    const uint64_t first = (address - r->at) / 4, last = (address - r->at + n - 1) / 4;
    bool fine = true, owned = true;

    run->atomic = EMU_CLAIM_PLAIN;
    if (!r->claims) {
        emu_claim_machine(t);
        return;
    }
    if (kind != EMU_CLAIM_PLAIN)
        pthread_mutex_lock(&e->lock); /* another cluster changes the bytes when they have been kept */
    for (uint64_t k = first; n && k <= last && fine; k++) {
        fine = claim(run, &r->claims[k], r->bytes + k * 4, writes, kind);
        owned &= r->claims[k] == run->claim_written;
    }
    if (kind != EMU_CLAIM_PLAIN)
        pthread_mutex_unlock(&e->lock);
    if (!fine)
        emu_claim_machine(t);
    if (kind == EMU_CLAIM_ORDERED && !owned && !run->granted)
        park(t);
}

void emu_claim_give_up(struct emu_run *run)
{
    if (run->claimer)
        atomic_store(run->claimer->given_up, true);
}

void emu_claim_machine(struct emu_thread *t)
{
    struct emu_run *run = emu_run_of(t);

    if (!run->claimer)
        return;
    emu_claim_give_up(run);
    run->end = EMU_FAULTED; /* for the scheduler: nobody will see it */
    longjmp(t->cta->cluster->fault, 1);
}
// SPDX-License-Identifier: Apache-2.0
