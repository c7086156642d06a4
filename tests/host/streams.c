/* Copies by the host: what comes when, and what a host may touch before it has waited. */
#include <string.h>

#include "harness/ck.h"
#include "kernels/host.h"

enum {
    BYTES = 4 << 20, /* of a copy: enough that it takes a device longer than a call takes the host */
    TAIL = 4096,     /* at the end, which a copy brings last */
    WORK = 16384,    /* at the end: what kernels work on */
    OTHER = 3,       /* an event that nobody records */
    STEPS = 16,
};

/* Device memory, and host memory of the kind that the axis `memory` names, of as many bytes. */
struct pair {
    struct ck_buf device;
    unsigned char *host;
    unsigned char *kept; /* what a host read at the end of it */
};

static unsigned char *host_memory(struct ck *t)
{
    return ck_is(t, "memory", "pinned") ? ck_pinned(t, BYTES) : ck_alloc(t, BYTES);
}

static struct pair pair_of(struct ck *t, struct ck_buf device)
{
    return (struct pair){ .device = device, .host = host_memory(t), .kept = ck_alloc(t, TAIL) };
}

static struct ck_step copy_in(const struct pair *p, unsigned stream)
{
    return (struct ck_step){
        .kind = CK_STEP_IN, .stream = stream, .host = p->host, .device = p->device.device, .bytes = BYTES
    };
}

static struct ck_step copy_out(const struct pair *p, unsigned stream)
{
    return (struct ck_step){
        .kind = CK_STEP_OUT, .stream = stream, .host = p->host, .device = p->device.device, .bytes = BYTES
    };
}

/* The host reads the last bytes, and keeps them. */
static struct ck_step keep_tail(const struct pair *p)
{
    return (struct ck_step){ .kind = CK_STEP_KEEP, .host = p->host + BYTES - TAIL, .kept = p->kept, .bytes = TAIL };
}

static struct ck_step fill_tail(const struct pair *p, unsigned char value)
{
    return (struct ck_step){ .kind = CK_STEP_FILL, .host = p->host + BYTES - TAIL, .value = value, .bytes = TAIL };
}

/* How the host waits for stream 0: the axis `wait`. */
static struct ck_step wait_for(struct ck *t)
{
    return (struct ck_step){ .kind = ck_is(t, "wait", "stream")  ? CK_STEP_WAIT_STREAM
                                     : ck_is(t, "wait", "event") ? CK_STEP_WAIT_EVENT
                                                                 : CK_STEP_WAIT_DEVICE };
}

static void expect_tail(struct ck *t, const struct pair *p, const unsigned char *expected)
{
    ck_expect(t, "bytes of the tail that are wrong", (uint64_t)(memcmp(p->kept, expected, TAIL) != 0), 0);
}

/* A copy to the host, a wait for it, and then the host reads the last bytes that the copy brings: they are there. */
static void read_after_wait(struct ck *t)
{
    struct pair p = pair_of(t, ck_input(t, BYTES));
    const struct ck_step record = { .kind = CK_STEP_RECORD };
    struct ck_step steps[STEPS];
    size_t n = 0;

    memset(p.host, CK_POISON, BYTES);
    if (ck_variant(t, "event-before"))
        steps[n++] = record;
    steps[n++] = copy_out(&p, 0);
    if (!ck_variant(t, "event-before"))
        steps[n++] = record;
    if (ck_variant(t, "event-before"))
        steps[n++] = (struct ck_step){ .kind = CK_STEP_WAIT_EVENT };
    else if (!ck_variant(t, "no-wait"))
        steps[n++] = wait_for(t);
    steps[n++] = keep_tail(&p);
    ck_steps(t, steps, n);
    expect_tail(t, &p, p.device.host + BYTES - TAIL);
}

/* A copy from the host, a wait for it, and then the host writes over the last bytes that it copies: the device has what
 * was there before. */
static void write_after_wait(struct ck *t)
{
    struct pair p = pair_of(t, ck_output(t, BYTES));
    const struct ck_buf source = ck_input(t, BYTES);
    struct ck_step steps[STEPS];
    size_t n = 0;

    memcpy(p.host, source.host, BYTES);
    if (ck_variant(t, "event-before"))
        steps[n++] = (struct ck_step){ .kind = CK_STEP_RECORD };
    steps[n++] = copy_in(&p, 0);
    if (!ck_variant(t, "event-before"))
        steps[n++] = (struct ck_step){ .kind = CK_STEP_RECORD };
    if (ck_variant(t, "event-before"))
        steps[n++] = (struct ck_step){ .kind = CK_STEP_WAIT_EVENT };
    else if (!ck_variant(t, "no-wait"))
        steps[n++] = wait_for(t);
    steps[n++] = fill_tail(&p, 0x77);
    ck_steps(t, steps, n);
    ck_equal(t, p.device, source.host);
}

