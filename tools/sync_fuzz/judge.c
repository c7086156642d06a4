/* One program judged. */
#include "tools/sync_fuzz/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expected/random.h"

/* Instructions of a run. A program has some thousands, and more while its threads go round in waits. */
enum { MOST_RIGHT = 30000000, MOST_WRONG = 3000000 };

static void emit_alone(const struct program *p, struct ck_growing *text)
{
    *text = (struct ck_growing){ 0 };
    program_header(text);
    program_emit(p, "sync", text);
}

/* The bytes that the right program leaves. False with a message where the model does not find it right, or its bytes
 * depend on the order of threads: then the generator is wrong. */
static bool expect(const struct program *p, unsigned char *global, char *message, size_t size)
{
    static unsigned char again[GLOBAL_BYTES];

    for (uint64_t order = 0; order < 3; order++) {
        unsigned char *const bytes = order ? again : global;
        program_input(p, bytes);
        const struct model_result r = model_run(p, order, bytes);
        if (r.flaw) {
            snprintf(message, size, "the model says %s: operation %u (%s) of stage %u, operation %u (%s)",
                     flaw_names[r.flaw], r.op, op_names[p->ops[r.op].kind], p->ops[r.op].stage, r.other,
                     op_names[p->ops[r.other].kind]);
            return false;
        }
        if (order && memcmp(again, global, GLOBAL_BYTES)) {
            snprintf(message, size, "the model's bytes depend on the order of threads");
            return false;
        }
    }
    return true;
}

static bool same_bytes(const unsigned char *expected, const unsigned char *got, const char *who, char *message,
                       size_t size)
{
    for (size_t i = 0; i < GLOBAL_BYTES; i++)
        if (expected[i] != got[i]) {
            snprintf(message, size, "%s left %02x at byte %zu, the model %02x", who, got[i], i, expected[i]);
            return false;
        }
    return true;
}

/* Whether the judge finds the same behind the light judge as alone. */
static void judge_as_exec(const struct program *p, struct verdict *v)
{
    struct ck_growing text;
    struct emu_text *read;
    unsigned watched = 0;

    emit_alone(p, &text);
    read = emu_text_read(&text, v->message, sizeof v->message);
    v->good = read && emu_text_as_exec(read, p, "sync", MOST_WRONG, &watched, v->message, sizeof v->message);
    snprintf(v->rule, sizeof v->rule, "%s", watched == 4 ? "watched" : watched ? "partly" : "doubted");
    if (read)
        emu_text_free(read);
    ck_growing_free(&text);
}

/* Runs the right form in all schedules. */
static void judge_right(const struct settings *s, const struct program *p, struct verdict *v)
{
    static unsigned char expected[GLOBAL_BYTES], global[GLOBAL_BYTES];
    struct ck_growing text;
    struct emu_text *read = NULL;

    if (s->as_exec) {
        judge_as_exec(p, v);
        return;
    }
    v->good = expect(p, expected, v->message, sizeof v->message);
    emit_alone(p, &text);
    if (v->good)
        v->good = (read = emu_text_read(&text, v->message, sizeof v->message)) != NULL;
    for (unsigned i = 0; i < s->schedules && v->good; i++) {
        program_input(p, global);
        const struct outcome out = emu_text_run(read, p, "sync", i, MOST_RIGHT, global);
        v->schedule = i;
        v->good = !out.named && out.ended;
        memcpy(v->message, out.message, sizeof v->message);
        if (v->good)
            v->good = same_bytes(expected, global, "the emulator", v->message, sizeof v->message);
        else if (out.rule)
            snprintf(v->rule, sizeof v->rule, "%s", out.rule->id);
    }
    if (read)
        emu_text_free(read);
    ck_growing_free(&text);
}

/* Whether some order of threads breaks a rule. */
static enum flaw flaw_of(const struct program *p)
{
    static unsigned char global[GLOBAL_BYTES];

    for (uint64_t order = 0; order < ORDERS_TRIED; order++) {
        program_input(p, global);
        const struct model_result r = model_run(p, order, global);
        if (r.flaw)
            return r.flaw;
    }
    return FLAW_NONE;
}

static void judge_wrong(const struct settings *s, const struct program *p, struct verdict *v)
{
    static unsigned char global[GLOBAL_BYTES];
    struct ck_growing text;
    struct emu_text *read;

    if (s->as_exec) {
        judge_as_exec(p, v);
        return;
    }
    emit_alone(p, &text);
    read = emu_text_read(&text, v->message, sizeof v->message);
    snprintf(v->rule, sizeof v->rule, "%s", read ? "" : "refused");
    v->good = !read;
    for (unsigned i = 0; read && i < s->tries && !v->good; i++) {
        program_input(p, global);
        const struct outcome out = emu_text_run(read, p, "sync", i, MOST_WRONG, global);
        v->schedule = i;
        v->good = out.named;
        if (!out.named && !out.ended)
            i = s->tries; /* no verdict: other schedules take as long */
        memcpy(v->message, out.message, sizeof v->message);
        if (out.named)
            snprintf(v->rule, sizeof v->rule, "%s", out.rule ? out.rule->id : "no rule");
    }
    if (read)
        emu_text_free(read);
    ck_growing_free(&text);
}

static unsigned op_count(const struct program *p)
{
    unsigned n = 0;

    for (size_t i = 0; i < p->count; i++)
        n += p->ops[i].kind != OP_NONE;
    return n;
}

/* A wrong form; false where the model finds no fault with it. */
static bool wrong_form(const struct settings *s, const struct program *right, struct mutation x, int form,
                       struct verdict *v)
{
    static struct program p;

