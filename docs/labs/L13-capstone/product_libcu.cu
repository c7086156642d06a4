/* C = A * B with libcu++: the same product as in product.cu. To read and to compare; it needs nvcc, and copycheck check
 * judges it:
 *
 *     nvcc -ptx -arch=sm_90 -lineinfo product_libcu.cu
 *     copycheck check product_libcu.ptx --grid 2,2 --block 8,8 --arg in:2K --arg in:2K --arg out:1K --arg u32:16 --arg u32:4
 *
 * Each thread copies one number of each tile itself. The pipeline knows which stage is next, which copies belong to it,
 * and when all threads have left it. */
#include <cooperative_groups.h>
#include <cuda/pipeline>

#pragma nv_diag_suppress static_var_with_dynamic_init /* of the pipeline's state: make_pipeline initialises it */

#define TILE   8
#define STAGES 2

/* `a` and `b` are matrices of TILE * steps columns and of `columns` columns. */
extern "C" __global__ void product(const float *a, const float *b, float *c, unsigned columns, unsigned steps)
{
    __shared__ float tile_a[STAGES][TILE][TILE];
    __shared__ float tile_b[STAGES][TILE][TILE];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;

    auto pipeline = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state);
    unsigned x = threadIdx.x, y = threadIdx.y;
    unsigned left = blockIdx.x * TILE, top = blockIdx.y * TILE;

    auto load = [&](unsigned step) {
        pipeline.producer_acquire(); /* waits until all threads have left the stage */
        cuda::memcpy_async(&tile_a[step % STAGES][y][x], &a[(top + y) * TILE * steps + step * TILE + x], sizeof(float),
                           pipeline);
        cuda::memcpy_async(&tile_b[step % STAGES][y][x], &b[(step * TILE + y) * columns + left + x], sizeof(float),
                           pipeline);
        pipeline.producer_commit();
    };

    for (unsigned step = 0; step < STAGES && step < steps; step++)
        load(step);

    float sum = 0;
    for (unsigned step = 0; step < steps; step++) {
        pipeline.consumer_wait(); /* the copies of all threads into the oldest stage are complete */
        for (unsigned i = 0; i < TILE; i++)
            sum += tile_a[step % STAGES][y][i] * tile_b[step % STAGES][i][x];
        pipeline.consumer_release(); /* this thread has left it */
        if (step + STAGES < steps)
            load(step + STAGES);
    }
    c[(top + y) * columns + left + x] = sum;
}
