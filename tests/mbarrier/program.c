/* Building and running a list of steps: see program.h. */
#include "tests/mbarrier/program.h"

#include <stdio.h>
#include <string.h>

/* How often a wait asks: enough for a true that is on its way, and for a false that should stay one. */
enum { ASK_TRUE = 10000, ASK_FALSE = 200, ASK_TRY_TRUE = 20, ASK_TRY_FALSE = 1 };

struct program *program(struct ck *t, uint32_t ctas, uint32_t block)
{
    struct program *p = ck_alloc(t, sizeof *p);

    p->t = t;
    p->ctas = ctas;
    p->block = block;
    p->steps = ck_alloc(t, PROGRAM_STEPS * sizeof *p->steps);
    p->want = ck_alloc(t, PROGRAM_STEPS * sizeof *p->want);
    p->judged = ck_alloc(t, PROGRAM_STEPS * sizeof *p->judged);
    p->form = MB_PLAIN;
    p->threads = 1;
    p->times = 1;
    p->hole = 8;
    memset(p->fill, CK_POISON, sizeof p->fill);
    return p;
}

static const struct {
    const char *name;
    uint32_t bit;
} forms[] = {
    { "plain", MB_PLAIN },     { "cta", MB_CTA },         { "cluster", MB_CLUSTER },
    { "relaxed", MB_RELAXED }, { "generic", MB_GENERIC }, { "relaxed-cluster", MB_RELAXED_CLUSTER },
    { "sink", MB_SINK },
};

uint32_t form_of(struct ck *t, const char *axis)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (ck_is(t, axis, forms[i].name))
            return forms[i].bit;
    ck_skip(t, "no form %s", ck_word(t, axis));
}

uint32_t program_form(struct ck *t)
{
    return form_of(t, "form");
}

uint32_t other_count(uint32_t n)
{
    return n == 1 ? 2 : n - 1;
}

void mb_become(struct mbarrier_step *s, uint32_t op, uint32_t value)
{
    s->op = op;
    s->value = value;
}

static struct mbarrier_step *add(struct program *p, uint32_t op, uint32_t value)
{
    struct mbarrier_step *s;

    if (p->count == PROGRAM_STEPS)
        ck_skip(p->t, "the program has more than %d steps", PROGRAM_STEPS);
    s = &p->steps[p->count];
    p->count++;
    *s = (struct mbarrier_step){
        .op = op,
        .form = p->form,
        .object = p->object,
        .skew = p->skew,
        .value = value,
        .token = p->token,
        .cta = p->cta,
        .owner = p->owner,
        .first = p->first,
        .threads = p->threads,
        .times = p->times,
    };
    if (8 * (p->object + 1) > p->hole)
        p->hole = 8 * (p->object + 1);
    return s;
}

/* ---- the oracle ---- */

enum {
    WAITS_ON_STATE = MB_TEST | MB_TRY,
    WAITS_ON_PARITY = MB_TEST_PARITY | MB_TRY_PARITY | MB_TRY_HINT,
    WAITS = WAITS_ON_STATE | WAITS_ON_PARITY,
    TRIES = MB_TRY | MB_TRY_PARITY | MB_TRY_HINT,
    EXPECTS = MB_EXPECT | MB_REMOTE_EXPECT,
    COMPLETES = MB_COMPLETE | MB_REMOTE_COMPLETE,
    REMOTES = MB_REMOTE_ARRIVE | MB_REMOTE_ARRIVE_COUNT | MB_REMOTE_ARRIVE_EXPECT | MB_REMOTE_DROP |
              MB_REMOTE_DROP_COUNT | MB_REMOTE_EXPECT | MB_REMOTE_COMPLETE,
    DROPS = MB_DROP | MB_DROP_COUNT | MB_DROP_NOCOMPLETE | MB_DROP_EXPECT | MB_REMOTE_DROP | MB_REMOTE_DROP_COUNT,
    STAYS = MB_ARRIVE_NOCOMPLETE | MB_DROP_NOCOMPLETE,
    ARRIVALS_WITH_COUNT = MB_ARRIVE_COUNT | MB_DROP_COUNT | STAYS | MB_REMOTE_ARRIVE_COUNT | MB_REMOTE_DROP_COUNT,
    ARRIVALS_WITH_BYTES = MB_ARRIVE_EXPECT | MB_DROP_EXPECT | MB_REMOTE_ARRIVE_EXPECT,
};

/* Writes down the rule that a step breaks, if it breaks one: the oracle is lost from then on. */
static void follow(struct program *p, const struct ck_rule *rule)
{
    if (p->skew % 8)
        rule = &rule_mbarrier_object_align;
    if (!rule)
        return;
    if (!p->broken)
        p->broken = rule;
    p->lost = true;
}

