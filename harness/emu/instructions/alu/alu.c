/* Arithmetic, by its parts. */
#include "harness/emu/instructions/alu/alu.h"

emu_handler *emu_decode_alu(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    static emu_decode *const parts[] = { emu_decode_integer, emu_decode_float, emu_decode_convert, emu_decode_matrix };
    emu_handler *run = emu_decode_video(m, i, op); /* some of them negate operands */

    for (unsigned k = 0; k < i->n_operands && !run; k++)
        if (ptx_operand(m, i, k)->flags & PF_NEGATE)
            return NULL;
    for (size_t k = 0; k < sizeof parts / sizeof *parts && !run; k++)
        run = parts[k](m, i, op);
    return run;
}
