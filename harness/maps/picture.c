/* Pictures of rules: permutations, tiles over an edge, groups and phases in time. */
#include "harness/maps/maps.h"

#include <string.h>

#include "expected/oracle.h"
#include "expected/view.h"
#include "harness/maps/svg.h"

/* ---- swizzles ---- */

enum { CHUNK = 16, LINE = 128 };

/* The chunk of its line that lies in this slot, as a character; a pattern is its own inverse. The mark is ' where
 * the 8-byte halves change places. */
static char chunk_at(int64_t mode, uint64_t place, char *mark)
{
    const uint64_t from = tensor_swizzle(mode, place);

    *mark = from & 8 ? '\'' : ' ';
    return (char)('0' + from % LINE / CHUNK);
}

static void swizzle_grid(FILE *to, int64_t mode)
{
    const unsigned period = tensor_swizzle_period(mode);
    const unsigned lines = period > LINE ? period / LINE : 1;
    bool flips = false;

    fprintf(to, "swizzle %s: which 16-byte chunk of a line lies in which slot\n\n   line  |",
            tensor_swizzle_name(mode));
    for (unsigned slot = 0; slot < LINE / CHUNK; slot++)
        fprintf(to, "  @%02x", slot * CHUNK);
    fputs("   bytes into the line\n  -------+----------------------------------------\n", to);
    for (unsigned line = 0; line < lines; line++) {
        fprintf(to, "  @%04x  |", line * LINE);
        for (unsigned slot = 0; slot < LINE / CHUNK; slot++) {
            char mark;
            const char chunk = chunk_at(mode, line * LINE + slot * CHUNK, &mark);
            fprintf(to, "   %c%c", chunk, mark);
            flips |= mark != ' ';
        }
        putc('\n', to);
    }
    fprintf(to, "\nthe pattern repeats every %u bytes of the shared address%s\n", period,
            flips ? "; ' the 8-byte halves of the chunk change places" : "");
}

uint64_t ck_swizzle_pair(char *out, size_t size, int64_t writer, int64_t reader, uint64_t base, uint64_t bytes)
{
    const unsigned a = tensor_swizzle_period(writer), b = tensor_swizzle_period(reader);
    const uint64_t from = base / LINE * LINE, end = base + bytes, period = a > b ? a : b;
    FILE *to = fmemopen(out, size, "w");
    uint64_t wrong = 0;
    char mark;

    for (uint64_t at = base; at < end; at += CHUNK)
        wrong += tensor_swizzle(writer, at) != tensor_swizzle(reader, at);
    if (!to)
        return wrong;
    fprintf(to,
            "16-byte pieces of each line by their places: as written by swizzle %s, as read by %s; * the wrong one\n",
            tensor_swizzle_name(writer), tensor_swizzle_name(reader));
    for (uint64_t line = from; line < end && line < from + period; line += LINE) {
        fprintf(to, "offset %-6llu |", (unsigned long long)line);
        for (uint64_t at = line; at < line + LINE; at += CHUNK) {
            const char chunk = chunk_at(writer, at, &mark);
            fprintf(to, " %c%c", chunk, mark);
        }
        fputs("   |", to);
        for (uint64_t at = line; at < line + LINE; at += CHUNK) {
            const char chunk = chunk_at(reader, at, &mark);
            const bool other = tensor_swizzle(writer, at) != tensor_swizzle(reader, at);
            fprintf(to, " %c%c", chunk, other ? '*' : mark);
        }
        putc('\n', to);
    }
    fclose(to);
    return wrong;
}

/* A tile that begins off the repeat: the address decides, not the place in the tile. */
static void swizzle_base(FILE *to)
{
    static const unsigned bases[] = { 0, 0x80, 0x180, 0x200 };

    fputs("swizzle 128B: the first line of a tile, by where the tile begins\n\n", to);
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
        fprintf(to, "  base @%04x  |", bases[i]);
        for (unsigned slot = 0; slot < LINE / CHUNK; slot++)
            for (unsigned chunk = 0; chunk < LINE / CHUNK; chunk++)
                if (tensor_swizzle(TENSOR_SWIZZLE_128B, bases[i] + chunk * CHUNK) == bases[i] + slot * CHUNK)
                    fprintf(to, "  %u", chunk);
        putc('\n', to);
    }
}

/* ---- tiles ---- */

/* Boxes begin at multiples of 16 bytes: an H200 takes no other coordinate. */
enum { WIDE = 8, HIGH = 5, PITCH = 32, SHARED = 1024 };

