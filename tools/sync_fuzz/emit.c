/* A program as PTX text: guards, addresses, data. What synchronises is in emit_sync.c. */
#include "tools/sync_fuzz/emit.h"

#include <stdio.h>

#include "tools/fuzz/text.h"

void put(struct emitter *e, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    text_add_list(&e->body, format, args);
    va_end(args);
}

/* ---- addresses --------------------------------------------------------------------------------------------------- */

struct address address_of(struct emitter *e, struct place at, bool generic)
{
    struct address a = { .text = "", .wide = at.space == GLOBAL || generic };

    if (at.space == GLOBAL) {
        a.number = e->d++;
        put(e, "    add.u64 %%d%u, %%gl, %u;\n", a.number, at.offset);
        if (at.by_cta || at.by_cluster)
            put(e, "    mad.wide.u32 %%d%u, %s, %u, %%d%u;\n", a.number, at.by_cta ? "%cta" : "%cluster",
                at.by_cta ? at.by_cta : at.by_cluster, a.number);
        a.space = generic ? "" : ".global";
        return a;
    }
    a.number = e->r++;
    put(e, "    add.u32 %%r%u, %%sm, %u;\n", a.number, at.offset);
    if (at.rank >= 0)
        put(e, "    mapa.shared::cluster.u32 %%r%u, %%r%u, %d;\n", a.number, a.number, at.rank);
    a.space = at.rank >= 0 ? ".shared::cluster" : ".shared";
    if (generic) {
        put(e, "    cvt.u64.u32 %%d%u, %%r%u;\n    cvta%s.u64 %%d%u, %%d%u;\n", e->d, a.number, a.space, e->d, e->d);
        a.number = e->d++;
        a.space = "";
    }
    return a;
}

const char *address_text(const struct address *a, char *out, size_t size)
{
    snprintf(out, size, "[%%%c%u]", a->wide ? 'd' : 'r', a->number);
    return out;
}

/* The address of the item in register r`index`. */
static struct address item_at(struct emitter *e, struct address base, unsigned index, unsigned width)
{
    struct address a = base;

    if (base.wide) {
        a.number = e->d++;
        put(e, "    mad.wide.u32 %%d%u, %%r%u, %u, %%d%u;\n", a.number, index, width, base.number);
    } else {
        a.number = e->r++;
        put(e, "    mad.lo.u32 %%r%u, %%r%u, %u, %%r%u;\n", a.number, index, width, base.number);
    }
    return a;
}

/* ---- items ------------------------------------------------------------------------------------------------------- */

/* Register: the thread's number in the group that shares out the items. */
static unsigned thread_number(struct emitter *e, const struct op *o)
{
    const unsigned r = e->r++;

    if (o->all) {
        put(e, "    mov.u32 %%r%u, 0;\n", r);
        return r;
    }
    put(e, "    sub.u32 %%r%u, %%t, %u;\n", r, o->who.lo);
    if (o->across && (o->who.ctas & (o->who.ctas - 1))) {
        const unsigned q = e->r++;
        put(e, "    mov.u32 %%r%u, 1;\n    shl.b32 %%r%u, %%r%u, %%cta;\n    sub.u32 %%r%u, %%r%u, 1;\n", q, q, q, q,
            q);
        put(e, "    and.b32 %%r%u, %%r%u, %u;\n    popc.b32 %%r%u, %%r%u;\n", q, q, o->who.ctas, q, q);
        put(e, "    mad.lo.u32 %%r%u, %%r%u, %u, %%r%u;\n", r, q, who_width(o->who), r);
    }
    return r;
}

unsigned op_step(const struct op *o)
{
    return o->all ? 1 : o->across ? who_count(o->who) : who_width(o->who);
}

/* Register: the item that comes as number r`j`. */
static unsigned ordered(struct emitter *e, const struct op *o, unsigned j)
{
    const unsigned r = e->r++;

    switch (o->order) {
    case REVERSED: put(e, "    sub.u32 %%r%u, %u, %%r%u;\n", r, o->items - 1, j); break;
    case ROTATED:
        put(e, "    add.u32 %%r%u, %%r%u, %u;\n    rem.u32 %%r%u, %%r%u, %u;\n", r, j, o->turn, r, r, o->items);
        break;
    default: put(e, "    mov.u32 %%r%u, %%r%u;\n", r, j); break;
    }
    return r;
}

