/* L08: reverses an array of tiles * 256 floats: the last float of `in` becomes the first one of `out`.
 *
 * A CTA takes one tile after another. Its threads write the tile into shared memory in reverse order, with ordinary
 * stores. When all have written, thread 0 stores the whole tile with one bulk copy. It waits until the copy has read
 * the tile, so that all can write the next one there. */
#include "lab.cuh"

constexpr unsigned TILE = 256; /* floats */

extern "C" __global__ void mirror(float *out, const float *in, unsigned tiles)
{
    __shared__ alignas(16) float tile[TILE];

    for (unsigned t = blockIdx.x; t < tiles; t += gridDim.x) {
        for (unsigned i = threadIdx.x; i < TILE; i += blockDim.x)
            tile[TILE - 1 - i] = in[t * TILE + i];
        __syncthreads();

        if (threadIdx.x == 0) {
            cp_async_bulk_store(out + (tiles - 1 - t) * TILE, tile, sizeof tile);
            cp_async_bulk_commit_group();
            cp_async_bulk_wait_group_read(0);
        }
        __syncthreads();
    }
}
