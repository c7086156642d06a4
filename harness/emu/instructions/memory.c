/* Loads and stores; address conversions. */
#include "harness/emu/instructions/memory.h"

#include <string.h>

#include "harness/emu/instructions/alu/lanes.h"
#include "harness/emu/instructions/decoders.h"
#include "harness/emu/instructions/elements.h"
#include "harness/emu/instructions/private.h"
#include "harness/emu/machine/address.h"
#include "harness/emu/machine/bytes.h"
#include "harness/emu/machine/claims.h"
#include "harness/emu/machine/pattern.h"
#include "harness/emu/machine/thread.h"
#include "harness/emu/machine/watch.h"

/* What discard takes, in bytes, and what is there then, so that who reads it sees no value that looks right. */
enum { DISCARDED = 128, POISON = 0xB7 };

static void tell(struct emu_thread *t, uint16_t space, struct emu_cta *cta, uint64_t at, uint64_t n,
                 enum emu_access access)
{
    if (emu_watched(t, cta))
        emu_watch_of(t)->access(t, cta ? PTX_shared : space, cta, at, n, access);
}

void emu_access_tell(struct emu_thread *t, const struct emu_op *op, struct emu_cta *cta, uint64_t at, unsigned n,
                     enum emu_access access)
{
    if (op->space != PTX_local && op->space != PTX_const && op->space != PTX_param)
        tell(t, op->space, cta, at, n, access);
}

unsigned char *emu_access_bytes(struct emu_thread *t, const struct emu_op *op, uint64_t address, unsigned n,
                                enum emu_access access)
{
    struct emu_cta *cta = NULL;
    uint64_t offset = 0;
    unsigned char *bytes = emu_bytes(t, op->space, address, n, n, access, &offset, &cta);

    emu_access_tell(t, op, cta, cta ? offset : address, n, access);
    if (access == EMU_WRITE)
        emu_act(t, cta);
    return bytes;
}

static void load_at(struct emu_thread *t, const struct emu_op *op, uint64_t address)
{
    const unsigned char *from = emu_access_bytes(t, op, address, op->size * op->vector, EMU_READ);

    if (op->vector == 1 && op->size <= 8)
        t->r[op->d] = element_value(from, op);
    else
        elements_load(t, op, from);
}

static void store_at(struct emu_thread *t, const struct emu_op *op, uint64_t address)
{
    const unsigned n = op->size * op->vector;
    unsigned char value[64];
    struct emu_cta *cta = NULL;
    uint64_t offset = 0;
    unsigned char *to = emu_bytes(t, op->space, address, n, n, EMU_WRITE, &offset, &cta);
    bool changes;

    elements_store(t, op, value);
    changes = memcmp(to, value, n) != 0;
    if (op->space != PTX_local && op->space != PTX_const && op->space != PTX_param) {
        tell(t, op->space, cta, cta ? offset : address, n, changes ? EMU_WRITE : EMU_WRITE_SAME);
        if (changes && (cta || emu_is_global(address)))
            emu_act(t, cta);
    }
    memcpy(to, value, n);
}

static void load(struct emu_thread *t, const struct emu_op *op)
{
    load_at(t, op, t->r[op->a] + (uint64_t)op->offset);
}

static void store(struct emu_thread *t, const struct emu_op *op)
{
    store_at(t, op, t->r[op->d] + (uint64_t)op->offset);
}

/* For an instruction that names a .local variable: op->offset counts from the frame's part of local memory. */
static void load_local(struct emu_thread *t, const struct emu_op *op)
{
    load_at(t, op, t->r[op->a] + (uint64_t)op->offset + t->frame->local_base);
}

static void store_local(struct emu_thread *t, const struct emu_op *op)
{
    store_at(t, op, t->r[op->d] + (uint64_t)op->offset + t->frame->local_base);
}

