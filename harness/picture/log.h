/* The events of a launch as the picture keeps them. Not for other folders. */
#ifndef COPYCHECK_PICTURE_LOG_H
#define COPYCHECK_PICTURE_LOG_H

#include "harness/base/notes.h"
#include "harness/picture/picture.h"

/* What an event is, and the numbers in its `of`, in this order. A place is a CTA by its number in the grid, or -1 minus
 * the number of a buffer, and an offset in bytes. An mbarrier is a place. PENDING and TX are the arrivals that the
 * phase still needs, and the bytes that are expected and not delivered, before the event. PICTURE_(NAME, what the page
 * calls it, how many numbers) */
#define PICTURE_EVENTS                                                                                                 \
    PICTURE_(ACCESS, "access", 4)     /* 0 read, 1 write, 2 atomic; place; bytes */                                    \
    PICTURE_(ISSUE, "issue", 14)      /* enum picture_issue; then the tile */                                          \
    PICTURE_(MAP, "map", 3)           /* copy; place of the tensor map */                                              \
    PICTURE_(READ, "source-read", 1)  /* copy */                                                                       \
    PICTURE_(LANDING, "landing", 1)   /* copy */                                                                       \
    PICTURE_(SIGNAL, "signal", 3)     /* copy; mbarrier */                                                             \
    PICTURE_(INIT, "init", 3)         /* mbarrier; arrivals of a phase */                                              \
    PICTURE_(INVAL, "inval", 2)       /* mbarrier */                                                                   \
    PICTURE_(ARRIVAL, "arrival", 6)   /* mbarrier; phase; arrivals; PENDING; TX */                                     \
    PICTURE_(EXPECT, "expect", 6)     /* mbarrier; phase; bytes; PENDING; TX */                                        \
    PICTURE_(DELIVERY, "delivery", 6) /* mbarrier; phase; bytes; PENDING; TX */                                        \
    PICTURE_(PHASE, "phase", 4)       /* mbarrier; the phase that has completed; arrivals of the next */               \
    PICTURE_(WAIT, "wait", 4)         /* mbarrier; current phase; 1 where the wait is over */                          \
    PICTURE_(GROUP, "group", 4)       /* 0 commit, 1 wait, 2 wait.read; as ISSUE_GROUP; groups that may stay in        \
                                         flight; the first of those, by its number */                                  \
    PICTURE_(FENCE, "fence", 1)       /* 0 memory, 1 mbarrier_init, 2 proxy, 3 wgmma */                                \
    PICTURE_(BARRIER, "barrier", 2)   /* 0 arrive, 1 complete, 2 go on; its number, -1 the cluster's */                \
    PICTURE_(MEET, "meet", 1)         /* threads */                                                                    \
    PICTURE_(FAULT, "fault", 0)       /* the instruction breaks a rule, and no other event is its own */               \
    PICTURE_(STUCK, "stuck", 0)                                                                                        \
    PICTURE_(EXIT, "cluster-end", 1) /* the CTA of rank 0 */                                                           \
    PICTURE_(GAP, "gap", 1)          /* events left out */                                                             \
    PICTURE_(END, "end", 0)

enum picture_kind {
#define PICTURE_(name, text, numbers) PICTURE_##name,
    PICTURE_EVENTS
#undef PICTURE_
        PICTURE_KINDS
};

/* The numbers of PICTURE_ISSUE. */
enum picture_issue {
    ISSUE_COPY, /* its number, from 1 */
    ISSUE_KIND, /* 0 copy, 1 reduction, 2 tensor load, 3 tensor store, 4 arrival, 5 store from registers, 6 product */
    ISSUE_FROM, /* place; offset -1: from no memory */
    ISSUE_FROM_OFFSET,
    ISSUE_TO, /* place; offset -1: to no single place */
    ISSUE_TO_OFFSET,
    ISSUE_BYTES, /* of the source; of a tensor copy, signalled ones */
    ISSUE_SPAN,  /* bytes of shared memory from the first to the last, of a tensor copy; else as ISSUE_BYTES */
    ISSUE_MULTICAST,
    ISSUE_GROUP, /* 0 none, 1 cp.async, 2 bulk, 3 wgmma */
    ISSUE_GROUP_NUMBER,
    ISSUE_BAR, /* mbarrier; offset -1: none */
    ISSUE_BAR_OFFSET,
    ISSUE_SWIZZLE, /* of a tensor copy; else 0 */
    ISSUE_NUMBERS
};

enum { PICTURE_BUFFER = 32, PICTURE_TILE = 96 };

struct picture_event {
    enum picture_kind kind;
    uint32_t at;     /* the instruction, by its index in the module, plus 1; 0: none */
    uint64_t step;   /* instructions that all threads together had executed */
    uint64_t thread; /* CTA number * threads of a CTA + its index in the CTA, plus 1; 0: none */
    int64_t of[ISSUE_NUMBERS];
    char tile[PICTURE_TILE]; /* of a tensor copy, in words; else "" */
};

/* A buffer of global memory, as the page names it. */
struct picture_buffer {
    uint64_t at;
    char name[PICTURE_BUFFER];
};

/* A variable in shared memory. */
struct picture_variable {
    const char *name;
    uint64_t offset, size;
};

/* A finding was filed: at which of the kept events. */
struct picture_filed {
    const struct ck_rule *rule;
    const struct ptx_instruction *here, *there;
    size_t event;
};

struct picture_log {
    bool failed; /* memory ran out */
    struct picture_event *kept;
    size_t count, room;
    struct picture_event *late; /* a ring of the events that came last, behind the first ones */
    size_t late_count;          /* that came to it since it was last empty */
    size_t after;               /* of the events that come now, how many are kept */
    uint64_t left_out;          /* in all */
    struct ck_notes notes;      /* copies in flight, threads that poll, clusters and what they have found */
    uint64_t copies, clock;
    struct picture_buffer *buffers;
    size_t buffer_count, buffer_room;
    struct picture_variable *variables;
    size_t variable_count, variable_room;
    struct picture_filed *filed;
    size_t filed_count, filed_room;
    const char *kernel;
    uint32_t grid[3], block[3], cluster[3], smem;
};

/* A new event. Where findings have been filed since the last one, they are its own. */
void picture_log_add(struct picture_log *log, const struct picture_event *event);
/* A finding was filed: the next event is kept, and those around it. */
void picture_log_found(struct picture_log *log, const struct emu_finding *finding);
/* The thread of a place of a finding, as events have it. */
uint64_t picture_log_thread(const struct picture_log *log, const struct emu_place *place);
/* Whether an event of this thread and instruction, as events have them, is kept or may still be. */
bool picture_log_has(const struct picture_log *log, uint64_t thread, uint32_t at);
/* The launch begins, or begins again: forgets what there is. It is over: `end` is its last event. */
void picture_log_clear(struct picture_log *log);
void picture_log_end(struct picture_log *log, const struct picture_event *end);
/* The number of a buffer, from 0; -1 where memory is short. */
int64_t picture_log_buffer(struct picture_log *log, uint64_t at, const char *name);
/* Variables beyond the first few hundred are left out. */
void picture_log_variable(struct picture_log *log, const struct picture_variable *variable);

#endif
// SPDX-License-Identifier: Apache-2.0
