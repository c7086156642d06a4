/* copycheck run --soak: the same points round after round, each time otherwise disturbed; what varies is named. */
#include "harness/commands/run_soak.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/number.h"
#include "harness/base/room.h"
#include "harness/commands/cmd.h"
#include "harness/records/records.h"
#include "harness/run/run.h"

enum { ADDED = 12, ROUNDS_MAX = 100000, SHOWN = 50, MINUTES = 10 };

struct soak {
    int (*run)(int argc, char **argv); /* a round: copycheck run without --soak */
    char **rest;                       /* the arguments for each round's run */
    int rest_count;
    uint64_t minutes, rounds, seed;
    const char *out; /* FILE: rounds are FILE.1, FILE.2 ... */
    struct ck_record_file first;
    struct ck_entries entries; /* of the first round */
    struct varied {
        const struct ck_record *first;
        enum ck_verdict verdict; /* in the first round that differs */
        char seen[160];
        uint64_t round, times;
    } * varied;
    size_t count, room;
    unsigned long bad; /* documented verdicts that were bad in some round */
};

bool cmd_run_is_soak(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--soak"))
            return true;
    return false;
}

/* Takes the soak's own arguments out. 0, or 2 after a line. */
static int read_arguments(int argc, char **argv, struct soak *s)
{
    static const struct {
        const char *name;
        size_t at;
        uint64_t high;
    } numbers[] = { { "--for", offsetof(struct soak, minutes), 100000 },
                    { "--rounds", offsetof(struct soak, rounds), ROUNDS_MAX },
                    { "--seed", offsetof(struct soak, seed), UINT64_MAX - ROUNDS_MAX } };
    static const char *const taken[] = {
        "--resume", "--shuffle", "--delivery", "--schedules", "--repeat", "--recorded"
    };

    s->seed = 0x5eed;
    s->out = "soak.jsonl";
    for (int i = 1; i < argc; i++) {
        bool mine = !strcmp(argv[i], "--soak");
        for (size_t k = 0; k < sizeof taken / sizeof *taken; k++)
            if (!strncmp(argv[i], taken[k], strlen(taken[k])))
                return ck_bad("run: %s does not go with --soak, which sets it for each round", taken[k]);
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers && !mine; k++) {
            if (strcmp(argv[i], numbers[k].name) != 0)
                continue;
            mine = true;
            if (i + 1 == argc || !ck_number(argv[i + 1], 1, numbers[k].high, (uint64_t *)((char *)s + numbers[k].at)))
                return ck_bad("run: %s takes a number", argv[i]);
            i++;
        }
        if (!mine && !strcmp(argv[i], "--out") && i + 1 < argc)
            s->out = argv[++i];
        else if (!mine)
            s->rest[s->rest_count++] = argv[i];
    }
    if (!s->minutes && !s->rounds)
        s->minutes = MINUTES;
    return 0;
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* One round into `path`: its run says nothing on standard output. The exit status of the run. */
static int run_round(const struct soak *s, uint64_t round, char *path)
{
    char seed[32], *argv[4096], *const added[] = { "run", "--no-recorded", "--out", path, "--seed", seed };
    const bool plain = round == 1;
    int argc = 0, status;

    snprintf(seed, sizeof seed, "0x%llx", (unsigned long long)(s->seed + round - 1));
    for (size_t i = 0; i < sizeof added / sizeof *added; i++)
        argv[argc++] = added[i];
    if (!plain) {
        argv[argc++] = "--shuffle";
        argv[argc++] = "--delivery";
        argv[argc++] = round % 3 ? "random" : "eager";
    }
    for (int i = 0; i < s->rest_count; i++)
        argv[argc++] = s->rest[i];
    ck_run_slow_inputs(round % 2 == 0);
    fflush(stdout);
    const int out = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    status = s->run(argc, argv);
    fflush(stdout);
    dup2(out, STDOUT_FILENO);
    close(out);
    close(nowhere);
    return status;
}

/* Notes that a result of a later round is another one than the first round's. */
static bool vary(struct soak *s, const struct ck_record *first, const struct ck_record *r, uint64_t round)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->varied[i].first == first) {
            s->varied[i].times++;
            return true;
        }
    struct varied *varied = ck_room(s->varied, s->count, &s->room, 64, sizeof *varied);
    if (!varied)
        return false;
    s->varied = varied;
    struct varied *v = &s->varied[s->count++];
    *v = (struct varied){ .first = first, .verdict = r->verdict, .round = round, .times = 1 };
    snprintf(v->seen, sizeof v->seen, "%s", r->seen ? r->seen : "");
    return true;
}

