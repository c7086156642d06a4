/* A warp's part of a wgmma, carried out.
 *
 * Warp w of the warpgroup (its number mod 4) has rows 16 w and on of A and D. In them registers lie as mma.sync has
 * them (mma.c), for as many columns as D has: with g = lane / 4 and t = lane % 4, element i of the thread is in row g +
 * 8 (i / 2 mod 2), column 8 (i / 4) + 2 t + i mod 2. */
#include <string.h>

#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/reach.h"
#include "harness/emu/machine/own.h"
#include "harness/emu/machine/thread.h"
#include "harness/emu/machine/watch.h"
#include "harness/emu/wgmma/wgmma.h"

enum { ROWS = PRODUCT_ROWS, A_BYTES = 32 };

/* A warp's registers as the product takes them. `lane`: its registers; NULL: its frame is gone, and they with it. */
struct warp {
    struct emu_thread *first;
    uint64_t *lane[EMU_WARP];
    bool together; /* all lanes are there, and their registers lie next to each other */
    struct emu_product_a a;
    struct sums_d d;
    uint64_t apart[SUMS_REGISTERS][EMU_WARP]; /* D where they do not */
};

static struct warp *room(void)
{
    return emu_own(EMU_OWN_WARP, sizeof(struct warp));
}

static void find_registers(struct warp *x, const struct emu_wgmma_flight *w)
{
    x->together = true;
    for (uint32_t i = 0; i < EMU_WARP; i++) {
        const struct emu_frame *f = x->first[i].state == EMU_EXITED ? NULL : x->first[i].frame;
        while (f && f != w->of[i])
            f = f->caller;
        x->lane[i] = f && f->depth == w->depth ? f->r : NULL;
        x->together &= x->lane[i] && x->lane[i] == x->lane[0] + i;
    }
}

/* ---- D ---------------------------------------------------------------------------------------------------------- */

static void load_d(struct warp *x, const struct emu_wgmma *w, bool adds)
{
    for (unsigned k = 0; k < w->d_count; k++) {
        uint64_t *of = x->together ? x->lane[0] + w->d[k] : x->apart[k];
        x->d.from[k] = x->d.to[k] = of;
        for (unsigned i = 0; !x->together && i < EMU_WARP; i++)
            of[i] = x->lane[i] ? x->lane[i][w->d[k]] : 0;
        if (!adds)
            memset(of, 0, EMU_WARP * sizeof *of);
    }
}

static void store_d(struct warp *x, const struct emu_wgmma *w)
{
    for (unsigned k = 0; !x->together && k < w->d_count; k++)
        for (unsigned i = 0; i < EMU_WARP; i++)
            if (x->lane[i])
                x->lane[i][w->d[k]] = x->apart[k][i];
    for (unsigned i = 0; i < EMU_WARP; i++)
        emu_reach_elsewhere(&x->first[i]);
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
            x->first, &rule_access_bounds, at, EMU_CHUNK,
            "wgmma reads bytes %u to %u of shared memory, which has %llu: row %u, chunk %u of the matrix at %u", at,
            at + EMU_CHUNK - 1, (unsigned long long)cta->shared_bytes, row, along, m->start);
    memcpy(out, cta->shared + at, EMU_CHUNK);
}

/* A part of a matrix, row after row. Rows 8 apart lie mostly at one distance. */
static void take(const struct warp *x, const struct emu_matrix *m, struct emu_wgmma_part part, unsigned char *out)
{
    const struct emu_cta *cta = x->first->cta;
    const uint32_t down = emu_matrix_down(m), most = (part.rows - 1) / EMU_MATRIX_ROWS * down;
    const size_t line = (size_t)part.chunks * EMU_CHUNK, lines = line * EMU_MATRIX_ROWS;

    for (uint32_t row = 0; row < part.rows && row < EMU_MATRIX_ROWS; row++)
        for (uint32_t c = 0; c < part.chunks; c++) {
            const uint32_t at = emu_matrix_chunk(m, part.row + row, part.chunk + c);
            unsigned char *to = out + row * line + c * EMU_CHUNK;
            const unsigned char *from = cta->shared + at;
            if (!emu_matrix_steady(m, down) || (uint64_t)at + most + EMU_CHUNK > cta->shared_bytes) {
                for (uint32_t r = row; r < part.rows; r += EMU_MATRIX_ROWS, to += lines)
                    take_chunk(x, m, part.row + r, part.chunk + c, to);
                continue;
            }
            for (uint32_t r = row; r < part.rows; r += EMU_MATRIX_ROWS, to += lines, from += down)
                memcpy(to, from, EMU_CHUNK);
        }
}

