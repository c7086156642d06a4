/* copycheck run: runs cases on engines and judges them. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "expected/random.h"
#include "harness/base/append.h"
#include "harness/base/version.h"
#include "harness/commands/cmd.h"
#include "harness/commands/run_file.h"
#include "harness/commands/run_options.h"
#include "harness/commands/run_soak.h"
#include "harness/engines/engines.h"
#include "harness/engines/origin.h"
#include "harness/plan/plan.h"
#include "harness/run/run.h"

static bool is_among(const struct ck_engine *engines, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(engines[i].name, name))
            return true;
    return false;
}

static int find_engines(const struct cmd_run_options *o, struct ck_engine *out, char *error, size_t size)
{
    char *copy, *rest;
    int n = 0;

    if (!o->engines)
        return ck_engines_default(out, CK_ENGINES, error, size);
    copy = strdup(o->engines);
    if (!copy)
        ck_no_memory();
    rest = copy;
    for (const char *name = strsep(&rest, ","); name && n >= 0; name = strsep(&rest, ",")) {
        if (n == CK_ENGINES) {
            snprintf(error, size, "at most %d engines", CK_ENGINES);
            n = -1;
        } else if (!ck_engine_find(name, &out[n], error, size)) {
            n = -1;
        } else if (is_among(out, (size_t)n, out[n].name)) {
            snprintf(error, size, "engine %.60s is named twice", out[n].name);
            n = -1;
        } else {
            n++;
        }
    }
    free(copy);
    return n;
}

/* ---- the run -------------------------------------------------------------------------------------------------- */

/* What a run that is under way comes back to. */
struct under_way {
    const struct cmd_run_file *file;
    const struct ck_run_head *head;
};

