/* What a case does on an engine: encode calls and launches. */
#include "harness/run/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/hash.h"

enum {
    WAIT_LIMIT_NS = 20 * 1000 * 1000, /* for a wait on the device: copies take microseconds */
    LAUNCH_DEADLINE_MS = 10000,
    ARGS_ALIGN = 128, /* bytes */
};

/* ---- encode calls --------------------------------------------------------------------------------------------- */

long ck_encode_call(struct ck *t, const struct tensor_map *map, void *object, unsigned null)
{
    struct ck_engine *e = t->bench->engine;
    struct ck_outcome out = { 0 };

    if (!e->ops->encode)
        ck_skip(t, "%s encodes no tensor maps", e->name);
    e->ops->encode(e, map, object, null, &out);
    if (out.kind == CK_O_UNSUPPORTED || out.kind == CK_O_FAULT)
        ck_engine_failed(t, &out);
    t->bench->outcome = out;
    return out.kind == CK_O_DONE ? 0 : out.code;
}

long ck_replace_address(struct ck *t, void *object, uint64_t address)
{
    struct ck_engine *e = t->bench->engine;
    struct ck_outcome out = { 0 };

    if (!e->ops->replace_address)
        ck_skip(t, "%s changes no tensor maps", e->name);
    e->ops->replace_address(e, object, address, &out);
    if (out.kind == CK_O_UNSUPPORTED || out.kind == CK_O_FAULT)
        ck_engine_failed(t, &out);
    return out.kind == CK_O_DONE ? 0 : out.code;
}

void ck_encode(struct ck *t, const struct tensor_map *map, struct ck_buf buffer, struct ck_tmap *out)
{
    struct tensor_map moved = *map;
    _Alignas(128) struct ck_tmap object;
    const char *message = t->bench->outcome.message;

    moved.address += buffer.device;
    if (ck_encode_call(t, &moved, &object, 0) == 0) {
        memcpy(out, &object, sizeof object);
        return;
    }
    if (t->bench->watching) {
        const char *blank = strrchr(message, ' '); /* the code's name is the last word */
        ck_see(t, "encode refused: %s", blank ? blank + 1 : "");
        ck_end(t, CK_V_SEEN);
    }
    ck_note(t, "expected  the encode call accepts the map\ngot       %s", message);
    t->bench->failures++;
    ck_end(t, CK_V_FAIL);
}

/* ---- launches ------------------------------------------------------------------------------------------------- */

/* The launch as the engine takes it; its kernel and arguments are filled in by the caller. */
static struct ck_device_launch device_launch(const struct ck_launch *l)
{
    struct ck_device_launch d = {
        .smem = l->smem,
        .size = l->size,
        .members = l->members || l->plain,
        .bounded = !l->plain,
        .constant = l->constant,
        .constant_bytes = l->constant_bytes,
        .constant_size = l->constant_size,
        .deadline_ms = LAUNCH_DEADLINE_MS,
    };

    for (int i = 0; i < 3; i++) {
        d.grid[i] = l->grid[i] ? l->grid[i] : 1;
        d.block[i] = l->block[i] ? l->block[i] : 1;
        if (l->cluster[0])
            d.cluster[i] = l->cluster[i] ? l->cluster[i] : 1;
    }
    return d;
}

/* A copy of the kernel arguments with their head, if they have one, filled in. */
static void *filled_args(struct ck *t, const struct ck_launch *l, bool may_hang)
{
    const struct ck_head head = { .limit = t->bench->engine->finds_hangs && !may_hang ? 0 : WAIT_LIMIT_NS,
                                  .timeouts = t->bench->timeouts_at };
    void *args = aligned_alloc(ARGS_ALIGN, (l->size + ARGS_ALIGN - 1) / ARGS_ALIGN * ARGS_ALIGN);

    if (!args || (l->size < sizeof head && !l->plain))
        ck_broken(t, "kernel arguments of %zu bytes", l->size);
    memcpy(args, l->args, l->size);
    if (!l->plain)
        memcpy(args, &head, sizeof head);
    return args;
}

struct ck_device_launch ck_bench_launch(struct ck *t, const struct ck_launch *l)
{
    struct ck_device_launch d = device_launch(l);

    d.kernel = l->kernel;
    d.args = filled_args(t, l, l->may_hang);
    return d;
}

