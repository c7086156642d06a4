/* The events of a run. A watcher is a struct of functions that are called as a launch goes on: the judge, which finds
 * broken rules, is one; a trace of a launch is another. The machine, the instructions, the copies and the scheduler
 * call them; none of these knows who watches.
 *
 * grid->watch is the watcher, cluster->watch the same while the cluster exists. NULL: nobody watches, and nothing is
 * asked. All functions of a watcher have to be there, because the machine calls them without a look, except those of
 * which cluster_begin says that they are not wanted, fetched, copy_read, copy_landed and child_launched. Where two
 * watch, grid->watch is emu_watch_both (watch_both.c), which passes each event to grid->both[0], then to grid->both[1];
 * these two may leave out any function.
 *
 * A watcher changes nothing of the machine, with three exceptions: it may set an mbarrier's m->state to NONE or LOST
 * where the object no longer counts, restore the bytes of one that an ordinary store overwrote (in mbarrier_use), and
 * put the message of a launch that is stuck into better words. Each watcher keeps what it knows where it likes; the
 * `order` pointers of grid, cluster, and thread, and `judged` of an mbarrier are the judge's own.
 *
 * In each event about a thread, t->pc[-1].source is the instruction that it executes, and t->landing, where it is not
 * NULL, the earlier one whose copy is carried out. Host threads run clusters of one grid at the same time where
 * options.jobs allows it: a watcher that puts events of several clusters in one order needs options.jobs == 1. */
#ifndef COPYCHECK_EMU_MACHINE_WATCH_H
#define COPYCHECK_EMU_MACHINE_WATCH_H

#include "harness/emu/machine/address.h"
#include "harness/emu/machine/pattern.h"
#include "harness/emu/machine/state.h"

/* A launch in which no thread can go on: the clusters that wait, and how many have not begun, for which there is no
 * room as long as these are resident. */
struct emu_standstill {
    struct emu_cluster *const *clusters;
    size_t count;
    uint64_t not_begun;
};

struct emu_flight;   /* a copy from its issue on: copies/flight.h */
struct emu_mbarrier; /* an mbarrier object: copies/mbarrier_objects.h */

/* In place of the number of a CTA's barrier: the barrier of the cluster. */
enum { EMU_CLUSTER_BARRIER = 1 << 20 };

/* An operation of an mbarrier as memory sees it: .relaxed; with a scope beyond the CTA; with no scope written, which is
 * the CTA by the text. */
struct emu_strength {
    bool relaxed, wide, bare;
};

/* What changes the counts of an mbarrier's phase: arrivals, bytes. */
enum emu_mbarrier_count { EMU_ARRIVED, EMU_EXPECTED, EMU_DELIVERED };

/* A wait for a thread's groups: of bulk copies, else of cp.async; only for the reading of their sources; how many of
 * the newest groups it leaves in flight. */
struct emu_group_wait {
    bool bulk, read;
    uint64_t pending;
};

struct emu_watch {
    /* What lanes of a warp access together may be told in any order, and several patterns may share lines. */
    bool any_order;

    /* Before the grid's first cluster, and again where the grid is run again from its start; after its last; and after
     * all grids that its threads launched, too. A cluster that runs ahead has a grid of its own, which does not have
     * the second of these. */
    void (*grid_begin)(struct emu_grid *g);
    void (*grid_ran)(struct emu_grid *g);
    void (*grid_end)(struct emu_grid *g);
    /* True: the watcher wants all events; false: only those of mbarriers, of copies, and of loads and stores in the
     * shared memory of CTAs in which there is, or was, an mbarrier. */
    bool (*cluster_begin)(struct emu_cluster *c);
    /* done: the cluster came to its end, and all its copies have landed; else a fault or a deadlock ended it. */
    void (*cluster_end)(struct emu_cluster *c, bool done);
    /* No thread of the grid can go on; what those that go round look at is noted (emu_around). The launch's message may
     * be replaced. */
    void (*stuck)(const struct emu_standstill *all, char *message, size_t size);

    /* The thread's instruction is about to load, store, or change n bytes of memory that threads share. Where there is
     * a CTA, `address` is an offset in its shared memory; else it is an address in `space`. */
    void (*access)(struct emu_thread *t, uint16_t space, struct emu_cta *cta, uint64_t address, uint64_t n,
                   enum emu_access access);
    /* The same for the common case, weak accesses of 1, 2, 4, 8 or 16 bytes, aligned to their number, of the CTA's own
     * shared or of global memory. `at`: the instruction, by its index in the module. */
    void (*load)(struct emu_thread *t, uint32_t at, struct emu_cta *cta, uint64_t address, unsigned n);
    void (*store)(struct emu_thread *t, uint32_t at, struct emu_cta *cta, uint64_t address, unsigned n,
                  enum emu_access access);

    /* Whether nothing need be told any more of what this thread's cluster fetches of a line of EMU_LINE bytes of global
     * memory; `texels`: all of them are texels of arrays, so that they may be taken as read at once. NULL: it is always
     * false. */
    bool (*fetched)(struct emu_thread *t, uint64_t line, bool texels);

    /* Lanes of a warp are about to have accessed n patterns, each lane all of its bytes before the next lane any: true
     * if that breaks no rule, and has been noted; false: nothing has, and they will access them one by one. No two
     * patterns share a line of EMU_LINE bytes, unless each lane has lines of its own. NULL: it is always false. */
    bool (*patterns)(struct emu_thread *lanes, const struct emu_pattern *of, uint32_t n);

