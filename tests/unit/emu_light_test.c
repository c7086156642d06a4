/* The light judge (judge/light_state.h): with it, a launch has the findings, the bytes and the count of instructions
 * that it has without. Each program here has many CTAs, which run ahead. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/emu/emu.h"
#include "harness/emu/forms/form.h"
#include "harness/emu/machine/finding.h"
#include "harness/emu/machine/state.h"

enum { THREADS = 96, CTAS = 20, BYTES = 512, PAGES = 80, PAGE = 4096 };

/* %t is the thread, %b its word of 384 bytes in shared memory, %g its word of the CTA's bytes in global memory. */
static const char head[] =
    ".version 8.6\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
    ".reg .pred %p, %q; .reg .b32 %t, %b, %a, %x, %y, %k; .reg .b16 %h; .reg .b64 %g, %c, %d;\n"
    ".shared .align 16 .b8 s[512];\n"
    "ld.param.u64 %c, [p]; mov.u32 %t, %tid.x; mov.u32 %a, %ctaid.x; mul.wide.u32 %d, %a, 512; add.u64 %c, %c, %d;\n"
    "mul.wide.u32 %d, %t, 4; add.u64 %g, %c, %d; mov.u32 %b, s; mad.lo.u32 %b, %t, 4, %b; mov.b16 %h, 3;\n";

#define BAR  "bar.sync 0;\n"
#define WARP "bar.warp.sync 0xffffffff;\n"
#define OWN  "st.shared.u32 [%b], %t;\n"
#define ALL  OWN "bar.sync 0; xor.b32 %x, %t, 5; st.shared.u32 [%b], %x;\n" /* everything has a value before */

#define FAR "mov.u32 %a, %ctaid.x; mul.wide.u32 %d, %a, 327168; add.u64 %c, %c, %d;\n" /* PAGES * PAGE - BYTES */
#define EACH(label, what)                                                                                              \
    "mov.u64 %d, %c; mov.u32 %k, 0;\n" label ": " what                                                                 \
    " add.u64 %d, %d, 4096; add.u32 %k, %k, 1; setp.lt.u32 %q, %k, 80; @%q bra " label ";\n"

