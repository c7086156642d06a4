/* The cells of a fleet: results counted, and the machines that are unlike the others. */
#include <stdlib.h>
#include <string.h>

#include "harness/base/hash.h"
#include "harness/base/room.h"
#include "harness/fleet/fleet.h"
#include "harness/records/compare.h"

struct wanted {
    const struct fleet *fleet;
    const struct ck_record *record;
    size_t group;
};

static bool is_cell(const void *key, size_t element)
{
    const struct wanted *w = key;
    const struct fleet_cell *c = &w->fleet->cells[element];

    return c->group == w->group && !strcmp(c->point, w->record->point) && !strcmp(c->engine, w->record->engine);
}

static size_t *place_of(const struct fleet *f, const char *point, const char *engine, size_t group)
{
    const struct ck_record record = { .point = point, .engine = engine };
    const struct wanted wanted = { f, &record, group };

    return ck_index_find(&f->by_point, ck_record_hash(point, engine) + group, is_cell, &wanted);
}

/* The family's name, kept once. */
static const char *family_of(struct fleet *f, const char *name)
{
    char **families;

    for (size_t i = f->family_count; i-- > 0;)
        if (!strcmp(f->families[i], name))
            return f->families[i];
    families = ck_room(f->families, f->family_count, &f->family_room, 64, sizeof *families);
    if (!families)
        return NULL;
    f->families = families;
    families[f->family_count] = strdup(name);
    return families[f->family_count] ? families[f->family_count++] : NULL;
}

static struct fleet_cell *new_cell(struct fleet *f, const struct ck_record *r, size_t group)
{
    const size_t point = strlen(r->point) + 1, engine = strlen(r->engine) + 1;
    struct fleet_cell *cells = ck_room(f->cells, f->cell_count, &f->cell_room, 1024, sizeof *cells), *c;

    if (!cells || f->cell_count == FLEET_CELLS_MAX)
        return NULL;
    f->cells = cells;
    if ((f->cell_count + 1) * 2 > f->by_point.size) {
        if (!ck_index_make(&f->by_point, f->cell_count * 2 + 1024))
            return NULL;
        for (size_t i = 0; i < f->cell_count; i++)
            *place_of(f, cells[i].point, cells[i].engine, cells[i].group) = i + 1;
    }
    c = &cells[f->cell_count];
    *c = (struct fleet_cell){ .point = malloc(point + engine), .family = family_of(f, r->family), .group = group };
    if (!c->point || !c->family) {
        free(c->point);
        return NULL;
    }
    memcpy(c->point, r->point, point);
    c->engine = memcpy(c->point + point, r->engine, engine);
    *place_of(f, r->point, r->engine, group) = ++f->cell_count;
    return c;
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
    return text ? fnv1a(hash, text, strlen(text) + 1) : fnv1a(hash, "", 1);
}

/* What of a record two machines should agree on; compare.c compares two records in the same way. */
static struct fleet_result result_of(const struct ck_record *r)
{
    struct fleet_result result = { .verdict = r->verdict };

    if (r->varies || r->verdict == CK_V_SKIP || r->verdict == CK_V_KILLED)
        return result;
    result.says = fnv1a(hash_text(hash_text(FNV1A_BASIS, r->outcome), r->seen), &r->code, sizeof r->code);
    if (!ck_point_is_breach(r->point))
        result.digest = r->digest;
    return result;
}

/* The words behind result.says, for a reader. */
static bool keep_words(struct fleet_result *result, const struct ck_record *r)
{
    result->code = r->code;
    result->outcome = r->outcome ? strdup(r->outcome) : NULL;
    result->seen = r->seen ? strdup(r->seen) : NULL;
    return (result->outcome || !r->outcome) && (result->seen || !r->seen);
}

static bool count_result(struct fleet_cell *c, const struct ck_record *r, size_t machine)
{
    const struct fleet_result result = result_of(r);
    struct fleet_result *results, *mine;
    unsigned i = 0;

    c->gates |= ck_record_gates(r);
    while (i < c->count && (c->results[i].verdict != result.verdict || c->results[i].says != result.says ||
                            c->results[i].digest != result.digest))
        i++;
    if (i == FLEET_RESULTS) {
        c->others++;
        return true;
    }
    if (i == c->count) {
        results = realloc(c->results, (c->count + 1) * sizeof *results);
        if (!results)
            return false;
        c->results = results;
        results[i] = result;
        c->count++;
        if (result.says && !keep_words(&results[i], r))
            return false;
    }
    mine = &c->results[i];
    if (mine->machines < FLEET_NAMED)
        mine->named[mine->machines] = (unsigned)machine;
    mine->machines++;
    return true;
}

/* The record's cell; NULL: out of memory. Most files have their records in the same order, so that it is most often the
 * one behind the last one's.
 */
static struct fleet_cell *cell_of(struct fleet *f, const struct ck_record *r, size_t group, size_t guess)
{
    const struct wanted wanted = { f, r, group };
    const size_t *place;

    if (guess < f->cell_count && is_cell(&wanted, guess))
        return &f->cells[guess];
    place = place_of(f, r->point, r->engine, group);
    return place && *place ? &f->cells[*place - 1] : new_cell(f, r, group);
}

bool fleet_count(struct fleet *f, size_t machine, const struct ck_record_file *file)
{
    const size_t group = f->machines[machine].group;
    size_t next = 0;

    for (size_t i = 0; i < file->count; i++) {
        struct fleet_cell *c = cell_of(f, &file->records[i], group, next);
        if (!c || !count_result(c, &file->records[i], machine))
            return false;
        next = (size_t)(c - f->cells) + 1;
    }
    return true;
}

unsigned long fleet_cell_machines(const struct fleet_cell *c)
{
    unsigned long machines = c->others;

    for (unsigned i = 0; i < c->count; i++)
        machines += c->results[i].machines;
    return machines;
}

static int by_machines(const void *a, const void *b)
{
    const struct fleet_result *x = a, *y = b;

    return (x->machines < y->machines) - (x->machines > y->machines);
}

/* Where most machines say the same, the few that do not are odd. */
static void find_odd(struct fleet *f, size_t cell)
{
    const struct fleet_cell *c = &f->cells[cell];

    if (c->results[0].machines * 2ul <= fleet_cell_machines(c))
        return;
    for (unsigned i = 1; i < c->count; i++)
        for (unsigned k = 0; k < c->results[i].machines && c->results[i].machines <= FLEET_NAMED; k++) {
            struct fleet_machine *m = &f->machines[c->results[i].named[k]];
            f->odd += !m->odd;
            if (!m->odd++)
                m->odd_cell = cell;
        }
}

void fleet_judge(struct fleet *f)
{
    for (size_t i = 0; i < f->cell_count; i++) {
        struct fleet_cell *c = &f->cells[i];
        bool bad = false;
        for (unsigned k = 0; k < c->count; k++)
            bad |= ck_verdict_is_bad(c->results[k].verdict);
        f->bad += bad && c->gates;
        qsort(c->results, c->count, sizeof *c->results, by_machines);
        if (c->count > 1)
            find_odd(f, i);
    }
}
// SPDX-License-Identifier: Apache-2.0
