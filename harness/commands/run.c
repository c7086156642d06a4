/* copycheck run: runs cases on engines and judges them. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "expected/random.h"
#include "harness/base/append.h"
#include "harness/base/number.h"
#include "harness/base/version.h"
#include "harness/commands/cmd.h"
#include "harness/commands/run_report.h"
#include "harness/engines/engines.h"
#include "harness/plan/plan.h"
#include "harness/reports/report.h"
#include "harness/run/run.h"

enum { TOOLKITS = 32 };

static const char help[] =
    "usage: copycheck run [SELECT...] [OPTION...]\n"
    "\n"
    "Runs the points that SELECT names (without SELECT, all of them) on each engine that can run them, and judges them.\n"
    "SELECT is a glob over point names, rule:ID, family:NAME, or failed:FILE (what failed in a record file).\n"
    "\n"
    "  --engine E,...     emu, gpu, jit, ptxas, ptxas-VERSION, gpu@VERSION (default: all that this machine has)\n"
    "  --toolkit DIR      a toolkit: its folder, or the version of a fetched one; each is a column of its own\n"
    "  --kernels DIR      folder of built kernels (default: kernels/ beside this program)\n"
    "  --mutants          run each case's mutants too: a mutant that survives proves nothing\n"
    "  --shard I/N        only every N-th point, from the I-th (1 is the first)\n"
    "  --shuffle          run points in an order drawn from the seed\n"
    "  --seed S           seed of all random bytes (default 0x5eed)\n"
    "  --repeat N         run each point N times, and name points whose verdict changes\n"
    "  --delivery D       on emu, when copies arrive: late (default), eager, or random, drawn from the seed\n"
    "  --schedules N      on emu, run each launch that breaks no rule under N random deliveries, drawn from the seed\n"
    "  --out FILE         the record file (default: last.jsonl beside this program)\n"
    "  --resume FILE      continue an interrupted run in its record file\n"
    "  --format F         human, ktap, junit, jsonl, markdown or html, on standard output\n"
    "  --recorded FILE    compare with this record file (default: the one of this machine in expected/recorded)\n"
    "  --no-recorded      compare with no record file\n"
    "  --jobs N           worker processes of an engine without a device (default: one for each processor)\n"
    "  --deadline MS      time limit of a point in milliseconds (default 10000)\n"
    "  --profile          print how long the run took, and the GPU work that no run can do without\n"
    "\n"
    "Exit status: 0 all as expected, 1 a rule failed, 2 no verdict could be reached, 3 only observed behaviour changed.\n";

struct options {
    const char *engines, *kernels, *out, *resume, *delivery;
    const char *toolkits[TOOLKITS];
    size_t toolkit_count;
    bool mutants, shuffle, schedules;
    unsigned long shard, shards, repeat, jobs, deadline;
    uint64_t seed;
    struct cmd_report report;
};

enum {
    OPT = 256,
    ENGINE,
    TOOLKIT,
    KERNELS,
    MUTANTS,
    SHARD,
    SHUFFLE,
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
    HELP
};

static const struct option long_options[] = {
    { "engine", required_argument, NULL, ENGINE },
    { "toolkit", required_argument, NULL, TOOLKIT },
    { "kernels", required_argument, NULL, KERNELS },
    { "mutants", no_argument, NULL, MUTANTS },
    { "shard", required_argument, NULL, SHARD },
    { "shuffle", no_argument, NULL, SHUFFLE },
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

static int parse(int argc, char **argv, struct options *o)
{
    int c, bad = 0, used = 0;

    optind = 0; /* starts over, also where another command has parsed before */
    opterr = 0;
    while (!bad && (c = getopt_long(argc, argv, "", long_options, NULL)) != -1)
        switch (c) {
        case ENGINE: o->engines = optarg; break;
        case TOOLKIT:
            if (o->toolkit_count == TOOLKITS)
                return ck_bad("run: at most %d toolkits", TOOLKITS);
            o->toolkits[o->toolkit_count++] = optarg;
            break;
        case KERNELS: o->kernels = optarg; break;
        case MUTANTS: o->mutants = true; break;
        case SHARD:
            if (sscanf(optarg, "%lu/%lu%n", &o->shard, &o->shards, &used) != 2 || optarg[used] || !o->shard ||
                o->shard > o->shards)
                return ck_bad("run: --shard takes I/N with I from 1 to N, not '%s'", optarg);
            break;
        case SHUFFLE: o->shuffle = true; break;
        case SEED:
            if (!ck_number(optarg, 0, UINT64_MAX, &o->seed))
                return ck_bad("run: --seed takes a number, not '%s'", optarg);
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
        case HELP: fputs(help, stdout); return -1;
        default: return ck_bad("run: %s: no such option, or its value is missing; --help lists them", argv[optind - 1]);
        }
    return bad;
}

