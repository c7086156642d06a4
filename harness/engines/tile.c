/* A toolkit's compiler of CUDA Tile as an engine. Each source is one process: nvcc, which starts its preprocessor, its
 * front end and tileiras. Nothing is left behind: the source comes on standard input, the object goes into a nameless
 * file of this process. */
#include "harness/engines/tile.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/base/child.h"

enum { OUTPUT = 65536, WORDS = 32, OPTIONS = 512 };

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

bool ck_tile_message(const char *output, int *line, char *message, size_t size)
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

/* The place of the next ELF file for a GPU (its e_machine is 190) at or after `from`, or `bytes`. */
static size_t next_image(const unsigned char *object, size_t bytes, size_t from)
{
    static const unsigned char magic[] = { 0x7f, 'E', 'L', 'F' };

    for (size_t i = from; i + 64 <= bytes; i++)
        if (!memcmp(object + i, magic, sizeof magic) && object[i + 18] == 190 && !object[i + 19])
            return i;
    return bytes;
}

void ck_tile_images(const unsigned char *object, size_t bytes, char *names, size_t size)
{
    static const char mark[] = "__CUDA_TILEIR"; /* a symbol of every tile image */
    bool tile = false, simt = false;

    for (size_t at = next_image(object, bytes, 0), next; at < bytes; at = next) {
        next = next_image(object, bytes, at + 1);
        if (memmem(object + at, next - at, mark, sizeof mark - 1))
            tile = true;
        else
            simt = true;
    }
    snprintf(names, size, "%s%s%s", simt ? "simt" : "", simt && tile ? " " : "", tile ? "tile" : "");
}

/* ---- running -------------------------------------------------------------------------------------------------- */

static void look_at_object(const struct state *s, struct ck_outcome *out)
{
    const off_t end = lseek(s->object, 0, SEEK_END);
    const size_t bytes = end > 0 ? (size_t)end : 0;
    void *object = bytes ? mmap(NULL, bytes, PROT_READ, MAP_SHARED, s->object, 0) : MAP_FAILED;

    if (object == MAP_FAILED)
        return;
    ck_tile_images(object, bytes, out->message, sizeof out->message);
    munmap(object, bytes);
}

static void judge(const struct ck_child_result *r, const struct state *s, const char *output, struct ck_outcome *out)
{
    switch (r->end) {
    case CK_CHILD_EXITED:
        out->kind = r->code ? CK_O_REFUSED : CK_O_DONE;
        out->code = r->code;
        if (!r->code) {
            look_at_object(s, out);
        } else if (!ck_tile_message(output, &out->line, out->message, sizeof out->message)) {
            /* nvcc passes on how a program of its own ended that died */
            out->kind = r->code > 128 ? CK_O_CRASHED : CK_O_REFUSED;
            snprintf(out->message, sizeof out->message, "exit status %d without a message", r->code);
        } else if (strstr(out->message, "nternal error") || strstr(out->message, "ssertion failed")) {
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
        snprintf(out->message, sizeof out->message, "did not end within %d ms", CK_TILE_DEADLINE_MS);
        break;
    case CK_CHILD_NOT_RUN:
        out->kind = CK_O_UNSUPPORTED;
        out->code = r->code;
        snprintf(out->message, sizeof out->message, "nvcc could not be run: %s", strerror(r->code));
        break;
    }
}

static bool tile_speaks(const struct ck_engine *e, enum ck_language language)
{
    (void)e;
    return language == CK_TILE_CPP;
}

static void tile_compile(struct ck_engine *e, const struct ck_source *source, struct ck_outcome *out)
{
    const struct state *s = e->state;
    char words[OPTIONS], output[OUTPUT], *rest = words;
    const char *argv[WORDS] = { e->config };
    size_t n = 1;

    *out = (struct ck_outcome){ 0 };
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
    const struct ck_child child = { argv, source->text, source->size, CK_TILE_DEADLINE_MS, 0 };
    const struct ck_child_result r = ck_child_run(&child, output, sizeof output);
    judge(&r, s, output, out);
}

static bool tile_open(struct ck_engine *e, struct ck_outcome *out)
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

static void tile_close(struct ck_engine *e)
{
    struct state *s = e->state;

    if (!s)
        return;
    close(s->object);
    free(s);
    e->state = NULL;
}

static const struct ck_engine_ops tile_ops = {
    .open = tile_open,
    .close = tile_close,
    .speaks = tile_speaks,
    .compile = tile_compile,
};

/* The path of nvcc in a toolkit that also has a tileiras; kept for as long as the process lives. NULL without one. */
static const char *tile_compiler(const char *folder)
{
    char *nvcc = NULL, *tileiras = NULL;
    bool both = false;

    if (asprintf(&nvcc, "%s/bin/nvcc", folder) < 0)
        return NULL;
    if (asprintf(&tileiras, "%s/bin/tileiras", folder) >= 0) {
        both = access(nvcc, X_OK) == 0 && access(tileiras, X_OK) == 0;
        free(tileiras);
    }
    if (both)
        return nvcc;
    free(nvcc);
    return NULL;
}

bool ck_tile_engine(const char *folder, struct ck_engine *out, char *error, size_t size)
{
    char output[OUTPUT], full[32];
    int major = 0, minor = 0;
    const char *nvcc = tile_compiler(folder);
    const char *const argv[] = { nvcc, "--version", NULL };
    const struct ck_child child = { argv, "", 0, CK_TILE_DEADLINE_MS, 0 };

    *out = (struct ck_engine){ .ops = &tile_ops, .config = nvcc };
    if (!nvcc) {
        snprintf(error, size, "no nvcc with a tileiras beside it in '%s'", folder);
        return false;
    }
    const struct ck_child_result r = ck_child_run(&child, output, sizeof output);
    const char *p = strstr(output, "release ");
    if (r.end != CK_CHILD_EXITED || r.code || !p || sscanf(p, "release %d.%d, V%31[0-9.]", &major, &minor, full) != 3) {
        snprintf(error, size, "%s --version does not say its version", nvcc);
        return false;
    }
    if (major * 10 + minor < CK_TILE_OLDEST) {
        snprintf(error, size, "toolkit %d.%d does not compile tile kernels for sm_90: 13.3 and newer do", major, minor);
        return false;
    }
    snprintf(out->name, sizeof out->name, "tile-%d.%d", major, minor);
    snprintf(out->facts, sizeof out->facts, "nvcc %s", full);
    out->toolkit = major * 10 + minor;
    return true;
}
