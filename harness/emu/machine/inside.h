/* What the parts of the emulated machine share and nobody else sees. */
#ifndef COPYCHECK_EMU_INSIDE_H
#define COPYCHECK_EMU_INSIDE_H

#include <pthread.h>
#include <string.h>

#include "harness/emu/machine/machine.h"

/* Four bytes of global memory in a run on several host threads: which cluster read or wrote them. spread.c */
typedef _Atomic uint32_t emu_claim;

enum { EMU_BARRIERS = 16, EMU_WARP = 32, EMU_LOCAL_MAX = 512 << 10 /* bytes of a thread, as on the device */ };

struct list;

/* A function made ready: its ops, and the template of a frame's slots. */
struct emu_code {
    const struct ptx_function *function;
    struct emu_op *ops;  /* one for each instruction, and a return behind the last */
    uint32_t *slot_of;   /* of each register */
    uint32_t slots;      /* registers, then specials, then constants */
    uint64_t *constants; /* of slots [first_constant, slots) */
    uint32_t first_constant;
    uint32_t first_special, special_count;
    struct emu_special { /* a special register that a slot holds from the frame's making on */
        uint16_t special;
        uint8_t component;
        uint32_t slot;
    } * specials;
    uint64_t frame_bytes; /* of .param variables of the body, 16-byte multiple */
    struct list *lists;   /* slot lists that ops point into: decode.c */
};

/* A module loaded: where its variables are, and its code, made when first called. */
struct emu_image {
    const struct ptx_module *module;
    uint64_t *address; /* of each variable, within its space; global: the address itself */
    struct emu_code **code;
    uint64_t shared_bytes; /* static shared memory of the module's variables, aligned */
    unsigned char *constants;
    uint64_t const_bytes;
    pthread_mutex_t lock; /* of `code` while it is made */
    struct emu_image *next;
};

/* A called function's place: its caller, its parameters, its body's .param variables, its .local memory. */
struct emu_frame {
    struct emu_frame *caller;
    const struct emu_code *code;
    const struct emu_op *back; /* where the caller goes on */
    uint64_t *r;
    unsigned char *params;    /* returns, then parameters, each by its offset: see emu_param */
    unsigned char *variables; /* .param variables of the body */
    uint64_t local_base;      /* of its .local variables, in the thread's local memory */
    uint64_t local_top;       /* behind them: where a callee's begin; alloca raises it */
    uint64_t params_at;       /* of the copy of its parameters in local memory, once an address of theirs is taken */
    bool params_copied;
    uint32_t depth;
    uint64_t bytes; /* reserved for it */
};

/* Findings of a cluster, in the order in which they were made; of a launch, by cluster. */
struct emu_findings {
    struct emu_finding *all;
    uint64_t *cluster; /* of a launch: who made each */
    size_t count, room;
};

struct emu {
    struct emu_options options;
    struct emu_image *images;
    struct emu_region *regions; /* sorted by address */
    size_t region_count, region_room;
    uint64_t memory; /* bytes taken */
    uint64_t launches;
    struct emu_findings findings; /* of the launch */
    struct emu_heap *heap;        /* of malloc: calls.c */
    pthread_mutex_t lock;         /* findings, printf, the heap, atomics of global memory */
};

/* How one cluster's run stands: its scheduler's own. */
struct emu_run {
    struct emu_image *image;
    uint64_t number; /* of the cluster in the grid */
    struct emu_findings findings;
    struct emu_worker *worker;           /* of a run on several host threads: spread.c; else NULL */
    uint64_t clock;                      /* emulated nanoseconds */
    bool clock_read;                     /* a thread has looked at a clock since the last jump */
    bool changed;                        /* something happened that a blocked thread may wait for */
    bool stuck;                          /* in its last round no thread could go on, whatever lands */
    unsigned rested;                     /* rounds since the last such */
    uint64_t near_at, near_size;         /* the allocation accessed last: where 8 bytes may begin in it */
    emu_claim *near_claims;              /* of it, where there is a worker */
    emu_claim claim_read, claim_written; /* the cluster's marks */
    uint64_t instructions;               /* executed */
    enum emu_end end;
    char message[400];
};

