/* Right bytes without an mbarrier. */
#include "lab.cuh"

enum { MOST_THREADS = 128 };

union scratch {
    float part[MOST_THREADS]; /* a result of each thread */
};

extern "C" __global__ void roughness(float *out, const float *in)
{
    __shared__ float number[MOST_THREADS];
    __shared__ union scratch scratch;
    const unsigned t = threadIdx.x, threads = blockDim.x;

    const float x = in[blockIdx.x * threads + t];
    number[t] = x;
    float result = x * x;
    __syncthreads();
    result -= x * number[(t + 1) % threads];

    __syncthreads();

    scratch.part[t] = result;
    __syncthreads();
    if (t == 0) {
        float sum = 0;
        for (unsigned i = 0; i < threads; i++)
            sum += scratch.part[i];
        out[blockIdx.x] = sum;
    }
}
