/* A program: a list of steps on mbarrier objects, built by a case, carried out by the kernel mbarrier_steps, and
 * followed at the same time by the oracle's object (expected/mbarrier.h).
 *
 *     struct program *p = program(t, 1, 1);
 *     mb_init(p, 2);
 *     mb_arrive(p);
 *     mb_test_parity(p, 0, false);
 *     mb_arrive(p);
 *     mb_test_parity(p, 0, true);
 *     program_run(p);
 *
 * A wait says what the case expects of it; that the oracle expects the same is checked too. Each builder returns the
 * step, so that a mutant can change it after the oracle has seen it: the machine then does something else. */
#ifndef COPYCHECK_MBARRIER_PROGRAM_H
#define COPYCHECK_MBARRIER_PROGRAM_H

#include "expected/mbarrier.h"
#include "harness/ck.h"
#include "kernels/mbarrier_steps.h"

enum { PROGRAM_STEPS = 4200, PROGRAM_OBJECTS = 8, PROGRAM_CTAS = 8, PROGRAM_BYTES = 1024, PROGRAM_BASE = 512 };

struct program {
    struct ck *t;
    uint32_t ctas, block; /* CTAs of the cluster, threads of a CTA */
    uint32_t count;
    struct mbarrier_step *steps;
    uint64_t *want;
    bool *judged;
    const struct ck_rule *broken; /* the first rule that a step breaks, by the oracle */
    bool lost;                    /* and since then the oracle says nothing */

    /* How the next steps are done, set by the case between them. */
    uint32_t form, object, skew, cta, owner, first, threads, times, token;

    struct mbarrier objects[PROGRAM_CTAS][PROGRAM_OBJECTS];
    struct mbarrier_state states[PROGRAM_CTAS][MB_TOKENS];
    unsigned char fill[PROGRAM_BYTES]; /* of shared memory before the program */
    bool show;                         /* say what waits and counts gave, in every point */
    uint32_t hole;                     /* bytes from PROGRAM_BASE on that are not looked at afterwards */
    struct ck_buf image;               /* shared memory of CTA 0 after the program */
};

/* An empty program: plain forms, object 0, CTA 0, thread 0, once. */
struct program *program(struct ck *t, uint32_t ctas, uint32_t block);

/* The count axis of most cases: each bit length, and both sides of the limits that matter. */
#define COUNTS "1 2 3 31 32 33 255 256 1023 1024 16383 16384 65535 65536 1048574 1048575"

/* The value of enum mbarrier_form that the axis "form" names: plain cta cluster relaxed relaxed-cluster generic sink.
 */
uint32_t program_form(struct ck *t);
/* The same of another axis. */
uint32_t form_of(struct ck *t, const char *axis);

/* Another legal count than `n`, for a mutant. */
uint32_t other_count(uint32_t n);
/* Makes a step do something else on the machine than the oracle saw: a pause is the usual place for it. */
void mb_become(struct mbarrier_step *s, uint32_t op, uint32_t value);

struct mbarrier_step *mb_init(struct program *p, uint32_t count);
struct mbarrier_step *mb_inval(struct program *p);
struct mbarrier_step *mb_arrive(struct program *p);
struct mbarrier_step *mb_arrive_count(struct program *p, uint32_t count);
struct mbarrier_step *mb_arrive_nocomplete(struct program *p, uint32_t count);
struct mbarrier_step *mb_arrive_expect(struct program *p, uint32_t bytes);
struct mbarrier_step *mb_drop(struct program *p);
struct mbarrier_step *mb_drop_count(struct program *p, uint32_t count);
struct mbarrier_step *mb_drop_nocomplete(struct program *p, uint32_t count);
struct mbarrier_step *mb_drop_expect(struct program *p, uint32_t bytes);
struct mbarrier_step *mb_expect(struct program *p, uint32_t bytes);
struct mbarrier_step *mb_complete(struct program *p, uint32_t bytes);

/* The same on the object of CTA p->owner. */
struct mbarrier_step *mb_remote_arrive(struct program *p);
struct mbarrier_step *mb_remote_arrive_count(struct program *p, uint32_t count);
struct mbarrier_step *mb_remote_arrive_expect(struct program *p, uint32_t bytes);
struct mbarrier_step *mb_remote_drop(struct program *p);
struct mbarrier_step *mb_remote_drop_count(struct program *p, uint32_t count);
struct mbarrier_step *mb_remote_expect(struct program *p, uint32_t bytes);
struct mbarrier_step *mb_remote_complete(struct program *p, uint32_t bytes);

/* Waits. A wait that should be true asks often, one that should be false asks many times too, try_wait once. */
struct mbarrier_step *mb_test(struct program *p, bool done);
struct mbarrier_step *mb_test_parity(struct program *p, uint32_t parity, bool done);
struct mbarrier_step *mb_try(struct program *p, bool done);
struct mbarrier_step *mb_try_parity(struct program *p, uint32_t parity, bool done);
struct mbarrier_step *mb_try_hint(struct program *p, uint32_t parity, uint32_t ns, bool done);
/* pending_count of the state in slot p->token. */
struct mbarrier_step *mb_pending(struct program *p, uint64_t count);

/* Ordinary accesses to the object's place. What a load gives is compared only where `known`. */
struct mbarrier_step *mb_load(struct program *p, bool known, uint64_t value);
struct mbarrier_step *mb_store(struct program *p, uint64_t value);
struct mbarrier_step *mb_copy(struct program *p, uint32_t from);
struct mbarrier_step *mb_pause(struct program *p, uint32_t ns);

/* Ends the object and loads its bytes: what it was in the end, for a breach to say. (A load alone may show what was
 * there before the object was made: an H200 keeps live objects elsewhere.) */
void mb_peek(struct program *p);

/* The operation of this name, of those that leave a phase of two arrivals open: arrive, drop, expect, complete, try, or
 * inval, after which the object is made again. Another name does nothing. */
void mb_named(struct program *p, const char *op);

/* Runs it and compares every wait and count. In a breach says what each gave instead, as "T", "F" or a number. */
bool program_run(struct program *p);

#endif
