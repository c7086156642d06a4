/* wgmma: the issue of a product by a warp, the fence, groups and the wait for them.
 *
 * A warp issues its part of a product when all its lanes are there. The part is a flight: it reads registers and shared
 * memory, and writes D, when it lands. */
#include "harness/emu/instructions/matrix.h"
#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/thread.h"
#include "harness/emu/machine/watch.h"
#include "harness/emu/wgmma/wgmma.h"

/* What a warp's part of a product takes beside its instruction, in additions: itself, and so many sums. */
enum { COST = 6000, SUMS = 8 };

static void tell(const struct emu_meeting *m, const struct emu_op *op, struct emu_flight *f)
{
    const struct emu_watch *watch = emu_watch_all(m->lane[0]);

    if (watch && watch->wgmma)
        watch->wgmma(m->lane, op, f);
}

/* The warp belongs to a whole warpgroup; all lanes have the same descriptors. */
static void check(struct emu_thread *t, const struct emu_wgmma *w, const struct emu_meeting *m)
{
    const uint32_t first = t->warp / WGMMA_WARPS * WGMMA_WARPS * EMU_WARP, end = first + WGMMA_WARPS * EMU_WARP;

    if (end > t->cta->thread_count)
        emu_bad_access(t, &rule_wgmma_warpgroup, 0, 0,
                       "wgmma needs a warpgroup of four warps; threads %u and on of the CTA are only %u", first,
                       t->cta->thread_count - first);
    for (uint32_t i = 0; i < EMU_WARP; i++) {
        const uint64_t *r = m->lane[i]->r;
        const bool scales = (r[w->scale_d] != 0) == (t->r[w->scale_d] != 0);
        if (r[w->a_matrix] == t->r[w->a_matrix] && r[w->matrix] == t->r[w->matrix] && scales)
            continue;
        emu_complain(t, scales ? &rule_wgmma_uniform : &rule_wgmma_uniform_scale_d, NULL, 0, 0,
                     "the lanes %u and %u of a warp have different %s for one wgmma", t->lane, i,
                     scales ? "matrix descriptors" : "predicates scale-d");
        return;
    }
}

/* Whether four bits of metadata say which elements are kept: two that differ, or of tf32 one of two. */
static bool says_which(const struct emu_wgmma *w, uint32_t four)
{
    return w->kind.dot.bits == 32 ? four == 4 || four == 14 : (four & 3) != four >> 2;
}

/* The lanes whose metadata count: two of each four, or all where elements have 8 bits. */
static void check_metadata(struct emu_thread *t, const struct emu_wgmma *w, const struct emu_meeting *m)
{
    for (uint32_t i = 0; i < EMU_WARP; i++) {
        const uint32_t metadata = (uint32_t)m->lane[i]->r[w->metadata];
        for (unsigned at = 0; (w->kind.dot.bits == 8 || i % 4 / 2 == w->selector) && at < 32; at += 4)
            if (!says_which(w, metadata >> at & 15)) {
                emu_complain(t, &rule_wgmma_sp_pairs, NULL, 0, 0,
                             "bits %u to %u of lane %u's sp-meta 0x%08x are %u, which does not say what is kept", at,
                             at + 3, i, metadata, metadata >> at & 15);
                return;
            }
    }
}

void emu_wgmma_issue(struct emu_thread *t, const struct emu_op *op)
{
    const struct emu_wgmma *w = op->wgmma;
    struct emu_wgmma_flight *x;
    struct emu_thread *first;
    struct emu_flight *f;
    struct emu_meeting m;

    if (!emu_matrix_meet(t, op, &m))
        return;
    check(t, w, &m);
    if (w->sparse)
        check_metadata(t, w, &m);
    first = m.lane[0];
    f = emu_fly(first, op, EMU_WGMMA);
    emu_flight_hold(f, sizeof *x);
    f->land = emu_wgmma_land;
    f->group = EMU_WGMMA_GROUP;
    f->group_number = emu_groups_open(first, EMU_WGMMA_GROUP);
    x = emu_wgmma_flight(f);
    *x = (struct emu_wgmma_flight){ .op = op,
                                    .a = emu_matrix_of(t->r[w->a_matrix], w->a_across),
                                    .b = emu_matrix_of(t->r[w->matrix], w->kind.b_across),
                                    .adds = (t->r[w->scale_d] != 0) != w->scale_not,
                                    .depth = t->frame->depth };
    for (uint32_t i = 0; i < EMU_WARP; i++)
        x->of[i] = m.lane[i]->frame;
    tell(&m, op, f);
    emu_run_of(t)->heavy += COST + (uint64_t)w->kind.columns * w->kind.depth * PRODUCT_ROWS / SUMS;
    emu_warp_release(t, &m);
}

