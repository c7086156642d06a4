/* Virtual memory management: reserved addresses, physical memory, and what maps one to the other.
 *
 * Physical memory is a file without a name, so that it can be mapped several times, and by another process that its
 * handle is exported to. To the machine, mappings that follow one another without a gap, and may be accessed, are one
 * allocation: a kernel may run over their borders. */
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/inside/driver/driver.h"

enum { GRANULARITY = 2 << 20 }; /* bytes: as an H200 has it */

struct physical {
    int file;
    size_t bytes;
    unsigned uses; /* handles and mappings */
    bool seen;     /* it may have been written: it was mapped before, or another process has it */
    CUmemAllocationProp properties;
    struct physical *next;
};

struct mapping {
    uint64_t at;
    size_t bytes;
    struct physical *of;
    bool accessible;
    struct mapping *next; /* in the order of addresses */
};

struct reserved {
    uint64_t at;
    size_t bytes;
    struct mapping *mappings;
    struct reserved *next;
};

static struct physical *memories;
static struct reserved *reservations;

static struct physical *physical_of(CUmemGenericAllocationHandle handle)
{
    struct physical *p = memories;

    while (p && p != (struct physical *)handle)
        p = p->next;
    return p;
}

static void drop(struct physical *gone)
{
    if (--gone->uses)
        return;
    for (struct physical **at = &memories; *at; at = &(*at)->next)
        if (*at == gone) {
            *at = gone->next;
            close(gone->file);
            free(gone);
            return;
        }
}

static struct reserved *reserved_of(uint64_t at, size_t bytes)
{
    struct reserved *r = reservations;

    while (r && !(at >= r->at && bytes <= r->bytes && at - r->at <= r->bytes - bytes))
        r = r->next;
    return r;
}

/* Wherever it is mapped: what is written at one address is not seen to be written at the others. */
static void all_written(const struct physical *p)
{
    for (const struct reserved *r = reservations; r; r = r->next)
        for (const struct mapping *m = r->mappings; m; m = m->next)
            if (m->of == p && m->accessible)
                emu_wrote(device.machine, m->at, m->bytes);
}

/* The mappings of an allocation: those of new memory have no value yet. */
static void look_written(const struct mapping *from, const struct mapping *behind)
{
    for (const struct mapping *m = from; m != behind; m = m->next) {
        if (m->of->seen)
            all_written(m->of);
        else
            emu_lost(device.machine, m->at, m->bytes);
        m->of->seen = true;
    }
}

/* Tells the machine what of a reservation is memory now. */
static CUresult settle(struct reserved *r)
{
    CUresult result = CUDA_SUCCESS;

    memory_unmap(r->at, r->bytes);
    for (struct mapping *m = r->mappings; m && result == CUDA_SUCCESS; m = m->next) {
        const struct mapping *first = m;
        const uint64_t at = m->at;
        if (!m->accessible)
            continue;
        while (m->next && m->next->accessible && m->next->at == m->at + m->bytes)
            m = m->next;
        result = memory_map(at, m->at + m->bytes - at);
        if (result == CUDA_SUCCESS)
            look_written(first, m->next);
    }
    return result;
}

/* ---- physical memory ----------------------------------------------------------------------------------------------
 */

CUresult cuMemGetAllocationGranularity(size_t *out, const CUmemAllocationProp *p, CUmemAllocationGranularity_flags flag)
{
    CUresult result = driver_begin_bare();

    (void)flag;
    if (result == CUDA_SUCCESS && (!out || !p))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *out = GRANULARITY;
    return driver_end(result);
}

