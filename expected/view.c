/* Tile-space loads and stores, element by element. */
#include "expected/view.h"

#include <string.h>

#include "expected/oracle.h"

enum { TILE_MAX = 1 << 24 }; /* elements of a tile, and bytes */

static const struct {
    const char *name;
    size_t bytes;
    bool is_float, has_infinity;
    uint64_t infinity, nan;
} types[VIEW_TYPE_COUNT] = {
    [VIEW_U8] = { "u8", 1 },
    [VIEW_S8] = { "s8", 1 },
    [VIEW_U16] = { "u16", 2 },
    [VIEW_S16] = { "s16", 2 },
    [VIEW_U32] = { "u32", 4 },
    [VIEW_S32] = { "s32", 4 },
    [VIEW_U64] = { "u64", 8 },
    [VIEW_S64] = { "s64", 8 },
    [VIEW_F16] = { "f16", 2, true, true, 0x7C00, 0x7E00 },
    [VIEW_BF16] = { "bf16", 2, true, true, 0x7F80, 0x7FC0 },
    [VIEW_F32] = { "f32", 4, true, true, 0x7F800000, 0x7FC00000 },
    [VIEW_F64] = { "f64", 8, true, true, 0x7FF0000000000000, 0x7FF8000000000000 },
    [VIEW_E4M3] = { "e4m3", 1, true, false, 0, 0x7F },
    [VIEW_E5M2] = { "e5m2", 1, true, true, 0x7C, 0x7E },
};

static const char *const paddings[VIEW_PADDING_COUNT] = {
    [VIEW_ZERO] = "zero", [VIEW_NEGATIVE_ZERO] = "-zero", [VIEW_POSITIVE_INF] = "inf", [VIEW_NEGATIVE_INF] = "-inf",
    [VIEW_NAN] = "nan",   [VIEW_UNMASKED] = "none",
};

const char *view_type_name(enum view_type type)
{
    return types[type].name;
}

const char *view_padding_name(enum view_padding padding)
{
    return paddings[padding];
}

int view_type_find(const char *name)
{
    for (int i = 0; i < VIEW_TYPE_COUNT; i++)
        if (!strcmp(types[i].name, name))
            return i;
    return -1;
}

int view_padding_find(const char *name)
{
    for (int i = 0; i < VIEW_PADDING_COUNT; i++)
        if (!strcmp(paddings[i], name))
            return i;
    return -1;
}

size_t view_type_bytes(enum view_type type)
{
    return types[type].bytes;
}

uint64_t view_padding_bits(enum view_type type, enum view_padding padding)
{
    const uint64_t sign = UINT64_C(1) << (types[type].bytes * 8 - 1);

    switch (padding) {
    case VIEW_NEGATIVE_ZERO: return sign;
    case VIEW_POSITIVE_INF: return types[type].infinity;
    case VIEW_NEGATIVE_INF: return types[type].infinity | sign;
    case VIEW_NAN: return types[type].nan;
    default: return 0;
    }
}

bool view_is_nan(enum view_type type, uint64_t bits)
{
    const uint64_t sign = UINT64_C(1) << (types[type].bytes * 8 - 1);

    /* e4m3 has no infinity, and one NaN of each sign */
    return types[type].has_infinity ? (bits & ~sign) > types[type].infinity
                                    : types[type].is_float && (bits & ~sign) == types[type].nan;
}

/* ---- what the compiler refuses ---------------------------------------------------------------------------------- */

static enum view_answer say(enum view_answer answer, struct view_reason *why, const char *rule, const char *text)
{
    why->rule = rule;
    why->text = text;
    return answer;
}

static enum view_answer refuse(struct view_reason *why, const char *rule, const char *text)
{
    return say(VIEW_REFUSED, why, rule, text);
}

static enum view_answer check_ranks(const struct view_access *v, struct view_reason *why)
{
    const int rank = v->extents.count;

    if (v->strides.count != rank)
        return refuse(why, "tile.span.layout-strided", "there must be a stride for each dimension of the array");
    if (v->tile.count != rank)
        return refuse(why, "tile.view.rank-match", "the tile and the array must have one rank");
    if (!rank)
        return refuse(why, "tile.view.rank-match", "a view has at least one dimension");
    if (v->index.count != rank)
        return refuse(why, "tile.load.index-count", "there must be an index for each dimension");
    if (v->steps.count && v->steps.count != rank)
        return refuse(why, "tile.strided.positive", "there must be a step for each dimension");
    for (int i = 0; i < v->steps.count; i++)
        if (v->steps.of[i] <= 0)
            return refuse(why, "tile.strided.positive", "steps must be positive");
    return VIEW_DEFINED;
}

static enum view_answer check_shape(const struct view_access *v, struct view_reason *why)
{
    int64_t elements = 1;

