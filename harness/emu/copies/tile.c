/* Tiles in runs of bytes. The oracle, expected/tile.c, says the same element by element; tests hold the two together.
 */
#include "harness/emu/copies/tile.h"

#include <string.h>

#include "harness/emu/machine/bytes.h"
#include "harness/emu/machine/lanes.h"

/* A mode permutes the 16-byte chunks, one of them 8-byte halves, of a 128-byte line, by bits of the line's address:
 * the same again every 1024 bytes, or more often. */
enum { SWIZZLE_LINE = 128, CHUNK = 16, HALF = 8 };

/* ---- runs ------------------------------------------------------------------------------------------------------ */

/* Where runs go: to whom they are for, or to the rows that a tile keeps. */
struct gathering {
    emu_tile_fn *visit;
    void *context;
    struct emu_tile_run run;
    struct emu_tile *keep; /* or NULL */
    bool many;             /* more than it keeps */
};

static void gather(void *context, const struct tensor_element *e)
{
    struct gathering *g = context;
    struct emu_tile_run *r = &g->run;

    if (r->bytes && r->inside == e->inside && r->linear + r->bytes == e->linear &&
        (!r->inside || r->global + r->bytes == e->global)) {
        r->bytes += e->size;
        return;
    }
    if (r->bytes)
        g->visit(g->context, r);
    *r = (struct emu_tile_run){ e->inside, e->global, e->linear, e->size };
}

static void visit_part(struct gathering *g, bool inside, uint64_t global, uint64_t linear, uint64_t bytes)
{
    const struct emu_tile_run run = { inside, global, linear, bytes };

    if (bytes)
        g->visit(g->context, &run);
}

static void visit_each(emu_tile_fn *visit, void *context, const struct emu_tile_rows *rows)
{
    struct emu_tile_run run = rows->run;

    for (uint64_t i = 0; i < rows->count; i++) {
        visit(context, &run);
        run.global += rows->global_step;
        run.linear += rows->linear_step;
    }
}

/* joined: one row goes on where the one before it ends. */
static inline void take_rows(struct gathering *g, struct emu_tile_rows rows, bool joined)
{
    if (!rows.run.bytes || !rows.count)
        return;
    if (joined) {
        rows.run.bytes *= rows.count;
        rows.count = 1;
    }
    if (!g->keep)
        visit_each(g->visit, g->context, &rows);
    else if (g->keep->kept < EMU_TILE_ROWS)
        g->keep->rows[g->keep->kept++] = rows;
    else
        g->many = true;
}

/* Which of `count` places, `step` apart from `from` on, are in [0, end): from *first to behind *last. */
static void inside_of(int64_t from, int64_t step, int64_t count, uint64_t end, int64_t *first, int64_t *last)
{
    const int64_t top = end > INT64_MAX / 2 ? INT64_MAX / 2 : (int64_t)end;
    const int64_t low = from < 0 ? (-from + step - 1) / step : 0,
                  high = from < top ? (top - from + step - 1) / step : 0;

    *first = low < count ? low : count;
    *last = high > count ? count : high > *first ? high : *first;
}

