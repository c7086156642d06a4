/* The folder of a report. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/child.h"
#include "harness/base/program.h"
#include "harness/base/text.h"
#include "harness/engines/ptxas.h"
#include "harness/repro/entry.h"
#include "harness/repro/program.h"
#include "harness/repro/readme.h"
#include "harness/repro/source.h"
#include "harness/run/run.h"

enum { ENTRIES = 64, NAME = 64, SAID = 4096 };

static const char program_how[] =
    "    nvcc -o repro repro.cu -lcuda\n"
    "    ./repro                  # FILE.cubin if it is there, else FILE.ptx by the driver's compiler\n"
    "    IMAGE=ptx ./repro        # FILE.ptx; IMAGE=12.9.cubin takes FILE.12.9.cubin\n\n"
    "`repro.cu` is C as well: `cc -x c repro.cu -I/usr/local/cuda/include -lcuda -o repro`. It uses the driver API\n"
    "alone. The exit status is 0 if all is as expected, 1 if something differs or a call fails. The expected bytes are\n"
    "those that the document promises; of a launch about which the case compares no bytes, those that the model of the\n"
    "documents left.\n";

/* What is made of one report. */
struct making {
    const struct repro *r;
    struct trace trace;
    struct ck_slot *model;
    struct ck_growing how, answers, told;
    char *error;
    size_t size;
};

static bool failed(struct making *m, const char *what, const char *name)
{
    snprintf(m->error, m->size, "%s %s/%s: %s", what, m->r->folder, name, strerror(errno));
    return false;
}

static FILE *open_in(struct making *m, const char *name)
{
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%s/%s", m->r->folder, name);
    FILE *f = fopen(path, "w");
    if (!f)
        failed(m, "cannot write", name);
    return f;
}

static bool write_text(struct making *m, const char *name, const char *text)
{
    FILE *f = open_in(m, name);

    if (!f)
        return false;
    const bool ok = fputs(text, f) >= 0;
    return (fclose(f) == 0 && ok) || failed(m, "cannot write", name);
}

/* ---- kernels --------------------------------------------------------------------------------------------------- */

/* "12.9" of ptxas-12.9. */
static const char *version_of(const struct ck_engine *ptxas)
{
    const char *dash = strchr(ptxas->name, '-');

    return dash ? dash + 1 : ptxas->name;
}

/* Has each assembler make a cubin of FILE.ptx; what one does not take is said in the README. */
static void make_cubins(struct making *m, const char *file, const char *target)
{
    char ptx[PATH_MAX], cubin[PATH_MAX + 80], arch[64], said[SAID];

    snprintf(ptx, sizeof ptx, "%s/%s.ptx", m->r->folder, file);
    snprintf(arch, sizeof arch, "-arch=%s", target);
    for (size_t i = 0; i < m->r->assembler_count; i++) {
        const struct ck_engine *e = &m->r->assemblers[i];
        const char *const argv[] = { e->config, arch, ptx, "-o", cubin, NULL };
        const struct ck_child child = { .argv = argv, .input = "", .deadline_ms = 60000 };
        snprintf(cubin, sizeof cubin, i ? "%s/%s.%s.cubin" : "%s/%s.cubin", m->r->folder, file, version_of(e));
        const struct ck_child_result end = ck_child_run(&child, said, sizeof said);
        if (end.end == CK_CHILD_EXITED && !end.code)
            ck_grow(&m->answers, "- %s.ptx by %s: accepted\n", file, e->facts);
        else
            ck_grow(&m->answers, "- %s.ptx by %s: %.*s\n", file, e->facts, (int)strcspn(said, "\n"),
                    *said ? said : "ended abnormally");
    }
}

