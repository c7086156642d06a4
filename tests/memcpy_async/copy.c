/* cuda::memcpy_async on a cuda::barrier: what it copies, for whom, and when the barrier lets its threads go on. */
#include <string.h>

#include "harness/ck.h"
#include "kernels/libcu_memcpy.h"

enum { IMAGE = 4096, HALF = IMAGE / 2, BARRIER = 64 };

struct copy {
    struct ck *t;
    struct libcu_copy_args a;
    struct ck_buf in, far, out, room;
    unsigned char *image, *elsewhere; /* what `out` and `far` must hold */
    uint32_t threads;
    enum { BLOCK_SHARED, BLOCK_GLOBAL, DEVICE_SHARED } barrier; /* its scope and place */
};

static uint32_t form_of(struct ck *t)
{
    static const char *const names[] = { "chars",  "void",   "int",     "int2",    "int4",  "align2",
                                         "align4", "align8", "align16", "align32", "alone", "alone-align4" };

    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
        if (ck_is(t, "form", names[i]))
            return i;
    ck_skip(t, "no form %s", ck_word(t, "form"));
}

/* One group of all threads copies `size` bytes from the start of `in` to the start of the image. */
static struct copy copy_of(struct ck *t, struct ck_buf in, uint32_t threads, uint32_t size)
{
    struct copy c = { .t = t,
                      .in = in,
                      .far = ck_output(t, IMAGE),
                      .out = ck_output(t, IMAGE),
                      .room = ck_zeroed(t, 256),
                      .image = ck_alloc(t, IMAGE),
                      .elsewhere = ck_alloc(t, IMAGE),
                      .threads = threads };

    c.a = (struct libcu_copy_args){ .in = in.device,
                                    .far = c.far.device,
                                    .out = c.out.device,
                                    .room = c.room.device,
                                    .image = IMAGE,
                                    .form = form_of(t),
                                    .to_shared = 1,
                                    .size = size,
                                    .group = threads,
                                    .last_calls = 1 };
    memset(c.image, CK_POISON, HALF);
    memcpy(c.image + HALF, in.host + HALF, HALF);
    memset(c.elsewhere, CK_POISON, IMAGE);
    return c;
}

/* What must come out when each of the groups copies its piece. */
static void expect(struct copy *c)
{
    const struct libcu_copy_args *a = &c->a;

    c->a.last_size = a->size;
    for (uint32_t i = 0; i < c->threads / a->group; i++)
        memcpy((a->to_shared ? c->image : c->elsewhere) + a->dst + i * a->step, c->in.host + a->src + i * a->step,
               a->size);
}

static void launch(struct copy *c)
{
    static const char *const kernels[] = { "libcu_copy", "libcu_copy_global", "libcu_copy_device" };
    const bool wide = c->a.form == LIBCU_INT4 || c->a.form == LIBCU_A16 || c->a.form == LIBCU_A32;

    ck_launch(c->t, &(struct ck_launch){ .kernel = wide && c->barrier == BLOCK_SHARED ? "libcu_copy_bulk"
                                                                                      : kernels[c->barrier],
                                         .block = { c->threads },
                                         .smem = IMAGE + BARRIER,
                                         .args = &c->a,
                                         .size = sizeof c->a });
}

static void launch_and_compare(struct copy *c)
{
    launch(c);
    ck_equal(c->t, c->out, c->image);
    ck_equal(c->t, c->far, c->elsewhere);
}

static void larger(struct copy *c, uint32_t bytes)
{
    c->a.size += bytes;
    c->a.last_size += bytes;
}

/* The direction of the case: the source in shared memory is the image's second half. */
static void direct(struct copy *c)
{
    c->a.from_shared = ck_is(c->t, "from", "shared");
    c->a.to_shared = ck_is(c->t, "to", "shared");
    c->a.src += c->a.from_shared ? HALF : 0;
}

/* A warp copies `bytes` bytes in any direction, from and to any address: they arrive, and the bytes around them stay.
 */
static void bytes(struct ck *t)
{
    struct copy c = copy_of(t, ck_input(t, IMAGE), 32, (uint32_t)ck_int(t, "bytes"));

    c.a.src = (uint32_t)ck_int(t, "skew");
    c.a.dst = 3 * (uint32_t)ck_int(t, "skew");
    direct(&c);
    expect(&c);
    if (ck_variant(t, "one-more"))
        larger(&c, 1);
    launch_and_compare(&c);
}

