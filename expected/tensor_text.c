/* Tensor maps from words: "type=f16 rank=2 dims=64x32 swizzle=128B". */
#include "expected/oracle.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *name, *cuda; /* ours, and what follows CU_TENSOR_MAP_DATA_TYPE_ */
    size_t bytes;            /* of `per` elements in global memory */
    unsigned per;
    bool is_float;
} types[TENSOR_TYPE_COUNT] = {
    [TENSOR_U8] = { "u8", "UINT8", 1, 1, false },
    [TENSOR_U16] = { "u16", "UINT16", 2, 1, false },
    [TENSOR_U32] = { "u32", "UINT32", 4, 1, false },
    [TENSOR_S32] = { "s32", "INT32", 4, 1, false },
    [TENSOR_U64] = { "u64", "UINT64", 8, 1, false },
    [TENSOR_S64] = { "s64", "INT64", 8, 1, false },
    [TENSOR_F16] = { "f16", "FLOAT16", 2, 1, true },
    [TENSOR_F32] = { "f32", "FLOAT32", 4, 1, true },
    [TENSOR_F64] = { "f64", "FLOAT64", 8, 1, true },
    [TENSOR_BF16] = { "bf16", "BFLOAT16", 2, 1, true },
    [TENSOR_F32_FTZ] = { "f32-ftz", "FLOAT32_FTZ", 4, 1, true },
    [TENSOR_TF32] = { "tf32", "TFLOAT32", 4, 1, true },
    [TENSOR_TF32_FTZ] = { "tf32-ftz", "TFLOAT32_FTZ", 4, 1, true },
    [TENSOR_16U4_ALIGN8B] = { "16u4-align8b", "16U4_ALIGN8B", 8, 16, false },
    [TENSOR_16U4_ALIGN16B] = { "16u4-align16b", "16U4_ALIGN16B", 8, 16, false },
    [TENSOR_16U6_ALIGN16B] = { "16u6-align16b", "16U6_ALIGN16B", 12, 16, false },
};

static const char *const interleaves[] = { "none", "16B", "32B" };
static const char *const swizzles[TENSOR_SWIZZLE_COUNT] = { "none",         "32B",           "64B",
                                                            "128B",         "128B-atom-32B", "128B-atom-32B-flip-8B",
                                                            "128B-atom-64B" };
static const char *const l2s[] = { "none", "64B", "128B", "256B" };
static const char *const modes[] = { "tile", "im2col", "im2col-w", "im2col-w128" };
static const char *const fills[] = { "zero", "nan" }; /* also "none", cuda.h's name of zero */

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const char *name_of(const char *const *names, size_t n, int64_t value)
{
    return value >= 0 && (uint64_t)value < n ? names[value] : NULL;
}

const char *tensor_type_name(int64_t type)
{
    return type >= 0 && type < TENSOR_TYPE_COUNT ? types[type].name : NULL;
}

const char *tensor_interleave_name(int64_t interleave)
{
    return name_of(interleaves, COUNT(interleaves), interleave);
}

const char *tensor_swizzle_name(int64_t swizzle)
{
    return name_of(swizzles, COUNT(swizzles), swizzle);
}

const char *tensor_l2_name(int64_t l2)
{
    return name_of(l2s, COUNT(l2s), l2);
}

const char *tensor_fill_name(int64_t fill)
{
    return name_of(fills, COUNT(fills), fill);
}

const char *tensor_mode_call(int64_t mode)
{
    return mode >= TENSOR_MODE_IM2COL_W ? "cuTensorMapEncodeIm2colWide"
           : mode == TENSOR_MODE_IM2COL ? "cuTensorMapEncodeIm2col"
                                        : "cuTensorMapEncodeTiled";
}

bool tensor_type_is_float(int64_t type)
{
    return type >= 0 && type < TENSOR_TYPE_COUNT && types[type].is_float;
}

