/* The emulator compared with the machine. */
#include "harness/records/agree.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/append.h"
#include "harness/base/bad.h"
#include "harness/records/compare.h"

static bool is(const char *a, const char *b)
{
    return a && !strcmp(a, b);
}

/* Whether the two records say something about the same bytes, or the same answer. */
static bool comparable(const struct ck_record *emu, const struct ck_record *gpu)
{
    if (emu->varies || gpu->varies || gpu->verdict == CK_V_SKIP)
        return false;
    if (is(gpu->phase, "encode"))
        return true;
    return is(gpu->phase, "launch") && gpu->digest && gpu->seed == emu->seed;
}

static bool equal(const struct ck_record *emu, const struct ck_record *gpu)
{
    return is(gpu->phase, "encode") ? emu->outcome && is(gpu->outcome, emu->outcome) : emu->digest == gpu->digest;
}

/* The GPU's record of a point, in the runs themselves or in the recorded one, and the head of its run. */
static const struct ck_record *of_gpu(const struct ck_entries *runs, size_t files, const struct ck_entries *recorded,
                                      const char *point, const struct ck_run_head **head)
{
    for (size_t i = 0; i <= files; i++) {
        const struct ck_entries *in = i < files ? &runs[i] : recorded;
        const struct ck_entry *e = in ? ck_entries_find(in, point, "gpu") : NULL;
        if (e) {
            *head = &in->file->head;
            return e->record;
        }
    }
    return NULL;
}

bool ck_agreement_make(const struct ck_entries *runs, size_t files, const struct ck_entries *recorded,
                       struct ck_agreement *out)
{
    size_t all = 0;

    *out = (struct ck_agreement){ 0 };
    for (size_t f = 0; f < files; f++)
        all += runs[f].count;
    out->pairs = calloc(all + 1, sizeof *out->pairs);
    if (!out->pairs)
        return false;
    for (size_t f = 0; f < files; f++)
        for (size_t i = 0; i < runs[f].count; i++) {
            const struct ck_entry *e = &runs[f].all[i];
            const struct ck_run_head *head = NULL;
            struct ck_pair pair = { .emu = e->record };
            if (e->mutant || !is(e->record->engine, "emu") || ck_point_is_breach(e->record->point))
                continue;
            pair.gpu = of_gpu(runs, files, recorded, e->record->point, &head);
            if (!pair.gpu || !comparable(pair.emu, pair.gpu))
                continue;
            pair.equal = equal(pair.emu, pair.gpu);
            pair.known = pair.equal ? NULL : ck_known_find(ck_known_differences, pair.emu->point);
            out->with = out->with ? out->with : head;
            out->equal += pair.equal;
            out->known += pair.known != NULL;
            out->skipped += !pair.equal && !pair.known && pair.emu->verdict == CK_V_SKIP;
            out->pairs[out->count++] = pair;
        }
    return true;
}

unsigned long ck_agreement_unknown(const struct ck_agreement *a)
{
    return a->count - a->equal - a->known - a->skipped;
}

void ck_agreement_free(struct ck_agreement *a)
{
    free(a->pairs);
    *a = (struct ck_agreement){ 0 };
}

void ck_agreement_column(const struct ck_agreement *a, struct ck_table *t)
{
    struct count {
        unsigned long equal, all;
    } *rows = calloc(t->row_count + 1, sizeof *rows);
    char label[CK_TABLE_LABEL];
    size_t at = 0;

    t->agree = calloc(t->row_count + 1, sizeof *t->agree);
    if (!rows || !t->agree)
        ck_no_memory();
    for (size_t i = 0; i < a->count; i++) {
        const struct ck_pair *p = &a->pairs[i];
        if (!ck_record_label(p->emu, t->row_axis, label))
            continue;
        if (at >= t->row_count || strcmp(t->rows[at], label) != 0)
            for (at = 0; at < t->row_count && strcmp(t->rows[at], label) != 0;)
                at++;
        if (at == t->row_count)
            continue;
        rows[at].all++;
        rows[at].equal += p->equal;
        rows[t->row_count].all++; /* the total */
        rows[t->row_count].equal += p->equal;
    }
    for (size_t r = 0; r <= t->row_count; r++)
        snprintf(t->agree[r], sizeof t->agree[r], rows[r].all ? "%s of %s" : "-", ck_thousands(rows[r].equal),
                 ck_thousands(rows[r].all));
    free(rows);
}

