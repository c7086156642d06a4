/* The operands of a copy, compared with what its instruction asks of them: alignment, bounds, whose shared memory. */
#include "harness/emu/copies/operand.h"

#include "harness/emu/copies/flight.h"
#include "harness/emu/machine/findings.h"

/* The CTA that a shared address names; NULL where it names none of the cluster, or is not a shared address. */
static struct emu_cta *named(const struct emu_thread *t, uint16_t space, uint64_t address)
{
    const uint32_t rank = (uint32_t)address >> EMU_RANK_SHIFT;
    struct emu_cluster *c = t->cta->cluster;

    if (space != PTX_shared && space != PTX_shared_cta && space != PTX_shared_cluster)
        return NULL;
    return !rank ? t->cta : rank <= c->cta_count ? &c->ctas[rank - 1] : NULL;
}

void emu_operand_place(struct emu_thread *t, const struct emu_operand *o, struct emu_cta **cta, uint64_t *at)
{
    const struct emu_cta *owner = named(t, o->space, o->address);
    uint16_t space = o->space;
    uint64_t offset = 0;

    if (o->align > 1 && o->address % o->align) {
        char where[140];
        emu_spot_words(t, space, o->address, where, sizeof where);
        emu_bad_access(t, o->aligned, o->address, o->bytes, "the %s of the copy, %s, is not a multiple of %u", o->what,
                       where, o->align);
    }
    *cta = NULL;
    *at = o->address;
    if (!o->bytes)
        return;
    if (o->own && space == PTX_shared_cta && owner && owner != t->cta) {
        emu_complain(t, o->own, NULL, o->address, o->bytes,
                     "the %s of the copy is in CTA rank %u; the form with .shared::cta names the executing CTA's, "
                     "rank %u",
                     o->what, owner->rank, t->cta->rank);
        space = PTX_shared_cluster; /* where the H200 puts it */
    }
    if (space == PTX_shared_cluster && owner && owner != t->cta && !owner->live)
        emu_bad_access(t, &rule_bulk_exit_dst_alive, o->address, o->bytes,
                       "the %s of the copy is in CTA rank %u, which has exited", o->what, owner->rank);
    t->bounds[0] = o->inside;
    t->bounds[1] = o->also;
    emu_bytes(t, space, o->address, o->bytes, 1, o->access, &offset, cta);
    t->bounds[0] = t->bounds[1] = NULL;
    if (*cta)
        *at = offset;
}

void emu_operand_mask(struct emu_thread *t, uint16_t mask)
{
    struct emu_cluster *c = t->cta->cluster;

    if (mask >> c->cta_count)
        emu_bad_access(t, &rule_bulk_mc_rank_exists, mask, 0,
                       "the multicast mask 0x%x selects a CTA that the cluster of %u lacks", mask, c->cta_count);
    for (uint32_t rank = 0; rank < c->cta_count; rank++)
        if (mask >> rank & 1 && !c->ctas[rank].live)
            emu_bad_access(t, &rule_bulk_mc_rank_exists, mask, 0,
                           "the multicast mask 0x%x selects CTA rank %u, which has exited", mask, rank);
}

void emu_operand_landing(const struct emu_flight *f, const struct emu_cta *to)
{
    struct emu_thread *t = f->thread;

    if (to->live || to == t->cta) /* its own CTA: judge/exit.c */
        return;
    emu_complain(t, f->multicast ? &rule_bulk_mc_rank_exists : &rule_bulk_exit_dst_alive,
                 f->multicast ? &rule_bulk_exit_dst_alive : NULL, f->to, f->size,
                 "a copy of %llu bytes arrives in CTA rank %u, which has exited", (unsigned long long)f->size,
                 to->rank);
}
// SPDX-License-Identifier: Apache-2.0
