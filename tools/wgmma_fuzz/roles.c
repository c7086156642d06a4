/* The two roles: who loads tiles into the ring, and who multiplies them. */
#include "tools/wgmma_fuzz/gen.h"

/* The whole tile of one warpgroup, its boxes one behind the other. */
static void load_boxes(struct gen *g, const struct operand *o, unsigned map, unsigned tile, unsigned group,
                       unsigned place)
{
    const unsigned box_bytes = o->bytes / o->boxes;

    for (unsigned i = 0; i < o->boxes; i++) {
        const unsigned x = o->across ? group * o->lines + i * o->box[0] : i * o->box[0];
        const unsigned y = o->across ? tile * o->box[1] : (tile * o->groups + group) * o->box[1];
        text_add(g->out,
                 "    add.u32 %%r0, %%sm, %u;\n    mov.u32 %%r2, %u;\n    mov.u32 %%r3, %u;\n    add.u64 %%d0, %%map, "
                 "%u;\n    cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [%%r0], "
                 "[%%d0, {%%r2, %%r3}], [%%r1];\n",
                 place + i * box_bytes, x, y, map * TENSOR_MAP_BYTES);
    }
}

static void load_operand(struct gen *g, const struct operand *o, unsigned map, unsigned tile)
{
    for (unsigned group = 0; group < o->groups; group++) {
        const unsigned place = plan_place(&g->p, o, tile % g->p.stages, group);
        if (o->load == LOAD_TENSOR)
            load_boxes(g, o, map, tile, group, place);
        else
            text_add(g->out,
                     "    add.u32 %%r0, %%sm, %u;\n    add.u64 %%d0, %%gl, %u;\n"
                     "    cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%%r0], [%%d0], %u, [%%r1];\n",
                     place, o->at + (tile * o->groups + group) * o->bytes, o->bytes);
    }
}

/* The copies of a tile, by one thread. */
void emit_load(struct gen *g, unsigned tile)
{
    const struct plan *p = &g->p;
    const unsigned bar = bar_full(tile % p->stages);
    const unsigned bytes =
        (p->a.load == LOAD_STORES ? 0 : p->a.bytes * p->a.groups) + (p->b.load == LOAD_STORES ? 0 : p->b.bytes);

    if (!bytes)
        return;
    if (wrong_here(g, NO_EXPECT))
        text_add(g->out, "    mbarrier.arrive.shared::cta.b64 _, [%%sm+%u];\n", bar);
    else
        text_add(g->out, "    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%%sm+%u], %u;\n", bar, bytes);
    text_add(g->out, "    add.u32 %%r1, %%sm, %u;\n", bar);
    if (p->a.load != LOAD_STORES)
        load_operand(g, &p->a, 0, tile);
    if (p->b.load != LOAD_STORES)
        load_operand(g, &p->b, 1, tile);
}

/* The warpgroup's stores of a tile. */
static void store_operand(struct gen *g, const struct operand *o, unsigned tile)
{
    for (unsigned group = 0; group < o->groups; group++) {
        const unsigned loop = g->labels++, end = g->labels++;
        text_add(g->out,
                 "    and.b32 %%r0, %%t, 127;\n    shl.b32 %%r0, %%r0, 4;\nL%u:\n    setp.ge.u32 %%p, %%r0, %u;\n"
                 "    @%%p bra L%u;\n    cvt.u64.u32 %%d0, %%r0;\n    add.u64 %%d0, %%d0, %%gl;\n"
                 "    ld.global.v2.u64 {%%d1, %%d2}, [%%d0+%u];\n    add.u32 %%r1, %%sm, %%r0;\n"
                 "    st.shared.v2.u64 [%%r1+%u], {%%d1, %%d2};\n    add.u32 %%r0, %%r0, %d;\n    bra L%u;\nL%u:\n",
                 loop, o->bytes, end, o->at + (tile * o->groups + group) * o->bytes,
                 plan_place(&g->p, o, tile % g->p.stages, group), GROUP * 16, loop, end);
    }
}