static int find_engines(const struct options *o, struct ck_engine *out, char *error, size_t size)
{
    char *copy, *rest;
    int n = 0;

    if (!o->engines)
        return ck_engines_default(out, CK_ENGINES, error, size);
    copy = strdup(o->engines);
    rest = copy;
    for (const char *name = strsep(&rest, ","); name && n >= 0; name = strsep(&rest, ",")) {
        if (n == CK_ENGINES) {
            snprintf(error, size, "at most %d engines", CK_ENGINES);
            n = -1;
        } else if (ck_engine_find(name, &out[n], error, size)) {
            n++;
        } else {
            n = -1;
        }
    }
    free(copy);
    return n;
}

/* ---- the record file ------------------------------------------------------------------------------------------ */

/* What is done already, of a run that goes on. */
struct resumed {
    struct ck_record_file file;
    struct ck_entries results;
};

static bool is_done(void *context, const char *point, const char *engine)
{
    const struct resumed *r = context;

    return r && ck_entries_find(&r->results, point, engine);
}

/* Cuts off a last line that has no end, so that the next record starts a line, and the count of an ended run. */
static bool mend(const char *path)
{
    FILE *f = fopen(path, "r+");
    long end = 0, start = 0;
    bool last_is_end = false;
    char *line = NULL;
    size_t room = 0;
    ssize_t n;

    if (!f)
        return false;
    while ((n = getline(&line, &room, f)) > 0 && line[n - 1] == '\n') {
        start = end;
        end += n;
        last_is_end = !strncmp(line, "{\"end\"", 6);
    }
    free(line);
    if (ftruncate(fileno(f), last_is_end ? start : end) != 0) {
        fclose(f);
        return false;
    }
    return fclose(f) == 0;
}

/* Makes the folder of a path. */
static void make_folder(const char *path)
{
    char folder[4096];
    char *slash;

    snprintf(folder, sizeof folder, "%.4095s", path);
    slash = strrchr(folder, '/');
    if (slash && slash != folder) {
        *slash = 0;
        mkdir(folder, 0777);
    }
}

static void progress(void *context, size_t ended, size_t planned, size_t failed)
{
    static size_t shown = (size_t)-1;

    (void)context;
    if (ended == shown || !planned)
        return;
    shown = ended;
    fprintf(stderr, "\r%zu of %zu", ended, planned);
    if (failed)
        fprintf(stderr, ", %zu failed", failed);
    fputs("\033[K", stderr);
    if (ended == planned)
        fputs("\r\033[K", stderr);
}

/* The toolkit that built the kernels, "13.0.88", from the comment that nvcc leaves in PTX. */
static void kernels_toolkit(char *out, size_t size)
{
    char path[4096], line[512];
    FILE *f;

    snprintf(path, sizeof path, "%s/index", ck_kernels_folder());
    out[0] = 0;
    f = fopen(path, "r");
    if (!f)
        return;
    if (fgets(line, sizeof line, f) && !strncmp(line, "# toolkit ", 10))
        snprintf(out, size, "%.*s", (int)strcspn(line + 10, "\n"), line + 10);
    fclose(f);
}

