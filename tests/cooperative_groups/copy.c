/* cooperative_groups::memcpy_async: which bytes come, for which sizes, addresses and groups. */
#include <string.h>

#include "harness/ck.h"
#include "kernels/libcu_groups.h"

enum { IMAGE = 4096, HALF = IMAGE / 2, WARP = 32 };

struct copy {
    struct ck *t;
    struct cg_copy_args a;
    struct ck_buf in, far, out;
    unsigned char *image, *elsewhere; /* what `out` and `far` must hold */
    uint32_t threads;
    const char *kernel;
};

static const struct {
    const char *name;
    uint32_t size; /* of an element, or what the number of bytes is a multiple of */
} forms[] = {
    [CG_CHARS] = { "chars", 1 },
    [CG_VOID] = { "void", 1 },
    [CG_SHORT] = { "short", 2 },
    [CG_INT] = { "int", 4 },
    [CG_INT2] = { "int2", 8 },
    [CG_INT4] = { "int4", 16 },
    [CG_A4] = { "align4", 4 },
    [CG_A8] = { "align8", 8 },
    [CG_A16] = { "align16", 16 },
    [CG_A32] = { "align32", 32 },
    [CG_CHAR_ELEMENTS] = { "char-elements", 1 },
    [CG_INT_ELEMENTS] = { "int-elements", 4 },
    [CG_INT4_ELEMENTS] = { "int4-elements", 16 },
};

