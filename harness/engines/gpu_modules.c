/* How the engines `gpu` and `jit` come to a kernel: cubins that are loaded, PTX that the driver compiles. */
#include "harness/engines/gpu_modules.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/hash.h"
#include "harness/base/text.h"
#include "harness/engines/cubin.h"
#include "harness/engines/ptxas.h"

uint64_t gpu_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ---- results -------------------------------------------------------------------------------------------------- */

/* Errors that come from the device's work and cost the context, by cuda.h: uncorrectable memory and link errors, and
 * what a kernel can do wrong. */
static bool is_fault(cu_result r)
{
    static const cu_result faults[] = { 214, 220, 226, 227, 700, 702, 710, 714, 715, 716, 717, 718, 719 };

    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (r == faults[i])
            return true;
    return false;
}

bool gpu_fail(struct gpu *g, struct ck_outcome *out, const char *call, cu_result r)
{
    if (!r)
        return false;
    *out = (struct ck_outcome){ .kind = is_fault(r) ? CK_O_FAULT : CK_O_REFUSED, .code = r };
    snprintf(out->message, sizeof out->message, "%s: %s", call, cu_name(&g->d, r));
    return true;
}

bool gpu_unsupported(struct ck_outcome *out, const char *format, ...)
{
    va_list args;

    *out = (struct ck_outcome){ .kind = CK_O_UNSUPPORTED };
    va_start(args, format);
    vsnprintf(out->message, sizeof out->message, format, args);
    va_end(args);
    return false;
}

/* ---- files and modules ---------------------------------------------------------------------------------------- */

bool gpu_compile(struct gpu *g, const struct ck_ptx *ptx, bool quiet, void **image, size_t *image_size,
                 struct ck_outcome *out)
{
    char own[2048], *log = ptx->log ? ptx->log : own;
    int options[] = { CU_JIT_ERROR_LOG, CU_JIT_MAX_LOG };
    void *values[] = { log, (void *)(uintptr_t)(ptx->log ? ptx->log_size : sizeof own) };
    const uint64_t start = gpu_now();
    cu_link link;
    cu_result r;

    *log = 0;
    if (gpu_fail(g, out, "cuLinkCreate", g->d.cuLinkCreate_v2(2, options, values, &link)))
        return false;
    r = g->d.cuLinkAddData_v2(link, CU_INPUT_PTX, (void *)(uintptr_t)ptx->text, ptx->size + 1, "ptx", 0, NULL, NULL);
    if (!r)
        r = g->d.cuLinkComplete(link, image, image_size);
    ck_engine_cost.compile += gpu_now() - start;
    *out = (struct ck_outcome){ .kind = !r ? CK_O_DONE : is_fault(r) ? CK_O_FAULT : CK_O_REFUSED, .code = r };
    if (r && (!ck_ptxas_message(log, true, &out->line, out->message, sizeof out->message) || !out->message[0]))
        snprintf(out->message, sizeof out->message, "%s", cu_name(&g->d, r));
    if (!r)
        *log = 0; /* what is said of an accepted text is no complaint */
    if (r || quiet)
        g->d.cuLinkDestroy(link);
    return !r;
}

/* Keeps a compiled file in the run's scratch folder: each worker that replaces a lost one would compile it again. */
static void keep_compiled(const char *kept, const void *image, size_t size)
{
    char aside[560];
    FILE *f;

    snprintf(aside, sizeof aside, "%s.%d", kept, (int)getpid());
    f = fopen(aside, "wb");
    if (f) {
        const bool whole = fwrite(image, 1, size, f) == size;
        if (fclose(f) != 0 || !whole || rename(aside, kept) != 0)
            unlink(aside);
    }
}

