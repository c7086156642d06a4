/* The data of the order checker. All files of the judge may include it, and nobody else.
 *
 * The checker follows the happens-before order of docs/order.md with vector clocks. Its words:
 *
 * component   a number that only grows. A thread has four: how far its program has come (its epoch, counted up at each
 *             release), how many of its cp.async are known to be complete, how many of its bulk operations, and of how
 *             many bulk operations the source has been read. An mbarrier has one: its completed phases. To know a
 * number is to know all lower ones, because groups and phases complete in order; so no copy needs a clock. clock the
 * components of one cluster, as a vector of numbers. past        what is known of all clusters: the clock of the own
 * cluster, and those of other clusters. known       a past, and what a thread knows of its own four components, which
 * change too often for a shared clock. view        what a thread knows in one respect (generic proxy, async proxy,
 * ...). An access is ordered before what a thread does now if the thread's view reaches the access's component and
 * number. loose       not held to the rules of memory: what a thread would know if memory orders and scopes did not
 * matter. It never decides whether there is a finding, only which rule the finding names. object      what threads
 * synchronise through: a barrier, an mbarrier, a location of memory. release     what releases of one CTA at one scope
 * have put into an object. acquired    the result of the acquire before, kept with a release because the next one is
 * often the same. flight      a copy, from its issue on. record      an access, as the shadow keeps it; span: several
 * accesses that are alike. shadow      for each byte of memory who wrote it last and who has read it since: pages of
 * lines of spans. key         an address in the shadow: of a byte of shared memory order_shared_key, else the address
 * itself. verdict     which rule two accesses break that are not ordered: verdict.c. tick        a number that grows
 * with each issue of a copy and each wait of the cluster, to tell which came first. */
#ifndef COPYCHECK_EMU_JUDGE_STATE_H
#define COPYCHECK_EMU_JUDGE_STATE_H

#include "harness/emu/machine/state.h"

enum order_own { OWN_NOW, OWN_CP, OWN_BULK, OWN_READ, OWN_COUNT };

/* What a thread knows, in different respects. */
enum order_view {
    VIEW_GENERIC,      /* happens before what it does in the generic proxy */
    VIEW_SHARED,       /* what does so in shared memory alone: fences with .sync_restrict passed it on */
    VIEW_ASYNC_SHARED, /* of that, what a proxy fence made known to the async proxy, in shared memory */
    VIEW_ASYNC_GLOBAL, /* the same in global memory */
    VIEW_MAP,          /* the same to the tensormap proxy: who acquires an address sees it there */
    VIEW_INIT,         /* mbarriers whose init fence.mbarrier_init published */
    VIEW_LOOSE,        /* what it would know if memory orders and scopes did not matter: for better messages only */
    VIEW_COUNT
};

/* Of one cluster's components. */
struct order_clock {
    uint32_t refs, n;
    uint32_t v[];
};

/* What is known of the clusters of the grid, in the order of their numbers. */
struct order_world {
    uint32_t refs, n, room;
    struct order_foreign {
        uint32_t cluster;
        struct order_clock *clock;
    } of[];
};

/* Both may be shared with other threads: never changed in place then. An entry of the own cluster in `world` says
 * nothing that `here` does not. */
struct order_past {
    struct order_clock *here;
    struct order_world *world;
};

struct order_known {
    struct order_past past;
    uint32_t own[OWN_COUNT];
};

/* More mbarriers than this in a cluster are not followed: what they complete counts as known. */
enum { FOLLOWED_BARS = 1024 };

enum order_sem { SEM_WEAK, SEM_RELAXED, SEM_ACQUIRE, SEM_RELEASE, SEM_ACQ_REL };

/* The grid's threads are those of one device: .gpu and .sys are alike. */
enum order_scope { SCOPE_CTA, SCOPE_CLUSTER, SCOPE_GRID };

/* What releases have put into a synchronisation object, apart by the releasing CTA and the scope. */
struct order_part {
    uint32_t cta;      /* number in the grid; of a loose part, number of the cluster */
    uint32_t taken_by; /* cluster of the acquire before */
    enum order_scope scope;
    bool loose, taken; /* taken: there are results of acquires */
    struct order_past clock[VIEW_COUNT];
    struct order_past merged[VIEW_COUNT];               /* the past that was merged last: not again */
    struct order_past from[VIEW_COUNT], to[VIEW_COUNT]; /* the acquire before: the next with that past has its result */
};

