/* The bytes that a pattern's lanes access: where the host has them, whose claim they are, and how they come into the
 * slots of a warp and back. */
#include "harness/emu/schedule/tried_bytes.h"

#include <string.h>

#include "harness/emu/machine/claims.h"
#include "harness/emu/machine/lanes.h"
#include "harness/emu/machine/regions.h"
#include "harness/emu/machine/thread.h"

#define ALL UINT32_MAX

/* ---- where they are ---------------------------------------------------------------------------------------------- */

/* An allocation that has these bytes, found as for one thread; NULL: there is none, or one of malloc. */
static const struct emu_near *near_of(struct emu_thread *t, uint64_t low, uint64_t end)
{
    struct emu_run *run = emu_run_of(t);
    const struct emu_region *r;

    for (const struct emu_near *near = run->near; near < run->near + 2; near++)
        if (emu_near_has(near, low, end))
            return near;
    r = emu_region_of(emu_machine_of(t), low);
    if (!r || r->heap || r->size <= EMU_NEAR_END || end > r->at + r->size || r->at == run->near[0].at ||
        r->at == run->near[1].at)
        return NULL;
    run->near[1] = run->near[0];
    run->near[0] = (struct emu_near){ r->at, r->size - EMU_NEAR_END, r->claims };
    return &run->near[0];
}

/* Claims bytes; does not return where another cluster has them. */
static void claim(struct emu_thread *t, const struct emu_near *near, uint64_t low, uint64_t end, bool writes)
{
    if (!emu_claimed(emu_run_of(t), &near->claims, low - near->at, end - low, writes))
        emu_claim_bytes(t, emu_region_of(emu_machine_of(t), low), low, end - low, writes);
}

static void claim_pattern(struct emu_thread *lanes, const struct emu_near *near, const struct emu_pattern *p,
                          bool writes)
{
    if (p->end - p->low <= (uint64_t)p->size * EMU_WARP) {
        claim(lanes, near, p->low, p->end, writes);
        return;
    }
    for (uint32_t left = p->lanes; left; left &= left - 1) {
        const uint64_t at = p->address + (uint64_t)(p->stride * __builtin_ctz(left));
        claim(lanes, near, at, at + p->size, writes);
    }
}

bool emu_scattered_near(struct emu_thread *lanes, const uint64_t *at, uint32_t set, unsigned size, uint64_t low,
                        uint64_t end)
{
    const struct emu_near *near = emu_machine_of(lanes)->prior ? NULL : near_of(lanes, low, end);

    for (uint32_t left = near && near->claims.lines ? set : 0; left; left &= left - 1)
        claim(lanes, near, at[__builtin_ctz(left)], at[__builtin_ctz(left)] + size, false);
    return near;
}

unsigned char *emu_pattern_host_far(struct emu_thread *lanes, const struct emu_pattern *p, bool writes)
{
    const struct emu_near *near = emu_machine_of(lanes)->prior ? NULL : near_of(lanes, p->low, p->end);

    if (!near)
        return NULL;
    if (near->claims.lines)
        claim_pattern(lanes, near, p, writes);
    return (unsigned char *)(uintptr_t)p->address;
}

/* ---- a row of values, one lane's behind another's -----------------------------------------------------------------
 */

typedef uint8_t __attribute__((may_alias)) u8;
typedef uint16_t __attribute__((may_alias)) u16;
typedef uint32_t __attribute__((may_alias)) u32;
typedef uint64_t __attribute__((may_alias)) u64;

#define WHOLE(T)                                                                                                       \
    {                                                                                                                  \
        const T *p = (const T *)(const void *)from;                                                                    \
        EMU_EACH_LANE                                                                                                  \
        {                                                                                                              \
            d[lane] = p[lane];                                                                                         \
        }                                                                                                              \
        break;                                                                                                         \
    }
