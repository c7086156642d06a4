/* Weak loads and stores of one value: first those of global memory in lines that have singles. */
#include "harness/emu/judge/firsts.h"

#include "harness/emu/judge/plain.h"
#include "harness/emu/judge/singles.h"

/* Of one cell, whether it is among these. */
static inline bool is_among(uint32_t cells, uint64_t key)
{
    return cells >> key % LINE / CELL & 1;
}

/* The thread's own access of just these bytes, if it is there: as is_just and put_apart say; NULL: it is not. */
static struct order_single *single_of(const struct emu_thread *t, uint64_t key, unsigned n, uint8_t kind,
                                      struct order_singles *all)
{
    const unsigned first = (unsigned)(key % LINE), c = first / CELL;
    struct order_single *s = &all->of[c];

    if (n > CELL || !(order_singles_has(all) >> c & 1) || s->who != ((const struct order_thread *)t->order)->number ||
        s->kind != kind || s->first != first || s->last != first + n - 1)
        return NULL;
    return s;
}

/* Keeps the first access of a cell. */
static inline __attribute__((always_inline)) void put_single(struct emu_thread *t, uint32_t at, uint64_t key,
                                                             unsigned n, uint8_t kind, struct order_singles *s)
{
    const unsigned first = (unsigned)(key % LINE);
    const uint64_t c = first / CELL;

    s->open &= ~(1u << c);
    order_single_put(&s->of[c], record_of(t, at, kind), first, n);
}

/* The same while there are few. */
static inline void put_few(struct emu_thread *t, uint32_t at, uint64_t key, unsigned n, uint8_t kind,
                           struct order_singles *s)
{
    const struct order_record now = record_of(t, at, kind);

    order_singles_put(t->cta->cluster->order, s, &now, (unsigned)(key % LINE), n);
}

/* Whether a line that was found near has a list with a single span. */
static inline bool has_one(const struct order_line *line)
{
    return !line->cells && line->list.n == 1;
}

/* ---- loads ------------------------------------------------------------------------------------------------------- */

/* From here on functions have the same parameters, so that one goes over to the next at once. */
static __attribute__((noinline)) void load_few(struct emu_thread *t, uint32_t at, struct order_line *line, uint64_t key,
                                               unsigned n)
{
    put_few(t, at, key, n, load_kind(t->cta->cluster->order, at), line->singles);
}

/* The thread has accessed these bytes before; or the line gets its lists. */
static __attribute__((noinline)) void load_singly(struct emu_thread *t, uint32_t at, struct order_line *line,
                                                  uint64_t key, unsigned n)
{
    struct order *o = t->cta->cluster->order;
    const struct order_single *s = single_of(t, key, n, load_kind(o, at), line->singles);

    if (s && s->epoch == ((const struct order_thread *)t->order)->view[VIEW_GENERIC].own[OWN_NOW] &&
        is_written(line, (unsigned)(key % LINE), n))
        return;
    order_line_open(o, key, line);
    order_plain_load_global(t, at, key, n);
}

/* Any load of global memory but the most frequent ones. */
static __attribute__((noinline)) void load_otherwise(struct emu_thread *t, uint32_t at, struct order_line *line,
                                                     uint64_t key, unsigned n)
{
    struct order *o = t->cta->cluster->order;

    if (line && order_line_has_singles(line)) {
        struct order_singles *s = line->singles;
        if (n > CELL || !is_among(s->open & s->written, key))
            load_singly(t, at, line, key, n);
        else if (s->n <= SPANS_OF_LINE)
            load_few(t, at, line, key, n);
        else
            put_single(t, at, key, n, load_kind(o, at), s);
        return;
    }
    if (line && has_one(line) && is_written(line, (unsigned)(key % LINE), n)) {
        const struct order_record now = record_of(t, at, load_kind(o, at));
        const int64_t bytes = order_singles_begin(&o->grid->pages, line, key, &now, n);
        if (bytes) {
            order_pages_take(o, key, bytes);
            return;
        }
    }
    order_plain_load_global(t, at, key, n);
}