static bool is_done(void *context, const char *point, const char *engine)
{
    const struct under_way *w = context;

    return ck_entries_find(&w->file->entries, point, engine) != NULL;
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

/* Prints the matrix of what gates as soon as it is known; the rest follows. */
static void gated(void *context, const struct ck_to_come *left, const struct ck_record *records, size_t count)
{
    const struct under_way *w = context;

    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
    cmd_run_gates(w->head, &w->file->before, records, count, left);
}

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
        ck_no_memory();
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

/* What the record file says of the run at its head. The strings belong to the caller and to the engines. */
static void describe(struct ck_run_head *head, const struct ck_run *r, struct ck_origin *origin, char *names,
                     size_t size)
{
    const struct ck_gpu_facts *gpu = NULL;

    for (size_t i = 0; i < r->engine_count; i++) {
        ck_append(names, size, "%s%.47s", i ? "," : "", r->engines[i].name);
        if (r->engines[i].ops->launch && r->engines[i].sm)
            gpu = ck_engines_gpu();
    }
    head->engines = names;
    head->planned = ck_run_planned(r);
    head->plan = ck_run_plan(r);
    if (gpu) {
        head->device = gpu->device;
        head->driver = gpu->driver;
        head->libcuda = gpu->libcuda;
        head->sm = gpu->sm;
        head->sms = gpu->sms;
        head->cuda = gpu->cuda;
        head->ecc = gpu->ecc;
        head->mig = gpu->mig;
    }
    ck_origin(r->engines, r->engine_count, gpu, r->devices, origin);
    head->host = origin->host;
    head->uuid = origin->uuid;
    head->ptx = origin->ptx;
    head->ptxas = origin->ptxas;
}

/* Says that the record file takes no more, and what it holds. */
static int unwritten(const struct cmd_run_file *f, int why)
{
    const size_t count = cmd_run_file_count(f);

    if (why == ENOMEM)
        return ck_bad("run: out of memory; %s keeps %zu record%s: go on with --resume %s", f->path, count,
                      count == 1 ? "" : "s", f->path);
    if (!count)
        return ck_bad("run: cannot write %s: %s; it keeps no records", f->path, strerror(why));
    return ck_bad("run: cannot write %s: %s; it keeps %zu record%s: go on with --resume %s", f->path, strerror(why),
                  count, count == 1 ? "" : "s", f->path);
}

/* Says how to go on, with the options that the head line does not hold. */
static int interrupted(const struct cmd_run_options *o, const struct cmd_run_file *f, unsigned long planned)
{
    char rest[8192] = "";

    if (o->kernels)
        ck_append(rest, sizeof rest, " --kernels %s", o->kernels);
    for (size_t i = 0; i < o->toolkit_count; i++)
        ck_append(rest, sizeof rest, " --toolkit %s", o->toolkits[i]);
    if (o->deadline != CMD_DEADLINE_MS)
        ck_append(rest, sizeof rest, " --deadline %lu", o->deadline);
    return ck_bad("run: interrupted; go on with --resume %s%s (%zu of %lu records)", f->path, rest,
                  cmd_run_file_count(f), planned);
}

/* Runs the points into the open record file and closes it; 0, or the exit status after a line. */
static int run_into(const struct cmd_run_options *o, struct ck_run *r, struct cmd_run_file *f, unsigned long planned,
                    struct ck_profile *profile)
{
    enum ck_run_end end;
    int why;

    if (isatty(STDERR_FILENO) && o->report.how == CMD_REPORT)
        r->progress = progress;
    if (o->report.format == CK_FORMAT_HUMAN && o->report.how == CMD_REPORT)
        r->gated = gated;
    end = ck_run_points(r, profile);
    why = errno;
    if (end == CK_RUN_COMPLETE &&
        !ck_write_end(f->to, profile->records + f->before.count, profile->digest + f->before.digest, &f->chain)) {
        end = CK_RUN_UNWRITTEN;
        why = errno;
    }
    if (fclose(f->to) != 0 && end == CK_RUN_COMPLETE) {
        end = CK_RUN_UNWRITTEN;
        why = errno;
    }
    f->to = NULL;
    if (end == CK_RUN_UNWRITTEN)
        return unwritten(f, why);
    return end == CK_RUN_INTERRUPTED ? interrupted(o, f, planned) : 0;
}

/* How many of this machine's GPUs share the points. */
static unsigned devices(const struct cmd_run_options *o)
{
    const int alike = ck_engines_gpu()->count;
    const unsigned wanted = o->gpus ? (unsigned)o->gpus : CK_GPUS;

    return alike < 1 ? 1 : (unsigned)alike < wanted ? (unsigned)alike : wanted;
}

static int run(const struct cmd_run_options *o, struct cmd_run_file *f, const struct ck_point **points, size_t count,
               const bool *spare, const struct ck_engine *engines, size_t engine_count)
{
    struct ck_run r = { .engines = engines,
                        .engine_count = engine_count,
                        .points = points,
                        .point_count = count,
                        .seed = o->seed,
                        .repeat = (unsigned)o->repeat,
                        .jobs = (unsigned)o->jobs,
                        .devices = devices(o),
                        .alone = o->alone,
                        .spare = spare,
                        .brief = o->brief,
                        .no_faults = o->no_faults,
                        .deadline_ms = (unsigned)o->deadline };
    char names[CK_ENGINES * 49] = "", toolkit[64], shard[48];
    struct ck_run_head head = { .version = ck_version,
                                .schema = CK_SCHEMA,
                                .seed = o->seed,
                                .selection = o->selection,
                                .mutants = o->mutants,
                                .brief = o->brief,
                                .kinds = o->kinds,
                                .no_faults = o->no_faults,
                                .delivery = o->delivery && strcmp(o->delivery, "late") != 0 ? o->delivery : NULL,
                                .schedules = o->schedules,
                                .repeat = o->repeat > 1 ? (unsigned)o->repeat : 0,
                                .toolkit = toolkit };
    struct under_way under_way = { .file = f, .head = &head };
    struct ck_profile profile;
    struct ck_origin origin;
    int status;

    r.context = &under_way;
    ck_kernels_toolkit(toolkit, sizeof toolkit);
    describe(&head, &r, &origin, names, sizeof names);
    if (!head.planned)
        return ck_bad("run: none of these points can run on %s", names);
    if (o->shards > 1) {
        snprintf(shard, sizeof shard, "%lu/%lu", o->shard, o->shards);
        head.shard = shard;
    }
    if (o->resume) {
        r.done = is_done;
    } else if (!cmd_run_file_new(f, o->out)) {
        return 2;
    }
    if (!cmd_run_file_begin(f, &head))
        return 2;
    r.out = f->to;
    r.chain = &f->chain;
    status = run_into(o, &r, f, head.planned, &profile);
    return status ? status : cmd_run_report(&o->report, f->path, &profile);
}

/* Whether the folder that --kernels names holds kernels; without the option, what needs them is skipped. */
static bool has_kernels(const struct cmd_run_options *o)
{
    char index[PATH_MAX];

    if (!o->kernels)
        return true;
    snprintf(index, sizeof index, "%s/index", o->kernels);
    return !access(index, R_OK) ||
           ck_wrong("run: no kernels in %s: make kernels builds them, --kernels names them", o->kernels);
}

/* Picks the points and the engines, and runs. */
static int select_and_run(const struct cmd_run_options *o, struct cmd_run_file *f)
{
    struct ck_engine engines[CK_ENGINES];
    struct ck_plan plan;
    const struct ck_point **points;
    char error[512];
    bool *spare;
    size_t count;
    int n, status;

    if (!ck_plan_make(ck_suites, o->mutants, &plan, error, sizeof error))
        return ck_bad("%s", error);
    points = ck_select(&plan, o->selects, o->select_count, &count, error, sizeof error);
    if (!points) {
        ck_plan_free(&plan);
        return ck_bad("run: %s", error);
    }
    if (o->shards > 1) {
        size_t kept = 0;
        for (size_t i = o->shard - 1; i < count; i += o->shards)
            points[kept++] = points[i];
        count = kept;
    }
    if (o->schedules)
        count = conforming_launches(points, count);
    if (o->shuffle)
        shuffle(points, count, o->seed);
    spare = o->selected ? NULL : ck_spare(points, count, o->brief);
    n = find_engines(o, engines, error, sizeof error);
    if (n <= 0)
        status = ck_bad("run: %s", n < 0 ? error : "this machine has no engine: no GPU, and no ptxas on the PATH");
    else
        status = run(o, f, points, count, spare, engines, (size_t)n);
    ck_engines_done();
    free(spare);
    free(points);
    ck_plan_free(&plan);
    return status;
}

int cmd_run(int argc, char **argv)
{
    if (cmd_run_is_soak(argc, argv))
        return cmd_run_soak(argc, argv, cmd_run);
    struct cmd_run_options o;
    struct cmd_run_file file = { .lock = -1 };
    int status = cmd_run_options(argc, argv, &o);

    if (status)
        return status < 0 ? 0 : status;
    if (o.resume && !cmd_run_file_resume(&file, o.resume))
        status = 2;
    else if (o.resume)
        cmd_run_options_of(&o, &file.before.head);
    if (status || !cmd_run_options_settle(&o) || !has_kernels(&o))
        status = 2;
    if (!status) {
        ck_engines_places(&(struct ck_places){ o.kernels, o.toolkits, o.toolkit_count });
        /* Before the point's own deadline: an assembler that runs away is an outcome, a worker that hangs is not. */
        ck_ptxas_limits((unsigned)o.deadline / 2 + 1, CK_PTXAS_ROW_MEMORY_MB);
        status = select_and_run(&o, &file);
    }
    cmd_run_file_close(&file);
    status = cmd_short_status(o.report.how, status);
    cmd_run_options_free(&o);
    return status;
}
// SPDX-License-Identifier: Apache-2.0
