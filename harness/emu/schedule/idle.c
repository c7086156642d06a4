/* Whether a grid still gets on: instructions are counted since it last did something new. Where it last reached new
 * code or new memory is looked for in a few turns alone, and not before it has been at the same for a while. */
#include "harness/emu/schedule/idle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expected/random.h"
#include "harness/emu/machine/address.h"
#include "harness/emu/machine/regions.h"
#include "harness/emu/machine/sync.h"
#include "harness/emu/machine/thread.h"

/* Instructions without anything new after which turns are probed; one of how many turns is: an odd number, so that each
 * of a power of two threads has one. */
enum { QUIET = 1 << 21, ONE_OF = 33 };

/* What an operation by which threads synchronise is counted as, and a call: so many ordinary instructions take as long
 * where it is judged, without the joining of what many threads know: that is counted as one for EMU_JOINED bytes. What
 * is counted in the turns that are probed stands for the others. */
enum { SLOW_COST = 24 * ONE_OF };

/* A look at what others may change makes so many instructions before it a wait, at most. */
enum { REACH = 512 };

/* What the numbers of places in shared memory and of instructions have that those of global memory do not. */
static const uint64_t SHARED = 1ull << 62, CODE = 1ull << 63;

/* Clusters that run ahead are given up after this part of the limit on each host thread. */
enum { AHEAD_PART = 4 };

/* How many additions an operation takes as long as, where it is judged; 0: one. */
static const uint8_t cost_of[OP_COUNT] = {
    [OP_ld] = 5,         [OP_st] = 5,          [OP_cvt] = 4,        [OP_call] = 8,          [OP_ex2] = 5,
    [OP_lg2] = 5,        [OP_tanh] = 12,       [OP_sin] = 12,       [OP_cos] = 12,          [OP_rcp] = 12,
    [OP_rsqrt] = 12,     [OP_div] = 16,        [OP_sqrt] = 24,      [OP_shfl] = 8,          [OP_vote] = 8,
    [OP_redux] = 8,      [OP_elect] = 8,       [OP_match] = 16,     [OP_bar] = 24,          [OP_barrier] = 24,
    [OP_fence] = 48,     [OP_membar] = 48,     [OP_atom] = 48,      [OP_red] = 48,          [OP_mma] = 120,
    [OP_ldmatrix] = 32,  [OP_stmatrix] = 32,   [OP_movmatrix] = 32, [OP_cp_async] = 48,     [OP_cp_async_bulk] = 48,
    [OP_wmma_load] = 32, [OP_wmma_store] = 32, [OP_wmma_mma] = 120, [OP_multimem_red] = 48, [OP_tex] = 64,
    [OP_tld4] = 64,      [OP_suld] = 24,       [OP_sust] = 24,      [OP_sured] = 48,
};

/* The same of operations by which threads synchronise, of vectors, and of numbers of 16 bits, at least. */
enum { COST_SYNC = 16, COST_VECTOR = 12, COST_HALF = 8 };

/* What new code or memory makes up for: it is found in a few turns alone, so an endless loop finds more for long. */
enum { NEWS = 1 << 19 };

/* Threads of a grid of many, and of a large one; how often what memory and synchronisation cost elsewhere they cost
 * there. */
enum { MANY = 1 << 11, LARGE = 1 << 13, COST_MANY = 2, COST_LARGE = 8 };

/* Where a cluster has more than MANY threads, an operation by which they synchronise is held against what each of so
 * many has done. */
enum { COMPARED = 512 };

/* So many instructions weigh as much as all that were weighed before. */
enum { WEIGHED = 1 << 20 };

/* Something new: a thread has ended. */
static void begin_again(struct emu_idle *i)
{
    atomic_store_explicit(&i->spent, 0, memory_order_relaxed);
    atomic_store_explicit(&i->busy, 0, memory_order_relaxed);
}

void emu_idle_reset(struct emu_idle *i)
{
    begin_again(i);
    i->ahead = 0;
    if (atomic_load_explicit(&i->reached, memory_order_relaxed))
        memset(i->places, 0, sizeof i->places);
    atomic_store_explicit(&i->reached, false, memory_order_relaxed);
}

struct emu_idle *emu_idle_take(struct emu *e)
{
    struct emu_idle *i = e->idle;

    if (!i)
        return calloc(1, sizeof *i);
    e->idle = NULL;
    emu_idle_reset(i);
    return i;
}

void emu_idle_give(struct emu *e, struct emu_idle *i)
{
    free(e->idle); /* of a launch that began while this one waited */
    e->idle = i;
}

bool emu_idle_probes(struct emu_cluster *c)
{
    return atomic_load_explicit(&c->grid->idle->spent, memory_order_relaxed) > QUIET && ++c->run->probes % ONE_OF == 0;
}

void emu_idle_passes(struct emu_cluster *c, uint32_t turns)
{
    if (atomic_load_explicit(&c->grid->idle->spent, memory_order_relaxed) > QUIET)
        c->run->probes += turns;
}

