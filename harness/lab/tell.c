/* Verdicts for their authors, and in the formats of graders. */
#include "harness/lab/tell.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/append.h"
#include "harness/base/bad.h"
#include "harness/base/clean.h"
#include "harness/base/json.h"
#include "harness/base/markup.h"
#include "harness/base/text.h"
#include "harness/lab/gpu_said.h"

enum { NAME_WIDTH = 40, ALL_NAMES = LAB_NAMED * (LAB_NAME + 2) };

/* The parts as graders see them. */
static const struct {
    const char *id, *title;
    unsigned points;
} parts[LAB_PARTS] = {
    [LAB_COMPILES] = { "compiles", "it compiles", 1 },
    [LAB_RULES] = { "rules", "no rule is broken, in any delivery", 4 },
    [LAB_BYTES] = { "bytes", "the bytes are right, of all sizes", 3 },
    [LAB_BY_MEANS] = { "means", "by the means asked for", 2 },
    [LAB_ON_GPU] = { "gpu", "the bytes are right on the GPU", 0 },
};

static const char *const format_names[LAB_FORMATS] = {
    "table", "csv", "gradescope", "github", "junit", "tap", "jsonl"
};

const char *lab_outcome_word(enum lab_outcome outcome)
{
    static const char *const words[] = { "pass", "remark", "fail", "none" };

    return words[outcome];
}

bool lab_format_named(const char *word, enum lab_format *out)
{
    for (unsigned i = 0; i < LAB_FORMATS; i++)
        if (!strcmp(word, format_names[i])) {
            *out = (enum lab_format)i;
            return true;
        }
    return false;
}

static bool is_right(const struct lab_verdict *v, int part)
{
    return v->outcome != LAB_NO_VERDICT && v->parts[part] == LAB_RIGHT;
}

/* Whether a part is told: that of the GPU only where it was launched on one. */
static bool told(const struct lab_verdict *v, int part)
{
    return part != LAB_ON_GPU || (v->gpu.seen != LAB_UNSEEN && v->gpu.seen != LAB_NOT_LAUNCHED);
}

static size_t told_of_all(const struct lab_graded *all, size_t count)
{
    size_t sum = 0;

    for (size_t i = 0; i < count; i++)
        for (int p = 0; p < LAB_PARTS; p++)
            sum += told(all[i].verdict, p);
    return sum;
}

/* The points of a part. A kernel that does nothing breaks no rule, nor does a plain loop in place of copies: what is
 * not done right, or by other means, has no points for that. Bytes that are right on the emulator, and not on the GPU,
 * have none. */
static unsigned points(const struct lab_verdict *v, int part)
{
    const bool tried = v->parts[LAB_BYTES] == LAB_RIGHT && v->parts[LAB_BY_MEANS] != LAB_WRONG;

    return is_right(v, part) && (part != LAB_RULES || tried) && (part != LAB_BYTES || !v->gpu.disagrees)
               ? parts[part].points
               : 0;
}

static unsigned score(const struct lab_verdict *v)
{
    unsigned sum = 0;

    for (int p = 0; p < LAB_PARTS; p++)
        sum += points(v, p);
    return sum;
}

static unsigned score_most(void)
{
    unsigned sum = 0;

    for (int p = 0; p < LAB_PARTS; p++)
        sum += parts[p].points;
    return sum;
}

static void names(const struct lab_verdict *v, char out[ALL_NAMES])
{
    *out = 0;
    for (unsigned i = 0; i < v->named_count; i++)
        ck_append(out, ALL_NAMES, "%s%s", i ? ", " : "", v->named[i]);
}

int lab_status(const struct lab_graded *all, size_t count)
{
    int status = 0;

    for (size_t i = 0; i < count; i++) {
        const enum lab_outcome o = all[i].verdict->outcome;
        if (o == LAB_NO_VERDICT)
            return 2;
        if (o == LAB_FAIL)
            status = 1;
    }
    return status;
}

