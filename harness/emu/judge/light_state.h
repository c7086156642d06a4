/* The light judge: whether a cluster that runs ahead of its turns, alone in its grid as far as it knows, leaves nothing
 * to report, by rules that are quicker to look at than those of the judge, and stricter. It never reports: where it has
 * a doubt, the run is put back, and the judge looks at all of it.
 *
 * What it goes by:
 * - A barrier for which all threads of the CTA wait orders what comes before it before all that comes after. So does
 *   bar.warp.sync of all threads of a warp, among these. What a barrier of some threads and an mbarrier order, clocks
 * of the threads know (light_clock.c). Nothing else orders anything.
 * - Of each four bytes it keeps one record of writes and one of reads: by whom, when, and whether a weak access is
 * among them. Accesses before the last barrier say nothing any more. Of those since, a record has the thread, or that
 * they are of several threads of one warp, or of several warps.
 * - What a cp.async writes is nobody's to access until its thread has waited for its group; then it counts as a write
 * of that thread. Or until a thread has waited for a phase of an mbarrier in which its thread's cp.async have arrived;
 * then it counts as a write of that mbarrier, which those know that have waited there. What it reads is nobody's to
 * write, for good.
 * - Other copies, what counts bytes, and the like are nothing that it knows: it doubts. A thread that launches a grid
 * has given the run up before.
 *
 * Clusters do not meet in global memory while they run ahead (machine/claims.h). */
#ifndef COPYCHECK_EMU_JUDGE_LIGHT_STATE_H
#define COPYCHECK_EMU_JUDGE_LIGHT_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/emu/machine/state.h"
#include "harness/emu/machine/watch.h"

enum { LIGHT_LINE = 128, LIGHT_CELL = 4, LIGHT_CELLS = LIGHT_LINE / LIGHT_CELL };
enum { LIGHT_PAGE = 4096, LIGHT_LINES = LIGHT_PAGE / LIGHT_LINE, LIGHT_VALUES = LIGHT_PAGE / 64 };
enum { LIGHT_NEAR = 64, LIGHT_SHARED_PAGES = 64, LIGHT_SAME = 16, LIGHT_KNOWN = 16 };

/* A record: 0, there is none; else from the lowest bit on who, four bits, and when. Who: a thread by its index in the
 * CTA; LIGHT_WARPS and a warp, of which there are several; LIGHT_BARS and an mbarrier; or several warps. A weak access
 * is among them, three bits: for other clusters; for other warps, unless there has been a barrier; for the warp whose
 * they are, unless its threads have met behind it. Among reads is one of what nobody is to write (ld.global.nc,
 * textures, sources of copies), which is never forgotten. */
enum { LIGHT_WHO = 2047, LIGHT_WARPS = 1024, LIGHT_BARS = 1056, LIGHT_MANY = 2047 };
/* mbarriers at which copies arrive; more are nothing that it knows. Sets of warps, which several are one of where
 * threads have clocks; beyond these there is but LIGHT_MANY. */
enum { LIGHT_BARS_MOST = 16, LIGHT_SETS = LIGHT_BARS + LIGHT_BARS_MOST, LIGHT_SETS_MOST = 512 };
enum { LIGHT_WEAK_OUT = 1 << 11, LIGHT_WEAK_FAR = 1 << 12, LIGHT_WEAK_NEAR = 1 << 13, LIGHT_WEAK = 7 << 11 };
enum { LIGHT_NC = 1 << 14, LIGHT_TIME_SHIFT = 15, LIGHT_TIME_MOST = (1 << (32 - LIGHT_TIME_SHIFT)) - 2 };

/* In place of a cell's record of writes: its bytes have records of their own, and that of reads says which. */
#define LIGHT_SPLIT UINT32_MAX
/* In place of a record of writes: a copy may write there at any time. No time and no thread is like it, so that whoever
 * comes races with it. */
#define LIGHT_FLYING (UINT32_MAX - 1)

struct light_line {
    uint32_t w[LIGHT_CELLS], r[LIGHT_CELLS];
};

/* A line of `all`: of each cell, whose records of writes and of reads it has: the number of the cluster plus 1; 0:
 * there are none; LIGHT_OF_MANY: they are of several, with a stamp in place of their time. */
#define LIGHT_OF_MANY UINT16_MAX
struct light_owned {
    struct light_line line;
    uint16_t w[LIGHT_CELLS], r[LIGHT_CELLS];
};

struct light_bytes {
    uint32_t w[LIGHT_CELL], r[LIGHT_CELL];
};

