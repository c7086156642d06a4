/* Every limit of cuTensorMapEncodeTiled, or of cuTensorMapEncodeIm2col, that a call breaks.
 *
 * The documents are the comment in cuda.h and the Programming Guide's table of alignments. Where the driver refuses
 * more, or less, than they say, the rule's evidence is "observed" and its id holds "seen". */
#include "expected/oracle.h"

#define EACH(name)                                                                                                     \
    {                                                                                                                  \
        name "[0]", name "[1]", name "[2]", name "[3]", name "[4]"                                                     \
    }

static const char *const dim_names[TENSOR_RANK_MAX] = EACH("globalDim");
static const char *const stride_names[TENSOR_RANK_MAX] = EACH("globalStrides");
static const char *const box_names[TENSOR_RANK_MAX] = EACH("boxDim");
static const char *const element_stride_names[TENSOR_RANK_MAX] = EACH("elementStrides");

static const uint64_t dim_max = UINT64_C(1) << 32;
static const uint64_t stride_end = UINT64_C(1) << 40;
/* Observed on an H200: */
static const uint64_t address_end = UINT64_C(1) << 57;
static const uint64_t box_bytes_max = 228 << 10;
enum { BOX_MAX = 256, ELEMENT_STRIDE_MAX = 8, PACKED_BOX = 128, PIXELS_MAX = 1024 };

struct report {
    struct tensor_map_fault *faults;
    size_t max, count;
    size_t refused; /* those that the driver refuses */
};

static void broken(struct report *r, const struct ck_rule *rule, const char *argument, uint64_t value, uint64_t nearest,
                   const char *limit)
{
    if (r->count < r->max)
        r->faults[r->count] = (struct tensor_map_fault){
            .rule = rule, .argument = argument, .value = value, .nearest = nearest, .limit = limit
        };
    r->count++;
    r->refused++;
}

/* As broken(), for what the documents forbid and the driver accepts. */
static void tolerated(struct report *r, const struct ck_rule *rule, const char *argument, uint64_t value,
                      uint64_t nearest, const char *limit)
{
    broken(r, rule, argument, value, nearest, limit);
    r->refused--;
    if (r->count <= r->max)
        r->faults[r->count - 1].tolerated = true;
}

/* The multiple of `unit` that is nearest to `value`, at least `least`. */
static uint64_t nearest_multiple(uint64_t value, uint64_t unit, uint64_t least)
{
    const uint64_t down = value - value % unit;
    const uint64_t near = value - down < unit - (value - down) || down + unit < down ? down : down + unit;

    return near < least ? least : near;
}

static bool aligned16b(int64_t type)
{
    return type == TENSOR_16U4_ALIGN16B || type == TENSOR_16U6_ALIGN16B;
}

/* The nearest such multiple from `least` to `most`; both are multiples, or bounds that leave one. */
static uint64_t multiple_within(uint64_t value, uint64_t unit, uint64_t least, uint64_t most)
{
    const uint64_t near = nearest_multiple(value, unit, least);

    return near > most ? most - most % unit : near % unit ? near + unit - near % unit : near;
}

static uint64_t clamp(int64_t value, int64_t low, int64_t high)
{
    return (uint64_t)(value < low ? low : value > high ? high : value);
}

static bool is_interleaved(const struct tensor_map *m)
{
    return m->interleave == TENSOR_INTERLEAVE_16B || m->interleave == TENSOR_INTERLEAVE_32B;
}

/* The swizzle nearest to the one that is asked for, of those that a device of compute capability 9.0 has. */
static uint64_t legal_swizzle(const struct tensor_map *m)
{
    if (m->interleave == TENSOR_INTERLEAVE_32B && !aligned16b(m->type))
        return TENSOR_SWIZZLE_32B;
    return clamp(m->swizzle, 0, TENSOR_SWIZZLE_128B);
}

