/* Frames of called functions, and .local memory, which lies in them. */
#include "harness/emu/machine/frame.h"

#include <stdlib.h>
#include <string.h>

#include "harness/emu/machine/regions.h"
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
    t->local_size = room;
    return true;
}

/* One allocation holds the frame, its slots (and room for the second half of a 16-byte one behind them), its parameters
 * and returns, and the .param variables of its body; parts that instructions address begin at multiples of 16 bytes. */
bool emu_frame_push(struct emu_thread *t, const struct emu_code *code, const struct emu_op *back)
{
    const struct ptx_function *f = code->function;
    const uint64_t params = (f->param_bytes + f->return_bytes + 31) / 16 * 16;
    struct emu_frame *caller = t->frame;
    const uint64_t bytes = sizeof *caller + code->slots * 8ull + 16 + params + code->frame_bytes;
    struct emu *e = emu_machine_of(t);
    uint64_t base = caller ? caller->local_top : 0;
    struct emu_frame *frame;

    if (params + code->frame_bytes > EMU_LOCAL_MAX || !emu_reserve(e, bytes))
        return false;
    frame = calloc(1, bytes);
    if (!frame) {
        emu_unreserve(e, bytes);
        return false;
    }
    frame->bytes = bytes;
    base = (base + 15) / 16 * 16;
    frame->caller = caller;
    frame->code = code;
    frame->back = back;
    frame->r = (uint64_t *)(frame + 1);
    frame->params = (unsigned char *)(frame->r + code->slots + 2);
    frame->variables = frame->params + params;
    frame->local_base = base;
    frame->local_top = base + f->local_bytes;
    frame->depth = caller ? caller->depth + 1 : 0;
    if (!emu_local_room(t, frame->local_top)) {
        emu_unreserve(e, bytes);
        free(frame);
        return false;
    }
    if (code->constants)
        memcpy(frame->r + code->first_constant, code->constants, (code->slots - code->first_constant) * 8ull);
    for (uint32_t i = 0; i < code->special_count; i++)
        frame->r[code->specials[i].slot] = emu_special_value(t, code->specials[i].special, code->specials[i].component);
    t->frame = frame;
    t->r = frame->r;
    t->code = t->pc = code->ops;
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
    emu_unreserve(emu_machine_of(t), frame->bytes);
    free(frame);
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

uint64_t emu_call_argument(struct emu_thread *t, const struct emu_call *c, unsigned k)
{
    const struct emu_pass *p = &c->pass[c->n_returns + k];
    uint64_t value = 0;

    if (k >= c->n_params)
        return 0;
    if (p->reg)
        return t->r[p->slot];
    memcpy(&value, caller_bytes(t->frame, p), least(p->size, 8));
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
