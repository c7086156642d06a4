/* Stages in which many threads change one word: under a lock, or by atomics. */
#include "tools/sync_fuzz/gen.h"

enum lock { LOCK_CAS, LOCK_TICKET, LOCK_SEMAPHORE, LOCKS };

struct mutex {
    enum lock kind;
    enum scope scope;
    struct place word, turn;
};

static struct place word_at(struct gen *g, enum level level, uint32_t value)
{
    struct place at;

    if (level == IN_GRID)
        return global_place(g, 4, false, false);
    if (level == IN_CTA && !value && chance(g, 30))
        return global_place(g, 4, true, false);
    at = shared_place(g, 4, level == IN_CLUSTER ? (int)below(g, g->p->shape.cluster) : -1);
    begin_with(g, at, value, 4);
    return at;
}

static struct op *word_op(struct gen *g, enum op_kind kind, struct who who, const struct mutex *m, struct place at,
                          enum sem sem)
{
    struct op *o = add(g, kind, who);

    o->at = at;
    o->bytes = 4;
    o->sem = sem;
    o->scope = m->scope;
    o->style = BY_CAS;
    return o;
}

static void lock(struct gen *g, struct who who, const struct mutex *m)
{
    const unsigned backoff = chance(g, 30) ? 64 : 0;

    switch (m->kind) {
    case LOCK_CAS: word_op(g, OP_LOCK, who, m, m->word, ACQUIRE)->backoff = backoff; break;
    case LOCK_TICKET:
        word_op(g, OP_TAKE, who, m, m->word, RELAXED);
        word_op(g, OP_TURN, who, m, m->turn, ACQUIRE)->backoff = backoff;
        break;
    default: word_op(g, OP_DOWN, who, m, m->word, ACQUIRE)->backoff = backoff; break;
    }
}

static void unlock(struct gen *g, struct who who, const struct mutex *m)
{
    struct op *o;

    if (m->kind == LOCK_CAS) {
        o = word_op(g, OP_UNLOCK, who, m, m->word, RELEASE);
        o->style = chance(g, 50) ? BY_LOAD_STORE : BY_EXCH;
        return;
    }
    o = word_op(g, OP_SET, who, m, m->kind == LOCK_TICKET ? m->turn : m->word, RELEASE);
    o->style = chance(g, 50) ? BY_ADD : BY_RED;
    o->delta = 1;
}

/* Single threads of different warps and CTAs: lanes of one warp that contend for a lock may keep one another from
 * ever letting it go. */
const char *stage_lock(struct gen *g)
{
    static const char *const names[] = { "lock", "ticket lock", "semaphore" };
    const unsigned ctas = program_ctas(g->p), threads = g->p->shape.threads, warps = (threads + 31) / 32;
    const enum level level = ctas == 1                                  ? IN_CTA
                             : g->p->shape.cluster > 1 && chance(g, 40) ? IN_CLUSTER
                             : warps > 1 && chance(g, 40)               ? IN_CTA
                                                                        : IN_GRID;
    struct mutex m = { .scope = level == IN_GRID      ? SCOPE_GPU
                                : level == IN_CLUSTER ? SCOPE_CLUSTER + below(g, 2)
                                                      : below(g, SCOPES) };
    const struct who all = everyone(g);
    struct place counter;

    if (warps * ctas < 2 || (level == IN_CTA && warps < 2))
        return NULL;
    m.kind = below(g, level == IN_GRID ? LOCK_SEMAPHORE : LOCKS); /* global words begin as 0: no permit */
    m.word = word_at(g, level, m.kind == LOCK_SEMAPHORE);
    if (m.kind == LOCK_TICKET)
        m.turn = word_at(g, level, 0);
    counter = word_at(g, level, 0);
    for (unsigned w = 0; w < warps && w < 4; w++) {
        const unsigned lanes = threads - 32 * w < 32 ? threads - 32 * w : 32, at = 32 * w + below(g, lanes);
        const struct who who = threads_of(all.ctas, at, at + 1);
        struct op *o;
        lock(g, who, &m);
        o = add(g, OP_ADD, who);
        o->at = counter;
        o->width = 4;
        o->value = (uint32_t)draw(g);
        unlock(g, who, &m);
    }
    if (level == IN_CTA) {
        edge_once(g, IN_CTA, all, all);
    } else if (level == IN_CLUSTER) {
        struct op *o = add(g, OP_CLUSTER_ARRIVE, all);
        o->sem = RELEASE;
        add(g, OP_CLUSTER_WAIT, all)->sem = ACQUIRE;
    } else {
        edge_once(g, IN_GRID, all, all);
    }
    load_data(g, (struct data){ counter, 1, 4 }, one_of(g, all), 0);
    return names[m.kind];
}

const char *stage_atomic(struct gen *g)
{
    const struct pair pair = draw_pair(g);
    const struct place word = word_at(g, pair.level < IN_CTA ? IN_CTA : pair.level, 0);
    struct op *o;

    if (pair.level == IN_CLUSTER && word.space == GLOBAL)
        return NULL;
    o = add(g, OP_ATOMIC, pair.from);
    o->at = word;
    o->bytes = 4;
    o->delta = 1 + below(g, 1000);
    o->scope = pair.level == IN_GRID ? SCOPE_GPU : pair.level == IN_CLUSTER ? SCOPE_CLUSTER : SCOPE_CTA + below(g, 2);
    o->style = chance(g, 50) ? BY_RED : BY_ADD;
    o->sem = RELAXED;
    edge_once(g, pair.level, pair.from, pair.to);
    load_data(g, (struct data){ word, 1, 4 }, pair.to, 0);
    return "atomics";
}
// SPDX-License-Identifier: Apache-2.0
