/* The plan: cases expanded into points. */
#include "harness/plan/plan.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/append.h"
#include "harness/base/bad.h"
#include "harness/base/hash.h"
#include "harness/base/index.h"
#include "harness/base/room.h"
#include "harness/plan/axes.h"

enum { NAME = 400, VALUES = 4096 };

/* Strings of the plan, freed with it. */
struct storage {
    char **strings;
    size_t count, room;
    size_t room_points;
    struct ck_index names; /* of points */
};

static const struct ck_variant other_side = {
    .name = "other-side",
    .change = "put an alternative of the other side in its place",
};

static const char *keep(struct storage *s, const char *text)
{
    char *copy = strdup(text);

    s->strings = ck_room(s->strings, s->count, &s->room, 1024, sizeof *s->strings);
    if (!copy || !s->strings)
        ck_no_memory(); /* a plan is a few megabytes; there is nothing sensible to do without them */
    s->strings[s->count++] = copy;
    return copy;
}

/* ---- names ---------------------------------------------------------------------------------------------------- */

static void clean(char *out, size_t size, const char *text)
{
    size_t n = 0;

    if (!text || !*text)
        text = "none";
    for (; *text && n + 1 < size; text++)
        out[n++] = isspace((unsigned char)*text) || strchr(",[]*?'\"\\!~{}|&;<>()$`#", *text) ? '_' : *text;
    out[n] = 0;
}

struct wanted {
    const struct ck_plan *plan;
    const char *name;
};

static bool has_name(const void *key, size_t element)
{
    const struct wanted *w = key;

    return !strcmp(w->plan->points[element].name, w->name);
}

/* The place in the index of the point with this name, a free one or NULL. */
static size_t *find(const struct ck_plan *plan, const char *name)
{
    const struct storage *s = plan->storage;
    const struct wanted wanted = { .plan = plan, .name = name };

    return ck_index_find(&s->names, fnv1a(FNV1A_BASIS, name, strlen(name)), has_name, &wanted);
}

const struct ck_point *ck_plan_find(const struct ck_plan *plan, const char *name)
{
    const size_t *place = plan->count ? find(plan, name) : NULL;

    return place && *place ? &plan->points[*place - 1] : NULL;
}

/* Makes room in the index for twice the points that there are. */
static void grow_index(struct ck_plan *plan)
{
    struct storage *s = plan->storage;

    if (!ck_index_make(&s->names, plan->count ? plan->count * 2 : 2048))
        ck_no_memory();
    for (size_t i = 0; i < plan->count; i++)
        *find(plan, plan->points[i].name) = i + 1;
}

static void name_point(struct ck_plan *plan, struct ck_point *p)
{
    static const char *const sides[] = { "", "accept", "refuse", "seen" };
    struct storage *s = plan->storage;
    char name[NAME] = "", part[128];
    char separator = ':';
    size_t n;

    ck_append(name, sizeof name, "%s", p->c->rule->id);
    if (p->c->name)
        ck_append(name, sizeof name, "/%s", p->c->name);
    for (int i = 0; i < CK_AXES && p->c->axes[i].name; i++) {
        if (p->c->axes[i].values[0] == '=')
            continue;
        clean(part, sizeof part, p->values[i]);
        ck_append(name, sizeof name, "%c%s=%s", separator, p->c->axes[i].name, part);
        separator = ',';
    }
    if (p->side) {
        clean(part, sizeof part, p->alternative);
        ck_append(name, sizeof name, "%c%s=%s", separator, sides[p->side], part);
    }
    n = strlen(name);
    p->base = keep(s, name);
    for (int copy = 1;; copy++) {
        name[n] = 0;
        if (copy > 1)
            ck_append(name, sizeof name, "#%d", copy);
        if (p->variant)
            ck_append(name, sizeof name, "%c%s", p->mutant ? '!' : '~', p->variant->name);
        if (!ck_plan_find(plan, name))
            break;
    }
    p->name = keep(s, name);
}