struct emu_run *emu_run_of(struct emu_thread *t);

/* Where findings go from now on, on this host thread; NULL: to the machine. What a cluster found joins the launch's. */
void emu_file_into(struct emu_findings *to);
void emu_file_cluster(struct emu *e, struct emu_run *run);
void emu_findings_sort(struct emu_findings *f);
void emu_findings_free(struct emu_findings *f);

/* A cluster from its making on: step.c. */
enum emu_stuck { EMU_HELPED, EMU_TIME, EMU_STUCK }; /* of a round in which no thread could go on: what helps */
struct emu_code;
bool emu_cluster_begin(struct emu_grid *g, struct emu_image *image, const struct emu_code *code, uint64_t number,
                       struct emu_cluster *c, struct emu_run *run);
enum emu_stuck emu_cluster_round(struct emu_cluster *c, struct emu_run *run);
void emu_cluster_finish(struct emu_cluster *c, struct emu_run *run, struct emu_report *report);
uint64_t emu_instruction_limit(const struct emu_options *o); /* of a grid */
/* As many CTAs are resident at a time as an H200 has multiprocessors. */
enum { EMU_RESIDENT_CTAS = 132 };

/* The clusters of a grid on several host threads: spread.c. False where they have to do with one another, and nothing
 * has been done then. */
bool emu_spread_grid(struct emu_grid *g, struct emu_image *image, const struct emu_code *code, uint64_t total,
                     struct emu_report *report);
/* The thread is about to access bytes of global memory: does not return where another cluster has, and one of them
 * writes. For runs with a worker. */
void emu_claim_bytes(struct emu_thread *t, struct emu_region *r, uint64_t address, uint64_t n, bool writes);
/* The thread is about to do what concerns the machine as a whole: does not return where several host threads run. */
void emu_alone(struct emu_thread *t);

/* What this host thread may take, and has taken, while several run: a share of what is left. 0: no such bound. */
void emu_reserve_share(uint64_t bytes);
/* Host memory that stands for shared and local memory counts as global memory does: false where options.max_memory is
 * reached. */
bool emu_reserve(struct emu *e, uint64_t bytes);
void emu_unreserve(struct emu *e, uint64_t bytes);

/* The image of a grid's module; its code for a function, made ready at the first call. NULL with a line where an
 * instruction is not modelled (the op then ends the grid as unsupported when it is reached, so this is memory only). */
struct emu_image *emu_image_of(struct emu *e, const struct ptx_module *m);
const struct emu_code *emu_code_of(struct emu *e, struct emu_image *image, uint32_t function);

/* The handler behind a function's last instruction: a return. */
emu_handler emu_end_of;
void emu_free_lists(struct emu_code *c);

emu_handler *emu_decode_memory(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op);
emu_handler *emu_decode_atomic(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op);
emu_handler *emu_decode_stack(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op);
emu_handler *emu_decode_control(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op);
emu_handler *emu_decode_barrier(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op);
emu_handler *emu_decode_warp(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op);

/* The operation of an atomic or reduction: PTX_add ... PTX_cas; PTX_none for none of them. */
uint16_t emu_atom_word(const struct ptx_module *m, const struct ptx_instruction *i);

/* While decoding: the slot of an operand, a constant's slot. The type says how an immediate is held. */
struct emu_decoder;
uint32_t emu_slot(const struct ptx_operand *o, uint16_t type);
uint32_t emu_constant(uint64_t value);
struct emu_decoder *emu_decoder_now(void);
const uint32_t *emu_slots_kept(const uint32_t *slots, unsigned count); /* lives as long as the code */
/* Bytes of a register operand as it is declared; of a vector, of its first register. */
unsigned emu_register_bytes(const struct ptx_operand *o);
/* Memory that lives as long as the code; a slot in it that gets its final number at the end of decoding; the op that
 * an instruction of the module becomes, counted from its function's first. */
