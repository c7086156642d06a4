/* The data of the order checker. All files of the judge may include it, and nobody else.
 *
 * The checker follows the happens-before order of docs/order.md with vector clocks. Its words:
 *
 * - component: a number that only grows. A thread has four: how far its program has come (its epoch, counted up at
 *   each release), how many of its cp.async are known to be complete, how many of its bulk operations, and of how
 *   many bulk operations the source has been read. An mbarrier has one: its completed phases; and so has a CTA's
 * barrier with a thread count. To know a number is to know all lower ones, because groups and phases complete in order;
 * so no copy needs a clock.
 * - clock: the components of one cluster, as a vector of numbers.
 * - past: what is known of all clusters: the clock of the own cluster, and those of other clusters.
 * - pasts: a thread's pasts in all respects, one object that many threads share.
 * - known: a past, and what a thread knows of its own four components, which change too often for a shared clock.
 * - view: what a thread knows in one respect (generic proxy, async proxy, ...). An access is ordered before what a
 *   thread does now if the thread's view reaches the access's component and number.
 * - loose: what a thread would know if memory orders and scopes did not matter. It never decides whether there is a
 *   finding, only which rule the finding names.
 * - object: what threads synchronise through: a barrier, an mbarrier, a location of memory (a flag).
 * - release: what the releases of one CTA at one scope have put into an object.
 * - acquired: the results of the last acquires, kept with an object because the next acquire is often the same.
 * - flight: a copy, from its issue on.
 * - record, span: an access as the shadow keeps it; several accesses that are alike.
 * - shadow: for each byte of memory who wrote it last and who has read it since: pages of lines of spans.
 * - key: a byte's place in the shadow: of shared memory order_shared_key, of global memory the address.
 * - verdict: which rule two accesses break that are not ordered: verdict.c.
 * - tick: a number that grows with each issue of a copy and each wait in the cluster, to tell which came first. */
#ifndef COPYCHECK_EMU_JUDGE_STATE_H
#define COPYCHECK_EMU_JUDGE_STATE_H

#include "harness/emu/judge/table.h"
#include "harness/emu/machine/state.h"

/* The components of a thread: its epoch; cp.async known complete; bulk operations known complete; of how many of these
 * the source is known to have been read. */
enum order_own { OWN_NOW, OWN_CP, OWN_BULK, OWN_READ, OWN_COUNT };

/* What a thread knows, in different respects. The last ones are in use only where the program has a fence.sc: in loops,
 * v < o->views. */
enum order_view {
    VIEW_LOOSE,          /* what it would know if memory orders and scopes did not matter: for better messages only */
    VIEW_GENERIC,        /* happens before what it does in the generic proxy */
    VIEW_SHARED,         /* the same in shared memory alone: fences with .sync_restrict passed it on */
    VIEW_ASYNC_SHARED,   /* of that, what a proxy fence made known to the async proxy, in shared memory */
    VIEW_ASYNC_GLOBAL,   /* the same in global memory */
    VIEW_MAP,            /* the same to the tensormap proxy: a thread that acquires an address sees it there */
    VIEW_INIT,           /* mbarriers whose init fence.mbarrier_init published, executed by the thread of the init */
    VIEW_FENCED,         /* happens before a fence.sc of .gpu scope or wider that happens before now; */
    VIEW_FENCED_SHARED,  /* the same of VIEW_ASYNC_SHARED */
    VIEW_FENCED_GLOBAL,  /* and of VIEW_ASYNC_GLOBAL; */
    VIEW_FENCED_CLUSTER, /* of .cluster scope or wider, in the cluster; */
    VIEW_FENCED_CTA,     /* of any scope, in the CTA */
    VIEW_SHOWN,        /* happens before such a fence of a thread from whose later write a read before now read: the */
    VIEW_SHOWN_SHARED, /* next fence.sc comes after that one */
    VIEW_SHOWN_GLOBAL,
    VIEW_SHOWN_CLUSTER,
    VIEW_SHOWN_CTA,
    VIEW_COUNT
};

