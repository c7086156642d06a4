/* Weak loads and stores of one value, from near to far: firsts.c asks for the rest of plain.c. */
#ifndef COPYCHECK_EMU_JUDGE_PLAIN_H
#define COPYCHECK_EMU_JUDGE_PLAIN_H

#include "harness/emu/judge/pages.h"
#include "harness/emu/machine/address.h"

/* An access of the thread's own shared memory, or of global memory. */
void order_plain_load_shared(struct emu_thread *t, uint32_t at, struct emu_cta *cta, uint64_t address, unsigned n);
void order_plain_load_global(struct emu_thread *t, uint32_t at, uint64_t key, unsigned n);
void order_plain_store_shared(struct emu_thread *t, uint32_t at, struct emu_cta *cta, uint64_t address, unsigned n,
                              enum emu_access access);
void order_plain_store_global(struct emu_thread *t, uint32_t at, uint64_t key, unsigned n, enum emu_access access);
/* The same where nobody has accessed any bytes of their list, in a line of global memory that was found near. */
void order_plain_load_first(struct emu_thread *t, uint32_t at, struct order_line *line, uint64_t key, unsigned n);
void order_plain_store_first(struct emu_thread *t, uint32_t at, struct order_line *line, uint64_t key, unsigned n,
                             enum emu_access access);

/* Of a word of `written`, the bits of 1, 2, 4, 8 or 16 bytes that are aligned: they lie in one word. */
static inline uint64_t bits_at(unsigned first, unsigned n)
{
    static const uint16_t bytes[] = { [1] = 1, [2] = 3, [4] = 15, [8] = 255, [16] = 65535 };

    return (uint64_t)bytes[n] << first % 64;
}

static const uint8_t store_kinds[] = { [EMU_WRITE] = RECORD_WRITE, [EMU_WRITE_SAME] = RECORD_WRITE | RECORD_SAME };

static inline uint8_t load_kind(const struct order *o, uint32_t at)
{
    return o->grid->loads ? o->grid->loads[at] : 0;
}

/* The line of an access, where its page has been touched lately; NULL: it is to be looked for, or the access is to be
 * looked at as one of a tile. */
static inline struct order_line *near_line(const struct order *o, uint64_t key, bool shared)
{
    struct order_page *page = o->near[order_near_in(key, shared)];

    return page->open == key >> PAGE_BITS ? order_line_in(page, key) : NULL;
}

/* Whether someone has written all of these bytes, as in bits_at. */
static inline bool is_written(const struct order_line *line, unsigned first, unsigned n)
{
    return !(bits_at(first, n) & ~line->written[first / 64]);
}

/* What a thread does now, as a record. */
static inline struct order_record record_of(const struct emu_thread *t, uint32_t at, uint8_t kind)
{
    const struct order_thread *me = t->order;

    return (
        struct order_record){ .who = me->number, .epoch = me->view[VIEW_GENERIC].own[OWN_NOW], .at = at, .kind = kind };
}

#endif
// SPDX-License-Identifier: Apache-2.0
