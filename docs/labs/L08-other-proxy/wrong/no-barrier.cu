/* The fence in place of the barrier: "a fence orders, so the barrier can go". Right by luck, where thread 0 comes last.
 */
#include "lab.cuh"

constexpr unsigned TILE = 256; /* floats */

extern "C" __global__ void mirror(float *out, const float *in, unsigned tiles)
{
    __shared__ alignas(16) float tile[TILE];

    for (unsigned t = blockIdx.x; t < tiles; t += gridDim.x) {
        for (unsigned i = threadIdx.x; i < TILE; i += blockDim.x)
            tile[TILE - 1 - i] = in[t * TILE + i];
        fence_proxy_async_shared();
        if (threadIdx.x == 0) {
            cp_async_bulk_store(out + (tiles - 1 - t) * TILE, tile, sizeof tile);
            cp_async_bulk_commit_group();
            cp_async_bulk_wait_group_read(0);
        }
        __syncthreads();
    }
}
