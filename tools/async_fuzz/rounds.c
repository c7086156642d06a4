/* A round of mbarriers: copies that signal one bar of one CTA or several, and the arrivals that its phase needs, in any
 * order. The wait is a step of its own. */
#include "tools/async_fuzz/state.h"

enum { COPIES = 4, PARTS = 4, CHUNKS = COPIES + MAX_CTAS * PARTS };

static const unsigned bar_base = SMEM_REGIONS * REGION;

struct round {
    unsigned bar, ctas, number;
    unsigned bytes[MAX_CTAS];
    bool arrives_by_copy[MAX_CTAS]; /* every thread's arrival is a cp.async.mbarrier.arrive.noinc */
    struct ck_growing chunks[CHUNKS];
    unsigned chunk_count;
};

/* What is written until the next call goes into a chunk of its own. */
static void begin_chunk(struct gen *g, struct round *r)
{
    g->out = &r->chunks[r->chunk_count++];
}

static void note_signal(struct gen *g, const struct round *r, struct access a, unsigned waits)
{
    struct record *record = note_later(g, a, BY_ROUND, r->number, 0);

    if (record)
        record->waits = record->signals = waits;
}

/* %r4: the shared address of an offset in a CTA's memory, as another CTA of the cluster or it itself names it. */
static void cluster_address(struct gen *g, const char *into, unsigned issuer, unsigned cta, unsigned offset)
{
    if (issuer == cta && chance(g, 50)) {
        text_add(g->out, "    add.u32 %s, %%sm, %u;\n", into, offset);
        return;
    }
    text_add(g->out, "    add.u32 %s, %%sm, %u;\n    mapa.shared::cluster.u32 %s, %s, %u;\n", into, offset, into, into,
             cta);
}

/* A CTA from which all the bars of a mask are known to be idle; false where there is none. */
static bool pick_issuer(struct gen *g, const struct round *r, unsigned ctas, unsigned *issuer)
{
    const unsigned start = below(g, g->p->ctas);

    for (unsigned i = 0; i < g->p->ctas; i++) {
        const unsigned c = (start + i) % g->p->ctas;
        bool good = true;
        for (unsigned d = 0; d < g->p->ctas; d++) {
            const struct bar *b = &g->bars[d][r->bar];
            good &= !(ctas >> d & 1) || b->clean >> c & 1 || (b->all_waited && d == c);
        }
        if (good) {
            *issuer = c;
            return true;
        }
    }
    return false;
}

/* The issuing thread: one by its number, or the one that its warp elects. */
static unsigned issuer_guard(struct gen *g, unsigned cta)
{
    unsigned label;

    if (!chance(g, 15))
        return guard(g, (int)cta, (int)below(g, g->p->threads));
    label = guard(g, (int)cta, ALL);
    if (g->p->threads > 32)
        text_add(g->out, "    setp.ge.u32 %%p0, %%t, 32;\n    @%%p0 bra L%u;\n", label);
    text_add(g->out, "    bar.warp.sync %%lanes;\n    elect.sync _|%%p1, %%lanes;\n    @!%%p1 bra L%u;\n", label);
    g->diverged = true;
    return label;
}

/* ---- copies ------------------------------------------------------------------------------------------------------ */

/* Copies to one CTA, or to the same place in each of several. Never 0 bytes: no phase would wait for them. */
static bool load(struct gen *g, struct round *r, unsigned ctas)
{
    const bool many = (ctas & (ctas - 1)) != 0 || chance(g, 10), hinted = chance(g, 10);
    const unsigned n = chance(g, 80) ? 1 : 2, offset = 16 * below(g, 32);
    const unsigned most = n * 64 - offset / 16, size = 16 * (chance(g, 50) ? most : 1 + below(g, most));
    struct access from = { .mode = READ, .proxy = ASYNC }, to = { .mode = WRITE, .proxy = ASYNC };
    const char *space = "shared::cluster";
    unsigned issuer, to_region, from_region, label, owner = 0;

    while (!(ctas >> owner & 1))
        owner++;
    if (!pick_issuer(g, r, ctas, &issuer) || !find_smem_in_all(g, issuer, ctas, n, to, &to_region) ||
        !find_global(g, issuer, n, &from, &from_region))
        return false;
    begin_chunk(g, r);
    label = issuer_guard(g, issuer);
    if (!many && owner == issuer && chance(g, 30))
        space = "shared::cta";
    if (many || space[8] == 't') {
        text_add(g->out, "    add.u32 %%r4, %%sm, %u;\n    add.u32 %%r5, %%sm, %u;\n", to_region * REGION + offset,
                 bar_base + r->bar * 8);
    } else {
        cluster_address(g, "%r4", issuer, owner, to_region * REGION + offset);
        cluster_address(g, "%r5", issuer, owner, bar_base + r->bar * 8);
    }
    text_add(g->out, "    mov.u16 %%h0, %u;\n", ctas);
    text_add(g->out,
             "    cp.async.bulk.%s.global.mbarrier::complete_tx::bytes%s%s [%%r4], [%%gl+%u], %u, [%%r5]%s%s;\n", space,
             many ? ".multicast::cluster" : "", hinted ? ".L2::cache_hint" : "", from_region * REGION + offset, size,
             many ? ", %h0" : "", hinted ? ", %policy" : "");
    end_guard(g, label);
    note_signal(g, r, from, ctas);
    for (unsigned d = 0; d < g->p->ctas; d++)
        if (ctas >> d & 1) {
            to.regions = smem_regions(d, to_region, n);
            note_signal(g, r, to, 1u << d);
            r->bytes[d] += size;
        }
    return true;
}