struct light_page {
    uint64_t number; /* address / LIGHT_PAGE; of shared memory, of the offset */
    bool all;        /* all of its bytes had a value before the launch, or nobody asks; else: */
    bool wrote;      /* some have been written since */
    struct light_line *lines[LIGHT_LINES];
    uint64_t written[LIGHT_VALUES]; /* which bytes have one, unless all have */
};

/* Memory for pages or lines, many at a time. */
struct light_store {
    struct light_chunk *chunks; /* the last one first */
    uint32_t left;              /* how many more it has room for */
};

/* The cp.async of a thread that it has not waited for, and that have not arrived at an mbarrier, from `first` on up to
 * `end`. */
struct light_copies {
    struct light_copy {
        uint64_t group;
        uint32_t to, size; /* in shared memory */
    } * of;
    size_t first, end, room;
    uint32_t issued; /* all that there were */
};

/* The cp.async that have arrived at an mbarrier, and that nobody has waited for there: `over` in phases that are over,
 * then others. */
struct light_arrivals {
    struct light_copy *of;
    size_t over, count, room;
    uint32_t expected; /* arrivals of the form .noinc that have been issued and are yet to come */
    uint32_t number;   /* of the mbarrier among those at which copies arrive, plus 1; 0: it is none of them */
};

struct light {
    struct emu_cluster *cluster; /* NULL: of `all` */
    struct emu_grid *grid;
    const struct ptx_module *module;
    bool doubts;                /* nothing is looked at any more */
    bool init;                  /* reads of what nobody wrote are looked for */
    uint32_t now, barrier;      /* time: it goes on at each barrier; when the last one was, as a record has it */
    uint32_t met[EMU_WARP];     /* by warp: when its threads last met, as a record has it */
    uint32_t touched[EMU_WARP]; /* by warp: the lanes that have accessed anything since the last barrier */
    struct light_same {         /* the last stores of cells, by these */
        uint64_t at, cell;      /* where all of it begins; number << 1, and 1 in shared memory */
        uint32_t by, warp;      /* instruction; PTX_NO: another access */
        uint32_t bytes;
    } same[LIGHT_SAME];
    struct light_known { /* instructions, by their numbers */
        const struct ptx_instruction *of;
        bool strong, read_only, exchanges;
        bool wide, tells; /* strong for all threads of the grid; an atomic that somebody may learn the result of */
        bool looks, acquires, releases; /* its read may be part of an acquire pattern; it acquires, releases itself */
    } known[LIGHT_KNOWN];
    const struct order_prior *before; /* what the launch before has accessed, which may still be at work; or NULL */
    uint32_t waited[EMU_WARP];        /* by warp: the lanes that know that it is not */
    bool waits;                       /* some do */
    const uint8_t *loads;        /* of each instruction, whether it reads what nobody is to write; NULL: none does */
    struct light_clock **clocks; /* what threads know of one another, by thread; NULL: nothing */
    uint32_t released[EMU_WARP]; /* by warp: lanes that have released something at this time */
    struct light_clock *arrived[EMU_BARRIERS]; /* what those that did not wait have released to a barrier of the CTA */
    uint32_t uses[EMU_BARRIERS], partly; /* how many of its uses all know to be over; those of some threads, bits */
    uint32_t used[EMU_WARP];             /* by warp: lanes that have used an mbarrier behind that */
    bool ends;                           /* the program ends mbarriers: that is followed, and */
    struct light_marks *marks;           /* what orders it; NULL: nothing does */
    struct light_sets *sets;             /* of warps; NULL: there was none yet */
    struct light_bar *bars;              /* mbarriers */
    uint32_t bars_of_copies;             /* at which copies arrive */
    struct light_page *near[LIGHT_NEAR]; /* of global memory, by number */
    struct light_page *shared[LIGHT_SHARED_PAGES];
    struct light_page **slots; /* of global memory, hashed by number: */
    uint32_t count, room;
    struct light_store pages, lines;
    struct light_copies *copies;       /* by thread; NULL: there was none yet */
    struct light *global;              /* whose pages of global memory and split cells count: its own, or: */
    struct light_all *all;             /* where clusters take turns, what it has of all of them; else NULL */
    uint16_t me;                       /* there: the number of the cluster in the grid, plus 1 */
    bool owned;                        /* of `all`: each line says of which clusters its records are */
    struct light_of_thread *threads;   /* there: what threads know of other clusters; NULL: nothing */
    struct light_past *past;           /* there: what all threads of the cluster know; NULL: nothing */
    uint32_t stamp, floor;             /* there: see light_turns.c */
    struct light_past *fenced, *shown; /* there: what came before the last barrier behind fences of all threads; and */
    uint32_t fenced_before, fenced_stamp; /* of itself; what a fence.sc by any of its threads makes known to that */
    uint32_t unfenced[EMU_WARP];          /* by warp: lanes that have accessed anything since their last fence.sc */
    struct light_bytes *bytes;            /* of cells that are split */
    size_t byte_count, byte_room;
    uint64_t taken; /* bytes */
};

