/* Streams, and what is put into them. An operation takes place at once, or becomes a node of the graph that its stream
 * captures. */
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
    OPERATION_GRAPH,  /* a graph within a graph */
    OPERATION_ALLOC,  /* of memory, whose address is known already */
    OPERATION_FREE,
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
        struct graph *graph;
        struct {
            uint64_t at;
            size_t bytes;
        } memory;
    };
};

/* A copy of `bytes` in a row; of kind OPERATION_COPY. */
struct operation operation_copy(void *to, const void *from, size_t bytes);
void operation_free(struct operation *op);
/* A copy that owns what it needs; of kind EMPTY where memory is short. */
struct operation operation_clone(const struct operation *op);
/* Carries it out. */
CUresult operation_run(const struct operation *op);

struct stream {
    unsigned flags;
    int priority;
    uint64_t number;
    struct graph *capture; /* what it captures into; NULL: it does not */
    CUstreamCaptureMode mode;
    bool invalid;       /* the capture has failed */
    bool origin;        /* cuStreamBeginCapture was called for it: others have joined by an event */
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
};

/* The stream of a handle: NULL and the two special handles are the default stream. NULL: it is none. */
struct stream *stream_of(CUstream handle);
struct stream *stream_new(unsigned flags, int priority);
/* False: the handle is none of a stream that can be destroyed. */
bool stream_free(CUstream handle);
/* Puts an operation into a stream; what it owns is the stream's from then on. */
CUresult stream_put(struct stream *s, struct operation *op);
/* What a call that waits for a stream or the device returns; printf's output is written. */
CUresult stream_wait(struct stream *s);
/* Whether any stream captures in a mode that forbids calls which wait or are not in a stream. */
bool stream_any_captures(void);

double device_clock(void); /* seconds */

#endif
