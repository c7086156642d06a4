/* Random calls for comparing the oracle with the driver: each argument legal most of the time and near a limit often,
 * so that a refused call mostly breaks one limit. The sequence depends on the seed alone. */
#include "harness/maps/maps.h"

#include <string.h>

struct dice {
    uint64_t *state;
};

/* xorshift64* */
static uint64_t roll(struct dice *d)
{
    uint64_t x = *d->state;

    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *d->state = x;
    return x * UINT64_C(0x2545F4914F6CDD1D);
}

/* Not inlined: at its hundred callers that would take the compiler longer than any other file. */
__attribute__((noinline)) static uint64_t below(struct dice *d, uint64_t n)
{
    return (roll(d) >> 11) % n;
}

static bool chance(struct dice *d, unsigned percent)
{
    return below(d, 100) < percent;
}

#define PICK(d, a) ((a)[below(d, sizeof(a) / sizeof *(a))])

static const uint64_t two32 = UINT64_C(1) << 32, two40 = UINT64_C(1) << 40;

static const unsigned bytes_of_16[TENSOR_TYPE_COUNT] = {
    16, 32, 64, 64, 128, 128, 32, 64, 128, 32, 64, 64, 64, 8, 8, 12
};

static bool padded(int64_t type)
{
    return type == TENSOR_16U4_ALIGN16B || type == TENSOR_16U6_ALIGN16B;
}

static void random_enumerators(struct dice *d, struct tensor_map *m)
{
    static const int64_t bad_type[] = { -1, 16, 17, 255 }, bad_rank[] = { 0, 6, 7, -1 };
    static const int64_t bad_interleave[] = { 3, 4, -1 }, bad_swizzle[] = { 7, 8, -1 };
    static const int64_t bad_l2[] = { 4, -1, 5 }, bad_fill[] = { 2, -1, 3 };
    static const int64_t u6[] = { 0, 3, 4, 6 }, u4[] = { 0, 3, 4 };

    m->type = chance(d, 2)    ? PICK(d, bad_type)
              : chance(d, 94) ? (int64_t)below(d, 13)
                              : TENSOR_16U4_ALIGN8B + (int64_t)below(d, 3);
    m->rank = chance(d, 2) ? PICK(d, bad_rank) : 1 + (int64_t)below(d, 5);
    if (chance(d, 1))
        m->interleave = PICK(d, bad_interleave);
    else if (chance(d, 65) || (m->rank < 3 && chance(d, 95)) || (m->type == TENSOR_16U6_ALIGN16B && chance(d, 90)))
        m->interleave = TENSOR_INTERLEAVE_NONE;
    else
        m->interleave = 1 + (int64_t)below(d, 2);
    if (chance(d, 2))
        m->swizzle = PICK(d, bad_swizzle);
    else if (m->interleave == TENSOR_INTERLEAVE_32B && chance(d, 90))
        m->swizzle = TENSOR_SWIZZLE_32B;
    else if (m->type == TENSOR_16U6_ALIGN16B && chance(d, 80))
        m->swizzle = PICK(d, u6);
    else if (m->type == TENSOR_16U4_ALIGN16B && chance(d, 80))
        m->swizzle = PICK(d, u4);
    else
        m->swizzle = chance(d, 85) ? (int64_t)below(d, 4) : TENSOR_SWIZZLE_128B_ATOM_32B + (int64_t)below(d, 3);
    m->l2 = chance(d, 1) ? PICK(d, bad_l2) : (int64_t)below(d, 4);
    if (chance(d, 1))
        m->fill = PICK(d, bad_fill);
    else if (m->type >= TENSOR_F16 && m->type <= TENSOR_TF32_FTZ)
        m->fill = (int64_t)below(d, 2);
    else
        m->fill = chance(d, 3);
}

static const uint64_t off_by[] = { 1, 2, 4, 8, 15, 24 };

static void random_address(struct dice *d, struct tensor_map *m)
{
    static const uint64_t high[] = { UINT64_C(1) << 47, UINT64_C(1) << 48, UINT64_C(1) << 49, (UINT64_C(1) << 57) - 32,
                                     UINT64_C(1) << 57, UINT64_C(1) << 63, UINT64_MAX - 31 };

    if (chance(d, 3))
        m->address = PICK(d, high);
    else if (chance(d, 10))
        m->address = 0;
    else
        m->address = UINT64_C(0x7f0000000000) + (below(d, two32) << 5);
    if (chance(d, 6))
        m->address += 16;
    else if (chance(d, 2))
        m->address += PICK(d, off_by);
}

static uint64_t random_dim(struct dice *d)
{
    static const uint64_t bad[] = { 0, (UINT64_C(1) << 32) + 1, UINT64_C(1) << 33, UINT64_C(1) << 63, UINT64_MAX };
    static const uint64_t good[] = { 1,
                                     2,
                                     3,
                                     7,
                                     16,
                                     64,
                                     100,
                                     128,
                                     255,
                                     256,
                                     257,
                                     1000,
                                     65535,
                                     65536,
                                     UINT64_C(1) << 31,
                                     (UINT64_C(1) << 32) - 1,
                                     UINT64_C(1) << 32 };

    if (chance(d, 1))
        return PICK(d, bad);
    return chance(d, 60) ? PICK(d, good) : 1 + below(d, UINT64_C(1) << (1 + below(d, 32)));
}

