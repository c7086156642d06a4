/* The engines `gpu` and `jit`: launches on a device through the driver API. */
#include "harness/engines/gpu.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "expected/oracle.h"
#include "harness/base/text.h"
#include "harness/engines/gpu_modules.h"

/* Parameters of a kernel that takes more than one. */
enum { MEMBERS = 32 };

enum { PLACE = 1024, STAGED = 1 << 20 }; /* buffers are at multiples; bytes that are copied at once, at most */

static const size_t arena_bytes = 64u << 20, host_bytes = 16u << 20, edge_page = 2u << 20;

/* An engine's configuration, before it is open. */
struct config {
    bool jit;
    const char *kernels, *scratch;
    struct ck_gpu_facts facts;
    struct config *next;
};

/* The toolkit that the first line of a kernel index names, "# toolkit 13.0.88": 130; 0 where it names none. */
static int built_by(const char *index)
{
    int major, minor;

    return sscanf(index, "# toolkit %d.%d", &major, &minor) == 2 ? major * 10 + minor : 0;
}

/* ---- the context ---------------------------------------------------------------------------------------------- */

/* The context of this process, made by the first of its threads that opens an engine and destroyed by the last that
 * closes one: contexts take turns of milliseconds on a device, also those of one process. */
static struct {
    pthread_mutex_t lock;
    unsigned users;
    cu_context context;
} one = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Threads of one process take and give back memory all the time: where the C library gives it to the system and asks
 * for it again, they wait for each other there, and each page is cleared anew. */
static void keep_memory(void)
{
#ifdef __GLIBC__
    enum { KEPT = 1 << 28, LARGE = 1 << 25 };

    mallopt(M_TRIM_THRESHOLD, KEPT);
    mallopt(M_MMAP_THRESHOLD, LARGE);
    mallopt(M_TOP_PAD, LARGE);
#endif
}

/* The disk cache would answer for the compiler that `jit` is about. A context has queues for 8 streams, and making and
 * losing one with one queue takes half as long (0.11 and 0.06 s on an H200): nothing needs launches at the same time,
 * though they may be. */
static bool make_context(struct gpu *g, struct ck_outcome *out)
{
    cu_device device;

    keep_memory();
    setenv("CUDA_CACHE_DISABLE", "1", 1);
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "1", 0);
    return !gpu_fail(g, out, "cuInit", g->d.cuInit(0)) &&
           !gpu_fail(g, out, "cuDeviceGet", g->d.cuDeviceGet(&device, g->ordinal)) &&
           !gpu_fail(g, out, "cuCtxCreate", g->d.cuCtxCreate_v2(&one.context, 0, device));
}

static bool join_context(struct gpu *g, struct ck_outcome *out)
{
    pthread_mutex_lock(&one.lock);
    if (one.users)
        g->joined = !gpu_fail(g, out, "cuCtxSetCurrent", g->d.cuCtxSetCurrent(one.context));
    else
        g->joined = make_context(g, out);
    one.users += g->joined;
    pthread_mutex_unlock(&one.lock);
    return g->joined && !gpu_fail(g, out, "cuStreamCreate", g->d.cuStreamCreate(&g->stream, CU_STREAM_NO_WAIT));
}

static void leave_context(struct gpu *g)
{
    pthread_mutex_lock(&one.lock);
    if (g->joined && --one.users == 0)
        g->d.cuCtxDestroy_v2(one.context);
    pthread_mutex_unlock(&one.lock);
}

/* ---- the engine ----------------------------------------------------------------------------------------------- */

