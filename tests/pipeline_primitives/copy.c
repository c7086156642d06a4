/* __pipeline_memcpy_async: what one copy moves and what a program must not ask of it; and the objects of
 * nvcuda::experimental::memcpy_async. */
#include <string.h>

#include "harness/ck.h"
#include "kernels/pipeline_primitives.h"

enum { IMAGE = 2048, HALF = IMAGE / 2, LINES = 16 };

struct copy {
    struct ck *t;
    struct prim_copy_args a;
    struct ck_buf in, far, out;
    unsigned char *image; /* what `out` must hold */
    uint32_t threads;
};

static struct copy copy_of(struct ck *t, uint32_t size)
{
    struct copy c = { .t = t,
                      .in = ck_input(t, IMAGE),
                      .far = ck_output(t, IMAGE),
                      .out = ck_output(t, IMAGE),
                      .image = ck_alloc(t, IMAGE),
                      .threads = LINES };

    c.a = (struct prim_copy_args){
        .in = c.in.device, .far = c.far.device, .out = c.out.device, .image = IMAGE, .size = size
    };
    memset(c.image, CK_POISON, HALF);
    memcpy(c.image + HALF, c.in.host + HALF, HALF);
    return c;
}

static void expect(struct copy *c)
{
    for (uint32_t i = 0; i < c->threads; i++) {
        unsigned char *to = c->image + c->a.dst + 16 * i;
        memcpy(to, c->in.host + c->a.src + 16 * i, c->a.size - c->a.zfill);
        memset(to + c->a.size - c->a.zfill, 0, c->a.zfill);
    }
}

static void launch(const struct copy *c)
{
    ck_launch(c->t,
              &(struct ck_launch){
                  .kernel = "prim_copy", .block = { c->threads }, .smem = IMAGE, .args = &c->a, .size = sizeof c->a });
    ck_equal(c->t, c->out, c->image);
}

/* Copies of 4, 8 or 16 bytes: these come and no others. The breaches ask for sizes between. */
static void sizes(struct ck *t)
{
    struct copy c = copy_of(t, (uint32_t)ck_int(t, "size"));

    c.a.src = 64 * (uint32_t)ck_int(t, "src");
    c.a.dst = 16 * (uint32_t)ck_int(t, "dst");
    c.threads = (uint32_t)ck_int(t, "threads");
    if (ck_conforming(t))
        expect(&c);
    if (ck_variant(t, "next-line"))
        c.a.src += 16;
    launch(&c);
}

static bool whole(struct ck *t)
{
    return ck_int(t, "zfill") <= ck_int(t, "size");
}

/* The first bytes are copied, the last zfill bytes become zero. The breaches of prim.memcpy.zfill-over ask for one zero
 * more than there are bytes. */
static void zfill(struct ck *t)
{
    struct copy c = copy_of(t, (uint32_t)ck_int(t, "size"));

    c.a.src = c.a.dst = 16 * (uint32_t)ck_int(t, "line");
    c.a.zfill = (uint32_t)ck_int(t, "zfill");
    if (ck_conforming(t))
        expect(&c);
    if (ck_variant(t, "one-less"))
        c.a.zfill--;
    launch(&c);
}

/* Addresses that are multiples of the size. The breaches move one of them by less. */
static void aligned(struct ck *t)
{
    struct copy c = copy_of(t, (uint32_t)ck_int(t, "size"));

    c.a.src = c.a.size * (uint32_t)ck_int(t, "src");
    c.a.dst = c.a.size * (uint32_t)ck_int(t, "dst");
    expect(&c);
    if (ck_variant(t, "next"))
        c.a.src += 16;
    if (ck_variant(t, "src-off"))
        c.a.src += c.a.size / 2;
    if (ck_variant(t, "dst-off"))
        c.a.dst += c.a.size / 2;
    launch(&c);
}

/* From global to shared memory. One breach copies from shared memory, the other to global memory. */
static void spaces(struct ck *t)
{
    struct copy c = copy_of(t, (uint32_t)ck_int(t, "size"));

    c.a.src = HALF;
    expect(&c);
    if (ck_variant(t, "next"))
        c.a.src += 16;
    c.a.from_shared = ck_variant(t, "from-shared");
    c.a.to_global = ck_variant(t, "to-global");
    launch(&c);
}

/* Nothing touches the bytes between the copy and the wait: they come. The breaches each do one thing in between. */
static void between(struct ck *t)
{
    static const char *const names[] = { "nothing", "load", "store", "atomic", "source", "other", "after" };
    const uint32_t threads = (uint32_t)ck_int(t, "threads");
    const struct ck_buf in = ck_input(t, (size_t)16 * threads), out = ck_output(t, (size_t)16 * threads);
    struct prim_between_args a = { .in = in.device, .out = out.device };
    unsigned char *expected = ck_alloc(t, in.size);

    memcpy(expected, in.host, in.size);
    for (uint32_t i = PRIM_NOTHING; i <= PRIM_AFTER; i++)
        a.between = ck_is(t, "between", names[i]) ? i : a.between;
    ck_launch(t,
              &(struct ck_launch){
                  .kernel = "prim_between", .block = { threads }, .smem = 16 * threads, .args = &a, .size = sizeof a });
    ck_equal(t, out, expected);
}