/* Rows of bytes whose coordinates are the same except for those of dimensions 0 and 1. */
static void visit_rows(struct gathering *g, const struct emu_tile *t, uint64_t index, int64_t rows)
{
    const struct tensor_map *map = &t->map;
    unsigned per;
    const uint64_t size = tensor_type_bytes(map->type, &per), pitch = t->size.pitch;
    const int64_t columns = map->box[0] / per, from = t->corner[0] / (int32_t)per;
    const uint64_t width = (uint64_t)columns * size, linear = index * pitch;
    const int64_t step = map->rank > 1 ? map->element_strides[1] : 1;
    const uint64_t stride = map->rank > 1 ? (uint64_t)step * map->strides[0] : 0;
    struct tensor_element row = { .size = size };
    int64_t first, last, top = 0, bottom = rows;
    bool inside = true;

    tensor_tile_row(map, t->corner, index, &row);
    for (int i = 2; i < map->rank; i++)
        inside &= row.at[i] >= 0 && (uint64_t)row.at[i] < map->dims[i];
    if (map->rank > 1)
        inside_of(row.at[1], step, rows, map->dims[1], &top, &bottom);
    inside_of(from, 1, columns, (map->dims[0] + per - 1) / per, &first, &last);
    if (!inside || first == last)
        top = bottom = rows;
    const uint64_t global = row.global + (uint64_t)(from + first) * size, before = (uint64_t)first * size;
    const bool whole = first == 0 && last == columns;
    const bool joined = pitch == width && (stride == width || rows == 1) && whole;
    if (whole || top == bottom) {
        const uint64_t above = (uint64_t)top, those = (uint64_t)(bottom - top), below = (uint64_t)(rows - bottom);
        take_rows(g, (struct emu_tile_rows){ { false, 0, linear, width }, above, 0, pitch }, joined);
        take_rows(g,
                  (struct emu_tile_rows){
                      { true, global + above * stride, linear + above * pitch, width }, those, stride, pitch },
                  joined);
        take_rows(g, (struct emu_tile_rows){ { false, 0, linear + (above + those) * pitch, width }, below, 0, pitch },
                  joined);
        return;
    }
    g->many = true;
    for (int64_t r = 0; r < rows && !g->keep; r++) {
        const uint64_t at = linear + (uint64_t)r * pitch;
        if (r < top || r >= bottom) {
            visit_part(g, false, 0, at, width);
            continue;
        }
        visit_part(g, false, 0, at, before);
        visit_part(g, true, global + (uint64_t)r * stride, at + before, (uint64_t)(last - first) * size);
        visit_part(g, false, 0, at + (uint64_t)last * size, (uint64_t)(columns - last) * size);
    }
}

/* Whether a tile has rows of bytes, that is, its elements lie as in plain arrays. */
static bool has_rows(const struct emu_tile *t)
{
    unsigned per;

    tensor_type_bytes(t->map.type, &per);
    return !t->map.interleave && t->map.mode == TENSOR_MODE_TILED && t->corner[0] % (int32_t)per == 0;
}

static void visit_all(struct gathering *g, const struct emu_tile *t)
{
    const uint64_t rows = tensor_tile_rows(&t->map);
    const uint64_t together =
        t->map.rank > 1 ? (t->map.box[1] + t->map.element_strides[1] - 1) / t->map.element_strides[1] : 1;

    for (uint64_t r = 0; r < rows && !(g->keep && g->many); r += together)
        visit_rows(g, t, r, (int64_t)together);
}

static struct emu_tile_flips flips_of(const struct tensor_map *map)
{
    struct emu_tile_flips f = { .any = map->swizzle != TENSOR_SWIZZLE_NONE };

    f.in_turn = f.any;
    for (unsigned i = 0; f.any && i < EMU_PERIOD_LINES; i++) {
        f.of[i] = (uint8_t)(tensor_swizzle(map->swizzle, i * SWIZZLE_LINE) ^ i * SWIZZLE_LINE);
        f.in_turn &= f.of[i] == i * CHUNK;
    }
    return f;
}

struct emu_tile_size emu_tile_size(const struct tensor_map *map)
{
    struct emu_tile_size size = { .bytes = tensor_tile_bytes(map),
                                  .span = tensor_tile_span(map),
                                  .pitch = tensor_tile_pitch(map),
                                  .flips = flips_of(map) };
    unsigned per;
    const uint64_t element = tensor_type_bytes(map->type, &per);

    if (map->interleave || map->mode != TENSOR_MODE_TILED || per > 1 || map->rank > 2 ||
        (map->rank == 2 && map->element_strides[1] != 1))
        return size;
    size.element = element;
    size.width = map->box[0] * element;
    size.stride = map->rank > 1 ? map->strides[0] : 0;
    return size;
}

