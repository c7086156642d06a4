/* Functions of the runtime that the headers of toolkit 13 do not declare: those of toolkit 12, and the profiler's. */
#ifndef COPYCHECK_INSIDE_OLD_H
#define COPYCHECK_INSIDE_OLD_H

#pragma GCC visibility push(default)
#include <cuda_runtime_api.h>

cudaError_t cudaGetDeviceProperties_v2(void *out, int number);
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
cudaError_t cudaFuncSetSharedMemConfig(const void *kernel, enum cudaSharedMemConfig config);
cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaThreadExit(void);
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);
cudaError_t cudaMemAdvise_v2(const void *at, size_t bytes, enum cudaMemoryAdvise advice, struct cudaMemLocation where);
cudaError_t cudaMemPrefetchAsync_v2(const void *at, size_t bytes, struct cudaMemLocation where, unsigned flags,
                                    cudaStream_t stream);
cudaError_t cudaEventElapsedTime_v2(float *ms, cudaEvent_t start, cudaEvent_t end);
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                        unsigned long long *id, cudaGraph_t *graph, const cudaGraphNode_t **last,
                                        size_t *count);
cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                        unsigned long long *id, cudaGraph_t *graph, const cudaGraphNode_t **last,
                                        const cudaGraphEdgeData **edges, size_t *count);
cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream, cudaGraphNode_t *after,
                                                   const cudaGraphEdgeData *edges, size_t count, unsigned flags);
cudaError_t cudaGraphInstantiate_v12000(cudaGraphExec_t *out, cudaGraph_t graph, unsigned long long flags);
cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after,
                                const cudaGraphEdgeData *edges, size_t count, struct cudaGraphNodeParams *params);
cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                        const cudaGraphEdgeData *edges, size_t count);
cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                           const cudaGraphEdgeData *edges, size_t count);
cudaError_t cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                 cudaGraphEdgeData *edges, size_t *count);
cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t *out, cudaGraphEdgeData *edges,
                                            size_t *count);
cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t *out, cudaGraphEdgeData *edges,
                                              size_t *count);
#pragma GCC visibility pop

#endif
// SPDX-License-Identifier: Apache-2.0
