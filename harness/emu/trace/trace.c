/* The trace of a launch. */
#include "harness/emu/trace/trace.h"

#include <errno.h>
#include <stdlib.h>

#include "expected/oracle.h"
#include "harness/base/json.h"
#include "harness/base/notes.h"
#include "harness/emu/copies/flight.h"
#include "harness/emu/copies/mbarrier_objects.h"
#include "harness/emu/machine/regions.h"
#include "harness/emu/machine/thread.h"

struct emu_trace {
    FILE *to;
    int error;             /* the first errno of a write */
    struct ck_notes notes; /* the number of a copy in flight, the place where a thread polls, what a cluster had
                              executed at its last event */
    uint64_t copies;       /* issued so far */
    uint64_t clock;        /* instructions executed so far, as far as events have told */
};

/* NULL where memory is short. */
static uint64_t *note_of(struct emu_trace *x, const void *of)
{
    uint64_t *note = ck_note_of(&x->notes, of);

    if (!note)
        x->error = ENOMEM;
    return note;
}

/* ---- parts of a line ---- */

static struct emu_trace *trace_of(const struct emu_grid *g)
{
    return g->machine->options.watch_state;
}

static struct emu_trace *trace_at(const struct emu_thread *t)
{
    return trace_of(t->cta->cluster->grid);
}

static void triple(FILE *to, const char *name, const uint32_t n[3])
{
    fprintf(to, "\"%s\":[%u,%u,%u]", name, n[0], n[1], n[2]);
}

/* Moves the clock on to this event: by what the thread's cluster has executed since its event before. */
static void advance(struct emu_trace *x, const struct emu_cluster *c)
{
    uint64_t *before = note_of(x, c);
    const uint64_t now = emu_now(c);

    if (!before)
        return;
    x->clock += now - *before;
    *before = now;
}

/* Begins the line of an event of a thread: its time, the thread, the instruction as PTX and as a line of CUDA. */
static FILE *begin_at(const struct emu_thread *t, const char *event, const struct ptx_instruction *at)
{
    struct emu_trace *x = trace_at(t);
    const struct ptx_module *m = t->cta->cluster->grid->module;
    const struct ptx_function *f = at ? ptx_function_of(m, at) : NULL;
    char ptx[300] = "", source[300] = "";

    advance(x, t->cta->cluster);
    if (f)
        ptx_print(m, f, at, ptx, sizeof ptx);
    if (at)
        ptx_source_called(m, at, source, sizeof source);
    fprintf(x->to, "{\"step\":%llu,\"event\":\"%s\",\"thread\":{", (unsigned long long)x->clock, event);
    triple(x->to, "tid", t->tid);
    fputc(',', x->to);
    triple(x->to, "ctaid", t->cta->ctaid);
    fputc('}', x->to);
    if (at)
        fprintf(x->to, ",\"ptx_line\":%u", at->line);
    else
        fputs(",\"ptx_line\":null", x->to);
    json_write_member(x->to, "ptx", ptx);
    json_write_member(x->to, "source", source);
    return x->to;
}

/* The same at the instruction that the thread executes, or whose copy lands now. */
static FILE *begin(const struct emu_thread *t, const char *event)
{
    return begin_at(t, event, t->landing ? t->landing : t->pc ? t->pc[-1].source : NULL);
}

static void end(const struct emu_thread *t)
{
    struct emu_trace *x = trace_at(t);

    fputs("}\n", x->to);
    if (ferror(x->to) && !x->error)
        x->error = errno;
}

/* Where bytes lie: an offset in a CTA's shared memory, as the kernel's own addresses count it, or in an allocation. */
static void place(FILE *to, struct emu *machine, const char *name, const struct emu_cta *cta, uint64_t address)
{
    const struct emu_region *r = cta ? NULL : emu_region_of(machine, address);

    fprintf(to, ",\"%s\":{\"space\":\"%s\",", name, cta ? "shared" : "global");
    if (cta)
        triple(to, "ctaid", cta->ctaid);
    else
        fprintf(to, "\"buffer\":");
    if (!cta && r)
        json_write_string(to, r->name);
    else if (!cta)
        fputs("null", to);
    fprintf(to, ",\"offset\":%llu}", (unsigned long long)(r ? address - r->at : address));
}

static void number(FILE *to, const char *name, uint64_t value)
{
    fprintf(to, ",\"%s\":%llu", name, (unsigned long long)value);
}

static void mbarrier(FILE *to, const struct emu_mbarrier *m)
{
    place(to, NULL, "mbarrier", m->cta, m->offset);
    number(to, "phase", m->phase);
}

