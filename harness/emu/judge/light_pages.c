/* Pages and lines of the light judge, and its doubts. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/room.h"
#include "harness/emu/judge/light_state.h"
#include "harness/emu/machine/claims.h"
#include "harness/emu/machine/regions.h"
#include "harness/emu/machine/spare.h"
#include "harness/emu/machine/values.h"
#include "harness/emu/machine/written.h"

enum { LINES = 63, PAGES = 20, SLOTS = 64 };

struct light_chunk {
    struct light_chunk *next;
    _Alignas(64) unsigned char of[];
};

void light_doubt(struct light *l)
{
    struct emu_run *run = l->cluster->run;

    l->doubts = true;
    atomic_store(run->claimer->doubted, true);
    emu_claim_give_up(run);
}

static struct light_page none = { .number = UINT64_MAX };

/* So many bytes more are taken; false: no more may be. */
static bool may_take(struct light *l, uint64_t bytes)
{
    struct emu *e = l->grid->machine;

    l->taken += bytes;
    return atomic_fetch_add(&e->shadow, bytes) + bytes <= e->options.max_memory;
}

/* One more of `size` bytes, with whatever is in them. */
static void *take(struct light *l, struct light_store *s, uint32_t of_chunk, size_t size)
{
    const size_t bytes = sizeof *s->chunks + of_chunk * size;

    if (!s->left) {
        struct light_chunk *c = may_take(l, bytes) ? emu_spare_take(l->grid->spare, bytes) : NULL;
        if (!c)
            return NULL;
        c->next = s->chunks;
        s->chunks = c;
        s->left = of_chunk;
    }
    s->left--;
    return s->chunks->of + s->left * size;
}

static void give(struct light *l, struct light_store *s, uint32_t of_chunk, size_t size)
{
    while (s->chunks) {
        struct light_chunk *c = s->chunks;
        s->chunks = c->next;
        emu_spare_give(l->grid->spare, c, sizeof *c + of_chunk * size);
    }
}

static size_t slots_bytes(const struct light *l)
{
    return l->room * sizeof *l->slots;
}

static struct light_page **slot_of(const struct light *l, uint64_t number)
{
    uint32_t k = (uint32_t)(number * 0x9E3779B97F4A7C15u >> 40) & (l->room - 1);

    while (l->slots[k] && l->slots[k]->number != number)
        k = (k + 1) & (l->room - 1);
    return &l->slots[k];
}

/* Room for one more page of global memory. */
static bool more_slots(struct light *l)
{
    struct emu_spare *spare = l->grid->spare;
    struct light_page **before = l->slots;
    const uint32_t room = l->room;
    const size_t bytes = slots_bytes(l);

    if (l->count * 2 < l->room)
        return true;
    l->room *= 2;
    l->slots = may_take(l, bytes) ? emu_spare_zeros(spare, slots_bytes(l)) : NULL;
    if (!l->slots) {
        l->slots = before;
        l->room = room;
        return false;
    }
    for (uint32_t i = 0; i < room; i++)
        if (before[i])
            *slot_of(l, before[i]->number) = before[i];
    emu_spare_give(spare, before, bytes);
    return true;
}

/* What of a page of global memory has a value from before the launch. */
static void values_before(const struct light *l, struct light_page *p)
{
    struct emu *e = l->grid->machine;
    const uint64_t from = p->number * LIGHT_PAGE, to = from + LIGHT_PAGE;
    const struct emu_region *one = emu_region_of(e, from);

    p->all = !l->init || (one && one->written && to - one->at <= one->size);
    if (p->all)
        return;
    memset(p->written, 0, sizeof p->written);
    for (size_t i = 0; i < e->region_count && e->regions[i].at < to; i++) {
        const struct emu_region *r = &e->regions[i];
        const uint64_t low = r->at > from ? r->at : from, end = r->at + r->size < to ? r->at + r->size : to;
        if (!r->written && !r->values)
            continue;
        for (uint64_t at = low / 64 * 64; at < end; at += 64) {
            const unsigned skip = at < low ? (unsigned)(low - at) : 0;
            const uint64_t ones = ~0ull << skip & (end - at < 64 ? (1ull << (end - at)) - 1 : ~0ull);
            p->written[(at - from) / 64] |= ones & (r->written ? ~0ull : emu_values_word(r, at - r->at));
        }
    }
    uint64_t every = ~0ull;
    for (unsigned i = 0; i < LIGHT_VALUES; i++)
        every &= p->written[i];
    p->all = every == ~0ull;
}

static struct light_page *page_new(struct light *l, bool shared, uint64_t number)
{
    struct light_page *p = take(l, &l->pages, PAGES, sizeof *p);

    if (!p)
        return NULL;
    p->number = number;
    p->wrote = false;
    memset(p->lines, 0, sizeof p->lines);
    if (!shared) {
        values_before(l, p);
        return p;
    }
    p->all = !l->init || l->grid->machine->options.unused;
    memset(p->written, 0, sizeof p->written);
    return p;
}

