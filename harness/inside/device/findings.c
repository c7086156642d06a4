/* What launches find: each finding is said once, when a launch of the kernel first shows it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/clean.h"
#include "harness/check/fold.h"
#include "harness/check/gather.h"
#include "harness/check/said.h"
#include "harness/inside/device/say.h"

static uint64_t asked, judged, instructions, again;

bool say_is_judged(const struct launch *l)
{
    const struct judged *j = &device.judged;

    if (*j->name && !strstr(function_entry(l->function)->name, j->name))
        return false;
    asked++;
    if (asked <= j->skip || asked - j->skip > j->most)
        return false;
    judged++;
    return true;
}

/* One finding that leads, with what is folded under it. */
static void send_finding(struct check_said *to, const struct check_found *g)
{
    const enum check_format format = device.options.format;
    char *text = NULL;
    size_t bytes = 0;

    to->out = open_memstream(&text, &bytes);
    if (!to->out)
        return;
    if (format == CHECK_JSONL)
        check_write_finding(to, g);
    else if (format == CHECK_GCC)
        check_write_line(to, g);
    else if (format == CHECK_GITHUB)
        check_write_annotation(to, g);
    else if (format == CHECK_SARIF)
        check_write_sarif(to, g);
    else if (g->finding.remark)
        check_say_remark(to, g);
    else
        check_say_finding(to, g);
    if (!fclose(to->out))
        say_send(g->finding.remark ? CHANNEL_REMARK : CHANNEL_FINDING, text, bytes);
    free(text);
}

/* What this launch has found for the first time. */
static void say_new(const struct launch *l, struct check_result *fresh)
{
    static struct check_args args;
    struct check_said to = {
        .args = &args, .module = module_ptx(l->function->module), .entry = function_entry(l->function), .result = fresh
    };

    memcpy(args.grid, l->grid, sizeof args.grid);
    memcpy(args.block, l->block, sizeof args.block);
    args.options.seed = device.options.options.seed;
    ck_clean_copy(to.file, sizeof to.file, module_name(l->function->module));
    check_fold(fresh, to.module);
    for (size_t i = 0; i < fresh->count; i++)
        emu_name_layer(to.module, &fresh->found[i].finding);
    check_make_harmless(fresh);
    for (size_t i = 0; i < fresh->count; i++)
        if (device.options.format == CHECK_JSONL || fresh->found[i].role == CHECK_LEADS)
            send_finding(&to, &fresh->found[i]);
}

/* Whether a launch before has shown it. */
static bool is_known(const struct check_result *r, const struct check_found *g)
{
    const struct emu_finding *f = &g->finding;

    for (size_t i = 0; i < r->count; i++) {
        const struct emu_finding *k = &r->found[i].finding;
        if (k->rule == f->rule && k->here.at == f->here.at && k->there.at == f->there.at &&
            (f->here.at || !strcmp(k->message, f->message)))
            return true;
    }
    return false;
}

void say_launch(const struct launch *l, const struct emu_report *report, unsigned schedule)
{
    struct check_seen machine = { .machine = device.machine };
    struct check_result *before = &l->function->found;
    struct check_result fresh = { .end = EMU_DONE };
    struct channel_counts *counts = say_counts();
    size_t kept = 0;

    instructions += report->instructions;
    if ((report->count + report->remarks || report->end != EMU_DONE) &&
        check_gather(&fresh, &machine, report, schedule)) {
        for (size_t i = 0; i < fresh.count; i++) {
            if (is_known(before, &fresh.found[i])) {
                again++;
                continue;
            }
            fresh.found[kept++] = fresh.found[i];
        }
        fresh.count = kept;
        if (kept)
            check_gather(before, &machine, report, schedule);
        if (kept)
            say_new(l, &fresh);
    }
    if (emu_stopped(report->end))
        say_format(CHANNEL_NOT_RUN, "%s: %s", function_entry(l->function)->name, report->message);
    check_result_free(&fresh);
    if (counts) {
        counts->launches = device.launches;
        counts->judged = judged;
        counts->instructions = instructions;
        counts->again = again;
    }
}
// SPDX-License-Identifier: Apache-2.0