/* The same with a barrier in global memory, and with one of device scope. */
static void barriers(struct ck *t)
{
    struct copy c = copy_of(t, ck_input(t, IMAGE), 32, (uint32_t)ck_int(t, "bytes"));

    c.barrier = ck_is(t, "barrier", "device") ? DEVICE_SHARED : BLOCK_GLOBAL;
    direct(&c);
    expect(&c);
    if (ck_variant(t, "more"))
        larger(&c, 16);
    launch_and_compare(&c);
}

static uint32_t alignment(uint32_t form)
{
    return form == LIBCU_A2 ? 2 : form == LIBCU_A4 ? 4 : form == LIBCU_A8 ? 8 : form == LIBCU_A16 ? 16 : 32;
}

/* aligned_size_t<N>, both addresses multiples of N: the bytes arrive, and the bytes around them stay. The breaches move
 * one of the addresses by 2. */
static void aligned_address(struct ck *t)
{
    struct copy c = copy_of(t, ck_input(t, IMAGE), 32, 0);
    const uint32_t n = alignment(c.a.form);

    c.a.src = n * (uint32_t)ck_int(t, "src");
    c.a.dst = n * (uint32_t)ck_int(t, "dst");
    c.a.size = n * 5;
    expect(&c);
    if (ck_variant(t, "more"))
        larger(&c, n);
    if (ck_variant(t, "src-off"))
        c.a.src += 2;
    if (ck_variant(t, "dst-off"))
        c.a.dst += 2;
    launch_and_compare(&c);
}

/* aligned_size_t<N> of a multiple of N. The breaches take one byte off it. */
static void aligned_size(struct ck *t)
{
    struct copy c = copy_of(t, ck_input(t, IMAGE), (uint32_t)ck_int(t, "threads"), 0);
    const uint32_t n = alignment(c.a.form);

    c.a.size = n * (uint32_t)ck_int(t, "units");
    expect(&c);
    if (ck_variant(t, "more"))
        larger(&c, n);
    if (!ck_conforming(t))
        larger(&c, (uint32_t)-1);
    launch_and_compare(&c);
}

/* With int4 pointers and a plain size, a multiple of 16: the copy is made in bulk, and the bytes around stay. The
 * breaches ask for 24 and 17 bytes. */
static void odd_bulk(struct ck *t)
{
    struct copy c = copy_of(t, ck_input(t, IMAGE), 32, (uint32_t)ck_int(t, "bytes"));

    expect(&c);
    if (ck_variant(t, "more"))
        larger(&c, 16);
    launch_and_compare(&c);
}

/* With int or int2 pointers and a size that is no multiple of theirs, recorded is how many bytes came. */
static void odd_size(struct ck *t)
{
    struct copy c = copy_of(t, ck_input(t, IMAGE), 32, (uint32_t)ck_int(t, "bytes"));
    uint32_t n = 0;

    expect(&c);
    launch(&c);
    while (n < HALF && c.out.host[n] != CK_POISON)
        n++;
    ck_see(t, "%u bytes", n);
}

/* Each group of the block copies its own piece, with a gap behind it: all pieces are there, and the gaps untouched. */
static void groups(struct ck *t)
{
    struct copy c = copy_of(t, ck_input(t, IMAGE), (uint32_t)ck_int(t, "threads"), (uint32_t)ck_int(t, "bytes"));

    c.a.group = (uint32_t)ck_int(t, "group");
    c.a.step = 80;
    expect(&c);
    if (ck_variant(t, "skip"))
        c.a.skip = 1;
    launch_and_compare(&c);
}

static bool several_groups(struct ck *t)
{
    const int64_t number = ck_int(t, "threads") / ck_int(t, "group");

    return number >= 2 && number * 80 <= HALF;
}

/* Without a group, each thread makes a copy of its own. */
static void alone(struct ck *t)
{
    struct copy c = copy_of(t, ck_input(t, IMAGE), (uint32_t)ck_int(t, "threads"), (uint32_t)ck_int(t, "bytes"));

    c.a.group = 1;
    c.a.step = 48;
    expect(&c);
    if (ck_variant(t, "one-place"))
        c.a.step = 0;
    launch_and_compare(&c);
}