void lab_tell(FILE *to, const struct lab_graded *g)
{
    const struct lab_verdict *v = g->verdict;
    char said[ALL_NAMES], line[ALL_NAMES + 200], name[200], label[16];
    bool ended = true; /* by an empty line */

    fprintf(to, "%s  %s: %s\n\n", g->lab->id, g->lab->title, ck_clean_copy(name, sizeof name, g->name));
    if (*v->note) {
        lab_wrap(to, "", 0, v->note);
        putc('\n', to);
    }
    fputs(v->printed, to);
    if (*v->printed && v->printed[strlen(v->printed) - 1] != '\n')
        fputs("\nkernel: ... (more is not shown)\n\n", to);
    for (int p = 0; p < LAB_PARTS; p++)
        if (*v->text[p]) {
            const size_t n = strlen(v->text[p]);
            fputs(v->text[p], to);
            ended = n > 1 && !strcmp(v->text[p] + n - 2, "\n\n");
        }
    if (!ended)
        putc('\n', to);
    if (v->outcome == LAB_REMARK)
        fputs(v->remarks, to);
    names(v, said);
    switch (v->outcome) {
    case LAB_PASS:
        snprintf(
            line, sizeof line, "pass: no rule is broken and the bytes are right, in every delivery of every size%s%s",
            v->gpu.seen == LAB_SEEN_RIGHT ? ", and on the " : "", v->gpu.seen == LAB_SEEN_RIGHT ? v->gpu.device : "");
        break;
    case LAB_REMARK: snprintf(line, sizeof line, "pass, with a remark"); break;
    case LAB_FAIL: snprintf(line, sizeof line, "fail: %s", said); break;
    case LAB_NO_VERDICT: snprintf(line, sizeof line, "no verdict: %s", v->why); break;
    }
    snprintf(label, sizeof label, "%s: ", g->lab->id);
    lab_wrap(to, label, (unsigned)strlen(label), line);
}

