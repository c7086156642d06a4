/* What a driver and a device do beside what is promised: when calls return, what overlaps; and what the driver says of
 * memory and of its own functions. */
#include <stdio.h>
#include <string.h>

#include "expected/oracle.h"
#include "harness/ck.h"
#include "kernels/host.h"

enum { MEGABYTE = 1 << 20 };

/* Does the call return while the copy is under way? The host may come to ask too late to see it, so it tries again.
 * `ask` is the step that asks, `count` how many there are. */
static void see_return(struct ck *t, struct ck_step *steps, size_t count, const struct ck_step *ask, size_t bytes)
{
    enum { MOST = 32, LEAST = 4 };
    const size_t fit = (size_t)4 * MEGABYTE / bytes, tries = fit > MOST ? MOST : fit < LEAST ? LEAST : fit;
    bool busy = false;

    ck_no_digest(t);
    for (size_t i = 0; i < tries && !busy; i++) {
        ck_steps(t, steps, count);
        busy = ask->busy;
    }
    ck_see(t, busy ? "returns before the copy ends" : "returns when the copy has ended");
}

/* Copies that wait for nobody: is the copy under way when the call has returned? */
static void returns(struct ck *t)
{
    const size_t bytes = (size_t)ck_int(t, "kilobytes") * 1024;
    const bool in = ck_is(t, "direction", "to-device"), pinned = ck_is(t, "memory", "pinned");
    const struct ck_buf device = ck_output(t, bytes);
    unsigned char *host;
    struct ck_step steps[] = {
        { .kind = in ? CK_STEP_IN : CK_STEP_OUT, .device = device.device, .bytes = 16 },
        { .kind = CK_STEP_WAIT_STREAM },
        { .kind = in ? CK_STEP_IN : CK_STEP_OUT, .device = device.device, .bytes = bytes },
        { .kind = CK_STEP_ASK },
        { .kind = CK_STEP_WAIT_STREAM },
    };

    ck_needs_device(t);
    host = pinned ? ck_pinned(t, bytes) : ck_alloc(t, bytes);
    memset(host, 1, bytes);
    steps[0].host = steps[2].host = host;
    see_return(t, steps, sizeof steps / sizeof *steps, &steps[3], bytes);
    ck_note(t, "took      %llu ns to return, %llu ns more until the copy was done", (unsigned long long)steps[2].ns,
            (unsigned long long)steps[3].ns + steps[4].ns);
}

/* The calls that wait, where the documents have exceptions: between two places of the device, and from pageable memory
 * that is small. */
static void exceptions(struct ck *t)
{
    enum { BIG = 16 * MEGABYTE };
    const bool on = ck_is(t, "copy", "device-to-device");
    const size_t bytes = on ? BIG : (size_t)16 * 1024;
    const struct ck_buf to = ck_output(t, bytes), from = on ? ck_output(t, bytes) : to;
    struct ck_step steps[] = {
        { .kind = on ? CK_STEP_ON : CK_STEP_IN,
          .waits = true,
          .device = to.device,
          .from = from.device,
          .bytes = bytes },
        { .kind = CK_STEP_ASK, .waits = true },
    };

    ck_needs_device(t);
    steps[0].host = ck_alloc(t, bytes);
    see_return(t, steps, 2, &steps[1], bytes);
}

/* A kernel waits for a word that a copy in another stream brings: it sees the word if the two are under way at once. */
static void overlap(struct ck *t)
{
    enum { VALUE = 0x01020304 };
    const bool first = ck_is(t, "first", "kernel");
    const struct ck_buf word = ck_output(t, 64), out = ck_output(t, 64);
    const struct host_args a = { .in = word.device, .out = out.device, .add = VALUE };
    const struct ck_launch launch = { .kernel = "host_await", .args = &a, .size = sizeof a };
    const struct ck_step wait = { .kind = CK_STEP_LAUNCH, .stream = 1, .launch = &launch };
    struct ck_step copy = { .kind = CK_STEP_IN, .stream = 0, .device = word.device, .bytes = 64 }, steps[2];
    unsigned char *host;
    const uint32_t value = VALUE;
    uint32_t came;

    ck_needs_device(t);
    host = ck_is(t, "memory", "pinned") ? ck_pinned(t, 64) : ck_alloc(t, 64);
    memset(host, CK_POISON, 64);
    memcpy(host, &value, sizeof value);
    copy.host = host;
    steps[!first] = wait;
    steps[first] = copy;
    ck_no_digest(t);
    ck_steps(t, steps, 2);
    memcpy(&came, out.host, sizeof came);
    ck_see(t, came ? "the copy came while the kernel was at work" : "the copy waited for the kernel");
}

