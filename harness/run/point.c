/* One point on one engine: runs its case and judges what came. */
#include "harness/run/run.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/base/hash.h"
#include "harness/run/bench.h"

const char *ck_point_phase(const struct ck_point *p)
{
    return ck_case_phase(p->c);
}

/* Encode rows ask the driver; `jit` and gpu@VERSION would only ask the same driver again. */
bool ck_engine_can(const struct ck_engine *e, const struct ck_point *p)
{
    if (p->c->assemble)
        return e->ops->assemble != NULL;
    if (ck_case_compiles(p->c))
        return e->ops->compile && e->ops->speaks(e, ck_row_language(p->c));
    if (p->c->encode)
        return e->ops->encode && strncmp(e->name, "jit", 3) != 0 && !strchr(e->name, '@');
    return e->ops->launch != NULL;
}

static bool watches(const struct ck_point *p)
{
    return p->side == CK_SEEN || p->c->seen_only || p->c->rule->evidence == CK_OBSERVED || (p->variant && !p->mutant);
}

const char *ck_point_expected(const struct ck_point *p)
{
    if (watches(p))
        return "seen";
    return p->side == CK_ACCEPT ? "accept" : p->side == CK_REFUSE ? "refuse" : "done";
}

/* Ends the point as a skip where the engine lacks what the rule needs. */
static void check_needs(struct ck *t)
{
    const struct ck_rule *rule = t->point->c->rule;
    const struct ck_engine *e = t->bench->engine;
    struct ck_needs needs;

    if (t->point->c->assemble)
        return; /* the row says its own version and target, and the engine which of them it takes */
    ck_needs_parse(t->point->c->needs ? t->point->c->needs : rule->needs, &needs);
    /* Maps are made for its own target, as a driver makes them. */
    const bool any = e->any_target && !t->point->c->encode && !needs.driver;
    if (e->sm && !any && (needs.sm > e->sm || (needs.arch == 'a' && needs.sm != e->sm)))
        ck_skip(t, "needs sm_%d%.1s; %s is sm_%d", needs.sm, &needs.arch, e->name, e->sm);
    if (needs.toolkit && !e->toolkit)
        ck_skip(t, "needs toolkit %d.%d: its kernel is machine code, and %s runs PTX", needs.toolkit / 10,
                needs.toolkit % 10, e->name);
    if (needs.toolkit > e->toolkit)
        ck_skip(t, "needs toolkit %d.%d; the kernels of %s are built by %d.%d", needs.toolkit / 10, needs.toolkit % 10,
                e->name, e->toolkit / 10, e->toolkit % 10);
    if (needs.other)
        ck_skip(t, "needs %s", rule->needs);
}

static enum ck_verdict run_case(struct ck *t)
{
    const struct ck_case *c = t->point->c;
    const struct ck_bench *b = t->bench;

    check_needs(t);
    if (c->assemble)
        return ck_run_assemble(t);
    if (c->encode)
        return ck_run_encode(t);
    if (ck_case_compiles(c))
        return ck_run_compile(t);
    c->run(t);
    if (b->watching && b->failures)
        ck_see(t, "differs");
    else if (b->watching && b->checks && !b->result->seen[0])
        ck_see(t, "as conforming");
    if (!b->checks)
        return CK_V_UNPROVEN;
    return b->watching ? CK_V_SEEN : b->failures ? CK_V_FAIL : CK_V_PASS;
}

/* The verdict on a mutant, from that on its run. */
static enum ck_verdict of_mutant(const struct ck_variant *v, enum ck_verdict verdict)
{
    switch (verdict) {
    case CK_V_PASS: return v && v->survives ? CK_V_EXCUSED : CK_V_SURVIVED;
    case CK_V_FAIL:
    case CK_V_HANG:
    case CK_V_FAULT: return CK_V_KILLED;
    default: return verdict;
    }
}

/* Runs the case until it returns or ends its point. */
static void run_to_end(struct ck *t)
{
    if (setjmp(t->end) == 0)
        t->verdict = run_case(t);
    if (t->verdict == CK_V_UNPROVEN)
        ck_note(t, "the case judged nothing");
}

static double milliseconds(struct timespec from, struct timespec to)
{
    return (double)(to.tv_sec - from.tv_sec) * 1e3 + (double)(to.tv_nsec - from.tv_nsec) / 1e6;
}

void ck_point_run(const struct ck_point *p, struct ck_engine *engine, uint64_t seed, const struct ck_outcome *known,
                  struct ck_slot *result)
{
    struct ck_bench *b = calloc(1, sizeof *b);
    struct ck t = { .point = p, .bench = b, .detail = result->detail, .detail_size = sizeof result->detail };
    struct timespec from, to;

    result->seen[0] = 0;
    result->detail[0] = 0;
    result->lost = false;
    result->starved = !b;
    result->digest = 0;
    result->machine = 0;
    result->ratio = result->low = result->high = 0;
    result->rounds = 0;
    if (!b) {
        result->verdict = CK_V_BROKEN;
        return;
    }
    b->engine = engine;
    b->result = result;
    b->known = known;
    b->random = seed ^ fnv1a(FNV1A_BASIS, p->base, strlen(p->base));
    b->watching = watches(p);
    clock_gettime(CLOCK_MONOTONIC, &from);
    run_to_end(&t);
    clock_gettime(CLOCK_MONOTONIC, &to);
    if (b->launched && !b->lost && !b->no_digest && !(p->variant && p->variant->varies))
        result->digest = ck_bench_digest(b);
    result->verdict = (int)(p->mutant ? of_mutant(p->variant, t.verdict) : t.verdict);
    result->outcome = (int)b->outcome.kind;
    result->code = b->outcome.code;
    result->lost = b->lost;
    result->ms = milliseconds(from, to);
    ck_bench_free(b);
    if (engine->ops->reset && !b->lost && !known)
        engine->ops->reset(engine);
    free(b);
}
// SPDX-License-Identifier: Apache-2.0
