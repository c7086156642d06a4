/* Findings as other tools read them: lines as a compiler writes them, annotations on GitHub, and SARIF 2.1.0 (OASIS,
 * "Static Analysis Results Interchange Format"). */
#include <stdio.h>
#include <string.h>

#include "harness/base/annotation.h"
#include "harness/base/append.h"
#include "harness/base/clean.h"
#include "harness/base/json.h"
#include "harness/base/version.h"
#include "harness/check/said.h"

/* Where an instruction is: in the CUDA file that its author wrote, or in the PTX where that has no line table. */
struct site {
    const char *file;
    unsigned line, column; /* from 1; column 0: it is not known */
};

static struct site site_of(const struct check_said *to, const struct emu_place *p)
{
    const struct ptx_module *m = to->module;
    uint32_t loc;

    if (!p->known || !p->at)
        return (struct site){ to->file, to->entry->line, to->entry->column };
    loc = p->at->loc;
    for (unsigned depth = 0; loc != PTX_NO && depth < 256 && m->locs[loc].inlined_at < m->n_locs; depth++)
        loc = m->locs[loc].inlined_at;
    if (loc == PTX_NO || m->locs[loc].file == PTX_NO)
        return (struct site){ to->file, p->at->line, p->at->column };
    return (struct site){ m->files[m->locs[loc].file].name, m->locs[loc].line, m->locs[loc].column };
}

/* ---- lines as a compiler writes them ------------------------------------------------------------------------------
 */

static void write_line(const struct check_said *to, const struct site *s, const char *kind, const char *text,
                       const struct ck_rule *rule)
{
    char file[PATH_MAX];

    ck_clean_copy(file, sizeof file, s->file);
    fprintf(to->out, "%s:%u:%u: %s: %s", file, s->line, s->column ? s->column : 1, kind, text);
    if (rule)
        fprintf(to->out, " [%s]", rule->id);
    fputc('\n', to->out);
}

/* "thread 0,0,0 of CTA 0,0,0" */
static void say_thread(const struct emu_place *p, char *out, size_t size)
{
    snprintf(out, size, "thread %u,%u,%u of CTA %u,%u,%u", p->tid[0], p->tid[1], p->tid[2], p->ctaid[0], p->ctaid[1],
             p->ctaid[2]);
}

void check_write_line(const struct check_said *to, const struct check_found *g)
{
    const struct emu_finding *f = &g->finding;
    const struct site here = site_of(to, &f->here);
    char thread[100], text[200];

    write_line(to, &here, f->remark ? "warning" : "error", f->message, f->rule);
    if (f->there.known && f->there.at) {
        const struct site there = site_of(to, &f->there);
        say_thread(&f->there, thread, sizeof thread);
        snprintf(text, sizeof text, "the other access: %s", thread);
        write_line(to, &there, "note", text, NULL);
    }
    if (*f->remedy)
        write_line(to, &here, "note", f->remedy, NULL);
}

void check_write_annotation(const struct check_said *to, const struct check_found *g)
{
    const struct emu_finding *f = &g->finding;
    const struct site here = site_of(to, &f->here);
    char file[PATH_MAX], other[PATH_MAX], thread[100], text[PATH_MAX + 4000] = "";

    ck_append(text, sizeof text, "%s", f->message);
    if (f->there.known && f->there.at) {
        const struct site there = site_of(to, &f->there);
        say_thread(&f->there, thread, sizeof thread);
        ck_append(text, sizeof text, "\nthe other access: %s:%u, %s", ck_clean_copy(other, sizeof other, there.file),
                  there.line, thread);
    }
    if (*f->remedy)
        ck_append(text, sizeof text, "\n%s", f->remedy);
    ck_annotation_write(to->out, &(struct ck_annotation){ .kind = f->remark ? "warning" : "error",
                                                          .file = ck_clean_copy(file, sizeof file, here.file),
                                                          .line = here.line,
                                                          .column = here.column,
                                                          .title = f->rule ? f->rule->id : NULL,
                                                          .message = text });
}

/* ---- SARIF --------------------------------------------------------------------------------------------------------
 */

/* A path as a URI reference. */
static void write_uri(FILE *out, const char *path)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/+,@";

    fprintf(out, "\"%s", *path == '/' ? "file://" : "");
    for (; *path; path++)
        if (strchr(plain, *path))
            fputc(*path, out);
        else
            fprintf(out, "%%%02X", (unsigned char)*path);
    fputc('"', out);
}

static void write_location(const struct check_said *to, const struct emu_place *p, const char *message)
{
    const struct site s = site_of(to, p);

    fputs("{\"physicalLocation\":{\"artifactLocation\":{\"uri\":", to->out);
    write_uri(to->out, s.file);
    fprintf(to->out, "},\"region\":{\"startLine\":%u", s.line ? s.line : 1);
    if (s.column)
        fprintf(to->out, ",\"startColumn\":%u", s.column);
    fputs("}},\"logicalLocations\":[{\"kind\":\"function\"", to->out);
    json_write_member(to->out, "name", to->entry->name);
    fputs("}]", to->out);
    if (message) {
        fputs(",\"message\":{\"text\":", to->out);
        json_write_string(to->out, message);
        fputc('}', to->out);
    }
    fputc('}', to->out);
}

void check_write_sarif(const struct check_said *to, const struct check_found *g)
{
    const struct emu_finding *f = &g->finding;

    fputs(CHECK_SARIF_RULE, to->out); /* where exec looks for it */
    json_write_string(to->out, f->rule ? f->rule->id : "");
    fprintf(to->out, ",\"level\":\"%s\",\"message\":{\"text\":", f->remark ? "note" : "error");
    json_write_string(to->out, f->message);
    fputs("},\"locations\":[", to->out);
    write_location(to, &f->here, NULL);
    fputc(']', to->out);
    if (f->there.known && f->there.at) {
        fputs(",\"relatedLocations\":[", to->out);
        write_location(to, &f->there, "the other access");
        fputc(']', to->out);
    }
    fputc('}', to->out);
}

void check_sarif_begin(FILE *out)
{
    fputs(
        "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\"results\":[\n",
        out);
}

void check_sarif_end(FILE *out, const struct ck_rule *const *rules, size_t count, bool complete)
{
    fprintf(out, "\n],\"invocations\":[{\"executionSuccessful\":%s}],\"tool\":{\"driver\":{\"name\":\"copycheck\"",
            complete ? "true" : "false");
    json_write_member(out, "version", ck_version);
    fputs(",\"rules\":[", out);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%s{\"id\":", i ? "," : "");
        json_write_string(out, rules[i]->id);
        fputs(",\"shortDescription\":{\"text\":", out);
        json_write_string(out, rules[i]->sentence);
        fputs("},\"help\":{\"text\":", out);
        json_write_string(out, rules[i]->source);
        fputs("}}", out);
    }
    fputs("]}}}]}\n", out);
}
// SPDX-License-Identifier: Apache-2.0
