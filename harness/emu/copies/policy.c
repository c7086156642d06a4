/* createpolicy: what a policy of the L2 cache looks like. No document says so. This is the code that ptxas 13.0 makes
 * of each form for sm_90, as nvdisasm shows it. libcu++'s access_property has the same fields, and forms the same
 * values on the host for fractions of n/16, and for ranges whose size is a power of two.
 *
 * The upper word has, from the highest bit on: 3 bits, 0; how the policy says which lines are its own (0: all, 2: a
 * part of all, 3: blocks); what is done with these, 2 bits; and with the others, 1 bit; then the part of 16, or the
 * size of blocks as a power of two from 4 KiB on, 4 bits; and of blocks the first and how many, 7 bits each. */
#include <math.h>
#include <string.h>

#include "harness/emu/copies/decoders.h"
#include "harness/emu/machine/thread.h"

enum { PART = 2, BLOCKS = 3 };
/* Of the lowest bits of these fields in the upper word. */
enum { MODE = 27, PRIMARY = 25, SECONDARY = 24, SIZE = 20, FIRST = 12, COUNT = 5 };
enum { LEAST_BLOCK = 12, MOST_BLOCKS = 127 };

/* A size or a part in four bits, a number of blocks in seven. */
static uint64_t policy_of(uint32_t how, uint32_t size, uint64_t first, uint64_t count)
{
    return (uint64_t)(how | (size & 15) << SIZE | (uint32_t)(first & 127) << FIRST | (uint32_t)(count & 127) << COUNT)
           << 32;
}

static void fractional(struct emu_thread *t, const struct emu_op *op)
{
    float part = 1;

    if (op->a != EMU_NO) {
        const uint32_t bits = (uint32_t)t->r[op->a];
        memcpy(&part, &bits, sizeof part);
    }
    part *= 15.99f;
    t->r[op->d] = policy_of(op->policy, part >= 4294967296.0f ? UINT32_MAX : part > 0 ? (uint32_t)part : 0, 0, 0);
}

/* The binary logarithm of a size as lg2.approx gives it: digits that a float has no room for are dropped. */
static float logarithm(uint32_t size)
{
    const double exact = log2((double)(float)size);
    const float nearest = (float)exact;

    return (double)nearest > exact ? nextafterf(nearest, 0) : nearest;
}

/* The whole is up to 128 blocks. Its size is rounded to a float, and what comes of the size of a block and that of the
 * part, to 32 bits. */
static void range(struct emu_thread *t, const struct emu_op *op)
{
    const uint64_t address = t->r[op->a] + (uint64_t)op->offset;
    const uint32_t part = (uint32_t)t->r[op->b], whole = (uint32_t)t->r[op->c];
    uint64_t first, count;
    uint32_t block;

    if (!whole) {
        t->r[op->d] = policy_of(BLOCKS << MODE, 0, 0, 0);
        return;
    }
    block = (uint32_t)ceilf(logarithm(whole));
    block = block > LEAST_BLOCK + 7 ? block - 7 : LEAST_BLOCK;
    first = address >> block;
    count = ((address + (uint32_t)(part - 1 + (1u << block))) >> block) - first;
    t->r[op->d] = policy_of(op->policy, block - LEAST_BLOCK, first, count < MOST_BLOCKS ? count : MOST_BLOCKS);
}

static void convert(struct emu_thread *t, const struct emu_op *op)
{
    t->r[op->d] = t->r[op->a];
}

/* What is done with the policy's own lines, and with others: the first two words of the kind. */
static uint32_t priorities(const struct ptx_module *m, const struct ptx_instruction *i)
{
    uint32_t how = 0, n = 0;

    for (unsigned k = 0; k < i->n_words; k++) {
        const uint16_t word = m->words[i->words + k];
        const uint32_t value = word == PTX_L2_evict_first    ? 1
                               : word == PTX_L2_evict_last   ? 2
                               : word == PTX_L2_evict_normal ? 3
                                                             : 0;
        if (ptx_word_class[word] == PC_evict)
            how |= value << (n++ ? SECONDARY : PRIMARY);
    }
    return how;
}

emu_handler *emu_decode_policy(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    switch (i->op) {
    case OP_createpolicy_fractional:
        op->policy = priorities(m, i) | PART << MODE;
        op->a = i->n_operands > 1 ? emu_slot(ptx_operand(m, i, 1), PTX_f32) : EMU_NO;
        return fractional;
    case OP_createpolicy_range:
        op->policy = priorities(m, i) | (uint32_t)BLOCKS << MODE;
        emu_address(ptx_operand(m, i, 1), op, &op->a, &op->offset);
        op->b = emu_slot(ptx_operand(m, i, 2), PTX_u32);
        op->c = emu_slot(ptx_operand(m, i, 3), PTX_u32);
        return range;
    case OP_createpolicy_cvt: return convert;
    default: return NULL;
    }
}
// SPDX-License-Identifier: Apache-2.0
