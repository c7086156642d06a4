/* copycheck matrix: record files as a table. */
#include "harness/cmd.h"
#include "harness/report.h"
#include "harness/tally.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: copycheck matrix FILE... [--rows AXIS] [--cols AXIS] [--format F]\n"
    "\n"
    "Counts the points of record files in a table: families by engines, or any two axes.\n"
    "\n"
    "  --rows AXIS   family (default), rule, case, engine, phase, verdict, evidence, or an axis of points: rank\n"
    "  --cols AXIS   the same; default: engine\n"
    "  --format F    instead the whole report of one file: human, ktap, junit, jsonl, markdown or html\n"
    "\n"
    "A cell is the number of points that pass, then those that do not, by letter. Several files stand side by side.\n"
    "Mutants are not counted; points without such an axis are not either.\n";

static const char *base(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

struct load {
    struct ck_record_file files[CK_TABLE_FILES];
    struct ck_entries results[CK_TABLE_FILES];
    const char *titles[CK_TABLE_FILES];
    size_t count;
};

static bool load_one(struct load *l, const char *path)
{
    char error[512];

    if (l->count == CK_TABLE_FILES)
        return ck_bad("more than %d files", CK_TABLE_FILES), false;
    if (!ck_read_records(path, &l->files[l->count], error, sizeof error))
        return ck_bad("%s", error), false;
    if (!ck_entries_make(&l->files[l->count], &l->results[l->count])) {
        ck_free_records(&l->files[l->count]);
        return ck_bad("%s: out of memory", path), false;
    }
    if (!l->files[l->count].head.complete)
        fprintf(stderr, "copycheck: %s: the run did not come to its end\n", path);
    l->titles[l->count++] = base(path);
    return true;
}

static void unload(struct load *l)
{
    for (size_t i = 0; i < l->count; i++) {
        ck_entries_free(&l->results[i]);
        ck_free_records(&l->files[i]);
    }
}

static int show(const struct load *l, const char *rows, const char *cols)
{
    struct ck_table table;

    if (!ck_table_make(&table, l->results, l->count, rows, cols))
        return ck_bad("out of memory");
    if (!table.row_count) {
        ck_table_free(&table);
        return ck_bad("no point has both of the axes '%s' and '%s'", rows, cols);
    }
    ck_table_print(stdout, &table, l->titles, l->count);
    ck_table_free(&table);
    return fflush(stdout) ? ck_bad("standard output: %s", strerror(errno)) : 0;
}

int cmd_matrix(int argc, char **argv)
{
    static const struct option options[] = {
        { "rows", required_argument, NULL, 'r' },
        { "cols", required_argument, NULL, 'c' },
        { "format", required_argument, NULL, 'f' },
        { "help", no_argument, NULL, 'h' },
        { 0 },
    };
    const char *rows = "family", *cols = "engine";
    enum ck_format format = CK_FORMATS;
    struct load *l;
    int status = 0;

    optind = 0; /* starts over, also where another command has parsed before */
    opterr = 0;
    for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (o == 'h')
            return fputs(help, stdout), 0;
        if (o == 'r')
            rows = optarg;
        else if (o == 'c')
            cols = optarg;
        else if (o != 'f')
            return ck_bad("matrix: bad option '%s'; copycheck matrix --help explains them", argv[optind - 1]);
        else if (!ck_format_parse(optarg, &format))
            return ck_bad("no format is called '%s': take one of %s", optarg, ck_format_list);
    }
    if (optind == argc)
        return ck_bad("matrix: which file? copycheck matrix --help explains");
    if (format != CK_FORMATS && argc - optind > 1)
        return ck_bad("matrix: --format %s takes one file", ck_format_names[format]);
    l = calloc(1, sizeof *l);
    if (!l)
        return ck_bad("out of memory");
    for (int i = optind; i < argc && !status; i++)
        status = load_one(l, argv[i]) ? 0 : 2;
    if (!status && format != CK_FORMATS)
        status =
            ck_report(stdout, &l->results[0], format, &(struct ck_report_options){ .color = ck_report_color(stdout) })
                ? 0
                : ck_bad("standard output: %s", strerror(errno));
    else if (!status)
        status = show(l, rows, cols);
    unload(l);
    free(l);
    return status;
}
