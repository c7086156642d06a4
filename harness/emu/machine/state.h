/* The state of the emulated machine, as data alone: the machine, a loaded module, a grid, a cluster, a CTA, a thread,
 * and an instruction ready to run. The parts of the emulator include it (machine, instructions, copies, schedule,
 * judge, decode.c and emu.c); users of the emulator see emu.h.
 *
 * A thread's registers are 64-bit slots; a value is zero-extended in its slot, whatever its type (.pred is 0 or 1;
 * .b128 takes two slots). A function's constants lie behind its registers, so that every operand is a slot.
 *
 * A cluster runs on one host thread. Clusters run on several host threads where they do not depend on one another
 * (schedule/spread.c), so that only the machine's own lists need a lock; otherwise they take turns on one. */
#ifndef COPYCHECK_EMU_MACHINE_STATE_H
#define COPYCHECK_EMU_MACHINE_STATE_H

#include <pthread.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/options.h"
#include "harness/emu/ptx/ptx.h"

struct emu_op;
struct emu_thread;
struct emu_watch;
struct emu_mbarriers;

enum {
    EMU_WARP = 32,
    EMU_BARRIERS = 16,         /* of a CTA */
    EMU_LOCAL_MAX = 512 << 10, /* bytes of .local memory that a thread may have, as on the device */
    EMU_SHARED_BASE = 1024,    /* where a kernel's shared memory begins: as on hardware, the system keeps the first */
};

/* ---- instructions ------------------------------------------------------------------------------------------------ */

typedef void emu_handler(struct emu_thread *t, const struct emu_op *op);

#define EMU_NO UINT32_MAX /* in place of a slot: there is none */

/* One instruction, ready to run. Handlers read operands as t->r[op->a] and write t->r[op->d]; they advance nothing:
 * the loop has stepped t->pc before it calls. A handler that cannot go on calls emu_block and will be called again. */
struct emu_op {
    emu_handler *run;
    uint32_t d, a, b, c; /* slots of operands 0 to 3, unless the decoder says otherwise */
    uint32_t guard;      /* slot of the guard predicate; EMU_NO for none */
    bool guard_not;
    uint8_t size;   /* bytes of the value or of one vector element, where that matters */
    uint8_t vector; /* 1, 2, 4, 8 */
    uint16_t space; /* PTX_shared, PTX_global, ... PTX_none for generic */
    const struct ptx_instruction *source;
    union {
        int64_t offset; /* of the address operand, in bytes */
        int64_t imm;    /* for families that have no members of their own yet */
    };
    /* What else the handler needs, by family of instructions. Pointers are to memory that lives as long as the code. */
    union {
        /* instructions/control.c, stack.c */
        struct {
            const uint32_t *targets; /* of brx.idx: `count` ops of the function, by their index in it */
            uint32_t target, count;  /* target: of bra, in the same way */
        } branch;
        const struct emu_call *call;
        uint16_t clock;        /* the special register that a mov reads: SR_clock ... */
        uint32_t alloca_align; /* bytes */

        /* instructions/memory.c, atomic.c, ldmatrix.c */
        struct {
            const uint32_t *elements; /* slots of a vector's elements, NULL: the value is in op->d or op->a */
            uint32_t place;           /* of a common load or store: the instruction's index in the module */
            uint8_t register_bytes;   /* of a load's destination, which may be wider than the value */
            bool sign_extends;
            bool of_params; /* of ld.param and st.param in a function: its parameters, not a call's variables */
        } memory;
        struct {
            const uint32_t *elements; /* slots of a vector: where old values go, or EMU_NO, then the operands */
            uint16_t word, type;      /* PTX_add ... PTX_cas; PTX_u32 ... */
        } atomic;
        struct {
            const uint32_t *rows; /* slots of the registers, one for each matrix */
            bool transposed;
        } matrix;

        /* instructions/barrier.c, warp.c */
        struct {
            uint8_t kind; /* as barrier.c numbers them */
            bool negated; /* the predicate of bar.red */
            bool relaxed; /* barrier.cluster.arrive */
        } barrier;
        struct {
            uint32_t predicate, mask; /* slots: of the second result, EMU_NO for none; of shfl's member mask */
            uint16_t kind;            /* of vote and shfl as warp.c numbers them; of redux PTX_add ... PTX_max */
            bool negated, is_signed;  /* the predicate of vote; the values of redux */
            bool all;                 /* match.all */
        } warp;

