/* PTX of what synchronises: flags, locks, fences, barriers, mbarriers, groups. */
#include "tools/sync_fuzz/emit.h"

#include <stdio.h>

const char *const op_names[OP_KINDS] = {
    [OP_NONE] = "nothing",
    [OP_STORE] = "store",
    [OP_LOAD] = "load",
    [OP_ADD] = "add",
    [OP_ATOMIC] = "atomic",
    [OP_SUM] = "sum",
    [OP_SET] = "flag set",
    [OP_WAIT] = "flag wait",
    [OP_LOCK] = "lock",
    [OP_UNLOCK] = "unlock",
    [OP_DOWN] = "semaphore down",
    [OP_TAKE] = "ticket",
    [OP_TURN] = "ticket wait",
    [OP_PUT] = "put ticket",
    [OP_GET] = "get ticket",
    [OP_FENCE] = "fence",
    [OP_PROXY_FENCE] = "proxy fence",
    [OP_INIT_FENCE] = "init fence",
    [OP_BAR_SYNC] = "bar.sync",
    [OP_BAR_ARRIVE] = "bar.arrive",
    [OP_WARP_SYNC] = "bar.warp.sync",
    [OP_CLUSTER_ARRIVE] = "cluster arrive",
    [OP_CLUSTER_WAIT] = "cluster wait",
    [OP_MBAR_INIT] = "mbarrier init",
    [OP_MBAR_ARRIVE] = "mbarrier arrive",
    [OP_MBAR_EXPECT] = "mbarrier expect_tx",
    [OP_MBAR_WAIT] = "mbarrier wait",
    [OP_CP_ASYNC] = "cp.async",
    [OP_COMMIT] = "commit",
    [OP_WAIT_GROUP] = "wait_group",
    [OP_CP_ARRIVE] = "cp.async.mbarrier.arrive",
    [OP_BULK_LOAD] = "bulk load",
    [OP_BULK_STORE] = "bulk store",
    [OP_BULK_COMMIT] = "bulk commit",
    [OP_BULK_WAIT] = "bulk wait_group",
    [OP_ST_ASYNC] = "st.async",
};

static const char *const scopes[] = { "cta", "cluster", "gpu" };
static const char *const sems[] = { [WEAK] = "weak",       [RELAXED] = "relaxed", [VOLATILE] = "volatile",
                                    [RELEASE] = "release", [ACQUIRE] = "acquire", [ACQ_REL] = "acq_rel" };

/* ".release.gpu" of a load or store; ".volatile"; nothing for a weak one. */
static const char *strength(const struct op *o, char *out, size_t size)
{
    if (o->sem == WEAK)
        *out = '\0';
    else if (o->sem == VOLATILE)
        snprintf(out, size, ".volatile");
    else
        snprintf(out, size, ".%s.%s", sems[o->sem], scopes[o->scope]);
    return out;
}

static void sleep_a_while(struct emitter *e, const struct op *o)
{
    if (o->backoff)
        put(e, "    nanosleep.u32 %u;\n", o->backoff);
}

static void emit_set(struct emitter *e, const struct op *o)
{
    const struct address a = address_of(e, o->at, o->generic);
    const char kind = o->bytes == 8 ? 'd' : 'r';
    const unsigned v = kind == 'd' ? e->d : e->r, bits = 8 * o->bytes;
    char at[24], how[32];

    if (kind == 'd')
        e->d += 2;
    else
        e->r += 2;
    address_text(&a, at, sizeof at);
    strength(o, how, sizeof how);
    put(e, "    mov.b%u %%%c%u, %u;\n", bits, kind, v, o->style == BY_ADD || o->style == BY_RED ? o->delta : o->value);
    switch (o->style) {
    case BY_LOAD_STORE: put(e, "    st%s%s.b%u %s, %%%c%u;\n", how, a.space, bits, at, kind, v); break;
    case BY_EXCH:
        put(e, "    atom%s%s.exch.b%u %%%c%u, %s, %%%c%u;\n", how, a.space, bits, kind, v + 1, at, kind, v);
        break;
    case BY_ADD:
        put(e, "    atom%s%s.add.u%u %%%c%u, %s, %%%c%u;\n", how, a.space, bits, kind, v + 1, at, kind, v);
        break;
    case BY_RED: put(e, "    red%s%s.add.u%u %s, %%%c%u;\n", how, a.space, bits, at, kind, v); break;
    default:
        put(e, "    atom%s%s.cas.b%u %%%c%u, %s, %u, %%%c%u;\n", how, a.space, bits, kind, v + 1, at, o->factor, kind,
            v);
        break;
    }
}

