/* Wrong forms, by rule. Whether what comes out is wrong, the model says: the step may not be needed there. */
#include "tools/sync_fuzz/mutate.h"

const char *const mutation_names[MUTATIONS] = {
    [MUTATE_DROP] = "left out",
    [MUTATE_DROP_SOME] = "left out by some",
    [MUTATE_RELAX] = "relaxed",
    [MUTATE_PLAIN] = "not strong",
    [MUTATE_NARROW] = "scope too narrow",
    [MUTATE_BARRIER_ID] = "another barrier",
    [MUTATE_BARRIER_COUNT] = "another count",
    [MUTATE_WAIT_LESS] = "N too large",
    [MUTATE_WAIT_READ] = ".read",
    [MUTATE_PARITY] = "other parity",
    [MUTATE_COUNT_MORE] = "count too large",
    [MUTATE_COUNT_LESS] = "count too small",
    [MUTATE_BYTES_MORE] = "too many bytes",
    [MUTATE_BYTES_LESS] = "too few bytes",
    [MUTATE_TWICE] = "twice",
    [MUTATE_NOINC] = "the other .noinc",
    [MUTATE_FLAG_FIRST] = "before the data",
    [MUTATE_EARLY] = "waits for one less",
    [MUTATE_PERMITS] = "two permits",
    [MUTATE_TICKET] = "last but one",
    [MUTATE_SLOT] = "two slots in one place",
};

/* The nearest store before the flag, by the same threads and of the same stage; the count where there is none. */
static size_t data_before(const struct program *p, size_t flag)
{
    for (size_t i = flag; i-- > 0 && p->ops[i].stage == p->ops[flag].stage;)
        if (p->ops[i].kind == OP_STORE && p->ops[i].who.ctas & p->ops[flag].who.ctas)
            return i;
    return p->count;
}

static bool is_plain(const struct op *o)
{
    return o->style == BY_LOAD_STORE && (o->kind == OP_SET || o->kind == OP_WAIT || o->kind == OP_UNLOCK);
}

static bool can_drop(const struct op *o)
{
    switch (o->kind) {
    case OP_STORE:
    case OP_LOAD:
    case OP_ADD:
    case OP_ATOMIC:
    case OP_SUM:
    case OP_TAKE:
    case OP_PUT:
    case OP_GET:
    case OP_CP_ASYNC:
    case OP_BULK_LOAD:
    case OP_BULK_STORE:
    case OP_ST_ASYNC: return false;
    default: return true;
    }
}

static bool applies(const struct program *p, size_t i, enum mutation_kind kind)
{
    const struct op *o = &p->ops[i];
    const bool word = o->kind >= OP_SET && o->kind <= OP_TURN,
               barrier = o->kind == OP_BAR_SYNC || o->kind == OP_BAR_ARRIVE;

    if (o->kind == OP_NONE || (o->fixed && kind != MUTATE_PERMITS))
        return false;
    switch (kind) {
    case MUTATE_DROP: return can_drop(o);
    case MUTATE_DROP_SOME: return can_drop(o) && who_count(o->who) > 1 && o->kind != OP_CLUSTER_WAIT;
    case MUTATE_RELAX:
        return (word || o->kind == OP_CLUSTER_ARRIVE || o->kind == OP_MBAR_ARRIVE || o->kind == OP_MBAR_WAIT) &&
               (o->sem == RELEASE || o->sem == ACQUIRE || o->sem == ACQ_REL);
    case MUTATE_PLAIN: return is_plain(o) && o->sem != WEAK;
    case MUTATE_NARROW:
        return o->scope != SCOPE_CTA && ((word && o->sem != VOLATILE) || o->kind == OP_FENCE ||
                                         o->kind == OP_MBAR_ARRIVE || o->kind == OP_MBAR_WAIT);
    case MUTATE_BARRIER_ID: return barrier;
    case MUTATE_BARRIER_COUNT: return barrier && o->threads > 32;
    case MUTATE_WAIT_LESS: return o->kind == OP_WAIT_GROUP || o->kind == OP_BULK_WAIT;
    case MUTATE_WAIT_READ: return o->kind == OP_BULK_WAIT && !o->read;
    case MUTATE_PARITY: return o->kind == OP_MBAR_WAIT;
    case MUTATE_COUNT_MORE: return o->kind == OP_MBAR_INIT;
    case MUTATE_COUNT_LESS: return o->kind == OP_MBAR_INIT && o->value > 1;
    case MUTATE_BYTES_MORE: return o->kind == OP_MBAR_EXPECT;
    case MUTATE_BYTES_LESS: return o->kind == OP_MBAR_EXPECT && o->bytes > 16;
    case MUTATE_TWICE: return o->kind == OP_MBAR_ARRIVE;
    case MUTATE_NOINC: return o->kind == OP_CP_ARRIVE;
    case MUTATE_FLAG_FIRST: return o->kind == OP_SET && data_before(p, i) < p->count;
    case MUTATE_EARLY: return o->kind == OP_WAIT && o->value > 0;
    case MUTATE_PERMITS: return o->kind == OP_STORE && !o->stage && o->value == 1 && o->fixed;
    case MUTATE_TICKET: return o->last && o->value > 0;
    case MUTATE_SLOT: return o->kind == OP_STORE && o->slot == 2;
    default: return false;
    }
}

