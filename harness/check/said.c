/* Findings as text. */
#include <stdio.h>
#include <string.h>

#include "harness/base/append.h"
#include "harness/base/clean.h"
#include "harness/check/said.h"
#include "harness/check/schedules.h"

struct check_line check_line_of(const struct check_said *to, const struct emu_place *p)
{
    const struct ptx_module *m = to->module;
    struct check_line l = { 0 };

    if (!p->known || !p->at)
        return l;
    l.ptx = p->at->line;
    const struct ptx_function *f = ptx_function_of(m, p->at);
    if (f)
        ptx_print(m, f, p->at, l.text, sizeof l.text);
    ptx_source_called(m, p->at, l.source, sizeof l.source);
    return l;
}

void check_make_harmless(struct check_result *r)
{
    for (size_t i = 0; i < r->count; i++) {
        ck_clean(r->found[i].finding.message, false);
        ck_clean(r->found[i].finding.table, true);
        ck_clean(r->found[i].finding.remedy, false);
    }
}

static void print_place(const struct check_said *to, const char *label, const struct emu_place *p,
                        const struct check_where *where)
{
    struct check_line l = check_line_of(to, p);

    if (!p->known)
        return;
    ck_clean(l.text, false);
    ck_clean(l.source, false);
    fprintf(to->out, "  %-9s thread %u,%u,%u of CTA %u,%u,%u", label, p->tid[0], p->tid[1], p->tid[2], p->ctaid[0],
            p->ctaid[1], p->ctaid[2]);
    if (*where->bytes)
        fprintf(to->out, ": %s", where->bytes);
    fputc('\n', to->out);
    if (l.ptx)
        fprintf(to->out, "            %s:%u: %s\n", to->file, l.ptx, l.text);
    if (*l.source)
        fprintf(to->out, "            %s\n", l.source);
}

/* The instruction at fault, where it is neither of the two accesses. */
static void print_cause(const struct check_said *to, const struct ptx_instruction *at)
{
    struct check_line l = check_line_of(to, &(struct emu_place){ .known = true, .at = at });

    if (!at)
        return;
    ck_clean(l.text, false);
    ck_clean(l.source, false);
    fprintf(to->out, "  %-9s %s:%u: %s\n", "cause", to->file, l.ptx, l.text);
    if (*l.source)
        fprintf(to->out, "            %s\n", l.source);
}

/* The PTX lines of a finding's two accesses. */
static void append_lines(char *out, size_t size, const struct emu_finding *f)
{
    if (f->here.at)
        ck_append(out, size, "%u", f->here.at->line);
    if (f->there.at)
        ck_append(out, size, "%s%u", f->here.at ? " and " : "", f->there.at->line);
}

/* The findings from `i` on that have this role under the same leader and the same rule, in one line; returns the first
 * that is not of them. */
static size_t print_folded(const struct check_said *to, const char *label, size_t i)
{
    enum { SHOWN = 12 };
    const struct check_found *found = to->result->found, *first = &found[i];
    const struct ck_rule *rule = first->finding.rule;
    char lines[400] = "";
    size_t n = 0;

    for (; i < to->result->count && found[i].leader == first->leader && found[i].role == first->role &&
           found[i].finding.rule == rule;
         i++, n++) {
        if (n > SHOWN || (!found[i].finding.here.at && !found[i].finding.there.at))
            continue;
        ck_append(lines, sizeof lines, "%s", n == SHOWN ? "; ..." : n ? "; " : "");
        if (n < SHOWN)
            append_lines(lines, sizeof lines, &found[i].finding);
    }
    if (first->role == CHECK_PLACE)
        fprintf(to->out, "  %-9s at %zu more place%s", label, n, n == 1 ? "" : "s");
    else
        fprintf(to->out, "  %-9s %s, at %zu place%s", label, rule ? rule->id : first->finding.message, n,
                n == 1 ? "" : "s");
    if (*lines)
        fprintf(to->out, " (PTX line%s %s)", n > 1 || first->finding.there.at ? "s" : "", lines);
    fputc('\n', to->out);
    return i;
}

/* What is folded under the finding of this number. */
static void print_followers(const struct check_said *to, size_t leader)
{
    const struct check_found *found = to->result->found;
    bool told = false;

    for (size_t i = leader + 1; i < to->result->count && found[i].leader == leader;) {
        const bool follows = found[i].role == CHECK_FOLLOWS;
        i = print_folded(to, !follows ? "too" : told ? "" : "follows", i);
        told |= follows;
    }
}

static void print_table(FILE *out, const char *table)
{
    while (*table) {
        const int n = (int)strcspn(table, "\n");
        fprintf(out, "            %.*s\n", n, table);
        table += n + (table[n] != 0);
    }
}

enum { NAME_MOST = 100, NAME_SHORT = 70, NAME_ROOM = 128 };

