/* Which pattern the addresses of lanes follow. tried_memory.c includes it. */
#ifndef COPYCHECK_EMU_SCHEDULE_TRIED_PATTERNS_H
#define COPYCHECK_EMU_SCHEDULE_TRIED_PATTERNS_H

#include <string.h>

#include "harness/emu/machine/lanes.h"
#include "harness/emu/machine/pattern.h"
#include "harness/emu/machine/state.h"

/* Bytes that lanes are apart at most. */
enum { FAR = 1 << 20 };

#define ALL UINT32_MAX /* lanes */

/* Four lanes at a time. */
typedef uint64_t __attribute__((may_alias, vector_size(32), aligned(8))) four;
enum { FOURS = EMU_WARP / 4 };

/* Whether the lanes' registers, or those of lanes that are on, lie `stride` apart in the bits of a mask, beginning with
 * `from` in lane 0. */
static inline __attribute__((always_inline)) bool places(const uint64_t *a, uint64_t mask, const uint64_t *on,
                                                         uint64_t from, uint64_t stride)
{
    const four *x = (const four *)a, *y = (const four *)on;
    four place = { from, from + stride, from + 2 * stride, from + 3 * stride }, differs = { 0 };
    uint64_t any[4];

    if (y)
        for (unsigned i = 0; i < FOURS; i++, place += 4 * stride)
            differs |= (x[i] - place) & -y[i];
    else
#pragma GCC unroll 8
        for (unsigned i = 0; i < FOURS; i++) {
            differs |= x[i] - place;
            place += 4 * stride;
        }
    memcpy(any, &differs, sizeof any);
    return !((any[0] | any[1] | any[2] | any[3]) & mask);
}

#ifdef __x86_64__
typedef long long __attribute__((vector_size(32))) longs;

/* The same; of all lanes it is what nearly all accesses ask. */
EMU_AVX2 static bool places_avx2(const uint64_t *a, uint64_t mask, const uint64_t *on, uint64_t from, uint64_t stride)
{
    const four *x = (const four *)a;
    four place = { from, from + stride, from + 2 * stride, from + 3 * stride }, differs = { 0 };

    if (on)
        return places(a, mask, on, from, stride);
#pragma GCC unroll 8
    for (unsigned i = 0; i < FOURS; i++) {
        differs |= x[i] - place;
        place += 4 * stride;
    }
    return __builtin_ia32_ptestz256((longs)differs, (longs)((four){ 0 } + mask));
}
#endif

static inline bool follow(const uint64_t *a, uint64_t mask, const uint64_t *on, uint64_t from, uint64_t stride)
{
    EMU_IF_AVX2(if (emu_has_avx2()) return places_avx2(a, mask, on, from, stride);)
    return places(a, mask, on, from, stride);
}

static inline bool is_shared(const struct emu_op *op)
{
    return op->space == PTX_shared || op->space == PTX_shared_cta;
}

/* Some lanes' pattern, whose accesses from the first one on are `stride` apart; false: there is none. */
static inline bool pattern_by(struct emu_thread *lanes, const struct emu_op *op, const uint64_t *a, uint32_t set,
                              int64_t stride, struct emu_pattern *p)
{
    const uint64_t mask = is_shared(op) ? UINT32_MAX : UINT64_MAX;
    const int first = __builtin_ctz(set), last = 31 - __builtin_clz(set);
    const uint64_t from = (a[first] + (uint64_t)op->offset) & mask, to = from + (uint64_t)(stride * (last - first));
    const unsigned size = (unsigned)op->size * op->vector;

    if ((uint64_t)(stride + FAR) > 2 * FAR || ((from | (uint64_t)stride) & (size - 1)))
        return false;
    *p = (struct emu_pattern){ .cta = is_shared(op) ? lanes->cta : NULL,
                               .address = from - (uint64_t)(stride * first),
                               .stride = stride,
                               .low = stride < 0 ? to : from,
                               .end = (stride < 0 ? from : to) + size,
                               .lanes = set,
                               .size = (uint8_t)size };
    return p->low < p->end && p->end - 1 <= mask;
}

/* The same of lanes that may follow none: as pattern_of. */
static inline bool pattern_of_some(struct emu_thread *lanes, const struct emu_op *op, const uint64_t *a, uint32_t set,
                                   const uint64_t *on, struct emu_pattern *p)
{
    const uint64_t mask = is_shared(op) ? UINT32_MAX : UINT64_MAX, offset = (uint64_t)op->offset;
    const int first = __builtin_ctz(set), last = 31 - __builtin_clz(set), n = last - first;
    const uint64_t from = (a[first] + offset) & mask, to = (a[last] + offset) & mask;
    const int64_t apart = (int64_t)(to - from), stride = n ? apart / n : op->size * op->vector;

    return stride * n == apart && follow(a, mask, on, from - offset - (uint64_t)(stride * first), (uint64_t)stride) &&
           pattern_by(lanes, op, a, set, stride, p);
}

/* The pattern of lanes of a set that access memory at slot `a`; false: there is none, or it is misaligned. */
static inline bool pattern_of(struct emu_thread *lanes, const struct emu_op *op, const uint64_t *a, uint32_t set,
                              const uint64_t *on, struct emu_pattern *p)
{
    const bool shared = is_shared(op);
    const uint64_t mask = shared ? UINT32_MAX : UINT64_MAX;
    const unsigned size = (unsigned)op->size * op->vector;

    if (set != ALL)
        return pattern_of_some(lanes, op, a, set, on, p);
    const uint64_t from = (a[0] + (uint64_t)op->offset) & mask, next = (a[1] + (uint64_t)op->offset) & mask;
    const int64_t stride = (int64_t)(next - from);
    const uint64_t to = from + (uint64_t)stride * (EMU_WARP - 1);
    if ((uint64_t)(stride + FAR) > 2 * FAR || ((from | (uint64_t)stride) & (size - 1)) ||
        !follow(a, mask, NULL, a[0], (uint64_t)stride))
        return false;
    *p = (struct emu_pattern){ .cta = shared ? lanes->cta : NULL,
                               .address = from,
                               .stride = stride,
                               .low = stride < 0 ? to : from,
                               .end = (stride < 0 ? from : to) + size,
                               .lanes = ALL,
                               .size = (uint8_t)size };
    return p->low < p->end && p->end - 1 <= mask;
}

/* Those lanes of a set that follow a pattern from the first one on, as far as they do. */
static inline uint32_t run_of(const uint64_t *a, uint64_t mask, uint32_t set, int64_t *stride)
{
    const int first = __builtin_ctz(set);
    uint32_t left = set & (set - 1), run = 1u << first;
    uint64_t at = a[first];

    *stride = 0;
    if (!left)
        return run;
    const int second = __builtin_ctz(left);
    const int64_t apart = (int64_t)((a[second] & mask) - (at & mask));
    *stride = apart / (second - first);
    if (*stride * (second - first) != apart)
        return run;
    for (; left; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        if ((a[lane] - at - (uint64_t)*stride * (uint64_t)(lane - first)) & mask)
            break;
        run |= 1u << lane;
    }
    return run;
}

#endif
// SPDX-License-Identifier: Apache-2.0
