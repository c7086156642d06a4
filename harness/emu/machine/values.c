/* Which bytes of global memory have a value, from launch to launch. */
#include "harness/emu/machine/values.h"

#include <stdlib.h>
#include <string.h>

static uint64_t words_of(const struct emu_region *r)
{
    return r->size / EMU_VALUE_WORD + 1;
}

/* Of the word that begins at `base`, the bits of bytes from `from` up to `to`. */
static uint64_t bits_of(uint64_t base, uint64_t from, uint64_t to)
{
    const uint64_t first = from > base ? from - base : 0;
    const uint64_t count = (to - base < EMU_VALUE_WORD ? to - base : EMU_VALUE_WORD) - first;

    return (count == EMU_VALUE_WORD ? ~0ull : (1ull << count) - 1) << first;
}

/* Where there is no room for bits, a finding less is better than one too many. */
void emu_values_all(struct emu_region *r)
{
    free(r->values);
    r->values = NULL;
    r->written = true;
}

/* Gives the allocation bits of its own, each of which is what it was; false: all bytes count as written now. */
static bool make(struct emu_region *r)
{
    if (r->values)
        return true;
    r->values = calloc(words_of(r), sizeof *r->values); /* zeros that take no memory until they are written */
    if (!r->values) {
        r->written = true;
        return false;
    }
    if (r->written)
        memset(r->values, 0xff, words_of(r) * sizeof *r->values);
    r->written = false;
    return true;
}

void emu_values_free(struct emu_region *r)
{
    free(r->values);
    r->values = NULL;
}

void emu_values_set(struct emu_region *r, uint64_t offset, uint64_t n)
{
    const uint64_t end = offset + n;

    if (r->written || !n)
        return;
    if (n == r->size) {
        emu_values_all(r);
        return;
    }
    if (!make(r))
        return;
    for (uint64_t base = offset / EMU_VALUE_WORD * EMU_VALUE_WORD; base < end; base += EMU_VALUE_WORD)
        r->values[base / EMU_VALUE_WORD] |= bits_of(base, offset, end);
}

void emu_values_clear(struct emu_region *r, uint64_t offset, uint64_t n)
{
    const uint64_t end = offset + n;

    if (!n || (!r->written && !r->values))
        return;
    if (n == r->size) {
        emu_values_free(r);
        r->written = false;
        return;
    }
    if (!make(r))
        return;
    for (uint64_t base = offset / EMU_VALUE_WORD * EMU_VALUE_WORD; base < end; base += EMU_VALUE_WORD)
        r->values[base / EMU_VALUE_WORD] &= ~bits_of(base, offset, end);
}

uint64_t emu_values_word(const struct emu_region *r, uint64_t offset)
{
    return r->written ? ~0ull : r->values && offset < r->size ? r->values[offset / EMU_VALUE_WORD] : 0;
}

bool emu_values_any(const struct emu_region *r, uint64_t offset, uint64_t n)
{
    const uint64_t end = offset + n;

    if (r->written || !r->values)
        return r->written;
    for (uint64_t base = offset / EMU_VALUE_WORD * EMU_VALUE_WORD; base < end; base += EMU_VALUE_WORD)
        if (emu_values_word(r, base) & bits_of(base, offset, end))
            return true;
    return false;
}

/* The bits of the 64 bytes from any offset on. */
static uint64_t word_at(const struct emu_region *r, uint64_t offset)
{
    const uint64_t base = offset / EMU_VALUE_WORD * EMU_VALUE_WORD, shift = offset - base;
    const uint64_t low = emu_values_word(r, base) >> shift;

    return shift ? low | emu_values_word(r, base + EMU_VALUE_WORD) << (EMU_VALUE_WORD - shift) : low;
}

void emu_values_copy(struct emu_region *to, uint64_t offset, const struct emu_region *from, uint64_t at, uint64_t n)
{
    const uint64_t end = offset + n;

    if (from->written || to->always) {
        emu_values_set(to, offset, n);
        return;
    }
    if (!from->values) {
        emu_values_clear(to, offset, n);
        return;
    }
    if (!n || !make(to))
        return;
    for (uint64_t base = offset / EMU_VALUE_WORD * EMU_VALUE_WORD; base < end; base += EMU_VALUE_WORD) {
        const uint64_t bits = bits_of(base, offset, end), first = base > offset ? base : offset;
        const uint64_t values = word_at(from, at + (first - offset)) << (first - base);
        uint64_t *word = &to->values[base / EMU_VALUE_WORD];
        *word = (*word & ~bits) | (values & bits);
    }
}

void emu_values_add(struct emu_region *r, uint64_t offset, uint64_t bits)
{
    if (bits & ~emu_values_word(r, offset) && make(r))
        r->values[offset / EMU_VALUE_WORD] |= bits;
}
// SPDX-License-Identifier: Apache-2.0
