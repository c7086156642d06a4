/* Submissions from files to verdicts. */
#include "harness/lab/submit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/bad.h"
#include "harness/base/clean.h"
#include "harness/emu/forms/form.h"
#include "harness/lab/gpu.h"
#include "harness/lab/scan.h"
#include "harness/run/pool.h"

enum { SOURCE_MOST = 1 << 20, DEADLINE_MS = 180000 };
#define JUDGE_MEMORY ((rlim_t)4 << 30)

struct set {
    const char *labs;
    const struct lab_task *tasks;
    const struct lab_place *places; /* what a GPU is to launch is left there; or NULL */
    struct lab_verdict *verdicts;   /* shared with the workers */
};

static void no_verdict(struct lab_verdict *v, const char *path, const char *why)
{
    char name[200];

    v->outcome = LAB_NO_VERDICT;
    snprintf(v->why, sizeof v->why, "%s: %.180s", ck_clean_copy(name, sizeof name, path), why);
    ck_clean(v->why, false);
}

static void refused(struct lab_verdict *v, const char *text)
{
    snprintf(v->text[LAB_COMPILES], LAB_TEXT, "%s", text);
    lab_name(v, "compile");
    lab_fail(v, LAB_COMPILES);
}

/* Reads an ordinary file of a source's size. */
static bool read_file(const struct lab_task *task, struct ck_text *text, struct lab_verdict *v)
{
    const char *const path = task->path;
    struct stat s;
    char error[512];

    if (task->no_links && !lstat(path, &s) && S_ISLNK(s.st_mode)) {
        no_verdict(v, path, "it is a symbolic link");
        return false;
    }
    if (!stat(path, &s) && !S_ISREG(s.st_mode)) {
        no_verdict(v, path, S_ISDIR(s.st_mode) ? "it is a folder" : "it is no ordinary file");
        return false;
    }
    if (stat(path, &s) || (s.st_size <= SOURCE_MOST && !ck_text_read(path, text, error, sizeof error))) {
        no_verdict(v, path, strerror(errno));
        return false;
    }
    if (s.st_size && s.st_size <= SOURCE_MOST)
        return true;
    refused(v, s.st_size ? "The file has more than 1 MiB.\n" : "The file is empty.\n");
    return false;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), m = strlen(end);

    return n >= m && !strcmp(text + n - m, end);
}

static void judge_ptx(struct lab_submission *s, const struct ck_text *ptx, const struct lab_place *place,
                      struct lab_verdict *v)
{
    struct ptx_error error = { 0 };
    char why[LAB_TEXT / 2 + 2] = "";
    struct ptx_module *m = NULL;

    s->ptx = ptx;
    if (lab_scan_ptx(ptx->data, why, sizeof why - 2)) {
        m = ptx_read(ptx->data, ptx->size, NULL, &error);
        if (!m)
            ptx_error_print(&error, s->source ? "PTX" : s->name, why, sizeof why - 2);
        if (m && (m->address_size != 64 || !lab_scan_module(m, why, sizeof why - 2))) {
            ptx_free(m);
            m = NULL;
        }
    }
    if (m) {
        if (place && s->source)
            lab_place_write(place, LAB_GPU_SOURCE, s->source, strlen(s->source));
        if (place)
            lab_place_write(place, LAB_GPU_PTX, ptx->data, ptx->size);
        lab_judge(s, m, v);
        ptx_free(m);
        return;
    }
    ck_clean(why, true);
    if (*why && why[strlen(why) - 1] != '\n')
        strcat(why, "\n");
    refused(v, why);
    if (error.rule && *why)
        lab_name(v, "%s", error.rule->id);
}

/* `why`: what the compiler says, or why there is none. */
static void not_compiled(struct lab_verdict *v, enum lab_compiled how, const char *why)
{
    if (how == LAB_REFUSED) {
        refused(v, why);
        return;
    }
    v->outcome = LAB_NO_VERDICT;
    snprintf(v->why, sizeof v->why, "%.*s", (int)strcspn(why, "\n"), why);
}

