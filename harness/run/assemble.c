/* Workers take the next text on the next engine from a shared counter and leave its outcome in shared memory, so an
 * engine that dies or hangs inside its worker costs that one outcome. */
#include "harness/run/assemble.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/text.h"
#include "harness/engines/message.h"

enum { JOBS_MAX = 256, SPARE_MS = 2000 };

struct item {
    _Atomic bool done;
    struct ck_assembled result;
};

/* One worker's place: what it works on (index + 1, 0 for none), and since when. */
struct place {
    _Atomic size_t item;
    _Atomic int64_t since_ms;
};

struct pool {
    const struct ck_assemble *a;
    struct ck_text standard; /* standard input, if asked for */
    char standard_error[256];
    size_t items;
    struct shared {
        _Atomic size_t next;
        struct place places[JOBS_MAX];
        struct item all[];
    } * shared;
    size_t bytes;
    pid_t workers[JOBS_MAX];
    unsigned jobs;
    int wake[2];
};

static volatile sig_atomic_t interrupted;

static void note_signal(int number)
{
    interrupted = number;
}

static int64_t now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

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

static void assemble_one(const struct pool *p, size_t index, bool *opened)
{
    const struct ck_assemble *a = p->a;
    const char *path = a->files[index / a->engine_count];
    struct ck_engine *e = &a->engines[index % a->engine_count];
    struct ck_assembled *r = &p->shared->all[index].result;
    const bool standard = !strcmp(path, "-");
    struct ck_text text = p->standard;
    char target[32];
    struct ck_ptx ptx = { .target = target };

    *r = (struct ck_assembled){ .bad = true };
    if (standard && p->standard_error[0])
        snprintf(r->outcome.message, sizeof r->outcome.message, "%s", p->standard_error);
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

static _Noreturn void work(struct pool *p, unsigned self, pid_t parent)
{
    struct place *place = &p->shared->places[self];
    bool *opened = calloc(p->a->engine_count, sizeof *opened);
    size_t i;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (!opened || getppid() != parent)
        _exit(1);
    signal(SIGINT, SIG_IGN); /* the parent ends its workers */
    signal(SIGTERM, SIG_DFL);
    close(p->wake[0]);
    while ((i = atomic_fetch_add(&p->shared->next, 1)) < p->items) {
        atomic_store(&place->since_ms, now_ms());
        atomic_store(&place->item, i + 1);
        assemble_one(p, i, &opened[i % p->a->engine_count]);
        atomic_store(&p->shared->all[i].done, true);
        atomic_store(&place->item, 0);
        if (write(p->wake[1], "", 1) < 0 && errno != EAGAIN) /* a full pipe wakes the parent as well */
            break;
    }
    for (size_t k = 0; k < p->a->engine_count; k++)
        if (opened[k])
            p->a->engines[k].ops->close(&p->a->engines[k]);
    _exit(0);
}

/* ---- in the parent --------------------------------------------------------------------------------------------- */

static bool start(struct pool *p, unsigned self)
{
    const pid_t parent = getpid();

    atomic_store(&p->shared->places[self].item, 0);
    p->workers[self] = fork();
    if (!p->workers[self])
        work(p, self, parent);
    return p->workers[self] > 0;
}

/* A worker died of what it worked on, or was ended for it: that is the outcome. */
static void blame(struct pool *p, unsigned self, int status, bool late)
{
    const size_t item = atomic_load(&p->shared->places[self].item);

    if (!item || atomic_load(&p->shared->all[item - 1].done))
        return;
    struct ck_assembled *r = &p->shared->all[item - 1].result;
    *r = (struct ck_assembled){ .outcome.kind = late ? CK_O_TIMEOUT : CK_O_CRASHED };
    if (late)
        snprintf(r->outcome.message, sizeof r->outcome.message, "did not end within %u ms", p->a->deadline_ms);
    else if (WIFSIGNALED(status))
        snprintf(r->outcome.message, sizeof r->outcome.message, "ended by signal %d (%s)",
                 (int)(r->outcome.code = WTERMSIG(status)), strsignal(WTERMSIG(status)));
    else
        snprintf(r->outcome.message, sizeof r->outcome.message, "ended with status %d",
                 (int)(r->outcome.code = WEXITSTATUS(status)));
    atomic_store(&p->shared->all[item - 1].done, true);
}

/* Ends workers that are over the deadline, and replaces those that died. Returns how many live. */
static unsigned tend(struct pool *p)
{
    unsigned live = 0;

    for (unsigned i = 0; i < p->jobs; i++) {
        struct place *place = &p->shared->places[i];
        int status;
        if (p->workers[i] <= 0)
            continue;
        /* An assembler ends itself at its own deadline; SPARE_MS covers opening an engine, and what that takes. */
        const bool late = atomic_load(&place->item) &&
                          now_ms() - atomic_load(&place->since_ms) > (int64_t)p->a->deadline_ms * 2 + SPARE_MS;
        if (late)
            kill(p->workers[i], SIGKILL);
        if (waitpid(p->workers[i], &status, late ? 0 : WNOHANG) != p->workers[i]) {
            live++;
            continue;
        }
        p->workers[i] = 0;
        blame(p, i, status, late);
        if (atomic_load(&p->shared->next) < p->items)
            live += start(p, i);
    }
    return live;
}

static void end_workers(struct pool *p)
{
    for (unsigned i = 0; i < p->jobs; i++)
        if (p->workers[i] > 0)
            kill(p->workers[i], SIGKILL);
    for (unsigned i = 0; i < p->jobs; i++)
        while (p->workers[i] > 0 && waitpid(p->workers[i], NULL, 0) < 0 && errno == EINTR)
            ;
}

/* No worker lives, and none could be started: what has no outcome will get none. */
static void give_up(struct pool *p)
{
    for (size_t i = 0; i < p->items; i++) {
        struct item *item = &p->shared->all[i];
        if (atomic_load(&item->done))
            continue;
        item->result = (struct ck_assembled){ .outcome.kind = CK_O_CRASHED };
        snprintf(item->result.outcome.message, sizeof item->result.outcome.message, "its worker process was lost");
        atomic_store(&item->done, true);
    }
}

static bool file_done(const struct pool *p, size_t file)
{
    for (size_t k = 0; k < p->a->engine_count; k++)
        if (!atomic_load(&p->shared->all[file * p->a->engine_count + k].done))
            return false;
    return true;
}

/* Hands finished files over, in order, until all are. */
static void deliver(struct pool *p, bool (*each)(void *, size_t, const struct ck_assembled *), void *context)
{
    struct ck_assembled *results = calloc(p->a->engine_count, sizeof *results);
    char bytes[4096];
    size_t file = 0;

    while (results && !interrupted) {
        for (; file < p->a->file_count && file_done(p, file); file++) {
            for (size_t k = 0; k < p->a->engine_count; k++)
                results[k] = p->shared->all[file * p->a->engine_count + k].result;
            if (!each(context, file, results)) {
                free(results);
                return;
            }
        }
        if (file == p->a->file_count)
            break;
        struct pollfd wake = { .fd = p->wake[0], .events = POLLIN };
        if (poll(&wake, 1, 100) > 0 && read(p->wake[0], bytes, sizeof bytes) < 0 && errno != EINTR)
            break;
        if (!tend(p))
            give_up(p);
    }
    free(results);
}

static bool prepare(struct pool *p, char *error, size_t size)
{
    const struct ck_assemble *a = p->a;

    p->items = a->file_count * a->engine_count;
    p->jobs = a->jobs < 1 ? 1 : a->jobs > JOBS_MAX ? JOBS_MAX : a->jobs;
    if (p->jobs > p->items)
        p->jobs = (unsigned)p->items;
    p->bytes = sizeof *p->shared + p->items * sizeof(struct item);
    p->shared = mmap(NULL, p->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p->shared == MAP_FAILED || pipe2(p->wake, O_CLOEXEC)) {
        snprintf(error, size, "cannot start: %s", strerror(errno));
        return false;
    }
    for (size_t i = 0; i < a->file_count; i++)
        if (!strcmp(a->files[i], "-")) {
            if (!ck_text_read("-", &p->standard, p->standard_error, sizeof p->standard_error))
                p->standard = (struct ck_text){ 0 };
            break;
        }
    return true;
}

bool ck_assemble_all(const struct ck_assemble *a,
                     bool (*each)(void *context, size_t file, const struct ck_assembled *results), void *context,
                     int *ended_by, char *error, size_t size)
{
    struct pool p = { .a = a };
    struct sigaction old_int, old_term;
    const struct sigaction noted = { .sa_handler = note_signal };
    bool any = false;

    *ended_by = 0;
    if (!prepare(&p, error, size))
        return false;
    interrupted = 0;
    sigaction(SIGINT, &noted, &old_int);
    sigaction(SIGTERM, &noted, &old_term);
    if (old_int.sa_handler == SIG_IGN) /* a shell started this in the background */
        sigaction(SIGINT, &old_int, NULL);
    fflush(NULL);
    for (unsigned i = 0; i < p.jobs; i++)
        any |= start(&p, i);
    if (any)
        deliver(&p, each, context);
    else
        snprintf(error, size, "cannot start a worker: %s", strerror(errno));
    end_workers(&p);
    sigaction(SIGINT, &old_int, NULL);
    sigaction(SIGTERM, &old_term, NULL);
    *ended_by = interrupted;
    close(p.wake[0]);
    close(p.wake[1]);
    ck_text_free(&p.standard);
    munmap(p.shared, p.bytes);
    return any;
}
