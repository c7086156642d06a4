/* The page: its frame, and the launch in it as JSON. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "expected/oracle.h"
#include "harness/base/json.h"
#include "harness/picture/log.h"
#include "harness/picture/page.h"
#include "harness/picture/source.h"

static const struct {
    const char *text;
    int numbers;
} kinds[] = {
#define PICTURE_(name, text, numbers) [PICTURE_##name] = { text, numbers },
    PICTURE_EVENTS
#undef PICTURE_
};

/* What the parts of the JSON are written with. */
struct writer {
    FILE *to;
    const struct picture *p;
    uint32_t *number; /* of each instruction of the module, plus 1 if the page speaks of it; 0: it does not */
    uint32_t *used;   /* the instructions that it speaks of */
    size_t used_count;
};

/* ---- instructions ------------------------------------------------------------------------------------------------ */

/* The page's number of an instruction, from 0; -1 for none. */
static int64_t number_of(struct writer *w, const struct ptx_instruction *i)
{
    uint32_t index;

    if (!i)
        return -1;
    index = (uint32_t)(i - w->p->module->instructions);
    if (!w->number[index]) {
        w->used[w->used_count++] = index;
        w->number[index] = (uint32_t)w->used_count;
    }
    return (int64_t)w->number[index] - 1;
}

static const struct ptx_instruction *instruction_of(const struct writer *w, const struct picture_event *e)
{
    return e->at ? &w->p->module->instructions[e->at - 1] : NULL;
}

/* [[PTX line, PTX text, file, line of CUDA, where that was inlined from or null], ...]; file 0: none is known. Where
 * the CUDA text is given, the files were compiled in a folder that is gone. */
