/* Right, but without what the lab is about: the threads store the tile themselves. */
#include "lab.cuh"

constexpr unsigned TILE = 256; /* floats */

extern "C" __global__ void mirror(float *out, const float *in, unsigned tiles)
{
    __shared__ alignas(16) float tile[TILE];

    for (unsigned t = blockIdx.x; t < tiles; t += gridDim.x) {
        for (unsigned i = threadIdx.x; i < TILE; i += blockDim.x)
            tile[TILE - 1 - i] = in[t * TILE + i];
        __syncthreads();

        for (unsigned i = threadIdx.x; i < TILE; i += blockDim.x)
            out[(tiles - 1 - t) * TILE + i] = tile[i];
        __syncthreads();
    }
}
