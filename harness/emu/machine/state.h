/* The state of the emulated machine, as data alone: the machine, a loaded module, a grid, a cluster, a CTA, a thread.
 * The parts of the emulator include it (machine, instructions, copies, schedule,
 * judge, decode.c and emu.c); users of the emulator see emu.h.
 *
 * A cluster runs on one host thread at a time. Clusters run ahead of their turns, on several host threads, where they
 * do not depend on one another (schedule/spread.c), so that only the machine's own lists and atomics need a lock;
 * otherwise they take turns on one. */
#ifndef COPYCHECK_EMU_MACHINE_STATE_H
#define COPYCHECK_EMU_MACHINE_STATE_H

#include <pthread.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/emu/machine/finding.h"
#include "harness/emu/machine/op.h"
#include "harness/emu/machine/options.h"
#include "harness/emu/ptx/ptx.h"

struct emu_watch;
struct emu_child;
struct emu_children;
struct emu_mbarriers;
struct emu_idle;
struct emu_spare;

enum {
    EMU_BARRIERS = 16,         /* of a CTA */
    EMU_LOCAL_MAX = 512 << 10, /* bytes of .local memory that a thread may have, as on the device */
    EMU_WORKSPACE = 256,       /* bytes of the memory that the threads of a cooperative grid synchronise by */
    EMU_SHARED_BASE = 1024,    /* where a kernel's shared memory begins: as on hardware, the system keeps the first */
};

/* ---- code ------------------------------------------------------------------------------------------------------- */

/* A function made ready: its ops, and the template of a frame's slots. */
struct emu_code {
    const struct ptx_function *function;
    struct emu_op *ops;      /* one for each instruction, and a return behind the last */
    uint32_t *slot_of;       /* of each register, as in op.h */
    uint32_t slots;          /* how many: registers, then specials, then constants */
    uint64_t *constants;     /* of slots first_constant to slots - 1 */
    uint32_t first_constant; /* counted, as first_special is */
    uint32_t first_special, special_count;
    struct emu_special { /* a special register whose value a slot holds as long as the frame lives */
        uint16_t special;
        uint8_t component;
        uint32_t slot;
    } * specials;
    uint64_t frame_bytes;        /* of .param variables of the body, 16-byte multiple */
    bool sleeps;                 /* it has a nanosleep */
    uint32_t doubts, heavy;      /* of a kernel: times in a row that it was run in vain with the light judge; launches
                                    that are to come without it */
    uint32_t meets, apart;       /* the same of clusters that were run ahead, and met */
    bool unused;                 /* options.unused of its last launch */
    struct emu_code_list *lists; /* memory that ops point into: code.c */
};

struct emu;
struct emu_image;

/* Makes a function of a loaded module ready to run: decode.c. NULL where memory is short. */
typedef struct emu_code *emu_ready(struct emu_image *image, const struct ptx_function *f);

/* A loaded module: where its variables are, and its code, made ready when a function is first called. */
struct emu_image {
    const struct ptx_module *module;
    uint64_t *address; /* of each variable, within its space; global: the address itself */
    struct emu_code **code;
    emu_ready *ready; /* what fills `code` */
    struct emu_shared {
        uint64_t top, dynamic;
    } * shared; /* of each function: where its static shared memory ends, and where the dynamic one begins: shared.c */
    unsigned char *constants;
    uint64_t const_bytes;
    unsigned char
        *timed;        /* of each register of the module, whether a clock decides its value: timed.c; NULL: not known */
    bool memory_timed; /* some of what lies in local memory and parameters too */
    pthread_mutex_t lock; /* held while a function of `code` is made ready, or `timed` */
    bool wants_workspace; /* it reads where the workspace of a cooperative grid is */
    void *judged;         /* the judge's, in one piece of memory; NULL: nothing */
    struct emu_image *next;
};

/* ---- memory ----------------------------------------------------------------------------------------------------- */

