/* Operands made ready: slots of registers, special registers and constants. */
#include "harness/emu/machine/code.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/room.h"
#include "harness/emu/machine/bytes.h"
#include "harness/emu/machine/shared.h"

/* NEAR_CONSTANTS: how many of the constants last made are compared with a new one. */
enum { MAX_CONSTANTS = 1 << 20, NEAR_CONSTANTS = 64 };

/* Slots of specials and constants are numbered from these marks on while decoding; emu_code_end knows their place. */
#define SPECIAL_MARK  0x40000000u
#define CONSTANT_MARK 0x80000000u

/* Memory that lives as long as the code: a list of slots, or bytes; or neither, and a slot elsewhere that gets its
 * final number with the others. */
struct emu_code_list {
    struct emu_code_list *next;
    uint32_t *later; /* the slot elsewhere */
    unsigned count;  /* of slots */
    uint32_t slots[];
};

/* The function that is being decoded. Decoding is under the image's lock, and one host thread decodes one function. */
static _Thread_local struct {
    const struct emu_image *image;
    const struct ptx_module *m;
    struct emu_code *code;
    uint32_t constant_count;
    size_t constant_room, special_room; /* of the code's arrays, in elements */
    bool failed;                        /* out of memory */
} now;

uint32_t emu_constant(uint64_t value)
{
    const uint32_t first = now.constant_count > NEAR_CONSTANTS ? now.constant_count - NEAR_CONSTANTS : 0;
    uint64_t *constants;

    for (uint32_t i = now.constant_count; i-- > first;)
        if (now.code->constants[i] == value)
            return CONSTANT_MARK + i;
    constants = now.constant_count == MAX_CONSTANTS
                    ? NULL
                    : ck_room(now.code->constants, now.constant_count, &now.constant_room, 64, sizeof *constants);
    if (!constants) {
        now.failed = true;
        return CONSTANT_MARK;
    }
    now.code->constants = constants;
    constants[now.constant_count] = value;
    now.constant_count++;
    return CONSTANT_MARK + now.constant_count - 1;
}

static uint32_t special(uint16_t number, uint8_t component)
{
    struct emu_code *c = now.code;
    struct emu_special *specials;

    for (uint32_t i = 0; i < c->special_count; i++)
        if (c->specials[i].special == number && c->specials[i].component == component)
            return SPECIAL_MARK + i;
    specials = ck_room(c->specials, c->special_count, &now.special_room, 16, sizeof *specials);
    if (!specials) {
        now.failed = true;
        return SPECIAL_MARK;
    }
    c->specials = specials;
    specials[c->special_count] = (struct emu_special){ .special = number, .component = component };
    c->special_count++;
    return SPECIAL_MARK + c->special_count - 1;
}

/* An immediate as an operand of this type holds it. */
static uint64_t immediate(const struct ptx_operand *o, uint16_t type)
{
    const unsigned size = ptx_type_size(type);
    uint64_t bits = o->value;
    double d;
    float f;

    if (!(o->flags & PF_FLOAT))
        return size ? emu_low(bits, size) : bits;
    if (o->flags & PF_SINGLE) {
        if (type != PTX_f64)
            return bits & 0xffffffffu;
        memcpy(&f, &bits, sizeof f);
        d = f;
        memcpy(&bits, &d, sizeof bits);
        return bits;
    }
    if (type == PTX_f64 || type == PTX_b64 || size == 8)
        return bits;
    memcpy(&d, &bits, sizeof d);
    f = (float)d;
    bits = 0;
    memcpy(&bits, &f, sizeof f);
    return bits;
}

unsigned emu_register_bytes(const struct ptx_operand *o)
{
    while (o->kind == PO_vector && o->count) {
        const struct ptx_operand *first = &now.m->operands[o->first];
        for (uint32_t i = 0; i < o->count && first->kind == PO_sink; i++)
            first++;
        o = first;
    }
    if (o->kind != PO_register || o->reg == PTX_NO)
        return 8;
    return ptx_type_size(now.m->registers[now.code->function->registers + o->reg].type);
}

static uint64_t variable_address(uint32_t symbol)
{
    const uint32_t i = now.m->variables[symbol].definition;
    const struct ptx_variable *v = &now.m->variables[i];

    return v->space == PTX_shared && v->unsized ? emu_shared_of(now.image, now.code->function)->dynamic
                                                : now.image->address[i];
}

uint32_t emu_register_slot(uint32_t reg)
{
    return now.code->slot_of[reg];
}

