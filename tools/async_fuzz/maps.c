/* Tensor maps and tiles: small ones, in the cluster's slice of global memory. */
#include "tools/async_fuzz/state.h"

#include "expected/oracle.h"

enum { TILE_REGIONS = 3 };

/* Bytes from its first element to the end of its last. */
static uint64_t extent(const struct tensor_map *m)
{
    unsigned per;
    const uint64_t size = tensor_type_bytes(m->type, &per);
    uint64_t bytes = m->interleave ? m->dims[0] * 16 : m->dims[0] * size / per;

    if (m->interleave)
        bytes = m->dims[0] * (m->interleave == TENSOR_INTERLEAVE_16B ? 16 : 32);
    for (int i = 1; i < m->rank; i++)
        bytes += (m->dims[i] - 1) * m->strides[i - 1];
    return bytes;
}

static void draw_shape(struct gen *g, struct tensor_map *m)
{
    const unsigned size = (unsigned)tensor_type_bytes(m->type, NULL);
    uint64_t row;

    for (int i = 0; i < m->rank; i++) {
        m->dims[i] = 1 + below(g, m->rank > 3 ? 5 : 12);
        m->box[i] = 1 + below(g, m->rank > 3 ? 3 : 8);
        m->element_strides[i] = chance(g, 85) ? 1 : 1 + below(g, 3);
    }
    if (!m->interleave) {
        m->dims[0] = chance(g, 60) ? 16 / size * (1 + below(g, 14)) : 1 + below(g, 256 / size);
        m->box[0] = 16 / size * (1 + below(g, 8)); /* a multiple of 16 bytes */
        if (size > 16)
            m->box[0] = 1 + below(g, 4);
    }
    row = m->interleave == TENSOR_INTERLEAVE_32B ? 32 : 16;
    row = (m->interleave ? m->dims[0] * row : m->dims[0] * size) + row - 1;
    row = row / (m->interleave == TENSOR_INTERLEAVE_32B ? 32 : 16) * (m->interleave == TENSOR_INTERLEAVE_32B ? 32 : 16);
    for (int i = 1; i < m->rank; i++) {
        m->strides[i - 1] = row + (chance(g, 20) ? 32 * below(g, 3) : 0);
        row = m->strides[i - 1] * m->dims[i];
    }
}

/* A legal map whose tensor and tile are small enough. All have one swizzle, as tiles are read as they were written. */
static bool draw_map(struct gen *g, struct tensor_map *m, int64_t swizzle)
{
    *m = (struct tensor_map){ .type = below(g, TENSOR_TF32_FTZ + 1), .rank = 1 + below(g, 5) };
    m->interleave = m->rank >= 3 && chance(g, 20) ? 1 + below(g, 2) : 0;
    m->swizzle = swizzle;
    m->fill = tensor_type_is_float(m->type) && chance(g, 40) ? TENSOR_FILL_NAN : TENSOR_FILL_NONE;
    m->l2 = below(g, 4);
    draw_shape(g, m);
    m->address = 32 * (uint64_t)below(g, 6 * REGION / 32) + REGION * (uint64_t)below(g, GLOBAL_REGIONS);
    if (m->address + extent(m) > (uint64_t)GLOBAL_REGIONS * REGION || extent(m) > 7 * REGION)
        return false;
    if (tensor_tile_span(m) > TILE_REGIONS * REGION || !tensor_tile_bytes(m))
        return false;
    m->address += UINT64_C(1) << 40; /* somewhere that the oracle takes for memory */
    if (tensor_map_check(m, NULL, 0))
        return false;
    m->address -= UINT64_C(1) << 40;
    return true;
}

