/* What lanes of a warp do together beside common loads and stores: loads of constants, accesses of local memory, and
 * fetches of texels. Each kernel here leaves the same bytes, and the same is said of it, whether each thread has a warp
 * of its own or not, whoever watches. Fetches themselves: emu_texture_test.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/emu/emu.h"
#include "harness/emu/forms/form.h"
#include "harness/emu/texture/object.h"

enum { THREADS = 64, CTAS = 6, WORDS = THREADS * CTAS, TEXELS = 4 * WORDS };

/* %t is the thread in the grid, %o its word of `out`, %x its word of the texels' memory, which is texture %h as well:
 * all of it, or, as an array of 32 columns, %r, or of
 * one dimension, %f. */
static const char head[] =
    ".version 8.6\n.target sm_90\n.address_size 64\n"
    ".const .align 16 .b32 c[8] = { 11, 22, 33, 44, 55, 66, 77, 88 };\n.const .b8 small[4] = { 1, 200, 3, 4 };\n"
    ".visible .entry k(.param .u64 out, .param .u64 texels, .param .u64 line, .param .u64 rows, "
    ".param .u64 flat)\n{\n"
    ".reg .pred %p, %q; .reg .b32 %t, %a, %b, %i, %v<4>; .reg .b64 %o, %x, %h, %r, %f, %d, %l;\n"
    ".local .align 16 .b8 mine[64]; .shared .align 4 .b8 s[256];\n"
    "ld.param.u64 %o, [out]; ld.param.u64 %x, [texels]; ld.param.u64 %h, [line]; ld.param.u64 %r, [rows]; ld.param.u64 %f, [flat];\n"
    "mov.u32 %t, %ctaid.x; mov.u32 %a, %ntid.x; mul.lo.u32 %t, %t, %a; mov.u32 %a, %tid.x; add.u32 %t, %t, %a;\n"
    "mul.wide.u32 %d, %t, 4; add.u64 %o, %o, %d; add.u64 %x, %x, %d; mov.u32 %v0, 0;\n";

#define STORE "st.global.u32 [%o], %v0;\n"
/* Words 0 to 15 of local memory are the thread's number and theirs. */
#define FILL                                                                                                           \
    "mov.u32 %i, 0;\nF: mul.wide.u32 %d, %i, 4; mov.u64 %l, mine; add.u64 %l, %l, %d; add.u32 %v0, %t, %i;\n"          \
    "st.local.u32 [%l], %v0; add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 16; @%p bra F;\n"
/* Two lanes store different words to one place of shared memory: what lanes did together before is put back. */
#define MEET "shr.u32 %b, %a, 1; shl.b32 %b, %b, 2; mov.u32 %i, s; add.u32 %b, %b, %i; st.shared.u32 [%b], %t;\n"