/* From one CTA's shared memory into another's; also as a reduction. */
static bool between_ctas(struct gen *g, struct round *r, unsigned owner)
{
    static const char *const reductions[] = { "and.b32", "or.b32",  "xor.b32", "add.u32", "add.s32", "add.u64",
                                              "min.u32", "max.u32", "min.s32", "max.s32", "inc.u32", "dec.u32" };
    const unsigned which = below(g, 12), size = 16 * (1 + below(g, 64));
    const bool reduces = chance(g, 50);
    struct access from = { .mode = READ, .proxy = ASYNC }, to = { .mode = WRITE, .proxy = ASYNC };
    unsigned issuer, to_region, from_region, label;

    if (reduces && which < 10) {
        to.mode = COMBINE;
        to.key = 100 + which;
    }
    if (!pick_issuer(g, r, 1u << owner, &issuer) || issuer == owner ||
        !find_smem(g, issuer, owner, 1, &to, &to_region) || !find_smem(g, issuer, issuer, 1, &from, &from_region))
        return false;
    begin_chunk(g, r);
    label = issuer_guard(g, issuer);
    cluster_address(g, "%r4", issuer, owner, to_region * REGION);
    cluster_address(g, "%r5", issuer, owner, bar_base + r->bar * 8);
    text_add(g->out,
             "    cp.%sasync.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes%s%s [%%r4], [%%sm+%u], "
             "%u, [%%r5];\n",
             reduces ? "reduce." : "", reduces ? "." : "", reduces ? reductions[which] : "", from_region * REGION,
             size);
    end_guard(g, label);
    note_signal(g, r, from, 1u << owner);
    note_signal(g, r, to, 1u << owner);
    r->bytes[owner] += size;
    return true;
}

static bool tensor_load(struct gen *g, struct round *r, unsigned ctas)
{
    const bool many = (ctas & (ctas - 1)) != 0 || chance(g, 10), hinted = chance(g, 10);
    struct access from = { .mode = READ, .proxy = ASYNC }, to = { .mode = WRITE, .proxy = ASYNC };
    unsigned issuer, to_region, label, owner = 0, offset;
    const struct tensor_map *m;
    struct tile t;
    bool own;

    while (!(ctas >> owner & 1))
        owner++;
    if (!draw_tile(g, false, &t) || !pick_issuer(g, r, ctas, &issuer))
        return false;
    m = &g->p->maps[t.map];
    from.regions = map_regions(m);
    if (!may(g, issuer, from) || !find_smem_in_all(g, issuer, ctas, t.regions, to, &to_region))
        return false;
    begin_chunk(g, r);
    label = issuer_guard(g, issuer);
    offset = to_region * REGION + map_start(m) * below(g, 2);
    own = !many && owner == issuer && chance(g, 30);
    if (many || own) {
        text_add(g->out, "    add.u32 %%r4, %%sm, %u;\n    add.u32 %%r5, %%sm, %u;\n", offset, bar_base + r->bar * 8);
    } else {
        cluster_address(g, "%r4", issuer, owner, offset);
        cluster_address(g, "%r5", issuer, owner, bar_base + r->bar * 8);
    }
    add_coordinates(g, &t);
    if (chance(g, 15))
        text_add(g->out, "    prefetch.tensormap [%%d2];\n");
    text_add(g->out,
             "    mov.u16 %%h0, %u;\n    cp.async.bulk.tensor.%dd.%s.global%s.mbarrier::complete_tx::bytes%s%s "
             "[%%r4], [%%d2, {%%r10",
             ctas, (int)m->rank, own ? "shared::cta" : "shared::cluster", chance(g, 50) ? ".tile" : "",
             many ? ".multicast::cluster" : "", hinted ? ".L2::cache_hint" : "");
    for (int i = 1; i < m->rank; i++)
        text_add(g->out, ", %%r%d", 10 + i);
    text_add(g->out, "}], [%%r5]%s%s;\n", many ? ", %h0" : "", hinted ? ", %policy" : "");
    end_guard(g, label);
    note_signal(g, r, from, ctas);
    for (unsigned d = 0; d < g->p->ctas; d++)
        if (ctas >> d & 1) {
            to.regions = smem_regions(d, to_region, t.regions);
            note_signal(g, r, to, 1u << d);
            r->bytes[d] += (unsigned)t.bytes;
        }
    return true;
}