/* Rows as in plain arrays, all of them inside the tensor, as most tiles are. False: they are not. */
static bool place_inside(struct emu_tile *t)
{
    const struct tensor_map *map = &t->map;
    const struct emu_tile_size *size = &t->size;
    const int64_t x = t->corner[0], y = map->rank > 1 ? t->corner[1] : 0;
    const uint64_t rows = map->rank > 1 ? map->box[1] : 1;
    const bool joined = size->pitch == size->width && (size->stride == size->width || rows == 1);

    if (!size->element || x < 0 || y < 0 || (uint64_t)x + map->box[0] > map->dims[0] ||
        (map->rank > 1 && (uint64_t)y + rows > map->dims[1]))
        return false;
    t->kept = 1;
    t->rows[0].run =
        (struct emu_tile_run){ true, map->address + (uint64_t)y * size->stride + (uint64_t)x * size->element, 0,
                               joined ? size->width * rows : size->width };
    t->rows[0].count = joined ? 1 : rows;
    t->rows[0].global_step = size->stride;
    t->rows[0].linear_step = size->pitch;
    return true;
}

void emu_tile_place(struct emu_tile *t)
{
    struct gathering g = { .keep = t };

    t->kept = 0;
    if (place_inside(t) || !has_rows(t))
        return;
    visit_all(&g, t);
    if (g.many)
        t->kept = 0;
}

static __attribute__((noinline)) void visit_others(const struct emu_tile *t, emu_tile_fn *visit, void *context)
{
    struct gathering g = { .visit = visit, .context = context };

    for (unsigned i = 0; i < t->kept; i++)
        visit_each(visit, context, &t->rows[i]);
    if (t->kept)
        return;
    if (has_rows(t)) {
        visit_all(&g, t);
        return;
    }
    tensor_tile_each(&t->map, t->corner, gather, &g);
    visit_part(&g, g.run.inside, g.run.global, g.run.linear, g.run.bytes);
}

void emu_tile_runs(const struct emu_tile *t, emu_tile_fn *visit, void *context)
{
    if (t->kept == 1 && t->rows[0].count == 1) /* most often so: all of it inside, and in one piece */
        visit(context, &t->rows[0].run);
    else
        visit_others(t, visit, context);
}

static void add_outside(void *context, const struct emu_tile_run *run)
{
    *(uint64_t *)context += run->inside ? 0 : run->bytes;
}

uint64_t emu_tile_outside(const struct emu_tile *t)
{
    uint64_t bytes = 0;

    for (unsigned i = 0; i < t->kept; i++)
        bytes += t->rows[i].run.inside ? 0 : t->rows[i].run.bytes * t->rows[i].count;
    if (!t->kept)
        emu_tile_runs(t, add_outside, &bytes);
    return bytes;
}

/* ---- swizzled bytes -------------------------------------------------------------------------------------------- */

/* Moves n bytes between the image, from `at` on before the swizzle, and plain memory, piece by piece. */
static inline void move_pieces(unsigned char *image, uint64_t line, uint64_t flip, uint64_t at, unsigned char *plain,
                               uint64_t n, bool out)
{
    while (n) {
        const uint64_t piece = HALF - at % HALF < n ? HALF - at % HALF : n;
        unsigned char *there = image + line + ((at - line) ^ flip);
        memcpy(out ? plain : there, out ? there : plain, piece);
        at += piece;
        plain += piece;
        n -= piece;
    }
}

static inline __attribute__((always_inline)) void move_chunks(unsigned char *image, unsigned flip, unsigned char *plain,
                                                              bool out)
{
#pragma GCC unroll 8
    for (unsigned k = 0; k < SWIZZLE_LINE; k += CHUNK) {
        unsigned char *there = image + (k ^ flip);
        memcpy(out ? plain + k : there, out ? there : plain + k, CHUNK);
    }
}

/* A whole line: each flip by itself, so that the compiler knows where the chunks go. */
static inline __attribute__((always_inline)) void move_line(unsigned char *image, unsigned flip, unsigned char *plain,
                                                            bool out)
{
    switch (flip / CHUNK) {
    case 0: move_chunks(image, 0, plain, out); break;
    case 1: move_chunks(image, 1 * CHUNK, plain, out); break;
    case 2: move_chunks(image, 2 * CHUNK, plain, out); break;
    case 3: move_chunks(image, 3 * CHUNK, plain, out); break;
    case 4: move_chunks(image, 4 * CHUNK, plain, out); break;
    case 5: move_chunks(image, 5 * CHUNK, plain, out); break;
    case 6: move_chunks(image, 6 * CHUNK, plain, out); break;
    default: move_chunks(image, 7 * CHUNK, plain, out); break;
    }
}