/* ---- the launch ---- */

static void grid_begin(struct emu_grid *g)
{
    struct emu_trace *x = trace_of(g);

    fputs("{\"step\":0,\"event\":\"launch\"", x->to);
    json_write_member(x->to, "kernel", g->entry->name);
    fputc(',', x->to);
    triple(x->to, "grid", g->dim);
    fputc(',', x->to);
    triple(x->to, "block", g->block);
    fputc(',', x->to);
    triple(x->to, "cluster", g->cluster_dim);
    number(x->to, "smem", g->smem);
    fputs("}\n", x->to);
}

static void grid_end(struct emu_grid *g)
{
    struct emu_trace *x = trace_of(g);

    if (g->executed > x->clock)
        x->clock = g->executed;
    fprintf(x->to, "{\"step\":%llu,\"event\":\"end\"}\n", (unsigned long long)x->clock);
    if (fflush(x->to) && !x->error)
        x->error = errno;
}

static bool cluster_begin(struct emu_cluster *c)
{
    uint64_t *before = note_of(trace_of(c->grid), c);

    if (before)
        *before = 0; /* another cluster may have been at this address */
    return true;     /* it is told of every access */
}

static void stuck(const struct emu_standstill *all, char *message, size_t size)
{
    struct emu_trace *x = trace_of(all->clusters[0]->grid);

    (void)message;
    (void)size;
    advance(x, all->clusters[0]);
    fprintf(x->to, "{\"step\":%llu,\"event\":\"stuck\"}\n", (unsigned long long)x->clock);
}

/* ---- accesses ---- */

static void any_access(struct emu_thread *t, uint16_t space, struct emu_cta *cta, uint64_t address, uint64_t n,
                       enum emu_access kind)
{
    const bool atomic = kind == EMU_ATOMIC || kind == EMU_ATOMIC_IDLE;
    FILE *to = begin(t, "access");

    (void)space;
    json_write_member(to, "kind", kind == EMU_READ ? "read" : atomic ? "atomic" : "write");
    place(to, t->cta->cluster->grid->machine, "at", cta, address);
    number(to, "bytes", n);
    end(t);
}

static void load(struct emu_thread *t, uint32_t at, struct emu_cta *cta, uint64_t address, unsigned n)
{
    (void)at;
    any_access(t, 0, cta, address, n, EMU_READ);
}

static void store(struct emu_thread *t, uint32_t at, struct emu_cta *cta, uint64_t address, unsigned n,
                  enum emu_access kind)
{
    (void)at;
    any_access(t, 0, cta, address, n, kind);
}

/* ---- barriers and fences ---- */

static void meet(struct emu_thread *const *threads, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        FILE *to = begin(threads[i], "meet");
        number(to, "threads", count);
        end(threads[i]);
    }
}

static void barrier(struct emu_thread *t, FILE *to, const char *what, uint64_t which)
{
    json_write_member(to, "kind", what);
    if (which == EMU_CLUSTER_BARRIER)
        json_write_member(to, "barrier", "cluster");
    else
        number(to, "barrier", which);
    end(t);
}

static void barrier_arrive(struct emu_thread *t, uint64_t which, bool relaxed)
{
    (void)relaxed;
    barrier(t, begin(t, "barrier"), "arrive", which);
}

/* An exit may complete a barrier too, so no instruction is named. */
static void barrier_complete(struct emu_thread *t, uint64_t which)
{
    barrier(t, begin_at(t, "barrier", NULL), "complete", which);
}

static void barrier_wait(struct emu_thread *t, uint64_t which)
{
    barrier(t, begin(t, "barrier"), "wait", which);
}

static void fence_of(struct emu_thread *t, const char *kind)
{
    json_write_member(begin(t, "fence"), "kind", kind);
    end(t);
}

static void fence(struct emu_thread *t, const struct ptx_instruction *i)
{
    (void)i;
    fence_of(t, "memory");
}

static void fence_init(struct emu_thread *t)
{
    fence_of(t, "mbarrier_init");
}

static void proxy_fence(struct emu_thread *t, const struct ptx_instruction *i, uint64_t address)
{
    (void)i;
    (void)address;
    fence_of(t, "proxy");
}

/* ---- mbarriers ---- */

static void mbarrier_init(struct emu_thread *t, struct emu_mbarrier *m, uint32_t count, const struct ck_rule *broken)
{
    FILE *to = begin(t, "init");

    (void)broken;
    place(to, NULL, "mbarrier", m->cta, m->offset);
    number(to, "count", count);
    end(t);
}