/* The components of one cluster. refs: how many pasts share it. A long one that differs in few components from another
 * is kept as these alone: so what a thread has learnt of one other, or releases of itself, costs no copy of the rest.
 */
struct order_clock {
    struct order_clock *base; /* never changed, and has no base itself; NULL: v has all components */
    uint32_t refs, n;         /* n: components in v, whole blocks; of one with a base: pairs in v, */
    uint32_t v[];             /* each the place of a component and its number, which is greater than the base's */
};

/* What is known of clusters of the grid, in the order of their numbers. */
struct order_clusters {
    uint32_t refs, n, room;
    struct order_cluster_clock {
        uint32_t cluster;
        struct order_clock *clock;
    } of[];
};

/* Both may be shared with other threads, and are then never changed in place. An entry of the own cluster among the
 * other clusters says nothing that own_cluster does not. NULL: nothing is known. */
struct order_past {
    struct order_clock *own_cluster;
    struct order_clusters *other_clusters;
};

struct order_known {
    struct order_past past;
    uint32_t own[OWN_COUNT];
};

/* Of a thread, by view. Threads that have gone through the same barriers share one: it is changed in place by a thread
 * that has it alone, and is never NULL. */
struct order_pasts {
    uint32_t refs, n; /* n: views */
    struct order_past of[];
};

/* What a thread knows of its own components in one respect. */
struct order_self {
    uint32_t own[OWN_COUNT];
};

/* As many mbarriers of a cluster are followed; what others complete counts as known. */
enum { FOLLOWED_BARS = 1024 };

enum order_sem { SEM_WEAK, SEM_RELAXED, SEM_ACQUIRE, SEM_RELEASE, SEM_ACQ_REL, SEM_SC };

/* The grid's threads are those of one device: .gpu and .sys are alike. */
enum order_scope { SCOPE_CTA, SCOPE_CLUSTER, SCOPE_GRID };

/* What releases of one CTA at one scope have put into a synchronisation object. */
struct order_release {
    uint32_t cta; /* number in the grid; of a loose one, number of the cluster */
    enum order_scope scope;
    bool loose;
    /* The pasts of which the loose view was merged last, and need not be merged again; or all others; NULL: none. */
    struct order_pasts *merged_loose, *merged;
    struct order_past clock[VIEW_COUNT];
};

/* Acquires of an object turned the pasts `from` into `to`: the next acquire like them, by a thread that has `from`, has
 * the same result, as long as nothing is released to the object. */
enum { ACQUIRES = 4 };

struct order_acquired {
    uint32_t n, next; /* which one makes room, where n == ACQUIRES */
    struct order_result {
        uint32_t cta;                /* of the thread, by its number in the grid */
        enum order_scope scope;      /* of the acquire */
        bool only_loose;             /* it is one of the loose view alone */
        const struct ck_rule *loose; /* what it left as the thread's `loose`, or NULL */
        struct order_pasts *from, *to;
    } of[ACQUIRES];
};

/* What threads synchronise through. */
struct order_object {
    struct order_release *releases;
    uint32_t n, room, last, last_loose; /* last: which ones were looked for last */
    struct order_acquired *acquired;    /* NULL: none */
    struct order_release *grid;         /* of a global location: releases at gpu scope, of all clusters */
    struct order_shown *shown;          /* of a location: what its value shows of fences, fence_sc.c */
    uint32_t counter, count;     /* of an mbarrier: its component, and the phases that each wait makes known; 0: none */
    bool flag, global;           /* a location of memory that holds values; of global memory */
    const struct ck_rule *loose; /* why what was released to it did not count */
};

/* An arrival at the mbarrier of another CTA: thread of the cluster, instruction. */
struct order_remote {
    bool known, bare; /* bare: no scope is written */
    uint32_t thread, at;
};

/* Of what a thread has seen of an mbarrier: it has issued a copy since its last wait came true there. */
enum { SEEN_USED = 1u << 31 };

