/* What becomes of D: stored by each thread, and through shared memory by a bulk or a tensor store. */
#include "tools/wgmma_fuzz/gen.h"

static void store_registers(struct gen *g)
{
    const struct plan *p = &g->p;

    text_add(g->out, "    mul.wide.u32 %%out, %%t, %u;\n    add.u64 %%out, %%out, %%gl;\n",
             4 * (p->d_registers + p->chain / 2));
    for (unsigned i = 0; i < p->d_registers; i++)
        text_add(g->out, "    st.global.b32 [%%out+%u], %%c%u;\n", p->out_at + 4 * i, i);
    for (unsigned i = 0; i < p->chain / 2; i++)
        text_add(g->out, "    st.global.b32 [%%out+%u], %%e%u;\n", p->out_at + 4 * (p->d_registers + i), i);
}

/* Whether the quarter of A's tile that a warp stores to has the rows that it has read, and no others. */
static bool own_rows(const struct plan *p)
{
    if (p->a.across) /* boxes of 16 rows */
        return p->a.swizzle == 1;
    return p->a.swizzle && p->steps * 32 == 16u << p->a.swizzle;
}

/* Part of D goes to where stage 0 has the warpgroup's A, and from there to global memory. */
static void store_round(struct gen *g, unsigned round)
{
    const struct plan *p = &g->p;
    const unsigned tile = plan_place(p, &p->a, 0, 0), words = p->a.bytes / GROUP / 4, label = g->labels++;
    const unsigned at =
        p->out_at + p->consumers * GROUP * 4 * (p->d_registers + p->chain / 2) + round * p->consumers * p->a.bytes;

    /* who has waited for a product may overwrite what the warpgroup's wgmma has read, but not what threads load */
    if (round || own_rows(p) || !p->a_registers || !wrong_here(g, NO_BARRIER_IN))
        emit_meet(g);
    text_add(g->out,
             "    and.b32 %%r0, %%t, 127;\n    mul.lo.u32 %%r0, %%r0, %u;\n    add.u32 %%r0, %%r0, %%ta;\n"
             "    add.u32 %%r0, %%r0, %%sm;\n",
             words * 4);
    for (unsigned i = 0; i < words; i++)
        text_add(g->out, "    st.shared.b32 [%%r0+%u], %%c%u;\n", tile + 4 * i, (round * words + i) % p->d_registers);
    if (!wrong_here(g, NO_PROXY_OUT))
        text_add(g->out, "    fence.proxy.async;\n");
    if (!wrong_here(g, NO_BARRIER_OUT))
        emit_meet(g);
    text_add(g->out, "    @!%%one bra L%u;\n    add.u32 %%r0, %%sm, %%ta;\n    add.u32 %%r0, %%r0, %u;\n", label, tile);
    if (p->store == STORE_TENSOR)
        text_add(g->out,
                 "    add.u32 %%r1, %%wg, %u;\n    mul.lo.u32 %%r1, %%r1, 64;\n    mov.u32 %%r2, 0;\n"
                 "    cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%%map, {%%r2, %%r1}], [%%r0];\n",
                 p->tiles * p->consumers);
    else
        text_add(g->out,
                 "    mul.wide.u32 %%d0, %%wg, %u;\n    add.u64 %%d0, %%d0, %%gl;\n    add.u64 %%d0, %%d0, %u;\n"
                 "    cp.async.bulk.global.shared::cta.bulk_group [%%d0], [%%r0], %u;\n",
                 p->a.bytes, at, p->a.bytes);
    text_add(g->out, "    cp.async.bulk.commit_group;\n");
    if (round + 1 == p->rounds)
        text_add(g->out, "    cp.async.bulk.wait_group 0;\n");
    else if (!wrong_here(g, NO_READ_WAIT))
        text_add(g->out, "    cp.async.bulk.wait_group.read 0;\n");
    text_add(g->out, "L%u:\n", label);
}

void emit_end(struct gen *g)
{
    emit_chain(g);
    for (unsigned round = 0; g->p.store != STORE_PLAIN && round < g->p.rounds; round++)
        store_round(g, round);
    store_registers(g);
}
// SPDX-License-Identifier: Apache-2.0
