/* Which bytes of global memory have a value, from launch to launch. */
#include "harness/emu/machine/values.h"

#include <stdlib.h>
#include <string.h>

#include "harness/emu/machine/regions.h"

/* What clusters that ran ahead have written in a page. */
struct emu_values_page {
    struct emu_values_page *next;
    uint64_t at, words[EMU_VALUE_WORDS];
};

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
static void all_written(struct emu_region *r)
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
        all_written(r);
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

void emu_values_copy(struct emu *e, uint64_t to, uint64_t from, uint64_t n)
{
    struct emu_region *r = emu_region_of(e, to), *source = emu_region_of(e, from);
    const uint64_t offset = r ? to - r->at : 0, end = offset + n;

    if (!r || !n)
        return;
    if (!source || source->written || r->always) {
        emu_values_set(r, offset, n);
        return;
    }
    if (!source->values) {
        emu_values_clear(r, offset, n);
        return;
    }
    if (!make(r))
        return;
    for (uint64_t base = offset / EMU_VALUE_WORD * EMU_VALUE_WORD; base < end; base += EMU_VALUE_WORD) {
        const uint64_t bits = bits_of(base, offset, end), first = base > offset ? base : offset;
        const uint64_t values = word_at(source, from - source->at + (first - offset)) << (first - base);
        uint64_t *word = &r->values[base / EMU_VALUE_WORD];
        *word = (*word & ~bits) | (values & bits);
    }
}

/* ---- what a launch writes ---------------------------------------------------------------------------------------- */

void emu_values_take(struct emu *e, uint64_t at, const uint64_t words[EMU_VALUE_WORDS])
{
    struct emu_region *r = NULL;

    for (unsigned i = 0; i < EMU_VALUE_WORDS; i++) {
        const uint64_t here = at + i * EMU_VALUE_WORD;
        if (!words[i])
            continue;
        if (!r || here - r->at >= r->size)
            r = emu_region_of(e, here);
        /* Memory of the host's own may begin anywhere: its bits have no words of their own. */
        if (r && !r->written && (r->at % EMU_VALUE_WORD == 0) && (words[i] & ~emu_values_word(r, here - r->at)) &&
            make(r))
            r->values[(here - r->at) / EMU_VALUE_WORD] |= words[i];
    }
}

/* Whether a page has anything that is not known yet. */
static bool is_news(struct emu *e, uint64_t at, const uint64_t words[EMU_VALUE_WORDS])
{
    for (unsigned i = 0; i < EMU_VALUE_WORDS; i++) {
        const uint64_t here = at + i * EMU_VALUE_WORD;
        const struct emu_region *r = words[i] ? emu_region_of(e, here) : NULL;
        if (r && !r->written && words[i] & ~emu_values_word(r, here - r->at))
            return true;
    }
    return false;
}

void emu_values_keep(struct emu *e, uint64_t at, const uint64_t words[EMU_VALUE_WORDS])
{
    struct emu_values_page *page;

    if (!is_news(e, at, words))
        return;
    page = malloc(sizeof *page);
    if (!page) {
        emu_values_lose(e);
        return;
    }
    page->at = at;
    memcpy(page->words, words, sizeof page->words);
    pthread_mutex_lock(&e->lock);
    page->next = e->kept;
    e->kept = page;
    pthread_mutex_unlock(&e->lock);
}

void emu_values_lose(struct emu *e)
{
    pthread_mutex_lock(&e->lock);
    e->lost = true;
    pthread_mutex_unlock(&e->lock);
}

struct emu_values_mark emu_values_mark(struct emu *e)
{
    return (struct emu_values_mark){ e->kept, e->lost };
}

void emu_values_back(struct emu *e, struct emu_values_mark to)
{
    while (e->kept != to.kept) {
        struct emu_values_page *page = e->kept;
        e->kept = page->next;
        free(page);
    }
    e->lost = to.lost;
}

void emu_values_settle(struct emu *e)
{
    for (const struct emu_values_page *page = e->kept; page && !e->lost; page = page->next)
        emu_values_take(e, page->at, page->words);
    for (size_t i = 0; i < e->region_count; i++) {
        e->regions[i].host = false;
        if (e->lost)
            all_written(&e->regions[i]);
    }
    emu_values_back(e, (struct emu_values_mark){ NULL, false });
}
// SPDX-License-Identifier: Apache-2.0
