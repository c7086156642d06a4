/* Graphs: streams that are being captured, and of each executable graph a copy of what it was made of, with what was
 * changed in it since. */
#include "harness/inject/inject.h"

#include <pthread.h>
#include <stdlib.h>

#include "harness/base/room.h"

static struct inject_graph *graphs;
static unsigned captured; /* streams at this moment */
static bool said;         /* that a graph cannot be copied */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- streams ------------------------------------------------------------------------------------------------------
 */

bool inject_capturing(void)
{
    bool some;

    pthread_mutex_lock(&lock);
    some = captured;
    pthread_mutex_unlock(&lock);
    return some;
}

static CUresult began(CUresult result)
{
    pthread_mutex_lock(&lock);
    captured += result == CUDA_SUCCESS;
    pthread_mutex_unlock(&lock);
    return result;
}

/* A capture that went wrong ends too, unless the call was no end of it. */
static CUresult ended(CUresult result, CUstream stream, const char *is_capturing)
{
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    const bool still = result != CUDA_SUCCESS &&
                       INJECT_REAL(cuStreamIsCapturing, is_capturing)(stream, &status) == CUDA_SUCCESS &&
                       status != CU_STREAM_CAPTURE_STATUS_NONE;

    pthread_mutex_lock(&lock);
    captured -= captured && !still && result != CUDA_ERROR_ILLEGAL_STATE;
    pthread_mutex_unlock(&lock);
    return result;
}

CUresult cuStreamBeginCapture(CUstream stream)
{
    return began(INJECT_REAL(cuStreamBeginCapture, "cuStreamBeginCapture")(stream));
}

CUresult cuStreamBeginCapture_ptsz(CUstream stream)
{
    return began(INJECT_REAL(cuStreamBeginCapture, "cuStreamBeginCapture_ptsz")(stream));
}

CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode)
{
    return began(INJECT_REAL(cuStreamBeginCapture_v2, "cuStreamBeginCapture_v2")(stream, mode));
}

CUresult cuStreamBeginCapture_v2_ptsz(CUstream stream, CUstreamCaptureMode mode)
{
    return began(INJECT_REAL(cuStreamBeginCapture_v2, "cuStreamBeginCapture_v2_ptsz")(stream, mode));
}

CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph, const CUgraphNode *behind,
                                     const CUgraphEdgeData *how, size_t n, CUstreamCaptureMode mode)
{
    return began(
        INJECT_REAL(cuStreamBeginCaptureToGraph, "cuStreamBeginCaptureToGraph")(stream, graph, behind, how, n, mode));
}

CUresult cuStreamBeginCaptureToGraph_ptsz(CUstream stream, CUgraph graph, const CUgraphNode *behind,
                                          const CUgraphEdgeData *how, size_t n, CUstreamCaptureMode mode)
{
    return began(INJECT_REAL(cuStreamBeginCaptureToGraph, "cuStreamBeginCaptureToGraph_ptsz")(stream, graph, behind,
                                                                                              how, n, mode));
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph)
{
    return ended(INJECT_REAL(cuStreamEndCapture, "cuStreamEndCapture")(stream, graph), stream, "cuStreamIsCapturing");
}

CUresult cuStreamEndCapture_ptsz(CUstream stream, CUgraph *graph)
{
    return ended(INJECT_REAL(cuStreamEndCapture, "cuStreamEndCapture_ptsz")(stream, graph), stream,
                 "cuStreamIsCapturing_ptsz");
}

/* ---- executable graphs --------------------------------------------------------------------------------------------
 */

/* Where the list points to the one with this handle. */
static struct inject_graph **place_of(CUgraphExec exec)
{
    struct inject_graph **at = &graphs;

    while (*at && (*at)->exec != exec)
        at = &(*at)->next;
    return at;
}

/* The copy of `graph` as it is now. */
static void copy_of(struct inject_graph *g, CUgraph graph)
{
    if (g->copy)
        INJECT_REAL(cuGraphDestroy, "cuGraphDestroy")(g->copy);
    g->copy = NULL;
    g->off_count = 0;
    g->unclear = NULL;
    if (INJECT_REAL(cuGraphClone, "cuGraphClone")(&g->copy, graph) == CUDA_SUCCESS)
        return;
    g->copy = NULL;
    if (!said)
        inject_say("the driver copies no graph with nodes of memory or of conditions: its kernels are not seen");
    said = true;
}