/* Four bytes of global memory while clusters run ahead, or 128: which cluster read or wrote them; MANY, in place of its
 * number: several read them. PARTS: a bit for each of the four bytes that it did not. SPLIT: not all of the 128, or of
 * the four, are alike; BUSY: their claims are being split. claims.c */
typedef _Atomic uint32_t emu_claim;
#define EMU_CLAIM_MANY  0x03ffffffu
#define EMU_CLAIM_PARTS 0x3c000000u
#define EMU_CLAIM_SPLIT 0xc0000000u
#define EMU_CLAIM_BUSY  0xc0000001u
enum { EMU_CLAIM_CELL = 4, EMU_CLAIM_CELLS = 32, EMU_CLAIM_PARTS_SHIFT = 26 };

/* Of each byte of 128, where the mark of its four has SPLIT. */
struct emu_claim_bytes {
    struct emu_claim_bytes *next; /* of the machine's */
    emu_claim marks[EMU_CLAIM_CELLS * EMU_CLAIM_CELL];
};

/* Of an allocation: of each four bytes from its beginning on, where `lines` has SPLIT; of each EMU_CLAIM_CELLS of
 * these; of each byte of a line, where that has a cell with SPLIT. NULL: there are none. */
struct emu_claims {
    emu_claim *cells, *lines;
    struct emu_claim_bytes *_Atomic *bytes;
};

/* Atomics as claims see them: of no kind, any other access; those whose order counts; and those that come to the same
 * bytes in any order with others of their kind, where nobody uses the result. */
enum emu_claim_kind {
    EMU_CLAIM_PLAIN,
    EMU_CLAIM_ORDERED,
    EMU_CLAIM_ADD_32,
    EMU_CLAIM_ADD_64,
    EMU_CLAIM_AND,
    EMU_CLAIM_OR,
    EMU_CLAIM_XOR,
    EMU_CLAIM_MIN_U32,
    EMU_CLAIM_MIN_S32,
    EMU_CLAIM_MIN_U64,
    EMU_CLAIM_MIN_S64,
    EMU_CLAIM_MAX_U32,
    EMU_CLAIM_MAX_S32,
    EMU_CLAIM_MAX_U64,
    EMU_CLAIM_MAX_S64,
    EMU_CLAIM_KINDS
};

/* An allocation of global memory. */
struct emu_region {
    uint64_t at, size;
    unsigned char *bytes;     /* host memory: == (void *)at */
    uint64_t mapped;          /* bytes of it that mmap gave; 0: malloc did */
    struct emu_claims claims; /* while clusters run ahead */
    bool adopted;             /* the bytes are the host's own: its user frees them */
    bool heap;                /* malloc's: only some of its bytes may be used */
    bool variable;            /* of a module: it stays when a user frees all allocations */
    bool written;             /* all of its bytes have a value from before the launch */
    bool always;              /* they always have: the host may write there unseen */
    uint64_t *values;         /* else which of them have: values.h; NULL: none */
    bool host;                /* the host has written some of it since the launch before */
    char name[32];            /* "buffer 2", "variable gbuf" */
};

/* An allocation that was freed. Its addresses are not used again. */
struct emu_freed {
    uint64_t at, size;
    char name[32], by[32]; /* what it was called, and the call that freed it */
};

