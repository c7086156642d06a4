/* copycheck check: the launches. */
#include "harness/check/check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expected/random.h"
#include "harness/base/append.h"
#include "harness/base/bad.h"
#include "harness/base/file.h"
#include "harness/base/room.h"
#include "harness/base/whole.h"
#include "harness/check/captured.h"
#include "harness/check/entry.h"
#include "harness/check/fold.h"
#include "harness/check/gather.h"
#include "harness/check/pictured.h"
#include "harness/check/printed.h"
#include "harness/check/progress.h"
#include "harness/check/schedules.h"
#include "harness/check/texture.h"
#include "harness/emu/trace/trace.h"

enum {
    CHUNK = 65536,
    PARAMS_MAX = 32764,
    ADDRESS = 8,
    CUT_TIMES = 2,    /* a schedule that nobody asked for is cut short after so many times the instructions of the */
    CUT_MORE = 200000 /* first, and so many more: threads that go round for ever are told before that */
};

/* One schedule's machine and what is in it. */
struct session {
    struct check_args *args;
    const struct ptx_module *module;
    const struct ptx_function *entry;
    struct emu *machine;
    uint64_t at[CHECK_ARGS];    /* of each buffer, or of the map that a parameter points to */
    uint64_t param[CHECK_ARGS]; /* where each argument lies among the parameters */
    bool by_value[CHECK_ARGS];  /* of a map: it lies there itself, not its address */
    struct emu_swaps swaps;     /* of schedule 0 */
    bool enough;                /* no further schedules */
    bool by_turns;              /* in a schedule before, clusters were run ahead of their turns in vain */
    uint64_t cut;               /* instructions after which schedules from 1 on were cut short; 0: none was */
};

/* ---- the kernel's parameters ----------------------------------------------------------------------------------- */

/* Bytes that an argument takes: as a whole parameter of `param` bytes or, if that is 0, as a part of one. A map
 * has 128, or is given by its address where only that fits. */
static uint64_t bytes_of(const struct check_arg *a, uint64_t param)
{
    switch (a->kind) {
    case CHECK_VALUE:
    case CHECK_BYTES: return a->bytes;
    case CHECK_MAP: return !param || param == TENSOR_MAP_BYTES ? TENSOR_MAP_BYTES : ADDRESS;
    default: return ADDRESS;
    }
}

static bool fits_alone(size_t k, const struct check_arg *a, const struct ptx_variable *p, uint64_t have)
{
    if (have != p->size)
        return ck_wrong("check: --arg %zu '%.60s' has %llu bytes, parameter %.200s %llu", k, a->spec,
                        (unsigned long long)have, p->name, (unsigned long long)p->size);
    if ((a->kind == CHECK_IN || a->kind == CHECK_OUT) && p->pointer_space != PTX_none &&
        p->pointer_space != PTX_global && p->pointer_space != PTX_generic)
        return ck_wrong("check: --arg %zu '%.60s' is in global memory, parameter %.200s points to .%s", k, a->spec,
                        p->name, ptx_word_text[p->pointer_space]);
    return true;
}

/* Where the parts of a struct lie: each at the next multiple of its own alignment. */
static bool fit_parts(struct session *s, const struct ptx_variable *p, size_t from, size_t to)
{
    uint64_t at = 0;

    for (size_t k = from; k < to; k++) {
        const struct check_arg *a = &s->args->args[k];
        const uint64_t bytes = bytes_of(a, 0), align = a->kind == CHECK_BYTES ? 1 : a->kind == CHECK_MAP ? 64 : bytes;
        if (align > p->align)
            return ck_wrong("check: --arg %zu '%.60s' is aligned to %llu bytes, parameter %.200s to %u", k, a->spec,
                            (unsigned long long)align, p->name, p->align);
        at = (at + align - 1) / align * align;
        s->param[k] = p->offset + at;
        s->by_value[k] = true;
        at += bytes;
    }
    at = (at + p->align - 1) / p->align * p->align;
    return at == p->size || ck_wrong("check: --arg %zu to %zu have %llu bytes together, parameter %.200s %llu", from,
                                     to - 1, (unsigned long long)at, p->name, (unsigned long long)p->size);
}

