/* Streams, and what is put into them. An operation takes place at once, or becomes a node of the graph that its stream
 * captures; or it waits (later.h). */
#ifndef COPYCHECK_INSIDE_STREAM_H
#define COPYCHECK_INSIDE_STREAM_H

#include "harness/inside/device/device.h"

struct graph;
struct node;

enum operation_kind {
    OPERATION_EMPTY,
    OPERATION_KERNEL,
    OPERATION_COPY,
    OPERATION_SET,
    OPERATION_HOST,   /* a function of the host */
    OPERATION_RECORD, /* of an event */
    OPERATION_WAIT,   /* for one */
    OPERATION_VALUE,  /* waits for a value in memory */
    OPERATION_GRAPH,  /* a graph within a graph */
    OPERATION_ALLOC,  /* of memory, whose address is known already */
    OPERATION_FREE,
    OPERATION_CONDITION, /* graphs that run or do not: a conditional node */
};

/* Of a conditional node. Its value is a word of global memory, at an address that is its handle. */
struct condition {
    int kind; /* CUgraphConditionalNodeType: if, while, switch */
    uint64_t handle;
    struct graph **bodies; /* `size` of them, malloc'd */
    unsigned size;
};

/* Rows of bytes: an array, too, has its texels row by row. */
struct rows {
    unsigned char *at;
    size_t pitch, slice; /* bytes from a row to the next, from a plane to the next */
};

struct operation {
    enum operation_kind kind;
    union {
        struct launch launch; /* its params are the operation's, malloc'd */
        struct {
            struct rows to, from;
            size_t width, height, depth; /* bytes, rows, planes */
        } copy;
        struct {
            struct rows to;
            uint32_t value;
            unsigned element;            /* bytes: 1, 2 or 4 */
            size_t width, height, depth; /* elements, rows, planes */
        } set;
        struct {
            void (*call)(void *data);
            void *data;
        } host;
        struct event *event;
        struct {
            uint64_t at, value;
            unsigned bytes, flags; /* 4 or 8; of CUstreamWaitValue_flags */
        } awaited;
        struct graph *graph;
        struct {
            uint64_t at;
            size_t bytes;
        } memory;
        struct condition condition;
    };
};

/* A copy of `bytes` in a row; of kind OPERATION_COPY. */
struct operation operation_copy(void *to, const void *from, size_t bytes);
void operation_free(struct operation *op);
/* A copy that owns what it needs; of kind EMPTY where memory is short. */
struct operation operation_clone(const struct operation *op);
/* Carries it out. */
CUresult operation_run(const struct operation *op);
/* Whether it waits for nothing that others do meanwhile. */
bool operation_is_alone(const struct operation *op);

enum { STREAM_GREATEST_PRIORITY = -5 }; /* the least is 0 */

struct stream {
    unsigned flags;
    int priority;
    uint64_t number;
    void *context;         /* the driver's, that was current when it was made */
    struct graph *capture; /* what it captures into; NULL: it does not */
    CUstreamCaptureMode mode;
    pthread_t thread;  /* that began the capture */
    bool invalid;      /* the capture has failed */
    bool origin;       /* cuStreamBeginCapture was called for it: others have joined by an event */
    bool given;        /* it captures into a graph that was there before */
    uint64_t captures; /* the number of the capture */
    CUlaunchAttributeValue
        attributes[CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING + 1]; /* by their numbers: kept, without effect */
    struct node **last; /* the nodes that its next one comes after */
    size_t last_count;
    struct stream *next;
};

struct event {
    unsigned flags;
    bool recorded;
    double at;             /* seconds of the host's clock */
    struct graph *capture; /* recorded in a stream that captures: what follows it comes after these nodes */
    struct node **after;
    size_t after_count;
    struct event *next;
};

/* The stream of a handle: NULL and the handle of the legacy stream are the default stream. NULL: it is none. */
struct stream *stream_of(CUstream handle);
struct stream *stream_new(unsigned flags, int priority);
/* False: the handle is none of a stream that can be destroyed. */
bool stream_free(CUstream handle);
/* Whether it is the default stream, which others wait for unless they were made otherwise. */
bool stream_is_default(const struct stream *s);
/* Puts an operation into a stream; what it owns is the stream's from then on, where the call fails too. */
CUresult stream_put(struct stream *s, struct operation *op);
/* Launches an executable graph, which stays the caller's. A capture takes none. */
CUresult stream_launch_graph(struct stream *s, struct graph *exec);
/* What a call that waits for a stream or the device (NULL) returns; printf's output is written. */
CUresult stream_wait(struct stream *s);
/* What a copy that waits does first: it waits for the default stream. */
CUresult stream_wait_to_copy(void);
/* As stream_wait; CUDA_ERROR_NOT_READY where it would have to wait. */
CUresult stream_query(struct stream *s);
/* Calls `each` for all streams. */
void stream_each(void (*each)(struct stream *s, void *state), void *state);

struct event *event_new(unsigned flags); /* NULL: out of memory */
bool event_known(const struct event *e);
void event_free(struct event *e);
/* The capture into this graph is over: no event is of it any more. */
void event_leave(const struct graph *g);
/* What asking or waiting for it returns. */
CUresult event_wait(const struct event *e);
CUresult event_query(const struct event *e);
/* In milliseconds; CUDA_ERROR_INVALID_HANDLE where they were not recorded, or without their times. */
CUresult event_between(const struct event *from, const struct event *to, float *ms);

double device_clock(void); /* seconds */

/* ---- capture: capture.c ------------------------------------------------------------------------------------------ */

/* A stream captures from now on: into a new graph, or behind nodes of `into`. */
CUresult capture_begin(struct stream *s, CUstreamCaptureMode mode, struct graph *into, struct node *const *after,
                       size_t count);
/* Ends it: *out is the graph, or NULL where the capture has failed. `out` may be NULL where the graph was given. */
CUresult capture_end(struct stream *s, struct graph **out);
/* The node that an operation becomes; CUDA_ERROR_STREAM_CAPTURE_MERGE where it joins two captures. */
CUresult capture_put(struct stream *s, struct operation *op);
/* A stream that waits for an event of a capture joins it. */
CUresult capture_join(struct stream *s, const struct event *e);
/* Of a call that is not allowed while this thread, or any, captures: what it returns, after the captures have failed;
 * CUDA_SUCCESS where none forbids it. */
CUresult capture_forbids(void);
/* The capture into this graph has failed: CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED. */
CUresult capture_break(const struct graph *g);
/* All captures have; CUDA_SUCCESS where there is none. */
CUresult capture_break_all(void);
/* Of an operation of the default stream: what it returns while a stream captures that waits for that stream. */
CUresult capture_of_default(void);
/* What a stream's next node comes after, from now on; `add`: beside what it has. */
CUresult capture_set_last(struct stream *s, struct node *const *after, size_t count, bool add);
/* Exchanges what this thread's calls may do while a stream captures. */
void capture_exchange_mode(CUstreamCaptureMode *mode);

#endif
// SPDX-License-Identifier: Apache-2.0
