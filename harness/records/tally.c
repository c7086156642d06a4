/* Records counted. */
#include "harness/records/tally.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "expected/rule.h"
#include "harness/base/append.h"

/* ---- results ---- */

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
// SPDX-License-Identifier: Apache-2.0