bool tensor_type_is_packed(int64_t type)
{
    return type >= 0 && type < TENSOR_TYPE_COUNT && types[type].per > 1;
}

size_t tensor_type_bytes(int64_t type, unsigned *per)
{
    const bool known = type >= 0 && type < TENSOR_TYPE_COUNT;

    if (per)
        *per = known ? types[type].per : 1;
    return known ? types[type].bytes : 0;
}

struct tensor_map tensor_map_default(int64_t type, int64_t rank)
{
    /* Rows of 256 bytes, 1 MiB in all at rank 5; a box row of 32 bytes is within every swizzle. */
    struct tensor_map map = {
        .type = type,
        .rank = rank,
        .dims = { 0, 32, 8, 4, 4 },
        .strides = { 256, 8192, 65536, 262144 },
        .box = { 0, 4, 2, 2, 2 },
        .element_strides = { 1, 1, 1, 1, 1 },
        .pixels = 32,
    };
    unsigned per;
    const size_t size = tensor_type_bytes(type, &per);

    map.dims[0] = size ? 256 * per / size : 64;
    map.box[0] = size ? (uint32_t)(32 * per / size) : 16;
    if (type == TENSOR_16U4_ALIGN16B || type == TENSOR_16U6_ALIGN16B) {
        map.dims[0] = 256;
        map.box[0] = 128;
    }
    map.channels = map.box[0];
    return map;
}

struct words {
    char *error;
    size_t error_size;
    const char *word; /* the one being read, for messages */
    int length;
};

