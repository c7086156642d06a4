/* Operands of texture and surface instructions: made ready, and as they are found. */
#include "harness/emu/machine/address.h"
#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/thread.h"
#include "harness/emu/machine/watch.h"
#include "harness/emu/texture/texture.h"

static const struct emu_geometry geometries[] = {
    { PTX_n1d, 1, false, false }, { PTX_n2d, 2, false, false }, { PTX_n3d, 3, false, false },
    { PTX_a1d, 1, true, false },  { PTX_a2d, 2, true, false },  { PTX_cube, 3, false, true },
    { PTX_acube, 3, true, true },
};

/* What an object is to an instruction. */
static uint16_t geometry_of(const struct emu_texture *x)
{
    if (x->cube)
        return x->layers ? PTX_acube : PTX_cube;
    if (x->layers)
        return x->height ? PTX_a2d : PTX_a1d;
    return x->depth ? PTX_n3d : x->height ? PTX_n2d : PTX_n1d;
}

bool emu_fetch_fits(const struct emu_op *op, const struct emu_texture *x)
{
    return op->fetch->geometry.word == geometry_of(x);
}

const struct emu_texture *emu_fetch_object(struct emu_thread *t, const struct emu_op *op, bool surface)
{
    const struct emu_texture *x = emu_texture_of(t, t->r[op->a], surface);
    const uint16_t word = op->fetch->geometry.word, is = geometry_of(x);
    /* A surface object of a cube is one of layers: cudaSurfaceTypeCubemap has no geometry of its own in PTX. */
    const bool layers = surface && x->cube && word == PTX_a2d;

    if (word != is && !layers)
        emu_bad_access(t, &rule_access_texture_geometry, t->r[op->a], 0,
                       "an instruction for .%s is given a%s object that is .%s", ptx_word_text[word],
                       surface ? " surface" : " texture", ptx_word_text[is]);
    return x;
}

const unsigned char *emu_fetch_texel(struct emu_thread *t, const struct emu_texture *x, uint64_t at)
{
    const unsigned n = emu_texel_bytes(x);
    const struct emu_watch *watch = emu_watch_all(t);
    const unsigned char *bytes;

    if (!at)
        return NULL;
    bytes = emu_bytes(t, PTX_global, at, n, 1, EMU_READ, NULL, NULL);
    if (watch)
        watch->access(t, PTX_global, NULL, at, n, EMU_READ);
    return bytes;
}

void emu_fetch_clear(struct emu_fetch *f)
{
    *f = (struct emu_fetch){ .layer = EMU_NO, .level = EMU_NO, .resident = EMU_NO };
    for (int i = 0; i < EMU_COORDINATES; i++)
        f->at[i] = f->dx[i] = f->dy[i] = f->offset[i] = f->values[i] = EMU_NO;
}

const struct emu_fetch *emu_fetch_kept(const struct emu_fetch *f)
{
    struct emu_fetch *kept = emu_kept(sizeof *kept);

    if (!kept)
        return NULL;
    *kept = *f;
    emu_settle_later(&kept->layer);
    emu_settle_later(&kept->level);
    emu_settle_later(&kept->resident);
    for (int i = 0; i < EMU_COORDINATES; i++) {
        emu_settle_later(&kept->at[i]);
        emu_settle_later(&kept->dx[i]);
        emu_settle_later(&kept->dy[i]);
        emu_settle_later(&kept->offset[i]);
        emu_settle_later(&kept->values[i]);
    }
    return kept;
}

unsigned emu_fetch_slots(const struct ptx_module *m, const struct ptx_operand *o, uint16_t type,
                         uint32_t slots[EMU_COORDINATES])
{
    if (o->kind != PO_vector) {
        slots[0] = emu_slot(o, type);
        return 1;
    }
    for (uint32_t k = 0; k < o->count && k < EMU_COORDINATES; k++)
        slots[k] = emu_slot(&m->operands[o->first + k], type);
    return o->count < EMU_COORDINATES ? o->count : EMU_COORDINATES;
}

bool emu_fetch_place(const struct ptx_module *m, const struct ptx_instruction *i, const struct ptx_operand *o,
                     uint16_t type, struct emu_op *op, struct emu_fetch *f)
{
    const uint16_t word = ptx_word_of(m, i, PC_geometry);
    uint32_t slots[EMU_COORDINATES] = { EMU_NO, EMU_NO, EMU_NO, EMU_NO };
    unsigned first;

    for (size_t k = 0; k < sizeof geometries / sizeof *geometries; k++)
        if (geometries[k].word == word)
            f->geometry = geometries[k];
    if (!f->geometry.word || o->kind != PO_tensor || o->count != 2) /* with three, the second is a sampler */
        return false;
    emu_address(&m->operands[o->first], op, &op->a, &op->offset);
    emu_fetch_slots(m, &m->operands[o->first + 1], type, slots);
    first = f->geometry.layered ? 1 : 0;
    if (first)
        f->layer = emu_slot(&m->operands[m->operands[o->first + 1].first], PTX_u32);
    for (unsigned k = 0; k < f->geometry.dimensions && first + k < EMU_COORDINATES; k++)
        f->at[k] = slots[first + k];
    return true;
}
// SPDX-License-Identifier: Apache-2.0
