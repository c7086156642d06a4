/* Findings are filed with the cluster that makes them, then with the machine. */
#include "harness/emu/machine/findings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/room.h"
#include "harness/emu/machine/remedy.h"
#include "harness/emu/machine/thread.h"

/* Where findings of this host thread go; NULL: to the machine. */
static _Thread_local struct emu_findings *into;

void emu_file_into(struct emu_findings *to)
{
    into = to;
}

/* The finding of this rule at these instructions; `count` where there is none. */
static size_t find_filed(const struct emu_findings *f, const struct ck_rule *rule, const struct ptx_instruction *here,
                         const struct ptx_instruction *there)
{
    size_t i = 0;

    while (i < f->count && (f->all[i].rule != rule || f->all[i].here.at != here || f->all[i].there.at != there))
        i++;
    return i;
}

bool emu_filed(struct emu_grid *g, const struct ck_rule *rule, const struct ptx_instruction *here,
               const struct ptx_instruction *there)
{
    const struct emu_findings *f = into ? into : &g->machine->findings;

    return find_filed(f, rule, here, there) < f->count;
}

static bool append(struct emu_findings *f, const struct emu_finding *finding, uint64_t cluster)
{
    struct emu_finding *all = ck_room(f->all, f->count, &f->room, 8, sizeof *all);

    if (!all) {
        f->lost = true;
        return false;
    }
    f->all = all;
    all[f->count] = *finding;
    all[f->count].cluster = cluster;
    f->count++;
    return true;
}

static void file(struct emu_findings *f, const struct emu_finding *finding, uint64_t cluster)
{
    struct emu_finding *filed;

    if (!append(f, finding, cluster))
        return;
    filed = &f->all[f->count - 1];
    if (!*filed->remedy)
        snprintf(filed->remedy, sizeof filed->remedy, "%s", emu_remedy(filed->rule));
    if (!filed->also[0])
        filed->also[0] = emu_twin(filed->rule);
}

void emu_file(struct emu_grid *g, const struct emu_finding *finding)
{
    struct emu_findings *f = into ? into : &g->machine->findings;

    if (find_filed(f, finding->rule, finding->here.at, finding->there.at) == f->count)
        file(f, finding, 0);
}

/* Of clusters that found the same, the one with the lowest number keeps it: whether this one does. */
static bool is_first(struct emu_findings *all, const struct emu_finding *f, uint64_t cluster)
{
    const size_t k = find_filed(all, f->rule, f->here.at, f->there.at);

    if (k < all->count && all->all[k].cluster <= cluster)
        return false;
    if (k < all->count) {
        all->count--;
        memmove(&all->all[k], &all->all[k + 1], (all->count - k) * sizeof *all->all);
    }
    return true;
}

void emu_file_of(struct emu_grid *g, const struct emu_finding *finding, uint64_t cluster)
{
    struct emu_findings *f = into ? into : &g->machine->findings;

    if (is_first(f, finding, cluster))
        file(f, finding, cluster);
}

void emu_file_cluster(struct emu *e, struct emu_run *run)
{
    struct emu_findings *all = &e->findings;

    pthread_mutex_lock(&e->lock);
    for (size_t i = 0; i < run->findings.count; i++)
        if (is_first(all, &run->findings.all[i], run->number))
            append(all, &run->findings.all[i], run->number);
    all->lost |= run->findings.lost;
    pthread_mutex_unlock(&e->lock);
    emu_findings_free(&run->findings);
}

static bool comes_before(const struct emu_finding *a, const struct emu_finding *b)
{
    return a->remark == b->remark ? a->cluster < b->cluster : b->remark;
}

/* By insertion: findings are few, and mostly sorted. */
void emu_findings_sort(struct emu_findings *f)
{
    for (size_t i = 1; i < f->count; i++) {
        const struct emu_finding moved = f->all[i];
        size_t k = i;
        for (; k && comes_before(&moved, &f->all[k - 1]); k--)
            f->all[k] = f->all[k - 1];
        f->all[k] = moved;
    }
}