/* ---- the run -------------------------------------------------------------------------------------------------- */

struct card {
    uint64_t key; /* random: the deck is sorted by it */
    const struct ck_point *point;
};

static int by_key(const void *a, const void *b)
{
    const struct card *x = a, *y = b;

    return (x->key > y->key) - (x->key < y->key);
}

static void shuffle(const struct ck_point **points, size_t count, uint64_t seed)
{
    struct card *cards = calloc(count + 1, sizeof *cards);

    if (!cards)
        return;
    for (size_t i = 0; i < count; i++)
        cards[i] = (struct card){ .key = splitmix64(seed + i), .point = points[i] };
    qsort(cards, count, sizeof *cards, by_key);
    for (size_t i = 0; i < count; i++)
        points[i] = cards[i].point;
    free(cards);
}

/* Keeps the points that other deliveries may not change: launches that break no rule. */
static size_t conforming_launches(const struct ck_point **points, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++)
        if (!points[i]->variant && !strcmp(ck_point_phase(points[i]), "launch"))
            points[kept++] = points[i];
    return kept;
}

/* Opens the record file: a new one with its head, or the interrupted one's end. */
static FILE *open_records(const struct options *o, const char *path, const struct ck_run_head *head)
{
    FILE *f;

    if (o->resume) {
        if (!mend(path))
            return NULL;
        return fopen(path, "a");
    }
    make_folder(path);
    f = fopen(path, "w");
    if (f && (!ck_write_head(f, head) || fflush(f) != 0)) {
        fclose(f);
        return NULL;
    }
    return f;
}

/* What the record file says of the run at its head. The strings belong to the caller and to the engines. */
static void describe(struct ck_run_head *head, const struct ck_run *r, char *names, size_t size)
{
    const struct ck_gpu_facts *gpu = NULL;

    for (size_t i = 0; i < r->engine_count; i++) {
        ck_append(names, size, "%s%.47s", i ? "," : "", r->engines[i].name);
        if (r->engines[i].ops->launch && r->engines[i].sm)
            gpu = ck_engines_gpu();
    }
    head->engines = names;
    head->planned = ck_run_planned(r);
    if (gpu) {
        head->device = gpu->device;
        head->driver = gpu->driver;
        head->sm = gpu->sm;
    }
}

/* Reads what an interrupted run has done; false after a line. */
static bool resume(struct resumed *done, const char *path, uint64_t seed)
{
    char error[512];

    if (!ck_load_records(path, &done->file, &done->results, error, sizeof error))
        return ck_wrong("%s", error);
    if (done->file.head.seed == seed)
        return true;
    return ck_wrong("run: %s was made with seed 0x%llx, not 0x%llx", path, (unsigned long long)done->file.head.seed,
                    (unsigned long long)seed);
}

/* Runs the points into the open record file and closes it; 0, or the exit status after a line. */
static int run_into(struct ck_run *r, const char *path, unsigned long before, unsigned long planned,
                    struct ck_profile *profile)
{
    enum ck_run_end end;
    bool ended = true;

    if (isatty(STDERR_FILENO))
        r->progress = progress;
    end = ck_run_points(r, profile);
    if (end == CK_RUN_COMPLETE)
        ended = ck_write_end(r->out, profile->records + before);
    if ((fclose(r->out) != 0 || !ended) && end == CK_RUN_COMPLETE)
        end = CK_RUN_UNWRITTEN;
    if (end == CK_RUN_UNWRITTEN)
        return ck_bad("run: cannot write %s: %s; it keeps %lu records", path, strerror(errno), profile->records);
    if (end == CK_RUN_INTERRUPTED)
        return ck_bad("run: interrupted; go on with --resume %s (%lu of %lu records)", path, profile->records, planned);
    return 0;
}

