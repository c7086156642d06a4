/* Texture and surface objects: what a handle of 64 bits stands for. The texels lie in an allocation of global memory,
 * row by row, whatever a device does with an array. Users of emu.h describe them so too. */
#ifndef COPYCHECK_EMU_TEXTURE_OBJECT_H
#define COPYCHECK_EMU_TEXTURE_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

struct emu;
struct emu_thread;

enum emu_texel { EMU_TEXEL_UNSIGNED, EMU_TEXEL_SIGNED, EMU_TEXEL_FLOAT };

/* What lies outside a texture: numbers of cudaTextureAddressMode. */
enum emu_address_mode { EMU_ADDRESS_WRAP, EMU_ADDRESS_CLAMP, EMU_ADDRESS_MIRROR, EMU_ADDRESS_BORDER };

enum { EMU_TEXTURE_LEVELS = 16, EMU_CUBE_FACES = 6 };

struct emu_texture {
    bool surface;
    uint8_t kind;                  /* enum emu_texel */
    uint8_t bits, channels;        /* of a channel: 8, 16, 32; 1, 2 or 4 of them */
    uint32_t width, height, depth; /* in texels, of level 0; 0: there is no such dimension */
    uint32_t layers;               /* 0: it has none; of a cube, each has six faces */
    uint32_t levels;               /* of a mipmap, 1 to EMU_TEXTURE_LEVELS */
    bool cube;
    bool memory;    /* linear memory, or rows with a pitch: not an array */
    uint64_t pitch; /* bytes from a row of level 0 to the next; 0: rows follow one another */
    /* Of a texture: */
    uint8_t mode;       /* enum emu_address_mode, of all dimensions */
    bool normalized;    /* coordinates from 0 to 1 */
    bool linear;        /* filtered, else the nearest texel is taken */
    bool linear_levels; /* between levels too */
    bool as_float;      /* integers of 8 and 16 bits are read as fractions of the largest */
    uint64_t at;        /* address of the first texel */
};

/* Bytes of a texel; of all texels with what lies between them. */
unsigned emu_texel_bytes(const struct emu_texture *x);
uint64_t emu_texture_bytes(const struct emu_texture *x);

/* Extents of a level, in texels; at least 1. */
struct emu_extents {
    uint32_t width, height, depth;
};
struct emu_extents emu_texture_extents(const struct emu_texture *x, uint32_t level);
/* The address of a texel that is there. `slice`: a layer, or six times a cube's layer and the face. */
uint64_t emu_texel_at(const struct emu_texture *x, uint32_t level, uint32_t slice, uint32_t column, uint32_t row,
                      uint32_t plane);

/* A copy of the object for the machine: its handle, or 0 where memory is short. Handles count from 1. */
uint64_t emu_texture_add(struct emu *e, const struct emu_texture *x);
void emu_textures_free(struct emu *e);

/* The object of a handle, or of a .texref or .surfref variable in global memory that holds one. Where there is none, or
 * it is a texture and not a surface, or the other way round, the grid ends with a finding. */
const struct emu_texture *emu_texture_of(struct emu_thread *t, uint64_t handle, bool surface);
/* The same of a texture; NULL: there is none. */
const struct emu_texture *emu_texture_find(struct emu *e, uint64_t handle);

#endif
// SPDX-License-Identifier: Apache-2.0
