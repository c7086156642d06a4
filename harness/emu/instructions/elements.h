/* Values in memory into registers and back, as loads and stores have them. */
#ifndef COPYCHECK_EMU_INSTRUCTIONS_ELEMENTS_H
#define COPYCHECK_EMU_INSTRUCTIONS_ELEMENTS_H

#include <string.h>

#include "harness/emu/machine/bytes.h"
#include "harness/emu/machine/state.h"

/* The value of an element, as its register holds it. */
static inline uint64_t element_value(const unsigned char *from, const struct emu_op *op)
{
    const unsigned size = op->size;
    uint64_t value = 0;

    memcpy(&value, from, size > 8 ? 8 : size);
    /* A register wider than the value is filled with the sign or with zeros, as the type says. PTX ISA, ld. */
    if (op->memory.sign_extends && size < 8 && value >> (size * 8 - 1))
        value |= ~0ull << size * 8;
    return emu_low(value, op->memory.register_bytes);
}

/* Writes the elements into their registers; an element whose operand is '_' is dropped. */
static inline void elements_load(struct emu_thread *t, const struct emu_op *op, const unsigned char *from)
{
    for (unsigned i = 0; i < op->vector; i++) {
        const uint32_t d = op->memory.elements ? op->memory.elements[i] : op->d;
        if (d == EMU_NO)
            continue;
        t->r[d] = element_value(from + i * op->size, op);
        if (op->size == 16)
            memcpy(&t->r[d + EMU_WARP], from + i * op->size + 8, 8);
    }
}

static inline void elements_store(const struct emu_thread *t, const struct emu_op *op, unsigned char *to)
{
    for (unsigned i = 0; i < op->vector; i++) {
        const uint32_t a = op->memory.elements ? op->memory.elements[i] : op->a;
        memcpy(to + i * op->size, &t->r[a], op->size > 8 ? 8 : op->size);
        if (op->size == 16)
            memcpy(to + i * op->size + 8, &t->r[a + EMU_WARP], 8);
    }
}

#endif
// SPDX-License-Identifier: Apache-2.0
