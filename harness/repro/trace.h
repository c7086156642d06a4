/* What a case does on an engine, kept call by call: an engine around another one that remembers what it was asked. */
#ifndef COPYCHECK_REPRO_TRACE_H
#define COPYCHECK_REPRO_TRACE_H

#include "harness/engines/engine.h"

enum trace_kind {
    TRACE_ALLOC,   /* `size` bytes of `memory` at `at` */
    TRACE_ENCODE,  /* the call `map`, which made `bytes` (TENSOR_MAP_BYTES) or was refused with `code` */
    TRACE_REPLACE, /* the map `before` became `bytes`, with the address `at` */
    TRACE_WRITE,   /* `bytes` went to `at` */
    TRACE_LAUNCH,  /* `launch`; `joined`: the next launch may begin before it has ended */
    TRACE_READ,    /* `bytes` were at `at` after the launch */
    TRACE_COMPARE, /* `bytes` were to be at `at` after the launch */
};

struct trace_event {
    enum trace_kind kind;
    enum ck_memory memory;
    uint64_t at;
    unsigned char *bytes; /* malloc'd, as are those of `launch` */
    size_t size;
    struct tensor_map map;
    unsigned char before[TENSOR_MAP_BYTES];
    long code;
    unsigned offset; /* of the map that a call makes, behind a multiple of 128 */
    unsigned null;   /* of an encode call: bit i passes NULL for the i-th pointer argument */
    struct ck_device_launch launch;
    bool joined;
    bool refused; /* the launch was, without a fault of the engine */
};

struct trace {
    struct ck_engine inner;
    struct trace_event *events;
    size_t count, room;
    bool lost;           /* memory ran out: the list is not whole */
    bool patient;        /* set by the user: `inner` is launched without a limit of its waits */
    bool hung;           /* so that a launch did not end */
    const char *untold;  /* what the case did that no event stands for, or NULL */
    unsigned long calls; /* of launches */
};

/* Makes *out an engine that does what `inner` does, and keeps it in *trace, which starts as zeros (but for `patient`)
 * and outlives it. Like `inner` it is opened and closed by its users. Waits in kernels have a limit, as on a device. */
void trace_engine(struct trace *trace, const struct ck_engine *inner, struct ck_engine *out);
void trace_free(struct trace *trace);

#endif
// SPDX-License-Identifier: Apache-2.0
