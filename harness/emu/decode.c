/* Instructions made ready to run: operands become slots, each instruction gets its handler. */
#include <stdlib.h>
#include <string.h>

#include "harness/emu/machine/inside.h"

enum { MAX_CONSTANTS = 1 << 20 };

/* Of the function that is being decoded. Decoding is short and under the image's lock, so one is enough a thread. */
struct emu_decoder {
    struct emu *machine;
    struct emu_image *image;
    struct emu_code *code;
    const struct ptx_module *m;
    uint64_t *constants;
    uint32_t constant_count, constant_room;
    uint32_t special_room;
    uint32_t *kept; /* slot lists of vectors: chained blocks would do as well */
    bool failed;    /* out of memory */
};

static _Thread_local struct emu_decoder *decoder;

struct emu_decoder *emu_decoder_now(void)
{
    return decoder;
}

/* Slots of specials and constants are numbered from marks on while decoding; their final place is known at the end. */
#define SPECIAL_MARK  0x40000000u
#define CONSTANT_MARK 0x80000000u

uint32_t emu_constant(uint64_t value)
{
    struct emu_decoder *d = decoder;

    for (uint32_t i = d->constant_count; i-- > 0 && d->constant_count - i < 64;)
        if (d->constants[i] == value)
            return CONSTANT_MARK + i;
    if (d->constant_count == d->constant_room) {
        const uint32_t room = d->constant_room ? d->constant_room * 2 : 64;
        uint64_t *more = room > MAX_CONSTANTS ? NULL : realloc(d->constants, room * sizeof *more);
        if (!more) {
            d->failed = true;
            return CONSTANT_MARK;
        }
        d->constants = more;
        d->constant_room = room;
    }
    d->constants[d->constant_count] = value;
    return CONSTANT_MARK + d->constant_count++;
}

static uint32_t special(uint16_t number, uint8_t component)
{
    struct emu_code *c = decoder->code;

    for (uint32_t i = 0; i < c->special_count; i++)
        if (c->specials[i].special == number && c->specials[i].component == component)
            return SPECIAL_MARK + i;
    if (c->special_count == decoder->special_room) {
        const uint32_t room = decoder->special_room ? decoder->special_room * 2 : 16;
        struct emu_special *more = realloc(c->specials, room * sizeof *more);
        if (!more) {
            decoder->failed = true;
            return SPECIAL_MARK;
        }
        c->specials = more;
        decoder->special_room = room;
    }
    c->specials[c->special_count] = (struct emu_special){ number, component, 0 };
    return SPECIAL_MARK + c->special_count++;
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
        const struct ptx_operand *first = &decoder->m->operands[o->first];
        for (uint32_t i = 0; i < o->count && first->kind == PO_sink; i++)
            first++;
        o = first;
    }
    if (o->kind != PO_register || o->reg == PTX_NO)
        return 8;
    return ptx_type_size(decoder->m->registers[decoder->code->function->registers + o->reg].type);
}

static uint64_t variable_address(uint32_t symbol)
{
    return decoder->image->address[decoder->m->variables[symbol].definition];
}

uint32_t emu_slot(const struct ptx_operand *o, uint16_t type)
{
    switch (o->kind) {
    case PO_register: /* and an element of a vector, whose components are 'x' 'y' 'z' 'w' */
        return o->reg == PTX_NO
                   ? EMU_NO
                   : decoder->code->slot_of[o->reg] + (o->component >= 'w' ? (o->component - 'w' + 3u) & 3u : 0);
    case PO_pair: return o->reg == PTX_NO ? EMU_NO : decoder->code->slot_of[o->reg];
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
        *slot = decoder->code->slot_of[o->reg];
        *offset = (int64_t)o->value;
    } else if (o->flags & PF_BASE_VARIABLE) {
        const struct ptx_variable *v = &decoder->m->variables[o->symbol];
        if (op->space == PTX_none && v->space != PTX_global)
            op->space = v->space; /* a generic access that names its variable */
        *slot = emu_constant(variable_address(o->symbol) + o->value);
    } else {
        *slot = emu_constant(o->value);
    }
}

/* Slot lists are given their final numbers with everything else, so they are kept in one array of the code. */
struct list {
    struct list *next;
    uint32_t *later; /* a slot elsewhere */
    unsigned count;
    uint32_t slots[];
};

static _Thread_local struct list *lists;

void *emu_kept(size_t bytes)
{
    struct list *l = calloc(1, sizeof *l + bytes + 8);

    if (!l) {
        decoder->failed = true;
        return NULL;
    }
    l->next = lists;
    lists = l;
    return (char *)(l + 1); /* the head's size is a multiple of 8 */
}

void emu_settle_later(uint32_t *slot)
{
    struct list *l = malloc(sizeof *l);

    if (!l) {
        decoder->failed = true;
        return;
    }
    *l = (struct list){ .next = lists, .later = slot };
    lists = l;
}

uint32_t emu_target(uint32_t instruction)
{
    return instruction - decoder->code->function->instructions;
}