/* The bytes of a .param variable of a function, which are the frame's own memory. */
static unsigned char *frame_bytes(const struct emu_thread *t, const struct emu_op *op)
{
    return (op->memory.of_params ? t->frame->params : t->frame->variables) + op->offset;
}

static void load_frame(struct emu_thread *t, const struct emu_op *op)
{
    elements_load(t, op, frame_bytes(t, op));
}

static void store_frame(struct emu_thread *t, const struct emu_op *op)
{
    elements_store(t, op, frame_bytes(t, op));
}

/* ---- the common case: one value of 1, 2, 4 or 8 bytes, a vector of 16 at most --------------------------------- */

/* Of a common access: it is one of the thread's own shared memory. */
static inline bool is_near_shared(const struct emu_op *op)
{
    return op->space == PTX_shared || op->space == PTX_shared_cta;
}

/* Whether n bytes at an offset in the thread's own shared memory may be accessed: not outside, not misaligned. */
static inline bool near_shared(const struct emu_thread *t, uint64_t at, unsigned n)
{
    return at + n <= t->cta->shared_bytes && !(at & (n - 1));
}

/* Whether n bytes at an address in such an allocation may be accessed: not outside, not misaligned, and claimed before
 * where there are claims. */
static inline bool near_global(const struct emu_thread *t, uint64_t at, unsigned n, bool writes)
{
    const struct emu_run *run = emu_run_of(t);
    const struct emu_near *near = run->near;

    if (at - near->at >= near->size)
        near++;
    return at - near->at < near->size && !(at & (n - 1)) &&
           (!near->claims.lines || emu_claimed(run, &near->claims, at - near->at, n, writes));
}

/* Inlined with a known size and a known space, so that nothing of these is decided at run time. */
static inline void near_load(struct emu_thread *t, const struct emu_op *op, unsigned n, bool shared)
    __attribute__((always_inline));
static inline void near_store(struct emu_thread *t, const struct emu_op *op, unsigned n, bool shared)
    __attribute__((always_inline));

static inline void near_load(struct emu_thread *t, const struct emu_op *op, unsigned n, bool shared)
{
    const uint64_t address = t->r[op->a] + (uint64_t)op->offset, at = shared ? (uint32_t)address : address;
    struct emu_cta *cta = shared ? t->cta : NULL;
    uint64_t value = 0;

    if (!(shared ? near_shared(t, at, n) : near_global(t, at, n, false))) {
        load(t, op);
        return;
    }
    if (emu_watched(t, cta))
        emu_watch_of(t)->load(t, op->memory.place, cta, at, n);
    memcpy(&value, shared ? t->cta->shared + at : (unsigned char *)(uintptr_t)at, n);
    t->r[op->d] = value;
}

static inline void near_store(struct emu_thread *t, const struct emu_op *op, unsigned n, bool shared)
{
    const uint64_t address = t->r[op->d] + (uint64_t)op->offset, at = shared ? (uint32_t)address : address;
    struct emu_cta *cta = shared ? t->cta : NULL;
    const uint64_t value = t->r[op->a];
    bool *acted = shared ? &t->acted : &t->wrote;
    unsigned char *to;

    if (!(shared ? near_shared(t, at, n) : near_global(t, at, n, true))) {
        store(t, op);
        return;
    }
    to = shared ? t->cta->shared + at : (unsigned char *)(uintptr_t)at;
    if (emu_watched(t, cta)) {
        const bool changes = memcmp(to, &value, n) != 0;
        *acted |= changes;
        emu_watch_of(t)->store(t, op->memory.place, cta, at, n, changes ? EMU_WRITE : EMU_WRITE_SAME);
    } else {
        *acted = true; /* it may have: to look would take as long as the rest */
    }
    memcpy(to, &value, n);
}

