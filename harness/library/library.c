/* libcopycheck, by what the commands are made of. */
#include "harness/base/text.h"
#include "harness/library/copycheck.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expected/oracle.h"
#include "harness/base/append.h"
#include "harness/base/bad.h"
#include "harness/base/version.h"
#include "harness/check/check.h"
#include "harness/check/said.h"
#include "harness/emu/forms/form.h"
#include "harness/maps/maps.h"

enum { MESSAGE = 1200, WORDS = 64 };

/* Texts of a finding, which its struct points to. */
struct texts {
    char message[400], remedy[160], here_where[160], other_where[160];
    struct check_line here, other;
};

struct copycheck_result {
    enum copycheck_status status;
    char message[MESSAGE];
    char *text, *json, *printed;
    struct copycheck_finding *findings;
    struct texts *texts;
    size_t count;
};

/* A launch while it is judged. */
struct judging {
    const struct copycheck_launch *launch;
    struct copycheck_result *result;
    struct check_args *args;
    struct ck_growing words[WORDS + CHECK_ARGS + CHECK_MAPS]; /* the command line */
    char *argv[2 * (WORDS + CHECK_ARGS + CHECK_MAPS)];
    int argc;
};

int copycheck_interface(void)
{
    return COPYCHECK_INTERFACE;
}

const char *copycheck_version(void)
{
    return ck_version;
}

/* ---- the command line of a launch ---------------------------------------------------------------------------------
 */