void emit_loader(struct gen *g)
{
    const struct plan *p = &g->p;
    const bool stores = p->a.load == LOAD_STORES || p->b.load == LOAD_STORES;
    const bool of_products = p->b.load == LOAD_STORES || (p->a.load == LOAD_STORES && !p->a_registers);

    text_add(g->out, "    setp.ne.u32 %%warps, %%t, %u;\n", p->consumers * GROUP);
    if (!stores)
        text_add(g->out, "    @%%warps ret;\n");
    for (unsigned tile = 0; tile < p->tiles; tile++) {
        const unsigned stage = tile % p->stages, label = g->labels++;
        text_add(g->out, "    // load tile %u\n", tile);
        if (tile >= p->stages && !wrong_here(g, NO_EMPTY_WAIT))
            emit_await(g, bar_empty(stage), (tile / p->stages - 1) & 1);
        if (p->a.load == LOAD_STORES)
            store_operand(g, &p->a, tile);
        if (p->b.load == LOAD_STORES)
            store_operand(g, &p->b, tile);
        if (stores && (!of_products || !wrong_here(g, NO_PROXY_IN)))
            text_add(g->out, "    fence.proxy.async;\n");
        if (stores)
            text_add(g->out, "    mbarrier.arrive.shared::cta.b64 _, [%%sm+%u];\n    @%%warps bra L%u;\n",
                     bar_full(stage), label);
        emit_load(g, tile);
        text_add(g->out, "L%u:\n", label);
    }
}

/* The warpgroup no longer needs the tile: the loader is told, if it waits for that. */
static void release(struct gen *g, unsigned tile)
{
    const struct plan *p = &g->p;
    const unsigned bar = bar_empty(tile % p->stages);

    if (tile + p->stages >= p->tiles)
        return;
    if (!p->split) {
        if ((p->consumers == 1 && !p->a_registers) || !wrong_here(g, NO_REFILL)) /* a wait speaks for one warpgroup */
            text_add(g->out, "    bar.sync 0;\n");
        const unsigned label = g->labels++;
        text_add(g->out, "    setp.ne.u32 %%p, %%t, 0;\n    @%%p bra L%u;\n", label);
        emit_load(g, tile + p->stages);
        text_add(g->out, "L%u:\n", label);
        return;
    }
    if (p->arrive == ARRIVE_ONE)
        emit_meet(g);
    else if (p->arrive == ARRIVE_LANES && p->a_registers)
        text_add(g->out, "    bar.warp.sync -1;\n");
    if (wrong_here(g, NO_EMPTY_ARRIVE))
        return;
    text_add(g->out, "    %smbarrier.arrive.shared::cta.b64 _, [%%sm+%u];\n",
             p->arrive == ARRIVE_ALL     ? ""
             : p->arrive == ARRIVE_LANES ? "@%lane0 "
                                         : "@%one ",
             bar);
}

void emit_consumer(struct gen *g)
{
    const struct plan *p = &g->p;
    const unsigned label = g->labels++;

    if (!p->split) {
        text_add(g->out, "    setp.ne.u32 %%p, %%t, 0;\n    @%%p bra L%u;\n", label);
        for (unsigned tile = 0; tile < p->stages && tile < p->tiles; tile++)
            emit_load(g, tile);
        text_add(g->out, "L%u:\n", label);
    }
    for (unsigned i = 0; i < p->d_registers; i++)
        text_add(g->out, "    mov.b32 %%c%u, 0;\n", i);
    for (unsigned tile = 0; p->stages && tile < p->tiles; tile++) {
        const unsigned stage = tile % p->stages;
        const bool last = tile + 1 == p->tiles;
        text_add(g->out, "    // multiply tile %u\n", tile);
        if (!wrong_here(g, NO_FULL_WAIT))
            emit_await(g, bar_full(stage), tile / p->stages & 1);
        if (p->a_registers)
            emit_a_registers(g, stage);
        if ((tile && !p->a_registers) || !wrong_here(g, NO_FENCE))
            text_add(g->out, "    wgmma.fence.sync.aligned;\n");
        emit_products(g, tile, stage);
        if (!last || !wrong_here(g, NO_COMMIT))
            text_add(g->out, "    wgmma.commit_group.sync.aligned;\n");
        if (last && wrong_here(g, TOUCHED))
            text_add(g->out, "    add.u32 %%r0, %%c0, %%c0;\n");
        if (last && wrong_here(g, NO_WAIT))
            continue;
        text_add(g->out, "    wgmma.wait_group.sync.aligned %d;\n", p->defers && !last);
        if (!p->defers)
            release(g, tile);
        else if (tile && !last)
            release(g, tile - 1);
    }
}
// SPDX-License-Identifier: Apache-2.0
