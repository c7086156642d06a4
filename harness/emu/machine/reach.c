/* Registers that are compared with what they were. */
#include "harness/emu/machine/reach.h"

/* More instructions than this are not looked at one by one; to look at one takes as long as to compare so many slots.
 */
enum { MANY = 48, SLOTS = 12 };

struct comparison {
    const struct emu_thread *t;
    const struct ptx_module *m;
    uint64_t *kept;
    bool keep, changed;
};

/* Slots from the first to the one before `end`, counted. */
static void compare(struct comparison *c, uint32_t first, uint32_t end)
{
    const uint64_t *r = c->t->r + (size_t)first * EMU_WARP;
    uint64_t *kept = c->kept + first;
    uint32_t left = end > first ? end - first : 0;

    for (; left && *kept == *r; left--, kept++, r += EMU_WARP)
        ;
    c->changed |= left > 0;
    if (!c->keep)
        return;
#pragma GCC unroll 8
    for (; left; left--, kept++, r += EMU_WARP)
        *kept = *r;
}

static void compare_register(struct comparison *c, uint32_t reg)
{
    const struct emu_code *code = c->t->frame->code;
    const uint32_t n = code->function->n_registers;

    if (reg < n)
        compare(c, code->slot_of[reg] / EMU_WARP,
                reg + 1 < n ? code->slot_of[reg + 1] / EMU_WARP : code->first_special);
}

/* All registers that an operand names. */
static void compare_operand(struct comparison *c, const struct ptx_operand *o)
{
    switch (o->kind) {
    case PO_pair: compare_register(c, o->second); /* fall through */
    case PO_register: compare_register(c, o->reg); break;
    case PO_vector:
    case PO_tensor:
    case PO_list:
        for (uint32_t i = 0; i < o->count; i++)
            compare_operand(c, &c->m->operands[o->first + i]);
        break;
    default: break; /* an address is only read */
    }
}

bool emu_registers_changed(const struct emu_thread *t, struct emu_reach *since, uint64_t *kept, bool keep)
{
    const struct emu_op *high = t->pc > since->high ? t->pc : since->high;
    struct comparison c = { .t = t, .m = t->cta->cluster->run->image->module, .kept = kept, .keep = keep };
    const uint32_t n = t->frame->code->first_special;

    if (!since->low || high - since->low > MANY || n < SLOTS * (high - since->low + 1))
        compare(&c, 0, n);
    else
        for (const struct emu_op *op = since->low; op <= high && (keep || !c.changed); op++)
            for (unsigned k = 0; op->source && k < op->source->n_operands; k++)
                compare_operand(&c, ptx_operand(c.m, op->source, k));
    if (keep)
        emu_reach_begin(t, since);
    return c.changed;
}
