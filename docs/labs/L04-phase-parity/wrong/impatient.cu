/* Asks some times whether the phase is over, and goes on even if it is not. */
#include "lab.cuh"

enum { MOST_THREADS = 64 };

extern "C" __global__ void smooth(float *out, const float *in, unsigned steps)
{
    __shared__ float ring[2][MOST_THREADS];
    __shared__ uint64_t bar;
    const unsigned t = threadIdx.x, threads = blockDim.x;
    const unsigned left = (t + threads - 1) % threads, right = (t + 1) % threads;

    if (t == 0)
        mbarrier_init(&bar, threads);
    ring[0][t] = in[blockIdx.x * threads + t];
    __syncthreads(); /* the mbarrier is made, and ring 0 is full */

    for (unsigned k = 0; k < steps; k++) {
        const float *from = ring[k % 2];
        float *to = ring[(k + 1) % 2];

        to[t] = from[left] + from[right];
        mbarrier_arrive(&bar); /* my place is written */
        for (unsigned tries = 0; tries < 100; tries++)
            if (mbarrier_test_wait_parity(&bar, k % 2))
                break;
    }
    out[blockIdx.x * threads + t] = ring[steps % 2][t];
}