void emu_wgmma_fence(struct emu_thread *t, const struct emu_op *op)
{
    struct emu_meeting m;

    if (!emu_matrix_meet(t, op, &m))
        return;
    tell(&m, op, NULL);
    emu_warp_release(t, &m);
}

void emu_wgmma_commit(struct emu_thread *t, const struct emu_op *op)
{
    struct emu_meeting m;

    if (!emu_matrix_meet(t, op, &m))
        return;
    emu_groups_commit(m.lane[0], EMU_WGMMA_GROUP);
    tell(&m, op, NULL);
    emu_warp_release(t, &m);
    emu_wake(t->cta->cluster);
}

/* Lane 0 of warp k of the thread's warpgroup; NULL where there is none, or it has ended. */
static struct emu_thread *first_of(const struct emu_thread *t, uint32_t k)
{
    const uint32_t at = (t->warp / WGMMA_WARPS * WGMMA_WARPS + k) * EMU_WARP;

    return at < t->cta->thread_count && t->cta->threads[at].state != EMU_EXITED ? &t->cta->threads[at] : NULL;
}

/* How many groups have to be complete behind a wait. */
static uint64_t awaited(const struct emu_thread *t, const struct emu_op *op)
{
    const uint64_t open = emu_groups_open(&t->cta->threads[t->warp * EMU_WARP], EMU_WGMMA_GROUP);

    return open > op->wgmma_keep ? open - op->wgmma_keep : 0;
}

/* The first warp of the warpgroup that has yet to commit one of so many groups; WGMMA_WARPS: none. */
static uint32_t who_lacks(const struct emu_thread *t, uint64_t before)
{
    for (uint32_t k = 0; k < WGMMA_WARPS; k++) {
        struct emu_thread *other = first_of(t, k);
        if (other && emu_groups_open(other, EMU_WGMMA_GROUP) < before)
            return k;
    }
    return WGMMA_WARPS;
}

/* A group is one of the warpgroup (PTX ISA, wgmma.commit_group): it is complete when the parts of all four warps are.
 * So a warp waits until the others have committed theirs, and those land too. */
void emu_wgmma_wait(struct emu_thread *t, const struct emu_op *op)
{
    const uint64_t before = awaited(t, op);
    const uint32_t lacks = who_lacks(t, before);
    struct emu_meeting m;

    if (lacks < WGMMA_WARPS) {
        emu_block(t, EMU_WAIT_GROUP, lacks, before);
        return;
    }
    if (!emu_matrix_meet(t, op, &m))
        return;
    tell(&m, op, NULL);
    for (uint32_t k = 0; k < WGMMA_WARPS; k++) {
        struct emu_thread *other = first_of(t, k);
        if (other)
            emu_wgmma_land_all(other, before);
    }
    emu_warp_release(t, &m);
}

void emu_wgmma_wait_whole(struct emu_thread *lanes, uint32_t set, const struct emu_op *op)
{
    const bool blocks = who_lacks(lanes, awaited(lanes, op)) < WGMMA_WARPS;

    (void)set;
    for (uint32_t i = blocks ? 0 : EMU_WARP - 1; i < EMU_WARP; i++) {
        lanes[i].pc = op + 1;
        emu_wgmma_wait(&lanes[i], op);
    }
}
// SPDX-License-Identifier: Apache-2.0
