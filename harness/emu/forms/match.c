/* An instruction compared with the rows of the instruction table. */
#include "harness/emu/forms/match.h"

#include <stdio.h>

#include "harness/emu/forms/compile.h"
#include "harness/emu/forms/operand.h"

static void list_alternatives(const struct grammars *all, const struct group *g, char *out, size_t size)
{
    size_t n = 0;
    *out = 0;
    for (uint16_t k = 0; k < g->count && n < size; k++) {
        const int got = snprintf(out + n, size - n, "%s.%s", k ? k + 1 == g->count ? " or " : ", " : "",
                                 ptx_word_text[all->alternatives[g->first + k].word]);
        n += got > 0 ? (size_t)got : 0;
    }
}

static const struct alternative *in_group(const struct grammars *all, const struct group *g, uint16_t word)
{
    for (uint16_t k = 0; k < g->count; k++)
        if (all->alternatives[g->first + k].word == word)
            return &all->alternatives[g->first + k];
    return NULL;
}

/* Compares the words of an instruction with a form's groups; `chosen` receives the alternatives that matched. */
static bool match_words(struct form_candidate *c, const struct grammars *all, const struct grammar *g,
                        const struct alternative **chosen, unsigned *n_chosen)
{
    const unsigned n = c->i->n_words;
    const uint16_t *words = n ? c->m->words + c->i->words : NULL;
    uint64_t used = 0;
    unsigned matched = 0;
    bool ok = true;
    const char *name = ptx_op_text[c->i->op];

    *n_chosen = 0;
    if (n > 64) {
        form_about(c, STAGE_WORDS + 1, FAULT_WORD, words[0]);
        return form_fail(c, NULL, "'%s' has too many modifiers", name);
    }
    const struct group *missing = NULL;
    unsigned leading = 0; /* words that matched leading groups */
    for (uint16_t k = 0; k < g->n_groups; k++) {
        const struct group *group = &all->groups[g->groups + k];
        const struct alternative *found = NULL;
        for (unsigned w = 0; w < n; w++) {
            if (used >> w & 1 || (group->class && ptx_word_class[words[w]] != group->class))
                continue;
            if (group->leading && w != leading)
                break;
            found = in_group(all, group, words[w]);
            if (found) {
                used |= 1ull << w;
                chosen[(*n_chosen)++] = found;
                leading += group->leading;
                matched++;
            }
            if (found || group->class) /* types and spaces come in order */
                break;
        }
        if (!found && !group->optional) {
            ok = false;
            if (!missing)
                missing = group;
        }
    }
    for (unsigned w = 0; w < n && !g->open; w++)
        if (!(used >> w & 1)) {
            form_about(c, STAGE_WORDS + 1 + (int)matched, FAULT_WORD, words[w]);
            return form_fail(c, NULL, "'.%s' is not allowed %s'%s'", ptx_word_text[words[w]],
                             missing || matched ? "here for " : "for ", name);
        }
    if (!ok) {
        char list[160];
        list_alternatives(all, missing, list, sizeof list);
        form_about(c, STAGE_MISSING + (int)matched, FAULT_MISSING, all->alternatives[missing->first].word);
        return form_fail(c, NULL, "'%s' needs %s", name, list);
    }
    return true;
}

static bool match_needs(struct form_candidate *c, const struct grammar *g, const struct alternative **chosen,
                        unsigned n)
{
    const struct ptx_module *m = c->m;
    const char *name = ptx_op_text[c->i->op];
    form_about(c, STAGE_NEEDS, FAULT_VERSION, 0);
    if (g->form->version > m->version)
        return form_fail(c, NULL, "'%s' needs PTX ISA %d.%d or later", name, g->form->version / 10,
                         g->form->version % 10);
    c->now.fault = FAULT_TARGET;
    if (!form_target_fits(m, g->target))
        return form_fail(c, NULL, "'%s' needs the target %s", name, form_target_name(g->target));
    for (unsigned k = 0; k < n; k++) {
        form_about(c, STAGE_NEEDS, FAULT_VERSION, chosen[k]->word);
        if (chosen[k]->version > m->version)
            return form_fail(c, NULL, "'.%s' on '%s' needs PTX ISA %d.%d or later", ptx_word_text[chosen[k]->word],
                             name, chosen[k]->version / 10, chosen[k]->version % 10);
        c->now.fault = FAULT_TARGET;
        if (!form_target_fits(m, chosen[k]->target))
            return form_fail(c, NULL, "'.%s' on '%s' needs the target %s", ptx_word_text[chosen[k]->word], name,
                             form_target_name(chosen[k]->target));
    }
    return true;
}

static bool match(struct form_candidate *c, const struct grammars *all, const struct grammar *g)
{
    const struct alternative *chosen[64];
    unsigned n;
    if (!match_words(c, all, g, chosen, &n))
        return false;
    form_about(c, STAGE_OPERANDS, FAULT_COUNT, 0);
    if (!form_operands(c, all, g))
        return false;
    form_about(c, STAGE_EXTRA, FAULT_OPERAND, 0);
    if (g->form->extra && !g->form->extra(c))
        return false;
    return match_needs(c, g, chosen, n);
}

uint16_t form_match(struct form_candidate *c)
{
    const struct grammars *all = form_grammars();
    const uint16_t first = all->first_of[c->i->op], end = all->first_of[c->i->op + 1];

    c->best = (struct form_failure){ .stage = -1 };
    c->message[0] = 0;
    c->column = 0;
    for (uint16_t k = first; k < end; k++)
        if (match(c, all, &all->grammars[k]))
            return (uint16_t)(k + 1);
    if (first == end) {
        form_about(c, STAGE_WORDS, FAULT_MISSING, 0);
        form_fail(c, NULL, "'%s' is not a complete instruction", ptx_op_text[c->i->op]);
    }
    return 0;
}
