/* The products of a tile, A by registers or by a descriptor; and a second product of D, as A, with a matrix V. */
#include "tools/wgmma_fuzz/gen.h"

static unsigned long long mode_bits(unsigned swizzle)
{
    static const unsigned modes[] = { 0, 3, 2, 1 };

    return (unsigned long long)modes[swizzle] << 62;
}

/* The descriptor in %da or %db of what begins there; `more`: a register to add to the address, or NULL. */
static void descriptor(struct gen *g, const char *to, const struct operand *o, unsigned place, const char *more)
{
    unsigned swizzle = o->swizzle;

    /* A tile of 8 rows ends before the pattern of the next wider swizzle begins to differ. */
    if (o->load == LOAD_TENSOR && (o->across || o->lines > 8 || swizzle % 3 == 0) && wrong_here(g, OTHER_SWIZZLE))
        swizzle = (swizzle + 1) % 4;
    text_add(g->out, "    add.u32 %%r0, %%sm, %u;\n", place);
    if (more)
        text_add(g->out, "    add.u32 %%r0, %%r0, %s;\n", more);
    text_add(g->out, "    shr.u32 %%r0, %%r0, 4;\n    cvt.u64.u32 %s, %%r0;\n    or.b64 %s, %s, 0x%llx;\n", to, to, to,
             (unsigned long long)(o->leading >> 4) << 16 | (unsigned long long)(o->stride >> 4) << 32 |
                 mode_bits(swizzle));
}

/* A of all steps: %a0 and on, four registers a step. A quarter of a warp's lanes has rows of one of four matrices. */
void emit_a_registers(struct gen *g, unsigned stage)
{
    const struct plan *p = &g->p;
    const struct operand *o = &p->a;
    const unsigned span = o->swizzle ? 16u << o->swizzle : 16;

    for (unsigned step = 0; step < p->steps; step++)
        for (unsigned part = 0; part < (p->by_ldmatrix ? 1 : 4); part++) {
            /* %r1: the row; %r2: how many chunks of 16 bytes further on */
            if (p->by_ldmatrix)
                text_add(g->out, "    and.b32 %%r1, %%t, 15;\n    shr.u32 %%r2, %%t, 4;\n    and.b32 %%r2, %%r2, 1;\n");
            else
                text_add(g->out,
                         "    shr.u32 %%r1, %%t, 2;\n    and.b32 %%r1, %%r1, 7;\n    add.u32 %%r1, %%r1, %u;\n"
                         "    mov.u32 %%r2, %u;\n",
                         part % 2 * 8, part / 2);
            text_add(g->out, "    and.b32 %%r3, %%t, 96;\n    shr.u32 %%r3, %%r3, 1;\n    add.u32 %%r1, %%r1, %%r3;\n");
            /* chunk %r2 of the step in row %r1 */
            text_add(g->out,
                     "    shr.u32 %%r3, %%r1, 3;\n    mul.lo.u32 %%r3, %%r3, %u;\n    and.b32 %%r4, %%r1, 7;\n"
                     "    mad.lo.u32 %%r3, %%r4, %u, %%r3;\n    mad.lo.u32 %%r3, %%r2, %u, %%r3;\n"
                     "    add.u32 %%r3, %%r3, %u;\n",
                     o->stride, span, o->swizzle ? 16 : o->leading, plan_step(p, o, step));
            if (o->swizzle)
                text_add(g->out,
                         "    shr.u32 %%r4, %%r3, 7;\n    and.b32 %%r4, %%r4, %u;\n    shl.b32 %%r4, %%r4, 4;\n"
                         "    xor.b32 %%r3, %%r3, %%r4;\n",
                         span / 16 - 1);
            text_add(g->out,
                     "    add.u32 %%r3, %%r3, %%ta;\n    add.u32 %%r3, %%r3, %%sm;\n    add.u32 %%r3, %%r3, %u;\n",
                     plan_place(p, o, stage, 0));
            if (p->by_ldmatrix)
                text_add(g->out, "    ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%%a%u, %%a%u, %%a%u, %%a%u}, [%%r3];\n",
                         4 * step, 4 * step + 1, 4 * step + 2, 4 * step + 3);
            else
                text_add(g->out,
                         "    and.b32 %%r4, %%t, 3;\n    mad.lo.u32 %%r3, %%r4, 4, %%r3;\n    ld.shared.b32 %%a%u, "
                         "[%%r3];\n",
                         4 * step + part);
        }
}

static void list(struct gen *g, const char *name, unsigned from, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        text_add(g->out, "%s%%%s%u", i ? ", " : "{", name, from + i);
    text_add(g->out, "}");
}

void emit_products(struct gen *g, unsigned tile, unsigned stage)
{
    const struct plan *p = &g->p;

    for (unsigned step = 0; step < p->steps; step++) {
        if (!p->a_registers)
            descriptor(g, "%da", &p->a, plan_place(p, &p->a, stage, 0) + plan_step(p, &p->a, step), "%ta");
        descriptor(g, "%db", &p->b, plan_place(p, &p->b, stage, 0) + plan_step(p, &p->b, step), NULL);
        text_add(g->out, "    wgmma.mma_async.sync.aligned.m64n%uk%u%s.%s.%s.%s ", p->n, p->kind->k,
                 p->satfinite ? ".satfinite" : "", p->kind->d, p->kind->a, p->kind->b);
        list(g, "c", 0, p->d_registers);
        text_add(g->out, ", ");
        if (p->a_registers)
            list(g, "a", 4 * step, 4);
        else
            text_add(g->out, "%%da");
        text_add(g->out, ", %%db, %s", tile || step || p->adds ? "%yes" : "%no");
        if (!p->kind->integer)
            text_add(g->out, ", %d, %d", p->minus_a ? -1 : 1, p->minus_b ? -1 : 1);
        if (p->kind->transposes && !p->a_registers)
            text_add(g->out, ", %d", p->a.across);
        if (p->kind->transposes)
            text_add(g->out, ", %d", p->b.across);
        text_add(g->out, ";\n");
    }
}

void emit_chain(struct gen *g)
{
    const struct plan *p = &g->p;
    const struct operand v = { .load = LOAD_BULK, .leading = p->chain * 16, .stride = 128 };
    const bool brain = p->kind->a[0] == 'b';

    if (!p->chain)
        return;
    if (!wrong_here(g, NO_FULL_WAIT))
        emit_await(g, bar_v(), 0);
    for (unsigned i = 0; i < p->n / 4; i++)
        text_add(g->out, "    cvt.rn.%s.f32 %%a%u, %%c%u, %%c%u;\n", brain ? "bf16x2" : "f16x2", i, 2 * i + 1, 2 * i);
    if (!wrong_here(g, NO_FENCE))
        text_add(g->out, "    wgmma.fence.sync.aligned;\n");
    for (unsigned step = 0; step < p->n / 16; step++) {
        descriptor(g, "%db", &v, p->v_shared + 2 * step * v.leading, NULL);
        text_add(g->out, "    wgmma.mma_async.sync.aligned.m64n%uk16.f32.%s.%s ", p->chain, p->kind->a, p->kind->b);
        list(g, "e", 0, p->chain / 2);
        text_add(g->out, ", ");
        list(g, "a", 4 * step, 4);
        text_add(g->out, ", %%db, %s, 1, 1, 0;\n", step ? "%yes" : "%no");
    }
    text_add(g->out, "    wgmma.commit_group.sync.aligned;\n");
    if (!wrong_here(g, NO_WAIT))
        text_add(g->out, "    wgmma.wait_group.sync.aligned 0;\n");
}
// SPDX-License-Identifier: Apache-2.0