static void forget(struct inject_graph **at)
{
    struct inject_graph *g = *at;

    if (!g)
        return;
    *at = g->next;
    if (g->copy)
        INJECT_REAL(cuGraphDestroy, "cuGraphDestroy")(g->copy);
    free(g->off);
    free(g);
}

static CUresult instantiated(CUresult result, const CUgraphExec *exec, CUgraph graph)
{
    struct inject_graph *g;

    if (result != CUDA_SUCCESS || !inject_open())
        return result;
    pthread_mutex_lock(&lock);
    forget(place_of(*exec));
    g = calloc(1, sizeof *g);
    if (g) {
        g->exec = *exec;
        copy_of(g, graph);
        g->next = graphs;
        graphs = g;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

CUresult cuGraphInstantiate(CUgraphExec *exec, CUgraph graph, CUgraphNode *wrong, char *log, size_t bytes)
{
    return instantiated(INJECT_REAL(cuGraphInstantiate, "cuGraphInstantiate")(exec, graph, wrong, log, bytes), exec,
                        graph);
}

CUresult cuGraphInstantiate_v2(CUgraphExec *exec, CUgraph graph, CUgraphNode *wrong, char *log, size_t bytes)
{
    return instantiated(INJECT_REAL(cuGraphInstantiate_v2, "cuGraphInstantiate_v2")(exec, graph, wrong, log, bytes),
                        exec, graph);
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph, unsigned long long flags)
{
    return instantiated(INJECT_REAL(cuGraphInstantiateWithFlags, "cuGraphInstantiateWithFlags")(exec, graph, flags),
                        exec, graph);
}

CUresult cuGraphInstantiateWithParams(CUgraphExec *exec, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS *params)
{
    return instantiated(INJECT_REAL(cuGraphInstantiateWithParams, "cuGraphInstantiateWithParams")(exec, graph, params),
                        exec, graph);
}

CUresult cuGraphInstantiateWithParams_ptsz(CUgraphExec *exec, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS *params)
{
    return instantiated(
        INJECT_REAL(cuGraphInstantiateWithParams, "cuGraphInstantiateWithParams_ptsz")(exec, graph, params), exec,
        graph);
}

CUresult cuGraphExecDestroy(CUgraphExec exec)
{
    pthread_mutex_lock(&lock);
    forget(place_of(exec));
    pthread_mutex_unlock(&lock);
    return INJECT_REAL(cuGraphExecDestroy, "cuGraphExecDestroy")(exec);
}

/* ---- what is changed in them --------------------------------------------------------------------------------------
 */

static CUresult updated(CUresult result, CUgraphExec exec, CUgraph graph)
{
    struct inject_graph *g;

    pthread_mutex_lock(&lock);
    g = *place_of(exec);
    if (g && result == CUDA_SUCCESS)
        copy_of(g, graph);
    pthread_mutex_unlock(&lock);
    return result;
}

CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphNode *wrong, CUgraphExecUpdateResult *why)
{
    return updated(INJECT_REAL(cuGraphExecUpdate, "cuGraphExecUpdate")(exec, graph, wrong, why), exec, graph);
}

CUresult cuGraphExecUpdate_v2(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo *about)
{
    return updated(INJECT_REAL(cuGraphExecUpdate_v2, "cuGraphExecUpdate_v2")(exec, graph, about), exec, graph);
}

/* The node of the copy of an executable graph that a node of the program's graph is; NULL: there is none. */
static CUgraphNode twin(struct inject_graph *g, CUgraphNode node)
{
    CUgraphNode found = NULL;

    if (g && g->copy &&
        INJECT_REAL(cuGraphNodeFindInClone, "cuGraphNodeFindInClone")(&found, node, g->copy) != CUDA_SUCCESS)
        found = NULL;
    if (g && !found)
        g->unclear = "a node was changed of the graph that it was made of before it was updated";
    return found;
}

/* A function that changes a node of an executable graph, with the one that changes a node of a graph alike. */
#define SETS(name, set, type, ...)                                                                                     \
    {                                                                                                                  \
        const CUresult result = INJECT_REAL(name, #name)(exec, node, __VA_ARGS__);                                     \
        pthread_mutex_lock(&lock);                                                                                     \
        struct inject_graph *const g = *place_of(exec);                                                                \
        const CUgraphNode own = result == CUDA_SUCCESS ? twin(g, node) : NULL;                                         \
        CUresult (*const like)(CUgraphNode, type) = (CUresult(*)(CUgraphNode, type))inject_own(set);                   \
        if (own && like(own, what) != CUDA_SUCCESS)                                                                    \
            g->unclear = #name " was called";                                                                          \
        pthread_mutex_unlock(&lock);                                                                                   \
        return result;                                                                                                 \
    }
#define CHANGES(name, set, type)                                                                                       \
    CUresult name(CUgraphExec exec, CUgraphNode node, type what) SETS(name, set, type, what)
#define CHANGES_IN(name, set, type)                                                                                    \
    CUresult name(CUgraphExec exec, CUgraphNode node, type what, CUcontext context) SETS(name, set, type, what, context)

CHANGES(cuGraphExecKernelNodeSetParams, "cuGraphKernelNodeSetParams", const CUDA_KERNEL_NODE_PARAMS_v1 *)
CHANGES(cuGraphExecKernelNodeSetParams_v2, "cuGraphKernelNodeSetParams_v2", const CUDA_KERNEL_NODE_PARAMS *)
CHANGES_IN(cuGraphExecMemcpyNodeSetParams, "cuGraphMemcpyNodeSetParams", const CUDA_MEMCPY3D *)
CHANGES_IN(cuGraphExecMemsetNodeSetParams, "cuGraphMemsetNodeSetParams", const CUDA_MEMSET_NODE_PARAMS *)
CHANGES(cuGraphExecHostNodeSetParams, "cuGraphHostNodeSetParams", const CUDA_HOST_NODE_PARAMS *)
CHANGES(cuGraphExecEventRecordNodeSetEvent, "cuGraphEventRecordNodeSetEvent", CUevent)
CHANGES(cuGraphExecEventWaitNodeSetEvent, "cuGraphEventWaitNodeSetEvent", CUevent)
CHANGES(cuGraphExecBatchMemOpNodeSetParams, "cuGraphBatchMemOpNodeSetParams", const CUDA_BATCH_MEM_OP_NODE_PARAMS *)
CHANGES(cuGraphExecExternalSemaphoresSignalNodeSetParams, "cuGraphExternalSemaphoresSignalNodeSetParams",
        const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *)
CHANGES(cuGraphExecExternalSemaphoresWaitNodeSetParams, "cuGraphExternalSemaphoresWaitNodeSetParams",
        const CUDA_EXT_SEM_WAIT_NODE_PARAMS *)
CHANGES(cuGraphExecNodeSetParams, "cuGraphNodeSetParams", CUgraphNodeParams *)
/* A graph's child is changed by no function. */
CHANGES(cuGraphExecChildGraphNodeSetParams, "", CUgraph)

CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node, unsigned on)
{
    const CUresult result = INJECT_REAL(cuGraphNodeSetEnabled, "cuGraphNodeSetEnabled")(exec, node, on);
    struct inject_graph *g;
    CUgraphNode own, *all;

    pthread_mutex_lock(&lock);
    g = *place_of(exec);
    own = result == CUDA_SUCCESS ? twin(g, node) : NULL;
    for (size_t i = 0; own && i < g->off_count; i++)
        if (g->off[i] == own)
            g->off[i--] = g->off[--g->off_count];
    if (own && !on && (all = ck_room(g->off, g->off_count, &g->off_room, 16, sizeof *all))) {
        g->off = all;
        g->off[g->off_count++] = own;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

/* ---- their launches -----------------------------------------------------------------------------------------------
 */

static CUresult launched(CUgraphExec exec, CUstream stream, inject_graph_launch *launch)
{
    const struct inject_graph *g = NULL;
    CUresult result;

    if (inject_capturing() || !inject_open())
        return launch(exec, stream);
    pthread_mutex_lock(&lock);
    g = *place_of(exec);
    result = g && g->copy ? inject_launch_parts(g, stream, launch) : launch(exec, stream);
    pthread_mutex_unlock(&lock);
    return result;
}

CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream)
{
    return launched(exec, stream, INJECT_REAL(cuGraphLaunch, "cuGraphLaunch"));
}

CUresult cuGraphLaunch_ptsz(CUgraphExec exec, CUstream stream)
{
    return launched(exec, stream, INJECT_REAL(cuGraphLaunch, "cuGraphLaunch_ptsz"));
}
// SPDX-License-Identifier: Apache-2.0