        /* instructions/alu, mma.c */
        struct {
            bool not_a, not_b; /* operands with a ! in front */
        } predicates;
        struct {
            const uint32_t *elements; /* slots of a packed or unpacked vector's elements */
            uint16_t count;
            uint16_t bits; /* of an element */
        } pack;
        struct {
            uint64_t mask;       /* of a bit field, in its place */
            uint32_t length;     /* slot: of bfi's fourth operand */
            uint8_t left, right; /* bits to shift by */
            bool clamps;         /* bmsk, szext: .clamp, not .wrap */
        } field;
        const struct alu_table *table; /* lop3 */
        struct {
            const uint16_t *selectors; /* of a prmt mode, by the low two bits of c */
            uint8_t shift[4];          /* right, in bits, of each byte (or of both halves) that a constant selects */
        } permute;
        struct {
            bool carries_in, carries_out; /* CC.CF is read; written */
            bool signed_a, signed_b;      /* of a dot product */
            uint8_t first;                /* of b's bytes that a dp2a takes: 0 or 2 */
        } sum;
        struct {
            const struct alu_comparison *of;
            uint32_t second; /* slot of setp's second result, EMU_NO for none */
            uint16_t with;   /* how the third predicate is combined: PTX_and, PTX_or, PTX_xor */
            bool negated;    /* the third predicate */
        } compare;           /* setp */
        struct {
            const struct alu_comparison *of;
            uint32_t yes;  /* the bits that say that the comparison holds */
            uint16_t with; /* as of setp */
            bool negated;
        } set;
        uint16_t property; /* that testp asks for: PTX_finite ... PTX_subnormal */
        struct {
            bool from_signed, to_signed, saturates;
            uint8_t from, to, reg; /* bytes: of the source, of the result, of the register that holds it */
        } integers;                /* cvt between integers */
        struct {
            uint8_t bits; /* of each of the two values */
            bool is_signed;
        } cvt_pack;
        const struct alu_conversion *conversion;
        const struct alu_arithmetic *arithmetic;
        const struct alu_video *video;
        const struct emu_product *product; /* mma */

        /* copies */
        struct {
            bool drop, no_complete, expects; /* .arrive_drop; .noComplete; .expect_tx */
            bool by_parity;                  /* waits: on a parity, not on a state */
            bool relaxed, wide;              /* wide: of a scope beyond the CTA */
            bool pending_counts;             /* cp.async.mbarrier.arrive without .noinc */
        } mbarrier;
        struct {
            uint64_t keep; /* how many of the newest committed groups may stay pending */
            uint16_t kind; /* enum emu_group */
            bool reads;    /* waits for sources to be read, not for completion */
        } group;
        struct {
            int64_t from_offset; /* of the source's address, in bytes */
            bool ignore_not;     /* the predicate ignore-src is negated */
        } cp_async;
        const struct emu_bulk *bulk;
        const struct emu_async_store *async_store;
        const struct emu_tensor *tensor;
        struct {
            int64_t from_offset; /* of tensormap.cp_fenceproxy's source, in bytes */
            uint16_t field;      /* as map_edit numbers them */
            uint32_t entry;      /* of a field that has several */
        } map;

        /* for families that have none of their own yet */
        struct {
            uint16_t u16;
            uint32_t u32;
            const uint32_t *more;
            const void *data;
        };
    };
};

/* ---- code ---------------------------------------------------------------------------------------------------------
 */

/* A function made ready: its ops, and the template of a frame's slots. */
struct emu_code {
    const struct ptx_function *function;
    struct emu_op *ops;  /* one for each instruction, and a return behind the last */
    uint32_t *slot_of;   /* of each register */
    uint32_t slots;      /* registers, then specials, then constants */
    uint64_t *constants; /* of slots [first_constant, slots) */
    uint32_t first_constant;
    uint32_t first_special, special_count;
    struct emu_special { /* a special register whose value a slot holds as long as the frame lives */
        uint16_t special;
        uint8_t component;
        uint32_t slot;
    } * specials;
    uint64_t frame_bytes;        /* of .param variables of the body, 16-byte multiple */
    struct emu_code_list *lists; /* memory that ops point into: code.c */
};