uint64_t emu_idle_next_probe(const struct emu_cluster *c)
{
    if (atomic_load_explicit(&c->grid->idle->spent, memory_order_relaxed) <= QUIET)
        return UINT64_MAX;
    return ONE_OF - 1 - c->run->probes % ONE_OF;
}

/* Notes a place by any number of its own. Whether it is new. */
static bool reach(struct emu_idle *i, uint64_t place)
{
    const uint64_t bit = splitmix64(place) % IDLE_BITS, mask = 1ull << bit % 64;

    atomic_store_explicit(&i->reached, true, memory_order_relaxed);
    return !(atomic_fetch_or_explicit(&i->places[bit / 64], mask, memory_order_relaxed) & mask);
}

/* A number for an address of global memory that is the same in each run; 0: it is none. */
static uint64_t global_place(struct emu *e, uint64_t at)
{
    const struct emu_region *r = emu_region_of(e, at);

    return r ? (uint64_t)(r - e->regions + 1) << 48 | (at - r->at) / IDLE_PLACE : 0;
}

/* Where an ordinary load, a store or an atomic goes; 0: the instruction is none, or its memory is the thread's own. */
static uint64_t place_of(const struct emu_thread *t, const struct emu_op *op)
{
    const bool shared = op->space == PTX_shared || op->space == PTX_shared_cta || op->space == PTX_shared_cluster;
    const uint16_t what = op->source ? op->source->op : 0;
    uint64_t at;

    if ((what != OP_ld && what != OP_st && what != OP_atom && what != OP_red) ||
        (!shared && op->space != PTX_global && op->space != PTX_none))
        return 0;
    at = t->r[what == OP_st ? op->d : op->a] + (uint64_t)op->offset;
    if (shared || at - EMU_SHARED_WINDOW < EMU_WINDOW_BYTES)
        return SHARED | (uint64_t)t->cta->rank << 32 | (uint32_t)at / IDLE_PLACE;
    return emu_is_global(at) ? global_place(emu_machine_of(t), at) : 0;
}

/* Whether the thread looks at what others may change, or sleeps until they have. */
static bool looks(const struct emu_op *op)
{
    const uint16_t what = op->source ? op->source->op : 0;

    return op->sync == EMU_SYNC_LOOK || op->sync == EMU_SYNC_WAIT || what == OP_nanosleep ||
           (what == OP_atom && op->d != EMU_NO);
}

/* All registers of the thread's function as one number. */
static uint64_t registers_of(const struct emu_thread *t)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < t->frame->code->first_special; i++)
        sum = (sum ^ t->r[i * EMU_WARP]) * SPLITMIX64_STEP;
    return sum;
}

/* Whether the thread is about to begin a round of a loop that waits, though it looks at nothing: no way leads out of
 * it, or the round before left all registers as they were. */
static bool goes_round(const struct emu_thread *t, const struct emu_op *op)
{
    struct emu_run *run = emu_run_of(t);
    uint64_t registers;
    bool same;

    if (!op->source || op->source->op != OP_bra || t->code + op->branch.target > op ||
        (op->guard != EMU_NO && (t->r[op->guard] != 0) == op->guard_not))
        return false;
    registers = registers_of(t);
    same = run->round_at == op && run->round_registers == registers;
    run->round_at = op;
    run->round_registers = registers;
    return op->endless || same;
}

static bool is_half(uint16_t type)
{
    return type == PTX_f16 || type == PTX_f16x2 || type == PTX_bf16 || type == PTX_bf16x2;
}

/* How often memory and synchronisation cost what they cost alone: of many threads and their memory more is known than
 * caches of the host hold. */
static uint64_t cost_of_memory(const struct emu_grid *g)
{
    const uint64_t threads = (uint64_t)g->dim[0] * g->dim[1] * g->dim[2] * g->block[0] * g->block[1] * g->block[2];

    return threads > LARGE ? COST_LARGE : threads > MANY ? COST_MANY : 1;
}

/* How often such an operation counts. */
static uint64_t cost_of_sync(const struct emu_run *run, const struct emu_cluster *c)
{
    const uint32_t threads = emu_threads_of(c);

    return threads > MANY ? threads / COMPARED : run->cost_of_memory > 1 ? COST_MANY : 1;
}

/* Whether an instruction reads or writes texels. */
static bool has_texels(const struct emu_op *op)
{
    const uint16_t what = op->source ? op->source->op : 0;

    return what == OP_tex || what == OP_tld4 || what == OP_suld || what == OP_sust;
}

/* What the instruction takes, in additions. */
static uint64_t cost(const struct emu_op *op)
{
    const struct ptx_instruction *i = op->source;
    const uint64_t own = i && cost_of[i->op] ? cost_of[i->op] : 1;
    uint64_t least = 1;

    if (op->sync != EMU_SYNC_NONE)
        least = COST_SYNC;
    else if (op->vector > 1)
        least = COST_VECTOR;
    else if (i && is_half(i->type[0]))
        least = COST_HALF;
    return own > least ? own : least;
}

