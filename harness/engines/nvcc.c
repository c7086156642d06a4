/* A toolkit's compiler as an engine. Each source is one process: nvcc, which starts its preprocessor, its front end and
 * what comes after it. Nothing is left behind: the source comes on standard input, the object goes into a nameless file
 * of this process. */
#include "harness/engines/nvcc.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/base/append.h"
#include "harness/base/child.h"
#include "harness/base/search.h"
#include "harness/engines/images.h"

enum { OUTPUT = 65536, CODE = 1 << 20, WORDS = 32, OPTIONS = 512 };

struct state {
    int object; /* the nameless file */
    char path[64];
};

/* ---- what nvcc prints -------------------------------------------------------------------------------------------
 *   FILE(LINE): error: MESSAGE                                                   its front end
 *   FILE(LINE): error #NUMBER: MESSAGE
 *   nvcc fatal   : MESSAGE                                                       nvcc itself
 *   error: MESSAGE, or FILE:LINE:COLUMN: error: MESSAGE                          tileiras, the preprocessor
 */
static bool error_in(const char *text, int *line, char *message, size_t size)
{
    static const char *const labels[] = { "): error", "fatal   ", "error", NULL };
    const char *at = NULL;
    size_t k = 0;

    for (; labels[k]; k++) {
        at = strstr(text, labels[k]);
        if (at)
            break;
    }
    if (!at)
        return false;
    const char *colon = strstr(at + strlen(labels[k]), ": ");
    if (!colon || colon - at > 40)
        return false;
    *line = 0;
    if (k == 0) {
        const char *open = at;
        while (open > text && *open != '(')
            open--;
        *line = (int)strtol(open + 1, NULL, 10);
    }
    snprintf(message, size, "%s", colon + 2);
    return true;
}

bool ck_nvcc_message(const char *output, int *line, char *message, size_t size)
{
    char text[2048];

    for (const char *p = output; *p;) {
        const size_t n = strcspn(p, "\n");
        snprintf(text, sizeof text, "%.*s", (int)(n < sizeof text ? n : sizeof text - 1), p);
        p += n + (p[n] == '\n');
        if (error_in(text, line, message, size))
            return true;
    }
    *line = 0;
    if (size)
        message[0] = 0;
    return false;
}

/* ---- what nvcc writes ----------------------------------------------------------------------------------------- */

void ck_nvcc_held(const void *object, size_t bytes, const char *look_for, char *held, size_t size)
{
    if (size)
        held[0] = 0;
    for (const char *p = look_for; *p;) {
        const size_t n = strcspn(p, " ");
        if (n && memmem(object, bytes, p, n))
            ck_append(held, size, "%s%.*s", held[0] ? " " : "", (int)n, p);
        p += n + (p[n] == ' ');
    }
}

/* ---- running -------------------------------------------------------------------------------------------------- */

static void look_at_object(const struct ck_engine *e, const struct ck_source *source, struct ck_outcome *out)
{
    const struct state *s = e->state;
    const off_t end = lseek(s->object, 0, SEEK_END);
    const size_t bytes = end > 0 ? (size_t)end : 0;
    void *object = bytes ? mmap(NULL, bytes, PROT_READ, MAP_SHARED, s->object, 0) : MAP_FAILED;

    if (object == MAP_FAILED)
        return;
    if (source->language == CK_TILE_CPP)
        ck_images(object, bytes, out->message, sizeof out->message);
    else
        ck_nvcc_held(object, bytes, source->look_for ? source->look_for : "", out->message, sizeof out->message);
    munmap(object, bytes);
}

/* ---- machine code ---------------------------------------------------------------------------------------------
 * Of a cubin, words are looked for in the machine code as nvdisasm writes it. */

static bool is_cubin(const struct ck_source *source)
{
    return source->language == CK_CUDA_CPP && strstr(source->options, "-cubin") && source->look_for &&
           *source->look_for;
}