static bool gpu_open(struct ck_engine *e, struct ck_outcome *out)
{
    const struct config *c = (const void *)e->config;
    const uint64_t start = gpu_now();
    struct gpu *g = calloc(1, sizeof *g);
    char path[512];

    *out = (struct ck_outcome){ .kind = CK_O_UNSUPPORTED };
    if (!g) {
        snprintf(out->message, sizeof out->message, "out of memory");
        return false;
    }
    e->state = g;
    g->jit = c->jit;
    g->kernels = c->kernels;
    g->scratch = c->scratch;
    g->ordinal = ck_gpu_choose(&c->facts, e->device);
    if (!c->facts.present) {
        snprintf(out->message, sizeof out->message, "%s", c->facts.why);
        return false;
    }
    if (!cu_open(&g->d, out->message, sizeof out->message))
        return false;
    snprintf(path, sizeof path, "%s/index", g->kernels);
    g->index = ck_text_load(path, NULL);
    if (!g->index)
        return gpu_unsupported(out, "no kernels in %s: make kernels builds them", g->kernels);
    e->toolkit = g->jit ? 0 : built_by(g->index);
    if (!join_context(g, out)) {
        const size_t n = strlen(out->message);
        if (c->facts.exclusive)
            snprintf(out->message + n, sizeof out->message - n,
                     "; the GPU is in an exclusive compute mode, and another process may hold it");
        out->kind = CK_O_UNSUPPORTED;
        return false;
    }
    ck_engine_cost.context += gpu_now() - start;
    return true;
}

static void gpu_close(struct ck_engine *e)
{
    struct gpu *g = e->state;

    if (!g)
        return;
    leave_context(g);
    gpu_modules_free(g);
    free(g->index);
    free(g->staged);
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
        gpu_unsupported(out, "needs PTX ISA %d.%d; this driver's compiler takes up to %d.%d", ptx->version / 10,
                        ptx->version % 10, e->ptx / 10, e->ptx % 10);
        return;
    }
    gpu_compile(g, ptx, true, &image, &size, out);
    if (out->kind != CK_O_REFUSED)
        return;
    /* If the target alone is the reason, the row says nothing about this engine. */
    const int n = snprintf(probe_text, sizeof probe_text,
                           ".version %d.%d\n.target %s\n.address_size 64\n.visible .entry k() { ret; }\n",
                           ptx->version / 10, ptx->version % 10, ptx->target);
    struct ck_outcome empty;
    gpu_compile(g, &(struct ck_ptx){ .text = probe_text, .size = (size_t)n }, true, &image, &size, &empty);
    if (empty.kind == CK_O_REFUSED)
        gpu_unsupported(out, "the driver's compiler takes no module of .version %d.%d .target %s here",
                        ptx->version / 10, ptx->version % 10, ptx->target);
}

static void gpu_encode_call(struct ck_engine *e, const struct tensor_map *m, void *object, unsigned null,
                            struct ck_outcome *out)
{
    struct gpu *g = e->state;
    const cu_result r = cu_encode(&g->d, m, object, null);

    if (!gpu_fail(g, out, tensor_mode_call(m->mode), r))
        *out = (struct ck_outcome){ .kind = CK_O_DONE };
}

static void gpu_replace_address(struct ck_engine *e, void *object, uint64_t address, struct ck_outcome *out)
{
    struct gpu *g = e->state;
    const cu_result r = g->d.cuTensorMapReplaceAddress(object, (void *)(uintptr_t)address);

    if (!gpu_fail(g, out, "cuTensorMapReplaceAddress", r))
        *out = (struct ck_outcome){ .kind = CK_O_DONE };
}

/* Of one that was not made whole, the driver refuses to free what is not there. */
static void free_edge(struct gpu *g, const struct gpu_edge *edge)
{
    g->d.cuMemUnmap(edge->at, edge->mapped);
    if (edge->handle)
        g->d.cuMemRelease(edge->handle);
    g->d.cuMemAddressFree(edge->at, edge->reserved);
}

