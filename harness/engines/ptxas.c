/* A toolkit's assembler as an engine. Each text is one process, under a deadline and a memory limit: some releases
 * crash or take memory without bound on a wrong operand, and that is an outcome like any other. */
#include "harness/engines/ptxas.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/base/append.h"
#include "harness/base/child.h"
#include "harness/base/room.h"
#include "harness/base/text.h"
#include "harness/engines/cubin.h"
#include "harness/engines/toolkit.h"

enum {
    OUTPUT = 16384,
    SHOTS = 3,    /* from outside, after which a text is not asked about once more */
    FILE_MB = 16, /* more than any cubin that it makes of a text takes */
};

static struct {
    unsigned deadline_ms;
    size_t memory;
} limits = { CK_PTXAS_DEADLINE_MS, (size_t)CK_PTXAS_MEMORY_MB << 20 };

/* What the assembler says to a target, asked once. */
struct target {
    char name[32];
    bool known;
};

struct state {
    unsigned deadline_ms;
    size_t memory;
    struct target *targets;
    size_t count, room;
    int fd;
    char cubin[64]; /* the file that it writes, of this engine alone; "" where there is no place for one */
};

void ck_ptxas_limits(unsigned deadline_ms, unsigned memory_mb)
{
    limits.deadline_ms = deadline_ms;
    limits.memory = (size_t)memory_mb << 20;
}

const char *ck_ptxas_version(const struct ck_engine *e)
{
    const char *space = strchr(e->facts, ' ');

    return space ? space + 1 : "";
}

/* ---- what ptxas prints -------------------------------------------------------------------------------------------
 *   ptxas FILE, line 6; error   : MESSAGE
 *   ptxas FILE, line 6; warning : MESSAGE
 *   ptxas fatal   : MESSAGE
 */
static const char *after_label(const char *text, const char *const labels[])
{
    for (; *labels; labels++) {
        const size_t n = strlen(*labels);
        if (strncmp(text, *labels, n) != 0)
            continue;
        const char *p = text + n + strspn(text + n, " ");
        if (*p == ':')
            return p + 1 + strspn(p + 1, " ");
    }
    return NULL;
}

/* The message of one printed line, or NULL where it carries none of the labels. */
static const char *message_of(const char *text, const char *const labels[], int *line)
{
    static const char name[] = "ptxas ", mark[] = ", line ";

    *line = 0;
    if (strncmp(text, name, sizeof name - 1) != 0)
        return NULL;
    text += sizeof name - 1;
    const char *message = after_label(text, labels);
    if (message)
        return message;
    for (const char *p = text; (p = strstr(p, mark)); p++) {
        char *end;
        const long n = strtol(p + sizeof mark - 1, &end, 10);
        if (*end != ';' || n < 0 || n > INT_MAX)
            continue;
        message = after_label(end + 1 + strspn(end + 1, " "), labels);
        if (message) {
            *line = (int)n;
            return message;
        }
    }
    return NULL;
}

bool ck_ptxas_next(const char **at, struct ck_ptxas_message *out)
{
    static const char *const errors[] = { "error", "fatal", NULL }, *const warnings[] = { "warning", NULL };
    char text[sizeof out->text];

    for (const char *p = *at; *p; p = *at) {
        const size_t n = strcspn(p, "\n");
        snprintf(text, sizeof text, "%.*s", (int)(n < sizeof text ? n : sizeof text - 1), p);
        *at = p + n + (p[n] == '\n');
        const char *found = message_of(text, errors, &out->line);
        out->refuses = found != NULL;
        if (!found)
            found = message_of(text, warnings, &out->line);
        if (found) {
            snprintf(out->text, sizeof out->text, "%s", found);
            return true;
        }
    }
    return false;
}

bool ck_ptxas_message(const char *output, bool refused, int *line, char *message, size_t size)
{
    struct ck_ptxas_message m;

    *line = 0;
    if (size)
        message[0] = 0;
    while (ck_ptxas_next(&output, &m))
        if (m.refuses == refused) {
            *line = m.line;
            ck_append(message, size, "%s", m.text);
            return true;
        }
    return false;
}

/* ---- running -------------------------------------------------------------------------------------------------- */

