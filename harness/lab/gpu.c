/* Launches of submissions on a GPU. They go through the engine `jit`: the driver compiles the same PTX that the
 * emulator has run. */
#include "harness/lab/gpu.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/bad.h"
#include "harness/base/clean.h"
#include "harness/base/text.h"
#include "harness/emu/forms/form.h"
#include "harness/engines/gpu.h"
#include "harness/lab/gpu_said.h"
#include "harness/lab/launch.h"
#include "harness/run/pool.h"

enum {
    LAUNCHES = 10,    /* of each step of each size: what is right by luck is not always right */
    OPEN_MS = 60000,  /* for the driver to begin, and to compile */
    LAUNCH_MS = 4000, /* for a launch, which takes some microseconds */
    PARAMETERS = 4096,
};
static const unsigned char poison = 0xA5; /* what a buffer that is not written before holds */

struct gpu_set {
    const struct ck_gpu_facts *facts;
    const struct lab_task *tasks;
    const struct lab_place *places;
    struct lab_verdict *verdicts;
};

/* A submission in the process that launches it. */
struct there {
    struct ck_engine engine;
    struct ck_seat *seat;
    const struct ptx_module *module;
    struct lab_gpu *gpu;
    char *source;
};

/* The arguments of a launch on the device. */
struct laid_out {
    uint64_t at[CHECK_ARGS];
    unsigned char params[PARAMETERS];
    size_t size;
};

