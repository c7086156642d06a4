/* The size is rounded down to a multiple of 16, and the last floats are read from a tile that nobody has filled there.
 */
#include "lab.cuh"

constexpr unsigned TILE = 256; /* floats */

extern "C" __global__ void scale(float *out, const float *in, float factor, unsigned n)
{
    __shared__ alignas(16) float tile[TILE];
    __shared__ alignas(8) uint64_t bar;
    const unsigned first = blockIdx.x * TILE;
    const unsigned count = n - first < TILE ? n - first : TILE;
    const unsigned whole = count & ~3u; /* a bulk copy takes 16 bytes at a time: four floats */

    if (threadIdx.x == 0) {
        mbarrier_init(&bar, 1);
        fence_mbarrier_init();
    }
    __syncthreads();

    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(&bar, whole * sizeof(float));
        cp_async_bulk_load(tile, in + first, whole * sizeof(float), &bar);
    }
    mbarrier_wait_parity(&bar, 0);

    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        out[first + i] = factor * tile[i];
}
