/* Control flow: branches, calls, exits, special registers that change. */
#include "harness/emu/instructions/barrier.h"
#include "harness/emu/instructions/decoders.h"
#include "harness/emu/instructions/system.h"
#include "harness/emu/machine/bytes.h"
#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/frame.h"
#include "harness/emu/machine/image.h"
#include "harness/emu/machine/lanes.h"
#include "harness/emu/machine/prior.h"
#include "harness/emu/machine/reach.h"
#include "harness/emu/machine/thread.h"
#include "harness/emu/machine/watch.h"

/* ---- branches ------------------------------------------------------------------------------------------------- */

static void branch(struct emu_thread *t, const struct emu_op *op)
{
    t->pc = t->code + op->branch.target;
    if (t->pc <= op)
        emu_reach_back(t, t->pc, op);
}

/* brx.idx: the table's entries are ops of this function. */
static void branch_table(struct emu_thread *t, const struct emu_op *op)
{
    const uint64_t index = t->r[op->a];

    if (index >= op->branch.count)
        emu_bad_access(t, NULL, index, 0, "branch index %llu in a table of %u targets", (unsigned long long)index,
                       op->branch.count);
    t->pc = t->code + op->branch.targets[index];
    if (t->pc <= op)
        emu_reach_back(t, t->pc, op);
}

/* ---- calls ---------------------------------------------------------------------------------------------------- */

enum { DEPTH = 512 }; /* of calls within one another */

static void call(struct emu_thread *t, const struct emu_op *op)
{
    const struct emu_call *c = op->call;
    struct emu_run *run = emu_run_of(t);
    const struct ptx_module *m = run->image->module;
    const uint32_t number = c->function != PTX_NO ? c->function : (uint32_t)t->r[op->a] - 1;
    const struct emu_frame *caller = t->frame;
    const struct emu_code *code;

    if (number >= m->n_functions)
        emu_bad_access(t, NULL, number, 0, "a call through a register that holds no function");
    code = emu_code_of(run->image, number);
    if (!code) {
        emu_system_call(t, op, &m->functions[number]);
        return;
    }
    if (caller->depth >= DEPTH)
        emu_bad_access(t, NULL, caller->depth, 0, "calls nested deeper than %d", DEPTH);
    if (!emu_frame_push(t, code, t->pc))
        emu_bad_access(t, NULL, caller->local_top, 0,
                       "no room for the frame of %s: a thread has 512 KiB of .local memory, all have --max-memory",
                       code->function->name);
    emu_frame_pass(t, c);
}

/* The thread has left the grid. */
static void leave_grid(struct emu_thread *t)
{
    struct emu_cta *cta = t->cta;

    while (t->frame)
        emu_frame_pop(t);
    t->state = EMU_EXITED;
    cta->live--;
    if (!cta->live)
        cta->cluster->live--;
    for (uint32_t i = t->index - t->lane; cta->warps[t->warp].waits && i < cta->thread_count && i / EMU_WARP == t->warp;
         i++)
        if (cta->threads[i].state == EMU_BLOCKED && cta->threads[i].wait == EMU_WAIT_WARP)
            cta->threads[i].state = EMU_READY; /* it may have waited for this one */
    emu_barriers_exit(t);
    emu_cluster_exit(t);
    emu_act(t, cta);
    emu_wake(cta->cluster);
}

/* The same of lanes of a warp, where nobody waits at a barrier. */
static void leave_lanes(struct emu_thread *lanes, uint32_t set, const struct emu_op *op)
{
    struct emu_cta *cta = lanes->cta;

    (void)op;
    emu_frames_leave(lanes, set);
    const uint32_t count = emu_lanes_count(set);
    for (uint32_t left = set; left; left &= left - 1)
        lanes[__builtin_ctz(left)].state = EMU_EXITED;
    emu_act_all(cta, count);
    cta->live -= count;
    if (!cta->live)
        cta->cluster->live--;
    emu_wake(cta->cluster);
}

/* Copies the results to where the call instruction wants them; then the caller continues after it. */
static void ret(struct emu_thread *t, const struct emu_op *op)
{
    (void)op;
    if (!t->frame->caller) {
        leave_grid(t);
        return;
    }
    emu_frame_return(t, t->frame->back[-1].call);
    emu_frame_pop(t);
}

void emu_end_of(struct emu_thread *t, const struct emu_op *op)
{
    ret(t, op);
}

static void leave(struct emu_thread *t, const struct emu_op *op)
{
    (void)op;
    leave_grid(t);
}

static void trap(struct emu_thread *t, const struct emu_op *op)
{
    const struct emu_grid *g = t->cta->cluster->grid;

    (void)op;
    if (g->wants_workspace && !g->workspace)
        emu_bad_access(t, &rule_grid_cooperative, 0, 0,
                       "trap: the kernel synchronises its grid, which was not launched cooperatively");
    emu_bad_access(t, NULL, 0, 0, "trap");
}

