/* Records counted. */
#include "harness/records/tally.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "expected/rule.h"
#include "harness/base/append.h"

/* ---- names ---- */

/* The variant's name after the last `mark`, or NULL: names of variants are words, so that text of a case that happens
 * to hold the mark is not taken for one. A name may begin with a digit: "~2^32-1", "!64B". */
static const char *variant(const char *point, char mark)
{
    const char *at = strrchr(point, mark);

    if (!at || !isalnum((unsigned char)at[1]))
        return NULL;
    for (const char *p = at + 1; *p; p++) {
        if (*p == '!' && mark == '~')
            break;
        if (!isalnum((unsigned char)*p) && *p != '-' && *p != '_' && *p != '.' && *p != '#' && *p != '^')
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

/* The comma after the value that begins at `from`, NULL where the value reaches to `end`. A comma ends a value where an
 * axis follows it; values may hold commas of their own. */
static const char *next_axis(const char *from, const char *end)
{
    const char *comma = memchr(from, ',', (size_t)(end - from));

    while (comma && !begins_axis(comma + 1))
        comma = memchr(comma + 1, ',', (size_t)(end - comma - 1));
    return comma;
}

bool ck_point_axis(const char *point, const char *axis, char *value, size_t size)
{
    const size_t length = strlen(axis);
    const char *mutant = variant(point, '!'), *breach = variant(point, '~');
    const char *end = breach ? breach : mutant ? mutant : point + strlen(point);
    const char *p = strchr(point, ':');

    value[0] = 0;
    while (p && p < end) {
        const char *next;

        p++;
        next = next_axis(p, end);
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

bool ck_head_has_engine(const struct ck_run_head *head, const char *engine)
{
    const size_t length = strlen(engine);

    for (const char *p = head->engines; p && *p;) {
        const size_t n = strcspn(p, ",");
        if (n == length && !strncmp(p, engine, n))
            return true;
        p += n + (p[n] == ',');
    }
    return false;
}

bool ck_verdict_is_bad(enum ck_verdict v)
{
    return v == CK_V_FAIL || v == CK_V_HANG || v == CK_V_FAULT || v == CK_V_BROKEN || v == CK_V_UNPROVEN ||
           v == CK_V_SURVIVED;
}

struct wanted {
    const struct ck_entries *entries;
    const char *point, *engine;
};

static bool same_key(const void *key, size_t element)
{
    const struct wanted *w = key;
    const struct ck_record *r = w->entries->all[element].record;

    return !strcmp(r->point, w->point) && !strcmp(r->engine, w->engine);
}

/* The place in the index of the entry with this key, or the free place where it belongs. */
static size_t *find(const struct ck_entries *e, const char *point, const char *engine)
{
    const struct wanted wanted = { .entries = e, .point = point, .engine = engine };

    return ck_index_find(&e->keys, ck_record_hash(point, engine), same_key, &wanted);
}

bool ck_entries_make(const struct ck_record_file *file, struct ck_entries *out)
{
    *out = (struct ck_entries){ .file = file };
    out->all = calloc(file->count + 1, sizeof *out->all);
    if (!out->all || !ck_index_make(&out->keys, file->count)) {
        ck_entries_free(out);
        return false;
    }
    for (size_t i = 0; i < file->count; i++) {
        const struct ck_record *record = &file->records[i];

        *find(out, record->point, record->engine) = i + 1;
        out->all[i] = (struct ck_entry){ .record = record,
                                         .runs = record->runs ? record->runs : 1,
                                         .same = record->runs ? record->same : 1,
                                         .mutant = ck_point_is_mutant(record->point) };
        out->count = i + 1;
    }
    return true;
}

void ck_entries_free(struct ck_entries *results)
{
    free(results->all);
    ck_index_free(&results->keys);
    *results = (struct ck_entries){ 0 };
}

bool ck_load_records(const char *path, struct ck_record_file *file, struct ck_entries *entries, char *error,
                     size_t size)
{
    if (!ck_read_records(path, file, error, size))
        return false;
    if (ck_entries_make(file, entries))
        return true;
    snprintf(error, size, "%s: out of memory", path);
    ck_free_records(file);
    return false;
}

void ck_unload_records(struct ck_record_file *file, struct ck_entries *entries)
{
    ck_entries_free(entries);
    ck_free_records(file);
}

const struct ck_entry *ck_entries_find(const struct ck_entries *results, const char *point, const char *engine)
{
    const size_t *place = find(results, point, engine);

    return place && *place ? &results->all[*place - 1] : NULL;
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
    char digits[24], *start = ring[next], *to = start;
    const int length = snprintf(digits, sizeof digits, "%lu", n);

    next = (next + 1) % 16;
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
    text[0] = 0;
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (t->of[letters[i].verdict])
            ck_append(text, size, " %s%c", ck_thousands(t->of[letters[i].verdict]), letters[i].letter);
}

void ck_legend(const struct ck_tally *t, char *text, size_t size)
{
    text[0] = 0;
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (letters[i].always || t->of[letters[i].verdict])
            ck_append(text, size, "%s%c %s", text[0] ? "  " : "", letters[i].letter,
                      letters[i].verdict == CK_V_SEEN ? "observed, does not gate"
                                                      : ck_verdict_names[letters[i].verdict]);
}
