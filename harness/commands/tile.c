/* copycheck tile: what a tile load leaves in shared memory. */
#include "harness/commands/cmd.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "expected/oracle.h"
#include "expected/random.h"
#include "harness/base/hash.h"
#include "harness/base/number.h"
#include "harness/maps/maps.h"

enum {
    IMAGE = 49152,
    POISON = 0xEE,
    REGION = 1 << 20,
    SLOT = 16,
    LINE = 128,
    SLOTS = LINE / SLOT,
    SHARED_MAX = 227 * 1024
};

static void help(void)
{
    fputs(
        "usage: copycheck tile OPTION... [--at C,C,...] [--offset BYTES] [--lines N]   draws one tile load\n"
        "       copycheck tile --batch [FILE]                                      a digest for each line\n"
        "\n"
        "Draws which element lies in each 16-byte slot of shared memory after a tile load. --at gives the coordinates of\n"
        "its first element, fastest dimension first (default 0,0,...). Options of the map, also as words (dims[1]=7):\n",
        stdout);
    fputs(map_args_help, stdout);
    fputs(
        "\n"
        "--batch reads the columns of copycheck encode --batch and two more, coordinates and shared offset; the\n"
        "address is an offset into a region of 1 MiB whose byte g is the top byte of g * 0x9E3779B97F4A7C15. For\n"
        "each line it prints the 64-bit FNV-1a digest of a 49,152-byte image of shared memory, 1024-byte aligned,\n"
        "that held 0xEE before the load; or `refuse` if the map is illegal; or `fault`, a tab and the reason, if the\n"
        "coordinates or the shared offset end the kernel.\n",
        stdout);
}

/* ---- digests ---------------------------------------------------------------------------------------------------- */

struct extent {
    bool any;
    uint64_t low, high; /* bytes of global memory that are read: [low, high) */
};

static void extend(void *context, const struct tensor_element *e)
{
    struct extent *x = context;

    if (!e->inside)
        return;
    if (!x->any || e->global < x->low)
        x->low = e->global;
    if (!x->any || e->global + e->size > x->high)
        x->high = e->global + e->size;
    x->any = true;
}

/* What an H200 answers with a fault instead of bytes: NULL for a legal load. */
static const char *fault_of(const struct tensor_map *map, const struct tile_at *at)
{
    const int64_t first = at->corner[0] * (int64_t)tensor_type_bytes(map->type, NULL);

    if (map->interleave == TENSOR_INTERLEAVE_NONE && first % SLOT != 0)
        return "illegal instruction: coordinate 0 is no multiple of 16 bytes";
    if (at->offset % LINE)
        return "misaligned address: the shared address is no multiple of 128";
    return NULL;
}

/* Whether the tile fits the image and stays in the region; if not, says why. */
static bool tile_fits(const struct tensor_map *map, const struct tile_at *at, char *error, size_t error_size)
{
    struct extent x = { 0 };

    if (tensor_tile_span(map) > IMAGE || at->offset > IMAGE - tensor_tile_span(map)) {
        snprintf(error, error_size, "shared offset: the tile of %zu bytes at %" PRIu64 " leaves the image of %d bytes",
                 tensor_tile_span(map), at->offset, IMAGE);
        return false;
    }
    tensor_tile_each(map, at->corner, extend, &x);
    if (x.any && (x.low >= REGION || x.high > REGION)) {
        snprintf(error, error_size, "address: the tile reads up to byte %" PRIu64 " of a region of %d", x.high, REGION);
        return false;
    }
    return true;
}

struct memory {
    unsigned char region[REGION], image[IMAGE]; /* global and shared memory */
};

static int digest_line(void *context, const struct map_line *l)
{
    struct memory *m = context;
    char error[200];

    if (!tensor_map_accepted(&l->map)) {
        puts("refuse");
    } else if (fault_of(&l->map, &l->at)) {
        printf("fault\t%s\n", fault_of(&l->map, &l->at));
    } else if (!tile_fits(&l->map, &l->at, error, sizeof error)) {
        return ck_bad("%s:%lu: %s", l->name, l->number, error);
    } else {
        memset(m->image, POISON, sizeof m->image);
        oracle_tile_load(&l->map, m->region, l->at.corner, m->image, l->at.offset);
        printf("%016" PRIx64 "\n", fnv1a(FNV1A_BASIS, m->image, sizeof m->image));
    }
    return 0;
}