static void grid_wait(struct emu_thread *t, const struct emu_op *op)
{
    (void)op;
    emu_prior_wait(t);
    if (emu_watch_all(t))
        emu_watch_all(t)->dependents(t, true);
}

static void grid_release(struct emu_thread *t, const struct emu_op *op)
{
    (void)op;
    emu_prior_release(t);
    if (emu_watch_all(t))
        emu_watch_all(t)->dependents(t, false);
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
    /* One nanosecond, or one clock, for each instruction of the thread, however many other threads there are; where
     * clocks run fast, about a microsecond: limits of seconds, which only a hang is to reach, stay far away. */
    enum { FAST = 1 << 10 };
    const uint64_t each = emu_machine_of(t)->options.hasty ? FAST : 1, now = run->clock + (t->steps - t->still) * each;

    run->clock_read = true;
    run->clock_reads++;
    t->r[op->d] = op->clock == SR_globaltimer_hi || op->clock == SR_clock_hi ? now >> 32 : emu_low(now, op->size);
}

static void sleep_now(struct emu_thread *t, const struct emu_op *op)
{
    const struct emu_watch *watch = emu_watch_all(t);

    if (t->slept) {
        t->slept = false;
        if (watch)
            watch->slept(t);
        return;
    }
    t->slept = true;
    emu_block(t, EMU_WAIT_SLEEP, (uint32_t)t->r[op->a], 0);
}

/* ---- decoding ------------------------------------------------------------------------------------------------- */

/* Where the caller has an argument or a result of a call; false where that is not modelled. */
static bool pass_of(const struct ptx_module *m, const struct ptx_operand *o, struct emu_pass *p)
{
    const struct ptx_variable *v;

    *p = (struct emu_pass){ 0 };
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
    struct emu_call *c = emu_kept(sizeof *c + (n_returns + n_params) * sizeof *c->pass);

    if (!c)
        return NULL;
    c->n_returns = n_returns;
    c->n_params = n_params;
    for (unsigned k = 0; k < n_returns + n_params; k++) {
        const struct ptx_operand *o =
            &m->operands[k < n_returns ? returns->first + k : arguments->first + k - n_returns];
        if (!pass_of(m, o, &c->pass[k]))
            return NULL;
        if (c->pass[k].reg)
            emu_settle_later(&c->pass[k].slot);
    }
    c->function = callee->kind == PO_function ? callee->symbol : PTX_NO;
    op->a = callee->kind == PO_function ? EMU_NO : emu_slot(callee, PTX_b64);
    op->d = op->b = op->c = EMU_NO;
    op->call = c;
    return call;
}

static emu_handler *decode_special(const struct ptx_operand *o, struct emu_op *op)
{
    if (o->kind != PO_special || !emu_special_changes((uint16_t)o->reg))
        return NULL;
    op->clock = (uint16_t)o->reg;
    return read_clock;
}

static emu_handler *decode_branch_table(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const struct ptx_operand *table = ptx_operand(m, i, 1);
    uint32_t *targets;

    if (table->kind != PO_targets)
        return NULL;
    targets = emu_kept((table->count + 1) * sizeof *targets);
    if (!targets)
        return NULL;
    for (uint32_t k = 0; k < table->count; k++)
        targets[k] = emu_target(m->operands[table->first + k].reg);
    op->branch.targets = targets;
    op->branch.count = table->count;
    op->a = emu_slot(ptx_operand(m, i, 0), PTX_u32);
    return branch_table;
}

emu_handler *emu_decode_control(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    switch (i->op) {
    case OP_bra:
        op->branch.target = emu_target(ptx_operand(m, i, 0)->reg);
        op->together = EMU_BRANCH;
        return branch;
    case OP_brx: return decode_branch_table(m, i, op);
    case OP_call: return decode_call(m, i, op);
    case OP_ret:
    case OP_exit:
        op->together = EMU_END;
        op->whole = leave_lanes;
        return i->op == OP_ret ? ret : leave;
    case OP_trap: return trap;
    case OP_brkpt:
    case OP_pmevent: return nothing;
    case OP_setmaxnreg: return emu_decode_setmaxnreg(m, i, op);
    case OP_nanosleep: op->a = emu_slot(ptx_operand(m, i, 0), PTX_u32); return sleep_now;
    case OP_griddepcontrol: return ptx_has(m, i, PTX_wait) ? grid_wait : grid_release;
    case OP_mov: return decode_special(ptx_operand(m, i, 1), op);
    default: return NULL;
    }
}
// SPDX-License-Identifier: Apache-2.0
