/* Right, but without what the lab is about: the threads load the pixels themselves and look where the image ends. */
#include "lab.cuh"

constexpr int TILE_W = 32, TILE_H = 4; /* pixels, each a float */

extern "C" __global__ void blur(float *out, const float *in, int width, int height,
                                const __grid_constant__ CUtensorMap in_map, const __grid_constant__ CUtensorMap out_map)
{
    __shared__ alignas(128) float tile[TILE_H][TILE_W];
    __shared__ alignas(8) uint64_t bar;
    const int x = blockIdx.x * TILE_W, y = blockIdx.y * TILE_H;
    const int column = threadIdx.x, row = threadIdx.y;
    const bool leader = column == 0 && row == 0;

    if (leader) {
        mbarrier_init(&bar, 1);
        fence_mbarrier_init();
    }
    __syncthreads();

    if (leader) {
        mbarrier_arrive(&bar);
    }
    mbarrier_wait_parity(&bar, 0);

    float sum = 0;
    for (int i = x + column - 1; i <= x + column + 1; i++)
        if (i >= 0 && i < width && y + row < height)
            sum += in[(y + row) * width + i];
    tile[row][column] = sum;

    fence_proxy_async_shared(); /* what this thread wrote, before the copy that reads it: see L08 */
    __syncthreads();
    if (leader) {
        cp_async_bulk_tensor_2d_store(&out_map, x, y, tile);
        cp_async_bulk_commit_group();
        cp_async_bulk_wait_group(0);
    }
}
