/* copycheck upgrade: what changed between two runs, for who decides about an upgrade. */
#include "harness/upgrade/upgrade.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/append.h"
#include "harness/commands/cmd.h"

static const char help[] =
    "usage: copycheck upgrade --before FILE [--after FILE] [OPTION...]\n"
    "\n"
    "Says on one page what an upgrade of the driver, the toolkit or the machine changed: which documented rules, which\n"
    "observed behaviour, and which kernels and texts are other machine code though they do the same. Each change is told\n"
    "by its rule, with the first recorded release that answers so, and the command that makes a program to attach to a\n"
    "report. An assembler of another release is compared with the one whose place it takes.\n"
    "\n"
    "  --before FILE     the record file of a run before the upgrade\n"
    "  --after FILE      that of a run after it; without it, the same points are run now\n"
    "  --format F        text (default), html or json\n"
    "  --out FILE        where the page goes (default: standard output)\n"
    "  --reports DIR     write the folder of copycheck report for the first 20 changes of rules and behaviour\n"
    "  --part            the new file is a selection: what it lacks is no change\n"
    "  --records FILE    the record file of the run that is made now (default: after.jsonl)\n"
    "  --engine E,...    of that run, as copycheck run has it\n"
    "  --toolkit DIR     the same\n"
    "  --kernels DIR     the same\n"
    "\n"
    "Exit status: 0 no rule and no observed behaviour changed (machine code may have), 1 a documented rule is worse, 3 other\n"
    "behaviour changed, 2 there is no verdict.\n";

enum { WORDS = 64, REPORTS = 20 };

struct options {
    const char *before, *after, *out, *reports, *records, *kernels;
    char *run[WORDS]; /* options of the run that is made now */
    size_t run_count;
    enum upgrade_format format;
    bool part;
};

static int read_options(int argc, char **argv, struct options *o)
{
    static const struct option names[] = {
        { "before", required_argument, NULL, 'b' },  { "after", required_argument, NULL, 'a' },
        { "format", required_argument, NULL, 'f' },  { "out", required_argument, NULL, 'o' },
        { "reports", required_argument, NULL, 'd' }, { "records", required_argument, NULL, 'r' },
        { "engine", required_argument, NULL, 'e' },  { "toolkit", required_argument, NULL, 't' },
        { "kernels", required_argument, NULL, 'k' }, { "part", no_argument, NULL, 'p' },
        { "help", no_argument, NULL, 'h' },          { 0 },
    };
    static const char *const formats[] = { "text", "html", "json" };
    size_t f;
    int index = 0;

    *o = (struct options){ .records = "after.jsonl" };
    optind = 0; /* starts over, also where another command has parsed before */
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, "", names, &index)) != -1;)
        switch (c) {
        case 'b': o->before = optarg; break;
        case 'a': o->after = optarg; break;
        case 'o': o->out = optarg; break;
        case 'd': o->reports = optarg; break;
        case 'r': o->records = optarg; break;
        case 'p': o->part = true; break;
        case 'f':
            for (f = 0; f < 3 && strcmp(formats[f], optarg) != 0;)
                f++;
            if (f == 3)
                return ck_bad("upgrade: --format takes text, html or json, not '%s'", optarg);
            o->format = (enum upgrade_format)f;
            break;
        case 'k': o->kernels = optarg; /* fall through */
        case 'e':
        case 't':
            if (o->run_count + 2 > WORDS)
                return ck_bad("upgrade: too many options for the run");
            o->run[o->run_count++] = c == 'e' ? "--engine" : c == 't' ? "--toolkit" : "--kernels";
            o->run[o->run_count++] = optarg;
            break;
        case 'h': cmd_help(help); return -1;
        default: return ck_bad("upgrade: bad option '%s'; copycheck upgrade --help explains them", argv[optind - 1]);
        }
    if (optind != argc)
        return ck_bad("upgrade: what is '%s'? copycheck upgrade --help explains the options", argv[optind]);
    return o->before ? 0 : ck_bad("upgrade: --before FILE names the run before the upgrade");
}

/* ---- the run that is made now ---------------------------------------------------------------------------------- */

