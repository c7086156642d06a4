/* Two record files compared. */
#include "harness/records/compare.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/append.h"
#include "harness/base/bad.h"
#include "harness/base/program.h"
#include "harness/base/room.h"
#include "harness/records/names.h"

static bool same(const char *a, const char *b)
{
    return !strcmp(a ? a : "", b ? b : "");
}

bool ck_record_gates(const struct ck_record *r)
{
    return r->verdict != CK_V_SEEN && (!r->evidence || !strcmp(r->evidence, "documented"));
}

bool ck_engine_is_of_device(const char *engine)
{
    return !strncmp(engine, "gpu", 3) || !strncmp(engine, "jit", 3);
}

bool ck_record_says(const struct ck_record *r, const struct ck_record *other)
{
    return r->verdict == other->verdict && r->code == other->code && same(r->outcome, other->outcome) &&
           same(r->seen, other->seen);
}

/* Whether all but the verdicts is the same. */
static bool same_behaviour(const struct ck_record *a, const struct ck_record *b)
{
    if (a->varies || b->varies)
        return true;
    if (a->verdict == CK_V_SKIP) /* both are; the reasons name what each machine has */
        return true;
    if (a->verdict == CK_V_KILLED) /* a broken program: how it was noticed is chance */
        return true;
    if (!ck_record_says(a, b))
        return false;
    if (ck_point_is_breach(a->point)) /* what a broken program leaves in memory may be chance; what came of it is not */
        return true;
    return !a->digest || !b->digest || a->seed != b->seed || a->digest == b->digest;
}

static unsigned long *counts(struct ck_comparison *c, bool documented)
{
    return documented ? c->documented : c->observed;
}

static bool add(struct ck_comparison *c, struct ck_change change)
{
    struct ck_change *changes;

    counts(c, change.documented)[change.kind]++;
    c->worse += change.worse && change.after;
    c->lost += change.worse && !change.after;
    if (change.kind == CK_UNCHANGED)
        return true;
    changes = ck_room(c->changes, c->count, &c->room, 64, sizeof *changes);
    if (!changes)
        return false;
    c->changes = changes;
    c->changes[c->count++] = change;
    return true;
}

/* Whether a point that is gone leaves something unjudged: a mutant is a test of its case, a skip had judged nothing. */
static bool is_lost(const struct ck_record *gone)
{
    return gone->verdict != CK_V_SKIP && !ck_point_is_mutant(gone->point);
}

static struct ck_change judge(const struct ck_record *before, const struct ck_record *after)
{
    struct ck_change change = { .before = before, .after = after };

    if (!before || !after) {
        change.kind = before ? CK_GONE : CK_ADDED;
        change.documented = ck_record_gates(before ? before : after);
        change.worse = change.documented && (before ? is_lost(before) : ck_verdict_is_bad(after->verdict));
    } else if (before->verdict != after->verdict) {
        change.kind = CK_CHANGED;
        change.documented = ck_record_gates(before) || ck_record_gates(after);
        change.worse = change.documented && ck_verdict_is_bad(after->verdict) && !ck_verdict_is_bad(before->verdict);
    } else {
        /* The same verdict with other behaviour: observed, even of a documented rule. */
        change.kind = same_behaviour(before, after) ? CK_UNCHANGED : CK_CHANGED;
        change.documented = ck_record_gates(after) && change.kind == CK_UNCHANGED;
    }
    return change;
}

bool ck_compare(const struct ck_entries *before, const struct ck_entries *after, bool part, struct ck_comparison *out)
{
    *out = (struct ck_comparison){ 0 };
    for (size_t i = 0; i < after->count; i++) {
        const struct ck_record *now = after->all[i].record;
        const struct ck_entry *then = ck_entries_find(before, now->point, now->engine);
        if (!then && now->verdict == CK_V_SKIP) /* it judges nothing, and a recorded matrix leaves it out */
            continue;
        if (!add(out, judge(then ? then->record : NULL, now)))
            goto fail;
    }
    for (size_t i = 0; !part && i < before->count; i++) {
        const struct ck_record *then = before->all[i].record;
        if (!ck_entries_find(after, then->point, then->engine) && !add(out, judge(then, NULL)))
            goto fail;
    }
    return true;
fail:
    ck_comparison_free(out);
    return false;
}

