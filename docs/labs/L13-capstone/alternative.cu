/* C = A * B, by tiles that tensor copies bring.
 *
 * A block of TILE by TILE threads computes one tile of C. It goes through a row of tiles of A and a column of tiles of B;
 * each thread adds up one number of C. There are STAGES pairs of tiles in shared memory: while the threads multiply one
 * pair, the copies of the next ones are under way. */
#include "lab.cuh"

#define TILE   8 /* rows and columns of a tile; real kernels take 64 or 128 */
#define STAGES 2

struct stage {
    alignas(128) float a[TILE][TILE];
    alignas(128) float b[TILE][TILE];
};

extern "C" __global__ void product(const __grid_constant__ CUtensorMap a_map, const __grid_constant__ CUtensorMap b_map,
                                   float *c, uint32_t columns, uint32_t steps)
{
    __shared__ struct stage stages[STAGES];
    __shared__ uint64_t full[STAGES];  /* the mbarriers: this stage's tiles have come */
    __shared__ uint64_t empty[STAGES]; /* and: all threads have left this stage */

    uint32_t x = threadIdx.x, y = threadIdx.y;
    uint32_t left = blockIdx.x * TILE, top = blockIdx.y * TILE;
    bool leader = x == 0 && y == 0;

    /* Fills stage `step % STAGES` with the tiles of this step. */
    auto load = [&](uint32_t step) {
        struct stage *to = &stages[step % STAGES];
        uint64_t *bar = &full[step % STAGES];
        mbarrier_arrive_expect_tx(bar, sizeof to->a + sizeof to->b);
        cp_async_bulk_tensor_2d_load(to->a, &a_map, step * TILE, top, bar);
        cp_async_bulk_tensor_2d_load(to->b, &b_map, left, step * TILE, bar);
    };

    if (leader) {
        for (uint32_t s = 0; s < STAGES; s++) {
            mbarrier_init(&full[s], 1);
            mbarrier_init(&empty[s], TILE * TILE);
        }
        fence_mbarrier_init();
        for (uint32_t step = 0; step < STAGES && step < steps; step++)
            load(step);
    }
    __syncthreads();

    float sum = 0;
    for (uint32_t step = 0; step < steps; step++) {
        struct stage *now = &stages[step % STAGES];
        mbarrier_wait_parity(&full[step % STAGES], step / STAGES % 2);
        for (uint32_t i = 0; i < TILE; i++)
            sum += now->a[y][i] * now->b[i][x];

        /* When all threads are done with this stage, the tiles of a later step may come into it. */
        mbarrier_arrive(&empty[step % STAGES]);
        if (leader && step + STAGES < steps) {
            mbarrier_wait_parity(&empty[step % STAGES], step / STAGES % 2);
            load(step + STAGES);
        }
    }
    c[(top + y) * columns + left + x] = sum;
}
