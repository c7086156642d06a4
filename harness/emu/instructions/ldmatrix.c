/* Matrices of 8 by 8 that a warp loads, stores, transposes: ldmatrix, stmatrix, movmatrix. PTX ISA, "Warp Level Matrix
 * Instructions". */
#include <string.h>

#include "harness/emu/instructions/decoders.h"
#include "harness/emu/instructions/matrix.h"
#include "harness/emu/instructions/memory.h"

enum { ROW_BYTES = 16 };

static unsigned char *row_bytes(struct emu_thread *o, const struct emu_op *op, uint32_t address, enum emu_access access)
{
    return emu_access_bytes(o, op, o->r[address] + (uint64_t)op->offset, ROW_BYTES, access);
}

/* Where element j of a lane's register lies in a matrix of 8 by 8 elements of 16 bits. */
static unsigned element_at(uint32_t lane, unsigned j, bool transposed)
{
    const unsigned row = lane / 4, column = lane % 4 * 2 + j;

    return transposed ? column * 8 + row : row * 8 + column;
}

/* A lane's register with its two elements. */
static uint32_t two_elements(const uint16_t matrix[64], uint32_t lane, bool transposed)
{
    return matrix[element_at(lane, 0, transposed)] | (uint32_t)matrix[element_at(lane, 1, transposed)] << 16;
}

static void put_elements(uint16_t matrix[64], uint32_t lane, bool transposed, uint64_t reg)
{
    matrix[element_at(lane, 0, transposed)] = (uint16_t)reg;
    matrix[element_at(lane, 1, transposed)] = (uint16_t)(reg >> 16);
}

/* Lanes 8k to 8k + 7 name the rows of matrix k. There are op->vector matrices. */
static void ldmatrix(struct emu_thread *t, const struct emu_op *op)
{
    uint16_t matrix[4][64];
    struct emu_meeting m;

    if (!emu_matrix_meet(t, op, &m))
        return;
    emu_warp_release(t, &m); /* before the accesses: those of a lane are told as of this instruction */
    for (unsigned k = 0; k < op->vector; k++)
        for (unsigned row = 0; row < 8; row++)
            memcpy(&matrix[k][row * 8], row_bytes(m.lane[8 * k + row], op, op->a, EMU_READ), ROW_BYTES);
    for (uint32_t i = 0; i < EMU_WARP; i++)
        for (unsigned k = 0; k < op->vector; k++)
            if (op->matrix.rows[k] != EMU_NO)
                m.lane[i]->r[op->matrix.rows[k]] = two_elements(matrix[k], i, op->matrix.transposed);
}

static void stmatrix(struct emu_thread *t, const struct emu_op *op)
{
    uint16_t matrix[4][64];
    struct emu_meeting m;

    if (!emu_matrix_meet(t, op, &m))
        return;
    emu_warp_release(t, &m); /* before the accesses: those of a lane are told as of this instruction */
    for (uint32_t i = 0; i < EMU_WARP; i++)
        for (unsigned k = 0; k < op->vector; k++)
            put_elements(matrix[k], i, op->matrix.transposed, m.lane[i]->r[op->matrix.rows[k]]);
    for (unsigned k = 0; k < op->vector; k++)
        for (unsigned row = 0; row < 8; row++)
            memcpy(row_bytes(m.lane[8 * k + row], op, op->a, EMU_WRITE), &matrix[k][row * 8], ROW_BYTES);
}

static void movmatrix(struct emu_thread *t, const struct emu_op *op)
{
    uint16_t matrix[64];
    struct emu_meeting m;

    if (!emu_matrix_meet(t, op, &m))
        return;
    for (uint32_t i = 0; i < EMU_WARP; i++)
        put_elements(matrix, i, false, m.lane[i]->r[op->a]);
    for (uint32_t i = 0; i < EMU_WARP; i++)
        m.lane[i]->r[op->d] = two_elements(matrix, i, true);
    emu_warp_release(t, &m);
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
    if (i->op != OP_ldmatrix && i->op != OP_stmatrix && i->op != OP_movmatrix)
        return NULL;
    emu_matrix_together(op);
    return i->op == OP_movmatrix ? movmatrix : decode_rows(m, i, op);
}
// SPDX-License-Identifier: Apache-2.0
