/* Words that synchronise, and mbarriers: what is released at them and acquired from them. */
#include "tools/sync_fuzz/model_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word *model_find(struct model *m, size_t cell)
{
    for (size_t i = 0; i < m->word_count; i++)
        if (m->words[i].cell == cell)
            return &m->words[i];
    if (m->word_count == WORDS) {
        fputs("sync_fuzz: more words than the model has room for\n", stderr);
        exit(2);
    }
    m->words[m->word_count] = (struct word){ .cell = cell };
    return &m->words[m->word_count++];
}

/* ---- release and acquire ----------------------------------------------------------------------------------------- */

void model_release(struct model *m, const struct actor *t, struct released *r, enum sem sem, enum scope scope)
{
    if (sem == WEAK)
        return;
    if (sem == VOLATILE)
        scope = SCOPE_GPU;
    if (sem == RELEASE || sem == ACQ_REL)
        model_add(m, &r->by[t->cta][scope], t->now);
    for (enum scope f = SCOPE_CTA; f < SCOPES; f++) /* a fence before it, at the narrower of the two scopes */
        model_add(m, &r->by[t->cta][f < scope ? f : scope], t->fenced[f]);
    if (!r->seen)
        r->seen = model_clock(m);
    clock_join_view(r->seen, SC, t->now, SC, m->agents);
    clock_join_view(r->seen, SC_FENCED, t->now, SC_FENCED, m->agents);
}

void model_acquire(struct model *m, struct actor *t, const struct released *r, enum sem sem, enum scope scope)
{
    if (sem == WEAK)
        return;
    if (sem == VOLATILE)
        scope = SCOPE_GPU;
    for (unsigned cta = 0; cta < MAX_CTAS; cta++)
        for (enum scope s = SCOPE_CTA; s < SCOPES; s++) {
            const enum scope needed = cta == t->cta                                               ? SCOPE_CTA
                                      : cta / m->p->shape.cluster == t->cta / m->p->shape.cluster ? SCOPE_CLUSTER
                                                                                                  : SCOPE_GPU;
            if (!r->by[cta][s] || s < needed || scope < needed)
                continue;
            if (sem == ACQUIRE || sem == ACQ_REL)
                clock_join(t->now, r->by[cta][s], m->agents);
            else
                model_add(m, &t->pending[needed], r->by[cta][s]);
        }
    if (r->seen) {
        clock_join_view(t->now, SC, r->seen, SC, m->agents);
        clock_join_view(t->now, SC_FENCED, r->seen, SC_FENCED, m->agents);
    }
}

/* ---- flags, locks, tickets --------------------------------------------------------------------------------------- */

/* Whether the word is what the operation waits for. */
static bool ready(const struct actor *t, const struct op *o, uint32_t word)
{
    switch (o->kind) {
    case OP_WAIT: return word >= o->value;
    case OP_LOCK: return word == 0;
    case OP_DOWN: return word > 0;
    case OP_TURN: return word == t->ticket;
    default: return true;
    }
}

static uint32_t changed(struct actor *t, const struct op *o, uint32_t word)
{
    switch (o->kind) {
    case OP_SET:
        if (o->style == BY_ADD || o->style == BY_RED)
            return word + o->delta;
        return o->style == BY_CAS && word != o->factor ? word : o->value;
    case OP_ATOMIC: return word + o->delta;
    case OP_LOCK: return 1;
    case OP_UNLOCK: return 0;
    case OP_DOWN: return word - 1;
    case OP_TAKE: t->ticket = word; return word + 1;
    default: return word;
    }
}

bool model_words(struct model *m, struct actor *t, const struct op *o)
{
    const size_t at = model_cell(m, t, o->at);
    struct word *w = model_find(m, at);
    const bool reads = o->kind == OP_WAIT || o->kind == OP_TURN;
    struct touch x = model_access(t, o, !reads);

    x.strong |= o->kind == OP_ATOMIC;
    model_touch(m, t->now, at, o->bytes, &x);
    if (!ready(t, o, model_word(m, at)))
        return false;
    model_put(m, at, changed(t, o, model_word(m, at)));
    if (!(o->kind == OP_SET && o->style == BY_RED) && o->kind != OP_UNLOCK)
        model_acquire(m, t, &w->released, o->sem == RELEASE ? RELAXED : o->sem, o->scope);
    if (!reads || (o->style != BY_LOAD_STORE && o->kind == OP_WAIT))
        model_release(m, t, &w->released, o->sem == ACQUIRE ? RELAXED : o->sem, o->scope);
    return true;
}

/* ---- mbarriers --------------------------------------------------------------------------------------------------- */

static void move(struct model *m, struct released *to, struct released *from)
{
    for (unsigned cta = 0; cta < MAX_CTAS; cta++)
        for (enum scope s = SCOPE_CTA; s < SCOPES; s++)
            model_add(m, &to->by[cta][s], from->by[cta][s]);
    model_add(m, &to->seen, from->seen);
    memset(from, 0, sizeof *from);
}

void model_complete(struct model *m, struct word *w)
{
    if (!w->live || w->pending || w->bytes)
        return;
    w->phases++;
    w->pending = w->count;
    move(m, &w->released, &w->now);
    model_add(m, &w->copies, w->copies_now);
    w->copies_now = NULL;
}

void model_arrive(struct model *m, const struct actor *t, struct word *w, unsigned arrivals, const struct op *o)
{
    if (!w->live || t->now[w->maker] < w->made || w->pending < arrivals) {
        model_flaw(m, FLAW_MBARRIER, t->pc, 0);
        return;
    }
    model_release(m, t, &w->now, o->sem, o->scope);
    w->pending -= arrivals;
    model_complete(m, w);
}

bool model_mbarrier(struct model *m, struct actor *t, const struct op *o)
{
    struct word *w = model_find(m, model_cell(m, t, o->at));

    switch (o->kind) {
    case OP_MBAR_INIT:
        w->mbarrier = w->live = true;
        w->maker = t->number;
        w->made = t->now[t->number];
        w->count = w->pending = o->value;
        return true;
    case OP_MBAR_EXPECT: w->bytes += o->bytes; /* fallthrough */
    case OP_MBAR_ARRIVE: model_arrive(m, t, w, o->delta, o); return true;
    default: break;
    }
    if (!w->live || t->now[w->maker] < w->made)
        model_flaw(m, FLAW_MBARRIER, t->pc, 0);
    if ((w->phases & 1) == (o->value & 1))
        return false;
    model_acquire(m, t, &w->released, o->sem, o->scope);
    if (w->copies && o->sem == ACQUIRE)
        clock_join(t->now, w->copies, m->agents);
    return true;
}
// SPDX-License-Identifier: Apache-2.0
