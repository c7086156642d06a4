/* tex and tld4. PTX ISA, "Texture Instructions". */
#include <string.h>

#include "harness/emu/instructions/alu/real.h"
#include "harness/emu/machine/address.h"
#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/thread.h"
#include "harness/emu/machine/watch.h"
#include "harness/emu/texture/filter.h"
#include "harness/emu/texture/texel.h"
#include "harness/emu/texture/texture.h"

static float real_of(const struct emu_thread *t, uint32_t slot)
{
    const uint32_t bits = (uint32_t)t->r[slot];
    float f;

    memcpy(&f, &bits, sizeof f);
    return f;
}

/* ---- what the operands say -------------------------------------------------------------------------------------- */

static float level_of(const struct emu_thread *t, const struct emu_texture *x, const struct emu_fetch *f)
{
    float dx[EMU_AXES] = { 0 }, dy[EMU_AXES] = { 0 };

    if (f->level != EMU_NO)
        return f->integers ? (float)(int32_t)t->r[f->level] : real_of(t, f->level);
    if (f->dx[0] == EMU_NO)
        return 0;
    for (unsigned k = 0; k < f->geometry.dimensions && k < EMU_AXES; k++) {
        dx[k] = real_of(t, f->dx[k]);
        dy[k] = real_of(t, f->dy[k]);
    }
    return emu_level_of(x, f->geometry.dimensions, dx, dy);
}

/* An offset has 4 bits. */
static int32_t offset_of(uint64_t value)
{
    return (int32_t)((value & 15) ^ 8) - 8;
}

static struct emu_coordinates coordinates_of(const struct emu_thread *t, const struct emu_texture *x,
                                             const struct emu_fetch *f)
{
    struct emu_coordinates c = { .integers = f->integers, .dimensions = f->geometry.dimensions };

    for (unsigned k = 0; k < f->geometry.dimensions; k++) {
        c.at[k] = (uint32_t)t->r[f->at[k]];
        c.offset[k] = f->offset[0] == EMU_NO ? 0 : offset_of(t->r[f->offset[k]]);
    }
    c.layer = f->layer == EMU_NO ? 0 : (uint32_t)t->r[f->layer];
    c.of_level = f->level != EMU_NO;
    c.level = level_of(t, x, f);
    return c;
}

/* ---- texels ----------------------------------------------------------------------------------------------------- */

static void filtered(struct emu_thread *t, const struct emu_texture *x, const struct emu_sample *s,
                     uint32_t out[EMU_CHANNELS])
{
    const unsigned corners = 1u << s->levels[0].axes;
    int32_t texels[EMU_CHANNELS][EMU_WEIGHTS] = { { 0 } }, wide[EMU_CHANNELS];
    uint32_t values[EMU_WEIGHTS], plain[EMU_CHANNELS];
    uint16_t weights[EMU_WEIGHTS];

    emu_filter_weights(s, weights);
    for (unsigned k = 0; k < s->count * EMU_CORNERS; k++) {
        const unsigned char *bytes;
        if (k % EMU_CORNERS >= corners)
            continue;
        bytes = emu_fetch_texel(t, x, s->levels[k / EMU_CORNERS].at[k % EMU_CORNERS]);
        if (x->kind == EMU_TEXEL_FLOAT) {
            emu_texel_read(x, bytes, plain);
            memcpy(wide, plain, sizeof wide);
        } else {
            emu_texel_integers(x, bytes, wide);
        }
        for (unsigned channel = 0; channel < EMU_CHANNELS; channel++)
            texels[channel][k] = wide[channel];
    }
    for (unsigned channel = 0; channel < EMU_CHANNELS; channel++) {
        memcpy(values, texels[channel], sizeof values);
        out[channel] = x->kind == EMU_TEXEL_FLOAT
                           ? emu_filter_floats(weights, values, x->bits == 16)
                           : emu_texel_fraction(x, emu_filter_integers(weights, texels[channel]));
    }
}

/* What a fetch gives of each channel, before it becomes the instruction's type. */
static void fetched(struct emu_thread *t, const struct emu_texture *x, const struct emu_sample *s,
                    uint32_t out[EMU_CHANNELS])
{
    if ((s->count == 1 && !s->levels[0].axes) || !emu_texel_is_float(x))
        emu_texel_read(x, emu_fetch_texel(t, x, s->levels[0].at[0]), out);
    else
        filtered(t, x, s, out);
}

static uint16_t half_of(uint32_t single)
{
    return (uint16_t)real_pack(REAL_F16, real_unpack(REAL_F32, single, false), REAL_RN, 0);
}