#ifdef __x86_64__
typedef long long __attribute__((may_alias, vector_size(32), aligned(1))) two_chunks;

/* Whole periods of a swizzle whose lines flip their chunks by their number in the period, two chunks at a time. */
EMU_AVX2 static inline __attribute__((always_inline)) void move_periods(unsigned char *image, unsigned char *plain,
                                                                        uint64_t n, bool out)
{
    for (uint64_t at = 0; at < n; at += EMU_PERIOD_LINES * SWIZZLE_LINE) {
#pragma GCC unroll 8
        for (unsigned line = 0; line < EMU_PERIOD_LINES; line++) {
#pragma GCC unroll 4
            for (unsigned k = 0; k < SWIZZLE_LINE / CHUNK; k += 2) {
                two_chunks *there = (two_chunks *)(image + at + line * SWIZZLE_LINE + (k ^ (line & ~1u)) * CHUNK);
                two_chunks *here = (two_chunks *)(plain + at + line * SWIZZLE_LINE + k * CHUNK);
                two_chunks v = out ? *there : *here;
                if (line & 1)
                    v = __builtin_ia32_permdi256(v, 0x4e); /* which changes places with the other */
                *(out ? here : there) = v;
            }
        }
    }
}

EMU_AVX2 static void periods_in(unsigned char *image, unsigned char *plain, uint64_t n)
{
    move_periods(image, plain, n, false);
}

EMU_AVX2 static void periods_out(unsigned char *image, unsigned char *plain, uint64_t n)
{
    move_periods(image, plain, n, true);
}
#endif

/* Whole periods of that swizzle, if they are such: how many bytes. */
static uint64_t moved_periods(const struct emu_tile_flips *flips, unsigned char *image, uint64_t at,
                              unsigned char *plain, uint64_t n, bool out)
{
    const uint64_t all = at % (EMU_PERIOD_LINES * SWIZZLE_LINE)
                             ? 0
                             : n / (EMU_PERIOD_LINES * SWIZZLE_LINE) * EMU_PERIOD_LINES * SWIZZLE_LINE;

    EMU_IF_AVX2(if (all && flips->in_turn && emu_has_avx2()) {
        (out ? periods_out : periods_in)(image + at, plain, all);
        return all;
    })
    return 0;
}

/* Whole lines, as far as they keep their halves; how many bytes that is. */
static inline __attribute__((always_inline)) uint64_t move_lines(const struct emu_tile_flips *flips,
                                                                 unsigned char *image, uint64_t at,
                                                                 unsigned char *plain, uint64_t n, bool out)
{
    uint64_t done = moved_periods(flips, image, at, plain, n, out);

    for (; n - done >= SWIZZLE_LINE; done += SWIZZLE_LINE) {
        const uint8_t flip = flips->of[(at + done) / SWIZZLE_LINE % EMU_PERIOD_LINES];
        if (flip & HALF)
            break;
        move_line(image + at + done, flip, plain + done, out);
    }
    return done;
}

static inline __attribute__((always_inline)) void move(const struct emu_tile_flips *flips, unsigned char *image,
                                                       uint64_t at, unsigned char *plain, uint64_t n, bool out)
{
    if (!flips->any) {
        emu_copy(out ? plain : image + at, out ? image + at : plain, n);
        return;
    }
    while (n) {
        const uint64_t line = at / SWIZZLE_LINE * SWIZZLE_LINE, left = line + SWIZZLE_LINE - at;
        uint64_t here = at == line ? move_lines(flips, image, at, plain, n, out) : 0;
        if (!here) {
            here = left < n ? left : n;
            move_pieces(image, line, flips->of[at / SWIZZLE_LINE % EMU_PERIOD_LINES], at, plain, here, out);
        }
        at += here;
        plain += here;
        n -= here;
    }
}

/* ---- what copies do -------------------------------------------------------------------------------------------- */