static uint32_t form_of(struct ck *t)
{
    for (uint32_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (ck_is(t, "form", forms[i].name))
            return i;
    ck_skip(t, "no form %s", ck_word(t, "form"));
}

/* A block copies from global to shared memory; the caller says what and where. */
static struct copy copy_of(struct ck *t, struct ck_buf in, uint32_t threads)
{
    struct copy c = { .t = t,
                      .in = in,
                      .far = ck_output(t, IMAGE),
                      .out = ck_output(t, IMAGE),
                      .image = ck_alloc(t, IMAGE),
                      .elsewhere = ck_alloc(t, IMAGE),
                      .threads = threads,
                      .kernel = "cg_copy" };

    c.a = (struct cg_copy_args){ .in = in.device,
                                 .far = c.far.device,
                                 .out = c.out.device,
                                 .image = IMAGE,
                                 .form = form_of(t),
                                 .group = 1,
                                 .to_shared = 1 };
    memset(c.image, CK_POISON, HALF);
    memcpy(c.image + HALF, in.host + HALF, HALF);
    memset(c.elsewhere, CK_POISON, IMAGE);
    return c;
}

/* What must come when each of `pieces` groups copies `bytes` bytes. */
static void expect(struct copy *c, uint32_t pieces, uint32_t bytes)
{
    for (uint32_t i = 0; i < pieces; i++)
        memcpy((c->a.to_shared ? c->image : c->elsewhere) + c->a.dst + i * c->a.step,
               c->in.host + c->a.src + i * c->a.step, bytes);
}

static void launch(struct copy *c)
{
    ck_launch(c->t,
              &(struct ck_launch){
                  .kernel = c->kernel, .block = { c->threads }, .smem = IMAGE, .args = &c->a, .size = sizeof c->a });
}

static void launch_and_compare(struct copy *c)
{
    launch(c);
    ck_equal(c->t, c->out, c->image);
    ck_equal(c->t, c->far, c->elsewhere);
}

/* A number of bytes that is a multiple of the elements' size: they come, and the bytes around them stay. */
static void bytes(struct ck *t)
{
    struct copy c = copy_of(t, ck_input(t, IMAGE), (uint32_t)ck_int(t, "threads"));
    const uint32_t unit = forms[c.a.form].size;

    c.a.size = unit * (uint32_t)ck_int(t, "units");
    c.a.src = unit;
    c.a.dst = 2 * unit;
    expect(&c, 1, c.a.size);
    if (ck_variant(t, "more"))
        c.a.size += unit;
    launch_and_compare(&c);
}

/* Elements of the destination and of the source: the smaller number comes. */
static void elements(struct ck *t)
{
    struct copy c = copy_of(t, ck_input(t, IMAGE), WARP);

    c.a.size = (uint32_t)ck_int(t, "to");
    c.a.from = (uint32_t)ck_int(t, "from");
    expect(&c, 1, forms[c.a.form].size * (c.a.size < c.a.from ? c.a.size : c.a.from));
    if (ck_variant(t, "larger"))
        c.a.size = c.a.from = c.a.size > c.a.from ? c.a.size : c.a.from;
    if (ck_variant(t, "more"))
        c.a.size = ++c.a.from;
    launch_and_compare(&c);
}

/* How far the bytes of the source have come. */
static uint32_t came(const struct copy *c)
{
    uint32_t n = 0;

    while (n < HALF && c->out.host[c->a.dst + n] == c->in.host[c->a.src + n])
        n++;
    return n;
}

/* Recorded is how many bytes come for a number that is no multiple of the element's size. */
static void round_down(struct ck *t)
{
    struct copy c = copy_of(t, ck_input(t, IMAGE), WARP);

    c.a.size = (uint32_t)ck_int(t, "bytes");
    launch(&c);
    ck_see(t, "%u bytes", came(&c));
}

/* By bytes, from and to any addresses whose distance is not 2 modulo 4: they come, and the bytes around them stay. */
static void exact(struct ck *t)
{
    struct copy c = copy_of(t, ck_input(t, IMAGE), WARP);

    c.a.size = (uint32_t)ck_int(t, "bytes");
    c.a.src = (uint32_t)ck_int(t, "src");
    c.a.dst = 32 + (uint32_t)ck_int(t, "dst");
    expect(&c, 1, c.a.size);
    if (ck_variant(t, "one-more"))
        c.a.size++;
    launch_and_compare(&c);
}

/* cg.memcpy.two-apart has the others. */
static bool not_two_apart(struct ck *t)
{
    return ((ck_int(t, "src") ^ ck_int(t, "dst")) & 3) != 2;
}

/* Recorded is how many bytes come between addresses whose distance is 2 modulo 4. */
static void two_apart(struct ck *t)
{
    struct copy c = copy_of(t, ck_input(t, IMAGE), WARP);

    c.a.size = (uint32_t)ck_int(t, "bytes");
    c.a.src = (uint32_t)ck_int(t, "src");
    c.a.dst = 32 + c.a.src + 2;
    launch(&c);
    ck_see(t, "%u bytes", came(&c));
}

/* Recorded is whether bytes from far away are there when the call returns, before any wait. */
static void at_once(struct ck *t)
{
    struct copy c = copy_of(t, ck_slow_input(t, IMAGE), WARP);

    c.a.size = (uint32_t)ck_int(t, "bytes");
    c.a.no_wait = 1;
    launch(&c);
    ck_no_digest(t);
    ck_see(t, came(&c) >= c.a.size ? "all bytes" : "not all bytes");
}

/* From shared memory, and to global memory: the bytes come, and the bytes around them stay. */
static void fallback(struct ck *t)
{
    struct copy c = copy_of(t, ck_input(t, IMAGE), (uint32_t)ck_int(t, "threads"));

    c.a.from_shared = ck_is(t, "from", "shared");
    c.a.to_shared = ck_is(t, "to", "shared");
    c.a.src = c.a.from_shared ? HALF : 0;
    c.a.size = 64 * (uint32_t)ck_int(t, "units");
    expect(&c, 1, c.a.size);
    if (ck_variant(t, "more"))
        c.a.size += 16;
    launch_and_compare(&c);
}

static bool not_to_shared(struct ck *t)
{
    return !(ck_is(t, "from", "global") && ck_is(t, "to", "shared"));
}

/* Each tile of the block copies its own piece, with a gap behind it. */
static void tiles(struct ck *t)
{
    struct copy c = copy_of(t, ck_input(t, IMAGE), (uint32_t)ck_int(t, "threads"));
    const uint32_t unit = forms[c.a.form].size;

    c.kernel = "cg_tiles";
    c.a.group = (uint32_t)ck_int(t, "tile");
    c.a.size = unit * (uint32_t)ck_int(t, "units");
    c.a.step = c.threads == c.a.group ? 0 : HALF / (c.threads / c.a.group) / 16 * 16;
    expect(&c, c.threads / c.a.group, c.a.size);
    if (ck_variant(t, "more"))
        c.a.size += unit;
    launch_and_compare(&c);
}

/* There is room for each tile's piece and a gap. */
static bool pieces_fit(struct ck *t)
{
    const int64_t tiles_here = ck_int(t, "threads") / ck_int(t, "tile");

    return 16 * ck_int(t, "units") + 32 <= HALF / tiles_here;
}

/* Some lanes of a warp copy as a coalesced group: all bytes come. */
static void coalesced(struct ck *t)
{
    struct copy c = copy_of(t, ck_input(t, IMAGE), WARP);
    const uint32_t unit = forms[c.a.form].size;

    c.kernel = "cg_coalesced";
    c.a.group = (uint32_t)ck_int(t, "every");
    c.a.size = unit * (uint32_t)ck_int(t, "units");
    expect(&c, 1, c.a.size);
    if (ck_variant(t, "more"))
        c.a.size += unit;
    launch_and_compare(&c);
}

/* All threads of the block call with the same size: all bytes come. One breach leaves the last thread out, another lets
 * it ask for half the size. */
static void collective(struct ck *t)
{
    struct copy c = copy_of(t, ck_input(t, IMAGE), (uint32_t)ck_int(t, "threads"));

    c.a.size = 1024;
    expect(&c, 1, c.a.size);
    if (ck_variant(t, "more"))
        c.a.size += 16;
    if (ck_variant(t, "one-missing"))
        c.a.skip = 1;
    if (ck_variant(t, "other-size"))
        c.a.skip = 2;
    launch_and_compare(&c);
}

/* aligned_size_t<N>, both addresses and the size multiples of N. The breaches each take one of them off it. */
static void aligned(struct ck *t)
{
    struct copy c = copy_of(t, ck_input(t, IMAGE), WARP);
    const uint32_t n = forms[c.a.form].size;

    c.a.src = n * (uint32_t)ck_int(t, "src");
    c.a.dst = n * (uint32_t)ck_int(t, "dst");
    c.a.size = n * (uint32_t)ck_int(t, "units");
    expect(&c, 1, c.a.size);
    if (ck_variant(t, "more"))
        c.a.size += n;
    if (ck_variant(t, "src-off"))
        c.a.src += 2;
    if (ck_variant(t, "dst-off"))
        c.a.dst += 2;
    if (ck_variant(t, "size-off"))
        c.a.size -= 2;
    launch_and_compare(&c);
}

#define FORM(list)                                                                                                     \
    {                                                                                                                  \
        "form", list                                                                                                   \
    }

static const struct ck_case cases[] = {
    { CK_RULE(cg_memcpy_bytes), .run = bytes,
      .axes = { FORM("short int int2 int4 align4 align8 align16 align32"),
                { "units", "0 1 2 3 4 7 16 31" },
                { "threads", "1 32 33 64" } },
      .mutants = { { "more", "copy one unit more" } } },
    { CK_RULE(cg_memcpy_elements), .run = elements,
      .axes = { FORM("char-elements int-elements int4-elements"), { "to", "0 1 3 16 40" }, { "from", "0 1 4 16 41" } },
      .mutants = { { "larger", "ask for the larger number", .only = "to=3/40" },
                   { "more", "ask for one element more of the source's number", .only = "to=1/16" } } },
    { CK_RULE(cg_memcpy_round_down), .run = round_down,
      .axes = { FORM("short int int2 int4 align4 align8 align16"), { "bytes", "1..31" } }, .seen_only = true },
    { CK_RULE(cg_memcpy_void_exact), .run = exact, .valid = not_two_apart,
      .axes = { FORM("chars void"),
                { "bytes", "0 1 2 3 4 5 7 8 9 15 16 17 31 32 33 47 64 257" },
                { "src", "0 1 2 3 4 8 13 15" },
                { "dst", "0 1 4 7 8 14" } },
      .mutants = { { "one-more", "copy one byte more" } } },
    { CK_RULE(cg_memcpy_two_apart), .run = two_apart,
      .axes = { FORM("chars void"), { "bytes", "0..9 15 16 17 32 33" }, { "src", "0 2 4 6" } }, .seen_only = true },
    { CK_RULE(cg_memcpy_two_apart), .name = "odd", .run = two_apart,
      .axes = { FORM("=chars"), { "bytes", "16" }, { "src", "1 3" } }, .seen_only = true, .faults = true },
    { CK_RULE(cg_memcpy_short_rule), .run = at_once, .axes = { FORM("chars void"), { "bytes", "1..15" } },
      .seen_only = true },
    { CK_RULE(cg_memcpy_fallback), .run = fallback, .valid = not_to_shared,
      .axes = { FORM("chars void short int int2 int4 align4 align16"),
                { "from", "global shared" },
                { "to", "shared global" },
                { "units", "1 2 5" },
                { "threads", "32 64" } },
      .mutants = { { "more", "copy 16 bytes more" } } },
    { CK_RULE(cg_memcpy_tile_duplicates), .run = tiles, .valid = pieces_fit,
      .axes = { FORM("int align16"), { "tile", "2 4 8 16 32" }, { "units", "1..33" }, { "threads", "=32" } },
      .mutants = { { "more", "copy one unit more" } } },
    { CK_RULE(cg_memcpy_each_group), .run = tiles, .valid = pieces_fit,
      .axes = { FORM("void int align16"),
                { "tile", "1 2 4 8 16 32" },
                { "units", "1 2 5 16 33" },
                { "threads", "32 64 128" } },
      .mutants = { { "more", "copy one unit more" } } },
    { CK_RULE(cg_memcpy_each_group), .name = "coalesced", .run = coalesced,
      .axes = { FORM("void int align16"), { "every", "1 2 3 5 31" }, { "units", "1 2 5 16 33 64" } },
      .mutants = { { "more", "copy one unit more" } } },
    { CK_RULE(cg_collective), .run = collective,
      .axes = { FORM("chars int align4 align16"), { "threads", "2 32 33 64" } },
      .mutants = { { "more", "copy 16 bytes more" } },
      .breaches = { { "one-missing", "the last thread does not call", .only = "form=align4 threads=64",
                      .varies = true },
                    { "other-size", "the last thread asks for half the size", .only = "form=align4 threads=64",
                      .varies = true } } },
    { CK_RULE(cg_memcpy_aligned_pre), .run = aligned,
      .axes = { FORM("align4 align8 align16 align32"), { "src", "0 1 2" }, { "dst", "0 1 3" }, { "units", "1 2 5" } },
      .mutants = { { "more", "copy one unit more" } },
      .breaches = { { "src-off", "the source is 2 past a multiple", .only = "src=1 dst=1 units=2", .faults = true },
                    { "dst-off", "the destination is 2 past a multiple", .only = "src=1 dst=1 units=2",
                      .faults = true },
                    { "size-off", "two bytes less than a multiple", .only = "form=align8 src=1 dst=1 units=2" } } },
    { 0 },
};

const struct ck_suite cooperative_groups_copy = { "cooperative-groups-copy", cases };
// SPDX-License-Identifier: Apache-2.0
