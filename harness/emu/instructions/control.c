/* Control flow: branches, calls, exits, special registers that change. */

#include <stdlib.h>
#include <string.h>

#include "harness/emu/machine/inside.h"

/* ---- branches ------------------------------------------------------------------------------------------------- */

static void branch(struct emu_thread *t, const struct emu_op *op)
{
    t->pc = t->code + op->imm;
}

/* brx.idx: the table's entries are ops of this function. */
static void branch_table(struct emu_thread *t, const struct emu_op *op)
{
    const uint64_t index = t->r[op->a];

    if (index >= op->u32)
        emu_bad_access(t, NULL, index, 0, "branch index %llu of a table of %u", (unsigned long long)index, op->u32);
    t->pc = t->code + op->more[index];
}

/* ---- calls ---------------------------------------------------------------------------------------------------- */

enum { DEPTH = 512 };

bool emu_frame_push(struct emu_thread *t, const struct emu_code *code, const struct emu_op *back)
{
    const struct ptx_function *f = code->function;
    const uint64_t params = (f->param_bytes + f->return_bytes + 31) / 16 * 16;
    struct emu_frame *caller = t->frame;
    const uint64_t bytes = sizeof *caller + code->slots * 8ull + 16 + params + code->frame_bytes;
    struct emu *e = t->cta->cluster->grid->machine;
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
    emu_unreserve(t->cta->cluster->grid->machine, frame->bytes);
    free(frame);
}

/* What a call hands over: for each argument and return its place in either frame. */
struct call {
    uint32_t function; /* PTX_NO: its address is in a register */
    unsigned n_params, n_returns;
    struct pass {
        bool reg;       /* a register's value, else bytes of a .param variable of the caller */
        bool of_params; /* that variable is a parameter of the caller itself */
        uint32_t slot;
        uint64_t offset, size;
    } pass[];
};

static unsigned char *caller_bytes(struct emu_frame *f, const struct pass *p)
{
    return (p->of_params ? f->params : f->variables) + p->offset;
}

uint64_t emu_call_argument(struct emu_thread *t, const struct emu_op *op, unsigned k)
{
    const struct call *c = op->data;
    const struct pass *p = &c->pass[c->n_returns + k];
    uint64_t value = 0;

    if (k >= c->n_params)
        return 0;
    if (p->reg)
        return t->r[p->slot];
    memcpy(&value, caller_bytes(t->frame, p), p->size < 8 ? p->size : 8);
    return value;
}

void emu_call_return(struct emu_thread *t, const struct emu_op *op, uint64_t value)
{
    const struct call *c = op->data;
    const struct pass *p = c->pass;

    if (!c->n_returns)
        return;
    if (p->reg)
        t->r[p->slot] = value;
    else
        memcpy(caller_bytes(t->frame, p), &value, p->size < 8 ? p->size : 8);
}

static void call(struct emu_thread *t, const struct emu_op *op)
{
    const struct call *c = op->data;
    struct emu_run *run = emu_run_of(t);
    const struct ptx_module *m = run->image->module;
    const uint32_t number = c->function != PTX_NO ? c->function : (uint32_t)t->r[op->a] - 1;
    struct emu_frame *caller = t->frame;
    const struct emu_code *code;
    const struct ptx_function *f;

    if (number >= m->n_functions)
        emu_bad_access(t, NULL, number, 0, "a call through a register that holds no function");
    code = emu_code_of(t->cta->cluster->grid->machine, run->image, number);
    if (!code) {
        emu_system_call(t, op, &m->functions[number]);
        return;
    }
    f = code->function;
    if (caller->depth < DEPTH && !emu_frame_push(t, code, t->pc))
        emu_bad_access(t, NULL, caller->local_top, 0,
                       "no room for the frame of %s: a thread has 512 KiB of .local memory, all have --max-memory",
                       code->function->name);
    if (caller->depth >= DEPTH)
        emu_bad_access(t, NULL, caller->depth, 0, "calls nested deeper than %d", DEPTH);
    for (unsigned i = 0; i < c->n_params && i < f->n_params; i++) {
        const struct pass *p = &c->pass[c->n_returns + i];
        const struct ptx_variable *v = &m->variables[f->params + i];
        if (v->reg != PTX_NO)
            t->r[code->slot_of[v->reg]] = caller->r[p->slot];
        else if (p->reg)
            memcpy(t->frame->params + v->offset, &caller->r[p->slot], v->size < 8 ? v->size : 8);
        else
            memcpy(t->frame->params + v->offset, caller_bytes(caller, p), v->size < p->size ? v->size : p->size);
    }
}

/* The returns go to where the call instruction says; then the caller goes on behind it. */
static void ret(struct emu_thread *t, const struct emu_op *op)
{
    struct emu_frame *callee = t->frame, *caller = callee->caller;
    const struct ptx_module *m = emu_run_of(t)->image->module;
    const struct ptx_function *f = callee->code->function;
    const struct call *c;

    (void)op;
    if (!caller) {
        emu_exit(t);
        return;
    }
    c = callee->back[-1].data;
    for (unsigned i = 0; i < c->n_returns && i < f->n_returns; i++) {
        const struct pass *p = &c->pass[i];
        const struct ptx_variable *v = &m->variables[f->returns + i];
        if (v->reg != PTX_NO)
            caller->r[p->slot] = callee->r[callee->code->slot_of[v->reg]];
        else if (p->reg)
            memcpy(&caller->r[p->slot], callee->params + f->param_bytes + v->offset, v->size < 8 ? v->size : 8);
        else
            memcpy(caller_bytes(caller, p), callee->params + f->param_bytes + v->offset,
                   v->size < p->size ? v->size : p->size);
    }
    emu_frame_pop(t);
}

