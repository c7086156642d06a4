/* Every form of every ordinary instruction over inputs near its boundaries: run, recorded, compared.
 * docs/alu-sweep.md says how. */
#include "tools/alu_sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/commands/cmd.h"

static const char usage[] =
    "usage: alu_sweep --engine gpu|emu|ptxas [OPTION]...\n"
    "  --compare FILE   compare the results with a record; exit status 1 if they differ\n"
    "  --out FILE       write a record\n"
    "  --dump FILE      write all results in their bytes\n"
    "  --against FILE   compare all results with a dump, and show the inputs where they differ\n"
    "  --show N         so many inputs of each form (4)\n"
    "  --from FILE      take the results from a dump instead of an engine\n"
    "  --form TEXT      only forms that contain the text\n"
    "  --print          print inputs and results\n"
    "  --list           print the forms\n"
    "  --folder DIR     where modules are kept for the GPU (build/alu)\n"
    "  --jobs N         assemblers at a time (2)\n";

struct options {
    const char *engine, *compare, *out, *dump, *against, *from, *form, *folder, *show, *jobs;
    bool list, print;
};

static bool take_options(struct options *o, int argc, char **argv)
{
    const struct {
        const char *name, **text;
        bool *flag;
    } known[] = {
        { "--engine", &o->engine, NULL }, { "--compare", &o->compare, NULL }, { "--out", &o->out, NULL },
        { "--dump", &o->dump, NULL },     { "--against", &o->against, NULL }, { "--from", &o->from, NULL },
        { "--form", &o->form, NULL },     { "--folder", &o->folder, NULL },   { "--show", &o->show, NULL },
        { "--jobs", &o->jobs, NULL },     { "--list", NULL, &o->list },       { "--print", NULL, &o->print },
    };

    for (int k = 1; k < argc; k++) {
        size_t j = 0;
        while (j < sizeof known / sizeof *known && strcmp(argv[k], known[j].name) != 0)
            j++;
        if (j == sizeof known / sizeof *known || (known[j].text && k + 1 == argc)) {
            fprintf(stderr, "alu_sweep: %s %s\n%s", argv[k],
                    j == sizeof known / sizeof *known ? "is no option" : "needs a value", usage);
            return false;
        }
        if (known[j].flag)
            *known[j].flag = true;
        else
            *known[j].text = argv[++k];
    }
    return true;
}

static int save(const char *path, bool (*write)(const struct sweep *, const struct sweep_result *, FILE *),
                const struct sweep *s, const struct sweep_result *results)
{
    FILE *f = path ? fopen(path, "wb") : NULL;

    if (!path)
        return 0;
    if (!f || !write(s, results, f) || fclose(f) != 0) {
        fprintf(stderr, "alu_sweep: cannot write %s\n", path);
        return 2;
    }
    return 0;
}

/* Keeps the forms that contain the text. */
static void choose(struct sweep *s, const char *text)
{
    size_t kept = 0;

    for (size_t k = 0; k < s->count; k++) {
        if (strstr(s->forms[k].text, text)) {
            s->forms[kept++] = s->forms[k];
        } else {
            free(s->forms[k].text);
            free(s->forms[k].contract);
        }
    }
    s->count = kept;
}

static void print_all(const struct sweep *s, const struct sweep_result *results)
{
    uint64_t *inputs = malloc((size_t)SWEEP_INPUTS * SWEEP_MAX_IN * 8);

    for (size_t k = 0; inputs && k < s->count; k++) {
        if (!results[k].ran)
            continue;
        printf("%s\n", s->forms[k].text);
        sweep_inputs(&s->forms[k], inputs);
        for (unsigned i = 0; i < SWEEP_INPUTS; i++)
            sweep_print_tuple(&s->forms[k], results[k].values, inputs, i);
    }
    free(inputs);
}

