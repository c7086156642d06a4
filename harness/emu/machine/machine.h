/* Everything of the machine at once, and the calls of the order checker: until every file includes what it uses. */
#ifndef COPYCHECK_EMU_MACHINE_H
#define COPYCHECK_EMU_MACHINE_H

#include "expected/tensor_map.h"
#include "harness/emu/machine/address.h"
#include "harness/emu/machine/bytes.h"
#include "harness/emu/machine/code.h"
#include "harness/emu/machine/regions.h"
#include "harness/emu/machine/state.h"
#include "harness/emu/machine/thread.h"

/* Nobody goes on: files a finding with every waiter of this cluster. `others`: how many clusters wait beside it. */
void emu_deadlock(struct emu_cluster *c, size_t others);

emu_decode emu_decode_async;

/* ---- asynchronous operations: async.c -------------------------------------------------------------------------- */

void emu_async_begin(struct emu_cluster *c);
void emu_async_end(struct emu_cluster *c);  /* copies never waited for are diagnosed, then delivered */
void emu_async_free(struct emu_cluster *c); /* also after a fault */
/* Delivers what is in flight and may be delivered, as the options say: called when no thread of the cluster can go on
 * (late), after every step (random, eager). True if something was delivered. */
bool emu_async_deliver(struct emu_cluster *c, bool must);

/* Puts the object of a legal map into 128 bytes: equal maps make equal objects. tensormap.c */
void emu_map_encode(const struct tensor_map *map, void *object);

/* ---- order: order.c ---------------------------------------------------------------------------------------------
 * Told of every access and of everything that orders accesses; docs/order.md has the table of edges. All return at once
 * where options.check_order is off. */
void emu_order_grid_begin(struct emu_grid *g); /* before its first cluster; again where a grid is run again */
void emu_order_grid_end(struct emu_grid *g);   /* after its last */
void emu_order_begin(struct emu_cluster *c);
void emu_order_end(struct emu_cluster *c);
/* The thread's current instruction loads, stores, or changes n bytes; its memory order counts too. `address` is an
 * offset where there is a CTA. Told before the access takes place. */
void emu_order_access(struct emu_thread *t, uint16_t space, struct emu_cta *cta, uint64_t address, uint64_t n,
                      enum emu_access access);
/* The same for a weak access of 1, 2, 4 or 8 bytes, aligned to their number, of shared or global memory, where the
 * checker is on: the common case. `at` is the instruction's place in the module. order_line.c */
void emu_order_plain(struct emu_thread *t, uint32_t at, struct emu_cta *cta, uint64_t address, unsigned n,
                     enum emu_access access);
void emu_order_store(struct emu_thread *t, uint32_t at, struct emu_cta *cta, uint64_t address, unsigned n,
                     enum emu_access access); /* the same, of a store */
/* bar.warp.sync: all before happens before all after, for these threads. */
void emu_order_meet(struct emu_thread *const *threads, uint32_t count);
/* match.sync: the threads were there before any of them goes on, which orders no memory. */
void emu_order_converge(struct emu_thread *const *threads, uint32_t count);
/* A barrier of the CTA: a thread arrives; the barrier completes (t: any thread of the CTA); a thread goes on behind it.
 */
void emu_order_bar_arrive(struct emu_thread *t, uint64_t number);
void emu_order_bar_complete(struct emu_thread *t, uint64_t number);
void emu_order_bar_wait(struct emu_thread *t, uint64_t number);
/* The same of barrier.cluster. */
void emu_order_cluster_arrive(struct emu_thread *t, bool relaxed);
void emu_order_cluster_complete(struct emu_cluster *c);
void emu_order_cluster_wait(struct emu_thread *t);
/* fence, membar; fence.mbarrier_init; fence.proxy.*. */
void emu_order_fence(struct emu_thread *t, const struct ptx_instruction *i);
void emu_order_fence_init(struct emu_thread *t);
/* `address`: of an acquire fence of the tensormap proxy. */
void emu_order_proxy_fence(struct emu_thread *t, const struct ptx_instruction *i, uint64_t address);
/* prefetch.tensormap of a generic address. */
void emu_order_map_prefetch(struct emu_thread *t, uint64_t address);
/* An mbarrier: init; arrive or arrive_drop, before it takes effect; expect_tx; a phase has completed; test_wait or
 * try_wait came back. `wide`: a scope beyond the CTA. */
void emu_order_mbarrier_init(struct emu_thread *t, struct emu_cta *cta, uint64_t offset);
void emu_order_arrive(struct emu_thread *t, struct emu_cta *cta, uint64_t offset, bool relaxed, bool wide);
void emu_order_expect(struct emu_thread *t, struct emu_cta *cta, uint64_t offset);
void emu_order_phase(struct emu_thread *t, struct emu_cta *cta, uint64_t offset);
void emu_order_wait(struct emu_thread *t, struct emu_cta *cta, uint64_t offset, bool done, bool relaxed, bool wide);
/* A copy, or an arrival of cp.async.mbarrier.arrive, is issued, all its fields set; it signals an mbarrier, before that
 * counts it. */
struct emu_flight;
void emu_order_fly(struct emu_flight *f);
/* It uses the tensor map at this generic address; told behind emu_order_fly. */
void emu_order_map_use(struct emu_flight *f, uint64_t address);
void emu_order_signal(struct emu_flight *f, struct emu_cta *cta, uint64_t offset);
/* The place of a thread in its program now, 0 where nothing is checked; whether this thread knows that another one has
 * gone beyond such a place, by whatever means. */
uint32_t emu_order_now(const struct emu_thread *t);
bool emu_order_knows(const struct emu_thread *t, const struct emu_thread *other, uint32_t place);
/* nanosleep came back. */
void emu_order_slept(struct emu_thread *t);
/* Groups of cp.async or of bulk operations: a commit; a wait that leaves `pending` groups, for reads alone or all. */
void emu_order_commit(struct emu_thread *t, bool bulk);
void emu_order_group_wait(struct emu_thread *t, bool bulk, bool read, uint64_t pending);

#endif
