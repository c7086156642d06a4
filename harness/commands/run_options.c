/* The options of copycheck run. */
#include "harness/commands/run_options.h"

#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/bad.h"
#include "harness/base/number.h"
#include "harness/base/processors.h"
#include "harness/commands/cmd.h"
#include "harness/engines/emulator.h"
#include "harness/engines/gpu_probe.h"
#include "harness/plan/plan.h"

static const char help[] =
    "usage: copycheck run [SELECT...] [OPTION...]\n"
    "\n"
    "Runs the points that SELECT names (without SELECT, all of them) on each engine that can run them, and judges them.\n"
    "SELECT is a glob over point names, rule:ID, family:NAME, or failed:FILE (what failed in a record file).\n"
    "\n"
    "  --engine E,...     emu, gpu, jit, ptxas, ptxas-VERSION, gpu@VERSION, tile-VERSION, nvcc-VERSION,\n"
    "                      cutile-VERSION (default: all that this machine has; nvcc only of the toolkits in --toolkit,\n"
    "                      cutile only where it is named)\n"
    "  --toolkit DIR      a toolkit: its folder, or the version of a fetched one; each is a column of its own\n"
    "  --kernels DIR      folder of built kernels (default: kernels/ beside this program)\n"
    "  --all              every breach that faults on a GPU, on one engine, and one of each kind on its others. Without\n"
    "                     it and without SELECT, one of each rule on one engine: each costs a context, 0.14 s and more\n"
    "  --smoke            the rules that earlier upgrades broke first, in 20 s or less on a GPU: see docs/upgrade.md\n"
    "  --soak             the same points round after round, disturbed in other ways, into --out FILE.1, FILE.2 ...;\n"
    "                     what varies is named. --for MINUTES (default 10) or --rounds N bounds it\n"
    "  --gpus N           of several GPUs that are alike, share the points among N (default: all of them, 16 at most)\n"
    "  --no-faults        no breach that may fault on a GPU\n"
    "  --mutants          run each case's mutants too: a mutant that survives proves nothing\n"
    "  --shard I/N        only every N-th point, from the I-th (1 is the first)\n"
    "  --shuffle          run points in an order drawn from the seed\n"
    "  --seed S           seed of all random bytes (default 0x5eed)\n"
    "  --alone            ask an assembler for each row alone, not for many rows as entries of one module\n"
    "  --repeat N         run each point N times, and name points whose verdict changes\n"
    "  --delivery D       on emu, when copies arrive: late (default), eager, or random, drawn from the seed\n"
    "  --schedules N      on emu, run each launch that breaks no rule N times, threads and copies in random order\n"
    "  --out FILE         the record file (default: last.jsonl beside this program, or in the current folder)\n"
    "  --resume FILE      continue an interrupted run in its record file, with the selection and options of its head\n"
    "  --format F         human, ktap, junit, jsonl, markdown or html, on standard output\n"
    "  --recorded FILE    compare with this record file (default: the one of this machine in expected/recorded)\n"
    "  --no-recorded      compare with no record file\n"
    "  --jobs N           worker processes of an engine without a device (default: one for each processor it may use)\n"
    "  --deadline MS      time limit of a point in milliseconds (default 10000)\n"
    "  --nhc              print nothing if no documented rule fails, else one line: for node health checks and prologs;\n"
    "                     status 3 becomes 0\n"
    "  --nagios           print one line, and end as a plugin of Nagios: 0 OK, 1 WARNING (observed behaviour changed),\n"
    "                     2 CRITICAL (a rule failed), 3 UNKNOWN\n"
    "  --prometheus FILE  write metrics for the textfile collector of node_exporter too; renamed when it is whole\n"
    "  --profile          print how long the run took, and the GPU work that no run can do without\n"
    "\n"
    "Exit status: 0 all as expected, 1 a rule failed, 2 no verdict could be reached, 3 only observed behaviour changed.\n";

enum {
    OPT = 256,
    ENGINE,
    TOOLKIT,
    KERNELS,
    ALL,
    GPUS,
    NO_FAULTS,
    SMOKE,
    MUTANTS,
    SHARD,
    SHUFFLE,
    ALONE,
    SEED,
    REPEAT,
    DELIVERY,
    SCHEDULES,
    OUT,
    RESUME,
    FORMAT,
    RECORDED,
    NO_RECORDED,
    JOBS,
    DEADLINE,
    PROFILE,
    NHC,
    NAGIOS,
    PROMETHEUS,
    HELP
};

