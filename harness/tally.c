/* Records counted. */
#include "harness/tally.h"
#include "expected/rule.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

/* The variant's name behind the last `mark`, or NULL: names of variants are words, so that text of a case that happens
 * to hold the mark is not taken for one. */
static const char *variant(const char *point, char mark)
{
    const char *at = strrchr(point, mark);

    if (!at || !isalpha((unsigned char)at[1]))
        return NULL;
    for (const char *p = at + 1; *p; p++) {
        if (*p == '!' && mark == '~')
            break;
        if (!isalnum((unsigned char)*p) && *p != '-' && *p != '_' && *p != '.' && *p != '#')
            return NULL;
    }
    return at;
}

bool ck_point_is_mutant(const char *point)
{
    return variant(point, '!') != NULL;
}

bool ck_point_is_breach(const char *point)
{
    return variant(point, '~') != NULL;
}

static bool begins_axis(const char *p)
{
    size_t n = 0;

    while (isalnum((unsigned char)p[n]) || p[n] == '-' || p[n] == '_')
        n++;
    return n && p[n] == '=';
}

bool ck_point_axis(const char *point, const char *axis, char *value, size_t size)
{
    const size_t length = strlen(axis);
    const char *mutant = variant(point, '!'), *breach = variant(point, '~');
    const char *end = breach ? breach : mutant ? mutant : point + strlen(point);
    const char *p = strchr(point, ':');

    value[0] = 0;
    while (p && p < end) {
        const char *next = ++p;

        /* A comma ends a value where an axis begins behind it; values may hold commas of their own. */
        do {
            next = memchr(next + (next > p), ',', (size_t)(end - next - (next > p)));
        } while (next && !begins_axis(next + 1));
        if (!strncmp(p, axis, length) && p[length] == '=') {
            p += length + 1;
            snprintf(value, size, "%.*s", (int)((next ? next : end) - p), p);
            return true;
        }
        p = next;
    }
    return false;
}

/* ---- results ---- */

bool ck_verdict_is_bad(enum ck_verdict v)
{
    return v == CK_V_FAIL || v == CK_V_HANG || v == CK_V_FAULT || v == CK_V_BROKEN || v == CK_V_UNPROVEN ||
           v == CK_V_SURVIVED;
}

static size_t *find(const struct ck_entries *r, const char *point, const char *engine)
{
    uint64_t h = 0xCBF29CE484222325u;

    for (const char *p = point; *p; p++)
        h = (h ^ (unsigned char)*p) * 0x100000001B3u;
    for (const char *p = engine; *p; p++)
        h = (h ^ (unsigned char)*p) * 0x100000001B3u;
    for (size_t i = (size_t)(h ^ h >> 32);; i++) {
        size_t *place = &r->table[i & (r->table_size - 1)];
        const struct ck_record *record;

        if (!*place)
            return place;
        record = r->all[*place - 1].record;
        if (!strcmp(record->point, point) && !strcmp(record->engine, engine))
            return place;
    }
}

bool ck_entries_make(const struct ck_record_file *file, struct ck_entries *out)
{
    size_t size = 16;

    while (size < file->count * 2)
        size *= 2;
    *out = (struct ck_entries){ .file = file, .table_size = size };
    out->table = calloc(size, sizeof *out->table);
    out->all = calloc(file->count + 1, sizeof *out->all);
    if (!out->table || !out->all) {
        ck_entries_free(out);
        return false;
    }
    for (size_t i = 0; i < file->count; i++) {
        const struct ck_record *record = &file->records[i];

        *find(out, record->point, record->engine) = ++out->count;
        out->all[i] = (struct ck_entry){ .record = record,
                                         .runs = record->runs ? record->runs : 1,
                                         .same = record->runs ? record->same : 1,
                                         .mutant = ck_point_is_mutant(record->point) };
    }
    return true;
}

void ck_entries_free(struct ck_entries *results)
{
    free(results->all);
    free(results->table);
    *results = (struct ck_entries){ 0 };
}

