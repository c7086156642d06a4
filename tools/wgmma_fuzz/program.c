/* A program as the processes of tools/async_fuzz run it: its text, its memory and its tensor maps, all from the seed.
 */
#include <stdio.h>
#include <string.h>

#include "tools/wgmma_fuzz/gen.h"
#include "tools/wgmma_fuzz/wrong.h"

void program_header(struct ck_growing *out)
{
    text_add(out, ".version 8.8\n.target sm_90a\n.address_size 64\n\n.shared .align 1024 .b8 smem[%d];\n", SHARED);
}

static int64_t type_of(const struct kind *k)
{
    return k->bytes == 1 ? TENSOR_U8 : k->bytes == 2 ? TENSOR_U16 : TENSOR_U32;
}

static void make_map(const struct plan *p, const struct operand *o, unsigned more, struct tensor_map *m)
{
    const unsigned tiles = p->tiles + more, columns = o->across ? o->lines * o->groups : p->steps * p->kind->k;

    *m = (struct tensor_map){ .type = type_of(p->kind),
                              .rank = 2,
                              .address = o->at,
                              .dims = { columns,
                                        o->across ? p->steps * p->kind->k * tiles : o->lines * o->groups * tiles },
                              .strides = { (uint64_t)columns * p->kind->bytes },
                              .box = { o->box[0], o->box[1] },
                              .element_strides = { 1, 1 },
                              .swizzle = TENSOR_SWIZZLE_NONE + o->swizzle };
    if (o->load != LOAD_TENSOR) /* it is not used, but must be legal */
        *m = (struct tensor_map){
            .type = TENSOR_U8, .rank = 1, .dims = { 16 }, .box = { 16 }, .element_strides = { 1 }, .address = o->at
        };
}

void program_form(struct program *p, uint64_t seed, unsigned wrong, struct ck_growing *out, struct gen *g)
{
    *p = (struct program){ .seed = seed, .full = true, .ctas = 1 };
    snprintf(p->entry, sizeof p->entry, "p%016llx", (unsigned long long)seed);
    *g = (struct gen){ .out = out, .entry = p->entry, .wrong = wrong };
    plan_draw(&g->p, seed);
    p->threads = plan_threads(&g->p);
    p->clusters = g->p.clusters;
    make_map(&g->p, &g->p.a, g->p.store == STORE_TENSOR, &p->maps[0]);
    make_map(&g->p, &g->p.b, 0, &p->maps[1]);
    generate(g);
}

void program_generate(struct program *p, uint64_t seed, const bool *skip, struct ck_growing *out)
{
    struct gen g;

    (void)skip;
    program_form(p, seed, 0, out, &g);
}

static struct plan plan_of(const struct program *p)
{
    struct plan plan;

    plan_draw(&plan, p->seed);
    return plan;
}

size_t program_bytes(const struct program *p)
{
    return (size_t)plan_of(p).slice * p->clusters;
}

/* An element that is no infinity and no NaN, and not far from 1. */
static uint32_t tame(const struct kind *k, uint64_t r)
{
    const uint32_t sign = r >> 32 & 1;

    if (k->integer)
        return (uint32_t)r;
    if (k->bytes == 1) /* e4m3 and e5m2 alike */
        return sign << 7 | (uint32_t)(0x28 + r % 0x28);
    if (k->bytes == 4)
        return sign << 31 | (uint32_t)(120 + r % 12) << 23 | (uint32_t)(r >> 40 & 0x7fffff);
    return sign << 15 | (k->a[0] == 'b' ? (uint32_t)(120 + r % 12) << 7 | (uint32_t)(r >> 40 & 0x7f)
                                        : (uint32_t)(9 + r % 11) << 10 | (uint32_t)(r >> 40 & 0x3ff));
}

void program_input(const struct program *p, unsigned char *memory)
{
    const struct plan plan = plan_of(p);
    const unsigned size = plan.kind->bytes;
    uint64_t x = splitmix64(p->seed ^ 0x696e707574u);

    memset(memory, 0xA5, (size_t)plan.slice * p->clusters);
    for (unsigned c = 0; c < p->clusters; c++)
        for (unsigned at = 0; at < plan.out_at; at += size) {
            const uint64_t r = splitmix64(x++);
            const uint32_t element = plan.wild ? (uint32_t)r : tame(plan.kind, r);
            memcpy(memory + (size_t)c * plan.slice + at, &element, size);
        }
}

struct tensor_map program_map(const struct program *p, unsigned cluster, unsigned map, uint64_t base)
{
    struct tensor_map m = p->maps[map];

    m.address += base + (uint64_t)cluster * plan_of(p).slice;
    return m;
}

void program_place(const struct program *p, size_t offset, char *out, size_t size)
{
    const struct plan plan = plan_of(p);
    const size_t at = offset % plan.slice, each = 4 * (plan.d_registers + plan.chain / 2);
    const size_t behind = at - plan.out_at, threads = plan.consumers * GROUP;

    if (at < plan.out_at)
        snprintf(out, size, "CTA %zu, input byte %zu", offset / plan.slice, at);
    else if (behind < threads * each)
        snprintf(out, size, "CTA %zu, thread %zu, register %zu of %u", offset / plan.slice, behind / each,
                 behind % each / 4, plan.d_registers);
    else
        snprintf(out, size, "CTA %zu, byte %zu of what was stored through shared memory", offset / plan.slice,
                 behind - threads * each);
}
// SPDX-License-Identifier: Apache-2.0
