/* Threads that go round a loop without effect.
 *
 * A thread that comes back to the same place with the same registers and the same local memory, and has changed nothing
 * that others can see, will come back again and again until memory changes. So it rests until then. The place is one
 * that it jumped back to; since a loop may hold another one, it is kept for a time that doubles (Brent, An Improved
 * Monte Carlo Factorization Algorithm, 1980: the same for cycles of any length).
 *
 * A single thread may rest and yet be needed at a barrier by one that gets on. So a deadlock is found from all threads
 * of a cluster: at moments when none can go on, their states together are compared with those at an earlier such
 * moment. States are compared by 64-bit hashes. */
#include "harness/emu/schedule/around.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/append.h"
#include "harness/emu/machine/address.h"
#include "harness/emu/machine/reach.h"
#include "harness/emu/machine/spare.h"
#include "harness/emu/machine/sync.h"
#include "harness/emu/machine/timed.h"

/* Jumps back to other places after which a place to look at is given up, at first. */
enum { PATIENCE = 4 };

/* Steps without a jump back after which a thread has not been watched for a while, or its loop is long. Where it looks
 * at a clock and is to sleep when it has waited for long, it is soon seen to wait. One that only looks at a clock
 * mostly goes on by itself: it is seen late, so that its clock goes on meanwhile and need not jump. */
enum { UNSEEN = 256 };

/* Moments without a change of which each is looked at, and of how many later ones one is: hashing the registers of all
 * threads takes longer than a poll that counts. Cycles are found as before, at a multiple of their length. */
enum { OFTEN = 32, SELDOM = 8 };

/* ---- states ------------------------------------------------------------------------------------------------------ */

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

/* Mixes in so many bytes, a multiple of 32: four words at a time, none of which waits for another one. */
static uint64_t mix_many(uint64_t hash, const unsigned char *bytes, uint64_t n)
{
    uint64_t a = hash, b = hash + 1, c = hash + 2, d = hash + 3, words[4];

    for (; n; n -= sizeof words, bytes += sizeof words) {
        memcpy(words, bytes, sizeof words);
        a = mix(a, words[0]);
        b = mix(b, words[1]);
        c = mix(c, words[2]);
        d = mix(d, words[3]);
    }
    return mix(mix(mix(a, b), c), d);
}

static uint64_t mix_bytes(uint64_t hash, const unsigned char *bytes, uint64_t n)
{
    const uint64_t many = n & ~(uint64_t)31;
    uint64_t word;

    if (many)
        hash = mix_many(hash, bytes, many);
    bytes += many;
    n -= many;
    for (; n >= sizeof word; n -= sizeof word, bytes += sizeof word) {
        memcpy(&word, bytes, sizeof word);
        hash = mix(hash, word);
    }
    for (; n; n--)
        hash = mix(hash, *bytes++);
    return hash;
}

/* Mixes in so many slots, in four rows that do not wait for one another. */
static uint64_t mix_slots(uint64_t hash, const uint64_t *r, uint32_t n)
{
    uint64_t row[4] = { hash, hash + 1, hash + 2, hash + 3 };

    for (uint32_t i = 0; i < n; i++)
        row[i % 4] = mix(row[i % 4], r[i * EMU_WARP]);
    return mix(mix(mix(row[0], row[1]), row[2]), row[3]);
}

/* The registers of a frame; without those that hold what a clock said, where `timed` has them. */
static uint64_t mix_registers(uint64_t hash, const struct emu_frame *f, const unsigned char *timed)
{
    const struct emu_code *c = f->code;
    const uint32_t n = c->function->n_registers;

    if (!timed)
        return mix_slots(hash, f->r, c->first_special);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t end = i + 1 < n ? c->slot_of[i + 1] : c->first_special * EMU_WARP;
        for (uint32_t slot = c->slot_of[i]; slot < end && !timed[c->function->registers + i]; slot += EMU_WARP)
            hash = mix(hash, f->r[slot]);
    }
    return hash;
}

