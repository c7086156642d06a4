/* Records as tables of two axes. */
#include "expected/rule.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/bad.h"
#include "harness/records/tally.h"

bool ck_record_label(const struct ck_record *r, const char *axis, char text[CK_TABLE_LABEL])
{
    if (!strcmp(axis, "family"))
        return snprintf(text, CK_TABLE_LABEL, "%s", r->family) > 0;
    if (!strcmp(axis, "rule"))
        return snprintf(text, CK_TABLE_LABEL, "%s", r->rule) > 0;
    if (!strcmp(axis, "engine"))
        return snprintf(text, CK_TABLE_LABEL, "%s", r->engine) > 0;
    if (!strcmp(axis, "verdict"))
        return snprintf(text, CK_TABLE_LABEL, "%s", ck_verdict_names[r->verdict]) > 0;
    if (!strcmp(axis, "evidence"))
        return snprintf(text, CK_TABLE_LABEL, "%s", r->evidence ? r->evidence : "documented") > 0;
    if (!strcmp(axis, "phase"))
        return r->phase && snprintf(text, CK_TABLE_LABEL, "%s", r->phase) > 0;
    if (!strcmp(axis, "case"))
        return snprintf(text, CK_TABLE_LABEL, "%.*s", (int)strcspn(r->point, ":~!"), r->point) > 0;
    return ck_point_axis(r->point, axis, text, CK_TABLE_LABEL);
}

static long family_index(const char *name)
{
    for (long i = 0; ck_families[i]; i++)
        if (!strcmp(ck_families[i], name))
            return i;
    return -1;
}

/* Families are in the order of the catalogue, numbers by size; all else keeps its order. */
static bool stands_before(const char *a, const char *b)
{
    const long fa = family_index(a), fb = family_index(b);
    char *ea, *eb;
    const double na = strtod(a, &ea), nb = strtod(b, &eb);

    if (fa >= 0 && fb >= 0)
        return fa < fb;
    return ea > a && eb > b && !*ea && !*eb && na < nb;
}

/* Finds the index of a row, made where there is none. */
static void row_of(struct ck_table *t, const char *text, size_t *hint)
{
    void *more;

    if (*hint < t->row_count && !strcmp(t->rows[*hint], text))
        return;
    for (*hint = 0; *hint < t->row_count; ++*hint)
        if (!strcmp(t->rows[*hint], text))
            return;
    more = realloc(t->rows, (t->row_count + 1) * sizeof *t->rows);
    if (!more)
        ck_no_memory();
    t->rows = more;
    snprintf(t->rows[t->row_count++], CK_TABLE_LABEL, "%s", text);
}

static void col_of(struct ck_table *t, const char *text, size_t file, size_t *hint)
{
    void *more;

    for (*hint = 0; *hint < t->col_count; ++*hint)
        if (t->cols[*hint].file == file && !strcmp(t->cols[*hint].label, text))
            return;
    more = realloc(t->cols, (t->col_count + 1) * sizeof *t->cols);
    if (!more)
        ck_no_memory();
    t->cols = more;
    t->cols[t->col_count].file = file;
    snprintf(t->cols[t->col_count++].label, CK_TABLE_LABEL, "%s", text);
}

static void sort_labels(struct ck_table *t)
{
    for (size_t i = 1; i < t->row_count; i++) {
        for (size_t k = i; k && stands_before(t->rows[k], t->rows[k - 1]); k--) {
            char swap[CK_TABLE_LABEL];
            memcpy(swap, t->rows[k], sizeof swap);
            memcpy(t->rows[k], t->rows[k - 1], sizeof swap);
            memcpy(t->rows[k - 1], swap, sizeof swap);
        }
    }
    for (size_t i = 1; i < t->col_count; i++) {
        for (size_t k = i;
             k && t->cols[k].file == t->cols[k - 1].file && stands_before(t->cols[k].label, t->cols[k - 1].label);
             k--) {
            const struct ck_table_column swap = t->cols[k];
            t->cols[k] = t->cols[k - 1];
            t->cols[k - 1] = swap;
        }
    }
}

