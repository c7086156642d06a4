/* Modules of the sweep's forms: an entry each, in which a thread loads its inputs, computes, and stores its results. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/append.h"
#include "tools/alu_sweep.h"

struct text {
    struct ck_growing ptx;
    int line; /* of the next character, 1-based */
};

__attribute__((format(printf, 2, 3))) static void put(struct text *t, const char *format, ...)
{
    const size_t from = t->ptx.size;
    va_list args;
    bool added;

    va_start(args, format);
    added = ck_grow_list(&t->ptx, format, args);
    va_end(args);
    if (!added)
        abort();
    for (size_t k = from; k < t->ptx.size; k++)
        t->line += t->ptx.data[k] == '\n';
}

/* a, b, c, x, i4, i5 ...; d, e, o2, o3 ... */
static const char *name_of(unsigned k, bool result, char *room)
{
    static const char *const names[2][4] = { { "a", "b", "c", "x" }, { "d", "e", NULL, NULL } };

    if (k < 4 && names[result][k])
        return names[result][k];
    snprintf(room, 8, "%c%u", result ? 'o' : 'i', k);
    return room;
}

/* What the forms of wgmma use: 4096 bytes of shared memory for each warpgroup, in which `sh` is the thread's place for
 * 16 bytes of A, and 2048 bytes behind it for 16 bytes of B; descriptors with these addresses, to which a form adds the
 * rest; predicates. */
static void put_warpgroup(struct text *t)
{
    put(t, "\t.reg .b64 da, db; .reg .pred yes, no;\n");
    put(t, "\tsetp.eq.u32 yes, 0, 0;\n\tsetp.ne.u32 no, 0, 0;\n");
    put(t, "\tmov.u32 sh, warpgroups;\n\tshr.u32 word, n, 7;\n\tmad.lo.u32 sh, word, 4096, sh;\n");
    put(t, "\tshr.u32 word, sh, 4;\n\tcvt.u64.u32 da, word;\n\tadd.s64 db, da, 128;\n");
    put(t, "\tand.b32 word, n, 127;\n\tmad.lo.u32 sh, word, 16, sh;\n");
}

static void put_entry(struct text *t, const struct sweep_form *f, size_t number)
{
    const bool wgmma = strstr(f->text, "wgmma."), shared = strstr(f->text, "[sh]"), memory = strstr(f->text, "[m");
    char room[8];

    put(t, ".visible .entry f%zu(.param .u64 in, .param .u64 out, .param .u64 place)\n{\n", number);
    put(t, "\t.reg .b64 from, to, m; .reg .b32 i, n, word, sh;\n");
    for (unsigned k = 0; k < f->ins + f->outs; k++) {
        const bool result = k >= f->ins;
        const struct sweep_type *type = result ? f->out[k - f->ins] : f->in[k];
        if (type->bytes)
            put(t, "\t.reg .b%u %s;\n", type->bytes * 8, name_of(result ? k - f->ins : k, result, room));
        else
            put(t, "\t.reg .pred %s;\n", name_of(result ? k - f->ins : k, result, room));
    }
    put(t, "\tmov.u32 i, %%ctaid.x;\n\tmov.u32 n, %%tid.x;\n\tmad.lo.u32 i, i, %u, n;\n", SWEEP_BLOCK);
    put(t, "\tld.param.u64 from, [in];\n\tld.param.u64 to, [out];\n");
    put(t, "\tmad.wide.u32 from, i, %u, from;\n\tmad.wide.u32 to, i, %u, to;\n", f->ins * 8, f->outs * 8);
    if (memory)
        put(t, "\tld.param.u64 m, [place];\n\tmad.wide.u32 m, i, %u, m;\n", SWEEP_SCRATCH);
    if (wgmma)
        put_warpgroup(t);
    else if (shared)
        put(t, "\t.shared .align 16 .b8 room[%u];\n\tmov.u32 sh, room;\n\tmad.lo.u32 sh, n, 16, sh;\n",
            SWEEP_BLOCK * 16);
    for (unsigned k = 0; k < f->ins; k++) {
        const char *name = name_of(k, false, room);
        if (f->in[k]->bytes)
            put(t, "\tld.global.b%u %s, [from+%u];\n", f->in[k]->bytes * 8, name, k * 8);
        else
            put(t, "\tld.global.b32 word, [from+%u];\n\tsetp.ne.b32 %s, word, 0;\n", k * 8, name);
    }
    put(t, "\t%s\n", f->text);
    for (unsigned k = 0; k < f->outs; k++) {
        const char *name = name_of(k, true, room);
        if (f->out[k]->bytes)
            put(t, "\tst.global.b%u [to+%u], %s;\n", f->out[k]->bytes * 8, k * 8, name);
        else
            put(t, "\tselp.b32 word, 1, 0, %s;\n\tst.global.b32 [to+%u], word;\n", name, k * 8);
    }
    put(t, "\tret;\n}\n");
}

char *sweep_ptx(const struct sweep *s, size_t first, size_t count, int *lines)
{
    struct text t = { .line = 1 };

    put(&t, ".version 9.0\n.target sm_90a\n.address_size 64\n.shared .align 1024 .b8 warpgroups[%u];\n",
        SWEEP_BLOCK * 32);
    for (size_t k = 0; k < count; k++) {
        lines[k] = t.line;
        if (!s->forms[first + k].refused[0])
            put_entry(&t, &s->forms[first + k], first + k);
    }
    return t.ptx.data;
}
// SPDX-License-Identifier: Apache-2.0
