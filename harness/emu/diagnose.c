/* Findings: what the emulator has to say, filed with the machine. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/emu/inside.h"

static bool is_filed(const struct emu *e, const struct ck_rule *rule, const struct ptx_instruction *here,
                     const struct ptx_instruction *there)
{
    for (size_t i = 0; i < e->finding_count; i++)
        if (e->findings[i].rule == rule && e->findings[i].here.at == here && e->findings[i].there.at == there)
            return true;
    return false;
}

bool emu_found(struct emu_grid *g, const struct ck_rule *rule, const struct ptx_instruction *here,
               const struct ptx_instruction *there)
{
    struct emu *e = g->machine;
    bool found;

    pthread_mutex_lock(&e->lock);
    found = is_filed(e, rule, here, there);
    pthread_mutex_unlock(&e->lock);
    return found;
}

void emu_find(struct emu_grid *g, const struct emu_finding *finding)
{
    struct emu *e = g->machine;

    pthread_mutex_lock(&e->lock);
    if (is_filed(e, finding->rule, finding->here.at, finding->there.at)) {
        pthread_mutex_unlock(&e->lock);
        return;
    }
    if (e->finding_count == e->finding_room) {
        const size_t room = e->finding_room ? e->finding_room * 2 : 8;
        struct emu_finding *more = realloc(e->findings, room * sizeof *more);
        if (!more) {
            pthread_mutex_unlock(&e->lock);
            return;
        }
        e->findings = more;
        e->finding_room = room;
    }
    e->findings[e->finding_count] = *finding;
    if (!*finding->remedy)
        snprintf(e->findings[e->finding_count].remedy, sizeof finding->remedy, "%s", emu_remedy(finding->rule));
    if (!finding->also[0])
        e->findings[e->finding_count].also[0] = emu_twin(finding->rule);
    e->finding_count++;
    pthread_mutex_unlock(&e->lock);
}

static void stop(struct emu_thread *t, enum emu_end end) __attribute__((noreturn));
static void stop(struct emu_thread *t, enum emu_end end)
{
    emu_run_of(t)->end = end;
    longjmp(t->cta->cluster->fault, 1);
}

void emu_place_of(const struct emu_thread *t, uint64_t address, uint64_t bytes, struct emu_place *out)
{
    *out = (struct emu_place){ .known = true,
                               .address = address,
                               .bytes = bytes,
                               .at = t->landing ? t->landing
                                     : t->pc    ? t->pc[-1].source
                                                : NULL };
    memcpy(out->ctaid, t->cta->ctaid, sizeof out->ctaid);
    memcpy(out->tid, t->tid, sizeof out->tid);
}

void emu_fault(struct emu_thread *t, const struct emu_finding *finding)
{
    struct emu_run *run = emu_run_of(t);

    emu_find(t->cta->cluster->grid, finding);
    snprintf(run->message, sizeof run->message, "%s", finding->message);
    stop(t, EMU_FAULTED);
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

/* What a thread's current instruction did wrong, in words, with where it stands behind them. */
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
    emu_find(t->cta->cluster->grid, &finding);
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