/* Register: the value of the item r`index`. */
static unsigned value_of(struct emitter *e, const struct op *o, unsigned index)
{
    const unsigned r = e->r++;

    put(e, "    mad.lo.u32 %%r%u, %%r%u, %u, %u;\n", r, index, o->factor, o->value);
    if (o->carry)
        put(e, "    add.u32 %%r%u, %%r%u, %%acc;\n", r, r);
    return r;
}

static void store_item(struct emitter *e, const struct op *o, struct address at, unsigned value)
{
    char to[24];
    const unsigned words = o->width / 4;

    address_text(&at, to, sizeof to);
    if (o->width <= 4) {
        put(e, "    st%s.%s %s, %%r%u;\n", at.space, o->width == 4 ? "b32" : o->width == 2 ? "u16" : "u8", to, value);
        return;
    }
    const unsigned first = e->r, wide = e->d;
    e->r += words;
    e->d += words / 2;
    for (unsigned k = 0; k < words; k++)
        put(e, "    add.u32 %%r%u, %%r%u, %u;\n", first + k, value, k * WORD_STEP);
    if (o->wide) {
        for (unsigned k = 0; k < words / 2; k++)
            put(e, "    mov.b64 %%d%u, {%%r%u, %%r%u};\n", wide + k, first + 2 * k, first + 2 * k + 1);
        if (words == 2)
            put(e, "    st%s.b64 %s, %%d%u;\n", at.space, to, wide);
        else
            put(e, "    st%s.v2.b64 %s, {%%d%u, %%d%u};\n", at.space, to, wide, wide + 1);
    } else if (words == 2) {
        put(e, "    st%s.v2.b32 %s, {%%r%u, %%r%u};\n", at.space, to, first, first + 1);
    } else {
        put(e, "    st%s.v4.b32 %s, {%%r%u, %%r%u, %%r%u, %%r%u};\n", at.space, to, first, first + 1, first + 2,
            first + 3);
    }
}

static void load_item(struct emitter *e, const struct op *o, struct address at)
{
    char from[24];
    const unsigned words = o->width < 4 ? 1 : o->width / 4, first = e->r, wide = e->d;

    address_text(&at, from, sizeof from);
    e->r += words;
    e->d += words / 2;
    if (words == 1)
        put(e, "    ld%s.%s %%r%u, %s;\n", at.space, o->width == 4 ? "b32" : o->width == 2 ? "u16" : "u8", first, from);
    else if (o->wide && words == 2)
        put(e, "    ld%s.b64 %%d%u, %s;\n", at.space, wide, from);
    else if (o->wide)
        put(e, "    ld%s.v2.b64 {%%d%u, %%d%u}, %s;\n", at.space, wide, wide + 1, from);
    else if (words == 2)
        put(e, "    ld%s.v2.b32 {%%r%u, %%r%u}, %s;\n", at.space, first, first + 1, from);
    else
        put(e, "    ld%s.v4.b32 {%%r%u, %%r%u, %%r%u, %%r%u}, %s;\n", at.space, first, first + 1, first + 2, first + 3,
            from);
    for (unsigned k = 0; o->wide && k < words / 2; k++)
        put(e, "    mov.b64 {%%r%u, %%r%u}, %%d%u;\n", first + 2 * k, first + 2 * k + 1, wide + k);
    for (unsigned k = 1; k < words; k++)
        put(e, "    xor.b32 %%r%u, %%r%u, %%r%u;\n", first, first, first + k);
    put(e, "    mad.lo.u32 %%acc, %%acc, 33, %%r%u;\n", first);
}

