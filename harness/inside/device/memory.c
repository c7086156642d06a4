/* Memory of all kinds: each is an allocation of the machine, at one address for device and host. */
#include "harness/inside/device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/inside/device/guard.h"
#include "harness/inside/device/list.h"
#include "harness/inside/device/pool.h"

static uint64_t numbers;

/* What findings call it: "cudaMalloc 3 (4096 bytes)". */
static void name_of(const struct memory *m, char *out, size_t size)
{
    static const char *const names[] = {
        [MEMORY_DEVICE] = "cudaMalloc",    [MEMORY_MANAGED] = "cudaMallocManaged",
        [MEMORY_HOST] = "cudaHostAlloc",   [MEMORY_REGISTERED] = "cudaHostRegister",
        [MEMORY_ARRAY] = "array",          [MEMORY_GRAPH] = "graph memory",
        [MEMORY_POOL] = "cudaMallocAsync", [MEMORY_MAPPED] = "cuMemMap",
    };

    snprintf(out, size, "%s %llu", names[m->kind], (unsigned long long)m->number);
}

CUresult memory_new(enum memory_kind kind, uint64_t bytes, unsigned flags, uint64_t *at)
{
    struct memory m = { .bytes = bytes, .kind = kind, .flags = flags, .number = numbers + 1 };
    char name[32];

    if (!bytes)
        return CUDA_ERROR_INVALID_VALUE;
    name_of(&m, name, sizeof name);
    /* Host memory is the program's to write: nobody sees what it writes there. */
    m.at = emu_alloc(device.machine, bytes, 512, kind == MEMORY_HOST || kind == MEMORY_MANAGED, name);
    if (!m.at)
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (!memory_insert(&m)) {
        emu_release(device.machine, m.at, NULL);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    numbers++;
    guard_watch(&m);
    *at = m.at;
    return CUDA_SUCCESS;
}

/* Memory of the host's own becomes the device's. */
static CUresult adopt(enum memory_kind kind, void *host, uint64_t bytes, unsigned flags)
{
    struct memory m = {
        .at = (uint64_t)(uintptr_t)host, .bytes = bytes, .kind = kind, .flags = flags, .number = numbers + 1
    };
    const size_t i = memory_behind(m.at);
    char name[32];

    if (!host || !bytes)
        return CUDA_ERROR_INVALID_VALUE;
    if ((i && m.at - memories.all[i - 1].at < memories.all[i - 1].bytes) ||
        (i < memories.count && memories.all[i].at < m.at + bytes))
        return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    name_of(&m, name, sizeof name);
    if (!emu_adopt(device.machine, host, bytes, name) || !memory_insert(&m))
        return CUDA_ERROR_OUT_OF_MEMORY;
    numbers++;
    return CUDA_SUCCESS;
}

CUresult memory_register(void *host, uint64_t bytes, unsigned flags)
{
    return adopt(MEMORY_REGISTERED, host, bytes, flags);
}

CUresult memory_map(uint64_t at, uint64_t bytes)
{
    return adopt(MEMORY_MAPPED, (void *)at, bytes, 0);
}

void memory_unmap(uint64_t at, uint64_t bytes)
{
    size_t kept = 0;

    for (size_t i = 0; i < memories.count; i++) {
        if (memories.all[i].kind == MEMORY_MAPPED && memories.all[i].at >= at && memories.all[i].at - at < bytes)
            emu_release(device.machine, memories.all[i].at, NULL);
        else
            memories.all[kept++] = memories.all[i];
    }
    memories.count = kept;
}

/* The calls that free memory of each kind: they are counted together. */
static const char *freer(enum memory_kind kind)
{
    return kind == MEMORY_HOST ? "cudaFreeHost" : kind == MEMORY_ARRAY ? "cudaFreeArray" : "cudaFree";
}

void memory_look_freed(uint64_t at, const char *call)
{
    struct emu_spot spot;

    emu_where(device.machine, at, &spot);
    if (spot.freed[0])
        say_host("host.double-free", false, "%s at offset %llu of %s, which %s has freed", call,
                 (unsigned long long)spot.offset, spot.name, spot.freed);
}

CUresult memory_free(uint64_t at, bool registered)
{
    static uint64_t frees;
    const size_t i = memory_behind(at);
    char by[32];

    if (!i || memories.all[i - 1].at != at || (memories.all[i - 1].kind == MEMORY_REGISTERED) != registered ||
        memories.all[i - 1].kind == MEMORY_MAPPED)
        return registered && !memory_of(at) ? CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED : CUDA_ERROR_INVALID_VALUE;
    if (memories.all[i - 1].pool)
        pool_count(memories.all[i - 1].pool, memories.all[i - 1].bytes, true);
    snprintf(by, sizeof by, "%s %llu", freer(memories.all[i - 1].kind), (unsigned long long)++frees);
    guard_forget(&memories.all[i - 1]);
    emu_release(device.machine, at, registered ? NULL : by);
    memory_remove(i - 1);
    return CUDA_SUCCESS;
}

void memory_join_pool(uint64_t at, struct pool *p)
{
    const size_t i = memory_behind(at);

    memories.all[i - 1].pool = p;
    pool_count(p, memories.all[i - 1].bytes, false);
}

CUresult memory_rest(uint64_t at, bool rests)
{
    const size_t i = memory_behind(at);

    if (!i || memories.all[i - 1].at != at)
        return CUDA_ERROR_INVALID_VALUE;
    if (memories.all[i - 1].kind != MEMORY_GRAPH)
        return rests ? memory_free(at, false) : CUDA_SUCCESS;
    memories.all[i - 1].resting = rests;
    if (!rests)
        emu_lost(device.machine, at, memories.all[i - 1].bytes);
    return CUDA_SUCCESS;
}

void memory_say_leaks(void)
{
    uint64_t bytes = 0, left = 0;

    for (size_t i = 0; i < memories.count; i++) {
        char name[32];
        if (memories.all[i].kind == MEMORY_GRAPH || memories.all[i].kind == MEMORY_VARIABLE)
            continue;
        name_of(&memories.all[i], name, sizeof name);
        say_host("host.leak", true, "%s (%llu bytes at 0x%llx) was not freed", name,
                 (unsigned long long)memories.all[i].bytes, (unsigned long long)memories.all[i].at);
        bytes += memories.all[i].bytes;
        left++;
    }
    if (left > 1)
        say_host("host.leak", true, "%llu bytes of %llu allocations were not freed", (unsigned long long)bytes,
                 (unsigned long long)left);
}

void memory_forget(void)
{
    memory_unmap(0, UINT64_MAX);
    while (memories.count)
        memory_free(memories.all[memories.count - 1].at, memories.all[memories.count - 1].kind == MEMORY_REGISTERED);
}

/* ---- copies -------------------------------------------------------------------------------------------------------
 */

bool memory_at(uint64_t address, struct memory *out)
{
    const struct memory *m = memory_of(address);

    *out = m ? *m : (struct memory){ .kind = MEMORY_VARIABLE };
    return m || emu_variable_at(device.machine, address, &out->at, &out->bytes);
}

bool memory_is_device(uint64_t at)
{
    struct memory m;

    return memory_at(at, &m);
}

bool memory_is_whole(uint64_t at, uint64_t bytes)
{
    struct memory m;

    return !memory_at(at, &m) || bytes <= m.at + m.bytes - at;
}

bool memory_has_value(uint64_t at, uint64_t bytes)
{
    return emu_has_value(device.machine, at, bytes);
}

static bool is_host(const struct memory *m)
{
    return !m || m->kind == MEMORY_HOST || m->kind == MEMORY_REGISTERED || m->kind == MEMORY_MANAGED;
}

void memory_say_unwritten(uint64_t to, uint64_t from)
{
    const size_t i = memory_behind(from);
    struct memory *m = i ? &memories.all[i - 1] : NULL;
    char name[32];

    if (!m || from - m->at >= m->bytes || m->told || is_host(m) || !is_host(memory_of(to)))
        return;
    m->told = true;
    name_of(m, name, sizeof name);
    say_host("host.unwritten", true,
             "the host copies bytes from offset %llu of %s (of %llu bytes) on, and nobody has written any of them",
             (unsigned long long)(from - m->at), name, (unsigned long long)m->bytes);
}

CUresult memory_copy(void *to, const void *from, size_t bytes)
{
    if (!memory_is_whole((uint64_t)(uintptr_t)to, bytes) || !memory_is_whole((uint64_t)(uintptr_t)from, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    if (!emu_write(device.machine, (uint64_t)(uintptr_t)to, from, bytes))
        memmove(to, from, bytes);
    else
        emu_copied(device.machine, (uint64_t)(uintptr_t)to, (uint64_t)(uintptr_t)from, bytes);
    return CUDA_SUCCESS;
}

CUresult memory_set(void *to, const void *pattern, unsigned width, size_t n)
{
    unsigned char *at = to;

    if (!memory_is_whole((uint64_t)(uintptr_t)to, n * width))
        return CUDA_ERROR_INVALID_VALUE;
    if (!n)
        return CUDA_SUCCESS;
    emu_wrote(device.machine, (uint64_t)(uintptr_t)to, n * width);
    if (width == 1)
        memset(at, *(const unsigned char *)pattern, n);
    else
        for (size_t i = 0; i < n; i++)
            memcpy(at + i * width, pattern, width);
    return CUDA_SUCCESS;
}
// SPDX-License-Identifier: Apache-2.0
