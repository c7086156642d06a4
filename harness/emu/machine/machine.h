/* The emulated machine: what executes a checked PTX module on the CPU.
 *
 * Its parts, each behind the functions declared here:
 *   machine.c memory.c load.c stack.c    memory, module loading, the engine's allocations
 *   decode.c step.c spread.c control.c   instructions made ready, threads, host threads, calls
 *   barrier.c warp.c deadlock.c          barriers, warp-wide operations, what keeps all threads waiting
 *   calls.c                              functions of the system: vprintf, malloc
 *   diagnose.c remedy.c                  what was found, in words
 *   front/    PTX text read and checked: ptx.h
 *   alu/      arithmetic, logic, conversions: pure functions of register values
 *   async/    asynchronous operations and their delivery, mbarriers, tensor maps
 *   order/    the happens-before judgement
 *
 * A thread's registers are 64-bit slots; a value is held zero-extended in its slot, whatever its type (.pred is 0 or
 * 1; .b128 takes two slots). Constants of a function stand behind its registers, so that every operand is a slot.
 *
 * A cluster runs on one host thread. Clusters run on several where they have nothing to do with one another (spread.c),
 * so that nothing here is locked but the machine's own lists; else they take turns on one.
 */
#ifndef COPYCHECK_EMU_MACHINE_H
#define COPYCHECK_EMU_MACHINE_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "expected/tensor_map.h"
#include "harness/emu/ptx/ptx.h"

struct emu;
struct emu_grid;
struct emu_cluster;
struct emu_cta;
struct emu_thread;
struct emu_op;

typedef void emu_handler(struct emu_thread *t, const struct emu_op *op);

/* One instruction, ready to run. Handlers read operands as t->r[op->a] and write t->r[op->d]; they advance nothing:
 * the loop has stepped t->pc before it calls. A handler that cannot go on calls emu_block and will be called again. */
struct emu_op {
    emu_handler *run;
    uint32_t d, a, b, c; /* slots; d2 and further ones through `more` */
    uint32_t guard;      /* slot of the guard predicate; EMU_NO for none */
    bool guard_not;
    uint8_t size;         /* bytes of the value or of one vector element, where that matters */
    uint8_t vector;       /* 1, 2, 4, 8 */
    uint16_t space;       /* PTX_shared, PTX_global, ... PTX_none for generic */
    uint16_t u16;         /* the handler's own: a comparison, a rounding mode ... */
    uint32_t u32;         /* the handler's own */
    int64_t imm;          /* an address offset, a branch target, the handler's own */
    const uint32_t *more; /* further slots: vector elements, tensor coordinates, call arguments */
    const void *data;     /* the handler's own, made when decoding */
    const struct ptx_instruction *source;
};

#define EMU_NO UINT32_MAX

/* ---- memory --------------------------------------------------------------------------------------------------
 * Generic addresses. Global memory is host memory at its own address, in allocations with bounds. The windows lie where
 * Linux on x86-64 and AArch64 puts no memory unless asked: */
#define EMU_SHARED_WINDOW 0x3e0000000000u /* + an address of the cluster window */
#define EMU_LOCAL_WINDOW  0x3d0000000000u /* + offset in the thread's local memory */
#define EMU_PARAM_WINDOW  0x3c0000000000u /* + offset in the kernel's parameters */
#define EMU_CONST_WINDOW  0x3b0000000000u /* + offset in the module's constants */
static inline bool emu_is_global(uint64_t address)
{
    return address < EMU_CONST_WINDOW || address >= EMU_SHARED_WINDOW + (1ull << 40);
}
/* A 32-bit address of the cluster window is ((rank + 1) << 24) + offset, or the offset alone in the thread's own CTA. A
 * kernel's shared memory begins at offset 1024, as on hardware, where the system keeps the first bytes. */
enum { EMU_RANK_SHIFT = 24, EMU_SHARED_BASE = 1024 };

/* EMU_WRITE_SAME, for the order checker: a store that finds the bytes there that it stores. */
enum emu_access { EMU_READ, EMU_WRITE, EMU_ATOMIC, EMU_WRITE_SAME };

/* An allocation of global memory. */
struct emu_region {
    uint64_t at, size;
    unsigned char *bytes; /* host memory: == (void *)at */
    uint32_t id;
    _Atomic uint32_t *claims; /* of each four bytes, in a run on several host threads: spread.c */
    bool heap;                /* malloc's: only some of its bytes may be used */
    bool written;             /* it has a value from before the launch */
    bool host;                /* the host has written some of it since the launch before */
    char name[32];            /* "buffer 2", "variable gbuf" */
};

