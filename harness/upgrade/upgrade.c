/* What an upgrade changed. */
#include "harness/upgrade/upgrade.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/bad.h"
#include "harness/base/folder.h"
#include "harness/base/room.h"

enum { NAME = 64 };

/* ---- engines ----------------------------------------------------------------------------------------------------- */

/* "ptxas" of "ptxas-13.0", "gpu" of "gpu@12.4": the length. */
static size_t kind(const char *engine)
{
    return strcspn(engine, "-@");
}

static bool same_kind(const char *a, const char *b)
{
    return kind(a) == kind(b) && !strncmp(a, b, kind(a));
}

/* The only engine of this kind that `head` has and `other` has not, into `out`; false where there are none or several.
 */
static bool only_one(const struct ck_run_head *head, const struct ck_run_head *other, const char *like, char out[NAME])
{
    unsigned found = 0;
    char name[NAME];

    for (const char *p = head->engines ? head->engines : ""; *p;) {
        const size_t n = strcspn(p, ",");
        snprintf(name, sizeof name, "%.*s", (int)n, p);
        if (same_kind(name, like) && !ck_head_has_engine(other, name) && !found++)
            memcpy(out, name, sizeof name);
        p += n + (p[n] == ',');
    }
    return found == 1;
}

/* An assembler of another release takes the place of the one that it replaced: the old file's records get its name.
 * Each name is one of the new file's records, which live as long. */
static void pair_engines(struct upgrade *u)
{
    const struct ck_run_head *before = &u->before.file.head, *after = &u->after.file.head;
    const char *last = "", *instead = NULL;
    char mine[NAME], theirs[NAME];

    for (size_t i = 0; i < u->before.file.count; i++) {
        struct ck_record *r = &u->before.file.records[i];
        if (strcmp(last, r->engine) != 0) {
            last = r->engine;
            instead = NULL;
            if (!ck_head_has_engine(after, last) && only_one(before, after, last, mine) && !strcmp(mine, last) &&
                only_one(after, before, last, theirs))
                for (size_t k = 0; k < u->after.file.count && !instead; k++)
                    if (!strcmp(u->after.file.records[k].engine, theirs))
                        instead = u->after.file.records[k].engine;
        }
        if (instead)
            r->engine = instead;
    }
}

/* ---- since when ----------------------------------------------------------------------------------------------------
 */

/* "13.5" of an engine's name as 1305; 0 where it has none. */
static int release(const char *engine)
{
    int major, minor;

    return sscanf(engine + kind(engine), "%*[-@]%d.%d", &major, &minor) == 2 ? major * 100 + minor : 0;
}

static bool answers_alike(const struct ck_record *a, const struct ck_record *b)
{
    const char *x = a->seen ? a->seen : "", *y = b->seen ? b->seen : "";

    return a->verdict == b->verdict && !strcmp(a->outcome ? a->outcome : "", b->outcome ? b->outcome : "") &&
           !strcmp(x, y);
}

/* Among the recorded releases of the record's assembler: the first one from which on each answers as the record. */
static void find_since(const struct upgrade_side *recorded, const struct ck_record *r, char *out, size_t size)
{
    const char *engines = recorded->file.head.engines;
    char name[NAME];

    for (const char *p = engines ? engines : ""; *p;) {
        const size_t n = strcspn(p, ",");
        snprintf(name, sizeof name, "%.*s", (int)n, p);
        p += n + (p[n] == ',');
        const struct ck_entry *e =
            same_kind(name, r->engine) ? ck_entries_find(&recorded->entries, r->point, name) : NULL;
        if (!e || release(name) > release(r->engine))
            continue;
        if (!answers_alike(e->record, r))
            *out = 0;
        else if (!*out)
            snprintf(out, size, "%s", name);
    }
}

/* Fills in `since` from a recorded matrix, if it has releases of the changes' assemblers. */
static void look_into(struct upgrade *u, const char *folder, const char *name)
{
    char path[PATH_MAX], error[512];
    struct upgrade_side side;
    struct ck_record_file head;
    bool wanted = false;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!ck_read_head(path, &head, error, sizeof error)) {
        ck_wrong("%s (skipped)", error);
        return;
    }
    for (size_t i = 0; i < u->count && !wanted; i++)
        wanted = release(u->changes[i].engine) && head.head.engines &&
                 !strncmp(head.head.engines, u->changes[i].engine, kind(u->changes[i].engine));
    ck_free_records(&head);
    if (!wanted)
        return;
    if (!ck_load_records(path, &side.file, &side.entries, error, sizeof error)) {
        ck_wrong("%s (skipped)", error);
        return;
    }
    for (size_t i = 0; i < u->count; i++) {
        struct upgrade_change *c = &u->changes[i];
        const struct ck_entry *now = ck_entries_find(&u->after.entries, c->point, c->engine);
        if (now && c->section != UPGRADE_MACHINE)
            find_since(&side, now->record, c->since, sizeof c->since);
    }
    ck_unload_records(&side.file, &side.entries);
}

static void look_back(struct upgrade *u, const char *folder)
{
    struct dirent **names;
    const int count = ck_folder_list(folder, ck_is_jsonl, &names);

    for (int f = 0; f < count; f++) {
        look_into(u, folder, names[f]->d_name);
        free(names[f]);
    }
    free(names);
}

/* ---- changes -------------------------------------------------------------------------------------------------------
 */

