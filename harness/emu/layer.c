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

/* The row for what the programmer called: the outermost function that has one. NULL: none has. */
static const struct ck_layer *outermost(const struct origin *o, const struct ck_rule *below)
{
    for (size_t k = o->count; k-- > 0;)
        for (const struct ck_layer *l = ck_layers; l->rule; l++)
            if (l->side == CK_LAYER_ONE && ck_layer_is_above(l, below) && ck_layer_has(l, o->plain[k], o->mangled[k]))
                return l;
    return NULL;
}

static const struct ck_layer *find_layer(const struct ptx_module *m, const struct emu_finding *f)
{
    const struct ptx_instruction *const at[] = { f->here.at, f->there.at, f->cause };
    const struct ck_layer *found = NULL;
    struct origin origin[2];

    for (int i = 0; i < 2; i++)
        find_origin(m, at[i], &origin[i]);
    for (const struct ck_layer *l = ck_layers; l->rule; l++)
        if (l->side == CK_LAYER_BOTH && ck_layer_is_above(l, f->rule) && comes_from(&origin[0], l) &&
            comes_from(&origin[1], l))
            return l;
    for (int i = 0; i < 3 && !found; i++) {
        find_origin(m, at[i], &origin[0]);
        found = outermost(&origin[0], f->rule);
    }
    return found;
}

void emu_name_layer(const struct ptx_module *m, struct emu_finding *f)
{
    const struct ck_layer *l = f->rule && !f->behind ? find_layer(m, f) : NULL;

    if (!l)
        return;
    f->behind = f->rule;
    f->rule = l->rule;
}
