/* PTX text into a module whose instructions are known to be well formed. */
#include <stdio.h>

#include "harness/emu/forms/lax.h"
#include "harness/emu/forms/limits.h"
#include "harness/emu/forms/match.h"
#include "harness/emu/forms/rule.h"

/* Gives every instruction the number of its form. False at the first that has none, with *error filled in except for
 * the source line. */
static bool match_all(struct ptx_module *m, struct ptx_error *error)
{
    for (uint32_t k = 0; k < m->n_functions; k++) {
        const struct ptx_function *f = &m->functions[k];
        struct form_candidate c = { .m = m, .f = f };
        for (uint32_t j = 0; j < f->n_instructions; j++) {
            struct ptx_instruction *i = &m->instructions[f->instructions + j];
            c.i = i;
            i->form = form_match(&c);
            if (!i->form && (i->form = form_match_lenient(&c, i, m->words ? m->words + i->words : NULL)) != 0) {
                i->laxity = c.laxity;
                i->inert |= !form_lax_runs(c.laxity);
            }
            if (i->form)
                continue;
            *error = (struct ptx_error){ .line = (int)i->line,
                                         .column = (int)(c.column ? c.column : i->column),
                                         .rule = form_rule(&c) };
            snprintf(error->message, sizeof error->message, "%s", c.message);
            return false;
        }
    }
    return true;
}

struct ptx_module *ptx_read(const char *text, size_t size, const struct ptx_limits *limits, struct ptx_error *error)
{
    struct ptx_module *m = ptx_parse(text, size, limits, error);

    if (!m) {
        if (error->word[0])
            error->rule = form_unknown_word_rule(error->op, error->word);
        return NULL;
    }
    if (match_all(m, error) && form_limits(m, error))
        return m;
    ptx_error_source(error, text, size);
    ptx_free(m);
    return NULL;
}
// SPDX-License-Identifier: Apache-2.0