static void judge_source(const struct set *set, const struct lab_task *task, struct lab_submission *s,
                         const char *source, size_t size, const struct lab_place *place, struct lab_verdict *v)
{
    char why[LAB_TEXT / 2] = "", told[LAB_TEXT / 2 + 300];
    struct ck_text ptx = { 0 };
    enum lab_compiled compiled;

    if (!lab_scan_source(source, size, why, sizeof why)) {
        ck_clean(why, false);
        snprintf(told, sizeof told, "%s, %s is not allowed in a submission.\n", s->name, why);
        refused(v, told);
        return;
    }
    s->source = source;
    compiled = lab_compile(task->lab, set->labs, source, task->compiler, &ptx, why, sizeof why);
    if (compiled == LAB_COMPILED) {
        judge_ptx(s, &ptx, place, v);
        snprintf(v->note, sizeof v->note, "%s", why);
    } else {
        not_compiled(v, compiled, why);
    }
    s->ptx = NULL;
    ck_text_free(&ptx);
}

/* A tile kernel is compiled; only a GPU can run it. */
static void judge_tile(const struct lab_task *task, const char *source, const struct lab_place *place,
                       struct lab_verdict *v)
{
    char why[LAB_TEXT / 2] = "", object[PATH_MAX + 40], by[48] = "";
    enum lab_compiled compiled;

    snprintf(object, sizeof object, "%s/" LAB_GPU_TILE, place ? place->path : "");
    compiled = lab_compile_tile(task->lab, source, place ? object : NULL, by, sizeof by, why, sizeof why);
    if (compiled != LAB_COMPILED) {
        not_compiled(v, compiled, why);
        return;
    }
    for (int p = 0; p < LAB_BY_MEANS; p++) /* nothing is known against it */
        v->parts[p] = LAB_RIGHT;
    snprintf(v->note, sizeof v->note, "%s", by);
}

/* ---- in a worker ------------------------------------------------------------------------------------------------- */

static bool work(void *context, struct ck_seat *seat, size_t number)
{
    struct set *set = context;
    const struct lab_task *task = &set->tasks[number];
    const struct lab_place *place = set->places ? &set->places[number] : NULL;
    struct lab_verdict *v = &set->verdicts[number];
    const char *slash = strrchr(task->path, '/');
    struct lab_submission s = { .lab = task->lab, .path = task->path, .seed = task->seed, .html = task->html };
    struct ck_text text = { 0 };
    struct rlimit memory;
    char name[120];

    if (!getrlimit(RLIMIT_AS, &memory) && (memory.rlim_cur == RLIM_INFINITY || memory.rlim_cur > JUDGE_MEMORY)) {
        memory.rlim_cur = JUDGE_MEMORY;
        setrlimit(RLIMIT_AS, &memory);
    }
    ck_seat_limit(seat, DEADLINE_MS);
    s.name = ck_clean_copy(name, sizeof name, slash ? slash + 1 : task->path);
    if (read_file(task, &text, v)) {
        if (task->lab->needs && !strcmp(task->lab->needs, "tile"))
            judge_tile(task, text.data, place, v);
        else if (ends_with(task->path, ".ptx"))
            judge_ptx(&s, &text, place, v);
        else
            judge_source(set, task, &s, text.data, text.size, place, v);
    }
    ck_text_free(&text);
    return true;
}

/* ---- in the parent ----------------------------------------------------------------------------------------------- */

static void died(void *context, size_t task, bool alone, const struct ck_death *how)
{
    struct set *set = context;
    struct lab_verdict *v = &set->verdicts[task];
    char words[200];

    (void)alone;
    *v = (struct lab_verdict){ .parts = { [LAB_COMPILES] = LAB_RIGHT } };
    if (how->late_ms)
        snprintf(words, sizeof words, "Not judged to its end: it took more than %u seconds.\n", how->late_ms / 1000);
    else if (WIFSIGNALED(how->status))
        snprintf(words, sizeof words, "Not judged to its end: signal %d.\n", WTERMSIG(how->status));
    else
        snprintf(words, sizeof words, "Not judged to its end: it took too much memory.\n");
    snprintf(v->text[LAB_RULES], LAB_TEXT, "%s", words);
    lab_name(v, "limit");
    lab_fail(v, LAB_RULES);
}

