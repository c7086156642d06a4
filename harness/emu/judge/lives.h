/* What the judge remembers of an mbarrier object beyond what the machine knows of it: who made up its counts, who
 * waited for which phase, and what was done to its bytes. With that a finding can name the fault, not only its effect.
 * Works with the order checker on and off. */
#ifndef COPYCHECK_EMU_JUDGE_LIVES_H
#define COPYCHECK_EMU_JUDGE_LIVES_H

#include "harness/emu/copies/flight.h"
#include "harness/emu/copies/mbarrier_objects.h"

enum life_touch { LIFE_UNTOUCHED, LIFE_READ, LIFE_WRITTEN };

/* What one instruction has added to the counts of the current phase. */
struct life_share {
    enum emu_mbarrier_count kind;
    uint32_t times;
    uint64_t amount;        /* arrivals or bytes */
    uint64_t filled;        /* of delivered bytes, those that tensor loads filled, outside the tensor */
    struct emu_place first; /* who did it first */
};

/* What a thread of the cluster has had to do with the object: phases plus 1, 0 for none. */
struct life_thread {
    uint32_t seen, arrived; /* the last phase that a wait of its saw complete; that it arrived in */
    uint32_t epoch;         /* of its last operation: order_epoch */
    uint32_t line;          /* of its last arrival */
    bool twice;             /* it has arrived twice in a phase, at two places of the program */
};

struct life {
    bool followed;                     /* what each thread does with it is kept */
    bool observed;                     /* a wait on the phase before this one came true, or there is none before */
    uint32_t flying;                   /* copies issued and not landed that signal it */
    uint32_t arriving;                 /* cp.async.mbarrier.arrive.noinc issued that have not arrived */
    uint64_t filled;                   /* bytes that the copy which signals now has filled, outside its tensor */
    uint64_t unmade, lost_bytes;       /* bytes that copies brought before there was an object; before its init */
    uint64_t announced, brought;       /* bytes expected, and delivered, since its init */
    struct emu_place completed, early; /* what completed a phase first while a copy was in flight; the copy */
    struct emu_place made, ended;      /* its init; its inval */
    enum life_touch touched;           /* its bytes, by an ordinary access since the last operation */
    struct emu_place touch;
    const struct ck_rule *lost_by; /* of a lost object: the rule of that finding */
    const struct emu_thread *user; /* who used it before it was made, NULL: nobody */
    struct emu_place use;
    struct life_share *shares;
    uint32_t share_count, share_room;
    struct life_thread *threads; /* by number in the cluster */
    uint32_t thread_count;
};

/* What the judge knows of the object; NULL: nothing. */
static inline struct life *life_known(const struct emu_mbarrier *m)
{
    return m->judged;
}
/* What a thread has had to do with it; NULL: nothing, or it is not followed. */
const struct life_thread *life_seen_by(const struct emu_mbarrier *m, const struct emu_thread *t);

/* The events of machine/watch.h, as far as they concern an object's life. */
void life_use(struct emu_thread *t, struct emu_mbarrier *m);
void life_init(struct emu_thread *t, struct emu_mbarrier *m, const struct ck_rule *broken);
void life_inval(struct emu_thread *t, struct emu_mbarrier *m);
void life_arrive(struct emu_thread *t, struct emu_mbarrier *m);
void life_count(struct emu_thread *t, struct emu_mbarrier *m, enum emu_mbarrier_count what, uint64_t amount);
void life_phase(struct emu_thread *t, struct emu_mbarrier *m);
void life_seen(struct emu_thread *t, struct emu_mbarrier *m); /* a wait came true */
void life_copy_issued(struct emu_flight *f);
void life_copy_signals(struct emu_flight *f, struct emu_cta *cta, uint64_t offset);

/* An ordinary access of shared memory, a thread's own or a copy's, is about to take place. */
void life_touch(struct emu_thread *t, struct emu_cta *cta, uint64_t offset, uint64_t n, enum emu_access access);
/* Whether it may touch an mbarrier: asked first where speed matters. */
static inline bool life_near(const struct emu_cta *cta, uint64_t offset, uint64_t n)
{
    const struct emu_mbarriers *all = cta->mbarriers;

    return all && offset < all->last + EMU_MBARRIER_BYTES && offset + n > all->first;
}

/* The cluster is over, or stands still (done), or the run has ended before: files the findings that were kept until it
 * is clear what they are. */
void lives_end(struct emu_cluster *c, bool done);
void lives_free(struct emu_cluster *c);

#endif
// SPDX-License-Identifier: Apache-2.0