static void emit_wait(struct emitter *e, const struct op *o)
{
    const struct address a = address_of(e, o->at, o->generic);
    const char kind = o->bytes == 8 ? 'd' : 'r';
    const unsigned v = kind == 'd' ? e->d++ : e->r++, bits = 8 * o->bytes, label = e->labels, out = label + 1;
    char at[24], how[32];

    e->labels += 2;
    address_text(&a, at, sizeof at);
    strength(o, how, sizeof how);
    put(e, "L%u:\n", label);
    if (o->style == BY_LOAD_STORE)
        put(e, "    ld%s%s.b%u %%%c%u, %s;\n", how, a.space, bits, kind, v, at);
    else if (o->style == BY_ADD)
        put(e, "    atom%s%s.add.u%u %%%c%u, %s, 0;\n", how, a.space, bits, kind, v, at);
    else
        put(e, "    atom%s%s.cas.b%u %%%c%u, %s, 0, 0;\n", how, a.space, bits, kind, v, at);
    put(e, "    setp.ge.u%u %%p0, %%%c%u, %u;\n    @%%p0 bra L%u;\n", bits, kind, v, o->value, out);
    sleep_a_while(e, o);
    put(e, "    bra L%u;\nL%u:\n", label, out);
}

static void emit_lock(struct emitter *e, const struct op *o)
{
    const struct address a = address_of(e, o->at, o->generic);
    const unsigned v = e->r, w = e->r + 1, label = e->labels, out = label + 1, again = label + 2;
    char at[24], how[32];

    e->r += 2;
    e->labels += 3;
    address_text(&a, at, sizeof at);
    strength(o, how, sizeof how);
    put(e, "L%u:\n", label);
    if (o->kind == OP_LOCK) {
        put(e, "    atom%s%s.cas.b32 %%r%u, %s, 0, 1;\n", how, a.space, v, at);
        put(e, "    setp.eq.u32 %%p0, %%r%u, 0;\n    @%%p0 bra L%u;\n", v, out);
    } else if (o->kind == OP_TURN) {
        put(e, "    ld%s%s.b32 %%r%u, %s;\n", how, a.space, v, at);
        put(e, "    setp.eq.u32 %%p0, %%r%u, %%ticket;\n    @%%p0 bra L%u;\n", v, out);
    } else { /* OP_DOWN */
        put(e, "    ld.relaxed.%s%s.b32 %%r%u, %s;\n", scopes[o->scope], a.space, v, at);
        put(e, "    setp.eq.u32 %%p0, %%r%u, 0;\n    @%%p0 bra L%u;\n", v, again);
        put(e, "    sub.u32 %%r%u, %%r%u, 1;\n", w, v);
        put(e, "    atom%s%s.cas.b32 %%r%u, %s, %%r%u, %%r%u;\n", how, a.space, w, at, v, w);
        put(e, "    setp.eq.u32 %%p0, %%r%u, %%r%u;\n    @%%p0 bra L%u;\n", w, v, out);
        put(e, "L%u:\n", again);
    }
    sleep_a_while(e, o);
    put(e, "    bra L%u;\nL%u:\n", label, out);
}

