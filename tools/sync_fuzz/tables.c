#include "tools/sync_fuzz/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RULES = 160, SHOWN = 6, OF_CHECK = 12 /* schedules of check, unless it is told how many */ };

struct row {
    unsigned long made, named, rules[RULES];
    unsigned long late;   /* named only by a further schedule than the first two, */
    unsigned long beyond; /* and than check runs unless told how many */
};

struct tables {
    const struct fleet *f;
    unsigned long right, clean, lines;
    char rules[RULES][48];
    size_t rule_count;
    struct row rows[MUTATIONS][OP_KINDS];
    struct verdict shortest[2]; /* right and not clean, wrong and not named; ops 0: none */
};

struct tables *tables_new(const struct fleet *f)
{
    struct tables *t = calloc(1, sizeof *t);

    if (t)
        t->f = f;
    return t;
}

static size_t rule_number(struct tables *t, const char *id)
{
    size_t i = 0;

    while (i < t->rule_count && strcmp(t->rules[i], id))
        i++;
    if (i == RULES)
        return RULES - 1;
    if (i == t->rule_count) {
        snprintf(t->rules[i], sizeof t->rules[i], "%s", id);
        t->rule_count++;
    }
    return i;
}

static void say(struct tables *t, const struct verdict *v)
{
    if (t->lines++ >= t->f->most)
        return;
    if (t->f->settings.as_exec) {
        char form[16] = "";
        if (v->form >= 0)
            snprintf(form, sizeof form, ":%d", v->form);
        printf("0x%llx%s: %s\n", (unsigned long long)v->seed, form, v->message);
        return;
    }
    printf("0x%llx", (unsigned long long)v->seed);
    if (v->form < 0)
        printf(" right, but schedule %u: %s\n", v->schedule, v->message);
    else
        printf(":%d %s %s (%s), not named: %s\n", v->form, op_names[v->op], mutation_names[v->mutation],
               flaw_names[v->flaw], *v->message ? v->message : "clean");
}

void tables_add(struct tables *t, const struct verdict *v)
{
    struct verdict *shortest = &t->shortest[v->form >= 0];

    if (v->form < 0) {
        t->right++;
        t->clean += v->good;
    } else {
        struct row *r = &t->rows[v->mutation][v->op];
        r->made++;
        r->named += v->good;
        r->late += v->good && v->schedule > 1;
        r->beyond += v->good && v->schedule >= OF_CHECK;
        if (v->good)
            r->rules[rule_number(t, v->rule)]++;
    }
    if (v->good)
        return;
    say(t, v);
    if (!shortest->ops || (v->ops && v->ops < shortest->ops))
        *shortest = *v;
}

static void print_row(const struct tables *t, enum mutation_kind m, enum op_kind o)
{
    const struct row *r = &t->rows[m][o];
    bool shown[RULES] = { 0 };

    printf("  %-26s %-22s %6lu %6lu %6lu ", op_names[o], mutation_names[m], r->made, r->named, r->late);
    for (unsigned k = 0; k < SHOWN; k++) {
        size_t best = RULES;
        for (size_t i = 0; i < t->rule_count; i++)
            if (!shown[i] && r->rules[i] && (best == RULES || r->rules[i] > r->rules[best]))
                best = i;
        if (best == RULES)
            break;
        shown[best] = true;
        printf(" %s %lu", t->rules[best], r->rules[best]);
    }
    printf("\n");
}

static void print_shortest(const struct tables *t, const struct verdict *v)
{
    static struct program p;
    const uint32_t only = form_shrink(&t->f->settings, v->seed, v->form);

    printf("\nThe shortest %s:\n", t->f->settings.as_exec ? "one that is judged otherwise behind the light judge"
                                   : v->form < 0          ? "right one that is not clean"
                                                          : "wrong one that is not named");
    if (form_make(&p, v->seed, v->form, only))
        form_print(&p, v->form);
}

int tables_print(struct tables *t, unsigned long long none, unsigned long seconds)
{
    unsigned long made = 0, named = 0, beyond = 0;
    int status;

    for (enum mutation_kind m = 0; m < MUTATIONS; m++)
        for (enum op_kind o = 0; o < OP_KINDS; o++) {
            made += t->rows[m][o].made;
            named += t->rows[m][o].named;
            beyond += t->rows[m][o].beyond;
        }
    if (made)
        printf("  %-26s %-22s %6s %6s %6s  %s\n", "step", "wrong form", "made", "named", "late", "rules");
    for (enum mutation_kind m = 0; m < MUTATIONS; m++)
        for (enum op_kind o = 0; o < OP_KINDS; o++)
            if (t->rows[m][o].made)
                print_row(t, m, o);
    if (t->f->settings.as_exec)
        printf("%lu of %lu right programs and %lu of %lu wrong ones have the same findings with the light judge and "
               "without it; %llu seeds without a program; %lu s by %u processes\n",
               t->clean, t->right, named, made, none, seconds, t->f->jobs);
    else
        printf(
            "%lu of %lu right programs clean and with the expected bytes; %lu of %lu wrong ones named, %lu "
            "of them only behind schedule %u; %llu seeds without a program; %lu s by %u processes, %u schedules each, at "
            "most %u of a wrong one\n",
            t->clean, t->right, named, made, beyond, (unsigned)OF_CHECK - 1, none, seconds, t->f->jobs,
            t->f->gpu ? 1 : t->f->settings.schedules, t->f->settings.tries);
    status = t->clean != t->right || named != made;
    for (unsigned i = 0; i < 2 && !t->f->gpu; i++)
        if (t->shortest[i].ops)
            print_shortest(t, &t->shortest[i]);
    free(t);
    return status;
}
// SPDX-License-Identifier: Apache-2.0
