/* What threads know of one another and of copies; where they are. */
#include "harness/emu/judge/known.h"

#include <stdio.h>

#include "harness/emu/judge/clock.h"
#include "harness/emu/machine/address.h"
#include "harness/emu/machine/name.h"
#include "harness/emu/machine/regions.h"

uint32_t order_known(const struct order *o, uint32_t thread, enum order_view view, uint32_t component)
{
    const struct order_thread *t = &o->thread[thread];
    const uint32_t past = order_clock_value(o, t->pasts->of[view].own_cluster, component);
    const uint32_t own = component / OWN_COUNT == thread ? t->view[view].own[component % OWN_COUNT] : 0;

    return own > past ? own : past;
}

uint32_t order_instruction(const struct order *o, const struct ptx_instruction *i)
{
    return i ? (uint32_t)(i - o->module->instructions) : PTX_NO;
}

uint32_t order_instruction_now(const struct order *o, const struct emu_thread *t)
{
    return order_instruction(o, t->pc ? t->pc[-1].source : NULL);
}

const struct ptx_instruction *order_stale_wait(const struct emu_thread *t)
{
    const struct order *o = order_of(t);
    const struct order_thread *x = o ? &o->thread[order_number(o, t)] : NULL;

    return x && x->bar_again && x->bar_at != PTX_NO ? &o->module->instructions[x->bar_at] : NULL;
}

uint32_t order_epoch(const struct emu_thread *t)
{
    const struct order *o = order_of(t);

    return o ? o->thread[order_number(o, t)].view[VIEW_GENERIC].own[OWN_NOW] : 0;
}

bool order_knows(const struct emu_thread *t, const struct emu_thread *other, uint32_t place)
{
    const struct order *o = order_of(t);

    return !o ||
           order_known(o, order_number(o, t), VIEW_LOOSE, order_component(order_number(o, other), OWN_NOW)) >= place;
}

uint32_t order_known_of(const struct order *o, uint32_t thread, enum order_view view, uint32_t who, enum order_own own)
{
    const uint32_t local = who - o->base;

    if (local < o->threads)
        return order_known(o, thread, view, order_component(local, own));
    return order_past_value(o, &o->thread[thread].pasts->of[view], o->number, who / o->threads,
                            order_component(who % o->threads, own));
}

uint32_t order_cluster_threads(const struct emu_grid *g)
{
    return g->block[0] * g->block[1] * g->block[2] * g->cluster_dim[0] * g->cluster_dim[1] * g->cluster_dim[2];
}

void order_grid_place(const struct emu_grid *g, uint32_t who, uint32_t at, uint64_t key, uint64_t bytes,
                      struct emu_place *out)
{
    const uint32_t threads = order_cluster_threads(g), per_cta = g->block[0] * g->block[1] * g->block[2];
    const uint32_t cluster = who / threads, rank = who % threads / per_cta, index = who % per_cta;
    const uint32_t n[2] = { g->dim[0] / g->cluster_dim[0], g->dim[1] / g->cluster_dim[1] };
    const uint32_t id[3] = { cluster % n[0], cluster / n[0] % n[1], cluster / n[0] / n[1] };
    const uint32_t in[3] = { rank % g->cluster_dim[0], rank / g->cluster_dim[0] % g->cluster_dim[1],
                             rank / g->cluster_dim[0] / g->cluster_dim[1] };

    *out = (struct emu_place){ .known = true,
                               .address = order_is_shared(key) ? key & UINT32_MAX : key,
                               .bytes = bytes,
                               .at = at == PTX_NO ? NULL : &g->module->instructions[at],
                               .tid = { index % g->block[0], index / g->block[0] % g->block[1],
                                        index / g->block[0] / g->block[1] } };
    for (int i = 0; i < 3; i++)
        out->ctaid[i] = id[i] * g->cluster_dim[i] + in[i];
}

void order_place(const struct order *o, uint32_t who, uint32_t at, uint64_t key, uint64_t bytes, struct emu_place *out)
{
    order_grid_place(o->cluster->grid, who, at, key, bytes, out);
}

void order_place_of(const struct order *o, uint32_t thread, uint32_t at, uint64_t key, uint64_t bytes,
                    struct emu_place *out)
{
    order_place(o, o->base + thread, at, key, bytes, out);
}

void order_bytes_words(const struct order *o, uint64_t key, uint64_t bytes, char *out, size_t size)
{
    struct emu_spot spot;
    char name[60];

    if (order_is_shared(key)) {
        emu_shared_name(o->cluster->grid, key & UINT32_MAX, name, sizeof name);
        snprintf(out, size, "bytes %llu to %llu of CTA rank %llu's shared memory%s",
                 (unsigned long long)(key & UINT32_MAX), (unsigned long long)((key & UINT32_MAX) + bytes - 1),
                 (unsigned long long)(key >> 32 & 0xffff), name);
    } else {
        emu_spot_of(o->grid->grid->machine, key, &spot);
        snprintf(out, size, "bytes %llu to %llu of %s", (unsigned long long)spot.offset,
                 (unsigned long long)(spot.offset + bytes - 1), spot.name);
    }
}

void order_allocation_words(const struct order *o, uint64_t key, char *out, size_t size)
{
    const struct emu_region *r = emu_region_of(o->grid->grid->machine, key);

    out[0] = 0;
    if (r)
        snprintf(out, size, " (of %llu bytes)", (unsigned long long)r->size);
}

bool order_is_systems(const struct order *o, uint64_t key)
{
    return o->cluster->run->reserved && order_is_shared(key) && (uint32_t)key < EMU_SHARED_BASE;
}
// SPDX-License-Identifier: Apache-2.0