/* What an arrival of this kind means to the oracle's object. */
static struct mbarrier_arrival arrival(uint32_t op, uint32_t value)
{
    return (struct mbarrier_arrival){ .count = op & ARRIVALS_WITH_COUNT ? value : 1,
                                      .bytes = op & ARRIVALS_WITH_BYTES ? value : 0,
                                      .drop = op & DROPS,
                                      .stay = op & STAYS };
}

/* Does an operation once to the oracle's object `b`, and returns the rule that it breaks or NULL. `state` is the slot
 * that takes or gives the state, NULL for a remote operation. A wait puts its answer, 0 or 1, into *answer, and
 * pending_count its count. */
static const struct ck_rule *once(struct mbarrier *b, struct mbarrier_state *state, uint32_t op, uint32_t value,
                                  uint64_t *answer)
{
    const struct ck_rule *rule;
    bool done = *answer;

    if (op & MB_INIT)
        return mbarrier_init(b, value);
    if (op & MB_INVAL)
        return mbarrier_inval(b);
    if (op & EXPECTS)
        return mbarrier_expect(b, value);
    if (op & COMPLETES)
        return mbarrier_complete(b, value);
    if (op & MB_PENDING)
        return mbarrier_pending(state, answer);
    if (!(op & WAITS))
        return mbarrier_arrive(b, arrival(op, value), state);
    rule = op & WAITS_ON_STATE ? mbarrier_test(b, state, &done) : mbarrier_test_parity(b, value, &done);
    *answer = done;
    return rule;
}

/* Does an operation to the oracle's objects as often as the machine will: for each CTA that takes part, each thread
 * and each repetition. Returns the last answer, `expected` where there is none. */
static uint64_t oracle(struct program *p, uint32_t op, uint32_t value, uint64_t expected)
{
    const uint32_t times = op & WAITS ? 1 : p->times;
    uint64_t answer = expected;

    for (uint32_t cta = 0; cta < p->ctas && !p->lost; cta++) {
        const bool remote = op & REMOTES;
        struct mbarrier *b = &p->objects[remote ? p->owner : cta][p->object];
        struct mbarrier_state *state = remote ? NULL : &p->states[cta][p->token];

        if (p->cta != cta && p->cta != MB_EVERY)
            continue;
        for (uint32_t n = 0; n < p->threads * times && !p->lost; n++)
            follow(p, once(b, state, op, value, &answer));
    }
    return answer;
}

/* ---- operations ---- */

/* Adds a step that the oracle follows too. */
static struct mbarrier_step *both(struct program *p, uint32_t op, uint32_t value)
{
    oracle(p, op, value, 0);
    return add(p, op, value);
}

struct mbarrier_step *mb_init(struct program *p, uint32_t count)
{
    return both(p, MB_INIT, count);
}

struct mbarrier_step *mb_inval(struct program *p)
{
    return both(p, MB_INVAL, 0);
}

struct mbarrier_step *mb_arrive(struct program *p)
{
    return both(p, MB_ARRIVE, 0);
}

struct mbarrier_step *mb_arrive_count(struct program *p, uint32_t count)
{
    return both(p, MB_ARRIVE_COUNT, count);
}

struct mbarrier_step *mb_arrive_nocomplete(struct program *p, uint32_t count)
{
    return both(p, MB_ARRIVE_NOCOMPLETE, count);
}

struct mbarrier_step *mb_arrive_expect(struct program *p, uint32_t bytes)
{
    return both(p, MB_ARRIVE_EXPECT, bytes);
}

struct mbarrier_step *mb_drop(struct program *p)
{
    return both(p, MB_DROP, 0);
}

struct mbarrier_step *mb_drop_count(struct program *p, uint32_t count)
{
    return both(p, MB_DROP_COUNT, count);
}

struct mbarrier_step *mb_drop_nocomplete(struct program *p, uint32_t count)
{
    return both(p, MB_DROP_NOCOMPLETE, count);
}

struct mbarrier_step *mb_drop_expect(struct program *p, uint32_t bytes)
{
    return both(p, MB_DROP_EXPECT, bytes);
}

struct mbarrier_step *mb_remote_arrive(struct program *p)
{
    return both(p, MB_REMOTE_ARRIVE, 0);
}

struct mbarrier_step *mb_remote_arrive_count(struct program *p, uint32_t count)
{
    return both(p, MB_REMOTE_ARRIVE_COUNT, count);
}

struct mbarrier_step *mb_remote_arrive_expect(struct program *p, uint32_t bytes)
{
    return both(p, MB_REMOTE_ARRIVE_EXPECT, bytes);
}

