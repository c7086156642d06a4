/* What the grammar of a row cannot express: memory orders with their scopes, calls with their signatures. */
#include "harness/emu/forms/extra.h"

#include "harness/emu/forms/fits.h"

bool form_ordered(struct form_candidate *c)
{
    const uint16_t scope = ptx_word_of(c->m, c->i, PC_scope), sem = ptx_word_of(c->m, c->i, PC_sem);
    c->now.fault = FAULT_ORDER;
    if (sem && !scope)
        return form_fail(c, NULL, "'.%s' on '%s' needs a scope", ptx_word_text[sem], ptx_op_text[c->i->op]);
    if (scope && !sem)
        return form_fail(c, NULL, "'.%s' on '%s' needs a memory order", ptx_word_text[scope], ptx_op_text[c->i->op]);
    return true;
}

bool form_whole(struct form_candidate *c)
{
    for (unsigned k = 0; k < c->i->n_operands; k++) {
        const struct ptx_operand *o = ptx_operand(c->m, c->i, k);
        if (o->kind == PO_register && o->component)
            return form_fail(c, o, "operand %u of '%s' must be a whole register", k + 1, ptx_op_text[c->i->op]);
    }
    return true;
}

bool form_popc(struct form_candidate *c)
{
    const uint16_t *words = c->m->words + c->i->words;

    for (unsigned k = 0; k < c->i->n_words; k++)
        if (words[k] == PTX_popc && (!k || (words[k - 1] != PTX_and && words[k - 1] != PTX_xor)))
            return form_fail(c, NULL, "'.popc' on '%s' comes behind .and or .xor", ptx_op_text[c->i->op]);
    return true;
}

/* ---- calls: what is called, and whether arguments and results fit its signature. PTX ISA, "call" ------------------
 */

struct formals {
    uint32_t returns, n_returns, params, n_params;
};

static bool argument(struct form_candidate *c, const struct ptx_operand *actual, uint32_t formal, bool result)
{
    const struct ptx_variable *f = &c->m->variables[formal];
    if (f->unsized || (result && actual->kind == PO_sink))
        return true;
    if (actual->kind == PO_variable) {
        const struct ptx_variable *a = &c->m->variables[actual->symbol];
        if (a->space == PTX_param && !actual->value && a->size == f->size && a->vector == f->vector &&
            (a->dims != 0) == (f->dims != 0) && ptx_type_size(a->type) == ptx_type_size(f->type))
            return true;
        return form_fail(c, actual, "'%s' does not match the %s '%s'", a->name, result ? "result" : "parameter",
                         f->name);
    }
    if (f->vector > 1 && actual->kind == PO_register && !actual->flags && !actual->component) {
        const struct ptx_register *r = form_register(c, actual->reg);
        if (r->vector == f->vector && ptx_type_size(r->type) == ptx_type_size(f->type))
            return true;
    }
    if (!f->dims && f->vector == 1 && form_fits(c, actual, f->type, !result))
        return true;
    return form_fail(c, actual, "this does not match the %s '%s' of type .%s", result ? "result" : "parameter", f->name,
                     ptx_word_text[f->type]);
}

static bool arguments(struct form_candidate *c, const struct ptx_operand *list, uint32_t first, uint32_t count,
                      bool result)
{
    const char *what = result ? "results" : "parameters";
    /* an array without a size takes all further arguments, which may be none */
    const bool open = count && c->m->variables[first + count - 1].unsized;
    if (open ? list->count + 1 < count : list->count != count)
        return form_fail(c, list->column ? list : NULL, "the callee has %u %s, the call %u", count, what, list->count);
    for (uint32_t k = 0; k < list->count && k < count; k++)
        if (!argument(c, &c->m->operands[list->first + k], first + k, result))
            return false;
    return true;
}

static bool signature(struct form_candidate *c, const struct formals *f)
{
    return arguments(c, ptx_operand(c->m, c->i, 0), f->returns, f->n_returns, true) &&
           arguments(c, ptx_operand(c->m, c->i, 2), f->params, f->n_params, false);
}

static bool of_function(struct form_candidate *c, uint32_t index)
{
    const struct ptx_function *f = &c->m->functions[index];
    return signature(c, &(struct formals){ f->returns, f->n_returns, f->params, f->n_params });
}

bool form_call(struct form_candidate *c)
{
    const struct ptx_operand *callee = ptx_operand(c->m, c->i, 1), *which = ptx_operand(c->m, c->i, 3);
    if (callee->kind == PO_function) {
        if (c->m->functions[callee->symbol].is_entry)
            return form_fail(c, callee, "'%s' is an .entry: only a .func is called",
                             c->m->functions[callee->symbol].name);
        if (which->kind != PO_none)
            return form_fail(c, which, "a prototype is allowed in calls through a register only");
        return of_function(c, callee->symbol);
    }
    if (!form_fits(c, callee, PTX_u64, false) && !form_fits(c, callee, PTX_u32, false))
        return form_fail(c, callee, "the callee must be a .func, or its address in a register");
    if (which->kind == PO_prototype) {
        const struct ptx_signature *s = &c->m->prototypes[which->symbol];
        return signature(c, &(struct formals){ s->returns, s->n_returns, s->params, s->n_params });
    }
    if (which->kind != PO_targets)
        return form_fail(c, which->kind ? which : callee, "a call through a register needs a prototype or its targets");
    for (uint32_t k = 0; k < which->count; k++) {
        const struct ptx_operand *o = &c->m->operands[which->first + k];
        if (o->kind != PO_function)
            return form_fail(c, which, "the targets of a call must be functions");
        if (!of_function(c, o->symbol))
            return false;
    }
    return true;
}

bool form_branch_targets(struct form_candidate *c)
{
    const struct ptx_operand *targets = ptx_operand(c->m, c->i, 1);
    if (targets->kind != PO_targets)
        return form_fail(c, targets, "the targets must be the label of a .branchtargets");
    for (uint32_t k = 0; k < targets->count; k++)
        if (c->m->operands[targets->first + k].kind != PO_label)
            return form_fail(c, targets, "the targets of a branch must be labels");
    return true;
}
// SPDX-License-Identifier: Apache-2.0
