/* async_fuzz: random legal programs of asynchronous operations, run in several ways that have to agree. */
#include "tools/async_fuzz/fleet.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/number.h"
#include "harness/commands/cmd.h"
#include "harness/emu/emu.h"
#include "tools/async_fuzz/reduce.h"

static const char help[] =
    "usage: async_fuzz [--programs N] [--seed S] [--engine gpu,emu,ptxas] [--delivery late,eager,random]\n"
    "                  [--schedules N] [--jobs N] [--batch N] [--deadline SECONDS] [--most N] [--seconds N] [--optimize N]\n"
    "                  [--digests FILE] [--replay FILE]\n"
    "       async_fuzz --reduce SEED [--engine ...] [--delivery ...]\n"
    "       async_fuzz --print SEED\n"
    "\n"
    "Writes random programs of asynchronous operations that break no rule, runs each in all ways that are named, and\n"
    "compares what they leave in global and shared memory and what their threads have seen. Program number i has the\n"
    "seed S + i.\n"
    "  --engine     gpu: the first GPU, by the driver's compiler; emu: the emulator, which must also find nothing;\n"
    "               ptxas: assembles only. Default emu. The bytes of the first one are those that the others must leave.\n"
    "  --delivery   of the emulator: when copies arrive. Default all three\n"
    "  --schedules  how many random ones, in which threads run in random order too, with seeds from 1 on. Default 1\n"
    "  --deadline   seconds of one program on one engine, and of compiling one module. Default 60\n"
    "  --most       stops after so many that are wrong; default 40. --seconds: stops after that time\n"
    "  --optimize   level of the driver's compiler, 0 to 4. Default: 4 for every fourth module, 0 for the others\n"
    "  --digests    writes a line \"SEED TEXT BYTES\" for each program: digests of its PTX and of what the first way left\n"
    "  --replay     takes the programs from such a file, and holds them to it\n"
    "  --reduce     leaves out steps of one program while a difference or finding stays, and prints what is left\n"
    "Exit status: 0 all agree, 1 a difference or a finding, 2 cannot run.\n";

struct options {
    uint64_t programs, seed, reduce, print, schedules, jobs, batch, deadline, most, seconds, level;
    bool reduces, prints;
    const char *engines, *deliveries, *digests, *replay;
};

enum {
    PROGRAMS = 256,
    SEED,
    ENGINE,
    DELIVERY,
    SCHEDULES,
    JOBS,
    BATCH,
    DEADLINE,
    MOST,
    SECONDS,
    LEVEL,
    DIGESTS,
    REPLAY,
    REDUCE,
    PRINT,
    HELP
};

static int bad(const char *what, const char *value)
{
    fprintf(stderr, "async_fuzz: %s '%s'; --help says more\n", what, value);
    return 2;
}

static int parse(int argc, char **argv, struct options *o)
{
    static const struct option options[] = {
        { "programs", required_argument, NULL, PROGRAMS },
        { "seed", required_argument, NULL, SEED },
        { "engine", required_argument, NULL, ENGINE },
        { "delivery", required_argument, NULL, DELIVERY },
        { "schedules", required_argument, NULL, SCHEDULES },
        { "jobs", required_argument, NULL, JOBS },
        { "batch", required_argument, NULL, BATCH },
        { "deadline", required_argument, NULL, DEADLINE },
        { "most", required_argument, NULL, MOST },
        { "seconds", required_argument, NULL, SECONDS },
        { "optimize", required_argument, NULL, LEVEL },
        { "digests", required_argument, NULL, DIGESTS },
        { "replay", required_argument, NULL, REPLAY },
        { "reduce", required_argument, NULL, REDUCE },
        { "print", required_argument, NULL, PRINT },
        { "help", no_argument, NULL, HELP },
        { 0 },
    };
    const uint64_t any = UINT64_MAX;
    bool good = true;
    int c;

    while (good && (c = getopt_long(argc, argv, "", options, NULL)) != -1)
        switch (c) {
        case PROGRAMS: good = ck_number(optarg, 1, 100000000, &o->programs); break;
        case SEED: good = ck_number(optarg, 0, any, &o->seed); break;
        case ENGINE: o->engines = optarg; break;
        case DELIVERY: o->deliveries = optarg; break;
        case SCHEDULES: good = ck_number(optarg, 1, 1000, &o->schedules); break;
        case JOBS: good = ck_number(optarg, 1, 256, &o->jobs); break;
        case BATCH: good = ck_number(optarg, 1, 256, &o->batch); break;
        case DEADLINE: good = ck_number(optarg, 1, 3600, &o->deadline); break;
        case MOST: good = ck_number(optarg, 1, 1000000, &o->most); break;
        case SECONDS: good = ck_number(optarg, 1, 1000000, &o->seconds); break;
        case LEVEL: good = ck_number(optarg, 0, 4, &o->level); break;
        case DIGESTS: o->digests = optarg; break;
        case REPLAY: o->replay = optarg; break;
        case REDUCE: good = o->reduces = ck_number(optarg, 0, any, &o->reduce); break;
        case PRINT: good = o->prints = ck_number(optarg, 0, any, &o->print); break;
        case HELP: fputs(help, stdout); return -1;
        default: return 2;
        }
    if (!good)
        return bad("a number out of range or none:", optarg);
    return optind < argc ? bad("what is", argv[optind]) : 0;
}

