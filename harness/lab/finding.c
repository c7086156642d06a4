/* The findings of a launch, told to a student. */
#include "harness/lab/finding.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/clean.h"
#include "harness/lab/words.h"

enum { INDENT = 12, WIDTH = 79 };

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

static void tell_instruction(FILE *to, const struct lab_submission *s, const struct ptx_module *m, const char *label,
                             const struct ptx_instruction *i, const char *who)
{
    const struct ptx_function *f = i ? ptx_function_of(m, i) : NULL;
    const unsigned line = s->source ? lab_source_line(m, i) : 0;
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
    if (strlen(head) > WIDTH)
        strcpy(head + WIDTH - strlen("..."), "...");
    fprintf(to, "%s\n", head);
    if (*who)
        lab_wrap(to, "            ", INDENT, who);
}

static void tell_place(FILE *to, const struct lab_submission *s, const struct ptx_module *m, const char *label,
                       const struct emu_place *p, const struct check_where *where)
{
    char words[400], who[400];

    if (!p->known)
        return;
    snprintf(words, sizeof words, "thread %u,%u,%u of CTA %u,%u,%u%s%s", p->tid[0], p->tid[1], p->tid[2], p->ctaid[0],
             p->ctaid[1], p->ctaid[2], *where->bytes ? ": " : "", where->bytes);
    lab_own_words(m, s->source, s->flat, words, who, sizeof who);
    tell_instruction(to, s, m, label, p->at, who);
}

/* Lines of a table that hold words are broken where they are long; others are columns, and are cut. */
static void tell_table(FILE *to, const char *table)
{
    char line[500], label[64];

    for (size_t n; *table; table += n + (table[n] != 0)) {
        n = strcspn(table, "\n");
        const size_t blanks = strspn(table, " ");
        if (n <= 68) {
            fprintf(to, "            %.*s\n", (int)n, table);
            continue;
        }
        snprintf(line, sizeof line, "%.*s", (int)(n - blanks), table + blanks);
        snprintf(label, sizeof label, "            %*s", blanks < 20 ? (int)blanks : 20, "");
        lab_wrap(to, label, (unsigned)strlen(label) + 2, line);
    }
}

static void tell(FILE *to, const struct lab_submission *s, const struct ptx_module *m, const struct check_result *r,
                 const struct check_found *g)
{
    struct emu_finding f = g->finding;
    char message[sizeof f.message + 100], table[sizeof f.table + 500], remedy[sizeof f.remedy + 100], see[600];

    ck_clean(f.message, false);
    ck_clean(f.table, true);
    ck_clean(f.remedy, false);
    lab_own_words(m, s->source, s->flat, f.message, message, sizeof message);
    lab_own_words(m, s->source, s->flat, f.table, table, sizeof table);
    lab_own_words(m, s->source, s->flat, f.remedy, remedy, sizeof remedy);
    fprintf(to, "%s%s\n", f.remark ? "remark: " : "", f.rule ? f.rule->id : "(no rule of the catalogue)");
    lab_wrap(to, "  ", 2, message);
    tell_place(to, s, m, "here", &f.here, &g->here);
    tell_place(to, s, m, "other", &f.there, &g->there);
    tell_table(to, table);
    if (f.cause)
        tell_instruction(to, s, m, "cause", f.cause, "");
    if (f.rule)
        lab_wrap(to, "  rule      ", INDENT, f.rule->sentence);
    for (unsigned i = 0; i < sizeof f.also / sizeof *f.also; i++)
        if (f.also[i] && f.also[i]->kind == CK_PROMISE && f.also[i]->evidence == CK_DOCUMENTED) {
            snprintf(see, sizeof see, "%s: %s", f.also[i]->id, f.also[i]->sentence);
            lab_wrap(to, "  see       ", INDENT, see);
        }
    if (*remedy)
        lab_wrap(to, "  do        ", INDENT, remedy);
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
        else
            lab_name(v, "fault");
        tell(to, s, m, r, g);
        count++;
    }
    return count;
}
// SPDX-License-Identifier: Apache-2.0
