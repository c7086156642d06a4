/* Steps of the generic proxy: loads, stores, atomics, and what lanes tell each other. */
#include "tools/async_fuzz/state.h"

/* %r3 or %d2: where a thread's slice begins, in a CTA's shared memory or in global memory; 2^fold neighbours share
 * one. */
static const char *place(struct gen *g, bool shared, unsigned issuer, unsigned owner, unsigned region, unsigned fold)
{
    text_add(
        g->out,
        "    shr.u32 %%r3, %%t, %u;\n    add.u32 %%r3, %%r3, %u;\n    and.b32 %%r3, %%r3, 63;\n    shl.b32 %%r3, %%r3, 4;\n",
        fold, below(g, 64));
    if (!shared) {
        text_add(g->out, "    add.u32 %%r3, %%r3, %u;\n    cvt.u64.u32 %%d2, %%r3;\n    add.u64 %%d2, %%d2, %%gl;\n",
                 region * REGION);
        return "%d2";
    }
    text_add(g->out, "    add.u32 %%r3, %%r3, %%sm;\n    add.u32 %%r3, %%r3, %u;\n", region * REGION);
    if (owner == issuer)
        return "%r3";
    text_add(g->out, "    mapa.shared::cluster.u32 %%r3, %%r3, %u;\n", owner);
    return "%r3";
}

static const char *space_of(bool shared, bool remote)
{
    return !shared ? "global" : remote ? "shared::cluster" : "shared";
}

/* Where an access goes: a CTA's shared memory or global memory. False where it may go nowhere. */
static bool aim(struct gen *g, struct access *a, unsigned issuer, unsigned *owner, bool *shared, unsigned *region)
{
    *owner = g->p->ctas > 1 && chance(g, 35) ? below(g, g->p->ctas) : issuer;
    *shared = chance(g, 70);
    return *shared ? find_smem(g, issuer, *owner, 1, a, region) : find_global(g, issuer, 1, a, region);
}

bool step_store(struct gen *g)
{
    static const char *const stores[] = { "v2.u64 [%s], {%%d0, %%seen};\n",
                                          "v4.u32 [%s], {%%r6, %%r7, %%r6, %%r7};\n",
                                          "u64 [%s], %%d0;\n",
                                          "u32 [%s], %%r6;\n",
                                          "u16 [%s], %%h0;\n",
                                          "u8 [%s], %%r7;\n" };
    struct access a = { .mode = WRITE, .proxy = GENERIC };
    const unsigned c = below(g, g->p->ctas), which = below(g, 6);
    const int thread = chance(g, 80) ? ALL : (int)below(g, g->p->threads);
    unsigned owner, region, label;
    const char *at;
    bool shared;

    if (!has_room(g) || !aim(g, &a, c, &owner, &shared, &region))
        return false;
    label = guard(g, (int)c, thread);
    at = place(g, shared, c, owner, region, 0);
    text_add(
        g->out,
        "    add.u64 %%d0, %%seen, 0x%llx;\n    mov.b64 {%%r6, %%r7}, %%d0;\n    cvt.u16.u32 %%h0, %%r6;\n    st.%s.",
        (unsigned long long)draw(g), space_of(shared, owner != c));
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    text_add(g->out, stores[which], at);
#pragma GCC diagnostic pop
    end_guard(g, label);
    note(g, c, a);
    return true;
}

bool step_load(struct gen *g)
{
    struct access a = { .mode = READ, .proxy = GENERIC };
    const unsigned c = below(g, g->p->ctas);
    const int thread = chance(g, 80) ? ALL : (int)below(g, g->p->threads);
    unsigned owner, region, label;
    const char *at;
    bool shared;

    if (!has_room(g) || !aim(g, &a, c, &owner, &shared, &region))
        return false;
    label = guard(g, (int)c, thread);
    if (owner == c && chance(g, 50)) {
        observe(g, shared, region);
    } else {
        at = place(g, shared, c, owner, region, 0);
        text_add(g->out,
                 "    ld.%s.v2.u64 {%%d0, %%d1}, [%s];\n    xor.b64 %%seen, %%seen, %%d0;\n"
                 "    mad.lo.u64 %%seen, %%seen, 0x2545F4914F6CDD1D, %%d1;\n",
                 space_of(shared, owner != c), at);
    }
    end_guard(g, label);
    note(g, c, a);
    return true;
}

