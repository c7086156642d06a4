/* The sums of wgmma, many columns at a time. alu/dot.c says what a sum is (docs/alu-sweep.md has the evidence); here it
 * is computed in single precision with the same bits.
 *
 * Each product of two factors is exact in single precision, once the factors of a matrix are brought near 1. It is
 * scaled so that the last digit that the sum keeps becomes 1, and cut to an integer. The integers are added, and the
 * sum is cut to f32 by the rounding mode of the host, which is towards zero meanwhile. What is not so simple is
 * computed by alu_dot_sum: rows and columns with infinities or NaNs, factors too far apart, sums near the ends of what
 * an integer holds or an f32. */
#include "harness/emu/wgmma/product.h"

#include <fenv.h>
#include <float.h>
#include <string.h>

#include "harness/emu/wgmma/sums.h"

/* tf32: its low bits do not count. */
static const struct sums_format formats[REAL_TYPES] = {
    [REAL_F16] = { 16, 5, 10, 13, 0, 0x7c00, 0x1p112f }, [REAL_BF16] = { 16, 8, 7, 16, 0, 0x7f80, 1 },
    [REAL_TF32] = { 32, 8, 23, 0, 13, 0x7f800000, 1 },   [REAL_E4M3] = { 8, 4, 3, 20, 0, 0x7f, 0x1p120f },
    [REAL_E5M2] = { 8, 5, 2, 21, 0, 0x7c, 0x1p112f },
};

enum { NEAR = 50 }; /* binary digits between a matrix's largest factor and its smallest one */

static float power_of_two(int exponent)
{
    const uint32_t bits = (uint32_t)(exponent + 127) << 23;
    float f;

    memcpy(&f, &bits, sizeof f);
    return f;
}

/* What has been made of a B. */
struct made {
    struct emu_product_kind kind; /* of it; columns 0: there is none */
    unsigned char bytes[PRODUCT_B_BYTES];
    uint32_t bits[PRODUCT_DEPTH][PRODUCT_COLUMNS];
    union {
        struct sums_factors floats;
        int32_t integers[PRODUCT_DEPTH][PRODUCT_COLUMNS];
    };
    int scale;                    /* the factors are smaller by this power of two */
    bool far;                     /* they are too far apart */
    bool any_odd;                 /* a column is odd: */
    uint8_t odd[PRODUCT_COLUMNS]; /* it has what is no number */
};

/* The last ones: as many as the products of a group often are, each of which four warps land. */
enum { KEPT = 4 };

static _Thread_local struct {
    struct made of[KEPT];
    unsigned next; /* which one makes room */
} kept;

/* Columns of a B as alu_dot_sum takes them. */
static _Thread_local struct {
    const struct made *of;
    bool ready[PRODUCT_COLUMNS];
    uint64_t column[PRODUCT_COLUMNS][PRODUCT_DEPTH];
} factors;

static const struct sums_loops *loops(void)
{
#ifdef SUMS_AVX2
    if (__builtin_cpu_supports("avx2"))
        return &sums_avx2;
#endif
    return &sums_plain;
}

static void scale(float *values, int16_t *exponents, unsigned n, int by)
{
    const float factor = power_of_two(by);

    for (unsigned k = 0; k < n; k++) {
        values[k] *= factor;
        exponents[k] = (int16_t)(exponents[k] + by);
    }
}

/* What brings a matrix's largest factor to 1, where its type reaches far; 0 elsewhere. *far: its factors are too far
 * apart for that. */
static int nearer(enum real_type type, const struct sums_range *r, bool *far)
{
    *far = false;
    if (formats[type].exponent < 8 || r->most < r->least) /* or only zeros */
        return 0;
    *far = r->most - r->least > NEAR;
    return r->most < 126 ? -r->most : -126;
}

/* ---- B ---------------------------------------------------------------------------------------------------------- */

static unsigned whole_blocks(unsigned columns)
{
    return (columns + SUMS_BLOCK - 1) / SUMS_BLOCK * SUMS_BLOCK;
}

