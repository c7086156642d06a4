/* The report of a run for a reader at a terminal, and what all formats share. */
#include "harness/reports/report.h"
#include "expected/rule.h"
#include "harness/records/breaches.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const ck_format_names[CK_FORMATS] = {
    [CK_FORMAT_HUMAN] = "human", [CK_FORMAT_KTAP] = "ktap",         [CK_FORMAT_JUNIT] = "junit",
    [CK_FORMAT_JSONL] = "jsonl", [CK_FORMAT_MARKDOWN] = "markdown", [CK_FORMAT_HTML] = "html",
};
const char ck_format_list[] = "human, ktap, junit, jsonl, markdown, html";

bool ck_format_parse(const char *name, enum ck_format *out)
{
    for (int i = 0; i < CK_FORMATS; i++) {
        if (!strcmp(ck_format_names[i], name)) {
            *out = (enum ck_format)i;
            return true;
        }
    }
    return false;
}

bool ck_report_color(FILE *to)
{
    const char *no = getenv("NO_COLOR");

    return isatty(fileno(to)) && (!no || !*no);
}

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

void ck_report_header(const struct ck_entries *run, char *text, size_t size)
{
    const struct ck_run_head *h = &run->file->head;
    char device[96] = "", driver[64] = "", toolkit[64] = "";

    if (h->device)
        snprintf(device, sizeof device, "  %s sm_%d", short_device(h->device), h->sm);
    if (h->driver)
        snprintf(driver, sizeof driver, "  driver %s", h->driver);
    if (h->toolkit)
        snprintf(toolkit, sizeof toolkit, "  toolkit %s", h->toolkit);
    snprintf(text, size, "copycheck %s%s%s%s  seed 0x%llx  %s points%s", h->version, device, driver, toolkit,
             (unsigned long long)h->seed, ck_thousands(count_points(run)),
             h->complete ? "" : "  (the run did not come to its end)");
}

/* ---- failures ---- */

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