/* An mbarrier. */
struct order_bar {
    uint64_t key;
    uint32_t *seen;  /* by thread of the cluster: of how many phases a wait of its came true, and SEEN_USED; NULL: there
                        was none */
    bool bytes;      /* the phase that completed last had bytes to expect */
    uint32_t before; /* phases of objects that were there before */
    uint32_t component, phases; /* component PTX_NO: not followed */
    bool init_known;            /* its init was seen: by which thread, at which epoch and instruction */
    uint32_t init_thread, init_epoch, init_at;
    uint32_t init_phases;         /* phases that had completed by then, of the object before */
    struct order_expect *expects; /* what expect_tx announced in the current phase: expects.c */
    size_t expect_count, expect_room;
    uint64_t copied;                          /* bytes that copies have delivered in it */
    bool expecting;                           /* the bytes of the last one come next */
    struct order_object collecting, complete; /* releases of the current phase; of all phases before */
    struct order_remote remote[2]; /* the last one in the current phase, bare if any is; in the phase before */
};

/* An access, as the shadow keeps it: of a thread at an epoch, or of a copy. */
enum { RECORD_FLIGHT = 1u << 31 }; /* in `who` */
enum {
    RECORD_WRITE = 1,
    RECORD_STRONG = 2, /* PTX ISA, Strong Operations */
    RECORD_ATOMIC = 4,
    RECORD_WIDE = 8,  /* with a scope beyond the CTA */
    RECORD_GRID = 16, /* with a scope beyond the cluster */
    RECORD_SAME = 32, /* a store of the bytes that are there already */
    RECORD_MAP = 64,  /* a tensor map that a copy uses, in the tensormap proxy */
    RECORD_NC = 128   /* a read of what nobody writes, through a cache that is not coherent: ld.global.nc, ldu */
};

struct order_record {
    uint32_t who;   /* number of the thread in the grid, or RECORD_FLIGHT and the number of the copy */
    uint32_t epoch; /* of a thread; of a copy that writes: 1 and the number of the copy that wrote there before, or 0 */
    uint32_t at;    /* instruction, by its index in the module */
    uint8_t kind;
};

/* Accesses that differ only in who made them. Neighbouring threads access neighbouring bytes, or all the same bytes, or
 * rows of threads the same bytes again, so that one span stands for the accesses of a warp or a CTA. */
struct order_span {
    uint32_t who, epoch, at; /* as in a record */
    uint8_t kind;
    uint8_t first, last;  /* bytes of the line, both included */
    uint8_t origin, unit; /* each `unit` bytes from `origin` on are of another thread; 0: all accessed all bytes */
    uint8_t none[1];      /* in place of padding: spans are compared as words */
    int16_t step;         /* from the number of a thread to that of the next */
    uint16_t more;        /* how many others accessed the same bytes in the same way: copies, */
    int16_t stride;       /* with numbers that lie so far apart; 1 unless these are weak reads */
};

struct order_list {
    uint16_t n, room; /* spans; room of `more` */
    struct order_span own[2];
    uint16_t tail, tail_n;               /* of a long list with n == tail_n: how many of its last spans are reads */
    _Alignas(8) struct order_span *more; /* so that a list has whole words also where pointers have four bytes */
};

/* LINE bytes of memory. A page has 1 << PAGE_BITS bytes. Where too many spans meet, its cells of four bytes have a list
 * each. */
enum { LINE_BITS = 7, LINE = 1 << LINE_BITS, CELL = 4, LINE_CELLS = LINE / CELL, PAGE_BITS = 12 };
enum { PAGE_LINES = (1 << PAGE_BITS) / LINE, NEAR_PAGES = 64 };

/* Spans of a line before it is taken apart. */
enum { SPANS_OF_LINE = 6 };

/* The only access of a cell, by a thread: as a span. */
struct order_single {
    uint32_t who, epoch, at;
    uint8_t kind, first, last, none;
};

/* The first accesses of a line that go on with no pattern, each the only one of its cell: what the line's list would
 * have, or the lists of its cells, in a quarter of the room. singles.h */
