/* What a load takes along and its program does not use. nvcc loads a vector where a program reads three of four words;
 * a struct that is assigned is loaded and stored with its padding, and with members that are used on a condition alone.
 */
#include "harness/emu/judge/unused.h"

#include <stdlib.h>

#include "harness/emu/judge/known.h"
#include "harness/emu/judge/meets.h"
#include "harness/emu/judge/pages.h"

/* Bits of a load: each element's use; from KEPT on, each one's use by an instruction that is no store of it, and from
 * CHOSEN on, by a selp; whether any element is named elsewhere. */
enum { ELEMENTS = 7, KEPT = 7, CHOSEN = 16, NAMED = 1 << 14, LOOKED_AT = 1 << 15 };
/* Bits of a register. */
enum { STORED = 1, COMPUTED = 2, SELECTED = 4 };

enum { DEPTH = 4 }; /* so many moves of a value one behind the other are followed */

/* Whether an operand that is read, or a part of it, is this register. */
static bool has(const struct ptx_module *m, const struct ptx_operand *o, uint32_t reg)
{
    switch (o->kind) {
    case PO_register: return o->reg == reg;
    case PO_address: return o->flags & PF_BASE_REGISTER && o->reg == reg;
    case PO_vector:
    case PO_tensor:
    case PO_list:
        for (uint32_t i = 0; i < o->count; i++)
            if (has(m, &m->operands[o->first + i], reg))
                return true;
        return false;
    default: return false;
    }
}

/* An instruction that only brings bits of its operands to other places. */
static bool moves(const struct ptx_instruction *i)
{
    return i->op == OP_mov || i->op == OP_shr || i->op == OP_shl || i->op == OP_prmt || i->op == OP_bfe;
}

static unsigned uses_of(const struct ptx_module *m, const struct ptx_function *f, const struct ptx_instruction *at,
                        uint32_t reg, unsigned depth);

/* How it uses the register, which is its operand n. What selp may drop is not used for certain. */
static unsigned use_by(const struct ptx_module *m, const struct ptx_function *f, const struct ptx_instruction *i,
                       unsigned n, unsigned depth)
{
    const struct ptx_operand *to = ptx_operand(m, i, 0);
    unsigned uses = 0;

    if (i->op == OP_st && n == 1)
        return STORED;
    if (i->op == OP_selp && (n == 1 || n == 2))
        return SELECTED;
    if (!moves(i) || n == 0 || depth == DEPTH || (to->kind != PO_register && to->kind != PO_vector))
        return COMPUTED;
    for (uint32_t e = 0; e < (to->kind == PO_vector ? to->count : 1); e++) {
        const struct ptx_operand *one = to->kind == PO_vector ? &m->operands[to->first + e] : to;
        uses |= one->kind == PO_register ? uses_of(m, f, i, one->reg, depth + 1) : 0;
    }
    return uses;
}

/* How the function uses the register that the instruction `at` sets. */
static unsigned uses_of(const struct ptx_module *m, const struct ptx_function *f, const struct ptx_instruction *at,
                        uint32_t reg, unsigned depth)
{
    unsigned uses = 0;

    for (uint32_t k = 0; k < f->n_instructions && !(uses & COMPUTED); k++) {
        const struct ptx_instruction *i = &m->instructions[f->instructions + k];
        for (unsigned n = i == at; n < i->n_operands; n++)
            uses |= has(m, ptx_operand(m, i, n), reg) ? use_by(m, f, i, n, depth) : 0;
        uses |= i->guard == reg ? COMPUTED : 0;
    }
    return uses;
}

static uint32_t elements_of(const struct ptx_module *m, const struct ptx_instruction *load)
{
    const struct ptx_operand *to = ptx_operand(m, load, 0);
    const struct ptx_function *f = ptx_function_of(m, load);
    uint32_t uses = LOOKED_AT;

    for (unsigned e = 0; f && e < load->vector && e < ELEMENTS; e++) {
        const struct ptx_operand *one = to->kind == PO_vector ? &m->operands[to->first + e] : to;
        const unsigned how = one->kind == PO_register ? uses_of(m, f, load, one->reg, 0) : 0;
        uses |= how & (STORED | COMPUTED) ? 1u << e : 0;
        uses |= how & COMPUTED ? 1u << (e + KEPT) : 0;
        uses |= how & SELECTED ? 1u << (e + CHOSEN) : 0;
        uses |= how ? NAMED : 0;
    }
    return uses;
}