static const struct option long_options[] = {
    { "engine", required_argument, NULL, ENGINE },
    { "toolkit", required_argument, NULL, TOOLKIT },
    { "kernels", required_argument, NULL, KERNELS },
    { "all", no_argument, NULL, ALL },
    { "gpus", required_argument, NULL, GPUS },
    { "no-faults", no_argument, NULL, NO_FAULTS },
    { "smoke", no_argument, NULL, SMOKE },
    { "mutants", no_argument, NULL, MUTANTS },
    { "shard", required_argument, NULL, SHARD },
    { "shuffle", no_argument, NULL, SHUFFLE },
    { "alone", no_argument, NULL, ALONE },
    { "seed", required_argument, NULL, SEED },
    { "repeat", required_argument, NULL, REPEAT },
    { "delivery", required_argument, NULL, DELIVERY },
    { "schedules", required_argument, NULL, SCHEDULES },
    { "out", required_argument, NULL, OUT },
    { "resume", required_argument, NULL, RESUME },
    { "format", required_argument, NULL, FORMAT },
    { "recorded", required_argument, NULL, RECORDED },
    { "no-recorded", no_argument, NULL, NO_RECORDED },
    { "jobs", required_argument, NULL, JOBS },
    { "deadline", required_argument, NULL, DEADLINE },
    { "profile", no_argument, NULL, PROFILE },
    { "nhc", no_argument, NULL, NHC },
    { "nagios", no_argument, NULL, NAGIOS },
    { "prometheus", required_argument, NULL, PROMETHEUS },
    { "help", no_argument, NULL, HELP },
    { 0 },
};

/* Sets a numeric option; returns 0, or 2 with a line. */
static int set_number(const char *name, const char *text, uint64_t low, uint64_t high, unsigned long *out)
{
    uint64_t n;

    if (!ck_number(text, low, high, &n))
        return ck_bad("run: --%s takes a number from %llu to %llu, not '%s'", name, (unsigned long long)low,
                      (unsigned long long)high, text);
    *out = n;
    return 0;
}

/* "I/N", I from 1 to N. */
static bool read_shard(const char *text, struct cmd_run_options *o)
{
    char first[24] = "";
    const size_t n = strcspn(text, "/");
    uint64_t i, all;

    if (n >= sizeof first || !text[n])
        return false;
    memcpy(first, text, n);
    if (!ck_number(text + n + 1, 1, ULONG_MAX, &all) || !ck_number(first, 1, all, &i))
        return false;
    o->shard = i;
    o->shards = all;
    return true;
}

static int read_options(int argc, char **argv, struct cmd_run_options *o)
{
    int c, bad = 0;

    optind = 0; /* starts over, also where another command has parsed before */
    opterr = 0;
    while (!bad && (c = getopt_long(argc, argv, "", long_options, NULL)) != -1)
        switch (c) {
        case ENGINE: o->engines = optarg; break;
        case TOOLKIT:
            if (o->toolkit_count == CMD_TOOLKITS)
                return ck_bad("run: at most %d toolkits", CMD_TOOLKITS);
            o->toolkits[o->toolkit_count++] = optarg;
            break;
        case KERNELS: o->kernels = optarg; break;
        case ALL: o->all = true; break;
        case GPUS: bad = set_number("gpus", optarg, 1, CK_GPUS, &o->gpus); break;
        case NO_FAULTS: o->no_faults = true; break;
        case SMOKE: o->smoke = true; break;
        case MUTANTS: o->mutants = true; break;
        case SHARD:
            if (!read_shard(optarg, o))
                return ck_bad("run: --shard takes I/N with I from 1 to N, not '%s'", optarg);
            break;
        case SHUFFLE: o->shuffle = true; break;
        case ALONE: o->alone = true; break;
        case SEED:
            if (!ck_number(optarg, 0, UINT64_MAX, &o->seed))
                return ck_bad("run: --seed takes a number, not '%s'", optarg);
            o->seeded = true;
            break;
        case REPEAT: bad = set_number("repeat", optarg, 1, 1000000, &o->repeat); break;
        case DELIVERY: o->delivery = optarg; break;
        case SCHEDULES:
            bad = set_number("schedules", optarg, 1, 1000000, &o->repeat);
            o->delivery = "random";
            o->schedules = true;
            break;
        case OUT: o->out = optarg; break;
        case RESUME: o->resume = optarg; break;
        case FORMAT:
            if (!ck_format_parse(optarg, &o->report.format))
                return ck_bad("run: no format '%s': there are %s", optarg, ck_format_list);
            break;
        case RECORDED: o->report.recorded = optarg; break;
        case NO_RECORDED: o->report.no_recorded = true; break;
        case JOBS: bad = set_number("jobs", optarg, 1, 1024, &o->jobs); break;
        case DEADLINE: bad = set_number("deadline", optarg, 1, 3600000, &o->deadline); break;
        case PROFILE: o->report.profile = true; break;
        case NHC: o->report.how = CMD_NHC; break;
        case NAGIOS: o->report.how = CMD_NAGIOS; break;
        case PROMETHEUS: o->report.prometheus = optarg; break;
        case HELP: cmd_help(help); return -1;
        default: return ck_bad("run: %s: no such option, or its value is missing; --help lists them", argv[optind - 1]);
        }
    return bad;
}

