/* What a host thread does, call by call: copies and launches that it puts into streams, and waits for them. */
#ifndef COPYCHECK_STEP_H
#define COPYCHECK_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CK_STREAMS = 4, CK_EVENTS = 4 };

enum ck_step_kind {
    CK_STEP_IN,          /* copies `bytes` bytes from `host` to `device` */
    CK_STEP_OUT,         /* copies from `device` to `host` */
    CK_STEP_ON,          /* copies from `from`, which is device memory too, to `device` */
    CK_STEP_LAUNCH,      /* launches `launch` */
    CK_STEP_RECORD,      /* records `event` behind all that the stream has */
    CK_STEP_AFTER,       /* has the stream wait for `event` */
    CK_STEP_WAIT_STREAM, /* these three wait on the host */
    CK_STEP_WAIT_EVENT,
    CK_STEP_WAIT_DEVICE,
    CK_STEP_ASK,  /* asks whether the stream has anything left to do: `busy` */
    CK_STEP_KEEP, /* the host reads `bytes` bytes at `host` and keeps them at `kept` */
    CK_STEP_FILL, /* the host writes `value` to `bytes` bytes at `host` */
};

struct ck_launch;

struct ck_step {
    enum ck_step_kind kind;
    unsigned stream, event;
    bool waits; /* of a copy: the call that needs no stream and returns when the copy is done, as cudaMemcpy */
    void *host, *kept;
    uint64_t device, from;
    size_t bytes;
    unsigned char value;
    const struct ck_launch *launch;
    bool busy;   /* what CK_STEP_ASK found */
    uint64_t ns; /* how long the call took, on an engine that keeps time */
};

#endif
// SPDX-License-Identifier: Apache-2.0
