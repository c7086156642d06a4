/* Copies that nobody waited for: shared memory goes with its CTA, so a copy that reads or writes it ends before. */
#include "harness/emu/judge/exit.h"

#include <stdio.h>

#include "harness/emu/judge/before.h"
#include "harness/emu/judge/grid.h"
#include "harness/emu/judge/group.h"
#include "harness/emu/judge/known.h"
#include "harness/emu/machine/findings.h"

/* Whether a thread of this CTA knew, when it ended, that the copy is complete (wrote) or has read its source. A wait
 * without acquire tells as much. */
static bool known_in(const struct order *o, const struct order_flight *f, uint32_t rank, bool wrote)
{
    for (uint32_t i = rank * o->per_cta; i < (rank + 1) * o->per_cta; i++)
        if (order_flight_known(o, f, i, VIEW_GENERIC, wrote) || order_flight_known(o, f, i, VIEW_LOOSE, wrote))
            return true;
    return false;
}

static void report(struct order *o, const struct order_flight *f, const struct ck_rule *rule, const char *what,
                   uint32_t rank, const char *remedy)
{
    struct emu_finding x = { .rule = rule, .signals = f->signals ? f->bar_offset + 1 : 0 };

    order_place_of(o, f->thread, f->at, 1ull << 62, 0, &x.here);
    if (f->at != PTX_NO && emu_filed(o->cluster->grid, rule, x.here.at, NULL))
        return;
    snprintf(x.message, sizeof x.message,
             "thread %u,%u,%u of CTA %u,%u,%u issued a copy (line %u), and CTA rank %u ended without a wait for %s",
             x.here.tid[0], x.here.tid[1], x.here.tid[2], x.here.ctaid[0], x.here.ctaid[1], x.here.ctaid[2],
             x.here.at ? x.here.at->line : 0, rank, what);
    snprintf(x.remedy, sizeof x.remedy, "%s", remedy);
    if (f->kind == COPY_CP_ASYNC || f->kind == COPY_BULK_GROUP)
        order_group_table(o, f, PTX_NO, x.table, sizeof x.table);
    emu_file(o->cluster->grid, &x);
}

void order_check_exit(struct order *o)
{
    for (uint32_t i = 0; i < o->flight_count; i++) {
        const struct order_flight *f = order_flight_mine(o, i);
        if (f->kind == COPY_CP_ASYNC) {
            if (!known_in(o, f, f->thread / o->per_cta, true))
                report(o, f, &rule_cpasync_exit_pending, "its completion", f->thread / o->per_cta,
                       "cp.async.wait_all before the end");
            continue;
        }
        if (f->from && !known_in(o, f, f->from - 1u, false))
            report(o, f, &rule_bulk_exit_source_alive, "the reading of its source", f->from - 1u,
                   f->kind == COPY_BULK_GROUP ? "commit, and wait_group.read 0 before the end"
                                              : "a cluster barrier after the receiver's wait");
        for (uint32_t rank = 0; rank < o->cluster->cta_count; rank++)
            if (f->into >> rank & 1 && !known_in(o, f, rank, true))
                report(o, f, &rule_bulk_exit_dst_alive, "its completion", rank, "wait on its mbarrier before the end");
    }
}
// SPDX-License-Identifier: Apache-2.0
