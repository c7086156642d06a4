/* Reading a module: finding by name, printing, source lines. */
#include <stdio.h>
#include <string.h>

#include "harness/emu/ptx/front.h"

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

struct text { /* text that is printed piece by piece; cut where it does not fit */
    char *out;
    size_t size, used;
};

static void add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct text *t, const char *format, ...)
{
    if (t->used + 1 >= t->size)
        return;
    va_list list;
    va_start(list, format);
    const int n = vsnprintf(t->out + t->used, t->size - t->used, format, list);
    va_end(list);
    if (n > 0)
        t->used = t->used + (size_t)n < t->size ? t->used + (size_t)n : t->size - 1;
}

static void add_reg(struct text *t, const struct ptx_module *m, const struct ptx_function *f, uint32_t reg)
{
    char name[200];
    add(t, "%s", ptx_register_name(m, f, reg, name, sizeof name));
}

static void add_component(struct text *t, uint8_t c)
{
    if (c >= 'x' || c == 'w')
        add(t, ".%c", c);
    else if (c >= 'H')
        add(t, ".h%d", c - 'H');
    else if (c)
        add(t, ".b%d", c - 'B');
}

static void add_operand(struct text *t, const struct ptx_module *m, const struct ptx_function *f,
                        const struct ptx_operand *o);

static void add_list(struct text *t, const struct ptx_module *m, const struct ptx_function *f,
                     const struct ptx_operand *o)
{
    for (uint32_t i = 0; i < o->count; i++) {
        if (i)
            add(t, ", ");
        add_operand(t, m, f, &m->operands[o->first + i]);
    }
}

static void add_base(struct text *t, const struct ptx_module *m, const struct ptx_function *f,
                     const struct ptx_operand *o)
{
    const bool based = (o->flags & (PF_BASE_REGISTER | PF_BASE_VARIABLE)) != 0;
    if (o->flags & PF_BASE_REGISTER)
        add_reg(t, m, f, o->reg);
    else if (o->flags & PF_BASE_VARIABLE)
        add(t, "%s", m->variables[o->symbol].name);
    add_component(t, o->component);
    if (!based || o->value)
        add(t, "%s%lld", based ? "+" : "", (long long)o->value);
}

static void add_immediate(struct text *t, const struct ptx_operand *o)
{
    if (o->flags & PF_WARP_SIZE)
        add(t, "WARP_SZ");
    else if (o->flags & PF_SINGLE)
        add(t, "0f%08llX", (unsigned long long)o->value);
    else if (o->flags & PF_FLOAT)
        add(t, "0d%016llX", (unsigned long long)o->value);
    else if (o->flags & PF_UNSIGNED)
        add(t, "%llu", (unsigned long long)o->value);
    else
        add(t, "%lld", (long long)o->value);
}

static void add_label(struct text *t, const struct ptx_module *m, const struct ptx_function *f, uint32_t instruction)
{
    for (uint32_t i = 0; i < f->n_labels; i++)
        if (m->labels[f->labels + i].instruction == instruction) {
            add(t, "%s", m->labels[f->labels + i].name);
            return;
        }
    add(t, "?");
}

static void add_operand(struct text *t, const struct ptx_module *m, const struct ptx_function *f,
                        const struct ptx_operand *o)
{
    if (o->flags & PF_NOT)
        add(t, "!");
    if (o->flags & PF_NEGATE)
        add(t, "-");
    switch (o->kind) {
    case PO_register:
        add_reg(t, m, f, o->reg);
        add_component(t, o->component);
        break;
    case PO_pair:
        add_reg(t, m, f, o->reg);
        add(t, "|");
        add_reg(t, m, f, o->second);
        break;
    case PO_immediate: add_immediate(t, o); break;
    case PO_special:
        add(t, "%s", ptx_specials[o->reg].text);
        add_component(t, o->component);
        break;
    case PO_variable:
        add(t, "%s", m->variables[o->symbol].name);
        if (o->value)
            add(t, "+%lld", (long long)o->value);
        break;
    case PO_function: add(t, "%s", m->functions[o->symbol].name); break;
    case PO_address:
        add(t, "[");
        add_base(t, m, f, o);
        add(t, "]");
        break;
    case PO_vector:
        add(t, "{");
        add_list(t, m, f, o);
        add(t, "}");
        break;
    case PO_tensor:
        add(t, "[");
        add_base(t, m, f, &m->operands[o->first]);
        for (uint32_t i = 1; i < o->count; i++) {
            add(t, ", ");
            add_operand(t, m, f, &m->operands[o->first + i]);
        }
        add(t, "]");
        break;
    case PO_list:
        add(t, "(");
        add_list(t, m, f, o);
        add(t, ")");
        break;
    case PO_label: add_label(t, m, f, o->reg); break;
    case PO_targets: add_list(t, m, f, o); break;
    case PO_prototype: add(t, "%s", m->prototypes[o->symbol].name); break;
    case PO_sink: add(t, "_"); break;
    default: break;
    }
}

const struct ptx_function *ptx_function_of(const struct ptx_module *m, const struct ptx_instruction *i)
{
    const uint32_t index = (uint32_t)(i - m->instructions);

    for (uint32_t k = 0; k < m->n_functions; k++)
        if (index - m->functions[k].instructions < m->functions[k].n_instructions)
            return &m->functions[k];
    return NULL;
}

void ptx_print(const struct ptx_module *m, const struct ptx_function *f, const struct ptx_instruction *i, char *out,
               size_t size)
{
    struct text t = { out, size, 0 };
    *out = 0;
    if (i->guard != PTX_NO) {
        add(&t, "@%s", i->guard_not ? "!" : "");
        add_reg(&t, m, f, i->guard);
        add(&t, " ");
    }
    add(&t, "%s", ptx_op_text[i->op]);
    for (unsigned k = 0; k < i->n_words; k++)
        add(&t, ".%s", ptx_word_text[m->words[i->words + k]]);
    bool first = true;
    for (unsigned k = 0; k < i->n_operands; k++) {
        const struct ptx_operand *o = ptx_operand(m, i, k);
        if (o->kind == PO_none || (i->op == OP_call && o->kind == PO_list && !o->count))
            continue;
        add(&t, first ? " " : ", ");
        add_operand(&t, m, f, o);
        first = false;
    }
    add(&t, ";");
}
