/* Cubes `tiles` tiles of TILE numbers each: out[i] = in[i] * in[i] * in[i].
 *
 * The threads put a tile of results into shared memory, and one bulk copy takes it to global memory. There is one
 * buffer for all tiles: a tile may be written into it only when the store before has read it to the end. */
#include "lab.cuh"

#define TILE 128 /* numbers in a tile: one for each thread of the block */

extern "C" __global__ void cube(const float *in, float *out, uint32_t tiles)
{
    __shared__ alignas(16) float buffer[TILE];

    for (uint32_t tile = 0; tile < tiles; tile++) {
        float x = in[tile * TILE + threadIdx.x];
        buffer[threadIdx.x] = x * x * x;

        /* Each thread makes what it wrote visible to the copy engine; then all threads meet. */
        fence_proxy_async_shared();
        __syncthreads();

        /* One thread stores the whole tile. */
        if (threadIdx.x == 0) {
            cp_async_bulk_store(&out[tile * TILE], buffer, TILE * sizeof(float));
            cp_async_bulk_commit_group();
        }

        if (threadIdx.x == 0)
            cp_async_bulk_wait_group_read(0);
    }
}
