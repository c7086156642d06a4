/* A driver for the test of graphs under capture: its graphs are letters in a row, it notes what runs, and any of its
 * functions may fail or be absent. */
#ifndef COPYCHECK_UNIT_INJECT_GRAPH_H
#define COPYCHECK_UNIT_INJECT_GRAPH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/inject/inject.h"

enum { MOST = 4 };

/* A node is a letter, or a graph. The edges go from each to the next. */
struct node {
    char letter;
    struct graph *child;
    const struct node *of; /* which it is a copy of */
    bool off;
};
struct graph {
    struct node *nodes[MOST];
    size_t count;
    struct graph *before; /* that was made before: all are kept, since any may be asked for to the end */
};

static struct driver {
    const char *absent, *fails; /* the driver has no such function; this one fails, */
    unsigned behind;            /* after so many calls of it */
    bool capturing;
    char ran[40]; /* the letters, in the order in which they ran */
} driver;

static char module_is, function_is, kernel_is, stream_is;

static CUresult answer(const char *name)
{
    return !driver.fails || strcmp(name, driver.fails) || driver.behind-- ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN;
}

static struct graph *new_graph(void)
{
    static struct graph *last;
    struct graph *g = calloc(1, sizeof *g);

    g->before = last;
    last = g;
    return g;
}

static struct graph *graph_of(const char *letters)
{
    struct graph *g = new_graph();

    for (; *letters; letters++) {
        g->nodes[g->count] = calloc(1, sizeof *g->nodes[0]);
        g->nodes[g->count++]->letter = *letters;
    }
    return g;
}

static struct graph *copy_of(const struct graph *from)
{
    struct graph *g = new_graph();

    g->count = from->count;
    for (size_t i = 0; i < g->count; i++) {
        g->nodes[i] = calloc(1, sizeof *g->nodes[0]);
        *g->nodes[i] = *from->nodes[i];
        g->nodes[i]->of = from->nodes[i];
    }
    return g;
}

static void run(const struct graph *g)
{
    for (size_t i = 0; i < g->count; i++)
        if (g->nodes[i]->child)
            run(g->nodes[i]->child);
        else if (!g->nodes[i]->off)
            driver.ran[strlen(driver.ran)] = g->nodes[i]->letter;
}

static CUresult make(void **made, void *what, const char *name)
{
    *made = what;
    return answer(name);
}

static CUresult real_cuModuleLoadData(void **module)
{
    return make(module, &module_is, "cuModuleLoadData");
}

static CUresult real_cuModuleGetFunction(void **function)
{
    return make(function, &function_is, "cuModuleGetFunction");
}

static CUresult real_cuLibraryGetKernel(void **kernel)
{
    return make(kernel, &kernel_is, "cuLibraryGetKernel");
}

/* The function of the kernel, of which the program does not ask. */
static CUresult real_cuKernelGetFunction(void **function, const void *kernel)
{
    return kernel == &kernel_is ? make(function, &function_is, "cuKernelGetFunction") : CUDA_ERROR_INVALID_HANDLE;
}

static CUresult real_cuCtxSynchronize(void)
{
    return driver.capturing ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : answer("cuCtxSynchronize");
}

static CUresult begun(const char *name)
{
    driver.capturing = answer(name) == CUDA_SUCCESS;
    return driver.capturing ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN;
}