/* The selects of a head's line, which is changed; how many. */
static size_t split(char *line, char **words, size_t max)
{
    size_t count = 0;
    char *to = line;
    bool within = false;

    for (const char *p = line; *p; p++) {
        if (*p == ' ') {
            *to++ = 0;
            within = false;
            continue;
        }
        if (!within && count == max)
            return max + 1;
        if (!within)
            words[count++] = to;
        within = true;
        p += *p == '\\' && p[1];
        *to++ = *p;
    }
    *to = 0;
    return count;
}

/* Runs the points of the old file into o->records, its report on standard error. 0, or the exit status after a line. */
static int run_now(struct options *o)
{
    char *argv[2 * WORDS + 16] = { "run", "--no-recorded", "--out", (char *)(uintptr_t)o->records }, seed[32],
                           error[512];
    struct ck_record_file before;
    int argc = 4, status;

    if (!ck_read_head(o->before, &before, error, sizeof error))
        return ck_bad("upgrade: %s", error);
    char *line = strdup(before.head.selection ? before.head.selection : "");
    if (!line) {
        ck_free_records(&before);
        return ck_bad("upgrade: out of memory");
    }
    if (before.head.mutants)
        argv[argc++] = "--mutants";
    if (before.head.kinds)
        argv[argc++] = "--all";
    if (before.head.no_faults)
        argv[argc++] = "--no-faults";
    snprintf(seed, sizeof seed, "0x%llx", (unsigned long long)before.head.seed);
    argv[argc++] = "--seed";
    argv[argc++] = seed;
    for (size_t i = 0; i < o->run_count; i++)
        argv[argc++] = o->run[i];
    const size_t selects = split(line, argv + argc, WORDS);
    if (selects > WORDS) {
        status = ck_bad("upgrade: %s selects too much to be run again: give --after", o->before);
    } else {
        fflush(stdout);
        const int out = dup(STDOUT_FILENO);
        dup2(STDERR_FILENO, STDOUT_FILENO);
        status = cmd_run(argc + (int)selects, argv);
        fflush(stdout);
        dup2(out, STDOUT_FILENO);
        close(out);
    }
    free(line);
    ck_free_records(&before);
    o->after = o->records;
    return access(o->records, R_OK) || status == 2 ? 2 : 0;
}

/* ---- the page --------------------------------------------------------------------------------------------------- */

/* A folder for each of the first changes of rules and behaviour. */
static int write_reports(const struct options *o, const struct upgrade *u)
{
    int status = 0;

    if (mkdir(o->reports, 0777) != 0 && errno != EEXIST)
        return ck_bad("upgrade: cannot make %s: %s", o->reports, strerror(errno));
    for (size_t i = 0, n = 0; i < u->count && n < REPORTS; i++) {
        char folder[PATH_MAX];
        if (u->changes[i].section == UPGRADE_MACHINE)
            continue;
        snprintf(folder, sizeof folder, "%s/%02zu-%s", o->reports, ++n, u->changes[i].rule);
        char *argv[] = { "report",    (char *)(uintptr_t)u->changes[i].point, "--out",     folder,
                         "--records", (char *)(uintptr_t)o->before,           "--records", (char *)(uintptr_t)o->after,
                         "--kernels", (char *)(uintptr_t)o->kernels,          NULL };
        if (cmd_report(o->kernels ? 10 : 8, argv) != 0)
            status = 2;
    }
    return status;
}

static int write_page(const struct options *o, const struct upgrade *u)
{
    FILE *to = o->out ? fopen(o->out, "w") : stdout;
    bool ok = to && upgrade_write(to, u, o->format);

    if (to && o->out)
        ok = fclose(to) == 0 && ok;
    if (o->out && !ok)
        return ck_bad("upgrade: cannot write %s: %s", o->out, strerror(errno));
    return cmd_end(upgrade_status(u));
}

int cmd_upgrade(int argc, char **argv)
{
    struct options o;
    struct upgrade u;
    char error[512];
    int status = read_options(argc, argv, &o);

    if (status)
        return status < 0 ? 0 : status;
    if (!o.after) {
        status = run_now(&o);
        if (status)
            return status;
    }
    if (!upgrade_make(o.before, o.after, ck_recorded_folder(), o.part, &u, error, sizeof error))
        return ck_bad("upgrade: %s", error);
    status = write_page(&o, &u);
    if (o.reports && status != 2 && write_reports(&o, &u) != 0)
        status = 2;
    upgrade_free(&u);
    return status;
}
// SPDX-License-Identifier: Apache-2.0
