/* tex by the lanes of a warp together, in any order of lanes.
 *
 * The common fetches, of one object, in one or two dimensions and without levels, are done step by step for all lanes:
 * which texels (places.c), their values, their mean (mean.c). All others are done lane by lane. Nobody is asked again
 * about a line of texels that is known to be there, claimed for reading, and noted by who watches. */
#include <string.h>

#include "harness/emu/machine/claims.h"
#include "harness/emu/machine/fetched.h"
#include "harness/emu/machine/lanes.h"
#include "harness/emu/machine/pattern.h"
#include "harness/emu/machine/regions.h"
#include "harness/emu/machine/watch.h"
#include "harness/emu/texture/mean.h"
#include "harness/emu/texture/places.h"
#include "harness/emu/texture/sample.h"
#include "harness/emu/texture/texel.h"
#include "harness/emu/texture/texture.h"

/* A fetch by lanes of a set. */
struct fetching {
    struct emu_thread *lanes;
    uint32_t set;
    uint64_t *r; /* slots of their block */
    const struct emu_op *op;
    const struct emu_texture *x;
    const struct emu_region *region; /* that has all texels */
    struct emu_fetched *of;
    uint64_t row;            /* bytes from one to the next, where there are several */
    unsigned size;           /* of a texel, in bytes */
    unsigned corners;        /* texels of a lane: 1, 2, 4 */
    struct emu_places at[2]; /* along x and y */
};

/* ---- lines ------------------------------------------------------------------------------------------------------ */

/* Whether nothing is to be asked any more about a line that a lane fetches from; its texel has been asked about. */
static bool is_known(const struct fetching *w, struct emu_thread *t, uint64_t line)
{
    const struct emu_region *r = w->region;
    const struct emu_watch *watch = emu_watch_all(t);
    const struct emu_run *run = emu_run_of(t);
    const bool texels = !w->x->memory && line >= w->x->at && line + EMU_LINE <= w->of->end;

    if (line < r->at || line + EMU_LINE > r->at + r->size)
        return false;
    if (watch && (!watch->fetched || !watch->fetched(t, line, texels)))
        return false;
    if (!run->claimer)
        return true;
    if (!r->claims.lines)
        return false;
    if (texels)
        emu_claim_bytes(t, emu_region_of(emu_machine_of(t), line), line, EMU_LINE, false);
    return texels || emu_claimed(run, &r->claims, line - r->at, EMU_LINE, false);
}

/* As in a turn of its own. */
static __attribute__((noinline)) void ask(const struct fetching *w, unsigned lane, uint64_t at, uint64_t line)
{
    struct emu_thread *t = &w->lanes[lane];
    const struct emu_op *pc = t->pc;

    t->pc = w->op + 1;
    emu_fetch_texel(t, w->x, at);
    if (is_known(w, t, line))
        *emu_fetched_line(w->of, line) = line;
    t->pc = pc;
}

/* ---- texels ----------------------------------------------------------------------------------------------------- */

/* The bytes of a lane's texel; NULL: of the border. Bit k of `corner`: the second one along dimension k. */
static inline const unsigned char *texel(const struct fetching *w, unsigned lane, unsigned corner)
{
    const int32_t column = w->at[0].texel[corner & 1][lane], row = w->at[1].texel[corner >> 1][lane];
    const uint64_t at = w->x->at + (uint64_t)row * w->row + (uint64_t)column * w->size, line = at & -(uint64_t)EMU_LINE;

    if (column < 0 || row < 0)
        return NULL;
    if (*emu_fetched_line(w->of, line) != line)
        ask(w, lane, at, line);
    return w->region->bytes + (at - w->region->at);
}

static void give(const struct fetching *w, unsigned channel, const uint32_t values[EMU_WARP])
{
    uint64_t *d = w->r + w->op->fetch->values[channel];

    if (w->set == UINT32_MAX) {
        EMU_EACH_LANE
        {
            d[lane] = values[lane];
        }
        return;
    }
    for (uint32_t left = w->set; left; left &= left - 1)
        d[__builtin_ctz(left)] = values[__builtin_ctz(left)];
}