/* The selects in one line, a space between them. A backslash stands before a space or backslash of theirs. */
static char *joined(char **selects, size_t count)
{
    size_t size = 1;
    char *line, *to;

    for (size_t i = 0; i < count; i++)
        size += 2 * strlen(selects[i]) + 1;
    line = malloc(size);
    if (!line)
        ck_no_memory();
    to = line;
    for (size_t i = 0; i < count; i++) {
        if (i)
            *to++ = ' ';
        for (const char *p = selects[i]; *p; p++) {
            if (*p == ' ' || *p == '\\')
                *to++ = '\\';
            *to++ = *p;
        }
    }
    *to = 0;
    return line;
}

/* The selects of such a line; they point into `line`, which is changed. */
static char **split(char *line, size_t *count)
{
    char **selects = calloc(strlen(line) + 1, sizeof *selects);
    char *to = line;
    bool within = false;

    *count = 0;
    if (!selects)
        ck_no_memory();
    for (const char *p = line; *p; p++) {
        if (*p == ' ') {
            *to++ = 0;
            within = false;
            continue;
        }
        if (!within)
            selects[(*count)++] = to;
        within = true;
        p += *p == '\\' && p[1];
        *to++ = *p;
    }
    *to = 0;
    return selects;
}

int cmd_run_options(int argc, char **argv, struct cmd_run_options *o)
{
    int status;

    *o = (struct cmd_run_options){ 0 };
    status = read_options(argc, argv, o);
    if (status)
        return status;
    if (o->resume && o->out && strcmp(o->resume, o->out) != 0)
        return ck_bad("run: --resume writes into its own file, not into --out %s", o->out);
    o->selects = argv + optind;
    o->select_count = (size_t)(argc - optind);
    if (o->smoke && (o->select_count || o->all))
        return ck_bad("run: --smoke is a selection of its own: no other points, and no --all, go with it");
    if (o->smoke) {
        static char name[] = CK_SMOKE, *smoke[] = { name };
        o->selects = smoke;
        o->select_count = 1;
    }
    return 0;
}

void cmd_run_options_of(struct cmd_run_options *o, const struct ck_run_head *head)
{
    char *text = strdup(head->selection ? head->selection : "");

    o->engines = o->engines ? o->engines : head->engines;
    o->delivery = o->delivery ? o->delivery : head->delivery;
    o->mutants |= head->mutants;
    o->all = head->kinds;
    o->selected = !head->brief && !head->kinds;
    o->no_faults |= head->no_faults;
    o->schedules |= head->schedules;
    o->repeat = o->repeat ? o->repeat : head->repeat;
    o->seed = o->seeded ? o->seed : head->seed;
    o->seeded = true;
    if (!text)
        ck_no_memory();
    if (!o->shards && head->shard)
        read_shard(head->shard, o);
    if (!o->select_count) {
        o->selects = split(text, &o->select_count);
        o->of_line = o->selects;
    }
    o->line = text;
}

bool cmd_run_options_settle(struct cmd_run_options *o)
{
    o->seed = o->seeded ? o->seed : 0x5eed;
    o->repeat = o->repeat ? o->repeat : 1;
    o->deadline = o->deadline ? o->deadline : CMD_DEADLINE_MS;
    o->shard = o->shards ? o->shard : 1;
    o->shards = o->shards ? o->shards : 1;
    o->jobs = o->jobs ? o->jobs : ck_processors();
    if (o->delivery && !ck_emu_delivery(o->delivery, o->seed))
        return ck_wrong("run: --delivery takes late, eager or random, not '%s'", o->delivery);
    if (o->schedules)
        ck_emu_random_turns();
    o->selected |= o->select_count || o->schedules;
    o->brief = !o->selected && !o->all && !o->mutants;
    o->kinds = !o->selected && !o->brief;
    o->selection = joined(o->selects, o->select_count);
    return true;
}

void cmd_run_options_free(struct cmd_run_options *o)
{
    free(o->of_line);
    free(o->line);
    free(o->selection);
    *o = (struct cmd_run_options){ 0 };
}
// SPDX-License-Identifier: Apache-2.0
