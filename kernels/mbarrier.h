/* Arguments of the kernels in mbarrier.cu: a list of steps on mbarrier objects, carried out one after the other. */
#ifndef COPYCHECK_MBARRIER_H
#define COPYCHECK_MBARRIER_H

#include "kernels/args.h"

/* What a step does; one bit each. The local forms that return a state save it in slot `token`. */
enum mbarrier_op {
    MB_INIT = 1 << 0,              /* count `value` */
    MB_INVAL = 1 << 1,             /* */
    MB_ARRIVE = 1 << 2,            /* without a count */
    MB_ARRIVE_COUNT = 1 << 3,      /* count `value` */
    MB_ARRIVE_NOCOMPLETE = 1 << 4, /* count `value` */
    MB_ARRIVE_EXPECT = 1 << 5,     /* `value` bytes */
    MB_DROP = 1 << 6,              /* without a count */
    MB_DROP_COUNT = 1 << 7,        /* count `value` */
    MB_DROP_NOCOMPLETE = 1 << 8,   /* count `value` */
    MB_DROP_EXPECT = 1 << 9,       /* `value` bytes */
    MB_EXPECT = 1 << 10,           /* `value` bytes */
    MB_COMPLETE = 1 << 11,         /* `value` bytes */
    MB_TEST = 1 << 12,             /* on the state in slot `token` */
    MB_TEST_PARITY = 1 << 13,      /* on parity `value` */
    MB_TRY = 1 << 14,              /* on the state in slot `token` */
    MB_TRY_PARITY = 1 << 15,       /* on parity `value` */
    MB_TRY_HINT = 1 << 16,         /* on parity `value`, time limit `hint` ns */
    MB_PENDING = 1 << 17,          /* pending_count of the state in slot `token` */
    MB_REMOTE_ARRIVE = 1 << 18,    /* the remote forms work on the object of CTA `owner` */
    MB_REMOTE_ARRIVE_COUNT = 1 << 19,
    MB_REMOTE_ARRIVE_EXPECT = 1 << 20,
    MB_REMOTE_DROP = 1 << 21,
    MB_REMOTE_DROP_COUNT = 1 << 22,
    MB_REMOTE_EXPECT = 1 << 23,
    MB_REMOTE_COMPLETE = 1 << 24,
    MB_LOAD = 1 << 25,  /* an ordinary 8-byte load of the object's place */
    MB_STORE = 1 << 26, /* an ordinary store of `value` and `hint`, low word first */
    MB_COPY = 1 << 27,  /* an ordinary copy of object number `value` to this one's place */
    MB_PAUSE = 1 << 28, /* nothing, for `value` nanoseconds */
};

/* How it is written; one bit. Operations that lack a form take MB_PLAIN. */
enum mbarrier_form {
    MB_PLAIN = 1 << 0,           /* .shared, no order and scope */
    MB_CTA = 1 << 1,             /* .cta scope with release, acquire, or (for bytes) relaxed order */
    MB_CLUSTER = 1 << 2,         /* the same with .cluster scope */
    MB_RELAXED = 1 << 3,         /* .relaxed.cta */
    MB_RELAXED_CLUSTER = 1 << 4, /* .relaxed.cluster */
    MB_GENERIC = 1 << 5,         /* a generic address */
    MB_SINK = 1 << 6,            /* the state is dropped */
};

enum { MB_TOKENS = 32, MB_EVERY = 0xffffffff };

struct mbarrier_step {
    uint32_t op, form;
    uint32_t object; /* its number */
    uint32_t skew;   /* bytes added to its address */
    uint32_t value, hint;
    uint32_t token;          /* slot, less than MB_TOKENS; each CTA has its own */
    uint32_t cta;            /* which CTA of the cluster does it, MB_EVERY: each */
    uint32_t owner;          /* whose object a remote form works on */
    uint32_t first, threads; /* which threads of the CTA do it, all at once */
    uint32_t times;          /* how often; a wait ends with the first true */
};

/* mbarrier_steps: between two steps all threads of the cluster meet. */
struct mbarrier_steps_args {
    struct ck_head head;
    uint64_t steps;   /* device address of struct mbarrier_step[count] */
    uint64_t results; /* of uint64_t[count], zero before: waits add 1 for each thread that got true; values read */
    uint64_t image;   /* CTA 0's shared memory before, of `bytes` bytes, and after but for the objects */
    uint32_t count;
    uint32_t bytes; /* of shared memory before the token slots; a multiple of 8 */
    uint32_t base;  /* where in it object 0 is */
    uint32_t hole;  /* bytes from `base` on that are not read back: objects are not for reading */
    uint32_t ctas;  /* of the cluster */
};

#endif
