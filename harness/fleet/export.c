/* A merged fleet for programs: JSON Lines, and Prometheus' text format. */
#include <string.h>

#include "harness/base/json.h"
#include "harness/fleet/fleet.h"
#include "harness/records/tally.h"

static const char *const states[FLEET_STATES] = { "waits", "counted", "cut", "again", "broken" };

static void write_head(FILE *to, const struct ck_run_head *h)
{
    json_write_member(to, "device", h->device);
    json_write_member(to, "driver", h->driver);
    json_write_member(to, "libcuda", h->libcuda);
    json_write_member(to, "toolkit", h->toolkit);
    json_write_member(to, "engines", h->engines);
    json_write_member(to, "selection", h->selection);
    fprintf(to, ",\"seed\":\"%016llx\"", (unsigned long long)h->seed);
}

static void write_cell(FILE *to, const struct fleet *f, const struct fleet_cell *c)
{
    fputs("{\"point\":", to);
    json_write_string(to, c->point);
    json_write_member(to, "engine", c->engine);
    json_write_member(to, "family", c->family);
    fprintf(to, ",\"group\":%zu,\"machines\":%lu,\"results\":[", c->group + 1, fleet_cell_machines(c));
    for (unsigned i = 0; i < c->count; i++) {
        const struct fleet_result *r = &c->results[i];
        fprintf(to, "%s{\"verdict\":\"%s\",\"machines\":%u", i ? "," : "", ck_verdict_names[r->verdict], r->machines);
        if (r->outcome)
            json_write_member(to, "outcome", r->outcome);
        if (r->code)
            fprintf(to, ",\"code\":%ld", r->code);
        if (r->seen)
            json_write_member(to, "seen", r->seen);
        if (r->digest)
            fprintf(to, ",\"digest\":\"%016llx\"", (unsigned long long)r->digest);
        if (i) { /* who belongs to the few */
            fputs(",\"named\":[", to);
            for (unsigned k = 0; k < r->machines && k < FLEET_NAMED; k++) {
                fputs(k ? "," : "", to);
                json_write_string(to, f->machines[r->named[k]].id);
            }
            fputc(']', to);
        }
        fputc('}', to);
    }
    fprintf(to, "],\"others\":%u}\n", c->others);
}

void fleet_jsonl(FILE *to, const struct fleet *f)
{
    fprintf(to, "{\"merge\":1,\"files\":%zu,\"records\":%lu", f->file_count, f->records);
    for (int i = FLEET_COUNTED; i < FLEET_STATES; i++)
        fprintf(to, ",\"%s\":%lu", states[i], f->of[i]);
    fputs("}\n", to);
    for (size_t i = 0; i < f->group_count; i++) {
        fprintf(to, "{\"group\":%zu,\"machines\":%lu", i + 1, f->groups[i].machines);
        write_head(to, &f->groups[i].file.head);
        fputs("}\n", to);
    }
    for (size_t i = 0; i < f->machine_count; i++) {
        const struct fleet_machine *m = &f->machines[i];
        if (!m->whole && !m->have)
            continue;
        fputs("{\"machine\":", to);
        json_write_string(to, m->id);
        json_write_member(to, "file", f->files[m->file].path);
        fprintf(to, ",\"group\":%zu,\"odd\":%lu", m->group + 1, m->odd);
        if (!m->whole)
            fprintf(to, ",\"shards\":%lu,\"have\":%lu", m->shards, m->have);
        fputs("}\n", to);
    }
    for (size_t i = 0; i < f->file_count; i++) {
        const struct fleet_file *file = &f->files[i];
        if (file->state == FLEET_COUNTED)
            continue;
        fputs("{\"file\":", to);
        json_write_string(to, file->path);
        json_write_member(to, "state", states[file->state]);
        json_write_member(to, file->state == FLEET_AGAIN ? "as" : "why", file->why);
        fputs("}\n", to);
    }
    for (size_t i = 0; i < f->cell_count; i++)
        write_cell(to, f, &f->cells[i]);
}

/* ---- Prometheus ----------------------------------------------------------------------------------------------- */

/* A label's value: backslash, quote and newline are escaped. */
static void label(FILE *to, const char *name, const char *value)
{
    fprintf(to, "%s=\"", name);
    for (const char *p = value ? value : ""; *p; p++)
        if (*p == '\n')
            fputs("\\n", to);
        else
            fprintf(to, "%s%c", *p == '"' || *p == '\\' ? "\\" : "", *p);
    fputc('"', to);
}

static void about(FILE *to, const char *name, const char *help)
{
    fprintf(to, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name);
}

/* How many results of each verdict there are in a group, on an engine. */
static void results(FILE *to, const struct fleet *f, size_t group)
{
    const char *engines = f->groups[group].file.head.engines;

    for (const char *p = engines ? engines : ""; *p;) {
        const size_t n = strcspn(p, ",");
        unsigned long of[CK_V_COUNT] = { 0 };
        char engine[64];

        snprintf(engine, sizeof engine, "%.*s", (int)n, p);
        p += n + (p[n] == ',');
        for (size_t i = 0; i < f->cell_count; i++) {
            const struct fleet_cell *c = &f->cells[i];
            if (c->group == group && !strcmp(c->engine, engine))
                for (unsigned k = 0; k < c->count; k++)
                    of[c->results[k].verdict] += c->results[k].machines;
        }
        for (int v = CK_V_PASS; v < CK_V_COUNT; v++)
            if (of[v] || v == CK_V_FAIL) {
                fprintf(to, "copycheck_results{group=\"%zu\",", group + 1);
                label(to, "engine", engine);
                fprintf(to, ",verdict=\"%s\"} %lu\n", ck_verdict_names[v], of[v]);
            }
    }
}

void fleet_prometheus(FILE *to, const struct fleet *f)
{
    about(to, "copycheck_files", "Record files by what became of them.");
    for (int i = FLEET_COUNTED; i < FLEET_STATES; i++)
        fprintf(to, "copycheck_files{state=\"%s\"} %lu\n", states[i], f->of[i]);
    about(to, "copycheck_machines", "Machines of a kind.");
    for (size_t i = 0; i < f->group_count; i++) {
        const struct ck_run_head *h = &f->groups[i].file.head;
        fprintf(to, "copycheck_machines{group=\"%zu\",", i + 1);
        label(to, "device", h->device);
        fputc(',', to);
        label(to, "driver", h->driver);
        fputc(',', to);
        label(to, "toolkit", h->toolkit);
        fprintf(to, "} %lu\n", f->groups[i].machines);
    }
    about(to, "copycheck_results", "Results of points, added up over the machines of a kind.");
    for (size_t i = 0; i < f->group_count; i++)
        results(to, f, i);
    about(to, "copycheck_odd_machines", "Machines with results unlike those of most of their kind.");
    fprintf(to, "copycheck_odd_machines %lu\n", f->odd);
    about(to, "copycheck_odd_results", "Results of a machine unlike those of most of its kind; of such machines only.");
    for (size_t i = 0; i < f->machine_count; i++)
        if (f->machines[i].odd) {
            fputs("copycheck_odd_results{", to);
            label(to, "machine", f->machines[i].id);
            fprintf(to, "} %lu\n", f->machines[i].odd);
        }
}
// SPDX-License-Identifier: Apache-2.0