static inline __attribute__((always_inline)) void load_whole(uint64_t *d, const unsigned char *from, unsigned size)
{
    switch (size) {
    case 1: WHOLE(u8)
    case 2: WHOLE(u16)
    case 4: WHOLE(u32)
    default: WHOLE(u64)
    }
}
#undef WHOLE

/* The bits of lanes, and of those of half a warp. */
static const uint32_t bit_of[EMU_WARP] = {
    1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,  1u << 8,  1u << 9,  1u << 10,
    1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15, 1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21,
    1u << 22, 1u << 23, 1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31,
};

/* Returns which lanes leave their bytes as they were. */
#define WHOLE(T)                                                                                                       \
    {                                                                                                                  \
        T *p = (T *)(void *)to;                                                                                        \
        EMU_EACH_LANE                                                                                                  \
        {                                                                                                              \
            same |= p[lane] == (T)a[lane] ? bit_of[lane] : 0;                                                          \
        }                                                                                                              \
        EMU_EACH_LANE                                                                                                  \
        {                                                                                                              \
            p[lane] = (T)a[lane];                                                                                      \
        }                                                                                                              \
        break;                                                                                                         \
    }
static inline __attribute__((always_inline)) uint32_t store_whole(unsigned char *to, const uint64_t *a, unsigned size)
{
    uint32_t same = 0;

    switch (size) {
    case 1: WHOLE(u8)
    case 2: WHOLE(u16)
    case 4: WHOLE(u32)
    default: WHOLE(u64)
    }
    return same;
}
#undef WHOLE

#ifdef __x86_64__
typedef float __attribute__((may_alias, vector_size(32), aligned(4))) floats;
typedef int32_t __attribute__((may_alias, vector_size(32), aligned(4))) words;
typedef long long __attribute__((vector_size(32))) longs;

/* The most frequent one: eight lanes at a time, whose lower halves come together and into order. */
EMU_AVX2 static uint32_t store_words_avx2(unsigned char *to, const uint64_t *a)
{
    enum { EVEN = 0x88, ORDER = 0xD8 };
    const floats *from = (const floats *)(const void *)a;
    words *p = (words *)(void *)to;
    uint32_t same = 0;

    for (unsigned i = 0; i < EMU_WARP / 8; i++) {
        const words value = (words)(longs)__builtin_ia32_permdi256(
            (longs)__builtin_ia32_shufps256(from[2 * i], from[2 * i + 1], EVEN), ORDER);
        same |= (uint32_t)__builtin_ia32_movmskps256((floats)(p[i] == value)) << 8 * i;
        p[i] = value;
    }
    return same;
}
#endif

EMU_IF_AVX2(
    EMU_AVX2 static void load_whole_avx2(uint64_t *d, const unsigned char *from, unsigned size) {
        load_whole(d, from, size);
    } EMU_AVX2 static uint32_t store_whole_avx2(unsigned char *to, const uint64_t *a, unsigned size) {
        return size == 4 ? store_words_avx2(to, a) : store_whole(to, a, size);
    })

static bool is_whole(const struct emu_pattern *p)
{
    return p->lanes == ALL && p->stride == p->size;
}

/* ---- any other pattern, and vectors -------------------------------------------------------------------------------
 */

/* An element of each lane, from so far behind its first byte. */
#define GATHER(T)                                                                                                      \
    if (p->lanes == ALL) {                                                                                             \
        EMU_EACH_LANE                                                                                                  \
        {                                                                                                              \
            T value;                                                                                                   \
            memcpy(&value, from + stride * (int64_t)lane, sizeof value);                                               \
            d[lane] = value;                                                                                           \
        }                                                                                                              \
        break;                                                                                                         \
    }                                                                                                                  \
    for (uint32_t left = p->lanes; left; left &= left - 1) {                                                           \
        const int lane = __builtin_ctz(left);                                                                          \
        T value;                                                                                                       \
        memcpy(&value, from + stride * lane, sizeof value);                                                            \
        d[lane] = value;                                                                                               \
    }                                                                                                                  \
    break;
