/* wgmma: fences, registers and shared memory of products in flight, and whether the warps of a warpgroup execute the
 * same.
 *
 * What a warp's products of one group read of shared memory is kept until the group is committed, and then touched at
 * once, as one flight for each swizzle: four products by 32 bytes of each row are lines as a whole. */
#include "harness/emu/judge/wgmma.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expected/tensor_map.h"
#include "harness/emu/judge/clock.h"
#include "harness/emu/judge/compiler.h"
#include "harness/emu/judge/grid.h"
#include "harness/emu/judge/group.h"
#include "harness/emu/judge/known.h"
#include "harness/emu/judge/pasts.h"
#include "harness/emu/judge/touch.h"
#include "harness/emu/judge/unmade.h"
#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/thread.h"
#include "harness/emu/wgmma/wgmma.h"

enum { RING = 64, MODES = 4, WORD = 64 };

/* A register of D or A. */
struct used {
    uint32_t group;   /* 1 and the group of the last product that uses it; 0: none does */
    uint32_t product; /* that one's instruction */
    uint32_t fences;  /* of the warp, when that was issued */
    uint16_t shape;   /* of that product, where the register is D's; else 0 */
    uint32_t touched; /* since the last fence a thread has accessed it: 1 and the instruction; 0: none has */
    uint32_t by;      /* which thread */
};

/* What products of the open group read of shared memory in one swizzle. */
struct reads {
    uint64_t *chunks; /* a bit for each 16 bytes */
    uint32_t low, high, at, tick;
    bool any;
};

/* A warp. */
struct order_wgmma {
    uint32_t component; /* counts its complete groups; 0: none yet */
    struct order_products *groups;
    uint32_t complete; /* groups */
    uint32_t fences;
    uint32_t uncommitted; /* products of the open group, */
    uint32_t last;        /* and the instruction of the last one */
    uint64_t count;       /* instructions of wgmma that it has executed, */
    struct step {
        uint32_t at;         /* the instruction, */
        struct emu_matrix a; /* of a product its matrices; else zeros */
        struct emu_matrix b;
    } steps[RING];               /* and the last ones */
    const struct emu_code *code; /* whose registers these are: */
    struct used *used;
    uint32_t room;
    bool fence_missed; /* reported */
    struct reads reads[MODES];
};

static uint32_t warps_of(const struct order *o)
{
    return emu_warps_of(o->per_cta);
}

static struct order_wgmma *warp_of(struct order *o, const struct emu_thread *t)
{
    const size_t warps = (size_t)o->cluster->cta_count * warps_of(o);
    const size_t k = t->cta->rank * warps_of(o) + t->warp;

    if (!o->wgmma)
        o->wgmma = calloc(warps, sizeof *o->wgmma);
    if (!o->products)
        o->products = calloc(warps, sizeof *o->products);
    if (!o->wgmma || !o->products) {
        o->failed = true;
        return NULL;
    }
    o->wgmma[k].groups = &o->products[k];
    return &o->wgmma[k];
}

/* The finding's two places: this thread's at its instruction, and another's. */
static bool begin(struct order *o, struct emu_finding *f, uint32_t thread, uint32_t at, uint32_t other, uint32_t there)
{
    order_place_of(o, thread, at, 1ull << 62, 0, &f->here);
    if (there != PTX_NO)
        order_place_of(o, other, there, 1ull << 62, 0, &f->there);
    return !emu_filed(o->cluster->grid, f->rule, f->here.at, f->there.at);
}

static unsigned line_of(const struct emu_place *p)
{
    return p->at ? p->at->line : 0;
}

/* ---- the same instructions in all warps ------------------------------------------------------------------------- */