static const struct program {
    const char *name, *body, *rule; /* rule: of the first finding; NULL: there is none */
    bool doubts;                    /* the light judge doubts, although there is none */
    bool blank;                     /* nobody has written global memory */
    bool pages;                     /* a CTA has PAGES of them, from %c on, once FAR is done */
} programs[] = {
    { "a word each", OWN "ld.shared.u32 %x, [%b];\n", .rule = NULL },
    { "a neighbour's, behind a barrier", OWN BAR "xor.b32 %a, %t, 1; mad.lo.u32 %a, %a, 4, 0; mov.u32 %x, s;\n"
                                                 "add.u32 %a, %a, %x; ld.shared.u32 %x, [%a];\n" },
    { "a neighbour's, without one",
      ALL "xor.b32 %a, %t, 1; mad.lo.u32 %a, %a, 4, 0; mov.u32 %x, s;\n"
          "add.u32 %a, %a, %x; ld.shared.u32 %x, [%a];\n",
      "order.data-race" },
    { "a neighbour's, behind a barrier of the warp",
      OWN WARP "xor.b32 %a, %t, 1; mad.lo.u32 %a, %a, 4, 0;\n"
               "mov.u32 %x, s; add.u32 %a, %a, %x; ld.shared.u32 %x, [%a];\n" },
    { "another warp's, behind a barrier of the warp",
      ALL WARP "xor.b32 %a, %t, 32; rem.u32 %a, %a, 96;\n"
               "mad.lo.u32 %a, %a, 4, 0; mov.u32 %x, s; add.u32 %a, %a, %x; ld.shared.u32 %x, [%a];\n",
      "order.data-race" },
    { "read by all, then written", OWN BAR "ld.shared.u32 %x, [s+8];\n" BAR "setp.eq.u32 %p, %t, 40; "
                                           "@%p st.shared.u32 [s+8], 1;\n" },
    { "read by all, and written",
      ALL BAR "ld.shared.u32 %x, [s+8]; setp.eq.u32 %p, %t, 40; @%p st.shared.u32 [s+8], 1;\n", "order.data-race" },
    { "sums", "setp.lt.u32 %p, %t, 8; @%p st.shared.u32 [%b], 0;\n" BAR "and.b32 %a, %t, 7; mov.u32 %x, s;\n"
              "mad.lo.u32 %a, %a, 4, %x; atom.shared.add.u32 %y, [%a], 1; red.shared.add.u32 [%a], 2;\n" },
    { "sums, and a word of them read",
      "setp.lt.u32 %p, %t, 8; @%p st.shared.u32 [%b], 0;\n" BAR "and.b32 %a, %t, 7;\n"
      "mov.u32 %x, s; mad.lo.u32 %a, %a, 4, %x; atom.shared.add.u32 %y, [%a], 1; ld.shared.u32 %y, [%a];\n",
      "order.data-race" },
    { "read by a plain load and a strong one, and added to",
      ALL BAR
      "setp.eq.u32 %p, %t, 0; @%p ld.shared.u32 %x, [s]; setp.eq.u32 %p, %t, 40; @%p ld.volatile.shared.u32 %x, [s];\n"
      "setp.eq.u32 %p, %t, 70; @%p red.shared.add.u32 [s], 1;\n",
      "order.data-race" },
    { "bytes of a word", "mov.u32 %a, s; add.u32 %a, %a, %t; st.shared.u8 [%a], %h;\n" BAR "ld.shared.u32 %x, [s];\n" },
    { "bytes of a word, read as one",
      ALL "mov.u32 %a, s; add.u32 %a, %a, %t; st.shared.u8 [%a], %h; ld.shared.u32 %x, [s];\n", "order.data-race" },
    { "one value by a warp", "setp.lt.u32 %p, %t, 32; @%p st.shared.u32 [s], 7;\n" BAR "ld.shared.u32 %x, [s];\n" },
    { "one value by a warp, and another between",
      "setp.lt.u32 %p, %t, 32; setp.eq.u32 %q, %t, 0; @%p st.shared.u32 [s], 7; @%q st.volatile.shared.u32 [s], 7;\n",
      "order.data-race" },
    { "one value by two instructions of a warp",
      "setp.lt.u32 %p, %t, 16; setp.lt.u32 %q, %t, 32; @%p st.shared.u32 [s], 7; @%p bra E; @%q st.shared.u32 [s], 7;\n",
      "order.data-race" },
    { "some have left, and accessed nothing",
      "setp.gt.u32 %p, %t, 70; @%p bra E;\n" OWN BAR "ld.shared.u32 %x, [s];\n" },
    { "some have left, and written", ALL "setp.gt.u32 %p, %t, 70; @%p bra E;\n" BAR "ld.shared.u32 %x, [s+300];\n",
      "order.data-race" },
    { "one has stored, and left",
      ALL BAR "setp.eq.u32 %p, %t, 80; @%p st.shared.u32 [s], 1; @%p bra E;\n" BAR "ld.shared.u32 %x, [s];\n",
      "order.data-race" },
    { "one has read, and left",
      ALL BAR "setp.eq.u32 %p, %t, 80; @%p ld.shared.u32 %x, [s]; @%p bra E;\n" BAR
              "setp.eq.u32 %p, %t, 0; @%p st.shared.u32 [s], 1;\n",
      "order.data-race" },
    { "one has added, and left",
      ALL BAR "setp.eq.u32 %p, %t, 80; @%p red.shared.add.u32 [s], 1; @%p bra E;\n" BAR "ld.shared.u32 %x, [s];\n",
      "order.data-race" },
    { "nobody has written it", "ld.shared.u32 %x, [%b]; st.global.u32 [%g], %x;\n", "order.unwritten" },
    { "half of it", "setp.lt.u32 %p, %t, 48; @%p st.shared.u32 [%b], 1;\n" BAR "ld.shared.u32 %x, [s+200];\n",
      "order.unwritten" },
    { "global memory of nobody", "ld.global.u32 %x, [%g];\n", "order.unwritten", .blank = true },
    { "many pages, behind a barrier",
      FAR "setp.eq.u32 %p, %t, 0;\n" EACH("L", "@%p st.global.u32 [%d], 1;") BAR EACH("M", "ld.global.u32 %x, [%d];"),
      .blank = true, .pages = true },
    { "many pages, without one",
      FAR "setp.eq.u32 %p, %t, 0;\n" EACH(
          "L", "@%p st.global.u32 [%d], 1;") "setp.eq.u32 %p, %t, 40; @%p ld.global.u32 %x, [%c];\n",
      "order.data-race", .pages = true },
    { "words that some lanes have written, read by all of them",
      "setp.lt.u32 %p, %t, 48; @%p st.global.u32 [%g], %t; ld.global.u32 %x, [%g];\n", "order.unwritten",
      .blank = true },
    { "a vector of which a word has a value, and another word of it",
      "setp.eq.u32 %p, %t, 0; @%p st.global.u32 [%c], 1; @%p ld.global.v4.u32 {%x, %y, %a, %k}, [%c]; @%p ld.global.u32 %x, "
      "[%c+8];\n",
      "order.unwritten", .blank = true },
    { "global memory that it writes itself", "st.global.u32 [%g], %t; ld.global.u32 %x, [%g];\n", .blank = true },
    { "global memory, another's word", "st.global.u32 [%g], %t; ld.global.u32 %x, [%c+12];\n", "order.data-race" },
    { "a loop with many barriers", "mov.u32 %k, 0;\nL: " OWN BAR "ld.shared.u32 %x, [s+4];\n" BAR
                                   "add.u32 %k, %k, 1; setp.lt.u32 %p, %k, 300; @%p bra L;\n" },
    { "a table", OWN BAR "mov.u32 %k, 0;\nL: mul.lo.u32 %a, %t, %t; add.u32 %a, %a, %k; rem.u32 %a, %a, 96;\n"
                         "mov.u32 %x, s; mad.lo.u32 %a, %a, 4, %x; ld.shared.u32 %x, [%a]; add.u32 %y, %y, %x;\n"
                         "add.u32 %k, %k, 1; setp.lt.u32 %p, %k, 9; @%p bra L;\n" },
    { "what another tells by a flag",
      "setp.eq.u32 %p, %t, 0; @%p st.shared.u32 [s], 0;\n" BAR "@%p st.global.u32 [%g], 1; membar.cta;\n"
      "@%p atom.shared.exch.b32 %x, [s], 1; setp.eq.u32 %q, %t, 40;\nL: @%q ld.volatile.shared.u32 %x, [s];\n"
      "setp.eq.and.u32 %p, %x, 0, %q; @%p bra L; membar.cta; @%q ld.global.u32 %x, [%c];\n",
      .doubts = true },
    { "one value by several warps", OWN BAR "st.shared.u32 [s], 7;\n", .doubts = true },
    { "a barrier of two warps", "setp.ge.u32 %p, %t, 64; @%p bra E;\n" OWN "bar.sync 1, 64; ld.shared.u32 %x, [s+4];\n",
      .doubts = true },
    { "an mbarrier", "setp.eq.u32 %p, %t, 0; @%p mbarrier.init.shared.b64 [s], 1;\n", .doubts = true },
    { "an arrival at none", OWN BAR "setp.eq.u32 %p, %t, 0; @%p mbarrier.arrive.shared.b64 %d, [s];\n",
      "mbarrier.init.required" },
    { "a copy", "cp.async.ca.shared.global [%b], [%g], 4; cp.async.wait_all; ld.shared.u32 %x, [%b];\n",
      .doubts = true },
    { "a group without a copy", "cp.async.commit_group;\n", .doubts = true },
    { "a wait for groups", "cp.async.wait_group 0;\n", .doubts = true },
    { "a proxy fence", "fence.proxy.async;\n", .doubts = true },
    { "a fence behind inits", "fence.mbarrier_init.release.cluster;\n", .doubts = true },
    { "a wait for the grid before", "griddepcontrol.wait;\n", .doubts = true },
    { "bytes that are given up", "setp.eq.u32 %p, %t, 0; @%p discard.global.L2 [%c], 128;\n", .doubts = true },
    { "read as what nobody writes, and written", "ld.global.nc.u32 %x, [%g]; st.global.u32 [%g], 1;\n",
      "access.nc-written" },
};