static uint32_t uses_at(struct order *o, uint32_t at)
{
    if (!o->uses)
        o->uses = calloc(o->module->n_instructions + 1, sizeof *o->uses);
    if (!o->uses)
        return UINT32_MAX;
    if (!o->uses[at])
        o->uses[at] = elements_of(o->module, &o->module->instructions[at]);
    return o->uses[at];
}

/* Whether an operand may be the register that an instruction sets, or one of them. */
static bool may_set(const struct ptx_module *m, const struct ptx_operand *o, uint32_t reg)
{
    return has(m, o, reg) || (o->kind == PO_pair && (o->reg == reg || o->second == reg));
}

/* The only instruction of the function that may set the register; NULL: there are several, or none. */
static const struct ptx_instruction *setter_of(const struct ptx_module *m, const struct ptx_function *f, uint32_t reg)
{
    const struct ptx_instruction *only = NULL;

    for (uint32_t k = 0; k < f->n_instructions; k++) {
        const struct ptx_instruction *i = &m->instructions[f->instructions + k];
        bool sets = false;
        for (unsigned n = 0; n < 2 && n < i->n_operands && !sets; n++)
            sets = (n == 0 || i->op == OP_call) && may_set(m, ptx_operand(m, i, n), reg);
        if (sets && only)
            return NULL;
        only = sets ? i : only;
    }
    return only;
}

/* Whether a selp behind the load takes the register: where its predicate has been set before the load, and is not set
 * elsewhere, it is known by now. One that is set later may ask whether there is a value. */
static bool is_taken(const struct ptx_module *m, const struct emu_thread *t, const struct ptx_instruction *load,
                     uint32_t reg)
{
    const struct ptx_function *f = t->frame->code->function;
    const struct ptx_instruction *end = &m->instructions[f->instructions + f->n_instructions];

    for (const struct ptx_instruction *i = load + 1; i < end; i++) {
        const struct ptx_operand *by = i->op == OP_selp ? ptx_operand(m, i, 3) : NULL;
        const struct ptx_instruction *set = NULL;
        if (!by || by->kind != PO_register ||
            (!has(m, ptx_operand(m, i, 1), reg) && !has(m, ptx_operand(m, i, 2), reg)))
            continue;
        set = setter_of(m, f, by->reg);
        if (!set || set > load)
            continue;
        const bool first = (t->r[t->frame->code->slot_of[by->reg]] != 0) != ((by->flags & PF_NOT) != 0);
        if (has(m, ptx_operand(m, i, first ? 1 : 2), reg))
            return true;
    }
    return false;
}

/* The same of element e of what a load loads. */
static bool takes_element(const struct order *o, const struct emu_thread *t, const struct ptx_instruction *load,
                          unsigned e)
{
    const struct ptx_operand *to = ptx_operand(o->module, load, 0);
    const struct ptx_operand *one = to->kind == PO_vector ? &o->module->operands[to->first + e] : to;

    return one->kind == PO_register && t->frame && ptx_function_of(o->module, load) == t->frame->code->function &&
           is_taken(o->module, t, load, one->reg);
}

bool order_takes_along(struct order *o, struct emu_thread *t, uint64_t key, uint64_t n)
{
    const uint32_t at = order_instruction_now(o, t);
    const struct ptx_instruction *i = order_instruction_at(o, at);
    const uint64_t size = i && i->op == OP_ld && i->vector && i->vector <= ELEMENTS ? n / i->vector : 0;
    const uint32_t uses = size ? uses_at(o, at) : UINT32_MAX;
    bool any, all;

    order_values_of(o, key, n, &any, &all);
    for (unsigned e = 0; size && e < i->vector; e++) {
        bool some;
        order_values_of(o, key + e * size, size, &some, &all);
        if (!all && uses >> e & 1 && (!any || uses >> (e + KEPT) & 1))
            return false;
        if (!all && uses >> (e + CHOSEN) & 1 && takes_element(o, t, i, e))
            return false;
    }
    return size && uses & NAMED;
}
// SPDX-License-Identifier: Apache-2.0
