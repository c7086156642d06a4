/* Frames of called functions, and .local memory, which lies in them. */
#include "harness/emu/machine/frame.h"

#include <stdlib.h>
#include <string.h>

#include "harness/emu/machine/lanes.h"
#include "harness/emu/machine/reach.h"
#include "harness/emu/machine/regions.h"
#include "harness/emu/machine/spare.h"
#include "harness/emu/machine/thread.h"

bool emu_local_room(struct emu_thread *t, uint64_t top)
{
    struct emu *e = emu_machine_of(t);
    const uint64_t twice = top * 2 + 1024, room = twice < EMU_LOCAL_MAX ? twice : EMU_LOCAL_MAX;
    unsigned char *more;

    if (top <= t->local_size)
        return true;
    if (top > EMU_LOCAL_MAX || !emu_reserve(e, room - t->local_size))
        return false;
    more = realloc(t->local, room);
    if (!more) {
        emu_unreserve(e, room - t->local_size);
        return false;
    }
    memset(more + t->local_size, 0, room - t->local_size);
    t->local = more;
    t->cta->extras = true;
    t->local_size = room;
    return true;
}

/* What the slots of a function take for a warp, in bytes: with the second half of a 16-byte one. */
static uint64_t block_bytes(const struct emu_code *code)
{
    return sizeof(struct emu_block) + (code->slots + 1ull) * EMU_WARP * sizeof(uint64_t);
}

static void fill(uint64_t *slot, uint64_t value)
{
    EMU_EACH_LANE
    {
        slot[lane] = value;
    }
}

static void fill_constants(struct emu_block *b, const struct emu_code *code)
{
    for (uint32_t i = code->first_constant; i < code->slots; i++)
        fill(b->r + (uint64_t)i * EMU_WARP, code->constants[i - code->first_constant]);
}

/* The slots of a function at a depth, and a frame of `own` bytes for each lane of the thread's warp; made where there
 * are none yet. NULL where memory is short. The next lane to call is mostly of the same warp: the block comes first. */
static struct emu_block *block_of(struct emu_thread *t, const struct emu_code *code, uint32_t depth, uint64_t own)
{
    struct emu_warp *w = &t->cta->warps[t->warp];
    const uint64_t slots = (block_bytes(code) + 15) / 16 * 16, bytes = slots + own * EMU_WARP;
    struct emu_block **at = &w->blocks, *b;

    while (*at && ((*at)->code != code || (*at)->depth != depth))
        at = &(*at)->next;
    b = *at;
    if (b) {
        *at = b->next;
    } else {
        if (!emu_reserve(emu_machine_of(t), bytes))
            return NULL;
        b = calloc(1, bytes);
        if (!b) {
            emu_unreserve(emu_machine_of(t), bytes);
            return NULL;
        }
        fill_constants(b, code);
        b->code = code;
        b->depth = depth;
        b->bytes = bytes;
        b->frames = (unsigned char *)b + slots;
    }
    b->next = w->blocks;
    w->blocks = b;
    return b;
}

/* The thread takes its lane of a block, which another frame may have left as it was. */
static void enter_block(const struct emu_thread *t, const struct emu_code *code, struct emu_frame *frame)
{
    const uint32_t lane = 1u << t->lane;

    frame->r = frame->block->r + t->lane;
    for (uint32_t i = 0; frame->block->used & lane && i < code->first_special; i++)
        frame->r[i * EMU_WARP] = 0;
    frame->block->lanes |= lane;
    frame->block->used |= lane;
    for (uint32_t i = 0; i < code->special_count; i++)
        frame->r[code->specials[i].slot] = emu_special_value(t, code->specials[i].special, code->specials[i].component);
}

/* One allocation holds the frame, its parameters and returns, and the .param variables of its body; parts that
 * instructions address begin at multiples of 16 bytes. It is counted with its lane's part of the slots. */
/* What a frame takes, with its parameters and returns, and the .param variables of its body. */
static uint64_t frame_bytes(const struct emu_code *code, uint64_t *params)
{
    *params = (code->function->param_bytes + code->function->return_bytes + 31) / 16 * 16;
    return sizeof(struct emu_frame) + *params + code->frame_bytes;
}

/* What is counted of a frame that takes so many bytes. */
static uint64_t counted(const struct emu_code *code, uint64_t own)
{
    return own + code->slots * 8ull + 16;
}

/* ---- the first frames -------------------------------------------------------------------------------------------- */

/* Where the slots of a CTA's warps lie, one warp's behind another's, behind the frames. */
static uint64_t first_bytes(const struct emu_cta *cta, const struct emu_code *code)
{
    uint64_t params;

    return (cta->thread_count * frame_bytes(code, &params) + 63) / 64 * 64;
}