/* nvdisasm beside this nvcc, or the one on the search path. */
static bool find_disassembler(const struct ck_engine *e, char *path, size_t size)
{
    const char *slash = strrchr(e->config, '/');

    snprintf(path, size, "%.*s/nvdisasm", slash ? (int)(slash - e->config) : 1, slash ? e->config : ".");
    return !access(path, X_OK) || ck_on_search_path("nvdisasm", false, path, size);
}

static void look_at_code(const struct ck_engine *e, const struct ck_source *source, struct ck_outcome *out)
{
    const struct state *s = e->state;
    char path[PATH_MAX], *code = calloc(1, CODE);
    const char *const argv[] = { path, "-c", s->path, NULL };
    const struct ck_child child = { argv, "", 0, CK_NVCC_DEADLINE_MS, 0 };

    find_disassembler(e, path, sizeof path);
    const struct ck_child_result r = code ? ck_child_run(&child, code, CODE) : (struct ck_child_result){ 0 };
    if (!code || r.end != CK_CHILD_EXITED || r.code) {
        out->kind = CK_O_UNSUPPORTED;
        snprintf(out->message, sizeof out->message, "nvdisasm does not read what nvcc made: %.*s",
                 code ? (int)strcspn(code, "\n") : 0, code ? code : "");
    } else {
        ck_nvcc_held(code, strlen(code), source->look_for, out->message, sizeof out->message);
    }
    free(code);
}

static void judge(const struct ck_child_result *r, const struct ck_engine *e, const struct ck_source *source,
                  const char *output, struct ck_outcome *out)
{
    switch (r->end) {
    case CK_CHILD_EXITED:
        out->kind = r->code ? CK_O_REFUSED : CK_O_DONE;
        out->code = r->code;
        if (!r->code) {
            (is_cubin(source) ? look_at_code : look_at_object)(e, source, out);
        } else if (!ck_nvcc_message(output, &out->line, out->message, sizeof out->message)) {
            /* nvcc passes on how a program of its own ended that died */
            out->kind = r->code > 128 ? CK_O_CRASHED : CK_O_REFUSED;
            snprintf(out->message, sizeof out->message, "exit status %d without a message", r->code);
        } else if (strcasestr(out->message, "internal error") || strcasestr(out->message, "internal compiler error") ||
                   (strstr(out->message, "ssertion failed") && !strstr(out->message, "static assertion"))) {
            out->kind = CK_O_CRASHED;
        }
        break;
    case CK_CHILD_SIGNALED:
        out->kind = CK_O_CRASHED;
        out->code = r->code;
        snprintf(out->message, sizeof out->message, "ended by signal %d (%s)", r->code, strsignal(r->code));
        break;
    case CK_CHILD_LATE:
        out->kind = CK_O_TIMEOUT;
        snprintf(out->message, sizeof out->message, "did not end within %d ms", CK_NVCC_DEADLINE_MS);
        break;
    case CK_CHILD_NOT_RUN:
        out->kind = CK_O_UNSUPPORTED;
        out->code = r->code;
        snprintf(out->message, sizeof out->message, "nvcc could not be run: %s", strerror(r->code));
        break;
    }
}

void ck_nvcc_compile(struct ck_engine *e, const struct ck_source *source, struct ck_outcome *out)
{
    const struct state *s = e->state;
    char words[OPTIONS], output[OUTPUT], path[PATH_MAX], *rest = words;
    const char *argv[WORDS] = { e->config };
    size_t n = 1;

    *out = (struct ck_outcome){ 0 };
    if (is_cubin(source) && !find_disassembler(e, path, sizeof path)) {
        out->kind = CK_O_UNSUPPORTED;
        snprintf(out->message, sizeof out->message, "needs nvdisasm beside nvcc or on the PATH");
        return;
    }
    if (snprintf(words, sizeof words, "%s", source->options) >= (int)sizeof words)
        words[0] = 0;
    for (const char *word; n + 6 < WORDS && (word = strsep(&rest, " ")) != NULL;)
        if (*word)
            argv[n++] = word;
    argv[n++] = "-x";
    argv[n++] = "cu";
    argv[n++] = "/proc/self/fd/0";
    argv[n++] = "-o";
    argv[n++] = s->path;
    argv[n] = NULL;
    if (ftruncate(s->object, 0))
        return;
    const struct ck_child child = { argv, source->text, source->size, CK_NVCC_DEADLINE_MS, 0 };
    const struct ck_child_result r = ck_child_run(&child, output, sizeof output);
    judge(&r, e, source, output, out);
}