#define NEAR(bytes)                                                                                                    \
    static void load_shared_##bytes(struct emu_thread *t, const struct emu_op *op)                                     \
    {                                                                                                                  \
        near_load(t, op, bytes, true);                                                                                 \
    }                                                                                                                  \
    static void load_global_##bytes(struct emu_thread *t, const struct emu_op *op)                                     \
    {                                                                                                                  \
        near_load(t, op, bytes, false);                                                                                \
    }                                                                                                                  \
    static void store_shared_##bytes(struct emu_thread *t, const struct emu_op *op)                                    \
    {                                                                                                                  \
        near_store(t, op, bytes, true);                                                                                \
    }                                                                                                                  \
    static void store_global_##bytes(struct emu_thread *t, const struct emu_op *op)                                    \
    {                                                                                                                  \
        near_store(t, op, bytes, false);                                                                               \
    }
NEAR(1)
NEAR(2)
NEAR(4)
NEAR(8)

/* By the space, shared or else global, and the binary logarithm of the size in bytes. */
static emu_handler *const near_loads[2][4] = { { load_global_1, load_global_2, load_global_4, load_global_8 },
                                               { load_shared_1, load_shared_2, load_shared_4, load_shared_8 } };
static emu_handler *const near_stores[2][4] = { { store_global_1, store_global_2, store_global_4, store_global_8 },
                                                { store_shared_1, store_shared_2, store_shared_4, store_shared_8 } };

/* The host's memory of a vector, NULL where it is none of the common cases; offset: in shared memory. */
static unsigned char *near_vector(struct emu_thread *t, const struct emu_op *op, uint64_t address, bool writes)
{
    const bool shared = is_near_shared(op);
    const unsigned n = op->size * op->vector;

    if (shared)
        return near_shared(t, (uint32_t)address, n) ? t->cta->shared + (uint32_t)address : NULL;
    return near_global(t, address + n - 1, 1, writes) && near_global(t, address, n, writes)
               ? (unsigned char *)(uintptr_t)address
               : NULL;
}

static void load_vector(struct emu_thread *t, const struct emu_op *op)
{
    const uint64_t address = t->r[op->a] + (uint64_t)op->offset;
    struct emu_cta *cta = is_near_shared(op) ? t->cta : NULL;
    const unsigned char *from = near_vector(t, op, address, false);

    if (!from) {
        load(t, op);
        return;
    }
    if (emu_watched(t, cta))
        emu_watch_of(t)->load(t, op->memory.place, cta, cta ? (uint32_t)address : address, op->size * op->vector);
    elements_load(t, op, from);
}

static void store_vector(struct emu_thread *t, const struct emu_op *op)
{
    const uint64_t address = t->r[op->d] + (uint64_t)op->offset;
    const unsigned n = op->size * op->vector;
    struct emu_cta *cta = is_near_shared(op) ? t->cta : NULL;
    unsigned char *to = near_vector(t, op, address, true), value[EMU_PATTERN_BYTES];
    bool *acted = cta ? &t->acted : &t->wrote;

    if (!to) {
        store(t, op);
        return;
    }
    elements_store(t, op, value);
    const bool changes = memcmp(to, value, n) != 0;
    *acted |= changes;
    if (emu_watched(t, cta))
        emu_watch_of(t)->store(t, op->memory.place, cta, cta ? (uint32_t)address : address, n,
                               changes ? EMU_WRITE : EMU_WRITE_SAME);
    memcpy(to, value, n);
}

static bool is_weak(const struct ptx_module *m, const struct ptx_instruction *i)
{
    static const uint16_t strong[] = { PTX_volatile, PTX_relaxed, PTX_acquire, PTX_release, PTX_mmio };

    for (size_t k = 0; k < sizeof strong / sizeof *strong; k++)
        if (ptx_has(m, i, strong[k]))
            return false;
    return true;
}

