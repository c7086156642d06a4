/* A warp's part of a wgmma, carried out.
 *
 * Warp w of the warpgroup (its number mod 4) has rows 16 w and on of A and D. In them registers lie as mma.sync has
 * them (mma.c), for as many columns as D has: with g = lane / 4 and t = lane % 4, element i of the thread is in row g +
 * 8 (i / 2 mod 2), column 8 (i / 4) + 2 t + i mod 2. */
#include <string.h>

#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/reach.h"
#include "harness/emu/machine/thread.h"
#include "harness/emu/wgmma/wgmma.h"

enum { ROWS = PRODUCT_ROWS, A_BYTES = 32 };

/* A warp's registers as the product takes them. `lane`: its registers; NULL: its frame is gone, and they with it. */
struct warp {
    struct emu_thread *first;
    uint64_t *lane[EMU_WARP];
    struct emu_wgmma_flight held; /* whose D is in tile.d; held.op NULL: nobody's */
    struct emu_product_tile tile;
};

static _Thread_local struct warp room;

static void find_registers(struct warp *x, const struct emu_wgmma_flight *w)
{
    for (uint32_t i = 0; i < EMU_WARP; i++) {
        const struct emu_frame *f = x->first[i].state == EMU_EXITED ? NULL : x->first[i].frame;
        while (f && f != w->of[i])
            f = f->caller;
        x->lane[i] = f && f->depth == w->depth ? f->r : NULL;
    }
}

/* ---- D ---------------------------------------------------------------------------------------------------------- */

static uint32_t *place_in_d(struct warp *x, unsigned lane, unsigned element)
{
    return &x->tile.d[lane / 4 + 8 * (element / 2 % 2)][8 * (element / 4) + 2 * (lane % 4) + element % 2];
}

static void load_d(struct warp *x, const struct emu_wgmma *w)
{
    const bool pairs = w->kind.dot.result == REAL_F16;

    for (unsigned k = 0; k < w->d_count; k++)
        for (unsigned i = 0; i < EMU_WARP; i++) {
            const uint32_t value = x->lane[i] ? (uint32_t)x->lane[i][w->d[k]] : 0;
            if (pairs) {
                *place_in_d(x, i, 2 * k) = value & 0xffff;
                *place_in_d(x, i, 2 * k + 1) = value >> 16;
            } else {
                *place_in_d(x, i, k) = value;
            }
        }
}

static void store_d(struct warp *x)
{
    const struct emu_wgmma *w = x->held.op ? x->held.op->wgmma : NULL;
    const bool pairs = w && w->kind.dot.result == REAL_F16;

    for (unsigned k = 0; w && k < w->d_count; k++)
        for (unsigned i = 0; i < EMU_WARP; i++)
            if (x->lane[i])
                x->lane[i][w->d[k]] =
                    pairs ? *place_in_d(x, i, 2 * k) | *place_in_d(x, i, 2 * k + 1) << 16 : *place_in_d(x, i, k);
    for (unsigned i = 0; w && i < EMU_WARP; i++)
        emu_reach_elsewhere(&x->first[i]);
    x->held.op = NULL;
}

/* Whether the part before has the same registers of D: then they need not be written and read again. */
static bool goes_on(const struct emu_wgmma_flight *held, const struct emu_wgmma_flight *f)
{
    const struct emu_wgmma *a = held->op ? held->op->wgmma : NULL, *b = f->op->wgmma;

    return a && a->d_count == b->d_count && a->kind.dot.result == b->kind.dot.result &&
           a->kind.columns == b->kind.columns && memcmp(a->d, b->d, a->d_count * sizeof *a->d) == 0 &&
           memcmp(held->of, f->of, sizeof f->of) == 0;
}

/* ---- A and B ---------------------------------------------------------------------------------------------------- */

/* A chunk of a matrix in shared memory. */
static void take_chunk(const struct warp *x, const struct emu_matrix *m, uint32_t row, uint32_t along,
                       unsigned char *out)
{
    const struct emu_cta *cta = x->first->cta;
    const uint32_t at = emu_matrix_chunk(m, row, along);

    if (at + EMU_CHUNK > cta->shared_bytes)
        emu_bad_access(
            x->first, NULL, at, EMU_CHUNK,
            "wgmma reads bytes %u to %u of shared memory, which has %llu: row %u, chunk %u of the matrix at %u", at,
            at + EMU_CHUNK - 1, (unsigned long long)cta->shared_bytes, row, along, m->start);
    memcpy(out, cta->shared + at, EMU_CHUNK);
}

static uint32_t element(const unsigned char *bytes, unsigned width, unsigned k)
{
    uint32_t value = 0;

    memcpy(&value, bytes + k * width, width);
    return value;
}

static unsigned width_of(const struct emu_wgmma *w)
{
    return w->kind.dot.bits == 1 ? 4 : w->kind.dot.bits / 8;
}