static void to_registers(struct emu_thread *t, const struct emu_fetch *f, const uint32_t values[EMU_CHANNELS])
{
    for (unsigned k = 0; k < f->count; k++) {
        if (f->values[k] == EMU_NO)
            continue;
        if (f->type == PTX_f16x2)
            t->r[f->values[k]] = half_of(values[2 * k]) | (uint32_t)half_of(values[2 * k + 1]) << 16;
        else
            t->r[f->values[k]] = f->type == PTX_f16 ? half_of(values[k]) : values[k];
    }
    if (f->resident != EMU_NO)
        t->r[f->resident] = 1;
}

static void tex(struct emu_thread *t, const struct emu_op *op)
{
    const struct emu_texture *x = emu_fetch_object(t, op, false);
    const struct emu_coordinates c = coordinates_of(t, x, op->fetch);
    struct emu_sample s;
    uint32_t out[EMU_CHANNELS];

    if (emu_sample_is_none(x, &c))
        emu_complain(t, &rule_access_texture_geometry, NULL, x->at, 0,
                     "tex.%s with %s coordinates reads %s, and this object is of %s: it gives zeros",
                     ptx_word_text[op->fetch->geometry.word], c.integers ? ".s32" : ".f32",
                     c.integers ? "linear memory" : "an array", c.integers ? "an array" : "linear memory");
    emu_sample_of(x, &c, &s);
    fetched(t, x, &s, out);
    to_registers(t, op->fetch, out);
}

/* A channel of the four texels of a linear filter, the lower row last, against the clock from the upper left. */
static void tld4(struct emu_thread *t, const struct emu_op *op)
{
    static const uint8_t corners[EMU_CHANNELS] = { 2, 3, 1, 0 };
    const struct emu_texture *x = emu_fetch_object(t, op, false);
    struct emu_coordinates c = coordinates_of(t, x, op->fetch);
    struct emu_sample s;
    uint32_t texel[EMU_CHANNELS], out[EMU_CHANNELS];

    c.gathers = true;
    emu_sample_of(x, &c, &s);
    for (unsigned k = 0; k < EMU_CHANNELS; k++) {
        emu_texel_read(x, emu_fetch_texel(t, x, s.levels[0].at[corners[k]]), texel);
        out[k] = texel[op->fetch->component];
    }
    to_registers(t, op->fetch, out);
}

/* ---- decoding --------------------------------------------------------------------------------------------------- */

/* Operands behind the coordinates: a level, gradients, an offset. What compares depths is not modelled. */
static bool further(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_fetch *f)
{
    const uint16_t type = f->integers ? PTX_s32 : PTX_f32;
    unsigned k = 2;

    if (ptx_has(m, i, PTX_level) && k < i->n_operands)
        f->level = emu_slot(ptx_operand(m, i, k++), type);
    if (ptx_has(m, i, PTX_grad) && k + 1 < i->n_operands) {
        emu_fetch_slots(m, ptx_operand(m, i, k), PTX_f32, f->dx);
        emu_fetch_slots(m, ptx_operand(m, i, k + 1), PTX_f32, f->dy);
        k += 2;
    }
    if (k < i->n_operands && (ptx_operand(m, i, k)->kind == PO_vector || f->geometry.dimensions == 1))
        emu_fetch_slots(m, ptx_operand(m, i, k++), PTX_s32, f->offset);
    return k == i->n_operands;
}

emu_handler *emu_decode_texture(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    static const uint16_t components[EMU_CHANNELS] = { PTX_r, PTX_g, PTX_b, PTX_a };
    const struct ptx_operand *d;
    struct emu_fetch f;

    if (i->op != OP_tex && i->op != OP_tld4)
        return NULL;
    d = ptx_operand(m, i, 0);
    emu_fetch_clear(&f);
    f.type = i->type[0];
    f.integers = i->type[1] == PTX_s32;
    f.count = (uint8_t)emu_fetch_slots(m, d, i->type[0], f.values);
    if (d->flags & PF_RESIDENT)
        f.resident = emu_register_slot((uint32_t)d->value);
    for (uint8_t k = 0; i->op == OP_tld4 && k < EMU_CHANNELS; k++)
        if (ptx_has(m, i, components[k]))
            f.component = k;
    if (!emu_fetch_place(m, i, ptx_operand(m, i, 1), i->type[1], op, &f) || !further(m, i, &f))
        return NULL;
    op->d = op->b = op->c = EMU_NO;
    op->fetch = emu_fetch_kept(&f);
    if (!op->fetch || i->op == OP_tld4)
        return op->fetch ? tld4 : NULL;
    op->together = EMU_FETCH;
    op->fetches = emu_fetch_together;
    return tex;
}
// SPDX-License-Identifier: Apache-2.0