static bool bad(const struct words *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool bad(const struct words *w, const char *format, ...)
{
    char why[200];
    va_list args;

    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    if (w->error_size)
        snprintf(w->error, w->error_size, "'%.*s': %s", w->length, w->word, why);
    return false;
}

/* Wide enough for 2^64-1 to be written as such. */
typedef __int128 number_t;

static const number_t number_max = (number_t)1 << 64;

/* TERM is a C number, or BASE^EXPONENT. Moves *p past it. */
static bool read_term(const struct words *w, const char **p, number_t *value)
{
    char *end;

    if (!isdigit((unsigned char)**p))
        return bad(w, "a number is missing at '%.12s'", *p);
    errno = 0;
    *value = strtoull(*p, &end, 0);
    if (errno)
        return bad(w, "a number above 2^64-1");
    *p = end;
    if (**p == '^') {
        const number_t base = *value;
        number_t exponent = 0;

        ++*p;
        if (!read_term(w, p, &exponent))
            return false;
        if (base < 2)
            *value = exponent ? base : 1;
        else
            for (*value = 1; exponent; exponent--)
                if ((*value *= base) > number_max)
                    return bad(w, "a power above 2^64");
    }
    return true;
}

/* TERM{+TERM|-TERM}, or -TERM. A negative number is the argument's two's complement, so that -1 is all ones. */
static bool read_number(const struct words *w, const char **p, uint64_t *value)
{
    number_t sum = 0, term = 0;

    for (bool first = true; first || **p == '+' || **p == '-'; first = false) {
        const bool minus = **p == '-';

        if (!first || minus)
            ++*p;
        if (!read_term(w, p, &term))
            return false;
        sum += minus ? -term : term;
        if (sum > number_max || sum < -number_max)
            return bad(w, "a number beyond 2^64");
    }
    if (sum >= number_max || sum < -(number_max >> 1))
        return bad(w, "a number that 64 bits cannot hold");
    *value = (uint64_t)sum;
    return true;
}

static bool read_enumerator(const struct words *w, const char *text, const char *const *names, size_t n, int64_t *value)
{
    const size_t length = (size_t)(w->word + w->length - text);
    uint64_t number = 0;

    for (size_t i = 0; i < n; i++)
        if (strlen(names[i]) == length && !strncasecmp(names[i], text, length)) {
            *value = (int64_t)i;
            return true;
        }
    if (!isdigit((unsigned char)*text) && *text != '-')
        return bad(w, "no such name");
    if (!read_number(w, &text, &number))
        return false;
    if (text != w->word + w->length)
        return bad(w, "no such name or number");
    *value = (int64_t)number;
    return true;
}

static bool read_type(const struct words *w, const char *text, int64_t *value)
{
    static const char prefix[] = "CU_TENSOR_MAP_DATA_TYPE_";
    const char *names[TENSOR_TYPE_COUNT], *cuda[TENSOR_TYPE_COUNT];
    const char *tail = strncmp(text, prefix, sizeof prefix - 1) ? text : text + sizeof prefix - 1;

    for (int i = 0; i < TENSOR_TYPE_COUNT; i++) {
        names[i] = types[i].name;
        cuda[i] = types[i].cuda;
    }
    /* A CUDA name first: 16U4_ALIGN8B looks like a number. */
    for (int i = 0; i < TENSOR_TYPE_COUNT; i++)
        if ((size_t)(w->word + w->length - tail) == strlen(cuda[i]) && !strncasecmp(cuda[i], tail, strlen(cuda[i]))) {
            *value = i;
            return true;
        }
    return read_enumerator(w, text, names, COUNT(names), value);
}

/* A list N[xN...] or N[,N...] into `count` entries; `index` >= 0 sets that entry alone. */
static bool read_list(const struct words *w, const char *text, long index, size_t count, uint64_t limit, uint64_t *to64,
                      uint32_t *to32)
{
    const char *const end = w->word + w->length;
    size_t i = index < 0 ? 0 : (size_t)index;

    for (;; i++) {
        uint64_t value = 0;

        if (i >= count)
            return bad(w, "more than %zu entries", count);
        if (!read_number(w, &text, &value))
            return false;
        if (value > limit)
            return bad(w, "does not fit the argument's %d bits", to64 ? 64 : 32);
        if (to64)
            to64[i] = value;
        else if (to32)
            to32[i] = (uint32_t)value;
        if (text == end)
            return true;
        if (index >= 0 || (*text != 'x' && *text != ','))
            return bad(w, "not understood at '%.*s'", (int)(end - text), text);
        text++;
    }
}

/* A list of signed numbers, one for each dimension of an image. */
static bool read_corner(const struct words *w, const char *text, long index, int32_t to[])
{
    uint64_t value[TENSOR_SPACE_MAX];

    for (int i = 0; i < TENSOR_SPACE_MAX; i++)
        value[i] = (uint64_t)to[i];
    if (!read_list(w, text, index, TENSOR_SPACE_MAX, UINT64_MAX, value, NULL))
        return false;
    for (int i = 0; i < TENSOR_SPACE_MAX; i++) {
        if ((int64_t)value[i] != (int32_t)value[i])
            return bad(w, "does not fit the argument's 32 bits");
        to[i] = (int32_t)value[i];
    }
    return true;
}

enum member {
    TYPE,
    RANK,
    ADDRESS,
    DIMS,
    STRIDES,
    BOX,
    ELEMENT_STRIDES,
    INTERLEAVE,
    SWIZZLE,
    L2,
    FILL,
    MODE,
    LOWER,
    UPPER,
    CHANNELS,
    PIXELS,
    MEMBERS
};

static const char *const member_names[MEMBERS] = {
    [TYPE] = "type",
    [RANK] = "rank",
    [ADDRESS] = "address",
    [DIMS] = "dims",
    [STRIDES] = "strides",
    [BOX] = "box",
    [L2] = "l2",
    [ELEMENT_STRIDES] = "element-strides",
    [FILL] = "fill",
    [SWIZZLE] = "swizzle",
    [INTERLEAVE] = "interleave",
    [MODE] = "mode",
    [LOWER] = "lower",
    [UPPER] = "upper",
    [CHANNELS] = "channels",
    [PIXELS] = "pixels",
};

static bool read_scalar(const struct words *w, const char *text, uint64_t *value)
{
    if (!read_number(w, &text, value))
        return false;
    return text == w->word + w->length || bad(w, "not understood at '%.*s'", (int)(w->word + w->length - text), text);
}

static bool set_word(struct tensor_map *map, const struct words *w)
{
    const char *const end = w->word + w->length;
    const char *equals = memchr(w->word, '=', (size_t)w->length);
    const char *bracket, *text;
    size_t name;
    long index = -1;
    enum member m;
    uint64_t number = 0;

    if (!equals)
        return bad(w, "not of the form name=value");
    text = equals + 1;
    name = (size_t)(equals - w->word);
    bracket = memchr(w->word, '[', name);
    if (bracket) {
        if (equals - bracket != 3 || bracket[2] != ']' || !isdigit((unsigned char)bracket[1]))
            return bad(w, "an index is one digit in brackets: dims[1]=7");
        name = (size_t)(bracket - w->word);
        index = bracket[1] - '0';
    }
    for (m = TYPE; m < MEMBERS; m++)
        if (strlen(member_names[m]) == name && !strncmp(member_names[m], w->word, name))
            break;
    if (m == MEMBERS)
        return bad(w, "no such argument");
    if (index >= 0 && m != DIMS && m != STRIDES && m != BOX && m != ELEMENT_STRIDES && m != LOWER && m != UPPER)
        return bad(w, "this argument has no index");
    if (text == end)
        return bad(w, "no value");
    switch (m) {
    case TYPE: return read_type(w, text, &map->type);
    case RANK:
        if (!read_scalar(w, text, &number))
            return false;
        map->rank = (int64_t)number;
        return true;
    case ADDRESS: return read_scalar(w, text, &map->address);
    case DIMS: return read_list(w, text, index, TENSOR_RANK_MAX, UINT64_MAX, map->dims, NULL);
    case STRIDES: return read_list(w, text, index, TENSOR_RANK_MAX - 1, UINT64_MAX, map->strides, NULL);
    case BOX: return read_list(w, text, index, TENSOR_RANK_MAX, UINT32_MAX, NULL, map->box);
    case ELEMENT_STRIDES: return read_list(w, text, index, TENSOR_RANK_MAX, UINT32_MAX, NULL, map->element_strides);
    case INTERLEAVE: return read_enumerator(w, text, interleaves, COUNT(interleaves), &map->interleave);
    case SWIZZLE: return read_enumerator(w, text, swizzles, COUNT(swizzles), &map->swizzle);
    case L2: return read_enumerator(w, text, l2s, COUNT(l2s), &map->l2);
    case MODE: return read_enumerator(w, text, modes, COUNT(modes), &map->mode);
    case LOWER: return read_corner(w, text, index, map->lower);
    case UPPER: return read_corner(w, text, index, map->upper);
    case CHANNELS: return read_list(w, text, 0, 1, UINT32_MAX, NULL, &map->channels);
    case PIXELS: return read_list(w, text, 0, 1, UINT32_MAX, NULL, &map->pixels);
    case FILL:
        if (w->length == 9 && !strncmp(text, "none", 4)) {
            map->fill = TENSOR_FILL_NONE;
            return true;
        }
        return read_enumerator(w, text, fills, COUNT(fills), &map->fill);
    case MEMBERS: break;
    }
    return false;
}

bool tensor_map_set(struct tensor_map *map, const char *words, char *error, size_t error_size)
{
    struct words w = { .error = error, .error_size = error_size };

    for (w.word = words + strspn(words, " \t\n"); *w.word; w.word += w.length, w.word += strspn(w.word, " \t\n")) {
        w.length = (int)strcspn(w.word, " \t\n");
        if (!set_word(map, &w))
            return false;
    }
    return true;
}
// SPDX-License-Identifier: Apache-2.0
