/* suld, sust and sured. PTX ISA, "Surface Instructions". */
#include <string.h>

#include "harness/emu/instructions/alu/reduce.h"
#include "harness/emu/machine/address.h"
#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/thread.h"
#include "harness/emu/machine/watch.h"
#include "harness/emu/texture/texel.h"
#include "harness/emu/texture/texture.h"

enum { SURFACE_BYTES = 16 }; /* of one access, at most */

static void tell(struct emu_thread *t, uint64_t at, unsigned n, enum emu_access access)
{
    const struct emu_watch *watch = emu_watch_all(t);

    if (watch)
        watch->access(t, PTX_global, NULL, at, n, access);
}

static void outside(struct emu_thread *t, const struct emu_texture *x, const int64_t at[EMU_COORDINATES], int64_t layer)
{
    emu_bad_access(t, &rule_access_surface_bounds, x->at, 0,
                   "x %lld, y %lld, z %lld, layer %lld of a surface of %ux%ux%u texels of %u bytes and %u layers",
                   (long long)at[0], (long long)at[1], (long long)at[2], (long long)layer, x->width,
                   x->height ? x->height : 1, x->depth ? x->depth : 1, emu_texel_bytes(x), x->layers ? x->layers : 1);
}

/* Brings a coordinate into [0, n - step]; false where it is outside and nothing is to be accessed. */
static bool inside(int64_t *at, int64_t n, int64_t step, uint16_t how)
{
    if (*at >= 0 && *at <= n - step)
        return true;
    *at = *at < 0 || n < step ? 0 : (n - step) / step * step; /* a multiple of the access's size */
    return how == PTX_clamp;
}

/* The address that an access of n bytes is at; 0: it is outside, and does nothing. */
static uint64_t place(struct emu_thread *t, const struct emu_texture *x, const struct emu_fetch *f, unsigned n)
{
    const int64_t unit = f->formatted ? 1 : emu_texel_bytes(x),
                  slices = (x->layers ? x->layers : 1) * (x->cube ? 6 : 1);
    const int64_t extent[EMU_COORDINATES] = { x->width * unit, x->height, x->depth };
    int64_t at[EMU_COORDINATES] = { 0 }, layer = f->layer == EMU_NO ? 0 : (int64_t)(uint32_t)t->r[f->layer], was[4];
    bool fine = true;

    for (unsigned k = 0; k < f->geometry.dimensions; k++)
        at[k] = (int32_t)t->r[f->at[k]];
    if (!f->formatted && at[0] % n)
        emu_bad_access(t, &rule_access_surface_align, x->at, n, "x is %lld, no multiple of the %u bytes accessed",
                       (long long)at[0], n);
    memcpy(was, at, sizeof was);
    for (unsigned k = 0; k < f->geometry.dimensions; k++)
        fine &= inside(&at[k], extent[k], k || f->formatted ? 1 : n, f->outside);
    fine &= inside(&layer, slices, 1, f->outside);
    if (!fine && f->outside == PTX_trap)
        outside(t, x, was, f->layer == EMU_NO ? 0 : (int64_t)(uint32_t)t->r[f->layer]);
    if (!fine)
        return 0;
    return emu_texel_at(x, 0, (uint32_t)layer, 0, (uint32_t)at[1], (uint32_t)at[2]) +
           (uint64_t)at[0] * (f->formatted ? emu_texel_bytes(x) : 1);
}

static void suld(struct emu_thread *t, const struct emu_op *op)
{
    const struct emu_texture *x = emu_fetch_object(t, op, true);
    const struct emu_fetch *f = op->fetch;
    const unsigned n = f->bytes * f->count;
    const uint64_t at = place(t, x, f, n);
    unsigned char bytes[SURFACE_BYTES] = { 0 };

    if (at) {
        memcpy(bytes, emu_bytes(t, PTX_global, at, n, 1, EMU_READ, NULL, NULL), n);
        tell(t, at, n, EMU_READ);
    }
    for (unsigned k = 0; k < f->count; k++) {
        uint64_t value = 0;
        memcpy(&value, bytes + k * f->bytes, f->bytes);
        if (f->values[k] != EMU_NO)
            t->r[f->values[k]] = value;
    }
}

static void store(struct emu_thread *t, uint64_t at, const unsigned char *bytes, unsigned n)
{
    unsigned char *to = emu_bytes(t, PTX_global, at, n, 1, EMU_WRITE, NULL, NULL);
    const bool changes = memcmp(to, bytes, n) != 0;

    tell(t, at, n, changes ? EMU_WRITE : EMU_WRITE_SAME);
    if (changes)
        emu_act(t, NULL);
    memcpy(to, bytes, n);
}