/* Whether the assembler reached its memory limit: it says so, or it was killed while it held much of that memory. */
static bool out_of_memory(const struct ck_child_result *r, size_t memory, const char *output)
{
    if (r->end == CK_CHILD_EXITED && !r->code)
        return false;
    if (strstr(output, "Memory allocation failure") || strstr(output, "bad_alloc") ||
        strstr(output, "annot allocate memory"))
        return true;
    if (r->end == CK_CHILD_SIGNALED)
        return r->code == SIGKILL || (memory && r->peak > memory / 2);
    /* On a busy machine the deadline may come first: a text that needs this much in that time has run away too. */
    return r->end == CK_CHILD_LATE && memory && r->peak > memory / 4;
}

/* Whether someone else killed the assembler, or the kernel where memory is short: that says nothing about its text. */
static bool is_from_outside(const struct ck_child_result *r, size_t memory)
{
    return r->end == CK_CHILD_SIGNALED && (!memory || r->peak <= memory / 2) &&
           (r->code == SIGKILL || r->code == SIGTERM || r->code == SIGINT || r->code == SIGHUP || r->code == SIGQUIT);
}

/* Runs the assembler, once more where it was killed from outside. */
static struct ck_child_result ask(const struct ck_child *child, char *output, size_t size)
{
    struct ck_child_result r = ck_child_run(child, output, size);

    for (int i = 0; i < SHOTS && is_from_outside(&r, child->memory); i++)
        r = ck_child_run(child, output, size);
    return r;
}

static void judge(const struct ck_child_result *r, const struct state *s, const char *output, struct ck_outcome *out)
{
    char message[384];
    bool said;

    if (out_of_memory(r, s->memory, output)) {
        out->kind = CK_O_MEMORY;
        snprintf(out->message, sizeof out->message, "asked for more than %zu MiB", s->memory >> 20);
        return;
    }
    switch (r->end) {
    case CK_CHILD_EXITED:
        out->kind = r->code ? CK_O_REFUSED : CK_O_DONE;
        out->code = r->code;
        if (!ck_ptxas_message(output, r->code != 0, &out->line, out->message, sizeof out->message) && r->code)
            snprintf(out->message, sizeof out->message, "exit status %d without a message", r->code);
        /* it says nothing about the text: a row that must be refused has not been */
        if (r->code && strstr(out->message, "Internal compiler error"))
            out->kind = CK_O_CRASHED;
        break;
    case CK_CHILD_SIGNALED:
        out->kind = CK_O_CRASHED;
        out->code = r->code;
        /* 12.0 says what it refuses in a .version, and then crashes: what it said is worth keeping */
        said = ck_ptxas_message(output, true, &out->line, message, sizeof message);
        snprintf(out->message, sizeof out->message, "ended by signal %d (%s)%s%s", r->code, strsignal(r->code),
                 said ? " after: " : "", message);
        break;
    case CK_CHILD_LATE:
        out->kind = CK_O_TIMEOUT;
        snprintf(out->message, sizeof out->message, "did not end within %u ms", s->deadline_ms);
        break;
    case CK_CHILD_NOT_RUN:
        out->kind = CK_O_UNSUPPORTED;
        out->code = r->code;
        snprintf(out->message, sizeof out->message, "ptxas could not be run: %s", strerror(r->code));
        break;
    }
}

/* Reads what was made of a text: the hash of each entry's machine code. Its only entry is called k, others k0, k1. */
static void read_cubin(const struct state *s, const struct ck_ptx *ptx)
{
    char entry[32] = "k";
    size_t size;
    char *image = ck_text_load(s->cubin, &size);

    for (size_t i = 0; i < ptx->entries && image; i++) {
        if (ptx->entries > 1)
            snprintf(entry, sizeof entry, "k%zu", i);
        ptx->machine[i] = ck_cubin_code(image, size, entry);
    }
    free(image);
}

/* Assembles a text. ptxas reads its standard input under the name that Linux gives it. */
static void assemble_text(const struct ck_engine *e, const struct ck_ptx *ptx, struct ck_outcome *out)
{
    const struct state *s = e->state;
    char arch[64], own[OUTPUT], *output = ptx->log ? ptx->log : own;
    const bool cubin = ptx->machine && *s->cubin;
    const char *const argv[] = { e->config, arch, "/proc/self/fd/0", "-o", cubin ? s->cubin : "/dev/null", NULL };
    const struct ck_child child = { argv, ptx->text, ptx->size, s->deadline_ms, s->memory };

    snprintf(arch, sizeof arch, "-arch=%s", ptx->target);
    *out = (struct ck_outcome){ 0 };
    const struct ck_child_result r = ask(&child, output, ptx->log ? ptx->log_size : sizeof own);
    judge(&r, s, output, out);
    if (cubin && out->kind == CK_O_DONE)
        read_cubin(s, ptx);
}

