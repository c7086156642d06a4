/* What would mend this program, where the broken rule alone does not say it. */
#ifndef COPYCHECK_EMU_JUDGE_MEND_H
#define COPYCHECK_EMU_JUDGE_MEND_H

#include "harness/emu/judge/meets.h"

/* A buffer is filled again by this copy while it may still be read: what orders the reads before the copy, and why what
 * is there does not. Writes nothing for other rules. */
void order_mend_reuse(const struct order *o, const struct order_conflict *c, const struct order_flight *copy,
                      const struct ck_rule *rule, char *out, size_t size);

/* Two threads race; they: the one of the access before, NULL if it is of another cluster. */
const char *order_mend_race(const struct order *o, const struct order_conflict *c, const struct order_thread *they);

/* Two threads race, and this one of them has waited for a phase of an mbarrier that was complete without the other. */
const char *order_mend_phase(const struct order *o, const struct order_thread *x);

/* Two threads have issued the same copy, each as often as the other. */
bool order_are_twins(const struct order_flight *a, const struct order_flight *b);
/* Two copies write one place, and nothing orders them. */
const char *order_mend_copies(const struct order_flight *a, const struct order_flight *b);
/* The same where the first one reads what the second writes; mine: one thread issues both. */
const char *order_mend_source(const struct order_flight *read, bool mine);

/* The CTA's barrier that stands last before this instruction; NULL: none. */
const struct ptx_instruction *order_barrier_before(const struct ptx_module *m, const struct ptx_instruction *i);

#endif
// SPDX-License-Identifier: Apache-2.0
