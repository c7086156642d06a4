/* The frame of a program: its shape, its steps, and what is written out at its end. */
#include "tools/async_fuzz/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expected/oracle.h"
#include "harness/base/bad.h"

/* ---- the frame --------------------------------------------------------------------------------------------------- */

void program_header(struct ck_growing *out)
{
    text_add(out, ".version 8.8\n.target sm_90a\n.address_size 64\n\n.shared .align 1024 .b8 smem[%d];\n", SMEM_BYTES);
}

/* The maps in words that copycheck encode understands. */
static void describe_maps(struct gen *g)
{
    for (unsigned i = 0; i < MAPS; i++) {
        const struct tensor_map *m = &g->p->maps[i];
        const struct {
            const char *name;
            const uint32_t *words;
        } lists[] = { { "box", m->box }, { "element-strides", m->element_strides } };
        text_add(g->out, "// map %u at byte %llu of the slice: type=%s rank=%d dims=", i,
                 (unsigned long long)m->address, tensor_type_name(m->type), (int)m->rank);
        for (int k = 0; k < m->rank; k++)
            text_add(g->out, "%s%llu", k ? "x" : "", (unsigned long long)m->dims[k]);
        for (int k = 0; k + 1 < m->rank; k++)
            text_add(g->out, "%s%llu", k ? "x" : " strides=", (unsigned long long)m->strides[k]);
        for (size_t n = 0; n < sizeof lists / sizeof *lists; n++) {
            text_add(g->out, " %s=", lists[n].name);
            for (int k = 0; k < m->rank; k++)
                text_add(g->out, "%s%u", k ? "x" : "", lists[n].words[k]);
        }
        text_add(g->out, " interleave=%s swizzle=%s fill=%s\n", tensor_interleave_name(m->interleave),
                 tensor_swizzle_name(m->swizzle), tensor_fill_name(m->fill));
    }
}

static void prologue(struct gen *g)
{
    struct program *p = g->p;
    const unsigned slice_bytes = (unsigned)program_slice();

    text_add(g->out, "\n");
    describe_maps(g);
    text_add(g->out, ".visible .entry %s(.param .u64 base, .param .align 64 .b8 maps[%d])", p->entry,
             MAX_CTAS * MAPS * TENSOR_MAP_BYTES);
    text_add(g->out, "\n.reqntid %u\n", p->threads);
    if (p->ctas > 1)
        text_add(g->out, ".explicitcluster\n.reqnctapercluster %u\n", p->ctas);
    text_add(g->out,
             "{\n    .reg .pred %%p<8>;\n    .reg .b16 %%h<8>;\n    .reg .b32 %%r<32>, %%t, %%rank, %%cluster, %%sm, "
             "%%lanes;\n    .reg .b64 %%d<32>, %%gl, %%dump, %%map, %%seen, %%policy, %%st<%d>;\n\n",
             BARS);
    text_add(
        g->out,
        "    mov.u32 %%t, %%tid.x;\n    mov.u32 %%rank, %%cluster_ctarank;\n    mov.u32 %%cluster, %%clusterid.x;\n"
        "    mov.u32 %%sm, smem;\n    ld.param.u64 %%gl, [base];\n    cvta.to.global.u64 %%gl, %%gl;\n");
    /* the CTA's dump lies after the slices of all clusters */
    text_add(g->out,
             "    mov.u32 %%r0, %%ctaid.x;\n    mul.wide.u32 %%d0, %%r0, %u;\n    add.u64 %%dump, %%gl, %%d0;\n",
             SMEM_REGIONS * REGION + MAX_THREADS * 8);
    text_add(g->out,
             "    add.u64 %%dump, %%dump, %u;\n    mul.wide.u32 %%d0, %%cluster, %u;\n"
             "    add.u64 %%gl, %%gl, %%d0;\n",
             slice_bytes * p->clusters, slice_bytes);
    text_add(g->out,
             "    mov.b64 %%map, maps;\n    cvta.param.u64 %%map, %%map;\n    mul.wide.u32 %%d0, %%cluster, %u;\n"
             "    add.u64 %%map, %%map, %%d0;\n    createpolicy.fractional.L2::evict_last.b64 %%policy, 1.0;\n",
             MAPS * TENSOR_MAP_BYTES);
    if (p->threads <= 32)
        text_add(g->out, "    mov.u32 %%lanes, 0x%llx;\n", (1ull << p->threads) - 1);
    else
        text_add(g->out, "    setp.lt.u32 %%p0, %%t, 32;\n    selp.b32 %%lanes, -1, 0x%llx, %%p0;\n",
                 (1ull << (p->threads - 32)) - 1);
    text_add(g->out, "    mul.wide.u32 %%seen, %%t, 0x%x;\n", (unsigned)(draw(g) | 1));
}