/* Engines are in the order in which the run names them. */
static void engine_columns(struct ck_table *t, const struct ck_entries *r, size_t file)
{
    char name[CK_TABLE_LABEL];
    size_t col;

    for (const char *p = r->file->head.engines; p && *p;) {
        const size_t n = strcspn(p, ",");
        snprintf(name, sizeof name, "%.*s", (int)n, p);
        col_of(t, name, file, &col);
        p += n + (p[n] == ',');
    }
}

static void find_labels(struct ck_table *t, const struct ck_entries *results, size_t files)
{
    char row[CK_TABLE_LABEL], col[CK_TABLE_LABEL];
    size_t at_row = 0, at_col = 0;

    for (size_t f = 0; f < files; f++) {
        if (!strcmp(t->col_axis, "engine"))
            engine_columns(t, &results[f], f);
        for (size_t i = 0; i < results[f].count; i++) {
            const struct ck_entry *r = &results[f].all[i];
            if (r->mutant || !ck_record_label(r->record, t->row_axis, row) ||
                !ck_record_label(r->record, t->col_axis, col))
                continue;
            row_of(t, row, &at_row);
            col_of(t, col, f, &at_col);
        }
    }
}

struct row_rule {
    size_t row;
    const char *rule;
};

static int by_row_rule(const void *a, const void *b)
{
    const struct row_rule *x = a, *y = b;

    return x->row != y->row ? (x->row < y->row ? -1 : 1) : strcmp(x->rule, y->rule);
}

static int by_rule(const void *a, const void *b)
{
    return strcmp(((const struct row_rule *)a)->rule, ((const struct row_rule *)b)->rule);
}

/* Counts the different rules of each row and of all. */
static void count_rules(struct ck_table *t, struct row_rule *seen, size_t count)
{
    qsort(seen, count, sizeof *seen, by_row_rule);
    for (size_t i = 0; i < count; i++)
        if (!i || by_row_rule(&seen[i - 1], &seen[i]) != 0)
            t->rules[seen[i].row]++;
    qsort(seen, count, sizeof *seen, by_rule);
    for (size_t i = 0; i < count; i++)
        if (!i || by_rule(&seen[i - 1], &seen[i]) != 0)
            t->rules_total++;
}

void ck_table_make(struct ck_table *t, const struct ck_entries *results, size_t files, const char *row_axis,
                   const char *col_axis)
{
    char row[CK_TABLE_LABEL], col[CK_TABLE_LABEL];
    size_t at_row = 0, at_col = 0, all = 0, count = 0;
    struct row_rule *seen = NULL;

    *t = (struct ck_table){ .row_axis = row_axis, .col_axis = col_axis };
    find_labels(t, results, files);
    sort_labels(t);
    for (size_t f = 0; f < files; f++)
        all += results[f].count;
    seen = calloc(all + 1, sizeof *seen);
    t->cells = calloc(t->row_count * t->col_count + 1, sizeof *t->cells);
    t->rules = calloc(t->row_count + 1, sizeof *t->rules);
    t->totals = calloc(t->col_count + 1, sizeof *t->totals);
    if (!seen || !t->cells || !t->rules || !t->totals)
        ck_no_memory();
    for (size_t f = 0; f < files; f++) {
        for (size_t i = 0; i < results[f].count; i++) {
            const struct ck_entry *r = &results[f].all[i];
            if (r->mutant || !ck_record_label(r->record, row_axis, row) || !ck_record_label(r->record, col_axis, col))
                continue;
            row_of(t, row, &at_row);
            col_of(t, col, f, &at_col);
            t->cells[at_row * t->col_count + at_col].of[r->record->verdict]++;
            t->totals[at_col].of[r->record->verdict]++;
            seen[count++] = (struct row_rule){ at_row, r->record->rule };
        }
    }
    count_rules(t, seen, count);
    free(seen);
}

void ck_table_free(struct ck_table *table)
{
    free(table->rows);
    free(table->cols);
    free(table->cells);
    free(table->rules);
    free(table->totals);
    free(table->agree);
    *table = (struct ck_table){ 0 };
}

struct widths {
    int number, flags;
};

static int wider(int a, size_t b)
{
    return a > (int)b ? a : (int)b;
}

