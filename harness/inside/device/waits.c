/* Kernels that wait for the grid before them before they touch memory: what such a kernel accesses comes behind all of
 * that grid, and need not be compared with it. And kernels that wait for nobody. */
#include "harness/inside/device/waits.h"

#include <stdint.h>
#include <stdlib.h>

#include "harness/emu/ptx/ptx.h"

/* Instructions that a thread may come to, none of which waits; they are looked at one by one. */
struct paths {
    const struct ptx_module *m;
    const struct ptx_function *entry;
    bool *seen;
    uint32_t *next, count;
};

static void goes_on(struct paths *p, uint32_t at)
{
    const uint32_t own = at - p->entry->instructions;

    if (own >= p->entry->n_instructions || p->seen[own])
        return;
    p->seen[own] = true;
    p->next[p->count++] = at;
}

/* Memory that no other grid accesses. */
static bool is_own_space(uint16_t space)
{
    return space == PTX_param || space == PTX_const || space == PTX_local || space == PTX_shared ||
           space == PTX_shared_cta;
}

/* Whether it may access other memory, or goes where the text does not say. */
static bool may_touch(const struct ptx_module *m, const struct ptx_instruction *i)
{
    if (i->op == OP_call || i->op == OP_brx)
        return true;
    for (unsigned k = 0; k < i->n_operands; k++) {
        const uint8_t kind = m->operands[i->operands + k].kind;
        if ((kind == PO_address || kind == PO_tensor) &&
            !((i->op == OP_ld || i->op == OP_st || i->op == OP_atom || i->op == OP_red) && is_own_space(i->space[0])))
            return true;
    }
    return false;
}

static void step(struct paths *p, uint32_t at)
{
    const struct ptx_instruction *i = &p->m->instructions[at];
    const bool ends = i->op == OP_ret || i->op == OP_exit || i->op == OP_bra ||
                      (i->op == OP_griddepcontrol && ptx_has(p->m, i, PTX_wait));

    if (i->op == OP_bra)
        goes_on(p, p->m->operands[i->operands].reg);
    if (!ends || i->guard != PTX_NO)
        goes_on(p, at + 1);
}

bool waits_first(const struct ptx_module *m, const struct ptx_function *entry)
{
    struct paths p = { .m = m,
                       .entry = entry,
                       .seen = calloc(entry->n_instructions + 1, sizeof *p.seen),
                       .next = calloc(entry->n_instructions + 1, sizeof *p.next) };
    bool fine = p.seen && p.next;

    if (fine)
        goes_on(&p, entry->instructions);
    while (fine && p.count) {
        const uint32_t at = p.next[--p.count];
        fine = !may_touch(m, &m->instructions[at]);
        step(&p, at);
    }
    free(p.seen);
    free(p.next);
    return fine;
}

bool waits_for_others(const struct ptx_module *m, const struct ptx_function *entry)
{
    for (uint32_t at = entry->instructions; at < entry->instructions + entry->n_instructions; at++) {
        const struct ptx_instruction *i = &m->instructions[at];
        if (i->op == OP_call || i->op == OP_brx || (i->op == OP_bra && m->operands[i->operands].reg <= at))
            return true;
    }
    return false;
}
// SPDX-License-Identifier: Apache-2.0
