/* Textures and surfaces as arguments. */
#include "harness/check/texture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/bad.h"
#include "harness/base/number.h"
#include "harness/check/value.h"

enum {
    EXTENT_MAX = 131072, /* of a dimension, as on an H200 in one dimension */
    LAYERS_MAX = 2048,
    LINEAR_MAX = 1 << 28, /* texels of linear memory */
    WORD = 80             /* characters of a word */
};

static bool wrong(char *error, size_t size, const char *what, const char *word)
{
    snprintf(error, size, what, word);
    return false;
}

/* u8, s16x2, f32x4 ... */
static bool read_format(const char *word, struct emu_texture *x)
{
    static const char kinds[] = { [EMU_TEXEL_UNSIGNED] = 'u', [EMU_TEXEL_SIGNED] = 's', [EMU_TEXEL_FLOAT] = 'f' };
    const char *kind = *word ? memchr(kinds, *word, sizeof kinds) : NULL;
    char digits[8] = "";
    const char *times = strchr(word, 'x');
    const size_t length = times ? (size_t)(times - word) : strlen(word);
    uint64_t bits, channels = 1;

    if (!kind || length < 2 || length > sizeof digits)
        return false;
    memcpy(digits, word + 1, length - 1);
    if (!ck_number(digits, 8, 32, &bits) || (times && !ck_number(times + 1, 1, 4, &channels)))
        return false;
    x->kind = (uint8_t)(kind - kinds);
    x->bits = (uint8_t)bits;
    x->channels = (uint8_t)channels;
    return (bits == 8 || bits == 16 || bits == 32) && channels != 3 && !(x->kind == EMU_TEXEL_FLOAT && bits == 8);
}

/* W, WxH, WxHxD. */
static bool read_extents(const char *word, struct emu_texture *x)
{
    uint32_t *const extents[] = { &x->width, &x->height, &x->depth };
    char digits[16];
    uint64_t n;

    for (int k = 0; k < 3; k++) {
        const size_t length = strcspn(word, "x");
        if (length >= sizeof digits)
            return false;
        memcpy(digits, word, length);
        digits[length] = 0;
        if (!ck_number(digits, 1, LINEAR_MAX, &n))
            return false;
        *extents[k] = (uint32_t)n;
        if (!word[length])
            return true;
        word += length + 1;
    }
    return false;
}

static bool read_counts(const char *word, struct check_arg *a, bool *known)
{
    struct emu_texture *x = &a->texture;
    uint64_t n = 0;
    bool fine = true;

    *known = true;
    if (!strncmp(word, "layers=", 7))
        fine = ck_number(word + 7, 1, LAYERS_MAX, &n), x->layers = (uint32_t)n;
    else if (!strncmp(word, "levels=", 7))
        fine = ck_number(word + 7, 1, EMU_TEXTURE_LEVELS, &n), x->levels = (uint32_t)n;
    else if (!strncmp(word, "buffer=", 7))
        fine = ck_number(word + 7, 0, CHECK_ARGS - 1, &n), a->buffer = (size_t)n, a->of_buffer = true;
    else if (!strncmp(word, "pitch=", 6))
        fine = check_size_read(word + 6, strlen(word + 6), &x->pitch) && x->pitch && x->pitch <= UINT32_MAX,
        x->memory = true;
    else
        *known = false;
    return fine;
}

/* A word behind the extents; of a surface only those that say how its texels lie. */
static bool read_word(const char *word, struct check_arg *a)
{
    static const char *const modes[] = { [EMU_ADDRESS_WRAP] = "wrap",
                                         [EMU_ADDRESS_CLAMP] = "clamp",
                                         [EMU_ADDRESS_MIRROR] = "mirror",
                                         [EMU_ADDRESS_BORDER] = "border" };
    struct emu_texture *x = &a->texture;
    const struct flag {
        const char *name;
        bool *flag, value, of_surfaces;
    } flags[] = {
        { "cube", &x->cube, true, true },           { "memory", &x->memory, true, false },
        { "unwritten", &a->unwritten, true, true }, { "linear", &x->linear, true, false },
        { "point", &x->linear, false, false },      { "normalized", &x->normalized, true, false },
        { "float", &x->as_float, true, false },     { "levels-linear", &x->linear_levels, true, false },
    };
    bool known;

    const bool counted = read_counts(word, a, &known);
    if (known)
        return counted;
    for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
        if (!strcmp(word, flags[k].name) && (flags[k].of_surfaces || !x->surface)) {
            *flags[k].flag = flags[k].value;
            return true;
        }
    for (uint8_t k = 0; k < sizeof modes / sizeof *modes && !x->surface; k++)
        if (!strcmp(word, modes[k])) {
            x->mode = k;
            return true;
        }
    return false;
}

