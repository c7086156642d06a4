/* A report's README. */
#include "harness/repro/readme.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "harness/records/compare.h"
#include "harness/run/run.h"

/* "nvidia-h200-580" of a path. */
static void stem(const char *path, char *out, size_t size)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');

    snprintf(out, size, "%.*s", (int)(dot ? dot - name : (long)strlen(name)), name);
}

/* A line of the table. */
static bool tell(struct ck_growing *told, const struct ck_run_head *head, const struct ck_record *r)
{
    char machine[256];

    ck_machine_name(head, machine, sizeof machine);
    return ck_grow(told, "| %s | %s | %s | %s%s%s | %s |\n", head->device ? machine : "any", r->engine,
                   ck_verdict_names[r->verdict], r->outcome ? r->outcome : "", r->seen && *r->seen ? "; " : "",
                   r->seen ? r->seen : "", head->toolkit ? head->toolkit : "");
}

static bool write_records(const char *to, const struct ck_record_file *file, const char *point)
{
    struct ck_run_head head = ck_head_kept(&file->head);
    uint64_t digest = 0;
    unsigned long count = 0;
    FILE *f = fopen(to, "w");
    bool ok = f != NULL;

    for (size_t i = 0; i < file->count; i++)
        head.planned = (count += !strcmp(file->records[i].point, point));
    head.usual = false;
    ok = ok && ck_write_head(f, &head, NULL);
    for (size_t i = 0; i < file->count && ok; i++)
        if (!strcmp(file->records[i].point, point)) {
            ok = ck_write_record(f, &file->records[i], NULL);
            digest += ck_record_digest(&file->records[i]);
        }
    ok = ok && ck_write_end(f, count, digest, NULL);
    return f && fclose(f) == 0 && ok;
}

bool readme_records(const struct repro *r, const char *path, struct ck_growing *told, char *error, size_t size)
{
    struct ck_record_file file;
    char name[200], to[PATH_MAX];
    bool any = false, ok = true;

    if (!ck_read_records(path, &file, error, size))
        return false;
    for (size_t i = 0; i < file.count && ok; i++)
        if (!strcmp(file.records[i].point, r->point->name)) {
            any = true;
            ok = tell(told, &file.head, &file.records[i]);
        }
    stem(path, name, sizeof name);
    snprintf(to, sizeof to, "%s/records-%s.jsonl", r->folder, name);
    if (!ok)
        snprintf(error, size, "out of memory");
    else if (any && !write_records(to, &file, r->point->name)) {
        snprintf(error, size, "cannot write %s: %s", to, strerror(errno));
        ok = false;
    }
    ck_free_records(&file);
    return ok;
}

/* What a rule of this evidence, and this point of it, demands. */
static const char *demand(const struct ck_point *p)
{
    const char *expected = ck_point_expected(p);

    if (p->mutant)
        return "the case itself is changed, so that its verdict turns";
    if (!strcmp(expected, "seen"))
        return "the documents leave open what happens; it is recorded";
    if (!strcmp(expected, "accept"))
        return "it is accepted";
    if (!strcmp(expected, "refuse"))
        return "it is refused";
    return "the bytes that the rule promises";
}

bool readme_make(const struct readme *m, struct ck_growing *t)
{
    const struct ck_point *p = m->repro->point;
    const struct ck_rule *rule = p->c->rule;
    bool ok = ck_grow(t, "# %s\n\n", p->name);

    ok &= ck_grow(t,
                  "## What the document says\n\n%s\n\nSource: %s. In short, in our words; rule `%s`, %s, needs %s.\n\n",
                  rule->sentence, rule->source, rule->id, ck_evidence_name(rule->evidence), rule->needs);
    ok &= ck_grow(t, "Expected of this point: %s.\n", demand(p));
    if (p->variant)
        ok &= ck_grow(t, "One line of the case is changed: %s.\n", p->variant->change);
    if (*m->told)
        ok &= ck_grow(t,
                      "\n## What came\n\n| machine | engine | verdict | outcome | kernels of toolkit |\n"
                      "|---|---|---|---|---|\n%s",
                      m->told);
    if (*m->answers)
        ok &= ck_grow(t, "\n## The assemblers of this machine\n\n%s", m->answers);
    if (m->model)
        ok &= ck_grow(t, "\n## The model of the documents\n\ncopycheck's emulator: %s%s%s\n%s%s%s",
                      ck_verdict_names[m->model->verdict], *m->model->seen ? ", " : "", m->model->seen,
                      *m->model->detail ? "\n```\n" : "", m->model->detail, *m->model->detail ? "\n```\n" : "");
    ok &= ck_grow(t, "\n## How to see it\n\n%s\n## Versions\n\n```\n%s```\n", m->how, m->repro->versions);
    ok &= ck_grow(t, "\nThe case: %s. With copycheck: `copycheck run '%s' --seed 0x%llx`.\n", p->c->at, p->name,
                  (unsigned long long)m->repro->seed);
    return ok;
}
// SPDX-License-Identifier: Apache-2.0