/* The machine. */
struct emu {
    struct emu_options options;
    struct emu_image *images;
    struct emu_region *regions; /* sorted by address */
    size_t region_count, region_room;
    struct emu_freed *freed; /* the last ones: a ring of EMU_FREED; NULL: none yet */
    size_t freed_count;      /* all that there were */
    uint64_t region_end;     /* behind all allocations that there were; 0: none was */
    uint64_t memory;         /* bytes taken, of options.max_memory */
    _Atomic uint64_t shadow; /* bytes that the judge's shadows of global memory take */
    uint64_t launches;
    uint64_t workspace;            /* of grids that are launched cooperatively: EMU_WORKSPACE bytes; 0: none yet */
    struct emu_findings findings;  /* of the launch */
    struct emu_heap *heap;         /* of malloc: heap.c; NULL where no module calls it */
    struct emu_children *children; /* grids that threads launch: children.h; NULL: none did */
    struct emu_textures *textures; /* texture and surface objects: texture/object.h; or NULL */
    struct order_prior *before;    /* the judge's, of the launch before this one: judge/prior.h; NULL: none */
    struct order_prior *last;      /* and of this one, for the next */
    _Atomic bool lets_begin;       /* a thread has let dependent grids begin, under the light judge */
    struct emu_prior *prior;       /* of a launch that depends on the one before: prior.c; or NULL */
    struct emu_written_page *kept; /* what clusters that ran ahead have written: written.h */
    bool lost;                     /* nobody knows all that the launch has written */
    struct emu_claim_bytes *_Atomic claim_bytes;
    struct emu_spare *spare; /* memory of launches that have ended, for the next: spare.h */
    struct emu_idle *idle;   /* the same of a grid's; NULL: a launch has it, or there was none yet */
    pthread_mutex_t lock;    /* findings, printf, the heap, atomics of global memory and their claims */
};

/* ---- who runs --------------------------------------------------------------------------------------------------- */

enum emu_state { EMU_READY, EMU_BLOCKED, EMU_EXITED }; /* EMU_READY is 0: `rests` of a thread */

/* Why a blocked thread waits, for the report of a deadlock; a and b are the thread's wait_a and wait_b. */
enum emu_wait {
    EMU_WAIT_NONE,
    EMU_WAIT_BARRIER,  /* bar, barrier: a = barrier number */
    EMU_WAIT_CLUSTER,  /* barrier.cluster.wait */
    EMU_WAIT_WARP,     /* a warp-wide operation: a = member mask */
    EMU_WAIT_MBARRIER, /* try_wait, or a loop of test_wait: a = shared offset, b = phase */
    EMU_WAIT_GROUP,    /* wgmma.wait_group: a = the warp of the warpgroup that has yet to commit, b = how many groups */
    EMU_WAIT_SLEEP,
    EMU_WAIT_MEMORY,    /* it goes round a loop that reads the same every time: emu_around */
    EMU_WAIT_GRID,      /* griddepcontrol.wait */
    EMU_WAIT_REGISTERS, /* setmaxnreg.inc: a = how many, of each thread */
    EMU_WAIT_TURN /* it has carried out what all lanes of its warp came to, and goes on in its next turn with them */
};

/* The slots of a function for all lanes of a warp. A lane is in a function at most once at a depth. */
struct emu_block {
    struct emu_block *next; /* of the warp */
    const struct emu_code *code;
    uint32_t depth;
    uint32_t lanes, used;  /* that have a frame here; that have, or had one */
    unsigned char *frames; /* of a called function: one of each lane, behind the slots */
    uint64_t bytes;        /* reserved for it */
    uint64_t r[];
};

/* The threads of a warp together. */
struct emu_warp {
    struct emu_block *blocks;
    bool waits; /* a thread has been blocked with EMU_WAIT_WARP */
    struct emu_around
        *arounds;           /* of its lanes, and behind them room for registers of each: schedule/around.c; or NULL */
    uint32_t arounds_room;  /* so many */
    uint32_t registers;     /* that each of its threads owns; 0: those that it began with */
    uint32_t registers_set; /* setmaxnreg that it has executed */
};

/* A called function's place: its caller, its parameters, its body's .param variables, its .local memory. */
struct emu_frame {
    struct emu_frame *caller;
    const struct emu_code *code;
    const struct emu_op *back; /* where the caller goes on */
    struct emu_block *block;
    uint64_t *r;              /* its lane's of the block */
    unsigned char *params;    /* parameters, then returns, each by its offset */
    unsigned char *variables; /* .param variables of the body */
    uint64_t local_base;      /* of its .local variables, in the thread's local memory */
    uint64_t local_top;       /* behind them: where a callee's begin; alloca raises it */
    uint64_t params_at;       /* of the copy of its parameters in local memory, once an address of theirs is taken */
    bool params_copied;
    uint32_t depth; /* calls below the kernel's own frame */
    uint64_t bytes; /* reserved for it */
};

