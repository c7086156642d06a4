/* Matrices of small integers in the types of wgmma. */
#include "tests/wgmma/matrices.h"

#include <string.h>

#include "expected/tensor_map.h"

enum { MOST = 4 }; /* the largest number */

static const struct product_type types[] = {
    { "f16", 2, 16, CODE_F16, CODE_F16, false },    { "bf16", 2, 16, CODE_BF16, CODE_BF16, false },
    { "tf32", 4, 8, CODE_TF32, CODE_TF32, false },  { "e4m3", 1, 32, CODE_E4M3, CODE_E4M3, false },
    { "e5m2", 1, 32, CODE_E5M2, CODE_E5M2, false }, { "e4m3_e5m2", 1, 32, CODE_E4M3, CODE_E5M2, false },
    { "s8", 1, 32, CODE_S8, CODE_S8, true },        { "u8", 1, 32, CODE_U8, CODE_U8, true },
    { "b1", 4, 8, CODE_B1, CODE_B1, true },
};

const struct product_type *product_type(const char *name)
{
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (!strcmp(types[k].name, name))
            return &types[k];
    return NULL;
}

static uint32_t bits_of(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* The bits of a number from -4 to 4. */
static uint32_t code_of(enum product_code code, int32_t value, uint32_t low)
{
    static const uint16_t f16[] = { 0, 0x3c00, 0x4000, 0x4200, 0x4400 };
    static const uint8_t e4m3[] = { 0, 0x38, 0x40, 0x44, 0x48 }, e5m2[] = { 0, 0x3c, 0x40, 0x42, 0x44 };
    const uint32_t size = (uint32_t)(value < 0 ? -value : value), sign = value < 0;

    switch (code) {
    case CODE_F16: return f16[size] | sign << 15;
    case CODE_BF16: return bits_of((float)value) >> 16;
    case CODE_TF32: return bits_of((float)value) | low;
    case CODE_E4M3: return e4m3[size] | sign << 7;
    case CODE_E5M2: return e5m2[size] | sign << 7;
    case CODE_S8:
    case CODE_U8: return (uint32_t)value & 0xff;
    case CODE_B1: break;
    }
    return (uint32_t)value;
}

static int32_t number(struct ck *t, enum product_code code)
{
    const uint64_t r = ck_random(t);

    if (code == CODE_B1)
        return (int32_t)(uint32_t)r;
    return code == CODE_U8 ? (int32_t)(r % (MOST + 1)) : (int32_t)(r % (2 * MOST + 1)) - MOST;
}

struct product *product_new(struct ck *t, const struct product_type *type)
{
    struct product *p = ck_alloc(t, sizeof *p);

    p->type = type;
    p->a = (struct wgmma_layout){ .swizzle = TENSOR_SWIZZLE_NONE, .leading = 128, .stride = 256, .bytes = type->bytes };
    p->b = p->a;
    p->b.start = WGMMA_IMAGE / 2;
    for (uint32_t k = 0; k < type->k; k++) {
        for (uint32_t m = 0; m < WGMMA_M; m++)
            p->of_a[m][k] = number(t, type->a);
        for (uint32_t n = 0; n < WGMMA_N; n++)
            p->of_b[n][k] = number(t, type->b);
    }
    for (uint32_t m = 0; m < WGMMA_M; m++)
        for (uint32_t n = 0; n < WGMMA_N; n++)
            p->d[m][n] = number(t, CODE_S8);
    return p;
}

struct ck_buf product_image(struct ck *t, const struct product *p)
{
    const struct ck_buf image = ck_input(t, WGMMA_IMAGE);

    for (uint32_t k = 0; k < p->type->k; k++) {
        for (uint32_t m = 0; m < WGMMA_M; m++) {
            const uint32_t code = code_of(p->type->a, p->of_a[m][k], p->low);
            memcpy(image.host + wgmma_place(&p->a, m, k), &code, p->type->bytes);
        }
        for (uint32_t n = 0; n < WGMMA_N; n++) {
            const uint32_t code = code_of(p->type->b, p->of_b[n][k], p->low);
            memcpy(image.host + wgmma_place(&p->b, n, k), &code, p->type->bytes);
        }
    }
    ck_changed(t, image);
    return image;
}

struct ck_buf product_registers(struct ck *t, const struct product *p)
{
    const struct ck_buf registers = ck_zeroed(t, sizeof(uint32_t[WGMMA_THREADS][WGMMA_A]));

    for (uint32_t thread = 0; thread < WGMMA_THREADS; thread++)
        for (uint32_t i = 0; i < WGMMA_A; i++)
            for (uint32_t e = 0; e < 4 / p->type->bytes; e++) {
                const struct wgmma_at at = wgmma_a_at(thread, i, e, p->type->k, p->type->bytes);
                const uint32_t code = code_of(p->type->a, p->of_a[at.row][at.column], p->low);
                memcpy(registers.host + (thread * WGMMA_A + i) * 4 + e * p->type->bytes, &code, p->type->bytes);
            }
    ck_changed(t, registers);
    return registers;
}

uint32_t *product_result(struct ck *t, const struct product *p)
{
    uint32_t *d = ck_alloc(t, sizeof(uint32_t[WGMMA_THREADS][WGMMA_D]));

    for (uint32_t thread = 0; thread < WGMMA_THREADS; thread++)
        for (uint32_t i = 0; i < WGMMA_D; i++) {
            const struct wgmma_at at = wgmma_d_at(thread, i);
            const int32_t value = p->d[at.row][at.column];
            d[thread * WGMMA_D + i] = p->type->integer ? (uint32_t)value : bits_of((float)value);
        }
    return d;
}

struct ck_buf product_addend(struct ck *t, const struct product *p)
{
    const struct ck_buf d = ck_zeroed(t, sizeof(uint32_t[WGMMA_THREADS][WGMMA_D]));

    memcpy(d.host, product_result(t, p), d.size);
    ck_changed(t, d);
    return d;
}

void product_add(struct product *p, int sign_a, int sign_b)
{
    for (uint32_t m = 0; m < WGMMA_M; m++)
        for (uint32_t n = 0; n < WGMMA_N; n++)
            for (uint32_t k = 0; k < p->type->k; k++) {
                const int32_t a = p->of_a[m][k], b = p->of_b[n][k];
                p->d[m][n] += p->type->a == CODE_B1 ? __builtin_popcount((uint32_t)(a & b)) : sign_a * a * sign_b * b;
            }
}

enum ck_end product_launch(struct ck *t, const char *kernel, struct wgmma_args *a)
{
    return ck_launch(
        t, &(struct ck_launch){
               .kernel = kernel, .block = { WGMMA_THREADS }, .smem = WGMMA_IMAGE, .args = a, .size = sizeof *a });
}
// SPDX-License-Identifier: Apache-2.0