static int run(const struct options *o, const struct ck_point **points, size_t count, char *selection,
               const struct ck_engine *engines, size_t engine_count)
{
    struct ck_run r = { .engines = engines,
                        .engine_count = engine_count,
                        .points = points,
                        .point_count = count,
                        .seed = o->seed,
                        .repeat = (unsigned)o->repeat,
                        .jobs = (unsigned)o->jobs,
                        .deadline_ms = (unsigned)o->deadline };
    char names[CK_ENGINES * 49] = "", toolkit[64], path[4200];
    struct ck_run_head head = {
        .version = CK_VERSION, .seed = o->seed, .selection = selection, .mutants = o->mutants, .toolkit = toolkit
    };
    struct resumed resumed = { 0 };
    struct ck_profile profile;
    int status = 2;

    kernels_toolkit(toolkit, sizeof toolkit);
    describe(&head, &r, names, sizeof names);
    if (!head.planned)
        return ck_bad("run: none of these points can run on %s", names);
    if (o->resume || o->out)
        snprintf(path, sizeof path, "%s", o->resume ? o->resume : o->out);
    else
        snprintf(path, sizeof path, "%.4000s/../last.jsonl", ck_kernels_folder());
    if (o->resume) {
        r.done = is_done;
        r.context = &resumed;
    }
    if (!o->resume || resume(&resumed, path, o->seed)) {
        r.out = open_records(o, path, &head);
        status = r.out ? run_into(&r, path, resumed.file.count, head.planned, &profile)
                       : ck_bad("run: cannot write %s: %s", path, strerror(errno));
    }
    ck_unload_records(&resumed.file, &resumed.results);
    return status ? status : cmd_run_report(&o->report, path, &profile);
}

int cmd_run(int argc, char **argv)
{
    struct options o = { .seed = 0x5eed, .repeat = 1, .deadline = 10000, .shard = 1, .shards = 1 };
    struct ck_engine engines[CK_ENGINES];
    struct ck_plan plan;
    const struct ck_point **points;
    char error[512], selection[8192];
    size_t count;
    int n, status = parse(argc, argv, &o);

    if (status)
        return status < 0 ? 0 : status;
    if (o.delivery && !ck_emu_delivery(o.delivery, o.seed))
        return ck_bad("run: --delivery takes late, eager or random, not '%s'", o.delivery);
    if (!o.jobs)
        o.jobs = (unsigned long)sysconf(_SC_NPROCESSORS_ONLN);
    ck_engines_places(&(struct ck_places){ o.kernels, o.toolkits, o.toolkit_count });
    /* Before the point's own deadline: an assembler that runs away is an outcome, a worker that hangs is not. */
    ck_ptxas_limits((unsigned)o.deadline / 2 + 1, CK_PTXAS_ROW_MEMORY_MB);
    if (!ck_plan_make(ck_suites, o.mutants, &plan, error, sizeof error))
        return ck_bad("%s", error);
    points = ck_select(&plan, argv + optind, (size_t)(argc - optind), &count, error, sizeof error);
    if (!points) {
        ck_plan_free(&plan);
        return ck_bad("run: %s", error);
    }
    if (o.shards > 1) {
        size_t kept = 0;
        for (size_t i = o.shard - 1; i < count; i += o.shards)
            points[kept++] = points[i];
        count = kept;
    }
    if (o.schedules)
        count = conforming_launches(points, count);
    if (o.shuffle)
        shuffle(points, count, o.seed);
    selection[0] = 0;
    for (int i = optind; i < argc; i++)
        ck_append(selection, sizeof selection, "%s%.1000s", i > optind ? " " : "", argv[i]);
    n = find_engines(&o, engines, error, sizeof error);
    if (n <= 0)
        status = ck_bad("run: %s", n < 0 ? error : "this machine has no engine: no GPU, and no ptxas on the PATH");
    else
        status = run(&o, points, count, selection, engines, (size_t)n);
    ck_engines_done();
    free(points);
    ck_plan_free(&plan);
    return status;
}