void emu_findings_free(struct emu_findings *f)
{
    free(f->all);
    *f = (struct emu_findings){ 0 };
}

static void stop(struct emu_thread *t, enum emu_end end) __attribute__((noreturn));
static void stop(struct emu_thread *t, enum emu_end end)
{
    emu_run_of(t)->end = end;
    longjmp(t->cta->cluster->fault, 1);
}

void emu_place_of(const struct emu_thread *t, uint64_t address, uint64_t bytes, struct emu_place *out)
{
    emu_place_at(t, t->landing ? t->landing : t->pc ? t->pc[-1].source : NULL, address, bytes, out);
}

void emu_place_at(const struct emu_thread *t, const struct ptx_instruction *at, uint64_t address, uint64_t bytes,
                  struct emu_place *out)
{
    *out = (struct emu_place){ .known = true, .address = address, .bytes = bytes, .at = at };
    memcpy(out->ctaid, t->cta->ctaid, sizeof out->ctaid);
    memcpy(out->tid, t->tid, sizeof out->tid);
}

void emu_fault(struct emu_thread *t, const struct emu_finding *finding)
{
    struct emu_run *run = emu_run_of(t);

    emu_file(t->cta->cluster->grid, finding);
    snprintf(run->message, sizeof run->message, "%s", finding->message);
    stop(t, EMU_FAULTED);
}

void emu_starve(struct emu_thread *t, const char *what)
{
    struct emu_run *run = emu_run_of(t);

    snprintf(run->message, sizeof run->message, "out of memory for %s", what);
    stop(t, EMU_NO_MEMORY);
}

void emu_unsupported(struct emu_thread *t, const struct ptx_instruction *i)
{
    struct emu_run *run = emu_run_of(t);
    char text[200] = "";

    if (i)
        ptx_print(run->image->module, t->frame->code->function, i, text, sizeof text);
    snprintf(run->message, sizeof run->message, "unsupported: %u: %s", i ? i->line : 0, text);
    stop(t, EMU_UNSUPPORTED);
}

/* What a thread's current instruction did wrong, in words, and behind them which thread, line and instruction it was.
 */
static void describe(struct emu_thread *t, struct emu_finding *finding, const char *format, va_list args)
{
    const struct ptx_module *m = emu_run_of(t)->image->module;
    const struct ptx_instruction *at = finding->here.at;
    const struct ptx_function *f = at ? ptx_function_of(m, at) : NULL;
    char text[160] = "", source[120] = "";
    size_t n;

    vsnprintf(finding->message, sizeof finding->message, format, args);
    if (f)
        ptx_print(m, f, at, text, sizeof text);
    if (at)
        ptx_source(m, at, source, sizeof source);
    n = strlen(finding->message);
    snprintf(finding->message + n, sizeof finding->message - n, " (thread %u,%u,%u of CTA %u,%u,%u, line %u: %s%s%s)",
             t->tid[0], t->tid[1], t->tid[2], t->cta->ctaid[0], t->cta->ctaid[1], t->cta->ctaid[2], at ? at->line : 0,
             text, *source ? " " : "", source);
}

void emu_complain(struct emu_thread *t, const struct ck_rule *rule, const struct ck_rule *also, uint64_t address,
                  uint64_t bytes, const char *format, ...)
{
    struct emu_finding finding = { .rule = rule, .also = { also } };
    va_list args;

    emu_place_of(t, address, bytes, &finding.here);
    va_start(args, format);
    describe(t, &finding, format, args);
    va_end(args);
    emu_file(t->cta->cluster->grid, &finding);
}

void emu_bad_access(struct emu_thread *t, const struct ck_rule *rule, uint64_t address, uint64_t bytes,
                    const char *format, ...)
{
    struct emu_finding finding = { .rule = rule ? rule : t->bounds[0], .also = { rule ? NULL : t->bounds[1] } };
    va_list args;

    emu_place_of(t, address, bytes, &finding.here);
    va_start(args, format);
    describe(t, &finding, format, args);
    va_end(args);
    emu_fault(t, &finding);
}
// SPDX-License-Identifier: Apache-2.0
