/* No barrier is needed where a thread reads only what it copied: true, but what it writes is not the tile reversed. */
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
    cp_async_wait_group(0); /* this thread's copies are complete */

    for (unsigned i = 4 * t; i < 4 * t + 4; i++)
        out[start + i] = tile[8 * t + 3 - i];
}
