/* Threads step by step: who runs next, what happens when nobody can.
 *
 * The threads of a cluster take turns of a fixed number of instructions. A thread that waits for what another thread
 * or an asynchronous operation does is blocked, and is called again at the same instruction when something changed. A
 * wait that the program itself repeats (a loop of test_wait) looks the same from here: the handler says that it polled
 * in vain. When every thread is blocked or has polled in vain, asynchronous operations are delivered; when none is in
 * flight either, the clock jumps, so that a bounded loop runs out; when nobody looks at the clock, it is a deadlock. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/emu/machine/inside.h"

/* Instructions of a turn; rounds that a poller rests while others run on and nothing that it may wait for happens. */
enum { TURN = 256, REST = 64 };

static const uint64_t default_instructions = 1ull << 33, clock_jump = 5u * 1000 * 1000;

uint64_t emu_instruction_limit(const struct emu_options *o)
{
    return o->max_instructions ? o->max_instructions : default_instructions;
}

struct emu_run *emu_run_of(struct emu_thread *t)
{
    return t->cta->cluster->run;
}

void emu_block(struct emu_thread *t, enum emu_wait wait, uint64_t a, uint64_t b)
{
    t->state = EMU_BLOCKED;
    t->wait = wait;
    t->wait_a = a;
    t->wait_b = b;
    t->pc--;
}

void emu_wake(struct emu_cluster *c)
{
    ((struct emu_run *)c->run)->changed = true;
}

/* A loop that only polls comes back with the registers that it had: then it waits for others. One that counts, or a
 * program that asks once and goes on, does not. */
void emu_poll(struct emu_thread *t, uint64_t offset, uint64_t phase)
{
    const uint32_t n = t->frame->code->first_special;
    const size_t bytes = n * sizeof *t->r;

    t->polled = true;
    t->wait = EMU_WAIT_MBARRIER;
    t->wait_a = offset;
    t->wait_b = phase;
    t->went_on = t->poll_at != t->pc || memcmp(t->poll_registers, t->r, bytes) != 0;
    if (!t->went_on)
        return;
    t->poll_at = NULL;
    if (n > t->poll_room) {
        uint64_t *more = realloc(t->poll_registers, bytes);
        if (!more)
            return; /* it may go on for ever: --max-instructions ends it */
        t->poll_registers = more;
        t->poll_room = n;
    }
    memcpy(t->poll_registers, t->r, bytes);
    t->poll_at = t->pc;
}

void emu_exit(struct emu_thread *t)
{
    struct emu_cta *cta = t->cta;

    while (t->frame)
        emu_frame_pop(t);
    t->state = EMU_EXITED;
    cta->live--;
    if (!cta->live)
        cta->cluster->live--;
    for (uint32_t i = t->index - t->lane; i < cta->thread_count && i / EMU_WARP == t->warp; i++)
        if (cta->threads[i].state == EMU_BLOCKED && cta->threads[i].wait == EMU_WAIT_WARP)
            cta->threads[i].state = EMU_READY; /* it may have waited for this one */
    emu_barriers_exit(t);
    emu_cluster_exit(t);
    emu_wake(cta->cluster);
}

/* ---- special registers ------------------------------------------------------------------------------------------ */

static uint32_t component(const uint32_t v[3], uint8_t which)
{
    return which == 'w' ? 0 : v[which ? which - 'x' : 0];
}

uint64_t emu_special_value(const struct emu_thread *t, uint16_t special, uint8_t which)
{
    const struct emu_cta *cta = t->cta;
    const struct emu_cluster *c = cta->cluster;
    const struct emu_grid *g = c->grid;
    const uint32_t bit = 1u << t->lane;
    uint32_t in[3], clusters[3];

    for (int i = 0; i < 3; i++) {
        in[i] = cta->ctaid[i] % g->cluster_dim[i];
        clusters[i] = g->dim[i] / g->cluster_dim[i];
    }
    switch (special) {
    case SR_tid: return component(t->tid, which);
    case SR_ntid: return which == 'w' ? 1 : component(g->block, which);
    case SR_laneid: return t->lane;
    case SR_warpid: return t->warp;
    case SR_nwarpid: return (cta->thread_count + EMU_WARP - 1) / EMU_WARP;
    case SR_ctaid: return component(cta->ctaid, which);
    case SR_nctaid: return which == 'w' ? 1 : component(g->dim, which);
    case SR_smid: return cta->rank;
    case SR_nsmid: return 132;
    case SR_gridid: return g->number;
    case SR_is_explicit_cluster: return c->cta_count > 1;
    case SR_clusterid: return component(c->id, which);
    case SR_nclusterid: return component(clusters, which);
    case SR_cluster_ctaid: return component(in, which);
    case SR_cluster_nctaid: return component(g->cluster_dim, which);
    case SR_cluster_ctarank: return cta->rank;
    case SR_cluster_nctarank: return c->cta_count;
    case SR_lanemask_eq: return bit;
    case SR_lanemask_lt: return bit - 1;
    case SR_lanemask_le: return bit | (bit - 1);
    case SR_lanemask_gt: return ~(bit | (bit - 1));
    case SR_lanemask_ge: return ~(bit - 1);
    case SR_total_smem_size: return cta->shared_bytes;
    case SR_dynamic_smem_size: return g->smem;
    case SR_aggr_smem_size: return cta->shared_bytes;
    case SR_reserved_smem_offset_cap:
    case SR_reserved_smem_offset_end: return EMU_SHARED_BASE;
    default: return 0;
    }
}

