/* What the files of the order checker share: clocks, views, records of accesses.
 *
 * A clock is a vector of components. A thread has four: how far its program came (epochs, counted up at each release),
 * how many of its cp.async are known complete, how many bulk operations of its groups, and of how many the source has
 * been read. An mbarrier has one: the phases that are known complete. All grow, and whoever knows a number knows all
 * that is below it: groups complete in order, and so do phases. That is why completion needs no clock of its own for
 * each copy.
 *
 * An access is ordered before what a thread does now if the thread's view reaches the access's component and number. */
#ifndef COPYCHECK_EMU_ORDER_H
#define COPYCHECK_EMU_ORDER_H

#include "harness/emu/copies/flight.h"
#include "harness/emu/copies/mbarrier_objects.h"
#include "harness/emu/machine/watch.h"

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

/* What the clusters of a grid share: order_grid.c. One host thread at a time works on it. */
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
    struct order_acquire *acquires;      /* of tensor maps: order_map.c */
    uint32_t acquire_count;
    struct order_peer *peers;  /* by CTA and thread: order_peer.c */
    struct order_tiles *tiles; /* NULL: not asked for */
    uint8_t *decoded;          /* of each instruction: its memory order and scope */
    bool init;                 /* reads of what nobody wrote are reported */
    bool failed;               /* out of memory: judges nothing any more */
};

/* The events of machine/watch.h. Those about a thread return at once where the order checker is off. */
void order_grid_begin(struct emu_grid *g);
void order_grid_end(struct emu_grid *g);
void order_cluster_begin(struct emu_cluster *c);
void order_cluster_end(struct emu_cluster *c, bool done);
void order_memory(struct emu_thread *t, uint16_t space, struct emu_cta *cta, uint64_t address, uint64_t n,
                  enum emu_access access);
/* These two also tell the lives of mbarriers (lives.h), for the sake of speed. */
void order_load(struct emu_thread *t, uint32_t at, struct emu_cta *cta, uint64_t address, unsigned n);
void order_store(struct emu_thread *t, uint32_t at, struct emu_cta *cta, uint64_t address, unsigned n,
                 enum emu_access access);
void order_meet(struct emu_thread *const *threads, uint32_t count);
void order_converge(struct emu_thread *const *threads, uint32_t count);
void order_bar_arrive(struct emu_thread *t, uint64_t number);
void order_bar_complete(struct emu_thread *t, uint64_t number);
void order_bar_wait(struct emu_thread *t, uint64_t number);
void order_cluster_arrive(struct emu_thread *t, bool relaxed);
void order_cluster_complete(struct emu_cluster *c);
void order_cluster_wait(struct emu_thread *t);
void order_slept(struct emu_thread *t);
void order_fence_by(struct emu_thread *t, const struct ptx_instruction *i);
void order_fence_init(struct emu_thread *t);
void order_proxy_fence(struct emu_thread *t, const struct ptx_instruction *i, uint64_t address);
void order_map_prefetch(struct emu_thread *t, uint64_t address);
void order_mbarrier_init(struct emu_thread *t, const struct emu_mbarrier *m);
void order_mbarrier_arrive(struct emu_thread *t, const struct emu_mbarrier *m, struct emu_strength how);
void order_mbarrier_expect(struct emu_thread *t, const struct emu_mbarrier *m);
void order_mbarrier_phase(struct emu_thread *t, const struct emu_mbarrier *m);
void order_mbarrier_wait(struct emu_thread *t, const struct emu_mbarrier *m, bool done, struct emu_strength how);
void order_copy_issued(struct emu_flight *f);
void order_map_use(struct emu_flight *f, uint64_t address);
void order_copy_signals(struct emu_flight *f, struct emu_cta *cta, uint64_t offset);
void order_group_commit(struct emu_thread *t, bool bulk);
void order_group_wait(struct emu_thread *t, const struct emu_group_wait *wait);

/* How far a thread has come in its program, 0 where nothing is checked; whether this thread knows, by whatever means,
 * that another one has come so far. */
uint32_t order_epoch(const struct emu_thread *t);
bool order_knows(const struct emu_thread *t, const struct emu_thread *other, uint32_t epoch);

/* order.c */
struct order *order_of(const struct emu_thread *t);
uint32_t order_number(const struct order *o, const struct emu_thread *t);
uint32_t order_component(const struct order *o, uint32_t thread, enum order_own own);
uint32_t order_known(const struct order *o, uint32_t thread, enum order_view view, uint32_t component);

/* order_clock.c: what is known, passed on. `home` is the cluster whose clock stands in `here`, or ORDER_NO_HOME where
 * all stand in `world`. */
