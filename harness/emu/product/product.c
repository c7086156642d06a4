/* The sums of wgmma, many columns at a time. alu/dot.c says what a sum is (docs/alu-sweep.md has the evidence); here it
 * is computed in single precision with the same bits (sums_loops.h), by the rounding mode of the host, which is towards
 * zero meanwhile: each product of two factors is exact in single precision, once the factors of a matrix are brought
 * near 1. What is not so simple is computed in double precision (wide_loops.h): rows and columns with infinities or
 * NaNs, factors too far apart, sums near the ends of what an integer holds or an f32. */
#include "harness/emu/product/product.h"

#include <string.h>

#include "harness/emu/machine/own.h"
#include "harness/emu/product/factors.h"
#include "harness/emu/product/rounding.h"

/* Biased exponents of an f32: the least of a sum's largest term whose digits single precision still holds; the largest
 * at which the sum does not overflow; and how far that may be above the products, where they are near 1. */
enum { BIAS = 127, LEAST = 26, LARGEST = 240, MUCH = 276 };

/* ---- D ---------------------------------------------------------------------------------------------------------- */

/* Where an element of D is: its register, its lane, and by how many bits it is shifted there. */
struct place {
    unsigned reg, lane, shift;
};

static struct place place_of(bool halves, unsigned row, unsigned column)
{
    const unsigned group = column / SUMS_GROUP, tall = row / 8, lane = row % 8 * 4 + column % SUMS_GROUP / 2;

    return halves ? (struct place){ group * 2 + tall, lane, column % 2 * 16 }
                  : (struct place){ group * 4 + tall * 2 + column % 2, lane, 0 };
}

/* ---- rows ------------------------------------------------------------------------------------------------------- */

/* Leaves out the factors of a row that are zero. */
static void leave_zeros_out(struct sums *s, const int8_t *exponents, unsigned count)
{
    s->n = 0;
    for (unsigned k = 0; k < count; k++) {
        s->value[s->n] = s->value[k];
        s->at[s->n] = s->at[k];
        s->other[s->n] = s->other[k];
        s->exponent[s->n] = s->exponent[k];
        s->n += exponents[k] != SUMS_NONE;
    }
}

/* The factors of a row of A, and their range; false: sums cannot be had of them so. */
static bool take_row(const struct emu_product_kind *p, const struct factors *made, const struct emu_product_a *a,
                     struct sums *s, struct sums_range *range)
{
    const unsigned count = p->dot.count;
    _Alignas(32) float values[PRODUCT_DEPTH];
    _Alignas(32) int8_t exponents[PRODUCT_DEPTH];
    uint8_t odd[PRODUCT_DEPTH];
    bool far;
    int by;

    memset(odd, 0, count);
    *range = (struct sums_range){ 1000, -1000 };
    sums_loops(count)->convert(&sums_formats[p->dot.a], p->minus_a ? 1u << 31 : 0, a->bits[s->row], count, values,
                               exponents, range, odd);
    by = factors_nearer(p->dot.a, range, values, count, &far);
    for (unsigned k = 0; k < count && (s->moved || count < p->depth); k++)
        s->at[k] = (count < p->depth ? a->of[s->row][k] : k) * SUMS_COLUMNS;
    s->moved = s->few;
    for (unsigned k = 0; s->few && k < count; k++) {
        const uint32_t at = s->at[k];
        s->at[k] = at + (values[k] < 0 ? SUMS_BELOW : 0);
        s->other[k] = at + (values[k] < 0 ? 0 : SUMS_BELOW);
    }
    s->n = made->range.most < made->range.least ? 0 : count;
    if (!sums_loops(s->n)->ready(values, exponents, s->n, range->most, s)) {
        leave_zeros_out(s, exponents, count);
        s->moved = true;
    }
    for (s->n_by_4 = s->n; s->n_by_4 % 4; s->n_by_4++) {
        s->moved = true;
        s->value[s->n_by_4] = 0;
        s->at[s->n_by_4] = s->other[s->n_by_4] = 0;
    }
    s->scale = s->n ? -by - made->scale : 0;
    return !far && !made->far && !memchr(odd, 1, count);
}

