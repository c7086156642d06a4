/* The report as one HTML page that needs nothing else: the matrix, failures with pictures, and behind folds and a
 * switch what was skipped, what was observed, and the matrix of rules. It looks as the rule book does. */
#include "harness/reports/parts.h"

#include <stdlib.h>
#include <string.h>

#include "expected/listing.h"
#include "expected/oracle.h"
#include "harness/base/markup.h"
#include "harness/maps/maps.h"
#include "harness/reports/embedded.h"

static void html_text(FILE *to, const char *text)
{
    ck_markup_text(to, text, true);
}

static void attribute(FILE *to, const char *name, const char *value)
{
    ck_markup_attribute(to, name, value, true);
}

static void lower(FILE *to, const char *text)
{
    char c[2] = "";

    for (; text && *text; text++) {
        *c = (char)(*text >= 'A' && *text <= 'Z' ? *text - 'A' + 'a' : *text);
        html_text(to, c);
    }
}

/* What the filters look at. */
static void words(FILE *to, const struct ck_record *r)
{
    attribute(to, "data-family", r->family);
    attribute(to, "data-engine", r->engine);
    attribute(to, "data-verdict", ck_verdict_names[r->verdict]);
    fputs(" data-w=\"", to);
    lower(to, r->point);
    putc(' ', to);
    lower(to, r->engine);
    putc(' ', to);
    lower(to, r->seen ? r->seen : r->detail);
    putc('"', to);
}

static void cell(FILE *to, const struct ck_tally *t)
{
    const unsigned long total = ck_tally_total(t);
    const char *class = "all";
    char flags[96];

    if (!total) {
        fputs("<td class=none>-</td>", to);
        return;
    }
    for (int v = 0; v < CK_V_COUNT; v++)
        if (ck_verdict_is_bad((enum ck_verdict)v) && t->of[v])
            class = "bad";
    ck_tally_flags(t, flags, sizeof flags);
    fprintf(to, "<td class=%s>%s%s</td>", class, ck_thousands(t->of[CK_V_PASS]), flags);
}

static void matrix(FILE *to, const struct ck_table *t, bool rules)
{
    struct ck_tally all = { 0 };
    char legend[160];

    fprintf(to, "<div class=wide><table><thead><tr><th>%s</th>",
            rules ? "rule</th><th class=t>sentence" : "family</th><th>rules");
    for (size_t c = 0; c < t->col_count; c++) {
        fputs("<th>", to);
        html_text(to, t->cols[c].label);
        fputs("</th>", to);
        for (int v = 0; v < CK_V_COUNT; v++)
            all.of[v] += t->totals[c].of[v];
    }
    fputs(t->agree ? "<th>agree</th></tr></thead><tbody>\n" : "</tr></thead><tbody>\n", to);
    for (size_t r = 0; r < t->row_count + !rules; r++) {
        const bool total = r == t->row_count;
        const struct ck_rule *rule = rules ? ck_cited_find(t->rows[r]) : NULL;

        fputs(total ? "<tr class=total" : "<tr", to);
        if (rules) {
            attribute(to, "data-family", rule ? rule->family : "");
            fputs(" data-w=\"", to);
            lower(to, t->rows[r]);
            putc(' ', to);
            lower(to, rule ? rule->sentence : "");
            putc('"', to);
        }
        fputs("><td class=t>", to);
        html_text(to, total ? "total" : t->rows[r]);
        fputs("</td>", to);
        if (rules) {
            fputs("<td class=t>", to);
            html_text(to, rule ? rule->sentence : "(not in this catalogue)");
            fputs("</td>", to);
        } else {
            fprintf(to, "<td>%s</td>", ck_thousands(total ? t->rules_total : t->rules[r]));
        }
        for (size_t c = 0; c < t->col_count; c++)
            cell(to, total ? &t->totals[c] : &t->cells[r * t->col_count + c]);
        if (t->agree)
            fprintf(to, "<td>%s</td>", t->agree[r]);
        fputs("</tr>\n", to);
    }
    ck_legend(&all, legend, sizeof legend);
    fprintf(to, "</tbody></table></div><p class=\"mute apart\">%s</p>\n", legend);
}