struct moving {
    const struct emu_tile_flips *flips;
    unsigned char *image;
    uint64_t shared;
    unsigned char *linear; /* of a store; of a load, what elements outside hold */
    int byte;
};

/* Whole lines keep their bytes among themselves. */
static void fill_run(void *context, const struct emu_tile_run *run)
{
    const struct moving *t = context;
    uint64_t at = t->shared + run->linear, n = run->bytes;
    unsigned char fill[SWIZZLE_LINE];

    if (at % SWIZZLE_LINE || n % SWIZZLE_LINE)
        memset(fill, t->byte, sizeof fill);
    while (n) {
        const uint64_t left = SWIZZLE_LINE - at % SWIZZLE_LINE, here = left < n ? left : n;
        const uint64_t whole = at % SWIZZLE_LINE ? 0 : n / SWIZZLE_LINE * SWIZZLE_LINE;
        if (whole)
            emu_fill(t->image + at, t->byte, whole);
        else
            move(t->flips, t->image, at, fill, here, false);
        at += whole ? whole : here;
        n -= whole ? whole : here;
    }
}

void emu_tile_fill(const struct emu_tile *t, unsigned char *image, uint64_t shared, int byte)
{
    struct moving m = { .flips = &t->size.flips, .image = image, .shared = shared, .byte = byte };

    emu_tile_runs(t, fill_run, &m);
}

static void load_run(void *context, const struct emu_tile_run *run)
{
    const struct moving *t = context;

    if (run->inside) {
        move(t->flips, t->image, t->shared + run->linear, (unsigned char *)(uintptr_t)run->global, run->bytes, false);
        return;
    }
    for (uint64_t done = 0; done < run->bytes; done += SWIZZLE_LINE)
        move(t->flips, t->image, t->shared + run->linear + done, t->linear,
             run->bytes - done < SWIZZLE_LINE ? run->bytes - done : SWIZZLE_LINE, false);
}

/* What has no runs: elements that are converted, and a fill that differs within them. */
static bool is_plain(const struct tensor_map *map)
{
    const size_t size = tensor_type_bytes(map->type, NULL);

    return map->type != TENSOR_TF32 && map->type != TENSOR_TF32_FTZ &&
           (map->fill != TENSOR_FILL_NAN || size == 2 || size == 4 || size == 8);
}

void emu_tile_load(const struct emu_tile *t, unsigned char *image, uint64_t shared)
{
    unsigned char outside[SWIZZLE_LINE];
    struct moving m = { .flips = &t->size.flips, .image = image, .shared = shared, .linear = outside };

    if (!is_plain(&t->map)) {
        oracle_tile_load(&t->map, NULL, t->corner, image, shared);
        return;
    }
    const unsigned filled = emu_tile_outside(t) ? sizeof outside : 0;
    for (unsigned i = 0; i < filled; i += 2)
        memcpy(outside + i, &(const uint16_t){ t->map.fill == TENSOR_FILL_NAN ? 0x7FF7 : 0 }, 2);
    emu_tile_runs(t, load_run, &m);
}

static void read_run(void *context, const struct emu_tile_run *run)
{
    const struct moving *t = context;

    move(t->flips, t->image, t->shared + run->linear, t->linear + run->linear, run->bytes, true);
}

void emu_tile_read(const struct emu_tile *t, const unsigned char *image, uint64_t shared, unsigned char *linear)
{
    struct moving m = {
        .flips = &t->size.flips, .image = (unsigned char *)(uintptr_t)image, .shared = shared, .linear = linear
    };

    emu_tile_runs(t, read_run, &m);
}

static void store_run(void *context, const struct emu_tile_run *run)
{
    const struct moving *t = context;

    if (run->inside)
        emu_copy((unsigned char *)(uintptr_t)run->global, t->linear + run->linear, run->bytes);
}

void emu_tile_store(const struct emu_tile *t, const unsigned char *linear)
{
    struct moving m = { .linear = (unsigned char *)(uintptr_t)linear };

    emu_tile_runs(t, store_run, &m);
}
// SPDX-License-Identifier: Apache-2.0