/* What exponents of the products mean; false: they are all too small. */
static bool place_exponents(const struct factors *made, struct sums *s, const struct sums_range *a)
{
    const int most = SUMS_MOST_A + SUMS_MOST_B;
    int none;

    s->deep = false;
    s->highest = s->scale + MUCH < LARGEST ? s->scale + MUCH : LARGEST;
    if (!s->n) {
        s->lowest = most;
        s->shift = LEAST - most;
        return true;
    }
    s->shift = a->most + made->range.most + BIAS - most;
    s->lowest = most - (a->most - a->least) - (made->range.most - made->range.least);
    none = LEAST - s->shift;
    s->deep = none > s->lowest;
    s->lowest = s->deep ? none : s->lowest;
    return s->lowest <= most;
}

/* The sums of a row, of all columns or of those that are wanted, whatever the factors are. */
static void wide_row(const struct emu_product_kind *p, struct factors *made, struct sums *s,
                     const struct emu_product_a *a, const struct sums_d *d, const uint8_t *wanted)
{
    const unsigned count = p->dot.count;

    factors_widen(p, made);
    s->n = count;
    s->moved = count < p->depth;
    for (unsigned k = 0; k < count; k++)
        s->at[k] = (count < p->depth ? a->of[s->row][k] : k) * SUMS_COLUMNS;
    s->odd = sums_loops(count)->widen(&sums_formats[p->dot.a], p->minus_a ? 1u << 31 : 0, a->bits[s->row], count,
                                      s->value, s->wide);
    sums_loops(p->columns)->wide_row(s, &made->wide, d, wanted);
}

static void float_row(const struct emu_product_kind *p, struct factors *made, struct sums *s,
                      const struct emu_product_a *a, const struct sums_d *d)
{
    uint8_t redo[PRODUCT_COLUMNS];
    struct sums_range range;
    bool whole, again;

    whole = !take_row(p, made, a, s, &range) || !place_exponents(made, s, &range);
    s->odd = made->any_odd;
    if (s->odd)
        memcpy(redo, made->odd, sizeof redo);
    else
        memset(redo, 0, s->columns);
    again = !whole && sums_loops(p->columns)->floats(s, &made->floats, d, redo);
    if (whole || again)
        wide_row(p, made, s, a, d, whole ? NULL : redo);
}

static void bit_row(const struct emu_product_kind *p, const struct factors *made, const struct emu_product_a *a,
                    unsigned row, const struct sums_d *d)
{
    for (unsigned n = 0; n < p->columns; n++) {
        const struct place at = place_of(false, row, sums_turned(n));
        uint32_t sum = 0;
        for (unsigned k = 0; k < p->dot.count; k++)
            sum += (uint32_t)__builtin_popcount(a->bits[row][k] & made->bits[k][n]);
        d->to[at.reg][at.lane] = (uint32_t)(d->from[at.reg][at.lane] + sum);
    }
}

static void integer_row(const struct emu_product_kind *p, const struct factors *made, const struct sums *s,
                        const struct emu_product_a *a, const struct sums_d *d)
{
    int halves[PRODUCT_DEPTH] = { 0 };
    uint32_t pairs[PRODUCT_DEPTH / 2];

    for (unsigned k = 0; k < p->dot.count; k++) {
        const uint32_t bits = a->bits[s->row][k];
        halves[p->dot.count < p->depth ? a->of[s->row][k] : k] += p->dot.a_signed ? (int8_t)bits : (uint8_t)bits;
    }
    for (unsigned k = 0; k < p->depth / 2; k++)
        pairs[k] = (uint16_t)halves[2 * k] | (uint32_t)(uint16_t)halves[2 * k + 1] << 16;
    sums_loops(p->columns)->integers(pairs, made->pairs, p->depth / 2, s, d, p->dot.satfinite);
}

void emu_product(const struct emu_product_kind *p, const unsigned char *b, const struct emu_product_a *a,
                 const struct sums_d *d)
{
    struct sums s = { .columns = p->columns,
                      .moved = true,
                      .digits = (int)p->dot.digits,
                      .few = factors_few(p),
                      .kept = p->dot.kept ? ~0u << (23 - p->dot.kept) : ~0u,
                      .halves = p->dot.result == REAL_F16 };
    struct factors *made = factors_of(p, b);
    const unsigned was = rounding_cuts();

    for (s.row = 0; s.row < PRODUCT_ROWS; s.row++)
        if (p->dot.bits == 1)
            bit_row(p, made, a, s.row, d);
        else if (p->dot.a == REAL_TYPES)
            integer_row(p, made, &s, a, d);
        else
            float_row(p, made, &s, a, d);
    rounding_back(was);
}
// SPDX-License-Identifier: Apache-2.0