static void add(struct ck_plan *plan, struct ck_point p)
{
    struct storage *s = plan->storage;

    plan->points = ck_room(plan->points, plan->count, &s->room_points, 1024, sizeof *plan->points);
    if (!plan->points)
        ck_no_memory();
    if (plan->count * 2 >= s->names.size)
        grow_index(plan);
    name_point(plan, &p);
    p.faults = p.c->faults || (p.variant && p.variant->faults);
    plan->points[plan->count] = p;
    *find(plan, p.name) = plan->count + 1;
    plan->count++;
}

/* ---- expansion ------------------------------------------------------------------------------------------------ */

struct words {
    const char *word[VALUES];
    size_t count;
};

/* The words of an axis; "3..7" means the integers from 3 to 7, "=16" for a 16 that only a variant changes. */
static bool split_values(struct storage *s, const char *values, struct words *out)
{
    char word[256];
    long long from, to;
    int used;

    out->count = 0;
    if (*values == '=') {
        out->word[out->count++] = keep(s, values + 1);
        return values[1] != 0;
    }
    for (const char *p = values + strspn(values, " "); *p; p += strspn(p, " ")) {
        const size_t n = strcspn(p, " ");
        snprintf(word, sizeof word, "%.*s", (int)n, p);
        p += n;
        used = 0;
        if (sscanf(word, "%lld..%lld%n", &from, &to, &used) == 2 && !word[used]) {
            for (; from <= to && out->count < VALUES; from++) {
                snprintf(word, sizeof word, "%lld", from);
                out->word[out->count++] = keep(s, word);
            }
        } else if (out->count < VALUES) {
            out->word[out->count++] = keep(s, word);
        }
    }
    return out->count > 0 && out->count < VALUES;
}

/* The alternatives of a side: separated by '|'; NULL has none, "" has one that is empty. */
static void split_side(struct storage *s, const char *side, struct words *out)
{
    out->count = 0;
    if (!side)
        return;
    for (const char *p = side;; p++) {
        const size_t n = strcspn(p, "|");
        char *text = strndup(p, n);
        if (!text)
            ck_no_memory();
        if (out->count < VALUES)
            out->word[out->count++] = keep(s, text);
        free(text);
        p += n;
        if (!*p)
            break;
    }
}

static bool matches(const struct ck_point *p, const char *only)
{
    char axis[64], value[128];
    int used;

    for (; only && sscanf(only, " %63[^= ]=%127s%n", axis, value, &used) == 2; only += used) {
        const char *got = ck_point_plain(p, axis);
        bool found = false;
        if (!got)
            return false;
        for (char *rest = value, *one; (one = strsep(&rest, "/"));)
            found |= !strcmp(got, one);
        if (!found)
            return false;
    }
    return true;
}

static void add_sides(struct ck_plan *plan, struct ck_point p, bool mutants)
{
    static const enum ck_side order[] = { CK_ACCEPT, CK_REFUSE, CK_SEEN };
    struct storage *s = plan->storage;
    static struct words sides[4];

    split_side(s, p.c->accept, &sides[CK_ACCEPT]);
    split_side(s, p.c->refuse, &sides[CK_REFUSE]);
    split_side(s, p.c->seen, &sides[CK_SEEN]);
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < sides[order[k]].count; i++) {
            p.side = order[k];
            p.alternative = sides[order[k]].word[i];
            add(plan, p);
        }
    if (!mutants || !sides[CK_ACCEPT].count || !sides[CK_REFUSE].count || p.c->no_mutant)
        return;
    p.variant = &other_side;
    p.mutant = true;
    p.side = CK_ACCEPT;
    p.alternative = sides[CK_REFUSE].word[0];
    add(plan, p);
    p.side = CK_REFUSE;
    p.alternative = sides[CK_ACCEPT].word[0];
    add(plan, p);
}

/* Adds a variant at those of the case's plain points [from, to) that it matches: all for a breach; for a mutant the
 * first, middle and last. */
static void add_variant(struct ck_plan *plan, const struct ck_variant *v, bool mutant, size_t from, size_t to)
{
    size_t *fit = calloc(to - from + 1, sizeof *fit), count = 0;

    if (!fit)
        ck_no_memory();
    for (size_t i = from; i < to; i++)
        if (matches(&plan->points[i], v->only))
            fit[count++] = i;
    for (size_t k = 0; k < count; k++) {
        struct ck_point p;
        if (mutant && k != 0 && k != count / 2 && k != count - 1)
            continue;
        p = plan->points[fit[k]];
        p.variant = v;
        p.mutant = mutant;
        add(plan, p);
    }
    free(fit);
}

