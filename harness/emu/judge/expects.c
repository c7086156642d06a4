/* Bytes that mbarrier.expect_tx announces, and the phase in which they count.
 *
 * expect_tx is no arrival: where no arrival of the phase is ordered after it, another run may have all arrivals first.
 * Then the phase completes without it, if what was expected and what was delivered balance without it, and its bytes
 * count in the next one. What is expected or delivered before an arrival is there for certain by then; what a copy
 * brings may be there, unless the copy comes after the expect_tx. */
#include "harness/emu/judge/expects.h"

#include <stdlib.h>

#include "harness/base/room.h"
#include "harness/emu/judge/known.h"
#include "harness/emu/machine/findings.h"

/* An expect_tx or complete_tx of the current phase. */
struct order_expect {
    uint32_t thread, epoch, at; /* who: number in the cluster; at which epoch and instruction */
    bool delivers;              /* complete_tx */
    bool kept;                  /* an arrival of the phase comes after it */
    uint64_t bytes;
    uint64_t early; /* of an expect_tx: what copies that need not come after it have delivered in the phase */
    uint64_t after; /* a bit for each that it comes after, by its place in the list */
};
enum { PLACES = 64 };

static const char announce[] = "expect_tx before an arrival of the same thread, or arrive.expect_tx";

/* Whether the thread has come so far only after the other one's place. A flag that orders no memory will do. */
static bool comes_after(const struct order *o, uint32_t thread, const struct order_expect *e)
{
    const uint32_t c = order_component(e->thread, OWN_NOW);

    return thread == e->thread || order_known(o, thread, VIEW_GENERIC, c) >= e->epoch ||
           order_known(o, thread, VIEW_LOOSE, c) >= e->epoch;
}

static struct order_expect *add(struct order *o, struct emu_thread *t, struct order_bar *b)
{
    const uint32_t thread = order_number(o, t);
    struct order_expect *all = ck_room(b->expects, b->expect_count, &b->expect_room, 4, sizeof *all);

    if (!all) {
        o->failed = true;
        return NULL;
    }
    b->expects = all;
    all[b->expect_count] =
        (struct order_expect){ .thread = thread, .epoch = order_epoch(t), .at = order_instruction_now(o, t) };
    for (uint32_t i = 0; i < b->expect_count && i < PLACES; i++)
        if (comes_after(o, thread, &all[i]))
            all[b->expect_count].after |= 1ull << i;
    return &all[b->expect_count++];
}

void order_expect(struct order *o, struct emu_thread *t, const struct emu_mbarrier *m, struct order_bar *b)
{
    const uint32_t thread = order_number(o, t);
    struct order_expect *e = add(o, t, b);

    if (!e)
        return;
    e->early = b->copied;
    b->expecting = true;
    if (b->component != PTX_NO && b->phases > b->init_phases &&
        order_known(o, thread, VIEW_GENERIC, b->component) < b->phases &&
        order_known(o, thread, VIEW_LOOSE, b->component) < b->phases)
        emu_mbarrier_complain(
            t, &rule_mbarrier_tx_wrong_phase, m, NULL, announce,
            "expect_tx in phase %llu, and nothing orders it after the end of phase %llu, in which its "
            "bytes might count",
            (unsigned long long)m->phase, (unsigned long long)m->phase - 1);
}

void order_expect_bytes(struct order_bar *b, uint64_t bytes)
{
    if (b->expecting)
        b->expects[b->expect_count - 1].bytes = bytes;
    b->expecting = false;
}

void order_expect_completed(struct order *o, struct emu_thread *t, struct order_bar *b, uint64_t bytes)
{
    struct order_expect *e = add(o, t, b);

    if (!e)
        return;
    e->delivers = true;
    e->bytes = bytes;
}

void order_expect_arrived(const struct order *o, struct order_bar *b, uint32_t thread)
{
    for (uint32_t i = 0; i < b->expect_count; i++)
        b->expects[i].kept = b->expects[i].kept || comes_after(o, thread, &b->expects[i]);
}

void order_expect_copied(const struct order *o, struct order_bar *b, const struct order_flight *f, uint64_t bytes)
{
    b->copied += bytes;
    for (uint32_t i = 0; i < b->expect_count; i++) {
        struct order_expect *e = &b->expects[i];
        if (f->thread == e->thread ? f->epoch <= e->epoch : !comes_after(o, f->thread, e))
            e->early += bytes;
    }
}

/* Whether the phase may complete without the expect_tx at this place. arrived: bytes that arrivals expect. */
static bool may_miss(const struct order_bar *b, uint32_t place, int64_t arrived)
{
    const struct order_expect *all = b->expects, *e = &all[place];
    int64_t least = arrived,
            most = arrived; /* expected and not delivered by threads, where the phase may be without it */

    if (e->delivers || e->kept || !e->bytes || b->expect_count > PLACES)
        return false;
    for (uint32_t i = 0; i < b->expect_count; i++) {
        const int64_t bytes = all[i].delivers ? -(int64_t)all[i].bytes : (int64_t)all[i].bytes;
        const bool certain = all[i].kept || (i < place && e->after >> i & 1);
        if (i == place || (i > place && all[i].after >> place & 1))
            continue;
        least += certain || bytes < 0 ? bytes : 0;
        most += certain || bytes > 0 ? bytes : 0;
    }
    return least <= (int64_t)e->early && most >= 0;
}

void order_expect_phase(struct order *o, struct emu_thread *t, const struct emu_mbarrier *m, struct order_bar *b)
{
    int64_t arrived = (int64_t)m->expected;
    struct emu_place here, there;

    for (uint32_t i = 0; i < b->expect_count; i++)
        arrived -= b->expects[i].delivers ? 0 : (int64_t)b->expects[i].bytes;
    for (uint32_t i = 0; i < b->expect_count; i++) {
        if (!may_miss(b, i, arrived))
            continue;
        order_place_of(o, b->expects[i].thread, b->expects[i].at, b->key, EMU_MBARRIER_BYTES, &here);
        emu_place_of(t, m->offset, EMU_MBARRIER_BYTES, &there);
        emu_mbarrier_report_cause(
            o->cluster->grid, &rule_mbarrier_tx_wrong_phase, m, &here, &there, announce,
            "no arrival of this phase is ordered after an expect_tx that counts in it: the phase might "
            "complete first, and the bytes count in the next one");
    }
    b->expect_count = 0;
    b->copied = 0;
}

void order_expect_free(struct order_bar *b)
{
    free(b->expects);
    b->expects = NULL;
}
// SPDX-License-Identifier: Apache-2.0