static void unpack(const struct emu_product_kind *p, const unsigned char *b, struct made *made)
{
    const unsigned bytes = p->dot.bits >= 32 || p->dot.bits == 1 ? 4 : p->dot.bits / 8;
    const unsigned outer = p->b_across ? p->depth : p->columns, inner = p->b_across ? p->columns : p->depth;

    memset(made->bits, 0, sizeof made->bits[0] * p->depth);
    for (unsigned i = 0; i < outer; i++)
        for (unsigned j = 0; j < inner; j++, b += bytes) {
            uint32_t *to = p->b_across ? &made->bits[i][j] : &made->bits[j][i];
            uint16_t half;
            if (bytes == 4) {
                memcpy(to, b, 4);
            } else if (bytes == 2) {
                memcpy(&half, b, 2);
                *to = half;
            } else {
                *to = *b;
            }
        }
}

static int32_t integer(uint32_t bits, bool is_signed)
{
    return is_signed ? (int8_t)bits : (uint8_t)bits;
}

static bool same_b(const struct emu_product_kind *a, const struct emu_product_kind *b)
{
    return a->columns == b->columns && a->depth == b->depth && a->b_across == b->b_across && a->dot.b == b->dot.b &&
           a->dot.bits == b->dot.bits && a->dot.b_signed == b->dot.b_signed && a->minus_b == b->minus_b;
}

static void make_floats(const struct emu_product_kind *p, struct made *made)
{
    const unsigned n = whole_blocks(p->columns);
    struct sums_range range = { 1000, -1000 };

    memset(made->odd, 0, sizeof made->odd);
    for (unsigned k = 0; k < p->depth; k++)
        loops()->convert(&formats[p->dot.b], p->minus_b ? 1u << 31 : 0, made->bits[k], n, made->floats.value[k],
                         made->floats.exponent[k], &range, made->odd);
    made->any_odd = memchr(made->odd, 1, sizeof made->odd);
    made->scale = nearer(p->dot.b, &range, &made->far);
    for (unsigned k = 0; made->scale && k < p->depth; k++)
        scale(made->floats.value[k], made->floats.exponent[k], n, made->scale);
}

static const struct made *make_b(const struct emu_product_kind *p, const unsigned char *b)
{
    const size_t bytes = (size_t)p->columns * p->depth * (p->dot.bits == 1 ? 32 : p->dot.bits) / 8;
    struct made *made = &kept.of[kept.next];

    for (unsigned i = 0; i < KEPT; i++)
        if (same_b(p, &kept.of[i].kind) && memcmp(kept.of[i].bytes, b, bytes) == 0)
            return &kept.of[i];
    kept.next = (kept.next + 1) % KEPT;
    if (factors.of == made)
        factors.of = NULL;
    made->kind = *p;
    memcpy(made->bytes, b, bytes);
    unpack(p, b, made);
    if (p->dot.b != REAL_TYPES)
        make_floats(p, made);
    for (unsigned k = 0; p->dot.b == REAL_TYPES && p->dot.bits == 8 && k < p->depth; k++)
        for (unsigned n = 0; n < SUMS_COLUMNS; n++)
            made->integers[k][n] = integer(made->bits[k][n], p->dot.b_signed);
    return made;
}

/* ---- one by one ------------------------------------------------------------------------------------------------- */

/* A row of A as alu_dot_sum takes it, once it is needed. */
struct ready_row {
    bool made;
    uint64_t of[PRODUCT_DEPTH];
};

static uint64_t ready(enum real_type type, bool minus, uint32_t bits)
{
    const uint32_t low = (1u << formats[type].low) - 1;

    return alu_dot_ready(type, (bits & ~low) ^ (minus ? 1u << (formats[type].bits - 1) : 0));
}

/* The element of D in this row and column. */
static uint32_t alone(const struct emu_product_kind *p, const struct made *made, const struct emu_product_tile *x,
                      unsigned row, unsigned column, struct ready_row *a)
{
    uint64_t b[PRODUCT_DEPTH];

    if (factors.of != made)
        memset(factors.ready, 0, sizeof factors.ready);
    factors.of = made;
    for (unsigned k = 0; !a->made && k < p->dot.count; k++)
        a->of[k] = ready(p->dot.a, p->minus_a, x->a[row][k]);
    a->made = true;
    for (unsigned k = 0; !factors.ready[column] && k < p->depth; k++)
        factors.column[column][k] = ready(p->dot.b, p->minus_b, made->bits[k][column]);
    factors.ready[column] = true;
    for (unsigned k = 0; k < p->dot.count; k++)
        b[k] = factors.column[column][x->of[row][k]];
    return (uint32_t)alu_dot_sum(&p->dot, a->of, b, x->d[row][column]);
}