static void mbarrier_inval(struct emu_thread *t, struct emu_mbarrier *m)
{
    mbarrier(begin(t, "inval"), m);
    end(t);
}

static void mbarrier_count(struct emu_thread *t, struct emu_mbarrier *m, enum emu_mbarrier_count what, uint64_t amount)
{
    FILE *to = begin(t, what == EMU_ARRIVED ? "arrival" : what == EMU_EXPECTED ? "expect" : "delivery");

    mbarrier(to, m);
    number(to, what == EMU_ARRIVED ? "arrivals" : "bytes", amount);
    end(t);
}

static void mbarrier_phase(struct emu_thread *t, struct emu_mbarrier *m)
{
    mbarrier(begin(t, "phase"), m);
    end(t);
}

/* A loop that asks again and again in vain is told once: when it begins to wait, and when the wait is over. */
static void mbarrier_wait(struct emu_thread *t, struct emu_mbarrier *m, bool done, struct emu_strength how)
{
    uint64_t *polls = note_of(trace_at(t), t);
    const uint64_t here = (uint64_t)(t->pc - t->code) + (m->phase << 32);
    FILE *to;

    (void)how;
    if (!done && polls && *polls == here)
        return;
    if (polls)
        *polls = done ? 0 : here;
    to = begin(t, "wait");
    mbarrier(to, m);
    fprintf(to, ",\"done\":%s", done ? "true" : "false");
    end(t);
}

/* ---- copies and groups ---- */

static const char *const group_names[] = {
    [EMU_CP_ASYNC_GROUP] = "cp.async", [EMU_BULK_GROUP] = "bulk", [EMU_WGMMA_GROUP] = "wgmma"
};

static void dimensions(FILE *to, const struct emu_flight *f)
{
    fprintf(to, ",\"tensor\":{\"type\":\"%s\",\"swizzle\":\"%s\",\"corner\":[", tensor_type_name(f->tile.map.type),
            tensor_swizzle_name(f->tile.map.swizzle));
    for (int64_t i = 0; i < (f->tile.map.mode == TENSOR_MODE_ROWS ? 5 : f->tile.map.rank); i++)
        fprintf(to, "%s%d", i ? "," : "", f->tile.corner[i]);
    fputs("],\"box\":[", to);
    for (int64_t i = 0; i < f->tile.map.rank; i++)
        fprintf(to, "%s%u", i ? "," : "", f->tile.map.box[i]);
    fputs("]}", to);
}

/* The line of a new copy or product. NULL where memory is short. */
static FILE *begin_issue(struct emu_thread *t, struct emu_flight *f)
{
    struct emu_trace *x = trace_at(t);
    uint64_t *copy = note_of(x, f);
    FILE *to;

    if (!copy)
        return NULL;
    x->copies++;
    *copy = x->copies;
    to = begin_at(t, "issue", f->at);
    number(to, "copy", x->copies);
    return to;
}

static void end_group(FILE *to, const struct emu_flight *f)
{
    fprintf(to, ",\"group\":{\"kind\":\"%s\",\"number\":%llu}", group_names[f->group],
            (unsigned long long)f->group_number);
}

static void copy_issued(struct emu_thread *t, struct emu_flight *f)
{
    static const char *const kinds[] = {
        [EMU_COPY] = "copy",
        [EMU_REDUCE] = "reduction",
        [EMU_TENSOR_LOAD] = "tensor-load",
        [EMU_TENSOR_STORE] = "tensor-store",
        [EMU_ARRIVE] = "arrive",
    };
    struct emu *machine = t->cta->cluster->grid->machine;
    FILE *to = begin_issue(t, f);

    if (!to)
        return;
    json_write_member(to, "kind", f->value ? "store" : kinds[f->kind]);
    if (f->kind != EMU_ARRIVE && f->kind != EMU_TENSOR_LOAD && !f->value)
        place(to, machine, "from", f->from_cta, f->from);
    if (f->kind != EMU_ARRIVE && f->kind != EMU_TENSOR_STORE)
        place(to, machine, "to", f->to_cta, f->to);
    if (f->kind == EMU_TENSOR_LOAD || f->kind == EMU_TENSOR_STORE)
        dimensions(to, f);
    number(to, "bytes", f->size);
    if (f->multicast)
        number(to, "multicast", f->multicast);
    if (f->group != EMU_NO_GROUP)
        end_group(to, f);
    if (f->bar_cta)
        place(to, NULL, "mbarrier", f->bar_cta, f->bar);
    end(t);
}

