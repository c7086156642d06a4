/* copycheck plot: what a record file holds of times, as a picture. */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <string.h>

#include "harness/commands/cmd.h"
#include "harness/records/records.h"
#include "harness/reports/report.h"

static const char help[] =
    "usage: copycheck plot [RECORD] [--engine NAME] [--out FILE]\n"
    "\n"
    "Draws what cases measured as SVG: a panel for each rule, with the time of one way over that of another, the median\n"
    "as a mark and the quartiles as a line. Without RECORD, the recorded matrix that holds such times.\n"
    "\n"
    "  --engine NAME  whose times; default: gpu if it has some, else the first that has\n"
    "  --out FILE     where to; default: standard output\n";

/* The engine whose times are drawn, or NULL where there are none. */
static const char *chosen(const struct ck_entries *run, const char *wanted)
{
    const char *first = NULL;

    for (size_t i = 0; i < run->count; i++) {
        const struct ck_record *r = run->all[i].record;
        if (r->ratio <= 0)
            continue;
        if (!strcmp(r->engine, wanted ? wanted : "gpu"))
            return r->engine;
        first = first ? first : r->engine;
    }
    return wanted ? NULL : first;
}

static int draw(const struct ck_entries *run, const char *path, const char *wanted, const char *out)
{
    const char *engine = chosen(run, wanted);
    FILE *to = stdout;
    bool good;

    if (!engine)
        return ck_bad("plot: %s holds no times%s%s", path, wanted ? " of " : "", wanted ? wanted : "");
    if (out && !(to = fopen(out, "w")))
        return ck_bad("plot: cannot write %s: %s", out, strerror(errno));
    good = ck_plot(to, run, engine);
    if (!out)
        return cmd_end(0);
    if (fclose(to) != 0 || !good)
        return ck_bad("plot: cannot write %s: %s", out, strerror(errno));
    return 0;
}

int cmd_plot(int argc, char **argv)
{
    static const struct option options[] = {
        { "engine", required_argument, NULL, 'e' },
        { "out", required_argument, NULL, 'o' },
        { "help", no_argument, NULL, 'h' },
        { 0 },
    };
    const char *engine = NULL, *out = NULL;
    char path[PATH_MAX], error[512];
    struct ck_record_file file;
    struct ck_entries run;
    int status;

    optind = 0; /* starts over, also where another command has parsed before */
    opterr = 0;
    for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (o == 'h')
            return cmd_help(help);
        if (o == 'e')
            engine = optarg;
        else if (o == 'o')
            out = optarg;
        else
            return ck_bad("plot: bad option '%s'; copycheck plot --help explains them", argv[optind - 1]);
    }
    if (argc - optind > 1)
        return ck_bad("plot: one record file at most; copycheck plot --help explains");
    if (optind < argc)
        snprintf(path, sizeof path, "%s", argv[optind]);
    else if (!ck_recorded_with(ck_recorded_folder(), "gpu", path, sizeof path))
        return ck_bad("plot: no recorded matrix of a GPU in %s", ck_recorded_folder());
    if (!ck_load_records(path, &file, &run, error, sizeof error))
        return ck_bad("%s", error);
    status = draw(&run, path, engine, out);
    ck_unload_records(&file, &run);
    return status;
}
// SPDX-License-Identifier: Apache-2.0
