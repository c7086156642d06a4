/* The shadow of memory by pages: shared memory's is the cluster's, global memory's the grid's. */
#ifndef COPYCHECK_EMU_JUDGE_PAGES_H
#define COPYCHECK_EMU_JUDGE_PAGES_H

#include "harness/emu/judge/state.h"

/* The page of a byte, made if it is not there; NULL: there is no memory. The second one may be one whose lines are
 * alike, the first one never is. */
struct order_page *order_page_of(struct order *o, uint64_t key);
struct order_page *order_page_find(struct order *o, uint64_t key);
/* A line of the page of this byte, which may be one whose lines are alike: tells what of it is written, no more. NULL:
 * there is no memory. */
const struct order_line *order_line_written_of(struct order *o, uint64_t key);
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

static inline unsigned order_near_of(uint64_t key)
{
    return (unsigned)(key >> PAGE_BITS ^ key >> 59) % NEAR_PAGES;
}
static inline struct order_line *order_line_of(struct order *o, uint64_t key)
{
    struct order_page *p = o->near[order_near_of(key)];

    if (!p || p->open != key >> PAGE_BITS)
        p = order_page_of(o, key);
    return p ? &p->lines[key % (1 << PAGE_BITS) / LINE] : NULL;
}
/* The same as order_page_find, sooner where the page has been touched lately. */
static inline struct order_page *order_page_at(struct order *o, uint64_t key)
{
    struct order_page *p = o->near[order_near_of(key)];

    return p && p->key == key >> PAGE_BITS ? p : order_page_find(o, key);
}

#endif
// SPDX-License-Identifier: Apache-2.0