uint32_t emu_slot(const struct ptx_operand *o, uint16_t type)
{
    switch (o->kind) {
    case PO_register: /* and an element of a vector, whose components are 'x' 'y' 'z' 'w' */
        return o->reg == PTX_NO
                   ? EMU_NO
                   : emu_register_slot(o->reg) + (o->component >= 'w' ? (o->component - 'w' + 3u) & 3u : 0) * EMU_WARP;
    case PO_pair: return o->reg == PTX_NO ? EMU_NO : emu_register_slot(o->reg);
    case PO_immediate: return emu_constant(immediate(o, type));
    case PO_special: return o->flags & PF_WARP_SIZE ? emu_constant(EMU_WARP) : special((uint16_t)o->reg, o->component);
    case PO_variable: return emu_constant(variable_address(o->symbol) + o->value);
    case PO_function: return emu_constant(o->symbol + 1ull);
    default: return EMU_NO;
    }
}

void emu_address(const struct ptx_operand *o, struct emu_op *op, uint32_t *slot, int64_t *offset)
{
    *offset = 0;
    if (o->kind != PO_address) {
        *slot = emu_slot(o, PTX_b64);
        return;
    }
    if (o->flags & PF_BASE_REGISTER) {
        *slot = emu_register_slot(o->reg);
        *offset = (int64_t)o->value;
    } else if (o->flags & PF_BASE_VARIABLE) {
        const struct ptx_variable *v = &now.m->variables[o->symbol];
        if (op->space == PTX_none && v->space != PTX_global)
            op->space = v->space; /* a generic access that names its variable */
        *slot = emu_constant(variable_address(o->symbol) + o->value);
    } else {
        *slot = emu_constant(o->value);
    }
}

uint32_t emu_target(uint32_t instruction)
{
    return instruction - now.code->function->instructions;
}

/* ---- memory of the code ------------------------------------------------------------------------------------------ */

/* An empty list with room behind its head, chained from the code, or NULL. */
static struct emu_code_list *new_list(size_t bytes)
{
    struct emu_code_list *l = calloc(1, sizeof *l + bytes);

    if (!l) {
        now.failed = true;
        return NULL;
    }
    l->next = now.code->lists;
    now.code->lists = l;
    return l;
}

void *emu_kept(size_t bytes)
{
    struct emu_code_list *l = new_list(bytes);

    return l ? l + 1 : NULL; /* the head's size is a multiple of 8 */
}

void emu_settle_later(uint32_t *slot)
{
    struct emu_code_list *l = new_list(0);

    if (l)
        l->later = slot;
}

const uint32_t *emu_slots_kept(const uint32_t *slots, unsigned count)
{
    struct emu_code_list *l = new_list(count * sizeof *slots);

    if (!l)
        return NULL;
    memcpy(l->slots, slots, count * sizeof *slots);
    l->count = count;
    return l->slots;
}

/* ---- a function ------------------------------------------------------------------------------------------------- */

/* Slots of registers: two of a 16-byte value, one of each element of a vector. */
static void place_registers(struct emu_code *c)
{
    const struct ptx_function *f = c->function;
    uint32_t top = 0;

    for (uint32_t i = 0; i < f->n_registers; i++) {
        const struct ptx_register *r = &now.m->registers[f->registers + i];
        c->slot_of[i] = top * EMU_WARP;
        top += (r->vector ? r->vector : 1u) * (ptx_type_size(r->type) == 16 ? 2 : 1);
    }
    c->slots = top;
}

struct emu_code *emu_code_begin(const struct emu_image *image, const struct ptx_function *f)
{
    struct emu_code *c = calloc(1, sizeof *c);

    if (!c)
        return NULL;
    c->function = f;
    c->frame_bytes = (f->frame_bytes + 15) / 16 * 16;
    c->ops = calloc(f->n_instructions + 1, sizeof *c->ops);
    c->slot_of = calloc(f->n_registers + 1, sizeof *c->slot_of);
    if (!c->ops || !c->slot_of) {
        emu_code_free(c);
        return NULL;
    }
    memset(&now, 0, sizeof now);
    now.image = image;
    now.m = image->module;
    now.code = c;
    place_registers(c);
    return c;
}

static uint32_t final(const struct emu_code *c, uint32_t slot)
{
    if (slot == EMU_NO)
        return slot;
    if (slot >= CONSTANT_MARK)
        return (slot - CONSTANT_MARK + c->first_constant) * EMU_WARP;
    return slot >= SPECIAL_MARK ? (slot - SPECIAL_MARK + c->first_special) * EMU_WARP : slot;
}