/* What decides what the thread does next beside the registers of its function and memory that it shares with others.
 * `memory`: local memory and parameters too. */
static uint64_t mix_beside(uint64_t hash, const struct emu_thread *t, const unsigned char *timed, bool memory)
{
    hash = mix(hash, t->carry);
    for (const struct emu_frame *f = t->frame; f; f = f->caller) {
        const struct ptx_function *g = f->code->function;
        hash = mix(hash, (uintptr_t)f->back);
        if (f != t->frame)
            hash = mix_registers(hash, f, timed);
        if (memory) {
            hash = mix_bytes(hash, f->params, g->param_bytes + g->return_bytes);
            hash = mix_bytes(hash, f->variables, f->code->frame_bytes);
        }
    }
    return memory && t->local && t->frame ? mix_bytes(hash, t->local, t->frame->local_top) : hash;
}

/* All that decides what the thread does next, except memory that it shares with others. */
static uint64_t state_of(const struct emu_thread *t, const struct emu_image *image, bool timeless)
{
    const unsigned char *timed = timeless ? image->timed : NULL;
    uint64_t hash = mix(t->index, (uintptr_t)t->pc);

    if (t->frame)
        hash = mix_registers(hash, t->frame, timed);
    return mix_beside(hash, t, timed, !timeless || !image->memory_timed);
}

/* ---- one thread -------------------------------------------------------------------------------------------------- */

/* Lanes of a warp mostly go round together, so that there is room for all of them at once. */
static size_t arounds_bytes(const struct emu_warp *w)
{
    return EMU_WARP * (sizeof *w->arounds + w->arounds_room * sizeof *w->arounds->registers);
}

/* Where there is room for registers of a lane, until its function has more. */
static uint64_t *first_room(const struct emu_warp *w, uint32_t lane)
{
    return (uint64_t *)(void *)(w->arounds + EMU_WARP) + (size_t)lane * w->arounds_room;
}

/* NULL: memory is short; what the thread does stays right without it. */
static struct emu_around *around_of(struct emu_thread *t)
{
    struct emu_warp *w = &t->cta->warps[t->warp];

    if (t->around)
        return t->around;
    if (!w->arounds) {
        w->arounds_room = t->frame ? t->frame->code->first_special + 1 : 1;
        w->arounds = emu_spare_take(t->cta->cluster->grid->spare, arounds_bytes(w));
        t->cta->extras = true;
    }
    if (!w->arounds)
        return NULL;
    t->around = &w->arounds[t->lane];
    memset(t->around, 0, offsetof(struct emu_around, looks)); /* look_count is 0 */
    t->around->registers = first_room(w, t->lane);
    t->around->room = w->arounds_room;
    return t->around;
}

void emu_arounds_free(struct emu_cta *cta)
{
    for (uint32_t i = 0; i < cta->thread_count; i++) {
        const struct emu_thread *t = &cta->threads[i];
        if (t->around && t->around->registers != first_room(&cta->warps[t->warp], t->lane))
            free(t->around->registers);
    }
    for (uint32_t i = 0; i < emu_warps_of(cta->thread_count); i++)
        if (cta->warps[i].arounds)
            emu_spare_give(cta->cluster->grid->spare, cta->warps[i].arounds, arounds_bytes(&cta->warps[i]));
}

/* Of all memory, but for what other clusters have written in this round. */
static uint64_t changes(const struct emu_thread *t)
{
    return emu_acts_counted(emu_run_of(t)) + t->cta->cluster->grid->wrote;
}

static void rest(struct emu_thread *t)
{
    t->polled = true;
    t->went_on = false;
    t->wait = EMU_WAIT_MEMORY;
    t->around->rested = t->steps;
    t->around->changes = changes(t);
    t->around->again = true;
    t->hashed &= t->around->hashed;
    emu_run_of(t)->resting = true;
}