/* Says how it ends; false, for the caller to return. */
static bool stop(struct lab_gpu *gpu, enum lab_seen seen, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool stop(struct lab_gpu *gpu, enum lab_seen seen, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(gpu->first, sizeof gpu->first, format, args);
    va_end(args);
    ck_clean(gpu->first, false);
    gpu->seen = seen;
    return false;
}

/* What the engine says of a launch or of a map. A machine without memory says nothing of the submission. */
static bool engine_stops(struct lab_gpu *gpu, const struct ck_outcome *out)
{
    enum { OUT_OF_MEMORY = 2 };
    const enum lab_seen seen = out->kind == CK_O_FAULT                                   ? LAB_SEEN_FAULT
                               : out->kind == CK_O_REFUSED && out->code != OUT_OF_MEMORY ? LAB_SEEN_REFUSED
                                                                                         : LAB_NOT_LAUNCHED;

    return stop(gpu, seen, "%.280s", out->message);
}

/* What it says of memory: a fault may be the last launch's. */
static bool memory_stops(struct lab_gpu *gpu, const struct ck_outcome *out)
{
    return stop(gpu, out->kind == CK_O_FAULT ? LAB_SEEN_FAULT : LAB_NOT_LAUNCHED, "%.280s", out->message);
}

/* ---- one launch ---------------------------------------------------------------------------------------------------
 */

/* Each parameter is at a multiple of its alignment, as engine.h says of members. */
static bool add_parameter(struct laid_out *d, const void *bytes, size_t size)
{
    const size_t align = size == TENSOR_MAP_BYTES ? size : size < 16 ? size : 16;
    const size_t at = (d->size + align - 1) / align * align;

    if (at + size > sizeof d->params)
        return false;
    memset(d->params + d->size, 0, at - d->size);
    memcpy(d->params + at, bytes, size);
    d->size = at + size;
    return true;
}

static bool add_map(struct there *t, const struct lab_launch *l, size_t k, size_t parameter, struct laid_out *d,
                    struct ck_outcome *out)
{
    const struct ck_engine_ops *const ops = t->engine.ops;
    const struct ptx_function *f = lab_kernel(t->module, l->args.entry);
    const struct check_map *named = &l->args.maps[l->args.args[k].map];
    _Alignas(128) unsigned char object[TENSOR_MAP_BYTES];
    struct tensor_map map = named->map;

    map.address += d->at[named->buffer];
    ops->encode(&t->engine, &map, object, 0, out);
    if (out->kind != CK_O_DONE)
        return false;
    if (f && parameter < f->n_params && t->module->variables[f->params + parameter].size == TENSOR_MAP_BYTES)
        return add_parameter(d, object, sizeof object);
    return ops->write(&t->engine, d->at[k], object, sizeof object, out) && add_parameter(d, &d->at[k], sizeof d->at[k]);
}

/* Gives each buffer, and each map that may lie in global memory, its place. */
static bool make_room(struct there *t, const struct lab_launch *l, struct laid_out *d)
{
    struct ck_outcome out;

    t->engine.ops->reset(&t->engine);
    for (size_t k = 0; k < l->args.arg_count; k++) {
        const struct check_arg *a = &l->args.args[k];
        if (a->kind == CHECK_VALUE)
            continue;
        d->at[k] =
            t->engine.ops->alloc(&t->engine, CK_MEM_DEVICE, a->kind == CHECK_MAP ? TENSOR_MAP_BYTES : a->size, &out);
        if (!d->at[k])
            return memory_stops(t->gpu, &out);
    }
    return true;
}

/* Fills the buffers and lays out the parameters. */
static bool fill(struct there *t, const struct lab_launch *l, struct laid_out *d)
{
    struct ck_outcome out = { .kind = CK_O_UNSUPPORTED, .message = "too many parameters" };
    size_t parameter = 0;

    d->size = 0;
    for (size_t k = 0; k < l->args.arg_count; k++) {
        const struct check_arg *a = &l->args.args[k];
        unsigned char *bytes;
        bool fine;
        if (a->kind != CHECK_IN && a->kind != CHECK_OUT)
            continue;
        bytes = malloc(a->size + 1);
        if (!bytes)
            ck_no_memory();
        /* cppcheck-suppress nullPointerRedundantCheck */
        memset(bytes, poison, a->size);
        if (a->kind == CHECK_IN)
            memcpy(bytes, a->data, a->size);
        fine = t->engine.ops->write(&t->engine, d->at[k], bytes, a->size, &out);
        free(bytes);
        if (!fine)
            return memory_stops(t->gpu, &out);
    }
    for (size_t k = 0; k < l->args.arg_count; k++) {
        const struct check_arg *a = &l->args.args[k];
        if (!a->apart && !(a->kind == CHECK_MAP     ? add_map(t, l, k, parameter, d, &out)
                           : a->kind == CHECK_VALUE ? add_parameter(d, a->data, a->bytes)
                                                    : add_parameter(d, &d->at[k], sizeof d->at[k])))
            return engine_stops(t->gpu, &out);
        parameter += !a->apart;
    }
    return true;
}

/* Compares all buffers; those of the first launch are kept for the next step. */
static bool compare(struct there *t, struct lab_launch *l, const struct laid_out *d)
{
    struct ck_outcome out;
    bool right = true;

    for (unsigned i = 0; i < l->buffer_count; i++) {
        const struct lab_buffer *b = &l->buffers[i];
        unsigned char *got = malloc(b->size + 1);
        if (!got)
            ck_no_memory();
        if (!t->engine.ops->read(&t->engine, got, d->at[b->arg], b->size, &out)) {
            free(got);
            return memory_stops(t->gpu, &out);
        }
        right = lab_buffer_right(b, got, t->gpu->first, sizeof t->gpu->first) && right;
        if (!l->left[i])
            l->left[i] = got;
        else
            free(got);
    }
    t->gpu->runs++;
    t->gpu->right += right;
    return true;
}

/* ---- sizes and steps --------------------------------------------------------------------------------------------- */

static bool launch_step(struct there *t, struct lab_launch *l)
{
    struct laid_out *d = calloc(1, sizeof *d);
    struct ck_device_launch launch = { .kernel = l->args.entry, .smem = l->args.smem, .members = true };
    struct ck_outcome out;
    bool fine;

    if (!d)
        ck_no_memory();
    memcpy(launch.grid, l->args.grid, sizeof launch.grid);
    memcpy(launch.block, l->args.block, sizeof launch.block);
    memcpy(launch.cluster, l->args.cluster, sizeof launch.cluster);
    fine = make_room(t, l, d);
    for (unsigned i = 0; i < LAUNCHES && fine; i++) {
        fine = fill(t, l, d);
        if (fine && l->wrong_count) /* it was filled to hear what the driver says of the maps */
            fine = stop(t->gpu, LAB_NOT_LAUNCHED, "%.280s", l->wrong[0].text);
        if (!fine)
            break;
        launch.args = d->params;
        launch.size = d->size;
        ck_seat_limit(t->seat, LAUNCH_MS);
        t->engine.ops->launch(&t->engine, &launch, &out);
        ck_seat_limit(t->seat, OPEN_MS);
        fine = out.kind == CK_O_DONE ? compare(t, l, d) : engine_stops(t->gpu, &out);
    }
    free(d);
    return fine;
}

static bool launch_size(struct there *t, const struct lab_task *task, unsigned size)
{
    struct lab_launch *steps[LAB_STEPS] = { 0 };
    bool fine = true;

    for (unsigned k = 0; k < LAB_STEPS && task->lab->prepare[k] && fine; k++) {
        struct lab_launch *l = steps[k] = lab_launch_new(task->lab, size, k, task->seed, k ? steps[k - 1] : NULL);
        const struct ptx_function *f;
        if (!l)
            ck_no_memory();
        f = t->module ? lab_kernel(t->module, l->args.entry) : NULL;
        if (f)
            lab_launch_names(l, t->source, f->n_params);
        fine = f || !t->module ? launch_step(t, l)
                               : stop(t->gpu, LAB_NOT_LAUNCHED, "there is no kernel %s", l->args.entry);
    }
    for (unsigned k = LAB_STEPS; k > 0; k--)
        lab_launch_free(steps[k - 1]);
    return fine;
}

static void launch_sizes(struct there *t, const struct lab_task *task)
{
    struct lab_gpu *const gpu = t->gpu;

    if (t->engine.ops->prepare)
        t->engine.ops->prepare(&t->engine); /* compiles, which counts to no launch's time */
    for (unsigned size = 0; size < LAB_SIZES; size++)
        if (!launch_size(t, task, size))
            return;
    gpu->seen = gpu->right == gpu->runs ? LAB_SEEN_RIGHT : gpu->right ? LAB_SEEN_LUCK : LAB_SEEN_WRONG;
}

/* ---- the process of a submission --------------------------------------------------------------------------------- */

/* What a kernel prints there goes nowhere: the driver writes it to standard output. */
static void silence(void)
{
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);

    if (nowhere < 0)
        _exit(2);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
}