/* The line of these bytes and its page; NULL: memory is short, and it doubts. */
struct light_line *light_line_far(struct light *l, bool shared, uint64_t at, struct light_page **page);
static inline struct light_line *light_line_of(struct light *l, bool shared, uint64_t at, struct light_page **page)
{
    struct light_page *p =
        shared ? l->shared[at / LIGHT_PAGE % LIGHT_SHARED_PAGES] : l->global->near[at / LIGHT_PAGE % LIGHT_NEAR];
    struct light_line *line = p ? p->lines[at / LIGHT_LINE % LIGHT_LINES] : NULL;

    *page = p;
    return line && p->number == at / LIGHT_PAGE ? line : light_line_far(l, shared, at, page);
}
/* Records for each byte of a cell, which are what the cell's were. NULL: as above. */
struct light_bytes *light_split(struct light *l, bool shared, struct light_line *line, unsigned cell);
bool light_begin(struct light *l);
/* What it has seen written of global memory is told to the machine, if all of it is to count. */
void light_end(struct light *l, bool counts);
void light_keep(struct light *l); /* the same of what it has seen written, alone */
/* Time begins again: all records are from before the last barrier. */
void light_rebase(struct light *l);

/* How memory is accessed. */
struct light_access {
    bool shared, writes, strong, nc;
    bool reads_old; /* a write that makes the new value of what is there */
};

/* What is done to a cell. */
struct light_step {
    uint32_t who, flags; /* of the new record */
    bool writes, same;
    bool shared;
    uint64_t line; /* where the line begins */
};

/* ---- clusters that take turns: light_turns.c --------------------------------------------------------------------- */

/* What clusters of a grid have in common; NULL: memory is short. */
struct light_all *light_all_new(struct emu_grid *g);
void light_all_keep(struct light_all *all);
void light_all_free(struct light_all *all);
struct light *light_all_global(struct light_all *all);
/* An access of a cell that may have records of others. True: all are this cluster's now; false: it has been noted, or
 * there is a doubt. */
bool light_meets(struct light *l, struct light_line *line, unsigned c, const struct light_step *x);
/* A strong access of global memory, which has been looked at. */
void light_flag(struct light *l, const struct emu_thread *t, const struct light_known *k, uint64_t at, uint64_t n,
                enum emu_access access);
void light_fence(struct light *l, const struct emu_thread *t, const struct ptx_instruction *i);
/* All threads of the CTA have met. */
void light_passes(struct light *l);
void light_past_free(struct light *l);

/* ---- accesses ---------------------------------------------------------------------------------------------------- */

/* `who` accesses bytes; `same`: it stores what another lane of its warp has stored there by the same instruction. */
void light_touch(struct light *l, struct light_access how, uint64_t at, uint64_t n, uint32_t who, bool same);
/* Lanes of a warp, whose first thread is `first`, access by a pattern. */
void light_pattern(struct light *l, const struct emu_pattern *of, uint32_t first, bool nc);

/* Whether all of a line of global memory has been read as what nobody is to write. `all`: it is to be, where all of it
 * had a value before. */
bool light_fetched(struct light *l, uint64_t line, uint32_t who, bool all);

/* What bytes of shared memory have of writes becomes this. */
void light_written(struct light *l, uint64_t at, uint64_t n, uint32_t record);

/* A cp.async is issued; the thread waits for all but the `pending` newest of its groups; whether it has waited for all
 * of its copies. light_copies.c */
void light_copy(struct light *l, const struct emu_thread *t, const struct emu_flight *f);
void light_copies_wait(struct light *l, struct emu_thread *t, uint64_t pending);
/* A cp.async.mbarrier.arrive is issued; it arrives. */
void light_copies_arrive(const struct light *l, const struct emu_thread *t, struct emu_flight *f,
                         struct light_arrivals *a);
void light_copies_arrived(struct light *l, const struct emu_thread *t, const struct emu_flight *f,
                          struct light_arrivals *a);
