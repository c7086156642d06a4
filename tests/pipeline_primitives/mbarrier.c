/* __mbarrier_*: one thread takes steps on an mbarrier, and each answer is compared with what the documents say of its
 * phases. */
#include <string.h>

#include "harness/base/append.h"
#include "harness/ck.h"
#include "kernels/pipeline_primitives.h"

struct steps {
    struct ck *t;
    uint32_t count;
    struct prim_step step[PRIM_STEPS];
    bool asks[PRIM_STEPS];
    uint32_t answer[PRIM_STEPS];

    uint32_t expected, pending, phase; /* of the mbarrier so far */
    uint32_t token[PRIM_TOKENS];       /* in which phase each was made */
};

static struct steps *steps(struct ck *t)
{
    struct steps *s = ck_alloc(t, sizeof *s);

    s->t = t;
    return s;
}

static struct prim_step *add(struct steps *s, uint32_t op, uint32_t token, uint32_t value)
{
    if (s->count == PRIM_STEPS)
        ck_skip(s->t, "more than %d steps", PRIM_STEPS);
    struct prim_step *step = &s->step[s->count++];

    *step = (struct prim_step){ .op = op, .token = token, .value = value };
    return step;
}

static struct prim_step *init(struct steps *s, uint32_t count)
{
    s->expected = s->pending = count;
    s->phase = 0;
    return add(s, PRIM_INIT, 0, count);
}

static void come(struct steps *s, uint32_t count, uint32_t token)
{
    s->token[token] = s->phase;
    s->pending -= count;
    if (s->pending == 0) {
        s->phase++;
        s->pending = s->expected;
    }
}

static struct prim_step *arrive(struct steps *s, uint32_t count, uint32_t token)
{
    come(s, count, token);
    return add(s, PRIM_ARRIVE, token, count);
}

static struct prim_step *drop(struct steps *s, uint32_t token)
{
    s->expected--;
    come(s, 1, token);
    return add(s, PRIM_DROP, token, 0);
}

static struct prim_step *ask(struct steps *s, uint32_t op, uint32_t token, uint32_t value, bool answer)
{
    s->asks[s->count] = true;
    s->answer[s->count] = answer;
    return add(s, op, token, value);
}

/* Whether the token's phase is over. */
static struct prim_step *test(struct steps *s, uint32_t token)
{
    return ask(s, PRIM_TEST, token, 0, s->token[token] != s->phase);
}

static struct prim_step *test_parity(struct steps *s, uint32_t parity)
{
    return ask(s, PRIM_TEST_PARITY, 0, parity, (s->phase & 1) != parity);
}

static struct ck_buf launch(struct steps *s)
{
    struct ck_buf list = ck_zeroed(s->t, sizeof s->step), answers = ck_zeroed(s->t, sizeof(uint32_t) * PRIM_STEPS);
    const struct prim_steps_args a = { .steps = list.device, .answers = answers.device, .count = s->count };

    memcpy(list.host, s->step, s->count * sizeof *s->step);
    ck_changed(s->t, list);
    ck_launch(s->t, &(struct ck_launch){ .kernel = "prim_steps", .smem = 16, .args = &a, .size = sizeof a });
    return answers;
}

static void run(struct steps *s)
{
    const struct ck_buf answers = launch(s);

    for (uint32_t i = 0; i < s->count; i++)
        if (s->asks[i])
            ck_expect(s->t, "the answer", ((uint32_t *)answers.host)[i], s->answer[i]);
}

/* What is answered when no documents say what must be. */
static void see(struct steps *s)
{
    const struct ck_buf answers = launch(s);
    char all[256] = "";

    for (uint32_t i = 0; i < s->count; i++)
        if (s->asks[i])
            ck_append(all, sizeof all, "%s%u", *all ? " " : "", ((uint32_t *)answers.host)[i]);
    ck_see(s->t, "%s", all);
}

/* The mbarrier expects `count` arrivals: one fewer do not end the phase, that many do, and the next phase expects as
 * many. */
static void counts(struct ck *t)
{
    struct steps *s = steps(t);
    const uint32_t count = (uint32_t)ck_int(t, "count");
    struct prim_step *made = init(s, count);

    for (uint32_t phase = 0; phase < 2; phase++) {
        if (count > 1) {
            arrive(s, count - 1, 0);
            test(s, 0);
        }
        arrive(s, 1, 1);
        test(s, 1);
    }
    if (ck_variant(t, "less"))
        made->value--;
    if (ck_variant(t, "more"))
        made->value++;
    run(s);
}

/* Recorded is whether the phase of an mbarrier that was made for more than __mbarrier_maximum_count() is over one
 * arrival before that number and with it. */
