/* Loads and stores of memory that is a thread's own, by lanes of a warp together: constants, which nobody writes while
 * a kernel runs, and local memory, which no other thread can access. No watcher is told of either. */
#include "harness/emu/instructions/private.h"

#include "harness/emu/instructions/elements.h"
#include "harness/emu/machine/code.h"
#include "harness/emu/machine/lanes.h"
#include "harness/emu/machine/overwritten.h"
#include "harness/emu/machine/pattern.h"

/* Where the lanes' bytes are. False: some are outside, or misaligned, which one lane at a time must find. */
static inline bool find(const struct emu_thread *lanes, uint32_t set, const struct emu_op *op, uint32_t slot,
                        unsigned char *at[EMU_WARP])
{
    const unsigned n = (unsigned)op->size * op->vector;
    const struct emu_image *image = emu_run_of(lanes)->image;
    const bool constants = op->space == PTX_const;

    for (uint32_t left = set; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const struct emu_thread *t = &lanes[lane];
        const uint64_t base = op->memory.in_frame ? t->frame->local_base : 0;
        const uint64_t address = (uint32_t)(t->r[slot] + (uint64_t)op->offset + base);
        const uint64_t size = constants ? image->const_bytes : t->frame->local_top;
        if (address & (n - 1) || address > size || n > size - address)
            return false;
        at[lane] = (constants ? image->constants : t->local) + address;
    }
    return true;
}

static bool load_private(struct emu_thread *lanes, uint32_t set, const struct emu_op *op, struct emu_overwritten *kept)
{
    unsigned char *at[EMU_WARP];

    (void)kept;
    if (!find(lanes, set, op, op->a, at))
        return false;
    for (uint32_t left = set; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        elements_load(&lanes[lane], op, at[lane]);
    }
    return true;
}

/* A constant whose address is one is the same for all lanes. */
static bool load_constant(struct emu_thread *lanes, uint32_t set, const struct emu_op *op, struct emu_overwritten *kept)
{
    const struct emu_thread *first = &lanes[__builtin_ctz(set)];
    const uint32_t slot = first->frame->code->first_constant * EMU_WARP;
    uint64_t *d = first->r - first->lane + op->d, value;
    unsigned char *at[EMU_WARP];

    if (op->a < slot || op->vector > 1 || op->memory.elements)
        return load_private(lanes, set, op, kept);
    if (!find(lanes, 1u << first->lane, op, op->a, at))
        return false;
    value = element_value(at[first->lane], op);
    if (set == UINT32_MAX) {
        EMU_EACH_LANE
        {
            d[lane] = value;
        }
        return true;
    }
    for (; set; set &= set - 1)
        d[__builtin_ctz(set)] = value;
    return true;
}

static bool store_private(struct emu_thread *lanes, uint32_t set, const struct emu_op *op, struct emu_overwritten *kept)
{
    const unsigned n = (unsigned)op->size * op->vector;
    unsigned char *at[EMU_WARP];

    if (!find(lanes, set, op, op->d, at))
        return false;
    for (uint32_t left = kept ? set : 0; left; left &= left - 1)
        if (!emu_overwritten_keep(kept, at[__builtin_ctz(left)], n))
            return false;
    for (uint32_t left = set; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        elements_store(&lanes[lane], op, at[lane]);
    }
    return true;
}

/* What lanes may do together: values that go into one slot each. */
static bool is_common(const struct emu_op *op)
{
    const unsigned n = (unsigned)op->size * op->vector;

    return n && n <= EMU_PATTERN_BYTES && !(n & (n - 1)) && op->size <= 8;
}

void emu_private_load(struct emu_op *op)
{
    if (!is_common(op) || (op->space != PTX_const && op->space != PTX_local))
        return;
    op->together = EMU_PRIVATE;
    op->private = op->space == PTX_const ? load_constant : load_private;
}

void emu_private_store(struct emu_op *op)
{
    if (!is_common(op) || op->space != PTX_local)
        return;
    op->together = EMU_PRIVATE;
    op->private = store_private;
}
// SPDX-License-Identifier: Apache-2.0
