/* The shadow of memory by pages: shared memory's is the cluster's, global memory's the grid's. */
#ifndef COPYCHECK_EMU_JUDGE_PAGES_H
#define COPYCHECK_EMU_JUDGE_PAGES_H

#include "harness/emu/judge/singles.h"

/* The page of a byte, made if it is not there; NULL: there is no memory. The second one may be one whose lines are
 * alike, the first one never is. */
struct order_page *order_page_of(struct order *o, uint64_t key);
struct order_page *order_page_find(struct order *o, uint64_t key);
/* Of no address. */
extern struct order_page order_page_none;
/* No page is thought of as touched lately. */
void order_pages_none_near(struct order *o);
/* A line of the page of this byte, which may be one whose lines are alike: tells what of it is written, no more. NULL:
 * there is no memory. */
const struct order_line *order_line_written_of(struct order *o, uint64_t key);
/* Whether any of these bytes have a value, and whether all have. Bytes of which nothing is kept count as written. */
void order_values_of(struct order *o, uint64_t key, uint64_t n, bool *any, bool *all);
/* That of this number (key >> PAGE_BITS); NULL: there is none. */
struct order_page *order_page_there(const struct order_pages *p, uint64_t number);
void order_pages_free(struct order_pages *p);
void order_grid_free_pages(struct order_grid *g); /* those of global memory */
/* Tells the machine which bytes of global memory the grid has written; `ahead`: a cluster that runs ahead of its turns.
 */
void order_grid_tell_written(const struct order_grid *g, bool ahead);
/* The shadow of the address takes so many bytes more (below 0: fewer). Where that of global memory takes more than it
 * may, it is given up with the next access. */
void order_pages_take(struct order *o, uint64_t key, int64_t bytes);

/* Gives the line of the byte its lists, if it has singles. */
static inline void order_line_open(struct order *o, uint64_t key, struct order_line *line)
{
    if (order_line_has_singles(line))
        order_pages_take(o, key, order_singles_open(line));
}

/* Which of o->near has the page of a byte of shared memory, or of global memory. */
static inline unsigned order_near_in(uint64_t key, bool shared)
{
    return (unsigned)(key >> PAGE_BITS ^ (shared ? NEAR_PAGES / 2 : 0)) % NEAR_PAGES;
}
static inline unsigned order_near_of(uint64_t key)
{
    return order_near_in(key, order_is_shared(key));
}
/* The line of a byte in its page; written so that it takes one multiplication. */
static inline struct order_line *order_line_in(struct order_page *p, uint64_t key)
{
    const unsigned line = (unsigned)(key % (1 << PAGE_BITS)) & ~(LINE - 1u);

    return (struct order_line *)((char *)p->lines + line * (unsigned)sizeof *p->lines / LINE);
}
static inline struct order_line *order_line_of(struct order *o, uint64_t key)
{
    struct order_page *p = o->near[order_near_of(key)];

    if (p->open != key >> PAGE_BITS)
        p = order_page_of(o, key);
    return p ? order_line_in(p, key) : NULL;
}
/* The same as order_page_find, sooner where the page has been touched lately. */
static inline struct order_page *order_page_at(struct order *o, uint64_t key)
{
    struct order_page *p = o->near[order_near_of(key)];

    return p->key == key >> PAGE_BITS ? p : order_page_find(o, key);
}

#endif
// SPDX-License-Identifier: Apache-2.0
