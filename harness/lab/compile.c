/* Source into PTX. */
#include "harness/lab/compile.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/append.h"
#include "harness/base/child.h"
#include "harness/base/clean.h"
#include "harness/base/search.h"
#include "harness/engines/tile.h"
#include "harness/engines/toolkit.h"
#include "harness/engines/toolkits.h"
#include "harness/lab/place.h"

enum {
    DEADLINE_MS = 60000, /* wall clock: on a busy machine much more than the second that it takes */
    FILE_MOST = 16 << 20,
    OUTPUT = 16000,
    SHOWN = 2400, /* of what the compiler prints */
};
#define COMPILER_MEMORY ((size_t)4 << 30)

/* ---- files ------------------------------------------------------------------------------------------------------- */

/* The headers of the labs, beside the source. */
static bool copy_headers(const struct lab_place *to, const char *labs)
{
    DIR *d = opendir(labs);
    bool fine = d != NULL;

    for (const struct dirent *e; d && fine && (e = readdir(d)) != NULL;) {
        const size_t n = strlen(e->d_name);
        char path[PATH_MAX + 300];
        size_t size;
        if (n < 4 || strcmp(e->d_name + n - 4, ".cuh") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", labs, e->d_name);
        char *text = ck_text_load(path, &size);
        fine = text && lab_place_write(to, e->d_name, text, size);
        free(text);
    }
    if (d)
        closedir(d);
    return fine;
}

/* ---- compilers --------------------------------------------------------------------------------------------------- */

bool lab_find_compiler(enum lab_compiler which, char *path, size_t size)
{
    char *slash;

    if (which == LAB_CLANG)
        return ck_on_search_path("clang", true, path, size);
    if (!ck_toolkit_ptxas(NULL, path, size))
        return ck_on_search_path("nvcc", true, path, size);
    slash = strrchr(path, '/');
    snprintf(slash + 1, size - (size_t)(slash + 1 - path), "nvcc");
    return !access(path, X_OK);
}

static struct ck_child_result compile(const struct lab_place *in, const char *compiler, enum lab_compiler which,
                                      const char *file, char *output)
{
    const char *const nvcc[] = { compiler,  "-ptx", "-std=c++17", "-arch=sm_90a", "-lineinfo", "-o",
                                 "out.ptx", file,   NULL };
    const char *const clang[] = { compiler,
                                  "-x",
                                  "cuda",
                                  "--cuda-device-only",
                                  "-nocudainc",
                                  "-nocudalib",
                                  "--cuda-gpu-arch=sm_86",
                                  "-std=gnu++17",
                                  "-S",
                                  "-O2",
                                  "-gline-tables-only",
                                  "-Wno-unknown-cuda-version",
                                  "-fno-color-diagnostics",
                                  "-o",
                                  "out.ptx",
                                  file,
                                  NULL };
    const struct ck_child child = { .argv = which == LAB_NVCC ? nvcc : clang,
                                    .deadline_ms = DEADLINE_MS,
                                    .memory = COMPILER_MEMORY,
                                    .file = FILE_MOST,
                                    .folder = in->path };

    return ck_child_run(&child, output, OUTPUT);
}

/* What clang makes is PTX of an older version: its asm statements are not looked at. The lines .version and .target are
 * set to what the labs' operations need. */
static bool raise_version(struct ck_text *ptx)
{
    static const char head[] = ".version 8.6\n.target sm_90a, debug\n";
    char *version = strstr(ptx->data, ".version"), *target = version ? strstr(version, ".target") : NULL, *rest, *whole;
    const bool debug = target && memmem(target, strcspn(target, "\n"), "debug", 5);
    const size_t n = strlen(head) - (debug ? 0 : strlen(", debug"));

    if (!target)
        return false;
    rest = target + strcspn(target, "\n");
    rest += *rest == '\n';
    const size_t left = ptx->size - (size_t)(rest - ptx->data);
    whole = malloc(n + left + 1);
    if (!whole)
        return false;
    memcpy(whole, head, n);
    whole[n - 1] = '\n';
    memcpy(whole + n, rest, left + 1);
    free(ptx->data);
    ptx->data = whole;
    ptx->size = n + left;
    return true;
}

/* What a compiler printed: the first errors, without the folder's name. */
static void errors(const char *output, const char *program, const struct ck_child_result *r, char *why, size_t room)
{
    if (r->end == CK_CHILD_LATE)
        snprintf(why, room, "%s took longer than %d seconds and was stopped.\n", program, DEADLINE_MS / 1000);
    else if (r->end == CK_CHILD_SIGNALED)
        snprintf(why, room, "%s was ended by signal %d.\n%.*s", program, r->code, SHOWN, output);
    else
        snprintf(why, room, "%.*s%s", SHOWN, output, strlen(output) > SHOWN ? "\n...\n" : "");
    ck_clean(why, true);
}

/* Takes the folder's name, which is another one each time, out of the names of files. */
static void forget_place(struct ck_text *ptx, const struct lab_place *p)
{
    const size_t n = strlen(p->path) + 1;
    char *to = ptx->data;

    for (const char *from = ptx->data; *from;) {
        if (!strncmp(from, p->path, n - 1) && from[n - 1] == '/')
            from += n;
        else
            *to++ = *from++;
    }
    *to = 0;
    ptx->size = (size_t)(to - ptx->data);
}

/* Whether the compiler itself is at fault: it cannot be started, has no licence, finds no gcc. What nvcc has against
 * the source names the source or a header of the labs, or the PTX where an asm statement is wrong. */
static bool cannot_run(enum lab_compiler which, const struct lab *lab, const struct ck_child_result *r,
                       const char *output)
{
    if (r->end == CK_CHILD_NOT_RUN || strstr(output, "nvcc fatal") || strstr(output, "CUDA version is not supported"))
        return true;
    return which == LAB_NVCC && r->end == CK_CHILD_EXITED && r->code && !strstr(output, lab->file) &&
           !strstr(output, ".cuh") && !strstr(output, "ptxas out.ptx");
}

static enum lab_compiled compile_in(const struct lab_place *p, const struct lab *lab, enum lab_compiler which,
                                    struct ck_text *out, char *why, size_t room)
{
    const char *const program = which == LAB_NVCC ? "nvcc" : "clang";
    char compiler[PATH_MAX], path[PATH_MAX + 300], output[OUTPUT];
    struct ck_child_result r;

    if (!lab_find_compiler(which, compiler, sizeof compiler))
        return LAB_NO_COMPILER;
    r = compile(p, compiler, which, lab->file, output);
    if (cannot_run(which, lab, &r, output)) {
        ck_clean(output, true);
        snprintf(why, room, "%.200s does not run: %.*s\n", compiler,
                 r.end == CK_CHILD_NOT_RUN ? SHOWN : (int)strcspn(output, "\n"),
                 r.end == CK_CHILD_NOT_RUN ? strerror(r.code)
                 : *output                 ? output
                                           : "it says nothing");
        return LAB_NO_COMPILER;
    }
    snprintf(path, sizeof path, "%s/out.ptx", p->path);
    if (r.end == CK_CHILD_EXITED && !r.code) {
        out->data = ck_text_load(path, &out->size);
        if (out->data && (which == LAB_NVCC || raise_version(out))) {
            forget_place(out, p);
            return LAB_COMPILED;
        }
    }
    errors(output, program, &r, why, room);
    return LAB_REFUSED;
}

/* The compiler of CUDA Tile of this machine's own toolkit, else of the newest fetched one that has it. */
static bool find_tile_compiler(struct ck_engine *e, char *why, size_t room)
{
    char older[300];
    glob_t found = { 0 };
    const size_t count = ck_toolkits_fetched(&found);
    bool has = ck_toolkit_tile_engine("tile", e, why, room);

    for (size_t i = count; i > 0 && !has; i--)
        has = ck_tile_engine(found.gl_pathv[i - 1], e, older, sizeof older);
    globfree(&found);
    return has;
}

enum lab_compiled lab_compile_tile(const struct lab *lab, const char *source, const char *object, char *by,
                                   size_t by_size, char *why, size_t room)
{
    struct ck_engine e;
    struct lab_place p = { "" };
    char output[OUTPUT], path[PATH_MAX + 40];
    enum lab_compiled end_with = LAB_REFUSED;

    if (!find_tile_compiler(&e, why, room))
        return LAB_NO_COMPILER;
    snprintf(by, by_size, "%s", e.name);
    if (!lab_place_begin(&p) || !lab_place_write(&p, lab->file, source, strlen(source))) {
        snprintf(why, room, "%s: %s", p.path, strerror(errno));
        return LAB_NO_COMPILER;
    }
    snprintf(path, sizeof path, "%s/out.cubin", p.path);
    const char *const argv[] = { e.config, "--enable-tile",        "-tile-only", "-std=c++20", "-arch=sm_90", "-cubin",
                                 "-o",     object ? object : path, lab->file,    NULL };
    const struct ck_child child = {
        .argv = argv, .deadline_ms = DEADLINE_MS, .memory = COMPILER_MEMORY, .file = FILE_MOST, .folder = p.path
    };
    const struct ck_child_result r = ck_child_run(&child, output, OUTPUT);
    if (r.end == CK_CHILD_NOT_RUN) {
        snprintf(why, room, "%.200s does not run: %s", (const char *)e.config, strerror(r.code));
        end_with = LAB_NO_COMPILER;
    } else if (r.end == CK_CHILD_EXITED && !r.code) {
        end_with = LAB_COMPILED;
    } else {
        errors(output, "nvcc", &r, why, room);
    }
    lab_place_end(&p);
    return end_with;
}

enum lab_compiled lab_compile(const struct lab *lab, const char *labs, const char *source, enum lab_compiler which,
                              struct ck_text *out, char *why, size_t room)
{
    enum lab_compiled end_with = LAB_NO_COMPILER;
    struct lab_place p = { "" };
    char nvcc[400];

    *why = 0;
    if (!lab_place_begin(&p)) {
        snprintf(why, room, "%s: %s\n", p.path, strerror(errno));
        return LAB_NO_COMPILER;
    }
    if (!lab_place_write(&p, lab->file, source, strlen(source)) || !copy_headers(&p, labs)) {
        snprintf(why, room, "%s: %s\n", labs, strerror(errno));
    } else {
        if (which != LAB_CLANG || lab->needs)
            end_with = compile_in(&p, lab, LAB_NVCC, out, why, room);
        if (end_with == LAB_NO_COMPILER && which != LAB_NVCC && !lab->needs) {
            snprintf(nvcc, sizeof nvcc, "%.*s", (int)strcspn(why, "\n"), why);
            *why = 0;
            end_with = compile_in(&p, lab, LAB_CLANG, out, why, room);
            if (*nvcc)
                ck_append(why, room, "%s%s\n", end_with == LAB_NO_COMPILER ? "" : "Compiled with clang: ", nvcc);
        }
    }
    lab_place_end(&p);
    if (end_with == LAB_NO_COMPILER && !*why)
        snprintf(why, room, "%s: no compiler; install nvcc of a CUDA toolkit%s, or hand in PTX\n", lab->id,
                 lab->needs ? "" : " or clang (Debian: apt-get install clang)");
    return end_with;
}
// SPDX-License-Identifier: Apache-2.0
