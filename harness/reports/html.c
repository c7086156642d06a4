/* The report as one HTML page that needs nothing else: matrix, failures unfolded, observed behaviour, rules. */
#include "harness/reports/parts.h"

#include <stdlib.h>
#include <string.h>

#include "expected/listing.h"

static const char style[] =
    ":root{color-scheme:light dark;--line:#8884;--bad:#c62828;--good:#2e7d32;--mute:#777}\n"
    "body{font:15px/1.45 system-ui,sans-serif;max-width:75rem;margin:1.5rem auto;padding:0 1rem}\n"
    "h1{font-size:1.2rem}h2{font-size:1.1rem;margin-top:2rem}\n"
    "table{border-collapse:collapse}th,td{padding:.15rem .6rem;border-bottom:1px solid var(--line);text-align:right}\n"
    "th:first-child,td.t,th.t{text-align:left}td.t{vertical-align:top}tr.total{font-weight:600}\n"
    "td.bad,b.bad{color:var(--bad)}td.none,.mute{color:var(--mute)}td.all{color:var(--good)}\n"
    "code,pre,dd{font:13px/1.4 ui-monospace,monospace}\n"
    "form{position:sticky;top:0;background:Canvas;padding:.5rem 0;border-bottom:1px solid var(--line)}\n"
    "input[type=search]{width:24rem}article{border-left:3px solid var(--bad);padding-left:1rem;margin:1rem 0}\n"
    "dl{display:grid;grid-template-columns:6rem 1fr;margin:.3rem 0}dd{margin:0;white-space:pre-wrap;"
    "overflow-wrap:anywhere}dt{color:var(--mute)}[hidden]{display:none!important}\n";

/* Rows and articles carry their words in data-*; a filter hides those that lack one. */
static const char script[] =
    "const f=document.forms[0],all=[...document.querySelectorAll('[data-w]')];\n"
    "function show(){const w=f.w.value.toLowerCase().split(/\\s+/).filter(Boolean);let n=0;\n"
    "for(const e of all){const d=e.dataset;e.hidden=(f.family.value&&d.family&&d.family!==f.family.value)||\n"
    "(f.engine.value&&d.engine&&d.engine!==f.engine.value)||(f.verdict.value&&d.verdict&&d.verdict!==f.verdict.value)||\n"
    "!w.every(x=>d.w.includes(x));n+=!e.hidden}\n"
    "document.getElementById('n').textContent=n+' of '+all.length+' shown'}\n"
    "f.addEventListener('input',show);f.addEventListener('reset',()=>setTimeout(show));\n"
    "f.addEventListener('submit',e=>e.preventDefault());show();\n";

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

    fprintf(to, "<table><thead><tr><th>%s</th>", rules ? "rule</th><th class=t>sentence" : "family</th><th>rules");
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
    fprintf(to, "</tbody></table><p class=mute>%s</p>\n", legend);
}

static void choice(FILE *to, const char *name, const struct ck_table *t, bool rows)
{
    fprintf(to, "<select name=%s><option value=\"\">every %s</option>", name, name);
    for (size_t i = 0; i < (rows ? t->row_count : t->col_count); i++) {
        fputs("<option>", to);
        html_text(to, rows ? t->rows[i] : t->cols[i].label);
        fputs("</option>", to);
    }
    fputs("</select> ", to);
}

static void filters(FILE *to, const struct ck_table *t)
{
    fputs("<form><input type=search name=w placeholder=\"words of a point, rule or message\"> ", to);
    choice(to, "family", t, true);
    choice(to, "engine", t, false);
    fputs("<select name=verdict><option value=\"\">every verdict</option>", to);
    for (int v = CK_V_PASS; v < CK_V_COUNT; v++)
        fprintf(to, "<option>%s</option>", ck_verdict_names[v]);
    fputs("</select> <button type=reset>all</button> <span id=n class=mute></span></form>\n", to);
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

static void failures(FILE *to, const struct ck_entries *run)
{
    unsigned long count = 0;

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
        fputs("<dl>", to);
        ck_failure_lines(run, &run->all[i], failure_line, &list);
        fputs("</dd></dl></article>\n", to);
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
            fputs("<h2>Observed where the documents leave it open</h2>\n<table><thead><tr><th>point</th>"
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
        fputs("</tbody></table>\n", to);
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
        fprintf(to, "<h2>%s skipped</h2>\n<ul>\n", ck_thousands(skips));
        for (size_t i = 0; i < count; i++) {
            fprintf(to, "<li>%s: ", ck_thousands(reasons[i].count));
            html_text(to, reasons[i].text);
            fputs("</li>\n", to);
        }
        fputs("</ul>\n", to);
    }
    if (m.all)
        fprintf(to, "<p>%s of %s mutants killed, %s excused by their cases.</p>\n", ck_thousands(m.killed),
                ck_thousands(m.all - m.excused), ck_thousands(m.excused));
}

bool ck_report_html(FILE *to, const struct ck_entries *run, const struct ck_report_options *options)
{
    struct ck_table families, rules;
    char text[512];

    if (!ck_report_table(run, "family", options, &families))
        return false;
    if (!ck_report_table(run, "rule", options, &rules)) {
        ck_table_free(&families);
        return false;
    }
    ck_report_header(run, false, text, sizeof text);
    fprintf(to,
            "<!doctype html>\n<html lang=en><head><meta charset=utf-8>"
            "<meta name=viewport content=\"width=device-width\">\n<title>copycheck</title>\n<style>\n%s</style></head>"
            "<body>\n<h1>",
            style);
    html_text(to, text);
    fputs("</h1>\n", to);
    matrix(to, &families, false);
    recorded(to, options);
    emulator(to, run, options->agreement);
    skips_and_mutants(to, run);
    filters(to, &families);
    failures(to, run);
    observed(to, run);
    fputs("<h2>Rules</h2>\n", to);
    matrix(to, &rules, true);
    fprintf(to, "<script>\n%s</script>\n</body></html>\n", script);
    ck_table_free(&families);
    ck_table_free(&rules);
    return true;
}
