/* Weak accesses of lanes of a warp that follow a pattern: each lane's bytes lie `stride` bytes behind those of the lane
 * before. The scheduler makes them (schedule/tried.h); watch.h tells of them. */
#ifndef COPYCHECK_EMU_MACHINE_PATTERN_H
#define COPYCHECK_EMU_MACHINE_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

struct emu_cta;

/* What a watcher keeps accesses by: lines, and the cells of one that many access in different ways. Bytes of a lane at
 * most; patterns at once. */
enum { EMU_LINE = 128, EMU_CELL = 4, EMU_PATTERN_BYTES = 16, EMU_PATTERNS = 256 };

struct emu_pattern {
    struct emu_cta *cta;  /* whose shared memory; NULL: global memory */
    uint64_t address;     /* of lane 0, whether it takes part or not: an offset in shared memory, or a global address */
    int64_t stride;       /* 0, or `size` or more */
    uint64_t low, end;    /* all bytes of all lanes lie between */
    uint32_t lanes;       /* that take part, by their bits */
    uint8_t size;         /* of the bytes of a lane: 1, 2, 4, 8 or 16, and aligned to that */
    bool constant;        /* it is read as what nobody writes */
    bool reads;           /* before anything is written there */
    bool writes, written; /* written: and it has come to it */
    bool shares;          /* lines with patterns that were there before, perhaps */
    uint16_t born;        /* how many others had their first access before */
    uint32_t read_at;     /* by which instruction of the module first; */
    uint32_t write_at[2]; /* first, and last, */
    uint32_t same[2];     /* and which lanes left the bytes as they were then */
};

/* Whether two patterns are one, of lanes that may be others. */
static inline bool emu_patterns_alike(const struct emu_pattern *a, const struct emu_pattern *b)
{
    return a->address == b->address && a->stride == b->stride && a->size == b->size && a->cta == b->cta;
}

/* Whether lanes of both access what lies in a stretch of their own. `line`: whole lines. */
static inline bool emu_patterns_in_stretches(const struct emu_pattern *a, const struct emu_pattern *b, bool line)
{
    const uint64_t stride = (uint64_t)(a->stride < 0 ? -a->stride : a->stride);
    const uint64_t low = a->address < b->address ? a->address : b->address;
    const uint64_t end = a->address + a->size > b->address + b->size ? a->address + a->size : b->address + b->size;

    if (a->cta != b->cta || a->stride != b->stride || end - low > stride)
        return false;
    return !line || (stride % EMU_LINE == 0 && low / EMU_LINE == (end - 1) / EMU_LINE);
}

#endif
// SPDX-License-Identifier: Apache-2.0
