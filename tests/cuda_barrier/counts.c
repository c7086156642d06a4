/* What one thread's arrivals, drops and announced bytes do to the phase of a cuda::barrier. */
#include "tests/cuda_barrier/steps.h"

#define PLACES                                                                                                         \
    {                                                                                                                  \
        "place", "shared global"                                                                                       \
    }

static struct steps *at_place(struct ck *t)
{
    struct steps *s = steps(t);

    s->global = ck_is(t, "place", "global");
    return s;
}

/* arrive(n) counts as n arrivals: the phase is open before the numbers add up to what the barrier expects, and over
 * then. The same in the phase after it. */
static void arrive_n(struct ck *t)
{
    struct steps *s = at_place(t);
    const int32_t all = (int32_t)ck_int(t, "count"), n = (int32_t)ck_int(t, "n");
    struct libcu_step *last = NULL; /* of the first phase */

    step_init(s, all);
    for (uint32_t phase = 0; phase < 2; phase++) {
        struct libcu_step *step;
        step_ask_parity(s, (int32_t)phase & 1, 0);
        step = step_arrive(s, n, phase);
        step_ask(s, phase, 0);
        if (n < all)
            step = step_arrive(s, all - n, phase);
        step_ask(s, phase, 0);
        last = last ? last : step;
    }
    if (ck_variant(t, "less")) {
        last->op = last->count > 1 ? LIBCU_ARRIVE : LIBCU_NOTHING;
        last->count--;
    }
    steps_run(s);
}

static bool fits(struct ck *t)
{
    return ck_int(t, "n") <= ck_int(t, "count");
}

/* arrive(0) of a barrier that expects 2, then two plain arrivals; recorded is when the phase is over. */
static void arrive_zero(struct ck *t)
{
    struct steps *s = steps(t);

    step_init(s, 2);
    step_arrive(s, (int32_t)ck_int(t, "n"), 0);
    step_ask_parity(s, 0, 0);
    step_arrive(s, 1, 0);
    step_ask_parity(s, 0, 0);
    steps_see(s);
}

/* As many arrivals as the barrier expects, and no more: the phase is over with the last of them. The breaches arrive
 * once or several times more. */
static void arrive_nonzero(struct ck *t)
{
    struct steps *s = steps(t);
    struct libcu_step *last;

    step_init(s, (int32_t)ck_int(t, "count"));
    last = step_arrive(s, (int32_t)ck_int(t, "count"), 0);
    step_ask(s, 0, 0);
    if (ck_variant(t, "none"))
        last->op = LIBCU_NOTHING;
    if (ck_variant(t, "one-more"))
        last->count++;
    if (ck_variant(t, "many-more"))
        last->count += 100;
    steps_run(s);
}

/* A token is asked about in its own phase, where the answer is no, and in the one after it, where it is yes. A breach
 * asks about it two phases later. */
static void window(struct ck *t)
{
    struct steps *s = steps(t);
    const uint32_t age = (uint32_t)ck_int(t, "age");
    struct libcu_step *init = step_init(s, 2);

    step_arrive(s, 1, 0);
    for (uint32_t i = 0; i < age; i++) {
        step_arrive(s, i ? 2 : 1, 1);
        step_ask(s, 1, 0);
    }
    step_ask(s, 0, 0);
    if (ck_variant(t, "other-count"))
        init->count = age ? 3 : 1;
    steps_run(s);
}

/* A thread that arrives in phase after phase waits for each before it arrives in the next. A breach leaves one wait
 * out. */
static void wait_between(struct ck *t)
{
    struct steps *s = steps(t);
    struct libcu_step *wait = NULL, *first = NULL;
    const uint32_t phases = (uint32_t)ck_int(t, "phases");

    step_init(s, 1);
    for (uint32_t i = 0; i < phases; i++) {
        struct libcu_step *step = step_arrive(s, 1, i % LIBCU_TOKENS);
        first = first ? first : step;
        wait = i + 1 < phases ? step_ask(s, i % LIBCU_TOKENS, 0) : wait;
    }
    step_ask(s, (phases - 1) % LIBCU_TOKENS, 0);
    if (ck_variant(t, "skip-wait") && wait) {
        wait->op = LIBCU_NOTHING;
        s->asks[wait - s->step] = false;
    }
    if (ck_variant(t, "skip-arrive") && first)
        first->op = LIBCU_NOTHING;
    steps_run(s);
}