struct order_singles {
    struct order_pages *pages;    /* whose memory this is */
    uint32_t open;                /* cells that may take their first access */
    uint32_t written;             /* cells whose bytes were written when the first singles came */
    uint32_t n, has;              /* how many have been accessed, or more than a list would have; as long as it is no */
    uint8_t order[SPANS_OF_LINE]; /* more, which, and the same in the order of the list */
    struct order_single of[LINE_CELLS];
};

struct order_line {
    struct order_list list;
    union {
        struct order_list *cells;      /* LINE_CELLS lists in place of the one, or NULL; */
        struct order_singles *singles; /* or these, where list.room is LIST_OF_SINGLES */
    };
    uint64_t written[LINE / 64]; /* bytes that anyone has written */
};
enum { LIST_OF_SINGLES = UINT16_MAX };

/* Copies access whole pages. As long as nothing else does, the lines of a page are alike: the first one's list stands
 * for all, and nobody looks at those of the others before order_page_open. */
struct order_page {
    uint64_t key, open; /* key >> PAGE_BITS; the same, or of a page whose lines are alike PAGE_ALIKE */
    bool written;       /* of such a page: all of its bytes are written, whatever its lines say */
    struct order_line lines[PAGE_LINES];
};

#define PAGE_ALIKE UINT64_MAX

/* Memory for what lines have beside their lists, all of one kind: cells.c */
struct order_memory {
    struct order_piece *pieces;
    struct order_unused *dropped; /* of that, what no line has any more */
};

struct order_pages {
    struct order_table table; /* of struct order_page */
    struct order_memory cells, singles;
};

/* How a copy completes: cp.async, in a group or with an mbarrier; a bulk copy in a group; a bulk copy with an mbarrier;
 * what a warp's group of wgmma reads: `bar` is a component that counts the warp's complete groups. */
enum order_copy { COPY_CP_ASYNC, COPY_BULK_GROUP, COPY_BULK_BAR, COPY_WGMMA };

/* A copy, from its issue on. */
struct order_flight {
    enum order_copy kind;
    bool tensor, ended, generic; /* ended: it has signalled; generic: of the generic proxy */
    uint32_t cluster, thread;    /* who issued it: number of the cluster in the grid, of the thread in the cluster */
    uint32_t epoch, at, tick;    /* the thread's epoch, the instruction, and the tick of its issue */
    bool again;                  /* that wait was for a phase behind which the thread had issued a copy already, */
    uint32_t again_at;           /* and this was its instruction */
    uint64_t after;           /* the mbarrier at which the thread had last waited, where that was for threads; or 0 */
    uint64_t apart;           /* of a cp.async that fills nothing with zeros: from its source to its destination */
    bool whole;               /* it is one */
    uint32_t sequence, group; /* from 1: of the thread's copies of its kind; from 0: of its groups */
    uint8_t swizzle;          /* of a tensor copy: its map's; what the tile takes of shared memory, in bytes: */
    uint32_t tile, tile_bytes;
    uint16_t into;       /* ranks of the CTAs whose shared memory it writes */
    uint8_t from;        /* 1 and the rank of the CTA whose shared memory it reads, or 0 */
    uint16_t signals;    /* ranks of the CTAs in which it will signal an mbarrier, */
    uint64_t bar_offset; /* which lies there */
    uint32_t issued_in;  /* by its issue, the complete phases of the only one; PTX_NO: it signals none, or several */
    uint32_t bar, phase; /* component and phase that it signalled */
    uint32_t bar_count;  /* further ones of a multicast, */
    uint32_t *bars;      /* as pairs */
    uint32_t map;        /* operations of the thread's bulk groups up to the reading of its tensor map */
};

/* A wait of a thread for its groups of one kind. */
struct order_wait {
    uint32_t tick, epoch, at; /* when; the thread's epoch then; the instruction */
    uint32_t open, left;      /* how many groups were committed by then; how many of them it leaves in flight */
    uint32_t asked;           /* the number of the instruction, up to UINT32_MAX */
    bool read;                /* wait_group.read */
    bool rest;                /* operations were issued that no commit had put into a group */
};