/* Memory that was asked for as page-locked is page-locked host memory to the driver, until it is freed. */
static void pinned(struct ck *t)
{
    const size_t bytes = (size_t)ck_int(t, "bytes");
    unsigned char *const own = ck_alloc(t, bytes);
    unsigned char *p = ck_pinned(t, bytes);

    if (ck_variant(t, "pageable"))
        p = own;
    ck_expect(t, "page-locked, first byte", ck_is_pinned(t, p), true);
    ck_expect(t, "page-locked, last byte", ck_is_pinned(t, p + bytes - 1), true);
    ck_expect(t, "page-locked, of malloc", ck_is_pinned(t, own), false);
    memset(p, 1, bytes);
    ck_unpin(t, p);
    ck_expect(t, "page-locked when it is freed", ck_is_pinned(t, p), false);
}

/* The driver has cuTensorMapEncodeTiled for CUDA 12.0 and later, not before; and what it gives encodes as the function
 * that was linked does. */
static void entry_point(struct ck *t)
{
    const int version = (int)ck_int(t, "version");
    const struct ck_buf tensor = ck_input(t, 4096);
    struct tensor_map map = tensor_map_default(TENSOR_F32, 2);
    _Alignas(128) struct ck_tmap linked, found;
    long code;

    memset(&linked, 0, sizeof linked);
    memset(&found, 0, sizeof found);
    map.address = tensor.device;
    code = ck_encode_through(t, ck_variant(t, "misspelt") ? "cuTensorMapEncodeTile" : "cuTensorMapEncodeTiled",
                             ck_variant(t, "before") ? 11080 : version, &map, &found);
    if (version < 12000) {
        ck_expect(t, "found", (uint64_t)(code != -1), ck_variant(t, "expected"));
        return;
    }
    ck_expect(t, "CUresult", (uint64_t)code, 0);
    ck_expect(t, "CUresult of the linked one", (uint64_t)ck_encode_call(t, &map, &linked, 0), 0);
    ck_expect(t, "maps differ", (uint64_t)(memcmp(&linked, &found, sizeof linked) != 0), 0);
}

/* The bytes of one map, for a reader: they are the driver's own affair. */
static void opaque(struct ck *t)
{
    struct tensor_map map = tensor_map_default(TENSOR_F32, 2);
    _Alignas(128) struct ck_tmap object;
    char text[3 * 128 + 1] = "";

    ck_needs_device(t);
    map.address = 0x10000;
    if (!ck_expect(t, "CUresult", (uint64_t)ck_encode_call(t, &map, &object, 0), 0))
        return;
    for (size_t i = 0; i < sizeof object.bytes; i++)
        snprintf(text + 2 * i, 3, "%02x", object.bytes[i]);
    ck_note(t, "bytes     %s", text);
    ck_see(t, "128 bytes");
}

static const struct ck_case cases[] = {
    { CK_RULE(host_memcpy_async_returns), .timed = true, .run = returns,
      .axes = { { "direction", "to-device to-host" }, { "kilobytes", "64 1024 16384" }, { "memory", "=pinned" } } },
    { CK_RULE(host_memcpy_pageable_staging), .name = "returns", .timed = true, .run = returns, .seen_only = true,
      .axes = { { "direction", "to-device to-host" },
                { "kilobytes", "16 64 128 1024 16384" },
                { "memory", "=pageable" } } },
    { CK_RULE(host_memcpy_sync), .name = "exceptions", .timed = true, .run = exceptions, .seen_only = true,
      .axes = { { "copy", "device-to-device pageable-16KB" } } },
    { CK_RULE(host_overlap_copy_kernel), .timed = true, .run = overlap,
      .axes = { { "first", "kernel copy" }, { "memory", "pinned pageable" } } },
    { CK_RULE(host_pinned_alloc), .timed = true, .run = pinned, .axes = { { "bytes", "1 4096 65536 1048576" } },
      .mutants = { { "pageable", "memory of malloc in its place" } } },
    { CK_RULE(host_entry_point_encode), .timed = true, .run = entry_point,
      .axes = { { "version", "12000 12010 12080" } },
      .mutants = { { "misspelt", "a name without its last letter" }, { "before", "as of CUDA 11.8" } } },
    { CK_RULE(host_entry_point_encode), .name = "before", .timed = true, .run = entry_point,
      .axes = { { "version", "11000 11030 11080" } }, .mutants = { { "expected", "expected to be there" } } },
    { CK_RULE(obs_tmap_opaque_bytes), .timed = true, .run = opaque },
    { 0 }
};

const struct ck_suite host_machine = { "host/machine", cases };
// SPDX-License-Identifier: Apache-2.0