const struct ck_entry *ck_entries_find(const struct ck_entries *results, const char *point, const char *engine)
{
    const size_t *place = find(results, point, engine);

    return *place ? &results->all[*place - 1] : NULL;
}

/* ---- counts ---- */

static const struct letter {
    enum ck_verdict verdict;
    char letter;
    bool always;
} letters[] = {
    { CK_V_FAIL, 'F', true },      { CK_V_HANG, 'H', true },  { CK_V_FAULT, 'X', true }, { CK_V_BROKEN, 'B', false },
    { CK_V_UNPROVEN, 'U', false }, { CK_V_SEEN, 'o', false }, { CK_V_SKIP, 's', true },
};

unsigned long ck_tally_total(const struct ck_tally *t)
{
    unsigned long sum = 0;

    for (int i = 0; i < CK_V_COUNT; i++)
        sum += t->of[i];
    return sum;
}

const char *ck_thousands(unsigned long n)
{
    static char ring[16][32];
    static unsigned next;
    char digits[24], *to = ring[next++ % 16], *start = to;
    const int length = snprintf(digits, sizeof digits, "%lu", n);

    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = 0;
    return start;
}

void ck_tally_flags(const struct ck_tally *t, char *text, size_t size)
{
    size_t used = 0;

    text[0] = 0;
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (t->of[letters[i].verdict] && used < size)
            used += (size_t)snprintf(text + used, size - used, " %s%c", ck_thousands(t->of[letters[i].verdict]),
                                     letters[i].letter);
}

void ck_legend(const struct ck_tally *t, char *text, size_t size)
{
    size_t used = 0;

    text[0] = 0;
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if ((letters[i].always || t->of[letters[i].verdict]) && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%c %s", used ? "  " : "", letters[i].letter,
                                     letters[i].verdict == CK_V_SEEN ? "observed, does not gate"
                                                                     : ck_verdict_names[letters[i].verdict]);
}

/* ---- tables ---- */

/* What stands for the record on an axis; false where it has none. */
static bool label(const struct ck_record *r, const char *axis, char *text)
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

/* Families stand in the order of the catalogue, numbers by size; all else keeps its order. */
static bool stands_before(const char *a, const char *b)
{
    const long fa = family_index(a), fb = family_index(b);
    char *ea, *eb;
    const double na = strtod(a, &ea), nb = strtod(b, &eb);

    if (fa >= 0 && fb >= 0)
        return fa < fb;
    return ea > a && eb > b && !*ea && !*eb && na < nb;
}

/* Index of a row, made where there is none. */
static bool row_of(struct ck_table *t, const char *text, size_t *hint)
{
    void *more;

    if (*hint < t->row_count && !strcmp(t->rows[*hint], text))
        return true;
    for (*hint = 0; *hint < t->row_count; ++*hint)
        if (!strcmp(t->rows[*hint], text))
            return true;
    more = realloc(t->rows, (t->row_count + 1) * sizeof *t->rows);
    if (!more)
        return false;
    t->rows = more;
    snprintf(t->rows[t->row_count++], CK_TABLE_LABEL, "%s", text);
    return true;
}