/* Writes FILE.ptx with the entries that the trace launches of it, and what is made of it. */
static bool write_kernels(struct making *m, const struct program *p, const char *file)
{
    const char *entries[ENTRIES];
    char path[PATH_MAX], name[NAME + 16], other[NAME], target[32];
    struct ck_text text;
    size_t count = 0;
    int version;
    FILE *f;

    for (size_t i = 0; i < m->trace.count && count < ENTRIES; i++)
        if (m->trace.events[i].kind == TRACE_LAUNCH && program_file(p, &m->trace.events[i], other, sizeof other) &&
            !strcmp(other, file))
            entries[count++] = m->trace.events[i].launch.kernel;
    snprintf(path, sizeof path, "%s/%s.ptx", m->r->kernels, file);
    if (!ck_text_read(path, &text, m->error, m->size))
        return false;
    snprintf(name, sizeof name, "%s.ptx", file);
    f = open_in(m, name);
    bool ok = f && entry_write(f, text.data, entries, count);
    ok = f && fclose(f) == 0 && ok;
    if (!ok)
        failed(m, "cannot write", name);
    else if (ck_text_head(path, &text, &version, target, m->error, m->size))
        make_cubins(m, file, target);
    ck_text_free(&text);
    return ok && source_write(m->r->folder, file);
}

static bool write_all_kernels(struct making *m, const struct program *p)
{
    char file[NAME], other[NAME];

    for (size_t i = 0; i < m->trace.count; i++) {
        bool again = false;
        if (m->trace.events[i].kind != TRACE_LAUNCH)
            continue;
        if (!program_file(p, &m->trace.events[i], file, sizeof file)) {
            snprintf(m->error, m->size, "no kernel %s in %s/index", m->trace.events[i].launch.kernel, m->r->kernels);
            return false;
        }
        for (size_t k = 0; k < i && !again; k++)
            again = m->trace.events[k].kind == TRACE_LAUNCH &&
                    program_file(p, &m->trace.events[k], other, sizeof other) && !strcmp(file, other);
        if (!again && !write_kernels(m, p, file))
            return false;
    }
    return true;
}

/* ---- launches and encode calls --------------------------------------------------------------------------------- */

/* Runs the point on the emulator and keeps what it does. The emulator's clock is no device's: a wait is given up there
 * only if it would never end. */
static bool trace_point(struct making *m, bool patient)
{
    struct ck_outcome out;
    struct ck_engine engine;

    m->trace = (struct trace){ .patient = patient };
    *m->model = (struct ck_slot){ 0 };
    trace_engine(&m->trace, m->r->model, &engine);
    if (!engine.ops->open(&engine, &out)) {
        snprintf(m->error, m->size, "%s", out.message);
        return false;
    }
    ck_point_run(m->r->point, &engine, m->r->seed, NULL, m->model);
    engine.ops->close(&engine);
    if (m->trace.hung) {
        trace_free(&m->trace);
        return trace_point(m, false);
    }
    if (m->trace.lost)
        snprintf(m->error, m->size, "out of memory");
    else if (m->model->verdict == CK_V_SKIP)
        snprintf(m->error, m->size, "the emulator cannot run %s: %s", m->r->point->name, m->model->detail);
    else if (m->trace.untold)
        snprintf(m->error, m->size, "%s does what no report has: %s", m->r->point->name, m->trace.untold);
    else
        return true;
    return false;
}

static bool write_program(struct making *m)
{
    char path[PATH_MAX], comment[1024];
    struct program p = { .trace = &m->trace, .comment = comment };
    const enum ck_side side = m->r->point->side;
    FILE *f;

    if (!trace_point(m, true))
        return false;
    snprintf(comment, sizeof comment, "/* %s\n *\n * README.md says what this program shows, and how it is built. */\n",
             m->r->point->name);
    p.own = !m->model->digest;
    p.side = side == CK_ACCEPT ? 1 : side == CK_REFUSE ? -1 : 0;
    snprintf(path, sizeof path, "%s/index", m->r->kernels);
    char *index = m->trace.calls ? ck_text_load(path, NULL) : NULL;
    if (m->trace.calls && !index) {
        snprintf(m->error, m->size, "cannot read %s: %s", path, strerror(errno));
        return false;
    }
    p.index = index ? index : "";
    bool ok = write_all_kernels(m, &p) && (f = open_in(m, "repro.cu")) != NULL;
    if (ok) {
        ok = program_write(f, &p);
        ok = fclose(f) == 0 && ok;
        if (!ok)
            failed(m, "cannot write", "repro.cu");
    }
    free(index);
    return ok && ck_grow(&m->how, "%s", program_how);
}