/* The host bytes behind [address, address + n) of a space (PTX_none: generic), checked for bounds and alignment of
 * `align`; a violation is diagnosed and ends the thread's grid with a fault (does not return). `*offset` receives the
 * offset within what it lies in, `*cta` the CTA of a shared address, where the pointers are not NULL. Does not tell the
 * order checker. */
unsigned char *emu_bytes(struct emu_thread *t, uint16_t space, uint64_t address, uint64_t n, unsigned align,
                         enum emu_access access, uint64_t *offset, struct emu_cta **cta);

/* ---- who runs ------------------------------------------------------------------------------------------------ */

enum emu_state { EMU_READY, EMU_BLOCKED, EMU_EXITED };

/* Why a blocked thread waits, for the deadlock report. */
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

struct emu_frame; /* of a call: where to return to, the caller's registers */

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
    uint64_t steps;
    uint8_t carry;                            /* CC.CF: 0 or 1 */
    uint64_t at_barrier;                      /* number of the CTA barrier it has arrived at, plus 1 */
    uint64_t barrier_generation;              /* that it waits for; 0: none */
    uint64_t cluster_arrived;                 /* generation of the cluster's barrier that it arrived for, plus 1 */
    const struct ptx_instruction *cluster_at; /* by which instruction */
    bool slept, polled;                       /* it has slept; it has polled in vain since something changed */
    bool went_on;                             /* its registers are not what they were at its poll before */
    uint64_t *poll_registers;                 /* what they were then */
    const struct emu_op *poll_at;             /* and where */
    uint32_t poll_room;
    const struct ptx_instruction *landing; /* the copy of its that is carried out now, NULL: none; for findings */
    const struct ck_rule *bounds[2];       /* what an access outside memory breaks now: the rule, another; or NULL */
    void *offer;                           /* what it brought to a warp-wide operation: warp.c */
    void *async;                           /* its groups: async.c */
    void *order;                           /* its clocks: order.c */
};

struct emu_cta {
    struct emu_cluster *cluster;
    uint32_t ctaid[3], rank; /* rank in the cluster */
    unsigned char *shared;   /* static and dynamic together */
    uint64_t shared_bytes;   /* size of its window */
    struct emu_thread *threads;
    uint32_t thread_count, live;
    void *barriers; /* bar.sync state: barrier.c */
    void *async;    /* lives of its mbarriers: life.c */
    void *order;    /* shadow of its shared memory: order.c */
};

struct emu_cluster {
    void *run; /* its scheduler's own: step.c */
    struct emu_grid *grid;
    uint32_t id[3], dim[3];
    struct emu_cta *ctas;
    uint32_t cta_count, live;
    uint64_t random; /* its own sequence: seed, grid and cluster number */
    jmp_buf fault;   /* where a finding that ends the grid goes */
    void *barrier;   /* barrier.cluster state */
    void *async;     /* operations in flight: async.c */
    void *order;
};

enum emu_delivery { EMU_LATE, EMU_EAGER, EMU_RANDOM };

struct emu_options {
    enum emu_delivery delivery;
    uint64_t seed;
    unsigned jobs;             /* host threads */
    uint64_t max_instructions; /* of a grid; 0: the default */
    uint64_t max_memory;
    FILE *print;        /* where vprintf writes; NULL: nowhere */
    bool check_order;   /* the happens-before checker */
    bool check_init;    /* with it: reads of shared bytes that nobody wrote */
    bool check_swizzle; /* with it: reads of swizzled tiles are held against natural order */
    bool check_reads;   /* with it: a proxy fence is asked for behind generic reads too, before a copy overwrites */
};

struct emu_grid {
    struct emu *machine;
    const struct ptx_module *module;
    const struct ptx_function *entry;
    uint32_t dim[3], block[3], cluster_dim[3]; /* in CTAs, threads, CTAs */
    uint32_t smem;                             /* dynamic shared memory, bytes */
    const unsigned char *params;
    uint64_t param_bytes;
    uint64_t number;   /* of launches on this machine before it */
    uint64_t executed; /* instructions, up to the last turn that ended */
    void *order;       /* what the order checker knows of the grid as a whole: order_grid.c */
};

/* ---- running -------------------------------------------------------------------------------------------------- */

/* The thread cannot go on: it is called again at the same instruction when something changed. Handlers return after
 * it. If no thread of the cluster can go on and nothing is in flight, that is a deadlock. */
void emu_block(struct emu_thread *t, enum emu_wait wait, uint64_t a, uint64_t b);
/* A poll that the program repeats by itself (test_wait, a false try_wait) was in vain: others run before it goes on.
 * The mbarrier's offset and the phase that is not over are for the report of a deadlock. */
void emu_poll(struct emu_thread *t, uint64_t offset, uint64_t phase);
/* Something that blocked threads of this cluster may wait for has changed. */
void emu_wake(struct emu_cluster *c);