static void gather(const struct emu_pattern *p, const unsigned char *from, uint64_t *d, unsigned size)
{
    const int64_t stride = p->stride;

    switch (size) {
    case 1: GATHER(uint8_t)
    case 2: GATHER(uint16_t)
    case 4: GATHER(uint32_t)
    default: GATHER(uint64_t)
    }
}
#undef GATHER

/* Returns which lanes leave the element as it was. */
#define SCATTER(T)                                                                                                     \
    for (uint32_t left = p->lanes; left; left &= left - 1) {                                                           \
        const int lane = __builtin_ctz(left);                                                                          \
        unsigned char *at = to + p->stride * lane;                                                                     \
        const T value = (T)a[lane];                                                                                    \
        same |= memcmp(at, &value, sizeof value) ? 0 : bit_of[lane];                                                   \
        memcpy(at, &value, sizeof value);                                                                              \
    }                                                                                                                  \
    break;
static uint32_t scatter(const struct emu_pattern *p, unsigned char *to, const uint64_t *a, unsigned size)
{
    uint32_t same = 0;

    switch (size) {
    case 1: SCATTER(uint8_t)
    case 2: SCATTER(uint16_t)
    case 4: SCATTER(uint32_t)
    default: SCATTER(uint64_t)
    }
    return same;
}
#undef SCATTER

static uint32_t slot_of(const struct emu_op *op, unsigned i, uint32_t one)
{
    return op->memory.elements ? op->memory.elements[i] : one;
}

/* Whether all lanes access vectors of 8 or 16 bytes one behind the other, of words or of pairs of words, each of whose
 * elements has a slot. */
static bool is_vectors(const struct emu_pattern *p, const struct emu_op *op)
{
    const uint32_t *slot = op->memory.elements;

    if (!slot || op->vector < 2 || !is_whole(p) || op->size < sizeof(u32))
        return false;
    for (unsigned i = 0; i < op->vector; i++)
        if (slot[i] == EMU_NO)
            return false;
    return true;
}

static inline __attribute__((always_inline)) void load_vectors(const struct emu_op *op, const unsigned char *from,
                                                               uint64_t *r)
{
    const u64 *p = (const u64 *)(const void *)from;
    const uint32_t *slot = op->memory.elements;
    uint64_t *a = r + slot[0], *b = r + slot[1], *c = r + slot[op->vector - 2], *d = r + slot[op->vector - 1];

    if (op->size == sizeof(u64))
        EMU_EACH_LANE
        {
            a[lane] = p[2 * lane];
            b[lane] = p[2 * lane + 1];
        }
    else if (op->vector == 2)
        EMU_EACH_LANE
        {
            const uint64_t x = p[lane];
            a[lane] = (u32)x;
            b[lane] = x >> 32;
        }
    else
        EMU_EACH_LANE
        {
            const uint64_t x = p[2 * lane], y = p[2 * lane + 1];
            a[lane] = (u32)x;
            b[lane] = x >> 32;
            c[lane] = (u32)y;
            d[lane] = y >> 32;
        }
}

/* Returns which lanes leave their bytes as they were. */
static inline __attribute__((always_inline)) uint32_t store_vectors(const struct emu_op *op, unsigned char *to,
                                                                    const uint64_t *r)
{
    u64 *p = (u64 *)(void *)to;
    const uint32_t *slot = op->memory.elements;
    const uint64_t *a = r + slot[0], *b = r + slot[1], *c = r + slot[op->vector - 2], *d = r + slot[op->vector - 1];
    uint64_t x[EMU_WARP], y[EMU_WARP];
    uint32_t same = 0;

    if (op->vector == 2 && op->size == sizeof(u32)) {
        EMU_EACH_LANE
        {
            x[lane] = (u32)a[lane] | b[lane] << 32;
        }
        EMU_EACH_LANE
        {
            same |= p[lane] == x[lane] ? bit_of[lane] : 0;
        }
        memcpy(p, x, sizeof x);
        return same;
    }
    EMU_EACH_LANE
    {
        x[lane] = op->size == sizeof(u64) ? a[lane] : (u32)a[lane] | b[lane] << 32;
        y[lane] = op->size == sizeof(u64) ? b[lane] : (u32)c[lane] | d[lane] << 32;
    }
    EMU_EACH_LANE
    {
        same |= !((p[2 * lane] ^ x[lane]) | (p[2 * lane + 1] ^ y[lane])) ? bit_of[lane] : 0;
    }
    EMU_EACH_LANE
    {
        p[2 * lane] = x[lane];
        p[2 * lane + 1] = y[lane];
    }
    return same;
}