/* What a thread brings to a warp-wide operation: meeting.h. */
struct emu_offer {
    const struct emu_op *op;
    uint32_t mask; /* of members, as this thread has it */
    uint32_t past; /* members that carried the operation out by another mask while this thread waited for them there */
    uint64_t value, extra;
};

/* A barrier of a CTA. */
struct emu_barrier {
    uint32_t arrived, expected; /* threads; where a count is given, a warp that came counts as a whole */
    bool reduces;               /* the last to come did */
    struct emu_arrivals {       /* of each warp */
        uint32_t lanes;         /* that came */
        uint32_t again;         /* of these, those that arrived without a wait, and then came to wait */
        bool mixed;             /* by several instructions */
        const struct ptx_instruction *at, *again_at;
    } warps[EMU_WARP];
    uint64_t generation;
    uint32_t value, votes; /* of bar.red: how many threads said true, how many said anything */
    uint32_t last_value;   /* of the generation before */
    bool last_all;         /* whether all threads of it said true */
};

enum { EMU_LOOKS = 4 };

/* How often the turns of a warp begin again in a round, where all its lanes have carried out an EMU_MEETING. */
enum { EMU_AGAIN = 15 };

/* What is known of a thread that has done nothing for a while that another one could see: whether it goes round a loop,
 * and, once it is known to wait, what it looks at there. schedule/around.c */
struct emu_around {
    const struct emu_op *at; /* a place that it has jumped back to, NULL: none yet */
    uint64_t *registers;     /* those of its function that it had there once */
    uint32_t room;           /* how many `registers` has room for */
    uint32_t differed;       /* a slot of them that the thread did not have as it was kept, when last compared */
    bool known;              /* it has had them again; `beside` is a hash of what else it had then */
    bool hashed;             /* the thread's `hashes` are of that */
    uint64_t beside;
    uint64_t visits, next;     /* of that place since; at which visit its state is taken again */
    uint64_t astray, patience; /* jumps back to other places since; how many there may be */
    uint64_t came;             /* the thread's steps when it last jumped back */
    uint64_t rested;  /* the thread's steps when it last came to rest; 0: since it had an effect it never has */
    uint64_t changes; /* of memory until then */
    bool again;       /* it has not jumped back since */
    uint32_t first_line, last_line;  /* of PTX, of what it executes there; 0: not noted */
    uint64_t phase;                  /* of the mbarrier that it looks at, if it does */
    const struct emu_look *waits_at; /* which of its looks says best what it waits for; NULL: not noted */
    unsigned look_count;
    struct emu_look {
        const struct ptx_instruction *at; /* a load, an atomic, test_wait or try_wait */
        struct emu_cta *cta;              /* of shared memory, NULL: global */
        uint64_t address, size;           /* offset in shared memory, or address; bytes */
    } looks[EMU_LOOKS];
};

/* The ops of a function that a thread may have executed since a moment, which all lie between these two, or else before
 * its pc and not before `low`. low NULL: it has been in others, or there was no such moment. */
struct emu_reach {
    const struct emu_op *low, *high;
};