#define ORDER_NO_HOME UINT32_MAX
void order_past_clear(struct order_past *p);
void order_past_change(struct order_past *at, const struct order_past *p);
void order_past_join(struct order *o, struct order_past *to, uint32_t home, const struct order_past *from,
                     uint32_t from_home);
void order_past_raise(struct order *o, struct order_past *to, uint32_t home, uint32_t component, uint32_t value);
/* The same of all of a thread's components, to what it knows of itself. */
void order_past_raise_own(struct order *o, struct order_past *to, uint32_t home, uint32_t thread, const uint32_t own[]);
uint32_t order_past_value(const struct order_past *p, uint32_t home, uint32_t cluster, uint32_t component);
static inline bool order_past_same(const struct order_past *a, const struct order_past *b)
{
    return a->here == b->here && a->world == b->world;
}
/* Most pasts of an object are empty, and stay so: three of a thread's views hold something only behind a fence. */
static inline bool order_past_empty(const struct order_past *p)
{
    return !p->here && !p->world;
}
static inline void order_past_drop(struct order_past *p)
{
    if (!order_past_empty(p))
        order_past_clear(p);
}
static inline void order_past_set(struct order_past *at, const struct order_past *p)
{
    if (!order_past_same(at, p))
        order_past_change(at, p);
}
static inline void order_past_merge(struct order *o, struct order_past *to, uint32_t home,
                                    const struct order_past *from, uint32_t from_home)
{
    if (!order_past_empty(from))
        order_past_join(o, to, home, from, from_home);
}

/* order_grid.c */
struct order_flight *order_flight_new(struct order *o, uint32_t *number);
struct order_flight *order_flight_at(const struct order *o, uint32_t number); /* NULL: forgotten */
struct order_flight *order_flight_mine(const struct order *o, uint32_t i);    /* the cluster's i-th */
struct order_sync *order_flag(struct order *o, struct order_flags *flags, uint64_t key, bool make);
void order_flags_free(struct order_flags *flags);
void order_flights_end(struct order *o);
/* What this thread of the cluster knows of a thread of the grid, by its number there. */
uint32_t order_known_of(const struct order *o, uint32_t thread, enum order_view view, uint32_t who, enum order_own own);

/* order_sync.c */
void order_release_to(struct order *o, struct order_sync *s, uint32_t thread, bool relaxed, enum order_scope scope,
                      const struct ck_rule *loose);
void order_acquire_loose(struct order *o, struct order_sync *s, uint32_t thread, const struct ck_rule *loose);
void order_acquire_from(struct order *o, struct order_sync *s, uint32_t thread, bool relaxed, enum order_scope scope,
                        const struct ck_rule *loose);
void order_raise(struct order *o, struct order_sync *s, uint32_t cta, uint32_t component, uint32_t value);
void order_release_loose(struct order *o, struct order_sync *s, uint32_t thread, const struct ck_rule *why);
void order_release_init(struct order *o, struct order_sync *s, uint32_t thread);
void order_sync_move(struct order *o, struct order_sync *from, struct order_sync *to);
void order_fence_view(struct order *o, uint32_t thread, enum order_view view);
void order_sync_free(struct order_sync *s);
void order_fence(struct order *o, uint32_t thread, enum order_sem sem, enum order_scope scope, bool restricted);
void order_step(struct order_thread *t); /* what it does next has not been published */
void order_thread_free(struct order_thread *t);

/* order_shadow.c: an access of shared (key: order_shared_key) or global memory. */
static inline uint64_t order_shared_key(const struct emu_cta *cta, uint64_t offset)
{
    return 1ull << 62 | (uint64_t)cta->rank << 32 | offset;
}
void order_touch(struct order *o, struct emu_thread *t, uint32_t flight, uint64_t key, uint64_t n, uint8_t kind);
/* The same, of an access whose record is known. */
void order_touch_as(struct order *o, struct emu_thread *t, uint32_t flight, const struct order_record *now,
                    uint64_t key, uint64_t n);
struct order_page *order_page_of(struct order *o, uint64_t key); /* made if it is not there; NULL: out of memory */
static inline unsigned order_near_of(uint64_t key)
{
    return (unsigned)(key >> PAGE_BITS ^ key >> 59) % NEAR_PAGES;
}
static inline struct order_line *order_line_of(struct order *o, uint64_t key)
{
    struct order_page *p = o->near[order_near_of(key)];

    if (!p || p->key != key >> PAGE_BITS)
        p = order_page_of(o, key);
    return p ? &p->lines[key % (1 << PAGE_BITS) / LINE] : NULL;
}
bool order_flight_known(const struct order *o, const struct order_flight *f, uint32_t thread, enum order_view view,
                        bool wrote);