/* Within shared memory, to the bytes right behind the source. A breach begins 4 bytes earlier, inside the source. */
static void no_overlap(struct ck *t)
{
    struct copy c = copy_of(t, ck_input(t, IMAGE), 32, (uint32_t)ck_int(t, "bytes"));

    c.a.from_shared = 1;
    c.a.src = HALF;
    c.a.dst = HALF + c.a.size;
    expect(&c);
    if (ck_variant(t, "more"))
        larger(&c, 4);
    if (ck_variant(t, "overlap"))
        c.a.dst -= 4;
    launch_and_compare(&c);
}

/* All threads of the group call, with the same arguments: all bytes come. One breach leaves the last thread out,
 * another lets it ask for half the size. */
static void group_calls(struct ck *t)
{
    struct copy c = copy_of(t, ck_input(t, IMAGE), (uint32_t)ck_int(t, "threads"), 1024);

    expect(&c);
    if (ck_variant(t, "more"))
        larger(&c, 16);
    if (ck_variant(t, "one-missing"))
        c.a.last_calls = 0;
    if (ck_variant(t, "other-size"))
        c.a.last_size /= 2;
    launch_and_compare(&c);
}

/* A copy from far away is bound to the barrier's current phase: when the threads have waited, the bytes are there. */
static void bound(struct ck *t)
{
    struct copy c = copy_of(t, ck_slow_input(t, IMAGE), (uint32_t)ck_int(t, "threads"), (uint32_t)ck_int(t, "bytes"));

    expect(&c);
    c.a.no_wait = ck_variant(t, "no-wait");
    launch_and_compare(&c);
}

/* The call is no arrival: a barrier that expects one arrival of each thread is over when each has also arrived. */
static void still_arrive(struct ck *t)
{
    struct copy c = copy_of(t, ck_input(t, IMAGE), (uint32_t)ck_int(t, "threads"), 512);

    expect(&c);
    c.a.more = (uint32_t)ck_int(t, "more");
    launch_and_compare(&c);
}

/* With a barrier of device scope no thread waits at it: recorded is whether the bytes from far away are there when the
 * call has returned. */
static void blocks(struct ck *t)
{
    struct copy c = copy_of(t, ck_slow_input(t, IMAGE), 64, (uint32_t)ck_int(t, "bytes"));

    c.barrier = DEVICE_SHARED;
    c.a.no_wait = 1;
    expect(&c);
    launch(&c);
    ck_see(t, memcmp(c.out.host, c.image, IMAGE) ? "not all bytes" : "all bytes");
}

#define FORM(list)                                                                                                     \
    {                                                                                                                  \
        "form", list                                                                                                   \
    }

