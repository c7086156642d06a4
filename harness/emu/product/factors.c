/* What is made of the bytes of a B before products are made with it. */
#include "harness/emu/product/factors.h"

#include <string.h>

#include "harness/emu/machine/own.h"

/* tf32: its low bits do not count. */
const struct sums_format sums_formats[REAL_TYPES] = {
    [REAL_F16] = { 16, 5, 10, 13, 0, 0x7c00, 0x1p112f }, [REAL_BF16] = { 16, 8, 7, 16, 0, 0x7f80, 1 },
    [REAL_TF32] = { 32, 8, 23, 0, 13, 0x7f800000, 1 },   [REAL_E4M3] = { 8, 4, 3, 20, 0, 0x7f, 0x1p120f },
    [REAL_E5M2] = { 8, 5, 2, 21, 0, 0x7c, 0x1p112f },
};

/* The last ones: as many as the products of a group often are, each of which four warps land. */
enum { KEPT = 8 };

struct kept {
    struct factors of[KEPT];
    unsigned next; /* which one makes room */
};

const struct sums_loops *sums_asked;

static const struct sums_loops *widest(void)
{
#ifdef SUMS_AVX2
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return &sums_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &sums_avx2;
#endif
    return &sums_plain;
}

const struct sums_loops *sums_loops(unsigned n)
{
    static _Thread_local const struct sums_loops *mine;
    const struct sums_loops *l = sums_asked ? sums_asked : mine;

    if (!l)
        l = mine = widest();
    while (n % l->wide)
        l = l->narrower;
    return l;
}

static float power_of_two(int exponent)
{
    const uint32_t bits = (uint32_t)(exponent + 127) << 23;
    float f;

    memcpy(&f, &bits, sizeof f);
    return f;
}

int factors_nearer(enum real_type type, const struct sums_range *r, float *values, unsigned n, bool *far)
{
    int by = 0;

    *far = r->most - r->least > SUMS_MOST_A;
    if (sums_formats[type].exponent >= 8 && r->most >= r->least)
        by = r->most < 126 ? -r->most : -126;
    for (unsigned k = 0; by && k < n; k++)
        values[k] *= power_of_two(by);
    return by;
}

static unsigned bytes_of(const struct emu_product_kind *p)
{
    return p->dot.bits >= 32 || p->dot.bits == 1 ? 4 : p->dot.bits / 8;
}

static void unpack(const struct emu_product_kind *p, const unsigned char *b, struct factors *made)
{
    const unsigned bytes = bytes_of(p);

    for (unsigned k = 0; !p->b_across && k < p->depth; k += 8)
        for (unsigned n = 0; n < p->columns; n += SUMS_GROUP)
            sums_loops(0)->turn(b + (n * p->depth + k) * bytes, bytes, p->depth * bytes,
                                (uint32_t(*)[SUMS_COLUMNS]) & made->bits[k][n]);
    for (unsigned k = 0; p->b_across && k < p->depth; k++)
        for (unsigned n = 0; n < p->columns; n++, b += 2) {
            uint16_t half; /* only those may lie so */
            memcpy(&half, b, 2);
            made->bits[k][sums_turned(n)] = half;
        }
}

static void make_floats(const struct emu_product_kind *p, struct factors *made)
{
    const unsigned n = p->columns;

    made->range = (struct sums_range){ 1000, -1000 };
    memset(made->odd, 0, sizeof made->odd);
    for (unsigned k = 0; k < p->depth; k++)
        sums_loops(n)->convert(&sums_formats[p->dot.b], p->minus_b ? 1u << 31 : 0, made->bits[k], n,
                               made->floats.value[k], (int8_t *)made->floats.exponent[k], &made->range, made->odd);
    made->any_odd = memchr(made->odd, 1, n);
    made->scale = factors_nearer(p->dot.b, &made->range, NULL, 0, &made->far);
    for (unsigned k = 0; k < p->depth; k++)
        sums_loops(n)->finish(&made->floats, k, n, made->range.most, power_of_two(made->scale), factors_few(p));
}

void factors_widen(const struct emu_product_kind *p, struct factors *made)
{
    for (unsigned k = 0; !made->is_wide && k < p->depth; k++)
        sums_loops(p->columns)
            ->widen(&sums_formats[p->dot.b], p->minus_b ? 1u << 31 : 0, made->bits[k], p->columns, made->wide.value[k],
                    made->wide.exponent[k]);
    made->wide.odd = made->odd;
    made->wide.near = sums_formats[p->dot.b].exponent < 8;
    made->is_wide = true;
}

static void make_pairs(const struct emu_product_kind *p, struct factors *made)
{
    for (unsigned k = 0; k < p->depth; k++)
        for (unsigned n = 0; n < p->columns; n++) {
            const uint32_t bits = made->bits[k][n], half = p->dot.b_signed ? (uint16_t)(int8_t)bits : bits;
            made->pairs[k / 2][n] = k % 2 ? made->pairs[k / 2][n] | half << 16 : half;
        }
}

static bool same_b(const struct emu_product_kind *a, const struct emu_product_kind *b)
{
    return a->columns == b->columns && a->depth == b->depth && a->b_across == b->b_across && a->dot.b == b->dot.b &&
           a->dot.bits == b->dot.bits && a->dot.b_signed == b->dot.b_signed && a->minus_b == b->minus_b &&
           factors_few(a) == factors_few(b);
}

struct factors *factors_of(const struct emu_product_kind *p, const unsigned char *b)
{
    const size_t bytes = (size_t)p->columns * p->depth * bytes_of(p);
    struct kept *kept = emu_own(EMU_OWN_FACTORS, sizeof *kept);
    struct factors *made = &kept->of[kept->next];

    for (unsigned i = 0; i < KEPT; i++)
        if (same_b(p, &kept->of[i].kind) && memcmp(kept->of[i].bytes, b, bytes) == 0)
            return &kept->of[i];
    kept->next = (kept->next + 1) % KEPT;
    made->kind = *p;
    made->is_wide = false;
    memcpy(made->bytes, b, bytes);
    unpack(p, b, made);
    if (p->dot.b != REAL_TYPES)
        make_floats(p, made);
    else if (p->dot.bits == 8)
        make_pairs(p, made);
    return made;
}
// SPDX-License-Identifier: Apache-2.0