/* Keeps the thread's registers; not at all where memory is short. */
static void keep(struct emu_thread *t, struct emu_around *a, struct emu_keeping *later)
{
    const uint32_t n = t->frame->code->first_special;

    a->at = NULL;
    if (n >= a->room) { /* room for one more, so that there is some where a function has no registers */
        const bool first = a->registers == first_room(&t->cta->warps[t->warp], t->lane);
        uint64_t *more = realloc(first ? NULL : a->registers, (n + 1) * sizeof *more);
        if (!more)
            return;
        a->registers = more;
        a->room = n + 1;
        t->since_kept.low = NULL;
    }
    emu_registers_keep_later(t, &t->since_kept, a->registers, later);
    a->known = a->hashed = false;
    a->at = t->pc;
    a->visits = a->astray = 0;
}

/* Whether the thread has the registers that were kept, and for the second time the same frames and local memory. */
static bool is_kept(struct emu_thread *t, struct emu_around *a)
{
    uint64_t now;
    bool again;

    if (emu_registers_changed(t, &t->since_kept, a->registers, &a->differed))
        return false;
    now = mix_beside(0, t, NULL, true);
    again = a->known && a->beside == now;
    a->hashed &= again;
    a->known = true;
    a->beside = now;
    return again;
}

/* The thread has jumped back to where it is now. */
static void come_back(struct emu_thread *t, struct emu_around *a, struct emu_keeping *later)
{
    if (t->steps - a->came > UNSEEN && t->frame->code->sleeps && emu_run_of(t)->clock_reads) {
        a->visits = 0; /* its clock has gone on, and stands from now on: what was kept says little */
        a->next = 1;
    }
    a->came = t->steps;
    if (a->again && a->changes != changes(t)) { /* what it sees now is new: it may come back to that soon */
        a->visits = 0;
        a->next = 1;
    }
    a->again = false;
    if (a->at == t->pc)
        a->astray = 0;
    if (a->at != t->pc) {
        if (a->at && ++a->astray <= a->patience)
            return;
        a->patience = a->at ? a->patience * 2 : PATIENCE;
        a->next = 1;
        keep(t, a, later);
    } else if (is_kept(t, a)) {
        rest(t);
    } else if (++a->visits == a->next) {
        a->next *= 2;
        keep(t, a, later);
    }
}

static void note_line(struct emu_around *a, const struct emu_op *op)
{
    const uint32_t line = op->source ? op->source->line : 0;

    if (!line)
        return;
    a->first_line = a->first_line && a->first_line < line ? a->first_line : line;
    a->last_line = a->last_line > line ? a->last_line : line;
}

/* Notes what a load or an atomic is about to look at, except what only the thread itself can change. */
static void look(struct emu_thread *t, const struct emu_op *op)
{
    const uint16_t what = op->source ? op->source->op : 0;
    struct emu_cta *cta = NULL;
    uint64_t address;

    if ((what != OP_ld && what != OP_ldu && what != OP_atom) ||
        (op->space != PTX_global && op->space != PTX_none && emu_window_of(op->space) != EMU_SHARED_WINDOW))
        return;
    address = emu_sync_object(t, op);
    if (!emu_is_global(address)) {
        cta = emu_sync_cta(t->cta->cluster, address, &address);
        if (!cta)
            return; /* of another window; or no CTA has it, and the instruction itself finds fault with it */
    }
    emu_look_at(t, op->source, cta, address, op->size * op->vector);
}

bool emu_around_ready(struct emu_thread *t)
{
    return around_of(t) != NULL;
}

void emu_around_back(struct emu_thread *t, struct emu_keeping *later)
{
    come_back(t, t->around, later);
}

/* Behind an instruction: forgets the place where the thread has had an effect, or looks whether it is there again. */
static void look_back(struct emu_thread *t, struct emu_around *a, const struct emu_op *op, uint64_t acts)
{
    if (emu_acts(emu_run_of(t), t) != acts) {
        emu_around_acted(t);
    } else if (t->pc <= op && t->state == EMU_READY && !t->polled) {
        struct emu_keeping one;
        one.count = 0;
        come_back(t, a, &one);
        emu_registers_kept(&one);
    }
}