static struct light_page *page_of(struct light *l, bool shared, uint64_t number)
{
    struct light *of = shared ? l : l->global;
    struct light_page **at;

    if (shared ? number >= LIGHT_SHARED_PAGES : !more_slots(of)) {
        light_doubt(l);
        return NULL;
    }
    at = shared ? &l->shared[number] : slot_of(of, number);
    if (!*at) {
        *at = page_new(of, shared, number);
        of->count += !shared && *at;
    }
    if (!shared && *at)
        of->near[number % LIGHT_NEAR] = *at;
    return *at;
}

static size_t line_bytes(const struct light *l)
{
    return l->owned ? sizeof(struct light_owned) : sizeof(struct light_line);
}

struct light_line *light_line_far(struct light *l, bool shared, uint64_t at, struct light_page **page)
{
    struct light_page *p = page_of(l, shared, at / LIGHT_PAGE);
    struct light_line **line = p ? &p->lines[at / LIGHT_LINE % LIGHT_LINES] : NULL;
    struct light *of = shared ? l : l->global;

    *page = p;
    if (line && !*line) {
        *line = take(of, &of->lines, LINES, line_bytes(of));
        if (*line)
            memset(*line, 0, line_bytes(of));
    }
    if (!line || !*line) {
        light_doubt(l);
        return NULL;
    }
    return *line;
}

struct light_bytes *light_split(struct light *l, bool shared, struct light_line *line, unsigned cell)
{
    struct light *of = shared ? l : l->global;
    struct light_bytes *all = ck_room(of->bytes, of->byte_count, &of->byte_room, 64, sizeof *all), *b;

    if (!all) {
        light_doubt(l);
        return NULL;
    }
    of->bytes = all;
    b = &all[of->byte_count];
    for (unsigned i = 0; i < LIGHT_CELL; i++) {
        b->w[i] = line->w[cell];
        b->r[i] = line->r[cell];
    }
    line->w[cell] = LIGHT_SPLIT;
    line->r[cell] = (uint32_t)of->byte_count++;
    return b;
}

bool light_begin(struct light *l)
{
    l->now = 1;
    l->barrier = 1 << LIGHT_TIME_SHIFT;
    if (l->global != l)
        return true;
    l->room = SLOTS;
    for (unsigned i = 0; i < LIGHT_NEAR; i++)
        l->near[i] = &none;
    l->slots = emu_spare_zeros(l->grid->spare, slots_bytes(l));
    return l->slots != NULL;
}

void light_keep(struct light *l)
{
    for (uint32_t i = 0; i < l->room; i++)
        if (l->slots[i] && l->slots[i]->wrote && !l->slots[i]->all)
            emu_written_keep(l->grid->machine, l->slots[i]->number * LIGHT_PAGE, l->slots[i]->written);
}

void light_end(struct light *l, bool counts)
{
    struct emu *e = l->grid->machine;

    if (counts)
        light_keep(l);
    if (l->slots)
        emu_spare_give(l->grid->spare, l->slots, slots_bytes(l));
    give(l, &l->pages, PAGES, sizeof(struct light_page));
    give(l, &l->lines, LINES, line_bytes(l));
    free(l->bytes);
    atomic_fetch_sub(&e->shadow, l->taken);
}

/* What is left of a record from before the last barrier. */
static uint32_t old(uint32_t record)
{
    if (!record || record == LIGHT_FLYING)
        return record;
    return (record & (LIGHT_NC | LIGHT_WEAK | LIGHT_WHO)) | 1u << LIGHT_TIME_SHIFT;
}

static void rebase_line(struct light_line *line)
{
    for (unsigned i = 0; i < LIGHT_CELLS; i++) {
        if (line->w[i] == LIGHT_SPLIT)
            continue;
        line->w[i] = old(line->w[i]);
        line->r[i] = old(line->r[i]);
    }
}

void light_rebase(struct light *l)
{
    if (l->all) { /* others keep its times too */
        light_doubt(l);
        return;
    }
    for (struct light_chunk *c = l->lines.chunks; c; c = c->next)
        for (uint32_t i = c == l->lines.chunks ? l->lines.left : 0; i < LINES; i++)
            rebase_line((struct light_line *)(void *)c->of + i);
    for (size_t i = 0; i < l->byte_count; i++)
        for (unsigned k = 0; k < LIGHT_CELL; k++) {
            l->bytes[i].w[k] = old(l->bytes[i].w[k]);
            l->bytes[i].r[k] = old(l->bytes[i].r[k]);
        }
    memset(l->met, 0, sizeof l->met);
    l->now = 2;
    l->barrier = 2u << LIGHT_TIME_SHIFT;
}
// SPDX-License-Identifier: Apache-2.0