/* The handler of a weak access, NULL where it is none of the common ones. */
static emu_handler *near_handler(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op,
                                 bool stores)
{
    const bool shared = is_near_shared(op), vector = op->vector != 1 || op->memory.elements;
    const unsigned n = op->size * op->vector;

    if (!is_weak(m, i) || !n || n > EMU_PATTERN_BYTES || (n & (n - 1)) || op->size > 8 ||
        !(shared || op->space == PTX_global || op->space == PTX_none))
        return NULL;
    if (vector && (i->op != (stores ? OP_st : OP_ld)))
        return NULL;
    if (!stores &&
        (op->memory.register_bytes < op->size || (op->memory.sign_extends && op->memory.register_bytes > op->size)))
        return NULL; /* what fills the register is not zeros */
    op->memory.place = (uint32_t)(i - m->instructions);
    op->memory.constant = i->op == OP_ldu || ptx_has(m, i, PTX_nc);
    op->together = stores ? EMU_STORE : EMU_LOAD;
    if (vector)
        return stores ? store_vector : load_vector;
    return (stores ? near_stores : near_loads)[shared][__builtin_ctz(op->size)];
}

/* ---- address conversions -------------------------------------------------------------------------------------- */

/* op->offset: where the window of the space begins. */
static inline uint64_t cvta_value(const struct emu_lane *t, const struct emu_op *op)
{
    return t->r[op->a] + (uint64_t)op->offset;
}
EMU_LANES(cvta)

static inline uint64_t cvta_to_value(const struct emu_lane *t, const struct emu_op *op)
{
    return emu_low(t->r[op->a] - (uint64_t)op->offset, op->size);
}
EMU_LANES(cvta_to)

/* Of an address that is not in shared memory: none in shared memory either, whatever it was. */
static inline uint64_t cvta_to_shared_value(const struct emu_lane *t, const struct emu_op *op)
{
    const uint64_t at = t->r[op->a] - EMU_SHARED_WINDOW, offset = (1u << EMU_RANK_SHIFT) - 1;

    return emu_low(at < EMU_WINDOW_BYTES ? at : (uint64_t)EMU_NOT_SHARED << EMU_RANK_SHIFT | (at & offset), op->size);
}
EMU_LANES(cvta_to_shared)

/* op->offset: where the window begins; 0 for the global space, which is everything outside the windows. */
static void isspacep(struct emu_thread *t, const struct emu_op *op)
{
    const uint64_t a = t->r[op->a], window = (uint64_t)op->offset;

    if (!window) {
        t->r[op->d] = emu_is_global(a);
        return;
    }
    t->r[op->d] = a >= window && a < window + EMU_WINDOW_BYTES;
    if (t->r[op->d] && (op->space == PTX_shared || op->space == PTX_shared_cta)) {
        const uint64_t field = (a - window) >> EMU_RANK_SHIFT;
        t->r[op->d] = !field || field == t->cta->rank + 1;
    }
}

/* mapa: the same offset in the CTA of that rank. */
static void mapa(struct emu_thread *t, const struct emu_op *op)
{
    const uint64_t window = op->space == PTX_none ? EMU_SHARED_WINDOW : 0;
    const uint64_t offset = (t->r[op->a] - window) & ((1u << EMU_RANK_SHIFT) - 1);

    t->r[op->d] = window + ((t->r[op->b] + 1) << EMU_RANK_SHIFT) + offset;
}

static void getctarank(struct emu_thread *t, const struct emu_op *op)
{
    const uint64_t field = (t->r[op->a] - (op->space == PTX_none ? EMU_SHARED_WINDOW : 0)) >> EMU_RANK_SHIFT;

    t->r[op->d] = field ? field - 1 : t->cta->rank;
}

static void prefetch_map(struct emu_thread *t, const struct emu_op *op)
{
    const struct emu_watch *watch = emu_watch_all(t);

    if (watch)
        watch->map_prefetch(t, t->r[op->a] + (uint64_t)op->offset);
}

static void nothing(struct emu_thread *t, const struct emu_op *op)
{
    (void)t;
    (void)op;
}

