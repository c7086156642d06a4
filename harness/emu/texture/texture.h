/* Instructions on textures and surfaces, made ready. */
#ifndef COPYCHECK_EMU_TEXTURE_TEXTURE_H
#define COPYCHECK_EMU_TEXTURE_TEXTURE_H

#include "harness/emu/machine/code.h"
#include "harness/emu/texture/object.h"

enum { EMU_COORDINATES = 4 };

/* What an instruction says of the shape of its object. */
struct emu_geometry {
    uint16_t word;
    uint8_t dimensions; /* coordinates in a layer; of a cube 3 */
    bool layered, cube;
};

/* op->fetch: tex, tld4, suld, sust, sured. */
struct emu_fetch {
    struct emu_geometry geometry;
    uint32_t layer;                                    /* slots: of the layer's number; EMU_NO: none */
    uint32_t at[EMU_COORDINATES];                      /* of x, y, z */
    uint32_t level;                                    /* EMU_NO: none */
    uint32_t dx[EMU_COORDINATES], dy[EMU_COORDINATES]; /* gradients; dx[0] EMU_NO: none */
    uint32_t offset[EMU_COORDINATES];                  /* added to coordinates in texels; offset[0] EMU_NO: none */
    uint32_t values[EMU_COORDINATES];                  /* results, or what is stored; EMU_NO: dropped */
    uint32_t resident;                                 /* the predicate that says that the texels were in memory */
    bool integers;                                     /* coordinates are .s32: no texel is filtered */
    uint8_t component;                                 /* of tld4: 0 to 3 */
    uint8_t count;                                     /* of `values` */
    uint8_t bytes;                                     /* of each, in a surface's memory */
    uint16_t type;                                     /* of tex and tld4: of the results; of sured: of its operand */
    uint16_t word; /* sured: PTX_add ... ; suld, sust, sured outside: PTX_trap ... below */
    uint16_t outside;
    bool formatted; /* sust.p, sured.p: coordinates in texels, values converted */
};

/* The object of an instruction whose geometry it has; else the grid ends with a finding. */
const struct emu_texture *emu_fetch_object(struct emu_thread *t, const struct emu_op *op, bool surface);

/* Whether a texture has the geometry that the instruction names. */
bool emu_fetch_fits(const struct emu_op *op, const struct emu_texture *x);

/* tex by lanes of a warp in a window. */
emu_fetches emu_fetch_together;
/* The bytes of the texel at an address, NULL: of the border. A watcher is told. */
const unsigned char *emu_fetch_texel(struct emu_thread *t, const struct emu_texture *x, uint64_t at);

/* While a function is decoded: the operands [object, {coordinates}]; a vector or scalar into slots. op->a becomes the
 * handle. False where the emulator does not model them. */
bool emu_fetch_place(const struct ptx_module *m, const struct ptx_instruction *i, const struct ptx_operand *o,
                     uint16_t type, struct emu_op *op, struct emu_fetch *f);
unsigned emu_fetch_slots(const struct ptx_module *m, const struct ptx_operand *o, uint16_t type,
                         uint32_t slots[EMU_COORDINATES]);
/* Empty slots; a copy that lives as long as the code. */
void emu_fetch_clear(struct emu_fetch *f);
const struct emu_fetch *emu_fetch_kept(const struct emu_fetch *f);

/* tex, tld4; suld, sust, sured; txq, suq. */
emu_decode emu_decode_texture, emu_decode_surface, emu_decode_query;

#endif
// SPDX-License-Identifier: Apache-2.0
