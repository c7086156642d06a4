/* Atomics and reductions of memory. PTX ISA, "atom" and "red". */
#include <string.h>

#include "harness/emu/copies/async.h"
#include "harness/emu/machine/inside.h"
#include "harness/emu/instructions/alu/alu.h"

static int64_t extend(uint64_t value, unsigned size)
{
    return size == 4 ? (int32_t)value : (int64_t)value;
}

/* The floating type, and how many of it a value holds; REAL_TYPES for others. */
static enum real_type float_of(uint16_t type, unsigned *lanes)
{
    *lanes = type == PTX_f16x2 || type == PTX_bf16x2 ? 2 : 1;
    return alu_real(type);
}

/* Sums in global memory flush subnormals of single precision and leave NaNs of double precision as they are; sums in
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

/* One element. False where the operation is not defined for the type. inc wraps to 0 above b, dec wraps to b at 0 and
 * above b. */
static bool combine(uint16_t word, uint16_t type, unsigned size, uint64_t old, uint64_t b, uint64_t c, bool global,
                    uint64_t *out)
{
    const bool is_signed = type == PTX_s32 || type == PTX_s64;
    unsigned lanes;
    const enum real_type real = float_of(type, &lanes);

    b = emu_low(b, size);
    c = emu_low(c, size);
    if (real != REAL_TYPES) {
        const unsigned bits = real_formats[real].bits;
        const uint64_t mask = UINT64_MAX >> (64 - bits);
        if (word != PTX_add && word != PTX_min && word != PTX_max)
            return false;
        *out = 0;
        for (unsigned k = 0; k < lanes; k++)
            *out |= combine_float(word, real, old >> k * bits & mask, b >> k * bits & mask, global) << k * bits;
        return true;
    }
    switch (word) {
    case PTX_exch: *out = b; break;
    case PTX_cas: *out = old == b ? c : old; break;
    case PTX_and: *out = old & b; break;
    case PTX_or: *out = old | b; break;
    case PTX_xor: *out = old ^ b; break;
    case PTX_inc: *out = old >= b ? 0 : old + 1; break;
    case PTX_dec: *out = old == 0 || old > b ? b : old - 1; break;
    case PTX_min: *out = (is_signed ? extend(old, size) < extend(b, size) : old < b) ? old : b; break;
    case PTX_max: *out = (is_signed ? extend(old, size) > extend(b, size) : old > b) ? old : b; break;
    case PTX_add: *out = old + b; break;
    default: return false;
    }
    *out = emu_low(*out, size);
    return true;
}

/* The plain integer reductions, in loops that compilers turn into vector code; false where it is none of them. */
static bool reduce_integers(uint16_t word, uint16_t type, unsigned char *to, const unsigned char *from, uint64_t bytes)
{
#define LOOP(T, VALUE)                                                                                                 \
    for (uint64_t k = 0; k + sizeof(T) <= bytes; k += sizeof(T)) {                                                     \
        T a, b;                                                                                                        \
        memcpy(&a, to + k, sizeof a);                                                                                  \
        memcpy(&b, from + k, sizeof b);                                                                                \
        a = VALUE;                                                                                                     \
        memcpy(to + k, &a, sizeof a);                                                                                  \
    }                                                                                                                  \
    return true
#define BY_OPERATION(T, UNSIGNED)                                                                                      \
    switch (word) {                                                                                                    \
    case PTX_add: LOOP(UNSIGNED, a + b);                                                                               \
    case PTX_min: LOOP(T, b < a ? b : a);                                                                              \
    case PTX_max: LOOP(T, b > a ? b : a);                                                                              \
    case PTX_and: LOOP(UNSIGNED, a &b);                                                                                \
    case PTX_or: LOOP(UNSIGNED, a | b);                                                                                \
    case PTX_xor: LOOP(UNSIGNED, a ^ b);                                                                               \
    default: return false;                                                                                             \
    }
    switch (type) {
    case PTX_b32:
    case PTX_u32: BY_OPERATION(uint32_t, uint32_t)
    case PTX_b64:
    case PTX_u64: BY_OPERATION(uint64_t, uint64_t)
    case PTX_s32: BY_OPERATION(int32_t, uint32_t)
    case PTX_s64: BY_OPERATION(int64_t, uint64_t)
    default: return false;
    }
#undef BY_OPERATION
#undef LOOP
}

bool emu_reduce(uint16_t word, uint16_t type, bool ftz, unsigned char *to, const unsigned char *from, uint64_t bytes)
{
    const unsigned size = ptx_type_size(type);
    uint64_t a = 0, b = 0;
    unsigned lanes;

    if (!bytes) /* integers have 4 or 8 bytes */
        return word != PTX_exch && word != PTX_cas &&
               (size == 4 || size == 8 || float_of(type, &lanes) != REAL_TYPES) &&
               combine(word, type, size, a, b, 0, ftz, &a);
    if (reduce_integers(word, type, to, from, bytes))
        return true;
    for (uint64_t k = 0; k + size <= bytes; k += size) {
        a = b = 0;
        memcpy(&a, to + k, size);
        memcpy(&b, from + k, size);
        combine(word, type, size, a, b, 0, ftz || type == PTX_f64, &a); /* doubles: as in global memory */
        memcpy(to + k, &a, size);
    }
    return true;
}

static bool in_shared(const struct emu_op *op, uint64_t address)
{
    return op->space == PTX_shared || op->space == PTX_shared_cta || op->space == PTX_shared_cluster ||
           (op->space == PTX_none && address >= EMU_SHARED_WINDOW);
}

