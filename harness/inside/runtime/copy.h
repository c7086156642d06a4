/* Copies as operations: what the calls, the nodes of graphs and the batches share. */
#ifndef COPYCHECK_INSIDE_COPY_H
#define COPYCHECK_INSIDE_COPY_H

#include "harness/inside/device/array.h"
#include "harness/inside/runtime/runtime.h"

/* The operation of a copy in up to three dimensions. */
CUresult copy_of_box(const struct cudaMemcpy3DParms *p, struct operation *out);
/* Of a copy to or from a variable of the program; `other` is the other side. */
CUresult copy_of_symbol(const void *symbol, void *other, size_t bytes, size_t offset, bool to_symbol,
                        struct operation *out);
/* Of a set; `element` bytes are 1, 2 or 4. */
CUresult set_of(const struct cudaMemsetParams *p, struct operation *out);
/* A direction that there is; cudaErrorInvalidMemcpyDirection otherwise. */
CUresult copy_direction(enum cudaMemcpyKind kind);
/* Puts an operation into a stream, behind `result`; `waits`: the call waits for it. Ends the call. */
cudaError_t copy_end(CUresult result, struct operation *op, cudaStream_t stream, bool waits);
/* The format of a channel descriptor: kind, bits and channels of `out`; cudaErrorInvalidChannelDescriptor. And back. */
CUresult format_of(const struct cudaChannelFormatDesc *f, struct emu_texture *out);
struct cudaChannelFormatDesc format_from(const struct emu_texture *x);
/* The array of a handle, or NULL. */
struct array *array_of(cudaArray_const_t handle);

#endif
// SPDX-License-Identifier: Apache-2.0