/* A thread waits for those of phases that are over: what they have written has this record from now on. */
void light_arrivals_seen(struct light *l, struct light_arrivals *a, uint32_t record);
bool light_copies_over(const struct light *l);
void light_copies_free(struct light *l);

/* These lanes access global memory: where the launch before may still be at work, that is compared. */
void light_early(struct light *l, uint32_t warp, uint32_t lanes, uint64_t at, uint64_t n, bool writes);

/* ---- some threads of a CTA: light_clock.c ----------------------------------------------------------------------- */

/* Of several warps, of which those of a record are some: what a record says in their place; which warps these are. */
uint32_t light_set_of(struct light *l, uint32_t by, uint32_t who);
uint32_t light_set_warps(const struct light *l, uint32_t who);
/* Whether a thread's clock, or those of all threads of a warp, know a record's accesses. There are clocks. */
bool light_knows(const struct light *l, uint32_t record, uint32_t who);
/* Whether all threads of a warp have the same clock. */
bool light_knows_alike(const struct light *l, uint32_t warp);
void light_tick(struct light *l); /* time goes on */
/* A thread comes to a barrier that has a count; it is complete, and not all threads of the CTA wait there. */
void light_bar_arrive(struct light *l, const struct emu_thread *t, uint64_t number);
void light_bar_complete(struct light *l, const struct emu_cta *cta, uint64_t number);
void light_clocks_meet(struct light *l, struct emu_thread *const *threads, uint32_t count); /* all of a warp have met */
void light_clocks_pass(struct light *l, const struct emu_cta *cta, uint64_t number); /* all have waited at a barrier */
void light_clocks_free(struct light *l);
/* What of copies arrives at an mbarrier of the thread's CTA. NULL: it is none that the thread may use; it doubts. */
struct light_arrivals *light_arrivals_of(struct light *l, const struct emu_thread *t, uint64_t offset);
/* The same of an mbarrier; NULL: it is none. */
struct light_arrivals *light_arrivals_at(const struct emu_mbarrier *m);
/* Who waits there, or has learned of who did, knows of all that its copies have written up to now. */
void light_arrivals_told(struct light *l, const struct emu_mbarrier *m);
/* Whether somebody has waited for all of them. */
bool light_arrivals_over(const struct light *l);
/* Operations of an mbarrier: as in watch.h; a wait that has come true. */
void light_mbarrier_init(struct light *l, const struct emu_thread *t, struct emu_mbarrier *m, bool broken);
void light_mbarrier_use(struct light *l, const struct emu_thread *t, const struct emu_mbarrier *m);
void light_mbarrier_arrive(struct light *l, const struct emu_thread *t, const struct emu_mbarrier *m,
                           struct emu_strength how);
void light_mbarrier_inval(struct light *l, const struct emu_thread *t, const struct emu_mbarrier *m);
void light_mbarrier_phase(struct light *l, const struct emu_mbarrier *m);
void light_mbarrier_wait(struct light *l, const struct emu_thread *t, const struct emu_mbarrier *m,
                         struct emu_strength how);

/* All threads of a warp converge; a fence; a strong access of shared memory: light_marks.c. Only atomics tell anything
 * there. `forget`: all of it is known to all threads. */
void light_marks_converge(struct light *l, uint32_t warp);
void light_marks_fence(struct light *l, const struct emu_thread *t, const struct ptx_instruction *i);
void light_marks_access(struct light *l, const struct emu_thread *t, const struct light_known *k, uint64_t at,
                        uint64_t n, enum emu_access access);
/* Something else is written there. There are marks. */
void light_marks_write(struct light *l, uint64_t at, uint64_t n);
void light_marks_forget(struct light *l);
void light_marks_free(struct light *l);

/* Whether a thread waits for this use of a barrier of its CTA; one that only arrives does not. */
static inline bool light_waits_at(const struct emu_thread *t, uint64_t number)
{
    return t->at_barrier == number + 1 && t->barrier_generation == t->cta->barriers[number].generation + 1;
}

/* Lanes of a warp access something. */
static inline void light_note_lanes(struct light *l, uint32_t warp, uint32_t lanes)
{
    if (l->released[warp] & lanes)
        light_tick(l);
    l->touched[warp] |= lanes;
    l->unfenced[warp] |= lanes;
}

/* The thread accesses something. */
static inline void light_note(struct light *l, const struct emu_thread *t)
{
    light_note_lanes(l, t->warp, 1u << t->lane);
}

/* There may be something to report: the run is put back. */
void light_doubt(struct light *l);

#endif
// SPDX-License-Identifier: Apache-2.0