static int batch(const char *path)
{
    static struct memory memory;
    int status;

    for (uint64_t g = 0; g < REGION; g++)
        memory.region[g] = (unsigned char)((g * SPLITMIX64_STEP) >> 56);
    status = map_lines_each(path, true, digest_line, &memory);
    return status ? status : cmd_end(0);
}

/* ---- the picture ------------------------------------------------------------------------------------------------ */

/* What lies in one slot. */
struct slot {
    unsigned elements, filled;
    int64_t at[TENSOR_RANK_MAX]; /* of the element at its lowest byte */
    uint64_t lowest;
};

struct picture {
    const struct tensor_map *map;
    struct slot *slots;
    uint64_t first; /* byte address of the first slot */
    uint64_t shared;
};

static void place(void *context, const struct tensor_element *e)
{
    struct picture *p = context;
    const uint64_t byte = tensor_swizzle(p->map->swizzle, p->shared + e->linear);
    struct slot *s = &p->slots[(byte - p->first) / SLOT];

    if (!s->elements || byte < s->lowest) {
        s->lowest = byte;
        memcpy(s->at, e->at, sizeof s->at);
    }
    s->elements++;
    s->filled += !e->inside;
}

/* "3,0,1", or what the slot holds of the fill. */
static void slot_text(const struct tensor_map *map, const struct slot *s, char *text, size_t size)
{
    int n = 0;

    if (!s->elements) {
        snprintf(text, size, ".");
        return;
    }
    if (s->filled == s->elements) {
        snprintf(text, size, "%s", map->fill == TENSOR_FILL_NAN ? "nan" : "zero");
        return;
    }
    for (int i = 0; i < map->rank && n < (int)size; i++)
        n += snprintf(text + n, size - (size_t)n, i ? ",%" PRId64 : "%" PRId64, s->at[i]);
    if (s->filled && n < (int)size)
        snprintf(text + n, size - (size_t)n, " %u%s", s->filled, map->fill == TENSOR_FILL_NAN ? "n" : "z");
}

/* A colour by the row of the tensor that a slot came from, so that a swizzle's pattern meets the eye. */
static const char *slot_colour(const struct tensor_map *map, const struct slot *s)
{
    static const char *const rows[] = { "\033[31m", "\033[32m", "\033[33m", "\033[34m", "\033[35m", "\033[36m" };
    int64_t row = 0;

    if (!s->elements)
        return "\033[90m";
    if (s->filled == s->elements)
        return "\033[7m";
    for (int i = 1; i < map->rank; i++)
        row += s->at[i];
    return rows[(row % 6 + 6) % 6];
}

static void print_lines(const struct picture *p, size_t lines, bool colour)
{
    size_t width = 4;
    char text[160];

    for (size_t i = 0; i < lines * SLOTS; i++) {
        slot_text(p->map, &p->slots[i], text, sizeof text);
        width = strlen(text) > width ? strlen(text) : width;
    }
    printf("%8s", "address");
    for (int i = 0; i < SLOTS; i++)
        printf("  %*s+%x0", (int)width - 3, "", i);
    putchar('\n');
    for (size_t l = 0; l < lines; l++) {
        printf("%#8" PRIx64, p->first + l * LINE);
        for (size_t i = l * SLOTS; i < (l + 1) * SLOTS; i++) {
            slot_text(p->map, &p->slots[i], text, sizeof text);
            printf("  %s%*s%s", colour ? slot_colour(p->map, &p->slots[i]) : "", (int)width, text,
                   colour ? "\033[0m" : "");
        }
        putchar('\n');
    }
}

