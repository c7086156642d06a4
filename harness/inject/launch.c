/* The launch that is captured: what it was given, the memory that this leads to, and what it left there. */
#include "harness/inject/inject.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/whole.h"
#include "harness/emu/ptx/ptx.h"

enum { SCANNED = 1 << 20 };

static struct {
    bool read, done;
    char out[4096], name[512];
    unsigned long long skip, most;
} settings = { .most = 256ull << 20 };

/* The kernel of the launch that is wanted, from its choice on. */
static struct {
    const char *name;
    struct inject_module *module;
} chosen;

static struct capture capture;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void inject_say(const char *format, ...)
{
    va_list args;
    char text[1200];

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fprintf(stderr, "copycheck: capture: %s\n", text);
}

static void read_settings(void)
{
    const char *from = getenv(INJECT_VARIABLE);

    settings.read = true;
    for (char line[4300]; from && *from;) {
        const size_t n = strcspn(from, "\n");
        snprintf(line, sizeof line, "%.*s", (int)n, from);
        if (!strncmp(line, "out=", 4))
            snprintf(settings.out, sizeof settings.out, "%.4095s", line + 4);
        else if (!strncmp(line, "name=", 5))
            snprintf(settings.name, sizeof settings.name, "%.511s", line + 5);
        else if (!strncmp(line, "skip=", 5))
            settings.skip = strtoull(line + 5, NULL, 10);
        else if (!strncmp(line, "max=", 4))
            settings.most = strtoull(line + 4, NULL, 10);
        from += n + (from[n] != 0);
    }
    settings.done = !*settings.out;
}

/* ---- memory -------------------------------------------------------------------------------------------------------
 */

static bool is_there(uint64_t at)
{
    for (size_t i = 0; i < capture.memory_count; i++)
        if (!capture.memory[i].variable && at >= capture.memory[i].at &&
            at - capture.memory[i].at < capture.memory[i].bytes)
            return true;
    return false;
}

static uint64_t taken_so_far(void)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < capture.memory_count; i++)
        bytes += capture.memory[i].bytes;
    return bytes;
}

/* The allocation that an address lies in, if it is one of the device's. False: there is no room for it. */
static bool reach(uint64_t address)
{
    CUresult (*range)(CUdeviceptr *, size_t *, CUdeviceptr), (*copy)(void *, CUdeviceptr, size_t);
    struct capture_bytes *b;
    CUdeviceptr base;
    size_t bytes;

    *(void **)&range = inject_real("cuMemGetAddressRange_v2");
    *(void **)&copy = inject_real("cuMemcpyDtoH_v2");
    if (address < 4096 || is_there(address) || range(&base, &bytes, address) != CUDA_SUCCESS || is_there(base))
        return true;
    if (bytes > settings.most - taken_so_far()) {
        inject_say("the kernel reaches %zu bytes at 0x%llx, and that is more than --max-bytes leaves", bytes,
                   (unsigned long long)base);
        return false;
    }
    b = capture_add(&capture);
    if (!b || !(b->before = malloc(bytes)) || copy(b->before, base, bytes) != CUDA_SUCCESS) {
        inject_say("%zu bytes at 0x%llx cannot be read", bytes, (unsigned long long)base);
        return false;
    }
    b->at = base;
    b->bytes = bytes;
    return true;
}

/* What words of 8 bytes lead to. */
static bool reach_from(const unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i + 8 <= n; i += 8) {
        uint64_t word;
        memcpy(&word, bytes + i, 8);
        if (!reach(word))
            return false;
    }
    return true;
}

static bool reach_all(void)
{
    if (!reach_from(capture.params, capture.param_bytes))
        return false;
    for (size_t i = 0; i < capture.map_count; i++)
        if (!reach(capture.maps[i].map.address))
            return false;
    /* Arrays of pointers. What is found there is looked through too. */
    for (size_t i = 0; i < capture.memory_count; i++)
        if (capture.memory[i].bytes <= SCANNED && !reach_from(capture.memory[i].before, capture.memory[i].bytes))
            return false;
    return true;
}