static bool col_of(struct ck_table *t, const char *text, size_t file, size_t *hint)
{
    void *more;

    for (*hint = 0; *hint < t->col_count; ++*hint)
        if (t->cols[*hint].file == file && !strcmp(t->cols[*hint].label, text))
            return true;
    more = realloc(t->cols, (t->col_count + 1) * sizeof *t->cols);
    if (!more)
        return false;
    t->cols = more;
    t->cols[t->col_count].file = file;
    snprintf(t->cols[t->col_count++].label, CK_TABLE_LABEL, "%s", text);
    return true;
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

/* Engines stand in the order in which the run names them. */
static bool engine_columns(struct ck_table *t, const struct ck_entries *r, size_t file)
{
    char name[CK_TABLE_LABEL];
    size_t col;

    for (const char *p = r->file->head.engines; p && *p;) {
        const size_t n = strcspn(p, ",");
        snprintf(name, sizeof name, "%.*s", (int)n, p);
        if (!col_of(t, name, file, &col))
            return false;
        p += n + (p[n] == ',');
    }
    return true;
}

static bool find_labels(struct ck_table *t, const struct ck_entries *results, size_t files)
{
    char row[CK_TABLE_LABEL], col[CK_TABLE_LABEL];
    size_t at_row = 0, at_col = 0;

    for (size_t f = 0; f < files; f++) {
        if (!strcmp(t->col_axis, "engine") && !engine_columns(t, &results[f], f))
            return false;
        for (size_t i = 0; i < results[f].count; i++) {
            const struct ck_entry *r = &results[f].all[i];
            if (r->mutant || !label(r->record, t->row_axis, row) || !label(r->record, t->col_axis, col))
                continue;
            if (!row_of(t, row, &at_row) || !col_of(t, col, f, &at_col))
                return false;
        }
    }
    return true;
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

bool ck_table_make(struct ck_table *t, const struct ck_entries *results, size_t files, const char *row_axis,
                   const char *col_axis)
{
    char row[CK_TABLE_LABEL], col[CK_TABLE_LABEL];
    size_t at_row = 0, at_col = 0, all = 0, count = 0;
    struct row_rule *seen = NULL;

    *t = (struct ck_table){ .row_axis = row_axis, .col_axis = col_axis };
    if (!find_labels(t, results, files))
        goto fail;
    sort_labels(t);
    for (size_t f = 0; f < files; f++)
        all += results[f].count;
    seen = calloc(all + 1, sizeof *seen);
    t->cells = calloc(t->row_count * t->col_count + 1, sizeof *t->cells);
    t->rules = calloc(t->row_count + 1, sizeof *t->rules);
    t->totals = calloc(t->col_count + 1, sizeof *t->totals);
    if (!seen || !t->cells || !t->rules || !t->totals)
        goto fail;
    for (size_t f = 0; f < files; f++) {
        for (size_t i = 0; i < results[f].count; i++) {
            const struct ck_entry *r = &results[f].all[i];
            if (r->mutant || !label(r->record, row_axis, row) || !label(r->record, col_axis, col))
                continue;
            if (!row_of(t, row, &at_row) || !col_of(t, col, f, &at_col))
                goto fail;
            t->cells[at_row * t->col_count + at_col].of[r->record->verdict]++;
            t->totals[at_col].of[r->record->verdict]++;
            seen[count++] = (struct row_rule){ at_row, r->record->rule };
        }
    }
    count_rules(t, seen, count);
    free(seen);
    return true;
fail:
    free(seen);
    ck_table_free(t);
    return false;
}

void ck_table_free(struct ck_table *table)
{
    free(table->rows);
    free(table->cols);
    free(table->cells);
    free(table->rules);
    free(table->totals);
    *table = (struct ck_table){ 0 };
}

struct widths {
    int number, flags;
};

static int wider(int a, size_t b)
{
    return a > (int)b ? a : (int)b;
}

/* The number, which may be "-" or (where nothing but skips are there) absent, and the flags behind it. */
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
    int first = 5;

    if (!w)
        return;
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
        fprintf(to, "   %*s%-*s", w[c].number, t->cols[c].label, c + 1 < t->col_count ? w[c].flags : 0, "");
    putc('\n', to);
    for (size_t r = 0; r <= t->row_count; r++) {
        const bool total = r == t->row_count;
        fprintf(to, "%-*s", first, total ? "total" : t->rows[r]);
        if (families)
            fprintf(to, "%*s", rules_width, ck_thousands(total ? t->rules_total : t->rules[r]));
        for (size_t c = 0; c < t->col_count; c++)
            print_cell(to, total ? &t->totals[c] : &t->cells[r * t->col_count + c], w[c],
                       !total && c + 1 == t->col_count);
        if (total) {
            ck_legend(&all, legend, sizeof legend);
            fprintf(to, "   %s", legend);
        }
        putc('\n', to);
    }
    free(w);
}