/* Whether the two rounds say the same. On emu each round has copies arrive at other times, and what a wrong program
 * sees hangs on that: there the verdict counts, and the rule that is named first. */
static bool is_alike(const struct ck_record *first, const struct ck_record *r)
{
    static const char named[] = "diagnosed ";
    const char *a = first->seen ? first->seen : "", *b = r->seen ? r->seen : "";
    size_t n;

    if (first->verdict == CK_V_KILLED && r->verdict == CK_V_KILLED)
        return true;
    if (strcmp(r->engine, "emu") != 0)
        return ck_record_says(first, r);
    if (first->verdict != r->verdict || strncmp(a, named, sizeof named - 1) != 0)
        return first->verdict == r->verdict;
    n = strcspn(a, ",;");
    return strncmp(a, b, n) == 0 && (!b[n] || strchr(",;", b[n]));
}

/* Compares a round with the first one. False after a line. */
static bool compare_round(struct soak *s, const char *path, uint64_t round)
{
    struct ck_record_file file;
    char error[512];
    bool ok = true;

    if (!ck_read_records(path, &file, error, sizeof error))
        return ck_wrong("run: %s", error);
    for (size_t i = 0; i < file.count && ok; i++) {
        const struct ck_record *r = &file.records[i];
        const struct ck_entry *e = ck_entries_find(&s->entries, r->point, r->engine);
        s->bad += ck_verdict_is_bad(r->verdict) && ck_record_gates(r);
        if (e && !r->varies && !is_alike(e->record, r))
            ok = vary(s, e->record, r, round);
    }
    ck_free_records(&file);
    return ok || ck_wrong("run: out of memory");
}

static int conclude(const struct soak *s, uint64_t rounds, double seconds)
{
    bool verdicts = false;

    printf(
        "soak      %llu round%s of %s results in %.0f s: seeds 0x%llx to 0x%llx, points in other orders, on emu copies "
        "at other times; in every second round inputs in host memory, from where copies come late\n",
        (unsigned long long)rounds, rounds == 1 ? "" : "s", ck_thousands(s->entries.count), seconds,
        (unsigned long long)s->seed, (unsigned long long)(s->seed + rounds - 1));
    for (size_t i = 0; i < s->count; i++) {
        const struct varied *v = &s->varied[i];
        verdicts |= v->verdict != v->first->verdict;
        if (i < SHOWN)
            printf("varies    %s on %s: %s%s%s first, %s%s%s in round %llu; %llu round%s unlike the first\n",
                   v->first->point, v->first->engine, ck_verdict_names[v->first->verdict],
                   v->first->seen && *v->first->seen ? " " : "", v->first->seen ? v->first->seen : "",
                   ck_verdict_names[v->verdict], *v->seen ? " " : "", v->seen, (unsigned long long)v->round,
                   (unsigned long long)v->times, v->times == 1 ? "" : "s");
    }
    if (s->count > SHOWN)
        printf("varies    and %s others\n", ck_thousands(s->count - SHOWN));
    printf("%s\n", s->bad     ? "a documented rule failed"
                   : verdicts ? "verdicts vary from round to round"
                   : s->count ? "no documented rule failed; what documents leave open varies"
                              : "nothing varies");
    return s->bad || verdicts ? 1 : s->count ? 3 : 0;
}

static int soak(struct soak *s)
{
    const double start = now();
    double last = start, longest = 0;
    char path[PATH_MAX], error[512];
    uint64_t round = 0;

    do {
        round++;
        snprintf(path, sizeof path, "%s.%llu", s->out, (unsigned long long)round);
        if (run_round(s, round, path) == 2)
            return 2;
        if (round == 1 && !ck_load_records(path, &s->first, &s->entries, error, sizeof error))
            return ck_bad("run: %s", error);
        if (!compare_round(s, path, round))
            return 2;
        const double t = now();
        longest = t - last > longest ? t - last : longest;
        last = t;
    } while ((!s->rounds || round < s->rounds) && (!s->minutes || last - start + longest < 60.0 * (double)s->minutes));
    return cmd_end(conclude(s, round, last - start));
}

int cmd_run_soak(int argc, char **argv, int (*run)(int argc, char **argv))
{
    struct soak s = { .run = run, .rest = calloc((size_t)argc + 1, sizeof *s.rest) };
    int status;

    if (!s.rest)
        return ck_bad("run: out of memory");
    status = argc > 4000 ? ck_bad("run: too many arguments") : read_arguments(argc, argv, &s);
    if (!status)
        status = soak(&s);
    ck_run_slow_inputs(false);
    if (s.entries.all)
        ck_unload_records(&s.first, &s.entries);
    free(s.varied);
    free(s.rest);
    return status;
}
// SPDX-License-Identifier: Apache-2.0