static FILE *begin_copy(struct emu_thread *t, const struct emu_flight *f, const char *event)
{
    const uint64_t *note = note_of(trace_at(t), f), copy = note ? *note : 0;
    FILE *to = begin(t, event);

    number(to, "copy", copy);
    return to;
}

static void copy_map(struct emu_thread *t, struct emu_flight *f, uint64_t address)
{
    place(begin_copy(t, f, "map"), t->cta->cluster->grid->machine, "at", NULL, address);
    end(t);
}

static void copy_read(struct emu_thread *t, struct emu_flight *f)
{
    begin_copy(t, f, "source-read");
    end(t);
}

static void copy_landed(struct emu_thread *t, struct emu_flight *f)
{
    begin_copy(t, f, "landing");
    end(t);
}

static void copy_signals(struct emu_thread *t, struct emu_flight *f, struct emu_cta *cta, uint64_t offset)
{
    place(begin_copy(t, f, "signal"), NULL, "mbarrier", cta, offset);
    end(t);
}

static void group_commit(struct emu_thread *t, bool bulk)
{
    FILE *to = begin(t, "group");

    json_write_member(to, "kind", "commit");
    json_write_member(to, "of", group_names[bulk ? EMU_BULK_GROUP : EMU_CP_ASYNC_GROUP]);
    end(t);
}

static void group_wait(struct emu_thread *t, const struct emu_group_wait *wait)
{
    FILE *to = begin(t, "group");

    json_write_member(to, "kind", wait->read ? "wait-read" : "wait");
    json_write_member(to, "of", group_names[wait->bulk ? EMU_BULK_GROUP : EMU_CP_ASYNC_GROUP]);
    number(to, "pending", wait->pending);
    end(t);
}

/* ---- wgmma ---- */

/* A product of a warp, of which lane 0 is named. */
static void product_issued(struct emu_thread *t, struct emu_flight *f)
{
    const struct ptx_module *m = t->cta->cluster->grid->module;
    FILE *to = begin_issue(t, f);

    if (!to)
        return;
    json_write_member(to, "kind", "product");
    json_write_member(to, "shape", ptx_word_text[ptx_word_of(m, f->at, PC_shape)]);
    end_group(to, f);
    end(t);
}

static void wgmma(struct emu_thread *const *lanes, const struct emu_op *op, struct emu_flight *f)
{
    const bool fence = op->source->op == OP_wgmma_fence, waits = op->source->op == OP_wgmma_wait_group;
    struct emu_thread *t = lanes[0];
    FILE *to;

    if (f) {
        product_issued(t, f);
        return;
    }
    to = begin_at(t, fence ? "fence" : "group", op->source);
    json_write_member(to, "kind", fence ? "wgmma" : waits ? "wait" : "commit");
    if (!fence)
        json_write_member(to, "of", group_names[EMU_WGMMA_GROUP]);
    if (waits)
        number(to, "pending", op->wgmma_keep);
    end(t);
}

const struct emu_watch emu_trace_watch = {
    .grid_begin = grid_begin,
    .grid_end = grid_end,
    .cluster_begin = cluster_begin,
    .stuck = stuck,
    .access = any_access,
    .load = load,
    .store = store,
    .meet = meet,
    .barrier_arrive = barrier_arrive,
    .barrier_complete = barrier_complete,
    .barrier_wait = barrier_wait,
    .fence = fence,
    .fence_init = fence_init,
    .proxy_fence = proxy_fence,
    .mbarrier_init = mbarrier_init,
    .mbarrier_inval = mbarrier_inval,
    .mbarrier_count = mbarrier_count,
    .mbarrier_phase = mbarrier_phase,
    .mbarrier_wait = mbarrier_wait,
    .copy_issued = copy_issued,
    .copy_map = copy_map,
    .copy_read = copy_read,
    .copy_landed = copy_landed,
    .copy_signals = copy_signals,
    .group_commit = group_commit,
    .group_wait = group_wait,
    .wgmma = wgmma,
    .wgmma_landed = copy_landed,
};

struct emu_trace *emu_trace_new(FILE *to)
{
    struct emu_trace *x = calloc(1, sizeof *x);

    if (x)
        x->to = to;
    return x;
}

bool emu_trace_end(struct emu_trace *x)
{
    const int error = x->error;

    ck_notes_free(&x->notes);
    free(x);
    errno = error;
    return !error;
}
// SPDX-License-Identifier: Apache-2.0