/* A small tensor of 32-bit elements; element (x, y) holds 10 y + x + 1. */
struct scene {
    struct tensor_map map;
    _Alignas(uint32_t) unsigned char global[HIGH * PITCH + PITCH];
    _Alignas(uint32_t) unsigned char shared[SHARED];
};

static void set32(unsigned char *to, uint32_t value)
{
    memcpy(to, &value, sizeof value);
}

static uint32_t get32(const unsigned char *from)
{
    uint32_t value;

    memcpy(&value, from, sizeof value);
    return value;
}

static void make_scene(struct scene *s, int64_t type, uint32_t across, uint32_t stride, int64_t fill)
{
    *s = (struct scene){ .map = tensor_map_default(type, 2) };
    s->map.dims[0] = WIDE;
    s->map.dims[1] = HIGH;
    s->map.strides[0] = PITCH;
    s->map.box[0] = across;
    s->map.box[1] = 4;
    s->map.element_strides[1] = stride; /* without interleave the first one is ignored */
    s->map.fill = fill;
    for (uint32_t y = 0; y < HIGH; y++)
        for (uint32_t x = 0; x < WIDE; x++)
            set32(s->global + y * PITCH + x * 4, 10 * y + x + 1);
}

static void print_element(FILE *to, uint32_t value)
{
    if ((value & 0x7F800000) == 0x7F800000 && value & 0x7FFFFF)
        fputs(" NaN", to);
    else
        fprintf(to, " %3u", value);
}

/* The tensor with the box over it, elements of the box in brackets; beside it the tile in shared memory. */
static void draw_load(FILE *to, struct scene *s, int32_t x0, int32_t y0)
{
    const int32_t corner[2] = { x0, y0 };
    const int32_t wide = (int32_t)s->map.box[0], high = (int32_t)s->map.box[1];
    const int32_t step = (int32_t)s->map.element_strides[1], down = (high + step - 1) / step;
    const int32_t left = x0 < 0 ? x0 : 0, top = y0 < 0 ? y0 : 0;
    const int32_t right = x0 + wide > WIDE ? x0 + wide : WIDE, bottom = y0 + high > HIGH ? y0 + high : HIGH;

    oracle_tile_load(&s->map, s->global, corner, s->shared, 0);
    fprintf(to, "tensor %d x %d, box %d x %d at (%d, %d)%s%s\n\n", WIDE, HIGH, wide, high, x0, y0,
            step > 1 ? ", every second row" : "", s->map.fill == TENSOR_FILL_NAN ? ", fill NaN" : "");
    fprintf(to, "  %-*s   shared memory\n", (int)(right - left) * 5, "global memory, . is outside");
    for (int32_t y = top; y < bottom; y++) {
        fputs("  ", to);
        for (int32_t x = left; x < right; x++) {
            const bool inside = x >= 0 && x < WIDE && y >= 0 && y < HIGH;
            const bool taken = x >= x0 && x < x0 + wide && y >= y0 && y < y0 + high && (y - y0) % step == 0;
            char text[16] = ".";

            if (inside)
                snprintf(text, sizeof text, "%u", get32(s->global + (size_t)y * PITCH + (size_t)x * 4));
            fprintf(to, taken ? "[%3s]" : " %3s ", text);
        }
        fputs(y - top < down ? "   " : "", to);
        for (int32_t i = 0; y - top < down && i < wide; i++)
            print_element(to, get32(s->shared + ((size_t)(y - top) * (size_t)wide + (size_t)i) * 4));
        putc('\n', to);
    }
}

/* A tile load: of which elements, and where its box lies. */
struct load {
    int64_t type, fill;
    uint32_t across, stride; /* of the box in elements; of its rows, 2: every second one */
    int32_t x, y;            /* of its first element */
};

static const struct load over_edge = { .type = TENSOR_U32, .across = 8, .stride = 1, .x = 4, .y = 3 };
static const struct load negative = { .type = TENSOR_U32, .across = 8, .stride = 1, .x = -4, .y = -1 };
static const struct load filled_nan = {
    .type = TENSOR_F32, .fill = TENSOR_FILL_NAN, .across = 8, .stride = 1, .x = 4, .y = 3
};
static const struct load strided = { .type = TENSOR_U32, .across = 8, .stride = 2, .x = 0, .y = 1 };
static const struct load inside = { .type = TENSOR_U32, .across = 4, .stride = 1, .x = 4, .y = 1 };

static void draw(FILE *to, const struct load *l)
{
    struct scene s;

    make_scene(&s, l->type, l->across, l->stride, l->fill);
    draw_load(to, &s, l->x, l->y);
}