/* Every thread of a CTA, or one, stores into a CTA's shared memory with st.async or red.async. Outside of a cluster an
 * H200 takes both for illegal instructions. */
static bool async_stores(struct gen *g, struct round *r, unsigned owner)
{
    static const struct {
        const char *op, *type, *value;
        unsigned size;
    } forms[] = {
        { "st.async.weak", "b32", "%r6", 4 },
        { "st.async", "b64", "%d0", 8 },
        { "st.async", "v2.b32", "{%r6, %r7}", 8 },
        { "st.async", "v4.b32", "{%r6, %r7, %r7, %r6}", 16 },
        { "st.async", "v2.b64", "{%d0, %seen}", 16 },
        { "red.async.relaxed.cluster", "add.u32", "%r6", 4 },
        { "red.async.relaxed.cluster", "max.s32", "%r6", 4 },
        { "red.async.relaxed.cluster", "xor.b32", "%r6", 4 },
        { "red.async.relaxed.cluster", "inc.u32", "%r6", 4 },
        { "red.async.relaxed.cluster", "add.u64", "%d0", 8 },
    };
    const unsigned which = below(g, sizeof forms / sizeof *forms);
    const bool generic = chance(g, 30);
    const int thread = chance(g, 60) ? ALL : (int)below(g, g->p->threads);
    struct access to = { .mode = WRITE, .proxy = EITHER };
    unsigned issuer, region, label;

    if (g->p->ctas == 1 || !pick_issuer(g, r, 1u << owner, &issuer) || !find_smem(g, issuer, owner, 1, &to, &region))
        return false;
    begin_chunk(g, r);
    label = guard(g, (int)issuer, thread);
    cluster_address(g, "%r4", issuer, owner, region * REGION);
    cluster_address(g, "%r5", issuer, owner, bar_base + r->bar * 8);
    text_add(g->out,
             "    shl.b32 %%r6, %%t, 4;\n    add.u32 %%r4, %%r4, %%r6;\n    mov.b64 {%%r6, %%r7}, %%seen;\n"
             "    add.u64 %%d0, %%seen, 0x%llx;\n",
             (unsigned long long)draw(g));
    if (generic)
        text_add(g->out, "    cvt.u64.u32 %%d4, %%r4;\n    cvta.shared::cluster.u64 %%d4, %%d4;\n"
                         "    cvt.u64.u32 %%d5, %%r5;\n    cvta.shared::cluster.u64 %%d5, %%d5;\n");
    text_add(g->out, "    %s%s.mbarrier::complete_tx::bytes.%s [%s], %s, [%s];\n", forms[which].op,
             generic ? "" : ".shared::cluster", forms[which].type, generic ? "%d4" : "%r4", forms[which].value,
             generic ? "%d5" : "%r5");
    end_guard(g, label);
    note_signal(g, r, to, 1u << owner);
    r->bytes[owner] += forms[which].size * (thread == ALL ? g->p->threads : 1);
    return true;
}

/* ---- arrivals ---------------------------------------------------------------------------------------------------- */

static void expect(struct gen *g, unsigned bytes, bool remote)
{
    static const char *const locals[] = { "", ".relaxed.cta.shared::cta", ".shared", ".relaxed.cluster" };
    const unsigned which = below(g, 4);
    const bool generic = !remote && which % 3 == 0;

    if (generic) /* a generic address */
        text_add(g->out, "    cvt.u64.u32 %%d3, %%r5;\n    cvta.shared.u64 %%d3, %%d3;\n");
    text_add(g->out, "    mbarrier.expect_tx%s.b64 [%s], %u;\n",
             remote ? ".relaxed.cluster.shared::cluster" : locals[which], generic ? "%d3" : "%r5", bytes);
}

