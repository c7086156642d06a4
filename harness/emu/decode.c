/* Instructions made ready to run: operands become slots, each instruction gets its handler. */
#include "harness/emu/decode.h"

#include "harness/emu/copies/decoders.h"
#include "harness/emu/instructions/alu/alu.h"
#include "harness/emu/instructions/decoders.h"
#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/sync.h"
#include "harness/emu/texture/texture.h"
#include "harness/emu/wgmma/wgmma.h"

static void unsupported(struct emu_thread *t, const struct emu_op *op)
{
    emu_unsupported(t, op->source);
}

/* Asked from the first to the last, until one of them knows the instruction: several know some forms of mov and bar. */
static const struct decoder {
    emu_decode *decode;
    bool no_minus; /* it does not know operands with a minus sign in front */
    bool pure;     /* all that it knows are EMU_PURE */
} decoders[] = {
    { emu_decode_stack },
    { emu_decode_control },
    { emu_decode_barrier },
    { emu_decode_memory },
    { emu_decode_atomic },
    { emu_decode_warp },
    { emu_decode_group },
    { emu_decode_mbarrier },
    { emu_decode_tensormap },
    { emu_decode_copy },
    { emu_decode_tensor },
    { emu_decode_policy },
    { emu_decode_video, .pure = true },
    { emu_decode_integer, .no_minus = true, .pure = true },
    { emu_decode_move, .no_minus = true, .pure = true },
    { emu_decode_compare, .no_minus = true, .pure = true },
    { emu_decode_bits, .no_minus = true, .pure = true },
    { emu_decode_float, .no_minus = true, .pure = true },
    { emu_decode_convert, .no_minus = true, .pure = true },
    { emu_decode_matrix, .no_minus = true },
    { emu_decode_mma, .no_minus = true },
    { emu_decode_wmma, .no_minus = true },
    { emu_decode_opaque },
    { emu_decode_wgmma, .no_minus = true },
    { emu_decode_texture, .no_minus = true },
    { emu_decode_surface, .no_minus = true },
    { emu_decode_query },
};

static bool has_minus(const struct ptx_module *m, const struct ptx_instruction *i)
{
    for (unsigned k = 0; k < i->n_operands; k++)
        if (ptx_operand(m, i, k)->flags & PF_NEGATE)
            return true;
    return false;
}

static void decode(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    uint32_t *const operands[] = { &op->d, &op->a, &op->b, &op->c };
    const bool minus = has_minus(m, i);

    *op = (struct emu_op){ .d = EMU_NO, .a = EMU_NO, .b = EMU_NO, .c = EMU_NO, .guard = EMU_NO, .source = i };
    op->vector = i->vector ? i->vector : 1;
    op->space = i->space[0];
    op->sync = emu_sync_of(m, i);
    op->size = (uint8_t)ptx_type_size(i->type[0]);
    if (i->guard != PTX_NO) {
        op->guard = emu_register_slot(i->guard);
        op->guard_not = i->guard_not;
    }
    for (unsigned k = 0; k < i->n_operands && k < 4; k++)
        *operands[k] = emu_slot(ptx_operand(m, i, k), i->type[k && i->type[1] ? 1 : 0]);
    for (size_t k = 0; k < sizeof decoders / sizeof *decoders && !op->run && !i->inert; k++)
        if (!minus || !decoders[k].no_minus) {
            op->run = decoders[k].decode(m, i, op);
            if (!op->run || decoders[k].pure)
                op->together = op->run ? EMU_PURE : EMU_APART;
        }
    if (!op->run)
        op->run = unsupported;
    if (op->together == EMU_PURE)
        op->lanes = alu_lanes(op->run);
}

bool emu_decode_knows(const struct emu_op *op)
{
    return op->run != unsupported;
}

struct emu_code *emu_decode_function(struct emu_image *image, const struct ptx_function *f)
{
    const struct ptx_module *m = image->module;
    struct emu_code *c = emu_code_begin(image, f);

    if (!c)
        return NULL;
    for (uint32_t i = 0; i < f->n_instructions; i++) {
        decode(m, &m->instructions[f->instructions + i], &c->ops[i]);
        c->sleeps |= m->instructions[f->instructions + i].op == OP_nanosleep;
    }
    c->ops[f->n_instructions] = (struct emu_op){
        .d = EMU_NO, .a = EMU_NO, .b = EMU_NO, .c = EMU_NO, .guard = EMU_NO, .run = emu_end_of, .together = EMU_END
    };
    emu_wgmma_registers(m, c);
    if (emu_code_end(c))
        return c;
    emu_code_free(c);
    return NULL;
}
// SPDX-License-Identifier: Apache-2.0