static bool run(struct set *set, size_t count, unsigned jobs, size_t *numbers)
{
    static const struct ck_pool_ops ops = { .work = work, .died = died };
    struct ck_pool *pool = ck_pool_new(&ops, set, jobs ? jobs : 1);
    enum ck_pool_end end;
    int by;

    for (size_t i = 0; i < count; i++)
        numbers[i] = i;
    if (!pool || !ck_pool_line(pool, numbers, count, jobs ? jobs : 1)) {
        ck_pool_free(pool);
        return ck_wrong("lab: %s", strerror(errno));
    }
    end = ck_pool_run(pool, &by);
    ck_pool_free(pool);
    return end == CK_POOL_COMPLETE || ck_wrong("lab: %s", end == CK_POOL_SIGNALED ? "interrupted" : strerror(errno));
}

/* Folders for what a GPU is to launch; NULL after a line. */
static struct lab_place *make_places(size_t count)
{
    struct lab_place *places = calloc(count + 1, sizeof *places);

    if (!places)
        ck_no_memory();
    for (size_t i = 0; i < count; i++)
        if (!lab_place_begin(&places[i])) {
            ck_bad("lab: %.200s: %s", places[i].path, strerror(errno));
            while (i > 0)
                lab_place_end(&places[--i]);
            free(places);
            return NULL;
        }
    return places;
}

/* Judges all, then launches all: the emulator's processes have limits that the driver does not fit into, and a GPU is
 * for one at a time. */
static bool judge_and_launch(struct set *set, size_t count, unsigned jobs, const struct ck_gpu_facts *gpu,
                             size_t *numbers)
{
    struct lab_place *places = gpu ? make_places(count) : NULL;
    bool fine;

    if (gpu && !places)
        return false;
    set->places = places;
    fine =
        run(set, count, jobs, numbers) && (!gpu || lab_gpu_launch_all(gpu, set->tasks, places, set->verdicts, count));
    for (size_t i = 0; i < count && places; i++)
        lab_place_end(&places[i]);
    free(places);
    return fine;
}

struct lab_verdict *lab_submit(const char *labs, const struct lab_task *tasks, size_t count, unsigned jobs,
                               const struct ck_gpu_facts *gpu)
{
    struct set set = { .labs = labs, .tasks = tasks };
    size_t *numbers = calloc(count + 1, sizeof *numbers);
    bool fine;

    set.verdicts =
        mmap(NULL, (count + 1) * sizeof *set.verdicts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (set.verdicts == MAP_FAILED || !numbers) {
        free(numbers);
        ck_bad("lab: no memory");
        return NULL;
    }
    fine = judge_and_launch(&set, count, jobs, gpu, numbers);
    free(numbers);
    if (fine)
        return set.verdicts;
    lab_verdicts_free(set.verdicts, count);
    return NULL;
}

void lab_verdicts_free(struct lab_verdict *verdicts, size_t count)
{
    if (verdicts)
        munmap(verdicts, (count + 1) * sizeof *verdicts);
}

/* ---- PTX alone ----------------------------------------------------------------------------------------------------
 */

bool lab_print_ptx(const char *labs, const struct lab_task *task, FILE *to)
{
    struct lab_verdict *v = calloc(1, sizeof *v);
    struct ck_text text = { 0 }, ptx = { 0 };
    char why[LAB_TEXT / 2] = "";
    bool fine = v && read_file(task, &text, v);

    if (!v)
        return ck_wrong("lab: no memory");
    if (!fine)
        snprintf(why, sizeof why, "%.400s\n", v->outcome == LAB_NO_VERDICT ? v->why : v->text[LAB_COMPILES]);
    fine = fine && lab_scan_source(text.data, text.size, why, sizeof why) &&
           lab_compile(task->lab, labs, text.data, task->compiler, &ptx, why, sizeof why) == LAB_COMPILED;
    if (fine)
        fwrite(ptx.data, 1, ptx.size, to);
    else
        ck_bad("lab: %.*s", (int)strcspn(why, "\n"), why);
    ck_text_free(&text);
    ck_text_free(&ptx);
    free(v);
    return fine;
}
// SPDX-License-Identifier: Apache-2.0