static void choice(FILE *to, const char *name, const struct ck_table *t, bool rows)
{
    fprintf(to, "<select name=%s aria-label=%s><option value=\"\">every %s</option>", name, name, name);
    for (size_t i = 0; i < (rows ? t->row_count : t->col_count); i++) {
        fputs("<option>", to);
        html_text(to, rows ? t->rows[i] : t->cols[i].label);
        fputs("</option>", to);
    }
    fputs("</select> ", to);
}

static void filters(FILE *to, const struct ck_table *t)
{
    fputs("<form class=filter><input type=search name=w aria-label=\"words to look for\" "
          "placeholder=\"words of a point, rule or message\"> ",
          to);
    choice(to, "family", t, true);
    choice(to, "engine", t, false);
    fputs("<select name=verdict aria-label=verdict><option value=\"\">every verdict</option>", to);
    for (int v = CK_V_PASS; v < CK_V_COUNT; v++)
        fprintf(to, "<option>%s</option>", ck_verdict_names[v]);
    fputs("</select> <label class=one><input type=checkbox name=observed> observed behaviour</label> "
          "<button type=reset>all</button> <span id=n class=mute aria-live=polite></span></form>\n",
          to);
}

struct list {
    FILE *to;
    bool open;
};

static void failure_line(void *user, const char *label, const char *text)
{
    struct list *list = user;

    if (*label || !list->open) {
        fputs(list->open ? "</dd><dt>" : "<dt>", list->to);
        html_text(list->to, label);
        fputs("</dt><dd>", list->to);
    } else {
        putc('\n', list->to);
    }
    html_text(list->to, text);
    list->open = true;
}

/* A picture where one helps: the swizzle of the point, or what the rule has. Each once, so that a thousand failures of
 * one kind do not draw a thousand pictures. */
static void picture(FILE *to, const struct ck_record *r, char drawn[96])
{
    char word[64] = "", key[96];

    ck_point_axis(r->point, "swizzle", word, sizeof word);
    snprintf(key, sizeof key, "%s%.60s", *word ? "swizzle " : "", *word ? word : r->rule);
    if (!strcmp(key, drawn))
        return;
    snprintf(drawn, 96, "%s", key);
    for (int64_t mode = 0; *word && mode < TENSOR_SWIZZLE_COUNT; mode++)
        if (!strcmp(tensor_swizzle_name(mode), word)) {
            ck_swizzle_svg(to, mode);
            return;
        }
    ck_picture_svg(to, r->rule);
}

static void failures(FILE *to, const struct ck_entries *run)
{
    unsigned long count = 0;
    char drawn[96] = "";

    for (size_t i = 0; i < run->count; i++) {
        const struct ck_record *r = run->all[i].record;
        struct list list = { to, false };

        if (!ck_verdict_is_bad(r->verdict))
            continue;
        if (!count)
            fputs("<h2>Failures</h2>\n", to);
        count++;
        fputs("<article", to);
        words(to, r);
        fputs("><code>", to);
        html_text(to, r->rule);
        fprintf(to, "</code> <b class=bad>%s</b> on ", ck_verdict_names[r->verdict]);
        html_text(to, r->engine);
        fputs("<dl class=lines>", to);
        ck_failure_lines(run, &run->all[i], failure_line, &list);
        fputs("</dd></dl>\n", to);
        picture(to, r, drawn);
        fputs("</article>\n", to);
    }
    if (!count)
        fputs("<h2>No failures</h2>\n", to);
}

static void observed(FILE *to, const struct ck_entries *run)
{
    bool any = false;
    char ratio[96];

    for (size_t i = 0; i < run->count; i++) {
        const struct ck_record *r = run->all[i].record;

        if (r->verdict != CK_V_SEEN)
            continue;
        if (!any)
            fputs(
                "<section id=observed><h2>Observed where the documents leave it open</h2>\n<div class=wide><table><thead><tr><th>point</th>"
                "<th class=t>engine</th><th class=t>seen</th></tr></thead><tbody>\n",
                to);
        any = true;
        fputs("<tr", to);
        words(to, r);
        fputs("><td class=t><code>", to);
        html_text(to, r->point);
        fputs("</code></td><td class=t>", to);
        html_text(to, r->engine);
        fputs("</td><td class=t>", to);
        html_text(to, r->seen ? r->seen : r->outcome);
        ck_record_ratio(r, ratio, sizeof ratio);
        fprintf(to, "%s%s", *ratio ? ": " : "", ratio);
        fputs(r->varies ? " <span class=mute>(varies)</span></td></tr>\n" : "</td></tr>\n", to);
    }
    if (any)
        fputs("</tbody></table></div></section>\n", to);
}

