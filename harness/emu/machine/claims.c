/* Claims on global memory, by clusters that run ahead of their turns.
 *
 * Each four bytes of global memory belong to the cluster that writes them first, or to those that only read them, or to
 * those that only change them by atomics of one kind. A cluster that finds bytes taken gives the whole run up, before
 * it accesses them. So no two host threads ever access the same bytes unless all read, or all hold the machine's lock,
 * and marks need no order among them.
 *
 * A warp mostly accesses 128 bytes in a row. Their marks are one, as long as clusters access all of them alike; it is
 * split into those of each four bytes by the first that accesses fewer.
 *
 * Integer sums and their like whose result nobody uses come to the same bytes in any order: they are done at once. All
 * other atomics wait for their cluster's turn, so that they happen in the order of turns. */
#include "harness/emu/machine/claims.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/room.h"
#include "harness/emu/machine/thread.h"

#define CELLS EMU_CLAIM_CELLS

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

/* Bytes before they were first written: runs of words that lie one behind the other in memory, each run with a foot of
 * FOOT words behind it, which says where it lies and how many words it has. Of words that were all 0, as in memory that
 * is new, there is the foot alone. So a grid that writes all of its memory takes little for new memory, and as much
 * again for other memory. Each word is kept once: their order does not matter. */
struct emu_undo {
    uint32_t word;
};
enum { FOOT = 3, WORD = 4 };
#define ZEROS 0x80000000u /* in the second word of a foot: above all addresses */

static bool are_zeros(const struct emu_undo *foot)
{
    return foot[1].word & ZEROS;
}

static unsigned char *foot_place(const struct emu_undo *foot)
{
    return (unsigned char *)(uintptr_t)((uint64_t)(foot[1].word & ~ZEROS) << 32 | foot[0].word);
}

static void set_foot(struct emu_undo *foot, const unsigned char *place, uint32_t n, bool zeros)
{
    foot[0].word = (uint32_t)(uintptr_t)place;
    foot[1].word = (uint32_t)((uint64_t)(uintptr_t)place >> 32) | (zeros ? ZEROS : 0);
    foot[2].word = n;
}

bool emu_claims_make(struct emu *e)
{
    bool fine = true;

    for (size_t i = 0; i < e->region_count && fine; i++)
        if (!e->regions[i].heap) {
            struct emu_claims *claims = &e->regions[i].claims;
            const uint64_t lines = e->regions[i].size / (CELLS * 4) + 1;
            claims->lines = calloc(lines, sizeof(emu_claim));
            claims->cells = calloc(lines * CELLS, sizeof(emu_claim));
            fine = claims->lines && claims->cells;
        }
    return fine;
}

void emu_claims_free(struct emu *e)
{
    for (size_t i = 0; i < e->region_count; i++) {
        free((void *)e->regions[i].claims.cells);
        free((void *)e->regions[i].claims.lines);
        e->regions[i].claims = (struct emu_claims){ NULL, NULL };
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
    for (size_t end = claimer->count; end > 0;) {
        const struct emu_undo *foot = &claimer->undo[end - FOOT];
        const size_t n = foot[2].word, words = are_zeros(foot) ? 0 : n;
        if (words)
            memcpy(foot_place(foot), foot - words, words * WORD);
        else
            memset(foot_place(foot), 0, n * WORD);
        end -= words + FOOT;
    }
}

void emu_claimer_free(struct emu_claimer *claimer)
{
    free(claimer->undo);
    *claimer = (struct emu_claimer){ 0 };
}

static bool all_zeros(const unsigned char *at, uint32_t words)
{
    uint32_t word, any = 0;

    for (uint32_t i = 0; i < words; i++) {
        memcpy(&word, at + i * WORD, WORD);
        any |= word;
    }
    return !any;
}

/* Keeps words that the cluster is about to write. */
static bool keep(struct emu_claimer *c, unsigned char *at, uint32_t words)
{
    struct emu_undo *undo = ck_room(c->undo, c->count + words + FOOT, &c->room, 1024, sizeof *undo);

    if (!undo)
        return false;
    const bool none = all_zeros(at, words);
    const struct emu_undo *last = c->count ? undo + c->count - FOOT : NULL;
    const bool goes_on = last && last[2].word < UINT32_MAX - words && (!are_zeros(last) || none) &&
                         foot_place(last) + (size_t)last[2].word * WORD == at;
    const unsigned char *place = goes_on ? foot_place(last) : at;
    const uint32_t n = goes_on ? last[2].word : 0;
    const bool zeros = goes_on ? are_zeros(last) : none;
    struct emu_undo *end = undo + c->count - (goes_on ? FOOT : 0);

    c->undo = undo;
    if (!zeros) {
        memcpy(end, at, words * WORD);
        end += words;
    }
    set_foot(end, place, n + words, zeros);
    c->count = (size_t)(end - undo) + FOOT;
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
            return (then & WAYS) == READ || (now & WAYS) != READ || keep(run->claimer, bytes, 1);
        }
    }
}