static void check_enumerators(struct report *r, const struct tensor_map *m)
{
    if (m->type < 0 || m->type >= TENSOR_TYPE_COUNT)
        broken(r, &rule_tmap_tiled_dtype, "tensorDataType", (uint64_t)m->type, clamp(m->type, 0, TENSOR_TF32_FTZ),
               "an enumerator, 0 to 15");
    if (m->rank < 1 || m->rank > TENSOR_RANK_MAX)
        broken(r, &rule_tmap_tiled_rank, "tensorRank", (uint64_t)m->rank,
               clamp(m->rank, m->mode == TENSOR_MODE_IM2COL || is_interleaved(m) ? 3 : 1, TENSOR_RANK_MAX), "1 to 5");
    if (m->interleave < 0 || m->interleave > TENSOR_INTERLEAVE_32B)
        broken(r, &rule_tmap_tiled_ilv_enum, "interleave", (uint64_t)m->interleave,
               m->type == TENSOR_16U6_ALIGN16B ? TENSOR_INTERLEAVE_NONE
                                               : clamp(m->interleave, 0, TENSOR_INTERLEAVE_32B),
               "an enumerator, 0 to 2");
    if (m->swizzle < 0 || m->swizzle >= TENSOR_SWIZZLE_COUNT)
        broken(r, &rule_tmap_tiled_swz_enum, "swizzle", (uint64_t)m->swizzle, legal_swizzle(m),
               "an enumerator, 0 to 6");
    if (m->l2 < 0 || m->l2 > TENSOR_L2_256B)
        broken(r, &rule_tmap_tiled_l2_enum, "l2Promotion", (uint64_t)m->l2, clamp(m->l2, 0, TENSOR_L2_256B),
               "an enumerator, 0 to 3");
    if (m->fill < 0 || m->fill > TENSOR_FILL_NAN)
        broken(r, &rule_tmap_tiled_fill_enum, "oobFill", (uint64_t)m->fill,
               tensor_type_is_float(m->type) ? clamp(m->fill, 0, TENSOR_FILL_NAN) : TENSOR_FILL_NONE,
               "an enumerator, 0 or 1");
}

/* Values that cuda.h defines and a device of compute capability 9.0 refuses. */
static void check_architecture(struct report *r, const struct tensor_map *m)
{
    if (m->mode >= TENSOR_MODE_IM2COL_W)
        broken(r, &rule_tmap_wide_cc10, "mode", (uint64_t)(m->mode - TENSOR_MODE_IM2COL_W), 0,
               "no wide map on compute capability 9.0");
    if (tensor_type_is_packed(m->type))
        broken(r, &rule_tmap_tiled_seen_packed_types, "tensorDataType", (uint64_t)m->type, TENSOR_TF32_FTZ,
               "no packed type on compute capability 9.0");
    if (m->swizzle >= TENSOR_SWIZZLE_128B_ATOM_32B && m->swizzle < TENSOR_SWIZZLE_COUNT)
        broken(r, &rule_tmap_tiled_seen_atom_swizzle, "swizzle", (uint64_t)m->swizzle, legal_swizzle(m),
               "a swizzle with 16-byte atoms (0 to 3) on compute capability 9.0");
}

