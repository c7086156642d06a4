/* One call from named options. */
#include "harness/maps/maps.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "expected/oracle.h"
#include "harness/base/bad.h"

const char map_args_help[] =
    "  --type T             u8 u16 u32 s32 u64 s64 f16 f32 f64 bf16 f32-ftz tf32 tf32-ftz 16u4-align8b\n"
    "                       16u4-align16b 16u6-align16b, or a number (default f32)\n"
    "  --rank N             default: as many as --dims has\n"
    "  --address A          globalAddress (default 0)\n"
    "  --dims D,D,...       globalDim in elements, fastest first\n"
    "  --strides S,S,...    globalStrides in bytes, one less (default: packed, rounded up to 16 bytes)\n"
    "  --box B,B,...        boxDim in elements\n"
    "  --element-strides E,E,...   default 1\n"
    "  --interleave I       none 16B 32B\n"
    "  --swizzle S          none 32B 64B 128B 128B-atom-32B 128B-atom-32B-flip-8B 128B-atom-64B\n"
    "  --l2 L               none 64B 128B 256B\n"
    "  --fill F             zero nan\n"
    "  --mode M             tile im2col im2col-w im2col-w128; im2col maps have these in place of a box:\n"
    "  --channels N  --pixels N   channelsPerPixel, pixelsPerColumn\n"
    "  --lower L,L,...  --upper U,U,...   the corners of the bounding box along W, H, D (default 0)\n"
    "Numbers may be written 0x100, 2^32, 2^40-16; enumerators also as numbers, legal or not.\n";

static const char *const names[] = {
    "type",    "rank", "address", "dims", "strides",  "box",    "element-strides", "interleave",
    "swizzle", "l2",   "fill",    "mode", "channels", "pixels", "lower",           "upper"
};

static bool is_name(const char *text, size_t length)
{
    const char *bracket = memchr(text, '[', length);

    if (bracket)
        length = (size_t)(bracket - text);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && !strncmp(names[i], text, length))
            return true;
    return false;
}

static bool add(struct map_args *args, const char *name, size_t length, const char *value)
{
    const size_t used = strlen(args->words);

    if (strpbrk(value, " \t\n"))
        return ck_wrong("--%.*s '%s': a value has no blanks", (int)length, name, value);
    if ((size_t)snprintf(args->words + used, sizeof args->words - used, "%.*s=%s ", (int)length, name, value) >=
        sizeof args->words - used)
        return ck_wrong("too many options");
    args->any = true;
    return true;
}

enum map_args_taken map_args_take(struct map_args *args, int argc, char **argv, int *i)
{
    const char *arg = argv[*i];
    const bool option = !strncmp(arg, "--", 2);
    const char *name = option ? arg + 2 : arg;
    const char *equals = strchr(name, '=');
    const size_t length = equals ? (size_t)(equals - name) : strlen(name);

    if (!is_name(name, length) || (!option && !equals))
        return MAP_ARGS_OTHER;
    if (!equals) {
        ++*i;
        if (*i == argc) {
            ck_bad("%s needs a value", arg);
            return MAP_ARGS_BAD;
        }
    }
    return add(args, name, length, equals ? equals + 1 : argv[*i]) ? MAP_ARGS_TAKEN : MAP_ARGS_BAD;
}

static bool has(const struct map_args *args, const char *name)
{
    const size_t length = strlen(name);

    for (const char *p = args->words; (p = strstr(p, name)); p++)
        if ((p == args->words || p[-1] == ' ') && (p[length] == '=' || p[length] == '['))
            return true;
    return false;
}

/* Entries of the list dims=..., 0 where it is not given. */
static int dims_given(const struct map_args *args)
{
    const char *p = strstr(args->words, "dims=");
    int n = 0;

    if (!p || (p != args->words && p[-1] != ' '))
        return 0;
    for (n = 1; *p != ' '; p++)
        n += *p == ',' || (*p == 'x' && (p[-1] != '0' || isdigit((unsigned char)p[-2])));
    return n;
}