static void one_item(struct emitter *e, const struct op *o, const struct address base[3], unsigned j)
{
    const unsigned index = ordered(e, o, j);
    const struct address at = item_at(e, base[0], index, o->width);
    char a[24], b[24], c[24];

    switch (o->kind) {
    case OP_STORE: store_item(e, o, at, value_of(e, o, index)); break;
    case OP_LOAD: load_item(e, o, at); break;
    case OP_CP_ASYNC: {
        const struct address from = item_at(e, base[1], index, o->width);
        put(e, "    cp.async.%s.shared.global %s, %s, 16;\n", o->wide ? "cg" : "ca", address_text(&at, a, sizeof a),
            address_text(&from, b, sizeof b));
        break;
    }
    default:
        put(e, "    st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 %s, %%r%u, %s;\n",
            address_text(&at, a, sizeof a), value_of(e, o, index), address_text(&base[2], c, sizeof c));
        break;
    }
}

void emit_items(struct emitter *e, const struct op *o)
{
    const unsigned step = op_step(o), times = (o->items + step - 1) / step;
    struct address base[3] = { address_of(e, o->at, o->generic) };
    const unsigned j = thread_number(e, o), label = e->labels;

    if (o->kind == OP_CP_ASYNC)
        base[1] = address_of(e, o->from, false);
    if (o->kind == OP_ST_ASYNC)
        base[2] = address_of(e, o->bar, false);
    e->labels += 2;
    if (o->looped) {
        put(e, "L%u:\n    setp.ge.u32 %%p0, %%r%u, %u;\n    @%%p0 bra L%u;\n", label, j, o->items, label + 1);
        one_item(e, o, base, j);
        put(e, "    add.u32 %%r%u, %%r%u, %u;\n    bra L%u;\nL%u:\n", j, j, step, label, label + 1);
        return;
    }
    for (unsigned i = 0; i < times; i++) {
        if ((i + 1) * step > o->items)
            put(e, "    setp.ge.u32 %%p0, %%r%u, %u;\n    @%%p0 bra L%u;\n", j, o->items, label);
        one_item(e, o, base, j);
        if (i + 1 < times)
            put(e, "    add.u32 %%r%u, %%r%u, %u;\n", j, j, step);
    }
    put(e, "L%u:\n", label);
}

void emit_add(struct emitter *e, const struct op *o)
{
    const struct address a = address_of(e, o->at, false);
    const unsigned r = e->r++;
    char text[24];

    address_text(&a, text, sizeof text);
    put(e, "    ld%s.u32 %%r%u, %s;\n    add.u32 %%r%u, %%r%u, %u;\n    st%s.u32 %s, %%r%u;\n", a.space, r, text, r, r,
        o->value, a.space, text, r);
}

