/* The launches of a runtime without a GPU (host.c): each is written as a spec of copycheck check and judged. */
#define _GNU_SOURCE
#include "host.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime_api.h>

static struct {
    const void *host;
    const char *name;
} kernels[HOST_ROOM];
static size_t kernel_count;

static struct {
    dim3 grid, block;
    size_t smem;
    cudaStream_t stream;
} configured;

static unsigned launches;
static int diagnosed;

static const char *setting(const char *name)
{
    const char *value = getenv(name);

    if (!value)
        host_fail("%s is not set", name);
    return value;
}

/* The text of a file; freed by nobody. */
static char *text_of(const char *path)
{
    static char *text;
    FILE *f;
    long size;

    if (text)
        return text;
    f = fopen(path, "r");
    if (!f || fseek(f, 0, SEEK_END) || (size = ftell(f)) < 0 || fseek(f, 0, SEEK_SET))
        host_fail("%s cannot be read", path);
    text = calloc((size_t)size + 1, 1);
    if (!text || fread(text, 1, (size_t)size, f) != (size_t)size)
        host_fail("%s cannot be read", path);
    fclose(f);
    return text;
}

/* Where the parameters of an entry begin in the PTX: behind its bracket. */
static const char *parameters_of(const char *entry)
{
    const size_t length = strlen(entry);

    for (const char *p = text_of(setting("COPYCHECK_PTX")); (p = strstr(p, entry)); p += length)
        if (p[length] == '(' && !isalnum((unsigned char)p[-1]) && p[-1] != '_' && p[-1] != '$')
            return p + length + 1;
    host_fail("no entry %s in %s", entry, setting("COPYCHECK_PTX"));
}

/* The bytes of the next parameter; 0 after the last. */
static size_t next_parameter(const char **at)
{
    const char *p = *at, *end = strchr(p, ')'), *comma, *bracket;
    char word[16];
    size_t bytes = 0;

    p = strstr(p, ".param");
    if (!p || !end || p > end)
        return 0;
    comma = strchr(p, ',');
    *at = comma && comma < end ? comma + 1 : end;
    bracket = strchr(p, '[');
    if (bracket && bracket < *at)
        return strtoul(bracket + 1, NULL, 10);
    for (p += 6; *p != ','; p++)
        if (sscanf(p, " .%*1[ubsf]%15[0-9]", word) == 1 && (bytes = strtoul(word, NULL, 10)))
            return bytes / 8;
    host_fail("a parameter that this file does not read: %.80s", *at);
}

static void hex(FILE *f, const unsigned char *from, size_t bytes, int *joined)
{
    if (!bytes)
        return;
    fprintf(f, "arg %sbytes:", *joined ? "+" : "");
    for (size_t i = 0; i < bytes; i++)
        fprintf(f, "%02x", from[i]);
    fprintf(f, "\n");
    *joined = 1;
}

/* The map that a parameter of 8 bytes points to, in device memory; -1: none. */
static long map_behind(const unsigned char *p)
{
    const unsigned char *address;

    memcpy(&address, p, sizeof address);
    const long i = host_find(address);
    return i >= 0 && host_memory[i].data + host_memory[i].bytes - address >= HOST_MAP ? host_map_at(address) : -1;
}

/* One parameter: its maps and addresses, and what is between them as bytes. */
static void write_parameter(FILE *f, const unsigned char *p, size_t bytes, char *used)
{
    size_t from = 0, at = 0;
    int joined = 0;

    if (bytes == 8 && map_behind(p) >= 0) {
        fprintf(f, "arg map:M%ld\n", map_behind(p));
        used[map_behind(p)] = 1;
        return;
    }
    while (at + 8 <= bytes) {
        const long map = bytes - at >= HOST_MAP && at % 64 == 0 ? host_map_at(p + at) : -1;
        const unsigned char *address;
        memcpy(&address, p + at, sizeof address);
        const long i = map < 0 ? host_find(address) : -1;
        if (map < 0 && i < 0) {
            at += 8;
            continue;
        }
        hex(f, p + from, at - from, &joined);
        if (map >= 0) {
            fprintf(f, "arg %smap:M%ld\n", joined ? "+" : "", map);
            used[map] = 1;
        } else {
            fprintf(f, "arg %sat:%d+%zu\n", joined ? "+" : "", host_memory[i].number,
                    (size_t)(address - host_memory[i].data));
        }
        joined = 1;
        at += map >= 0 ? HOST_MAP : 8;
        from = at;
    }
    hex(f, p + from, bytes - from, &joined);
}