/* Limits that tie two enumerators together. */
static void check_pairs(struct report *r, const struct tensor_map *m)
{
    const bool interleaved = is_interleaved(m);

    if (interleaved && m->rank >= 1 && m->rank < 3)
        broken(r, &rule_tmap_tiled_rank_interleave, "tensorRank", (uint64_t)m->rank, 3,
               "at least 3 with an interleave");
    if (m->interleave == TENSOR_INTERLEAVE_32B && m->swizzle != TENSOR_SWIZZLE_32B)
        tolerated(r, &rule_tmap_tiled_ilv32_swizzle, "swizzle", (uint64_t)m->swizzle, TENSOR_SWIZZLE_32B,
                  "SWIZZLE_32B (1) with interleave 32B");
    if (m->type == TENSOR_16U6_ALIGN16B && interleaved)
        broken(r, &rule_tmap_tiled_u6_interleave, "interleave", (uint64_t)m->interleave, TENSOR_INTERLEAVE_NONE,
               "none (0) for 16U6_ALIGN16B");
    if (m->type == TENSOR_16U6_ALIGN16B && (m->swizzle == TENSOR_SWIZZLE_32B || m->swizzle == TENSOR_SWIZZLE_64B ||
                                            m->swizzle == TENSOR_SWIZZLE_128B_ATOM_32B_FLIP_8B))
        broken(r, &rule_tmap_tiled_u6_swizzle, "swizzle", (uint64_t)m->swizzle, TENSOR_SWIZZLE_128B,
               "none, 128B, 128B_ATOM_32B or 128B_ATOM_64B (0, 3, 4, 6) for 16U6_ALIGN16B");
    if (m->type == TENSOR_16U4_ALIGN16B &&
        (m->swizzle == TENSOR_SWIZZLE_32B || m->swizzle == TENSOR_SWIZZLE_64B ||
         m->swizzle == TENSOR_SWIZZLE_128B_ATOM_32B_FLIP_8B || m->swizzle == TENSOR_SWIZZLE_128B_ATOM_64B))
        broken(r, &rule_tmap_tiled_u4_swizzle, "swizzle", (uint64_t)m->swizzle, TENSOR_SWIZZLE_128B,
               "none, 128B or 128B_ATOM_32B (0, 3, 4) for 16U4_ALIGN16B");
    if (m->fill == TENSOR_FILL_NAN && tensor_type_is_packed(m->type))
        broken(r, &rule_tmap_tiled_fill_packed, "oobFill", 1, 0, "zero (0) for packed types");
    else if (m->fill == TENSOR_FILL_NAN && m->type >= 0 && m->type < TENSOR_TYPE_COUNT &&
             !tensor_type_is_float(m->type))
        broken(r, &rule_tmap_tiled_fill_float_only, "oobFill", 1, 0, "zero (0) for integer types");
}

/* Bytes of `n` elements of the inner dimension in global memory. */
static uint64_t inner_bytes(int64_t type, uint64_t n)
{
    unsigned per;
    const size_t size = tensor_type_bytes(type, &per);

    return n * size / per;
}

/* What addresses and strides are multiples of. */
static uint64_t global_unit(const struct tensor_map *m)
{
    return m->interleave == TENSOR_INTERLEAVE_32B || aligned16b(m->type) ? 32 : 16;
}

static void check_address(struct report *r, const struct tensor_map *m)
{
    const uint64_t a = m->address, unit = global_unit(m);
    uint64_t legal;

    if (a % unit == 0 && a < address_end)
        return;
    legal = multiple_within(a, unit, 0, address_end - unit);
    if (a % 16)
        broken(r, &rule_tmap_tiled_gaddr16, "globalAddress", a, legal, "a multiple of 16");
    if (m->interleave == TENSOR_INTERLEAVE_32B && a % 32)
        broken(r, &rule_tmap_tiled_gaddr32_interleave, "globalAddress", a, legal,
               "a multiple of 32 with interleave 32B");
    if (aligned16b(m->type) && a % 32)
        broken(r, &rule_tmap_tiled_gaddr32_packed, "globalAddress", a, legal,
               "a multiple of 32 for 16U4_ALIGN16B and 16U6_ALIGN16B");
    if (a >= address_end)
        broken(r, &rule_tmap_tiled_seen_address_57_bits, "globalAddress", a, legal, "below 2^57");
}

/* The nearest legal value of globalDim[0]. */
static uint64_t legal_inner(const struct tensor_map *m)
{
    const uint64_t unit = aligned16b(m->type) ? 128 : m->type == TENSOR_16U4_ALIGN8B ? 2 : 1;

    return multiple_within(m->dims[0], unit, unit, dim_max);
}