/* The memory of the host that a device may use, made once. */
static bool has_host(struct gpu *g, struct ck_outcome *out)
{
    if (g->host)
        return true;
    if (gpu_fail(g, out, "cuMemHostAlloc", g->d.cuMemHostAlloc((void **)&g->host, host_bytes, 2))) {
        g->host = NULL;
        return false;
    }
    if (gpu_fail(g, out, "cuMemHostGetDevicePointer", g->d.cuMemHostGetDevicePointer_v2(&g->host_device, g->host, 0))) {
        g->d.cuMemFreeHost(g->host);
        g->host = NULL;
        return false;
    }
    return true;
}

/* Memory whose last byte is the last mapped one: one page is mapped of two that are reserved. */
static uint64_t alloc_edge(struct gpu *g, size_t bytes, struct ck_outcome *out)
{
    const size_t mapped = (bytes + edge_page - 1) / edge_page * edge_page;
    struct gpu_edge *edge = &g->edges[g->edge_count];
    const struct cu_location here = { .type = 1, .id = g->ordinal };
    const struct cu_allocation_prop prop = { .type = 1, .location = here };
    const struct cu_access access = { .location = here, .flags = 3 };

    if (g->edge_count == EDGES)
        return (uint64_t)gpu_unsupported(out, "more than %d edge buffers in one point", EDGES);
    edge->mapped = mapped;
    edge->reserved = mapped + edge_page;
    if (gpu_fail(g, out, "cuMemAddressReserve", g->d.cuMemAddressReserve(&edge->at, edge->reserved, edge_page, 0, 0)))
        return 0;
    edge->handle = 0;
    if (gpu_fail(g, out, "cuMemCreate", g->d.cuMemCreate(&edge->handle, mapped, &prop, 0)) ||
        gpu_fail(g, out, "cuMemMap", g->d.cuMemMap(edge->at, mapped, 0, edge->handle, 0)) ||
        gpu_fail(g, out, "cuMemSetAccess", g->d.cuMemSetAccess(edge->at, mapped, &access, 1))) {
        free_edge(g, edge);
        return 0;
    }
    g->edge_count++;
    return edge->at + mapped - bytes;
}

static uint64_t gpu_alloc(struct ck_engine *e, enum ck_memory kind, size_t bytes, struct ck_outcome *out)
{
    struct gpu *g = e->state;
    const size_t rounded = (bytes + PLACE - 1) / PLACE * PLACE;
    uint64_t at;

    if (kind == CK_MEM_EDGE)
        return alloc_edge(g, bytes, out);
    if (kind == CK_MEM_HOST) {
        if (!has_host(g, out))
            return 0;
        if (g->host_used + rounded > host_bytes)
            return (uint64_t)gpu_unsupported(out, "more than %zu MiB of slow memory in one point", host_bytes >> 20);
        at = g->host_device + g->host_used;
        g->host_used += rounded;
        return at;
    }
    if (!g->arena && gpu_fail(g, out, "cuMemAlloc", g->d.cuMemAlloc_v2(&g->arena, arena_bytes)))
        return 0;
    if (g->arena_used + rounded <= arena_bytes) {
        at = g->arena + g->arena_used;
        g->arena_used += rounded;
        return at;
    }
    if (g->direct_count == DIRECT)
        return (uint64_t)gpu_unsupported(out, "more than %d large buffers in one point", DIRECT);
    if (gpu_fail(g, out, "cuMemAlloc", g->d.cuMemAlloc_v2(&g->direct[g->direct_count], rounded)))
        return 0;
    return g->direct[g->direct_count++];
}

static bool gpu_write(struct ck_engine *e, uint64_t to, const void *from, size_t bytes, struct ck_outcome *out)
{
    struct gpu *g = e->state;
    const uint64_t start = gpu_now();
    /* returns when `from` may be used again: it is pageable (cuMemcpyHtoDAsync, API synchronization behavior) */
    const bool written = !gpu_fail(g, out, "cuMemcpyHtoDAsync", g->d.cuMemcpyHtoDAsync_v2(to, from, bytes, g->stream));

    ck_engine_cost.copy += gpu_now() - start;
    return written;
}

