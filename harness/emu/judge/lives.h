/* What the emulator remembers of an mbarrier object beside its eight bytes: that it is alive, the number of its phase,
 * who made up its counts, and what was done to its bytes. By it a finding can name the fault, not only its effect. */
#ifndef COPYCHECK_EMU_LIFE_H
#define COPYCHECK_EMU_LIFE_H

#include "harness/emu/copies/async.h"

/* LIFE_LOST: after a finding that leaves open what the object is; nothing more is said of it. */
enum life_state { LIFE_NONE, LIFE_ALIVE, LIFE_ENDED, LIFE_LOST };

enum life_touch { LIFE_UNTOUCHED, LIFE_READ, LIFE_WRITTEN };

/* What one instruction has added to the counts of the current phase. */
enum life_kind { LIFE_ARRIVED, LIFE_EXPECTED, LIFE_DELIVERED };

struct life_share {
    enum life_kind kind;
    uint32_t times;
    uint64_t amount;        /* arrivals or bytes */
    struct emu_place first; /* who did it first */
};

/* What a thread of the cluster has had to do with the object: phases plus 1, 0 for none. */
struct life_thread {
    uint32_t seen, arrived; /* the last phase that a wait of its saw complete; that it arrived in */
    uint32_t epoch;         /* its place in its program at its last operation: order.c */
};

struct emu_life {
    struct emu_cta *cta; /* that it lies in, and where */
    uint64_t offset;
    enum life_state state;
    uint16_t serial;              /* of the inits in the CTA: what its states are known by */
    bool followed;                /* what each thread does with it is kept */
    bool observed;                /* a wait on the phase before this one came true, or there is none before */
    uint32_t flying;              /* copies issued and not landed that signal it */
    uint64_t phase;               /* number of the current phase */
    uint64_t bits;                /* its bytes, as the last operation left them */
    struct emu_place made, ended; /* its init; its inval */
    enum life_touch touched;      /* its bytes, by an ordinary access since the last operation */
    struct emu_place touch;
    const struct ck_rule *lost_by; /* of LIFE_LOST: the rule of that finding */
    const struct emu_thread *user; /* who used it before it was made, NULL: nobody */
    struct emu_place use;
    struct life_share *shares;
    uint32_t share_count, share_room;
    struct life_thread *threads; /* by number in the cluster */
    uint32_t thread_count;
};

/* The memory of an object's place, made if it is not there. NULL where memory runs out. */
struct emu_life *emu_life_at(struct emu_cta *cta, uint64_t offset);
/* The same, and NULL too where no mbarrier operation has been at that place. */
struct emu_life *emu_life_find(const struct emu_cta *cta, uint64_t offset);
/* What a thread has had to do with it; NULL where it is not followed. */
struct life_thread *emu_life_thread(struct emu_life *l, const struct emu_thread *t);
void emu_lives_free(struct emu_cta *cta);

/* Whether an operation other than init may go on; else a finding is filed, or kept until it is clear which. */
bool emu_life_use(struct emu_thread *t, struct emu_life *l);
void emu_life_init(struct emu_thread *t, struct emu_life *l, const struct ck_rule *broken);
void emu_life_inval(struct emu_thread *t, struct emu_life *l);
/* An arrival is about to be counted; counts have changed, by so much; the phase has completed. */
void emu_life_arrive(struct emu_thread *t, struct emu_life *l);
void emu_life_share(struct emu_thread *t, struct emu_life *l, enum life_kind kind, uint64_t amount);
void emu_life_phase(struct emu_thread *t, struct emu_life *l);
/* A wait came true. */
void emu_life_seen(struct emu_thread *t, struct emu_life *l);

/* An ordinary access of shared memory, a thread's own or a copy's: told before it takes place. */
void emu_life_touch(struct emu_thread *t, struct emu_cta *cta, uint64_t offset, uint64_t n, enum emu_access access);
/* A copy is issued: what it reads, writes and signals; it is about to signal the object of this CTA. */
void emu_life_fly(struct emu_flight *f);
void emu_life_land(struct emu_flight *f, struct emu_cta *cta);
/* The cluster is over: what was kept is told. */
void emu_lives_end(struct emu_cluster *c);

/* Files a finding about an object: the place now, another one (NULL: none), what happened (a printf), and a remedy. The
 * object's counts are added. */
void emu_life_find_fault(struct emu_thread *t, const struct ck_rule *rule, const struct emu_life *l,
                         const struct emu_place *there, const char *remedy, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
/* An object's counts in words. */
void emu_life_counts(const struct emu_life *l, char *out, size_t size);

#endif
