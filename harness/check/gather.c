/* What the launches of a kernel have found, each finding once. */
#include "harness/check/gather.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/bad.h"
#include "harness/base/room.h"

enum { BEHIND = 192 }; /* bytes past a buffer that are still described by their distance to it */

/* Says which bytes are at stake. */
static void describe(const struct check_seen *s, const struct emu_place *p, struct check_where *out)
{
    const unsigned long long n = p->bytes;
    const uint64_t at = p->address;
    struct emu_spot spot;
    char name[32];

    *out = (struct check_where){ .offset = at, .arg = -1 };
    if (!p->known || !n)
        return;
    for (size_t k = 0; s->args && k < s->args->arg_count; k++) {
        const struct check_arg *a = &s->args->args[k];
        if (check_has_bytes(a) && at >= s->at[k] && at - s->at[k] < a->size + BEHIND) {
            out->arg = (int)k;
            out->offset = at - s->at[k];
            snprintf(name, sizeof name, "--arg %zu", k);
            snprintf(out->bytes, sizeof out->bytes, "bytes %llu to %llu of %s", (unsigned long long)out->offset,
                     (unsigned long long)out->offset + n - 1, a->name ? a->name : name);
            return;
        }
    }
    emu_where(s->machine, at, &spot);
    out->offset = spot.offset;
    if (spot.outside)
        snprintf(out->bytes, sizeof out->bytes, "%llu bytes at address 0x%llx of no allocation", n,
                 (unsigned long long)spot.offset);
    else
        snprintf(out->bytes, sizeof out->bytes, "bytes %llu to %llu of %s", (unsigned long long)spot.offset,
                 (unsigned long long)spot.offset + n - 1, spot.name);
}

static bool gather_one(struct check_result *r, const struct check_seen *s, const struct emu_finding *f,
                       unsigned schedule)
{
    for (size_t i = 0; i < r->count; i++) {
        struct check_found *g = &r->found[i];
        if (g->finding.rule == f->rule && g->finding.here.at == f->here.at && g->finding.there.at == f->there.at &&
            (f->here.at || !strcmp(g->finding.message, f->message))) {
            g->schedules += g->first != schedule;
            return true;
        }
    }
    struct check_found *found = ck_room(r->found, r->count, &r->room, 16, sizeof *found);
    if (!found)
        return ck_wrong("no memory");
    r->found = found;
    struct check_found *g = &r->found[r->count++];
    *g = (struct check_found){ .finding = *f, .first = schedule, .schedules = 1 };
    r->remarks += f->remark;
    describe(s, &f->here, &g->here);
    describe(s, &f->there, &g->there);
    return true;
}

/* What a run that stopped has to say, where nothing was filed about it, is a finding without a rule. */
bool check_gather(struct check_result *r, const struct check_seen *s, const struct emu_report *report,
                  unsigned schedule)
{
    bool fine = true;

    for (size_t i = 0; i < report->count + report->remarks && fine; i++)
        fine = gather_one(r, s, &report->findings[i], schedule);
    if (!report->count && (report->end == EMU_FAULTED || report->end == EMU_DEADLOCK)) {
        struct emu_finding f = { 0 };
        snprintf(f.message, sizeof f.message, "%s", report->message);
        fine = fine && gather_one(r, s, &f, schedule);
    }
    r->instructions += report->instructions;
    r->forgot |= report->forgot;
    r->settled |= !schedule && report->settled;
    if (report->end != EMU_DONE && r->end == EMU_DONE) {
        r->end = report->end;
        snprintf(r->message, sizeof r->message, "%s", report->message);
    }
    return fine;
}

void check_result_free(struct check_result *result)
{
    free(result->found);
    *result = (struct check_result){ 0 };
}
// SPDX-License-Identifier: Apache-2.0