/* The next word of a list of words between commas; false at its end. */
static bool next_word(const char **list, char *word, size_t size)
{
    const size_t n = strcspn(*list, ",");

    if (!**list)
        return false;
    snprintf(word, size, "%.*s", (int)n, *list);
    *list += n + ((*list)[n] == ',');
    return true;
}

static bool add_deliveries(const struct options *o, struct way *ways, size_t *count)
{
    const char *list = o->deliveries;
    char word[32];

    while (next_word(&list, word, sizeof word)) {
        const bool random = !strcmp(word, "random");
        if (!random && strcmp(word, "late") && strcmp(word, "eager"))
            return bad("no delivery", word), false;
        for (uint64_t i = 1; i <= (random ? o->schedules : 1); i++) {
            struct way *w = &ways[(*count)++];
            *w = (struct way){ .kind = ENGINE_EMU,
                               .delivery = random         ? EMU_RANDOM
                                           : *word == 'l' ? EMU_LATE
                                                          : EMU_EAGER,
                               .seed = i };
            if (random)
                snprintf(w->name, sizeof w->name, "random:%llu", (unsigned long long)i);
            else
                snprintf(w->name, sizeof w->name, "%s", word);
        }
    }
    return true;
}

static bool make_ways(const struct options *o, struct way *ways, size_t *count)
{
    const char *list = o->engines;
    char word[32];

    while (next_word(&list, word, sizeof word)) {
        if (*count + o->schedules + 3 > WAYS)
            return bad("too many ways:", o->engines), false;
        if (!strcmp(word, "emu")) {
            if (!add_deliveries(o, ways, count))
                return false;
        } else if (!strcmp(word, "gpu")) {
            ways[(*count)++] = (struct way){ .kind = ENGINE_GPU, .name = "gpu" };
        } else if (!strcmp(word, "ptxas")) {
            ways[(*count)++] = (struct way){ .kind = ENGINE_PTXAS, .name = "ptxas" };
        } else {
            return bad("no engine", word), false;
        }
    }
    return *count || (bad("no engine in", o->engines), false);
}

static int run(const struct options *o, const struct way *ways, size_t way_count)
{
    struct fleet f = { .ways = ways,
                       .way_count = way_count,
                       .batch = (unsigned)o->batch,
                       .jobs = (unsigned)o->jobs,
                       .deadline = (unsigned)o->deadline,
                       .most = (unsigned)o->most,
                       .seconds = (unsigned)o->seconds,
                       .level = (unsigned)o->level };
    long wrong;

    for (size_t i = 0; i < way_count; i++)
        f.launches |= ways[i].kind != ENGINE_PTXAS;
    if (o->replay) {
        f.programs = fleet_read_digests(o->replay, o->programs, &f.count);
    } else {
        f.count = o->programs;
        f.programs = calloc(f.count, sizeof *f.programs);
        for (size_t i = 0; f.programs && i < f.count; i++)
            f.programs[i].seed = o->seed + i;
    }
    if (!f.programs)
        return 2;
    if (!f.count)
        return bad("no programs in", o->replay ? o->replay : "memory");
    wrong = fleet_run(&f);
    if (o->digests && wrong >= 0 && !fleet_write_digests(o->digests, f.programs, f.count))
        wrong = -1;
    free(f.programs);
    return wrong < 0 ? 2 : wrong > 0;
}

int main(int argc, char **argv)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    struct options o = { .programs = 1000,
                         .seed = 1,
                         .schedules = 1,
                         .jobs = processors > 0 ? (uint64_t)processors : 1,
                         .batch = 64,
                         .deadline = 60,
                         .most = 40,
                         .level = MIXED,
                         .seconds = 1000000,
                         .engines = "emu",
                         .deliveries = "late,eager,random" };
    static struct way ways[WAYS];
    size_t way_count = 0;
    const int status = parse(argc, argv, &o);

    if (status)
        return status < 0 ? cmd_end(0) : status;
    if (o.prints) {
        struct ck_growing text = { 0 };
        struct program p;
        program_header(&text);
        program_generate(&p, o.print, NULL, &text);
        fwrite(text.data, 1, text.size, stdout);
        ck_growing_free(&text);
        return cmd_end(0);
    }
    if (!make_ways(&o, ways, &way_count))
        return 2;
    return cmd_end(o.reduces ? fuzz_reduce(ways, way_count, o.reduce, (unsigned)o.deadline,
                                           o.level == MIXED ? 4 : (unsigned)o.level)
                             : run(&o, ways, way_count));
}
// SPDX-License-Identifier: Apache-2.0