/* Each thread arrives once. */
static void all_arrive(struct gen *g, struct round *r, unsigned d)
{
    struct bar *b = &g->bars[d][r->bar];
    const unsigned announcer = below(g, g->p->threads), label = guard(g, (int)d, ALL), other = new_label(g);
    const unsigned bytes = r->bytes[d];

    text_add(g->out, "    add.u32 %%r5, %%sm, %u;\n", bar_base + r->bar * 8);
    b->all_arrive = true;
    if (bytes || chance(g, 20)) {
        const bool apart = r->arrives_by_copy[d] || chance(g, 40);
        text_add(g->out, "    setp.ne.u32 %%p1, %%t, %u;\n    @%%p1 bra L%u;\n", announcer, other);
        g->diverged = g->p->threads > 1;
        if (apart) {
            expect(g, bytes, false);
        } else {
            const unsigned behind = new_label(g);
            text_add(g->out,
                     "    mbarrier.arrive.expect_tx.shared::cta.b64 %%st%u, [%%r5], %u;\n    bra L%u;\nL%u:\n"
                     "    mbarrier.arrive.shared::cta.b64 %%st%u, [%%r5];\nL%u:\n",
                     r->bar, bytes, behind, other, r->bar, behind);
            b->has_state = true;
            end_guard(g, label);
            return;
        }
    }
    end_guard(g, other);
    if (r->arrives_by_copy[d]) {
        text_add(g->out, "    cp.async.mbarrier.arrive.noinc%s.b64 [%%r5];\n",
                 chance(g, 50) ? ".shared::cta" : ".shared");
    } else if (chance(g, 60)) {
        static const char *const forms[] = { "", ".release.cta", ".release.cluster", ".relaxed.cta" };
        text_add(g->out, "    mbarrier.arrive%s.shared::cta.b64 %%st%u, [%%r5];\n", PICK(g, forms), r->bar);
        b->has_state = true;
    } else {
        text_add(g->out, "    mbarrier.arrive.shared::cta.b64 _, [%%r5]%s;\n", chance(g, 50) ? ", 1" : "");
    }
    end_guard(g, label);
}

/* One thread's part of the arrivals of a round: `count` of them, and `bytes` announced before. */
static void arrive(struct gen *g, const struct round *r, unsigned from, unsigned d, unsigned count, unsigned bytes,
                   bool drop, bool sole)
{
    static const char *const locals[] = { "", ".release.cta", ".release.cluster", ".relaxed.cta", ".relaxed.cluster" };
    static const char *const remotes[] = { ".release.cluster", ".relaxed.cluster", ".release.cluster" };
    const bool remote = from != d;
    const char *const op = drop ? "arrive_drop" : "arrive", *const sem = remote ? PICK(g, remotes) : PICK(g, locals);
    const char *const space = remote ? ".shared::cluster" : ".shared::cta";
    const unsigned label = guard(g, (int)from, (int)below(g, g->p->threads));

    if (remote)
        cluster_address(g, "%r5", from, d, bar_base + r->bar * 8);
    else
        text_add(g->out, "    add.u32 %%r5, %%sm, %u;\n", bar_base + r->bar * 8);
    if (bytes && count == 1 && chance(g, 60)) {
        text_add(g->out, "    mbarrier.%s.expect_tx%s%s.b64 _, [%%r5], %u;\n", op, sem, space, bytes);
        end_guard(g, label);
        return;
    }
    if (bytes && chance(g, 30)) {
        const unsigned first = below(g, bytes + 1);
        expect(g, first, remote);
        expect(g, bytes - first, remote);
    } else if (bytes) {
        expect(g, bytes, remote);
    }
    if (!remote && count > 1 && !drop && chance(g, 40)) {
        const unsigned early = 1 + below(g, count - 1);
        text_add(g->out, "    mbarrier.arrive.noComplete.shared::cta.b64 %%d0, [%%r5], %u;\n", early);
        if (sole)
            text_add(g->out, "    mbarrier.pending_count.b64 %%r4, %%d0;\n    cvt.u64.u32 %%d0, %%r4;\n"
                             "    add.u64 %%seen, %%seen, %%d0;\n");
        count -= early;
    }
    text_add(g->out, "    mbarrier.%s%s%s.b64 _, [%%r5], %u;\n", op, sem, space, count);
    end_guard(g, label);
}

