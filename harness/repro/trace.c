/* The engine that keeps what it was asked. */
#include "harness/repro/trace.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/room.h"
#include "kernels/args.h"

/* A copy, or NULL after marking the list as not whole. */
static void *copied(struct trace *t, const void *bytes, size_t size)
{
    void *copy = malloc(size ? size : 1);

    if (copy && bytes)
        memcpy(copy, bytes, size);
    t->lost |= !copy;
    return copy;
}

/* A new event at the end of the list; NULL where memory runs out. */
static struct trace_event *add(struct trace *t, enum trace_kind kind)
{
    struct trace_event *events = ck_room(t->events, t->count, &t->room, 64, sizeof *events);

    if (!events) {
        t->lost = true;
        return NULL;
    }
    t->events = events;
    t->events[t->count] = (struct trace_event){ .kind = kind };
    return &t->events[t->count++];
}

static void add_bytes(struct trace *t, enum trace_kind kind, uint64_t at, const void *bytes, size_t size)
{
    struct trace_event *e = add(t, kind);

    if (!e)
        return;
    e->at = at;
    e->size = size;
    e->bytes = copied(t, bytes, size);
}

static bool trace_open(struct ck_engine *e, struct ck_outcome *out)
{
    struct trace *t = e->state;
    const bool open = t->inner.ops->open(&t->inner, out);

    memcpy(e->facts, t->inner.facts, sizeof e->facts);
    e->toolkit = t->inner.toolkit;
    e->ptx = t->inner.ptx;
    return open;
}

static void trace_close(struct ck_engine *e)
{
    struct trace *t = e->state;

    t->inner.ops->close(&t->inner);
}

static void trace_encode(struct ck_engine *e, const struct tensor_map *map, void *object, unsigned null,
                         struct ck_outcome *out)
{
    struct trace *t = e->state;

    t->inner.ops->encode(&t->inner, map, object, null, out);
    struct trace_event *event = add(t, TRACE_ENCODE);
    if (!event)
        return;
    event->map = *map;
    event->null = null;
    event->offset = (unsigned)((uintptr_t)object % TENSOR_MAP_BYTES);
    event->code = out->kind == CK_O_DONE ? 0 : out->code;
    event->size = TENSOR_MAP_BYTES;
    event->bytes = out->kind == CK_O_DONE ? copied(t, object, TENSOR_MAP_BYTES) : NULL;
}

static void trace_replace_address(struct ck_engine *e, void *object, uint64_t address, struct ck_outcome *out)
{
    struct trace *t = e->state;
    struct trace_event *event = add(t, TRACE_REPLACE);

    if (event)
        memcpy(event->before, object, TENSOR_MAP_BYTES);
    t->inner.ops->replace_address(&t->inner, object, address, out);
    if (!event)
        return;
    event->at = address;
    event->offset = (unsigned)((uintptr_t)object % TENSOR_MAP_BYTES);
    event->code = out->kind == CK_O_DONE ? 0 : out->code;
    event->size = TENSOR_MAP_BYTES;
    event->bytes = copied(t, object, TENSOR_MAP_BYTES);
}

static uint64_t trace_alloc(struct ck_engine *e, enum ck_memory kind, size_t bytes, struct ck_outcome *out)
{
    struct trace *t = e->state;
    const uint64_t at = t->inner.ops->alloc(&t->inner, kind, bytes, out);
    struct trace_event *event = at ? add(t, TRACE_ALLOC) : NULL;

    if (event) {
        event->memory = kind;
        event->at = at;
        event->size = bytes;
    }
    return at;
}

static bool trace_write(struct ck_engine *e, uint64_t to, const void *from, size_t bytes, struct ck_outcome *out)
{
    struct trace *t = e->state;

    add_bytes(t, TRACE_WRITE, to, from, bytes);
    return t->inner.ops->write(&t->inner, to, from, bytes, out);
}

static bool trace_read(struct ck_engine *e, void *to, uint64_t from, size_t bytes, struct ck_outcome *out)
{
    struct trace *t = e->state;

    if (!t->inner.ops->read(&t->inner, to, from, bytes, out))
        return false;
    add_bytes(t, TRACE_READ, from, to, bytes);
    return true;
}