/* What did not run, and how many did. */
static void tell(const struct sweep *s, const struct sweep_result *results)
{
    size_t ran = 0, refused = 0;

    for (size_t k = 0; k < s->count; k++) {
        const bool was_refused = s->forms[k].refused[0] != 0;
        ran += results[k].ran;
        refused += was_refused;
        if (was_refused)
            printf("%s: refused: %s\n", s->forms[k].text, s->forms[k].refused);
        else if (!results[k].ran && results[k].why[0])
            printf("%s: %s\n", s->forms[k].text, results[k].why);
    }
    printf("%zu forms of %d inputs: %zu ran, %zu refused, %zu did not run\n", s->count, SWEEP_INPUTS, ran, refused,
           s->count - ran - refused);
}

static int compare(const struct sweep *s, const struct sweep_result *results, const struct options *o)
{
    struct sweep_result *others = calloc(s->count + 1, sizeof *others);
    struct sweep_tally t;
    char error[600] = "";
    bool ok = others != NULL;

    if (ok && o->compare) {
        ok = sweep_compare(s, results, o->compare, !o->form, &t, error, sizeof error);
        if (ok)
            printf("%zu forms: %zu held to the recorded bits, %zu to a documented error, %zu seen, "
                   "%zu refused; %zu differ\n",
                   s->count, t.exact, t.within, t.seen, t.refused, t.wrong);
    } else if (ok) {
        ok = sweep_read_dump(s, o->against, others, error, sizeof error);
        if (ok) {
            sweep_compare_all(s, results, others, o->show ? (unsigned)strtoul(o->show, NULL, 10) : 4, &t);
            printf("%zu forms equal, %zu different\n", t.exact, t.wrong);
        }
    }
    for (size_t k = 0; others && k < s->count; k++)
        free(others[k].values);
    free(others);
    if (!ok)
        fprintf(stderr, "alu_sweep: %s\n", error);
    return !ok ? 2 : t.wrong ? 1 : 0;
}

static int run(struct sweep *s, const struct options *o)
{
    const char *folder = o->folder ? o->folder : "build/alu";
    const unsigned jobs = o->jobs ? (unsigned)strtoul(o->jobs, NULL, 10) : 2;
    struct sweep_result *results = calloc(s->count + 1, sizeof *results);
    char error[600] = "";
    bool ok;
    int status;

    if (!results)
        return 2;
    if (o->from)
        ok = sweep_read_dump(s, o->from, results, error, sizeof error);
    else if (!strcmp(o->engine, "gpu"))
        ok = sweep_run_gpu(s, folder, jobs, results, error, sizeof error);
    else if (!strcmp(o->engine, "emu"))
        ok = sweep_run_emu(s, results, error, sizeof error);
    else
        ok = sweep_assemble(s, folder, jobs, error, sizeof error);
    if (!ok)
        fprintf(stderr, "alu_sweep: %s\n", error);
    if (o->print)
        print_all(s, results);
    if (o->compare || o->against) {
        status = ok ? compare(s, results, o) : 2;
    } else {
        tell(s, results);
        status = ok ? 0 : 2;
    }
    status |= save(o->out, sweep_write_record, s, results) | save(o->dump, sweep_write_dump, s, results);
    for (size_t k = 0; k < s->count; k++)
        free(results[k].values);
    free(results);
    return status;
}

int main(int argc, char **argv)
{
    struct options o = { 0 };
    struct sweep s;
    char error[300];
    int status = 0;

    if (!take_options(&o, argc, argv))
        return 2;
    if (!o.list && !o.from &&
        (!o.engine ||
         (strcmp(o.engine, "gpu") != 0 && strcmp(o.engine, "emu") != 0 && strcmp(o.engine, "ptxas") != 0))) {
        fprintf(stderr, "alu_sweep: --engine is gpu, emu or ptxas\n%s", usage);
        return 2;
    }
    if (!sweep_forms(&s, error, sizeof error)) {
        fprintf(stderr, "alu_sweep: %s\n", error);
        return 2;
    }
    if (o.form)
        choose(&s, o.form);
    if (!o.list)
        status = run(&s, &o);
    for (size_t k = 0; o.list && k < s.count; k++)
        printf("%s\n", s.forms[k].text);
    sweep_free(&s);
    return cmd_end(status);
}
// SPDX-License-Identifier: Apache-2.0