/* The number, which may be "-" or absent (where all points were skipped), and the flags after it. */
static const char *cell_number(const struct ck_tally *t)
{
    const unsigned long total = ck_tally_total(t);

    if (!total)
        return "-";
    return t->of[CK_V_PASS] || total == t->of[CK_V_NONE] ? ck_thousands(t->of[CK_V_PASS]) : "0";
}

static void print_cell(FILE *to, const struct ck_tally *t, struct widths w, bool last)
{
    char flags[96];

    ck_tally_flags(t, flags, sizeof flags);
    fprintf(to, "   %*s", w.number, cell_number(t));
    if (last)
        fputs(flags, to);
    else
        fprintf(to, "%-*s", w.flags, flags);
}

static void widen(struct widths *w, const struct ck_tally *t)
{
    char flags[96];

    ck_tally_flags(t, flags, sizeof flags);
    w->number = wider(w->number, strlen(cell_number(t)));
    w->flags = wider(w->flags, strlen(flags));
}

/* The line of the files' names, each over the first column of its file. */
static void print_titles(FILE *to, const struct ck_table *t, const struct widths *w, int column,
                         const char *const *titles)
{
    int at = 0;

    for (size_t c = 0; c < t->col_count; c++) {
        if (!c || t->cols[c].file != t->cols[c - 1].file) {
            const char *title = titles[t->cols[c].file];
            fprintf(to, "%*s   %s", column > at ? column - at : 0, "", title);
            at = (column > at ? column : at) + 3 + (int)strlen(title);
        }
        column += 3 + w[c].number + w[c].flags;
    }
    putc('\n', to);
}

void ck_table_print(FILE *to, const struct ck_table *t, const char *const *titles, size_t files)
{
    const bool families = !strcmp(t->row_axis, "family");
    const int rules_width = families ? 10 : 0;
    struct widths *w = calloc(t->col_count + 1, sizeof *w);
    struct ck_tally all = { 0 };
    char legend[160];
    int first = 5, agree = 5;

    if (!w)
        ck_no_memory();
    for (size_t r = 0; t->agree && r <= t->row_count; r++)
        agree = wider(agree, strlen(t->agree[r]));
    for (size_t r = 0; r < t->row_count; r++)
        first = wider(first, strlen(t->rows[r]));
    for (size_t c = 0; c < t->col_count; c++) {
        w[c].number = wider(3, strlen(t->cols[c].label));
        for (size_t r = 0; r < t->row_count; r++)
            widen(&w[c], &t->cells[r * t->col_count + c]);
        widen(&w[c], &t->totals[c]);
        for (int v = 0; v < CK_V_COUNT; v++)
            all.of[v] += t->totals[c].of[v];
    }
    if (files > 1)
        print_titles(to, t, w, first + rules_width, titles);
    fprintf(to, "%-*s", first, families ? "" : t->row_axis);
    if (families)
        fprintf(to, "%*s", rules_width, "rules");
    for (size_t c = 0; c < t->col_count; c++)
        fprintf(to, "   %*s%-*s", w[c].number, t->cols[c].label, t->agree || c + 1 < t->col_count ? w[c].flags : 0, "");
    if (t->agree)
        fprintf(to, "   %*s", agree, "agree");
    putc('\n', to);
    for (size_t r = 0; r <= t->row_count; r++) {
        const bool total = r == t->row_count;
        fprintf(to, "%-*s", first, total ? "total" : t->rows[r]);
        if (families)
            fprintf(to, "%*s", rules_width, ck_thousands(total ? t->rules_total : t->rules[r]));
        for (size_t c = 0; c < t->col_count; c++)
            print_cell(to, total ? &t->totals[c] : &t->cells[r * t->col_count + c], w[c],
                       !total && c + 1 == t->col_count && !t->agree);
        if (t->agree)
            fprintf(to, "   %*s", agree, t->agree[r]);
        if (total) {
            ck_legend(&all, legend, sizeof legend);
            fprintf(to, "   %s", legend);
        }
        putc('\n', to);
    }
    free(w);
}
// SPDX-License-Identifier: Apache-2.0