/* ---- in words --------------------------------------------------------------------------------------------------- */

void ck_agreement_line(const struct ck_agreement *a, char *text, size_t size)
{
    const struct {
        unsigned long count;
        const char *words;
    } rest[] = { { a->known, "differ for a known reason" },
                 { ck_agreement_unknown(a), "differ for no known reason" },
                 { a->skipped, "could not be run" } };
    char with[128];

    ck_machine_name(a->with, with, sizeof with);
    snprintf(text, size, "emu agrees with %s at %s of %s points", with, ck_thousands(a->equal), ck_thousands(a->count));
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        if (rest[i].count)
            ck_append(text, size, "; %s %s", ck_thousands(rest[i].count), rest[i].words);
}

static void describe(FILE *to, const char *engine, const struct ck_record *r)
{
    fprintf(to, "    %-4s %s", engine, ck_verdict_names[r->verdict]);
    if (r->outcome)
        fprintf(to, " (%s)", r->outcome);
    if (r->seen)
        fprintf(to, ": %s", r->seen);
    else if (r->verdict == CK_V_SKIP && r->detail)
        fprintf(to, ": %.*s", (int)strcspn(r->detail, "\n"), r->detail);
    if (r->digest)
        fprintf(to, ", digest %016llx", (unsigned long long)r->digest);
    putc('\n', to);
}

/* A row that has points here, all of them equal. */
static bool is_idle(const struct ck_agreement *a, const struct ck_known *row)
{
    bool any = false;

    for (size_t i = 0; i < a->count; i++) {
        if (a->pairs[i].known == row)
            return false;
        any |= !fnmatch(row->points, a->pairs[i].emu->point, FNM_NOESCAPE);
    }
    return any;
}

/* The pairs that differ for no known reason: of those that the emulator ran, or of the others; `limit` of them, 0: all.
 */
static void print_pairs(FILE *to, const struct ck_agreement *a, bool ran, const char *heading, size_t limit)
{
    unsigned long shown = 0, left = 0;

    for (size_t i = 0; i < a->count; i++) {
        const struct ck_pair *p = &a->pairs[i];
        if (p->equal || p->known || (p->emu->verdict != CK_V_SKIP) != ran)
            continue;
        if (limit && shown == limit) {
            left++;
            continue;
        }
        if (!shown)
            fprintf(to, "%s\n", heading);
        shown++;
        fprintf(to, "  %s\n", p->emu->point);
        describe(to, "emu", p->emu);
        describe(to, "gpu", p->gpu);
    }
    if (left)
        fprintf(to, "  ... and %s more\n", ck_thousands(left));
}

void ck_agreement_print(FILE *to, const struct ck_agreement *a, size_t limit)
{
    for (const struct ck_known *k = ck_known_differences; k->points; k++) {
        unsigned long count = 0;
        for (size_t i = 0; i < a->count; i++)
            count += a->pairs[i].known == k;
        if (count)
            fprintf(to, "%7s  %s: %s\n", ck_thousands(count), k->points, k->reason);
    }
    print_pairs(to, a, true, "emu and gpu differ, and no reason is known (expected/known/differences.def)", limit);
    if (!limit) /* else the report has their reasons, as of all that is skipped */
        print_pairs(to, a, false, "emu could not run what the GPU ran", 0);
    for (const struct ck_known *k = ck_known_differences; k->points; k++)
        if (is_idle(a, k))
            fprintf(to, "listed in expected/known/differences.def, but equal now: %s\n", k->points);
}
// SPDX-License-Identifier: Apache-2.0