void order_load(struct emu_thread *t, uint32_t at, struct emu_cta *cta, uint64_t address, unsigned n)
{
    if (cta) {
        order_plain_load_shared(t, at, cta, address, n);
        return;
    }
    const struct order *o = t->cta->cluster->order;
    struct order_line *line = near_line(o, address, false);
    if (line && order_line_has_singles(line) && n == CELL &&
        is_among(line->singles->open & line->singles->written, address)) {
        if (line->singles->n > SPANS_OF_LINE)
            put_single(t, at, address, CELL, load_kind(o, at), line->singles);
        else
            load_few(t, at, line, address, n);
    } else if (line && !line->cells && !line->list.n) {
        order_plain_load_first(t, at, line, address, n);
    } else {
        load_otherwise(t, at, line, address, n);
    }
}

/* ---- stores ------------------------------------------------------------------------------------------------------ */

static inline void writes(struct order_line *line, uint64_t key, unsigned n)
{
    line->written[key % LINE / 64] |= n == CELL ? 0xfull << key % 64 : bits_at((unsigned)(key % LINE), n);
}

static __attribute__((noinline)) void store_few(struct emu_thread *t, uint32_t at, struct order_line *line,
                                                uint64_t key, unsigned n, enum emu_access access)
{
    writes(line, key, n);
    put_few(t, at, key, n, store_kinds[access], line->singles);
}

static __attribute__((noinline)) void store_singly(struct emu_thread *t, uint32_t at, struct order_line *line,
                                                   uint64_t key, unsigned n, enum emu_access access)
{
    struct order *o = t->cta->cluster->order;
    struct order_single *s = single_of(t, key, n, store_kinds[access], line->singles);

    if (s) {
        s->epoch = ((const struct order_thread *)t->order)->view[VIEW_GENERIC].own[OWN_NOW];
        s->at = at;
        return;
    }
    order_line_open(o, key, line);
    order_plain_store_global(t, at, key, n, access);
}

static __attribute__((noinline)) void store_otherwise(struct emu_thread *t, uint32_t at, struct order_line *line,
                                                      uint64_t key, unsigned n, enum emu_access access)
{
    struct order *o = t->cta->cluster->order;

    if (line && order_line_has_singles(line)) {
        struct order_singles *s = line->singles;
        if (n > CELL || !is_among(s->open, key)) {
            store_singly(t, at, line, key, n, access);
        } else if (s->n <= SPANS_OF_LINE) {
            store_few(t, at, line, key, n, access);
        } else {
            writes(line, key, n);
            put_single(t, at, key, n, store_kinds[access], s);
        }
        return;
    }
    if (line && has_one(line)) {
        const struct order_record now = record_of(t, at, store_kinds[access]);
        const int64_t bytes = order_singles_begin(&o->grid->pages, line, key, &now, n);
        if (bytes) {
            writes(line, key, n);
            order_pages_take(o, key, bytes);
            return;
        }
    }
    order_plain_store_global(t, at, key, n, access);
}

void order_store(struct emu_thread *t, uint32_t at, struct emu_cta *cta, uint64_t address, unsigned n,
                 enum emu_access access)
{
    if (cta) {
        order_plain_store_shared(t, at, cta, address, n, access);
        return;
    }
    struct order_line *line = near_line(t->cta->cluster->order, address, false);
    if (line && order_line_has_singles(line) && n == CELL && is_among(line->singles->open, address)) {
        if (line->singles->n > SPANS_OF_LINE) {
            writes(line, address, CELL);
            put_single(t, at, address, CELL, store_kinds[access], line->singles);
        } else {
            store_few(t, at, line, address, n, access);
        }
    } else if (line && !line->cells && !line->list.n) {
        order_plain_store_first(t, at, line, address, n, access);
    } else {
        store_otherwise(t, at, line, address, n, access);
    }
}
// SPDX-License-Identifier: Apache-2.0
