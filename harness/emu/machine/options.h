/* What a user of the emulator chooses for a machine, and what a launch comes back with. emu.h includes it for users,
 * state.h for the emulator itself. */
#ifndef COPYCHECK_EMU_MACHINE_OPTIONS_H
#define COPYCHECK_EMU_MACHINE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct emu_finding;
struct emu_swap;
struct emu_swaps;
struct emu_watch;

/* When an asynchronous operation lands: as late as the rules allow, at once, or at a random time of the two. */
enum emu_delivery { EMU_LATE, EMU_EAGER, EMU_RANDOM };

/* In which order threads take turns: of their indices; warps backwards; of their indices, except for the two operations
 * of `swap`, or except that each change by an instruction that `found` names comes alone; as `seed` says, some stopping
 * at operations that `found` counts, or any. */
enum emu_turns_kind {
    EMU_TURNS_IN_ORDER,
    EMU_TURNS_REVERSED,
    EMU_TURNS_SWAPPED,
    EMU_TURNS_ALONE,
    EMU_TURNS_STOPS,
    EMU_TURNS_RANDOM
};

static inline bool emu_turns_random(enum emu_turns_kind kind)
{
    return kind == EMU_TURNS_STOPS || kind == EMU_TURNS_RANDOM;
}

/* Whether a grid is launched cooperatively: where the kernel asks for the grid's workspace; always; never. */
enum emu_cooperative { EMU_COOPERATIVE_AS_NEEDED, EMU_COOPERATIVE_YES, EMU_COOPERATIVE_NO };

/* How far a launch has come, for someone who looks on from another host thread. */
struct emu_progress {
    _Atomic uint64_t instructions; /* executed */
    _Atomic uint64_t clusters;     /* that have ended */
};

struct emu_options {
    enum emu_delivery delivery;
    enum emu_turns_kind turns;
    const struct emu_swap *swap;   /* of EMU_TURNS_SWAPPED */
    const struct emu_swaps *found; /* of EMU_TURNS_ALONE and _STOPS: what another launch has put into `swaps` */
    bool again;                    /* of EMU_TURNS_ALONE: of several that make a change, others come last */
    bool ahead;                    /* of EMU_TURNS_ALONE: who has made a change goes on as far as it can */
    struct emu_swaps *swaps;       /* receives the swaps that the launch allows; NULL: nobody asks */
    uint64_t seed;                 /* of random deliveries and turns */
    unsigned jobs;                 /* host threads; 0 counts as 1 */
    bool light;                    /* clusters that run ahead may be watched by the light judge: judge/light_state.h */
    bool hasty;                    /* clocks run fast: waits with a time limit end where others are not there at once */
    bool in_step;                  /* of EMU_TURNS_IN_ORDER: lanes of a warp go on step by step, as on a device */
    bool evenly;                   /* of the same: warps have short turns where the judge watches: schedule/turns.h */
    bool by_turns;                 /* clusters are not run ahead of their turns: quicker where that would be in vain */
    uint64_t max_instructions;     /* of a grid; 0: the default, 2^33 */
    uint64_t max_quiet;            /* of them, in a row without any change of memory; 0: the default, 50 million */
    uint64_t max_idle;             /* of a grid, since it did anything new; 0: the default, 200 million */
    uint64_t max_busy;             /* the same of threads that compute, in additions; 0: the default, 1 billion */
    uint64_t resident;             /* CTAs that may be resident together, if fewer than an H200 holds; 0: those */
    enum emu_cooperative cooperative;
    uint64_t max_memory;           /* bytes; 0: the default, 4 GiB */
    FILE *print;                   /* where vprintf writes; NULL: nowhere */
    bool check_order;              /* the happens-before checker */
    bool check_init;               /* with it: reads of shared bytes that nobody wrote */
    bool unused;                   /* values of such reads are known not to be used: the light judge lets them be */
    bool check_swizzle;            /* with it: reads of swizzled tiles are compared with natural order */
    bool check_reads;              /* with it: a copy that overwrites needs a proxy fence behind generic reads too */
    bool check_writers;            /* with it: a proxy fence serves the accesses of its own thread alone */
    bool check_same;               /* with it: a race in which all store the same value is no mere remark */
    bool check_scopes;             /* with it: an mbarrier operation with no scope written has .cta, as the text says */
    bool dependents;               /* what a launch accesses is kept for the next, which may be dependent */
    bool dependent;                /* it may begin before the last launch has ended: that one is compared with it */
    bool other_values;             /* shared memory that nobody has written holds other bytes than usual */
    bool repeated;                 /* the last launch, once more: the next may depend on the first of them alone */
    bool unwatched;                /* nobody watches, and nothing is judged: only what memory then holds counts */
    const struct emu_watch *watch; /* a second watcher, called behind the judge: watch.h; NULL: none */
    void *watch_state;             /* that watcher's own */
    struct emu_progress *progress; /* counted up while a grid runs; NULL: nobody looks on */
    /* No thread can go on, and some look at global memory again and again: returns true once others may have written
     * there, false where nobody will. `got_on`: threads have done something since the last call. NULL: nobody will. */
    bool (*outside)(bool got_on, void *state);
    void *outside_state;
};

enum emu_end {
    EMU_DONE,
    EMU_FAULTED,
    EMU_DEADLOCK,
    EMU_UNSUPPORTED,
    EMU_TOO_LONG,
    EMU_BAD_LAUNCH,
    EMU_NO_MEMORY, /* max_memory, or that of the host, is too little: for the program, or for judging all of it */
};

/* The run ended early, by no fault of the program's: what comes after is not judged. */
static inline bool emu_stopped(enum emu_end end)
{
    return end == EMU_UNSUPPORTED || end == EMU_TOO_LONG || end == EMU_BAD_LAUNCH || end == EMU_NO_MEMORY;
}

struct emu_report {
    enum emu_end end;
    char message[400];                  /* one line, where it is not EMU_DONE */
    const struct emu_finding *findings; /* `count` of them, then `remarks`; they live until the next launch */
    size_t count, remarks;
    bool forgot;  /* the shadow of global memory outgrew max_memory: what came before is not compared with what came
                     after */
    bool lost;    /* not all accesses were compared: of thousands of reads of one place the last ones were */
    bool settled; /* warps have met at barriers of whole CTAs alone, and all accesses were compared: without a
                     finding or a remark, they do the same in any other order of warps and CTAs */
    uint64_t instructions; /* executed by all threads together */
    unsigned jobs;         /* host threads that its clusters ran on: 1 where clusters depend on one another */
    bool in_vain;          /* they were run ahead of their turns first, and put back: they do */
    bool untraced;         /* it lets the next launch begin, and what it accesses has not been kept for that one: the
                              light judge has watched */
};

#endif
// SPDX-License-Identifier: Apache-2.0
