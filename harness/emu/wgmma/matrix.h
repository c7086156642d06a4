/* Matrices in shared memory as descriptors name them. PTX ISA, "Asynchronous Warpgroup Level Matrix Shared Memory
 * Layout", "Matrix Descriptor". */
#ifndef COPYCHECK_EMU_WGMMA_MATRIX_H
#define COPYCHECK_EMU_WGMMA_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

enum emu_matrix_mode { EMU_MATRIX_PLAIN, EMU_MATRIX_128B, EMU_MATRIX_64B, EMU_MATRIX_32B };

/* A descriptor, taken apart. A matrix is read in chunks of 16 bytes along its major dimension. */
struct emu_matrix {
    uint32_t start;           /* address in shared memory, bytes */
    uint32_t leading, stride; /* leading and stride dimension byte offsets */
    uint32_t base;            /* base offset, 0 to 7 */
    enum emu_matrix_mode mode;
    bool across; /* the major dimension is M or N, not K */
};

/* Bytes of a chunk; rows after which the patterns repeat; bits of an address in shared memory. */
enum { EMU_CHUNK = 16, EMU_MATRIX_ROWS = 8, EMU_MATRIX_ADDRESS_BITS = 18 };

struct emu_matrix emu_matrix_of(uint64_t descriptor, bool across);

/* Where the elements are. The patterns repeat after 8 rows. In the major dimension a pattern has one chunk (no
 * swizzle), 2, 4 or 8. Where K is the major dimension, the stride dimension byte offset leads from 8 rows to the
 * next 8. Where M or N is, rows are of K; the same offset leads to the next 8 of them, and the leading one to the next
 * pattern along M or N. Without a swizzle it is the other way round there, and with K major the leading one leads to
 * the next chunk. */

/* Bytes that the mode's pattern takes in one of its rows: 16, 32, 64 or 128. */
static inline uint32_t emu_matrix_span(enum emu_matrix_mode mode)
{
    return mode == EMU_MATRIX_PLAIN ? EMU_CHUNK : 256u >> mode;
}

/* Bytes from 8 rows to the next 8. */
static inline uint32_t emu_matrix_down(const struct emu_matrix *m)
{
    return m->across && m->mode == EMU_MATRIX_PLAIN ? m->leading : m->stride;
}

/* Whether the swizzle moves a chunk and those at so many bytes from it alike. */
static inline bool emu_matrix_steady(const struct emu_matrix *m, uint32_t down)
{
    return (down >> 7 & (emu_matrix_span(m->mode) / EMU_CHUNK - 1)) == 0 && (down & 127) == 0;
}

/* The address of a chunk: number `along` of those that follow each other in the major dimension, in row `row` of the
 * other dimension. Before the swizzle, and with it. */
static inline uint32_t emu_matrix_place(const struct emu_matrix *m, uint32_t row, uint32_t along)
{
    const uint32_t span = emu_matrix_span(m->mode), chunks = span / EMU_CHUNK;
    const uint32_t inside = row % EMU_MATRIX_ROWS * span + along % chunks * EMU_CHUNK;
    const bool plain_across = m->across && m->mode == EMU_MATRIX_PLAIN;
    const uint32_t down = emu_matrix_down(m), on = plain_across ? m->stride : m->leading;

    return (m->start + inside + row / EMU_MATRIX_ROWS * down + along / chunks * on) &
           ((1u << EMU_MATRIX_ADDRESS_BITS) - 1);
}

static inline uint32_t emu_matrix_chunk(const struct emu_matrix *m, uint32_t row, uint32_t along)
{
    const uint32_t at = emu_matrix_place(m, row, along), span = emu_matrix_span(m->mode);

    return at ^ ((((at >> 7) - m->base) & (span / EMU_CHUNK - 1)) * EMU_CHUNK);
}

#endif
// SPDX-License-Identifier: Apache-2.0
