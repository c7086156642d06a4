/* One tile of a small array, and what loads and stores of it leave. */
#include "tests/cuda_tile/access.h"

#include <stdio.h>
#include <string.h>

#include "tests/tensor/box.h"

enum { GUARD = BOX_OFFSET }; /* bytes on both sides of the tile in a copy's image */

/* ---- what is accessed -------------------------------------------------------------------------------------------- */

static void set_shape(struct view_access *v, int rank)
{
    int64_t stride = 1;

    v->extents.count = v->strides.count = v->tile.count = v->index.count = rank;
    for (int i = rank - 1; i >= 0; i--) {
        v->tile.of[i] = i == rank - 1 ? ACCESS_INNER : rank <= 3 && i == rank - 2 ? 4 : 2;
        v->extents.of[i] = 2 * v->tile.of[i];
        v->index.of[i] = 1;
        v->strides.of[i] = stride;
        stride *= v->extents.of[i] + (i == rank - 1 ? 16 : 0);
    }
}

static struct access make_access(struct ck *t, enum view_padding padding)
{
    struct access a = { .copy = ck_is(t, "by", "copy") };

    a.v.type = (enum view_type)view_type_find(ck_word(t, "type"));
    a.v.padding = padding;
    set_shape(&a.v, (int)ck_int(t, "rank"));
    return a;
}

static size_t array_bytes(const struct view_access *v)
{
    return (size_t)(v->strides.of[0] * (v->extents.of[0] + (v->extents.count == 1 ? 16 : 0))) *
           view_type_bytes(v->type);
}

static size_t tile_bytes(const struct access *a)
{
    return view_elements(&a->v) * view_type_bytes(a->v.type) + (a->copy ? 2 * GUARD : 0);
}

static struct access to_load(struct ck *t, enum view_padding padding)
{
    struct access a = make_access(t, padding);

    a.array = ck_input(t, array_bytes(&a.v));
    a.tile = ck_output(t, tile_bytes(&a));
    return a;
}

static struct access to_store(struct ck *t, enum view_padding padding)
{
    struct access a = make_access(t, padding);

    a.array = ck_output(t, array_bytes(&a.v));
    a.tile = ck_input(t, tile_bytes(&a));
    return a;
}

static enum view_padding padding_of(struct ck *t)
{
    return (enum view_padding)view_padding_find(ck_word(t, "padding"));
}

struct access access_to_load(struct ck *t)
{
    return to_load(t, padding_of(t));
}

struct access access_to_store(struct ck *t)
{
    return to_store(t, padding_of(t));
}

struct access access_to_load_zero(struct ck *t)
{
    return to_load(t, VIEW_ZERO);
}

struct access access_to_store_zero(struct ck *t)
{
    return to_store(t, VIEW_ZERO);
}

void access_cut(struct access *a, int dimension, int64_t over)
{
    a->v.extents.of[dimension] -= over;
}

void access_place(struct ck *t, struct access *a, bool load)
{
    const size_t size = view_type_bytes(a->v.type);
    int64_t elements = 1;

    for (int i = 0; i < a->v.extents.count; i++)
        elements += (a->v.extents.of[i] - 1) * (a->v.strides.of[i] + 16) + 16;
    a->array = load ? ck_input(t, (size_t)elements * size) : ck_output(t, (size_t)elements * size);
}

void access_pick(struct access *a, int64_t number)
{
    for (int i = a->v.extents.count - 1; i >= 0; i--) {
        const int64_t tiles = view_tiles(&a->v, i);

        a->v.index.of[i] = number % tiles;
        number /= tiles;
    }
}

/* ---- what must come ---------------------------------------------------------------------------------------------- */

unsigned char *access_loaded(struct ck *t, const struct access *a)
{
    unsigned char *bytes = ck_alloc(t, a->tile.size);

    memset(bytes, CK_POISON, a->tile.size);
    view_load(&a->v, a->array.host, bytes + (a->copy ? GUARD : 0));
    return bytes;
}