void emu_around_step(struct emu_thread *t, const struct emu_op *op, bool runs)
{
    struct emu_run *run = emu_run_of(t);
    struct emu_around *a = around_of(t);
    const uint64_t acts = emu_acts(run, t);

    if (a && run->observed) {
        note_line(a, op);
        if (runs)
            look(t, op);
    }
    if (runs)
        op->run(t, op);
    t->still++; /* behind it: a cluster that is parked there has not executed it */
    if (a)
        look_back(t, a, op, acts);
}

bool emu_around_turn(struct emu_thread *t, uint64_t end)
{
    struct emu_around *a = around_of(t);
    uint64_t acts = emu_acts(emu_run_of(t), t);

    if (t->ahead_acts)
        acts = UINT64_MAX; /* before what it has done already */
    while (a && t->steps < end && t->state == EMU_READY && !t->polled) {
        const struct emu_op *op = t->pc;
        t->pc++;
        t->steps++;
        if (op->guard == EMU_NO || (t->r[op->guard] != 0) != op->guard_not)
            op->run(t, op);
        t->still++;
        if (t->pc > op && t->steps < end)
            continue;
        look_back(t, a, op, acts);
        acts = emu_acts(emu_run_of(t), t);
    }
    return a != NULL;
}

/* ---- all threads of a cluster ------------------------------------------------------------------------------------ */

static uint64_t state_of_barriers(const struct emu_cta *cta, uint64_t hash)
{
    for (unsigned i = 0; cta->barriers && i < EMU_BARRIERS; i++) {
        hash = mix(hash, cta->barriers[i].arrived);
        hash = mix(hash, cta->barriers[i].value);
    }
    return hash;
}

static void hash_thread(struct emu_thread *t, const struct emu_image *image, bool clocks)
{
    if (t->hashed && t->hashed_at == t->pc)
        return;
    t->hashes[0] = state_of(t, image, false);
    t->hashes[1] = clocks ? state_of(t, image, true) : t->hashes[0];
    t->hashed = true;
    t->hashed_at = t->pc;
    if (t->around)
        t->around->hashed = t->polled && t->wait == EMU_WAIT_MEMORY && t->around->known;
}

/* The same of its first thread that has not exited: mostly it differs where anything does. */
static void hash_first(struct emu_cluster *c, bool clocks, uint64_t hashes[2])
{
    hashes[0] = hashes[1] = clocks;
    for (uint32_t i = 0; i < c->cta_count; i++)
        for (uint32_t k = 0; k < c->ctas[i].thread_count; k++) {
            struct emu_thread *t = &c->ctas[i].threads[k];
            if (t->state == EMU_EXITED)
                continue;
            hash_thread(t, c->run->image, clocks);
            for (int h = 0; h < 2; h++)
                hashes[h] = mix(hashes[h], t->hashes[h]);
            return;
        }
}

static void hash_cluster(struct emu_cluster *c, bool clocks, uint64_t hashes[2])
{
    hashes[0] = hashes[1] = clocks;
    for (uint32_t i = 0; i < c->cta_count; i++) {
        hashes[0] = state_of_barriers(&c->ctas[i], hashes[0]);
        hashes[1] = state_of_barriers(&c->ctas[i], hashes[1]);
        for (uint32_t k = 0; k < c->ctas[i].thread_count; k++) {
            struct emu_thread *t = &c->ctas[i].threads[k];
            const uint64_t at = t->at_barrier << 3 | (uint64_t)(t->barrier_generation != 0) << 2 | t->state;
            if (t->state != EMU_EXITED)
                hash_thread(t, c->run->image, clocks);
            for (int h = 0; h < 2; h++)
                hashes[h] = mix(mix(hashes[h], at), t->state == EMU_EXITED ? 0 : t->hashes[h]);
        }
    }
}

