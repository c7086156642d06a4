/* Claims on global memory, by clusters that run ahead of their turns.
 *
 * Each byte of global memory belongs to the cluster that writes it first, or to those that only read it, or to those
 * that only change it by atomics of one kind. A cluster that finds bytes taken gives the whole run up, before it
 * accesses them. So no two host threads ever access the same bytes unless all read, or all hold the machine's lock,
 * and marks need no order among them.
 *
 * A warp mostly accesses 128 bytes in a row. Their marks are one, as long as clusters access all of them alike; it is
 * split into those of each four bytes by the first that accesses fewer. The mark of four bytes says which of them the
 * cluster has accessed, and is split into those of each byte by another one that accesses others of them. What the
 * cluster has only read of four bytes that it writes into counts as written.
 *
 * Integer sums and their like whose result nobody uses come to the same bytes in any order: they are done at once. All
 * other atomics wait for their cluster's turn, so that they happen in the order of turns. */
#include "harness/emu/machine/claims.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/room.h"
#include "harness/emu/machine/thread.h"

#define CELLS EMU_CLAIM_CELLS
#define LINE  ((uint64_t)CELLS * EMU_CLAIM_CELL)

/* A mark: 0 untouched; else READ, ATOMIC or WRITTEN, the number of the cluster plus 1 or MANY, and between them the
 * kind of the atomics or, of READ and WRITTEN, which of the four bytes were not accessed: none, where several have
 * read. */
#define READ     0x00000000u
#define ATOMIC   0x40000000u
#define WRITTEN  0x80000000u
#define WAYS     0xc0000000u
#define MANY     EMU_CLAIM_MANY
#define PARTS    EMU_CLAIM_PARTS
#define CLUSTERS 0x03ffffffu
enum { KIND_SHIFT = EMU_CLAIM_PARTS_SHIFT };
_Static_assert(CLUSTERS == MANY && EMU_CLAIM_KINDS <= 1 << (30 - KIND_SHIFT), "the parts of a mark");
_Static_assert(PARTS == 0xfu << KIND_SHIFT && !(PARTS & (CLUSTERS | WAYS)), "the parts of a mark");

/* Bytes before they were first written: runs of words that lie one behind the other in memory, each run with a foot of
 * FOOT words behind it, which says where it lies and how many words it has. Of words that were all 0, as in memory that
 * is new, there is the foot alone. So a grid that writes all of its memory takes little for new memory, and as much
 * again for other memory. Of four bytes that several clusters may write, each keeps its own: a foot with their bits in
 * place of the number, and one word. Each byte is kept once: their order does not matter. */
struct emu_undo {
    uint32_t word;
};
enum { FOOT = 3, WORD = EMU_CLAIM_CELL };
#define ZEROS 0x80000000u /* in the second word of a foot: above all addresses */
#define SOME  0x40000000u

static bool are_zeros(const struct emu_undo *foot)
{
    return foot[1].word & ZEROS;
}

static bool are_some(const struct emu_undo *foot)
{
    return foot[1].word & SOME;
}

static unsigned char *foot_place(const struct emu_undo *foot)
{
    return (unsigned char *)(uintptr_t)((uint64_t)(foot[1].word & ~(ZEROS | SOME)) << 32 | foot[0].word);
}

static void set_foot(struct emu_undo *foot, const unsigned char *place, uint32_t n, uint32_t how)
{
    foot[0].word = (uint32_t)(uintptr_t)place;
    foot[1].word = (uint32_t)((uint64_t)(uintptr_t)place >> 32) | how;
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
            claims->bytes = calloc(lines, sizeof *claims->bytes);
            fine = claims->lines && claims->cells && claims->bytes;
        }
    return fine;
}

