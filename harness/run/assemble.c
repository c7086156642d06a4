/* Each text on each engine is a task of a pool of workers (pool.h) that leaves its outcome in shared memory, so an
 * engine that dies or hangs inside its worker costs that one outcome. */
#include "harness/run/run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "harness/base/text.h"
#include "harness/run/pool.h"

enum { SPARE_MS = 2000 };

/* Task i is the text i / engines on the engine i % engines. */
struct state {
    const struct ck_assemble *a;
    bool (*each)(void *context, size_t file, const struct ck_assembled *results);
    void *context;
    struct ck_text standard; /* standard input, if asked for */
    char standard_error[256];
    size_t count;                 /* of tasks */
    size_t *tasks;                /* 0 to count - 1 */
    bool *done;                   /* of each task; the parent's */
    bool *opened;                 /* of each engine; a worker's own */
    struct ck_assembled *results; /* of each task, shared with the workers */
    size_t next;                  /* file to be handed over */
    bool refused;                 /* `each` wants no more */
};

/* ---- in a worker ----------------------------------------------------------------------------------------------- */

static void one_line(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ')
            *text = ' ';
}

static void find_rule(const struct ck_text *text, struct ck_outcome *out)
{
    char statement[512];

    if (out->rule[0] || out->kind != CK_O_REFUSED)
        return;
    ck_text_statement(text->data, out->line, statement, sizeof statement);
    const struct ck_rule *rule = ck_message_rule(statement, out->message);
    if (rule)
        snprintf(out->rule, sizeof out->rule, "%s", rule->id);
}

static void assemble_one(const struct state *s, size_t index)
{
    const struct ck_assemble *a = s->a;
    const char *path = a->files[index / a->engine_count];
    struct ck_engine *e = &a->engines[index % a->engine_count];
    bool *opened = &s->opened[index % a->engine_count];
    struct ck_assembled *r = &s->results[index];
    const bool standard = !strcmp(path, "-");
    struct ck_text text = s->standard;
    char target[32];
    struct ck_ptx ptx = { .target = target };

    *r = (struct ck_assembled){ .bad = true };
    if (standard && s->standard_error[0])
        snprintf(r->outcome.message, sizeof r->outcome.message, "%s", s->standard_error);
    else if ((standard || ck_text_read(path, &text, r->outcome.message, sizeof r->outcome.message)) &&
             ck_text_head(path, &text, &ptx.version, target, r->outcome.message, sizeof r->outcome.message)) {
        r->bad = false;
        ptx.text = text.data;
        ptx.size = text.size;
        if (!*opened)
            *opened = e->ops->open(e, &r->outcome);
        if (*opened) {
            e->ops->assemble(e, &ptx, &r->outcome);
            find_rule(&text, &r->outcome);
        }
    }
    one_line(r->outcome.message);
    if (!standard)
        ck_text_free(&text);
}

/* An assembler ends itself at its own deadline; SPARE_MS covers opening an engine, and what that takes. */
static bool work(void *context, struct ck_seat *seat, size_t task)
{
    const struct state *s = context;

    ck_seat_limit(seat, s->a->deadline_ms * 2 + SPARE_MS);
    assemble_one(s, task);
    return true;
}

static void leave(void *context)
{
    const struct state *s = context;

    for (size_t k = 0; k < s->a->engine_count; k++)
        if (s->opened[k])
            s->a->engines[k].ops->close(&s->a->engines[k]);
}

/* ---- in the parent --------------------------------------------------------------------------------------------- */

static void done(void *context, size_t task)
{
    struct state *s = context;

    s->done[task] = true;
}