static void add_launch(struct trace *t, const struct ck_device_launch *l, bool joined)
{
    struct trace_event *event;

    if (l->before)
        add_launch(t, l->before, true);
    event = add(t, TRACE_LAUNCH);
    if (!event)
        return;
    event->joined = joined;
    event->launch = *l;
    event->launch.before = NULL;
    event->launch.kernel = copied(t, l->kernel, strlen(l->kernel) + 1);
    event->launch.args = copied(t, l->args, l->size);
    if (l->constant) {
        event->launch.constant = copied(t, l->constant, strlen(l->constant) + 1);
        event->launch.constant_bytes = copied(t, l->constant_bytes, l->constant_size);
    }
    t->calls++;
}

/* The launch, and what goes before it, without a limit of its waits; NULL where memory runs out. */
static struct ck_device_launch *unbounded(const struct ck_device_launch *l)
{
    struct ck_device_launch *copy = calloc(1, sizeof *copy), *before = NULL;
    struct ck_head *head =
        copy ? aligned_alloc(TENSOR_MAP_BYTES, (l->size / TENSOR_MAP_BYTES + 1) * TENSOR_MAP_BYTES) : NULL;

    if (head && l->before)
        before = unbounded(l->before);
    if (!head || (l->before && !before)) {
        free(head);
        free(copy);
        return NULL;
    }
    *copy = *l;
    memcpy(head, l->args, l->size);
    if (l->bounded)
        head->limit = 0;
    copy->args = head;
    copy->before = before;
    return copy;
}

static void unbounded_free(struct ck_device_launch *l)
{
    if (l->before)
        unbounded_free((struct ck_device_launch *)(uintptr_t)l->before);
    free((void *)(uintptr_t)l->args);
    free(l);
}

static void trace_launch(struct ck_engine *e, const struct ck_device_launch *l, struct ck_outcome *out)
{
    struct trace *t = e->state;
    struct ck_device_launch *patient = t->patient ? unbounded(l) : NULL;

    add_launch(t, l, false);
    t->lost |= t->patient && !patient;
    t->inner.ops->launch(&t->inner, patient ? patient : l, out);
    t->hung |= patient && out->kind == CK_O_HANG;
    if (patient)
        unbounded_free(patient);
    if (t->count && t->events[t->count - 1].kind == TRACE_LAUNCH)
        t->events[t->count - 1].refused = out->kind == CK_O_REFUSED;
}

static void trace_steps(struct ck_engine *e, struct ck_step *steps, const struct ck_device_launch *launches,
                        size_t count, struct ck_outcome *out)
{
    struct trace *t = e->state;

    t->untold = "copies and launches that a host puts into streams";
    t->inner.ops->steps(&t->inner, steps, launches, count, out);
}

static void trace_compared(struct ck_engine *e, uint64_t at, const void *expected, size_t bytes)
{
    add_bytes(e->state, TRACE_COMPARE, at, expected, bytes);
}

static void trace_reset(struct ck_engine *e)
{
    struct trace *t = e->state;

    t->inner.ops->reset(&t->inner);
}

static const struct ck_engine_ops trace_ops = {
    .open = trace_open,
    .close = trace_close,
    .encode = trace_encode,
    .replace_address = trace_replace_address,
    .alloc = trace_alloc,
    .write = trace_write,
    .read = trace_read,
    .launch = trace_launch,
    .steps = trace_steps,
    .compared = trace_compared,
    .reset = trace_reset,
};

void trace_engine(struct trace *trace, const struct ck_engine *inner, struct ck_engine *out)
{
    trace->inner = *inner;
    *out = *inner;
    out->ops = &trace_ops;
    out->state = trace;
    out->finds_hangs = false;
}

void trace_free(struct trace *t)
{
    for (size_t i = 0; i < t->count; i++) {
        struct trace_event *e = &t->events[i];
        free(e->bytes);
        free((void *)(uintptr_t)e->launch.kernel);
        free((void *)(uintptr_t)e->launch.args);
        free((void *)(uintptr_t)e->launch.constant);
        free((void *)(uintptr_t)e->launch.constant_bytes);
    }
    free(t->events);
    *t = (struct trace){ 0 };
}
// SPDX-License-Identifier: Apache-2.0