static void emit_word(struct emitter *e, const struct op *o)
{
    const struct address a = address_of(e, o->at, o->generic);
    const unsigned v = e->r++;
    char at[24], how[32];

    address_text(&a, at, sizeof at);
    strength(o, how, sizeof how);
    switch (o->kind) {
    case OP_UNLOCK:
        if (o->style == BY_EXCH)
            put(e, "    atom%s%s.exch.b32 %%r%u, %s, 0;\n", how, a.space, v, at);
        else
            put(e, "    st%s%s.b32 %s, 0;\n", how, a.space, at);
        break;
    case OP_TAKE: put(e, "    atom%s%s.add.u32 %%ticket, %s, 1;\n", how, a.space, at); break;
    case OP_PUT: put(e, "    st%s.b32 %s, %%ticket;\n", a.space, at); break;
    case OP_GET: put(e, "    ld%s.b32 %%ticket, %s;\n", a.space, at); break;
    default: /* OP_ATOMIC */
        if (o->style == BY_RED)
            put(e, "    red%s%s.add.u32 %s, %u;\n", how, a.space, at, o->delta);
        else
            put(e, "    atom%s%s.add.u32 %%r%u, %s, %u;\n", how, a.space, v, at, o->delta);
        break;
    }
}

static void emit_barrier(struct emitter *e, const struct op *o)
{
    const char *const what = o->kind == OP_BAR_ARRIVE ? "arrive" : "sync", *const aligned =
                                                                               o->aligned ? ".aligned" : "";

    if (o->in_register) {
        put(e, "    mov.u32 %%r%u, %u;\n    mov.u32 %%r%u, %u;\n", e->r, o->barrier, e->r + 1, o->threads);
        put(e, "    barrier.%s%s %%r%u, %%r%u;\n", what, aligned, e->r, e->r + 1);
        e->r += 2;
    } else if (o->threads) {
        put(e, "    barrier.%s%s %u, %u;\n", what, aligned, o->barrier, o->threads);
    } else {
        put(e, "    barrier.%s%s %u;\n", what, aligned, o->barrier);
    }
}

static void emit_fence(struct emitter *e, const struct op *o)
{
    if (o->fence == FENCE_MEMBAR)
        put(e, "    membar.%s;\n", o->scope == SCOPE_CTA ? "cta" : "gl");
    else
        put(e, "    fence.%s.%s;\n", o->fence == FENCE_SC ? "sc" : "acq_rel", scopes[o->scope]);
}

static void emit_mbarrier(struct emitter *e, const struct op *o)
{
    const struct address a = address_of(e, o->at, false);
    const char *const space = o->at.rank >= 0 ? "shared::cluster" : "shared::cta";
    const unsigned d = e->d++, label = e->labels, out = label + 1;
    char at[24], how[32], state[16];

    address_text(&a, at, sizeof at);
    strength(o, how, sizeof how);
    snprintf(state, sizeof state, o->at.rank >= 0 ? "_" : "%%d%u", d);
    switch (o->kind) {
    case OP_MBAR_INIT: put(e, "    mbarrier.init.shared::cta.b64 %s, %u;\n", at, o->value); break;
    case OP_MBAR_ARRIVE:
        if (o->delta == 1)
            put(e, "    mbarrier.arrive%s.%s.b64 %s, %s;\n", how, space, state, at);
        else
            put(e, "    mbarrier.arrive%s.%s.b64 %s, %s, %u;\n", how, space, state, at, o->delta);
        break;
    case OP_MBAR_EXPECT:
        put(e, "    mbarrier.arrive.expect_tx%s.%s.b64 %s, %s, %u;\n", how, space, state, at, o->bytes);
        break;
    default:
        e->labels += 2;
        put(e, "L%u:\n    mbarrier.%s.parity%s.shared::cta.b64 %%p0, %s, %u;\n    @%%p0 bra L%u;\n", label,
            o->style == BY_LOAD_STORE ? "test_wait" : "try_wait", how, at, o->value & 1, out);
        sleep_a_while(e, o);
        put(e, "    bra L%u;\nL%u:\n", label, out);
        break;
    }
}