static void differ(struct order *o, struct emu_thread *t, uint32_t at, uint32_t warp, uint32_t there)
{
    struct emu_finding f = { .rule = &rule_wgmma_aligned };
    const uint32_t other = t->cta->rank * o->per_cta + warp * EMU_WARP;

    if (!begin(o, &f, order_number(o, t), at, other, there))
        return;
    if (there == PTX_NO)
        snprintf(f.message, sizeof f.message,
                 "warp %u of CTA %u,%u,%u executes the wgmma on line %u, and warp %u of its warpgroup ends without it",
                 t->warp, f.here.ctaid[0], f.here.ctaid[1], f.here.ctaid[2], line_of(&f.here), warp);
    else
        snprintf(
            f.message, sizeof f.message,
            "warp %u of CTA %u,%u,%u executes the wgmma on line %u, and warp %u of its warpgroup the one on line %u "
            "instead",
            t->warp, f.here.ctaid[0], f.here.ctaid[1], f.here.ctaid[2], line_of(&f.here), warp, line_of(&f.there));
    snprintf(f.remedy, sizeof f.remedy, "let all four warps take the same way");
    emu_file(o->cluster->grid, &f);
}

static bool same_matrix(const struct emu_matrix *a, const struct emu_matrix *b)
{
    return a->start == b->start && a->leading == b->leading && a->stride == b->stride && a->base == b->base &&
           a->mode == b->mode;
}

/* The warp executes the same product as another one of its warpgroup, with other matrices. */
static void differ_in_matrix(struct emu_thread *t, const struct step *mine, const struct step *other, uint32_t warp)
{
    const bool of_b = !same_matrix(&mine->b, &other->b);
    const struct emu_matrix *here = of_b ? &mine->b : &mine->a, *there = of_b ? &other->b : &other->a;

    emu_complain(t, &rule_wgmma_uniform, NULL, 0, 0,
                 "warps %u and %u of a warpgroup have different descriptors of %s for one wgmma: start %u and %u, "
                 "leading %u and %u, stride %u and %u",
                 t->warp, warp, of_b ? "B" : "A", here->start, there->start, here->leading, there->leading,
                 here->stride, there->stride);
}

static void count(struct order *o, struct emu_thread *t, struct order_wgmma *w, struct emu_flight *flight)
{
    const struct emu_wgmma_flight *f = flight ? emu_wgmma_flight(flight) : NULL;
    const uint32_t first = t->warp / WGMMA_WARPS * WGMMA_WARPS;
    const struct order_wgmma *group = w - (t->warp - first);
    struct step *mine = &w->steps[w->count % RING];

    *mine = (struct step){ .at = order_instruction_now(o, t) };
    if (f)
        mine->b = f->b;
    if (f && f->op->wgmma->a_shared)
        mine->a = f->a;
    for (uint32_t i = 0; i < WGMMA_WARPS && first + i < warps_of(o); i++) {
        const struct order_wgmma *x = &group[i];
        const struct step *other = &x->steps[w->count % RING];
        if (x == w || x->count <= w->count || x->count - w->count > RING)
            continue;
        if (other->at != mine->at)
            differ(o, t, mine->at, first + i, other->at);
        else if (f && !(same_matrix(&mine->a, &other->a) && same_matrix(&mine->b, &other->b)))
            differ_in_matrix(t, mine, other, first + i);
    }
    w->count++;
}

void order_wgmma_end(struct order *o)
{
    const uint32_t warps = warps_of(o);

    for (uint32_t i = 0; warps && o->wgmma && i < o->cluster->cta_count * warps; i++) {
        const uint32_t warp = i % warps, first = warp / WGMMA_WARPS * WGMMA_WARPS;
        const struct order_wgmma *w = &o->wgmma[i];
        for (uint32_t k = first; k < first + WGMMA_WARPS && k < warps; k++) {
            const struct order_wgmma *x = &o->wgmma[i - warp + k];
            if (x->count < w->count && w->count - x->count <= RING)
                differ(o, &o->cluster->ctas[i / warps].threads[warp * EMU_WARP], w->steps[x->count % RING].at, k,
                       PTX_NO);
        }
    }
}

/* ---- registers -------------------------------------------------------------------------------------------------- */

