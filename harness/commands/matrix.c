/* copycheck matrix: record files as a table. */
#include "harness/records/records.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/clean.h"
#include "harness/commands/cmd.h"
#include "harness/reports/report.h"

static const char help[] =
    "usage: copycheck matrix FILE... [--rows AXIS] [--cols AXIS] [--format F] [--differences] [--breaches] [--ratios]\n"
    "\n"
    "Counts the points of record files in a table: families by engines, or any two axes.\n"
    "\n"
    "  --rows AXIS   family (default), rule, case, engine, phase, verdict, evidence, or an axis of points: rank\n"
    "  --cols AXIS   the same; default: engine\n"
    "  --format F    the whole report of one file instead: human, ktap, junit, jsonl, markdown or html\n"
    "  --differences instead each point where emu and the GPU left different bytes, or gave different answers\n"
    "  --breaches    instead how emu named the rules of breaches, and each breach that it did not name by its own rule,\n"
    "                with the reason. Exit status 1 if a breach has no reason, or is listed as an exception and named\n"
    "  --ratios      instead what was measured: the time of one way over that of another, median and quartiles\n"
    "\n"
    "A cell is the number of points that pass, then the numbers of those that do not, each with a letter. Several files\n"
    "are shown side by side. Mutants are not counted, nor points without such an axis. If emu has run, the column agree\n"
    "says at how many of the comparable points it left the GPU's bytes or gave the GPU's answer. The GPU's records come\n"
    "from the files, or from expected/recorded if the files have none.\n";