static void a_from_registers(struct warp *x, const struct emu_wgmma *w)
{
    const unsigned width = width_of(w), each = 4 / width;

    for (unsigned i = 0; i < EMU_WARP; i++)
        for (unsigned k = 0; k < WGMMA_A; k++) {
            const uint32_t value = x->lane[i] ? (uint32_t)x->lane[i][w->a[k]] : 0;
            uint32_t *to = &x->tile.a[i / 4 + k % 2 * 8][each * (i % 4 + 4 * (k / 2))];
            for (unsigned j = 0; j < each; j++)
                to[j] = element((const unsigned char *)&value, width, j);
        }
}

struct emu_wgmma_part emu_wgmma_part_of_a(const struct emu_wgmma *w, uint32_t warp)
{
    const uint32_t first = warp % WGMMA_WARPS * ROWS;

    if (w->a_across)
        return (struct emu_wgmma_part){ 0, w->kind.dot.count, first * width_of(w) / EMU_CHUNK, A_BYTES / EMU_CHUNK };
    return (struct emu_wgmma_part){ first, ROWS, 0, A_BYTES / EMU_CHUNK };
}

struct emu_wgmma_part emu_wgmma_part_of_b(const struct emu_wgmma *w)
{
    const struct emu_product_kind *p = &w->kind;

    return (struct emu_wgmma_part){ 0, p->b_across ? p->depth : p->columns, 0,
                                    (p->b_across ? p->columns : p->depth) * width_of(w) / EMU_CHUNK };
}

static void a_from_memory(struct warp *x, const struct emu_wgmma *w, const struct emu_matrix *m)
{
    const struct emu_wgmma_part part = emu_wgmma_part_of_a(w, x->first->warp);
    const unsigned width = width_of(w), each = EMU_CHUNK / width;
    unsigned char chunk[EMU_CHUNK];

    for (unsigned row = 0; row < part.rows; row++)
        for (unsigned c = 0; c < part.chunks; c++) {
            take_chunk(x, m, part.row + row, part.chunk + c, chunk);
            for (unsigned j = 0; j < each; j++)
                if (w->a_across)
                    x->tile.a[c * each + j][row] = element(chunk, width, j);
                else
                    x->tile.a[row][c * each + j] = element(chunk, width, j);
        }
}

/* Which rows of B the elements of A meet. A sparse A keeps two of each four columns, and the metadata has their numbers
 * in two bits each; of tf32, where an element counts as two halves, it keeps one of each two. */
static void meet_rows(struct warp *x, const struct emu_wgmma *w)
{
    const unsigned bits = w->kind.dot.bits, each = bits == 32 ? 4 : 2, count = w->kind.dot.count;

    for (unsigned row = 0; row < ROWS; row++)
        for (unsigned k = 0; k < count; k++) {
            const unsigned bit = k * each, tall = row / 8;
            unsigned lane, at, index;
            if (!w->sparse) {
                x->tile.of[row][k] = (uint8_t)k;
                continue;
            }
            lane = 4 * (row % 8) + 2 * w->selector + (bits > 8 ? bit / 16 : bit / 32 * 2 + tall);
            at = bits > 8 ? bit % 16 + 16 * tall : bit % 32;
            index = x->lane[lane] ? (uint32_t)x->lane[lane][w->metadata] >> at & 3 : 0;
            x->tile.of[row][k] = (uint8_t)(bits == 32 ? 2 * k + index / 2 : k / 2 * 4 + index);
        }
}

static void take_b(const struct warp *x, const struct emu_wgmma *w, const struct emu_matrix *m, unsigned char *out)
{
    const struct emu_wgmma_part part = emu_wgmma_part_of_b(w);

    for (unsigned row = 0; row < part.rows; row++)
        for (unsigned c = 0; c < part.chunks; c++, out += EMU_CHUNK)
            take_chunk(x, m, row, c, out);
}

/* ---- the product ------------------------------------------------------------------------------------------------ */

static void carry_out(struct warp *x, const struct emu_wgmma_flight *f)
{
    const struct emu_wgmma *w = f->op->wgmma;
    unsigned char b[PRODUCT_B_BYTES];

    if (!goes_on(&x->held, f)) {
        store_d(x);
        find_registers(x, f);
        load_d(x, w);
    }
    x->held = *f;
    if (!f->adds)
        memset(x->tile.d, 0, sizeof x->tile.d);
    if (w->a_shared)
        a_from_memory(x, w, &f->a);
    else
        a_from_registers(x, w);
    meet_rows(x, w);
    take_b(x, w, &f->b, b);
    emu_product(&w->kind, b, &x->tile);
}

void emu_wgmma_land(struct emu_flight *f)
{
    struct warp *x = &room;

    x->first = f->thread;
    x->held.op = NULL;
    carry_out(x, emu_wgmma_flight(f));
    store_d(x);
}

void emu_wgmma_land_all(struct emu_thread *first, uint64_t before)
{
    struct emu_flight *next;
    struct warp *x = &room;

    x->first = first;
    x->held.op = NULL;
    for (struct emu_flight *f = emu_flights_of(first->cta->cluster)->first; f; f = next) {
        next = f->next;
        if (f->thread != first || f->kind != EMU_WGMMA || f->group_number >= before)
            continue;
        first->landing = f->at;
        carry_out(x, emu_wgmma_flight(f));
        first->landing = NULL;
        emu_flight_end(f);
    }
    store_d(x);
}