/* The arrivals of one CTA's bar. */
static void arrivals(struct gen *g, struct round *r, unsigned d)
{
    struct bar *b = &g->bars[d][r->bar];
    const bool local_only = b->all_waited && !(b->clean >> d & 1);
    unsigned left = b->count, announced = r->bytes[d], parts = 0;

    b->all_arrive = b->has_state = false;
    b->next = b->count;
    if (b->count == g->p->threads && (local_only || r->arrives_by_copy[d] || chance(g, 70))) {
        begin_chunk(g, r);
        all_arrive(g, r, d);
        return;
    }
    while (left) {
        const bool last = parts == PARTS - 1;
        const unsigned count = last || chance(g, 50) ? left : 1 + below(g, left);
        const bool drop = b->next > count && b->count != g->p->threads && chance(g, 12);
        unsigned from = d, bytes = announced;
        if (g->p->ctas > 1 && chance(g, 25)) {
            from = below(g, g->p->ctas);
            if (!(b->clean >> from & 1))
                from = d;
        }
        if (count != left && chance(g, 50))
            bytes = below(g, announced + 1); /* the rest by a later part */
        begin_chunk(g, r);
        arrive(g, r, from, d, count, bytes, drop, !parts && count == left);
        announced -= bytes;
        if (drop)
            b->next -= count;
        left -= count;
        parts++;
    }
}

/* ---- the round --------------------------------------------------------------------------------------------------- */

static bool usable(const struct gen *g, unsigned d, unsigned bar)
{
    const struct bar *b = &g->bars[d][bar];

    return !b->open && (b->clean >> d & 1 || (b->all_waited && b->count == g->p->threads));
}

static void copies(struct gen *g, struct round *r)
{
    const unsigned times = below(g, COPIES);

    for (unsigned i = 0; i < times && has_room(g); i++) {
        unsigned ctas = r->ctas, owner;
        if (chance(g, 50))
            ctas &= (unsigned)draw(g);
        if (!ctas)
            ctas = r->ctas;
        do
            owner = below(g, g->p->ctas);
        while (!(r->ctas >> owner & 1));
        switch (below(g, 8)) {
        case 0:
        case 1: load(g, r, ctas); break;
        case 2:
        case 3: between_ctas(g, r, owner); break;
        case 4: async_stores(g, r, owner); break;
        default: tensor_load(g, r, ctas);
        }
    }
}

/* Chunks in any order. */
static void write_chunks(struct gen *g, struct round *r)
{
    while (r->chunk_count) {
        const unsigned k = below(g, r->chunk_count);
        for (size_t at = 0; at < r->chunks[k].size; at += 512)
            text_add(g->out, "%.512s", r->chunks[k].data + at);
        ck_growing_free(&r->chunks[k]);
        r->chunks[k] = r->chunks[--r->chunk_count];
    }
}

bool step_round(struct gen *g)
{
    struct ck_growing *const out = g->out;
    struct round r = { .bar = below(g, BARS), .number = g->rounds++ };
    unsigned label;

    r.ctas = g->p->ctas > 1 && chance(g, 40) ? 1 + below(g, all_ctas(g)) : 1u << below(g, g->p->ctas);
    for (unsigned d = 0; d < g->p->ctas; d++)
        if (r.ctas >> d & 1 && !usable(g, d, r.bar))
            r.ctas &= ~(1u << d);
    if (!r.ctas)
        return false;
    for (unsigned d = 0; d < g->p->ctas; d++) /* before the chunks: all threads' copies, then all threads' arrivals */
        if (r.ctas >> d & 1 && g->bars[d][r.bar].count == g->p->threads && chance(g, 30)) {
            label = guard(g, (int)d, ALL);
            r.arrives_by_copy[d] = cp_async_into(g, d, ALL, r.number);
            end_guard(g, label);
        }
    copies(g, &r);
    for (unsigned d = 0; d < g->p->ctas; d++)
        if (r.ctas >> d & 1)
            arrivals(g, &r, d);
    g->out = out;
    write_chunks(g, &r);
    for (unsigned d = 0; d < g->p->ctas; d++)
        if (r.ctas >> d & 1) {
            g->bars[d][r.bar].open = true;
            g->bars[d][r.bar].armed = false;
            g->bars[d][r.bar].round = r.number;
        }
    return true;
}
// SPDX-License-Identifier: Apache-2.0