/* Compiles a PTX file with the driver's compiler, and keeps the cubin. */
static bool compile_file(struct gpu *g, const char *file, void **image, struct ck_outcome *out)
{
    char path[512];
    size_t size = 0;
    char *text;
    bool ok;

    snprintf(path, sizeof path, "%s/%s.ptx", g->kernels, file);
    text = ck_text_load(path, &size);
    if (!text)
        return gpu_unsupported(out, "no %.400s: make kernels builds it", path);
    ok = gpu_compile(g, &(struct ck_ptx){ .text = text, .size = size }, false, image, &size, out);
    free(text);
    if (!ok) {
        out->kind = out->kind == CK_O_FAULT ? CK_O_FAULT : CK_O_UNSUPPORTED;
        return false;
    }
    snprintf(path, sizeof path, "%s/%s.cubin", g->scratch, file);
    keep_compiled(path, *image, size);
    return true;
}

static void lock_file(int fd)
{
    while (flock(fd, LOCK_EX) != 0 && errno == EINTR)
        ;
}

/* Claims to compile a file in this run: *lock is to be closed when that is done; -1, without a claim, where another
 * thread was first or there is no folder for claims. */
static bool claim(const struct gpu *g, const char *file, int *lock)
{
    char path[512];

    snprintf(path, sizeof path, "%s/%.63s.claim", g->scratch, file);
    *lock = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (*lock >= 0)
        lock_file(*lock);
    return *lock >= 0;
}

/* Waits until the thread that has claimed the file has compiled it, or has died. */
static void await_compiled(const struct gpu *g, const char *file)
{
    char path[512];
    int fd;

    snprintf(path, sizeof path, "%s/%.63s.claim", g->scratch, file);
    fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    lock_file(fd);
    close(fd);
}

static bool load_compiled(struct gpu *g, const char *file, struct gpu_module *to, struct ck_outcome *out)
{
    char kept[512];
    void *image = NULL;
    int lock = -1;

    snprintf(kept, sizeof kept, "%s/%s.cubin", g->scratch, file);
    char *cubin = ck_text_load(kept, &to->size);
    if (!cubin && !claim(g, file, &lock)) {
        await_compiled(g, file);
        cubin = ck_text_load(kept, &to->size);
    }
    const bool there = cubin || compile_file(g, file, &image, out);
    if (lock >= 0)
        close(lock);
    if (!there)
        return false;
    const bool ok = !gpu_fail(g, out, "cuModuleLoadData", g->d.cuModuleLoadData(&to->module, cubin ? cubin : image));
    to->image = cubin;
    return ok;
}

/* A kernel file, and how large its PTX is. */
struct text {
    char file[64];
    off_t size;
};

static int larger_first(const void *a, const void *b)
{
    const struct text *x = a, *y = b;

    return (x->size < y->size) - (x->size > y->size);
}

/* The run waits for the file that is ready last, so those that take longest come first. */
void gpu_jit_prepare(struct ck_engine *e)
{
    struct gpu *g = e->state;
    struct text texts[MODULES] = { 0 };
    struct ck_outcome ignored;
    size_t count = 0;
    void *image;

    for (const char *line = g->index; line && *line && count < MODULES;
         line = strchr(line, '\n') ? strchr(line, '\n') + 1 : "") {
        struct text *t = &texts[count];
        char path[512];
        struct stat st;
        if (*line == '#' || sscanf(line, "%*s %63s", t->file) != 1 ||
            (count && !strcmp(t->file, texts[count - 1].file)) || !strncmp(t->file, "cuda_tile_", 10))
            continue;
        snprintf(path, sizeof path, "%s/%.63s.ptx", g->kernels, t->file);
        t->size = stat(path, &st) ? 0 : st.st_size;
        count++;
    }
    qsort(texts, count, sizeof *texts, larger_first);
    for (size_t i = 0; i < count; i++) {
        int lock;
        if (!claim(g, texts[i].file, &lock))
            continue;
        compile_file(g, texts[i].file, &image, &ignored);
        close(lock);
    }
}

