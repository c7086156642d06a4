/* Products of 16 by 8 whose factors are far apart, infinite or NaNs, or whose sums are near the ends of an f32: as in
 * wide_loops.h, with the rows of tile_loops.h, behind both of which it is included. */

/* Factors as they are, and their exponents, SUMS_NEVER of those that are zero or no number; in the order of struct
 * tile. */
struct wide_tile {
    _Alignas(64) uint64_t a[TILE_PAIRS][TILE_DEPTH];
    _Alignas(64) float b[TILE_DEPTH][TILE_WORDS];
    _Alignas(64) uint64_t exponent_a[TILE_PAIRS][TILE_DEPTH];
    _Alignas(64) int32_t exponent_b[TILE_DEPTH][TILE_WORDS];
    _Alignas(64) uint64_t odd_a[TILE_PAIRS]; /* of both rows of a pair, whether there is what is no number: -1 or 0 */
    _Alignas(64) int32_t odd_b[TILE_WORDS];
};

typedef uint64_t half_longs __attribute__((vector_size(WIDTH / 2)));

/* Factors of words of f->bits; whether they are no numbers. */
INLINE eight wide_factors(const struct sums_format *f, eight of, eight *value, eight *exponent)
{
    const uint32_t sign = 1u << (f->bits - 1), infinity = ((1u << f->exponent) - 1) << f->fraction;
    const eight all = of & ~((1u << f->low) - 1), magnitude = all & (sign - 1), none = { 0 };
    const eight wrong = (eight)(magnitude >= f->beyond), nan = wrong & ~(eight)(magnitude == infinity);
    const eight number = (eight)((eight_reals)(magnitude << f->shift) * f->power);
    const eight out = (wrong & 0x7f800000) | (nan & 0x007fffff) | (~wrong & number);
    const eight never = wrong | (eight)(magnitude == 0);
    const eight field = larger_of(magnitude >> f->fraction, none + 1) - ((1u << (f->exponent - 1)) - 1);

    *value = out | (all & sign) << (32 - f->bits);
    *exponent = (never & (uint32_t)SUMS_NEVER) | (~never & field);
    return wrong;
}

/* A factor of each word of a register. */
INLINE eight factor_of(const struct sums_format *f, eight of, unsigned part, bool second)
{
    if (f->bits == 32)
        return of;
    return f->bits == 16 ? of >> 16 * part & 0xffff : of >> 8 * (part + 2 * second) & 0xff;
}

static __attribute__((noinline)) void take_wide(const struct sums_tile *x, bool second, struct wide_tile *t)
{
    const struct sums_format a = *x->format_a, b = *x->format_b;
    const unsigned parts = a.bits == 32 ? 1 : 2;
    eight value, exponent, odd_columns = { 0 };

    for (unsigned g = 0; g < TILE_PAIRS; g++) {
        four_lanes odd = { 0 };
        for (unsigned q = 0; q < x->quads; q++) {
            const eight of = side_by_side(x->a[2 * q] + 4 * g, x->a[2 * q + 1] + 4 * g);
            for (unsigned part = 0; part < parts; part++) {
                const unsigned at = (q * parts + part) * TILE_QUADS;
                odd |= (four_lanes)wide_factors(&a, factor_of(&a, of, part, second), &value, &exponent);
                memcpy(&t->a[g][at], &value, sizeof value);
                memcpy(&t->exponent_a[g][at], &exponent, sizeof exponent);
            }
        }
        t->odd_a[g] = odd[0] | odd[1] | odd[2] | odd[3];
    }
    for (unsigned q = 0; q < x->quads; q++) {
        eight lanes[TILE_QUADS];
        take_lanes(x->b[q], lanes);
        for (unsigned k = 0; k < TILE_QUADS * parts; k++) {
            const unsigned part = k / TILE_QUADS, at = q * parts * TILE_QUADS + k;
            odd_columns |= wide_factors(&b, factor_of(&b, lanes[k % TILE_QUADS], part, second), &value, &exponent);
            put_twice(value, (uint32_t *)(void *)t->b[at]);
            put_twice(exponent, (uint32_t *)(void *)t->exponent_b[at]);
        }
    }
    put_twice(odd_columns, (uint32_t *)(void *)t->odd_b);
}