/* Every region of shared memory gets bytes that depend on the place and the seed. */
static void fill_shared(struct gen *g)
{
    const unsigned loop = new_label(g);

    text_add(g->out,
             "    shl.b32 %%r3, %%t, 4;\n    mad.lo.u32 %%r2, %%rank, 0x3C6EF372, 0x%x;\n"
             "    mad.lo.u32 %%r2, %%cluster, 0x1B873593, %%r2;\nL%u:\n"
             "    add.u32 %%r4, %%r3, %%r2;\n    mul.lo.u32 %%r4, %%r4, 0x9E3779B1;\n    shr.u32 %%r5, %%r4, 15;\n"
             "    xor.b32 %%r5, %%r5, %%r4;\n    mul.lo.u32 %%r5, %%r5, 0x85EBCA77;\n    add.u32 %%r6, %%r4, %%r5;\n"
             "    mul.lo.u32 %%r7, %%r6, 0xC2B2AE3D;\n    add.u32 %%r8, %%sm, %%r3;\n"
             "    st.shared.v4.u32 [%%r8], {%%r4, %%r5, %%r6, %%r7};\n    add.u32 %%r3, %%r3, %u;\n"
             "    setp.lt.u32 %%p0, %%r3, %u;\n    @%%p0 bra L%u;\n",
             (unsigned)draw(g), loop, g->p->threads * 16, SMEM_REGIONS * REGION, loop);
    g->diverged = true;
}

static void init_bars(struct gen *g)
{
    unsigned label;

    for (unsigned b = 0; b < BARS; b++) {
        const unsigned count = b % 2 ? 1 + below(g, 6) : g->p->threads;
        for (unsigned c = 0; c < g->p->ctas; c++)
            g->bars[c][b] = (struct bar){ .count = count, .next = count, .known = all_ctas(g), .clean = all_ctas(g) };
    }
    label = guard(g, ALL, (int)below(g, g->p->threads));
    for (unsigned b = 0; b < BARS; b++)
        text_add(g->out, "    mbarrier.init.shared::cta.b64 [%%sm+%u], %u;\n", SMEM_REGIONS * REGION + b * 8,
                 g->bars[0][b].count);
    if (g->p->ctas > 1)
        text_add(g->out, "    fence.mbarrier_init.release.cluster;\n");
    end_guard(g, label);
    text_add(g->out, "    fence.proxy.async;\n");
    converge(g);
    if (g->p->ctas > 1)
        text_add(g->out, "    barrier.cluster.arrive.aligned;\n    barrier.cluster.wait.aligned;\n");
    else
        text_add(g->out, "    bar.sync 0;\n");
}

