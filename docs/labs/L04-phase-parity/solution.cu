/* Smooths a ring of numbers, several times over.
 *
 * Each CTA has one ring, each thread one place in it. In every step a thread puts the sum of its left and its right
 * neighbour into its place. There are two rings in shared memory, so that a step reads one and writes the other:
 *
 *     step 0   reads ring[0], writes ring[1]
 *     step 1   reads ring[1], writes ring[0]
 *     step 2   reads ring[0] ...
 *
 * Between two steps the threads meet at an mbarrier: step k is its phase k. */
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
        mbarrier_arrive(&bar);             /* my place is written */
        mbarrier_wait_parity(&bar, k % 2); /* all places are written: phase k is over */
    }
    out[blockIdx.x * threads + t] = ring[steps % 2][t];
}
