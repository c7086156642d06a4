/* Sums of columns, with a pipeline of copies.
 *
 * The input of each CTA is a row of tiles, four floats for each of its threads in each tile. Thread t adds up elements
 * t, t + T, t + 2T and t + 3T of every tile, where T is the number of threads. Most of these have been copied by other
 * threads, because a thread copies four floats that lie next to each other.
 *
 * While the threads work on one tile, the next ones are on their way: shared memory has three stages, and tile k is in
 * stage k % 3. Each round commits one group, so that group k is tile k. */
#include "lab.cuh"

enum { MOST_THREADS = 64, STAGES = 3 };

/* Starts this thread's part of the copy of a tile. */
__device__ static void fetch(float *stage, const float *tile)
{
    cp_async_16(&stage[4 * threadIdx.x], &tile[4 * threadIdx.x]);
}

extern "C" __global__ void column_sums(float *sums, const float *in, unsigned tiles)
{
    __shared__ __align__(16) float stage[STAGES][4 * MOST_THREADS];
    const unsigned t = threadIdx.x, threads = blockDim.x, size = 4 * threads;
    const float *row = in + blockIdx.x * tiles * size;
    float sum = 0;

    for (unsigned k = 0; k < STAGES - 1; k++) { /* tiles 0 and 1; there are at least two */
        fetch(stage[k], row + k * size);
        cp_async_commit_group();
    }
    for (unsigned k = 0; k < tiles; k++) {
        cp_async_wait_group(STAGES - 1); /* two groups stay in flight */
        __syncthreads();
        for (unsigned i = t; i < size; i += threads)
            sum += stage[k % STAGES][i];
        const unsigned next = k + STAGES - 1;
        if (next < tiles)
            fetch(stage[next % STAGES], row + next * size);
        cp_async_commit_group(); /* also where there is nothing to fetch: an empty group */
    }
    sums[blockIdx.x * threads + t] = sum;
}