static struct used *used_at(struct order *o, struct order_wgmma *w, const struct emu_thread *t, uint32_t k)
{
    if (w->code != t->frame->code && w->used)
        memset(w->used, 0, w->room * sizeof *w->used);
    w->code = t->frame->code;
    if (k >= w->room) {
        const uint32_t room = (k / 128 + 1) * 256;
        struct used *more = realloc(w->used, room * sizeof *more);
        if (!more) {
            o->failed = true;
            return NULL;
        }
        memset(more + w->room, 0, (room - w->room) * sizeof *more);
        w->used = more;
        w->room = room;
    }
    return &w->used[k];
}

static void in_flight(struct order *o, struct emu_thread *t, const struct order_wgmma *w, const struct used *r)
{
    const bool committed = r->group - 1 < w->groups->open;
    struct emu_finding f = { .rule = &rule_wgmma_regs_in_flight };

    if (!begin(o, &f, order_number(o, t), order_instruction_now(o, t), order_number(o, t), r->product))
        return;
    snprintf(f.message, sizeof f.message,
             "thread %u,%u,%u of CTA %u,%u,%u accesses a register of %s of the wgmma on line %u (line %u), which is in "
             "flight: %s",
             f.here.tid[0], f.here.tid[1], f.here.tid[2], f.here.ctaid[0], f.here.ctaid[1], f.here.ctaid[2],
             r->shape ? "D" : "A", line_of(&f.there), line_of(&f.here),
             committed ? "no wait has waited for its group" : "it has not been committed, so no wait waits for it");
    if (!committed)
        f.also[0] = &rule_wgmma_regs_uncommitted;
    f.cause = order_products_left(o, w->groups, r->group - 1, f.remedy, sizeof f.remedy);
    if (!f.cause)
        snprintf(f.remedy, sizeof f.remedy, "%s",
                 committed ? "wgmma.wait_group with a number that includes the group, before the access"
                           : "wgmma.commit_group, then wgmma.wait_group, before the access");
    emu_file(o->cluster->grid, &f);
}

void order_wgmma_registers(struct emu_thread *t, const struct emu_op *op)
{
    struct order *o = order_of(t);
    struct order_wgmma *w = o ? warp_of(o, t) : NULL;

    for (uint32_t k = 0; w && k < op->touched->count; k++) {
        struct used *r = used_at(o, w, t, op->touched->registers[k]);
        if (!r)
            return;
        r->touched = order_instruction_now(o, t) + 1;
        r->by = order_number(o, t);
        if (r->group > w->complete)
            in_flight(o, t, w, r);
    }
}

static void lacks_fence(struct order *o, struct emu_thread *t, const struct used *r, bool shape)
{
    struct emu_finding f = { .rule = shape ? &rule_wgmma_fence_shape : &rule_wgmma_fence_missing };
    const uint32_t thread = order_number(o, t);

    f.remark = !shape && order_compiler_moved(o, r->touched - 1, order_instruction_now(o, t));

    if (!begin(o, &f, thread, order_instruction_now(o, t), shape ? thread : r->by, shape ? r->product : r->touched - 1))
        return;
    snprintf(
        f.message, sizeof f.message,
        shape ? "the wgmma on line %u has registers in D that one of another shape has (line %u), and no wgmma.fence "
                "is between the two"
              : "the wgmma on line %u has a register in D or A that a thread accesses on line %u, and no wgmma.fence "
                "is between the two",
        line_of(&f.here), line_of(&f.there));
    snprintf(f.remedy, sizeof f.remedy, "%s",
             f.remark ? "the compiler writes the register behind the fence: an empty asm volatile with it as operand "
                        "(\"+f\"), before the fence, keeps it from that"
                      : "wgmma.fence.sync.aligned between the two");
    emu_file(o->cluster->grid, &f);
}