/* The same as SVG, with a caption. */
static void draw_svg(FILE *to, const struct load *l)
{
    const int32_t corner[2] = { l->x, l->y };
    struct scene s;

    make_scene(&s, l->type, l->across, l->stride, l->fill);
    oracle_tile_load(&s.map, s.global, corner, s.shared, 0);
    fputs("<figure>", to);
    svg_draw_box(to, &(struct svg_box){ .wide = WIDE,
                                        .high = HIGH,
                                        .x = l->x,
                                        .y = l->y,
                                        .across = (int)s.map.box[0],
                                        .down = (int)s.map.box[1],
                                        .step = (int)s.map.element_strides[1],
                                        .tensor = (const uint32_t *)s.global,
                                        .tile = (const uint32_t *)s.shared });
    fprintf(to,
            "<figcaption>A tensor of %d x %d elements, and a box of %u x %u at (%d, %d)%s%s. What a load leaves in "
            "shared memory is on the right.</figcaption></figure>\n",
            WIDE, HIGH, s.map.box[0], s.map.box[1], l->x, l->y, l->stride > 1 ? ", every second row" : "",
            l->fill == TENSOR_FILL_NAN ? ", filled with NaN" : "");
}

static void tile_store(FILE *to)
{
    const int32_t corner[2] = { 4, 3 };
    struct scene s;

    make_scene(&s, TENSOR_U32, 8, 1, TENSOR_FILL_NONE);
    for (uint32_t i = 0; i < 32; i++)
        set32(s.shared + i * 4, 101 + i);
    oracle_tile_store(&s.map, s.global, corner, s.shared, 0);
    fprintf(to, "box 8 x 4 stored at (4, 3) of a tensor %d x %d\n\n  %-32s    global memory after it\n", WIDE, HIGH,
            "shared memory");
    for (uint32_t y = 0; y < HIGH; y++) {
        fputs("  ", to);
        for (uint32_t x = 0; x < 8; x++)
            if (y < 4)
                print_element(to, get32(s.shared + (y * 8 + x) * 4));
            else
                fputs("    ", to);
        fputs("    ", to);
        for (uint32_t x = 0; x < WIDE; x++)
            print_element(to, get32(s.global + y * PITCH + x * 4));
        putc('\n', to);
    }
    fputs("\nwhat lies over the edge is dropped\n", to);
}

/* ---- views of CUDA Tile ---- */

enum { ROWS = 6, COLUMNS = 11, VIEW_HIGH = 4, VIEW_WIDE = 4 };

/* The array with the tile over it, elements of the tile in brackets; beside it the tile that a masked load returns. */
static void view_tile(FILE *to, const struct view_access *v)
{
    uint32_t array[ROWS * COLUMNS], tile[VIEW_HIGH * VIEW_WIDE];
    const int64_t top = v->index.of[0] * (v->steps.count ? v->steps.of[0] : VIEW_HIGH);
    const int64_t left = v->index.of[1] * (v->steps.count ? v->steps.of[1] : VIEW_WIDE);

    for (uint32_t i = 0; i < ROWS * COLUMNS; i++)
        array[i] = i;
    view_load(v, (const unsigned char *)array, (unsigned char *)tile);
    fprintf(to, "\n  %-*s    the tile\n", COLUMNS * 4, "the array, the tile's part in brackets");
    for (int64_t r = 0; r < ROWS; r++) {
        fputs("  ", to);
        for (int64_t c = 0; c < COLUMNS; c++) {
            const bool in = r >= top && r < top + VIEW_HIGH && c >= left && c < left + VIEW_WIDE;
            fprintf(to, in ? "[%2u]" : " %2u ", array[r * COLUMNS + c]);
        }
        for (int c = 0; r < VIEW_HIGH && c < VIEW_WIDE; c++) {
            fputs(c ? "" : "    ", to);
            print_element(to, tile[r * VIEW_WIDE + c]);
        }
        putc('\n', to);
    }
}

static struct view_access view_at(int64_t row, int64_t column)
{
    return (struct view_access){ .type = VIEW_F32,
                                 .extents = { 2, { ROWS, COLUMNS } },
                                 .strides = { 2, { COLUMNS, 1 } },
                                 .tile = { 2, { VIEW_HIGH, VIEW_WIDE } },
                                 .index = { 2, { row, column } } };
}

static void view_over_edge(FILE *to)
{
    struct view_access v = view_at(1, 2);

    fprintf(to, "tile (1, 2) of an array %d x %d in tiles of %d x %d: load_masked pads what lies outside\n", ROWS,
            COLUMNS, VIEW_HIGH, VIEW_WIDE);
    view_tile(to, &v);
}

