/* What a compiler makes of a program between a wgmma.fence and a wgmma. An asm volatile keeps its place among others
 * and among accesses of memory, not among computations: nvcc moves these behind it, to where their result is used. */
#include "harness/emu/judge/compiler.h"

enum { DEPTH = 32 };

/* The places of an instruction, from that in the kernel to the innermost of what was inlined there. */
static unsigned places_of(const struct ptx_module *m, uint32_t at, const struct ptx_loc *to[DEPTH])
{
    unsigned n = 0;

    for (uint32_t loc = m->instructions[at].loc; loc < m->n_locs && n < DEPTH; loc = m->locs[loc].inlined_at)
        to[n++] = &m->locs[loc];
    for (unsigned i = 0; i < n / 2; i++) {
        const struct ptx_loc *place = to[i];
        to[i] = to[n - 1 - i];
        to[n - 1 - i] = place;
    }
    return n;
}

/* The program has a before b, by the first place at which the two differ. */
static bool written_before(const struct ptx_module *m, uint32_t a, uint32_t b)
{
    const struct ptx_loc *of_a[DEPTH], *of_b[DEPTH];
    const unsigned n = places_of(m, a, of_a), more = places_of(m, b, of_b);
    unsigned i = 0;

    while (i < n && i < more && of_a[i]->file == of_b[i]->file && of_a[i]->line == of_b[i]->line &&
           of_a[i]->column == of_b[i]->column)
        i++;
    if (i == n || i == more || of_a[i]->file != of_b[i]->file)
        return false;
    return of_a[i]->line < of_b[i]->line || (of_a[i]->line == of_b[i]->line && of_a[i]->column < of_b[i]->column);
}

bool order_compiler_moved(const struct order *o, uint32_t at, uint32_t product)
{
    const struct ptx_instruction *all = o->module->instructions;
    uint32_t fence = at;

    if (all[at].op == OP_mov && all[at].loc != PTX_NO && all[at].loc == all[product].loc)
        return true;
    while (fence-- > 0 && all[fence].op != OP_wgmma_fence)
        if (all[fence].op == OP_bra || all[fence].op == OP_ret || all[fence].op == OP_wgmma_mma_async ||
            all[fence].op == OP_wgmma_mma_async_sp)
            return false;
    return fence != PTX_NO && written_before(o->module, at, fence);
}
// SPDX-License-Identifier: Apache-2.0