static void check_dims(struct report *r, const struct tensor_map *m, int rank)
{
    for (int i = 0; i < rank; i++) {
        const uint64_t d = m->dims[i];

        if (d == 0)
            broken(r, &rule_tmap_tiled_gdim_zero, dim_names[i], d, i ? 1 : legal_inner(m), "not 0");
        if (d > dim_max)
            broken(r, &rule_tmap_tiled_gdim_max, dim_names[i], d, i ? dim_max : legal_inner(m), "at most 2^32");
    }
    if (aligned16b(m->type) && m->dims[0] % 128)
        broken(r, &rule_tmap_tiled_gdim_mult128, dim_names[0], m->dims[0], legal_inner(m),
               "a multiple of 128 for 16U4_ALIGN16B and 16U6_ALIGN16B");
    if (m->type == TENSOR_16U4_ALIGN8B && m->dims[0] % 2)
        broken(r, &rule_tmap_tiled_gdim_even, dim_names[0], m->dims[0], legal_inner(m), "even for 16U4_ALIGN8B");
}

/* A legal stride may be less than the bytes that it steps over, but hardly anyone means that. */
static uint64_t legal_stride(const struct tensor_map *m, int i, uint64_t bytes)
{
    const uint64_t unit = global_unit(m);

    return multiple_within(m->strides[i], unit, bytes > unit ? bytes : unit, stride_end - unit);
}

/* The bytes that stride i steps over: a row for the first, then as many rows as there are, each as far apart as their
 * stride or the nearest legal one says. 0 where no stride holds them, or where the inner dimension is cut into slices,
 * so that its rows are no rows of memory. */
static uint64_t stepped_over(const struct tensor_map *m, int i)
{
    const uint64_t unit = global_unit(m), most = stride_end - unit;
    unsigned per;
    const size_t size = tensor_type_bytes(m->type, &per);
    unsigned __int128 bytes = is_interleaved(m) ? 0 : (unsigned __int128)m->dims[0] * size / per;

    for (int k = 0; k < i && bytes && bytes <= most; k++) {
        const uint64_t s = m->strides[k];
        bytes = (unsigned __int128)(s % unit || s > most || s < bytes ? legal_stride(m, k, (uint64_t)bytes) : s) *
                m->dims[k + 1];
    }
    return bytes > most ? 0 : (uint64_t)bytes;
}

static void check_stride(struct report *r, const struct tensor_map *m, int i)
{
    const uint64_t s = m->strides[i], bytes = stepped_over(m, i), legal = legal_stride(m, i, bytes);
    const size_t before = r->count;

    if (s % 16)
        broken(r, &rule_tmap_tiled_gstride16, stride_names[i], s, legal, "a multiple of 16");
    if (m->interleave == TENSOR_INTERLEAVE_32B && s % 32)
        broken(r, &rule_tmap_tiled_gstride32_interleave, stride_names[i], s, legal,
               "a multiple of 32 with interleave 32B");
    if (aligned16b(m->type) && s % 32)
        broken(r, &rule_tmap_tiled_gstride32_packed, stride_names[i], s, legal,
               "a multiple of 32 for 16U4_ALIGN16B and 16U6_ALIGN16B");
    if (s >= stride_end)
        broken(r, &rule_tmap_tiled_gstride_max, stride_names[i], s, legal, "below 2^40");
    for (size_t k = before; k < r->count && k < r->max; k++)
        r->faults[k].holds = s < bytes ? bytes : 0;
}

static void check_strides(struct report *r, const struct tensor_map *m, int rank)
{
    const uint64_t unit = global_unit(m);

    for (int i = 0; i + 1 < rank; i++)
        if (m->strides[i] % unit || m->strides[i] >= stride_end)
            check_stride(r, m, i);
}

/* The whole box in shared memory. The driver divides the box by the element strides and rounds down, also in dimension
 * 0 where the stride is ignored: a box smaller than its stride counts as nothing. */
static void check_box_bytes(struct report *r, const struct tensor_map *m, int rank)
{
    uint64_t bytes = inner_bytes(m->type, 1);
    unsigned __int128 all;

    if (tensor_type_is_packed(m->type))
        return;
    for (int i = 0; i < rank; i++)
        if (m->element_strides[i] == 0 || m->box[i] < m->element_strides[i])
            return;
    all = bytes;
    for (int i = 0; i < rank && all <= box_bytes_max; i++)
        all *= m->box[i] / m->element_strides[i];
    bytes = all > UINT64_MAX ? UINT64_MAX : (uint64_t)all;
    if (bytes > box_bytes_max)
        broken(r, &rule_tmap_tiled_seen_box_bytes, "boxDim", bytes, box_bytes_max, "at most 228 KiB in all");
}

