/* copycheck report: a point as a folder that shows its result without copycheck. */
#include <errno.h>
#include <getopt.h>
#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/append.h"
#include "harness/base/number.h"
#include "harness/base/version.h"
#include "harness/commands/cmd.h"
#include "harness/engines/engines.h"
#include "harness/plan/plan.h"
#include "harness/records/compare.h"
#include "harness/repro/repro.h"

static const char help[] =
    "usage: copycheck report POINT [OPTION...]\n"
    "\n"
    "Writes a folder that shows the result of a point without copycheck, for a report to those who make the driver, the\n"
    "assembler or the compiler: a program of the driver API with its kernel in PTX and as a cubin, or the text and the\n"
    "command that an assembler or compiler is asked with; what the document says, what came, records, versions.\n"
    "\n"
    "  --out DIR       the folder (default: report)\n"
    "  --records FILE  a record file to look for the point in, besides the recorded matrices\n"
    "  --no-recorded   do not look into the recorded matrices\n"
    "  --toolkit DIR   a toolkit, or the version of a fetched one, whose ptxas makes a cubin too\n"
    "  --kernels DIR   folder of built kernels (default: kernels/ beside this program)\n"
    "  --seed S        seed of the input bytes (default 0x5eed)\n"
    "\n"
    "POINT is a name as `copycheck list` prints it. Exit status: 0 the folder is written, 2 it is not.\n";

enum { FILES = 64 };

struct options {
    const char *point, *out, *kernels, *toolkits[CK_TOOLKITS_MAX], *files[FILES];
    size_t toolkit_count, file_count;
    uint64_t seed;
    bool no_recorded;
};

static int read_options(int argc, char **argv, struct options *o)
{
    static const struct option names[] = {
        { "out", required_argument, NULL, 'o' },     { "records", required_argument, NULL, 'r' },
        { "toolkit", required_argument, NULL, 't' }, { "kernels", required_argument, NULL, 'k' },
        { "seed", required_argument, NULL, 's' },    { "no-recorded", no_argument, NULL, 'n' },
        { "help", no_argument, NULL, 'h' },          { 0 },
    };

    *o = (struct options){ .out = "report", .seed = 0x5eed };
    optind = 0; /* starts over, also where another command has parsed before */
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, "", names, NULL)) != -1;)
        switch (c) {
        case 'o': o->out = optarg; break;
        case 'n': o->no_recorded = true; break;
        case 'k': o->kernels = optarg; break;
        case 'r':
            if (o->file_count == FILES)
                return ck_bad("report: at most %d record files", FILES);
            o->files[o->file_count++] = optarg;
            break;
        case 't':
            if (o->toolkit_count == CK_TOOLKITS_MAX)
                return ck_bad("report: at most %d toolkits", CK_TOOLKITS_MAX);
            o->toolkits[o->toolkit_count++] = optarg;
            break;
        case 's':
            if (!ck_number(optarg, 0, UINT64_MAX, &o->seed))
                return ck_bad("report: --seed takes a number, not '%s'", optarg);
            break;
        case 'h': cmd_help(help); return -1;
        default: return ck_bad("report: bad option '%s'; copycheck report --help explains them", argv[optind - 1]);
        }
    if (argc - optind != 1)
        return ck_bad("report: give one point; copycheck list prints their names");
    o->point = argv[optind];
    return 0;
}

/* What the README says of this machine and this program. */
static void versions(char *out, size_t size, const struct ck_engine *assemblers, size_t count)
{
    const struct ck_gpu_facts *gpu = ck_engines_gpu();
    char toolkit[64];

    *out = 0;
    ck_kernels_toolkit(toolkit, sizeof toolkit);
    ck_append(out, size, "copycheck %s\n", ck_version);
    if (gpu && gpu->device[0])
        ck_append(out, size, "%s, driver %s\n", gpu->device, gpu->driver);
    else
        ck_append(out, size, "no GPU on the machine that wrote this\n");
    if (*toolkit)
        ck_append(out, size, "PTX by nvcc %s\n", toolkit);
    for (size_t i = 0; i < count; i++)
        ck_append(out, size, "%s\n", assemblers[i].facts);
}

/* Writes the report on a point. */
static int write_report(const struct options *o, const struct ck_point *point)
{
    struct ck_engine assemblers[CK_TOOLKITS_MAX], model;
    const char *files[2 * FILES];
    char error[1024] = "", lines[4096], pattern[PATH_MAX];
    glob_t recorded = { 0 };
    int n = ck_toolkits(o->toolkits, o->toolkit_count, CK_TOOLKITS_OWN, assemblers, error, sizeof error), status = 0;

    if (n < 0)
        return ck_bad("report: %s", error);
    if (!ck_engine_find("emu", &model, error, sizeof error))
        return ck_bad("report: %s", error);
    struct repro r = { .point = point,
                       .folder = o->out,
                       .kernels = ck_kernels_folder(),
                       .files = files,
                       .assemblers = assemblers,
                       .assembler_count = (size_t)n,
                       .model = &model,
                       .versions = lines,
                       .seed = o->seed };
    for (size_t i = 0; i < o->file_count; i++)
        files[r.file_count++] = o->files[i];
    snprintf(pattern, sizeof pattern, "%s/*.jsonl", ck_recorded_folder());
    if (!o->no_recorded)
        glob(pattern, 0, NULL, &recorded);
    for (size_t i = 0; i < recorded.gl_pathc && i < FILES; i++)
        files[r.file_count++] = recorded.gl_pathv[i];
    versions(lines, sizeof lines, assemblers, (size_t)n);
    if (!repro_write(&r, error, sizeof error))
        status = ck_bad("report: %s", *error ? error : "out of memory");
    else
        printf("%s\n", o->out);
    globfree(&recorded);
    return status;
}

int cmd_report(int argc, char **argv)
{
    struct options o;
    struct ck_plan plan;
    char error[512];
    int status = read_options(argc, argv, &o);

    if (status)
        return status < 0 ? 0 : status;
    if (!ck_plan_make(ck_suites, true, &plan, error, sizeof error))
        return ck_bad("%s", error);
    ck_engines_places(&(struct ck_places){ o.kernels, o.toolkits, o.toolkit_count });
    const struct ck_point *point = ck_plan_find(&plan, o.point);
    if (!point)
        status = ck_bad("report: no point '%s'; copycheck list prints their names", o.point);
    else
        status = write_report(&o, point);
    ck_engines_done();
    ck_plan_free(&plan);
    return status;
}
// SPDX-License-Identifier: Apache-2.0