static uint64_t stride_of(const struct emu_code *code)
{
    return (block_bytes(code) + 63) / 64 * 64;
}

/* The slots of a warp, in which its threads begin. */
static struct emu_block *begin_block(struct emu_cta *cta, const struct emu_code *code, uint32_t warp, uint32_t lanes)
{
    unsigned char *const at = cta->frames + first_bytes(cta, code) + warp * stride_of(code);
    struct emu_block *b = (struct emu_block *)(void *)at;

    *b = (struct emu_block){ .code = code, .lanes = lanes, .used = lanes, .next = cta->warps[warp].blocks };
    cta->warps[warp].blocks = b;
    memset(b->r, 0, (uint64_t)code->first_special * EMU_WARP * sizeof *b->r);
    for (uint32_t i = 0; i < code->special_count; i++)
        emu_special_lanes(&cta->threads[warp * EMU_WARP], code->specials[i].special, code->specials[i].component,
                          b->r + code->specials[i].slot);
    fill_constants(b, code);
    fill(b->r + (uint64_t)code->slots * EMU_WARP, 0);
    return b;
}

bool emu_frames_make(struct emu_cta *cta, const struct emu_code *code)
{
    const struct ptx_function *f = code->function;
    struct emu_grid *g = cta->cluster->grid;
    uint64_t params;
    const uint64_t own = frame_bytes(code, &params), bytes = counted(code, own);
    unsigned char *at;

    if (params + code->frame_bytes > EMU_LOCAL_MAX || !emu_reserve(g->machine, bytes * cta->thread_count))
        return false;
    cta->frames_bytes = first_bytes(cta, code) + emu_warps_of(cta->thread_count) * stride_of(code);
    cta->frames = at = emu_spare_take(g->spare, cta->frames_bytes);
    if (!at) {
        emu_unreserve(g->machine, bytes * cta->thread_count);
        return false;
    }
    for (uint32_t i = 0; i < cta->thread_count; i += EMU_WARP) {
        const uint32_t left = cta->thread_count - i, lanes = left < EMU_WARP ? left : EMU_WARP;
        struct emu_block *b = begin_block(cta, code, i / EMU_WARP, left < EMU_WARP ? (1u << left) - 1 : UINT32_MAX);
        const struct emu_frame first = { .bytes = bytes, .code = code, .block = b, .local_top = f->local_bytes };
        if (own > sizeof first)
            memset(at, 0, lanes * own);
        for (uint32_t lane = 0; lane < lanes; lane++, at += own) {
            struct emu_thread *t = &cta->threads[i + lane];
            struct emu_frame *frame = (struct emu_frame *)(void *)at;
            *frame = first;
            frame->params = (unsigned char *)(frame + 1);
            frame->variables = frame->params + params;
            t->r = frame->r = b->r + lane;
            t->frame = frame;
            t->code = t->pc = code->ops;
        }
    }
    for (uint32_t i = 0; f->local_bytes && i < cta->thread_count; i++)
        if (!emu_local_room(&cta->threads[i], f->local_bytes))
            return false;
    return true;
}

void emu_frames_leave(struct emu_thread *lanes, uint32_t set)
{
    struct emu_frame *first = lanes[__builtin_ctz(set)].frame;

    emu_unreserve(emu_machine_of(lanes), first->bytes * (uint64_t)__builtin_popcount(set));
    first->block->lanes &= ~set;
    for (struct emu_thread *t = lanes; set; t++, set >>= 1) {
        if (!(set & 1))
            continue;
        t->frame = NULL;
        t->pc = NULL;
        emu_reach_elsewhere(t);
    }
}

void emu_frames_free(struct emu_cta *cta)
{
    for (uint32_t i = 0; cta->warps && i < emu_warps_of(cta->thread_count); i++) {
        struct emu_warp *w = &cta->warps[i];
        while (w->blocks) {
            struct emu_block *b = w->blocks;
            const unsigned char *at = (const unsigned char *)b;
            w->blocks = b->next;
            if (at < cta->frames || at >= cta->frames + cta->frames_bytes) {
                emu_unreserve(cta->cluster->grid->machine, b->bytes);
                free(b);
            }
        }
    }
    emu_spare_give(cta->cluster->grid->spare, cta->frames, cta->frames_bytes);
}

/* ---- frames of calls --------------------------------------------------------------------------------------------- */