/* What the words say together; NULL: nothing is wrong. */
static const char *contradiction(const struct check_arg *a)
{
    const struct emu_texture *x = &a->texture;
    const uint64_t row = (uint64_t)emu_texel_bytes(x) * x->width;

    if (!x->memory && (x->width > EXTENT_MAX || x->height > EXTENT_MAX || x->depth > EXTENT_MAX))
        return "no extent of an array is more than 131072";
    if (x->cube && (x->width != x->height || x->depth))
        return "the faces of a cube are squares";
    if (x->depth && x->layers)
        return "layers have one or two dimensions";
    if (x->memory && (x->depth || x->layers || x->cube || x->levels > 1 || x->surface))
        return "linear memory is a texture of one or two dimensions, without layers or levels";
    if (x->pitch && (!x->height || x->pitch < row))
        return "a pitch is that of rows, and no smaller than these";
    if (x->levels > 1 && (x->width | x->height | x->depth) >> (x->levels - 1) == 0)
        return "more levels than halvings of the largest extent";
    if (x->levels > 1 && !x->normalized)
        return "levels are for normalized coordinates";
    if (x->linear && x->kind != EMU_TEXEL_FLOAT && !(x->as_float && x->bits < 32))
        return "integers are not filtered: point, or float with 8 or 16 bits";
    if (a->file && a->of_buffer)
        return "texels come from a buffer or from a file";
    return NULL;
}

bool check_texture_read(const char *text, bool surface, struct check_arg *a, char *error, size_t size)
{
    const char *at = strchr(text, '@'), *what;
    char *copy = strndup(text, at ? (size_t)(at - text) : strlen(text)), *rest = NULL, *word, bad[WORD] = "";
    int read = 0;

    a->kind = CHECK_TEXTURE;
    a->texture = (struct emu_texture){ .surface = surface, .levels = 1, .mode = EMU_ADDRESS_CLAMP };
    a->file = at ? at + 1 : NULL;
    if (!copy)
        return wrong(error, size, "%s", "no memory");
    for (word = strtok_r(copy, ",", &rest); word && !*bad; word = strtok_r(NULL, ",", &rest), read++) {
        if (!(read == 0   ? read_format(word, &a->texture)
              : read == 1 ? read_extents(word, &a->texture)
                          : read_word(word, a)))
            snprintf(bad, sizeof bad, "%s", word);
    }
    free(copy);
    if (*bad)
        return wrong(error, size,
                     read == 1   ? "'%s' is no format: u8x4, s16, f32x2 ..."
                     : read == 2 ? "'%s' is no extent: 64, 64x32 or 64x32x8"
                                 : "'%s': no such word, or no value for it; copycheck check --help lists them",
                     bad);
    if (at && !at[1])
        return wrong(error, size, "%s", "no file after @");
    if (read < 2)
        return wrong(error, size, "%s", "of the form FORMAT,EXTENTS[,WORD...]: u8x4,64x32,linear");
    what = contradiction(a);
    if (what)
        return wrong(error, size, "%s", what);
    a->size = emu_texture_bytes(&a->texture);
    return true;
}

bool check_texture_settle(const struct check_args *args, size_t k)
{
    const struct check_arg *a = &args->args[k], *b = &args->args[a->buffer];

    if (!a->of_buffer)
        return true;
    if (a->buffer >= args->arg_count || a->buffer == k || !check_has_bytes(b))
        return ck_wrong("check: --arg '%.100s': --arg %zu is no buffer (in:, out:, tex: or surf:)", a->spec, a->buffer);
    if (b->size && b->size < a->size)
        return ck_wrong("check: --arg '%.100s': its texels are %llu bytes, --arg %zu has %llu", a->spec,
                        (unsigned long long)a->size, a->buffer, (unsigned long long)b->size);
    return true;
}

bool check_texture_make(const struct check_args *args, size_t k, struct emu *e, const struct ptx_module *m,
                        uint64_t texels, unsigned char *param)
{
    const struct check_arg *a = &args->args[k];
    struct emu_texture x = a->texture;
    uint64_t handle;

    x.at = texels;
    handle = emu_texture(e, &x);
    if (!handle)
        return ck_wrong("no memory");
    if (!a->bind)
        memcpy(param, &handle, sizeof handle);
    else if (!emu_set_variable(e, m, a->bind, &handle, sizeof handle))
        return ck_wrong("check: --bind %.100s: no .texref or .surfref variable of this name", a->bind);
    return true;
}
// SPDX-License-Identifier: Apache-2.0
