/* What the lanes of a warp access together in a window, on trial: it can be put back until the window has ended well.
 * window.c uses it. */
#ifndef COPYCHECK_EMU_SCHEDULE_TRIED_H
#define COPYCHECK_EMU_SCHEDULE_TRIED_H

#include "harness/emu/machine/fetched.h"
#include "harness/emu/machine/lanes.h"
#include "harness/emu/machine/overwritten.h"
#include "harness/emu/machine/pattern.h"
#include "harness/emu/machine/state.h"

/* Stretches of memory that patterns lie in; places of a program where windows were given up that are remembered. */
enum { EMU_STRETCHES = 8, EMU_SHY = 32, EMU_CUTS = 64, EMU_RECENT = 128 };

/* What a lane was when the window began to access memory. */
struct emu_lane_before {
    const struct emu_op *pc;
    uint64_t steps, still, quiet_since;
    uint8_t carry;
    bool polled, went_on, hashed;
    enum emu_wait wait;
    struct emu_reach since_poll, since_kept;
    bool had_around;
    struct emu_around around;
    uint64_t *around_registers; /* a copy; room for so many: */
    size_t around_room;
};

struct emu_tried {
    uint32_t last;         /* the pattern of the last access, or one of several */
    bool mixed;            /* not all patterns are of all lanes; or lanes have lines of their own */
    bool alone;            /* there may be patterns of one lane */
    bool any_order;        /* nobody asks for their order: those that only read go with one another */
    bool stores[2];        /* a pattern writes: global memory; shared memory */
    struct emu_scattered { /* loads whose addresses follow no pattern lie between these two, of either memory */
        uint64_t low, end;
    } scattered[2];
    uint32_t scatter;            /* lanes that have made such */
    uint16_t recent[EMU_RECENT]; /* of patterns that only read, 1 and their number, by their addresses; or another */
    uint32_t n;                  /* patterns */
    uint32_t acted, wrote;       /* lanes that have changed shared memory, global memory */
    uint32_t changed;            /* the same of the last access, either */
    uint64_t next; /* where a row of all lanes begins that goes on with the last new pattern, which is one, */
    const struct emu_cta *row_cta; /* in the same memory, */
    unsigned row;                  /* by so many bytes a lane; 0: it is none, or there are several stretches */
    uint32_t stretches, grown;     /* of whole lines, in which all patterns lie; which of them has grown last */
    struct emu_stretch {
        const struct emu_cta *cta; /* as of a pattern */
        uint64_t low, end;
    } stretch[EMU_STRETCHES];
    struct emu_pattern of[EMU_PATTERNS + 1]; /* in the order of their first accesses, and room for the next */
    struct emu_pattern sorted[EMU_PATTERNS]; /* the same in another order */
    unsigned char *host[EMU_PATTERNS];       /* where lane 0's bytes would be */
    unsigned char old[EMU_PATTERNS][EMU_WARP * EMU_PATTERN_BYTES]; /* what its lanes had before they first wrote */
    bool whole; /* `lanes` has all of what they were, not only the first part */
    struct emu_lane_before lanes[EMU_WARP];
    const struct emu_code *code; /* of the block, whose registers are kept before they are first written: */
    uint64_t *registers;         /* each in its place; */
    uint64_t *kept;              /* behind them, which of them are, a bit for each slot */
    size_t room;                 /* words for both */
    struct emu_overwritten own;  /* local memory as it was */
    struct emu_fetched fetched;
    struct {
        const struct emu_op *at;
        uint32_t skip, times; /* windows that are not to begin there; how many were given up in a row */
    } shy[EMU_SHY];
    const struct emu_op *cuts[EMU_CUTS]; /* ops that did not go with what came before; by their addresses */
};

/* The cluster's; NULL where memory is short. */
struct emu_tried *emu_tried_of(struct emu_cluster *c);
void emu_tried_free(struct emu_cluster *c);

/* Whether nobody is told in which order the threads of a CTA access memory. */
bool emu_tried_in_any_order(const struct emu_cta *cta);

/* Whether it is worth while to begin at this op, where others were given up before; one that began there ended, well or
 * not. */
bool emu_tried_dares(struct emu_tried *tried, const struct emu_op *at);
void emu_tried_learn(struct emu_tried *tried, const struct emu_op *at, bool well);

/* Where lanes go on step by step, what an op accesses need not go with what others before it have: whether a trial is
 * to begin anew at the op, since that did not go before; it does not. */
bool emu_tried_cuts(const struct emu_tried *tried, const struct emu_op *at);
void emu_tried_cut(struct emu_tried *tried, const struct emu_op *at);

/* From here on all can be put back: keeps what lanes of a set are. False: memory is short. */
bool emu_tried_begin(struct emu_tried *tried, const struct emu_thread *lanes, uint32_t set,
                     const struct emu_block *block);
/* An op is about to write to registers, r, of the block: they are kept. */
void emu_tried_writes_several(struct emu_tried *tried, const struct ptx_module *m, const uint64_t *r,
                              const struct emu_op *op);
static inline void emu_tried_keep_slot(struct emu_tried *tried, const uint64_t *r, uint32_t slot)
{
    const uint32_t n = slot / EMU_WARP;

    if (tried->kept[n / 64] >> n % 64 & 1)
        return;
    tried->kept[n / 64] |= 1ull << n % 64;
    EMU_EACH_LANE
    {
        tried->registers[slot + lane] = r[slot + lane];
    }
}
static inline void emu_tried_writes(struct emu_tried *tried, const struct emu_thread *lanes, const uint64_t *r,
                                    const struct emu_op *op)
{
    if (op->writes == EMU_WRITES_ONE)
        emu_tried_keep_slot(tried, r, op->d);
    else if (op->writes != EMU_WRITES_NONE)
        emu_tried_writes_several(tried, emu_run_of(lanes)->image->module, r, op);
}
/* What is about to change of a lane beside its registers, place and steps is kept too. False: memory is short. */
bool emu_tried_keep(struct emu_tried *tried, const struct emu_thread *lanes, uint32_t set);
/* Lanes of a set, on[i] != 0 or all, execute a common load or store, or a fetch of texels. False: not together, and
 * some may have. */
bool emu_tried_access(struct emu_tried *tried, struct emu_thread *lanes, uint64_t *r, const struct emu_op *op,
                      uint32_t set, const uint64_t *on);
/* All patterns in an order in which each line has the lanes' accesses as turns would make them; NULL: there is none. */
const struct emu_pattern *emu_tried_sorted(struct emu_tried *tried);
/* Puts everything back. */
void emu_tried_put_back(struct emu_tried *tried, struct emu_thread *lanes, uint32_t set, struct emu_block *block);

#endif
// SPDX-License-Identifier: Apache-2.0