void lab_tell_tile(FILE *to, const struct lab_graded *g)
{
    const struct lab_verdict *v = g->verdict;
    char name[200], words[700] = "", line[900];

    fprintf(to, "%s  %s: %s\n\n", g->lab->id, g->lab->title, ck_clean_copy(name, sizeof name, g->name));
    if (v->outcome == LAB_NO_VERDICT) {
        lab_wrap(to, "compile   ", 10, v->why);
        return;
    }
    fputs(v->text[LAB_COMPILES], to);
    if (v->parts[LAB_COMPILES] != LAB_RIGHT) {
        fprintf(to, "compile   refused\n");
        return;
    }
    snprintf(line, sizeof line, "%.60s accepts it", v->note);
    lab_wrap(to, "compile   ", 10, line);
    lab_gpu_words(v, words, sizeof words);
    if (v->gpu.seen == LAB_UNSEEN)
        snprintf(words, sizeof words, "not launched: a tile kernel runs on a GPU only");
    else if (v->gpu.seen == LAB_SEEN_LUCK || v->gpu.seen == LAB_SEEN_WRONG)
        ck_append(words, sizeof words, " First: %s", v->gpu.first);
    lab_wrap(to, "launch    ", 10, words);
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

/* How many characters a text in UTF-8 has. */
static int characters(const char *text)
{
    int n = 0;

    for (; *text; text++)
        n += (*text & 0xc0) != 0x80;
    return n;
}

static void tell_table(FILE *to, const struct lab_graded *all, size_t count)
{
    unsigned of[LAB_NO_VERDICT + 1] = { 0 };
    char name[NAME_WIDTH + 200], said[ALL_NAMES];
    int width = (int)strlen("submission");

    for (size_t i = 0; i < count; i++) {
        const int n = characters(ck_clean_copy(name, sizeof name, all[i].name));
        width = n > width ? n : width;
    }
    width = width < NAME_WIDTH ? width : NAME_WIDTH;
    fprintf(to, "%-*s %-7s %5s  %s\n", width, "submission", "verdict", "score", "what leads to it");
    for (size_t i = 0; i < count; i++) {
        const struct lab_verdict *v = all[i].verdict;
        const char *why = v->outcome == LAB_NO_VERDICT ? v->why : said;
        const int n = characters(ck_clean_copy(name, sizeof name, all[i].name));
        names(v, said);
        fprintf(to, "%s%*s %-7s %2u/%u%s%s\n", name, n < width ? width - n : 0, "", lab_outcome_word(v->outcome),
                score(v), score_most(), *why ? "  " : "", why);
        of[v->outcome]++;
    }
    fprintf(to, "%zu submission%s: %u pass, %u pass with a remark, %u fail", count, count == 1 ? "" : "s", of[LAB_PASS],
            of[LAB_REMARK], of[LAB_FAIL]);
    if (of[LAB_NO_VERDICT])
        fprintf(to, ", %u without a verdict", of[LAB_NO_VERDICT]);
    putc('\n', to);
}

/* A field of a CSV, in quotes; a spreadsheet takes none for a formula. */
static void field(FILE *to, const char *text)
{
    char clean[ALL_NAMES + 400];

    ck_clean_copy(clean, sizeof clean, text);
    putc('"', to);
    if (*clean && strchr("=+-@", *clean))
        putc('\'', to);
    for (const char *p = clean; *p; p++)
        fprintf(to, *p == '"' ? "\"\"" : "%c", *p);
    putc('"', to);
}

static void tell_csv(FILE *to, const struct lab_graded *all, size_t count)
{
    char said[ALL_NAMES];

    fputs("lab,submission,verdict,score,max_score,named\n", to);
    for (size_t i = 0; i < count; i++) {
        const struct lab_verdict *v = all[i].verdict;
        names(v, said);
        fprintf(to, "%s,", all[i].lab->id);
        field(to, all[i].name);
        fprintf(to, ",%s,%u,%u,", lab_outcome_word(v->outcome), score(v), score_most());
        field(to, v->outcome == LAB_NO_VERDICT ? v->why : said);
        putc('\n', to);
    }
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

/* What is said of a part: malloc'd. */
static char *words_of(const struct lab_verdict *v, int part)
{
    char *text = NULL;

    if (v->outcome == LAB_NO_VERDICT)
        return strdup(v->why);
    if (*v->text[part])
        return strdup(v->text[part]);
    if (part == LAB_BY_MEANS && v->outcome == LAB_REMARK)
        return strdup(v->remarks);
    if (v->parts[part] == LAB_NOT_REACHED)
        text = "not reached";
    return strdup(text ? text : "");
}

static void member(FILE *to, const char *name, const char *text)
{
    fprintf(to, ",\"%s\":", name);
    json_write_string(to, text);
}

/* The name of a part; of several submissions with the submission in front. */
static void part_name(const struct lab_graded *g, int part, bool several, char *out, size_t size)
{
    char name[200];

    if (several)
        snprintf(out, size, "%s: %s", ck_clean_copy(name, sizeof name, g->name), parts[part].title);
    else
        snprintf(out, size, "%s %s", g->lab->id, parts[part].title);
}

static void tell_gradescope(FILE *to, const struct lab_graded *all, size_t count)
{
    unsigned sum = 0, number = 0;

    for (size_t i = 0; i < count; i++)
        sum += score(all[i].verdict);
    fprintf(to, "{\"score\":%u,\"stdout_visibility\":\"hidden\",\"tests\":[", sum);
    for (size_t i = 0; i < count; i++)
        for (int p = 0; p < LAB_PARTS && told(all[i].verdict, p); p++) {
            const struct lab_verdict *v = all[i].verdict;
            const bool right = is_right(v, p);
            char name[400], *words = words_of(v, p);
            part_name(&all[i], p, count > 1, name, sizeof name);
            fprintf(to, "%s\n{\"number\":\"%u\"", number ? "," : "", number + 1);
            number++;
            member(to, "name", name);
            fprintf(to, ",\"score\":%u,\"max_score\":%u,\"status\":\"%s\"", points(v, p), parts[p].points,
                    right ? "passed" : "failed");
            member(to, "output", words ? words : "");
            fputs(",\"output_format\":\"text\",\"visibility\":\"visible\",\"tags\":[", to);
            json_write_string(to, parts[p].id);
            fputs("]}", to);
            free(words);
        }
    fputs("\n]}\n", to);
}

static void tell_jsonl(FILE *to, const struct lab_graded *all, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct lab_verdict *v = all[i].verdict;
        fprintf(to, "{\"lab\":\"%s\"", all[i].lab->id);
        member(to, "submission", all[i].name);
        member(to, "verdict", lab_outcome_word(v->outcome));
        fprintf(to, ",\"score\":%u,\"max_score\":%u,\"named\":[", score(v), score_most());
        for (unsigned k = 0; k < v->named_count; k++) {
            if (k)
                putc(',', to);
            json_write_string(to, v->named[k]);
        }
        fputs("],\"parts\":{", to);
        for (int p = 0; p < LAB_PARTS && told(v, p); p++) {
            static const char *const words[] = { "not-reached", "right", "wrong" };
            fprintf(to, "%s\"%s\":{\"state\":\"%s\"", p ? "," : "", parts[p].id, words[v->parts[p]]);
            member(to, "text", v->text[p]);
            putc('}', to);
        }
        putc('}', to);
        if (told(v, LAB_ON_GPU))
            fprintf(to, ",\"gpu\":{\"seen\":\"%s\",\"launches\":%u,\"right\":%u}", lab_seen_word(v->gpu.seen),
                    v->gpu.runs, v->gpu.right);
        member(to, "remarks", v->remarks);
        member(to, "printed", v->printed);
        if (v->outcome == LAB_NO_VERDICT)
            member(to, "why", v->why);
        fputs("}\n", to);
    }
}

/* The result of a runner of GitHub Classroom: an object in base64, on one line. */
static void put_base64(FILE *to, const unsigned char *p, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t i = 0; i < n; i += 3) {
        const unsigned b = i + 1 < n ? p[i + 1] : 0, c = i + 2 < n ? p[i + 2] : 0;
        const unsigned word = (unsigned)p[i] << 16 | b << 8 | c;
        putc(digits[word >> 18], to);
        putc(digits[word >> 12 & 63], to);
        putc(i + 1 < n ? digits[word >> 6 & 63] : '=', to);
        putc(i + 2 < n ? digits[word & 63] : '=', to);
    }
    putc('\n', to);
}