/* The file from which the engine knows where a kernel is: a module's, or else the lab's own. */
static bool write_index(const struct lab_place *place, const struct ptx_module *m, const struct lab *lab)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    bool fine;

    if (to && !m)
        fprintf(to, "%s kernel\n", lab->kernel);
    for (uint32_t i = 0; to && m && i < m->n_functions; i++)
        if (m->functions[i].is_entry)
            fprintf(to, "%s kernel\n", m->functions[i].name);
    fine = to && ck_text_close(to, &text) && lab_place_write(place, "index", text, size);
    free(text);
    return fine;
}

static bool has(const struct lab_place *place, const char *name)
{
    char path[PATH_MAX + 40];

    snprintf(path, sizeof path, "%s/%s", place->path, name);
    return !access(path, R_OK);
}

/* Always false: a context that a kernel has broken, or may have written to, is not the next one's. */
static bool work(void *context, struct ck_seat *seat, size_t number)
{
    const struct gpu_set *set = context;
    const struct lab_place *place = &set->places[number];
    struct there t = { .seat = seat, .gpu = &set->verdicts[number].gpu };
    char path[PATH_MAX + 40];
    struct ptx_error error = { 0 };
    struct ptx_module *m;
    struct ck_outcome out;
    size_t size = 0;
    char *ptx;

    silence();
    ck_seat_limit(seat, OPEN_MS);
    snprintf(path, sizeof path, "%s/" LAB_GPU_SOURCE, place->path);
    t.source = ck_text_load(path, NULL);
    snprintf(path, sizeof path, "%s/" LAB_GPU_PTX, place->path);
    ptx = ck_text_load(path, &size);
    t.module = m = ptx ? ptx_read(ptx, size, NULL, &error) : NULL;
    const bool tile = has(place, LAB_GPU_TILE);
    if (tile)
        ck_gpu_engine(&t.engine, "gpu", place->path, set->facts);
    else
        ck_jit_engine(&t.engine, place->path, place->path, set->facts);
    if ((!m && !tile) || !write_index(place, m, set->tasks[number].lab))
        stop(t.gpu, LAB_NOT_LAUNCHED, "%s cannot be written or read", place->path);
    else if (!t.engine.ops->open(&t.engine, &out))
        stop(t.gpu, LAB_NOT_LAUNCHED, "%.280s", out.message);
    else
        launch_sizes(&t, &set->tasks[number]);
    if (tile && t.gpu->seen == LAB_SEEN_REFUSED) /* a driver older than the toolkit says nothing of the kernel */
        t.gpu->seen = LAB_NOT_LAUNCHED;
    return false;
}