/* The first argument from number k on that is given to a parameter. */
static size_t next_given(const struct check_args *args, size_t k)
{
    while (k < args->arg_count && args->args[k].apart)
        k++;
    return k;
}

/* Where each argument lies among the parameters; false where one does not fit the kernel's declarations. */
static bool lay_out(struct session *s)
{
    const struct check_args *args = s->args;
    const struct ptx_function *f = s->entry;
    size_t k = 0;

    if (args->captured)
        return true;
    for (uint32_t i = 0; i < f->n_params; i++) {
        const struct ptx_variable *p = &s->module->variables[f->params + i];
        k = next_given(args, k);
        const size_t first = k;
        if (k == args->arg_count)
            return ck_wrong("check: %s takes %u parameters; there is no --arg for %.200s (%llu bytes)", f->name,
                            f->n_params, p->name, (unsigned long long)p->size);
        if (p->space == PTX_reg || p->offset > PARAMS_MAX || p->size > PARAMS_MAX - p->offset)
            return ck_wrong("check: parameter %.200s is not one that a launch can give", p->name);
        for (k++; k < args->arg_count && args->args[k].joined; k++)
            ;
        if (k - first > 1) {
            if (!fit_parts(s, p, first, k))
                return false;
            continue;
        }
        const uint64_t have = bytes_of(&args->args[first], p->size);
        s->param[first] = p->offset;
        s->by_value[first] = have == TENSOR_MAP_BYTES;
        if (!fits_alone(first, &args->args[first], p, have))
            return false;
        if (args->args[first].kind == CHECK_MAP && s->by_value[first] && (p->align % 64 || p->offset % 64))
            return ck_wrong("check: --arg %zu '%.60s': a tensor map is aligned to 64 bytes, parameter %.200s to %u",
                            first, args->args[first].spec, p->name, p->align);
    }
    k = next_given(args, k);
    if (k < args->arg_count)
        return ck_wrong("check: %s takes %u parameters; none is left for --arg %zu '%.60s'", f->name, f->n_params, k,
                        args->args[k].spec);
    return true;
}

/* ---- buffers --------------------------------------------------------------------------------------------------- */

/* Reads the file of an in: argument, once; its size becomes the buffer's where none was given. */
static bool read_file(struct check_arg *a, uint64_t most)
{
    const char *reason;
    FILE *f = ck_file_open(a->file, &reason);
    const uint64_t want = a->size ? a->size : most;
    size_t room = 0;
    int why = 0;

    if (!f)
        return ck_wrong("check: --arg '%.60s': %.200s: %s", a->spec, a->file, reason);
    while (a->bytes < want && !why) {
        unsigned char *data = ck_room(a->data, a->bytes, &room, CHUNK, 1);
        if (!data) {
            why = ENOMEM;
            break;
        }
        a->data = data;
        const size_t step = room - a->bytes < want - a->bytes ? room - a->bytes : (size_t)(want - a->bytes);
        const size_t n = fread(a->data + a->bytes, 1, step, f);
        a->bytes += n;
        if (n < step) {
            why = ferror(f) ? errno : 0;
            break;
        }
    }
    ck_file_close(f);
    if (why)
        return ck_wrong("check: --arg '%.60s': %.200s: %s", a->spec, a->file, strerror(why));
    if (!a->bytes || (a->size && a->bytes < a->size))
        return ck_wrong("check: --arg '%.60s': %.200s has %zu bytes", a->spec, a->file, a->bytes);
    a->size = a->bytes;
    return true;
}

/* The bytes that a buffer has for a seed: the same in every schedule. */
static bool seeded(struct emu *e, uint64_t to, uint64_t size, uint64_t seed, size_t k)
{
    uint64_t chunk[CHUNK / 8], state = splitmix64(seed ^ splitmix64(k)) + SPLITMIX64_STEP;

    for (uint64_t done = 0; done < size; done += CHUNK) {
        const size_t n = size - done < CHUNK ? (size_t)(size - done) : CHUNK;
        for (size_t i = 0; i < (n + 7) / 8; i++)
            chunk[i] = splitmix64_next(&state);
        if (!emu_write(e, to + done, chunk, n))
            return false;
    }
    return true;
}

