/* The model: threads, memory, accesses and their order. Flags, barriers and copies are in model_sync.c. */
#include "tools/sync_fuzz/model_state.h"

#include <stdlib.h>
#include <string.h>

#include "expected/random.h"
#include "harness/base/bad.h"
#include "tools/sync_fuzz/emit.h"

const char *const flaw_names[FLAWS] = { "right", "race", "deadlock", "barrier", "mbarrier" };

static void *room(size_t count, size_t size)
{
    void *all = calloc(count ? count : 1, size);

    if (!all)
        ck_no_memory();
    return all;
}

/* ---- clocks ------------------------------------------------------------------------------------------------------ */

/* Clocks live until the run ends. */
clock_numbers model_clock(struct model *m)
{
    struct block *b = m->blocks;
    const size_t numbers = m->agents * VIEWS;

    if (!b || b->used + numbers > BLOCK_NUMBERS) {
        b = room(1, sizeof *b + (numbers > BLOCK_NUMBERS ? numbers : BLOCK_NUMBERS) * sizeof *b->numbers);
        b->next = m->blocks;
        m->blocks = b;
    }
    b->used += numbers;
    return b->numbers + b->used - numbers;
}

void model_add(struct model *m, clock_numbers *to, const uint16_t *from)
{
    if (!from)
        return;
    if (!*to)
        *to = model_clock(m);
    clock_join(*to, from, m->agents);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

size_t model_cell(const struct model *m, const struct actor *t, struct place at)
{
    if (at.space == GLOBAL)
        return at.offset + (size_t)at.by_cta * t->cta + (size_t)at.by_cluster * (t->cta / m->p->shape.cluster);
    const unsigned cta = at.rank < 0 ? t->cta : t->cta / m->p->shape.cluster * m->p->shape.cluster + (unsigned)at.rank;
    return m->global_bytes + (size_t)cta * m->shared_bytes + at.offset;
}

void model_flaw(struct model *m, enum flaw flaw, unsigned op, unsigned other)
{
    if (!m->result.flaw)
        m->result = (struct model_result){ flaw, op, other };
}

/* Whether scopes of two threads include each other. */
bool model_includes(const struct model *m, enum scope a, unsigned cta, enum scope b, unsigned other)
{
    const enum scope both = a < b ? a : b;

    return both == SCOPE_GPU || cta == other ||
           (both == SCOPE_CLUSTER && cta / m->p->shape.cluster == other / m->p->shape.cluster);
}

static bool ordered(const struct model *m, const uint16_t *clock, const struct touch *x, const struct touch *before)
{
    const enum view view = x->async && !before->async && before->write ? FENCED : KNOWN;

    return clock[(size_t)view * m->agents + before->agent] >= before->epoch;
}

static bool races(const struct model *m, const uint16_t *clock, const struct touch *x, const struct touch *before)
{
    if (ordered(m, clock, x, before))
        return false;
    return !(x->strong && before->strong && model_includes(m, x->scope, x->cta, before->scope, before->cta));
}

/* One byte. A write makes the accesses that it comes after be forgotten. */
static void touch_byte(struct model *m, const uint16_t *clock, size_t at, const struct touch *x)
{
    struct cell *c = &m->cells[at];
    struct note **link = &c->notes;

    while (*link) {
        struct note *n = *link;
        if ((x->write || n->touch.write) && races(m, clock, x, &n->touch))
            model_flaw(m, FLAW_RACE, x->op, n->touch.op);
        const bool same = n->touch.agent == x->agent && n->touch.write == x->write;
        if (same || (x->write && ordered(m, clock, x, &n->touch)))
            *link = n->next;
        else
            link = &n->next;
    }
    if (m->notes_used == m->notes_room) {
        struct notes *more = room(1, sizeof *more);
        more->next = m->notes;
        m->notes = more;
        m->notes_used = 0;
        m->notes_room = NOTES;
    }
    struct note *n = &m->notes->all[m->notes_used++];
    n->touch = *x;
    n->next = c->notes;
    c->notes = n;
}

void model_touch(struct model *m, const uint16_t *clock, size_t at, size_t bytes, const struct touch *x)
{
    for (size_t i = 0; i < bytes && !m->result.flaw; i++)
        touch_byte(m, clock, at + i, x);
}

struct touch model_access(const struct actor *t, const struct op *o, bool write)
{
    return (struct touch){ .agent = t->number,
                           .epoch = t->now[t->number],
                           .op = t->pc,
                           .cta = t->cta,
                           .write = write,
                           .strong = o->kind >= OP_SET && o->kind <= OP_TURN && o->sem != WEAK,
                           .scope = o->sem == VOLATILE ? SCOPE_GPU : o->scope };
}

/* ---- data -------------------------------------------------------------------------------------------------------- */

unsigned model_number(const struct actor *t, const struct op *o)
{
    if (o->all)
        return 0;
    return t->thread - o->who.lo +
           (o->across ? who_width(o->who) * (unsigned)__builtin_popcount(o->who.ctas & ((1u << t->cta) - 1)) : 0);
}

unsigned model_item(const struct op *o, unsigned j)
{
    return o->order == REVERSED ? o->items - 1 - j : o->order == ROTATED ? (j + o->turn) % o->items : j;
}

uint32_t model_value(const struct actor *t, const struct op *o, unsigned item)
{
    return item * o->factor + o->value + (o->carry ? t->acc : 0);
}

static void store(struct model *m, struct actor *t, const struct op *o)
{
    const struct touch x = model_access(t, o, true);

    for (unsigned j = model_number(t, o); j < o->items; j += op_step(o)) {
        const unsigned item = model_item(o, j);
        const size_t at = model_cell(m, t, o->at) + (size_t)item * o->width;
        for (unsigned k = 0; k < o->width; k += 4) {
            const uint32_t word = model_value(t, o, item) + k / 4 * WORD_STEP;
            memcpy(m->memory + at + k, &word, o->width < 4 ? o->width : 4);
        }
        model_touch(m, t->now, at, o->width, &x);
    }
}

static void load(struct model *m, struct actor *t, const struct op *o)
{
    const struct touch x = model_access(t, o, false);

    for (unsigned j = model_number(t, o); j < o->items; j += op_step(o)) {
        const size_t at = model_cell(m, t, o->at) + (size_t)model_item(o, j) * o->width;
        uint32_t sum = 0;
        for (unsigned k = 0; k < o->width; k += 4) {
            uint32_t word = 0;
            memcpy(&word, m->memory + at + k, o->width < 4 ? o->width : 4);
            sum ^= word;
        }
        t->acc = t->acc * 33 + sum;
        model_touch(m, t->now, at, o->width, &x);
    }
}

uint32_t model_word(const struct model *m, size_t at)
{
    uint32_t word;

    memcpy(&word, m->memory + at, 4);
    return word;
}

void model_put(struct model *m, size_t at, uint32_t word)
{
    memcpy(m->memory + at, &word, 4);
}

static void plain(struct model *m, struct actor *t, const struct op *o)
{
    const struct touch reads = model_access(t, o, false), writes = model_access(t, o, true);
    const size_t at = model_cell(m, t, o->at);
    uint32_t sum = 0;

    switch (o->kind) {
    case OP_ADD:
        model_touch(m, t->now, at, 4, &reads);
        model_put(m, at, model_word(m, at) + o->value);
        break;
    case OP_SUM:
        model_touch(m, t->now, model_cell(m, t, o->from), (size_t)o->items * 4, &reads);
        for (unsigned i = 0; i < o->items; i++)
            sum += model_word(m, model_cell(m, t, o->from) + 4 * i);
        model_put(m, at, sum);
        break;
    case OP_PUT: model_put(m, at, t->ticket); break;
    default: /* OP_GET */
        model_touch(m, t->now, at, 4, &reads);
        t->ticket = model_word(m, at);
        return;
    }
    model_touch(m, t->now, at, 4, &writes);
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

/* One operation of a thread. False: it has to wait. */
static bool step(struct model *m, struct actor *t)
{
    const struct op *o = &m->p->ops[t->pc];

    switch (o->kind) {
    case OP_STORE: store(m, t, o); return true;
    case OP_LOAD: load(m, t, o); return true;
    case OP_ADD:
    case OP_SUM:
    case OP_PUT:
    case OP_GET: plain(m, t, o); return true;
    default: return model_sync(m, t, o);
    }
}

/* To the thread's next operation; at its end pc is the count. */
static void skip(const struct model *m, struct actor *t)
{
    while (t->pc < m->p->count) {
        const struct op *o = &m->p->ops[t->pc];
        if (o->kind != OP_NONE && who_has(o->who, t->cta, t->thread) && !(o->last && t->ticket != o->value))
            return;
        t->pc++;
    }
}

/* Runs a thread for at most so many operations; returns how many. */
static unsigned turn(struct model *m, struct actor *t, unsigned most)
{
    unsigned done = 0;

    for (; done < most && t->pc < m->p->count && !m->result.flaw; done++) {
        if (!step(m, t))
            break;
        t->now[t->number]++;
        t->pc++;
        skip(m, t);
    }
    if (t->pc >= m->p->count && !t->ended) {
        t->ended = true;
        model_ended(m, t);
        done++;
    }
    return done;
}

static unsigned count_copies(const struct program *p)
{
    unsigned n = 0;

    for (size_t i = 0; i < p->count; i++) {
        const struct op *o = &p->ops[i];
        if (o->kind == OP_CP_ASYNC || o->kind == OP_ST_ASYNC)
            n += o->items * (unsigned)__builtin_popcount(o->who.ctas);
        if (o->kind == OP_BULK_LOAD || o->kind == OP_BULK_STORE)
            n += 2 * who_count(o->who);
    }
    return n;
}

static void begin(struct model *m, const struct program *p, unsigned char *global)
{
    const unsigned ctas = program_ctas(p), threads = p->shape.threads;

    m->p = p;
    m->threads = ctas * threads;
    m->agents = m->threads + count_copies(p);
    m->copies = m->threads;
    m->global_bytes = p->global_used;
    m->shared_bytes = p->shared_used;
    const size_t bytes = m->global_bytes + ctas * m->shared_bytes;
    m->memory = room(bytes, 1);
    memcpy(m->memory, global, m->global_bytes);
    m->cells = room(bytes, sizeof *m->cells);
    m->actors = room(m->threads, sizeof *m->actors);
    m->words = room(WORDS, sizeof *m->words);
    m->meetings = room(MEETINGS, sizeof *m->meetings);
    for (unsigned i = 0; i < m->threads; i++) {
        struct actor *t = &m->actors[i];
        *t = (struct actor){ .number = i, .cta = i / threads, .thread = i % threads, .now = model_clock(m) };
        t->now[i] = 1;
        skip(m, t);
    }
}

static void end(struct model *m)
{
    while (m->blocks) {
        struct block *b = m->blocks;
        m->blocks = b->next;
        free(b);
    }
    while (m->notes) {
        struct notes *n = m->notes;
        m->notes = n->next;
        free(n);
    }
    for (unsigned i = 0; i < m->threads; i++)
        free(m->actors[i].copies);
    free(m->memory);
    free(m->cells);
    free(m->actors);
    free(m->words);
    free(m->meetings);
}

struct model_result model_run(const struct program *p, uint64_t seed, unsigned char *global)
{
    struct model m = { 0 };
    uint64_t random = splitmix64(seed);
    unsigned idle = 0;

    begin(&m, p, global);
    for (unsigned i = 0; idle < 2 * m.threads && !m.result.flaw; i = (i + 1) % m.threads) {
        const uint64_t number = splitmix64_next(&random);
        struct actor *t = &m.actors[i];
        if (seed && idle < m.threads / 2 && number >> 32 & 1) {
            t = &m.actors[(number & 0xFFFFFFFF) % m.threads];
            i = t->number;
        }
        const unsigned most = seed ? 1u << (number >> 40) % 6 : 1;
        m.arrived = false;
        idle = turn(&m, t, most) || m.arrived ? 0 : idle + 1; // NOLINT(clang-analyzer-unix.Malloc): end frees all
    }
    for (unsigned i = 0; i < m.threads && !m.result.flaw; i++)
        if (!m.actors[i].ended)
            model_flaw(&m, FLAW_DEADLOCK, m.actors[i].pc, 0);
    memcpy(global, m.memory, m.global_bytes);
    const struct model_result result = m.result;
    end(&m);
    return result;
}
// SPDX-License-Identifier: Apache-2.0