/* Without a stream: the call returns when the bytes are there, so the host reads them at once; and one that copies from
 * page-locked memory when it needs the source no more. */
static void waits_itself(struct ck *t)
{
    const bool in = ck_is(t, "direction", "to-device");
    struct pair p = pair_of(t, in ? ck_output(t, BYTES) : ck_input(t, BYTES));
    const struct ck_buf source = ck_input(t, BYTES);
    struct ck_step steps[2];

    memset(p.host, CK_POISON, BYTES);
    if (in)
        memcpy(p.host, source.host, BYTES);
    steps[0] = in ? copy_in(&p, 0) : copy_out(&p, 0);
    steps[0].waits = !ck_variant(t, "async");
    steps[1] = in ? fill_tail(&p, 0x77) : keep_tail(&p);
    ck_steps(t, steps, 2);
    if (in)
        ck_equal(t, p.device, source.host);
    else
        expect_tail(t, &p, p.device.host + BYTES - TAIL);
}

static struct ck_launch add_launch(const struct host_args *a)
{
    return (struct ck_launch){ .kernel = "host_add", .grid = { 4 }, .block = { 256 }, .args = a, .size = sizeof *a };
}

/* A kernel that adds to each of the last words. */
static struct host_args add_to(const struct pair *p, uint32_t add)
{
    const uint64_t last = p->device.device + BYTES - WORK;

    return (struct host_args){ .in = last, .out = last, .words = WORK / 4, .add = add };
}

/* What the source becomes when each of `rounds` kernels has added its number. */
static void expect_sums(const struct ck_buf *source, unsigned char *expected, uint32_t rounds)
{
    memcpy(expected, source->host, BYTES);
    for (size_t i = BYTES - WORK; i < BYTES; i += 4) {
        uint32_t word;
        memcpy(&word, source->host + i, 4);
        word += rounds * (rounds + 1) / 2;
        memcpy(expected + i, &word, 4);
    }
}

/* In one stream: a copy to the device, some kernels that each go on from what the one before left, and a copy to the
 * host. Nobody waits between them, and what comes out is what this order makes. */
static void one_stream(struct ck *t)
{
    enum { KERNELS = 8 };
    const uint32_t kernels = (uint32_t)ck_int(t, "kernels");
    struct pair from = pair_of(t, ck_zeroed(t, BYTES)), to = pair_of(t, from.device);
    const struct ck_buf source = ck_input(t, BYTES);
    unsigned char *const expected = ck_alloc(t, BYTES);
    struct host_args a[KERNELS];
    struct ck_launch launches[KERNELS];
    struct ck_step steps[STEPS];
    size_t n = 0;

    memcpy(from.host, source.host, BYTES);
    expect_sums(&source, expected, kernels);
    steps[n++] = copy_in(&from, 0);
    for (uint32_t k = 0; k < kernels; k++) {
        a[k] = add_to(&from, k + 1);
        launches[k] = add_launch(&a[k]);
        steps[n++] = (struct ck_step){ .kind = CK_STEP_LAUNCH, .launch = &launches[k] };
    }
    steps[n++] = copy_out(&to, 0);
    steps[n++] = (struct ck_step){ .kind = CK_STEP_WAIT_STREAM };
    steps[n++] = keep_tail(&to);
    if (ck_variant(t, "copy-last")) { /* the copy to the device behind the first kernel */
        const struct ck_step first = steps[0];
        steps[0] = steps[1];
        steps[1] = first;
    }
    ck_steps(t, steps, n);
    ck_equal(t, from.device, expected);
    ck_expect(t, "bytes that came back wrong", (uint64_t)(memcmp(to.host, expected, BYTES) != 0), 0);
    expect_tail(t, &to, expected + BYTES - TAIL);
}

/* A copy to the device in stream 0, and the kernel that uses it in another stream, which waits for an event behind the
 * copy; the copy back in a third, which waits for one behind the kernel. */