void emu_end_of(struct emu_thread *t, const struct emu_op *op)
{
    ret(t, op);
}

static void leave(struct emu_thread *t, const struct emu_op *op)
{
    (void)op;
    while (t->frame->caller)
        emu_frame_pop(t);
    emu_exit(t);
}

static void trap(struct emu_thread *t, const struct emu_op *op)
{
    (void)op;
    emu_bad_access(t, NULL, 0, 0, "trap");
}

static void nothing(struct emu_thread *t, const struct emu_op *op)
{
    (void)t;
    (void)op;
}

/* ---- clocks --------------------------------------------------------------------------------------------------- */

static void read_clock(struct emu_thread *t, const struct emu_op *op)
{
    struct emu_run *run = emu_run_of(t);
    /* A nanosecond, or a clock, for each instruction of the thread: how many others there are makes no difference. */
    const uint64_t now = run->clock + t->steps;

    run->clock_read = true;
    t->r[op->d] = op->u16 == SR_globaltimer_hi || op->u16 == SR_clock_hi ? now >> 32 : emu_low(now, op->size);
}

static void sleep_now(struct emu_thread *t, const struct emu_op *op)
{
    (void)op;
    if (t->slept) {
        t->slept = false;
        emu_order_slept(t);
        return;
    }
    t->slept = true;
    emu_block(t, EMU_WAIT_SLEEP, 0, 0);
}

/* ---- decoding ------------------------------------------------------------------------------------------------- */

/* Where an argument or return of a call is in the caller. */
static bool pass_of(const struct ptx_module *m, const struct ptx_operand *o, struct pass *p)
{
    const struct ptx_variable *v;

    *p = (struct pass){ 0 };
    if (o->kind != PO_variable && !(o->kind == PO_address && o->flags & PF_BASE_VARIABLE)) {
        p->reg = true;
        p->slot = emu_slot(o, PTX_b64);
        return p->slot != EMU_NO;
    }
    v = &m->variables[o->symbol];
    if (v->space != PTX_param || v->function == PTX_NO)
        return false;
    p->offset = v->offset;
    p->size = v->size;
    for (uint32_t i = 0; i < m->functions[v->function].n_params; i++)
        p->of_params |= m->functions[v->function].params + i == o->symbol;
    return true;
}

static emu_handler *decode_call(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const struct ptx_operand *returns = ptx_operand(m, i, 0), *callee = ptx_operand(m, i, 1),
                             *arguments = ptx_operand(m, i, 2);
    const unsigned n_returns = returns->kind == PO_list ? returns->count : 0;
    const unsigned n_params = arguments->kind == PO_list ? arguments->count : 0;
    struct call *c = emu_kept(sizeof *c + (n_returns + n_params) * sizeof *c->pass);

    if (!c)
        return NULL;
    c->n_returns = n_returns;
    c->n_params = n_params;
    for (unsigned k = 0; k < n_returns + n_params; k++) {
        const struct ptx_operand *o =
            &m->operands[k < n_returns ? returns->first + k : arguments->first + k - n_returns];
        if (!pass_of(m, o, &c->pass[k]))
            return NULL;
        if (c->pass[k].reg) {
            uint32_t *slot = &c->pass[k].slot;
            emu_settle_later(slot);
        }
    }
    c->function = callee->kind == PO_function ? callee->symbol : PTX_NO;
    op->a = callee->kind == PO_function ? EMU_NO : emu_slot(callee, PTX_b64);
    op->d = op->b = op->c = EMU_NO;
    op->data = c;
    return call;
}

static emu_handler *decode_special(const struct ptx_operand *o, struct emu_op *op)
{
    if (o->kind != PO_special || !emu_special_changes((uint16_t)o->reg))
        return NULL;
    op->u16 = (uint16_t)o->reg;
    return read_clock;
}

emu_handler *emu_decode_control(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const struct ptx_operand *o;

    switch (i->op) {
    case OP_bra: op->imm = (int64_t)emu_target(ptx_operand(m, i, 0)->reg); return branch;
    case OP_brx: {
        uint32_t *targets;
        o = ptx_operand(m, i, 1);
        targets = o->kind == PO_targets ? emu_kept((o->count + 1) * sizeof *targets) : NULL;
        if (!targets)
            return NULL;
        for (uint32_t k = 0; k < o->count; k++)
            targets[k] = emu_target(m->operands[o->first + k].reg);
        op->more = targets;
        op->u32 = o->count;
        op->a = emu_slot(ptx_operand(m, i, 0), PTX_u32);
        return branch_table;
    }
    case OP_call: return decode_call(m, i, op);
    case OP_ret: return ret;
    case OP_exit: return leave;
    case OP_trap: return trap;
    case OP_brkpt:
    case OP_pmevent:
    case OP_setmaxnreg: return nothing;
    case OP_bar:
    case OP_barrier:
    case OP_barrier_cluster:
    case OP_barrier_cluster_arrive:
    case OP_barrier_cluster_wait: return emu_decode_barrier(m, i, op);
    case OP_nanosleep: return sleep_now;
    case OP_griddepcontrol: return nothing; /* grids follow one another here */
    case OP_mov: return decode_special(ptx_operand(m, i, 1), op);
    default: return NULL;
    }
}
