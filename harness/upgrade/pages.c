/* The page about an upgrade: text, HTML, JSON. */
#include <string.h>

#include "expected/listing.h"
#include "harness/base/clean.h"
#include "harness/base/json.h"
#include "harness/base/markup.h"
#include "harness/base/program.h"
#include "harness/reports/embedded.h"
#include "harness/upgrade/upgrade.h"

static const struct {
    const char *title, *key, *none;
} sections[] = {
    [UPGRADE_DOCUMENTED] = { "Documented rules", "documented", "None changed." },
    [UPGRADE_OBSERVED] = { "Observed behaviour, which documents leave open", "observed", "None changed." },
    [UPGRADE_MACHINE] = { "Other machine code", "machine", "None that is known of both." },
};

static void machine_of(const struct upgrade_side *side, char *out, size_t size)
{
    const struct ck_run_head *h = &side->file.head;

    snprintf(out, size, "%s%s%s%s%s", h->device ? h->device : "no GPU", h->driver ? ", driver " : "",
             h->driver ? h->driver : "", h->toolkit ? ", toolkit " : "", h->toolkit ? h->toolkit : "");
}

static const struct ck_rule *rule_of(const struct upgrade_change *c)
{
    return ck_cited_find(c->rule);
}

/* "1,204 points: 3 changed, ..." of a section. */
static void counts_of(const struct upgrade *u, enum upgrade_section s, char *out, size_t size)
{
    if (s == UPGRADE_MACHINE)
        snprintf(out, size, "%s of %s results whose machine code is known of both runs", ck_thousands(u->of[s]),
                 ck_thousands(u->machine_known));
    else
        snprintf(out, size, "%s point%s changed, %s did not", ck_thousands(u->of[s]), u->of[s] == 1 ? "" : "s",
                 ck_thousands(s == UPGRADE_DOCUMENTED ? u->comparison.documented[CK_UNCHANGED]
                                                      : u->comparison.observed[CK_UNCHANGED]));
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

static void text_change(FILE *to, const struct upgrade_change *c)
{
    const struct ck_rule *rule = rule_of(c);

    fprintf(to, "  %s on %s: %s point%s%s\n", c->rule, c->engine, ck_thousands(c->points), c->points == 1 ? "" : "s",
            c->worse ? "  WORSE" : "");
    if (c->section == UPGRADE_MACHINE) {
        fprintf(to, "    for example %s\n", c->point);
        return;
    }
    if (rule)
        fprintf(to, "    %s\n    %s\n", rule->sentence, rule->source);
    fprintf(to, "    before  %s\n    now     %s%s%s\n", c->was, c->is,
            *c->since ? ", as every recorded release since " : "", c->since);
    fprintf(to, "    program %s report '%s'\n", ck_program(), c->point);
}

static void write_text(FILE *to, const struct upgrade *u)
{
    char text[512];

    fprintf(to, "%s\n\n", upgrade_verdict(u));
    machine_of(&u->before, text, sizeof text);
    fprintf(to, "before  %s\n", text);
    machine_of(&u->after, text, sizeof text);
    fprintf(to, "now     %s\n", text);
    for (int s = 0; s < UPGRADE_SECTIONS; s++) {
        counts_of(u, (enum upgrade_section)s, text, sizeof text);
        fprintf(to, "\n%s: %s\n", sections[s].title, text);
        for (size_t i = 0; i < u->count; i++)
            if ((int)u->changes[i].section == s)
                text_change(to, &u->changes[i]);
    }
}

/* ---- HTML -------------------------------------------------------------------------------------------------------- */

static void cell(FILE *to, const char *text)
{
    fputs("<td class=t>", to);
    ck_markup_text(to, text, true);
    fputs("</td>", to);
}

static void html_change(FILE *to, const struct upgrade_change *c)
{
    const struct ck_rule *rule = rule_of(c);

    fputs("<tr>", to);
    cell(to, c->rule);
    cell(to, rule ? rule->sentence : "");
    cell(to, rule ? rule->source : "");
    cell(to, c->engine);
    fprintf(to, "<td%s>%s</td>", c->worse ? " class=bad" : "", ck_thousands(c->points));
    cell(to, c->was);
    cell(to, c->is);
    cell(to, c->since);
    fputs("<td class=t><code>", to);
    ck_markup_text(to, ck_program(), true);
    fputs(" report '", to);
    ck_markup_text(to, c->point, true);
    fputs("'</code></td></tr>\n", to);
}

static void html_paragraph(FILE *to, const char *before, const char *text)
{
    fprintf(to, "<p>%s", before);
    ck_markup_text(to, text, true);
    fputs("</p>\n", to);
}

static void write_html(FILE *to, const struct upgrade *u)
{
    char text[512];

    fprintf(to,
            "<!doctype html><html lang=en><meta charset=utf-8><title>Upgrade</title><style>%s</style>"
            "<h1>What the upgrade changed</h1>\n",
            ck_style_css);
    fprintf(to, "<p class=says>%s</p>\n", upgrade_verdict(u));
    machine_of(&u->before, text, sizeof text);
    html_paragraph(to, "Before: ", text);
    machine_of(&u->after, text, sizeof text);
    html_paragraph(to, "Now: ", text);
    for (int s = 0; s < UPGRADE_SECTIONS; s++) {
        counts_of(u, (enum upgrade_section)s, text, sizeof text);
        fprintf(to, "<h2>%s</h2><p>%s.</p>\n", sections[s].title, text);
        if (!u->of[s]) {
            html_paragraph(to, "", sections[s].none);
            continue;
        }
        fputs(
            "<div class=wide><table><thead><tr><th>rule<th class=t>it says<th class=t>source<th class=t>engine<th>points"
            "<th class=t>before<th class=t>now<th class=t>since<th class=t>program</tr></thead><tbody>\n",
            to);
        for (size_t i = 0; i < u->count; i++)
            if ((int)u->changes[i].section == s)
                html_change(to, &u->changes[i]);
        fputs("</tbody></table></div>\n", to);
    }
    fputs("</html>\n", to);
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void json_side(FILE *to, const char *name, const struct upgrade_side *side)
{
    const struct ck_run_head *h = &side->file.head;

    fprintf(to, ",\"%s\":{\"results\":%zu,\"complete\":%s", name, side->entries.count, h->complete ? "true" : "false");
    json_write_member(to, "device", h->device);
    json_write_member(to, "driver", h->driver);
    json_write_member(to, "toolkit", h->toolkit);
    json_write_member(to, "engines", h->engines);
    fputs("}", to);
}

static void json_change(FILE *to, const struct upgrade_change *c)
{
    const struct ck_rule *rule = rule_of(c);

    fprintf(to, "{\"points\":%lu,\"worse\":%s", c->points, c->worse ? "true" : "false");
    json_write_member(to, "rule", c->rule);
    json_write_member(to, "sentence", rule ? rule->sentence : NULL);
    json_write_member(to, "source", rule ? rule->source : NULL);
    json_write_member(to, "engine", c->engine);
    json_write_member(to, "before", c->was);
    json_write_member(to, "now", c->is);
    json_write_member(to, "since", c->since);
    json_write_member(to, "point", c->point);
    fputs("}", to);
}

static void write_json(FILE *to, const struct upgrade *u)
{
    fprintf(to, "{\"upgrade\":1,\"status\":%d", upgrade_status(u));
    json_write_member(to, "verdict", upgrade_verdict(u));
    json_side(to, "before", &u->before);
    json_side(to, "now", &u->after);
    fprintf(to, ",\"machine_known\":%lu", u->machine_known);
    for (int s = 0; s < UPGRADE_SECTIONS; s++) {
        bool first = true;
        fprintf(to, ",\"%s\":{\"points\":%lu,\"changes\":[", sections[s].key, u->of[s]);
        for (size_t i = 0; i < u->count; i++)
            if ((int)u->changes[i].section == s) {
                fputs(first ? "\n" : ",\n", to);
                first = false;
                json_change(to, &u->changes[i]);
            }
        fputs("]}", to);
    }
    fputs("}\n", to);
}

bool upgrade_write(FILE *to, const struct upgrade *u, enum upgrade_format format)
{
    static void (*const writers[])(FILE *, const struct upgrade *) = { write_text, write_html, write_json };

    writers[format](to, u);
    return !ferror(to);
}
// SPDX-License-Identifier: Apache-2.0
