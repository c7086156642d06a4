/* Asynchronous operations in flight, groups, and mbarrier objects: what async.c, mbarrier.c, copy.c and tensor.c share.
 */
#ifndef COPYCHECK_EMU_ASYNC_H
#define COPYCHECK_EMU_ASYNC_H

#include "harness/emu/machine/inside.h"

/* A run of bytes that is copied: from where to where. */
enum emu_flight_kind {
    EMU_COPY,   /* bytes from one place to another */
    EMU_REDUCE, /* bytes combined into global or shared memory */
    EMU_TENSOR_LOAD,
    EMU_TENSOR_STORE,
    EMU_ARRIVE, /* cp.async.mbarrier.arrive: arrives when the thread's earlier cp.async have completed */
};

enum emu_group { EMU_NO_GROUP, EMU_CP_ASYNC_GROUP, EMU_BULK_GROUP };

struct emu_flight {
    struct emu_flight *next; /* in the order of issue */
    enum emu_flight_kind kind;
    struct emu_thread *thread;
    const struct ptx_instruction *at;
    enum emu_group group;
    uint64_t group_number; /* of the thread's groups of this kind */
    bool read;             /* the source has been read: its bytes are in `bytes` */
    bool landing;          /* it lands now */
    uint64_t size;         /* of the source; of a tensor copy, bytes signalled */
    uint64_t copied;       /* of them, what cp.async takes from the source; the rest is zeros */
    /* places: a CTA and an offset for shared memory, an address for global */
    struct emu_cta *from_cta;
    uint64_t from;
    struct emu_cta *to_cta;
    uint64_t to;
    uint16_t multicast;      /* ranks that receive it, 0: to_cta alone */
    struct emu_cta *bar_cta; /* of the mbarrier that it signals, NULL: none */
    uint64_t bar;
    uint16_t op, type; /* of a reduction */
    struct tensor_map map;
    int32_t corner[TENSOR_CORNER];
    bool value;           /* st.async or red.async: from registers, in the generic proxy */
    uint32_t order;       /* its number in the order checker: order.c */
    unsigned char *bytes; /* what was read */
};

struct emu_flights {
    struct emu_flight *first, **last;
};

/* A thread's groups of one kind: the one that collects now. Groups below it are committed. */
struct emu_groups {
    uint64_t open[3]; /* by enum emu_group */
};

/* An operand of a copy in memory, and the rules that it is under; a rule that is NULL does not exist. */
struct emu_operand {
    const char *what; /* "source" */
    uint16_t space;
    uint64_t address, bytes;
    unsigned align;
    enum emu_access access;
    const struct ck_rule *aligned, *inside, *also; /* its alignment; its bounds, and another rule broken with them */
    const struct ck_rule *own;                     /* that .shared::cta means the executing CTA */
};
/* Where it lies: a CTA and an offset, or no CTA and a global address; ends the grid where a rule is broken that leaves
 * nothing to go on with. */
void emu_operand_place(struct emu_thread *t, const struct emu_operand *o, struct emu_cta **cta, uint64_t *at);
/* A multicast mask: CTAs that exist, and have not exited. */
void emu_operand_mask(struct emu_thread *t, uint16_t mask);
/* A copy lands in a CTA: it must not have exited. */
void emu_operand_landing(const struct emu_flight *f, const struct emu_cta *to);

uint64_t emu_groups_open(struct emu_thread *t, enum emu_group kind);
struct emu_flight *emu_fly(struct emu_thread *t, const struct emu_op *op, enum emu_flight_kind kind);
/* Reads the source of a flight, if that has not been done; carries it out, signals, and takes it off the list. */
void emu_flight_read(struct emu_flight *f);
void emu_flight_land(struct emu_flight *f);

void emu_mbarrier_complete(struct emu_thread *t, struct emu_cta *cta, uint64_t offset, uint64_t bytes);
void emu_mbarrier_arrive(struct emu_thread *t, struct emu_cta *cta, uint64_t offset, bool pending_up);
/* The place of the object that an operand names: checked for its state space, its alignment and its CTA's life.
 * `window` is the rule of an address outside shared memory. */
void emu_mbarrier_place(struct emu_thread *t, uint16_t space, uint64_t address, const struct ck_rule *window,
                        struct emu_cta **cta, uint64_t *offset);

emu_handler *emu_decode_mbarrier(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op);
emu_handler *emu_decode_copy(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op);
emu_handler *emu_decode_tensor(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op);

/* What a tensor copy does to memory: tensor.c. */
void emu_tensor_read(struct emu_flight *f);
void emu_tensor_land(struct emu_flight *f);

#endif