/* Recorded is how many of an object's bytes came. */
static void object(struct ck *t)
{
    const struct ck_buf in = ck_input(t, 64), out = ck_output(t, 64);
    const struct prim_object_args a = {
        .in = in.device, .out = out.device, .size = (uint32_t)ck_int(t, "size"), .align = (uint32_t)ck_int(t, "align")
    };
    uint32_t n = 0;

    ck_launch(t, &(struct ck_launch){ .kernel = "prim_object", .smem = 64, .args = &a, .size = sizeof a });
    while (n < 64 && out.host[n] == in.host[n])
        n++;
    ck_see(t, "%u bytes", n);
}

/* The objects of the kernel. */
static bool there_is(struct ck *t)
{
    const int64_t size = ck_int(t, "size"), align = ck_int(t, "align");

    return size == 64 || size == 16 || (align == 4 && size < 16) || (align == 8 && (size == 8 || size == 24)) ||
           (align == 16 && size == 32);
}

#define SIZES                                                                                                          \
    {                                                                                                                  \
        "size", "4 8 16"                                                                                               \
    }

static const struct ck_case cases[] = {
    { CK_RULE(prim_memcpy_sizes), .run = sizes,
      .axes = { SIZES, { "src", "0..3" }, { "dst", "0 1 2 5" }, { "threads", "1 2 7 16" } },
      .mutants = { { "next-line", "copy from 16 bytes further on" } },
      .breaches = { { "size-0", "ask for 0 bytes", .set = "size=0", .only = "size=4 src=0 dst=0 threads=1",
                      .faults = true },
                    { "size-2", "ask for 2 bytes", .set = "size=2", .only = "size=4 src=0 dst=0 threads=1",
                      .faults = true },
                    { "size-5", "ask for 5 bytes", .set = "size=5", .only = "size=4 src=0 dst=0 threads=1",
                      .faults = true },
                    { "size-12", "ask for 12 bytes", .set = "size=12", .only = "size=4 src=0 dst=0 threads=1",
                      .faults = true },
                    { "size-32", "ask for 32 bytes", .set = "size=32", .only = "size=4 src=0 dst=0 threads=1",
                      .faults = true } } },
    { CK_RULE(prim_memcpy_zfill), .run = zfill, .axes = { SIZES, { "zfill", "0..16" }, { "line", "0 1 3" } },
      .valid = whole,
      .mutants = { { "one-less", "one zero less", .only = "zfill=1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16" } } },
    { CK_RULE(prim_memcpy_zfill_over), .run = zfill, .axes = { SIZES, { "zfill", "4 8 16" }, { "line", "=0" } },
      .valid = whole, .mutants = { { "one-less", "one zero less" } },
      .breaches = { { "five", "five zeros for four bytes", .set = "zfill=5", .only = "size=4 zfill=4", .faults = true },
                    { "nine", "nine zeros for eight bytes", .set = "zfill=9", .only = "size=8 zfill=8",
                      .faults = true },
                    { "seventeen", "seventeen zeros for sixteen bytes", .set = "zfill=17", .only = "size=16 zfill=16",
                      .faults = true } } },
    { CK_RULE(prim_memcpy_align), .run = aligned, .axes = { SIZES, { "src", "0..3" }, { "dst", "0..3" } },
      .mutants = { { "next", "copy from 16 bytes further on" } },
      .breaches = { { "src-off", "the source is half a size further on", .only = "src=0 dst=0", .faults = true },
                    { "dst-off", "the destination is half a size further on", .only = "src=0 dst=0",
                      .faults = true } } },
    { CK_RULE(prim_memcpy_spaces), .run = spaces, .axes = { SIZES },
      .mutants = { { "next", "copy from 16 bytes further on" } },
      .breaches = { { "from-shared", "copy from shared memory", .only = "size=16", .faults = true, .varies = true },
                    { "to-global", "copy to global memory", .only = "size=16", .faults = true, .varies = true } } },
    { CK_RULE(prim_memcpy_races), .run = between, .axes = { { "threads", "1 2 32 64" }, { "between", "=nothing" } },
      .mutants = { { "after", "store to the destination after the wait", .set = "between=after" } },
      .breaches = { { "load", "load from the destination before the wait", .set = "between=load", .varies = true },
                    { "store", "store to the destination before the wait", .set = "between=store", .varies = true },
                    { "atomic", "add to the destination before the wait", .set = "between=atomic", .varies = true },
                    { "source", "store to the source before the wait", .set = "between=source", .varies = true },
                    { "other", "the next thread stores to the destination before the wait", .set = "between=other",
                      .only = "threads=2/32/64", .varies = true } } },
    { CK_RULE(prim_experimental_copy_large), .run = object, .valid = there_is,
      .axes = { { "size", "4 8 12 16 24 32 64" }, { "align", "4 8 16" } }, .seen_only = true },
    { 0 },
};

const struct ck_suite pipeline_primitives_copy = { "pipeline-primitives-copy", cases };
// SPDX-License-Identifier: Apache-2.0
