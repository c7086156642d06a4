/* Reverses tiles of numbers.
 *
 * Each CTA (thread block) has one tile: four floats for each of its threads. It brings the tile from `in` to shared
 * memory with cp.async, 16 bytes a thread, and writes it to `out` back to front:
 *
 *     in   | 0 1 2 3 4 5 6 7 ... |      out  | ... 7 6 5 4 3 2 1 0 |
 *
 * A thread copies four floats that lie next to each other, but it writes other ones: floats that other threads have
 * copied. */
#include "lab.cuh"

enum { MOST_THREADS = 128 };

extern "C" __global__ void reverse(float *out, const float *in)
{
    __shared__ __align__(16) float tile[4 * MOST_THREADS];
    const unsigned t = threadIdx.x;
    const unsigned size = 4 * blockDim.x;
    const unsigned start = blockIdx.x * size; /* of this CTA's tile */

    cp_async_16(&tile[4 * t], &in[start + 4 * t]);
    cp_async_commit_group();
    __syncthreads();

    for (unsigned i = t; i < size; i += blockDim.x)
        out[start + i] = tile[size - 1 - i];
}