EMU_IF_AVX2(
    EMU_AVX2 static void load_vectors_avx2(const struct emu_op *op, const unsigned char *from, uint64_t *r) {
        load_vectors(op, from, r);
    } EMU_AVX2 static uint32_t store_vectors_avx2(const struct emu_op *op, unsigned char *to, const uint64_t *r) {
        return store_vectors(op, to, r);
    })

void emu_pattern_load(const struct emu_pattern *p, const unsigned char *host, const struct emu_op *op, uint64_t *r)
{
    if (!op->memory.elements && is_whole(p)) {
        EMU_IF_AVX2(if (emu_has_avx2()) {
            load_whole_avx2(r + op->d, host, op->size);
            return;
        })
        load_whole(r + op->d, host, op->size);
        return;
    }
    if (is_vectors(p, op)) {
        EMU_IF_AVX2(if (emu_has_avx2()) {
            load_vectors_avx2(op, host, r);
            return;
        })
        load_vectors(op, host, r);
        return;
    }
    for (unsigned i = 0; i < op->vector; i++) {
        const uint32_t d = slot_of(op, i, op->d);
        if (d != EMU_NO)
            gather(p, host + i * op->size, r + d, op->size);
    }
}

uint32_t emu_pattern_store(const struct emu_pattern *p, unsigned char *host, const struct emu_op *op, const uint64_t *r)
{
    uint32_t same = p->lanes;

    if (!op->memory.elements && is_whole(p)) {
        EMU_IF_AVX2(if (emu_has_avx2()) return store_whole_avx2(host, r + op->a, op->size);)
        return store_whole(host, r + op->a, op->size);
    }
    if (is_vectors(p, op)) {
        EMU_IF_AVX2(if (emu_has_avx2()) return store_vectors_avx2(op, host, r);)
        return store_vectors(op, host, r);
    }
    for (unsigned i = 0; i < op->vector; i++)
        same &= scatter(p, host + i * op->size, r + slot_of(op, i, op->a), op->size);
    return same;
}

/* ---- what was there -----------------------------------------------------------------------------------------------
 */

static inline void copy(unsigned char *to, const unsigned char *from, unsigned size)
{
    switch (size) {
    case 1: *to = *from; break;
    case 2: memcpy(to, from, 2); break;
    case 4: memcpy(to, from, 4); break;
    case 8: memcpy(to, from, 8); break;
    default: memcpy(to, from, EMU_PATTERN_BYTES); break;
    }
}

void emu_pattern_keep(const struct emu_pattern *p, const unsigned char *host, unsigned char *kept)
{
    if (is_whole(p)) {
        if (p->size == 4)
            memcpy(kept, host, sizeof(u32) * EMU_WARP); /* which compilers know how to do at once */
        else
            memcpy(kept, host, (size_t)p->size * EMU_WARP);
        return;
    }
    for (uint32_t left = p->lanes; left; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        copy(kept + p->size * lane, host + p->stride * lane, p->size);
    }
}

void emu_pattern_back(const struct emu_pattern *p, unsigned char *host, const unsigned char *kept)
{
    for (uint32_t left = p->lanes; left; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        copy(host + p->stride * lane, kept + p->size * lane, p->size);
    }
}
// SPDX-License-Identifier: Apache-2.0
