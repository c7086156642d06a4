/* Draws what a program does. Whatever it draws is legal: what does not fit is made smaller. */
#include "tools/wgmma_fuzz/plan.h"

#include <string.h>

#include "expected/random.h"

static const struct kind kinds[] = {
    { "f32", "f16", "f16", 2, 16, false, false, true },    { "f32", "bf16", "bf16", 2, 16, false, false, true },
    { "f16", "f16", "f16", 2, 16, true, false, true },     { "f32", "tf32", "tf32", 4, 8, false, false, false },
    { "f32", "e4m3", "e5m2", 1, 32, false, false, false }, { "f16", "e5m2", "e4m3", 1, 32, true, false, false },
    { "s32", "s8", "s8", 1, 32, false, true, false },      { "s32", "u8", "s8", 1, 32, false, true, false },
};

#define PICK(state, array) ((array)[splitmix64_below(state, sizeof(array) / sizeof *(array))])

static bool chance(uint64_t *r, unsigned percent)
{
    return splitmix64_below(r, 100) < percent;
}

static unsigned span_of(const struct operand *o)
{
    return o->swizzle ? 16u << o->swizzle : 16;
}

unsigned plan_room(unsigned bytes)
{
    return (bytes + TILE_ALIGN - 1) / TILE_ALIGN * TILE_ALIGN;
}

unsigned plan_stage(const struct plan *p)
{
    return plan_room(p->a.bytes) * p->a.groups + plan_room(p->b.bytes);
}

unsigned plan_place(const struct plan *p, const struct operand *o, unsigned stage, unsigned group)
{
    return o->shared + stage * plan_stage(p) + group * plan_room(o->bytes);
}

unsigned plan_step(const struct plan *p, const struct operand *o, unsigned step)
{
    const unsigned span = span_of(o);

    if (o->across)
        return o->swizzle ? step * p->kind->k * span : step * 2 * o->leading;
    if (!o->swizzle)
        return step * 2 * o->leading;
    return step * 32 / span * o->lines * span + step * 32 % span;
}

unsigned plan_threads(const struct plan *p)
{
    return p->consumers * GROUP + p->loaders;
}

/* Where the elements are: the descriptors' distances, and the boxes of a tensor load. */
static void lay_out(const struct plan *p, struct operand *o)
{
    const unsigned span = span_of(o), size = p->kind->bytes, rows = p->steps * p->kind->k;

    o->bytes = o->lines * p->steps * 32;
    if (o->across && o->swizzle) {
        o->leading = rows * span;
        o->stride = 8 * span;
        o->box[0] = span / size;
        o->box[1] = rows;
        o->boxes = o->lines * size / span;
    } else if (o->across) {
        o->stride = 128;
        o->leading = o->lines / 8 * 128;
    } else if (o->swizzle) {
        o->leading = 16;
        o->stride = 8 * span;
        o->box[0] = span / size;
        o->box[1] = o->lines;
        o->boxes = p->steps * 32 / span;
    } else {
        o->leading = o->lines * 16;
        o->stride = 128;
        o->box[0] = 16 / size;
        o->box[1] = o->lines;
        o->boxes = p->steps * 2;
    }
}

static void draw_operand(struct plan *p, struct operand *o, uint64_t *r)
{
    static const enum load loads[] = { LOAD_TENSOR, LOAD_TENSOR, LOAD_TENSOR, LOAD_BULK, LOAD_STORES };

    o->load = PICK(r, loads);
    if (o->load == LOAD_STORES && (!p->split || p->loaders < GROUP))
        o->load = LOAD_TENSOR;
    o->across = p->kind->transposes && chance(r, 35);
    o->swizzle = splitmix64_below(r, 4);
    while (o->swizzle && (o->across ? o->lines * p->kind->bytes : p->steps * 32) % span_of(o))
        o->swizzle--;
    if (o->across && !o->swizzle && o->load == LOAD_TENSOR)
        o->load = LOAD_BULK; /* boxes of 8 elements by 8 rows would be too many */
    lay_out(p, o);
}

static void draw_registers(struct plan *p, uint64_t *r)
{
    const unsigned most = p->consumers == 1 ? 128 : 104;
    unsigned free;

    p->registers = most - 8 * splitmix64_below(r, 4);
    p->fewer = 24 + 8 * splitmix64_below(r, 5);
    free = (p->registers - p->fewer) / p->consumers / 8;
    p->more = p->registers + 8 * splitmix64_below(r, free + 1);
    if (p->more > 240)
        p->more = 240;
}

