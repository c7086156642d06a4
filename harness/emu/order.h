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

#include "harness/emu/async.h"

enum order_own { OWN_NOW, OWN_CP, OWN_BULK, OWN_READ, OWN_COUNT };

/* What a thread knows, in different respects. */
enum order_view {
    VIEW_GENERIC,      /* happens before what it does in the generic proxy */
    VIEW_ASYNC_SHARED, /* of that, what a proxy fence made known to the async proxy, in shared memory */
    VIEW_ASYNC_GLOBAL, /* the same in global memory */
    VIEW_INIT,         /* mbarriers whose init fence.mbarrier_init published */
    VIEW_LOOSE,        /* what it would know if memory orders and scopes did not matter: for better messages only */
    VIEW_COUNT
};

struct order_clock {
    uint32_t refs, n;
    uint32_t v[];
};

struct order_known {
    struct order_clock *past; /* may be shared with other threads: never changed in place then */
    uint32_t own[OWN_COUNT];
};

/* More mbarriers than this in a cluster are not followed: what they complete counts as known. */
enum { FOLLOWED_BARS = 1024 };

enum order_sem { SEM_WEAK, SEM_RELAXED, SEM_ACQUIRE, SEM_RELEASE, SEM_ACQ_REL };

/* What releases have put into a synchronisation object, apart by the releasing CTA and by whether the scope was wider
 * than a CTA. */
struct order_part {
    uint32_t cta;
    bool wide, loose;
    struct order_clock *clock[VIEW_COUNT];
    struct order_clock *merged[VIEW_COUNT]; /* the past that was merged last: not again */
    struct order_clock *from[VIEW_COUNT],
        *to[VIEW_COUNT]; /* the acquire before: the next with that past has its result */
};