struct mbarrier_step *mb_remote_drop(struct program *p)
{
    return both(p, MB_REMOTE_DROP, 0);
}

struct mbarrier_step *mb_remote_drop_count(struct program *p, uint32_t count)
{
    return both(p, MB_REMOTE_DROP_COUNT, count);
}

struct mbarrier_step *mb_expect(struct program *p, uint32_t bytes)
{
    return both(p, MB_EXPECT, bytes);
}

struct mbarrier_step *mb_complete(struct program *p, uint32_t bytes)
{
    return both(p, MB_COMPLETE, bytes);
}

struct mbarrier_step *mb_remote_expect(struct program *p, uint32_t bytes)
{
    return both(p, MB_REMOTE_EXPECT, bytes);
}

struct mbarrier_step *mb_remote_complete(struct program *p, uint32_t bytes)
{
    return both(p, MB_REMOTE_COMPLETE, bytes);
}

/* ---- waits and reads ---- */

/* How often a wait asks for this answer. */
static uint32_t asks(uint32_t op, bool done)
{
    if (op & TRIES)
        return done ? ASK_TRY_TRUE : ASK_TRY_FALSE;
    return done ? ASK_TRUE : ASK_FALSE;
}

/* Says what a step gives: the run compares it. */
static void judge(struct program *p, const struct mbarrier_step *s, uint64_t expected)
{
    p->judged[s - p->steps] = true;
    p->want[s - p->steps] = expected;
}

static struct mbarrier_step *wait(struct program *p, uint32_t op, uint32_t parity, bool done)
{
    const uint64_t answer = oracle(p, op, parity, done);
    struct mbarrier_step *s = add(p, op, parity);

    if (answer != done && !p->lost)
        ck_expect(p->t, "the oracle's answer at a wait is the case's", answer, done);
    if (p->times == 1)
        s->times = asks(op, done);
    judge(p, s, done ? p->threads * (p->cta == MB_EVERY ? p->ctas : 1) : 0);
    return s;
}

struct mbarrier_step *mb_test(struct program *p, bool done)
{
    return wait(p, MB_TEST, 0, done);
}

struct mbarrier_step *mb_test_parity(struct program *p, uint32_t parity, bool done)
{
    return wait(p, MB_TEST_PARITY, parity, done);
}

struct mbarrier_step *mb_try(struct program *p, bool done)
{
    return wait(p, MB_TRY, 0, done);
}

struct mbarrier_step *mb_try_parity(struct program *p, uint32_t parity, bool done)
{
    return wait(p, MB_TRY_PARITY, parity, done);
}

struct mbarrier_step *mb_try_hint(struct program *p, uint32_t parity, uint32_t ns, bool done)
{
    struct mbarrier_step *s = wait(p, MB_TRY_HINT, parity, done);

    s->hint = ns;
    return s;
}

struct mbarrier_step *mb_pending(struct program *p, uint64_t count)
{
    const uint64_t answer = oracle(p, MB_PENDING, 0, count);
    struct mbarrier_step *s = add(p, MB_PENDING, 0);

    if (answer != count && !p->lost)
        ck_expect(p->t, "the oracle's pending count is the case's", answer, count);
    judge(p, s, count);
    return s;
}

struct mbarrier_step *mb_load(struct program *p, bool known, uint64_t value)
{
    struct mbarrier_step *s = add(p, MB_LOAD, 0);

    if (p->objects[p->cta][p->object].live)
        follow(p, &rule_mbarrier_object_opaque_read);
    if (known)
        judge(p, s, value);
    return s;
}

void mb_peek(struct program *p)
{
    mb_inval(p);
    mb_load(p, false, 0);
}

struct mbarrier_step *mb_store(struct program *p, uint64_t value)
{
    struct mbarrier_step *s = add(p, MB_STORE, (uint32_t)value);

    if (p->objects[p->cta][p->object].live)
        follow(p, &rule_mbarrier_object_opaque_write);
    s->hint = (uint32_t)(value >> 32);
    return s;
}

struct mbarrier_step *mb_copy(struct program *p, uint32_t from)
{
    if (p->objects[p->cta][from].live)
        follow(p, &rule_mbarrier_object_opaque_read);
    return add(p, MB_COPY, from);
}

struct mbarrier_step *mb_pause(struct program *p, uint32_t ns)
{
    return add(p, MB_PAUSE, ns);
}

void mb_named(struct program *p, const char *op)
{
    if (!strcmp(op, "arrive"))
        mb_arrive(p);
    else if (!strcmp(op, "drop"))
        mb_drop(p);
    else if (!strcmp(op, "expect"))
        mb_expect(p, 16);
    else if (!strcmp(op, "complete"))
        mb_complete(p, 16);
    else if (!strcmp(op, "try"))
        mb_try_parity(p, 0, false);
    else if (!strcmp(op, "inval")) {
        mb_inval(p);
        mb_init(p, 1);
    }
}

