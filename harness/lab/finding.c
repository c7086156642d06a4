/* The findings of a launch, told to a student. */
#include "harness/lab/finding.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/clean.h"

enum { INDENT = 12 };

/* A line of the source, from 1, without the blanks around it. */
static void line_of(const char *source, unsigned number, char *out, size_t size)
{
    size_t n;

    for (unsigned i = 1; source && i < number; i++) {
        source = strchr(source, '\n');
        source += source != NULL;
    }
    *out = 0;
    if (!source)
        return;
    source += strspn(source, " \t");
    n = strcspn(source, "\n");
    while (n && strchr(" \t\r", source[n - 1]))
        n--;
    snprintf(out, size, "%.*s", (int)n, source);
    ck_clean(out, false);
}

/* The line of the student's file that an instruction comes from; 0 where it comes from none. */
static unsigned source_line(const struct lab_submission *s, const struct ptx_module *m, const struct ptx_instruction *i)
{
    char where[1000] = "";
    const char *end;

    if (!i || !s->source)
        return 0;
    ptx_source_called(m, i, where, sizeof where);
    end = strrchr(where, ':');
    return end ? (unsigned)strtoul(end + 1, NULL, 10) : 0;
}

static void tell_instruction(FILE *to, const struct lab_submission *s, const struct ptx_module *m, const char *label,
                             const struct ptx_instruction *i, const char *who)
{
    const struct ptx_function *f = i ? ptx_function_of(m, i) : NULL;
    const unsigned line = source_line(s, m, i);
    char text[300] = "", head[400];

    if (line)
        line_of(s->source, line, text, sizeof text);
    else if (f)
        ptx_print(m, f, i, text, sizeof text);
    ck_clean(text, false);
    if (line)
        snprintf(head, sizeof head, "  %-10s%s:%u  %s", label, s->name, line, text);
    else if (i)
        snprintf(head, sizeof head, "  %-10s%s%u  %s", label, s->source ? "PTX line " : "line ", i->line, text);
    else
        snprintf(head, sizeof head, "  %-10s", label);
    fprintf(to, "%.*s\n", 79, head);
    if (*who)
        lab_wrap(to, "            ", INDENT, who);
}

static void tell_place(FILE *to, const struct lab_submission *s, const struct ptx_module *m, const char *label,
                       const struct emu_place *p, const struct check_where *where)
{
    char who[400];

    if (!p->known)
        return;
    snprintf(who, sizeof who, "thread %u,%u,%u of CTA %u,%u,%u%s%s", p->tid[0], p->tid[1], p->tid[2], p->ctaid[0],
             p->ctaid[1], p->ctaid[2], *where->bytes ? ": " : "", where->bytes);
    tell_instruction(to, s, m, label, p->at, who);
}

static void tell_table(FILE *to, const char *table)
{
    for (size_t n; *table; table += n + (table[n] != 0)) {
        n = strcspn(table, "\n");
        fprintf(to, "            %.*s\n", n < 68 ? (int)n : 68, table);
    }
}

static void tell(FILE *to, const struct lab_submission *s, const struct ptx_module *m, const struct check_result *r,
                 const struct check_found *g)
{
    struct emu_finding f = g->finding;

    ck_clean(f.message, false);
    ck_clean(f.table, true);
    ck_clean(f.remedy, false);
    fprintf(to, "%s%s\n", f.remark ? "remark: " : "", f.rule ? f.rule->id : "(no rule of the catalogue)");
    lab_wrap(to, "  ", 2, f.message);
    tell_place(to, s, m, "here", &f.here, &g->here);
    tell_place(to, s, m, "other", &f.there, &g->there);
    tell_table(to, f.table);
    if (f.cause)
        tell_instruction(to, s, m, "cause", f.cause, "");
    if (f.rule)
        lab_wrap(to, "  rule      ", INDENT, f.rule->sentence);
    if (*f.remedy)
        lab_wrap(to, "  do        ", INDENT, f.remedy);
    if (!f.remark && r->schedules > 1)
        fprintf(to, "  seen      in %u of %u deliveries\n", g->schedules, r->schedules);
    putc('\n', to);
}

unsigned lab_tell_findings(FILE *to, const struct lab_submission *s, const struct ptx_module *m,
                           const struct check_result *r, bool remarks, struct lab_verdict *v)
{
    unsigned count = 0;

    for (size_t i = 0; i < r->count; i++) {
        const struct check_found *g = &r->found[i];
        if (g->role != CHECK_LEADS || g->finding.remark != remarks)
            continue;
        if (g->finding.rule)
            lab_name(v, "%s%s", remarks ? "remark:" : "", g->finding.rule->id);
        tell(to, s, m, r, g);
        count++;
    }
    return count;
}