static void three_streams(struct ck *t)
{
    struct pair from = pair_of(t, ck_zeroed(t, BYTES)), to = pair_of(t, from.device);
    const struct ck_buf source = ck_input(t, BYTES);
    struct host_args a = add_to(&from, 1);
    const struct ck_launch launch = add_launch(&a);
    unsigned char *const expected = ck_alloc(t, BYTES);
    const unsigned behind = ck_variant(t, "no-event") ? 1 : 0; /* an event that nobody has recorded yet is no wait */
    struct ck_step steps[] = {
        copy_in(&from, 0),
        { .kind = CK_STEP_RECORD, .stream = 0, .event = 0 },
        { .kind = CK_STEP_AFTER, .stream = 1, .event = 0 },
        { .kind = CK_STEP_LAUNCH, .stream = 1, .launch = &launch },
        { .kind = CK_STEP_RECORD, .stream = 1, .event = 1 },
        { .kind = CK_STEP_AFTER, .stream = 2, .event = behind ? OTHER : 1 },
        copy_out(&to, 2),
        { .kind = CK_STEP_WAIT_STREAM, .stream = 2 },
        keep_tail(&to),
    };

    a.pause = 2000000; /* longer than a copy takes: who does not wait for the kernel is too early */
    memcpy(from.host, source.host, BYTES);
    memset(to.host, CK_POISON, BYTES);
    expect_sums(&source, expected, 1);
    ck_steps(t, steps, sizeof steps / sizeof *steps);
    expect_tail(t, &to, expected + BYTES - TAIL);
}

/* An asynchronous copy from or to pageable memory, which the driver may carry out through memory of its own: what
 * arrives is right all the same. */
static void pageable(struct ck *t)
{
    const bool in = ck_is(t, "direction", "to-device");
    const size_t bytes = (size_t)ck_int(t, "kilobytes") * 1024;
    struct pair p = pair_of(t, in ? ck_output(t, BYTES) : ck_input(t, BYTES));
    const struct ck_buf source = ck_input(t, bytes);
    unsigned char *const expected = ck_alloc(t, BYTES);
    struct ck_step steps[] = { in ? copy_in(&p, 0) : copy_out(&p, 0), { .kind = CK_STEP_WAIT_STREAM } };

    steps[0].bytes = bytes;
    memset(expected, CK_POISON, BYTES);
    memcpy(expected, in ? source.host : p.device.host, bytes);
    memset(p.host, CK_POISON, BYTES);
    if (in)
        memcpy(p.host, source.host, bytes);
    if (ck_variant(t, "short"))
        steps[0].bytes -= 16;
    ck_steps(t, steps, 2);
    if (in)
        ck_equal(t, p.device, expected);
    else
        ck_expect(t, "bytes that came wrong", (uint64_t)(memcmp(p.host, expected, BYTES) != 0), 0);
}

#define MEMORY                                                                                                         \
    {                                                                                                                  \
        "memory", "pinned pageable"                                                                                    \
    }
#define PINNED                                                                                                         \
    {                                                                                                                  \
        "memory", "=pinned"                                                                                            \
    }
#define WAITS                                                                                                          \
    {                                                                                                                  \
        "wait", "stream event device"                                                                                  \
    }
#define DIRECTIONS                                                                                                     \
    {                                                                                                                  \
        "direction", "to-device to-host"                                                                               \
    }
#define NO_WAIT                                                                                                        \
    {                                                                                                                  \
        "no-wait", "no wait at all", .varies = true                                                                    \
    }
#define EVENT_BEFORE                                                                                                   \
    {                                                                                                                  \
        "event-before", "wait for an event before the copy"                                                            \
    }

static const struct ck_case cases[] = {
    { CK_RULE(host_memcpy_async_needs_sync), .timed = true, .run = read_after_wait, .axes = { WAITS, PINNED },
      .mutants = { EVENT_BEFORE }, .breaches = { NO_WAIT } },
    { CK_RULE(host_memcpy_async_needs_sync), .name = "source", .timed = true, .run = write_after_wait,
      .axes = { WAITS, PINNED }, .mutants = { EVENT_BEFORE }, .breaches = { NO_WAIT } },
    { CK_RULE(host_memcpy_sync), .timed = true, .run = waits_itself, .axes = { DIRECTIONS, PINNED },
      .mutants = { { "async", "the call that does not wait" } } },
    { CK_RULE(host_memcpy_stream_order), .timed = true, .run = one_stream, .axes = { { "kernels", "1 2 3 8" }, MEMORY },
      .mutants = { { "copy-last", "the copy behind the first kernel" } } },
    { CK_RULE(host_memcpy_stream_order), .name = "events", .timed = true, .run = three_streams, .axes = { PINNED },
      .mutants = { { "no-event", "the copy back waits for nothing" } } },
    { CK_RULE(host_memcpy_pageable_staging), .timed = true, .run = pageable,
      .axes = { DIRECTIONS, { "kilobytes", "1 64 65 1024 4096" }, { "memory", "=pageable" } },
      .mutants = { { "short", "16 bytes fewer" } } },
    { 0 }
};

const struct ck_suite host_streams = { "host/streams", cases };
// SPDX-License-Identifier: Apache-2.0