static bool make_buffer(struct session *s, size_t k)
{
    struct check_arg *a = &s->args->args[k];
    char name[32];

    snprintf(name, sizeof name, "--arg %zu", k);
    const bool filled = a->kind == CHECK_IN || (a->kind == CHECK_TEXTURE && !a->unwritten);
    s->at[k] = emu_alloc(s->machine, a->size, 256, filled, a->name ? a->name : name);
    if (!s->at[k])
        return ck_wrong("check: --arg %zu '%.60s': %llu bytes are more than --max-memory leaves", k, a->spec,
                        (unsigned long long)a->size);
    if (filled && !(a->data ? emu_write(s->machine, s->at[k], a->data, a->size)
                            : seeded(s->machine, s->at[k], a->size, s->args->options.seed, k)))
        return ck_wrong("check: --arg %zu '%.60s' could not be written", k, a->spec);
    return true;
}

/* Buffers first: maps and textures hold their addresses. */
static bool make_arguments(struct session *s, unsigned char *params)
{
    struct check_args *args = s->args;

    if (args->captured)
        return check_captured_make(args, s->machine, s->module, s->entry, params);
    for (size_t k = 0; k < args->arg_count; k++)
        if (check_has_bytes(&args->args[k]) && !make_buffer(s, k))
            return false;
    for (size_t k = 0; k < args->arg_count; k++) {
        const struct check_arg *a = &args->args[k];
        unsigned char *param = params + s->param[k];
        _Alignas(64) unsigned char object[TENSOR_MAP_BYTES];
        char name[32];
        snprintf(name, sizeof name, "--arg %zu", k);
        if (a->kind == CHECK_MAP) {
            struct tensor_map map = args->maps[a->map].map;
            map.address += s->at[args->maps[a->map].buffer];
            emu_map_encode(&map, object);
            if (s->by_value[k]) {
                memcpy(param, object, sizeof object);
                continue;
            }
            s->at[k] = emu_alloc(s->machine, sizeof object, 256, true, a->name ? a->name : name);
            if (!s->at[k] || !emu_write(s->machine, s->at[k], object, sizeof object))
                return ck_wrong("check: --arg %zu '%.60s': --max-memory leaves no room for it", k, a->spec);
        }
        if (a->kind == CHECK_TEXTURE) {
            const uint64_t texels = s->at[a->of_buffer ? a->buffer : k];
            if (!check_texture_make(args, k, s->machine, s->module, texels, param))
                return false;
            continue;
        }
        if (a->apart)
            continue;
        const uint64_t at = a->kind == CHECK_AT ? s->at[a->buffer] + a->offset : s->at[k];
        if (a->kind == CHECK_VALUE || a->kind == CHECK_BYTES)
            memcpy(param, a->data, a->bytes);
        else
            memcpy(param, &at, ADDRESS);
    }
    return true;
}

/* ---- what comes out -------------------------------------------------------------------------------------------- */

/* Writes a buffer to the file that --dump names. */
static bool dump(const struct session *s, size_t k)
{
    const struct check_arg *a = &s->args->args[k];
    unsigned char chunk[CHUNK];
    struct whole_file file;
    bool fine = whole_open(&file, a->dump);

    if (fine) {
        for (uint64_t done = 0; done < a->size && fine; done += CHUNK) {
            const size_t n = a->size - done < CHUNK ? (size_t)(a->size - done) : CHUNK;
            fine = emu_read(s->machine, chunk, s->at[k] + done, n) && fwrite(chunk, 1, n, file.to) == n;
        }
        fine = whole_close(&file, fine) && fine;
    }
    return fine || ck_wrong("check: --dump %zu=%.200s: %s", k, a->dump, strerror(errno));
}

/* ---- schedules ------------------------------------------------------------------------------------------------- */