static struct {
    char text[4000];
    unsigned char bytes[BYTES * CTAS];
} of[2];

static uint32_t doubts; /* of the last launch */

static void run(const struct program *p, bool light, unsigned jobs)
{
    const struct emu_options options = { .jobs = jobs, .check_order = true, .check_init = true, .light = light };
    const uint32_t grid[3] = { CTAS, 1, 1 }, block[3] = { THREADS, 1, 1 };
    char text[4000], why[400], *out = of[light].text;
    struct emu *e = emu_new(&options);
    struct emu_report r;
    struct ptx_error error;
    struct ptx_module *m;
    uint64_t at;
    int n;

    snprintf(text, sizeof text, "%s%s\nE: ret;\n}\n", head, p->body);
    m = ptx_read(text, strlen(text), NULL, &error);
    if (!m)
        fail_msg("%s: %s", p->name, error.message);
    assert_non_null(e);
    assert_true(emu_load(e, m, why, sizeof why));
    at = emu_alloc(e, (p->pages ? (uint64_t)PAGES * PAGE : BYTES) * CTAS, 256, !p->blank, "g");
    assert_true(at);
    emu_launch(e, "k", grid, block, NULL, 0, &at, sizeof at, &r);
    n = snprintf(out, sizeof of->text, "%d, %llu instructions\n", r.end, (unsigned long long)r.instructions);
    for (size_t i = 0; i < r.count + r.remarks && n < 3000; i++)
        n += snprintf(out + n, sizeof of->text - (size_t)n, "%s: %.300s\n",
                      r.findings[i].rule ? r.findings[i].rule->id : "fault", r.findings[i].message);
    if (!p->rule && r.count)
        fail_msg("%s: %s", p->name, out);
    if (p->rule && (!r.count || strcmp(r.findings[0].rule->id, p->rule)))
        fail_msg("%s: not %s: %s", p->name, p->rule, out);
    assert_true(emu_read(e, of[light].bytes, at, BYTES * CTAS));
    doubts = e->images->code[0]->doubts;
    emu_free(e);
    ptx_free(m);
}

static void as_without(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        for (unsigned jobs = 1; jobs <= 2; jobs++) {
            const struct program *p = &programs[i];
            run(p, false, jobs);
            assert_int_equal(doubts, 0);
            run(p, true, jobs);
            if (doubts != (p->rule || p->doubts))
                fail_msg("%s: %u doubts", p->name, doubts);
            assert_string_equal(of[0].text, of[1].text);
            assert_memory_equal(of[0].bytes, of[1].bytes, sizeof of->bytes);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(as_without) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
