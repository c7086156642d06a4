/* What the driver API says of the device, and how a program finds its functions. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/inside/driver/array.h"
#include "harness/inside/driver/older.h"

CUresult cuInit(unsigned flags)
{
    device_enter();
    if (flags)
        return driver_end(CUDA_ERROR_INVALID_VALUE);
    device.initialised = true;
    device_state();
    return driver_end(CUDA_SUCCESS);
}

CUresult cuDriverGetVersion(int *version)
{
    if (!version)
        return CUDA_ERROR_INVALID_VALUE;
    *version = CUDA_VERSION;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count)
{
    const CUresult result = driver_begin_bare();

    if (result == CUDA_SUCCESS && count)
        *count = 1;
    return driver_end(count ? result : CUDA_ERROR_INVALID_VALUE);
}

CUresult cuDeviceGet(CUdevice *dev, int number)
{
    CUresult result = driver_begin_bare();

    if (result == CUDA_SUCCESS)
        result = dev ? driver_device(number) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *dev = 0;
    return driver_end(result);
}

/* What begins each question about the device: `out` is where the answer goes. */
static CUresult ask(const void *out, CUdevice dev)
{
    const CUresult result = driver_begin_bare();

    if (result == CUDA_ERROR_NOT_INITIALIZED)
        return result;
    return out ? driver_device(dev) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDeviceGetName(char *name, int size, CUdevice dev)
{
    CUresult result = ask(name, dev);

    if (result == CUDA_SUCCESS && size <= 0)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        snprintf(name, (size_t)size, "%s", DEVICE_NAME);
    return driver_end(result);
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice dev)
{
    const CUresult result = ask(bytes, dev);

    if (result == CUDA_SUCCESS)
        *bytes = DEVICE_MEMORY;
    return driver_end(result);
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute which, CUdevice dev)
{
    CUresult result = ask(value, dev);

    if (result == CUDA_SUCCESS && !device_attribute(which, value))
        result = CUDA_ERROR_INVALID_VALUE;
    return driver_end(result);
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice dev)
{
    const CUresult result = ask(major, dev);

    if (result == CUDA_SUCCESS) {
        *major = 9;
        *minor = 0;
    }
    return driver_end(result);
}

CUresult cuDeviceGetProperties(CUdevprop *out, CUdevice dev)
{
    const CUresult result = ask(out, dev);

    if (result == CUDA_SUCCESS)
        *out = (CUdevprop){ .maxThreadsPerBlock = 1024,
                            .maxThreadsDim = { 1024, 1024, 64 },
                            .maxGridSize = { 0x7fffffff, 65535, 65535 },
                            .sharedMemPerBlock = 48 << 10,
                            .totalConstantMemory = 64 << 10,
                            .SIMDWidth = 32,
                            .memPitch = 0x7fffffff,
                            .regsPerBlock = 64 << 10,
                            .clockRate = 1980000,
                            .textureAlign = 512 };
    return driver_end(result);
}

/* "copycheck emu 00" in place of a serial number. */
CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice dev)
{
    const CUresult result = ask(uuid, dev);

    if (result == CUDA_SUCCESS)
        memcpy(uuid->bytes, "copycheck emu 00", sizeof uuid->bytes);
    return driver_end(result);
}

#define BUS "0000:01:00.0"

CUresult cuDeviceGetPCIBusId(char *out, int size, CUdevice dev)
{
    CUresult result = ask(out, dev);

    if (result == CUDA_SUCCESS && size <= (int)strlen(BUS))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        snprintf(out, (size_t)size, "%s", BUS);
    return driver_end(result);
}

/* With or without the domain in front and the function behind, as the document allows. */
CUresult cuDeviceGetByPCIBusId(CUdevice *dev, const char *text)
{
    CUresult result = ask(dev, 0);
    unsigned domain = 0, bus = 0, number = 0;

    if (result == CUDA_SUCCESS && (!text || (sscanf(text, "%x:%x:%x", &domain, &bus, &number) != 3 &&
                                             (domain = 0, sscanf(text, "%x:%x", &bus, &number) != 2))))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && (domain || bus != 1 || number))
        result = CUDA_ERROR_INVALID_DEVICE;
    if (result == CUDA_SUCCESS)
        *dev = 0;
    return driver_end(result);
}

CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t *width, CUarray_format format, unsigned channels, CUdevice dev)
{
    CUresult result = ask(width, dev);

    struct emu_texture texel = { 0 };

    if (result == CUDA_SUCCESS)
        result = texel_format(format, channels, &texel);
    if (result == CUDA_SUCCESS) {
        const unsigned bytes = texel.bits / 8u * texel.channels;
        *width = ((size_t)1 << 32) / (bytes < 4 ? 4 : bytes); /* 4 GB of them */
    }
    return driver_end(result);
}

CUresult cuDeviceGetExecAffinitySupport(int *value, CUexecAffinityType type, CUdevice dev)
{
    const CUresult result = ask(value, dev);

    (void)type;
    if (result == CUDA_SUCCESS)
        *value = 0;
    return driver_end(result);
}

/* A device is no peer of itself. */
CUresult cuDeviceCanAccessPeer(int *can, CUdevice dev, CUdevice peer)
{
    CUresult result = ask(can, dev);

    if (result == CUDA_SUCCESS)
        result = driver_device(peer);
    if (result == CUDA_SUCCESS)
        *can = 0;
    return driver_end(result);
}

CUresult cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute which, CUdevice from, CUdevice to)
{
    const CUresult result = ask(value, from);

    (void)which, (void)to;
    return driver_end(result == CUDA_SUCCESS ? CUDA_ERROR_INVALID_DEVICE : result);
}

CUresult cuFlushGPUDirectRDMAWrites(CUflushGPUDirectRDMAWritesTarget target, CUflushGPUDirectRDMAWritesScope scope)
{
    (void)target, (void)scope;
    return driver_end(driver_begin());
}

/* ---- the functions themselves -------------------------------------------------------------------------------------
 */

/* From which version on a name without a suffix stands for that with it; the last row that applies counts. */
static const struct {
    const char *name;
    int version;
    const char *suffix;
} suffixes[] = {
#define SUFFIX(name, version, suffix) { #name, version, suffix },
#include "harness/inside/driver/versions.def"
};

void *driver_symbol(const char *name, int version)
{
    const char *suffix = "";
    char full[100];
    Dl_info own;
    void *self;

    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (!strcmp(suffixes[i].name, name) && version >= suffixes[i].version)
            suffix = suffixes[i].suffix;
    if (strncmp(name, "cu", 2) || !strncmp(name, "cuda", 4) || !dladdr((void *)(uintptr_t)driver_symbol, &own) ||
        !(self = dlopen(own.dli_fname, RTLD_NOW | RTLD_NOLOAD)))
        return NULL;
    snprintf(full, sizeof full, "%.80s%s", name, suffix);
    return dlsym(self, full);
}

CUresult cuGetProcAddress_v2(const char *name, void **out, int version, cuuint64_t flags,
                             CUdriverProcAddressQueryResult *status)
{
    enum { KNOWN = CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM };

    /* The default stream is one for all threads, by whichever name. */
    if (!name || !out || flags & ~(cuuint64_t)KNOWN)
        return CUDA_ERROR_INVALID_VALUE;
    *out = driver_symbol(name, version);
    if (status)
        *status = *out ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return CUDA_SUCCESS; /* also where there is none, as the driver 580.159.04 does it */
}

/* Of version 11.3: it has no status, so that its result tells, and leaves `out` as it is. */
CUresult cuGetProcAddress(const char *name, void **out, int version, cuuint64_t flags)
{
    void *found;
    const CUresult result = cuGetProcAddress_v2(name, &found, version, flags, NULL);

    if (result != CUDA_SUCCESS || !out)
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    if (!found)
        return CUDA_ERROR_NOT_FOUND;
    *out = found;
    return CUDA_SUCCESS;
}

/* What NVIDIA's own libraries ask of each other has no document. An H200's driver says this of a table that it has not.
 */
CUresult cuGetExportTable(const void **table, const CUuuid *which)
{
    (void)which;
    if (table)
        *table = NULL;
    return CUDA_ERROR_INVALID_VALUE;
}
// SPDX-License-Identifier: Apache-2.0