/* A variable of global or constant memory, where the module has it. */
static void take_variable(const struct ptx_variable *v, CUmodule module)
{
    CUresult (*global)(CUdeviceptr *, size_t *, CUmodule, const char *), (*copy)(void *, CUdeviceptr, size_t);
    struct capture_bytes *b;
    CUdeviceptr at;
    size_t bytes;

    *(void **)&global = inject_real("cuModuleGetGlobal_v2");
    *(void **)&copy = inject_real("cuMemcpyDtoH_v2");
    if (global(&at, &bytes, module, v->name) != CUDA_SUCCESS || bytes != v->size ||
        bytes > settings.most - taken_so_far() || !(b = capture_add(&capture)))
        return;
    *b = (struct capture_bytes){ at, bytes, malloc(bytes), NULL, strdup(v->name) };
    if (!b->variable || !b->before || copy(b->before, at, bytes) != CUDA_SUCCESS) {
        free(b->variable);
        free(b->before);
        capture.memory_count--;
    }
}

static void take_variables(const struct inject_launch *l, const struct ptx_module *m)
{
    CUresult (*module_of)(CUmodule *, CUfunction), (*function_of)(CUfunction *, CUkernel);
    CUfunction f = (CUfunction)(uintptr_t)l->function;
    CUmodule module = NULL;

    *(void **)&module_of = inject_real("cuFuncGetModule");
    *(void **)&function_of = inject_real("cuKernelGetFunction");
    if (function_of && function_of(&f, (CUkernel)(uintptr_t)l->function) != CUDA_SUCCESS)
        f = (CUfunction)(uintptr_t)l->function;
    if (!module_of || module_of(&module, f) != CUDA_SUCCESS)
        return;
    for (uint32_t i = 0; i < m->n_variables; i++) {
        const struct ptx_variable *v = &m->variables[i];
        if ((v->space == PTX_global || v->space == PTX_const) && v->definition == i && v->size)
            take_variable(v, module);
    }
}

/* ---- parameters ---------------------------------------------------------------------------------------------------
 */

/* As PTX lays them out. In a block of bytes (`extra`) each lies where the driver says, and that aligns them otherwise:
 * by their places in its own memory. */
static bool take_params(const struct inject_launch *l, const struct ptx_module *m, const struct ptx_function *entry)
{
    CUresult (*info)(const void *, size_t, size_t *, size_t *), (*of_kernel)(const void *, size_t, size_t *, size_t *);
    const bool block = l->extra && l->extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER;
    size_t offset, size;

    capture.params = calloc(1, entry->param_bytes + 1);
    capture.param_bytes = entry->param_bytes;
    *(void **)&info = inject_real("cuFuncGetParamInfo");
    *(void **)&of_kernel = inject_real("cuKernelGetParamInfo");
    if (!capture.params || (block && (!info || !of_kernel))) {
        inject_say("this driver does not say where parameters lie: it must be of CUDA 12.4 or later");
        return false;
    }
    if (block && of_kernel(l->function, 0, &offset, &size) == CUDA_SUCCESS)
        info = of_kernel;
    for (uint32_t i = 0; i < entry->n_params; i++) {
        const struct ptx_variable *p = &m->variables[entry->params + i];
        if (!block)
            memcpy(capture.params + p->offset, l->params[i], p->size);
        else if (info(l->function, i, &offset, &size) == CUDA_SUCCESS && size == p->size)
            memcpy(capture.params + p->offset, (unsigned char *)l->extra[1] + offset, size);
    }
    return true;
}

static void take_maps(void)
{
    for (size_t i = 0; i < inject_map_count(); i++) {
        struct capture_map *m;
        bool wanted = false, there = false;
        for (size_t k = 0; k < capture.map_count && !there; k++)
            there = !memcmp(capture.maps[k].object, inject_map(i)->object, TENSOR_MAP_BYTES);
        for (size_t at = 0; at + TENSOR_MAP_BYTES <= capture.param_bytes && !wanted; at += 64)
            wanted = !memcmp(capture.params + at, inject_map(i)->object, TENSOR_MAP_BYTES);
        for (size_t k = 0; k < capture.memory_count && !wanted; k++)
            for (size_t at = 0; at + TENSOR_MAP_BYTES <= capture.memory[k].bytes && !wanted; at += 64)
                wanted = !memcmp(capture.memory[k].before + at, inject_map(i)->object, TENSOR_MAP_BYTES);
        if (wanted && !there && (m = capture_add_map(&capture)))
            *m = *inject_map(i);
    }
}

/* What the capture says of the machine it comes from. */
static char *machine(void)
{
    CUresult (*name_of)(char *, int, CUdevice), (*version_of)(int *);
    char name[100] = "", text[400];
    int version = 0;

    *(void **)&name_of = inject_real("cuDeviceGetName");
    *(void **)&version_of = inject_real("cuDriverGetVersion");
    if (name_of)
        name_of(name, sizeof name, 0);
    if (version_of)
        version_of(&version);
    snprintf(text, sizeof text, "%s, driver of CUDA %d.%d", name, version / 1000, version % 1000 / 10);
    return strdup(text);
}

