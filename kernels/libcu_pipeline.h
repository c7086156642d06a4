/* Arguments of the kernels in libcu_pipeline.cu. */
#ifndef COPYCHECK_LIBCU_PIPELINE_H
#define COPYCHECK_LIBCU_PIPELINE_H

#include "kernels/args.h"

enum { PIPE_STATE = 1024 /* bytes that hold the shared state of any pipeline here */, PIPE_CHUNK = 16 };

/* A unified pipeline of all threads, or one of each warp. Each batch has a chunk of 16 bytes for each thread. */
struct pipe_ring_args {
    struct ck_head head;
    CK_PTR(unsigned char) in;  /* the chunks of all batches */
    CK_PTR(unsigned char) out; /* the same, by way of the pipeline */
    uint32_t batches, stages;  /* stages: 1, 2, 3, 4 or 8 */
    uint32_t warps;            /* each warp has a pipeline of its own */
    uint32_t together;         /* the group makes one copy of a batch, not each thread one */
    uint32_t late;             /* of the mutant that releases early: nanoseconds until it reads */
};

/* Which threads of a partitioned pipeline produce. */
enum pipe_split { PIPE_FIRST, PIPE_LAST, PIPE_EVEN };

/* What one thread does that it must not. */
enum pipe_wrong {
    PIPE_RIGHT,
    PIPE_CONSUMER_ACQUIRES,
    PIPE_CONSUMER_COMMITS,
    PIPE_PRODUCER_WAITS,
    PIPE_PRODUCER_RELEASES,
    PIPE_NOT_MADE,    /* does not call make_pipeline */
    PIPE_OTHER_COUNT, /* calls it with another number of producers */
};

/* A partitioned pipeline of block scope. Each batch has a chunk of 16 bytes for each thread of the block: producers
 * copy them in turn, consumers read them in turn. */
struct pipe_roles_args {
    struct ck_head head;
    CK_PTR(unsigned char) in;
    CK_PTR(unsigned char) out;
    uint32_t batches, stages;
    uint32_t producers; /* that there are */
    uint32_t count;     /* that make_pipeline is told of */
    uint32_t split;
    uint32_t
        by_role; /* make_pipeline is told the role of each thread; PIPE_SWAPPED: the last thread tells the other one */
    uint32_t wrong;
};

enum { PIPE_COUNT, PIPE_ROLE, PIPE_SWAPPED };

/* One pipeline of block scope and its end. */
struct pipe_end_args {
    struct ck_head head;
    CK_PTR(uint32_t) out; /* one word for each thread, and one for the block */
    uint32_t stages;
    uint32_t acquires; /* of libcu_pipe_acquires */
    uint32_t parties;  /* threads leave in so many parties, one after the other */
    uint32_t after;    /* 1: a thread commits after it has left; 2: it copies */
};

/* One thread asks with a time whether a stage is over, before its commit and after it. */
struct pipe_timed_args {
    struct ck_head head;
    CK_PTR(unsigned char) in;
    CK_PTR(uint32_t) out; /* the answers, then the bytes */
    uint32_t ns;
    uint32_t until;  /* consumer_wait_until in place of consumer_wait_for */
    uint32_t thread; /* a pipeline of thread scope */
    uint32_t early;  /* commits before it asks first */
};

/* How a copy is asked for: a type of the pointers, or an aligned size. */
enum pipe_form { PIPE_CHARS, PIPE_INT, PIPE_INT4, PIPE_A4, PIPE_A8, PIPE_A16, PIPE_A32 };

/* The block copies on a pipeline, each thread for itself or all together, and waits. Shared memory is an image whose
 * first half is poison and whose second half has the bytes of `in` at the same offsets. */
struct pipe_copy_args {
    struct ck_head head;
    CK_PTR(unsigned char) in;
    CK_PTR(unsigned char) far; /* the destination in global memory */
    CK_PTR(unsigned char) out; /* receives the image */
    uint32_t image;            /* bytes */
    uint32_t form;
    uint32_t from_shared, to_shared;
    uint32_t src, dst, size;
    uint32_t alone; /* each thread copies, this many bytes further on */
};

struct pipe_commit_args {
    struct ck_head head;
    CK_PTR(unsigned char) in;
    CK_PTR(unsigned char) out;
    uint32_t expected; /* arrivals */
    uint32_t copies;   /* of each thread, each followed by pipeline_producer_commit */
};

#endif
// SPDX-License-Identifier: Apache-2.0