/* Addends of a vector in single precision, and the largest exponents of its sums' terms. */
INLINE words wide_tops(const struct wide_tile *t, unsigned depth, bool halves, unsigned g, unsigned column, bits addend)
{
    const words field = (words)(addend << 1 >> 24), none = (words)(addend << 1 == 0) | (words)(field == 255);
    const words exponent = larger(field, all_of(halves ? 113 : 1)) - 127;
    words top = choose(none, all_of(ALU_DOT_LOWEST), larger(exponent, all_of(ALU_DOT_LOWEST)));

    for (unsigned k = 0; k < depth; k++) {
        words of;
        memcpy(&of, &t->exponent_b[k][column], sizeof of);
        top = larger(top, of + (words)for_all(t->exponent_a[g][k]));
    }
    return top;
}

INLINE bits wide_sums_of(const struct wide_tile *t, unsigned depth, bool halves, unsigned g, unsigned column,
                         bits addend)
{
    const words top = wide_tops(t, depth, halves, g, column, addend);
    doubles sum[HALVES], by[HALVES], back[HALVES];
    half_words exponents[HALVES], out[HALVES];
    half_reals addends[HALVES];
    bits all;

    memcpy(exponents, &top, sizeof exponents);
    memcpy(addends, &addend, sizeof addends);
    for (unsigned h = 0; h < HALVES; h++) {
        by[h] = powers_of(ALU_DOT_DIGITS - exponents[h]);
        back[h] = powers_of(exponents[h] - ALU_DOT_DIGITS);
        sum[h] = whole_part(doubles_of(addends[h]) * by[h]);
    }
    for (unsigned k = 0; k < depth; k++) {
        const half_longs both = (half_longs){ 0 } + t->a[g][k];
        const doubles own = doubles_of((half_reals)both);
        for (unsigned h = 0; h < HALVES; h++) {
            half_reals factor;
            memcpy(&factor, &t->b[k][column + h * HALF], sizeof factor);
            sum[h] += whole_part(doubles_of(factor) * own * by[h]);
        }
    }
    for (unsigned h = 0; h < HALVES; h++)
        out[h] = single_of_sum(halves, ~0u, sum[h] * back[h]);
    memcpy(&all, out, sizeof all);
    return wide_result(halves, all);
}

/* The sums of a vector if all of them are infinite or NaNs; products of finite factors are not too large for that. */
INLINE bool special_sums_of(const struct wide_tile *t, unsigned depth, bool halves, unsigned g, unsigned column,
                            bits addend, bits *out)
{
    reals sum = (reals)addend;
    words odd;

    memcpy(&odd, &t->odd_b[column], sizeof odd);
    odd |= (words)for_all(t->odd_a[g]) | (words)((addend & 0x7f800000) == 0x7f800000);
    if (any(~odd))
        return false;
    for (unsigned k = 0; k < depth; k++) {
        reals factor;
        memcpy(&factor, &t->b[k][column], sizeof factor);
        sum += (reals)for_all(t->a[g][k]) * factor;
    }
    *out = special_result(halves, sum);
    return true;
}

/* d = c + a * b, `depth` products deep. It is called while the host cuts. */
static __attribute__((noinline)) void wide_tile_sums(const struct sums_tile *x, const struct wide_tile *t,
                                                     const struct tile_d *c, struct tile_d *d)
{
    const unsigned depth = x->quads * (x->format_a->bits == 32 ? 4 : 8);
    const bool near = x->format_a->exponent < 8;

    for (unsigned g = 0; g < TILE_PAIRS; g++)
        for (unsigned column = 0; column < TILE_WORDS; column += PER) {
            bits addend, out;
            memcpy(&addend, &c->of[g][column], sizeof addend);
            addend = x->halves ? single_of(addend) : addend;
            if (!near || !special_sums_of(t, depth, x->halves, g, column, addend, &out))
                out = wide_sums_of(t, depth, x->halves, g, column, addend);
            memcpy(&d->of[g][column], &out, sizeof out);
        }
}
// SPDX-License-Identifier: Apache-2.0