    p = *right;
    mutation_apply(&p, x);
    *v = (struct verdict){
        .seed = p.seed, .form = form, .ops = op_count(&p), .mutation = x.kind, .op = right->ops[x.op].kind
    };
    v->flaw = flaw_of(&p);
    if (v->flaw)
        judge_wrong(s, &p, v);
    return v->flaw != FLAW_NONE;
}

bool judge_seed(const struct settings *s, uint64_t seed, verdict_fn *tell, void *context)
{
    static struct program p;
    static struct mutation all[MUTATIONS_MAX];
    struct verdict v = { .seed = seed, .form = -1 };
    uint64_t random = ~seed;
    size_t n;

    program_generate(&p, seed, 0);
    if (p.full || !p.stages)
        return false;
    v.ops = op_count(&p);
    judge_right(s, &p, &v);
    tell(context, &v);
    n = mutation_list(&p, all, MUTATIONS_MAX);
    for (unsigned made = 0, tries = 0; n && made < s->wrong && tries < 4 * s->wrong; tries++) {
        const size_t form = splitmix64_next(&random) % n;
        if (!wrong_form(s, &p, all[form], (int)form, &v))
            continue;
        made++;
        tell(context, &v);
    }
    return true;
}

unsigned judge_gpu(uint64_t seed, unsigned count, verdict_fn *tell, void *context)
{
    static struct program p;
    static unsigned char expected[GLOBAL_BYTES], global[GLOBAL_BYTES];
    struct ck_growing text = { 0 };
    struct verdict v = { .seed = seed, .form = -1 };
    unsigned done = 0;
    bool broken = false;
    char entry[32];

    program_header(&text);
    for (unsigned i = 0; i < count; i++) {
        program_generate(&p, seed + i, 0);
        snprintf(entry, sizeof entry, "sync%u", i);
        if (!p.full && p.stages)
            program_emit(&p, entry, &text);
    }
    if (!gpu_take(&text, v.message, sizeof v.message))
        tell(context, &v);
    for (; done < count && !*v.message && !broken; done++) {
        struct verdict one = { .seed = seed + done, .form = -1 };
        program_generate(&p, seed + done, 0);
        if (p.full || !p.stages)
            continue;
        one.ops = op_count(&p);
        snprintf(entry, sizeof entry, "sync%u", done);
        program_input(&p, global);
        if (expect(&p, expected, one.message, sizeof one.message)) {
            broken = !gpu_run(&p, entry, global, one.message, sizeof one.message);
            one.good = !broken && same_bytes(expected, global, "the GPU", one.message, sizeof one.message);
        }
        tell(context, &one);
    }
    ck_growing_free(&text);
    return broken ? done : count;
}

/* ---- smaller forms ----------------------------------------------------------------------------------------------- */

/* Which operation of its stage this is, from 0. */
static unsigned number_in_stage(const struct program *p, unsigned op)
{
    unsigned n = 0;

    for (unsigned i = 0; i < op; i++)
        n += p->ops[i].stage == p->ops[op].stage;
    return n;
}

bool form_make(struct program *p, uint64_t seed, int form, uint32_t only)
{
    static struct mutation all[MUTATIONS_MAX];
    static struct program whole;
    struct mutation x;

    program_generate(p, seed, only);
    if (p->full || !p->stages)
        return false;
    if (form < 0)
        return true;
    program_generate(&whole, seed, 0);
    if ((size_t)form >= mutation_list(&whole, all, MUTATIONS_MAX))
        return false;
    x = all[form];
    for (unsigned i = 0; i < p->count; i++)
        if (p->ops[i].stage == whole.ops[x.op].stage && p->ops[i].kind == whole.ops[x.op].kind &&
            number_in_stage(p, i) == number_in_stage(&whole, x.op)) {
            mutation_apply(p, (struct mutation){ x.kind, i });
            return true;
        }
    return false;
}

static bool still_bad(const struct settings *s, uint64_t seed, int form, uint32_t only)
{
    static struct program p;
    struct verdict v = { .seed = seed, .form = form };

    if (!form_make(&p, seed, form, only))
        return false;
    if (form < 0)
        judge_right(s, &p, &v);
    else if (flaw_of(&p))
        judge_wrong(s, &p, &v);
    else
        return false;
    return !v.good;
}

uint32_t form_shrink(const struct settings *s, uint64_t seed, int form)
{
    for (uint32_t only = 1; only < 7; only++) /* of three stages: ones, then pairs */
        if (still_bad(s, seed, form, (uint32_t[]){ 0, 1, 2, 4, 3, 5, 6 }[only]))
            return (uint32_t[]){ 0, 1, 2, 4, 3, 5, 6 }[only];
    return 0;
}

void form_print(const struct program *p, int form)
{
    struct ck_growing text;
    const struct shape *s = &p->shape;

    emit_alone(p, &text);
    printf("// 0x%llx", (unsigned long long)p->seed);
    if (form >= 0)
        printf(":%d", form);
    printf(", stages:");
    for (unsigned i = 0; i < p->stages; i++)
        printf(" %s%s", p->names[i], i + 1 < p->stages ? ";" : "");
    printf("\n// copycheck check FILE --grid %u --block %u,%u,%u", program_ctas(p), s->block[0], s->block[1],
           s->block[2]);
    if (s->dynamic)
        printf(" --smem %u", s->padding + SHARED_BYTES);
    printf(" --arg in:%d@/dev/zero\n", GLOBAL_BYTES);
    fwrite(text.data, 1, text.size, stdout);
    ck_growing_free(&text);
}
// SPDX-License-Identifier: Apache-2.0
