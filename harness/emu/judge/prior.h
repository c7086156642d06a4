/* A grid that may begin while the one before it is at work: programmatic dependent launch. What the first grid accessed
 * is kept until the launch behind it is over, and stands in the second one's shadow as accesses of one more thread,
 * which no thread knows of before griddepcontrol.wait. */
#ifndef COPYCHECK_EMU_JUDGE_PRIOR_H
#define COPYCHECK_EMU_JUDGE_PRIOR_H

#include "harness/emu/judge/state.h"

struct order_prior;

/* For what a grid accesses; NULL: there is no memory. All of it goes; `p` may be NULL. */
struct order_prior *order_prior_new(const struct emu_grid *g);
void order_prior_free(struct order_prior *p);
/* Its clusters ran ahead in vain, and are run again. */
void order_prior_again(struct order_prior *p);
/* Takes what the shadow of this grid holds, which is the grid itself or one of its clusters that ran ahead. */
void order_prior_take(struct order_prior *p, const struct order_grid *g);
/* Whether the grid let dependent grids begin early, and all of its accesses were kept. */
bool order_prior_counts(const struct order_prior *p);

/* Whether an access is one of the grid before, by who made it. */
static inline bool order_is_prior(const struct order *o, uint32_t who)
{
    return who == o->grid->before_who;
}
/* Puts the accesses of the grid before into a page that is new: how many bytes that takes. */
int64_t order_prior_seed(const struct order *o, struct order_page *page);
/* Whether the grid before writes any of these bytes of global memory, or accesses any that are written. */
bool order_prior_meets(const struct order_prior *p, uint64_t at, uint64_t n, bool writes);
/* An access of a grid that depends on one before, and one of that grid, and nothing orders the two. */
void order_prior_report(const struct order_access *x);
/* The thread executes griddepcontrol.wait, or .launch_dependents. */
void order_prior_event(struct emu_thread *t, bool wait);

#endif
// SPDX-License-Identifier: Apache-2.0
