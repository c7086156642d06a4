/* The watcher that keeps the events of a launch for its picture. */
#include <stdio.h>

#include "expected/oracle.h"
#include "harness/base/append.h"
#include "harness/emu/copies/flight.h"
#include "harness/emu/copies/mbarrier_objects.h"
#include "harness/emu/machine/regions.h"
#include "harness/emu/machine/thread.h"
#include "harness/picture/log.h"

static struct picture_log *log_of(const struct emu_grid *g)
{
    return g->machine->options.watch_state;
}

static struct picture_log *log_at(const struct emu_thread *t)
{
    return log_of(t->cta->cluster->grid);
}

static int64_t number_of(const struct emu_cta *cta)
{
    const uint32_t *dim = cta->cluster->grid->dim;

    return cta->ctaid[0] + (int64_t)dim[0] * (cta->ctaid[1] + (int64_t)dim[1] * cta->ctaid[2]);
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

/* An instruction that is at fault may do nothing else: then the finding has an event of its own. `next` comes next. */
static void add_fault(struct picture_log *log, const struct emu_finding *f, const struct ptx_module *module,
                      const struct picture_event *next)
{
    struct picture_event e = { .kind = PICTURE_FAULT, .step = log->clock };

    if (!f->here.known || !f->here.at)
        return;
    e.at = (uint32_t)(f->here.at - module->instructions) + 1;
    e.thread = picture_log_thread(log, &f->here);
    if (!(next->thread == e.thread && next->at == e.at) && !picture_log_has(log, e.thread, e.at))
        picture_log_add(log, &e);
}

/* Brings the log up to the `next` event of the cluster: its time, and the findings that were filed on the way to it. */
static void advance(struct picture_log *log, const struct emu_cluster *c, struct picture_event *next)
{
    const uint64_t now = emu_now(c);
    const struct emu_findings *findings = &c->run->findings;
    uint64_t *before = ck_note_of(&log->notes, c), *found;

    if (before) {
        log->clock += now - *before;
        *before = now;
    }
    found = ck_note_of(&log->notes, c->run);
    if (!before || !found) {
        log->failed = true;
        return;
    }
    while (*found < findings->count) {
        picture_log_found(log, &findings->all[*found]);
        add_fault(log, &findings->all[*found], c->grid->module, next);
        ++*found;
    }
    next->step = log->clock;
}

static struct picture_event event_at(const struct emu_thread *t, enum picture_kind kind,
                                     const struct ptx_instruction *at)
{
    struct picture_log *log = log_at(t);
    const struct emu_cta *cta = t->cta;
    struct picture_event e = { .kind = kind,
                               .at = at ? (uint32_t)(at - cta->cluster->grid->module->instructions) + 1 : 0,
                               .thread = (uint64_t)number_of(cta) * cta->thread_count + t->index + 1 };

    advance(log, cta->cluster, &e);
    return e;
}

/* At the instruction that the thread executes, or whose copy lands now. */
static struct picture_event event_of(const struct emu_thread *t, enum picture_kind kind)
{
    return event_at(t, kind, t->landing ? t->landing : t->pc ? t->pc[-1].source : NULL);
}

static void add(const struct emu_thread *t, const struct picture_event *e)
{
    picture_log_add(log_at(t), e);
}

static void add_one(const struct emu_thread *t, enum picture_kind kind, int64_t number)
{
    struct picture_event e = event_of(t, kind);

    e.of[0] = number;
    add(t, &e);
}

/* A place into out[0] and out[1]: a CTA and an offset, or an address of global memory. */
static void place(const struct emu_thread *t, const struct emu_cta *cta, uint64_t address, int64_t *out)
{
    struct emu_region *r = cta ? NULL : emu_region_of(t->cta->cluster->grid->machine, address);

    if (cta)
        out[0] = number_of(cta);
    else
        out[0] = -1 - picture_log_buffer(log_at(t), r ? r->at : 0, r ? r->name : "no buffer");
    out[1] = (int64_t)(r ? address - r->at : address);
}

static void mbarrier_place(const struct emu_mbarrier *m, int64_t *out)
{
    out[0] = number_of(m->cta);
    out[1] = (int64_t)m->offset;
}

/* ---- the launch -------------------------------------------------------------------------------------------------- */

/* The module's variables in shared memory, by their offsets. */
static void name_variables(struct picture_log *log, const struct emu_grid *g)
{
    const struct emu_image *image = g->machine->images;

    while (image && image->module != g->module)
        image = image->next;
    for (uint32_t i = 0; image && i < g->module->n_variables; i++) {
        const struct ptx_variable *v = &g->module->variables[i];
        if (v->space == PTX_shared && v->size)
            picture_log_variable(log, &(struct picture_variable){ v->name, image->address[i], v->size });
    }
}

static void grid_begin(struct emu_grid *g)
{
    struct picture_log *log = log_of(g);

    picture_log_clear(log);
    log->kernel = g->entry->name;
    log->smem = g->smem;
    for (int i = 0; i < 3; i++) {
        log->grid[i] = g->dim[i];
        log->block[i] = g->block[i];
        log->cluster[i] = g->cluster_dim[i];
    }
    name_variables(log, g);
}

static void grid_end(struct emu_grid *g)
{
    struct picture_log *log = log_of(g);

    picture_log_end(log, &(struct picture_event){ .kind = PICTURE_END,
                                                  .step = g->executed > log->clock ? g->executed : log->clock });
}

/* Another cluster may have been at this address. */
static bool cluster_begin(struct emu_cluster *c)
{
    struct picture_log *log = log_of(c->grid);
    const void *const keys[] = { c, c->run };

    for (int i = 0; i < 2; i++) {
        uint64_t *note = ck_note_of(&log->notes, keys[i]);
        if (note)
            *note = 0;
    }
    return true; /* it is told of every access */
}

static void cluster_end(struct emu_cluster *c, bool done)
{
    struct picture_log *log = log_of(c->grid);
    struct picture_event e = { .kind = PICTURE_EXIT, .of = { number_of(&c->ctas[0]) } };

    (void)done;
    advance(log, c, &e);
    picture_log_add(log, &e);
}

static void stuck(const struct emu_standstill *all, char *message, size_t size)
{
    struct picture_log *log = log_of(all->clusters[0]->grid);
    struct picture_event e = { .kind = PICTURE_STUCK };

    (void)message;
    (void)size;
    for (size_t i = 0; i < all->count; i++)
        advance(log, all->clusters[i], &e);
    picture_log_add(log, &e);
}

/* ---- accesses, barriers, fences ---------------------------------------------------------------------------------- */

static void any_access(struct emu_thread *t, uint16_t space, struct emu_cta *cta, uint64_t address, uint64_t n,
                       enum emu_access kind)
{
    struct picture_event e = event_of(t, PICTURE_ACCESS);

    (void)space;
    e.of[0] = kind == EMU_READ ? 0 : kind == EMU_ATOMIC || kind == EMU_ATOMIC_IDLE ? 2 : 1;
    place(t, cta, address, &e.of[1]);
    e.of[3] = (int64_t)n;
    add(t, &e);
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

static void meet(struct emu_thread *const *threads, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        add_one(threads[i], PICTURE_MEET, count);
}

static void barrier(struct emu_thread *t, struct picture_event e, int64_t what, uint64_t which)
{
    e.of[0] = what;
    e.of[1] = which == EMU_CLUSTER_BARRIER ? -1 : (int64_t)which;
    add(t, &e);
}

static void barrier_arrive(struct emu_thread *t, uint64_t which, bool relaxed)
{
    (void)relaxed;
    barrier(t, event_of(t, PICTURE_BARRIER), 0, which);
}

/* An exit may complete a barrier too, so no instruction is named. */
static void barrier_complete(struct emu_thread *t, uint64_t which)
{
    barrier(t, event_at(t, PICTURE_BARRIER, NULL), 1, which);
}

static void barrier_wait(struct emu_thread *t, uint64_t which)
{
    barrier(t, event_of(t, PICTURE_BARRIER), 2, which);
}

static void fence(struct emu_thread *t, const struct ptx_instruction *i)
{
    (void)i;
    add_one(t, PICTURE_FENCE, 0);
}

static void fence_init(struct emu_thread *t)
{
    add_one(t, PICTURE_FENCE, 1);
}

static void proxy_fence(struct emu_thread *t, const struct ptx_instruction *i, uint64_t address)
{
    (void)i;
    (void)address;
    add_one(t, PICTURE_FENCE, 2);
}

/* ---- mbarriers --------------------------------------------------------------------------------------------------- */

static void mbarrier_init(struct emu_thread *t, struct emu_mbarrier *m, uint32_t count, const struct ck_rule *broken)
{
    struct picture_event e = event_of(t, PICTURE_INIT);

    (void)broken;
    mbarrier_place(m, e.of);
    e.of[2] = count;
    add(t, &e);
}

static void mbarrier_inval(struct emu_thread *t, struct emu_mbarrier *m)
{
    struct picture_event e = event_of(t, PICTURE_INVAL);

    mbarrier_place(m, e.of);
    add(t, &e);
}

static void mbarrier_count(struct emu_thread *t, struct emu_mbarrier *m, enum emu_mbarrier_count what, uint64_t amount)
{
    struct picture_event e = event_of(t, what == EMU_ARRIVED    ? PICTURE_ARRIVAL
                                         : what == EMU_EXPECTED ? PICTURE_EXPECT
                                                                : PICTURE_DELIVERY);

    mbarrier_place(m, e.of);
    e.of[2] = (int64_t)m->phase;
    e.of[3] = (int64_t)amount;
    e.of[4] = (int64_t)emu_mbarrier_pending(m);
    e.of[5] = emu_mbarrier_tx(m);
    add(t, &e);
}

static void mbarrier_phase(struct emu_thread *t, struct emu_mbarrier *m)
{
    struct picture_event e = event_of(t, PICTURE_PHASE);

    mbarrier_place(m, e.of);
    e.of[2] = (int64_t)m->phase;
    e.of[3] = (int64_t)emu_mbarrier_arrivals(m);
    add(t, &e);
}

/* A loop that asks again and again in vain is told once: when it begins to wait, and when the wait is over. */
static void mbarrier_wait(struct emu_thread *t, struct emu_mbarrier *m, bool done, struct emu_strength how)
{
    uint64_t *polls = ck_note_of(&log_at(t)->notes, t);
    const uint64_t here = (uint64_t)(t->pc - t->code) + (m->phase << 32);
    struct picture_event e;

    (void)how;
    if (!done && polls && *polls == here)
        return;
    if (polls)
        *polls = done ? 0 : here;
    e = event_of(t, PICTURE_WAIT);
    mbarrier_place(m, e.of);
    e.of[2] = (int64_t)m->phase;
    e.of[3] = done;
    add(t, &e);
}

/* ---- copies and groups ------------------------------------------------------------------------------------------- */

/* The tile of a tensor copy in words: "f16, box 64x8 at 0,16". */
static void tile_of(const struct emu_flight *f, char words[PICTURE_TILE])
{
    const int64_t corners = f->tile.map.mode == TENSOR_MODE_ROWS ? 5 : f->tile.map.rank;

    ck_append(words, PICTURE_TILE, "%s, box ", tensor_type_name(f->tile.map.type));
    for (int64_t i = 0; i < f->tile.map.rank; i++)
        ck_append(words, PICTURE_TILE, "%s%u", i ? "x" : "", f->tile.map.box[i]);
    for (int64_t i = 0; i < corners; i++)
        ck_append(words, PICTURE_TILE, "%s%d", i ? "," : " at ", f->tile.corner[i]);
}

static void copy_issued(struct emu_thread *t, struct emu_flight *f)
{
    enum { FROM_REGISTERS = 5 };
    static const int64_t kinds[] = {
        [EMU_COPY] = 0, [EMU_REDUCE] = 1, [EMU_TENSOR_LOAD] = 2, [EMU_TENSOR_STORE] = 3, [EMU_ARRIVE] = 4,
    };
    const bool tensor = f->kind == EMU_TENSOR_LOAD || f->kind == EMU_TENSOR_STORE;
    struct picture_log *log = log_at(t);
    uint64_t *copy = ck_note_of(&log->notes, f);
    struct picture_event e;

    log->copies++;
    if (copy)
        *copy = log->copies;
    e = event_of(t, PICTURE_ISSUE);
    e.of[ISSUE_COPY] = (int64_t)log->copies;
    e.of[ISSUE_KIND] = f->value ? FROM_REGISTERS : kinds[f->kind];
    e.of[ISSUE_FROM_OFFSET] = e.of[ISSUE_TO_OFFSET] = e.of[ISSUE_BAR_OFFSET] = -1;
    if (f->kind != EMU_ARRIVE && f->kind != EMU_TENSOR_LOAD && !f->value)
        place(t, f->from_cta, f->from, &e.of[ISSUE_FROM]);
    if (f->kind != EMU_ARRIVE && f->kind != EMU_TENSOR_STORE)
        place(t, f->to_cta, f->to, &e.of[ISSUE_TO]);
    if (f->bar_cta)
        place(t, f->bar_cta, f->bar, &e.of[ISSUE_BAR]);
    e.of[ISSUE_BYTES] = (int64_t)f->size;
    e.of[ISSUE_SPAN] = (int64_t)(tensor ? f->tile.size.span : f->size);
    e.of[ISSUE_MULTICAST] = f->multicast;
    e.of[ISSUE_GROUP] = f->group == EMU_CP_ASYNC_GROUP ? 1 : f->group == EMU_BULK_GROUP ? 2 : 0;
    e.of[ISSUE_GROUP_NUMBER] = (int64_t)f->group_number;
    if (tensor) {
        e.of[ISSUE_SWIZZLE] = f->tile.map.swizzle;
        tile_of(f, e.tile);
    }
    add(t, &e);
}

static int64_t copy_number(const struct emu_thread *t, const struct emu_flight *f)
{
    const uint64_t *note = ck_note_of(&log_at(t)->notes, f);

    return note ? (int64_t)*note : 0;
}

static void copy_map(struct emu_thread *t, struct emu_flight *f, uint64_t address)
{
    struct picture_event e = event_of(t, PICTURE_MAP);

    e.of[0] = copy_number(t, f);
    place(t, NULL, address, &e.of[1]);
    add(t, &e);
}

static void copy_read(struct emu_thread *t, struct emu_flight *f)
{
    add_one(t, PICTURE_READ, copy_number(t, f));
}

static void copy_landed(struct emu_thread *t, struct emu_flight *f)
{
    add_one(t, PICTURE_LANDING, copy_number(t, f));
}

static void copy_signals(struct emu_thread *t, struct emu_flight *f, struct emu_cta *cta, uint64_t offset)
{
    struct picture_event e = event_of(t, PICTURE_SIGNAL);

    e.of[0] = copy_number(t, f);
    place(t, cta, offset, &e.of[1]);
    add(t, &e);
}

static void group_commit(struct emu_thread *t, bool bulk)
{
    struct picture_event e = event_of(t, PICTURE_GROUP);

    e.of[1] = bulk ? 2 : 1;
    add(t, &e);
}

static void group_wait(struct emu_thread *t, const struct emu_group_wait *wait)
{
    struct picture_event e = event_of(t, PICTURE_GROUP);
    const uint64_t open = emu_groups_open(t, wait->bulk ? EMU_BULK_GROUP : EMU_CP_ASYNC_GROUP);

    e.of[0] = wait->read ? 2 : 1;
    e.of[1] = wait->bulk ? 2 : 1;
    e.of[2] = (int64_t)wait->pending;
    e.of[3] = (int64_t)(open > wait->pending ? open - wait->pending : 0);
    add(t, &e);
}

/* ---- wgmma ------------------------------------------------------------------------------------------------------- */

enum { WGMMA_GROUPS = 3, WGMMA_FENCE = 3 };

/* A product of a warp, as a copy of its lane 0. */
static void product_issued(struct emu_thread *t, struct emu_flight *f)
{
    enum { PRODUCT = 6 };
    const struct ptx_module *m = t->cta->cluster->grid->module;
    struct picture_log *log = log_at(t);
    uint64_t *copy = ck_note_of(&log->notes, f);
    struct picture_event e;

    log->copies++;
    if (copy)
        *copy = log->copies;
    e = event_at(t, PICTURE_ISSUE, f->at);
    e.of[ISSUE_COPY] = (int64_t)log->copies;
    e.of[ISSUE_KIND] = PRODUCT;
    e.of[ISSUE_FROM_OFFSET] = e.of[ISSUE_TO_OFFSET] = e.of[ISSUE_BAR_OFFSET] = -1;
    e.of[ISSUE_GROUP] = WGMMA_GROUPS;
    e.of[ISSUE_GROUP_NUMBER] = (int64_t)f->group_number;
    ck_append(e.tile, PICTURE_TILE, "%s", ptx_word_text[ptx_word_of(m, f->at, PC_shape)]);
    add(t, &e);
}

static void wgmma(struct emu_thread *const *lanes, const struct emu_op *op, struct emu_flight *f)
{
    const bool fence = op->source->op == OP_wgmma_fence, waits = op->source->op == OP_wgmma_wait_group;
    struct emu_thread *t = lanes[0];
    struct picture_event e;
    uint64_t open;

    if (f) {
        product_issued(t, f);
        return;
    }
    e = event_at(t, fence ? PICTURE_FENCE : PICTURE_GROUP, op->source);
    e.of[0] = fence ? WGMMA_FENCE : waits;
    e.of[1] = WGMMA_GROUPS;
    if (waits) {
        open = emu_groups_open(t, EMU_WGMMA_GROUP);
        e.of[2] = (int64_t)op->wgmma_keep;
        e.of[3] = (int64_t)(open > op->wgmma_keep ? open - op->wgmma_keep : 0);
    }
    add(t, &e);
}

const struct emu_watch picture_watch = {
    .grid_begin = grid_begin,
    .grid_end = grid_end,
    .cluster_begin = cluster_begin,
    .cluster_end = cluster_end,
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
// SPDX-License-Identifier: Apache-2.0
