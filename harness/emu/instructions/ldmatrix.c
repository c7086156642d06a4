/* Matrices of 8 by 8 that a warp loads, stores, transposes: ldmatrix, stmatrix, movmatrix. PTX ISA, "Warp Level Matrix
 * Instructions". */
#include "harness/emu/instructions/ldmatrix.h"

#include <string.h>

#include "harness/emu/instructions/memory.h"

enum { MATRIX_ROW = 16 };

bool emu_matrix_meet(struct emu_thread *t, const struct emu_op *op, struct emu_meeting *m)
{
    if (!emu_warp_meet(t, op, UINT32_MAX, 0, 0, m))
        return false;
    if (m->mask != UINT32_MAX)
        emu_bad_access(t, &rule_warp_aligned, m->mask, 0,
                       "a matrix instruction needs all 32 threads of its warp; there are 0x%08x", m->mask);
    return true;
}

/* ---- 8x8 matrices of 16-bit elements in shared memory --------------------------------------------------------------
 */

static unsigned char *row_bytes(struct emu_thread *o, const struct emu_op *op, uint32_t address, enum emu_access access)
{
    return emu_access_bytes(o, op, o->r[address] + (uint64_t)op->offset, MATRIX_ROW, access);
}

/* Where element j of a lane's register lies in a matrix of 8 by 8. */
static unsigned element_at(uint32_t lane, unsigned j, bool transposed)
{
    const unsigned row = lane / 4, column = lane % 4 * 2 + j;

    return transposed ? column * 8 + row : row * 8 + column;
}

/* Lanes 8k to 8k + 7 name the rows of matrix k. There are op->vector matrices. */
static void ldmatrix(struct emu_thread *t, const struct emu_op *op)
{
    uint16_t matrix[4][64];
    struct emu_meeting m;

    if (!emu_matrix_meet(t, op, &m))
        return;
    for (unsigned k = 0; k < op->vector; k++)
        for (unsigned row = 0; row < 8; row++)
            memcpy(&matrix[k][row * 8], row_bytes(m.lane[8 * k + row], op, op->a, EMU_READ), MATRIX_ROW);
    EACH_LANE(i)
    for (unsigned k = 0; k < op->vector; k++)
        if (op->matrix.rows[k] != EMU_NO)
            m.lane[i]->r[op->matrix.rows[k]] = matrix[k][element_at(i, 0, op->matrix.transposed)] |
                                               (uint32_t)matrix[k][element_at(i, 1, op->matrix.transposed)] << 16;
    emu_warp_release(t, &m);
}

static void stmatrix(struct emu_thread *t, const struct emu_op *op)
{
    uint16_t matrix[4][64];
    struct emu_meeting m;

    if (!emu_matrix_meet(t, op, &m))
        return;
    EACH_LANE(i)
    for (unsigned k = 0; k < op->vector; k++)
        for (unsigned j = 0; j < 2; j++)
            matrix[k][element_at(i, j, op->matrix.transposed)] = (uint16_t)(m.lane[i]->r[op->matrix.rows[k]] >> 16 * j);
    for (unsigned k = 0; k < op->vector; k++)
        for (unsigned row = 0; row < 8; row++)
            memcpy(row_bytes(m.lane[8 * k + row], op, op->a, EMU_WRITE), &matrix[k][row * 8], MATRIX_ROW);
    emu_warp_release(t, &m);
}

static void movmatrix(struct emu_thread *t, const struct emu_op *op)
{
    uint16_t matrix[64];
    struct emu_meeting m;

    if (!emu_matrix_meet(t, op, &m))
        return;
    EACH_LANE(i)
    for (unsigned j = 0; j < 2; j++)
        matrix[element_at(i, j, false)] = (uint16_t)(m.lane[i]->r[op->a] >> 16 * j);
    EACH_LANE(i)
    m.lane[i]->r[op->d] = matrix[element_at(i, 0, true)] | (uint32_t)matrix[element_at(i, 1, true)] << 16;
    emu_warp_release(t, &m);
}

/* ---- decoding
 * -------------------------------------------------------------------------------------------------------- */

unsigned emu_matrix_slots(const struct ptx_module *m, const struct ptx_operand *o, uint16_t type, uint32_t *slots,
                          unsigned most)
{
    if (o->kind != PO_vector) {
        slots[0] = emu_slot(o, type);
        return 1;
    }
    if (o->count > most)
        return 0;
    for (uint32_t k = 0; k < o->count; k++)
        slots[k] = emu_slot(&m->operands[o->first + k], type);
    return o->count;
}

static emu_handler *decode_rows(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const bool store = i->op == OP_stmatrix;
    const struct ptx_operand *regs = ptx_operand(m, i, store ? 1 : 0), *at = ptx_operand(m, i, store ? 0 : 1);
    uint32_t slots[4];
    unsigned count;

    if (!ptx_has(m, i, PTX_m8n8))
        return NULL;
    count = emu_matrix_slots(m, regs, PTX_b32, slots, 4);
    if (!count)
        return NULL;
    op->matrix.rows = emu_slots_kept(slots, count);
    op->vector = (uint8_t)count;
    op->matrix.transposed = ptx_has(m, i, PTX_trans);
    emu_address(at, op, &op->a, &op->offset);
    op->d = EMU_NO;
    return store ? stmatrix : ldmatrix;
}

emu_handler *emu_decode_matrix(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    switch (i->op) {
    case OP_ldmatrix:
    case OP_stmatrix: return decode_rows(m, i, op);
    case OP_movmatrix: return movmatrix;
    default: return NULL;
    }
}
