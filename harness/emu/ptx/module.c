/* Reading a module: finding functions, variables and words, names of registers, source lines. */
#include <stdio.h>
#include <string.h>

#include "harness/emu/ptx/parser.h"

void ptx_free(struct ptx_module *m)
{
    if (m)
        arena_free(m->arena); /* the module itself lives there too */
}

uint16_t ptx_word_of(const struct ptx_module *m, const struct ptx_instruction *i, enum ptx_class class)
{
    for (unsigned k = 0; k < i->n_words; k++)
        if (ptx_word_class[m->words[i->words + k]] == class)
            return m->words[i->words + k];
    return PTX_none;
}

uint32_t ptx_find_function(const struct ptx_module *m, const char *name)
{
    for (uint32_t i = 0; i < m->n_functions; i++)
        if (!strcmp(m->functions[i].name, name))
            return m->functions[i].definition;
    return PTX_NO;
}

uint32_t ptx_find_variable(const struct ptx_module *m, const char *name)
{
    for (uint32_t i = 0; i < m->n_variables; i++)
        if (m->variables[i].function == PTX_NO && m->variables[i].space != PTX_param &&
            m->variables[i].space != PTX_reg && !strcmp(m->variables[i].name, name))
            return m->variables[i].definition;
    return PTX_NO;
}

const char *ptx_register_name(const struct ptx_module *m, const struct ptx_function *f, uint32_t reg, char *out,
                              size_t size)
{
    if (reg >= f->n_registers) {
        snprintf(out, size, "_");
        return out;
    }
    const struct ptx_register *r = &m->registers[f->registers + reg];
    if (r->number == PTX_NO)
        snprintf(out, size, "%s", r->name);
    else
        snprintf(out, size, "%s%u", r->name, r->number);
    return out;
}

void ptx_source(const struct ptx_module *m, const struct ptx_instruction *i, char *out, size_t size)
{
    *out = 0;
    if (i->loc == PTX_NO)
        return;
    const struct ptx_loc *l = &m->locs[i->loc];
    if (l->file != PTX_NO)
        snprintf(out, size, "%s:%u", m->files[l->file].name, l->line);
}

void ptx_source_called(const struct ptx_module *m, const struct ptx_instruction *i, char *out, size_t size)
{
    uint32_t loc = i->loc;
    size_t n;

    ptx_source(m, i, out, size);
    n = strlen(out);
    if (!n)
        return;
    for (unsigned depth = 0; depth < 256 && m->locs[loc].inlined_at < m->n_locs; depth++)
        loc = m->locs[loc].inlined_at;
    if (loc != i->loc && m->locs[loc].file != PTX_NO)
        snprintf(out + n, size - n, ", inlined at %s:%u", m->files[m->locs[loc].file].name, m->locs[loc].line);
}

const struct ptx_function *ptx_function_of(const struct ptx_module *m, const struct ptx_instruction *i)
{
    const uint32_t index = (uint32_t)(i - m->instructions);

    for (uint32_t k = 0; k < m->n_functions; k++)
        if (index - m->functions[k].instructions < m->functions[k].n_instructions)
            return &m->functions[k];
    return NULL;
}
// SPDX-License-Identifier: Apache-2.0
