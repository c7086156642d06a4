#include "harness/emu/alu.h"

emu_handler *emu_decode_convert(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    (void)m;
    (void)i;
    (void)op;
    return NULL;
}
