/* Fences, and barriers of warps, CTAs and clusters. */
#include "tools/sync_fuzz/model_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct meeting *meeting(struct model *m, enum meeting_kind kind, unsigned cta, unsigned number)
{
    for (size_t i = 0; i < m->meeting_count; i++) {
        struct meeting *w = &m->meetings[i];
        if (w->kind == kind && w->cta == cta && w->number == number)
            return w;
    }
    if (m->meeting_count == MEETINGS) {
        fputs("sync_fuzz: more barriers than the model has room for\n", stderr);
        exit(2);
    }
    m->meetings[m->meeting_count] = (struct meeting){ .kind = kind, .cta = cta, .number = number };
    return &m->meetings[m->meeting_count++];
}

static void complete(struct meeting *w)
{
    if (!w->needed || w->arrived < w->needed)
        return;
    w->phase++;
    w->arrived = w->needed = 0;
    w->over = w->now;
    w->now = NULL;
    memcpy(w->over_in, w->now_in, sizeof w->over_in);
    memset(w->now_in, 0, sizeof w->now_in);
}

/* Threads that have not ended: of CTAs first to first + count - 1. */
static unsigned running(const struct model *m, unsigned first, unsigned count)
{
    unsigned n = 0;

    for (unsigned i = 0; i < m->threads; i++)
        n += m->actors[i].cta >= first && m->actors[i].cta < first + count && !m->actors[i].ended;
    return n;
}

/* Threads meet: each arrives once, and those who wait go on when all are there; 0: all of the CTA that run. */
static bool meet(struct model *m, struct actor *t, struct meeting *w, unsigned threads, bool waits)
{
    if (!t->arrived) {
        const unsigned needed = threads ? threads : running(m, t->cta, 1);
        if (w->arrived && (w->whole != !threads || (threads && w->needed != needed)))
            model_flaw(m, FLAW_BARRIER, t->pc, 0);
        w->whole = !threads;
        w->needed = needed;
        w->arrived++;
        m->arrived = true;
        model_add(m, &w->now, t->now);
        t->phase = w->phase;
        t->arrived = waits;
        complete(w);
        if (!waits)
            return true;
    }
    if (w->phase == t->phase)
        return false;
    t->arrived = false;
    if (w->over)
        clock_join(t->now, w->over, m->agents);
    return true;
}

static void fence(struct model *m, struct actor *t, const struct op *o)
{
    const size_t n = m->agents;

    for (enum scope s = SCOPE_CTA; s <= o->scope; s++) {
        if (t->pending[s])
            clock_join(t->now, t->pending[s], n);
    }
    if (o->fence != FENCE_ACQ_REL) { /* of any scope: which of them include each other is not kept */
        clock_join_view(t->now, SC, t->now, KNOWN, n);
        clock_join_view(t->now, KNOWN, t->now, SC, n);
        clock_join_view(t->now, SC_FENCED, t->now, FENCED, n);
        clock_join_view(t->now, FENCED, t->now, SC_FENCED, n);
    }
    t->fenced[o->scope] = NULL;
    model_add(m, &t->fenced[o->scope], t->now);
}

/* ---- the cluster's barrier --------------------------------------------------------------------------------------- */

static bool cluster(struct model *m, struct actor *t, const struct op *o)
{
    const unsigned number = t->cta / m->p->shape.cluster;
    struct meeting *w = meeting(m, MEET_CLUSTER, number, 0);

    if (o->kind == OP_CLUSTER_ARRIVE) {
        if (t->cluster_arrived)
            model_flaw(m, FLAW_BARRIER, t->pc, 0);
        t->cluster_arrived = true;
        t->cluster_phase = w->phase;
        w->arrived++;
        w->needed = running(m, t->cta - t->cta % m->p->shape.cluster, m->p->shape.cluster);
        if (o->sem == RELEASE)
            model_add(m, &w->now, t->now);
        for (enum scope s = SCOPE_CTA; s < SCOPES && o->sem == RELAXED; s++)
            model_add(m, s == SCOPE_CTA ? &w->now_in[t->cta] : &w->now, t->fenced[s]);
        complete(w);
        return true;
    }
    if (!t->cluster_arrived)
        model_flaw(m, FLAW_BARRIER, t->pc, 0);
    if (w->phase == t->cluster_phase)
        return false;
    t->cluster_arrived = false;
    if (w->over)
        clock_join(t->now, w->over, m->agents);
    if (w->over_in[t->cta])
        clock_join(t->now, w->over_in[t->cta], m->agents);
    return true;
}

/* A thread that has ended is not waited for by its cluster, nor where all of its CTA meet. */
void model_ended(struct model *m, const struct actor *t)
{
    const unsigned size = m->p->shape.cluster;

    for (size_t i = 0; i < m->meeting_count; i++) {
        struct meeting *w = &m->meetings[i];
        if (!w->arrived)
            continue;
        if (w->kind == MEET_CLUSTER && w->cta == t->cta / size)
            w->needed = running(m, t->cta - t->cta % size, size);
        else if (w->kind == MEET_BARRIER && w->cta == t->cta && w->whole)
            w->needed = running(m, t->cta, 1);
        complete(w);
    }
}

bool model_sync(struct model *m, struct actor *t, const struct op *o)
{
    const size_t n = m->agents;

    switch (o->kind) {
    case OP_SET:
    case OP_WAIT:
    case OP_LOCK:
    case OP_UNLOCK:
    case OP_DOWN:
    case OP_TAKE:
    case OP_TURN:
    case OP_ATOMIC: return model_words(m, t, o);
    case OP_FENCE: fence(m, t, o); return true;
    case OP_PROXY_FENCE: clock_join_view(t->now, FENCED, t->now, KNOWN, n); return true;
    case OP_BAR_SYNC:
    case OP_BAR_ARRIVE:
        return meet(m, t, meeting(m, MEET_BARRIER, t->cta, o->barrier), o->threads, o->kind == OP_BAR_SYNC);
    case OP_WARP_SYNC: return meet(m, t, meeting(m, MEET_WARP, t->cta, t->pc), who_width(o->who), true);
    case OP_CLUSTER_ARRIVE:
    case OP_CLUSTER_WAIT: return cluster(m, t, o);
    case OP_MBAR_INIT:
    case OP_MBAR_ARRIVE:
    case OP_MBAR_EXPECT:
    case OP_MBAR_WAIT: return model_mbarrier(m, t, o);
    case OP_INIT_FENCE: return true; /* what comes after it is a barrier that releases */
    default: return model_copy(m, t, o);
    }
}
// SPDX-License-Identifier: Apache-2.0
