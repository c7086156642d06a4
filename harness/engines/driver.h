/* The CUDA driver, opened at run time, so that one binary serves machines with and without one.
 *
 * The few types of the driver API that are used are declared here: its binary interface is stable, and a machine
 * without a toolkit has no cuda.h. tests/unit/driver_test.c holds them to cuda.h where there is one. */
#ifndef COPYCHECK_DRIVER_H
#define COPYCHECK_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "expected/tensor_map.h"

typedef int cu_result;
typedef int cu_device;
typedef uint64_t cu_deviceptr;
typedef struct cu_context_s *cu_context;
typedef struct cu_module_s *cu_module;
typedef struct cu_function_s *cu_function;
typedef struct cu_stream_s *cu_stream;
typedef struct cu_event_s *cu_event;
typedef struct cu_link_s *cu_link;
typedef unsigned long long cu_handle;

struct cu_launch_attribute {
    int id;
    char pad[4];
    union {
        char bytes[64];
        unsigned cluster[3];
        int overlaps;
        uint64_t align;
    } value;
};

struct cu_launch_config {
    unsigned grid[3], block[3];
    unsigned smem;
    cu_stream stream;
    struct cu_launch_attribute *attributes;
    unsigned count;
};

struct cu_location {
    int type, id;
};

struct cu_allocation_prop {
    int type, handle_types;
    struct cu_location location;
    void *win32;
    struct {
        unsigned char compression, rdma;
        unsigned short usage;
        unsigned char reserved[4];
    } flags;
};

struct cu_access {
    struct cu_location location;
    int flags;
};

/* In the last argument of cuLaunchKernelEx: a buffer of parameters, and a pointer to its size. */
#define CU_PARAM_BUFFER ((void *)1)
#define CU_PARAM_SIZE   ((void *)2)

enum {
    CU_ATTRIBUTE_SM_MAJOR = 75,
    CU_ATTRIBUTE_SM_MINOR = 76,
    CU_ATTRIBUTE_MULTIPROCESSORS = 16,
    CU_ATTRIBUTE_COMPUTE_MODE = 20,
    CU_ATTRIBUTE_ECC = 32,
    CU_ATTRIBUTE_TENSOR_MAP = 127,
    CU_STREAM_NO_WAIT = 1, /* CU_STREAM_NON_BLOCKING: it does not wait for the driver's own stream */
    CU_LAUNCH_CLUSTER = 4,
    CU_LAUNCH_OVERLAPS = 6, /* CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION */
    CU_FUNC_REGISTERS = 4,
    CU_FUNC_SHARED_DYNAMIC = 8,
    CU_FUNC_NON_PORTABLE_CLUSTER = 14,
    CU_JIT_MAX_LOG = 6, /* values below are those of CUjit_option */
    CU_JIT_ERROR_LOG = 5,
    CU_JIT_OPTIMIZATION = 7,
    CU_INPUT_CUBIN = 0,
    CU_INPUT_PTX = 1,
};