bool ck_compare_recorded(const struct ck_entries *run, const struct ck_entries *recorded, size_t count,
                         struct ck_comparison *out)
{
    *out = (struct ck_comparison){ 0 };
    for (size_t i = 0; i < run->count; i++) {
        const struct ck_record *now = run->all[i].record;
        const struct ck_entry *then = NULL;

        for (size_t k = 0; k < count && !then; k++)
            then = ck_entries_find(&recorded[k], now->point, now->engine);
        if (!then && now->verdict == CK_V_SKIP)
            continue;
        if (!then) { /* an engine or a point that was not there to be recorded is counted, and is no change */
            counts(out, ck_record_gates(now))[CK_ADDED]++;
        } else if (!add(out, judge(then->record, now))) {
            ck_comparison_free(out);
            return false;
        }
    }
    return true;
}

void ck_comparison_free(struct ck_comparison *c)
{
    free(c->changes);
    *c = (struct ck_comparison){ 0 };
}

int ck_comparison_status(const struct ck_comparison *c)
{
    return c->worse || c->lost ? 1 : c->count ? 3 : 0;
}

/* "H200" of "NVIDIA H200". */
static const char *short_device(const char *device)
{
    static const char maker[] = "NVIDIA ";

    return strncmp(device, maker, strlen(maker)) != 0 ? device : device + strlen(maker);
}

void ck_machine_name(const struct ck_run_head *head, char *text, size_t size)
{
    if (!head || !head->device)
        snprintf(text, size, "machine without a GPU");
    else
        snprintf(text, size, "%s%s%.*s", short_device(head->device), head->driver ? ", driver " : "",
                 head->driver ? (int)strcspn(head->driver, ".") : 0, head->driver ? head->driver : "");
}

static const char *plural(unsigned long n)
{
    return n == 1 ? "" : "s";
}

void ck_comparison_line(const struct ck_comparison *c, const struct ck_run_head *recorded, char *text, size_t size)
{
    const unsigned long added = c->documented[CK_ADDED] + c->observed[CK_ADDED];
    const unsigned long changed = ck_comparison_changed(c);
    char except[160] = "", machine[128];

    if (changed && added)
        snprintf(except, sizeof except, " except for %s change%s, and %s not recorded", ck_thousands(changed),
                 plural(changed), ck_thousands(added));
    else if (changed)
        snprintf(except, sizeof except, " except for %s change%s", ck_thousands(changed), plural(changed));
    else if (added)
        snprintf(except, sizeof except, ", %s not recorded", ck_thousands(added));
    if (recorded->device) {
        ck_machine_name(recorded, machine, sizeof machine);
        snprintf(text, size, "as recorded for %s%s", machine, except);
    } else {
        snprintf(text, size, "as recorded without a GPU%s", except);
    }
}

/* What a record says, in a few words. */
static void describe(const struct ck_record *r, const struct ck_record *other, char *text, size_t size)
{
    const bool coded = r->code != 0 || other->code != 0;
    const bool shown = r->outcome && (r->verdict != other->verdict || !same(r->outcome, other->outcome) || coded);

    snprintf(text, size, "%s", ck_verdict_names[r->verdict]);
    if (shown && r->code)
        ck_append(text, size, " (%s %ld)", r->outcome, r->code);
    else if (shown)
        ck_append(text, size, " (%s)", r->outcome);
    if (r->seen)
        ck_append(text, size, ": %s", r->seen);
    if (r->digest && other->digest && r->digest != other->digest && r->seed == other->seed)
        ck_append(text, size, ", digest %016llx", (unsigned long long)r->digest);
}

static void print_change(FILE *to, const struct ck_change *change)
{
    const struct ck_record *r = change->after ? change->after : change->before;
    char before[400], after[400];

    fprintf(to, "  %s on %s\n", r->point, r->engine);
    describe(change->before ? change->before : r, r, before, sizeof before);
    describe(change->after ? change->after : r, change->before ? change->before : r, after, sizeof after);
    if (change->kind == CK_CHANGED)
        fprintf(to, "    was %s\n    is  %s\n", before, after);
    else
        fprintf(to, "    %s\n", change->after ? after : before);
}

bool ck_comparison_met(const struct ck_comparison *c)
{
    return ck_comparison_changed(c) || c->documented[CK_UNCHANGED] || c->observed[CK_UNCHANGED];
}

unsigned long ck_comparison_changed(const struct ck_comparison *c)
{
    return c->documented[CK_CHANGED] + c->observed[CK_CHANGED];
}