/* The handler of an instruction, by its part; NULL where the part does not model it. Each may fill in op->u16, u32,
 * imm, more, data; operands a, b, c, d are set already for register, immediate and special operands. */
emu_handler *emu_decode_alu(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op);
emu_handler *emu_decode_async(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op);

/* ---- asynchronous operations: async.c -------------------------------------------------------------------------- */

void emu_async_begin(struct emu_cluster *c);
void emu_async_end(struct emu_cluster *c);  /* copies never waited for are diagnosed, then delivered */
void emu_async_free(struct emu_cluster *c); /* also after a fault */
/* Delivers what is in flight and may be delivered, as the options say: called when no thread of the cluster can go on
 * (late), after every step (random, eager). True if something was delivered. */
bool emu_async_deliver(struct emu_cluster *c, bool must);

/* Puts the object of a legal map into 128 bytes: equal maps make equal objects. tensormap.c */
void emu_map_encode(const struct tensor_map *map, void *object);

/* ---- order: order.c ---------------------------------------------------------------------------------------------
 * Told of every access and of everything that orders accesses; docs/order.md has the table of edges. All return at once
 * where options.check_order is off. */
void emu_order_grid_begin(struct emu_grid *g); /* before its first cluster; again where a grid is run again */
void emu_order_grid_end(struct emu_grid *g);   /* after its last */
void emu_order_begin(struct emu_cluster *c);
void emu_order_end(struct emu_cluster *c);
/* The thread's current instruction loads, stores, or changes n bytes; its memory order counts too. `address` is an
 * offset where there is a CTA. Told before the access takes place. */
void emu_order_access(struct emu_thread *t, uint16_t space, struct emu_cta *cta, uint64_t address, uint64_t n,
                      enum emu_access access);
/* The same for a weak access of 1, 2, 4 or 8 bytes, aligned to their number, of shared or global memory, where the
 * checker is on: the common case. `at` is the instruction's place in the module. order_line.c */
void emu_order_plain(struct emu_thread *t, uint32_t at, struct emu_cta *cta, uint64_t address, unsigned n,
                     enum emu_access access);
void emu_order_store(struct emu_thread *t, uint32_t at, struct emu_cta *cta, uint64_t address, unsigned n,
                     enum emu_access access); /* the same, of a store */
/* bar.warp.sync: all before happens before all after, for these threads. */
void emu_order_meet(struct emu_thread *const *threads, uint32_t count);
/* match.sync: the threads were there before any of them goes on, which orders no memory. */
void emu_order_converge(struct emu_thread *const *threads, uint32_t count);
/* A barrier of the CTA: a thread arrives; the barrier completes (t: any thread of the CTA); a thread goes on behind it.
 */
void emu_order_bar_arrive(struct emu_thread *t, uint64_t number);
void emu_order_bar_complete(struct emu_thread *t, uint64_t number);
void emu_order_bar_wait(struct emu_thread *t, uint64_t number);
/* The same of barrier.cluster. */
void emu_order_cluster_arrive(struct emu_thread *t, bool relaxed);
void emu_order_cluster_complete(struct emu_cluster *c);
void emu_order_cluster_wait(struct emu_thread *t);
/* fence, membar; fence.mbarrier_init; fence.proxy.*. */
void emu_order_fence(struct emu_thread *t, const struct ptx_instruction *i);
void emu_order_fence_init(struct emu_thread *t);
/* `address`: of an acquire fence of the tensormap proxy. */
void emu_order_proxy_fence(struct emu_thread *t, const struct ptx_instruction *i, uint64_t address);
/* prefetch.tensormap of a generic address. */
void emu_order_map_prefetch(struct emu_thread *t, uint64_t address);
/* An mbarrier: init; arrive or arrive_drop, before it takes effect; expect_tx; a phase has completed; test_wait or
 * try_wait came back. `wide`: a scope beyond the CTA. */
void emu_order_mbarrier_init(struct emu_thread *t, struct emu_cta *cta, uint64_t offset);
void emu_order_arrive(struct emu_thread *t, struct emu_cta *cta, uint64_t offset, bool relaxed, bool wide);
void emu_order_expect(struct emu_thread *t, struct emu_cta *cta, uint64_t offset);
void emu_order_phase(struct emu_thread *t, struct emu_cta *cta, uint64_t offset);
void emu_order_wait(struct emu_thread *t, struct emu_cta *cta, uint64_t offset, bool done, bool relaxed, bool wide);
/* A copy, or an arrival of cp.async.mbarrier.arrive, is issued, all its fields set; it signals an mbarrier, before that
 * counts it. */