static void pack_strides(struct tensor_map *map)
{
    const uint64_t unit = map->interleave == TENSOR_INTERLEAVE_32B || map->type == TENSOR_16U4_ALIGN16B ||
                                  map->type == TENSOR_16U6_ALIGN16B
                              ? 32
                              : 16;
    unsigned per;
    const size_t size = tensor_type_bytes(map->type, &per);
    uint64_t stride = (map->dims[0] * size / per + unit - 1) / unit * unit;

    for (int i = 0; i < TENSOR_RANK_MAX - 1; i++) {
        map->strides[i] = stride;
        stride *= map->dims[i + 1];
    }
}

bool map_args_read(const struct map_args *args, struct tensor_map *map, char *error, size_t size)
{
    struct tensor_map first = tensor_map_default(TENSOR_F32, 2);

    if (!tensor_map_set(&first, args->words, error, size))
        return false;
    if (!has(args, "rank") && dims_given(args))
        first.rank = dims_given(args);
    *map = tensor_map_default(first.type, first.rank);
    if (!tensor_map_set(map, args->words, error, size))
        return false;
    map->rank = first.rank;
    if (!has(args, "strides")) {
        pack_strides(map);
    } else if (!strstr(args->words, "strides=")) { /* only single entries are given: they lie over the packed ones */
        pack_strides(map);
        tensor_map_set(map, args->words, error, size);
        map->rank = first.rank;
    }
    return true;
}

bool map_args_finish(const struct map_args *args, struct tensor_map *map)
{
    char error[256];

    return map_args_read(args, map, error, sizeof error) || ck_wrong("%s", error);
}

static void print_list(FILE *to, const char *name, const uint64_t *list64, const uint32_t *list32, int n,
                       const char *unit)
{
    fprintf(to, "  %-15s {", name);
    for (int i = 0; i < n; i++)
        fprintf(to, "%s%" PRIu64, i ? ", " : "", list64 ? list64[i] : list32[i]);
    fprintf(to, "} %s\n", unit);
}

static void print_enum(FILE *to, const char *name, int64_t value, const char *word)
{
    fprintf(to, "  %-15s %" PRId64 " (%s)\n", name, value, word ? word : "no such enumerator");
}

static void print_corner(FILE *to, const char *name, const int32_t *corner, int n)
{
    fprintf(to, "  %-15s {", name);
    for (int i = 0; i < n; i++)
        fprintf(to, "%s%d", i ? ", " : "", (int)corner[i]);
    fputs("} elements along W, H, D\n", to);
}

void map_args_print(FILE *to, const struct tensor_map *m)
{
    const int n = m->rank < 0 ? 0 : m->rank > TENSOR_RANK_MAX ? TENSOR_RANK_MAX : (int)m->rank;

    print_enum(to, "tensorDataType", m->type, tensor_type_name(m->type));
    fprintf(to, "  %-15s %" PRId64 "\n", "tensorRank", m->rank);
    fprintf(to, "  %-15s 0x%" PRIx64 "\n", "globalAddress", m->address);
    print_list(to, "globalDim", m->dims, NULL, n, "elements");
    print_list(to, "globalStrides", m->strides, NULL, n ? n - 1 : 0, "bytes");
    if (m->mode >= TENSOR_MODE_IM2COL) {
        print_corner(to, "pixelBoxLowerCorner", m->lower, n > 2 ? n - 2 : 0);
        print_corner(to, "pixelBoxUpperCorner", m->upper, n > 2 ? n - 2 : 0);
        fprintf(to, "  %-15s %u\n  %-15s %u\n", "channelsPerPixel", m->channels, "pixelsPerColumn", m->pixels);
    } else {
        print_list(to, "boxDim", NULL, m->box, n, "elements");
    }
    print_list(to, "elementStrides", NULL, m->element_strides, n, "");
    print_enum(to, "interleave", m->interleave, tensor_interleave_name(m->interleave));
    print_enum(to, "swizzle", m->swizzle, tensor_swizzle_name(m->swizzle));
    print_enum(to, "l2Promotion", m->l2, tensor_l2_name(m->l2));
    print_enum(to, "oobFill", m->fill, tensor_fill_name(m->fill));
}
// SPDX-License-Identifier: Apache-2.0
