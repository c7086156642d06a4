/* Right bytes without an mbarrier. */
#include "lab.cuh"

enum { MOST_THREADS = 64 };

extern "C" __global__ void smooth(float *out, const float *in, unsigned steps)
{
    __shared__ float ring[2][MOST_THREADS];
    const unsigned t = threadIdx.x, threads = blockDim.x;
    const unsigned left = (t + threads - 1) % threads, right = (t + 1) % threads;

    ring[0][t] = in[blockIdx.x * threads + t];
    __syncthreads(); /* ring 0 is full */

    for (unsigned k = 0; k < steps; k++) {
        const float *from = ring[k % 2];
        float *to = ring[(k + 1) % 2];

        to[t] = from[left] + from[right];
        __syncthreads();
    }
    out[blockIdx.x * threads + t] = ring[steps % 2][t];
}