/* Makes a function of a loaded module ready to run: decode.c. NULL where memory is short. */
struct emu;
struct emu_image;
typedef struct emu_code *emu_ready(struct emu_image *image, const struct ptx_function *f);

/* A loaded module: where its variables are, and its code, made ready when a function is first called. */
struct emu_image {
    const struct ptx_module *module;
    uint64_t *address; /* of each variable, within its space; global: the address itself */
    struct emu_code **code;
    emu_ready *ready;      /* what fills `code` */
    uint64_t shared_bytes; /* static shared memory of the module's variables, aligned */
    unsigned char *constants;
    uint64_t const_bytes;
    pthread_mutex_t lock; /* held while a function of `code` is made ready */
    struct emu_image *next;
};

/* ---- memory -------------------------------------------------------------------------------------------------------
 */

/* Four bytes of global memory in a run on several host threads: which cluster read or wrote them. claims.c */
typedef _Atomic uint32_t emu_claim;

/* An allocation of global memory. */
struct emu_region {
    uint64_t at, size;
    unsigned char *bytes; /* host memory: == (void *)at */
    emu_claim *claims;    /* of each four bytes, in a run on several host threads */
    bool heap;            /* malloc's: only some of its bytes may be used */
    bool variable;        /* of a module: it stays when a user frees all allocations */
    bool written;         /* it has a value from before the launch */
    bool host;            /* the host has written some of it since the launch before */
    char name[32];        /* "buffer 2", "variable gbuf" */
};

/* The machine. */
struct emu {
    struct emu_options options;
    struct emu_image *images;
    struct emu_region *regions; /* sorted by address */
    size_t region_count, region_room;
    uint64_t memory; /* bytes taken, of options.max_memory */
    uint64_t launches;
    struct emu_findings findings; /* of the launch */
    struct emu_heap *heap;        /* of malloc: heap.c; NULL where no module calls it */
    pthread_mutex_t lock;         /* findings, printf, the heap, atomics of global memory */
};

/* ---- who runs -----------------------------------------------------------------------------------------------------
 */

enum emu_state { EMU_READY, EMU_BLOCKED, EMU_EXITED };

/* Why a blocked thread waits, for the report of a deadlock; a and b are the thread's wait_a and wait_b. */
enum emu_wait {
    EMU_WAIT_NONE,
    EMU_WAIT_BARRIER,  /* bar, barrier: a = barrier number */
    EMU_WAIT_CLUSTER,  /* barrier.cluster.wait */
    EMU_WAIT_WARP,     /* a warp-wide operation: a = member mask */
    EMU_WAIT_MBARRIER, /* try_wait, or a loop of test_wait: a = shared offset, b = phase */
    EMU_WAIT_GROUP,    /* cp.async.wait_group, cp.async.bulk.wait_group */
    EMU_WAIT_SLEEP,
    EMU_WAIT_GRID /* griddepcontrol.wait */
};

/* A called function's place: its caller, its parameters, its body's .param variables, its .local memory. */
struct emu_frame {
    struct emu_frame *caller;
    const struct emu_code *code;
    const struct emu_op *back; /* where the caller goes on */
    uint64_t *r;
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
    uint64_t value, extra;
};

/* A barrier of a CTA. */
struct emu_barrier {
    uint32_t arrived, expected; /* threads; where a count is given, a warp that came counts as a whole */
    bool reduces;               /* the last to come did */
    struct emu_arrivals {       /* of each warp */
        uint8_t came;           /* lanes */
        bool mixed;             /* by several instructions */
        const struct ptx_instruction *at;
    } warps[EMU_WARP];
    uint64_t generation;
    uint32_t value, votes; /* of bar.red: how many threads said true, how many said anything */
    uint32_t last_value;   /* of the generation before */
    bool last_all;         /* whether all threads of it said true */
};