/* ---- running ---- */

/* Of operations, in the order of the bits of enum mbarrier_op. */
static const char *const names[] = {
    "init",
    "inval",
    "arrive",
    "arrive count",
    "arrive.noComplete",
    "arrive.expect_tx",
    "arrive_drop",
    "arrive_drop count",
    "arrive_drop.noComplete",
    "arrive_drop.expect_tx",
    "expect_tx",
    "complete_tx",
    "test_wait",
    "test_wait.parity",
    "try_wait",
    "try_wait.parity",
    "try_wait.parity with a limit",
    "pending_count",
    "remote arrive",
    "remote arrive count",
    "remote arrive.expect_tx",
    "remote arrive_drop",
    "remote arrive_drop count",
    "remote expect_tx",
    "remote complete_tx",
    "load",
    "store",
    "copy",
    "pause",
};

static const char *name(const struct mbarrier_step *s)
{
    unsigned i = 0;

    while (i + 1 < sizeof names / sizeof *names && !(s->op >> i & 1))
        i++;
    return names[i];
}

/* Says what waits, counts and loads gave, in few words: a breach is recorded by them. */
static void see(struct program *p, const uint64_t *results)
{
    enum { SHOWN = 24 };
    char text[1024] = "";
    size_t used = 0;
    unsigned shown = 0;

    for (uint32_t i = 0; i < p->count && used < sizeof text - 32 && shown < SHOWN; i++) {
        const struct mbarrier_step *s = &p->steps[i];
        const char *gap = used ? " " : "";
        if (s->op & WAITS && s->threads == 1)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%c", gap, results[i] ? 'T' : 'F');
        else if (s->op & MB_LOAD)
            used +=
                (size_t)snprintf(text + used, sizeof text - used, "%s0x%016llx", gap, (unsigned long long)results[i]);
        else if (s->op & (WAITS | MB_PENDING))
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%llu", gap, (unsigned long long)results[i]);
        else
            continue;
        shown++;
    }
    ck_see(p->t, "%s", used ? text : "done");
}

bool program_run(struct program *p)
{
    struct ck *const t = p->t;
    const struct ck_buf steps = ck_input(t, p->count * sizeof *p->steps), results = ck_zeroed(t, p->count * 8);
    struct mbarrier_steps_args a = { .steps = steps.device,
                                     .results = results.device,
                                     .count = p->count,
                                     .bytes = PROGRAM_BYTES,
                                     .base = PROGRAM_BASE,
                                     .hole = p->hole,
                                     .ctas = p->ctas };
    const uint64_t *got = (const uint64_t *)(const void *)results.host;
    uint64_t right = 0, judged = 0;

    p->image = ck_output(t, PROGRAM_BYTES);
    memcpy(p->image.host, p->fill, PROGRAM_BYTES);
    ck_changed(t, p->image);
    memcpy(steps.host, p->steps, p->count * sizeof *p->steps);
    ck_changed(t, steps);
    a.image = p->image.device;
    if (ck_conforming(t))
        ck_expect(t, "the program breaks no rule by the oracle", p->broken != NULL, 0);
    if (ck_launch(t, &(struct ck_launch){ .kernel = "mbarrier_steps",
                                          .grid = { p->ctas },
                                          .block = { p->block },
                                          .cluster = { p->ctas > 1 ? p->ctas : 0 },
                                          .smem = PROGRAM_BYTES + 8 * MB_TOKENS,
                                          .args = &a,
                                          .size = sizeof a }) != CK_DONE)
        return false;
    if (!ck_conforming(t)) {
        see(p, got);
        return true;
    }
    if (p->show)
        see(p, got);
    for (uint32_t i = 0; i < p->count; i++) {
        if (!p->judged[i])
            continue;
        judged++;
        right += got[i] == p->want[i];
        if (got[i] != p->want[i] && judged - right <= 4) {
            char *what = ck_alloc(t, 64);
            snprintf(what, 64, "step %u, %s of object %u", i, name(&p->steps[i]), p->steps[i].object);
            ck_expect(t, what, got[i], p->want[i]);
        }
    }
    ck_equal_at(t, p->image, 0, p->fill, PROGRAM_BASE);
    ck_equal_at(t, p->image, PROGRAM_BASE + p->hole, p->fill + PROGRAM_BASE + p->hole,
                PROGRAM_BYTES - PROGRAM_BASE - p->hole);
    return ck_expect(t, "waits and counts as the case expects", right, judged);
}
// SPDX-License-Identifier: Apache-2.0