/* One of them. */
struct schedule {
    unsigned number;
    bool told;                     /* its output, its buffers and its trace are the user's */
    bool again;                    /* it was run before, and is only looked at */
    uint64_t most;                 /* instructions after which it is cut short; 0: as the options say */
    const struct emu_watch *watch; /* who looks on beside the judge, NULL: nobody; */
    void *watch_state;             /* that watcher's own */
    struct check_result *into;     /* what it finds, NULL: it is run for its swaps alone */
};

/* Launches the kernel on the session's machine, and gathers what was found and written. */
static bool launch(struct session *s, const struct schedule *which, const struct emu_options *options,
                   const unsigned char *params)
{
    struct check_args *args = s->args;
    struct emu_report report;
    bool fine = true, ended;

    emu_launch(s->machine, s->entry->name, args->grid, args->block, args->explicit_cluster ? args->cluster : NULL,
               args->smem, params, s->entry->param_bytes, &report);
    s->by_turns |= report.in_vain;
    if (!which->into)
        return true;
    if (args->program && !which->again &&
        !args->program->ended(args->program->state, &(struct check_launched){ options, &report, s->machine, s->at }))
        s->enough = true;
    if (report.end == EMU_TOO_LONG && which->most)
        report.end = EMU_DONE; /* what it has found until now counts, but it has covered nothing */
    else
        check_covers(which->into, options);
    fine = check_gather(which->into, &(struct check_seen){ s->machine, args, s->at }, &report, which->number);
    if (args->captured && which->told && report.end == EMU_DONE)
        check_captured_compare(args, s->machine, s->module, which->into);
    ended = report.end == EMU_DONE || report.end == EMU_FAULTED || report.end == EMU_DEADLOCK;
    for (size_t k = 0; k < args->arg_count && which->told && ended && fine; k++)
        fine = !args->args[k].dump || dump(s, k);
    return fine;
}

static uint64_t clusters_of(const struct check_args *args)
{
    uint64_t n = 1;

    for (int i = 0; i < 3; i++)
        n *= args->grid[i] / args->cluster[i];
    return n;
}

static bool run_one(struct session *s, const struct schedule *which)
{
    struct check_args *args = s->args;
    struct emu_options options = args->options;
    struct check_progress progress;
    unsigned char *params;
    char why[256];
    bool fine;

    check_schedule(args, &s->swaps, which->number, &options);
    options.swaps = which->number || which->again ? NULL : &s->swaps;
    options.by_turns = s->by_turns;
    if (which->told)
        options.print = check_printed_open(args->program ? args->program->print : args->format ? stderr : stdout);
    if (which->most && (!options.max_instructions || which->most < options.max_instructions))
        options.max_instructions = which->most;
    if (which->watch) {
        options.watch = which->watch;
        options.watch_state = which->watch_state;
        options.jobs = 1;
    }
    if (which->told && args->program) {
        options.watch = args->program->watch;
        options.watch_state = args->program->state;
        options.jobs = 1;
    }
    if (check_progress_begin(&progress, clusters_of(args), which->number))
        options.progress = &progress.now;
    s->machine = emu_new(&options);
    params = calloc(1, s->entry->param_bytes + 1);
    fine = s->machine && params && (options.print || !which->told);
    if (!fine)
        ck_bad("no memory");
    if (fine && !emu_load(s->machine, s->module, why, sizeof why))
        fine = ck_wrong("check: %s: %s", args->file, why);
    fine = fine && make_arguments(s, params);
    if (fine && args->program)
        args->program->begins(args->program->state, s->at);
    fine = fine && launch(s, which, &options, params);
    if (options.progress)
        check_progress_end(&progress);
    free(params);
    emu_free(s->machine);
    s->machine = NULL;
    if (options.print)
        fclose(options.print);
    return fine;
}

/* A schedule, with its trace in the file that --trace names. */
static bool run_traced(struct session *s, struct schedule which)
{
    const char *path = s->args->trace;
    struct whole_file file;
    bool fine, written;

    if (!whole_open(&file, path))
        return ck_wrong("check: --trace %.200s: %s", path, strerror(errno));
    which.watch = &emu_trace_watch;
    which.watch_state = emu_trace_new(file.to);
    fine = which.watch_state ? run_one(s, &which) : ck_wrong("no memory");
    written = !which.watch_state || emu_trace_end(which.watch_state);
    written = whole_close(&file, fine && written) && written;
    return fine && (written || ck_wrong("check: --trace %.200s: %s", path, strerror(errno)));
}

