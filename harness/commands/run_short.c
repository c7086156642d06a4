/* What a program reads of copycheck run in place of its report. */
#include "harness/commands/run_short.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "harness/base/append.h"
#include "harness/base/bad.h"
#include "harness/base/whole.h"
#include "harness/records/compare.h"

enum { RULES = 8 };

/* "rules a.b,c.d and more": those that fail first. */
static void failed_rules(const struct ck_entries *run, char *out, size_t size)
{
    const char *rules[RULES];
    size_t count = 0;

    out[0] = 0;
    for (size_t i = 0; i < run->count; i++) {
        const struct ck_record *r = run->all[i].record;
        bool known = !ck_verdict_is_bad(r->verdict);
        for (size_t k = 0; k < count && !known; k++)
            known = !strcmp(rules[k], r->rule);
        if (known)
            continue;
        if (count == RULES) {
            ck_append(out, size, ",...");
            return;
        }
        ck_append(out, size, "%s%.80s", count ? "," : " rules=", r->rule);
        rules[count++] = r->rule;
    }
}

/* "3 of 37,000 points fail on NVIDIA H200 driver=580.159.04 toolkit=13.0.88 rules=..." */
static void describe(const struct ck_entries *run, char *out, size_t size)
{
    const struct ck_run_head *h = &run->file->head;
    unsigned long bad = 0;
    char rules[1024];

    for (size_t i = 0; i < run->count; i++)
        bad += ck_verdict_is_bad(run->all[i].record->verdict);
    failed_rules(run, rules, sizeof rules);
    snprintf(out, size, "%s of %s points fail on %s%s%s%s%s%s", ck_thousands(bad), ck_thousands(run->count),
             h->device ? h->device : "no GPU", h->driver ? " driver=" : "", h->driver ? h->driver : "",
             h->toolkit ? " toolkit=" : "", h->toolkit ? h->toolkit : "", rules);
}

void cmd_short_print(enum cmd_short how, const struct ck_entries *run, int status)
{
    static const char *const states[] = { "OK", "CRITICAL", "UNKNOWN", "WARNING" }; /* by our exit status */
    char line[2048];

    describe(run, line, sizeof line);
    if (how == CMD_NHC && (status == 1 || status == 2))
        printf("ERROR: copycheck: %s%s\n", status == 2 ? "no verdict: " : "", line);
    else if (how == CMD_NAGIOS && status != 2)
        printf("COPYCHECK %s - %s%s\n", states[status & 3], line,
               status == 3 ? "; observed behaviour is not as recorded" : "");
}

int cmd_short_status(enum cmd_short how, int status)
{
    static const int nagios[] = { 0, 2, 3, 1 };

    if (how == CMD_NHC)
        return status == 3 ? 0 : status;
    if (how != CMD_NAGIOS)
        return status;
    if (status == 2)
        puts("COPYCHECK UNKNOWN - no verdict: standard error says why");
    return nagios[status & 3];
}

/* ---- Prometheus ----------------------------------------------------------------------------------------------- */

static void label(FILE *to, const char *name, const char *value)
{
    fprintf(to, "%s=\"", name);
    for (const char *p = value ? value : ""; *p; p++)
        fprintf(to, "%s%c", *p == '"' || *p == '\\' ? "\\" : "", *p);
    fputc('"', to);
}

static void about(FILE *to, const char *name, const char *text)
{
    fprintf(to, "# HELP %s %s\n# TYPE %s gauge\n", name, text, name);
}

static void results(FILE *to, const struct ck_entries *run, const char *engine)
{
    struct ck_tally tally = { { 0 } };

    for (size_t i = 0; i < run->count; i++)
        if (!strcmp(run->all[i].record->engine, engine))
            tally.of[run->all[i].record->verdict]++;
    for (int v = CK_V_PASS; v < CK_V_COUNT; v++)
        if (tally.of[v] || v == CK_V_FAIL) {
            fputs("copycheck_run_results{", to);
            label(to, "engine", engine);
            fprintf(to, ",verdict=\"%s\"} %lu\n", ck_verdict_names[v], tally.of[v]);
        }
}

bool cmd_short_prometheus(const char *path, const struct ck_entries *run, int status)
{
    const struct ck_run_head *h = &run->file->head;
    struct whole_file file;
    char engine[64];

    if (!whole_open(&file, path))
        return ck_wrong("run: cannot write %s: %s", path, strerror(errno));
    about(file.to, "copycheck_run_status",
          "0 as expected, 1 a rule failed, 2 no verdict, 3 observed behaviour changed.");
    fprintf(file.to, "copycheck_run_status %d\n", status);
    about(file.to, "copycheck_run_time_seconds", "When the run ended.");
    fprintf(file.to, "copycheck_run_time_seconds %lld\n", (long long)time(NULL));
    about(file.to, "copycheck_run_info", "What ran where.");
    fputs("copycheck_run_info{", file.to);
    label(file.to, "device", h->device);
    fputc(',', file.to);
    label(file.to, "driver", h->driver);
    fputc(',', file.to);
    label(file.to, "toolkit", h->toolkit);
    fputc(',', file.to);
    label(file.to, "version", h->version);
    fputs("} 1\n", file.to);
    about(file.to, "copycheck_run_results", "Points by verdict.");
    for (const char *p = h->engines ? h->engines : ""; *p;) {
        const size_t n = strcspn(p, ",");
        snprintf(engine, sizeof engine, "%.*s", (int)n, p);
        results(file.to, run, engine);
        p += n + (p[n] == ',');
    }
    return whole_close(&file, true) || ck_wrong("run: cannot write %s: %s", path, strerror(errno));
}
// SPDX-License-Identifier: Apache-2.0
