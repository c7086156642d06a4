/* What a launch has written, and what copies hand on: the bits of values.c, by address. */
#include "harness/emu/machine/written.h"

#include <stdlib.h>
#include <string.h>

#include "harness/emu/machine/regions.h"
#include "harness/emu/machine/values.h"

/* What clusters that ran ahead have written in a page. */
struct emu_written_page {
    struct emu_written_page *next;
    uint64_t at, words[EMU_WRITTEN_WORDS];
};

void emu_written_copy(struct emu *e, uint64_t to, uint64_t from, uint64_t n)
{
    struct emu_region *r = emu_region_of(e, to), *source = emu_region_of(e, from);

    if (r && source)
        emu_values_copy(r, to - r->at, source, from - source->at, n);
    else if (r)
        emu_values_set(r, to - r->at, n);
}

bool emu_written_known(struct emu *e, uint64_t at)
{
    const struct emu_region *r = emu_region_of(e, at);

    return r && r->written && r->at + r->size - at >= EMU_WRITTEN_WORDS * EMU_VALUE_WORD;
}

void emu_written_take(struct emu *e, uint64_t at, const uint64_t words[EMU_WRITTEN_WORDS])
{
    struct emu_region *r = NULL;

    for (unsigned i = 0; i < EMU_WRITTEN_WORDS; i++) {
        const uint64_t here = at + i * EMU_VALUE_WORD;
        if (!words[i])
            continue;
        if (!r || here - r->at >= r->size)
            r = emu_region_of(e, here);
        /* Memory of the host's own may begin anywhere: its bits have no words of their own. */
        if (r && !r->written && r->at % EMU_VALUE_WORD == 0)
            emu_values_add(r, here - r->at, words[i]);
    }
}

/* Whether a page has anything that is not known yet. */
static bool is_news(struct emu *e, uint64_t at, const uint64_t words[EMU_WRITTEN_WORDS])
{
    const struct emu_region *r = NULL;

    for (unsigned i = 0; i < EMU_WRITTEN_WORDS; i++) {
        const uint64_t here = at + i * EMU_VALUE_WORD;
        if (!words[i])
            continue;
        if (!r || here - r->at >= r->size)
            r = emu_region_of(e, here);
        if (r && !r->written && words[i] & ~emu_values_word(r, here - r->at))
            return true;
    }
    return false;
}

void emu_written_keep(struct emu *e, uint64_t at, const uint64_t words[EMU_WRITTEN_WORDS])
{
    struct emu_written_page *page;

    if (!is_news(e, at, words))
        return;
    page = malloc(sizeof *page);
    if (!page) {
        emu_written_lose(e);
        return;
    }
    page->at = at;
    memcpy(page->words, words, sizeof page->words);
    pthread_mutex_lock(&e->lock);
    page->next = e->kept;
    e->kept = page;
    pthread_mutex_unlock(&e->lock);
}

void emu_written_lose(struct emu *e)
{
    pthread_mutex_lock(&e->lock);
    e->lost = true;
    pthread_mutex_unlock(&e->lock);
}

struct emu_written_mark emu_written_mark(struct emu *e)
{
    return (struct emu_written_mark){ e->kept, e->lost };
}

void emu_written_back(struct emu *e, struct emu_written_mark to)
{
    while (e->kept != to.kept) {
        struct emu_written_page *page = e->kept;
        e->kept = page->next;
        free(page);
    }
    e->lost = to.lost;
}

void emu_written_settle(struct emu *e)
{
    for (const struct emu_written_page *page = e->kept; page && !e->lost; page = page->next)
        emu_written_take(e, page->at, page->words);
    for (size_t i = 0; i < e->region_count; i++) {
        e->regions[i].host = false;
        if (e->lost)
            emu_values_all(&e->regions[i]);
    }
    emu_written_back(e, (struct emu_written_mark){ NULL, false });
}
// SPDX-License-Identifier: Apache-2.0