static void emit_bulk(struct emitter *e, const struct op *o)
{
    const struct address to = address_of(e, o->at, false), from = address_of(e, o->from, false);
    char a[24], b[24], c[24];

    address_text(&to, a, sizeof a);
    address_text(&from, b, sizeof b);
    if (o->kind == OP_BULK_STORE) {
        put(e, "    cp.async.bulk.global.shared::cta.bulk_group %s, %s, %u;\n", a, b, o->bytes);
        return;
    }
    const struct address bar = address_of(e, o->bar, false);
    put(e, "    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes %s, %s, %u, %s;\n", a, b, o->bytes,
        address_text(&bar, c, sizeof c));
}

static void emit_cp_arrive(struct emitter *e, const struct op *o)
{
    const struct address a = address_of(e, o->bar, false);
    char at[24];

    put(e, "    cp.async.mbarrier.arrive%s.shared.b64 %s;\n", o->noinc ? ".noinc" : "",
        address_text(&a, at, sizeof at));
}

static void emit_warp_sync(struct emitter *e, const struct op *o)
{
    const unsigned lo = o->who.lo % 32, hi = (o->who.hi - 1) % 32 + 1;

    put(e, "    bar.warp.sync 0x%x;\n", (unsigned)(((uint64_t)1 << hi) - ((uint64_t)1 << lo)));
}

void emit_op(struct emitter *e, const struct program *p, const struct op *o)
{
    (void)p;
    switch (o->kind) {
    case OP_STORE:
    case OP_LOAD:
    case OP_CP_ASYNC:
    case OP_ST_ASYNC: emit_items(e, o); break;
    case OP_ADD: emit_add(e, o); break;
    case OP_SUM: emit_sum(e, o); break;
    case OP_SET: emit_set(e, o); break;
    case OP_WAIT: emit_wait(e, o); break;
    case OP_LOCK:
    case OP_DOWN:
    case OP_TURN: emit_lock(e, o); break;
    case OP_UNLOCK:
    case OP_TAKE:
    case OP_PUT:
    case OP_GET:
    case OP_ATOMIC: emit_word(e, o); break;
    case OP_FENCE: emit_fence(e, o); break;
    case OP_PROXY_FENCE: put(e, "    fence.proxy.async%s;\n", o->wide ? ".shared::cta" : ""); break;
    case OP_INIT_FENCE: put(e, "    fence.mbarrier_init.release.cluster;\n"); break;
    case OP_BAR_SYNC:
    case OP_BAR_ARRIVE: emit_barrier(e, o); break;
    case OP_WARP_SYNC: emit_warp_sync(e, o); break;
    case OP_CLUSTER_ARRIVE: put(e, "    barrier.cluster.arrive.%s;\n", sems[o->sem]); break;
    case OP_CLUSTER_WAIT: put(e, "    barrier.cluster.wait.acquire;\n"); break;
    case OP_MBAR_INIT:
    case OP_MBAR_ARRIVE:
    case OP_MBAR_EXPECT:
    case OP_MBAR_WAIT: emit_mbarrier(e, o); break;
    case OP_COMMIT: put(e, "    cp.async.commit_group;\n"); break;
    case OP_WAIT_GROUP: put(e, "    cp.async.wait_group %u;\n", o->value); break;
    case OP_CP_ARRIVE: emit_cp_arrive(e, o); break;
    case OP_BULK_LOAD:
    case OP_BULK_STORE: emit_bulk(e, o); break;
    case OP_BULK_COMMIT: put(e, "    cp.async.bulk.commit_group;\n"); break;
    case OP_BULK_WAIT: put(e, "    cp.async.bulk.wait_group%s %u;\n", o->read ? ".read" : "", o->value); break;
    default: break;
    }
}
// SPDX-License-Identifier: Apache-2.0