/* Takes over the file. */
static CUresult add_physical(int file, size_t bytes, const CUmemAllocationProp *p, CUmemGenericAllocationHandle *out)
{
    struct physical *new = file < 0 ? NULL : calloc(1, sizeof *new);

    if (!new) {
        if (file >= 0)
            close(file);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *new = (struct physical){ .file = file, .bytes = bytes, .uses = 1, .properties = *p, .next = memories };
    memories = new;
    *out = (CUmemGenericAllocationHandle)(uintptr_t) new;
    return CUDA_SUCCESS;
}

CUresult cuMemCreate(CUmemGenericAllocationHandle *out, size_t bytes, const CUmemAllocationProp *p,
                     unsigned long long flags)
{
    CUresult result = driver_begin_bare();
    int file;

    if (result == CUDA_SUCCESS &&
        (!out || !p || flags || !bytes || bytes % GRANULARITY || p->type != CU_MEM_ALLOCATION_TYPE_PINNED))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && p->location.type == CU_MEM_LOCATION_TYPE_DEVICE)
        result = driver_device(p->location.id);
    if (result != CUDA_SUCCESS)
        return driver_end(result);
    file = memfd_create("copycheck", MFD_CLOEXEC);
    if (file >= 0 && ftruncate(file, (off_t)bytes)) {
        close(file);
        file = -1;
    }
    return driver_end(add_physical(file, bytes, p, out));
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle)
{
    CUresult result = driver_begin_bare();
    struct physical *p = physical_of(handle);

    if (result == CUDA_SUCCESS && !p)
        result = CUDA_ERROR_INVALID_VALUE;
    if (p && result != CUDA_ERROR_NOT_INITIALIZED)
        drop(p);
    return driver_end(result);
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *out, void *address)
{
    const uint64_t at = (uintptr_t)address;
    CUresult result = driver_begin_bare();
    struct reserved *r = result == CUDA_SUCCESS ? reserved_of(at, 1) : NULL;
    struct mapping *m = r ? r->mappings : NULL;

    while (m && !(at >= m->at && at - m->at < m->bytes))
        m = m->next;
    if (result == CUDA_SUCCESS && !m)
        result = CUDA_ERROR_INVALID_VALUE;
    if (m) {
        m->of->uses++;
        *out = (CUmemGenericAllocationHandle)(uintptr_t)m->of;
    }
    return driver_end(result);
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *out, CUmemGenericAllocationHandle handle)
{
    CUresult result = driver_begin_bare();
    const struct physical *p = physical_of(handle);

    if (result == CUDA_SUCCESS && (!p || !out))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *out = p->properties;
    return driver_end(result);
}