/* ---- in the parent ----------------------------------------------------------------------------------------------- */

static void died(void *context, size_t task, bool alone, const struct ck_death *how)
{
    const struct gpu_set *set = context;
    struct lab_gpu *const gpu = &set->verdicts[task].gpu;

    (void)alone;
    if (how->late_ms == LAUNCH_MS)
        stop(gpu, LAB_SEEN_HANG, "after %u seconds", LAUNCH_MS / 1000);
    else if (how->late_ms)
        stop(gpu, LAB_NOT_LAUNCHED, "the driver was not ready after %u seconds", how->late_ms / 1000);
    else
        stop(gpu, LAB_NOT_LAUNCHED, "the driver died%s%s", WIFSIGNALED(how->status) ? ": " : "",
             WIFSIGNALED(how->status) ? strsignal(WTERMSIG(how->status)) : "");
}

/* Those submissions that the emulator could run. */
static size_t eligible(const struct gpu_set *set, size_t count, size_t *numbers)
{
    size_t n = 0;

    for (size_t i = 0; i < count; i++) {
        const struct lab_verdict *v = &set->verdicts[i];
        if (v->outcome != LAB_NO_VERDICT && v->parts[LAB_COMPILES] == LAB_RIGHT &&
            (has(&set->places[i], LAB_GPU_PTX) || has(&set->places[i], LAB_GPU_TILE)))
            numbers[n++] = i;
    }
    return n;
}

bool lab_gpu_launch_all(const struct ck_gpu_facts *facts, const struct lab_task *tasks, const struct lab_place *places,
                        struct lab_verdict *verdicts, size_t count)
{
    static const struct ck_pool_ops ops = { .work = work, .died = died };
    struct gpu_set set = { facts, tasks, places, verdicts };
    size_t *numbers = calloc(count + 1, sizeof *numbers);
    struct ck_pool *pool = ck_pool_new(&ops, &set, 1);
    size_t n = 0;
    enum ck_pool_end end = CK_POOL_STUCK;
    int by;

    if (pool && numbers) {
        n = eligible(&set, count, numbers);
        if (ck_pool_line(pool, numbers, n, 1))
            end = ck_pool_run(pool, &by);
    }
    for (size_t i = 0; i < n; i++) {
        struct lab_gpu *const gpu = &verdicts[numbers[i]].gpu;
        snprintf(gpu->device, sizeof gpu->device, "%.60s", facts->device);
        lab_gpu_say(&verdicts[numbers[i]]);
    }
    free(numbers);
    ck_pool_free(pool);
    return end == CK_POOL_COMPLETE || ck_wrong("lab: %s", end == CK_POOL_SIGNALED ? "interrupted" : strerror(errno));
}
// SPDX-License-Identifier: Apache-2.0
