/* Holds instructions against the instruction table. */
#include <stdio.h>
#include <string.h>

#include "harness/emu/forms/check.h"
#include "harness/emu/ptx/front.h"

/* How far a form came before it failed; the farthest gives the message. */
enum { STAGE_WORDS = 0, STAGE_MISSING = 100, STAGE_NEEDS = 300, STAGE_COUNT = 200, STAGE_OPERANDS = 210 };

bool check_fail(struct check *c, const struct ptx_operand *operand, const char *format, ...)
{
    if (c->stage <= c->score)
        return false;
    c->score = c->stage;
    va_list list;
    va_start(list, format);
    vsnprintf(c->message, sizeof c->message, format, list);
    va_end(list);
    c->column = operand ? operand->column : 0;
    c->fault = c->now;
    c->word = c->now_word;
    c->operand = c->now_operand;
    return false;
}

/* What the next check_fail is about. */
static void about(struct check *c, int stage, enum check_fault fault, uint16_t word)
{
    c->stage = stage;
    c->now = (uint8_t)fault;
    c->now_word = word;
    c->now_operand = 0;
}

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

/* The words of an instruction against a form's groups; `chosen` receives what was matched, for their needs. */
static bool match_words(struct check *c, const struct grammars *all, const struct grammar *g,
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
        about(c, STAGE_WORDS + 1, FAULT_WORD, words[0]);
        return check_fail(c, NULL, "'%s' has too many modifiers", name);
    }
    const struct group *missing = NULL;
    unsigned leading = 0; /* words that leading groups took */
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
            about(c, STAGE_WORDS + 1 + (int)matched, FAULT_WORD, words[w]);
            return check_fail(c, NULL, "'.%s' is not allowed %s'%s'", ptx_word_text[words[w]],
                              missing || matched ? "here for " : "for ", name);
        }
    if (!ok) {
        char list[160];
        list_alternatives(all, missing, list, sizeof list);
        about(c, STAGE_MISSING + (int)matched, FAULT_MISSING, all->alternatives[missing->first].word);
        return check_fail(c, NULL, "'%s' needs %s", name, list);
    }
    return true;
}

static bool match_needs(struct check *c, const struct grammar *g, const struct alternative **chosen, unsigned n)
{
    const struct ptx_module *m = c->m;
    const char *name = ptx_op_text[c->i->op];
    about(c, STAGE_NEEDS, FAULT_VERSION, 0);
    if (g->form->version > m->version)
        return check_fail(c, NULL, "'%s' needs PTX ISA %d.%d or later", name, g->form->version / 10,
                          g->form->version % 10);
    c->now = FAULT_TARGET;
    if (!check_target(m, g->target))
        return check_fail(c, NULL, "'%s' needs the target %s", name, check_target_name(g->target));
    for (unsigned k = 0; k < n; k++) {
        about(c, STAGE_NEEDS, FAULT_VERSION, chosen[k]->word);
        if (chosen[k]->version > m->version)
            return check_fail(c, NULL, "'.%s' on '%s' needs PTX ISA %d.%d or later", ptx_word_text[chosen[k]->word],
                              name, chosen[k]->version / 10, chosen[k]->version % 10);
        c->now = FAULT_TARGET;
        if (!check_target(m, chosen[k]->target))
            return check_fail(c, NULL, "'.%s' on '%s' needs the target %s", ptx_word_text[chosen[k]->word], name,
                              check_target_name(chosen[k]->target));
    }
    return true;
}

static bool match(struct check *c, const struct grammars *all, const struct grammar *g)
{
    const struct alternative *chosen[64];
    unsigned n;
    c->form = g->form;
    if (!match_words(c, all, g, chosen, &n))
        return false;
    about(c, STAGE_COUNT, FAULT_COUNT, 0);
    if (!check_operands(c, g))
        return false;
    about(c, STAGE_NEEDS - 1, FAULT_OPERAND, 0);
    if (g->form->extra && !g->form->extra(c))
        return false;
    return match_needs(c, g, chosen, n);
}

static bool check_instruction(struct check *c, struct ptx_instruction *i, const struct grammars *all)
{
    c->i = i;
    c->score = -1;
    c->message[0] = 0;
    c->fault = FAULT_NONE;
    const uint16_t first = all->first_of[i->op], end = all->first_of[i->op + 1];
    for (uint16_t k = first; k < end; k++)
        if (match(c, all, &all->grammars[k])) {
            i->form = (uint16_t)(k + 1);
            return true;
        }
    if (first == end) {
        about(c, 0, FAULT_MISSING, 0);
        c->form = NULL;
        check_fail(c, NULL, "'%s' is no whole instruction", ptx_op_text[i->op]);
    }
    return false;
}

/* The text of a line, for the caret. */
static const char *find_line(const char *text, size_t size, uint32_t line)
{
    const char *c = text, *const end = text + size;
    for (uint32_t n = 1; n < line && c < end; n++) {
        const char *newline = memchr(c, '\n', (size_t)(end - c));
        if (!newline)
            return end;
        c = newline + 1;
    }
    return c;
}

static void add_source(struct ptx_error *error, const char *text, size_t size)
{
    const char *line, *at;

    if (!text)
        return;
    line = find_line(text, size, (uint32_t)error->line);
    at = line + (error->column > 0 ? error->column - 1 : 0);
    error_source(error, text, size, at < text + size ? at : text + size);
}

bool ptx_check(struct ptx_module *m, const char *text, size_t size, struct ptx_error *error)
{
    const struct grammars *all = grammars();
    for (uint32_t k = 0; k < m->n_functions; k++) {
        const struct ptx_function *f = &m->functions[k];
        struct check c = { .m = m, .f = f };
        for (uint32_t j = 0; j < f->n_instructions; j++) {
            struct ptx_instruction *i = &m->instructions[f->instructions + j];
            if (check_instruction(&c, i, all))
                continue;
            *error = (struct ptx_error){ .line = (int)i->line,
                                         .column = (int)(c.column ? c.column : i->column),
                                         .rule = check_rule(&c) };
            snprintf(error->message, sizeof error->message, "%s", c.message);
            add_source(error, text, size);
            return false;
        }
    }
    if (check_limits(m, error))
        return true;
    add_source(error, text, size);
    return false;
}