void draw_maps(struct gen *g)
{
    static const int64_t swizzles[] = { TENSOR_SWIZZLE_NONE, TENSOR_SWIZZLE_NONE, TENSOR_SWIZZLE_32B,
                                        TENSOR_SWIZZLE_64B,  TENSOR_SWIZZLE_128B, TENSOR_SWIZZLE_128B };
    const int64_t swizzle = PICK(g, swizzles);

    for (unsigned i = 0; i < MAPS; i++) {
        unsigned tries = 0;
        while (tries < 2000 && !draw_map(g, &g->p->maps[i], swizzle))
            tries++;
        if (tries == 2000)
            g->p->maps[i] = (struct tensor_map){ .type = TENSOR_U8,
                                                 .rank = 1,
                                                 .dims = { 16 },
                                                 .box = { 16 },
                                                 .element_strides = { 1 },
                                                 .swizzle = swizzle };
    }
}

uint64_t map_regions(const struct tensor_map *m)
{
    const unsigned first = (unsigned)(m->address / REGION);
    unsigned last = (unsigned)((m->address + extent(m) + 31) / REGION);

    if (last >= GLOBAL_REGIONS)
        last = GLOBAL_REGIONS - 1;
    return global_regions(first, last - first + 1);
}

/* Where in a region a tile may begin, other than at its start: bytes. */
unsigned map_start(const struct tensor_map *m)
{
    const size_t room = REGION - tensor_tile_span(m) % REGION;

    return tensor_swizzle_period(m->swizzle) <= 128 && tensor_tile_span(m) % REGION ? (unsigned)(room / 128 * 128) : 0;
}

/* Stores begin inside, and rows of a multiple of 16 bytes keep them within the tensor; a store with element strides is
 * left out, as no document says what it does. */
static bool stores(const struct tensor_map *m)
{
    const uint64_t size = tensor_type_bytes(m->type, NULL);

    if (!m->interleave && m->dims[0] * size % 16)
        return false;
    for (int i = 0; i < m->rank; i++)
        if (m->element_strides[i] != 1 && (i || m->interleave))
            return false;
    return true;
}

bool draw_tile(struct gen *g, bool store, struct tile *t)
{
    const struct tensor_map *m;

    *t = (struct tile){ .map = below(g, MAPS) };
    m = &g->p->maps[t->map];
    if (store && !stores(m))
        return false;
    t->bytes = tensor_tile_bytes(m);
    t->span = tensor_tile_span(m);
    t->regions = (unsigned)((t->span + REGION - 1) / REGION);
    for (int i = 0; i < m->rank; i++) {
        const int dim = (int)m->dims[i], box = (int)m->box[i];
        int at =
            store || chance(g, 60) ? (int)below(g, (unsigned)dim + 1) : (int)below(g, (unsigned)(dim + 2 * box)) - box;
        if (i == 0 && !m->interleave) {
            const int per16 = 16 / (int)tensor_type_bytes(m->type, NULL);
            at = per16 ? at / per16 * per16 : at;
        }
        t->corner[i] = at;
    }
    return true;
}

void add_coordinates(struct gen *g, const struct tile *t)
{
    const struct tensor_map *m = &g->p->maps[t->map];

    text_add(g->out, "    add.u64 %%d2, %%map, %u;\n", t->map * TENSOR_MAP_BYTES);
    for (int i = 0; i < m->rank; i++)
        text_add(g->out, "    mov.s32 %%r%d, %d;\n", 10 + i, t->corner[i]);
}

const char *draw_tensor_operation(struct gen *g, const struct tensor_map *m)
{
    static const char *const integers[] = { "add", "min", "max", "and", "or", "xor" };
    static const char *const halves[] = { "add", "min", "max" };

    switch (m->type) {
    case TENSOR_U32: return chance(g, 25) ? chance(g, 50) ? "inc" : "dec" : PICK(g, integers);
    case TENSOR_S32:
    case TENSOR_U64: return PICK(g, integers);
    case TENSOR_S64: return integers[1 + below(g, 2)]; /* the others fault on an H200: docs/findings.md */
    case TENSOR_F16:
    case TENSOR_BF16: return PICK(g, halves);
    case TENSOR_F32:
    case TENSOR_F64:
    case TENSOR_F32_FTZ: return "add";
    default: return NULL;
    }
}
// SPDX-License-Identifier: Apache-2.0