#define CU_FUNCTIONS(F)                                                                                                \
    F(cuInit, (unsigned))                                                                                              \
    F(cuDriverGetVersion, (int *))                                                                                     \
    F(cuGetErrorName, (cu_result, const char **))                                                                      \
    F(cuDeviceGetCount, (int *))                                                                                       \
    F(cuDeviceGet, (cu_device *, int))                                                                                 \
    F(cuDeviceGetName, (char *, int, cu_device))                                                                       \
    F(cuDeviceGetAttribute, (int *, int, cu_device))                                                                   \
    F(cuCtxCreate_v2, (cu_context *, unsigned, cu_device))                                                             \
    F(cuCtxDestroy_v2, (cu_context))                                                                                   \
    F(cuCtxSetCurrent, (cu_context))                                                                                   \
    F(cuCtxSynchronize, (void))                                                                                        \
    F(cuMemAlloc_v2, (cu_deviceptr *, size_t))                                                                         \
    F(cuMemFree_v2, (cu_deviceptr))                                                                                    \
    F(cuMemcpyHtoD_v2, (cu_deviceptr, const void *, size_t))                                                           \
    F(cuMemcpyDtoH_v2, (void *, cu_deviceptr, size_t))                                                                 \
    F(cuMemHostAlloc, (void **, size_t, unsigned))                                                                     \
    F(cuMemHostGetDevicePointer_v2, (cu_deviceptr *, void *, unsigned))                                                \
    F(cuMemFreeHost, (void *))                                                                                         \
    F(cuMemAddressReserve, (cu_deviceptr *, size_t, size_t, cu_deviceptr, unsigned long long))                         \
    F(cuMemAddressFree, (cu_deviceptr, size_t))                                                                        \
    F(cuMemCreate, (cu_handle *, size_t, const struct cu_allocation_prop *, unsigned long long))                       \
    F(cuMemRelease, (cu_handle))                                                                                       \
    F(cuMemMap, (cu_deviceptr, size_t, size_t, cu_handle, unsigned long long))                                         \
    F(cuMemUnmap, (cu_deviceptr, size_t))                                                                              \
    F(cuMemSetAccess, (cu_deviceptr, size_t, const struct cu_access *, size_t))                                        \
    F(cuModuleLoadData, (cu_module *, const void *))                                                                   \
    F(cuModuleUnload, (cu_module))                                                                                     \
    F(cuModuleGetFunction, (cu_function *, cu_module, const char *))                                                   \
    F(cuModuleGetGlobal_v2, (cu_deviceptr *, size_t *, cu_module, const char *))                                       \
    F(cuFuncSetAttribute, (cu_function, int, int))                                                                     \
    F(cuLaunchKernelEx, (const struct cu_launch_config *, cu_function, void **, void **))                              \
    F(cuLinkCreate_v2, (unsigned, int *, void **, cu_link *))                                                          \
    F(cuLinkAddData_v2, (cu_link, int, void *, size_t, const char *, unsigned, int *, void **))                        \
    F(cuLinkComplete, (cu_link, void **, size_t *))                                                                    \
    F(cuLinkDestroy, (cu_link))                                                                                        \
    F(cuMemcpyDtoD_v2, (cu_deviceptr, cu_deviceptr, size_t))                                                           \
    F(cuMemcpyHtoDAsync_v2, (cu_deviceptr, const void *, size_t, cu_stream))                                           \
    F(cuMemcpyDtoHAsync_v2, (void *, cu_deviceptr, size_t, cu_stream))                                                 \
    F(cuMemcpyDtoDAsync_v2, (cu_deviceptr, cu_deviceptr, size_t, cu_stream))                                           \
    F(cuStreamCreate, (cu_stream *, unsigned))                                                                         \
    F(cuStreamSynchronize, (cu_stream))                                                                                \
    F(cuStreamQuery, (cu_stream))                                                                                      \
    F(cuStreamWaitEvent, (cu_stream, cu_event, unsigned))                                                              \
    F(cuEventCreate, (cu_event *, unsigned))                                                                           \
    F(cuEventRecord, (cu_event, cu_stream))                                                                            \
    F(cuEventSynchronize, (cu_event))                                                                                  \
    F(cuPointerGetAttribute, (void *, int, cu_deviceptr))                                                              \
    F(cuFuncGetAttribute, (int *, int, cu_function))                                                                   \
    F(cuGetProcAddress_v2, (const char *, void **, int, unsigned long long, int *))                                    \
    F(cuTensorMapEncodeTiled, (void *, int, uint32_t, void *, const uint64_t *, const uint64_t *, const uint32_t *,    \
                               const uint32_t *, int, int, int, int))                                                  \
    F(cuTensorMapEncodeIm2col, (void *, int, uint32_t, void *, const uint64_t *, const uint64_t *, const int *,        \
                                const int *, uint32_t, uint32_t, const uint32_t *, int, int, int, int))                \
    F(cuTensorMapReplaceAddress, (void *, void *))

/* Functions that a driver may lack; NULL then. CUDA 11.4 has the last, 12.4 the first, 12.8 the second. */
#define CU_LATER_FUNCTIONS(F)                                                                                          \
    F(cuFuncGetParamInfo, (cu_function, size_t, size_t *, size_t *))                                                   \
    F(cuTensorMapEncodeIm2colWide, (void *, int, uint32_t, void *, const uint64_t *, const uint64_t *, int, int,       \
                                    uint32_t, uint32_t, const uint32_t *, int, int, int, int, int))                    \
    F(cuDeviceGetUuid_v2, (unsigned char[16], cu_device))

struct cu_driver {
#define F(name, parameters) cu_result(*name) parameters;
    CU_FUNCTIONS(F)
    CU_LATER_FUNCTIONS(F)
#undef F
};

/* Opens libcuda.so.1 and looks up every function; initialises nothing. False with one line where there is none, or
 * where it lacks a function (a driver older than CUDA 12.0 has no tensor maps). */
bool cu_open(struct cu_driver *d, char *error, size_t error_size);

/* The driver's name of a result, "CUDA_ERROR_INVALID_VALUE", or "CUresult N". */
const char *cu_name(const struct cu_driver *d, cu_result result);

/* cuTensorMapEncodeTiled, or cuTensorMapEncodeIm2col or cuTensorMapEncodeIm2colWide where the map's mode says so. Bit i
 * of `null` passes NULL for the i-th pointer argument: map, globalAddress, globalDim, globalStrides, boxDim,
 * elementStrides. */
cu_result cu_encode(const struct cu_driver *d, const struct tensor_map *map, void *object, unsigned null);

/* For a bare encode call: opens the driver, initialises it and makes a context: without one driver 580 answers every
 * call CUDA_ERROR_INVALID_CONTEXT, legal or not. */
bool gpu_encode_open(char *error, size_t error_size);
/* cuTensorMapEncodeTiled on these arguments; `object` has 128 bytes, aligned to 64. Returns its CUresult. */
int gpu_encode(const struct tensor_map *map, void *object);

#endif
// SPDX-License-Identifier: Apache-2.0