static bool load_cubin(struct gpu *g, const char *file, struct gpu_module *to, struct ck_outcome *out)
{
    char path[512];
    char *text;
    cu_result r;

    snprintf(path, sizeof path, "%s/%s.cubin", g->kernels, file);
    text = ck_text_load(path, &to->size);
    if (!text)
        return gpu_unsupported(out, "no %.400s: this toolkit did not build it", path);
    r = g->d.cuModuleLoadData(&to->module, text);
    to->image = text;
    if (is_fault(r)) /* another thread's launch has cost them the context */
        return !gpu_fail(g, out, "cuModuleLoadData", r);
    if (r)
        return gpu_unsupported(out, "the driver refuses %.400s: %s", path, cu_name(&g->d, r));
    return true;
}

static bool find_anew(struct gpu *g, const char *entry, cu_module *module, cu_function *function,
                      struct ck_outcome *out)
{
    const uint64_t start = gpu_now(), compiled = ck_engine_cost.compile;
    char file[64];
    size_t i;

    if (!ck_text_kernel(g->index, entry, file, sizeof file))
        return gpu_unsupported(out, "no kernel %s in %s/index", entry, g->kernels);
    for (i = 0; i < g->module_count; i++)
        if (!strcmp(g->modules[i].file, file))
            break;
    if (i == MODULES)
        return gpu_unsupported(out, "more kernel files than an engine has room for");
    if (i == g->module_count) {
        struct gpu_module *loaded = &g->modules[i];
        *loaded = (struct gpu_module){ 0 };
        if (g->jit ? !load_compiled(g, file, loaded, out) : !load_cubin(g, file, loaded, out)) {
            free(loaded->image);
            loaded->image = NULL;
            return false;
        }
        snprintf(g->modules[i].file, sizeof g->modules[i].file, "%s", file);
        g->module_count++;
        ck_engine_cost.load += gpu_now() - start - (ck_engine_cost.compile - compiled);
    }
    *module = g->modules[i].module;
    return !gpu_fail(g, out, "cuModuleGetFunction", g->d.cuModuleGetFunction(function, *module, entry));
}

bool gpu_find_function(struct gpu *g, const char *entry, cu_module *module, cu_function *function,
                       struct ck_outcome *out)
{
    struct gpu_function *kept = &g->functions[fnv1a(FNV1A_BASIS, entry, strlen(entry)) % FUNCTIONS];

    if (strcmp(kept->entry, entry) != 0 || !*entry) {
        if (!find_anew(g, entry, module, function, out))
            return false;
        *kept = (struct gpu_function){ .module = *module, .function = *function };
        for (size_t i = 0; i < g->module_count; i++)
            if (g->modules[i].module == *module && g->modules[i].image)
                kept->machine = ck_cubin_code(g->modules[i].image, g->modules[i].size, entry);
        if (strlen(entry) < sizeof kept->entry)
            strcpy(kept->entry, entry);
        return true;
    }
    *module = kept->module;
    *function = kept->function;
    return true;
}

uint64_t gpu_machine_code(const struct gpu *g, const char *entry)
{
    const struct gpu_function *kept = &g->functions[fnv1a(FNV1A_BASIS, entry, strlen(entry)) % FUNCTIONS];

    return strcmp(kept->entry, entry) ? 0 : kept->machine;
}

void gpu_modules_free(struct gpu *g)
{
    for (size_t i = 0; i < g->module_count; i++)
        free(g->modules[i].image);
}

bool gpu_write_constant(struct gpu *g, cu_module module, const struct ck_device_launch *l, struct ck_outcome *out)
{
    cu_deviceptr at;
    size_t size;

    if (gpu_fail(g, out, "cuModuleGetGlobal", g->d.cuModuleGetGlobal_v2(&at, &size, module, l->constant)))
        return false;
    if (size < l->constant_size)
        return gpu_unsupported(out, "the symbol %s is too small", l->constant);
    return !gpu_fail(g, out, "cuMemcpyHtoDAsync",
                     g->d.cuMemcpyHtoDAsync_v2(at, l->constant_bytes, l->constant_size, g->stream));
}
// SPDX-License-Identifier: Apache-2.0
