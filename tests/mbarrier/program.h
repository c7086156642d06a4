/* A program: a list of steps on mbarrier objects. A case builds it; the oracle's objects (expected/mbarrier.h) follow
 * it step by step, and then the kernel mbarrier_steps carries it out.
 *
 *     struct program *p = program(t, 1, 1);
 *     mb_init(p, 2);
 *     mb_arrive(p);
 *     mb_test_parity(p, 0, false);
 *     mb_arrive(p);
 *     mb_test_parity(p, 0, true);
 *     program_run(p);
 *
 * A wait says what answer the case expects: mb_test compares it with the oracle's answer, program_run with the
 * machine's. Each builder returns its step, so that a mutant can change the step after the oracle followed it: the
 * machine then does something else. Objects, CTAs, threads and slots count from 0. */
#ifndef COPYCHECK_MBARRIER_PROGRAM_H
#define COPYCHECK_MBARRIER_PROGRAM_H

#include "expected/mbarrier.h"
#include "harness/ck.h"
#include "kernels/mbarrier_steps.h"

enum {
    PROGRAM_STEPS = 4200, /* at most */
    PROGRAM_OBJECTS = 8,  /* in each CTA, at most */
    PROGRAM_CTAS = 8,     /* at most */
    PROGRAM_BYTES = 1024, /* of shared memory that are looked at */
    PROGRAM_BASE = 512,   /* where in them object 0 is */
};

struct program {
    struct ck *t;
    uint32_t ctas;                /* of the cluster */
    uint32_t block;               /* threads of a CTA */
    uint32_t count;               /* steps so far */
    struct mbarrier_step *steps;  /* `count` of them, and for each: */
    uint64_t *want;               /* the result that the case expects */
    bool *judged;                 /* whether the result is compared with it */
    const struct ck_rule *broken; /* the first rule that a step breaks, by the oracle */
    bool lost;                    /* a step broke a rule: from then on the oracle says nothing */

    /* How the next steps are done: the members of struct mbarrier_step. The case sets them between steps. */
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

/* The value of enum mbarrier_form that the axis names: plain cta cluster relaxed relaxed-cluster generic sink. */
uint32_t form_of(struct ck *t, const char *axis);
/* The same for the axis "form". */
uint32_t program_form(struct ck *t);

/* Another legal count than `n`, for a mutant. */
uint32_t other_count(uint32_t n);
/* Makes the machine do something else in a step than the oracle followed; often the step is a pause until then. */
void mb_become(struct mbarrier_step *s, uint32_t op, uint32_t value);

/* Each adds a step: the operation of its name, in the form and by the threads that `p` says. */
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

/* Waits; `done` is the expected answer. One that should be true asks until it is, thousands of times; test_wait that
 * should be false asks hundreds of times, try_wait once. */
struct mbarrier_step *mb_test(struct program *p, bool done);
struct mbarrier_step *mb_test_parity(struct program *p, uint32_t parity, bool done);
struct mbarrier_step *mb_try(struct program *p, bool done);
struct mbarrier_step *mb_try_parity(struct program *p, uint32_t parity, bool done);
struct mbarrier_step *mb_try_hint(struct program *p, uint32_t parity, uint32_t ns, bool done);
/* pending_count of the state in slot p->token; `count` is the expected one. */
struct mbarrier_step *mb_pending(struct program *p, uint64_t count);

/* Ordinary accesses to the object's place: an 8-byte load, which is compared with `value` only where `known`; a store;
 * a copy of the bytes of object `from`. And a pause of `ns` nanoseconds. */
struct mbarrier_step *mb_load(struct program *p, bool known, uint64_t value);
struct mbarrier_step *mb_store(struct program *p, uint64_t value);
struct mbarrier_step *mb_copy(struct program *p, uint32_t from);
struct mbarrier_step *mb_pause(struct program *p, uint32_t ns);

/* Ends the object and loads its bytes, so that a breach can say what became of it. (Without the inval, a load may show
 * what was there before the object was made: an H200 keeps live objects elsewhere.) */
void mb_peek(struct program *p);

/* The operation of this name, of those that leave a phase of two arrivals open: arrive, drop, expect, complete, try, or
 * inval, after which the object is made again. Another name does nothing. */
void mb_named(struct program *p, const char *op);

/* Runs the program and compares every wait and count, and all shared memory beside the objects. In a breach it records
 * what each wait and count gave instead, as "T", "F" or a number. */
bool program_run(struct program *p);

#endif
// SPDX-License-Identifier: Apache-2.0