void emu_around_compare(struct emu_cluster *c)
{
    struct emu_run *run = c->run;
    struct emu_repeat *r = &run->repeat;
    const uint64_t acts = emu_acts_counted(run) + c->grid->wrote;
    uint64_t hashes[2], first[2];
    bool clocks;

    if (r->acts != acts || !r->moments) { /* something has changed: states are looked at from the next moment on */
        *r = (struct emu_repeat){ .acts = acts, .moments = 1 };
        return;
    }
    if (++r->seen > OFTEN && r->seen % SELDOM)
        return;
    clocks = run->clock_reads && emu_timed_prepare(run->image);
    hash_first(c, clocks, first);
    if (r->next && r->first[0] != first[0] && r->first[1] != first[1] && r->moments < r->next) {
        r->moments++;
        return;
    }
    hash_cluster(c, clocks, hashes);
    if (r->next && (r->all == hashes[0] || r->timeless == hashes[1])) {
        r->by_time = run->clock_reads != r->clock_reads;
        r->found = true;
        return;
    }
    if (++r->moments <= r->next)
        return;
    *r = (struct emu_repeat){ .all = hashes[0],
                              .timeless = hashes[1],
                              .first = { first[0], first[1] },
                              .acts = acts,
                              .clock_reads = run->clock_reads,
                              .moments = 1,
                              .next = r->next ? r->next * 2 : 1,
                              .seen = r->seen };
}

void emu_around_observe(struct emu_cluster *c)
{
    c->run->observed = true;
    for (uint32_t i = 0; i < c->cta_count; i++)
        for (uint32_t k = 0; k < c->ctas[i].thread_count; k++) {
            struct emu_around *a = around_of(&c->ctas[i].threads[k]);
            if (a)
                *a = (struct emu_around){ .registers = a->registers, .room = a->room };
        }
}

/* An mbarrier that it polls says more than memory that it reads as well. */
static void choose(struct emu_thread *t, struct emu_around *a)
{
    for (unsigned i = 0; i < a->look_count; i++) {
        const struct emu_look *l = &a->looks[i];
        const bool polls = l->at->op == OP_mbarrier_test_wait || l->at->op == OP_mbarrier_try_wait;
        if (polls || !a->waits_at || t->wait != EMU_WAIT_MBARRIER) {
            a->waits_at = l;
            t->wait = polls ? EMU_WAIT_MBARRIER : EMU_WAIT_MEMORY;
            t->wait_a = l->address;
            t->wait_b = a->phase;
        }
    }
}

void emu_around_observed(struct emu_cluster *c)
{
    for (uint32_t i = 0; i < c->cta_count; i++)
        for (uint32_t k = 0; k < c->ctas[i].thread_count; k++) {
            struct emu_thread *t = &c->ctas[i].threads[k];
            if (t->around && (t->polled || (t->state == EMU_BLOCKED && t->wait == EMU_WAIT_SLEEP)))
                choose(t, t->around);
        }
}

void emu_around_words(const struct emu_cluster *c, char *out, size_t size)
{
    const struct emu_thread *first = NULL;
    uint32_t more = 0;

    for (uint32_t i = 0; i < c->cta_count; i++)
        for (uint32_t k = 0; k < c->ctas[i].thread_count; k++) {
            const struct emu_thread *t = &c->ctas[i].threads[k];
            if (t->state == EMU_EXITED || !t->around || !t->around->first_line)
                continue;
            if (t->state == EMU_BLOCKED && t->around->first_line == t->around->last_line)
                continue; /* it waits there */
            more += first != NULL;
            first = first ? first : t;
        }
    *out = '\0';
    if (!first)
        return;
    ck_append(out, size, "thread %u,%u,%u of CTA %u,%u,%u", first->tid[0], first->tid[1], first->tid[2],
              first->cta->ctaid[0], first->cta->ctaid[1], first->cta->ctaid[2]);
    if (more)
        ck_append(out, size, " and %u more go round at ", more);
    else
        ck_append(out, size, " goes round at ");
    if (first->around->first_line == first->around->last_line)
        ck_append(out, size, "line %u", first->around->first_line);
    else
        ck_append(out, size, "lines %u to %u", first->around->first_line, first->around->last_line);
}
// SPDX-License-Identifier: Apache-2.0
