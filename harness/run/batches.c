/* Rows that an assembler judges together. */
#include "harness/run/batches.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "harness/base/room.h"
#include "harness/engines/ptxas.h"

enum {
    ROWS = 64,    /* of a batch: an accepted one takes 80 ms, one row alone 15 ms */
    ROUNDS = 12,  /* of modules; one that cannot be parsed shows one row of those that are wrong */
    LOG = 131072, /* bytes that an assembler may print of a batch */
};

/* ---- which rows ------------------------------------------------------------------------------------------------- */

/* Whether the row does not say what must come of it. Such rows keep to themselves, as a compiler may die of one. */
static bool is_open(const struct ck_point *p)
{
    return !strcmp(ck_point_expected(p), "seen");
}

/* The batch that a row goes to; NULL: out of memory. */
static struct batch *batch_for(struct batches *b, size_t from, unsigned engine, const struct ck_fragment *row,
                               bool open)
{
    struct batch *last;

    for (size_t i = b->count; i-- > from;) {
        struct batch *have = &b->all[i];
        if (have->count < ROWS && have->open == open && have->rows[0].version == row->version &&
            !strcmp(have->rows[0].target, row->target))
            return have;
    }
    struct batch *all = ck_room(b->all, b->count, &b->room, 64, sizeof *all);
    if (!all)
        return NULL;
    b->all = all;
    last = &b->all[b->count];
    *last = (struct batch){ .engine = engine, .open = open };
    last->jobs = calloc(ROWS, sizeof *last->jobs);
    last->rows = calloc(ROWS, sizeof *last->rows);
    b->count++;
    return last->jobs && last->rows ? last : NULL;
}

static bool add_engine(struct batches *b, const struct queues *q, unsigned engine)
{
    const struct queue *queue = &q->queues[engine];
    const size_t from = b->count;

    for (size_t i = 0; i < queue->texts; i++) {
        const size_t job = queue->jobs[i];
        const struct ck_point *p = q->jobs[job].point;
        struct ck_fragment row;
        if (!ck_fragment(p, &row))
            continue;
        if (!ck_fragment_joins(&row)) {
            ck_fragment_free(&row);
            continue;
        }
        struct batch *batch = batch_for(b, from, engine, &row, is_open(p));
        if (!batch) {
            ck_fragment_free(&row);
            return false;
        }
        batch->jobs[batch->count] = job;
        batch->rows[batch->count++] = row;
    }
    return true;
}

