/* Random legal programs on several objects: whatever the oracle's object does, the machine's does too. */
#include "tests/mbarrier/program.h"

enum { OBJECTS = 4, STEPS = 160 };

static uint32_t below(struct ck *t, uint64_t n)
{
    return (uint32_t)(ck_random(t) % n);
}

/* One legal operation on the object, drawn at random; NULL where the draw is not legal now. */
static struct mbarrier_step *step(struct ck *t, struct program *p, const struct mbarrier *b)
{
    const uint32_t bytes = below(t, 1000);

    switch (below(t, 9)) {
    case 0: return b->pending ? mb_arrive(p) : NULL;
    case 1: return b->pending ? mb_arrive_count(p, 1 + below(t, (uint64_t)b->pending)) : NULL;
    case 2:
        if (b->pending < 2)
            return NULL;
        p->token = p->object;
        mb_arrive_nocomplete(p, 1 + below(t, (uint64_t)b->pending - 1));
        return mb_pending(p, (uint64_t)p->states[0][p->token].pending);
    case 3: return b->pending && b->tx + bytes <= MBARRIER_MAX ? mb_arrive_expect(p, bytes) : NULL;
    case 4: return b->pending && b->expected > 1 ? mb_drop(p) : NULL;
    case 5: return b->tx + bytes <= MBARRIER_MAX ? mb_expect(p, bytes) : NULL;
    case 6: /* what is announced comes sooner or later, or bytes come first */
        return mb_complete(p, b->tx > 0 ? below(t, 3) ? (uint32_t)b->tx : below(t, (uint64_t)b->tx) : bytes);
    case 7: return b->tx < 0 ? mb_expect(p, (uint32_t)-b->tx) : NULL;
    default: return b->pending ? mb_arrive_count(p, (uint32_t)b->pending) : NULL;
    }
}

/* A random legal program on four objects: after every operation the waits find the machine's object in the same
 * phase as the oracle's. */
static void any_program(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    struct mbarrier_step *test = NULL;

    for (p->object = 0; p->object < OBJECTS; p->object++)
        mb_init(p, 1 + below(t, 12));
    for (int i = 0; i < STEPS; i++) {
        const struct mbarrier *b;

        p->object = below(t, OBJECTS);
        b = &p->objects[0][p->object];
        step(t, p, b);
        test = mb_test_parity(p, b->phase & 1, false);
        if (b->phase)
            mb_test_parity(p, (b->phase & 1) ^ 1, true);
    }
    if (ck_variant(t, "parity")) /* at the end: any earlier change goes on to break rules, and the machine stops */
        test->value ^= 1;
    program_run(p);
}

static const struct ck_case cases[] = {
    { CK_RULE(mbarrier_phase_needs_both), .name = "random", .run = any_program, .axes = { { "program", "0..63" } },
      .mutants = { { "parity", "test the other parity at the end" } } },
    { 0 },
};

const struct ck_suite mbarrier_random_cases = { "mbarrier/random", cases };
// SPDX-License-Identifier: Apache-2.0
