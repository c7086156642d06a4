/* What `copycheck capture` puts between a program and its GPU: a libcuda.so.1 that hands every call on to the driver's
 * own, and looks at modules, tensor maps and launches as they pass. */
#ifndef COPYCHECK_INJECT_H
#define COPYCHECK_INJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(default)
#include <cuda.h>
/* In the header these names stand for others, or are not there. */
#undef cuGetProcAddress
#undef cuGraphExecKernelNodeSetParams
#undef cuGraphExecUpdate
#undef cuGraphInstantiate
#undef cuStreamBeginCapture
CUresult cuGetProcAddress(const char *name, void **function, int version, cuuint64_t flags);
CUresult cuGetProcAddress_v2(const char *name, void **function, int version, cuuint64_t flags,
                             CUdriverProcAddressQueryResult *status);
CUresult cuLaunchKernel_ptsz(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                             unsigned smem, CUstream stream, void **params, void **extra);
CUresult cuLaunchCooperativeKernel_ptsz(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                        unsigned bz, unsigned smem, CUstream stream, void **params);
CUresult cuLaunchKernelEx_ptsz(const CUlaunchConfig *config, CUfunction f, void **params, void **extra);
CUresult cuStreamBeginCapture(CUstream stream);
CUresult cuStreamBeginCapture_ptsz(CUstream stream);
CUresult cuStreamBeginCapture_v2_ptsz(CUstream stream, CUstreamCaptureMode mode);
CUresult cuStreamBeginCaptureToGraph_ptsz(CUstream stream, CUgraph graph, const CUgraphNode *behind,
                                          const CUgraphEdgeData *how, size_t n, CUstreamCaptureMode mode);
CUresult cuStreamEndCapture_ptsz(CUstream stream, CUgraph *graph);
CUresult cuGraphInstantiate(CUgraphExec *exec, CUgraph graph, CUgraphNode *wrong, char *log, size_t bytes);
CUresult cuGraphInstantiate_v2(CUgraphExec *exec, CUgraph graph, CUgraphNode *wrong, char *log, size_t bytes);
CUresult cuGraphInstantiateWithParams_ptsz(CUgraphExec *exec, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS *params);
CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphNode *wrong, CUgraphExecUpdateResult *why);
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1 *params);
CUresult cuGraphLaunch_ptsz(CUgraphExec exec, CUstream stream);
#pragma GCC visibility pop

#include "harness/capture/capture.h"

/* The environment variable that has what `copycheck capture` chose, a word on each line: driver=PATH of the real
 * library, out=PATH of the capture, skip=N launches of this name, max=BYTES of memory, name=TEXT in the kernel's name.
 */
#define INJECT_VARIABLE "COPYCHECK_CAPTURE"

/* The driver's own function of this name; NULL where it has none. names.c fills a table of all from it. */
void *inject_real(const char *name);
/* The same; where it has none, a function that answers CUDA_ERROR_NOT_FOUND. */
void *inject_own(const char *name);
/* The same as a function of this type: `name` is the library's, which may be a macro of the header. */
#define INJECT_REAL(function, name) ((__typeof__(&function))inject_own(name))

/* ---- what has passed: record.c ------------------------------------------------------------------------------------
 */

struct inject_module;

/* An image that was loaded under this handle (CUmodule or CUlibrary). */
void inject_loaded(const void *handle, const void *image);
/* PTX that the linker was given, and the machine code that it made of it: a module of that code has this PTX. */
void inject_link_added(const void *state, const void *ptx, size_t bytes);
void inject_linked(const void *state, const void *image);
/* A function or kernel that was taken out of what this handle stands for; `name` NULL: the same as another handle. */
void inject_took(const void *function, const void *from, const char *name);
/* The kernel of a handle: its name, and its module; false where nobody saw it. A function that is seen in a graph alone
 * is that of a kernel. */
bool inject_kernel(const void *function, const char **name, struct inject_module **module);
/* The module's PTX, malloc'd; NULL with a line that says why there is none. */
char *inject_ptx(struct inject_module *m, size_t *size, char *error, size_t error_size);

/* A tensor map that was made: its arguments, and its object. */
void inject_mapped(const struct tensor_map *map, const void *object);
/* Calls with each of them. */
size_t inject_map_count(void);
const struct capture_map *inject_map(size_t i);

/* ---- a launch: launch.c -------------------------------------------------------------------------------------------
 */

struct inject_launch {
    const void *function;
    unsigned grid[3], block[3], cluster[3], smem;
    bool cooperative;
    void **params, **extra;
};
/* Whether a launch is still wanted. */
bool inject_open(void);
/* Whether the next launch of this kernel is the one that is wanted. It counts as made then, and nothing else may be
 * until inject_behind, or until inject_take is false. */
bool inject_chooses(const void *function);
/* Before it: keeps what it finds; false after a line where that cannot be done. */
bool inject_take(const struct inject_launch *l);
/* The same without keeping anything, for this reason. */
void inject_leave(const char *why);
/* Behind it: keeps what it left, and writes the capture. */
void inject_behind(void);
void inject_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- graphs: graphs.c ---------------------------------------------------------------------------------------------
 */

/* Whether a stream is being captured: what is launched may then be a graph's node, and nothing may wait for the device.
 */
bool inject_capturing(void);

/* An executable graph. */
struct inject_graph {
    CUgraphExec exec;
    CUgraph copy;        /* of the graph that it was made of; NULL where the driver copies none */
    const char *unclear; /* why `copy` is not what it runs, where it is not; NULL */
    CUgraphNode *off;    /* nodes of `copy` that do nothing */
    size_t off_count, off_room;
    struct inject_graph *next;
};

/* Launches it with what `launch` is, in parts where a kernel of it is wanted: parts.c. */
typedef CUresult inject_graph_launch(CUgraphExec exec, CUstream stream);
CUresult inject_launch_parts(const struct inject_graph *g, CUstream stream, inject_graph_launch *launch);

#endif
// SPDX-License-Identifier: Apache-2.0