/* ---- rows ------------------------------------------------------------------------------------------------------- */

static void float_row(const struct emu_product_kind *p, const struct made *made, struct sums *s,
                      struct emu_product_tile *x, unsigned row)
{
    struct sums_range range = { 1000, -1000 };
    uint8_t odd[PRODUCT_DEPTH] = { 0 }, redo[PRODUCT_COLUMNS] = { 0 };
    uint32_t sums[PRODUCT_COLUMNS], addends[PRODUCT_COLUMNS] = { 0 };
    const int mode = fegetround();
    struct ready_row ready = { .made = false };
    bool far, none, again = false;
    int by;

    loops()->convert(&formats[p->dot.a], p->minus_a ? 1u << 31 : 0, x->a[row], (p->dot.count + 7) / 8 * 8, s->value,
                     s->exponent, &range, odd);
    by = nearer(p->dot.a, &range, &far);
    if (by)
        scale(s->value, s->exponent, p->dot.count, by);
    s->scale = -by - made->scale;
    s->of = p->dot.count < p->depth ? x->of[row] : NULL;
    none = far || made->far || memchr(odd, 1, sizeof odd);
    if (!none) {
        memcpy(addends, x->d[row], p->columns * sizeof *addends);
        memcpy(redo, made->odd, sizeof redo);
        fesetround(FE_TOWARDZERO);
        again = loops()->floats(s, &made->floats, addends, sums, redo);
        fesetround(mode);
    }
    for (unsigned column = 0; (none || again || made->any_odd) && column < p->columns; column++)
        if (none || redo[column])
            sums[column] = alone(p, made, x, row, column, &ready);
    memcpy(x->d[row], sums, p->columns * sizeof *sums);
}

static void bit_row(const struct emu_product_kind *p, const struct made *made, const struct emu_product_tile *x,
                    unsigned row, int32_t *sums)
{
    for (unsigned n = 0; n < p->columns; n++)
        sums[n] = 0;
    for (unsigned k = 0; k < p->dot.count; k++)
        for (unsigned n = 0; n < p->columns; n++)
            sums[n] += __builtin_popcount(x->a[row][k] & made->bits[k][n]);
}

static void integer_row(const struct emu_product_kind *p, const struct made *made, struct emu_product_tile *x,
                        unsigned row)
{
    int32_t a[PRODUCT_DEPTH] = { 0 }, sums[PRODUCT_COLUMNS];

    for (unsigned k = 0; k < p->dot.count; k++)
        a[x->of[row][k]] += integer(x->a[row][k], p->dot.a_signed);
    if (p->dot.bits == 1)
        bit_row(p, made, x, row, sums);
    else
        loops()->integers(a, made->integers, p->depth, whole_blocks(p->columns), sums);
    for (unsigned n = 0; n < p->columns; n++) {
        const int64_t sum = (int64_t)(int32_t)x->d[row][n] + sums[n];
        const int64_t held = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
        x->d[row][n] = (uint32_t)(p->dot.satfinite ? held : sum);
    }
}

void emu_product(const struct emu_product_kind *p, const unsigned char *b, struct emu_product_tile *x)
{
    struct sums s = { .columns = whole_blocks(p->columns),
                      .count = p->dot.count,
                      .digits = (int)p->dot.digits,
                      .kept = p->dot.kept ? ~0u << (23 - p->dot.kept) : ~0u,
                      .halves = p->dot.result == REAL_F16 };
    const struct made *made = make_b(p, b);

    for (unsigned row = 0; row < PRODUCT_ROWS; row++)
        if (p->dot.a == REAL_TYPES)
            integer_row(p, made, x, row);
        else
            float_row(p, made, &s, x, row);
}
