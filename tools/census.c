/* What the emulator does not run of PTX files, for tools/census. Lines on standard output, with tabs between the parts:
 *
 *   module FILE ENTRIES            a file that the emulator's front end takes, and how many kernels it has
 *   refused FILE MESSAGE           one that it does not take
 *   lacks FILE ENTRY WHAT EXAMPLE  a kernel from which an instruction is reached that the emulator does not run: the
 *                                  first part of its name, and one of its kind; or the call of a function without a
 * body
 *
 * A function is reached where a reached one calls it or takes its address; what only a table in memory names is not
 * followed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/emu/emu.h"
#include "harness/emu/forms/form.h"

struct reach {
    const char *file;
    const struct ptx_module *m;
    struct emu *e;
    uint32_t *queue, count; /* functions that are reached, by their numbers */
    bool *reached;          /* by number */
    bool told[OP_COUNT];    /* of this entry */
};

static void reach_function(struct reach *r, uint32_t f)
{
    f = r->m->functions[f].definition;
    if (r->reached[f])
        return;
    r->reached[f] = true;
    r->queue[r->count++] = f;
}

static void reach_operands(struct reach *r, const struct ptx_operand *o, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++)
        switch (o[k].kind) {
        case PO_function: reach_function(r, o[k].symbol); break;
        case PO_vector:
        case PO_tensor:
        case PO_list:
        case PO_targets: reach_operands(r, &r->m->operands[o[k].first], o[k].count); break;
        default: break;
        }
}

static void tell(const struct reach *r, const struct ptx_function *entry, const char *what, const char *example)
{
    printf("lacks\t%s\t%s\t%s\t%s\n", r->file, entry->name, what, example);
}

static void look_at(struct reach *r, const struct ptx_function *entry, uint32_t number)
{
    const struct ptx_function *f = &r->m->functions[number];
    char what[200], text[300];

    if (!emu_knows_function(r->m, number)) {
        snprintf(what, sizeof what, "call %.180s", f->name);
        tell(r, entry, what, "");
    }
    for (uint32_t k = 0; k < f->n_instructions; k++) {
        const struct ptx_instruction *i = &r->m->instructions[f->instructions + k];
        reach_operands(r, ptx_operand(r->m, i, 0), i->n_operands);
        if (r->told[i->op] || emu_knows_instruction(r->e, r->m, number, f->instructions + k))
            continue;
        r->told[i->op] = true;
        snprintf(what, sizeof what, "%.*s", (int)strcspn(ptx_op_text[i->op], "."), ptx_op_text[i->op]);
        ptx_print(r->m, f, i, text, sizeof text);
        tell(r, entry, what, text);
    }
}

/* Looks at all kernels; false where memory is short. */
static bool look_through(struct reach *r)
{
    const struct ptx_module *m = r->m;

    r->queue = calloc(m->n_functions + 1, sizeof *r->queue);
    r->reached = calloc(m->n_functions + 1, sizeof *r->reached);
    for (uint32_t f = 0; r->queue && r->reached && f < m->n_functions; f++) {
        if (!m->functions[f].is_entry || !m->functions[f].has_body)
            continue;
        memset(r->reached, 0, m->n_functions * sizeof *r->reached);
        memset(r->told, 0, sizeof r->told);
        r->count = 0;
        reach_function(r, f);
        for (uint32_t next = 0; next < r->count; next++)
            look_at(r, &m->functions[f], r->queue[next]);
    }
    const bool fine = r->queue && r->reached;
    free(r->queue);
    free(r->reached);
    return fine;
}

static bool take(const char *file, const struct ck_text *text)
{
    struct reach r = { .file = file, .e = emu_new(&(struct emu_options){ .jobs = 1 }) };
    struct ptx_error error = { 0 };
    struct ptx_module *m = ptx_read(text->data, text->size, NULL, &error);
    char line[400];
    unsigned entries = 0;
    bool fine = r.e;

    r.m = m;
    for (uint32_t f = 0; m && f < m->n_functions; f++)
        entries += m->functions[f].is_entry && m->functions[f].has_body;
    if (!m) {
        printf("refused\t%s\t%d: %s\n", file, error.line, error.message);
    } else if (r.e && !emu_load(r.e, m, line, sizeof line)) {
        printf("refused\t%s\t%s\n", file, line);
    } else if (r.e) {
        printf("module\t%s\t%u\n", file, entries);
        fine = look_through(&r);
    }
    emu_free(r.e);
    ptx_free(m);
    return fine;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        struct ck_text text = { 0 };
        char error[512] = "no memory";
        const bool fine = ck_text_read(argv[i], &text, error, sizeof error) && take(argv[i], &text);
        ck_text_free(&text);
        if (!fine) {
            fprintf(stderr, "census: %s\n", error);
            return 2;
        }
    }
    return fflush(stdout) ? 2 : 0;
}
// SPDX-License-Identifier: Apache-2.0