/* Whether the instruction has a register for a channel. */
static bool wants(const struct fetching *w, unsigned channel)
{
    return channel < w->op->fetch->count && w->op->fetch->values[channel] != EMU_NO;
}

static void fetch_nearest(const struct fetching *w)
{
    uint32_t values[EMU_CHANNELS][EMU_WARP], one[EMU_CHANNELS];
    const bool words = w->x->bits == 32 && w->x->channels == 1;

    for (uint32_t left = w->set; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const unsigned char *bytes = texel(w, lane, 0);
        if (words) {
            values[0][lane] = 0;
            if (bytes)
                memcpy(&values[0][lane], bytes, sizeof values[0][lane]);
            values[1][lane] = values[2][lane] = values[3][lane] = 0;
            continue;
        }
        emu_texel_read(w->x, bytes, one);
        for (unsigned channel = 0; channel < EMU_CHANNELS; channel++)
            values[channel][lane] = one[channel];
    }
    for (unsigned channel = 0; channel < EMU_CHANNELS; channel++)
        if (wants(w, channel))
            give(w, channel, values[channel]);
}

/* The texels of a filter, by channel. */
static void gather(const struct fetching *w, struct emu_plane of[EMU_CHANNELS])
{
    const bool floats = w->x->kind == EMU_TEXEL_FLOAT, words = floats && w->x->bits == 32;
    const unsigned channels = w->x->channels;
    uint32_t one[EMU_CHANNELS];
    int32_t integers[EMU_CHANNELS];

    for (unsigned channel = 0; channel < channels; channel++)
        memset(&of[channel], 0, sizeof of[channel]);
    for (unsigned k = 0; k < w->corners; k++)
        for (uint32_t left = w->set; left; left &= left - 1) {
            const unsigned lane = (unsigned)__builtin_ctz(left);
            const unsigned char *bytes = texel(w, lane, k);
            if (!bytes)
                continue;
            if (words) {
                memcpy(one, bytes, channels * sizeof *one);
            } else if (floats) {
                emu_texel_read(w->x, bytes, one);
            } else {
                emu_texel_integers(w->x, bytes, integers);
                memcpy(one, integers, sizeof one);
            }
            for (unsigned channel = 0; channel < channels; channel++)
                of[channel].of[k][lane] = one[channel];
        }
}

/* The mean of a lane's texels of a channel by the filter of one lane. */
static uint32_t mean_of(const struct emu_plane *p, const struct emu_plane_weights *w, unsigned lane, bool half)
{
    uint16_t weights[EMU_WEIGHTS] = { 0 };
    uint32_t texels[EMU_WEIGHTS] = { 0 };

    for (unsigned k = 0; k < EMU_GROUP; k++) {
        weights[k] = (uint16_t)w->of[k][lane];
        texels[k] = p->of[k][lane];
    }
    return emu_filter_floats(weights, texels, half);
}

static void fetch_mean(const struct fetching *w)
{
    const struct emu_texture *x = w->x;
    const bool floats = x->kind == EMU_TEXEL_FLOAT, half = floats && x->bits == 16;
    struct emu_plane of[EMU_CHANNELS];
    struct emu_plane_weights weights;
    uint32_t values[EMU_WARP];

    gather(w, of);
    emu_plane_weigh(w->at[0].fraction, w->at[1].fraction, &weights);
    for (unsigned channel = 0; channel < EMU_CHANNELS; channel++) {
        uint32_t apart = half ? w->set : 0;
        if (!wants(w, channel))
            continue;
        if (channel >= x->channels)
            memset(values, 0, sizeof values);
        else if (!floats)
            emu_plane_fractions(&of[channel], &weights, (int32_t)emu_texel_largest(x), emu_texel_wide(x), values);
        else if (!half)
            apart = emu_plane_floats(&of[channel], &weights, values) & w->set;
        for (; apart; apart &= apart - 1) {
            const unsigned lane = (unsigned)__builtin_ctz(apart);
            values[lane] = channel < x->channels ? mean_of(&of[channel], &weights, lane, half) : 0;
        }
        give(w, channel, values);
    }
}