static bool add(struct judging *j, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool add(struct judging *j, const char *format, ...)
{
    struct ck_growing *word = &j->words[j->argc];
    va_list args;
    bool fine;

    if ((size_t)j->argc == sizeof j->words / sizeof *j->words)
        return ck_wrong("too many arguments and options");
    va_start(args, format);
    fine = ck_grow_list(word, format, args);
    va_end(args);
    j->argv[j->argc] = word->data;
    j->argc += fine;
    return fine || ck_wrong("no memory");
}

static bool add_extent(struct judging *j, const char *name, const unsigned n[3])
{
    return !n[0] || add(j, "--%s=%u,%u,%u", name, n[0], n[1] ? n[1] : 1, n[2] ? n[2] : 1);
}

static bool add_value(struct judging *j, const struct copycheck_argument *a)
{
    struct ck_growing hex = { 0 };
    bool fine = true;

    for (size_t i = 0; i < a->bytes && fine; i++)
        fine = ck_grow(&hex, "%02x", ((const unsigned char *)a->data)[i]);
    fine = fine && hex.data ? add(j, "--arg=bytes:%s", hex.data) : ck_wrong("an argument is a value of no bytes");
    ck_growing_free(&hex);
    return fine;
}

static bool add_argument(struct judging *j, const struct copycheck_argument *a)
{
    switch (a->kind) {
    case COPYCHECK_VALUE: return add_value(j, a);
    case COPYCHECK_BUFFER: return add(j, "--arg=in:%zu", a->bytes);
    case COPYCHECK_UNWRITTEN: return add(j, "--arg=out:%zu", a->bytes);
    case COPYCHECK_MAP: return add(j, "--arg=map:M%zu", a->map);
    }
    return ck_wrong("an argument of no kind");
}

static bool make_words(struct judging *j)
{
    const struct copycheck_launch *l = j->launch;
    bool fine = add(j, "check") && add(j, "%s", l->name ? l->name : "module.ptx");

    if (l->entry)
        fine = fine && add(j, "--entry=%s", l->entry);
    fine = fine && add_extent(j, "grid", l->grid) && add_extent(j, "block", l->block) &&
           add_extent(j, "cluster", l->cluster);
    if (l->dynamic_bytes)
        fine = fine && add(j, "--smem=%u", l->dynamic_bytes);
    for (size_t i = 0; i < l->map_count && fine; i++) {
        char words[2048];
        snprintf(words, sizeof words, "%s", l->maps[i].words);
        for (char *p = words; *p; p++)
            *p = *p == ' ' ? ',' : *p;
        fine = add(j, "--map=M%zu=%s,buffer=%zu,offset=%zu", i, words, l->maps[i].buffer, l->maps[i].offset);
    }
    for (size_t i = 0; i < l->argument_count && fine; i++)
        fine = add_argument(j, &l->arguments[i]);
    for (size_t i = 0; l->options && l->options[i] && fine; i++)
        fine = add(j, "%s", l->options[i]);
    return fine;
}

/* Buffers have the caller's bytes. */
static bool fill(struct judging *j)
{
    for (size_t i = 0; i < j->launch->argument_count; i++) {
        const struct copycheck_argument *a = &j->launch->arguments[i];
        struct check_arg *to = &j->args->args[i];
        if (a->kind != COPYCHECK_BUFFER)
            continue;
        to->data = malloc(a->bytes + 1);
        if (!to->data)
            return ck_wrong("no memory for a buffer of %zu bytes", a->bytes);
        memcpy(to->data, a->data, a->bytes);
        to->bytes = a->bytes;
    }
    return true;
}

/* ---- what comes back ----------------------------------------------------------------------------------------------
 */

static void begins(void *state, const uint64_t *at)
{
    (void)state;
    (void)at;
}

/* What the first schedule has left in the buffers. */
static bool ended(void *state, const struct check_launched *launched)
{
    struct judging *j = state;

    if (launched->schedule->swaps)
        for (size_t i = 0; i < j->launch->argument_count; i++) {
            const struct copycheck_argument *a = &j->launch->arguments[i];
            if ((a->kind == COPYCHECK_BUFFER || a->kind == COPYCHECK_UNWRITTEN) && a->data)
                emu_read(launched->machine, a->data, launched->at[i], a->bytes);
        }
    return true;
}

static void place(struct copycheck_place *out, const struct emu_place *p, const struct check_line *line,
                  const char *where)
{
    *out = (struct copycheck_place){ .ptx_line = line->ptx, .ptx = line->text, .source = line->source, .where = where };
    if (p->known) {
        memcpy(out->thread, p->tid, sizeof out->thread);
        memcpy(out->block, p->ctaid, sizeof out->block);
    }
}

static bool take_findings(struct copycheck_result *r, const struct check_said *to)
{
    const struct check_result *from = to->result;

    r->findings = calloc(from->count + 1, sizeof *r->findings);
    r->texts = calloc(from->count + 1, sizeof *r->texts);
    if (!r->findings || !r->texts)
        return ck_wrong("no memory");
    for (size_t i = 0; i < from->count; i++) {
        const struct check_found *g = &from->found[i];
        struct copycheck_finding *f = &r->findings[r->count];
        struct texts *t = &r->texts[r->count];
        if (g->role != CHECK_LEADS)
            continue;
        snprintf(t->message, sizeof t->message, "%s", g->finding.message);
        snprintf(t->remedy, sizeof t->remedy, "%s", g->finding.remedy);
        snprintf(t->here_where, sizeof t->here_where, "%s", g->here.bytes);
        snprintf(t->other_where, sizeof t->other_where, "%s", g->there.bytes);
        t->here = check_line_of(to, &g->finding.here);
        t->other = check_line_of(to, &g->finding.there);
        f->rule = g->finding.rule ? g->finding.rule->id : "";
        f->sentence = g->finding.rule ? g->finding.rule->sentence : "";
        f->remark = g->finding.remark;
        f->message = t->message;
        f->remedy = t->remedy;
        place(&f->here, &g->finding.here, &t->here, t->here_where);
        place(&f->other, &g->finding.there, &t->other, t->other_where);
        r->count++;
    }
    return true;
}

/* The findings as text, and as JSON Lines. */
static bool take_texts(struct copycheck_result *r, struct check_said *to)
{
    const struct check_result *from = to->result;
    const bool findings = from->count > from->remarks;
    size_t bytes;

    to->out = open_memstream(&r->text, &bytes);
    if (!to->out)
        return ck_wrong("no memory");
    for (size_t i = 0; i < from->count; i++)
        if (from->found[i].role == CHECK_LEADS)
            (from->found[i].finding.remark ? check_say_remark : check_say_finding)(to, &from->found[i]);
    if (!emu_stopped(from->end) || findings)
        check_say_end(to, findings ? "diagnosed" : "clean");
    if (!ck_text_close(to->out, &r->text))
        return ck_wrong("no memory");
    to->out = open_memstream(&r->json, &bytes);
    if (!to->out)
        return ck_wrong("no memory");
    for (size_t i = 0; i < from->count; i++)
        check_write_finding(to, &from->found[i]);
    check_write_end(to);
    return ck_text_close(to->out, &r->json) || ck_wrong("no memory");
}

static void judge(struct judging *j, const struct ptx_module *m)
{
    struct copycheck_result *r = j->result;
    struct check_result result = { 0 };
    struct check_said to = { .args = j->args, .module = m, .result = &result };
    size_t bytes;
    FILE *print = open_memstream(&r->printed, &bytes);
    const struct check_program program = { .begins = begins, .ended = ended, .state = j, .print = print };

    j->args->program = &program;
    to.entry = check_entry(j->args, m);
    snprintf(to.file, sizeof to.file, "%s", j->args->file);
    if (print && to.entry && check_run(j->args, m, to.entry, &result)) {
        check_make_harmless(&result);
        r->status = result.count > result.remarks ? COPYCHECK_DIAGNOSED : COPYCHECK_CLEAN;
        if (emu_stopped(result.end)) {
            r->status = r->status == COPYCHECK_DIAGNOSED ? COPYCHECK_DIAGNOSED : COPYCHECK_NO_VERDICT;
            snprintf(r->message, sizeof r->message, "%s",
                     *result.message ? result.message : check_end_name(result.end));
        }
        if (!take_findings(r, &to) || !take_texts(r, &to))
            r->status = COPYCHECK_NO_VERDICT;
    }
    if (print && !ck_text_close(print, &r->printed))
        r->status = COPYCHECK_NO_VERDICT;
    check_result_free(&result);
}

struct copycheck_result *copycheck_check(const struct copycheck_launch *launch)
{
    struct copycheck_result *r = calloc(1, sizeof *r);
    struct judging *j = calloc(1, sizeof *j);
    char kept[MESSAGE] = "";

    if (!r || !j) {
        free(r);
        free(j);
        return NULL;
    }
    r->status = COPYCHECK_NO_VERDICT;
    *j = (struct judging){ .launch = launch, .result = r, .args = calloc(1, sizeof *j->args) };
    ck_bad_keep(kept, sizeof kept);
    if (j->args && make_words(j) && check_args_read(j->argc, j->argv, j->args) && fill(j)) {
        struct ptx_error error;
        struct ptx_module *m = ptx_read(launch->ptx, launch->ptx_bytes, NULL, &error);
        if (m)
            judge(j, m);
        else
            ptx_error_print(&error, j->args->file, r->message, sizeof r->message);
        ptx_free(m);
    }
    ck_bad_keep(NULL, 0);
    if (!*r->message)
        snprintf(r->message, sizeof r->message, "%s", kept);
    if (j->args)
        check_args_free(j->args);
    free(j->args);
    for (int i = 0; i < j->argc; i++)
        ck_growing_free(&j->words[i]);
    free(j);
    return r;
}

void copycheck_free(struct copycheck_result *r)
{
    if (!r)
        return;
    free(r->text);
    free(r->json);
    free(r->printed);
    free(r->findings);
    free(r->texts);
    free(r);
}

enum copycheck_status copycheck_status(const struct copycheck_result *r)
{
    return r->status;
}

const char *copycheck_message(const struct copycheck_result *r)
{
    return r->message;
}

static const char *text_or_none(const char *text)
{
    return text ? text : "";
}

const char *copycheck_text(const struct copycheck_result *r)
{
    return text_or_none(r->text);
}

const char *copycheck_json(const struct copycheck_result *r)
{
    return text_or_none(r->json);
}

const char *copycheck_printed(const struct copycheck_result *r)
{
    return text_or_none(r->printed);
}

size_t copycheck_count(const struct copycheck_result *r)
{
    return r->count;
}

const struct copycheck_finding *copycheck_finding(const struct copycheck_result *r, size_t i)
{
    return i < r->count ? &r->findings[i] : NULL;
}

/* ---- the rest -----------------------------------------------------------------------------------------------------
 */

int copycheck_parameter(const char *ptx, size_t ptx_bytes, const char *entry, size_t i, size_t *bytes, char type[16],
                        char *error, size_t error_size)
{
    struct ptx_error wrong;
    struct ptx_module *m = ptx_parse(ptx, ptx_bytes, NULL, &wrong);
    const struct ptx_function *f = NULL;
    struct check_args *args = m ? calloc(1, sizeof *args) : NULL;
    int status = 2;

    *bytes = 0;
    *type = *error = 0;
    if (!m) {
        ptx_error_print(&wrong, "module.ptx", error, error_size);
        return 2;
    }
    if (args) {
        args->file = "module.ptx";
        args->entry = entry;
        ck_bad_keep(error, error_size);
        f = check_entry(args, m);
        ck_bad_keep(NULL, 0);
    }
    if (f && i < f->n_params) {
        const struct ptx_variable *p = &m->variables[f->params + i];
        *bytes = p->size;
        snprintf(type, 16, "%s", ptx_word_text[p->type]);
        status = 0;
    } else if (f) {
        status = 1;
    }
    free(args);
    ptx_free(m);
    return status;
}

int copycheck_encode(const char *words, char *text, size_t size)
{
    enum { FAULTS = 64 };
    struct map_args args = { 0 };
    struct tensor_map map;
    struct tensor_map_fault faults[FAULTS];
    size_t count;
    int status = 0;

    *text = 0;
    if (strlen(words) >= sizeof args.words) {
        snprintf(text, size, "too many words");
        return 2;
    }
    snprintf(args.words, sizeof args.words, "%s", words);
    if (!map_args_read(&args, &map, text, size))
        return 2;
    count = tensor_map_check(&map, faults, FAULTS);
    for (size_t i = 0; i < count && i < FAULTS; i++) {
        const struct tensor_map_fault *f = &faults[i];
        status |= !f->tolerated;
        ck_append(text, size, "%s%s is %llu; it must be %s; the nearest legal value is %llu (%s: %s)%s",
                  *text ? "\n" : "", f->argument, (unsigned long long)f->value, f->limit,
                  (unsigned long long)f->nearest, f->rule->id, f->rule->sentence,
                  f->tolerated ? " Driver 580 accepts this all the same." : "");
    }
    return status;
}

int copycheck_assemble(const char *ptx, size_t ptx_bytes, char *text, size_t size)
{
    struct ptx_error error;
    struct ptx_module *m = ptx_read(ptx, ptx_bytes, NULL, &error);

    *text = 0;
    if (!m)
        ptx_error_print(&error, "module.ptx", text, size);
    ptx_free(m);
    return m ? 0 : 2;
}
// SPDX-License-Identifier: Apache-2.0
