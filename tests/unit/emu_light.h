/* Programs that are run with the light judge (judge/light_state.h) and without: findings, bytes and the count of
 * instructions are the same, and whether it has doubted is what is said. */
#ifndef COPYCHECK_EMU_LIGHT_H
#define COPYCHECK_EMU_LIGHT_H

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

enum { THREADS = 96, CTAS = 20, BYTES = 512, PAGE = 4096 };

/* %t is the thread, %b its word of 384 bytes in shared memory, %g its word of the CTA's bytes in global memory, %n the
 * number of the launch. */
static const char head[] =
    ".version 8.6\n.target sm_90a\n.address_size 64\n.extern .shared .align 16 .b8 big[];\n"
    ".visible .entry k(.param .u64 p, .param .u32 n)\n{\n"
    ".reg .pred %p, %q; .reg .b32 %t, %b, %a, %x, %y, %k, %n; .reg .b16 %h; .reg .b64 %g, %c, %d;\n"
    ".shared .align 16 .b8 s[512];\n"
    "ld.param.u64 %c, [p]; ld.param.u32 %n, [n];\n"
    "mov.u32 %t, %tid.x; mov.u32 %a, %ctaid.x; mul.wide.u32 %d, %a, 512; add.u64 %c, %c, %d;\n"
    "mul.wide.u32 %d, %t, 4; add.u64 %g, %c, %d; mov.u32 %b, s; mad.lo.u32 %b, %t, 4, %b; mov.b16 %h, 3;\n";

#define BAR  "bar.sync 0;\n"
#define WARP "bar.warp.sync 0xffffffff;\n"
#define OWN  "st.shared.u32 [%b], %t;\n"
#define ALL  OWN "bar.sync 0; xor.b32 %x, %t, 5; st.shared.u32 [%b], %x;\n" /* everything has a value before */

struct program {
    const char *name, *body, *rule; /* rule: of the first finding; NULL: there is none */
    bool doubts;                    /* the light judge doubts, although there is none */
    bool luck;                      /* on two host threads it may doubt: a CTA reads before another one has written */
    bool blank;                     /* nobody has written global memory */
    bool eager;                     /* copies arrive at once */
    bool unasked;                   /* in the first launch, what nobody has written may be read */
    uint32_t pages;                 /* of the CTAs together; 0: BYTES of each CTA */
    uint32_t threads, ctas;         /* 0: as above */
    uint32_t shared;                /* bytes of `big`, which begins behind 512 others */
    unsigned launches;              /* 0: 1 */
    uint64_t memory;                /* that may be taken, 0: as much as there is */
};

static struct {
    char text[4000];
    unsigned char bytes[BYTES * CTAS];
} of[2];

static uint32_t doubts; /* of the last launch */

/* One launch; what is said of it comes behind `n` characters. */
static int launch(struct emu *e, const struct program *p, uint64_t at, uint32_t number, char *out, int n)
{
    const uint32_t grid[3] = { p->ctas ? p->ctas : CTAS, 1, 1 }, block[3] = { p->threads ? p->threads : THREADS, 1, 1 };
    const bool last = number + 1 >= p->launches;
    const struct {
        uint64_t at;
        uint32_t n;
    } params = { at, number };
    struct emu_report r;

    e->options.check_init = number || !p->unasked;
    emu_launch(e, "k", grid, block, NULL, p->shared, &params, 12, &r);
    n += snprintf(out + n, sizeof of->text - (size_t)n, "%d, %llu instructions\n", r.end,
                  (unsigned long long)r.instructions);
    for (size_t i = 0; i < r.count + r.remarks && n < 3000; i++)
        n += snprintf(out + n, sizeof of->text - (size_t)n, "%s: %.300s\n",
                      r.findings[i].rule ? r.findings[i].rule->id : "fault", r.findings[i].message);
    if ((!p->rule || !last) && r.count)
        fail_msg("%s: %s", p->name, out);
    if (p->rule && last && (!r.count || strcmp(r.findings[0].rule ? r.findings[0].rule->id : "", p->rule)))
        fail_msg("%s: not %s: %s", p->name, p->rule, out);
    return n;
}

static void run(const struct program *p, bool light, unsigned jobs)
{
    const struct emu_options options = { .jobs = jobs,
                                         .max_memory = p->memory,
                                         .check_order = true,
                                         .delivery = p->eager ? EMU_EAGER : EMU_LATE,
                                         .light = light };
    char text[4000], why[400];
    struct emu *e = emu_new(&options);
    struct ptx_error error;
    struct ptx_module *m;
    uint64_t at;

    snprintf(text, sizeof text, "%s%s\nE: ret;\n}\n", head, p->body);
    m = ptx_read(text, strlen(text), NULL, &error);
    if (!m)
        fail_msg("%s: %s", p->name, error.message);
    assert_non_null(e);
    assert_true(emu_load(e, m, why, sizeof why));
    at = emu_alloc(e, p->pages ? (uint64_t)p->pages * PAGE : BYTES * CTAS, 256, !p->blank, "g");
    assert_true(at);
    for (uint32_t i = 0, n = 0; i < (p->launches ? p->launches : 1); i++)
        n = (uint32_t)launch(e, p, at, i, of[light].text, (int)n);
    assert_true(emu_read(e, of[light].bytes, at, BYTES * CTAS));
    doubts = e->images->code[0]->doubts;
    emu_free(e);
    ptx_free(m);
}

/* Whether it doubts. */
static bool same_with(const struct program *p, unsigned jobs)
{
    run(p, false, jobs);
    assert_int_equal(doubts, 0);
    run(p, true, jobs);
    assert_string_equal(of[0].text, of[1].text);
    assert_memory_equal(of[0].bytes, of[1].bytes, sizeof of->bytes);
    return doubts;
}

static void as_said(const struct program *p, unsigned jobs)
{
    if (same_with(p, jobs) != (p->rule || p->doubts) && !(p->luck && jobs > 1))
        fail_msg("%s: %u doubts", p->name, doubts);
}

#endif
// SPDX-License-Identifier: Apache-2.0
