/* The mbarrier objects of a CTA, by their place, and findings about them. */
#include "harness/emu/copies/mbarrier_objects.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/name.h"

struct emu_mbarrier *emu_mbarrier_find(const struct emu_cta *cta, uint64_t offset)
{
    const struct emu_mbarriers *all = cta->mbarriers;
    uint32_t n;

    if (!all || !all->count || offset / EMU_MBARRIER_BYTES >= cta->shared_bytes / EMU_MBARRIER_BYTES)
        return NULL;
    n = all->slot[offset / EMU_MBARRIER_BYTES];
    return n ? all->all[n - 1] : NULL;
}

/* Made with the first object: from then on the watcher hears of accesses of the CTA's shared memory. */
static struct emu_mbarriers *mbarriers_of(struct emu_cta *cta)
{
    struct emu_mbarriers *all = cta->mbarriers;

    if (all)
        return all;
    all = calloc(1, sizeof *all);
    if (!all)
        return NULL;
    all->slot = calloc(cta->shared_bytes / EMU_MBARRIER_BYTES + 1, sizeof *all->slot);
    if (!all->slot) {
        free(all);
        return NULL;
    }
    all->first = UINT64_MAX;
    cta->mbarriers = all;
    cta->watched = cta->cluster->watch != NULL;
    return all;
}

struct emu_mbarrier *emu_mbarrier_at(struct emu_cta *cta, uint64_t offset)
{
    struct emu_mbarriers *all = mbarriers_of(cta);
    struct emu_mbarrier *m = emu_mbarrier_find(cta, offset);

    if (m || !all)
        return m;
    if (all->count == all->room) {
        const uint32_t room = all->room ? all->room * 2 : 8;
        struct emu_mbarrier **more = realloc(all->all, room * sizeof *more);
        if (!more)
            return NULL;
        all->all = more;
        all->room = room;
    }
    m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->cta = cta;
    m->offset = offset;
    m->number = all->count;
    all->all[all->count++] = m;
    all->slot[offset / EMU_MBARRIER_BYTES] = all->count;
    if (offset < all->first)
        all->first = offset;
    if (offset > all->last)
        all->last = offset;
    return m;
}

void emu_mbarriers_free(struct emu_cta *cta)
{
    struct emu_mbarriers *all = cta->mbarriers;

    cta->mbarriers = NULL;
    if (!all)
        return;
    for (uint32_t i = 0; i < all->count; i++)
        free(all->all[i]);
    free(all->all);
    free(all->slot);
    free(all);
}

/* ---- findings --------------------------------------------------------------------------------------------------- */

void emu_mbarrier_counts(const struct emu_mbarrier *m, char *out, size_t size)
{
    size_t n;

    if (m->state != EMU_MBARRIER_ALIVE) {
        snprintf(out, size, "%s", m->state == EMU_MBARRIER_ENDED ? "it has been invalidated" : "it has not been made");
        return;
    }
    n = (size_t)snprintf(out, size, "phase %llu, %llu of %llu arrivals pending", (unsigned long long)m->phase,
                         (unsigned long long)emu_mbarrier_pending(m), (unsigned long long)emu_mbarrier_arrivals(m));
    if ((m->expected || m->delivered) && n < size)
        snprintf(out + n, size - n, ", %llu bytes expected and %llu delivered", (unsigned long long)m->expected,
                 (unsigned long long)m->delivered);
}

static void report(struct emu_grid *g, const struct ck_rule *rule, const struct emu_mbarrier *m,
                   const struct emu_place *here, const struct emu_place *there, const char *remedy, const char *what,
                   bool leads)
{
    struct emu_finding f = { .rule = rule, .leads = leads, .here = *here };
    char counts[160], name[60];

    if (there)
        f.there = *there;
    emu_mbarrier_counts(m, counts, sizeof counts);
    emu_shared_name(g, m->offset, name, sizeof name);
    snprintf(f.message, sizeof f.message, "the mbarrier at offset %llu%s of CTA rank %u (%s): %s",
             (unsigned long long)m->offset, name, m->cta->rank, counts, what);
    snprintf(f.remedy, sizeof f.remedy, "%s", remedy);
    emu_file(g, &f);
}

void emu_mbarrier_report(struct emu_grid *g, const struct ck_rule *rule, const struct emu_mbarrier *m,
                         const struct emu_place *here, const struct emu_place *there, const char *remedy,
                         const char *what)
{
    report(g, rule, m, here, there, remedy, what, false);
}

void emu_mbarrier_report_cause(struct emu_grid *g, const struct ck_rule *rule, const struct emu_mbarrier *m,
                               const struct emu_place *here, const struct emu_place *there, const char *remedy,
                               const char *what)
{
    report(g, rule, m, here, there, remedy, what, true);
}

void emu_mbarrier_complain(struct emu_thread *t, const struct ck_rule *rule, const struct emu_mbarrier *m,
                           const struct emu_place *there, const char *remedy, const char *format, ...)
{
    struct emu_place here;
    char what[240];
    va_list args;

    emu_place_of(t, m->offset, EMU_MBARRIER_BYTES, &here);
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    emu_mbarrier_report(t->cta->cluster->grid, rule, m, &here, there, remedy, what);
}
// SPDX-License-Identifier: Apache-2.0