/* A mark of a line is split into those of its cells, unless another host thread has changed it: then false. */
static bool split(const struct emu_claims *claims, uint64_t line, uint32_t now)
{
    const uint32_t busy = now ? EMU_CLAIM_BUSY : EMU_CLAIM_SPLIT;

    if (!atomic_compare_exchange_strong_explicit(&claims->lines[line], &now, busy, memory_order_relaxed,
                                                 memory_order_relaxed))
        return false;
    if (!now) /* and so are the cells */
        return true;
    for (unsigned i = 0; i < CELLS; i++)
        atomic_store_explicit(&claims->cells[line * CELLS + i], now, memory_order_relaxed);
    atomic_store_explicit(&claims->lines[line], EMU_CLAIM_SPLIT, memory_order_release);
    return true;
}

enum line_claim { LINE_TAKEN, LINE_CLAIMED, LINE_SPLIT };

/* Claims all of a line, or, where its one mark does not do for some of it, splits that. */
static enum line_claim claim_line(struct emu_run *run, const struct emu_claims *claims, uint64_t line,
                                  unsigned char *bytes, bool writes, enum emu_claim_kind kind, bool whole)
{
    emu_claim *mark = &claims->lines[line];

    for (;;) {
        uint32_t now = atomic_load_explicit(mark, memory_order_acquire), then;
        if (now == EMU_CLAIM_SPLIT)
            return LINE_SPLIT;
        if (now == EMU_CLAIM_BUSY)
            continue; /* not for long */
        then = next_mark(run, now, writes, kind);
        if (!then)
            return LINE_TAKEN;
        if (then == now)
            return LINE_CLAIMED;
        if (!whole) {
            if (split(claims, line, now))
                return LINE_SPLIT;
        } else if (atomic_compare_exchange_strong_explicit(mark, &now, then, memory_order_relaxed,
                                                           memory_order_relaxed)) {
            return (then & WAYS) == READ || (now & WAYS) != READ || keep(run->claimer, bytes, CELLS) ? LINE_CLAIMED
                                                                                                     : LINE_TAKEN;
        }
    }
}

/* Claims some cells of a line. False where another cluster has them. owned: cleared unless all of them are now this
 * cluster's to write. */
static bool claim_cells(struct emu_run *run, const struct emu_region *r, uint64_t first, uint64_t last, bool writes,
                        enum emu_claim_kind kind, bool *owned)
{
    const uint64_t line = first / CELLS;
    const bool whole = last - first == CELLS - 1 && kind == EMU_CLAIM_PLAIN;
    const enum line_claim how = claim_line(run, &r->claims, line, r->bytes + first * 4, writes, kind, whole);
    bool fine = how != LINE_TAKEN;

    if (how != LINE_SPLIT) {
        *owned &= r->claims.lines[line] == run->claim_written;
        return fine;
    }
    for (uint64_t k = first; k <= last && fine; k++) {
        fine = claim(run, &r->claims.cells[k], r->bytes + k * 4, writes, kind);
        *owned &= r->claims.cells[k] == run->claim_written;
    }
    return fine;
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
    if (!r->claims.lines) {
        emu_claim_machine(t);
        return;
    }
    if (kind != EMU_CLAIM_PLAIN)
        pthread_mutex_lock(&e->lock); /* another cluster changes the bytes when they have been kept */
    for (uint64_t k = first, next; n && k <= last && fine; k = next) {
        next = (k / CELLS + 1) * CELLS;
        fine = claim_cells(run, r, k, next - 1 < last ? next - 1 : last, writes, kind, &owned);
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
