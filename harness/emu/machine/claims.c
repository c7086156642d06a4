/* Claims on global memory, by clusters that run on several host threads.
 *
 * Each four bytes of global memory belong to the cluster that writes them first, or to those that only read them (an
 * atomic counts as a write). A cluster that finds bytes taken gives the whole run up, before it accesses them. So no
 * two host threads ever access the same bytes unless all read, and marks need no order among them. */
#include "harness/emu/machine/claims.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/room.h"
#include "harness/emu/machine/thread.h"

/* A mark: 0 untouched, SHARED read by several clusters, else number of the cluster plus 1, WRITTEN or only read. */
#define WRITTEN 0x80000000u
#define SHARED  0x7fffffffu

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

/* True if the bytes of a mark may be accessed. */
static bool claim(struct emu_run *run, emu_claim *mark, unsigned char *bytes, bool writes)
{
    uint32_t now = atomic_load_explicit(mark, memory_order_relaxed);

    for (;;) {
        uint32_t then;
        if (now == run->claim_written || (!writes && (now == run->claim_read || now == SHARED)))
            return true;
        if (writes)
            then = now == 0 || now == run->claim_read ? run->claim_written : 0;
        else
            then = now == 0 ? run->claim_read : now & WRITTEN ? 0 : SHARED;
        if (!then)
            return false;
        if (atomic_compare_exchange_weak_explicit(mark, &now, then, memory_order_relaxed, memory_order_relaxed))
            return !writes || keep_bytes(run->claimer, bytes);
    }
}

void emu_claim_bytes(struct emu_thread *t, struct emu_region *r, uint64_t address, uint64_t n, bool writes)
{
    struct emu_run *run = emu_run_of(t);
    const uint64_t first = (address - r->at) / 4, last = (address - r->at + n - 1) / 4;

    if (!r->claims)
        emu_claim_machine(t);
    for (uint64_t k = first; n && k <= last; k++)
        if (!claim(run, &r->claims[k], r->bytes + k * 4, writes))
            emu_claim_machine(t);
}

void emu_claim_machine(struct emu_thread *t)
{
    struct emu_run *run = emu_run_of(t);

    if (!run->claimer)
        return;
    atomic_store(run->claimer->given_up, true);
    run->end = EMU_FAULTED; /* for the scheduler: nobody will see it */
    longjmp(t->cta->cluster->fault, 1);
}
