/* The engines `gpu` and `jit`: launches on a device through the driver API. */
#include "harness/engines/gpu.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "expected/oracle.h"
#include "harness/base/text.h"
#include "harness/engines/driver.h"

enum { MODULES = 128, EDGES = 16, DIRECT = 16 };

static const size_t arena_bytes = 64u << 20, host_bytes = 16u << 20, edge_page = 2u << 20;

struct module {
    char file[64]; /* stem: "tile" */
    cu_module module;
};

struct edge {
    cu_deviceptr at;
    size_t reserved, mapped;
    cu_handle handle;
};

struct gpu {
    struct cu_driver d;
    bool jit;
    const char *kernels, *scratch;
    cu_context context;
    char *index; /* lines "ENTRY FILE" */
    struct module modules[MODULES];
    size_t module_count;
    cu_deviceptr arena, host_device;
    unsigned char *host;
    size_t arena_used, host_used;
    struct edge edges[EDGES];
    size_t edge_count;
    cu_deviceptr direct[DIRECT];
    size_t direct_count;
    int shared_optin;
};

/* An engine's configuration, before it is open. */
struct config {
    bool jit;
    const char *kernels, *scratch;
    struct ck_gpu_facts facts;
};

static uint64_t now(void)
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

static bool fail(struct gpu *g, struct ck_outcome *out, const char *call, cu_result r)
{
    if (!r)
        return false;
    *out = (struct ck_outcome){ .kind = is_fault(r) ? CK_O_FAULT : CK_O_REFUSED, .code = r };
    snprintf(out->message, sizeof out->message, "%s: %s", call, cu_name(&g->d, r));
    return true;
}

