/* Cubes `tiles` tiles of TILE numbers each: out[i] = in[i] * in[i] * in[i].
 *
 * The threads put a tile of results into shared memory, and one bulk copy takes it to global memory. There is one
 * buffer for all tiles: a tile may be written into it only when the store before has read it to the end. */
#include "lab.cuh"

#define TILE 128 /* numbers in a tile: one for each thread of the block */

extern "C" __global__ void cube(const float *in, float *out, uint32_t tiles)
{
    for (uint32_t tile = 0; tile < tiles; tile++) {
        float x = in[tile * TILE + threadIdx.x];
        out[tile * TILE + threadIdx.x] = x * x * x;
    }
}
