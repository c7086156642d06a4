/* cuda::memcpy_async on a pipeline: which bytes come. */
#include <string.h>

#include "harness/ck.h"
#include "kernels/libcu_pipeline.h"

enum { IMAGE = 4096, HALF = IMAGE / 2 };

static const struct {
    const char *name;
    uint32_t unit; /* what addresses and sizes are multiples of */
} forms[] = {
    [PIPE_CHARS] = { "chars", 1 },  [PIPE_INT] = { "int", 4 },   [PIPE_INT4] = { "int4", 16 },
    [PIPE_A4] = { "align4", 4 },    [PIPE_A8] = { "align8", 8 }, [PIPE_A16] = { "align16", 16 },
    [PIPE_A32] = { "align32", 32 },
};

struct copy {
    struct pipe_copy_args a;
    struct ck_buf in, far, out;
    unsigned char *image, *elsewhere; /* what `out` and `far` must hold */
    uint32_t unit, threads;
};

static struct copy copy_of(struct ck *t)
{
    struct copy c = { .in = ck_input(t, IMAGE),
                      .far = ck_output(t, IMAGE),
                      .out = ck_output(t, IMAGE),
                      .image = ck_alloc(t, IMAGE),
                      .elsewhere = ck_alloc(t, IMAGE),
                      .threads = (uint32_t)ck_int(t, "threads") };

    c.a = (struct pipe_copy_args){
        .in = c.in.device, .far = c.far.device, .out = c.out.device, .image = IMAGE, .to_shared = 1
    };
    for (uint32_t i = 0; i < sizeof forms / sizeof *forms; i++)
        c.a.form = ck_is(t, "form", forms[i].name) ? i : c.a.form;
    c.unit = forms[c.a.form].unit;
    memset(c.image, CK_POISON, HALF);
    memcpy(c.image + HALF, c.in.host + HALF, HALF);
    memset(c.elsewhere, CK_POISON, IMAGE);
    return c;
}

static void expect(struct copy *c)
{
    for (uint32_t i = 0; i < (c->a.alone ? c->threads : 1); i++)
        memcpy((c->a.to_shared ? c->image : c->elsewhere) + c->a.dst + i * c->a.alone,
               c->in.host + c->a.src + i * c->a.alone, c->a.size);
}

static void launch_and_compare(struct ck *t, const struct copy *c)
{
    ck_launch(
        t,
        &(struct ck_launch){
            .kernel = "libcu_pipe_copy", .block = { c->threads }, .smem = IMAGE, .args = &c->a, .size = sizeof c->a });
    ck_equal(t, c->out, c->image);
    ck_equal(t, c->far, c->elsewhere);
}

/* The threads of a block copy together, in any direction: the bytes come, and those around them stay. */
static void together(struct ck *t)
{
    struct copy c = copy_of(t);

    c.a.from_shared = ck_is(t, "from", "shared");
    c.a.to_shared = ck_is(t, "to", "shared");
    c.a.src = (c.a.from_shared ? HALF : 0) + c.unit;
    c.a.dst = 3 * c.unit;
    c.a.size = c.unit * (uint32_t)ck_int(t, "units");
    expect(&c);
    if (ck_variant(t, "more"))
        c.a.size += c.unit;
    launch_and_compare(t, &c);
}

/* Each thread makes a copy of its own. */
static void alone(struct ck *t)
{
    struct copy c = copy_of(t);

    c.a.alone = 48;
    c.a.size = c.unit * (uint32_t)ck_int(t, "units");
    expect(&c);
    if (ck_variant(t, "more"))
        c.a.size += c.unit;
    launch_and_compare(t, &c);
}

#define FORM(list)                                                                                                     \
    {                                                                                                                  \
        "form", list                                                                                                   \
    }

static const struct ck_case cases[] = {
    { CK_RULE(cxx_memcpy_bytes), .name = "pipeline", .run = together,
      .axes = { FORM("chars int int4 align4 align8 align16 align32"),
                { "from", "global shared" },
                { "to", "shared global" },
                { "units", "0 1 2 3 5 17 33" },
                { "threads", "1 32 64" } },
      .mutants = { { "more", "copy one unit more" } } },
    { CK_RULE(cxx_memcpy_single_per_thread), .name = "pipeline", .run = alone,
      .axes = { FORM("chars align4"), { "units", "1 2 3 8 11" }, { "threads", "1 2 31 32" } },
      .mutants = { { "more", "copy one unit more" } } },
    { 0 },
};

const struct ck_suite cuda_pipeline_copy = { "cuda-pipeline-copy", cases };
// SPDX-License-Identifier: Apache-2.0