static void write_buffers(FILE *f, const char *base)
{
    int number = 0;
    char path[600];

    for (size_t i = 0; i < host_memories; i++) {
        if (!host_memory[i].data)
            continue;
        host_memory[i].number = number++;
        snprintf(path, sizeof path, "%s.%d.in", base, host_memory[i].number);
        if (host_memory[i].written) {
            FILE *to = fopen(path, "w");
            if (!to || fwrite(host_memory[i].data, 1, host_memory[i].bytes, to) != host_memory[i].bytes || fclose(to))
                host_fail("%s cannot be written", path);
            fprintf(f, "buffer in:@%s\n", path);
        } else {
            fprintf(f, "buffer out:%zu\n", host_memory[i].bytes);
        }
        fprintf(f, "dump %d=%s.%d.out\n", host_memory[i].number, base, host_memory[i].number);
    }
}

/* What a launch left in memory; its files go. */
static void read_buffers(const char *base, int fine)
{
    const char *keep = getenv("COPYCHECK_KEEP");
    char path[600];

    for (size_t i = 0; i < host_memories; i++) {
        if (!host_memory[i].data)
            continue;
        snprintf(path, sizeof path, "%s.%d.out", base, host_memory[i].number);
        FILE *from = fine ? fopen(path, "r") : NULL;
        if (fine && (!from || fread(host_memory[i].data, 1, host_memory[i].bytes, from) != host_memory[i].bytes))
            host_fail("%s cannot be read", path);
        if (from)
            fclose(from);
        host_memory[i].written = 1;
        if (!fine || (keep && *keep == '1'))
            continue;
        remove(path);
        snprintf(path, sizeof path, "%s.%d.in", base, host_memory[i].number);
        remove(path);
    }
}

static int seen_before(const char *entry, void **args)
{
    static unsigned long long seen[HOST_ROOM];
    static size_t count;
    unsigned long long key = 14695981039346656037ull;
    const char *p = parameters_of(entry);

    for (const char *c = entry; *c; c++)
        key = (key ^ (unsigned char)*c) * 1099511628211ull;
    for (size_t bytes, k = 0; (bytes = next_parameter(&p)); k++)
        for (size_t i = 0; i < bytes; i++)
            key = (key ^ ((unsigned char *)args[k])[i]) * 1099511628211ull;
    for (size_t i = 0; i < count; i++)
        if (seen[i] == key)
            return 1;
    if (count < HOST_ROOM)
        seen[count++] = key;
    return 0;
}

static void write_spec(const char *path, const char *base, const char *entry, dim3 grid, dim3 block, dim3 cluster,
                       size_t smem, void **args)
{
    FILE *f = fopen(path, "w");
    char used[HOST_MAPS] = { 0 };
    const char *p = parameters_of(entry);

    if (!f)
        host_fail("%s cannot be written", path);
    fprintf(f, "entry %s\ngrid %u,%u,%u\nblock %u,%u,%u\nsmem %zu\n", entry, grid.x, grid.y, grid.z, block.x, block.y,
            block.z, smem);
    if (cluster.x)
        fprintf(f, "cluster %u,%u,%u\n", cluster.x, cluster.y, cluster.z);
    write_buffers(f, base);
    for (size_t bytes, k = 0; (bytes = next_parameter(&p)); k++)
        write_parameter(f, args[k], bytes, used);
    for (size_t i = 0; i < host_map_count; i++) {
        const long k = used[i] ? host_find(host_maps[i].tensor) : 0;
        if (k < 0)
            host_fail("a tensor map of memory that is not there");
        if (used[i])
            fprintf(f, "map M%zu=buffer=%d,offset=%zu,%s\n", i, host_memory[k].number,
                    (size_t)(host_maps[i].tensor - host_memory[k].data), host_maps[i].words);
    }
    if (fclose(f))
        host_fail("%s cannot be written", path);
}

