/* What all formats of a report share: its header, its table, the lines of a failure, the reasons of skips. */
#include "harness/reports/parts.h"

#include <stdlib.h>
#include <string.h>

#include "expected/listing.h"
#include "harness/base/append.h"

static const char *short_device(const char *device)
{
    static const char maker[] = "NVIDIA ";

    return strncmp(device, maker, strlen(maker)) != 0 ? device : device + strlen(maker);
}

/* Points that ran, each counted once however many engines it ran on. */
static unsigned long count_points(const struct ck_entries *run)
{
    unsigned long points = 0;

    for (size_t i = 0; i < run->count; i++) {
        const struct ck_entry *e = &run->all[i];
        bool first = !e->mutant;
        /* Each engine is asked about the entries before this one; there are a handful of engines. */
        for (const char *p = run->file->head.engines; first && p && *p;) {
            char engine[64];
            const struct ck_entry *other;
            const size_t n = strcspn(p, ",");
            snprintf(engine, sizeof engine, "%.*s", (int)n, p);
            other = ck_entries_find(run, e->record->point, engine);
            first = !other || other >= e;
            p += n + (p[n] == ',');
        }
        points += first;
    }
    return points;
}

void ck_report_header(const struct ck_entries *run, bool goes_on, char *text, size_t size)
{
    const struct ck_run_head *h = &run->file->head;
    const int gpus = (int)ck_head_gpus(h);
    char device[96] = "", driver[64] = "", toolkit[64] = "";

    if (h->device)
        snprintf(device, sizeof device, "  %.0d%s%s sm_%d", gpus > 1 ? gpus : 0, gpus > 1 ? " " : "",
                 short_device(h->device), h->sm);
    if (h->driver)
        snprintf(driver, sizeof driver, "  driver %s", h->driver);
    if (h->toolkit)
        snprintf(toolkit, sizeof toolkit, "  toolkit %s", h->toolkit);
    snprintf(text, size, "copycheck %s%s%s%s  seed 0x%llx", h->version, device, driver, toolkit,
             (unsigned long long)h->seed);
    if (h->delivery)
        ck_append(text, size, "  delivery %s", h->delivery);
    if (h->shard)
        ck_append(text, size, "  shard %s", h->shard);
    ck_append(text, size, "  %s points%s", ck_thousands(count_points(run)),
              h->complete || goes_on ? "" : "  (the run did not finish)");
}

struct lines {
    ck_failure_line *line;
    void *user;
};

/* Gives a text out line by line. */
static void give(const struct lines *to, const char *label, const char *text)
{
    char line[1024];

    while (*text) {
        const size_t n = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)n, text);
        to->line(to->user, label, line);
        label = "";
        text += n + (text[n] == '\n');
    }
}

/* Bytes of a label at the start of a line of detail, blanks after it included; 0 if it has none. A label is a word in
 * lower case and two blanks at least. */
static size_t label_length(const char *line, size_t n, char *label, size_t size)
{
    const size_t word = strspn(line, "abcdefghijklmnopqrstuvwxyz");
    const size_t blanks = strspn(line + word, " ");

    if (!word || word >= size || blanks < 2 || word + blanks > n)
        return 0;
    snprintf(label, size, "%.*s", (int)word, line);
    return word + blanks;
}

static void give_detail(const struct lines *to, const char *detail)
{
    bool labelled = false;
    char line[1024], label[11];

    for (const char *p = detail; p && *p;) {
        const size_t n = strcspn(p, "\n");
        const size_t skip = label_length(p, n, label, sizeof label);

        if (!skip)
            snprintf(label, sizeof label, "%s", labelled ? "" : "note");
        labelled = true;
        snprintf(line, sizeof line, "%.*s", (int)(n - skip), p + skip);
        to->line(to->user, label, line);
        p += n + (p[n] == '\n');
    }
}

/* The engines other than the record's own on which the point has this verdict, "gpu, emu"; where they are many, how
 * many they are. Returns their number. */
static size_t others_with(const struct ck_entries *run, const struct ck_record *r, enum ck_verdict v, char *text,
                          size_t size)
{
    enum { NAMED = 4 };
    size_t count = 0;

    text[0] = 0;
    for (const char *p = run->file->head.engines; p && *p;) {
        char engine[64];
        const size_t n = strcspn(p, ",");
        const struct ck_entry *e;

        snprintf(engine, sizeof engine, "%.*s", (int)n, p);
        e = strcmp(engine, r->engine) != 0 ? ck_entries_find(run, r->point, engine) : NULL;
        if (e && e->record->verdict == v) {
            ck_append(text, size, "%s%s", count ? ", " : "", engine);
            count++;
        }
        p += n + (p[n] == ',');
    }
    if (count > NAMED)
        snprintf(text, size, "%zu other engines", count);
    return count;
}

/* How the other engines judged this point: "pass on gpu, emu; skip on ptxas-13.0". */
static void others(const struct ck_entries *run, const struct ck_record *r, char *text, size_t size)
{
    char names[256];

    text[0] = 0;
    for (int v = CK_V_PASS; v < CK_V_COUNT; v++)
        if (others_with(run, r, (enum ck_verdict)v, names, sizeof names))
            ck_append(text, size, "%s%s on %s", text[0] ? "; " : "", ck_verdict_names[v], names);
}

/* Before the detail: what was demanded, unless the detail says it better. Broken cases were not judged. */
static void give_expected(const struct lines *to, const struct ck_record *r)
{
    const char *detail = r->detail ? r->detail : "";
    const bool said = !strncmp(detail, "expected ", 9) || strstr(detail, "\nexpected ");

    if (!said && r->expected && r->verdict != CK_V_BROKEN && r->verdict != CK_V_UNPROVEN)
        give(to, "expected", r->expected);
}