static const struct ck_case cases[] = {
    { CK_RULE(cxx_memcpy_bytes), .run = bytes,
      .axes = { { "from", "global shared" },
                { "to", "shared global" },
                { "bytes", "0..40 63 64 65 127 128 129 255 256 257" },
                { "skew", "0 1 5" },
                FORM("=chars") },
      .mutants = { { "one-more", "copy one byte more" } } },
    { CK_RULE(cxx_memcpy_bytes), .name = "barriers", .run = barriers,
      .axes = { { "barrier", "device block-global" },
                FORM("chars align4 align16"),
                { "from", "global shared" },
                { "to", "shared global" },
                { "bytes", "0 16 32 48 512 1024" } },
      .mutants = { { "more", "copy 16 bytes more" } } },
    { CK_RULE(cxx_memcpy_bytes), .name = "void", .run = bytes,
      .axes = { { "from", "global shared" },
                { "to", "shared global" },
                { "bytes", "0 1 7 16 33 512" },
                { "skew", "0 3" },
                FORM("=void") },
      .mutants = { { "one-more", "copy one byte more" } } },
    { CK_RULE(cxx_memcpy_aligned_address), .run = aligned_address,
      .axes = { FORM("align4 align8 align16 align32"), { "src", "0 1 2 3 7" }, { "dst", "0 1 2 5" } },
      .mutants = { { "more", "copy one unit more" } },
      .breaches = { { "src-off", "the source is 2 past a multiple", .only = "src=1 dst=1", .faults = true },
                    { "dst-off", "the destination is 2 past a multiple", .only = "src=1 dst=1", .faults = true } } },
    { CK_RULE(cxx_memcpy_aligned_size), .run = aligned_size,
      .axes = { FORM("align2 align4 align8 align16 align32"), { "units", "1 2 3 4 16 31" }, { "threads", "1 32 64" } },
      .mutants = { { "more", "copy one unit more" } },
      .breaches = { { "odd-word", "one byte less than a multiple of 4", .only = "form=align4 units=3 threads=32" },
                    { "odd-chunk", "one byte less than a multiple of 8", .only = "form=align8 units=3 threads=32" },
                    { "odd-bulk", "one byte less than a multiple of 16", .only = "form=align16 units=3 threads=32",
                      .faults = true } } },
    { CK_RULE(cxx_memcpy_odd_size_over), .run = odd_size, .axes = { FORM("int int2"), { "bytes", "1..16" } },
      .seen_only = true },
    { CK_RULE(cxx_memcpy_odd_size_bulk), .run = odd_bulk, .axes = { FORM("=int4"), { "bytes", "16 32 48 160 1024" } },
      .mutants = { { "more", "copy 16 bytes more" } },
      .breaches = { { "size-24", "ask for 24 bytes", .set = "bytes=24", .only = "bytes=32", .faults = true },
                    { "size-17", "ask for 17 bytes", .set = "bytes=17", .only = "bytes=32", .faults = true } } },
    { CK_RULE(cxx_memcpy_group_partition), .run = groups,
      .axes = { FORM("chars align4 align8 align16"),
                { "threads", "32 64" },
                { "group", "4 8 16 32" },
                { "bytes", "16 32 64" } },
      .valid = several_groups, .mutants = { { "skip", "the second group does not copy" } } },
    { CK_RULE(cxx_memcpy_single_per_thread), .run = alone,
      .axes = { FORM("alone alone-align4"), { "threads", "1 3 31 32" }, { "bytes", "4 8 20 44" } },
      .mutants = { { "one-place", "all threads copy the same bytes to the same place", .only = "threads=32" } } },
    { CK_RULE(cxx_memcpy_no_overlap), .run = no_overlap,
      .axes = { FORM("chars align4"), { "bytes", "16 64 256 1000" } }, .mutants = { { "more", "copy 4 bytes more" } },
      .breaches = { { "overlap", "begin 4 bytes before the end of the source", .varies = true } } },
    { CK_RULE(cxx_memcpy_group_all_call), .run = group_calls,
      .axes = { FORM("chars align4 align8"), { "threads", "2 32 64" } },
      .mutants = { { "more", "copy 16 bytes more" } },
      .breaches = { { "one-missing", "the last thread does not call", .only = "form=align4 threads=32" } } },
    { CK_RULE(cxx_memcpy_group_same_args), .run = group_calls,
      .axes = { FORM("chars align4 align8"), { "threads", "2 32 64" } },
      .mutants = { { "more", "copy 16 bytes more" } },
      .breaches = { { "other-size", "the last thread asks for half the size", .only = "form=align4 threads=32" } } },
    { CK_RULE(cxx_memcpy_phase_binding), .run = bound,
      .axes = { FORM("int int2 int4 align4 align8 align16 align32"), { "threads", "32 64" }, { "bytes", "32 2048" } },
      .mutants = { { "no-wait", "arrive and do not wait", .only = "bytes=2048" } } },
    { CK_RULE(cxx_memcpy_arrive_still_needed), .run = still_arrive,
      .axes = { FORM("chars align4 align16"), { "threads", "1 2 32 33 64" }, { "more", "=0" } },
      .mutants = { { "one-more", "the barrier expects one arrival more", .set = "more=1" } } },
    { CK_RULE(cxx_memcpy_other_barrier_blocks), .name = "bytes", .run = blocks,
      .axes = { FORM("align4 align16"), { "bytes", "64 2048" } }, .seen_only = true },
    { 0 },
};

const struct ck_suite memcpy_async_copy = { "memcpy-async-copy", cases };
// SPDX-License-Identifier: Apache-2.0