/* Everything that is under way ends, everybody knows, and the shared memory goes out. */
static void epilogue(struct gen *g)
{
    const unsigned loop = new_label(g);
    const unsigned smem = SMEM_REGIONS * REGION;

    if (g->cluster_arrived)
        text_add(g->out, "    barrier.cluster.wait;\n");
    text_add(g->out, "    cp.async.wait_all;\n    cp.async.bulk.commit_group;\n    cp.async.bulk.wait_group 0;\n");
    for (unsigned c = 0; c < g->p->ctas; c++)
        for (unsigned b = 0; b < BARS; b++)
            if (g->bars[c][b].open)
                wait_bar(g, c, b, ALL);
    converge(g);
    if (g->p->ctas > 1)
        text_add(g->out, "    barrier.cluster.arrive.aligned;\n    barrier.cluster.wait.aligned;\n");
    else
        text_add(g->out, "    bar.sync 0;\n");
    text_add(g->out,
             "    shl.b32 %%r3, %%t, 4;\nL%u:\n    add.u32 %%r8, %%sm, %%r3;\n    cvt.u64.u32 %%d2, %%r3;\n"
             "    add.u64 %%d2, %%d2, %%dump;\n    ld.shared.v2.u64 {%%d0, %%d1}, [%%r8];\n"
             "    st.global.v2.u64 [%%d2], {%%d0, %%d1};\n    add.u32 %%r3, %%r3, %u;\n"
             "    setp.lt.u32 %%p0, %%r3, %u;\n    @%%p0 bra L%u;\n",
             loop, g->p->threads * 16, smem, loop);
    text_add(g->out,
             "    mul.wide.u32 %%d0, %%t, 8;\n    add.u64 %%d0, %%d0, %%dump;\n    st.global.u64 [%%d0+%u], %%seen;\n"
             "    ret;\n}\n",
             smem);
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static const struct {
    step_fn *run;
    unsigned weight;
    bool apart; /* also between the two halves of a cluster's barrier */
} steps[] = {
    { step_cp_async, 11, true }, { step_cp_async_wait, 7, true }, { step_bulk_store, 13, true },
    { step_bulk_wait, 8, true }, { step_round, 20, true },        { step_wait, 14, true },
    { step_sync, 14, true },     { step_cluster, 8, true },       { step_store, 6, true },
    { step_load, 4, true },      { step_atomics, 5, true },       { step_play, 4, false },
    { step_solo, 4, false },
};

static void step(struct gen *g)
{
    unsigned total = 0;

    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        total += steps[i].weight;
    for (unsigned tries = 0; tries < 24; tries++) {
        unsigned at = below(g, total);
        size_t i = 0;
        while (at >= steps[i].weight)
            at -= steps[i++].weight;
        if ((!g->cluster_arrived || steps[i].apart) && steps[i].run(g))
            return;
    }
}

void program_generate(struct program *p, uint64_t seed, const bool *skip, struct ck_growing *out)
{
    static const unsigned threads[] = { 1, 2, 7, 16, 31, 32, 32, 33, 48, 64, 64 };
    struct gen *g = calloc(1, sizeof *g);

    if (!g)
        ck_no_memory();
    *p = (struct program){ .seed = seed, .full = true };
    snprintf(p->entry, sizeof p->entry, "p%016llx", (unsigned long long)seed);
    g->p = p;
    g->out = out;
    g->random = splitmix64(seed);
    p->ctas = 1u << below(g, 3);
    p->clusters = 1 + below(g, MAX_CTAS / p->ctas);
    p->threads = PICK(g, threads);
    p->steps = 4 + below(g, MAX_STEPS - 3);
    for (unsigned c = 0; c < p->ctas; c++)
        for (unsigned q = 0; q < QUEUES; q++)
            g->queues[c][q].thread = q ? (p->threads - 1 - below(g, (p->threads + 1) / 2)) : 0;
    draw_maps(g);
    prologue(g);
    fill_shared(g);
    init_bars(g);
    for (unsigned i = 0; i < p->steps && has_room(g); i++) {
        g->random = splitmix64(seed ^ splitmix64(i + 1)); /* a step's draws do not depend on the steps before it */
        if (skip && skip[i])
            continue;
        text_add(out, "    // step %u\n", i);
        step(g);
    }
    g->random = splitmix64(~seed);
    text_add(out, "    // end\n");
    epilogue(g);
    free(g);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

enum { DUMP = SMEM_REGIONS * REGION + MAX_THREADS * 8 };

size_t program_slice(void)
{
    return (size_t)GLOBAL_REGIONS * REGION;
}

size_t program_bytes(const struct program *p)
{
    return p->clusters * program_slice() + (size_t)p->clusters * p->ctas * DUMP;
}

void program_input(const struct program *p, unsigned char *memory)
{
    const size_t inputs = p->clusters * program_slice(), bytes = program_bytes(p);
    uint64_t x = splitmix64(p->seed ^ 0x696e707574u);

    for (size_t i = 0; i < inputs; i += 8) {
        const uint64_t word = splitmix64(x++);
        memcpy(memory + i, &word, 8);
    }
    memset(memory + inputs, 0xA5, bytes - inputs);
}

struct tensor_map program_map(const struct program *p, unsigned cluster, unsigned map, uint64_t base)
{
    struct tensor_map m = p->maps[map];

    m.address += base + cluster * program_slice();
    return m;
}

void program_place(const struct program *p, size_t offset, char *out, size_t size)
{
    const size_t inputs = p->clusters * program_slice(), smem = (size_t)SMEM_REGIONS * REGION;
    const size_t behind = offset - inputs;

    if (offset < inputs)
        snprintf(out, size, "cluster %zu, global region %zu, byte %zu", offset / program_slice(),
                 offset % program_slice() / REGION, offset % REGION);
    else if (behind % DUMP < smem)
        snprintf(out, size, "CTA %zu, shared region %zu, byte %zu", behind / DUMP, behind % DUMP / REGION,
                 behind % DUMP % REGION);
    else
        snprintf(out, size, "CTA %zu, what thread %zu has seen", behind / DUMP, (behind % DUMP - smem) / 8);
}
// SPDX-License-Identifier: Apache-2.0