void *emu_kept(size_t bytes);
void emu_settle_later(uint32_t *slot);
uint32_t emu_target(uint32_t instruction);
/* Splits an address operand into a slot and an offset, and settles the space of a variable that is named. */
void emu_address(const struct ptx_operand *o, struct emu_op *op, uint32_t *slot, int64_t *offset);

/* The bytes of a thread's own access, as emu_bytes, n of them aligned to n; the order checker is told. */
unsigned char *emu_access_bytes(struct emu_thread *t, const struct emu_op *op, uint64_t address, unsigned n,
                                enum emu_access access);

/* Whether the host has written to the allocation of this address since the launch before. */
bool emu_host_wrote(struct emu *e, uint64_t address);

/* The value of a special register that stays the same; whether it does not. */
uint64_t emu_special_value(const struct emu_thread *t, uint16_t special, uint8_t component);
bool emu_special_changes(uint16_t special);
/* A function without a body: vprintf, malloc, free, __assertfail. calls.c */
void emu_system_call(struct emu_thread *t, const struct emu_op *op, const struct ptx_function *f);
/* The k-th argument of a call, its first 8 bytes; what it returns. */
uint64_t emu_call_argument(struct emu_thread *t, const struct emu_op *op, unsigned k);
void emu_call_return(struct emu_thread *t, const struct emu_op *op, uint64_t value);
/* The heap of a module that calls malloc, before its launch; false where there is no room for it. */
bool emu_heap_prepare(struct emu *e, const struct ptx_module *m);
void emu_heap_free(struct emu *e);
/* Ends the grid unless the bytes lie in a block that malloc gave and nobody freed. */
void emu_heap_check(struct emu_thread *t, uint64_t address, uint64_t n);

void emu_place_of(const struct emu_thread *t, uint64_t address, uint64_t bytes, struct emu_place *out);

void emu_barriers_exit(struct emu_thread *t);
void emu_cluster_exit(struct emu_thread *t);

/* Makes sure that the thread's local memory reaches to `top`; false where there is no room. stack.c */
bool emu_local_room(struct emu_thread *t, uint64_t top);
bool emu_frame_push(struct emu_thread *t, const struct emu_code *code, const struct emu_op *back);
void emu_frame_pop(struct emu_thread *t);
void emu_exit(struct emu_thread *t); /* the thread has left the grid */

/* Nobody goes on: files a finding with every waiter of this cluster. `others`: how many clusters wait beside it. */
void emu_deadlock(struct emu_cluster *c, size_t others);
/* How many have come to a barrier of a CTA that is not complete, and how many it waits for. */
void emu_barrier_counts(const struct emu_cta *cta, uint64_t number, uint32_t *arrived, uint32_t *expected);

/* Runs every cluster of a grid. */
enum emu_end emu_step_grid(struct emu_grid *g, struct emu_report *report);

/* A violation of memory: files a finding of this rule (may be NULL) and ends the grid. */
void emu_bad_access(struct emu_thread *t, const struct ck_rule *rule, uint64_t address, uint64_t bytes,
                    const char *format, ...) __attribute__((noreturn, format(printf, 5, 6)));

/* Copies and fills in pieces below the size from which libc takes `rep movsb`: slow on some processors, and an
 * instruction a byte to who counts them. */
enum { EMU_PIECE = 1024 };

/* The compiler is not to know how much a piece is at most: it would copy by words itself, where libc takes vectors. */
static inline size_t emu_piece(size_t left)
{
    size_t n = left < EMU_PIECE ? left : EMU_PIECE;

    __asm__("" : "+r"(n));
    return n;
}

static inline void emu_copy(void *to, const void *from, size_t n)
{
    for (size_t done = 0; done < n; done += EMU_PIECE)
        memcpy((char *)to + done, (const char *)from + done, emu_piece(n - done));
}

static inline void emu_fill(void *to, int byte, size_t n)
{
    for (size_t done = 0; done < n; done += EMU_PIECE)
        memset((char *)to + done, byte, emu_piece(n - done));
}

static inline uint64_t emu_low(uint64_t value, unsigned bytes)
{
    return bytes >= 8 ? value : value & ((1ull << bytes * 8) - 1);
}

#endif