    /* bar.warp.sync: all of these threads have arrived, and go on. */
    void (*meet)(struct emu_thread *const *threads, uint32_t count);
    /* match.sync: the same, but it orders no memory. */
    void (*converge)(struct emu_thread *const *threads, uint32_t count);
    /* A barrier of the thread's CTA, or EMU_CLUSTER_BARRIER: the thread arrives; the last arrival or exit (by any
     * thread) completes the barrier; the thread goes on after it. */
    void (*barrier_arrive)(struct emu_thread *t, uint64_t number, bool relaxed);
    void (*barrier_complete)(struct emu_thread *t, uint64_t number);
    void (*barrier_wait)(struct emu_thread *t, uint64_t number);
    /* The same of lanes of a warp, by the bits of `set`, one after the other, at a barrier of the CTA that all its
     * threads come to. Of a watcher that has `patterns`. */
    void (*barrier_arrive_lanes)(struct emu_thread *lanes, uint32_t set, uint64_t number);
    void (*barrier_wait_lanes)(struct emu_thread *lanes, uint32_t set, uint64_t number);
    void (*slept)(struct emu_thread *t); /* nanosleep came back */
    /* The thread has launched a grid, which begins when this one has ended. NULL where nobody asks. */
    void (*child_launched)(struct emu_thread *t, struct emu_child *child);
    void (*setmaxnreg)(struct emu_thread *t);
    /* griddepcontrol: .wait, else .launch_dependents. */
    void (*dependents)(struct emu_thread *t, bool wait);

    /* fence, membar; fence.mbarrier_init; fence.proxy.*, where an acquire of the tensormap proxy names an address;
     * prefetch.tensormap of a generic address. */
    void (*fence)(struct emu_thread *t, const struct ptx_instruction *i);
    void (*fence_init)(struct emu_thread *t);
    void (*proxy_fence)(struct emu_thread *t, const struct ptx_instruction *i, uint64_t address);
    void (*map_prefetch)(struct emu_thread *t, uint64_t address);

    /* An mbarrier. Before any operation but init: m->state afterwards says whether the operation goes on. Then, before
     * it takes effect: init (count: expected arrivals; broken: the rule that the count breaks, or NULL), inval, an
     * arrival, expect_tx. */
    void (*mbarrier_use)(struct emu_thread *t, struct emu_mbarrier *m);
    void (*mbarrier_init)(struct emu_thread *t, struct emu_mbarrier *m, uint32_t count, const struct ck_rule *broken);
    void (*mbarrier_inval)(struct emu_thread *t, struct emu_mbarrier *m);
    void (*mbarrier_arrive)(struct emu_thread *t, struct emu_mbarrier *m, struct emu_strength how);
    void (*mbarrier_expect)(struct emu_thread *t, struct emu_mbarrier *m);
    /* So many arrivals or bytes, not 0, are about to be counted: of any operation, or of a copy that lands. */
    void (*mbarrier_count)(struct emu_thread *t, struct emu_mbarrier *m, enum emu_mbarrier_count what, uint64_t amount);
    void (*mbarrier_phase)(struct emu_thread *t, struct emu_mbarrier *m); /* phase number m->phase has completed */
    /* test_wait or try_wait came back: true (done), false. */
    void (*mbarrier_wait)(struct emu_thread *t, struct emu_mbarrier *m, bool done, struct emu_strength how);

    /* A copy, or an arrival of cp.async.mbarrier.arrive, is issued, all its fields set; it uses the tensor map at this
     * generic address (after copy_issued); its source has been read; its bytes are at their destination; it signals an
     * mbarrier at an offset in a CTA, which has not counted that yet. t: the thread that issued it. */
    void (*copy_issued)(struct emu_thread *t, struct emu_flight *f);
    void (*copy_map)(struct emu_thread *t, struct emu_flight *f, uint64_t address);
    void (*copy_read)(struct emu_thread *t, struct emu_flight *f);
    void (*copy_landed)(struct emu_thread *t, struct emu_flight *f);
    void (*copy_signals)(struct emu_thread *t, struct emu_flight *f, struct emu_cta *cta, uint64_t offset);
    /* Groups of bulk copies, else of cp.async: a commit; a wait, before the copies that it waits for land. */
    void (*group_commit)(struct emu_thread *t, bool bulk);
    void (*group_wait)(struct emu_thread *t, const struct emu_group_wait *wait);

    /* wgmma, NULL where nobody asks. All lanes of a warp (EMU_WARP of them) execute a fence, a commit, a wait, before
     * what it waits for lands, or a product, whose flight is f. */
    void (*wgmma)(struct emu_thread *const *lanes, const struct emu_op *op, struct emu_flight *f);
    /* A warp's part of a product has landed: D has its result. t: lane 0. */
    void (*wgmma_landed)(struct emu_thread *t, struct emu_flight *f);
    /* The thread is about to access registers that products of its function use: op->touched. */
    void (*wgmma_registers)(struct emu_thread *t, const struct emu_op *op);
};

/* Passes each event to grid->both[0], then to grid->both[1]. */
extern const struct emu_watch emu_watch_both;

/* Who watches this thread's cluster; NULL: nobody. For events of mbarriers and copies. */
static inline const struct emu_watch *emu_watch_of(const struct emu_thread *t)
{
    return t->cta->cluster->watch;
}

/* Who wants to hear of all that happens in this thread's cluster; NULL: nobody. For all other events. */
static inline const struct emu_watch *emu_watch_all(const struct emu_thread *t)
{
    return t->cta->cluster->watched ? t->cta->cluster->watch : NULL;
}

/* Whether emu_watch_of wants to hear of the thread's loads and stores in this CTA's shared memory, or, without a CTA,
 * of global memory. */
static inline bool emu_watched(const struct emu_thread *t, const struct emu_cta *cta)
{
    return cta ? cta->watched : t->cta->cluster->watched;
}

#endif
// SPDX-License-Identifier: Apache-2.0
