/* Steps that make the end of accesses known: barriers of the CTA and of the cluster, with and without proxy fences. */
#include "tools/async_fuzz/state.h"

/* A proxy fence by every thread that runs this; returns the spaces that it covers. */
static unsigned proxy_fence(struct gen *g)
{
    static const char *const words[] = { "", "", "", ".shared::cta", ".shared::cluster", ".global" };
    static const unsigned spaces[] = { 3, 3, 3, 1, 1, 2 };
    const unsigned which = below(g, 6);

    text_add(g->out, "    fence.proxy.async%s;\n", words[which]);
    return spaces[which];
}

static void other_fence(struct gen *g)
{
    static const char *const fences[] = { "fence.acq_rel.cta", "fence.sc.cta", "membar.cta", "fence.acq_rel.gpu",
                                          "fence.acq_rel.cluster" };

    text_add(g->out, "    %s;\n", PICK(g, fences));
}

static void bar(struct gen *g)
{
    const unsigned number = below(g, 16), whole = (g->p->threads + 31) / 32 * 32;

    switch (below(g, 6)) {
    case 0: text_add(g->out, "    barrier.sync %u;\n", number); break;
    case 1:
        converge(g);
        text_add(g->out, "    bar.sync %u, %u;\n", number, whole);
        break;
    case 2: /* every thread says true */
        converge(g);
        text_add(g->out,
                 "    setp.ge.u32 %%p1, %%t, 0;\n    bar.red.popc.u32 %%r4, %u, %%p1;\n    cvt.u64.u32 %%d0, %%r4;\n"
                 "    xor.b64 %%seen, %%seen, %%d0;\n",
                 number);
        break;
    default: converge(g); text_add(g->out, "    bar.sync %u;\n", number);
    }
}

bool step_sync(struct gen *g)
{
    const bool one = g->p->ctas > 1 && chance(g, 30);
    const unsigned cta = below(g, g->p->ctas), ctas = one ? 1u << cta : all_ctas(g);
    unsigned spaces = 0, label;

    converge(g); /* outside of the guard, so that all lanes come along */
    label = guard(g, one ? (int)cta : ALL, ALL);
    if (chance(g, 8))
        other_fence(g);
    if (chance(g, 45))
        spaces |= proxy_fence(g);
    bar(g);
    if (chance(g, 30))
        spaces |= proxy_fence(g);
    end_guard(g, label);
    sync_ctas(g, ctas, spaces);
    return true;
}

bool step_cluster(struct gen *g)
{
    static const char *const arrives[] = { "", ".release", ".aligned", ".release.aligned" }, *const waits[] = {
        "", ".acquire", ".aligned", ".acquire.aligned"
    };
    unsigned spaces = 0;

    if (!g->cluster_arrived) {
        if (chance(g, 60))
            spaces |= proxy_fence(g);
        converge(g);
        text_add(g->out, "    barrier.cluster.arrive%s;\n", PICK(g, arrives));
        arm_cluster(g);
        /* what was fenced before is fenced for the threads that wait */
        for (size_t i = 0; i < g->count; i++)
            g->records[i].armed_spaces = spaces;
        g->cluster_arrived = true;
        if (chance(g, 30))
            return true;
    }
    spaces = 0;
    converge(g);
    text_add(g->out, "    barrier.cluster.wait%s;\n", PICK(g, waits));
    if (chance(g, 30))
        spaces |= proxy_fence(g);
    sync_cluster(g, spaces);
    g->cluster_arrived = false;
    return true;
}
// SPDX-License-Identifier: Apache-2.0