static void sust(struct emu_thread *t, const struct emu_op *op)
{
    const struct emu_texture *x = emu_fetch_object(t, op, true);
    const struct emu_fetch *f = op->fetch;
    const unsigned n = f->bytes * f->count;
    const uint64_t at = place(t, x, f, n);
    unsigned char bytes[SURFACE_BYTES];

    for (unsigned k = 0; k < f->count; k++)
        memcpy(bytes + k * f->bytes, &t->r[f->values[k]], f->bytes);
    if (at)
        store(t, at, bytes, n);
}

/* Channels that the instruction does not name are stored as it names the last. */
static void sust_formatted(struct emu_thread *t, const struct emu_op *op)
{
    const struct emu_texture *x = emu_fetch_object(t, op, true);
    const struct emu_fetch *f = op->fetch;
    const uint64_t at = place(t, x, f, emu_texel_bytes(x));
    uint32_t values[EMU_CHANNELS] = { 0 };
    unsigned char bytes[SURFACE_BYTES];

    for (unsigned k = 0; k < f->count; k++)
        values[k] = (uint32_t)t->r[f->values[k]];
    emu_texel_write(x, values, bytes);
    if (at)
        store(t, at, bytes, emu_texel_bytes(x));
}

static void sured(struct emu_thread *t, const struct emu_op *op)
{
    const struct emu_texture *x = emu_fetch_object(t, op, true);
    struct emu *e = emu_machine_of(t);
    const struct emu_fetch *f = op->fetch;
    const unsigned n = f->bytes;
    /* sured.p takes its type from the surface. */
    const uint16_t type = f->formatted && x->kind == EMU_TEXEL_SIGNED ? (n == 8 ? PTX_s64 : PTX_s32)
                          : f->formatted                              ? (n == 8 ? PTX_u64 : PTX_u32)
                                                                      : f->type;
    const uint64_t at = place(t, x, f, n);
    struct emu_run *run = emu_run_of(t);
    uint64_t old = 0, new;
    unsigned char *bytes;

    if (!at)
        return;
    run->atomic = EMU_CLAIM_ORDERED;
    bytes = emu_bytes(t, PTX_global, at, n, 1, EMU_ATOMIC, NULL, NULL);
    run->atomic = EMU_CLAIM_PLAIN;
    tell(t, at, n, EMU_ATOMIC);
    pthread_mutex_lock(&e->lock);
    memcpy(&old, bytes, n);
    new = alu_combine(f->word, type, n, old, t->r[f->values[0]], 0, true);
    memcpy(bytes, &new, n);
    pthread_mutex_unlock(&e->lock);
    emu_act(t, NULL);
    emu_wake(t->cta->cluster);
}

/* ---- decoding --------------------------------------------------------------------------------------------------- */

static uint16_t first_of(const struct ptx_module *m, const struct ptx_instruction *i, const uint16_t *words,
                         unsigned count)
{
    for (unsigned k = 0; k < count; k++)
        if (ptx_has(m, i, words[k]))
            return words[k];
    return PTX_none;
}

emu_handler *emu_decode_surface(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    static const uint16_t outside_words[] = { PTX_trap, PTX_clamp, PTX_zero },
                          words[] = { PTX_add, PTX_min, PTX_max, PTX_and, PTX_or };
    const bool loads = i->op == OP_suld;
    struct emu_fetch f;

    if (i->op != OP_suld && i->op != OP_sust && i->op != OP_sured)
        return NULL;
    emu_fetch_clear(&f);
    f.type = i->type[0];
    f.formatted = ptx_has(m, i, PTX_p);
    f.outside = first_of(m, i, outside_words, sizeof outside_words / sizeof *outside_words);
    f.word = i->op == OP_sured ? first_of(m, i, words, sizeof words / sizeof *words) : PTX_none;
    f.bytes = (uint8_t)ptx_type_size(i->type[0]);
    f.count = (uint8_t)emu_fetch_slots(m, ptx_operand(m, i, loads ? 0 : 1), i->type[0], f.values);
    if (!emu_fetch_place(m, i, ptx_operand(m, i, loads ? 1 : 0), PTX_s32, op, &f) || !f.bytes ||
        f.bytes * f.count > SURFACE_BYTES)
        return NULL;
    op->d = op->b = op->c = EMU_NO;
    op->fetch = emu_fetch_kept(&f);
    if (!op->fetch)
        return NULL;
    return loads ? suld : i->op == OP_sured ? sured : f.formatted ? sust_formatted : sust;
}
// SPDX-License-Identifier: Apache-2.0