static void use_registers(struct order *o, struct emu_thread *t, struct order_wgmma *w, const struct emu_wgmma *x)
{
    if (!w->fences && !w->fence_missed) {
        w->fence_missed = true;
        emu_complain(t, &rule_wgmma_fence_first, NULL, 0, 0, "the warp's first wgmma, and no wgmma.fence before it");
    }
    for (uint32_t k = 0; k < x->used_count; k++) {
        const bool there = k > 0 && x->used[k] < w->room; /* and of this function */
        struct used *r = there ? &w->used[x->used[k]] : used_at(o, w, t, x->used[k]);
        const bool of_d = k < x->d_count;
        if (!r)
            return;
        if (of_d && !r->touched && r->shape == x->shape) { /* as mostly */
            r->group = w->groups->open + 1;
            r->product = w->last;
            r->fences = w->fences;
            continue;
        }
        if (r->touched && w->fences)
            lacks_fence(o, t, r, false);
        else if (of_d && r->shape && r->shape != x->shape && r->fences == w->fences)
            lacks_fence(o, t, r, true);
        if (r->group > w->complete && r->shape && !of_d)
            in_flight(o, t, w, r);
        r->group = w->groups->open + 1;
        r->product = w->last;
        r->fences = w->fences;
        r->shape = of_d ? x->shape : 0;
        r->touched = 0;
    }
}

/* ---- shared memory ---------------------------------------------------------------------------------------------- */

static void note_chunk(struct reads *r, uint32_t at, uint64_t bytes)
{
    if (at + EMU_CHUNK > bytes)
        return;
    r->chunks[at / EMU_CHUNK / WORD] |= 1ull << at / EMU_CHUNK % WORD;
    r->low = at < r->low ? at : r->low;
    r->high = at + EMU_CHUNK > r->high ? at + EMU_CHUNK : r->high;
}

/* Chunks of one word of a bitmap, which are noted there and in `more` further words, `down` bytes apart. */
struct column {
    uint64_t bits;
    uint32_t word, more, down;
};

static void note_column(struct reads *r, const struct column *c)
{
    const uint32_t step = c->down / EMU_CHUNK / WORD;
    uint64_t *to = &r->chunks[c->word];

    if (!c->bits)
        return;
    *to |= c->bits;
    for (uint32_t k = 0; k < c->more; k++) {
        to += step;
        *to |= c->bits;
    }
}

/* Notes the chunks at `at`, at + down ..., 1 + more of them; those that go with ones of c are left for later. */
static void note_chunks(struct reads *r, uint32_t at, uint32_t down, uint32_t more, struct column *c)
{
    const uint32_t word = at / EMU_CHUNK / WORD;
    const uint64_t bit = 1ull << at / EMU_CHUNK % WORD;

    if (down % (EMU_CHUNK * WORD)) {
        for (uint32_t k = 0; k <= more; k++, at += down)
            r->chunks[at / EMU_CHUNK / WORD] |= 1ull << at / EMU_CHUNK % WORD;
        return;
    }
    if (c->word != word || c->more != more) {
        note_column(r, c);
        *c = (struct column){ .word = word, .more = more, .down = down };
    }
    c->bits |= bit;
}

static void note_reads(struct order *o, const struct emu_thread *t, struct order_wgmma *w, const struct emu_matrix *m,
                       const struct emu_wgmma_part *part)
{
    const uint64_t bytes = t->cta->shared_bytes;
    const uint32_t down = emu_matrix_down(m), step = emu_matrix_steady(m, down) ? EMU_MATRIX_ROWS : part->rows;
    struct reads *r = &w->reads[m->mode];
    struct column column = { .bits = 0 };

    if (!r->chunks)
        r->chunks = calloc(bytes / EMU_CHUNK / WORD + 1, sizeof *r->chunks);
    if (!r->chunks) {
        o->failed = true;
        return;
    }
    if (!r->any) {
        r->low = UINT32_MAX;
        r->high = 0;
        r->tick = ++o->tick;
    }
    r->any = true;
    r->at = w->last;
    for (uint32_t row = 0; row < part->rows && row < step; row++)
        for (uint32_t c = part->chunk; c < part->chunk + part->chunks; c++) {
            const uint32_t at = emu_matrix_chunk(m, part->row + row, c), more = (part->rows - 1 - row) / step;
            const uint64_t end = (uint64_t)at + (uint64_t)more * down + EMU_CHUNK;
            if (end > bytes && more) { /* some may lie elsewhere */
                for (uint32_t k = 0; k <= more; k++)
                    note_chunk(r, emu_matrix_chunk(m, part->row + row + k * step, c), bytes);
                continue;
            }
            if (end > bytes)
                continue;
            note_chunks(r, at, down, more, &column);
            r->low = at < r->low ? at : r->low;
            r->high = end > r->high ? (uint32_t)end : r->high;
        }
    note_column(r, &column);
}