/* Launches on the engine, behind the launch before if there is one. */
static void launch_on_engine(struct ck *t, const struct ck_launch *l, const char *kernel, struct ck_outcome *out)
{
    struct ck_engine *e = t->bench->engine;
    struct ck_device_launch d = device_launch(l), before;
    void *args = filled_args(t, l, l->may_hang), *args_before = NULL;

    if (l->before) {
        args_before = filled_args(t, l->before, l->may_hang);
        before = device_launch(l->before);
        before.kernel = l->before->kernel;
        before.args = args_before;
        d.before = &before;
    }
    d.kernel = kernel;
    d.args = args;
    e->ops->launch(e, &d, out);
    free(args);
    free(args_before);
}

/* The kernel ran, as far as it could, and the engine names a rule that it breaks. */
void ck_bench_diagnosed(struct ck *t, const struct ck_outcome *out)
{
    struct ck_bench *b = t->bench;

    b->checks++;
    ck_note(t, "got       diagnosed%s%s: %s", out->rule[0] ? " " : "", out->rule, out->message);
    if (!b->watching)
        b->failures++;
    else if (t->point->variant || out->kind == CK_O_DIAGNOSED)
        ck_see(t, "diagnosed %s%s%s", out->rule[0] ? out->rule : "without a rule", out->also[0] ? ", also " : "",
               out->also);
}

/* The kernel ended; a wait in it may have run out. */
static enum ck_end launch_ended(struct ck *t, const struct ck_launch *l)
{
    struct ck_bench *b = t->bench;

    ck_bench_fetch(t);
    if (!b->timeouts || l->may_hang)
        return CK_DONE;
    ck_note(t, "got       a wait ran out on the device (bits 0x%x)", b->timeouts);
    if (!b->watching)
        ck_end(t, CK_V_HANG);
    ck_see(t, "a wait ran out");
    b->outcome.kind = CK_O_HANG;
    return CK_HANG;
}

/* The kernel did not end, or did not start. */
static enum ck_end launch_failed(struct ck *t, const struct ck_outcome *out)
{
    struct ck_bench *b = t->bench;
    const char *what = out->kind == CK_O_FAULT ? "fault" : out->kind == CK_O_HANG ? "hang" : "launch refused";

    if (out->kind == CK_O_UNSUPPORTED || out->kind == CK_O_MEMORY)
        ck_engine_failed(t, out);
    b->lost |= out->kind == CK_O_FAULT;
    ck_note(t, "got       %s", out->message);
    if (!b->watching)
        ck_end(t, out->kind == CK_O_FAULT ? CK_V_FAULT : out->kind == CK_O_HANG ? CK_V_HANG : CK_V_FAIL);
    if (out->kind == CK_O_HANG && b->engine->finds_hangs) /* as on an engine whose waits run out at their limit */
        ck_see(t, "a wait ran out");
    else
        ck_see(t, "%s %ld", what, out->code);
    if (out->kind == CK_O_REFUSED)
        ck_end(t, CK_V_SEEN);
    return out->kind == CK_O_FAULT ? CK_FAULT : CK_HANG;
}

enum ck_end ck_launch(struct ck *t, const struct ck_launch *l)
{
    const struct ck_variant *v = t->point->variant;
    struct ck_bench *b = t->bench;
    struct ck_outcome out = { 0 };
    char kernel[128];

    if (b->lost)
        ck_broken(t, "a launch after a fault");
    if (!b->engine->ops->launch)
        ck_skip(t, "%s launches nothing", b->engine->name);
    if (v && v->kernel)
        snprintf(kernel, sizeof kernel, "%s__%s", l->kernel, v->kernel);
    else
        snprintf(kernel, sizeof kernel, "%s", l->kernel);
    ck_bench_send(t);
    launch_on_engine(t, l, kernel, &out);
    b->launched = true;
    b->outcome = out;
    if (out.machine) /* of several launches those of all, in their order */
        b->result->machine =
            b->result->machine ? fnv1a(b->result->machine, &out.machine, sizeof out.machine) : out.machine;
    if (out.kind == CK_O_DIAGNOSED || (out.kind == CK_O_HANG && out.rule[0]))
        ck_bench_diagnosed(t, &out);
    if (out.kind == CK_O_DONE || out.kind == CK_O_DIAGNOSED)
        return launch_ended(t, l);
    if (out.kind == CK_O_REFUSED && l->refused) {
        ck_note(t, "refused, as it must be: %s", out.message);
        b->outcome = (struct ck_outcome){ .kind = CK_O_DONE };
        return CK_REFUSED;
    }
    return launch_failed(t, &out);
}

uint32_t ck_timeouts(struct ck *t)
{
    return t->bench->timeouts;
}
// SPDX-License-Identifier: Apache-2.0
