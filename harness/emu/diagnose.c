/* Findings: what the emulator has to say, filed with the machine. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/emu/inside.h"

static bool same(const struct emu_finding *a, const struct emu_finding *b)
{
    return a->rule == b->rule && a->here.at == b->here.at && a->there.at == b->there.at;
}

void emu_find(struct emu_grid *g, const struct emu_finding *finding)
{
    struct emu *e = g->machine;

    pthread_mutex_lock(&e->lock);
    for (size_t i = 0; i < e->finding_count; i++)
        if (same(&e->findings[i], finding)) {
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
    e->findings[e->finding_count++] = *finding;
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

void emu_bad_access(struct emu_thread *t, const struct ck_rule *rule, uint64_t address, uint64_t bytes,
                    const char *format, ...)
{
    struct emu_finding finding = { .rule = rule };
    char text[160] = "", source[120] = "";
    va_list args;
    size_t n;

    emu_place_of(t, address, bytes, &finding.here);
    va_start(args, format);
    vsnprintf(finding.message, sizeof finding.message, format, args);
    va_end(args);
    if (finding.here.at) {
        ptx_print(emu_run_of(t)->image->module, t->frame->code->function, finding.here.at, text, sizeof text);
        ptx_source(emu_run_of(t)->image->module, finding.here.at, source, sizeof source);
    }
    n = strlen(finding.message);
    snprintf(finding.message + n, sizeof finding.message - n, " (thread %u,%u,%u of CTA %u,%u,%u, line %u: %s%s%s)",
             t->tid[0], t->tid[1], t->tid[2], t->cta->ctaid[0], t->cta->ctaid[1], t->cta->ctaid[2],
             finding.here.at ? finding.here.at->line : 0, text, *source ? " " : "", source);
    emu_fault(t, &finding);
}
