/* The table of a deadlock: each thread that waits with what it waits for, and what has come to the mbarriers among it.
 */
#include "harness/emu/judge/waiters.h"

#include <stdarg.h>
#include <stdio.h>

#include "harness/emu/judge/lives.h"
#include "harness/emu/judge/loop.h"
#include "harness/emu/judge/registers.h"
#include "harness/emu/machine/name.h"
#include "harness/emu/machine/thread.h"

bool waiter_waits(const struct emu_thread *t)
{
    return t->state == EMU_BLOCKED || (t->state == EMU_READY && t->polled);
}

const struct ptx_instruction *waiter_at(const struct emu_thread *t)
{
    const struct emu_look *look = deadlock_look(t);

    if (look)
        return look->at;
    /* One that goes round without a look rests where its loop begins, which may be where the function does. */
    return t->state == EMU_BLOCKED || t->wait == EMU_WAIT_MEMORY ? t->pc->source : t->pc[-1].source;
}

bool waiter_same(const struct emu_thread *a, const struct emu_thread *b)
{
    return waiter_waits(a) && waiter_waits(b) && waiter_at(a) == waiter_at(b) && a->wait == b->wait &&
           a->wait_a == b->wait_a && a->wait_b == b->wait_b;
}

unsigned waiter_line(const struct emu_thread *t)
{
    return waiter_waits(t) && waiter_at(t) ? waiter_at(t)->line : 0;
}

void waiter_add(struct waiter_table *x, const char *format, ...)
{
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(x->at + x->used, x->size - x->used, format, args);
    va_end(args);
    if (n > 0 && x->used + (size_t)n < x->size)
        x->used += (size_t)n;
    else
        x->at[x->used] = 0; /* whole lines alone */
}

static void add_wait(struct waiter_table *x, const struct emu_thread *first, const struct emu_thread *last)
{
    char who[80], what[300], name[60];
    uint32_t arrived = 0, expected = 0;

    if (first == last)
        snprintf(who, sizeof who, "thread %u,%u,%u", first->tid[0], first->tid[1], first->tid[2]);
    else
        snprintf(who, sizeof who, "threads %u,%u,%u to %u,%u,%u", first->tid[0], first->tid[1], first->tid[2],
                 last->tid[0], last->tid[1], last->tid[2]);
    switch (first->wait) {
    case EMU_WAIT_MBARRIER:
        emu_shared_name(first->cta->cluster->grid, first->wait_a, name, sizeof name);
        snprintf(what, sizeof what, "phase %llu (parity %llu) of the mbarrier at offset %llu%s",
                 (unsigned long long)first->wait_b, (unsigned long long)first->wait_b & 1,
                 (unsigned long long)first->wait_a, name);
        break;
    case EMU_WAIT_BARRIER:
        emu_barrier_counts(first->cta, first->wait_a, &arrived, &expected);
        snprintf(what, sizeof what, "barrier %llu, where %u of %u threads have arrived",
                 (unsigned long long)first->wait_a, arrived, expected);
        break;
    case EMU_WAIT_CLUSTER: snprintf(what, sizeof what, "the cluster's barrier"); break;
    case EMU_WAIT_WARP: snprintf(what, sizeof what, "the lanes 0x%08x of the warp", (uint32_t)first->wait_a); break;
    case EMU_WAIT_GROUP: snprintf(what, sizeof what, "a wgmma-group that another warp has to commit"); break;
    case EMU_WAIT_MEMORY: deadlock_loop_words(first, what, sizeof what); break;
    case EMU_WAIT_GRID: snprintf(what, sizeof what, "another grid"); break;
    case EMU_WAIT_REGISTERS: order_registers_words(first, what, sizeof what); break;
    default: snprintf(what, sizeof what, "what never comes"); break;
    }
    waiter_add(x, "%s of CTA %u,%u,%u (line %u): %s\n", who, first->cta->ctaid[0], first->cta->ctaid[1],
               first->cta->ctaid[2], waiter_line(first), what);
}

/* Neighbours in a CTA that wait for the same get one line. */
void waiter_add_all(struct waiter_table *x, const struct emu_cluster *c)
{
    for (uint32_t i = 0; i < c->cta_count; i++) {
        const struct emu_thread *t = c->ctas[i].threads, *end = t + c->ctas[i].thread_count;
        while (t < end) {
            const struct emu_thread *last = t;
            while (last + 1 < end && waiter_same(t, last + 1))
                last++;
            if (waiter_waits(t))
                add_wait(x, t, last);
            t = last + 1;
        }
    }
}

/* An object that somebody waits for, and every instruction that contributed to its phase. */
static void add_object(struct waiter_table *x, const struct emu_mbarrier *m)
{
    static const char *const words[] = {
        [EMU_ARRIVED] = "arrivals", [EMU_EXPECTED] = "bytes expected", [EMU_DELIVERED] = "bytes delivered"
    };
    const struct life *life = life_known(m);
    char counts[160], name[60];

    emu_mbarrier_counts(m, counts, sizeof counts);
    emu_shared_name(m->cta->cluster->grid, m->offset, name, sizeof name);
    waiter_add(x, "mbarrier at offset %llu%s of CTA %u,%u,%u: %s\n", (unsigned long long)m->offset, name,
               m->cta->ctaid[0], m->cta->ctaid[1], m->cta->ctaid[2], counts);
    for (uint32_t i = 0; life && i < life->share_count; i++) {
        const struct life_share *s = &life->shares[i];
        waiter_add(x, "  %llu %s at line %u, %u time%s, first by thread %u,%u,%u of CTA %u,%u,%u",
                   (unsigned long long)s->amount, s->kind == EMU_ARRIVED && s->amount == 1 ? "arrival" : words[s->kind],
                   s->first.at ? s->first.at->line : 0, s->times, s->times == 1 ? "" : "s", s->first.tid[0],
                   s->first.tid[1], s->first.tid[2], s->first.ctaid[0], s->first.ctaid[1], s->first.ctaid[2]);
        if (s->filled)
            waiter_add(x, "; %llu of them are outside the tensor, and filled", (unsigned long long)s->filled);
        waiter_add(x, "\n");
    }
}

void waiter_add_objects(struct waiter_table *x, const struct emu_cluster *c)
{
    for (uint32_t i = 0; i < emu_threads_of(c); i++) {
        const struct emu_thread *t = emu_thread_at(c, i);
        const struct emu_mbarrier *m =
            waiter_waits(t) && t->wait == EMU_WAIT_MBARRIER ? emu_mbarrier_find(t->cta, t->wait_a) : NULL;
        bool told = !m;
        for (const struct emu_thread *o = t->cta->threads; o < t && !told; o++)
            told = waiter_waits(o) && o->wait == EMU_WAIT_MBARRIER && o->wait_a == t->wait_a;
        if (!told)
            add_object(x, m);
    }
}
// SPDX-License-Identifier: Apache-2.0
