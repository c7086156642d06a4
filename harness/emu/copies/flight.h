/* Copies in flight: from the instruction that issues one to its landing. Copies and the watchers include it. */
#ifndef COPYCHECK_EMU_COPIES_FLIGHT_H
#define COPYCHECK_EMU_COPIES_FLIGHT_H

#include "harness/emu/copies/tile.h"
#include "harness/emu/machine/state.h"

/* A run of bytes that is copied: from where to where. */
enum emu_flight_kind {
    EMU_COPY,   /* bytes from one place to another */
    EMU_REDUCE, /* bytes combined into global or shared memory */
    EMU_TENSOR_LOAD,
    EMU_TENSOR_STORE,
    EMU_ARRIVE, /* cp.async.mbarrier.arrive: arrives when the thread's earlier cp.async have completed */
    EMU_WGMMA,  /* a warp's part of a wgmma, which `land` carries out; the thread is its lane 0 */
};

enum emu_group { EMU_NO_GROUP, EMU_CP_ASYNC_GROUP, EMU_BULK_GROUP, EMU_WGMMA_GROUP, EMU_GROUPS };

struct emu_flight {
    struct emu_flight *next;  /* in the order of issue */
    struct emu_flight **here; /* what points to this one in that list */
    enum emu_flight_kind kind;
    struct emu_thread *thread;
    const struct ptx_instruction *at;
    enum emu_group group;
    uint64_t group_number; /* of the thread's groups of this kind */
    bool read;             /* the source has been read: its bytes are in `bytes` */
    bool landing;          /* it lands now */
    uint64_t size;         /* of the source; of a tensor copy, bytes signalled */
    uint64_t copied;       /* of them, what cp.async takes from the source; the rest is zeros */
    /* places: a CTA and an offset for shared memory, an address for global */
    struct emu_cta *from_cta;
    uint64_t from;
    struct emu_cta *to_cta;
    uint64_t to;
    uint16_t multicast;      /* ranks that receive it, 0: to_cta alone */
    struct emu_cta *bar_cta; /* of the mbarrier that it signals, NULL: none */
    uint64_t bar;
    uint16_t op, type;                  /* of a reduction */
    struct emu_tile tile;               /* of a tensor copy */
    bool value;                         /* st.async or red.async: from registers, in the generic proxy */
    void (*land)(struct emu_flight *f); /* of EMU_WGMMA */
    uint32_t order;                     /* its number in the judge, the judge's own */
    unsigned char *bytes;               /* what was read */
    uint64_t room;                      /* bytes that `bytes` has room for */
};

struct emu_flights {
    struct emu_flight *first, **last;
    struct emu_flight *spare; /* the last one that ended, for the next one; or NULL */
    uint32_t n;
    struct emu_map_kept *maps; /* what map_object.c keeps of the maps that they read; or NULL */
};

void emu_async_begin(struct emu_cluster *c);
void emu_async_free(struct emu_cluster *c); /* also after a fault */

/* The cluster's copies in flight; NULL where memory ran out. */
static inline struct emu_flights *emu_flights_of(const struct emu_cluster *c)
{
    return c->flights;
}

/* Whether the copy writes shared memory of this CTA: one of its multicast, or the only one. Not for stores and
 * reductions of tiles, whose to_cta is where they read. */
static inline bool emu_flight_reaches(const struct emu_flight *f, const struct emu_cta *cta)
{
    return f->multicast ? f->multicast >> cta->rank & 1 : f->to_cta == cta;
}
/* Whether it signals an mbarrier of this CTA: at the same offset in each CTA of a multicast. */
static inline bool emu_flight_signals(const struct emu_flight *f, const struct emu_cta *cta)
{
    return f->bar_cta && (f->multicast ? f->multicast >> cta->rank & 1 : f->bar_cta == cta);
}

/* A new copy of this thread and its current instruction; ends the grid where memory runs out. */
struct emu_flight *emu_fly(struct emu_thread *t, const struct emu_op *op, enum emu_flight_kind kind);
/* All its fields are set: tells the watcher. */
void emu_flight_issued(struct emu_flight *f);
/* Makes f->bytes hold n bytes; ends the grid where memory runs out. */
void emu_flight_hold(struct emu_flight *f, uint64_t n);
/* It has landed: takes it off the cluster's list. Its memory is the next copy's. */
void emu_flight_end(struct emu_flight *f);

/* The number of the thread's group of this kind that collects copies now. Groups with lower numbers are committed. */
uint64_t emu_groups_open(struct emu_thread *t, enum emu_group kind);
void emu_groups_commit(struct emu_thread *t, enum emu_group kind);

#endif
// SPDX-License-Identifier: Apache-2.0