static void tell_github(FILE *to, const struct lab_graded *all, size_t count)
{
    static const char *const words[] = { "pass", "fail", "error" };
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);

    if (!f)
        ck_no_memory();
    fprintf(f, "{\"version\":1,\"status\":\"%s\",\"max_score\":%u,\"tests\":[", words[lab_status(all, count)],
            score_most() * (unsigned)count);
    for (size_t i = 0; i < count; i++)
        for (int p = 0; p < LAB_PARTS && told(all[i].verdict, p); p++) {
            const struct lab_verdict *v = all[i].verdict;
            const bool right = is_right(v, p);
            char name[400], *said = words_of(v, p);
            part_name(&all[i], p, count > 1, name, sizeof name);
            fputs(i + (size_t)p ? ",{\"name\":" : "{\"name\":", f);
            json_write_string(f, name);
            member(f, "status", v->outcome == LAB_NO_VERDICT ? "error" : right ? "pass" : "fail");
            fprintf(f, ",\"score\":%u", points(v, p));
            member(f, "message", said ? said : "");
            member(f, "filename", all[i].name);
            fputs(",\"line_no\":0,\"execution_time\":0}", f);
            free(said);
        }
    fputs("]}", f);
    if (!ck_text_close(f, &text))
        ck_no_memory();
    put_base64(to, (const unsigned char *)text, size);
    free(text);
}

