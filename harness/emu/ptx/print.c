/* An instruction as PTX text. */
#include <stdarg.h>

#include "harness/base/append.h"
#include "harness/emu/ptx/ptx.h"

struct printer {
    const struct ptx_module *m;
    const struct ptx_function *f;
    char *out;
    size_t size;
};

static void add(const struct printer *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(const struct printer *t, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    ck_append_list(t->out, t->size, format, list);
    va_end(list);
}

static void add_reg(const struct printer *t, uint32_t reg)
{
    char name[200];
    add(t, "%s", ptx_register_name(t->m, t->f, reg, name, sizeof name));
}

static void add_component(const struct printer *t, const struct ptx_operand *o)
{
    const uint8_t c = o->component;

    if (c >= 'x' || c == 'w')
        add(t, ".%c", c);
    else if (c == 'b' || c == 'h')
        add(t, ".%c%0*llx", c, (int)o->second, (unsigned long long)o->value);
    else if (c >= 'H')
        add(t, ".h%d", c - 'H');
    else if (c)
        add(t, ".b%d", c - 'B');
}

static void add_operand(const struct printer *t, const struct ptx_operand *o);

/* The operands of a list, between two brackets. */
static void add_list(const struct printer *t, const struct ptx_operand *o, const char *open, const char *close)
{
    add(t, "%s", open);
    for (uint32_t i = 0; i < o->count; i++) {
        if (i)
            add(t, ", ");
        add_operand(t, &t->m->operands[o->first + i]);
    }
    add(t, "%s", close);
}

static void add_base(const struct printer *t, const struct ptx_operand *o)
{
    const bool based = (o->flags & (PF_BASE_REGISTER | PF_BASE_VARIABLE)) != 0;
    if (o->flags & PF_BASE_REGISTER)
        add_reg(t, o->reg);
    else if (o->flags & PF_BASE_VARIABLE)
        add(t, "%s", t->m->variables[o->symbol].name);
    add_component(t, o);
    if (!based || o->value)
        add(t, "%s%lld", based ? "+" : "", (long long)o->value);
}

static void add_immediate(const struct printer *t, const struct ptx_operand *o)
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

static void add_label(const struct printer *t, uint32_t instruction)
{
    for (uint32_t i = 0; i < t->f->n_labels; i++)
        if (t->m->labels[t->f->labels + i].instruction == instruction) {
            add(t, "%s", t->m->labels[t->f->labels + i].name);
            return;
        }
    add(t, "?");
}

static void add_operand(const struct printer *t, const struct ptx_operand *o)
{
    if (o->flags & PF_NOT)
        add(t, "!");
    if (o->flags & PF_NEGATE)
        add(t, "-");
    switch (o->kind) {
    case PO_register:
        add_reg(t, o->reg);
        add_component(t, o);
        if (o->flags & PF_OFFSET)
            add(t, "+%lld", (long long)o->value);
        break;
    case PO_pair:
        add_reg(t, o->reg);
        add(t, "|");
        add_reg(t, o->second);
        break;
    case PO_immediate: add_immediate(t, o); break;
    case PO_special:
        add(t, "%s", ptx_specials[o->reg].text);
        add_component(t, o);
        break;
    case PO_variable:
        add(t, "%s", t->m->variables[o->symbol].name);
        if (o->value)
            add(t, "+%lld", (long long)o->value);
        break;
    case PO_function: add(t, "%s", t->m->functions[o->symbol].name); break;
    case PO_address:
        add(t, "[");
        add_base(t, o);
        add(t, "]");
        break;
    case PO_vector:
        add_list(t, o, "{", "}");
        if (o->flags & PF_RESIDENT) {
            add(t, "|");
            add_reg(t, (uint32_t)o->value);
        }
        break;
    case PO_tensor:
        add(t, "[");
        add_base(t, &t->m->operands[o->first]);
        for (uint32_t i = 1; i < o->count; i++) {
            add(t, ", ");
            add_operand(t, &t->m->operands[o->first + i]);
        }
        add(t, "]");
        break;
    case PO_list: add_list(t, o, "(", ")"); break;
    case PO_label: add_label(t, o->reg); break;
    case PO_targets: add_list(t, o, "", ""); break;
    case PO_prototype: add(t, "%s", t->m->prototypes[o->symbol].name); break;
    case PO_sink: add(t, "_"); break;
    default: break;
    }
}

void ptx_print(const struct ptx_module *m, const struct ptx_function *f, const struct ptx_instruction *i, char *out,
               size_t size)
{
    const struct printer t = { m, f, out, size };
    *out = 0;
    if (i->guard != PTX_NO) {
        add(&t, "@%s", i->guard_not ? "!" : "");
        add_reg(&t, i->guard);
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
        add_operand(&t, o);
        first = false;
    }
    add(&t, ";");
}
// SPDX-License-Identifier: Apache-2.0