/* The first chunk from `at` on that has been read, or has not; r->high if there is none before. */
static uint32_t next_read(const struct reads *r, uint32_t at, bool read)
{
    uint32_t chunk = at / EMU_CHUNK;

    while (chunk * EMU_CHUNK < r->high) {
        const uint64_t left = (read ? r->chunks[chunk / WORD] : ~r->chunks[chunk / WORD]) >> chunk % WORD;
        if (left)
            chunk += (uint32_t)__builtin_ctzll(left);
        else
            chunk = (chunk / WORD + 1) * WORD;
        if (left)
            break;
    }
    return chunk * EMU_CHUNK < r->high ? chunk * EMU_CHUNK : r->high;
}

static void touch_reads(struct order *o, struct emu_thread *t, const struct order_wgmma *w, struct reads *r,
                        uint8_t swizzle)
{
    uint32_t number;
    struct order_flight *f = order_flight_new(o, &number);

    if (!f)
        return;
    *f = (struct order_flight){ .kind = COPY_WGMMA,
                                .ended = true,
                                .cluster = o->number,
                                .thread = order_number(o, t),
                                .epoch = order_epoch(t),
                                .at = r->at,
                                .tick = r->tick,
                                .swizzle = swizzle,
                                .tile = r->low,
                                .tile_bytes = r->high - r->low,
                                .bar = w->component,
                                .phase = w->groups->open };
    for (uint32_t at = r->low, end; at < r->high; at = next_read(r, end, true)) {
        end = next_read(r, at, false);
        order_touch_as(o, t, number, &(struct order_record){ .who = RECORD_FLIGHT | number, .at = r->at, .kind = 0 },
                       order_shared_key(t->cta, at), end - at);
    }
    memset(&r->chunks[r->low / EMU_CHUNK / WORD], 0,
           (r->high / EMU_CHUNK / WORD - r->low / EMU_CHUNK / WORD + 1) * sizeof *r->chunks);
    r->any = false;
}

/* What the open group has read so far. */
static void flush(struct order *o, struct emu_thread *t, struct order_wgmma *w)
{
    static const uint8_t swizzles[MODES] = { [EMU_MATRIX_PLAIN] = TENSOR_SWIZZLE_NONE,
                                             [EMU_MATRIX_128B] = TENSOR_SWIZZLE_128B,
                                             [EMU_MATRIX_64B] = TENSOR_SWIZZLE_64B,
                                             [EMU_MATRIX_32B] = TENSOR_SWIZZLE_32B };

    if (!w->component)
        w->component = o->components++;
    for (unsigned k = 0; k < MODES; k++)
        if (w->reads[k].any && !o->failed)
            touch_reads(o, t, w, &w->reads[k], swizzles[k]);
}

/* ---- events ----------------------------------------------------------------------------------------------------- */

/* Rows or columns of an operand may be left as they are where those of the product are not used; an operand of which
 * nobody has written anything is another one than was meant. */
static void ask_written(struct order *o, struct emu_thread *t, const struct emu_matrix *m,
                        const struct emu_wgmma_part *part)
{
    const uint64_t bytes = t->cta->shared_bytes;

    for (uint32_t row = 0; row < part->rows; row++)
        for (uint32_t c = part->chunk; c < part->chunk + part->chunks; c++) {
            const uint32_t at = emu_matrix_chunk(m, part->row + row, c);
            if (at + (uint64_t)EMU_CHUNK > bytes || !order_has_nothing(o, order_shared_key(t->cta, at), EMU_CHUNK))
                return;
        }
    order_report_unwritten(o, t, order_shared_key(t->cta, emu_matrix_chunk(m, part->row, part->chunk)), EMU_CHUNK);
}