static void assemble_empty(const struct ck_engine *e, int version, const char *target, struct ck_outcome *out)
{
    char text[160];

    const int n =
        snprintf(text, sizeof text, ".version %d.%d\n.target %s\n.address_size 64\n.visible .entry k(){ret;}\n",
                 version / 10, version % 10, target);
    assemble_text(e, &(struct ck_ptx){ .text = text, .size = (size_t)n, .target = target }, out);
}

/* Whether the assembler knows a target at all, at its own newest PTX version. */
static bool knows_target(const struct ck_engine *e, int version, const char *target)
{
    struct state *s = e->state;
    struct ck_outcome out;

    for (size_t i = 0; i < s->count; i++)
        if (!strcmp(s->targets[i].name, target))
            return s->targets[i].known;
    assemble_empty(e, e->ptx ? e->ptx : version, target, &out);
    const bool known = out.kind == CK_O_DONE;
    struct target *targets = ck_room(s->targets, s->count, &s->room, 16, sizeof *targets);
    if (!targets)
        return known;
    s->targets = targets;
    struct target *t = &s->targets[s->count++];
    snprintf(t->name, sizeof t->name, "%s", target);
    t->known = known;
    return known;
}

/* True, with the outcome, if this assembler cannot take texts of this version or target at all. */
static bool unsupported(const struct ck_engine *e, const struct ck_ptx *ptx, struct ck_outcome *out)
{
    if (e->ptx && ptx->version > e->ptx) {
        *out = (struct ck_outcome){ .kind = CK_O_UNSUPPORTED };
        snprintf(out->message, sizeof out->message, "needs PTX ISA %d.%d; ptxas %s takes up to %d.%d",
                 ptx->version / 10, ptx->version % 10, ck_ptxas_version(e), e->ptx / 10, e->ptx % 10);
        return true;
    }
    if (!knows_target(e, ptx->version, ptx->target)) {
        *out = (struct ck_outcome){ .kind = CK_O_UNSUPPORTED };
        snprintf(out->message, sizeof out->message, "does not know target %s", ptx->target);
        return true;
    }
    return false;
}

static void ptxas_assemble(struct ck_engine *e, const struct ck_ptx *ptx, struct ck_outcome *out)
{
    if (e->ptx && ptx->version > e->ptx && unsupported(e, ptx, out))
        return;
    assemble_text(e, ptx, out);
    /* An unknown target is asked for only after a refusal: most texts need one process. */
    if (out->kind == CK_O_REFUSED) {
        struct ck_outcome instead;
        if (unsupported(e, ptx, &instead))
            *out = instead;
    }
}

/* ---- opening ---------------------------------------------------------------------------------------------------- */

/* Makes the file for what is assembled: one without a name, so that nothing is left of a worker that is killed. */
static void make_file(struct state *s)
{
    s->fd = memfd_create("copycheck-cubin", MFD_CLOEXEC);
    if (s->fd >= 0)
        snprintf(s->cubin, sizeof s->cubin, "/proc/%d/fd/%d", (int)getpid(), s->fd);
}

static void remove_file(const struct state *s)
{
    if (s->fd >= 0)
        close(s->fd);
}

static bool ptxas_open(struct ck_engine *e, struct ck_outcome *out)
{
    struct state *s = calloc(1, sizeof *s);
    int major, minor;

    *out = (struct ck_outcome){ .kind = CK_O_UNSUPPORTED };
    if (!s) {
        snprintf(out->message, sizeof out->message, "no memory");
        return false;
    }
    s->deadline_ms = limits.deadline_ms;
    s->memory = limits.memory;
    e->state = s;
    make_file(s);
    /* Its complaint about a PTX version that cannot exist yet names the newest version that it takes. */
    assemble_empty(e, 999, "sm_90", out);
    const char *says = strstr(out->message, "current version is '");
    if (says && sscanf(says, "current version is '%d.%d'", &major, &minor) == 2) {
        e->ptx = major * 10 + minor;
        *out = (struct ck_outcome){ .kind = CK_O_DONE };
        return true;
    }
    if (out->kind == CK_O_REFUSED || out->kind == CK_O_DONE) { /* it works, and does not say */
        *out = (struct ck_outcome){ .kind = CK_O_DONE };
        return true;
    }
    remove_file(s);
    free(s);
    e->state = NULL;
    return false;
}

