/* How much constant, shared and parameter space a module may use, in bytes: the limits of ptxas. */
#include "harness/emu/forms/limits.h"

#include <stdio.h>
#include <stdlib.h>

enum { CONST_MAX = 65536, SHARED_MAX = 49152, PARAM_MAX = 32764, PARAM_MAX_BEFORE_81 = 4352 };

static bool refuse(struct ptx_error *e, uint32_t line, uint32_t column, const char *what, uint64_t has, uint64_t most)
{
    *e = (struct ptx_error){ .line = (int)line, .column = (int)column };
    snprintf(e->message, sizeof e->message, "%s: %llu bytes, the most is %llu", what, (unsigned long long)has,
             (unsigned long long)most);
    return false;
}

/* Where a variable ends that is placed at the next multiple of its alignment from `at` on. */
static uint64_t end_of(uint64_t at, const struct ptx_variable *v)
{
    const uint64_t align = v->align ? v->align : 1;

    return (at + align - 1) / align * align + v->size;
}

static bool constants_fit(const struct ptx_module *m, struct ptx_error *error)
{
    uint64_t at = 0;

    for (uint32_t i = 0; i < m->n_variables; i++) {
        const struct ptx_variable *v = &m->variables[i];
        if (v->space != PTX_const || v->definition != i)
            continue;
        at = v->size > CONST_MAX ? v->size : end_of(at, v);
        if (at > CONST_MAX)
            return refuse(error, v->line, v->column, "too much constant memory", at, CONST_MAX);
    }
    return true;
}

/* Static shared memory counts for an entry if the entry itself names it. `seen` has, for each variable, the number of
 * the last function that named it, from 1. */
static bool shared_fits(const struct ptx_module *m, const struct ptx_function *f, uint32_t *seen,
                        struct ptx_error *error)
{
    const uint32_t now = (uint32_t)(f - m->functions) + 1;
    uint64_t at = 0;
    bool fits = true;

    for (uint32_t k = 0; k < f->n_instructions && fits; k++) {
        const struct ptx_instruction *i = &m->instructions[f->instructions + k];
        for (unsigned n = 0; n < i->n_operands && fits; n++) {
            const struct ptx_operand *o = ptx_operand(m, i, n);
            const bool names = o->kind == PO_variable || (o->kind == PO_address && o->flags & PF_BASE_VARIABLE);
            const uint32_t symbol = names ? m->variables[o->symbol].definition : 0;
            const struct ptx_variable *v = &m->variables[symbol];
            if (!names || v->space != PTX_shared || v->unsized || seen[symbol] == now)
                continue;
            seen[symbol] = now;
            at = v->size > SHARED_MAX ? v->size : end_of(at, v);
            if (at > SHARED_MAX)
                fits = refuse(error, v->line, v->column, "too much static shared memory in one kernel", at, SHARED_MAX);
        }
    }
    return fits;
}

bool form_limits(const struct ptx_module *m, struct ptx_error *error)
{
    const uint64_t params = m->version >= 81 ? PARAM_MAX : PARAM_MAX_BEFORE_81;
    uint32_t *seen = calloc(m->n_variables + 1, sizeof *seen);
    bool fits = seen != NULL;

    if (!seen)
        *error = (struct ptx_error){ .line = 1, .column = 1, .message = "out of memory" };
    fits = fits && constants_fit(m, error);
    for (uint32_t i = 0; i < m->n_functions && fits; i++) {
        const struct ptx_function *f = &m->functions[i];
        if (!f->is_entry)
            continue;
        fits = f->param_bytes <= params
                   ? shared_fits(m, f, seen, error)
                   : refuse(error, f->line, f->column, "too much parameter space", f->param_bytes, params);
    }
    free(seen);
    return fits;
}
// SPDX-License-Identifier: Apache-2.0