static void counts_above(struct ck *t)
{
    struct steps *s = steps(t);
    const uint32_t count = (uint32_t)ck_int(t, "count");

    init(s, count);
    arrive(s, count - 1, 0);
    test(s, 0);
    arrive(s, 1, 1);
    test(s, 1);
    see(s);
}

/* What __mbarrier_maximum_count() says is recorded. */
static void maximum(struct ck *t)
{
    struct steps *s = steps(t);

    ask(s, PRIM_MAXIMUM, 0, 0, false);
    see(s);
}

/* Arrivals up to what the phase expects. The breach makes one more. */
static void arrivals(struct ck *t)
{
    struct steps *s = steps(t);
    const uint32_t count = (uint32_t)ck_int(t, "count");

    init(s, count);
    struct prim_step *step = arrive(s, count, 0);
    test(s, 0);
    if (ck_variant(t, "less"))
        step->value--;
    if (ck_variant(t, "one-more"))
        step->value++;
    run(s);
}

/* After `drops` threads left in the first phase, the next phases expect as many fewer. */
static void drops(struct ck *t)
{
    struct steps *s = steps(t);
    const uint32_t count = (uint32_t)ck_int(t, "count"), n = (uint32_t)ck_int(t, "drops");
    struct prim_step *first = NULL;

    init(s, count);
    for (uint32_t i = 0; i < n; i++) {
        struct prim_step *step = drop(s, 0);
        first = first ? first : step;
    }
    arrive(s, count - n, 0);
    test(s, 0);
    for (uint32_t phase = 0; phase < 2; phase++) {
        if (count - n > 1) {
            arrive(s, count - n - 1, 0);
            test(s, 0);
        }
        arrive(s, 1, 0);
        test(s, 0);
    }
    if (ck_variant(t, "arrive") && first) {
        first->op = PRIM_ARRIVE;
        first->value = 1;
    }
    run(s);
}

static bool some_stay(struct ck *t)
{
    return ck_int(t, "drops") < ck_int(t, "count");
}

/* In each phase, a token of this phase is false until the last arrival and true in the phase after it. */
static void tokens(struct ck *t)
{
    struct steps *s = steps(t);
    struct prim_step *last = NULL;

    init(s, 2);
    for (uint32_t phase = 0; phase < (uint32_t)ck_int(t, "phases"); phase++) {
        arrive(s, 1, phase & 1);
        test(s, phase & 1);
        if (phase)
            test(s, ~phase & 1);
        last = arrive(s, 1, 2);
        test(s, phase & 1);
        test(s, 2);
    }
    if (ck_variant(t, "no-arrival") && last)
        last->op = PRIM_SKIP;
    run(s);
}

/* In each phase, its own parity says false before the arrival and true after it, the other parity the reverse. */
static void parities(struct ck *t)
{
    struct steps *s = steps(t);
    const bool tries = ck_is(t, "by", "try");
    struct prim_step *asked = NULL;

    init(s, 1);
    for (uint32_t phase = 0; phase < (uint32_t)ck_int(t, "phases"); phase++) {
        test_parity(s, phase & 1);
        test_parity(s, ~phase & 1);
        arrive(s, 1, 0);
        asked = test_parity(s, phase & 1);
        test_parity(s, ~phase & 1);
    }
    for (uint32_t i = 0; tries && i < s->count; i++)
        s->step[i].op = s->step[i].op == PRIM_TEST_PARITY ? PRIM_TRY_PARITY : s->step[i].op;
    if (ck_variant(t, "other") && asked)
        asked->value ^= 1;
    run(s);
}

/* A wait with a time for an open phase comes back with false; once the phase is over it says true. */
static void tries(struct ck *t)
{
    struct steps *s = steps(t);
    const uint32_t ns = (uint32_t)ck_int(t, "ns");
    const bool by_token = ck_is(t, "by", "token");
    const uint32_t op = by_token ? PRIM_TRY : PRIM_TRY_PARITY;

    init(s, 2);
    struct prim_step *first = arrive(s, 1, 0);
    ask(s, op, 0, 0, false)->ns = ns;
    struct prim_step *second = arrive(s, 1, 1);
    ask(s, op, 0, 0, true)->ns = ns;
    if (ck_variant(t, "early")) {
        first->value = 2;
        second->op = PRIM_SKIP;
    }
    run(s);
}

/* An mbarrier is used, invalidated, its place used for other data, and another one made there. The breach leaves the
 * invalidation out. */