/* ---- texts ----------------------------------------------------------------------------------------------------- */

/* What each assembler says of the text. */
static bool ask(struct making *m, const struct ck_ptx *ptx)
{
    bool ok = true;

    for (size_t i = 0; i < m->r->assembler_count && ok; i++) {
        struct ck_engine *e = &m->r->assemblers[i];
        struct ck_outcome out;
        if (!e->ops->open(e, &out))
            continue;
        e->ops->assemble(e, ptx, &out);
        e->ops->close(e);
        ok = ck_grow(&m->answers, "- %s: %s%s%s\n", e->facts,
                     out.kind == CK_O_DONE ? "accepted" : ck_outcome_names[out.kind], *out.message ? ": " : "",
                     out.message);
    }
    return ok;
}

static bool write_row(struct making *m)
{
    struct ck_fragment row;
    bool ok;

    if (!ck_fragment(m->r->point, &row)) {
        snprintf(m->error, m->size, "the row's text cannot be made");
        return false;
    }
    char *text = ck_fragment_module(&(const struct ck_fragment *){ &row }, 1, NULL);
    const struct ck_ptx ptx = {
        .text = text, .size = text ? strlen(text) : 0, .target = row.target, .version = row.version
    };
    ok = text && write_text(m, "row.ptx", text) && ask(m, &ptx) &&
         ck_grow(&m->how, "    ptxas -arch=%s row.ptx -o row.cubin\n\nThe statement that it is about: `%s`\n",
                 row.target, row.body);
    free(text);
    ck_fragment_free(&row);
    return ok;
}

static bool write_source(struct making *m)
{
    const struct ck_point *p = m->r->point;
    const char *name = p->c->python ? "row.py" : "row.cu";
    char *text = ck_source_text(p), *options = ck_source_options(p), *body = ck_point_text(p, ck_case_row(p->c));
    bool ok = text && options && body;

    if (!ok)
        snprintf(m->error, m->size, "the row's text cannot be made");
    ok = ok && write_text(m, name, text);
    if (p->c->python)
        ok = ok && ck_grow(&m->how, "`row.py` is the kernel that cuTile Python %s is asked to compile.\n", options);
    else
        ok = ok && ck_grow(&m->how, "    nvcc %s row.cu -o row.out\n\nWhat it is about: `%s`\n", options, body);
    free(body);
    free(options);
    free(text);
    return ok;
}

bool repro_write(const struct repro *r, char *error, size_t size)
{
    struct ck_slot slot = { 0 };
    struct making m = { .r = r, .model = &slot, .error = error, .size = size };
    const struct ck_case *c = r->point->c;
    const bool program = !c->assemble && !ck_case_compiles(c);
    struct ck_growing text = { 0 };
    bool ok = true;

    if (mkdir(r->folder, 0777) != 0 && errno != EEXIST) {
        snprintf(error, size, "cannot make %s: %s", r->folder, strerror(errno));
        return false;
    }
    ok = program ? write_program(&m) : c->assemble ? write_row(&m) : write_source(&m);
    for (size_t i = 0; i < r->file_count && ok; i++)
        ok = readme_records(r, r->files[i], &m.told, error, size);
    const struct readme readme = { .repro = r,
                                   .model = program ? &slot : NULL,
                                   .how = m.how.data ? m.how.data : "",
                                   .answers = m.answers.data ? m.answers.data : "",
                                   .told = m.told.data ? m.told.data : "" };
    ok = ok && readme_make(&readme, &text) && write_text(&m, "README.md", text.data);
    ck_growing_free(&text);
    ck_growing_free(&m.how);
    ck_growing_free(&m.answers);
    ck_growing_free(&m.told);
    trace_free(&m.trace);
    return ok;
}
// SPDX-License-Identifier: Apache-2.0
