/* An instruction compared with the rows of the instruction table. */
#include "harness/emu/forms/match.h"

#include <string.h>

#include "harness/base/append.h"
#include "harness/emu/forms/compile.h"
#include "harness/emu/forms/lax.h"
#include "harness/emu/forms/operand.h"

enum { WORDS = 64 }; /* the most that an instruction may have */

/* ".a, .b or .c" */
static void list_alternatives(const struct grammars *all, const struct group *g, char *out, size_t size)
{
    *out = 0;
    for (uint16_t k = 0; k < g->count; k++) {
        const char *before = k == 0 ? "" : k + 1 == g->count ? " or " : ", ";
        ck_append(out, size, "%s.%s", before, ptx_word_text[all->alternatives[g->first + k].word]);
    }
}

static const struct alternative *in_group(const struct grammars *all, const struct group *g, uint16_t word)
{
    for (uint16_t k = 0; k < g->count; k++)
        if (all->alternatives[g->first + k].word == word)
            return &all->alternatives[g->first + k];
    return NULL;
}

/* The alternatives of a form that an instruction's words matched. */
struct chosen {
    const struct alternative *of[WORDS];
    unsigned count;
};

/* How the words of an instruction are matched with a form's groups, one after the other. */
struct matching {
    const uint16_t *words;
    unsigned count;   /* of words */
    uint64_t used;    /* bit k: word k has matched a group */
    unsigned leading; /* words that matched leading groups */
};

/* Matches one group with a word that is still free; NULL if none fits. */
static const struct alternative *match_group(const struct grammars *all, const struct group *group, struct matching *m)
{
    for (unsigned w = 0; w < m->count; w++) {
        if (m->used >> w & 1 || (group->class && ptx_word_class[m->words[w]] != group->class))
            continue;
        if (group->leading && w != m->leading)
            break;
        const struct alternative *found = in_group(all, group, m->words[w]);
        if (found) {
            m->used |= 1ull << w;
            m->leading += group->leading;
        }
        if (found || group->class) /* types and spaces come in order */
            return found;
    }
    return NULL;
}

/* Compares the words of an instruction with a form's groups. */
static bool match_words(struct form_candidate *c, const struct grammars *all, const struct grammar *g,
                        struct chosen *chosen)
{
    struct matching m = { .words = c->i->n_words ? c->m->words + c->i->words : NULL, .count = c->i->n_words };
    const char *name = ptx_op_text[c->i->op];
    const struct group *missing = NULL; /* the first group that must match a word and matches none */

    chosen->count = 0;
    if (m.count > WORDS) {
        form_about(c, STAGE_WORDS + 1, FAULT_WORD, m.words[0]);
        return form_fail(c, NULL, "'%s' has too many modifiers", name);
    }
    for (uint16_t k = 0; k < g->n_groups; k++) {
        const struct group *group = &all->groups[g->groups + k];
        const struct alternative *found = match_group(all, group, &m);
        if (found) {
            chosen->of[chosen->count] = found;
            chosen->count++;
        } else if (!group->optional && !missing && !form_lax_missing(c, all->alternatives[group->first].word)) {
            missing = group;
        }
    }
    for (unsigned w = 0; w < m.count && !g->open; w++)
        if (!(m.used >> w & 1)) {
            form_about(c, STAGE_WORDS + 1 + (int)chosen->count, FAULT_WORD, m.words[w]);
            return form_fail(c, NULL, "'.%s' is not allowed %s'%s'", ptx_word_text[m.words[w]],
                             missing || chosen->count ? "here for " : "for ", name);
        }
    if (missing) {
        char list[160];
        list_alternatives(all, missing, list, sizeof list);
        form_about(c, STAGE_MISSING + (int)chosen->count, FAULT_MISSING, all->alternatives[missing->first].word);
        return form_fail(c, NULL, "'%s' needs %s", name, list);
    }
    return true;
}