struct emu_thread {
    uint64_t *r; /* slots of the current function, EMU_WARP words apart */
    const struct emu_op *pc, *code;
    struct emu_cta *cta;
    uint32_t index; /* linear in the CTA: tid.x + ntid.x * (tid.y + ntid.y * tid.z) */
    uint32_t tid[3];
    uint32_t lane, warp;
    union {
        struct {
            enum emu_state state;
            bool polled; /* it has polled in vain since something changed */
            bool none[3];
        };
        uint64_t rests; /* 0: it is EMU_READY, and has not polled so; asked where speed matters */
    };
    uint64_t wait_a, wait_b;
    struct emu_frame *frame;
    unsigned char *local; /* .local memory of its frames */
    uint64_t local_size;
    uint64_t steps;                           /* instructions that it has executed or tried */
    uint64_t ahead;                           /* of them, those of its next turn: schedule/window.h */
    bool ahead_acts;                          /* with an effect since it was last looked whether it had any */
    uint8_t carry;                            /* CC.CF: 0 or 1 */
    uint64_t at_barrier;                      /* number of the CTA barrier it has arrived at, plus 1 */
    uint64_t barrier_generation;              /* that it waits for; 0: none */
    uint64_t cluster_arrived;                 /* generation of the cluster's barrier that it arrived for, plus 1 */
    bool cluster_waits;                       /* it has arrived there, and its wait is yet to come, or goes on */
    enum emu_wait wait;                       /* why it is blocked */
    const struct ptx_instruction *cluster_at; /* by which instruction */
    uint32_t registers_set;                   /* setmaxnreg that it has executed */
    bool slept;                               /* it has */
    bool went_on;                             /* its registers have changed since its poll before */
    uint64_t *poll_registers;                 /* what they were then, */
    struct emu_reach since_poll;              /* and what it may have executed since; */
    struct emu_reach since_kept;              /* the same since around.c kept some */
    const struct emu_op *poll_at;             /* and where */
    uint32_t poll_room;                       /* registers that poll_registers has room for */
    const struct ptx_instruction *landing;    /* the copy of its that is landing now, NULL: none; for findings */
    const struct ck_rule *bounds[2];          /* what an access outside memory breaks now: the rule, another; or NULL */
    bool acted, wrote;                        /* in this turn it has changed shared memory, global memory: emu_acts */
    uint64_t quiet_since;                     /* its steps when it last did something that others could see */
    uint64_t still;                           /* of its steps, how many took no time: it was watched going round */
    struct emu_around *around;                /* NULL: it has never been quiet for long */
    uint64_t hashes[2];                       /* of its state, with and without time, where `hashed` */
    bool hashed;                              /* and it has not moved since, */
    const struct emu_op *hashed_at;           /* but perhaps from here, where it was, to another poll */
    struct emu_offer *offer;                  /* to the warp-wide operation that it came to last */
    struct emu_groups *groups;                /* of copies, NULL: none yet: copies/flight.c */
    void *order;                              /* its clocks, the judge's own */
};

struct emu_cta {
    struct emu_cluster *cluster;
    uint32_t ctaid[3], rank; /* rank in the cluster */
    unsigned char *shared;   /* static and dynamic together */
    uint64_t shared_bytes;   /* size of its window */
    struct emu_thread *threads;
    struct emu_warp *warps;
    unsigned char *frames; /* the first ones of its threads, and the slots of its warps: frame.h */
    uint64_t frames_bytes;
    bool extras;                     /* some of its threads have memory of their own: local, offer, around and so on */
    uint32_t pool;                   /* of registers, for each thread of a warp: setmaxnreg.c */
    uint32_t thread_count, live;     /* live: threads that have not exited */
    struct emu_barrier *barriers;    /* EMU_BARRIERS of them; NULL until a thread comes to one */
    bool watched;                    /* the watcher is told of loads and stores in its shared memory */
    struct emu_mbarriers *mbarriers; /* objects in its shared memory, NULL: there was none: copies/mbarrier_objects.h */
};

struct emu_cluster {
    struct emu_run *run;
    struct emu_grid *grid;
    uint32_t id[3];
    struct emu_cta *ctas;
    uint32_t cta_count, live;            /* live: CTAs with threads that have not exited */
    uint64_t random;                     /* its own sequence: seed, grid and cluster number */
    jmp_buf fault;                       /* where a finding that ends the grid goes */
    struct emu_cluster_barrier *barrier; /* NULL: no thread has come to it: instructions/barrier.c */
    struct emu_flights *flights;         /* copies in flight: copies/flight.h */
    struct emu_turns *turns;             /* whose turn it is; NULL: in order, or backwards: schedule/turns.h */
    bool asked;                          /* turns or finder is asked about operations that have op->sync */
    struct emu_finder *finder;           /* of swaps; NULL: nobody asks: schedule/finder.h */
    struct emu_tried *tried;             /* what warps have accessed together: schedule/tried.h; NULL: nothing yet */
    void *order;                         /* the judge's own */
    const struct emu_watch *watch;       /* NULL: nobody, or the cluster has not begun */
    bool watched;                        /* the watcher is told of all events: watch.h */
};