struct emu_flight;
void emu_order_fly(struct emu_flight *f);
/* It uses the tensor map at this generic address; told behind emu_order_fly. */
void emu_order_map_use(struct emu_flight *f, uint64_t address);
void emu_order_signal(struct emu_flight *f, struct emu_cta *cta, uint64_t offset);
/* The place of a thread in its program now, 0 where nothing is checked; whether this thread knows that another one has
 * gone beyond such a place, by whatever means. */
uint32_t emu_order_now(const struct emu_thread *t);
bool emu_order_knows(const struct emu_thread *t, const struct emu_thread *other, uint32_t place);
/* nanosleep came back. */
void emu_order_slept(struct emu_thread *t);
/* Groups of cp.async or of bulk operations: a commit; a wait that leaves `pending` groups, for reads alone or all. */
void emu_order_commit(struct emu_thread *t, bool bulk);
void emu_order_group_wait(struct emu_thread *t, bool bulk, bool read, uint64_t pending);

/* ---- findings: diagnose.c --------------------------------------------------------------------------------------- */

enum { EMU_ALSO = 2 };

struct emu_finding {
    const struct ck_rule *rule;           /* the one that says it best; NULL: none of the catalogue */
    const struct ck_rule *also[EMU_ALSO]; /* others that this same fault breaks, NULL behind them */
    char message[400];                    /* one sentence, with the numbers */
    char remedy[160];                     /* one line */
    /* the access at fault, and the other one where there are two */
    struct emu_place {
        bool known;
        uint32_t ctaid[3], tid[3];
        const struct ptx_instruction *at;
        uint64_t address, bytes;
    } here, there;
    char table[2000]; /* a group table, a grid of bytes, the waiters of a deadlock; "" for none */
};

/* Files a finding; the same rule at the same two instructions is filed once. Goes on. */
void emu_find(struct emu_grid *g, const struct emu_finding *finding);
/* Whether a finding of this rule at these two instructions has been filed. */
bool emu_found(struct emu_grid *g, const struct ck_rule *rule, const struct ptx_instruction *here,
               const struct ptx_instruction *there);
/* Files a finding about the thread's current instruction, with the remedy of its rule, and goes on; `also` may be NULL.
 */
void emu_complain(struct emu_thread *t, const struct ck_rule *rule, const struct ck_rule *also, uint64_t address,
                  uint64_t bytes, const char *format, ...) __attribute__((format(printf, 6, 7)));
/* What to do about a broken rule, one line; "" where only the situation tells: remedy.c. */
const char *emu_remedy(const struct ck_rule *rule);
/* The rule of another family that says the same, or NULL. */
const struct ck_rule *emu_twin(const struct ck_rule *rule);
/* Files it and ends the grid as a fault: does not return. */
void emu_fault(struct emu_thread *t, const struct emu_finding *finding) __attribute__((noreturn));
/* An instruction or form that is known and not modelled: ends the grid as unsupported, "unsupported: LINE: TEXT". */
void emu_unsupported(struct emu_thread *t, const struct ptx_instruction *i) __attribute__((noreturn));

/* ---- the machine as its users see it ----------------------------------------------------------------------------- */

struct emu *emu_new(const struct emu_options *options);
void emu_free(struct emu *e);

/* Adds a module: variables get memory, initialisers their addresses. The module stays the caller's and must outlive
 * the machine. False with a line. */
bool emu_load(struct emu *e, const struct ptx_module *m, char *error, size_t size);

/* Writes a module's global or constant variable from its start; false where there is none, or it is smaller. */
bool emu_set_variable(struct emu *e, const struct ptx_module *m, const char *name, const void *bytes, size_t size);

/* Global memory; 0 where max_memory is reached. Zero-filled, counted as never written unless `written`. */
uint64_t emu_alloc(struct emu *e, uint64_t bytes, unsigned align, bool written, const char *name);
void emu_release_all(struct emu *e); /* all allocations, not the modules' variables */
bool emu_write(struct emu *e, uint64_t to, const void *from, uint64_t bytes);
bool emu_read(struct emu *e, void *to, uint64_t from, uint64_t bytes);

enum emu_end { EMU_DONE, EMU_FAULTED, EMU_DEADLOCK, EMU_UNSUPPORTED, EMU_TOO_LONG, EMU_BAD_LAUNCH };

struct emu_report {
    enum emu_end end;
    char message[400]; /* where it did not end: one line */
    const struct emu_finding *findings;
    size_t count;
    uint64_t instructions;
    unsigned jobs; /* host threads that its clusters ran on: 1 where they have to do with one another */
};

/* Runs a grid to its end. The report lives until the next launch. */
enum emu_end emu_launch(struct emu *e, const char *entry, const uint32_t grid[3], const uint32_t block[3],
                        const uint32_t cluster[3], uint32_t smem, const void *params, size_t param_bytes,
                        struct emu_report *report);

#endif