void order_pages_free(struct order_pages *p);

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
/* Of `count` accesses that are alike, by r->who, r->who + step ...: how many, from the first on, are ordered before x.
 */
uint32_t order_ordered(const struct order_access *x, const struct order_record *r, int step, uint32_t count);
bool order_both_strong(const struct order_access *x, const struct order_record *r);
bool order_same_store(const struct order_access *x, const struct order_record *r);
void order_conflict_at(struct order_access *x, const struct order_record *r, uint32_t before);

/* order_line.c: judges an access of bytes first to last of a line, and keeps it. */
void order_line_access(struct order_access *x, struct order_line *line, unsigned first, unsigned last);
/* The same of all bytes of so many lines. */
void order_lines_access(struct order_access *x, struct order_line *line, unsigned count);
void order_line_write(struct order_line *line, unsigned first, unsigned last);         /* they have a value */
bool order_line_written(const struct order_line *line, unsigned first, unsigned last); /* by anyone, all of them */
/* Tells the writes of these bytes that are kept: accesses that are alike, as in order_ordered, and their bytes. */
typedef void order_tell(void *context, const struct order_record *r, int step, uint32_t count, unsigned first,
                        unsigned last);
void order_line_writes(struct order_line *line, unsigned first, unsigned last, order_tell *tell, void *context);
void order_line_free(struct order_line *line);

/* order_map.c: thread `thread` of the cluster acquires the tensor map at a global address, with the scope's word. */
void order_map_acquire(struct order *o, uint32_t thread, uint64_t address, uint16_t scope);
void order_maps_free(struct order *o);

/* order_find.c */
struct order_conflict {
    struct emu_thread *t; /* who accesses now */
    uint32_t flight;      /* by which copy, PTX_NO: itself */
    uint8_t kind;
    const struct order_record *r; /* the access before */
    uint32_t before;              /* 1 and the number of a copy that had written there earlier, or 0 */
    uint64_t key, bytes;
};
void order_report(struct order *o, const struct order_conflict *c);
void order_report_unwritten(struct order *o, struct emu_thread *t, uint64_t key, uint64_t bytes);
void order_report_init(struct order *o, struct emu_thread *t, const struct order_bar *b, uint64_t offset);
/* Where an instruction (its place in the module) of a thread of the grid, or of the cluster, accesses what. */
void order_place(const struct order *o, uint32_t who, uint32_t at, uint64_t key, uint64_t bytes, struct emu_place *out);
void order_place_of(const struct order *o, uint32_t thread, uint32_t at, uint64_t key, uint64_t bytes,
                    struct emu_place *out);

/* order_group.c: the groups of a copy's thread, in words; whether its last wait came behind the copy's commit and left
 * the copy in flight, and which wait would not have. */
void order_group_table(const struct order *o, const struct order_flight *f, char *out, size_t size);
bool order_group_left(const struct order *o, const struct order_flight *f);
void order_group_remedy(const struct order *o, const struct order_flight *f, char *out, size_t size);

/* order_swizzle.c: a tile store or reduction reads what a copy wrote: 1 and the number of the copy goes into *x->laid
 * if that is a tile load by another swizzle; told of at the end of the access. */
void order_swizzle_meet(const struct order_access *x, uint32_t writer);
void order_swizzle_report(struct order *o, struct emu_thread *t, const struct order_flight *reader,
                          const struct order_flight *writer);

/* order_tiles.c, with options.check_swizzle: tile loads and what overwrites them, and reads of them by threads; what
 * they look like when the cluster has ended. `address` is an offset in the CTA's shared memory. */
struct order_tiles *order_tiles_new(void);
void order_tiles_copy(struct order *o, const struct order_flight *f, uint64_t address, uint64_t n);
void order_tiles_access(struct order *o, const struct emu_thread *t, const struct emu_cta *cta, uint64_t address,
                        uint64_t n, bool writes);
void order_tiles_end(struct order *o);
void order_tiles_free(struct order_tiles *tiles);

/* order_exit.c: copies that nobody waited for, when a cluster has ended. */
void order_check_exit(struct order *o);

/* order_peer.c: a thread accesses the shared memory of another CTA; what of that was not over when its CTA ended. */
void order_peer_access(struct order *o, uint32_t thread, uint32_t at, uint32_t rank, bool mbarrier);
void order_check_peers(struct order *o);

static inline bool order_is_shared(uint64_t key)
{
    return key >> 62 & 1;
}

#endif