void ck_comparison_print(FILE *to, const struct ck_comparison *c, size_t limit, bool all)
{
    static const struct {
        enum ck_change_kind kind;
        bool documented, worse;
        const char *title;
    } groups[] = {
        { CK_CHANGED, true, true, "documented rules that fail now" },
        { CK_ADDED, true, true, "new points that fail" },
        { CK_CHANGED, true, false, "documented rules whose verdict changed" },
        { CK_CHANGED, false, false, "observed behaviour that changed" },
        { CK_GONE, true, true, "documented points that are gone" },
        { CK_GONE, true, false, "gone" },
        { CK_GONE, false, false, "gone, observed" },
        { CK_ADDED, true, false, "new" },
        { CK_ADDED, false, false, "new, observed" },
    };

    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
        size_t count = 0;

        if (!all && groups[g].kind != CK_CHANGED)
            continue;
        for (size_t i = 0; i < c->count; i++) {
            const struct ck_change *change = &c->changes[i];
            if (change->kind != groups[g].kind || change->documented != groups[g].documented ||
                change->worse != groups[g].worse)
                continue;
            if (!count)
                fprintf(to, "%s\n", groups[g].title);
            count++;
            if (!limit || count <= limit)
                print_change(to, change);
        }
        if (limit && count > limit)
            fprintf(to, "  ... and %s more\n", ck_thousands((unsigned long)(count - limit)));
        if (count)
            putc('\n', to);
    }
}

const char *ck_recorded_folder(void)
{
    static const char here[] = "expected/recorded", *const beside[] = { "", "/..", "/../.." };
    static char path[PATH_MAX + sizeof here + 8];

    for (size_t i = 0; access(here, R_OK) && i < sizeof beside / sizeof *beside; i++) {
        snprintf(path, sizeof path, "%s%s/%s", ck_program_folder(), beside[i], here);
        if (!access(path, R_OK))
            return path;
    }
    return here;
}

/* How well a recorded head suits: 0 not at all. */
static int suits(const struct ck_run_head *recorded, const struct ck_run_head *head)
{
    if (!same(recorded->device, head->device))
        return 0;
    if (head->driver && recorded->driver) {
        const size_t branch = strcspn(head->driver, ".");
        if (branch != strcspn(recorded->driver, ".") || strncmp(head->driver, recorded->driver, branch) != 0)
            return 0;
    } else if (head->driver || recorded->driver) {
        return 0;
    }
    return 1 + 2 * same(recorded->driver, head->driver) + same(recorded->toolkit, head->toolkit);
}

/* The file in `folder` whose head scores best; of equals the first by name. */
static bool best_of(const char *folder, int (*score_of)(const struct ck_run_head *, const void *), const void *wanted,
                    char *path, size_t size)
{
    DIR *files = opendir(folder);
    int best = 0;

    if (!files && errno != ENOENT)
        ck_bad("%.400s: %s (skipped)", folder, strerror(errno));
    if (!files)
        return false;
    for (const struct dirent *entry; (entry = readdir(files));) {
        const char *dot = strrchr(entry->d_name, '.');
        struct ck_record_file file;
        char name[4096], error[256];
        int score;

        if (!dot || strcmp(dot, ".jsonl") != 0)
            continue;
        snprintf(name, sizeof name, "%s/%s", folder, entry->d_name);
        if (!ck_read_head(name, &file, error, sizeof error)) {
            ck_wrong("%s (skipped)", error);
            continue;
        }
        score = score_of(&file.head, wanted);
        ck_free_records(&file);
        if ((score > best || (score && score == best && strcmp(name, path) < 0)) && strlen(name) < size) {
            best = score;
            snprintf(path, size, "%s", name);
        }
    }
    closedir(files);
    return best > 0;
}

static int suits_head(const struct ck_run_head *recorded, const void *wanted)
{
    return suits(recorded, wanted);
}

bool ck_recorded_for(const char *folder, const struct ck_run_head *head, char *path, size_t size)
{
    return best_of(folder, suits_head, head, path, size);
}

static int has_engine(const struct ck_run_head *recorded, const void *engine)
{
    return ck_head_has_engine(recorded, engine);
}

static int has_engine_alone(const struct ck_run_head *recorded, const void *engine)
{
    return !recorded->device && ck_head_has_engine(recorded, engine);
}

bool ck_recorded_of(const char *folder, const char *engine, char *path, size_t size)
{
    return best_of(folder, has_engine_alone, engine, path, size);
}

bool ck_recorded_with(const char *folder, const char *engine, char *path, size_t size)
{
    return best_of(folder, has_engine, engine, path, size);
}
// SPDX-License-Identifier: Apache-2.0