struct emu_thread {
    uint64_t *r; /* slots of the current function */
    const struct emu_op *pc, *code;
    struct emu_cta *cta;
    uint32_t index; /* linear in the CTA: tid.x + ntid.x * (tid.y + ntid.y * tid.z) */
    uint32_t tid[3];
    uint32_t lane, warp;
    enum emu_state state;
    enum emu_wait wait;
    uint64_t wait_a, wait_b;
    struct emu_frame *frame;
    unsigned char *local; /* .local memory of its frames */
    uint64_t local_size;
    uint64_t steps;                           /* instructions that it has executed or tried */
    uint8_t carry;                            /* CC.CF: 0 or 1 */
    uint64_t at_barrier;                      /* number of the CTA barrier it has arrived at, plus 1 */
    uint64_t barrier_generation;              /* that it waits for; 0: none */
    uint64_t cluster_arrived;                 /* generation of the cluster's barrier that it arrived for, plus 1 */
    const struct ptx_instruction *cluster_at; /* by which instruction */
    bool slept, polled;                       /* it has slept; it has polled in vain since something changed */
    bool went_on;                             /* its registers have changed since its poll before */
    uint64_t *poll_registers;                 /* what they were then */
    const struct emu_op *poll_at;             /* and where */
    uint32_t poll_room;                       /* registers that poll_registers has room for */
    const struct ptx_instruction *landing;    /* the copy of its that is landing now, NULL: none; for findings */
    const struct ck_rule *bounds[2];          /* what an access outside memory breaks now: the rule, another; or NULL */
    struct emu_offer *offer;                  /* to the warp-wide operation that it came to last */
    void *async;                              /* its groups: copies */
    void *order;                              /* its clocks, the judge's own */
};

struct emu_cta {
    struct emu_cluster *cluster;
    uint32_t ctaid[3], rank; /* rank in the cluster */
    unsigned char *shared;   /* static and dynamic together */
    uint64_t shared_bytes;   /* size of its window */
    struct emu_thread *threads;
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
    uint32_t cta_count, live;      /* live: CTAs with threads that have not exited */
    uint64_t random;               /* its own sequence: seed, grid and cluster number */
    jmp_buf fault;                 /* where a finding that ends the grid goes */
    void *barrier;                 /* barrier.cluster state: instructions/barrier.c */
    void *async;                   /* operations in flight: copies */
    void *order;                   /* the judge's own */
    const struct emu_watch *watch; /* NULL: nobody, or the cluster has not begun */
    bool watched;                  /* the watcher is told of loads and stores of global memory */
};

/* How the run of one cluster is going. */
struct emu_run {
    struct emu_image *image;
    uint64_t number; /* of the cluster in the grid */
    struct emu_findings findings;
    struct emu_claimer *claimer;         /* of a run on several host threads: claims.h; else NULL */
    uint64_t clock;                      /* emulated nanoseconds */
    bool clock_read;                     /* a thread has looked at a clock since the last jump */
    bool changed;                        /* something happened that a blocked thread may wait for */
    bool stuck;                          /* in its last round no thread could go on, whatever lands */
    unsigned rested;                     /* rounds since the last such */
    uint64_t near_at, near_size;         /* the allocation accessed last: where 8 bytes may begin in it */
    emu_claim *near_claims;              /* of it, where there is a claimer */
    emu_claim claim_read, claim_written; /* the cluster's marks */
    uint64_t instructions;               /* executed */
    enum emu_end end;
    char message[400];
};

struct emu_grid {
    struct emu *machine;
    const struct ptx_module *module;
    const struct ptx_function *entry;
    uint32_t dim[3], block[3], cluster_dim[3]; /* in CTAs, threads, CTAs */
    uint32_t smem;                             /* dynamic shared memory, bytes */
    const unsigned char *params;
    uint64_t param_bytes;
    uint64_t number;                 /* of launches on this machine before it */
    uint64_t executed;               /* instructions, up to the last turn that ended */
    void *order;                     /* the judge's own */
    const struct emu_watch *watch;   /* who is told of what happens: watch.h; NULL: nobody */
    const struct emu_watch *both[2]; /* of emu_watch_both: the two that it tells */
};

#endif
