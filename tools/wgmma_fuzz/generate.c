/* The frame of a program: its registers and mbarriers, and who does what. */
#include "tools/wgmma_fuzz/gen.h"

#include <string.h>

bool wrong_here(struct gen *g, enum wrong kind)
{
    if (g->count < MOST_SITES)
        g->kinds[g->count++] = (uint8_t)kind;
    return g->wrong && g->count == g->wrong;
}

unsigned bar_full(unsigned stage)
{
    return stage * 8;
}

unsigned bar_empty(unsigned stage)
{
    return 128 + stage * 8;
}

unsigned bar_v(void)
{
    return 256;
}

void emit_await(struct gen *g, unsigned bar, unsigned parity)
{
    const unsigned label = g->labels++;

    text_add(g->out, "L%u:\n    mbarrier.try_wait.parity.shared::cta.b64 %%p, [%%sm+%u], %u;\n    @!%%p bra L%u;\n",
             label, bar, parity, label);
}

/* The warpgroup meets at a barrier of its own. */
void emit_meet(struct gen *g)
{
    text_add(g->out, "    bar.sync %%id, %d;\n", GROUP);
}

static void registers(struct gen *g)
{
    const struct plan *p = &g->p;

    text_add(g->out,
             "{\n    .reg .pred %%p, %%yes, %%no, %%one, %%lane0, %%warps;\n    .reg .b32 %%t, %%wg, %%id, %%sm, %%ta, "
             "%%r<8>, %%c<%u>, %%e<%u>, %%a<%u>;\n    .reg .b64 %%gl, %%map, %%d<8>, %%da, %%db, %%out;\n",
             p->d_registers, p->chain / 2 + 1, p->chain ? p->n / 4 + 16 : 16);
    text_add(g->out, "    mov.u32 %%t, %%tid.x;\n    shr.u32 %%wg, %%t, 7;\n    add.u32 %%id, %%wg, 1;\n"
                     "    mov.u32 %%sm, smem;\n    setp.eq.u32 %%yes, 0, 0;\n    setp.ne.u32 %%no, 0, 0;\n"
                     "    and.b32 %%r0, %%t, 127;\n    setp.eq.u32 %%one, %%r0, 0;\n    and.b32 %%r0, %%t, 31;\n"
                     "    setp.eq.u32 %%lane0, %%r0, 0;\n");
    text_add(g->out,
             "    mul.lo.u32 %%ta, %%wg, %u;\n    mov.u32 %%r0, %%ctaid.x;\n    ld.param.u64 %%gl, [base];\n"
             "    cvta.to.global.u64 %%gl, %%gl;\n    mul.wide.u32 %%d0, %%r0, %u;\n    add.u64 %%gl, %%gl, %%d0;\n"
             "    mov.b64 %%map, maps;\n    cvta.param.u64 %%map, %%map;\n    mul.wide.u32 %%d0, %%r0, %d;\n"
             "    add.u64 %%map, %%map, %%d0;\n",
             plan_room(p->a.bytes), p->slice, MAPS * TENSOR_MAP_BYTES);
}

static unsigned arrivals(const struct plan *p)
{
    return p->arrive == ARRIVE_ALL ? p->consumers * GROUP : p->arrive == ARRIVE_LANES ? p->consumers * 4 : p->consumers;
}

static void barriers(struct gen *g)
{
    const struct plan *p = &g->p;
    const bool copies = p->a.load != LOAD_STORES || p->b.load != LOAD_STORES;
    const bool stores = p->a.load == LOAD_STORES || p->b.load == LOAD_STORES;
    const unsigned label = g->labels++;

    text_add(g->out, "    setp.ne.u32 %%p, %%t, 0;\n    @%%p bra L%u;\n", label);
    for (unsigned s = 0; s < p->stages; s++) {
        text_add(g->out, "    mbarrier.init.shared::cta.b64 [%%sm+%u], %d;\n", bar_full(s),
                 (copies ? 1 : 0) + (stores ? GROUP : 0));
        text_add(g->out, "    mbarrier.init.shared::cta.b64 [%%sm+%u], %u;\n", bar_empty(s), arrivals(p));
    }
    if (p->chain)
        text_add(g->out, "    mbarrier.init.shared::cta.b64 [%%sm+%u], 1;\n", bar_v());
    text_add(g->out, "    fence.proxy.async;\nL%u:\n    bar.sync 0;\n", label);
    if (!p->chain)
        return;
    text_add(g->out,
             "    @%%p bra V;\n    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%%sm+%u], %u;\n"
             "    add.u32 %%r0, %%sm, %u;\n    add.u32 %%r1, %%sm, %u;\n    add.u64 %%d0, %%gl, %u;\n"
             "    cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%%r0], [%%d0], %u, [%%r1];\nV:\n",
             bar_v(), p->v_bytes, p->v_shared, bar_v(), p->v_at, p->v_bytes);
}

/* setmaxnreg of this number by the warpgroup that stands here. */
static void set_registers(struct gen *g, const char *action, unsigned number)
{
    if (wrong_here(g, SOME_WARPS)) {
        const unsigned label = g->labels++;
        text_add(g->out, "    and.b32 %%r0, %%t, 96;\n    setp.eq.u32 %%warps, %%r0, 96;\n    @%%warps bra L%u;\n",
                 label);
        text_add(g->out, "    setmaxnreg.%s.sync.aligned.u32 %u;\nL%u:\n", action, number, label);
        return;
    }
    text_add(g->out, "    setmaxnreg.%s.sync.aligned.u32 %u;\n", action, number);
}

void generate(struct gen *g)
{
    const struct plan *p = &g->p;

    text_add(g->out, "\n.visible .entry %s(.param .u64 base, .param .align 64 .b8 maps[%d])\n.reqntid %u\n", g->entry,
             MAX_CTAS * MAPS * TENSOR_MAP_BYTES, plan_threads(p));
    if (p->registers)
        text_add(g->out, ".maxnreg %u\n", p->registers);
    registers(g);
    barriers(g);
    if (p->split) {
        text_add(g->out, "    setp.lt.u32 %%p, %%t, %u;\n    @%%p bra CONSUMER;\n", p->consumers * GROUP);
        if (p->registers && (p->more == p->registers || !wrong_here(g, NO_RELEASE)))
            set_registers(g, "dec", p->fewer);
        emit_loader(g);
        text_add(g->out, "    ret;\nCONSUMER:\n");
        if (p->registers)
            set_registers(g, "inc", p->more);
    }
    emit_consumer(g);
    emit_end(g);
    text_add(g->out, "    ret;\n}\n");
}
// SPDX-License-Identifier: Apache-2.0