/* arrive_and_drop arrives in this phase and lowers what the next ones expect: after `drops` of `count` threads left,
 * each further phase is over with count - drops arrivals. */
static void drop(struct ck *t)
{
    struct steps *s = at_place(t);
    const int32_t all = (int32_t)ck_int(t, "count"), drops = (int32_t)ck_int(t, "drops");
    struct libcu_step *first = NULL;

    step_init(s, all);
    for (int32_t i = 0; i < drops; i++) {
        struct libcu_step *step = step_drop(s);
        first = first ? first : step;
    }
    step_ask_parity(s, 0, 0);
    if (all > drops)
        step_arrive(s, all - drops, 0);
    step_ask_parity(s, 0, 0);
    if (all - drops > 1)
        step_arrive(s, all - drops - 1, 1);
    step_ask_parity(s, 1, 0);
    step_arrive(s, 1, 1);
    step_ask_parity(s, 1, 0);
    if (ck_variant(t, "arrive") && first)
        first->op = LIBCU_ARRIVE;
    steps_run(s);
}

static bool some_stay(struct ck *t)
{
    return ck_int(t, "drops") < ck_int(t, "count");
}

/* In each phase, asking for its own parity says no before the arrival and yes after it, and asking for the other parity
 * says yes before and no after. */
static void parity(struct ck *t)
{
    struct steps *s = at_place(t);
    struct libcu_step *ask = NULL;
    const int32_t phases = (int32_t)ck_int(t, "phases");

    step_init(s, 1);
    for (int32_t i = 0; i < phases; i++) {
        step_ask_parity(s, i & 1, 0);
        step_ask_parity(s, ~i & 1, 0);
        step_arrive(s, 1, 0);
        ask = step_ask_parity(s, i & 1, 0);
        step_ask_parity(s, ~i & 1, 0);
    }
    if (ck_variant(t, "wrong") && ask)
        ask->count ^= 1;
    steps_run(s);
}

/* A timed wait for an open phase comes back with no, however long it may take; with the last arrival it says yes. */
static void timed(struct ck *t)
{
    struct steps *s = at_place(t);
    const int64_t ns = ck_int(t, "ns");
    const bool by_token = ck_is(t, "by", "token");
    struct libcu_step *first;

    step_init(s, 2);
    first = step_arrive(s, 1, 0);
    if (by_token)
        step_ask(s, 0, ns);
    else
        step_ask_parity(s, 0, ns);
    step_arrive(s, 1, 1);
    if (by_token)
        step_ask(s, 0, ns);
    else
        step_ask_parity(s, 0, ns);
    if (ck_variant(t, "early")) {
        first->count = 2;
        first[2].op = LIBCU_NOTHING;
    }
    steps_run(s);
}

/* init takes what the phase expects, 1 to 2^20 - 1: that many arrivals end it, one fewer do not. The breaches pass
 * numbers outside. */
static void init_range(struct ck *t)
{
    struct steps *s = steps(t);
    const int32_t n = (int32_t)ck_int(t, "count");
    struct libcu_step *init = step_init(s, n);

    step_ask_parity(s, 0, 0);
    if (n > 1) {
        step_arrive(s, n - 1, 0);
        step_ask_parity(s, 0, 0);
    }
    step_arrive(s, 1, 0);
    step_ask_parity(s, 0, 0);
    if (ck_variant(t, "one-more"))
        init->count++;
    steps_run(s);
}

/* A barrier is made, used, destroyed, and its place used for another one that expects another number. A breach makes it
 * again without destroying it; another uses the place of the live barrier for other data. */