/* The nearest legal value of boxDim[0]: whole 16 bytes, within the swizzle's span. */
static uint64_t legal_inner_box(const struct tensor_map *m)
{
    unsigned per;
    const size_t size = tensor_type_bytes(m->type, &per);
    const unsigned span = m->interleave == TENSOR_INTERLEAVE_NONE ? tensor_swizzle_span(m->swizzle) : 0;
    const uint64_t unit = size ? 16 * per / size : 1, most = span && size ? span * per / size : BOX_MAX;

    if (aligned16b(m->type))
        return PACKED_BOX;
    return multiple_within(m->box[0], unit, unit, most < BOX_MAX ? most : BOX_MAX);
}

static void check_box(struct report *r, const struct tensor_map *m, int rank)
{
    static const struct {
        const struct ck_rule *rule;
        const char *limit;
    } inner[] = {
        [1] = { &rule_tmap_tiled_swz_inner32, "at most 32 bytes of elements with SWIZZLE_32B" },
        [2] = { &rule_tmap_tiled_swz_inner64, "at most 64 bytes of elements with SWIZZLE_64B" },
        [4] = { &rule_tmap_tiled_swz_inner128, "at most 128 bytes of elements with the 128B swizzles" },
    };
    unsigned per;
    const size_t size = tensor_type_bytes(m->type, &per);
    const unsigned span = tensor_swizzle_span(m->swizzle);

    for (int i = 0; i < rank; i++) {
        if (m->box[i] == 0)
            broken(r, &rule_tmap_tiled_box_zero, box_names[i], 0, i ? 1 : legal_inner_box(m), "not 0");
        if (m->box[i] > BOX_MAX)
            broken(r, &rule_tmap_tiled_box_max, box_names[i], m->box[i], i ? BOX_MAX : legal_inner_box(m),
                   "at most 256");
    }
    if (aligned16b(m->type) && m->box[0] != PACKED_BOX)
        broken(r, &rule_tmap_tiled_box_packed128, box_names[0], m->box[0], legal_inner_box(m),
               "128 for 16U4_ALIGN16B and 16U6_ALIGN16B");
    if (size && !aligned16b(m->type)) { /* those are bound by the 128 above */
        const bool plain = m->interleave == TENSOR_INTERLEAVE_NONE;
        const uint64_t unit = 16 * per / size; /* elements in 16 bytes */

        if (m->box[0] % unit)
            broken(r, plain ? &rule_tmap_tiled_box_inner16 : &rule_tmap_tiled_seen_inner16_interleave, box_names[0],
                   m->box[0], legal_inner_box(m), "a multiple of 16 bytes of elements");
    }
    if (m->interleave == TENSOR_INTERLEAVE_NONE && span && size && inner_bytes(m->type, m->box[0]) > span)
        broken(r, inner[span / 32].rule, box_names[0], m->box[0], legal_inner_box(m), inner[span / 32].limit);
    check_box_bytes(r, m, rank);
}

static void check_element_strides(struct report *r, const struct tensor_map *m, int rank)
{
    for (int i = 0; i < rank; i++) {
        const uint32_t e = m->element_strides[i];
        const bool ignored = i == 0 && m->interleave == TENSOR_INTERLEAVE_NONE;

        if (e == 0)
            broken(r, ignored ? &rule_tmap_tiled_seen_estride0 : &rule_tmap_tiled_estride_zero, element_stride_names[i],
                   e, 1, "not 0");
        if (e > ELEMENT_STRIDE_MAX)
            broken(r, ignored ? &rule_tmap_tiled_seen_estride0 : &rule_tmap_tiled_estride_max, element_stride_names[i],
                   e, ELEMENT_STRIDE_MAX, "at most 8");
    }
}