/* ---- JUnit and TAP ----------------------------------------------------------------------------------------------- */

static void junit_case(FILE *to, const struct lab_graded *g, int p)
{
    const struct lab_verdict *v = g->verdict;
    char name[200], class[300], *words = words_of(v, p);

    snprintf(class, sizeof class, "%s.%s", g->lab->id, ck_clean_copy(name, sizeof name, g->name));
    fputs("    <testcase", to);
    ck_markup_attribute(to, "classname", class, false);
    ck_markup_attribute(to, "name", parts[p].title, false);
    if (words)
        ck_clean(words, true);
    if (v->outcome == LAB_NO_VERDICT || v->parts[p] == LAB_WRONG) {
        const char *const kind = v->outcome == LAB_NO_VERDICT ? "error" : "failure";
        fprintf(to, "><%s", kind);
        ck_markup_attribute(to, "message", v->outcome != LAB_NO_VERDICT && v->named_count ? v->named[0] : "", false);
        putc('>', to);
        ck_markup_text(to, words, true);
        fprintf(to, "</%s></testcase>\n", kind);
    } else if (v->parts[p] == LAB_NOT_REACHED) {
        fputs("><skipped message=\"not reached\"/></testcase>\n", to);
    } else {
        fputs("/>\n", to);
    }
    free(words);
}

static void tell_junit(FILE *to, const struct lab_graded *all, size_t count)
{
    unsigned failures = 0, errors = 0, skipped = 0;

    for (size_t i = 0; i < count; i++)
        for (int p = 0; p < LAB_PARTS && told(all[i].verdict, p); p++) {
            const struct lab_verdict *v = all[i].verdict;
            errors += v->outcome == LAB_NO_VERDICT;
            failures += v->outcome != LAB_NO_VERDICT && v->parts[p] == LAB_WRONG;
            skipped += v->outcome != LAB_NO_VERDICT && v->parts[p] == LAB_NOT_REACHED;
        }
    fprintf(
        to,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"copycheck lab\" tests=\"%zu\" "
        "failures=\"%u\" errors=\"%u\" skipped=\"%u\">\n",
        told_of_all(all, count), failures, errors, skipped);
    for (size_t i = 0; i < count; i++)
        for (int p = 0; p < LAB_PARTS && told(all[i].verdict, p); p++)
            junit_case(to, &all[i], p);
    fputs("  </testsuite>\n</testsuites>\n", to);
}

static void tell_tap(FILE *to, const struct lab_graded *all, size_t count)
{
    size_t number = 0;

    fprintf(to, "TAP version 14\n1..%zu\n", told_of_all(all, count));
    for (size_t i = 0; i < count; i++)
        for (int p = 0; p < LAB_PARTS && told(all[i].verdict, p); p++) {
            const struct lab_verdict *v = all[i].verdict;
            const bool right = is_right(v, p);
            char name[200], *words = words_of(v, p);
            ck_clean_copy(name, sizeof name, all[i].name);
            for (char *c = name; *c; c++)
                if (*c == '#' || *c == '\\')
                    *c = '_';
            number++;
            fprintf(to, "%s %zu - %s %s: %s\n", right ? "ok" : "not ok", number, all[i].lab->id, name, parts[p].title);
            for (const char *line = words && !right ? words : ""; *line;) {
                const size_t n = strcspn(line, "\n");
                fprintf(to, "# %.*s\n", (int)n, line);
                line += n + (line[n] != 0);
            }
            free(words);
        }
}

void lab_tell_all(FILE *to, enum lab_format format, const struct lab_graded *all, size_t count)
{
    static void (*const tellers[LAB_FORMATS])(FILE *, const struct lab_graded *, size_t) = {
        tell_table, tell_csv, tell_gradescope, tell_github, tell_junit, tell_tap, tell_jsonl,
    };

    tellers[format](to, all, count);
}
// SPDX-License-Identifier: Apache-2.0