/* A warp's groups of wgmma. */
struct order_products {
    uint32_t open;        /* groups that it has committed */
    uint32_t waited_at;   /* 1 and the instruction of its last wgmma.wait_group, 0: none; */
    uint32_t waited_open; /* groups that were committed by then */
};

/* As many waits of a thread are remembered: the last one that another thread knows of is seldom older. */
enum { WAITS = 4 };

/* A release operation of a thread on a location: what it knew then. Its later strong writes there pass that on again.
 */
struct order_head {
    uint64_t key;   /* of the location; */
    uint32_t drops; /* its number of drops when it last took this in */
    enum order_scope scope;
    struct order_pasts *pasts;
    struct order_self self[VIEW_COUNT];
};

/* As many locations are remembered that a thread released to; and that it looked at with relaxed reads. */
enum { HEADS = 32, LOOKS = 8 };

struct order_heads {
    struct order_head *of;
    uint32_t n, room, oldest; /* oldest: which one makes room for the next, where n == HEADS */
};

struct order_look {
    uint64_t key;   /* 0: none; */
    uint32_t drops; /* the location's number of drops then */
};

/* As many locations are remembered at which a thread has looked. */
enum { POLLS = 8 };

/* A read that has taken in all that the location shows: the same read of it takes in nothing more before it changes. */
struct order_poll {
    uint64_t stamp;              /* of the location then; 0: none; */
    uint8_t how;                 /* how it was read, and */
    const struct ck_rule *loose; /* what the read left as the thread's `loose`, or NULL */
};

/* What the thread's loose view was when it heeded the releases of a location that do not count yet: idle.c. */
struct order_heed {
    uint64_t key; /* 0: none */
    struct order_past past;
};

/* What a thread has seen of the locations through which threads synchronise. */
struct order_looked {
    struct order_look looks[LOOKS];
    uint32_t look;   /* which one was noted last */
    bool looks_lost; /* more locations than that were looked at */
    uint64_t unread; /* where an atomic read last whose result is dropped; 0: nowhere, or before a fence */
    struct order_poll polls[POLLS]; /* by the location's address, */
    struct order_heed heeds[POLLS]; /* and so are these */
};

/* The groups of a thread, of one kind. */
struct order_groups {
    uint32_t issued, open;  /* copies issued; groups committed */
    uint32_t *behind, room; /* of each committed group: how many copies were issued before its commit */
    uint32_t waited;        /* tick of the last wait, 0: none */
    uint32_t waits;         /* how many there were; number i is wait[i % WAITS] */
    struct order_wait wait[WAITS];
};

/* In place of both kinds of a thread that has had none: nobody writes to them. */
extern struct order_groups order_no_groups[2];