/* Bytes at the end of an allocation where no access of 8 bytes may begin. */
enum { EMU_NEAR_END = 7 };

/* An allocation that was accessed lately, without its EMU_NEAR_END last bytes; its claims, where there is a claimer. */
struct emu_near {
    uint64_t at, size;
    struct emu_claims claims;
};

/* Whether all threads of a cluster come to the same states again and again: cluster_state of schedule/around.c at
 * moments when none can go on, compared with what it was at one such moment before. */
struct emu_repeat {
    uint64_t all, timeless; /* hashes: of everything; of everything except what clocks said */
    uint64_t first[2];      /* the same of the first thread's state */
    uint64_t acts;          /* changes of all memory until then */
    uint64_t clock_reads;
    uint64_t moments, next; /* moments since, and 1; after how many the hashes are taken again, 0: there are none yet */
    uint64_t seen;          /* moments since the last change, those among them that were not looked at */
    bool found, by_time;    /* they repeat; except for time */
};

/* Bytes of what threads know that are compared or copied in about the time of an instruction. */
enum { EMU_JOINED = 64 };

/* How the run of one cluster is going. */
struct emu_run {
    struct emu_image *image;
    uint64_t number; /* of the cluster in the grid */
    struct emu_findings findings;
    struct emu_claimer *claimer;        /* where the cluster runs ahead of its turns: claims.h; else NULL */
    uint64_t probes;                    /* turns that could have been probed: schedule/idle.c */
    uint64_t weighed, weight;           /* instructions of turns that were, and what they take, in additions */
    uint64_t cost_of_memory;            /* how many times as much accesses of memory take here */
    uint64_t joined;                    /* in this round: what the judge has compared and copied, in EMU_JOINED bytes */
    uint64_t heavy;                     /* the same of what copies and products take beside their instructions */
    uint64_t slow;                      /* in this round, in turns that were: operations that take long, */
    uint64_t waits;                     /* and instructions of loops that look at what others may change, */
    uint64_t looked;                    /* up to the thread's last look, by its steps; */
    const struct emu_op *round_at;      /* where the thread last went back in a loop in a turn that was probed, */
    uint64_t round_registers;           /* and with which registers, as one number */
    bool waiting;                       /* there were such in the last turn that was probed */
    bool probed;                        /* the turn is probed */
    bool reached;                       /* and whether code or memory was reached that is new to the grid */
    uint32_t live;                      /* threads that had not exited when the last round ended */
    uint64_t clock;                     /* emulated nanoseconds */
    bool clock_read;                    /* a thread has looked at a clock since the last jump */
    bool reserved;                      /* one uses the part of shared memory that is the system's */
    uint64_t clock_reads;               /* how often one has */
    unsigned patience;                  /* how often threads have gone on where the clock could have jumped */
    uint64_t nap;                       /* the shortest sleep of a thread, where it is the clock's turn; or 0 */
    bool changed;                       /* something happened that a blocked thread may wait for */
    bool stuck;                         /* in its last round no thread could go on, whatever lands */
    unsigned rested;                    /* rounds since the last such */
    unsigned asked;                     /* rounds in which those that ask asked again, though nothing had changed */
    uint64_t acts;                      /* changes of shared memory and of what else lies in the cluster alone */
    uint64_t wrote, wrote_seen;         /* changes of global memory; the grid's when its last round ended */
    uint64_t quiet;                     /* instructions since any change, and what rounds cost beside them */
    uint64_t quiet_waits;               /* those of them that count for options.max_quiet: schedule/idle.c */
    unsigned quiet_rounds, held_rounds; /* in a row without any; with copies in flight, since one landed */
    bool resting;                       /* a thread rests that goes round */
    bool observed;                      /* what threads look at is noted: the report of a deadlock comes */
    struct emu_repeat repeat;           /* whether its states repeat */
    struct emu_near near[2];            /* the last one first */
    struct emu_named *named;            /* which registers loops name: reach.c */
    uint32_t claim_read, claim_written; /* the cluster's marks */
    enum emu_claim_kind atomic;         /* the atomic that is about to access global memory */
    bool granted;                       /* it is the cluster's turn: its atomics may be done */
    uint64_t instructions;              /* executed, up to the last turn that ended */
    struct emu_thread *turn;            /* whose turn it is, NULL between turns */
    uint64_t turn_began, turn_ends;     /* its steps when the turn began, and when it has to end */
    uint64_t round_began;               /* instructions when the round began */
    uint64_t turn_acts, round_acts;     /* emu_acts when the turn began, and the round */
    uint64_t round_wrote;               /* `wrote` when the round began */
    bool moved;                         /* a thread has moved in this round */
    bool completed;                     /* a barrier of a CTA is complete since the last window: schedule/window.h */
    bool meets;                         /* all lanes of a warp are carrying out an EMU_MEETING in a window; */
    bool met;                           /* they have, in a window or not, since the warp's turns began, */
    bool stepped;                       /* a lane of the warp that has turns has executed something; */
    bool passes;                        /* it has them again, step by step, */
    uint64_t warp_began;                /* since so many instructions */
    unsigned again;                     /* which have begun again so often in this round */
    bool forgot, lost;                  /* as in emu_report */
    bool unjudged; /* the order checker had no memory, or the grid has more threads than it can number */
    enum emu_end end;
    char message[400];
};