struct order_sync {
    struct order_part *parts;
    uint32_t n;
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
enum { RECORD_WRITE = 1, RECORD_STRONG = 2, RECORD_ATOMIC = 4, RECORD_WIDE = 8, RECORD_SAME = 16 };

struct order_record {
    uint32_t who;   /* number of the thread in the cluster, or RECORD_FLIGHT and the number of the copy */
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
    int16_t step;         /* from one's number to the next one's */
    uint16_t more;        /* without a unit: how many of the next numbers accessed the same bytes */
};

struct order_list {
    uint16_t n, room; /* spans; room of `more` */
    struct order_span own[2], *more;
};

/* LINE bytes of memory. Where too many spans meet, its cells of four bytes have a list each. */
enum { LINE_BITS = 7, LINE = 1 << LINE_BITS, CELL = 4, LINE_CELLS = LINE / CELL, PAGE_BITS = 12 };
enum { PAGE_LINES = (1 << PAGE_BITS) / LINE };

struct order_line {
    struct order_list list, *cells; /* cells: instead of the list, or NULL */
    uint64_t written[LINE / 64];    /* bytes that anyone has written */
};

struct order_page {
    uint64_t key;
    struct order_line lines[PAGE_LINES];
};

/* A copy, from its issue to the end of its cluster. */
enum order_copy { COPY_CP_ASYNC, COPY_BULK_GROUP, COPY_BULK_BAR };

struct order_flight {
    enum order_copy kind;
    bool tensor, ended; /* ended: it has signalled */
    uint32_t thread, epoch, at, sequence, group, tick;
    uint16_t into;       /* ranks of the CTAs whose shared memory it writes */
    uint8_t from;        /* 1 and the rank of the CTA whose shared memory it reads, or 0 */
    uint32_t bar, phase; /* component and phase that it signalled */
    uint32_t bar_count;  /* further ones of a multicast */
    uint32_t *bars;      /* pairs */
};

struct order_groups {
    uint32_t issued, open; /* operations; groups committed */
    uint32_t *behind;      /* of each committed group: operations issued before its commit */
    uint32_t room, waited; /* tick of the last wait */
    uint32_t wait_at, wait_open, wait_left; /* of it: instruction, groups committed by then, how many it leaves */
};

struct order_thread {
    struct order_known view[VIEW_COUNT];
    struct order_clock *fenced[VIEW_COUNT], *pending[VIEW_COUNT]; /* a release fence's knowledge; relaxed reads' */
    bool fenced_any, fenced_wide, pending_any;
    struct order_groups groups[2];   /* cp.async, bulk */
    const struct ck_rule *loose;     /* why its loose view is more than its generic one */
    uint32_t bulk_epoch, bar_waited; /* epoch of its last bulk copy with an mbarrier; tick of its last mbarrier wait */
    uint32_t slept;                  /* tick of its last nanosleep */
    bool arrived;                    /* its last release was an mbarrier arrive */
};

struct order {
    struct emu_cluster *cluster;
    const struct ptx_module *module;
    uint32_t threads, components, tick, per_cta;
    uint32_t waiter[2], waited[2]; /* the last wait for groups, cp.async or bulk: by whom, at which tick */
    struct order_thread *thread;
    struct order_flight *flights;
    uint32_t flight_count, flight_room;
    struct order_bar *bars;
    uint32_t bar_count, bar_room, *bar_slot; /* hashed by key */
    struct order_sync *cta_barriers;         /* EMU_BARRIERS of each CTA, collecting and complete */
    struct order_sync cluster_now, cluster_done;
    struct flag {
        uint64_t key;
        struct order_sync sync;
    } * flags;
    uint32_t flag_count, flag_room;
    struct order_page **pages; /* hashed */
    uint32_t page_count, page_room;
    struct order_page *last;
    uint8_t *decoded; /* of each instruction: its memory order and scope */
    bool failed;      /* out of memory: judges nothing any more */
};

/* order.c */
struct order *order_of(const struct emu_thread *t);
uint32_t order_number(const struct order *o, const struct emu_thread *t);
uint32_t order_component(const struct order *o, uint32_t thread, enum order_own own);
uint32_t order_known(const struct order *o, uint32_t thread, enum order_view view, uint32_t component);

/* order_sync.c */
void order_clock_drop(struct order_clock **c);
void order_release_to(struct order *o, struct order_sync *s, uint32_t thread, bool relaxed, bool wide,
                      const struct ck_rule *loose);
void order_acquire_from(struct order *o, struct order_sync *s, uint32_t thread, bool relaxed, bool wide,
                        const struct ck_rule *loose);
void order_raise(struct order *o, struct order_sync *s, uint32_t cta, uint32_t component, uint32_t value);
void order_release_loose(struct order *o, struct order_sync *s, uint32_t thread, const struct ck_rule *why);
void order_release_init(struct order *o, struct order_sync *s, uint32_t thread);
void order_sync_move(struct order *o, struct order_sync *from, struct order_sync *to);
void order_fence_view(struct order *o, uint32_t thread, enum order_view view);
void order_sync_free(struct order_sync *s);
void order_fence(struct order *o, uint32_t thread, enum order_sem sem, bool wide);

/* order_shadow.c: an access of shared (key: order_shared_key) or global memory. */
uint64_t order_shared_key(const struct emu_cta *cta, uint64_t offset);
void order_touch(struct order *o, struct emu_thread *t, uint32_t flight, uint64_t key, uint64_t n, uint8_t kind);
bool order_flight_known(const struct order *o, const struct order_flight *f, uint32_t thread, enum order_view view,
                        bool wrote);
void order_pages_free(struct order *o);

/* An access that is being judged. */
struct order_access {
    struct order *o;
    struct emu_thread *t;
    uint32_t flight, thread, who, epoch, at;
    bool async; /* in the async proxy */
    uint8_t kind;
    uint64_t key, n; /* all of it, for the message */
    bool reported;
};
/* Of `count` accesses that are alike, by r->who, r->who + step ...: how many, from the first on, are ordered before x.
 */
uint32_t order_ordered(const struct order_access *x, const struct order_record *r, int step, uint32_t count);
bool order_both_strong(const struct order_access *x, const struct order_record *r);
bool order_same_store(const struct order_access *x, const struct order_record *r);
void order_conflict_at(struct order_access *x, const struct order_record *r, uint32_t before);

/* order_line.c: judges an access of bytes first to last of a line, and keeps it. */
void order_line_access(struct order_access *x, struct order_line *line, unsigned first, unsigned last);
bool order_line_written(const struct order_line *line, unsigned first, unsigned last); /* by anyone, all of them */
void order_line_free(struct order_line *line);

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
/* Where a thread's instruction (its place in the module) accesses what. */
void order_place_of(const struct order *o, uint32_t thread, uint32_t at, uint64_t key, uint64_t bytes,
                    struct emu_place *out);

/* order_group.c: the groups of a copy's thread, in words; whether its last wait came behind the copy's commit and left
 * the copy in flight, and which wait would not have. */
void order_group_table(const struct order *o, const struct order_flight *f, char *out, size_t size);
bool order_group_left(const struct order *o, const struct order_flight *f);
void order_group_remedy(const struct order *o, const struct order_flight *f, char *out, size_t size);

/* order_exit.c: copies that nobody waited for, when a cluster has ended. */
void order_check_exit(struct order *o);

static inline bool order_is_shared(uint64_t key)
{
    return key >> 62 & 1;
}

#endif