static void made_again(struct ck *t)
{
    struct steps *s = steps(t);
    struct libcu_step *destroy, *init;

    step_init(s, (int32_t)ck_int(t, "first"));
    step_arrive(s, 1, 0);
    step_ask_parity(s, 0, 0);
    destroy = step_destroy(s);
    if (ck_is(t, "between", "data"))
        step_store(s);
    init = step_init(s, (int32_t)ck_int(t, "second"));
    step_ask_parity(s, 0, 0);
    step_arrive(s, (int32_t)ck_int(t, "second"), 1);
    step_ask_parity(s, 0, 0);
    if (ck_variant(t, "not-destroyed"))
        destroy->op = LIBCU_NOTHING;
    if (ck_variant(t, "expects-more"))
        init->count++;
    steps_run(s);
}

static const struct ck_case cases[] = {
    { CK_RULE(cxx_barrier_arrive_n), .run = arrive_n,
      .axes = { { "count", "1 2 3 31 32 33 255 1000 65536 1048575" },
                { "n", "1 2 5 31 32 999 65535 1048574" },
                PLACES },
      .valid = fits, .mutants = { { "less", "one arrival fewer" } } },
    { CK_RULE(cxx_barrier_arrive_zero), .run = arrive_zero, .axes = { { "n", "0 1" } }, .seen_only = true },
    { CK_RULE(cxx_barrier_arrive_nonzero), .run = arrive_nonzero, .axes = { { "count", "1 2 32 1024 1000000" } },
      .mutants = { { "none", "do not arrive" } },
      .breaches = { { "one-more", "one arrival more than the barrier expects", .only = "count=1/32/1000000",
                      .faults = true },
                    { "many-more", "a hundred arrivals more than the barrier expects", .only = "count=1/32/1000000",
                      .faults = true } } },
    { CK_RULE(cxx_barrier_wait_window), .run = window, .axes = { { "age", "0 1" } },
      .mutants = { { "other-count", "make the barrier for an arrival fewer, or for one more" } },
      .breaches = { { "two-phases", "ask about a token that is two phases old", .set = "age=2", .only = "age=1" } } },
    { CK_RULE(cxx_barrier_wait_before_reuse), .run = wait_between, .axes = { { "phases", "2 3 8" } },
      .mutants = { { "skip-arrive", "leave the first arrival out" } },
      .breaches = { { "skip-wait", "arrive in the next phase without a wait" } } },
    { CK_RULE(cxx_barrier_drop), .run = drop,
      .axes = { { "count", "2 3 4 8 16 17" }, { "drops", "1 2 3 7 15 16" }, PLACES }, .valid = some_stay,
      .mutants = { { "arrive", "arrive in place of the first drop" } } },
    { CK_RULE(cxx_barrier_parity), .run = parity, .axes = { { "phases", "1..8" }, PLACES },
      .mutants = { { "wrong", "ask for the other parity" } } },
    { CK_RULE(cxx_barrier_try_wait_timeout), .run = timed,
      .axes = { { "ns", "0 1 100 1000 10000 100000 1000000" }, { "by", "token parity" }, PLACES },
      .mutants = { { "early", "bring both arrivals before the first wait" } } },
    { CK_RULE(cxx_barrier_init_range), .run = init_range, .axes = { { "count", "1 2 3 1023 1048575" } },
      .mutants = { { "one-more", "expect one arrival more", .only = "count=2" } },
      .breaches = { { "zero", "init with 0", .set = "count=0", .only = "count=1", .faults = true },
                    { "above", "init with 2^20", .set = "count=1048576", .only = "count=1048575", .faults = true },
                    { "negative", "init with -1", .set = "count=-1", .only = "count=1" } } },
    { CK_RULE(cxx_barrier_init_uninitialised), .run = made_again,
      .axes = { { "first", "2 3 100" }, { "second", "1 2 77" }, { "between", "=nothing" } },
      .mutants = { { "expects-more", "the second barrier expects one arrival more" } },
      .breaches = { { "not-destroyed", "init the barrier again without destroying it" } } },
    { CK_RULE(cxx_barrier_destructor_inval), .run = made_again,
      .axes = { { "first", "2 3 100" }, { "second", "1 2 77" }, { "between", "=data" } },
      .mutants = { { "expects-more", "the second barrier expects one arrival more" } },
      .breaches = { { "not-destroyed", "use the place of a live barrier for other data" } } },
    { 0 },
};

const struct ck_suite cuda_barrier_counts = { "cuda-barrier-counts", cases };
// SPDX-License-Identifier: Apache-2.0