static void draw_end(struct plan *p, uint64_t *r)
{
    static const enum store stores[] = { STORE_PLAIN, STORE_BULK, STORE_BULK, STORE_TENSOR };

    p->store = PICK(r, stores);
    p->rounds = p->store == STORE_TENSOR ? 1 : 1 + splitmix64_below(r, 2);
    if (p->store == STORE_TENSOR && (p->a.load != LOAD_TENSOR || p->a.across || p->a.boxes != 1))
        p->store = STORE_BULK;
    if (p->kind->transposes && !p->kind->halves && p->n % 16 == 0 && p->n <= 64 && chance(r, 30))
        p->chain = 8 * (1 + splitmix64_below(r, 4));
}

/* Memory: the inputs, then what comes out. */
static void place(struct plan *p)
{
    unsigned at = 0;

    p->a.shared = BARRIERS;
    p->b.shared = BARRIERS + plan_room(p->a.bytes) * p->a.groups;
    p->a.at = at;
    at += p->a.bytes * p->a.groups * p->tiles;
    if (p->store == STORE_TENSOR) /* rows behind those that are loaded */
        at += p->a.bytes * p->a.groups;
    p->b.at = at = plan_room(at);
    at += p->b.bytes * p->tiles;
    p->v_at = at = plan_room(at);
    p->v_bytes = p->chain * p->n * 2;
    p->v_shared = BARRIERS + p->stages * plan_stage(p);
    at += plan_room(p->v_bytes);
    p->out_at = at;
    at += p->consumers * GROUP * 4 * (p->d_registers + p->chain / 2) + p->consumers * p->a.bytes * 2;
    p->slice = plan_room(at);
}

void plan_draw(struct plan *p, uint64_t seed)
{
    static const unsigned columns[] = { 8, 16, 24, 32, 32, 48, 64, 64, 80, 96, 112, 128, 160, 192, 256 };
    static const unsigned steps[] = { 1, 2, 2, 4 };
    uint64_t state = splitmix64(seed ^ 0x7767666dull), *r = &state;

    memset(p, 0, sizeof *p);
    p->kind = &PICK(r, kinds);
    p->consumers = 1 + chance(r, 35);
    p->split = chance(r, 70);
    if (p->split)
        p->loaders = chance(r, 75) ? GROUP : 32;
    p->n = PICK(r, columns);
    if (p->split && p->loaders == GROUP && chance(r, 70)) {
        draw_registers(p, r);
        p->n = p->n > 96 ? 96 : p->n;
    }
    p->steps = PICK(r, steps);
    if (p->steps == 4 && p->n > 128)
        p->n = 128;
    p->a_registers = chance(r, 35);
    p->by_ldmatrix = chance(r, 60);
    p->a.lines = 64;
    p->a.groups = p->consumers;
    p->b.lines = p->n;
    p->b.groups = 1;
    draw_operand(p, &p->a, r);
    if (p->a_registers && p->a.across) { /* registers take rows */
        p->a.across = false;
        p->a.swizzle = 0;
        lay_out(p, &p->a);
    }
    draw_operand(p, &p->b, r);
    p->stages = 1 + splitmix64_below(r, MOST_STAGES);
    p->tiles = 1 + splitmix64_below(r, MOST_TILES);
    draw_end(p, r);
    while (p->stages > 1 && BARRIERS + p->stages * plan_stage(p) + plan_room(p->chain * p->n * 2) > SHARED)
        p->stages--;
    if (BARRIERS + p->stages * plan_stage(p) + plan_room(p->chain * p->n * 2) > SHARED)
        p->chain = 0;
    p->defers = p->split && p->stages > 1 && !p->a_registers && chance(r, 50);
    p->satfinite = p->kind->integer && chance(r, 40);
    p->minus_a = chance(r, 25);
    p->minus_b = chance(r, 25);
    p->adds = chance(r, 40);
    p->arrive = splitmix64_below(r, 3);
    p->d_registers = p->kind->halves ? p->n / 4 : p->n / 2;
    p->clusters = 1 + chance(r, 30);
    p->wild = chance(r, 20);
    place(p);
}
// SPDX-License-Identifier: Apache-2.0