bool emu_frame_push(struct emu_thread *t, const struct emu_code *code, const struct emu_op *back)
{
    const struct ptx_function *f = code->function;
    struct emu_frame *caller = t->frame;
    uint64_t params;
    const uint64_t own = (frame_bytes(code, &params) + 15) / 16 * 16, base = (caller->local_top + 15) / 16 * 16;
    struct emu_block *block;
    struct emu_frame *frame;

    if (params + code->frame_bytes > EMU_LOCAL_MAX)
        return false;
    block = block_of(t, code, caller->depth + 1, own);
    if (!block || !emu_local_room(t, base + f->local_bytes))
        return false;
    frame = (struct emu_frame *)(void *)(block->frames + t->lane * own);
    memset(frame, 0, own);
    frame->depth = caller->depth + 1;
    frame->block = block;
    frame->caller = caller;
    frame->code = code;
    frame->back = back;
    frame->params = (unsigned char *)(frame + 1);
    frame->variables = frame->params + params;
    frame->local_base = base;
    frame->local_top = base + f->local_bytes;
    enter_block(t, code, frame);
    t->frame = frame;
    t->r = frame->r;
    t->code = t->pc = code->ops;
    emu_reach_elsewhere(t);
    return true;
}

void emu_frame_pop(struct emu_thread *t)
{
    struct emu_frame *frame = t->frame;

    t->frame = frame->caller;
    t->pc = frame->back;
    if (t->frame) {
        t->r = t->frame->r;
        t->code = t->frame->code->ops;
    }
    emu_reach_elsewhere(t);
    frame->block->lanes &= ~(1u << t->lane);
    emu_unreserve(emu_machine_of(t), frame->bytes);
}

/* ---- what a call passes ------------------------------------------------------------------------------------------ */

static unsigned char *caller_bytes(struct emu_frame *f, const struct emu_pass *p)
{
    return (p->of_params ? f->params : f->variables) + p->offset;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

void emu_frame_pass(struct emu_thread *t, const struct emu_call *c)
{
    struct emu_frame *callee = t->frame, *caller = callee->caller;
    const struct ptx_function *f = callee->code->function;
    const struct ptx_module *m = emu_run_of(t)->image->module;

    for (unsigned i = 0; i < c->n_params && i < f->n_params; i++) {
        const struct emu_pass *p = &c->pass[c->n_returns + i];
        const struct ptx_variable *v = &m->variables[f->params + i];
        if (v->reg != PTX_NO)
            callee->r[callee->code->slot_of[v->reg]] = caller->r[p->slot];
        else if (p->reg)
            memcpy(callee->params + v->offset, &caller->r[p->slot], least(v->size, 8));
        else
            memcpy(callee->params + v->offset, caller_bytes(caller, p), least(v->size, p->size));
    }
}

void emu_frame_return(struct emu_thread *t, const struct emu_call *c)
{
    struct emu_frame *callee = t->frame, *caller = callee->caller;
    const struct ptx_function *f = callee->code->function;
    const struct ptx_module *m = emu_run_of(t)->image->module;

    for (unsigned i = 0; i < c->n_returns && i < f->n_returns; i++) {
        const struct emu_pass *p = &c->pass[i];
        const struct ptx_variable *v = &m->variables[f->returns + i];
        const unsigned char *from = callee->params + f->param_bytes + v->offset;
        if (v->reg != PTX_NO)
            caller->r[p->slot] = callee->r[callee->code->slot_of[v->reg]];
        else if (p->reg)
            memcpy(&caller->r[p->slot], from, least(v->size, 8));
        else
            memcpy(caller_bytes(caller, p), from, least(v->size, p->size));
    }
}

void emu_call_bytes(struct emu_thread *t, const struct emu_call *c, unsigned k, void *out, uint64_t size)
{
    const struct emu_pass *p = &c->pass[c->n_returns + k];

    if (k >= c->n_params)
        return;
    if (p->reg)
        memcpy(out, &t->r[p->slot], least(size, 8));
    else
        memcpy(out, caller_bytes(t->frame, p), least(p->size, size));
}

uint64_t emu_call_argument(struct emu_thread *t, const struct emu_call *c, unsigned k)
{
    uint64_t value = 0;

    emu_call_bytes(t, c, k, &value, sizeof value);
    return value;
}

void emu_call_return(struct emu_thread *t, const struct emu_call *c, uint64_t value)
{
    const struct emu_pass *p = c->pass;

    if (!c->n_returns)
        return;
    if (p->reg)
        t->r[p->slot] = value;
    else
        memcpy(caller_bytes(t->frame, p), &value, least(p->size, 8));
}
// SPDX-License-Identifier: Apache-2.0