bool emu_special_changes(uint16_t special)
{
    return special == SR_clock || special == SR_clock_hi || special == SR_clock64 || special == SR_globaltimer ||
           special == SR_globaltimer_lo || special == SR_globaltimer_hi;
}

/* ---- a cluster -------------------------------------------------------------------------------------------------- */

static void free_cluster(struct emu_cluster *c)
{
    for (uint32_t i = 0; i < c->cta_count; i++) {
        struct emu_cta *cta = &c->ctas[i];
        for (uint32_t k = 0; cta->threads && k < cta->thread_count; k++) {
            while (cta->threads[k].frame)
                emu_frame_pop(&cta->threads[k]);
            free(cta->threads[k].local);
            emu_unreserve(c->grid->machine, cta->threads[k].local_size);
            free(cta->threads[k].offer);
            free(cta->threads[k].poll_registers);
        }
        if (cta->shared)
            emu_unreserve(c->grid->machine, cta->shared_bytes);
        free(cta->threads);
        free(cta->shared);
        free(cta->barriers);
    }
    free(c->ctas);
    free(c->barrier);
}

static bool make_cta(struct emu_cluster *c, struct emu_cta *cta, const struct emu_image *image)
{
    const struct emu_grid *g = c->grid;
    const uint32_t n = g->block[0] * g->block[1] * g->block[2];

    cta->cluster = c;
    cta->thread_count = cta->live = n;
    cta->shared_bytes = image->shared_bytes + g->smem;
    if (!emu_reserve(g->machine, cta->shared_bytes))
        return false;
    cta->shared = aligned_alloc(1024, (cta->shared_bytes + 1023 + 16) / 1024 * 1024);
    if (!cta->shared)
        emu_unreserve(g->machine, cta->shared_bytes);
    /* whole warps, so that a warp's lanes can be looked at without asking */
    cta->threads = calloc((n + EMU_WARP - 1) / EMU_WARP * EMU_WARP, sizeof *cta->threads);
    if (!cta->shared || !cta->threads)
        return false;
    memset(cta->shared, 0xCD, cta->shared_bytes);
    for (uint32_t i = 0; i < (n + EMU_WARP - 1) / EMU_WARP * EMU_WARP; i++) {
        struct emu_thread *t = &cta->threads[i];
        t->cta = cta;
        t->index = i;
        t->tid[0] = i % g->block[0];
        t->tid[1] = i / g->block[0] % g->block[1];
        t->tid[2] = i / g->block[0] / g->block[1];
        t->lane = i % EMU_WARP;
        t->warp = i / EMU_WARP;
        if (i >= n)
            t->state = EMU_EXITED;
    }
    return true;
}

static bool make_cluster(struct emu_cluster *c, struct emu_image *image, const struct emu_code *code)
{
    const struct emu_grid *g = c->grid;

    c->cta_count = c->live = g->cluster_dim[0] * g->cluster_dim[1] * g->cluster_dim[2];
    c->ctas = calloc(c->cta_count, sizeof *c->ctas);
    if (!c->ctas)
        return false;
    for (uint32_t i = 0; i < c->cta_count; i++) {
        struct emu_cta *cta = &c->ctas[i];
        cta->rank = i;
        cta->ctaid[0] = c->id[0] * g->cluster_dim[0] + i % g->cluster_dim[0];
        cta->ctaid[1] = c->id[1] * g->cluster_dim[1] + i / g->cluster_dim[0] % g->cluster_dim[1];
        cta->ctaid[2] = c->id[2] * g->cluster_dim[2] + i / g->cluster_dim[0] / g->cluster_dim[1];
        if (!make_cta(c, cta, image))
            return false;
        for (uint32_t k = 0; k < cta->thread_count; k++)
            if (!emu_frame_push(&cta->threads[k], code, NULL))
                return false;
    }
    return true;
}