/* n elements, a multiple of 4, as words. */
static void widen(const unsigned char *bytes, unsigned width, unsigned n, uint32_t *to)
{
    uint16_t halves[4];

    if (width == 4)
        memcpy(to, bytes, n * sizeof *to);
    for (unsigned k = 0; width == 2 && k < n; k += 4) {
        memcpy(halves, bytes + k * 2, sizeof halves);
        for (unsigned j = 0; j < 4; j++)
            to[k + j] = halves[j];
    }
    for (unsigned k = 0; width == 1 && k < n; k += 4)
        for (unsigned j = 0; j < 4; j++)
            to[k + j] = bytes[k + j];
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
            uint32_t *to = &x->a.bits[i / 4 + k % 2 * 8][each * (i % 4 + 4 * (k / 2))];
            for (unsigned j = 0; j < each; j++)
                to[j] = value >> 8 * width % 32 * j & (width == 4 ? UINT32_MAX : (1u << 8 * width % 32) - 1);
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
    const unsigned width = width_of(w), each = A_BYTES / width;
    unsigned char bytes[PRODUCT_DEPTH * A_BYTES];
    uint32_t line[A_BYTES];

    take(x, m, part, bytes);
    for (unsigned row = 0; row < part.rows; row++)
        if (!w->a_across) {
            widen(bytes + row * A_BYTES, width, each, x->a.bits[row]);
        } else {
            widen(bytes + row * A_BYTES, width, each, line);
            for (unsigned j = 0; j < each; j++)
                x->a.bits[j][row] = line[j];
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
            lane = 4 * (row % 8) + 2 * w->selector + (bits > 8 ? bit / 16 : bit / 32 * 2 + tall);
            at = bits > 8 ? bit % 16 + 16 * tall : bit % 32;
            index = x->lane[lane] ? (uint32_t)x->lane[lane][w->metadata] >> at & 3 : 0;
            x->a.of[row][k] = (uint8_t)(bits == 32 ? 2 * k + index / 2 : k / 2 * 4 + index);
        }
}

/* ---- the product ------------------------------------------------------------------------------------------------ */

static void carry_out(struct warp *x, struct emu_flight *flight)
{
    const struct emu_watch *watch = emu_watch_all(x->first);
    const struct emu_wgmma_flight *f = emu_wgmma_flight(flight);
    const struct emu_wgmma *w = f->op->wgmma;
    unsigned char b[PRODUCT_B_BYTES];

    find_registers(x, f);
    if (w->a_shared)
        a_from_memory(x, w, &f->a);
    else
        a_from_registers(x, w);
    if (w->sparse)
        meet_rows(x, w);
    take(x, &f->b, emu_wgmma_part_of_b(w), b);
    load_d(x, w, f->adds);
    emu_product(&w->kind, b, &x->a, &x->d);
    store_d(x, w);
    if (watch && watch->wgmma_landed)
        watch->wgmma_landed(x->first, flight);
}

void emu_wgmma_land(struct emu_flight *f)
{
    struct warp *x = room();

    x->first = f->thread;
    carry_out(x, f);
}

void emu_wgmma_land_all(struct emu_thread *first, uint64_t before)
{
    struct emu_flight *next;
    struct warp *x = room();

    x->first = first;
    for (struct emu_flight *f = emu_flights_of(first->cta->cluster)->first; f; f = next) {
        next = f->next;
        if (f->thread != first || f->kind != EMU_WGMMA || f->group_number >= before)
            continue;
        first->landing = f->at;
        carry_out(x, f);
        first->landing = NULL;
        emu_flight_end(f);
    }
}
// SPDX-License-Identifier: Apache-2.0
