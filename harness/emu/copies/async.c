/* Operations in flight: when they read, when they land, and what waits for them.
 *
 * A copy is as late as the rules allow. Its destination is poisoned when it is issued, so that who reads too early
 * sees that; its source is read when it lands (or when a wait_group.read demands it), so that who changes it too early
 * is seen too. It lands when a wait demands it, or when no thread of the cluster can go on. */
#include <stdlib.h>
#include <string.h>

#include "harness/emu/judge/lives.h"
#include "harness/emu/instructions/alu/reduce.h"
#include "harness/emu/copies/map_object.h"

static struct emu_flights *flights_of(struct emu_cluster *c)
{
    return c->async;
}

void emu_async_begin(struct emu_cluster *c)
{
    struct emu_flights *f = calloc(1, sizeof *f);

    if (f)
        f->last = &f->first;
    c->async = f;
}

static void take_off(struct emu_flights *list, struct emu_flight *f)
{
    struct emu_flight **p = &list->first;

    while (*p && *p != f)
        p = &(*p)->next;
    if (!*p)
        return;
    *p = f->next;
    if (list->last == &f->next)
        list->last = p;
}

void emu_async_free(struct emu_cluster *c)
{
    struct emu_flights *list = flights_of(c);

    while (list && list->first) {
        struct emu_flight *f = list->first;
        list->first = f->next;
        free(f->bytes);
        free(f);
    }
    free(list);
    c->async = NULL;
    for (uint32_t i = 0; i < c->cta_count; i++)
        emu_lives_free(&c->ctas[i]);
    for (uint32_t i = 0; i < c->cta_count; i++)
        for (uint32_t k = 0; c->ctas[i].threads && k < c->ctas[i].thread_count; k++)
            free(c->ctas[i].threads[k].async);
}

static struct emu_groups *groups_of(struct emu_thread *t)
{
    if (!t->async && !(t->async = calloc(1, sizeof(struct emu_groups))))
        emu_bad_access(t, NULL, 0, 0, "out of memory for a thread's groups");
    return t->async;
}

uint64_t emu_groups_open(struct emu_thread *t, enum emu_group kind)
{
    return groups_of(t)->open[kind];
}

struct emu_flight *emu_fly(struct emu_thread *t, const struct emu_op *op, enum emu_flight_kind kind)
{
    struct emu_flights *list = flights_of(t->cta->cluster);
    struct emu_flight *f = list ? calloc(1, sizeof *f) : NULL;

    if (!f)
        emu_bad_access(t, NULL, 0, 0, "out of memory for a copy in flight");
    f->kind = kind;
    f->thread = t;
    f->at = op->source;
    *list->last = f;
    list->last = &f->next;
    return f;
}

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

void emu_flight_read(struct emu_flight *f)
{
    if (f->read)
        return;
    f->read = true;
    if (f->kind == EMU_ARRIVE)
        return;
    if (f->kind == EMU_TENSOR_LOAD || f->kind == EMU_TENSOR_STORE) {
        emu_tensor_read(f);
        return;
    }
    f->bytes = malloc(f->size + 1);
    if (!f->bytes)
        emu_bad_access(f->thread, NULL, f->from, f->size, "out of memory for a copy of %llu bytes",
                       (unsigned long long)f->size);
    if (f->copied)
        emu_copy(f->bytes, place(f, f->from_cta, f->from, f->copied, EMU_READ), f->copied);
    emu_fill(f->bytes + f->copied, 0, f->size - f->copied);
}

/* The shared memories that a flight lands in: those of its mask, at the same offset, or the one. */
static void land_bytes(struct emu_flight *f)
{
    struct emu_cluster *c = f->thread->cta->cluster;

    for (uint32_t rank = 0; rank < (f->multicast ? c->cta_count : 1); rank++) {
        struct emu_cta *to = f->multicast ? &c->ctas[rank] : f->to_cta;
        if (f->multicast && !(f->multicast >> rank & 1))
            continue;
        if (to)
            emu_operand_landing(f, to);
        if (f->kind == EMU_REDUCE) {
            unsigned char *at = place(f, to, f->to, f->size, EMU_ATOMIC);
            alu_reduce(f->op, f->type, false, at, f->bytes, f->size);
        } else if (f->size) {
            emu_copy(place(f, to, f->to, f->size, EMU_WRITE), f->bytes, f->size);
        }
    }
}

static void signal_bars(struct emu_flight *f)
{
    struct emu_cluster *c = f->thread->cta->cluster;

    if (!f->bar_cta)
        return;
    if (!f->multicast) {
        emu_order_signal(f, f->bar_cta, f->bar);
        emu_life_land(f, f->bar_cta);
        emu_mbarrier_complete(f->thread, f->bar_cta, f->bar, f->size);
        return;
    }
    for (uint32_t rank = 0; rank < c->cta_count; rank++)
        if (f->multicast >> rank & 1) {
            emu_order_signal(f, &c->ctas[rank], f->bar);
            emu_life_land(f, &c->ctas[rank]);
            emu_mbarrier_complete(f->thread, &c->ctas[rank], f->bar, f->size);
        }
}