/* A thread's turn. Returns whether it executed anything that it had not tried in vain before. */
static bool turn(struct emu_thread *t, struct emu_run *run)
{
    const uint64_t before = t->steps;

    for (int i = 0; i < TURN && t->state == EMU_READY && !t->polled; i++) {
        const struct emu_op *op = t->pc++;
        t->steps++;
        if (op->guard == EMU_NO || (t->r[op->guard] != 0) != op->guard_not)
            op->run(t, op);
    }
    run->instructions += t->steps - before;
    if (t->polled && !t->went_on)
        return false; /* once more round a loop that only asks */
    return t->state != EMU_BLOCKED || t->steps - before > 1;
}

/* Nobody of the cluster can go on. What helps: a copy that lands, a program that is only asking on its way, or time. */
static enum emu_stuck stuck(struct emu_cluster *c, struct emu_run *run)
{
    bool sleeping = false, went_on = false;

    if (emu_async_deliver(c, true))
        return EMU_HELPED;
    for (uint32_t i = 0; i < c->cta_count; i++)
        for (uint32_t k = 0; k < c->ctas[i].thread_count; k++) {
            struct emu_thread *t = &c->ctas[i].threads[k];
            went_on |= t->state == EMU_READY && t->polled && t->went_on;
            sleeping |= t->state == EMU_BLOCKED && t->wait == EMU_WAIT_SLEEP;
        }
    if (sleeping || run->clock_read) /* who looks at a clock comes back with other registers every time */
        return EMU_TIME;
    return went_on ? EMU_HELPED : EMU_STUCK;
}

static void wake_all(struct emu_cluster *c)
{
    for (uint32_t i = 0; i < c->cta_count; i++)
        for (uint32_t k = 0; k < c->ctas[i].thread_count; k++) {
            struct emu_thread *t = &c->ctas[i].threads[k];
            t->polled = false;
            if (t->state == EMU_BLOCKED && t->wait != EMU_WAIT_WARP)
                t->state = EMU_READY;
        }
}

/* A round of turns. EMU_TIME and EMU_STUCK: nothing happened, and the cluster by itself waits for a clock, or for ever.
 */
static enum emu_stuck round_of(struct emu_cluster *c, struct emu_run *run)
{
    const struct emu_options *o = &c->grid->machine->options;
    const uint64_t most = emu_instruction_limit(o);
    const uint64_t before = run->instructions;
    enum emu_stuck how = EMU_HELPED;
    bool moved = false;

    if (run->stuck)
        wake_all(c);
    for (uint32_t i = 0; i < c->cta_count; i++)
        for (uint32_t k = 0; k < c->ctas[i].thread_count; k++) {
            struct emu_thread *t = &c->ctas[i].threads[k];
            if (t->state == EMU_READY && !t->polled)
                moved |= turn(t, run);
        }
    c->grid->executed += run->instructions - before;
    if (c->grid->executed > most) {
        run->end = EMU_TOO_LONG;
        snprintf(run->message, sizeof run->message, "more than %llu instructions", (unsigned long long)most);
        return EMU_HELPED;
    }
    if (o->delivery != EMU_LATE)
        run->changed |= emu_async_deliver(c, false);
    if (!run->changed && !moved)
        how = stuck(c, run);
    run->stuck = how == EMU_STUCK; /* its waiters stay as they are, for the report of a deadlock */
    if (!run->stuck && (run->changed || !moved || ++run->rested == REST)) {
        wake_all(c);
        run->rested = 0;
    }
    run->changed = false;
    return how;
}

/* A cluster's whole round, with the way out that a finding takes. */
enum emu_stuck emu_cluster_round(struct emu_cluster *c, struct emu_run *run)
{
    emu_file_into(&run->findings);
    if (setjmp(c->fault))
        return EMU_HELPED; /* run->end says what happened */
    return round_of(c, run);
}

bool emu_cluster_begin(struct emu_grid *g, struct emu_image *image, const struct emu_code *code, uint64_t number,
                       struct emu_cluster *c, struct emu_run *run)
{
    const uint32_t n[2] = { g->dim[0] / g->cluster_dim[0], g->dim[1] / g->cluster_dim[1] };