static void view_nan(FILE *to)
{
    struct view_access v = view_at(1, 2);

    v.padding = VIEW_NAN;
    fprintf(to, "tile (1, 2) of an array %d x %d in tiles of %d x %d, NaN as the padding\n", ROWS, COLUMNS, VIEW_HIGH,
            VIEW_WIDE);
    view_tile(to, &v);
}

static void view_by_steps(FILE *to)
{
    struct view_access v = view_at(1, 2);

    v.steps = (struct view_list){ 2, { 1, 3 } };
    fprintf(to, "tile (1, 2) of a strided view: tiles of %d x %d begin 1 row or 3 columns after each other\n",
            VIEW_HIGH, VIEW_WIDE);
    view_tile(to, &v);
}

/* ---- copies of bytes ---- */

static void source_size(FILE *to)
{
    enum { SIZE = 16 };

    fputs("cp.async of 16 bytes, by source size: s copied from the source, 0 filled with zero\n\n", to);
    for (int size = 0; size <= SIZE; size += 4) {
        fprintf(to, "  src-size %2d   ", size);
        for (int i = 0; i < SIZE; i++)
            putc(i < size ? 's' : '0', to);
        putc('\n', to);
    }
}

static void byte_mask(FILE *to)
{
    const unsigned mask = 0x00F1;

    fprintf(to, "store of 32 bytes with byte mask 0x%04x: bit i stands for byte i of each 16-byte unit\n\n  byte     ",
            mask);
    for (unsigned i = 0; i < 32; i++)
        fprintf(to, "%x", i % 16);
    fputs("\n  written  ", to);
    for (unsigned i = 0; i < 32; i++)
        putc(mask >> i % 16 & 1 ? 'w' : '.', to);
    putc('\n', to);
}

static void multicast(FILE *to)
{
    const unsigned mask = 0xD;

    fprintf(to,
            "a cluster of 4, multicast to CTA mask 0x%x: bit i stands for the CTA of rank i\n\n"
            "  rank  bit  data at the same CTA-relative offset  signal at the same offset\n",
            mask);
    for (unsigned rank = 0; rank < 4; rank++)
        fprintf(to, "  %4u  %3u  %-38s  %s\n", rank, mask >> rank & 1, mask >> rank & 1 ? "written" : "untouched",
                mask >> rank & 1 ? "complete_tx of all bytes" : "none");
}

/* ---- time ---- */

/* Four groups of a thread, and what has to be complete when wait_group returns. */
static void groups_wait(FILE *to, const char *commit, const char *wait)
{
    enum { GROUPS = 4 };

    fprintf(to, "a thread has committed four groups with %s; after %s N\n\n  N  |", commit, wait);
    for (int g = 0; g < GROUPS; g++)
        fprintf(to, "  group %d ", g);
    fputs("\n  ---+----------------------------------------\n", to);
    for (int n = 0; n <= GROUPS; n++) {
        fprintf(to, "  %d  |", n);
        for (int g = 0; g < GROUPS; g++)
            fprintf(to, "  %-8s", g < GROUPS - n ? "complete" : "may run");
        putc('\n', to);
    }
    fputs("\ngroup 3 is the youngest: the N youngest groups may still run\n", to);
}

static void async_groups(FILE *to)
{
    groups_wait(to, "cp.async.commit_group", "cp.async.wait_group");
}

static void bulk_groups(FILE *to)
{
    groups_wait(to, "cp.async.bulk.commit_group", "cp.async.bulk.wait_group");
}

/* An mbarrier as the documents describe it: the phase completes when both counts are zero. */
struct barrier {
    unsigned phase, expected, pending;
    long tx;
};

static void step(FILE *to, struct barrier *b, const char *what, unsigned arrivals, long tx)
{
    const unsigned before = b->phase;

    b->tx += tx;
    b->pending -= arrivals;
    if (!b->pending && !b->tx) {
        b->phase++;
        b->pending = b->expected;
    }
    fprintf(to, "  %-24s  %5u  %13u  %8ld%s\n", what, b->phase, b->pending, b->tx,
            b->phase != before ? "   the phase completes" : "");
}

static void phases(FILE *to)
{
    struct barrier b = { 0, 2, 2, 0 };

    fputs("an mbarrier of count 2, and a copy of 128 bytes that signals it in two parts\n\n"
          "  operation                 phase  pending count  tx-count\n",
          to);
    step(to, &b, "init 2", 0, 0);
    step(to, &b, "arrive.expect_tx 128", 1, 128);
    step(to, &b, "complete_tx 64 (copy)", 0, -64);
    step(to, &b, "arrive", 1, 0);
    step(to, &b, "complete_tx 64 (copy)", 0, -64);
    fputs("\na test of parity 0 is true once phase 0 is complete; while it is open, one of parity 1 is\n", to);
}