/* Says what the engine cannot do; false, for the caller to return. */
static bool unsupported(struct ck_outcome *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool unsupported(struct ck_outcome *out, const char *format, ...)
{
    va_list args;

    *out = (struct ck_outcome){ .kind = CK_O_UNSUPPORTED };
    va_start(args, format);
    vsnprintf(out->message, sizeof out->message, format, args);
    va_end(args);
    return false;
}

/* ---- files and modules ---------------------------------------------------------------------------------------- */

/* Compiles PTX to a cubin with the driver's compiler. The image belongs to the link state, which is not destroyed:
 * a worker compiles few modules and ends. `quiet` destroys it at once, for assemble rows. */
static bool compile(struct gpu *g, const char *ptx, size_t size, bool quiet, void **image, size_t *image_size,
                    struct ck_outcome *out)
{
    char log[2048] = "";
    int options[] = { CU_JIT_ERROR_LOG, CU_JIT_MAX_LOG };
    void *values[] = { log, (void *)(uintptr_t)sizeof log };
    const uint64_t start = now();
    cu_link link;
    cu_result r;

    if (fail(g, out, "cuLinkCreate", g->d.cuLinkCreate_v2(2, options, values, &link)))
        return false;
    r = g->d.cuLinkAddData_v2(link, CU_INPUT_PTX, (void *)(uintptr_t)ptx, size + 1, "ptx", 0, NULL, NULL);
    if (!r)
        r = g->d.cuLinkComplete(link, image, image_size);
    ck_engine_cost.compile += now() - start;
    if (r) {
        char *error = strstr(log, "error");
        char *line = strstr(log, "line ");
        *out = (struct ck_outcome){ .kind = is_fault(r) ? CK_O_FAULT : CK_O_REFUSED, .code = r };
        if (line)
            out->line = (int)strtol(line + 5, NULL, 10);
        if (error && strchr(error, ':'))
            error = strchr(error, ':') + 1 + strspn(strchr(error, ':') + 1, " ");
        snprintf(out->message, sizeof out->message, "%.*s", (int)strcspn(error ? error : "", "\n"),
                 error ? error : cu_name(&g->d, r));
        if (!out->message[0])
            snprintf(out->message, sizeof out->message, "%s", cu_name(&g->d, r));
        g->d.cuLinkDestroy(link);
        return false;
    }
    *out = (struct ck_outcome){ .kind = CK_O_DONE };
    if (quiet)
        g->d.cuLinkDestroy(link);
    return true;
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
        return unsupported(out, "no %.400s: make kernels builds it", path);
    ok = compile(g, text, size, false, image, &size, out);
    free(text);
    if (!ok) {
        out->kind = out->kind == CK_O_FAULT ? CK_O_FAULT : CK_O_UNSUPPORTED;
        return false;
    }
    snprintf(path, sizeof path, "%s/%s.cubin", g->scratch, file);
    keep_compiled(path, *image, size);
    return true;
}

static bool load_compiled(struct gpu *g, const char *file, cu_module *module, struct ck_outcome *out)
{
    char kept[512];
    void *image = NULL;

    snprintf(kept, sizeof kept, "%s/%s.cubin", g->scratch, file);
    char *cubin = ck_text_load(kept, NULL);
    if (!cubin && !compile_file(g, file, &image, out))
        return false;
    const bool ok = !fail(g, out, "cuModuleLoadData", g->d.cuModuleLoadData(module, cubin ? cubin : image));
    free(cubin);
    return ok;
}

/* Whether this worker is the first to ask: a file of that name is made. */
static bool claim(const struct gpu *g, const char *file)
{
    char path[512];

    snprintf(path, sizeof path, "%s/%s.claim", g->scratch, file);
    const int fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* Compiles those kernel files that no other worker has claimed. What fails here fails again, and is told, where a point
 * needs it. */
static void jit_prepare(struct ck_engine *e)
{
    struct gpu *g = e->state;
    struct ck_outcome ignored;
    char file[64], last[64] = "";
    void *image;

    for (const char *line = g->index; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : "")
        if (*line != '#' && sscanf(line, "%*s %63s", file) == 1 && strcmp(file, last) != 0) {
            snprintf(last, sizeof last, "%s", file);
            if (strncmp(file, "cuda_tile_", 10) != 0 && claim(g, file))
                compile_file(g, file, &image, &ignored);
        }
}

static bool load_cubin(struct gpu *g, const char *file, cu_module *module, struct ck_outcome *out)
{
    char path[512];
    char *text;
    cu_result r;

    snprintf(path, sizeof path, "%s/%s.cubin", g->kernels, file);
    text = ck_text_load(path, NULL);
    if (!text)
        return unsupported(out, "no %.400s: this toolkit did not build it", path);
    r = g->d.cuModuleLoadData(module, text);
    free(text);
    if (r)
        return unsupported(out, "the driver refuses %.400s: %s", path, cu_name(&g->d, r));
    return true;
}

static bool find_function(struct gpu *g, const char *entry, cu_module *module, cu_function *function,
                          struct ck_outcome *out)
{
    const uint64_t start = now(), compiled = ck_engine_cost.compile;
    char file[64];
    size_t i;

    if (!ck_text_kernel(g->index, entry, file, sizeof file))
        return unsupported(out, "no kernel %s in %s/index", entry, g->kernels);
    for (i = 0; i < g->module_count; i++)
        if (!strcmp(g->modules[i].file, file))
            break;
    if (i == MODULES)
        return unsupported(out, "more kernel files than an engine has room for");
    if (i == g->module_count) {
        cu_module *loaded = &g->modules[i].module;
        if (g->jit ? !load_compiled(g, file, loaded, out) : !load_cubin(g, file, loaded, out))
            return false;
        snprintf(g->modules[i].file, sizeof g->modules[i].file, "%s", file);
        g->module_count++;
        ck_engine_cost.load += now() - start - (ck_engine_cost.compile - compiled);
    }
    *module = g->modules[i].module;
    return !fail(g, out, "cuModuleGetFunction", g->d.cuModuleGetFunction(function, *module, entry));
}

/* Writes the symbol that a launch names. */
static bool write_constant(struct gpu *g, cu_module module, const struct ck_device_launch *l, struct ck_outcome *out)
{
    cu_deviceptr at;
    size_t size;

    if (fail(g, out, "cuModuleGetGlobal", g->d.cuModuleGetGlobal_v2(&at, &size, module, l->constant)))
        return false;
    if (size < l->constant_size)
        return unsupported(out, "the symbol %s is too small", l->constant);
    return !fail(g, out, "cuMemcpyHtoD", g->d.cuMemcpyHtoD_v2(at, l->constant_bytes, l->constant_size));
}

/* The toolkit that the first line of a kernel index names, "# toolkit 13.0.88": 130; 0 where it names none. */
static int built_by(const char *index)
{
    int major, minor;

    return sscanf(index, "# toolkit %d.%d", &major, &minor) == 2 ? major * 10 + minor : 0;
}

/* ---- the engine ----------------------------------------------------------------------------------------------- */

static bool gpu_open(struct ck_engine *e, struct ck_outcome *out)
{
    const struct config *c = (const void *)e->config;
    const uint64_t start = now();
    struct gpu *g = calloc(1, sizeof *g);
    char path[512];
    cu_device device;

    *out = (struct ck_outcome){ .kind = CK_O_UNSUPPORTED };
    if (!g) {
        snprintf(out->message, sizeof out->message, "out of memory");
        return false;
    }
    e->state = g;
    g->jit = c->jit;
    g->kernels = c->kernels;
    g->scratch = c->scratch;
    if (!c->facts.present) {
        snprintf(out->message, sizeof out->message, "%s", c->facts.why);
        return false;
    }
    if (!cu_open(&g->d, out->message, sizeof out->message))
        return false;
    snprintf(path, sizeof path, "%s/index", g->kernels);
    g->index = ck_text_load(path, NULL);
    if (!g->index)
        return unsupported(out, "no kernels in %s: make kernels builds them", g->kernels);
    e->toolkit = g->jit ? 0 : built_by(g->index);
    /* The disk cache would answer for the compiler that `jit` is about. */
    setenv("CUDA_CACHE_DISABLE", "1", 1);
    /* A context has queues for 8 streams, and no case uses more than one at a time: with one, making and losing a
     * context takes half as long (0.11 and 0.06 s on an H200). */
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "1", 0);
    if (fail(g, out, "cuInit", g->d.cuInit(0)) || fail(g, out, "cuDeviceGet", g->d.cuDeviceGet(&device, 0)) ||
        fail(g, out, "cuCtxCreate", g->d.cuCtxCreate_v2(&g->context, 0, device))) {
        const size_t n = strlen(out->message);
        if (c->facts.exclusive)
            snprintf(out->message + n, sizeof out->message - n,
                     "; the GPU is in an exclusive compute mode, and another process may hold it");
        out->kind = CK_O_UNSUPPORTED;
        return false;
    }
    g->d.cuDeviceGetAttribute(&g->shared_optin, CU_ATTRIBUTE_SHARED_OPTIN, device);
    ck_engine_cost.context += now() - start;
    return true;
}

static void gpu_close(struct ck_engine *e)
{
    struct gpu *g = e->state;

    if (!g)
        return;
    if (g->context)
        g->d.cuCtxDestroy_v2(g->context);
    free(g->index);
    free(g);
    e->state = NULL;
}

static void gpu_assemble(struct ck_engine *e, const struct ck_ptx *ptx, struct ck_outcome *out)
{
    struct gpu *g = e->state;
    void *image;
    size_t size;
    char probe_text[160];

    if (ptx->version > e->ptx) {
        unsupported(out, "needs PTX ISA %d.%d; this driver's compiler takes up to %d.%d", ptx->version / 10,
                    ptx->version % 10, e->ptx / 10, e->ptx % 10);
        return;
    }
    compile(g, ptx->text, ptx->size, true, &image, &size, out);
    if (out->kind != CK_O_REFUSED)
        return;
    /* If the target alone is the reason, the row says nothing about this engine. */
    const int n = snprintf(probe_text, sizeof probe_text,
                           ".version %d.%d\n.target %s\n.address_size 64\n.visible .entry k() { ret; }\n",
                           ptx->version / 10, ptx->version % 10, ptx->target);
    struct ck_outcome empty;
    compile(g, probe_text, (size_t)n, true, &image, &size, &empty);
    if (empty.kind == CK_O_REFUSED)
        unsupported(out, "the driver's compiler takes no module of .version %d.%d .target %s here", ptx->version / 10,
                    ptx->version % 10, ptx->target);
}

static void gpu_encode_call(struct ck_engine *e, const struct tensor_map *m, void *object, unsigned null,
                            struct ck_outcome *out)
{
    struct gpu *g = e->state;
    const cu_result r = cu_encode(&g->d, m, object, null);

    if (!fail(g, out, tensor_mode_call(m->mode), r))
        *out = (struct ck_outcome){ .kind = CK_O_DONE };
}

static void gpu_replace_address(struct ck_engine *e, void *object, uint64_t address, struct ck_outcome *out)
{
    struct gpu *g = e->state;
    const cu_result r = g->d.cuTensorMapReplaceAddress(object, (void *)(uintptr_t)address);

    if (!fail(g, out, "cuTensorMapReplaceAddress", r))
        *out = (struct ck_outcome){ .kind = CK_O_DONE };
}

/* Memory whose last byte is the last mapped one: one page is mapped of two that are reserved. */
static uint64_t alloc_edge(struct gpu *g, size_t bytes, struct ck_outcome *out)
{
    const size_t mapped = (bytes + edge_page - 1) / edge_page * edge_page;
    struct edge *edge = &g->edges[g->edge_count];
    const struct cu_allocation_prop prop = { .type = 1, .location = { .type = 1, .id = 0 } };
    const struct cu_access access = { .location = { .type = 1, .id = 0 }, .flags = 3 };

    if (g->edge_count == EDGES)
        return (uint64_t)unsupported(out, "more than %d edge buffers in one point", EDGES);
    edge->mapped = mapped;
    edge->reserved = mapped + edge_page;
    if (fail(g, out, "cuMemAddressReserve", g->d.cuMemAddressReserve(&edge->at, edge->reserved, edge_page, 0, 0)))
        return 0;
    if (fail(g, out, "cuMemCreate", g->d.cuMemCreate(&edge->handle, mapped, &prop, 0)) ||
        fail(g, out, "cuMemMap", g->d.cuMemMap(edge->at, mapped, 0, edge->handle, 0)) ||
        fail(g, out, "cuMemSetAccess", g->d.cuMemSetAccess(edge->at, mapped, &access, 1)))
        return 0;
    g->edge_count++;
    return edge->at + mapped - bytes;
}

static uint64_t gpu_alloc(struct ck_engine *e, enum ck_memory kind, size_t bytes, struct ck_outcome *out)
{
    struct gpu *g = e->state;
    const size_t rounded = (bytes + 1023) & ~(size_t)1023;
    uint64_t at;

    if (kind == CK_MEM_EDGE)
        return alloc_edge(g, bytes, out);
    if (kind == CK_MEM_HOST) {
        if (!g->host &&
            (fail(g, out, "cuMemHostAlloc", g->d.cuMemHostAlloc((void **)&g->host, host_bytes, 2)) ||
             fail(g, out, "cuMemHostGetDevicePointer", g->d.cuMemHostGetDevicePointer_v2(&g->host_device, g->host, 0))))
            return 0;
        if (g->host_used + rounded > host_bytes)
            return (uint64_t)unsupported(out, "more than %zu MiB of slow memory in one point", host_bytes >> 20);
        at = g->host_device + g->host_used;
        g->host_used += rounded;
        return at;
    }
    if (!g->arena && fail(g, out, "cuMemAlloc", g->d.cuMemAlloc_v2(&g->arena, arena_bytes)))
        return 0;
    if (g->arena_used + rounded <= arena_bytes) {
        at = g->arena + g->arena_used;
        g->arena_used += rounded;
        return at;
    }
    if (g->direct_count == DIRECT)
        return (uint64_t)unsupported(out, "more than %d large buffers in one point", DIRECT);
    if (fail(g, out, "cuMemAlloc", g->d.cuMemAlloc_v2(&g->direct[g->direct_count], rounded)))
        return 0;
    return g->direct[g->direct_count++];
}

static bool gpu_write(struct ck_engine *e, uint64_t to, const void *from, size_t bytes, struct ck_outcome *out)
{
    struct gpu *g = e->state;
    const uint64_t start = now();
    const bool written = !fail(g, out, "cuMemcpyHtoD", g->d.cuMemcpyHtoD_v2(to, from, bytes));

    ck_engine_cost.copy += now() - start;
    return written;
}

static bool gpu_read(struct ck_engine *e, void *to, uint64_t from, size_t bytes, struct ck_outcome *out)
{
    struct gpu *g = e->state;
    const uint64_t start = now();
    const bool got = !fail(g, out, "cuMemcpyDtoH", g->d.cuMemcpyDtoH_v2(to, from, bytes));

    ck_engine_cost.copy += now() - start;
    return got;
}

/* Puts a launch into the stream, behind the one before it. Its kernel is loaded first, which takes long. */
static bool gpu_enqueue(struct gpu *g, const struct ck_device_launch *l, struct ck_outcome *out)
{
    struct cu_launch_attribute attributes[2] = { 0 };
    struct cu_launch_config config = { .smem = l->smem, .attributes = attributes };
    void *whole[] = { (void *)(uintptr_t)l->args };
    size_t bytes = l->size;
    void *buffer[] = { CU_PARAM_BUFFER, (void *)(uintptr_t)l->args, CU_PARAM_SIZE, &bytes, NULL };
    cu_module module = NULL;
    cu_function f = NULL;
    uint64_t start;
    bool failed;

    if (!find_function(g, l->kernel, &module, &f, out) || (l->constant && !write_constant(g, module, l, out)) ||
        (l->before && !gpu_enqueue(g, l->before, out)))
        return false;
    memcpy(config.grid, l->grid, sizeof config.grid);
    memcpy(config.block, l->block, sizeof config.block);
    if (l->cluster[0]) {
        attributes[config.count].id = CU_LAUNCH_CLUSTER;
        memcpy(attributes[config.count++].value.cluster, l->cluster, sizeof l->cluster);
        if (l->cluster[0] * l->cluster[1] * l->cluster[2] > 8 &&
            fail(g, out, "cuFuncSetAttribute", g->d.cuFuncSetAttribute(f, CU_FUNC_NON_PORTABLE_CLUSTER, 1)))
            return false;
    }
    if (l->before) {
        attributes[config.count].id = CU_LAUNCH_OVERLAPS;
        attributes[config.count++].value.overlaps = 1;
    }
    if (l->smem > 48 * 1024 &&
        fail(g, out, "cuFuncSetAttribute", g->d.cuFuncSetAttribute(f, CU_FUNC_SHARED_DYNAMIC, (int)l->smem)))
        return false;
    start = now();
    failed = fail(g, out, "cuLaunchKernelEx",
                  g->d.cuLaunchKernelEx(&config, f, l->members ? NULL : whole, l->members ? buffer : NULL));
    ck_engine_cost.launch += now() - start;
    ck_engine_cost.launches++;
    return !failed;
}

static void gpu_launch(struct ck_engine *e, const struct ck_device_launch *l, struct ck_outcome *out)
{
    struct gpu *g = e->state;
    uint64_t start;

    if (!gpu_enqueue(g, l, out))
        return;
    start = now();
    if (!fail(g, out, "cuCtxSynchronize", g->d.cuCtxSynchronize()))
        *out = (struct ck_outcome){ .kind = CK_O_DONE };
    ck_engine_cost.launch += now() - start;
}

static void gpu_reset(struct ck_engine *e)
{
    struct gpu *g = e->state;

    for (size_t i = 0; i < g->edge_count; i++) {
        g->d.cuMemUnmap(g->edges[i].at, g->edges[i].mapped);
        g->d.cuMemRelease(g->edges[i].handle);
        g->d.cuMemAddressFree(g->edges[i].at, g->edges[i].reserved);
    }
    for (size_t i = 0; i < g->direct_count; i++)
        g->d.cuMemFree_v2(g->direct[i]);
    g->edge_count = g->direct_count = 0;
    g->arena_used = g->host_used = 0;
}

static const struct ck_engine_ops gpu_ops = {
    .one = true,
    .open = gpu_open,
    .close = gpu_close,
    .encode = gpu_encode_call,
    .replace_address = gpu_replace_address,
    .alloc = gpu_alloc,
    .write = gpu_write,
    .read = gpu_read,
    .launch = gpu_launch,
    .reset = gpu_reset,
};

static const struct ck_engine_ops jit_ops = {
    .one = true,
    .open = gpu_open,
    .close = gpu_close,
    .prepare = jit_prepare,
    .assemble = gpu_assemble,
    .encode = gpu_encode_call,
    .replace_address = gpu_replace_address,
    .alloc = gpu_alloc,
    .write = gpu_write,
    .read = gpu_read,
    .launch = gpu_launch,
    .reset = gpu_reset,
};

/* The newest PTX ISA of a driver, from the CUDA version that it reports: CUDA 12.0 came with 8.0, 13.0 with 9.0; of
 * the releases between, 12.6 kept 8.5. PTX ISA, "Release Notes". */
static int newest_ptx(int cuda)
{
    static const int table[][2] = { { 1200, 80 }, { 1210, 81 }, { 1220, 82 }, { 1230, 83 }, { 1240, 84 },
                                    { 1250, 85 }, { 1260, 85 }, { 1270, 86 }, { 1280, 87 }, { 1290, 88 } };

    if (cuda >= 1300)
        return 90 + (cuda - 1300) / 10;
    for (size_t i = sizeof table / sizeof *table; i-- > 0;)
        if (cuda >= table[i][0])
            return table[i][1];
    return 80;
}

static void make(struct ck_engine *e, const char *name, const struct ck_engine_ops *ops, struct config c)
{
    struct config *kept = malloc(sizeof *kept); /* lives as long as the process */

    if (kept)
        *kept = c;
    *e = (struct ck_engine){ .ops = ops, .sm = c.facts.sm, .ptx = newest_ptx(c.facts.cuda), .config = (void *)kept };
    e->keeps_time = true;
    snprintf(e->name, sizeof e->name, "%s", name);
    snprintf(e->facts, sizeof e->facts, "%.99s sm_%d driver %s", c.facts.device, c.facts.sm, c.facts.driver);
}

void ck_gpu_engine(struct ck_engine *e, const char *name, const char *kernels, const struct ck_gpu_facts *facts)
{
    make(e, name, &gpu_ops, (struct config){ .kernels = kernels, .facts = *facts });
}

void ck_jit_engine(struct ck_engine *e, const char *kernels, const char *scratch, const struct ck_gpu_facts *facts)
{
    make(e, "jit", &jit_ops, (struct config){ .jit = true, .kernels = kernels, .scratch = scratch, .facts = *facts });
}