/* ---- the launch ---------------------------------------------------------------------------------------------------
 */

static CUresult settle(void)
{
    CUresult (*wait)(void);

    *(void **)&wait = inject_real("cuCtxSynchronize");
    return wait ? wait() : CUDA_ERROR_NOT_FOUND;
}

/* Parameters and variables, by the module's PTX. */
static bool take_by_ptx(const struct inject_launch *l)
{
    struct ptx_error error;
    struct ptx_module *m = ptx_parse(capture.ptx, capture.ptx_bytes, NULL, &error);
    const uint32_t f = m ? ptx_find_function(m, capture.entry) : PTX_NO;
    bool fine;

    if (!m)
        inject_say("its PTX cannot be read: line %d: %s", error.line, error.message);
    else if (f == PTX_NO)
        inject_say("its PTX has no kernel %s", capture.entry);
    fine = f != PTX_NO && take_params(l, m, &m->functions[f]);
    if (fine)
        take_variables(l, m);
    ptx_free(m);
    return fine;
}

static bool take(const struct inject_launch *l, const char *name, struct inject_module *module)
{
    char error[600] = "its module has no PTX";

    capture.ptx = inject_ptx(module, &capture.ptx_bytes, error, sizeof error);
    if (!capture.ptx) {
        inject_say("%s: %s", name, error);
        return false;
    }
    capture.machine = machine();
    capture.entry = strdup(name);
    for (int i = 0; i < 3; i++) {
        capture.grid[i] = l->grid[i];
        capture.block[i] = l->block[i];
        capture.cluster[i] = l->cluster[i];
    }
    capture.smem = l->smem;
    capture.cooperative = l->cooperative;
    if (!capture.machine || !capture.entry || !take_by_ptx(l))
        return false;
    take_maps();
    if (!reach_all())
        return false;
    take_maps(); /* those that stand in memory */
    return reach_all();
}

bool inject_open(void)
{
    bool open;

    pthread_mutex_lock(&lock);
    if (!settings.read)
        read_settings();
    open = !settings.done;
    pthread_mutex_unlock(&lock);
    return open;
}

bool inject_chooses(const void *function)
{
    bool wanted;

    pthread_mutex_lock(&lock);
    if (!settings.read)
        read_settings();
    wanted =
        !settings.done && inject_kernel(function, &chosen.name, &chosen.module) && strstr(chosen.name, settings.name);
    if (wanted && settings.skip) {
        settings.skip--;
        wanted = false;
    }
    settings.done |= wanted;
    if (!wanted)
        pthread_mutex_unlock(&lock);
    return wanted;
}

void inject_leave(const char *why)
{
    inject_say("%s was launched and could not be captured%s%s", chosen.name, why ? ": " : "", why ? why : "");
    pthread_mutex_unlock(&lock);
}

bool inject_take(const struct inject_launch *l)
{
    const bool taken = settle() == CUDA_SUCCESS && take(l, chosen.name, chosen.module);

    if (!taken)
        inject_leave(NULL);
    return taken;
}

static void write_out(void)
{
    struct whole_file file;
    bool fine = whole_open(&file, settings.out);

    if (fine)
        fine = whole_close(&file, capture_write(file.to, &capture));
    if (!fine)
        inject_say("%s cannot be written", settings.out);
}

void inject_behind(void)
{
    CUresult (*copy)(void *, CUdeviceptr, size_t);
    const CUresult end = settle();

    *(void **)&copy = inject_real("cuMemcpyDtoH_v2");
    for (size_t i = 0; i < capture.memory_count && end == CUDA_SUCCESS; i++) {
        struct capture_bytes *b = &capture.memory[i];
        b->after = malloc(b->bytes);
        if (b->after && (copy(b->after, b->at, b->bytes) != CUDA_SUCCESS || !memcmp(b->after, b->before, b->bytes))) {
            free(b->after);
            b->after = NULL;
        }
    }
    if (end != CUDA_SUCCESS)
        inject_say("the kernel ended with error %d: what memory held behind it is not in the capture", end);
    write_out();
    capture_free(&capture);
    pthread_mutex_unlock(&lock);
}
// SPDX-License-Identifier: Apache-2.0
