/* One instruction, ready to run: its handler, and what the handler needs. state.h includes it.
 *
 * A thread's registers are 64-bit slots; a value is zero-extended in its slot, whatever its type (.pred is 0 or 1;
 * .b128 takes two slots). A function's constants lie behind its registers, so that every operand is a slot. The slots
 * of a warp lie together, all lanes of one before all lanes of the next, so an op has a slot's number times EMU_WARP.
 */
#ifndef COPYCHECK_EMU_MACHINE_OP_H
#define COPYCHECK_EMU_MACHINE_OP_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/emu/ptx/ptx.h"

struct emu_fetched;
struct emu_op;
struct emu_overwritten;
struct emu_thread;

typedef void emu_handler(struct emu_thread *t, const struct emu_op *op);
/* The same for lanes of a warp: r are the slots of its block; on[i] is 0 where lane i has no part in it, NULL: all
 * have. Only registers change. */
typedef void emu_lanes(uint64_t *r, const struct emu_op *op, const uint64_t *on);
/* The same for an op that does more: by the lanes of a set, `lanes` being all of the warp. */
typedef void emu_whole(struct emu_thread *lanes, uint32_t set, const struct emu_op *op);
/* The same for a load or store of memory that is a lane's own; what it overwrites is kept, unless that is NULL. False:
 * not all lanes may access all of it, and nothing has been done. */
typedef bool emu_private(struct emu_thread *lanes, uint32_t set, const struct emu_op *op, struct emu_overwritten *kept);
/* The same for a fetch of texels, in any order of lanes. False: not all lanes may, and nothing has been done. */
typedef bool emu_fetches(struct emu_thread *lanes, uint32_t set, const struct emu_op *op, struct emu_fetched *of);

/* How the lanes of a warp execute an op in a window (schedule/window.c). */
enum emu_together {
    EMU_APART,  /* one thread after the other, outside of it */
    EMU_PURE,   /* it reads and writes registers of its own thread alone */
    EMU_BRANCH, /* bra */
    EMU_LOAD,   /* a common load or store: instructions/memory.c */
    EMU_STORE,
    EMU_FRAME,   /* it writes to memory of its own thread's frame */
    EMU_PRIVATE, /* it reads constants, or its own thread's local memory, or writes that: instructions/private.c */
    EMU_FETCH,   /* tex: texture/together.c */
    EMU_BARRIER, /* bar.sync of all threads of the CTA: a thread that comes to it blocks */
    EMU_MEETING, /* of all lanes of a warp: a matrix instruction */
    EMU_END,     /* exit; ret, which is one in a kernel's own frame */
};

/* Which registers an op writes of those that its first operand names; no op that a window executes writes others. */
enum emu_writes {
    EMU_WRITES_NONE,
    EMU_WRITES_ONE,     /* slot op->d */
    EMU_WRITES_SEVERAL, /* all of them, or some */
};

#define EMU_NO UINT32_MAX /* in place of a slot: there is none */

/* Lanes of a warp; how far a slot of a thread is from its next one, in words. */
enum { EMU_WARP = 32 };

/* The registers that an op accesses, of those that products of its function (wgmma) use; numbered from 0 in the
 * function. And its own handler. */
struct emu_touched {
    emu_handler *run;
    uint32_t count;
    uint32_t registers[];
};

/* One instruction, ready to run. Handlers read operands as t->r[op->a] and write t->r[op->d]; they advance nothing:
 * the loop has stepped t->pc before it calls. A handler that cannot go on calls emu_block and will be called again. */
struct emu_op {
    emu_handler *run;
    emu_lanes *lanes; /* of EMU_PURE; NULL: `run` does it, lane by lane */
    union {
        emu_whole *whole; /* of some EMU_PURE without it; of EMU_BARRIER, where all come to it, or all go on behind; of
                             EMU_MEETING, where all have come; of EMU_END, where they leave the grid and nobody waits
                             at a barrier */
        emu_private *private; /* of EMU_PRIVATE */
        emu_fetches *fetches; /* of EMU_FETCH */
    };
    uint32_t d, a, b, c; /* slots of operands 0 to 3, unless the decoder says otherwise */
    uint32_t guard;      /* slot of the guard predicate; EMU_NO for none */
    bool guard_not;
    uint8_t size;     /* bytes of the value or of one vector element, where that matters */
    uint8_t vector;   /* 1, 2, 4, 8 */
    uint8_t sync;     /* enum emu_sync: sync.h */
    uint16_t space;   /* PTX_shared, PTX_global, ... PTX_none for generic */
    uint8_t together; /* enum emu_together */
    uint8_t writes;   /* enum emu_writes */
    bool endless;     /* no way leads from here to the function's end */
    bool calm;        /* of EMU_MEETING: only registers change, nobody blocks, and `whole` leaves t->pc as it is */
    uint8_t meets;    /* at which others lanes of the warp may be for what this one does: those of the same number; 0:
                         at this one alone. warp.c numbers operations with their qualifiers */
    const struct ptx_instruction *source;
    int64_t offset;                    /* of the address operand, in bytes */
    const struct emu_touched *touched; /* of an op that wgmma/registers.c watches, else NULL */
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
            bool constant;  /* a load of what nobody writes: ld.global.nc, ldu */
            bool of_params; /* of ld.param and st.param in a function: its parameters, not a call's variables */
            bool in_frame;  /* of ld.local and st.local: the address counts from where its frame's variables begin */
        } memory;
        struct {
            const uint32_t *elements; /* slots of a vector: where old values go, or EMU_NO, then the operands */
            uint16_t word, type;      /* PTX_add ... PTX_cas; PTX_u32 ... */
            uint8_t claim;            /* enum emu_claim_kind */
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
        const struct emu_wmma *wmma;
        struct emu_wgmma *wgmma; /* wgmma.mma_async */
        uint64_t wgmma_keep;     /* wgmma.wait_group: how many of the newest groups may stay pending */
        struct {
            uint16_t count;
            bool more; /* .inc */
        } registers;   /* setmaxnreg */

        /* texture */
        const struct emu_fetch *fetch; /* tex, tld4, suld, sust, sured */
        struct {
            bool surface;
            uint16_t word; /* what is asked: PTX_width ... */
        } query;           /* txq, suq */

        /* copies */
        struct {
            bool drop, no_complete; /* .arrive_drop; .noComplete */
            bool by_parity;         /* waits: on a parity, not on a state */
            bool relaxed, wide;     /* wide: of a scope beyond the CTA */
            bool bare;              /* no scope is written */
            bool pending_counts;    /* cp.async.mbarrier.arrive without .noinc */
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
        uint32_t policy; /* createpolicy: what does not depend on its operands, of the upper word */
        const struct emu_bulk *bulk;
        const struct emu_async_store *async_store;
        const struct emu_tensor *tensor;
        struct {
            int64_t from_offset; /* of tensormap.cp_fenceproxy's source, in bytes */
            uint16_t field;      /* as map_object.c numbers them */
            uint32_t entry;      /* of a field that has several */
        } map;
    };
};

#endif
// SPDX-License-Identifier: Apache-2.0
