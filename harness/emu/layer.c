/* Which rule of a library a finding breaks, by the functions that its instructions were inlined from. */
#include "expected/layer.h"
#include "harness/emu/emu.h"

enum { FUNCTIONS = 64, NAME = 200 };

/* The functions that an instruction comes from; the outermost one is the last. */
struct origin {
    const char *mangled[FUNCTIONS];
    char plain[FUNCTIONS][NAME];
    size_t count;
};

static void find_origin(const struct ptx_module *m, const struct ptx_instruction *i, struct origin *o)
{
    o->count = i ? ptx_functions_of(m, i, o->mangled, FUNCTIONS) : 0;
    for (size_t k = 0; k < o->count; k++)
        ptx_plain_name(o->mangled[k], o->plain[k], NAME);
}

static bool comes_from(const struct origin *o, const struct ck_layer *l)
{
    for (size_t k = 0; k < o->count; k++)
        if (ck_layer_has(l, o->plain[k], o->mangled[k]))
            return true;
    return false;
}

/* Rows that tell a finding: the first one leads. */
struct rows {
    const struct ck_layer *all[1 + EMU_ALSO];
    int count;
};

static void take(struct rows *rows, const struct ck_layer *l)
{
    if (rows->count < 1 + EMU_ALSO)
        rows->all[rows->count++] = l;
}

/* The rows for what the programmer called: the outermost function that has any. */
static void find_outermost(const struct origin *o, const struct ck_rule *below, struct rows *rows)
{
    for (size_t k = o->count; k-- > 0 && !rows->count;)
        for (const struct ck_layer *l = ck_layers; l->rule; l++)
            if (l->side == CK_LAYER_ONE && ck_layer_is_above(l, below) && ck_layer_has(l, o->plain[k], o->mangled[k]))
                take(rows, l);
}

static struct rows find_rows(const struct ptx_module *m, const struct emu_finding *f)
{
    const struct ptx_instruction *const at[] = { f->here.at, f->there.at, f->cause };
    struct origin origin[2];
    struct rows rows = { .count = 0 };

    for (int i = 0; i < 2; i++)
        find_origin(m, at[i], &origin[i]);
    for (const struct ck_layer *l = ck_layers; l->rule; l++)
        if (l->side == CK_LAYER_BOTH && ck_layer_is_above(l, f->rule) && comes_from(&origin[0], l) &&
            comes_from(&origin[1], l))
            take(&rows, l);
    for (int i = 0; i < 3 && !rows.count; i++) {
        find_origin(m, at[i], &origin[0]);
        find_outermost(&origin[0], f->rule, &rows);
    }
    return rows;
}

void emu_name_layer(const struct ptx_module *m, struct emu_finding *f)
{
    const bool trap = !f->rule && f->here.at && f->here.at->op == OP_trap;
    struct rows rows;

    if (f->behind || (!f->rule && !trap))
        return;
    rows = find_rows(m, f);
    if (!rows.count)
        return;
    f->behind = f->rule;
    f->rule = rows.all[0]->rule;
    for (int i = EMU_ALSO - 1; i >= rows.count - 1; i--)
        f->also[i] = f->also[i - (rows.count - 1)];
    for (int i = 1; i < rows.count; i++)
        f->also[i - 1] = rows.all[i]->rule;
}
// SPDX-License-Identifier: Apache-2.0