static bool gpu_read(struct ck_engine *e, void *to, uint64_t from, size_t bytes, struct ck_outcome *out)
{
    struct gpu *g = e->state;
    const uint64_t start = gpu_now();
    const bool got = !gpu_fail(g, out, "cuMemcpyDtoHAsync", g->d.cuMemcpyDtoHAsync_v2(to, from, bytes, g->stream)) &&
                     !gpu_fail(g, out, "cuStreamSynchronize", g->d.cuStreamSynchronize(g->stream));

    ck_engine_cost.copy += gpu_now() - start;
    return got;
}

/* A copy takes the driver some microseconds, whatever its size, and most points have several small buffers. alloc lays
 * them next to each other: such pieces are copied at once. */

static uint64_t behind(const struct ck_piece *p)
{
    return (p->at + p->size + PLACE - 1) / PLACE * PLACE;
}

/* How many of these pieces, one at least, follow each other without another buffer between them. */
static size_t in_a_row(const struct gpu *g, const struct ck_piece *p, size_t count)
{
    size_t n = 1;

    while (n < count && p[0].at >= g->arena && p[n].at == behind(&p[n - 1]) &&
           p[n].at + p[n].size <= g->arena + arena_bytes && p[n].at + p[n].size - p[0].at <= STAGED)
        n++;
    return n;
}

static size_t bytes_of(const struct ck_piece *p, size_t count)
{
    return p[count - 1].at + p[count - 1].size - p[0].at;
}

static bool has_staged(struct gpu *g)
{
    if (!g->staged)
        g->staged = calloc(1, STAGED);
    return g->staged;
}

static bool gpu_write_all(struct ck_engine *e, const struct ck_piece *p, size_t count, struct ck_outcome *out)
{
    struct gpu *g = e->state;
    bool written = true;

    for (size_t n; count && written; p += n, count -= n) {
        n = has_staged(g) ? in_a_row(g, p, count) : 1;
        for (size_t i = 0; i < n && n > 1; i++)
            memcpy(g->staged + (p[i].at - p[0].at), p[i].bytes, p[i].size);
        written = gpu_write(e, p[0].at, n > 1 ? g->staged : p[0].bytes, bytes_of(p, n), out);
    }
    return written;
}

static bool gpu_read_all(struct ck_engine *e, const struct ck_piece *p, size_t count, struct ck_outcome *out)
{
    struct gpu *g = e->state;
    bool got = true;

    for (size_t n; count && got; p += n, count -= n) {
        n = has_staged(g) ? in_a_row(g, p, count) : 1;
        got = gpu_read(e, n > 1 ? g->staged : p[0].bytes, p[0].at, bytes_of(p, n), out);
        for (size_t i = 0; i < n && n > 1 && got; i++)
            memcpy(p[i].bytes, g->staged + (p[i].at - p[0].at), p[i].size);
    }
    return got;
}

/* Where in `args` each parameter of the kernel is, one by one. The driver has a place of its own for each, which is
 * not that in a struct: the parameters begin 16 bytes behind a multiple of 128, so one that is aligned to 128
 * leaves a gap before it even if it is the first. False where the driver is too old to say how many there are. */
static bool gpu_members(struct gpu *g, const struct ck_device_launch *l, cu_function f, void *members[MEMBERS])
{
    size_t at = 0, offset, size;

    for (size_t i = 0; g->d.cuFuncGetParamInfo && i < MEMBERS; i++) {
        if (g->d.cuFuncGetParamInfo(f, i, &offset, &size) != 0)
            return i > 0;
        const size_t low = size & (~size + 1), align = size == TENSOR_MAP_BYTES ? size : low < 16 ? low : 16;
        at = (at + align - 1) & ~(align - 1);
        if (at + size > l->size)
            return false;
        members[i] = (char *)(uintptr_t)l->args + at;
        at += size;
    }
    return false;
}