/* The PTX ISA version and the target that the form and its chosen alternatives need. */
static bool match_needs(struct form_candidate *c, const struct grammar *g, const struct chosen *chosen)
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
    for (unsigned k = 0; k < chosen->count; k++) {
        const struct alternative *a = chosen->of[k];
        form_about(c, STAGE_NEEDS, FAULT_VERSION, a->word);
        if (a->version > m->version)
            return form_fail(c, NULL, "'.%s' on '%s' needs PTX ISA %d.%d or later", ptx_word_text[a->word], name,
                             a->version / 10, a->version % 10);
        c->now.fault = FAULT_TARGET;
        if (!form_target_fits(m, a->target))
            return form_fail(c, NULL, "'.%s' on '%s' needs the target %s", ptx_word_text[a->word], name,
                             form_target_name(a->target));
    }
    return true;
}

/* Whether no operand is the sum of a register and a constant. */
static bool no_sums(struct form_candidate *c)
{
    for (unsigned k = 0; k < c->i->n_operands; k++) {
        const struct ptx_operand *o = ptx_operand(c->m, c->i, k);
        if (o->kind == PO_register && o->flags & PF_OFFSET && !form_lax(c, LAX_SUM, k))
            return form_fail(c, o, "operand %u of '%s' cannot be the sum of a register and a constant", k + 1,
                             ptx_op_text[c->i->op]);
    }
    return true;
}

static bool match(struct form_candidate *c, const struct grammars *all, const struct grammar *g)
{
    struct chosen chosen;
    if (!match_words(c, all, g, &chosen))
        return false;
    form_about(c, STAGE_OPERANDS, FAULT_COUNT, 0);
    if (!no_sums(c))
        return false;
    if (!form_operands(c, all, g))
        return false;
    form_about(c, STAGE_EXTRA, FAULT_OPERAND, 0);
    if (g->form->extra && !g->form->extra(c))
        return false;
    return match_needs(c, g, &chosen);
}

static uint16_t first_match(struct form_candidate *c, const struct grammars *all)
{
    const uint8_t laxity = c->laxity;

    for (uint16_t k = all->first_of[c->i->op]; k < all->first_of[c->i->op + 1]; k++) {
        c->laxity = laxity;
        if (match(c, all, &all->grammars[k]))
            return (uint16_t)(k + 1);
    }
    return 0;
}

uint16_t form_match(struct form_candidate *c)
{
    const struct grammars *all = form_grammars_of(c->i->op);

    c->best = (struct form_failure){ .stage = -1 };
    c->message[0] = 0;
    c->column = 0;
    c->lenient = false;
    c->laxity = LAX_NONE;
    if (all->first_of[c->i->op] == all->first_of[c->i->op + 1]) {
        form_about(c, STAGE_WORDS, FAULT_MISSING, 0);
        form_fail(c, NULL, "'%s' is not a complete instruction", ptx_op_text[c->i->op]);
    }
    return first_match(c, all);
}

uint16_t form_match_lenient(struct form_candidate *c, struct ptx_instruction *i, uint16_t *words)
{
    const struct grammars *all = form_grammars_of(i->op);
    const struct ptx_instruction before = *i;
    uint16_t kept[WORDS];
    unsigned count = i->n_words;

    c->lenient = true;
    c->laxity = LAX_NONE;
    uint16_t form = first_match(c, all);
    if (form || count > WORDS)
        return form;
    if (count) /* else there may be no words at all */
        memcpy(kept, words, count * sizeof *words);
    c->laxity = (uint8_t)form_lax_words(i, words, &count);
    if (!c->laxity) {
        if (before.n_words)
            memcpy(words, kept, before.n_words * sizeof *words);
        return 0;
    }
    i->n_words = (uint8_t)count;
    ptx_classify(i, words);
    form = first_match(c, all);
    if (!form) {
        memcpy(words, kept, before.n_words * sizeof *words);
        *i = before;
    }
    return form;
}
// SPDX-License-Identifier: Apache-2.0
