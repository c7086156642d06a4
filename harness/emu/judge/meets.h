/* A thread meets a copy that is not known to be done: which rule that breaks. */
#ifndef COPYCHECK_EMU_JUDGE_MEETS_H
#define COPYCHECK_EMU_JUDGE_MEETS_H

#include "harness/emu/judge/state.h"

/* Two accesses that break a rule. */
struct order_conflict {
    struct emu_thread *t; /* who accesses now */
    uint32_t flight;      /* by which copy, PTX_NO: itself */
    uint8_t kind;
    const struct order_record *r; /* the access before */
    enum order_fault {
        FAULT_ORDER,
        FAULT_SAME_VALUE,
        FAULT_READ_ONLY,
        FAULT_CACHED
    } fault;         /* what is wrong with the two */
    uint32_t before; /* 1 and the number of a copy that had written there earlier, or 0 */
    uint64_t key, bytes;
};

struct verdict {
    const struct ck_rule *rule;
    const char *remedy;
    const struct ck_rule *also, *more;   /* others that this fault breaks, or NULL */
    const struct ptx_instruction *cause; /* the instruction at fault, if it is neither of the two accesses; or NULL */
};

/* The thread's access and the copy before it, of this cluster or another, are not ordered. */
struct verdict order_meets_copy(const struct order *o, const struct order_conflict *c, const struct order_flight *f);

/* A copy meets one of a group, f, that is not known to be done: whether a wait is there that does not cover f, as a
 * verdict with `also` beside it; no rule where it is not so. */
struct verdict order_missed_group(const struct order *o, const struct order_conflict *c, const struct order_flight *f,
                                  const struct ck_rule *also);

/* A bulk copy meets the cp.async f, which is not known to be done and for whose group no wait is amiss. */
struct verdict order_bulk_meets_cp_async(const struct order *o, const struct order_conflict *c,
                                         const struct order_flight *f);

/* Of a store of another cluster the thread knows that its source has been read, and not that it is complete. */
bool order_source_alone_known(const struct order *o, uint32_t thread, const struct order_flight *f);

/* ---- what also a copy is asked that meets something ---- */

const struct ptx_instruction *order_instruction_at(const struct order *o, uint32_t at); /* NULL of PTX_NO */
/* A thread of this cluster by its number in the grid; NULL: it is another cluster's. */
const struct order_thread *order_thread_of(const struct order *o, uint32_t who);
/* Whether this thread knows the copy done that had written there earlier: then it is late for that one's bytes, and the
 * copy in flight came too soon. */
bool order_knew_before(const struct order *o, const struct order_conflict *c, uint32_t thread);
/* The thread knows the copy complete but for a relaxed operation on the way: the rule about that one, or NULL. */
const struct ck_rule *order_known_loosely(const struct order *o, const struct order_flight *f, uint32_t thread,
                                          bool wrote);
/* The thread's last mbarrier wait was on one that the copy signals, and came true for a phase that the thread had seen
 * complete before; for a new phase that completed without a byte. */
bool order_waited_for_old_phase(const struct order *o, const struct order_thread *me, const struct order_flight *f);
bool order_announced_late(const struct order *o, const struct order_thread *me, const struct order_flight *f);
/* The thread has executed cp.async.mbarrier.arrive on the mbarrier that this one waited on last. */
bool order_tied_to(const struct order_thread *issuer, const struct order_thread *me);

/* The copy's issuer has waited again for a phase behind which it had issued a copy: that, and what follows from it. */
struct verdict order_issued_again(const struct order *o, const struct order_flight *f, const struct ck_rule *also);

extern const char order_old_phase_remedy[], order_announce_remedy[], order_relaxed_remedy[];

#endif
// SPDX-License-Identifier: Apache-2.0