/* Whether the function may end at this op, or behind one that comes next. A function that it calls may end the thread.
 */
static bool may_end(const struct emu_code *c, const struct emu_op *op)
{
    const uint16_t what = op->source ? op->source->op : OP_ret;
    const bool always = op->guard == EMU_NO;

    if (what == OP_ret || what == OP_exit || what == OP_trap || what == OP_call)
        return true;
    for (uint32_t i = 0; what == OP_brx && i < op->branch.count; i++)
        if (!c->ops[op->branch.targets[i]].endless)
            return true;
    if (what == OP_bra && !c->ops[op->branch.target].endless)
        return true;
    return !((what == OP_bra || what == OP_brx) && always) && !op[1].endless;
}

/* Mostly one look at each op is enough, from the last to the first. */
static void note_endless(struct emu_code *c)
{
    bool changed = true;

    for (uint32_t i = 0; i <= c->function->n_instructions; i++)
        c->ops[i].endless = true;
    while (changed) {
        changed = false;
        for (uint32_t i = c->function->n_instructions + 1; i-- > 0;)
            if (c->ops[i].endless && may_end(c, &c->ops[i])) {
                c->ops[i].endless = false;
                changed = true;
            }
    }
}

/* Which registers an op writes at most. */
static uint8_t writes_of(const struct emu_code *c, const struct emu_op *op)
{
    const struct ptx_instruction *i = op->source;
    const struct ptx_operand *o = i && i->n_operands ? ptx_operand(now.m, i, 0) : NULL;

    if (!o || o->kind == PO_address || o->kind == PO_sink)
        return EMU_WRITES_NONE;
    return o->kind == PO_register && o->reg < c->function->n_registers &&
                   emu_code_register_end(c, o->reg) == c->slot_of[o->reg] + EMU_WARP && op->d == c->slot_of[o->reg]
               ? EMU_WRITES_ONE
               : EMU_WRITES_SEVERAL;
}

uint32_t emu_code_register_end(const struct emu_code *c, uint32_t reg)
{
    return reg + 1 < c->function->n_registers ? c->slot_of[reg + 1] : c->first_special * EMU_WARP;
}

bool emu_code_end(struct emu_code *c)
{
    c->first_special = c->slots;
    for (uint32_t i = 0; i < c->special_count; i++)
        c->specials[i].slot = (c->first_special + i) * EMU_WARP;
    c->first_constant = c->first_special + c->special_count;
    c->slots = c->first_constant + now.constant_count;
    for (uint32_t i = 0; i <= c->function->n_instructions; i++) {
        struct emu_op *op = &c->ops[i];
        op->d = final(c, op->d);
        op->a = final(c, op->a);
        op->b = final(c, op->b);
        op->c = final(c, op->c);
        op->writes = writes_of(c, op);
    }
    for (struct emu_code_list *l = c->lists; l; l = l->next) {
        for (unsigned k = 0; k < l->count; k++)
            l->slots[k] = final(c, l->slots[k]);
        if (l->later)
            *l->later = final(c, *l->later);
    }
    if (!now.failed)
        note_endless(c);
    return !now.failed;
}

void emu_code_free(struct emu_code *c)
{
    if (!c)
        return;
    while (c->lists) {
        struct emu_code_list *l = c->lists;
        c->lists = l->next;
        free(l);
    }
    free(c->ops);
    free(c->slot_of);
    free(c->constants);
    free(c->specials);
    free(c);
}

/* Whether an op may be executed by lanes one after the other. */
static bool is_apart(const struct emu_op *op)
{
    return op->together == EMU_APART || op->together == EMU_PRIVATE || op->together == EMU_FETCH;
}

bool emu_code_is_straight(const struct emu_code *code)
{
    for (uint32_t i = 0; i < code->function->n_instructions; i++) {
        const struct emu_op *op = &code->ops[i];
        if (op->sync || is_apart(op) || (op->together == EMU_BRANCH && op->branch.target <= i))
            return false;
    }
    return true;
}

bool emu_code_is_orderly(const struct emu_code *code)
{
    for (uint32_t i = 0; i < code->function->n_instructions; i++) {
        const struct emu_op *op = &code->ops[i];
        if (is_apart(op) || (op->sync && op->together != EMU_BARRIER))
            return false;
    }
    return true;
}
// SPDX-License-Identifier: Apache-2.0