/* cp.async operations of the thread before this arrival land first. */
static void land_before(struct emu_flight *f)
{
    struct emu_flights *list = flights_of(f->thread->cta->cluster);
    struct emu_flight *next;

    for (struct emu_flight *o = list->first; o && o != f; o = next) {
        next = o->next;
        if (o->thread == f->thread && o->group == EMU_CP_ASYNC_GROUP)
            emu_flight_land(o);
    }
}

static void land(struct emu_flights *list, struct emu_flight *f)
{
    struct emu_thread *t = f->thread;
    struct emu_cluster *c = t->cta->cluster;
    const struct ptx_instruction *outer = t->landing;

    t->landing = f->at;
    f->landing = true;
    if (f->kind == EMU_ARRIVE) {
        land_before(f);
        emu_order_signal(f, f->bar_cta, f->bar);
        emu_mbarrier_arrive(f->thread, f->bar_cta, f->bar, false);
    } else {
        emu_flight_read(f);
        if (f->kind == EMU_TENSOR_LOAD || f->kind == EMU_TENSOR_STORE)
            emu_tensor_land(f);
        else
            land_bytes(f);
        signal_bars(f);
    }
    t->landing = outer;
    emu_wake(c);
    take_off(list, f);
    free(f->bytes);
    free(f);
}

void emu_flight_land(struct emu_flight *f)
{
    land(flights_of(f->thread->cta->cluster), f);
}

/* ---- when ------------------------------------------------------------------------------------------------------- */

static uint64_t draw(struct emu_cluster *c)
{
    uint64_t z = c->random += 0x9E3779B97F4A7C15u;

    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

bool emu_async_deliver(struct emu_cluster *c, bool must)
{
    const enum emu_delivery how = c->grid->machine->options.delivery;
    struct emu_flights *list = flights_of(c);
    struct emu_flight *pick = NULL;
    unsigned n = 0;

    if (!list || !list->first)
        return false;
    if (how == EMU_EAGER) {
        while (list->first)
            land(list, list->first);
        return true;
    }
    if (how == EMU_RANDOM) {
        if (!must && draw(c) % 4)
            return false;
        for (struct emu_flight *f = list->first; f; f = f->next)
            if (draw(c) % ++n == 0)
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
    struct emu_flights *list = flights_of(c);

    while (list && list->first)
        land(list, list->first);
    emu_lives_end(c);
}

/* ---- groups ------------------------------------------------------------------------------------------------------ */

/* op->u16: enum emu_group. */
static void commit(struct emu_thread *t, const struct emu_op *op)
{
    groups_of(t)->open[op->u16]++;
    emu_order_commit(t, op->u16 == EMU_BULK_GROUP);
}

/* All groups but the op->imm newest committed ones: read (op->u32), or landed. */
static void wait_group(struct emu_thread *t, const struct emu_op *op)
{
    const uint64_t open = groups_of(t)->open[op->u16];
    const uint64_t keep = (uint64_t)op->imm;
    struct emu_flight *next;

    emu_order_group_wait(t, op->u16 == EMU_BULK_GROUP, op->u32, keep);
    for (struct emu_flight *f = flights_of(t->cta->cluster)->first; f; f = next) {
        next = f->next;
        if (f->thread != t || (uint16_t)f->group != op->u16 || f->group_number >= open ||
            open - f->group_number <= keep)
            continue;
        if (op->u32)
            emu_flight_read(f);
        else
            emu_flight_land(f);
    }
}

static void wait_all(struct emu_thread *t, const struct emu_op *op)
{
    commit(t, op);
    wait_group(t, op);
}

static void arrive_on(struct emu_thread *t, const struct emu_op *op)
{
    struct emu_flight *f;
    struct emu_cta *cta;
    uint64_t offset;

    emu_mbarrier_place(t, op->space, t->r[op->d] + (uint64_t)op->imm, &rule_mbarrier_arrive_generic_window, &cta,
                       &offset);
    if (!op->u32)
        emu_mbarrier_arrive(t, cta, offset, true);
    f = emu_fly(t, op, EMU_ARRIVE);
    f->bar_cta = cta;
    f->bar = offset;
    emu_order_fly(f);
}

emu_handler *emu_decode_async(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    switch (i->op) {
    case OP_cp_async_commit_group: op->u16 = EMU_CP_ASYNC_GROUP; return commit;
    case OP_cp_async_bulk_commit_group: op->u16 = EMU_BULK_GROUP; return commit;
    case OP_cp_async_wait_all: op->u16 = EMU_CP_ASYNC_GROUP; return wait_all;
    case OP_cp_async_wait_group:
    case OP_cp_async_bulk_wait_group:
        op->u16 = i->op == OP_cp_async_wait_group ? EMU_CP_ASYNC_GROUP : EMU_BULK_GROUP;
        op->u32 = ptx_has(m, i, PTX_read);
        op->imm = (int64_t)ptx_operand(m, i, 0)->value;
        return wait_group;
    case OP_cp_async_mbarrier_arrive:
        emu_address(ptx_operand(m, i, 0), op, &op->d, &op->imm);
        op->u32 = ptx_has(m, i, PTX_noinc);
        return arrive_on;
    default: return NULL;
    }
}