struct order_thread {
    uint32_t number; /* in the grid */
    struct order_pasts *pasts;
    struct order_self *view; /* of each view, in the cluster's selves */
    uint32_t fences;         /* bits of the views after VIEW_GENERIC in which it may know anything of itself */
    /* By scope: what release fences of this scope or a wider one knew; NULL: there was none. */
    struct order_past (*fenced)[VIEW_COUNT];
    /* By the scope that an acquire fence must have: what relaxed reads saw, and whether they saw anything. */
    struct order_past (*pending)[VIEW_COUNT];
    struct order_groups *groups; /* two: of cp.async; of bulk copies. order_no_groups: none yet */
    struct order_looked *looked; /* NULL: nothing yet */
    struct order_heads heads[2]; /* of global, of shared memory: flag.c */
    bool pending_any[SCOPE_GRID + 1];
    uint32_t map_narrow; /* epoch of its last tensormap release at .cta scope */
    uint32_t map_async;  /* and of its last fence.proxy.async, which maps do not heed */
    /* Its last fence of ordinary accesses, and its last fence.proxy.async; NULL: there was none. */
    const struct ptx_instruction *memory_fence, *proxy_fence;
    const struct ck_rule *loose; /* why its loose view knows more than its generic one */
    uint32_t bulk_epoch;         /* epoch of its last bulk copy with an mbarrier */
    uint32_t bar_waited, slept;  /* ticks of its last mbarrier wait that came true, and of its last nanosleep */
    bool vain;                   /* its last mbarrier wait came back false */
    uint32_t tied;               /* tick of its last cp.async.mbarrier.arrive, */
    uint64_t tied_key;           /* the mbarrier, */
    bool tied_noinc;             /* and whether it is one with .noinc */
    bool arrived;                /* its last release was an mbarrier arrive */
    uint64_t arrived_key;        /* the mbarrier at which it has arrived last, and */
    uint32_t ahead[2];           /* from which epoch to which it then ran ahead: its wait came true for an old phase */
    uint32_t cluster_arrivals;   /* at the cluster's barrier, up to now */
    uint32_t cluster_from[2];    /* the instructions of the last two of these, by the lowest bit of their number, */
    uint32_t cluster_to[2];      /* and of the waits behind them; PTX_NO: not yet */
    uint64_t bar_key;            /* of the mbarrier of that wait, */
    uint32_t bar_before;         /* its phases of objects before, */
    uint32_t bar_at, bar_epoch;  /* its instruction, the epoch of the thread then, */
    bool bar_stale;              /* and that it came true for a phase which the thread had seen complete before */
    bool bar_bytes;              /* that phase had bytes to expect */
    bool bar_again;              /* the same, and the thread had waited for that phase: it is none before the first */
    bool bar_used;               /* it is for a phase behind which the thread has issued a copy already */
    bool init_fenced;            /* it has executed fence.mbarrier_init */
    uint32_t taken, taken_epoch; /* 1 and the copy that came last, in order, into what it had read, 0: none; and when it
                                    had read that */
    uint32_t met;                /* its epoch behind the last barrier of its warp */
};

/* Four bytes of memory that threads synchronise through: flag.c. */
struct order_flag {
    uint64_t key;
    struct order_object object; /* what a read of them may acquire */
    uint64_t stamp;             /* another one after each change of what can be acquired here */
    uint32_t drops;             /* how often a write has put its own releases in place of all before */
    uint32_t writer;            /* of the last strong write: its thread's number in the grid, or PTX_NO, */
    enum order_scope scope;     /* and its scope */
    bool written;               /* there is such a write, and it wrote all four bytes */
    bool sole;                  /* all that is released there was by the writer */
    bool acquired;              /* a thread has acquired all that is released there, and no other has written since: */
    uint32_t acquirer;          /* its number in the grid */
    bool keeps;                 /* nothing is dropped any more */
    struct order_idle *idle;    /* releases that do not count yet: idle.c; NULL: none */
};

/* These locations, by address. */
struct order_flags {
    struct order_flag *of; /* hashed by key */
    uint32_t count, room;
};

enum { FLIGHT_CHUNK = 64 };

/* What the clusters of a grid share. One host thread at a time works on it. */
/* What a module has of instructions that the checker looks out for. Its image keeps it: a program may launch very
 * often, and a module have many instructions. */
struct order_module {
    const uint8_t *loads;      /* of each instruction, RECORD_NC or 0; NULL: all are 0 */
    bool fence_sc, releases;   /* there is a fence.sc; a griddepcontrol.launch_dependents */
    bool ends;                 /* an mbarrier.inval */
    _Atomic uint8_t decoded[]; /* of each instruction: its memory order and scope; 0: not asked yet */
};

struct order_grid {
    struct emu_grid *grid;
    struct order_pages pages;     /* of global memory */
    uint64_t bytes, most;         /* that these take, and may take */
    bool full;                    /* they take more: given up with the next page that is looked for */
    struct order_module *of;      /* its module's */
    const uint8_t *loads;         /* that one's */
    bool forgot;                  /* pages were given up to save memory: every byte counts as written */
    struct order_flags flags;     /* in global memory */
    uint64_t stamp;               /* the last one that a location got, in shared memory too */
    struct order_flight **chunks; /* of FLIGHT_CHUNK flights; NULL: forgotten, and counted as known */
    uint32_t chunk_count, chunk_room, kept;
    struct order *resident;           /* the clusters that run now */
    struct order_replaced *replaced;  /* of global memory: replaced.c; NULL: none */
    struct order_launch *launches;    /* by its threads, of other grids: child.c; NULL: none */
    bool ahead;                       /* of one cluster that runs ahead */
    struct order_prior *trace;        /* for the launch behind: prior.c; the grid's own, and of its `ahead`; or NULL */
    const struct order_prior *before; /* of the launch before, which may still be at work; NULL: none is */
    uint32_t before_who;              /* the thread that stands for it, by its number in the grid; PTX_NO: none */
};

