/* wgmma_fuzz: random programs of wgmma and of all that feeds it, right and wrong. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/number.h"
#include "harness/commands/cmd.h"
#include "harness/emu/emu.h"
#include "tools/async_fuzz/fleet.h"
#include "tools/wgmma_fuzz/wrong.h"

static const char help[] =
    "usage: wgmma_fuzz [--programs N] [--seed S] [--engine gpu,emu,ptxas] [--schedules N] [--jobs N] [--batch N]\n"
    "                  [--deadline SECONDS] [--most N] [--seconds N] [--optimize N] [--digests FILE] [--replay FILE]\n"
    "       wgmma_fuzz --wrong N [--programs N] [--seed S] [--schedules N] [--jobs N]\n"
    "       wgmma_fuzz --print SEED[:STEP]\n"
    "\n"
    "Writes random programs that mix wgmma, bulk and tensor copies, mbarriers, named barriers, ldmatrix, st.shared with\n"
    "proxy fences, and setmaxnreg, and break no rule; runs each on all engines that are named, and compares all bytes\n"
    "of global memory. The emulator must also find nothing. Program number i has the seed S + i.\n"
    "  --engine     gpu: the first GPU, by the driver's compiler; emu: the emulator; ptxas: assembles only. Default emu\n"
    "  --schedules  on the emulator copies come late, then as soon as they can, then at random, with threads in random\n"
    "               order: the first N of these. Default 1\n"
    "  --wrong      N wrong forms of each program, on the emulator alone: one step is left out or changed, and a rule\n"
    "               of its kind must be named\n"
    "  --deadline   seconds of one program on one engine, and of compiling one module. Default 60\n"
    "  --most       stops after so many that are wrong; default 40. --seconds: stops after that time\n"
    "  --optimize   level of the driver's compiler, 0 to 4. Default: 4 for every third module, 0 for the others\n"
    "  --digests    writes a line \"SEED TEXT BYTES\" for each program: digests of its PTX and of what the first way left\n"
    "  --replay     takes the programs from such a file, and holds them to it\n"
    "Exit status: 0 all as they should be, 1 not, 2 cannot run.\n";

static struct {
    uint64_t programs, seed, schedules, jobs, batch, deadline, most, seconds, level, wrong, print, step;
    const char *engines, *digests, *replay;
    bool prints;
} o = { .programs = 1000,
        .seed = 1,
        .schedules = 1,
        .batch = 32,
        .deadline = 60,
        .most = 40,
        .seconds = 1000000,
        .level = MIXED,
        .engines = "emu" };

/* A number with its range, or a word. */
static const struct number {
    const char *name;
    uint64_t *to, least, most;
} numbers[] = {
    { "programs", &o.programs, 1, 100000000 },
    { "seed", &o.seed, 0, UINT64_MAX },
    { "schedules", &o.schedules, 1, 1000 },
    { "jobs", &o.jobs, 1, 256 },
    { "batch", &o.batch, 1, 256 },
    { "deadline", &o.deadline, 1, 3600 },
    { "most", &o.most, 1, 1000000 },
    { "seconds", &o.seconds, 1, 1000000 },
    { "optimize", &o.level, 0, 4 },
    { "wrong", &o.wrong, 1, 1000 },
};

static int bad(const char *what, const char *value)
{
    fprintf(stderr, "wgmma_fuzz: %s '%s'; --help says more\n", what, value);
    return 2;
}

static bool take(const char *name, char *value)
{
    char *colon = strchr(value, ':');

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!strcmp(name, numbers[i].name))
            return ck_number(value, numbers[i].least, numbers[i].most, numbers[i].to);
    if (!strcmp(name, "engine"))
        o.engines = value;
    else if (!strcmp(name, "digests"))
        o.digests = value;
    else if (!strcmp(name, "replay"))
        o.replay = value;
    else if (!strcmp(name, "print")) {
        o.prints = true;
        if (colon)
            *colon = '\0';
        return ck_number(value, 0, UINT64_MAX, &o.print) && (!colon || ck_number(colon + 1, 0, MOST_SITES, &o.step));
    }
    return true;
}