/* What im2col has in place of a box. */
static void check_im2col(struct report *r, const struct tensor_map *m, int rank)
{
    static const char *const lower[] = EACH("pixelBoxLowerCorner"), *const upper[] = EACH("pixelBoxUpperCorner");
    const int64_t limit = rank == 3 ? 1 << 15 : rank == 4 ? 1 << 7 : 1 << 4;
    const unsigned span = tensor_swizzle_span(m->swizzle);
    const uint64_t row = inner_bytes(m->type, m->channels);
    unsigned per;
    const size_t size = tensor_type_bytes(m->type, &per);

    const uint64_t unit = size && 16 * per / size <= BOX_MAX ? 16 * per / size : 1;
    const bool bound = m->interleave == TENSOR_INTERLEAVE_NONE && span && size;
    const uint64_t channels =
        multiple_within(m->channels, unit, unit, bound && span * per / size < BOX_MAX ? span * per / size : BOX_MAX);

    if (m->rank >= 1 && m->rank < 3)
        broken(r, &rule_tmap_im2col_rank, "tensorRank", (uint64_t)m->rank, 3, "3 to 5 in im2col mode");
    for (int i = 0; i + 2 < rank; i++) {
        const struct {
            const char *name;
            int64_t value;
        } corners[] = { { lower[i], m->lower[i] }, { upper[i], m->upper[i] } };
        for (int k = 0; k < 2; k++)
            if (corners[k].value < -limit || corners[k].value >= limit)
                broken(r, &rule_tmap_im2col_corners, corners[k].name, (uint64_t)corners[k].value,
                       clamp(corners[k].value, -limit, limit - 1),
                       rank == 3   ? "-32768 to 32767 at rank 3"
                       : rank == 4 ? "-128 to 127 at rank 4"
                                   : "-16 to 15 at rank 5");
        if (m->dims[i + 1] <= dim_max && m->lower[i] > (int64_t)m->dims[i + 1] - 1 + m->upper[i])
            broken(r, &rule_tmap_im2col_area, upper[i], (uint64_t)(int64_t)m->upper[i],
                   (uint64_t)(m->lower[i] + 1 - (int64_t)m->dims[i + 1]), "no further in than the lower corner");
    }
    if (!m->channels || m->channels > BOX_MAX)
        broken(r, &rule_tmap_im2col_channels, "channelsPerPixel", m->channels, channels, "1 to 256");
    else if (row % 16)
        broken(r, &rule_tmap_im2col_channels16, "channelsPerPixel", m->channels, channels,
               "a multiple of 16 bytes of elements");
    if (!m->pixels || m->pixels > PIXELS_MAX)
        broken(r, &rule_tmap_im2col_pixels, "pixelsPerColumn", m->pixels, clamp(m->pixels, 1, PIXELS_MAX), "1 to 1024");
    if (m->interleave == TENSOR_INTERLEAVE_NONE && span && row > span)
        broken(r, &rule_tmap_im2col_swizzle, "channelsPerPixel", m->channels, channels,
               "at most the swizzle's span of bytes");
}

static struct report check(const struct tensor_map *map, struct tensor_map_fault *faults, size_t max)
{
    struct report r = { .faults = faults, .max = faults ? max : 0 };
    const int rank = (int)clamp(map->rank, 0, TENSOR_RANK_MAX);

    check_enumerators(&r, map);
    check_architecture(&r, map);
    check_pairs(&r, map);
    check_address(&r, map);
    if (rank) {
        check_dims(&r, map, rank);
        check_strides(&r, map, rank);
        (map->mode == TENSOR_MODE_IM2COL ? check_im2col : check_box)(&r, map, rank);
        check_element_strides(&r, map, rank);
    }
    return r;
}

size_t tensor_map_check(const struct tensor_map *map, struct tensor_map_fault *faults, size_t max)
{
    return check(map, faults, max).count;
}

bool tensor_map_accepted(const struct tensor_map *map)
{
    return check(map, NULL, 0).refused == 0;
}
// SPDX-License-Identifier: Apache-2.0
