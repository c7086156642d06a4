/* Steps on a cuda::barrier: what they do by the documents, and the launch. */
#include "tests/cuda_barrier/steps.h"

#include <string.h>

#include "harness/base/append.h"

struct steps *steps(struct ck *t)
{
    struct steps *s = ck_alloc(t, sizeof *s);

    s->t = t;
    return s;
}

static struct libcu_step *add(struct steps *s, uint32_t op, int32_t count, int32_t bytes)
{
    if (s->count == LIBCU_STEPS)
        ck_skip(s->t, "more than %d steps", LIBCU_STEPS);
    struct libcu_step *step = &s->step[s->count++];

    *step = (struct libcu_step){ .op = op, .count = count, .bytes = bytes };
    return step;
}

/* A phase is over when no arrival and no byte is missing. */
static void look(struct steps *s)
{
    if (s->pending == 0 && s->bytes == 0) {
        s->phase++;
        s->pending = s->expected;
    }
}

struct libcu_step *step_init(struct steps *s, int32_t count)
{
    s->expected = s->pending = count;
    s->bytes = 0;
    s->phase = 0;
    return add(s, LIBCU_INIT, count, 0);
}

struct libcu_step *step_arrive_tx(struct steps *s, int32_t count, int32_t bytes, uint32_t token)
{
    struct libcu_step *step = add(s, LIBCU_ARRIVE_TX, count, bytes);

    step->token = token;
    s->token[token] = s->phase;
    s->bytes += bytes;
    s->pending -= count;
    look(s);
    return step;
}

struct libcu_step *step_arrive(struct steps *s, int32_t count, uint32_t token)
{
    struct libcu_step *step = step_arrive_tx(s, count, 0, token);

    step->op = LIBCU_ARRIVE;
    return step;
}

struct libcu_step *step_drop(struct steps *s)
{
    s->expected--;
    s->pending--;
    look(s);
    return add(s, LIBCU_DROP, 1, 0);
}

struct libcu_step *step_expect_tx(struct steps *s, int32_t bytes)
{
    s->bytes += bytes;
    return add(s, LIBCU_EXPECT_TX, 0, bytes);
}

struct libcu_step *step_complete_tx(struct steps *s, int32_t bytes)
{
    s->bytes -= bytes;
    look(s);
    return add(s, LIBCU_COMPLETE_TX, 0, bytes);
}

struct libcu_step *step_raw_arrive(struct steps *s)
{
    s->pending--;
    look(s);
    return add(s, LIBCU_RAW_ARRIVE, 1, 0);
}

static struct libcu_step *add_question(struct steps *s, uint32_t op, int64_t ns, bool over)
{
    struct libcu_step *step = add(s, op, 0, 0);

    step->ns = ns;
    s->asks[s->count - 1] = true;
    s->answer[s->count - 1] = over;
    return step;
}

struct libcu_step *step_ask(struct steps *s, uint32_t token, int64_t ns)
{
    struct libcu_step *step = add_question(s, LIBCU_ASK, ns, s->token[token] != s->phase);

    step->token = token;
    return step;
}

struct libcu_step *step_ask_parity(struct steps *s, int32_t parity, int64_t ns)
{
    struct libcu_step *step = add_question(s, LIBCU_ASK_PARITY, ns, (s->phase & 1) != (uint32_t)parity);

    step->count = parity;
    return step;
}

struct libcu_step *step_destroy(struct steps *s)
{
    return add(s, LIBCU_DESTROY, 0, 0);
}

struct libcu_step *step_store(struct steps *s)
{
    return add(s, LIBCU_STORE, 0, 0);
}

static struct ck_buf launch(struct steps *s)
{
    struct ck_buf list = ck_zeroed(s->t, sizeof s->step), answers = ck_zeroed(s->t, 4 * LIBCU_STEPS),
                  room = ck_zeroed(s->t, 256);
    const struct libcu_steps_args a = {
        .steps = list.device, .answers = answers.device, .room = room.device, .count = s->count, .global = s->global
    };

    memcpy(list.host, s->step, s->count * sizeof *s->step);
    ck_changed(s->t, list);
    ck_launch(s->t, &(struct ck_launch){ .kernel = "libcu_steps", .smem = 1024, .args = &a, .size = sizeof a });
    return answers;
}

void steps_run(struct steps *s)
{
    struct ck_buf answers = launch(s);

    for (uint32_t i = 0; i < s->count; i++)
        if (s->asks[i])
            ck_expect(s->t, "whether the phase is over", ((uint32_t *)answers.host)[i], s->answer[i]);
}

void steps_see(struct steps *s)
{
    struct ck_buf answers = launch(s);
    char all[LIBCU_STEPS + 1] = "";

    for (uint32_t i = 0; i < s->count; i++)
        if (s->asks[i])
            ck_append(all, sizeof all, "%c", ((uint32_t *)answers.host)[i] ? 'T' : 'F');
    ck_see(s->t, "%s", all);
}
// SPDX-License-Identifier: Apache-2.0