/* A worker died of what it worked on, or was ended for it: that is the outcome. */
static void died(void *context, size_t task, bool alone, const struct ck_death *how)
{
    struct state *s = context;
    struct ck_outcome *out = &s->results[task].outcome;

    (void)alone;
    s->results[task] = (struct ck_assembled){ .outcome.kind = how->late_ms ? CK_O_TIMEOUT : CK_O_CRASHED };
    if (how->late_ms) {
        snprintf(out->message, sizeof out->message, "did not end within %u ms", s->a->deadline_ms);
    } else if (WIFSIGNALED(how->status)) {
        out->code = WTERMSIG(how->status);
        snprintf(out->message, sizeof out->message, "ended by signal %ld (%s)", out->code, strsignal((int)out->code));
    } else {
        out->code = WEXITSTATUS(how->status);
        snprintf(out->message, sizeof out->message, "ended with status %ld", out->code);
    }
    s->done[task] = true;
}

static bool file_done(const struct state *s, size_t file)
{
    for (size_t k = 0; k < s->a->engine_count; k++)
        if (!s->done[file * s->a->engine_count + k])
            return false;
    return true;
}

/* Hands finished files over, in order. */
static bool deliver(void *context)
{
    struct state *s = context;

    for (; !s->refused && s->next < s->a->file_count && file_done(s, s->next); s->next++)
        s->refused = !s->each(s->context, s->next, &s->results[s->next * s->a->engine_count]);
    return !s->refused;
}

/* What has no outcome will get none: its worker was lost between two texts, or no further one could be started. */
static void give_up(struct state *s)
{
    for (size_t i = 0; i < s->count; i++) {
        struct ck_outcome *out = &s->results[i].outcome;
        if (s->done[i])
            continue;
        s->results[i] = (struct ck_assembled){ .outcome.kind = CK_O_CRASHED };
        snprintf(out->message, sizeof out->message, "its worker process was lost");
        s->done[i] = true;
    }
}

static bool prepare(struct state *s)
{
    const struct ck_assemble *a = s->a;

    s->count = a->file_count * a->engine_count;
    s->tasks = calloc(s->count + 1, sizeof *s->tasks);
    s->done = calloc(s->count + 1, sizeof *s->done);
    s->opened = calloc(a->engine_count + 1, sizeof *s->opened);
    s->results = mmap(NULL, (s->count + 1) * sizeof *s->results, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (!s->tasks || !s->done || !s->opened || s->results == MAP_FAILED)
        return false;
    for (size_t i = 0; i < s->count; i++)
        s->tasks[i] = i;
    for (size_t i = 0; i < a->file_count; i++)
        if (!strcmp(a->files[i], "-")) {
            if (!ck_text_read("-", &s->standard, s->standard_error, sizeof s->standard_error))
                s->standard = (struct ck_text){ 0 };
            break;
        }
    return true;
}

static void put_away(struct state *s)
{
    ck_text_free(&s->standard);
    free(s->tasks);
    free(s->done);
    free(s->opened);
    if (s->results != MAP_FAILED)
        munmap(s->results, (s->count + 1) * sizeof *s->results);
}

bool ck_assemble_all(const struct ck_assemble *a,
                     bool (*each)(void *context, size_t file, const struct ck_assembled *results), void *context,
                     int *ended_by, char *error, size_t size)
{
    static const struct ck_pool_ops ops = { .work = work, .leave = leave, .done = done, .died = died, .turn = deliver };
    struct state s = { .a = a, .each = each, .context = context, .results = MAP_FAILED };
    const unsigned jobs = a->jobs < 1 ? 1 : a->jobs;
    struct ck_pool *pool = ck_pool_new(&ops, &s, jobs);
    bool started = false;

    *ended_by = 0;
    if (!pool || !prepare(&s) || !ck_pool_line(pool, s.tasks, s.count, jobs)) {
        snprintf(error, size, "cannot start: %s", strerror(errno));
    } else {
        const enum ck_pool_end end = ck_pool_run(pool, ended_by);
        started = end != CK_POOL_STUCK || s.next > 0;
        if (!started)
            snprintf(error, size, "cannot start a worker: %s", strerror(errno));
        if (started && (end == CK_POOL_COMPLETE || end == CK_POOL_STUCK)) {
            give_up(&s);
            deliver(&s);
        }
    }
    ck_pool_free(pool);
    put_away(&s);
    return started;
}
// SPDX-License-Identifier: Apache-2.0