void emu_claims_free(struct emu *e)
{
    for (size_t i = 0; i < e->region_count; i++) {
        free((void *)e->regions[i].claims.cells);
        free((void *)e->regions[i].claims.lines);
        free((void *)e->regions[i].claims.bytes);
        e->regions[i].claims = (struct emu_claims){ NULL, NULL, NULL };
    }
    for (struct emu_claim_bytes *b = atomic_exchange(&e->claim_bytes, NULL), *next; b; b = next) {
        next = b->next;
        free(b);
    }
}

void emu_claims_begin(struct emu_run *run, struct emu_claimer *claimer, uint64_t number)
{
    run->claimer = claimer;
    run->claim_read = (uint32_t)number + 1;
    run->claim_written = run->claim_read | WRITTEN;
}

/* The bytes of a word that the bits say. */
static void copy_some(unsigned char *to, const unsigned char *from, uint32_t bits)
{
    for (unsigned i = 0; i < WORD; i++)
        if (bits >> i & 1)
            to[i] = from[i];
}

void emu_claimer_put_back(const struct emu_claimer *claimer)
{
    for (size_t end = claimer->count; end > 0;) {
        const struct emu_undo *foot = &claimer->undo[end - FOOT];
        const size_t n = foot[2].word, words = are_some(foot) ? 1 : are_zeros(foot) ? 0 : n;
        if (are_some(foot))
            copy_some(foot_place(foot), (const unsigned char *)&foot[-1].word, foot[2].word);
        else if (words)
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
    const bool goes_on = last && !are_some(last) && last[2].word < UINT32_MAX - words && (!are_zeros(last) || none) &&
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
    set_foot(end, place, n + words, zeros ? ZEROS : 0);
    c->count = (size_t)(end - undo) + FOOT;
    return true;
}

/* Keeps those bytes of a word that the bits say. */
static bool keep_some(struct emu_claimer *c, const unsigned char *at, uint32_t bits)
{
    struct emu_undo *undo = ck_room(c->undo, c->count + 1 + FOOT, &c->room, 1024, sizeof *undo);

    if (!undo)
        return false;
    c->undo = undo;
    copy_some((unsigned char *)&undo[c->count].word, at, bits);
    set_foot(&undo[c->count + 1], at, bits, SOME);
    c->count += 1 + FOOT;
    return true;
}

/* An access as a mark sees it. */
struct way {
    bool writes;
    enum emu_claim_kind kind;
    uint32_t parts; /* which of the mark's bytes */
};

/* What the mark becomes when this cluster reads or writes, or does atomics of this kind (EMU_CLAIM_PLAIN: none); 0
 * where it may not; SPLIT where it accesses none of the bytes that another one has. */
static uint32_t next_mark(const struct emu_run *run, uint32_t now, struct way how)
{
    const uint32_t own = run->claim_read, way = now & WAYS;
    const uint32_t others = way == ATOMIC ? 0 : now & PARTS; /* that were not accessed */
    const bool mine = (now & CLUSTERS) == own, free = now == 0;

    if (!mine && (others & how.parts) == how.parts)
        return EMU_CLAIM_SPLIT;
    if (how.kind != EMU_CLAIM_PLAIN) {
        const uint32_t atomic = ATOMIC | (uint32_t)how.kind << KIND_SHIFT;
        if (free)
            return atomic | own;
        if ((now & ~CLUSTERS) == atomic)
            return mine ? now : atomic | MANY;
        if (!mine) /* other accesses, or atomics of two kinds: they are one cluster's alone */
            return 0;
    }
    if (mine)
        return (how.writes || how.kind != EMU_CLAIM_PLAIN || way != READ ? run->claim_written : own) |
               (others & ~how.parts);
    if (how.writes)
        return free ? run->claim_written | (PARTS & ~how.parts) : 0;
    if (free)
        return own | (PARTS & ~how.parts);
    return way == READ ? READ | MANY : 0;
}

/* Which of a mark's bytes its cluster may write. */
static uint32_t writable(uint32_t mark)
{
    return (mark & WAYS) == READ ? 0 : (mark & WAYS) == ATOMIC ? PARTS : PARTS & ~mark;
}

/* The marks of a line's bytes; NULL: no memory. */
static struct emu_claim_bytes *bytes_of(struct emu *e, const struct emu_claims *claims, uint64_t line)
{
    struct emu_claim_bytes *there = claims->bytes[line], *made;

    if (there)
        return there;
    made = calloc(1, sizeof *made);
    if (!made || !atomic_compare_exchange_strong(&claims->bytes[line], &there, made)) {
        free(made);
        return there;
    }
    made->next = e->claim_bytes;
    while (!atomic_compare_exchange_weak(&e->claim_bytes, &made->next, made))
        ;
    return made;
}

/* The mark of four bytes is split into those of each, unless another host thread has changed it. False where memory is
 * short. */
static bool split_cell(struct emu *e, const struct emu_claims *claims, uint64_t cell, uint32_t now)
{
    const uint32_t others = now & PARTS; /* it is no atomic's */
    struct emu_claim_bytes *bytes = bytes_of(e, claims, cell / CELLS);

    if (!bytes)
        return false;
    if (!atomic_compare_exchange_strong(&claims->cells[cell], &now, EMU_CLAIM_BUSY))
        return true;
    for (unsigned i = 0; i < WORD; i++)
        if (!(others >> KIND_SHIFT >> i & 1))
            atomic_store_explicit(&bytes->marks[cell % CELLS * WORD + i], now & ~PARTS, memory_order_relaxed);
    atomic_store_explicit(&claims->cells[cell], EMU_CLAIM_SPLIT, memory_order_release);
    return true;
}

enum mark_claim { MARK_TAKEN, MARK_CLAIMED, MARK_SPLIT };

/* Claims bytes of one mark; not where its claims are to be split, or are. */
static enum mark_claim claim(struct emu_run *run, emu_claim *mark, unsigned char *bytes, struct way how)
{
    uint32_t now = atomic_load_explicit(mark, memory_order_acquire);

    for (;;) {
        if (now == EMU_CLAIM_BUSY) {
            now = atomic_load_explicit(mark, memory_order_acquire); /* not for long */
            continue;
        }
        const uint32_t then = now == EMU_CLAIM_SPLIT ? now : next_mark(run, now, how);
        if (!then)
            return MARK_TAKEN;
        if (then == EMU_CLAIM_SPLIT)
            return MARK_SPLIT;
        if (then == now)
            return MARK_CLAIMED;
        if (atomic_compare_exchange_weak_explicit(mark, &now, then, memory_order_acquire, memory_order_acquire)) {
            const uint32_t more = writable(then) & ~writable(now);
            if ((then & (WAYS | CLUSTERS)) == (ATOMIC | MANY))
                atomic_store_explicit(run->claimer->atomics, true, memory_order_relaxed);
            return !more || (more == PARTS ? keep(run->claimer, bytes, 1)
                                           : keep_some(run->claimer, bytes, more >> KIND_SHIFT))
                       ? MARK_CLAIMED
                       : MARK_TAKEN;
        }
    }
}

/* Claims bytes of four, each by its own mark: with those of other clusters beside it, an atomic is a write. */
static bool claim_apart(struct emu_run *run, struct emu_claim_bytes *all, uint64_t cell, unsigned char *bytes,
                        struct way how)
{
    const struct way one = { how.writes || how.kind != EMU_CLAIM_PLAIN, EMU_CLAIM_PLAIN, PARTS };

    for (unsigned i = 0; i < WORD; i++) {
        emu_claim *mark = &all->marks[cell % CELLS * WORD + i];
        uint32_t now = *mark, then;
        if (!(how.parts >> KIND_SHIFT >> i & 1))
            continue;
        do {
            then = next_mark(run, now, one);
            if (!then)
                return false;
        } while (!atomic_compare_exchange_weak(mark, &now, then));
        if (writable(then) & ~writable(now) && !keep_some(run->claimer, bytes, 1u << i))
            return false;
    }
    return true;
}

/* Claims bytes of four. */
static bool claim_cell(struct emu *e, struct emu_run *run, const struct emu_region *r, uint64_t cell, struct way how)
{
    unsigned char *bytes = r->bytes + cell * WORD;

    for (;;) {
        const enum mark_claim done = claim(run, &r->claims.cells[cell], bytes, how);
        if (done != MARK_SPLIT)
            return done == MARK_CLAIMED;
        const uint32_t now = atomic_load_explicit(&r->claims.cells[cell], memory_order_acquire);
        if (now == EMU_CLAIM_SPLIT)
            return claim_apart(run, r->claims.bytes[cell / CELLS], cell, bytes, how);
        if (now != EMU_CLAIM_BUSY && next_mark(run, now, how) == EMU_CLAIM_SPLIT &&
            !split_cell(e, &r->claims, cell, now))
            return false;
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

/* Claims all of a line, or, where its one mark does not do for some of it, splits that. */
static enum mark_claim claim_line(struct emu_run *run, const struct emu_claims *claims, uint64_t line,
                                  unsigned char *bytes, struct way how, bool whole)
{
    emu_claim *mark = &claims->lines[line];

    for (;;) {
        uint32_t now = atomic_load_explicit(mark, memory_order_acquire), then;
        if (now == EMU_CLAIM_SPLIT)
            return MARK_SPLIT;
        if (now == EMU_CLAIM_BUSY)
            continue; /* not for long */
        then = next_mark(run, now, how);
        if (!then)
            return MARK_TAKEN;
        if (then == now)
            return MARK_CLAIMED;
        if (!whole) {
            if (split(claims, line, now))
                return MARK_SPLIT;
        } else if (atomic_compare_exchange_strong_explicit(mark, &now, then, memory_order_relaxed,
                                                           memory_order_relaxed)) {
            return (then & WAYS) == READ || (now & WAYS) != READ || keep(run->claimer, bytes, CELLS) ? MARK_CLAIMED
                                                                                                     : MARK_TAKEN;
        }
    }
}

/* Claims some bytes of a line. False where another cluster has them. owned: cleared unless all of them are now this
 * cluster's to write. */
static bool claim_some(struct emu_thread *t, const struct emu_region *r, uint64_t offset, uint64_t end, struct way how,
                       bool *owned)
{
    struct emu_run *run = emu_run_of(t);
    const uint64_t line = offset / LINE, first = offset / WORD, last = (end - 1) / WORD;
    const bool whole = end - offset == LINE && how.kind == EMU_CLAIM_PLAIN;
    const enum mark_claim done = claim_line(run, &r->claims, line, r->bytes + first * WORD, how, whole);
    bool fine = done != MARK_TAKEN;

    if (done != MARK_SPLIT) {
        *owned &= r->claims.lines[line] == run->claim_written;
        return fine;
    }
    for (uint64_t k = first; k <= last && fine; k++) {
        how.parts = emu_claim_parts(k, offset, end);
        fine = claim_cell(emu_machine_of(t), run, r, k, how);
        *owned &= (r->claims.cells[k] & ~PARTS) == run->claim_written || r->claims.cells[k] == EMU_CLAIM_SPLIT;
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
    const uint64_t end = address - r->at + n;
    bool fine = true, owned = true;

    run->atomic = EMU_CLAIM_PLAIN;
    if (!r->claims.lines) {
        emu_claim_machine(t);
        return;
    }
    if (kind != EMU_CLAIM_PLAIN)
        pthread_mutex_lock(&e->lock); /* another cluster changes the bytes when they have been kept */
    for (uint64_t at = address - r->at, next; at < end && fine; at = next) {
        next = (at / LINE + 1) * LINE < end ? (at / LINE + 1) * LINE : end;
        fine = claim_some(t, r, at, next, (struct way){ writes, kind, PARTS }, &owned);
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
