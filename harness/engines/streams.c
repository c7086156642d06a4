/* A model of streams: what is in a stream is done as late as it may be. */
#include "harness/engines/streams.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct model {
    struct ck_engine *engine;
    const struct ck_step *steps;
    const struct ck_device_launch *launches;
    bool *done;  /* of each step */
    size_t seen; /* steps that the host has come to */
    struct ck_outcome *out;
};

static void finding(struct model *m, size_t copy, const struct ck_step *by)
{
    struct ck_outcome *out = m->out;

    if (out->kind != CK_O_DONE)
        return;
    *out = (struct ck_outcome){ .kind = CK_O_DIAGNOSED };
    snprintf(out->rule, sizeof out->rule, "%s", rule_host_memcpy_async_needs_sync.id);
    snprintf(out->message, sizeof out->message,
             "the host %s memory which the copy of call %zu, in stream %u, still uses: wait for the stream first",
             by->kind == CK_STEP_FILL ? "writes" : "reads", copy + 1, m->steps[copy].stream);
}

/* ---- what is done at last ---- */

/* Copies through memory of this process. */
static bool copy_on(struct model *m, const struct ck_step *s)
{
    const struct ck_engine_ops *ops = m->engine->ops;
    void *aside = malloc(s->bytes + 1);
    const bool copied = aside && ops->read(m->engine, aside, s->from, s->bytes, m->out) &&
                        ops->write(m->engine, s->device, aside, s->bytes, m->out);

    free(aside);
    return copied;
}

static bool carry_out(struct model *m, size_t i)
{
    const struct ck_engine_ops *ops = m->engine->ops;
    const struct ck_step *s = &m->steps[i];
    struct ck_outcome out = { 0 };

    switch (s->kind) {
    case CK_STEP_IN: return ops->write(m->engine, s->device, s->host, s->bytes, m->out);
    case CK_STEP_OUT: return ops->read(m->engine, s->host, s->device, s->bytes, m->out);
    case CK_STEP_ON: return copy_on(m, s);
    case CK_STEP_LAUNCH:
        ops->launch(m->engine, &m->launches[i], &out);
        if (out.kind != CK_O_DONE && m->out->kind == CK_O_DONE)
            *m->out = out;
        return out.kind == CK_O_DONE || out.kind == CK_O_DIAGNOSED;
    default: return true;
    }
}

/* The step that recorded the event last, before step `before`; `before` where none has. */
static size_t recorded(const struct model *m, unsigned event, size_t before)
{
    for (size_t i = before; i-- > 0;)
        if (m->steps[i].kind == CK_STEP_RECORD && m->steps[i].event == event)
            return i;
    return before;
}

static bool in_a_stream(const struct ck_step *s)
{
    return s->kind <= CK_STEP_AFTER && !s->waits;
}

/* Does what the stream has, up to the step `last`; before a step that waits for an event, what that is behind. */
static bool drain(struct model *m, unsigned stream, size_t last)
{
    for (size_t i = 0; i <= last && i < m->seen; i++) {
        const struct ck_step *s = &m->steps[i];
        if (m->done[i] || !in_a_stream(s) || s->stream != stream)
            continue;
        m->done[i] = true;
        if (s->kind == CK_STEP_AFTER) {
            const size_t at = recorded(m, s->event, i);
            if (at != i && !drain(m, m->steps[at].stream, at))
                return false;
        } else if (!carry_out(m, i)) {
            return false;
        }
    }
    return true;
}

static bool drain_all(struct model *m)
{
    for (unsigned stream = 0; stream < CK_STREAMS; stream++)
        if (!drain(m, stream, m->seen))
            return false;
    return true;
}

/* ---- what the host does at once ---- */

/* Whether a copy that is not done uses these bytes of the host in a way that the host's access meets. */
static bool meets(const struct ck_step *copy, const struct ck_step *by)
{
    const char *from = copy->host, *at = by->host;

    return (copy->kind == CK_STEP_OUT || (copy->kind == CK_STEP_IN && by->kind == CK_STEP_FILL)) &&
           at < from + copy->bytes && from < at + by->bytes;
}

static void touch(struct model *m, const struct ck_step *s)
{
    for (size_t i = 0; i < m->seen; i++)
        if (!m->done[i] && in_a_stream(&m->steps[i]) && meets(&m->steps[i], s))
            finding(m, i, s);
    if (s->kind == CK_STEP_KEEP)
        memcpy(s->kept, s->host, s->bytes);
    else
        memset(s->host, s->value, s->bytes);
}

static bool call(struct model *m, size_t i)
{
    const struct ck_step *s = &m->steps[i];

    switch (s->kind) {
    case CK_STEP_IN:
    case CK_STEP_OUT:
    case CK_STEP_ON: return !s->waits || carry_out(m, i);
    case CK_STEP_WAIT_STREAM: return drain(m, s->stream, i);
    case CK_STEP_WAIT_EVENT: {
        const size_t at = recorded(m, s->event, i);
        return at == i || drain(m, m->steps[at].stream, at);
    }
    case CK_STEP_WAIT_DEVICE: return drain_all(m);
    case CK_STEP_KEEP:
    case CK_STEP_FILL: touch(m, s); return true;
    default: return true;
    }
}

void ck_streams_steps(struct ck_engine *e, struct ck_step *steps, const struct ck_device_launch *launches, size_t count,
                      struct ck_outcome *out)
{
    struct model m = {
        .engine = e, .steps = steps, .launches = launches, .done = calloc(count + 1, sizeof(bool)), .out = out
    };
    bool good = m.done != NULL;

    *out = (struct ck_outcome){ .kind = m.done ? CK_O_DONE : CK_O_MEMORY };
    for (size_t i = 0; i < count && good; i++) {
        m.seen = i + 1;
        steps[i].busy = false;
        steps[i].ns = 0;
        good = call(&m, i);
    }
    if (good)
        drain_all(&m);
    free(m.done);
}
// SPDX-License-Identifier: Apache-2.0