static const char *base(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

struct load {
    struct ck_record_file files[CK_TABLE_FILES + 1]; /* the last: a GPU's, for the emulator's */
    struct ck_entries results[CK_TABLE_FILES + 1];
    char names[CK_TABLE_FILES + 1][256];
    const char *titles[CK_TABLE_FILES + 1];
    size_t count;
    struct ck_agreement agreement;
};

static bool load_one(struct load *l, const char *path)
{
    char error[512];

    if (!ck_load_records(path, &l->files[l->count], &l->results[l->count], error, sizeof error))
        return ck_wrong("%s", error);
    if (!l->files[l->count].head.complete)
        ck_wrong("%s: the run did not finish", path);
    l->titles[l->count] = ck_clean_copy(l->names[l->count], sizeof *l->names, base(path));
    l->count++;
    return true;
}

static bool any_with(const struct load *l, const char *engine)
{
    for (size_t i = 0; i < l->count; i++)
        if (ck_head_has_engine(&l->files[i].head, engine))
            return true;
    return false;
}

/* Compares the emulator's records with the GPU's: of these files, else of a recorded one. */
static bool agree(struct load *l)
{
    const size_t files = l->count;
    const struct ck_entries *recorded = NULL;
    char path[4096];

    if (!any_with(l, "emu"))
        return true;
    if (!any_with(l, "gpu") && ck_recorded_with(ck_recorded_folder(), "gpu", path, sizeof path)) {
        if (!load_one(l, path))
            return false;
        recorded = &l->results[--l->count];
    }
    const bool made = ck_agreement_make(l->results, files, recorded, &l->agreement);
    l->count += recorded != NULL; /* so that it is freed */
    return made || ck_wrong("out of memory");
}

static void unload(struct load *l)
{
    ck_agreement_free(&l->agreement);
    for (size_t i = 0; i < l->count; i++)
        ck_unload_records(&l->files[i], &l->results[i]);
}

static int show_differences(const struct load *l)
{
    char line[320];

    if (!l->agreement.count)
        return ck_bad("matrix: no point of these files has run both on emu and on a GPU");
    ck_agreement_line(&l->agreement, line, sizeof line);
    puts(line);
    ck_agreement_print(stdout, &l->agreement, 0);
    return 0;
}

static int show_breaches(const struct load *l, size_t files)
{
    int status = 0;

    for (size_t i = 0; i < files; i++) {
        const struct ck_breaches b = ck_breaches_count(&l->results[i]);
        char line[320];
        if (!ck_breaches_total(&b))
            return ck_bad("matrix: %s: emu has run no breach", l->titles[i]);
        ck_breaches_print(stdout, &l->results[i], true);
        ck_breaches_line(&b, line, sizeof line);
        printf("\n%s\n", line);
        if (b.idle || ck_breaches_unlisted(&b))
            status = 1;
    }
    return status;
}

static int show_ratios(const struct load *l, size_t files)
{
    unsigned long measured = 0;
    char ratio[96];

    for (size_t f = 0; f < files; f++)
        for (size_t i = 0; i < l->results[f].count; i++) {
            const struct ck_record *r = l->results[f].all[i].record;
            if (r->ratio <= 0)
                continue;
            measured++;
            ck_record_ratio(r, ratio, sizeof ratio);
            printf("%s on %s\n  %s: %s\n", r->point, r->engine, r->seen ? r->seen : "", ratio);
        }
    return measured ? 0 : ck_bad("matrix: nothing was measured in these files");
}

static int show(const struct load *l, size_t files, const char *rows, const char *cols)
{
    struct ck_table table;

    ck_table_make(&table, l->results, files, rows, cols);
    if (l->agreement.count && !strcmp(cols, "engine"))
        ck_agreement_column(&l->agreement, &table);
    if (!table.row_count) {
        ck_table_free(&table);
        return ck_bad("no point has both of the axes '%s' and '%s'", rows, cols);
    }
    ck_table_print(stdout, &table, l->titles, files);
    ck_table_free(&table);
    return 0;
}

int cmd_matrix(int argc, char **argv)
{
    static const struct option options[] = {
        { "rows", required_argument, NULL, 'r' },   { "cols", required_argument, NULL, 'c' },
        { "format", required_argument, NULL, 'f' }, { "differences", no_argument, NULL, 'd' },
        { "breaches", no_argument, NULL, 'b' },     { "ratios", no_argument, NULL, 'R' },
        { "help", no_argument, NULL, 'h' },         { 0 },
    };
    const char *rows = "family", *cols = "engine";
    enum ck_format format = CK_FORMATS;
    bool differences = false, breaches = false, ratios = false;
    struct load *l;
    size_t files;
    int status = 0;

    optind = 0; /* starts over, also where another command has parsed before */
    opterr = 0;
    for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (o == 'h')
            return cmd_help(help);
        if (o == 'r')
            rows = optarg;
        else if (o == 'c')
            cols = optarg;
        else if (o == 'd')
            differences = true;
        else if (o == 'b')
            breaches = true;
        else if (o == 'R')
            ratios = true;
        else if (o != 'f')
            return ck_bad("matrix: bad option '%s'; copycheck matrix --help explains them", argv[optind - 1]);
        else if (!ck_format_parse(optarg, &format))
            return ck_bad("no format is called '%s': take one of %s", optarg, ck_format_list);
    }
    if (optind == argc)
        return ck_bad("matrix: which file? copycheck matrix --help explains");
    files = (size_t)(argc - optind);
    if (files > CK_TABLE_FILES)
        return ck_bad("more than %d files", CK_TABLE_FILES);
    if (format != CK_FORMATS && files > 1)
        return ck_bad("matrix: --format %s takes one file", ck_format_names[format]);
    l = calloc(1, sizeof *l);
    if (!l)
        return ck_bad("out of memory");
    for (int i = optind; i < argc && !status; i++)
        status = load_one(l, argv[i]) ? 0 : 2;
    if (!status && !breaches && !ratios)
        status = agree(l) ? 0 : 2;
    if (status)
        ;
    else if (ratios)
        status = show_ratios(l, files);
    else if (breaches)
        status = show_breaches(l, files);
    else if (differences)
        status = show_differences(l);
    else if (format != CK_FORMATS)
        ck_report(stdout, &l->results[0], format,
                  &(struct ck_report_options){ .agreement = &l->agreement, .color = ck_report_color(stdout) });
    else
        status = show(l, files, rows, cols);
    if (status != 2)
        status = cmd_end(status);
    unload(l);
    free(l);
    return status;
}
// SPDX-License-Identifier: Apache-2.0