static void atomic(struct emu_thread *t, const struct emu_op *op)
{
    struct emu *e = t->cta->cluster->grid->machine;
    const uint16_t word = op->atomic.word, type = op->atomic.type;
    const uint64_t address = t->r[op->a] + (uint64_t)op->offset;
    unsigned char *at = emu_access_bytes(t, op, address, op->size, EMU_ATOMIC);
    uint64_t old = 0, new = 0;

    pthread_mutex_lock(&e->lock);
    memcpy(&old, at, op->size);
    combine(word, type, op->size, old, t->r[op->b], op->c == EMU_NO ? 0 : t->r[op->c], !in_shared(op, address), &new);
    memcpy(at, &new, op->size);
    pthread_mutex_unlock(&e->lock);
    if (op->d != EMU_NO)
        t->r[op->d] = old;
    emu_wake(t->cta->cluster);
}

/* Vectors of global memory: op->atomic.elements has the destinations, or EMU_NO, then the sources. Atomic element by
 * element. */
static void atomic_vector(struct emu_thread *t, const struct emu_op *op)
{
    struct emu *e = t->cta->cluster->grid->machine;
    const uint16_t type = op->atomic.type;
    unsigned char *at = emu_access_bytes(t, op, t->r[op->a] + (uint64_t)op->offset, op->size * op->vector, EMU_ATOMIC);

    pthread_mutex_lock(&e->lock);
    for (unsigned k = 0; k < op->vector; k++) {
        uint64_t old = 0, new = 0;
        memcpy(&old, at + k * op->size, op->size);
        combine(op->atomic.word, type, op->size, old, t->r[op->atomic.elements[op->vector + k]], 0, true, &new);
        memcpy(at + k * op->size, &new, op->size);
        if (op->atomic.elements[k] != EMU_NO)
            t->r[op->atomic.elements[k]] = old;
    }
    pthread_mutex_unlock(&e->lock);
    emu_wake(t->cta->cluster);
}

/* exch and cas of 16 bytes, in two slots each. */
static void atomic_wide(struct emu_thread *t, const struct emu_op *op)
{
    struct emu *e = t->cta->cluster->grid->machine;
    unsigned char *at = emu_access_bytes(t, op, t->r[op->a] + (uint64_t)op->offset, 16, EMU_ATOMIC);
    const uint64_t *r = t->r, *new = op->atomic.word == PTX_cas ? &r[op->c] : &r[op->b];
    uint64_t old[2];

    pthread_mutex_lock(&e->lock);
    memcpy(old, at, sizeof old);
    if (op->atomic.word == PTX_exch || (old[0] == r[op->b] && old[1] == r[op->b + 1]))
        memcpy(at, new, sizeof old);
    pthread_mutex_unlock(&e->lock);
    if (op->d != EMU_NO)
        memcpy(&t->r[op->d], old, sizeof old);
    emu_wake(t->cta->cluster);
}

static emu_handler *decode_vector(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const bool reduces = i->op == OP_red;
    const struct ptx_operand *d = ptx_operand(m, i, 0), *b = ptx_operand(m, i, reduces ? 1 : 2);
    uint32_t slots[16];

    if (op->vector > 8 || b->kind != PO_vector || b->count != op->vector)
        return NULL;
    for (unsigned k = 0; k < op->vector; k++) {
        slots[k] = reduces || d->kind != PO_vector ? EMU_NO : emu_slot(&m->operands[d->first + k], i->type[0]);
        slots[op->vector + k] = emu_slot(&m->operands[b->first + k], i->type[0]);
    }
    op->atomic.elements = emu_slots_kept(slots, 2u * op->vector);
    return atomic_vector;
}

uint16_t emu_atom_word(const struct ptx_module *m, const struct ptx_instruction *i)
{
    static const uint16_t words[] = { PTX_add, PTX_and, PTX_or,  PTX_xor,  PTX_min,
                                      PTX_max, PTX_inc, PTX_dec, PTX_exch, PTX_cas };

    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (ptx_has(m, i, words[k]))
            return words[k];
    return PTX_none;
}

emu_handler *emu_decode_atomic(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const bool reduces = i->op == OP_red;
    const unsigned base = reduces ? 0 : 1;
    uint64_t ignored;

    if (i->op != OP_atom && i->op != OP_red)
        return NULL;
    op->atomic.word = emu_atom_word(m, i);
    op->atomic.type = i->type[0];
    op->d = reduces || ptx_operand(m, i, 0)->kind == PO_sink ? EMU_NO : emu_slot(ptx_operand(m, i, 0), i->type[0]);
    emu_address(ptx_operand(m, i, base), op, &op->a, &op->offset);
    op->b = emu_slot(ptx_operand(m, i, base + 1), i->type[0]);
    op->c = op->atomic.word == PTX_cas ? emu_slot(ptx_operand(m, i, base + 2), i->type[0]) : EMU_NO;
    if (op->size == 16) {
        const struct ptx_operand *last = ptx_operand(m, i, op->atomic.word == PTX_cas ? base + 2 : base + 1);
        const bool wide = (op->atomic.word == PTX_exch || op->atomic.word == PTX_cas) && last->kind == PO_register &&
                          ptx_operand(m, i, base + 1)->kind == PO_register;
        return wide ? atomic_wide : NULL;
    }
    if (!op->size || !combine(op->atomic.word, i->type[0], op->size, 0, 0, 0, false, &ignored))
        return NULL;
    return op->vector > 1 ? decode_vector(m, i, op) : atomic;
}