#define BEGINS(name)                                                                                                   \
    static CUresult real_##name(void)                                                                                  \
    {                                                                                                                  \
        return begun(#name);                                                                                           \
    }
BEGINS(cuStreamBeginCapture)
BEGINS(cuStreamBeginCapture_ptsz)
BEGINS(cuStreamBeginCapture_v2)
BEGINS(cuStreamBeginCapture_v2_ptsz)
BEGINS(cuStreamBeginCaptureToGraph)
BEGINS(cuStreamBeginCaptureToGraph_ptsz)

/* One that fails, of another stream or thread, ends nothing. */
static CUresult real_cuStreamEndCapture(void)
{
    const CUresult result = answer("cuStreamEndCapture");

    driver.capturing = driver.capturing && result != CUDA_SUCCESS;
    return result;
}

static CUresult real_cuStreamIsCapturing(const void *stream, CUstreamCaptureStatus *status)
{
    (void)stream;
    *status = driver.capturing ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_NONE;
    return answer("cuStreamIsCapturing");
}

static CUresult real_cuLaunchKernel(void)
{
    driver.ran[strlen(driver.ran)] = '!';
    return CUDA_SUCCESS;
}

static CUresult real_cuGraphClone(struct graph **out, const struct graph *g)
{
    const CUresult result = answer("cuGraphClone");

    if (result == CUDA_SUCCESS)
        *out = copy_of(g);
    return result;
}

static CUresult real_cuGraphGetNodes(const struct graph *g, struct node **nodes, size_t *count)
{
    if (nodes)
        for (size_t i = 0; i < g->count; i++)
            nodes[i] = g->nodes[i];
    *count = g->count;
    return answer("cuGraphGetNodes");
}

static CUresult edges(const char *name, const struct graph *g, struct node **from, struct node **to, size_t *count)
{
    *count = g->count ? g->count - 1 : 0;
    for (size_t i = 0; from && i < *count; i++) {
        from[i] = g->nodes[i];
        to[i] = g->nodes[i + 1];
    }
    return answer(name);
}

static CUresult real_cuGraphGetEdges_v2(const struct graph *g, struct node **from, struct node **to, void *data,
                                        size_t *count)
{
    return from && !data ? CUDA_ERROR_INVALID_VALUE : edges("cuGraphGetEdges_v2", g, from, to, count);
}

static CUresult real_cuGraphGetEdges(const struct graph *g, struct node **from, struct node **to, size_t *count)
{
    return edges("cuGraphGetEdges", g, from, to, count);
}

static CUresult real_cuGraphNodeGetType(const struct node *n, CUgraphNodeType *type)
{
    *type = n->child           ? CU_GRAPH_NODE_TYPE_GRAPH
            : n->letter == 'm' ? CU_GRAPH_NODE_TYPE_MEMSET
                               : CU_GRAPH_NODE_TYPE_KERNEL;
    return answer("cuGraphNodeGetType");
}

static CUresult real_cuGraphKernelNodeGetParams_v2(const struct node *n, CUDA_KERNEL_NODE_PARAMS *p)
{
    *p = (CUDA_KERNEL_NODE_PARAMS){ .func = n->letter == 'x' ? (CUfunction)&driver : (CUfunction)&function_is,
                                    .gridDimX = (unsigned)n->letter,
                                    .gridDimY = 1,
                                    .gridDimZ = 1,
                                    .blockDimX = 1,
                                    .blockDimY = 1,
                                    .blockDimZ = 1 };
    return answer("cuGraphKernelNodeGetParams_v2");
}

static CUresult real_cuGraphKernelNodeGetAttribute(const void *node, CUlaunchAttributeID id, CUlaunchAttributeValue *v)
{
    (void)node;
    if (id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
        v->cooperative = 1;
    else
        v->clusterDim.x = v->clusterDim.y = v->clusterDim.z = 1;
    return answer("cuGraphKernelNodeGetAttribute");
}

static CUresult real_cuGraphKernelNodeSetParams_v2(struct node *n, const CUDA_KERNEL_NODE_PARAMS *p)
{
    n->letter = (char)p->gridDimX;
    return answer("cuGraphKernelNodeSetParams_v2");
}

static CUresult real_cuGraphChildGraphNodeGetGraph(const struct node *n, struct graph **child)
{
    *child = n->child;
    return answer("cuGraphChildGraphNodeGetGraph");
}

static CUresult real_cuGraphNodeFindInClone(struct node **out, const struct node *of, const struct graph *in)
{
    for (size_t i = 0; i < in->count; i++)
        if (in->nodes[i]->of == of) {
            *out = in->nodes[i];
            return answer("cuGraphNodeFindInClone");
        }
    return CUDA_ERROR_INVALID_VALUE;
}

static struct graph *all[400]; /* those that a node may be taken out of */

static CUresult real_cuGraphDestroyNode(struct node *n)
{
    for (size_t g = 0; all[g]; g++)
        for (size_t i = 0; i < all[g]->count; i++)
            if (all[g]->nodes[i] == n) {
                memmove(&all[g]->nodes[i], &all[g]->nodes[i + 1], (--all[g]->count - i) * sizeof n);
                return answer("cuGraphDestroyNode");
            }
    return CUDA_ERROR_INVALID_VALUE;
}

static CUresult real_cuGraphClone_kept(struct graph **out, const struct graph *g)
{
    const CUresult result = real_cuGraphClone(out, g);
    size_t n = 0;

    while (all[n])
        n++;
    if (result == CUDA_SUCCESS)
        all[n] = *out;
    return result;
}

static CUresult instantiate(struct graph **out, const struct graph *g, const char *name)
{
    const CUresult result = answer(name);

    if (result == CUDA_SUCCESS)
        *out = copy_of(g);
    return result;
}

#define INSTANTIATES(name)                                                                                             \
    static CUresult real_##name(struct graph **out, const struct graph *g)                                             \
    {                                                                                                                  \
        return instantiate(out, g, #name);                                                                             \
    }
INSTANTIATES(cuGraphInstantiate)
INSTANTIATES(cuGraphInstantiate_v2)
INSTANTIATES(cuGraphInstantiateWithFlags)
INSTANTIATES(cuGraphInstantiateWithParams)
INSTANTIATES(cuGraphInstantiateWithParams_ptsz)

static CUresult real_cuGraphExecDestroy(void)
{
    return answer("cuGraphExecDestroy");
}

static CUresult real_cuGraphDestroy(void)
{
    return answer("cuGraphDestroy");
}

/* The node of the executable graph that was made of this one. */
static struct node *in_exec(struct graph *exec, const struct node *of)
{
    for (size_t i = 0; i < exec->count; i++)
        if (exec->nodes[i]->of == of)
            return exec->nodes[i];
    return NULL;
}

static CUresult real_cuGraphNodeSetEnabled(struct graph *exec, const struct node *of, unsigned on)
{
    struct node *n = in_exec(exec, of);

    if (!n)
        return CUDA_ERROR_INVALID_VALUE;
    n->off = !on;
    return answer("cuGraphNodeSetEnabled");
}

static CUresult real_cuGraphExecKernelNodeSetParams_v2(struct graph *exec, const struct node *of,
                                                       const CUDA_KERNEL_NODE_PARAMS *p)
{
    struct node *n = in_exec(exec, of);

    if (!n)
        return CUDA_ERROR_INVALID_VALUE;
    n->letter = (char)p->gridDimX;
    return answer("cuGraphExecKernelNodeSetParams_v2");
}

static CUresult real_cuGraphExecChildGraphNodeSetParams(void)
{
    return answer("cuGraphExecChildGraphNodeSetParams");
}

static CUresult update(struct graph *exec, const struct graph *g, const char *name)
{
    const CUresult result = answer(name);

    if (result == CUDA_SUCCESS)
        *exec = *copy_of(g);
    return result;
}

static CUresult real_cuGraphExecUpdate(struct graph *exec, const struct graph *g)
{
    return update(exec, g, "cuGraphExecUpdate");
}

static CUresult real_cuGraphExecUpdate_v2(struct graph *exec, const struct graph *g)
{
    return update(exec, g, "cuGraphExecUpdate_v2");
}

static CUresult launch(const struct graph *exec, const char *name)
{
    const CUresult result = answer(name);

    if (result == CUDA_SUCCESS)
        run(exec);
    return result;
}

static CUresult real_cuGraphLaunch(const struct graph *exec)
{
    return launch(exec, "cuGraphLaunch");
}

static CUresult real_cuGraphLaunch_ptsz(const struct graph *exec)
{
    return launch(exec, "cuGraphLaunch_ptsz");
}

void *inject_real(const char *name)
{
    static const struct {
        const char *name;
        void *function;
    } has[] = {
#define HAS(f) { #f, (void *)(uintptr_t)real_##f }
        HAS(cuModuleLoadData),
        HAS(cuModuleGetFunction),
        HAS(cuLibraryGetKernel),
        { "cuLibraryLoadData", (void *)(uintptr_t)real_cuModuleLoadData },
        HAS(cuKernelGetFunction),
        HAS(cuCtxSynchronize),
        HAS(cuStreamBeginCapture),
        HAS(cuStreamBeginCapture_ptsz),
        HAS(cuStreamBeginCapture_v2),
        HAS(cuStreamBeginCapture_v2_ptsz),
        HAS(cuStreamBeginCaptureToGraph),
        HAS(cuStreamBeginCaptureToGraph_ptsz),
        HAS(cuStreamEndCapture),
        { "cuStreamEndCapture_ptsz", (void *)(uintptr_t)real_cuStreamEndCapture },
        HAS(cuStreamIsCapturing),
        { "cuStreamIsCapturing_ptsz", (void *)(uintptr_t)real_cuStreamIsCapturing },
        HAS(cuLaunchKernel),
        { "cuGraphClone", (void *)(uintptr_t)real_cuGraphClone_kept },
        HAS(cuGraphGetNodes),
        HAS(cuGraphGetEdges),
        HAS(cuGraphGetEdges_v2),
        HAS(cuGraphNodeGetType),
        HAS(cuGraphKernelNodeGetParams_v2),
        HAS(cuGraphKernelNodeGetAttribute),
        HAS(cuGraphKernelNodeSetParams_v2),
        HAS(cuGraphChildGraphNodeGetGraph),
        HAS(cuGraphNodeFindInClone),
        HAS(cuGraphDestroyNode),
        HAS(cuGraphInstantiate),
        HAS(cuGraphInstantiate_v2),
        HAS(cuGraphInstantiateWithFlags),
        HAS(cuGraphInstantiateWithParams),
        HAS(cuGraphInstantiateWithParams_ptsz),
        HAS(cuGraphExecDestroy),
        HAS(cuGraphDestroy),
        HAS(cuGraphNodeSetEnabled),
        HAS(cuGraphExecKernelNodeSetParams_v2),
        HAS(cuGraphExecChildGraphNodeSetParams),
        HAS(cuGraphExecUpdate),
        HAS(cuGraphExecUpdate_v2),
        HAS(cuGraphLaunch),
        HAS(cuGraphLaunch_ptsz),
#undef HAS
    };

    for (size_t i = 0; i < sizeof has / sizeof *has; i++)
        if (!strcmp(name, has[i].name) && (!driver.absent || strcmp(name, driver.absent) != 0))
            return has[i].function;
    return NULL;
}

static CUresult none(void)
{
    return CUDA_ERROR_NOT_FOUND;
}

void *inject_own(const char *name)
{
    return inject_real(name) ? inject_real(name) : (void *)(uintptr_t)none;
}

#endif
// SPDX-License-Identifier: Apache-2.0
