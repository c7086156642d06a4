/* Right bytes, but no asynchronous copy: each thread loads and stores. */
#include "lab.cuh"

enum { MOST_THREADS = 128 };

extern "C" __global__ void reverse(float *out, const float *in)
{
    __shared__ __align__(16) float tile[4 * MOST_THREADS];
    const unsigned t = threadIdx.x;
    const unsigned size = 4 * blockDim.x;
    const unsigned start = blockIdx.x * size; /* of this CTA's tile */

    for (unsigned i = t; i < size; i += blockDim.x)
        tile[i] = in[start + i];
    __syncthreads();

    for (unsigned i = t; i < size; i += blockDim.x)
        out[start + i] = tile[size - 1 - i];
}
