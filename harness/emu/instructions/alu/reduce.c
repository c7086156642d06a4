/* Atomics and reductions of values. PTX ISA, "atom" and "red". */
#include "harness/emu/instructions/alu/reduce.h"

#include <string.h>

#include "harness/emu/instructions/alu/alu.h"

uint16_t alu_atom_word(const struct ptx_module *m, const struct ptx_instruction *i)
{
    static const uint16_t words[] = { PTX_add, PTX_and, PTX_or,  PTX_xor,  PTX_min,
                                      PTX_max, PTX_inc, PTX_dec, PTX_exch, PTX_cas };

    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (ptx_has(m, i, words[k]))
            return words[k];
    return PTX_none;
}

/* How many values of a floating type an element holds. */
static unsigned values_in(uint16_t type)
{
    return type == PTX_f16x2 || type == PTX_bf16x2 ? 2 : 1;
}

bool alu_combines(uint16_t word, uint16_t type)
{
    if (alu_real(type) != REAL_TYPES)
        return word == PTX_add || word == PTX_min || word == PTX_max;
    return word != PTX_none;
}

bool alu_reduces(uint16_t word, uint16_t type)
{
    const unsigned size = ptx_type_size(type);

    if (word == PTX_exch || word == PTX_cas)
        return false;
    return (size == 4 || size == 8 || alu_real(type) != REAL_TYPES) && alu_combines(word, type);
}

/* Sums in global memory flush subnormals of single precision and keep NaNs of double precision as they are; sums in
 * shared memory do neither. So does an H200. */
static uint64_t combine_float(uint16_t word, enum real_type type, uint64_t old, uint64_t b, bool global)
{
    const bool ftz = global && type == REAL_F32;

    if (word == PTX_add && global && type == REAL_F64 && (real_is_nan(type, old) || real_is_nan(type, b)))
        return real_is_nan(type, b) ? b : old;
    if (word == PTX_add)
        return real_pack(type, real_add(real_unpack(type, old, ftz), real_unpack(type, b, ftz), REAL_RN), REAL_RN,
                         ftz ? REAL_FTZ : 0);
    if (real_is_nan(type, old) || real_is_nan(type, b)) /* the number wins */
        return !real_is_nan(type, b) ? b : !real_is_nan(type, old) ? old : real_formats[type].nan;
    return (real_order(type, old) < real_order(type, b)) == (word == PTX_min) ? old : b;
}

static bool is_less(uint16_t type, uint64_t a, uint64_t b)
{
    switch (type) {
    case PTX_s32: return (int32_t)a < (int32_t)b;
    case PTX_s64: return (int64_t)a < (int64_t)b;
    default: return a < b;
    }
}

/* inc wraps to 0 above b; dec wraps to b at 0 and above b. */
static uint64_t combine_integer(uint16_t word, uint16_t type, uint64_t old, uint64_t b, uint64_t c)
{
    switch (word) {
    case PTX_exch: return b;
    case PTX_cas: return old == b ? c : old;
    case PTX_and: return old & b;
    case PTX_or: return old | b;
    case PTX_xor: return old ^ b;
    case PTX_inc: return old >= b ? 0 : old + 1;
    case PTX_dec: return old == 0 || old > b ? b : old - 1;
    case PTX_min: return is_less(type, old, b) ? old : b;
    case PTX_max: return is_less(type, b, old) ? old : b;
    default: return old + b;
    }
}

uint64_t alu_combine(uint16_t word, uint16_t type, unsigned size, uint64_t old, uint64_t b, uint64_t c, bool global)
{
    const enum real_type real = alu_real(type);
    uint64_t out = 0;

    b = emu_low(b, size);
    if (real == REAL_TYPES)
        return emu_low(combine_integer(word, type, old, b, emu_low(c, size)), size);
    const unsigned bits = real_formats[real].bits, n = values_in(type);
    const uint64_t mask = UINT64_MAX >> (64 - bits);
    for (unsigned k = 0; k < n; k++)
        out |= combine_float(word, real, old >> k * bits & mask, b >> k * bits & mask, global) << k * bits;
    return out;
}

/* ---- runs of integers: whole loops, which compilers turn into vector code ---------------------------------------- */

typedef void loop(unsigned char *to, const unsigned char *from, uint64_t bytes);

/* A loop over elements of a type; `value` is the new value of an element a that meets b. */
#define LOOP(name, type, value)                                                                                        \
    static void name(unsigned char *to, const unsigned char *from, uint64_t bytes)                                     \
    {                                                                                                                  \
        for (uint64_t k = 0; k + sizeof(type) <= bytes; k += sizeof(type)) {                                           \
            type a, b;                                                                                                 \
            memcpy(&a, to + k, sizeof a);                                                                              \
            memcpy(&b, from + k, sizeof b);                                                                            \
            a = value;                                                                                                 \
            memcpy(to + k, &a, sizeof a);                                                                              \
        }                                                                                                              \
    }
LOOP(add_32, uint32_t, a + b)
LOOP(add_64, uint64_t, a + b)
LOOP(and_32, uint32_t, a &b)
LOOP(and_64, uint64_t, a &b)
LOOP(or_32, uint32_t, a | b)
LOOP(or_64, uint64_t, a | b)
LOOP(xor_32, uint32_t, a ^ b)
LOOP(xor_64, uint64_t, a ^ b)
LOOP(min_u32, uint32_t, b < a ? b : a)
LOOP(min_u64, uint64_t, b < a ? b : a)
LOOP(min_s32, int32_t, b < a ? b : a)
LOOP(min_s64, int64_t, b < a ? b : a)
LOOP(max_u32, uint32_t, b > a ? b : a)
LOOP(max_u64, uint64_t, b > a ? b : a)
LOOP(max_s32, int32_t, b > a ? b : a)
LOOP(max_s64, int64_t, b > a ? b : a)

/* The loop of an operation; NULL where it has none. */
static loop *loop_of(uint16_t word, uint16_t type)
{
    const bool is_signed = type == PTX_s32 || type == PTX_s64;
    const bool wide = type == PTX_b64 || type == PTX_u64 || type == PTX_s64;

    if (!wide && type != PTX_b32 && type != PTX_u32 && type != PTX_s32)
        return NULL;
    switch (word) {
    case PTX_add: return wide ? add_64 : add_32;
    case PTX_and: return wide ? and_64 : and_32;
    case PTX_or: return wide ? or_64 : or_32;
    case PTX_xor: return wide ? xor_64 : xor_32;
    case PTX_min:
        if (is_signed)
            return wide ? min_s64 : min_s32;
        return wide ? min_u64 : min_u32;
    case PTX_max:
        if (is_signed)
            return wide ? max_s64 : max_s32;
        return wide ? max_u64 : max_u32;
    default: return NULL;
    }
}

void alu_reduce(uint16_t word, uint16_t type, bool ftz, unsigned char *to, const unsigned char *from, uint64_t bytes)
{
    const unsigned size = ptx_type_size(type);
    loop *const run = loop_of(word, type);

    if (run) {
        run(to, from, bytes);
        return;
    }
    for (uint64_t k = 0; k + size <= bytes; k += size) {
        uint64_t a = 0, b = 0;
        memcpy(&a, to + k, size);
        memcpy(&b, from + k, size);
        a = alu_combine(word, type, size, a, b, 0, ftz || type == PTX_f64); /* doubles: as in global memory */
        memcpy(to + k, &a, size);
    }
}
// SPDX-License-Identifier: Apache-2.0
