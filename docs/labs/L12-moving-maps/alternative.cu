/* Adds up the columns of `count` matrices: sums[m][c] is the sum of column c of matrix m.
 *
 * The matrices lie one behind the other in `in`, each with COLUMNS columns. Matrix m has the rows begin[m] to
 * begin[m + 1] - 1: at least one, at most ROWS. One warp does all the work. It has one tensor map, in global memory, and
 * moves it from matrix to matrix; rows of the box behind a matrix's end are filled with zeros, which add nothing. */
#include "lab.cuh"

#define COLUMNS 32 /* one for each thread */
#define ROWS 8     /* rows of a box */

extern "C" __global__ void column_sums(const float *in, const uint32_t *begin, CUtensorMap *map, float *sums,
                                       uint32_t count)
{
    __shared__ alignas(128) float tile[ROWS][COLUMNS];
    __shared__ uint64_t loaded;

    uint32_t column = threadIdx.x;

    if (column == 0) {
        mbarrier_init(&loaded, 1);
        fence_mbarrier_init();
    }
    __syncwarp();

    for (uint32_t m = 0; m < count; m++) {
        if (column == 0) {
            tensormap_replace_global_address(map, &in[begin[m] * COLUMNS]);
            tensormap_replace_global_dim(map, 1, begin[m + 1] - begin[m]);
            fence_proxy_tensormap_release();
        }

        if (column == 0) {
            fence_proxy_tensormap_acquire(map); /* the load is to see the map as it is now */
            mbarrier_arrive_expect_tx(&loaded, sizeof tile);
            cp_async_bulk_tensor_2d_load(tile, map, 0, 0, &loaded);
        }
        mbarrier_wait_parity(&loaded, m % 2);

        float sum = 0;
        for (uint32_t row = 0; row < ROWS; row++)
            sum += tile[row][column];
        sums[m * COLUMNS + column] = sum;
        __syncwarp(); /* all have read the tile: the next one may come */
    }
}