static void random_dims(struct dice *d, struct tensor_map *m, int n)
{
    for (int i = 0; i < n; i++)
        m->dims[i] = random_dim(d);
    if (padded(m->type) && chance(d, 95))
        m->dims[0] = 128 * (1 + below(d, chance(d, 50) ? 4 : UINT64_C(1) << 25));
    else if (m->type == TENSOR_16U4_ALIGN8B && chance(d, 90))
        m->dims[0] &= ~UINT64_C(1);
}

/* Packed strides, wild ones, and those at the limits. */
static void random_strides(struct dice *d, struct tensor_map *m, int n, unsigned bytes16)
{
    static const uint64_t bad[] = { UINT64_C(1) << 40, (UINT64_C(1) << 40) + 32, UINT64_C(1) << 41, UINT64_MAX - 31 };
    const unsigned unit = padded(m->type) || m->interleave == TENSOR_INTERLEAVE_32B ? 32 : 16;

    for (int i = 0; i + 1 < n; i++) {
        const unsigned how = (unsigned)below(d, 100);
        uint64_t s;

        if (how < 50) {
            s = i == 0 ? (m->dims[0] & (2 * two32 - 1)) * bytes16 / 16 : m->strides[i - 1] * (m->dims[i] & 0xFFFF);
            s = (s + unit - 1) / unit * unit;
            s += unit * (chance(d, 50) ? 0 : below(d, 5));
        } else if (how < 85) {
            s = unit * below(d, UINT64_C(1) << (1 + below(d, 35)));
        } else if (how < 89) {
            s = 0;
        } else if (how < 92) {
            s = unit;
        } else if (how < 96) {
            s = two40 - unit;
        } else if (how < 98) {
            s = unit * below(d, 1 << 20) + 16;
        } else if (how < 99) {
            s = unit * below(d, 1 << 20);
            s += PICK(d, off_by);
        } else {
            s = PICK(d, bad);
        }
        m->strides[i] = s >= two40 && how < 99 ? two40 - unit : s;
    }
}

static void random_box(struct dice *d, struct tensor_map *m, int n, unsigned bytes16)
{
    static const uint32_t bad[] = { 0, 257, 512, UINT32_MAX };
    static const uint32_t good[] = { 1, 2, 3, 4, 7, 8, 16, 31, 32, 64, 100, 128, 200, 255, 256 };
    static const unsigned spans[TENSOR_SWIZZLE_COUNT] = { 0, 32, 64, 128, 128, 128, 128 };

    for (int i = 0; i < n; i++)
        m->box[i] = chance(d, 1) ? PICK(d, bad) : chance(d, 70) ? PICK(d, good) : 1 + (uint32_t)below(d, 256);
    if (padded(m->type)) {
        if (chance(d, 95))
            m->box[0] = 128;
    } else if (chance(d, 90) && (m->interleave == TENSOR_INTERLEAVE_NONE || chance(d, 50))) {
        const unsigned span = m->swizzle >= 0 && m->swizzle < TENSOR_SWIZZLE_COUNT ? spans[m->swizzle] : 0;
        const unsigned cells = span && chance(d, 97) ? span / 16 : 16;

        m->box[0] = (uint32_t)((1 + below(d, cells)) * 256 / bytes16);
        if (chance(d, 2))
            m->box[0]++;
    }
}

/* Most boxes fit shared memory; many come close to its size. The largest outer dimension gives way. */
static void shrink_box(struct dice *d, struct tensor_map *m, int n, unsigned bytes16)
{
    const uint64_t limit = chance(d, 20) ? 233472 + 16 * below(d, 3) : 1 + below(d, 240000);

    for (;;) {
        uint64_t bytes = (uint64_t)m->box[0] * bytes16 / 16, fit;
        int big = 0;

        for (int i = 1; i < n; i++) {
            bytes *= m->box[i] ? m->box[i] : 1;
            if (m->box[i] > (big ? m->box[big] : 1) && m->box[i] <= 256)
                big = i;
        }
        if (bytes <= limit || !big)
            return;
        fit = limit / (bytes / m->box[big]);
        m->box[big] = fit < m->box[big] / 2 ? m->box[big] / 2 : fit ? (uint32_t)fit : 1;
    }
}

static void random_element_strides(struct dice *d, struct tensor_map *m, int n)
{
    static const uint32_t bad[] = { 0, 9, 16, UINT32_C(1) << 31 };

    for (int i = 0; i < n; i++)
        m->element_strides[i] = chance(d, 1) ? PICK(d, bad) : chance(d, 70) ? 1 : 1 + (uint32_t)below(d, 8);
    if (m->interleave == TENSOR_INTERLEAVE_NONE && chance(d, 10))
        m->element_strides[0] = chance(d, 80) ? 1 + (uint32_t)below(d, 8) : PICK(d, bad);
}

void map_random(uint64_t *state, struct tensor_map *m)
{
    struct dice d = { state };
    unsigned bytes16;
    int n;

    memset(m, 0, sizeof *m);
    random_enumerators(&d, m);
    random_address(&d, m);
    n = m->rank < 1 ? 1 : m->rank > TENSOR_RANK_MAX ? TENSOR_RANK_MAX : (int)m->rank;
    bytes16 = m->type >= 0 && m->type < TENSOR_TYPE_COUNT ? bytes_of_16[m->type] : 64;
    random_dims(&d, m, n);
    random_strides(&d, m, n, bytes16);
    random_box(&d, m, n, bytes16);
    if (chance(&d, 92))
        shrink_box(&d, m, n, bytes16);
    random_element_strides(&d, m, n);
}
// SPDX-License-Identifier: Apache-2.0
