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
    const struct ck_point *p;

    if (!ck_read_records(path, &file, error, size))
        return false;
    for (size_t i = 0; i < file.count; i++)
        if (ck_verdict_is_bad(file.records[i].verdict) && (p = ck_plan_find(plan, file.records[i].point)))
            chosen[p - plan->points] = true;
    ck_free_records(&file);
    return true;
}

const struct ck_point **ck_select(const struct ck_plan *plan, char **selects, size_t select_count, size_t *count,
                                  char *error, size_t size)
{
    const struct ck_point **out = calloc(plan->count + 1, sizeof *out);
    bool *chosen = calloc(plan->count + 1, sizeof *chosen);
    size_t n = 0;

    if (!out || !chosen) {
        snprintf(error, size, "out of memory");
        free(out);
        free(chosen);
        return NULL;
    }
    for (size_t k = 0; k < select_count; k++) {
        bool any = false;
        if (!strncmp(selects[k], "failed:", 7)) {
            if (!mark_failed(plan, selects[k] + 7, chosen, error, size))
                goto bad;
            continue;
        }
        for (size_t i = 0; i < plan->count; i++)
            if (ck_selected(&plan->points[i], selects[k]))
                any = chosen[i] = true;
        if (!any) {
            snprintf(error, size, "'%s' names no point; copycheck list shows them", selects[k]);
            goto bad;
        }
    }
    for (size_t i = 0; i < plan->count; i++)
        if (!select_count || chosen[i])
            out[n++] = &plan->points[i];
    if (!n) {
        snprintf(error, size, "nothing is selected");
        goto bad;
    }
    free(chosen);
    *count = n;
    return out;

bad:
    free(out);
    free(chosen);
    return NULL;
}