struct order_sync {
    struct order_part *parts;
    uint32_t n, room;
    struct order_part *grid;     /* of a global location: releases at gpu scope, of all clusters */
    bool flag, global;           /* a location of memory that holds values; of global memory */
    const struct ck_rule *loose; /* why what came in did not count */
};

struct order_bar {
    uint64_t key;
    uint32_t component, phases; /* PTX_NO: not followed */
    bool used;
    uint32_t init_thread, init_epoch, init_at;
    bool init_known;
    struct order_sync now, done;
};

/* An access, as the shadow keeps it: of a thread at an epoch, or of a copy. */
enum { RECORD_FLIGHT = 1u << 31 };
enum {
    RECORD_WRITE = 1,
    RECORD_STRONG = 2,
    RECORD_ATOMIC = 4,
    RECORD_WIDE = 8, /* with a scope beyond the CTA; beyond the cluster: */
    RECORD_GRID = 16,
    RECORD_SAME = 32,
    RECORD_MAP = 64 /* a tensor map that a copy uses, in the tensormap proxy */
};

struct order_record {
    uint32_t who;   /* number of the thread in the grid, or RECORD_FLIGHT and the number of the copy */
    uint32_t epoch; /* of a thread; of a copy that writes: 1 and the number of the copy that wrote there before, or 0 */
    uint32_t at;    /* instruction, by its place in the module */
    uint8_t kind;
};

/* Accesses as the shadow keeps them: alike but for who made them. Threads next to one another access bytes next to one
 * another, or all the same bytes, so that one span stands for a warp's or a CTA's. */
struct order_span {
    uint32_t who, epoch, at; /* as in a record */
    uint8_t kind;
    uint8_t first, last;  /* bytes of the line */
    uint8_t origin, unit; /* each `unit` bytes from `origin` on are another's; 0: all bytes belong to all */
    uint8_t none[3];      /* no padding: spans are compared as words */
    int16_t step;         /* from one's number to the next one's */
    uint16_t more;        /* without a unit: how many of the next numbers accessed the same bytes */
};

struct order_list {
    uint16_t n, room; /* spans; room of `more` */
    struct order_span own[2], *more;
};

/* LINE bytes of memory. Where too many spans meet, its cells of four bytes have a list each. */
enum { LINE_BITS = 7, LINE = 1 << LINE_BITS, CELL = 4, LINE_CELLS = LINE / CELL, PAGE_BITS = 12 };
enum { PAGE_LINES = (1 << PAGE_BITS) / LINE, NEAR_PAGES = 16 };

struct order_line {
    struct order_list list, *cells; /* cells: instead of the list, or NULL */
    uint64_t written[LINE / 64];    /* bytes that anyone has written */
};

struct order_page {
    uint64_t key;
    struct order_line lines[PAGE_LINES];
};

struct order_pages {
    struct order_page **slots; /* hashed */
    uint32_t count, room;
};

/* A copy, from its issue on. */
enum order_copy { COPY_CP_ASYNC, COPY_BULK_GROUP, COPY_BULK_BAR };

struct order_flight {
    enum order_copy kind;
    bool tensor, ended, generic; /* ended: it has signalled; generic: of that proxy */
    uint32_t cluster;            /* its number; the thread's is in the cluster */
    uint32_t thread, epoch, at, sequence, group, tick;
    uint8_t swizzle; /* of a tensor copy, its map's; what it touches of shared memory: */
    uint32_t tile, tile_bytes;
    uint16_t into;       /* ranks of the CTAs whose shared memory it writes */
    uint8_t from;        /* 1 and the rank of the CTA whose shared memory it reads, or 0 */
    uint32_t bar, phase; /* component and phase that it signalled */
    uint32_t bar_count;  /* further ones of a multicast */
    uint32_t *bars;      /* pairs */
    uint32_t map;        /* operations of the thread's bulk groups up to the reading of its tensor map */
};

struct order_groups {
    uint32_t issued, open;                  /* operations; groups committed */
    uint32_t *behind;                       /* of each committed group: operations issued before its commit */
    uint32_t room, waited;                  /* tick of the last wait */
    uint32_t wait_at, wait_open, wait_left; /* of it: instruction, groups committed by then, how many it leaves */
};

