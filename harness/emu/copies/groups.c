/* Groups of copies: commit and wait; and arrivals that follow the copies of a thread. */
#include "harness/emu/copies/decoders.h"
#include "harness/emu/copies/deliver.h"
#include "harness/emu/copies/mbarrier.h"
#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/thread.h"
#include "harness/emu/machine/watch.h"

static void commit(struct emu_thread *t, const struct emu_op *op)
{
    const struct emu_watch *watch = emu_watch_all(t);

    emu_groups_commit(t, op->group.kind);
    if (watch)
        watch->group_commit(t, op->group.kind == EMU_BULK_GROUP);
}

/* More copies than these do not stay in flight where a program waits only until their sources have been read. */
enum { IN_FLIGHT = 256 };

/* All groups but the op->group.keep newest committed ones: read (op->group.reads), or landed. */
static void wait_group(struct emu_thread *t, const struct emu_op *op)
{
    const uint64_t open = emu_groups_open(t, op->group.kind);
    const uint64_t keep = op->group.keep;
    const struct emu_watch *watch = emu_watch_all(t);
    struct emu_flights *list = emu_flights_of(t->cta->cluster);
    struct emu_flight *next;

    emu_run_of(t)->heavy += list->n;
    if (watch)
        watch->group_wait(t, &(struct emu_group_wait){
                                 .bulk = op->group.kind == EMU_BULK_GROUP, .read = op->group.reads, .pending = keep });
    for (struct emu_flight *f = list->first; f; f = next) {
        next = f->next;
        if (f->thread != t || (uint16_t)f->group != op->group.kind || f->group_number >= open ||
            open - f->group_number <= keep)
            continue;
        if (op->group.reads && list->n <= IN_FLIGHT)
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

/* cp.async.mbarrier.arrive: the arrival is a copy without bytes, after the cp.async of its thread. */
static void arrive_on(struct emu_thread *t, const struct emu_op *op)
{
    struct emu_flight *f;
    struct emu_cta *cta;
    uint64_t offset;

    emu_mbarrier_place(t, op->space, t->r[op->d] + (uint64_t)op->offset, &rule_cpmb_generic_window, &cta, &offset);
    if (cta != t->cta)
        emu_bad_access(t, &rule_cpmb_generic_window, offset, 8,
                       "cp.async.mbarrier.arrive on an mbarrier of CTA rank %u, and the executing one is %u", cta->rank,
                       t->cta->rank);
    if (op->mbarrier.pending_counts)
        emu_mbarrier_arrive(t, cta, offset, true);
    f = emu_fly(t, op, EMU_ARRIVE);
    f->bar_cta = cta;
    f->bar = offset;
    emu_flight_issued(f);
    emu_flight_off(f);
}

emu_handler *emu_decode_group(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    switch (i->op) {
    case OP_cp_async_commit_group: op->group.kind = EMU_CP_ASYNC_GROUP; return commit;
    case OP_cp_async_bulk_commit_group: op->group.kind = EMU_BULK_GROUP; return commit;
    case OP_cp_async_wait_all: op->group.kind = EMU_CP_ASYNC_GROUP; return wait_all;
    case OP_cp_async_wait_group:
    case OP_cp_async_bulk_wait_group:
        op->group.kind = i->op == OP_cp_async_wait_group ? EMU_CP_ASYNC_GROUP : EMU_BULK_GROUP;
        op->group.reads = ptx_has(m, i, PTX_read);
        op->group.keep = ptx_operand(m, i, 0)->value;
        return wait_group;
    case OP_cp_async_mbarrier_arrive:
        emu_address(ptx_operand(m, i, 0), op, &op->d, &op->offset);
        op->mbarrier.pending_counts = !ptx_has(m, i, PTX_noinc);
        return arrive_on;
    default: return NULL;
    }
}
// SPDX-License-Identifier: Apache-2.0
