/* Values that a copy might change: NaN payloads, minus zero, subnormals, mantissas longer than TF32's. */
#include <string.h>

#include "tests/tensor/box.h"

static const uint64_t specials_16[] = { 0x7C01, 0x7E01, 0xFE55, 0x7FFF, 0xFFFF, 0x8000, 0x0001, 0x83FF,
                                        0x03FF, 0x7C00, 0xFC00, 0x7F81, 0xFF80, 0x007F, 0x0080, 0x7BFF };
static const uint64_t specials_32[] = { 0x7F800001, 0x7FC00001, 0xFFC12345, 0xFFFFFFFF, 0x80000000, 0x00000001,
                                        0x807FFFFF, 0x007FFFFF, 0x7F800000, 0xFF800000, 0x3F800001, 0x3F801000,
                                        0x3F801001, 0x3F803000, 0x3F7FFFFF, 0x7F7FFFFF };
static const uint64_t specials_64[] = {
    0x7FF0000000000001, 0x7FF8000000000001, 0xFFF8123456789ABC, 0xFFFFFFFFFFFFFFFF,
    0x8000000000000000, 0x0000000000000001, 0x800FFFFFFFFFFFFF, 0x000FFFFFFFFFFFFF,
    0x7FF0000000000000, 0xFFF0000000000000, 0x3FF0000000000001, 0x7F80000100000001,
    0x0000000100000001, 0x8000000080000000, 0x0010000000000000, 0x7FEFFFFFFFFFFFFF
};

enum { SPECIALS = 16 };

static uint64_t special(const struct tensor_map *map, size_t i)
{
    const size_t size = tensor_type_bytes(map->type, NULL);

    i %= SPECIALS;
    return size == 2 ? specials_16[i] : size == 4 ? specials_32[i] : size == 8 ? specials_64[i] : (i * 17 + 3) & 0xFF;
}

static void fill_with_specials(const struct tensor_map *map, struct ck_buf b, size_t from)
{
    const size_t size = tensor_type_bytes(map->type, NULL);

    for (size_t i = 0; from + (i + 1) * size <= b.size; i++) {
        const uint64_t bits = special(map, i);
        memcpy(b.host + from + i * size, &bits, size);
    }
}

/* One row of 16 elements, all special. */
static struct tensor_map row_map(int64_t type)
{
    struct tensor_map map = tensor_map_default(type, 1);

    map.dims[0] = SPECIALS;
    map.box[0] = SPECIALS;
    return map;
}

/* A type that no conversion is documented for arrives bit by bit, NaN payloads and minus zero included. */
static void bit_exact(struct ck *t)
{
    const struct tensor_map map = row_map(box_type(t));
    const bool load = ck_is(t, "direction", "load");
    struct box b = load ? box_to_load(t, &map) : box_to_store(t, &map);
    unsigned char *expected;

    memset(b.corner, 0, sizeof b.corner);
    fill_with_specials(&map, load ? b.tensor : b.image, load ? 0 : b.offset);
    expected = load ? box_loaded(t, &b) : box_stored(t, &b);
    if (ck_variant(t, "other-bit")) {
        unsigned char *const one = load ? b.tensor.host : b.image.host + b.offset;
        one[tensor_type_bytes(map.type, NULL) - 1] ^= 1;
    }
    if (load)
        box_load(t, &b);
    else
        box_store(t, &b);
    ck_equal(t, load ? b.image : b.tensor, expected);
}

/* Records what became of each value that changed, "in>out". */
static void see_changes(struct ck *t, const unsigned char *to)
{
    bool changed = false;

    for (size_t i = 0; i < SPECIALS; i++) {
        uint32_t out;
        memcpy(&out, to + 4 * i, 4);
        if (out != specials_32[i]) {
            ck_see(t, "%x>%x", (unsigned)specials_32[i], out);
            changed = true;
        }
    }
    if (!changed)
        ck_see(t, "no value changes");
}

/* A copy of a type whose name says that it converts (flush to zero, round to TF32): records which values change. */
static void conversion(struct ck *t)
{
    const struct tensor_map map = row_map(box_type(t));
    const bool load = ck_is(t, "direction", "load"), add = ck_is(t, "direction", "add");
    struct box b = load ? box_to_load(t, &map) : box_to_store(t, &map);
    enum ck_end end;

    memset(b.corner, 0, sizeof b.corner);
    fill_with_specials(&map, load ? b.tensor : b.image, load ? 0 : b.offset);
    if (add)
        b.tensor = ck_zeroed(t, b.tensor.size); /* the sum is the image, except for what the addition changes */
    end = load ? box_load(t, &b) : add ? box_add(t, &b) : box_store(t, &b);
    if (end == CK_DONE)
        see_changes(t, load ? b.image.host + b.offset : b.tensor.host);
}

static const struct ck_case cases[] = {
    { CK_RULE(tensor_tile_type_bitexact), .run = bit_exact,
      .axes = { { "type", "u8 u16 u32 s32 u64 s64 f16 f32 f64 bf16" }, { "direction", "load store" } },
      .mutants = { { "other-bit", "change one bit of the source" } } },
    { CK_RULE(tensor_tile_type_ftz), .run = conversion,
      .axes = { { "type", "f32-ftz f32" }, { "direction", "load store add" } } },
    { CK_RULE(tensor_tile_type_tf32), .run = conversion,
      .axes = { { "type", "tf32 tf32-ftz" }, { "direction", "load store add" } } },
    { 0 },
};

const struct ck_suite tensor_types = { "tensor/types", cases };
// SPDX-License-Identifier: Apache-2.0