/* Puts a launch into the stream, behind the one before it. Its kernel is loaded first, which takes long. */
static bool gpu_enqueue(struct gpu *g, const struct ck_device_launch *l, cu_stream stream, struct ck_outcome *out)
{
    struct cu_launch_attribute attributes[2] = { 0 };
    struct cu_launch_config config = { .smem = l->smem, .stream = stream, .attributes = attributes };
    void *members[MEMBERS] = { (void *)(uintptr_t)l->args };
    size_t bytes = l->size;
    void *buffer[] = { CU_PARAM_BUFFER, (void *)(uintptr_t)l->args, CU_PARAM_SIZE, &bytes, NULL };
    cu_module module = NULL;
    cu_function f = NULL;
    uint64_t start;
    bool failed;

    if (!gpu_find_function(g, l->kernel, &module, &f, out) || (l->constant && !gpu_write_constant(g, module, l, out)) ||
        (l->before && !gpu_enqueue(g, l->before, stream, out)))
        return false;
    memcpy(config.grid, l->grid, sizeof config.grid);
    memcpy(config.block, l->block, sizeof config.block);
    if (l->cluster[0]) {
        attributes[config.count].id = CU_LAUNCH_CLUSTER;
        memcpy(attributes[config.count++].value.cluster, l->cluster, sizeof l->cluster);
        if (l->cluster[0] * l->cluster[1] * l->cluster[2] > 8 &&
            gpu_fail(g, out, "cuFuncSetAttribute", g->d.cuFuncSetAttribute(f, CU_FUNC_NON_PORTABLE_CLUSTER, 1)))
            return false;
    }
    if (l->before) {
        attributes[config.count].id = CU_LAUNCH_OVERLAPS;
        attributes[config.count++].value.overlaps = 1;
    }
    if (l->smem > 48 * 1024 &&
        gpu_fail(g, out, "cuFuncSetAttribute", g->d.cuFuncSetAttribute(f, CU_FUNC_SHARED_DYNAMIC, (int)l->smem)))
        return false;
    const bool pointers = !l->members || gpu_members(g, l, f, members);
    start = gpu_now();
    failed = gpu_fail(g, out, "cuLaunchKernelEx",
                      g->d.cuLaunchKernelEx(&config, f, pointers ? members : NULL, pointers ? NULL : buffer));
    ck_engine_cost.launch += gpu_now() - start;
    ck_engine_cost.launches++;
    return !failed;
}

static void gpu_launch(struct ck_engine *e, const struct ck_device_launch *l, struct ck_outcome *out)
{
    struct gpu *g = e->state;
    uint64_t start;

    if (!gpu_enqueue(g, l, g->stream, out))
        return;
    start = gpu_now();
    if (!gpu_fail(g, out, "cuStreamSynchronize", g->d.cuStreamSynchronize(g->stream)))
        *out = (struct ck_outcome){ .kind = CK_O_DONE };
    out->machine = gpu_machine_code(g, l->kernel);
    ck_engine_cost.launch += gpu_now() - start;
}

/* ---- the host's part ------------------------------------------------------------------------------------------
 */

static bool launch_in_stream(void *gpu, const struct ck_device_launch *l, cu_stream stream, struct ck_outcome *out)
{
    return gpu_enqueue(gpu, l, stream, out);
}

static void gpu_steps(struct ck_engine *e, struct ck_step *steps, const struct ck_device_launch *launches, size_t count,
                      struct ck_outcome *out)
{
    struct gpu *g = e->state;
    cu_module module;
    cu_function f;
    const char *call;
    cu_result r;