    for (int i = 0; i < v->tile.count; i++) {
        const int64_t n = v->tile.of[i];
        if (n <= 0 || (n & (n - 1)))
            return refuse(why, "tile.shape.pow2", "each dimension of the tile must be a power of two");
        if (n > TILE_MAX || (elements *= n) > TILE_MAX)
            return refuse(why, "tile.shape.count-max", "a tile has at most 2^24 elements");
    }
    if (elements * (int64_t)types[v->type].bytes > TILE_MAX)
        return refuse(why, "tile.shape.count-max", "a tile has at most 2^24 bytes");
    return VIEW_DEFINED;
}

static enum view_answer check_padding(const struct view_access *v, struct view_reason *why)
{
    if (v->padding == VIEW_ZERO || v->padding == VIEW_UNMASKED)
        return VIEW_DEFINED;
    if (!types[v->type].is_float)
        return refuse(why, "tile.oob.padding-float-only", "integers are padded with zero only");
    if ((v->padding == VIEW_POSITIVE_INF || v->padding == VIEW_NEGATIVE_INF) && !types[v->type].has_infinity)
        return refuse(why, "tile.oob.padding-e4m3", "the type has no infinity");
    return VIEW_DEFINED;
}

/* ---- what the documents leave undefined -------------------------------------------------------------------------- */

static int64_t step_of(const struct view_access *v, int i)
{
    return v->steps.count ? v->steps.of[i] : v->tile.of[i];
}

int64_t view_tiles(const struct view_access *v, int i)
{
    return v->extents.of[i] <= 0 ? 0 : (v->extents.of[i] - 1) / step_of(v, i) + 1;
}

size_t view_elements(const struct view_access *v)
{
    size_t n = 1;

    for (int i = 0; i < v->tile.count; i++)
        n *= (size_t)v->tile.of[i];
    return n;
}

/* The tile's first element in a dimension in which the index is one of the tile space. */
static int64_t start_of(const struct view_access *v, int i)
{
    return v->index.of[i] * step_of(v, i);
}

static enum view_answer check_place(const struct view_access *v, struct view_reason *why)
{
    bool whole = true, above = false;
    int64_t last = 0, part;

    for (int i = 0; i < v->extents.count; i++)
        if (v->index.of[i] < 0)
            return say(VIEW_UNDEFINED, why, "tile.oob.no-low-side", "an index must not be negative");
    for (int i = 0; i < v->extents.count; i++)
        if (v->index.of[i] >= view_tiles(v, i))
            return say(VIEW_UNDEFINED, why, "tile.oob.all-outside-load", "the tile lies wholly outside the array");
    for (int i = 0; i < v->extents.count; i++) {
        const int64_t left = v->extents.of[i] - start_of(v, i), here = left < v->tile.of[i] ? left : v->tile.of[i];
        if (v->strides.of[i] < 0)
            return say(VIEW_UNDEFINED, why, "tile.span.negative-stride",
                       "a negative stride is read as a large number without a sign");
        above |= __builtin_mul_overflow(v->strides.of[i], start_of(v, i) + here - 1, &part) ||
                 __builtin_add_overflow(last, part, &last);
        whole &= here == v->tile.of[i];
    }
    if (above)
        return say(VIEW_UNDEFINED, why, "tile.view.offset-overflow", "an element's offset is above 2^63-1");
    if (!whole && v->padding == VIEW_UNMASKED)
        return say(VIEW_UNDEFINED, why, "tile.oob.unmasked-load-ub",
                   "an access without mask must not reach over the end of the array");
    return VIEW_DEFINED;
}

enum view_answer view_check(const struct view_access *v, struct view_reason *why)
{
    static enum view_answer (*const checks[])(
        const struct view_access *, struct view_reason *) = { check_ranks, check_shape, check_padding, check_place };

    *why = (struct view_reason){ NULL, NULL };
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        const enum view_answer answer = checks[i](v, why);
        if (answer != VIEW_DEFINED)
            return answer;
    }
    return VIEW_DEFINED;
}

/* ---- elements ---------------------------------------------------------------------------------------------------- */

void view_each(const struct view_access *v, view_element_fn *visit, void *context)
{
    const int inner = v->tile.count - 1;
    const size_t width = (size_t)v->tile.of[inner], rows = view_elements(v) / width;
    struct view_element e = { .number = 0 };

    for (size_t row = 0; row < rows; row++) {
        uint64_t base = 0;
        bool inside = true;
        size_t rest = row;
        for (int i = inner - 1; i >= 0; i--) {
            e.at[i] = (int64_t)((uint64_t)start_of(v, i) + rest % (uint64_t)v->tile.of[i]);
            rest /= (size_t)v->tile.of[i];
            inside &= (uint64_t)e.at[i] < (uint64_t)v->extents.of[i];
            base += (uint64_t)e.at[i] * (uint64_t)v->strides.of[i];
        }
        for (size_t c = 0; c < width; c++, e.number++) {
            e.at[inner] = (int64_t)((uint64_t)start_of(v, inner) + c);
            e.inside = inside && (uint64_t)e.at[inner] < (uint64_t)v->extents.of[inner];
            e.offset = (int64_t)(base + (uint64_t)e.at[inner] * (uint64_t)v->strides.of[inner]);
            visit(context, &e);
        }
    }
}