/* Many threads add to few words: all orders give the same. Or one thread, which sees what was there. */
bool step_atomics(struct gen *g)
{
    static const char *const commuting[] = {
        "add.u32", "and.b32", "or.b32", "xor.b32", "min.u32", "max.s32", "add.u64"
    };
    static const char *const others[] = { "exch.b32", "inc.u32", "dec.u32", "add.u32" };
    const unsigned c = below(g, g->p->ctas), which = below(g, 7);
    const bool many = chance(g, 60);
    struct access a = { .mode = many ? COMBINE : WRITE, .proxy = GENERIC, .key = 200 + which };
    unsigned owner, region, label;
    const char *space, *at;
    bool shared;

    if (!has_room(g) || !aim(g, &a, c, &owner, &shared, &region))
        return false;
    label = guard(g, (int)c, many ? ALL : (int)below(g, g->p->threads));
    at = place(g, shared, c, owner, region, many ? below(g, 4) : 0);
    space = space_of(shared, owner != c);
    text_add(g->out, "    mov.b64 {%%r6, %%r7}, %%seen;\n");
    if (many) {
        text_add(g->out, "    red.%s.%s [%s], %s;\n", space, commuting[which], at, which == 6 ? "%seen" : "%r6");
    } else if (chance(g, 20)) {
        text_add(g->out, "    atom.%s.cas.b32 %%r4, [%s], %%r7, %%r6;\n", space, at);
        text_add(g->out, "    cvt.u64.u32 %%d0, %%r4;\n    xor.b64 %%seen, %%seen, %%d0;\n");
    } else {
        text_add(g->out, "    atom.%s.%s %%r4, [%s], %%r6;\n", space, PICK(g, others), at);
        text_add(g->out, "    cvt.u64.u32 %%d0, %%r4;\n    mad.lo.u64 %%seen, %%seen, 3, %%d0;\n");
    }
    end_guard(g, label);
    note(g, c, a);
    return true;
}

/* Lanes exchange what they have seen; time passes. */
bool step_play(struct gen *g)
{
    switch (below(g, 4)) {
    case 0:
        text_add(g->out, "    and.b32 %%r4, %%t, 31;\n    mul.lo.u32 %%r4, %%r4, %u;\n    nanosleep.u32 %%r4;\n",
                 below(g, 40));
        return true;
    case 1:
        if (g->p->threads % 32)
            return false; /* a lane that is not there has nothing to give */
        converge(g);
        text_add(g->out,
                 "    mov.b64 {%%r6, %%r7}, %%seen;\n    shfl.sync.bfly.b32 %%r6, %%r6, %u, 31, %%lanes;\n"
                 "    mov.b64 %%seen, {%%r6, %%r7};\n",
                 1u << below(g, 5));
        return true;
    case 2:
        converge(g);
        text_add(g->out, "    mov.b64 {%%r6, %%r7}, %%seen;\n    redux.sync.xor.b32 %%r6, %%r6, %%lanes;\n"
                         "    cvt.u64.u32 %%d0, %%r6;\n    add.u64 %%seen, %%seen, %%d0;\n");
        return true;
    default:
        converge(g);
        text_add(g->out, "    and.b64 %%d0, %%seen, 1;\n    setp.ne.u64 %%p1, %%d0, 0;\n"
                         "    vote.sync.ballot.b32 %%r6, %%p1, %%lanes;\n    cvt.u64.u32 %%d0, %%r6;\n"
                         "    mad.lo.u64 %%seen, %%seen, 7, %%d0;\n");
        return true;
    }
}
// SPDX-License-Identifier: Apache-2.0
