/* Registers that are compared with what they were. */
#include "harness/emu/machine/reach.h"

#include <stdlib.h>

#include "harness/emu/machine/code.h"

/* More instructions than this are not looked at one by one; to look at one takes as long as to compare so many slots.
 */
enum { MANY = 48, SLOTS = 12 };

/* Stretches of instructions of which a cluster keeps what they name, a power of two; slots that one may name. */
enum { STRETCHES = 16, NAMED = 120 };

struct emu_named {
    const struct emu_op *low, *high;
    uint32_t count; /* TOO_MANY: they are not kept */
    uint32_t slots[NAMED];
};

enum { TOO_MANY = NAMED + 1 };

/* ---- the slots that a stretch names ------------------------------------------------------------------------------ */

static void add_slot(struct emu_named *to, uint32_t slot)
{
    for (uint32_t i = 0; i < to->count && i < NAMED; i++)
        if (to->slots[i] == slot)
            return;
    if (to->count < NAMED)
        to->slots[to->count] = slot;
    to->count += to->count < TOO_MANY;
}

static void add_register(struct emu_named *to, const struct emu_code *code, uint32_t reg)
{
    const uint32_t n = code->function->n_registers, end = reg < n ? emu_code_register_end(code, reg) / EMU_WARP : 0;

    for (uint32_t slot = reg < n ? code->slot_of[reg] / EMU_WARP : end; slot < end; slot++)
        add_slot(to, slot);
}

/* All registers that an operand names. */
static void add_operand(struct emu_named *to, const struct emu_code *code, const struct ptx_module *m,
                        const struct ptx_operand *o)
{
    switch (o->kind) {
    case PO_pair: add_register(to, code, o->second); /* fall through */
    case PO_register: add_register(to, code, o->reg); break;
    case PO_vector:
    case PO_tensor:
    case PO_list:
        for (uint32_t i = 0; i < o->count; i++)
            add_operand(to, code, m, &m->operands[o->first + i]);
        break;
    default: break; /* an address is only read */
    }
}

/* What a stretch of the thread's function names; NULL: that is too much, or memory is short. */
static const struct emu_named *named_by(const struct emu_thread *t, const struct emu_op *low, const struct emu_op *high)
{
    struct emu_run *run = emu_run_of(t);
    const struct ptx_module *m = run->image->module;
    struct emu_named *to;

    if (!run->named)
        run->named = calloc(STRETCHES, sizeof *run->named);
    if (!run->named)
        return NULL;
    to = &run->named[((size_t)(low - t->code) + 5 * (size_t)(high - t->code)) % STRETCHES];
    if (to->low != low || to->high != high) {
        to->low = low;
        to->high = high;
        to->count = 0;
        for (const struct emu_op *op = low; op <= high && to->count < TOO_MANY; op++)
            for (unsigned k = 0; op->source && k < op->source->n_operands; k++)
                add_operand(to, t->frame->code, m, ptx_operand(m, op->source, k));
    }
    return to->count < TOO_MANY ? to : NULL;
}

/* ---- comparing --------------------------------------------------------------------------------------------------- */

/* Of all slots, so many, or of those that a stretch names: the first that differs; EMU_NO: none does. */
static uint32_t differs_of_all(const uint64_t *r, const uint64_t *kept, uint32_t n)
{
    for (uint32_t slot = 0; slot < n; slot++, r += EMU_WARP)
        if (kept[slot] != *r)
            return slot;
    return EMU_NO;
}

static uint32_t differs_of_named(const uint64_t *r, const uint64_t *kept, const struct emu_named *named)
{
    for (uint32_t i = 0; i < named->count; i++)
        if (kept[named->slots[i]] != r[(size_t)named->slots[i] * EMU_WARP])
            return named->slots[i];
    return EMU_NO;
}

/* They are kept. */
static void keep_all(const uint64_t *r, uint64_t *kept, uint32_t n)
{
#pragma GCC unroll 8
    for (uint32_t slot = 0; slot < n; slot++, r += EMU_WARP)
        kept[slot] = *r;
}

static void keep_named(const uint64_t *r, uint64_t *kept, const struct emu_named *named)
{
    for (uint32_t i = 0; i < named->count; i++)
        kept[named->slots[i]] = r[(size_t)named->slots[i] * EMU_WARP];
}

/* What the thread's instructions since then name; NULL: all slots are looked at. */
static const struct emu_named *named_since(const struct emu_thread *t, const struct emu_reach *since)
{
    const struct emu_op *high = t->pc > since->high ? t->pc : since->high;
    const uint32_t n = t->frame->code->first_special;

    return since->low && high - since->low <= MANY && n >= SLOTS * (high - since->low + 1)
               ? named_by(t, since->low, high)
               : NULL;
}

bool emu_registers_changed(const struct emu_thread *t, const struct emu_reach *since, const uint64_t *kept,
                           uint32_t *last)
{
    const uint32_t n = t->frame->code->first_special;
    const struct emu_named *named;

    if (*last < n && kept[*last] != t->r[(size_t)*last * EMU_WARP])
        return true; /* mostly it is the same one again */
    named = named_since(t, since);
    *last = named ? differs_of_named(t->r, kept, named) : differs_of_all(t->r, kept, n);
    return *last != EMU_NO;
}

void emu_registers_keep_later(const struct emu_thread *t, struct emu_reach *since, uint64_t *kept,
                              struct emu_keeping *later)
{
    const struct emu_named *named = named_since(t, since);

    if (named) {
        keep_named(t->r, kept, named);
    } else {
        later->slots = t->frame->code->first_special;
        later->r[later->count] = t->r;
        later->kept[later->count] = kept;
        later->count++;
    }
    emu_reach_begin(t, since);
}

void emu_registers_kept(const struct emu_keeping *later)
{
    enum { AT_ONCE = 64 };

    for (uint32_t first = 0; later->count && first < later->slots; first += AT_ONCE) {
        const uint32_t n = later->slots - first < AT_ONCE ? later->slots - first : AT_ONCE;
        for (uint32_t i = 0; i < later->count; i++)
            keep_all(later->r[i] + (size_t)first * EMU_WARP, later->kept[i] + first, n);
    }
}

void emu_registers_keep(const struct emu_thread *t, struct emu_reach *since, uint64_t *kept)
{
    struct emu_keeping one;

    one.count = 0;
    emu_registers_keep_later(t, since, kept, &one);
    emu_registers_kept(&one);
}
// SPDX-License-Identifier: Apache-2.0