/* ---- a warp ----------------------------------------------------------------------------------------------------- */

/* Whether the fetch is a common one: then `w` says what is to be fetched. */
static bool is_common(struct fetching *w)
{
    const struct emu_fetch *f = w->op->fetch;
    const struct emu_texture *x = w->x;
    const unsigned dimensions = f->geometry.dimensions;
    const bool linear = x->linear && !f->integers, filtered = linear && emu_texel_is_float(x);

    if (f->layer != EMU_NO || f->level != EMU_NO || f->dx[0] != EMU_NO || f->offset[0] != EMU_NO || x->levels != 1 ||
        x->cube || dimensions > 2 || f->resident != EMU_NO ||
        (f->type != PTX_f32 && f->type != PTX_s32 && f->type != PTX_u32) ||
        (!f->integers && (x->width > EMU_PLACES_MOST || x->height > EMU_PLACES_MOST)))
        return false;
    w->size = emu_texel_bytes(x);
    w->row = x->pitch ? x->pitch : (uint64_t)w->size * x->width;
    if ((x->at | (dimensions > 1 ? w->row : 0)) & (w->size - 1) || (linear && !filtered) || x->width > INT32_MAX)
        return false;
    w->corners = filtered ? 1u << dimensions : 1;
    memset(&w->at[1], 0, sizeof w->at[1]);
    for (unsigned k = 0; k < dimensions; k++) {
        const uint32_t n = k ? x->height : x->width;
        if (f->integers)
            emu_places_whole(w->r + f->at[k], n, &w->at[k]);
        else
            emu_places_of(x, w->r + f->at[k], n, filtered, &w->at[k]);
    }
    return true;
}

/* The object that all lanes of the set name, if each of them may fetch from it whatever its coordinates. */
static const struct emu_texture *object_of(const struct fetching *w)
{
    const struct emu_op *op = w->op;
    const struct emu_fetch *f = op->fetch;
    const uint64_t *handle = w->r + op->a, first = handle[__builtin_ctz(w->set)];
    const struct emu_texture *x;

    for (uint32_t left = w->set; left; left &= left - 1)
        if (handle[__builtin_ctz(left)] != first)
            return NULL;
    x = emu_texture_find(emu_machine_of(w->lanes), first);
    if (!x || !emu_fetch_fits(op, x))
        return NULL;
    const struct emu_coordinates c = { .integers = f->integers,
                                       .dimensions = f->geometry.dimensions,
                                       .of_level = f->level != EMU_NO };
    return emu_sample_is_none(x, &c) ? NULL : x;
}

bool emu_fetch_together(struct emu_thread *lanes, uint32_t set, const struct emu_op *op, struct emu_fetched *of)
{
    const struct emu_thread *first = &lanes[__builtin_ctz(set)];
    struct fetching w = { .lanes = lanes, .set = set, .r = first->r - first->lane, .op = op, .of = of };

    w.x = object_of(&w);
    if (!w.x)
        return false;
    of->low = w.x->at;
    of->end = w.x->at + emu_texture_bytes(w.x);
    w.region = emu_region_of(emu_machine_of(lanes), of->low);
    if (!w.region || w.region->heap || of->end > w.region->at + w.region->size)
        return false;
    if (is_common(&w)) {
        if (w.corners > 1)
            fetch_mean(&w);
        else
            fetch_nearest(&w);
        return true;
    }
    for (; set; set &= set - 1) {
        struct emu_thread *t = &lanes[__builtin_ctz(set)];
        const struct emu_op *pc = t->pc;
        t->pc = op + 1;
        op->run(t, op);
        t->pc = pc;
    }
    return true;
}
// SPDX-License-Identifier: Apache-2.0