CUresult cuMemExportToShareableHandle(void *out, CUmemGenericAllocationHandle handle, CUmemAllocationHandleType type,
                                      unsigned long long flags)
{
    CUresult result = driver_begin_bare();
    struct physical *p = physical_of(handle);

    if (result == CUDA_SUCCESS && (!p || !out || flags || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        p->seen = true;
        all_written(p);
        *(int *)out = dup(p->file);
        result = *(int *)out < 0 ? CUDA_ERROR_OPERATING_SYSTEM : CUDA_SUCCESS;
    }
    return driver_end(result);
}

CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *out, void *handle, CUmemAllocationHandleType type)
{
    const CUmemAllocationProp properties = { .type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                             .requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                                             .location = { .type = CU_MEM_LOCATION_TYPE_DEVICE } };
    CUresult result = driver_begin_bare();
    struct stat about;

    if (result == CUDA_SUCCESS && type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
        result = CUDA_ERROR_NOT_SUPPORTED;
    if (result == CUDA_SUCCESS && (!out || fstat((int)(intptr_t)handle, &about)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = add_physical(dup((int)(intptr_t)handle), (size_t)about.st_size, &properties, out);
    if (result == CUDA_SUCCESS)
        physical_of(*out)->seen = true;
    return driver_end(result);
}

/* ---- addresses ----------------------------------------------------------------------------------------------------
 */

CUresult cuMemAddressReserve(CUdeviceptr *out, size_t bytes, size_t align, CUdeviceptr wish, unsigned long long flags)
{
    CUresult result = driver_begin_bare();
    struct reserved *r;

    if (result == CUDA_SUCCESS && (!out || flags || !bytes || bytes % GRANULARITY || (align & (align - 1))))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return driver_end(result);
    align = align < GRANULARITY ? GRANULARITY : align;
    r = calloc(1, sizeof *r);
    unsigned char *const got =
        r ? mmap((void *)wish, bytes + align, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
          : MAP_FAILED;
    if (got == MAP_FAILED) {
        free(r);
        return driver_end(CUDA_ERROR_OUT_OF_MEMORY);
    }
    unsigned char *const first = (unsigned char *)(((uintptr_t)got + align - 1) / align * align);
    if (first > got)
        munmap(got, (size_t)(first - got));
    if (got + align > first)
        munmap(first + bytes, (size_t)(got + align - first));
    *r = (struct reserved){ .at = (uintptr_t)first, .bytes = bytes, .next = reservations };
    reservations = r;
    *out = r->at;
    return driver_end(CUDA_SUCCESS);
}

CUresult cuMemAddressFree(CUdeviceptr at, size_t bytes)
{
    CUresult result = driver_begin_bare();

    if (result == CUDA_SUCCESS)
        result = CUDA_ERROR_INVALID_VALUE;
    for (struct reserved **r = &reservations; *r && result == CUDA_ERROR_INVALID_VALUE; r = &(*r)->next)
        if ((*r)->at == at && (*r)->bytes == bytes && !(*r)->mappings) {
            struct reserved *gone = *r;
            *r = gone->next;
            munmap((void *)at, bytes);
            free(gone);
            result = CUDA_SUCCESS;
            break;
        }
    return driver_end(result);
}

/* A handle is mapped as a whole: so the document for the offset, and an H200 for the size. */
CUresult cuMemMap(CUdeviceptr at, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags)
{
    CUresult result = driver_begin_bare();
    struct reserved *r = reserved_of(at, bytes);
    struct physical *p = physical_of(handle);
    struct mapping **place = r ? &r->mappings : NULL, *m;

    if (result == CUDA_SUCCESS && (!r || !p || flags || !bytes || at % GRANULARITY))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && (offset || bytes != p->bytes))
        result = CUDA_ERROR_NOT_SUPPORTED;
    if (result != CUDA_SUCCESS)
        return driver_end(result);
    while (*place && (*place)->at + (*place)->bytes <= at)
        place = &(*place)->next;
    if (*place && (*place)->at < at + bytes)
        return driver_end(CUDA_ERROR_INVALID_VALUE); /* something is mapped there */
    m = calloc(1, sizeof *m);
    if (!m || mmap((void *)at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, p->file, 0) == MAP_FAILED) {
        free(m);
        return driver_end(CUDA_ERROR_OUT_OF_MEMORY);
    }
    *m = (struct mapping){ .at = at, .bytes = bytes, .of = p, .next = *place };
    *place = m;
    p->uses++;
    return driver_end(CUDA_SUCCESS);
}

/* Of the mappings that lie in this range; none where nothing is reserved. */
static size_t mapped_bytes(const struct reserved *r, CUdeviceptr at, size_t bytes)
{
    size_t found = 0;

    for (const struct mapping *m = r ? r->mappings : NULL; m; m = m->next)
        if (m->at >= at && m->at + m->bytes <= at + bytes)
            found += m->bytes;
    return found;
}

/* Whether a mapping lies in this range with a part of it. */
static bool is_cut(const struct reserved *r, CUdeviceptr at, size_t bytes)
{
    for (const struct mapping *m = r->mappings; m; m = m->next)
        if (m->at < at + bytes && at < m->at + m->bytes && (m->at < at || m->at + m->bytes > at + bytes))
            return true;
    return false;
}

/* Whole mappings, or none. */
CUresult cuMemUnmap(CUdeviceptr at, size_t bytes)
{
    CUresult result = driver_begin_bare();
    struct reserved *r = reserved_of(at, bytes);

    if (result == CUDA_SUCCESS && (!bytes || !r || is_cut(r, at, bytes)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return driver_end(result);
    for (struct mapping **place = &r->mappings; *place;) {
        struct mapping *m = *place;
        if (m->at < at || m->at >= at + bytes) {
            place = &m->next;
            continue;
        }
        *place = m->next;
        drop(m->of);
        free(m);
    }
    result = settle(r);
    if (mmap((void *)at, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) ==
        MAP_FAILED)
        result = CUDA_ERROR_OUT_OF_MEMORY;
    return driver_end(result);
}

CUresult cuMemSetAccess(CUdeviceptr at, size_t bytes, const CUmemAccessDesc *access, size_t count)
{
    CUresult result = driver_begin_bare();
    struct reserved *r = reserved_of(at, bytes);

    if (result == CUDA_SUCCESS && (!access || !count || !bytes || mapped_bytes(r, at, bytes) != bytes))
        result = CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++)
        if (access[i].location.type == CU_MEM_LOCATION_TYPE_DEVICE)
            result = driver_device(access[i].location.id);
    for (struct mapping *m = r ? r->mappings : NULL; m && result == CUDA_SUCCESS; m = m->next)
        for (size_t i = 0; i < count && m->at >= at && m->at < at + bytes; i++)
            if (access[i].location.type == CU_MEM_LOCATION_TYPE_DEVICE)
                m->accessible = access[i].flags != CU_MEM_ACCESS_FLAGS_PROT_NONE;
    return driver_end(result == CUDA_SUCCESS ? settle(r) : result);
}

CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr at)
{
    CUresult result = driver_begin_bare();
    const struct reserved *r = reserved_of(at, 1);
    const struct mapping *m = r ? r->mappings : NULL;

    (void)location;
    while (m && !(at >= m->at && at - m->at < m->bytes))
        m = m->next;
    if (result == CUDA_SUCCESS && (!m || !flags))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *flags = m->accessible ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : CU_MEM_ACCESS_FLAGS_PROT_NONE;
    return driver_end(result);
}
// SPDX-License-Identifier: Apache-2.0