static int draw(const struct tensor_map *map, const struct tile_at *at, uint64_t max_lines)
{
    const uint64_t period = tensor_swizzle_period(map->swizzle) < LINE ? LINE : tensor_swizzle_period(map->swizzle);
    const uint64_t first = at->offset / LINE * LINE, end = at->offset + tensor_tile_span(map);
    const size_t slots = (size_t)((end - first + period - 1) / period * period / SLOT + SLOTS);
    size_t lines = (size_t)((end - first + LINE - 1) / LINE), shown;
    struct picture p = { .map = map, .first = first, .shared = at->offset };
    const bool colour = isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
    unsigned per;
    const size_t size = tensor_type_bytes(map->type, &per);

    p.slots = calloc(slots, sizeof *p.slots);
    if (!p.slots)
        return ck_bad("no memory for a picture of %zu slots", slots);
    tensor_tile_each(map, at->corner, place, &p);
    while (lines * SLOTS < slots && (p.slots[lines * SLOTS].elements || p.slots[lines * SLOTS + 1].elements))
        lines++;
    shown = lines < max_lines ? lines : (size_t)max_lines;
    printf("A load of %zu bytes to shared address %#" PRIx64
           ", swizzle %s. Each slot of 16 bytes names the coordinates\n"
           "of its first element (%zu bytes each%s), `%s` for fill, `.` for bytes that are not written; `2%c` counts\n"
           "filled elements of a slot.\n\n",
           tensor_tile_bytes(map), at->offset, tensor_swizzle_name(map->swizzle), size, per > 1 ? " 16 of them" : "",
           map->fill == TENSOR_FILL_NAN ? "nan" : "zero", map->fill == TENSOR_FILL_NAN ? 'n' : 'z');
    print_lines(&p, shown, colour);
    if (shown < lines)
        printf("%8s  %zu more lines: --lines %zu\n", "", lines - shown, lines);
    free(p.slots);
    return cmd_end(0);
}

/* ---- the command ------------------------------------------------------------------------------------------------ */

static bool coordinates(const char *text, struct tile_at *at, int *count)
{
    *count = 0;
    for (;;) {
        char *end;
        long long value;

        errno = 0;
        value = strtoll(text, &end, 0);
        if (end == text || errno || value < INT32_MIN || value > INT32_MAX || *count == TENSOR_RANK_MAX)
            return false;
        at->corner[(*count)++] = (int32_t)value;
        if (!*end)
            return true;
        if (*end != ',')
            return false;
        text = end + 1;
    }
}

struct options {
    struct map_args call;
    struct tile_at at;
    int coordinates; /* how many --at has */
    uint64_t lines;
    bool batch;
    const char *file;
};

static int read_options(struct options *o, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];
        const char *next = i + 1 < argc ? argv[i + 1] : "";

        if (!strcmp(a, "--help") || !strcmp(a, "-h")) {
            help();
            return cmd_end(0);
        }
        if (!strcmp(a, "--batch")) {
            o->batch = true;
        } else if (!strcmp(a, "--at")) {
            if (!coordinates(next, &o->at, &o->coordinates))
                return ck_bad("tile: --at '%s': not coordinates such as 16,-1", next);
            i++;
        } else if (!strcmp(a, "--offset")) {
            if (!ck_number(next, 0, SHARED_MAX, &o->at.offset))
                return ck_bad("tile: --offset '%s': not a shared address from 0 to 227 KiB", next);
            i++;
        } else if (!strcmp(a, "--lines")) {
            if (!ck_number(next, 0, UINT64_MAX, &o->lines))
                return ck_bad("tile: --lines '%s': not a number", next);
            i++;
        } else {
            const enum map_args_taken taken = map_args_take(&o->call, argc, argv, &i);
            if (taken == MAP_ARGS_BAD)
                return 2;
            if (taken == MAP_ARGS_TAKEN)
                continue;
            if (!o->batch || o->file || (a[0] == '-' && a[1]))
                return ck_bad("tile: '%s' is no option of it; copycheck tile --help lists them", a);
            o->file = a;
        }
    }
    return -1;
}

int cmd_tile(int argc, char **argv)
{
    struct options o = { .lines = 32 };
    struct tensor_map_fault fault;
    struct tensor_map map;
    const int status = read_options(&o, argc, argv);

    if (status >= 0)
        return status;
    if (o.batch)
        return o.call.any ? ck_bad("tile: options of a single load do not go with --batch") : batch(o.file);
    if (!o.call.any) {
        help();
        return 2;
    }
    if (!map_args_finish(&o.call, &map))
        return 2;
    if (!tensor_map_accepted(&map) && tensor_map_check(&map, &fault, 1))
        return ck_bad("tile: %s must be %s (%s); copycheck encode explains this call", fault.argument, fault.limit,
                      fault.rule->id);
    if (map.mode != TENSOR_MODE_TILED)
        return ck_bad("tile: mode: the tile of a map in tile mode is drawn, no other");
    if (o.coordinates && o.coordinates != map.rank)
        return ck_bad("tile: --at has %d coordinates, the tensor has rank %d", o.coordinates, (int)map.rank);
    if (fault_of(&map, &o.at))
        return ck_bad("tile: an H200 answers this load with a fault: %s", fault_of(&map, &o.at));
    return draw(&map, &o.at, o.lines);
}
// SPDX-License-Identifier: Apache-2.0
