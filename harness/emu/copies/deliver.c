/* Operations in flight: when they read, when they land, and what waits for them.
 *
 * A copy is as late as the rules allow. Its destination is poisoned when it is issued, so that a thread that
 * reads too early sees poison; its source is read when it lands (or when a wait_group.read demands it), so that a write
 * that comes too early changes what is copied. It lands when a wait demands it, or when no thread of the cluster can go
 * on. */
#include "harness/emu/copies/deliver.h"

#include <stdlib.h>

#include "expected/random.h"
#include "harness/emu/copies/mbarrier.h"
#include "harness/emu/copies/operand.h"
#include "harness/emu/copies/tensor_land.h"
#include "harness/emu/instructions/alu/reduce.h"
#include "harness/emu/machine/address.h"
#include "harness/emu/machine/bytes.h"
#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/thread.h"
#include "harness/emu/machine/watch.h"

static unsigned char *place(struct emu_flight *f, struct emu_cta *cta, uint64_t at, uint64_t n, enum emu_access access)
{
    if (cta) {
        if (at + n > cta->shared_bytes)
            emu_bad_access(f->thread, NULL, at, n, "a copy of bytes %llu to %llu of shared memory, which has %llu",
                           (unsigned long long)at, (unsigned long long)at + n, (unsigned long long)cta->shared_bytes);
        return cta->shared + at;
    }
    return n ? emu_bytes(f->thread, PTX_global, at, n, 1, access, NULL, NULL) : NULL;
}

static void read_source(struct emu_flight *f)
{
    if (f->kind == EMU_TENSOR_LOAD || f->kind == EMU_TENSOR_STORE) {
        emu_tensor_read(f);
        return;
    }
    emu_flight_hold(f, f->size);
    if (f->copied)
        emu_copy(f->bytes, place(f, f->from_cta, f->from, f->copied, EMU_READ), f->copied);
    emu_fill(f->bytes + f->copied, 0, f->size - f->copied);
}

void emu_flight_read(struct emu_flight *f)
{
    const struct emu_watch *watch = emu_watch_of(f->thread);

    if (f->read)
        return;
    f->read = true;
    if (f->kind == EMU_ARRIVE)
        return;
    read_source(f);
    if (watch && watch->copy_read)
        watch->copy_read(f->thread, f);
}

/* cta: in whose shared memory; NULL: in global memory. */
static void land_at(struct emu_flight *f, struct emu_cta *cta)
{
    if (f->kind == EMU_REDUCE)
        alu_reduce(f->op, f->type, false, place(f, cta, f->to, f->size, EMU_ATOMIC), f->bytes, f->size);
    else if (f->size)
        emu_copy(place(f, cta, f->to, f->size, EMU_WRITE), f->bytes, f->size);
}

/* Whether the bytes need not be held between the source and the destination, which cannot overlap. */
static bool goes_straight(const struct emu_flight *f)
{
    return f->kind == EMU_COPY && !f->read && !f->multicast && f->size && f->copied == f->size &&
           !f->from_cta == (f->to_cta != NULL);
}

static void land_straight(struct emu_flight *f)
{
    const struct emu_watch *watch = emu_watch_of(f->thread);
    const unsigned char *from = place(f, f->from_cta, f->from, f->size, EMU_READ);

    f->read = true;
    if (watch && watch->copy_read)
        watch->copy_read(f->thread, f);
    if (f->to_cta)
        emu_operand_landing(f, f->to_cta);
    emu_copy(place(f, f->to_cta, f->to, f->size, EMU_WRITE), from, f->size);
}

/* The shared memories that a copy reaches, at the same offset in each, or global memory. */
static void land_bytes(struct emu_flight *f)
{
    struct emu_cluster *c = f->thread->cta->cluster;

    if (!f->to_cta && !f->multicast)
        land_at(f, NULL);
    for (uint32_t rank = 0; rank < c->cta_count; rank++)
        if (emu_flight_reaches(f, &c->ctas[rank])) {
            emu_operand_landing(f, &c->ctas[rank]);
            land_at(f, &c->ctas[rank]);
        }
}