/* How the run compares with the recorded one: a line, and each change below it. */
static void recorded(FILE *to, const struct ck_report_options *options)
{
    char line[256], *changes = NULL;
    size_t size = 0;
    FILE *text;

    if (!options->comparison || !options->recorded)
        return;
    ck_comparison_line(options->comparison, options->recorded, line, sizeof line);
    fputs("<p>", to);
    html_text(to, line);
    fputs("</p>\n", to);
    text = ck_comparison_changed(options->comparison) ? open_memstream(&changes, &size) : NULL;
    if (!text)
        return;
    ck_comparison_print(text, options->comparison, 0, false);
    fclose(text);
    fputs("<details open><summary>what changed</summary><pre>", to);
    html_text(to, changes);
    fputs("</pre></details>\n", to);
    free(changes);
}

/* How the emulator agrees with the machine, each difference unfolded, and how it names breaches. */
static void emulator(FILE *to, const struct ck_entries *run, const struct ck_agreement *a)
{
    const struct ck_breaches b = ck_breaches_count(run);
    char line[320], *text = NULL;
    size_t size = 0;
    FILE *lines = open_memstream(&text, &size);

    if (!lines)
        return;
    if (a && a->count) {
        ck_agreement_line(a, line, sizeof line);
        fputs("<p>", to);
        html_text(to, line);
        fputs("</p>\n", to);
        ck_agreement_print(lines, a, 0);
    }
    if (ck_breaches_total(&b)) {
        ck_breaches_line(&b, line, sizeof line);
        fputs("<p>", to);
        html_text(to, line);
        fputs("</p>\n", to);
        putc('\n', lines);
        ck_breaches_print(lines, run, true);
    }
    fclose(lines);
    if (text && *text) {
        fputs("<details><summary>where the emulator differs, and breaches with another name</summary><pre>", to);
        html_text(to, text);
        fputs("</pre></details>\n", to);
    }
    free(text);
}

static void skips_and_mutants(FILE *to, const struct ck_entries *run)
{
    static struct ck_skip_reason reasons[256];
    const struct ck_mutants m = ck_mutants_count(run);
    unsigned long skips;
    const size_t count = ck_skip_reasons(run, reasons, 256, &skips);

    if (skips) {
        fprintf(to, "<details><summary>%s skipped: why</summary>\n<ul>\n", ck_thousands(skips));
        for (size_t i = 0; i < count; i++) {
            fprintf(to, "<li>%s: ", ck_thousands(reasons[i].count));
            html_text(to, reasons[i].text);
            fputs("</li>\n", to);
        }
        fputs("</ul></details>\n", to);
    }
    if (m.all)
        fprintf(to, "<p>%s of %s mutants killed, %s excused by their cases.</p>\n", ck_thousands(m.killed),
                ck_thousands(m.all - m.excused), ck_thousands(m.excused));
}

void ck_report_html(FILE *to, const struct ck_entries *run, const struct ck_report_options *options)
{
    struct ck_table families, rules;
    char text[512];

    ck_report_table(run, "family", options, &families);
    ck_report_table(run, "rule", options, &rules);
    ck_report_header(run, false, text, sizeof text);
    fprintf(to,
            "<!doctype html>\n<html lang=en><head><meta charset=utf-8>"
            "<meta name=viewport content=\"width=device-width\">\n<title>copycheck</title>\n<style>\n%s</style></head>"
            "<body>\n<h1 class=apart>",
            ck_style_css);
    html_text(to, text);
    fputs("</h1>\n", to);
    matrix(to, &families, false);
    filters(to, &families);
    failures(to, run);
    fputs("<h2>Beside it</h2>\n", to);
    recorded(to, options);
    emulator(to, run, options->agreement);
    skips_and_mutants(to, run);
    observed(to, run);
    fputs("<details id=rules><summary>The matrix of all rules</summary>\n", to);
    matrix(to, &rules, true);
    fprintf(to, "</details>\n<script>\n%s</script>\n</body></html>\n", ck_report_js);
    ck_table_free(&families);
    ck_table_free(&rules);
}
// SPDX-License-Identifier: Apache-2.0