bool ck_batches_make(struct batches *b, const struct queues *q, const struct ck_run *run)
{
    *b = (struct batches){ .jobs = q->count };
    b->known = mmap(NULL, (q->count + 1) * sizeof *b->known, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (b->known == MAP_FAILED) {
        b->known = NULL;
        return false;
    }
    for (unsigned e = 0; e < run->engine_count && !run->alone && run->repeat < 2; e++)
        if (run->engines[e].ops->tells_lines && !add_engine(b, q, e))
            return false;
    b->tasks = calloc(b->count + 1, sizeof *b->tasks);
    for (size_t i = 0; b->tasks && i < b->count; i++)
        b->tasks[i] = q->count + i;
    return b->tasks != NULL;
}

void ck_batches_free(struct batches *b)
{
    for (size_t i = 0; i < b->count; i++) {
        for (size_t k = 0; k < b->all[i].count; k++)
            ck_fragment_free(&b->all[i].rows[k]);
        free(b->all[i].rows);
        free(b->all[i].jobs);
    }
    free(b->all);
    free(b->tasks);
    if (b->known)
        munmap(b->known, (b->jobs + 1) * sizeof *b->known);
}

const struct ck_outcome *ck_batch_known(const struct batches *b, size_t job)
{
    const struct known *k = &b->known[job];

    return atomic_load(&k->is) ? &k->outcome : NULL;
}

/* ---- asking ----------------------------------------------------------------------------------------------------- */

/* A module of a batch's rows that have no answer yet, and what was said of each. */
struct asked {
    const struct ck_fragment *rows[ROWS];
    size_t jobs[ROWS];
    size_t count;
    int lines[ROWS + 1];
    struct said {
        bool refused, warned;
        char message[512]; /* the first of that kind, an error before a warning */
    } said[ROWS];
    uint64_t machine[ROWS];
    char log[LOG];
};

/* Notes the outcome of a row where it is what the row expects, if it expects any; a mutant's expects the other one. */
static void note(const struct batches *b, const struct queues *q, size_t job, const struct ck_outcome *out,
                 const char *message)
{
    const struct ck_point *p = q->jobs[job].point;
    const bool accept = (p->side == CK_ACCEPT) != p->mutant;
    struct known *k = &b->known[job];

    if (out->kind != CK_O_UNSUPPORTED && !is_open(p) && (out->kind == CK_O_DONE) != accept)
        return;
    k->outcome = *out;
    k->outcome.line = 0;
    memset(k->outcome.message, 0, sizeof k->outcome.message);
    memcpy(k->outcome.message, message, strnlen(message, sizeof k->outcome.message - 1));
    atomic_store(&k->is, true);
}

static size_t row_of(const struct asked *a, int line)
{
    size_t i = 0;

    while (i < a->count && line >= a->lines[i + 1])
        i++;
    return line >= a->lines[0] ? i : a->count;
}

/* Whether the message is the one that ends every list of errors. */
static bool is_last_word(const struct ck_ptxas_message *m)
{
    return !m->line && strstr(m->text, "aborted due to errors");
}

/* Reads what was printed; false where anything of it is about no row's lines. */
static bool read_log(struct asked *a)
{
    const char *at = a->log;
    struct ck_ptxas_message m;

    memset(a->said, 0, sizeof a->said);
    if (strlen(a->log) + 1 >= sizeof a->log)
        return false; /* it may be cut off */
    while (ck_ptxas_next(&at, &m)) {
        const size_t row = row_of(a, m.line);
        if (is_last_word(&m))
            continue;
        if (row == a->count)
            return false;
        struct said *s = &a->said[row];
        if (m.refuses ? s->refused : s->refused || s->warned)
            continue;
        s->refused |= m.refuses;
        s->warned |= !m.refuses;
        memcpy(s->message, m.text, strnlen(m.text, sizeof s->message - 1) + 1);
        s->message[sizeof s->message - 1] = 0;
    }
    return true;
}

/* Asks for the rows that are left. True where some of them have an answer and others have none. */
static bool ask(const struct batches *b, const struct queues *q, struct asked *a, struct ck_engine *e)
{
    struct ck_outcome out = { 0 };
    size_t left = 0;
    char *text = ck_fragment_module(a->rows, a->count, a->lines);

    if (!text)
        return false;
    a->log[0] = 0;
    memset(a->machine, 0, sizeof a->machine);
    e->ops->assemble(e,
                     &(struct ck_ptx){ .text = text,
                                       .size = strlen(text),
                                       .target = a->rows[0]->target,
                                       .version = a->rows[0]->version,
                                       .machine = a->machine,
                                       .entries = a->count,
                                       .log = a->log,
                                       .log_size = sizeof a->log },
                     &out);
    free(text);
    const bool all = out.kind == CK_O_UNSUPPORTED || out.kind == CK_O_DONE;
    if (!all && out.kind != CK_O_REFUSED)
        return false;
    if (out.kind != CK_O_UNSUPPORTED && !read_log(a))
        return false;
    for (size_t i = 0; i < a->count; i++) {
        if (all || a->said[i].refused) {
            out.machine = out.kind == CK_O_DONE ? a->machine[i] : 0;
            note(b, q, a->jobs[i], &out, out.kind == CK_O_UNSUPPORTED ? out.message : a->said[i].message);
            continue;
        }
        a->rows[left] = a->rows[i];
        a->jobs[left++] = a->jobs[i];
    }
    const bool some = left < a->count;
    a->count = left;
    return some && left;
}

void ck_batch_ask(const struct batches *b, const struct queues *q, size_t number, struct ck_engine *e,
                  struct ck_seat *seat, unsigned ms)
{
    const struct batch *batch = &b->all[number];
    struct asked *a = calloc(1, sizeof *a);

    if (!a)
        return;
    a->count = batch->count;
    for (size_t i = 0; i < batch->count; i++) {
        a->rows[i] = &batch->rows[i];
        a->jobs[i] = batch->jobs[i];
    }
    for (int round = 0; round < ROUNDS; round++) {
        ck_seat_limit(seat, ms);
        if (!ask(b, q, a, e))
            break;
    }
    free(a);
}
// SPDX-License-Identifier: Apache-2.0