static void signal_bar(struct emu_flight *f, struct emu_cta *cta)
{
    const struct emu_watch *watch = emu_watch_of(f->thread);

    if (watch)
        watch->copy_signals(f->thread, f, cta, f->bar);
    if (f->kind == EMU_ARRIVE)
        emu_mbarrier_arrive(f->thread, cta, f->bar, false);
    else
        emu_mbarrier_complete(f->thread, cta, f->bar, f->size);
}

static void signal_bars(struct emu_flight *f)
{
    struct emu_cluster *c = f->thread->cta->cluster;

    for (uint32_t rank = 0; rank < c->cta_count; rank++)
        if (emu_flight_signals(f, &c->ctas[rank]))
            signal_bar(f, &c->ctas[rank]);
}

static bool is_cp_async(const struct emu_flight *f)
{
    return f->group == EMU_CP_ASYNC_GROUP;
}

static bool is_product(const struct emu_flight *f)
{
    return f->kind == EMU_WGMMA;
}

/* Those of the thread's flights before this one that `are` says land first, in the order of their issue. */
static void land_earlier(const struct emu_flight *f, bool (*are)(const struct emu_flight *))
{
    struct emu_flights *list = emu_flights_of(f->thread->cta->cluster);
    struct emu_flight *next;

    for (struct emu_flight *o = list->first; o && o != f; o = next) {
        next = o->next;
        if (o->thread == f->thread && are(o))
            emu_flight_land(o);
    }
}

void emu_flight_land(struct emu_flight *f)
{
    struct emu_thread *t = f->thread;
    struct emu_cluster *c = t->cta->cluster;
    const struct ptx_instruction *outer = t->landing;

    t->landing = f->at;
    f->landing = true;
    if (f->kind == EMU_ARRIVE) {
        land_earlier(f, is_cp_async);
        signal_bar(f, f->bar_cta);
    } else if (f->kind == EMU_WGMMA) {
        land_earlier(f, is_product);
        f->land(f);
    } else {
        const bool straight = goes_straight(f);
        if (straight)
            land_straight(f);
        else
            emu_flight_read(f);
        if (f->kind == EMU_TENSOR_LOAD || f->kind == EMU_TENSOR_STORE)
            emu_tensor_land(f);
        else if (!straight)
            land_bytes(f);
        if (c->watch && c->watch->copy_landed)
            c->watch->copy_landed(t, f);
        signal_bars(f);
    }
    t->landing = outer;
    emu_act(t, NULL); /* wherever its bytes are now */
    emu_wake(c);
    emu_flight_end(f);
}

/* ---- when ------------------------------------------------------------------------------------------------------- */

void emu_flight_off(struct emu_flight *f)
{
    if (f->thread->cta->cluster->grid->machine->options.delivery == EMU_EAGER)
        emu_flight_land(f);
}

bool emu_async_deliver(struct emu_cluster *c, bool must)
{
    const enum emu_delivery how = c->grid->machine->options.delivery;
    struct emu_flights *list = emu_flights_of(c);
    struct emu_flight *pick = NULL;
    unsigned n = 0;

    if (!list || !list->first)
        return false;
    if (how == EMU_RANDOM) {
        if (!must && splitmix64_next(&c->random) % 4)
            return false;
        for (struct emu_flight *f = list->first; f; f = f->next)
            if (splitmix64_next(&c->random) % ++n == 0)
                pick = f;
        emu_flight_land(pick);
        return true;
    }
    if (!must)
        return false;
    for (struct emu_flight *f = list->first; f && !pick; f = f->next)
        if (f->bar_cta)
            pick = f; /* only what signals a barrier can let a waiter go on */
    if (pick)
        emu_flight_land(pick);
    return pick != NULL;
}

void emu_async_end(struct emu_cluster *c)
{
    struct emu_flights *list = emu_flights_of(c);

    while (list && list->first)
        emu_flight_land(list->first);
}
// SPDX-License-Identifier: Apache-2.0