unsigned char *access_stored(struct ck *t, const struct access *a)
{
    unsigned char *bytes = ck_alloc(t, a->array.size);

    memset(bytes, CK_POISON, a->array.size);
    view_store(&a->v, bytes, a->tile.host + (a->copy ? GUARD : 0));
    return bytes;
}

struct nans {
    const struct access *a;
    unsigned char *expected;
};

static void take_nan(void *context, const struct view_element *e)
{
    const struct nans *n = context;
    const size_t size = view_type_bytes(n->a->v.type), at = e->number * size + (n->a->copy ? GUARD : 0);
    uint64_t bits = 0;

    for (size_t i = 0; i < size; i++)
        bits |= (uint64_t)n->a->tile.host[at + i] << 8 * i;
    if (!e->inside && view_is_nan(n->a->v.type, bits))
        memcpy(n->expected + at, n->a->tile.host + at, size);
}

void access_take_nans(const struct access *a, unsigned char *expected)
{
    struct nans n = { a, expected };

    view_each(&a->v, take_nan, &n);
}

/* ---- doing ------------------------------------------------------------------------------------------------------- */

enum ck_end access_by(struct ck *t, const struct access *a, const char *kernel)
{
    struct view_args args = { .array = a->array.device, .tile = a->tile.device };

    for (int i = 0; i < a->v.extents.count; i++) {
        args.extents[i] = (int32_t)a->v.extents.of[i];
        args.strides[i] = (int32_t)a->v.strides.of[i];
        args.index[i] = (int32_t)a->v.index.of[i];
    }
    return ck_launch(t, &(struct ck_launch){ .kernel = kernel, .members = true, .args = &args, .size = sizeof args });
}

/* The tensor copy that does the same: its box, and the image with the tile between guards. */
static struct box box_of(const struct access *a)
{
    struct box b = { .tensor = a->array, .image = a->tile, .offset = GUARD, .image_bytes = (uint32_t)a->tile.size };
    struct view_access v = a->v;
    int32_t corner[TENSOR_CORNER];

    if (v.padding == VIEW_UNMASKED)
        v.padding = VIEW_ZERO; /* a tensor copy always looks at the bounds */
    view_lower(&v, &b.map, corner);
    memcpy(b.corner, corner, sizeof b.corner);
    return b;
}

enum ck_end access_load(struct ck *t, const struct access *a)
{
    static const char *const paddings[] = {
        "zero", "negative_zero", "positive_inf", "negative_inf", "nan", "unmasked",
    };
    char kernel[64];

    if (a->copy) {
        const struct box b = box_of(a);
        return box_load(t, &b);
    }
    snprintf(kernel, sizeof kernel, "view_load%d_%s_%s", a->v.extents.count, view_type_name(a->v.type),
             paddings[a->v.padding]);
    return access_by(t, a, kernel);
}

enum ck_end access_store(struct ck *t, const struct access *a)
{
    char kernel[64];

    if (a->copy) {
        const struct box b = box_of(a);
        return box_store(t, &b);
    }
    snprintf(kernel, sizeof kernel, "view_store%d_%s%s", a->v.extents.count, view_type_name(a->v.type),
             a->v.padding == VIEW_UNMASKED ? "_unmasked" : "");
    return access_by(t, a, kernel);
}

/* ---- choices of axes that make sense ----------------------------------------------------------------------------- */

bool access_at(struct ck *t)
{
    return ck_int(t, "at") < 1 << ck_int(t, "rank");
}

bool access_over(struct ck *t)
{
    const int64_t rank = ck_int(t, "rank"), dim = ck_int(t, "dim");
    struct view_access v;

    if (dim >= rank)
        return false;
    set_shape(&v, (int)rank);
    return ck_int(t, "over") < v.tile.of[dim];
}

bool access_over_chunk(struct ck *t)
{
    const enum view_type type = (enum view_type)view_type_find(ck_word(t, "type"));

    return access_over(t) &&
           (ck_int(t, "dim") < ck_int(t, "rank") - 1 || (size_t)ck_int(t, "over") * view_type_bytes(type) % 16 == 0);
}
// SPDX-License-Identifier: Apache-2.0