void emit_sum(struct emitter *e, const struct op *o)
{
    const struct address from = address_of(e, o->from, false), to = address_of(e, o->at, false);
    const unsigned sum = e->r, j = e->r + 1, v = e->r + 2, label = e->labels++;
    char text[24];

    e->r += 3;
    put(e, "    mov.u32 %%r%u, 0;\n    mov.u32 %%r%u, 0;\nL%u:\n", sum, j, label);
    const struct address item = item_at(e, from, j, 4);
    put(e, "    ld%s.u32 %%r%u, %s;\n", item.space, v, address_text(&item, text, sizeof text));
    put(e, "    add.u32 %%r%u, %%r%u, %%r%u;\n    add.u32 %%r%u, %%r%u, 1;\n", sum, sum, v, j, j);
    put(e, "    setp.lt.u32 %%p0, %%r%u, %u;\n    @%%p0 bra L%u;\n", j, o->items, label);
    put(e, "    st%s.u32 %s, %%r%u;\n", to.space, address_text(&to, text, sizeof text), sum);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static bool same_guard(const struct op *a, const struct op *b)
{
    return a->who.ctas == b->who.ctas && a->who.lo == b->who.lo && a->who.hi == b->who.hi && a->last == b->last;
}

/* All threads but these go to the label. */
static void guard(struct emitter *e, const struct program *p, const struct op *o, unsigned label)
{
    if (o->who.ctas != (1u << program_ctas(p)) - 1) {
        const unsigned r = e->r++;
        put(e, "    mov.u32 %%r%u, %u;\n    shr.u32 %%r%u, %%r%u, %%cta;\n    and.b32 %%r%u, %%r%u, 1;\n", r,
            o->who.ctas, r, r, r, r);
        put(e, "    setp.eq.u32 %%p0, %%r%u, 0;\n    @%%p0 bra L%u;\n", r, label);
    }
    if (o->who.hi - o->who.lo == 1 && p->shape.threads > 1) {
        put(e, "    setp.ne.u32 %%p0, %%t, %u;\n    @%%p0 bra L%u;\n", o->who.lo, label);
    } else {
        if (o->who.lo)
            put(e, "    setp.lt.u32 %%p0, %%t, %u;\n    @%%p0 bra L%u;\n", o->who.lo, label);
        if (o->who.hi < p->shape.threads)
            put(e, "    setp.ge.u32 %%p0, %%t, %u;\n    @%%p0 bra L%u;\n", o->who.hi, label);
    }
    if (o->last)
        put(e, "    setp.ne.u32 %%p0, %%ticket, %u;\n    @%%p0 bra L%u;\n", o->value, label);
}

void program_header(struct ck_growing *out)
{
    struct emitter e = { .body = *out };

    put(&e, ".version 8.8\n.target sm_90a\n.address_size 64\n");
    *out = e.body;
}

static void begin(struct emitter *e, const struct program *p, const char *entry)
{
    const struct shape *s = &p->shape;

    if (s->dynamic)
        put(e, ".extern .shared .align 128 .b8 %s_room[];\n", entry);
    put(e, ".visible .entry %s(.param .u64 memory)\n.reqntid %u, %u, %u\n", entry, s->block[0], s->block[1],
        s->block[2]);
    if (s->cluster > 1)
        put(e, ".explicitcluster\n.reqnctapercluster %u\n", s->cluster);
    put(e, "{\n");
}

static void begin_body(struct emitter *e, const struct program *p, const char *entry)
{
    if (!p->shape.dynamic)
        put(e, "    .shared .align 128 .b8 %s_room[%u];\n", entry, p->shape.padding + SHARED_BYTES);
    put(e, "    ld.param.u64 %%gl, [memory];\n    cvta.to.global.u64 %%gl, %%gl;\n    mov.u32 %%sm, %s_room;\n", entry);
    if (p->shape.padding)
        put(e, "    add.u32 %%sm, %%sm, %u;\n", p->shape.padding);
    put(e, "    mov.u32 %%t, %%tid.z;\n    mad.lo.u32 %%t, %%t, %u, 0;\n    mov.u32 %%cta, %%tid.y;\n",
        p->shape.block[1]);
    put(e, "    add.u32 %%t, %%t, %%cta;\n    mul.lo.u32 %%t, %%t, %u;\n    mov.u32 %%cta, %%tid.x;\n",
        p->shape.block[0]);
    put(e, "    add.u32 %%t, %%t, %%cta;\n    mov.u32 %%cta, %%ctaid.x;\n    div.u32 %%cluster, %%cta, %u;\n",
        p->shape.cluster);
    put(e, "    mov.u32 %%acc, 0;\n    mov.u32 %%ticket, 0;\n");
}

void program_emit(const struct program *p, const char *entry, struct ck_growing *out)
{
    struct emitter whole = { .body = *out }, e = { 0 };
    const struct op *open = NULL;
    unsigned end = 0;

    for (size_t i = 0; i < p->count; i++) {
        const struct op *o = &p->ops[i];
        if (o->kind == OP_NONE)
            continue;
        if (!open || !same_guard(open, o)) {
            if (open)
                put(&e, "L%u:\n", end);
            end = e.labels++;
            guard(&e, p, o, end);
            open = o;
        }
        emit_op(&e, p, o);
    }
    if (open)
        put(&e, "L%u:\n", end);
    begin(&whole, p, entry);
    put(&whole, "    .reg .b32 %%r<%u>, %%sm, %%t, %%cta, %%cluster, %%acc, %%ticket;\n", e.r + 1);
    put(&whole, "    .reg .b64 %%d<%u>, %%gl;\n    .reg .pred %%p<2>;\n", e.d + 1);
    begin_body(&whole, p, entry);
    put(&whole, "%s    ret;\n}\n", e.body.data ? e.body.data : "");
    ck_growing_free(&e.body);
    *out = whole.body;
}
// SPDX-License-Identifier: Apache-2.0