static cudaError_t launch(const void *kernel, dim3 grid, dim3 block, dim3 cluster, void **args, size_t smem)
{
    char base[500], spec[520], command[2000];
    const char *entry = NULL, *once = getenv("COPYCHECK_ONCE"), *options = getenv("COPYCHECK_OPTIONS");
    int status;

    for (size_t i = 0; i < kernel_count; i++)
        if (kernels[i].host == kernel)
            entry = kernels[i].name;
    if (!entry)
        host_fail("a launch of a kernel that nobody registered");
    if (once && *once == '1' && seen_before(entry, args))
        return cudaSuccess;
    snprintf(base, sizeof base, "%.480s.%u", setting("COPYCHECK_WORK"), launches++);
    snprintf(spec, sizeof spec, "%s.spec", base);
    write_spec(spec, base, entry, grid, block, cluster, smem, args);
    fflush(NULL);
    snprintf(command, sizeof command, "'%s' check '%s' --spec '%s' %s > '%s.out' 2>&1", setting("COPYCHECK"),
             setting("COPYCHECK_PTX"), spec, options ? options : "", base);
    status = system(command);
    status = status == -1 || !(((status)&0x7f) == 0) ? 2 : status >> 8 & 0xff;
    fprintf(stderr, "host: %s %.100s: %s.out\n",
            status == 0   ? "clean"
            : status == 1 ? "diagnosed"
                          : "no verdict",
            entry, base);
    if (status)
        diagnosed = 1;
    read_buffers(base, status < 2);
    return status < 2 ? cudaSuccess : cudaErrorLaunchFailure;
}

cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **args, size_t smem, cudaStream_t stream)
{
    (void)stream;
    return launch(kernel, grid, block, (dim3){ 0, 0, 0 }, args, smem);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel, void **args)
{
    dim3 cluster = { 0, 0, 0 };

    for (unsigned i = 0; i < config->numAttrs; i++)
        if (config->attrs[i].id == cudaLaunchAttributeClusterDimension)
            cluster = (dim3){ config->attrs[i].val.clusterDim.x, config->attrs[i].val.clusterDim.y,
                              config->attrs[i].val.clusterDim.z };
    return launch(kernel, config->gridDim, config->blockDim, cluster, args, config->dynamicSmemBytes);
}

/* What the compiler makes of <<< >>>. */
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t smem, struct CUstream_st *stream)
{
    configured.grid = grid, configured.block = block, configured.smem = smem, configured.stream = stream;
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *smem, void *stream)
{
    *grid = configured.grid, *block = configured.block, *smem = configured.smem;
    *(cudaStream_t *)stream = configured.stream;
    return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t *out, const void *kernel)
{
    *out = (cudaKernel_t)(size_t)kernel;
    return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args, size_t smem,
                               cudaStream_t stream)
{
    return cudaLaunchKernel((const void *)kernel, grid, block, args, smem, stream);
}

void **__cudaRegisterFatBinary(void *binary)
{
    static void *handle;

    (void)binary;
    return &handle;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
}

void __cudaUnregisterFatBinary(void **handle)
{
    (void)handle;
}

char __cudaInitModule(void **handle)
{
    (void)handle;
    return 1;
}

void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int limit, uint3 *thread,
                            uint3 *block, dim3 *threads, dim3 *blocks, int *warp)
{
    (void)handle, (void)device, (void)limit, (void)thread, (void)block, (void)threads, (void)blocks, (void)warp;
    if (kernel_count == HOST_ROOM)
        host_fail("more than %d kernels", HOST_ROOM);
    kernels[kernel_count].host = host;
    kernels[kernel_count++].name = name;
}

void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int ext, size_t bytes, int constant,
                       int global)
{
    (void)handle, (void)host, (void)device, (void)name, (void)ext, (void)bytes, (void)constant, (void)global;
}

__attribute__((destructor)) static void verdict(void)
{
    if (launches)
        fprintf(stderr, "host: %u launches, %s\n", launches, diagnosed ? "not all clean" : "all clean");
}
// SPDX-License-Identifier: Apache-2.0