struct emu_grid {
    struct emu *machine;
    const struct ptx_module *module;
    const struct ptx_function *entry;
    uint32_t dim[3], block[3], cluster_dim[3]; /* in CTAs, threads, CTAs */
    bool explicit_cluster;                     /* the launch or the kernel named it, be it of one CTA */
    uint32_t smem;                             /* dynamic shared memory, bytes */
    const unsigned char *params;
    uint64_t param_bytes;
    uint64_t number;               /* of launches on this machine before it */
    uint64_t executed;             /* instructions, up to the last turn that ended */
    uint64_t workspace;            /* of a grid that is launched cooperatively: its address; else 0 */
    bool wants_workspace;          /* the kernel reads where it is */
    uint64_t wrote;                /* changes of global memory, up to the last round that ended */
    struct emu_idle *idle;         /* whether it still gets on: schedule/idle.h */
    void *order;                   /* the judge's own */
    const struct emu_watch *watch; /* who is told of what happens: watch.h; NULL: nobody */
    const struct emu_watch *light; /* who may watch in its place, and finds nothing; or NULL */
    int turn;                      /* instructions of a turn, where threads take turns in the order of their indices */
    bool in_turns;                 /* of that one: the clusters take turns, and what is written can be put back */
    void *together;                /* what that one keeps of them together, or NULL */
    struct emu_grid *parent;       /* of which a thread launched it; NULL: the host did */
    const struct emu_child *launched_as;
    struct emu_gate *gate;           /* of changes of global memory, NULL: none: schedule/alone.h */
    struct emu_stops *stops;         /* of EMU_TURNS_STOPS, else NULL: schedule/stops.h */
    bool swapped;                    /* the second operation of options.swap has come */
    struct emu_spare *spare;         /* of the host thread that runs it: spare.h */
    const struct emu_watch *both[2]; /* of emu_watch_both: the two that it tells */
};

static inline struct emu_run *emu_run_of(const struct emu_thread *t)
{
    return t->cta->cluster->run; // NOLINT(clang-analyzer-core.NullDereference): a thread has a CTA
}

static inline struct emu *emu_machine_of(const struct emu_thread *t)
{
    return t->cta->cluster->grid->machine;
}

#endif
// SPDX-License-Identifier: Apache-2.0
