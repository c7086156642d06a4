/* The picture of a schedule. */
#include "harness/check/pictured.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/bad.h"
#include "harness/check/fold.h"

unsigned check_pictured(const struct check_args *args, const struct check_result *result)
{
    if (args->schedule_given)
        return args->schedule;
    return result->leaders ? result->found[0].first : 0;
}

static void describe(const struct check_result *shown, char *out, size_t size)
{
    const size_t findings = shown->leaders;

    if (findings)
        snprintf(out, size, "diagnosed: %zu finding%s", findings, findings == 1 ? "" : "s");
    else
        snprintf(out, size, "%s", shown->end == EMU_DONE ? "no rule is broken in this run" : shown->message);
}

bool check_picture(const struct check_args *args, const struct ptx_module *m, const struct picture_log *log,
                   unsigned number, struct check_result *shown, FILE *to)
{
    struct picture_finding *findings = NULL;
    char run[80], verdict[440];
    bool fine = check_fold(shown, m);

    if (fine && shown->count)
        findings = calloc(shown->count, sizeof *findings);
    if (!fine || (shown->count && !findings))
        return ck_wrong("no memory");
    for (size_t i = 0; i < shown->count; i++) {
        struct check_found *g = &shown->found[i];
        emu_name_layer(m, &g->finding);
        findings[i] = (struct picture_finding){ .finding = &g->finding,
                                                .bytes_here = g->here.bytes,
                                                .bytes_there = g->there.bytes,
                                                .at_here = g->here.offset,
                                                .at_there = g->there.offset,
                                                .leader = g->leader };
    }
    snprintf(run, sizeof run, "schedule %u, seed %llu", number, (unsigned long long)args->options.seed);
    describe(shown, verdict, sizeof verdict);
    fine = picture_write(to, &(struct picture){ .log = log,
                                                .module = m,
                                                .ptx = args->text->data,
                                                .ptx_size = args->text->size,
                                                .file = args->file,
                                                .run = run,
                                                .verdict = verdict,
                                                .findings = findings,
                                                .count = shown->count,
                                                .cuda_name = args->program ? args->program->cuda_name : NULL,
                                                .cuda = args->program ? args->program->cuda : NULL,
                                                .read_sources = !args->program });
    free(findings);
    return fine || ck_wrong("check: --html %.200s: %s", args->html, strerror(errno));
}
// SPDX-License-Identifier: Apache-2.0