static const struct program {
    const char *name, *body, *says; /* says: of the launch; NULL: it is fine */
    bool turns;                     /* it leaves other bytes where lanes go on step by step */
    bool judged;                    /* only a judge says so, and the launch ends well */
} programs[] = {
    { "a constant", "ld.const.u32 %v0, [c+8];\n" STORE },
    { "constants by lane", "and.b32 %b, %t, 7; mul.wide.u32 %d, %b, 4; mov.u64 %l, c; add.u64 %l, %l, %d;\n"
                           "ld.const.u32 %v0, [%l];\n" STORE },
    { "a vector of constants", "and.b32 %b, %t, 1; mul.wide.u32 %d, %b, 16; mov.u64 %l, c; add.u64 %l, %l, %d;\n"
                               "ld.const.v4.u32 {%v0, %v1, %v2, %v3}, [%l]; mad.lo.u32 %v0, %v1, %v2, %v3;\n" STORE },
    { "a constant with a sign", "ld.const.s8 %v0, [small+1];\n" STORE },
    { "a constant of some lanes", "and.b32 %b, %t, 15; setp.gt.u32 %p, %b, 7; @%p ld.const.u32 %v0, [c+4];\n" STORE },
    { "behind all constants", "setp.eq.u32 %p, %t, 5; @%p ld.const.u32 %v0, [c+4096];\n" STORE, "access.bounds" },
    { "constants, misaligned",
      "add.u32 %b, %t, 1; mul.wide.u32 %d, %b, 2; mov.u64 %l, c; add.u64 %l, %l, %d;\n"
      "setp.lt.u32 %p, %t, 2; @%p ld.const.u32 %v0, [%l];\n" STORE,
      "access.align" },
    { "local memory", FILL "and.b32 %b, %t, 15; mul.wide.u32 %d, %b, 4; mov.u64 %l, mine; add.u64 %l, %l, %d;\n"
                           "ld.local.u32 %v0, [%l]; ld.local.u32 %v1, [mine+8]; mad.lo.u32 %v0, %v0, 3, %v1;\n" STORE },
    { "vectors in local memory",
      FILL "ld.local.v4.u32 {%v0, %v1, %v2, %v3}, [mine+16]; st.local.v2.u32 [mine], {%v3, %v1};\n"
           "ld.local.u32 %v1, [mine]; mad.lo.u32 %v0, %v0, 5, %v1;\n" STORE },
    { "local memory that is put back",
      FILL "ld.shared.u32 %v1, [s+128]; ld.local.u32 %v0, [mine+4];\n"
           "add.u32 %v0, %v0, 1; st.local.u32 [mine+4], %v0;\n" MEET
           "ld.local.u32 %v0, [mine+4]; st.local.u32 [mine+4], 7;\n" STORE,
      "order.data-race", .judged = true },
    { "behind local memory", "setp.eq.u32 %p, %t, 9; @%p st.local.u32 [mine+4096], %t;\n" STORE, "access.bounds" },
    { "texels", "tex.1d.v4.u32.s32 {%v0, %v1, %v2, %v3}, [%h, {%t}];\n" STORE },
    { "texels of rows", "and.b32 %a, %t, 31; shr.u32 %b, %t, 5; cvt.rn.f32.u32 %a, %a; cvt.rn.f32.u32 %b, %b;\n"
                        "tex.2d.v4.u32.f32 {%v0, %v1, %v2, %v3}, [%r, {%a, %b}];\n" STORE },
    { "texels outside", "sub.u32 %t, 100, %t; tex.1d.v4.u32.s32 {%v0, %v1, %v2, %v3}, [%h, {%t}];\n" STORE },
    { "no handle",
      "setp.eq.u32 %p, %t, 3; @%p mov.u64 %h, 77;\n"
      "tex.1d.v4.u32.s32 {%v0, %v1, %v2, %v3}, [%h, {%t}];\n" STORE,
      "access.texture-handle" },
    { "another geometry", "tex.1d.v4.u32.s32 {%v0, %v1, %v2, %v3}, [%r, {%t}];\n" STORE, "access.texture-geometry" },
    { "a thread's own texel, written",
      "st.global.u32 [%x], 5;\n"
      "tex.1d.v4.u32.s32 {%v0, %v1, %v2, %v3}, [%h, {%t}];\n" STORE,
      "access.texture-written", .judged = true },
    { "a texel that was fetched, written",
      "tex.1d.v4.u32.s32 {%v0, %v1, %v2, %v3}, [%h, {%t}]; st.global.u32 [%x], 5;\n" STORE },
    { "the next thread's texel, written",
      "tex.1d.v4.u32.s32 {%v0, %v1, %v2, %v3}, [%h, {%t}]; st.global.u32 [%x+4], 5;\n" STORE, "order.data-race",
      .judged = true, .turns = true },
    { "its own texel, written before it fetches the next thread's",
      "add.u32 %t, %t, 1; st.global.u32 [%x], 5; tex.1d.v4.u32.s32 {%v0, %v1, %v2, %v3}, [%h, {%t}];\n" STORE,
      "order.data-race", .judged = true, .turns = true },
    { "one texel that another thread has fetched, written",
      "tex.1d.v4.u32.s32 {%v0, %v1, %v2, %v3}, [%h, {%t}]; membar.cta; setp.eq.u32 %p, %t, 20;\n"
      "@%p st.global.u32 [%x+-56], 5;\n" STORE,
      "order.data-race", .judged = true, .turns = true },
    { "another geometry, of whole coordinates", "tex.2d.v4.u32.s32 {%v0, %v1, %v2, %v3}, [%h, {%t, 0}];\n" STORE,
      "access.texture-geometry" },
    { "whole coordinates of an array",
      "tex.1d.v4.u32.s32 {%v0, %v1, %v2, %v3}, [%f, {%t}]; add.u32 %v0, %v0, 3;\n" STORE, "access.texture-geometry",
      .judged = true },
    { "a texel beside, written", "tex.1d.v4.u32.s32 {%v0, %v1, %v2, %v3}, [%h, {%t}];\n"
                                 "st.global.u32 [%x+1536], 5;\n" STORE },
};