struct order {
    struct emu_cluster *cluster;
    struct order_grid *grid;
    struct order *next; /* of the grid's resident clusters */
    const struct ptx_module *module;
    uint32_t number;                             /* of the cluster in the grid */
    uint32_t base, cta0;                         /* numbers of its first thread and CTA in the grid */
    uint32_t threads, per_cta, components, tick; /* threads: of the cluster; per_cta: of each CTA */
    uint32_t waiter[2],
        waited[2]; /* the last wait for groups, of cp.async and of bulk copies: by whom, at which tick */
    int views;     /* VIEW_COUNT, or less where the program has no fence.sc */
    /* By view: the last fence that made what a thread knows known in that respect too, with which pasts it came and
     * went; NULL: none. */
    struct order_fenced {
        struct order_pasts *from, *to;
    } fenced[VIEW_COUNT], waited_prior; /* waited_prior: the same of griddepcontrol.wait */
    struct order_thread *thread;
    struct order_self *selves; /* `views` of each thread */
    uint32_t *chunks;          /* the cluster's flights, as numbers of chunks in the grid */
    uint32_t flight_count, chunk_room;
    struct order_bar *bars;
    uint32_t bar_count, bar_room, *bar_slot; /* hashed by key */
    uint32_t bar_last;                       /* the one that was asked for last */
    struct order_object *cta_barriers;       /* EMU_BARRIERS of each CTA, collecting and complete */
    uint32_t *barrier_uses; /* of each of them, its component, which counts its uses with a thread count; 0: none */
    struct order_object cluster_collecting, cluster_complete;
    struct order_flags flags;            /* in shared memory */
    struct order_pages pages;            /* of shared memory */
    struct order_page *near[NEAR_PAGES]; /* touched before, hashed by key: order_near_of */
    struct order_registers *registers;   /* by CTA and warp, NULL: no setmaxnreg: registers.c */
    struct order_wgmma *wgmma;           /* the same, NULL: no wgmma: wgmma.c */
    struct order_products *products;     /* of each warp of the cluster, where wgmma is */
    struct order_acquire *acquires;      /* of tensor maps: map.c */
    uint32_t acquire_count;
    struct order_peer *peers;        /* by CTA and thread: peer.c */
    struct order_tiles *tiles;       /* NULL: not asked for */
    struct order_replaced *replaced; /* of shared memory: replaced.c; NULL: none */
    uint32_t *uses;                  /* of each load: which of its elements are used; unused.c; NULL: not asked yet */
    bool begun;                      /* its threads have pasts */
    bool init;                       /* reads of what nobody wrote are reported */
    bool failed;                     /* out of memory: it judges nothing from now on */
};

/* In place of a cluster's number: the past is of no cluster, and all clocks are among its other_clusters. */
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
    struct order_record now;   /* the access itself */
    bool async;                /* in the async proxy */
    bool cached;               /* a read through the cache of textures, which writes do not keep up to date */
    struct order_record known; /* what was found to be ordered last, as in order_ordered: lines are often alike */
    uint32_t known_count;
    int known_step;
    struct order_list before, after; /* the list of the whole line before, as it was and became; before.n == 0: none */
    uint64_t key, n;                 /* all bytes of the access, for the message */
    bool reported;
    uint8_t replaced_first, replaced_last; /* of a line: compared with what is no longer there; last 0: none */
    uint32_t *laid; /* of a copy that reads a tile in shared memory: what order_swizzle_meet found; else NULL */
};

#endif
// SPDX-License-Identifier: Apache-2.0