struct seen {
    const struct view_access *v;
    int64_t offset;
    unsigned times;
};

static void count_offset(void *context, const struct view_element *e)
{
    struct seen *s = context;

    s->times += e->inside && e->offset == s->offset;
}

static void look_for_twin(void *context, const struct view_element *e)
{
    struct seen *s = context, one = { s->v, e->offset, 0 };

    if (!e->inside || s->times > 1)
        return;
    view_each(s->v, count_offset, &one);
    s->times = one.times;
}

bool view_overlaps(const struct view_access *v)
{
    struct seen s = { v, 0, 0 };

    view_each(v, look_for_twin, &s);
    return s.times > 1;
}

struct copy {
    const struct view_access *v;
    const unsigned char *from;
    unsigned char *to;
    uint64_t padding;
    size_t size;
};

/* The bits are the low bytes of a number, the lowest first. */
static void put_bits(unsigned char *to, uint64_t bits, size_t size)
{
    for (size_t i = 0; i < size; i++)
        to[i] = (unsigned char)(bits >> 8 * i);
}

static void load_element(void *context, const struct view_element *e)
{
    const struct copy *c = context;

    if (e->inside)
        memcpy(c->to + e->number * c->size, c->from + (size_t)e->offset * c->size, c->size);
    else
        put_bits(c->to + e->number * c->size, c->padding, c->size);
}

void view_load(const struct view_access *v, const unsigned char *array, unsigned char *tile)
{
    struct copy c = { v, array, tile, view_padding_bits(v->type, v->padding), types[v->type].bytes };

    view_each(v, load_element, &c);
}

static void store_element(void *context, const struct view_element *e)
{
    const struct copy *c = context;

    if (e->inside)
        memcpy(c->to + (size_t)e->offset * c->size, c->from + e->number * c->size, c->size);
}

void view_store(const struct view_access *v, unsigned char *array, const unsigned char *tile)
{
    struct copy c = { v, tile, array, 0, types[v->type].bytes };

    view_each(v, store_element, &c);
}

/* ---- the tensor copy that does the same -------------------------------------------------------------------------- */

/* Tensor maps have no type of 8-bit floats and no signed one of 8 or 16 bits: bytes are copied. */
static int64_t map_type(const struct view_access *v)
{
    static const int64_t floats[VIEW_TYPE_COUNT] = {
        [VIEW_F16] = TENSOR_F16, [VIEW_BF16] = TENSOR_BF16, [VIEW_F32] = TENSOR_F32, [VIEW_F64] = TENSOR_F64
    };
    static const int64_t unsigned_of[] = { [1] = TENSOR_U8, [2] = TENSOR_U16, [4] = TENSOR_U32, [8] = TENSOR_U64 };

    return floats[v->type] ? floats[v->type] : unsigned_of[types[v->type].bytes];
}

bool view_lower(const struct view_access *v, struct tensor_map *map, int32_t corner[TENSOR_CORNER])
{
    const int rank = v->extents.count;
    const bool nan = v->padding == VIEW_NAN;
    struct view_reason why;

    if (view_check(v, &why) != VIEW_DEFINED || rank > TENSOR_RANK_MAX || v->strides.of[rank - 1] != 1)
        return false;
    if (v->padding != VIEW_ZERO && v->padding != VIEW_UNMASKED && !(nan && types[v->type].bytes > 1))
        return false;
    *map = tensor_map_default(map_type(v), rank);
    map->fill = nan ? TENSOR_FILL_NAN : TENSOR_FILL_NONE;
    memset(corner, 0, TENSOR_CORNER * sizeof *corner);
    for (int k = 0; k < rank; k++) { /* a map counts dimensions from the fastest on */
        const int i = rank - 1 - k;
        const int64_t start = start_of(v, i);
        if (v->tile.of[i] > UINT32_MAX || start > INT32_MAX || v->strides.of[i] <= 0)
            return false;
        map->dims[k] = (uint64_t)v->extents.of[i];
        map->box[k] = (uint32_t)v->tile.of[i];
        corner[k] = (int32_t)start;
        if (k)
            map->strides[k - 1] = (uint64_t)v->strides.of[i] * types[v->type].bytes;
    }
    return !((uint64_t)corner[0] * types[v->type].bytes % 16) && tensor_map_accepted(map);
}
// SPDX-License-Identifier: Apache-2.0