static void issue(struct order *o, struct emu_thread *t, struct order_wgmma *w, struct emu_flight *flight)
{
    const struct emu_wgmma_flight *f = emu_wgmma_flight(flight);
    const struct emu_wgmma *x = f->op->wgmma;
    const struct emu_wgmma_part b = emu_wgmma_part_of_b(x), a = emu_wgmma_part_of_a(x, t->warp);

    w->last = order_instruction(o, f->op->source);
    w->uncommitted++;
    use_registers(o, t, w, x);
    note_reads(o, t, w, &f->b, &b);
    ask_written(o, t, &f->b, &b);
    if (x->a_shared) {
        note_reads(o, t, w, &f->a, &a);
        ask_written(o, t, &f->a, &a);
    }
}

/* The lanes know so many groups of a warp complete. Lanes that share what they know go on sharing it. */
static void know(struct order *o, struct emu_thread *const *lanes, const struct order_wgmma *w, uint32_t complete)
{
    struct order_pasts *from = NULL, *to = NULL;

    for (uint32_t i = 0; i < EMU_WARP; i++) {
        struct order_thread *t = &o->thread[order_number(o, lanes[i])];
        if (!to || t->pasts != from) {
            order_pasts_drop(from);
            order_pasts_drop(to);
            from = NULL;
            to = order_pasts_copy(o, t->pasts);
            if (!to)
                return;
            from = order_pasts_keep(t->pasts);
            order_past_raise(o, &to->of[VIEW_GENERIC], o->number, w->component, complete);
            order_past_raise(o, &to->of[VIEW_LOOSE], o->number, w->component, complete);
        }
        order_pasts_set(&t->pasts, to);
    }
    order_pasts_drop(from);
    order_pasts_drop(to);
}

static void wait_for(struct order *o, struct emu_thread *const *lanes, struct order_wgmma *w, uint64_t keep)
{
    const uint32_t first = lanes[0]->warp / WGMMA_WARPS * WGMMA_WARPS;
    const struct order_wgmma *group = w - (lanes[0]->warp - first);

    if (keep >= w->groups->open || w->groups->open - (uint32_t)keep <= w->complete)
        return;
    w->complete = w->groups->open - (uint32_t)keep;
    for (uint32_t k = first; k < first + WGMMA_WARPS && k < warps_of(o); k++)
        if (group[k - first].component) /* a group is one of all warps of the warpgroup */
            know(o, lanes, &group[k - first], w->complete);
}

void order_wgmma(struct emu_thread *const *lanes, const struct emu_op *op, struct emu_flight *f)
{
    struct emu_thread *t = lanes[0];
    struct order *o = order_of(t);
    struct order_wgmma *w = o ? warp_of(o, t) : NULL;
    const struct emu_op *pc = t->pc;

    if (!w)
        return;
    t->pc = op + 1; /* lane 0 may still be where it waits for the others */
    count(o, t, w, f);
    switch (op->source->op) {
    case OP_wgmma_fence:
        w->fences++;
        for (uint32_t k = 0; k < w->room; k++)
            w->used[k].touched = 0;
        break;
    case OP_wgmma_commit_group:
        flush(o, t, w);
        w->groups->open++;
        w->uncommitted = 0;
        break;
    case OP_wgmma_wait_group:
        flush(o, t, w);
        w->groups->waited_at = 1 + order_instruction(o, op->source);
        w->groups->waited_open = w->groups->open;
        wait_for(o, lanes, w, op->wgmma_keep);
        break;
    default: issue(o, t, w, f);
    }
    t->pc = pc;
}

void order_wgmma_free(struct order *o)
{
    for (uint32_t i = 0; o->wgmma && i < o->cluster->cta_count * warps_of(o); i++) {
        free(o->wgmma[i].used);
        for (unsigned k = 0; k < MODES; k++)
            free(o->wgmma[i].reads[k].chunks);
    }
    free(o->wgmma);
    free(o->products);
}
// SPDX-License-Identifier: Apache-2.0