/* Goes on to the next choice of values, the last axis fastest; false after the last choice. */
static bool next_choice(const struct words *axes, size_t *at, int count)
{
    for (int i = count - 1; i >= 0; i--) {
        at[i]++;
        if (at[i] < axes[i].count)
            return true;
        at[i] = 0;
    }
    return false;
}

static bool add_case(struct ck_plan *plan, const struct ck_case *c, bool mutants, char *error, size_t error_size)
{
    struct ck_point p = { .c = c };
    const size_t from = plan->count;
    struct words *axes = calloc(CK_AXES, sizeof *axes);
    size_t at[CK_AXES] = { 0 }, end;
    int n = 0;

    if (c->seen_only || c->rule->evidence == CK_OBSERVED)
        mutants = false; /* nothing gates, so nothing can turn */
    if (!axes)
        ck_no_memory();
    for (; n < CK_AXES && c->axes[n].name; n++)
        if (!split_values(plan->storage, c->axes[n].values, &axes[n])) {
            snprintf(error, error_size, "%s: axis %s has no value, or too many", c->at, c->axes[n].name);
            free(axes);
            return false;
        }
    do {
        for (int i = 0; i < n; i++)
            p.values[i] = axes[i].word[at[i]];
        if (!c->valid || ck_point_valid(&p)) {
            if (c->run)
                add(plan, p);
            else
                add_sides(plan, p, mutants);
        }
    } while (next_choice(axes, at, n));
    free(axes);
    end = plan->count;
    if (end == from) {
        snprintf(error, error_size, "%s: the case of %s has no point", c->at, c->rule->id);
        return false;
    }
    for (int i = 0; i < CK_VARIANTS && c->breaches[i].name; i++)
        add_variant(plan, &c->breaches[i], false, from, end);
    for (int i = 0; mutants && i < CK_VARIANTS && c->mutants[i].name; i++)
        add_variant(plan, &c->mutants[i], true, from, end);
    return true;
}

void ck_plan_free(struct ck_plan *plan)
{
    struct storage *s = plan->storage;

    if (s) {
        for (size_t i = 0; i < s->count; i++)
            free(s->strings[i]);
        free(s->strings);
        ck_index_free(&s->names);
        free(s);
    }
    free(plan->points);
    *plan = (struct ck_plan){ 0 };
}

static bool add_suites(struct ck_plan *plan, const struct ck_suite *const *suites, bool mutants, char *error,
                       size_t size)
{
    for (; *suites; suites++)
        for (const struct ck_case *c = (*suites)->cases; c->rule; c++) {
            if (!c->run + !c->assemble + !c->encode + !c->compile + !c->cuda + !c->python != 5) {
                snprintf(error, size, "%s: a case is one of run, assemble, encode, compile, cuda, python", c->at);
                return false;
            }
            if (!add_case(plan, c, mutants, error, size))
                return false;
        }
    return true;
}

bool ck_plan_make(const struct ck_suite *const *suites, bool mutants, struct ck_plan *plan, char *error, size_t size)
{
    *plan = (struct ck_plan){ .storage = calloc(1, sizeof(struct storage)) };
    if (!plan->storage) {
        snprintf(error, size, "out of memory");
        return false;
    }
    if (!add_suites(plan, suites, mutants, error, size)) {
        ck_plan_free(plan);
        return false;
    }
    return true;
}

bool ck_selected(const struct ck_point *p, const char *select)
{
    if (!strncmp(select, "rule:", 5))
        return fnmatch(select + 5, p->c->rule->id, 0) == 0;
    if (!strncmp(select, "family:", 7))
        return fnmatch(select + 7, p->c->rule->family, 0) == 0;
    return !strcmp(select, p->name) || fnmatch(select, p->name, 0) == 0;
}
// SPDX-License-Identifier: Apache-2.0
