/* SELECT arguments: which points of a plan are meant. */
#include "harness/plan/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/records/tally.h"

/* Marks what failed in a record file. Points that the plan no longer has are no error: cases change. */
static bool mark_failed(const struct ck_plan *plan, const char *path, bool *chosen, char *error, size_t size)
{
    struct ck_record_file file;

    if (!ck_read_records(path, &file, error, size))
        return false;
    for (size_t i = 0; i < file.count; i++) {
        const struct ck_point *p = ck_plan_find(plan, file.records[i].point);
        if (p && ck_verdict_is_bad(file.records[i].verdict))
            chosen[p - plan->points] = true;
    }
    ck_free_records(&file);
    return true;
}

/* The family of this plan whose name is nearest to a mistyped one; NULL: there is none. */
static const char *near_family(const struct ck_plan *plan, const char *name)
{
    const char *near = NULL;
    unsigned least = 0;

    for (size_t i = 0; i < plan->count; i++) {
        const char *family = plan->points[i].c->rule->family;
        const unsigned d = family == near ? least : ck_id_distance(name, family);
        if (!near || d < least) {
            near = family;
            least = d;
        }
    }
    return near;
}

/* Says that a select names nothing, and what may have been meant: an id and a family's name are no points' names. */
static void say_unnamed(const struct ck_plan *plan, const char *select, char *error, size_t size)
{
    const struct ck_rule *near = plan->count ? ck_plan_near(plan, select) : NULL;
    const bool family = !strncmp(select, "family:", 7);
    const char *like = near_family(plan, family ? select + 7 : select);

    if (!near)
        snprintf(error, size, "'%s' names no point; copycheck list shows them", select);
    else if (family)
        snprintf(error, size, "'%s' names no point; near is family:%s, and copycheck list shows them all", select,
                 like);
    else if (!strcmp(select, near->id))
        snprintf(error, size, "'%s' names no point, but a rule: rule:%s has its points", select, select);
    else if (!strcmp(select, like))
        snprintf(error, size, "'%s' names no point, but a family: family:%s has its points", select, select);
    else
        snprintf(error, size, "'%s' names no point; near is %s, and copycheck list shows them all", select, near->id);
}

/* Marks what one select names; false with one line where it names nothing. */
static bool mark(const struct ck_plan *plan, const char *select, bool *chosen, char *error, size_t size)
{
    bool any = false;

    if (!strncmp(select, "failed:", 7))
        return mark_failed(plan, select + 7, chosen, error, size);
    for (size_t i = 0; i < plan->count; i++)
        if (ck_selected(&plan->points[i], select)) {
            chosen[i] = true;
            any = true;
        }
    if (!any)
        say_unnamed(plan, select, error, size);
    return any;
}

/* The rows of expected/known/smoke.def, in their order. */
static const char *const smoke[] = {
#define SMOKE(select, why) select,
#include "expected/known/smoke.def"
#undef SMOKE
};

/* Whether the point's verdict gates: no breach, nothing that documents leave open. */
static bool is_gating(const struct ck_point *p)
{
    return (!p->variant || p->mutant) && p->side != CK_SEEN && !p->c->seen_only &&
           p->c->rule->evidence == CK_DOCUMENTED;
}

/* The points that gate of each row, row by row, each point once. */
static void select_smoke(const struct ck_plan *plan, bool *chosen, const struct ck_point **out, size_t *count)
{
    for (size_t k = 0; k < sizeof smoke / sizeof *smoke; k++)
        for (size_t i = 0; i < plan->count; i++) {
            const struct ck_point *p = &plan->points[i];
            if (chosen[i] || !is_gating(p) || !ck_selected(p, smoke[k]))
                continue;
            chosen[i] = true;
            out[(*count)++] = p;
        }
}

const struct ck_point **ck_select(const struct ck_plan *plan, char **selects, size_t select_count, size_t *count,
                                  char *error, size_t size)
{
    const struct ck_point **out = calloc(plan->count + 1, sizeof *out);
    bool *chosen = calloc(plan->count + 1, sizeof *chosen);
    bool good = out && chosen;

    *count = 0;
    if (!good)
        snprintf(error, size, "out of memory");
    if (good && select_count == 1 && !strcmp(selects[0], CK_SMOKE)) {
        select_smoke(plan, chosen, out, count);
        free(chosen);
        return out;
    }
    for (size_t k = 0; good && k < select_count; k++)
        good = mark(plan, selects[k], chosen, error, size);
    for (size_t i = 0; good && i < plan->count; i++)
        if (!select_count || chosen[i])
            out[(*count)++] = &plan->points[i];
    if (good && !*count) {
        snprintf(error, size, "nothing is selected");
        good = false;
    }
    free(chosen);
    if (good)
        return out;
    free(out);
    return NULL;
}

/* Whether two points may fault for the same kind of reason, or only break the same rule. */
static bool same_kind(const struct ck_point *a, const struct ck_point *b, bool by_rule)
{
    return a->c->rule == b->c->rule && a->mutant == b->mutant && !a->variant == !b->variant &&
           (!a->variant || by_rule || !strcmp(a->variant->name, b->variant->name));
}

bool *ck_spare(const struct ck_point *const *points, size_t count, bool by_rule)
{
    bool *spare = calloc(count + 1, sizeof *spare);
    size_t *first = calloc(count + 1, sizeof *first), kinds = 0;

    for (size_t i = 0; spare && first && i < count; i++) {
        size_t k = 0;
        if (!points[i]->faults)
            continue;
        while (k < kinds && !same_kind(points[first[k]], points[i], by_rule))
            k++;
        spare[i] = k < kinds;
        if (k == kinds)
            first[kinds++] = i;
    }
    if (!first) {
        free(spare);
        spare = NULL;
    }
    free(first);
    return spare;
}
// SPDX-License-Identifier: Apache-2.0
