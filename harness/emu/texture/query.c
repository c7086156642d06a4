/* txq and suq. PTX ISA, "txq", "suq". */
#include "harness/emu/machine/thread.h"
#include "harness/emu/texture/texture.h"

static uint32_t answer(const struct emu_texture *x, uint16_t word, uint32_t level)
{
    const struct emu_extents n = emu_texture_extents(x, level < EMU_TEXTURE_LEVELS ? level : 0);

    if (level >= x->levels)
        return 0;
    switch (word) { /* an H200 counts layers as the next dimension */
    case PTX_width: return n.width;
    case PTX_height: return x->height ? n.height : x->layers ? x->layers : !x->surface && !x->memory;
    case PTX_depth: return x->depth ? n.depth : x->height ? x->layers : 0;
    case PTX_array_size: return x->layers;
    case PTX_num_mipmap_levels: return x->levels;
    default: return 0;
    }
}

/* op->b: the level. */
static void query(struct emu_thread *t, const struct emu_op *op)
{
    const struct emu_texture *x = emu_texture_of(t, t->r[op->a], op->query.surface);

    t->r[op->d] = answer(x, op->query.word, op->b == EMU_NO ? 0 : (uint32_t)t->r[op->b]);
}

emu_handler *emu_decode_query(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    static const uint16_t words[] = { PTX_width, PTX_height, PTX_depth, PTX_array_size, PTX_num_mipmap_levels };

    if (i->op != OP_txq && i->op != OP_suq)
        return NULL;
    op->query.surface = i->op == OP_suq;
    op->query.word = PTX_none;
    for (unsigned k = 0; k < sizeof words / sizeof *words; k++)
        if (ptx_has(m, i, words[k]))
            op->query.word = words[k];
    emu_address(ptx_operand(m, i, 1), op, &op->a, &op->offset);
    op->b = i->n_operands > 2 ? emu_slot(ptx_operand(m, i, 2), PTX_u32) : EMU_NO;
    op->c = EMU_NO;
    return op->query.word ? query : NULL;
}
// SPDX-License-Identifier: Apache-2.0