    *run = (struct emu_run){ .image = image, .number = number };
    *c = (struct emu_cluster){ .run = run, .grid = g };
    c->id[0] = (uint32_t)(number % n[0]);
    c->id[1] = (uint32_t)(number / n[0] % n[1]);
    c->id[2] = (uint32_t)(number / n[0] / n[1]);
    c->random = g->machine->options.seed * 0x9E3779B97F4A7C15u + g->number * 0xBF58476D1CE4E5B9u + number;
    if (!make_cluster(c, image, code)) {
        run->end = EMU_BAD_LAUNCH;
        snprintf(run->message, sizeof run->message,
                 "--max-memory leaves no room for the shared and local memory of a cluster");
        return false;
    }
    emu_async_begin(c);
    emu_order_begin(c);
    return true;
}

/* What is still in flight lands; then all that the cluster had goes. */
void emu_cluster_finish(struct emu_cluster *c, struct emu_run *run, struct emu_report *report)
{
    emu_file_into(&run->findings);
    if (run->end == EMU_DONE && c->async && setjmp(c->fault) == 0)
        emu_async_end(c);
    emu_order_end(c);
    emu_async_free(c);
    emu_file_cluster(c->grid->machine, run);
    emu_file_into(NULL);
    report->instructions += run->instructions;
    if (run->end != EMU_DONE && report->end == EMU_DONE) {
        report->end = run->end;
        memcpy(report->message, run->message, sizeof report->message);
    }
    free_cluster(c);
}

/* A cluster that is resident, so that a kernel whose CTAs wait for one another runs here as on a device, and how its
 * run stands. They take turns. */
struct resident {
    struct emu_cluster cluster;
    struct emu_run run;
};

static bool over(const struct resident *r)
{
    return !r->cluster.live || r->run.end != EMU_DONE;
}

/* A round of each resident cluster, until one is over. False where none can go on. */
static bool rounds(struct resident *const *all, size_t count, unsigned *jumps)
{
    bool helped = false, time = false;

    for (size_t i = 0; i < count; i++) {
        const enum emu_stuck how = emu_cluster_round(&all[i]->cluster, &all[i]->run);
        helped |= how == EMU_HELPED;
        time |= how == EMU_TIME;
        if (over(all[i]))
            return true;
    }
    if (helped) {
        *jumps = 0;
        return true;
    }
    if (!time && *jumps)
        return false;
    for (size_t i = 0; i < count; i++) {
        all[i]->run.clock_read = false;
        all[i]->run.clock += clock_jump;
    }
    return ++*jumps < 100000;
}

enum emu_end emu_step_grid(struct emu_grid *g, struct emu_report *report)
{
    struct emu_image *image = emu_image_of(g->machine, g->module);
    const struct emu_code *code = emu_code_of(g->machine, image, (uint32_t)(g->entry - g->module->functions));
    const uint32_t size = g->cluster_dim[0] * g->cluster_dim[1] * g->cluster_dim[2];
    const uint64_t total = (uint64_t)g->dim[0] * g->dim[1] * g->dim[2] / size;
    const size_t most = size < EMU_RESIDENT_CTAS ? EMU_RESIDENT_CTAS / size : 1;
    struct resident *all[EMU_RESIDENT_CTAS] = { NULL };
    uint64_t next = 0;
    size_t count = 0;
    unsigned jumps = 0;

    report->jobs = 1;
    report->end = code ? EMU_DONE : EMU_BAD_LAUNCH;
    if (!code)
        snprintf(report->message, sizeof report->message, "out of memory");
    if (code && g->machine->options.jobs > 1 && total > 1 && emu_spread_grid(g, image, code, total, report))
        return report->end;
    while (report->end == EMU_DONE && (next < total || count)) {
        for (; next < total && count < most && report->end == EMU_DONE; next++) {
            struct resident *r = calloc(1, sizeof *r);
            if (!r || !emu_cluster_begin(g, image, code, next, &r->cluster, &r->run)) {
                report->end = EMU_BAD_LAUNCH;
                snprintf(report->message, sizeof report->message,
                         "--max-memory leaves no room for the shared and local memory of a cluster");
            }
            if (r)
                all[count++] = r;
        }
        if (report->end == EMU_DONE && count && !rounds(all, count, &jumps))
            emu_deadlock(&all[0]->cluster, count - 1);
        for (size_t i = 0; i < count;) {
            if (!over(all[i])) {
                i++;
                continue;
            }
            emu_cluster_finish(&all[i]->cluster, &all[i]->run, report);
            free(all[i]);
            all[i] = all[--count];
        }
    }
    while (count) { /* a finding, or the lack of memory, ended the grid */
        all[--count]->run.end = report->end;
        emu_cluster_finish(&all[count]->cluster, &all[count]->run, report);
        free(all[count]);
    }
    return report->end;
}
