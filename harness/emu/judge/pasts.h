/* The pasts of a thread in all respects, which threads share as long as they know the same. */
#ifndef COPYCHECK_EMU_JUDGE_PASTS_H
#define COPYCHECK_EMU_JUDGE_PASTS_H

#include "harness/emu/judge/state.h"

/* Of so many views, with nothing known. NULL: there is no memory. */
struct order_pasts *order_pasts_new(struct order *o, uint32_t views);
/* The same pasts, for one who changes them. NULL: there is no memory. */
struct order_pasts *order_pasts_copy(struct order *o, const struct order_pasts *p);
/* The thread's pasts, which it has alone from now on and may change. NULL: there is no memory. */
struct order_past *order_pasts_own(struct order *o, struct order_thread *t);
void order_pasts_free(struct order_pasts *p);
bool order_pasts_same(const struct order_pasts *a, const struct order_pasts *b);

static inline struct order_pasts *order_pasts_keep(struct order_pasts *p)
{
    p->refs++;
    return p;
}

/* So many who kept it drop it. */
static inline void order_pasts_drop_some(struct order_pasts *p, uint32_t refs)
{
    p->refs -= refs;
    if (!p->refs)
        order_pasts_free(p);
}

/* p may be NULL. */
static inline void order_pasts_drop(struct order_pasts *p)
{
    if (p)
        order_pasts_drop_some(p, 1);
}

static inline void order_pasts_set(struct order_pasts **at, struct order_pasts *p)
{
    order_pasts_keep(p);
    order_pasts_drop(*at);
    *at = p;
}

#endif
// SPDX-License-Identifier: Apache-2.0
