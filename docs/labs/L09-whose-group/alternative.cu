/* Cubes `tiles` tiles of TILE numbers each: out[i] = in[i] * in[i] * in[i].
 *
 * The threads put a tile of results into shared memory, and one bulk copy takes it to global memory. Two buffers take
 * turns: while a store reads the one, the threads write the next tile into the other. */
#include "lab.cuh"

#define TILE 128 /* numbers in a tile: one for each thread of the block */

extern "C" __global__ void cube(const float *in, float *out, uint32_t tiles)
{
    __shared__ alignas(16) float buffer[2][TILE];

    for (uint32_t tile = 0; tile < tiles; tile++) {
        float *mine = buffer[tile % 2];
        float x = in[tile * TILE + threadIdx.x];
        mine[threadIdx.x] = x * x * x;

        /* Each thread makes what it wrote visible to the copy engine. The store of the round before has had the time
         * of a tile; when it has read its buffer, all threads meet. */
        fence_proxy_async_shared();
        if (threadIdx.x == 0)
            cp_async_bulk_wait_group_read(0);
        __syncthreads();

        /* One thread stores the whole tile. */
        if (threadIdx.x == 0) {
            cp_async_bulk_store(&out[tile * TILE], mine, TILE * sizeof(float));
            cp_async_bulk_commit_group();
        }
    }

    /* The block stays until the last store has read its buffer. */
    if (threadIdx.x == 0)
        cp_async_bulk_wait_group_read(0);
}