static void invalidated(struct ck *t)
{
    struct steps *s = steps(t);

    init(s, (uint32_t)ck_int(t, "first"));
    arrive(s, 1, 0);
    struct prim_step *inval = add(s, PRIM_INVAL, 0, 0);
    add(s, PRIM_USE, 0, 0);
    struct prim_step *made = init(s, (uint32_t)ck_int(t, "second"));
    arrive(s, (uint32_t)ck_int(t, "second"), 0);
    test(s, 0);
    if (ck_variant(t, "more"))
        made->value++;
    if (ck_variant(t, "no-inval"))
        inval->op = PRIM_SKIP;
    run(s);
}

/* Recorded are the pending counts of the tokens of two arrivals, at an mbarrier that expects `count`. */
static void pending(struct ck *t)
{
    struct steps *s = steps(t);

    init(s, (uint32_t)ck_int(t, "count"));
    arrive(s, 1, 0);
    arrive(s, 1, 1);
    ask(s, PRIM_PENDING, 0, 0, false);
    ask(s, PRIM_PENDING, 1, 0, false);
    see(s);
}

/* __pipeline_arrive_on at an mbarrier whose pending count has room for one more. The breaches leave it none. */
static void arrive_on_limit(struct ck *t)
{
    struct steps *s = steps(t);
    const uint32_t count = (uint32_t)ck_int(t, "count");

    init(s, count);
    add(s, PRIM_ARRIVE_ON, 0, 0);
    struct prim_step *step = arrive(s, 1, 0);
    ask(s, PRIM_WAIT, 0, 0, count == 1)->ns = 20000;
    if (ck_variant(t, "none"))
        step->op = PRIM_SKIP;
    if (ck_variant(t, "two"))
        step->value = 2;
    run(s);
}

static const struct ck_case cases[] = {
    { CK_RULE(prim_mbarrier_max), .run = maximum, .seen_only = true },
    { CK_RULE(prim_mbarrier_init), .run = counts, .axes = { { "count", "1 2 3 31 32 33 255 256 1024 16383" } },
      .mutants = { { "less", "expect one arrival fewer", .only = "count=2/3/31/32/33/255/256/1024/16383" },
                   { "more", "expect one arrival more" } } },
    { CK_RULE(prim_mbarrier_init), .name = "above", .run = counts_above, .axes = { { "count", "16384 65536 262144" } },
      .seen_only = true },
    { CK_RULE(prim_mbarrier_arrive), .run = arrivals, .axes = { { "count", "1..32" } },
      .mutants = { { "less", "one arrival fewer" } },
      .breaches = { { "one-more", "one arrival more than the phase expects", .only = "count=1/2/32" } } },
    { CK_RULE(prim_mbarrier_drop), .run = drops, .valid = some_stay,
      .axes = { { "count", "2 3 4 8 16 32" }, { "drops", "1 2 3 7 15 31" } },
      .mutants = { { "arrive", "arrive in place of the first drop" } } },
    { CK_RULE(prim_mbarrier_test_wait), .run = tokens, .axes = { { "phases", "1..12" } },
      .mutants = { { "no-arrival", "leave the last arrival out" } } },
    { CK_RULE(prim_mbarrier_parity), .run = parities, .axes = { { "phases", "1..16" }, { "by", "test try" } },
      .mutants = { { "other", "ask for the other parity" } } },
    { CK_RULE(prim_mbarrier_try_wait), .run = tries,
      .axes = { { "ns", "0 1 100 1000 10000 100000 1000000" }, { "by", "token parity" } },
      .mutants = { { "early", "make both arrivals before the first wait" } } },
    { CK_RULE(prim_mbarrier_inval), .run = invalidated, .axes = { { "first", "2 3 100" }, { "second", "1 2 77" } },
      .mutants = { { "more", "the second mbarrier expects one arrival more" } },
      .breaches = { { "no-inval", "use the place of a live mbarrier for other data" } } },
    { CK_RULE(prim_mbarrier_token_pending), .run = pending, .axes = { { "count", "2 3 4 8 31 32 33 1000 16383" } },
      .seen_only = true },
    { CK_RULE(prim_arrive_on_limit), .run = arrive_on_limit, .axes = { { "count", "1 2 3 1000 16382 1048574" } },
      .mutants = { { "none", "do not arrive", .only = "count=1" }, { "two", "arrive twice", .only = "count=2" } },
      .breaches = { { "no-room", "an mbarrier that is full", .set = "count=1048575", .only = "count=1048574" } } },
    { 0 },
};

const struct ck_suite pipeline_primitives_mbarrier = { "pipeline-primitives-mbarrier", cases };
// SPDX-License-Identifier: Apache-2.0