struct order_thread {
    uint32_t number; /* in the grid */
    struct order_known view[VIEW_COUNT];
    struct order_past (*fenced)[VIEW_COUNT]; /* what release fences of each scope or a wider one knew; NULL: none */
    struct order_past (
        *pending)[VIEW_COUNT]; /* what relaxed reads saw, by the scope that the acquire fence must have */
    uint32_t map_narrow;       /* place of its last tensormap release at .cta scope */
    bool pending_any[SCOPE_GRID + 1];
    struct order_groups groups[2];   /* cp.async, bulk */
    const struct ck_rule *loose;     /* why its loose view is more than its generic one */
    uint32_t bulk_epoch, bar_waited; /* epoch of its last bulk copy with an mbarrier; tick of its last mbarrier wait */
    uint32_t slept;                  /* tick of its last nanosleep */
    bool vain;                       /* its last mbarrier wait came back false */
    bool arrived;                    /* its last release was an mbarrier arrive */
};

/* The locations that threads synchronise through, by address. */
struct order_flags {
    struct order_flag {
        uint64_t key;
        struct order_sync sync;
    } * of; /* hashed */
    uint32_t count, room;
};

enum { FLIGHT_CHUNK = 64 };

/* What the clusters of a grid share: grid.c. One host thread at a time works on it. */
struct order_grid {
    struct emu_grid *grid;
    struct order_pages pages; /* of global memory */
    uint32_t page_limit;
    bool forgot;                  /* pages were given up for the sake of memory: every byte counts as written */
    struct order_flags flags;     /* in global memory */
    struct order_flight **chunks; /* of FLIGHT_CHUNK flights; NULL: forgotten, they count as known */
    uint32_t chunk_count, chunk_room, kept;
    struct order *resident;
};

struct order {
    struct emu_cluster *cluster;
    struct order_grid *grid;
    struct order *next; /* resident in the grid */
    const struct ptx_module *module;
    uint32_t number;     /* of the cluster in the grid */
    uint32_t base, cta0; /* numbers of its first thread and CTA in the grid */
    uint32_t threads, components, tick, per_cta;
    uint32_t waiter[2], waited[2]; /* the last wait for groups, cp.async or bulk: by whom, at which tick */
    struct order_thread *thread;
    uint32_t *chunks; /* of the grid's flights, those that are this cluster's */
    uint32_t flight_count, chunk_room;
    struct order_bar *bars;
    uint32_t bar_count, bar_room, *bar_slot; /* hashed by key */
    struct order_sync *cta_barriers;         /* EMU_BARRIERS of each CTA, collecting and complete */
    struct order_sync cluster_now, cluster_done;
    struct order_flags flags;            /* in shared memory */
    struct order_pages pages;            /* of shared memory */
    struct order_page *near[NEAR_PAGES]; /* touched before, by a hash */
    struct order_acquire *acquires;      /* of tensor maps: map.c */
    uint32_t acquire_count;
    struct order_peer *peers;  /* by CTA and thread: peer.c */
    struct order_tiles *tiles; /* NULL: not asked for */
    uint8_t *decoded;          /* of each instruction: its memory order and scope */
    bool init;                 /* reads of what nobody wrote are reported */
    bool failed;               /* out of memory: judges nothing any more */
};

/* Where a clock of one cluster belongs to none: all are in `world`. */
#define ORDER_NO_HOME UINT32_MAX

/* The shadow's key of a byte of shared memory; of global memory it is the address. */
static inline uint64_t order_shared_key(const struct emu_cta *cta, uint64_t offset)
{
    return 1ull << 62 | (uint64_t)cta->rank << 32 | offset;
}

static inline bool order_is_shared(uint64_t key)
{
    return key >> 62 & 1;
}

/* An access that is being judged. */
struct order_access {
    struct order *o;
    struct emu_thread *t;
    uint32_t flight, thread;
    struct order_record now;   /* it itself */
    bool async;                /* in the async proxy */
    struct order_record known; /* what was found ordered last, so many with that step: lines are often alike */
    uint32_t known_count;
    int known_step;
    struct order_list before, after; /* a whole line's, when it was accessed last; before.n == 0: none */
    uint64_t key, n;                 /* all of it, for the message */
    bool reported;
    uint32_t *laid; /* of a tile store or reduction reading shared memory: what order_swizzle_meet found; else NULL */
};

#endif