static bool run_schedule(struct session *s, const struct schedule *which)
{
    return which->told && s->args->trace ? run_traced(s, *which) : run_one(s, which);
}

static bool run_schedules(struct session *s, struct check_result *result)
{
    const struct check_args *args = s->args;
    struct schedule which = { .told = true, .into = result };
    const struct schedule for_swaps = { .number = 0 };
    bool fine = true;
    uint64_t first;

    if (args->schedule_given) {
        which.number = args->schedule;
        if (check_schedule_needs_swaps(which.number))
            fine = run_one(s, &for_swaps);
        return fine && run_schedule(s, &which);
    }
    fine = run_schedule(s, &which);
    first = result->instructions;
    which.told = false;
    which.most = s->cut = args->schedules || args->randoms ? 0 : CUT_TIMES * first + CUT_MORE;
    for (which.number = 1; fine && !s->enough && check_one_more(args, &s->swaps, result, which.number, first);
         which.number++)
        fine = run_one(s, &which);
    result->one_for_all =
        result->settled && result->schedules == 1 && !result->count && !s->enough && !args->schedules && !args->randoms;
    return fine;
}

/* Runs the schedule of the picture once more, and writes it. */
static bool run_pictured(struct session *s, const struct check_result *result, FILE *to)
{
    const unsigned number = check_pictured(s->args, result);
    struct check_result shown = { 0 };
    struct picture_log *log = picture_log_new();
    const struct schedule which = { .number = number,
                                    .again = true,
                                    .most = number ? s->cut : 0,
                                    .watch = &picture_watch,
                                    .watch_state = log,
                                    .into = &shown };
    const bool fine =
        log ? run_one(s, &which) && check_picture(s->args, s->module, log, number, &shown, to) : ck_wrong("no memory");

    check_result_free(&shown);
    picture_log_free(log);
    return fine;
}

/* The same into the file that --html names, which stays as it was where that fails. */
static bool picture(struct session *s, const struct check_result *result)
{
    const char *path = s->args->html;
    struct whole_file file;
    bool fine;

    if (!whole_open(&file, path))
        return ck_wrong("check: --html %.200s: %s", path, strerror(errno));
    fine = run_pictured(s, result, file.to);
    return whole_close(&file, fine) ? fine : fine && ck_wrong("check: --html %.200s: %s", path, strerror(errno));
}

bool check_run(struct check_args *args, const struct ptx_module *m, const struct ptx_function *entry,
               struct check_result *result)
{
    struct session s = { .args = args, .module = m, .entry = entry };
    const uint64_t most = args->options.max_memory ? args->options.max_memory : 4ull << 30;
    bool fine = true;

    *result = (struct check_result){ .end = EMU_DONE };
    if (m->address_size != 64)
        return ck_wrong("check: %s: .address_size %u; the emulator has addresses of 64 bits", args->file,
                        m->address_size);
    if (!check_extents(args, entry) || !lay_out(&s))
        return false;
    for (size_t k = 0; k < args->arg_count && fine; k++)
        fine = !args->args[k].file || args->args[k].kind == CHECK_OUT || read_file(&args->args[k], most);
    fine = fine && run_schedules(&s, result);
    result->swaps = s.swaps.count;
    result->more_swaps = s.swaps.more;
    result->swap_clusters = s.swaps.clusters;
    if (fine && !check_fold(result, m))
        fine = ck_wrong("no memory");
    for (size_t i = 0; i < result->count && fine; i++)
        emu_name_layer(m, &result->found[i].finding);
    if (args->html && (result->leaders || !args->html_of_findings))
        fine = fine && picture(&s, result);
    emu_swaps_free(&s.swaps);
    return fine;
}
// SPDX-License-Identifier: Apache-2.0