size_t mutation_list(const struct program *p, struct mutation *all, size_t room)
{
    size_t n = 0;

    for (size_t i = 0; i < p->count; i++)
        for (enum mutation_kind k = 0; k < MUTATIONS && n < room; k++)
            if (applies(p, i, k))
                all[n++] = (struct mutation){ k, (unsigned)i };
    return n;
}

/* One thread fewer, or one warp where whole warps have to come, or one CTA. */
static void drop_some(struct op *o)
{
    const bool warps = o->kind == OP_BAR_SYNC || o->kind == OP_BAR_ARRIVE;

    if (warps && who_width(o->who) > 32)
        o->who.hi -= (o->who.hi - 1) % 32 + 1;
    else if (!warps && who_width(o->who) > 1)
        o->who.hi--;
    else if (o->who.ctas & (o->who.ctas - 1))
        o->who.ctas &= o->who.ctas - 1;
    else
        o->kind = OP_NONE;
}

/* Slot 2 lies where slot 1 does. */
static void merge_slots(struct program *p, unsigned stage)
{
    const struct op *first = NULL;

    for (size_t i = 0; i < p->count; i++) {
        struct op *o = &p->ops[i];
        if (o->stage != stage || (o->kind != OP_STORE && o->kind != OP_LOAD))
            continue;
        if (o->slot == 1)
            first = o;
        else if (o->slot == 2 && first)
            o->at = first->at;
    }
}

static void move_up(struct program *p, size_t from, size_t to)
{
    const struct op moved = p->ops[from];

    for (size_t i = from; i > to; i--)
        p->ops[i] = p->ops[i - 1];
    p->ops[to] = moved;
}

void mutation_apply(struct program *p, struct mutation x)
{
    struct op *o = &p->ops[x.op];

    switch (x.kind) {
    case MUTATE_DROP:
        if (o->kind == OP_CLUSTER_ARRIVE && x.op + 1 < p->count && p->ops[x.op + 1].kind == OP_CLUSTER_WAIT)
            p->ops[x.op + 1].kind = OP_NONE;
        o->kind = OP_NONE;
        break;
    case MUTATE_DROP_SOME: drop_some(o); break;
    case MUTATE_RELAX: o->sem = RELAXED; break;
    case MUTATE_PLAIN: o->sem = WEAK; break;
    case MUTATE_NARROW:
        o->scope--;
        if (o->kind == OP_FENCE && o->fence == FENCE_MEMBAR)
            o->scope = SCOPE_CTA;
        break;
    case MUTATE_BARRIER_ID: o->barrier = (o->barrier + 1) % BARRIERS; break;
    case MUTATE_BARRIER_COUNT: o->threads -= 32; break;
    case MUTATE_WAIT_LESS: o->value++; break;
    case MUTATE_WAIT_READ: o->read = true; break;
    case MUTATE_PARITY:
    case MUTATE_COUNT_MORE: o->value++; break;
    case MUTATE_COUNT_LESS: o->value--; break;
    case MUTATE_BYTES_MORE: o->bytes += 16; break;
    case MUTATE_BYTES_LESS: o->bytes -= 16; break;
    case MUTATE_TWICE: o->delta++; break;
    case MUTATE_NOINC: o->noinc = !o->noinc; break;
    case MUTATE_FLAG_FIRST: move_up(p, x.op, data_before(p, x.op)); break;
    case MUTATE_EARLY: o->value--; break;
    case MUTATE_PERMITS: o->value = 2; break;
    case MUTATE_TICKET: o->value--; break;
    case MUTATE_SLOT: merge_slots(p, o->stage); break;
    default: break;
    }
}
// SPDX-License-Identifier: Apache-2.0
