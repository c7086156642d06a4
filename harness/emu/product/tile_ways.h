/* A product of 16 by 8, in the way that its factors allow: tile_loops.h, wide_tile.h, behind which it is included. */

/* ---- floats ------------------------------------------------------------------------------------------------------ */

/* Adds the addend, rounded to nearest. A function that is called when the host no longer cuts. */
static __attribute__((noinline)) void tile_add(bool halves, const struct tile_d *c, struct tile_d *d)
{
    const uint32_t *addend = (const uint32_t *)c->of;
    uint32_t *sums = (uint32_t *)d->of;

    for (unsigned k = 0; k < TILE_PAIRS * TILE_WORDS; k += PER) {
        bits a, b;
        memcpy(&a, addend + k, sizeof a);
        memcpy(&b, sums + k, sizeof b);
        const reals sum = halves ? (reals)single_of(a) + (reals)single_of(b) : (reals)a + (reals)b;
        a = halves ? half_of((bits)sum) : (bits)sum;
        a = (bits)choose(nans(sum), all_of(halves ? 0x7fff : 0x7fffffff), (words)a);
        memcpy(sums + k, &a, sizeof a);
    }
}

/* One sum for each element of D. Of factors of 8 bits, that of the first two of each four, or of the others. */
static void tile_sum(const struct sums_tile *x, bool second, const struct tile_d *c, struct tile_d *d)
{
    struct wide_tile wide;
    struct tile t;

    if (take_any(x, second, &t) && sum_any(x, &t, c, d))
        return;
    take_wide(x, second, &wide);
    wide_tile_sums(x, &wide, c, d);
}

/* Factors of 8 bits: the first two of each four make one sum, the others are added to it in another; the addend comes
 * last. */
static void tile_floats(const struct sums_tile *x)
{
    const struct tile_d none = { 0 };
    struct tile_d c, first, d;
    const bool bytes_of = x->format_a->bits == 8;
    unsigned was;

    take_d(x, x->halves, &c);
    was = rounding_cuts();
    if (bytes_of)
        tile_sum(x, false, &none, &first);
    tile_sum(x, bytes_of, bytes_of ? &first : &c, &d);
    rounding_back(was);
    if (bytes_of)
        tile_add(x->halves, &c, &d);
    put_d(x, x->halves, &d);
}

/* ---- integers ---------------------------------------------------------------------------------------------------- */

enum { TILE_PARTS = 4 * 2 * 4 }; /* pairs of factors in a row, at most */

/* Of factors of 8 or 4 bits, the first one of each half of a word, or a later one. */
INLINE eight pair_of(eight of, unsigned bits_of, bool is_signed, unsigned k)
{
    const eight_shorts up = (eight_shorts)of << (16 - bits_of * (k + 1));

    return is_signed ? (eight)(up >> (16 - bits_of)) : (eight)((eight_pairs)up >> (16 - bits_of));
}

INLINE void tile_integers_of(const struct sums_tile *x, unsigned bits_of, unsigned quads)
{
    const unsigned parts = 16 / bits_of, pairs = quads * parts * TILE_QUADS;
    _Alignas(64) uint64_t a[TILE_PARTS];
    _Alignas(64) uint32_t b[TILE_PARTS][TILE_WORDS];
    struct tile_d d;

    take_d(x, false, &d);
    for (unsigned q = 0; q < quads; q++) {
        eight lanes[TILE_QUADS];
        take_lanes(x->b[q], lanes);
        for (unsigned k = 0; k < parts; k++)
            for (unsigned t = 0; t < TILE_QUADS; t++)
                put_twice(pair_of(lanes[t], bits_of, x->b_signed, k), b[(q * parts + k) * TILE_QUADS + t]);
    }
    for (unsigned g = 0; g < TILE_PAIRS; g++) {
        words total[TILE_VECTORS] = { { 0 } };
        for (unsigned q = 0; q < quads; q++) {
            const eight of = side_by_side(x->a[2 * q] + 4 * g, x->a[2 * q + 1] + 4 * g);
            for (unsigned k = 0; k < parts; k++) {
                const eight pair = pair_of(of, bits_of, x->a_signed, k);
                memcpy(&a[(q * parts + k) * TILE_QUADS], &pair, sizeof pair);
            }
        }
#pragma GCC unroll 16
        for (unsigned k = 0; k < pairs; k++) {
            const bits own = for_all(a[k]);
#pragma GCC unroll 4
            for (unsigned v = 0; v < TILE_VECTORS; v++) {
                bits of;
                memcpy(&of, __builtin_assume_aligned(&b[k][v * PER], WIDTH), sizeof of);
                total[v] += pairs_of(own, of);
            }
        }
        for (unsigned v = 0; v < TILE_VECTORS; v++) {
            bits addend, sum;
            memcpy(&addend, &d.of[g][v * PER], sizeof addend);
            sum = addend + (bits)total[v];
            if (x->stops)
                sum = (bits)choose((words)((addend ^ sum) & ((bits)total[v] ^ sum)) >> 31,
                                   (words)addend >> 31 ^ INT32_MAX, (words)sum);
            memcpy(&d.of[g][v * PER], &sum, sizeof sum);
        }
    }
    put_d(x, false, &d);
}

static void tile_bits(const struct sums_tile *x)
{
    const unsigned words_of_row = 4 * x->quads;
    uint32_t a[TILE_ROWS][8], b[TILE_COLUMNS][8];
    struct tile_d d;

    take_d(x, false, &d);
    for (unsigned k = 0; k < words_of_row; k++) {
        const unsigned quad = k / 4, t = k % 4;
        for (unsigned g = 0; g < 8; g++) {
            a[g][k] = (uint32_t)x->a[2 * quad][4 * g + t];
            a[g + 8][k] = (uint32_t)x->a[2 * quad + 1][4 * g + t];
            b[g][k] = (uint32_t)x->b[quad][4 * g + t];
        }
    }
    for (unsigned n = 0; n < TILE_COLUMNS; n++)
        for (unsigned row = 0; row < TILE_ROWS; row++) {
            unsigned sum = 0;
            for (unsigned k = 0; k < words_of_row; k++)
                sum += (unsigned)__builtin_popcount(x->exclusive ? a[row][k] ^ b[n][k] : a[row][k] & b[n][k]);
            d.of[row % 8][n % 2 * 8 + n / 2 * 2 + row / 8] += sum;
        }
    put_d(x, false, &d);
}

static void tile(const struct sums_tile *x)
{
    if (x->format_a)
        tile_floats(x);
    else if (x->bits == 1)
        tile_bits(x);
    else if (x->bits == 8)
        x->quads == 2 ? tile_integers_of(x, 8, 2) : tile_integers_of(x, 8, 1);
    else
        x->quads == 2 ? tile_integers_of(x, 4, 2) : tile_integers_of(x, 4, 1);
}
// SPDX-License-Identifier: Apache-2.0
