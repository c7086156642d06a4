/* PTX text that every step needs: guards for one CTA or thread, and loads into what a thread has seen. */
#include "tools/async_fuzz/state.h"

#include <stdio.h>

unsigned new_label(struct gen *g)
{
    return g->labels++;
}

unsigned guard(struct gen *g, int cta, int thread)
{
    const unsigned label = new_label(g);

    if (cta != ALL && g->p->ctas > 1)
        text_add(g->out, "    setp.ne.u32 %%p0, %%rank, %d;\n    @%%p0 bra L%u;\n", cta, label);
    if (thread != ALL && g->p->threads > 1) {
        text_add(g->out, "    setp.ne.u32 %%p0, %%t, %d;\n    @%%p0 bra L%u;\n", thread, label);
        g->diverged = true;
    }
    return label;
}

void end_guard(struct gen *g, unsigned label)
{
    text_add(g->out, "L%u:\n", label);
}

void converge(struct gen *g)
{
    if (g->diverged)
        text_add(g->out, "    bar.warp.sync %%lanes;\n");
    g->diverged = false;
}

/* %seen takes in the 64 bits of a register. */
static const char *const take_in = "    xor.b64 %seen, %seen, %d0;\n    mul.lo.u64 %seen, %seen, 0x9E3779B97F4A7C15;\n"
                                   "    shr.u64 %d0, %seen, 29;\n    xor.b64 %seen, %seen, %d0;\n";

static void load_at(struct gen *g, bool shared, const char *base, unsigned offset)
{
    static const char *const loads[] = {
        "v2.u64 {%%d0, %%d1}", "v4.u32 {%%r4, %%r5, %%r6, %%r7}", "u64 %%d0", "u32 %%r4", "u16 %%h0", "u8 %%r4"
    };
    const unsigned which = below(g, 6);
    char format[160];

    snprintf(format, sizeof format, "    ld.%s.%s, [%%s+%%u];\n", shared ? "shared" : "global", loads[which]);
    text_add(g->out, format, base, offset);
    switch (which) {
    case 0: text_add(g->out, "    add.u64 %%d0, %%d0, %%d1;\n"); break;
    case 1:
        text_add(g->out,
                 "    add.u32 %%r4, %%r4, %%r6;\n    sub.u32 %%r5, %%r5, %%r7;\n    mov.b64 %%d0, {%%r4, %%r5};\n");
        break;
    case 2: break;
    case 4: text_add(g->out, "    cvt.u64.u16 %%d0, %%h0;\n"); break;
    default: text_add(g->out, "    cvt.u64.u32 %%d0, %%r4;\n"); break;
    }
    text_add(g->out, "%s", take_in);
}

/* %r3: the byte of the slice of 16 that a thread uses, `rotate` slices further on than its own. */
static void slice(struct gen *g, unsigned rotate)
{
    text_add(g->out, "    add.u32 %%r3, %%t, %u;\n    and.b32 %%r3, %%r3, 63;\n    shl.b32 %%r3, %%r3, 4;\n", rotate);
}

void observe_slice(struct gen *g, unsigned region, unsigned rotate)
{
    slice(g, rotate);
    text_add(g->out, "    add.u32 %%r3, %%r3, %%sm;\n");
    load_at(g, true, "%r3", region * REGION);
}

void observe(struct gen *g, bool shared, unsigned region)
{
    const unsigned times = 1 + below(g, 2);

    for (unsigned i = 0; i < times; i++) {
        slice(g, below(g, 64));
        if (shared)
            text_add(g->out, "    add.u32 %%r3, %%r3, %%sm;\n");
        else
            text_add(g->out, "    cvt.u64.u32 %%d2, %%r3;\n    add.u64 %%d2, %%d2, %%gl;\n");
        load_at(g, shared, shared ? "%r3" : "%d2", region * REGION);
    }
}
// SPDX-License-Identifier: Apache-2.0