void emu_idle_turn(struct emu_run *run, const struct emu_thread *t)
{
    run->round_at = NULL;
    run->looked = t->steps;
    run->waiting = false;
    run->cost_of_memory = cost_of_memory(t->cta->cluster->grid);
}

void emu_idle_probe(struct emu_thread *t, const struct emu_op *op)
{
    struct emu_run *run = emu_run_of(t);
    struct emu_idle *i = t->cta->cluster->grid->idle;
    const uint64_t place = place_of(t, op);

    if (looks(op) || goes_round(t, op)) {
        const uint64_t since = t->steps - run->looked;
        run->waits += since < REACH ? since : REACH;
        run->looked = t->steps;
        run->waiting = true;
    }
    run->weighed++;
    run->weight += cost(op) * (place || op->sync != EMU_SYNC_NONE || has_texels(op) ? run->cost_of_memory : 1);
    if (op->sync != EMU_SYNC_NONE || (op->source && op->source->op == OP_call))
        run->slow += cost_of_sync(run, t->cta->cluster);
    run->reached |= op->source && reach(i, CODE | (uint64_t)(op->source - t->cta->cluster->grid->module->instructions));
    run->reached |= place && reach(i, place);
}

uint64_t emu_idle_round(struct emu_cluster *c, uint64_t instructions)
{
    struct emu_run *run = c->run;
    struct emu_idle *i = c->grid->idle;
    const bool probed = atomic_load_explicit(&i->spent, memory_order_relaxed) > QUIET;
    const uint64_t counts = probed ? ONE_OF * run->waits : instructions;
    uint32_t live = 0;

    for (uint32_t k = 0; k < c->cta_count; k++)
        live += c->ctas[k].live;
    if (live != run->live) {
        begin_again(i);
    } else if (run->reached) { /* it is looked for what else is new */
        const uint64_t busy = atomic_load_explicit(&i->busy, memory_order_relaxed);
        atomic_store_explicit(&i->spent, QUIET + 1, memory_order_relaxed);
        atomic_store_explicit(&i->busy, busy > NEWS ? busy - NEWS : 0, memory_order_relaxed);
    }
    atomic_fetch_add_explicit(&i->spent,
                              counts + (!probed || run->waiting ? run->joined + SLOW_COST * run->slow : 0) +
                                  (probed ? 0 : run->heavy),
                              memory_order_relaxed);
    /* What has been weighed stands for all. */
    atomic_fetch_add_explicit(
        &i->busy, run->joined + run->heavy + (run->weighed ? instructions * run->weight / run->weighed : instructions),
        memory_order_relaxed);
    if (run->weighed > WEIGHED) {
        run->weighed /= 2;
        run->weight /= 2;
    }
    run->live = live;
    run->joined = run->heavy = run->slow = run->waits = 0;
    run->reached = false;
    return counts;
}

static bool is_over(const struct emu_cluster *c, const _Atomic uint64_t *spent, uint64_t most)
{
    const uint64_t now = atomic_load_explicit(spent, memory_order_relaxed);
    const unsigned ahead = c->grid->idle->ahead;

    return ahead ? now / ahead > most / AHEAD_PART : now > most;
}

bool emu_idle_over(const struct emu_cluster *c)
{
    return is_over(c, &c->grid->idle->spent, c->grid->machine->options.max_idle);
}

bool emu_busy_over(const struct emu_cluster *c)
{
    return is_over(c, &c->grid->idle->busy, c->grid->machine->options.max_busy);
}

bool emu_idle_for_long(const struct emu_cluster *c)
{
    const struct emu_options *o = &c->grid->machine->options;

    return is_over(c, &c->grid->idle->spent, o->max_idle / 4) || is_over(c, &c->grid->idle->busy, o->max_busy / 4);
}

bool emu_idle_limit(const struct emu_cluster *c, char *out, size_t size)
{
    const struct emu_options *o = &c->grid->machine->options;
    const unsigned long long most = o->max_instructions, quiet = o->max_quiet, idle = o->max_idle, busy = o->max_busy;

    if (c->grid->executed > most)
        snprintf(out, size, "more than %llu instructions (--max-instructions)", most);
    else if (c->run->quiet_waits > quiet)
        snprintf(out, size, "%llu instructions without any change of memory (--max-quiet)", quiet);
    else if (emu_idle_over(c))
        snprintf(out, size,
                 "%llu instructions in which no thread ended and nothing was reached that is new, neither code nor "
                 "memory (--max-idle)",
                 idle);
    else if (emu_busy_over(c))
        snprintf(
            out, size,
            "no thread ended in the time of %llu additions, and hardly any code or memory was reached for the first "
            "time (--max-busy)",
            busy);
    else
        return false;
    return true;
}
// SPDX-License-Identifier: Apache-2.0