    for (size_t i = 0; i < count; i++) /* loading takes long, and would come between two calls */
        if (steps[i].kind == CK_STEP_LAUNCH && !gpu_find_function(g, launches[i].kernel, &module, &f, out))
            return;
    *out = (struct ck_outcome){ .kind = CK_O_DONE };
    /* what was written goes through this engine's stream, which the steps' streams know nothing of */
    if (gpu_fail(g, out, "cuStreamSynchronize", g->d.cuStreamSynchronize(g->stream)))
        return;
    r = gpu_streams_steps(&g->streams, &g->d, steps, launches, count, launch_in_stream, g, &call, out);
    if (call)
        gpu_fail(g, out, call, r);
}

static bool gpu_pinned(struct ck_engine *e, size_t bytes, void **p, struct ck_outcome *out)
{
    struct gpu *g = e->state;

    *p = gpu_streams_pinned(&g->streams, &g->d, bytes);
    return *p || gpu_unsupported(out, "no %zu bytes of page-locked memory", bytes);
}

static bool gpu_is_pinned(struct ck_engine *e, const void *p)
{
    return gpu_streams_is_pinned(&((struct gpu *)e->state)->d, p);
}

static void gpu_unpin(struct ck_engine *e, void *p)
{
    struct gpu *g = e->state;

    gpu_streams_unpin(&g->streams, &g->d, p);
}

static int gpu_registers(struct ck_engine *e, const char *kernel, struct ck_outcome *out)
{
    struct gpu *g = e->state;
    cu_module module;
    cu_function f;
    int count;

    return gpu_find_function(g, kernel, &module, &f, out) &&
                   !gpu_fail(g, out, "cuFuncGetAttribute", g->d.cuFuncGetAttribute(&count, CU_FUNC_REGISTERS, f))
               ? count
               : -1;
}

static void *gpu_entry_point(struct ck_engine *e, const char *name, int version)
{
    const struct gpu *g = e->state;
    void *found = NULL;
    int status = 0;

    return g->d.cuGetProcAddress_v2(name, &found, version, 0, &status) ? NULL : found;
}

static void gpu_reset(struct ck_engine *e)
{
    struct gpu *g = e->state;

    gpu_streams_reset(&g->streams, &g->d);
    for (size_t i = 0; i < g->edge_count; i++)
        free_edge(g, &g->edges[i]);
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
    .write_all = gpu_write_all,
    .read_all = gpu_read_all,
    .launch = gpu_launch,
    .steps = gpu_steps,
    .pinned = gpu_pinned,
    .is_pinned = gpu_is_pinned,
    .unpin = gpu_unpin,
    .registers = gpu_registers,
    .entry_point = gpu_entry_point,
    .reset = gpu_reset,
};

static const struct ck_engine_ops jit_ops = {
    .one = true,
    .open = gpu_open,
    .close = gpu_close,
    .prepare = gpu_jit_prepare,
    .assemble = gpu_assemble,
    .tells_lines = true,
    .encode = gpu_encode_call,
    .replace_address = gpu_replace_address,
    .alloc = gpu_alloc,
    .write = gpu_write,
    .read = gpu_read,
    .write_all = gpu_write_all,
    .read_all = gpu_read_all,
    .launch = gpu_launch,
    .steps = gpu_steps,
    .pinned = gpu_pinned,
    .is_pinned = gpu_is_pinned,
    .unpin = gpu_unpin,
    .registers = gpu_registers,
    .entry_point = gpu_entry_point,
    .reset = gpu_reset,
};

static void make(struct ck_engine *e, const char *name, const struct ck_engine_ops *ops, struct config c)
{
    static struct config *all; /* they live as long as the process, and are no leak */
    struct config *kept = malloc(sizeof *kept);

    c.next = all;
    if (kept) {
        *kept = c;
        all = kept;
    }
    *e = (struct ck_engine){
        .ops = ops, .sm = c.facts.sm, .ptx = ck_gpu_newest_ptx(c.facts.cuda), .config = (void *)kept
    };
    e->keeps_time = true;
    e->links = c.jit;
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
// SPDX-License-Identifier: Apache-2.0
