/* sync_fuzz: random programs that synchronise, in right forms and in wrong ones. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/number.h"
#include "harness/commands/cmd.h"
#include "tools/sync_fuzz/fleet.h"

static const char help[] =
    "usage: sync_fuzz [--programs N] [--seed S] [--schedules N] [--wrong N] [--engine emu|gpu|exec] [--jobs N]\n"
    "                 [--tries N] [--deadline SECONDS] [--stop SECONDS] [--most N]\n"
    "       sync_fuzz --print SEED[:FORM]\n"
    "\n"
    "Writes random programs whose threads pass data to one another by flags, locks, semaphores, rings, barriers of all\n"
    "kinds and asynchronous copies. Program number i has the seed S + i. A right program must be clean in all schedules\n"
    "of the emulator and leave the bytes that a small model of its own says. Wrong forms have one step left out or\n"
    "changed, and the model finds that they break a rule: the emulator must name one.\n"
    "  --schedules  those of check: threads in order, backwards, with two operations swapped, in random order. Default\n"
    "               10\n"
    "  --tries      schedules in which a wrong form is run, until it is named; default: those of a right one\n"
    "  --wrong      wrong forms of each program; default 2\n"
    "  --engine     gpu: runs the right programs on the first GPU, and no wrong ones. exec: whether the judge finds the\n"
    "               same in each form with exec's light judge before it as without. Default emu\n"
    "  --deadline   seconds of one program, or of 32 on a GPU; default 120\n"
    "  --stop       seconds after which no further program is begun; default: none\n"
    "  --most       lines about programs that are not as they should be; default 40\n"
    "  --print      a program, or its wrong form of that number\n"
    "Exit status: 0 all as they should be, 1 some are not, 2 cannot run.\n";

static int bad(const char *what, const char *value)
{
    fprintf(stderr, "sync_fuzz: %s '%s'; --help says more\n", what, value);
    return 2;
}

static int print(const char *text)
{
    static struct program p;
    char seed_text[32];
    uint64_t seed, form = 0;
    const char *const colon = strchr(text, ':');

    snprintf(seed_text, sizeof seed_text, "%.*s", colon ? (int)(colon - text) : 31, text);
    if (!ck_number(seed_text, 0, UINT64_MAX, &seed) || (colon && !ck_number(colon + 1, 0, MUTATIONS_MAX, &form)))
        return bad("neither SEED nor SEED:FORM:", text);
    if (!form_make(&p, seed, colon ? (int)form : -1, 0))
        return bad("no program", text);
    form_print(&p, colon ? (int)form : -1);
    return 0;
}

enum { PROGRAMS = 256, SEED, SCHEDULES, WRONG, ENGINE, JOBS, TRIES, DEADLINE, STOP, MOST, PRINT, HELP };

/* -1: go on; else the exit status. */
static int parse(int argc, char **argv, struct fleet *f)
{
    static const struct option options[] = {
        { "programs", required_argument, NULL, PROGRAMS },
        { "seed", required_argument, NULL, SEED },
        { "schedules", required_argument, NULL, SCHEDULES },
        { "wrong", required_argument, NULL, WRONG },
        { "engine", required_argument, NULL, ENGINE },
        { "jobs", required_argument, NULL, JOBS },
        { "tries", required_argument, NULL, TRIES },
        { "deadline", required_argument, NULL, DEADLINE },
        { "stop", required_argument, NULL, STOP },
        { "most", required_argument, NULL, MOST },
        { "print", required_argument, NULL, PRINT },
        { "help", no_argument, NULL, HELP },
        { 0 },
    };
    uint64_t n = 0;
    bool good = true;
    int c;

    while (good && (c = getopt_long(argc, argv, "", options, NULL)) != -1)
        switch (c) {
        case PROGRAMS: good = ck_number(optarg, 1, 1000000000, &f->programs); break;
        case SEED: good = ck_number(optarg, 0, UINT64_MAX, &f->seed); break;
        case SCHEDULES:
            good = ck_number(optarg, 1, 1000000, &n);
            f->settings.schedules = (unsigned)n;
            break;
        case WRONG:
            good = ck_number(optarg, 0, 1000, &n);
            f->settings.wrong = (unsigned)n;
            break;
        case ENGINE:
            f->gpu = !strcmp(optarg, "gpu");
            f->settings.as_exec = !strcmp(optarg, "exec");
            if (!f->gpu && !f->settings.as_exec && strcmp(optarg, "emu"))
                return bad("no engine", optarg);
            break;
        case JOBS:
            good = ck_number(optarg, 1, 256, &n);
            f->jobs = (unsigned)n;
            break;
        case TRIES:
            good = ck_number(optarg, 1, 1000000, &n);
            f->settings.tries = (unsigned)n;
            break;
        case DEADLINE:
            good = ck_number(optarg, 1, 3600, &n);
            f->deadline = (unsigned)n;
            break;
        case STOP:
            good = ck_number(optarg, 1, 1000000, &n);
            f->stop = (unsigned)n;
            break;
        case MOST:
            good = ck_number(optarg, 0, 1000000, &n);
            f->most = (unsigned)n;
            break;
        case PRINT: return print(optarg);
        case HELP: fputs(help, stdout); return 0;
        default: return 2;
        }
    if (!good)
        return bad("a number out of range or none:", optarg);
    return optind < argc ? bad("what is", argv[optind]) : -1;
}

int main(int argc, char **argv)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    struct fleet f = { .settings = { .schedules = 10, .wrong = 2 },
                       .seed = 1,
                       .programs = 1000,
                       .jobs = processors > 0 ? (unsigned)processors : 1,
                       .deadline = 120,
                       .most = 40 };
    const int status = parse(argc, argv, &f);

    f.settings.tries = f.settings.tries ? f.settings.tries : f.settings.schedules;
    if (status >= 0)
        return cmd_end(status);
    setvbuf(stdout, NULL, _IOLBF, 0); /* what is wrong is seen while others run */
    return cmd_end(fleet_run(&f));
}
// SPDX-License-Identifier: Apache-2.0