static void give_got(const struct lines *to, const struct ck_record *r)
{
    const char *detail = r->detail ? r->detail : "";
    const bool said = !strncmp(detail, "got ", 4) || strstr(detail, "\ngot ");
    char text[512];

    if (!said && r->outcome && r->verdict != CK_V_BROKEN && r->verdict != CK_V_UNPROVEN) {
        snprintf(text, sizeof text, r->code ? "%s, code %ld" : "%s", r->outcome, r->code);
        give(to, "got", text);
    }
    if (r->seen)
        give(to, "seen", r->seen);
}

/* A word of a shell's command, in quotes: a name from a record file runs nothing where somebody repeats the command. */
static void append_quoted(char *text, size_t size, const char *word)
{
    ck_append(text, size, "'");
    for (const char *p = word, *quote; *p; p = *quote ? quote + 1 : quote) {
        quote = p + strcspn(p, "'");
        ck_append(text, size, "%.*s%s", (int)(quote - p), p, *quote ? "'\\''" : "");
    }
    ck_append(text, size, "'");
}

/* Whether a shell takes the word as it is. */
static bool is_plain(const char *word)
{
    return *word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_@")];
}

/* The command that repeats a point alone. */
static void repeat(const struct ck_entries *run, const struct ck_entry *entry, char *text, size_t size)
{
    const struct ck_record *r = entry->record;

    snprintf(text, size, "build/copycheck run ");
    append_quoted(text, size, r->point);
    ck_append(text, size, " --engine ");
    if (is_plain(r->engine))
        ck_append(text, size, "%s", r->engine);
    else
        append_quoted(text, size, r->engine);
    ck_append(text, size, " --seed 0x%llx%s", (unsigned long long)run->file->head.seed,
              entry->mutant ? " --mutants" : "");
    if (run->file->head.delivery && !strcmp(r->engine, "emu")) {
        ck_append(text, size, " --delivery ");
        append_quoted(text, size, run->file->head.delivery);
    }
}

void ck_failure_lines(const struct ck_entries *run, const struct ck_entry *entry, ck_failure_line *line, void *user)
{
    const struct lines to = { line, user };
    const struct ck_record *r = entry->record;
    const struct ck_rule *rule = ck_cited_find(r->rule);
    char text[2048], other[512];

    give(&to, "rule", rule ? rule->sentence : "(this catalogue has no such rule)");
    if (rule)
        give(&to, "source", rule->source);
    snprintf(text, sizeof text, "%s  (%u of %u run%s)", r->point, entry->same, entry->runs,
             entry->runs == 1 ? "" : "s");
    give(&to, "point", text);
    if (ck_head_gpus(&run->file->head) > 1 && ck_engine_is_of_device(r->engine)) {
        snprintf(text, sizeof text, "number %d of %u, counted from 0", r->gpu, ck_head_gpus(&run->file->head));
        give(&to, "on GPU", text);
    }
    give_expected(&to, r);
    give_detail(&to, r->detail);
    give_got(&to, r);
    others(run, r, other, sizeof other);
    if (*other || r->at) {
        snprintf(text, sizeof text, "%s%s%s%s%s", other, *other && r->at ? "  " : "", r->at ? "(" : "",
                 r->at ? r->at : "", r->at ? ")" : "");
        give(&to, *other ? "so" : "case", text);
    }
    repeat(run, entry, text, sizeof text);
    give(&to, "again", text);
}

static int by_count(const void *a, const void *b)
{
    const struct ck_skip_reason *x = a, *y = b;

    return x->count == y->count ? strcmp(x->text, y->text) : x->count > y->count ? -1 : 1;
}

/* A reason says what was needed, then after a semicolon what was found; reasons are counted by the former. */
size_t ck_skip_reasons(const struct ck_entries *run, struct ck_skip_reason *reasons, size_t max, unsigned long *skips)
{
    size_t count = 0;

    *skips = 0;
    for (size_t i = 0; i < run->count; i++) {
        const struct ck_record *r = run->all[i].record;
        struct ck_skip_reason reason = { .count = 1 };
        size_t k = 0;

        if (r->verdict != CK_V_SKIP)
            continue;
        (*skips)++;
        snprintf(reason.text, sizeof reason.text, "%s", r->detail ? r->detail : "no reason given");
        reason.text[strcspn(reason.text, ";\n")] = 0;
        while (k < count && strcmp(reasons[k].text, reason.text) != 0)
            k++;
        if (k < count)
            reasons[k].count++;
        else if (count < max)
            reasons[count++] = reason;
    }
    qsort(reasons, count, sizeof *reasons, by_count);
    return count;
}

struct ck_mutants ck_mutants_count(const struct ck_entries *run)
{
    struct ck_mutants m = { 0 };

    for (size_t i = 0; i < run->count; i++) {
        if (!run->all[i].mutant || run->all[i].record->verdict == CK_V_SKIP)
            continue;
        m.all++;
        m.killed += run->all[i].record->verdict == CK_V_KILLED;
        m.survived += run->all[i].record->verdict == CK_V_SURVIVED;
        m.excused += run->all[i].record->verdict == CK_V_EXCUSED;
    }
    return m;
}

void ck_report_table(const struct ck_entries *run, const char *rows, const struct ck_report_options *options,
                     struct ck_table *out)
{
    ck_table_make(out, run, 1, rows, "engine");
    if (options->agreement && options->agreement->count)
        ck_agreement_column(options->agreement, out);
}
// SPDX-License-Identifier: Apache-2.0
