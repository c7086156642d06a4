/* The CTAs, warps and threads of a cluster, with their memory: made and freed. */
#include "harness/emu/schedule/making.h"

#include <stdlib.h>
#include <string.h>

#include "harness/emu/machine/code.h"
#include "harness/emu/machine/frame.h"
#include "harness/emu/machine/regions.h"
#include "harness/emu/machine/shared.h"
#include "harness/emu/machine/spare.h"
#include "harness/emu/machine/thread.h"
#include "harness/emu/schedule/around.h"
#include "harness/emu/schedule/finder.h"
#include "harness/emu/schedule/tried.h"
#include "harness/emu/schedule/turns.h"

/* What shared memory holds before anything is written to it; and with the option `other_values`. */
enum { UNWRITTEN = 0xCD, UNWRITTEN_ELSE = 0x35 };

void emu_place_in(const uint32_t dim[3], uint64_t i, uint32_t out[3])
{
    out[0] = (uint32_t)(i % dim[0]);
    out[1] = (uint32_t)(i / dim[0] % dim[1]);
    out[2] = (uint32_t)(i / dim[0] / dim[1]);
}

/* The place behind one, as emu_place_in has them. */
static void next_place(const uint32_t dim[3], uint32_t place[3])
{
    if (++place[0] < dim[0])
        return;
    place[0] = 0;
    if (++place[1] < dim[1])
        return;
    place[1] = 0;
    place[2]++;
}

/* Most threads have none of these. */
static void thread_free(struct emu_thread *t)
{
    if (t->local) {
        free(t->local);
        emu_unreserve(emu_machine_of(t), t->local_size);
    }
    if (t->offer)
        free(t->offer);
    if (t->poll_registers)
        free(t->poll_registers);
}

/* An access of 16 bytes may begin at the last one. */
static size_t room_of_shared(const struct emu_cta *cta)
{
    return cta->shared_bytes + 16;
}

/* All lanes of each warp exist. */
static size_t threads_bytes(const struct emu_cta *cta)
{
    return emu_warps_of(cta->thread_count) * EMU_WARP * sizeof *cta->threads;
}

void emu_cluster_free(struct emu_cluster *c)
{
    for (uint32_t i = 0; i < c->cta_count; i++) {
        struct emu_cta *cta = &c->ctas[i];
        for (uint32_t k = 0; cta->threads && cta->live && k < cta->thread_count; k++)
            while (cta->threads[k].frame)
                emu_frame_pop(&cta->threads[k]);
        for (uint32_t k = 0; cta->threads && cta->extras && k < cta->thread_count; k++)
            thread_free(&cta->threads[k]);
        if (cta->extras)
            emu_arounds_free(cta);
        emu_frames_free(cta);
        if (cta->shared)
            emu_unreserve(c->grid->machine, cta->shared_bytes);
        emu_spare_give(c->grid->spare, cta->threads, threads_bytes(cta));
        free(cta->warps);
        emu_spare_give(c->grid->spare, cta->shared, room_of_shared(cta));
        free(cta->barriers);
    }
    free(c->ctas);
    free(c->barrier);
    free(c->run->named);
    emu_tried_free(c);
    emu_turns_free(c);
    emu_finder_free(c);
}

static bool make_cta(struct emu_cluster *c, struct emu_cta *cta, const struct emu_image *image)
{
    const struct emu_grid *g = c->grid;
    const uint32_t n = g->block[0] * g->block[1] * g->block[2];
    const uint32_t whole = emu_warps_of(n) * EMU_WARP;
    uint32_t tid[3] = { 0 };

    cta->cluster = c;
    cta->thread_count = n;
    cta->shared_bytes = emu_shared_of(image, g->entry)->dynamic + g->smem;
    if (!emu_reserve(g->machine, cta->shared_bytes))
        return false;
    cta->shared = emu_spare_take(g->spare, room_of_shared(cta));
    if (!cta->shared)
        emu_unreserve(g->machine, cta->shared_bytes);
    cta->threads = emu_spare_take(g->spare, threads_bytes(cta));
    cta->warps = calloc(whole / EMU_WARP, sizeof *cta->warps);
    if (!cta->shared || !cta->threads || !cta->warps)
        return false;
    cta->live = n; /* from here on the threads are something: emu_cluster_free looks at them */
    memset(cta->shared, g->machine->options.other_values ? UNWRITTEN_ELSE : UNWRITTEN, cta->shared_bytes);
    for (uint32_t warp = 0; warp < whole / EMU_WARP; warp++) {
        struct emu_thread *t = &cta->threads[warp * EMU_WARP];
        memset(t, 0, EMU_WARP * sizeof *t); /* few enough to be still in the cache when they are set */
        for (uint32_t lane = 0; lane < EMU_WARP; lane++, t++) {
            t->cta = cta;
            t->index = warp * EMU_WARP + lane;
            t->lane = lane;
            t->warp = warp;
            for (int side = 0; side < 3; side++) /* by words, as next_place has just written them */
                t->tid[side] = tid[side];
            next_place(g->block, tid);
        }
    }
    for (uint32_t i = n; i < whole; i++)
        cta->threads[i].state = EMU_EXITED;
    return true;
}

bool emu_cluster_make(struct emu_cluster *c, struct emu_image *image, const struct emu_code *code)
{
    const struct emu_grid *g = c->grid;

    c->live = g->cluster_dim[0] * g->cluster_dim[1] * g->cluster_dim[2];
    c->ctas = calloc(c->live, sizeof *c->ctas);
    if (!c->ctas)
        return false;
    c->cta_count = c->live;
    for (uint32_t i = 0; i < c->cta_count; i++) {
        struct emu_cta *cta = &c->ctas[i];
        cta->rank = i;
        emu_place_in(g->cluster_dim, i, cta->ctaid);
        for (int side = 0; side < 3; side++)
            cta->ctaid[side] += c->id[side] * g->cluster_dim[side];
        if (!make_cta(c, cta, image) || !emu_frames_make(cta, code))
            return false;
    }
    if (!emu_turns_make(c))
        return false;
    if (g->machine->options.swaps && !emu_code_is_orderly(code) && !emu_finder_make(c)) /* else there is no swap */
        return false;
    c->asked = (c->finder && !emu_code_is_straight(code)) || g->machine->options.turns == EMU_TURNS_SWAPPED ||
               g->machine->options.turns == EMU_TURNS_ALONE || g->machine->options.turns == EMU_TURNS_STOPS;
    return true;
}
// SPDX-License-Identifier: Apache-2.0