/* The name of a kernel. Those of C++ templates may have thousands of letters: here the first ones, in the formats for
 * programs all. */
static const char *name_of(const struct check_said *to, char out[NAME_ROOM])
{
    const size_t n = strlen(to->entry->name);

    if (n <= NAME_MOST)
        return to->entry->name;
    snprintf(out, NAME_ROOM, "%.*s... (%zu letters)", NAME_SHORT, to->entry->name, n);
    return out;
}

void check_say_finding(const struct check_said *to, const struct check_found *g)
{
    const struct emu_finding *f = &g->finding;
    char name[NAME_ROOM];

    fprintf(to->out, "%s  in %s\n  %s\n", f->rule ? f->rule->id : "(no rule of the catalogue)", name_of(to, name),
            f->message);
    if (f->rule)
        fprintf(to->out, "  rule      %s\n  source    %s\n", f->rule->sentence, f->rule->source);
    if (f->behind)
        fprintf(to->out, "  behind    %s: %s\n", f->behind->id, f->behind->sentence);
    for (int i = 0; i < EMU_ALSO && f->also[i]; i++)
        fprintf(to->out, "  also      %s: %s\n", f->also[i]->id, f->also[i]->sentence);
    print_place(to, "here", &f->here, &g->here);
    print_place(to, "other", &f->there, &g->there);
    print_table(to->out, f->table);
    print_cause(to, f->cause);
    if (*f->remedy)
        fprintf(to->out, "  do        %s\n", f->remedy);
    print_followers(to, (size_t)(g - to->result->found));
    if (to->result->schedules > 1)
        fprintf(to->out,
                "  seen      in %u of %u schedules, first in schedule %u (--seed %llu --schedule %u repeats it)\n",
                g->schedules, to->result->schedules, g->first, (unsigned long long)to->args->options.seed, g->first);
    fputc('\n', to->out);
}

/* In one line and the two places. */
void check_say_remark(const struct check_said *to, const struct check_found *g)
{
    const struct emu_finding *f = &g->finding;
    char name[NAME_ROOM];

    fprintf(to->out, "remark: %s  in %s: %s\n", f->rule ? f->rule->id : "", name_of(to, name), f->message);
    print_place(to, "here", &f->here, &g->here);
    print_place(to, "other", &f->there, &g->there);
    print_followers(to, (size_t)(g - to->result->found));
    fputc('\n', to->out);
}

/* Where more is said of the rules of the findings that lead, each once. */
static void print_more(const struct check_said *to)
{
    const struct check_result *r = to->result;
    bool any = false;

    for (size_t i = 0; i < r->count; i++) {
        const struct ck_rule *rule = r->found[i].finding.rule;
        bool told = r->found[i].role != CHECK_LEADS || !rule;

        for (size_t k = 0; k < i && !told; k++)
            told = r->found[k].role == CHECK_LEADS && r->found[k].finding.rule == rule;
        if (told)
            continue;
        fprintf(to->out, "%s %s", any ? "" : "more: copycheck explain", rule->id);
        any = true;
    }
    if (any)
        fputc('\n', to->out);
}

void check_say_end(const struct check_said *to, const char *word)
{
    const struct check_args *a = to->args;
    const size_t findings = to->result->leaders, all = to->result->count - to->result->remarks;
    char covered[300], name[NAME_ROOM];

    fprintf(to->out, "%s: %s, grid %u,%u,%u, block %u,%u,%u", word, name_of(to, name), a->grid[0], a->grid[1],
            a->grid[2], a->block[0], a->block[1], a->block[2]);
    if (a->cluster[0] * a->cluster[1] * a->cluster[2] > 1)
        fprintf(to->out, ", cluster %u,%u,%u", a->cluster[0], a->cluster[1], a->cluster[2]);
    fprintf(to->out, ", %u schedule%s, %llu instructions", to->result->schedules, to->result->schedules == 1 ? "" : "s",
            (unsigned long long)to->result->instructions);
    if (findings)
        fprintf(to->out, ", %zu finding%s", findings, findings == 1 ? "" : "s");
    if (all > findings)
        fprintf(to->out, " (%zu with what is folded under %s)", all, findings == 1 ? "it" : "them");
    if (to->result->remarks)
        fprintf(to->out, ", %zu remark%s", to->result->remarks, to->result->remarks == 1 ? "" : "s");
    check_covered(to->result, covered, sizeof covered);
    fprintf(to->out, "\nschedules: %s\n", covered);
    if (*to->result->bytes_said)
        fprintf(to->out, "bytes: %s\n", to->result->bytes_said);
    print_more(to);
    if (to->result->forgot)
        fputs(
            "memory: accesses of global memory before its shadow outgrew --max-memory were not compared with later ones"
            "\n",
            to->out);
}
// SPDX-License-Identifier: Apache-2.0