/* Bytes of a label at the start of a line of detail, blanks behind it included; 0 if it has none. A label is a word in
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

/* The engines, but for the record's own, on which the point has this verdict: "gpu, emu". Of many, how many. */
static size_t others_with(const struct ck_entries *run, const struct ck_record *r, enum ck_verdict v, char *text,
                          size_t size)
{
    enum { NAMED = 4 };
    size_t used = 0, count = 0;

    text[0] = 0;
    for (const char *p = run->file->head.engines; p && *p;) {
        char engine[64];
        const size_t n = strcspn(p, ",");
        const struct ck_entry *e;

        snprintf(engine, sizeof engine, "%.*s", (int)n, p);
        e = strcmp(engine, r->engine) != 0 ? ck_entries_find(run, r->point, engine) : NULL;
        if (e && e->record->verdict == v && used < size) {
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", engine);
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
    size_t used = 0;
    char names[256];

    text[0] = 0;
    for (int v = CK_V_PASS; v < CK_V_COUNT && used < size; v++)
        if (others_with(run, r, (enum ck_verdict)v, names, sizeof names))
            used +=
                (size_t)snprintf(text + used, size - used, "%s%s on %s", used ? "; " : "", ck_verdict_names[v], names);
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

void ck_failure_lines(const struct ck_entries *run, const struct ck_entry *entry, ck_failure_line *line, void *user)
{
    const struct lines to = { line, user };
    const struct ck_record *r = entry->record;
    const struct ck_rule *rule = ck_rule_find(r->rule);
    char text[2048], other[512];

    give(&to, "rule", rule ? rule->sentence : "(this catalogue has no such rule)");
    if (rule)
        give(&to, "source", rule->source);
    snprintf(text, sizeof text, "%s  (%u of %u run%s)", r->point, entry->same, entry->runs,
             entry->runs == 1 ? "" : "s");
    give(&to, "point", text);
    give_expected(&to, r);
    give_detail(&to, r->detail);
    give_got(&to, r);
    others(run, r, other, sizeof other);
    if (*other || r->at) {
        snprintf(text, sizeof text, "%s%s%s%s%s", other, *other && r->at ? "  " : "", r->at ? "(" : "",
                 r->at ? r->at : "", r->at ? ")" : "");
        give(&to, *other ? "so" : "case", text);
    }
    snprintf(text, sizeof text, "build/copycheck run '%s' --engine %s --seed 0x%llx%s", r->point, r->engine,
             (unsigned long long)run->file->head.seed, entry->mutant ? " --mutants" : "");
    give(&to, "again", text);
}

static void print_line(void *user, const char *label, const char *text)
{
    enum { WIDTH = 108, INDENT = 12 };
    FILE *to = user;

    fprintf(to, "  %-10s", label);
    /* Sentences are broken between words; bytes beside each other and commands stay in one line. */
    if (!strcmp(label, "rule") || !strcmp(label, "source") || !strcmp(label, "note")) {
        for (size_t column = INDENT; *text;) {
            const size_t n = strcspn(text, " ");
            if (column > INDENT && column + n > WIDTH) {
                fprintf(to, "\n%*s", INDENT, "");
                column = INDENT;
            }
            fprintf(to, "%s%.*s", column > INDENT ? " " : "", (int)n, text);
            column += n + 1;
            text += n + strspn(text + n, " ");
        }
    } else {
        fputs(text, to);
    }
    putc('\n', to);
}

/* Failures of one rule on one engine have mostly one cause: the first is unfolded, the others are named. False where
 * the failure was named before. */
static bool print_failure(FILE *to, const struct ck_entries *run, size_t index, bool color)
{
    enum { NAMED = 6 };
    const struct ck_record *r = run->all[index].record;
    char word[16];
    unsigned long further = 0;
    size_t i;

    for (i = 0; i < index; i++) {
        const struct ck_record *o = run->all[i].record;
        if (ck_verdict_is_bad(o->verdict) && o->verdict == r->verdict && !run->all[i].mutant &&
            !strcmp(o->rule, r->rule) && !strcmp(o->engine, r->engine))
            return false;
    }
    snprintf(word, sizeof word, "%s", ck_verdict_names[r->verdict]);
    for (char *p = word; *p; p++)
        *p = (char)(*p >= 'a' && *p <= 'z' ? *p - 'a' + 'A' : *p);
    fprintf(to, "%s  %s%s%s on %s\n", r->rule, color ? "\033[1;31m" : "", word, color ? "\033[0m" : "", r->engine);
    ck_failure_lines(run, &run->all[index], print_line, to);
    for (i = index + 1; i < run->count; i++) {
        const struct ck_record *o = run->all[i].record;
        if (o->verdict != r->verdict || run->all[i].mutant || strcmp(o->rule, r->rule) != 0 ||
            strcmp(o->engine, r->engine) != 0)
            continue;
        if (++further <= NAMED)
            print_line(to, further == 1 ? "also" : "", o->point);
    }
    if (further > NAMED)
        fprintf(to, "%12sand %s more\n", "", ck_thousands(further - NAMED));
    putc('\n', to);
    return true;
}

/* Where a whole assembler is at odds with the rules a reader wants the matrix, not thousands of pages. */
static void print_failures(FILE *to, const struct ck_entries *run, bool color)
{
    enum { UNFOLDED = 60 };
    unsigned long left = 0;
    int unfolded = 0;

    for (size_t i = 0; i < run->count; i++) {
        if (!ck_verdict_is_bad(run->all[i].record->verdict) || run->all[i].mutant)
            continue;
        if (unfolded == UNFOLDED)
            left++;
        else
            unfolded += print_failure(to, run, i, color);
    }
    if (left)
        fprintf(to, "%s further results failed, some of them named above; --format html shows each\n\n",
                ck_thousands(left));
}

/* ---- the last lines ---- */

static int by_count(const void *a, const void *b)
{
    const struct ck_skip_reason *x = a, *y = b;

    return x->count == y->count ? strcmp(x->text, y->text) : x->count > y->count ? -1 : 1;
}

/* What was needed stands before a semicolon, what was found behind it. */
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
        ++*skips;
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

/* "3 need two GPUs", "1 needs sm_100a". */
static void print_reason(FILE *to, const char *before, int width, const struct ck_skip_reason *reason)
{
    const bool needs = !strncmp(reason->text, "needs ", 6) && reason->count != 1;

    fprintf(to, "%s%*s%s%s%s", before, width, ck_thousands(reason->count), width > 1 ? "  " : " ", needs ? "need " : "",
            reason->text + (needs ? 6 : 0));
}

/* "6 skipped: 3 need sm_100a; 3 need two GPUs", over several lines where there are many reasons. */
static void print_skips(FILE *to, const struct ck_entries *run, bool *column)
{
    enum { REASONS = 256, SHORT = 3, SHORT_BYTES = 90 };
    static struct ck_skip_reason reasons[REASONS];
    unsigned long skips, named = 0;
    const size_t count = ck_skip_reasons(run, reasons, REASONS, &skips);
    size_t bytes = 0;

    if (!skips)
        return;
    for (size_t i = 0; i < count; i++)
        bytes += strlen(reasons[i].text);
    fprintf(to, "%s skipped:", ck_thousands(skips));
    if (count <= SHORT && bytes <= SHORT_BYTES) {
        for (size_t i = 0; i < count; i++)
            print_reason(to, i ? "; " : " ", 1, &reasons[i]);
        *column = true;
        return;
    }
    putc('\n', to);
    for (size_t i = 0; i < count && i < 20; i++) {
        print_reason(to, "", 7, &reasons[i]);
        putc('\n', to);
        named += reasons[i].count;
    }
    if (named < skips)
        fprintf(to, "%7s  for other reasons\n", ck_thousands(skips - named));
}

static void print_mutants(FILE *to, const struct ck_entries *run)
{
    for (size_t i = 0; i < run->count; i++) {
        const struct ck_record *r = run->all[i].record;
        if (run->all[i].mutant && ck_verdict_is_bad(r->verdict))
            fprintf(to, "mutant %s: %s on %s%s%s\n", ck_verdict_names[r->verdict], r->point, r->engine,
                    r->at ? "  " : "", r->at ? r->at : "");
    }
}

/* What only a run with the emulator has: how it agrees with the machine, and how it names breaches. */
static void print_emulator(FILE *to, const struct ck_entries *run, const struct ck_report_options *options)
{
    enum { NAMED = 10 };
    const struct ck_breaches breaches = ck_breaches_count(run);
    char line[320];

    if (options->agreement && options->agreement->count) {
        ck_agreement_line(options->agreement, line, sizeof line);
        fprintf(to, "%s\n", line);
        ck_agreement_print(to, options->agreement, NAMED);
    }
    if (ck_breaches_total(&breaches)) {
        ck_breaches_line(&breaches, line, sizeof line);
        fprintf(to, "%s\n", line);
        ck_breaches_print(to, run, false);
    }
}

static void print_summary(FILE *to, const struct ck_entries *run, const struct ck_report_options *options)
{
    const struct ck_mutants m = ck_mutants_count(run);
    const struct ck_record_file *file = run->file;
    bool column = false;
    char line[256];

    if (file->count < file->head.planned)
        fprintf(to, "BROKEN: %s of %s planned results are missing\n", ck_thousands(file->head.planned - file->count),
                ck_thousands(file->head.planned));
    print_skips(to, run, &column);
    if (options->comparison && options->recorded) {
        ck_comparison_line(options->comparison, options->recorded, line, sizeof line);
        fprintf(to, "%s%s", column ? "        " : "", line);
        column = true;
    }
    if (m.all) {
        fprintf(to, "%s%s of %s mutants killed", column ? "        " : "", ck_thousands(m.killed),
                ck_thousands(m.all - m.excused));
        if (m.excused)
            fprintf(to, ", %s excused", ck_thousands(m.excused));
        column = true;
    }
    if (column)
        putc('\n', to);
    print_mutants(to, run);
    if (options->comparison && ck_comparison_changed(options->comparison)) {
        putc('\n', to);
        ck_comparison_print(to, options->comparison, 10, false);
    }
    print_emulator(to, run, options);
    if (options->note)
        fprintf(to, "%s\n", options->note);
}

bool ck_report_table(const struct ck_entries *run, const char *rows, const struct ck_report_options *options,
                     struct ck_table *out)
{
    if (!ck_table_make(out, run, 1, rows, "engine"))
        return false;
    if (!options->agreement || !options->agreement->count || ck_agreement_column(options->agreement, out))
        return true;
    ck_table_free(out);
    return false;
}

static bool report_human(FILE *to, const struct ck_entries *run, const struct ck_report_options *options)
{
    struct ck_table table;
    char header[512];

    ck_report_header(run, header, sizeof header);
    fprintf(to, "%s\n\n", header);
    if (!ck_report_table(run, "family", options, &table))
        return false;
    ck_table_print(to, &table, NULL, 1);
    ck_table_free(&table);
    putc('\n', to);
    print_failures(to, run, options->color);
    print_summary(to, run, options);
    return true;
}

bool ck_report(FILE *to, const struct ck_entries *run, enum ck_format format, const struct ck_report_options *options)
{
    bool good = false;

    switch (format) {
    case CK_FORMAT_HUMAN: good = report_human(to, run, options); break;
    case CK_FORMAT_KTAP: good = ck_report_ktap(to, run); break;
    case CK_FORMAT_JUNIT: good = ck_report_junit(to, run); break;
    case CK_FORMAT_JSONL: good = ck_report_jsonl(to, run, options); break;
    case CK_FORMAT_MARKDOWN: good = ck_report_markdown(to, run, options); break;
    case CK_FORMAT_HTML: good = ck_report_html(to, run, options); break;
    case CK_FORMATS: break;
    }
    return good && !fflush(to) && !ferror(to);
}

int ck_report_status(const struct ck_entries *run, const struct ck_report_options *options)
{
    bool verdict = false;

    for (size_t i = 0; i < run->count; i++) {
        if (ck_verdict_is_bad(run->all[i].record->verdict))
            return 1;
        verdict |= run->all[i].record->verdict != CK_V_SKIP;
    }
    if (!verdict || !run->file->head.complete || run->file->count < run->file->head.planned)
        return 2;
    if (options->comparison && ck_comparison_changed(options->comparison))
        return 3;
    return options->agreement && ck_agreement_unknown(options->agreement) ? 3 : 0;
}
