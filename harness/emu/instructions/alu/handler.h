/* Handlers of one expression, for each integer type, made by macros; and operands as decoders of arithmetic want them.
 */
#ifndef COPYCHECK_EMU_INSTRUCTIONS_ALU_HANDLER_H
#define COPYCHECK_EMU_INSTRUCTIONS_ALU_HANDLER_H

#include "harness/emu/instructions/alu/alu.h"
#include "harness/emu/instructions/alu/lanes.h"

/* Handlers of one expression for the integer types. The expression may use
 *   T, U, W      the type; the unsigned type of its size; one twice as wide, of its signedness
 *   BITS, SIGNED the width of the type; 1 where it is signed, else 0
 *   a, b, c      the operands as values of T; ua, ub, uc: as values of U; ra, rb, rc: their whole slots
 *   t, op        the lane; the instruction, for members of its family
 * and the result is cut to U. `reads` is how many operands there are: ONE (a), TWO (a, b) or THREE (a, b, c). */
#define EMU_HANDLER(name, t_type, u_type, w_type, is_signed, reads, EXPRESSION)                                        \
    EMU_VALUE(const struct emu_lane, name, t_type, u_type, w_type, is_signed, reads, EXPRESSION)                       \
    EMU_LANES(name)
/* The same of an expression that needs more of the thread, t, than its registers. */
#define EMU_HANDLER_OF_THREAD(name, t_type, u_type, w_type, is_signed, reads, EXPRESSION)                              \
    EMU_VALUE(struct emu_thread, name, t_type, u_type, w_type, is_signed, reads, EXPRESSION)                           \
    static void name(struct emu_thread *t, const struct emu_op *op)                                                    \
    {                                                                                                                  \
        t->r[op->d] = name##_value(t, op);                                                                             \
    }
/* Parts of these: the function of the expression; what it declares for an operand, and for one, two or three. */
#define EMU_VALUE(of_what, name, t_type, u_type, w_type, is_signed, reads, EXPRESSION)                                 \
    static inline uint64_t name##_value(of_what *t, const struct emu_op *op)                                           \
    {                                                                                                                  \
        typedef t_type T __attribute__((unused));                                                                      \
        typedef u_type U __attribute__((unused));                                                                      \
        typedef w_type W __attribute__((unused));                                                                      \
        enum { SIGNED = is_signed, BITS = 8 * sizeof(T) };                                                             \
        EMU_READ_##reads;                                                                                              \
        return (uint64_t)(EXPRESSION) & (U) ~(U)0;                                                                     \
    }
#define EMU_OPERAND(x)                                                                                                 \
    const uint64_t r##x __attribute__((unused)) = t->r[op->x];                                                         \
    const T x __attribute__((unused)) = (T)r##x;                                                                       \
    const U u##x __attribute__((unused)) = (U)r##x
#define EMU_READ_ONE EMU_OPERAND(a)
#define EMU_READ_TWO                                                                                                   \
    EMU_READ_ONE;                                                                                                      \
    EMU_OPERAND(b)
#define EMU_READ_THREE                                                                                                 \
    EMU_READ_TWO;                                                                                                      \
    EMU_OPERAND(c)

__extension__ typedef __int128 emu_s128;
__extension__ typedef unsigned __int128 emu_u128;

#define EMU_U16(name, reads, e) EMU_HANDLER(name, uint16_t, uint16_t, uint32_t, 0, reads, e)
#define EMU_S16(name, reads, e) EMU_HANDLER(name, int16_t, uint16_t, int32_t, 1, reads, e)
#define EMU_U32(name, reads, e) EMU_HANDLER(name, uint32_t, uint32_t, uint64_t, 0, reads, e)
#define EMU_S32(name, reads, e) EMU_HANDLER(name, int32_t, uint32_t, int64_t, 1, reads, e)
#define EMU_U64(name, reads, e) EMU_HANDLER(name, uint64_t, uint64_t, emu_u128, 0, reads, e)
#define EMU_S64(name, reads, e) EMU_HANDLER(name, int64_t, uint64_t, emu_s128, 1, reads, e)

/* Tables of handlers by size (16, 32, 64), and by type. */
enum emu_int { EMU_I_U16, EMU_I_U32, EMU_I_U64, EMU_I_S16, EMU_I_S32, EMU_I_S64, EMU_I_NONE };
#define EMU_SIZES(name, reads, e)                                                                                      \
    EMU_U16(name##_u16, reads, e)                                                                                      \
    EMU_U32(name##_u32, reads, e)                                                                                      \
    EMU_U64(name##_u64, reads, e)                                                                                      \
    static emu_handler *const name[6] = { name##_u16, name##_u32, name##_u64, name##_u16, name##_u32, name##_u64 };
#define EMU_INTS(name, reads, e)                                                                                       \
    EMU_U16(name##_u16, reads, e)                                                                                      \
    EMU_U32(name##_u32, reads, e)                                                                                      \
    EMU_U64(name##_u64, reads, e)                                                                                      \
    EMU_S16(name##_s16, reads, e)                                                                                      \
    EMU_S32(name##_s32, reads, e)                                                                                      \
    EMU_S64(name##_s64, reads, e)                                                                                      \
    static emu_handler *const name[6] = { name##_u16, name##_u32, name##_u64, name##_s16, name##_s32, name##_s64 };

/* Which of them a type is; the bit types count as unsigned. */
static inline enum emu_int emu_int_of(uint16_t type)
{
    switch (type) {
    case PTX_b16:
    case PTX_u16: return EMU_I_U16;
    case PTX_b32:
    case PTX_u32: return EMU_I_U32;
    case PTX_b64:
    case PTX_u64: return EMU_I_U64;
    case PTX_s16: return EMU_I_S16;
    case PTX_s32: return EMU_I_S32;
    case PTX_s64: return EMU_I_S64;
    default: return EMU_I_NONE;
    }
}

/* The slot of operand k as a value of this type. */
static inline uint32_t emu_slot_as(const struct ptx_module *m, const struct ptx_instruction *i, unsigned k,
                                   uint16_t type)
{
    return emu_slot(ptx_operand(m, i, k), type);
}

/* The slot of a register; EMU_NO for none. */
static inline uint32_t emu_slot_of_register(uint32_t reg)
{
    const struct ptx_operand o = { .kind = PO_register, .reg = reg };

    return emu_slot(&o, PTX_pred);
}

/* Whether predicate operand k is negated. */
static inline bool emu_negated(const struct ptx_module *m, const struct ptx_instruction *i, unsigned k)
{
    return ptx_operand(m, i, k)->flags & PF_NOT;
}

/* A predicate operand: a constant other than 0 is true. */
static inline uint32_t emu_predicate(const struct ptx_module *m, const struct ptx_instruction *i, unsigned k)
{
    const struct ptx_operand *o = ptx_operand(m, i, k);

    return o->kind == PO_immediate ? emu_constant(o->value != 0) : emu_slot(o, PTX_pred);
}

#endif
// SPDX-License-Identifier: Apache-2.0