/* The count of arrivals is lowered for this phase and those to come. */
static void arrive_drop(FILE *to)
{
    struct barrier b = { 0, 3, 3, 0 };

    fputs("an mbarrier of count 3 that one of three threads leaves\n\n"
          "  operation                 phase  pending count  tx-count\n",
          to);
    step(to, &b, "init 3", 0, 0);
    b.expected--;
    step(to, &b, "arrive_drop", 1, 0);
    step(to, &b, "arrive", 1, 0);
    step(to, &b, "arrive", 1, 0);
    step(to, &b, "arrive", 1, 0);
    step(to, &b, "arrive", 1, 0);
}

/* ---- which rule has which ---- */

/* The first row whose prefix the id begins with applies: longer prefixes come first. */
static const struct {
    const char *prefix;
    void (*draw)(FILE *to); /* NULL: a load, or else the grid of a swizzle mode */
    int64_t swizzle;
    const struct load *load;
} pictures[] = {
    { "swz.none", NULL, TENSOR_SWIZZLE_NONE },
    { "swz.32b", NULL, TENSOR_SWIZZLE_32B },
    { "swz.64b", NULL, TENSOR_SWIZZLE_64B },
    { "swz.128b", NULL, TENSOR_SWIZZLE_128B },
    { "swz.atom32flip", NULL, TENSOR_SWIZZLE_128B_ATOM_32B_FLIP_8B },
    { "swz.flip", NULL, TENSOR_SWIZZLE_128B_ATOM_32B_FLIP_8B },
    { "swz.atom32", NULL, TENSOR_SWIZZLE_128B_ATOM_32B },
    { "swz.atom64", NULL, TENSOR_SWIZZLE_128B_ATOM_64B },
    { "swz.atom-intact", NULL, TENSOR_SWIZZLE_128B_ATOM_64B },
    { "swz.base-offset", swizzle_base },
    { "swz.absolute-address", swizzle_base },
    { "swz.store", NULL, TENSOR_SWIZZLE_128B },
    { "swz.inner-less", NULL, TENSOR_SWIZZLE_64B },
    { "tile.oob.padding-nan", view_nan },
    { "tile.oob.masked", view_over_edge },
    { "tile.oob.padding", view_over_edge },
    { "tile.strided", view_by_steps },
    { "tensor.tile.oob.nan", .load = &filled_nan },
    { "tensor.tile.oob.strided", .load = &strided },
    { "tensor.tile.oob.load-negative", .load = &negative },
    { "tensor.tile.oob.store", tile_store },
    { "tensor.tile.oob", .load = &over_edge },
    { "tensor.tx.oob", .load = &over_edge },
    { "tensor.tx.strided", .load = &strided },
    { "tensor.tile.gstride", .load = &inside },
    { "tensor.tile.load", .load = &inside },
    { "tensor.tile.smem", .load = &inside },
    { "tensor.tile.coord", .load = &inside },
    { "tensor.mc", multicast },
    { "bulk.mc", multicast },
    { "swz.multicast", multicast },
    { "bulk.cpmask", byte_mask },
    { "cpasync.srcsize", source_size },
    { "group.wait", async_groups },
    { "group.order.fifo", async_groups },
    { "group.empty", async_groups },
    { "bulkgrp.wait", bulk_groups },
    { "mbarrier.arrive_drop", arrive_drop },
    { "mbarrier.arrive_expect", phases },
    { "mbarrier.expect_tx", phases },
    { "mbarrier.complete_tx", phases },
    { "mbarrier.phase", phases },
    { "mbarrier.init.fresh-parity", phases },
    { "bulk.tx", phases },
};

bool ck_picture(FILE *to, const char *rule)
{
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
        if (strncmp(rule, pictures[i].prefix, strlen(pictures[i].prefix)) != 0)
            continue;
        putc('\n', to);
        if (pictures[i].draw)
            pictures[i].draw(to);
        else if (pictures[i].load)
            draw(to, pictures[i].load);
        else
            swizzle_grid(to, pictures[i].swizzle);
        return true;
    }
    return false;
}

bool ck_picture_svg(FILE *to, const char *rule)
{
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
        if (strncmp(rule, pictures[i].prefix, strlen(pictures[i].prefix)) != 0)
            continue;
        if (pictures[i].load)
            draw_svg(to, pictures[i].load);
        else if (!pictures[i].draw)
            ck_swizzle_svg(to, pictures[i].swizzle);
        return !pictures[i].draw;
    }
    return false;
}
// SPDX-License-Identifier: Apache-2.0