struct how {
    bool in_step, check_order, light;
    unsigned jobs;
    uint32_t threads;
};

static struct result {
    char text[2000];
    uint32_t out[WORDS], texels[TEXELS];
} got[2];

static void say(const struct emu_report *r, enum emu_end end, struct result *to)
{
    int n = snprintf(to->text, sizeof to->text, "%d", end);

    for (size_t i = 0; i < r->count + r->remarks && n < 1500; i++)
        n += snprintf(to->text + n, sizeof to->text - (size_t)n, " %.60s",
                      r->findings[i].rule ? r->findings[i].rule->id : r->findings[i].message);
}

static void run(const struct program *p, const struct how *how, struct result *to)
{
    const struct emu_options options = {
        .jobs = how->jobs, .in_step = how->in_step, .check_order = how->check_order, .light = how->light
    };
    const uint32_t grid[3] = { WORDS / how->threads, 1, 1 }, block[3] = { how->threads, 1, 1 };
    struct emu_texture x = { .kind = EMU_TEXEL_UNSIGNED, .bits = 32, .channels = 1, .levels = 1 };
    char text[8000], why[400];
    struct emu *e = emu_new(&options);
    struct ptx_error error;
    struct emu_report r;
    struct {
        uint64_t out, texels, line, rows, flat;
    } params;

    snprintf(text, sizeof text, "%s%s\nE: ret;\n}\n", head, p->body);
    struct ptx_module *m = ptx_read(text, strlen(text), NULL, &error);
    if (!m)
        fail_msg("%s: %s", p->name, error.message);
    assert_true(e && emu_load(e, m, why, sizeof why));
    params.out = emu_alloc(e, sizeof to->out, 256, true, "out");
    params.texels = emu_alloc(e, sizeof to->texels, 256, true, "texels");
    for (uint32_t i = 0; i < TEXELS; i++)
        to->texels[i] = i * 2654435761u;
    assert_true(emu_write(e, params.texels, to->texels, sizeof to->texels));
    x.at = params.texels;
    x.memory = true;
    x.width = TEXELS;
    params.line = emu_texture(e, &x);
    x.memory = false;
    params.flat = emu_texture(e, &x);
    x.width = 32;
    x.height = TEXELS / 32;
    params.rows = emu_texture(e, &x);
    const enum emu_end end = emu_launch(e, "k", grid, block, NULL, 0, &params, sizeof params, &r);
    say(&r, end, to);
    assert_true(emu_read(e, to->out, params.out, sizeof to->out));
    assert_true(emu_read(e, to->texels, params.texels, sizeof to->texels));
    emu_free(e);
    ptx_free(m);
}

static void compare(const struct program *p, const struct how *how)
{
    const bool watched = how->check_order;

    run(p, how, &got[1]);
    if (p->says && (watched || !p->judged) && !strstr(got[1].text, p->says))
        fail_msg("%s: %s, not %s (in step %d, judged %d, light %d)", p->name, got[1].text, p->says, how->in_step,
                 watched, how->light);
    if (!p->says && strcmp(got[1].text, "0") != 0)
        fail_msg("%s: %s (in step %d, judged %d, light %d)", p->name, got[1].text, how->in_step, watched, how->light);
    if (p->says && !p->judged) /* it has ended somewhere */
        return;
    if (p->turns && how->in_step)
        return;
    if (memcmp(got[0].out, got[1].out, sizeof got->out) || memcmp(got[0].texels, got[1].texels, sizeof got->texels))
        fail_msg("%s: other bytes (in step %d, judged %d, light %d)", p->name, how->in_step, watched, how->light);
}

static void as_alone(void **state)
{
    static const struct how alone = { .threads = 1, .jobs = 1 },
                            judged = { .threads = THREADS, .jobs = 1, .check_order = true }; /* which asks for order */

    (void)state;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        run(&programs[i], programs[i].turns ? &judged : &alone, &got[0]);
        for (unsigned k = 0; k < 12; k++)
            compare(&programs[i], &(struct how){ .threads = THREADS,
                                                 .in_step = k & 1,
                                                 .check_order = k % 6 > 1,
                                                 .light = k % 6 > 3,
                                                 .jobs = 1 + k / 6 });
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