static void ptxas_close(struct ck_engine *e)
{
    struct state *s = e->state;

    if (!s)
        return;
    remove_file(s);
    free(s->targets);
    free(s);
    e->state = NULL;
}

static const struct ck_engine_ops ptxas_ops = {
    .open = ptxas_open,
    .close = ptxas_close,
    .assemble = ptxas_assemble,
    .tells_lines = true,
};

/* Paths live as long as the process, since engines are copied freely: a short list, each path once. */
static const char *keep(const char *path)
{
    static struct kept {
        struct kept *next;
        char path[];
    } * all;

    for (const struct kept *k = all; k; k = k->next)
        if (!strcmp(k->path, path))
            return k->path;
    const size_t size = strlen(path) + 1;
    struct kept *k = malloc(sizeof *k + size);
    if (!k)
        return NULL;
    memcpy(k->path, path, size);
    k->next = all;
    all = k;
    return k->path;
}

/* Reads "release 13.0, V13.0.88" and "Build cuda_13.0.r13.0/compiler.36424714_0" out of what ptxas --version prints. */
static bool read_version(const char *output, struct ck_engine *e)
{
    char full[32];
    int major, minor;
    const char *p = strstr(output, "release ");

    if (!p || sscanf(p, "release %d.%d, V%31[0-9.]", &major, &minor, full) != 3)
        return false;
    snprintf(e->name, sizeof e->name, "ptxas-%d.%d", major, minor);
    snprintf(e->facts, sizeof e->facts, "ptxas %s", full);
    p = strstr(p, "/compiler.");
    if (p)
        sscanf(p, "/compiler.%31[0-9A-Za-z_.]", e->build);
    return true;
}

bool ck_ptxas_engine(const char *toolkit, struct ck_engine *out, char *error, size_t size)
{
    char path[PATH_MAX], output[OUTPUT];
    const char *const argv[] = { path, "--version", NULL };
    const struct ck_child child = { argv, "", 0, CK_PTXAS_DEADLINE_MS, 0 };

    *out = (struct ck_engine){ .ops = &ptxas_ops };
    if (!ck_toolkit_ptxas(toolkit, path, sizeof path)) {
        if (toolkit)
            snprintf(error, size, "no ptxas in '%s'", toolkit);
        else
            snprintf(error, size,
                     "no ptxas: not on PATH, in CUDA_HOME, in /usr/local/cuda* nor in build/toolkits "
                     "(tools/toolkit 13.0 fetches one)");
        return false;
    }
    /* With less it would refuse or crash on texts that it accepts. */
    if (!ck_child_can_have(limits.memory)) {
        snprintf(error, size, "ptxas may need %zu MiB, and this process may not have that much (ulimit -v)",
                 limits.memory >> 20);
        return false;
    }
    if (!ck_child_can_write((size_t)FILE_MB << 20)) {
        snprintf(error, size, "ptxas may write %d MiB, and this process may not write such a file (ulimit -f)",
                 FILE_MB);
        return false;
    }
    const struct ck_child_result r = ask(&child, output, sizeof output);
    if (r.end == CK_CHILD_NOT_RUN) {
        snprintf(error, size, "%s cannot be run: %s", path, strerror(r.code));
    } else if (r.end != CK_CHILD_EXITED || r.code) {
        snprintf(error, size, "%s --version %s %d", path,
                 r.end == CK_CHILD_SIGNALED ? "was ended by signal"
                 : r.end == CK_CHILD_LATE   ? "did not end: deadline"
                                            : "ended with status",
                 r.code);
    } else if (!read_version(output, out)) {
        snprintf(error, size, "%s --version does not say its version", path);
    } else {
        out->config = keep(path);
        if (out->config)
            return true;
        snprintf(error, size, "no memory");
    }
    return false;
}
// SPDX-License-Identifier: Apache-2.0
