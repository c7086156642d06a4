/* The state of the engines `gpu` and `jit`, and how they find a kernel. Private to gpu.c and
 * gpu_modules.c. */
#ifndef COPYCHECK_GPU_MODULES_H
#define COPYCHECK_GPU_MODULES_H

#include "harness/engines/driver.h"
#include "harness/engines/engine.h"
#include "harness/engines/gpu_streams.h"

enum { MODULES = 128, FUNCTIONS = 256, EDGES = 16, DIRECT = 16 };

struct gpu_module {
    char file[64]; /* stem: "tile" */
    cu_module module;
    void *image; /* its cubin, malloc'd; NULL: not known */
    size_t size;
};

/* An entry that was found before: cuModuleGetFunction waits for what other threads ask of the driver. */
struct gpu_function {
    char entry[96]; /* "" none; a longer name is not kept */
    cu_module module;
    cu_function function;
    uint64_t machine; /* hash of its machine code */
};

struct gpu_edge {
    cu_deviceptr at;
    size_t reserved, mapped;
    cu_handle handle;
};

struct gpu {
    struct cu_driver d;
    bool jit;
    const char *kernels, *scratch;
    int ordinal;      /* of its device, to the driver of this process */
    bool joined;      /* it has a share in the context of this process */
    cu_stream stream; /* this one's own: what it launches and copies goes on beside what the others do */
    char *index;      /* lines "ENTRY FILE" */
    struct gpu_module modules[MODULES];
    size_t module_count;
    struct gpu_function functions[FUNCTIONS]; /* each at the place of its name's hash, the last one there */
    cu_deviceptr arena, host_device;
    unsigned char *host;
    size_t arena_used, host_used;
    unsigned char *staged; /* room for pieces that are copied at once */
    struct gpu_edge edges[EDGES];
    size_t edge_count;
    cu_deviceptr direct[DIRECT];
    size_t direct_count;
    struct gpu_streams streams;
};

uint64_t gpu_now(void); /* ns */
/* Whether the call failed: then *out says with what. */
bool gpu_fail(struct gpu *g, struct ck_outcome *out, const char *call, cu_result r);
/* Says what the engine cannot do; false, for the caller to return. */
bool gpu_unsupported(struct ck_outcome *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Compiles PTX to a cubin with the driver's compiler. The image belongs to the link state, which is not destroyed:
 * a worker compiles few modules and ends. `quiet` destroys it at once, for assemble rows. */
bool gpu_compile(struct gpu *g, const struct ck_ptx *ptx, bool quiet, void **image, size_t *image_size,
                 struct ck_outcome *out);
/* Compiles those kernel files that no other worker has claimed. What fails here fails again, and is told, where a point
 * needs it. */
void gpu_jit_prepare(struct ck_engine *e);
/* The entry of this name, from a module that is loaded when it is first asked for. */
bool gpu_find_function(struct gpu *g, const char *entry, cu_module *module, cu_function *function,
                       struct ck_outcome *out);
/* The hash of the machine code of an entry that was found; 0 where it is not known. */
uint64_t gpu_machine_code(const struct gpu *g, const char *entry);
void gpu_modules_free(struct gpu *g);
/* Writes the symbol that a launch names. */
bool gpu_write_constant(struct gpu *g, cu_module module, const struct ck_device_launch *l, struct ck_outcome *out);

#endif
// SPDX-License-Identifier: Apache-2.0