bool ck_nvcc_open(struct ck_engine *e, struct ck_outcome *out)
{
    struct state *s = calloc(1, sizeof *s);

    *out = (struct ck_outcome){ .kind = CK_O_UNSUPPORTED };
    if (s && (s->object = memfd_create("object", MFD_CLOEXEC)) >= 0) {
        snprintf(s->path, sizeof s->path, "/proc/%ld/fd/%d", (long)getpid(), s->object);
        e->state = s;
        *out = (struct ck_outcome){ .kind = CK_O_DONE };
        return true;
    }
    snprintf(out->message, sizeof out->message, "no room for an object: %s", strerror(errno));
    free(s);
    return false;
}

void ck_nvcc_close(struct ck_engine *e)
{
    struct state *s = e->state;

    if (!s)
        return;
    close(s->object);
    free(s);
    e->state = NULL;
}

/* ---- finding it ----------------------------------------------------------------------------------------------- */

/* A program that is there, kept once for as long as the process lives; NULL: it is not. */
static const char *program(const char *folder, const char *name)
{
    static struct kept {
        struct kept *before;
        char path[];
    } * last;
    char path[PATH_MAX];
    struct kept *k;

    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, name) >= sizeof path || access(path, X_OK) != 0)
        return NULL;
    for (k = last; k && strcmp(k->path, path) != 0; k = k->before)
        ;
    if (!k && (k = malloc(sizeof *k + strlen(path) + 1))) {
        k->before = last;
        strcpy(k->path, path);
        last = k;
    }
    return k ? k->path : NULL;
}

bool ck_nvcc_with(const char *folder, const char *beside, struct ck_engine *out, char *error, size_t size)
{
    char output[OUTPUT], full[32];
    int major = 0, minor = 0;
    const char *nvcc = program(folder, beside) ? program(folder, "bin/nvcc") : NULL;
    const char *const argv[] = { nvcc, "--version", NULL };
    const struct ck_child child = { argv, "", 0, CK_NVCC_DEADLINE_MS, 0 };

    *out = (struct ck_engine){ .config = nvcc };
    if (!nvcc) {
        snprintf(error, size, "no nvcc with a %s beside it in '%s'", strrchr(beside, '/') + 1, folder);
        return false;
    }
    const struct ck_child_result r = ck_child_run(&child, output, sizeof output);
    const char *p = strstr(output, "release ");
    if (r.end != CK_CHILD_EXITED || r.code || !p || sscanf(p, "release %d.%d, V%31[0-9.]", &major, &minor, full) != 3) {
        snprintf(error, size, "%s --version does not say its version", nvcc);
        return false;
    }
    snprintf(out->facts, sizeof out->facts, "nvcc %s", full);
    out->toolkit = major * 10 + minor;
    return true;
}

static bool nvcc_speaks(const struct ck_engine *e, enum ck_language language)
{
    (void)e;
    return language == CK_CUDA_CPP;
}

static const struct ck_engine_ops nvcc_ops = {
    .open = ck_nvcc_open,
    .close = ck_nvcc_close,
    .speaks = nvcc_speaks,
    .compile = ck_nvcc_compile,
};

bool ck_nvcc_engine(const char *folder, struct ck_engine *out, char *error, size_t size)
{
    if (!ck_nvcc_with(folder, "nvvm/bin/cicc", out, error, size))
        return false;
    out->ops = &nvcc_ops;
    snprintf(out->name, sizeof out->name, "nvcc-%d.%d", out->toolkit / 10, out->toolkit % 10);
    return true;
}
// SPDX-License-Identifier: Apache-2.0