static void write_instructions(struct writer *w)
{
    const struct ptx_module *m = w->p->module;

    fputs("\"instructions\":[", w->to);
    for (size_t k = 0; k < w->used_count; k++) {
        const struct ptx_instruction *i = &m->instructions[w->used[k]];
        const struct ptx_function *f = ptx_function_of(m, i);
        const struct ptx_loc *loc = picture_loc(m, i);
        char text[300] = "", source[300] = "";
        if (f)
            ptx_print(m, f, i, text, sizeof text);
        if (loc && loc != &m->locs[i->loc] && !w->p->cuda)
            ptx_source_called(m, i, source, sizeof source);
        fprintf(w->to, "%s[%u,", k ? ",\n" : "", i->line);
        json_write_string(w->to, text);
        fprintf(w->to, ",%u,%u,", loc ? loc->file + 1 : 0, loc ? loc->line : 0);
        if (*source)
            json_write_string(w->to, source);
        else
            fputs("null", w->to);
        putc(']', w->to);
    }
    putc(']', w->to);
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

/* [[kind, step, thread or -1, instruction or -1, numbers..., the tile of a tensor copy], ...] */
static void write_events(struct writer *w)
{
    const struct picture_log *log = w->p->log;

    fputs("\"events\":[", w->to);
    for (size_t k = 0; k < log->count; k++) {
        const struct picture_event *e = &log->kept[k];
        fprintf(w->to, "%s[%d,%llu,%lld,%lld", k ? ",\n" : "", (int)e->kind, (unsigned long long)e->step,
                (long long)e->thread - 1, (long long)number_of(w, instruction_of(w, e)));
        for (int n = 0; n < kinds[e->kind].numbers; n++)
            fprintf(w->to, ",%lld", (long long)e->of[n]);
        if (*e->tile) {
            putc(',', w->to);
            json_write_string(w->to, e->tile);
        }
        putc(']', w->to);
    }
    putc(']', w->to);
}

/* ---- findings ---------------------------------------------------------------------------------------------------- */

static bool meets(int64_t from, int64_t size, uint64_t at, uint64_t bytes)
{
    return from >= 0 && from < (int64_t)(at + bytes) && (int64_t)at < from + size;
}

static bool touches(const struct picture_event *e, uint64_t at, uint64_t bytes)
{
    if (e->kind == PICTURE_ISSUE)
        return meets(e->of[ISSUE_TO_OFFSET], e->of[ISSUE_SPAN], at, bytes) ||
               meets(e->of[ISSUE_FROM_OFFSET], e->of[ISSUE_SPAN], at, bytes);
    return e->kind == PICTURE_ACCESS && meets(e->of[2], e->of[3], at, bytes);
}

/* What a copy does after its issue, by itself. */
static bool is_later(enum picture_kind kind)
{
    return kind == PICTURE_READ || kind == PICTURE_LANDING || kind == PICTURE_SIGNAL || kind == PICTURE_DELIVERY ||
           kind == PICTURE_PHASE;
}

/* The last event of a place of a finding, not behind event `until`; -1 where there is none. Of the events of its
 * instruction and thread, one that touches its bytes is meant, if there is one; else the last, but rather a copy's
 * issue than its use of a map, which comes with it. */
static int64_t event_of(const struct writer *w, const struct emu_place *place, uint64_t at, int64_t until)
{
    const struct picture_log *log = w->p->log;
    const uint64_t thread = picture_log_thread(log, place);
    int64_t last = -1;

    for (int64_t k = until; k >= 0 && place->known && place->at; k--) {
        const struct picture_event *e = &log->kept[k];
        if (e->thread != thread || instruction_of(w, e) != place->at || is_later(e->kind))
            continue;
        if (place->bytes ? touches(e, at, place->bytes) : e->kind != PICTURE_MAP)
            return k;
        if (last < 0)
            last = k;
    }
    return last;
}

/* At which event it was filed; -1 where that is not known, or was left out. */
static int64_t filed_at(const struct picture_log *log, const struct emu_finding *f)
{
    for (size_t i = 0; i < log->filed_count; i++) {
        const struct picture_filed *filed = &log->filed[i];
        if ((filed->rule == f->rule || filed->rule == f->behind) && filed->here == f->here.at &&
            filed->there == f->there.at)
            return filed->event < log->count ? (int64_t)filed->event : -1;
    }
    for (size_t k = log->count; k; k--)
        if (log->kept[k - 1].kind == PICTURE_STUCK)
            return (int64_t)k - 1;
    return -1;
}

static void write_place(struct writer *w, const char *name, const struct emu_place *place, const char *bytes,
                        uint64_t at, int64_t until)
{
    fprintf(w->to, ",\"%s\":", name);
    if (!place->known) {
        fputs("null", w->to);
        return;
    }
    fprintf(w->to, "{\"thread\":%llu,\"instruction\":%lld,\"event\":%lld,\"offset\":%llu,\"size\":%llu",
            (unsigned long long)picture_log_thread(w->p->log, place) - 1, (long long)number_of(w, place->at),
            (long long)event_of(w, place, at, until), (unsigned long long)at, (unsigned long long)place->bytes);
    json_write_member(w->to, "bytes", bytes);
    putc('}', w->to);
}

static void write_finding(struct writer *w, size_t k)
{
    const struct picture_finding *g = &w->p->findings[k];
    const struct emu_finding *f = g->finding;
    const int64_t filed = filed_at(w->p->log, f), until = filed < 0 ? (int64_t)w->p->log->count - 1 : filed;

    fprintf(w->to, "%s{\"event\":%lld,\"leader\":%zu,\"remark\":%s", k ? ",\n" : "", (long long)filed, g->leader,
            f->remark ? "true" : "false");
    json_write_member(w->to, "rule", f->rule ? f->rule->id : NULL);
    json_write_member(w->to, "sentence", f->rule ? f->rule->sentence : NULL);
    json_write_member(w->to, "document", f->rule ? f->rule->source : NULL);
    json_write_member(w->to, "behind", f->behind ? f->behind->id : NULL);
    fputs(",\"also\":[", w->to);
    for (int i = 0; i < EMU_ALSO && f->also[i]; i++) {
        if (i)
            putc(',', w->to);
        json_write_string(w->to, f->also[i]->id);
    }
    putc(']', w->to);
    json_write_member(w->to, "message", f->message);
    json_write_member(w->to, "remedy", f->remedy);
    json_write_member(w->to, "table", f->table);
    fprintf(w->to, ",\"cause\":%lld", (long long)number_of(w, f->cause));
    write_place(w, "here", &f->here, g->bytes_here, g->at_here, until);
    write_place(w, "there", &f->there, g->bytes_there, g->at_there, until);
    putc('}', w->to);
}

/* ---- the launch -------------------------------------------------------------------------------------------------- */

static void triple(FILE *to, const char *name, const uint32_t n[3])
{
    fprintf(to, ",\"%s\":[%u,%u,%u]", name, n[0], n[1], n[2]);
}

/* Of each swizzle mode: its name, and of each 16 bytes of the 1024 that a pattern has at most, the logical column whose
 * bytes lie there; no columns for modes without a pattern of 16 bytes. */
static void write_swizzles(FILE *to)
{
    enum { SLOTS = 64, SLOT = 16 };

    fputs(",\n\"swizzles\":[", to);
    for (int64_t mode = 0; mode < TENSOR_SWIZZLE_COUNT; mode++) {
        const unsigned span = tensor_swizzle_name(mode) ? tensor_swizzle_span(mode) : 0;
        unsigned column[SLOTS] = { 0 };
        fprintf(to, "%s{\"name\":\"%s\",\"columns\":[", mode ? "," : "",
                tensor_swizzle_name(mode) ? tensor_swizzle_name(mode) : "");
        for (unsigned i = 0; i < SLOTS && span; i++)
            column[tensor_swizzle(mode, i * SLOT) / SLOT % SLOTS] = i % (span / SLOT);
        for (unsigned i = 0; i < SLOTS && span; i++)
            fprintf(to, "%s%u", i ? "," : "", column[i]);
        fputs("]}", to);
    }
    putc(']', to);
}

static void write_names(FILE *to, const struct picture_log *log)
{
    fputs(",\n\"kinds\":[", to);
    for (int k = 0; k < PICTURE_KINDS; k++)
        fprintf(to, "%s\"%s\"", k ? "," : "", kinds[k].text);
    fputs("],\n\"buffers\":[", to);
    for (size_t i = 0; i < log->buffer_count; i++) {
        if (i)
            putc(',', to);
        json_write_string(to, log->buffers[i].name);
    }
    fputs("],\n\"variables\":[", to);
    for (size_t i = 0; i < log->variable_count; i++) {
        fputs(i ? ",[" : "[", to);
        json_write_string(to, log->variables[i].name);
        fprintf(to, ",%llu,%llu]", (unsigned long long)log->variables[i].offset,
                (unsigned long long)log->variables[i].size);
    }
    putc(']', to);
}

static bool write_json(struct writer *w)
{
    const struct picture_log *log = w->p->log;
    FILE *to = w->to;
    bool fine;

    fputs("{\"kernel\":", to);
    json_write_string(to, log->kernel ? log->kernel : "");
    json_write_member(to, "run", w->p->run);
    json_write_member(to, "verdict", w->p->verdict);
    triple(to, "grid", log->grid);
    triple(to, "block", log->block);
    triple(to, "cluster", log->cluster);
    fprintf(to, ",\"smem\":%u,\"left_out\":%llu", log->smem, (unsigned long long)log->left_out);
    write_names(to, log);
    write_swizzles(to);
    fputs(",\n", to);
    write_events(w);
    fputs(",\n\"findings\":[", to);
    for (size_t k = 0; k < w->p->count; k++)
        write_finding(w, k);
    fputs("],\n", to);
    write_instructions(w);
    fputs(",\n\"files\":", to);
    fine = picture_sources(to, w->p, w->used, w->used_count);
    fputs("}\n", to);
    return fine;
}

/* ---- the page ---------------------------------------------------------------------------------------------------- */

/* Text inside <script>: no '<' of a string may end it or begin a comment. */
static void write_harmless(FILE *to, const char *json, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (json[i] == '<')
            fputs("\\u003c", to);
        else
            putc(json[i], to);
}

bool picture_write(FILE *to, const struct picture *p)
{
    const size_t instructions = p->module->n_instructions + 1;
    struct writer w = { .p = p,
                        .number = calloc(instructions, sizeof *w.number),
                        .used = calloc(instructions, sizeof *w.used) };
    char *json = NULL;
    size_t size = 0;
    bool fine = w.number && w.used && !p->log->failed;

    w.to = fine ? open_memstream(&json, &size) : NULL;
    fine = w.to && write_json(&w);
    if (w.to && fclose(w.to))
        fine = false;
    if (fine) {
        picture_page_begin(to);
        write_harmless(to, json, size);
        picture_page_end(to);
    }
    free(json);
    free(w.number);
    free(w.used);
    if (!fine)
        errno = ENOMEM;
    return fine && !ferror(to);
}
// SPDX-License-Identifier: Apache-2.0