static void describe(const struct ck_record *r, char out[200])
{
    if (!r)
        snprintf(out, 200, "not there");
    else if (r->verdict == CK_V_SEEN && r->seen)
        snprintf(out, 200, "%s", r->seen);
    else
        snprintf(out, 200, "%s%s%s", ck_verdict_names[r->verdict], r->outcome ? ", " : "",
                 r->outcome ? r->outcome : "");
}

/* Adds a point to the change that it is a part of; false where memory runs out. */
static bool add(struct upgrade *u, struct upgrade_change change)
{
    for (size_t i = 0; i < u->count; i++) {
        struct upgrade_change *c = &u->changes[i];
        if (c->section != change.section || strcmp(c->rule, change.rule) || strcmp(c->engine, change.engine) ||
            strcmp(c->was, change.was) || strcmp(c->is, change.is))
            continue;
        c->points++;
        c->worse |= change.worse;
        if (strlen(change.point) < strlen(c->point))
            c->point = change.point;
        return true;
    }
    struct upgrade_change *changes = ck_room(u->changes, u->count, &u->room, 64, sizeof *changes);
    if (!changes)
        return false;
    u->changes = changes;
    change.points = 1;
    u->changes[u->count++] = change;
    return true;
}

static bool add_change(struct upgrade *u, const struct ck_change *c)
{
    const struct ck_record *r = c->after ? c->after : c->before;
    struct upgrade_change change = { .section = c->documented ? UPGRADE_DOCUMENTED : UPGRADE_OBSERVED,
                                     .rule = r->rule ? r->rule : "",
                                     .engine = r->engine,
                                     .worse = c->worse,
                                     .point = r->point };

    describe(c->before, change.was);
    describe(c->after, change.is);
    if (!strcmp(change.was, change.is))
        snprintf(change.is, sizeof change.is, "other bytes in memory, or another code");
    u->of[change.section]++;
    return add(u, change);
}

/* Results that are alike and are other machine code. */
static bool add_machine(struct upgrade *u)
{
    for (size_t i = 0; i < u->after.entries.count; i++) {
        const struct ck_record *now = u->after.entries.all[i].record;
        const struct ck_entry *then =
            now->machine ? ck_entries_find(&u->before.entries, now->point, now->engine) : NULL;
        if (!then || !then->record->machine)
            continue;
        u->machine_known++;
        if (then->record->machine == now->machine)
            continue;
        u->of[UPGRADE_MACHINE]++;
        if (!add(u, (struct upgrade_change){ .section = UPGRADE_MACHINE,
                                             .rule = now->rule ? now->rule : "",
                                             .engine = now->engine,
                                             .was = "one machine code",
                                             .is = "another one",
                                             .point = now->point }))
            return false;
    }
    return true;
}

static int by_weight(const void *a, const void *b)
{
    const struct upgrade_change *x = a, *y = b;

    if (x->section != y->section)
        return x->section < y->section ? -1 : 1;
    if (x->worse != y->worse)
        return x->worse ? -1 : 1;
    if (x->points != y->points)
        return x->points > y->points ? -1 : 1;
    return strcmp(x->point, y->point);
}

static bool find_changes(struct upgrade *u, bool part)
{
    if (!ck_compare(&u->before.entries, &u->after.entries, part, &u->comparison))
        return false;
    for (size_t i = 0; i < u->comparison.count; i++) {
        const struct ck_change *c = &u->comparison.changes[i];
        if ((c->kind == CK_CHANGED || c->worse) && !add_change(u, c))
            return false;
    }
    if (!add_machine(u))
        return false;
    if (u->count)
        qsort(u->changes, u->count, sizeof *u->changes, by_weight);
    return true;
}

bool upgrade_make(const char *before, const char *after, const char *folder, bool part, struct upgrade *u, char *error,
                  size_t size)
{
    *u = (struct upgrade){ 0 };
    if (!ck_read_records(before, &u->before.file, error, size))
        return false;
    if (!ck_read_records(after, &u->after.file, error, size)) {
        ck_free_records(&u->before.file);
        return false;
    }
    pair_engines(u);
    if (!ck_entries_make(&u->before.file, &u->before.entries) || !ck_entries_make(&u->after.file, &u->after.entries) ||
        !find_changes(u, part)) {
        upgrade_free(u);
        snprintf(error, size, "out of memory");
        return false;
    }
    if (folder)
        look_back(u, folder);
    return true;
}

void upgrade_free(struct upgrade *u)
{
    ck_comparison_free(&u->comparison);
    free(u->changes);
    ck_unload_records(&u->before.file, &u->before.entries);
    ck_unload_records(&u->after.file, &u->after.entries);
    *u = (struct upgrade){ 0 };
}

int upgrade_status(const struct upgrade *u)
{
    const int status = ck_comparison_status(&u->comparison);
    const bool ended = u->before.file.head.complete && u->after.file.head.complete;

    if (status == 1)
        return 1;
    return !ended ? 2 : u->of[UPGRADE_DOCUMENTED] || u->of[UPGRADE_OBSERVED] ? 3 : 0;
}

const char *upgrade_verdict(const struct upgrade *u)
{
    switch (upgrade_status(u)) {
    case 0:
        return u->of[UPGRADE_MACHINE] ? "No rule and no observed behaviour changed; some machine code did."
                                      : "No rule, no observed behaviour and no machine code changed.";
    case 1:
        return "A documented rule fails that did not, or its points are gone: do not upgrade before it is understood.";
    case 2: return "No verdict: one of the runs did not end.";
    default:
        return "No documented rule became worse. What documents leave open changed: look whether your kernels rely on it.";
    }
}
// SPDX-License-Identifier: Apache-2.0