const uint32_t *emu_slots_kept(const uint32_t *slots, unsigned count)
{
    struct list *l = malloc(sizeof *l + count * sizeof *slots);

    if (!l) {
        decoder->failed = true;
        return NULL;
    }
    memcpy(l->slots, slots, count * sizeof *slots);
    l->count = count;
    l->later = NULL;
    l->next = lists;
    lists = l;
    return l->slots;
}

static void unsupported(struct emu_thread *t, const struct emu_op *op)
{
    emu_unsupported(t, op->source);
}

static uint32_t final(const struct emu_code *c, uint32_t slot)
{
    if (slot == EMU_NO)
        return slot;
    if (slot >= CONSTANT_MARK)
        return slot - CONSTANT_MARK + c->first_constant;
    return slot >= SPECIAL_MARK ? slot - SPECIAL_MARK + c->first_special : slot;
}

static void decode(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    static emu_handler *(*const parts[])(const struct ptx_module *, const struct ptx_instruction *,
                                         struct emu_op *) = { emu_decode_stack, emu_decode_control, emu_decode_memory,
                                                              emu_decode_warp,  emu_decode_async,   emu_decode_alu };
    uint32_t *const operands[] = { &op->d, &op->a, &op->b, &op->c };

    *op = (struct emu_op){ .d = EMU_NO, .a = EMU_NO, .b = EMU_NO, .c = EMU_NO, .guard = EMU_NO, .source = i };
    op->vector = i->vector ? i->vector : 1;
    op->space = i->space[0];
    op->size = (uint8_t)ptx_type_size(i->type[0]);
    if (i->guard != PTX_NO) {
        op->guard = decoder->code->slot_of[i->guard];
        op->guard_not = i->guard_not;
    }
    for (unsigned k = 0; k < i->n_operands && k < 4; k++)
        *operands[k] = emu_slot(ptx_operand(m, i, k), i->type[k && i->type[1] ? 1 : 0]);
    for (size_t k = 0; k < sizeof parts / sizeof *parts && !op->run; k++)
        op->run = parts[k](m, i, op);
    if (!op->run)
        op->run = unsupported;
}

static void finish(struct emu_decoder *d)
{
    struct emu_code *c = d->code;
    const uint32_t n = c->function->n_instructions;

    c->first_special = c->slots;
    for (uint32_t i = 0; i < c->special_count; i++)
        c->specials[i].slot = c->first_special + i;
    c->first_constant = c->first_special + c->special_count;
    c->slots = c->first_constant + d->constant_count;
    c->constants = d->constants;
    for (uint32_t i = 0; i <= n; i++) {
        struct emu_op *op = &c->ops[i];
        op->d = final(c, op->d);
        op->a = final(c, op->a);
        op->b = final(c, op->b);
        op->c = final(c, op->c);
    }
    while (lists) {
        struct list *next = lists->next;
        for (unsigned k = 0; k < lists->count; k++)
            lists->slots[k] = final(c, lists->slots[k]);
        if (lists->later)
            *lists->later = final(c, *lists->later);
        /* the ops point into it: it lives as long as they do, chained from the code */
        lists->next = c->lists;
        c->lists = lists;
        lists = next;
    }
}

/* Slots of registers: two of a 16-byte value, one of each element of a vector. */
static bool place_registers(struct emu_decoder *d)
{
    const struct ptx_function *f = d->code->function;
    uint32_t top = 0;

    d->code->slot_of = calloc(f->n_registers + 1, sizeof *d->code->slot_of);
    if (!d->code->slot_of)
        return false;
    for (uint32_t i = 0; i < f->n_registers; i++) {
        const struct ptx_register *r = &d->m->registers[f->registers + i];
        d->code->slot_of[i] = top;
        top += (r->vector ? r->vector : 1u) * (ptx_type_size(r->type) == 16 ? 2 : 1);
    }
    d->code->slots = top;
    return true;
}

void emu_free_lists(struct emu_code *c)
{
    while (c->lists) {
        struct list *l = c->lists;
        c->lists = l->next;
        free(l);
    }
}

const struct emu_code *emu_code_of(struct emu *e, struct emu_image *image, uint32_t number)
{
    const struct ptx_module *m = image->module;
    struct emu_decoder d = { .machine = e, .image = image, .m = m };
    const struct ptx_function *f;
    struct emu_code *c;

    number = m->functions[number].definition;
    f = &m->functions[number];
    pthread_mutex_lock(&image->lock);
    c = image->code[number];
    if (!c && f->has_body && (c = calloc(1, sizeof *c))) {
        c->function = f;
        d.code = c;
        decoder = &d;
        c->ops = calloc(f->n_instructions + 1, sizeof *c->ops);
        c->frame_bytes = (f->frame_bytes + 15) / 16 * 16;
        if (c->ops && place_registers(&d)) {
            for (uint32_t i = 0; i < f->n_instructions; i++)
                decode(m, &m->instructions[f->instructions + i], &c->ops[i]);
            c->ops[f->n_instructions] = (struct emu_op){
                .d = EMU_NO, .a = EMU_NO, .b = EMU_NO, .c = EMU_NO, .guard = EMU_NO, .run = emu_end_of
            };
            finish(&d);
            image->code[number] = c;
        }
        decoder = NULL;
    }
    pthread_mutex_unlock(&image->lock);
    return image->code[number];
}