/* discard.L2: a weak write of 128 bytes, which have no value then. PTX ISA, discard. */
static void discard(struct emu_thread *t, const struct emu_op *op)
{
    const uint64_t address = t->r[op->a] + (uint64_t)op->offset;
    struct emu_cta *cta = NULL;
    uint64_t offset = 0;
    unsigned char *to = emu_bytes(t, PTX_global, address, DISCARDED, DISCARDED, EMU_WRITE, &offset, &cta);

    tell(t, PTX_global, NULL, address, DISCARDED, EMU_DISCARD);
    emu_act(t, NULL);
    memset(to, POISON, DISCARDED);
}

static void mov_local(struct emu_thread *t, const struct emu_op *op)
{
    t->r[op->d] = t->frame->local_base + (uint64_t)op->offset;
}

/* ---- decoding ------------------------------------------------------------------------------------------------- */

static void decode_vector(const struct ptx_module *m, const struct ptx_operand *o, uint16_t type, struct emu_op *op)
{
    uint32_t slots[8];

    if (o->kind != PO_vector)
        return;
    for (uint32_t i = 0; i < o->count && i < 8; i++)
        slots[i] = emu_slot(&m->operands[o->first + i], type);
    op->memory.elements = emu_slots_kept(slots, o->count < 8 ? o->count : 8);
    op->vector = (uint8_t)o->count;
}

static bool is_among(uint32_t symbol, uint32_t first, uint32_t count)
{
    return symbol >= first && symbol < first + count;
}

/* The .param variable of a function that an address names; NULL: it names none. */
static const struct ptx_variable *param_named(const struct ptx_module *m, const struct ptx_operand *o)
{
    const struct ptx_variable *v;

    if (o->kind != PO_address || !(o->flags & PF_BASE_VARIABLE))
        return NULL;
    v = &m->variables[o->symbol];
    return v->space == PTX_param && v->function != PTX_NO ? v : NULL;
}

/* Whether the operand names a .param variable in the frame: a function's parameter or return, or a variable of its
 * body, through which it calls others. An entry's parameters are elsewhere. */
static bool is_frame(const struct ptx_module *m, const struct ptx_operand *o, struct emu_op *op)
{
    const struct ptx_variable *v = param_named(m, o);
    const struct ptx_function *f;
    bool parameter, returned;

    if (!v)
        return false;
    f = &m->functions[v->function];
    parameter = is_among(o->symbol, f->params, f->n_params);
    returned = is_among(o->symbol, f->returns, f->n_returns);
    if (parameter && f->is_entry)
        return false;
    op->memory.of_params = parameter || returned;
    op->offset = (int64_t)(v->offset + (returned ? f->param_bytes : 0) + o->value);
    return true;
}

/* The local variable that an address names begins where its frame's do. */
static bool names_local(const struct ptx_module *m, const struct ptx_operand *o)
{
    return (o->kind == PO_variable || (o->kind == PO_address && o->flags & PF_BASE_VARIABLE)) &&
           m->variables[o->symbol].space == PTX_local;
}

/* Whether an address is of bytes that every launch of an entry has in its parameters, aligned as they have to be. */
static bool is_parameter(const struct ptx_module *m, const struct ptx_operand *o, unsigned n)
{
    const struct ptx_variable *v = param_named(m, o);
    const struct ptx_function *f;
    uint64_t at;

    if (!v)
        return false;
    f = &m->functions[v->function];
    at = v->offset + (uint64_t)o->value;
    return f->is_entry && is_among(o->symbol, f->params, f->n_params) && at <= f->param_bytes &&
           n <= f->param_bytes - at && !(at & (n - 1));
}

