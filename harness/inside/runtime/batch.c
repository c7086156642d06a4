/* Copies in batches: each is an operation of its own. */
#include "harness/inside/runtime/copy.h"

/* In toolkit 12 an argument for the number of the copy that failed stands before the stream. That one is then an
 * argument behind those that are declared here; nothing but a capture would need it. */
cudaError_t cudaMemcpyBatchAsync(void *const *to, const void *const *from, const size_t *bytes, size_t count,
                                 struct cudaMemcpyAttributes *attributes, size_t *which, size_t attribute_count,
                                 cudaStream_t stream)
{
    CUresult result = runtime_begin();
    struct stream *s = stream_of(runtime_is_12() ? NULL : (CUstream)stream);

    if (result == CUDA_SUCCESS && (!to || !from || !bytes || !count || !attributes || !which || !attribute_count ||
                                   attribute_count > count || which[0]))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && s && stream_is_default(s) && !runtime_is_12())
        result = CUDA_ERROR_INVALID_VALUE; /* the default stream takes no batches */
    if (result == CUDA_SUCCESS && !s)
        result = CUDA_ERROR_INVALID_HANDLE;
    for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++) {
        struct operation op = operation_copy(to[i], from[i], bytes[i]);
        result = to[i] && from[i] ? stream_put(s, &op) : CUDA_ERROR_INVALID_VALUE;
    }
    return runtime_end(result);
}
// SPDX-License-Identifier: Apache-2.0