static int parse(int argc, char **argv)
{
    static const char *const names[] = {
        "programs", "seed",     "schedules", "jobs",   "batch",   "deadline", "most",
        "seconds",  "optimize", "wrong",     "engine", "digests", "replay",   "print"
    };
    struct option options[sizeof names / sizeof *names + 2] = { 0 };
    const size_t count = sizeof names / sizeof *names;
    int c, at = 0;

    for (size_t i = 0; i < count; i++)
        options[i] = (struct option){ names[i], required_argument, NULL, 1 };
    options[count] = (struct option){ "help", no_argument, NULL, 2 };
    while ((c = getopt_long(argc, argv, "", options, &at)) != -1) {
        if (c == 2) {
            fputs(help, stdout);
            return -1;
        }
        if (c != 1)
            return 2;
        if (!take(names[at], optarg))
            return bad("a number out of range or none:", optarg);
    }
    return optind < argc ? bad("what is", argv[optind]) : 0;
}

static int make_ways(struct way *ways, size_t *count)
{
    char words[64], *save = NULL;

    snprintf(words, sizeof words, "%s", o.engines);
    for (char *word = strtok_r(words, ",", &save); word; word = strtok_r(NULL, ",", &save)) {
        if (!strcmp(word, "gpu")) {
            ways[(*count)++] = (struct way){ .kind = ENGINE_GPU, .name = "gpu" };
        } else if (!strcmp(word, "ptxas")) {
            ways[(*count)++] = (struct way){ .kind = ENGINE_PTXAS, .name = "ptxas" };
        } else if (!strcmp(word, "emu")) {
            for (uint64_t i = 0; i < o.schedules; i++) {
                struct way *w = &ways[(*count)++];
                *w = (struct way){ .kind = ENGINE_EMU,
                                   .delivery = i == 0   ? EMU_LATE
                                               : i == 1 ? EMU_EAGER
                                                        : EMU_RANDOM,
                                   .seed = i };
                snprintf(w->name, sizeof w->name,
                         i == 0   ? "late"
                         : i == 1 ? "eager"
                                  : "random:%llu",
                         (unsigned long long)i);
            }
        } else {
            return bad("no engine", word);
        }
    }
    return *count ? 0 : bad("no engine in", o.engines);
}

static int run_right(void)
{
    static struct way ways[1024];
    struct fleet f = { .ways = ways,
                       .count = o.programs,
                       .batch = (unsigned)o.batch,
                       .jobs = (unsigned)o.jobs,
                       .deadline = (unsigned)o.deadline,
                       .most = (unsigned)o.most,
                       .seconds = (unsigned)o.seconds,
                       .level = (unsigned)o.level };
    long wrong;

    if (make_ways(ways, &f.way_count))
        return 2;
    for (size_t i = 0; i < f.way_count; i++)
        f.launches |= ways[i].kind != ENGINE_PTXAS;
    if (o.replay) {
        f.count = 0;
        f.programs = fleet_read_digests(o.replay, o.programs, &f.count);
    } else {
        f.programs = calloc(f.count, sizeof *f.programs);
        for (size_t i = 0; f.programs && i < f.count; i++)
            f.programs[i].seed = o.seed + i;
    }
    if (!f.programs || !f.count)
        return bad("no programs in", o.replay ? o.replay : "memory");
    wrong = fleet_run(&f);
    if (o.digests && wrong >= 0 && !fleet_write_digests(o.digests, f.programs, f.count))
        wrong = -1;
    free(f.programs);
    return wrong < 0 ? 2 : wrong > 0;
}

int main(int argc, char **argv)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    int status;

    o.jobs = processors > 0 && processors < 256 ? (uint64_t)processors : 1;
    status = parse(argc, argv);
    if (status)
        return status < 0 ? cmd_end(0) : status;
    if (o.prints) {
        struct ck_growing text = { 0 };
        struct program p;
        struct gen g;
        program_header(&text);
        program_form(&p, o.print, (unsigned)o.step, &text, &g);
        fwrite(text.data, 1, text.size, stdout);
        ck_growing_free(&text);
        return cmd_end(0);
    }
    if (o.wrong) {
        const long missed = wrong_run(o.seed, o.programs, (unsigned)o.wrong, (unsigned)o.schedules, (unsigned)o.jobs);
        return cmd_end(missed < 0 ? 2 : missed > 0);
    }
    return cmd_end(run_right());
}
// SPDX-License-Identifier: Apache-2.0