/* A parameter of the kernel, whose address is a constant, is the same for all lanes. */
static void load_parameter(struct emu_thread *lanes, uint32_t set, const struct emu_op *op)
{
    const struct emu_thread *first = &lanes[__builtin_ctz(set)];
    uint64_t *d = first->r - first->lane + op->d, value;

    load(&lanes[first->lane], op);
    value = d[first->lane];
    if (set == UINT32_MAX) {
        EMU_EACH_LANE
        {
            d[lane] = value;
        }
        return;
    }
    for (; set; set &= set - 1)
        d[__builtin_ctz(set)] = value;
}

static emu_handler *decode_load(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    emu_handler *near;
    const struct ptx_operand *d = ptx_operand(m, i, 0), *a = ptx_operand(m, i, 1);

    op->memory.sign_extends = i->type[0] == PTX_s8 || i->type[0] == PTX_s16 || i->type[0] == PTX_s32;
    op->memory.register_bytes = (uint8_t)emu_register_bytes(d); /* may be wider than the type */
    decode_vector(m, d, i->type[0], op);
    if (is_frame(m, a, op)) {
        op->together = EMU_PURE;
        return load_frame;
    }
    emu_address(a, op, &op->a, &op->offset);
    if (op->space == PTX_param && is_parameter(m, a, op->size * op->vector)) {
        op->together = EMU_PURE;
        if (op->vector == 1 && !op->memory.elements && op->size <= 8)
            op->whole = load_parameter;
    }
    op->memory.in_frame = names_local(m, a);
    if (op->together == EMU_APART)
        emu_private_load(op);
    if (op->memory.in_frame)
        return load_local;
    near = near_handler(m, i, op, false);
    return near ? near : load;
}

static emu_handler *decode_store(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    emu_handler *near;
    const struct ptx_operand *to = ptx_operand(m, i, 0), *from = ptx_operand(m, i, 1);

    decode_vector(m, from, i->type[0], op);
    if (is_frame(m, to, op)) {
        op->together = EMU_FRAME;
        return store_frame;
    }
    emu_address(to, op, &op->d, &op->offset);
    op->memory.in_frame = names_local(m, to);
    emu_private_store(op);
    if (op->memory.in_frame)
        return store_local;
    near = near_handler(m, i, op, true);
    return near ? near : store;
}

static emu_handler *decode_conversion(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    op->offset = (int64_t)emu_window_of(i->space[0]);
    if (i->op == OP_isspacep)
        return isspacep;
    if (ptx_has(m, i, PTX_to))
        return emu_window_of(i->space[0]) == EMU_SHARED_WINDOW ? cvta_to_shared : cvta_to;
    return names_local(m, ptx_operand(m, i, 1)) ? NULL : cvta;
}

emu_handler *emu_decode_memory(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const struct ptx_operand *o;

    switch (i->op) {
    case OP_ld:
    case OP_ldu:
    case OP_multimem_ld_reduce: return decode_load(m, i, op); /* of one device: the value that is there */
    case OP_st:
    case OP_multimem_st: return decode_store(m, i, op);
    case OP_cvta:
    case OP_isspacep: op->together = EMU_PURE; return decode_conversion(m, i, op);
    case OP_mapa: op->together = EMU_PURE; return mapa;
    case OP_getctarank: op->together = EMU_PURE; return getctarank;
    case OP_mov:
        o = ptx_operand(m, i, 1);
        if (!names_local(m, o))
            return NULL;
        op->offset = (int64_t)(m->variables[o->symbol].offset + o->value);
        op->together = EMU_PURE;
        return mov_local;
    case OP_prefetch:
        if (!ptx_has(m, i, PTX_tensormap))
            return nothing;
        emu_address(ptx_operand(m, i, 0), op, &op->a, &op->offset);
        return i->space[0] == PTX_none ? prefetch_map : nothing;
    case OP_prefetchu:
    case OP_applypriority: return nothing;
    case OP_discard: emu_address(ptx_operand(m, i, 0), op, &op->a, &op->offset); return discard;
    default: return NULL;
    }
}
// SPDX-License-Identifier: Apache-2.0
